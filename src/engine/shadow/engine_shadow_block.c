/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks as shadow memory knows them, and the detectors of races that they are told to. Method: a block
 * begins when the first of its warps tells something; where blocks run one after the other it ends when the
 * next one begins, else when the engine says so. What race/ knows of its shared memory is forgotten when it
 * ends: the next one has the same. Where blocks are judged apart, a host thread has a detector from its first
 * block of a launch on, and gives it back; what such a block did to global memory is forgotten, too, since it
 * orders nothing of other blocks. Limits: none known. */
#include "engine_shadow_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- detectors */

void engine_shadow_races_init(struct engine_shadow_races *races, struct engine_shadow *shadow)
{
    struct race_config config = {.found = engine_shadow_race_found, .user = races};
    races->shadow = shadow;
    if (shadow->checks & EVENT_CHECK_RACE) races->race = race_new(&config);
}

void engine_shadow_races_release(struct engine_shadow *shadow)
{
    race_free(shadow->races.race);
    while (shadow->idle) {
        struct engine_shadow_races *races = shadow->idle;
        shadow->idle = races->next;
        race_free(races->race);
        free(races);
    }
}

/* The worker takes part in its job. Launches come one after the other for a detector. */
static struct engine_shadow_races *races_enter(struct engine_worker *worker)
{
    struct engine_shadow *shadow = worker->engine->shadow;
    uint64_t task = worker->job->shadow->task;
    pthread_mutex_lock(&shadow->order_lock);
    struct engine_shadow_races *races = shadow->idle;
    if (races) shadow->idle = races->next;
    pthread_mutex_unlock(&shadow->order_lock);
    if (!races) {
        races = sw_xcalloc(1, sizeof *races);
        engine_shadow_races_init(races, shadow);
    }
    race_task_begin(races->race, task);
    if (races->task) race_task_after(races->race, task, races->task);
    races->task = task;
    return worker->races = races;
}

void engine_shadow_leave(struct engine_worker *worker)
{
    struct engine_shadow_races *races = worker->races;
    if (!races) return;
    struct engine_shadow *shadow = races->shadow;
    if (races->now) engine_shadow_block_free(races, races->now);
    races->now = NULL;
    races->conflict_count = 0;
    race_task_end(races->race, races->task);
    if (races->has_volatiles) memset(races->volatiles, 0, sizeof races->volatiles);
    races->has_volatiles = false;
    worker->races = NULL;
    pthread_mutex_lock(&shadow->order_lock);
    races->next = shadow->idle;
    shadow->idle = races;
    pthread_mutex_unlock(&shadow->order_lock);
}

/* ---- blocks */

static bool is_apart(const struct engine_shadow_races *races)
{
    return races != &races->shadow->races;
}

static void accesses_forget(const struct engine_shadow_races *races, const struct engine_shadow_block *block)
{
    if (is_apart(races) && block->has_global)
        race_forget_all(races->race);
    else if (block->shared_low < block->shared_end)
        race_forget(races->race, block->shared_low, block->shared_end - block->shared_low);
}

void engine_shadow_block_free(struct engine_shadow_races *races, struct engine_shadow_block *block)
{
    if (block->race) {
        race_block_end(block->race);
        accesses_forget(races, block);
    }
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
    engine_shadow_block_free(&job->engine->shadow->races, block);
}

static struct engine_shadow_block *shadow_block_begin(struct jit_ctx *ctx, uint64_t number)
{
    struct engine_worker *worker = ctx->host;
    const struct engine_shadow *shadow = worker->engine->shadow;
    struct engine_shadow_races *races = engine_shadow_races_of(ctx);
    struct engine_shadow_block *block = sw_xcalloc(1, sizeof *block);
    block->number = number;
    memcpy(block->ctaid, ctx->ctaid, sizeof block->ctaid);
    block->threads = ctx->block[0] * ctx->block[1] * ctx->block[2];
    if (shadow->checks & EVENT_CHECK_INIT) engine_shadow_init_block(ctx, block);
    if (races->race) {
        block->race = race_block_begin(races->race, worker->job->shadow->task, number, block->threads,
                                       worker->job->variant->info.orders_apart != 0);
        block->shared_low = UINT64_MAX;
        engine_shadow_proxy_begin(ctx, block);
    }
    return block;
}

static struct engine_shadow_block *block_apart(struct jit_ctx *ctx)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow_races *races = worker->races ? worker->races : races_enter(worker);
    if (races->now) engine_shadow_block_free(races, races->now);
    return races->now = shadow_block_begin(ctx, engine_block_number(ctx));
}

struct engine_shadow_block *engine_shadow_block_find(struct jit_ctx *ctx)
{
    struct engine_worker *worker = ctx->host;
    struct engine_shadow_job *job = worker->job->shadow;
    if (job->apart) return block_apart(ctx);
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
