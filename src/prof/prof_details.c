/* SPDX-License-Identifier: Apache-2.0 */
/* The page for people: each launch in ncu's sections, its memory streams side by side, the source lines that
 * move more than they need, and what to change first. Limits: at most EXCESS_LINES lines of each kind; the
 * source page has all. */
#include "prof_priv.h"

#include <stdlib.h>
#include <string.h>

enum { EXCESS_LINES = 8 };

/* Left out for people unless they asked: what the title says, and kinds of instructions that there are none
 * of. */
static bool is_said_elsewhere(const struct prof_metric *metric, struct report_value value)
{
    if (metric->section == PROF_LAUNCH) return !metric->basic;
    return metric->section == PROF_INSTRUCTIONS && value.kind == REPORT_INTEGER && !value.integer;
}

static void section_table(const struct prof_launch *p, enum prof_section section,
                          const struct prof_selection *selection, const struct report_value *values,
                          struct arena *arena, struct str *out)
{
    struct report_table table = {0};
    report_column(&table, "Metric Name", "");
    report_column(&table, "Metric Unit", "");
    report_column(&table, "Metric Value", "");
    report_column(&table, "Label", "");
    for (uint32_t m = 0; m < selection->count; m++) {
        const struct prof_metric *metric = prof_metric_at(selection->metrics[m]);
        struct report_value value = values[selection->metrics[m]];
        if (metric->section != section || value.kind == REPORT_NONE) continue;
        if (!selection->named && is_said_elsewhere(metric, value)) continue;
        report_cell(&table, report_text(selection->named ? prof_metric_name(metric, arena) : metric->text));
        report_cell(&table, report_text(metric->unit));
        report_cell(&table, value);
        report_cell(&table, report_text(prof_label_name(prof_label_of(metric, p))));
    }
    if (table.cells.count) {
        str_printf(out, "  Section: %s\n", prof_section_name(section));
        report_table_text(&table, out);
        str_add(out, "\n");
    }
    report_table_release(&table);
}

struct stream_row {
    enum prof_stream stream;
    const char *name;
    enum prof_label label;
};
static const struct stream_row SECTOR_ROWS[] = {
    {PROF_GLOBAL_LOAD, "global loads", PROF_EXACT},     {PROF_GLOBAL_STORE, "global stores", PROF_EXACT},
    {PROF_GLOBAL_ATOM, "global atomics", PROF_EXACT},   {PROF_GLOBAL_RED, "global reductions", PROF_RULE},
    {PROF_GLOBAL_COPY, "copies to shared", PROF_EXACT}, {PROF_LOCAL_LOAD, "local loads", PROF_PTX},
    {PROF_LOCAL_STORE, "local stores", PROF_PTX},
};
static const struct stream_row WAVEFRONT_ROWS[] = {
    {PROF_SHARED_LOAD, "shared loads", PROF_RULE},
    {PROF_SHARED_STORE, "shared stores", PROF_RULE},
    {PROF_SHARED_ATOM, "shared atomics", PROF_RULE},
};

static void stream_cells(struct report_table *table, const struct prof_launch *p,
                         const struct stream_row *row)
{
    const struct prof_access *a = &p->sums.access[row->stream];
    bool bytes = a->units && !p->sums.bytes_unclear;
    report_cell(table, report_text(row->name));
    report_cell(table, report_integer(a->requests));
    report_cell(table, report_integer(a->units));
    report_cell(table, report_integer(a->ideal));
    report_cell(table, report_real((double)a->units / (double)a->requests));
    report_cell(table, bytes ? report_real(100.0 * (double)a->bytes / (double)a->moved) : report_none());
    report_cell(table, report_text(prof_label_name(row->label)));
}

static void stream_table(const struct prof_launch *p, const struct stream_row *rows, size_t count,
                         const char *unit, struct arena *arena, struct str *out)
{
    struct report_table table = {0};
    report_column(&table, unit[0] == 's' ? "Device Memory" : "Shared Memory", "");
    report_column(&table, "Requests", "");
    report_column(&table, arena_printf(arena, "%c%s", unit[0] - 'a' + 'A', unit + 1), "");
    report_column(&table, "Ideal", "");
    report_column(&table, "Per Request", "");
    report_column(&table, "Efficiency", "%");
    report_column(&table, "Label", "");
    for (size_t i = 0; i < count; i++)
        if (p->sums.access[rows[i].stream].requests) stream_cells(&table, p, &rows[i]);
    if (table.cells.count) {
        report_table_text(&table, out);
        str_add(out, "\n");
    }
    report_table_release(&table);
}

struct excess {
    const struct prof_line *line;
    struct prof_access access;
};

