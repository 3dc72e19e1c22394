/* SPDX-License-Identifier: Apache-2.0 */
/* Text as HTML needs it. */
#include "prof_pages_priv.h"

void prof_html_text(const char *text, struct str *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': str_add(out, "&amp;"); break;
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        case '"': str_add(out, "&quot;"); break;
        default: str_add_char(out, *text);
        }
    }
}
