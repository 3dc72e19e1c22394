/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of every form: each becomes one strided driver_copy on a stream. To and from arrays by
 * offset: driver_copy_array.c; batches: driver_copy_batch.c; fills: driver_fill.c.
 *
 * When a call returns (CUDA Driver API, "API synchronization behavior"): synchronous forms that touch host
 * memory wait; device to device does not. Asynchronous forms wait when host memory is pageable, except that a
 * small pageable source (64 KiB, CUDA's own limit) is staged: the program may change it as soon as the call
 * returns. */
#include "driver_copy.h"

#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"
#include "driver/texture/driver_array.h"

#include <stdlib.h>
#include <string.h>

enum { STAGED_BYTES = 64 << 10 };

/* What kernels allocate is not for the host's calls (CUDA C++ Programming Guide, "Dynamic Global Memory
 * Allocation"). */
static bool is_heap(uint64_t address)
{
    struct vmem_block block;
    return vmem_find(driver.vmem, address, &block) && block.tag == ENGINE_HEAP_TAG;
}

CUresult driver_side_check(enum driver_side side, uint64_t address, uint64_t bytes, bool written)
{
    if (!address || sw_sum(address, bytes) == UINT64_MAX) return CUDA_ERROR_INVALID_VALUE;
    bool ours = vmem_in_reservation(driver.vmem, address);
    if (side == SIDE_HOST) { /* the host's own is its business; of ours, what was freed is no memory */
        ours |= bytes && vmem_in_reservation(driver.vmem, address + bytes - 1);
        return !ours || driver_memory_valid(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (side == SIDE_ANY && !ours)
        return driver_memory_valid(address, bytes) || driver_memory_is_mapped(address, bytes)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    if (is_heap(address)) return CUDA_ERROR_INVALID_VALUE;
    bool fine = written ? driver_memory_writable(address, bytes) : driver_memory_valid(address, bytes);
    if (fine && side != SIDE_PEER)
        fine = driver_permissions_allow(address, bytes, written ? VMEM_WRITE : VMEM_READ, true);
    return fine ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static uint64_t span(const struct driver_plane *plane, const struct driver_copy *copy)
{
    return driver_plane_span(plane, copy->width, copy->height, copy->depth);
}

bool driver_plane_is_device(const struct driver_plane *plane)
{
    struct driver_allocation allocation;
    return driver_memory_find((uintptr_t)plane->base, &allocation) && allocation.kind == VMEM_DEVICE;
}

CUresult driver_copy_stage(struct driver_copy *copy)
{
    uint64_t row = copy->width, slice = sw_product(row, copy->height);
    struct driver_copy snapshot = *copy;
    snapshot.to = (struct driver_plane){malloc(sw_product(slice, copy->depth)), row, slice};
    if (!snapshot.to.base) return CUDA_ERROR_OUT_OF_MEMORY;
    driver_copy_run(&snapshot);
    copy->staged = snapshot.to.base;
    copy->from = snapshot.to;
    return CUDA_SUCCESS;
}

static bool must_wait(struct driver_copy *copy, bool async, bool capturing)
{
    if (capturing) return false;
    if (!async) return !(driver_plane_is_device(&copy->from) && driver_plane_is_device(&copy->to));
    if (driver_memory_is_pageable(copy->to.base)) return true;
    if (!driver_memory_is_pageable(copy->from.base)) return false;
    if (vmem_in_reservation(driver.vmem, (uintptr_t)copy->from.base)) return false; /* freed meanwhile */
    if (sw_product(copy->width, sw_product(copy->height, copy->depth)) > STAGED_BYTES) return true;
    return driver_copy_stage(copy) != CUDA_SUCCESS;
}

/* Memory of a graph may outlive its context. */
static void wait_for_owner(const struct driver_allocation *allocation)
{
    struct driver_context *owner = driver_handle_get(allocation->context, DRIVER_CONTEXT);
    if (!owner) return;
    driver_context_wait(owner);
    driver_object_unref(&owner->object);
}

/* A copy between devices on the legacy stream starts after all that either was given before, and is done
 * before what either is given next (CUDA C++ Programming Guide, "Peer-to-Peer Memory Copy"). */
static bool order_devices(const struct driver_stream *stream, const struct driver_copy *copy)
{
    struct driver_allocation from, to;
    if (!stream->legacy || driver.device_count < 2) return false;
    if (!driver_memory_find((uintptr_t)copy->from.base, &from) || from.kind != VMEM_DEVICE) return false;
    if (!driver_memory_find((uintptr_t)copy->to.base, &to) || to.kind != VMEM_DEVICE) return false;
    if (from.device == to.device) return false;
    wait_for_owner(&from);
    wait_for_owner(&to);
    return true;
}

static CUresult copy_on(struct driver_stream *stream, struct driver_copy copy, enum driver_side from,
                        enum driver_side to, bool async)
{
    if (copy.width == 0 || copy.height == 0 || copy.depth == 0) return CUDA_SUCCESS;
    DRIVER_TRY(driver_side_check(from, (uintptr_t)copy.from.base, span(&copy.from, &copy), false));
    DRIVER_TRY(driver_side_check(to, (uintptr_t)copy.to.base, span(&copy.to, &copy), true));
    copy.async = async;
    bool capturing = driver_is_capturing(stream);
    bool met = !capturing && order_devices(stream, &copy);
    bool wait = must_wait(&copy, async, capturing) || met;
    struct driver_work work = {.kind = DRIVER_WORK_COPY, .copy = copy};
    return driver_submit(stream, &work, wait);
}

static struct driver_copy copy_linear(uint64_t to, uint64_t from, uint64_t bytes)
{
    return (struct driver_copy){.from = {(uint8_t *)(uintptr_t)from, bytes, bytes},
                                .to = {(uint8_t *)(uintptr_t)to, bytes, bytes},
                                .width = bytes,
                                .height = 1,
                                .depth = 1};
}

CUresult driver_copy_linear(CUstream handle, uint64_t to, enum driver_side to_side, uint64_t from,
                            enum driver_side from_side, uint64_t bytes, bool async)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = copy_on(stream, copy_linear(to, from, bytes), from_side, to_side, async);
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return driver_copy_linear(NULL, to, SIDE_DEVICE, (uintptr_t)from, SIDE_HOST, bytes, false);
}

DRIVER_API cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return driver_copy_linear(NULL, (uintptr_t)to, SIDE_HOST, from, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return driver_copy_linear(NULL, to, SIDE_DEVICE, from, SIDE_DEVICE, bytes, false);
}

DRIVER_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return driver_copy_linear(NULL, to, SIDE_ANY, from, SIDE_ANY, bytes, false);
}

DRIVER_API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return driver_copy_linear(stream, to, SIDE_DEVICE, (uintptr_t)from, SIDE_HOST, bytes, true);
}

DRIVER_API cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return driver_copy_linear(stream, (uintptr_t)to, SIDE_HOST, from, SIDE_DEVICE, bytes, true);
}

