/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a cache: lines of four sectors, each sector valid and dirty by itself.
 *
 * Models: sets of any number of ways; one of the lines that were not used for longest goes first.
 * Does not model: data; more than 512 GiB of addresses that differ by multiples of it (the key of a line has
 * 32 bits).
 *
 * Sources: inferred from cyclic walks on an H200 (walk_ca of tests/hw/memory): 28 ways of 64 sets, filled
 * evenly, of which one of the three oldest goes, follow the recorded hits from 0.98 to 1.3 of the size;
 * strict LRU hits nothing from 1.03 on, and sets by chance lose lines from 0.8 on. */
#include "model_cache_priv.h"
#include "model_priv.h"

#include <stdlib.h>
#include <string.h>

void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims)
{
    size_t lines = (size_t)sets * ways;
    *tags = (struct model_tags){.sets = sets, .ways = ways, .victims = victims ? victims : 1};
    tags->keys = sw_xmalloc(lines * sizeof *tags->keys);
    tags->used = sw_xmalloc(lines * sizeof *tags->used);
    tags->valid = sw_xmalloc(lines);
    tags->dirty = sw_xmalloc(lines);
    model_tags_clear(tags);
}

void model_tags_release(struct model_tags *tags)
{
    free(tags->keys);
    free(tags->used);
    free(tags->valid);
    free(tags->dirty);
}

void model_tags_clear(struct model_tags *tags)
{
    size_t lines = (size_t)tags->sets * tags->ways;
    memset(tags->keys, 0, lines * sizeof *tags->keys);
    memset(tags->used, 0, lines * sizeof *tags->used);
    memset(tags->valid, 0, lines);
    memset(tags->dirty, 0, lines);
    tags->clock = 0;
}

/* Never 0; unique among lines of 512 GiB. */
static uint32_t key_of(uint64_t line)
{
    uint32_t key = (uint32_t)line ^ (uint32_t)(line >> 32) * 0x9e3779b9u;
    return key ? key : 1;
}

static uint32_t tick(struct model_tags *tags)
{
    if (tags->clock == UINT32_MAX) { /* order is lost once in four thousand million uses */
        tags->clock = 0;
        memset(tags->used, 0, (size_t)tags->sets * tags->ways * sizeof *tags->used);
    }
    return ++tags->clock;
}

MODEL_CLONES static uint32_t search(const uint32_t *keys, uint32_t ways, uint32_t key)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < ways; i++)
        found |= keys[i] == key ? i + 1 : 0;
    return found;
}

MODEL_CLONES static uint32_t oldest_of(const uint32_t *used, uint32_t ways)
{
    uint32_t least = UINT32_MAX, at = 0;
    for (uint32_t i = 0; i < ways; i++)
        least = used[i] < least ? used[i] : least;
    while (used[at] != least)
        at++;
    return at;
}

/* The oldest line, or by turns one of the few oldest. */
static size_t victim_of(const struct model_tags *tags, size_t first)
{
    const uint32_t *used = tags->used + first;
    uint32_t at = oldest_of(used, tags->ways);
    if (!used[at]) return at; /* empty */
    uint32_t older = (uint32_t)(model_mix(tags->clock) >> 32) % tags->victims;
    for (; older; older--) {
        uint32_t least = UINT32_MAX, next = at;
        for (uint32_t i = 0; i < tags->ways; i++) {
            if (used[i] <= used[at] || used[i] >= least) continue;
            least = used[i];
            next = i;
        }
        at = next;
    }
    return at;
}

int64_t model_tags_find(struct model_tags *tags, uint64_t line, uint32_t set)
{
    size_t first = (size_t)set * tags->ways;
    uint32_t found = search(tags->keys + first, tags->ways, key_of(line));
    if (!found) return -1;
    tags->used[first + found - 1] = tick(tags);
    return (int64_t)(first + found - 1);
}

int64_t model_tags_insert(struct model_tags *tags, uint64_t line, uint32_t set, uint32_t *dropped)
{
    size_t first = (size_t)set * tags->ways;
    size_t at = first + victim_of(tags, first);
    *dropped = tags->dirty[at];
    tags->keys[at] = key_of(line);
    tags->used[at] = tick(tags);
    tags->valid[at] = tags->dirty[at] = 0;
    return (int64_t)at;
}

uint32_t model_tags_limit_dirty(struct model_tags *tags, uint32_t set, uint32_t most)
{
    size_t first = (size_t)set * tags->ways, oldest = first;
    uint32_t count = 0, least = UINT32_MAX;
    for (size_t i = first; i < first + tags->ways; i++) {
        if (!tags->dirty[i]) continue;
        count++;
        if (tags->used[i] >= least) continue;
        least = tags->used[i];
        oldest = i;
    }
    if (count <= most) return 0;
    uint32_t cleaned = model_sectors(tags->dirty[oldest]);
    tags->dirty[oldest] = 0;
    return cleaned;
}
