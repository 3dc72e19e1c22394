/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks as shadow memory knows them. Method: a block begins when the first of its warps tells something;
 * where blocks run one after the other it ends when the next one begins, else when the engine says so.
 * What race/ knows of its shared memory is forgotten when it ends: the next one has the same.
 * Limits: none known. */
#include "engine_shadow_priv.h"

#include <stdlib.h>
#include <string.h>

void engine_shadow_block_free(struct engine_shadow *shadow, struct engine_shadow_block *block)
{
    if (block->race) race_block_end(block->race);
    if (block->race && block->shared_low < block->shared_end)
        race_forget(shadow->race, block->shared_low, block->shared_end - block->shared_low);
    free(block->proxy);
    free(block->copies);
    free(block->bulk);
    free(block->shared.words);
    free(block->local.words);
    free(block);
}

void engine_shadow_block_end(struct engine_job *job, uint64_t number)
{
    if (!job->shadow) return;
    struct engine_shadow_block *block = map_get_u64(&job->shadow->blocks, number + 1);
    if (!block) return;
    map_remove_u64(&job->shadow->blocks, number + 1);
    if (job->shadow->now == block) job->shadow->now = NULL;
    engine_shadow_block_free(job->engine->shadow, block);
}

static struct engine_shadow_block *shadow_block_begin(struct jit_ctx *ctx, uint64_t number)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow *shadow = worker->engine->shadow;
    struct engine_shadow_block *block = sw_xcalloc(1, sizeof *block);
    block->number = number;
    memcpy(block->ctaid, ctx->ctaid, sizeof block->ctaid);
    block->threads = ctx->block[0] * ctx->block[1] * ctx->block[2];
    if (shadow->checks & EVENT_CHECK_INIT) engine_shadow_init_block(ctx, block);
    if (shadow->race) {
        block->race = race_block_begin(shadow->race, worker->job->shadow->task, number, block->threads,
                                       worker->job->variant->info.orders_apart != 0);
        block->shared_low = UINT64_MAX;
        engine_shadow_proxy_begin(ctx, block);
    }
    return block;
}

struct engine_shadow_block *engine_shadow_block(struct jit_ctx *ctx)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow_job *job = worker->job->shadow;
    if (job->now && memcmp(job->now->ctaid, ctx->ctaid, sizeof ctx->ctaid) == 0) return job->now;
    uint64_t number = engine_block_number(ctx);
    struct engine_shadow_block *block = map_get_u64(&job->blocks, number + 1);
    if (!block) {
        if (job->now && !worker->job->grid) engine_shadow_block_end(worker->job, job->now->number);
        block = shadow_block_begin(ctx, number);
        map_set_u64(&job->blocks, number + 1, block);
    }
    job->now = block;
    return block;
}
