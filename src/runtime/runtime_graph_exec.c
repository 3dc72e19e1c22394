/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: graphs that run: instantiation, launches, updates, and capture of streams into graphs.
 * Method: the driver's calls; parameters as in runtime_graph.c.
 * Limits: as the driver's. */
#include "runtime_priv.h"

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return RT(cuGraphInstantiateWithFlags(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    return RT(cuGraphInstantiateWithFlags(exec, graph, flags));
}

_Static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS), "the same bytes");

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
    return RT(cuGraphInstantiateWithParams(exec, graph, (CUDA_GRAPH_INSTANTIATE_PARAMS *)(void *)params));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return RT(cuGraphExecDestroy(exec));
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    cuuint64_t found = 0;
    cudaError_t error = RT(cuGraphExecGetFlags(exec, &found));
    if (error == cudaSuccess && flags != NULL) *flags = found;
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return RT(cuGraphLaunch(exec, stream));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    return RT(cuGraphUpload(exec, stream));
}

_Static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo),
               "the same bytes");

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    return RT(cuGraphExecUpdate(exec, graph, (CUgraphExecUpdateResultInfo *)(void *)result));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t error = rt_kernel_params(params, &p);
    return error != cudaSuccess ? rt_record(error)
                                : rt_return(cuGraphExecKernelNodeSetParams(exec, node, &p));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    if (params == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_MEMCPY3D copy;
    CUresult result = rt_copy3d(params, &copy);
    if (result != CUDA_SUCCESS) return rt_return(result);
    return rt_return(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, rt_context()));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy = rt_copy1d(dst, src, count, kind);
    return RT(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, rt_context()));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src, size_t count,
                                                     size_t offset, enum cudaMemcpyKind kind)
{
    void *dst = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &dst);
    if (error != cudaSuccess) return rt_record(error);
    return cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    void *src = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &src);
    if (error != cudaSuccess) return rt_record(error);
    return cudaGraphExecMemcpyNodeSetParams1D(exec, node, dst, src, count, kind);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{
    return RT(cuGraphExecMemsetNodeSetParams(
        exec, node, (const CUDA_MEMSET_NODE_PARAMS *)(const void *)params, rt_context()));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{
    return RT(cuGraphExecHostNodeSetParams(exec, node, (const CUDA_HOST_NODE_PARAMS *)(const void *)params));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    return RT(cuGraphExecChildGraphNodeSetParams(exec, node, child));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    return RT(cuGraphExecEventRecordNodeSetEvent(exec, node, event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event)
{
    return RT(cuGraphExecEventWaitNodeSetEvent(exec, node, event));
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled)
{
    return RT(cuGraphNodeSetEnabled(exec, node, enabled));
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled)
{
    return RT(cuGraphNodeGetEnabled(exec, node, enabled));
}

/* Capture. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return RT(cuStreamBeginCapture_v2(stream, (CUstreamCaptureMode)mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                          const cudaGraphEdgeData *edges, size_t dep_count,
                                          enum cudaStreamCaptureMode mode)
{
    return RT(cuStreamBeginCaptureToGraph(stream, graph, deps, (const CUgraphEdgeData *)(const void *)edges,
                                          dep_count, (CUstreamCaptureMode)mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    return RT(cuStreamEndCapture(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    return RT(cuStreamIsCapturing(stream, (CUstreamCaptureStatus *)(void *)status));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    return RT(cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)(void *)mode));
}

cudaError_t rt_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                            cudaGraph_t *graph, const cudaGraphNode_t **deps, const cudaGraphEdgeData **edges,
                            size_t *dep_count)
{
    cuuint64_t found = 0;
    cudaError_t error =
        RT(cuStreamGetCaptureInfo(stream, (CUstreamCaptureStatus *)(void *)status, &found, graph, deps,
                                  (const CUgraphEdgeData **)(void *)edges, dep_count));
    if (error == cudaSuccess && id != NULL) *id = found;
    return error;
}
