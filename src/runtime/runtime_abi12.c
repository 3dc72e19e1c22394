/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the calls whose structures or signatures differ in CUDA 12 (libcudart.so.12). Its counterpart for
 * libcudart.so.13 is runtime_abi13.c; everything else is shared.
 * Method: cuda_runtime_api.h declares CUDA 13's forms, so those of CUDA 12 get C names of their own and the
 * symbol's name by an assembler label.
 * Limits: CUDA 12 as of 12.8; the older properties structure (cudaGetDeviceProperties without _v2, CUDA 11's)
 * is the head of CUDA 12's. */
#include "runtime_priv.h"

#include <string.h>

#define RUNTIME_VERSION_12 12080

const cudaError_t rt_bad_configuration = cudaErrorInvalidConfiguration;
const cudaError_t rt_unknown_function = cudaErrorInvalidDeviceFunction;

struct device_prop12 {
    char name[256];
    CUuuid uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int reserved[63];
};
_Static_assert(sizeof(struct device_prop12) == 1032, "what CUDA 12 programs allocate");
#define AT(field, offset)                                                                                    \
    _Static_assert(offsetof(struct device_prop12, field) == (offset), "and where they look")
AT(multiProcessorCount, 388);
AT(maxTexture1D, 408);
AT(memoryClockRate, 608);
AT(maxThreadsPerMultiProcessor, 624);
AT(regsPerMultiprocessor, 648);
AT(sharedMemPerBlockOptin, 696);
AT(reservedSharedMemPerBlock, 720);
#undef AT

#pragma GCC visibility push(default)
cudaError_t properties11(struct device_prop12 *prop, int device) __asm__("cudaGetDeviceProperties");
cudaError_t properties12(struct device_prop12 *prop, int device) __asm__("cudaGetDeviceProperties_v2");
cudaError_t prefetch12(const void *pointer, size_t count, int device,
                       cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t prefetch12_ptsz(const void *pointer, size_t count, int device,
                            cudaStream_t stream) __asm__("cudaMemPrefetchAsync_ptsz");
cudaError_t prefetch12_v2(const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
                          cudaStream_t stream) __asm__("cudaMemPrefetchAsync_v2");
cudaError_t prefetch12_v2_ptsz(const void *pointer, size_t count, struct cudaMemLocation location,
                               unsigned flags, cudaStream_t stream) __asm__("cudaMemPrefetchAsync_v2_ptsz");
cudaError_t advise12(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                     int device) __asm__("cudaMemAdvise");
cudaError_t advise12_v2(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                        struct cudaMemLocation location) __asm__("cudaMemAdvise_v2");
cudaError_t copy_batch12(void **dsts, void **srcs, size_t *sizes, size_t count,
                         struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                         cudaStream_t stream) __asm__("cudaMemcpyBatchAsync");
cudaError_t copy_batch12_ptsz(void **dsts, void **srcs, size_t *sizes, size_t count,
                              struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                              cudaStream_t stream) __asm__("cudaMemcpyBatchAsync_ptsz");
cudaError_t copy3d_batch12(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                           unsigned long long flags, cudaStream_t stream) __asm__("cudaMemcpy3DBatchAsync");
cudaError_t copy3d_batch12_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                                unsigned long long flags,
                                cudaStream_t stream) __asm__("cudaMemcpy3DBatchAsync_ptsz");
cudaError_t elapsed12_v2(float *ms, cudaEvent_t start, cudaEvent_t end) __asm__("cudaEventElapsedTime_v2");
cudaError_t thread_synchronize(void) __asm__("cudaThreadSynchronize");
cudaError_t thread_exit(void) __asm__("cudaThreadExit");
cudaError_t thread_get_limit(size_t *value, enum cudaLimit limit) __asm__("cudaThreadGetLimit");
cudaError_t thread_set_limit(enum cudaLimit limit, size_t value) __asm__("cudaThreadSetLimit");
cudaError_t thread_get_cache(enum cudaFuncCache *config) __asm__("cudaThreadGetCacheConfig");
cudaError_t thread_set_cache(enum cudaFuncCache config) __asm__("cudaThreadSetCacheConfig");
cudaError_t double_for_device(double *value) __asm__("cudaSetDoubleForDevice");
cudaError_t double_for_host(double *value) __asm__("cudaSetDoubleForHost");
cudaError_t capture_info12(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                           unsigned long long *id) __asm__("cudaStreamGetCaptureInfo");
cudaError_t capture_info12_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id) __asm__("cudaStreamGetCaptureInfo_ptsz");
cudaError_t add_node12(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                       size_t dep_count, struct cudaGraphNodeParams *params) __asm__("cudaGraphAddNode");
cudaError_t add_node12_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                          const cudaGraphEdgeData *edges, size_t dep_count,
                          struct cudaGraphNodeParams *params) __asm__("cudaGraphAddNode_v2");
