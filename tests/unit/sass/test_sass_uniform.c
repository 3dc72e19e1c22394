/* SPDX-License-Identifier: Apache-2.0 */
/* For which loads of constant memory ptxas uses an address in uniform registers: as in the kernels that
 * the cases name (tests/hw/memory, tests/hw/timing; ptxas 13.0 for 9.0). */
#include "event_code.h"
#include "sass_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };
static const struct {
    const char *name;
    bool uniform, before; /* before: also before compute capability 7.5 */
    const char *body;     /* of its loads of constant memory, the last one */
} CASES[] = {
    {"an address without registers", true, true, "ld.const.f32 %f1, [table+8];"},
    {"a counter of a loop (constants_late)", true, false,
     "mov.u64 %rd1, 0; $L: ld.param.u64 %rd2, [k_param_4]; mul.lo.s64 %rd3, %rd1, %rd2;"
     "ld.const.f32 %f1, [%rd3]; add.s64 %rd1, %rd1, 1; bra $L;"},
    {"what such a load brought", true, false, "ld.const.u64 %rd1, [table]; ld.const.f32 %f1, [%rd1];"},
    {"a thread's place (constants_apart, constant_lanes)", false, false,
     "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; ld.const.f32 %f1, [%r2];"},
    {"a block's place", false, false, "mov.u32 %r1, %ctaid.x; ld.const.f32 %f1, [%r1];"},
    {"a block's size", true, false, "mov.u32 %r1, %ntid.x; ld.const.f32 %f1, [%r1];"},
    {"what a loop takes from behind", false, false,
     "mov.u32 %r1, 0; $L: ld.const.f32 %f1, [%r2]; add.s32 %r2, %r1, 4; ld.global.u32 %r1, [%rd4]; bra $L;"},
    {"an exchange of lanes", false, false, "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1; ld.const.f32 %f1, [%r1];"},
    {"a float", false, false, "add.f32 %r1, 0f3F800000, 0f3F800000; ld.const.f32 %f1, [%r1];"},
};

static bool is_uniform(const char *body, int major, int minor)
{
    struct event_code code;
    struct sass_lower lower[MOST] = {0};
    uint32_t load = MOST;
    struct arch_gpu gpu = {.cc_major = major, .cc_minor = minor};
    event_code_open(&code, body);
    assert_true(code.kernel.instr_count <= MOST);
    for (uint32_t i = 0; i < code.kernel.instr_count; i++) {
        bool constant = code.instrs[i].space == ISA_SPACE_CONST;
        if (constant) load = i;
        lower[i].uniform = !constant; /* is set for all */
    }
    assert_true(load < MOST);
    sass_find_uniform(&gpu, &code.kernel, lower);
    for (uint32_t i = 0; i < code.kernel.instr_count; i++)
        assert_true(code.instrs[i].space == ISA_SPACE_CONST || !lower[i].uniform);
    event_code_close(&code);
    return lower[load].uniform;
}

static void addresses_are_uniform_by_their_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        if (is_uniform(CASES[i].body, 9, 0) != CASES[i].uniform) fail_msg("9.0: %s", CASES[i].name);
        if (is_uniform(CASES[i].body, 7, 5) != CASES[i].uniform) fail_msg("7.5: %s", CASES[i].name);
        if (is_uniform(CASES[i].body, 7, 0) != CASES[i].before) fail_msg("7.0: %s", CASES[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses_are_uniform_by_their_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
