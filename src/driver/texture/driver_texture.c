/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface objects. The object that a kernel gets is the address of a struct jit_texture, which
 * the engine reads (driver_texture_record.c makes it). Limits: those of the records. */
#include "driver_texture.h"

#include "driver/stream/driver_stream.h"

#include <stddef.h>
#include <stdlib.h>

struct driver_texture {
    struct driver_object object;
    bool is_surface, has_view;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    struct driver_object *holds; /* reference, or NULL */
    struct jit_texture record;   /* its address is the program's handle */
};

static void texture_end(struct driver_object *object)
{
    struct driver_texture *t = (struct driver_texture *)object;
    engine_texture_remove(&t->record);
    driver_object_unref(t->holds);
    free(t);
}

static CUresult texture_create(unsigned long long *out, const struct driver_texture_source *source)
{
    struct driver_texture *t = sw_xcalloc(1, sizeof *t);
    driver_object_init(&t->object, DRIVER_TEXTURE, texture_end);
    t->resource = source->resource;
    t->is_surface = !source->sampling;
    if (source->sampling) t->texture = *source->sampling;
    t->has_view = source->view && source->view->format != CU_RES_VIEW_FORMAT_NONE;
    if (t->has_view) t->view = *source->view;
    CUresult result = driver_texture_record(source, &t->record, &t->holds);
    if (result != CUDA_SUCCESS) {
        driver_object_unref(&t->object);
        return result;
    }
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
    DRIVER_TRY(driver_context_current(&context));
    if (!handle) return CUDA_SUCCESS;
    struct driver_texture *t = driver_handle_take(object_of(handle), DRIVER_TEXTURE);
    if (!t) return CUDA_ERROR_INVALID_VALUE;
    driver_context_wait(context); /* kernels may still read it */
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuTexObjectCreate(CUtexObject *out, const CUDA_RESOURCE_DESC *resource,
                             const CUDA_TEXTURE_DESC *sampling, const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !resource || !sampling) return CUDA_ERROR_INVALID_VALUE;
    struct driver_texture_source source = {*resource, sampling, view, "cuTexObjectCreate"};
    return texture_create(out, &source);
}

DRIVER_API cuTexObjectDestroy(CUtexObject handle)
{
    return destroy(handle);
}

DRIVER_API cuSurfObjectCreate(CUsurfObject *out, const CUDA_RESOURCE_DESC *resource)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out || !resource) return CUDA_ERROR_INVALID_VALUE;
    struct driver_texture_source source = {*resource, NULL, NULL, "cuSurfObjectCreate"};
    return texture_create(out, &source);
}

DRIVER_API cuSurfObjectDestroy(CUsurfObject handle)
{
    return destroy(handle);
}

/* What an object was made from. */
static CUresult texture_get(unsigned long long handle, bool surface, const void *out,
                            struct driver_texture **t)
{
    struct driver_context *context;
    DRIVER_TRY(driver_context_current(&context));
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    *t = driver_handle_get(object_of(handle), DRIVER_TEXTURE);
    if (!*t) return CUDA_ERROR_INVALID_VALUE;
    if ((*t)->is_surface == surface) return CUDA_SUCCESS;
    driver_object_unref(&(*t)->object);
    return CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUtexObject handle)
{
    struct driver_texture *t;
    DRIVER_TRY(texture_get(handle, false, out, &t));
    *out = t->resource;
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *out, CUtexObject handle)
{
    struct driver_texture *t;
    DRIVER_TRY(texture_get(handle, false, out, &t));
    *out = t->texture;
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}

/* Without a view nothing is written, as on an H200. */
DRIVER_API cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *out, CUtexObject handle)
{
    struct driver_texture *t;
    DRIVER_TRY(texture_get(handle, false, out, &t));
    if (t->has_view) *out = t->view;
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *out, CUsurfObject handle)
{
    struct driver_texture *t;
    DRIVER_TRY(texture_get(handle, true, out, &t));
    *out = t->resource;
    driver_object_unref(&t->object);
    return CUDA_SUCCESS;
}
