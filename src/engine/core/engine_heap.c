/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: malloc and free of device code.
 * Method: one allocation in memory of each device, which no other device may reach, nor the host; made at
 * first use and cut up by vmem_ranges; sizes are kept outside it, so that a kernel's stray store cannot break
 * the heap. Addresses are aligned to 16 bytes as CUDA promises. Where accesses are looked at (exact), nothing
 * lies directly behind a block, and what was freed is given out again only when nothing else is left; the
 * memory is twice as large for that, though no more of it is given out. Limits: one lock; a program that
 * lives on device malloc runs at its speed. */
#include "engine_heap.h"

#include "engine_object.h"

enum { HEAP_ALIGN = 16 };
static const uint64_t HEAP_DEFAULT = 8u << 20; /* CUDA's cudaLimitMallocHeapSize */

void engine_heap_init(struct engine_heap *heap, struct vmem *vmem, uint32_t device, uint64_t bytes,
                      bool exact)
{
    *heap = (struct engine_heap){
        .vmem = vmem, .device = device, .bytes = bytes ? bytes : HEAP_DEFAULT, .exact = exact};
    pthread_mutex_init(&heap->lock, NULL);
}

void engine_heap_release(struct engine_heap *heap)
{
    if (heap->base) (void)vmem_release(heap->vmem, heap->base);
    vmem_ranges_release(&heap->ranges);
    map_release(&heap->sizes);
    map_release(&heap->freed);
    vec_release(&heap->quarantined);
    free(heap->starts);
    pthread_mutex_destroy(&heap->lock);
}

static uint64_t heap_span(const struct engine_heap *heap)
{
    return heap->exact ? 2 * heap->bytes : heap->bytes;
}

static bool heap_made_locked(struct engine_heap *heap)
{
    if (heap->base) return true;
    if (vmem_alloc(heap->vmem, heap_span(heap), VMEM_DEVICE, heap->device, ENGINE_HEAP_TAG, 0, &heap->base) !=
        SW_OK)
        return false;
    for (uint32_t device = 0; device < ARCH_DEVICES; device++)
        if (device != heap->device)
            vmem_permissions_set(heap->vmem, heap->base, device, VMEM_NONE_ALLOWED, VMEM_BY_HEAP);
    vmem_ranges_init(&heap->ranges, heap->base, heap->base + heap_span(heap));
    if (heap->exact) heap->starts = sw_xcalloc(heap_span(heap) / HEAP_ALIGN + 1, sizeof *heap->starts);
    return true;
}

bool engine_set_heap_bytes(struct engine *engine, uint32_t device, uint64_t bytes)
{
    struct engine_heap *heap = &engine->heaps[device];
    pthread_mutex_lock(&heap->lock);
    bool unused = heap->base == 0;
    if (unused && bytes) heap->bytes = bytes;
    bool same = heap->bytes == bytes;
    pthread_mutex_unlock(&heap->lock);
    return unused || same;
}

/* ---- exact */

static uint64_t heap_rounded(uint64_t bytes)
{
    return sw_align_up(bytes ? bytes : 1, HEAP_ALIGN);
}

static void heap_note_locked(struct engine_heap *heap, uint64_t at, uint64_t bytes)
{
    uint64_t first = (at - heap->base) / HEAP_ALIGN, count = heap_rounded(bytes) / HEAP_ALIGN;
    for (uint64_t i = 0; i < count; i++)
        heap->starts[first + i] = (uint32_t)first + 1;
}

static void heap_empty_quarantine_locked(struct engine_heap *heap)
{
    for (size_t i = 0; i < heap->quarantined.count; i++) {
        const struct vmem_range *range = &heap->quarantined.at[i];
        map_remove_u64(&heap->freed, range->first);
        vmem_ranges_give(&heap->ranges, range->first, range->end - range->first);
    }
    heap->quarantined.count = 0;
}

static uint64_t heap_malloc_exact_locked(struct engine_heap *heap, uint64_t bytes, uint64_t align)
{
    uint64_t at, rounded = heap_rounded(bytes), taken = rounded + HEAP_ALIGN;
    if (heap->taken + rounded > heap->bytes || !heap_made_locked(heap)) return 0;
    if (!vmem_ranges_take(&heap->ranges, taken, align, &at)) {
        heap_empty_quarantine_locked(heap);
        if (!vmem_ranges_take(&heap->ranges, taken, align, &at)) return 0;
    }
    heap->taken += rounded;
    heap_note_locked(heap, at, bytes);
    map_set_u64(&heap->sizes, at, (void *)(uintptr_t)(bytes ? bytes : 1));
    return at;
}

