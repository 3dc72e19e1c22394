/* SPDX-License-Identifier: Apache-2.0 */
/* A small program in steps of one call each, for tests that let the machine give out in the middle of it:
 * set-up, a module, launches, copies, streams, events, pools, managed and pinned memory, a graph, a capture,
 * and the end. A step that fails changes nothing, so it can be repeated. */
#ifndef EXHAUST_STEPS_H
#define EXHAUST_STEPS_H

#include <cuda.h>

struct steps_state;

struct steps_step {
    const char *name;
    CUresult (*run)(struct steps_state *state);
};

extern const struct steps_step steps_all[];
extern const unsigned steps_count;

struct steps_state *steps_state(void); /* the one of this process */
CUresult steps_reset(void);            /* of the context; all steps may begin again */
#endif
