/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of copies, prefetches and discards. The operations of a batch are checked before the first is
 * queued, and queued in their order, which is one of those CUDA allows. A source that is to be read during
 * the call is kept as it is then. Managed memory is one memory: prefetches move nothing, and what is
 * discarded stays. */
#include "driver_copy.h"

#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"
#include "driver/texture/driver_array.h"

#include <stdlib.h>

/* ---- sets of something, each for the operations from one index to the next */

static bool indices_valid(const size_t *first, size_t sets, size_t count)
{
    if (!first || sets == 0 || sets > count || first[0] != 0) return false;
    for (size_t i = 1; i < sets; i++)
        if (first[i] <= first[i - 1]) return false;
    return first[sets - 1] < count;
}

static size_t copy_batch_set_of(const size_t *first, size_t sets, size_t index)
{
    size_t set = 0;
    while (set + 1 < sets && first[set + 1] <= index)
        set++;
    return set;
}

/* The stream of a batch: any but the default one. */
static CUresult stream_of(CUstream handle, struct driver_stream **out)
{
    DRIVER_TRY(driver_ready());
    bool legacy = handle == CU_STREAM_LEGACY || (!handle && driver_per_thread == 0);
    if (legacy) return CUDA_ERROR_INVALID_VALUE;
    return driver_stream_get(handle, out);
}

static bool order_valid(CUmemcpySrcAccessOrder order, unsigned flags)
{
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY &&
           flags <= CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
}

/* ---- copies */

struct batch_copy {
    struct driver_copy copy;
    bool now; /* the source is read in the call */
};

static CUresult queue_copies(struct driver_stream *stream, struct batch_copy *copies, size_t count)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        if (copies[i].now && !driver_is_capturing(stream)) result = driver_copy_stage(&copies[i].copy);
        struct driver_work work = {.kind = DRIVER_WORK_COPY, .copy = copies[i].copy};
        if (result == CUDA_SUCCESS) result = driver_submit(stream, &work, false);
    }
    return result;
}

static CUmemorytype side(CUdeviceptr pointer)
{
    return pointer && vmem_in_reservation(driver.vmem, pointer) ? CU_MEMORYTYPE_UNIFIED : CU_MEMORYTYPE_HOST;
}

static CUresult batch_linear(CUdeviceptr to, CUdeviceptr from, size_t bytes, struct driver_copy *out)
{
    CUDA_MEMCPY3D params = {.srcMemoryType = side(from),
                            .srcHost = (const void *)(uintptr_t)from,
                            .srcDevice = from,
                            .dstMemoryType = side(to),
                            .dstHost = (void *)(uintptr_t)to,
                            .dstDevice = to,
                            .WidthInBytes = bytes,
                            .Height = 1,
                            .Depth = 1};
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return driver_copy_describe(&params, out);
}

/* *bad: the operation that is wrong; SIZE_MAX: none in particular. */
static CUresult copy_batch_describe(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                                    const CUmemcpyAttributes *attributes, const size_t *first, size_t sets,
                                    struct batch_copy *out, size_t *bad)
{
    for (size_t i = 0; i < sets; i++)
        if (!order_valid(attributes[i].srcAccessOrder, attributes[i].flags)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        CUresult result = batch_linear(to[i], from[i], bytes[i], &out[i].copy);
        out[i].now = attributes[copy_batch_set_of(first, sets, i)].srcAccessOrder ==
                     CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
        if (result == CUDA_SUCCESS) continue;
        *bad = i;
        return result;
    }
    return CUDA_SUCCESS;
}

static CUresult copy_batch(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                           CUmemcpyAttributes *attributes, size_t *first, size_t sets, size_t *bad,
                           CUstream handle)
{
    struct driver_stream *stream;
    *bad = SIZE_MAX;
    if (!to || !from || !bytes || count == 0 || !attributes || !indices_valid(first, sets, count))
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(stream_of(handle, &stream));
    struct batch_copy *copies = sw_xcalloc(count, sizeof *copies);
    CUresult result = copy_batch_describe(to, from, bytes, count, attributes, first, sets, copies, bad);
    if (result == CUDA_SUCCESS) result = queue_copies(stream, copies, count);
    free(copies);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                                 CUmemcpyAttributes *attributes, size_t *first, size_t sets, CUstream stream)
{
    size_t bad;
    return copy_batch(to, from, bytes, count, attributes, first, sets, &bad, stream);
}

