/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: texture and surface objects.
 * Method: the runtime's descriptions become the driver's.
 * Limits: whether textures work is the driver's answer; texture and surface references went with CUDA 12. */
#include "runtime_priv.h"

#include <string.h>

static CUresult resource_of(const struct cudaResourceDesc *in, CUDA_RESOURCE_DESC *out)
{
    memset(out, 0, sizeof(*out));
    out->resType = (CUresourcetype)in->resType;
    out->flags = in->flags;
    switch (in->resType) {
    case cudaResourceTypeArray: out->res.array.hArray = (CUarray)in->res.array.array; return CUDA_SUCCESS;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.hMipmappedArray = (CUmipmappedArray)in->res.mipmap.mipmap;
        return CUDA_SUCCESS;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = rt_dev(in->res.linear.devPtr);
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
        return rt_format(&in->res.linear.desc, &out->res.linear.format, &out->res.linear.numChannels);
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = rt_dev(in->res.pitch2D.devPtr);
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
        return rt_format(&in->res.pitch2D.desc, &out->res.pitch2D.format, &out->res.pitch2D.numChannels);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static void resource_from(const CUDA_RESOURCE_DESC *in, struct cudaResourceDesc *out)
{
    memset(out, 0, sizeof(*out));
    out->resType = (enum cudaResourceType)in->resType;
    out->flags = in->flags;
    switch (in->resType) {
    case CU_RESOURCE_TYPE_ARRAY: out->res.array.array = (cudaArray_t)in->res.array.hArray; break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        out->res.mipmap.mipmap = (cudaMipmappedArray_t)in->res.mipmap.hMipmappedArray;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        out->res.linear.devPtr = (void *)(uintptr_t)in->res.linear.devPtr;
        out->res.linear.sizeInBytes = in->res.linear.sizeInBytes;
        out->res.linear.desc = rt_channels(in->res.linear.format, in->res.linear.numChannels);
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        out->res.pitch2D.devPtr = (void *)(uintptr_t)in->res.pitch2D.devPtr;
        out->res.pitch2D.width = in->res.pitch2D.width;
        out->res.pitch2D.height = in->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = in->res.pitch2D.pitchInBytes;
        out->res.pitch2D.desc = rt_channels(in->res.pitch2D.format, in->res.pitch2D.numChannels);
        break;
    }
}

/* Flags of the driver for fields of the runtime. */
static unsigned texture_flags(const struct cudaTextureDesc *in)
{
    return (in->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
           (in->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (in->sRGB ? CU_TRSF_SRGB : 0u) |
           (in->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
           (in->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
}

static void texture_of(const struct cudaTextureDesc *in, CUDA_TEXTURE_DESC *out)
{
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (CUaddress_mode)in->addressMode[i];
    out->filterMode = (CUfilter_mode)in->filterMode;
    out->flags = texture_flags(in);
    out->maxAnisotropy = in->maxAnisotropy;
    out->mipmapFilterMode = (CUfilter_mode)in->mipmapFilterMode;
    out->mipmapLevelBias = in->mipmapLevelBias;
    out->minMipmapLevelClamp = in->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = in->maxMipmapLevelClamp;
    memcpy(out->borderColor, in->borderColor, sizeof(out->borderColor));
}

static void texture_from(const CUDA_TEXTURE_DESC *in, struct cudaTextureDesc *out)
{
    memset(out, 0, sizeof(*out));
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (enum cudaTextureAddressMode)in->addressMode[i];
    out->filterMode = (enum cudaTextureFilterMode)in->filterMode;
    out->readMode =
        (in->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    out->normalizedCoords = (in->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    out->sRGB = (in->flags & CU_TRSF_SRGB) != 0;
    out->disableTrilinearOptimization = (in->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
    out->seamlessCubemap = (in->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
    out->maxAnisotropy = in->maxAnisotropy;
    out->mipmapFilterMode = (enum cudaTextureFilterMode)in->mipmapFilterMode;
    out->mipmapLevelBias = in->mipmapLevelBias;
    out->minMipmapLevelClamp = in->minMipmapLevelClamp;
    out->maxMipmapLevelClamp = in->maxMipmapLevelClamp;
    memcpy(out->borderColor, in->borderColor, sizeof(out->borderColor));
}

_Static_assert(sizeof(struct cudaResourceViewDesc) == sizeof(CUDA_RESOURCE_VIEW_DESC), "the same bytes");

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view)
{
    if (texture == NULL || resource == NULL || desc == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC t;
    CUresult result = resource_of(resource, &r);
    if (result != CUDA_SUCCESS) return rt_return(result);
    texture_of(desc, &t);
    return rt_return(cuTexObjectCreate(texture, &r, &t, (const CUDA_RESOURCE_VIEW_DESC *)(const void *)view));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    return RT(texture == 0 ? CUDA_SUCCESS : cuTexObjectDestroy(texture));
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture)
{
    if (resource == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_RESOURCE_DESC r;
    cudaError_t error = RT(cuTexObjectGetResourceDesc(&r, texture));
    if (error == cudaSuccess) resource_from(&r, resource);
    return error;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t texture)
{
    if (desc == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_TEXTURE_DESC t;
    cudaError_t error = RT(cuTexObjectGetTextureDesc(&t, texture));
    if (error == cudaSuccess) texture_from(&t, desc);
    return error;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                 cudaTextureObject_t texture)
{
    return RT(cuTexObjectGetResourceViewDesc((CUDA_RESOURCE_VIEW_DESC *)(void *)view, texture));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource)
{
    if (surface == NULL || resource == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_RESOURCE_DESC r;
    CUresult result = resource_of(resource, &r);
    return rt_return(result == CUDA_SUCCESS ? cuSurfObjectCreate(surface, &r) : result);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return RT(surface == 0 ? CUDA_SUCCESS : cuSurfObjectDestroy(surface));
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface)
{
    if (resource == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_RESOURCE_DESC r;
    cudaError_t error = RT(cuSurfObjectGetResourceDesc(&r, surface));
    if (error == cudaSuccess) resource_from(&r, resource);
    return error;
}
