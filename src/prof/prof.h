/* SPDX-License-Identifier: Apache-2.0 */
/* prof: from the counters of a launch to metrics with names that people know, and to source lines. */
#ifndef PROF_PROF_H
#define PROF_PROF_H

#include "arch/arch.h"
#include "event/event_launch.h"
#include "event/event_memory.h"
#include "event/event_nvtx.h"
#include "event/event_operation.h"
#include "event/event_routine.h"
#include "event/event_time.h"
#include "isa/isa.h"
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
    PROF_SPEED,
    PROF_ROOFLINE,
    PROF_COMPUTE,
    PROF_SCHEDULER,
    PROF_WARPS,
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
    PROF_SHARED_COPY, /* what asynchronous copies write there */
    PROF_CONSTANT_LOAD,
    PROF_PARAMETER_LOAD,
    PROF_TEXTURE_LOAD,
    PROF_SURFACE_LOAD,
    PROF_SURFACE_STORE,
    PROF_BULK_LOAD, /* bulk copies: to shared memory, from it, reducing from it */
    PROF_BULK_STORE,
    PROF_BULK_REDUCE,
    PROF_STREAM_COUNT
};
struct prof_access {
    uint64_t instrs; /* warp instructions that made accesses */
    uint64_t requests, units,
        ideal;             /* units: sectors, wavefronts of shared memory, addresses of constant memory.
                              requests: of local memory, one for each 4 bytes of a lane; of textures, quads */
    uint64_t distinct;     /* global memory: sectors, those of atomics once however many lanes share them */
    uint64_t bytes, moved; /* that lanes asked for; that all units together can move */
};

/* What the roofline compares a launch with: units that compute, each by its type, and ways to memory. */
enum prof_roof_id {
    PROF_ROOF_FP64,
    PROF_ROOF_FP32,
    PROF_ROOF_FP16, /* and bfloat16; packed operations count twice */
    PROF_ROOF_TENSOR_FP64,
    PROF_ROOF_TENSOR_TF32,
    PROF_ROOF_TENSOR_FP16,
    PROF_ROOF_TENSOR_8,
    PROF_ROOF_L1,
    PROF_ROOF_L2,
    PROF_ROOF_DRAM,
    PROF_ROOF_COUNT,
    PROF_ROOF_MEMORY = PROF_ROOF_L1 /* the first one */
};