static void heap_free_exact_locked(struct engine_heap *heap, uint64_t address, uint64_t bytes)
{
    heap->taken -= heap_rounded(bytes);
    map_set_u64(&heap->freed, address, (void *)(uintptr_t)bytes);
    *vec_push(&heap->quarantined) = (struct vmem_range){address, address + heap_rounded(bytes) + HEAP_ALIGN};
}

static struct engine_heap_block heap_find_locked(const struct engine_heap *heap, uint64_t address)
{
    enum { FAR = 4096 }; /* implementation: granules that are looked at; no further away is a block named */
    uint64_t at = (address - heap->base) / HEAP_ALIGN;
    for (unsigned i = 0; i < FAR && at > 0 && !heap->starts[at]; i++)
        at--;
    struct engine_heap_block out = {.base = address};
    if (!heap->starts[at]) return out;
    out.base = heap->base + (uint64_t)(heap->starts[at] - 1) * HEAP_ALIGN;
    out.bytes = (uint64_t)(uintptr_t)map_get_u64(&heap->sizes, out.base);
    out.freed = out.bytes == 0;
    if (out.freed) out.bytes = (uint64_t)(uintptr_t)map_get_u64(&heap->freed, out.base);
    return out;
}

bool engine_heap_find(struct engine_heap *heap, uint64_t address, struct engine_heap_block *out)
{
    pthread_mutex_lock(&heap->lock);
    bool known = heap->starts != NULL;
    if (known) *out = heap_find_locked(heap, address);
    pthread_mutex_unlock(&heap->lock);
    return known;
}

/* ---- malloc, free */

static uint64_t heap_malloc_locked(struct engine_heap *heap, uint64_t bytes, uint64_t align)
{
    uint64_t at;
    bytes = heap_rounded(bytes);
    if (!heap_made_locked(heap) || !vmem_ranges_take(&heap->ranges, bytes, align, &at)) return 0;
    map_set_u64(&heap->sizes, at, (void *)(uintptr_t)bytes);
    return at;
}

uint64_t engine_heap_malloc(struct engine_heap *heap, uint64_t bytes, uint64_t align)
{
    if (bytes > heap->bytes || align > heap->bytes || align == 0 || (align & (align - 1))) return 0;
    if (align < HEAP_ALIGN) align = HEAP_ALIGN;
    pthread_mutex_lock(&heap->lock);
    uint64_t at =
        heap->exact ? heap_malloc_exact_locked(heap, bytes, align) : heap_malloc_locked(heap, bytes, align);
    pthread_mutex_unlock(&heap->lock);
    return at;
}

bool engine_heap_free(struct engine_heap *heap, uint64_t address)
{
    if (address == 0) return true;
    pthread_mutex_lock(&heap->lock);
    uint64_t bytes = (uint64_t)(uintptr_t)map_get_u64(&heap->sizes, address);
    if (bytes) map_remove_u64(&heap->sizes, address);
    if (bytes && heap->exact) heap_free_exact_locked(heap, address, bytes);
    if (bytes && !heap->exact) vmem_ranges_give(&heap->ranges, address, bytes);
    pthread_mutex_unlock(&heap->lock);
    return bytes != 0;
}

bool engine_device_next(struct engine *engine, uint32_t device, uint64_t *address, uint64_t *bytes)
{
    struct engine_heap *heap = &engine->heaps[device];
    uint64_t found = 0;
    pthread_mutex_lock(&heap->lock);
    uint64_t at = *address ? *address + HEAP_ALIGN : heap->base;
    for (; heap->base && heap->sizes.count && at < heap->base + heap->bytes && !found; at += HEAP_ALIGN) {
        found = (uint64_t)(uintptr_t)map_get_u64(&heap->sizes, at);
        *address = at;
    }
    pthread_mutex_unlock(&heap->lock);
    *bytes = found;
    return found != 0;
}

uint64_t engine_device_malloc(struct engine *engine, uint32_t device, uint64_t bytes)
{
    return engine_heap_malloc(&engine->heaps[device], bytes, 1);
}

bool engine_device_free(struct engine *engine, uint32_t device, uint64_t address)
{
    return engine_heap_free(&engine->heaps[device], address);
}
