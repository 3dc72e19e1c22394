/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual clock as programs see it: in a session, events return times of the chosen GPU. These
 * kernels have no predicted time and take that of the shortest kernel; copies take what an H200 took. */
#include "driver_context.h"
#include "driver_session.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry nothing()\n{\nret;\n}\n"
    ".visible .entry busy(.param .u64 ns)\n{\n.reg .b64 %d<5>;\n.reg .pred %p;\nld.param.u64 %d1, [ns];\n"
    "mov.u64 %d2, %globaltimer;\nAGAIN:\nmov.u64 %d3, %globaltimer;\nsub.u64 %d4, %d3, %d2;\n"
    "setp.lt.u64 %p, %d4, %d1;\n@%p bra AGAIN;\nret;\n}\n"
    ".visible .entry wait_for(.param .u64 p)\n{\n.reg .b64 %d<2>;\n.reg .b32 %r;\n.reg .pred %p;\n"
    "ld.param.u64 %d1, [p];\nAGAIN:\nld.volatile.global.u32 %r, [%d1];\nsetp.eq.u32 %p, %r, 0;\n@%p bra "
    "AGAIN;\nret;\n}\n"
    /* t[warp of the grid]: cycles of n rounds; x is carried from round to round */
    ".visible .entry chain(.param .u64 t, .param .u64 p, .param .u32 n)\n{\n.reg .b64 %d<9>;\n.reg .b32 "
    "%r<9>;\n"
    ".reg .f32 %f<3>;\n.reg .pred %p;\nld.param.u64 %d1, [t];\nld.param.u32 %r1, [n];\n"
    "mov.f32 %f1, 0f3F800000;\nmov.u64 %d2, %clock64;\nAGAIN:\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
    "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
    "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
    "fma.rn.f32 %f1, %f1, %f1, %f1;\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra AGAIN;\n"
    "bar.sync 0;\nmov.u64 %d3, %clock64;\nsub.u64 %d3, %d3, %d2;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, %tid.x;\nshr.u32 %r4, %r3, 5;\nmad.lo.u32 %r2, %r2, 2, %r4;\nmul.wide.u32 %d4, %r2, 8;\n"
    "add.u64 %d1, %d1, %d4;\nst.global.u64 [%d1], %d3;\nld.param.u64 %d5, [p];\nst.global.f32 [%d5], "
    "%f1;\nret;\n}\n"
    ".visible .entry chase(.param .u64 t, .param .u64 p, .param .u32 n)\n{\n.reg .b64 %d<9>;\n.reg .b32 "
    "%r<9>;\n"
    ".reg .pred %p;\nld.param.u64 %d1, [t];\nld.param.u64 %d2, [p];\nld.param.u32 %r1, [n];\n"
    "mov.u64 %d3, %globaltimer;\nmov.u64 %d5, %clock64;\nAGAIN:\nld.global.u64 %d2, [%d2];\n"
    "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra AGAIN;\nmov.u64 %d6, %clock64;\n"
    "mov.u64 %d4, %globaltimer;\nsub.u64 %d6, %d6, %d5;\nsub.u64 %d4, %d4, %d3;\nst.global.u64 [%d1], %d6;\n"
    "st.global.u64 [%d1+8], %d4;\nst.global.u64 [%d1+16], %d2;\nret;\n}\n";
enum { MIB = 1 << 20 };

static CUfunction nothing, wait_for, busy, chain, chase;
static CUdeviceptr device;
static uint8_t *pinned;
static CUstream streams[3];

static int setup(void **state)
{
    (void)state;
    driver_session_open();
    driver_context_open(state);
    CUmodule module = driver_module(ptx);
    nothing = driver_kernel(module, "nothing");
    busy = driver_kernel(module, "busy");
    chain = driver_kernel(module, "chain");
    chase = driver_kernel(module, "chase");
    wait_for = driver_kernel(module, "wait_for");
    OK(cuMemAlloc(&device, 64 * MIB));
    OK(cuMemAllocHost((void **)&pinned, 64 * MIB));
    driver_session_events();
    for (int i = 0; i < 3; i++)
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    return 0;
}

static int teardown(void **state)
{
    driver_context_close(state);
    return driver_session_close();
}

