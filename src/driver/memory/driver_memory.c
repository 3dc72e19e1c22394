/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: device, pinned, managed and registered. The calls that take it and give it back:
 * driver_memory_calls.c; what can be asked of it: driver_pointer.c.
 *
 * vmem/ owns the addresses; this file remembers beside each allocation what the API wants to know of it
 * (context, flags, number, pool). A device pointer is a host pointer, so managed and pinned memory need no
 * mapping. */
#include "driver_history.h"
#include "driver_pool.h"

#include "driver/core/driver_caller.h"
#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map allocations; /* by base: struct driver_allocation */

static driver_memory_fn *told; /* of what is allocated and freed */

void driver_memory_tell(driver_memory_fn *tell)
{
    told = tell;
}

/* Held while memory is copied or filled, and by whoever gives memory back: a program that frees what another
 * of its threads copies to gets an error and no signal. */
static pthread_rwlock_t running = PTHREAD_RWLOCK_INITIALIZER;

void driver_memory_hold(void)
{
    pthread_rwlock_rdlock(&running);
}

void driver_memory_hold_alone(void)
{
    pthread_rwlock_wrlock(&running);
}

void driver_memory_let_go(void)
{
    pthread_rwlock_unlock(&running);
}

static const struct driver_caller *caller_for_checks(void)
{
    return driver_checks(UINT32_MAX) ? driver_caller_find(NULL) : NULL;
}

void driver_memory_remember(const struct driver_allocation *allocation)
{
    struct driver_allocation *copy = sw_xmalloc(sizeof *copy);
    *copy = *allocation;
    copy->id = atomic_fetch_add(&driver.next_allocation, 1) + 1;
    copy->made = caller_for_checks();
    copy->from = driver_caller_taken();
    pthread_mutex_lock(&lock);
    map_set_u64(&allocations, copy->base, copy);
    driver_permissions_apply(copy);
    pthread_mutex_unlock(&lock);
    told(true, allocation);
}

/* Under the lock: what was forgotten may be someone else's memory already. */
void driver_memory_apply_permissions(void)
{
    void *value;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&allocations, &i, &value);)
        driver_permissions_apply(value);
    pthread_mutex_unlock(&lock);
}

bool driver_memory_forget(dev_addr base, enum vmem_kind kind, enum vmem_kind also,
                          struct driver_allocation *out)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = base ? map_get_u64(&allocations, base) : NULL;
    bool fits = found && (found->kind == kind || found->kind == also);
    if (fits) {
        *out = *found;
        map_remove_u64(&allocations, base);
        free(found);
    }
    pthread_mutex_unlock(&lock);
    if (fits && driver_checks(UINT32_MAX))
        driver_history_add(out, out->freeing ? out->freed : driver_caller_find(NULL));
    if (fits) told(false, out);
    if (fits && out->kind == VMEM_MANAGED) driver_range_forget(base, out->bytes);
    return fits;
}

bool driver_memory_is_base(dev_addr base, enum vmem_kind kind, enum vmem_kind also)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = base ? map_get_u64(&allocations, base) : NULL;
    bool fits = found && (found->kind == kind || found->kind == also);
    pthread_mutex_unlock(&lock);
    return fits;
}

bool driver_memory_find(dev_addr address, struct driver_allocation *out)
{
    struct vmem_block block;
    if (!vmem_find(driver.vmem, address, &block)) return false;
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, block.base);
    if (found) *out = *found;
    pthread_mutex_unlock(&lock);
    if (!found)
        *out = (struct driver_allocation){
            .base = block.base, .bytes = block.bytes, .kind = block.kind, .device = (int)block.device};
    return true;
}

bool driver_memory_free_once(dev_addr base, struct driver_allocation *out)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, base);
    bool first = found && !found->freeing;
    if (first) {
        *out = *found;
        found->freeing = true;
        found->freed = caller_for_checks();
    }
    pthread_mutex_unlock(&lock);
    return first;
}

void driver_memory_set_variable(dev_addr base, const char *name)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, base);
    if (found) found->variable = name;
    pthread_mutex_unlock(&lock);
}

static int by_id(const void *a, const void *b)
{
    const struct driver_allocation *first = a, *second = b;
    return first->id < second->id ? -1 : first->id > second->id;
}

struct driver_allocation *driver_memory_live(size_t *count)
{
    VEC(struct driver_allocation) all = {0};
    void *value;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&allocations, &i, &value);)
        *vec_push(&all) = *(const struct driver_allocation *)value;
    pthread_mutex_unlock(&lock);
    if (all.count) qsort(all.at, all.count, sizeof *all.at, by_id);
    *count = all.count;
    return all.at;
}

bool driver_memory_is_legacy(const struct driver_allocation *allocation)
{
    return allocation->kind == VMEM_DEVICE && allocation->id && !allocation->pool && !allocation->imported;
}

