/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy by clusters of blocks. Clusters of more than one block are refused when they are launched, so the
 * largest that can be launched has one block; how many of those a device holds is a question of its blocks.
 * Before compute capability 9.0 there are none. */
#include "driver_priv.h"

static CUresult blocks_of(CUfunction handle, const CUlaunchConfig *config, uint64_t *blocks)
{
    struct driver_function *function;
    uint64_t threads = (uint64_t)config->blockDimX * config->blockDimY * config->blockDimZ;
    DRIVER_TRY(driver_function_get(handle, &function));
    const struct driver_device *device = function->module->context->device;
    int each = 0;
    CUresult result = device->cc->major < 9                  ? CUDA_ERROR_NOT_SUPPORTED
                      : threads == 0 || threads > UINT16_MAX ? CUDA_ERROR_INVALID_VALUE
                                                             : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
        result = driver_function_occupancy(function, (uint32_t)threads, config->sharedMemBytes, &each);
    *blocks = (uint64_t)each * device->gpu.sm_count;
    driver_function_put(function);
    return result;
}

DRIVER_API cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, const CUlaunchConfig *config)
{
    uint64_t blocks;
    if (!size || !config) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(blocks_of(function, config, &blocks));
    *size = 1;
    return CUDA_SUCCESS;
}

DRIVER_API cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config)
{
    static int refused;
    uint64_t blocks, size = 0;
    if (!clusters || !config || (config->numAttrs && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttributeValue *value = &config->attrs[i].value;
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            size = (uint64_t)value->clusterDim.x * value->clusterDim.y * value->clusterDim.z;
    }
    if (size == 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE; /* it must be given */
    if (size > 1)
        return driver_refuse_call(&refused, "cuOccupancyMaxActiveClusters", "thread block clusters");
    DRIVER_TRY(blocks_of(function, config, &blocks));
    *clusters = (int)blocks;
    return CUDA_SUCCESS;
}
