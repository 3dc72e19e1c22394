/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the forms of calls for programs compiled with -default-stream per-thread: stream 0 is the calling
 * thread's own stream.
 * Method: _ptsz forms replace the stream; _ptds forms, which have none, run the asynchronous call in that
 * stream and wait for it. Limits: none of its own. */
#include "runtime_priv.h"

#pragma GCC visibility push(default)
#define PTSZ(name, params, args)                                                                             \
    cudaError_t name##_ptsz params;                                                                          \
    cudaError_t name##_ptsz params                                                                           \
    {                                                                                                        \
        return name args;                                                                                    \
    }
#define PTDS(name, async, params, args)                                                                      \
    cudaError_t name##_ptds params;                                                                          \
    cudaError_t name##_ptds params                                                                           \
    {                                                                                                        \
        cudaError_t error = async args;                                                                      \
        return error != cudaSuccess ? error : cudaStreamSynchronize(cudaStreamPerThread);                    \
    }
/* Calls without an asynchronous form: they wait for everything, which is more than they must. */
#define PTDS_ALL(name, params, args)                                                                         \
    cudaError_t name##_ptds params;                                                                          \
    cudaError_t name##_ptds params                                                                           \
    {                                                                                                        \
        return name args;                                                                                    \
    }

PTSZ(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned int flags),
     (event, rt_per_thread(stream), flags))
PTSZ(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, rt_per_thread(stream)))
PTSZ(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, rt_per_thread(stream)))
PTSZ(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, rt_per_thread(stream)))
PTSZ(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, rt_per_thread(stream)))
PTSZ(cudaLaunchCooperativeKernel,
     (const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes, cudaStream_t stream),
     (func, grid, block, args, shared_bytes, rt_per_thread(stream)))
PTSZ(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t fn, void *user),
     (rt_per_thread(stream), fn, user))
PTSZ(cudaLaunchKernel,
     (const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes, cudaStream_t stream),
     (func, grid, block, args, shared_bytes, rt_per_thread(stream)))
PTSZ(cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream),
     (pointer, size, rt_per_thread(stream)))
PTSZ(cudaMallocFromPoolAsync, (void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream),
     (ptr, size, pool, rt_per_thread(stream)))
