/* SPDX-License-Identifier: Apache-2.0 */
/* A launch, before and after it ran. */
#ifndef EVENT_LAUNCH_H
#define EVENT_LAUNCH_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

struct event_kernel;
struct event_memory;
struct event_nvtx;
struct event_routine;
struct event_time;
struct event_stalls;

struct event_range { /* of addresses */
    uint64_t begin, end;
    bool peer; /* memory of another device; else of the host */
};

/* How long lines of L2 stay: the launch's access-policy window and the context's set-aside. */
enum event_policy_property { EVENT_POLICY_NORMAL, EVENT_POLICY_STREAMING, EVENT_POLICY_PERSISTING };
struct event_policy {
    uint64_t base, bytes; /* of the window; 0 bytes: there is none */
    uint64_t set_aside_bytes;
    float hit_ratio;   /* of the window's lines, those with the property `hit`; the others have `miss` */
    uint8_t hit, miss; /* enum event_policy_property */
    uint32_t resets;   /* of persisting lines to normal, so far */
};

struct event_launch {
    const struct event_kernel *kernel;
    const struct event_routine
        *routine;                     /* what it is, if it is none of the program's kernels (kernel then has
                                         no instructions, and grid and block mean nothing); else NULL */
    uint64_t id;                      /* 0, 1, 2 ... in enqueue order over the process */
    uint32_t device, context, stream; /* ordinals from 0; stream 7 is not a handle but the 7th made */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    uint32_t l2_fetch_bytes; /* the context's limit of what DRAM delivers together; 0: the GPU's own */
    struct event_policy policy;
    const char *gpu;               /* the device's arch_gpu.origin: "h200", or the path of a file */
    const uint64_t *counters;      /* kernel->slot_count; NULL when nothing was counted */
    uint64_t start_ns, end_ns;     /* of the device's clock */
    enum sw_status status;         /* SW_OK, or how the kernel failed */
    const struct event_range *far; /* pinned and registered memory, and other devices', that it was given */
    uint32_t far_count;            /* pointers to */
    uint64_t reach_bytes;          /* of all memory that it was given pointers to; 0: not known */
    const struct event_memory *memory; /* what caches and DRAM did; NULL: not modelled */
    const struct event_time *time;     /* NULL: not predicted */
    const struct event_stalls *stalls; /* of each instruction of the kernel; NULL: not predicted */
    const struct event_nvtx *nvtx;     /* ranges in which it was launched; NULL: none */
};
#endif
