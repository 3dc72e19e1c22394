/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy by clusters of blocks. Clusters of more than one block are refused when they are launched, so the
 * largest that can be launched has one block; how many of those a device holds is a question of its blocks.
 * Before compute capability 9.0 there are none. */
#include "driver/core/driver_error.h"
#include "driver/module/driver_module.h"
#include "driver/stream/driver_attribute.h"

enum { PORTABLE_MOST = 8 }; /* blocks of a cluster on every GPU that has some */

static CUresult cluster_check_dimensions(const CUlaunchConfig *c, const uint64_t cluster[3])
{
    const uint64_t grid[] = {c->gridDimX, c->gridDimY, c->gridDimZ};
    if (!grid[0] || !grid[1] || !grid[2] || grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (cluster[0] * cluster[1] * cluster[2] > PORTABLE_MOST) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    for (int i = 0; i < 3; i++)
        if (grid[i] % cluster[i]) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return CUDA_SUCCESS;
}

/* *blocks: of a cluster, 1 where no dimensions are given. */
static CUresult read_config(const CUlaunchConfig *c, const struct driver_device *device, uint64_t *blocks)
{
    uint64_t cluster[3] = {1, 1, 1};
    if (c->numAttrs && !c->attrs) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];
        if (a->id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            DRIVER_TRY(driver_attribute_check(a->id, &a->value, DRIVER_OF_LAUNCH, device));
            continue;
        }
        const uint64_t given[] = {a->value.clusterDim.x, a->value.clusterDim.y, a->value.clusterDim.z};
        for (int k = 0; k < 3; k++)
            if (given[0] && given[1] && given[2]) cluster[k] = given[k];
    }
    *blocks = cluster[0] * cluster[1] * cluster[2];
    return cluster_check_dimensions(c, cluster);
}

static CUresult clusters_of(struct driver_function *function, const CUlaunchConfig *config, uint64_t *size,
                            uint64_t *clusters)
{
    const struct driver_device *device = function->module->context->device;
    uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
    int each = 0;
    if (device->cc->major < 9) return CUDA_ERROR_NOT_SUPPORTED;
    DRIVER_TRY(read_config(config, device, size));
    if (threads == 0) return CUDA_ERROR_INVALID_VALUE;
    if (threads <= device->cc->threads_per_block)
        DRIVER_TRY(driver_function_occupancy(function, (uint32_t)threads, config->sharedMemBytes, &each));
    *clusters = (uint64_t)each * device->gpu.sm_count;
    return CUDA_SUCCESS;
}

static CUresult cluster_ask(CUfunction handle, const CUlaunchConfig *config, uint64_t *size,
                            uint64_t *clusters)
{
    struct driver_function *function;
    if (!handle || !config) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_function_get(handle, &function));
    CUresult result = clusters_of(function, config, size, clusters);
    driver_function_put(function);
    return result;
}

DRIVER_API cuOccupancyMaxPotentialClusterSize(int *out, CUfunction function, const CUlaunchConfig *config)
{
    uint64_t size, clusters;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(cluster_ask(function, config, &size, &clusters));
    *out = 1;
    return CUDA_SUCCESS;
}

DRIVER_API cuOccupancyMaxActiveClusters(int *out, CUfunction function, const CUlaunchConfig *config)
{
    static int refused;
    uint64_t size, clusters;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(cluster_ask(function, config, &size, &clusters));
    if (size > 1)
        return driver_refuse_call(&refused, "cuOccupancyMaxActiveClusters", "thread block clusters");
    *out = (int)clusters;
    return CUDA_SUCCESS;
}
