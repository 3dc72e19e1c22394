/* SPDX-License-Identifier: Apache-2.0 */
/* rcp.approx.ftz.f64, rsqrt.approx.f64 and its .ftz form (PTX ISA 9.7.3), with the bits of an H200.
 * Method: the unit computes on the upper 32 bits, with the tables of f32 and 21 bits of result;
 * rsqrt.approx.f64 is that and one step of third order, as ptxas writes it (CUDA 13.0, sm_90). Limits: as in
 * jit_op_approx.c. */
#include "jit_op_approx_priv.h"
#include "jit_op_priv.h"

#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

static jv upper(struct jit_part *p, jv a)
{
    return jv_trunc(p, jv_lshr_k(p, a, 32), 32);
}

static jv as_upper(struct jit_part *p, jv a)
{
    return jv_shl_k(p, jv_zext(p, a, 64), 32);
}

static jv rcp_seed(struct jit_part *p, jv x)
{
    jv low = jv_and_k(p, jv_shl_k(p, x, 4), 0x1ffff), sign = jv_sign(p, x);
    jv fraction = jv_lshr_k(p, jv_mufu_fraction(p, JIT_MUFU_RCP, jv_lshr_k(p, x, 13), low), 3);
    jv r = jv_add(p, fraction, jv_sub(p, jv_k(x, 2044u << 20), jv_and_k(p, x, 0x7ff00000)));
    jv size = jv_magnitude(p, x), tiny = jv_cmp_k(p, LLVMIntULT, size, 0x00100000);
    r = jv_select(p, jv_cmp_k(p, LLVMIntSLT, r, 0x00100000), jv_k(x, 0), r);
    r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, size, 0x7ff00000), jv_k(x, 0), r);
    r = jv_or(p, jv_select(p, tiny, jv_k(x, 0x7ff00000), r), sign);
    return jv_select(p, jv_cmp_k(p, LLVMIntUGT, size, 0x7ff00000), jv_k(x, JIT_F32_NAN), r);
}

/* x positive and normal */
static jv rsqrt_seed_core(struct jit_part *p, jv x)
{
    jv even = jv_add_k(p, x, 1u << 20), low = jv_and_k(p, jv_shl_k(p, x, 3), 0x1ffff);
    jv fraction = jv_mufu_fraction(p, JIT_MUFU_RSQRT, jv_lshr_k(p, even, 14), low);
    jv is_power = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, x, 0x1fffff), 0x100000);
    fraction = jv_lshr_k(p, jv_add(p, fraction, jv_zext(p, is_power, 32)), 3);
    jv half = jv_lshr_k(p, even, 21);
    return jv_add(p, fraction, jv_shl_k(p, jv_sub(p, jv_k(x, 1533), half), 20));
}

static jv rsqrt_seed(struct jit_part *p, jv x)
{
    jv r = rsqrt_seed_core(p, jv_and_k(p, x, 0x7fffffff));
    r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, x, 0x7ff00000), jv_k(x, 0), r);
    r = jv_select(p, jv_cmp_k(p, LLVMIntUGT, x, 0x7ff00000), jv_k(x, JIT_F32_NAN), r);
    jv tiny = jv_cmp_k(p, LLVMIntULT, jv_magnitude(p, x), 0x00100000);
    jv zero = jv_select(p, tiny, jv_or_k(p, jv_sign(p, x), 0x7ff00000), r);
    return jv_select(p, jv_cmp_k(p, LLVMIntUGT, jv_magnitude(p, x), 0x7ff00000), jv_k(x, JIT_F32_NAN), zero);
}

void jit_build_seed(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = upper(p, op->src[0]);
    op->dst[0] = as_upper(p, op->instr->op == ISA_OP_RCP ? rcp_seed(p, x) : rsqrt_seed(p, x));
}

/* One step of third order from the seed y: e = 1 - x y^2, y + y e (1/2 + 3/8 e). Denormals are scaled by
 * 2^54. */
void jit_build_rsqrt64(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv bits = op->src[0], size = jv_and_k(p, bits, ~(UINT64_C(1) << 63)), whole = jv_float_exact(p, bits);
    jv tiny = jv_cmp_k(p, LLVMIntULT, size, UINT64_C(1) << 52), one = jv_fk(whole, 1);
    jv x = jv_fmul(p, whole, jv_select(p, tiny, jv_fk(whole, 0x1p54), one));
    jv y = jv_float_exact(p, as_upper(p, rsqrt_seed_core(p, jv_magnitude(p, upper(p, jv_bits(p, x))))));
    jv e = jv_fma(p, x, jv_fneg(p, jv_fmul(p, y, y)), one);
    jv r = jv_fma(p, jv_fma(p, e, jv_fk(x, 0.375), jv_fk(x, 0.5)), jv_fmul(p, y, e), y);
    r = jv_bits(p, jv_fmul(p, r, jv_select(p, tiny, jv_fk(x, 0x1p27), one)));
    r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, bits, 0x7ff0000000000000u), jv_k(bits, 0), r);
    r = jv_select(p, jv_cmp_k(p, LLVMIntSLT, bits, 0), jv_k(bits, 0xfff8000000000000u), r);
    jv infinity = jv_or_k(p, bits, 0x7ff0000000000000u), quiet = jv_or_k(p, bits, UINT64_C(1) << 51);
    r = jv_select(p, jv_cmp_k(p, LLVMIntEQ, size, 0), infinity, r);
    op->dst[0] = jv_select(p, jv_cmp_k(p, LLVMIntUGT, size, 0x7ff0000000000000u), quiet, r);
}
