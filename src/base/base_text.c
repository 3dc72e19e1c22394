/* SPDX-License-Identifier: Apache-2.0 */
/* Translations by the C library's gettext.
 *
 * gettext looks up nothing in the locale "C", and other locales need not be installed. C.UTF-8 always is
 * (glibc 2.35), and in it LANGUAGE chooses the catalogue; so the locale is set to that for messages alone,
 * and numbers stay as they are. Limits: LANGUAGE is set for this process and those that it starts later. */
#include "base/base_text.h"

#include "base/base.h"

#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DOMAIN "softwarp"

static int translates;

const char *sw_text(const char *english)
{
    return translates ? dgettext(DOMAIN, english) : english;
}

static const char *wanted_language(void)
{
    static const char *const NAMES[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        const char *value = getenv(NAMES[i]);
        if (value && *value) return sw_starts_with(value, "zh") ? "zh" : "en";
    }
    return "en";
}

int sw_text_open(const char *language, const char *folder)
{
    if (!language) language = wanted_language();
    translates = 0;
    if (strcmp(language, "en") == 0) return 1;
    if (strcmp(language, "zh") != 0) return 0;
    struct str path = {0};
    str_printf(&path, "%s/zh_CN/LC_MESSAGES/" DOMAIN ".mo", folder);
    int there = access(str_text(&path), R_OK) == 0;
    str_release(&path);
    if (!there || !setlocale(LC_MESSAGES, "C.UTF-8")) return 0;
    setenv("LANGUAGE", "zh_CN", 1);
    bindtextdomain(DOMAIN, folder);
    bind_textdomain_codeset(DOMAIN, "UTF-8");
    translates = 1;
    return 1;
}
