/* SPDX-License-Identifier: Apache-2.0 */
/* Sharing with other processes in difficult states: memory becomes shareable while a kernel writes to
 * it, the exporter is killed, an event completes late, handles are invalid; and the memory that a pool
 * keeps. */
#include "driver_checks.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1ull << 20)

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    /* p[thread of the grid] += 1, `times` times, in memory each time */
    ".visible .entry count(.param .u64 p, .param .u32 times)\n{\n.reg .b32 %r<7>; .reg .b64 %d<4>; .reg "
    ".pred %q;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [times]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x;\n"
    "mov.u32 %r4, %ntid.x; mad.lo.u32 %r2, %r3, %r4, %r2; mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2;\n"
    "again:\nld.volatile.global.u32 %r5, [%d3]; add.u32 %r5, %r5, 1; st.volatile.global.u32 [%d3], %r5;\n"
    "sub.u32 %r1, %r1, 1; setp.ne.u32 %q, %r1, 0; @%q bra again; ret;\n}\n";

static CUcontext context;
static CUfunction count;

static int setup(void **state)
{
    (void)state;
    CUdevice device;
    CUmodule module;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&count, module, "count"));
    return 0;
}

/* Sharing turns allocations into files, which takes milliseconds each. Kernels that count in them
 * meanwhile lose nothing. */
static void shared_while_used(void **state)
{
    (void)state;
    enum { BLOCKS = 4, THREADS = 128, N = BLOCKS * THREADS, MANY = 6 };
    static const size_t BYTES = 16 * MIB;
    static unsigned host[N];
    CUdeviceptr at[MANY];
    CUstream streams[MANY];
    CUipcMemHandle handle;
    unsigned times = 400000;
    for (int i = 0; i < MANY; i++) {
        OK(cuMemAlloc(&at[i], BYTES));
        OK(cuMemsetD8(at[i], 1, BYTES));
        OK(cuMemsetD32(at[i], 0, N));
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    }
    OK(cuCtxSynchronize());
    for (int i = 0; i < MANY; i++) {
        void *params[] = {&at[i], &times};
        OK(cuLaunchKernel(count, BLOCKS, 1, 1, THREADS, 1, 1, 0, streams[i], params, NULL));
    }
    for (int i = 0; i < MANY; i++)
        OK(cuIpcGetMemHandle(&handle, at[i]));
    for (int i = 0; i < MANY; i++) {
        OK(cuStreamSynchronize(streams[i]));
        OK(cuMemcpyDtoH(host, at[i], sizeof host));
        for (int k = 0; k < N; k++)
            if (host[k] != times) fail_msg("allocation %d, word %d: %u instead of %u", i, k, host[k], times);
        OK(cuStreamDestroy(streams[i]));
        OK(cuMemFree(at[i]));
    }
}

/* ---- two processes: this program again, with a role */

struct told {
    CUipcMemHandle memory;
    CUipcEventHandle event;
};

static void child_exports(void)
{
    struct told told;
    CUdeviceptr at;
    CUevent event;
    CUstream stream;
    unsigned times = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setup(NULL);
    OK(cuMemAlloc(&at, 4 * MIB));
    OK(cuMemsetD32(at, 77, MIB));
    OK(cuCtxSynchronize());
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    OK(cuIpcGetMemHandle(&told.memory, at));
    OK(cuIpcGetEventHandle(&told.event, event));
    OK(cuStreamWaitValue32(stream, at + 4096, 1, CU_STREAM_WAIT_VALUE_EQ)); /* the parent writes it */
    void *params[] = {&at, &times};
    OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
    OK(cuEventRecord(event, stream));
    if (write(31, &told, sizeof told) != (ssize_t)sizeof told) _exit(9);
    pause();
}

static pid_t start_child(int *from)
{
    int back[2];
    assert_int_equal(pipe(back), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(back[1], 31);
        execl("/proc/self/exe", "driver_sharing", "child", (char *)NULL);
        _exit(9);
    }
    close(back[1]);
    *from = back[0];
    return pid;
}

static void exporter_is_killed(void **state)
{
    (void)state;
    struct told told;
    int from;
    CUdeviceptr at, again;
    CUevent event;
    CUstream stream;
    unsigned one = 1, word = 0;
    pid_t pid = start_child(&from);
    assert_int_equal(read(from, &told, sizeof told), sizeof told);
    OK(cuIpcOpenMemHandle(&at, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuIpcOpenEventHandle(&event, told.event));
    OK(cuMemcpyDtoH(&word, at, 4));
    assert_int_equal(word, 77);
    FAILS(NOT_READY, cuEventQuery(event));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWaitEvent(stream, event, 0));
    FAILS(NOT_READY, cuStreamQuery(stream));
    OK(cuMemcpyHtoD(at + 4096, &one, 4)); /* lets the child's stream go on */
    OK(cuStreamSynchronize(stream));
    OK(cuEventQuery(event));
    OK(cuMemcpyDtoH(&word, at, 4));
    assert_int_equal(word, 78);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    OK(cuMemcpyDtoH(&word, at, 4)); /* what is open stays */
    assert_int_equal(word, 78);
    unsigned times = 10;
    void *params[] = {&at, &times};
    OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&word, at, 4));
    assert_int_equal(word, 88);
    OK(cuIpcOpenMemHandle(&again, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)); /* open already */
    assert_int_equal(again, at);
    OK(cuIpcCloseMemHandle(at));
    OK(cuIpcCloseMemHandle(at));
    FAILS(INVALID_VALUE, cuIpcOpenMemHandle(&at, told.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(stream));
    close(from);
}

