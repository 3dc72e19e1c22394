/* SPDX-License-Identifier: Apache-2.0 */
/* Which mul, add and sub become fma: what ptxas 13.0 does for sm_90 with the same text, read from its machine
 * code (cuobjdump -sass). Expected: the operations of float arithmetic in order, as letters: F fma, M mul, A
 * add, S sub, and N for the negation that stands for a minus in an fma. */
#include "flat_ptx.h"

struct contraction {
    const char *text, *expected;
};

static const struct contraction CASES[] = {
    {"mul.f32 x0,a,b; add.f32 o1,x0,c;", "F"},
    {"mul.f32 x0,a,b; add.f32 o1,c,x0;", "F"},
    {"mul.f32 x0,a,b; sub.f32 o1,x0,c;", "NF"},
    {"mul.f32 x0,a,b; sub.f32 o1,c,x0;", "NF"},
    {"mul.f32 x0,a,0f40000000; sub.f32 o1,c,x0;", "NF"},
    {"mul.f32 x0,0f40000000,a; sub.f32 o1,c,x0;", "F"},
    {"mul.f32 x0,a,b; sub.f32 o1,x0,0f3F800000;", "F"},
    /* two products: the left one, unless the right one has a single use and it has several */
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,x1;", "MF"},
    {"mul.f32 x1,c,d; mul.f32 x0,a,b; add.f32 o1,x0,x1;", "MF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,x1; mov.f32 o2,x0;", "MF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,x1; add.f32 o2,x1,e;", "MFA"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o2,x1,e; add.f32 o1,x0,x1;", "MAF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,x1; add.f32 o2,x0,e;", "MFA"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,x1; sub.f32 o2,x1,x0;", "MFNF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; mul.f32 x2,a,e; add.f32 o1,x1,x0; add.f32 o2,x1,x2;", "MFF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 o1,x0,e; add.f32 o2,x1,x0;", "MAF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; add.f32 x2,x0,x1; add.f32 x3,x0,e; add.f32 x4,x1,e; mov.f32 o1,x2; "
     "fma.rn.f32 o2,x3,x4,a;",
     "MFFAF"},
    {"mul.f32 x0,a,b; mul.f32 x1,c,d; mul.f32 x2,a,e; mul.f32 x3,b,e; add.f32 x4,x0,x1; add.f32 x5,x2,x3; "
     "add.f32 o1,x4,x5;",
     "MMFFA"},
    /* several uses */
    {"mul.f32 x0,a,b; add.f32 o1,x0,c; add.f32 o2,x0,d;", "FF"},
    {"mul.f32 x0,a,b; add.f32 o1,x0,c; mov.f32 o2,x0;", "MA"},
    {"mul.f32 x0,a,b; add.f32 o1,x0,x0;", "MA"},
    {"mul.f32 x0,a,b; add.f32 x1,x0,c; add.f32 o1,x1,x0;", "FF"},
    {"mul.f32 x0,a,b; mul.f32 x1,x0,c; add.f32 o1,x1,x0;", "MF"},
    {"mul.f32 x0,a,b; fma.rn.f32 o1,c,d,x0;", "MF"},
    {"mul.f32 x0,a,b; max.f32 x1,x0,c; add.f32 o1,x0,d; mov.f32 o2,x1;", "MA"},
    {"mul.f32 x0,a,b; add.f32 x0,x0,c; mul.f32 x0,x0,d; add.f32 x0,x0,e; mov.f32 o1,x0;", "FF"},
    /* modifiers */
    {"mul.rn.f32 x0,a,b; add.f32 o1,x0,c;", "MA"},
    {"mul.f32 x0,a,b; add.rn.f32 o1,x0,c;", "MA"},
    {"mul.f32 x0,a,b; add.rz.f32 o1,x0,c;", "MA"},
    {"mul.ftz.f32 x0,a,b; add.f32 o1,x0,c;", "MA"},
    {"mul.f32 x0,a,b; add.ftz.f32 o1,x0,c;", "MA"},
    {"mul.ftz.f32 x0,a,b; add.ftz.sat.f32 o1,x0,c;", "F"},
    {"mul.sat.f32 x0,a,b; add.f32 o1,x0,c;", "MA"},
    /* copies */
    {"mul.f32 x0,a,b; mov.f32 x1,x0; add.f32 o1,x1,c;", "F"},
    {"mul.f32 x0,a,b; neg.f32 x1,x0; add.f32 o1,x1,c;", "NF"},
    {"mul.f32 x0,a,b; neg.f32 x1,x0; sub.f32 o1,c,x1;", "F"},
    {"mul.f32 x0,a,b; neg.f32 x1,x0; add.f32 o1,x1,c; mov.f32 o2,x0;", "MNA"},
    {"mul.f32 x0,a,b; abs.f32 x1,x0; add.f32 o1,x1,c;", "MA"},
    {"mul.f32 x0,a,b; mov.b32 i,x0; add.f32 o1,x0,c; mov.b32 o2,i;", "MA"},
    /* guards and blocks */
    {"mul.f32 x0,a,b; mov.f32 o1,c; @p add.f32 o1,x0,c;", "F"},
    {"mov.f32 x0,d; @p mul.f32 x0,a,b; add.f32 o1,x0,c;", "MA"},
    {"mul.f32 x0,a,b; @p mov.f32 x0,c; add.f32 o1,x0,d;", "MA"},
    {"mul.f32 x0,a,b; mov.f32 o1,x0; @!p bra L1; add.f32 o1,x0,c; L1:", "MA"},
    {"mul.f32 x0,a,b; add.f32 o1,x0,c; @p bra L1; add.f32 o2,x0,d; L1:", "MAA"},
    {"@!p bra L1; mul.f32 x0,a,b; add.f32 o1,x0,c; L1:", "F"},
    {"mul.f32 x0,a,b; @p ret; add.f32 o1,x0,c;", "MA"},
    {"mul.f32 x0,a,b; bar.sync 0; add.f32 o1,x0,c;", "F"},
    {"mul.f32 x0,a,b; call f, (); add.f32 o1,x0,c;", "MA"},
    {"L1: add.f32 c,c,x0; mul.f32 x0,c,a; setp.gt.f32 q,c,d; @q bra L1; mov.f32 o1,c;", "AM"},
    {"L1: mul.f32 x0,c,a; sub.f32 c,b,x0; setp.gt.f32 q,c,d; @q bra L1; mov.f32 o1,c;", "NF"},
    /* an operand that is overwritten in between */
    {"mul.f32 x0,a,b; add.f32 a,c,d; add.f32 o1,x0,a;", "AF"},
};

