/* SPDX-License-Identifier: Apache-2.0 */
/* What a checker finds in a program: wrong accesses of its kernels. */
#ifndef EVENT_FINDING_H
#define EVENT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

struct event_kernel;

enum event_finding_kind {
    EVENT_FINDING_BOUNDS,     /* an access of bytes that no live allocation has */
    EVENT_FINDING_MISALIGNED, /* of an address that is no multiple of its bytes */
    EVENT_FINDING_FAULT,      /* a launch failed by anything else: `message` says how */
    EVENT_FINDING_COUNT
};
/* One thread's access. */
struct event_finding {
    enum event_finding_kind kind;
    const struct event_kernel *kernel;
    uint32_t line; /* PTX line; 0: not known */
    uint32_t bytes;
    bool writes;
    uint64_t address;
    uint32_t block[3], thread[3];
    uint64_t base, size; /* the nearest live allocation; size 0: there is none */
    const char *message; /* FAULT; else NULL */
};
#endif
