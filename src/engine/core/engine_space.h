/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory of the running block a generic address is in. Shared and local memory are host memory as all
 * else, so where they lie tells them apart. */
#ifndef ENGINE_SPACE_H
#define ENGINE_SPACE_H

#include "engine_job.h"

/* Of all lanes of the running block. */
static inline uint64_t engine_local_bytes(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    return (uint64_t)engine_block_warps(ctx) * SW_WARP_LANES * worker->job->variant->info.local_bytes;
}

static inline bool engine_lies_in(uint64_t address, const uint8_t *base, uint64_t bytes)
{
    return base && address - (uint64_t)(uintptr_t)base < bytes;
}

/* SHARED, LOCAL or GLOBAL; NONE: variables of functions that stay ones, on the host's stack, where that is
 * known (engine_worker_stack). */
static inline enum isa_space engine_space_at(const struct jit_ctx *ctx, uint64_t address)
{
    const struct engine_worker *worker = ctx->host;
    if (engine_lies_in(address, ctx->shared, ctx->shared_bytes)) return ISA_SPACE_SHARED;
    if (engine_lies_in(address, ctx->local, engine_local_bytes(ctx))) return ISA_SPACE_LOCAL;
    if (engine_lies_in(address, worker->stack, worker->stack_bytes)) return ISA_SPACE_NONE;
    return ISA_SPACE_GLOBAL;
}
#endif
