/* SPDX-License-Identifier: Apache-2.0 */
/* Inlining: what calls become, what their parameters become, and where the source lines went. The result is
 * compared as printed text, line by line. */
#include "flat_ptx.h"

#include <stdlib.h>

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"

/* The body behind its declarations: instructions and labels without indentation, a space between. */
static char *body(const struct flat_ptx *f)
{
    struct str out = {0}, body = {0};
    ptx_print_function(f->flat, &out);
    char *text = str_steal(&out), *save, *line = strtok_r(text, "\n", &save);
    for (bool in = false; line; line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, "\t");
        if (in && *line != '.' && *line != '}') str_printf(&body, "%s%s", body.length ? " " : "", line);
        in |= *line == '{';
    }
    free(text);
    return str_steal(&body);
}

static void check(const char *text, const char *expected)
{
    struct flat_ptx f;
    flat_ptx_open(&f, text);
    char *got = body(&f);
    assert_string_equal(got, expected);
    free(got);
    flat_ptx_close(&f);
}

static void values_pass_through_registers(void **state)
{
    (void)state;
    check(HEAD
          ".func (.param .b32 r) f(.param .b32 a) {\n.reg .b32 x;\nld.param.u32 x, [a];\nadd.u32 x, x, 1;\n"
          "st.param.b32 [r], x;\nret;\n}\n"
          ".entry k() {\n.reg .b32 y;\n{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], y;\n"
          "call.uni (r0), f, (p0); ld.param.b32 y, [r0+0]; }\nret;\n}\n",
          "mov.b32 %param_2, y; mov.b32 x, %param_2; add.u32 x, x, 1; mov.b32 %param_3, x; mov.b32 y, "
          "%param_3; ret;");
}

static void narrow_values_are_extended_as_loads_do(void **state)
{
    (void)state;
    check(HEAD
          ".func f(.param .b32 a) {\n.reg .b32 x; .reg .b16 h;\nld.param.s8 x, [a];\nld.param.u8 h, "
          "[a];\nret;\n}\n"
          ".entry k() {\n.reg .b32 y;\n{ .param .b32 p0; st.param.b8 [p0+0], y; call f, (p0); }\nret;\n}\n",
          "cvt.u16.u32 %param_3, y; cvt.s32.s8 x, %param_3; cvt.u16.u8 h, %param_3; ret;");
}

static void early_returns_jump_and_guards_skip(void **state)
{
    (void)state;
    check(HEAD ".func f() {\n.reg .pred q; .reg .b32 x;\n@q ret;\nmov.u32 x, 1;\nret;\n}\n"
               ".entry k() {\n.reg .pred p;\n@p call f;\nret;\n}\n",
          "@!p bra $at_3; @q bra $at_3; mov.u32 x, 1; $at_3: ret;");
}

static void register_parameters_are_moved(void **state)
{
    (void)state;
    check(HEAD ".func (.reg .u32 r) f(.reg .u32 a, .reg .f32 b) {\nadd.u32 r, a, 2;\nret;\n}\n"
               ".entry k() {\n.reg .u32 x, y;\ncall (x), f, (y, 0f3F800000);\nret;\n}\n",
          "mov.u32 a, y; mov.f32 b, 0f3F800000; add.u32 r, a, 2; mov.u32 x, r; ret;");
}

static void overlapping_pieces_become_local(void **state)
{
    (void)state;
    struct flat_ptx f;
    flat_ptx_open(
        &f, HEAD
        ".func f(.param .align 4 .b8 a[8]) {\n.reg .b32 x; .reg .b16 h;\nld.param.u32 x, [a+4];\n"
        "ld.param.u16 h, [a+4];\nret;\n}\n"
        ".entry k() {\n.reg .b32 y;\n{ .param .align 4 .b8 p0[8]; st.param.b32 [p0+4], y; call f, (p0); }\n"
        "ret;\n}\n");
    assert_int_equal(f.flat->var_count, 1);
    assert_int_equal(f.flat->vars[0]->space, PTX_SPACE_LOCAL);
    assert_int_equal(ptx_instr_space(&f.flat->instrs[0]), PTX_SPACE_LOCAL);
    assert_int_equal(ptx_instr_space(&f.flat->instrs[2]), PTX_SPACE_LOCAL);
    flat_ptx_close(&f);
}

static void addresses_of_parameters_become_local(void **state)
{
    (void)state;
    check(HEAD ".func f(.param .align 4 .b8 a[8]) {\n.reg .b64 d; .reg .b32 x;\nmov.b64 d, a;\nld.param.u32 "
               "x, [d+4];\n"
               "cvta.param.u64 d, d;\nret;\n}\n"
               ".entry k() {\n.reg .b32 y;\n{ .param .align 4 .b8 p0[8]; st.param.b32 [p0+4], y; call f, "
               "(p0); }\nret;\n}\n",
          "st.local.b32 [p0+4], y; mov.b64 d, p0; ld.local.u32 x, [d+4]; cvta.local.u64 d, d; ret;");
}

