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

/* Cuts the cells of the first page off [*address, end). */
static struct span span_next(struct race *race, uint64_t *address, uint64_t end)
{
    struct race_page *page = race_page_get(race, *address);
    uint64_t page_end = (page->number + 1) << RACE_PAGE_BITS;
    uint64_t stop = end < page_end ? end : page_end;
    if (page->shift && ((*address | stop) & 3)) race_page_split(race, page);
    uint32_t offset = (uint32_t)(*address & (RACE_PAGE_BYTES - 1));
    uint32_t first = offset >> page->shift, count = (uint32_t)(stop - *address) >> page->shift;
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
    uint32_t slice = step == STEP_UPDATE ? race_slice_now(block->race, block, act->agent.warp) : 0;
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
                             .what = what,
                             .type = type_of(what)};
}

void race_access(struct race_block *block, uint32_t warp, const struct race_access *what,
                 const uint64_t *addresses, lane_mask mask)
{
    if (what->strong) {
        for (lane_mask rest = mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            struct race_act act = act_of(block, warp, what, lane);
            strong_lane(&act, addresses[lane]);
        }
        if (what->releases) race_slice_end(block->race);
        return;
    }
    for (enum step step = STEP_CHECK; step <= STEP_UPDATE; step++)
        for (lane_mask rest = mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            struct race_act act = act_of(block, warp, what, lane);
            lane_step(&act, step, addresses[lane]);
        }
}

void race_access_affine(struct race_block *block, uint32_t warp, const struct race_access *what,
                        uint64_t first, int64_t stride, lane_mask mask)
{
    uint64_t addresses[RACE_LANES];
    for (uint32_t lane = 0; lane < RACE_LANES; lane++)
        addresses[lane] = first + lane * (uint64_t)stride;
    race_access(block, warp, what, addresses, mask);
}

void race_forget(struct race *race, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    while (address < end) {
        uint64_t page_end = (address & -(uint64_t)RACE_PAGE_BYTES) + RACE_PAGE_BYTES;
        struct race_page *page = race_page_find(race, address);
        bool whole = end >= page_end && !(address & (RACE_PAGE_BYTES - 1));
        if (!page || whole) {
            if (page) race_page_free(race, page);
            address = page_end;
            continue;
        }
        struct span span = span_next(race, &address, end);
        for (uint32_t cell = span.first; cell < span.end; cell++)
            race_cell_clear(race, span.page, cell);
    }
}
