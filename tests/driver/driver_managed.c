/* SPDX-License-Identifier: Apache-2.0 */
/* Migration of managed memory by the virtual clock: pieces that the host accessed, even if it only read
 * them or wrote the same values, and pieces that a kernel accesses. */
#include "driver_context.h"
#include "driver_session.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One thread accesses n words at a stride of step bytes: `bump` reads and writes them, `put` writes,
 * `look` reads. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry bump(.param .u64 p, .param .u64 step, .param .u32 n)\n{\n.reg .b64 %d<3>;\n"
    ".reg .b32 %r<4>;\n.reg .pred %p;\nld.param.u64 %d1, [p];\nld.param.u64 %d2, [step];\n"
    "ld.param.u32 %r1, [n];\nAGAIN:\nld.global.u32 %r2, [%d1];\nadd.u32 %r2, %r2, 1;\n"
    "st.global.u32 [%d1], %r2;\nadd.u64 %d1, %d1, %d2;\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n"
    "@%p bra AGAIN;\nret;\n}\n"
    ".visible .entry put(.param .u64 p, .param .u64 step, .param .u32 n)\n{\n.reg .b64 %d<3>;\n"
    ".reg .b32 %r<4>;\n.reg .pred %p;\nld.param.u64 %d1, [p];\nld.param.u64 %d2, [step];\n"
    "ld.param.u32 %r1, [n];\nAGAIN:\nst.global.u32 [%d1], %r1;\nadd.u64 %d1, %d1, %d2;\n"
    "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra AGAIN;\nret;\n}\n"
    ".visible .entry look(.param .u64 p, .param .u64 step, .param .u32 n)\n{\n.reg .b64 %d<3>;\n"
    ".reg .b32 %r<4>;\n.reg .pred %p;\nld.param.u64 %d1, [p];\nld.param.u64 %d2, [step];\n"
    "ld.param.u32 %r1, [n];\nAGAIN:\nld.volatile.global.u32 %r2, [%d1];\nadd.u64 %d1, %d1, %d2;\n"
    "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra AGAIN;\nret;\n}\n";
enum { PIECE = 64 << 10, PIECES = 64, BYTES = PIECES * PIECE };

static CUfunction bump, put, look;
static CUdeviceptr managed;
static volatile uint8_t *host;

static int setup(void **state)
{
    (void)state;
    driver_session_open();
    driver_context_open(state);
    CUmodule module = driver_module(ptx);
    bump = driver_kernel(module, "bump");
    put = driver_kernel(module, "put");
    look = driver_kernel(module, "look");
    driver_session_events();
    return 0;
}

static int teardown(void **state)
{
    driver_context_close(state);
    return driver_session_close();
}

/* The bytes that the last operation of a kind moved, and the number of such operations. */
static uint64_t moved(enum event_operation_kind kind, uint32_t *count)
{
    const struct session_process *p = driver_session_read();
    uint64_t bytes = 0;
    *count = 0;
    for (uint32_t i = 0; i < p->operation_count; i++) {
        if (p->operations[i].kind != kind) continue;
        bytes = p->operations[i].bytes;
        ++*count;
    }
    return bytes;
}

static double run_kernel(CUfunction kernel, uint64_t step, uint32_t n)
{
    OK(cuEventRecord(begin, NULL));
    OK(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&managed, &step, &n}, NULL));
    OK(cuEventRecord(end, NULL));
    OK(cuCtxSynchronize());
    return elapsed_us();
}

static double run(uint64_t step, uint32_t n)
{
    return run_kernel(bump, step, n);
}

static void assert_migrates(uint32_t pieces, uint64_t step, uint32_t n)
{
    uint32_t before, after;
    (void)moved(EVENT_OPERATION_MIGRATE, &before);
    double us = run(step, n);
    uint64_t bytes = moved(EVENT_OPERATION_MIGRATE, &after);
    assert_int_equal(after - before, pieces != 0);
    if (pieces) assert_int_equal(bytes, pieces * PIECE);
    assert_int_equal(us > 50, pieces != 0); /* a fault takes 100 us and more (fault_read), a kernel 5 */
}

static int allocate(void **state)
{
    (void)state;
    OK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL));
    host = (volatile uint8_t *)(uintptr_t)managed;
    memset((void *)(uintptr_t)managed, 0, BYTES);
    return 0;
}

static int deallocate(void **state)
{
    (void)state;
    return cuMemFree(managed) == CUDA_SUCCESS ? 0 : -1;
}

static void a_kernel_takes_what_it_touches(void **state)
{
    (void)state;
    assert_migrates(PIECES / 2, 2 * PIECE, PIECES / 2);
    assert_migrates(0, 2 * PIECE, PIECES / 2); /* they are there */
    assert_migrates(PIECES / 2, PIECE, PIECES);
    assert_migrates(0, 4096, BYTES / 4096);
}

/* copies.cu, fault_read and fault_write of 4 MiB: 743 and 641 us, with another kernel. */
static void what_is_only_written_comes_sooner(void **state)
{
    (void)state;
    double read = run_kernel(bump, PIECE, PIECES);
    memset((void *)(uintptr_t)managed, 1, BYTES);
    double written = run_kernel(put, PIECE, PIECES);
    if (read < 740 || read > 790) fail_msg("%g us", read);
    if (written < 635 || written > 685) fail_msg("%g us", written);
}

