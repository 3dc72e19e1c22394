/* SPDX-License-Identifier: Apache-2.0 */
/* timing: how long a routine of NVIDIA's library takes on a GPU, by what it has to do (timing_routine.c). */
#ifndef TIMING_ROUTINE_H
#define TIMING_ROUTINE_H

#include "arch/arch.h"
#include "event/event_routine.h"
#include "event/event_time.h"

/* NVIDIA's kernels are not run: their time is that of kernels like them. false: the GPU has not what the
 * routine needs, so that no time is known. A pure function. */
bool timing_routine(const struct arch_gpu *gpu, const struct event_routine *routine, struct event_time *out);
const char *timing_math_name(enum event_routine_math math); /* "FP32", "TF32" */
#endif
