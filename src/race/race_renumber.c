/* SPDX-License-Identifier: Apache-2.0 */
/* Slices and blocks are numbered anew when numbers run out. Method: slices that some cell still names keep
 * their order and get consecutive numbers; "up to k" becomes the number of such slices up to k, so every
 * answer stays the same. Blocks likewise. Limits: if more than three quarters of the numbers are in use, the
 * accesses of the older half of the slices are forgotten first, which can only hide races; race_forgot says
 * so. */
#include "race_priv.h"

#include <string.h>

struct renumber {
    struct race *race;
    uint32_t
        *slice; /* of each old slice: how many are in use up to it; while marking: whether it is in use */
    uint32_t *block; /* of each old block: its number + 1; 0: not in use */
    uint32_t forget; /* slices up to this one are forgotten */
};

/* ---- what is in use */

typedef void visit_slot(struct renumber *r, uint32_t *slot);

static void visit_lines(struct renumber *r, struct race_page *page, visit_slot *visit)
{
    for (uint32_t lines = page->compact; lines; lines &= lines - 1) {
        struct race_line *line = &page->lines[__builtin_ctz(lines)];
        if (line->last) visit(r, &line->last);
        if (line->since) visit(r, &line->since);
    }
}

static void visit_slots(struct renumber *r, visit_slot *visit)
{
    for (struct race_page *page = r->race->pages; page; page = page->next) {
        visit_lines(r, page, visit);
        for (uint32_t cell = 0; cell < race_page_cells(page); cell++) {
            if (race_page_is_compact(page, cell)) continue;
            if (page->last[cell]) visit(r, &page->last[cell]);
            if (page->since[cell]) visit(r, &page->since[cell]);
        }
    }
}

static void mark(struct renumber *r, uint32_t *slot)
{
    if (*slot < RACE_EPOCH_SET) {
        r->slice[*slot >> RACE_SLICE_SHIFT] = 1;
        return;
    }
    const struct race_set *set = race_set_of(r->race, *slot);
    for (uint32_t i = 0; i < set->count; i++)
        r->slice[set->at[i].slice] = 1;
}

/* Members of a set that are forgotten leave it; an empty set leaves its cell. */
static void forget(struct renumber *r, uint32_t *slot)
{
    if (*slot < RACE_EPOCH_SET) {
        if (*slot >> RACE_SLICE_SHIFT <= r->forget) *slot = 0;
        return;
    }
    struct race_set *set = &r->race->sets.at[(*slot - RACE_EPOCH_SET) >> RACE_SLICE_SHIFT];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].slice > r->forget) set->at[kept++] = set->at[i];
    set->count = kept;
    if (kept) return;
    race_set_free(r->race, *slot);
    *slot = 0;
}

static size_t count_used(struct renumber *r)
{
    size_t used = 0;
    memset(r->slice, 0, r->race->slices.count * sizeof *r->slice);
    visit_slots(r, mark);
    for (size_t i = 1; i < r->race->slices.count; i++)
        used += r->slice[i];
    return used;
}

/* Forgets the older half of the slices in use. */
static void forget_half(struct renumber *r, size_t used)
{
    size_t seen = 0;
    for (r->forget = 0; seen < used / 2; r->forget++)
        seen += r->slice[r->forget + 1];
    visit_slots(r, forget);
    r->race->forgot = true;
    count_used(r);
}

/* ---- new numbers */

/* The owners of slices that are in use stay, in order; r->slice becomes counts. */
static void compact_slices(struct renumber *r)
{
    struct race *race = r->race;
    uint32_t count = 0;
    for (size_t i = 1; i < race->slices.count; i++) {
        if (r->slice[i]) {
            race->slices.at[++count] = race->slices.at[i];
            r->block[race->slices.at[i] >> RACE_OWNER_WARP_BITS] = 1;
        }
        r->slice[i] = count;
    }
    race->slices.count = count + 1;
}

static void compact_blocks(struct renumber *r)
{
    struct race *race = r->race;
    uint32_t count = 0;
    for (const struct race_block *b = race->alive; b; b = b->next)
        r->block[b->index] = 1;
    for (size_t i = 0; i < race->blocks.count; i++) {
        if (!r->block[i]) continue;
        race->blocks.at[count++] = race->blocks.at[i];
        r->block[i] = count;
    }
    race->blocks.count = count;
    for (uint32_t i = 1; i < race->slices.count; i++) {
        uint32_t owner = race->slices.at[i], warp = owner & (RACE_WARPS - 1);
        race->slices.at[i] = (r->block[owner >> RACE_OWNER_WARP_BITS] - 1) << RACE_OWNER_WARP_BITS | warp;
    }
}

