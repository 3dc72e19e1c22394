/* SPDX-License-Identifier: Apache-2.0 */
/* rcp, div, sqrt and rsqrt of f32, approximate (PTX ISA 9.7.3), with the bits of an H200.
 * Method: the multi-function unit's interpolation (jit_op_mufu.c) between taking the operand apart and
 * putting the result together, and the instructions that ptxas puts around the unit for denormals (CUDA 13.0,
 * sm_90). Limits: measured on an H200 only; other GPUs are taken to have the same tables. */
#include "jit_op_approx_priv.h"
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* ---- rcp and div */

static jv rcp_is_usual(struct jit_part *p, jv x) /* exponents up to 2^125 */
{
    jv shifted = jv_add_k(p, jv_shl_k(p, x, 1), -(uint64_t)(1u << 24));
    return jv_cmp_k(p, LLVMIntULT, shifted, 252u << 24);
}

/* Estimates of 1 / x and 1 / sqrt(x), whose own bits never show: llvm.x86.avx512.<name>14.ps.512 has 14 bits,
 * llvm.x86.avx.<name>.ps.256 12, with denormals taken and given as zeros. */
enum precision { NONE, COARSE, FINE };

static enum precision estimates(const struct jit_part *p, jv x)
{
    if (p->isa == JIT_ISA_AVX512 && jv_lanes(x) == 16) return FINE;
    return p->isa == JIT_ISA_AVX2 && jv_lanes(x) == 8 ? COARSE : NONE;
}

static jv estimate(struct jit_part *p, const char *fine, const char *coarse, jv x)
{
    jv mask = LLVMConstInt(LLVMInt16TypeInContext(p->context), 0xffff, false);
    if (estimates(p, x) == COARSE) return jv_call(p, coarse, &x, 1);
    return jv_call(p, fine, (jv[]){x, LLVMConstNull(LLVMTypeOf(x)), mask}, 3);
}

/* What is near a result is made too small by a few of the result's steps, so that it lies less than 16 below:
 * by 5 to 10, missed by less than 3; from 12 bits, after which Newton's iteration is up to 4 steps too small
 * itself, by 3 to 6. Under a square root it counts half. */
static double below_one(enum precision precision, bool under_root)
{
    double less = precision == COARSE ? 0x1.8p-22 : 0x1.4p-21;
    return 1 - (under_root ? 2 * less : less);
}

/* 1 / x: Newton's iteration where there is an estimate */
static jv near_rcp(struct jit_part *p, jv x)
{
    enum precision precision = estimates(p, x);
    jv one = jv_fk(x, below_one(precision, false));
    if (precision == NONE) return jv_fdiv(p, one, x);
    jv r = estimate(p, "llvm.x86.avx512.rcp14.ps.512", "llvm.x86.avx.rcp.ps.256", x);
    return jv_fma(p, r, jv_fma(p, jv_fneg(p, x), r, one), r);
}

static jv rcp_core(struct jit_part *p, jv x)
{
    jv low = jv_and_k(p, jv_shl_k(p, x, 1), 0x1ffff);
    jv near = jv_bits(p, near_rcp(p, jv_float_exact(p, x)));
    return jv_mufu_near(p, JIT_MUFU_RCP, near, jv_lshr_k(p, x, 16), low);
}

/* Where denormals are zeros, what the core estimates for operands above 2^125 could be one: it gets half of
 * those. */
static jv rcp_halved(struct jit_part *p, jv x, jv a)
{
    if (!p->mxcsr_flushes && estimates(p, x) != COARSE) return a;
    jv large = jv_cmp_k(p, LLVMIntUGT, jv_magnitude(p, x), 0x7e000000);
    return jv_select(p, large, jv_add_k(p, a, -(uint64_t)JIT_F32_LEAST_NORMAL), a);
}

static jv rcp_fixed(struct jit_part *p, jv x, jv r)
{
    jv sign = jv_sign(p, x), size = jv_magnitude(p, x);
    r = rcp_halved(p, x, r);
    r = jv_select(p, jv_cmp_k(p, LLVMIntUGT, size, 0x7e800000), sign, r); /* below 2^-126: a zero */
    r = jv_select(p, jv_is_tiny(p, x), jv_or_k(p, sign, JIT_F32_INF), r);
    return jv_select(p, jv_is_nan(p, x), jv_k(x, JIT_F32_NAN), r);
}

