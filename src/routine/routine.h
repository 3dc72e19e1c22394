/* SPDX-License-Identifier: Apache-2.0 */
/* routine: what libraries that stand in for NVIDIA's have in common: the way to Softwarp's driver, contexts,
 * and what is said of functions that are not there. Handles: base_handles.h. */
#ifndef ROUTINE_ROUTINE_H
#define ROUTINE_ROUTINE_H

#include "base/base.h"
#include "base/base_handles.h"
#include "event/event_routine.h"

#include <cuda.h>

#include <stdbool.h>

/* Queue work of a library as work of the device. CUDA_ERROR_NOT_SUPPORTED: the driver is not Softwarp's; said
 * once, with the library's name. */
CUresult routine_submit(const char *library, CUstream stream, const struct event_routine_work *work);

/* The current context, or the primary one of the first device, made current, as the runtime library would. */
CUresult routine_context(CUcontext *out);
/* A context becomes current where the thread has none. */
CUresult routine_enter(CUcontext context);

/* A function, or a use of one, is not supported: says so, once for each pair. why: lower case, no full stop;
 * "": the function as a whole. */
void routine_refuse(const char *function, const char *why);

/* For struct event_routine's aligned_bytes: 16 to begin with, then what it was and an address or a distance
 * in bytes. */
static inline uint8_t routine_aligned(uint8_t so_far, uint64_t bytes)
{
    uint64_t all = so_far | bytes;
    return (uint8_t)(all & -all);
}

/* Takes what belonged to a handle that was removed. It is given back by `release` when ROUTINE_RETIRED more
 * have been: a call of another thread, which found the handle alive, may still be at it. */
enum { ROUTINE_RETIRED = 32 };
void routine_retire(void *memory, void (*release)(void *memory));

/* Names and texts of statuses that cuBLAS and cuBLASLt share (routine_cublas.c). */
const char *routine_cublas_status_name(int status);
const char *routine_cublas_status_text(int status);
#endif
