/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: copies and fills: linear, 2D, 3D, of symbols and between devices.
 * Method: the program's direction picks the driver's call, so that tools see it; `default` leaves it to the
 * driver, which knows every address. 2D and 3D copies become one descriptor of the driver.
 * Limits: none of its own. */
#include "runtime_priv.h"

#include <string.h>

static bool kind_valid(enum cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault;
}

static CUresult copy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice: return cuMemcpyHtoD(rt_dev(dst), src, count);
    case cudaMemcpyDeviceToHost: return cuMemcpyDtoH(dst, rt_dev(src), count);
    case cudaMemcpyDeviceToDevice: return cuMemcpyDtoD(rt_dev(dst), rt_dev(src), count);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault: break;
    }
    return cuMemcpy(rt_dev(dst), rt_dev(src), count);
}

static CUresult copy_async(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                           CUstream stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice: return cuMemcpyHtoDAsync(rt_dev(dst), src, count, stream);
    case cudaMemcpyDeviceToHost: return cuMemcpyDtoHAsync(dst, rt_dev(src), count, stream);
    case cudaMemcpyDeviceToDevice: return cuMemcpyDtoDAsync(rt_dev(dst), rt_dev(src), count, stream);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault: break;
    }
    return cuMemcpyAsync(rt_dev(dst), rt_dev(src), count, stream);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    if (!kind_valid(kind)) return rt_record(cudaErrorInvalidMemcpyDirection);
    if (!rt_enter()) return rt_return(rt_failure());
    return rt_return(count == 0 ? CUDA_SUCCESS : copy(dst, src, count, kind));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (!kind_valid(kind)) return rt_record(cudaErrorInvalidMemcpyDirection);
    if (!rt_enter()) return rt_return(rt_failure());
    return rt_return(count == 0 ? CUDA_SUCCESS : copy_async(dst, src, count, kind, stream));
}

/* Where one side of a copy is: by the direction, or left to the driver. */
CUmemorytype rt_side(enum cudaMemcpyKind kind, bool destination)
{
    switch (kind) {
    case cudaMemcpyHostToHost: return CU_MEMORYTYPE_HOST;
    case cudaMemcpyHostToDevice: return destination ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    case cudaMemcpyDeviceToHost: return destination ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    case cudaMemcpyDeviceToDevice: return CU_MEMORYTYPE_DEVICE;
    case cudaMemcpyDefault: break;
    }
    return CU_MEMORYTYPE_UNIFIED;
}

