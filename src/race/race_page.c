/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow memory: a page for each 4 KiB of data that was accessed, found by its number in tables of regions.
 * Its cells are words until something accesses less than a word, then halves or bytes. Words that whole warps
 * alone access have no cells, but one line (race_line.c); a page gets cells when the first of its lines is
 * accessed otherwise. */
#include "race_priv.h"

#include <string.h>

enum { CELL_BYTES = 12 }; /* of shadow memory: two epochs, two sites */
static const size_t REGION_PAGES = (size_t)1 << RACE_REGION_BITS;

struct race_region *race_region_find(struct race *race, uint64_t number)
{
    struct race_region *region = map_get_u64(&race->regions, number);
    if (region) race->recent[number % RACE_RECENT_REGIONS] = region;
    return region;
}

static struct race_page **page_slot(struct race *race, uint64_t number)
{
    uint64_t at = number >> RACE_REGION_BITS;
    struct race_region *region = race_region_find(race, at);
    if (!region) {
        region = sw_xcalloc(1, sizeof *region);
        region->number = at;
        map_set_u64(&race->regions, at, region);
        race->recent[at % RACE_RECENT_REGIONS] = region;
    }
    return &region->pages[number & (REGION_PAGES - 1)];
}

/* Gives the page its arrays. */
static void cells_new(struct race *race, struct race_page *page, uint32_t shift)
{
    page->shift = shift;
    size_t count = race_page_cells(page);
    page->memory = sw_xcalloc(count, CELL_BYTES);
    page->last = page->memory;
    page->since = page->last + count;
    page->last_site = (uint16_t *)(page->since + count);
    page->since_site = page->last_site + count;
    race->page_bytes += count * CELL_BYTES;
}

static void cells_free(struct race *race, struct race_page *page)
{
    if (page->memory) race->page_bytes -= race_page_cells(page) * (size_t)CELL_BYTES;
    free(page->memory);
    page->memory = NULL;
}

struct race_page *race_page_get(struct race *race, uint64_t address, uint32_t shift)
{
    struct race_page *page = race_page_find(race, address);
    if (page) return page;
    page = sw_xcalloc(1, sizeof *page);
    page->number = address >> RACE_PAGE_BITS;
    page->shift = shift;
    if (shift == RACE_WORD_SHIFT)
        page->compact = ~0u;
    else
        cells_new(race, page, shift);
    page->next = race->pages;
    if (race->pages) race->pages->previous = page;
    race->pages = page;
    race->page_bytes += sizeof *page;
    return *page_slot(race, page->number) = page;
}

/* An epoch of a cell of the old page, for one of the new cells. */
static uint32_t epoch_split(struct race *race, uint32_t epoch, uint32_t cell)
{
    if (epoch < RACE_EPOCH_SET) return epoch;
    struct race_member members[RACE_SET_MOST];
    uint32_t count = race_members_of(race, epoch, 0, cell, members);
    return race_set_new(race, members, count);
}

void race_page_split(struct race *race, struct race_page *page, uint32_t shift)
{
    race_page_expand(race, page, page->compact);
    struct race_page old = *page;
    uint32_t parts = 1u << (old.shift - shift);
    cells_new(race, page, shift);
    if (old.sync) page->sync = sw_xcalloc(race_page_cells(page), sizeof *page->sync);
    for (uint32_t i = 0; i < race_page_cells(page); i++) {
        uint32_t from = i / parts;
        bool first = i % parts == 0;
        page->last[i] = epoch_split(race, old.last[from], from);
        page->since[i] = epoch_split(race, old.since[from], from);
        page->last_site[i] = old.last_site[from];
        page->since_site[i] = old.since_site[from];
        if (old.sync) page->sync[i] = first ? old.sync[from] : race_sync_copy(old.sync[from]);
    }
    for (uint32_t i = 0; old.has_sets && i < race_page_cells(&old); i++) {
        race_set_free(race, old.last[i]);
        race_set_free(race, old.since[i]);
    }
    free(old.sync);
    cells_free(race, &old);
}

/* ---- lines */

static void epochs_fill(uint32_t *restrict at, uint32_t epoch, uint32_t who, uint32_t log2)
{
    bool lanes = epoch && who < RACE_LANES;
    for (uint32_t i = 0; i < RACE_LINE_CELLS; i++)
        at[i] = epoch + (lanes ? i >> log2 : 0);
}

static void sites_fill(uint16_t *restrict at, uint16_t site)
{
    for (uint32_t i = 0; i < RACE_LINE_CELLS; i++)
        at[i] = site;
}

static void line_expand(struct race_page *page, uint32_t number)
{
    const struct race_line *line = &page->lines[number];
    uint32_t first = number * RACE_LINE_CELLS;
    epochs_fill(page->last + first, line->last, (line->last & RACE_CODE) - RACE_CODE_WRITES, line->last_log2);
    epochs_fill(page->since + first, line->since, line->since & RACE_CODE, line->since_log2);
    sites_fill(page->last_site + first, line->last_site);
    sites_fill(page->since_site + first, line->since_site);
}

void race_page_expand(struct race *race, struct race_page *page, uint32_t lines)
{
    if (!page->memory) cells_new(race, page, page->shift);
    page->compact &= ~lines;
    for (; lines; lines &= lines - 1)
        line_expand(page, (uint32_t)__builtin_ctz(lines));
}

/* Cells let go of what they share. */
static void cells_drop(struct race *race, struct race_page *page, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; (page->has_sets || page->sync) && i < first + count; i++) {
        if (!race_page_is_compact(page, i)) {
            race_set_free(race, page->last[i]);
            race_set_free(race, page->since[i]);
        }
        race_sync_drop(race, page, i);
    }
}

void race_line_clear(struct race *race, struct race_page *page, uint32_t line)
{
    cells_drop(race, page, line * RACE_LINE_CELLS, RACE_LINE_CELLS);
    page->lines[line] = (struct race_line){0};
    page->compact |= UINT32_C(1) << line;
}

void race_page_clear(struct race *race, struct race_page *page)
{
    cells_drop(race, page, 0, race_page_cells(page));
    memset(page->lines, 0, sizeof page->lines);
    page->compact = ~0u;
    page->has_sets = false;
}

void race_page_free(struct race *race, struct race_page *page)
{
    cells_drop(race, page, 0, race_page_cells(page));
    cells_free(race, page);
    race->page_bytes -= sizeof *page;
    *page_slot(race, page->number) = NULL;
    if (page->next) page->next->previous = page->previous;
    if (page->previous)
        page->previous->next = page->next;
    else
        race->pages = page->next;
    free(page->sync);
    free(page);
}

void race_forget_all(struct race *race)
{
    while (race->pages)
        race_page_free(race, race->pages);
}
