/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, and what their threads know. Method: a barrier of a block is one number for all its threads, one of
 * a warp one number for its lanes; everything else is a clock, of the block, the warp or the lane, which
 * barriers pass on upwards. The copies of a lane know all that the lane knows when they begin. */
#include "race_priv.h"

uint32_t race_slice_now(struct race *race, struct race_block *block, uint32_t warp)
{
    uint32_t owner = block->index << RACE_OWNER_WARP_BITS | warp;
    if (!race->slice_ended && owner == race->owner) return race_slice_last(race);
    if (race->slices.count > race->slices_most) {
        race_renumber(race);
        owner = block->index << RACE_OWNER_WARP_BITS | warp;
    }
    uint32_t slice = (uint32_t)race->slices.count;
    *vec_push(&race->slices) = owner;
    if (owner != race->owner) race->run = slice;
    if (owner >> RACE_OWNER_WARP_BITS != race->owner >> RACE_OWNER_WARP_BITS) {
        race->block_run = slice;
        if (race->task != block->task) race->task_run = slice;
        race->task = block->task;
    }
    race->owner = owner;
    race->slice_ended = false;
    block->async |= warp >= RACE_ASYNC;
    if (!block->task->first) block->task->first = slice;
    return slice;
}

struct race_block *race_block_begin(struct race *race, uint64_t task, uint64_t number, uint32_t threads,
                                    bool complex)
{
    struct race_block *block = sw_xcalloc(1, sizeof *block);
    block->race = race;
    block->task = map_get_u64(&race->task_by_number, task);
    if (!block->task) BUG("no task %llu", (unsigned long long)task);
    race_task_starts_block(race, block->task);
    if (race->blocks.count >= RACE_BLOCKS_MOST && race->blocks.count / 2 >= race->blocks_kept)
        race_renumber(race);
    block->index = (uint32_t)race->blocks.count;
    *vec_push(&race->blocks) = (struct race_block_info){number, block->task->index, threads, complex};
    block->threads = threads;
    block->complex = complex;
    for (uint32_t w = 0; w < RACE_ASYNC; w++)
        block->warps[w].live = block->warps[RACE_ASYNC + w].live = race_lanes_of(threads, w);
    block->next = race->alive;
    if (race->alive) race->alive->previous = block;
    return race->alive = block;
}

static void lane_release(struct race *race, struct race_lane *lane)
{
    race_clock_unref(race, lane->clock);
    race_clock_unref(race, lane->seen);
    for (uint32_t level = 0; level < RACE_LEVELS; level++) {
        race_clock_unref(race, lane->fence[level].base);
        race_clock_unref(race, lane->pending[level]);
    }
}

static void warp_release(struct race *race, struct race_warp *warp)
{
    race_clock_unref(race, warp->clock);
    for (uint32_t l = 0; warp->lanes && l < RACE_LANES; l++)
        lane_release(race, &warp->lanes[l]);
    free(warp->lanes);
}

/* What lanes of a warp know by clocks. */
static void add_clocks(struct race *race, struct race_clock **clock, const struct race_warp *w,
                       lane_mask mask)
{
    race_clock_add(race, clock, w->clock);
    struct race_clock *last = NULL;
    for (lane_mask rest = w->lanes ? mask : 0; rest; rest &= rest - 1) {
        struct race_clock *own = w->lanes[__builtin_ctz(rest)].clock;
        if (own != last) race_clock_add(race, clock, own);
        last = own;
    }
}

/* What the lanes of a warp know apart becomes what they all know. */
static void warp_gather(struct race *race, struct race_warp *warp)
{
    if (!warp->lanes) return;
    add_clocks(race, &warp->clock, warp, ~0u);
    for (uint32_t l = 0; l < RACE_LANES; l++)
        race_clock_set(race, &warp->lanes[l].clock, NULL);
}

void race_block_end(struct race_block *block)
{
    struct race *race = block->race;
    for (uint32_t w = 0; block->sparse && w < RACE_WARPS; w++) {
        warp_gather(race, &block->warps[w]);
        race_clock_add(race, &block->clock, block->warps[w].clock);
    }
    if (block->clock) race_task_learn(race, block->task, block->clock);
    race_clock_unref(race, block->clock);
    for (uint32_t level = 0; level < RACE_LEVELS; level++)
        race_clock_unref(race, block->fenced[level]);
    for (uint32_t w = 0; block->sparse && w < RACE_WARPS; w++)
        warp_release(race, &block->warps[w]);
    if (block->next) block->next->previous = block->previous;
    if (block->previous)
        block->previous->next = block->next;
    else
        race->alive = block->next;
    free(block);
}

