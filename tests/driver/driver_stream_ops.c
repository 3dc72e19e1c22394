/* SPDX-License-Identifier: Apache-2.0 */
/* Memory operations of streams, events of whole contexts, and the older forms of stream and graph calls. */
#include "driver_context.h"

#include <string.h>
#include <unistd.h>

static CUdeviceptr memory;

static int setup(void **state)
{
    driver_context_open(state);
    OK(cuMemAlloc(&memory, 4096));
    return 0;
}

static int teardown(void **state)
{
    OK(cuMemFree(memory));
    return driver_context_close(state);
}

static CUstreamBatchMemOpParams write32(CUdeviceptr at, unsigned value)
{
    CUstreamBatchMemOpParams op;
    memset(&op, 0, sizeof op);
    op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    op.writeValue.address = at;
    op.writeValue.value = value;
    return op;
}

static CUstreamBatchMemOpParams wait64(CUdeviceptr at, uint64_t value, unsigned flags)
{
    CUstreamBatchMemOpParams op;
    memset(&op, 0, sizeof op);
    op.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    op.waitValue.address = at;
    op.waitValue.value64 = value;
    op.waitValue.flags = flags;
    return op;
}

/* A batch on one stream waits for a value that another stream writes; later operations see the value. */
static void batches_wait_and_write(void **state)
{
    (void)state;
    CUstream a, b;
    unsigned got[4] = {0};
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD8(memory, 0, 4096));
    OK(cuCtxSynchronize()); /* streams that do not block do not wait for it */
    CUstreamBatchMemOpParams waits[] = {wait64(memory, 7ull << 33, CU_STREAM_WAIT_VALUE_EQ),
                                        write32(memory + 16, 5), write32(memory + 20, 6)};
    OK(cuStreamBatchMemOp(a, 3, waits, 0));
    OK(cuMemcpyAsync(memory + 24, memory + 16, 8, a));
    usleep(20000);
    FAILS(NOT_READY, cuStreamQuery(a));
    OK(cuMemcpyDtoHAsync(got, memory + 16, 4, b));
    OK(cuStreamSynchronize(b));
    assert_int_equal(got[0], 0);
    OK(cuStreamWriteValue64(b, memory, 7ull << 33, 0));
    OK(cuStreamSynchronize(a));
    OK(cuMemcpyDtoH(got, memory + 16, 16));
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 6);
    assert_int_equal(got[2], 5);
    assert_int_equal(got[3], 6);
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
}

static void batches_are_checked(void **state)
{
    (void)state;
    CUstreamBatchMemOpParams op = write32(memory, 1), ops[256];
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 1, NULL, 0));
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 1, &op, 1));
    for (int i = 0; i < 256; i++)
        ops[i] = write32(memory + 4 * (unsigned)i, (unsigned)i + 1);
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 256, ops, 0)); /* "less than 256" */
    OK(cuStreamBatchMemOp(NULL, 255, ops, 0));
    op = write32(memory + 2, 1);
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 1, &op, 0));
    op = write32(memory, 1);
    op.operation = (CUstreamBatchMemOpType)9;
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 1, &op, 0));
    op.operation = CU_STREAM_MEM_OP_BARRIER;
    op.memoryBarrier.flags = CU_STREAM_MEMORY_BARRIER_TYPE_GPU;
    OK(cuStreamBatchMemOp(NULL, 1, &op, 0));
    op.memoryBarrier.flags = 2;
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(NULL, 1, &op, 0));
    OK(cuCtxSynchronize());
    unsigned got[255];
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    for (unsigned i = 0; i < 255; i++)
        assert_int_equal(got[i], i + 1);
}

/* NOR, AND, and "greater or equal" around the wrap of the counter. */
static void comparisons(void **state)
{
    (void)state;
    CUstream s;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32(memory, 3, 1));
    OK(cuCtxSynchronize()); /* streams that do not block do not wait for it */
    OK(cuStreamWaitValue32(s, memory, 0xfffffffd, CU_STREAM_WAIT_VALUE_GEQ)); /* 3 - -3 >= 0 */
    OK(cuStreamWaitValue32(s, memory, 2, CU_STREAM_WAIT_VALUE_AND));
    OK(cuStreamWaitValue32(s, memory, 0xfffffff0, CU_STREAM_WAIT_VALUE_NOR));
    OK(cuStreamSynchronize(s));
    OK(cuStreamWaitValue32(s, memory, 0xfffffffc, CU_STREAM_WAIT_VALUE_NOR)); /* ~(3 | ~3) == 0: waits */
    usleep(10000);
    FAILS(NOT_READY, cuStreamQuery(s));
    OK(cuMemsetD32(memory, 1, 1));
    OK(cuStreamSynchronize(s));
    OK(cuStreamDestroy(s));
}

/* ---- events of contexts */

