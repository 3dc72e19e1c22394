/* SPDX-License-Identifier: Apache-2.0 */
/* Which atomics become reductions when a kernel is made flat. */
#include "flat_ptx.h"

static const char TEXT[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
    ".reg .u64 %d; .reg .u32 %r<9>; .reg .f32 %f;\n"
    "ld.param.u64 %d, [p];\n"
    "atom.global.add.u32 %r1, [%d], 1;\n"
    "atom.global.add.u32 %r2, [%d], 1;\n"
    "st.global.u32 [%d+4], %r2;\n"
    "atom.global.exch.b32 %r3, [%d], %r2;\n"
    "atom.shared.max.u32 _, [%r2], 7;\n"
    "atom.global.add.f32 %f, [%d], 0f3F800000;\n"
    "ret;\n}\n";

static void unread_results_make_reductions(void **state)
{
    (void)state;
    struct flat_ptx ptx;
    flat_ptx_open(&ptx, TEXT);
    const struct ptx_function *flat = ptx.flat;
    static const enum isa_op OPS[] = {ISA_OP_LD,   ISA_OP_RED, ISA_OP_ATOM, ISA_OP_ST,
                                      ISA_OP_ATOM, ISA_OP_RED, ISA_OP_RED,  ISA_OP_RET};
    assert_int_equal(flat->instr_count, SW_COUNT_OF(OPS));
    for (size_t i = 0; i < SW_COUNT_OF(OPS); i++)
        assert_int_equal(flat->instrs[i].op, OPS[i]);
    assert_int_equal(flat->instrs[1].operand_count, 2);
    struct ptx_work work;
    ptx_classify(&flat->instrs[1], &work);
    assert_false(work.returns);
    struct str text = {0};
    ptx_print_instr(ptx.module, flat, &flat->instrs[1], &text);
    assert_non_null(strstr(str_text(&text), "red.global.add.u32 [%d], 1"));
    str_release(&text);
    flat_ptx_close(&ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unread_results_make_reductions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
