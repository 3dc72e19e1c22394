/* SPDX-License-Identifier: Apache-2.0 */
/* CSV and JSON. JSON is UTF-8: a byte of a text that is none (a source file in another encoding) becomes
 * U+FFFD. Limits: that a character has its shortest form is not tested. */
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void report_csv_text(const char *text, struct str *out)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"') str_add_char(out, '"');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

static void csv_cell(struct report_value value, struct str *out)
{
    if (value.kind == REPORT_TEXT) {
        report_csv_text(value.text, out);
        return;
    }
    str_add_char(out, '"');
    report_number(value, out);
    str_add_char(out, '"');
}

void report_table_csv_rows(const struct report_table *table, struct str *out)
{
    size_t columns = table->columns.count;
    for (size_t i = 0; i < table->cells.count; i++) {
        csv_cell(table->cells.at[i], out);
        str_add_char(out, (i + 1) % columns ? ',' : '\n');
    }
}

void report_table_csv(const struct report_table *table, bool units, struct str *out)
{
    size_t columns = table->columns.count;
    for (size_t c = 0; c < columns; c++) {
        report_csv_text(table->columns.at[c].name, out);
        str_add_char(out, c + 1 < columns ? ',' : '\n');
    }
    for (size_t c = 0; units && c < columns; c++) {
        report_csv_text(table->columns.at[c].unit, out);
        str_add_char(out, c + 1 < columns ? ',' : '\n');
    }
    report_table_csv_rows(table, out);
}

/* Bytes of the UTF-8 character that text begins with; 0: it is none. */
static size_t json_character(const char *text)
{
    unsigned char first = (unsigned char)*text;
    size_t bytes = first < 0x80   ? 1
                   : first < 0xc2 ? 0
                   : first < 0xe0 ? 2
                   : first < 0xf0 ? 3
                   : first < 0xf5 ? 4
                                  : 0;
    for (size_t i = 1; i < bytes; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    return bytes;
}

static void json_text(const char *text, struct str *out)
{
    str_add_char(out, '"');
    for (size_t bytes; *text; text += bytes ? bytes : 1) {
        unsigned char c = (unsigned char)*text;
        bytes = json_character(text);
        if (!bytes)
            str_add(out, "\xef\xbf\xbd");
        else if (c == '"' || c == '\\')
            str_printf(out, "\\%c", c);
        else if (c < 0x20)
            str_printf(out, "\\u%04x", c);
        else
            str_add_bytes(out, text, bytes);
    }
    str_add_char(out, '"');
}

void report_json_value(struct report_value value, struct str *out)
{
    switch (value.kind) {
    case REPORT_NONE: str_add(out, "null"); break;
    case REPORT_INTEGER: str_printf(out, "%" PRIu64, value.integer); break;
    case REPORT_REAL: report_decimal(value.real, false, 6, out); break;
    case REPORT_TEXT: json_text(value.text, out); break;
    }
}

static void json_row(const struct report_table *table, size_t row, struct str *out)
{
    size_t columns = table->columns.count, written = 0;
    str_add(out, "  {");
    for (size_t c = 0; c < columns; c++) {
        struct report_value value = table->cells.at[row * columns + c];
        if (value.kind == REPORT_NONE) continue;
        str_add(out, written++ ? ", " : "");
        json_text(table->columns.at[c].name, out);
        str_add(out, ": ");
        report_json_value(value, out);
    }
    str_add(out, "}");
}

void report_table_json(const struct report_table *table, struct str *out)
{
    size_t rows = report_rows(table);
    str_add(out, "[\n");
    for (size_t r = 0; r < rows; r++) {
        json_row(table, r, out);
        str_add(out, r + 1 < rows ? ",\n" : "\n");
    }
    str_add(out, "]\n");
}
