/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which device may reach which memory, where there are several: pages are protected for a whole
 * process, so what one device may and another may not is kept here, and emitted code looks it up
 * (jit_emit_permissions.c). Method: a table a device, one byte for each 64 KiB of the reservation, with the
 * bits of enum vmem_access that are denied, and a zero at the end for all addresses outside. No two
 * allocations share such a piece then. A device to which nothing is denied needs no look, which
 * vmem_permissions_of says. Sparse: a table takes memory where something was ever denied. Why 64 KiB: pieces
 * of 4 KiB make tables 16 times as large, which misses caches; of 2 MiB, 2^19 allocations fill the
 * reservation. Limits: 64 KiB of addresses an allocation, where there are several devices. */
#include "vmem_priv.h"

#include <sys/mman.h>

static uint64_t pieces_of(const struct vmem *vmem)
{
    return vmem->bytes >> VMEM_PERMISSIONS_SHIFT;
}

enum sw_status vmem_permissions_begin(struct vmem *vmem, uint32_t devices)
{
    size_t bytes = pieces_of(vmem) + 1;
    uint8_t *tables = mmap(NULL, devices * bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tables == MAP_FAILED) return SW_OUT_OF_MEMORY;
    pthread_mutex_lock(&vmem->lock);
    vmem->permissions = sw_xcalloc(devices, sizeof *vmem->permissions);
    for (uint32_t i = 0; i < devices; i++)
        vmem->permissions[i].denied = tables + i * bytes;
    vmem->permissions_devices = devices;
    pthread_mutex_unlock(&vmem->lock);
    return SW_OK;
}

void vmem_permissions_open(struct vmem *vmem, struct vmem_permissions *out)
{
    static const uint8_t nothing;
    pthread_mutex_lock(&vmem->lock);
    if (!vmem->open) {
        void *table =
            mmap(NULL, pieces_of(vmem) + 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (table != MAP_FAILED) vmem->open = table;
    }
    *out = (struct vmem_permissions){vmem->open ? vmem->open : &nothing, vmem->base,
                                     vmem->open ? pieces_of(vmem) : 0};
    pthread_mutex_unlock(&vmem->lock);
}

void vmem_permissions_release(struct vmem *vmem)
{
    if (vmem->open) munmap(vmem->open, pieces_of(vmem) + 1);
    if (!vmem->permissions) return;
    munmap(vmem->permissions[0].denied, vmem->permissions_devices * (pieces_of(vmem) + 1));
    free(vmem->permissions);
}

static void permissions_set_locked(struct vmem *vmem, uint32_t device, dev_addr base, uint64_t bytes,
                                   uint8_t denied)
{
    struct vmem_permissions_table *table = &vmem->permissions[device];
    uint64_t first = (base - vmem->base) >> VMEM_PERMISSIONS_SHIFT,
             last = (base - vmem->base + bytes - 1) >> VMEM_PERMISSIONS_SHIFT;
    uint64_t before = 0;
    for (uint64_t i = first; i <= last; i++) {
        before += table->denied[i] != 0;
        if (table->denied[i] != denied) __atomic_store_n(&table->denied[i], denied, __ATOMIC_RELAXED);
    }
    atomic_fetch_add(&table->count, (denied ? last - first + 1 : 0) - before);
}

void vmem_permissions_set(struct vmem *vmem, dev_addr base, uint32_t device, enum vmem_access access,
                          enum vmem_permission right)
{
    if (device >= vmem->permissions_devices) return;
    pthread_mutex_lock(&vmem->lock);
    size_t n = vmem_blocks_up_to(vmem->live.at, vmem->live.count, base);
    if (n && vmem->live.at[n - 1].block.base == base) {
        struct vmem_block *block = &vmem->live.at[n - 1].block;
        block->right = right;
        permissions_set_locked(vmem, device, base, block->bytes, (uint8_t)(VMEM_WRITE & ~(unsigned)access));
    }
    pthread_mutex_unlock(&vmem->lock);
}

void vmem_permissions_clear_locked(struct vmem *vmem, dev_addr base, uint64_t bytes)
{
    for (uint32_t i = 0; i < vmem->permissions_devices; i++)
        if (atomic_load(&vmem->permissions[i].count)) permissions_set_locked(vmem, i, base, bytes, 0);
}

bool vmem_permissions_of(const struct vmem *vmem, uint32_t device, struct vmem_permissions *out)
{
    if (device >= vmem->permissions_devices) return false;
    *out = (struct vmem_permissions){vmem->permissions[device].denied, vmem->base, pieces_of(vmem)};
    return atomic_load(&vmem->permissions[device].count) != 0;
}

enum vmem_access vmem_permissions_denied(const struct vmem_permissions *permissions, dev_addr address,
                                         uint64_t bytes)
{
    uint64_t first = (address - permissions->base) >> VMEM_PERMISSIONS_SHIFT,
             last = (address + (bytes ? bytes - 1 : 0) - permissions->base) >> VMEM_PERMISSIONS_SHIFT;
    unsigned denied = 0;
    for (uint64_t i = first; i <= last && i < permissions->pieces; i++)
        denied |= __atomic_load_n(&permissions->denied[i], __ATOMIC_RELAXED);
    return (enum vmem_access)denied;
}
