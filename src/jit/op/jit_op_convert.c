/* SPDX-License-Identifier: Apache-2.0 */
/* cvt and cvt.pack between integers, f16, bf16, f32, f64, tf32, e4m3 and e5m2 (PTX ISA 9.7.9.21, 5.2.3).
 * Method: one rounding whatever the path: a wider intermediate is exact or rounded to odd. 64-bit integers
 * are the sum of two exact halves. To integers: round to an integral float, then saturate. Limits: .rs,
 * .scaled, and the 4- and 6-bit formats are not supported. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <math.h>

static enum isa_type source_type(const struct ptx_instr *instr)
{
    return ptx_instr_type(instr, 1);
}

static bool is_half(enum isa_type type)
{
    return type == ISA_F16 || type == ISA_BF16;
}

/* Conversions that keep a NaN's sign and the upper bits of its payload, made quiet: from and to f64, and from
 * bf16 to f32. The others make the canonical one. Plain moves (cvt.f32.f32, cvt.f64.f64) change nothing at
 * all. */
static bool keeps_nan(const struct jit_op *op)
{
    enum isa_type from = source_type(op->instr), to = ptx_instr_type(op->instr, 0);
    if (jit_has(op->instr, ISA_MOD_SAT) || jit_half_of(to) || !jit_is_float(from)) return false;
    if (from == ISA_F64) return true;
    if (jit_has(op->instr, ISA_MOD_FTZ)) return false;
    return to == ISA_F64 || (to == ISA_F32 && from == ISA_BF16);
}

/* ---- integers to integers */

/* .sat: into the destination's range, at the source's width. */
static jv clamp_integer(struct jit_part *p, jv a, enum isa_type from, enum isa_type to)
{
    unsigned wide = jv_width(a), bits = isa_type_bits(to);
    bool is_signed = jit_is_signed(from);
    uint64_t most = jit_is_signed(to) ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (is_signed && !jit_is_signed(to)) a = jv_max(p, a, jv_k(a, 0), true);
    if (bits < wide || (bits == wide && jit_is_signed(to) && !is_signed))
        a = jv_min(p, a, jv_k(a, most), is_signed && wide > bits);
    if (is_signed && jit_is_signed(to) && bits < wide) a = jv_max(p, a, jv_k(a, ~most), true);
    return a;
}

static void build_integer(struct jit_op *op)
{
    enum isa_type from = source_type(op->instr);
    jv a = op->src[0];
    if (jit_has(op->instr, ISA_MOD_SAT)) a = clamp_integer(op->part, a, from, op->type);
    op->dst[0] = jv_fit(op->part, a, isa_type_bits(op->type), jit_is_signed(from));
}

/* ---- from floats */

/* f16 and bf16 as f32; .ftz concerns f32 only, and not where it becomes f16: hardware rounds subnormals then.
 */
static jv float_source(struct jit_op *op, enum isa_type from, unsigned i)
{
    if (is_half(from)) return jv_from_half(op->part, from == ISA_BF16, op->src[i]);
    jv a = keeps_nan(op) ? jv_float_exact(op->part, op->src[i]) : jv_float(op->part, op->src[i]);
    bool flushes = jit_has(op->instr, ISA_MOD_FTZ) && from == ISA_F32 && op->type != ISA_F16;
    return flushes ? jv_flush(op->part, a) : a;
}

static bool rounds_to_integral(const struct ptx_instr *instr)
{
    return jit_has(instr, ISA_MOD_RNI) || jit_has(instr, ISA_MOD_RZI) || jit_has(instr, ISA_MOD_RMI) ||
           jit_has(instr, ISA_MOD_RPI);
}

/* The nearest integer in range; NaN: 0. llvm.fptosi.sat and llvm.fptoui.sat mean the same, but LLVM 19 makes
 * them lane by lane for x86: 120 instructions for 16 lanes, these are 6. What is out of range above is
 * replaced after the conversion, whose result is then not used: 2^31 - 1 is no f32. */
