/* SPDX-License-Identifier: Apache-2.0 */
/* wmma.mma and mma.sync: D = A B + C over the fragments of a warp (PTX ISA 9.7.14).
 * Method: a fragment is planes, one for each element of a lane, each `parts` vectors. Which matrix element a
 * plane's lane holds is known now: for mma as the PTX ISA draws it, for wmma, whose layout PTX leaves open,
 * row by row (jit_fragment_element). For each output vector and each k the factors are fixed shuffles of
 * planes. One function of the module for each form, so that a kernel with thousands of them stays small.
 * Rounding: products of f16, bf16 and tf32 are exact in f32 and summed in f32 in the order of k, each sum
 * rounded to nearest; the hardware's own order and width are not documented. f64: fma in the order of k.
 * Limits: no sparse forms, no sub-byte types, no .m8n8k4 of f16, no fp8; all lanes must be active. */
#include "jit_op_priv.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PLANES = 16, MAX_REGS = 24 };

struct plane_set {
    unsigned count;
    LLVMValueRef part[MAX_PLANES][JIT_MAX_PARTS];
};

struct matrix {
    struct jit_part *part;
    const struct ptx_instr *instr;
    unsigned m, n, k;
    enum ptx_type d, a, b, c;
    bool satfinite;
};

/* ---- forms */

bool jit_matrix_shape(const struct ptx_instr *instr, unsigned shape[3])
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (sscanf(ptx_mod_text((enum ptx_mod)instr->mods[i]), "m%un%uk%u", &shape[0], &shape[1],
                   &shape[2]) == 3)
            return true;
    return false;
}

/* Elements in one register of a fragment. */
unsigned jit_matrix_packing(enum ptx_type type)
{
    switch (ptx_type_bits(type)) {
    case 8: return 4;
    case 16: return 2;
    default: return 1;
    }
}

static struct matrix describe(struct jit_part *p, const struct ptx_instr *instr)
{
    unsigned shape[3] = {0};
    jit_matrix_shape(instr, shape);
    struct matrix x = {.part = p,
                       .instr = instr,
                       .m = shape[0],
                       .n = shape[1],
                       .k = shape[2],
                       .satfinite = jit_has(instr, PTX_MOD_SATFINITE)};
    x.d = ptx_instr_type(instr, 0);
    bool two = instr->type_count == 2; /* wmma of f16 names d and c only */
    x.a = two ? PTX_F16 : ptx_instr_type(instr, 1);
    x.b = two ? PTX_F16 : ptx_instr_type(instr, 2);
    x.c = ptx_instr_type(instr, two ? 1 : 3);
    return x;
}

static unsigned planes_of(const struct ptx_instr *instr, unsigned operand, enum ptx_type type)
{
    const struct ptx_operand *at = &instr->operands[operand];
    return (at->kind == PTX_OPD_VEC ? at->count : 1) * jit_matrix_packing(type);
}

static bool fits(const struct matrix *x)
{
    bool wmma = x->instr->op == PTX_OP_WMMA;
    unsigned a = planes_of(x->instr, 1, x->a) * 32, b = planes_of(x->instr, 2, x->b) * 32;
    unsigned c = planes_of(x->instr, 3, x->c) * 32, d = planes_of(x->instr, 0, x->d) * 32;
    unsigned want_a = x->m * x->k, want_b = x->k * x->n, want = x->m * x->n;
    if (a > MAX_PLANES * 32 || b > MAX_PLANES * 32 || c != want || d != want || want > MAX_PLANES * 32)
        return false;
    return wmma ? a >= want_a && b >= want_b : a == want_a && b == want_b;
}

static bool types_known(const struct matrix *x)
{
    bool accumulates = (x->d == PTX_F32 || x->d == PTX_F16) && (x->c == PTX_F32 || x->c == PTX_F16);
    switch ((int)x->a) {
    case PTX_F16: return x->b == PTX_F16 && accumulates && !(x->instr->op == PTX_OP_MMA && x->m == 8);
    case PTX_BF16:
    case PTX_TF32: return x->b == x->a && x->d == PTX_F32 && x->c == PTX_F32;
    case PTX_F64: return x->b == PTX_F64 && x->d == PTX_F64 && x->c == PTX_F64;
    case PTX_S8:
    case PTX_U8: return (x->b == PTX_S8 || x->b == PTX_U8) && x->d == PTX_S32 && x->c == PTX_S32;
    default: return false;
    }
}

