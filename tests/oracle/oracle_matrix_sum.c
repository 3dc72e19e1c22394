/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: d = a b + c, one element after the other.
 * Method: as the tensor cores of compute capability 9.0 do it (docs/numerics.md): terms of a sum are cut to
 * 25 bits below the largest exponent, in 128-bit integers. Limits: that compute capability only. */
#include "oracle_matrix.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

enum { FRACTION = 25, MOST_TERMS = 257 };

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };
struct number { /* (-1)^negative significand 2^(exponent - bits) */
    enum kind kind;
    bool negative;
    int exponent, bits;
    uint64_t significand;
};

static struct number decode(uint64_t code, enum isa_type type)
{
    static const struct {
        enum isa_type type;
        int width, mantissa, bias;
    } formats[] = {{ISA_F16, 16, 10, 15}, {ISA_BF16, 16, 7, 127}, {ISA_TF32, 32, 10, 127},
                   {ISA_E4M3, 8, 3, 7},   {ISA_E5M2, 8, 2, 15},   {ISA_F32, 32, 23, 127}};
    size_t i = 0;
    while (formats[i].type != type)
        i++;
    int mantissa = formats[i].mantissa, skip = type == ISA_TF32 ? 13 : 0, width = formats[i].width - skip;
    code >>= skip;
    uint64_t magnitude = code & ((UINT64_C(1) << (width - 1)) - 1),
             fraction = magnitude & ((UINT64_C(1) << mantissa) - 1);
    int field = (int)(magnitude >> mantissa), top = (1 << (width - 1 - mantissa)) - 1;
    struct number n = {FINITE, code >> (width - 1) & 1, field - formats[i].bias, mantissa,
                       fraction | UINT64_C(1) << mantissa};
    if (type == ISA_E4M3 && magnitude == 0x7f) n.kind = NOT_A_NUMBER;
    if (type != ISA_E4M3 && field == top) n.kind = fraction ? NOT_A_NUMBER : INFINITE;
    if (field == 0) {
        n.exponent++;
        n.significand = fraction;
        if (!fraction) n.kind = ZERO;
    }
    while (type == ISA_E4M3 && n.kind == FINITE &&
           !(n.significand >> n.bits)) { /* it is made an f16, which has smaller exponents */
        n.significand <<= 1;
        n.exponent--;
    }
    return n;
}

static struct number times(struct number a, struct number b)
{
    struct number n = {FINITE, a.negative != b.negative, a.exponent + b.exponent, a.bits + b.bits,
                       a.significand * b.significand};
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER || a.kind + b.kind == ZERO + INFINITE)
        n.kind = NOT_A_NUMBER;
    else if (a.kind == INFINITE || b.kind == INFINITE)
        n.kind = INFINITE;
    else if (a.kind == ZERO || b.kind == ZERO)
        n.kind = ZERO;
    if (a.kind == FINITE && b.kind == FINITE) n.kind = FINITE;
    return n;
}

/* The sum in units of 2^(exponent - bits). */
static struct number add_terms(const struct number *terms, unsigned count)
{
    bool nan = false, infinite[2] = {false, false};
    int largest = INT32_MIN;
    for (unsigned i = 0; i < count; i++) {
        nan |= terms[i].kind == NOT_A_NUMBER;
        if (terms[i].kind == INFINITE) infinite[terms[i].negative] = true;
        if (terms[i].kind == FINITE && terms[i].exponent > largest) largest = terms[i].exponent;
    }
    if (nan || (infinite[0] && infinite[1])) return (struct number){.kind = NOT_A_NUMBER};
    if (infinite[0] || infinite[1]) return (struct number){.kind = INFINITE, .negative = infinite[1]};
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        if (terms[i].kind != FINITE) continue;
        int down = largest - terms[i].exponent, up = FRACTION - terms[i].bits;
        int64_t part = down > 62 ? 0
                       : up >= 0 ? (int64_t)(terms[i].significand << up >> down)
                                 : (int64_t)(terms[i].significand >> -up >> down);
        sum += terms[i].negative ? -part : part;
    }
    if (sum == 0) return (struct number){.kind = ZERO};
    return (struct number){FINITE, sum < 0, largest, FRACTION, (uint64_t)(sum < 0 ? -sum : sum)};
}

