/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a launch is in numbers: blocks, their warps, threads and shared memory; and which of its
 * blocks failed. Method: arithmetic. Limits: none known. */
#include "engine_job.h"

static uint32_t job_warps_of(const uint32_t block[3])
{
    return (block[0] * block[1] * block[2] + SW_WARP_LANES - 1) / SW_WARP_LANES;
}

uint32_t engine_job_warps(const struct engine_job *job)
{
    return job_warps_of(job->launch->block);
}

uint32_t engine_block_warps(const struct jit_ctx *ctx)
{
    return job_warps_of(ctx->block);
}

uint32_t engine_job_reserved(const struct engine_job *job)
{
    enum {
        RESERVED_BYTES = 1024,
        FIRST = 80
    }; /* documented: CUDA C Programming Guide, "Shared Memory" of 8.x */
    uint32_t compute = job->launch->compute;
    return compute == 0 || compute >= FIRST ? RESERVED_BYTES : 0;
}

uint32_t engine_job_shared(const struct engine_job *job)
{
    enum { ALIGN = 16 }; /* implementation: as of the dynamic part */
    uint64_t own =
        sw_align_up(job->variant->info.static_shared_bytes, ALIGN) + job->launch->dynamic_shared_bytes;
    return (uint32_t)sw_align_up(own, ALIGN) + engine_job_reserved(job);
}

uint64_t engine_block_number(const struct jit_ctx *ctx)
{
    return ctx->ctaid[0] + (uint64_t)ctx->grid[0] * (ctx->ctaid[1] + (uint64_t)ctx->grid[1] * ctx->ctaid[2]);
}

/* Thread index of a lane of the running warp. */
void engine_lane_thread(const struct jit_ctx *ctx, uint32_t out[3])
{
    uint32_t linear = ctx->warp * SW_WARP_LANES + ctx->lane;
    out[0] = linear % ctx->block[0];
    out[1] = linear / ctx->block[0] % ctx->block[1];
    out[2] = linear / ctx->block[0] / ctx->block[1];
}

/* How many blocks a GPU would hold at once: among them, blocks can wait for higher ones. Cooperative launches
 * are not larger. */
uint64_t engine_resident_blocks(const struct engine_launch *launch)
{
    enum { UNKNOWN_GPU = 1024 };
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2], most = UNKNOWN_GPU;
    uint32_t warps = job_warps_of(launch->block);
    if (launch->sm_count && launch->max_warps_per_sm) {
        uint32_t per_sm = launch->max_warps_per_sm / warps;
        most = (uint64_t)launch->sm_count * (per_sm ? per_sm : 1);
    }
    return launch->cooperative || blocks < most ? blocks : most;
}

uint64_t engine_first_blocks(const struct engine_launch *launch)
{
    return (uint64_t)launch->residency.sm_count * launch->residency.blocks_per_sm;
}

void engine_job_failed(struct engine_job *job, const struct sw_error *error,
                       const struct engine_findings *findings, uint64_t block)
{
    pthread_mutex_lock(&job->lock);
    if (error->status != SW_OK && block < job->failed_block) {
        job->failed_block = block;
        job->error = *error;
        job->findings.count = 0;
        if (findings) job->findings = *findings;
    }
    pthread_mutex_unlock(&job->lock);
    atomic_store(&job->stop, true);
}
