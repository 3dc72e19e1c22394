/* SPDX-License-Identifier: Apache-2.0 */
/* Integer div and rem (PTX ISA 9.7.1).
 * Method: x / 0 and x % 0 are all ones, as on NVIDIA's GPUs, for which PTX leaves them open; nothing traps.
 * Vectors of up to 32 bits divide in f64: a quotient below the integer n is below it by at least 1 / b, which
 * relative to n is 1 / (n b) > 2^-33, so rounding to 53 bits cannot reach n.
 * 64 bits divide lane by lane, which is what LLVM makes of a vector division. Signed: on magnitudes.
 * A constant divisor is left to LLVM, which multiplies.
 * Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* The divisor's elements are integer constants and not 0 or -1. */
static bool is_plain_constant(jv b)
{
    for (unsigned i = 0; LLVMIsConstant(b) && i < jv_lanes(b); i++) {
        jv element = jv_lanes(b) == 1 ? b : LLVMGetAggregateElement(b, i);
        if (!element || !LLVMIsAConstantInt(element)) return false;
        if (LLVMIsNull(element) || LLVMConstIntGetSExtValue(element) == -1) return false;
    }
    return LLVMIsConstant(b);
}

/* Two vectors of u32; lanes with b = 0 give anything. */
static jv quotient_in_f64(struct jit_part *p, jv a, jv b)
{
    LLVMTypeRef wide = jv_like(a, LLVMDoubleTypeInContext(p->context));
    jv q = jv_fdiv(p, LLVMBuildUIToFP(p->builder, a, wide, ""), LLVMBuildUIToFP(p->builder, b, wide, ""));
    jv magic = jv_fk(q, 0x1p52), sum = jv_fadd(p, q, magic);
    jv near = jv_trunc(p, jv_bits(p, sum), 32); /* to nearest */
    jv over = jv_fcmp(p, LLVMRealOGT, jv_fsub(p, sum, magic), q);
    return jv_add(p, near, jv_sext(p, over, 32));
}

/* Unsigned a / b, no trap on b = 0. */
static jv unsigned_quotient(struct jit_part *p, jv a, jv b)
{
    unsigned bits = jv_width(a);
    if (bits < 32) return jv_trunc(p, unsigned_quotient(p, jv_zext(p, a, 32), jv_zext(p, b, 32)), bits);
    if (bits == 32 && jv_lanes(a) > 1) return quotient_in_f64(p, a, b);
    jv safe = jv_select(p, jv_cmp_k(p, LLVMIntEQ, b, 0), jv_k(b, 1), b);
    return LLVMBuildUDiv(p->builder, a, safe, "");
}

static jv magnitude(struct jit_part *p, jv a)
{
    return jv_select(p, jv_cmp_k(p, LLVMIntSLT, a, 0), jv_neg(p, a), a);
}

static jv quotient(struct jit_part *p, jv a, jv b, bool is_signed)
{
    if (is_plain_constant(b))
        return is_signed ? LLVMBuildSDiv(p->builder, a, b, "") : LLVMBuildUDiv(p->builder, a, b, "");
    if (!is_signed) return unsigned_quotient(p, a, b);
    jv q = unsigned_quotient(p, magnitude(p, a), magnitude(p, b));
    return jv_select(p, jv_cmp_k(p, LLVMIntSLT, jv_xor(p, a, b), 0), jv_neg(p, q), q);
}

static void build_divide(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], b = op->src[1];
    jv result = quotient(p, a, b, jit_is_signed(op->type));
    if (op->instr->op == ISA_OP_REM) result = jv_sub(p, a, jv_mul(p, result, b));
    op->dst[0] = jv_select(p, jv_cmp_k(p, LLVMIntEQ, b, 0), jv_k(b, UINT64_MAX), result);
}

jit_build_fn jit_select_divide(const struct ptx_instr *instr)
{
    (void)instr;
    return build_divide;
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_DIV, "t:tt", " rn rz rm rp ftz approx full ", jit_select_divide, jit_select_float, NULL},
    {ISA_OP_REM, "t:tt", " ", jit_select_divide, NULL, NULL},
};
const struct jit_op_family jit_family_divide = {ROWS, SW_COUNT_OF(ROWS)};
