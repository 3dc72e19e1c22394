/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of f32 and f64: add, sub, mul, fma, div, rcp, sqrt, neg, abs (PTX ISA 9.7.3).
 * Method: LLVM's operations in their default environment (nearest even, denormals kept), jit_op_round.c for
 * the other rounding modes. .ftz flushes sources and result one by one, because MXCSR would flush f64 too. A
 * result is flushed when it is below the least normal number after rounding as if exponents went on (as on
 * x86 and an H200): 2^-126 can be such a one, rounded again. add and sqrt give no such results. NaN results
 * of f32 are canonical: see jv_result. Of f64, a NaN operand passes, quiet and with its sign, and of several
 * the first in nan_orders[], as on an H200; otherwise the NaN is fff8000000000000. x86 passes a single NaN
 * operand and makes the same NaN; of several it passes one by the order of its operands, which LLVM may
 * change, so then integers choose (payload). jit_emit_double.c leaves that out where no NaN can have a
 * payload (jit_part.plain_nans). Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <string.h>

/* 0, 1, -1 and NaN, with which LLVM makes something else of an operation */
static bool is_awkward(jv a)
{
    jv element = jv_lanes(a) == 1 ? a : LLVMGetAggregateElement(a, 0);
    if (!element || !LLVMIsAConstantInt(element)) return true;
    unsigned width = jv_width(element);
    uint64_t size = LLVMConstIntGetZExtValue(element) << (65 - width);
    uint64_t one = width == 64 ? UINT64_C(0x3ff0000000000000) : UINT64_C(0x3f800000) << 32;
    uint64_t infinity = width == 64 ? UINT64_C(0x7ff0000000000000) : UINT64_C(0x7f800000) << 32;
    return size == 0 || size == one << 1 || size > infinity << 1;
}

static bool is_any_awkward(const struct jit_op *op)
{
    for (unsigned i = 0; i < op->count; i++)
        if (LLVMIsConstant(op->src[i]) && is_awkward(op->src[i])) return true;
    return false;
}

/* neg and abs are no arithmetic. */
static bool flushed_by_mxcsr(const struct jit_op *op)
{
    return op->part->mxcsr_flushes && op->instr->op != ISA_OP_NEG && op->instr->op != ISA_OP_ABS &&
           !is_any_awkward(op);
}

static jv float_source(struct jit_op *op, unsigned i)
{
    jv a = jv_width(op->src[i]) == 64 ? jv_float_exact(op->part, op->src[i]) : jv_float(op->part, op->src[i]);
    return jit_has(op->instr, ISA_MOD_FTZ) && !flushed_by_mxcsr(op) ? jv_flush(op->part, a) : a;
}

/* ---- NaNs of f64 */

