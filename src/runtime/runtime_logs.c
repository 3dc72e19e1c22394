/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the log, and notifications of devices.
 * Method: the driver's calls; its types are the same under other names. The log can be read before a device
 * is there. Limits: as the driver's. */
#include "runtime_priv.h"

_Static_assert(sizeof(cudaAsyncNotificationInfo_t) == sizeof(CUasyncNotificationInfo), "the same bytes");

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t call, void *user, cudaLogsCallbackHandle *out)
{
    return rt_return(cuLogsRegisterCallback((CUlogsCallback)call, user, out));
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle)
{
    return rt_return(cuLogsUnregisterCallback(handle));
}

cudaError_t cudaLogsCurrent(cudaLogIterator *out, unsigned flags)
{
    return rt_return(cuLogsCurrent(out, flags));
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned flags)
{
    return rt_return(cuLogsDumpToFile(iterator, path, flags));
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags)
{
    return rt_return(cuLogsDumpToMemory(iterator, buffer, size, flags));
}

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback call, void *user,
                                                cudaAsyncCallbackHandle_t *out)
{
    return RT_DRIVER(cuDeviceRegisterAsyncNotification(device, (CUasyncCallback)(void (*)(void))call, user,
                                                       (CUasyncCallbackHandle *)(void *)out));
}

cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle)
{
    return RT_DRIVER(cuDeviceUnregisterAsyncNotification(device, (CUasyncCallbackHandle)(void *)handle));
}
