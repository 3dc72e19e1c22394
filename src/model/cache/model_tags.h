/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: tags of a cache. */
#ifndef MODEL_TAGS_H
#define MODEL_TAGS_H

#include "model/cache/model_number.h"

/* ---- tags: a set-associative cache of lines of four sectors, of the least recently used one goes first.
 * All of a set lies together: a host's cache misses are what a look-up costs. A set begins with its keys (0:
 * empty), behind which come fields of a byte a way: its rank in the order of last use, 0 the oldest; sectors
 * valid; and of tags that hold stores, sectors dirty. What only sectors written in part need begins in a
 * line of the host's cache of its own: how many words of them were written, in nibbles of two bytes a way,
 * and which these sectors are. ---- */
enum { MODEL_KEYS_AT_ONCE = 4, MODEL_RANKS_AT_ONCE = 16 }; /* implementation: of vectors */
struct model_set {
    uint32_t keys[UINT8_MAX + 1]; /* as many as are wanted: the fields follow */
};
struct model_tags {
    uint32_t sets, ways;
    struct model_divisor victims; /* how many of the oldest lines it may be that goes */
    uint64_t count;               /* of lines thrown out */
    uint8_t *memory, *base;       /* as allocated; the first set, at a host's cache line */
    size_t set_bytes;
    uint32_t key_words; /* keys of a set, with those that are never used */
    struct {            /* where fields of a set begin */
        uint32_t epoch; /* a number; when it is not the tags' epoch, the set is empty, whatever it holds */
        uint32_t ranks, valid, dirty, partial, words;
    } at;
    uint32_t epoch;
};
struct model_tag_ref { /* of a line; set NULL: there is none */
    struct model_set *set;
    uint32_t way;
};
void model_tags_init(struct model_tags *tags, uint32_t sets, uint32_t ways, uint32_t victims,
                     bool holds_stores);
void model_tags_release(struct model_tags *tags);
void model_tags_clear(struct model_tags *tags); /* at no cost: sets are emptied when they are used */
size_t model_tags_bytes(const struct model_tags *tags);
uint64_t model_tags_dirty_sectors(const struct model_tags *tags);
uint32_t model_tags_dirty_lines(const struct model_tags *tags, struct model_set *set); /* of a set in use */
/* Where the line is in its set; a found line is the last one used. set: below sets. */
struct model_tag_ref model_tags_find(struct model_tags *tags, uint64_t line, uint32_t set);
/* Place that a line that was just not found would take; what is there goes when it does. */
struct model_tag_ref model_tags_victim(struct model_tags *tags, uint32_t set);
/* The line takes it: nothing of it is valid. What was there must hold nothing dirty any more. */
void model_tags_take(struct model_tags *tags, struct model_tag_ref tag, uint64_t line);
/* The line of a set that was not used for longest goes; of none that has a bit of `kept` beside its valid
 * sectors. Nothing of the tags may be dirty. false: no line could go */
bool model_tags_drop(struct model_tags *tags, uint32_t set, uint8_t kept);
void model_tags_make_oldest(struct model_tags *tags,
                            struct model_tag_ref tag); /* it goes next, once none is empty */
/* Ways of a set, the one that was not used for longest first: room for ways. */
void model_tags_order(const struct model_tags *tags, struct model_set *set, uint8_t *ways);

/* Never 0; unique among lines of 512 GiB, but that one has the key of the line 256 GiB on. Neighbours that
 * are as many as a power of two have neighbouring keys. */
static inline uint32_t model_tags_key(uint64_t line)
{
    uint32_t key = (uint32_t)line ^ (uint32_t)(line >> 32) * 0x9e3779b9u;
    return key ? key : 1u << 31;
}
static inline struct model_set *model_tags_set(const struct model_tags *tags, uint32_t set)
{
    return (struct model_set *)(void *)(tags->base + set * tags->set_bytes);
}
static inline bool model_is_empty(struct model_tag_ref p)
{
    return !p.set->keys[p.way];
}
static inline uint8_t *model_valid(const struct model_tags *tags, struct model_tag_ref p)
{
    return (uint8_t *)p.set + tags->at.valid + p.way;
}
static inline uint8_t *model_dirty(const struct model_tags *tags, struct model_tag_ref p)
{
    return (uint8_t *)p.set + tags->at.dirty + p.way;
}
static inline uint16_t *model_words(const struct model_tags *tags, struct model_tag_ref p)
{
    return (uint16_t *)(void *)((uint8_t *)p.set + tags->at.words) + p.way;
}
static inline uint8_t *model_partial(const struct model_tags *tags, struct model_tag_ref p)
{
    return (uint8_t *)p.set + tags->at.partial + p.way;
}
/* The set will be looked at soon. */
static inline void model_tags_prefetch(const struct model_tags *tags, uint32_t set)
{
    const uint8_t *at = tags->base + set * tags->set_bytes, *end = at + tags->set_bytes;
    do
        __builtin_prefetch(at, 1);
    while ((at += MODEL_HOST_LINE) < end);
}
#endif
