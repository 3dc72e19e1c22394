/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: bulk copies from shared memory that may not see what threads wrote there: the copy reads by the
 * asynchronous proxy, and plain writes come before that only by a fence.proxy.async after them (PTX ISA,
 * memory consistency model, "Causality order").
 * Method: each word of shared memory knows who wrote it last, how often that thread had fenced by then, and
 * how often threads of the block had met. A write is covered once its thread fences, or any other does after
 * some threads met: then the fence may be on the way from the write to the copy. So no copy is reported that
 * a fence may have made right. That write and copy are ordered at all is race/'s question. Kept only for
 * kernels that have such copies.
 * Limits: threads that met need not be the two in question; of a word, the last write alone is known; writes
 * by asynchronous copies, global memory, copies that write over what was read or written plainly, and
 * initialized mbarriers are not looked at. */
#include "engine_shadow_priv.h"

enum { WORD = 4, THREADS_MOST = SW_WARP_LANES * SW_WARP_LANES };

struct word { /* of shared memory, by its last write */
    uint32_t line;
    uint32_t thread;
    uint32_t fences; /* of the thread then, + 1; 0: no plain write */
    uint32_t meets;  /* of the block then */
};
struct engine_shadow_proxy {
    uint32_t meets;
    uint32_t last_fence; /* meets at the last fence of any thread */
    uint32_t fences[THREADS_MOST];
    uint64_t base, count;
    struct word words[];
};

void engine_shadow_proxy_begin(struct jit_ctx *ctx, struct engine_shadow_block *block)
{
    const struct engine_worker *worker = ctx->host;
    uint64_t count = (ctx->shared_bytes + WORD - 1) / WORD;
    if (!worker->job->variant->info.copies_shared) return;
    block->proxy = sw_xcalloc(1, sizeof *block->proxy + count * sizeof *block->proxy->words);
    block->proxy->base = (uint64_t)(uintptr_t)ctx->shared;
    block->proxy->count = count;
}

void engine_shadow_proxy_meet(struct engine_shadow_block *block)
{
    if (block->proxy) block->proxy->meets++;
}

void engine_shadow_proxy_fence(struct engine_shadow_block *block, uint32_t warp, lane_mask mask)
{
    struct engine_shadow_proxy *proxy = block->proxy;
    if (!proxy) return;
    for (lane_mask left = mask; left; left &= left - 1)
        proxy->fences[warp * SW_WARP_LANES + (uint32_t)__builtin_ctz(left)]++;
    proxy->last_fence = proxy->meets;
}

/* Words [*first, *end) of an access, as far as they are there. */
static void words_of(const struct engine_shadow_proxy *proxy, uint64_t address, uint32_t bytes,
                     uint64_t *first, uint64_t *end)
{
    uint64_t at = address - proxy->base;
    *first = at / WORD < proxy->count ? at / WORD : proxy->count;
    *end = (at + bytes + WORD - 1) / WORD;
    if (*end > proxy->count) *end = proxy->count;
}

static bool is_covered(const struct engine_shadow_proxy *proxy, const struct word *word)
{
    return !word->fences || proxy->fences[word->thread] >= word->fences || proxy->last_fence > word->meets;
}

static void proxy_found(struct engine_shadow_races *races, const struct race_found *found)
{
    if (races->conflict_count == SHADOW_CONFLICTS) return;
    races->conflicts[races->conflict_count++] =
        (struct engine_shadow_conflict){.found = *found, .differs = 1, .proxy = true};
}

static void lane_reads(struct jit_ctx *ctx, const struct engine_shadow_block *block,
                       const struct jit_shadow_site *site, uint64_t address, uint32_t thread)
{
    const struct engine_worker *worker = ctx->host;
    const struct engine_shadow_proxy *proxy = block->proxy;
    uint64_t first, end, task = worker->job->shadow->task;
    words_of(proxy, address, site->bytes, &first, &end);
    for (uint64_t i = first; i < end; i++) {
        const struct word *word = &proxy->words[i];
        if (is_covered(proxy, word)) continue;
        struct race_found found = {.address = proxy->base + i * WORD,
                                   .lanes = 1,
                                   .before = {.task = task,
                                              .block = block->number,
                                              .thread = word->thread,
                                              .site = word->line & 0xffff,
                                              .writes = true},
                                   .now = {.task = task,
                                           .block = block->number,
                                           .thread = thread,
                                           .site = site->line & 0xffff,
                                           .async = true}};
        proxy_found(engine_shadow_races_of(ctx), &found);
        return; /* one of an access */
    }
}

void engine_shadow_proxy_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                                const struct jit_shadow_site *site, const uint64_t *addresses, lane_mask mask)
{
    enum { MEETS = JIT_SHADOW_STRONG | JIT_SHADOW_ACQUIRE | JIT_SHADOW_RELEASE | JIT_SHADOW_VOLATILE };
    struct engine_shadow_proxy *proxy = block->proxy;
    bool async = site->flags & JIT_SHADOW_ASYNC, writes = site->flags & JIT_SHADOW_WRITE;
    if (!proxy) return;
    if (site->flags & MEETS) proxy->meets++; /* of any memory: threads may meet by it */
    if (site->space != ISA_SPACE_SHARED) return;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), thread = ctx->warp * SW_WARP_LANES + lane;
        uint64_t first, end;
        if (async && !writes) lane_reads(ctx, block, site, addresses[lane], thread);
        if (!writes) continue;
        words_of(proxy, addresses[lane], site->bytes, &first, &end);
        for (uint64_t i = first; i < end; i++)
            proxy->words[i] =
                (struct word){site->line, thread, async ? 0 : proxy->fences[thread] + 1, proxy->meets};
    }
}
