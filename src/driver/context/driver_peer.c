/* SPDX-License-Identifier: Apache-2.0 */
/* Peers: what devices can do with each other's memory, and access enabled from context to context.
 *
 * Every device can reach every other's memory, as over NVLink, once it is enabled (driver_permissions.c). */
#include "driver/memory/driver_memory.h"

DRIVER_API cuDeviceCanAccessPeer(int *can, CUdevice from, CUdevice to)
{
    struct driver_device *a, *b;
    DRIVER_TRY(driver_device_get(from, &a));
    DRIVER_TRY(driver_device_get(to, &b));
    if (!can) return CUDA_ERROR_INVALID_VALUE;
    *can = a != b;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to)
{
    struct driver_device *a, *b;
    DRIVER_TRY(driver_device_get(from, &a));
    DRIVER_TRY(driver_device_get(to, &b));
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    if (a == b) return CUDA_ERROR_INVALID_DEVICE;
    switch ((int)attribute) {
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: *value = 1; return CUDA_SUCCESS;
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
    case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED: *value = 0; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- atomic operations on other memory: what two H200s answered, of the host's over PCIe and of each
 * other's over NVLink, is that nothing is promised for any operation. */

static CUresult promise_nothing(unsigned *capabilities, const CUatomicOperation *operations, unsigned count)
{
    if (!capabilities || !operations || !count) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++)
        capabilities[i] = 0;
    for (unsigned i = 0; i < count; i++)
        if ((unsigned)operations[i] >= CU_ATOMIC_OPERATION_MAX) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGetHostAtomicCapabilities(unsigned *capabilities, const CUatomicOperation *operations,
                                             unsigned count, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    return promise_nothing(capabilities, operations, count);
}

DRIVER_API cuDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const CUatomicOperation *operations,
                                            unsigned count, CUdevice from, CUdevice to)
{
    struct driver_device *a, *b;
    DRIVER_TRY(driver_device_get(from, &a));
    DRIVER_TRY(driver_device_get(to, &b));
    if (a == b) return CUDA_ERROR_INVALID_DEVICE;
    return promise_nothing(capabilities, operations, count);
}

static CUresult peer_context(CUcontext peer, struct driver_context **context, struct driver_context **other)
{
    DRIVER_TRY(driver_context_current(context));
    *other = driver_handle_get(peer, DRIVER_CONTEXT);
    if (*other) return CUDA_SUCCESS;
    return peer ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
}

DRIVER_API cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    struct driver_context *context, *other;
    DRIVER_TRY(driver_ready());
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(peer_context(peer, &context, &other));
    CUresult result = driver_permissions_enable(context, other);
    if (result == CUDA_SUCCESS) driver_memory_apply_permissions();
    driver_object_unref(&other->object);
    return result;
}

DRIVER_API cuCtxDisablePeerAccess(CUcontext peer)
{
    struct driver_context *context, *other;
    DRIVER_TRY(peer_context(peer, &context, &other));
    CUresult result = driver_permissions_disable(context, other);
    if (result == CUDA_SUCCESS) driver_memory_apply_permissions();
    driver_object_unref(&other->object);
    return result;
}
