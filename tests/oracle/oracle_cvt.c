/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cvt (PTX 9.7.9.22).
 * Method: one source value and a destination format; integers go to floats through a double rounded to odd.
 * Limits: the six- and four-bit formats and stochastic rounding are not here. */
#include "oracle_priv.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide_int;

static bool has(const struct exec *exec, enum isa_mod mod)
{
    return ptx_has(exec->instr, mod);
}

/* ---- to integers
 * ------------------------------------------------------------------------------------------------ */

static uint64_t clamp_integer(wide_int value, enum isa_type type)
{
    unsigned bits = isa_type_bits(type);
    bool sign = isa_type_kind(type) == ISA_KIND_SINT;
    wide_int one = 1, most = sign ? (one << (bits - 1)) - 1 : (one << bits) - 1, least = sign ? -most - 1 : 0;
    return (uint64_t)(value > most ? most : value < least ? least : value);
}

static uint64_t integer_to_integer(struct exec *exec, enum isa_type to, enum isa_type from, uint64_t bits)
{
    bool sign = isa_type_kind(from) == ISA_KIND_SINT;
    wide_int value = sign ? (wide_int)oracle_signed(bits, isa_type_bits(from)) : (wide_int)bits;
    return has(exec, ISA_MOD_SAT) ? clamp_integer(value, to) : (uint64_t)value;
}

static double round_to_integer(double x, enum round mode)
{
    switch (mode) {
    case ROUND_ZERO: return trunc(x);
    case ROUND_DOWN: return floor(x);
    case ROUND_UP: return ceil(x);
    case ROUND_AWAY: return round(x);
    case ROUND_NEAREST: break;
    }
    return nearbyint(x);
}

static uint64_t float_to_integer(enum isa_type to, enum isa_type from, double x, enum round round)
{
    unsigned bits = isa_type_bits(to);
    if (isnan(x)) return from == ISA_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    double whole = round_to_integer(x, round);
    if (whole > 0x1p65) whole = 0x1p65;
    if (whole < -0x1p65) whole = -0x1p65;
    return clamp_integer((wide_int)whole, to);
}

/* ---- to floats
 * -------------------------------------------------------------------------------------------------- */

/* A double that equals the integer, or is the one with odd last bit beside it. */
static double integer_to_odd(uint64_t magnitude, bool negative)
{
    int shift = 0;
    bool lost = false;
    while (magnitude >> 53) {
        lost |= magnitude & 1;
        magnitude >>= 1;
        shift++;
    }
    double value = ldexp((double)(magnitude | lost), shift);
    return negative ? -value : value;
}

static uint64_t integer_to_float(enum isa_type to, enum isa_type from, uint64_t bits, enum round round)
{
    int64_t value = oracle_signed(bits, isa_type_bits(from));
    bool negative = isa_type_kind(from) == ISA_KIND_SINT && value < 0;
    uint64_t magnitude = negative ? -(uint64_t)value : bits;
    if (to != ISA_F64) return oracle_from_double(integer_to_odd(magnitude, negative), to, round, false);
    long double exact = (long double)magnitude; /* 64 bits of mantissa */
    double nearest = (double)exact;
    double down = (long double)nearest > exact ? nextafter(nearest, 0) : nearest;
    double up = (long double)nearest < exact ? nextafter(nearest, INFINITY) : nearest;
    if (negative && (round == ROUND_DOWN || round == ROUND_UP))
        round = round == ROUND_DOWN ? ROUND_UP : ROUND_DOWN;
    double result = round == ROUND_NEAREST ? nearest : round == ROUND_UP ? up : down;
    return oracle_from_double(negative ? -result : result, ISA_F64, ROUND_NEAREST, false);
}

static enum isa_type plain(enum isa_type type)
{
    return type == ISA_TF32 ? ISA_F32 : type;
}

/* 10 bits of mantissa in an f32: round the integer that the bits are. Away from zero hardware does so with
 * NaNs too. */
static uint64_t to_tf32(uint64_t bits, enum round round, bool finite)
{
    uint64_t low = bits & 0x1fff;
    bool special = (bits & 0x7f800000) == 0x7f800000, nan = special && bits & 0x7fffff;
    if (nan && round != ROUND_AWAY) return 0x7fffe000;
    bits -= low;
    if (round == ROUND_AWAY && low >= 0x1000 && !special) bits += 0x2000;
    if (round == ROUND_NEAREST && (low > 0x1000 || (low == 0x1000 && bits & 0x2000))) bits += 0x2000;
    return finite && (bits & 0x7f800000) == 0x7f800000 ? bits - 0x2000 : bits;
}

/* A NaN's sign and payload in another format, quiet: what conversions from and to f64 keep, and that of bf16
 * to f32. */
static bool keeps_nan(const struct exec *exec, enum isa_type to, enum isa_type from)
{
    if (has(exec, ISA_MOD_SAT)) return false;
    if (from == ISA_F64) return true;
    return !has(exec, ISA_MOD_FTZ) && (to == ISA_F64 || (to == ISA_F32 && from == ISA_BF16));
}

static unsigned mantissa_bits(enum isa_type type)
{
    return type == ISA_F64 ? 52 : type == ISA_F32 ? 23 : type == ISA_F16 ? 10 : 7;
}

static uint64_t kept_nan(enum isa_type to, enum isa_type from, uint64_t bits)
{
    unsigned m = mantissa_bits(to), n = mantissa_bits(from), width = isa_type_bits(to);
    uint64_t payload = oracle_mask(bits, n), sign = bits >> (isa_type_bits(from) - 1) & 1;
    payload = m > n ? payload << (m - n) : payload >> (n - m);
    uint64_t exponent = oracle_mask(UINT64_MAX, width - 1 - m) << m;
    bool quiet = !(from == ISA_BF16 && to == ISA_F32); /* a shift */
    return sign << (width - 1) | exponent | payload | (uint64_t)quiet << (m - 1);
}