static bool modifiers_known(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        switch (instr->mods[i]) {
        case PTX_MOD_MMA:
        case PTX_MOD_SYNC:
        case PTX_MOD_ALIGNED:
        case PTX_MOD_ROW:
        case PTX_MOD_COL:
        case PTX_MOD_SATFINITE:
        case PTX_MOD_RN: break;
        default:
            if (ptx_mod_text((enum ptx_mod)instr->mods[i])[0] != 'm') return false;
        }
    }
    return true;
}

bool jit_op_matrix_supported(const struct ptx_instr *instr)
{
    unsigned shape[3];
    if (instr->op == PTX_OP_WMMA && !jit_has(instr, PTX_MOD_MMA)) return false;
    if (instr->operand_count != 4 || !jit_matrix_shape(instr, shape) || !modifiers_known(instr)) return false;
    if (instr->op == PTX_OP_MMA && (shape[1] != 8 || (shape[0] != 8 && shape[0] != 16))) return false;
    struct matrix x = describe(NULL, instr);
    return types_known(&x) && fits(&x);
}

/* ---- places: plane * 32 + lane */

unsigned jit_fragment_element(unsigned plane, unsigned lane, unsigned total)
{
    return (plane * 32 + lane) % total;
}

static unsigned place_a(const struct matrix *x, unsigned row, unsigned k)
{
    if (x->instr->op == PTX_OP_WMMA) return row * x->k + k;
    unsigned q = jit_matrix_packing(x->a), upper = k / (4 * q), within = k % (4 * q);
    unsigned reg = x->m == 16 ? row / 8 + 2 * upper : upper;
    return (reg * q + within % q) * 32 + row % 8 * 4 + within / q;
}

static unsigned place_b(const struct matrix *x, unsigned k, unsigned column)
{
    if (x->instr->op == PTX_OP_WMMA) return k * x->n + column;
    unsigned q = jit_matrix_packing(x->b), upper = k / (4 * q), within = k % (4 * q);
    return (upper * q + within % q) * 32 + column * 4 + within / q;
}

static void element_d(const struct matrix *x, unsigned plane, unsigned lane, unsigned *row, unsigned *column)
{
    unsigned at = plane * 32 + lane;
    bool wmma = x->instr->op == PTX_OP_WMMA;
    *row = wmma ? at / x->n : lane / 4 + 8 * (plane / 2);
    *column = wmma ? at % x->n : 2 * (lane % 4) + plane % 2;
}

/* ---- shuffles */

/* Lane l of the result is place[l] of the planes: one shuffle for each vector that is read. */
jv jv_gather_places(struct jit_part *p, LLVMValueRef *vectors, const unsigned *place)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    LLVMValueRef index[32];
    bool done[32] = {false};
    jv result = NULL;
    for (unsigned first = 0; first < p->lanes; first++) {
        if (done[first]) continue;
        unsigned vector = place[first] / p->lanes;
        for (unsigned l = 0; l < p->lanes; l++) {
            bool here = place[l] / p->lanes == vector;
            unsigned from = p->lanes + place[l] % p->lanes;
            index[l] = LLVMConstInt(i32, here ? from : l, false);
            done[l] |= here;
        }
        jv base = result ? result : vectors[vector];
        result =
            LLVMBuildShuffleVector(p->builder, base, vectors[vector], LLVMConstVector(index, p->lanes), "");
    }
    return result;
}

/* ---- fragments */

static jv as_number(struct jit_part *p, enum ptx_type type, jv bits)
{
    switch ((int)type) {
    case PTX_F16: return jv_from_half(p, false, bits);
    case PTX_BF16: return jv_from_half(p, true, bits);
    case PTX_TF32: return jv_float_exact(p, jv_and_k(p, bits, 0xffffe000));
    case PTX_S8: return jv_sext(p, bits, 32);
    case PTX_U8: return jv_zext(p, bits, 32);
    case PTX_S32: return bits;
    default: return jv_float_exact(p, bits);
    }
}

/* Registers to planes of numbers. */
static void unpack(const struct matrix *x, enum ptx_type type, LLVMValueRef *regs, unsigned count,
                   struct plane_set *out)
{
    struct jit_part *p = x->part;
    unsigned q = jit_matrix_packing(type), bits = ptx_type_bits(type);
    out->count = count * q;
    for (unsigned e = 0; e < out->count; e++) {
        for (unsigned part = 0; part < p->parts; part++) {
            jv word = regs[e / q * p->parts + part];
            if (q > 1) word = jv_trunc(p, jv_lshr_k(p, word, e % q * bits), bits);
            out->part[e][part] = as_number(p, type, word);
        }
    }
}

