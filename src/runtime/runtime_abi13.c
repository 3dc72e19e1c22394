/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the calls whose structures or signatures are CUDA 13's own (libcudart.so.13). Its counterpart for
 * libcudart.so.12 is runtime_abi12.c; everything else is shared.
 * Method: properties are filled from the driver's attributes by table.
 * Limits: attributes that the driver does not know stay 0. */
#include "runtime_priv.h"

#include <string.h>

/* As measured with CUDA 13.0 on an H200 (tests/api/api_answers.h200.txt). */
const cudaError_t rt_bad_configuration = cudaErrorInvalidValue;
const cudaError_t rt_unknown_function = cudaErrorInvalidResourceHandle;

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (version == NULL) return rt_record(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (prop == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device)) return rt_record(cudaErrorInvalidDevice);
    memset(prop, 0, sizeof(*prop));
    CUresult result = cuDeviceGetName(prop->name, sizeof(prop->name), device);
    if (result == CUDA_SUCCESS) result = cuDeviceTotalMem(&prop->totalGlobalMem, device);
    if (result == CUDA_SUCCESS) result = cuDeviceGetUuid((CUuuid *)&prop->uuid, device);
    if (result != CUDA_SUCCESS) return rt_return(result);
    int value = 0;
#define PROP(field, name)                                                                                    \
    if (cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##name, device) == CUDA_SUCCESS)                    \
        prop->field = (__typeof__(prop->field))value;
#include "runtime/runtime_props.def"
    PROP(deviceNumaConfig, NUMA_CONFIG)
    PROP(deviceNumaId, NUMA_ID)
    PROP(mpsEnabled, MPS_ENABLED)
    PROP(hostNumaId, HOST_NUMA_ID)
    PROP(gpuPciDeviceID, GPU_PCI_DEVICE_ID)
    PROP(gpuPciSubsystemID, GPU_PCI_SUBSYSTEM_ID)
    PROP(hostNumaMultinodeIpcSupported, HOST_NUMA_MULTINODE_IPC_SUPPORTED)
#undef PROP
    return cudaSuccess;
}

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "one becomes the other");

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream)
{
    CUmemLocation where = {(CUmemLocationType)location.type, location.id};
    return RT(cuMemPrefetchAsync(rt_dev(pointer), count, where, flags, stream));
}

cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    CUmemLocation where = {(CUmemLocationType)location.type, location.id};
    return RT(cuMemAdvise(rt_dev(pointer), count, (CUmem_advise)advice, where));
}

cudaError_t cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                 size_t count, struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets,
                                 cudaStream_t stream)
{
    return rt_copy_batch(dsts, srcs, sizes, count, attrs, first, sets, NULL, stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp *ops, unsigned long long flags,
                                   cudaStream_t stream)
{
    return rt_copy3d_batch(count, ops, NULL, flags, stream);
}

/* Edges: CUDA 13's calls carry their data. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                             const cudaGraphEdgeData *edges, size_t dep_count,
                             struct cudaGraphNodeParams *params)
{
    return rt_graph_add_node(node, graph, deps, edges, dep_count, params);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t dep_count)
{
    return RT(
        cuGraphAddDependencies(graph, from, to, (const CUgraphEdgeData *)(const void *)edges, dep_count));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t dep_count)
{
    return RT(
        cuGraphRemoveDependencies(graph, from, to, (const CUgraphEdgeData *)(const void *)edges, dep_count));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count)
{
    return RT(cuGraphGetEdges(graph, from, to, (CUgraphEdgeData *)(void *)edges, count));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                         cudaGraphEdgeData *edges, size_t *count)
{
    return RT(cuGraphNodeGetDependencies(node, deps, (CUgraphEdgeData *)(void *)edges, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges, size_t *count)
{
    return RT(cuGraphNodeGetDependentNodes(node, nodes, (CUgraphEdgeData *)(void *)edges, count));
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **deps,
                                     const cudaGraphEdgeData **edges, size_t *dep_count)
{
    return rt_capture_info(stream, status, id, graph, deps, edges, dep_count);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *deps,
                                                const cudaGraphEdgeData *edges, size_t dep_count,
                                                unsigned flags)
{
    return RT(cuStreamUpdateCaptureDependencies(stream, deps, (const CUgraphEdgeData *)(const void *)edges,
                                                dep_count, flags));
}

/* The same with -default-stream per-thread. */
#pragma GCC visibility push(default)
cudaError_t cudaMemPrefetchAsync_ptsz(const void *pointer, size_t count, struct cudaMemLocation location,
                                      unsigned int flags, cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *pointer, size_t count, struct cudaMemLocation location,
                                      unsigned int flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(pointer, count, location, flags, rt_per_thread(stream));
}

cudaError_t cudaMemcpyBatchAsync_ptsz(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                      size_t count, struct cudaMemcpyAttributes *attrs, size_t *first,
                                      size_t sets, cudaStream_t stream);
cudaError_t cudaMemcpyBatchAsync_ptsz(void *const *dsts, const void *const *srcs, const size_t *sizes,
                                      size_t count, struct cudaMemcpyAttributes *attrs, size_t *first,
                                      size_t sets, cudaStream_t stream)
{
    return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, first, sets, rt_per_thread(stream));
}

cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                        unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t count, struct cudaMemcpy3DBatchOp *ops,
                                        unsigned long long flags, cudaStream_t stream)
{
    return cudaMemcpy3DBatchAsync(count, ops, flags, rt_per_thread(stream));
}

cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                          unsigned long long *id, cudaGraph_t *graph,
                                          const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                                          size_t *dep_count);
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                          unsigned long long *id, cudaGraph_t *graph,
                                          const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                                          size_t *dep_count)
{
    return cudaStreamGetCaptureInfo(rt_per_thread(stream), status, id, graph, deps, edges, dep_count);
}

cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream, cudaGraphNode_t *deps,
                                                     const cudaGraphEdgeData *edges, size_t dep_count,
                                                     unsigned int flags);
cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream, cudaGraphNode_t *deps,
                                                     const cudaGraphEdgeData *edges, size_t dep_count,
                                                     unsigned int flags)
{
    return cudaStreamUpdateCaptureDependencies(rt_per_thread(stream), deps, edges, dep_count, flags);
}
#pragma GCC visibility pop