static const char *const nan_orders[ISA_OP_COUNT] = {
    [ISA_OP_ADD] = "ba",  [ISA_OP_SUB] = "ba", [ISA_OP_MUL] = "ba", [ISA_OP_DIV] = "ab", [ISA_OP_FMA] = "bca",
    [ISA_OP_MAD] = "bca", [ISA_OP_SQRT] = "a", [ISA_OP_RCP] = "a",  [ISA_OP_NEG] = "a",  [ISA_OP_ABS] = "a",
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

/* Does what x86 and LLVM make of NaNs do? */
static bool passes_nan(const struct jit_op *op)
{
    if (op->instr->op == ISA_OP_NEG || op->instr->op == ISA_OP_ABS) return false;
    if (is_any_awkward(op) || op->part->isa == JIT_ISA_NEON) return false; /* whose own NaN is positive */
    unsigned variables = 0;
    for (unsigned i = 0; i < op->count; i++)
        variables += !LLVMIsConstant(op->src[i]);
    if (variables == 0) return false;
    if (op->part->plain_nans) return true;
    return variables == 1 && (op->count < 3 || LLVMIsConstant(op->src[2]));
}

static jv double_result(struct jit_op *op, jv x)
{
    return passes_nan(op) ? jv_bits(op->part, x) : payload(op, x);
}

/* ---- .ftz */

/* Below 2^-126 before it is rounded to a multiple of 2^-149? With operands 2^24 times as large it is a normal
 * number (or too large, then not). NULL: what is a normal number was one. */
static jv is_tiny(struct jit_op *op, enum jit_arith what, enum jit_round round, jv *args, unsigned count)
{
    struct jit_part *p = op->part;
    jv x = args[0], y = args[1], limit = jv_fk(x, 0x1p-102), k = jv_fk(x, 0x1p24);
    switch (what) {
    case JIT_MUL:
        return jv_fcmp(p, LLVMRealOLT,
                       jv_fabs(p, jv_rounded(p, what, round, (jv[]){jv_fmul(p, x, k), y}, count)), limit);
    case JIT_FMA: {
        jv scaled[] = {jv_fmul(p, x, k), y, jv_fmul(p, args[2], k)};
        return jv_fcmp(p, LLVMRealOLT, jv_fabs(p, jv_rounded(p, what, round, scaled, count)), limit);
    }
    /* the next quotients below 1 are as far away as two floats below 1 are, or further */
    case JIT_DIV:
        return jv_fcmp(p, LLVMRealOLT, jv_fabs(p, x), jv_fabs(p, jv_fmul(p, y, jv_fk(y, 0x1p-126))));
    case JIT_ADD:
    case JIT_SUB:
    case JIT_SQRT: break;
    }
    return NULL;
}

static jv flushed(struct jit_op *op, jv a, enum jit_arith what, enum jit_round round, jv *args,
                  unsigned count)
{
    if (!jit_has(op->instr, ISA_MOD_FTZ) || flushed_by_mxcsr(op)) return a;
    jv tiny = is_tiny(op, what, round, args, count);
    return tiny ? jv_flush_where(op->part, tiny, a) : jv_flush(op->part, a);
}

static void float_finish(struct jit_op *op, jv a)
{
    if (jv_width(a) == 64) {
        op->dst[0] = double_result(op, a);
        return;
    }
    if (jit_has(op->instr, ISA_MOD_SAT)) a = jv_saturate(op->part, a);
    op->dst[0] = jv_result(op->part, a);
}

/* a single IEEE operation, correctly rounded */
static void build_operation(struct jit_op *op, enum jit_arith what, jv *args, unsigned count)
{
    enum jit_round round = jit_rounding(op->instr);
    float_finish(op, flushed(op, jv_rounded(op->part, what, round, args, count), what, round, args, count));
}

static void build_arith(struct jit_op *op)
{
    static const uint8_t arith[ISA_OP_COUNT] = {
        [ISA_OP_ADD] = JIT_ADD, [ISA_OP_SUB] = JIT_SUB,   [ISA_OP_MUL] = JIT_MUL, [ISA_OP_DIV] = JIT_DIV,
        [ISA_OP_FMA] = JIT_FMA, [ISA_OP_SQRT] = JIT_SQRT, [ISA_OP_MAD] = JIT_FMA,
    };
    LLVMValueRef args[3];
    for (unsigned i = 0; i < op->count; i++)
        args[i] = float_source(op, i);
    build_operation(op, arith[op->instr->op], args, op->count);
}

static void float_build_rcp(struct jit_op *op)
{
    jv a = float_source(op, 0), args[2] = {jv_fk(a, 1), a};
    build_operation(op, JIT_DIV, args, 2);
}

static void build_neg(struct jit_op *op)
{
    float_finish(op, jv_fneg(op->part, float_source(op, 0)));
}

static void build_abs(struct jit_op *op)
{
    float_finish(op, jv_fabs(op->part, float_source(op, 0)));
}

jit_build_fn jit_select_float(const struct ptx_instr *instr)
{
    if (jit_has(instr, ISA_MOD_APPROX) || jit_has(instr, ISA_MOD_FULL)) return jit_select_approx(instr);
    if (jit_has(instr, ISA_MOD_RELU)) return NULL;
    switch ((int)instr->op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_FMA:
    case ISA_OP_DIV:
    case ISA_OP_SQRT: return build_arith;
    case ISA_OP_RCP: return float_build_rcp;
    case ISA_OP_NEG: return build_neg;
    case ISA_OP_ABS: return build_abs;
    default: return NULL;
    }
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_FMA, "t:ttt", " rn rz rm rp ftz sat relu oob ", NULL, jit_select_float, jit_select_half},
    {ISA_OP_RCP, "t:t", " rn rz rm rp ftz approx ", NULL, jit_select_float, NULL},
    {ISA_OP_SQRT, "t:t", " rn rz rm rp ftz approx ", NULL, jit_select_float, NULL},
    {ISA_OP_RSQRT, "t:t", " approx ftz ", NULL, jit_select_float, NULL},
    {ISA_OP_SIN, "t:t", " approx ftz ", NULL, jit_select_float, NULL},
    {ISA_OP_COS, "t:t", " approx ftz ", NULL, jit_select_float, NULL},
    {ISA_OP_LG2, "t:t", " approx ftz ", NULL, jit_select_float, NULL},
    {ISA_OP_EX2, "t:t", " approx ftz ", NULL, jit_select_float, jit_select_half},
    {ISA_OP_TANH, "t:t", " approx ftz ", NULL, jit_select_float, jit_select_half},
};
const struct jit_op_family jit_family_float = {ROWS, SW_COUNT_OF(ROWS)};
