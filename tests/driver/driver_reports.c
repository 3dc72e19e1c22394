/* SPDX-License-Identifier: Apache-2.0 */
/* Logs, core dump settings, DOT output of graphs, and notifications. */
#include "driver_context.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char wrong[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n  nonsense\n}\n";

static void fail_once(void)
{
    CUmodule module;
    assert_int_not_equal(cuModuleLoadData(&module, wrong), CUDA_SUCCESS);
}

struct heard {
    int calls;
    char last[512];
};

static void hear(void *user, CUlogLevel level, char *message, size_t length)
{
    struct heard *heard = user;
    assert_int_equal(level, CU_LOG_LEVEL_ERROR);
    assert_int_equal(strlen(message), length);
    heard->calls++;
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

static char *contents(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void logs(void **state)
{
    (void)state;
    CUlogsCallbackHandle handle;
    CUlogIterator from, same;
    struct heard heard = {0};
    char buffer[4096], path[] = "/tmp/driver_logs_XXXXXX";
    size_t size = sizeof buffer;
    FAILS(INVALID_VALUE, cuLogsCurrent(&from, 1));
    OK(cuLogsCurrent(&from, 0));
    same = from;
    OK(cuLogsDumpToMemory(&same, buffer, &size, 0));
    assert_int_equal(size, 0);
    OK(cuLogsRegisterCallback(hear, &heard, &handle));
    fail_once();
    assert_int_equal(heard.calls, 1);
    assert_non_null(strstr(heard.last, "[CUDA][E]"));
    OK(cuLogsUnregisterCallback(handle));
    FAILS(INVALID_VALUE, cuLogsUnregisterCallback(handle));
    fail_once();
    assert_int_equal(heard.calls, 1);
    size = sizeof buffer;
    same = from;
    OK(cuLogsDumpToMemory(&same, buffer, &size, 0));
    assert_int_equal(strlen(buffer), size);
    assert_memory_equal(buffer, heard.last, strlen(heard.last));
    assert_true(same == from + 2);
    size = 4;
    same = from;
    FAILS(INVALID_VALUE, cuLogsDumpToMemory(&same, buffer, &size, 0)); /* no line fits */
    assert_int_equal(size, 0);
    int file = mkstemp(path);
    close(file);
    same = from;
    OK(cuLogsDumpToFile(&same, path, 0));
    assert_non_null(strstr(contents(path), heard.last));
    for (int i = 0; i < 150; i++)
        fail_once();
    size = sizeof buffer;
    same = from;
    OK(cuLogsDumpToMemory(&same, buffer, &size, 0)); /* the newest, and that there were more */
    assert_non_null(strstr(buffer, "left out"));
    assert_true(same == from + 152);
    unlink(path);
}

static void core_dumps(void **state)
{
    (void)state;
    bool flag = true;
    unsigned flags = 0;
    char text[1024] = "/tmp/dump.%p";
    size_t size = 0;
    OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, NULL, &size));
    assert_int_equal(size, 1024);
    size = sizeof text;
    OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, text, &size));
    memset(text, 0, sizeof text);
    size = sizeof text;
    OK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, text, &size)); /* the context has none of its own */
    assert_string_equal(text, "/tmp/dump.%p");
    size = sizeof flag;
    OK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &flag, &size));
    assert_false(flag);
    flag = true;
    OK(cuCoredumpSetAttribute(CU_COREDUMP_LIGHTWEIGHT, &flag, &size));
    size = sizeof flags;
    OK(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, &flags, &size));
    assert_int_equal(flags, CU_COREDUMP_LIGHTWEIGHT_FLAGS);
    OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &size));
    assert_int_equal(flags, 0);
    size = sizeof flag;
    FAILS(NOT_SUPPORTED, cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_USER_TRIGGER, &flag, &size));
    FAILS(INVALID_VALUE, cuCoredumpGetAttribute((CUcoredumpSettings)99, &flag, &size));
    size = sizeof text;
    FAILS(NOT_PERMITTED,
          cuCoredumpSetAttributeGlobal(CU_COREDUMP_PIPE, text, &size)); /* the environment has it */
    OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_PIPE, text, &size));
    assert_string_equal(text, "pipe.of.the.environment");
}

static void pictures(void **state)
{
    (void)state;
    CUgraph graph, child;
    CUgraphNode node, inner, empty;
    CUdeviceptr memory;
    char path[] = "/tmp/driver_dot_XXXXXX";
    close(mkstemp(path));
    OK(cuMemAlloc(&memory, 64));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = memory, .value = 0x2a, .elementSize = 4, .width = 16, .height = 1};
    OK(cuGraphAddMemsetNode(&inner, child, NULL, 0, &fill, context));
    OK(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    OK(cuGraphAddChildGraphNode(&node, graph, &empty, 1, child));
    OK(cuGraphDebugDotPrint(graph, path, 0));
    const char *text = contents(path);
    assert_memory_equal(text, "digraph dot {", 13);
    assert_non_null(strstr(text, "\"graph_0_node_0\" -> \"graph_0_node_1\";"));
    assert_non_null(strstr(text, "memset"));
    assert_null(strstr(text, "0x2a"));
    OK(cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS));
    assert_non_null(strstr(contents(path), "0x2a"));
    OK(cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES));
    assert_non_null(strstr(contents(path), "cudaGraphNodeTypeEmpty"));
    FAILS(INVALID_VALUE, cuGraphDebugDotPrint(NULL, path, 0));
    FAILS(OPERATING_SYSTEM, cuGraphDebugDotPrint(graph, "/nowhere/at/all", 0));
    OK(cuGraphDestroy(child));
    OK(cuGraphDestroy(graph));
    OK(cuMemFree(memory));
    unlink(path);
}

static void told(CUasyncNotificationInfo *info, void *user, CUasyncCallbackHandle handle)
{
    (void)info, (void)user, (void)handle;
}

static void what_never_happens(void **state)
{
    (void)state;
    CUasyncCallbackHandle handle;
    CUexecAffinityParam affinity;
    int all;
    CUlibrary library;
    void *function;
    OK(cuDeviceRegisterAsyncNotification(0, told, NULL, &handle));
    FAILS(INVALID_VALUE, cuDeviceRegisterAsyncNotification(0, NULL, NULL, &handle));
    FAILS(INVALID_DEVICE, cuDeviceRegisterAsyncNotification(77, told, NULL, &handle));
    OK(cuDeviceUnregisterAsyncNotification(0, handle));
    FAILS(INVALID_VALUE, cuDeviceUnregisterAsyncNotification(0, handle));
    OK(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    OK(cuDeviceGetAttribute(&all, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(affinity.param.smCount.val, all);
    FAILS(UNSUPPORTED_EXEC_AFFINITY, cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_MAX));
    OK(cuLibraryLoadData(&library,
                         ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n",
                         NULL, NULL, 0, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuLibraryGetUnifiedFunction(&function, library, "k"));
    FAILS(INVALID_HANDLE, cuLibraryGetUnifiedFunction(&function, (CUlibrary)&function, "k"));
    OK(cuLibraryUnload(library));
    OK(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                  CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
    FAILS(INVALID_VALUE, cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                                    (CUflushGPUDirectRDMAWritesScope)3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(logs), cmocka_unit_test(core_dumps),
                                       cmocka_unit_test(pictures), cmocka_unit_test(what_never_happens)};
    return cmocka_run_group_tests(tests, driver_context_open, driver_context_close);
}
