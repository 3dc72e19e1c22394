/* SPDX-License-Identifier: Apache-2.0 */
/* The primary context of each device: made when it is first retained, ended when its last user lets go or it
 * is reset. The device's lock guards it. */
#include "driver_context_life.h"

CUresult driver_primary_retain(struct driver_device *device, struct driver_context **out)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&device->lock);
    if (!device->primary)
        result = driver_context_new(device, device->primary_flags, true, NULL, &device->primary);
    if (result == CUDA_SUCCESS) {
        device->primary_count++;
        *out = device->primary;
    }
    pthread_mutex_unlock(&device->lock);
    return result;
}

DRIVER_API cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice ordinal)
{
    struct driver_device *device;
    struct driver_context *context;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_primary_retain(device, &context));
    *out = (CUcontext)context;
    return CUDA_SUCCESS;
}

/* The primary context ends when its last user let go (a caller of this), or at once. */
static CUresult primary_end(struct driver_device *device, bool at_once)
{
    struct driver_context *context = NULL;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&device->lock);
    if (at_once)
        device->primary_flags = 0;
    else if (device->primary_count == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else
        device->primary_count--;
    if (result == CUDA_SUCCESS && (at_once || device->primary_count == 0)) {
        context = device->primary;
        device->primary = NULL;
    }
    pthread_mutex_unlock(&device->lock);
    if (context && driver_handle_take(context, DRIVER_CONTEXT)) driver_context_close(context);
    return result;
}

CUresult driver_primary_release(struct driver_device *device)
{
    return primary_end(device, false);
}

DRIVER_API cuDevicePrimaryCtxRelease_v2(CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    return primary_end(device, false);
}

/* The count stays: those who retained it release it still. The handle changes, as cudaDeviceReset expects. */
DRIVER_API cuDevicePrimaryCtxReset_v2(CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    return primary_end(device, true);
}

DRIVER_API cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned flags)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!driver_context_flags_are_valid(flags) || flags & CU_CTX_MAP_HOST) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&device->lock);
    device->primary_flags = flags;
    if (device->primary) device->primary->flags = flags;
    pthread_mutex_unlock(&device->lock);
    return CUDA_SUCCESS;
}

DRIVER_API cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned *flags, int *active)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&device->lock);
    *flags = device->primary_flags;
    *active = device->primary != NULL;
    pthread_mutex_unlock(&device->lock);
    return CUDA_SUCCESS;
}
