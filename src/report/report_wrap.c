/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in lines of a width, and how wide a text is on a terminal.
 *
 * A line may break at a space and next to a character of two columns (Chinese and Japanese have no spaces),
 * but not before punctuation that closes or after one that opens. Method: the pieces between two such places
 * are laid one after the other. Limits: of the line-breaking rules of Unicode (UAX #14) only these; combining
 * characters count as a column. */
#include "report/report.h"

#include <string.h>

static bool is_wide(uint32_t code)
{
    return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
           (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
           (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x20000 && code <= 0x3fffd);
}

/* The character that text begins with and its bytes; a byte that is not UTF-8 stands for itself. */
static uint32_t character(const char *text, size_t *bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : at[0] >= 0xc0 ? 1 : 0;
    uint32_t code = more ? at[0] & (0x3fu >> more) : at[0];
    for (*bytes = 1; *bytes <= more; ++*bytes) {
        if ((at[*bytes] & 0xc0) != 0x80) {
            *bytes = 1;
            return at[0];
        }
        code = code << 6 | (at[*bytes] & 0x3f);
    }
    return code;
}

size_t report_width(const char *text)
{
    size_t width = 0, bytes;
    for (; *text; text += bytes)
        width += is_wide(character(text, &bytes)) ? 2 : 1;
    return width;
}

static bool is_one_of(const char *set, uint32_t code)
{
    size_t bytes;
    for (; *set; set += bytes)
        if (character(set, &bytes) == code) return true;
    return false;
}

/* May a line end between these two? */
static bool may_break(uint32_t before, uint32_t after)
{
    if (before == ' ' || after == ' ') return true;
    if (!is_wide(before) && !is_wide(after)) return false;
    return !is_one_of("（「『《〈【“‘([{", before) &&
           !is_one_of("，。、；：？！）」』》〉】”’%…),.;:?!]}", after);
}

/* Bytes and columns of the piece that text begins with; text does not begin with a space. */
static size_t wrap_piece(const char *text, size_t *width)
{
    size_t length = 0, bytes;
    for (uint32_t before = 0; text[length]; length += bytes) {
        uint32_t code = character(text + length, &bytes);
        if (length && may_break(before, code)) break;
        *width += is_wide(code) ? 2 : 1;
        before = code;
    }
    return length;
}

void report_wrap(const char *text, uint32_t indent, uint32_t most, struct str *out)
{
    size_t column = indent;
    while (*text) {
        size_t width = 0, spaces = strspn(text, " ");
        size_t length = wrap_piece(text + spaces, &width);
        bool breaks = column > indent && column + spaces + width > most;
        if (breaks) {
            str_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        if (column == indent) { /* no spaces at a line's begin */
            text += spaces;
            spaces = 0;
        }
        if (length) str_add_bytes(out, text, spaces + length);
        column += spaces + width;
        text += spaces + length;
    }
    str_add_char(out, '\n');
}
