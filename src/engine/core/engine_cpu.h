/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine asks of the CPU it runs on: what code it can run, and what a signal's context says. One
 * file a CPU (engine_cpu_x86.c, engine_cpu_aarch64.c). */
#ifndef ENGINE_CPU_H
#define ENGINE_CPU_H

#include "jit/jit.h"

enum jit_isa engine_cpu_best(void);
bool engine_cpu_runs(enum jit_isa isa);
bool engine_cpu_has_ice_lake(void); /* jit_request.ice_lake */
/* Of what the CPU can do: code made for another one must not be found. */
uint64_t engine_cpu_hash(void);

/* Of a ucontext_t, as a handler gets it: where the program was, its stack pointer, and, of a page fault,
 * whether it was about to write. */
const void *engine_cpu_pc(const void *context);
uint64_t engine_cpu_stack(const void *context);
bool engine_cpu_writes(const void *context);
#endif
