/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that race with nothing, quickly. Method: the slices that all lanes of a warp know are, but for
 * clocks, a few ranges of numbers: those of tasks before this one, those of the block up to its barrier,
 * those of the warp. Cells side by side are compared with these as vectors. What lies outside is looked up
 * once if all cells have been accessed in one slice. Results are those of race_cell.c, which does all that
 * this refuses.
 *
 * The order of types and kinds in the low byte of an epoch matters here: reads come first, weak writes last.
 */
#include "race_priv.h"

#include <string.h>

static void range_set(uint32_t *begin, uint32_t *length, uint32_t first, uint32_t last)
{
    *begin = first << RACE_SLICE_SHIFT;
    *length = last >= first ? (last + 1 - first) << RACE_SLICE_SHIFT : 0;
}

static void quick_begin(struct race_quick *quick, struct race_block *block, uint32_t warp)
{
    struct race *race = block->race;
    uint32_t slice = race_slice_now(race, block, warp);
    *quick = (struct race_quick){.block = block,
                                 .warp = warp,
                                 .owner = race->owner,
                                 .now = slice << RACE_SLICE_SHIFT,
                                 .base = (block->task->base + 1) << RACE_SLICE_SHIFT};
    range_set(&quick->block_begin, &quick->block_length, race->block_run, block->async ? 0 : block->sync);
    range_set(&quick->warp_begin, &quick->warp_length, race->run, block->warps[warp].sync);
    range_set(&quick->own_begin, &quick->own_length, race->run, slice);
    range_set(&quick->task_begin, &quick->task_length, race->task_run, slice);
}

const struct race_quick *race_quick_of(struct race_block *block, uint32_t warp,
                                       const struct race_access *what, enum race_type type)
{
    struct race *race = block->race;
    struct race_quick *quick = &race->quick;
    bool same = !race->slice_ended && race->owner == (block->index << RACE_OWNER_WARP_BITS | warp) &&
                quick->owner == race->owner && quick->now == race_slice_last(race) << RACE_SLICE_SHIFT;
    if (!same) quick_begin(quick, block, warp);
    quick->type = type;
    quick->site = what->site < UINT16_MAX ? (uint16_t)what->site : UINT16_MAX;
    return quick;
}

/* ---- one cell */

bool race_quick_knows(const struct race_quick *q, uint32_t epoch, uint32_t lane)
{
    if (epoch < q->base) return true;
    if (epoch >= RACE_EPOCH_SET) return false;
    const struct race_block *block = q->block;
    const struct race *race = block->race;
    uint32_t slice = epoch >> RACE_SLICE_SHIFT, owner = race->slices.at[slice];
    uint32_t who = (epoch & RACE_CODE) % RACE_WHO_COUNT, other = owner >> RACE_OWNER_WARP_BITS;
    if (other != block->index) {
        const struct race_task *task = race->tasks.at[race->blocks.at[other].task];
        return task != block->task && race_task_knows(block->task, task);
    }
    if (who == RACE_WHO_BLOCKS) return false;
    if (slice <= block->sync && (owner & (RACE_WARPS - 1)) < RACE_ASYNC) return true;
    bool mine = owner == q->owner || (q->warp >= RACE_ASYNC && owner + RACE_ASYNC == q->owner);
    if (who == RACE_WHO_WARPS || !mine) return false;
    return (who == lane && lane < RACE_LANES) || slice <= block->warps[owner & (RACE_WARPS - 1)].sync;
}

/* The same as race_quick_knows in most cases, without looking anything up. */
static inline bool is_in_ranges(const struct race_quick *q, uint32_t epoch, uint32_t first_code,
                                uint32_t lane)
{
    if (epoch < q->base) return true;
    uint32_t who = (epoch & RACE_CODE) - first_code;
    if (epoch - q->block_begin < q->block_length && who < RACE_WHO_BLOCKS) return true;
    if (epoch - q->warp_begin < q->warp_length && who < RACE_WHO_WARPS) return true;
    return epoch - q->own_begin < q->own_length && who == lane && lane < RACE_LANES;
}

