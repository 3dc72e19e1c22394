/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of kernels. */
#ifndef ENGINE_FAULT_H
#define ENGINE_FAULT_H

#include "engine_job.h"

/* sival_ptr of a timer's SIGSEGV that ends the kernel of its thread, if one is running. */
extern char engine_fault_timer;
#define ENGINE_FAULT_TIMER ((void *)&engine_fault_timer)

enum { ENGINE_NEAR_BYTES = 224 };
/* How far an address is from the nearest allocation, in words. */
void engine_fault_near(const struct engine *engine, uint64_t address, char text[ENGINE_NEAR_BYTES]);

void engine_fault_install(void); /* cheap when they are in place */
/* Run `body` as this thread's kernel code; false: it failed, worker->error says how. */
bool engine_fault_guard(struct engine_worker *worker,
                        void (*body)(struct engine_worker *worker, void *argument), void *argument);
/* From a helper: leave the kernel. worker->error is filled. */
_Noreturn void engine_fault_unwind(struct engine_worker *worker);
#endif
