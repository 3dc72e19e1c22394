/* SPDX-License-Identifier: Apache-2.0 */
/* The process: its devices, which driver_init.c finds, and whether anything may be asked of it. */
#include "driver_process.h"

#include <time.h>

struct driver_process driver = {.tool_lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int state; /* enum driver_state */

enum driver_state driver_state(void)
{
    return (enum driver_state)atomic_load_explicit(&state, memory_order_acquire);
}

void driver_state_set(enum driver_state to)
{
    atomic_store_explicit(&state, (int)to, memory_order_release);
}

CUresult driver_ready(void)
{
    return driver_state() == DRIVER_READY ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_device_get(CUdevice ordinal, struct driver_device **out)
{
    DRIVER_TRY(driver_ready());
    if (ordinal < 0 || ordinal >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
    *out = &driver.devices[ordinal];
    return CUDA_SUCCESS;
}

uint64_t driver_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t driver_thread_number(void)
{
    static atomic_ullong next;
    static _Thread_local uint64_t number;
    if (!number) number = atomic_fetch_add(&next, 1) + 1;
    return number;
}
