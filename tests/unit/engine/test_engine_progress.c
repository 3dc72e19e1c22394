/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: forward progress of threads that wait for each other. It depends on how many blocks the
 * device holds and on independent thread scheduling (from compute capability 7.0). Method: kernels with
 * waiting loops, on one and on four host threads, with each instruction set of this machine. An alarm ends
 * a hanging test. Skips where libsoftwarp-jit.so was not built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpu_runs.h"
#include "engine_fixture.h"

#include "engine/core/engine_object.h"

#include <string.h>
#include <unistd.h>

enum { HANGS_AFTER_SECONDS = 120, WORDS = 1024 };

/* back: block b waits for b - 1. ahead: block b waits for b + 1 within its group of four. lock: each
 * lane takes the lock. tangled: lanes wait for lane 5 in an inner loop whose end comes after the outer
 * one's. vote: lane 0 waits in a vote for the others, which wait for block 1, which waits until they went
 * round many times; the other warp waits at the barrier. */
static const char text[] =
    ".version 8.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry back(.param .u64 out) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 1; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, %tid.x; setp.ne.u32 %p3, %r3, 0; @%p3 bra END;\n"
    "setp.eq.u32 %p1, %r1, 0; @%p1 bra PUT;\n"
    "W: ld.volatile.global.u32 %r2, [%rd3+-4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W; add.u32 %r2, %r2, 1;\n"
    "PUT: st.volatile.global.u32 [%rd3], %r2;\nEND: ret; }\n"
    ".visible .entry ahead(.param .u64 out) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 1; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, %tid.x; setp.ne.u32 %p3, %r3, 0; @%p3 bra END;\n"
    "and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 3; @%p1 bra PUT;\n"
    "W: ld.volatile.global.u32 %r2, [%rd3+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W; add.u32 %r2, %r2, 1;\n"
    "PUT: st.volatile.global.u32 [%rd3], %r2;\nEND: ret; }\n"
    ".visible .entry lock(.param .u64 out) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out];\n"
    "L: atom.global.cas.b32 %r1, [%rd1+4], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\n"
    "ld.volatile.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd1], %r2;\n"
    "membar.gl; atom.global.exch.b32 %r3, [%rd1+4], 0; ret; }\n"
    ".visible .entry tangled(.param .u64 out) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; add.u32 %r3, %r1, 1;\n"
    "setp.eq.u32 %p1, %r1, 5; @%p1 bra PUT;\n"
    "A: setp.ne.u32 %p1, %r2, 0; @%p1 bra END; mov.u32 %r4, 0;\n"
    "B: add.u32 %r4, %r4, 1; setp.gt.u32 %p2, %r4, %r3; @%p2 bra A;\n"
    "C: ld.volatile.global.u32 %r2, [%rd1+8]; bra B;\n"
    "END: atom.global.add.u32 %r5, [%rd1], 1; ret;\n"
    "PUT: st.volatile.global.u32 [%rd1+8], 1; ret; }\n"
    ".visible .entry vote(.param .u64 out) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0;\n"
    "@%p1 bra OTHER; setp.ge.u32 %p2, %r1, 32; @%p2 bra ALL; setp.eq.u32 %p2, %r1, 0; @%p2 bra MEET;\n"
    "W: atom.global.add.u32 %r3, [%rd1], 1; ld.volatile.global.u32 %r4, [%rd1+4];\n"
    "setp.eq.u32 %p2, %r4, 0; @%p2 bra W;\n"
    "MEET: vote.sync.ballot.b32 %r5, 1, -1; st.volatile.global.u32 [%rd1+8], %r5;\n"
    "ALL: bar.sync 0; ret;\n"
    "OTHER: ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p2, %r3, 50000; @%p2 bra OTHER;\n"
    "st.volatile.global.u32 [%rd1+4], 1; ret; }\n";

static bool world_open(struct engine_fixture *world, uint32_t threads, enum jit_isa isa)
{
    struct engine_config config = {.threads = threads, .isa = (int)isa};
    if (!engine_fixture_open(world, config, text, WORDS * 4)) return false;
    memset((void *)(uintptr_t)world->memory, 0, WORDS * 4);
    return true;
}

struct device {
    uint32_t sm_count, max_warps_per_sm, compute;
};

