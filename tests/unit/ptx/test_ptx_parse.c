/* SPDX-License-Identifier: Apache-2.0 */
/* Text to IR: declarations, scopes, labels, operands, initialisers, source positions, and messages. */
#include "flat_ptx.h"

#define HEAD ".version 9.0\n.target sm_80\n.address_size 64\n"

static void vector_add_is_understood(void **state)
{
    (void)state;
    struct ptx_module *m =
        flat_ptx_parse(HEAD ".visible .entry add(.param .u64 a, .param .u32 n)\n.maxntid 256, 1, 1\n{\n"
                            ".reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<5>; .reg .f32 %f<3>;\n"
                            "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                            "mov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\nld.param.u32 %r5, [n];\n"
                            "setp.ge.s32 %p1, %r4, %r5;\n@%p1 bra $L_end;\ncvta.to.global.u64 %rd2, %rd1;\n"
                            "mul.wide.s32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
                            "ld.global.nc.f32 %f1, [%rd4+-4];\nadd.rn.f32 %f2, %f1, 0f3F800000;\n"
                            "st.global.f32 [%rd4], %f2;\n$L_end:\nret;\n}\n");
    const struct ptx_function *f = ptx_find_function(m, "add");
    assert_non_null(f);
    assert_true(f->is_entry && f->has_body);
    assert_int_equal(f->linkage, PTX_LINK_VISIBLE);
    assert_int_equal(f->param_bytes, 12);
    assert_int_equal(f->params[1]->offset, 8);
    assert_int_equal(f->maxntid[0], 256);
    assert_int_equal(f->instr_count, 15);
    const struct ptx_instr *load = &f->instrs[11];
    assert_int_equal(load->op, ISA_OP_LD);
    assert_true(ptx_has(load, ISA_MOD_NC));
    assert_int_equal(ptx_instr_space(load), PTX_SPACE_GLOBAL);
    assert_int_equal(ptx_instr_type(load, 0), ISA_F32);
    assert_int_equal(load->operands[1].kind, ISA_OPD_MEM);
    assert_int_equal(load->operands[1].offset, -4);
    assert_string_equal(f->regs[load->operands[1].reg].name, "%rd4");
    const struct ptx_instr *branch = &f->instrs[7];
    assert_string_equal(f->regs[branch->guard].name, "%p1");
    assert_int_equal(branch->operands[0].kind, ISA_OPD_LABEL);
    assert_int_equal(branch->operands[0].target, 14);
    const struct ptx_instr *add = &f->instrs[12];
    assert_true(add->operands[2].is_f32);
    assert_int_equal(add->operands[2].bits, 0x3f800000);
    uint32_t regs[4];
    assert_int_equal(ptx_instr_defs(load, regs, 4), 1);
    assert_string_equal(f->regs[regs[0]].name, "%f1");
    assert_int_equal(ptx_instr_uses(branch, regs, 4), 1);
    ptx_module_free(m);
}

static void scopes_hide_labels_and_registers(void **state)
{
    (void)state;
    struct ptx_module *m =
        flat_ptx_parse(HEAD ".entry k() {\n.reg .b32 %r<4>; .reg .pred p;\n"
                            "{ .reg .b32 %r<2>; mov.u32 %r1, 1; L: @p bra L; }\n"
                            "{ .reg .b32 t; mov.u32 t, %r1; @p bra L; L: ret; }\nmov.u32 %r1, 2;\n}\n");
    const struct ptx_function *f = ptx_find_function(m, "k");
    assert_int_equal(f->instrs[1].operands[0].target, 1);
    assert_int_equal(f->instrs[3].operands[0].target, 4);
    assert_int_not_equal(f->instrs[0].operands[0].reg, f->instrs[2].operands[1].reg);
    assert_int_equal(f->instrs[5].operands[0].reg, f->instrs[2].operands[1].reg);
    ptx_module_free(m);
}

static void initialisers_become_bytes_and_addresses(void **state)
{
    (void)state;
    struct ptx_module *m = flat_ptx_parse(
        HEAD ".global .u32 g;\n.func f();\n.global .align 8 .u64 t[4] = {generic(g), g+8, f, 0x10};\n"
             ".const .f32 c[2][2] = {{1.0}, {0f40000000, 3}};\n.global .b8 s[] = {104, 105, 0};\n"
             ".global .b8 m[2] = {0xff00(g), -1};\n");
    const struct ptx_var *t = ptx_find_var(m, "t");
    assert_int_equal(t->bytes, 32);
    assert_int_equal(t->reloc_count, 3);
    assert_true(t->relocs[0].generic);
    assert_int_equal(t->relocs[1].addend, 8);
    assert_ptr_equal(t->relocs[2].function, ptx_find_function(m, "f"));
    assert_int_equal(t->init[24], 16);
    float c[4];
    memcpy(c, ptx_find_var(m, "c")->init, sizeof c);
    assert_true(c[0] == 1 && c[1] == 0 && c[2] == 2 && c[3] == 3);
    assert_int_equal(ptx_find_var(m, "s")->count, 3);
    assert_int_equal(ptx_find_var(m, "m")->relocs[0].shift, 8);
    ptx_module_free(m);
}

