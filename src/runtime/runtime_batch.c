/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: batches of copies, prefetches and discards; flushes of writes of other devices.
 * Method: the driver's calls; its structures are the same bytes under other names. A failed batch of CUDA 12
 * reports which operation is wrong (runtime_abi12.c). Limits: as the driver's. */
#include "runtime_priv.h"

_Static_assert(sizeof(struct cudaMemcpyAttributes) == sizeof(CUmemcpyAttributes), "the same bytes");
_Static_assert(sizeof(struct cudaMemcpy3DBatchOp) == sizeof(CUDA_MEMCPY3D_BATCH_OP), "the same bytes");
_Static_assert(offsetof(struct cudaMemcpy3DBatchOp, extent) == offsetof(CUDA_MEMCPY3D_BATCH_OP, extent),
               "the same bytes");
_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "the same bytes");

/* The driver's forms that say which; cuda.h names the newest only. */
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *,
                                    size_t *, size_t, size_t *, CUstream);
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *, unsigned long long,
                                      CUstream);

cudaError_t rt_copy_batch(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                          struct cudaMemcpyAttributes *attrs, size_t *first, size_t sets, size_t *bad,
                          cudaStream_t stream)
{
    return RT(cuMemcpyBatchAsync((CUdeviceptr *)(uintptr_t)dsts, (CUdeviceptr *)(uintptr_t)srcs,
                                 (size_t *)(uintptr_t)sizes, count, (CUmemcpyAttributes *)(void *)attrs,
                                 first, sets, bad, stream));
}

cudaError_t rt_copy3d_batch(size_t count, struct cudaMemcpy3DBatchOp *ops, size_t *bad,
                            unsigned long long flags, cudaStream_t stream)
{
    return RT(cuMemcpy3DBatchAsync(count, (CUDA_MEMCPY3D_BATCH_OP *)(void *)ops, bad, flags, stream));
}

cudaError_t cudaMemPrefetchBatchAsync(void **at, size_t *sizes, size_t count,
                                      struct cudaMemLocation *locations, size_t *first, size_t sets,
                                      unsigned long long flags, cudaStream_t stream)
{
    return RT(cuMemPrefetchBatchAsync((CUdeviceptr *)(void *)at, sizes, count,
                                      (CUmemLocation *)(void *)locations, first, sets, flags, stream));
}

cudaError_t cudaMemDiscardBatchAsync(void **at, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream)
{
    return RT(cuMemDiscardBatchAsync((CUdeviceptr *)(void *)at, sizes, count, flags, stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **at, size_t *sizes, size_t count,
                                                struct cudaMemLocation *locations, size_t *first, size_t sets,
                                                unsigned long long flags, cudaStream_t stream)
{
    return RT(cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)(void *)at, sizes, count,
                                                (CUmemLocation *)(void *)locations, first, sets, flags,
                                                stream));
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    return RT(cuFlushGPUDirectRDMAWrites((CUflushGPUDirectRDMAWritesTarget)target,
                                         (CUflushGPUDirectRDMAWritesScope)scope));
}

/* The same with -default-stream per-thread. */
#pragma GCC visibility push(default)
cudaError_t cudaMemPrefetchBatchAsync_ptsz(void **at, size_t *sizes, size_t count,
                                           struct cudaMemLocation *locations, size_t *first, size_t sets,
                                           unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemDiscardBatchAsync_ptsz(void **at, size_t *sizes, size_t count, unsigned long long flags,
                                          cudaStream_t stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void **at, size_t *sizes, size_t count,
                                                     struct cudaMemLocation *locations, size_t *first,
                                                     size_t sets, unsigned long long flags,
                                                     cudaStream_t stream);

cudaError_t cudaMemPrefetchBatchAsync_ptsz(void **at, size_t *sizes, size_t count,
                                           struct cudaMemLocation *locations, size_t *first, size_t sets,
                                           unsigned long long flags, cudaStream_t stream)
{
    return cudaMemPrefetchBatchAsync(at, sizes, count, locations, first, sets, flags, rt_per_thread(stream));
}

cudaError_t cudaMemDiscardBatchAsync_ptsz(void **at, size_t *sizes, size_t count, unsigned long long flags,
                                          cudaStream_t stream)
{
    return cudaMemDiscardBatchAsync(at, sizes, count, flags, rt_per_thread(stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void **at, size_t *sizes, size_t count,
                                                     struct cudaMemLocation *locations, size_t *first,
                                                     size_t sets, unsigned long long flags,
                                                     cudaStream_t stream)
{
    return cudaMemDiscardAndPrefetchBatchAsync(at, sizes, count, locations, first, sets, flags,
                                               rt_per_thread(stream));
}
#pragma GCC visibility pop
