/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest whole program of the driver API: load PTX, add two vectors, check. */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        CUresult r_ = (call);                                                                                \
        if (r_ != CUDA_SUCCESS) {                                                                            \
            const char *name_ = "?";                                                                         \
            cuGetErrorName(r_, &name_);                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_);                            \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

static const char ptx[] = ".version 7.0\n"
                          ".target sm_70\n"
                          ".address_size 64\n"
                          ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n"
                          "{\n"
                          "    .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<8>; .reg .f32 %f<4>;\n"
                          "    ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c];\n"
                          "    ld.param.u32 %r1, [n];\n"
                          "    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                          "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
                          "    setp.ge.s32 %p, %r5, %r1;\n"
                          "    @%p bra DONE;\n"
                          "    mul.wide.s32 %d4, %r5, 4;\n"
                          "    add.s64 %d5, %d1, %d4; add.s64 %d6, %d2, %d4; add.s64 %d7, %d3, %d4;\n"
                          "    ld.global.f32 %f1, [%d5]; ld.global.f32 %f2, [%d6];\n"
                          "    add.f32 %f3, %f1, %f2;\n"
                          "    st.global.f32 [%d7], %f3;\n"
                          "DONE:\n"
                          "    ret;\n"
                          "}\n";

enum { COUNT = 100000 };
static float a[COUNT], b[COUNT], c[COUNT];

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr da, db, dc;
    int n = COUNT;
    for (int i = 0; i < COUNT; i++)
        a[i] = (float)i, b[i] = (float)(2 * i);
    TRY(cuInit(0));
    TRY(cuDeviceGet(&device, 0));
    TRY(cuCtxCreate(&context, NULL, 0, device));
    TRY(cuModuleLoadData(&module, ptx));
    TRY(cuModuleGetFunction(&function, module, "add"));
    TRY(cuMemAlloc(&da, sizeof a));
    TRY(cuMemAlloc(&db, sizeof b));
    TRY(cuMemAlloc(&dc, sizeof c));
    TRY(cuMemcpyHtoD(da, a, sizeof a));
    TRY(cuMemcpyHtoD(db, b, sizeof b));
    void *params[] = {&da, &db, &dc, &n};
    TRY(cuLaunchKernel(function, (COUNT + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
    TRY(cuCtxSynchronize());
    TRY(cuMemcpyDtoH(c, dc, sizeof c));
    for (int i = 0; i < COUNT; i++) {
        if (c[i] == a[i] + b[i]) continue;
        fprintf(stderr, "element %d is %g, not %g\n", i, (double)c[i], (double)(a[i] + b[i]));
        return 1;
    }
    TRY(cuMemFree(da));
    TRY(cuModuleUnload(module));
    TRY(cuCtxDestroy(context));
    printf("vector add: %d elements right\n", COUNT);
    return 0;
}
