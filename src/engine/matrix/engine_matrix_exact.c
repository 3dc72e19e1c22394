/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: sums of floats as engine_matrix.c describes, for any operands; and f16.
 * Method: one sum at a time in double, which holds any product of two factors of 24 bits and its power of two
 * exactly. NaN and infinity as IEEE 754; a NaN is positive with all bits set. Limits: slow. */
#include "engine_matrix_priv.h"

#include <math.h>
#include <string.h>

/* ---- f16 */

float matrix_from_half(uint16_t half)
{
    uint32_t magnitude = (half & 0x7fffu) << 13, sign = (half & 0x8000u) << 16, bits;
    float value;
    memcpy(&value, &magnitude, 4);
    value *= 0x1p112f;
    memcpy(&bits, &value, 4);
    if ((half & 0x7c00) == 0x7c00) bits |= 0x7f800000;
    bits |= sign;
    memcpy(&value, &bits, 4);
    return value;
}

/* To nearest even, or cut: then nothing finite becomes infinite. */
uint16_t matrix_to_half(float value, bool toward_zero)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;
    if (magnitude == 0x7f800000) return (uint16_t)(sign | 0x7c00);
    int exponent = (int)(magnitude >> 23) - 127;
    if (exponent < -25) return (uint16_t)sign;
    uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000,
             shift = exponent < -14 ? (uint32_t)(-1 - exponent) : 13;
    uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
    if (!toward_zero && (rest > middle || (rest == middle && kept & 1))) kept++;
    uint32_t code = exponent < -14 ? kept : kept + (uint32_t)((exponent + 14) << 10);
    if (code >= 0x7c00) code = toward_zero ? 0x7bff : 0x7c00;
    return (uint16_t)(sign | code);
}

/* ---- sums */

struct term {
    double value;
    int exponent;
};

static double special_sum(const struct term *terms, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (!isfinite(terms[i].value)) sum += terms[i].value;
    return sum;
}

/* The sum of the terms cut to `fraction` bits below the largest exponent: exact, 0 for none. */
static double cut_sum(const struct term *terms, unsigned count, unsigned fraction)
{
    int largest = 2 * MATRIX_ZERO;
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!isfinite(terms[i].value)) return special_sum(terms, count);
        if (terms[i].value != 0 && terms[i].exponent > largest) largest = terms[i].exponent;
    }
    if (largest == 2 * MATRIX_ZERO) return 0;
    for (unsigned i = 0; i < count; i++)
        if (terms[i].value != 0) sum += trunc(ldexp(terms[i].value, (int)fraction - largest));
    return sum == 0 ? 0 : ldexp(sum, largest - (int)fraction);
}

/* Cut to f32; odd: with the lowest bit set when something was lost. */
static float to_single(double exact, bool odd)
{
    if (exact == 0 || !isfinite(exact)) return (float)exact;
    int lowest = ilogb(exact) - 23;
    if (lowest < -149) lowest = -149;
    double scaled = ldexp(exact, -lowest), cut = trunc(scaled);
    if (odd && cut != scaled && fmod(cut, 2) == 0) cut += exact < 0 ? -1 : 1;
    return (float)ldexp(cut, lowest);
}

static int exponent_of(float value, int least)
{
    int exponent = value == 0 || !isfinite(value) ? least : ilogbf(value);
    return exponent < least ? least : exponent;
}

static void sum_one(struct matrix_floats *s, unsigned first, unsigned x, unsigned y)
{
    struct term terms[MATRIX_FLOAT_K + 1];
    unsigned count = 0;
    for (unsigned k = first; k < first + s->step; k++) {
        if (s->sparse && !(s->present[x] >> k & 1)) continue;
        terms[count++] =
            (struct term){(double)s->x[k][x] * (double)s->y[y][k], s->x_exponent[k][x] + s->y_exponent[y][k]};
    }
    terms[count++] = (struct term){(double)s->d[y][x], exponent_of(s->d[y][x], s->least_c)};
    float sum = to_single(cut_sum(terms, count, s->fraction), s->half);
    if (s->half) sum = matrix_from_half(matrix_to_half(sum, false));
    s->d[y][x] = sum + 0.0f; /* what vanishes is a positive zero */
}

void matrix_sum_exactly(struct matrix_floats *sums, unsigned from)
{
    for (unsigned first = from; first < sums->k; first += sums->step)
        for (unsigned y = 0; y < sums->ys; y++)
            for (unsigned x = 0; x < sums->xs; x++)
                sum_one(sums, first, x, y);
}
