/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of exhaust_steps.h. Steps that read a result give CUDA_ERROR_ASSERT where it is wrong. */
#include "exhaust_steps.h"

#include <stdint.h>
#include <string.h>

enum { N = 1000, BYTES = N * 4 };

struct steps_state {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CUdeviceptr a, b, pooled, managed;
    CUstream stream, other;
    CUevent event;
    CUgraph graph, captured;
    CUgraphNode node;
    CUgraphExec exec, exec_captured;
    void *pinned;
    uint32_t in[N], out[N];
};

static struct steps_state the_state;

struct steps_state *steps_state(void)
{
    return &the_state;
}

/* at[i] += value, and some work in shared memory, a call, a branch */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 launches;\n"
    ".visible .entry add(.param .u64 at, .param .u32 value, .param .u32 count)\n{\n"
    "    .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p; .shared .align 4 .b32 tile[256];\n"
    "    ld.param.u64 %d1, [at]; ld.param.u32 %r1, [value]; ld.param.u32 %r2, [count];\n"
    "    mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.u32 %r3, %r3, %r4, %r5;\n"
    "    setp.ge.u32 %p, %r3, %r2; @%p bra END;\n"
    "    mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2; ld.global.u32 %r6, [%d1]; add.u32 %r6, %r6, %r1;\n"
    "    mul.wide.u32 %d3, %r5, 4; cvt.u32.u64 %r7, %d3; mov.u32 %r4, tile; add.u32 %r7, %r7, %r4;\n"
    "    st.shared.u32 [%r7], %r6; ld.shared.u32 %r6, [%r7]; st.global.u32 [%d1], %r6;\n"
    "END:\n    ret;\n}\n";

static CUresult launch(CUdeviceptr at, uint32_t value, CUstream stream)
{
    uint32_t count = N;
    void *arguments[] = {&at, &value, &count};
    return cuLaunchKernel(the_state.add, (N + 255) / 256, 1, 1, 256, 1, 1, 0, stream, arguments, NULL);
}

static CUresult expect(CUdeviceptr at, uint32_t more)
{
    struct steps_state *s = &the_state;
    memset(s->out, 0, sizeof s->out);
    CUresult result = cuMemcpyDtoH(s->out, at, BYTES);
    if (result) return result;
    for (uint32_t i = 0; i < N; i++)
        if (s->out[i] != s->in[i] + more) return CUDA_ERROR_ASSERT;
    return CUDA_SUCCESS;
}

CUresult steps_reset(void)
{
    CUresult result = cuDevicePrimaryCtxReset(the_state.device);
    the_state = (struct steps_state){0};
    return result;
}

#define STEP(name, ...)                                                                                      \
    static CUresult name(struct steps_state *s)                                                              \
    {                                                                                                        \
        (void)s;                                                                                             \
        return __VA_ARGS__;                                                                                  \
    }

STEP(init, cuInit(0))
STEP(device, cuDeviceGet(&s->device, 0))
STEP(retain, cuDevicePrimaryCtxRetain(&s->context, s->device))
STEP(current, cuCtxSetCurrent(s->context))
STEP(load, cuModuleLoadData(&s->module, ptx))
STEP(function, cuModuleGetFunction(&s->add, s->module, "add"))
STEP(alloc_a, cuMemAlloc(&s->a, BYTES))
STEP(alloc_b, cuMemAlloc(&s->b, BYTES))
STEP(to_device, cuMemcpyHtoD(s->a, s->in, BYTES))
STEP(launch_first, launch(s->a, 5, NULL))
STEP(synchronize, cuCtxSynchronize())
STEP(first, expect(s->a, 5))
STEP(stream, cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING))
STEP(other, cuStreamCreate(&s->other, CU_STREAM_NON_BLOCKING))
STEP(event, cuEventCreate(&s->event, 0))
STEP(pinned, cuMemAllocHost(&s->pinned, BYTES))
STEP(copy_async, cuMemcpyDtoDAsync(s->b, s->a, BYTES, s->stream))
STEP(launch_async, launch(s->b, 7, s->stream))
STEP(record, cuEventRecord(s->event, s->stream))
STEP(wait, cuStreamWaitEvent(s->other, s->event, 0))
STEP(launch_other, launch(s->b, 1, s->other))
STEP(to_host_async, cuMemcpyDtoHAsync(s->pinned, s->b, BYTES, s->other))
STEP(synchronize_other, cuStreamSynchronize(s->other))
STEP(second, expect(s->b, 13))
STEP(pool, cuMemAllocAsync(&s->pooled, BYTES, s->stream))
STEP(fill, cuMemsetD32Async(s->pooled, 3, N, s->stream))
STEP(launch_pooled, launch(s->pooled, 1, s->stream))
STEP(free_pooled, cuMemFreeAsync(s->pooled, s->stream))
STEP(synchronize_stream, cuStreamSynchronize(s->stream))
STEP(managed, cuMemAllocManaged(&s->managed, BYTES, CU_MEM_ATTACH_GLOBAL))
STEP(fill_managed, cuMemcpyHtoD(s->managed, s->in, BYTES))
STEP(launch_managed, launch(s->managed, 2, NULL))
STEP(third, expect(s->managed, 2))
STEP(graph, cuGraphCreate(&s->graph, 0))

