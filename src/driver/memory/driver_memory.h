/* SPDX-License-Identifier: Apache-2.0 */
/* driver: allocations (driver_memory.c), and who may reach them (driver_permissions.c). */
#ifndef DRIVER_MEMORY_H
#define DRIVER_MEMORY_H

#include "driver/core/driver_context.h"

struct driver_caller;
struct driver_allocation { /* of ours, by base address */
    dev_addr base;
    uint64_t bytes, id;
    struct driver_context *context; /* not a reference; compared only */
    unsigned flags;
    enum vmem_kind kind;
    int device;
    struct driver_pool *pool; /* reference, or NULL */
    uint64_t offset;          /* in the pool's file, if it has one */
    bool imported;            /* another process's memory */
    uint32_t also;            /* bit d: device d may reach it, whatever else */
    dev_addr external;        /* a buffer in imported memory: where the program's part begins; 0: none */
    bool freeing;             /* cuMemFreeAsync was called */
    bool by_graph;            /* of an allocation node: the graph's, whatever becomes of the context */
    const char *variable;     /* of a module that it is; NULL: none */
    /* Calls that made it, and with `freeing` that free it; for a tool that checks, NULL: not known. */
    const struct driver_caller *made, *freed;
    const void *from; /* that driver_caller_taken gave; NULL: not known */
};
struct driver_graph_allocation { /* memory for an allocation node */
    struct driver_device *device;
    uint64_t bytes;
    uint32_t reach; /* bit d: device d may reach it too */
};

/* ---- which devices may reach an allocation (driver_permissions.c) */
void driver_permissions_apply(const struct driver_allocation *allocation);
/* After these, where they succeed, driver_memory_apply_permissions. */
CUresult driver_permissions_enable(const struct driver_context *by, const struct driver_context *to);
CUresult driver_permissions_disable(const struct driver_context *by, const struct driver_context *to);
/* It ends; its memory went before. true: driver_memory_apply_permissions. */
bool driver_permissions_close(const struct driver_context *context);
/* May the current context make textures and surfaces of arrays of that one? */
bool driver_permissions_own_arrays(const struct driver_context *context);
/* May a kernel of that device read or write there? */
bool driver_permissions_reach(const struct driver_device *device, dev_addr address, uint64_t bytes,
                              enum vmem_access access);
/* May the current context's device read or write there, by a fill or, which reach more, a copy? */
bool driver_permissions_allow(dev_addr address, uint64_t bytes, enum vmem_access access, bool copies);

/* ---- driver_memory.c, driver_ipc.c, driver_range.c */
/* Whom to notify of allocations and frees; once, before there is any. */
typedef void driver_memory_fn(bool allocates, const struct driver_allocation *allocation);
void driver_memory_tell(driver_memory_fn *tell);
/* While memory is copied or filled, so that none is given back. */
void driver_memory_hold(void);
void driver_memory_hold_alone(void); /* by whoever takes memory away */
void driver_memory_let_go(void);
CUresult driver_memory_alloc(struct driver_context *context, uint64_t bytes, enum vmem_kind kind,
                             unsigned flags, struct driver_pool *pool, dev_addr *out);
/* Of an allocation node, and more devices that may reach it. */
CUresult driver_memory_alloc_by_graph(struct driver_context *context,
                                      const struct driver_graph_allocation *wanted, dev_addr *out);
void driver_memory_reach(dev_addr base, uint32_t reach);
/* Forget a base of one of two kinds; false: none such. *out holds what it was. */
bool driver_memory_forget(dev_addr base, enum vmem_kind kind, enum vmem_kind also,
                          struct driver_allocation *out);
bool driver_memory_is_base(dev_addr base, enum vmem_kind kind, enum vmem_kind also);
CUresult driver_memory_release(dev_addr base, enum vmem_kind kind, enum vmem_kind also);
void driver_memory_remember(const struct driver_allocation *allocation); /* of vmem's, made elsewhere */
void driver_memory_set_variable(dev_addr base, const char *name);        /* lives as long as the allocation */
struct driver_allocation *driver_memory_live(size_t *count); /* all, in the order they were made; malloc'ed */
void driver_memory_apply_permissions(void);                  /* driver_permissions_apply to all */
bool driver_memory_is_legacy(const struct driver_allocation *allocation); /* of cuMemAlloc, our own */
bool driver_memory_find(dev_addr address, struct driver_allocation *out);
/* Mark an allocation as on its way to be freed; false: none such, or marked before. *out: as it was. */
bool driver_memory_free_once(dev_addr base, struct driver_allocation *out);
/* bytes at address may be read: inside one allocation or registration of ours, or mappings beside each other.
 */
bool driver_memory_valid(dev_addr address, uint64_t bytes);
bool driver_memory_writable(dev_addr address, uint64_t bytes);
CUresult driver_ipc_close(dev_addr address);           /* as often as it was opened */
void driver_ipc_forget(dev_addr at);                   /* memory of another process was unmapped */
void driver_range_forget(dev_addr at, uint64_t bytes); /* managed memory goes, with what was said of it */
bool driver_range_mostly_read(dev_addr at, uint64_t bytes); /* all of it is advised to be */
/* May such memory be advised and prefetched so. */
CUresult driver_range_check(CUdeviceptr address, size_t bytes, CUmemLocation location);
CUmemLocation driver_range_location(CUdevice device); /* as the older calls name it */
void driver_range_prefetched(dev_addr at, uint64_t bytes, CUmemLocation location);
bool driver_memory_is_pageable(const void *host);
bool driver_memory_is_mapped(dev_addr address, uint64_t bytes); /* by anyone: it can be touched */
void driver_memory_release_context(
    const struct driver_context *context); /* all that was allocated through it */
#endif