/* An accumulator's plane as the bits of its type. */
static jv finished(const struct matrix *x, jv sum)
{
    struct jit_part *p = x->part;
    if (x->d == PTX_F16) return jv_to_half(p, JIT_RN, false, sum);
    if (x->d != PTX_S32) return jv_result(p, sum);
    if (!x->satfinite) return sum;
    sum = jv_min(p, sum, jv_k(sum, INT32_MAX), true);
    return jv_trunc(p, jv_max(p, sum, jv_k(sum, (uint64_t)INT32_MIN), true), 32);
}

static jv accumulate(const struct matrix *x, jv sum, jv a, jv b)
{
    struct jit_part *p = x->part;
    if (x->d == PTX_F64) return jv_fma(p, a, b, sum);
    bool fused = x->a == PTX_F16 && p->isa >= JIT_ISA_AVX2; /* its products are exact: the same bits */
    if (x->d != PTX_S32) return fused ? jv_fma(p, a, b, sum) : jv_fadd(p, sum, jv_fmul(p, a, b));
    return jv_add(p, sum, jv_fit(p, jv_mul(p, a, b), jv_width(sum), true));
}

static jv output_vector(const struct matrix *x, struct plane_set *a, struct plane_set *b, jv sum,
                        unsigned plane, unsigned part)
{
    struct jit_part *p = x->part;
    if (x->d == PTX_S32 && x->satfinite) sum = jv_sext(p, sum, 64);
    for (unsigned k = 0; k < x->k; k++) {
        unsigned from_a[32], from_b[32], row, column;
        LLVMValueRef flat_a[MAX_PLANES * JIT_MAX_PARTS], flat_b[MAX_PLANES * JIT_MAX_PARTS];
        for (unsigned i = 0; i < MAX_PLANES * p->parts; i++) {
            flat_a[i] = i / p->parts < a->count ? a->part[i / p->parts][i % p->parts] : NULL;
            flat_b[i] = i / p->parts < b->count ? b->part[i / p->parts][i % p->parts] : NULL;
        }
        for (unsigned l = 0; l < p->lanes; l++) {
            element_d(x, plane, part * p->lanes + l, &row, &column);
            from_a[l] = place_a(x, row, k);
            from_b[l] = place_b(x, k, column);
        }
        sum = accumulate(x, sum, jv_gather_places(p, flat_a, from_a), jv_gather_places(p, flat_b, from_b));
    }
    return finished(x, sum);
}

/* The parameters' registers, multiplied, to registers of d. */
static void multiply(const struct matrix *x, LLVMValueRef *regs, const unsigned counts[4], LLVMValueRef *dst)
{
    struct jit_part *p = x->part;
    struct plane_set a, b, c;
    unsigned q = jit_matrix_packing(x->d), bits = ptx_type_bits(x->d);
    unpack(x, x->a, regs, counts[1], &a);
    unpack(x, x->b, regs + counts[1] * p->parts, counts[2], &b);
    unpack(x, x->c, regs + (counts[1] + counts[2]) * p->parts, counts[3], &c);
    for (unsigned e = 0; e < counts[0] * q; e++) {
        for (unsigned part = 0; part < p->parts; part++) {
            LLVMValueRef *to = &dst[e / q * p->parts + part];
            jv value = output_vector(x, &a, &b, c.part[e][part], e, part);
            if (q > 1) value = jv_shl_k(p, jv_zext(p, value, 32), e % q * bits);
            *to = e % q ? jv_or(p, *to, value) : value;
        }
    }
}

/* ---- the function */

static void function_name(const struct ptx_instr *instr, char *text, size_t room)
{
    int at = snprintf(text, room, "softwarp.%s", ptx_op_name(instr->op));
    for (unsigned i = 0; i < instr->mod_count && (size_t)at < room; i++)
        if (instr->mods[i] != PTX_MOD_ROW && instr->mods[i] != PTX_MOD_COL)
            at += snprintf(text + at, room - (size_t)at, ".%s", ptx_mod_text((enum ptx_mod)instr->mods[i]));
    for (unsigned i = 0; i < instr->type_count && (size_t)at < room; i++)
        at += snprintf(text + at, room - (size_t)at, ".%s", ptx_type_name((enum ptx_type)instr->types[i]));
}

