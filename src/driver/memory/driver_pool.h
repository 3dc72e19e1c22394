/* SPDX-License-Identifier: Apache-2.0 */
/* driver: pools (driver_pool.c). Functions that end in _locked want pool->lock held. */
#ifndef DRIVER_POOL_H
#define DRIVER_POOL_H

#include "driver_memory.h"
#include "driver_share.h"

#include "vmem/vmem_ranges.h"

#define DRIVER_POOL_UNIT (UINT64_C(32) << 20)
#define DRIVER_POOL_PAGE UINT64_C(4096)

struct driver_kept {        /* a block that nobody uses */
    dev_addr at;            /* 0: counted only (driver_pool.c) */
    uint64_t bytes, offset; /* bytes: as counted by vmem */
};
struct driver_pool {
    struct driver_object object;
    struct driver_device *device;
    pthread_mutex_t lock;
    uint64_t used, used_high, reserved, reserved_high, threshold, most;
    /* in whole pages: what stands for `used`, what is kept, and what of that came since the host waited last
     */
    uint64_t pages_used, pages_kept, pages_fresh;
    VEC(struct driver_kept) kept;
    int reuse[3];
    uint8_t access[ARCH_DEVICES]; /* CUmemAccess_flags of other devices */
    bool fixed;                   /* a device's default pool */
    bool shared, imported;        /* has a file; of another process */
    struct driver_pages pages;
    struct vmem_ranges ranges; /* of the file */
    struct driver_pool *next;  /* of all pools */
};

static inline uint64_t driver_pool_units(uint64_t bytes)
{
    return (bytes + DRIVER_POOL_UNIT - 1) / DRIVER_POOL_UNIT * DRIVER_POOL_UNIT;
}
struct driver_pool *driver_pool_new(struct driver_device *device);
/* An allocation of a pool went back: the pool keeps it or gives it away, and drops its reference. */
void driver_pool_returned(const struct driver_allocation *allocation);
/* The host waited: what pools hold beyond their thresholds goes back to the system. */
void driver_pools_settle(void);
/* Reserve no more than `keep` bytes, or what is in use. */
void driver_pool_shrink_locked(struct driver_pool *pool, uint64_t keep);
/* A pool with a file; it becomes the pool's. */
struct driver_pool *driver_pool_shared(struct driver_device *device, const struct driver_pages *pages,
                                       bool imported);
void driver_pools_of(struct driver_device *device, CUmemoryPool *fixed, CUmemoryPool *current);
#endif
