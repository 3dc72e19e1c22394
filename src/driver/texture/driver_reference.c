/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface references: variables of a module, each with a record that the engine reads and that a
 * call fills anew, under its lock. Kernels that run are waited for first. Limits: the forms of before
 * CUDA 3.2, which take addresses of 32 bits, are refused (driver_api.def). */
#include "driver_array.h"
#include "driver_texture.h"

#include "driver/stream/driver_stream.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct driver_reference {
    struct driver_object object;
    pthread_mutex_t lock; /* from reference_get to done: all that follows but surface, which stays */
    bool surface, bound;
    CUarray_format format;
    unsigned channels;
    CUDA_TEXTURE_DESC sampler;
    CUDA_RESOURCE_DESC resource;
    struct driver_object *holds; /* reference, or NULL */
    struct jit_texture record;   /* its address is the variable's */
};

static void reference_end(struct driver_object *object)
{
    struct driver_reference *r = (struct driver_reference *)object;
    engine_texture_remove(&r->record);
    driver_object_unref(r->holds);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

struct driver_reference *driver_reference_new(bool surface)
{
    struct driver_reference *r = sw_xcalloc(1, sizeof *r);
    driver_object_init(&r->object, DRIVER_REFERENCE, reference_end);
    pthread_mutex_init(&r->lock, NULL);
    r->surface = r->record.surface = surface;
    r->record.reference = true;
    r->format = CU_AD_FORMAT_FLOAT;
    r->channels = 1;
    for (int i = 0; i < 3; i++)
        r->sampler.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    engine_texture_add(&r->record);
    driver_handle_add(&r->object);
    return r;
}

dev_addr driver_reference_address(const struct driver_reference *r)
{
    return (uintptr_t)&r->record;
}

struct driver_reference *driver_reference_at(dev_addr address)
{
    return (struct driver_reference *)(uintptr_t)(address - offsetof(struct driver_reference, record));
}

void driver_reference_free(dev_addr address)
{
    driver_object_unref(driver_handle_take(driver_reference_at(address), DRIVER_REFERENCE));
}

/* ---- calls: a new reference to what the handle means, locked, and its end */

static CUresult reference_get(const void *handle, bool surface, struct driver_reference **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_reference *r = driver_handle_get(handle, DRIVER_REFERENCE);
    if (!r) return handle ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    *out = r;
    if (r->surface == surface) {
        pthread_mutex_lock(&r->lock);
        return CUDA_SUCCESS;
    }
    driver_object_unref(&r->object);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult done(struct driver_reference *r, CUresult result)
{
    pthread_mutex_unlock(&r->lock);
    driver_object_unref(&r->object);
    return result;
}

/* The record from all that was set. */
static CUresult refresh(struct driver_reference *r)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    struct jit_texture record = {.reference = true, .surface = r->surface};
    struct driver_object *holds = NULL;
    struct driver_texture_source source = {r->resource, r->surface ? NULL : &r->sampler, NULL,
                                           "cuTexRefSetArray"};
    CUresult result = r->bound ? driver_texture_record(&source, &record, &holds) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS) {
        driver_object_unref(holds);
        return result;
    }
    driver_context_wait(context);
    record.reference = true;
    driver_object_unref(r->holds);
    r->holds = holds;
    r->record = record;
    return CUDA_SUCCESS;
}

static CUresult bind(struct driver_reference *r, const CUDA_RESOURCE_DESC *resource)
{
    CUDA_RESOURCE_DESC before = r->resource;
    bool bound = r->bound;
    r->resource = *resource;
    r->bound = true;
    CUresult result = refresh(r);
    if (result == CUDA_SUCCESS) return result;
    r->resource = before;
    r->bound = bound;
    return result;
}

DRIVER_API cuTexRefCreate(CUtexref *out)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *out = (CUtexref)driver_reference_new(false);
    return CUDA_SUCCESS;
}

DRIVER_API cuTexRefDestroy(CUtexref handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_reference *r = driver_handle_take(handle, DRIVER_REFERENCE);
    if (!r) return handle ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(&r->object);
    return CUDA_SUCCESS;
}