/* A wait for an event ends when the process that recorded it has died. */
static void recorder_is_killed(void **state)
{
    (void)state;
    struct told told;
    int from;
    CUevent event;
    pid_t pid = start_child(&from);
    assert_int_equal(read(from, &told, sizeof told), sizeof told);
    OK(cuIpcOpenEventHandle(&event, told.event));
    FAILS(NOT_READY, cuEventQuery(event));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy(event));
    close(from);
}

/* cuStreamWaitEvent waits for the most recent record at the time of the call, not for later ones. */
static void wait_is_for_the_last_record(void **state)
{
    (void)state;
    CUevent event;
    CUstream one, two;
    CUdeviceptr flag;
    unsigned go = 1;
    OK(cuMemAlloc(&flag, 4));
    OK(cuMemsetD32(flag, 0, 1));
    OK(cuCtxSynchronize());
    OK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    OK(cuEventQuery(event));
    OK(cuStreamWaitValue32(one, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuEventRecord(event, one));
    OK(cuStreamWaitEvent(two, event, 0));
    OK(cuEventRecord(event, two)); /* after the wait, on the stream that waits */
    FAILS(NOT_READY, cuEventQuery(event));
    FAILS(NOT_READY, cuStreamQuery(two));
    OK(cuMemcpyHtoD(flag, &go, 4));
    OK(cuEventSynchronize(event));
    OK(cuStreamSynchronize(two));
    OK(cuEventDestroy(event));
    OK(cuStreamDestroy(one));
    OK(cuStreamDestroy(two));
    OK(cuMemFree(flag));
}

static void nonsense(void **state)
{
    (void)state;
    CUipcMemHandle handle;
    CUdeviceptr at;
    CUmemGenericAllocationHandle chunk;
    CUmemoryPool pool;
    for (unsigned i = 0; i < 200; i++) {
        srand(i);
        for (size_t k = 0; k < sizeof handle; k++)
            ((char *)&handle)[k] = (char)rand();
        FAILS(INVALID_VALUE, cuIpcOpenMemHandle(&at, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    }
    for (intptr_t fd = -1; fd < 3; fd++) {
        FAILS(INVALID_VALUE,
              cuMemImportFromShareableHandle(&chunk, (void *)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
        FAILS(INVALID_VALUE, cuMemPoolImportFromShareableHandle(&pool, (void *)fd,
                                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    }
}

static void freed_once(void **state)
{
    (void)state;
    CUdeviceptr at;
    OK(cuMemAllocAsync(&at, 1000, NULL));
    OK(cuMemFreeAsync(at, NULL));
    FAILS(INVALID_VALUE, cuMemFreeAsync(at, NULL));
    OK(cuCtxSynchronize());
    FAILS(INVALID_VALUE, cuMemFreeAsync(at, NULL));
}

/* With a release threshold the pool reuses the same block. The block counts as reserved until the pool
 * is trimmed. */
static void pool_keeps(void **state)
{
    (void)state;
    CUmemoryPool pool;
    CUmemPoolProps props;
    CUdeviceptr a, b;
    cuuint64_t threshold = UINT64_MAX;
    size_t before, kept, after, total;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuMemPoolCreate(&pool, &props));
    OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    OK(cuMemGetInfo(&before, &total));
    OK(cuMemAllocFromPoolAsync(&a, 64 * MIB, pool, NULL));
    OK(cuMemFreeAsync(a, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemGetInfo(&kept, &total));
    assert_int_equal(before - kept, 64 * MIB);
    OK(cuMemAllocFromPoolAsync(&b, 60 * MIB, pool, NULL));
    assert_int_equal(a, b);
    OK(cuMemsetD8(b, 1, 60 * MIB));
    OK(cuMemFreeAsync(b, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemPoolTrimTo(pool, 0));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(before, after);
    OK(cuMemPoolDestroy(pool));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "child") == 0) child_exports();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_while_used),  cmocka_unit_test(exporter_is_killed),
        cmocka_unit_test(recorder_is_killed), cmocka_unit_test(wait_is_for_the_last_record),
        cmocka_unit_test(nonsense),           cmocka_unit_test(freed_once),
        cmocka_unit_test(pool_keeps),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
