/* SPDX-License-Identifier: Apache-2.0 */
/* cvt, and f16 and bf16 arithmetic, against a reference that rounds exact long double values. */
#include "op_harness.h"

#include <fenv.h>
#include <math.h>

/* ---- reference */

static long double integral(volatile long double x, int mode)
{
    fesetround(mode);
    volatile long double r = rintl(x);
    fesetround(FE_TONEAREST);
    return r;
}

/* NaN and out of range as PTX ISA 9.7.9.21 says. */
static uint64_t to_integer(long double x, int mode, unsigned bits, bool is_signed, bool from_f64)
{
    if (x != x) return from_f64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    x = integral(x, mode);
    long double top = ldexpl(1, (int)bits - is_signed), least = is_signed ? -top : 0;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (x >= top) return mask >> is_signed;
    if (x <= least) return is_signed ? (mask >> 1) + 1 : 0;
    return (x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
}

struct format {
    int mantissa, least, top, bits; /* of the smallest and the largest normal number's exponent */
};
static const struct format f16 = {10, -14, 15, 16}, bf16 = {7, -126, 127, 16}, f32 = {23, -126, 127, 32};
static const struct format e4m3 = {3, -6, 8, 8}, e5m2 = {2, -14, 15, 8};

static uint64_t largest(const struct format *f)
{
    return ((uint64_t)(f->top - f->least + 2) << f->mantissa) - 1;
}

/* x rounded once; the code that follows the largest finite one is infinity */
static uint64_t encode(long double x, const struct format *f, int mode)
{
    uint64_t sign = signbit(x) ? UINT64_C(1) << (f->bits - 1) : 0;
    if (x != x) return (UINT64_C(1) << (f->bits - 1)) - 1;
    if (isinf(x)) return sign | (largest(f) + 1);
    if (x == 0) return sign;
    int e = ilogbl(x) < f->least ? f->least : ilogbl(x);
    long double q = fabsl(integral(ldexpl(x, f->mantissa - e), mode));
    uint64_t code = (uint64_t)q + ((uint64_t)(e - f->least) << f->mantissa);
    bool away = mode == FE_TONEAREST || (mode == FE_UPWARD && !sign) || (mode == FE_DOWNWARD && sign);
    if (code > largest(f)) code = largest(f) + away;
    return sign | code;
}

static long double decode(uint64_t bits, const struct format *f)
{
    uint64_t code = bits & ((UINT64_C(1) << (f->bits - 1)) - 1);
    long double sign = bits >> (f->bits - 1) & 1 ? -1 : 1;
    if (code > largest(f)) return code == largest(f) + 1 ? sign * INFINITY : NAN;
    int e = (int)(code >> f->mantissa);
    uint64_t fraction = code & ((UINT64_C(1) << f->mantissa) - 1);
    if (e) fraction |= UINT64_C(1) << f->mantissa;
    return sign * ldexpl((long double)fraction, (e ? e - 1 : 0) + f->least - f->mantissa);
}

static uint64_t saturated(uint64_t bits, const struct format *f)
{
    uint64_t sign = bits & UINT64_C(1) << (f->bits - 1), code = bits & ~sign;
    return code == largest(f) + 1 ? bits - 1 : bits;
}

#define F32(i)  ((long double)op_f32(in[i]))
#define F64(i)  ((long double)op_f64(in[i]))
#define F16(i)  decode(in[i], &f16)
#define BF16(i) decode(in[i], &bf16)
#define FZ(i)   (fabsl(F32(i)) < 0x1p-126L ? copysignl(0, F32(i)) : F32(i))
enum { RN = FE_TONEAREST, RZ = FE_TOWARDZERO, RM = FE_DOWNWARD, RP = FE_UPWARD };

/* ---- floats to integers */

#define TO_INTEGER(name, x, mode, bits, is_signed, wide)                                                     \
    OP_REF(name, out[0] = to_integer(x, mode, bits, is_signed, wide))
TO_INTEGER(rzi_s32_f32, F32(0), RZ, 32, 1, 0)
TO_INTEGER(rni_s32_f32, F32(0), RN, 32, 1, 0)
TO_INTEGER(rmi_s32_f32, F32(0), RM, 32, 1, 0)
TO_INTEGER(rpi_s32_f32, F32(0), RP, 32, 1, 0)
TO_INTEGER(rmi_ftz_s32_f32, FZ(0), RM, 32, 1, 0)
TO_INTEGER(rzi_u32_f32, F32(0), RZ, 32, 0, 0)
TO_INTEGER(rpi_u32_f32, F32(0), RP, 32, 0, 0)
TO_INTEGER(rzi_s64_f32, F32(0), RZ, 64, 1, 0)
TO_INTEGER(rni_u64_f32, F32(0), RN, 64, 0, 0)
TO_INTEGER(rzi_u8_f32, F32(0), RZ, 8, 0, 0)
TO_INTEGER(rni_s8_f32, F32(0), RN, 8, 1, 0)
TO_INTEGER(rni_u16_f32, F32(0), RN, 16, 0, 0)
TO_INTEGER(rzi_s32_f64, F64(0), RZ, 32, 1, 1)
TO_INTEGER(rni_u32_f64, F64(0), RN, 32, 0, 1)
TO_INTEGER(rmi_s64_f64, F64(0), RM, 64, 1, 1)
TO_INTEGER(rzi_u64_f64, F64(0), RZ, 64, 0, 1)
TO_INTEGER(rzi_s16_f64, F64(0), RZ, 16, 1, 1)
TO_INTEGER(rni_s32_f16, F16(0), RN, 32, 1, 0)
TO_INTEGER(rzi_u8_bf16, BF16(0), RZ, 8, 0, 0)
TO_INTEGER(rzi_s64_bf16, BF16(0), RZ, 64, 1, 0)

static const struct op_case to_integers[] = {
    {"cvt.rzi.s32.f32 d, a", rzi_s32_f32, NULL},         {"cvt.rni.s32.f32 d, a", rni_s32_f32, NULL},
    {"cvt.rmi.s32.f32 d, a", rmi_s32_f32, NULL},         {"cvt.rpi.s32.f32 d, a", rpi_s32_f32, NULL},
    {"cvt.rmi.ftz.s32.f32 d, a", rmi_ftz_s32_f32, NULL}, {"cvt.rzi.u32.f32 d, a", rzi_u32_f32, NULL},
    {"cvt.rpi.u32.f32 d, a", rpi_u32_f32, NULL},         {"cvt.rzi.s64.f32 d, a", rzi_s64_f32, NULL},
    {"cvt.rni.u64.f32 d, a", rni_u64_f32, NULL},         {"cvt.rzi.u8.f32 d, a", rzi_u8_f32, NULL},
    {"cvt.rni.sat.s8.f32 d, a", rni_s8_f32, NULL},       {"cvt.rni.u16.f32 d, a", rni_u16_f32, NULL},
    {"cvt.rzi.s32.f64 d, a", rzi_s32_f64, NULL},         {"cvt.rni.u32.f64 d, a", rni_u32_f64, NULL},
    {"cvt.rmi.s64.f64 d, a", rmi_s64_f64, NULL},         {"cvt.rzi.u64.f64 d, a", rzi_u64_f64, NULL},
    {"cvt.rzi.s16.f64 d, a", rzi_s16_f64, NULL},         {"cvt.rni.s32.f16 d, a", rni_s32_f16, NULL},
    {"cvt.rzi.u8.bf16 d, a", rzi_u8_bf16, NULL},         {"cvt.rzi.s64.bf16 d, a", rzi_s64_bf16, NULL},
};

/* ---- integers to floats */

#define S(bits, i)                    ((long double)(int##bits##_t)in[i])
#define U(bits, i)                    ((long double)(uint##bits##_t)in[i])
#define ENCODE(name, x, format, mode) OP_REF(name, out[0] = encode(x, &format, mode))

/* A NaN in another format: its sign and the payload's upper bits, quiet. m, n: bits of mantissa there and
 * here. */
static uint64_t kept(uint64_t bits, unsigned from, unsigned n, unsigned to, unsigned m)
{
    uint64_t payload = bits & ((UINT64_C(1) << n) - 1), sign = bits >> (from - 1) & 1;
    payload = m > n ? payload << (m - n) : payload >> (n - m);
    uint64_t exponent = ((UINT64_C(1) << (to - 1 - m)) - 1) << m;
    return sign << (to - 1) | exponent | payload | UINT64_C(1) << (m - 1);
}
#define KEPT64(name, x, format, mode, m)                                                                     \
    OP_REF(name, long double v = x;                                                                          \
           out[0] = v != v ? kept(in[0], 64, 52, (format).bits, m) : encode(v, &(format), mode))

static uint64_t encode64(volatile long double x, int mode)
{
    fesetround(mode);
    volatile double r = (double)x;
    fesetround(FE_TONEAREST);
    return op_bits64(r);
}

#define MODES32(name, x)                                                                                     \
    ENCODE(name##_rn, x, f32, RN)                                                                            \
    ENCODE(name##_rz, x, f32, RZ) ENCODE(name##_rm, x, f32, RM) ENCODE(name##_rp, x, f32, RP)
#define MODES64(name, x)                                                                                     \
    OP_REF(name##_rn, out[0] = encode64(x, RN))                                                              \
    OP_REF(name##_rz, out[0] = encode64(x, RZ))                                                              \
    OP_REF(name##_rm, out[0] = encode64(x, RM)) OP_REF(name##_rp, out[0] = encode64(x, RP))
MODES32(f32_s32, S(32, 0))
MODES32(f32_u32, U(32, 0))
MODES32(f32_s64, S(64, 0))
MODES32(f32_u64, U(64, 0))
KEPT64(f32_f64_rn, F64(0), f32, RN, 23)
KEPT64(f32_f64_rz, F64(0), f32, RZ, 23)
KEPT64(f32_f64_rm, F64(0), f32, RM, 23)
KEPT64(f32_f64_rp, F64(0), f32, RP, 23)
MODES64(f64_s64, S(64, 0))
MODES64(f64_u64, U(64, 0))
MODES64(f64_s32, S(32, 0))
MODES64(f64_u32, U(32, 0))
ENCODE(f32_s8, S(8, 0), f32, RN)
ENCODE(f32_u16, U(16, 0), f32, RN)
ENCODE(f16_s32, S(32, 0), f16, RN)
ENCODE(f16_rz_u64, U(64, 0), f16, RZ)
ENCODE(bf16_s64, S(64, 0), bf16, RN)
ENCODE(bf16_u32, U(32, 0), bf16, RN)

#define ROWS(to, from, name)                                                                                 \
    {"cvt.rn." to "." from " d, a", name##_rn, NULL}, {"cvt.rz." to "." from " d, a", name##_rz, NULL},      \
        {"cvt.rm." to "." from " d, a", name##_rm, NULL},                                                    \
    {                                                                                                        \
        "cvt.rp." to "." from " d, a", name##_rp, NULL                                                       \
    }
static const struct op_case from_integers[] = {
    ROWS("f32", "s32", f32_s32),
    ROWS("f32", "u32", f32_u32),
    ROWS("f32", "s64", f32_s64),
    ROWS("f32", "u64", f32_u64),
    ROWS("f32", "f64", f32_f64),
    ROWS("f64", "s64", f64_s64),
    ROWS("f64", "u64", f64_u64),
    ROWS("f64", "s32", f64_s32),
    ROWS("f64", "u32", f64_u32),
    {"cvt.rn.f32.s8 d, a", f32_s8, NULL},
    {"cvt.rn.f32.u16 d, a", f32_u16, NULL},
    {"cvt.rn.f16.s32 d, a", f16_s32, NULL},
    {"cvt.rz.f16.u64 d, a", f16_rz_u64, NULL},
    {"cvt.rn.bf16.s64 d, a", bf16_s64, NULL},
    {"cvt.rn.bf16.u32 d, a", bf16_u32, NULL},
};

/* ---- floats to floats */

static long double unit(long double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}

static long double clip(long double x)
{
    return x <= 0 ? 0 : x;
}

static uint64_t flushed(uint64_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static uint64_t tf32(uint64_t bits)
{
    if ((bits & 0x7f800000) == 0x7f800000) return bits & 0xffffe000;
    return (bits + 0x1000) & 0xffffe000;
}

/* .satfinite: NaN is 0x7f */
static uint64_t tiny(long double x, const struct format *f)
{
    uint64_t most = f == &e4m3 ? 0x7e : 0x7b, code = encode(fabsl(x), f, RN);
    if (x != x) return 0x7f;
    return (code > most ? most : code) | (signbit(x) ? 0x80 : 0);
}

OP_REF(f64_f32,
       out[0] = op_f32(in[0]) != op_f32(in[0]) ? kept(in[0], 32, 23, 64, 52) : op_bits64(op_f32(in[0])))
OP_REF(f64_f32_ftz, out[0] = op_f32(in[0]) != op_f32(in[0]) ? 0x7fffffffe0000000 : op_bits64((double)FZ(0)))
ENCODE(f32_f16, F16(0), f32, RN)
OP_REF(f32_bf16, out[0] = (in[0] & 0xffff) << 16)
ENCODE(f16_f32, F32(0), f16, RN)
ENCODE(f16_f32_rz, F32(0), f16, RZ)
KEPT64(f16_f64, F64(0), f16, RN, 10)
KEPT64(f16_f64_rp, F64(0), f16, RP, 10)
KEPT64(f16_f64_rm, F64(0), f16, RM, 10)
ENCODE(bf16_f32, F32(0), bf16, RN)
ENCODE(bf16_f32_rz, F32(0), bf16, RZ)
KEPT64(bf16_f64, F64(0), bf16, RN, 7)
ENCODE(f16_bf16, BF16(0), f16, RN)
ENCODE(bf16_f16, F16(0), bf16, RN)
OP_REF(f16_f32_relu, out[0] = encode(clip(F32(0)), &f16, RN))
OP_REF(f16_f32_satfinite, out[0] = saturated(encode(F32(0), &f16, RN), &f16))
OP_REF(f16_f32_sat, out[0] = encode(unit(F32(0)), &f16, RN))
OP_REF(f32_f64_ftz, long double x = F64(0);
       out[0] = x != x ? kept(in[0], 64, 52, 32, 23) : flushed(encode(x, &f32, RN)))
ENCODE(f32_rni, integral(F32(0), RN), f32, RN)
ENCODE(f32_rzi, integral(F32(0), RZ), f32, RN)
ENCODE(f32_rmi, integral(F32(0), RM), f32, RN)
ENCODE(f32_rpi, integral(F32(0), RP), f32, RN)
ENCODE(f32_rmi_ftz, integral(FZ(0), RM), f32, RN)
ENCODE(f32_rni_sat, unit(integral(F32(0), RN)), f32, RN)
ENCODE(f32_sat, unit(F32(0)), f32, RN)
#define QUIET64 (in[0] | UINT64_C(1) << 51)
OP_REF(f64_rni, out[0] = F64(0) != F64(0) ? QUIET64 : encode64(integral(F64(0), RN), RN))
OP_REF(f64_rpi, out[0] = F64(0) != F64(0) ? QUIET64 : encode64(integral(F64(0), RP), RN))
ENCODE(f16_rmi, integral(F16(0), RM), f16, RN)
ENCODE(bf16_rni, integral(BF16(0), RN), bf16, RN)
OP_REF(tf32_f32, out[0] = tf32(in[0]))
OP_REF(f16x2_f32, out[0] = encode(F32(0), &f16, RN) << 16 | encode(F32(1), &f16, RN))
OP_REF(bf16x2_rz, out[0] = encode(F32(0), &bf16, RZ) << 16 | encode(F32(1), &bf16, RZ))
OP_REF(e4m3x2_f32, out[0] = tiny(F32(0), &e4m3) << 8 | tiny(F32(1), &e4m3))
OP_REF(e5m2x2_f32, out[0] = tiny(F32(0), &e5m2) << 8 | tiny(F32(1), &e5m2))
OP_REF(e4m3x2_f16x2,
       out[0] = tiny(decode(in[0] >> 16, &f16), &e4m3) << 8 | tiny(decode(in[0] & 0xffff, &f16), &e4m3))

/* e4m3 has no infinity: its largest code but one is 448, its largest is NaN */
static long double decode8(uint64_t byte, const struct format *f)
{
    if (f == &e4m3 && (byte & 0x7f) == 0x7f) return NAN;
    return decode(byte & 0xff, f);
}
OP_REF(f16x2_e4m3x2,
       out[0] = encode(decode8(in[0] >> 8, &e4m3), &f16, RN) << 16 | encode(decode8(in[0], &e4m3), &f16, RN))
OP_REF(f16x2_e5m2x2,
       out[0] = encode(decode8(in[0] >> 8, &e5m2), &f16, RN) << 16 | encode(decode8(in[0], &e5m2), &f16, RN))

static const struct op_case floats[] = {
    {"cvt.f64.f32 d, a", f64_f32, NULL},
    {"cvt.ftz.f64.f32 d, a", f64_f32_ftz, NULL},
    {"cvt.f32.f16 d, a", f32_f16, NULL},
    {"cvt.f32.bf16 d, a", f32_bf16, NULL},
    {"cvt.rn.f16.f32 d, a", f16_f32, NULL},
    {"cvt.rz.f16.f32 d, a", f16_f32_rz, NULL},
    {"cvt.rn.f16.f64 d, a", f16_f64, NULL},
    {"cvt.rp.f16.f64 d, a", f16_f64_rp, NULL},
    {"cvt.rm.f16.f64 d, a", f16_f64_rm, NULL},
    {"cvt.rn.bf16.f32 d, a", bf16_f32, NULL},
    {"cvt.rz.bf16.f32 d, a", bf16_f32_rz, NULL},
    {"cvt.rn.bf16.f64 d, a", bf16_f64, NULL},
    {"cvt.rn.f16.bf16 d, a", f16_bf16, NULL},
    {"cvt.rn.bf16.f16 d, a", bf16_f16, NULL},
    {"cvt.rn.relu.f16.f32 d, a", f16_f32_relu, NULL},
    {"cvt.rn.satfinite.f16.f32 d, a", f16_f32_satfinite, NULL},
    {"cvt.rn.sat.f16.f32 d, a", f16_f32_sat, NULL},
    {"cvt.rn.ftz.f32.f64 d, a", f32_f64_ftz, NULL},
    {"cvt.rni.f32.f32 d, a", f32_rni, NULL},
    {"cvt.rzi.f32.f32 d, a", f32_rzi, NULL},
    {"cvt.rmi.f32.f32 d, a", f32_rmi, NULL},
    {"cvt.rpi.f32.f32 d, a", f32_rpi, NULL},
    {"cvt.rmi.ftz.f32.f32 d, a", f32_rmi_ftz, NULL},
    {"cvt.rni.sat.f32.f32 d, a", f32_rni_sat, NULL},
    {"cvt.sat.f32.f32 d, a", f32_sat, NULL},
    {"cvt.rni.f64.f64 d, a", f64_rni, NULL},
    {"cvt.rpi.f64.f64 d, a", f64_rpi, NULL},
    {"cvt.rmi.f16.f16 d, a", f16_rmi, NULL},
    {"cvt.rni.bf16.bf16 d, a", bf16_rni, NULL},
    {"cvt.rna.tf32.f32 d, a", tf32_f32, NULL},
    {"cvt.rn.f16x2.f32 d, a, b", f16x2_f32, NULL},
    {"cvt.rz.bf16x2.f32 d, a, b", bf16x2_rz, NULL},
    {"cvt.rn.satfinite.e4m3x2.f32 d, a, b", e4m3x2_f32, NULL},
    {"cvt.rn.satfinite.e5m2x2.f32 d, a, b", e5m2x2_f32, NULL},
    {"cvt.rn.satfinite.e4m3x2.f16x2 d, a", e4m3x2_f16x2, NULL},
    {"cvt.rn.f16x2.e4m3x2 d, a", f16x2_e4m3x2, NULL},
    {"cvt.rn.f16x2.e5m2x2 d, a", f16x2_e5m2x2, NULL},
};

/* ---- half arithmetic: long double holds sums and products of these exactly, but for far apart bf16, where
 * adding in the direction of zero and keeping a sticky bit would be needed; fmal of x87 rounds once to 64
 * bits. */

static long double sum_odd(long double a, long double b)
{
    volatile long double x = a, y = b;
    volatile long double near = x + y, part = near - x, error = (x - (near - part)) + (y - part);
    if (error == 0 || error != error) return near;
    long double toward = error > 0 ? INFINITY : -INFINITY;
    uint64_t fraction;
    memcpy(&fraction, (const void *)&near, 8);
    return fraction & 1 ? near : nextafterl(near, toward);
}

static uint64_t half_flush(uint64_t bits)
{
    return bits & 0x7c00 ? bits : bits & 0x8000;
}

#define HALF(name, f, x) OP_REF(name, out[0] = encode(x, &f, RN))
HALF(hadd, f16, F16(0) + F16(1))
HALF(hsub, f16, F16(0) - F16(1))
HALF(hmul, f16, F16(0) * F16(1))
HALF(hfma, f16, sum_odd(F16(0) * F16(1), F16(2)))
OP_REF(hfma_relu, long double x = sum_odd(F16(0) * F16(1), F16(2)); out[0] = x <= 0 ? 0 : encode(x, &f16, RN))
OP_REF(hadd_sat, out[0] = encode(unit(F16(0) + F16(1)), &f16, RN))
OP_REF(hmul_ftz, out[0] = half_flush(encode(decode(half_flush(in[0]), &f16) * decode(half_flush(in[1]), &f16),
                                            &f16, RN)))
HALF(hneg, f16, -F16(0))
HALF(habs, f16, fabsl(F16(0)))
HALF(badd, bf16, sum_odd(BF16(0), BF16(1)))
HALF(bmul, bf16, BF16(0) * BF16(1))
HALF(bfma, bf16, sum_odd(BF16(0) * BF16(1), BF16(2)))

static uint64_t low(uint64_t x)
{
    return x & 0xffff;
}
OP_REF(hadd2, out[0] = encode(decode(in[0] >> 16, &f16) + decode(in[1] >> 16, &f16), &f16, RN) << 16 |
                       encode(decode(low(in[0]), &f16) + decode(low(in[1]), &f16), &f16, RN))
OP_REF(bmul2, out[0] = encode(decode(in[0] >> 16, &bf16) * decode(in[1] >> 16, &bf16), &bf16, RN) << 16 |
                       encode(decode(low(in[0]), &bf16) * decode(low(in[1]), &bf16), &bf16, RN))

static const struct op_case halves[] = {
    {"add.f16 d, a, b", hadd, NULL},
    {"sub.rn.f16 d, a, b", hsub, NULL},
    {"mul.f16 d, a, b", hmul, NULL},
    {"fma.rn.f16 d, a, b, c", hfma, NULL},
    {"fma.rn.relu.f16 d, a, b, c", hfma_relu, NULL},
    {"add.sat.f16 d, a, b", hadd_sat, NULL},
    {"mul.ftz.f16 d, a, b", hmul_ftz, NULL},
    {"neg.f16 d, a", hneg, NULL},
    {"abs.f16 d, a", habs, NULL},
    {"add.bf16 d, a, b", badd, NULL},
    {"mul.bf16 d, a, b", bmul, NULL},
    {"fma.rn.bf16 d, a, b, c", bfma, NULL},
    {"add.f16x2 d, a, b", hadd2, NULL},
    {"mul.bf16x2 d, a, b", bmul2, NULL},
};

/* ---- min, max, testp, copysign */

static float order(float a, float b, bool is_min)
{
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return (signbit(a) != 0) == is_min ? a : b;
    return (a < b) == is_min ? a : b;
}

#define A op_f32(in[0])
#define B op_f32(in[1])
static bool any_nan(float a, float b)
{
    return a != a || b != b;
}
OP_REF(fmin32, out[0] = op_bits32(order(A, B, true)))
OP_REF(fmax32, out[0] = op_bits32(order(A, B, false)))
OP_REF(fmax_nan, out[0] = any_nan(A, B) ? 0x7fffffff : op_bits32(order(A, B, false)))
OP_REF(fmin_xorsign, float m = order(fabsf(A), fabsf(B), true);
       out[0] = m != m ? 0x7fffffff : op_bits32(m) | ((in[0] ^ in[1]) & 0x80000000))
OP_REF(
    dmin, double a = op_f64(in[0]); double b = op_f64(in[1]); if (a != a && b != b) {
        out[0] = in[1] | UINT64_C(1) << 51;
        return;
    } out[0] = op_bits64(a != a                                        ? b
                                                              : b != b ? a
                                                              : a == b ? (signbit(a) ? a : b)
                                                              : a < b  ? a
                                                                       : b))
OP_REF(hmin, out[0] = encode(order((float)F16(0), (float)F16(1), true), &f16, RN))
OP_REF(bmax, out[0] = encode(order((float)BF16(0), (float)BF16(1), false), &bf16, RN))
OP_REF(copysign32, out[0] = (in[0] & 0x80000000) | (in[1] & 0x7fffffff))
OP_REF(is_finite, out[0] = isfinite(A) != 0)
OP_REF(is_infinite, out[0] = isinf(A) != 0)
OP_REF(is_number, out[0] = A == A)
OP_REF(is_notanumber, double x = op_f64(in[0]); out[0] = x != x)
OP_REF(is_normal, out[0] = isnormal(A) || A == 0)
OP_REF(is_subnormal, out[0] = fpclassify(A) == FP_SUBNORMAL)

OP_REF(hmax2,
       out[0] =
           encode(order((float)decode(low(in[0]), &f16), (float)decode(low(in[1]), &f16), false), &f16, RN) |
           encode(order((float)decode(in[0] >> 16, &f16), (float)decode(in[1] >> 16, &f16), false), &f16, RN)
               << 16)
OP_REF(bmin_nan, float x = (float)BF16(0); float y = (float)BF16(1);
       out[0] = any_nan(x, y) ? 0x7fff : encode(order(x, y, true), &bf16, RN))
OP_REF(fmin3, out[0] = op_bits32(order(order(A, B, true), op_f32(in[2]), true)))
#define PAIR(truth) out[0] = (truth), out[1] = !(truth)
OP_REF(hlt, PAIR(F16(0) < F16(1)))
OP_REF(bgeu, PAIR(!(BF16(0) < BF16(1))))
OP_REF(hneu_and, out[0] = F16(0) != F16(1) && in[2]; out[1] = F16(0) == F16(1) && in[2])
OP_REF(hlt2, out[0] = decode(low(in[0]), &f16) < decode(low(in[1]), &f16);
       out[1] = decode(in[0] >> 16, &f16) < decode(in[1] >> 16, &f16))
OP_REF(hset, out[0] = F16(0) > F16(1) ? 0x3c00 : 0)
OP_REF(hset_u32, out[0] = F16(0) > F16(1) ? UINT32_MAX : 0)
OP_REF(bset, out[0] = BF16(0) > BF16(1) ? 0x3f80 : 0)
OP_REF(hset2, out[0] = (decode(low(in[0]), &f16) > decode(low(in[1]), &f16) ? 0x3c00u : 0) |
                       (decode(in[0] >> 16, &f16) > decode(in[1] >> 16, &f16) ? 0x3c000000u : 0))
OP_REF(hset2_u32, out[0] = (decode(low(in[0]), &f16) > decode(low(in[1]), &f16) ? 0xffffu : 0) |
                           (decode(in[0] >> 16, &f16) > decode(in[1] >> 16, &f16) ? 0xffff0000u : 0))

static const struct op_case orders[] = {
    {"setp.lt.f16 p|q, a, b", hlt, NULL},
    {"setp.geu.bf16 p|q, a, b", bgeu, NULL},
    {"setp.neu.and.f16 p|q, a, b, m", hneu_and, NULL},
    {"setp.lt.f16x2 p|q, a, b", hlt2, NULL},
    {"set.gt.f16.f16 d, a, b", hset, NULL},
    {"set.gt.u32.f16 d, a, b", hset_u32, NULL},
    {"set.gt.bf16.bf16 d, a, b", bset, NULL},
    {"set.gt.f16x2.f16x2 d, a, b", hset2, NULL},
    {"set.gt.u32.f16x2 d, a, b", hset2_u32, NULL},
    {"min.f32 d, a, b", fmin32, NULL},
    {"max.f32 d, a, b", fmax32, NULL},
    {"max.NaN.f32 d, a, b", fmax_nan, NULL},
    {"min.xorsign.abs.f32 d, a, b", fmin_xorsign, NULL},
    {"min.f64 d, a, b", dmin, NULL},
    {"min.f16 d, a, b", hmin, NULL},
    {"max.bf16 d, a, b", bmax, NULL},
    {"max.f16x2 d, a, b", hmax2, NULL},
    {"min.NaN.bf16 d, a, b", bmin_nan, NULL},
    {"min.f32 d, a, b, c", fmin3, NULL},
    {"copysign.f32 d, a, b", copysign32, NULL},
    {"testp.finite.f32 p, a", is_finite, NULL},
    {"testp.infinite.f32 p, a", is_infinite, NULL},
    {"testp.number.f32 p, a", is_number, NULL},
    {"testp.notanumber.f64 p, a", is_notanumber, NULL},
    {"testp.normal.f32 p, a", is_normal, NULL},
    {"testp.subnormal.f32 p, a", is_subnormal, NULL},
};

#define TABLE(name)                                                                                          \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        op_run_cases(name, SW_COUNT_OF(name));                                                               \
    }
TABLE(to_integers)
TABLE(from_integers)
TABLE(floats)
TABLE(halves)
TABLE(orders)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_to_integers),
                                       cmocka_unit_test(test_from_integers), cmocka_unit_test(test_floats),
                                       cmocka_unit_test(test_halves), cmocka_unit_test(test_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
