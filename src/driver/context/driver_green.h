/* SPDX-License-Identifier: Apache-2.0 */
/* driver: which multiprocessors of a device a green context has (driver_green.c, driver_resource.c). */
#ifndef DRIVER_GREEN_H
#define DRIVER_GREEN_H

#include "driver/core/driver_context.h"

enum { DRIVER_RESOURCE_WORDS = 5 }; /* 320 multiprocessors; more than any GPU has */
struct driver_resource {            /* a descriptor: multiprocessors of one device */
    struct driver_object object;
    const struct driver_device *device;
    uint64_t mask[DRIVER_RESOURCE_WORDS]; /* bit s: multiprocessor s */
    unsigned least, align;                /* as CUdevSmResource says */
};
void driver_resource_unref(struct driver_resource *resource); /* NULL: nothing */
unsigned driver_resource_count(const uint64_t mask[DRIVER_RESOURCE_WORDS]);
/* A reference to all of a device's. */
struct driver_resource *driver_resource_all(const struct driver_device *device);
/* For cu*GetDevResource: resource NULL, and types that are not known, are errors. */
CUresult driver_resource_tell(const struct driver_resource *resource, CUdevResource *out,
                              CUdevResourceType type);
#endif
