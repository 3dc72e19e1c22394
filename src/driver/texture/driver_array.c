/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays: kept row by row in device memory, faces and layers one after another. Block-compressed, planar and
 * sparse ones are refused. */
#include "driver_array.h"

#include "driver/core/driver_error.h"
#include "driver/memory/driver_memory.h"
#include "driver/memory/driver_misuse.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

struct driver_array {
    struct driver_object object;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    struct driver_context *context; /* reference, or NULL for a level */
    dev_addr base;
    uint64_t pitch;
    bool of_level; /* the memory belongs to a mipmapped array */
};

unsigned driver_format_bytes(CUarray_format format, unsigned channels)
{
    static const struct {
        CUarray_format format;
        unsigned bytes, channels; /* 0: 1, 2 or 4 */
    } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1, 0},  {CU_AD_FORMAT_SIGNED_INT8, 1, 0},
                   {CU_AD_FORMAT_UNSIGNED_INT16, 2, 0}, {CU_AD_FORMAT_SIGNED_INT16, 2, 0},
                   {CU_AD_FORMAT_UNSIGNED_INT32, 4, 0}, {CU_AD_FORMAT_SIGNED_INT32, 4, 0},
                   {CU_AD_FORMAT_HALF, 2, 0},           {CU_AD_FORMAT_FLOAT, 4, 0},
                   {CU_AD_FORMAT_UNORM_INT8X1, 1, 1},   {CU_AD_FORMAT_UNORM_INT8X2, 1, 2},
                   {CU_AD_FORMAT_UNORM_INT8X4, 1, 4},   {CU_AD_FORMAT_SNORM_INT8X1, 1, 1},
                   {CU_AD_FORMAT_SNORM_INT8X2, 1, 2},   {CU_AD_FORMAT_SNORM_INT8X4, 1, 4},
                   {CU_AD_FORMAT_UNORM_INT16X1, 2, 1},  {CU_AD_FORMAT_UNORM_INT16X2, 2, 2},
                   {CU_AD_FORMAT_UNORM_INT16X4, 2, 4},  {CU_AD_FORMAT_SNORM_INT16X1, 2, 1},
                   {CU_AD_FORMAT_SNORM_INT16X2, 2, 2},  {CU_AD_FORMAT_SNORM_INT16X4, 2, 4}};
    for (size_t i = 0; i < SW_COUNT_OF(formats); i++) {
        if (formats[i].format != format) continue;
        bool fits = formats[i].channels ? channels == formats[i].channels
                                        : channels == 1 || channels == 2 || channels == 4;
        return fits ? formats[i].bytes * channels : 0;
    }
    return 0;
}

static bool is_other_format(CUarray_format format)
{
    return (format >= CU_AD_FORMAT_BC1_UNORM && format <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar) ||
           format == CU_AD_FORMAT_UNORM_INT_101010_2;
}

/* Each extent against the attribute that limits it; 0 of an extent: there is none. */
static bool within(const uint64_t extents[3], CUdevice_attribute a, CUdevice_attribute b,
                   CUdevice_attribute c)
{
    const CUdevice_attribute limits[] = {a, b, c};
    struct driver_context *context;
    if (driver_context_any(&context) != CUDA_SUCCESS) return true;
    for (int i = 0; i < 3; i++) {
        int most = 0;
        cuDeviceGetAttribute(&most, limits[i], context->device->ordinal);
        if (extents[i] > (uint64_t)most) return false;
    }
    return true;
}