cudaError_t add_deps12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                       size_t count) __asm__("cudaGraphAddDependencies");
cudaError_t add_deps12_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                          const cudaGraphEdgeData *edges,
                          size_t count) __asm__("cudaGraphAddDependencies_v2");
cudaError_t remove_deps12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                          size_t count) __asm__("cudaGraphRemoveDependencies");
cudaError_t remove_deps12_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                             const cudaGraphEdgeData *edges,
                             size_t count) __asm__("cudaGraphRemoveDependencies_v2");
cudaError_t get_edges12(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                        size_t *count) __asm__("cudaGraphGetEdges");
cudaError_t get_edges12_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                           cudaGraphEdgeData *edges, size_t *count) __asm__("cudaGraphGetEdges_v2");
cudaError_t get_deps12(cudaGraphNode_t node, cudaGraphNode_t *deps,
                       size_t *count) __asm__("cudaGraphNodeGetDependencies");
cudaError_t get_deps12_v2(cudaGraphNode_t node, cudaGraphNode_t *deps, cudaGraphEdgeData *edges,
                          size_t *count) __asm__("cudaGraphNodeGetDependencies_v2");
cudaError_t get_dependents12(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                             size_t *count) __asm__("cudaGraphNodeGetDependentNodes");
cudaError_t get_dependents12_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
                                size_t *count) __asm__("cudaGraphNodeGetDependentNodes_v2");
cudaError_t capture_info12_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                              size_t *count) __asm__("cudaStreamGetCaptureInfo_v2");
cudaError_t capture_info12_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                                   size_t *count) __asm__("cudaStreamGetCaptureInfo_v2_ptsz");
cudaError_t capture_info12_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                              const cudaGraphEdgeData **edges,
                              size_t *count) __asm__("cudaStreamGetCaptureInfo_v3");
cudaError_t capture_info12_v3_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                                   const cudaGraphEdgeData **edges,
                                   size_t *count) __asm__("cudaStreamGetCaptureInfo_v3_ptsz");
cudaError_t update_deps12(cudaStream_t stream, cudaGraphNode_t *deps, size_t count,
                          unsigned flags) __asm__("cudaStreamUpdateCaptureDependencies");
cudaError_t update_deps12_ptsz(cudaStream_t stream, cudaGraphNode_t *deps, size_t count,
                               unsigned flags) __asm__("cudaStreamUpdateCaptureDependencies_ptsz");
cudaError_t update_deps12_v2(cudaStream_t stream, cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
                             size_t count, unsigned flags) __asm__("cudaStreamUpdateCaptureDependencies_v2");
cudaError_t update_deps12_v2_ptsz(cudaStream_t stream, cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
                                  size_t count,
                                  unsigned flags) __asm__("cudaStreamUpdateCaptureDependencies_v2_ptsz");
#pragma GCC visibility pop

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (version == NULL) return rt_record(cudaErrorInvalidValue);
    *version = RUNTIME_VERSION_12;
    return cudaSuccess;
}

cudaError_t properties12(struct device_prop12 *prop, int device)
{
    if (prop == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device)) return rt_record(cudaErrorInvalidDevice);
    memset(prop, 0, sizeof(*prop));
    CUresult result = cuDeviceGetName(prop->name, sizeof(prop->name), device);
    if (result == CUDA_SUCCESS) result = cuDeviceTotalMem(&prop->totalGlobalMem, device);
    if (result == CUDA_SUCCESS) result = cuDeviceGetUuid(&prop->uuid, device);
    if (result != CUDA_SUCCESS) return rt_return(result);
    int value = 0;
#define PROP(field, name)                                                                                    \
    if (cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##name, device) == CUDA_SUCCESS)                    \
        prop->field = (__typeof__(prop->field))value;
#include "runtime/runtime_props.def"
    PROP(clockRate, CLOCK_RATE)
    PROP(deviceOverlap, GPU_OVERLAP)
    PROP(kernelExecTimeoutEnabled, KERNEL_EXEC_TIMEOUT)
    PROP(computeMode, COMPUTE_MODE)
    PROP(maxTexture1DLinear, MAXIMUM_TEXTURE1D_LINEAR_WIDTH)
    PROP(memoryClockRate, MEMORY_CLOCK_RATE)
    PROP(singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO)
    PROP(cooperativeMultiDeviceLaunch, COOPERATIVE_MULTI_DEVICE_LAUNCH)
#undef PROP
    return cudaSuccess;
}