static enum sw_status run_blocks_of(struct engine_fixture *world, const char *kernel, uint32_t grid,
                                    uint32_t block, struct device device, struct sw_error *error)
{
    struct engine_launch launch = {.grid = {grid, 1, 1},
                                   .block = {block, 1, 1},
                                   .params = &world->memory,
                                   .sm_count = device.sm_count,
                                   .max_warps_per_sm = device.max_warps_per_sm,
                                   .compute = device.compute};
    assert_int_equal(engine_kernel_get(world->module, kernel, &launch.kernel, error), SW_OK);
    return engine_launch(world->engine, &launch, error);
}

static enum sw_status run(struct engine_fixture *world, const char *kernel, uint32_t grid,
                          struct device device, struct sw_error *error)
{
    return run_blocks_of(world, kernel, grid, 32, device, error);
}

typedef void (*check_fn)(struct engine_fixture *world);

static void everywhere(check_fn check)
{
    static const uint32_t threads[] = {1, 4};
    if (access(SW_BUILD_DIR "/lib/libsoftwarp-jit.so", R_OK) != 0) skip();
    alarm(HANGS_AFTER_SECONDS);
    for (unsigned isa = 0; isa < JIT_ISA_COUNT; isa++)
        for (unsigned t = 0; t < SW_COUNT_OF(threads); t++) {
            struct engine_fixture world;
            if (!world_open(&world, threads[t], (enum jit_isa)isa)) continue;
            check(&world);
            engine_fixture_close(&world);
        }
    alarm(0);
}

static uint32_t word(const struct engine_fixture *world, uint32_t i)
{
    return ((const uint32_t *)(uintptr_t)world->memory)[i];
}

/* More blocks than the device holds, each waiting for the one before it. */
static void check_back(struct engine_fixture *world)
{
    assert_int_equal(run(world, "back", WORDS, (struct device){1, 2, 70}, NULL), SW_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(word(world, i), i + 1);
}

/* Blocks wait for later ones; the device holds exactly four blocks. */
static void check_ahead(struct engine_fixture *world)
{
    assert_int_equal(run(world, "ahead", WORDS, (struct device){2, 2, 70}, NULL), SW_OK);
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(word(world, i), 4 - i % 4);
}

static void check_lanes(struct engine_fixture *world)
{
    assert_int_equal(run(world, "lock", 3, (struct device){2, 2, 70}, NULL), SW_OK);
    assert_int_equal(word(world, 0), 96);
    assert_int_equal(run(world, "lock", 1, (struct device){2, 2, 90}, NULL), SW_OK);
    assert_int_equal(word(world, 0), 128);
    assert_int_equal(run(world, "tangled", 1, (struct device){2, 2, 70}, NULL), SW_OK);
    assert_int_equal(word(world, 0), 128 + 31);
}

/* A warp goes on at the vote though no lane has come since: it is not stuck. */
static void check_vote(struct engine_fixture *world)
{
    assert_int_equal(run_blocks_of(world, "vote", 2, 64, (struct device){2, 4, 70}, NULL), SW_OK);
    assert_int_equal(word(world, 2), UINT32_MAX);
}

/* The same before Volta. The test takes long, so it does not run with every instruction set. */
static void check_hang(struct engine_fixture *world)
{
    static const char *const kernels[] = {"lock", "tangled"};
    for (unsigned k = 0; k < SW_COUNT_OF(kernels) && world->engine->isa == (enum jit_isa)CPU_NARROWEST; k++) {
        struct sw_error error = {0};
        assert_int_equal(run(world, kernels[k], 1, (struct device){2, 64, 61}, &error), SW_LAUNCH_TIMEOUT);
        assert_non_null(strstr(error.message,
                               "lanes of one warp that wait for each other deadlock on compute "
                               "capability 6.1"));
        assert_string_equal(error.file, kernels[k]);
    }
}

static void test_blocks_wait_for_earlier_ones(void **state)
{
    (void)state;
    everywhere(check_back);
}

static void test_blocks_wait_for_later_ones(void **state)
{
    (void)state;
    everywhere(check_ahead);
}

static void test_lanes_wait_for_lanes(void **state)
{
    (void)state;
    everywhere(check_lanes);
}

static void test_lanes_in_a_vote_wait_for_others(void **state)
{
    (void)state;
    everywhere(check_vote);
}

static void test_lanes_hang_before_volta(void **state)
{
    (void)state;
    everywhere(check_hang);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_wait_for_earlier_ones),
        cmocka_unit_test(test_blocks_wait_for_later_ones),
        cmocka_unit_test(test_lanes_wait_for_lanes),
        cmocka_unit_test(test_lanes_in_a_vote_wait_for_others),
        cmocka_unit_test(test_lanes_hang_before_volta),
    };
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