#define WITHIN(a, b, c)                                                                                      \
    within(extents, CU_DEVICE_ATTRIBUTE_MAXIMUM_##a, CU_DEVICE_ATTRIBUTE_MAXIMUM_##b,                        \
           CU_DEVICE_ATTRIBUTE_MAXIMUM_##c)

static bool extent_fits(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    const uint64_t extents[] = {d->Width, d->Height, d->Depth};
    bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (cube && layered)
        return WITHIN(TEXTURECUBEMAP_LAYERED_WIDTH, TEXTURECUBEMAP_LAYERED_WIDTH,
                      TEXTURECUBEMAP_LAYERED_LAYERS);
    if (cube) return WITHIN(TEXTURECUBEMAP_WIDTH, TEXTURECUBEMAP_WIDTH, TEXTURECUBEMAP_WIDTH);
    if (layered && d->Height)
        return d->Depth &&
               WITHIN(TEXTURE2D_LAYERED_WIDTH, TEXTURE2D_LAYERED_HEIGHT, TEXTURE2D_LAYERED_LAYERS);
    if (layered)
        return d->Depth && WITHIN(TEXTURE1D_LAYERED_WIDTH, TEXTURE1D_LAYERED_WIDTH, TEXTURE1D_LAYERED_LAYERS);
    if (d->Flags & CUDA_ARRAY3D_TEXTURE_GATHER)
        return d->Height && !d->Depth &&
               WITHIN(TEXTURE2D_GATHER_WIDTH, TEXTURE2D_GATHER_HEIGHT, TEXTURE2D_GATHER_HEIGHT);
    if (d->Depth)
        return WITHIN(TEXTURE3D_WIDTH, TEXTURE3D_HEIGHT, TEXTURE3D_DEPTH) ||
               WITHIN(TEXTURE3D_WIDTH_ALTERNATE, TEXTURE3D_HEIGHT_ALTERNATE, TEXTURE3D_DEPTH_ALTERNATE);
    if (d->Height) return WITHIN(TEXTURE2D_WIDTH, TEXTURE2D_HEIGHT, TEXTURE2D_HEIGHT);
    return WITHIN(TEXTURE1D_WIDTH, TEXTURE1D_WIDTH, TEXTURE1D_WIDTH);
}

CUresult driver_array_check(const char *function, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    static int formats_refused, sparse_refused;
    bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (d->Width == 0 || (d->Depth && !d->Height && !layered)) return CUDA_ERROR_INVALID_VALUE;
    if (cube && (d->Width != d->Height || (layered ? d->Depth == 0 || d->Depth % 6 : d->Depth != 6)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!extent_fits(d)) return CUDA_ERROR_INVALID_VALUE;
    if (d->Flags & (CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT))
        return CUDA_ERROR_INVALID_VALUE; /* as on an H200: for graphics alone */
    if (d->Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING))
        return driver_refuse_call(&sparse_refused, function,
                                  "sparse arrays and arrays whose memory is mapped later");
    if (is_other_format(d->Format))
        return driver_refuse_call(
            &formats_refused, function,
            "block-compressed, planar and packed formats; use 8, 16 or 32 bits a channel");
    return driver_format_bytes(d->Format, d->NumChannels) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void array_end(struct driver_object *object)
{
    struct driver_array *array = (struct driver_array *)object;
    struct driver_context *context = array->context;
    bool gone = context && atomic_load(&context->gone); /* and its memory with it */
    if (!array->of_level && !gone) driver_memory_release(array->base, VMEM_DEVICE, VMEM_DEVICE);
    if (context) driver_object_unref(&context->object);
    free(array);
}

void driver_array_layout(const struct driver_array *array, uint64_t *base, uint64_t *pitch, uint64_t *rows)
{
    *base = array->base;
    *pitch = array->pitch;
    *rows = array->descriptor.Height ? array->descriptor.Height : 1;
}

const struct driver_context *driver_array_context(const struct driver_array *array)
{
    return array->context;
}

unsigned driver_array_element_bytes(const struct driver_array *array)
{
    return driver_format_bytes(array->descriptor.Format, array->descriptor.NumChannels);
}

CUDA_ARRAY3D_DESCRIPTOR driver_array_descriptor(const struct driver_array *array)
{
    return array->descriptor;
}

uint64_t driver_array_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d, uint64_t *pitch)
{
    uint64_t rows = d->Height ? d->Height : 1, slices = d->Depth ? d->Depth : 1, slice, total;
    if (__builtin_mul_overflow(d->Width, (uint64_t)driver_format_bytes(d->Format, d->NumChannels), pitch) ||
        __builtin_mul_overflow(*pitch, rows, &slice) || __builtin_mul_overflow(slice, slices, &total))
        return 0;
    return total;
}

static struct driver_array *array_new(const CUDA_ARRAY3D_DESCRIPTOR *d, dev_addr base, uint64_t pitch)
{
    struct driver_array *array = sw_xcalloc(1, sizeof *array);
    driver_object_init(&array->object, DRIVER_ARRAY, array_end);
    array->descriptor = *d;
    array->base = base;
    array->pitch = pitch;
    return array;
}

struct driver_array *driver_array_of_level(const CUDA_ARRAY3D_DESCRIPTOR *d, dev_addr base)
{
    uint64_t pitch = 0;
    driver_array_bytes(d, &pitch);
    struct driver_array *array = array_new(d, base, pitch);
    array->of_level = true;
    return array;
}

DRIVER_API cuArray3DCreate_v2(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !d) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_array_check("cuArray3DCreate", d));
    uint64_t pitch, total = driver_array_bytes(d, &pitch);
    if (!total) return CUDA_ERROR_INVALID_VALUE;
    dev_addr base;
    DRIVER_TRY(driver_memory_alloc(context, total, VMEM_DEVICE, 0, NULL, &base));
    engine_memory_written(driver.engine, base, total); /* surfaces write unseen */
    struct driver_array *array = array_new(d, base, pitch);
    driver_object_ref(&context->object);
    array->context = context;
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

/* The error of its context, which may be gone. */
static CUresult array_fault(const struct driver_array *array)
{
    if (!array->context) return CUDA_SUCCESS;
    if (atomic_load(&array->context->gone)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return (CUresult)atomic_load(&array->context->fault);
}

/* A level lives as long as its mipmapped array. */
DRIVER_API cuArrayDestroy(CUarray handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return driver_misuse_wrong_handle((uintptr_t)handle);
    bool taken = !array->of_level && driver_handle_take(handle, DRIVER_ARRAY);
    CUresult result = array_fault(array);
    if (result == CUDA_SUCCESS && array->context) driver_context_wait(array->context);
    if (taken) driver_object_unref(&array->object);
    driver_object_unref(&array->object);
    return result;
}

DRIVER_API cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray handle)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = array_fault(array);
    if (result == CUDA_SUCCESS) *out = array->descriptor;
    driver_object_unref(&array->object);
    return result;
}

DRIVER_API cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *out, CUarray handle)
{
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR full;
    DRIVER_TRY(cuArray3DGetDescriptor_v2(&full, handle));
    *out = (CUDA_ARRAY_DESCRIPTOR){full.Width, full.Height, full.Format, full.NumChannels};
    return CUDA_SUCCESS;
}

/* Neither has an answer for arrays that own their memory and have no planes, which all of ours are. */
static CUresult no_answer(const void *out, CUarray handle)
{
    DRIVER_TRY(driver_ready());
    if (!out || !handle) return CUDA_ERROR_INVALID_VALUE;
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(&array->object);
    return CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuArrayGetPlane(CUarray *out, CUarray handle, unsigned plane)
{
    (void)plane;
    if (out && !handle) return CUDA_ERROR_INVALID_HANDLE;
    return no_answer(out, handle);
}

DRIVER_API cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *out, CUarray handle, CUdevice device)
{
    (void)device;
    return no_answer(out, handle);
}

DRIVER_API cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *out, CUarray handle)
{
    return no_answer(out, handle);
}
