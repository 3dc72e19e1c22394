/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: host memory with fences. Method: a mapping between pages that nobody may access; pages appear when
 * they are touched.
 *
 *   shared and local memory    | before |  memory  | behind |
 *
 * Emitted code adds to the memory's base a 32-bit address, which LLVM extends with or without its sign, and
 * the 32-bit constant of the instruction. So the fences catch every address. They cost address space, no
 * memory. Limits: what grows loses what was in it; with a limit on the address space (ulimit -v) the fences
 * are a page. */
#include "engine_memory.h"

#include "base/base.h"

#include <sys/mman.h>

enum { PAGE = 4096 };
static const size_t GIB = (size_t)1 << 30,
                    LANES = (size_t)64 << 20; /* more than the local memory of a warp: 32 times 512 KiB */

void engine_memory_release(struct engine_memory *memory)
{
    if (memory->base) munmap(memory->base - memory->before, memory->before + memory->bytes + memory->behind);
    *memory = (struct engine_memory){0};
}

static bool reserve(struct engine_memory *memory, size_t bytes, size_t before, size_t behind)
{
    bytes = sw_align_up(bytes ? bytes : 1, PAGE);
    uint8_t *at =
        mmap(NULL, before + bytes + behind, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return false;
    if (mprotect(at + before, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(at, before + bytes + behind);
        return false;
    }
    *memory = (struct engine_memory){at + before, bytes, before, behind};
    return true;
}

bool engine_memory_reserve(struct engine_memory *memory, size_t bytes)
{
    if (memory->base && memory->bytes >= bytes) return true;
    engine_memory_release(memory);
    return reserve(memory, bytes, 0, PAGE);
}

bool engine_memory_reserve_window(struct engine_memory *memory, size_t bytes)
{
    if (memory->base && memory->bytes >= bytes) return true;
    engine_memory_release(memory);
    return reserve(memory, bytes, 4 * GIB + PAGE, 6 * GIB + LANES) || reserve(memory, bytes, PAGE, PAGE);
}