static jv saturating(struct jit_part *p, jv x, unsigned bits, bool is_signed)
{
    LLVMTypeRef type = jv_like(x, LLVMIntTypeInContext(p->context, bits));
    jv most = jv_k(LLVMConstNull(type), UINT64_MAX >> (64 - bits + is_signed));
    jv least = jv_fk(x, is_signed ? -ldexp(1, (int)bits - 1) : 0);
    jv over = jv_fcmp(p, LLVMRealOGE, x, jv_fk(x, ldexp(1, (int)bits - is_signed)));
    if (is_signed) x = jv_select(p, jv_fcmp(p, LLVMRealORD, x, x), x, jv_fk(x, 0));
    x = jv_select(p, jv_fcmp(p, LLVMRealOGT, x, least), x, least); /* a NaN of unsigned, too */
    jv a = is_signed ? LLVMBuildFPToSI(p->builder, x, type, "") : LLVMBuildFPToUI(p->builder, x, type, "");
    return jv_select(p, over, most, a);
}

/* NaN: 0 between 32 bits and less, otherwise the top bit alone. */
static void build_to_integer(struct jit_op *op)
{
    struct jit_part *p = op->part;
    enum isa_type from = source_type(op->instr);
    unsigned bits = isa_type_bits(op->type), wide = bits < 32 ? 32 : bits;
    bool is_signed = jit_is_signed(op->type);
    jv x = float_source(op, from, 0);
    if (!jit_has(op->instr, ISA_MOD_RZI)) x = jv_integral(p, jit_rounding(op->instr), x);
    jv a = saturating(p, x, wide, is_signed);
    enum isa_type middle = is_signed ? ISA_S32 : ISA_U32;
    if (bits < 32) a = jv_trunc(p, clamp_integer(p, a, middle, op->type), bits);
    if (from == ISA_F64 || bits == 64)
        a = jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), jv_k(a, UINT64_C(1) << (bits - 1)), a);
    op->dst[0] = a;
}

/* ---- to floats */

/* x: f32, or f64 exact or rounded to odd */
static jv float_result(struct jit_op *op, jv x)
{
    struct jit_part *p = op->part;
    enum jit_round round = rounds_to_integral(op->instr) ? JIT_RN : jit_rounding(op->instr);
    bool wide = jv_width(x) == 64;
    if (op->type == ISA_F64) return wide ? x : jv_fext(p, x);
    if (op->type == ISA_F32) return wide ? jv_narrow(p, round, x) : x;
    return wide ? jv_narrow_odd(p, x) : x;
}

/* max(x, +0), NaN kept; -0 is below +0 */
static jv clip(struct jit_part *p, jv x)
{
    return jv_select(p, jv_fcmp(p, LLVMRealOLE, x, jv_fk(x, 0)), jv_fk(x, 0), x);
}

static jv half_result(struct jit_op *op, enum isa_type half, jv x)
{
    struct jit_part *p = op->part;
    enum jit_round round = rounds_to_integral(op->instr) ? JIT_RN : jit_rounding(op->instr);
    if (jit_has(op->instr, ISA_MOD_RELU)) x = clip(p, x);
    jv a = jv_to_half(p, round, half == ISA_BF16, x);
    if (!jit_has(op->instr, ISA_MOD_SATFINITE)) return a;
    uint64_t infinity = half == ISA_BF16 ? 0x7f80 : 0x7c00;
    jv over = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, a, 0x7fff), infinity);
    return jv_select(p, over, jv_add_k(p, a, (uint64_t)-1), a);
}

/* A NaN of f64 as f16 or bf16. */
static jv half_of_nan(struct jit_op *op, jv bits)
{
    struct jit_part *p = op->part;
    bool brain = op->type == ISA_BF16;
    jv payload = jv_and_k(p, jv_lshr_k(p, bits, brain ? 45 : 42), brain ? 0x7f : 0x3ff);
    jv sign = jv_and_k(p, jv_lshr_k(p, bits, 48), 0x8000);
    return jv_trunc(p, jv_or_k(p, jv_or(p, payload, sign), brain ? 0x7fc0 : 0x7e00), 16);
}

/* f64 that is below 2^-126 as f32, rounded as if exponents went on */
static jv is_tiny(struct jit_op *op, jv x)
{
    struct jit_part *p = op->part;
    enum jit_round round = jit_rounding(op->instr);
    double limit = 0x1p-126, last = 0x1.fffffep-127; /* the largest that is not rounded up to the limit */
    jv size = jv_fabs(p, x),
       below = jv_fcmp(p, LLVMRealOLT, size, jv_fk(x, round == JIT_RN ? 0x1.ffffffp-127 : limit));
    if (round != JIT_RP && round != JIT_RM) return below;
    jv far = jv_fcmp(p, LLVMRealOLE, size, jv_fk(x, last));
    jv outward = jv_fcmp(p, round == JIT_RP ? LLVMRealOGT : LLVMRealOLT, x, jv_fk(x, 0));
    return jv_select(p, outward, far, below);
}

