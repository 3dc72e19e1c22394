/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of kernels before their launches (timing_plan.h), kept from one launch to the next: making it
 * takes longer than all else that a small launch of some hundred instructions costs.
 *
 * Kept are the kernels that were launched last, so many that their instructions are bounded; a kernel of more
 * than that is kept alone. Limits: calls come one at a time, as all of a tool's do; a kernel without an id is
 * not kept. */
#include "session_priv.h"

#include "timing/timing_plan.h"

#include <stdlib.h>

static void forget(struct session_plans *plans, uint32_t index)
{
    plans->instrs -= plans->at[index].instrs;
    timing_plan_delete(plans->at[index].plan);
    plans->at[index] = plans->at[--plans->count];
}

static void forget_oldest(struct session_plans *plans)
{
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < plans->count; i++)
        if (plans->at[i].used < plans->at[oldest].used) oldest = i;
    forget(plans, oldest);
}

static bool is_of(const struct session_plan *p, const struct event_launch *launch)
{
    const struct event_kernel *kernel = launch->kernel;
    return kernel->id && p->kernel == kernel->id && p->device == launch->device &&
           p->registers == kernel->registers;
}

const struct timing_plan *session_plans_get(struct session_plans *plans, const struct arch_gpu *gpu,
                                            const struct event_launch *launch)
{
    const struct event_kernel *kernel = launch->kernel;
    for (uint32_t i = 0; i < plans->count; i++)
        if (is_of(&plans->at[i], launch)) {
            plans->at[i].used = ++plans->round;
            return plans->at[i].plan;
        }
    struct timing_plan *plan = timing_plan_new(gpu, kernel);
    if (!plan) return NULL;
    plans->made++;
    while (plans->count && (plans->count == SESSION_PLANS_MOST ||
                            plans->instrs + kernel->instr_count > SESSION_PLAN_INSTRS_MOST))
        forget_oldest(plans);
    plans->at[plans->count++] = (struct session_plan){.kernel = kernel->id,
                                                      .device = launch->device,
                                                      .registers = kernel->registers,
                                                      .instrs = kernel->instr_count,
                                                      .used = ++plans->round,
                                                      .plan = plan};
    plans->instrs += kernel->instr_count;
    return plan;
}

void session_plans_clear(struct session_plans *plans)
{
    while (plans->count)
        forget(plans, plans->count - 1);
}
