/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow memory: a page for each 4 KiB of data that was accessed, found by its number in a hash map behind a
 * table of recent ones. Its cells are words until something accesses less than a word, then halves or bytes.
 */
#include "race_priv.h"

#include <string.h>

static struct race_page **recent_of(struct race *race, uint64_t number)
{
    return &race->recent[number & (RACE_RECENT_PAGES - 1)];
}

struct race_page *race_page_find(struct race *race, uint64_t address)
{
    uint64_t number = address >> RACE_PAGE_BITS;
    struct race_page **recent = recent_of(race, number);
    if (*recent && (*recent)->number == number) return *recent;
    struct race_page *page = map_get_u64(&race->pages, number);
    if (page) *recent = page;
    return page;
}

/* Gives the page its arrays, all 0. */
static void cells_new(struct race *race, struct race_page *page, uint32_t shift)
{
    page->shift = shift;
    size_t count = race_page_cells(page);
    page->memory = sw_xcalloc(count, 12);
    page->last = page->memory;
    page->since = page->last + count;
    page->last_site = (uint16_t *)(page->since + count);
    page->since_site = page->last_site + count;
    race->page_bytes += count * 12;
}

struct race_page *race_page_get(struct race *race, uint64_t address, uint32_t shift)
{
    struct race_page *page = race_page_find(race, address);
    if (page) return page;
    page = sw_xcalloc(1, sizeof *page);
    page->number = address >> RACE_PAGE_BITS;
    cells_new(race, page, shift);
    map_set_u64(&race->pages, page->number, page);
    return *recent_of(race, page->number) = page;
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
    for (uint32_t i = 0; i < race_page_cells(&old); i++) {
        race_set_free(race, old.last[i]);
        race_set_free(race, old.since[i]);
    }
    race->page_bytes -= race_page_cells(&old) * (size_t)12;
    free(old.sync);
    free(old.memory);
}

void race_page_free(struct race *race, struct race_page *page)
{
    for (uint32_t i = 0; i < race_page_cells(page); i++) {
        race_set_free(race, page->last[i]);
        race_set_free(race, page->since[i]);
        race_sync_drop(race, page, i);
    }
    race->page_bytes -= race_page_cells(page) * (size_t)12;
    struct race_page **recent = recent_of(race, page->number);
    if (*recent == page) *recent = NULL;
    map_remove_u64(&race->pages, page->number);
    free(page->sync);
    free(page->memory);
    free(page);
}