bool race_quick_may_merge(const struct race_quick *q, uint32_t owner)
{
    const struct race *race = q->block->race;
    const struct race_block_info *other = &race->blocks.at[owner >> RACE_OWNER_WARP_BITS];
    bool async = (owner & (RACE_WARPS - 1)) >= RACE_ASYNC || q->warp >= RACE_ASYNC;
    return !async && !q->block->complex && !other->complex && race->tasks.at[other->task] == q->block->task;
}

/* Who has accessed a cell: those of an epoch with accesses of this type, and this lane. RACE_WHO_COUNT: more
 * than a number can say. */
static uint32_t merge(const struct race_quick *q, uint32_t epoch, uint32_t lane)
{
    uint32_t owner = q->block->race->slices.at[epoch >> RACE_SLICE_SHIFT];
    uint32_t who = (epoch & RACE_CODE) % RACE_WHO_COUNT, least = RACE_WHO_BLOCKS;
    if (owner == q->owner) {
        if (lane == RACE_WHO_ALL && who <= RACE_WHO_ALL) return RACE_WHO_ALL;
        if (who == lane) return lane;
        least = RACE_WHO_ALL;
    } else if (owner >> RACE_OWNER_WARP_BITS == q->block->index) {
        least = RACE_WHO_WARPS;
    }
    if (!race_quick_may_merge(q, owner)) return RACE_WHO_COUNT;
    return who > least ? who : least;
}

/* Who has accessed the cell since the last write, this access included; RACE_WHO_COUNT: see merge. */
static uint32_t who_since(const struct race_quick *q, uint32_t epoch, uint32_t lane)
{
    uint32_t type = (epoch & RACE_CODE) / RACE_WHO_COUNT;
    if (!epoch) return lane;
    if (epoch >= RACE_EPOCH_SET) return RACE_WHO_COUNT;
    if (q->type == RACE_READ ? type < RACE_STRONG_WRITE : type == q->type) {
        bool of_task =
            epoch - q->task_begin < q->task_length; /* and then so are all, which are of this type */
        if (of_task && (epoch & RACE_CODE) == q->type * RACE_WHO_COUNT + RACE_WHO_BLOCKS)
            return RACE_WHO_BLOCKS;
        if (is_in_ranges(q, epoch, type * RACE_WHO_COUNT, lane) || race_quick_knows(q, epoch, lane))
            return lane;
        if (type == q->type) return merge(q, epoch, lane);
    }
    return RACE_WHO_COUNT;
}

static inline bool cell_access(const struct race_quick *q, struct race_page *page, uint32_t cell,
                               uint32_t lane)
{
    uint32_t last = page->last[cell], since = page->since[cell];
    if (q->type != RACE_READ && page->sync && page->sync[cell]) return false;
    if (!is_in_ranges(q, last, RACE_CODE_WRITES, lane) && !race_quick_knows(q, last, lane)) return false;
    if (q->type == RACE_WRITE) {
        if (!is_in_ranges(q, since, 0, lane) && !race_quick_knows(q, since, lane)) return false;
        page->last[cell] = q->now | (RACE_CODE_WRITES + lane);
        page->last_site[cell] = q->site;
        page->since[cell] = 0;
        return true;
    }
    uint32_t who = who_since(q, since, lane);
    /* strong accesses of the scope of a block are exempt from races with those of their block alone */
    bool narrow = q->type == RACE_STRONG_READ || q->type == RACE_STRONG_WRITE;
    if (who == RACE_WHO_COUNT || (narrow && who == RACE_WHO_BLOCKS)) return false;
    if (who == RACE_WHO_BLOCKS && since - q->task_begin < q->task_length &&
        (since & RACE_CODE) == RACE_WHO_BLOCKS)
        return true; /* blocks of this task have read it: it is one of them */
    page->since[cell] = q->now | (q->type * RACE_WHO_COUNT + who);
    page->since_site[cell] = q->site;
    return true;
}

