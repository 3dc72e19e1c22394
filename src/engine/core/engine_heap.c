/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: malloc and free of device code.
 * Method: one allocation in memory of each device, which no other device may reach, nor the host; made at
 * first use and cut up by vmem_ranges; sizes are kept outside it, so that a kernel's stray store cannot break
 * the heap. Addresses are aligned to 16 bytes as CUDA promises. Limits: one lock; a program that lives on
 * device malloc runs at its speed. */
#include "engine_heap.h"

#include "engine_object.h"

enum { HEAP_ALIGN = 16 };
static const uint64_t HEAP_DEFAULT = 8u << 20; /* CUDA's cudaLimitMallocHeapSize */

void engine_heap_init(struct engine_heap *heap, struct vmem *vmem, uint32_t device, uint64_t bytes)
{
    *heap = (struct engine_heap){.vmem = vmem, .device = device, .bytes = bytes ? bytes : HEAP_DEFAULT};
    pthread_mutex_init(&heap->lock, NULL);
}

void engine_heap_release(struct engine_heap *heap)
{
    if (heap->base) (void)vmem_release(heap->vmem, heap->base);
    vmem_ranges_release(&heap->ranges);
    map_release(&heap->sizes);
    pthread_mutex_destroy(&heap->lock);
}

static bool heap_made_locked(struct engine_heap *heap)
{
    if (heap->base) return true;
    if (vmem_alloc(heap->vmem, heap->bytes, VMEM_DEVICE, heap->device, ENGINE_HEAP_TAG, 0, &heap->base) !=
        SW_OK)
        return false;
    for (uint32_t device = 0; device < ARCH_DEVICES; device++)
        if (device != heap->device)
            vmem_permissions_set(heap->vmem, heap->base, device, VMEM_NONE_ALLOWED, VMEM_BY_HEAP);
    vmem_ranges_init(&heap->ranges, heap->base, heap->base + heap->bytes);
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

uint64_t engine_heap_malloc(struct engine_heap *heap, uint64_t bytes, uint64_t align)
{
    uint64_t at = 0;
    if (bytes > heap->bytes || align > heap->bytes || align == 0 || (align & (align - 1))) return 0;
    if (align < HEAP_ALIGN) align = HEAP_ALIGN;
    bytes = sw_align_up(bytes ? bytes : 1, HEAP_ALIGN);
    pthread_mutex_lock(&heap->lock);
    if (heap_made_locked(heap) && vmem_ranges_take(&heap->ranges, bytes, align, &at))
        map_set_u64(&heap->sizes, at, (void *)(uintptr_t)bytes);
    pthread_mutex_unlock(&heap->lock);
    return at;
}

bool engine_heap_free(struct engine_heap *heap, uint64_t address)
{
    if (address == 0) return true;
    pthread_mutex_lock(&heap->lock);
    uint64_t bytes = (uint64_t)(uintptr_t)map_get_u64(&heap->sizes, address);
    if (bytes) {
        map_remove_u64(&heap->sizes, address);
        vmem_ranges_give(&heap->ranges, address, bytes);
    }
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