/* Round to f32 toward zero (overflow gives infinity), or to f16 to nearest even. */
static uint64_t encode(struct number n, bool half, bool cut)
{
    uint64_t sign = n.negative ? half ? 0x8000 : 0x80000000 : 0, infinity = half ? 0x7c00 : 0x7f800000;
    int mantissa = half ? 10 : 23, least = half ? -14 : -126, most = half ? 15 : 127;
    if (n.kind == NOT_A_NUMBER) return half ? 0x7fff : 0x7fffffff;
    if (n.kind == INFINITE) return sign | infinity;
    if (n.kind == ZERO) return sign;
    int unit = n.exponent - n.bits, top = 63 - __builtin_clzll(n.significand) + unit;
    int last = (top < least ? least : top) - mantissa, drop = last - unit;
    uint64_t kept = drop >= 64 ? 0 : drop > 0 ? n.significand >> drop : n.significand << -drop;
    if (drop > 0 && drop < 64 && !cut) {
        uint64_t rest = n.significand & ((UINT64_C(1) << drop) - 1), middle = UINT64_C(1) << (drop - 1);
        if (rest > middle || (rest == middle && kept & 1)) kept++;
    }
    if (kept >> (mantissa + 1)) {
        kept >>= 1;
        last++;
    }
    if (last + mantissa > most) return sign | (half && cut ? 0x7bff : infinity);
    if (!(kept >> mantissa)) return sign | kept;
    return sign | (uint64_t)(last + mantissa - least + 1) << mantissa |
           (kept & ((UINT64_C(1) << mantissa) - 1));
}

/* ---- sums of the tensor cores */

static uint64_t one_sum(const struct oracle_product *p, unsigned row, unsigned column, const bool *in,
                        uint64_t start, enum isa_type start_type, bool half)
{
    struct number terms[MOST_TERMS];
    unsigned count = 0;
    for (unsigned k = 0; k < p->k; k++)
        if (in[k] && (!p->sparse || p->present[row][k]))
            terms[count++] = times(decode(p->a[row][k], p->a_type), decode(p->b[k][column], p->b_type));
    terms[count] = decode(start, start_type);
    if (start_type == ISA_F16 && !half && terms[count].kind == FINITE) /* it was made an f32 before */
        while (!(terms[count].significand >> terms[count].bits)) {
            terms[count].significand <<= 1;
            terms[count].exponent--;
        }
    uint64_t sum = encode(add_terms(terms, count + 1), half, !half);
    return sum == (half ? 0x8000 : 0x80000000) ? 0 : sum; /* what vanishes is a positive zero */
}

static float as_float(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, 4);
    return value;
}

static uint64_t from_float(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return value != value ? 0x7fffffff : word;
}

static uint64_t half_of(uint64_t single, bool cut)
{
    struct number n = decode(single, ISA_F32);
    return encode(n, true, cut);
}

static float widen(uint64_t half)
{
    struct number n = decode(half, ISA_F16);
    return as_float(encode(n, false, true));
}

/* e4m3 and e5m2: every other pair (sparse: four) of k in one sum, the others in a second that starts with the
 * first; then c. */
static uint64_t eight_bits(const struct oracle_product *p, unsigned row, unsigned column)
{
    bool in[256], half = p->d_type == ISA_F16;
    uint64_t sum = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned k = 0; k < p->k; k++)
            in[k] = k / (p->sparse ? 4 : 2) % 2 == round;
        sum = one_sum(p, row, column, in, sum, p->d_type, half);
    }
    uint64_t c = p->c[row][column];
    if (!half) return from_float(as_float(sum) + as_float(c));
    return half_of(from_float(widen(sum) + widen(c)), false);
}