/* The pages of lanes' addresses; how often one differs from that of the lane before. */
static uint32_t pages_of(const struct race_quick *q, const uint64_t *addresses, lane_mask mask,
                         struct race_page **pages)
{
    struct race_page *page = NULL;
    uint64_t number = UINT64_MAX;
    uint32_t changes = 0;
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (addresses[lane] >> RACE_PAGE_BITS != number) {
            number = addresses[lane] >> RACE_PAGE_BITS;
            page = race_page_find(q->block->race, addresses[lane]);
            if (page) __builtin_prefetch(page);
            changes++;
        }
        pages[lane] = page;
    }
    return changes;
}

/* Shadow memory of scattered addresses misses caches: all lanes' is asked for before the first is looked at.
 */
static void cells_prefetch(const uint64_t *addresses, lane_mask mask, struct race_page **pages)
{
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const struct race_page *page = pages[lane];
        if (!page || !page->memory) continue;
        uint32_t cell = (uint32_t)(addresses[lane] & (RACE_PAGE_BYTES - 1)) >> page->shift;
        __builtin_prefetch(&page->last[cell]);
        __builtin_prefetch(&page->since[cell], 1);
        __builtin_prefetch(&page->since_site[cell], 1);
    }
}

enum { SCATTERED = 16 }; /* implementation: half the lanes; asking early takes time, too */

/* An access of one cell of one lane each, until one cannot be done; the lanes that are left. */
lane_mask race_quick_lanes(const struct race_quick *q, const uint64_t *addresses, lane_mask mask,
                           uint32_t bytes)
{
    struct race_page *pages[RACE_LANES];
    if (pages_of(q, addresses, mask, pages) > SCATTERED) cells_prefetch(addresses, mask, pages);
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        uint64_t address = addresses[lane];
        struct race_page *page = pages[lane];
        if (!page || bytes >> page->shift != 1 || (address & (bytes - 1))) break;
        uint32_t cell = (uint32_t)(address & (RACE_PAGE_BYTES - 1)) >> page->shift;
        if (race_page_is_compact(page, cell))
            race_page_expand(q->block->race, page, UINT32_C(1) << cell / RACE_LINE_CELLS);
        if (!cell_access(q, page, cell, lane)) break;
    }
    return mask;
}

bool race_quick_is_ordered(const struct race_quick *q, const struct race_page *page, uint32_t cell,
                           uint32_t lane)
{
    return race_quick_knows(q, page->last[cell], lane) && race_quick_knows(q, page->since[cell], lane);
}

bool race_quick_cell(const struct race_quick *q, struct race_page *page, uint32_t cell, uint32_t lane)
{
    return cell_access(q, page, cell, lane);
}

/* ---- cells side by side: cell i belongs to lane first_lane + (i >> cells_log2) */

/* How many of these epochs of last writes, and of reads since, are not in the ranges. */
static inline __attribute__((always_inline)) uint32_t outside_last(const struct race_quick *q,
                                                                   const uint32_t *at, uint32_t count,
                                                                   uint32_t lane, uint32_t log2)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = at[i], code = e & RACE_CODE;
        uint32_t mine = (e - q->own_begin < q->own_length) & (code == RACE_CODE_WRITES + lane + (i >> log2));
        uint32_t ours = (e - q->block_begin < q->block_length) | (e - q->warp_begin < q->warp_length);
        outside += !((e < q->base) | ((code >= RACE_CODE_WRITES) & (mine | ours)));
    }
    return outside;
}

static inline __attribute__((always_inline)) uint32_t outside_since(const struct race_quick *q,
                                                                    const uint32_t *at, uint32_t count,
                                                                    uint32_t lane, uint32_t log2,
                                                                    uint32_t code_end)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = at[i], code = e & RACE_CODE;
        uint32_t mine = (e - q->own_begin < q->own_length) & (code == lane + (i >> log2));
        uint32_t block = (e - q->block_begin < q->block_length) & (code < RACE_WHO_BLOCKS);
        uint32_t warp = (e - q->warp_begin < q->warp_length) & (code < RACE_WHO_WARPS);
        outside += !(((e < q->base) & (code < code_end)) | mine | block | warp);
    }
    return outside;
}

