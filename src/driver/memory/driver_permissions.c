/* SPDX-License-Identifier: Apache-2.0 */
/* Which device may reach which allocation, told to vmem/, which emitted code asks (vmem_permissions.c), and
 * which fills and copies the current context may make:
 *
 *   memory                               devices that may reach it besides its own
 *   cuMemAlloc                           those with a context that enabled access to its context
 *   module variables                     none
 *   of a pool                            those that cuMemPoolSetAccess named
 *   opened from another process          also the device that opened it
 *   of a graph's allocation node         those in its accessDescs; when captured, those the pool named then
 *   mapped (driver_vmm.c)                what cuMemSetAccess says, its own device no less
 *   managed, host memory                 all
 *
 *   a kernel's malloc (engine_heap.c)     none, nor the host
 *
 * Textures and surfaces are made only of arrays of the same context, or of one that it enabled access to.
 * Copies reach what cuMemAlloc gave and module variables without leave, fills do not. All as two H100s
 * answered (tests/conform, "peers"). With one device nothing is kept: the pages' protection says it all. */
#include "driver_pool.h"

#include <stdlib.h>

struct grant { /* a context enabled access to another's memory; neither is a reference */
    const struct driver_context *by, *to;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the innermost */
static struct {
    VEC(struct grant) list;
} grants;

static bool is_granted(const struct driver_context *to, int device)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < grants.list.count && !found; i++)
        found = grants.list.at[i].to == to && grants.list.at[i].by->device->ordinal == device;
    pthread_mutex_unlock(&lock);
    return found;
}

bool driver_permissions_own_arrays(const struct driver_context *context)
{
    struct driver_context *by;
    bool found = !context || driver_context_any(&by) != CUDA_SUCCESS || by->root == context->root;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < grants.list.count && !found; i++)
        found = grants.list.at[i].by == by && grants.list.at[i].to == context;
    pthread_mutex_unlock(&lock);
    return found;
}

static bool is_variable(const struct driver_allocation *allocation)
{
    return allocation->flags == CU_MEM_ATTACH_GLOBAL; /* driver_module.c; else device memory has no flags */
}

static bool may_reach(const struct driver_allocation *allocation, int device)
{
    if (allocation->device == device || allocation->also >> device & 1) return true;
    if (allocation->by_graph) return false;
    if (allocation->pool) return __atomic_load_n(&allocation->pool->access[device], __ATOMIC_RELAXED) != 0;
    return !is_variable(allocation) && is_granted(allocation->context, device);
}

void driver_permissions_apply(const struct driver_allocation *allocation)
{
    if (driver.device_count < 2 || allocation->kind != VMEM_DEVICE) return;
    enum vmem_permission right = allocation->by_graph      ? VMEM_BY_GRAPH
                                 : allocation->pool        ? VMEM_BY_POOL
                                 : is_variable(allocation) ? VMEM_BY_NOBODY
                                                           : VMEM_BY_PEER;
    for (int device = 0; device < driver.device_count; device++)
        vmem_permissions_set(driver.vmem, allocation->base, (uint32_t)device,
                             may_reach(allocation, device) ? VMEM_WRITE : VMEM_NONE_ALLOWED, right);
}

/* ---- peers */

/* Take out those that match; NULL matches any. Returns how many. */
static size_t take_out(const struct driver_context *by, const struct driver_context *to)
{
    size_t kept = 0, count;
    pthread_mutex_lock(&lock);
    count = grants.list.count;
    for (size_t i = 0; i < count; i++) {
        struct grant grant = grants.list.at[i];
        if ((by && grant.by != by) || (to && grant.to != to)) grants.list.at[kept++] = grant;
    }
    grants.list.count = kept;
    pthread_mutex_unlock(&lock);
    return count - kept;
}

static bool permissions_add(struct grant grant)
{
    bool fresh = true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < grants.list.count && fresh; i++)
        fresh = grants.list.at[i].by != grant.by || grants.list.at[i].to != grant.to;
    if (fresh) *vec_push(&grants.list) = grant;
    pthread_mutex_unlock(&lock);
    return fresh;
}

CUresult driver_permissions_enable(const struct driver_context *by, const struct driver_context *to)
{
    if (by->device == to->device) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    return permissions_add((struct grant){by, to}) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult driver_permissions_disable(const struct driver_context *by, const struct driver_context *to)
{
    return take_out(by, to) ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

bool driver_permissions_close(const struct driver_context *context)
{
    size_t gone = take_out(context, NULL);
    (void)take_out(NULL, context); /* its memory went before */
    return gone > 0;
}

/* ---- fills and copies */

bool driver_permissions_reach(const struct driver_device *device, dev_addr address, uint64_t bytes,
                              enum vmem_access access)
{
    struct vmem_permissions permissions;
    unsigned need = access == VMEM_READ ? VMEM_READ : VMEM_WRITE & ~(unsigned)VMEM_READ;
    return !vmem_permissions_of(driver.vmem, (uint32_t)device->ordinal, &permissions) ||
           !(vmem_permissions_denied(&permissions, address, bytes) & need);
}

bool driver_permissions_allow(dev_addr address, uint64_t bytes, enum vmem_access access, bool copies)
{
    struct driver_context *context;
    struct vmem_block block;
    if (driver.device_count < 2 || driver_context_any(&context) != CUDA_SUCCESS) return true;
    if (driver_permissions_reach(context->device, address, bytes, access)) return true;
    return copies && vmem_find(driver.vmem, address, &block) &&
           (block.right == VMEM_BY_PEER || block.right == VMEM_BY_NOBODY);
}
