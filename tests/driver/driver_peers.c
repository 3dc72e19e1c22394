/* SPDX-License-Identifier: Apache-2.0 */
/* Access from other devices to memory of graph allocation nodes: access descriptors of nodes and
 * captures, and the lifetime of the memory. The tests use fills, which need the same permission as kernels.
 * tests/conform, "peers", tests access by kernels. */
#include "driver_checks.h"

#include <string.h>

enum { BYTES = 1 << 16 };
static CUcontext contexts[2];

static int setup(void **state)
{
    (void)state;
    OK(cuInit(0));
    for (int device = 0; device < 2; device++)
        OK(cuDevicePrimaryCtxRetain(&contexts[device], device));
    OK(cuCtxSetCurrent(contexts[0]));
    return 0;
}

static CUmemAccessDesc access_of(int device, CUmemAccess_flags flags)
{
    return (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, device}, flags};
}

static CUresult add(CUgraph graph, CUgraphNode *node, const CUgraphNode *need, int device,
                    const CUmemAccessDesc *access, CUdeviceptr *out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.accessDescs = access, .accessDescCount = access != NULL};
    params.bytesize = BYTES;
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUresult result = cuGraphAddMemAllocNode(node, graph, need, need ? 1 : 0, &params);
    *out = params.dptr;
    return result;
}

static CUgraphExec launched(CUgraph graph)
{
    CUgraphExec exec;
    OK(cuGraphInstantiate(&exec, graph, 0));
    OK(cuGraphLaunch(exec, NULL));
    OK(cuCtxSynchronize());
    return exec;
}

static CUresult fill_from(int device, CUdeviceptr at)
{
    OK(cuCtxSetCurrent(contexts[device]));
    CUresult result = cuMemsetD32(at, 7, 4);
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(contexts[0]));
    return result;
}

static int device_of(CUdeviceptr at)
{
    int device = -1;
    OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at));
    return device;
}

static void nodes_say_who(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode node, shared_node;
    CUdeviceptr own, shared, there;
    CUmemAccessDesc access = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    OK(cuGraphCreate(&graph, 0));
    OK(add(graph, &node, NULL, 0, NULL, &own));
    OK(add(graph, &shared_node, NULL, 0, &access, &shared));
    OK(add(graph, &node, NULL, 1, NULL, &there));         /* though device 0 is current */
    access = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_NONE); /* the node has its own copy */
    CUgraphExec exec = launched(graph);
    assert_int_equal(device_of(own), 0);
    assert_int_equal(device_of(there), 1);
    OK(fill_from(0, own));
    OK(fill_from(0, shared));
    FAILS(INVALID_VALUE, fill_from(0, there));
    FAILS(INVALID_VALUE, fill_from(1, own));
    OK(fill_from(1, shared));
    OK(fill_from(1, there));
    OK(cuGraphMemAllocNodeGetParams(shared_node, &params));
    assert_int_equal(params.accessDescCount, 1);
    assert_int_equal(params.accessDescs[0].location.id, 1);
    assert_int_equal(params.accessDescs[0].flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemFree(own));
    OK(cuMemFree(shared));
    OK(cuMemFree(there));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static void bad_access_is_refused(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode node;
    CUdeviceptr at;
    CUmemAccessDesc read = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_READ),
                    far = access_of(7, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuGraphCreate(&graph, 0));
    FAILS(NOT_SUPPORTED, add(graph, &node, NULL, 0, &read, &at));
    FAILS(INVALID_DEVICE, add(graph, &node, NULL, 0, &far, &at));
    FAILS(INVALID_VALUE, add(graph, &node, NULL, 7, NULL, &at));
    OK(cuGraphDestroy(graph));
}

/* Allocation nodes that reuse the same memory share their access permissions (CUDA C++ Programming
 * Guide, "Peer Access"). */
static void same_memory_same_permissions(void **state)
{
    (void)state;
    CUgraph graph;
    CUgraphNode first, freed, second;
    CUdeviceptr at, again;
    CUmemAccessDesc access = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuGraphCreate(&graph, 0));
    OK(add(graph, &first, NULL, 0, NULL, &at));
    OK(cuGraphAddMemFreeNode(&freed, graph, &first, 1, at));
    FAILS(INVALID_VALUE, fill_from(1, at));
    OK(add(graph, &second, &freed, 0, &access, &again));
    assert_int_equal(again, at);
    CUgraphExec exec = launched(graph);
    OK(fill_from(1, at));
    OK(cuMemFree(at));
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
}