static cudaError_t copy2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                          size_t height, enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    if (!kind_valid(kind)) return rt_record(cudaErrorInvalidMemcpyDirection);
    if (dst_pitch < width || src_pitch < width)
        return rt_record(height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    if (width == 0 || height == 0) return cudaSuccess;
    CUDA_MEMCPY2D c = {
        .srcMemoryType = rt_side(kind, false),
        .srcHost = src,
        .srcDevice = rt_dev(src),
        .srcPitch = src_pitch,
        .dstMemoryType = rt_side(kind, true),
        .dstHost = dst,
        .dstDevice = rt_dev(dst),
        .dstPitch = dst_pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    return rt_return(async ? cuMemcpy2DAsync(&c, stream) : cuMemcpy2DUnaligned(&c));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    return copy2d(dst, dst_pitch, src, src_pitch, width, height, kind, false, NULL);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy2d(dst, dst_pitch, src, src_pitch, width, height, kind, true, stream);
}

static bool copy_empty(struct cudaExtent extent)
{
    return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parms)
{
    if (parms == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    if (copy_empty(parms->extent)) return cudaSuccess;
    CUDA_MEMCPY3D c;
    CUresult result = rt_copy3d(parms, &c);
    return rt_return(result == CUDA_SUCCESS ? cuMemcpy3D(&c) : result);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parms, cudaStream_t stream)
{
    if (parms == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    if (copy_empty(parms->extent)) return cudaSuccess;
    CUDA_MEMCPY3D c;
    CUresult result = rt_copy3d(parms, &c);
    return rt_return(result == CUDA_SUCCESS ? cuMemcpy3DAsync(&c, stream) : result);
}

/* Bytes of an array's element: the width of copies that touch an array counts elements. */
static CUresult copy_element_bytes(CUarray array, size_t *out)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult result = cuArray3DGetDescriptor(&d, array);
    if (result != CUDA_SUCCESS) return result;
    size_t bytes = 4;
    if (d.Format == CU_AD_FORMAT_UNSIGNED_INT8 || d.Format == CU_AD_FORMAT_SIGNED_INT8) bytes = 1;
    if (d.Format == CU_AD_FORMAT_UNSIGNED_INT16 || d.Format == CU_AD_FORMAT_SIGNED_INT16) bytes = 2;
    if (d.Format == CU_AD_FORMAT_HALF) bytes = 2;
    *out = bytes * d.NumChannels;
    return CUDA_SUCCESS;
}

CUresult rt_copy3d(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out)
{
    CUarray src_array = (CUarray)p->srcArray, dst_array = (CUarray)p->dstArray;
    size_t scale = 1, src_scale = 1, dst_scale = 1;
    CUresult result = CUDA_SUCCESS;
    if (!kind_valid(p->kind)) return (CUresult)cudaErrorInvalidMemcpyDirection;
    if ((src_array == NULL) == (p->srcPtr.ptr == NULL)) return CUDA_ERROR_INVALID_VALUE;
    if ((dst_array == NULL) == (p->dstPtr.ptr == NULL)) return CUDA_ERROR_INVALID_VALUE;
    if (src_array != NULL) result = copy_element_bytes(src_array, &src_scale), scale = src_scale;
    if (result == CUDA_SUCCESS && dst_array != NULL)
        result = copy_element_bytes(dst_array, &dst_scale), scale = dst_scale;
    if (result != CUDA_SUCCESS) return result;
    *out = (CUDA_MEMCPY3D){
        .srcXInBytes = p->srcPos.x * src_scale,
        .srcY = p->srcPos.y,
        .srcZ = p->srcPos.z,
        .srcMemoryType = src_array != NULL ? CU_MEMORYTYPE_ARRAY : rt_side(p->kind, false),
        .srcHost = p->srcPtr.ptr,
        .srcDevice = rt_dev(p->srcPtr.ptr),
        .srcArray = src_array,
        .srcPitch = p->srcPtr.pitch,
        .srcHeight = p->srcPtr.ysize,
        .dstXInBytes = p->dstPos.x * dst_scale,
        .dstY = p->dstPos.y,
        .dstZ = p->dstPos.z,
        .dstMemoryType = dst_array != NULL ? CU_MEMORYTYPE_ARRAY : rt_side(p->kind, true),
        .dstHost = p->dstPtr.ptr,
        .dstDevice = rt_dev(p->dstPtr.ptr),
        .dstArray = dst_array,
        .dstPitch = p->dstPtr.pitch,
        .dstHeight = p->dstPtr.ysize,
        .WidthInBytes = p->extent.width * scale,
        .Height = p->extent.height,
        .Depth = p->extent.depth,
    };
    return CUDA_SUCCESS;
}

/* Symbols: the variable's address plus the offset, checked against its size. */
cudaError_t rt_symbol_range(const void *symbol, size_t count, size_t offset, void **out)
{
    if (!rt_enter()) return (cudaError_t)(int)rt_failure();
    CUdeviceptr address = 0;
    size_t bytes = 0;
    cudaError_t error = rt_variable(symbol, &address, &bytes);
    if (error != cudaSuccess) return error;
    if (offset > bytes || count > bytes - offset) return cudaErrorInvalidValue;
    *out = (void *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                             enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    if (!kind_valid(kind) || kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return rt_record(cudaErrorInvalidMemcpyDirection);
    void *dst = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &dst);
    if (error != cudaSuccess) return rt_record(error);
    return async ? cudaMemcpyAsync(dst, src, count, kind, stream) : cudaMemcpy(dst, src, count, kind);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                               enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    if (!kind_valid(kind) || kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return rt_record(cudaErrorInvalidMemcpyDirection);
    void *src = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &src);
    if (error != cudaSuccess) return rt_record(error);
    return async ? cudaMemcpyAsync(dst, src, count, kind, stream) : cudaMemcpy(dst, src, count, kind);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return to_symbol(symbol, src, count, offset, kind, false, NULL);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return to_symbol(symbol, src, count, offset, kind, true, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return from_symbol(dst, symbol, count, offset, kind, false, NULL);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return from_symbol(dst, symbol, count, offset, kind, true, stream);
}

/* Between devices. */
static cudaError_t peers(int dst_device, int src_device, CUcontext *dst, CUcontext *src)
{
    if (!rt_enter()) return rt_return(rt_failure());
    if (!rt_device_valid(dst_device) || !rt_device_valid(src_device))
        return rt_record(cudaErrorInvalidDevice);
    CUresult result = rt_primary(dst_device, dst);
    return rt_return(result == CUDA_SUCCESS ? rt_primary(src_device, src) : result);
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t count)
{
    CUcontext to = NULL, from = NULL;
    cudaError_t error = peers(dst_device, src_device, &to, &from);
    if (error != cudaSuccess || count == 0) return error;
    return rt_return(cuMemcpyPeer(rt_dev(dst), to, rt_dev(src), from, count));
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t count,
                                cudaStream_t stream)
{
    CUcontext to = NULL, from = NULL;
    cudaError_t error = peers(dst_device, src_device, &to, &from);
    if (error != cudaSuccess || count == 0) return error;
    return rt_return(cuMemcpyPeerAsync(rt_dev(dst), to, rt_dev(src), from, count, stream));
}

/* Addresses are the same in all contexts, so a 3D copy between devices is a plain one. */
static struct cudaMemcpy3DParms without_devices(const struct cudaMemcpy3DPeerParms *p)
{
    return (struct cudaMemcpy3DParms){p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                      p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *parms)
{
    if (parms == NULL) return rt_record(cudaErrorInvalidValue);
    struct cudaMemcpy3DParms plain = without_devices(parms);
    return cudaMemcpy3D(&plain);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *parms, cudaStream_t stream)
{
    if (parms == NULL) return rt_record(cudaErrorInvalidValue);
    struct cudaMemcpy3DParms plain = without_devices(parms);
    return cudaMemcpy3DAsync(&plain, stream);
}

/* Fills. */
cudaError_t cudaMemset(void *pointer, int value, size_t count)
{
    if (!rt_enter()) return rt_return(rt_failure());
    return rt_return(count == 0 ? CUDA_SUCCESS : cuMemsetD8(rt_dev(pointer), (unsigned char)value, count));
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count, cudaStream_t stream)
{
    if (!rt_enter()) return rt_return(rt_failure());
    return rt_return(count == 0 ? CUDA_SUCCESS
                                : cuMemsetD8Async(rt_dev(pointer), (unsigned char)value, count, stream));
}

static cudaError_t fill2d(void *pointer, size_t pitch, int value, size_t width, size_t height, bool async,
                          CUstream stream)
{
    if (pitch < width && height > 1) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    if (width == 0 || height == 0) return cudaSuccess;
    unsigned char byte = (unsigned char)value;
    return rt_return(async ? cuMemsetD2D8Async(rt_dev(pointer), pitch, byte, width, height, stream)
                           : cuMemsetD2D8(rt_dev(pointer), pitch, byte, width, height));
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
    return fill2d(pointer, pitch, value, width, height, false, NULL);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return fill2d(pointer, pitch, value, width, height, true, stream);
}

static cudaError_t fill3d(struct cudaPitchedPtr p, int value, struct cudaExtent extent, bool async,
                          CUstream stream)
{
    cudaError_t error = cudaSuccess;
    size_t slice = sw_product(p.pitch, p.ysize);
    if (!copy_empty(extent) && sw_sum((uintptr_t)p.ptr, sw_product(extent.depth - 1, slice)) == UINT64_MAX)
        return rt_record(cudaErrorInvalidValue);
    size_t slices = copy_empty(extent) || slice == 0 ? 1 : extent.depth; /* no slice, or one place for all */
    for (size_t z = 0; z < slices && error == cudaSuccess; z++)
        error = fill2d((char *)p.ptr + z * slice, p.pitch, value, extent.width, extent.height, async, stream);
    return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent)
{
    return fill3d(pitched, value, extent, false, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return fill3d(pitched, value, extent, true, stream);
}
