/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects. The object that a kernel gets is the address of a struct jit_texture, which
 * the engine reads. Limits: no mipmaps, cube maps, resource views or texture references. */
#include "driver_priv.h"

#include "jit/jit_abi.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct driver_texture {
    struct driver_object object;
    bool is_surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    struct driver_object *array; /* reference, or NULL */
    struct jit_texture record;   /* its address is the program's handle */
};

static void texture_end(struct driver_object *object)
{
    struct driver_texture *t = (struct driver_texture *)object;
    engine_texture_remove(&t->record);
    driver_object_unref(t->array);
    free(t);
}

static bool texel_of(CUarray_format format, uint8_t *texel, uint32_t *bytes)
{
    static const struct {
        CUarray_format format;
        enum jit_texel texel;
        uint32_t bytes;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, JIT_TEXEL_U8, 1},   {CU_AD_FORMAT_SIGNED_INT8, JIT_TEXEL_S8, 1},
        {CU_AD_FORMAT_UNSIGNED_INT16, JIT_TEXEL_U16, 2}, {CU_AD_FORMAT_SIGNED_INT16, JIT_TEXEL_S16, 2},
        {CU_AD_FORMAT_UNSIGNED_INT32, JIT_TEXEL_U32, 4}, {CU_AD_FORMAT_SIGNED_INT32, JIT_TEXEL_S32, 4},
        {CU_AD_FORMAT_HALF, JIT_TEXEL_F16, 2},           {CU_AD_FORMAT_FLOAT, JIT_TEXEL_F32, 4}};
    for (size_t i = 0; i < SW_COUNT_OF(formats); i++) {
        if (formats[i].format != format) continue;
        *texel = (uint8_t)formats[i].texel;
        *bytes = formats[i].bytes;
        return true;
    }
    return false;
}

