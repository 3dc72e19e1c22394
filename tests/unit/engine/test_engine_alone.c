/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: atomics lose nothing where launches of several host threads come and go: each may run alone for a
 * while, without the host's atomics, and must not while another one runs. Method: threads launch the same
 * kernel again and again, with pauses, and all sums are exact; on one and on four host threads, with each
 * instruction set of this machine. Skips where libsoftwarp-jit.so was not built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

#include "engine/core/engine_object.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LAUNCHERS = 3, LAUNCHES = 24, GRID = 256, BLOCK = 64, CELLS = 64, BYTES = 4096 };
enum { SPREAD = 0, BESIDE = 64, FLOATS = 128, ONE = 192 }; /* words */

/* Each thread adds 1 to a cell of SPREAD, to its own of BESIDE, to a cell of FLOATS, and to ONE. */
static const char text[] =
    ".version 8.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry count(.param .u64 out) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
    "mad.lo.u32 %r3, %r1, 5, %r2; and.b32 %r3, %r3, 63; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, "
    "%rd2;\n"
    "red.global.add.u32 [%rd3], 1; red.global.add.f32 [%rd3+512], 0f3F800000;\n"
    "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5+256], 1;\n"
    "red.global.add.u32 [%rd1+768], 1; ret; }\n";

static void *launch_often(void *argument)
{
    struct engine_fixture *world = argument;
    struct engine_launch launch = {.grid = {GRID, 1, 1},
                                   .block = {BLOCK, 1, 1},
                                   .params = &world->memory,
                                   .sm_count = 4,
                                   .max_warps_per_sm = 64,
                                   .compute = 70};
    uintptr_t failed = engine_kernel_get(world->module, "count", &launch.kernel, NULL);
    for (int i = 0; i < LAUNCHES && !failed; i++) {
        failed = engine_launch(world->engine, &launch, NULL);
        if (i % 3 == 0) nanosleep(&(struct timespec){.tv_nsec = 20000 * (i % 5)}, NULL);
    }
    return (void *)failed;
}

static void check_sums(const struct engine_fixture *world)
{
    const uint32_t *words = (const uint32_t *)(uintptr_t)world->memory;
    const uint32_t all = LAUNCHERS * LAUNCHES * GRID * BLOCK;
    for (unsigned i = 0; i < CELLS; i++) {
        float sum;
        memcpy(&sum, &words[FLOATS + i], sizeof sum);
        assert_int_equal(words[SPREAD + i], all / CELLS);
        assert_int_equal(words[BESIDE + i], all / BLOCK);
        assert_int_equal((uint32_t)sum, all / CELLS);
    }
    assert_int_equal(words[ONE], all);
}

static void together(uint32_t threads, enum jit_isa isa)
{
    struct engine_fixture world;
    pthread_t launchers[LAUNCHERS];
    struct engine_config config = {.threads = threads, .isa = (int)isa};
    if (!engine_fixture_open(&world, config, text, BYTES)) return;
    memset((void *)(uintptr_t)world.memory, 0, BYTES);
    for (unsigned i = 0; i < LAUNCHERS; i++)
        assert_int_equal(pthread_create(&launchers[i], NULL, launch_often, &world), 0);
    for (unsigned i = 0; i < LAUNCHERS; i++) {
        void *failed;
        assert_int_equal(pthread_join(launchers[i], &failed), 0);
        assert_null(failed);
    }
    check_sums(&world);
    assert_int_equal(world.engine->alone.running, 0);
    assert_false(world.engine->alone.taken);
    engine_fixture_close(&world);
}

static void test_sums(void **state)
{
    (void)state;
    if (access(SW_BUILD_DIR "/lib/libsoftwarp-jit.so", R_OK) != 0) skip();
    for (unsigned isa = 0; isa < JIT_ISA_COUNT; isa++) {
        together(1, (enum jit_isa)isa);
        together(4, (enum jit_isa)isa);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