static CUgraph capture(CUdeviceptr *out)
{
    CUstream stream;
    CUgraph graph;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAllocAsync(out, BYTES, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuStreamDestroy(stream));
    return graph;
}

/* A captured allocation has the pool's access permissions at the time of the capture (CUDA C++
 * Programming Guide, "Peer Access with Stream Capture"). */
static void captures_keep_the_pools_access(void **state)
{
    (void)state;
    CUmemoryPool pool;
    CUdeviceptr before, after;
    CUgraphNode node;
    size_t count = 1;
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    CUmemAccessDesc access = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    CUgraph early = capture(&before);
    OK(cuMemPoolSetAccess(pool, &access, 1));
    CUgraph late = capture(&after);
    access = access_of(1, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    OK(cuMemPoolSetAccess(pool, &access, 1));
    CUgraphExec execs[] = {launched(early), launched(late)};
    FAILS(INVALID_VALUE, fill_from(1, before));
    OK(fill_from(1, after));
    OK(cuGraphGetNodes(late, &node, &count));
    OK(cuGraphMemAllocNodeGetParams(node, &params));
    assert_int_equal(params.accessDescCount, 1);
    assert_int_equal(params.accessDescs[0].location.id, 1);
    OK(cuMemFree(before));
    OK(cuMemFree(after));
    for (int i = 0; i < 2; i++)
        OK(cuGraphExecDestroy(execs[i]));
    OK(cuGraphDestroy(early));
    OK(cuGraphDestroy(late));
}

/* The graph owns the addresses of its allocations until it is destroyed, even if its context is
 * destroyed before. No other allocation gets them, and destroying the graph frees no other memory. */
static void memory_outlives_its_context(void **state)
{
    (void)state;
    CUcontext context;
    CUgraph graph;
    CUgraphNode node;
    CUdeviceptr at, others[4];
    unsigned word = 0;
    OK(cuCtxCreate(&context, NULL, 0, 0));
    OK(cuGraphCreate(&graph, 0));
    OK(add(graph, &node, NULL, 0, NULL, &at));
    OK(cuCtxDestroy(context));
    OK(cuCtxSetCurrent(contexts[0]));
    for (int i = 0; i < 4; i++) {
        OK(cuMemAlloc(&others[i], BYTES));
        OK(cuMemsetD32(others[i], 40 + (unsigned)i, BYTES / 4));
        assert_int_not_equal(others[i], at);
    }
    OK(cuGraphDestroy(graph));
    for (int i = 0; i < 4; i++) {
        OK(cuMemcpyDtoH(&word, others[i], 4));
        assert_int_equal(word, 40 + i);
        OK(cuMemFree(others[i]));
    }
}

/* A batch is checked before the first copy is made. */
static void batches_need_the_same(void **state)
{
    (void)state;
    CUmemcpyAttributes attributes = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CUmemAccessDesc access = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemoryPool pool;
    CUstream stream;
    CUdeviceptr from[2], to[2], far, near;
    size_t bytes[2] = {4, 4}, first = 0;
    unsigned word = 0;
    OK(cuMemAlloc(&near, BYTES));
    OK(cuMemsetD32(near, 0, 16));
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(contexts[1]));
    OK(cuMemAllocAsync(&far, BYTES, NULL));
    OK(cuMemsetD32(far, 9, 16));
    OK(cuCtxSynchronize());
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    from[0] = near + 32, from[1] = far, to[0] = to[1] = near;
    to[1] += 4;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, stream));
    OK(cuDeviceGetDefaultMemPool(&pool, 1));
    OK(cuMemPoolSetAccess(pool, &access, 1));
    OK(cuMemcpyBatchAsync(to, from, bytes, 2, &attributes, &first, 1, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuMemcpyDtoH(&word, near + 4, 4));
    assert_int_equal(word, 9);
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(near));
    OK(cuMemFree(far));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_say_who),
        cmocka_unit_test(bad_access_is_refused),
        cmocka_unit_test(same_memory_same_permissions),
        cmocka_unit_test(captures_keep_the_pools_access),
        cmocka_unit_test(memory_outlives_its_context),
        cmocka_unit_test(batches_need_the_same),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
