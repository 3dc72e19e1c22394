/* SPDX-License-Identifier: Apache-2.0 */
/* ex2, lg2, sin, cos and tanh of f32 (PTX ISA 9.7.3), with the bits of an H200.
 * Method: the multi-function unit's interpolation (jit_op_mufu.c) between taking the operand apart and
 * putting the result together, and what ptxas puts around the unit (CUDA 13.0, sm_90): a product with 1 / (2
 * pi) for sin and cos, scaling for denormals. Limits: measured on an H200 only; other GPUs are taken to have
 * the same tables. */
#include "jit_op_approx_priv.h"
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* ---- ex2 */

static jv to_int(struct jit_part *p, jv x)
{
    return LLVMBuildFPToSI(p->builder, x, jv_like(x, LLVMInt32TypeInContext(p->context)), "");
}

/* In fixed point with 23 bits; of a negative operand's fraction the complement, one step less than the
 * negative. */
static jv ex2_core(struct jit_part *p, jv x)
{
    jv scaled = jv_float_exact(p, jv_times_k(p, x, 0x1p23)), n = to_int(p, scaled);
    jv broken = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, n, 0x7fffff), 0);
    n = jv_add(p, n, jv_and(p, jv_ashr_k(p, n, 31), jv_sext(p, broken, 32)));
    jv fraction = jv_mufu_fraction(p, JIT_MUFU_EX2, jv_lshr_k(p, n, 17), jv_and_k(p, n, 0x1ffff));
    return jv_add(p, fraction, jv_add_k(p, jv_and_k(p, n, 0xff800000), 126u << 23));
}

/* Within [-127, 128); NaN too */
static jv ex2_clamped(struct jit_part *p, jv bits)
{
    jv x = jv_float_exact(p, bits), low = jv_fk(x, -127), high = jv_fk(x, 0x1.fffffep6);
    x = jv_select(p, jv_fcmp(p, LLVMRealOLT, x, high), x, high);
    return jv_bits(p, jv_select(p, jv_fcmp(p, LLVMRealOGT, x, low), x, low));
}

static jv ex2_fixed(struct jit_part *p, jv x, jv r)
{
    jv f = jv_float_exact(p, x);
    r = jv_select(p, jv_cmp_k(p, LLVMIntSLT, r, JIT_F32_LEAST_NORMAL), jv_k(x, 0), r);
    r = jv_select(p, jv_fcmp(p, LLVMRealOGE, f, jv_fk(f, 128)), jv_k(x, JIT_F32_INF), r);
    return jv_select(p, jv_is_nan(p, x), jv_k(x, JIT_F32_NAN), r);
}

/* Small results, where they may be denormal, are the squares of their roots. */
static jv ex2_is_small(struct jit_part *p, jv x)
{
    jv f = jv_float_exact(p, x);
    return jv_fcmp(p, LLVMRealOLT, f, jv_fk(f, -126));
}

static jv any_ex2(struct jit_part *p, jv x, bool flush)
{
    struct jit_guard g;
    jit_guard_open(&g, p, jv_cmp_k(p, LLVMIntULT, jv_magnitude(p, x), 0x42fc0000)); /* 126 */
    jv scaled = flush ? x : jv_select(p, ex2_is_small(p, x), jv_times_k(p, x, 0.5), x);
    jv r = ex2_core(p, jit_guard_core(&g, x, ex2_clamped(p, scaled)));
    jit_guard_fix(&g);
    jv fixed = ex2_fixed(p, x, r);
    if (!flush) fixed = jv_select(p, ex2_is_small(p, x), jv_times(p, fixed, fixed), fixed);
    return jit_guard_close(&g, r, fixed);
}

jv jv_ex2(struct jit_part *p, jv bits)
{
    return any_ex2(p, bits, true);
}

void jit_build_ex2(struct jit_op *op)
{
    op->dst[0] = any_ex2(op->part, jv_source_bits(op, 0), jit_flushes(op));
}

