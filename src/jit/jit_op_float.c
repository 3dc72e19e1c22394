/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f32 and f64: add, sub, mul, fma, div, rcp, sqrt, neg, abs (PTX ISA 9.7.3).
 * Method: LLVM's operations in their default environment (nearest even, denormals kept), jit_op_round.c for
 * the other rounding modes. .ftz flushes sources and result one by one, because MXCSR would flush f64 too.
 * NaN results are canonical: see jv_result.
 * Limits: none known. */
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

/* a single IEEE operation, correctly rounded */
static void build_arith(struct jit_op *op)
{
    static const uint8_t arith[PTX_OP_COUNT] = {
        [PTX_OP_ADD] = JIT_ADD, [PTX_OP_SUB] = JIT_SUB,   [PTX_OP_MUL] = JIT_MUL, [PTX_OP_DIV] = JIT_DIV,
        [PTX_OP_FMA] = JIT_FMA, [PTX_OP_SQRT] = JIT_SQRT, [PTX_OP_MAD] = JIT_FMA,
    };
    LLVMValueRef args[3];
    for (unsigned i = 0; i < op->count; i++)
        args[i] = source(op, i);
    finish(op, jv_rounded(op->part, arith[op->instr->op], jit_rounding(op->instr), args, op->count));
}

static void build_rcp(struct jit_op *op)
{
    jv a = source(op, 0), args[2] = {jv_fk(a, 1), a};
    finish(op, jv_rounded(op->part, JIT_DIV, jit_rounding(op->instr), args, 2));
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
    if (jit_has(instr, PTX_MOD_APPROX) || jit_has(instr, PTX_MOD_FULL)) return jit_select_approx(instr);
    if (jit_has(instr, PTX_MOD_RELU)) return NULL;
    switch ((int)instr->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MUL:
    case PTX_OP_MAD:
    case PTX_OP_FMA:
    case PTX_OP_DIV:
    case PTX_OP_SQRT: return build_arith;
    case PTX_OP_RCP: return build_rcp;
    case PTX_OP_NEG: return build_neg;
    case PTX_OP_ABS: return build_abs;
    default: return NULL;
    }
}
