/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: run a grid.
 * Method: blocks are given out in ascending order, a few at a time, and whoever takes some runs them in
 * order. So the lowest block that has not ended is always running, and kernels that wait for lower blocks
 * progress. Launches whose blocks may wait for each other (cooperative ones, and kernels with waiting loops)
 * go to engine_grid.c instead. Counters are per thread and summed at the end. Limits: blocks that wait for
 * ones which a GPU would not hold at the same time never end, as there. */
#include "engine_priv.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK_MOST = 256 };

/* ---- one host thread's part */

struct chunk {
    uint64_t first, count;
};

/* The next blocks: a share of what is left, so that the last ones are spread well. */
static bool take_chunk(struct engine_job *job, struct chunk *out)
{
    uint64_t taken = atomic_load(&job->taken), count;
    do {
        if (taken >= job->blocks || atomic_load(&job->stop)) return false;
        count = (job->blocks - taken) / (2 * (uint64_t)job->hands_max);
        if (job->variant->info.spins) count = 1;
        count = count < 1 ? 1 : count > CHUNK_MOST ? CHUNK_MOST : count;
    } while (!atomic_compare_exchange_weak(&job->taken, &taken, taken + count));
    *out = (struct chunk){taken, count};
    return true;
}

/* Ticks of the time stamp counter, some microseconds: about what it takes to wake a thread. */
static const uint64_t FEW_TICKS = 20000;

/* One guard around all chunks: one around each cost 3 % of a vector add whose blocks take 16 ns. */
static void run_chunks(struct engine_worker *worker, void *argument)
{
    struct engine_job *job = argument;
    struct chunk chunk;
    uint64_t done = 0, begun = engine_clock_ticks();
    for (; take_chunk(job, &chunk); done += chunk.count) {
        if (job->sample)
            engine_sample_run(worker, job, chunk.first, chunk.count);
        else
            job->variant->image.run(&worker->ctx, chunk.first, chunk.count);
        if (job->alone && engine_clock_ticks() - begun > FEW_TICKS)
            engine_pool_share(&job->engine->pool, job);
    }
    if (done)
        atomic_store_explicit(&job->variant->block_ticks, (engine_clock_ticks() - begun) / done + 1,
                              memory_order_relaxed);
}

/* Whether it will be over before another thread could come, if its blocks take what they took last. */
static bool is_small(const struct engine_variant *variant, uint64_t blocks)
{
    uint64_t ticks = atomic_load_explicit(&variant->block_ticks, memory_order_relaxed);
    return ticks && blocks < FEW_TICKS && ticks * blocks < FEW_TICKS;
}

uint64_t engine_block_number(const struct jit_ctx *ctx)
{
    return ctx->ctaid[0] + (uint64_t)ctx->grid[0] * (ctx->ctaid[1] + (uint64_t)ctx->grid[1] * ctx->ctaid[2]);
}

void engine_job_failed(struct engine_job *job, const struct sw_error *error, uint64_t block)
{
    pthread_mutex_lock(&job->lock);
    if (error->status != SW_OK && block < job->failed_block) {
        job->failed_block = block;
        job->error = *error;
    }
    pthread_mutex_unlock(&job->lock);
    atomic_store(&job->stop, true);
}

static uint32_t warps_of(const uint32_t block[3])
{
    return (block[0] * block[1] * block[2] + SW_WARP_LANES - 1) / SW_WARP_LANES;
}

uint32_t engine_job_warps(const struct engine_job *job)
{
    return warps_of(job->launch->block);
}

uint32_t engine_block_warps(const struct jit_ctx *ctx)
{
    return warps_of(ctx->block);
}

/* Sources: PTX ISA 10, %total_smem_size, for the unit in which shared memory is given out; the CUDA guide on
 * compute capability 8.0 and later for the 1 KiB that each block loses to the system. */
static uint32_t shared_unit(uint32_t compute)
{
    bool coarse = compute >= 30 && compute < 80;
    return coarse ? 256 : 128;
}

static uint32_t shared_reserved(uint32_t compute)
{
    enum { RESERVED_BYTES = 1024 };
    return compute == 0 || compute >= 80 ? RESERVED_BYTES : 0;
}

void engine_worker_context(struct engine_worker *worker, struct engine_job *job)
{
    const struct engine_launch *launch = job->launch;
    struct jit_ctx *ctx = &worker->ctx;
    *ctx = (struct jit_ctx){.params = job->params,
                            .symbols = launch->kernel->module->symbols,
                            .counters = job->counters ? (uint64_t *)worker->counters.base : NULL,
                            .helpers = &engine_helpers,
                            .dynamic_shared_bytes = launch->dynamic_shared_bytes,
                            .shared_bytes = engine_job_shared(job),
                            .sm_count = launch->sm_count ? launch->sm_count : 1,
                            .max_warps_per_sm = launch->max_warps_per_sm ? launch->max_warps_per_sm : 64,
                            .lanes_independent = !job->hangs,
                            .reserved_shared_bytes = shared_reserved(launch->compute),
                            .compute_capability = launch->compute,
                            .grid_id = launch->grid_id,
                            .graph_exec = launch->graph_exec,
                            .clock_base = job->clock_base,
                            .host = worker};
    ctx->total_shared_bytes = (uint32_t)sw_align_up(ctx->shared_bytes, shared_unit(launch->compute));
    memcpy(ctx->grid, launch->grid, sizeof ctx->grid);
    memcpy(ctx->block, launch->block, sizeof ctx->block);
    ctx->envreg[1] = (uint32_t)(job->workspace >> 32);
    ctx->envreg[2] = (uint32_t)job->workspace;
    engine_permissions_fill(job, ctx);
    worker->error = (struct sw_error){0};
    worker->clock = NULL;
}

