/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a program asks about devices: count, attributes, versions, limits, peers, names of the bus.
 * Method: the driver's answers. cudaDeviceAttr and CUdevice_attribute share their numbers.
 * Limits: the shared memory bank size is a setting that modern devices ignore; it is remembered only by them.
 */
#include "runtime_priv.h"

#include <cuda_profiler_api.h>

#include <string.h>

_Static_assert((int)cudaDevAttrMaxThreadsPerBlock == (int)CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "first");
_Static_assert((int)cudaDevAttrMax == (int)CU_DEVICE_ATTRIBUTE_MAX, "and last of the same numbers");

cudaError_t cudaGetDeviceCount(int *count)
{
    if (count == NULL) return rt_record(cudaErrorInvalidValue);
    *count = 0;
    if (!rt_driver()) return rt_return(rt_failure());
    CUresult result = cuDeviceGetCount(count);
    if (result == CUDA_SUCCESS && *count == 0) return rt_record(cudaErrorNoDevice);
    return rt_return(result);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    if (value == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device)) return rt_record(cudaErrorInvalidDevice);
    return rt_return(cuDeviceGetAttribute(value, (CUdevice_attribute)attr, device));
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (version == NULL) return rt_record(cudaErrorInvalidValue);
    return rt_return(cuDriverGetVersion(version));
}

/* The device that differs least from what is wanted: compute capability first, then memory. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (device == NULL || prop == NULL) return rt_record(cudaErrorInvalidValue);
    int count = 0, best = 0, best_score = -1;
    cudaError_t error = cudaGetDeviceCount(&count);
    for (int i = 0; i < count && error == cudaSuccess; i++) {
        int major = 0, minor = 0;
        size_t bytes = 0;
        cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, i);
        cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, i);
        cuDeviceTotalMem(&bytes, i);
        bool capable = major > prop->major || (major == prop->major && minor >= prop->minor);
        int score = 2 * capable + (bytes >= prop->totalGlobalMem);
        if (score > best_score) best_score = score, best = i;
    }
    if (error == cudaSuccess) *device = best;
    return error;
}

cudaError_t cudaDeviceGetPCIBusId(char *bus_id, int len, int device)
{
    return RT_DRIVER(cuDeviceGetPCIBusId(bus_id, len, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus_id)
{
    return RT_DRIVER(cuDeviceGetByPCIBusId(device, bus_id));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    return RT(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return RT(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    return RT(cuCtxGetCacheConfig((CUfunc_cache *)(void *)config));
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    return RT(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    return RT(cuCtxGetSharedMemConfig((CUsharedconfig *)(void *)config));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    return RT(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return RT(cuCtxResetPersistingL2Cache());
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *desc,
                                                 int device)
{
    int most = 0;
    if (width == NULL || desc == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture1DLinearWidth, device);
    if (error == cudaSuccess) *width = (size_t)most;
    return error;
}

/* Peers: the driver speaks of contexts where the runtime speaks of devices. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (can == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device) || !rt_device_valid(peer)) return rt_record(cudaErrorInvalidDevice);
    return rt_return(cuDeviceCanAccessPeer(can, device, peer));
}

static cudaError_t peer_context(int peer, CUcontext *out)
{
    if (!rt_enter()) return rt_return(rt_failure());
    if (!rt_device_valid(peer)) return rt_record(cudaErrorInvalidDevice);
    return rt_return(rt_primary(peer, out));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    CUcontext context = NULL;
    cudaError_t error = peer_context(peer, &context);
    if (error == cudaSuccess && peer == rt_device()) return rt_record(cudaErrorPeerAccessUnsupported);
    return error == cudaSuccess ? rt_return(cuCtxEnablePeerAccess(context, flags)) : error;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CUcontext context = NULL;
    cudaError_t error = peer_context(peer, &context);
    return error == cudaSuccess ? rt_return(cuCtxDisablePeerAccess(context)) : error;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src_device, int dst_device)
{
    return RT_DRIVER(cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attr, src_device, dst_device));
}

_Static_assert((int)cudaAtomicOperationFloatMax == (int)CU_ATOMIC_OPERATION_FLOAT_MAX, "the same numbers");

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities,
                                                const enum cudaAtomicOperation *operations, unsigned count,
                                                int device)
{
    return RT_DRIVER(cuDeviceGetHostAtomicCapabilities(
        capabilities, (const CUatomicOperation *)(const void *)operations, count, device));
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities,
                                               const enum cudaAtomicOperation *operations, unsigned count,
                                               int src_device, int dst_device)
{
    return RT_DRIVER(cuDeviceGetP2PAtomicCapabilities(
        capabilities, (const CUatomicOperation *)(const void *)operations, count, src_device, dst_device));
}

cudaError_t cudaProfilerStart(void)
{
    return RT(cuProfilerStart());
}

cudaError_t cudaProfilerStop(void)
{
    return RT(cuProfilerStop());
}
