/* SPDX-License-Identifier: Apache-2.0 */
/* Lines: words side by side that whole warps access, one lane after the other, have one record for all of
 * them, as long as nothing else accesses them. Method: an epoch of lanes is that of the first cell, and says
 * of the others that their lanes follow; what all cells have alike (warps, blocks) is the same for a line.
 * Results are those of race_quick.c and race_cell.c, to which lines are left that this refuses. */
#include "race_priv.h"

struct pattern { /* cell i is accessed by lane first + (i >> log2) */
    uint32_t lane, log2;
};

/* Whether each lane knows accesses of its cells; same: they were those of the same lanes of a warp. */
static bool looked_up(const struct race_quick *q, uint32_t epoch, uint32_t who, bool same)
{
    const struct race *race = q->block->race;
    if (race_quick_knows(q, epoch, same ? who : RACE_WHO_ALL)) return true;
    if (who > RACE_WHO_ALL) return false;
    uint32_t slice = epoch >> RACE_SLICE_SHIFT;
    return !race_warp_unknown(q->block, q->warp, slice, race_live_of(race, race->slices.at[slice]));
}

static inline bool knows(const struct race_quick *q, uint32_t epoch, uint32_t who, bool same)
{
    if (epoch < q->base) return true;
    if (epoch - q->block_begin < q->block_length && who < RACE_WHO_BLOCKS) return true;
    if (epoch - q->own_begin < q->own_length && same) return true;
    if (epoch - q->warp_begin < q->warp_length && who < RACE_WHO_WARPS) return true;
    return looked_up(q, epoch, who, same);
}

/* The write races with the one before it, in each lane, and with nothing else. */
static bool report_writes(const struct race_quick *q, const struct race_page *page, uint32_t number,
                          struct pattern now)
{
    struct race *race = q->block->race;
    const struct race_line *line = &page->lines[number];
    uint32_t slice = line->last >> RACE_SLICE_SHIFT, owner = race->slices.at[slice];
    lane_mask all = race_live_of(race, owner);
    if (q->block->warps[q->warp].lanes || race_warp_unknown(q->block, q->warp, slice, all) != all)
        return false;
    struct race_found found = {.address = (page->number << RACE_PAGE_BITS) + number * RACE_LINE_BYTES,
                               .before = race_side_of(race, owner, now.lane),
                               .now = race_side_of(race, q->owner, now.lane),
                               .lanes = RACE_LINE_CELLS >> now.log2,
                               .stride = 1u << (now.log2 + RACE_WORD_SHIFT)};
    found.before.site = line->last_site;
    found.now.site = q->site;
    found.before.writes = found.now.writes = true;
    race->config.found(race->config.user, &found);
    return true;
}

static bool has_sync(const struct race_page *page, uint32_t number)
{
    for (uint32_t i = 0; page->sync && i < RACE_LINE_CELLS; i++)
        if (page->sync[number * RACE_LINE_CELLS + i]) return true;
    return false;
}

static void note_write(const struct race_quick *q, struct race_line *line, struct pattern now)
{
    *line = (struct race_line){
        .last = q->now | (RACE_CODE_WRITES + now.lane), .last_site = q->site, .last_log2 = (uint8_t)now.log2};
}

/* Who has read the line, this warp included; RACE_WHO_COUNT: more than a line can say. Of the warp's own
 * reads, some cells may have had the same lane. */
static uint32_t merge(const struct race_quick *q, uint32_t epoch)
{
    uint32_t owner = q->block->race->slices.at[epoch >> RACE_SLICE_SHIFT], who = epoch & RACE_CODE;
    bool same_block = owner >> RACE_OWNER_WARP_BITS == q->owner >> RACE_OWNER_WARP_BITS;
    uint32_t least = same_block ? RACE_WHO_WARPS : RACE_WHO_BLOCKS;
    if (owner == q->owner || !race_quick_may_merge(q, owner)) return RACE_WHO_COUNT;
    return who > least ? who : least;
}

static bool line_read(const struct race_quick *q, struct race_line *line, struct pattern now)
{
    uint32_t who = line->since & RACE_CODE, reads = now.lane;
    bool same = who == now.lane && line->since_log2 == now.log2;
    if (who == RACE_WHO_BLOCKS && line->since - q->task_begin < q->task_length) return true;
    bool of_warps = who == RACE_WHO_WARPS && line->since >= q->block_begin + q->block_length;
    if (of_warps) /* of this block, since its barrier */
        reads = RACE_WHO_WARPS;
    else if (!knows(q, line->since, who, same))
        reads = merge(q, line->since);
    if (reads == RACE_WHO_COUNT) return false;
    line->since = q->now | reads;
    line->since_site = q->site;
    line->since_log2 = (uint8_t)now.log2;
    return true;
}

/* A line that has cells: a write of all of them makes it compact. */
static bool cells_access(const struct race_quick *q, struct race_page *page, uint32_t number,
                         struct pattern now)
{
    uint32_t first = number * RACE_LINE_CELLS;
    if (!race_quick_cells(q, page, first, RACE_LINE_CELLS, now.lane, now.log2)) return false;
    if (q->type != RACE_WRITE) return true;
    note_write(q, &page->lines[number], now);
    page->compact |= UINT32_C(1) << number;
    return true;
}

bool race_line_access(const struct race_quick *q, struct race_page *page, uint32_t number, uint32_t lane,
                      uint32_t log2)
{
    struct race_line *line = &page->lines[number];
    struct pattern now = {lane, log2};
    if (!(page->compact >> number & 1)) return cells_access(q, page, number, now);
    uint32_t last_who = (line->last & RACE_CODE) - RACE_CODE_WRITES;
    bool last_same = last_who == lane && line->last_log2 == log2;
    bool last_known = knows(q, line->last, last_who, last_same);
    if (q->warp >= RACE_ASYNC) return false;
    if (q->type == RACE_READ) return last_known && line_read(q, line, now);
    uint32_t since_who = line->since & RACE_CODE;
    if (!knows(q, line->since, since_who, since_who == lane && line->since_log2 == log2)) return false;
    if (has_sync(page, number)) return false;
    if (!last_known && !(last_same && report_writes(q, page, number, now))) return false;
    note_write(q, line, now);
    return true;
}
