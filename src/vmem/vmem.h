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
/* Who gives other devices, or any, a right to it: for messages. */
enum vmem_permission {
    VMEM_BY_PEER,
    VMEM_BY_POOL,
    VMEM_BY_MAPPING,
    VMEM_BY_GRAPH,
    VMEM_BY_HEAP,
    VMEM_BY_NOBODY
};
struct vmem_block {
    dev_addr base;
    uint64_t bytes; /* as asked for */
    enum vmem_kind kind;
    uint32_t device;
    uint64_t tag; /* caller's, e.g. an allocation number or flags */
    enum vmem_permission right;
    uint64_t row_bytes, pitch; /* of rows: bytes, and from one to the next; 0: it has none */
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
/* The allocation at this base consists of rows; what lies between them is padding. */
void vmem_set_rows(struct vmem *vmem, dev_addr base, uint64_t row_bytes, uint64_t pitch);
bool vmem_find(struct vmem *vmem, dev_addr address,
               struct vmem_block *out); /* address anywhere inside a live block */
/* The program's own memory that stands for a variable of a module, as long as that is loaded; may come
 * several times. */
void vmem_external_add(struct vmem *vmem, const void *base, uint64_t bytes);
void vmem_external_remove(struct vmem *vmem, const void *base);
/* Of memory outside of the reservation: registered, which is mapped in whole pages, or external. */
bool vmem_is_reachable(struct vmem *vmem, dev_addr address);
/* The live allocation nearest to an address, for messages; false: there is none. */
bool vmem_nearest(struct vmem *vmem, dev_addr address, struct vmem_block *out);
/* RAM plus swap, as far as this process may use it, or SOFTWARP_HOST_MEMORY. */
uint64_t vmem_host_bytes(void);
uint64_t vmem_host_limit(const struct vmem *vmem); /* the same, as it was when the space was made */
uint64_t vmem_live_bytes(struct vmem *vmem, uint32_t device); /* VMEM_DEVICE and VMEM_MANAGED */
/* bytes at address may be read, or written: one allocation, or mappings beside each other. */
enum vmem_access { VMEM_NONE_ALLOWED = 0, VMEM_READ = 1, VMEM_WRITE = 3 };
bool vmem_allows(struct vmem *vmem, dev_addr address, uint64_t bytes, enum vmem_access access);

/* ---- addresses and pages apart (vmem_map.c): pages of a file, mapped into reserved addresses. Reserved
 * addresses fault; a mapping faults until vmem_protect allows it. All in whole pages of 4 KiB. */
enum sw_status vmem_reserve(struct vmem *vmem, uint64_t bytes, uint64_t align, dev_addr *out);
enum sw_status vmem_unreserve(struct vmem *vmem, dev_addr base, uint64_t bytes); /* nothing mapped in it */
bool vmem_reserved(struct vmem *vmem, dev_addr address, struct vmem_block *out); /* the reserved range */
enum sw_status vmem_map(struct vmem *vmem, const struct vmem_block *block, int file, uint64_t offset);
enum sw_status vmem_unmap(struct vmem *vmem, dev_addr base);
enum sw_status vmem_protect(struct vmem *vmem, dev_addr base, enum vmem_access access);
/* Count memory that is not mapped, or mapped several times, to a device once. */
enum sw_status vmem_take(struct vmem *vmem, uint32_t device, uint64_t bytes, uint64_t limit);
void vmem_give(struct vmem *vmem, uint32_t device, uint64_t bytes);
/* An allocation whose pages are those of a file, which stays the caller's; not counted. */
enum sw_status vmem_open(struct vmem *vmem, const struct vmem_block *block, int file, uint64_t offset,
                         dev_addr *out);

/* ---- permissions of devices (vmem_permissions.c): what is readable memory of the process may be denied to a
 * device. New allocations are nobody's: every device may reach them until vmem_permissions_set says
 * otherwise. */
enum { VMEM_PERMISSIONS_SHIFT = 16 }; /* permissions are those of pieces of 64 KiB */
struct vmem_permissions {             /* what is denied to one device */
    const uint8_t
        *denied; /* bits of enum vmem_access, by (address - base) >> VMEM_PERMISSIONS_SHIFT; [pieces]: 0 */
    dev_addr base;
    uint64_t pieces;
};
/* There are several devices: before the first allocation. */
enum sw_status vmem_permissions_begin(struct vmem *vmem, uint32_t devices);
/* What a device may do with the allocation or mapping at this base; nothing, where there is one device. */
void vmem_permissions_set(struct vmem *vmem, dev_addr base, uint32_t device, enum vmem_access access,
                          enum vmem_permission right);
/* false: nothing is denied to it now; *out is filled where there are several devices. */
bool vmem_permissions_of(const struct vmem *vmem, uint32_t device, struct vmem_permissions *out);
/* The same where nothing is denied to anyone. No memory for the table: pieces is 0. */
void vmem_permissions_open(struct vmem *vmem, struct vmem_permissions *out);
enum vmem_access vmem_permissions_denied(const struct vmem_permissions *permissions, dev_addr address,
                                         uint64_t bytes);

/* From now on addresses that are released stay so, as far as the reservation lasts: whoever uses them faults,
 * or is found out, instead of reading what was put there since. */
void vmem_quarantine(struct vmem *vmem);

/* ---- sharing (vmem_share.c) */
/* Make an allocation's pages those of a file that other processes can map, while others may be using it;
 * *file stays vmem's. */
enum sw_status vmem_share(struct vmem *vmem, dev_addr base, int *file);
/* Asked by a fault handler: was it only that the page was on its way into a file? Then the access can be made
 * again. Async-signal-safe. */
bool vmem_fault_passes(dev_addr address);

bool vmem_in_reservation(const struct vmem *vmem, dev_addr address); /* async-signal-safe */
dev_addr vmem_base(const struct vmem *vmem);
#endif
