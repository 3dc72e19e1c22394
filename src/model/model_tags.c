/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a cache: lines of four sectors, each sector valid and dirty by itself. The ways of a set are kept
 * in the order of their last use, as a list.
 *
 * Models: sets of up to 255 ways; one of the lines that were not used for longest goes first.
 * Does not model: data; more than 512 GiB of addresses that differ by multiples of it (the key of a line has
 * 32 bits).
 *
 * Sources: inferred from an H200 (tests/hw/memory), each in gpus/NAME.ini: how many ways, and how many of the
 * oldest may go. */
#include "model_cache_priv.h"
#include "model_priv.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALID,
    OLDER,
    NEWER,
    DIRTY,
    PARTIAL,
    LOADS_HAVE = DIRTY,
    WORDS,
    STORES_HAVE = WORDS + 2
}; /* bytes a way */

void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims,
                     bool holds_stores)
{
    if (ways > UINT8_MAX) ways = UINT8_MAX;
    *tags = (struct model_tags){.sets = sets,
                                .ways = ways,
                                .victims = model_divisor(victims ? victims : 1),
                                .key_words = (uint32_t)sw_align_up(ways, MODEL_KEYS_AT_ONCE),
                                .holds_stores = holds_stores};
    size_t bytes = sizeof(struct model_set) + tags->key_words * sizeof(uint32_t) +
                   (size_t)ways * (holds_stores ? STORES_HAVE : LOADS_HAVE);
    tags->set_bytes = sw_align_up(bytes, MODEL_HOST_LINE);
    tags->memory = sw_xcalloc(sets * tags->set_bytes + MODEL_HOST_LINE, 1);
    tags->base = tags->memory + (-(uintptr_t)tags->memory & (MODEL_HOST_LINE - 1));
    model_tags_clear(tags);
}

void model_tags_release(struct model_tags *tags)
{
    free(tags->memory);
}

size_t model_tags_bytes(const struct model_tags *tags)
{
    return tags->sets * tags->set_bytes + MODEL_HOST_LINE;
}

void model_tags_clear(struct model_tags *tags)
{
    if (++tags->epoch == 0) { /* after 2^32 of them */
        for (uint32_t set = 0; set < tags->sets; set++)
            model_tags_set(tags, set)->epoch = 0;
        tags->epoch = 1;
    }
    tags->count = 0;
}

static void empty_set(const struct model_tags *tags, struct model_set *set)
{
    uint8_t *older = model_tags_bytes_of(tags, set, OLDER), *newer = model_tags_bytes_of(tags, set, NEWER);
    memset(set, 0, tags->set_bytes);
    for (uint32_t i = 0; i < tags->ways; i++) {
        older[i] = (uint8_t)(i - 1);
        newer[i] = (uint8_t)(i + 1);
    }
    set->newest = (uint8_t)(tags->ways - 1);
    set->epoch = tags->epoch;
}

uint64_t model_tags_dirty_sectors(const struct model_tags *tags)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < tags->sets; i++) {
        struct model_set *set = model_tags_set(tags, i);
        const uint8_t *dirty = model_tags_bytes_of(tags, set, DIRTY);
        for (uint32_t way = 0; set->epoch == tags->epoch && way < tags->ways; way++)
            count += model_sectors(dirty[way]);
    }
    return count;
}

/* Never 0; unique among lines of 512 GiB, but that one has the key of the line 256 GiB on. */
static uint32_t key_of(uint64_t line)
{
    uint32_t key = (uint32_t)line ^ (uint32_t)(line >> 32) * 0x9e3779b9u;
    return key ? key : 1u << 31;
}

/* The way of a key, from 1; 0: none. Without clones for other instruction sets: their choice at each call
 * cost as much as the search. */
static uint32_t search(const uint32_t *keys, uint32_t words, uint32_t key)
{
    typedef uint32_t some __attribute__((vector_size(4 * MODEL_KEYS_AT_ONCE), aligned(4)));
    some found = {0}, number = {1, 2, 3, 4};
    for (uint32_t i = 0; i < words; i += MODEL_KEYS_AT_ONCE) {
        found |= (some)(*(const some *)(const void *)(keys + i) == key) & number;
        number += MODEL_KEYS_AT_ONCE;
    }
    return found[0] | found[1] | found[2] | found[3];
}

/* The way becomes the newest of its set. */
static void use(const struct model_tags *tags, struct model_set *set, uint8_t way)
{
    uint8_t *older = model_tags_bytes_of(tags, set, OLDER), *newer = model_tags_bytes_of(tags, set, NEWER);
    if (set->newest == way) return;
    if (set->oldest == way) {
        set->oldest = newer[way];
    } else {
        newer[older[way]] = newer[way];
        older[newer[way]] = older[way];
    }
    newer[set->newest] = way;
    older[way] = set->newest;
    set->newest = way;
}

/* Empty ways stay before it. */
void model_tags_make_oldest(struct model_tags *tags, struct model_place place)
{
    struct model_set *set = place.set;
    uint8_t *older = model_tags_bytes_of(tags, set, OLDER), *newer = model_tags_bytes_of(tags, set, NEWER);
    uint8_t way = (uint8_t)place.way, next = set->oldest;
    use(tags, set, way);
    while (!set->keys[next])
        next = newer[next];
    if (next == way) return; /* all others are empty */
    set->newest = older[way];
    if (set->oldest == next)
        set->oldest = way;
    else
        newer[older[next]] = way;
    older[way] = older[next];
    older[next] = way;
    newer[way] = next;
}

struct model_place model_tags_find(struct model_tags *tags, uint64_t line, uint32_t number)
{
    struct model_set *set = model_tags_set(tags, number);
    if (set->epoch != tags->epoch) empty_set(tags, set);
    uint32_t key = key_of(line);
    if (set->keys[set->newest] == key) return (struct model_place){set, set->newest};
    uint32_t found = search(set->keys, tags->key_words, key);
    if (!found) return (struct model_place){NULL, 0};
    use(tags, set, (uint8_t)(found - 1));
    return (struct model_place){set, found - 1};
}

struct model_place model_tags_victim(struct model_tags *tags, uint32_t number)
{
    struct model_set *set = model_tags_set(tags, number);
    const uint8_t *newer = model_tags_bytes_of(tags, set, NEWER);
    uint32_t way = set->oldest;
    if (set->keys[way] && tags->victims.divisor > 1) {
        uint32_t steps = model_remainder((uint32_t)(model_mix(++tags->count) >> 32), tags->victims);
        for (; steps && way != set->newest; steps--)
            way = newer[way];
    }
    return (struct model_place){set, way};
}

void model_tags_take(struct model_tags *tags, struct model_place place, uint64_t line)
{
    place.set->keys[place.way] = key_of(line);
    *model_valid(tags, place) = 0;
    if (tags->holds_stores)
        *model_words(tags, place) = *model_dirty(tags, place) = *model_partial(tags, place) = 0;
    use(tags, place.set, (uint8_t)place.way);
}
