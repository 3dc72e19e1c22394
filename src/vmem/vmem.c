/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the device address space: a reservation at a fixed base, its allocations, and registered host
 * ranges. Method: one PROT_NONE, MAP_NORESERVE mapping; an allocation makes its pages readable and writable,
 * a release maps them anew as PROT_NONE, which both drops the memory and makes stale pointers fault. One
 * unmapped page follows each allocation. Live allocations stand in an array sorted by address. Base: 1 TiB at
 * 0x2000_0000_0000, far from where Linux puts programs, libraries and stacks. Where that range is taken
 * (another runtime, a sanitizer's shadow) the kernel chooses the place, and where an address-space limit
 * forbids 1 TiB the size is halved down to 4 GiB: addresses then differ between runs, results do not. Limits:
 * the kernel allows 65,530 mappings, and a fenced allocation costs two. Beyond FENCED allocations new ones
 * get no fence, so that their mappings merge. */
#include "vmem_priv.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FENCED = 16384 };
#ifdef __SANITIZE_THREAD__ /* its shadow lies at that base; below 512 GiB is the program's */
static const uint64_t RESERVE_BASE = UINT64_C(1) << 36;
static const uint64_t RESERVE_BYTES = UINT64_C(1) << 38;
#else
static const uint64_t RESERVE_BASE = 0x200000000000u;
static const uint64_t RESERVE_BYTES = UINT64_C(1) << 40;
#endif
static const uint64_t RESERVE_LEAST = UINT64_C(1) << 32;

/* ---- reservation
 * ---------------------------------------------------------------------------------------------- */

static void *reserve_at(uint64_t base, uint64_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (base ? MAP_FIXED_NOREPLACE : 0);
    void *at = mmap((void *)base, bytes, PROT_NONE, flags, -1, 0);
    if (at == MAP_FAILED) return NULL;
    if (base && at != (void *)base) { /* a kernel before 4.17 takes the flag for a hint */
        munmap(at, bytes);
        return NULL;
    }
    return at;
}

static bool reserve_all(struct vmem *vmem)
{
    for (uint64_t bytes = RESERVE_BYTES; bytes >= RESERVE_LEAST; bytes /= 2) {
        void *at = reserve_at(RESERVE_BASE, bytes);
        if (!at) at = reserve_at(0, bytes);
        if (!at) continue;
        vmem->base = (dev_addr)(uintptr_t)at;
        vmem->bytes = bytes;
        return true;
    }
    return false;
}

enum sw_status vmem_new(struct vmem **out, struct sw_error *error)
{
    if (getpagesize() != VMEM_PAGE)
        return sw_fail(error, SW_NOT_SUPPORTED,
                       "this system has pages of %d bytes, Softwarp needs %d; start a kernel that has them",
                       getpagesize(), VMEM_PAGE);
    struct vmem *vmem = sw_xcalloc(1, sizeof *vmem);
    if (!reserve_all(vmem)) {
        free(vmem);
        return sw_fail(
            error, SW_OUT_OF_MEMORY,
            "cannot reserve address space for device memory; raise the limit (ulimit -v unlimited)");
    }
    pthread_mutex_init(&vmem->lock, NULL);
    vmem->host_limit = vmem_host_bytes();
    vmem_ranges_init(&vmem->ranges, sw_align_up(vmem->base, VMEM_HUGE_PAGE), vmem->base + vmem->bytes);
    *out = vmem;
    return SW_OK;
}

void vmem_free_all(struct vmem *vmem)
{
    if (!vmem) return;
    vmem_permissions_release(vmem);
    munmap((void *)(uintptr_t)vmem->base, vmem->bytes);
    vmem_ranges_release(&vmem->ranges);
    vec_release(&vmem->device_live);
    vec_release(&vmem->live);
    vec_release(&vmem->released);
    vec_release(&vmem->reserved);
    vec_release(&vmem->host);
    vec_release(&vmem->external);
    pthread_mutex_destroy(&vmem->lock);
    free(vmem);
}

/* ---- sorted arrays of blocks
 * ---------------------------------------------------------------------------------- */

/* Number of blocks whose base is at or below `address`. */
size_t vmem_blocks_up_to(const struct vmem_live *blocks, size_t count, dev_addr address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].block.base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct vmem_live *vmem_blocks_find(const struct vmem_live *blocks, size_t count, dev_addr address)
{
    size_t n = vmem_blocks_up_to(blocks, count, address);
    if (n == 0) return NULL;
    const struct vmem_live *found = &blocks[n - 1];
    return address - found->block.base < found->block.bytes || address == found->block.base ? found : NULL;
}

/* ---- allocations
 * ---------------------------------------------------------------------------------------------- */

static uint64_t live_bytes_locked(const struct vmem *vmem, uint32_t device)
{
    return device < vmem->device_live.count ? vmem->device_live.at[device] : 0;
}

/* Add to, or with a negative number take from, what a block's device holds. */
void vmem_count_locked(struct vmem *vmem, const struct vmem_block *block, int64_t bytes)
{
    vmem->live_total += (uint64_t)bytes;
    if (block->kind != VMEM_DEVICE && block->kind != VMEM_MANAGED) return;
    while (vmem->device_live.count <= block->device)
        *vec_push(&vmem->device_live) = 0;
    vmem->device_live.at[block->device] += (uint64_t)bytes;
}

bool vmem_fits_locked(const struct vmem *vmem, uint64_t bytes, uint32_t device, uint64_t limit)
{
    if (bytes > vmem->bytes || vmem->live_total + bytes > vmem->host_limit) return false;
    return limit == 0 || limit == UINT64_MAX || live_bytes_locked(vmem, device) + bytes <= limit;
}

static bool pages_open(dev_addr base, uint64_t pages)
{
    void *at = (void *)(uintptr_t)base;
    if (mprotect(at, pages, PROT_READ | PROT_WRITE) != 0) return false;
    if (pages >= VMEM_HUGE_PAGE)
        (void)madvise(at, pages, MADV_HUGEPAGE); /* advice: refusal costs speed only */
    return true;
}

void vmem_pages_close(dev_addr base, uint64_t pages)
{
    void *at = mmap((void *)(uintptr_t)base, pages, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (at == MAP_FAILED) { /* too many mappings: drop the contents, keep the pages open */
        (void)madvise((void *)(uintptr_t)base, pages, MADV_DONTNEED);
        (void)mprotect((void *)(uintptr_t)base, pages, PROT_NONE);
    }
}

enum sw_status vmem_span_locked(struct vmem *vmem, uint64_t bytes, struct vmem_live *out)
{
    uint64_t pages = sw_align_up(bytes, VMEM_PAGE);
    out->span = pages + (vmem->live.count < FENCED ? VMEM_PAGE : 0);
    uint64_t piece = vmem->permissions ? UINT64_C(1) << VMEM_PERMISSIONS_SHIFT : VMEM_PAGE;
    uint64_t align = bytes >= VMEM_HUGE_PAGE ? VMEM_HUGE_PAGE : piece;
    out->span = sw_align_up(out->span, piece);
    return vmem_ranges_take(&vmem->ranges, out->span, align, &out->block.base) ? SW_OK : SW_OUT_OF_MEMORY;
}

static enum sw_status alloc_locked(struct vmem *vmem, const struct vmem_block *wanted, uint64_t limit,
                                   dev_addr *out)
{
    uint64_t bytes = wanted->bytes;
    if (!vmem_fits_locked(vmem, bytes, wanted->device, limit)) return SW_OUT_OF_MEMORY;
    struct vmem_live entry = {.block = *wanted, .access = VMEM_WRITE, .counted = true, .file = -1};
    SW_TRY(vmem_span_locked(vmem, bytes, &entry));
    if (!pages_open(entry.block.base, sw_align_up(bytes, VMEM_PAGE))) {
        vmem_ranges_give(&vmem->ranges, entry.block.base, entry.span);
        return SW_OUT_OF_MEMORY;
    }
    VMEM_INSERT(&vmem->live, entry);
    vmem_count_locked(vmem, &entry.block, (int64_t)bytes);
    *out = entry.block.base;
    return SW_OK;
}

enum sw_status vmem_alloc(struct vmem *vmem, uint64_t bytes, enum vmem_kind kind, uint32_t device,
                          uint64_t tag, uint64_t limit, dev_addr *out)
{
    if (bytes == 0) return SW_INVALID_VALUE;
    struct vmem_block wanted = {.bytes = bytes, .kind = kind, .device = device, .tag = tag};
    pthread_mutex_lock(&vmem->lock);
    enum sw_status status = alloc_locked(vmem, &wanted, limit, out);
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

void vmem_set_rows(struct vmem *vmem, dev_addr base, uint64_t row_bytes, uint64_t pitch)
{
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base);
    struct vmem_block *block = n ? &vmem->live.at[n - 1].block : NULL;
    if (block && block->base == base) block->row_bytes = row_bytes, block->pitch = pitch;
    pthread_mutex_unlock(&vmem->lock);
}

/* The oldest go back to be used when all take more than a quarter of the reservation. */
static void give_later_locked(struct vmem *vmem, const struct vmem_live *entry)
{
    enum { SHARE = 4 }; /* implementation */
    *vec_push(&vmem->released) = *entry;
    vmem->released_bytes += entry->span;
    while (vmem->released_bytes > vmem->bytes / SHARE) {
        const struct vmem_live *oldest = &vmem->released.at[vmem->released_first++];
        vmem_ranges_give(&vmem->ranges, oldest->block.base, oldest->span);
        vmem->released_bytes -= oldest->span;
    }
}

void vmem_quarantine(struct vmem *vmem)
{
    vmem->quarantines = true;
}

static enum sw_status release_locked(struct vmem *vmem, dev_addr base)
{
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base);
    if (n == 0 || vmem->live.at[n - 1].block.base != base || vmem->live.at[n - 1].mapped)
        return SW_INVALID_VALUE;
    struct vmem_live entry = vmem->live.at[n - 1];
    VMEM_REMOVE(&vmem->live, n - 1);
    if (entry.counted) vmem_count_locked(vmem, &entry.block, -(int64_t)entry.block.bytes);
    vmem_pages_close(base, sw_align_up(entry.block.bytes, VMEM_PAGE));
    vmem_permissions_clear_locked(vmem, base, entry.block.bytes);
    if (entry.file >= 0) close(entry.file);
    if (vmem->quarantines)
        give_later_locked(vmem, &entry);
    else
        vmem_ranges_give(&vmem->ranges, base, entry.span);
    return SW_OK;
}

enum sw_status vmem_release(struct vmem *vmem, dev_addr base)
{
    pthread_mutex_lock(&vmem->lock);
    enum sw_status status = release_locked(vmem, base);
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

/* ---- host ranges
 * ---------------------------------------------------------------------------------------------- */

static bool host_overlaps_locked(const struct vmem *vmem, dev_addr base, uint64_t bytes)
{
    size_t n = vmem_blocks_up_to(vmem->host.at, vmem->host.count, base + bytes - 1);
    return n > 0 && vmem->host.at[n - 1].block.base + vmem->host.at[n - 1].block.bytes > base;
}

enum sw_status vmem_register(struct vmem *vmem, const void *base, uint64_t bytes, uint64_t tag)
{
    dev_addr first = (dev_addr)(uintptr_t)base;
    if (!base || bytes == 0 || first + bytes < first) return SW_INVALID_VALUE;
    enum sw_status status = SW_INVALID_VALUE;
    pthread_mutex_lock(&vmem->lock);
    if (!vmem_in_reservation(vmem, first) && !host_overlaps_locked(vmem, first, bytes)) {
        struct vmem_live entry = {
            .block = {.base = first, .bytes = bytes, .kind = VMEM_HOST_REGISTERED, .tag = tag},
            .access = VMEM_WRITE,
            .file = -1};
        VMEM_INSERT(&vmem->host, entry);
        status = SW_OK;
    }
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

enum sw_status vmem_unregister(struct vmem *vmem, const void *base)
{
    dev_addr first = (dev_addr)(uintptr_t)base;
    enum sw_status status = SW_INVALID_VALUE;
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->host.at, vmem->host.count, first);
    if (n > 0 && vmem->host.at[n - 1].block.base == first) {
        VMEM_REMOVE(&vmem->host, n - 1);
        status = SW_OK;
    }
    pthread_mutex_unlock(&vmem->lock);
    return status;
}

void vmem_external_add(struct vmem *vmem, const void *base, uint64_t bytes)
{
    struct vmem_live entry = {.block = {.base = (dev_addr)(uintptr_t)base, .bytes = bytes}, .file = -1};
    pthread_mutex_lock(&vmem->lock);
    VMEM_INSERT(&vmem->external, entry);
    pthread_mutex_unlock(&vmem->lock);
}

void vmem_external_remove(struct vmem *vmem, const void *base)
{
    dev_addr first = (dev_addr)(uintptr_t)base;
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->external.at, vmem->external.count, first);
    if (n > 0 && vmem->external.at[n - 1].block.base == first) VMEM_REMOVE(&vmem->external, n - 1);
    pthread_mutex_unlock(&vmem->lock);
}

/* ---- questions
 * ------------------------------------------------------------------------------------------------ */

bool vmem_find(struct vmem *vmem, dev_addr address, struct vmem_block *out)
{
    pthread_mutex_lock(&vmem->lock);
    const struct vmem_live *found = vmem_blocks_find(vmem->live.at, vmem->live.count, address);
    if (!found) found = vmem_blocks_find(vmem->host.at, vmem->host.count, address);
    if (found) *out = found->block;
    pthread_mutex_unlock(&vmem->lock);
    return found != NULL;
}

bool vmem_is_reachable(struct vmem *vmem, dev_addr address)
{
    dev_addr page = address & ~(dev_addr)(VMEM_PAGE - 1);
    pthread_mutex_lock(&vmem->lock);
    bool found = host_overlaps_locked(vmem, page, VMEM_PAGE) ||
                 vmem_blocks_find(vmem->external.at, vmem->external.count, address);
    pthread_mutex_unlock(&vmem->lock);
    return found;
}

bool vmem_nearest(struct vmem *vmem, dev_addr address, struct vmem_block *out)
{
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, address);
    const struct vmem_live *below = n > 0 ? &vmem->live.at[n - 1] : NULL;
    const struct vmem_live *above = n < vmem->live.count ? &vmem->live.at[n] : NULL;
    const struct vmem_live *found = below ? below : above;
    if (below && above) {
        uint64_t end = below->block.base + below->block.bytes;
        uint64_t past = address >= end ? address - end : 0;
        if (above->block.base - address < past) found = above;
    }
    if (found) *out = found->block;
    pthread_mutex_unlock(&vmem->lock);
    return found != NULL;
}

uint64_t vmem_live_bytes(struct vmem *vmem, uint32_t device)
{
    pthread_mutex_lock(&vmem->lock);
    uint64_t sum = live_bytes_locked(vmem, device);
    pthread_mutex_unlock(&vmem->lock);
    return sum;
}

uint64_t vmem_host_limit(const struct vmem *vmem)
{
    return vmem->host_limit;
}

bool vmem_in_reservation(const struct vmem *vmem, dev_addr address)
{
    return address - vmem->base < vmem->bytes;
}

dev_addr vmem_base(const struct vmem *vmem)
{
    return vmem->base;
}