static void the_host_takes_what_it_touches(void **state)
{
    (void)state;
    uint8_t *at = (uint8_t *)(uintptr_t)managed;
    assert_migrates(PIECES, PIECE, PIECES);
    at[3 * PIECE + 7] = 0; /* what it was */
    assert_migrates(1, PIECE, PIECES);
    (void)host[9 * PIECE + 100]; /* only read */
    assert_migrates(1, PIECE, PIECES);
    assert_int_equal(host[PIECES / 2 * PIECE], 3);
    assert_migrates(0, PIECE, PIECES / 2);  /* not what this one wants */
    int zero = open("/dev/zero", O_RDONLY); /* a system call writes there */
    assert_int_equal(read(zero, at + 16 * PIECE, 4 * PIECE), 4 * PIECE);
    close(zero);
    assert_migrates(4, PIECE, PIECES / 2);
    assert_int_equal(host[16 * PIECE], 1);
    memset(at, 5, BYTES);
    assert_migrates(PIECES, PIECE, PIECES);
    assert_int_equal(host[0], 6);
    assert_int_equal(host[1], 5);
}

/* The time between two events, during which the host accesses n pieces at a stride of step pieces. */
static double host_touches(uint32_t first, uint32_t step, uint32_t n, bool writes)
{
    OK(cuEventRecord(begin, NULL));
    for (uint32_t i = 0; i < n; i++) {
        volatile uint8_t *at = host + (uint64_t)(first + i * step) * PIECE;
        uint8_t value = at[100];
        if (writes) at[100] = (uint8_t)(value + 1);
    }
    OK(cuEventRecord(end, NULL));
    OK(cuCtxSynchronize());
    return elapsed_us();
}

static void assert_near(double us, double expected)
{
    if (us < expected - 3 || us > expected + 3) fail_msg("%g us, not %g", us, expected);
}

/* A fault of the host takes 15.6 us, and each piece 5.73 us. With it migrate the pieces that complete an
 * aligned block of which more than half would then be on the host, up to 2 MiB. */
static void the_host_waits_for_what_it_takes_back(void **state)
{
    const double fault = 15.605, piece = 5.729;
    (void)state;
    assert_near(host_touches(0, 1, PIECES, true), 0); /* it has them */
    run(PIECE, PIECES);
    assert_near(host_touches(0, 1, PIECES, false), 12 * fault + PIECES * piece); /* recorded: 550 */
    assert_near(host_touches(0, 1, PIECES, true), 0);
    run(PIECE, PIECES);
    assert_near(host_touches(0, 1, 4, true), 3 * fault + 4 * piece);   /* 1, 1, 2 */
    assert_near(host_touches(5, 1, 1, false), fault + 4 * piece);      /* the half of 8 that is left */
    assert_near(host_touches(32, 8, 4, false), 4 * fault + 4 * piece); /* far apart */
    assert_migrates(8 + 4, PIECE, PIECES);                             /* what came with it, too */
    assert_near(host_touches(32, 1, 1, false), fault + piece);
    double us = run(PIECE, PIECES); /* the wait was before the events */
    if (us > 200) fail_msg("%g us", us);
}

/* A kernel faults after host accesses also when only its launch reads the virtual clock. */
static void the_host_waits_before_a_launch(void **state)
{
    float ms;
    uint64_t step = PIECE;
    uint32_t n = 1;
    (void)state;
    run(PIECE, PIECES);
    OK(cuEventRecord(begin, NULL));
    for (uint32_t i = 0; i < 1000; i++) /* many calls after the kernel */
        OK(cuEventRecord(end, NULL));
    OK(cuCtxSynchronize());
    OK(cuEventRecord(begin, NULL));
    for (uint32_t i = 0; i < PIECES; i++)
        (void)host[(uint64_t)i * PIECE];
    OK(cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&managed, &step, &n}, NULL));
    OK(cuEventRecord(end, NULL));
    OK(cuCtxSynchronize());
    OK(cuEventElapsedTime(&ms, begin, end));
    if (1000.0 * ms < 550 + 80) fail_msg("%g us", 1000.0 * ms); /* and a fault of the kernel */
}

/* copies.cu, first_touch: 5, 333, 1338 and 4562 us for up to 1, 4, 16 and 64 MiB. */
static void what_nobody_touched_comes_as_recorded(void **state)
{
    uint32_t before, after;
    CUdeviceptr used = managed;
    (void)state;
    OK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL));
    (void)moved(EVENT_OPERATION_MIGRATE, &before);
    double us = run_kernel(put, PIECE, PIECES);
    if (us < 320 || us > 380) fail_msg("%g us", us);
    assert_int_equal(moved(EVENT_OPERATION_MIGRATE, &after), BYTES);
    assert_int_equal(after - before, 1);
    us = run_kernel(put, PIECE, PIECES);
    if (us > 50) fail_msg("%g us", us);
    OK(cuMemFree(managed));
    OK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL)); /* a large one has pages of its own */
    us = run_kernel(put, PIECE, PIECES);
    if (us < 320 || us > 380) fail_msg("%g us", us);
    OK(cuMemFree(managed));
    OK(cuMemAllocManaged(&managed, BYTES, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemsetD8(managed, 1, BYTES)); /* touches it */
    us = run_kernel(bump, PIECE, PIECES);
    if (us > 50) fail_msg("%g us", us);
    OK(cuMemFree(managed));
    managed = used;
}

