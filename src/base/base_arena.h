/* SPDX-License-Identifier: Apache-2.0 */
/* Arena: many small allocations that live and die together. When memory is out it takes from the
 * reserve, or ends the process (base_reserve.h), so it is for our own small data only; whatever a program
 * chooses the size of goes through calls that return a status. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena {
    struct arena_chunk *chunk; /* newest first */
    char *next, *end;
};

void arena_init(struct arena *arena);
void arena_release(struct arena *arena); /* frees everything allocated from it */
void arena_clear(struct arena *arena);   /* the same, but keeps its newest chunk for what comes next */
void *arena_alloc(struct arena *arena, size_t bytes); /* zeroed, aligned to 16 */
void *arena_copy(struct arena *arena, const void *data, size_t bytes);
char *arena_strndup(struct arena *arena, const char *text, size_t length); /* NUL-terminated copy */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define ARENA_NEW(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

/* malloc family for our own small data: never NULL (base_reserve.h). */
void *sw_xmalloc(size_t bytes);
void *sw_xcalloc(size_t count, size_t bytes);
void *sw_xrealloc(void *memory, size_t bytes);
char *sw_xstrdup(const char *text);
void *sw_xmemdup(const void *data, size_t bytes);
#endif
