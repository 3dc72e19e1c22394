/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run a grid.
 * Method: launches whose blocks may wait for each other (cooperative ones, and kernels with waiting loops) go
 * to engine_grid.c, those that are simulated in detail to engine_detail.c, all others to engine_blocks.c.
 * Limits: blocks that wait for ones which a GPU would not hold at the same time never end, as there. */
#include "engine/core/engine_job.h"

#include "engine/core/engine_ticks.h"
#include "engine/helpers/engine_helpers.h"
#include "engine/helpers/engine_timer.h"
#include "engine/shadow/engine_shadow.h"
#include "engine_blocks.h"
#include "engine_detail.h"
#include "engine_diagnose.h"
#include "engine_grid.h"
#include "engine_pool.h"
#include "engine_sample.h"
#include "engine_schedule.h"
#include "engine_variant.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static enum sw_status launch_check_dimensions(const struct engine_launch *launch, struct sw_error *error)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    const struct event_kernel *info = &launch->kernel->info;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!grid[0] || !grid[1] || !grid[2] || !threads || block[0] > 1024 || block[1] > 1024 || threads > 1024)
        return sw_fail(error, SW_INVALID_VALUE, "grid (%u,%u,%u) of blocks (%u,%u,%u) cannot be launched",
                       grid[0], grid[1], grid[2], block[0], block[1], block[2]);
    if (threads > info->max_threads_per_block)
        return sw_fail(error, SW_LAUNCH_OUT_OF_RESOURCES,
                       "blocks of %u threads, but '%s' was compiled for at most %u", (unsigned)threads,
                       info->name, info->max_threads_per_block);
    if (launch->access &&
        !(launch->count && launch->detail && launch->residency.sm_count && launch->residency.blocks_per_sm))
        return sw_fail(error, SW_INVALID_VALUE,
                       "detailed simulation of '%s' needs counters, a residency and a tool", info->name);
    if (launch->count && !launch->kernel->module->engine->config.tool)
        return sw_fail(error, SW_INVALID_VALUE, "counting '%s' needs a tool", info->name);
    return SW_OK;
}

static uint32_t launch_hands(const struct engine_launch *launch, const struct engine_variant *variant,
                             uint64_t blocks, bool together)
{
    const struct engine *engine = launch->kernel->module->engine;
    uint32_t threads = engine->threads;
    bool apart = !engine_shadow_wanted(engine) || engine_shadow_blocks_apart(engine, together);
    if (!apart || engine_schedule_of(engine).on) return 1;
    if (launch->ordered && !(launch->access && !variant->info.order_dependent)) return 1;
    return blocks < threads ? (uint32_t)blocks : threads;
}

static void launch_run_job(struct engine *engine, struct engine_job *job, bool together)
{
    pthread_mutex_init(&job->lock, NULL);
    if (job->launch->access)
        engine_detail_run(engine, job);
    else if (together)
        engine_grid_run(engine, job, engine_resident_blocks(job->launch));
    else
        engine_pool_run(engine->pool, job);
    pthread_mutex_destroy(&job->lock);
}

bool engine_launch_waits(const struct engine_launch *launch)
{
    struct engine_variant *variant;
    bool together;
    return launch->cooperative || engine_launch_variant(launch, &together, &variant, NULL) != SW_OK ||
           variant->info.spins;
}

static struct event_rules launch_rules_of(const struct engine *engine, const struct engine_launch *launch)
{
    enum { WIDE = 8 };
    if (!engine->config.tool) return (struct event_rules){0};
    struct event_rules rules = engine->config.tool->rules;
    if (launch->wide_banks && rules.shared_rule == EVENT_SHARED_CC3) rules.bank_bytes = WIDE;
    return rules;
}

/* Without the 19 KB of findings: to clear them took a seventh of the time of an empty launch. */
static void job_clear(struct engine_job *job)
{
    memset((void *)job, 0, offsetof(struct engine_job, findings));
    job->findings.count = 0;
}

enum sw_status engine_launch(struct engine *engine, const struct engine_launch *launch,
                             struct sw_error *error)
{
    struct engine_variant *variant;
    bool together;
    SW_TRY(launch_check_dimensions(launch, error));
    if (launch->count && !launch->counters)
        return sw_fail(error, SW_INVALID_VALUE, "counting '%s' needs a place for its counters",
                       launch->kernel->info.name);
    SW_TRY(engine_launch_variant(launch, &together, &variant, error));
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    size_t param_bytes = launch->kernel->function->param_bytes;
    enum {
        PARAM_SLACK = 64,
        PARAM_FEW = 512
    }; /* slack: vector loads of the last parameter may read past it */
    _Alignas(64) uint8_t few[PARAM_FEW];
    size_t capacity = sw_align_up(param_bytes + PARAM_SLACK, 64);
    uint8_t *params = capacity <= sizeof few ? few : aligned_alloc(64, capacity);
    if (!params) return sw_fail(error, SW_OUT_OF_MEMORY, "no host memory for kernel parameters");
    memset(params, 0, capacity);
    if (param_bytes) memcpy(params, launch->params, param_bytes);
    struct engine_job job;
    job_clear(&job);
    job.engine = engine;
    job.launch = launch;
    job.rules = launch_rules_of(engine, launch);
    job.variant = variant;
    job.params = params;
    job.clock_base = engine_clock_ticks();
    job.blocks = blocks;
    job.hands_max = launch_hands(launch, variant, blocks, together);
    job.alone = !together && engine_blocks_small(variant, blocks);
    job.body = engine_blocks_body;
    job.hangs = !engine_lanes_independent(launch);
    job.sample_shift = launch->sample_shift;
    job.failed_block = UINT64_MAX;
    job.counters = launch->count ? launch->counters : NULL;
    if (job.counters) memset(job.counters, 0, variant->info.slot_count * sizeof *job.counters);
    if (launch->sample_shift && blocks > engine_first_blocks(launch))
        job.sample = engine_sample_new(engine, &job);
    engine_shadow_launch_begin(&job, together);
    launch_run_job(engine, &job, together);
    engine_shadow_launch_end(&job);
    if (job.error.status == SW_ILLEGAL_ADDRESS) engine_diagnose(&job, together);
    engine_sample_delete(job.sample, &job);
    engine_findings_tell(&job);
    engine_mbarriers_release(&job.mbarriers);
    engine_clocks_release(&job.clocks);
    if (params != few) free(params);
    if (job.error.status == SW_OK) return SW_OK;
    if (error) {
        *error = job.error;
        snprintf(error->file, sizeof error->file, "%s", launch->kernel->info.name);
    }
    return job.error.status;
}

enum sw_status engine_launch_slots(struct engine *engine, const struct engine_launch *launch,
                                   uint32_t *slot_count, const struct event_kernel **described,
                                   struct sw_error *error)
{
    (void)engine;
    struct engine_variant *variant;
    bool together;
    SW_TRY(launch_check_dimensions(launch, error));
    SW_TRY(engine_launch_variant(launch, &together, &variant, error));
    *slot_count = variant->described.slot_count;
    *described = &variant->described;
    return SW_OK;
}