/* A function's references are bound by their variables: there is nothing to do. */
DRIVER_API cuParamSetTexRef(CUfunction handle, int unit, CUtexref reference)
{
    struct driver_reference *r;
    struct driver_object *function = driver_handle_get(handle, DRIVER_FUNCTION);
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(function);
    if (unit != CU_PARAM_TR_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(reference, false, &r));
    return done(r, CUDA_SUCCESS);
}

/* ---- what is bound */

static void take_format(struct driver_reference *r, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    r->format = d->Format;
    r->channels = d->NumChannels;
}

DRIVER_API cuTexRefSetArray(CUtexref handle, CUarray array, unsigned flags)
{
    struct driver_reference *r;
    CUDA_ARRAY3D_DESCRIPTOR d;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    CUresult result =
        flags & ~CU_TRSA_OVERRIDE_FORMAT ? CUDA_ERROR_INVALID_VALUE : cuArray3DGetDescriptor_v2(&d, array);
    if (result == CUDA_SUCCESS) result = bind(r, &resource);
    if (result == CUDA_SUCCESS) take_format(r, &d);
    return done(r, result);
}

DRIVER_API cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array, unsigned flags)
{
    struct driver_reference *r;
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUarray level;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                   .res.mipmap.hMipmappedArray = array};
    CUresult result = flags & ~CU_TRSA_OVERRIDE_FORMAT ? CUDA_ERROR_INVALID_VALUE
                                                       : cuMipmappedArrayGetLevel(&level, array, 0);
    if (result == CUDA_SUCCESS) result = cuArray3DGetDescriptor_v2(&d, level);
    if (result == CUDA_SUCCESS) result = bind(r, &resource);
    if (result == CUDA_SUCCESS) take_format(r, &d);
    return done(r, result);
}

enum { ALIGNMENT = 512 };

/* What lies before an aligned address is bound too; the program adds the offset. */
DRIVER_API cuTexRefSetAddress_v2(size_t *offset, CUtexref handle, CUdeviceptr address, size_t bytes)
{
    struct driver_reference *r;
    size_t before = address % ALIGNMENT;
    if (before && !offset) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_RESOURCE_DESC resource = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {address - before, r->format, r->channels, sw_sum(bytes, before)}};
    CUresult result = bind(r, &resource);
    if (result == CUDA_SUCCESS && offset) *offset = before;
    return done(r, result);
}

DRIVER_API cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address,
                                   size_t pitch)
{
    struct driver_reference *r;
    if (!d) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_RESOURCE_DESC resource = {
        .resType = CU_RESOURCE_TYPE_PITCH2D,
        .res.pitch2D = {address, d->Format, d->NumChannels, d->Width, d->Height, pitch}};
    CUresult result = bind(r, &resource);
    if (result == CUDA_SUCCESS) r->format = d->Format;
    if (result == CUDA_SUCCESS) r->channels = d->NumChannels;
    return done(r, result);
}

DRIVER_API cuTexRefSetAddress2D_v2(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address,
                                   size_t pitch);
DRIVER_API cuTexRefSetAddress2D_v2(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address,
                                   size_t pitch)
{
    return cuTexRefSetAddress2D_v3(handle, d, address, pitch);
}

