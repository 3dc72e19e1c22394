/* SPDX-License-Identifier: Apache-2.0 */
/* f16 and bf16: arithmetic and their conversion from and to f32 (PTX ISA 9.7.4).
 * Method: in f32, whose 24 bits make a second rounding of one sum or product harmless (2 * 11 + 2 <= 24); fma
 * through a sum rounded to odd. F16C where the ISA has it, otherwise integers: LLVM would call its run-time
 * library.
 * Limits: a NaN result is 0x7fff. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* ---- conversion */

/* |x| as a float of `mantissa` bits whose smallest normal exponent is `least`, to nearest even: the code
 * above all finite ones when it is too large. Normal: round the bits of f32 in place. Below: adding a power
 * of two whose last bit weighs as much as the smallest subnormal lets the adder round. */
jv jv_small_code(struct jit_part *p, jv x, unsigned mantissa, int least)
{
    jv a = jv_and_k(p, jv_bits(p, x), 0x7fffffff);
    unsigned drop = 23 - mantissa, base = (unsigned)(127 + least - 1) << mantissa;
    jv odd = jv_and_k(p, jv_lshr_k(p, a, drop), 1);
    jv rounded = jv_add(p, jv_add_k(p, a, (1u << (drop - 1)) - 1), odd);
    jv normal = jv_add_k(p, jv_lshr_k(p, rounded, drop), -(uint64_t)base);
    jv magic = jv_int(p, a, 32, (uint64_t)(127 + least - (int)mantissa + 23) << 23);
    jv sum = jv_bits(p, jv_fadd(p, jv_float_exact(p, a), jv_float_exact(p, magic)));
    jv below = jv_cmp_k(p, LLVMIntULT, a, (uint64_t)(127 + least) << 23);
    return jv_select(p, below, jv_sub(p, sum, magic), normal);
}

static jv half_by_integers(struct jit_part *p, jv x)
{
    jv code = jv_min(p, jv_small_code(p, x, 10, -14), jv_int(p, x, 32, 0x7c00), false);
    jv sign = jv_and_k(p, jv_lshr_k(p, jv_bits(p, x), 16), 0x8000);
    return jv_trunc(p, jv_or(p, code, sign), 16);
}

static jv nearest_half(struct jit_part *p, jv x)
{
    if (p->isa < JIT_ISA_AVX2) return half_by_integers(p, x);
    LLVMTypeRef half = jv_like(x, LLVMHalfTypeInContext(p->context));
    return jv_bits(p, LLVMBuildFPTrunc(p->builder, x, half, ""));
}

static jv nearest_brain(struct jit_part *p, jv x)
{
    jv a = jv_bits(p, x), odd = jv_and_k(p, jv_lshr_k(p, a, 16), 1);
    return jv_trunc(p, jv_lshr_k(p, jv_add(p, jv_add_k(p, a, 0x7fff), odd), 16), 16);
}

jv jv_to_half(struct jit_part *p, enum jit_round round, bool brain, jv x)
{
    jv near = brain ? nearest_brain(p, x) : nearest_half(p, x);
    if (round != JIT_RN) near = jv_step_back(p, round, near, jv_from_half(p, brain, near), x);
    return jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), jv_int(p, x, 16, 0x7fff), near);
}

/* Shift into place and fix the exponent; a subnormal is normalised by a subtraction. */
static jv widen_by_integers(struct jit_part *p, jv a)
{
    jv wide = jv_zext(p, a, 32), body = jv_shl_k(p, jv_and_k(p, wide, 0x7fff), 13);
    jv field = jv_and_k(p, body, 0x0f800000);
    jv normal = jv_add_k(p, body, 112u << 23), special = jv_add_k(p, body, 224u << 23);
    jv small = jv_fsub(p, jv_float_exact(p, jv_or_k(p, body, 113u << 23)), jv_flt(p, a, 32, 0x1p-14));
    jv bits = jv_select(p, jv_cmp_k(p, LLVMIntEQ, field, 0x0f800000), special, normal);
    bits = jv_select(p, jv_cmp_k(p, LLVMIntEQ, field, 0), jv_bits(p, small), bits);
    jv sign = jv_shl_k(p, jv_and_k(p, wide, 0x8000), 16);
    return jv_float_exact(p, jv_or(p, bits, sign));
}