static void inlined_positions_have_callers(void **state)
{
    (void)state;
    struct ptx_module *m =
        flat_ptx_parse(HEAD ".entry k() {\n.reg .b32 %r;\n.loc 1 5 3\nmov.u32 %r, %r;\n"
                            ".loc 1 2 7, function_name $n, inlined_at 1 5 3\nret;\n}\n"
                            ".file 1 \"a.cu\"\n.section .debug_str\n{\n$m:\n.b8 65,0\n$n:\n"
                            ".b8 102,111,111,0\n}\n.section .debug_info { .b8 1 .b32 .debug_str }\n");
    const struct ptx_function *f = ptx_find_function(m, "k");
    const struct ptx_loc *loc = f->instrs[1].loc;
    assert_int_equal(loc->line, 2);
    assert_string_equal(loc->function, "foo");
    assert_ptr_equal(loc->caller, f->instrs[0].loc);
    assert_string_equal(m->files[1], "a.cu");
    ptx_module_free(m);
}

/* .pragma "nounroll" belongs to the loop at whose head it stands; others to their function. */
static void loops_keep_what_pragmas_say(void **state)
{
    (void)state;
    struct ptx_module *m =
        flat_ptx_parse(HEAD ".entry k()\n{\n.pragma \"nounroll\";\n.reg .pred %p; .reg .b32 %r;\n"
                            "$one:\nadd.s32 %r, %r, 4;\n@%p bra $one;\n"
                            "$two:\n.pragma \"nounroll\";\nadd.s32 %r, %r, 4;\n@%p bra $two;\n"
                            "$three:\n.pragma \"other\";\nret;\n}\n");
    for (int round = 0; round < 2; round++) { /* as read, and as printed and read again */
        const struct ptx_function *k = ptx_find_function(m, "k");
        assert_int_equal(k->label_count, 3);
        assert_true(!k->labels[0].nounroll && k->labels[1].nounroll && !k->labels[2].nounroll);
        assert_int_equal(k->pragma_count, 2);
        assert_string_equal(k->pragmas[0], "nounroll");
        assert_string_equal(k->pragmas[1], "other");
        struct str text = {0};
        ptx_print_module(m, &text);
        ptx_module_free(m);
        m = flat_ptx_parse(str_text(&text));
        str_release(&text);
    }
    ptx_module_free(m);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        uint32_t line, column;
    } cases[] = {
        {HEAD ".entry k() { .reg .b32 %r<3>; add.u32 %r1, %r2, 1 ret; }",
         "expected ';' after operand, found 'ret'", 4, 51},
        {HEAD ".entry k() {\nbra L;\n}", "undefined name 'L'", 5, 5},
        {HEAD ".entry k() {\nmov.u32 %r1, 1;\n}", "undefined name '%r1'", 5, 9},
        {HEAD ".entry k() {", "expected an instruction, a declaration or '}', found end of text", 4, 13},
        {".target sm_80", "expected .version at the start of PTX, found '.target'", 1, 1},
    };
    for (size_t i = 0; i < SW_COUNT_OF(cases); i++) {
        struct sw_error error = {0};
        struct ptx_module *m;
        assert_int_equal(ptx_parse(cases[i].text, strlen(cases[i].text), "t", &m, &error), SW_SYNTAX);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
    }
}

static void texts_link_by_name(void **state)
{
    (void)state;
    static const char *const one =
        HEAD ".file 1 \"one.cu\"\n.extern .func (.param .b32 r) f(.param .b32 a);\n.extern .global .u32 "
             "shared_count;\n"
             ".global .u32 own = 1;\n.weak .func w() { ret; }\n.func helper() { ret; }\n"
             ".visible .entry k() {\n.reg .b32 x;\n.loc 1 7 1\nld.global.u32 x, [own];\nst.global.u32 "
             "[shared_count], x;\n"
             "call helper, ();\ncall w, ();\nret;\n}\n";
    static const char *const two = HEAD ".file 1 \"two.cu\"\n.visible .global .u32 shared_count = "
                                        "5;\n.global .u32 own = 2;\n.weak .func w() { ret; }\n"
                                        ".func helper() { ret; }\n.visible .func (.param .b32 r) f(.param "
                                        ".b32 a) {\n.reg .b32 x;\n.loc 1 9 1\n"
                                        "ld.global.u32 x, [own];\ncall helper, ();\nret;\n}\n.extern .func "
                                        "(.param .b32 r) f(.param .b32 a);\n";
    struct ptx_text texts[] = {{one, strlen(one), "one"}, {two, strlen(two), "two"}};
    struct ptx_module *m;
    struct sw_error error = {0};
    if (ptx_parse_linked(texts, 2, &m, &error) != SW_OK)
        fail_msg("%s:%u: %s", error.file, error.line, error.message);
    const struct ptx_function *k = ptx_find_function(m, "k"), *f = ptx_find_function(m, "f");
    assert_true(f->has_body && k->has_body);
    assert_int_equal(f->linkage, PTX_LINK_VISIBLE);
    assert_int_equal(ptx_find_var(m, "shared_count")->init[0], 5);
    assert_ptr_equal(k->instrs[1].operands[0].var, ptx_find_var(m, "shared_count"));
    assert_int_equal(k->instrs[0].operands[1].var->init[0], 1);
    assert_int_equal(f->instrs[0].operands[1].var->init[0], 2);
    assert_string_equal(f->instrs[0].operands[1].var->name, "own$2");
    assert_ptr_not_equal(k->instrs[2].operands[0].function, f->instrs[1].operands[0].function);
    assert_string_equal(m->files[k->instrs[0].loc->file], "one.cu");
    assert_string_equal(m->files[f->instrs[0].loc->file], "two.cu");
    ptx_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_add_is_understood),
        cmocka_unit_test(scopes_hide_labels_and_registers),
        cmocka_unit_test(initialisers_become_bytes_and_addresses),
        cmocka_unit_test(inlined_positions_have_callers),
        cmocka_unit_test(loops_keep_what_pragmas_say),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(texts_link_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
