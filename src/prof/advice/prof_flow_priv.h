/* SPDX-License-Identifier: Apache-2.0 */
/* prof: what values in a kernel depend on, read off its instructions. */
#ifndef PROF_FLOW_PRIV_H
#define PROF_FLOW_PRIV_H

#include "event/event_kernel.h"
#include "prof/metrics/prof_metrics.h"

enum prof_depends {
    PROF_ON_X = 1, /* threadIdx.x, or the lane */
    PROF_ON_Y = 2,
    PROF_ON_Z = 4,
    PROF_ON_DATA = 8,     /* memory that lanes read at places of their own, or what other lanes hold */
    PROF_ON_LOADED = 16,  /* memory that all lanes read at the same place */
    PROF_ON_WIDENED = 32, /* a float made a double */
    PROF_ON_DOUBLE = 64,  /* a double from memory or a parameter */
    PROF_ON_THREAD = PROF_ON_X | PROF_ON_Y | PROF_ON_Z | PROF_ON_DATA
};

/* value = step * threadIdx.x + (something that all lanes of a row share); of constants the something is
 * known.
 */
struct prof_value {
    uint32_t depends; /* prof_depends bits */
    enum { PROF_UNSEEN, PROF_LINEAR, PROF_ANY } kind;
    bool constant; /* step 0, and the value is known */
    int64_t step, number;
};

enum { PROF_WRITTEN = 4 };
struct prof_step {                    /* one instruction */
    int written[PROF_WRITTEN], guard; /* registers, -1: none; a vector's first four */
    struct prof_value address;        /* of a memory instruction */
    int base;                         /* register of its address, -1: none */
    int64_t offset;
};
struct prof_flow {
    const struct event_kernel *kernel;
    struct prof_step *steps;   /* by instruction */
    struct prof_value *values; /* by register: of all that is written to it */
    int *writer;               /* by register: the instruction that writes it last, -1: none */
};
/* Everything from arena. block: of the launch, for %ntid. */
void prof_flow_init(struct prof_flow *flow, const struct event_kernel *kernel, const uint32_t block[3],
                    struct arena *arena);
/* The instruction that writes a register operand; NULL: several do, or it is none. */
const struct event_instr *prof_flow_writer(const struct prof_flow *flow, const struct event_operand *operand);
#endif