DRIVER_API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return driver_copy_linear(stream, to, SIDE_DEVICE, from, SIDE_DEVICE, bytes, true);
}

DRIVER_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return driver_copy_linear(stream, to, SIDE_ANY, from, SIDE_ANY, bytes, true);
}

static CUresult check_contexts(CUcontext a, CUcontext b)
{
    DRIVER_TRY(driver_ready());
    struct driver_context *first = driver_handle_get(a, DRIVER_CONTEXT),
                          *second = driver_handle_get(b, DRIVER_CONTEXT);
    bool good = (first || !a) && (second || !b); /* NULL stands for the current one */
    CUresult result = good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
    if (first) driver_object_unref(&first->object);
    if (second) driver_object_unref(&second->object);
    return result;
}

DRIVER_API cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                        size_t bytes)
{
    DRIVER_TRY(check_contexts(to_context, from_context));
    return driver_copy_linear(NULL, to, SIDE_PEER, from, SIDE_PEER, bytes, false);
}

/* Copies between contexts cannot be captured. */
static CUresult forbid_captured(CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = driver_is_capturing(stream) ? driver_capture_forbid(stream) : CUDA_SUCCESS;
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                             size_t bytes, CUstream stream)
{
    DRIVER_TRY(check_contexts(to_context, from_context));
    DRIVER_TRY(forbid_captured(stream));
    return driver_copy_linear(stream, to, SIDE_PEER, from, SIDE_PEER, bytes, true);
}

/* ---- two and three dimensions */

struct endpoint { /* one side as CUDA_MEMCPY3D describes it */
    CUmemorytype type;
    uint64_t host, device;
    CUarray array;
    uint64_t x, y, z, pitch, rows;
};

static CUresult plane_of(const struct endpoint *endpoint, const struct driver_copy *copy,
                         struct driver_plane *out, enum driver_side *side)
{
    uint64_t base, pitch = endpoint->pitch, rows = endpoint->rows;
    if (endpoint->type == CU_MEMORYTYPE_ARRAY) {
        struct driver_array *array = driver_handle_get(endpoint->array, DRIVER_ARRAY);
        if (!array) return endpoint->array ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
        driver_array_layout(array, &base, &pitch, &rows);
        driver_object_unref((struct driver_object *)array);
        *side = SIDE_DEVICE;
    } else if (endpoint->type == CU_MEMORYTYPE_HOST) {
        base = endpoint->host;
        *side = SIDE_HOST;
    } else if (endpoint->type == CU_MEMORYTYPE_DEVICE || endpoint->type == CU_MEMORYTYPE_UNIFIED) {
        base = endpoint->device;
        *side = endpoint->type == CU_MEMORYTYPE_DEVICE ? SIDE_DEVICE : SIDE_ANY;
    } else {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!base) return CUDA_ERROR_INVALID_VALUE;
    if (pitch == 0) pitch = sw_sum(endpoint->x, copy->width);
    if (rows == 0) rows = sw_sum(endpoint->y, copy->height);
    if (pitch < copy->width && copy->height > 1) return CUDA_ERROR_INVALID_VALUE;
    if (sw_sum(endpoint->x, copy->width) > pitch && copy->height > 1) return CUDA_ERROR_INVALID_VALUE;
    uint64_t slice = sw_product(pitch, rows);
    base = sw_sum(base, endpoint->x);
    base = sw_sum(base, sw_product(endpoint->y, pitch));
    base = sw_sum(base, sw_product(endpoint->z, slice));
    *out = (struct driver_plane){(uint8_t *)(uintptr_t)base, pitch, slice};
    return CUDA_SUCCESS;
}

