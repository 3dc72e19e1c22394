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

enum {
    CODE = 0xff, /* of an epoch: type and who */
    STRONG_WRITES = RACE_STRONG_WRITE * RACE_WHO_COUNT,
    WRITES = RACE_WRITE * RACE_WHO_COUNT,
    WHO_WARPS = RACE_WHO_ALL + RACE_KIND_WARPS,
    WHO_BLOCKS = RACE_WHO_ALL + RACE_KIND_BLOCKS
};

static void range_set(uint32_t *begin, uint32_t *length, uint32_t first, uint32_t last)
{
    *begin = first << RACE_SLICE_SHIFT;
    *length = last >= first ? (last + 1 - first) << RACE_SLICE_SHIFT : 0;
}

struct race_quick race_quick_of(struct race_block *block, uint32_t warp, const struct race_access *what,
                                enum race_type type)
{
    struct race *race = block->race;
    uint32_t slice = race_slice_now(race, block, warp);
    struct race_quick quick = {.block = block,
                               .warp = warp,
                               .owner = race->owner,
                               .type = type,
                               .site = what->site < UINT16_MAX ? (uint16_t)what->site : UINT16_MAX,
                               .now = slice << RACE_SLICE_SHIFT,
                               .base = (block->task->base + 1) << RACE_SLICE_SHIFT};
    range_set(&quick.block_begin, &quick.block_length, race->block_run, block->async ? 0 : block->sync);
    range_set(&quick.warp_begin, &quick.warp_length, race->run, block->warps[warp].sync);
    range_set(&quick.own_begin, &quick.own_length, race->run, slice);
    range_set(&quick.task_begin, &quick.task_length, race->task_run, slice);
    return quick;
}

/* ---- one cell */

/* Whether a lane (or all: RACE_WHO_ALL) knows an access, but for clocks. */
static bool knows(const struct race_quick *q, uint32_t epoch, uint32_t lane)
{
    if (epoch < q->base) return true;
    if (epoch >= RACE_EPOCH_SET) return false;
    const struct race_block *block = q->block;
    const struct race *race = block->race;
    uint32_t slice = epoch >> RACE_SLICE_SHIFT, owner = race->slices.at[slice];
    uint32_t who = (epoch & CODE) % RACE_WHO_COUNT, other = owner >> RACE_OWNER_WARP_BITS;
    if (other != block->index) {
        const struct race_task *task = race->tasks.at[race->blocks.at[other].task];
        return task != block->task && race_task_knows(block->task, task);
    }
    if (who == WHO_BLOCKS) return false;
    if (slice <= block->sync && (owner & (RACE_WARPS - 1)) < RACE_ASYNC) return true;
    bool mine = owner == q->owner || (q->warp >= RACE_ASYNC && owner + RACE_ASYNC == q->owner);
    if (who == WHO_WARPS || !mine) return false;
    return (who == lane && lane < RACE_LANES) || slice <= block->warps[owner & (RACE_WARPS - 1)].sync;
}

/* The same as `knows` in most cases, without looking anything up. */
static inline bool is_in_ranges(const struct race_quick *q, uint32_t epoch, uint32_t first_code,
                                uint32_t lane)
{
    if (epoch < q->base) return true;
    uint32_t who = (epoch & CODE) - first_code;
    if (epoch - q->block_begin < q->block_length && who < WHO_BLOCKS) return true;
    if (epoch - q->warp_begin < q->warp_length && who < WHO_WARPS) return true;
    return epoch - q->own_begin < q->own_length && who == lane && lane < RACE_LANES;
}

static bool may_merge(const struct race_quick *q, uint32_t owner)
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
    uint32_t who = (epoch & CODE) % RACE_WHO_COUNT, least = WHO_BLOCKS;
    if (owner == q->owner) {
        if (lane == RACE_WHO_ALL && who <= RACE_WHO_ALL) return RACE_WHO_ALL;
        if (who == lane) return lane;
        least = RACE_WHO_ALL;
    } else if (owner >> RACE_OWNER_WARP_BITS == q->block->index) {
        least = WHO_WARPS;
    }
    if (!may_merge(q, owner)) return RACE_WHO_COUNT;
    return who > least ? who : least;
}

