/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of HTML pages that need nothing else: the beginning with its style, texts, and tables. */
#include "base/base_text.h"
#include "report/report.h"

static const char STYLE[] =
#include "report_html_style.def"
    ;

void report_html_text(const char *text, struct str *out)
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

void report_html_cell(struct report_value value, struct str *out)
{
    bool text = value.kind == REPORT_TEXT;
    str_add(out, text ? "<td>" : "<td class=n>");
    if (text)
        report_html_text(value.text, out);
    else
        report_number(value, out);
    str_add(out, "</td>");
}

/* A column that no row knows is left out, as in text. */
static bool is_empty(const struct report_table *table, size_t column)
{
    for (size_t i = column; i < table->cells.count; i += table->columns.count)
        if (table->cells.at[i].kind != REPORT_NONE) return false;
    return true;
}

void report_html_table(const struct report_table *table, struct str *out)
{
    size_t columns = table->columns.count;
    str_add(out, "<div class=scroll><table><tr>");
    for (size_t c = 0; c < columns; c++) {
        if (is_empty(table, c)) continue;
        str_add(out, table->cells.at[c].kind == REPORT_TEXT ? "<th>" : "<th class=n>");
        report_html_text(table->columns.at[c].name, out);
        if (table->columns.at[c].unit[0]) str_printf(out, " [%s]", table->columns.at[c].unit);
        str_add(out, "</th>");
    }
    str_add(out, "</tr>\n");
    for (size_t i = 0; i < table->cells.count; i++) {
        if (i % columns == 0) str_add(out, "<tr>");
        if (!is_empty(table, i % columns)) report_html_cell(table->cells.at[i], out);
        if ((i + 1) % columns == 0) str_add(out, "</tr>\n");
    }
    str_add(out, "</table></div>\n");
}

void report_html_begin(const char *title, struct str *out)
{
    str_add(out, "<!doctype html>\n<html lang=");
    str_printf(out, "%s>\n<meta charset=utf-8>\n", /* the language's tag */ _("en"));
    str_printf(out, "<meta name=viewport content=\"width=device-width\">\n<title>%s</title>\n<style>\n",
               title);
    str_add(out, STYLE);
    str_add(out, "</style>\n");
}
