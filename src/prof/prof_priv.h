/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROF_PRIV_H
#define PROF_PRIV_H

#include "prof/prof.h"

/* Add what instruction i of a launch counted. */
void prof_sums_add(struct prof_sums *sums, const struct event_instr *instr, const uint64_t *counters,
                   const struct arch_cc *cc);
/* Sectors of all global streams, and what they could be. */
struct prof_access prof_global_total(const struct prof_sums *sums);
struct prof_access prof_shared_total(const struct prof_sums *sums);

/* Lines of source files, each file read once. */
struct prof_sources {
    struct arena *arena;
    struct map files;
};
const char *prof_source_line(struct prof_sources *sources, const char *file,
                             uint32_t line); /* NULL: not readable */
void prof_sources_release(struct prof_sources *sources);

/* "kernel(float *) (1024, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0" */
const char *prof_launch_title(const struct prof_launch *launch, struct arena *arena);
const char *prof_triple(const uint32_t xyz[3], struct arena *arena); /* "(256, 1, 1)" */
/* ncu numbers contexts from 1 and calls the default stream 7. */
enum { PROF_FIRST_CONTEXT = 1, PROF_FIRST_STREAM = 7 };
#endif
