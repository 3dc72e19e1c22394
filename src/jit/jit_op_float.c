/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f32 and f64: add, sub, mul, fma, neg, abs (PTX ISA 9.7.3).
 * Method: LLVM's operations in their default environment (nearest even, denormals kept). .ftz flushes sources
 * and result one by one, because MXCSR would flush f64 too. NaN results are canonical: see jv_result.
 * Limits: nearest even only. */
#include "jit_op_priv.h"

static jv source(struct jit_op *op, unsigned i)
{
    jv a = jv_float(op->part, op->src[i]);
    return jit_has(op->instr, PTX_MOD_FTZ) ? jv_flush(op->part, a) : a;
}

static void finish(struct jit_op *op, jv a)
{
    if (jit_has(op->instr, PTX_MOD_FTZ)) a = jv_flush(op->part, a);
    if (jit_has(op->instr, PTX_MOD_SAT)) a = jv_saturate(op->part, a);
    op->dst[0] = jv_result(op->part, a);
}

static void build_add(struct jit_op *op)
{
    finish(op, jv_fadd(op->part, source(op, 0), source(op, 1)));
}

static void build_sub(struct jit_op *op)
{
    finish(op, jv_fsub(op->part, source(op, 0), source(op, 1)));
}

static void build_mul(struct jit_op *op)
{
    finish(op, jv_fmul(op->part, source(op, 0), source(op, 1)));
}

static void build_fma(struct jit_op *op)
{
    finish(op, jv_fma(op->part, source(op, 0), source(op, 1), source(op, 2)));
}

static void build_neg(struct jit_op *op)
{
    finish(op, jv_fneg(op->part, source(op, 0)));
}

static void build_abs(struct jit_op *op)
{
    finish(op, jv_fabs(op->part, source(op, 0)));
}

jit_build_fn jit_select_float(const struct ptx_instr *instr)
{
    if (jit_rounding(instr) != JIT_RN) return NULL;
    switch ((int)instr->op) {
    case PTX_OP_ADD: return build_add;
    case PTX_OP_SUB: return build_sub;
    case PTX_OP_MUL: return build_mul;
    case PTX_OP_MAD:
    case PTX_OP_FMA: return build_fma;
    case PTX_OP_NEG: return build_neg;
    case PTX_OP_ABS: return build_abs;
    default: return NULL;
    }
}
