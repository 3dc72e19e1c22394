/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory and events of other processes. Method: the driver's calls; the handles of both libraries
 * are the same bytes. */
#include "runtime_priv.h"

#include <string.h>

_Static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle), "one handle");
_Static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle), "one handle");
_Static_assert(sizeof(struct cudaMemPoolPtrExportData) == sizeof(CUmemPoolPtrExportData), "one record");

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
    return RT(cuIpcGetMemHandle((CUipcMemHandle *)(void *)handle, rt_dev(pointer)));
}

cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
{
    CUipcMemHandle same;
    CUdeviceptr address = 0;
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    memcpy(&same, &handle, sizeof same);
    cudaError_t error = RT(cuIpcOpenMemHandle(&address, same, flags));
    if (error == cudaSuccess) *pointer = (void *)(uintptr_t)address;
    return error;
}

cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
    return RT(cuIpcCloseMemHandle(rt_dev(pointer)));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    return RT(cuIpcGetEventHandle((CUipcEventHandle *)(void *)handle, event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CUipcEventHandle same;
    memcpy(&same, &handle, sizeof same);
    return RT(cuIpcOpenEventHandle(event, same));
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *pointer)
{
    return RT(cuMemPoolExportPointer((CUmemPoolPtrExportData *)(void *)data, rt_dev(pointer)));
}

cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data)
{
    CUdeviceptr address = 0;
    if (pointer == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = RT(cuMemPoolImportPointer(&address, pool, (CUmemPoolPtrExportData *)(void *)data));
    if (error == cudaSuccess) *pointer = (void *)(uintptr_t)address;
    return error;
}
