/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: building them, and writing them as aligned text. Limits: characters of the East
 * Asian blocks below U+10000 take two columns, all others one. */
#include "report/report.h"

#include <string.h>

void report_column(struct report_table *table, const char *name, const char *unit)
{
    *vec_push(&table->columns) = (struct report_column){name, unit};
}

void report_cell(struct report_table *table, struct report_value value)
{
    *vec_push(&table->cells) = value;
}

size_t report_rows(const struct report_table *table)
{
    return table->columns.count ? table->cells.count / table->columns.count : 0;
}

void report_table_release(struct report_table *table)
{
    vec_release(&table->columns);
    vec_release(&table->cells);
}

static void format_cell(struct report_value value, struct str *out)
{
    str_clear(out);
    if (value.kind == REPORT_TEXT)
        str_add(out, value.text);
    else
        report_number(value, out);
}

static void format_head(const struct report_column *column, struct str *out)
{
    str_clear(out);
    str_add(out, column->name);
    if (column->unit[0]) str_printf(out, " [%s]", column->unit);
}

static void add_padded(struct str *out, const char *text, size_t width, bool right)
{
    size_t pad = width - report_width(text);
    if (right)
        while (pad--)
            str_add_char(out, ' ');
    str_add(out, text);
    if (!right)
        while (pad--)
            str_add_char(out, ' ');
}

/* Width of a column, 0 when no row knows a value; *right: all its values are numbers. */
static size_t column_width(const struct report_table *table, size_t column, bool *right)
{
    struct str text = {0};
    size_t width = 0;
    *right = true;
    for (size_t i = column; i < table->cells.count; i += table->columns.count) {
        struct report_value value = table->cells.at[i];
        if (value.kind == REPORT_NONE) continue;
        *right &= value.kind != REPORT_TEXT;
        format_cell(value, &text);
        size_t w = report_width(str_text(&text));
        width = w > width ? w : width;
    }
    if (width) {
        format_head(&table->columns.at[column], &text);
        size_t w = report_width(str_text(&text));
        width = w > width ? w : width;
    }
    str_release(&text);
    return width;
}

static void trim_line(struct str *out)
{
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    str_add_char(out, '\n');
}

struct layout {
    size_t width;
    bool right;
};

static void write_row(const struct report_table *table, const struct layout *layout, size_t row, bool head,
                      struct str *out)
{
    struct str text = {0};
    str_add(out, "  ");
    for (size_t c = 0; c < table->columns.count; c++) {
        if (!layout[c].width) continue;
        if (head)
            format_head(&table->columns.at[c], &text);
        else
            format_cell(table->cells.at[row * table->columns.count + c], &text);
        add_padded(out, str_text(&text), layout[c].width, layout[c].right);
        str_add(out, "  ");
    }
    trim_line(out);
    str_release(&text);
}

void report_table_text(const struct report_table *table, struct str *out)
{
    size_t columns = table->columns.count, total = 0;
    struct layout *layout = sw_xcalloc(columns + 1, sizeof *layout);
    for (size_t c = 0; c < columns; c++) {
        layout[c].width = column_width(table, c, &layout[c].right);
        total += layout[c].width ? layout[c].width + 2 : 0;
    }
    if (table->title) str_printf(out, "  %s\n", table->title);
    write_row(table, layout, 0, true, out);
    str_add(out, "  ");
    for (size_t i = 2; i < total; i++)
        str_add_char(out, '-');
    str_add_char(out, '\n');
    for (size_t r = 0; r < report_rows(table); r++)
        write_row(table, layout, r, false, out);
    free(layout);
}
