/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: test the reference itself. Method: small kernels whose results are given here, or computed by
 * a line of C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle.h"

#include <stdio.h>
#include <string.h>

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define INDEX                                                                                                \
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<9>; .reg .f64 "    \
    "%d<9>;\n"                                                                                               \
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"          \
    "mad.lo.s32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"

static void run(const char *text, uint32_t grid, uint32_t block, uint32_t *out)
{
    struct ptx_module *module;
    struct sw_error error = {0};
    char message[600];
    if (ptx_parse(text, strlen(text), "test", &module, &error) != SW_OK)
        fail_msg("%s", sw_error_format(&error, message, sizeof message));
    struct oracle_launch launch = {
        .module = module, .kernel = "k", .grid = {grid, 1, 1}, .block = {block, 1, 1}, .params = &out};
    if (oracle_run(&launch, &error) != SW_OK) fail_msg("%s", error.message);
    ptx_module_free(module);
}

static void test_loop_and_divergence(void **state)
{
    (void)state;
    uint32_t out[128];
    run(HEAD ".visible .entry k(.param .u64 out) {" INDEX "mov.u32 %r5, 0; mov.u32 %r6, %r4;\n"
             "L: setp.eq.u32 %p1, %r6, 1; setp.eq.or.u32 %p1, %r6, 0, %p1; @%p1 bra DONE;\n"
             "and.b32 %r7, %r6, 1; setp.eq.u32 %p2, %r7, 0; @%p2 bra EVEN;\n"
             "mad.lo.u32 %r6, %r6, 3, 1; bra NEXT;\n"
             "EVEN: shr.u32 %r6, %r6, 1;\n"
             "NEXT: add.u32 %r5, %r5, 1; bra L;\n"
             "DONE: st.global.u32 [%rd3], %r5; ret; }",
        2, 64, out);
    for (uint32_t i = 0; i < 128; i++) {
        uint32_t steps = 0;
        for (uint32_t n = i; n > 1; steps++)
            n = n % 2 ? 3 * n + 1 : n / 2;
        assert_int_equal(out[i], steps);
    }
}

static void test_recursion(void **state)
{
    (void)state;
    uint32_t out[32];
    run(HEAD ".func (.param .b32 r) fib(.param .b32 n) {\n"
             ".reg .pred %p<2>; .reg .b32 %r<8>; .param .b32 a; .param .b32 b;\n"
             "ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra BASE;\n"
             "sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call (b), fib, (a); ld.param.b32 %r3, [b];\n"
             "sub.u32 %r4, %r1, 2; st.param.b32 [a], %r4; call (b), fib, (a); ld.param.b32 %r5, [b];\n"
             "add.u32 %r1, %r3, %r5;\n"
             "BASE: st.param.b32 [r], %r1; ret; }\n"
             ".visible .entry k(.param .u64 out) { .param .b32 x; .param .b32 y;" INDEX
             "and.b32 %r5, %r1, 15; st.param.b32 [x], %r5; call (y), fib, (x); ld.param.b32 %r6, [y];\n"
             "st.global.u32 [%rd3], %r6; ret; }",
        1, 32, out);
    uint32_t fib[16] = {0, 1};
    for (int i = 2; i < 16; i++)
        fib[i] = fib[i - 1] + fib[i - 2];
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], fib[i % 16]);
}

static void test_barrier_and_shuffle(void **state)
{
    (void)state;
    uint32_t out[96];
    run(HEAD ".visible .entry k(.param .u64 out) { .shared .align 4 .b8 buf[384];" INDEX
             "mov.u32 %r5, buf; shl.b32 %r6, %r1, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1;\n"
             "bar.sync 0;\n"
             "sub.u32 %r8, 95, %r1; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %r5; ld.shared.u32 %r9, [%r8];\n"
             "shfl.sync.bfly.b32 %r10|%p1, %r9, 1, 31, -1;\n"
             "setp.ge.u32 %p2, %r10, 48; vote.sync.ballot.b32 %r11, %p2, -1; popc.b32 %r11, %r11;\n"
             "mad.lo.u32 %r10, %r11, 1000, %r10; st.global.u32 [%rd3], %r10; ret; }",
        1, 96, out);
    for (uint32_t t = 0; t < 96; t++) {
        uint32_t value = 95 - (t ^ 1), ones = 0;
        for (uint32_t l = t / 32 * 32; l < t / 32 * 32 + 32; l++)
            ones += 95 - (l ^ 1) >= 48;
        assert_int_equal(out[t], ones * 1000 + value);
    }
}

