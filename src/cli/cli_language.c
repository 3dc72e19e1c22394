/* SPDX-License-Identifier: Apache-2.0 */
/* The language of reports. Catalogues lie at share/locale beside bin/, in the build folder as in an
 * installation. */
#include "cli_priv.h"

#include "base/base_text.h"

#include <string.h>

int cli_language(const char *language)
{
    if (language && strcmp(language, "en") != 0 && strcmp(language, "zh") != 0)
        return cli_fail(CLI_USAGE, "there is no language named '%s': use en or zh", language);
    struct arena arena;
    arena_init(&arena);
    const char *prefix = cli_prefix(&arena);
    bool spoken = sw_text_open(language, arena_printf(&arena, "%s/share/locale", prefix ? prefix : ""));
    arena_release(&arena);
    if (spoken || !language) return -1;
    return cli_fail(CLI_UNSUPPORTED, "the texts for --lang %s are not installed: use --lang en", language);
}
