/* SPDX-License-Identifier: Apache-2.0 */
/* The report as JSON, schema "softwarp-profile/1": docs/report-schema.md says what each member is. Launches
 * are written one by one; kernels (launches taken together) with their lines and findings follow.
 *
 * Members are only ever added under one schema number. Limits: numbers are JSON's, so integers above 2^53
 * need a reader that keeps them. */
#include "prof_pages_priv.h"

#include "timing/timing_kernel.h"
#include "timing/timing_routine.h"

#include <string.h>

static void pair(const char *name, struct report_value value, struct str *out)
{
    report_json_value(report_text(name), out);
    str_add(out, ": ");
    report_json_value(value, out);
}

static void text_pair(const char *name, const char *value, struct str *out)
{
    pair(name, report_text(value), out);
    str_add(out, ", ");
}

static void number_pair(const char *name, uint64_t value, struct str *out)
{
    pair(name, report_integer(value), out);
    str_add(out, ", ");
}

static void triple(const char *name, const uint32_t xyz[3], struct str *out)
{
    str_printf(out, "\"%s\": [%u, %u, %u], ", name, xyz[0], xyz[1], xyz[2]);
}

/* What a launch, or a group of them, is. Ends in a comma. */
static void identity(const struct prof_launch *p, struct str *out)
{
    const struct event_launch *l = p->launch;
    text_pair("kernel", p->kernel, out);
    text_pair("mangled", l->kernel->name, out);
    text_pair("process", p->process, out);
    triple("grid", l->grid, out);
    triple("block", l->block, out);
    number_pair("device", l->device, out);
    text_pair("gpu", p->gpu->name, out);
    str_printf(out, "\"compute_capability\": \"%u.%u\", ", p->cc->major, p->cc->minor);
    number_pair("context", l->context + PROF_FIRST_CONTEXT, out);
    number_pair("stream", l->stream + PROF_FIRST_STREAM, out);
}

/* A metric's members after its value. */
static void metric_tail(const struct prof_metric *metric, const struct prof_launch *p, struct str *out)
{
    str_add(out, ", ");
    pair("unit", report_text(metric->unit), out);
    str_add(out, ", ");
    pair("label", report_text(prof_label_name(prof_label_of(metric, p))), out);
    str_add(out, "}");
}

static void metric_head(const struct prof_metric *metric, bool *first, struct arena *arena, struct str *out)
{
    str_add(out, *first ? "\n      " : ",\n      ");
    *first = false;
    report_json_value(report_text(prof_metric_name(metric, arena)), out);
    str_add(out, ": {");
}

static void launch_metrics(const struct prof_pages *pages, const struct prof_launch *p, struct arena *arena,
                           struct str *out)
{
    const struct prof_selection *s = &pages->options.selection;
    struct report_value *values = ARENA_ARRAY(arena, struct report_value, prof_metric_count());
    bool first = true;
    prof_metric_values(p, values);
    for (uint32_t m = 0; m < s->count; m++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[m]);
        if (values[s->metrics[m]].kind == REPORT_NONE) continue;
        metric_head(metric, &first, arena, out);
        pair("value", values[s->metrics[m]], out);
        metric_tail(metric, p, out);
    }
}

static void group_metrics(const struct prof_pages *pages, const struct prof_group *g, struct arena *arena,
                          struct str *out)
{
    const struct prof_selection *s = &pages->options.selection;
    bool first = true;
    for (uint32_t m = 0; m < s->count; m++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[m]);
        const struct prof_stat *stat = &g->stats[s->metrics[m]];
        if (!stat->known) continue;
        bool same = stat->least == stat->most;
        metric_head(metric, &first, arena, out);
        pair("min", same ? stat->first : report_real(stat->least), out);
        str_add(out, ", ");
        pair("mean", prof_group_value(g, (int)s->metrics[m]), out);
        str_add(out, ", ");
        pair("max", same ? stat->first : report_real(stat->most), out);
        metric_tail(metric, &g->total, out);
    }
}

static void access(const char *name, const struct prof_access *a, struct str *out)
{
    if (!a->requests) return;
    str_printf(out, ", \"%s\": {", name);
    number_pair("requests", a->requests, out);
    number_pair("units", a->units, out);
    pair("ideal", report_integer(a->ideal), out);
    str_add(out, "}");
}

