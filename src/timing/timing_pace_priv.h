/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's pace: one block of it (timing_pace_block.c), and all of them (timing_pace.c). */
#ifndef TIMING_PACE_PRIV_H
#define TIMING_PACE_PRIV_H

#include "timing/timing_pace.h"

#include "timing_kernel_priv.h"

/* When something is: cycles since the block began, if all data was there; since data of earlier blocks'
 * loads is there; since that of the block's own. level: of those, how many one after the other. */
struct timing_moment {
    double time, old, fresh;
    uint32_t level;
};

/* Of all visits to blocks that tell their work, so far. */
struct timing_work_sum {
    double units, path, issue, math, shared, banks;
};

struct timing_pace {
    struct timing_model m;
    struct event_launch launch;
    struct event_memory memory; /* nothing */
    uint64_t *before, *counts;
    struct timing_moment *ready; /* [register] */
    double *more;                /* [instr] how often its gap is met for each request */
    struct model_step *steps;
    double *delays; /* as in struct timing_plan, of the model's arena; so are work and waits */
    uint32_t *work;
    bool *waits;
    struct timing_work_sum sum;
    struct model_pace pace;
};
/* ---- timing_pace.c: with nothing in its tables, as before a launch. NULL: nothing is known of the GPU. */
struct timing_pace *timing_pace_open(const struct arch_gpu *gpu, const struct event_launch *launch);

/* ---- timing_pace_block.c */
/* Of instructions that make requests, how often they are executed for each; 0: it makes too few. */
double timing_pace_more(const struct timing_pace *pace, uint32_t number);
/* Whether it may make any, whatever was counted. */
bool timing_pace_may_request(const struct timing_pace *pace, uint32_t number);
/* Block b behind those that control comes from: fills the steps of its requests, of which it returns how many
 * there are; *behind: from the last of them, or from its begin, to its end. */
uint32_t timing_pace_block(struct timing_pace *pace, uint32_t b, struct model_gap *behind);
/* Whether block b, which makes none, uses data of loads of blocks before it when it is entered from them, and
 * not by its own way back. */
bool timing_pace_waits(struct timing_pace *pace, uint32_t b);
uint32_t timing_pace_rounded(double value);

/* ---- timing_pace_issue.c */
/* Of each block, the cycles that a warp alone takes more than its longest chain, since it issues one
 * instruction at a time. */
void timing_pace_delays(const struct timing_model *model, double *delays);

/* ---- timing_pace_crowd.c */
/* Adds, to each block's, the cycles that it takes more since registers are few. */
void timing_pace_crowd(const struct timing_model *model, double *delays);
#endif
