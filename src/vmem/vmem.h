/* SPDX-License-Identifier: Apache-2.0 */
/* vmem: one reservation of address space for all device memory, at a fixed base, and its allocator.
 *
 * A device pointer is the host pointer of its backing. Allocations are sparse (pages appear when touched),
 * zero-filled when fresh, aligned to 512 bytes as cudaMalloc's (at least 256 is promised), and fenced: the
 * address after an allocation's last page faults. Deterministic: the same sequence of calls gives the same
 * addresses. Thread-safe. */
#ifndef VMEM_VMEM_H
#define VMEM_VMEM_H

#include "base/base.h"

#include <stdbool.h>

struct vmem;

/* What an address belongs to. */
enum vmem_kind { VMEM_NONE, VMEM_DEVICE, VMEM_HOST_PINNED, VMEM_MANAGED, VMEM_HOST_REGISTERED };
struct vmem_block {
    dev_addr base;
    uint64_t bytes; /* as asked for */
    enum vmem_kind kind;
    uint32_t device;
    uint64_t tag; /* caller's, e.g. an allocation number or flags */
};

enum sw_status vmem_new(struct vmem **out, struct sw_error *error); /* reserves; 1 TiB by default */
void vmem_free_all(struct vmem *vmem);
/* limit: live bytes beyond which allocation fails (device's memory size; RAM plus swap is always one). */
enum sw_status vmem_alloc(struct vmem *vmem, uint64_t bytes, enum vmem_kind kind, uint32_t device,
                          uint64_t tag, uint64_t limit, dev_addr *out);
enum sw_status vmem_release(struct vmem *vmem, dev_addr base); /* SW_INVALID_VALUE when it is no live base */
/* Host memory that a program registered: known, not owned. */
enum sw_status vmem_register(struct vmem *vmem, const void *base, uint64_t bytes, uint64_t tag);
enum sw_status vmem_unregister(struct vmem *vmem, const void *base);
bool vmem_find(struct vmem *vmem, dev_addr address,
               struct vmem_block *out); /* address anywhere inside a live block */
/* The live allocation nearest to an address, for messages; false: there is none. */
bool vmem_nearest(struct vmem *vmem, dev_addr address, struct vmem_block *out);
/* RAM plus swap, as far as this process may use it, or SOFTWARP_HOST_MEMORY. */
uint64_t vmem_host_bytes(void);
/* Bytes of it that no live allocation has. */
uint64_t vmem_host_room(struct vmem *vmem);
uint64_t vmem_live_bytes(struct vmem *vmem, uint32_t device);        /* VMEM_DEVICE and VMEM_MANAGED */
bool vmem_in_reservation(const struct vmem *vmem, dev_addr address); /* async-signal-safe */
dev_addr vmem_base(const struct vmem *vmem);
uint64_t vmem_size(const struct vmem *vmem);
#endif
