/* SPDX-License-Identifier: Apache-2.0 */
/* How a warp issues the instructions of a basic block, in order: when the operands of each are there, and
 * what keeps it behind others. Who uses it adds up units, waits and requests beside it. */
#ifndef TIMING_ISSUE_PRIV_H
#define TIMING_ISSUE_PRIV_H

#include "timing_kernel_priv.h"

#define TIMING_NO_CHAIN (-1.0) /* implementation: as MODEL_NO_CHAIN */
enum { TIMING_LEVELS = 64 };   /* implementation: at most */

/* When a value is ready: cycles since the block began, if all data was there; since data of earlier blocks'
 * loads is there; since that of the block's own (TIMING_NO_CHAIN: it does not depend on any). level: of
 * those, how many one after the other. What whoever waits for it waits for: an enum event_stall, but for a
 * part `fixed` of the wait, which is for instructions of known latency. */
struct timing_ready {
    double time, old, fresh;
    uint32_t level;
    uint8_t cause;
    double fixed;
};
static inline struct timing_ready timing_ready_at(double time)
{
    return (struct timing_ready){
        .time = time, .old = TIMING_NO_CHAIN, .fresh = TIMING_NO_CHAIN, .cause = EVENT_STALL_WAIT};
}
struct timing_ready timing_ready_later(struct timing_ready value, double cycles);

struct timing_issue {
    const struct timing_model *m;
    struct timing_ready *values;                 /* [timing_values]: of registers and groups of cp.async */
    struct timing_ready latest;                  /* all before have issued */
    struct timing_ready wall;                    /* what touches memory or ends a block begins after */
    struct timing_ready fence;                   /* everything does */
    struct timing_ready stores[ISA_SPACE_COUNT]; /* loads of this space do */
    double waited[TIMING_LEVELS]; /* from when data of the level before is there to its level's first load */
};
/* With nothing of the block issued, at cycle `now`; values are those that the block before leaves. */
void timing_issue_begin(struct timing_issue *issue, const struct timing_model *model,
                        struct timing_ready *values, double now);
/* When instruction `number`, the next one, can issue, and what it waits for. */
struct timing_ready timing_issue_start(const struct timing_issue *issue, uint32_t number);
/* It issues at `start`, and what it writes is there at `done`; true: what is behind it begins then. */
bool timing_issue_end(struct timing_issue *issue, uint32_t number, const struct timing_ready *start,
                      const struct timing_ready *done);
/* When all of that is ready. */
void timing_ready_join(const struct timing_issue *issue, struct timing_ready *a,
                       const struct timing_ready *b);
/* When data of a deeper level is there, which was asked for with that of its own. */
void timing_ready_deepen(const struct timing_issue *issue, struct timing_ready *a, uint32_t level);
#endif