DRIVER_API cuTexRefGetArray(CUarray *out, CUtexref handle)
{
    struct driver_reference *r;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    bool there = r->bound && r->resource.resType == CU_RESOURCE_TYPE_ARRAY;
    if (there) *out = r->resource.res.array.hArray;
    return done(r, there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuTexRefGetMipmappedArray(CUmipmappedArray *out, CUtexref handle)
{
    struct driver_reference *r;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    bool there = r->bound && r->resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    if (there) *out = r->resource.res.mipmap.hMipmappedArray;
    return done(r, there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuTexRefGetAddress_v2(CUdeviceptr *out, CUtexref handle)
{
    struct driver_reference *r;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    bool linear = r->bound && r->resource.resType == CU_RESOURCE_TYPE_LINEAR,
         pitched = r->bound && r->resource.resType == CU_RESOURCE_TYPE_PITCH2D;
    if (linear) *out = r->resource.res.linear.devPtr;
    if (pitched) *out = r->resource.res.pitch2D.devPtr;
    return done(r, linear || pitched ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned flags)
{
    struct driver_reference *r;
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, true, &r));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
    return done(r, bind(r, &resource));
}

DRIVER_API cuSurfRefGetArray(CUarray *out, CUsurfref handle)
{
    struct driver_reference *r;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, true, &r));
    if (r->bound) *out = r->resource.res.array.hArray;
    return done(r, r->bound ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* ---- the sampler: each call takes the reference, and a change is what kernels see from now on */

static CUresult reference_changed(struct driver_reference *r, CUDA_TEXTURE_DESC sampler, bool valid)
{
    CUDA_TEXTURE_DESC before = r->sampler;
    if (!valid) return done(r, CUDA_ERROR_INVALID_VALUE);
    r->sampler = sampler;
    CUresult result = refresh(r);
    if (result != CUDA_SUCCESS) r->sampler = before;
    return done(r, result);
}

DRIVER_API cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    if (channels < 1 || !driver_format_bytes(format, (unsigned)channels))
        return done(r, CUDA_ERROR_INVALID_VALUE);
    r->format = format; /* of memory that is bound later */
    r->channels = (unsigned)channels;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref handle)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    if (format) *format = r->format;
    if (channels) *channels = (int)r->channels;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    bool valid = dimension >= 0 && dimension < 3 && (unsigned)mode <= CU_TR_ADDRESS_MODE_BORDER;
    if (valid) sampler.addressMode[dimension] = mode;
    return reference_changed(r, sampler, valid);
}

DRIVER_API cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref handle, int dimension)
{
    struct driver_reference *r;
    if (!mode || dimension < 0 || dimension > 2) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *mode = r->sampler.addressMode[dimension];
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.filterMode = mode;
    return reference_changed(r, sampler, (unsigned)mode <= CU_TR_FILTER_MODE_LINEAR);
}

DRIVER_API cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    struct driver_reference *r;
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *mode = r->sampler.filterMode;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.mipmapFilterMode = mode;
    return reference_changed(r, sampler, (unsigned)mode <= CU_TR_FILTER_MODE_LINEAR);
}

DRIVER_API cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    struct driver_reference *r;
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *mode = r->sampler.mipmapFilterMode;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetMipmapLevelBias(CUtexref handle, float bias)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.mipmapLevelBias = bias;
    return reference_changed(r, sampler, true);
}

DRIVER_API cuTexRefGetMipmapLevelBias(float *bias, CUtexref handle)
{
    struct driver_reference *r;
    if (!bias) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *bias = r->sampler.mipmapLevelBias;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetMipmapLevelClamp(CUtexref handle, float low, float high)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.minMipmapLevelClamp = low;
    sampler.maxMipmapLevelClamp = high;
    return reference_changed(r, sampler, true);
}

DRIVER_API cuTexRefGetMipmapLevelClamp(float *low, float *high, CUtexref handle)
{
    struct driver_reference *r;
    if (!low || !high) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *low = r->sampler.minMipmapLevelClamp;
    *high = r->sampler.maxMipmapLevelClamp;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.maxAnisotropy = most;
    return reference_changed(r, sampler, true);
}

DRIVER_API cuTexRefGetMaxAnisotropy(int *most, CUtexref handle)
{
    struct driver_reference *r;
    if (!most) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *most = (int)r->sampler.maxAnisotropy;
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetBorderColor(CUtexref handle, float *color)
{
    struct driver_reference *r;
    if (!color) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    memcpy(sampler.borderColor, color, sizeof sampler.borderColor);
    return reference_changed(r, sampler, true);
}

DRIVER_API cuTexRefGetBorderColor(float *color, CUtexref handle)
{
    struct driver_reference *r;
    if (!color) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    memcpy(color, r->sampler.borderColor, sizeof r->sampler.borderColor);
    return done(r, CUDA_SUCCESS);
}

DRIVER_API cuTexRefSetFlags(CUtexref handle, unsigned flags)
{
    struct driver_reference *r;
    DRIVER_TRY(reference_get(handle, false, &r));
    CUDA_TEXTURE_DESC sampler = r->sampler;
    sampler.flags = flags;
    return reference_changed(
        r, sampler,
        !(flags & ~(unsigned)(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB)));
}

DRIVER_API cuTexRefGetFlags(unsigned *flags, CUtexref handle)
{
    struct driver_reference *r;
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(reference_get(handle, false, &r));
    *flags = r->sampler.flags;
    return done(r, CUDA_SUCCESS);
}
