/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: CUDA arrays: making, asking, copying.
 * Method: a channel description is a format and a number of channels of the driver. Linear copies to and from
 * arrays, which CUDA keeps for old programs, become at most three rectangles.
 * Limits: block-compressed, planar and sparse arrays are left to the driver's refusal. */
#include "runtime_priv.h"

#include <string.h>

static CUresult integer_format(int bits, bool is_signed, CUarray_format *out)
{
    switch (bits) {
    case 8: *out = is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8; return CUDA_SUCCESS;
    case 16: *out = is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16; return CUDA_SUCCESS;
    case 32: *out = is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32; return CUDA_SUCCESS;
    default: return (CUresult)cudaErrorInvalidChannelDescriptor;
    }
}

CUresult rt_format(const struct cudaChannelFormatDesc *desc, CUarray_format *format, unsigned *channels)
{
    const int bits[] = {desc->x, desc->y, desc->z, desc->w};
    unsigned count = 0;
    while (count < 4 && bits[count] != 0)
        count++;
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < count ? bits[0] : 0)) return (CUresult)cudaErrorInvalidChannelDescriptor;
    if (count == 0 || count == 3) return (CUresult)cudaErrorInvalidChannelDescriptor;
    *channels = count;
    if (desc->f == cudaChannelFormatKindSigned) return integer_format(bits[0], true, format);
    if (desc->f == cudaChannelFormatKindUnsigned) return integer_format(bits[0], false, format);
    if (desc->f != cudaChannelFormatKindFloat) return CUDA_ERROR_NOT_SUPPORTED;
    if (bits[0] != 16 && bits[0] != 32) return (CUresult)cudaErrorInvalidChannelDescriptor;
    *format = bits[0] == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    return CUDA_SUCCESS;
}