static char letter_of(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_FMA: return 'F';
    case ISA_OP_MUL: return 'M';
    case ISA_OP_ADD: return 'A';
    case ISA_OP_SUB: return 'S';
    case ISA_OP_NEG: return 'N';
    default: return 0;
    }
}

/* The arithmetic of kernel k in which `body` stands; `target` is what .target says. */
static void flatten(const char *target, const char *body, char *letters)
{
    struct flat_ptx ptx;
    struct str text = {0};
    str_printf(
        &text,
        ".version 8.0\n.target %s\n.address_size 64\n.func f() { ret; }\n"
        ".visible .entry k(.param .u64 in) {\n.reg .f32 a,b,c,d,e,o1,o2,x0,x1,x2,x3,x4,x5;\n"
        ".reg .b64 p0; .reg .b32 i; .reg .pred p,q;\nld.param.u64 p0,[in];\n"
        "ld.f32 a,[p0]; ld.f32 b,[p0+4]; ld.f32 c,[p0+8]; ld.f32 d,[p0+12]; ld.f32 e,[p0+16];\n"
        "setp.gt.f32 p,e,d; mov.f32 o1,e; mov.f32 o2,e;\n%s\nst.f32 [p0],o1; st.f32 [p0+4],o2; ret;\n}\n",
        target, body);
    flat_ptx_open(&ptx, str_text(&text));
    const struct ptx_function *flat = ptx.flat;
    for (uint32_t i = 0; i < flat->instr_count; i++)
        if (letter_of(&flat->instrs[i])) *letters++ = letter_of(&flat->instrs[i]);
    *letters = 0;
    str_release(&text);
    flat_ptx_close(&ptx);
}

static void products_go_where_ptxas_puts_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < SW_COUNT_OF(CASES); i++) {
        char found[64];
        flatten("sm_90", CASES[i].text, found);
        if (strcmp(found, CASES[i].expected) != 0)
            fail_msg("%s: %s, not %s", CASES[i].text, found, CASES[i].expected);
    }
}

static void operands_and_signs(void **state)
{
    (void)state;
    struct flat_ptx ptx;
    static const char TEXT[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .u64 %d; .reg .f32 %f<9>; .reg .pred %q;\nld.param.u64 %d, [p];\n"
        "ld.f32 %f1, [%d]; ld.f32 %f2, [%d+4]; ld.f32 %f3, [%d+8]; setp.gt.f32 %q, %f1, %f2;\n"
        "mul.ftz.f32 %f4, %f1, %f2;\n@!%q sub.ftz.sat.f32 %f5, %f3, %f4;\n"
        "st.f32 [%d], %f5;\nret;\n}\n";
    flat_ptx_open(&ptx, TEXT);
    const struct ptx_function *flat = ptx.flat;
    struct str text = {0};
    ptx_print_instr(ptx.module, flat, &flat->instrs[5], &text);
    str_add_char(&text, '|');
    ptx_print_instr(ptx.module, flat, &flat->instrs[6], &text);
    assert_string_equal(str_text(&text),
                        "neg.f32 %minus, %f1;|@!%q fma.rn.ftz.sat.f32 %f5, %minus, %f2, %f3;");
    str_release(&text);
    flat_ptx_close(&ptx);
}

static void nothing_is_contracted_for_a_debugger(void **state)
{
    (void)state;
    char found[64];
    flatten("sm_90, debug", CASES[0].text, found);
    assert_string_equal(found, "MA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_go_where_ptxas_puts_them),
        cmocka_unit_test(operands_and_signs),
        cmocka_unit_test(nothing_is_contracted_for_a_debugger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
