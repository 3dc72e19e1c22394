/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA runtime in C++: the C API, make_<vector>, and the overloads that take typed pointers, symbols and
 * kernels. Device functions come with every .cu file through softwarp/prelude.h. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#if defined(__cplusplus) && !defined(__CUDACC_RTC__) /* NVRTC compiles no host code */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#include <utility>

/* <<<grid, block>>> leaves out what these defaults supply. */
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                    struct CUstream_st *stream = 0);

#define SW_API_ static inline cudaError_t

/* Memory. */
template <class T> SW_API_ cudaMalloc(T **pointer, size_t bytes)
{
    return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T> SW_API_ cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> SW_API_ cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T> SW_API_ cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
SW_API_ cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T> SW_API_ cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> SW_API_ cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T> SW_API_ cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
SW_API_ cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
SW_API_ cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t length = 0,
                                 unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)pointer, length, flags);
}

/* Symbols: the host variable stands for the device's. */
template <class T>
SW_API_ cudaMemcpyToSymbol(const T &symbol, const void *source, size_t bytes, size_t offset = 0,
                           cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, source, bytes, offset, kind);
}
template <class T>
SW_API_ cudaMemcpyToSymbolAsync(const T &symbol, const void *source, size_t bytes, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, source, bytes, offset, kind, stream);
}
template <class T>
SW_API_ cudaMemcpyFromSymbol(void *target, const T &symbol, size_t bytes, size_t offset = 0,
                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(target, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
SW_API_ cudaMemcpyFromSymbolAsync(void *target, const T &symbol, size_t bytes, size_t offset = 0,
                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(target, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> SW_API_ cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T, class S> SW_API_ cudaGetSymbolAddress(T **pointer, const S &symbol)
{
    return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T> SW_API_ cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Kernels. */
template <class T>
SW_API_ cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                         cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
SW_API_ cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <typename... Parameters, typename... Arguments>
SW_API_ cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                           Arguments &&...arguments)
{
    return [&](Parameters... converted) {
        void *pointers[] = {(void *)&converted..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
    }(std::forward<Arguments>(arguments)...);
}
template <class T> SW_API_ cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T> SW_API_ cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> SW_API_ cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T> SW_API_ cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

/* Occupancy. */
template <class T>
SW_API_ cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_threads,
                                                      size_t shared_bytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_threads,
                                                           shared_bytes);
}
template <class T>
SW_API_ cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_threads,
                                                               size_t shared_bytes, unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                    block_threads, shared_bytes, flags);
}
/* The block size that keeps the most threads resident, and the grid that fills the device once: every
 * multiple of the warp is asked, largest first, so that the larger of equal ones wins. */
template <class F, class T>
SW_API_ cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, T kernel,
                                                                F shared_bytes_of, int block_limit = 0,
                                                                unsigned int flags = 0)
{
    int device = 0, sms = 0, best_threads = 0;
    cudaFuncAttributes attributes;
    cudaError_t status = ::cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (status == cudaSuccess) status = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (status != cudaSuccess) return status;
    int limit = attributes.maxThreadsPerBlock;
    if (block_limit > 0 && block_limit < limit) limit = block_limit;
    for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
        int size = threads < limit ? threads : limit, blocks = 0;
        status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)kernel, size,
                                                                          shared_bytes_of(size), flags);
        if (status != cudaSuccess) return status;
        if (blocks * size <= best_threads) continue;
        best_threads = blocks * size;
        *block = size;
        *grid = blocks * sms;
    }
    return cudaSuccess;
}
template <class F, class T>
SW_API_ cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel, F shared_bytes_of,
                                                       int block_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernel, shared_bytes_of,
                                                                   block_limit, 0);
}
template <class T>
SW_API_ cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel, size_t shared_bytes = 0,
                                                    int block_limit = 0, unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid, block, kernel, [=](int) { return shared_bytes; }, block_limit, flags);
}
template <class T>
SW_API_ cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel, size_t shared_bytes = 0,
                                           int block_limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernel, shared_bytes, block_limit, 0);
}

/* Graphs: the forms that CUDA 11 had. */
SW_API_ cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log,
                             size_t log_bytes)
{
    (void)error_node;
    (void)log;
    (void)log_bytes;
    return ::cudaGraphInstantiate(exec, graph, 0);
}
SW_API_ cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                            cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t status = ::cudaGraphExecUpdate(exec, graph, &info);
    if (result) *result = info.result;
    if (error_node) *error_node = info.errorNode;
    return status;
}

/* Events. */
SW_API_ cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

#undef SW_API_
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif
#endif
