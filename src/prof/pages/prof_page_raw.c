/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that scripts read as ncu's: the wide raw page, and the long table of --csv --page details.
 *
 * What identifies a process or machine is constant, so that two runs give the same bytes. Limits: the raw
 * page has a column for each metric that some launch knows, and the GPU's attributes; sums over all units
 * (.sum), not ncu's least, most and mean over them. Where a launch failed, which ncu does not report, there
 * is one more column, or row; compare/ reads it by its name. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <stdlib.h>
#include <string.h>

const char *prof_triple(const uint32_t xyz[3], struct arena *arena)
{
    return arena_printf(arena, "(%u, %u, %u)", xyz[0], xyz[1], xyz[2]);
}

const char *prof_launch_title(const struct prof_launch *p, struct arena *arena)
{
    const struct event_launch *l = p->launch;
    if (l->routine)
        return arena_printf(arena, _("%s (%s), Context %u, Stream %u, Device %u, CC %u.%u"), p->kernel,
                            l->routine->shape, l->context + PROF_FIRST_CONTEXT, l->stream + PROF_FIRST_STREAM,
                            l->device, p->cc->major, p->cc->minor);
    return arena_printf(arena, _("%s %sx%s, Context %u, Stream %u, Device %u, CC %u.%u"), p->kernel,
                        prof_triple(l->grid, arena), prof_triple(l->block, arena),
                        l->context + PROF_FIRST_CONTEXT, l->stream + PROF_FIRST_STREAM, l->device,
                        p->cc->major, p->cc->minor);
}

void prof_identity_columns(const struct prof_pages *pages, struct report_table *table)
{
    static const char *const NAMES[] = {"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name",
                                        "Context", "Stream",     "Block Size",   "Grid Size", "Device",
                                        "CC"};
    enum { BEFORE_RANGES = 4 };
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++) {
        if (i == BEFORE_RANGES && pages->options.nvtx_columns) prof_range_columns(table);
        report_column(table, NAMES[i], "");
    }
}

struct report_value prof_plain(uint64_t number, struct arena *arena)
{
    return report_text(arena_printf(arena, "%llu", (unsigned long long)number));
}

void prof_identity_cells(const struct prof_pages *pages, struct report_table *table, uint32_t id,
                         const struct prof_launch *p, struct arena *arena)
{
    const struct event_launch *l = p->launch;
    report_cell(table, prof_plain(id, arena));
    report_cell(table, report_text("1"));
    report_cell(table, report_text(p->process));
    report_cell(table, report_text("127.0.0.1"));
    if (pages->options.nvtx_columns) prof_range_csv_cells(table, p, arena);
    report_cell(table, report_text(p->kernel));
    report_cell(table, prof_plain(l->context + PROF_FIRST_CONTEXT, arena));
    report_cell(table, prof_plain(l->stream + PROF_FIRST_STREAM, arena));
    report_cell(table, report_text(prof_triple(l->block, arena)));
    report_cell(table, report_text(prof_triple(l->grid, arena)));
    report_cell(table, prof_plain(l->device, arena));
    report_cell(table, report_text(arena_printf(arena, "%u.%u", p->cc->major, p->cc->minor)));
}

const char *prof_metric_name(const struct prof_metric *metric, struct arena *arena)
{
    if (metric->ncu[0]) return metric->ncu;
    return arena_strndup(arena, metric->nvprof, strcspn(metric->nvprof, " "));
}

const char *prof_launch_status(const struct prof_launch *launch)
{
    enum sw_status status = launch->launch->status;
    return status == SW_OK ? "ok" : sw_status_text(status);
}

