/* SPDX-License-Identifier: Apache-2.0 */
/* Older forms of calls, whose newer forms have more or other parameters: graphs without edge data, captures
 * without a mode, kernel nodes without a CUkernel. Each is a call of the newest.
 *
 * cuda.h names the newest forms only, so these are declared here. Not here: most forms of CUDA 2.0 with
 * pointers of 32 bits, which need a context that a 64-bit library cannot make (driver_first.c). */
#include "driver_refuse_priv.h"

#include "driver/core/driver_error.h"
#include "driver/stream/driver_stream.h"

#include <stdio.h>
#include <string.h>

#undef cuCtxCreate
#undef cuDeviceTotalMem
#undef cuGraphAddDependencies
#undef cuGraphAddKernelNode
#undef cuGraphAddNode
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate
#undef cuGraphGetEdges
#undef cuGraphInstantiate
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphRemoveDependencies
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuLinkCreate
#undef cuStreamBatchMemOp
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64

/* old := new, and with _ptsz */
#define OLD(old, new, parameters, arguments)                                                                 \
    CUresult CUDAAPI old parameters;                                                                         \
    DRIVER_API old parameters                                                                                \
    {                                                                                                        \
        return new arguments;                                                                                \
    }
#define OLD_STREAM(old, new, parameters, arguments)                                                          \
    OLD(old, new, parameters, arguments)                                                                     \
    CUresult CUDAAPI old##_ptsz parameters;                                                                  \
    DRIVER_API old##_ptsz parameters                                                                         \
    {                                                                                                        \
        driver_per_thread++;                                                                                 \
        CUresult result = new arguments;                                                                     \
        driver_per_thread--;                                                                                 \
        return result;                                                                                       \
    }

/* ---- edges */

OLD(cuGraphAddDependencies, cuGraphAddDependencies_v2,
    (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
    (graph, from, to, NULL, count))
OLD(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2,
    (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count),
    (graph, from, to, NULL, count))
OLD(cuGraphGetEdges, cuGraphGetEdges_v2, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count),
    (graph, from, to, NULL, count))
OLD(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2,
    (CUgraphNode node, CUgraphNode *out, size_t *count), (node, out, NULL, count))
OLD(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2,
    (CUgraphNode node, CUgraphNode *out, size_t *count), (node, out, NULL, count))
OLD(cuGraphAddNode, cuGraphAddNode_v2,
    (CUgraphNode * out, CUgraph graph, const CUgraphNode *needs, size_t count, CUgraphNodeParams *params),
    (out, graph, needs, NULL, count, params))

/* ---- kernel nodes */

static CUDA_KERNEL_NODE_PARAMS newer(const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS out = {0};
    memcpy(&out, params, sizeof *params); /* what follows is new */
    return out;
}

CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                      const CUDA_KERNEL_NODE_PARAMS_v1 *);
CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1 *);
CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *);
CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *);

DRIVER_API cuGraphAddKernelNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = newer(params);
    return cuGraphAddKernelNode_v2(out, graph, needs, count, &p);
}

DRIVER_API cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *out)
{
    CUDA_KERNEL_NODE_PARAMS p;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(cuGraphKernelNodeGetParams_v2(node, &p));
    memcpy(out, &p, sizeof *out);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = newer(params);
    return cuGraphKernelNodeSetParams_v2(node, &p);
}

DRIVER_API cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                          const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = newer(params);
    return cuGraphExecKernelNodeSetParams_v2(exec, node, &p);
}

/* ---- executable graphs */

/* The log is for people; that of a graph that cannot run names the reason. */
static void explain(char *log, size_t bytes, CUresult result)
{
    const char *name = driver_error_name(result);
    if (!log || !bytes) return;
    snprintf(log, bytes, "%s", result == CUDA_SUCCESS ? "" : name ? name : "error");
}