static void events_of_contexts(void **state)
{
    (void)state;
    CUstream a, b, late;
    CUevent all, gate;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&all, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&gate, CU_EVENT_DISABLE_TIMING));
    OK(cuMemsetD8(memory, 0, 64));
    OK(cuCtxSynchronize()); /* streams that do not block do not wait for it */
    OK(cuStreamWaitValue32(a, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuCtxRecordEvent(context, all)); /* returns although a waits */
    FAILS(NOT_READY, cuEventQuery(all));
    OK(cuStreamWriteValue32(b, memory, 1, 0));
    OK(cuEventSynchronize(all));
    OK(cuStreamQuery(a));
    /* every stream, and one made later, waits for the gate */
    OK(cuStreamWaitValue32(a, memory + 4, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuEventRecord(gate, a));
    OK(cuCtxWaitEvent(context, gate));
    OK(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING));
    OK(cuMemsetD32Async(memory + 8, 9, 1, b));
    OK(cuMemsetD32Async(memory + 12, 9, 1, late));
    usleep(20000);
    FAILS(NOT_READY, cuStreamQuery(b));
    FAILS(NOT_READY, cuStreamQuery(late));
    /* A device pointer is a host pointer here; atomic, as a worker polls this word. */
    __atomic_store_n((unsigned *)(uintptr_t)(memory + 4), 1, __ATOMIC_SEQ_CST);
    OK(cuCtxSynchronize());
    OK(cuStreamQuery(late));
    FAILS(INVALID_HANDLE, cuCtxWaitEvent(context, NULL));
    FAILS(CONTEXT_IS_DESTROYED, cuCtxRecordEvent((CUcontext)&all, all));
    FAILS(INVALID_CONTEXT, cuCtxRecordEvent(NULL, all));
    OK(cuStreamDestroy(a));
    OK(cuStreamDestroy(b));
    OK(cuStreamDestroy(late));
    OK(cuEventDestroy(all));
    OK(cuEventDestroy(gate));
}

/* An event may refer to a destroyed stream; both may outlive the context. */
static void streams_end_before_contexts(void **state)
{
    (void)state;
    CUcontext other;
    CUstream s;
    CUevent e;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuStreamCreate(&s, 0));
    OK(cuEventCreate(&e, 0));
    OK(cuEventRecord(e, s));
    OK(cuStreamDestroy(s));
    OK(cuCtxDestroy(other));
    OK(cuCtxSetCurrent(context));
    FAILS(INVALID_HANDLE, cuStreamQuery(s));
}

/* ---- older forms */

#undef cuGraphAddDependencies
#undef cuGraphAddKernelNode
#undef cuGraphExecUpdate
#undef cuGraphGetEdges
#undef cuGraphInstantiate
#undef cuGraphNodeGetDependencies
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuStreamWriteValue32
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode *, const CUgraphNode *, size_t);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode *, CUgraphNode *, size_t *);
CUresult cuGraphInstantiate(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode *, size_t *);
CUresult cuStreamBeginCapture(CUstream);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus *, cuuint64_t *);
CUresult cuStreamGetCaptureInfo_v2(CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *,
                                   const CUgraphNode **, size_t *);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode *, size_t, unsigned);
CUresult cuStreamWriteValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned);

static void older_forms(void **state)
{
    (void)state;
    CUstream s;
    CUgraph graph, seen;
    CUgraphExec exec;
    CUgraphNode from, to, bad = (CUgraphNode)&s;
    CUstreamCaptureStatus status;
    CUgraphExecUpdateResult verdict;
    const CUgraphNode *tail;
    cuuint64_t id = 0, again = 0;
    size_t count = 0, one = 1;
    char log[64] = "text";
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamBeginCapture(s));
    OK(cuStreamGetCaptureInfo(s, &status, &id));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuMemsetD32Async(memory, 1, 4, s));
    OK(cuStreamWriteValue32(s, memory, 77, 0)); /* becomes a node of batched operations */
    OK(cuStreamGetCaptureInfo_v2(s, &status, &again, &seen, &tail, &count));
    assert_int_equal(id, again);
    assert_int_equal(count, 1);
    OK(cuStreamUpdateCaptureDependencies(s, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuMemsetD32Async(memory + 16, 3, 1, s));
    OK(cuStreamUpdateCaptureDependencies(s, (CUgraphNode *)tail, 0, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
    FAILS(STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(s, &graph));
    OK(cuStreamBeginCapture(s));
    OK(cuMemsetD32Async(memory, 1, 4, s));
    OK(cuStreamWriteValue32(s, memory, 77, 0));
    OK(cuStreamEndCapture(s, &graph));
    OK(cuGraphGetEdges(graph, &from, &to, &one));
    assert_int_equal(one, 1);
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(to, &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    OK(cuGraphNodeGetDependencies(to, &from, &one));
    OK(cuGraphInstantiate(&exec, graph, &bad, log, sizeof log));
    assert_null(bad);
    assert_string_equal(log, "");
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    unsigned got[2];
    OK(cuMemcpyDtoH(got, memory, sizeof got));
    assert_int_equal(got[0], 77);
    assert_int_equal(got[1], 1);
    OK(cuGraphExecUpdate(exec, graph, &bad, &verdict));
    assert_int_equal(verdict, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    OK(cuGraphAddDependencies(graph, &to, &from, 1));
    FAILS(INVALID_VALUE, cuGraphInstantiate(&exec, graph, &bad, log, sizeof log)); /* a cycle */
    assert_string_equal(log, "CUDA_ERROR_INVALID_VALUE");
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy(s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches_wait_and_write),
                                       cmocka_unit_test(batches_are_checked),
                                       cmocka_unit_test(comparisons),
                                       cmocka_unit_test(events_of_contexts),
                                       cmocka_unit_test(streams_end_before_contexts),
                                       cmocka_unit_test(older_forms)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
