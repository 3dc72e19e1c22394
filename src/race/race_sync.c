/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation by memory and by keys. Method (PTX ISA 8, memory consistency model): a strong write
 * releases, at its cell, what its thread's last fence covered, or all if it is .release (and what the fences
 * of other threads covered before a barrier of the block: programs rely on it, GPUs do so); a strong read
 * that sees it acquires that, at once if it is .acquire, else at the thread's next fence. Read-modify-writes
 * add to what a cell releases, other writes replace it. What a cell releases to all blocks and what to the
 * writer's own is kept apart, because scopes differ. Limits: of chains of read-modify-writes by more than
 * four blocks, what the first released with the scope of a block counts as released to all; the order of
 * fence.sc among themselves is not one that orders accesses. */
#include "race_priv.h"

#include <string.h>

void race_fence(struct race_block *block, uint32_t warp, lane_mask mask, enum race_scope scope)
{
    struct race *race = block->race;
    enum race_level level = race_level_of(scope);
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        struct race_lane *lane = race_lane_own(block, warp, (uint32_t)__builtin_ctz(rest));
        for (uint32_t l = 0; l <= level; l++) {
            race_clock_add(race, &lane->clock, lane->pending[l]);
            race_clock_set(race, &lane->pending[l], NULL);
        }
    }
    struct race_clock *common = race_agent_clock(block, warp, 0);
    block->fences = true;
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        struct race_lane *lane = race_lane_own(block, warp, (uint32_t)__builtin_ctz(rest));
        struct race_clock *base = race_clock_join(race, common, lane->clock);
        for (uint32_t l = 0; l <= level; l++) {
            race_clock_set(race, &lane->fence[l].base, base);
            lane->fence[l].k = race_slice_last(race);
            lane->fence[l].set = true;
        }
        race_clock_unref(race, base);
    }
    race_clock_unref(race, common);
    race_slice_end(race);
}

/* Adds what a fence of lanes, which have the same, released. `last`: the base that was added last. */
static void fence_add(struct race *race, const struct race_fence *fence, uint32_t owner, lane_mask lanes,
                      struct race_clock **clock, const struct race_clock **last)
{
    struct race_entry own = {race_id_warp(owner), fence->k, lanes};
    if (fence->base != *last) race_clock_grow_by(race, clock, fence->base);
    *last = fence->base;
    race_clock_grow(race, clock, &own, 1);
}

/* What a lane's last fence released, and those of its block before a barrier; a new reference. */
static struct race_clock *fence_clock(const struct race_agent *agent, enum race_level level)
{
    struct race *race = agent->block->race;
    const struct race_warp *warp = &agent->block->warps[agent->warp];
    struct race_clock *clock = race_clock_ref(agent->block->fenced[level]);
    const struct race_clock *last = NULL;
    if (warp->lanes && warp->lanes[agent->lane].fence[level].set)
        fence_add(race, &warp->lanes[agent->lane].fence[level], agent->owner, 1u << agent->lane, &clock,
                  &last);
    return clock;
}

/* The lanes whose last fence is that of the first of them. */
static lane_mask same_fence(const struct race_warp *warp, enum race_level level, lane_mask lanes)
{
    const struct race_fence *first = &warp->lanes[__builtin_ctz(lanes)].fence[level];
    lane_mask same = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        const struct race_fence *fence = &warp->lanes[__builtin_ctz(rest)].fence[level];
        if (fence->set == first->set && fence->k == first->k && fence->base == first->base)
            same |= rest & -rest;
    }
    return same;
}

void race_fences_meet(struct race_block *block)
{
    const struct race_clock *last[RACE_LEVELS] = {NULL};
    for (uint32_t w = 0; block->fences && w < RACE_ASYNC; w++) {
        const struct race_warp *warp = &block->warps[w];
        for (uint32_t level = 0; warp->lanes && level < RACE_LEVELS; level++)
            for (lane_mask rest = warp->live, same; rest; rest &= ~same) {
                const struct race_fence *fence = &warp->lanes[__builtin_ctz(rest)].fence[level];
                same = same_fence(warp, (enum race_level)level, rest);
                if (fence->set)
                    fence_add(block->race, fence, block->index << RACE_OWNER_WARP_BITS | w, same,
                              &block->fenced[level], &last[level]);
            }
    }
    block->fences = false;
}

