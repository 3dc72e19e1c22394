/* SPDX-License-Identifier: Apache-2.0 */
/* driver: launches (driver_launch.c). */
#ifndef DRIVER_LAUNCH_H
#define DRIVER_LAUNCH_H

#include "driver_queue.h"

void driver_launch_run(struct driver_launch *launch, struct driver_stream *stream);
struct driver_launch_request {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    void **params, **extra;
    bool cooperative, early;            /* early: programmatic stream serialization */
    const CUaccessPolicyWindow *window; /* NULL: the stream's */
    const struct driver_context *view;  /* whose multiprocessors it gets; NULL: all of the device */
};
/* Whether such a grid may be launched: its shape, and what the device has. */
CUresult driver_launch_check(struct driver_function *function, const struct driver_launch_request *request);
struct driver_grid;
void driver_grid_run(struct driver_grid *grid); /* its blocks, not what they launch */
CUresult driver_launch_make(const struct driver_launch_request *request, struct driver_launch *out);
/* When it is queued: its number in the process, and whether the tool wants it counted. */
void driver_launch_number(struct driver_launch *launch);
#endif
