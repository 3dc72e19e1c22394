/* SPDX-License-Identifier: Apache-2.0 */
/* prof: from the counters of a launch to metrics with names that people know, and to source lines. */
#ifndef PROF_PROF_H
#define PROF_PROF_H

#include "arch/arch.h"
#include "event/event.h"
#include "report/report.h"

/* How far a number may be trusted; every metric has one. */
enum prof_label {
    PROF_EXACT,     /* equals a real GPU's counter */
    PROF_RULE,      /* the hardware's rule; hardware adds arbitration */
    PROF_PTX,       /* counted in PTX; ptxas may keep more or less */
    PROF_MODELLED,  /* a model's estimate */
    PROF_REGISTERS, /* exact with a cubin of the GPU, else modelled: prof_label_of resolves it */
    PROF_LABEL_COUNT
};
const char *prof_label_name(enum prof_label label);

enum prof_section {
    PROF_LAUNCH,
    PROF_OCCUPANCY,
    PROF_INSTRUCTIONS,
    PROF_BRANCHES,
    PROF_MEMORY,
    PROF_SECTION_COUNT
};
const char *prof_section_name(enum prof_section section);

/* Where accesses of one kind are counted. */
enum prof_stream {
    PROF_GLOBAL_LOAD,
    PROF_GLOBAL_STORE,
    PROF_GLOBAL_ATOM, /* atomics that return a value */
    PROF_GLOBAL_RED,  /* and that do not */
    PROF_GLOBAL_COPY, /* asynchronous copies to shared memory */
    PROF_LOCAL_LOAD,
    PROF_LOCAL_STORE,
    PROF_SHARED_LOAD,
    PROF_SHARED_STORE,
    PROF_SHARED_ATOM,
    PROF_STREAM_COUNT
};
struct prof_access {
    uint64_t requests, units, ideal; /* units: sectors, or wavefronts of shared memory */
    uint64_t bytes, moved;           /* that lanes asked for; that all units together can move */
};

/* Sums over instructions: of a launch, or of one line. */
struct prof_sums {
    uint64_t warps, lanes, on_warps, on_lanes; /* instructions executed, by warp and by thread */
    uint64_t branches, divergent;
    uint64_t unit_lanes[EVENT_UNIT_COUNT]; /* on_lanes by kind of work */
    uint64_t flop_lanes[EVENT_UNIT_COUNT][EVENT_FLOP_FMA + 1];
    struct prof_access access[PROF_STREAM_COUNT];
    bool bytes_unclear; /* a generic access touched several spaces: bytes cannot be told apart */
};

struct prof_launch {
    const struct event_launch *launch;
    const char *process, *kernel; /* kernel: demangled */
    const struct arch_gpu *gpu;
    const struct arch_cc *cc;
    struct prof_sums sums;
    bool counted;
    uint32_t threads, registers, shared_config; /* registers as the GPU reports them */
    struct arch_occupancy occupancy;
    bool has_occupancy;
};
/* launch's kernel must have slots below its slot_count. */
void prof_launch_init(struct prof_launch *out, const struct event_launch *launch, const char *process,
                      const char *kernel, const struct arch_gpu *gpu, const struct arch_cc *cc);

/* The metrics table, prof_metrics.def. */
struct prof_metric {
    const char *ncu;    /* "" : none */
    const char *nvprof; /* names, separated by spaces; "" : none */
    const char *text, *unit, *formula;
    enum prof_section section;
    enum prof_label label;
    bool basic;
};
uint32_t prof_metric_count(void);
const struct prof_metric *prof_metric_at(uint32_t index);
/* By an ncu or an nvprof name; ncu names may leave out the suffix (.sum, .ratio, .pct). -1: no such metric.
 */
int prof_metric_find(const char *name);
/* What this version lacks to compute a metric that ncu or nvprof has under that name; NULL: no such metric is
 * known. */
const char *prof_metric_lacks(const char *name);
/* ncu's name of a metric, or nvprof's first one where ncu has none; may come from arena. */
const char *prof_metric_name(const struct prof_metric *metric, struct arena *arena);
/* All metrics of a launch: values has prof_metric_count() elements. */
void prof_metric_values(const struct prof_launch *launch, struct report_value *values);
enum prof_label prof_label_of(const struct prof_metric *metric, const struct prof_launch *launch);

/* Sums by source line (of the innermost inlined function), in the order of file and line; instructions
 * without a line go under file "" and their PTX line. From arena. */
struct prof_line {
    const char *file;
    uint32_t line;
    const char *op; /* text of its first instruction, for lines without a source file */
    struct prof_sums sums;
};
uint32_t prof_lines(const struct prof_launch *launch, struct arena *arena, struct prof_line **out);

/* Pages. metrics: indices in the table. */
struct prof_selection {
    const uint32_t *metrics;
    uint32_t count;
    bool named; /* asked for one by one: the details page shows these and nothing else */
};
/* The wide table of ncu's raw page: one row a launch, one column a metric. Text of cells from arena. */
void prof_page_raw(const struct prof_launch *launches, uint32_t count, const struct prof_selection *selection,
                   struct arena *arena, struct report_table *out);
/* One row a launch and metric, as ncu's --csv --page details. */
void prof_page_metrics(const struct prof_launch *launches, uint32_t count,
                       const struct prof_selection *selection, struct arena *arena, struct report_table *out);
/* One row a launch and source line. */
void prof_page_source(const struct prof_launch *launches, uint32_t count, struct arena *arena,
                      struct report_table *out);
/* For people: sections, memory tables, where the excess is, and what to change first. */
void prof_page_details(const struct prof_launch *launches, uint32_t count,
                       const struct prof_selection *selection, struct arena *arena, struct str *out);
void prof_page_json(const struct prof_launch *launches, uint32_t count,
                    const struct prof_selection *selection, struct arena *arena, struct str *out);

/* What to change, one line each, from arena, most important first; only what the counters prove. */
uint32_t prof_advice(const struct prof_launch *launch, struct arena *arena, const char ***out);
#endif
