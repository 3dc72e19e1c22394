/* SPDX-License-Identifier: Apache-2.0 */
/* The language of reports. Catalogues lie at share/locale beside bin/, in the build folder as in an
 * installation. */
#include "cli_priv.h"

#include "base/base_text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

int cli_language(const char *language)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    if (language && strcmp(language, "en") != 0 && strcmp(language, "zh") != 0)
        return cli_fail(CLI_USAGE, "no language is called '%s': en or zh", language);
    struct str folder = {0};
    str_printf(&folder, "%s/../share/locale", self);
    int spoken = sw_text_open(language, str_text(&folder));
    str_release(&folder);
    if (spoken || !language) return -1;
    return cli_fail(CLI_UNSUPPORTED, "the texts for --lang %s are not installed: use --lang en", language);
}
