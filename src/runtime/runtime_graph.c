/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: building graphs: nodes, their parameters and edges, and user objects.
 * Method: handles are the driver's. A kernel node names a host function, which becomes the driver's function
 * of the current context; a copy node's parameters become the driver's descriptor; the other structures are
 * the same bytes under other names. Limits: external semaphores are refused. Parameters of a copy that were
 * given as a linear copy come back as a 3D one. */
#include "runtime_priv.h"

#include <string.h>

_Static_assert(sizeof(struct cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS), "the same bytes");
_Static_assert(sizeof(struct cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS), "the same bytes");
_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "the same bytes");
_Static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData), "the same bytes");

cudaError_t rt_kernel_params(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
    if (p == NULL) return cudaErrorInvalidValue;
    CUfunction function = NULL;
    cudaError_t error = rt_function(p->func, &function);
    if (error != cudaSuccess) return error;
    *out = (CUDA_KERNEL_NODE_PARAMS){
        .func = function,
        .gridDimX = p->gridDim.x,
        .gridDimY = p->gridDim.y,
        .gridDimZ = p->gridDim.z,
        .blockDimX = p->blockDim.x,
        .blockDimY = p->blockDim.y,
        .blockDimZ = p->blockDim.z,
        .sharedMemBytes = p->sharedMemBytes,
        .kernelParams = p->kernelParams,
        .extra = p->extra,
    };
    return cudaSuccess;
}

CUDA_MEMCPY3D rt_copy1d(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms parms = {
        .srcPtr = {(void *)(uintptr_t)src, count, count, 1},
        .dstPtr = {dst, count, count, 1},
        .extent = {count, 1, 1},
        .kind = kind,
    };
    CUDA_MEMCPY3D copy;
    memset(&copy, 0, sizeof(copy));
    (void)rt_copy3d(&parms, &copy); /* null pointers leave it empty, which the driver refuses */
    return copy;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    return RT(cuGraphCreate(graph, flags));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return RT(cuGraphDestroy(graph));
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original)
{
    return RT(cuGraphClone(clone, original));
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone)
{
    return RT(cuGraphNodeFindInClone(node, original, clone));
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    return RT(cuGraphDestroyNode(node));
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    return RT(cuGraphNodeGetType(node, (CUgraphNodeType *)(void *)type));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return RT(cuGraphGetNodes(graph, nodes, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return RT(cuGraphGetRootNodes(graph, nodes, count));
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
    return RT(cuGraphDebugDotPrint(graph, path, flags));
}

/* Kernel nodes. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                   size_t dep_count, const struct cudaKernelNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t error = rt_kernel_params(params, &p);
    return error != cudaSuccess ? rt_record(error)
                                : rt_return(cuGraphAddKernelNode(node, graph, deps, dep_count, &p));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_KERNEL_NODE_PARAMS p;
    cudaError_t error = rt_kernel_params(params, &p);
    return error != cudaSuccess ? rt_record(error) : rt_return(cuGraphKernelNodeSetParams(node, &p));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    if (params == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_KERNEL_NODE_PARAMS p;
    memset(&p, 0, sizeof(p));
    cudaError_t error = RT(cuGraphKernelNodeGetParams(node, &p));
    if (error != cudaSuccess) return error;
    *params = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)rt_host_function(p.func),
        .gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ},
        .blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ},
        .sharedMemBytes = p.sharedMemBytes,
        .kernelParams = p.kernelParams,
        .extra = p.extra,
    };
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src)
{
    return RT(cuGraphKernelNodeCopyAttributes(dst, src));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value)
{
    return RT(cuGraphKernelNodeGetAttribute(node, (CUkernelNodeAttrID)attr,
                                            (CUkernelNodeAttrValue *)(void *)value));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value)
{
    return RT(cuGraphKernelNodeSetAttribute(node, (CUkernelNodeAttrID)attr,
                                            (const CUkernelNodeAttrValue *)(const void *)value));
}

/* Copies. */
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                   size_t dep_count, const struct cudaMemcpy3DParms *params)
{
    if (params == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_MEMCPY3D copy;
    CUresult result = rt_copy3d(params, &copy);
    if (result != CUDA_SUCCESS) return rt_return(result);
    return rt_return(cuGraphAddMemcpyNode(node, graph, deps, dep_count, &copy, rt_context()));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                     size_t dep_count, void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy = rt_copy1d(dst, src, count, kind);
    return RT(cuGraphAddMemcpyNode(node, graph, deps, dep_count, &copy, rt_context()));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t dep_count, const void *symbol,
                                           const void *src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    void *dst = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &dst);
    if (error != cudaSuccess) return rt_record(error);
    return cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, dst, src, count, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t dep_count, void *dst,
                                             const void *symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    void *src = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &src);
    if (error != cudaSuccess) return rt_record(error);
    return cudaGraphAddMemcpyNode1D(node, graph, deps, dep_count, dst, src, count, kind);
}