/* Of constant memory one address a warp is served at a time, so that one is ideal. */
static void constants(const char *name, struct prof_access access_of, struct str *out)
{
    access_of.ideal = access_of.requests;
    access(name, &access_of, out);
}

static void memory(const struct event_memory_sums *sums, struct str *out)
{
    struct prof_hits hits = prof_hits_of(sums);
    if (!hits.l2_sectors && !hits.l1_sectors) return;
    str_add(out, ", \"caches\": {");
    number_pair("l1_sectors", hits.l1_sectors, out);
    number_pair("l1_hits", hits.l1_hits, out);
    number_pair("l2_sectors", hits.l2_sectors, out);
    number_pair("l2_hits", hits.l2_hits, out);
    pair("dram_sectors", report_integer(hits.dram_sectors), out);
    str_add(out, "}");
}

/* By the names of metrics, those that there are. */
static void stalls(const struct event_stalls *stalls, struct str *out)
{
    uint64_t all = prof_stalls_all(stalls);
    if (!all) return;
    str_add(out, ", \"stalls\": {");
    pair("cycles", report_integer(all), out);
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++) {
        if (!stalls->cycles[r]) continue;
        str_add(out, ", ");
        pair(timing_stall_name(r), report_integer(stalls->cycles[r]), out);
    }
    str_add(out, "}");
}

static void json_line(struct prof_pages *pages, const struct prof_line *l, struct str *out)
{
    const char *text = report_source_line(&pages->sources, l->file, l->line);
    struct prof_access global = prof_global_total(&l->sums), shared = prof_shared_total(&l->sums);
    struct prof_access local = l->sums.access[PROF_LOCAL_LOAD];
    local.requests += l->sums.access[PROF_LOCAL_STORE].requests;
    local.units += l->sums.access[PROF_LOCAL_STORE].units;
    local.ideal += l->sums.access[PROF_LOCAL_STORE].ideal;
    str_add(out, "{");
    text_pair("file", l->file, out);
    number_pair("line", l->line, out);
    if (text || !l->file[0]) text_pair("source", text ? text : l->op, out);
    number_pair("warps", l->sums.warps, out);
    number_pair("threads", l->sums.lanes, out);
    number_pair("branches", l->sums.branches, out);
    pair("divergent", report_integer(l->sums.divergent), out);
    access("global", &global, out);
    access("shared", &shared, out);
    access("local", &local, out);
    constants("constant", l->sums.access[PROF_CONSTANT_LOAD], out);
    constants("parameter", l->sums.access[PROF_PARAMETER_LOAD], out);
    memory(&l->memory, out);
    stalls(&l->stalls, out);
    str_add(out, "}");
}

static void lines_of(struct prof_pages *pages, const struct prof_launch *p, struct arena *arena,
                     struct str *out)
{
    struct prof_line *lines;
    uint32_t count = prof_lines(p, arena, &lines);
    str_add(out, "\"lines\": [");
    for (uint32_t i = 0; i < count; i++) {
        str_add(out, i ? ",\n      " : "\n      ");
        json_line(pages, &lines[i], out);
    }
    str_add(out, "]");
}

static void json_findings(const struct prof_launch *p, struct arena *arena, struct str *out)
{
    struct prof_finding *found;
    uint32_t count = prof_findings(p, arena, &found);
    str_add(out, "\"findings\": ");
    prof_findings_json(found, count, out);
}

void prof_json_begin(struct prof_pages *pages, struct str *out)
{
    str_add(out, "{\"schema\": \"softwarp-profile/1\",\n ");
    pair("softwarp", report_text(pages->options.version), out);
    str_add(out, ",\n \"labels\": {");
    static const char *const MEANING[] = {
        "equals a GPU's counter", "the hardware's rule, without arbitration",
        "counted in PTX; machine code may keep more or less", "a model's estimate"};
    for (int label = 0; label < PROF_REGISTERS; label++) {
        str_add(out, label ? ", " : "");
        pair(prof_label_name((enum prof_label)label), report_text(MEANING[label]), out);
    }
    str_add(out, "},\n \"launches\": [");
}

static void hundredths(const char *name, uint32_t value, struct str *out)
{
    str_printf(out, ", \"%s\": %u.%02u", name, value / 100, value % 100);
}

