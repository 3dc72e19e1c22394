/* SPDX-License-Identifier: Apache-2.0 */
/* usage: api_link_files MAIN.o PART.o LIBRARY.a DEVRT.a      cuLinkAddFile of host objects and libraries with
 * device code in them, which nvcc -dc made (api_linked_*.cu), and of CUDA's library for launches from
 * kernels. */
#include "api_check.h"

#include <cuda.h>

#define DRIVER_OK(call)                                                                                      \
    do {                                                                                                     \
        CUresult result_ = (call);                                                                           \
        if (result_ != CUDA_SUCCESS) {                                                                       \
            std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, static_cast<int>(result_));            \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

int main(int, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUlinkState state;
    CUmodule module;
    CUfunction calls;
    CUdeviceptr out;
    void *image;
    size_t bytes;
    DRIVER_OK(cuInit(0));
    DRIVER_OK(cuDeviceGet(&device, 0));
    DRIVER_OK(cuDevicePrimaryCtxRetain(&context, device));
    DRIVER_OK(cuCtxSetCurrent(context));
    DRIVER_OK(cuLinkCreate(0, nullptr, nullptr, &state));
    DRIVER_OK(cuLinkAddFile(state, CU_JIT_INPUT_OBJECT, argv[1], 0, nullptr, nullptr));
    DRIVER_OK(cuLinkAddFile(state, CU_JIT_INPUT_OBJECT, argv[2], 0, nullptr, nullptr));
    DRIVER_OK(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, argv[3], 0, nullptr, nullptr));
    DRIVER_OK(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, argv[4], 0, nullptr, nullptr));
    CHECK(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, "/nowhere.a", 0, nullptr, nullptr) ==
          CUDA_ERROR_FILE_NOT_FOUND);
    DRIVER_OK(cuLinkComplete(state, &image, &bytes));
    DRIVER_OK(cuModuleLoadData(&module, image));
    DRIVER_OK(cuLinkDestroy(state));
    DRIVER_OK(cuModuleGetFunction(&calls, module, "_Z5callsPi"));
    DRIVER_OK(cuMemAllocManaged(&out, 4096, CU_MEM_ATTACH_GLOBAL));
    void *params[] = {&out};
    DRIVER_OK(cuLaunchKernel(calls, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr));
    DRIVER_OK(cuCtxSynchronize());
    const int *values = reinterpret_cast<const int *>(out);
    for (int t = 0; t < 32; t++)
        CHECK(values[t] == t + 1 + 1 + t * 2 * 100 && values[96 + t] == t * (t + 1) / 2);
    std::puts("ok");
    return 0;
}