uint32_t engine_job_shared(const struct engine_job *job)
{
    return (uint32_t)sw_align_up(job->variant->info.static_shared_bytes, 16) +
           job->launch->dynamic_shared_bytes;
}

enum sw_status engine_worker_counters(struct engine_worker *worker, const struct engine_job *job)
{
    size_t bytes = job->variant->info.slot_count * sizeof(uint64_t);
    if (!job->counters) return SW_OK;
    if (!engine_memory_reserve(&worker->counters, bytes)) return SW_OUT_OF_MEMORY;
    memset(worker->counters.base, 0, bytes);
    return SW_OK;
}

/* Shared memory is cleared, so that what a block finds in it does not depend on earlier launches. */
static enum sw_status worker_memory(struct engine_worker *worker, const struct engine_job *job)
{
    const struct jit_info *info = &job->variant->info;
    size_t warps = engine_job_warps(job), shared = engine_job_shared(job);
    SW_TRY(engine_worker_counters(worker, job));
    if (!engine_memory_reserve(&worker->shared, shared) ||
        !engine_memory_reserve(&worker->local, warps * SW_WARP_LANES * info->local_bytes) ||
        !engine_memory_reserve(&worker->frames, warps * info->frame_bytes))
        return SW_OUT_OF_MEMORY;
    memset(worker->shared.base, 0, shared);
    memset(worker->frames.base, 0, warps * info->frame_bytes);
    return SW_OK;
}

void engine_worker_merge(struct engine_worker *worker, struct engine_job *job)
{
    if (!job->counters) return;
    pthread_mutex_lock(&job->lock);
    for (uint32_t i = 0; i < job->variant->info.slot_count; i++)
        job->counters[i] += worker->ctx.counters[i];
    pthread_mutex_unlock(&job->lock);
}

static void plain_body(struct engine_worker *worker, struct engine_job *job)
{
    enum sw_status status = worker_memory(worker, job);
    if (status != SW_OK) {
        sw_fail(&worker->error, status, "no host memory for the shared and local memory of a block");
        engine_job_failed(job, &worker->error, 0);
        return;
    }
    engine_worker_context(worker, job);
    if (!engine_sample_prepare(worker, job)) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY,
                "no host memory for the accesses of blocks to the address set");
        engine_job_failed(job, &worker->error, 0);
        return;
    }
    worker->ctx.shared = worker->shared.base;
    worker->ctx.local = worker->local.base;
    worker->ctx.frames = worker->frames.base;
    if (!engine_fault_guard(worker, run_chunks, job))
        engine_job_failed(job, &worker->error, engine_block_number(&worker->ctx));
    engine_worker_merge(worker, job);
}

/* ---- the whole launch */

static enum sw_status launch_check_shape(const struct engine_launch *launch, struct sw_error *error)
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

/* How many blocks a GPU would hold at once: among them, blocks can wait for higher ones. Cooperative launches
 * are not larger. */
uint64_t engine_resident_blocks(const struct engine_launch *launch)
{
    enum { UNKNOWN_GPU = 1024 };
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2], most = UNKNOWN_GPU;
    uint32_t warps = warps_of(launch->block);
    if (launch->sm_count && launch->max_warps_per_sm) {
        uint32_t per_sm = launch->max_warps_per_sm / warps;
        most = (uint64_t)launch->sm_count * (per_sm ? per_sm : 1);
    }
    return launch->cooperative || blocks < most ? blocks : most;
}

/* Lanes of a warp that wait for each other make progress from compute capability 7.0 on. */
static bool lanes_are_independent(const struct engine_launch *launch)
{
    enum { VOLTA = 70 };
    return launch->compute == 0 || launch->compute >= VOLTA;
}

static bool may_wait(const struct engine_launch *launch, const struct engine_variant *variant)
{
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    return variant->info.spins && (blocks > 1 || !lanes_are_independent(launch));
}

/* Is a parameter not the multiple that the code relies on? (jit_core_align.c) */
static bool relies_in_vain(const struct engine_launch *launch, const struct jit_info *info)
{
    for (unsigned k = 0; k < SW_COUNT_OF(info->aligned_params) && launch->params; k++)
        for (uint64_t left = info->aligned_params[k]; left; left &= left - 1) {
            uint64_t value;
            memcpy(&value, (const uint8_t *)launch->params + 8 * __builtin_ctzll(left), sizeof value);
            if (value & ((2u << k) - 1)) return true;
        }
    return false;
}

