/* SPDX-License-Identifier: Apache-2.0 */
/* Short names for LLVM instructions on scalar or vector values.
 * Method: each takes its type from its operands; the builder folds constants.
 * Limits: integers up to 64 bits and f32, f64; MXCSR is at its default (nearest even, denormals kept). */
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <string.h>

unsigned jv_lanes(jv a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static LLVMTypeRef element_type(jv a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

unsigned jv_width(jv a)
{
    LLVMTypeRef type = element_type(a);
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    default: BUG("value of an unexpected LLVM type");
    }
}

static LLVMTypeRef vector_of(LLVMTypeRef element, unsigned lanes)
{
    return lanes == 1 ? element : LLVMVectorType(element, lanes);
}

LLVMTypeRef jv_like(jv a, LLVMTypeRef element)
{
    return vector_of(element, jv_lanes(a));
}

static jv splat(jv element, unsigned lanes)
{
    LLVMValueRef all[64];
    if (lanes == 1) return element;
    SW_ASSERT(lanes <= SW_COUNT_OF(all));
    for (unsigned i = 0; i < lanes; i++)
        all[i] = element;
    return LLVMConstVector(all, lanes);
}

jv jv_k(jv like, uint64_t value)
{
    return splat(LLVMConstInt(element_type(like), value, false), jv_lanes(like));
}

jv jv_fk(jv like, double value)
{
    return splat(LLVMConstReal(element_type(like), value), jv_lanes(like));
}

jv jv_int(struct jit_part *p, jv like, unsigned bits, uint64_t value)
{
    return splat(LLVMConstInt(LLVMIntTypeInContext(p->context, bits), value, false), jv_lanes(like));
}

static LLVMTypeRef float_type(struct jit_part *p, unsigned bits)
{
    return bits == 64 ? LLVMDoubleTypeInContext(p->context) : LLVMFloatTypeInContext(p->context);
}

jv jv_flt(struct jit_part *p, jv like, unsigned bits, double value)
{
    return splat(LLVMConstReal(float_type(p, bits), value), jv_lanes(like));
}

LLVMTypeRef jit_part_type(const struct jit_part *part, unsigned bits)
{
    return vector_of(LLVMIntTypeInContext(part->context, bits), part->lanes);
}

LLVMValueRef jit_part_const(const struct jit_part *part, unsigned bits, uint64_t value)
{
    return splat(LLVMConstInt(LLVMIntTypeInContext(part->context, bits), value, false), part->lanes);
}

/* ---- integers */

jv jv_add(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildAdd(p->builder, a, b, "");
}

jv jv_sub(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildSub(p->builder, a, b, "");
}

jv jv_mul(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildMul(p->builder, a, b, "");
}

jv jv_and(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildAnd(p->builder, a, b, "");
}

jv jv_or(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildOr(p->builder, a, b, "");
}

jv jv_xor(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildXor(p->builder, a, b, "");
}

jv jv_not(struct jit_part *p, jv a)
{
    return LLVMBuildNot(p->builder, a, "");
}

jv jv_neg(struct jit_part *p, jv a)
{
    return LLVMBuildNeg(p->builder, a, "");
}

jv jv_shl(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildShl(p->builder, a, b, "");
}

jv jv_lshr(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildLShr(p->builder, a, b, "");
}

jv jv_ashr(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildAShr(p->builder, a, b, "");
}

jv jv_and_k(struct jit_part *p, jv a, uint64_t k)
{
    return jv_and(p, a, jv_k(a, k));
}

jv jv_or_k(struct jit_part *p, jv a, uint64_t k)
{
    return jv_or(p, a, jv_k(a, k));
}

jv jv_add_k(struct jit_part *p, jv a, uint64_t k)
{
    return jv_add(p, a, jv_k(a, k));
}

jv jv_shl_k(struct jit_part *p, jv a, unsigned k)
{
    return jv_shl(p, a, jv_k(a, k));
}

jv jv_lshr_k(struct jit_part *p, jv a, unsigned k)
{
    return jv_lshr(p, a, jv_k(a, k));
}

jv jv_ashr_k(struct jit_part *p, jv a, unsigned k)
{
    return jv_ashr(p, a, jv_k(a, k));
}

jv jv_cmp(struct jit_part *p, LLVMIntPredicate predicate, jv a, jv b)
{
    return LLVMBuildICmp(p->builder, predicate, a, b, "");
}

jv jv_cmp_k(struct jit_part *p, LLVMIntPredicate predicate, jv a, uint64_t k)
{
    return jv_cmp(p, predicate, a, jv_k(a, k));
}

jv jv_select(struct jit_part *p, jv condition, jv yes, jv no)
{
    return LLVMBuildSelect(p->builder, condition, yes, no, "");
}

jv jv_zext(struct jit_part *p, jv a, unsigned bits)
{
    if (jv_width(a) == bits) return a;
    return LLVMBuildZExt(p->builder, a, jv_like(a, LLVMIntTypeInContext(p->context, bits)), "");
}

jv jv_sext(struct jit_part *p, jv a, unsigned bits)
{
    if (jv_width(a) == bits) return a;
    return LLVMBuildSExt(p->builder, a, jv_like(a, LLVMIntTypeInContext(p->context, bits)), "");
}

jv jv_trunc(struct jit_part *p, jv a, unsigned bits)
{
    if (jv_width(a) == bits) return a;
    return LLVMBuildTrunc(p->builder, a, jv_like(a, LLVMIntTypeInContext(p->context, bits)), "");
}

jv jv_fit(struct jit_part *p, jv a, unsigned bits, bool is_signed)
{
    if (jv_width(a) > bits) return jv_trunc(p, a, bits);
    return is_signed ? jv_sext(p, a, bits) : jv_zext(p, a, bits);
}

jv jv_min(struct jit_part *p, jv a, jv b, bool is_signed)
{
    return jv_call2(p, is_signed ? "llvm.smin" : "llvm.umin", a, b);
}

jv jv_max(struct jit_part *p, jv a, jv b, bool is_signed)
{
    return jv_call2(p, is_signed ? "llvm.smax" : "llvm.umax", a, b);
}

jv jv_call(struct jit_part *p, const char *name, jv *args, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    unsigned overloads = LLVMIntrinsicIsOverloaded(id) ? 1 : 0;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(p->module, id, &type, overloads);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

jv jv_call1(struct jit_part *p, const char *name, jv a)
{
    return jv_call(p, name, &a, 1);
}

jv jv_call2(struct jit_part *p, const char *name, jv a, jv b)
{
    return jv_call(p, name, (jv[]){a, b}, 2);
}

jv jv_call_to(struct jit_part *p, const char *name, LLVMTypeRef result, jv a)
{
    LLVMTypeRef types[2] = {result, LLVMTypeOf(a)};
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(p->module, LLVMLookupIntrinsicID(name, strlen(name)), types, 2);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(function), function, &a, 1, "");
}

/* ---- floats */

jv jv_float_exact(struct jit_part *p, jv a)
{
    return LLVMBuildBitCast(p->builder, a, jv_like(a, float_type(p, jv_width(a))), "");
}

/* x when a is bitcast(select(x unordered x, NaN, x)), which is what jv_result makes; otherwise NULL. */
static jv unwrap(jv a)
{
    if (!LLVMIsABitCastInst(a)) return NULL;
    jv select = LLVMGetOperand(a, 0);
    if (!LLVMIsASelectInst(select)) return NULL;
    jv condition = LLVMGetOperand(select, 0), x = LLVMGetOperand(select, 2);
    bool is_nan_test = LLVMIsAFCmpInst(condition) && LLVMGetFCmpPredicate(condition) == LLVMRealUNO &&
                       LLVMGetOperand(condition, 0) == x && LLVMGetOperand(condition, 1) == x;
    return is_nan_test ? x : NULL;
}

jv jv_float(struct jit_part *p, jv a)
{
    jv x = unwrap(a);
    return x && jv_lanes(x) == jv_lanes(a) && jv_width(x) == jv_width(a) ? x : jv_float_exact(p, a);
}

jv jv_bits(struct jit_part *p, jv a)
{
    return LLVMBuildBitCast(p->builder, a, jv_like(a, LLVMIntTypeInContext(p->context, jv_width(a))), "");
}

jv jv_canonical(struct jit_part *p, jv a, uint64_t nan)
{
    jv constant = LLVMConstBitCast(jv_int(p, a, jv_width(a), nan), LLVMTypeOf(a));
    return jv_bits(p, jv_select(p, jv_fcmp(p, LLVMRealUNO, a, a), constant, a));
}

jv jv_result(struct jit_part *p, jv a)
{
    return jv_canonical(p, a, jv_width(a) == 64 ? 0xfff8000000000000u : 0x7fffffffu);
}

/* Is a what jv_flush or jv_flush_where made: bitcast(select(x & exponent == 0, x & sign, x)), or with a
 * comparison of floats? Then chains flush each value once. */
static bool is_signed_zero(jv zero, jv x)
{
    if (!LLVMIsAInstruction(zero) || LLVMGetInstructionOpcode(zero) != LLVMAnd) return false;
    return LLVMGetOperand(zero, 0) == x &&
           LLVMGetOperand(zero, 1) == jv_k(x, UINT64_C(1) << (jv_width(x) - 1));
}

static bool is_flushed(jv a)
{
    jv select = LLVMIsABitCastInst(a) ? LLVMGetOperand(a, 0) : a;
    if (!LLVMIsASelectInst(select)) return false;
    jv test = LLVMGetOperand(select, 0), zero = LLVMGetOperand(select, 1), x = LLVMGetOperand(select, 2);
    if (LLVMIsAFCmpInst(test)) return is_signed_zero(zero, x);
    if (!LLVMIsAICmpInst(test) || LLVMGetICmpPredicate(test) != LLVMIntEQ) return false;
    jv exponent = LLVMGetOperand(test, 0);
    if (!LLVMIsNull(LLVMGetOperand(test, 1)) || !LLVMIsAInstruction(exponent) || !LLVMIsAInstruction(zero))
        return false;
    bool ands = LLVMGetInstructionOpcode(exponent) == LLVMAnd && LLVMGetInstructionOpcode(zero) == LLVMAnd;
    bool wide = jv_width(a) == 64;
    jv field = jv_k(x, wide ? 0x7ff0000000000000u : 0x7f800000u);
    jv sign = jv_k(x, wide ? 0x8000000000000000u : 0x80000000u);
    return ands && LLVMGetOperand(exponent, 0) == x && LLVMGetOperand(exponent, 1) == field &&
           LLVMGetOperand(zero, 0) == x && LLVMGetOperand(zero, 1) == sign;
}

jv jv_flush(struct jit_part *p, jv a)
{
    if (is_flushed(a)) return a;
    bool wide = jv_width(a) == 64;
    jv bits = jv_bits(p, a);
    jv exponent = jv_and_k(p, bits, wide ? 0x7ff0000000000000u : 0x7f800000u);
    jv zero = jv_and_k(p, bits, wide ? 0x8000000000000000u : 0x80000000u);
    return jv_float_exact(p, jv_select(p, jv_cmp_k(p, LLVMIntEQ, exponent, 0), zero, bits));
}

jv jv_flush_where(struct jit_part *p, jv tiny, jv a)
{
    jv bits = jv_bits(p, a);
    return jv_float_exact(p,
                          jv_select(p, tiny, jv_and_k(p, bits, UINT64_C(1) << (jv_width(bits) - 1)), bits));
}

jv jv_saturate(struct jit_part *p, jv a)
{
    jv zero = jv_fk(a, 0), one = jv_fk(a, 1);
    if (p->isa == JIT_ISA_NEON) /* whose fmaxnm, which LLVM makes of the next, passes signaling NaNs */
        a = jv_select(p, jv_fcmp(p, LLVMRealUNO, a, a), zero, a);
    jv positive = jv_select(p, jv_fcmp(p, LLVMRealOGT, a, zero), a, zero);
    return jv_select(p, jv_fcmp(p, LLVMRealOLT, positive, one), positive, one);
}

jv jv_fadd(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildFAdd(p->builder, a, b, "");
}

jv jv_fsub(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildFSub(p->builder, a, b, "");
}

jv jv_fmul(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildFMul(p->builder, a, b, "");
}

jv jv_fdiv(struct jit_part *p, jv a, jv b)
{
    return LLVMBuildFDiv(p->builder, a, b, "");
}

jv jv_fneg(struct jit_part *p, jv a)
{
    return LLVMBuildFNeg(p->builder, a, "");
}

jv jv_fabs(struct jit_part *p, jv a)
{
    return jv_call1(p, "llvm.fabs", a);
}

jv jv_fcmp(struct jit_part *p, LLVMRealPredicate predicate, jv a, jv b)
{
    return LLVMBuildFCmp(p->builder, predicate, a, b, "");
}

jv jv_fext(struct jit_part *p, jv a)
{
    return LLVMBuildFPExt(p->builder, a, jv_like(a, float_type(p, 64)), "");
}

jv jv_ftrunc(struct jit_part *p, jv a)
{
    return LLVMBuildFPTrunc(p->builder, a, jv_like(a, float_type(p, 32)), "");
}

/* ---- pieces */

static jv shuffle(struct jit_part *p, jv a, jv b, unsigned first, unsigned lanes, unsigned limit)
{
    LLVMValueRef index[64];
    LLVMTypeRef type = LLVMInt32TypeInContext(p->context);
    for (unsigned i = 0; i < lanes; i++)
        index[i] = first + i < limit ? LLVMConstInt(type, first + i, false) : LLVMGetUndef(type);
    return LLVMBuildShuffleVector(p->builder, a, b, LLVMConstVector(index, lanes), "");
}

jv jv_piece(struct jit_part *p, jv a, unsigned first, unsigned lanes)
{
    unsigned have = jv_lanes(a);
    if (have == lanes) return a;
    if (have > 1) return shuffle(p, a, LLVMGetUndef(LLVMTypeOf(a)), first, lanes, have);
    jv undefined = LLVMGetUndef(LLVMVectorType(LLVMTypeOf(a), lanes));
    return LLVMBuildInsertElement(p->builder, undefined, a,
                                  LLVMConstInt(LLVMInt32TypeInContext(p->context), 0, false), "");
}

jv jv_join(struct jit_part *p, jv *pieces, unsigned count, unsigned lanes)
{
    if (lanes == 1)
        return LLVMBuildExtractElement(p->builder, pieces[0],
                                       LLVMConstInt(LLVMInt32TypeInContext(p->context), 0, false), "");
    unsigned width = jv_lanes(pieces[0]);
    for (; count > 1; count /= 2, width *= 2)
        for (unsigned i = 0; i < count / 2; i++)
            pieces[i] = shuffle(p, pieces[2 * i], pieces[2 * i + 1], 0, 2 * width, 2 * width);
    return width == lanes ? pieces[0]
                          : shuffle(p, pieces[0], LLVMGetUndef(LLVMTypeOf(pieces[0])), 0, lanes, width);
}