static inline __attribute__((always_inline)) void fill(uint32_t *restrict at, uint16_t *restrict sites,
                                                       uint32_t count, uint32_t first, uint32_t log2,
                                                       uint16_t site)
{
    for (uint32_t i = 0; i < count; i++)
        at[i] = first + (i >> log2);
    for (uint32_t i = 0; i < count; i++)
        sites[i] = site;
}

/* All cells were accessed in one slice; the codes' least and greatest. */
struct same {
    uint32_t slice, least, most;
};

static inline __attribute__((always_inline)) bool same_of(const uint32_t *at, uint32_t count,
                                                          struct same *same)
{
    uint32_t differ = 0, least = RACE_CODE, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t code = at[i] & RACE_CODE;
        differ |= (at[i] ^ at[0]) >> RACE_SLICE_SHIFT;
        least = code < least ? code : least;
        most = code > most ? code : most;
    }
    *same = (struct same){at[0] >> RACE_SLICE_SHIFT, least, most};
    return !differ && at[0] < RACE_EPOCH_SET;
}

static inline __attribute__((always_inline)) bool is_own_lanes(const uint32_t *at, uint32_t count,
                                                               uint32_t first, uint32_t log2)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; i++)
        differ |= (at[i] & RACE_CODE) ^ (first + (i >> log2));
    return !differ;
}

/* All lanes know what the lanes of one warp did in a slice: codes from first_code to RACE_WHO_ALL more. */
static bool all_know(const struct race_quick *q, const struct same *same, uint32_t first_code)
{
    if (same->least < first_code || same->most > first_code + RACE_WHO_ALL) return false;
    uint32_t owner = q->block->race->slices.at[same->slice];
    const struct race_block_info *info = &q->block->race->blocks.at[owner >> RACE_OWNER_WARP_BITS];
    lane_mask who = race_lanes_of(info->threads, owner & (RACE_WARPS - 1));
    if (!race_warp_unknown(q->block, q->warp, same->slice, who)) return true;
    return q->warp >= RACE_ASYNC && !race_warp_unknown(q->block, q->warp - RACE_ASYNC, same->slice, who);
}

bool race_quick_may_read(const struct race_quick *q, const struct race_page *page, uint32_t cell)
{
    uint32_t last = page->last[cell], since = page->since[cell], code = last & RACE_CODE;
    struct same same = {last >> RACE_SLICE_SHIFT, code, code};
    if (!race_quick_knows(q, last, RACE_WHO_ALL) &&
        (last >= RACE_EPOCH_SET || !all_know(q, &same, RACE_CODE_WRITES)))
        return false;
    if (since < RACE_EPOCH_SET) return (since & RACE_CODE) < RACE_CODE_STRONG_WRITES;
    const struct race_set *set = race_set_of(q->block->race, since);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].type >= RACE_STRONG_WRITE) return false;
    return true;
}

static bool is_own_slice(const struct race_quick *q, uint32_t slice)
{
    uint32_t owner = q->block->race->slices.at[slice];
    return owner == q->owner || (q->warp >= RACE_ASYNC && owner + RACE_ASYNC == q->owner);
}

SW_CLONES __attribute__((optimize("O3"))) static bool
last_is_known(const struct race_quick *q, const uint32_t *at, uint32_t count, uint32_t lane, uint32_t log2)
{
    bool words = count == RACE_LANES && !log2; /* most often: one cell a lane; the compiler unrolls it */
    if (!(words ? outside_last(q, at, RACE_LANES, lane, 0) : outside_last(q, at, count, lane, log2)))
        return true;
    struct same same;
    if (!same_of(at, count, &same)) return false;
    return all_know(q, &same, RACE_CODE_WRITES) ||
           (is_own_slice(q, same.slice) && is_own_lanes(at, count, RACE_CODE_WRITES + lane, log2));
}

