/* SPDX-License-Identifier: Apache-2.0 */
/* The page of findings alone, kernel by kernel, then what the host did; and findings inside other pages.
 *
 * As CSV: one row a finding, with "host" where the others have their kernel. Findings are those of launches
 * taken together, as on the first screen. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

void prof_pages_process(struct prof_pages *pages, const struct prof_process *process)
{
    *vec_push(&pages->processes) = *process;
}

const char *prof_no_findings(const struct prof_launch *launch)
{
    if (launch && launch->launch->status != SW_OK)
        return _("No advice for a launch that failed; softwarp check finds the errors.");
    return _("No significant findings.");
}

/* launch: that they are of; NULL: the host. */
static void add_findings(const struct prof_pages *pages, const struct prof_launch *launch,
                         const struct prof_finding *findings, uint32_t count, struct arena *arena,
                         struct str *out)
{
    if (!count) str_printf(out, "  %s\n", prof_no_findings(launch));
    for (uint32_t i = 0; i < count; i++)
        prof_finding_text(&findings[i], i + 1, prof_width(pages), arena, out);
    str_add(out, "\n");
}

static void heading(struct prof_pages *pages, const char *text, struct str *out)
{
    prof_colour(pages, PROF_BOLD, out);
    str_printf(out, "%s\n", text);
    prof_colour(pages, PROF_PLAIN, out);
}

void prof_host_text(struct prof_pages *pages, bool all, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    for (size_t p = 0; p < pages->processes.count; p++) {
        struct prof_finding *findings;
        uint32_t count = prof_process_findings(&pages->processes.at[p], &arena, &findings);
        if (!count && !all) continue;
        heading(pages, arena_printf(&arena, _("Host code of %s"), pages->processes.at[p].name), out);
        add_findings(pages, NULL, findings, count, &arena, out);
    }
    arena_release(&arena);
}

/* ---- as a table */

static void page_advice_add_row(struct report_table *table, const char *kernel, const struct prof_finding *f)
{
    report_cell(table, report_text(kernel));
    report_cell(table, report_text(f->rule->id));
    report_cell(table, report_text(prof_priority_name(f->rule->priority)));
    report_cell(table, report_text(f->rule->section));
    report_cell(table, report_text(f->file));
    report_cell(table, f->line ? report_integer(f->line) : report_none());
    report_cell(table, f->gain > 0 ? report_real(100 * f->gain) : report_none());
    report_cell(table, f->timed ? report_real(f->saved_ns) : report_none());
    report_cell(table, f->timed ? report_real(f->of_ns) : report_none());
    report_cell(table, f->of ? report_integer(f->saved) : report_none());
    report_cell(table, f->of ? report_integer(f->of) : report_none());
    report_cell(table, report_text(f->unit));
    report_cell(table, report_text(f->title));
    report_cell(table, report_text(f->evidence));
    report_cell(table, report_text(f->change));
}

static void advice_table(struct prof_pages *pages, struct str *out)
{
    static const char *const NAMES[] = {"Kernel Name", "Rule", "Priority",   "Guide",    "File",
                                        "Line",        "Gain", "Saved Time", "Of Time",  "Saved",
                                        "Of",          "Unit", "Title",      "Evidence", "Change"};
    struct report_table table = {0};
    struct prof_group *const *groups;
    struct prof_finding *findings;
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, NAMES[i], i == 6 ? "%" : i == 7 || i == 8 ? "ns" : "");
    for (uint32_t g = 0, count = prof_groups_sorted(pages->groups, &groups); g < count; g++)
        for (uint32_t i = 0, n = prof_findings(&groups[g]->total, &pages->arena, &findings); i < n; i++)
            page_advice_add_row(&table, groups[g]->total.kernel, &findings[i]);
    for (size_t p = 0; p < pages->processes.count; p++)
        for (uint32_t i = 0, n = prof_process_findings(&pages->processes.at[p], &pages->arena, &findings);
             i < n; i++)
            page_advice_add_row(&table, "host", &findings[i]);
    report_table_csv(&table, false, out);
    report_table_release(&table);
}

static void advice_text(struct prof_pages *pages, struct str *out)
{
    struct arena arena;
    struct prof_group *const *groups;
    struct prof_finding *findings;
    arena_init(&arena);
    for (uint32_t g = 0, count = prof_groups_sorted(pages->groups, &groups); g < count; g++) {
        uint32_t found = prof_findings(&groups[g]->total, &arena, &findings);
        heading(pages, prof_launch_title(&groups[g]->total, &arena), out);
        add_findings(pages, &groups[g]->total, findings, found, &arena, out);
    }
    arena_release(&arena);
    prof_host_text(pages, true, out);
}

void prof_advice_end(struct prof_pages *pages, struct str *out)
{
    if (pages->options.format == PROF_CSV)
        advice_table(pages, out);
    else
        advice_text(pages, out);
}

/* ---- inside JSON */

static void member(const char *name, struct report_value value, bool last, struct str *out)
{
    report_json_value(report_text(name), out);
    str_add(out, ": ");
    report_json_value(value, out);
    if (!last) str_add(out, ", ");
}

static void finding_json(const struct prof_finding *f, struct str *out)
{
    static const char *const PRIORITIES[] = {"low", "medium", "high"};
    str_add(out, "{");
    member("rule", report_text(f->rule->id), false, out);
    member("priority", report_text(PRIORITIES[f->rule->priority]), false, out);
    member("guide", report_text(f->rule->section), false, out);
    member("title", report_text(f->title), false, out);
    if (f->line) member("file", report_text(f->file), false, out);
    if (f->line) member("line", report_integer(f->line), false, out);
    if (f->call.file) member("called_from_file", report_text(f->call.file), false, out);
    if (f->call.file) member("called_from_line", report_integer(f->call.line), false, out);
    if (f->gain > 0) member("gain", report_real(f->gain), false, out);
    if (f->timed) member("saved_ns", report_real(f->saved_ns), false, out);
    if (f->timed) member("of_ns", report_real(f->of_ns), false, out);
    if (f->of) member("saved", report_integer(f->saved), false, out);
    if (f->of) member("of", report_integer(f->of), false, out);
    if (f->of) member("unit", report_text(f->unit), false, out);
    member("evidence", report_text(f->evidence), false, out);
    member("change", report_text(f->change), true, out);
    str_add(out, "}");
}

void prof_findings_json(const struct prof_finding *findings, uint32_t count, struct str *out)
{
    str_add(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        str_add(out, i ? ",\n      " : "\n      ");
        finding_json(&findings[i], out);
    }
    str_add(out, "]");
}

void prof_host_json(struct prof_pages *pages, struct str *out)
{
    struct prof_finding *findings;
    str_add(out, "[");
    for (size_t p = 0; p < pages->processes.count; p++) {
        uint32_t count = prof_process_findings(&pages->processes.at[p], &pages->arena, &findings);
        str_add(out, p ? ",\n    {" : "\n    {");
        member("process", report_text(pages->processes.at[p].name), false, out);
        str_add(out, "\"findings\": ");
        prof_findings_json(findings, count, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}