cudaError_t properties11(struct device_prop12 *prop, int device)
{
    struct device_prop12 full;
    cudaError_t error = properties12(&full, device);
    if (error == cudaSuccess) memcpy(prop, &full, offsetof(struct device_prop12, hostRegisterSupported));
    return error;
}

/* CUDA 12 names a device where 13 names a location; -1 is the host. */
static CUmemLocation location_of(int device)
{
    if (device == cudaCpuDeviceId) return (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0};
    return (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

cudaError_t prefetch12(const void *pointer, size_t count, int device, cudaStream_t stream)
{
    return RT(cuMemPrefetchAsync(rt_dev(pointer), count, location_of(device), 0, stream));
}

cudaError_t prefetch12_ptsz(const void *pointer, size_t count, int device, cudaStream_t stream)
{
    return prefetch12(pointer, count, device, rt_per_thread(stream));
}

cudaError_t prefetch12_v2(const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
                          cudaStream_t stream)
{
    CUmemLocation where = {(CUmemLocationType)location.type, location.id};
    return RT(cuMemPrefetchAsync(rt_dev(pointer), count, where, flags, stream));
}

cudaError_t prefetch12_v2_ptsz(const void *pointer, size_t count, struct cudaMemLocation location,
                               unsigned flags, cudaStream_t stream)
{
    return prefetch12_v2(pointer, count, location, flags, rt_per_thread(stream));
}

cudaError_t advise12(const void *pointer, size_t count, enum cudaMemoryAdvise advice, int device)
{
    return RT(cuMemAdvise(rt_dev(pointer), count, (CUmem_advise)advice, location_of(device)));
}

cudaError_t advise12_v2(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                        struct cudaMemLocation location)
{
    CUmemLocation where = {(CUmemLocationType)location.type, location.id};
    return RT(cuMemAdvise(rt_dev(pointer), count, (CUmem_advise)advice, where));
}

cudaError_t elapsed12_v2(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime(ms, start, end);
}

/* Names from before CUDA 4 that libcudart.so.12 still has. */
cudaError_t thread_synchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t thread_exit(void)
{
    return cudaDeviceReset();
}

cudaError_t thread_get_limit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t thread_set_limit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t thread_get_cache(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t thread_set_cache(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

/* Devices without double precision are long gone. */
cudaError_t double_for_device(double *value)
{
    return value == NULL ? rt_record(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t double_for_host(double *value)
{
    return value == NULL ? rt_record(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t capture_info12(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id)
{
    return rt_capture_info(stream, status, id, NULL, NULL, NULL, NULL);
}

cudaError_t capture_info12_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id)
{
    return rt_capture_info(rt_per_thread(stream), status, id, NULL, NULL, NULL, NULL);
}

cudaError_t copy_batch12(void **dsts, void **srcs, size_t *sizes, size_t count,
                         struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                         cudaStream_t stream)
{
    return rt_copy_batch(dsts, (const void *const *)srcs, sizes, count, attrs, first, sets, bad, stream);
}

cudaError_t copy_batch12_ptsz(void **dsts, void **srcs, size_t *sizes, size_t count,
                              struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                              cudaStream_t stream)
{
    return copy_batch12(dsts, srcs, sizes, count, attrs, first, sets, bad, rt_per_thread(stream));
}

cudaError_t copy3d_batch12(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                           unsigned long long flags, cudaStream_t stream)
{
    return rt_copy3d_batch(count, ops, bad, flags, stream);
}

cudaError_t copy3d_batch12_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                                unsigned long long flags, cudaStream_t stream)
{
    return rt_copy3d_batch(count, ops, bad, flags, rt_per_thread(stream));
}

/* What only CUDA 12 has and Softwarp does not do. */
#pragma GCC visibility push(default)
#define REFUSED(name)                                                                                        \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        static int said;                                                                                     \
        return rt_refuse(#name, &said);                                                                      \
    }
REFUSED(cudaLaunchCooperativeKernelMultiDevice)
REFUSED(cudaSignalExternalSemaphoresAsync_v2)
REFUSED(cudaSignalExternalSemaphoresAsync_v2_ptsz)
REFUSED(cudaWaitExternalSemaphoresAsync_v2)
REFUSED(cudaWaitExternalSemaphoresAsync_v2_ptsz)
#undef REFUSED
#pragma GCC visibility pop

/* Edges: CUDA 12's calls without _v2 (or _v3) leave their data out. */
#define EDGES(edges)     ((const CUgraphEdgeData *)(const void *)(edges))
#define EDGES_OUT(edges) ((CUgraphEdgeData *)(void *)(edges))

cudaError_t add_node12(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                       size_t dep_count, struct cudaGraphNodeParams *params)
{
    return rt_graph_add_node(node, graph, deps, NULL, dep_count, params);
}

cudaError_t add_node12_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                          const cudaGraphEdgeData *edges, size_t dep_count,
                          struct cudaGraphNodeParams *params)
{
    return rt_graph_add_node(node, graph, deps, edges, dep_count, params);
}

cudaError_t add_deps12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                       size_t count)
{
    return RT(cuGraphAddDependencies(graph, from, to, NULL, count));
}

cudaError_t add_deps12_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                          const cudaGraphEdgeData *edges, size_t count)
{
    return RT(cuGraphAddDependencies(graph, from, to, EDGES(edges), count));
}

cudaError_t remove_deps12(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                          size_t count)
{
    return RT(cuGraphRemoveDependencies(graph, from, to, NULL, count));
}

cudaError_t remove_deps12_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                             const cudaGraphEdgeData *edges, size_t count)
{
    return RT(cuGraphRemoveDependencies(graph, from, to, EDGES(edges), count));
}

cudaError_t get_edges12(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
    return RT(cuGraphGetEdges(graph, from, to, NULL, count));
}

cudaError_t get_edges12_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                           cudaGraphEdgeData *edges, size_t *count)
{
    return RT(cuGraphGetEdges(graph, from, to, EDGES_OUT(edges), count));
}

cudaError_t get_deps12(cudaGraphNode_t node, cudaGraphNode_t *deps, size_t *count)
{
    return RT(cuGraphNodeGetDependencies(node, deps, NULL, count));
}

cudaError_t get_deps12_v2(cudaGraphNode_t node, cudaGraphNode_t *deps, cudaGraphEdgeData *edges,
                          size_t *count)
{
    return RT(cuGraphNodeGetDependencies(node, deps, EDGES_OUT(edges), count));
}

cudaError_t get_dependents12(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
    return RT(cuGraphNodeGetDependentNodes(node, nodes, NULL, count));
}

cudaError_t get_dependents12_v2(cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges,
                                size_t *count)
{
    return RT(cuGraphNodeGetDependentNodes(node, nodes, EDGES_OUT(edges), count));
}

cudaError_t capture_info12_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                              size_t *count)
{
    return rt_capture_info(stream, status, id, graph, deps, NULL, count);
}

