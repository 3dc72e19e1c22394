/* SPDX-License-Identifier: Apache-2.0 */
/* timing: what is known of a kernel on a GPU before any launch, so that it is found out once. Never changes
 * after it was made: any thread may use it. */
#ifndef TIMING_PLAN_H
#define TIMING_PLAN_H

#include "arch/arch.h"
#include "event/event_kernel.h"

struct timing_plan;
/* Depends on the kernel's tables and its registers; keeps the tables' texts, so that it is of use as long as
 * the kernel is. NULL: nothing is known of the GPU. The caller's, until timing_plan_delete. */
struct timing_plan *timing_plan_new(const struct arch_gpu *gpu, const struct event_kernel *kernel);
void timing_plan_delete(struct timing_plan *plan); /* NULL: nothing */
#endif
