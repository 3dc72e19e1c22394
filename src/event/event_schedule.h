/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules: orders of blocks and warps that a tool chooses, and what memory holds after each launch. */
#ifndef EVENT_SCHEDULE_H
#define EVENT_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_kernel;

/* In which order kernels run their blocks, and blocks their warps. Number 0: ascending; 1: descending; from 2
 * on: one that follows from the number, the seed and the launch. */
struct event_order {
    bool on; /* launches, copies and fills run one at a time in the order of their calls, on one host thread,
                so that nothing else decides about a result */
    uint32_t number;
    uint64_t seed;
};

/* An allocation. Texts as in struct event_finding; NULL: not known. */
struct event_piece {
    uint64_t base, bytes;
    const char *variable, *made, *where;
};
/* What kernels of a device may have written, once a launch is over. */
struct event_contents {
    uint64_t launch; /* event_launch.id */
    const struct event_kernel *kernel;
    const struct event_piece *pieces; /* in the order in which they were made */
    size_t count;
};
#endif