static bool sees(const struct race_sync *sync, const struct race_agent *agent, enum race_level level)
{
    return sync->block == agent->block->index || (sync->level == RACE_LEVEL_ALL && level == RACE_LEVEL_ALL);
}

static struct race_clock **own_of(struct race_sync *sync, uint32_t block)
{
    for (uint32_t i = 0; i < sync->own_count; i++)
        if (sync->own[i].block == block) return &sync->own[i].clock;
    return NULL;
}

static void acquire(const struct race_agent *agent, struct race_lane *lane, struct race_clock *clock)
{
    struct race *race = agent->block->race;
    if (!clock || lane->seen == clock || lane->clock == clock) return;
    race_clock_add(race, &lane->clock, clock);
    race_clock_set(race, &lane->seen, clock);
}

void race_sync_read(const struct race_agent *agent, const struct race_access *what, struct race_page *page,
                    uint32_t cell)
{
    struct race *race = agent->block->race;
    struct race_sync *sync = page->sync ? page->sync[cell] : NULL;
    enum race_level level = race_level_of(what->scope);
    if (!sync || !sees(sync, agent, level)) return;
    struct race_lane *lane = race_lane_own(agent->block, agent->warp, agent->lane);
    struct race_clock **own = own_of(sync, agent->block->index);
    bool now = what->acquires || race->config.reads_acquire;
    bool all_now = race->config.reads_acquire || (what->acquires && level == RACE_LEVEL_ALL);
    bool all_own = sync->forgot; /* `all` has what the block's own threads released */
    if (all_now || (now && all_own)) acquire(agent, lane, sync->all);
    if (now && own) acquire(agent, lane, *own);
    if (!now && own) race_clock_add(race, &lane->pending[RACE_LEVEL_BLOCK], *own);
    if (!now && all_own) race_clock_add(race, &lane->pending[RACE_LEVEL_BLOCK], sync->all);
    if (!all_now) race_clock_add(race, &lane->pending[RACE_LEVEL_ALL], sync->all);
}

static void sync_clear(struct race *race, struct race_sync *sync)
{
    race_clock_unref(race, sync->all);
    for (uint32_t i = 0; i < sync->own_count; i++)
        race_clock_unref(race, sync->own[i].clock);
    *sync = (struct race_sync){0};
}

void race_sync_drop(struct race *race, struct race_page *page, uint32_t cell)
{
    if (!page->sync || !page->sync[cell]) return;
    sync_clear(race, page->sync[cell]);
    free(page->sync[cell]);
    page->sync[cell] = NULL;
}

struct race_sync *race_sync_copy(const struct race_sync *sync)
{
    if (!sync) return NULL;
    struct race_sync *copy = sw_xmalloc(sizeof *copy);
    *copy = *sync;
    race_clock_ref(copy->all);
    for (uint32_t i = 0; i < copy->own_count; i++)
        race_clock_ref(copy->own[i].clock);
    return copy;
}

/* What a block's thread released to its block. */
static void own_add(struct race *race, struct race_sync *sync, uint32_t block, struct race_clock *clock)
{
    struct race_clock **own = own_of(sync, block);
    if (!own) {
        if (sync->own_count == SW_COUNT_OF(sync->own)) {
            sync->forgot = true;
            race_clock_add(race, &sync->all, sync->own[0].clock);
            race_clock_unref(race, sync->own[0].clock);
            memmove(sync->own, sync->own + 1, sizeof sync->own - sizeof sync->own[0]);
            sync->own_count--;
        }
        sync->own[sync->own_count].block = block;
        own = &sync->own[sync->own_count++].clock;
        *own = NULL;
    }
    race_clock_grow_by(race, own, clock);
}

/* What the write releases, in new references. */
static void released(const struct race_agent *agent, const struct race_access *what, struct race_clock **own,
                     struct race_clock **all)
{
    bool everybody = race_level_of(what->scope) == RACE_LEVEL_ALL;
    *own = what->releases ? race_agent_clock(agent->block, agent->warp, 1u << agent->lane)
                          : fence_clock(agent, RACE_LEVEL_BLOCK);
    *all = what->releases && everybody ? race_clock_ref(*own) : fence_clock(agent, RACE_LEVEL_ALL);
}

