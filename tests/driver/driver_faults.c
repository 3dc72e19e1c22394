/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in kernels and the sticky errors they leave. Not a cmocka program: cmocka takes the signals that the
 * engine needs. */
#include "driver_program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry poke(.param .u64 at)\n{\n"
                          "    .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, [at]; mov.u32 %r1, 1; "
                          "st.global.u32 [%d1], %r1; ret;\n}\n"
                          ".visible .entry dies()\n{\n    trap;\n}\n";

static void fresh(CUcontext *context, CUmodule *module)
{
    OK(cuCtxCreate(context, NULL, 0, 0));
    OK(cuModuleLoadData(module, ptx));
}

/* The next synchronisation reports a fault, and the error is sticky. It affects every context of the
 * process, also those of other devices, and no new context can be created (tests/conform, "fault: other
 * contexts", recorded on two H200s). */
static void faults_stick(void)
{
    CUcontext failed, second, elsewhere, none, primary;
    CUmodule other;
    CUfunction function;
    CUdeviceptr p, bad = 64;
    CUstream stream;
    void *params[] = {&bad};
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxCreate(&second, NULL, 0, 0));
    OK(cuCtxCreate(&elsewhere, NULL, 0, 1));
    fresh(&failed, &other);
    OK(cuModuleGetFunction(&function, other, "poke"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
    FAILS(ILLEGAL_ADDRESS, cuStreamSynchronize(stream));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    FAILS(ILLEGAL_ADDRESS, cuMemAlloc(&p, 16));
    FAILS(ILLEGAL_ADDRESS, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    const CUcontext others[] = {second, elsewhere, primary};
    for (int i = 0; i < 3; i++) {
        OK(cuCtxSetCurrent(others[i]));
        FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
        FAILS(ILLEGAL_ADDRESS, cuMemAlloc(&p, 16));
    }
    OK(cuCtxDestroy(failed));
    OK(cuCtxDestroy(second));
    OK(cuCtxDestroy(elsewhere));
    OK(cuDevicePrimaryCtxReset(0));
    FAILS(ILLEGAL_ADDRESS, cuCtxCreate(&none, NULL, 0, 0));
    FAILS(ILLEGAL_ADDRESS, cuDevicePrimaryCtxRetain(&none, 1));
}

/* A misaligned pointer parameter, after launches with aligned ones. */
static void misaligned_parameter(void)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr p, at;
    void *params[] = {&at};
    uint32_t got[3];
    fresh(&context, &module);
    OK(cuModuleGetFunction(&function, module, "poke"));
    OK(cuMemAlloc(&p, 16));
    OK(cuMemsetD32(p, 0, 4));
    at = p;
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    at = p + 4;
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(got, p, sizeof got));
    if (got[0] != 1 || got[1] != 1 || got[2] != 0) exit(1);
    at = p + 10;
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(MISALIGNED_ADDRESS, cuCtxSynchronize());
    FAILS(MISALIGNED_ADDRESS, cuMemAlloc(&p, 16));
    OK(cuCtxDestroy(context));
}

/* An access to freed memory faults, because it is not mapped any more. */
static void use_after_free(void)
{
    CUcontext failed;
    CUmodule other;
    CUfunction function;
    CUdeviceptr p;
    void *params[] = {&p};
    fresh(&failed, &other);
    OK(cuModuleGetFunction(&function, other, "poke"));
    OK(cuMemAlloc(&p, 1 << 20));
    OK(cuMemFree(p));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    OK(cuCtxDestroy(failed));
}

static void trap_is_a_launch_failure(void)
{
    CUcontext failed;
    CUmodule other;
    CUfunction function;
    fresh(&failed, &other);
    OK(cuModuleGetFunction(&function, other, "dies"));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(LAUNCH_FAILED, cuCtxSynchronize());
    OK(cuCtxDestroy(failed));
}

/* Each in a process of its own, which its fault spoils. */
int main(void)
{
    void (*const tests[])(void) = {faults_stick, misaligned_parameter, use_after_free,
                                   trap_is_a_launch_failure};
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            OK(cuInit(0));
            tests[i]();
            exit(0);
        }
        failed |= waitpid(child, &status, 0) != child || status != 0;
    }
    return failed;
}
