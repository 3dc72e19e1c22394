/* SPDX-License-Identifier: Apache-2.0 */
/* A report as one HTML file that needs nothing else: a table of the findings, then each with its lines, what
 * to do, and the source around both places. Limits: source files are those that can be read when the report
 * is written. */
#include "check_priv.h"

#include "base/base_text.h"

#include <string.h>

enum { CONTEXT = 4 }; /* implementation: lines of source before and behind */

static void add_code(const char *text, struct str *out)
{
    str_add(out, "<code>");
    report_html_text(text, out);
    str_add(out, "</code>");
}

static void summary_row(struct check_report *r, uint32_t number, const struct check_group *g, struct str *out)
{
    str_printf(out, "<tr><td class=n><a href=\"#f%u\">%u</a></td><td>", number, number);
    report_html_text(_(g->rule->title), out);
    str_printf(out, "</td><td>%s</td><td>", check_tool_name(g->rule->tool));
    add_code(g->place.kernel ? g->place.kernel : g->place.at->call ? g->place.at->call : "", out);
    str_add(out, "</td><td>");
    add_code(check_place_short(&g->place, &r->arena), out);
    str_add(out, "</td>");
    report_html_cell(report_integer(g->count), out);
    str_add(out, "</tr>\n");
}

static void summary(struct check_report *r, struct str *out)
{
    str_printf(out,
               "<div class=scroll><table><tr><th></th><th>%s</th><th>%s</th><th>%s</th><th>%s</th>"
               "<th class=n>%s</th></tr>\n",
               _("Finding"), _("Tool"), _("Kernel or call"), _("Place"), _("Errors"));
    for (size_t i = 0; i < r->groups.count; i++)
        summary_row(r, (uint32_t)i + 1, r->groups.at[i], out);
    str_add(out, "</table></div>\n");
}

static void source_row(struct check_report *r, const char *file, uint32_t line, bool here, struct str *out)
{
    const char *text = report_source_text(&r->sources, file, line);
    if (!text) return;
    str_printf(out, "<tr%s><td class=n>%u</td><td class=code>",
               here ? " style=\"background:rgba(var(--hot),.25)\"" : "", line);
    add_code(text, out);
    str_add(out, "</td></tr>\n");
}

static void source(struct check_report *r, const struct check_place *p, struct str *out)
{
    if (!p->at || !*p->file || !report_source_text(&r->sources, p->file, p->line)) return;
    str_add(out, "<p class=soft>");
    report_html_text(p->file, out);
    str_add(out, "</p><div class=scroll><table class=source>\n");
    uint32_t first = p->line > CONTEXT ? p->line - CONTEXT : 1;
    for (uint32_t line = first; line <= p->line + CONTEXT; line++)
        source_row(r, p->file, line, line == p->line, out);
    str_add(out, "</table></div>\n");
}

static void explanations(const struct check_group *g, struct str *out)
{
    struct arena arena;
    check_sentences sentences = {0};
    arena_init(&arena);
    check_explain_memory(g, &arena, &sentences);
    check_explain(g, &arena, &sentences);
    for (size_t i = 0; i < sentences.count; i++) {
        str_add(out, "<div>");
        report_html_text(sentences.at[i], out);
        str_add(out, "</div>\n");
    }
    vec_release(&sentences);
    arena_release(&arena);
}

static void group(struct check_report *r, uint32_t number, const struct check_group *g, struct str *out)
{
    struct str lines = {0};
    check_lines_add(r, g, &lines);
    str_printf(out, "<h2 id=f%u>%u. ", number, number);
    report_html_text(_(g->rule->title), out);
    str_printf(out, "</h2>\n<p class=soft>%s, %s, ", check_tool_name(g->rule->tool), g->rule->id);
    report_html_text(g->process, out);
    str_add(out, "</p>\n<div class=scroll><pre>");
    report_html_text(str_text(&lines), out);
    str_add(out, "</pre></div>\n");
    explanations(g, out);
    bool one = g->other.at && g->other.line == g->place.line && strcmp(g->other.file, g->place.file) == 0;
    if (!one) source(r, &g->other, out);
    source(r, &g->place, out);
    str_release(&lines);
}

void check_write_html(struct check_report *r, struct str *out)
{
    report_html_begin(_("Softwarp check"), out);
    str_printf(out, "<h1>Softwarp %s: ", r->options.version ? r->options.version : "");
    str_printf(out, _("errors: %llu"), (unsigned long long)r->errors);
    str_add(out, "</h1>\n");
    if (!r->groups.count) str_printf(out, "<p>%s</p>\n", _("Nothing was found."));
    if (r->groups.count) summary(r, out);
    for (size_t i = 0; i < r->groups.count; i++)
        group(r, (uint32_t)i + 1, r->groups.at[i], out);
    str_add(out, "</html>\n");
}