/* ---- copies in three dimensions */

static CUresult copy_batch_element_bytes(const CUmemcpy3DOperand *operand, uint64_t *bytes)
{
    *bytes = 1;
    if (operand->type == CU_MEMCPY_OPERAND_TYPE_POINTER) return CUDA_SUCCESS;
    if (operand->type != CU_MEMCPY_OPERAND_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
    struct driver_array *array = driver_handle_get(operand->op.array.array, DRIVER_ARRAY);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    *bytes = driver_array_element_bytes(array);
    driver_object_unref((struct driver_object *)array);
    return CUDA_SUCCESS;
}

static bool copy_batch_fits(const CUmemcpy3DOperand *operand, const CUextent3D *extent)
{
    if (operand->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) return true;
    size_t row = operand->op.ptr.rowLength, layer = operand->op.ptr.layerHeight;
    return (row == 0 || row >= extent->width) && (layer == 0 || layer >= extent->height);
}

static void put_source(CUDA_MEMCPY3D *out, const CUmemcpy3DOperand *from, uint64_t element)
{
    bool array = from->type == CU_MEMCPY_OPERAND_TYPE_ARRAY;
    out->srcMemoryType = array ? CU_MEMORYTYPE_ARRAY : side(from->op.ptr.ptr);
    if (array) {
        out->srcArray = from->op.array.array;
        out->srcXInBytes = sw_product(from->op.array.offset.x, element);
        out->srcY = from->op.array.offset.y;
        out->srcZ = from->op.array.offset.z;
        return;
    }
    out->srcHost = (const void *)(uintptr_t)from->op.ptr.ptr;
    out->srcDevice = from->op.ptr.ptr;
    out->srcPitch = sw_product(from->op.ptr.rowLength, element);
    out->srcHeight = from->op.ptr.layerHeight;
}

static void put_destination(CUDA_MEMCPY3D *out, const CUmemcpy3DOperand *to, uint64_t element)
{
    bool array = to->type == CU_MEMCPY_OPERAND_TYPE_ARRAY;
    out->dstMemoryType = array ? CU_MEMORYTYPE_ARRAY : side(to->op.ptr.ptr);
    if (array) {
        out->dstArray = to->op.array.array;
        out->dstXInBytes = sw_product(to->op.array.offset.x, element);
        out->dstY = to->op.array.offset.y;
        out->dstZ = to->op.array.offset.z;
        return;
    }
    out->dstHost = (void *)(uintptr_t)to->op.ptr.ptr;
    out->dstDevice = to->op.ptr.ptr;
    out->dstPitch = sw_product(to->op.ptr.rowLength, element);
    out->dstHeight = to->op.ptr.layerHeight;
}

/* Between two pointers an element is a byte, otherwise the array's; two arrays agree. */
static CUresult describe_3d(const CUDA_MEMCPY3D_BATCH_OP *op, struct batch_copy *out)
{
    uint64_t from = 1, to = 1;
    const CUextent3D *e = &op->extent;
    if (!order_valid(op->srcAccessOrder, op->flags)) return CUDA_ERROR_INVALID_VALUE;
    if (!e->width || !e->height || !e->depth || !copy_batch_fits(&op->src, e) ||
        !copy_batch_fits(&op->dst, e))
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(copy_batch_element_bytes(&op->src, &from));
    DRIVER_TRY(copy_batch_element_bytes(&op->dst, &to));
    bool arrays =
        op->src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY && op->dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY;
    if (arrays && from != to) return CUDA_ERROR_INVALID_VALUE;
    uint64_t element = from > to ? from : to;
    CUDA_MEMCPY3D params = {
        .WidthInBytes = sw_product(e->width, element), .Height = e->height, .Depth = e->depth};
    put_source(&params, &op->src, element);
    put_destination(&params, &op->dst, element);
    out->now = op->srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    return driver_copy_describe(&params, &out->copy);
}

static CUresult copy_3d_batch(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *bad,
                              unsigned long long flags, CUstream handle)
{
    struct driver_stream *stream;
    *bad = SIZE_MAX;
    if (!ops || count == 0 || flags) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(stream_of(handle, &stream));
    struct batch_copy *copies = sw_xcalloc(count, sizeof *copies);
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        result = describe_3d(&ops[i], &copies[i]);
        if (result != CUDA_SUCCESS) *bad = i;
    }
    if (result == CUDA_SUCCESS) result = queue_copies(stream, copies, count);
    free(copies);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, unsigned long long flags,
                                   CUstream stream)
{
    size_t bad;
    return copy_3d_batch(count, ops, &bad, flags, stream);
}