/* Of a launch that was sampled or estimated: in 19 (16) of 20 (17) such, the truth lies so near. */
static void sample(const struct event_memory *memory, struct str *out)
{
    if (!memory || (!memory->sample_shift && !memory->estimated)) return;
    const struct event_confidence *m = &memory->confidence;
    str_printf(out, "\n     \"sample\": {\"one_in\": %u, \"estimated\": %s", 1u << memory->sample_shift,
               memory->estimated ? "true" : "false");
    hundredths("l1_rate_points", m->l1_rate, out);
    hundredths("l2_sectors_percent", m->l2_sectors, out);
    hundredths("dram_sectors_percent", m->dram_sectors, out);
    hundredths("time_percent", m->cycles, out);
    str_add(out, "},");
}

static void json_routine(const struct event_routine *routine, struct str *out)
{
    if (!routine) return;
    str_add(out, "\n     \"routine\": {");
    text_pair("shape", routine->shape, out);
    text_pair("math", timing_math_name((enum event_routine_math)routine->math), out);
    number_pair("flop", routine->flops, out);
    number_pair("read_bytes", routine->read_bytes, out);
    pair("wrote_bytes", report_integer(routine->wrote_bytes), out);
    str_add(out, "},");
}

void prof_json_launch(struct prof_pages *pages, const struct prof_launch *p, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    str_add(out, pages->written ? ",\n    {" : "\n    {");
    number_pair("id", pages->written, out);
    identity(p, out);
    text_pair("status", prof_launch_status(p), out);
    sample(p->launch->memory, out);
    json_routine(p->launch->routine, out);
    prof_launch_ranges_json(p, out);
    str_add(out, "\n     \"metrics\": {");
    launch_metrics(pages, p, &arena, out);
    str_add(out, "}");
    if (pages->options.page == PROF_PAGE_SOURCE) {
        str_add(out, ",\n     ");
        lines_of(pages, p, &arena, out);
    }
    str_add(out, "}");
    arena_release(&arena);
}

/* What its times are worth. */
static void trust(const struct event_time *t, struct str *out)
{
    if (!t) return;
    text_pair("time", t->validated ? "validated" : "not validated on this GPU", out);
    if (t->validated) number_pair("time_error_percent", t->error_percent, out);
}

static void json_kernel(struct prof_pages *pages, const struct prof_group *g, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    str_add(out, "{");
    identity(&g->total, out);
    number_pair("first_launch", g->first_id, out);
    number_pair("launches", g->launches, out);
    number_pair("failed", g->failed, out);
    number_pair("traffic_bytes", prof_traffic_bytes(&g->total.sums), out);
    trust(g->total.launch->time, out);
    json_routine(g->total.launch->routine, out);
    str_add(out, "\n     \"metrics\": {");
    group_metrics(pages, g, &arena, out);
    str_add(out, "},\n     ");
    struct prof_roofline roofline;
    if (prof_group_roofline(g, &roofline)) {
        prof_roofline_json(&roofline, out);
        str_add(out, ",\n     ");
    }
    json_findings(&g->total, &arena, out);
    str_add(out, ",\n     ");
    lines_of(pages, &g->total, &arena, out);
    str_add(out, "}");
    arena_release(&arena);
}

static void ends(const struct prof_run *run, struct str *out)
{
    str_printf(out, ",\n \"exit_status\": %d,\n \"processes\": [", run->exit_status);
    for (uint32_t i = 0; i < run->process_count; i++) {
        str_add(out, i ? ", {" : "{");
        text_pair("process", run->processes[i].name, out);
        str_printf(out, "\"finished\": %s}", run->processes[i].finished ? "true" : "false");
    }
    str_add(out, "]");
}

void prof_json_end(struct prof_pages *pages, struct str *out)
{
    struct prof_group *const *groups;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    str_add(out, "],\n \"kernels\": [");
    for (uint32_t i = 0; i < count; i++) {
        str_add(out, i ? ",\n    " : "\n    ");
        json_kernel(pages, groups[i], out);
    }
    str_add(out, "],\n \"host\": ");
    prof_host_json(pages, out);
    prof_ranges_json(pages, out);
    if (pages->options.run) ends(pages->options.run, out);
    str_add(out, "}\n");
}