static uint64_t tensor_sum(const struct oracle_product *p, unsigned row, unsigned column)
{
    bool in[256] = {false}, half = p->d_type == ISA_F16 && p->c_type == ISA_F16;
    unsigned step = p->wmma && p->a_type == ISA_TF32 ? 4 : p->k;
    uint64_t sum = p->c[row][column];
    enum isa_type type = p->c_type;
    for (unsigned first = 0; first < p->k; first += step) {
        for (unsigned k = 0; k < p->k; k++)
            in[k] = k >= first && k < first + step;
        sum = one_sum(p, row, column, in, sum, type, half);
        type = half ? ISA_F16 : ISA_F32;
    }
    if (p->d_type != ISA_F16 || half) return sum;
    return half_of(sum, ptx_has(p->instr, ISA_MOD_SATFINITE));
}

/* mma.m8n8k4 of f16 is made of f32 instructions. */
static uint64_t quad_sum(const struct oracle_product *p, unsigned row, unsigned column)
{
    float x[4], c = p->c_type == ISA_F16 ? widen(p->c[row][column]) : as_float(p->c[row][column]);
    for (unsigned k = 0; k < 4; k++)
        x[k] = widen(p->a[row][k]) * widen(p->b[k][column]);
    if (p->d_type == ISA_F32) return from_float(((x[0] + x[1]) + x[2]) + x[3] + c);
    return half_of(from_float(((x[0] + x[1]) + c) + (x[2] + x[3])), false);
}

/* ---- f64: fma in the order of k; a NaN operand passes quietly, b before c before a */

static bool is_nan(uint64_t bits)
{
    return bits << 1 > UINT64_C(0xffe0000000000000);
}

static uint64_t fused(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t quiet = UINT64_C(1) << 51, result;
    double x, y, z;
    if (is_nan(b)) return b | quiet;
    if (is_nan(c)) return c | quiet;
    if (is_nan(a)) return a | quiet;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    memcpy(&z, &c, 8);
    z = fma(x, y, z);
    memcpy(&result, &z, 8);
    return is_nan(result) ? UINT64_C(0xfff8000000000000) : result;
}

static uint64_t double_sum(const struct oracle_product *p, unsigned row, unsigned column)
{
    uint64_t sum = p->c[row][column];
    int mode = ptx_has(p->instr, ISA_MOD_RZ)   ? FE_TOWARDZERO
               : ptx_has(p->instr, ISA_MOD_RM) ? FE_DOWNWARD
               : ptx_has(p->instr, ISA_MOD_RP) ? FE_UPWARD
                                               : FE_TONEAREST;
    fesetround(mode);
    for (unsigned k = 0; k < p->k; k++)
        sum = fused(p->a[row][k], p->b[k][column], sum);
    fesetround(FE_TONEAREST);
    return sum;
}

/* ---- integers */

static int64_t integer(uint64_t code, enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_SINT ? oracle_signed(code, isa_type_bits(type)) : (int64_t)code;
}

static uint64_t integer_sum(const struct oracle_product *p, unsigned row, unsigned column)
{
    int64_t sum = integer(p->c[row][column], ISA_S32);
    bool both = ptx_has(p->instr, ISA_MOD_AND);
    for (unsigned k = 0; k < p->k; k++) {
        uint64_t a = p->a[row][k], b = p->b[k][column];
        if (p->a_type == ISA_B1)
            sum += (int64_t)(both ? a & b : a ^ b);
        else if (!p->sparse || p->present[row][k])
            sum += integer(a, p->a_type) * integer(b, p->b_type);
    }
    if (ptx_has(p->instr, ISA_MOD_SATFINITE))
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

static uint64_t sum_of(const struct oracle_product *p, unsigned row, unsigned column)
{
    switch ((int)p->a_type) {
    case ISA_F16: return p->quads ? quad_sum(p, row, column) : tensor_sum(p, row, column);
    case ISA_BF16:
    case ISA_TF32: return tensor_sum(p, row, column);
    case ISA_E4M3:
    case ISA_E5M2: return eight_bits(p, row, column);
    case ISA_F64: return double_sum(p, row, column);
    default: return integer_sum(p, row, column);
    }
}

void oracle_multiply(struct oracle_product *p)
{
    for (unsigned row = 0; row < p->m; row++)
        for (unsigned column = 0; column < p->n; column++)
            p->d[row][column] = sum_of(p, row, column);
}