static enum sw_status get_variant(const struct engine_launch *launch, bool resumable,
                                  struct engine_variant **out, struct sw_error *error)
{
    const uint32_t *block = launch->block;
    struct engine_form form = {.probes = launch->count ? EVENT_PROBE_COUNT : 0, .resumable = resumable};
    if (launch->access) form.probes |= EVENT_PROBE_ACCESS;
    if (!launch->access && launch->sample_shift && launch->set_accesses)
        form.probes |= EVENT_PROBE_ADDRESS_SET;
    form.permissions =
        launch->host_looks || engine_permissions_matter(launch->kernel->module->engine, launch->device);
    SW_TRY(engine_variant_get(launch->kernel, block, form, out, error));
    if (!relies_in_vain(launch, &(*out)->info)) return SW_OK;
    form.strict = true;
    return engine_variant_get(launch->kernel, block, form, out, error);
}

/* The code for this launch. Blocks that wait for each other need resumable code. A kernel that merely has a
 * waiting loop and cannot be made resumable runs its blocks in order, which is enough for those that wait for
 * lower blocks. */
static enum sw_status launch_variant(const struct engine_launch *launch, bool *together,
                                     struct engine_variant **out, struct sw_error *error)
{
    *together = launch->cooperative && !launch->access;
    if (launch->access) return get_variant(launch, false, out, error);
    if (*together) return get_variant(launch, true, out, error);
    SW_TRY(get_variant(launch, false, out, error));
    if (!may_wait(launch, *out)) return SW_OK;
    struct engine_variant *resumable;
    struct sw_error why;
    enum sw_status status = get_variant(launch, true, &resumable, &why);
    if (status == SW_UNSUPPORTED) return SW_OK;
    if (status != SW_OK) {
        if (error) *error = why;
        return status;
    }
    *together = true;
    *out = resumable;
    return SW_OK;
}

static uint32_t job_hands(const struct engine_launch *launch, const struct engine_variant *variant,
                          uint64_t blocks, uint32_t threads)
{
    if (launch->ordered && !(launch->access && !variant->info.order_dependent)) return 1;
    return blocks < threads ? (uint32_t)blocks : threads;
}

static void run_job(struct engine *engine, struct engine_job *job, bool together)
{
    pthread_mutex_init(&job->lock, NULL);
    if (job->launch->access)
        engine_detail_run(engine, job);
    else if (together)
        engine_grid_run(engine, job, engine_resident_blocks(job->launch));
    else
        engine_pool_run(&engine->pool, job);
    pthread_mutex_destroy(&job->lock);
}

enum sw_status engine_sample_variant(const struct engine_launch *launch, struct engine_variant **out,
                                     struct sw_error *error)
{
    return get_variant(launch, false, out, error);
}

bool engine_launch_waits(const struct engine_launch *launch)
{
    struct engine_variant *variant;
    bool together;
    return launch->cooperative || launch_variant(launch, &together, &variant, NULL) != SW_OK ||
           variant->info.spins;
}

static struct event_rules rules_of(const struct engine *engine, const struct engine_launch *launch)
{
    enum { WIDE = 8 };
    if (!engine->config.tool) return (struct event_rules){0};
    struct event_rules rules = engine->config.tool->rules;
    if (launch->wide_banks && rules.shared_rule == EVENT_SHARED_CC3) rules.bank_bytes = WIDE;
    return rules;
}

enum sw_status engine_launch(struct engine *engine, const struct engine_launch *launch,
                             struct sw_error *error)
{
    struct engine_variant *variant;
    bool together;
    SW_TRY(launch_check_shape(launch, error));
    if (launch->count && !launch->counters)
        return sw_fail(error, SW_INVALID_VALUE, "counting '%s' needs a place for its counters",
                       launch->kernel->info.name);
    SW_TRY(launch_variant(launch, &together, &variant, error));
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
    struct engine_job job = {.engine = engine,
                             .launch = launch,
                             .rules = rules_of(engine, launch),
                             .variant = variant,
                             .params = params,
                             .clock_base = engine_clock_ticks(),
                             .blocks = blocks,
                             .hands_max = job_hands(launch, variant, blocks, engine->threads),
                             .alone = !together && is_small(variant, blocks),
                             .body = plain_body,
                             .hangs = !lanes_are_independent(launch),
                             .sample_shift = launch->sample_shift,
                             .failed_block = UINT64_MAX,
                             .counters = launch->count ? launch->counters : NULL};
    if (job.counters) memset(job.counters, 0, variant->info.slot_count * sizeof *job.counters);
    if (launch->sample_shift && blocks > engine_first_blocks(launch))
        job.sample = engine_sample_new(engine, &job);
    run_job(engine, &job, together);
    engine_sample_delete(job.sample, &job);
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
    SW_TRY(launch_check_shape(launch, error));
    SW_TRY(launch_variant(launch, &together, &variant, error));
    *slot_count = variant->described.slot_count;
    *described = &variant->described;
    return SW_OK;
}
