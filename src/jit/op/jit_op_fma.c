/* SPDX-License-Identifier: Apache-2.0 */
/* Fused multiply-add, with one rounding on every machine.
 * Method: llvm.fma where the ISA has it (LLVM would call libm elsewhere, so it is not used there). Without:
 * f32 in f64, where the product is exact and the sum is rounded to odd, so that rounding to f32 is right
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). f64: one scalar function of
 * 128-bit integers per module, called for each lane.
 * Limits: without FMA hardware f64 costs about 20 ns a lane. */
#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <stdio.h>

/* a + b rounded to odd: the sum, and if it was inexact and its last bit is 0, its neighbour on the side of
 * the error (Knuth's two-sum finds the error). */
jv jv_sum_to_odd(struct jit_part *p, jv a, jv b)
{
    jv sum = jv_fadd(p, a, b), part_b = jv_fsub(p, sum, a);
    jv error = jv_fadd(p, jv_fsub(p, a, jv_fsub(p, sum, part_b)), jv_fsub(p, b, part_b));
    jv bits = jv_bits(p, sum);
    jv differ = jv_ashr_k(p, jv_xor(p, bits, jv_bits(p, error)), jv_width(bits) - 1);
    jv moved = jv_add(p, bits, jv_or_k(p, differ, 1)); /* +1: away from zero, -1: towards it */
    jv even = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, bits, 1), 0);
    jv inexact = jv_fcmp(p, LLVMRealONE, error, jv_fk(error, 0));
    return jv_float_exact(p, jv_select(p, jv_and(p, inexact, even), moved, bits));
}

/* ---- f64 in integers */

/* value = mantissa * 2^exponent, the mantissa's first one at bit 125 of i128 (or all zero). */
struct unpacked {
    jv sign, exponent, mantissa;
};

static jv wide(struct jit_part *p, jv a)
{
    return jv_zext(p, a, 128);
}

/* a >> by, with a one in the last bit if a one was lost; by: i128, at most 127 counts */
static jv shift_sticky(struct jit_part *p, jv a, jv by)
{
    jv amount = jv_min(p, by, jv_k(by, 127), false);
    jv shifted = jv_lshr(p, a, amount);
    jv lost = jv_cmp(p, LLVMIntNE, jv_shl(p, shifted, amount), a);
    return jv_or(p, shifted, wide(p, lost));
}

static jv leading_zeros(struct jit_part *p, jv a)
{
    return jv_call2(p, "llvm.ctlz", a, LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false));
}

static struct unpacked unpack(struct jit_part *p, jv a)
{
    jv field = jv_and_k(p, jv_lshr_k(p, a, 52), 0x7ff);
    jv normal = jv_cmp_k(p, LLVMIntNE, field, 0);
    jv fraction = jv_and_k(p, a, 0xfffffffffffffu);
    jv mantissa = jv_or(p, fraction, jv_shl_k(p, jv_zext(p, normal, 64), 52));
    jv exponent = jv_add_k(p, jv_max(p, field, jv_k(field, 1), true), (uint64_t)-1075);
    return (struct unpacked){jv_lshr_k(p, a, 63), exponent, wide(p, mantissa)};
}

/* Shift the first one to bit 125; a zero gets an exponent below all others. */
static struct unpacked normalise(struct jit_part *p, struct unpacked a)
{
    jv zeros = jv_sub(p, leading_zeros(p, a.mantissa), jv_k(a.mantissa, 2));
    jv empty = jv_cmp_k(p, LLVMIntEQ, a.mantissa, 0);
    jv by = jv_select(p, empty, jv_k(zeros, 0), zeros);
    jv exponent = jv_sub(p, a.exponent, jv_trunc(p, by, 64));
    a.mantissa = jv_shl(p, a.mantissa, by);
    a.exponent = jv_select(p, empty, jv_k(exponent, (uint64_t)-100000), exponent);
    return a;
}

