/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of libraries that compile have in common: checks that say where they failed, a context, a
 * kernel that is launched on numbers. Each program prints "ok" at its end. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "cuda.h"
#include "nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define IS(call, expected)                                                                                   \
    do {                                                                                                     \
        int is_ = (int)(call);                                                                               \
        if (is_ != (int)(expected)) {                                                                        \
            fprintf(stderr, "%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #call, is_, (int)(expected));   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define HAS(text, part)                                                                                      \
    do {                                                                                                     \
        if (!strstr(text, part)) {                                                                           \
            fprintf(stderr, "%s:%d: no '%s' in:\n%s\n", __FILE__, __LINE__, part, text);                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static inline void api_context(void)
{
    CUdevice device;
    CUcontext context;
    IS(cuInit(0), CUDA_SUCCESS);
    IS(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    IS(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    IS(cuCtxSetCurrent(context), CUDA_SUCCESS);
}

/* What the kernel `name` of an image, void (int *), makes of `value` with one thread. */
static inline int api_launch(const void *image, const char *name, int value)
{
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr place;
    IS(cuModuleLoadData(&module, image), CUDA_SUCCESS);
    IS(cuModuleGetFunction(&kernel, module, name), CUDA_SUCCESS);
    IS(cuMemAlloc(&place, sizeof value), CUDA_SUCCESS);
    IS(cuMemcpyHtoD(place, &value, sizeof value), CUDA_SUCCESS);
    void *arguments[] = {&place};
    IS(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL), CUDA_SUCCESS);
    IS(cuMemcpyDtoH(&value, place, sizeof value), CUDA_SUCCESS);
    IS(cuMemFree(place), CUDA_SUCCESS);
    IS(cuModuleUnload(module), CUDA_SUCCESS);
    return value;
}

static inline char *api_log(nvrtcProgram program)
{
    size_t bytes;
    IS(nvrtcGetProgramLogSize(program, &bytes), NVRTC_SUCCESS);
    char *log = malloc(bytes);
    IS(nvrtcGetProgramLog(program, log), NVRTC_SUCCESS);
    CHECK(strlen(log) + 1 == bytes);
    return log;
}

/* A program that is compiled, for messages of name "kernel.cu". */
static inline nvrtcProgram api_program(const char *source, int count, const char *const *options)
{
    nvrtcProgram program;
    IS(nvrtcCreateProgram(&program, source, "kernel.cu", 0, NULL, NULL), NVRTC_SUCCESS);
    nvrtcResult result = nvrtcCompileProgram(program, count, options);
    if (result != NVRTC_SUCCESS) fprintf(stderr, "%s", api_log(program));
    IS(result, NVRTC_SUCCESS);
    return program;
}

#define API_GET(program, what, bytes)                                                                        \
    __extension__({                                                                                          \
        IS(nvrtcGet##what##Size(program, bytes), NVRTC_SUCCESS);                                             \
        char *got_ = malloc(*(bytes) + 1);                                                                   \
        IS(nvrtcGet##what(program, got_), NVRTC_SUCCESS);                                                    \
        got_;                                                                                                \
    })
#endif
