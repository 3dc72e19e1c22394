/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's intervals between memory requests: one block (timing_intervals_block.c), and all of them
 * (timing_intervals.c). */
#ifndef TIMING_INTERVALS_PRIV_H
#define TIMING_INTERVALS_PRIV_H

#include "timing/timing_intervals.h"

#include "timing_issue_priv.h"

/* Of all visits to blocks that tell their work, so far. */
struct timing_work_sum {
    double units, path, issue, math, shared, banks;
};

struct timing_intervals {
    struct timing_model m;
    struct event_launch launch;
    struct event_memory memory; /* nothing */
    uint64_t *before, *counts;
    struct timing_ready *ready; /* [register] */
    double *more;               /* [instr] how often its interval is executed for each request */
    struct model_step *steps;
    double *delays; /* as in struct timing_plan, of the model's arena; so are work and waits */
    uint32_t *work;
    bool *waits;
    struct timing_work_sum sum;
    struct model_costs costs;
};
/* ---- timing_intervals.c: with nothing in its tables, as before a launch. NULL: nothing is known of the GPU.
 */
struct timing_intervals *timing_intervals_open(const struct arch_gpu *gpu, const struct event_launch *launch);

/* ---- timing_intervals_block.c */
/* Of instructions that make requests, how often they are executed for each; 0: it makes too few. */
double timing_intervals_more(const struct timing_intervals *intervals, uint32_t number);
/* Whether it may make any, whatever was counted. */
bool timing_intervals_may_request(const struct timing_intervals *intervals, uint32_t number);
/* Block b behind those that control comes from: fills the steps of its requests, of which it returns how many
 * there are; *after: from the last of them, or from its begin, to its end. */
uint32_t timing_intervals_block(struct timing_intervals *intervals, uint32_t b, struct model_interval *after);
/* Whether block b, which makes none, uses data of loads of blocks before it when it is entered from them, and
 * not by its own way back. */
bool timing_intervals_waits(struct timing_intervals *intervals, uint32_t b);
uint32_t timing_intervals_rounded(double value);
#endif