static void convert_finish(struct jit_op *op, jv x)
{
    struct jit_part *p = op->part;
    jv exact = x;
    x = float_result(op, x);
    if (jit_has(op->instr, ISA_MOD_FTZ) && op->type == ISA_F32)
        x = jv_width(exact) == 64 ? jv_flush_where(p, is_tiny(op, exact), x) : jv_flush(p, x);
    if (jit_has(op->instr, ISA_MOD_SAT)) x = jv_saturate(p, x);
    bool widened = op->type == ISA_F64 && source_type(op->instr) != ISA_F64;
    if (is_half(op->type)) {
        op->dst[0] = half_result(op, op->type, x);
        if (!keeps_nan(op)) return;
        jv nan = jv_fcmp(p, LLVMRealUNO, x, x);
        op->dst[0] = jv_select(p, nan, half_of_nan(op, op->src[0]), op->dst[0]);
    } else if (keeps_nan(op)) {
        op->dst[0] = jv_bits(p, x);
    } else if (widened) {
        op->dst[0] = jv_canonical(p, x, 0x7fffffffe0000000u); /* f32's NaN, widened */
    } else {
        op->dst[0] = jv_result(p, x);
    }
}

static void build_float(struct jit_op *op)
{
    struct jit_part *p = op->part;
    enum isa_type from = source_type(op->instr);
    jv x = float_source(op, from, 0);
    if (rounds_to_integral(op->instr)) x = jv_integral(p, jit_rounding(op->instr), x);
    convert_finish(op, x);
    if (from != ISA_F64 || op->type != ISA_F64 || !keeps_nan(op)) return;
    jv nan = jv_fcmp(p, LLVMRealUNO, x, x); /* not every instruction set's rounding makes it quiet */
    op->dst[0] = jv_select(p, nan, jv_or_k(p, op->src[0], UINT64_C(1) << 51), op->dst[0]);
}

/* cvt.f32.f32 and cvt.f64.f64 without any modifier */
static void build_move(struct jit_op *op)
{
    op->dst[0] = op->src[0];
}

static jv from_integer(struct jit_part *p, jv a, unsigned bits, bool is_signed)
{
    LLVMTypeRef type = bits == 64 ? LLVMDoubleTypeInContext(p->context) : LLVMFloatTypeInContext(p->context);
    type = jv_like(a, type);
    return is_signed ? LLVMBuildSIToFP(p->builder, a, type, "") : LLVMBuildUIToFP(p->builder, a, type, "");
}

/* The two halves of a 64-bit integer, each exact in f64. */
static void halves(struct jit_part *p, jv a, bool is_signed, jv args[2])
{
    jv high = is_signed ? jv_ashr_k(p, a, 32) : jv_lshr_k(p, a, 32);
    high = from_integer(p, jv_trunc(p, high, 32), 64, is_signed);
    args[0] = jv_fmul(p, high, jv_fk(high, 0x1p32));
    args[1] = from_integer(p, jv_trunc(p, a, 32), 64, false);
}

static void build_from_integer(struct jit_op *op)
{
    struct jit_part *p = op->part;
    enum isa_type from = source_type(op->instr);
    bool is_signed = jit_is_signed(from), direct = jit_rounding(op->instr) == JIT_RN && !is_half(op->type);
    jv a = jv_fit(p, op->src[0], isa_type_bits(from) < 32 ? 32 : isa_type_bits(from), is_signed), args[2];
    bool narrows = op->type == ISA_F32 && jv_width(a) == 64; /* an instruction of AVX-512 (DQ) alone */
    if (direct && (!narrows || p->isa == JIT_ISA_AVX512)) {
        op->dst[0] = jv_bits(p, from_integer(p, a, isa_type_bits(op->type), is_signed));
        if (jit_has(op->instr, ISA_MOD_SAT)) convert_finish(op, jv_float_exact(p, op->dst[0]));
        return;
    }
    if (jv_width(a) == 32) {
        convert_finish(op, from_integer(p, a, 64, is_signed));
        return;
    }
    halves(p, a, is_signed, args);
    if (op->type == ISA_F64)
        convert_finish(op, jv_rounded(p, JIT_ADD, jit_rounding(op->instr), args, 2));
    else
        convert_finish(op, jv_sum_to_odd(p, args[0], args[1]));
}

