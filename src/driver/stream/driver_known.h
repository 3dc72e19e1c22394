/* SPDX-License-Identifier: Apache-2.0 */
/* driver: which entries of queues the host knows to be done, so that memory of the others is guarded
 * (driver_known.c). For a tool that looks for races; driver_order.c calls it. */
#ifndef DRIVER_KNOWN_H
#define DRIVER_KNOWN_H

#include "driver/core/driver_queue.h"

/* Streams are named by their ids. Entries of one come after an entry of another. */
void driver_known_after_locked(uint64_t stream, uint64_t other, uint64_t other_seq);
/* The host knows that this one is done, and so all before it. */
void driver_known_wait_locked(uint64_t stream, uint64_t seq);
/* It knows that all of them are. */
void driver_known_forget_locked(void);
/* May it wait for the host? */
bool driver_known_may_wait(const struct driver_work *work);
/* An entry has run: what it accessed of the host's memory is guarded from now on. */
void driver_known_ran(const struct driver_work *work, const struct driver_stream *stream, uint64_t seq);
#endif