SW_CLONES __attribute__((optimize("O3"))) static bool since_is_known(const struct race_quick *q,
                                                                     const uint32_t *at, uint32_t count,
                                                                     uint32_t lane, uint32_t log2,
                                                                     uint32_t code_end)
{
    bool words = count == RACE_LANES && !log2;
    if (!(words ? outside_since(q, at, RACE_LANES, lane, 0, code_end)
                : outside_since(q, at, count, lane, log2, code_end)))
        return true;
    struct same same;
    if (!same_of(at, count, &same)) return false;
    return all_know(q, &same, 0) || (is_own_slice(q, same.slice) && is_own_lanes(at, count, lane, log2));
}

SW_CLONES __attribute__((optimize("O3"))) static void note_write(const struct race_quick *q,
                                                                 struct race_page *page, uint32_t first,
                                                                 uint32_t count, uint32_t lane, uint32_t log2)
{
    uint32_t code = q->now + RACE_CODE_WRITES + lane;
    if (count == RACE_LANES && !log2)
        fill(page->last + first, page->last_site + first, RACE_LANES, code, 0, q->site);
    else
        fill(page->last + first, page->last_site + first, count, code, log2, q->site);
    memset(page->since + first, 0, count * sizeof *page->since);
}

SW_CLONES __attribute__((optimize("O3"))) static void note_read(const struct race_quick *q,
                                                                struct race_page *page, uint32_t first,
                                                                uint32_t count, uint32_t lane, uint32_t log2)
{
    if (count == RACE_LANES && !log2)
        fill(page->since + first, page->since_site + first, RACE_LANES, q->now + lane, 0, q->site);
    else
        fill(page->since + first, page->since_site + first, count, q->now + lane, log2, q->site);
}

/* Adds this warp's reads to those that cells have had in one slice. */
SW_CLONES __attribute__((optimize("O3"))) static bool
merge_reads(const struct race_quick *q, struct race_page *page, uint32_t first, uint32_t count)
{
    uint32_t *at = page->since + first, other = 0;
    for (uint32_t i = 0; i < count; i++)
        other += !((at[i] & RACE_CODE) == RACE_WHO_BLOCKS && at[i] - q->task_begin < q->task_length);
    if (!other) return true;
    struct same same;
    if (!same_of(at, count, &same) || !same.slice || same.most >= RACE_WHO_COUNT) return false;
    uint32_t owner = q->block->race->slices.at[same.slice];
    if (owner == q->owner || !race_quick_may_merge(q, owner)) return false;
    uint32_t least = owner >> RACE_OWNER_WARP_BITS == q->block->index ? RACE_WHO_WARPS : RACE_WHO_BLOCKS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t who = at[i] & RACE_CODE;
        at[i] = q->now | (who > least ? who : least);
    }
    for (uint32_t i = 0; i < count; i++)
        page->since_site[first + i] = q->site;
    return true;
}

/* Sets that cells share go with the write. */
static void sets_free(struct race *race, const uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        race_set_free(race, at[i]);
}

static bool quick_write(const struct race_quick *q, struct race_page *page, uint32_t first, uint32_t count,
                        uint32_t lane, uint32_t log2)
{
    for (uint32_t i = 0; page->sync && i < count; i++)
        if (page->sync[first + i]) return false;
    if (!since_is_known(q, page->since + first, count, lane, log2, RACE_CODE + 1)) {
        if (!race_row_is_known(q, page, first, count, lane, log2, false)) return false;
        sets_free(q->block->race, page->since + first, count);
    }
    note_write(q, page, first, count, lane, log2);
    return true;
}

bool race_quick_cells(const struct race_quick *q, struct race_page *page, uint32_t first, uint32_t count,
                      uint32_t lane, uint32_t log2)
{
    if (!last_is_known(q, page->last + first, count, lane, log2)) return false;
    if (q->type == RACE_WRITE) return quick_write(q, page, first, count, lane, log2);
    if (since_is_known(q, page->since + first, count, lane, log2, RACE_CODE_STRONG_WRITES)) {
        note_read(q, page, first, count, lane, log2);
        return true;
    }
    if (!q->block->complex) return merge_reads(q, page, first, count);
    if (!race_row_is_known(q, page, first, count, lane, log2, true)) return false;
    race_row_read(q, page, first, count, lane, log2);
    return true;
}
