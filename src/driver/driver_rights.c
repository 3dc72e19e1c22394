/* SPDX-License-Identifier: Apache-2.0 */
/* Which device may reach which allocation, told to vmem/, which emitted code asks (vmem_rights.c):
 *
 *   memory                                   devices that may reach it besides its own
 *   cuMemAlloc, arrays, module variables     those with a context that enabled access to it (driver_peer.c)
 *   of a pool                                those that cuMemPoolSetAccess named
 *   opened from another process              also the device that opened it
 *   mapped (driver_vmm.c)                    what cuMemSetAccess says, its own device no less
 *   managed, host memory                     all
 *
 * With one device nothing is kept: the pages' protection says it all. Limits: contexts of one device have its
 * rights in common. */
#include "driver_pool_priv.h"

/* How many contexts of a device have enabled access to another. */
static atomic_uint enabled[ARCH_DEVICES][ARCH_DEVICES];

static bool may_reach(const struct driver_allocation *allocation, int device)
{
    if (allocation->device == device || allocation->also >> device & 1) return true;
    if (allocation->pool) return __atomic_load_n(&allocation->pool->access[device], __ATOMIC_RELAXED) != 0;
    return atomic_load(&enabled[device][allocation->device]) != 0;
}

void driver_rights_apply(const struct driver_allocation *allocation)
{
    if (driver.device_count < 2 || allocation->kind != VMEM_DEVICE) return;
    for (int device = 0; device < driver.device_count; device++)
        vmem_rights_set(driver.vmem, allocation->base, (uint32_t)device,
                        may_reach(allocation, device) ? VMEM_WRITE : VMEM_NONE_ALLOWED,
                        allocation->pool ? VMEM_BY_POOL : VMEM_BY_PEER);
}

static void enable(int from, int to, bool now)
{
    if (now)
        atomic_fetch_add(&enabled[from][to], 1);
    else
        atomic_fetch_sub(&enabled[from][to], 1);
    driver_memory_apply_rights();
}

CUresult driver_rights_enable(struct driver_context *context, int to)
{
    uint32_t bit = 1u << to, before = __atomic_fetch_or(&context->peers, bit, __ATOMIC_RELAXED);
    if (before & bit) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    enable(context->device->ordinal, to, true);
    return CUDA_SUCCESS;
}

CUresult driver_rights_disable(struct driver_context *context, int to)
{
    uint32_t bit = 1u << to, before = __atomic_fetch_and(&context->peers, ~bit, __ATOMIC_RELAXED);
    if (!(before & bit)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    enable(context->device->ordinal, to, false);
    return CUDA_SUCCESS;
}

void driver_rights_close(struct driver_context *context)
{
    for (int to = 0; to < driver.device_count; to++)
        (void)driver_rights_disable(context, to);
}
