/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a program asks and sets of a kernel: attributes, cache and shared memory preferences,
 * occupancy. Method: the driver's answers for the function of the current context. Limits: none of its own.
 */
#include "runtime_priv.h"

#include <string.h>

/* Run expr with `function` of func in the current context. */
static cudaError_t with_function(const void *func, CUfunction *function)
{
    if (!rt_enter()) return rt_return(rt_failure());
    return rt_record(rt_function(func, function));
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    if (attr == NULL) return rt_record(cudaErrorInvalidValue);
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    memset(attr, 0, sizeof(*attr));
    int value = 0;
#define ATTRIBUTE(field, name)                                                                               \
    if (cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_##name, function) == CUDA_SUCCESS)                      \
        attr->field = (__typeof__(attr->field))value;
    ATTRIBUTE(sharedSizeBytes, SHARED_SIZE_BYTES)
    ATTRIBUTE(constSizeBytes, CONST_SIZE_BYTES)
    ATTRIBUTE(localSizeBytes, LOCAL_SIZE_BYTES)
    ATTRIBUTE(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK)
    ATTRIBUTE(numRegs, NUM_REGS)
    ATTRIBUTE(ptxVersion, PTX_VERSION)
    ATTRIBUTE(binaryVersion, BINARY_VERSION)
    ATTRIBUTE(cacheModeCA, CACHE_MODE_CA)
    ATTRIBUTE(maxDynamicSharedSizeBytes, MAX_DYNAMIC_SHARED_SIZE_BYTES)
    ATTRIBUTE(preferredShmemCarveout, PREFERRED_SHARED_MEMORY_CARVEOUT)
    ATTRIBUTE(clusterDimMustBeSet, CLUSTER_SIZE_MUST_BE_SET)
    ATTRIBUTE(requiredClusterWidth, REQUIRED_CLUSTER_WIDTH)
    ATTRIBUTE(requiredClusterHeight, REQUIRED_CLUSTER_HEIGHT)
    ATTRIBUTE(requiredClusterDepth, REQUIRED_CLUSTER_DEPTH)
    ATTRIBUTE(clusterSchedulingPolicyPreference, CLUSTER_SCHEDULING_POLICY_PREFERENCE)
    ATTRIBUTE(nonPortableClusterSizeAllowed, NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
#undef ATTRIBUTE
    return cudaSuccess;
}

_Static_assert((int)cudaFuncAttributeMaxDynamicSharedMemorySize ==
                   (int)CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
               "cudaFuncAttribute and CUfunction_attribute share their numbers");
_Static_assert((int)cudaFuncAttributeMax == (int)CU_FUNC_ATTRIBUTE_MAX, "to the last");

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    return rt_return(cuFuncSetAttribute(function, (CUfunction_attribute)attr, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    return error != cudaSuccess ? error : rt_return(cuFuncSetCacheConfig(function, (CUfunc_cache)config));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    return error != cudaSuccess ? error
                                : rt_return(cuFuncSetSharedMemConfig(function, (CUsharedconfig)config));
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    return error != cudaSuccess ? error : rt_return(cuFuncGetName(name, function));
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    return error != cudaSuccess ? error : rt_return(cuFuncGetParamInfo(function, index, offset, size));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func, int block_size,
                                                          size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, block_size, shared_bytes,
                                                                  cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                   int block_size, size_t shared_bytes,
                                                                   unsigned flags)
{
    CUfunction function = NULL;
    if (blocks == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    return rt_return(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                          shared_bytes, flags));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *func, int blocks,
                                                      int block_size)
{
    CUfunction function = NULL;
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    return rt_return(cuOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, block_size));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
                                                 const cudaLaunchConfig_t *config)
{
    CUfunction function = NULL;
    if (size == NULL || config == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    CUlaunchConfig c = rt_launch_config(config);
    return rt_return(cuOccupancyMaxPotentialClusterSize(size, function, &c));
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func, const cudaLaunchConfig_t *config)
{
    CUfunction function = NULL;
    if (clusters == NULL || config == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = with_function(func, &function);
    if (error != cudaSuccess) return error;
    CUlaunchConfig c = rt_launch_config(config);
    return rt_return(cuOccupancyMaxActiveClusters(clusters, function, &c));
}