/* ---- results whose leading bit can be anywhere */

/* n * 2^-point as a float, lower bits cut off; n below 2^31. Clearing the bit after the last one that is
 * kept makes rounding to nearest cut; that bit is the leading bit of n >> 24. */
static jv cut_float(struct jit_part *p, jv n, jv scale)
{
    jv kept = jv_and(p, n, jv_not(p, jv_lshr_k(p, n, 24)));
    jv f = LLVMBuildSIToFP(p->builder, kept, LLVMTypeOf(scale), "");
    return jv_bits(p, jv_fmul(p, f, scale));
}

/* (high + low 2^-bits) * unit, the lower bits only where high is small */
static jv cut_long(struct jit_part *p, jv high, jv low, unsigned bits, double unit)
{
    jv large = jv_cmp_k(p, LLVMIntUGE, high, 1u << 25);
    jv n = jv_select(p, large, jv_lshr_k(p, high, 1), jv_or(p, jv_shl_k(p, high, bits), low));
    jv f = jv_flt(p, high, 32, 2 * unit), g = jv_flt(p, high, 32, unit / (1u << bits));
    return cut_float(p, n, jv_select(p, large, f, g));
}

/* ---- lg2 */

/* The logarithm in fixed point: exponent, and 36 bits of the fraction's; of a negative sum the complement. */
static jv lg2_core(struct jit_part *p, jv x)
{
    jv low, high = jv_mufu_long(p, JIT_MUFU_LG2, jv_lshr_k(p, x, 17), jv_and_k(p, x, 0x1ffff), &low);
    jv n = jv_add_k(p, jv_lshr_k(p, x, 23), (uint64_t)-127), negative = jv_ashr_k(p, n, 31);
    n = jv_xor(p, n, negative), high = jv_xor(p, high, negative);
    low = jv_and_k(p, jv_xor(p, jv_lshr_k(p, low, 2), negative), 15);
    jv far = jv_add(p, jv_shl_k(p, n, 23), jv_lshr_k(p, high, 9));
    jv near_one = cut_long(p, high, low, 4, 0x1p-32), other = cut_float(p, far, jv_flt(p, x, 32, 0x1p-23));
    jv r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, n, 0), near_one, other);
    r = jv_or(p, r, jv_sign(p, negative));
    return jv_select(p, jv_cmp_k(p, LLVMIntEQ, x, JIT_F32_ONE), jv_k(x, 0), r);
}

void jit_build_lg2(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool flush = jit_flushes(op);
    jv x = jv_source_bits(op, 0);
    struct jit_guard g;
    jit_guard_open(&g, p, jv_is_positive_normal(p, x));
    jv in = jit_guard_core(&g, x, jv_normalized(p, x, flush)), r = lg2_core(p, jv_and_k(p, in, 0x7fffffff));
    jit_guard_fix(&g);
    jv fixed = jv_select(p, jv_cmp_k(p, LLVMIntEQ, in, JIT_F32_INF), in, r);
    fixed = jv_select(p, jv_cmp_k(p, LLVMIntUGT, in, JIT_F32_INF), jv_k(x, JIT_F32_NAN), fixed);
    fixed = jv_select(p, jv_is_tiny(p, in), jv_k(x, 0x80000000u | JIT_F32_INF), fixed);
    if (!flush) fixed = jv_select(p, jv_is_tiny(p, x), jv_plus_k(p, fixed, -24), fixed);
    op->dst[0] = jit_guard_close(&g, r, fixed);
}

/* ---- sin and cos */

/* x / (2 pi), magnitude, rounded to zero; what is denormal does not matter */
static jv turns(struct jit_part *p, jv bits)
{
    jv x = jv_float_exact(p, jv_magnitude(p, bits)), k = jv_fk(x, 0x1.45f306p-3);
    if (p->isa == JIT_ISA_AVX512) return jv_rounded(p, JIT_MUL, JIT_RZ, (jv[]){x, k}, 2);
    jv exact = jv_fmul(p, jv_fext(p, x), jv_fext(p, k));
    return jv_ftrunc(p, jv_float_exact(p, jv_and_k(p, jv_bits(p, exact), ~UINT64_C(0x1fffffff))));
}

