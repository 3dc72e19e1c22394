/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: blocks that do not wait for each other, on one host thread.
 * Method: blocks are given out in ascending order, a few at a time, and whoever takes some runs them in
 * order. So the lowest block that has not ended is always running, and kernels that wait for lower blocks
 * progress. A tool's schedule gives them out in another order, one by one. Counters are per thread and summed
 * at the end. Limits: none of its own. */
#include "engine_blocks.h"

#include "engine/core/engine_fault.h"
#include "engine/core/engine_ticks.h"
#include "engine_alone.h"
#include "engine_context.h"
#include "engine_pool.h"
#include "engine_sample.h"
#include "engine_schedule.h"

#include <string.h>

enum { CHUNK_MOST = 256 };

struct chunk {
    uint64_t first, count;
};

/* Blocks that run without a pause while others may wait for their end (engine_alone.c): about a millisecond.
 */
static uint64_t blocks_most_alone(const struct engine_variant *variant)
{
    enum { FIRST = 16, ALONE_TICKS = 2000000 };
    uint64_t ticks = atomic_load_explicit(&variant->block_ticks, memory_order_relaxed);
    return ticks ? ALONE_TICKS / ticks : FIRST;
}

/* The next blocks: a share of what is left, so that the last ones are spread well. */
static bool blocks_take_chunk(struct engine_job *job, struct chunk *out)
{
    uint64_t taken = atomic_load(&job->taken), count;
    uint64_t most = job->variant->info.asks_alone ? blocks_most_alone(job->variant) : CHUNK_MOST;
    do {
        if (taken >= job->blocks || atomic_load(&job->stop)) return false;
        count = (job->blocks - taken) / (2 * (uint64_t)job->hands_max);
        if (job->variant->info.spins) count = 1;
        if (most < count) count = most;
        count = count < 1 ? 1 : count > CHUNK_MOST ? CHUNK_MOST : count;
    } while (!atomic_compare_exchange_weak(&job->taken, &taken, taken + count));
    *out = (struct chunk){taken, count};
    return true;
}

/* Ticks of the time stamp counter, some microseconds: about what it takes to wake a thread. */
static const uint64_t FEW_TICKS = 20000;

/* Kernels with waiting loops rely on the order. */
static bool blocks_permuted(const struct engine_job *job)
{
    return engine_schedule_number(job) && !job->variant->info.spins && !job->sample;
}

/* What a host thread runs; `chunk` is what it runs now, or what is left of it after a block that ended. */
struct share {
    struct engine_job *job;
    struct chunk chunk;
};

/* One guard around all chunks: one around each cost 3 % of a vector add whose blocks take 16 ns. */
/* One at a time: `chunk` is what is left of it after the one that runs. */
static void blocks_run_permuted(struct engine_worker *worker, const struct engine_job *job,
                                struct chunk *chunk)
{
    while (chunk->count) {
        uint64_t block = engine_schedule_block(job, chunk->first++);
        chunk->count--;
        engine_image_run (&job->variant->image)(&worker->ctx, block, 1);
    }
}

static void blocks_run_chunks(struct engine_worker *worker, void *argument)
{
    struct share *share = argument;
    struct engine_job *job = share->job;
    struct chunk *chunk = &share->chunk;
    uint64_t done = 0, begun = engine_clock_ticks();
    bool asks = job->variant->info.asks_alone && !job->variant->info.spins;
    for (; chunk->count || blocks_take_chunk(job, chunk); done += chunk->count, chunk->count = 0) {
        if (asks) engine_alone_begin(worker);
        if (blocks_permuted(job))
            blocks_run_permuted(worker, job, chunk);
        else if (job->sample)
            engine_sample_run(worker, job, chunk->first, chunk->count);
        else
            engine_image_run (&job->variant->image)(&worker->ctx, chunk->first, chunk->count);
        engine_alone_end(worker);
        if (job->alone && engine_clock_ticks() - begun > FEW_TICKS) engine_pool_share(job->engine->pool, job);
    }
    if (done)
        atomic_store_explicit(&job->variant->block_ticks, (engine_clock_ticks() - begun) / done + 1,
                              memory_order_relaxed);
}

bool engine_blocks_small(const struct engine_variant *variant, uint64_t blocks)
{
    uint64_t ticks = atomic_load_explicit(&variant->block_ticks, memory_order_relaxed);
    return ticks && blocks < FEW_TICKS && ticks * blocks < FEW_TICKS;
}

/* Shared memory is cleared, so that what a block finds in it does not depend on earlier launches. */
static enum sw_status blocks_memory(struct engine_worker *worker, const struct engine_job *job)
{
    const struct jit_info *info = &job->variant->info;
    size_t warps = engine_job_warps(job), shared = engine_job_shared(job);
    SW_TRY(engine_worker_counters(worker, job));
    if (!engine_memory_reserve_window(&worker->shared, shared) ||
        !engine_memory_reserve_window(&worker->local, warps * SW_WARP_LANES * info->local_bytes) ||
        !engine_memory_reserve(&worker->frames, warps * info->frame_bytes))
        return SW_OUT_OF_MEMORY;
    memset(worker->shared.base, 0, shared);
    memset(worker->frames.base, 0, warps * info->frame_bytes);
    return SW_OK;
}

/* A block ended by what it did wrong: the next ones find memory as at first. */
static bool blocks_go_on(struct engine_worker *worker, struct share *share)
{
    struct engine_job *job = share->job;
    uint64_t block = engine_block_number(&worker->ctx), end = share->chunk.first + share->chunk.count;
    if (!engine_job_goes_on(job, worker, block)) {
        engine_job_failed(job, &worker->error, &worker->findings, block);
        return false;
    }
    memset(worker->shared.base, 0, engine_job_shared(job));
    memset(worker->frames.base, 0, (size_t)engine_job_warps(job) * job->variant->info.frame_bytes);
    if (!blocks_permuted(job)) share->chunk = (struct chunk){block + 1, end - block - 1};
    return true;
}

/* Those that are of no interest any more do not run. */
static void blocks_skip(struct share *share)
{
    if (blocks_permuted(share->job)) return;
    uint64_t last = engine_ended_last(share->job);
    if (share->chunk.first <= last) return;
    share->chunk.count = 0;
    atomic_store(&share->job->taken, share->job->blocks);
}

static void blocks_run(struct engine_worker *worker, struct engine_job *job)
{
    struct share share = {.job = job};
    while (!engine_fault_guard(worker, blocks_run_chunks, &share)) {
        engine_alone_end(worker);
        if (!blocks_go_on(worker, &share)) return;
        blocks_skip(&share);
    }
}

void engine_blocks_body(struct engine_worker *worker, struct engine_job *job)
{
    enum sw_status status = blocks_memory(worker, job);
    if (status != SW_OK) {
        sw_fail(&worker->error, status, "no host memory for the shared and local memory of a block");
        engine_job_failed(job, &worker->error, &worker->findings, 0);
        return;
    }
    engine_worker_context(worker, job);
    if (!engine_sample_prepare(worker, job)) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY,
                "no host memory for the accesses of blocks to the address set");
        engine_job_failed(job, &worker->error, &worker->findings, 0);
        return;
    }
    worker->ctx.shared = worker->shared.base;
    worker->ctx.local = worker->local.base;
    worker->ctx.frames = worker->frames.base;
    blocks_run(worker, job);
    engine_worker_merge(worker, job);
}
