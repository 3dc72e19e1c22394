/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses and pages apart, for CUDA's virtual memory management, pools and sharing: ranges that are
 * reserved, pages of a file that are mapped into them, at several places if wanted, and what may be done
 * there.
 *
 * A mapping stands in the list of live allocations, marked as mapped, so that questions about addresses find
 * it; its pages are MAP_SHARED, protected with mprotect: what any device may do, vmem_permissions.c keeps
 * what each may. */
#include "vmem_priv.h"

#include <sys/mman.h>

/* ---- reserved ranges */

enum sw_status vmem_reserve(struct vmem *vmem, uint64_t bytes, uint64_t align, dev_addr *out)
{
    if (bytes == 0 || bytes % VMEM_PAGE) return SW_INVALID_VALUE;
    struct vmem_live entry = {.block = {.bytes = bytes, .kind = VMEM_NONE}, .span = bytes, .file = -1};
    enum sw_status status = SW_OUT_OF_MEMORY;
    pthread_mutex_lock(&vmem->lock);
    if (vmem_ranges_take(&vmem->ranges, bytes, align < VMEM_HUGE_PAGE ? VMEM_HUGE_PAGE : align,
                         &entry.block.base)) {
        VMEM_INSERT(&vmem->reserved, entry);
        *out = entry.block.base;
        status = SW_OK;
    }
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

static bool has_mapping_locked(const struct vmem *vmem, dev_addr base, uint64_t bytes)
{
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base + bytes - 1);
    return n > 0 && vmem->live.at[n - 1].block.base + vmem->live.at[n - 1].block.bytes > base;
}

enum sw_status vmem_unreserve(struct vmem *vmem, dev_addr base, uint64_t bytes)
{
    enum sw_status status = SW_INVALID_VALUE;
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->reserved.at, vmem->reserved.count, base);
    const struct vmem_live *found = n ? &vmem->reserved.at[n - 1] : NULL;
    if (found && found->block.base == base && found->block.bytes == bytes &&
        !has_mapping_locked(vmem, base, bytes)) {
        VMEM_REMOVE(&vmem->reserved, n - 1);
        vmem_ranges_give(&vmem->ranges, base, bytes);
        status = SW_OK;
    }
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

bool vmem_reserved(struct vmem *vmem, dev_addr address, struct vmem_block *out)
{
    pthread_mutex_lock(&vmem->lock);
    const struct vmem_live *found = vmem_blocks_find(vmem->reserved.at, vmem->reserved.count, address);
    if (found) *out = found->block;
    pthread_mutex_unlock(&vmem->lock);
    return found != NULL;
}

/* ---- mappings */

static int protection(enum vmem_access access)
{
    return access == VMEM_WRITE ? PROT_READ | PROT_WRITE : access == VMEM_READ ? PROT_READ : PROT_NONE;
}

static enum sw_status map_locked(struct vmem *vmem, const struct vmem_block *block, int file, uint64_t offset)
{
    const struct vmem_live *range = vmem_blocks_find(vmem->reserved.at, vmem->reserved.count, block->base);
    if (!range || block->bytes > range->block.bytes - (block->base - range->block.base))
        return SW_INVALID_VALUE;
    if (has_mapping_locked(vmem, block->base, block->bytes)) return SW_INVALID_VALUE;
    void *at = mmap((void *)(uintptr_t)block->base, block->bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file,
                    (off_t)offset);
    if (at == MAP_FAILED) return SW_OUT_OF_MEMORY;
    struct vmem_live entry = {.block = *block, .file = -1, .mapped = true};
    entry.block.right = VMEM_BY_MAPPING;
    VMEM_INSERT(&vmem->live, entry);
    return SW_OK;
}

enum sw_status vmem_map(struct vmem *vmem, const struct vmem_block *block, int file, uint64_t offset)
{
    if (block->bytes == 0 || (block->base | block->bytes | offset) % VMEM_PAGE) return SW_INVALID_VALUE;
    pthread_mutex_lock(&vmem->lock);
    enum sw_status status = map_locked(vmem, block, file, offset);
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

/* The mapping at exactly this base, or NULL. */
static struct vmem_live *mapping_locked(struct vmem *vmem, dev_addr base, size_t *index)
{
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base);
    if (n == 0 || vmem->live.at[n - 1].block.base != base || !vmem->live.at[n - 1].mapped) return NULL;
    *index = n - 1;
    return &vmem->live.at[n - 1];
}