/* ---- two at a time: a in the upper half, b in the lower */

static jv packed(struct jit_part *p, jv high, jv low)
{
    unsigned bits = jv_width(low);
    return jv_or(p, jv_shl_k(p, jv_zext(p, high, 2 * bits), bits), jv_zext(p, low, 2 * bits));
}

static void build_pack_halves(struct jit_op *op)
{
    enum isa_type half = jit_half_of(op->type);
    jv high = half_result(op, half, float_source(op, ISA_F32, 0));
    op->dst[0] = packed(op->part, high, half_result(op, half, float_source(op, ISA_F32, 1)));
}

/* The largest finite codes are 0x7e (448) and 0x7b (57344); NaN is 0x7f. Without .satfinite, which PTX
 * demands here, there is no form. */
static jv to_e8(struct jit_op *op, enum isa_type type, jv x)
{
    struct jit_part *p = op->part;
    bool e4m3 = type == ISA_E4M3X2;
    if (jit_has(op->instr, ISA_MOD_RELU)) x = clip(p, x);
    jv code = e4m3 ? jv_small_code(p, x, 3, -6) : jv_small_code(p, x, 2, -14);
    code = jv_min(p, code, jv_k(code, e4m3 ? 0x7e : 0x7b), false);
    code = jv_or(p, code, jv_and_k(p, jv_lshr_k(p, jv_bits(p, x), 24), 0x80));
    code = jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), jv_k(code, 0x7f), code);
    return jv_trunc(p, code, 8);
}

static void build_pack_e8(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a, b;
    if (source_type(op->instr) == ISA_F32) {
        a = float_source(op, ISA_F32, 0);
        b = float_source(op, ISA_F32, 1);
    } else {
        bool brain = source_type(op->instr) == ISA_BF16X2;
        a = jv_from_half(p, brain, jv_trunc(p, jv_lshr_k(p, op->src[0], 16), 16));
        b = jv_from_half(p, brain, jv_trunc(p, op->src[0], 16));
    }
    op->dst[0] = packed(p, to_e8(op, op->type, a), to_e8(op, op->type, b));
}

/* One byte to f16. e5m2 is the upper byte of an f16. e4m3: the exponent's place shifted, times 2^(15 - 7). */
static jv from_e8(struct jit_op *op, jv byte)
{
    struct jit_part *p = op->part;
    jv wide = jv_zext(p, byte, 16);
    if (source_type(op->instr) == ISA_E5M2X2) {
        jv a = jv_shl_k(p, wide, 8), nan = jv_cmp_k(p, LLVMIntUGT, jv_and_k(p, a, 0x7fff), 0x7c00);
        return jv_select(p, nan, jv_k(a, 0x7fff), a);
    }
    jv magnitude = jv_shl_k(p, jv_and_k(p, wide, 0x7f), 7), sign = jv_shl_k(p, jv_and_k(p, wide, 0x80), 8);
    jv x = jv_from_half(p, false, magnitude);
    jv a = jv_or(p, jv_to_half(p, JIT_RN, false, jv_fmul(p, x, jv_fk(x, 256))), sign);
    jv nan = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, wide, 0x7f), 0x7f);
    return jv_select(p, nan, jv_k(a, 0x7fff), a);
}

static void build_unpack_e8(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv high = from_e8(op, jv_trunc(p, jv_lshr_k(p, op->src[0], 8), 8));
    jv low = from_e8(op, jv_trunc(p, op->src[0], 8));
    if (jit_has(op->instr, ISA_MOD_RELU)) {
        high = jv_select(p, jv_cmp_k(p, LLVMIntSLT, high, 0), jv_k(high, 0), high);
        low = jv_select(p, jv_cmp_k(p, LLVMIntSLT, low, 0), jv_k(low, 0), low);
    }
    op->dst[0] = packed(p, high, low);
}

/* 10 bits of mantissa kept; .rna: ties away from zero, in the integer that the bits are, whatever they are: a
 * NaN may become an infinity. */