static CUresult node(struct steps_state *s)
{
    uint32_t value = 10, count = N;
    void *arguments[] = {&s->a, &value, &count};
    CUDA_KERNEL_NODE_PARAMS kernel = {.func = s->add,
                                      .gridDimX = (N + 255) / 256,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 256,
                                      .blockDimY = 1,
                                      .blockDimZ = 1,
                                      .kernelParams = arguments};
    return cuGraphAddKernelNode(&s->node, s->graph, NULL, 0, &kernel);
}

STEP(instantiate, cuGraphInstantiateWithFlags(&s->exec, s->graph, 0))
STEP(launch_graph, cuGraphLaunch(s->exec, s->stream))
STEP(synchronize_graph, cuStreamSynchronize(s->stream))
STEP(fourth, expect(s->a, 15))
STEP(begin_capture, cuStreamBeginCapture(s->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
STEP(launch_captured, launch(s->a, 1, s->stream))
STEP(copy_captured, cuMemcpyDtoDAsync(s->b, s->a, BYTES, s->stream))
STEP(end_capture, cuStreamEndCapture(s->stream, &s->captured))
STEP(instantiate_captured, cuGraphInstantiateWithFlags(&s->exec_captured, s->captured, 0))
STEP(launch_graph_captured, cuGraphLaunch(s->exec_captured, s->stream))
STEP(synchronize_captured, cuStreamSynchronize(s->stream))
STEP(fifth, expect(s->b, 16))
STEP(destroy_exec, cuGraphExecDestroy(s->exec))
STEP(destroy_exec_captured, cuGraphExecDestroy(s->exec_captured))
STEP(destroy_graph, cuGraphDestroy(s->graph))
STEP(destroy_captured, cuGraphDestroy(s->captured))
STEP(free_managed, cuMemFree(s->managed))
STEP(free_host, cuMemFreeHost(s->pinned))
STEP(free_a, cuMemFree(s->a))
STEP(free_b, cuMemFree(s->b))
STEP(destroy_event, cuEventDestroy(s->event))
STEP(destroy_stream, cuStreamDestroy(s->stream))
STEP(destroy_other, cuStreamDestroy(s->other))
STEP(unload, cuModuleUnload(s->module))
STEP(release, cuDevicePrimaryCtxRelease(s->device))

#define ROW(name) {#name, name}
const struct steps_step steps_all[] = {
    ROW(init),
    ROW(device),
    ROW(retain),
    ROW(current),
    ROW(load),
    ROW(function),
    ROW(alloc_a),
    ROW(alloc_b),
    ROW(to_device),
    ROW(launch_first),
    ROW(synchronize),
    ROW(first),
    ROW(stream),
    ROW(other),
    ROW(event),
    ROW(pinned),
    ROW(copy_async),
    ROW(launch_async),
    ROW(record),
    ROW(wait),
    ROW(launch_other),
    ROW(to_host_async),
    ROW(synchronize_other),
    ROW(second),
    ROW(pool),
    ROW(fill),
    ROW(launch_pooled),
    ROW(free_pooled),
    ROW(synchronize_stream),
    ROW(managed),
    ROW(fill_managed),
    ROW(launch_managed),
    ROW(third),
    ROW(graph),
    ROW(node),
    ROW(instantiate),
    ROW(launch_graph),
    ROW(synchronize_graph),
    ROW(fourth),
    ROW(begin_capture),
    ROW(launch_captured),
    ROW(copy_captured),
    ROW(end_capture),
    ROW(instantiate_captured),
    ROW(launch_graph_captured),
    ROW(synchronize_captured),
    ROW(fifth),
    ROW(destroy_exec),
    ROW(destroy_exec_captured),
    ROW(destroy_graph),
    ROW(destroy_captured),
    ROW(free_managed),
    ROW(free_host),
    ROW(free_a),
    ROW(free_b),
    ROW(destroy_event),
    ROW(destroy_stream),
    ROW(destroy_other),
    ROW(unload),
    ROW(release),
};
const unsigned steps_count = sizeof steps_all / sizeof *steps_all;
