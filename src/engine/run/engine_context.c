/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what emitted code finds in struct jit_ctx when a host thread begins a launch. Method: the launch
 * says it, besides the memory of a block. Limits: none known. */
#include "engine_context.h"

#include "engine/core/engine_permissions.h"
#include "engine/helpers/engine_helpers.h"
#include "engine_schedule.h"

#include <string.h>

/* Sources: PTX ISA 10, %total_smem_size, for the unit in which shared memory is given out; the CUDA guide on
 * compute capability 8.0 and later for the 1 KiB that each block loses to the system. */
static uint32_t shared_unit(uint32_t compute)
{
    bool coarse = compute >= 30 && compute < 80;
    return coarse ? 256 : 128;
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
                            .reserved_shared_bytes = engine_job_reserved(job),
                            .compute_capability = launch->compute,
                            .grid_id = launch->grid_id,
                            .graph_exec = launch->graph_exec,
                            .clock_base = job->clock_base,
                            .host = worker};
    ctx->total_shared_bytes =
        (uint32_t)sw_align_up(ctx->shared_bytes - ctx->reserved_shared_bytes, shared_unit(launch->compute));
    memcpy(ctx->grid, launch->grid, sizeof ctx->grid);
    memcpy(ctx->block, launch->block, sizeof ctx->block);
    ctx->envreg[1] = (uint32_t)(job->workspace >> 32);
    ctx->envreg[2] = (uint32_t)job->workspace;
    engine_permissions_fill(job, ctx);
    engine_schedule_warps(job, ctx->warp_order);
    worker->error = (struct sw_error){0};
    worker->findings.count = 0;
    worker->clock = NULL;
}
