/* SPDX-License-Identifier: Apache-2.0 */
/* Forms that exist, and the message for those that do not: one statement a row, in a module of that version
 * and target. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct form_case {
    const char *version, *target, *statement;
    const char *message; /* NULL: it is accepted */
};
static const struct form_case cases[] = {
    /* what exists */
    {"9.0", "sm_90", "add.rz.ftz.sat.f32 %f1, %f2, %f3", NULL},
    {"9.0", "sm_90", "min.xorsign.abs.f16x2 %r1, %r2, %r3", NULL},
    {"9.0", "sm_90", "min.f16x2.xorsign.abs.NaN %r1, %r2, %r3", NULL},
    {"9.0", "sm_90", "setp.lt.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3", NULL},
    {"9.0", "sm_90", "setp.lt.ftz.and.f32 _|%p2, %f1, %f2, %p3", NULL},
    {"9.0", "sm_90", "lop3.or.b32 _|%p1, %r1, %r2, %r3, 0x80, %p2", NULL},
    {"9.0", "sm_90",
     "ld.relaxed.gpu.global.L1::evict_last.L2::cache_hint.v4.f32 {%f1, _, %f2, %f3}, [%l1], %l2", NULL},
    {"9.0", "sm_90", "ld.global.b128 %q1, [%l1]", NULL},
    {"9.0", "sm_90", "atom.add.release.gpu.u32 %r1, [%l1], %r2", NULL},
    {"9.0", "sm_90",
     "atom.global.v8.f16.max.noftz {%h1,%h2,%h3,%h4,%h1,%h2,%h3,%h4}, [%l1], "
     "{%h1,%h2,%h3,%h4,%h1,%h2,%h3,%h4}",
     NULL},
    {"9.0", "sm_90", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2", NULL},
    {"9.0", "sm_90", "cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4", NULL},
    {"9.0", "sm_90", "vadd.s32.u32.s32.sat %r1.b0, %r2.h1, -%r3, %r4", NULL},
    {"9.0", "sm_90", "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %l1, 0.5", NULL},
    {"9.0", "sm_100a", "cvt.rn.satfinite.e2m1x2.f32 %b1, %f1, %f2", NULL},
    {"9.0", "sm_100", "add.rn.f32x2 %l1, %l2, %l3", NULL},
    {"6.0", "sm_50", "mad.lo.cc.u32 %r1, %r2, %r3, %r4", NULL},
    {"9.0", "sm_90",
     "tex.grad.a2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%l1, {%r1, %f1, %f2, %f3}], {%f1, %f2}, "
     "{%f3, %f4}",
     NULL},
    {"9.0", "sm_90", "tex.base.2dms.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%l1, {%r1, %r2, %r3, %r4}]", NULL},
    {"9.0", "sm_90", "tex.cube.v2.f16x2.f32 {%r1, %r2}, [%l1, %l2, {%f1, %f2, %f3, %f4}]", NULL},
    {"9.0", "sm_90", "suld.b.a1d.cv.v4.b8.zero {%h1, %h2, %h3, %h4}, [%l1, {%r1, %r2}]", NULL},
    {"9.0", "sm_90", "sust.p.3d.v2.b32.clamp [%l1, {%r1, %r2, %r3, %r4}], {%r1, %r2}", NULL},
    {"9.0", "sm_90", "sured.b.max.2d.s64.trap [%l1, {%r1, %r2}], %l2", NULL},
    /* modifiers and types that do not go together */
    {"9.0", "sm_90", "tex.cube.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%l1, {%r1, %r2, %r3, %r4}]",
     "'.cube' is not allowed with"},
    {"9.0", "sm_90", "tex.2d.v2.f32.f32 {%f1, %f2}, [%l1, {%f1, %f2}]", "'.v2' is not allowed with"},
    {"9.0", "sm_90", "tex.2d.v4.b32.f32 {%r1, %r2, %r3, %r4}, [%l1, {%f1, %f2}]",
     "it does not exist with these types"},
    {"9.0", "sm_90", "suld.b.2d.b32 %r1, [%l1, {%r1, %r2}]", "one of .trap .clamp .zero is missing"},
    {"9.0", "sm_90", "suld.b.2d.v4.b64.trap {%l1, %l2, %l3, %l4}, [%l1, {%r1, %r2}]",
     "'.v4' is not allowed with"},
    {"9.0", "sm_90", "suld.b.cube.b32.trap %r1, [%l1, {%r1, %r2}]", "'.cube' is not a modifier of 'suld'"},
    {"9.0", "sm_90", "sust.p.2d.b64.trap [%l1, {%r1, %r2}], %l2", "'.p' is not allowed with"},
    {"9.0", "sm_90", "sured.b.xor.2d.b32.trap [%l1, {%r1, %r2}], %r3", "'.xor' is not a modifier of 'sured'"},
    {"9.0", "sm_90", "sured.b.add.a2d.u32.trap [%l1, {%r1, %r2, %r3, %r4}], %r3",
     "'.a2d' is not a modifier of 'sured'"},
    {"9.0", "sm_90", "add.relu.u32 %r1, %r2, %r3",
     "6:2: 'add.relu.u32' in 'k': '.relu' is not a modifier of 'add'"},
    {"9.0", "sm_90", "add.sat.u32 %r1, %r2, %r3",
     "'.sat' is not allowed with its type and its other modifiers"},
    {"9.0", "sm_90", "add.u8 %h1, %h2, %h3", "it does not exist with these types"},
    {"9.0", "sm_90", "add %r1, %r2, %r3", "it does not exist with these types"},
    {"9.0", "sm_90", "add.ftz.f64 %d1, %d2, %d3", "'.ftz' is not allowed with"},
    {"9.0", "sm_90", "fma.f32 %f1, %f2, %f3, %f1", "one of .rn .rz .rm .rp is missing"},
    {"9.0", "sm_90", "sin.f32 %f1, %f2", "'.approx' is missing"},
    {"9.0", "sm_90", "mul.u32 %r1, %r2, %r3", "one of .hi .lo is missing"},
    {"9.0", "sm_90", "min.abs.f16 %h1, %h2, %h3", "'.xorsign' is missing"},
    {"9.0", "sm_90", "setp.ltu.s32 %p1, %r1, %r2", "'.ltu' is not allowed with"},
    {"9.0", "sm_90", "shf.l.b32 %r1, %r2, %r3, %r4", "one of .clamp .wrap is missing"},
    {"9.0", "sm_90", "ld.acquire.global.u32 %r1, [%l1]", "one of .cta .cluster .gpu .sys is missing"},
    {"9.0", "sm_90", "st.global.ca.u32 [%l1], %r1", "'.ca' is not a modifier of 'st'"},
    {"9.0", "sm_90", "atom.global.add.f16 %h1, [%l1], %h2", "'.noftz' is missing"},
    {"9.0", "sm_90", "atom.global.weak.add.u32 %r1, [%l1], %r2", "'.weak' is not a modifier of 'atom'"},
    {"9.0", "sm_90", "atom.global.v2.u32.add {%r1, %r2}, [%l1], {%r3, %r4}", "'.v2' is not allowed with"},
    {"9.0", "sm_90", "red.global.exch.b32 [%l1], %r2", "'.exch' is not a modifier of 'red'"},
    {"9.0", "sm_90", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1", "expected 3 operands, found 2"},
    {"9.0", "sm_90", "ld.global.L2::cache_hint.u32 %r1, [%l1]", "expected 3 operands, found 2"},
    {"9.0", "sm_90", "add.f32 %f1, %r1, %f2", NULL}, /* .b32 holds anything of 32 bits */
    {"9.0", "sm_90", "add.f32 %f1, %l1, %f2",
     "operand 2 of 'add.f32' in 'k': expected a register of type .f32"},
    {"9.0", "sm_90", "setp.lt.f16 %p1|%p2, %h1, %h2",
     "operand 1 of 'setp.lt.f16' in 'k': expected one predicate"},
    {"9.0", "sm_90", "vote.any.pred %p1, %p2", "on sm_70 and later it needs .sync"},
    {"9.0", "sm_90", "st.volatile.local.u32 [%l1], %r1", "is not allowed with"},
    {"9.0", "sm_90", "mov.b64 %l1, {%h1, %h2}", "the elements do not add up to the size of the type"},
    /* targets */
    {"9.0", "sm_90", "add.f32x2 %l1, %l2, %l3",
     "this form needs .target sm_100 or later, the module is for sm_90"},
    {"9.0", "sm_90", "min.f32 %f1, %f2, %f3, %f4", "this form needs .target sm_100"},
    {"9.0", "sm_90", "fma.rn.f32.f16 %f1, %h1, %h2, %f2", "needs .target sm_100 or later"},
    {"9.0", "sm_90", "ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f1,%f2,%f3,%f4}, [%l1]",
     "needs .target sm_100 or later"},
    {"9.0", "sm_90", "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2", "needs .target sm_100a, the module is for sm_90"},
    {"9.0", "sm_90", "cvt.rn.satfinite.e2m3x2.f32 %h1, %f1, %f2",
     "needs .target sm_100a, the module is for sm_90"},
    {"9.0", "sm_100", "redux.sync.min.f32 %f1, %f2, -1", "needs .target sm_100a"},
    {"7.8", "sm_80", "atom.add.noftz.bf16 %h1, [%l1], %h2",
     "needs .target sm_90 or later, the module is for sm_80"},
    {"7.8", "sm_50", "add.f16 %h1, %h2, %h3", "needs .target sm_53 or later, the module is for sm_50"},
    {"8.3", "sm_80", "ld.relaxed.cluster.u32 %r1, [%l1]", "'.cluster' needs .target sm_90 or later"},
    {"8.3", "sm_70", "ld.global.L2::cache_hint.u32 %r1, [%l1], %l2",
     "'.L2::cache_hint' needs .target sm_80 or later"},
    /* versions */
    {"7.0", "sm_80", "bmsk.clamp.b32 %r1, %r2, %r3",
     "this form needs .version 7.6 or later, the module says 7.0"},
    {"7.8", "sm_90", "atom.global.v2.f32.add {%f1, %f2}, [%l1], {%f3, %f4}", "needs .version 8.1 or later"},
    {"7.0", "sm_80", "ld.global.L2::128B.u32 %r1, [%l1]", "'.L2::128B' needs .version 7.4 or later"},
};

static enum sw_status verify(const struct form_case *row, struct sw_error *error)
{
    char text[1200];
    struct ptx_module *module;
    int length = snprintf(
        text, sizeof text,
        ".version %s\n.target %s\n.address_size 64\n.visible .entry k()\n{ .reg .pred %%p<5>; .reg .b16 "
        "%%h<5>; .reg .b32 %%r<5>; .reg .b64 %%l<5>; .reg .f32 %%f<5>; .reg .f64 %%d<5>; .reg .b128 "
        "%%q<3>; .reg .b16 %%b<3>;\n %s;\n ret;\n}\n",
        row->version, row->target, row->statement);
    enum sw_status status = ptx_parse(text, (size_t)length, "t", &module, error);
    if (status != SW_OK) return status;
    status = ptx_verify(module, error);
    ptx_module_free(module);
    return status;
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++) {
        char text[900] = "";
        struct sw_error error = {0};
        enum sw_status status = verify(&cases[i], &error);
        if (status != SW_OK) sw_error_format(&error, text, sizeof text);
        bool right = cases[i].message ? status != SW_OK && strstr(text, cases[i].message) : status == SW_OK;
        if (!right)
            fail_msg("%s, %s: %s\n  gives: %s\n  wanted: %s", cases[i].version, cases[i].target,
                     cases[i].statement, text, cases[i].message ? cases[i].message : "no error");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
