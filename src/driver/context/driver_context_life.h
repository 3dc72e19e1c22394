/* SPDX-License-Identifier: Apache-2.0 */
/* driver: how contexts begin and end (driver_context_life.c), primary ones (driver_primary.c), and what they
 * have of events and limits. */
#ifndef DRIVER_CONTEXT_LIFE_H
#define DRIVER_CONTEXT_LIFE_H

#include "driver/stream/driver_event.h"

/* What driver_green.c makes contexts of. root: NULL for one that is no green context. */
CUresult driver_context_new(struct driver_device *device, unsigned flags, bool primary,
                            struct driver_context *root, struct driver_context **out);
void driver_context_close(struct driver_context *context); /* its handle was taken */
bool driver_context_flags_are_valid(unsigned flags); /* one way of waiting at most: they are one bit each */
CUresult driver_primary_retain(struct driver_device *device, struct driver_context **out);
CUresult driver_primary_release(struct driver_device *device);
void driver_limits_init(struct driver_context *context); /* driver_limits.c */
CUresult driver_context_record(struct driver_context *context, struct driver_event *event);
CUresult driver_context_wait_event(struct driver_context *context, struct driver_event *event);
#endif