static int page_raw_by_name(const void *a, const void *b)
{
    const struct prof_column *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void choose_columns(struct prof_pages *pages)
{
    const struct prof_selection *s = &pages->options.selection;
    uint32_t attributes = prof_attribute_count(), n = 0;
    pages->columns = ARENA_ARRAY(&pages->arena, struct prof_column, s->count + attributes + 1);
    if (pages->failed) pages->columns[n++] = (struct prof_column){"launch__status", "", -1, -1};
    for (uint32_t i = 0; i < attributes; i++)
        pages->columns[n++] = (struct prof_column){prof_attribute_name(i), "", -1, (int)i};
    for (uint32_t i = 0; i < s->count; i++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[i]);
        if (!pages->known[s->metrics[i]]) continue;
        pages->columns[n++] = (struct prof_column){prof_metric_name(metric, &pages->arena), metric->unit,
                                                   (int)s->metrics[i], -1};
    }
    qsort(pages->columns, n, sizeof *pages->columns, page_raw_by_name);
    pages->column_count = n;
}

void prof_raw_begin(struct prof_pages *pages, struct str *out)
{
    choose_columns(pages);
    prof_identity_columns(pages, &pages->table);
    for (uint32_t c = 0; c < pages->column_count; c++)
        report_column(&pages->table, pages->columns[c].name, pages->columns[c].unit);
    report_table_csv(&pages->table, true, out);
}

/* The rows that were added, without the names above them; the table is empty afterwards. */
static void write_rows(struct report_table *table, struct str *out)
{
    report_table_csv_rows(table, out);
    vec_clear(&table->cells);
}

void prof_raw_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    struct report_value *values = ARENA_ARRAY(&arena, struct report_value, prof_metric_count());
    prof_metric_values(launch, values);
    prof_identity_cells(pages, &pages->table, pages->written, launch, &arena);
    for (uint32_t c = 0; c < pages->column_count; c++) {
        const struct prof_column *column = &pages->columns[c];
        report_cell(&pages->table, column->metric >= 0 ? values[column->metric]
                                   : column->attribute >= 0
                                       ? prof_attribute_value((uint32_t)column->attribute, launch)
                                       : report_text(prof_launch_status(launch)));
    }
    write_rows(&pages->table, out);
    arena_release(&arena);
}

void prof_values_begin(struct prof_pages *pages, struct str *out)
{
    static const char *const NAMES[] = {"Section Name", "Metric Name", "Metric Unit", "Metric Value",
                                        "Label"};
    prof_identity_columns(pages, &pages->table);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&pages->table, NAMES[i], "");
    report_table_csv(&pages->table, false, out);
}

static void value_row(struct prof_pages *pages, const struct prof_launch *launch, const char *cells[3],
                      struct report_value value, struct arena *arena)
{
    struct report_table *table = &pages->table;
    prof_identity_cells(pages, table, pages->written, launch, arena);
    report_cell(table, report_text(cells[0]));
    report_cell(table, report_text(cells[1]));
    report_cell(table, report_text(cells[2]));
    report_cell(table, value);
}

void prof_values_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out)
{
    const struct prof_selection *s = &pages->options.selection;
    struct report_table *table = &pages->table;
    struct arena arena;
    arena_init(&arena);
    struct report_value *values = ARENA_ARRAY(&arena, struct report_value, prof_metric_count());
    prof_metric_values(launch, values);
    for (uint32_t m = 0; m < s->count; m++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[m]);
        struct report_value value = values[s->metrics[m]];
        if (value.kind == REPORT_NONE) continue;
        value_row(pages, launch,
                  (const char *[]){prof_section_name(metric->section), metric->text, metric->unit}, value,
                  &arena);
        report_cell(table, report_text(prof_label_name(prof_label_of(metric, launch))));
    }
    if (launch->launch->status != SW_OK) {
        value_row(pages, launch, (const char *[]){prof_section_name(PROF_LAUNCH), "Launch Status", ""},
                  report_text(prof_launch_status(launch)), &arena);
        report_cell(table, report_text(prof_label_name(PROF_EXACT)));
    }
    write_rows(table, out);
    arena_release(&arena);
}

/* ncu's --print-summary per-kernel: no launch, context and stream, but how many and least, most and mean. */
void prof_summary_begin(struct prof_pages *pages, struct str *out)
{
    static const char *const NAMES[] = {"Process ID",  "Process Name", "Host Name",   "Kernel Name",
                                        "Block Size",  "Grid Size",    "Device",      "CC",
                                        "Invocations", "Section Name", "Metric Name", "Metric Unit",
                                        "Minimum",     "Maximum",      "Average",     "Label"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&pages->table, NAMES[i], "");
    report_table_csv(&pages->table, false, out);
}

