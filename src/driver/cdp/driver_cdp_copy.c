/* SPDX-License-Identifier: Apache-2.0 */
/* The device runtime's copies and fills: cudaMemcpyAsync and its kin, called by kernels.
 * Both sides must be memory of ours in whole: host memory that is not, and local or shared memory of the
 * kernel, are invalid values, as CUDA documents. What the device may not reach is an illegal address: kernels
 * make these copies on a GPU. Limits: no arrays. */
#include "driver_cdp.h"

#include "driver/memory/driver_memory.h"
#include "driver/module/driver_module.h"

#include <string.h>

enum { TO_DEVICE = 3, BY_ADDRESS = 4, INVALID_DIRECTION = 21 }; /* of cudaMemcpyKind; of cudaError_t */

static bool is_inside(uint32_t kind)
{
    return kind == TO_DEVICE || kind == BY_ADDRESS;
}

static bool is_reached(const struct cdp_call *call, const void *base, uint64_t bytes, enum vmem_access access)
{
    const struct driver_device *device = call->grid->stream->context->device;
    if (driver_permissions_reach(device, (uintptr_t)base, bytes, access)) return true;
    sw_log("%s: illegal address %p: a copy or fill by the kernel %s memory that device %d may not reach",
           call->grid->launch->function->entry->name, base, access == VMEM_READ ? "reads" : "writes",
           device->ordinal);
    driver_context_fail(CUDA_ERROR_ILLEGAL_ADDRESS);
    return false;
}

static int queue_copy(const struct cdp_call *call, uint64_t stream, const struct driver_copy *copy)
{
    if (!copy->width || !copy->height || !copy->depth) return CUDA_SUCCESS;
    uint64_t to = driver_plane_span(&copy->to, copy->width, copy->height, copy->depth);
    uint64_t from = driver_plane_span(&copy->from, copy->width, copy->height, copy->depth);
    if (!driver_memory_valid((uintptr_t)copy->to.base, to) ||
        !driver_memory_valid((uintptr_t)copy->from.base, from))
        return CUDA_ERROR_INVALID_VALUE; /* host memory, or local or shared memory of the kernel */
    if (!is_reached(call, copy->from.base, from, VMEM_READ) ||
        !is_reached(call, copy->to.base, to, VMEM_WRITE))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    struct driver_work work = {.kind = DRIVER_WORK_COPY, .copy = *copy};
    return driver_cdp_queue_work(call, stream, &work);
}

int driver_cdp_memcpy_1d(const struct cdp_call *call)
{
    if (cdp_argument(call, 2) && !is_inside(cdp_argument32(call, 3))) return INVALID_DIRECTION;
    struct driver_copy copy = {{(uint8_t *)(uintptr_t)cdp_argument(call, 1), 0, 0},
                               {(uint8_t *)(uintptr_t)cdp_argument(call, 0), 0, 0},
                               cdp_argument(call, 2),
                               1,
                               1,
                               NULL,
                               true};
    return queue_copy(call, cdp_argument(call, 4), &copy);
}

int driver_cdp_memcpy_2d(const struct cdp_call *call)
{
    if (!is_inside(cdp_argument32(call, 6))) return INVALID_DIRECTION;
    uint64_t width = cdp_argument(call, 4);
    bool narrow = cdp_argument(call, 1) < width || cdp_argument(call, 3) < width;
    if (narrow && cdp_argument(call, 5) > 1)
        return CUDA_ERROR_INVALID_VALUE; /* of one row, an H200 takes any */
    struct driver_copy copy = {{(uint8_t *)(uintptr_t)cdp_argument(call, 2), cdp_argument(call, 3), 0},
                               {(uint8_t *)(uintptr_t)cdp_argument(call, 0), cdp_argument(call, 1), 0},
                               width,
                               cdp_argument(call, 5),
                               1,
                               NULL,
                               true};
    return queue_copy(call, cdp_argument(call, 7), &copy);
}

struct pitched { /* cudaPitchedPtr */
    uint64_t base, pitch, width, height;
};
struct memcpy_3d { /* cudaMemcpy3DParms; positions and extents of plain memory are in bytes, rows, slices */
    uint64_t from_array, from_position[3];
    struct pitched from;
    uint64_t to_array, to_position[3];
    struct pitched to;
    uint64_t extent[3];
    uint32_t kind, padding;
};
_Static_assert(sizeof(struct memcpy_3d) == ENGINE_DEVICE_BYTES, "cudaMemcpy3DParms");

