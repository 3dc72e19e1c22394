/* SPDX-License-Identifier: Apache-2.0 */
/* Hash maps: from text to a pointer, and from a 64-bit key to a pointer. {0} is an empty one. Not
 * thread-safe. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot;
struct map {
    struct map_slot *slots;
    size_t count, used, capacity; /* used counts tombstones too */
};

void map_release(struct map *map); /* keys and values stay the caller's */
/* Text keys: the map keeps the pointer, so the text must outlive it. */
void map_set(struct map *map, const char *key, void *value);
void map_set_n(struct map *map, const char *key, size_t length, void *value);
void *map_get(const struct map *map, const char *key); /* NULL: absent */
void *map_get_n(const struct map *map, const char *key, size_t length);
bool map_remove(struct map *map, const char *key);
/* Integer keys. One map uses one kind of key only. */
void map_set_u64(struct map *map, uint64_t key, void *value);
void *map_get_u64(const struct map *map, uint64_t key);
bool map_remove_u64(struct map *map, uint64_t key);
/* Visit in unspecified order: for (size_t i = 0; map_next(&map, &i, &value);) */
bool map_next(const struct map *map, size_t *cursor, void **value);

uint64_t sw_hash_bytes(const void *bytes, size_t count, uint64_t seed); /* FNV-1a, then mixed */
#endif
