/* SPDX-License-Identifier: Apache-2.0 */
/* The model of caches and DRAM as the tools feed it: one a device, made when a launch of it is first
 * simulated in detail.
 *
 * Limits: what a device's caches hold is forgotten with the process. */
#include "session_estimate_priv.h"
#include "session_priv.h"
#include "session_repeat_priv.h"

#include "arch/arch.h"
#include "model/sample/model_sample_shift.h"
#include "model/sm/model_memory.h"
#include "timing/timing_intervals.h"

struct session_device { /* kept as long as the process */
    const struct arch_gpu *gpu;
    struct model_memory *memory;
};

static struct session_device *caches_device_of(struct session_caches *caches,
                                               const struct event_launch *launch)
{
    struct session_device *device = map_get_u64(&caches->by_device, launch->device + 1ull);
    if (device) return device;
    const struct arch_gpu *gpu = arch_gpu_of(caches->gpus->at, caches->gpus->count, launch->gpu);
    const struct arch_cc *cc = gpu ? arch_cc_find(gpu->cc_major, gpu->cc_minor) : NULL;
    if (!cc) return NULL;
    device = sw_xmalloc(sizeof *device);
    *device = (struct session_device){gpu, model_memory_new(gpu, cc)};
    map_set_u64(&caches->by_device, launch->device + 1ull, device);
    return device;
}

/* Only where the user leaves to us what is simulated. */
static bool is_estimated(struct session_caches *caches, const struct event_launch *launch,
                         const struct event_residency *residency, uint32_t sample_shift)
{
    if (!caches->cold || caches->sample) return false;
    if (!caches->estimate) caches->estimate = sw_xcalloc(1, sizeof *caches->estimate);
    struct repeat_key key = repeat_key_of(caches->current, launch, residency, sample_shift, true);
    return session_estimate_begin(caches->estimate, &key, launch);
}

bool session_caches_begin(struct session_caches *caches, const struct event_launch *launch,
                          const struct event_residency *residency, uint32_t *sample_shift)
{
    const struct session_device *device = caches_device_of(caches, launch);
    caches->current = device ? device->memory : NULL;
    if (!device) return false;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t threads = blocks * launch->block[0] * launch->block[1] * launch->block[2];
    *sample_shift = model_sampling_shift(caches->sample, blocks, threads, residency);
    if (is_estimated(caches, launch, residency, *sample_shift)) {
        caches->current = NULL;
        return false;
    }
    const struct timing_plan *plan = session_plans_get(caches->plans, device->gpu, launch);
    caches->intervals = plan ? timing_intervals_new(device->gpu, plan, launch) : NULL;
    if (!caches->repeat) caches->repeat = sw_xcalloc(1, sizeof *caches->repeat);
    session_repeat_begin(caches->repeat, caches->current, launch, residency, *sample_shift, !caches->sample,
                         caches->cold);
    return true;
}

const uint32_t *session_caches_work(const struct session_caches *caches)
{
    return caches->intervals ? timing_intervals_work(caches->intervals) : NULL;
}

const struct event_progress *session_caches_progress(const struct session_caches *caches)
{
    return caches->intervals ? &caches->repeat->progress : NULL;
}

uint32_t session_caches_round(struct session_caches *caches, const struct event_launch *launch,
                              const struct event_round *round)
{
    static const struct model_costs NO_TIME = {0};
    bool timed = caches->intervals && launch->counters;
    return session_repeat_round(caches->repeat, round,
                                timed ? timing_intervals_round(caches->intervals, launch->counters)
                                      : &NO_TIME);
}

void session_caches_set_accesses(struct session_caches *caches, const struct event_set_access *accesses,
                                 size_t count)
{
    session_repeat_set_accesses(caches->repeat, accesses, count);
}

void session_caches_timed(struct session_caches *caches, const struct event_launch *launch)
{
    if (caches->estimate) session_estimate_learn_time(caches->estimate, launch);
}

void session_caches_end(struct session_caches *caches, struct event_launch *launch)
{
    bool fine = launch->status == SW_OK && launch->counters;
    struct session_estimate *estimate = caches->estimate;
    if (caches->current) launch->memory = session_repeat_end(caches->repeat, fine ? launch : NULL);
    if (launch->memory && estimate) session_estimate_learn(estimate, launch, launch->memory);
    if (fine && estimate && estimate->estimating) session_estimate_make(estimate, launch);
    if (estimate) estimate->estimating = false;
    caches->current = NULL;
    timing_intervals_delete(caches->intervals);
    caches->intervals = NULL;
}