PTSZ(cudaMemcpy2DAsync,
     (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (dst, dst_pitch, src, src_pitch, width, height, kind, rt_per_thread(stream)))
PTSZ(cudaMemcpy2DFromArrayAsync,
     (void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (dst, dst_pitch, src, x, y, width, height, kind, rt_per_thread(stream)))
PTDS(cudaMemcpy2DFromArray, cudaMemcpy2DFromArrayAsync,
     (void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x, size_t y, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (dst, dst_pitch, src, x, y, width, height, kind, cudaStreamPerThread))
PTSZ(cudaMemcpy2DToArrayAsync,
     (cudaArray_t dst, size_t x, size_t y, const void *src, size_t src_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (dst, x, y, src, src_pitch, width, height, kind, rt_per_thread(stream)))
PTDS(cudaMemcpy2DToArray, cudaMemcpy2DToArrayAsync,
     (cudaArray_t dst, size_t x, size_t y, const void *src, size_t src_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (dst, x, y, src, src_pitch, width, height, kind, cudaStreamPerThread))
PTDS(cudaMemcpy2D, cudaMemcpy2DAsync,
     (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (dst, dst_pitch, src, src_pitch, width, height, kind, cudaStreamPerThread))
PTSZ(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *p, cudaStream_t stream), (p, rt_per_thread(stream)))
PTSZ(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream),
     (p, rt_per_thread(stream)))
PTDS(cudaMemcpy3DPeer, cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *p),
     (p, cudaStreamPerThread))
PTDS(cudaMemcpy3D, cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *p), (p, cudaStreamPerThread))
PTSZ(cudaMemcpyAsync,
     (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream),
     (dst, src, count, kind, rt_per_thread(stream)))
PTSZ(cudaMemcpyFromArrayAsync,
     (void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (dst, src, x, y, count, kind, rt_per_thread(stream)))
PTDS(cudaMemcpyFromArray, cudaMemcpyFromArrayAsync,
     (void *dst, cudaArray_const_t src, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind),
     (dst, src, x, y, count, kind, cudaStreamPerThread))
PTSZ(cudaMemcpyFromSymbolAsync,
     (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (dst, symbol, count, offset, kind, rt_per_thread(stream)))
PTDS(cudaMemcpyFromSymbol, cudaMemcpyFromSymbolAsync,
     (void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind),
     (dst, symbol, count, offset, kind, cudaStreamPerThread))
PTSZ(cudaMemcpyToArrayAsync,
     (cudaArray_t dst, size_t x, size_t y, const void *src, size_t count, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (dst, x, y, src, count, kind, rt_per_thread(stream)))
PTDS(cudaMemcpyToArray, cudaMemcpyToArrayAsync,
     (cudaArray_t dst, size_t x, size_t y, const void *src, size_t count, enum cudaMemcpyKind kind),
     (dst, x, y, src, count, kind, cudaStreamPerThread))
PTSZ(cudaMemcpyToSymbolAsync,
     (const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (symbol, src, count, offset, kind, rt_per_thread(stream)))
PTDS(cudaMemcpyToSymbol, cudaMemcpyToSymbolAsync,
     (const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind),
     (symbol, src, count, offset, kind, cudaStreamPerThread))
PTDS(cudaMemcpy, cudaMemcpyAsync, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
     (dst, src, count, kind, cudaStreamPerThread))
PTSZ(cudaMemset2DAsync,
     (void *pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
     (pointer, pitch, value, width, height, rt_per_thread(stream)))
PTDS(cudaMemset2D, cudaMemset2DAsync, (void *pointer, size_t pitch, int value, size_t width, size_t height),
     (pointer, pitch, value, width, height, cudaStreamPerThread))
PTSZ(cudaMemset3DAsync,
     (struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent, cudaStream_t stream),
     (pitchedDevPtr, value, extent, rt_per_thread(stream)))
PTDS(cudaMemset3D, cudaMemset3DAsync,
     (struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent),
     (pitchedDevPtr, value, extent, cudaStreamPerThread))
PTSZ(cudaMemsetAsync, (void *pointer, int value, size_t count, cudaStream_t stream),
     (pointer, value, count, rt_per_thread(stream)))
PTDS(cudaMemset, cudaMemsetAsync, (void *pointer, int value, size_t count),
     (pointer, value, count, cudaStreamPerThread))
PTSZ(cudaStreamAddCallback,
     (cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned int flags),
     (rt_per_thread(stream), callback, user, flags))
PTSZ(cudaStreamAttachMemAsync, (cudaStream_t stream, void *pointer, size_t length, unsigned int flags),
     (rt_per_thread(stream), pointer, length, flags))
PTSZ(cudaStreamBeginCaptureToGraph,
     (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *deps, const cudaGraphEdgeData *edges,
      size_t dep_count, enum cudaStreamCaptureMode mode),
     (rt_per_thread(stream), graph, deps, edges, dep_count, mode))
PTSZ(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
     (rt_per_thread(stream), mode))
PTSZ(cudaStreamCopyAttributes, (cudaStream_t dst, cudaStream_t src), (rt_per_thread(dst), rt_per_thread(src)))
PTSZ(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), (rt_per_thread(stream), graph))
PTSZ(cudaStreamGetAttribute,
     (cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value),
     (rt_per_thread(stream), attr, value))
PTSZ(cudaStreamGetDevice, (cudaStream_t stream, int *device), (rt_per_thread(stream), device))
PTSZ(cudaStreamGetFlags, (cudaStream_t stream, unsigned int *flags), (rt_per_thread(stream), flags))
PTSZ(cudaStreamGetId, (cudaStream_t stream, unsigned long long *streamId), (rt_per_thread(stream), streamId))
PTSZ(cudaStreamGetPriority, (cudaStream_t stream, int *priority), (rt_per_thread(stream), priority))
PTSZ(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status),
     (rt_per_thread(stream), status))
PTSZ(cudaStreamQuery, (cudaStream_t stream), (rt_per_thread(stream)))
PTSZ(cudaStreamSetAttribute,
     (cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *value),
     (rt_per_thread(stream), attr, value))
PTSZ(cudaStreamSynchronize, (cudaStream_t stream), (rt_per_thread(stream)))
PTSZ(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
     (rt_per_thread(stream), event, flags))
PTDS_ALL(cudaMemcpyArrayToArray,
         (cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x, size_t src_y,
          size_t count, enum cudaMemcpyKind kind),
         (dst, dst_x, dst_y, src, src_x, src_y, count, kind))
PTDS_ALL(cudaMemcpy2DArrayToArray,
         (cudaArray_t dst, size_t dst_x, size_t dst_y, cudaArray_const_t src, size_t src_x, size_t src_y,
          size_t width, size_t height, enum cudaMemcpyKind kind),
         (dst, dst_x, dst_y, src, src_x, src_y, width, height, kind))
PTSZ(cudaGetDriverEntryPoint,
     (const char *symbol, void **function, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *status),
     (symbol, function, flags == cudaEnableDefault ? cudaEnablePerThreadDefaultStream : flags, status))
PTSZ(cudaGetDriverEntryPointByVersion,
     (const char *symbol, void **function, unsigned version, unsigned long long flags,
      enum cudaDriverEntryPointQueryResult *status),
     (symbol, function, version, flags == cudaEnableDefault ? cudaEnablePerThreadDefaultStream : flags,
      status))
PTSZ(cudaGraphInstantiateWithParams,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params), (exec, graph, params))

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    if (config == NULL) return rt_record(cudaErrorInvalidValue);
    cudaLaunchConfig_t copy = *config;
    copy.stream = rt_per_thread(copy.stream);
    return cudaLaunchKernelExC(&copy, func, args);
}
#pragma GCC visibility pop
