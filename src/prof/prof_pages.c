/* SPDX-License-Identifier: Apache-2.0 */
/* Pages for scripts: the wide raw table and the long metrics table with ncu's columns, the source table,
 * JSON.
 *
 * What identifies a process or machine is constant, so that two runs give the same bytes.
 * Limits: the raw page has a column for each metric that some launch knows; ncu's device attributes are not
 * among them. */
#include "prof_priv.h"

#include <stdlib.h>
#include <string.h>

const char *prof_triple(const uint32_t xyz[3], struct arena *arena)
{
    return arena_printf(arena, "(%u, %u, %u)", xyz[0], xyz[1], xyz[2]);
}

const char *prof_launch_title(const struct prof_launch *p, struct arena *arena)
{
    const struct event_launch *l = p->launch;
    return arena_printf(arena, "%s %sx%s, Context %u, Stream %u, Device %u, CC %u.%u", p->kernel,
                        prof_triple(l->grid, arena), prof_triple(l->block, arena),
                        l->context + PROF_FIRST_CONTEXT, l->stream + PROF_FIRST_STREAM, l->device,
                        p->cc->major, p->cc->minor);
}

static void add_identity_columns(struct report_table *table)
{
    static const char *const NAMES[] = {"ID",      "Process ID", "Process Name", "Host Name", "Kernel Name",
                                        "Context", "Stream",     "Block Size",   "Grid Size", "Device",
                                        "CC"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(table, NAMES[i], "");
}

/* A number as text, because ncu does not group the digits of these. */
static struct report_value plain(uint64_t number, struct arena *arena)
{
    return report_text(arena_printf(arena, "%llu", (unsigned long long)number));
}

static void add_identity(struct report_table *table, uint32_t id, const struct prof_launch *p,
                         struct arena *arena)
{
    const struct event_launch *l = p->launch;
    report_cell(table, plain(id, arena));
    report_cell(table, report_text("1"));
    report_cell(table, report_text(p->process));
    report_cell(table, report_text("127.0.0.1"));
    report_cell(table, report_text(p->kernel));
    report_cell(table, plain(l->context + PROF_FIRST_CONTEXT, arena));
    report_cell(table, plain(l->stream + PROF_FIRST_STREAM, arena));
    report_cell(table, report_text(prof_triple(l->block, arena)));
    report_cell(table, report_text(prof_triple(l->grid, arena)));
    report_cell(table, plain(l->device, arena));
    report_cell(table, report_text(arena_printf(arena, "%u.%u", p->cc->major, p->cc->minor)));
}

const char *prof_metric_name(const struct prof_metric *metric, struct arena *arena)
{
    if (metric->ncu[0]) return metric->ncu;
    return arena_strndup(arena, metric->nvprof, strcspn(metric->nvprof, " "));
}

struct chosen {
    const char *name;
    uint32_t metric;
};

static int by_name(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* All values: row p, column of the metrics table. */
static struct report_value *all_values(const struct prof_launch *launches, uint32_t count,
                                       struct arena *arena)
{
    uint32_t metrics = prof_metric_count();
    struct report_value *values = ARENA_ARRAY(arena, struct report_value, (size_t)metrics * count + 1);
    for (uint32_t p = 0; p < count; p++)
        prof_metric_values(&launches[p], values + (size_t)metrics * p);
    return values;
}

static bool any_known(const struct report_value *values, uint32_t count, uint32_t metric)
{
    for (uint32_t p = 0; p < count; p++)
        if (values[(size_t)prof_metric_count() * p + metric].kind != REPORT_NONE) return true;
    return false;
}

void prof_page_raw(const struct prof_launch *launches, uint32_t count, const struct prof_selection *selection,
                   struct arena *arena, struct report_table *out)
{
    struct chosen *chosen = ARENA_ARRAY(arena, struct chosen, selection->count + 1);
    struct report_value *values = all_values(launches, count, arena);
    uint32_t columns = 0;
    for (uint32_t m = 0; m < selection->count; m++)
        if (any_known(values, count, selection->metrics[m]))
            chosen[columns++] = (struct chosen){
                prof_metric_name(prof_metric_at(selection->metrics[m]), arena), selection->metrics[m]};
    qsort(chosen, columns, sizeof *chosen, by_name);
    add_identity_columns(out);
    for (uint32_t c = 0; c < columns; c++)
        report_column(out, chosen[c].name, prof_metric_at(chosen[c].metric)->unit);
    for (uint32_t p = 0; p < count; p++) {
        add_identity(out, p, &launches[p], arena);
        for (uint32_t c = 0; c < columns; c++)
            report_cell(out, values[(size_t)prof_metric_count() * p + chosen[c].metric]);
    }
}

void prof_page_metrics(const struct prof_launch *launches, uint32_t count,
                       const struct prof_selection *selection, struct arena *arena, struct report_table *out)
{
    static const char *const NAMES[] = {"Section Name", "Metric Name", "Metric Unit", "Metric Value",
                                        "Label"};
    struct report_value *values = all_values(launches, count, arena);
    add_identity_columns(out);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(out, NAMES[i], "");
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t m = 0; m < selection->count; m++) {
            const struct prof_metric *metric = prof_metric_at(selection->metrics[m]);
            struct report_value value = values[(size_t)prof_metric_count() * p + selection->metrics[m]];
            if (value.kind == REPORT_NONE) continue;
            add_identity(out, p, &launches[p], arena);
            report_cell(out, report_text(prof_section_name(metric->section)));
            report_cell(out, report_text(metric->text));
            report_cell(out, report_text(metric->unit));
            report_cell(out, value);
            report_cell(out, report_text(prof_label_name(prof_label_of(metric, &launches[p]))));
        }
}

static void add_access_cells(struct report_table *table, const struct prof_access *access)
{
    struct report_value none = report_none();
    report_cell(table, access->requests ? report_integer(access->requests) : none);
    report_cell(table, access->requests ? report_integer(access->units) : none);
    report_cell(table, access->requests ? report_integer(access->ideal) : none);
}

static void add_source_row(struct report_table *table, uint32_t id, const struct prof_launch *p,
                           const struct prof_line *line, const char *text, struct arena *arena)
{
    struct prof_access global = prof_global_total(&line->sums), shared = prof_shared_total(&line->sums);
    report_cell(table, plain(id, arena));
    report_cell(table, report_text(p->kernel));
    report_cell(table, report_text(line->file[0] ? line->file : "(PTX)"));
    report_cell(table, plain(line->line, arena));
    report_cell(table, report_text(text ? text : line->file[0] ? "" : line->op));
    report_cell(table, report_integer(line->sums.warps));
    report_cell(table, report_integer(line->sums.lanes));
    add_access_cells(table, &global);
    add_access_cells(table, &shared);
    report_cell(table, line->sums.branches ? report_integer(line->sums.branches) : report_none());
    report_cell(table, line->sums.branches ? report_integer(line->sums.divergent) : report_none());
}

void prof_page_source(const struct prof_launch *launches, uint32_t count, struct arena *arena,
                      struct report_table *out)
{
    static const char *const NAMES[] = {"ID",
                                        "Kernel Name",
                                        "File",
                                        "Line",
                                        "Source",
                                        "Warp Instructions",
                                        "Thread Instructions",
                                        "Global Requests",
                                        "Global Sectors",
                                        "Ideal Global Sectors",
                                        "Shared Requests",
                                        "Shared Wavefronts",
                                        "Ideal Shared Wavefronts",
                                        "Branches",
                                        "Divergent Branches"};
    struct prof_sources sources = {.arena = arena};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(out, NAMES[i], "");
    for (uint32_t p = 0; p < count; p++) {
        struct prof_line *lines;
        uint32_t line_count = prof_lines(&launches[p], arena, &lines);
        for (uint32_t i = 0; i < line_count; i++)
            add_source_row(out, p, &launches[p], &lines[i],
                           prof_source_line(&sources, lines[i].file, lines[i].line), arena);
    }
    prof_sources_release(&sources);
}

static void json_pair(const char *name, struct report_value value, struct str *out)
{
    report_json_value(report_text(name), out);
    str_add(out, ": ");
    report_json_value(value, out);
}

static void json_metrics(const struct prof_launch *p, const struct prof_selection *selection,
                         struct arena *arena, struct str *out)
{
    struct report_value *values = all_values(p, 1, arena);
    bool first = true;
    for (uint32_t m = 0; m < selection->count; m++) {
        const struct prof_metric *metric = prof_metric_at(selection->metrics[m]);
        struct report_value value = values[selection->metrics[m]];
        if (value.kind == REPORT_NONE) continue;
        str_add(out, first ? "\n      " : ",\n      ");
        report_json_value(report_text(prof_metric_name(metric, arena)), out);
        str_add(out, ": {");
        json_pair("value", value, out);
        str_add(out, ", ");
        json_pair("unit", report_text(metric->unit), out);
        str_add(out, ", ");
        json_pair("label", report_text(prof_label_name(prof_label_of(metric, p))), out);
        str_add(out, "}");
        first = false;
    }
}

static void json_launch(uint32_t id, const struct prof_launch *p, const struct prof_selection *selection,
                        struct arena *arena, struct str *out)
{
    str_add(out, "    {");
    json_pair("id", report_integer(id), out);
    str_add(out, ", ");
    json_pair("kernel", report_text(p->kernel), out);
    str_add(out, ", ");
    json_pair("process", report_text(p->process), out);
    str_add(out, ", ");
    json_pair("grid", report_text(prof_triple(p->launch->grid, arena)), out);
    str_add(out, ", ");
    json_pair("block", report_text(prof_triple(p->launch->block, arena)), out);
    str_add(out, ", ");
    json_pair("device", report_text(p->gpu->name), out);
    str_add(out, ",\n     \"metrics\": {");
    json_metrics(p, selection, arena, out);
    str_add(out, "},\n     \"advice\": [");
    const char **advice;
    uint32_t count = prof_advice(p, arena, &advice);
    for (uint32_t i = 0; i < count; i++) {
        str_add(out, i ? ", " : "");
        report_json_value(report_text(advice[i]), out);
    }
    str_add(out, "]}");
}

void prof_page_json(const struct prof_launch *launches, uint32_t count,
                    const struct prof_selection *selection, struct arena *arena, struct str *out)
{
    str_add(out, "{\"format\": \"softwarp-profile-1\",\n \"launches\": [\n");
    for (uint32_t p = 0; p < count; p++) {
        json_launch(p, &launches[p], selection, arena, out);
        str_add(out, p + 1 < count ? ",\n" : "\n");
    }
    str_add(out, "]}\n");
}