/* Sums over instructions: of a launch, or of one line. */
struct prof_sums {
    uint64_t warps, lanes, on_warps, on_lanes; /* instructions executed, by warp and by thread */
    uint64_t branches, divergent;
    uint64_t unit_lanes[ISA_UNIT_COUNT]; /* on_lanes by kind of work */
    uint64_t flop_lanes[ISA_UNIT_COUNT][ISA_FLOP_FMA + 1];
    uint64_t flop[PROF_ROOF_MEMORY]; /* floating-point operations by type; of TENSOR_8 integers, too */
    struct prof_access access[PROF_STREAM_COUNT];
    struct event_memory_sums caches[PROF_STREAM_COUNT]; /* modelled; of what goes through L1 */
    uint64_t bypass_sectors;                            /* of asynchronous copies that pass the L1 by */
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
    double predicted_ns; /* time of all launches taken together; 0: not predicted */
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

struct prof_call {    /* where the kernel's own code calls the inlined function that a line is of */
    const char *file; /* NULL: the line is of no inlined function */
    uint32_t line;
    bool several; /* some of the line's instructions were called from elsewhere, too */
};
/* Sums by source line (of the innermost inlined function), in the order of file and line; instructions
 * without a line go under file "" and their PTX line. From arena. */
struct prof_line {
    const char *file;
    uint32_t line;
    struct prof_call call;
    const char *op; /* text of its first instruction, for lines without a source file */
    struct prof_sums sums;
    struct event_memory_sums memory; /* modelled; zero when the launch was not */
    struct event_stalls stalls;      /* the same */
};
uint32_t prof_lines(const struct prof_launch *launch, struct arena *arena, struct prof_line **out);

/* Launches of one kernel with the same grid, block and shared memory, taken together: how often, what each
 * metric was (least, most, mean), and their counters added up, from which lines and findings come. */
struct prof_stat {
    struct report_value first;
    double least, most, sum;
    uint32_t known; /* launches that know it */
};
enum { PROF_GROUP_RANGES = 3 };
struct prof_group {
    struct prof_launch total;                       /* the first launch, with the counters and sums of all */
    uint32_t launches, failed, estimated, first_id; /* estimated: event_memory.estimated */
    struct prof_stat *stats;                        /* prof_metric_count() of them */
    struct {
        const char *text; /* as prof_launch_ranges has it; NULL: no more */
        uint32_t launches;
    } ranges[PROF_GROUP_RANGES]; /* of NVTX: the first ones that differ */
    uint32_t others_in_ranges;   /* launches in ranges besides these */
};
struct prof_groups;
struct prof_groups *prof_groups_new(void);
/* What launch points to need not outlive the call, but its kernel's event_kernel and its GPU must. */
struct prof_group *prof_groups_add(struct prof_groups *groups, uint32_t id, const struct prof_launch *launch);
/* By predicted time, then traffic, most first; valid until the next add. */
uint32_t prof_groups_sorted(struct prof_groups *groups, struct prof_group *const **out);
void prof_groups_free(struct prof_groups *groups);
/* A launch alone, as a group; from arena. */
struct prof_group *prof_group_of(uint32_t id, const struct prof_launch *launch, struct arena *arena);
/* The value of a metric: as it is when all launches agree, otherwise their mean. metric -1: none. */
struct report_value prof_group_value(const struct prof_group *group, int metric);

/* Time by ranges of NVTX (prof_nvtx.c). */
struct prof_range_row {
    struct event_nvtx_range range;
    const char *name;    /* "solver@step" */
    uint32_t depth;      /* how many ranges enclose it */
    uint32_t launches;   /* in it, and in those within it, as is the time */
    double predicted_ns; /* 0: not predicted */
    const char *hottest; /* the kernel that takes most of it, or is launched most often where no time was */
    double hottest_ns;   /* predicted */
};
struct prof_ranges;
struct prof_ranges *prof_ranges_new(void);
void prof_ranges_add(struct prof_ranges *ranges, const struct prof_launch *launch); /* each launch */
/* Each range before those within it, by time; valid until the next add. all_ns: of all launches. */
uint32_t prof_ranges_rows(struct prof_ranges *ranges, const struct prof_range_row **out, double *all_ns);
void prof_ranges_free(struct prof_ranges *ranges);
const char *prof_range_name(const struct event_nvtx_range *range, struct arena *arena);
/* "outer > solver@step, started one"; "": none. */
const char *prof_launch_ranges(const struct prof_launch *launch, struct arena *arena);
const char *prof_launch_innermost(const struct event_launch *launch); /* pushed range; NULL: none */

/* The roofline (prof_roofline.c). */
struct prof_roof {
    double peak, work; /* FLOP or bytes, a second and of the launch; peak 0: not known */
};
struct prof_roofline {
    struct prof_roof roofs[PROF_ROOF_COUNT];
    double seconds, flop;             /* predicted time; of all types */
    uint64_t clock_khz;               /* of the peaks, and of the time */
    enum prof_roof_id compute, binds; /* that alone would take longest: of units, of all */
    enum event_limit limit;           /* of the predicted time */
};
/* launch's work as that of `seconds` of time. false: no time was predicted. */
bool prof_roofline(const struct prof_launch *launch, double seconds, struct prof_roofline *out);
bool prof_group_roofline(const struct prof_group *group, struct prof_roofline *out);
double prof_group_seconds(const struct prof_group *group); /* predicted, of all launches; 0: not predicted */
const char *prof_roof_name(enum prof_roof_id id);          /* "FP32", "DRAM" */
double prof_roof_seconds(const struct prof_roof *roof);    /* that it alone would take */
double prof_roofline_intensity(const struct prof_roofline *roofline,
                               enum prof_roof_id level); /* FLOP a byte */
/* FLOP a second of the same mix if this roof alone held it back; 0: it has no work for it. */
double prof_roofline_at_most(const struct prof_roofline *roofline, enum prof_roof_id roof);

/* How many times as fast a launch could be at most if what limits it took no time; 1: nothing to be had. */
double prof_speedup_at_most(const struct arch_gpu *gpu, const struct event_time *time);

/* Pages, written launch by launch, so that memory does not follow their number: every launch is shown to
 * prof_pages_see, then each again, in the same order, to prof_pages_launch. */
enum prof_page { PROF_PAGE_DETAILS, PROF_PAGE_RAW, PROF_PAGE_SOURCE, PROF_PAGE_ADVICE };
enum prof_format { PROF_TEXT, PROF_CSV, PROF_JSON, PROF_HTML };
struct prof_selection {
    const uint32_t *metrics; /* indices in the table */
    uint32_t count;
    bool named; /* asked for one by one: the details page shows these and nothing else */
};
enum { PROF_WIDTH = 100 };
/* How the program and each of its processes that used CUDA ended. */
struct prof_process_end {
    const char *name;
    bool finished; /* false: it ended abruptly, and what it did last may not be recorded */
};
struct prof_run {
    int exit_status; /* of the program; 128 and the signal's number when one ended it; 3 where it would be 0
                        and something was not supported */
    const struct prof_process_end *processes;
    uint32_t process_count;
};
struct prof_pages_options {
    enum prof_page page;
    enum prof_format format;
    struct prof_selection selection;
    bool summary;   /* details (text, CSV) and source (text): launches of a group together, not one by one */
    bool colours;   /* text: with the escape sequences of terminals */
    uint32_t width; /* text: columns that sentences may take; 0: PROF_WIDTH */
    bool instructions, only_instructions; /* source: PTX instructions below their line, or without it */
    bool nvtx_columns;                    /* CSV: ncu's columns of NVTX ranges */
    bool file_order;                      /* source: as in the file; otherwise the hottest lines first */
    const char *version;
    const struct prof_run *run; /* JSON; NULL: not known */
};
struct prof_pages;
struct prof_pages *prof_pages_new(const struct prof_pages_options *options);
struct prof_process;
/* What a process's host did, before prof_pages_begin; what it points to must live as long as the pages. */
void prof_pages_process(struct prof_pages *pages, const struct prof_process *process);
void prof_pages_see(struct prof_pages *pages, const struct prof_launch *launch);
void prof_pages_begin(struct prof_pages *pages, struct str *out);
void prof_pages_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_pages_end(struct prof_pages *pages, struct str *out);
void prof_pages_free(struct prof_pages *pages);

/* For people: one sign a label, "1.5 MB", a name cut to a width with "..". */
char prof_label_mark(enum prof_label label);
const char *prof_human_bytes(uint64_t bytes, struct arena *arena);
const char *prof_human_si(double value, const char *unit, struct arena *arena); /* "66.9 TFLOP/s" */
/* A unit in which a value of a metric's unit is short, as ncu's pages choose it ("ns": "us", "byte/second":
 * "Gbyte/second"), and by what the value is to be multiplied; units that have no prefixes stay. */
const char *prof_human_unit(const char *unit, double value, double *factor);
struct report_value prof_scaled(struct report_value value, double factor);    /* a number, times factor */
const char *prof_human_seconds(double seconds, struct arena *arena);          /* "1.25 ms" */
const char *prof_percent(uint64_t part, uint64_t whole, struct arena *arena); /* "12 %", "<1 %" */
const char *prof_short_path(const char *path,
                            struct arena *arena); /* from the current folder on, if inside */
const char *prof_short_name(const char *kernel, uint32_t width, struct arena *arena);
/* A text in at most so many columns, whole characters of it; "..": there is more. */
const char *prof_clipped(const char *text, uint32_t width, struct arena *arena);

/* Advice: the table of rules (prof_advice.def), and what they find. */
enum prof_priority { PROF_LOW, PROF_MEDIUM, PROF_HIGH };     /* as the Best Practices Guide has it */
const char *prof_priority_name(enum prof_priority priority); /* in the reader's language */
struct prof_rule {
    const char *id;             /* "strided-access" */
    const char *section;        /* of the CUDA C Best Practices Guide 8.0: "9.2.1.4" */
    const char *title, *change; /* English, for gettext */
    enum prof_priority priority;
};
uint32_t prof_rule_count(void);
struct prof_finding {
    const struct prof_rule *rule;
    const char *title, *evidence, *change; /* in the reader's language; evidence: the numbers */
    const char *file;                      /* "": none, or line is that of the PTX */
    uint32_t line;                         /* 0: of the whole launch, or of the host */
    struct prof_call call;
    double gain;  /* share of the launch's work (of the host: of its copies' time) saved; 0: not estimated */
    bool timed;   /* saved_ns is known */
    bool of_host; /* of_ns: what copies and allocations take */
    double saved_ns,
        of_ns;          /* predicted time that it would save, of the launch's (of the host: of its copies') */
    uint64_t saved, of; /* as counted; of 0: nothing to count */
    const char *unit;   /* "sectors", "wavefronts", "bytes" ... */
};
/* By time saved, then gain, then priority; from arena. Only what the counters prove. */
uint32_t prof_findings(const struct prof_launch *launch, struct arena *arena, struct prof_finding **out);
/* What the host of a process did. operations: in the order of their calls. */
struct prof_process {
    const char *name;
    const struct arch_gpu *gpu;
    const struct event_operation *operations;
    uint32_t operation_count;
};
uint32_t prof_process_findings(const struct prof_process *process, struct arena *arena,
                               struct prof_finding **out);
/* "a.cu:12", "b.h:7, called from a.cu:12", "PTX line 30", or "". */
const char *prof_finding_location(const struct prof_finding *finding, struct arena *arena);
const char *prof_gain_text(const struct prof_finding *finding, struct arena *arena); /* "": not estimated */
/* A finding as a few indented lines of at most so many columns where they can be broken. */
void prof_finding_text(const struct prof_finding *finding, uint32_t number, uint32_t width,
                       struct arena *arena, struct str *out);
/* The table as a page of Markdown: docs/advice.md. */
void prof_rules_markdown(struct str *out);

/* The findings of a launch, one line each. */
uint32_t prof_advice(const struct prof_launch *launch, struct arena *arena, const char ***out);
#endif
