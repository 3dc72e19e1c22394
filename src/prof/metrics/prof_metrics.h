/* SPDX-License-Identifier: Apache-2.0 */
/* From counters and models to sums, lines and metrics, which advice and pages are made of. */
#ifndef PROF_METRICS_H
#define PROF_METRICS_H

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

/* Of a launch's time what no unit can shorten: its way to the first instruction and from the last. */
double prof_start_ns(const struct arch_gpu *gpu, const struct event_time *time);
double prof_warp_cycles(const struct event_time *time); /* from one instruction of a warp to its next */

/* Attributes of the GPU, by ncu's names (device__attribute_...), sorted. */
uint32_t prof_attribute_count(void);
const char *prof_attribute_name(uint32_t index);
struct report_value prof_attribute_value(uint32_t index, const struct prof_launch *launch);
/* ncu numbers contexts from 1 and calls the default stream 7. */
enum { PROF_FIRST_CONTEXT = 1, PROF_FIRST_STREAM = 7 };
/* How many barriers of a block the kernel names; UINT32_MAX: a register does. */
uint32_t prof_barrier_count(const struct event_kernel *kernel);
#endif
