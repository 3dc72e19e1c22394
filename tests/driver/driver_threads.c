/* SPDX-License-Identifier: Apache-2.0 */
/* Several host threads use one context: each allocates, copies, launches on its own default stream,
 * waits and frees, and loads modules and instantiates graphs meanwhile. */
#include "driver_program.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    /* p[tid] += value */
    ".visible .entry add(.param .u64 p, .param .u32 value)\n{\n"
    "    .reg .b32 %r<5>; .reg .b64 %d<4>; ld.param.u64 %d1, [p]; ld.param.u32 %r1, [value]; mov.u32 %r2, "
    "%tid.x;\n"
    "    mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r3, [%d3]; add.u32 %r4, %r3, %r1;\n"
    "    st.global.u32 [%d3], %r4; ret;\n}\n";

enum { THREADS = 4, ROUNDS = 12, N = 96 };
static CUcontext context;

static void round_trip(CUfunction add, unsigned start)
{
    CUdeviceptr p;
    CUevent event;
    unsigned host[N], value = 3;
    void *params[] = {&p, &value};
    for (unsigned i = 0; i < N; i++)
        host[i] = start + i;
    OK(cuMemAlloc(&p, sizeof host));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuMemcpyHtoDAsync(p, host, sizeof host, CU_STREAM_PER_THREAD));
    for (int i = 0; i < 5; i++)
        OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, CU_STREAM_PER_THREAD, params, NULL));
    OK(cuEventRecord(event, CU_STREAM_PER_THREAD));
    OK(cuEventSynchronize(event));
    OK(cuMemcpyDtoH(host, p, sizeof host));
    for (unsigned i = 0; i < N; i++)
        if (host[i] != start + i + 15) {
            fprintf(stderr, "element %u is %u, not %u\n", i, host[i], start + i + 15);
            exit(1);
        }
    OK(cuEventDestroy(event));
    OK(cuMemFree(p));
}

static void capture_and_launch(CUfunction add)
{
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr p;
    unsigned value = 1, first = 0;
    void *params[] = {&p, &value};
    OK(cuMemAlloc(&p, N * 4));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemsetD32Async(p, 7, N, stream));
    OK(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, stream, params, NULL));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoHAsync(&first, p, sizeof first, stream));
    if (first != 8) exit(1);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(p));
}

static void *work(void *number)
{
    CUmodule module;
    CUfunction add;
    OK(cuCtxSetCurrent(context));
    for (unsigned i = 0; i < ROUNDS; i++) {
        OK(cuModuleLoadData(&module, ptx));
        OK(cuModuleGetFunction(&add, module, "add"));
        round_trip(add, (unsigned)(uintptr_t)number * 1000 + i);
        capture_and_launch(add);
        OK(cuModuleUnload(module));
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    OK(cuInit(0));
    OK(cuCtxCreate(&context, NULL, 0, 0));
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(cuCtxDestroy(context));
    return 0;
}
