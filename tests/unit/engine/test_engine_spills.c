/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: spills are the part of a cubin's stack frame that is no local array of the PTX, of the kernel
 * or of inlined functions. Method: small kernels and given frame sizes. Limits: no cubin is read here
 * (tests/unit/fatbin). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine_fixture.h"

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry plain(.param .u64 out) {\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;\n"
    "st.global.u32 [%rd1], %r1; ret; }\n"
    ".func (.param .b32 r) keeps(.param .b32 i) {\n"
    ".local .align 4 .b8 kept[64]; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u32 %r1, [i]; mov.u64 %rd1, kept; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "st.local.u32 [%rd3], %r1; ld.local.u32 %r2, [kept]; st.param.b32 [r], %r2; ret; }\n"
    ".visible .entry arrays(.param .u64 out) {\n"
    ".local .align 16 .b8 own[128]; .reg .b32 %r<4>; .reg .b64 %rd<4>; .param .b32 a; .param .b32 b;\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; st.local.u32 [own+12], %r1;\n"
    "st.param.b32 [a], %r1; call (b), keeps, (a); ld.param.b32 %r2, [b]; ld.local.u32 %r3, [own];\n"
    "add.u32 %r2, %r2, %r3; st.global.u32 [%rd1], %r2; ret; }\n";

static void frames_without_arrays_are_spills(void **state)
{
    (void)state;
    enum { REGISTERS = 24, ARRAYS = 128 + 64 };
    static const struct {
        const char *kernel;
        uint32_t frame, spills;
    } CASES[] = {{"plain", 0, 0},
                 {"plain", 40, 40},
                 {"arrays", ARRAYS, 0},
                 {"arrays", ARRAYS + 16, 16},
                 {"arrays", ARRAYS - 64, 0}}; /* ptxas kept an array in registers */
    struct sw_error error = {0};
    struct engine_fixture world;
    struct engine_config config = {.threads = 1, .isa = -1};
    assert_true(engine_fixture_open(&world, config, text, 1));
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        struct engine_kernel *kernel;
        assert_int_equal(engine_kernel_get(world.module, CASES[i].kernel, &kernel, &error), SW_OK);
        engine_kernel_set_resources(kernel, REGISTERS, CASES[i].frame);
        const struct event_kernel *info = engine_kernel_info(kernel);
        assert_true(info->registers_exact);
        assert_int_equal(info->registers, REGISTERS);
        assert_int_equal(info->spill_bytes, CASES[i].spills);
    }
    engine_fixture_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_without_arrays_are_spills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