static enum cudaMemcpyKind graph_kind_of(const CUDA_MEMCPY3D *c)
{
    bool from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST;
    if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED || c->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (from_host) return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

/* Linear memory only: an array's width counts elements, which the driver's descriptor no longer says. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
    CUDA_MEMCPY3D c;
    memset(&c, 0, sizeof(c));
    if (params == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = RT(cuGraphMemcpyNodeGetParams(node, &c));
    if (error != cudaSuccess) return error;
    if (c.srcMemoryType == CU_MEMORYTYPE_ARRAY || c.dstMemoryType == CU_MEMORYTYPE_ARRAY)
        return rt_record(cudaErrorNotSupported);
    bool from_host = c.srcMemoryType == CU_MEMORYTYPE_HOST, to_host = c.dstMemoryType == CU_MEMORYTYPE_HOST;
    void *src = from_host ? (void *)(uintptr_t)c.srcHost : (void *)(uintptr_t)c.srcDevice;
    void *dst = to_host ? c.dstHost : (void *)(uintptr_t)c.dstDevice;
    *params = (struct cudaMemcpy3DParms){
        .srcPos = {c.srcXInBytes, c.srcY, c.srcZ},
        .srcPtr = {src, c.srcPitch, c.srcPitch, c.srcHeight},
        .dstPos = {c.dstXInBytes, c.dstY, c.dstZ},
        .dstPtr = {dst, c.dstPitch, c.dstPitch, c.dstHeight},
        .extent = {c.WidthInBytes, c.Height, c.Depth},
        .kind = graph_kind_of(&c),
    };
    return cudaSuccess;
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
    if (params == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_enter()) return rt_return(rt_failure());
    CUDA_MEMCPY3D copy;
    CUresult result = rt_copy3d(params, &copy);
    return rt_return(result == CUDA_SUCCESS ? cuGraphMemcpyNodeSetParams(node, &copy) : result);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                           enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY3D copy = rt_copy1d(dst, src, count, kind);
    return RT(cuGraphMemcpyNodeSetParams(node, &copy));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    void *dst = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &dst);
    return error != cudaSuccess ? rt_record(error)
                                : cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol,
                                                   size_t count, size_t offset, enum cudaMemcpyKind kind)
{
    void *src = NULL;
    cudaError_t error = rt_symbol_range(symbol, count, offset, &src);
    return error != cudaSuccess ? rt_record(error)
                                : cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind);
}

/* Fills, host functions, children, events, allocations. */
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                   size_t dep_count, const struct cudaMemsetParams *params)
{
    return RT(cuGraphAddMemsetNode(node, graph, deps, dep_count,
                                   (const CUDA_MEMSET_NODE_PARAMS *)(const void *)params, rt_context()));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params)
{
    return RT(cuGraphMemsetNodeGetParams(node, (CUDA_MEMSET_NODE_PARAMS *)(void *)params));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params)
{
    return RT(cuGraphMemsetNodeSetParams(node, (const CUDA_MEMSET_NODE_PARAMS *)(const void *)params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                 size_t dep_count, const struct cudaHostNodeParams *params)
{
    return RT(cuGraphAddHostNode(node, graph, deps, dep_count,
                                 (const CUDA_HOST_NODE_PARAMS *)(const void *)params));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params)
{
    return RT(cuGraphHostNodeGetParams(node, (CUDA_HOST_NODE_PARAMS *)(void *)params));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params)
{
    return RT(cuGraphHostNodeSetParams(node, (const CUDA_HOST_NODE_PARAMS *)(const void *)params));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                       size_t dep_count, cudaGraph_t child)
{
    return RT(cuGraphAddChildGraphNode(node, graph, deps, dep_count, child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph)
{
    return RT(cuGraphChildGraphNodeGetGraph(node, graph));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                  size_t dep_count)
{
    return RT(cuGraphAddEmptyNode(node, graph, deps, dep_count));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                        size_t dep_count, cudaEvent_t event)
{
    return RT(cuGraphAddEventRecordNode(node, graph, deps, dep_count, event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return RT(cuGraphEventRecordNodeGetEvent(node, event));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return RT(cuGraphEventRecordNodeSetEvent(node, event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                      size_t dep_count, cudaEvent_t event)
{
    return RT(cuGraphAddEventWaitNode(node, graph, deps, dep_count, event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return RT(cuGraphEventWaitNodeGetEvent(node, event));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return RT(cuGraphEventWaitNodeSetEvent(node, event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                     size_t dep_count, struct cudaMemAllocNodeParams *params)
{
    return RT(
        cuGraphAddMemAllocNode(node, graph, deps, dep_count, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)params));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params)
{
    return RT(cuGraphMemAllocNodeGetParams(node, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)params));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                                    size_t dep_count, void *pointer)
{
    return RT(cuGraphAddMemFreeNode(node, graph, deps, dep_count, rt_dev(pointer)));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer)
{
    return RT(cuGraphMemFreeNodeGetParams(node, (CUdeviceptr *)pointer));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    return RT_DRIVER(cuDeviceGraphMemTrim(device));
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    return RT_DRIVER(cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value)
{
    return RT_DRIVER(cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)attr, value));
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags)
{
    return RT(cuUserObjectCreate(object, pointer, destroy, count, flags));
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    return RT(cuUserObjectRetain(object, count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    return RT(cuUserObjectRelease(object, count));
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags)
{
    return RT(cuGraphRetainUserObject(graph, object, count, flags));
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
    return RT(cuGraphReleaseUserObject(graph, object, count));
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags)
{
    CUgraphConditionalHandle made = 0;
    cudaError_t error = RT(cuGraphConditionalHandleCreate(&made, graph, rt_context(), value, flags));
    if (error == cudaSuccess && handle != NULL) *handle = made;
    return error;
}

/* Nodes of any type. */
_Static_assert(sizeof(struct cudaGraphNodeParams) == sizeof(CUgraphNodeParams), "unions of the same size");

static cudaError_t node_params(const struct cudaGraphNodeParams *in, CUgraphNodeParams *out)
{
    if (in == NULL) return cudaErrorInvalidValue;
    memcpy(out, in, sizeof(*out)); /* right for all but kernels, copies and fills */
    if (in->type == cudaGraphNodeTypeKernel) {
        struct cudaKernelNodeParams kernel;
        CUDA_KERNEL_NODE_PARAMS made;
        memcpy(&kernel, &in->kernel, sizeof(kernel));
        cudaError_t error = rt_kernel_params(&kernel, &made);
        if (error != cudaSuccess) return error;
        memcpy(&out->kernel, &made, sizeof(out->kernel));
    } else if (in->type == cudaGraphNodeTypeMemcpy) {
        memset(&out->memcpy, 0, sizeof(out->memcpy));
        out->memcpy.copyCtx = rt_context();
        return (cudaError_t)(int)rt_copy3d(&in->memcpy.copyParams, &out->memcpy.copyParams);
    } else if (in->type == cudaGraphNodeTypeMemset) {
        out->memset.ctx = rt_context();
    } else if (in->type == cudaGraphNodeTypeConditional) {
        out->conditional.ctx = rt_context();
    }
    return cudaSuccess;
}

cudaError_t rt_graph_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps,
                              const cudaGraphEdgeData *edges, size_t dep_count,
                              struct cudaGraphNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUgraphNodeParams p;
    cudaError_t error = node_params(params, &p);
    if (error != cudaSuccess) return rt_record(error);
    CUresult result =
        cuGraphAddNode(node, graph, deps, (const CUgraphEdgeData *)(const void *)edges, dep_count, &p);
    if (result == CUDA_SUCCESS && params->type == cudaGraphNodeTypeMemAlloc)
        params->alloc.dptr = (void *)(uintptr_t)p.alloc.dptr;
    if (result == CUDA_SUCCESS && params->type == cudaGraphNodeTypeConditional)
        params->conditional.phGraph_out = p.conditional.phGraph_out;
    return rt_return(result);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUgraphNodeParams p;
    cudaError_t error = node_params(params, &p);
    return error != cudaSuccess ? rt_record(error) : rt_return(cuGraphNodeSetParams(node, &p));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params)
{
    if (!rt_enter()) return rt_return(rt_failure());
    CUgraphNodeParams p;
    cudaError_t error = node_params(params, &p);
    return error != cudaSuccess ? rt_record(error) : rt_return(cuGraphExecNodeSetParams(exec, node, &p));
}