/* Round up: by the remainder below the last bit of `kept`. */
static jv rounds_up(struct jit_part *p, enum jit_round round, jv sign, jv kept, jv rest, jv half)
{
    jv inexact = jv_cmp_k(p, LLVMIntNE, rest, 0), negative = jv_cmp_k(p, LLVMIntNE, sign, 0);
    switch ((int)round) {
    case JIT_RZ: return jv_k(inexact, 0);
    case JIT_RP: return jv_and(p, inexact, jv_not(p, negative));
    case JIT_RM: return jv_and(p, inexact, negative);
    default: break;
    }
    jv odd = jv_trunc(p, kept, 1);
    jv tie = jv_and(p, jv_cmp(p, LLVMIntEQ, rest, half), odd);
    return jv_or(p, jv_cmp(p, LLVMIntUGT, rest, half), tie);
}

static jv largest(struct jit_part *p, enum jit_round round, jv sign)
{
    jv infinity = jv_k(sign, 0x7ff0000000000000u), finite = jv_k(sign, 0x7fefffffffffffffu);
    jv negative = jv_cmp_k(p, LLVMIntNE, sign, 0);
    switch ((int)round) {
    case JIT_RZ: return finite;
    case JIT_RP: return jv_select(p, negative, finite, infinity);
    case JIT_RM: return jv_select(p, negative, infinity, finite);
    default: return infinity;
    }
}

/* Sign, exponent, mantissa (not zero) to the bits of a double, rounded once. */
static jv pack(struct jit_part *p, enum jit_round round, struct unpacked a)
{
    jv zeros = leading_zeros(p, a.mantissa);
    jv top = jv_shl(p, a.mantissa, zeros);
    jv field = jv_add_k(p, jv_sub(p, a.exponent, jv_trunc(p, zeros, 64)), 127 + 1023);
    jv below = jv_max(p, jv_sub(p, jv_k(field, 1), field), jv_k(field, 0), true); /* denormal by so much */
    top = shift_sticky(p, top, wide(p, below));
    jv one = jv_k(top, 1), kept = jv_trunc(p, jv_lshr_k(p, top, 75), 64);
    jv rest = jv_and(p, top, jv_sub(p, jv_shl_k(p, one, 75), one));
    jv up = rounds_up(p, round, a.sign, kept, rest, jv_shl_k(p, one, 74));
    jv base = jv_shl_k(p, jv_max(p, jv_add_k(p, field, (uint64_t)-1), jv_k(field, 0), true), 52);
    jv bits = jv_add(p, jv_add(p, base, kept), jv_zext(p, up, 64));
    jv over =
        jv_or(p, jv_cmp_k(p, LLVMIntSGE, field, 0x7ff), jv_cmp_k(p, LLVMIntUGE, bits, 0x7ff0000000000000u));
    return jv_or(p, jv_select(p, over, largest(p, round, a.sign), bits), jv_shl_k(p, a.sign, 63));
}

/* The sum of two; an exact zero of opposite signs is +0, or -0 when rounding down. */
static jv sum(struct jit_part *p, enum jit_round round, struct unpacked a, struct unpacked b)
{
    jv swap = jv_cmp(p, LLVMIntSLT, a.exponent, b.exponent);
    jv exponent = jv_select(p, swap, b.exponent, a.exponent);
    jv ahead = jv_sub(p, a.exponent, b.exponent);
    jv gap = wide(p, jv_select(p, swap, jv_neg(p, ahead), ahead));
    jv none = jv_k(gap, 0);
    jv left = shift_sticky(p, a.mantissa, jv_select(p, swap, gap, none));
    jv right = shift_sticky(p, b.mantissa, jv_select(p, swap, none, gap));
    jv alike = jv_cmp(p, LLVMIntEQ, a.sign, b.sign), less = jv_cmp(p, LLVMIntULT, left, right);
    jv distance = jv_select(p, less, jv_sub(p, right, left), jv_sub(p, left, right));
    jv mantissa = jv_select(p, alike, jv_add(p, left, right), distance);
    jv sign = jv_select(p, jv_and(p, less, jv_not(p, alike)), b.sign, a.sign);
    jv zero_sign = jv_select(p, alike, a.sign, jv_k(sign, round == JIT_RM));
    jv packed = pack(p, round, (struct unpacked){sign, exponent, mantissa});
    return jv_select(p, jv_cmp_k(p, LLVMIntEQ, mantissa, 0), jv_shl_k(p, zero_sign, 63), packed);
}

