/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: launches whose blocks wait for each other: cooperative ones, and spinning kernels with resident
 * grids. Method: every block has its own shared, local and frame memory. Blocks stand in a ring; a host
 * thread takes the next, lets each of its warps run until it ended or yielded (softwarp_step), and puts the
 * block back. So all blocks progress, with any number of host threads. Limits: memory for all blocks at once,
 * as on a GPU, where such a grid must be resident. */
#include "engine_priv.h"

#include <sched.h>
#include <string.h>

struct engine_grid {
    pthread_mutex_t lock;
    struct engine_memory memory; /* of all blocks */
    size_t block_bytes, local_at, frames_at;
    uint64_t *ring; /* block numbers, `room` of them */
    uint64_t room, head, waiting, running;
};

static enum sw_status grid_memory(struct engine_grid *grid, const struct engine_job *job)
{
    enum { SHARED_ALIGN = 1024 };
    const struct jit_info *info = &job->variant->info;
    size_t warps = engine_job_warps(job);
    grid->local_at = sw_align_up(engine_job_shared(job), SHARED_ALIGN);
    grid->frames_at = grid->local_at + sw_align_up(warps * SW_WARP_LANES * info->local_bytes, 64);
    grid->block_bytes = sw_align_up(grid->frames_at + warps * info->frame_bytes, SHARED_ALIGN);
    if (!engine_memory_reserve(&grid->memory, grid->block_bytes * job->blocks)) return SW_OUT_OF_MEMORY;
    return SW_OK;
}

/* cooperative_groups finds its grid barrier through %envreg1 (high) and %envreg2 (low): a record of two
 * words, its size and the barrier's state, zero at first. */
static enum sw_status grid_workspace(const struct engine *engine, struct engine_job *job)
{
    enum { WORKSPACE_BYTES = 8 };
    struct vmem *vmem = engine->config.vmem;
    if (!job->launch->cooperative || !vmem) return SW_OK;
    SW_TRY(vmem_alloc(vmem, WORKSPACE_BYTES, VMEM_DEVICE, 0, 0, 0, &job->workspace));
    *(uint32_t *)(uintptr_t)job->workspace = WORKSPACE_BYTES;
    return SW_OK;
}

static bool grid_next(struct engine_grid *grid, struct engine_job *job, uint64_t *block)
{
    pthread_mutex_lock(&grid->lock);
    bool more = grid->waiting + grid->running > 0 && !atomic_load(&job->stop);
    bool found = more && grid->waiting > 0;
    if (found) {
        *block = grid->ring[grid->head++ % grid->room];
        grid->waiting--;
        grid->running++;
    }
    pthread_mutex_unlock(&grid->lock);
    if (more && !found) {
        *block = UINT64_MAX;
        sched_yield();
    }
    return more;
}

static void grid_back(struct engine_grid *grid, struct engine_job *job, uint64_t block, bool ended)
{
    pthread_mutex_lock(&grid->lock);
    grid->running--;
    if (!ended) grid->ring[(grid->head + grid->waiting++) % grid->room] = block;
    if (grid->waiting + grid->running == 0) atomic_store(&job->taken, job->blocks);
    pthread_mutex_unlock(&grid->lock);
}

struct step {
    const struct engine_job *job;
    uint64_t block;
    bool ended;
};

static void run_step(struct engine_worker *worker, void *argument)
{
    struct step *step = argument;
    step->ended = step->job->variant->image.step(&worker->ctx, step->block) != 0;
}

static void grid_body(struct engine_worker *worker, struct engine_job *job)
{
    struct engine_grid *grid = job->grid;
    if (engine_worker_counters(worker, job) != SW_OK) {
        sw_fail(&worker->error, SW_OUT_OF_MEMORY, "no host memory for counters");
        engine_job_failed(job, &worker->error, 0);
        return;
    }
    engine_worker_context(worker, job);
    uint64_t block;
    while (grid_next(grid, job, &block)) {
        if (block == UINT64_MAX) continue;
        uint8_t *memory = grid->memory.base + block * grid->block_bytes;
        worker->ctx.shared = memory;
        worker->ctx.local = memory + grid->local_at;
        worker->ctx.frames = memory + grid->frames_at;
        struct step step = {job, block, false};
        bool fine = engine_fault_guard(worker, run_step, &step);
        if (!fine) engine_job_failed(job, &worker->error, block);
        grid_back(grid, job, block, step.ended || !fine);
    }
    engine_worker_merge(worker, job);
}

void engine_grid_run(struct engine *engine, struct engine_job *job)
{
    struct engine_grid grid = {.room = job->blocks, .waiting = job->blocks};
    enum sw_status status = grid_memory(&grid, job);
    if (status == SW_OK) status = grid_workspace(engine, job);
    if (status != SW_OK) {
        sw_fail(&job->error, status, "no host memory for %llu blocks at once; launch fewer",
                (unsigned long long)job->blocks);
        engine_memory_release(&grid.memory);
        return;
    }
    grid.ring = sw_xcalloc(grid.room, sizeof *grid.ring);
    for (uint64_t i = 0; i < grid.room; i++)
        grid.ring[i] = i;
    pthread_mutex_init(&grid.lock, NULL);
    job->grid = &grid;
    job->body = grid_body;
    engine_pool_run(&engine->pool, job);
    pthread_mutex_destroy(&grid.lock);
    free(grid.ring);
    if (job->workspace) (void)vmem_release(engine->config.vmem, job->workspace);
    engine_memory_release(&grid.memory);
}