/* ---- older forms, which report the operation that is wrong */

#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *,
                                    size_t *, size_t, size_t *, CUstream);
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *, unsigned long long,
                                      CUstream);

DRIVER_API cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                              CUmemcpyAttributes *attributes, size_t *first, size_t sets, size_t *bad,
                              CUstream stream)
{
    size_t which;
    CUresult result = copy_batch(to, from, bytes, count, attributes, first, sets, &which, stream);
    if (bad) *bad = which;
    return result;
}

DRIVER_API cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops, size_t *bad,
                                unsigned long long flags, CUstream stream)
{
    size_t which;
    CUresult result = copy_3d_batch(count, ops, &which, flags, stream);
    if (bad) *bad = which;
    return result;
}

/* ---- hints on managed memory */

static CUresult check_managed(const CUdeviceptr *at, const size_t *bytes, size_t count,
                              unsigned long long flags)
{
    struct driver_allocation allocation;
    if (!at || !bytes || count == 0 || flags) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        bool known =
            bytes[i] && driver_memory_find(at[i], &allocation) && driver_memory_valid(at[i], bytes[i]);
        if (!known || allocation.kind != VMEM_MANAGED) return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static CUresult check_locations(const CUmemLocation *locations, const size_t *first, size_t sets,
                                size_t count)
{
    if (!locations || !indices_valid(first, sets, count)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sets; i++) {
        if (locations[i].type == CU_MEM_LOCATION_TYPE_INVALID) return CUDA_ERROR_INVALID_VALUE;
        if (locations[i].type == CU_MEM_LOCATION_TYPE_DEVICE &&
            (locations[i].id < 0 || locations[i].id >= driver.device_count))
            return CUDA_ERROR_INVALID_DEVICE;
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuMemPrefetchBatchAsync(CUdeviceptr *at, size_t *bytes, size_t count, CUmemLocation *locations,
                                   size_t *first, size_t sets, unsigned long long flags, CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(stream_of(handle, &stream));
    driver_stream_put(stream);
    DRIVER_TRY(check_managed(at, bytes, count, flags));
    DRIVER_TRY(check_locations(locations, first, sets, count));
    for (size_t i = 0; i < count; i++)
        driver_range_prefetched(at[i], bytes[i], locations[copy_batch_set_of(first, sets, i)]);
    return CUDA_SUCCESS;
}

/* What a discarded range holds is not determined: it may stay. */
DRIVER_API cuMemDiscardBatchAsync(CUdeviceptr *at, size_t *bytes, size_t count, unsigned long long flags,
                                  CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(stream_of(handle, &stream));
    CUresult result = check_managed(at, bytes, count, flags);
    if (result == CUDA_SUCCESS && driver_is_capturing(stream)) result = driver_capture_forbid(stream);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *at, size_t *bytes, size_t count,
                                             CUmemLocation *locations, size_t *first, size_t sets,
                                             unsigned long long flags, CUstream stream)
{
    DRIVER_TRY(cuMemPrefetchBatchAsync(at, bytes, count, locations, first, sets, flags, stream));
    return cuMemDiscardBatchAsync(at, bytes, count, flags, stream);
}
