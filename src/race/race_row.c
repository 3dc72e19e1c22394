/* SPDX-License-Identifier: Apache-2.0 */
/* Weak accesses of cells side by side in complex launches, where sets say who has read a cell. Method: the
 * row is cut into runs of cells with one history; each run gets one set, which its cells share. Only what all
 * lanes of the warp know counts as known, and the lane's own accesses; the rest is left to race_cell.c. */
#include "race_priv.h"

#include <string.h>

struct run {
    uint32_t count; /* cells */
    uint32_t members;
    struct race_member at[RACE_SET_MOST + 1];
};

static uint32_t code_of(uint32_t epoch)
{
    return epoch & ((1u << RACE_SLICE_SHIFT) - 1);
}

/* The lane of cell i of a row that begins with this code, where codes are lanes one after the other. */
static uint32_t next_code(uint32_t code, uint32_t i, uint32_t log2)
{
    uint32_t who = code % RACE_WHO_COUNT;
    return who < RACE_LANES ? code - who + ((who + (i >> log2)) & (RACE_LANES - 1)) : code;
}

/* The cells from `at` on with one history. */
static void run_of(const struct race *race, const uint32_t *at, const uint16_t *sites, uint32_t cell,
                   uint32_t count, uint32_t log2, struct run *run)
{
    uint32_t same = 1, rising = 1, epoch = at[0];
    while (same < count && at[same] == epoch && (epoch >= RACE_EPOCH_SET || sites[same] == sites[0]))
        same++;
    while (rising < count && epoch && epoch < RACE_EPOCH_SET && sites[rising] == sites[0] &&
           at[rising] == epoch - code_of(epoch) + next_code(code_of(epoch), rising, log2))
        rising++;
    run->count = same > rising ? same : rising;
    run->members = 0;
    if (epoch >= RACE_EPOCH_SET) {
        const struct race_set *set = race_set_of(race, epoch);
        memcpy(run->at, set->at, set->count * sizeof *set->at);
        run->members = set->count;
    } else if (epoch) {
        run->members = race_members_of(race, epoch, sites[0], cell, run->at);
        uint32_t who = code_of(epoch) % RACE_WHO_COUNT;
        if (rising <= same || who >= RACE_LANES) return;
        run->at[0].kind = RACE_KIND_AFFINE;
        run->at[0].mask = race_affine_of(cell, who, log2);
    }
}

/* Whether each lane of the warp knows the accesses of its cells. affine: which cells are whose. */
static bool is_known(const struct race_quick *q, const struct race_member *m, uint32_t affine)
{
    const struct race *race = q->block->race;
    uint32_t owner = race->slices.at[m->slice];
    const struct race_task *task = race->tasks.at[race->blocks.at[owner >> RACE_OWNER_WARP_BITS].task];
    if (m->kind == RACE_KIND_WARPS || m->kind == RACE_KIND_BLOCKS)
        return task != q->block->task && race_task_knows(q->block->task, task);
    bool mine = owner == q->owner || (q->warp >= RACE_ASYNC && owner + RACE_ASYNC == q->owner);
    if (mine && m->kind == RACE_KIND_AFFINE && m->mask == affine) return true;
    lane_mask who = m->kind == RACE_KIND_AFFINE ? race_live_of(race, owner) : m->mask;
    return !race_warp_unknown(q->block, q->warp, m->slice, who) ||
           (q->warp >= RACE_ASYNC && !race_warp_unknown(q->block, q->warp - RACE_ASYNC, m->slice, who));
}

bool race_row_is_known(const struct race_quick *q, const struct race_page *page, uint32_t first,
                       uint32_t count, uint32_t lane, uint32_t log2, bool writes_only)
{
    struct run run;
    uint32_t affine = race_affine_of(first, lane, log2);
    for (uint32_t i = 0; i < count; i += run.count) {
        uint32_t cell = first + i;
        run_of(q->block->race, page->since + cell, page->since_site + cell, cell, count - i, log2, &run);
        for (uint32_t m = 0; m < run.members; m++) {
            bool matters = !writes_only || run.at[m].type >= RACE_STRONG_WRITE;
            if (matters && !is_known(q, &run.at[m], affine)) return false;
        }
    }
    return true;
}

/* Keeps of the members of a run what a read does not stand for, and adds the read. */
static void run_add(const struct race_quick *q, struct run *run, uint32_t affine)
{
    uint32_t kept = 0;
    for (uint32_t m = 0; m < run->members; m++)
        if (run->at[m].type >= RACE_STRONG_WRITE || !is_known(q, &run->at[m], affine))
            run->at[kept++] = run->at[m];
    run->at[kept++] = (struct race_member){.slice = q->now >> RACE_SLICE_SHIFT,
                                           .mask = affine,
                                           .site = q->site,
                                           .type = RACE_READ,
                                           .kind = RACE_KIND_AFFINE};
    run->members = kept;
}

void race_row_read(const struct race_quick *q, struct race_page *page, uint32_t first, uint32_t count,
                   uint32_t lane, uint32_t log2)
{
    struct race *race = q->block->race;
    struct run run;
    uint32_t affine = race_affine_of(first, lane, log2);
    for (uint32_t i = 0; i < count; i += run.count) {
        uint32_t cell = first + i;
        run_of(race, page->since + cell, page->since_site + cell, cell, count - i, log2, &run);
        run_add(q, &run, affine);
        uint32_t set = run.members > 1 ? race_set_new(race, run.at, run.members) : 0;
        if (set) race_set_share(race, set, run.count - 1);
        for (uint32_t c = cell; c < cell + run.count; c++) {
            race_set_free(race, page->since[c]);
            page->since[c] = set ? set : q->now + race_affine_lane(affine, c);
            page->since_site[c] = q->site;
        }
    }
}
