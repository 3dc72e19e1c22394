/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of text on a terminal. */
#include "prof_pages_priv.h"

void prof_colour(const struct prof_pages *pages, enum prof_style style, struct str *out)
{
    static const char *const CODES[] = {"\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[33m"};
    if (pages->options.colours) str_add(out, CODES[style]);
}
