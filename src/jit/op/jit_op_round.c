/* SPDX-License-Identifier: Apache-2.0 */
/* Float operations in the rounding modes .rm, .rp and .rz.
 * Method: AVX-512 has the rounding mode in the instruction, at 512 bits only, so values are cut into pieces
 * of that size. Elsewhere one block of assembly sets MXCSR, operates and restores it, so that no other
 * instruction can move in between (AArch64: FPCR). Without FMA hardware fma rounds to odd first (f32) or uses
 * integers (f64). Not chosen: constrained intrinsics, which do not model MXCSR in vectors, and error-free
 * transformations, which are longer than two ldmxcsr (4 ns). Limits: MXCSR is restored to its default,
 * 0x1f80, or what jit_core_flush.c sets. The assembler of LLVM's target must be initialised. */
#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [JIT_ADD] = "add", [JIT_SUB] = "sub",   [JIT_MUL] = "mul",
    [JIT_DIV] = "div", [JIT_SQRT] = "sqrt", [JIT_FMA] = "vfmadd213",
};

static jv plain(struct jit_part *p, enum jit_arith what, jv *args)
{
    switch ((int)what) {
    case JIT_ADD: return jv_fadd(p, args[0], args[1]);
    case JIT_SUB: return jv_fsub(p, args[0], args[1]);
    case JIT_MUL: return jv_fmul(p, args[0], args[1]);
    case JIT_DIV: return jv_fdiv(p, args[0], args[1]);
    case JIT_SQRT: return jv_call1(p, "llvm.sqrt", args[0]);
    default: return jv_fma(p, args[0], args[1], args[2]);
    }
}

/* ---- AVX-512 */

static jv embedded(struct jit_part *p, enum jit_arith what, enum jit_round round, jv *args, unsigned count)
{
    char name[48];
    const char *verb = what == JIT_FMA ? "vfmadd" : names[what];
    snprintf(name, sizeof name, "llvm.x86.avx512.%s.%s.512", verb, jv_width(args[0]) == 64 ? "pd" : "ps");
    LLVMValueRef all[4];
    memcpy(all, args, count * sizeof *args);
    all[count] = LLVMConstInt(LLVMInt32TypeInContext(p->context), 8u | round, false); /* 8: no exceptions */
    return jv_call(p, name, all, count + 1);
}

/* ---- MXCSR */