struct sides {
    enum driver_side from, to;
};

static CUresult copy_describe(const struct endpoint *from, const struct endpoint *to,
                              struct driver_copy *copy, struct sides *sides)
{
    DRIVER_TRY(plane_of(from, copy, &copy->from, &sides->from));
    return plane_of(to, copy, &copy->to, &sides->to);
}

static CUresult copy_strided(CUstream handle, const struct endpoint *from, const struct endpoint *to,
                             uint64_t width, uint64_t height, uint64_t depth, bool async)
{
    struct driver_copy copy = {.width = width, .height = height, .depth = depth};
    struct sides sides;
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = copy_describe(from, to, &copy, &sides);
    if (result == CUDA_SUCCESS) result = copy_on(stream, copy, sides.from, sides.to, async);
    driver_stream_put(stream);
    return result;
}

static CUresult copy_2d(const CUDA_MEMCPY2D *c, CUstream stream, bool async)
{
    DRIVER_TRY(driver_ready());
    if (!c) return CUDA_ERROR_INVALID_VALUE;
    struct endpoint from = {c->srcMemoryType,
                            (uintptr_t)c->srcHost,
                            c->srcDevice,
                            c->srcArray,
                            c->srcXInBytes,
                            c->srcY,
                            0,
                            c->srcPitch,
                            0};
    struct endpoint to = {c->dstMemoryType,
                          (uintptr_t)c->dstHost,
                          c->dstDevice,
                          c->dstArray,
                          c->dstXInBytes,
                          c->dstY,
                          0,
                          c->dstPitch,
                          0};
    return copy_strided(stream, &from, &to, c->WidthInBytes, c->Height, 1, async);
}

DRIVER_API cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, NULL, false);
}

DRIVER_API cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy)
{
    return copy_2d(copy, NULL, false);
}

DRIVER_API cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return copy_2d(copy, stream, true);
}

static void endpoints_of(const CUDA_MEMCPY3D *c, struct endpoint *from, struct endpoint *to)
{
    *from = (struct endpoint){c->srcMemoryType, (uintptr_t)c->srcHost, c->srcDevice,
                              c->srcArray,      c->srcXInBytes,        c->srcY,
                              c->srcZ,          c->srcPitch,           c->srcHeight};
    *to = (struct endpoint){c->dstMemoryType, (uintptr_t)c->dstHost, c->dstDevice,
                            c->dstArray,      c->dstXInBytes,        c->dstY,
                            c->dstZ,          c->dstPitch,           c->dstHeight};
}

static CUresult copy_3d(const CUDA_MEMCPY3D *c, CUstream stream, bool async)
{
    struct endpoint from, to;
    DRIVER_TRY(driver_ready());
    if (!c) return CUDA_ERROR_INVALID_VALUE; /* levels are not looked at, as H200s answered */
    if (c->Depth > 1 && c->srcHeight && c->srcHeight < c->Height) return CUDA_ERROR_INVALID_VALUE;
    if (c->Depth > 1 && c->dstHeight && c->dstHeight < c->Height) return CUDA_ERROR_INVALID_VALUE;
    endpoints_of(c, &from, &to);
    return copy_strided(stream, &from, &to, c->WidthInBytes, c->Height, c->Depth, async);
}

CUresult driver_copy_describe(const CUDA_MEMCPY3D *c, struct driver_copy *out)
{
    struct endpoint from, to;
    struct sides sides;
    if (c->srcLOD || c->dstLOD || !c->WidthInBytes || !c->Height || !c->Depth)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct driver_copy){.width = c->WidthInBytes, .height = c->Height, .depth = c->Depth};
    endpoints_of(c, &from, &to);
    DRIVER_TRY(copy_describe(&from, &to, out, &sides));
    DRIVER_TRY(driver_side_check(sides.from, (uintptr_t)out->from.base, span(&out->from, out), false));
    return driver_side_check(sides.to, (uintptr_t)out->to.base, span(&out->to, out), true);
}

DRIVER_API cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)
{
    return copy_3d(copy, NULL, false);
}

DRIVER_API cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    return copy_3d(copy, stream, true);
}

static CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER *c, CUstream stream, bool async)
{
    if (!c) return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D plain;
    _Static_assert(sizeof plain == sizeof *c,
                   "the peer form has contexts where the plain one has reserved pointers");
    memcpy(&plain, c, sizeof plain);
    return copy_3d(&plain, stream, async);
}

DRIVER_API cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy)
{
    return copy_3d_peer(copy, NULL, false);
}

DRIVER_API cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
    DRIVER_TRY(forbid_captured(stream));
    return copy_3d_peer(copy, stream, true);
}
