/* SPDX-License-Identifier: Apache-2.0 */
/* driver: memory that was given back, for a tool that checks (driver_history.c). */
#ifndef DRIVER_HISTORY_H
#define DRIVER_HISTORY_H

#include "driver_memory.h"

struct driver_freed {
    dev_addr base;
    uint64_t bytes;
    const struct driver_caller *made, *freed; /* NULL: not known */
};
/* It is gone; freed_by: by which call, NULL: not known. */
void driver_history_add(const struct driver_allocation *gone, const struct driver_caller *freed_by);
/* The last that had the address; false: none. */
bool driver_history_find(dev_addr address, struct driver_freed *out);
#endif
