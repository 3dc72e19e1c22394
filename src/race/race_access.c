/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses: from what a warp's lanes do to cells of shadow memory. Method: lanes of a weak access are
 * compared with what was before it, then noted, so that they are not compared with each other, but for writes
 * of several lanes to one byte. Lanes of a strong access act one after the other, since each may acquire what
 * the one before it released. */
#include "race_priv.h"

static enum race_type type_of(const struct race_access *what)
{
    if (!what->strong) return what->writes ? RACE_WRITE : RACE_READ;
    bool all = race_level_of(what->scope) == RACE_LEVEL_ALL;
    if (what->writes) return all ? RACE_STRONG_WRITE_ALL : RACE_STRONG_WRITE;
    return all ? RACE_STRONG_READ_ALL : RACE_STRONG_READ;
}

/* The cells of a page that an access touches. */
struct span {
    struct race_page *page;
    uint32_t first, end;
};

/* Cells as large as this alignment allows. */
static uint32_t shift_of(uint64_t alignment)
{
    return (uint32_t)__builtin_ctzll(alignment | 1u << RACE_WORD_SHIFT);
}

static void lines_expand(struct race *race, struct race_page *page, uint32_t first, uint32_t end)
{
    uint32_t line = first / RACE_LINE_CELLS, last = (end - 1) / RACE_LINE_CELLS;
    uint32_t lines = page->compact & ~0u << line & ~0u >> (RACE_LINES - 1 - last);
    if (lines) race_page_expand(race, page, lines);
}

/* Cuts the cells of the first page off [*address, end). */
static struct span span_next(struct race *race, uint64_t *address, uint64_t end)
{
    uint64_t page_end = (*address & -(uint64_t)RACE_PAGE_BYTES) + RACE_PAGE_BYTES;
    uint64_t stop = end < page_end ? end : page_end;
    uint32_t shift = shift_of(*address | stop);
    struct race_page *page = race_page_get(race, *address, shift);
    if (page->shift > shift) race_page_split(race, page, shift);
    uint32_t offset = (uint32_t)(*address & (RACE_PAGE_BYTES - 1));
    uint32_t first = offset >> page->shift, count = (uint32_t)(stop - *address) >> page->shift;
    if (page->compact) lines_expand(race, page, first, first + count);
    *address = stop;
    return (struct span){page, first, first + count};
}

enum step { STEP_ACQUIRE, STEP_CHECK, STEP_UPDATE, STEP_RELEASE };

static void cell_step(struct race_act *act, enum step step, struct race_page *page, uint32_t cell,
                      uint32_t slice)
{
    switch (step) {
    case STEP_ACQUIRE: race_sync_read(&act->agent, act->what, page, cell); break;
    case STEP_CHECK: race_cell_check(act, page, cell); break;
    case STEP_UPDATE: race_cell_update(act, page, cell, slice); break;
    case STEP_RELEASE: race_sync_write(&act->agent, act->what, page, cell); break;
    }
}

static void lane_step(struct race_act *act, enum step step, uint64_t address)
{
    struct race_block *block = act->agent.block;
    uint64_t end = address + act->what->bytes;
    uint32_t slice = 0;
    if (step == STEP_UPDATE) {
        slice = race_slice_now(block->race, block, act->agent.warp);
        act->agent.owner = block->race->owner; /* numbers may be new */
    }
    while (address < end) {
        struct span span = span_next(block->race, &address, end);
        for (uint32_t cell = span.first; cell < span.end; cell++)
            cell_step(act, step, span.page, cell, slice);
    }
}

static void strong_lane(struct race_act *act, uint64_t address)
{
    const struct race_access *what = act->what;
    if (what->reads) lane_step(act, STEP_ACQUIRE, address);
    lane_step(act, STEP_CHECK, address);
    lane_step(act, STEP_UPDATE, address);
    if (what->writes) lane_step(act, STEP_RELEASE, address);
}

static struct race_act act_of(struct race_block *block, uint32_t warp, const struct race_access *what,
                              uint32_t lane)
{
    return (struct race_act){.agent = {block, warp, lane, block->index << RACE_OWNER_WARP_BITS | warp},
                             .mask = 1u << lane,
                             .what = what,
                             .type = type_of(what)};
}

/* Compares each lane with what was before the access, then notes all. */
static void weak_slow(struct race_block *block, uint32_t warp, const struct race_access *what,
                      const uint64_t *addresses, lane_mask mask)
{
    for (enum step step = STEP_CHECK; step <= STEP_UPDATE; step++)
        for (lane_mask rest = mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            struct race_act act = act_of(block, warp, what, lane);
            lane_step(&act, step, addresses[lane]);
        }
}

static void lane_slow(struct race_block *block, uint32_t warp, const struct race_access *what,
                      uint64_t address, uint32_t lane)
{
    struct race_act act = act_of(block, warp, what, lane);
    if (what->strong) {
        strong_lane(&act, address);
    } else {
        lane_step(&act, STEP_CHECK, address);
        lane_step(&act, STEP_UPDATE, address);
    }
}

enum { LONG_CELLS = 8 }; /* from how many cells of a lane on they are done as vectors */

