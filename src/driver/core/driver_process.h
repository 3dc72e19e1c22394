/* SPDX-License-Identifier: Apache-2.0 */
/* driver: the process and its devices.
 *
 * Locks, outermost first: context->lock, module and library locks, the registry's, the scheduler's. No lock
 * is held while work runs or a callback of the program is called. */
#ifndef DRIVER_PROCESS_H
#define DRIVER_PROCESS_H

#include "driver_object.h"

#include "arch/arch.h"
#include "arch/arch_machine.h"
#include "engine/engine.h"
#include "event/event_tool.h"
#include "vmem/vmem.h"

#include <pthread.h>

struct driver_context;
struct driver_pool;
struct driver_device {
    int ordinal;
    struct arch_device machine; /* what does not depend on CUDA_VISIBLE_DEVICES */
    struct arch_gpu gpu;
    const struct arch_cc *cc;
    pthread_mutex_t lock;           /* guards the primary context */
    struct driver_context *primary; /* NULL: not active */
    unsigned primary_count, primary_flags;
    struct driver_pool *default_pool, *current_pool;
    atomic_uint l2_resets; /* cuCtxResetPersistingL2Cache */
};
enum { DRIVER_MAX_DEVICES = ARCH_DEVICES };
struct driver_process {
    struct driver_device devices[ARCH_DEVICES];
    int device_count;
    struct vmem *vmem;
    struct engine *engine;
    const struct event_tool *tool; /* NULL: none */
    pthread_mutex_t tool_lock;     /* one callback at a time */
    bool any_target, blocking;     /* SOFTWARP_ANY_TARGET, CUDA_LAUNCH_BLOCKING */
    bool eager;                    /* CUDA_MODULE_LOADING=EAGER: kernels are compiled ahead */
    atomic_ullong next_launch, next_context, next_stream, next_allocation;
};
extern struct driver_process driver;
enum driver_state { DRIVER_NEW, DRIVER_READY, DRIVER_FORKED /* a child, without worker threads */ };
enum driver_state driver_state(void);
void driver_state_set(enum driver_state to);
CUresult driver_ready(void); /* cuInit was called, and not in a forked child */
CUresult driver_device_get(CUdevice ordinal, struct driver_device **out);
void driver_device_note(int ordinal); /* what it holds, to the processes that share it */
/* Its memory less what other processes hold; not exact: or held when they were killed, which is cheap to ask.
 */
uint64_t driver_device_limit(const struct driver_device *device, bool exact);
uint64_t driver_now_ns(void);
uint64_t driver_thread_number(void);
#endif