void race_sync_write(const struct race_agent *agent, const struct race_access *what, struct race_page *page,
                     uint32_t cell)
{
    struct race *race = agent->block->race;
    enum race_level level = race_level_of(what->scope);
    struct race_sync *sync = page->sync ? page->sync[cell] : NULL;
    bool adds = sync && what->reads && sees(sync, agent, level);
    struct race_clock *own, *all;
    released(agent, what, &own, &all);
    if (!adds) race_sync_drop(race, page, cell), sync = NULL;
    if (!sync && own) {
        if (!page->sync) page->sync = sw_xcalloc(race_page_cells(page), sizeof *page->sync);
        sync = page->sync[cell] = sw_xcalloc(1, sizeof *sync);
    }
    if (sync) {
        sync->block = agent->block->index;
        sync->level = level;
        if (own) own_add(race, sync, sync->block, own);
        race_clock_grow_by(race, &sync->all, all);
    }
    race_clock_unref(race, own);
    race_clock_unref(race, all);
}

/* ---- keys */

static struct race_key *key_get(struct race *race, uint64_t number)
{
    struct race_key *key = map_get_u64(&race->keys, number);
    if (key) return key;
    key = sw_xcalloc(1, sizeof *key);
    key->block = UINT32_MAX;
    map_set_u64(&race->keys, number, key);
    return key;
}

void race_release(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t number)
{
    struct race *race = block->race;
    struct race_key *key = key_get(race, number);
    struct race_entry entries[RACE_OWN_ENTRIES];
    struct race_clock *clocks;
    uint32_t count = race_agent_parts(block, warp, mask, &clocks, entries);
    if (!key->pending) key->block = block->index;
    if (key->block != block->index) key->block = UINT32_MAX;
    if (clocks != key->base) race_clock_grow_by(race, &key->pending, clocks);
    race_clock_set(race, &key->base, clocks);
    race_clock_unref(race, clocks);
    race_clock_grow(race, &key->pending, entries, count);
    race_slice_end(race);
}

void race_complete(struct race *race, uint64_t number)
{
    struct race_key *key = key_get(race, number);
    if (key->block != UINT32_MAX) race_clock_close_block(race, &key->pending, key->block);
    race_clock_add(race, &key->done, key->pending);
    race_clock_set(race, &key->pending, NULL);
    race_clock_set(race, &key->base, NULL);
}

void race_acquire(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t number)
{
    struct race *race = block->race;
    struct race_key *key = map_get_u64(&race->keys, number);
    if (!key || !key->done) return;
    struct race_warp *w = &block->warps[warp];
    block->sparse = true;
    if ((mask & w->live) == w->live)
        race_clock_add(race, &w->clock, key->done);
    else
        for (lane_mask rest = mask; rest; rest &= rest - 1)
            race_clock_add(race, &race_lane_own(block, warp, (uint32_t)__builtin_ctz(rest))->clock,
                           key->done);
}

void race_commit(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t number)
{
    struct race *race = block->race;
    uint32_t owner = block->index << RACE_OWNER_WARP_BITS | (RACE_ASYNC + warp);
    struct race_entry entry = {race_id_warp(owner), race_slice_last(race), mask};
    race_clock_grow(race, &key_get(race, number)->done, &entry, 1);
    race_slice_end(race);
}

void race_await(struct race_block *block, uint32_t warp, lane_mask mask, uint64_t number)
{
    struct race *race = block->race;
    const struct race_key *key = map_get_u64(&race->keys, number);
    for (uint32_t i = 0; key && key->done && i < key->done->count; i++)
        for (lane_mask rest = mask & key->done->at[i].mask; rest; rest &= rest - 1) {
            struct race_entry own = key->done->at[i];
            own.mask = rest & -rest;
            race_clock_grow(race, &race_lane_own(block, warp, (uint32_t)__builtin_ctz(rest))->clock, &own, 1);
        }
}

void race_key_end(struct race *race, uint64_t number)
{
    struct race_key *key = map_get_u64(&race->keys, number);
    if (!key) return;
    race_clock_unref(race, key->pending);
    race_clock_unref(race, key->done);
    race_clock_unref(race, key->base);
    free(key);
    map_remove_u64(&race->keys, number);
}