static jv away_tf32(struct jit_op *op, jv bits)
{
    struct jit_part *p = op->part;
    jv special = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, bits, 0x7f800000), 0x7f800000);
    jv rounded = jv_and_k(p, jv_select(p, special, bits, jv_add_k(p, bits, 0x1000)), ~UINT64_C(0x1fff));
    if (!jit_has(op->instr, ISA_MOD_SATFINITE)) return rounded;
    jv over = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, rounded, 0x7f800000), 0x7f800000);
    return jv_select(p, over, jv_add_k(p, rounded, -(uint64_t)0x2000), rounded);
}

static void build_tf32(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv x = jv_float_exact(p, op->src[0]);
    if (jit_has(op->instr, ISA_MOD_RELU)) x = clip(p, x);
    jv bits = jv_bits(p, x), rounded = bits;
    if (jit_has(op->instr, ISA_MOD_RNA)) {
        op->dst[0] = away_tf32(op, bits);
        return;
    }
    if (jit_has(op->instr, ISA_MOD_RN))
        rounded = jv_add(p, jv_add_k(p, bits, 0xfff), jv_and_k(p, jv_lshr_k(p, bits, 13), 1));
    rounded = jv_and_k(p, rounded, ~UINT64_C(0x1fff));
    jv infinite = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, bits, 0x7f800000), 0x7f800000);
    rounded = jv_select(p, infinite, bits, rounded);
    op->dst[0] = jv_select(p, jv_fcmp(p, LLVMRealUNO, x, x), jv_k(bits, 0x7fffe000), rounded);
}

/* cvt.pack: a and b saturated, a above b; with c, they fill its lower end and its lower part moves up */
static void build_pack_integers(struct jit_op *op)
{
    struct jit_part *p = op->part;
    unsigned bits = isa_type_bits(op->type);
    jv a = jv_and_k(p, clamp_integer(p, op->src[0], ISA_S32, op->type), (UINT64_C(1) << bits) - 1);
    jv b = jv_and_k(p, clamp_integer(p, op->src[1], ISA_S32, op->type), (UINT64_C(1) << bits) - 1);
    jv both = jv_or(p, jv_shl_k(p, a, bits), b);
    op->dst[0] = op->count > 2 ? jv_or(p, jv_shl_k(p, op->src[2], 2 * bits), both) : both;
}

/* ---- which */

static bool is_plain_float(enum isa_type type)
{
    return is_half(type) || type == ISA_F32 || type == ISA_F64;
}

static bool is_e8(enum isa_type type)
{
    return type == ISA_E4M3X2 || type == ISA_E5M2X2;
}

jit_build_fn jit_select_convert(const struct ptx_instr *instr)
{
    enum isa_type to = ptx_instr_type(instr, 0), from = source_type(instr);
    bool sources = instr->operand_count == 3, satfinite = jit_has(instr, ISA_MOD_SATFINITE);
    if (jit_has(instr, ISA_MOD_PACK)) return from == ISA_S32 ? build_pack_integers : NULL;
    if (to == ISA_TF32 && from == ISA_F32)
        return !satfinite || jit_has(instr, ISA_MOD_RNA) ? build_tf32 : NULL;
    if (jit_has(instr, ISA_MOD_RNA)) return NULL;
    if (to == from && instr->mod_count == 0 && (to == ISA_F32 || to == ISA_F64)) return build_move;
    if (jit_half_of(to) && jit_is_float(to) && from == ISA_F32 && sources) return build_pack_halves;
    if (is_e8(to) && from == ISA_F32 && sources && satfinite) return build_pack_e8;
    if (is_e8(to) && jit_half_of(from) && jit_is_float(from) && satfinite) return build_pack_e8;
    if (to == ISA_F16X2 && is_e8(from)) return build_unpack_e8;
    if (sources) return NULL;
    if (!jit_is_float(to) && !jit_is_float(from)) return build_integer;
    if (is_plain_float(to) && is_plain_float(from)) return build_float;
    if (!jit_is_float(to) && is_plain_float(from)) return rounds_to_integral(instr) ? build_to_integer : NULL;
    return is_plain_float(to) && !jit_is_float(from) ? build_from_integer : NULL;
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_CVT, "t:uuu", " rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu pack ", jit_select_convert,
     jit_select_convert, jit_select_convert},
};
const struct jit_op_family jit_family_convert = {ROWS, SW_COUNT_OF(ROWS)};
