/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of a cache: lines of four sectors, each sector valid and dirty by itself. The ways of a set are kept
 * in the order of their last use: each has its rank in it, and all ranks of 16 ways are changed at once.
 *
 * Models: sets of up to 255 ways; one of the lines that were not used for longest goes first.
 * Does not model: data; more than 512 GiB of addresses that differ by multiples of it (the key of a line has
 * 32 bits).
 *
 * Sources: inferred from an H200 (tests/hw/memory), each in gpus/NAME.ini: how many ways, and how many of the
 * oldest may go. */
#include "model/cache/model_tags.h"

#include "model_tags_vector_priv.h"

#include <stdlib.h>
#include <string.h>

void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims,
                     bool holds_stores)
{
    if (ways > UINT8_MAX) ways = UINT8_MAX;
    *tags = (struct model_tags){.sets = sets,
                                .ways = ways,
                                .victims = model_divisor(victims ? victims : 1),
                                .key_words = (uint32_t)sw_align_up(ways, MODEL_KEYS_AT_ONCE)};
    uint32_t bytes = tags->key_words * (uint32_t)sizeof(uint32_t);
    tags->at.epoch = bytes;
    tags->at.ranks = bytes += sizeof tags->epoch;
    tags->at.valid = bytes += (uint32_t)sw_align_up(ways, MODEL_RANKS_AT_ONCE);
    tags->at.dirty = bytes += ways;
    if (holds_stores) {
        tags->at.words = bytes = (uint32_t)sw_align_up(bytes + ways, MODEL_HOST_LINE);
        tags->at.partial = bytes += ways * (uint32_t)sizeof(uint16_t);
        bytes += ways;
    }
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

static uint32_t *epoch_of(const struct model_tags *tags, struct model_set *set)
{
    return (uint32_t *)(void *)((uint8_t *)set + tags->at.epoch);
}

static uint8_t *ranks_of(const struct model_tags *tags, struct model_set *set)
{
    return (uint8_t *)set + tags->at.ranks;
}

void model_tags_clear(struct model_tags *tags)
{
    if (++tags->epoch == 0) { /* after 2^32 of them */
        for (uint32_t set = 0; set < tags->sets; set++)
            *epoch_of(tags, model_tags_set(tags, set)) = 0;
        tags->epoch = 1;
    }
    tags->count = 0;
}

__attribute__((noinline)) static void empty_set(const struct model_tags *tags, struct model_set *set)
{
    uint8_t *ranks = ranks_of(tags, set);
    memset(set, 0, tags->set_bytes);
    for (uint32_t i = 0; i < tags->ways; i++)
        ranks[i] = (uint8_t)i;
    *epoch_of(tags, set) = tags->epoch;
}

uint64_t model_tags_dirty_sectors(const struct model_tags *tags)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < tags->sets; i++) {
        struct model_set *set = model_tags_set(tags, i);
        const uint8_t *dirty = model_dirty(tags, (struct model_tag_ref){set, 0});
        for (uint32_t way = 0; *epoch_of(tags, set) == tags->epoch && way < tags->ways; way++)
            count += model_sectors(dirty[way]);
    }
    return count;
}

uint32_t model_tags_dirty_lines(const struct model_tags *tags, struct model_set *set)
{
    const uint64_t ones = 0x0101010101010101u;
    const uint8_t *dirty = model_dirty(tags, (struct model_tag_ref){set, 0});
    uint32_t way = 0, count = 0;
    for (; way + sizeof ones <= tags->ways; way += sizeof ones) {
        uint64_t some;
        memcpy(&some, dirty + way, sizeof some);
        count += (uint32_t)(((some | some >> 1 | some >> 2 | some >> 3) & ones) * ones >> 56);
    }
    for (; way < tags->ways; way++)
        count += dirty[way] != 0;
    return count;
}

/* ---- searches */

__attribute__((noinline)) static uint32_t search_any(const uint32_t *keys, uint32_t words, uint32_t key)
{
    enum { AT_ONCE = 16 }; /* implementation */
    uint32_t i = 0, found = 0;
    for (; i + AT_ONCE <= words; i += AT_ONCE) {
        found = model_keys_sixteen(keys + i, key);
        if (found) return i + (uint32_t)__builtin_ctz(found) + 1;
    }
    for (uint32_t bit = 0; i + bit < words; bit += MODEL_KEYS_AT_ONCE)
        found |= model_keys_four(keys + i + bit, key) << bit;
    return found ? i + (uint32_t)__builtin_ctz(found) + 1 : 0;
}