static bool span_quick(const struct race_quick *quick, const struct span *span, uint32_t lane)
{
    bool weak = quick->type == RACE_READ || quick->type == RACE_WRITE;
    uint32_t count = span->end - span->first;
    if (weak && count >= LONG_CELLS && lane < RACE_LANES &&
        race_quick_cells(quick, span->page, span->first, count, lane, RACE_ONE_LANE))
        return true;
    for (uint32_t cell = span->first; cell < span->end; cell++)
        if (!race_quick_cell(quick, span->page, cell, lane)) return false;
    return true;
}

/* Does it or says that it cannot; in the latter case some cells may be done, and are done again. */
static bool lane_quick(const struct race_quick *quick, uint64_t address, uint32_t bytes, uint32_t lane)
{
    uint64_t end = address + bytes;
    while (address < end) {
        struct span span = span_next(quick->block->race, &address, end);
        if (!span_quick(quick, &span, lane)) return false;
    }
    return true;
}

/* Several lanes may write one byte: all are compared with what was before. */
static bool same_value_quick(const struct race_quick *quick, const struct race_access *what,
                             const uint64_t *addresses, lane_mask mask)
{
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (uint64_t at = addresses[lane], end = at + what->bytes; at < end;) {
            struct span span = span_next(quick->block->race, &at, end);
            for (uint32_t cell = span.first; cell < span.end; cell++)
                if (!race_quick_is_ordered(quick, span.page, cell, lane)) return false;
        }
    }
    for (lane_mask rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (lane_quick(quick, addresses[lane], what->bytes, lane)) continue;
        struct race_act act = act_of(quick->block, quick->warp, what, lane);
        lane_step(&act, STEP_UPDATE, addresses[lane]);
    }
    return true;
}

/* Lanes read one address: each is compared if need be, then all are noted at once. */
static void broadcast_slow(const struct race_quick *quick, const struct race_access *what, uint64_t address,
                           lane_mask mask)
{
    bool may_race = false;
    for (uint64_t at = address, end = at + what->bytes; at < end;) {
        struct span span = span_next(quick->block->race, &at, end);
        for (uint32_t cell = span.first; cell < span.end; cell++)
            may_race |= !race_quick_may_read(quick, span.page, cell);
    }
    for (lane_mask rest = may_race ? mask : 0; rest; rest &= rest - 1) {
        struct race_act act = act_of(quick->block, quick->warp, what, (uint32_t)__builtin_ctz(rest));
        lane_step(&act, STEP_CHECK, address);
    }
    struct race_act act = act_of(quick->block, quick->warp, what, (uint32_t)__builtin_ctz(mask));
    act.mask = mask;
    lane_step(&act, STEP_UPDATE, address);
}

/* Lanes of the mask that read what the first of them reads. */
static lane_mask same_address(const uint64_t *addresses, lane_mask mask)
{
    uint64_t address = addresses[__builtin_ctz(mask)];
    lane_mask same = 0;
    for (uint32_t lane = 0; lane < RACE_LANES; lane++)
        same |= (lane_mask)(addresses[lane] == address) << lane;
    return same & mask;
}

void race_access(struct race_block *block, uint32_t warp, const struct race_access *what,
                 const uint64_t *addresses, lane_mask mask)
{
    enum race_type type = type_of(what);
    const struct race_quick *quick = race_quick_of(block, warp, what, type);
    if (type == RACE_WRITE && what->same_value) {
        if (!same_value_quick(quick, what, addresses, mask)) weak_slow(block, warp, what, addresses, mask);
        return;
    }
    /* what fences and clocks have to do with it is not told quickly */
    bool may_be_quick = !what->strong || !(what->acquires || what->releases || block->warps[warp].lanes);
    enum { REFUSALS = 2 }; /* implementation: after so many, the other lanes' cells are likely alike */
    uint32_t refusals = 0;
    for (lane_mask rest = mask, done; rest; rest &= ~done) {
        may_be_quick &= refusals < REFUSALS;
        if (may_be_quick && !(rest = race_quick_lanes(quick, addresses, rest, what->bytes))) break;
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        done = UINT32_C(1) << lane;
        if (may_be_quick && lane_quick(quick, addresses[lane], what->bytes, lane)) continue;
        if (type == RACE_READ && block->complex) done = same_address(addresses, rest), refusals++;
        if (done & (done - 1))
            broadcast_slow(quick, what, addresses[lane], done);
        else
            lane_slow(block, warp, what, addresses[lane], lane);
    }
    if (what->releases) race_slice_end(block->race);
}

/* Lanes side by side, each of 1 to 16 bytes, aligned. */
static bool is_contiguous(const struct race_access *what, uint64_t first, int64_t stride)
{
    uint32_t bytes = what->bytes;
    return stride == (int64_t)bytes && bytes <= 16 && !(bytes & (bytes - 1)) && !(first & (bytes - 1));
}