static void slot_renumber(struct renumber *r, uint32_t *slot)
{
    if (*slot >= RACE_EPOCH_SET) return;
    uint32_t code = *slot & ((1u << RACE_SLICE_SHIFT) - 1);
    *slot = r->slice[*slot >> RACE_SLICE_SHIFT] << RACE_SLICE_SHIFT | code;
}

static void sets_renumber(struct renumber *r)
{
    for (size_t i = 0; i < r->race->sets.count; i++) {
        struct race_set *set = &r->race->sets.at[i];
        for (uint32_t m = 0; set->at && m < set->count; m++)
            set->at[m].slice = r->slice[set->at[m].slice];
    }
}

/* Entries of blocks that no cell names are of no use. */
static void clock_renumber(struct renumber *r, struct race_clock *clock)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < clock->count; i++) {
        struct race_entry e = clock->at[i];
        if (!(e.id >> 63)) {
            uint32_t block = r->block[e.id >> 7];
            if (!block) continue;
            e.id = race_id_block(block - 1) | (e.id & 127);
            e.k = r->slice[e.k];
        }
        clock->at[kept++] = e;
    }
    clock->count = kept;
}

/* The first slice in use that is not before this one. */
static uint32_t first_renumber(const struct renumber *r, uint32_t first)
{
    return first ? r->slice[first - 1] + 1 : 0;
}

static void block_renumber(const struct renumber *r, struct race_block *block)
{
    block->index = r->block[block->index] - 1;
    block->sync = r->slice[block->sync];
    for (uint32_t w = 0; w < RACE_WARPS; w++) {
        struct race_warp *warp = &block->warps[w];
        warp->sync = r->slice[warp->sync];
        for (uint32_t l = 0; warp->lanes && l < RACE_LANES; l++)
            for (uint32_t level = 0; level < RACE_LEVELS; level++)
                warp->lanes[l].fence[level].k = r->slice[warp->lanes[l].fence[level].k];
    }
}

static void tasks_renumber(const struct renumber *r)
{
    struct race *race = r->race;
    for (size_t i = 0; i < race->tasks.count; i++) {
        struct race_task *task = race->tasks.at[i];
        task->first = first_renumber(r, task->first);
        task->base = r->slice[task->base];
    }
    race->run = first_renumber(r, race->run);
    race->block_run = first_renumber(r, race->block_run);
    race->task_run = first_renumber(r, race->task_run);
}

/* UINT32_MAX: a block that is not in use, which no block is equal to. */
static uint32_t block_number(const struct renumber *r, uint32_t block)
{
    return block == UINT32_MAX ? block : r->block[block] - 1;
}

static void syncs_renumber(struct renumber *r)
{
    for (struct race_page *page = r->race->pages; page; page = page->next) {
        for (uint32_t cell = 0; page->sync && cell < race_page_cells(page); cell++) {
            struct race_sync *sync = page->sync[cell];
            if (!sync) continue;
            sync->block = block_number(r, sync->block);
            for (uint32_t o = 0; o < sync->own_count; o++)
                sync->own[o].block = block_number(r, sync->own[o].block);
        }
    }
}

/* Keys take their entries as they are until their next completion. */
static void keys_renumber(struct race *race)
{
    void *value;
    for (size_t i = 0; map_next(&race->keys, &i, &value);)
        ((struct race_key *)value)->block = UINT32_MAX;
}

void race_renumber(struct race *race)
{
    struct renumber r = {.race = race};
    uint32_t warp = race->owner & (RACE_WARPS - 1), acting = race->owner >> RACE_OWNER_WARP_BITS;
    bool known = acting < race->blocks.count;
    r.slice = sw_xcalloc(race->slices.count, sizeof *r.slice);
    r.block = sw_xcalloc(race->blocks.count + 1, sizeof *r.block);
    size_t used = count_used(&r), most = race->slices_most;
    if (used > most - most / 4) forget_half(&r, used);
    compact_slices(&r);
    compact_blocks(&r);
    visit_slots(&r, slot_renumber);
    sets_renumber(&r);
    race_clock_forget_joins(race);
    for (struct race_clock *clock = race->clocks; clock; clock = clock->next)
        clock_renumber(&r, clock);
    for (struct race_block *block = race->alive; block; block = block->next)
        block_renumber(&r, block);
    syncs_renumber(&r);
    keys_renumber(race);
    tasks_renumber(&r);
    race->owner =
        known && r.block[acting] ? (r.block[acting] - 1) << RACE_OWNER_WARP_BITS | warp : UINT32_MAX;
    race->slice_ended = true;
    race->blocks_kept = race->blocks.count;
    free(r.slice);
    free(r.block);
}
