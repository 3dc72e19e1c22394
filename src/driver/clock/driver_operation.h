/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what the tool is told of operations (driver_operation.c); nothing where it does not ask. */
#ifndef DRIVER_OPERATION_H
#define DRIVER_OPERATION_H

#include "driver/core/driver_queue.h"
#include "driver/memory/driver_memory.h"
#include "event/event_activity.h"
#include "event/event_launch.h"
#include "event/event_operation.h"

bool driver_operation_wanted(void);
/* A copy or fill: when it is queued, from the program's call; before it runs; and after. */
void driver_operation_queue(struct driver_work *work, const struct driver_stream *stream, bool waits);
void driver_operation_begin(struct driver_work *work, const struct driver_stream *stream);
void driver_operation_end(struct driver_work *work, const struct driver_stream *stream);
void driver_operation_memory(bool allocates, const struct driver_allocation *allocation);
void driver_operation_call(uint64_t begin_ns, uint64_t end_ns); /* it kept the calling thread so long */
void driver_operation_range(enum event_activity_range kind, const char *text, const char *domain,
                            uint64_t begin_ns, uint64_t end_ns); /* as event_activity_driver's */
uint64_t driver_operation_wait_begin(void);
void driver_operation_wait_end(uint64_t begin_ns,
                               const struct driver_stream *stream); /* NULL: of a context */
void driver_operation_launch(const struct driver_launch *launch);   /* it has its number */
/* Of work with that number among the launches, which accesses an allocation there. */
void driver_operation_use(uint64_t launch, uint64_t address);
/* For files that make operations of their own: one asked for now, and to the tool with it. */
struct event_operation driver_operation_of(enum event_operation_kind kind,
                                           const struct driver_stream *stream);
void driver_operation_emit(const struct event_operation *operation);
/* Allocations that the launch's parameters point into, each once; returns how many. */
enum { DRIVER_USES = 64 };
uint32_t driver_operation_uses(const struct driver_launch *launch, struct vmem_block uses[DRIVER_USES]);
/* Those of them that are memory of the host, or of other devices than the one that it runs on. reach_bytes:
 * of all of them. */
uint32_t driver_operation_far(const struct driver_launch *launch, const struct driver_device *device,
                              struct event_range far[DRIVER_USES], uint64_t *reach_bytes);
/* A prefetch is work only by the virtual clock: NOTHING with an operation. */
void driver_operation_prefetch(struct driver_work *work, const struct driver_stream *stream, dev_addr address,
                               uint64_t bytes, bool to_device);
#endif
