/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory and events of other processes, memory of other libraries. Method: the driver's calls; the
 * handles of both libraries are the same bytes. Limits: the reserved fields of descriptions, which CUDA 12
 * does not have, are not looked at. */
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

/* ---- memory of other libraries */

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *out,
                                     const struct cudaExternalMemoryHandleDesc *given)
{
    if (given == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {
        .type = (CUexternalMemoryHandleType)given->type, .size = given->size, .flags = given->flags};
    _Static_assert(sizeof desc.handle == sizeof given->handle, "one union");
    memcpy(&desc.handle, &given->handle, sizeof desc.handle);
    return RT(cuImportExternalMemory((CUexternalMemory *)out, &desc));
}

cudaError_t cudaExternalMemoryGetMappedBuffer(void **pointer, cudaExternalMemory_t memory,
                                              const struct cudaExternalMemoryBufferDesc *given)
{
    CUdeviceptr address = 0;
    if (pointer == NULL || given == NULL) return rt_record(cudaErrorInvalidValue);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC desc = {
        .offset = given->offset, .size = given->size, .flags = given->flags};
    cudaError_t error = RT(cuExternalMemoryGetMappedBuffer(&address, (CUexternalMemory)memory, &desc));
    if (error == cudaSuccess) *pointer = (void *)(uintptr_t)address;
    return error;
}

cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t memory)
{
    return RT(cuDestroyExternalMemory((CUexternalMemory)memory));
}