/* The fraction of a turn in 25 bits: two of the quarter, 23 within it, backwards in odd quarters. */
static jv circular(struct jit_part *p, jv x, bool cosine)
{
    jv finite = jv_cmp_k(p, LLVMIntULT, jv_magnitude(p, x), JIT_F32_INF);
    jv turn = turns(p, jv_select(p, finite, x, jv_k(x, 0)));
    turn = jv_fsub(p, turn, jv_integral(p, JIT_RZ, turn));
    jv n = to_int(p, jv_fmul(p, turn, jv_fk(turn, 0x1p25)));
    if (cosine) n = jv_add_k(p, n, 1u << 23);
    jv back = jv_ashr_k(p, jv_shl_k(p, n, 8), 31), within = jv_xor(p, n, back);
    jv sign = jv_shl_k(p, jv_lshr_k(p, n, 24), 31), low;
    if (!cosine) sign = jv_xor(p, sign, jv_sign(p, x));
    jv high = jv_mufu_long(p, JIT_MUFU_SINE, jv_lshr_k(p, within, 17), jv_and_k(p, within, 0x1ffff), &low);
    jv r = jv_or(p, cut_long(p, high, low, 6, 0x1p-31), sign);
    return jv_select(p, finite, r, jv_k(x, JIT_F32_NAN));
}

void jit_build_sin(struct jit_op *op)
{
    op->dst[0] = circular(op->part, jv_source_bits(op, 0), false);
}

void jit_build_cos(struct jit_op *op)
{
    op->dst[0] = circular(op->part, jv_source_bits(op, 0), true);
}

/* ---- tanh */

/* Below 2^-8 the operand itself, from 8 one. Between: by binade, log2 of its number of rows, and its first
 * row. */
jv jv_tanh(struct jit_part *p, jv x)
{
#define BINADE(first, bits) ((first) << 8 | (bits))
    static const uint32_t binades[16] = {BINADE(0, 0),  BINADE(1, 0),  BINADE(2, 0),  BINADE(3, 1),
                                         BINADE(5, 1),  BINADE(7, 2),  BINADE(11, 2), BINADE(15, 2),
                                         BINADE(19, 3), BINADE(27, 4), BINADE(43, 3)};
    jv size = jv_magnitude(p, x), least = jv_k(x, 0x3b800000);
    jv tabled = jv_cmp(p, LLVMIntULT, jv_sub(p, size, least), jv_k(x, 0x41000000 - 0x3b800000));
    jv inside = jv_select(p, tabled, size, least);
    jv binade = jv_add_k(p, jv_lshr_k(p, inside, 23), (uint64_t)-119);
    jv row = jv_mufu_small_table(p, "tanh", binades, binade);
    jv fraction = jv_shl(p, jv_and_k(p, inside, 0x7fffff), jv_and_k(p, row, 255));
    jv index = jv_add(p, jv_lshr_k(p, row, 8), jv_lshr_k(p, fraction, 23));
    jv n = jv_mufu_tanh(p, index, jv_and_k(p, jv_lshr_k(p, fraction, 6), 0x1ffff));
    jv r = cut_float(p, jv_lshr_k(p, n, 1), jv_flt(p, x, 32, 0x1p-31));
    jv outside = jv_select(p, jv_cmp(p, LLVMIntULT, size, least), size, jv_k(x, JIT_F32_ONE));
    r = jv_or(p, jv_select(p, tabled, r, outside), jv_sign(p, x));
    return jv_select(p, jv_is_nan(p, x), jv_k(x, JIT_F32_NAN), r);
}

void jit_build_tanh(struct jit_op *op)
{
    op->dst[0] = jv_tanh(op->part, jv_source_bits(op, 0));
}