bool driver_memory_valid(dev_addr address, uint64_t bytes)
{
    return vmem_allows(driver.vmem, address, bytes, VMEM_READ);
}

bool driver_memory_writable(dev_addr address, uint64_t bytes)
{
    return vmem_allows(driver.vmem, address, bytes, VMEM_WRITE);
}

bool driver_memory_is_pageable(const void *host)
{
    struct vmem_block block;
    return !vmem_find(driver.vmem, (uintptr_t)host, &block);
}

/* Whether a byte can be read, found by the system, which does not fault. Where it may not say, it can. */
static bool is_readable(dev_addr address)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)address, 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1 || errno != EFAULT;
}

/* The host has such memory: asked of the system, which answers without touching it. That something is mapped
 * at each page does not say that it can be read, which is asked of both ends. */
bool driver_memory_is_mapped(dev_addr address, uint64_t bytes)
{
    const dev_addr page = 4096, first = address & ~(page - 1);
    if (address + bytes < address || msync((void *)first, address + bytes - first, MS_ASYNC) != 0)
        return false;
    return bytes == 0 || (is_readable(address) && is_readable(address + bytes - 1));
}

/* All but the base is filled in. */
static CUresult memory_take(struct driver_allocation *allocation, dev_addr *out)
{
    const struct driver_device *device = &driver.devices[allocation->device];
    const struct driver_context *context = allocation->context;
    enum sw_status status = SW_OUT_OF_MEMORY;
    for (int exact = 0; exact < 2 && status == SW_OUT_OF_MEMORY; exact++) {
        uint64_t limit = allocation->kind == VMEM_DEVICE ? driver_device_limit(device, exact) : UINT64_MAX;
        status = vmem_alloc(driver.vmem, allocation->bytes, allocation->kind, (uint32_t)allocation->device,
                            context ? context->id : 0, limit, &allocation->base);
    }
    if (status != SW_OK) return driver_result(status);
    driver_memory_remember(allocation);
    driver_device_note(allocation->device);
    *out = allocation->base;
    return CUDA_SUCCESS;
}

CUresult driver_memory_alloc(struct driver_context *context, uint64_t bytes, enum vmem_kind kind,
                             unsigned flags, struct driver_pool *pool, dev_addr *out)
{
    struct driver_allocation allocation = {.bytes = bytes,
                                           .context = context,
                                           .flags = flags,
                                           .kind = kind,
                                           .device = context ? context->device->ordinal : 0,
                                           .pool = pool};
    return memory_take(&allocation, out);
}

CUresult driver_memory_alloc_by_graph(struct driver_context *context,
                                      const struct driver_graph_allocation *wanted, dev_addr *out)
{
    struct driver_allocation allocation = {.bytes = wanted->bytes,
                                           .context = context,
                                           .kind = VMEM_DEVICE,
                                           .device = wanted->device->ordinal,
                                           .also = wanted->reach,
                                           .by_graph = true};
    return memory_take(&allocation, out);
}

void driver_memory_reach(dev_addr base, uint32_t reach)
{
    pthread_mutex_lock(&lock);
    struct driver_allocation *found = map_get_u64(&allocations, base);
    if (found) {
        found->also |= reach;
        driver_permissions_apply(found);
    }
    pthread_mutex_unlock(&lock);
}

CUresult driver_memory_release(dev_addr base, enum vmem_kind kind, enum vmem_kind also)
{
    struct driver_allocation allocation;
    if (!driver_memory_forget(base, kind, also, &allocation)) return CUDA_ERROR_INVALID_VALUE;
    bool checked = driver_checks(EVENT_CHECK_MEMORY); /* then a pool gives its memory back, too */
    if (allocation.pool) {
        if (checked) pthread_rwlock_wrlock(&running);
        driver_pool_returned(&allocation);
        if (checked) pthread_rwlock_unlock(&running);
        return CUDA_SUCCESS;
    }
    if (allocation.imported) driver_ipc_forget(base);
    pthread_rwlock_wrlock(&running);
    enum sw_status status = vmem_release(driver.vmem, base);
    pthread_rwlock_unlock(&running);
    driver_device_note(allocation.device);
    return driver_result(status);
}

void driver_memory_release_context(const struct driver_context *context)
{
    VEC(struct driver_allocation) mine = {0};
    void *value;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&allocations, &i, &value);) {
        const struct driver_allocation *allocation = value;
        if (allocation->context == context && !allocation->by_graph) *vec_push(&mine) = *allocation;
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < mine.count; i++) {
        struct driver_allocation gone;
        if (mine.at[i].kind != VMEM_HOST_REGISTERED)
            driver_memory_release(mine.at[i].base, mine.at[i].kind, mine.at[i].kind);
        else if (driver_memory_forget(mine.at[i].base, VMEM_HOST_REGISTERED, VMEM_HOST_REGISTERED, &gone))
            vmem_unregister(driver.vmem, (void *)(uintptr_t)gone.base);
    }
    vec_release(&mine);
}