/* What operands are multiplied with, so that neither they nor the reciprocal are denormal */
static jv rcp_scale(struct jit_part *p, jv x, bool tiny, bool huge)
{
    jv scale = jv_k(x, JIT_F32_ONE);
    if (tiny) scale = jv_select(p, jv_is_tiny(p, x), jv_k(x, 0x4b800000), scale); /* 2^24 */
    if (!huge) return scale;
    jv above = jv_cmp_k(p, LLVMIntUGT, jv_magnitude(p, x), 0x7e800000);
    return jv_select(p, above, jv_k(x, 0x3e800000), scale); /* 1/4 */
}

static void approx_build_rcp(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = jv_source_bits(op, 0);
    bool flush = jit_flushes(op);
    struct jit_guard g;
    jit_guard_open(&g, p, rcp_is_usual(p, x));
    jv scaled = flush ? x : jv_times(p, x, rcp_scale(p, x, true, true));
    jv r = rcp_core(p, jit_guard_core(&g, x, rcp_halved(p, scaled, scaled)));
    jit_guard_fix(&g);
    jv fixed = rcp_fixed(p, flush ? x : jv_times(p, x, rcp_scale(p, x, true, true)), r);
    if (!flush) fixed = jv_times(p, fixed, rcp_scale(p, x, true, true));
    op->dst[0] = jit_guard_close(&g, r, fixed);
}

static jv flush_bits(struct jit_part *p, jv a)
{
    return jv_bits(p, jv_flush(p, jv_float_exact(p, a)));
}

/* flush: as mul.ftz.f32 (jit_op_float.c) */
static jv approx_product(struct jit_part *p, jv a, jv b, bool flush)
{
    jv plain = jv_times(p, a, b);
    if (!flush || p->mxcsr_flushes) return plain;
    jv size = jv_fabs(p, jv_float_exact(p, jv_times(p, jv_times_k(p, a, 0x1p24), b)));
    jv tiny = jv_fcmp(p, LLVMRealOLT, size, jv_fk(size, 0x1p-102));
    return jv_bits(p, jv_flush_where(p, tiny, jv_float_exact(p, plain)));
}

/* a times 1 / b. approx: large b make it a zero; full: they are scaled */
static void build_div(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool flush = jit_flushes(op), full = jit_has(op->instr, ISA_MOD_FULL);
    jv a = flush ? flush_bits(p, jv_source_bits(op, 0)) : jv_source_bits(op, 0), b = jv_source_bits(op, 1);
    struct jit_guard g;
    jit_guard_open(&g, p, rcp_is_usual(p, b));
    jv near_one = jv_times(p, b, rcp_scale(p, b, !flush, full));
    jv in = jit_guard_core(&g, b, rcp_halved(p, near_one, near_one));
    jv r = rcp_core(p, in), quotient = approx_product(p, a, r, flush);
    jit_guard_fix(&g);
    jv scaled = approx_product(p, a, rcp_scale(p, b, !flush, full), flush);
    jv divisor = jv_times(p, b, rcp_scale(p, b, !flush, full));
    jv result = jit_guard_close(&g, quotient, approx_product(p, scaled, rcp_fixed(p, divisor, r), flush));
    op->dst[0] = jv_result(p, jv_float_exact(p, result));
}

/* ---- sqrt and rsqrt */

/* x = m 4^k, m in [1, 4) */
static jv sqrt_core(struct jit_part *p, jv x)
{
    jv even = jv_add_k(p, x, 1u << 23); /* its last exponent bit: that of the exponent, unbiased */
    jv fraction = jv_mufu_fraction(p, JIT_MUFU_SQRT, jv_lshr_k(p, even, 17), jv_and_k(p, x, 0x1ffff));
    return jv_add(p, fraction, jv_shl_k(p, jv_add_k(p, jv_lshr_k(p, even, 24), 62), 23));
}

