/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of RESERVE_BYTES in the library's own data: no page of it exists before it is used.
 * Method: blocks in a row, each with a header; the first that is free and large enough is taken, neighbours
 * that are free become one. free of the library's own code comes by __wrap_free. Limits: as long as one
 * block lives, the others' places can be used again, but what malloc gets back stays with malloc. */
#include "base/base_reserve.h"

#include "base/base_error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Assumed: a call of the tests takes at most 1 MiB, most of it the largest chunk of an arena. */
enum { RESERVE_BYTES = 4 << 20, ALIGN = 16, LOOK_BYTES = 256 << 10 };

struct block {
    _Alignas(ALIGN) size_t bytes; /* with this header; 0: never used, the rest is free */
    size_t used;
};

static _Alignas(ALIGN) unsigned char reserve[RESERVE_BYTES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*_Atomic when_used)(void);
static atomic_bool begun, is_short;

void __real_free(void *memory) __attribute__((weak));
void __wrap_free(void *memory);

void sw_reserve_begin(void (*begins)(void))
{
    atomic_store(&when_used, begins);
    atomic_store(&begun, true);
}

static bool of_reserve(const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)reserve < RESERVE_BYTES;
}

static struct block *block_after(struct block *block)
{
    return (struct block *)(void *)((unsigned char *)block + block->bytes);
}

static size_t left_from(const struct block *block)
{
    return (size_t)(reserve + RESERVE_BYTES - (const unsigned char *)block);
}

/* Joins a free block with those behind it. */
static void join(struct block *block)
{
    while (left_from(block) > block->bytes) {
        struct block *next = block_after(block);
        if (next->used) return;
        block->bytes += next->bytes;
    }
}

static void *take_locked(size_t bytes)
{
    struct block *block = (struct block *)(void *)reserve;
    if (!block->bytes) block->bytes = RESERVE_BYTES; /* the first time */
    for (;; block = block_after(block)) {
        if (!left_from(block)) return NULL;
        if (block->used) continue;
        join(block);
        if (block->bytes >= bytes) break;
    }
    if (block->bytes - bytes >= 2 * sizeof *block) {
        struct block *rest = (struct block *)(void *)((unsigned char *)block + bytes);
        *rest = (struct block){.bytes = block->bytes - bytes};
        block->bytes = bytes;
    }
    block->used = 1;
    return block + 1;
}

void *sw_reserve_take(size_t bytes)
{
    if (!atomic_load(&begun) || bytes > RESERVE_BYTES / 2) return NULL;
    bytes = sizeof(struct block) + ((bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1));
    pthread_mutex_lock(&lock);
    void *memory = take_locked(bytes);
    pthread_mutex_unlock(&lock);
    void (*begins)(void) = atomic_load(&when_used);
    if (!atomic_exchange(&is_short, true) && begins) begins();
    return memory;
}

size_t sw_reserve_bytes(const void *memory)
{
    if (!of_reserve(memory)) return 0;
    const struct block *block = (const struct block *)memory - 1;
    return block->bytes - sizeof *block;
}

void __wrap_free(void *memory)
{
    if (!of_reserve(memory)) {
        __real_free(memory);
        return;
    }
    pthread_mutex_lock(&lock);
    ((struct block *)memory - 1)->used = 0;
    pthread_mutex_unlock(&lock);
}

bool sw_memory_was_short(void)
{
    return atomic_load_explicit(&is_short, memory_order_relaxed);
}

bool sw_memory_is_short(void)
{
    if (!sw_memory_was_short()) return false;
    void *volatile memory = malloc(LOOK_BYTES); /* volatile: not left out */
    if (!memory) return true;
    free(memory);
    atomic_store(&is_short, false);
    return false;
}

void sw_out_of_memory(size_t bytes)
{
    char line[128];
    const char *format = bytes ? "==SOFTWARP== out of memory: the host has no %zu bytes for this process\n"
                               : "==SOFTWARP== out of memory: the host has none for this process\n";
    int length = snprintf(line, sizeof line, format, bytes);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;                                /* nowhere left to complain */
    _exit(sw_status_exit_code(SW_OUT_OF_MEMORY)); /* handlers of exit would wait for locks that are held */
}