struct race_lane *race_lane_own(struct race_block *block, uint32_t warp, uint32_t lane)
{
    struct race_warp *w = &block->warps[warp];
    if (!w->lanes) w->lanes = sw_xcalloc(RACE_LANES, sizeof *w->lanes);
    block->sparse = true;
    return &w->lanes[lane];
}

/* What they did, and know by barriers of the warp: at most two entries. */
static uint32_t entries_of_warp(const struct race_block *block, uint32_t warp, lane_mask mask,
                                struct race_entry *entries)
{
    const struct race_warp *w = &block->warps[warp];
    uint64_t id = race_id_warp(block->index << RACE_OWNER_WARP_BITS | warp);
    uint32_t count = 0;
    if (mask) entries[count++] = (struct race_entry){id, race_slice_last(block->race), mask};
    if (w->sync) entries[count++] = (struct race_entry){id, w->sync, ~0u};
    return count;
}

uint32_t race_agent_parts(struct race_block *block, uint32_t warp, lane_mask mask, struct race_clock **clocks,
                          struct race_entry entries[RACE_OWN_ENTRIES])
{
    struct race *race = block->race;
    bool async = warp >= RACE_ASYNC;
    uint32_t count = 0;
    if (block->sync) entries[count++] = (struct race_entry){race_id_block(block->index), block->sync, ~0u};
    if (block->task->known.count)
        entries[count++] = (struct race_entry){race_id_order(block->task->index), 1, ~0u};
    count += entries_of_warp(block, warp, mask, entries + count);
    if (async) count += entries_of_warp(block, warp - RACE_ASYNC, mask, entries + count);
    *clocks = race_clock_ref(block->task->clock);
    race_clock_add(race, clocks, block->clock);
    add_clocks(race, clocks, &block->warps[warp], mask);
    if (async) add_clocks(race, clocks, &block->warps[warp - RACE_ASYNC], mask);
    return count;
}

struct race_clock *race_agent_clock(struct race_block *block, uint32_t warp, lane_mask mask)
{
    struct race_entry entries[RACE_OWN_ENTRIES];
    struct race_clock *clock;
    uint32_t count = race_agent_parts(block, warp, mask, &clock, entries);
    race_clock_grow(block->race, &clock, entries, count);
    return clock;
}

void race_warp_sync(struct race_block *block, uint32_t warp, lane_mask mask)
{
    struct race *race = block->race;
    struct race_warp *w = &block->warps[warp];
    if ((mask & w->live) == w->live) {
        warp_gather(race, w);
        w->sync = race_slice_last(race);
    } else {
        struct race_entry entries[2];
        struct race_clock *clock = NULL;
        add_clocks(race, &clock, w, mask);
        race_clock_grow(race, &clock, entries, entries_of_warp(block, warp, mask, entries));
        for (lane_mask rest = mask; rest; rest &= rest - 1)
            race_clock_add(race, &race_lane_own(block, warp, (uint32_t)__builtin_ctz(rest))->clock, clock);
        race_clock_unref(race, clock);
    }
    race_slice_end(race);
}

void race_block_sync(struct race_block *block)
{
    struct race *race = block->race;
    block->sync = race_slice_last(race);
    race_fences_meet(block);
    for (uint32_t w = 0; block->sparse && w < RACE_ASYNC; w++) {
        struct race_warp *warp = &block->warps[w];
        warp_gather(race, warp);
        race_clock_add(race, &block->clock, warp->clock);
        race_clock_set(race, &warp->clock, NULL);
    }
    if (block->clock) { /* the barrier covers what clocks knew of this block */
        struct race_entry entry = {race_id_block(block->index), block->sync, ~0u};
        race_clock_grow(race, &block->clock, &entry, 1);
    }
    race_slice_end(race);
}

/* ---- what one lane knows */