/* A constant that ldmxcsr reads: all exceptions masked, and the rounding mode. */
static LLVMValueRef control_word(struct jit_part *p, enum jit_round round)
{
    char name[32];
    snprintf(name, sizeof name, "softwarp.mxcsr.%d", (int)round);
    LLVMValueRef global = LLVMGetNamedGlobal(p->module, name);
    if (global) return global;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    global = LLVMAddGlobal(p->module, i32, name);
    unsigned base = p->mxcsr_flushes ? JIT_MXCSR_FLUSH : JIT_MXCSR_DEFAULT;
    LLVMSetInitializer(global, LLVMConstInt(i32, base | (unsigned)round << 13, false));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

/* AT&T syntax; $0 result, $1.. sources ($1 tied to $0 without VEX), then the two control words. */
static void assembly(const struct jit_part *p, enum jit_arith what, const char *suffix, unsigned count,
                     char *text, size_t capacity, const char **constraints)
{
    bool vex = p->isa >= JIT_ISA_AVX2, in_place = what == JIT_FMA || (!vex && count == 2);
    const char *v = vex ? "v" : "";
    char body[64];
    if (what == JIT_FMA)
        snprintf(body, sizeof body, "%s%s $3, $2, $0", names[what], suffix);
    else if (count == 1)
        snprintf(body, sizeof body, "%s%s%s $1, $0", v, names[what], suffix);
    else if (in_place)
        snprintf(body, sizeof body, "%s%s $2, $0", names[what], suffix);
    else
        snprintf(body, sizeof body, "v%s%s $2, $1, $0", names[what], suffix);
    snprintf(text, capacity, "%sldmxcsr $%u\n\t%s\n\t%sldmxcsr $%u", v, count + 1, body, v, count + 2);
    static const char *const free_form[] = {"=x,x,*m,*m", "=x,x,x,*m,*m"};
    static const char *const tied[] = {"=x,0,*m,*m", "=x,0,x,*m,*m", "=x,0,x,x,*m,*m"};
    *constraints = in_place ? tied[count - 1] : free_form[count - 1];
}

static jv toggled(struct jit_part *p, enum jit_arith what, enum jit_round round, jv *args, unsigned count)
{
    char text[160];
    const char *constraints;
    assembly(p, what, jv_width(args[0]) == 64 ? "pd" : "ps", count, text, sizeof text, &constraints);
    LLVMTypeRef types[5], type = LLVMTypeOf(args[0]), ptr = LLVMPointerTypeInContext(p->context, 0);
    LLVMValueRef all[5];
    for (unsigned i = 0; i < count; i++)
        types[i] = type, all[i] = args[i];
    types[count] = types[count + 1] = ptr;
    all[count] = control_word(p, round), all[count + 1] = control_word(p, JIT_RN);
    LLVMTypeRef function = LLVMFunctionType(type, types, count + 2, false);
    LLVMValueRef code = LLVMGetInlineAsm(function, text, strlen(text), constraints, strlen(constraints),
                                         false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(p->builder, function, code, all, count + 2, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef points = LLVMCreateTypeAttribute(p->context, kind, LLVMInt32TypeInContext(p->context));
    LLVMAddCallSiteAttribute(call, count + 1, points);
    LLVMAddCallSiteAttribute(call, count + 2, points);
    return call;
}

/* ---- FPCR */

/* FPCR's bits 22 and 23 are 1 for up and 2 for down, MXCSR's the other way round. */
static jv toggled_fpcr(struct jit_part *p, enum jit_arith what, enum jit_round round, jv *args,
                       unsigned count)
{
    static const char *const constraints[] = {"=w,w,r", "=w,w,w,r", "=w,w,w,0,r"};
    static const unsigned modes[] = {[JIT_RN] = 0, [JIT_RP] = 1, [JIT_RM] = 2, [JIT_RZ] = 3};
    const char *shape = jv_width(args[0]) == 64 ? "2d" : "4s", *verb = what == JIT_FMA ? "mla" : names[what];
    char second[16] = "", text[128];
    if (count > 1) snprintf(second, sizeof second, ", $2.%s", shape);
    snprintf(text, sizeof text, "msr fpcr, $%u\n\tf%s $0.%s, $1.%s%s\n\tmsr fpcr, xzr", count + 1, verb,
             shape, shape, second);
    LLVMTypeRef types[4], i64 = LLVMInt64TypeInContext(p->context);
    LLVMValueRef all[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]), all[i] = args[i];
    types[count] = i64, all[count] = LLVMConstInt(i64, (uint64_t)modes[round] << 22, false);
    LLVMTypeRef function = LLVMFunctionType(types[0], types, count + 1, false);
    const char *bound = constraints[count - 1];
    LLVMValueRef code = LLVMGetInlineAsm(function, text, strlen(text), bound, strlen(bound), false, false,
                                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(p->builder, function, code, all, count + 1, "");
}

/* ---- all */

/* fma without FMA hardware */
static jv soft(struct jit_part *p, enum jit_round round, jv *args)
{
    if (jv_width(args[0]) == 64) return jv_soft_fma(p, round, args[0], args[1], args[2]);
    jv product = jv_fmul(p, jv_fext(p, args[0]), jv_fext(p, args[1])), addend = jv_fext(p, args[2]);
    jv sum = jv_sum_to_odd(p, product, addend);
    if (round == JIT_RM) { /* x - x is -0 */
        jv signs = jv_or(p, jv_bits(p, product), jv_bits(p, addend));
        jv zero = jv_float_exact(p, jv_and_k(p, signs, UINT64_C(1) << 63));
        sum = jv_select(p, jv_fcmp(p, LLVMRealOEQ, sum, jv_fk(sum, 0)), zero, sum);
    }
    return jv_narrow(p, round, sum);
}

jv jv_rounded(struct jit_part *p, enum jit_arith what, enum jit_round round, jv *args, unsigned count)
{
    if (round == JIT_RN) return plain(p, what, args);
    if (what == JIT_FMA && p->isa < JIT_ISA_AVX2) return soft(p, round, args);
    unsigned machine = p->isa == JIT_ISA_AVX512 ? 512 : p->isa == JIT_ISA_AVX2 ? 256 : 128;
    unsigned lanes = jv_lanes(args[0]), width = machine / jv_width(args[0]), pieces = 0;
    LLVMValueRef done[32], cut[3];
    for (unsigned at = 0; at < lanes; at += width) {
        for (unsigned i = 0; i < count; i++)
            cut[i] = jv_piece(p, args[i], at, width);
        if (machine == 512)
            done[pieces++] = embedded(p, what, round, cut, count);
        else if (p->isa == JIT_ISA_NEON)
            done[pieces++] = toggled_fpcr(p, what, round, cut, count);
        else
            done[pieces++] = toggled(p, what, round, cut, count);
    }
    return jv_join(p, done, pieces, lanes);
}

/* To odd is to zero, with the last bit set where that is inexact, which is where up and down differ. */
jv jv_fma_to_odd(struct jit_part *p, jv a, jv b, jv c)
{
    if (p->isa != JIT_ISA_AVX512) return jv_sum_to_odd(p, jv_fmul(p, a, b), c);
    jv args[] = {a, b, c};
    jv cut = jv_rounded(p, JIT_FMA, JIT_RZ, args, 3), down = jv_rounded(p, JIT_FMA, JIT_RM, args, 3),
       up = jv_rounded(p, JIT_FMA, JIT_RP, args, 3);
    jv inexact = jv_fcmp(p, LLVMRealONE, down, up);
    return jv_float_exact(p, jv_or(p, jv_bits(p, cut), jv_zext(p, inexact, jv_width(cut))));
}

/* A step back when rounding to nearest went past x in the wrong direction. Steps are on the bits: from a zero
 * down is the smallest negative number. */
jv jv_step_back(struct jit_part *p, enum jit_round round, jv near, jv back, jv x)
{
    jv minus = jv_k(near, (uint64_t)-1), plus = jv_k(near, 1), negative = jv_cmp_k(p, LLVMIntSLT, near, 0);
    uint64_t sign = UINT64_C(1) << (jv_width(near) - 1);
    if (round == JIT_RZ) {
        jv past = jv_fcmp(p, LLVMRealOGT, jv_fabs(p, back), jv_fabs(p, x));
        return jv_select(p, past, jv_add(p, near, minus), near);
    }
    bool down = round == JIT_RM;
    jv past = jv_fcmp(p, down ? LLVMRealOGT : LLVMRealOLT, back, x);
    jv step = down ? jv_select(p, negative, plus, minus) : jv_select(p, negative, minus, plus);
    jv zero = jv_cmp_k(p, LLVMIntEQ, jv_shl_k(p, near, 1), 0);
    jv moved = jv_select(p, zero, jv_k(near, down ? sign | 1 : 1), jv_add(p, near, step));
    return jv_select(p, past, moved, near);
}

jv jv_narrow(struct jit_part *p, enum jit_round round, jv a)
{
    jv near = jv_ftrunc(p, a);
    if (round == JIT_RN) return near;
    return jv_float_exact(p, jv_step_back(p, round, jv_bits(p, near), jv_fext(p, near), a));
}

jv jv_narrow_odd(struct jit_part *p, jv a)
{
    jv low = jv_narrow(p, JIT_RZ, a);
    jv inexact = jv_fcmp(p, LLVMRealONE, jv_fext(p, low), a);
    return jv_float_exact(p, jv_or(p, jv_bits(p, low), jv_zext(p, inexact, 32)));
}

/* ---- to integral */

/* Without SSE4.1: adding and taking away 2^23 (2^52) lets the adder round; then a step back. */
static jv integral_by_adding(struct jit_part *p, enum jit_round round, jv a)
{
    bool wide = jv_width(a) == 64;
    uint64_t sign_bit = wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    jv size = jv_fabs(p, a), large = jv_fk(a, wide ? 0x1p52 : 0x1p23), one = jv_fk(a, 1), zero = jv_fk(a, 0);
    jv sign = jv_and_k(p, jv_bits(p, a), sign_bit);
    jv near = jv_fsub(p, jv_fadd(p, size, large), large), step = zero;
    jv negative = jv_cmp_k(p, LLVMIntNE, sign, 0);
    jv over = jv_fcmp(p, LLVMRealOGT, near, size), under = jv_fcmp(p, LLVMRealOLT, near, size);
    jv down = jv_select(p, over, jv_fk(a, -1), zero), up = jv_select(p, under, one, zero);
    if (round == JIT_RZ) step = down;
    if (round == JIT_RM) step = jv_select(p, negative, up, down);
    if (round == JIT_RP) step = jv_select(p, negative, down, up);
    jv bits = jv_or(p, jv_bits(p, jv_fabs(p, jv_fadd(p, near, step))), sign);
    return jv_select(p, jv_fcmp(p, LLVMRealOLT, size, large), jv_float_exact(p, bits), a);
}

jv jv_integral(struct jit_part *p, enum jit_round round, jv a)
{
    static const char *const intrinsics[] = {[JIT_RN] = "llvm.roundeven",
                                             [JIT_RM] = "llvm.floor",
                                             [JIT_RP] = "llvm.ceil",
                                             [JIT_RZ] = "llvm.trunc"};
    return p->isa >= JIT_ISA_AVX2 ? jv_call1(p, intrinsics[round], a) : integral_by_adding(p, round, a);
}
