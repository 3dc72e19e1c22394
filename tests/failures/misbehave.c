/* SPDX-License-Identifier: Apache-2.0 */
/* A program that fails in the way that its argument names, and prints the results of the driver API. */
#include <cuda.h>

#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry store_at(.param .u64 where)\n"
                          "{\n"
                          "    .reg .u64 %rd<2>;\n"
                          "    ld.param.u64 %rd1, [where];\n"
                          "    st.global.u32 [%rd1], 1;\n"
                          "    ret;\n"
                          "}\n"
                          ".visible .entry forever(.param .u64 where)\n"
                          "{\n"
                          "    .reg .u64 %rd<2>;\n"
                          "    .reg .u32 %r<2>;\n"
                          "    .reg .pred %p<2>;\n"
                          "    ld.param.u64 %rd1, [where];\n"
                          "again:\n"
                          "    ld.volatile.global.u32 %r1, [%rd1];\n"
                          "    setp.ne.u32 %p1, %r1, 77;\n"
                          "    @%p1 bra again;\n"
                          "    ret;\n"
                          "}\n"
                          ".visible .entry traps(.param .u64 where)\n"
                          "{\n"
                          "    trap;\n"
                          "}\n"
                          ".visible .entry unknown(.param .u64 where)\n"
                          "{\n"
                          "    .reg .u32 %r<4>;\n"
                          "    frobnicate.u32 %r1, %r2, %r3;\n"
                          "    ret;\n"
                          "}\n"
                          ".visible .entry fine(.param .u64 where)\n"
                          "{\n"
                          "    .reg .u64 %rd<2>;\n"
                          "    ld.param.u64 %rd1, [where];\n"
                          "    st.global.u32 [%rd1], 42;\n"
                          "    ret;\n"
                          "}\n";

static CUmodule module;

static const char *name_of(CUresult result)
{
    const char *name = "?";
    cuGetErrorName(result, &name);
    return name;
}

static void launch(const char *kernel, CUdeviceptr where)
{
    CUfunction function;
    void *args[] = {&where};
    CUresult result = cuModuleGetFunction(&function, module, kernel);
    if (result == CUDA_SUCCESS) result = cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL);
    printf("%s launch: %s\n", kernel, name_of(result));
    fflush(stdout);
    printf("%s synchronize: %s\n", kernel, name_of(cuCtxSynchronize()));
}

static void read_back(CUdeviceptr memory)
{
    unsigned got = 0;
    CUresult result = cuMemcpyDtoH(&got, memory, sizeof got);
    printf("read: %s %u\n", name_of(result), got);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    CUdevice device;
    CUcontext context;
    CUdeviceptr memory = 0, second = 0;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
        cuCtxSetCurrent(context))
        return printf("no device\n"), 9;
    if (cuModuleLoadData(&module, ptx) || cuMemAlloc(&memory, 4096) || cuMemsetD32(memory, 0, 1024))
        return printf("no module\n"), 9;
    if (!strcmp(mode, "oom")) {
        printf("too much: %s\n", name_of(cuMemAlloc(&second, (size_t)1 << 50)));
        launch("fine", memory); /* and nothing is lost */
    } else if (!strcmp(mode, "illegal")) {
        launch("store_at", memory + (1 << 20));
        printf("after: %s\n", name_of(cuMemAlloc(&second, 4096))); /* sticky */
    } else if (!strcmp(mode, "null")) {
        launch("store_at", 0);
    } else if (!strcmp(mode, "trap")) {
        launch("traps", memory);
    } else if (!strcmp(mode, "unsupported")) {
        launch("unknown", memory);
        launch("fine", memory); /* other kernels of the module still run */
        read_back(memory);
    } else if (!strcmp(mode, "broken")) {
        printf("load: %s\n", name_of(cuModuleLoad(&module, argc > 2 ? argv[2] : "")));
    } else if (!strcmp(mode, "forever")) {
        launch("forever", memory);
    } else {
        launch("fine", memory);
        read_back(memory);
    }
    return 0;
}
