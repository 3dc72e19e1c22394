/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing and tombstones; load at most 3/4. Integer keys have text == NULL. */
#include "base/base_map.h"

#include "base/base_arena.h"

#include <stdlib.h>
#include <string.h>

struct map_slot {
    uint64_t hash; /* the key itself for integer keys */
    const char *text;
    size_t length;
    void *value;
    enum { EMPTY, LIVE, DEAD } state;
};

uint64_t sw_hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u ^ seed; /* FNV-1a offset basis and prime: draft-eastlake-fnv */
    for (size_t i = 0; i < count; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio: spreads the low bits that index the table */
    return h ^ h >> 29;
}

static size_t map_start_of(const struct map *map, uint64_t hash)
{
    return (size_t)((hash * 0x9E3779B97F4A7C15u) >> 20) & (map->capacity - 1);
}

static bool map_same(const struct map_slot *slot, uint64_t hash, const char *text, size_t length)
{
    if (slot->state != LIVE || slot->hash != hash) return false;
    if (!text) return !slot->text;
    return slot->text && slot->length == length && memcmp(slot->text, text, length) == 0;
}

static struct map_slot *map_find(const struct map *map, uint64_t hash, const char *text, size_t length)
{
    if (!map->capacity) return NULL;
    for (size_t i = map_start_of(map, hash);; i = (i + 1) & (map->capacity - 1)) {
        struct map_slot *slot = &map->slots[i];
        if (slot->state == EMPTY) return NULL;
        if (map_same(slot, hash, text, length)) return slot;
    }
}

static void insert(struct map *map, struct map_slot slot)
{
    size_t i = map_start_of(map, slot.hash);
    while (map->slots[i].state == LIVE)
        i = (i + 1) & (map->capacity - 1);
    map->used += map->slots[i].state == EMPTY;
    map->slots[i] = slot;
    map->count++;
}

static void rehash(struct map *map)
{
    struct map old = *map;
    size_t capacity = 16;
    while (capacity < old.count * 2 + 2)
        capacity *= 2;
    *map = (struct map){sw_xcalloc(capacity, sizeof *map->slots), 0, 0, capacity};
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].state == LIVE) insert(map, old.slots[i]);
    free(old.slots);
}

static void set(struct map *map, uint64_t hash, const char *text, size_t length, void *value)
{
    struct map_slot *slot = map_find(map, hash, text, length);
    if (slot) {
        slot->value = value;
        return;
    }
    if ((map->used + 1) * 4 > map->capacity * 3) rehash(map);
    insert(map, (struct map_slot){hash, text, length, value, LIVE});
}

static bool kill_slot(struct map *map, struct map_slot *slot)
{
    if (!slot) return false;
    slot->state = DEAD;
    map->count--;
    return true;
}

void map_release(struct map *map)
{
    free(map->slots);
    *map = (struct map){0};
}

void map_set_n(struct map *map, const char *key, size_t length, void *value)
{
    set(map, sw_hash_bytes(key, length, 0), key, length, value);
}

void map_set(struct map *map, const char *key, void *value)
{
    map_set_n(map, key, strlen(key), value);
}

void *map_get_n(const struct map *map, const char *key, size_t length)
{
    struct map_slot *slot = map_find(map, sw_hash_bytes(key, length, 0), key, length);
    return slot ? slot->value : NULL;
}

void *map_get(const struct map *map, const char *key)
{
    return map_get_n(map, key, strlen(key));
}

bool map_remove(struct map *map, const char *key)
{
    size_t length = strlen(key);
    return kill_slot(map, map_find(map, sw_hash_bytes(key, length, 0), key, length));
}

void map_set_u64(struct map *map, uint64_t key, void *value)
{
    set(map, key, NULL, 0, value);
}

void *map_get_u64(const struct map *map, uint64_t key)
{
    struct map_slot *slot = map_find(map, key, NULL, 0);
    return slot ? slot->value : NULL;
}

bool map_remove_u64(struct map *map, uint64_t key)
{
    return kill_slot(map, map_find(map, key, NULL, 0));
}

bool map_next(const struct map *map, size_t *cursor, void **value)
{
    for (; *cursor < map->capacity; ++*cursor)
        if (map->slots[*cursor].state == LIVE) {
            *value = map->slots[(*cursor)++].value;
            return true;
        }
    return false;
}