/* One instruction from %r5 (an f32's bits, or an integer) to %r6. */
static uint32_t one(const char *instr, uint32_t input)
{
    static char text[4096];
    uint32_t out[1] = {0};
    strcpy(text, HEAD ".visible .entry k(.param .u64 out) {" INDEX);
    snprintf(text + strlen(text), 1024,
             "mov.u32 %%r5, %u; mov.b32 %%f1, %%r5; %s st.global.u32 [%%rd3], %%r6; ret; }", input, instr);
    run(text, 1, 1, out);
    return out[0];
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *instr;
        uint32_t input, wanted;
    } table[] = {
        {"bfe.s32 %r6, %r5, 4, 8;", 0x00000ff0, 0xffffffff},
        {"bfe.u32 %r6, %r5, 4, 8;", 0x00000ab0, 0xab},
        {"brev.b32 %r6, %r5;", 1, 0x80000000},
        {"clz.b32 %r6, %r5;", 0, 32},
        {"prmt.b32 %r6, %r5, 0, 0x0123;", 0x11223344, 0x44332211},
        {"lop3.b32 %r6, %r5, 0xff00ff00, 0x0f0f0f0f, 0x96;", 0x12345678,
         0x12345678 ^ 0xff00ff00 ^ 0x0f0f0f0f},
        {"mul.hi.u32 %r6, %r5, %r5;", 0xffffffff, 0xfffffffe},
        {"cvt.rzi.s32.f32 %r6, %f1;", 0xc0200000, (uint32_t)-2}, /* -2.5 */
        {"cvt.rni.s32.f32 %r6, %f1;", 0x40200000, 2},            /* 2.5 */
        {"cvt.rzi.u32.f32 %r6, %f1;", 0xbf800000, 0},            /* -1: clamped */
        {"cvt.rzi.s32.f32 %r6, %f1;", 0x7fc00000, 0},            /* NaN */
        {"cvt.rn.f32.u32 %f2, %r5; mov.b32 %r6, %f2;", 0xffffffff, 0x4f800000},
        {"cvt.rz.f32.u32 %f2, %r5; mov.b32 %r6, %f2;", 0xffffffff, 0x4f7fffff},
        {"cvt.rn.f16.f32 %h1, %f1; mov.b32 %r6, {%h1, %h1};", 0x477fefff,
         0x7bff7bff}, /* just below overflow */
        {"cvt.rn.f16.f32 %h1, %f1; cvt.u32.u16 %r6, %h1;", 0x477ff000, 0x7c00},
        {"cvt.rn.f16.f32 %h1, %f1; cvt.u32.u16 %r6, %h1;", 0x33800000, 0x0001}, /* 2^-24 */
        {"cvt.rn.f16.f32 %h1, %f1; cvt.u32.u16 %r6, %h1;", 0x33000000, 0x0000}, /* 2^-25: tie to even */
        {"add.rp.f32 %f2, %f1, 0f33000000; mov.b32 %r6, %f2;", 0x3f800000, 0x3f800001},
        {"add.rn.f32 %f2, %f1, 0f33000000; mov.b32 %r6, %f2;", 0x3f800000, 0x3f800000},
        {"add.ftz.f32 %f2, %f1, 0f00000000; mov.b32 %r6, %f2;", 0x00000001, 0},
        {"add.f32 %f2, %f1, 0f00000000; mov.b32 %r6, %f2;", 0x00000001, 1},
        {"add.rm.f32 %f2, %f1, 0fBF800000; mov.b32 %r6, %f2;", 0x3f800000, 0x80000000},
        {"mul.rz.f32 %f2, %f1, %f1; mov.b32 %r6, %f2;", 0x7f000000, 0x7f7fffff},
        {"fma.rn.sat.f32 %f2, %f1, %f1, %f1; mov.b32 %r6, %f2;", 0x7fc00000, 0},
        {"min.f32 %f2, %f1, 0f40000000; mov.b32 %r6, %f2;", 0x7fc00000, 0x40000000},
        {"div.rn.f32 %f2, %f1, 0f40400000; mov.b32 %r6, %f2;", 0x3f800000, 0x3eaaaaab},
        {"sqrt.rn.f32 %f2, %f1; mov.b32 %r6, %f2;", 0x40000000, 0x3fb504f3},
        {"shf.l.wrap.b32 %r6, %r5, 0x12345678, 8;", 0xabcdef01, 0x345678ab},
    };
    for (size_t i = 0; i < SW_COUNT_OF(table); i++) {
        uint32_t got = one(table[i].instr, table[i].input);
        if (got != table[i].wanted)
            fail_msg("%s %08x: %08x, not %08x", table[i].instr, table[i].input, got, table[i].wanted);
    }
    for (uint32_t i = 0; i < 200; i++) { /* rounding agrees with this machine's */
        float x = (float)i * 1.37f - 90, y = x / 3.0f;
        assert_int_equal(one("div.rn.f32 %f2, %f1, 0f40400000; mov.b32 %r6, %f2;", bits_of(x)), bits_of(y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_and_divergence),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_barrier_and_shuffle),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