struct cudaChannelFormatDesc rt_channels(CUarray_format format, unsigned channels)
{
    struct cudaChannelFormatDesc desc = {0, 0, 0, 0, cudaChannelFormatKindUnsigned};
    int bits = 32;
    if (format == CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT8) bits = 8;
    if (format == CU_AD_FORMAT_UNSIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT16) bits = 16;
    if (format == CU_AD_FORMAT_HALF) bits = 16;
    if (format == CU_AD_FORMAT_SIGNED_INT8 || format == CU_AD_FORMAT_SIGNED_INT16 ||
        format == CU_AD_FORMAT_SIGNED_INT32)
        desc.f = cudaChannelFormatKindSigned;
    if (format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT) desc.f = cudaChannelFormatKindFloat;
    desc.x = bits;
    desc.y = channels > 1 ? bits : 0;
    desc.z = channels > 2 ? bits : 0;
    desc.w = channels > 3 ? bits : 0;
    return desc;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static CUresult descriptor(const struct cudaChannelFormatDesc *desc, struct cudaExtent extent, unsigned flags,
                           CUDA_ARRAY3D_DESCRIPTOR *out)
{
    memset(out, 0, sizeof(*out));
    out->Width = extent.width;
    out->Height = extent.height;
    out->Depth = extent.depth;
    out->Flags = flags; /* cudaArray* and CUDA_ARRAY3D_* share their numbers */
    return rt_format(desc, &out->Format, &out->NumChannels);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    if (array == NULL || desc == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult result = descriptor(desc, extent, flags, &d);
    return rt_return(result == CUDA_SUCCESS ? cuArray3DCreate((CUarray *)(void *)array, &d) : result);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    return RT(array == NULL ? CUDA_SUCCESS : cuArrayDestroy((CUarray)array));
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned levels, unsigned flags)
{
    if (array == NULL || desc == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult result = descriptor(desc, extent, flags, &d);
    if (result != CUDA_SUCCESS) return rt_return(result);
    return rt_return(cuMipmappedArrayCreate((CUmipmappedArray *)(void *)array, &d, levels));
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    return RT(array == NULL ? CUDA_SUCCESS : cuMipmappedArrayDestroy((CUmipmappedArray)array));
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_const_t array,
                                       unsigned level)
{
    return RT(
        cuMipmappedArrayGetLevel((CUarray *)(void *)level_array, (CUmipmappedArray)(uintptr_t)array, level));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    memset(&d, 0, sizeof(d));
    cudaError_t error = RT(cuArray3DGetDescriptor(&d, (CUarray)array));
    if (error != cudaSuccess) return error;
    if (desc != NULL) *desc = rt_channels(d.Format, d.NumChannels);
    if (extent != NULL) *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    if (flags != NULL) *flags = d.Flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    if (desc == NULL) return rt_record(cudaErrorInvalidValue);
    return cudaArrayGetInfo(desc, NULL, NULL, (cudaArray_t)(uintptr_t)array);
}

/* Copies. One side of a rectangle: memory of some kind, or an array. */
struct side {
    const void *memory;
    size_t pitch;
    cudaArray_const_t array; /* NULL: memory */
    size_t x, y;             /* bytes, rows */
};

static cudaError_t copy_rectangle(struct side dst, struct side src, size_t width, size_t height,
                                  enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    if ((unsigned)kind > cudaMemcpyDefault) return rt_record(cudaErrorInvalidMemcpyDirection);
    if (!rt_enter()) return rt_return(rt_failure());
    if (width == 0 || height == 0) return cudaSuccess;
    CUDA_MEMCPY2D c = {
        .srcXInBytes = src.x,
        .srcY = src.y,
        .srcMemoryType = src.array != NULL ? CU_MEMORYTYPE_ARRAY : rt_side(kind, false),
        .srcHost = src.memory,
        .srcDevice = rt_dev(src.memory),
        .srcArray = (CUarray)(uintptr_t)src.array,
        .srcPitch = src.pitch,
        .dstXInBytes = dst.x,
        .dstY = dst.y,
        .dstMemoryType = dst.array != NULL ? CU_MEMORYTYPE_ARRAY : rt_side(kind, true),
        .dstHost = (void *)(uintptr_t)dst.memory,
        .dstDevice = rt_dev(dst.memory),
        .dstArray = (CUarray)(uintptr_t)dst.array,
        .dstPitch = dst.pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    return rt_return(async ? cuMemcpy2DAsync(&c, stream) : cuMemcpy2DUnaligned(&c));
}

/* The checks of CUDA that come before the driver's. */
static cudaError_t copy_checked(struct side dst, struct side src, size_t width, size_t height,
                                enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    const struct side *memory = dst.array == NULL ? &dst : &src;
    if (dst.array == NULL && src.array == NULL) return rt_record(cudaErrorInvalidResourceHandle);
    if (memory->array == NULL && memory->pitch < width && height > 1)
        return rt_record(cudaErrorInvalidPitchValue);
    return copy_rectangle(dst, src, width, height, kind, async, stream);
}

static struct side in_array(cudaArray_const_t array, size_t x, size_t y)
{
    return (struct side){NULL, 0, array, x, y};
}

static struct side in_memory(const void *memory, size_t pitch)
{
    return (struct side){memory, pitch, NULL, 0, 0};
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t src_pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_checked(in_array(dst, x, y), in_memory(src, src_pitch), width, height, kind, false, NULL);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t src_pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return copy_checked(in_array(dst, x, y), in_memory(src, src_pitch), width, height, kind, true, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy_checked(in_memory(dst, dst_pitch), in_array(src, x, y), width, height, kind, false, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return copy_checked(in_memory(dst, dst_pitch), in_array(src, x, y), width, height, kind, true, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                                     size_t src_x, size_t src_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    return copy_checked(in_array(dst, dst_x, dst_y), in_array(src, src_x, src_y), width, height, kind, false,
                        NULL);
}

/* Linear copies run over the ends of rows: the rest of the first row, whole rows, the head of the last. */
static cudaError_t row_bytes(cudaArray_const_t array, size_t *out)
{
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;
    cudaError_t error = cudaArrayGetInfo(&desc, &extent, NULL, (cudaArray_t)(uintptr_t)array);
    if (error == cudaSuccess) *out = extent.width * (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
    return error;
}

static cudaError_t copy_linear(cudaArray_const_t array, size_t x, size_t y, const void *memory, size_t count,
                               bool to_array, enum cudaMemcpyKind kind, bool async, CUstream stream)
{
    size_t row = 0;
    cudaError_t error = row_bytes(array, &row);
    if (error == cudaSuccess && row == 0) error = rt_record(cudaErrorInvalidValue);
    for (size_t done = 0; done < count && error == cudaSuccess;) {
        size_t left = count - done, width = x != 0 || left < row ? row - x : row;
        if (width > left) width = left;
        size_t height = width == row ? left / row : 1;
        struct side inside = in_array(array, x, y), outside = in_memory((const char *)memory + done, width);
        error = to_array ? copy_rectangle(inside, outside, width, height, kind, async, stream)
                         : copy_rectangle(outside, inside, width, height, kind, async, stream);
        done += width * height;
        y += height;
        x = 0;
    }
    return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return copy_linear(dst, x, y, src, count, true, kind, false, NULL);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_linear(dst, x, y, src, count, true, kind, true, stream);
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind)
{
    return copy_linear(src, x, y, dst, count, false, kind, false, NULL);
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_linear(src, x, y, dst, count, false, kind, true, stream);
}

/* Both sides run over the ends of rows: as much at a time as both have left in theirs. */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src,
                                   size_t src_x, size_t src_y, size_t count, enum cudaMemcpyKind kind)
{
    size_t dst_row = 0, src_row = 0;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return rt_record(cudaErrorInvalidMemcpyDirection);
    cudaError_t error = row_bytes(dst, &dst_row);
    if (error == cudaSuccess) error = row_bytes(src, &src_row);
    if (error == cudaSuccess && (dst_x >= dst_row || src_x >= src_row))
        error = rt_record(cudaErrorInvalidValue);
    while (count > 0 && error == cudaSuccess) {
        size_t width = dst_row - dst_x < src_row - src_x ? dst_row - dst_x : src_row - src_x;
        if (width > count) width = count;
        error = copy_rectangle(in_array(dst, dst_x, dst_y), in_array(src, src_x, src_y), width, 1, kind,
                               false, NULL);
        count -= width;
        dst_x += width;
        src_x += width;
        dst_y += dst_x / dst_row;
        src_y += src_x / src_row;
        dst_x %= dst_row;
        src_x %= src_row;
    }
    return error;
}

/* ---- questions */

_Static_assert(sizeof(struct cudaArrayMemoryRequirements) == sizeof(CUDA_ARRAY_MEMORY_REQUIREMENTS),
               "the same bytes");
_Static_assert(sizeof(struct cudaArraySparseProperties) == sizeof(CUDA_ARRAY_SPARSE_PROPERTIES),
               "the same bytes");

cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned index)
{
    return RT(cuArrayGetPlane((CUarray *)(void *)plane, (CUarray)array, index));
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *needs, cudaArray_t array,
                                           int device)
{
    return RT(cuArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)(void *)needs, (CUarray)array,
                                           device));
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties, cudaArray_t array)
{
    return RT(cuArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)(void *)properties, (CUarray)array));
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *needs,
                                                    cudaMipmappedArray_t array, int device)
{
    return RT(cuMipmappedArrayGetMemoryRequirements((CUDA_ARRAY_MEMORY_REQUIREMENTS *)(void *)needs,
                                                    (CUmipmappedArray)array, device));
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                  cudaMipmappedArray_t array)
{
    return RT(cuMipmappedArrayGetSparseProperties((CUDA_ARRAY_SPARSE_PROPERTIES *)(void *)properties,
                                                  (CUmipmappedArray)array));
}