jv jv_from_half(struct jit_part *p, bool brain, jv a)
{
    if (brain) return jv_float_exact(p, jv_shl_k(p, jv_zext(p, a, 32), 16));
    if (p->isa < JIT_ISA_AVX2) return widen_by_integers(p, a);
    LLVMTypeRef half = jv_like(a, LLVMHalfTypeInContext(p->context));
    LLVMTypeRef single = jv_like(a, LLVMFloatTypeInContext(p->context));
    return LLVMBuildFPExt(p->builder, LLVMBuildBitCast(p->builder, a, half, ""), single, "");
}

/* ---- arithmetic */

static bool is_brain(const struct jit_op *op)
{
    return op->type == ISA_BF16;
}

static jv flush_half(struct jit_op *op, jv a)
{
    struct jit_part *p = op->part;
    jv field = jv_and_k(p, a, is_brain(op) ? 0x7f80 : 0x7c00);
    return jv_select(p, jv_cmp_k(p, LLVMIntEQ, field, 0), jv_and_k(p, a, 0x8000), a);
}

/* What is below the least normal number when rounded as if exponents went on: 2^-14 - 2^-26 is rounded up to
 * it. */
static jv flush_result(struct jit_op *op, jv x, jv a)
{
    struct jit_part *p = op->part;
    if (is_brain(op)) return flush_half(op, a);
    jv tiny = jv_fcmp(p, LLVMRealOLT, jv_fabs(p, x), jv_fk(x, 0x1p-14 - 0x1p-26));
    return jv_select(p, tiny, jv_and_k(p, a, 0x8000), a);
}

/* near when a is select(x unordered x, 0x7fff, near), which jv_to_half makes, near being a NaN then too (by
 * F16C): chains of arithmetic make NaNs canonical once, at their end. Else a. */
static jv unwrapped(const struct jit_op *op, jv a)
{
    jv select = a;
    if (is_brain(op) || op->part->isa < JIT_ISA_AVX2) return a;
    while (LLVMIsABitCastInst(select))
        select = LLVMGetOperand(select, 0);
    if (!LLVMIsASelectInst(select)) return a;
    jv test = LLVMGetOperand(select, 0), near = LLVMGetOperand(select, 2);
    bool is_nan_test = LLVMIsAFCmpInst(test) && LLVMGetFCmpPredicate(test) == LLVMRealUNO &&
                       LLVMGetOperand(test, 0) == LLVMGetOperand(test, 1) && LLVMIsABitCastInst(near) &&
                       LLVMIsAFPTruncInst(LLVMGetOperand(near, 0)) &&
                       LLVMGetOperand(LLVMGetOperand(near, 0), 0) == LLVMGetOperand(test, 0);
    return is_nan_test && LLVMTypeOf(near) == LLVMTypeOf(a) ? near : a;
}

static jv half_source(struct jit_op *op, unsigned i)
{
    jv a = unwrapped(op, op->src[i]);
    if (jit_has(op->instr, ISA_MOD_FTZ)) a = flush_half(op, a);
    return jv_from_half(op->part, is_brain(op), a);
}

/* x is exact or rounded to odd, or one rounding of a sum or product */
static void half_finish(struct jit_op *op, jv x)
{
    struct jit_part *p = op->part;
    if (jit_has(op->instr, ISA_MOD_SAT)) x = jv_saturate(p, x);
    jv a = jv_to_half(p, JIT_RN, is_brain(op), x);
    if (jit_has(op->instr, ISA_MOD_FTZ)) a = flush_result(op, x, a);
    if (jit_has(op->instr, ISA_MOD_RELU)) {
        jv below = jv_fcmp(p, LLVMRealOLE, x, jv_fk(x, 0)); /* -0 too */
        a = jv_select(p, below, jv_k(a, 0), a);
    }
    op->dst[0] = a;
}