/* Who has accessed the cell since the last write, this access included; RACE_WHO_COUNT: see merge. */
static uint32_t who_since(const struct race_quick *q, uint32_t epoch, uint32_t lane)
{
    uint32_t type = (epoch & CODE) / RACE_WHO_COUNT;
    if (!epoch) return lane;
    if (epoch >= RACE_EPOCH_SET) return RACE_WHO_COUNT;
    if (q->type == RACE_READ ? type < RACE_STRONG_WRITE : type == q->type) {
        bool of_task =
            epoch - q->task_begin < q->task_length; /* and then so are all, which are of this type */
        if (of_task && (epoch & CODE) == q->type * RACE_WHO_COUNT + WHO_BLOCKS) return WHO_BLOCKS;
        if (is_in_ranges(q, epoch, type * RACE_WHO_COUNT, lane) || knows(q, epoch, lane)) return lane;
        if (type == q->type) return merge(q, epoch, lane);
    }
    return RACE_WHO_COUNT;
}

/* An access of one cell of one lane each, until one cannot be done; the lanes that are left. */
lane_mask race_quick_lanes(const struct race_quick *q, const uint64_t *addresses, lane_mask mask,
                           uint32_t bytes)
{
    struct race_page *page = NULL;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        uint64_t address = addresses[lane], number = address >> RACE_PAGE_BITS;
        if (!page || page->number != number) page = race_page_find(q->block->race, address);
        if (!page || bytes >> page->shift != 1 || (address & (bytes - 1))) break;
        uint32_t cell = (uint32_t)(address & (RACE_PAGE_BYTES - 1)) >> page->shift;
        if (!race_quick_cell(q, page, cell, lane)) break;
    }
    return mask;
}

bool race_quick_is_ordered(const struct race_quick *q, const struct race_page *page, uint32_t cell,
                           uint32_t lane)
{
    return knows(q, page->last[cell], lane) && knows(q, page->since[cell], lane);
}

bool race_quick_may_read(const struct race_quick *q, const struct race_page *page, uint32_t cell)
{
    uint32_t since = page->since[cell];
    if (!knows(q, page->last[cell], RACE_WHO_ALL)) return false;
    if (since < RACE_EPOCH_SET) return (since & CODE) < STRONG_WRITES;
    const struct race_set *set = race_set_of(q->block->race, since);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->at[i].type >= RACE_STRONG_WRITE) return false;
    return true;
}

bool race_quick_cell(const struct race_quick *q, struct race_page *page, uint32_t cell, uint32_t lane)
{
    uint32_t last = page->last[cell], since = page->since[cell];
    if (q->type != RACE_READ && page->sync && page->sync[cell]) return false;
    if (!is_in_ranges(q, last, WRITES, lane) && !knows(q, last, lane)) return false;
    if (q->type == RACE_WRITE) {
        if (!is_in_ranges(q, since, 0, lane) && !knows(q, since, lane)) return false;
        page->last[cell] = q->now | (WRITES + lane);
        page->last_site[cell] = q->site;
        page->since[cell] = 0;
        return true;
    }
    uint32_t who = who_since(q, since, lane);
    /* strong accesses of the scope of a block are exempt from races with those of their block alone */
    bool narrow = q->type == RACE_STRONG_READ || q->type == RACE_STRONG_WRITE;
    if (who == RACE_WHO_COUNT || (narrow && who == WHO_BLOCKS)) return false;
    page->since[cell] = q->now | (q->type * RACE_WHO_COUNT + who);
    page->since_site[cell] = q->site;
    return true;
}

/* ---- cells side by side: cell i belongs to lane first_lane + (i >> cells_log2) */

/* How many of these epochs of last writes, and of reads since, are not in the ranges. */
static inline __attribute__((always_inline)) uint32_t outside_last(const struct race_quick *q,
                                                                   const uint32_t *at, uint32_t count,
                                                                   uint32_t lane, uint32_t log2)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = at[i], code = e & CODE;
        uint32_t mine = (e - q->own_begin < q->own_length) & (code == WRITES + lane + (i >> log2));
        uint32_t ours = (e - q->block_begin < q->block_length) | (e - q->warp_begin < q->warp_length);
        outside += !((e < q->base) | ((code >= WRITES) & (mine | ours)));
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
        uint32_t e = at[i], code = e & CODE;
        uint32_t mine = (e - q->own_begin < q->own_length) & (code == lane + (i >> log2));
        uint32_t block = (e - q->block_begin < q->block_length) & (code < WHO_BLOCKS);
        uint32_t warp = (e - q->warp_begin < q->warp_length) & (code < WHO_WARPS);
        outside += !(((e < q->base) & (code < code_end)) | mine | block | warp);
    }
    return outside;
}

