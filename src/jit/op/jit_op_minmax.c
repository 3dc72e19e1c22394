/* SPDX-License-Identifier: Apache-2.0 */
/* min, max, testp and copysign of floats (PTX ISA 9.7.3, 9.7.4).
 * Method: f16 and bf16 are compared in f32, which orders them alike, and chosen as they are.
 * Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* A float of any type as f32 or f64, and what the same bits are in its own width. */
static jv minmax_widened(struct jit_part *p, enum isa_type type, jv bits)
{
    if (jv_width(bits) == 16) return jv_from_half(p, type == ISA_BF16, bits);
    return jv_float_exact(p, bits);
}

static uint64_t sign_bit(jv bits)
{
    return UINT64_C(1) << (jv_width(bits) - 1);
}

static uint64_t exponent_field(const struct jit_op *op)
{
    switch ((int)op->type) {
    case ISA_F16: return 0x7c00;
    case ISA_BF16: return 0x7f80;
    case ISA_F32: return 0x7f800000;
    default: return 0x7ff0000000000000;
    }
}

static jv flushed(struct jit_op *op, jv bits)
{
    struct jit_part *p = op->part;
    if (!jit_has(op->instr, ISA_MOD_FTZ)) return bits;
    jv small = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, bits, exponent_field(op)), 0);
    return jv_select(p, small, jv_and_k(p, bits, sign_bit(bits)), bits);
}

static jv canonical_nan(jv like)
{
    return jv_k(like, jv_width(like) == 64 ? 0xfff8000000000000u : sign_bit(like) - 1);
}

/* A NaN gives the other operand, two give NaN; -0 is below +0. Equal operands differ at most in the sign of a
 * zero: or keeps it for min, and drops it for max. */
jv jv_float_extreme(struct jit_part *p, enum isa_type type, bool is_min, bool nan, jv a, jv b)
{
    jv fa = minmax_widened(p, type, a), fb = minmax_widened(p, type, b);
    jv first = jv_select(p, jv_fcmp(p, is_min ? LLVMRealOLT : LLVMRealOGT, fa, fb), a, b);
    jv equal = is_min ? jv_or(p, a, b) : jv_and(p, a, b);
    first = jv_select(p, jv_fcmp(p, LLVMRealOEQ, fa, fb), equal, first);
    jv b_is_nan = jv_fcmp(p, LLVMRealUNO, fb, fb), a_is_nan = jv_fcmp(p, LLVMRealUNO, fa, fa);
    jv both =
        jv_width(a) == 64 ? jv_or_k(p, b, UINT64_C(1) << 51) : canonical_nan(a); /* of two f64: b's, quiet */
    if (nan) return jv_select(p, jv_or(p, a_is_nan, b_is_nan), canonical_nan(a), first);
    return jv_select(p, b_is_nan, jv_select(p, a_is_nan, both, a), first);
}

static jv pick(struct jit_op *op, jv a, jv b)
{
    return jv_float_extreme(op->part, op->type, op->instr->op == ISA_OP_MIN,
                            jit_has(op->instr, ISA_MOD_NAN_FLAG), a, b);
}

static void build_min_max(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = flushed(op, op->src[0]), signs = a;
    bool xorsign = jit_has(op->instr, ISA_MOD_XORSIGN), magnitudes = jit_has(op->instr, ISA_MOD_ABS);
    if (magnitudes) a = jv_and_k(p, a, ~sign_bit(a));
    for (unsigned i = 1; i < op->count; i++) {
        jv b = flushed(op, op->src[i]);
        if (xorsign) signs = jv_xor(p, signs, b);
        if (magnitudes) b = jv_and_k(p, b, ~sign_bit(b));
        a = pick(op, a, b);
    }
    if (xorsign) {
        jv x = minmax_widened(p, op->type, a), nan = jv_fcmp(p, LLVMRealUNO, x, x);
        a = jv_select(p, nan, a, jv_or(p, a, jv_and_k(p, signs, sign_bit(a))));
    }
    op->dst[0] = a;
}

static void build_copysign(struct jit_op *op)
{
    struct jit_part *p = op->part;
    uint64_t sign = sign_bit(op->src[0]);
    op->dst[0] = jv_or(p, jv_and_k(p, op->src[0], sign), jv_and_k(p, op->src[1], ~sign));
}

/* Zero counts as normal. */
static void build_testp(struct jit_op *op)
{
    struct jit_part *p = op->part;
    uint64_t top = exponent_field(op);
    jv a = jv_and_k(p, op->src[0], ~sign_bit(op->src[0])), field = jv_and_k(p, a, top);
    jv zero = jv_cmp_k(p, LLVMIntEQ, a, 0), tiny = jv_cmp_k(p, LLVMIntEQ, field, 0);
    jv subnormal = jv_and(p, tiny, jv_not(p, zero));
    switch (op->instr->mods[0]) {
    case ISA_MOD_FINITE: op->dst[0] = jv_cmp_k(p, LLVMIntULT, a, top); break;
    case ISA_MOD_INFINITE: op->dst[0] = jv_cmp_k(p, LLVMIntEQ, a, top); break;
    case ISA_MOD_NUMBER: op->dst[0] = jv_cmp_k(p, LLVMIntULE, a, top); break;
    case ISA_MOD_NOTANUMBER: op->dst[0] = jv_cmp_k(p, LLVMIntUGT, a, top); break;
    case ISA_MOD_SUBNORMAL: op->dst[0] = subnormal; break;
    default:
        op->dst[0] = jv_and(p, jv_cmp_k(p, LLVMIntULT, a, top), jv_not(p, subnormal));
        break; /* normal */
    }
}

jit_build_fn jit_select_minmax(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_MIN:
    case ISA_OP_MAX: return build_min_max;
    case ISA_OP_COPYSIGN: return build_copysign;
    case ISA_OP_TESTP: return instr->mod_count == 1 ? build_testp : NULL;
    default: return NULL;
    }
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_COPYSIGN, "t:tt", " ", NULL, jit_select_minmax, NULL},
    {ISA_OP_TESTP, "p:t", " finite infinite number notanumber normal subnormal ", NULL, jit_select_minmax,
     NULL},
};
const struct jit_op_family jit_family_minmax = {ROWS, SW_COUNT_OF(ROWS)};
