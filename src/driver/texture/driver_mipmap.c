/* SPDX-License-Identifier: Apache-2.0 */
/* Mipmapped arrays: all levels in one piece of device memory, each an array of half the extents of the one
 * before; layers and faces stay as many. A level's array ends with the whole. */
#include "driver_array.h"

#include "driver/memory/driver_memory.h"
#include "driver/memory/driver_misuse.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>

enum { LEVEL_ALIGNMENT = 512 };

static void mipmap_end(struct driver_object *object)
{
    struct driver_mipmap *mipmap = (struct driver_mipmap *)object;
    for (unsigned i = 0; i < mipmap->count; i++) {
        driver_object_unref(driver_handle_take(mipmap->levels[i], DRIVER_ARRAY));
        driver_object_unref((struct driver_object *)mipmap->levels[i]);
    }
    if (!atomic_load(&mipmap->context->gone)) /* else its memory is gone too */
        driver_memory_release(mipmap->base, VMEM_DEVICE, VMEM_DEVICE);
    driver_object_unref(&mipmap->context->object);
    free(mipmap);
}

static size_t halved(size_t extent, unsigned level)
{
    return extent == 0 ? 0 : extent >> level ? extent >> level : 1;
}

static CUDA_ARRAY3D_DESCRIPTOR level_descriptor(const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned level)
{
    CUDA_ARRAY3D_DESCRIPTOR one = *d;
    bool layers = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    one.Width = halved(d->Width, level);
    one.Height = halved(d->Height, level);
    one.Depth = layers ? d->Depth : halved(d->Depth, level);
    return one;
}

/* As many as there can be: the last one is a single texel. */
static unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    bool layers = d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    size_t most = d->Width > d->Height ? d->Width : d->Height;
    if (!layers && d->Depth > most) most = d->Depth;
    unsigned count = 64 - (unsigned)__builtin_clzll(most);
    return count < 16 ? count : 16;
}

static uint64_t padded(uint64_t bytes)
{
    return (bytes + LEVEL_ALIGNMENT - 1) / LEVEL_ALIGNMENT * LEVEL_ALIGNMENT;
}

static CUresult place_levels(struct driver_context *context, const CUDA_ARRAY3D_DESCRIPTOR *d,
                             struct driver_mipmap *mipmap)
{
    uint64_t offsets[16], total = 0, pitch;
    for (unsigned i = 0; i < mipmap->count; i++) {
        CUDA_ARRAY3D_DESCRIPTOR one = level_descriptor(d, i);
        uint64_t bytes = driver_array_bytes(&one, &pitch);
        if (!bytes || bytes > UINT64_MAX / 4) return CUDA_ERROR_INVALID_VALUE;
        offsets[i] = total;
        total += padded(bytes);
    }
    DRIVER_TRY(driver_memory_alloc(context, total, VMEM_DEVICE, 0, NULL, &mipmap->base));
    engine_memory_written(driver.engine, mipmap->base, total); /* surfaces write unseen */
    mipmap->bytes = total;
    for (unsigned i = 0; i < mipmap->count; i++) {
        CUDA_ARRAY3D_DESCRIPTOR one = level_descriptor(d, i);
        mipmap->levels[i] = driver_array_of_level(&one, mipmap->base + offsets[i]);
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMipmappedArrayCreate(CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !d) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_array_check("cuMipmappedArrayCreate", d));
    struct driver_mipmap *mipmap = sw_xcalloc(1, sizeof *mipmap);
    driver_object_init(&mipmap->object, DRIVER_MIPMAP, mipmap_end);
    unsigned most = most_levels(d);
    mipmap->count = levels == 0 ? 1 : levels > most ? most : levels;
    CUresult result = place_levels(context, d, mipmap);
    if (result != CUDA_SUCCESS) {
        free(mipmap);
        return result;
    }
    driver_object_ref(&context->object);
    mipmap->context = context;
    for (unsigned i = 0; i < mipmap->count; i++)
        driver_handle_add((struct driver_object *)mipmap->levels[i]);
    for (unsigned i = 0; i < mipmap->count; i++) /* the registry has its own references */
        driver_object_ref((struct driver_object *)mipmap->levels[i]);
    driver_handle_add(&mipmap->object);
    *out = (CUmipmappedArray)mipmap;
    return CUDA_SUCCESS;
}

DRIVER_API cuMipmappedArrayGetLevel(CUarray *out, CUmipmappedArray handle, unsigned level)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_mipmap *mipmap = driver_handle_get(handle, DRIVER_MIPMAP);
    if (!mipmap) return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = level < mipmap->count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) *out = (CUarray)mipmap->levels[level];
    driver_object_unref(&mipmap->object);
    return result;
}

DRIVER_API cuMipmappedArrayDestroy(CUmipmappedArray handle)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_any(&context));
    struct driver_mipmap *mipmap = driver_handle_take(handle, DRIVER_MIPMAP);
    if (!mipmap) return driver_misuse_wrong_handle((uintptr_t)handle);
    driver_context_wait(context);
    driver_object_unref(&mipmap->object);
    return CUDA_SUCCESS;
}

/* Only arrays whose memory is mapped later have an answer. */
static CUresult no_answer(const void *out, CUmipmappedArray handle)
{
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    struct driver_mipmap *mipmap = driver_handle_get(handle, DRIVER_MIPMAP);
    if (!mipmap) return CUDA_ERROR_INVALID_HANDLE;
    driver_object_unref(&mipmap->object);
    return CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *out, CUmipmappedArray handle,
                                                 CUdevice device)
{
    (void)device;
    return no_answer(out, handle);
}

DRIVER_API cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *out, CUmipmappedArray handle)
{
    return no_answer(out, handle);
}