static jv finite_fma(struct jit_part *p, enum jit_round round, jv a, jv b, jv c)
{
    struct unpacked x = unpack(p, a), y = unpack(p, b), addend = normalise(p, unpack(p, c));
    struct unpacked product = {jv_xor(p, x.sign, y.sign), jv_add(p, x.exponent, y.exponent),
                               jv_mul(p, x.mantissa, y.mantissa)};
    return sum(p, round, normalise(p, product), addend);
}

static jv is_special(struct jit_part *p, jv bits)
{
    const uint64_t field = 0x7ff0000000000000u;
    return jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, bits, field), field);
}

/* Infinities and NaN: of a or b: a * b + c; of c alone: c. */
static void fma_body(struct jit_part *p, enum jit_round round, LLVMValueRef function)
{
    jv a = LLVMGetParam(function, 0), b = LLVMGetParam(function, 1), c = LLVMGetParam(function, 2);
    jv fa = jv_float_exact(p, a), fb = jv_float_exact(p, b), fc = jv_float_exact(p, c);
    jv plain = jv_bits(p, jv_fadd(p, jv_fmul(p, fa, fb), fc));
    jv factors = jv_or(p, is_special(p, a), is_special(p, b));
    jv result = jv_select(p, is_special(p, c), c, finite_fma(p, round, a, b, c));
    LLVMBuildRet(p->builder, jv_select(p, factors, plain, result));
}

/* i64 softwarp.fma.<round>(i64 a, i64 b, i64 c), made on first use in the module. */
static LLVMValueRef fma_function(struct jit_part *p, enum jit_round round)
{
    char name[32];
    snprintf(name, sizeof name, "softwarp.fma.%d", (int)round);
    LLVMValueRef function = LLVMGetNamedFunction(p->module, name);
    if (function) return function;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(p->context);
    function =
        LLVMAddFunction(p->module, name, LLVMFunctionType(i64, (LLVMTypeRef[]){i64, i64, i64}, 3, false));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    struct jit_part scalar = *p;
    scalar.lanes = 1;
    scalar.builder = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderAtEnd(scalar.builder, LLVMAppendBasicBlockInContext(p->context, function, ""));
    fma_body(&scalar, round, function);
    LLVMDisposeBuilder(scalar.builder);
    return function;
}

static jv soft_fma(struct jit_part *p, enum jit_round round, jv a, jv b, jv c)
{
    LLVMValueRef function = fma_function(p, round);
    LLVMTypeRef type = LLVMGlobalGetValueType(function), index = LLVMInt32TypeInContext(p->context);
    jv args[3] = {jv_bits(p, a), jv_bits(p, b), jv_bits(p, c)}, result = LLVMGetUndef(LLVMTypeOf(args[0]));
    if (jv_lanes(a) == 1) return jv_float_exact(p, LLVMBuildCall2(p->builder, type, function, args, 3, ""));
    for (unsigned l = 0; l < jv_lanes(a); l++) {
        LLVMValueRef lane[3], at = LLVMConstInt(index, l, false);
        for (int i = 0; i < 3; i++)
            lane[i] = LLVMBuildExtractElement(p->builder, args[i], at, "");
        jv one = LLVMBuildCall2(p->builder, type, function, lane, 3, "");
        result = LLVMBuildInsertElement(p->builder, result, one, at, "");
    }
    return jv_float_exact(p, result);
}

jv jv_soft_fma(struct jit_part *p, enum jit_round round, jv a, jv b, jv c)
{
    if (jv_width(a) == 64) return soft_fma(p, round, a, b, c);
    jv product = jv_fmul(p, jv_fext(p, a), jv_fext(p, b));
    return jv_ftrunc(p, jv_sum_to_odd(p, product, jv_fext(p, c)));
}

jv jv_fma(struct jit_part *p, jv a, jv b, jv c)
{
    if (p->isa >= JIT_ISA_AVX2) return jv_call(p, "llvm.fma", (jv[]){a, b, c}, 3);
    return jv_soft_fma(p, JIT_RN, a, b, c);
}
