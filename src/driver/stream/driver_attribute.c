/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of launches, kernel nodes and streams: which there are of each, what values they may have, and
 * what was set. Those that change what runs are acted on where launches are made (driver_launch.c), windows
 * of the L2 cache too, for who models it; memory domains, synchronization policies and scheduling preferences
 * are kept and answered, and change nothing here. */
#include "driver_attribute.h"

#include "driver_event.h"

#include "driver/core/driver_error.h"

#include <string.h>

static const unsigned char valid_for[] = {
    [CU_LAUNCH_ATTRIBUTE_IGNORE] = DRIVER_OF_LAUNCH,
    [CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE | DRIVER_OF_STREAM,
    [CU_LAUNCH_ATTRIBUTE_COOPERATIVE] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
    [CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY] = DRIVER_OF_STREAM,
    [CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
    [CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
    [CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION] = DRIVER_OF_LAUNCH,
    [CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT] = DRIVER_OF_LAUNCH,
    [CU_LAUNCH_ATTRIBUTE_PRIORITY] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE | DRIVER_OF_STREAM,
    [CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE | DRIVER_OF_STREAM,
    [CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE | DRIVER_OF_STREAM,
    [CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION] = DRIVER_OF_LAUNCH,
    [CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT] = DRIVER_OF_LAUNCH,
    [CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
    [CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
    [CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING] = DRIVER_OF_LAUNCH | DRIVER_OF_NODE,
};

static bool window_fits(const CUaccessPolicyWindow *window, const struct driver_device *device)
{
    int most = 0;
    cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, device->ordinal);
    return window->num_bytes <= (size_t)most && window->hitRatio >= 0 && window->hitRatio <= 1 &&
           window->hitProp <= CU_ACCESS_PROPERTY_PERSISTING &&
           window->missProp <= CU_ACCESS_PROPERTY_STREAMING;
}

static CUresult refuse_clusters(const CUlaunchAttributeValue *value)
{
    static int refused;
    const unsigned x = value->clusterDim.x, y = value->clusterDim.y, z = value->clusterDim.z;
    if ((uint64_t)x * y * z <= 1) return CUDA_SUCCESS;
    return driver_refuse_call(&refused, "cuLaunchKernelEx", "thread block clusters");
}

static CUresult check_event(CUevent handle)
{
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    if (!event) return CUDA_ERROR_INVALID_HANDLE;
    bool plain = event->flags & CU_EVENT_DISABLE_TIMING && !(event->flags & CU_EVENT_INTERPROCESS);
    driver_object_unref(&event->object);
    return plain ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

bool driver_attribute_is_of(CUlaunchAttributeID id, enum driver_attribute_of of)
{
    return (size_t)id < SW_COUNT_OF(valid_for) && (valid_for[id] & of) != 0;
}

CUresult driver_attribute_check(CUlaunchAttributeID id, const CUlaunchAttributeValue *value,
                                enum driver_attribute_of of, const struct driver_device *device)
{
    if (!driver_attribute_is_of(id, of)) return CUDA_ERROR_INVALID_VALUE;
    bool valid = true;
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: return refuse_clusters(value);
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: /* but where a capture makes it a node's */
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        valid = value->clusterSchedulingPolicyPreference <= CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING;
        break;
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        valid = of == DRIVER_OF_NODE || value->sharedMemCarveout <= CU_SHAREDMEM_CARVEOUT_MAX_SHARED;
        break;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        valid = window_fits(&value->accessPolicyWindow, device);
        break;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        valid = value->syncPolicy >= CU_SYNC_POLICY_AUTO && value->syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC;
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        valid = value->memSyncDomain <= CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
        break;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: return check_event(value->programmaticEvent.event);
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: return check_event(value->launchCompletionEvent.event);
    default: break;
    }
    return valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUlaunchAttribute *attribute_find(const struct driver_attributes *attributes, CUlaunchAttributeID id)
{
    for (size_t i = 0; i < attributes->list.count; i++)
        if (attributes->list.at[i].id == id) return &attributes->list.at[i];
    return NULL;
}

void driver_attributes_set(struct driver_attributes *attributes, CUlaunchAttributeID id,
                           const CUlaunchAttributeValue *value)
{
    CUlaunchAttribute *at = attribute_find(attributes, id);
    if (!at) at = vec_push(&attributes->list);
    memset(at, 0, sizeof *at);
    at->id = id;
    at->value = *value;
}

CUlaunchAttributeValue driver_attributes_get(const struct driver_attributes *attributes,
                                             CUlaunchAttributeID id)
{
    CUlaunchAttributeValue value;
    const CUlaunchAttribute *at = attribute_find(attributes, id);
    if (at) return at->value;
    memset(&value, 0, sizeof value);
    if (id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = CU_SYNC_POLICY_AUTO;
    if (id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) value.memSyncDomainMap.remote = 1;
    if (id == CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
        value.sharedMemCarveout = (unsigned)CU_SHAREDMEM_CARVEOUT_DEFAULT;
    return value;
}

void driver_attributes_copy(struct driver_attributes *to, const struct driver_attributes *from)
{
    vec_clear(&to->list);
    for (size_t i = 0; i < from->list.count; i++)
        *vec_push(&to->list) = from->list.at[i];
}

void driver_attributes_release(struct driver_attributes *attributes)
{
    vec_release(&attributes->list);
}