static void small_ones_find_what_was_left(void **state)
{
    enum { SMALL = 16 };
    CUdeviceptr used = managed;
    (void)state;
    for (int i = 0; i < 3; i++) {
        OK(cuMemAllocManaged(&managed, SMALL * PIECE, CU_MEM_ATTACH_GLOBAL));
        double us = run_kernel(put, PIECE, SMALL);
        assert_int_equal(us > 50, i != 1);
        if (i == 1) *(volatile uint8_t *)(uintptr_t)managed = 1; /* one piece goes to the host */
        OK(cuMemFree(managed));
    }
    managed = used;
}

/* Both have what is mostly read, until one writes. */
static void what_is_mostly_read_stays(void **state)
{
    const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    (void)state;
    OK(cuMemAdvise(managed, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    assert_int_equal(run_kernel(look, PIECE, PIECES) > 50, true);
    assert_near(host_touches(0, 1, PIECES, false), 0);
    assert_int_equal(run_kernel(look, PIECE, PIECES) > 50, false);
    assert_near(host_touches(7, 1, 1, true), 0); /* its own copy; the device loses its */
    assert_migrates(1, PIECE, PIECES);           /* this one writes: the host loses all */
    assert_int_equal(host_touches(0, 1, PIECES, false) > 500, true);
    assert_int_equal(run_kernel(look, PIECE, PIECES) > 50, false);
    OK(cuMemPrefetchAsync(managed, BYTES, here, 0, NULL));
    OK(cuCtxSynchronize());
    assert_near(host_touches(0, 1, PIECES, false), 0);
    OK(cuMemAdvise(managed, BYTES, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here));
}

static void copies_leave_it_where_it_is(void **state)
{
    (void)state;
    static uint8_t buffer[BYTES];
    assert_migrates(PIECES, PIECE, PIECES);
    OK(cuMemcpyDtoH(buffer, managed, BYTES));
    OK(cuMemcpyHtoD(managed, buffer, BYTES));
    OK(cuMemsetD8(managed, 3, BYTES));
    assert_migrates(0, PIECE, PIECES);
}

static void prefetches_move_what_is_elsewhere(void **state)
{
    (void)state;
    const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    const CUmemLocation there = {.type = CU_MEM_LOCATION_TYPE_HOST};
    static const struct {
        bool in;
        uint32_t first, count, moved;
    } STEPS[] = {{true, 0, PIECES, PIECES}, {true, 0, PIECES, 0}, {false, 0, 8, 8},
                 {true, 0, PIECES, 8},      {false, 4, 8, 8},     {false, 0, PIECES, PIECES - 8},
                 {true, 60, PIECES - 60, 4}};
    for (size_t i = 0; i < SW_COUNT_OF(STEPS); i++) {
        uint32_t count;
        OK(cuMemPrefetchAsync(managed + STEPS[i].first * PIECE, STEPS[i].count * PIECE,
                              STEPS[i].in ? here : there, 0, NULL));
        OK(cuCtxSynchronize());
        assert_int_equal(moved(EVENT_OPERATION_PREFETCH, &count), STEPS[i].moved * PIECE);
        assert_int_equal(count, i + 1);
    }
    assert_migrates(PIECES - 4, PIECE, PIECES);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest rules[] = {
        cmocka_unit_test_setup_teardown(a_kernel_takes_what_it_touches, allocate, deallocate),
        cmocka_unit_test_setup_teardown(the_host_takes_what_it_touches, allocate, deallocate),
        cmocka_unit_test_setup_teardown(the_host_waits_for_what_it_takes_back, allocate, deallocate),
        cmocka_unit_test_setup_teardown(the_host_waits_before_a_launch, allocate, deallocate),
        cmocka_unit_test_setup_teardown(small_ones_find_what_was_left, allocate, deallocate),
        cmocka_unit_test_setup_teardown(copies_leave_it_where_it_is, allocate, deallocate),
        cmocka_unit_test_setup_teardown(prefetches_move_what_is_elsewhere, allocate, deallocate),
        cmocka_unit_test_setup_teardown(what_is_mostly_read_stays, allocate, deallocate),
    };
    const struct CMUnitTest recorded[] = {
        cmocka_unit_test_setup_teardown(what_is_only_written_comes_sooner, allocate, deallocate),
        cmocka_unit_test_setup_teardown(what_nobody_touched_comes_as_recorded, allocate, deallocate),
    };
    if (argc > 1 && strcmp(argv[1], "recorded") == 0)
        return cmocka_run_group_tests(recorded, setup, teardown);
    return cmocka_run_group_tests(rules, setup, teardown);
}