/* The way of a key, from 1; 0: none. 4, 8 and 16 ways are what most caches have. */
static uint32_t search(const uint32_t *keys, uint32_t words, uint32_t key)
{
    enum { FEW = 4, SOME = 8, MANY = 16 }; /* implementation */
    uint32_t found;
    if (words == FEW) {
        found = model_keys_four(keys, key);
        return found ? (uint32_t)__builtin_ctz(found) + 1 : 0;
    }
    if (words == SOME)
        return (found = model_keys_eight(keys, key)) ? (uint32_t)__builtin_ctz(found) / 2 + 1 : 0;
    if (words == MANY)
        return (found = model_keys_sixteen(keys, key)) ? (uint32_t)__builtin_ctz(found) + 1 : 0;
    return search_any(keys, words, key);
}

/* The way that has a rank. What lies after the last way may have it, too. */
static uint32_t way_of(const struct model_tags *tags, struct model_set *set, uint32_t rank)
{
    const uint8_t *ranks = ranks_of(tags, set);
    for (uint32_t i = 0; i < tags->ways; i += MODEL_RANKS_AT_ONCE) {
        uint32_t found = model_ranks_equal(ranks + i, (uint8_t)rank);
        if (found) return i + (uint32_t)__builtin_ctz(found);
    }
    BUG("no way has rank %u", rank);
}

/* ---- the order of last use */

/* Ranks above `above` fall by one. */
static void close_gap(const struct model_tags *tags, uint8_t *ranks, uint32_t above)
{
    for (uint32_t i = 0; i < tags->ways; i += MODEL_RANKS_AT_ONCE)
        model_ranks_fall(ranks + i, (uint8_t)(above + 1));
}

/* The way becomes the newest of its set. */
static void use(const struct model_tags *tags, struct model_set *set, uint32_t way)
{
    uint8_t *ranks = ranks_of(tags, set);
    uint32_t newest = tags->ways - 1, rank = ranks[way];
    if (rank == newest) return;
    close_gap(tags, ranks, rank);
    ranks[way] = (uint8_t)newest;
}

/* Empty ways but one. */
static uint32_t empty_ways(const struct model_tags *tags, const uint32_t *keys, uint32_t but)
{
    uint32_t count = 0;
    if (!search(keys, tags->key_words, 0)) return 0;
    for (uint32_t way = 0; way < tags->ways; way++)
        count += way != but && !keys[way];
    return count;
}

/* Empty ways stay before it; ranks from theirs up to its own rise by one. */
void model_tags_make_oldest(struct model_tags *tags, struct model_tag_ref tag)
{
    uint8_t *ranks = ranks_of(tags, tag.set), rank = ranks[tag.way];
    uint32_t empty = empty_ways(tags, tag.set->keys, tag.way);
    for (uint32_t i = 0; i < tags->ways; i += MODEL_RANKS_AT_ONCE)
        model_ranks_rise(ranks + i, (uint8_t)empty, rank);
    ranks[tag.way] = (uint8_t)empty;
}

void model_tags_order(const struct model_tags *tags, struct model_set *set, uint8_t *ways)
{
    const uint8_t *ranks = ranks_of(tags, set);
    for (uint32_t way = 0; way < tags->ways; way++)
        ways[ranks[way]] = (uint8_t)way;
}

/* ---- look-ups */

struct model_tag_ref model_tags_find(struct model_tags *tags, uint64_t line, uint32_t number)
{
    struct model_set *set = model_tags_set(tags, number);
    if (*epoch_of(tags, set) != tags->epoch) empty_set(tags, set);
    uint32_t found = search(set->keys, tags->key_words, model_tags_key(line));
    if (!found) return (struct model_tag_ref){NULL, 0};
    use(tags, set, found - 1);
    return (struct model_tag_ref){set, found - 1};
}

struct model_tag_ref model_tags_victim(struct model_tags *tags, uint32_t number)
{
    struct model_set *set = model_tags_set(tags, number);
    uint32_t way = way_of(tags, set, 0);
    if (set->keys[way] && tags->victims.divisor > 1) {
        uint32_t rank = model_remainder((uint32_t)(model_mix(++tags->count) >> 32), tags->victims);
        if (rank) way = way_of(tags, set, rank < tags->ways ? rank : tags->ways - 1);
    }
    return (struct model_tag_ref){set, way};
}

bool model_tags_drop(struct model_tags *tags, uint32_t number, uint8_t kept)
{
    struct model_set *set = model_tags_set(tags, number);
    uint8_t ways[UINT8_MAX + 1];
    if (*epoch_of(tags, set) != tags->epoch) return false;
    model_tags_order(tags, set, ways);
    for (uint32_t i = 0; i < tags->ways; i++) {
        struct model_tag_ref at = {set, ways[i]};
        if (!set->keys[at.way] || *model_valid(tags, at) & kept) continue;
        set->keys[at.way] = 0;
        model_tags_make_oldest(tags, at);
        return true;
    }
    return false;
}

void model_tags_take(struct model_tags *tags, struct model_tag_ref tag, uint64_t line)
{
    tag.set->keys[tag.way] = model_tags_key(line);
    *model_valid(tags, tag) = 0;
    use(tags, tag.set, tag.way);
}
