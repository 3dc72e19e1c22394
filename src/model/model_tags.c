/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a cache: lines of four sectors, each sector valid and dirty by itself. The ways of a set are kept
 * in the order of their last use, as a list.
 *
 * Models: sets of up to 255 ways; one of the lines that were not used for longest goes first.
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
    if (ways > UINT8_MAX) ways = UINT8_MAX;
    size_t lines = (size_t)sets * ways + 1;
    *tags = (struct model_tags){.sets = sets, .ways = ways, .victims = victims ? victims : 1};
    tags->keys = sw_xmalloc(lines * sizeof *tags->keys);
    tags->older = sw_xmalloc(lines);
    tags->newer = sw_xmalloc(lines);
    tags->ends = sw_xmalloc(sets * sizeof *tags->ends);
    tags->valid = sw_xmalloc(lines);
    tags->dirty = sw_xmalloc(lines);
    tags->partial = sw_xmalloc(lines);
    tags->epochs = sw_xcalloc(sets, sizeof *tags->epochs);
    model_tags_clear(tags);
}

void model_tags_release(struct model_tags *tags)
{
    free(tags->keys);
    free(tags->older);
    free(tags->newer);
    free(tags->ends);
    free(tags->valid);
    free(tags->dirty);
    free(tags->partial);
    free(tags->epochs);
}

void model_tags_clear(struct model_tags *tags)
{
    if (++tags->epoch == 0) { /* after 2^32 of them */
        memset(tags->epochs, 0, tags->sets * sizeof *tags->epochs);
        tags->epoch = 1;
    }
    tags->count = 0;
}

static void empty_set(struct model_tags *tags, uint32_t set)
{
    size_t first = (size_t)set * tags->ways;
    memset(tags->keys + first, 0, tags->ways * sizeof *tags->keys);
    memset(tags->valid + first, 0, tags->ways);
    memset(tags->dirty + first, 0, tags->ways);
    memset(tags->partial + first, 0, tags->ways);
    for (uint32_t i = 0; i < tags->ways; i++) {
        tags->older[first + i] = (uint8_t)(i - 1);
        tags->newer[first + i] = (uint8_t)(i + 1);
    }
    tags->ends[set] = (struct model_ends){.newest = (uint8_t)(tags->ways - 1)};
    tags->epochs[set] = tags->epoch;
}

uint64_t model_tags_dirty_sectors(const struct model_tags *tags)
{
    uint64_t count = 0;
    for (uint32_t set = 0; set < tags->sets; set++)
        for (uint32_t i = 0; tags->epochs[set] == tags->epoch && i < tags->ways; i++)
            count += model_sectors(tags->dirty[(size_t)set * tags->ways + i]);
    return count;
}

/* Never 0; unique among lines of 512 GiB. */
static uint32_t key_of(uint64_t line)
{
    uint32_t key = (uint32_t)line ^ (uint32_t)(line >> 32) * 0x9e3779b9u;
    return key ? key : 1;
}

SW_CLONES static uint32_t search(const uint32_t *keys, uint32_t ways, uint32_t key)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < ways; i++)
        found |= keys[i] == key ? i + 1 : 0;
    return found;
}

/* The way becomes the newest of its set. */
static void use(struct model_tags *tags, uint32_t set, uint8_t way)
{
    uint8_t *older = tags->older + (size_t)set * tags->ways, *newer = tags->newer + (size_t)set * tags->ways;
    struct model_ends *ends = &tags->ends[set];
    if (ends->newest == way) return;
    if (ends->oldest == way) {
        ends->oldest = newer[way];
    } else {
        newer[older[way]] = newer[way];
        older[newer[way]] = older[way];
    }
    newer[ends->newest] = way;
    older[way] = ends->newest;
    ends->newest = way;
}

int64_t model_tags_find(struct model_tags *tags, uint64_t line, uint32_t set)
{
    if (tags->epochs[set] != tags->epoch) empty_set(tags, set);
    size_t first = (size_t)set * tags->ways;
    uint32_t key = key_of(line), newest = tags->ends[set].newest;
    if (tags->keys[first + newest] == key) return (int64_t)(first + newest);
    uint32_t found = search(tags->keys + first, tags->ways, key);
    if (!found) return -1;
    use(tags, set, (uint8_t)(found - 1));
    return (int64_t)(first + found - 1);
}

int64_t model_tags_victim(struct model_tags *tags, uint32_t set)
{
    size_t first = (size_t)set * tags->ways;
    uint32_t way = tags->ends[set].oldest;
    if (tags->keys[first + way] && tags->victims > 1) {
        uint32_t newer = (uint32_t)(model_mix(++tags->count) >> 32) % tags->victims;
        for (; newer && way != tags->ends[set].newest; newer--)
            way = tags->newer[first + way];
    }
    return (int64_t)(first + way);
}

void model_tags_replace(struct model_tags *tags, uint32_t set, int64_t at, uint64_t line)
{
    tags->keys[at] = key_of(line);
    tags->valid[at] = tags->dirty[at] = tags->partial[at] = 0;
    use(tags, set, (uint8_t)((size_t)at - (size_t)set * tags->ways));
}
