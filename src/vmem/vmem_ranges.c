/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: hand out and take back parts of an address interval.
 * Method: a sorted array of free ranges; best fit by a linear scan. Programs keep few holes, and a scan of a
 * thousand ranges costs less than the page fault that follows. Limits: linear in the number of holes. */
#include "vmem/vmem_ranges.h"

#include <string.h>

void vmem_ranges_init(struct vmem_ranges *ranges, uint64_t first, uint64_t end)
{
    *ranges = (struct vmem_ranges){0};
    *(struct vmem_range *)vec_push(&ranges->free) = (struct vmem_range){first, end};
}

void vmem_ranges_release(struct vmem_ranges *ranges)
{
    vec_release(&ranges->free);
}

static void ranges_insert(struct vmem_ranges *ranges, size_t at, struct vmem_range range)
{
    (void)vec_push(&ranges->free);
    memmove(&ranges->free.at[at + 1], &ranges->free.at[at], (ranges->free.count - 1 - at) * sizeof range);
    ranges->free.at[at] = range;
}

static void ranges_remove(struct vmem_ranges *ranges, size_t at)
{
    ranges->free.count--;
    memmove(&ranges->free.at[at], &ranges->free.at[at + 1],
            (ranges->free.count - at) * sizeof ranges->free.at[0]);
}

/* Take [first, first + bytes) out of the range at position `at`, which holds it. */
static void ranges_cut(struct vmem_ranges *ranges, size_t at, uint64_t first, uint64_t bytes)
{
    struct vmem_range whole = ranges->free.at[at];
    bool before = first > whole.first, after = first + bytes < whole.end;
    if (before && after) {
        ranges->free.at[at].end = first;
        ranges_insert(ranges, at + 1, (struct vmem_range){first + bytes, whole.end});
    } else if (before) {
        ranges->free.at[at].end = first;
    } else if (after) {
        ranges->free.at[at].first = first + bytes;
    } else {
        ranges_remove(ranges, at);
    }
}

bool vmem_ranges_take(struct vmem_ranges *ranges, uint64_t bytes, uint64_t align, uint64_t *out)
{
    size_t best = SIZE_MAX;
    uint64_t best_bytes = UINT64_MAX;
    for (size_t i = 0; i < ranges->free.count; i++) {
        const struct vmem_range *range = &ranges->free.at[i];
        uint64_t first = sw_align_up(range->first, align);
        if (first >= range->end || range->end - first < bytes) continue;
        if (range->end - range->first < best_bytes) {
            best = i;
            best_bytes = range->end - range->first;
        }
    }
    if (best == SIZE_MAX) return false;
    *out = sw_align_up(ranges->free.at[best].first, align);
    ranges_cut(ranges, best, *out, bytes);
    return true;
}

/* Number of free ranges that begin below `address`. */
static size_t ranges_below(const struct vmem_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->free.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->free.at[middle].first < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void vmem_ranges_give(struct vmem_ranges *ranges, uint64_t first, uint64_t bytes)
{
    size_t at = ranges_below(ranges, first);
    bool joins_before = at > 0 && ranges->free.at[at - 1].end == first;
    bool joins_after = at < ranges->free.count && ranges->free.at[at].first == first + bytes;
    if (joins_before && joins_after) {
        ranges->free.at[at - 1].end = ranges->free.at[at].end;
        ranges_remove(ranges, at);
    } else if (joins_before) {
        ranges->free.at[at - 1].end = first + bytes;
    } else if (joins_after) {
        ranges->free.at[at].first = first;
    } else {
        ranges_insert(ranges, at, (struct vmem_range){first, first + bytes});
    }
}