static void launch(CUstream stream)
{
    OK(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
}

static void one_copy_and_one_kernel(void **state)
{
    (void)state;
    OK(cuEventRecord(begin, streams[0]));
    OK(cuMemcpyHtoDAsync(device, pinned, 3 * MIB, streams[0]));
    OK(cuEventRecord(end, streams[0]));
    assert_recorded(elapsed_us(), 60.992);
    OK(cuEventRecord(begin, streams[0]));
    launch(streams[0]);
    OK(cuEventRecord(end, streams[0]));
    assert_recorded(elapsed_us(), 4.928);
    OK(cuEventRecord(begin, streams[0]));
    for (int i = 0; i < 1000; i++)
        launch(streams[0]);
    OK(cuEventRecord(end, streams[0]));
    assert_recorded(elapsed_us(), 3089.984);
}

/* Two copies in two streams, between events of the first. */
static double two_copies(bool there_and_back)
{
    OK(cuEventRecord(begin, streams[0]));
    OK(cuStreamWaitEvent(streams[1], begin, 0));
    OK(cuMemcpyHtoDAsync(device, pinned, 8 * MIB, streams[0]));
    if (there_and_back)
        OK(cuMemcpyDtoHAsync(pinned + 32 * MIB, device + 32 * MIB, 8 * MIB, streams[1]));
    else
        OK(cuMemcpyHtoDAsync(device + 32 * MIB, pinned + 32 * MIB, 8 * MIB, streams[1]));
    OK(cuEventRecord(end, streams[1]));
    OK(cuStreamWaitEvent(streams[0], end, 0));
    OK(cuEventRecord(end, streams[0]));
    return elapsed_us();
}

static void copies_both_ways_overlap(void **state)
{
    (void)state;
    assert_recorded(two_copies(true), 179.456);
    assert_recorded(two_copies(false), 312.576);
}

static void the_legacy_stream_waits(void **state)
{
    (void)state;
    CUstream blocking;
    OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    OK(cuEventRecord(begin, blocking));
    OK(cuMemcpyHtoDAsync(device, pinned, 8 * MIB, blocking));
    OK(cuMemcpyDtoHAsync(pinned + 32 * MIB, device + 32 * MIB, 8 * MIB, CU_STREAM_LEGACY));
    OK(cuEventRecord(end, blocking)); /* after the legacy stream's */
    assert_recorded(elapsed_us(), 2 * 154.5);
    OK(cuStreamDestroy(blocking));
}

static void queries_answer_by_the_clock_and_move_it(void **state)
{
    (void)state;
    OK(cuEventRecord(begin, streams[0]));
    OK(cuMemcpyHtoDAsync(device, pinned, MIB, streams[0])); /* 24.4 us; a query costs 0.18 */
    OK(cuEventRecord(end, streams[0]));
    float ms;
    assert_int_equal(cuEventElapsedTime(&ms, begin, end), CUDA_ERROR_NOT_READY);
    int polls = 0;
    while (cuEventQuery(end) == CUDA_ERROR_NOT_READY)
        polls++;
    assert_in_range(polls, 90, 160);
    OK(cuStreamQuery(streams[0]));
    assert_recorded(elapsed_us(), 24.352);
}

static void *copy_and_wait(void *unused)
{
    OK(cuCtxSetCurrent(context));
    OK(cuEventRecord(begin, streams[0]));
    OK(cuMemcpyHtoDAsync(device, pinned, 8 * MIB, streams[0]));
    OK(cuEventRecord(end, streams[0]));
    OK(cuEventSynchronize(end));
    return unused;
}

/* A thread that joins a thread which waited for an event sees the event as complete, although its own
 * clock has not advanced. */
static void times_that_another_thread_waited_for(void **state)
{
    (void)state;
    pthread_t thread;
    float ms = -1;
    OK(cuStreamQuery(streams[0])); /* this thread has a clock */
    assert_int_equal(pthread_create(&thread, NULL, copy_and_wait, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    OK(cuEventElapsedTime(&ms, begin, end));
    assert_recorded(1000.0 * ms, 154.5);
    OK(cuStreamQuery(streams[0])); /* now it was */
}

static void same_times_every_time(void **state)
{
    (void)state;
    double first = two_copies(true);
    for (int i = 0; i < 20; i++)
        assert_true(two_copies(true) - first < 1e-3 && first - two_copies(true) < 1e-3);
}

/* Kernels that spin on the global timer overlap while their blocks fit on the device (two blocks of
 * 1,024 threads a multiprocessor). Recorded, two_grids_100us: 132 blocks take 0.3 us more than 33, 264
 * blocks 95.9 us more. */
static double two_kernels(unsigned blocks, uint64_t ns)
{
    OK(cuEventRecord(begin, streams[0]));
    OK(cuStreamWaitEvent(streams[1], begin, 0));
    for (int i = 0; i < 2; i++)
        OK(cuLaunchKernel(busy, blocks, 1, 1, 1024, 1, 1, 0, streams[i], (void *[]){&ns}, NULL));
    OK(cuEventRecord(end, streams[1]));
    OK(cuStreamWaitEvent(streams[0], end, 0));
    OK(cuEventRecord(end, streams[0]));
    return elapsed_us();
}

static void kernels_overlap_while_they_fit(void **state)
{
    (void)state;
    enum { SHORT_NS = 10000 };
    assert_recorded(two_kernels(33, 100000), 108.896);
    double fit = two_kernels(33, SHORT_NS), still = two_kernels(132, SHORT_NS),
           after = two_kernels(264, SHORT_NS);
    assert_true(still >= fit && still - fit < 1);
    assert_true(after - fit > 0.5 * SHORT_NS / 1000 && after - fit < 1.2 * SHORT_NS / 1000);
}

/* A kernel waits for the host, and the host first waits for another stream. */
static void a_kernel_that_waits_for_the_host(void **state)
{
    (void)state;
    volatile uint32_t *flag = (volatile uint32_t *)(void *)pinned;
    CUdeviceptr at;
    *flag = 0;
    OK(cuMemHostGetDevicePointer(&at, pinned, 0));
    OK(cuLaunchKernel(wait_for, 1, 1, 1, 1, 1, 1, 0, streams[0], (void *[]){&at}, NULL));
    OK(cuEventRecord(begin, streams[1]));
    OK(cuMemcpyHtoDAsync(device, pinned + MIB, MIB, streams[1]));
    OK(cuEventRecord(end, streams[1]));
    assert_recorded(elapsed_us(), 24.352); /* comes back although the kernel still runs */
    assert_int_equal(cuStreamQuery(streams[0]), CUDA_ERROR_NOT_READY);
    *flag = 1;
    OK(cuStreamSynchronize(streams[0]));
    OK(cuStreamQuery(streams[0]));
}

static void run_for(CUfunction kernel, unsigned blocks, CUdeviceptr p, uint32_t rounds, uint64_t *out,
                    size_t bytes)
{
    CUdeviceptr t;
    OK(cuMemAlloc(&t, bytes));
    OK(cuLaunchKernel(kernel, blocks, 1, 1, kernel == chain ? 64 : 1, 1, 1, 0, NULL,
                      (void *[]){&t, &p, &rounds}, NULL));
    OK(cuMemcpyDtoH(out, t, bytes));
    OK(cuMemFree(t));
}

/* %clock64 advances as for a warp that runs alone: 4 cycles for a dependent multiply-add on an H200, and
 * the loop's overhead. It does not depend on host threads and is the same in every block. */
static void clocks_count_what_the_warp_did(void **state)
{
    (void)state;
    enum { BLOCKS = 64, ROUNDS = 100 };
    uint64_t cycles[2 * BLOCKS], again[2 * BLOCKS];
    run_for(chain, BLOCKS, device, ROUNDS, cycles, sizeof cycles);
    double each = (double)cycles[0] / (8 * ROUNDS);
    if (each < 4 || each > 6) fail_msg("%g cycles a multiply-add", each);
    for (int i = 1; i < 2 * BLOCKS; i++)
        assert_int_equal(cycles[i], cycles[0]);
    run_for(chain, BLOCKS, device, ROUNDS, again, sizeof again);
    assert_memory_equal(again, cycles, sizeof cycles);
    run_for(chain, BLOCKS, device, 2 * ROUNDS, again, sizeof again);
    assert_in_range(again[0], cycles[0] * 19 / 10, cycles[0] * 2);
}

/* Dependent loads take the latency of the smallest cache that holds all of the memory. */
static void clocks_see_which_cache_would_do(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes, least, most; /* cycles; H100: Luo et al., "Benchmarking and Dissecting the Nvidia
                                        Hopper GPU Architecture", 2024: 40.7, 273, 659 */
    } CASES[] = {{16 << 10, 30, 45}, {4 * MIB, 200, 350}, {UINT64_C(256) * MIB, 450, 800}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        enum { ROUNDS = 1000 };
        CUdeviceptr p;
        uint64_t out[3];
        OK(cuMemAlloc(&p, CASES[i].bytes));
        OK(cuMemcpyHtoD(p, &p, sizeof p)); /* a ring of one */
        run_for(chase, 1, p, ROUNDS, out, sizeof out);
        assert_in_range(out[0] / ROUNDS, CASES[i].least, CASES[i].most);
        assert_int_equal(out[2], p);
        double ghz = (double)out[0] / (double)out[1]; /* both went on together */
        assert_true(ghz > 1.2 && ghz < 2.0);
        OK(cuMemFree(p));
    }
}

static void records_have_the_clocks_times(void **state)
{
    (void)state;
    const struct session_process *p = driver_session_read();
    bool found = false;
    for (uint32_t i = 0; i < p->operation_count; i++)
        if (p->operations[i].kind == EVENT_OPERATION_COPY && p->operations[i].bytes == 3 * MIB) {
            assert_recorded(1e-3 * (double)(p->operations[i].end_ns - p->operations[i].start_ns), 59.8);
            found = true;
        }
    assert_true(found);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest rules[] = {
        cmocka_unit_test(queries_answer_by_the_clock_and_move_it),
        cmocka_unit_test(same_times_every_time),
        cmocka_unit_test(a_kernel_that_waits_for_the_host),
        cmocka_unit_test(clocks_count_what_the_warp_did),
    };
    const struct CMUnitTest recorded[] = {
        cmocka_unit_test(one_copy_and_one_kernel),
        cmocka_unit_test(copies_both_ways_overlap),
        cmocka_unit_test(the_legacy_stream_waits),
        cmocka_unit_test(times_that_another_thread_waited_for),
        cmocka_unit_test(kernels_overlap_while_they_fit),
        cmocka_unit_test(clocks_see_which_cache_would_do),
        cmocka_unit_test(records_have_the_clocks_times),
    };
    if (argc > 1 && strcmp(argv[1], "recorded") == 0)
        return cmocka_run_group_tests(recorded, setup, teardown);
    return cmocka_run_group_tests(rules, setup, teardown);
}
