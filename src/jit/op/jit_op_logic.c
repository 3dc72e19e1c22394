/* SPDX-License-Identifier: Apache-2.0 */
/* Bitwise logic and shifts (PTX ISA 9.7.8).
 * Method: PTX clamps a shift amount above the width; LLVM leaves it undefined, so each shift is guarded by a
 * select, a pattern that LLVM turns back into one AVX2 shift.
 * Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

static void build_logic(struct jit_op *op)
{
    jv a = op->src[0];
    switch ((int)op->instr->op) {
    case ISA_OP_AND: op->dst[0] = jv_and(op->part, a, op->src[1]); break;
    case ISA_OP_OR: op->dst[0] = jv_or(op->part, a, op->src[1]); break;
    case ISA_OP_XOR: op->dst[0] = jv_xor(op->part, a, op->src[1]); break;
    case ISA_OP_NOT: op->dst[0] = jv_not(op->part, a); break;
    default: op->dst[0] = jv_zext(op->part, jv_cmp_k(op->part, LLVMIntEQ, a, 0), jv_width(a)); /* cnot */
    }
}

jit_build_fn jit_select_logic(const struct ptx_instr *instr)
{
    (void)instr;
    return build_logic;
}

static void build_shift(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], amount = op->src[1];
    unsigned bits = jv_width(a);
    if (op->instr->op == ISA_OP_SHR && jit_is_signed(op->type)) {
        jv last = jv_min(p, amount, jv_k(amount, bits - 1), false);
        op->dst[0] = jv_ashr(p, a, jv_fit(p, last, bits, false));
        return;
    }
    jv inside = jv_cmp_k(p, LLVMIntULT, amount, bits), by = jv_fit(p, amount, bits, false);
    jv shifted = op->instr->op == ISA_OP_SHL ? jv_shl(p, a, by) : jv_lshr(p, a, by);
    op->dst[0] = jv_select(p, inside, shifted, jv_k(a, 0));
}

jit_build_fn jit_select_shift(const struct ptx_instr *instr)
{
    (void)instr;
    return build_shift;
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_AND, "t:tt", " and ", jit_select_logic, NULL, NULL},
    {ISA_OP_OR, "t:tt", " or ", jit_select_logic, NULL, NULL},
    {ISA_OP_XOR, "t:tt", " xor ", jit_select_logic, NULL, NULL},
    {ISA_OP_NOT, "t:t", " ", jit_select_logic, NULL, NULL},
    {ISA_OP_CNOT, "t:t", " ", jit_select_logic, NULL, NULL},
    {ISA_OP_SHL, "t:tw", " ", jit_select_shift, NULL, NULL},
    {ISA_OP_SHR, "t:tw", " ", jit_select_shift, NULL, NULL},
};
const struct jit_op_family jit_family_logic = {ROWS, SW_COUNT_OF(ROWS)};