/* 1 / sqrt(x): Newton's iteration where there is an estimate */
static jv near_rsqrt(struct jit_part *p, jv x)
{
    enum precision precision = estimates(p, x);
    if (precision == NONE) return jv_fdiv(p, jv_fk(x, below_one(NONE, false)), jv_call1(p, "llvm.sqrt", x));
    jv r = estimate(p, "llvm.x86.avx512.rsqrt14.ps.512", "llvm.x86.avx.rsqrt.ps.256", x);
    jv e = jv_fma(p, jv_fneg(p, jv_fmul(p, x, r)), r, jv_fk(x, below_one(precision, true)));
    return jv_fma(p, jv_fmul(p, r, e), jv_fk(x, 0.5), r);
}

/* Wrong by a step for powers of 4, which rsqrt's guard takes out. */
static jv rsqrt_core(struct jit_part *p, jv x)
{
    jv near = jv_bits(p, near_rsqrt(p, jv_float_exact(p, x)));
    return jv_mufu_near(p, JIT_MUFU_RSQRT, near, jv_lshr_k(p, x, 17), jv_and_k(p, x, 0x1ffff));
}

static jv is_power_of_4(struct jit_part *p, jv x)
{
    jv below = jv_add_k(p, x, -(uint64_t)JIT_F32_LEAST_NORMAL);
    return jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, below, 0xffffff), 0);
}

static void build_sqrt(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = jv_source_bits(op, 0);
    struct jit_guard g;
    jit_guard_open(&g, p, jv_is_positive_normal(p, x));
    jv in = jit_guard_core(&g, x, jv_normalized(p, x, jit_flushes(op))), r = sqrt_core(p, in);
    jit_guard_fix(&g);
    jv fixed = jv_root_fixed(p, in, r, 0, JIT_F32_INF);
    if (!jit_flushes(op)) fixed = jv_select(p, jv_is_tiny(p, x), jv_times_k(p, fixed, 0x1p-12), fixed);
    op->dst[0] = jit_guard_close(&g, r, fixed);
}

static void build_rsqrt(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = jv_source_bits(op, 0);
    struct jit_guard g;
    jit_guard_open(&g, p, jv_and(p, jv_is_positive_normal(p, x), jv_not(p, is_power_of_4(p, x))));
    jv in = jit_guard_core(&g, x, jv_normalized(p, x, jit_flushes(op))), r = rsqrt_core(p, in);
    jit_guard_fix(&g);
    jv fixed = jv_select(p, is_power_of_4(p, in), jv_add_k(p, r, 1), r);
    fixed = jv_root_fixed(p, in, fixed, JIT_F32_INF, 0);
    if (!jit_flushes(op)) fixed = jv_select(p, jv_is_tiny(p, x), jv_times_k(p, fixed, 0x1p12), fixed);
    op->dst[0] = jit_guard_close(&g, r, fixed);
}

static jit_build_fn exact_builder(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_RCP: return approx_build_rcp;
    case ISA_OP_SQRT: return build_sqrt;
    case ISA_OP_RSQRT: return build_rsqrt;
    case ISA_OP_DIV: return build_div;
    case ISA_OP_EX2: return jit_build_ex2;
    case ISA_OP_LG2: return jit_build_lg2;
    case ISA_OP_SIN: return jit_build_sin;
    case ISA_OP_COS: return jit_build_cos;
    case ISA_OP_TANH: return jit_build_tanh;
    default: return NULL;
    }
}

static void build_single(struct jit_op *op)
{
    jit_build_fn build = op->part->fast_approx ? jit_build_fast_approx : exact_builder(op->instr);
    build(op);
}

jit_build_fn jit_select_approx(const struct ptx_instr *instr)
{
    if (ptx_instr_type(instr, 0) != ISA_F64) return exact_builder(instr) ? build_single : NULL;
    if (instr->op == ISA_OP_RCP) return jit_has(instr, ISA_MOD_FTZ) ? jit_build_seed : NULL;
    if (instr->op != ISA_OP_RSQRT) return NULL;
    return jit_has(instr, ISA_MOD_FTZ) ? jit_build_seed : jit_build_rsqrt64;
}
