/* SPDX-License-Identifier: Apache-2.0 */
/* What time a launch takes by a model, and what warps wait for. */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* What can bound the time of a launch: the latency of dependent work, the issue of instructions, a unit. */
enum event_limit {
    EVENT_LIMIT_LAUNCH,
    EVENT_LIMIT_LATENCY,
    EVENT_LIMIT_ISSUE,
    EVENT_LIMIT_FMA,
    EVENT_LIMIT_ALU,
    EVENT_LIMIT_FP64,
    EVENT_LIMIT_XU,
    EVENT_LIMIT_TENSOR,
    EVENT_LIMIT_LSU,
    EVENT_LIMIT_SHARED,
    EVENT_LIMIT_L1,
    EVENT_LIMIT_L2,
    EVENT_LIMIT_ATOMIC,
    EVENT_LIMIT_DRAM,
    EVENT_LIMIT_PCIE, /* host memory that is mapped into the device */
    EVENT_LIMIT_PEER, /* memory of other devices */
    EVENT_LIMIT_COUNT
};
/* Why warps wait, by ncu's names (smsp__average_warps_issue_stalled_*). */
enum event_stall {
    EVENT_STALL_SELECTED,
    EVENT_STALL_WAIT,
    EVENT_STALL_LONG_SCOREBOARD,
    EVENT_STALL_SHORT_SCOREBOARD,
    EVENT_STALL_BARRIER,
    EVENT_STALL_NOT_SELECTED,
    EVENT_STALL_MATH_PIPE_THROTTLE,
    EVENT_STALL_MIO_THROTTLE,
    EVENT_STALL_LG_THROTTLE,
    EVENT_STALL_DRAIN,
    EVENT_STALL_MEMBAR,
    EVENT_STALL_COUNT
};
/* What time a launch takes, as a model predicts it (timing/). */
struct event_time {
    uint64_t duration_ns; /* from the first block's begin to the end of the last: gpu__time_duration */
    double sm_share; /* of the device's multiprocessors and their CTA slots that its blocks take, 0 to 1: what
                        is left may run another kernel */
    uint64_t clock_khz;               /* of the multiprocessors */
    double cycles;                    /* of the multiprocessors' clock, all of the duration */
    uint32_t limit;                   /* enum event_limit: what takes longest */
    double busy[EVENT_LIMIT_COUNT];   /* what each alone would take, as a part of the duration */
    double instructions;              /* warp instructions of the machine code, estimated */
    double warps_active;              /* on a multiprocessor, on average while it has any */
    double stalls[EVENT_STALL_COUNT]; /* warps that wait for this reason, per issued instruction */
    bool validated;                   /* the error was measured on this GPU */
    uint32_t error_percent;           /* then: the mean of it, of launches like this one in length */
};
#endif