static LLVMValueRef define(struct matrix *x, const char *name, LLVMTypeRef type, const unsigned counts[4])
{
    struct jit_part inner = *x->part, *outer = x->part;
    LLVMValueRef function = LLVMAddFunction(inner.module, name, type), regs[MAX_REGS * JIT_MAX_PARTS];
    LLVMValueRef dst[MAX_REGS * JIT_MAX_PARTS] = {NULL};
    LLVMSetLinkage(function, LLVMInternalLinkage);
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(inner.context, kind, 0));
    inner.builder = LLVMCreateBuilderInContext(inner.context);
    LLVMPositionBuilderAtEnd(inner.builder, LLVMAppendBasicBlockInContext(inner.context, function, ""));
    x->part = &inner;
    LLVMValueRef from = LLVMGetParam(function, 0), to = LLVMGetParam(function, 1);
    unsigned sources = (counts[1] + counts[2] + counts[3]) * inner.parts;
    for (unsigned i = 0; i < sources; i++) {
        bool wide = x->d == PTX_F64;
        LLVMTypeRef vector = jit_part_type(&inner, wide ? 64 : 32);
        jv at = jv_offset(&inner, from, LLVMConstInt(LLVMInt32TypeInContext(inner.context), i, false),
                          inner.lanes * (wide ? 8 : 4));
        regs[i] = LLVMBuildLoad2(inner.builder, vector, at, "");
        LLVMSetAlignment(regs[i], 16);
    }
    multiply(x, regs, counts, dst);
    for (unsigned i = 0; i < counts[0] * inner.parts; i++) {
        jv at = jv_offset(&inner, to, LLVMConstInt(LLVMInt32TypeInContext(inner.context), i, false),
                          inner.lanes * jv_width(dst[i]) / 8);
        LLVMSetAlignment(LLVMBuildStore(inner.builder, dst[i], at), 16);
    }
    LLVMBuildRetVoid(inner.builder);
    LLVMDisposeBuilder(inner.builder);
    x->part = outer;
    return function;
}

/* written: registers of each operand; counts: those without copies of others (wmma of f16 has twice as many
 * as the matrix needs). */
static void count_registers(const struct matrix *x, unsigned written[4], unsigned counts[4])
{
    unsigned total[4] = {x->m * x->n, x->m * x->k, x->k * x->n, x->m * x->n};
    enum ptx_type type[4] = {x->d, x->a, x->b, x->c};
    for (unsigned i = 0; i < 4; i++) {
        const struct ptx_operand *operand = &x->instr->operands[i];
        unsigned own = total[i] / 32 / jit_matrix_packing(type[i]);
        written[i] = operand->kind == PTX_OPD_VEC ? operand->count : 1;
        counts[i] = own < written[i] ? own : written[i];
    }
}

static unsigned spill_registers(struct jit_part *p, jv memory, unsigned at, LLVMValueRef *regs,
                                unsigned count)
{
    for (unsigned i = 0; i < count * p->parts; i++, at++) {
        jv index = LLVMConstInt(LLVMInt32TypeInContext(p->context), at, false);
        jv to = jv_offset(p, memory, index, p->lanes * jv_width(regs[i]) / 8);
        LLVMSetAlignment(LLVMBuildStore(p->builder, regs[i], to), 16);
    }
    return at;
}

/* Registers go to memory and come back from it: 24 vectors do not fit into machine registers anyway. */
void jit_build_matrix(struct jit_part *p, const struct ptx_instr *instr, LLVMValueRef *src, LLVMValueRef *dst)
{
    struct matrix x = describe(p, instr);
    unsigned written[4], counts[4], bytes = x.d == PTX_F64 ? 8 : 4, at = 0;
    count_registers(&x, written, counts);
    char name[160];
    function_name(instr, name, sizeof name);
    LLVMTypeRef ptr = LLVMPointerTypeInContext(p->context, 0), both[2] = {ptr, ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), both, 2, false);
    LLVMValueRef function = LLVMGetNamedFunction(p->module, name);
    if (!function) function = define(&x, name, type, counts);
    jv memory = jv_scratch(p, JIT_SCRATCH_MATRIX);
    jv result =
        jv_offset(p, memory, LLVMConstInt(LLVMInt32TypeInContext(p->context), MAX_REGS * 32, false), 8);
    for (unsigned i = 1; i < 4; src += written[i++] * p->parts)
        at = spill_registers(p, memory, at, src, counts[i]);
    LLVMBuildCall2(p->builder, type, function, (LLVMValueRef[]){memory, result}, 2, "");
    for (unsigned i = 0; i < counts[0] * p->parts; i++) {
        jv from = jv_offset(p, result, LLVMConstInt(LLVMInt32TypeInContext(p->context), i, false),
                            p->lanes * bytes);
        dst[i] = LLVMBuildLoad2(p->builder, jit_part_type(p, 8 * bytes), from, "");
        LLVMSetAlignment(dst[i], 16);
    }
}