static void build_sum(struct jit_op *op)
{
    jv a = half_source(op, 0), b = half_source(op, 1);
    half_finish(op, op->instr->op == ISA_OP_ADD ? jv_fadd(op->part, a, b) : jv_fsub(op->part, a, b));
}

static void build_mul(struct jit_op *op)
{
    half_finish(op, jv_fmul(op->part, half_source(op, 0), half_source(op, 1)));
}

/* f16: the product is exact in f32; bf16: in f64, because its exponents are those of f32. Where f32 has a
 * fused operation rounded to odd, it does for both: its subnormals have 16 bits more than those of bf16. */
static void build_fma(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = half_source(op, 0), b = half_source(op, 1), c = half_source(op, 2);
    bool wide = is_brain(op) && p->isa != JIT_ISA_AVX512;
    if (wide) a = jv_fext(p, a), b = jv_fext(p, b), c = jv_fext(p, c);
    jv sum = jv_fma_to_odd(p, a, b, c);
    half_finish(op, wide ? jv_narrow_odd(p, sum) : sum);
}

/* The unit works on a part's lanes; of a packed type there are twice as many here. */
static jv by_pieces(struct jit_part *p, jv (*unit)(struct jit_part *p, jv bits), jv bits)
{
    unsigned lanes = jv_lanes(bits), width = p->isa == JIT_ISA_AVX512 ? 16 : p->isa == JIT_ISA_AVX2 ? 8 : 4;
    if (lanes <= width) return unit(p, bits);
    jv done[32];
    for (unsigned i = 0; i < lanes / width; i++)
        done[i] = unit(p, jv_piece(p, bits, i * width, width));
    return jv_join(p, done, lanes / width, lanes);
}

/* ex2 and tanh: the f32 result of the multi-function unit, its lower bits cut off; too large for f16 is
 * infinity. */
static jv cut_half(struct jit_op *op, jv bits)
{
    struct jit_part *p = op->part;
    if (is_brain(op)) return jv_trunc(p, jv_lshr_k(p, bits, 16), 16);
    jv x = jv_float_exact(p, bits), cut = jv_to_half(p, JIT_RZ, false, x);
    jv large = jv_fcmp(p, LLVMRealOGE, x, jv_fk(x, 65536));
    return jv_select(p, large, jv_int(p, bits, 16, 0x7c00), cut);
}

static void build_ex2(struct jit_op *op)
{
    op->dst[0] = cut_half(op, by_pieces(op->part, jv_ex2, jv_bits(op->part, half_source(op, 0))));
}

static void build_tanh(struct jit_op *op)
{
    op->dst[0] = cut_half(op, by_pieces(op->part, jv_tanh, jv_bits(op->part, half_source(op, 0))));
}

static void build_sign(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = jit_has(op->instr, ISA_MOD_FTZ) ? flush_half(op, op->src[0]) : op->src[0];
    jv x = jv_from_half(p, is_brain(op), a), k = jv_k(a, 0x8000);
    jv bits = op->instr->op == ISA_OP_NEG ? jv_xor(p, a, k) : jv_and(p, a, jv_not(p, k));
    op->dst[0] = jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), jv_k(a, 0x7fff), bits);
}

jit_build_fn jit_select_half(const struct ptx_instr *instr)
{
    if (jit_rounding(instr) != JIT_RN) return NULL;
    switch ((int)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB: return build_sum;
    case ISA_OP_MUL: return build_mul;
    case ISA_OP_FMA: return build_fma;
    case ISA_OP_EX2: return build_ex2;
    case ISA_OP_TANH: return build_tanh;
    case ISA_OP_NEG:
    case ISA_OP_ABS: return build_sign;
    default: return NULL;
    }
}
