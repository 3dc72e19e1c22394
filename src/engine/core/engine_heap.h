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
    /* exact: bytes as asked for, so that accesses can be looked at (EVENT_PROBE_BOUNDS) */
    bool exact;
    uint64_t taken;                     /* by live blocks, rounded up */
    uint32_t *starts;                   /* by granule: 1 + that in which its block begins; 0: none did yet */
    struct map freed;                   /* blocks that were freed, not given out again: as sizes */
    VEC(struct vmem_range) quarantined; /* the same, in order */
};
struct engine_heap_block {
    uint64_t base, bytes;
    bool freed;
};
/* The block that an address lies in, or else the one before it; bytes 0: there is none. false: the heap is
 * not exact, or was not used yet. */
bool engine_heap_find(struct engine_heap *heap, uint64_t address, struct engine_heap_block *out);
void engine_heap_init(struct engine_heap *heap, struct vmem *vmem, uint32_t device, uint64_t bytes,
                      bool exact);
void engine_heap_release(struct engine_heap *heap);
/* 0: full, or align is no power of two */
uint64_t engine_heap_malloc(struct engine_heap *heap, uint64_t bytes, uint64_t align);
bool engine_heap_free(struct engine_heap *heap, uint64_t address); /* false: not a live block */
#endif