static CUresult from_array(struct driver_texture *t, CUarray handle)
{
    static int refused;
    struct jit_texture *record = &t->record;
    struct driver_array *array = driver_handle_get(handle, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    t->array = (struct driver_object *)array;
    CUDA_ARRAY3D_DESCRIPTOR d = driver_array_descriptor(array);
    uint64_t rows;
    uint32_t bytes;
    driver_array_layout(array, &record->base, &record->pitch, &rows);
    record->slice = record->pitch * rows;
    record->width = (uint32_t)d.Width;
    record->height = (uint32_t)rows;
    record->depth = d.Depth ? (uint32_t)d.Depth : 1;
    record->channels = (uint8_t)d.NumChannels;
    record->layers = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
    if (d.Flags & CUDA_ARRAY3D_CUBEMAP) return driver_refuse_call(&refused, "cuTexObjectCreate", "cube maps");
    return texel_of(d.Format, &record->texel, &bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult from_memory(struct jit_texture *record, CUdeviceptr base, CUarray_format format,
                            unsigned channels, size_t bytes, size_t pitch)
{
    uint32_t texel_bytes;
    if ((channels != 1 && channels != 2 && channels != 4) || !texel_of(format, &record->texel, &texel_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_memory_valid(base, bytes) || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    record->base = base;
    record->channels = (uint8_t)channels;
    record->pitch = record->slice = pitch;
    record->width = (uint32_t)(bytes / (channels * texel_bytes));
    record->height = record->depth = 1;
    record->plain = true;
    return CUDA_SUCCESS;
}

static CUresult read_resource(struct driver_texture *t, const CUDA_RESOURCE_DESC *r)
{
    static int refused;
    struct jit_texture *record = &t->record;
    if (r->flags) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: return from_array(t, r->res.array.hArray);
    case CU_RESOURCE_TYPE_LINEAR:
        return from_memory(record, r->res.linear.devPtr, r->res.linear.format, r->res.linear.numChannels,
                           r->res.linear.sizeInBytes, r->res.linear.sizeInBytes);
    case CU_RESOURCE_TYPE_PITCH2D:
        DRIVER_TRY(
            from_memory(record, r->res.pitch2D.devPtr, r->res.pitch2D.format, r->res.pitch2D.numChannels,
                        r->res.pitch2D.height * r->res.pitch2D.pitchInBytes, r->res.pitch2D.pitchInBytes));
        record->width = (uint32_t)r->res.pitch2D.width;
        record->height = (uint32_t)r->res.pitch2D.height;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return driver_refuse_call(&refused, "cuTexObjectCreate", "mipmapped arrays");
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static void read_sampling(struct jit_texture *record, const CUDA_TEXTURE_DESC *d)
{
    bool narrow = record->texel <= JIT_TEXEL_S16;
    record->linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR;
    record->normalized_coords = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    record->read_normalized = narrow && !(d->flags & CU_TRSF_READ_AS_INTEGER);
    for (int i = 0; i < 3; i++)
        record->address[i] = (uint8_t)d->addressMode[i]; /* the same numbers */
    memcpy(record->border, d->borderColor, sizeof record->border);
}
_Static_assert(CU_TR_ADDRESS_MODE_WRAP == (int)JIT_ADDRESS_WRAP &&
                   CU_TR_ADDRESS_MODE_BORDER == (int)JIT_ADDRESS_BORDER,
               "addressing modes have CUDA's numbers");

static CUresult create(unsigned long long *out, const CUDA_RESOURCE_DESC *resource,
                       const CUDA_TEXTURE_DESC *sampling)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !resource) return CUDA_ERROR_INVALID_VALUE;
    struct driver_texture *t = sw_xcalloc(1, sizeof *t);
    driver_object_init(&t->object, DRIVER_TEXTURE, texture_end);
    t->resource = *resource;
    t->is_surface = t->record.surface = !sampling;
    if (sampling) t->texture = *sampling;
    CUresult result = read_resource(t, resource);
    if (!sampling && resource->resType != CU_RESOURCE_TYPE_ARRAY) result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&t->object);
        return result;
    }
    if (sampling) read_sampling(&t->record, sampling);
    driver_handle_add(&t->object);
    engine_texture_add(&t->record);
    *out = (uintptr_t)&t->record;
    return CUDA_SUCCESS;
}

static const void *object_of(unsigned long long handle)
{
    return (const void *)(uintptr_t)(handle - offsetof(struct driver_texture, record));
}

static CUresult destroy(unsigned long long handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    struct driver_texture *t = driver_handle_take(object_of(handle), DRIVER_TEXTURE);
    if (!t) return CUDA_ERROR_INVALID_VALUE;
    driver_context_wait(context); /* kernels may still read it */
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *resource,
                             const CUDA_TEXTURE_DESC *sampling, const CUDA_RESOURCE_VIEW_DESC *view)
{
    static int refused;
    if (!sampling) return CUDA_ERROR_INVALID_VALUE;
    if (view && view->format != CU_RES_VIEW_FORMAT_NONE)
        return driver_refuse_call(&refused, "cuTexObjectCreate", "resource views");
    return create(out, resource, sampling);
}

DRIVER_API cuTexObjectDestroy(CUtexObject handle)
{
    return destroy(handle);
}

DRIVER_API cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *resource)
{
    return create(out, resource, NULL);
}

DRIVER_API cuSurfObjectDestroy(CUsurfObject handle)
{
    return destroy(handle);
}

static CUresult describe(unsigned long long handle, bool surface, CUDA_RESOURCE_DESC *resource,
                         CUDA_TEXTURE_DESC *sampling)
{
    DRIVER_TRY(driver_ready());
    if (!resource && !sampling) return CUDA_ERROR_INVALID_VALUE;
    struct driver_texture *t = driver_handle_get(object_of(handle), DRIVER_TEXTURE);
    if (!t) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = t->is_surface == surface ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && resource) *resource = t->resource;
    if (result == CUDA_SUCCESS && sampling) *sampling = t->texture;
    driver_object_unref(&t->object);
    return result;
}

DRIVER_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject handle)
{
    return describe(handle, false, out, NULL);
}

DRIVER_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject handle)
{
    return describe(handle, false, NULL, out);
}

DRIVER_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject handle)
{
    return describe(handle, true, out, NULL);
}
