/* SPDX-License-Identifier: Apache-2.0 */
/* A bump allocator over chunks that double up to 1 MiB; a request larger than a chunk gets a chunk of its
 * own. */
#include "base/base_arena.h"

#include "base/base_error.h"
#include "base/base_reserve.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    struct arena_chunk *older;
    size_t bytes;
    _Alignas(16) char data[];
};

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20, ALIGN = 16 };

/* No memory: from the reserve, or not at all. */
static void *from_reserve(size_t bytes)
{
    void *memory = sw_reserve_take(bytes);
    if (!memory) sw_out_of_memory(bytes);
    return memory;
}

void *sw_xmalloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    return memory ? memory : from_reserve(bytes);
}

void *sw_xcalloc(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes ? bytes : 1);
    if (memory) return memory;
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all)) sw_out_of_memory(SIZE_MAX);
    return memset(from_reserve(all), 0, all);
}

void *sw_xrealloc(void *memory, size_t bytes)
{
    size_t reserved = sw_reserve_bytes(memory);
    void *more = reserved ? malloc(bytes ? bytes : 1) : realloc(memory, bytes ? bytes : 1);
    if (more && !reserved) return more;
    if (!more) more = from_reserve(bytes);
    size_t before = reserved ? reserved : memory ? malloc_usable_size(memory) : 0;
    if (memory) memcpy(more, memory, before < bytes ? before : bytes);
    free(memory);
    return more;
}

char *sw_xstrdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(sw_xmalloc(bytes), text, bytes);
}

void *sw_xmemdup(const void *data, size_t bytes)
{
    void *copy = sw_xmalloc(bytes);
    if (bytes) memcpy(copy, data, bytes);
    return copy;
}

void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}

void arena_release(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunk, *older; chunk; chunk = older) {
        older = chunk->older;
        free(chunk);
    }
    arena_init(arena);
}

void arena_clear(struct arena *arena)
{
    struct arena_chunk *newest = arena->chunk;
    if (!newest) return;
    arena->chunk = newest->older;
    arena_release(arena);
    newest->older = NULL;
    *arena = (struct arena){.chunk = newest, .next = newest->data, .end = newest->data + newest->bytes};
}

static void grow(struct arena *arena, size_t bytes)
{
    size_t size = arena->chunk ? arena->chunk->bytes * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < bytes) size = bytes;
    struct arena_chunk *chunk = sw_xmalloc(sizeof *chunk + size);
    chunk->older = arena->chunk;
    chunk->bytes = size;
    arena->chunk = chunk;
    arena->next = chunk->data;
    arena->end = chunk->data + size;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) BUG("arena request of %zu bytes", bytes);
    bytes = ((bytes ? bytes : 1) + ALIGN - 1) & ~(size_t)(ALIGN - 1); /* never NULL, also for nothing */
    if ((size_t)(arena->end - arena->next) < bytes) grow(arena, bytes);
    void *memory = arena->next;
    arena->next += bytes;
    return memset(memory, 0, bytes);
}

void *arena_copy(struct arena *arena, const void *data, size_t bytes)
{
    void *memory = arena_alloc(arena, bytes);
    return bytes ? memcpy(memory, data, bytes) : memory;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}
