/* SPDX-License-Identifier: Apache-2.0 */
/* Device malloc: a heap of each device. */
#ifndef ENGINE_HEAP_H
#define ENGINE_HEAP_H

#include "base/base.h"
#include "vmem/vmem.h"
#include "vmem/vmem_ranges.h"

#include <pthread.h>
#include <stdbool.h>

struct engine_heap {
    pthread_mutex_t lock;
    struct vmem *vmem;
    uint32_t device;
    uint64_t bytes;
    dev_addr base; /* 0: not made yet */
    struct vmem_ranges ranges;
    struct map sizes; /* address -> bytes, as a pointer-sized integer */
};
void engine_heap_init(struct engine_heap *heap, struct vmem *vmem, uint32_t device, uint64_t bytes);
void engine_heap_release(struct engine_heap *heap);
/* 0: full, or align is no power of two */
uint64_t engine_heap_malloc(struct engine_heap *heap, uint64_t bytes, uint64_t align);
bool engine_heap_free(struct engine_heap *heap, uint64_t address); /* false: not a live block */
#endif
