/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: libraries that a program loads itself, and the way to the driver's own functions.
 * Method: the driver's calls. A kernel of a library is the driver's handle; it is remembered, so that a
 * launch can distinguish it from a host function (rt_function). Limits: none of its own. */
#include "runtime_priv.h"

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned option_count)
{
    return RT(cuLibraryLoadData(library, code, (CUjit_option *)(void *)jit_options, jit_values, jit_count,
                                (CUlibraryOption *)(void *)options, values, option_count));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jit_options,
                                    void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned option_count)
{
    return RT(cuLibraryLoadFromFile(library, file, (CUjit_option *)(void *)jit_options, jit_values, jit_count,
                                    (CUlibraryOption *)(void *)options, values, option_count));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    return RT(cuLibraryUnload(library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    if (kernel == NULL) return rt_record(cudaErrorInvalidValue);
    cudaError_t error = RT(cuLibraryGetKernel(kernel, library, name));
    if (error == cudaSuccess) rt_kernel_adopt(*kernel);
    return error;
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    return RT(cuLibraryGetKernelCount(count, library));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library)
{
    unsigned all = 0;
    cudaError_t error = RT(cuLibraryEnumerateKernels(kernels, count, library));
    if (error == cudaSuccess) error = RT(cuLibraryGetKernelCount(&all, library));
    for (unsigned i = 0; error == cudaSuccess && i < count && i < all; i++)
        rt_kernel_adopt(kernels[i]);
    return error;
}

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name)
{
    CUdeviceptr found = 0;
    cudaError_t error = RT(cuLibraryGetGlobal(&found, bytes, library, name));
    if (error == cudaSuccess && pointer != NULL) *pointer = (void *)(uintptr_t)found;
    return error;
}

cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name)
{
    CUdeviceptr found = 0;
    cudaError_t error = RT(cuLibraryGetManaged(&found, bytes, library, name));
    if (error == cudaSuccess && pointer != NULL) *pointer = (void *)(uintptr_t)found;
    return error;
}

cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *name)
{
    return RT(cuLibraryGetUnifiedFunction(function, library, name));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value,
                                            int device)
{
    return RT(cuKernelSetAttribute((CUfunction_attribute)attr, value, kernel, device));
}

/* CUDA numbers the two answers alike. */
_Static_assert((int)cudaDriverEntryPointVersionNotSufficent ==
                   (int)CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT,
               "cudaDriverEntryPointQueryResult and the driver's share their numbers");

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
    if (symbol == NULL || function == NULL) return rt_record(cudaErrorInvalidValue);
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult result = cuGetProcAddress(symbol, function, (int)version, flags, &found);
    if (status != NULL) *status = (enum cudaDriverEntryPointQueryResult)found;
    if (found != CU_GET_PROC_ADDRESS_SUCCESS) result = CUDA_SUCCESS, *function = NULL; /* *status says it */
    return rt_return(result);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, CUDA_VERSION, flags, status);
}
