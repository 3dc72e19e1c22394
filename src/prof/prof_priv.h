/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROF_PRIV_H
#define PROF_PRIV_H

#include "event/event_kernel.h"
#include "prof/prof.h"

/* Add what instruction i of a launch counted. */
void prof_sums_add(struct prof_sums *sums, const struct event_instr *instr, const uint64_t *counters,
                   const struct arch_cc *cc);
/* Sectors of all global streams, and what they could be. */
struct prof_access prof_global_total(const struct prof_sums *sums);
struct prof_access prof_shared_total(const struct prof_sums *sums);

/* Its floating-point operations. */
void prof_flop_add(struct prof_sums *sums, const struct event_instr *instr, uint64_t warps, uint64_t lanes);
/* The theoretical bandwidth: two transfers a clock, as the best practices guide computes it. */
double prof_dram_bytes_per_second(const struct arch_gpu *gpu);

/* Sums of a launch, again from its counters. */
void prof_launch_count(struct prof_launch *launch);
/* Bytes of sectors between threads and device memory: global and local. */
uint64_t prof_traffic_bytes(const struct prof_sums *sums);

/* Which line an instruction counts for; file "" : a PTX line. */
void prof_location_of(const struct event_instr *instr, const char **file, uint32_t *line);
/* Adds an instruction of a line to what is known of the calls that led there. first: of its instructions */
void prof_call_note(struct prof_call *call, const struct event_instr *instr, bool first);
/* As prof_finding_location gives it. */
const char *prof_location_text(const char *file, uint32_t line, const struct prof_call *call,
                               struct arena *arena);

/* What a model of caches says, added up. */
struct event_memory *prof_memory_copy(const struct event_memory *from, struct arena *arena);
void prof_memory_merge(struct event_memory *to, const struct event_memory *from); /* of the same kernel */
void prof_memory_of_instr(const struct event_launch *launch, uint32_t instr,
                          struct event_memory_sums *out); /* adds */
/* What warps did at instructions, added up (prof_stalls.c). */
void prof_stalls_merge(struct event_stalls *to, const struct event_stalls *from, uint32_t count);
void prof_stalls_of_instr(const struct event_launch *launch, uint32_t instr,
                          struct event_stalls *out);           /* adds */
uint64_t prof_stalls_all(const struct event_stalls *stalls);   /* cycles of warps, whatever they do */
uint64_t prof_stalls_waits(const struct event_stalls *stalls); /* without those in which they issue */
enum event_stall
prof_stalls_most(const struct event_stalls *stalls);              /* of the waits; SELECTED: there are none */
uint64_t prof_stalls_of_launch(const struct prof_launch *launch); /* all of all its instructions */
const char *prof_stall_column(enum event_stall stall);            /* as ncu's source page: "stall_long_sb" */
/* The line at which warps wait longest, and of all that they do, the part in per cent and for what. false:
 * not predicted, or no line stands out. */
struct prof_wait {
    const char *location; /* "a.cu:14" */
    double share;         /* of all cycles of warps */
    enum event_stall reason;
};
bool prof_longest_wait(const struct prof_launch *launch, struct arena *arena, struct prof_wait *out);
const char *prof_longest_wait_text(const struct prof_launch *launch, struct arena *arena); /* "": as above */
const char *prof_stall_reason(enum event_stall stall); /* "for other warps at a barrier (barrier)" */
/* The same in few numbers: loads, stores and atomics together. */
struct prof_hits {
    uint64_t l1_sectors, l1_hits, l2_sectors, l2_hits, dram_sectors;
};
struct prof_hits prof_hits_of(const struct event_memory_sums *sums);

/* Lines of source files, each file read once. */
struct prof_sources {
    struct arena *arena;
    struct map files;
};
const char *prof_source_line(struct prof_sources *sources, const char *file,
                             uint32_t line); /* NULL: not readable */
const char *prof_source_text(struct prof_sources *sources, const char *file, uint32_t line); /* indented */
void prof_sources_release(struct prof_sources *sources);

/* "kernel(float *) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0" */
const char *prof_launch_title(const struct prof_launch *launch, struct arena *arena);
const char *prof_triple(const uint32_t xyz[3], struct arena *arena); /* "(256, 1, 1)" */