static bool knows_task(const struct race_agent *agent, const struct race_task *other)
{
    const struct race_block *block = agent->block;
    struct race *race = block->race;
    const struct race_warp *warp = &block->warps[agent->warp];
    if (other == block->task) return false;
    if (race_task_knows(block->task, other) || race_task_is_known_to(race, other, block->clock) ||
        race_task_is_known_to(race, other, block->task->clock) ||
        race_task_is_known_to(race, other, warp->clock))
        return true;
    if (warp->lanes && race_task_is_known_to(race, other, warp->lanes[agent->lane].clock)) return true;
    if (agent->warp < RACE_ASYNC) return false;
    struct race_agent thread = *agent;
    thread.warp -= RACE_ASYNC;
    return knows_task(&thread, other);
}

/* What a warp's lane knows of an owner beyond block and task. */
static lane_mask unknown_to_warp(const struct race_agent *agent, uint32_t warp, uint32_t owner,
                                 uint32_t slice, lane_mask who)
{
    const struct race_block *block = agent->block;
    const struct race_warp *w = &block->warps[warp];
    if (owner == (block->index << RACE_OWNER_WARP_BITS | warp)) {
        if (slice <= w->sync) return 0;
        who &= ~(1u << agent->lane);
    }
    if (who && w->clock) who = race_clock_unknown(w->clock, owner, slice, who);
    if (who && w->lanes) who = race_clock_unknown(w->lanes[agent->lane].clock, owner, slice, who);
    return who;
}

lane_mask race_agent_unknown(const struct race_agent *agent, uint32_t slice, lane_mask who)
{
    const struct race_block *block = agent->block;
    struct race *race = block->race;
    uint32_t owner = race->slices.at[slice];
    bool mine = owner >> RACE_OWNER_WARP_BITS == block->index;
    if (mine && slice <= block->sync && (owner & (RACE_WARPS - 1)) < RACE_ASYNC) return 0;
    if (!mine && knows_task(agent, race_owner_task(race, owner))) return 0;
    who = unknown_to_warp(agent, agent->warp, owner, slice, who);
    if (who && agent->warp >= RACE_ASYNC)
        who = unknown_to_warp(agent, agent->warp - RACE_ASYNC, owner, slice, who);
    if (who && block->clock) who = race_clock_unknown(block->clock, owner, slice, who);
    if (who && block->task->clock) who = race_clock_unknown(block->task->clock, owner, slice, who);
    return who;
}

lane_mask race_warp_unknown(const struct race_block *block, uint32_t warp, uint32_t slice, lane_mask who)
{
    struct race *race = block->race;
    const struct race_warp *w = &block->warps[warp];
    uint32_t owner = race->slices.at[slice];
    bool mine = owner >> RACE_OWNER_WARP_BITS == block->index;
    if (mine && slice <= block->sync && (owner & (RACE_WARPS - 1)) < RACE_ASYNC) return 0;
    if (!mine && race_task_knows(block->task, race_owner_task(race, owner))) return 0;
    if (owner == (block->index << RACE_OWNER_WARP_BITS | warp) && slice <= w->sync) return 0;
    if (w->clock) who = race_clock_unknown(w->clock, owner, slice, who);
    if (who && block->clock) who = race_clock_unknown(block->clock, owner, slice, who);
    return who;
}

static bool warp_knows_block(const struct race_agent *agent, uint32_t warp, uint32_t block, uint32_t slice)
{
    const struct race_warp *w = &agent->block->warps[warp];
    return race_clock_knows_block(w->clock, block, slice) ||
           (w->lanes && race_clock_knows_block(w->lanes[agent->lane].clock, block, slice));
}

bool race_agent_knows_warps(const struct race_agent *agent, uint32_t slice)
{
    const struct race_block *block = agent->block;
    uint32_t other = block->race->slices.at[slice] >> RACE_OWNER_WARP_BITS;
    if (other == block->index && slice <= block->sync) return true;
    return race_agent_knows_blocks(agent, slice) || race_clock_knows_block(block->clock, other, slice) ||
           race_clock_knows_block(block->task->clock, other, slice) ||
           warp_knows_block(agent, agent->warp, other, slice) ||
           (agent->warp >= RACE_ASYNC && warp_knows_block(agent, agent->warp - RACE_ASYNC, other, slice));
}

bool race_agent_knows_blocks(const struct race_agent *agent, uint32_t slice)
{
    return knows_task(agent, race_owner_task(agent->block->race, agent->block->race->slices.at[slice]));
}
