/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: lazy start. The first call that needs a device initialises the driver; the first that needs a
 * context retains the primary context of the thread's device and makes it current. Method: a context that the
 * program made current through the driver API is respected, as CUDA does. A reset of a device bumps a
 * generation, so that other threads notice that their context is gone. Limits: RT_MAX_DEVICES devices. */
#include "runtime_priv.h"

#include <pthread.h>
#include <stdatomic.h>

static struct {
    pthread_mutex_t lock;
    CUcontext primary[RT_MAX_DEVICES]; /* NULL: not retained */
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_uint generation = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static CUresult start = CUDA_ERROR_NOT_INITIALIZED;

static atomic_int first; /* the device of threads that chose none: cudaSetValidDevices */
static _Thread_local struct {
    int device;
    bool chosen;
    unsigned generation; /* of the context that is current */
    CUresult failure;
} self;

static void start_driver(void)
{
    start = cuInit(0);
}

bool rt_driver(void)
{
    pthread_once(&once, start_driver);
    self.failure = start;
    return start == CUDA_SUCCESS;
}

CUresult rt_failure(void)
{
    return self.failure;
}

bool rt_device_valid(int device)
{
    int count = 0;
    return cuDeviceGetCount(&count) == CUDA_SUCCESS && device >= 0 && device < count &&
           device < RT_MAX_DEVICES;
}

CUresult rt_primary(int device, CUcontext *out)
{
    if (!rt_device_valid(device)) return CUDA_ERROR_INVALID_DEVICE;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&contexts.lock);
    if (contexts.primary[device] == NULL)
        result = cuDevicePrimaryCtxRetain(&contexts.primary[device], device);
    if (result == CUDA_SUCCESS)
        *out = contexts.primary[device];
    else
        contexts.primary[device] = NULL;
    pthread_mutex_unlock(&contexts.lock);
    return result;
}

static CUresult make_current(int device)
{
    CUcontext context = NULL;
    CUresult result = rt_primary(device, &context);
    if (result == CUDA_SUCCESS) result = cuCtxSetCurrent(context);
    if (result == CUDA_SUCCESS) self.generation = atomic_load(&generation);
    return result;
}

/* A current context that this library did not set, or set before some device was reset. */
static bool still_good(CUcontext context)
{
    if (self.generation == atomic_load(&generation)) return true;
    CUdevice device = 0;
    unsigned flags = 0;
    int active = 0;
    if (cuCtxGetDevice(&device) != CUDA_SUCCESS) return false;
    CUcontext primary = NULL;
    if (cuDevicePrimaryCtxGetState(device, &flags, &active) == CUDA_SUCCESS && !active) {
        if (rt_primary(device, &primary) != CUDA_SUCCESS || primary == context) return false;
    }
    self.generation = atomic_load(&generation);
    return true;
}

static int own_device(void)
{
    return self.chosen ? self.device : atomic_load(&first);
}

bool rt_enter(void)
{
    if (!rt_driver()) return false;
    CUcontext context = NULL;
    self.failure = cuCtxGetCurrent(&context);
    if (self.failure != CUDA_SUCCESS) return false;
    if (context != NULL && still_good(context)) return true;
    self.failure = make_current(own_device());
    return self.failure == CUDA_SUCCESS;
}

CUcontext rt_context(void)
{
    CUcontext context = NULL;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS) return NULL;
    return context;
}

int rt_device(void)
{
    CUdevice device = 0;
    if (rt_context() != NULL && cuCtxGetDevice(&device) == CUDA_SUCCESS) return device;
    return own_device();
}

cudaError_t cudaSetDevice(int device)
{
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device)) return rt_record(cudaErrorInvalidDevice);
    self.device = device;
    self.chosen = true;
    return rt_return(make_current(device));
}

cudaError_t cudaGetDevice(int *device)
{
    if (device == NULL) return rt_record(cudaErrorInvalidValue);
    if (!rt_driver()) return rt_return(rt_failure());
    *device = rt_device();
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    if (!rt_driver()) return rt_return(rt_failure());
    if (!rt_device_valid(device)) return rt_record(cudaErrorInvalidDevice);
    CUcontext context = NULL;
    CUresult result = CUDA_SUCCESS;
    if ((flags & cudaInitDeviceFlagsAreValid) != 0) result = cuDevicePrimaryCtxSetFlags(device, device_flags);
    return rt_return(result == CUDA_SUCCESS ? rt_primary(device, &context) : result);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    if ((flags & ~(unsigned)cudaDeviceMask) != 0) return rt_record(cudaErrorInvalidValue);
    return RT_DRIVER(cuDevicePrimaryCtxSetFlags(rt_device(), flags & ~(unsigned)cudaDeviceMapHost));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    if (flags == NULL) return rt_record(cudaErrorInvalidValue);
    int active = 0;
    cudaError_t error = RT_DRIVER(cuDevicePrimaryCtxGetState(rt_device(), flags, &active));
    if (error == cudaSuccess) *flags |= cudaDeviceMapHost; /* always so */
    return error;
}

cudaError_t cudaDeviceReset(void)
{
    if (!rt_driver()) return rt_return(rt_failure());
    int device = rt_device();
    pthread_mutex_lock(&contexts.lock);
    CUcontext context = contexts.primary[device];
    contexts.primary[device] = NULL;
    pthread_mutex_unlock(&contexts.lock);
    if (context != NULL) rt_registry_forget(context);
    if (context != NULL && rt_context() == context) cuCtxSetCurrent(NULL);
    self.device = device;
    self.chosen = true;
    atomic_fetch_add(&generation, 1);
    return rt_return(cuDevicePrimaryCtxReset(device));
}

cudaError_t cudaDeviceSynchronize(void)
{
    return RT(cuCtxSynchronize());
}

/* Which devices a thread may take that chose none: the first of the list, since here none is ever in
 * exclusive use. No device: the default list again. */
cudaError_t cudaSetValidDevices(int *devices, int count)
{
    if (!rt_driver()) return rt_return(rt_failure());
    if (count < 0 || (count > 0 && devices == NULL)) return rt_record(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++)
        if (!rt_device_valid(devices[i])) return rt_record(cudaErrorInvalidDevice);
    atomic_store(&first, count ? devices[0] : 0);
    return cudaSuccess;
}
