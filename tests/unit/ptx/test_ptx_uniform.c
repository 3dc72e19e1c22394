/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which atomics one lane does for its warp, by how ptxas 13.0 compiles the same for sm_90. */
#include "flat_ptx.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *text; /* p: %rd1, q: %rd2, a thread's own value of q: %r3 and %rd3, x: %r1, tid: %r2 */
    bool one;
} CASES[] = {
    {"red.global.add.u32 [%rd1], 1;", true},
    {"red.global.add.u32 [%rd1], %r1;", true},
    {"red.global.add.u32 [%rd1], %r3;", true},
    {"red.global.max.s32 [%rd1], %r3;", true},
    {"red.global.xor.b32 [%rd1], %r3;", true},
    {"red.add.u32 [%rd1], %r3;", true}, /* generic */
    {"red.global.inc.u32 [%rd1], %r1;", false},
    {"red.global.add.f32 [%rd1], 0f3F800000;", false},
    {"red.global.add.u64 [%rd1], 1;", true},
    {"red.global.add.u64 [%rd1], %rd3;", false},
    {"red.global.max.u64 [%rd1], %rd3;", false},
    {"atom.global.add.u32 %r4, [%rd1], %r3; st.global.u32 [%rd6], %r4;", true},
    {"atom.global.add.u64 %rd4, [%rd1], 1; st.global.u64 [%rd6], %rd4;", true},
    {"atom.global.max.s32 %r4, [%rd1], %r3; st.global.u32 [%rd6], %r4;", false},
    {"atom.global.exch.b32 %r4, [%rd1], %r3; st.global.u32 [%rd6], %r4;", false},
    {"atom.global.cas.b32 %r4, [%rd1], %r1, %r3; st.global.u32 [%rd6], %r4;", false},
    {"atom.global.max.s32 %r4, [%rd1], %r3;", true}, /* nobody uses the result */
    /* addresses */
    {"red.shared.add.u32 [s], %r3;", true},
    {"mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5], "
     "%r3;",
     true},
    {"mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5], 1;", false},
    {"shr.u32 %r4, %r2, 5; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5], "
     "1;",
     false},
    {"ld.global.u64 %rd4, [%rd2]; red.global.add.u32 [%rd4], 1;", true},
    {"ld.shared.u64 %rd4, [s]; red.global.add.u32 [%rd4], 1;", true},
    {"ld.volatile.global.u64 %rd4, [%rd2]; red.global.add.u32 [%rd4], 1;", false},
    {"selp.u64 %rd4, %rd1, %rd2, %p1; red.global.add.u32 [%rd4], 1;", false},
    /* a loop's counter: all lanes count alike, or may part */
    {"mov.u64 %rd4, %rd1; L: red.global.add.u32 [%rd4], %r3; add.u64 %rd4, %rd4, 4; setp.lt.u64 %p2, %rd4, "
     "%rd2; @%p2 bra L;",
     true},
    {"mov.u64 %rd4, %rd1; L: red.global.add.u32 [%rd4], 1; add.u64 %rd4, %rd4, 4; setp.lt.u64 %p2, %rd4, "
     "%rd3; @%p2 bra L;",
     false},
};

static bool one_lane_does(const char *statements)
{
    char *text;
    struct flat_ptx ptx;
    assert_true(
        asprintf(&text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n"
                 ".entry k(.param .u64 p, .param .u64 q, .param .u32 x)\n{\n"
                 ".reg .u32 %%r<9>; .reg .u64 %%rd<9>; .reg .pred %%p<3>; .shared .align 8 .b8 s[8];\n"
                 "ld.param.u64 %%rd1, [p]; ld.param.u64 %%rd2, [q]; ld.param.u32 %%r1, [x];\n"
                 "mov.u32 %%r2, %%tid.x; mul.wide.u32 %%rd6, %%r2, 8; add.u64 %%rd6, %%rd6, %%rd2;\n"
                 "ld.global.u32 %%r3, [%%rd6]; ld.global.u64 %%rd3, [%%rd6];\n"
                 "setp.eq.u32 %%p1, %%r2, 0;\n%s\nret;\n}\n",
                 statements) > 0);
    flat_ptx_open(&ptx, text);
    free(text);
    bool *varies = ptx_varying_registers(ptx.flat), one = false;
    for (uint32_t i = 0; i < ptx.flat->instr_count; i++)
        one |= ptx_one_lane_does(&ptx.flat->instrs[i], varies);
    free(varies);
    flat_ptx_close(&ptx);
    return one;
}

static void as_ptxas_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++)
        if (one_lane_does(CASES[i].text) != CASES[i].one)
            fail_msg("%s: %s", CASES[i].text, CASES[i].one ? "one lane does it" : "each lane does its own");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_ptxas_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