static struct driver_plane plane_at(const struct pitched *memory, const uint64_t position[3])
{
    uint64_t slice = sw_product(memory->pitch, memory->height);
    uint64_t base = sw_sum(memory->base, position[0]);
    base = sw_sum(base, sw_product(position[1], memory->pitch));
    base = sw_sum(base, sw_product(position[2], slice));
    return (struct driver_plane){(uint8_t *)(uintptr_t)base, memory->pitch, slice};
}

int driver_cdp_memcpy_3d(const struct cdp_call *call)
{
    struct memcpy_3d params;
    memcpy(&params, call->at->in, sizeof params);
    if (!is_inside(params.kind)) return INVALID_DIRECTION;
    if (params.from_array || params.to_array) return CUDA_ERROR_INVALID_VALUE;
    struct driver_copy copy = {plane_at(&params.from, params.from_position),
                               plane_at(&params.to, params.to_position),
                               params.extent[0],
                               params.extent[1],
                               params.extent[2],
                               NULL,
                               true};
    return queue_copy(call, cdp_argument(call, 1), &copy);
}

static int queue_fill(const struct cdp_call *call, uint64_t stream, const struct driver_fill *fill,
                      uint64_t span)
{
    if (!fill->width || !fill->height) return CUDA_SUCCESS;
    if (!driver_memory_valid((uintptr_t)fill->base, span)) return CUDA_ERROR_INVALID_VALUE;
    if (!is_reached(call, fill->base, span, VMEM_WRITE)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    struct driver_work work = {.kind = DRIVER_WORK_FILL, .fill = *fill};
    return driver_cdp_queue_work(call, stream, &work);
}

int driver_cdp_memset_1d(const struct cdp_call *call)
{
    uint64_t bytes = cdp_argument(call, 2);
    struct driver_fill fill = {
        (uint8_t *)(uintptr_t)cdp_argument(call, 0), bytes, bytes, 1, (uint8_t)cdp_argument32(call, 1), 1};
    return queue_fill(call, cdp_argument(call, 3), &fill, bytes);
}

int driver_cdp_memset_2d(const struct cdp_call *call)
{
    uint64_t pitch = cdp_argument(call, 1), width = cdp_argument(call, 3), height = cdp_argument(call, 4);
    if (height > 1 && pitch < width) return CUDA_ERROR_INVALID_VALUE;
    struct driver_fill fill = {(uint8_t *)(uintptr_t)cdp_argument(call, 0),
                               pitch,
                               width,
                               height,
                               (uint8_t)cdp_argument32(call, 2),
                               1};
    return queue_fill(call, cdp_argument(call, 5), &fill,
                      height ? sw_sum(sw_product(height - 1, pitch), width) : 0);
}

/* Slices that follow each other without a gap are rows of one plane; others are filled one by one. */
int driver_cdp_memset_3d(const struct cdp_call *call)
{
    struct pitched to;
    uint64_t extent[3];
    memcpy(&to, (const void *)(uintptr_t)call->at->arguments[0], sizeof to);
    memcpy(extent, (const void *)(uintptr_t)call->at->arguments[2], sizeof extent);
    if (extent[1] > 1 && to.pitch < extent[0]) return CUDA_ERROR_INVALID_VALUE;
    if (!extent[0] || !extent[1]) return CUDA_SUCCESS;
    uint64_t slice = sw_product(to.pitch, to.height);
    if (slice == 0 && extent[2]) extent[2] = 1; /* one place for all slices */
    for (uint64_t z = 0; z < extent[2]; z++) {
        uint64_t base = sw_sum(to.base, sw_product(z, slice));
        struct driver_fill fill = {(uint8_t *)(uintptr_t)base,       to.pitch, extent[0], extent[1],
                                   (uint8_t)cdp_argument32(call, 1), 1};
        uint64_t span = extent[1] ? sw_sum(sw_product(extent[1] - 1, to.pitch), extent[0]) : 0;
        int error = queue_fill(call, cdp_argument(call, 3), &fill, span);
        if (error) return error;
    }
    return CUDA_SUCCESS;
}
