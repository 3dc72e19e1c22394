/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, CSV and JSON. The same value always gives the same bytes: no locale, no floating-point shortest
 * form. */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_grouped(const char *digits, struct str *out)
{
    size_t length = strlen(digits);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) str_add_char(out, ',');
        str_add_char(out, digits[i]);
    }
}

static void add_real(double value, bool grouped, int decimals, struct str *out)
{
    char text[400];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    char *point = strchr(text, '.'), *end = text + strlen(text);
    while (point && end[-1] == '0')
        *--end = 0;
    if (point && end[-1] == '.') *--end = 0;
    if (value < 0 && strcmp(text, "0") != 0) str_add_char(out, '-');
    point = strchr(text, '.');
    if (point) *point = 0;
    if (grouped)
        add_grouped(text, out);
    else
        str_add(out, text);
    if (point) str_printf(out, ".%s", point + 1);
}

void report_number(struct report_value value, struct str *out)
{
    char digits[32];
    if (value.kind == REPORT_INTEGER) {
        snprintf(digits, sizeof digits, "%" PRIu64, value.integer);
        add_grouped(digits, out);
    }
    if (value.kind == REPORT_REAL) add_real(value.real, true, 2, out);
}

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

static void json_text(const char *text, struct str *out)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            str_printf(out, "\\%c", c);
        else if (c < 0x20)
            str_printf(out, "\\u%04x", c);
        else
            str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

void report_json_value(struct report_value value, struct str *out)
{
    switch (value.kind) {
    case REPORT_NONE: str_add(out, "null"); break;
    case REPORT_INTEGER: str_printf(out, "%" PRIu64, value.integer); break;
    case REPORT_REAL: add_real(value.real, false, 6, out); break;
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