/* Whole lines. */
static bool lines_quick(struct race_block *block, uint32_t warp, const struct race_access *what,
                        uint64_t first)
{
    const struct race_quick *quick = race_quick_of(block, warp, what, type_of(what));
    uint64_t end = first + (uint64_t)RACE_LANES * what->bytes;
    uint32_t log2 = (uint32_t)__builtin_ctz(what->bytes) - RACE_WORD_SHIFT;
    for (uint64_t at = first; at < end; at += RACE_LINE_BYTES) {
        struct race_page *page = race_page_get(block->race, at, RACE_WORD_SHIFT);
        uint32_t lane = (uint32_t)(at - first) >> (log2 + RACE_WORD_SHIFT);
        uint32_t line = (uint32_t)(at & (RACE_PAGE_BYTES - 1)) / RACE_LINE_BYTES;
        if (page->shift != RACE_WORD_SHIFT || !race_line_access(quick, page, line, lane, log2)) return false;
    }
    return true;
}

static bool contiguous_quick(struct race_block *block, uint32_t warp, const struct race_access *what,
                             uint64_t first)
{
    const struct race_quick *quick = race_quick_of(block, warp, what, type_of(what));
    uint64_t end = first + (uint64_t)RACE_LANES * what->bytes;
    for (uint64_t at = first; at < end;) {
        uint32_t lane = (uint32_t)((at - first) / what->bytes);
        struct span span = span_next(block->race, &at, end);
        uint32_t log2 = (uint32_t)__builtin_ctz(what->bytes);
        bool is_split = log2 < span.page->shift;
        if (is_split || !race_quick_cells(quick, span.page, span.first, span.end - span.first, lane,
                                          log2 - span.page->shift))
            return false;
    }
    return true;
}

static void broadcast(struct race_block *block, uint32_t warp, const struct race_access *what,
                      uint64_t address, lane_mask mask)
{
    const struct race_quick *quick = race_quick_of(block, warp, what, RACE_READ);
    bool all = mask == block->warps[warp].live;
    if (!all || !lane_quick(quick, address, what->bytes, RACE_WHO_ALL))
        broadcast_slow(quick, what, address, mask);
}

void race_access_affine(struct race_block *block, uint32_t warp, const struct race_access *what,
                        uint64_t first, int64_t stride, lane_mask mask)
{
    bool weak = !what->strong;
    if (weak && mask == ~0u && is_contiguous(what, first, stride)) {
        bool lines = what->bytes >= 1 << RACE_WORD_SHIFT && !(first & (RACE_LINE_BYTES - 1));
        if (lines && lines_quick(block, warp, what, first)) return;
        if (contiguous_quick(block, warp, what, first)) return;
    }
    if (weak && !what->writes && !stride && (mask & (mask - 1))) {
        broadcast(block, warp, what, first, mask);
        return;
    }
    uint64_t addresses[RACE_LANES];
    for (uint32_t lane = 0; lane < RACE_LANES; lane++)
        addresses[lane] = first + lane * (uint64_t)stride;
    race_access(block, warp, what, addresses, mask);
}

static bool is_written(const struct race_page *page)
{
    for (uint32_t i = 0; i < RACE_LINES; i++)
        if (page->compact >> i & 1 && page->lines[i].last) return true;
    for (uint32_t i = 0; i < race_page_cells(page); i++)
        if (!race_page_is_compact(page, i) && page->last[i]) return true;
    return false;
}

enum race_known race_known_at(struct race *race, uint64_t address)
{
    const struct race_page *page = race_page_find(race, address);
    if (!page) return RACE_KNOWN_NOTHING;
    return is_written(page) ? RACE_KNOWN_WRITTEN : RACE_KNOWN_READ;
}

/* Part of a page. */
static void forget_part(struct race *race, struct race_page *page, uint64_t address, uint64_t end)
{
    while (address < end) {
        uint32_t line = (uint32_t)(address & (RACE_PAGE_BYTES - 1)) / RACE_LINE_BYTES;
        uint64_t line_end = (address & -(uint64_t)RACE_LINE_BYTES) + RACE_LINE_BYTES;
        bool whole = end >= line_end && !(address & (RACE_LINE_BYTES - 1));
        if (whole && page->shift == RACE_WORD_SHIFT) {
            race_line_clear(race, page, line);
            address = line_end;
            continue;
        }
        struct span span = span_next(race, &address, end < line_end ? end : line_end);
        for (uint32_t cell = span.first; cell < span.end; cell++)
            race_cell_clear(race, span.page, cell);
    }
}

void race_forget(struct race *race, uint64_t address, uint64_t bytes)
{
    enum { SOON_BYTES = 256 << 10 }; /* more than a block's shared memory, which the next block has, too */
    uint64_t end = address + bytes;
    bool again = bytes <= SOON_BYTES;
    for (uint64_t next; address < end; address = next) {
        next = (address & -(uint64_t)RACE_PAGE_BYTES) + RACE_PAGE_BYTES;
        struct race_page *page = race_page_find(race, address);
        bool whole = end >= next && !(address & (RACE_PAGE_BYTES - 1));
        if (page && !whole)
            forget_part(race, page, address, end < next ? end : next);
        else if (page && again && page->shift == RACE_WORD_SHIFT)
            race_page_clear(race, page);
        else if (page)
            race_page_free(race, page);
    }
}
