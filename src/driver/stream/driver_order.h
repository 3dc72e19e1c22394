/* SPDX-License-Identifier: Apache-2.0 */
/* driver: what the program's calls order, for a tool that looks for races (driver_order.c). All of it under
 * the scheduler's lock, but driver_order_running. Nothing happens without such a tool. */
#ifndef DRIVER_ORDER_H
#define DRIVER_ORDER_H

#include "driver/core/driver_queue.h"

/* An entry, number `seq` of its stream: after the one before it, and after all that the host waited for. */
void driver_order_add_locked(const struct driver_stream *stream, uint64_t seq);
void driver_order_after_locked(const struct driver_stream *stream, uint64_t seq,
                               const struct driver_stream *other, uint64_t other_seq);
/* A stream ends: those who come after all of its context come after its last entry still. */
void driver_order_gone_locked(const struct driver_stream *stream);
/* An entry of the legacy stream: after those streams that are gone and were blocking. */
void driver_order_after_gone_locked(const struct driver_stream *stream, uint64_t seq);
/* The host knows that these are done. */
void driver_order_wait_locked(const struct driver_stream *stream, uint64_t seq);
void driver_order_wait_all_locked(const struct driver_context *context);
/* For an entry that is to be queued: who calls. NULL: not known, or no such tool. */
const struct driver_caller *driver_order_caller(const struct driver_work *work);
/* An access of an entry that runs; frees: it is the end of memory. */
void driver_order_access(const struct driver_work *work, uint64_t address, uint64_t bytes, bool writes);
void driver_order_free(const struct driver_work *work, uint64_t address, uint64_t bytes);
/* The entry that this thread runs, as a task of the engine; 0: none. */
uint64_t driver_order_running(void);
/* This thread begins and ends an entry; without the lock. */
void driver_order_begin(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq);
void driver_order_end(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq);
/* Does a tool look for races, and is this thread not in an entry? */
bool driver_order_looks(void);
#endif
