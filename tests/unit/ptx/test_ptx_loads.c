/* SPDX-License-Identifier: Apache-2.0 */
/* Through which parameters a kernel reads memory, or accesses it: one kernel a case, its parameters a, b
 * (pointers), n, and s, a structure of 8 words; bits by 8 bytes: a 1, b 2, n 4, s[i] 8 << i. */
#include "flat_ptx.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void check_with(uint64_t (*words)(const struct ptx_function *), const char *body, uint64_t expected)
{
    char *text;
    struct flat_ptx ptx;
    assert_true(
        asprintf(&text,
                 ".version 9.0\n.target sm_90\n.address_size 64\n.shared .align 16 .b8 sh[64];\n"
                 ".func aside(.param .b64 x) {\nret;\n}\n"
                 ".func around(.param .b64 x) {\n.reg .b64 d; .param .b64 y;\nld.param.b64 d, [x];"
                 "st.param.b64 [y], d; call around, (y); ret;\n}\n"
                 ".entry k(.param .u64 a, .param .u64 b, .param .u64 n, .param .align 8 .b8 s[64]) {\n"
                 ".reg .b64 d<9>; .reg .b32 r<9>; .reg .pred p;\n%s\nret;\n}\n",
                 body) > 0);
    flat_ptx_open(&ptx, text);
    free(text);
    uint64_t found = words(ptx.flat);
    if (found != expected) fail_msg("%llx in: %s", (unsigned long long)found, body);
    flat_ptx_close(&ptx);
}

static void check(const char *body, uint64_t expected)
{
    check_with(ptx_params_loaded, body, expected);
}

static void what_addresses_follow_from(void **state)
{
    (void)state;
    const uint64_t a = 1, n = 4, s = 8;
    check("ld.param.u64 d1, [a]; st.global.u32 [d1], 7;", 0);
    check("ld.param.u64 d1, [a]; ld.global.u32 r1, [d1]; ld.param.u64 d2, [b]; st.global.u32 [d2+4], r1;", a);
    check("ld.param.u64 d1, [a]; cvta.to.global.u64 d2, d1; mov.u32 r1, %tid.x; mul.wide.u32 d3, r1, 4;"
          "add.s64 d4, d2, d3; ld.global.u32 r2, [d4+8];",
          a);
    check("ld.param.u64 d1, [a]; ld.param.u64 d2, [n]; add.s64 d1, d1, d2; ld.u32 r1, [d1];", a | n);
    check("ld.param.u64 d1, [s+16]; ld.param.v2.u64 {d2, d3}, [s+32]; ld.global.u32 r1, [d1];", s << 2);
    check("ld.param.v2.u64 {d2, d3}, [s+32]; ld.global.u32 r1, [d3]; st.global.u32 [d1], r1;",
          s << 4 | s << 5);
    check("mov.u64 d1, s; add.s64 d1, d1, 8; ld.param.u64 d2, [d1]; ld.u32 r1, [d2];", s * 255);
}

static void what_reads(void **state)
{
    (void)state;
    const char *const both = "ld.param.u64 d1, [a]; ld.param.u64 d2, [b];";
    static const struct {
        const char *instrs;
        uint64_t loaded;
    } CASES[] = {{"red.global.add.u32 [d1], 1;", 1},
                 {"atom.global.add.u32 r1, [d2], 1;", 2},
                 {"mov.u32 r1, sh; cp.async.ca.shared.global [r1], [d2], 4;", 2},
                 {"ld.global.u64 d3, [d1]; ld.global.u64 d4, [d3]; st.global.u64 [d2], d4;", 1},
                 {"st.global.u64 [d2], d1;", 0},
                 {"setp.eq.u64 p, d1, 0; @p st.global.u32 [d2], 0;", 0},
                 {"setp.eq.u64 p, d1, 0; selp.u64 d3, d1, d2, p; ld.global.u32 r1, [d3];", 3},
                 {"AGAIN: ld.global.u32 r1, [d2]; add.u64 d2, d2, 4; setp.eq.u32 p, r1, 0; @p bra AGAIN;", 2},
                 {"add.u64 d3, d4, 0; add.u64 d4, d1, 0; ld.global.u32 r1, [d3];", 1}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        char text[512];
        snprintf(text, sizeof text, "%s %s", both, CASES[i].instrs);
        check(text, CASES[i].loaded);
    }
}

static void what_accesses(void **state)
{
    (void)state;
    const char *const both = "ld.param.u64 d1, [a]; ld.param.u64 d2, [b]; ld.param.u32 r1, [n];";
    static const struct {
        const char *instrs;
        uint64_t accessed;
    } CASES[] = {{"st.global.u32 [d2], 0;", 2},
                 {"st.u32 [d2+4], 0;", 2},
                 {"red.global.add.u32 [d1], 1;", 1},
                 {"ld.global.u32 r2, [d1]; st.global.u32 [d2], r2;", 3},
                 {"mov.u32 r2, sh; cp.async.ca.shared.global [r2], [d2], 4;", 2},
                 {"st.global.u64 [d2], d1;", 2}, /* it is handed on, as data */
                 {"setp.eq.u64 p, d1, 0; @p st.global.u32 [d2], 0;", 2},
                 {"setp.eq.u64 p, d1, 0; selp.u64 d3, d2, 0, p; st.global.u32 [d3], 0;", 2},
                 {"mul.wide.u32 d3, r1, 4; add.u64 d3, d3, d2; st.global.u32 [d3], 0;", 2}, /* an index */
                 {"ld.param.u32 r2, [n+4]; mov.b64 d3, {r1, r2}; st.global.u32 [d3], 0;", 4},
                 {"ld.param.u64 d3, [n]; add.u64 d3, d3, d2; st.global.u32 [d3], 0;", 6},
                 {".local .b64 own; st.local.u64 [own], d1; ld.local.u64 d3, [own]; st.u32 [d3], 0;", 1},
                 {"tex.1d.v4.f32.s32 {r2, r3, r4, r5}, [d1, {r1}];", 0},
                 {"{ .param .b64 x; st.param.b64 [x], d2; call aside, (x); }", 0}, /* which is inlined */
                 {"{ .param .b64 x; st.param.b64 [x], d2; call around, (x); }", 2},
                 {"ld.global.u64 d3, [d1]; st.global.u32 [d3], 0;", 1}};
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        char text[512];
        snprintf(text, sizeof text, "%s %s", both, CASES[i].instrs);
        check_with(ptx_params_accessed, text, CASES[i].accessed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_addresses_follow_from),
        cmocka_unit_test(what_reads),
        cmocka_unit_test(what_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
