/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory of a host thread or a CTA slot, with a fence behind it. */
#ifndef ENGINE_MEMORY_H
#define ENGINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine_memory {
    uint8_t *base;                /* mapped; an unmapped page follows */
    size_t bytes, before, behind; /* before, behind: of its fences */
};
/* At least `bytes` of zeroed-once memory followed by an unmapped page; keeps what is large enough. */
bool engine_memory_reserve(struct engine_memory *memory, size_t bytes);
/* The same with fences as wide as an address of shared or local memory reaches, where the process's address
 * space has room for them. */
bool engine_memory_reserve_window(struct engine_memory *memory, size_t bytes);
void engine_memory_release(struct engine_memory *memory);
#endif
