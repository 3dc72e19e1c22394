/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: host memory with a fence. Method: a mapping and a page behind it that nobody may access; pages
 * appear when they are touched. Limits: what grows loses what was in it. */
#include "engine_memory.h"

#include "base/base.h"

#include <sys/mman.h>

enum { PAGE = 4096 };

void engine_memory_release(struct engine_memory *memory)
{
    if (memory->base) munmap(memory->base, memory->bytes + PAGE);
    *memory = (struct engine_memory){0};
}

bool engine_memory_reserve(struct engine_memory *memory, size_t bytes)
{
    if (memory->base && memory->bytes >= bytes) return true;
    engine_memory_release(memory);
    bytes = sw_align_up(bytes ? bytes : 1, PAGE);
    void *at =
        mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    (void)mprotect((uint8_t *)at + bytes, PAGE, PROT_NONE);
    *memory = (struct engine_memory){at, bytes};
    return true;
}