static void recursion_and_externs_stay_calls(void **state)
{
    (void)state;
    check(HEAD
          ".func g();\n.extern .func e();\n.func f() {\ncall g;\nret;\n}\n.func g() {\ncall f;\nret;\n}\n"
          ".func h() {\ncall f;\ncall e;\nret;\n}\n.entry k() {\ncall h;\nret;\n}\n",
          "call f; call e; ret;");
}

static void aliases_are_followed(void **state)
{
    (void)state;
    check(HEAD ".func f() {\n.reg .b32 x;\nmov.u32 x, 1;\nret;\n}\n.func g();\n.alias g, f;\n.entry k() "
               "{\ncall g;\nret;\n}\n",
          "mov.u32 x, 1; ret;");
}

static void loops_and_tables_are_copied_twice(void **state)
{
    (void)state;
    check(HEAD ".func f() {\n.reg .pred q; .reg .b32 x;\nT: .branchtargets L, M;\nL: @q bra L;\nbrx.idx x, "
               "T;\nM: ret;\n}\n"
               ".entry k() {\ncall f;\ncall f;\nret;\n}\n",
          "T: .branchtargets L, M; T$2: .branchtargets M, M$2; L: @q bra L; brx.idx x, T; M: @q$2 bra M; "
          "brx.idx x$2, T$2; M$2: ret;"); /* M is where the second copy begins: one label a place */
}

static void unreachable_code_goes(void **state)
{
    (void)state;
    check(HEAD ".entry k() {\n.reg .b32 x;\nbra L;\nmov.u32 x, 1;\nL: ret;\nmov.u32 x, 2;\n}\n",
          "bra L; L: ret;");
}

static void lines_remember_the_call(void **state)
{
    (void)state;
    struct flat_ptx f;
    flat_ptx_open(
        &f, HEAD ".func g() {\n.reg .b32 x;\n.loc 1 30 1\nmov.u32 x, 1;\nret;\n}\n"
                 ".func f() {\n.loc 1 20 1\ncall g;\nret;\n}\n.entry k() {\n.loc 1 10 1\ncall f;\nret;\n}\n");
    const struct ptx_loc *loc = f.flat->instrs[0].loc;
    assert_int_equal(loc->line, 30);
    assert_string_equal(loc->function, "g");
    assert_int_equal(loc->caller->line, 20);
    assert_string_equal(loc->caller->function, "f");
    assert_int_equal(loc->caller->caller->line, 10);
    assert_null(loc->caller->caller->caller);
    flat_ptx_close(&f);
}

/* A function without positions of its own, as of a library: where it was called, under its name. */
static void code_without_lines_is_named(void **state)
{
    (void)state;
    struct flat_ptx f;
    flat_ptx_open(&f, HEAD ".func g() {\n.reg .b32 x;\nmov.u32 x, 1;\nret;\n}\n"
                           ".entry k() {\n.reg .b32 x;\n.loc 1 10 2\nmov.u32 x, 2;\ncall g;\nret;\n}\n");
    const struct ptx_loc *loc = f.flat->instrs[1].loc;
    assert_int_equal(loc->line, 10);
    assert_string_equal(loc->function, "g");
    assert_ptr_equal(loc->caller, f.flat->instrs[0].loc);
    const char **texts = ptx_print_instrs(f.module, f.flat, &f.arena);
    assert_string_equal(texts[0], "mov.u32 x, 2;");
    assert_string_equal(texts[1], "mov.u32 x$2, 1;");
    flat_ptx_close(&f);
}

static void shared_variables_stay_one(void **state)
{
    (void)state;
    struct flat_ptx f;
    flat_ptx_open(&f, HEAD ".func f() {\n.shared .b32 s; .local .b32 l; .reg .b32 x;\nst.shared.u32 [s], x;\n"
                           "st.local.u32 [l], x;\nret;\n}\n.entry k() {\ncall f;\ncall f;\nret;\n}\n");
    assert_int_equal(f.flat->var_count, 3);
    assert_ptr_equal(f.flat->instrs[0].operands[0].var, f.flat->instrs[2].operands[0].var);
    assert_ptr_not_equal(f.flat->instrs[1].operands[0].var, f.flat->instrs[3].operands[0].var);
    flat_ptx_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_pass_through_registers),
        cmocka_unit_test(narrow_values_are_extended_as_loads_do),
        cmocka_unit_test(early_returns_jump_and_guards_skip),
        cmocka_unit_test(register_parameters_are_moved),
        cmocka_unit_test(overlapping_pieces_become_local),
        cmocka_unit_test(addresses_of_parameters_become_local),
        cmocka_unit_test(recursion_and_externs_stay_calls),
        cmocka_unit_test(aliases_are_followed),
        cmocka_unit_test(loops_and_tables_are_copied_twice),
        cmocka_unit_test(unreachable_code_goes),
        cmocka_unit_test(lines_remember_the_call),
        cmocka_unit_test(code_without_lines_is_named),
        cmocka_unit_test(shared_variables_stay_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