/* The cells of a row that say which group it is of. */
static void summary_identity(struct report_table *table, const struct prof_group *g, struct arena *arena)
{
    const struct prof_launch *p = &g->total;
    report_cell(table, report_text("1"));
    report_cell(table, report_text(p->process));
    report_cell(table, report_text("127.0.0.1"));
    report_cell(table, report_text(p->kernel));
    report_cell(table, report_text(prof_triple(p->launch->block, arena)));
    report_cell(table, report_text(prof_triple(p->launch->grid, arena)));
    report_cell(table, prof_plain(p->launch->device, arena));
    report_cell(table, report_text(arena_printf(arena, "%u.%u", p->cc->major, p->cc->minor)));
    report_cell(table, prof_plain(g->launches, arena));
}

static void summary_row(struct report_table *table, const struct prof_group *g, uint32_t index,
                        struct arena *arena)
{
    const struct prof_metric *metric = prof_metric_at(index);
    const struct prof_stat *stat = &g->stats[index];
    bool same = stat->least == stat->most;
    summary_identity(table, g, arena);
    report_cell(table, report_text(prof_section_name(metric->section)));
    report_cell(table, report_text(metric->text));
    report_cell(table, report_text(metric->unit));
    report_cell(table, same ? stat->first : report_real(stat->least));
    report_cell(table, same ? stat->first : report_real(stat->most));
    report_cell(table, prof_group_value(g, (int)index));
    report_cell(table, report_text(prof_label_name(prof_label_of(metric, &g->total))));
}

/* How many of a group's launches failed: one number, not one of each launch. */
static void summary_failed(struct report_table *table, const struct prof_group *g, struct arena *arena)
{
    if (!g->failed) return;
    summary_identity(table, g, arena);
    report_cell(table, report_text(prof_section_name(PROF_LAUNCH)));
    report_cell(table, report_text("Failed Launches"));
    report_cell(table, report_text(""));
    report_cell(table, report_none());
    report_cell(table, report_none());
    report_cell(table, prof_plain(g->failed, arena));
    report_cell(table, report_text(prof_label_name(PROF_EXACT)));
}

void prof_summary_end(struct prof_pages *pages, struct str *out)
{
    const struct prof_selection *s = &pages->options.selection;
    struct prof_group *const *groups;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    struct arena arena;
    arena_init(&arena);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t m = 0; m < s->count; m++)
            if (groups[i]->stats[s->metrics[m]].known)
                summary_row(&pages->table, groups[i], s->metrics[m], &arena);
        summary_failed(&pages->table, groups[i], &arena);
    }
    write_rows(&pages->table, out);
    arena_release(&arena);
}

void prof_list_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out)
{
    static const char *const NAMES[] = {N_("Metric Name"), N_("Metric Unit"), N_("Metric Value"),
                                        N_("Label")};
    const struct prof_selection *s = &pages->options.selection;
    struct report_table table = {0};
    struct arena arena;
    arena_init(&arena);
    struct report_value *values = ARENA_ARRAY(&arena, struct report_value, prof_metric_count());
    prof_metric_values(launch, values);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, _(NAMES[i]), "");
    for (uint32_t m = 0; m < s->count; m++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[m]);
        if (values[s->metrics[m]].kind == REPORT_NONE) continue;
        report_cell(&table, report_text(prof_metric_name(metric, &arena)));
        report_cell(&table, report_text(metric->unit));
        report_cell(&table, values[s->metrics[m]]);
        report_cell(&table, report_text(prof_label_name(prof_label_of(metric, launch))));
    }
    str_printf(out, "%s\n\n", prof_launch_title(launch, &arena));
    if (launch->launch->status != SW_OK)
        str_printf(out, _("  This launch failed: %s. Its counters stop at the failure.\n\n"),
                   prof_launch_status(launch));
    if (table.cells.count) report_table_text(&table, out);
    str_add(out, "\n");
    report_table_release(&table);
    arena_release(&arena);
}
