/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f32 and f64: add, sub, mul, fma, div, rcp, sqrt, neg, abs (PTX ISA 9.7.3).
 * Method: LLVM's operations in their default environment (nearest even, denormals kept), jit_op_round.c for
 * the other rounding modes. .ftz flushes sources and result one by one, because MXCSR would flush f64 too.
 * NaN results of f32 are canonical: see jv_result. Of f64, a NaN operand passes, quiet and with its sign, and
 * of several the first in nan_orders[], as on an H200; otherwise the NaN is fff8000000000000. x86 passes a
 * single NaN operand and makes the same NaN; of several it passes one by the order of its operands, which
 * LLVM may change, so then integers choose (payload). jit_emit_double.c leaves that out where no NaN can have
 * a payload (jit_part.plain_nans).
 * Limits: none known. */
#include "jit_op_priv.h"

#include <string.h>

static jv source(struct jit_op *op, unsigned i)
{
    jv a = jv_width(op->src[i]) == 64 ? jv_float_exact(op->part, op->src[i]) : jv_float(op->part, op->src[i]);
    return jit_has(op->instr, PTX_MOD_FTZ) ? jv_flush(op->part, a) : a;
}

/* ---- NaNs of f64 */

static const char *const nan_orders[PTX_OP_COUNT] = {
    [PTX_OP_ADD] = "ba",  [PTX_OP_SUB] = "ba", [PTX_OP_MUL] = "ba", [PTX_OP_DIV] = "ab", [PTX_OP_FMA] = "bca",
    [PTX_OP_MAD] = "bca", [PTX_OP_SQRT] = "a", [PTX_OP_RCP] = "a",  [PTX_OP_NEG] = "a",  [PTX_OP_ABS] = "a",
};

/* x, and where it is a NaN the operand's that passes */
static jv payload(struct jit_op *op, jv x)
{
    struct jit_part *p = op->part;
    const char *order = nan_orders[op->instr->op];
    jv nan = jv_float_exact(p, jv_int(p, x, 64, UINT64_C(0xfff8000000000000)));
    for (size_t i = strlen(order); i-- > 0;) {
        jv a = op->src[order[i] - 'a'], f = jv_float_exact(p, a);
        jv quiet = jv_float_exact(p, jv_or_k(p, a, UINT64_C(1) << 51));
        nan = jv_select(p, jv_fcmp(p, LLVMRealUNO, f, f), quiet, nan);
    }
    return jv_bits(p, jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), nan, x));
}

/* 0, 1, -1 and NaN, with which LLVM makes something else of an operation */
static bool is_awkward(jv a)
{
    jv element = jv_lanes(a) == 1 ? a : LLVMGetAggregateElement(a, 0);
    if (!element || !LLVMIsAConstantInt(element)) return true;
    uint64_t bits = LLVMConstIntGetZExtValue(element), size = bits << 1;
    return size == 0 || size == UINT64_C(0x3ff0000000000000) << 1 || size > UINT64_C(0x7ff0000000000000) << 1;
}

/* Does what x86 and LLVM make of NaNs do? */
static bool passes_nan(const struct jit_op *op)
{
    if (op->instr->op == PTX_OP_NEG || op->instr->op == PTX_OP_ABS) return false;
    unsigned variables = 0;
    for (unsigned i = 0; i < op->count; i++) {
        bool constant = LLVMIsConstant(op->src[i]);
        if (constant && is_awkward(op->src[i])) return false;
        variables += !constant;
    }
    if (variables == 0) return false;
    if (op->part->plain_nans) return true;
    return variables == 1 && (op->count < 3 || LLVMIsConstant(op->src[2]));
}

static jv double_result(struct jit_op *op, jv x)
{
    return passes_nan(op) ? jv_bits(op->part, x) : payload(op, x);
}

static void finish(struct jit_op *op, jv a)
{
    if (jv_width(a) == 64) {
        op->dst[0] = double_result(op, a);
        return;
    }
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
