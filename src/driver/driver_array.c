/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays: kept row by row in device memory. Mipmapped ones are refused (driver_api.def). */
#include "driver_priv.h"

#include <stdlib.h>

struct driver_array {
    struct driver_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    dev_addr base;
    uint64_t pitch;
};

static unsigned format_bytes(CUarray_format format)
{
    switch ((int)format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 4;
    default: return 0;
    }
}

static void array_end(struct driver_object *object)
{
    struct driver_array *array = (struct driver_array *)object;
    driver_memory_release(array->base, VMEM_DEVICE, VMEM_DEVICE);
    free(array);
}

void driver_array_layout(const struct driver_array *array, uint64_t *base, uint64_t *pitch, uint64_t *rows)
{
    *base = array->base;
    *pitch = array->pitch;
    *rows = array->descriptor.Height ? array->descriptor.Height : 1;
}

CUDA_ARRAY3D_DESCRIPTOR driver_array_descriptor(const struct driver_array *array)
{
    return array->descriptor;
}

DRIVER_API cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !d || d->Width == 0) return CUDA_ERROR_INVALID_VALUE;
    unsigned channels = d->NumChannels, bytes = format_bytes(d->Format);
    if (!bytes || (channels != 1 && channels != 2 && channels != 4)) return CUDA_ERROR_INVALID_VALUE;
    uint64_t rows = d->Height ? d->Height : 1, slices = d->Depth ? d->Depth : 1, pitch, slice, total;
    if (__builtin_mul_overflow(d->Width, (uint64_t)bytes * channels, &pitch) ||
        __builtin_mul_overflow(pitch, rows, &slice) || __builtin_mul_overflow(slice, slices, &total))
        return CUDA_ERROR_INVALID_VALUE;
    dev_addr base;
    DRIVER_TRY(driver_memory_alloc(context, total, VMEM_DEVICE, 0, NULL, &base));
    struct driver_array *array = sw_xcalloc(1, sizeof *array);
    driver_object_init(&array->object, DRIVER_ARRAY, array_end);
    array->descriptor = *d;
    array->base = base;
    array->pitch = pitch;
    driver_handle_add(&array->object);
    *out = (CUarray)array;
    return CUDA_SUCCESS;
}

DRIVER_API cuArrayCreate_v2(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
    if (!d) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR full = {d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
    return cuArray3DCreate_v2(out, &full);
}

DRIVER_API cuArrayDestroy(CUarray handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    struct driver_array *array = driver_handle_take(handle, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    driver_context_wait(context);
    driver_object_unref(&array->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray handle)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    *out = array->descriptor;
    driver_object_unref(&array->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR full;
    DRIVER_TRY(cuArray3DGetDescriptor_v2(&full, handle));
    *out = (CUDA_ARRAY_DESCRIPTOR){full.Width, full.Height, full.Format, full.NumChannels};
    return CUDA_SUCCESS;
}