cudaError_t capture_info12_v2_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                                   size_t *count)
{
    return rt_capture_info(rt_per_thread(stream), status, id, graph, deps, NULL, count);
}

cudaError_t capture_info12_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                              unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                              const cudaGraphEdgeData **edges, size_t *count)
{
    return rt_capture_info(stream, status, id, graph, deps, edges, count);
}

cudaError_t capture_info12_v3_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                   unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                                   const cudaGraphEdgeData **edges, size_t *count)
{
    return rt_capture_info(rt_per_thread(stream), status, id, graph, deps, edges, count);
}

cudaError_t update_deps12(cudaStream_t stream, cudaGraphNode_t *deps, size_t count, unsigned flags)
{
    return RT(cuStreamUpdateCaptureDependencies(stream, deps, NULL, count, flags));
}

cudaError_t update_deps12_ptsz(cudaStream_t stream, cudaGraphNode_t *deps, size_t count, unsigned flags)
{
    return RT(cuStreamUpdateCaptureDependencies(rt_per_thread(stream), deps, NULL, count, flags));
}

cudaError_t update_deps12_v2(cudaStream_t stream, cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
                             size_t count, unsigned flags)
{
    return RT(cuStreamUpdateCaptureDependencies(stream, deps, EDGES(edges), count, flags));
}

cudaError_t update_deps12_v2_ptsz(cudaStream_t stream, cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
                                  size_t count, unsigned flags)
{
    return RT(cuStreamUpdateCaptureDependencies(rt_per_thread(stream), deps, EDGES(edges), count, flags));
}
