/* SPDX-License-Identifier: Apache-2.0 */
/* vmem: what its files share. Functions that end in _locked want vmem->lock held. */
#ifndef VMEM_PRIV_H
#define VMEM_PRIV_H

#include "vmem/vmem.h"
#include "vmem/vmem_ranges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { VMEM_PAGE = 4096 };
#define VMEM_HUGE_PAGE (UINT64_C(1) << 21) /* of x86-64; CUDA's own granularity for large blocks */

struct vmem_live {
    struct vmem_block block;
    uint64_t span;  /* bytes of address space taken, fence included; 0: a mapping, inside a reserved range */
    int file;       /* owned: closed with the block; -1: none */
    uint8_t access; /* enum vmem_access */
    bool mapped, counted;
};
struct vmem_permissions_table {
    uint8_t *denied;
    atomic_uint_fast64_t count; /* of pieces that are denied */
};
struct vmem {
    pthread_mutex_t lock;
    dev_addr base;
    uint64_t bytes, live_total, host_limit;
    struct vmem_ranges ranges;
    VEC(uint64_t) device_live;                  /* bytes by device: device and managed memory */
    VEC(struct vmem_live) live;                 /* by address */
    VEC(struct vmem_live) reserved;             /* ranges of vmem_reserve, by address */
    VEC(struct vmem_live) host, external;       /* registered; of variables: by address */
    struct vmem_permissions_table *permissions; /* by device; NULL: there is one */
    uint32_t permissions_devices;
    bool quarantines;
    VEC(struct vmem_live) released; /* in order, from `released_first` on; with quarantines */
    size_t released_first;
    uint64_t released_bytes;
    uint8_t *open; /* a table where nothing is denied; NULL: nobody asked for it */
};

/* Number of blocks whose base is at or below `address`; the block that has it, or NULL. */
size_t vmem_blocks_up_to(const struct vmem_live *blocks, size_t count, dev_addr address);
const struct vmem_live *vmem_blocks_find(const struct vmem_live *blocks, size_t count, dev_addr address);
/* Insert into, and remove from, a list sorted by address. */
#define VMEM_INSERT(list, entry)                                                                             \
    do {                                                                                                     \
        size_t at_ = vmem_blocks_up_to((list)->at, (list)->count, (entry).block.base);                       \
        (void)vec_push(list);                                                                                \
        memmove(&(list)->at[at_ + 1], &(list)->at[at_], ((list)->count - 1 - at_) * sizeof *(list)->at);     \
        (list)->at[at_] = (entry);                                                                           \
    } while (0)
#define VMEM_REMOVE(list, index)                                                                             \
    do {                                                                                                     \
        (list)->count--;                                                                                     \
        memmove(&(list)->at[index], &(list)->at[(index) + 1],                                                \
                ((list)->count - (index)) * sizeof *(list)->at);                                             \
    } while (0)

bool vmem_fits_locked(const struct vmem *vmem, uint64_t bytes, uint32_t device, uint64_t limit);
/* Add to, or with a negative number take from, what a block's device holds. */
void vmem_count_locked(struct vmem *vmem, const struct vmem_block *block, int64_t bytes);
/* Addresses for so many bytes: out->block.base and out->span. */
enum sw_status vmem_span_locked(struct vmem *vmem, uint64_t bytes, struct vmem_live *out);
void vmem_permissions_release(struct vmem *vmem);
void vmem_permissions_clear_locked(struct vmem *vmem, dev_addr base, uint64_t bytes);
void vmem_pages_close(dev_addr base, uint64_t pages);
#endif