static inline __attribute__((always_inline)) void fill(uint32_t *at, uint16_t *sites, uint32_t count,
                                                       uint32_t first, uint32_t log2, uint16_t site)
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
    uint32_t differ = 0, least = CODE, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t code = at[i] & CODE;
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
        differ |= (at[i] & CODE) ^ (first + (i >> log2));
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

static bool is_own_slice(const struct race_quick *q, uint32_t slice)
{
    uint32_t owner = q->block->race->slices.at[slice];
    return owner == q->owner || (q->warp >= RACE_ASYNC && owner + RACE_ASYNC == q->owner);
}

SW_CLONES __attribute__((optimize("O3"))) static bool
last_is_known(const struct race_quick *q, const uint32_t *at, uint32_t count, uint32_t lane, uint32_t log2)
{
    if (!outside_last(q, at, count, lane, log2)) return true;
    struct same same;
    if (!same_of(at, count, &same)) return false;
    return all_know(q, &same, WRITES) ||
           (is_own_slice(q, same.slice) && is_own_lanes(at, count, WRITES + lane, log2));
}

SW_CLONES __attribute__((optimize("O3"))) static bool since_is_known(const struct race_quick *q,
                                                                     const uint32_t *at, uint32_t count,
                                                                     uint32_t lane, uint32_t log2,
                                                                     uint32_t code_end)
{
    if (!outside_since(q, at, count, lane, log2, code_end)) return true;
    struct same same;
    if (!same_of(at, count, &same)) return false;
    return all_know(q, &same, 0) || (is_own_slice(q, same.slice) && is_own_lanes(at, count, lane, log2));
}

SW_CLONES __attribute__((optimize("O3"))) static void note_write(const struct race_quick *q,
                                                                 struct race_page *page, uint32_t first,
                                                                 uint32_t count, uint32_t lane, uint32_t log2)
{
    fill(page->last + first, page->last_site + first, count, q->now + WRITES + lane, log2, q->site);
    for (uint32_t i = 0; i < count; i++)
        page->since[first + i] = 0;
}

SW_CLONES __attribute__((optimize("O3"))) static void note_read(const struct race_quick *q,
                                                                struct race_page *page, uint32_t first,
                                                                uint32_t count, uint32_t lane, uint32_t log2)
{
    fill(page->since + first, page->since_site + first, count, q->now + lane, log2, q->site);
}

/* Adds this warp's reads to those that cells have had in one slice. */
SW_CLONES __attribute__((optimize("O3"))) static bool
merge_reads(const struct race_quick *q, struct race_page *page, uint32_t first, uint32_t count)
{
    uint32_t *at = page->since + first, other = 0;
    for (uint32_t i = 0; i < count; i++)
        other += !((at[i] & CODE) == WHO_BLOCKS && at[i] - q->task_begin < q->task_length);
    if (!other) return true;
    struct same same;
    if (!same_of(at, count, &same) || !same.slice || same.most >= RACE_WHO_COUNT) return false;
    uint32_t owner = q->block->race->slices.at[same.slice];
    if (owner == q->owner || !may_merge(q, owner)) return false;
    uint32_t least = owner >> RACE_OWNER_WARP_BITS == q->block->index ? WHO_WARPS : WHO_BLOCKS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t who = at[i] & CODE;
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
    if (!since_is_known(q, page->since + first, count, lane, log2, CODE + 1)) {
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
    if (since_is_known(q, page->since + first, count, lane, log2, STRONG_WRITES)) {
        note_read(q, page, first, count, lane, log2);
        return true;
    }
    if (!q->block->complex) return merge_reads(q, page, first, count);
    if (!race_row_is_known(q, page, first, count, lane, log2, true)) return false;
    race_row_read(q, page, first, count, lane, log2);
    return true;
}