static CUresult instantiate(CUgraphExec *out, CUgraph graph, CUgraphNode *bad, char *log, size_t bytes)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {0};
    CUresult result = cuGraphInstantiateWithParams(out, graph, &params);
    if (bad) *bad = params.hErrNode_out;
    explain(log, bytes, result);
    return result;
}

#define INSTANTIATE(name)                                                                                    \
    CUresult CUDAAPI name(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t);                            \
    DRIVER_API name(CUgraphExec *out, CUgraph graph, CUgraphNode *bad, char *log, size_t bytes)              \
    {                                                                                                        \
        return instantiate(out, graph, bad, log, bytes);                                                     \
    }
INSTANTIATE(cuGraphInstantiate)
INSTANTIATE(cuGraphInstantiate_v2)

CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);

DRIVER_API cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *bad, CUgraphExecUpdateResult *out)
{
    CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    CUresult result = cuGraphExecUpdate_v2(exec, graph, &info);
    if (bad) *bad = info.errorNode;
    if (out) *out = info.result;
    return result;
}

/* ---- linking */

OLD(cuLinkCreate, cuLinkCreate_v2, (unsigned count, CUjit_option *options, void **values, CUlinkState *out),
    (count, options, values, out))
OLD(cuLinkAddData, cuLinkAddData_v2,
    (CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned count,
     CUjit_option *options, void **values),
    (state, type, data, bytes, name, count, options, values))
OLD(cuLinkAddFile, cuLinkAddFile_v2,
    (CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
     void **values),
    (state, type, path, count, options, values))

/* ---- streams */

OLD_STREAM(cuStreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream),
           (stream, CU_STREAM_CAPTURE_MODE_GLOBAL))
OLD_STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3,
           (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id),
           (stream, status, id, NULL, NULL, NULL, NULL))
OLD_STREAM(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v3,
           (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
            const CUgraphNode **needs, size_t *count),
           (stream, status, id, graph, needs, NULL, count))
OLD_STREAM(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2,
           (CUstream stream, CUgraphNode *needs, size_t count, unsigned flags),
           (stream, needs, NULL, count, flags))
OLD_STREAM(cuStreamWaitValue32, cuStreamWaitValue32_v2,
           (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
           (stream, address, value, flags))
OLD_STREAM(cuStreamWaitValue64, cuStreamWaitValue64_v2,
           (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
           (stream, address, value, flags))
OLD_STREAM(cuStreamWriteValue32, cuStreamWriteValue32_v2,
           (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
           (stream, address, value, flags))
OLD_STREAM(cuStreamWriteValue64, cuStreamWriteValue64_v2,
           (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
           (stream, address, value, flags))
OLD_STREAM(cuStreamBatchMemOp, cuStreamBatchMemOp_v2,
           (CUstream stream, unsigned count, CUstreamBatchMemOpParams *ops, unsigned flags),
           (stream, count, ops, flags))

/* ---- CUDA 2.0 */

CUresult CUDAAPI cuDeviceTotalMem(unsigned *, CUdevice);
CUresult CUDAAPI cuCtxCreate(CUcontext *, unsigned, CUdevice);

/* As much as fits into 32 bits. */
DRIVER_API cuDeviceTotalMem(unsigned *bytes, CUdevice ordinal)
{
    size_t all;
    DRIVER_TRY(cuDeviceTotalMem_v2(&all, ordinal));
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    *bytes = all > UINT32_MAX ? UINT32_MAX : (unsigned)all;
    return CUDA_SUCCESS;
}

/* A context whose addresses have 32 bits: it cannot be created, as two H200s answered. */
DRIVER_API cuCtxCreate(CUcontext *out, unsigned flags, CUdevice ordinal)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!out || flags & ~(unsigned)CU_CTX_FLAGS_MASK) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_ERROR_OUT_OF_MEMORY;
}

unsigned driver_first_form(void)
{
    CUresult ready = driver_ready();
    return (unsigned)(ready == CUDA_SUCCESS ? CUDA_ERROR_INVALID_CONTEXT : ready);
}