static uint64_t float_to_float(struct exec *exec, enum isa_type to, enum isa_type from, uint64_t bits)
{
    const struct ptx_instr *instr = exec->instr;
    enum isa_mod mod = ptx_mod_of(instr, ISA_CAT_ROUND);
    enum round round = oracle_round_mode(instr);
    if (to == from && instr->mod_count == 0 && (to == ISA_F32 || to == ISA_F64)) return bits;
    if (has(exec, ISA_MOD_FTZ) && from == ISA_F32 && to != ISA_F16) bits = oracle_flush(bits, from);
    double x = oracle_to_double(bits, from);
    if (isnan(x) && oracle_is_float(to) && keeps_nan(exec, to, from)) return kept_nan(to, from, bits);
    if (mod == ISA_MOD_RNI || mod == ISA_MOD_RZI || mod == ISA_MOD_RMI || mod == ISA_MOD_RPI)
        x = copysign(round_to_integer(x, round), x);
    bool finite = has(exec, ISA_MOD_SATFINITE);
    if (has(exec, ISA_MOD_FTZ) && to == ISA_F32) x = oracle_flush_exact(x, to, round);
    uint64_t result =
        to == ISA_TF32 ? to_tf32(bits, round, finite) : oracle_from_double(x, plain(to), round, finite);
    if (isnan(x) && to == ISA_F64 && from != ISA_F64)
        result = UINT64_C(0x7fffffffe0000000); /* f32's, widened */
    double y = oracle_to_double(result, plain(to));
    if (has(exec, ISA_MOD_RELU) && !isnan(y) && !(y > 0)) result = 0;
    if (has(exec, ISA_MOD_SAT) && !(y > 0)) result = 0;
    if (has(exec, ISA_MOD_SAT) && y > 1) result = oracle_from_double(1, plain(to), ROUND_NEAREST, false);
    return result;
}

/* ---- the instruction
 * -------------------------------------------------------------------------------------------- */

static enum isa_type packed_part(enum isa_type type)
{
    switch ((unsigned)type) {
    case ISA_F16X2: return ISA_F16;
    case ISA_BF16X2: return ISA_BF16;
    case ISA_E4M3X2: return ISA_E4M3;
    case ISA_E5M2X2: return ISA_E5M2;
    default: return ISA_TYPE_NONE;
    }
}

/* cvt.f16x2.f32 d, a, b: a is the upper half. cvt.f16x2.e4m3x2 d, a and back: part by part. */
static bool convert_packed(struct exec *exec, enum isa_type to, enum isa_type from)
{
    enum isa_type part = packed_part(to), source = packed_part(from);
    if (!part) return false;
    unsigned width = isa_type_bits(part);
    uint64_t high, low;
    if (source) {
        uint64_t bits = oracle_get(exec, 1, from);
        unsigned from_width = isa_type_bits(source);
        high = oracle_mask(bits >> from_width, from_width);
        low = oracle_mask(bits, from_width);
    } else {
        high = oracle_get(exec, 1, from);
        low = oracle_get(exec, 2, from);
        source = from;
    }
    high = float_to_float(exec, part, source, high);
    low = float_to_float(exec, part, source, low);
    oracle_set(exec, 0, to, high << width | low);
    return true;
}

/* cvt.pack: a above b; c, moved up, above both */
static void pack_integers(struct exec *exec, enum isa_type to)
{
    unsigned bits = isa_type_bits(to);
    uint64_t result = exec->instr->operand_count > 3 ? oracle_get(exec, 3, ISA_B32) : 0;
    for (unsigned i = 1; i <= 2; i++) {
        int64_t value = oracle_signed(oracle_get(exec, i, ISA_S32), 32);
        result = result << bits | oracle_mask(clamp_integer(value, to), bits);
    }
    oracle_set(exec, 0, ISA_B32, result);
}

void oracle_cvt(struct exec *exec)
{
    enum isa_type to = ptx_instr_type(exec->instr, 0), from = ptx_instr_type(exec->instr, 1);
    if (has(exec, ISA_MOD_PACK)) {
        pack_integers(exec, to);
        return;
    }
    if (convert_packed(exec, to, from)) return;
    uint64_t bits = oracle_get(exec, 1, from), result;
    bool to_float = oracle_is_float(plain(to)), from_float = oracle_is_float(from);
    if (ptx_has(exec->instr, ISA_MOD_RS) || isa_type_bits(to) < 8) oracle_unsupported(exec);
    if (to_float && from_float) {
        result = float_to_float(exec, to, from, bits);
    } else if (to_float) {
        result = integer_to_float(to, from, bits, oracle_round_mode(exec->instr));
        if (has(exec, ISA_MOD_SAT) && oracle_to_double(result, to) > 1)
            result = oracle_from_double(1, to, ROUND_NEAREST, false);
        if (has(exec, ISA_MOD_SAT) && oracle_to_double(result, to) < 0) result = 0;
    } else if (from_float) {
        if (has(exec, ISA_MOD_FTZ) && from == ISA_F32) bits = oracle_flush(bits, from);
        result = float_to_integer(to, from, oracle_to_double(bits, from), oracle_round_mode(exec->instr));
    } else {
        result = integer_to_integer(exec, to, from, bits);
    }
    oracle_set(exec, 0, plain(to), result);
}