enum sw_status vmem_unmap(struct vmem *vmem, dev_addr base)
{
    size_t index;
    pthread_mutex_lock(&vmem->lock);
    const struct vmem_live *found = mapping_locked(vmem, base, &index);
    if (found) {
        vmem_pages_close(base, found->block.bytes);
        vmem_permissions_clear_locked(vmem, base, found->block.bytes);
        VMEM_REMOVE(&vmem->live, index);
    }
    pthread_mutex_unlock(&vmem->lock);
    return found ? SW_OK : SW_INVALID_VALUE;
}

enum sw_status vmem_protect(struct vmem *vmem, dev_addr base, enum vmem_access access)
{
    size_t index;
    enum sw_status status = SW_INVALID_VALUE;
    pthread_mutex_lock(&vmem->lock);
    struct vmem_live *found = mapping_locked(vmem, base, &index);
    if (found) {
        int done = mprotect((void *)(uintptr_t)base, found->block.bytes, protection(access));
        if (done == 0) found->access = (uint8_t)access;
        status = done == 0 ? SW_OK : SW_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

bool vmem_allows(struct vmem *vmem, dev_addr address, uint64_t bytes, enum vmem_access access)
{
    pthread_mutex_lock(&vmem->lock);
    const struct vmem_live *at = vmem_blocks_find(vmem->live.at, vmem->live.count, address);
    const struct vmem_live *end = vmem->live.at + vmem->live.count;
    if (!at) at = vmem_blocks_find(vmem->host.at, vmem->host.count, address), end = NULL;
    bool allowed = at && (at->access & access) == access;
    while (allowed && bytes > at->block.base + at->block.bytes - address) { /* the next mapping goes on */
        const struct vmem_live *next = at + 1;
        allowed = at->mapped && end && next < end && next->mapped &&
                  next->block.base == at->block.base + at->block.bytes && (next->access & access) == access;
        at = next;
    }
    pthread_mutex_unlock(&vmem->lock);
    return allowed;
}

/* ---- memory that is counted apart from where it is mapped */

enum sw_status vmem_take(struct vmem *vmem, uint32_t device, uint64_t bytes, uint64_t limit)
{
    struct vmem_block block = {.bytes = bytes, .kind = VMEM_DEVICE, .device = device};
    pthread_mutex_lock(&vmem->lock);
    bool fits = vmem_fits_locked(vmem, bytes, device, limit);
    if (fits) vmem_count_locked(vmem, &block, (int64_t)bytes);
    pthread_mutex_unlock(&vmem->lock);
    return fits ? SW_OK : SW_OUT_OF_MEMORY;
}

void vmem_give(struct vmem *vmem, uint32_t device, uint64_t bytes)
{
    struct vmem_block block = {.bytes = bytes, .kind = VMEM_DEVICE, .device = device};
    pthread_mutex_lock(&vmem->lock);
    vmem_count_locked(vmem, &block, -(int64_t)bytes);
    pthread_mutex_unlock(&vmem->lock);
}

static enum sw_status open_locked(struct vmem *vmem, struct vmem_live *entry, int file, uint64_t offset)
{
    uint64_t pages = sw_align_up(entry->block.bytes, VMEM_PAGE);
    SW_TRY(vmem_span_locked(vmem, entry->block.bytes, entry));
    void *at = mmap((void *)(uintptr_t)entry->block.base, pages, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_FIXED, file, (off_t)offset);
    if (at == MAP_FAILED) {
        vmem_ranges_give(&vmem->ranges, entry->block.base, entry->span);
        return SW_OUT_OF_MEMORY;
    }
    VMEM_INSERT(&vmem->live, *entry);
    return SW_OK;
}

enum sw_status vmem_open(struct vmem *vmem, const struct vmem_block *block, int file, uint64_t offset,
                         dev_addr *out)
{
    if (block->bytes == 0 || offset % VMEM_PAGE) return SW_INVALID_VALUE;
    struct vmem_live entry = {.block = *block, .file = -1, .access = VMEM_WRITE};
    pthread_mutex_lock(&vmem->lock);
    enum sw_status status = open_locked(vmem, &entry, file, offset);
    pthread_mutex_unlock(&vmem->lock);
    if (status == SW_OK) *out = entry.block.base;
    return status;
}