static int by_excess(const void *a, const void *b)
{
    const struct excess *x = a, *y = b;
    uint64_t ex = x->access.units - x->access.ideal, ey = y->access.units - y->access.ideal;
    if (ex != ey) return ex < ey ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

static void excess_table(const struct prof_line *lines, uint32_t count,
                         struct prof_access (*total)(const struct prof_sums *), const char *title,
                         struct prof_sources *sources, struct str *out)
{
    struct excess *excess = ARENA_ARRAY(sources->arena, struct excess, count + 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct prof_access access = total(&lines[i].sums);
        if (access.units > access.ideal) excess[found++] = (struct excess){&lines[i], access};
    }
    if (!found) return;
    qsort(excess, found, sizeof *excess, by_excess);
    struct report_table table = {.title = title};
    report_column(&table, "Excess", "");
    report_column(&table, "Total", "");
    report_column(&table, "Where", "");
    report_column(&table, "Source", "");
    for (uint32_t i = 0; i < found && i < EXCESS_LINES; i++) {
        const struct prof_line *line = excess[i].line;
        const char *text = prof_source_line(sources, line->file, line->line);
        report_cell(&table, report_integer(excess[i].access.units - excess[i].access.ideal));
        report_cell(&table, report_integer(excess[i].access.units));
        report_cell(&table, report_text(arena_printf(sources->arena, "%s:%u",
                                                     line->file[0] ? line->file : "PTX line", line->line)));
        report_cell(&table, text ? report_text(text) : line->file[0] ? report_none() : report_text(line->op));
    }
    report_table_text(&table, out);
    str_add(out, "\n");
    report_table_release(&table);
}

static bool has_lines(const struct prof_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].file[0]) return true;
    return count == 0;
}

static void excess_section(const struct prof_launch *p, struct prof_sources *sources, struct str *out)
{
    struct prof_line *lines;
    uint32_t count = prof_lines(p, sources->arena, &lines);
    excess_table(lines, count, prof_global_total, "Global memory: sectors more than needed, by source line",
                 sources, out);
    excess_table(lines, count, prof_shared_total,
                 "Shared memory: wavefronts more than needed, by source line", sources, out);
    if (!has_lines(lines, count))
        str_add(out, "  Lines are those of the PTX: compile with -lineinfo to see source lines.\n\n");
}

static void add_advice(const struct prof_launch *p, struct arena *arena, struct str *out)
{
    const char **advice;
    uint32_t count = prof_advice(p, arena, &advice);
    if (count) str_add(out, "  What to change first\n");
    for (uint32_t i = 0; i < count; i++)
        str_printf(out, "  %u. %s\n", i + 1, advice[i]);
    if (count) str_add(out, "\n");
}

static void memory_section(const struct prof_launch *p, struct prof_sources *sources, struct str *out)
{
    str_printf(out, "  Section: %s\n", prof_section_name(PROF_MEMORY));
    stream_table(p, SECTOR_ROWS, SW_COUNT_OF(SECTOR_ROWS), p->cc->load_segment == 32 ? "sectors" : "segments",
                 sources->arena, out);
    stream_table(p, WAVEFRONT_ROWS, SW_COUNT_OF(WAVEFRONT_ROWS), "wavefronts", sources->arena, out);
    excess_section(p, sources, out);
}

static void launch_details(const struct prof_launch *p, const struct prof_selection *selection,
                           struct prof_sources *sources, struct str *out)
{
    struct report_value *values = ARENA_ARRAY(sources->arena, struct report_value, prof_metric_count());
    prof_metric_values(p, values);
    str_printf(out, "%s\n\n", prof_launch_title(p, sources->arena));
    if (p->launch->status != SW_OK)
        str_printf(out, "  This launch failed: %s. Its counters end where it did.\n\n",
                   sw_status_text(p->launch->status));
    for (int section = 0; section < PROF_SECTION_COUNT; section++)
        if (section != PROF_MEMORY || selection->named)
            section_table(p, (enum prof_section)section, selection, values, sources->arena, out);
    if (selection->named) return;
    if (p->counted) memory_section(p, sources, out);
    add_advice(p, sources->arena, out);
}

void prof_page_details(const struct prof_launch *launches, uint32_t count,
                       const struct prof_selection *selection, struct arena *arena, struct str *out)
{
    struct prof_sources sources = {.arena = arena};
    for (uint32_t i = 0; i < count; i++)
        launch_details(&launches[i], selection, &sources, out);
    if (count)
        str_add(out,
                "Labels: exact: equals the GPU's counter. rule: the hardware's rule, without arbitration.\n"
                "PTX-level: counted in PTX; machine code may keep more or less. modelled: an estimate.\n");
    prof_sources_release(&sources);
}
