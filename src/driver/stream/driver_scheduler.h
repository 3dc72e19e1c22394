/* SPDX-License-Identifier: Apache-2.0 */
/* driver: between driver_scheduler.c, which has the queues, and driver_worker.c, which has the threads. */
#ifndef DRIVER_SCHEDULER_H
#define DRIVER_SCHEDULER_H

#include "driver_stream.h"

extern pthread_mutex_t driver_scheduler_lock; /* guards all of both files */
extern atomic_uint driver_scheduler_ready;    /* streams whose first entry may run; written under the lock */
/* Run the first entry of the most urgent ready stream; false: none is ready. */
bool driver_scheduler_step_locked(void);

/* As many threads are to look for work as streams are ready. looks: the calling thread is about to look
 * itself. Returns how many sleep and are to be woken, which costs less without the lock. */
unsigned driver_worker_call_locked(bool looks);
void driver_worker_wake(unsigned count);
/* For a short while, without the lock: until *counter reaches value. For waits of microseconds, where
 * sleeping costs more; at once where this process has one processor. */
void driver_worker_spin(const atomic_ullong *counter, uint64_t value);
void driver_worker_sleep_locked(uint64_t deadline_ns); /* until the next _wake_sleepers; 0: no deadline */
void driver_worker_wake_sleepers(void); /* those that sleep look again; with the lock or without */
#endif