/* What pages of one format write. The struct is theirs together: each uses what it needs. */
struct prof_pages {
    struct prof_pages_options options;
    struct arena arena; /* of the whole report */
    struct prof_groups *groups;
    struct prof_sources sources;
    bool *known; /* metrics that some launch has */
    struct report_table table;
    struct prof_column { /* of the raw page, by name */
        const char *name, *unit;
        int metric, attribute; /* -1: the other one; both: the launch's status */
    } *columns;
    uint32_t column_count, seen, written;
    bool failed;            /* some launch did */
    uint64_t source_stalls; /* of the launch whose lines are being written */
    VEC(struct prof_process) processes;
};
static inline uint32_t prof_width(const struct prof_pages *pages)
{
    return pages->options.width ? pages->options.width : PROF_WIDTH;
}
void prof_advice_end(struct prof_pages *pages, struct str *out);
/* What the host of each process did; all: also of those without findings. */
void prof_host_text(struct prof_pages *pages, bool all, struct str *out);
void prof_host_json(struct prof_pages *pages, struct str *out);
void prof_findings_json(const struct prof_finding *findings, uint32_t count, struct str *out);
void prof_raw_begin(struct prof_pages *pages, struct str *out);
void prof_raw_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_summary_begin(struct prof_pages *pages, struct str *out);
void prof_summary_end(struct prof_pages *pages, struct str *out);
void prof_values_begin(struct prof_pages *pages, struct str *out);
void prof_values_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_source_begin(struct prof_pages *pages, struct str *out);
void prof_source_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_source_end(struct prof_pages *pages, struct str *out);
void prof_details_begin(struct prof_pages *pages, struct str *out);
void prof_details_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_details_end(struct prof_pages *pages, struct str *out);
void prof_json_begin(struct prof_pages *pages, struct str *out);
void prof_json_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
void prof_json_end(struct prof_pages *pages, struct str *out);

void prof_html_begin(struct prof_pages *pages, struct str *out);
void prof_html_end(struct prof_pages *pages, struct str *out);
void prof_html_text(const char *text, struct str *out); /* with &, < and quotes written as HTML needs them */
void prof_html_source(struct prof_pages *pages, const struct prof_group *group, struct str *out);
void prof_list_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out);
/* Parts of the details page. */
typedef void (*prof_table_writer)(const struct report_table *table, struct str *out);
bool prof_hardly_saves(const struct prof_finding *finding); /* less than half a per cent of the time */
enum { PROF_VERDICT_FINDINGS = 3 };                         /* of a kernel on the first screen */
void prof_verdict(struct prof_pages *pages, struct prof_group *const *groups, uint32_t count,
                  struct str *out);
void prof_memory_tables(const struct prof_group *group, prof_table_writer write, struct str *out);
void prof_instruction_mix(const struct prof_group *group, prof_table_writer write, struct str *out);
/* Of a launch's time what no unit can shorten: its way to the first instruction and from the last. */
double prof_start_ns(const struct arch_gpu *gpu, const struct event_time *time);
/* The time in sentences; "": nothing to say. */
const char *prof_limit_text(const struct prof_group *group, struct arena *arena);
const char *prof_bandwidth_text(const struct prof_group *group, struct arena *arena);
/* Of a sampled launch, how far detailed simulation of all would change its numbers. */
const char *prof_sample_text(const struct prof_group *group, struct arena *arena);
/* What a warp waits for most. */
const char *prof_stall_text(const struct prof_group *group, struct arena *arena);
double prof_warp_cycles(const struct event_time *time); /* from one instruction of a warp to its next */
/* How far predicted times may be trusted, of all groups. */
const char *prof_trust_text(struct prof_group *const *groups, uint32_t count, struct arena *arena);
const char *prof_validated_text(const struct prof_group *group, struct arena *arena);
const char *prof_limit_name(enum event_limit limit); /* in the reader's language, with what it means */
void prof_roofline_table(const struct prof_group *group, prof_table_writer write, struct str *out);
const char *prof_roofline_verdict(const struct prof_roofline *roofline, struct arena *arena);
void prof_roofline_chart(const struct prof_roofline *roofline, struct str *out);
void prof_roofline_svg(const struct prof_roofline *roofline, struct str *out);
void prof_roofline_json(const struct prof_roofline *roofline, struct str *out);
/* Shown in a section: known, of it, and not said elsewhere on the page. */
bool prof_metric_shown(const struct prof_pages *pages, const struct prof_group *group, uint32_t metric,
                       enum prof_section section);
extern const enum prof_section PROF_SECTION_ORDER[PROF_SECTION_COUNT]; /* ncu's */
extern const char PROF_NOT_MODELLED[];
uint64_t prof_heat(const struct prof_sums *sums); /* what source lines are sorted by; >> 20: units moved */
enum prof_style { PROF_PLAIN, PROF_BOLD, PROF_FAINT, PROF_RED, PROF_YELLOW };
void prof_colour(const struct prof_pages *pages, enum prof_style style, struct str *out);

/* "ok", or how it failed. */
const char *prof_launch_status(const struct prof_launch *launch);
/* The columns by which ncu says which launch a row is of. */
void prof_identity_columns(struct report_table *table);
void prof_identity_cells(struct report_table *table, uint32_t id, const struct prof_launch *launch,
                         struct arena *arena);
/* A number as text, because ncu does not group the digits of these. */
struct report_value prof_plain(uint64_t number, struct arena *arena);

/* Attributes of the GPU, by ncu's names (device__attribute_...), sorted. */
uint32_t prof_attribute_count(void);
const char *prof_attribute_name(uint32_t index);
struct report_value prof_attribute_value(uint32_t index, const struct prof_launch *launch);

/* ncu numbers contexts from 1 and calls the default stream 7. */
enum { PROF_FIRST_CONTEXT = 1, PROF_FIRST_STREAM = 7 };
/* How many barriers of a block the kernel names; UINT32_MAX: a register does. */
uint32_t prof_barrier_count(const struct event_kernel *kernel);

#endif
