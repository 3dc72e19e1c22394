/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the inputs of all forms. Method: a table of FORMS_THREADS values for each kind and operand
 * position, computed with integers alone, so that they are the same on every machine:
 *   threads 0..4095      every pair of 64 edge values in the first two operands, edge values in the others
 *   threads 4096..5119   edge values by hash
 *   threads 5120..6655   values near each other: floats of neighbouring exponents with short and long
 *                        fractions, integers of random lengths
 *   the others           random bits
 * Limits: no input is uniform over the values of a float; the inputs are chosen to be difficult. */
#include "forms.h"

#include <string.h>

enum { EDGES = 64 };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static const uint64_t integers[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    7,
                                    8,
                                    15,
                                    16,
                                    17,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    65,
                                    0x7f,
                                    0x80,
                                    0x81,
                                    0xff,
                                    0x100,
                                    0x7fff,
                                    0x8000,
                                    0x8001,
                                    0xffff,
                                    0x10000,
                                    0x7fffff,
                                    0x800000,
                                    0xffffff,
                                    0x1000000,
                                    0x7fffffff,
                                    0x80000000,
                                    0x80000001,
                                    0xffffffff,
                                    0x100000000,
                                    0xffffffffffffffff,
                                    0xfffffffffffffffe,
                                    0xffffffffffffff80,
                                    0xffffffffffffff7f,
                                    0xffffffffffff8000,
                                    0xffffffffffff7fff,
                                    0xffffffff80000000,
                                    0xffffffff7fffffff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0x8000000000000001,
                                    0xaaaaaaaaaaaaaaaa,
                                    0x5555555555555555,
                                    0x0f0f0f0ff0f0f0f0,
                                    0x00ff00ff00ff00ff,
                                    0x7fff7fff7fff7fff,
                                    0x8000800080008000,
                                    0x7f7f7f7f7f7f7f7f,
                                    0x8080808080808080,
                                    0x0001ffff0001ffff,
                                    0xfedcba9876543210,
                                    0x123456789abcdef0,
                                    10,
                                    100,
                                    1000,
                                    0xdeadbeefcafebabe,
                                    0x3fffffffffffffff,
                                    0xc000000000000000};

static const uint32_t singles[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0xbf7fffff, 0x40000000, 0xc0000000,
    0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x40600000, 0x3effffff, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff923456, 0x7fffffff,
    0x4b000000, 0x4affffff, 0x4b800001, 0x4f000000, 0xcf000000, 0xcf000001, 0x4effffff, 0x4f800000,
    0x5f000000, 0xdf000000, 0x5f800000, 0x477fe000, 0x477ff000, 0x477fefff, 0x38800000, 0x387fe000,
    0x33800000, 0x33000000, 0x33000001, 0x3f801000, 0x3f803000, 0x3f801001, 0x43e00000, 0x43e80000,
    0x43e80001, 0x40490fdb, 0x42fe0000, 0xc3000000, 0x437f8000, 0x46fffe00, 0x7f7f8000, 0x3f808000};

static const uint64_t doubles[] = {0,
                                   0x8000000000000000,
                                   1,
                                   0x8000000000000001,
                                   0x000fffffffffffff,
                                   0x800fffffffffffff,
                                   0x0010000000000000,
                                   0x8010000000000000,
                                   0x0010000000000001,
                                   0x3ff0000000000000,
                                   0xbff0000000000000,
                                   0x3ff0000000000001,
                                   0x3fefffffffffffff,
                                   0x4000000000000000,
                                   0xc000000000000000,
                                   0x3fe0000000000000,
                                   0xbfe0000000000000,
                                   0x3ff8000000000000,
                                   0x4004000000000000,
                                   0xc004000000000000,
                                   0x3fdfffffffffffff,
                                   0x7fefffffffffffff,
                                   0xffefffffffffffff,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff8000000000000,
                                   0xfff8000000000000,
                                   0x7ff0000000000001,
                                   0xfff123456789abcd,
                                   0x7fffffffffffffff,
                                   0x7ff80000deadbeef,
                                   0x4330000000000000,
                                   0x432fffffffffffff,
                                   0x4340000000000001,
                                   0x41dfffffffc00000,
                                   0x41e0000000000000,
                                   0xc1e0000000000000,
                                   0xc1e0000000100000,
                                   0x41efffffffe00000,
                                   0x41f0000000000000,
                                   0x43e0000000000000,
                                   0xc3e0000000000000,
                                   0x43f0000000000000,
                                   0x43dfffffffffffff,
                                   0x47efffffe0000000,
                                   0x47efffffefffffff,
                                   0x47effffff0000000,
                                   0x3690000000000000,
                                   0x36a0000000000000,
                                   0x380fffffc0000000,
                                   0x3810000000000000,
                                   0x3ff0000010000000,
                                   0x3ff0000030000000,
                                   0x3ff0000010000001,
                                   0x400921fb54442d18,
                                   0x405fc00000000000,
                                   0xc060000000000000,
                                   0x406ff00000000000,
                                   0x40effc0000000000,
                                   0x3e60000000000001,
                                   0x3f10000000000000,
                                   0x3e70000000000000,
                                   0x3ff0040000000000,
                                   0x40dfffe000000000};

static const uint16_t halves[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3c00, 0xbc00, 0x3c01, 0x3bff,
    0xbbff, 0x4000, 0xc000, 0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x4300, 0x37ff, 0x7bff, 0xfbff, 0x7c00,
    0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfd23, 0x7fff, 0x6400, 0x63ff, 0x6801, 0x6c00, 0x7800, 0xf800, 0x77ff,
    0x5bf8, 0x5c00, 0xdc00, 0x57f0, 0xd808, 0x4248, 0x5f00, 0x5f40, 0x5f41, 0x3555, 0xb555, 0x1400, 0x0200,
    0x8200, 0x0100, 0x7a00, 0x3c10, 0x3c30, 0x2e66, 0x4900, 0x5640, 0x70e2, 0xf0e2, 0x7bfe, 0x03fe};

static const uint16_t brains[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
    0xbf7f, 0x4000, 0xc000, 0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020, 0x4060, 0x3eff, 0x7f7f, 0xff7f, 0x7f80,
    0xff80, 0x7fc0, 0xffc0, 0x7f81, 0xff92, 0x7fff, 0x4300, 0x42ff, 0x4381, 0x4f00, 0xcf00, 0x4eff, 0x4f80,
    0x5f00, 0xdf00, 0x5f80, 0x4780, 0x477f, 0x3880, 0x3400, 0x3380, 0x43e0, 0x43e8, 0x4049, 0x42fe, 0xc300,
    0x4380, 0x4700, 0x0040, 0x8040, 0x1000, 0x7000, 0xf000, 0x3eab, 0xbeab, 0x4120, 0x42c8, 0x7f00};

static const uint8_t bytes8[] = {0x00, 0x80, 0x01, 0x81, 0x07, 0x87, 0x08, 0x88, 0x03, 0x83, 0x04,
                                 0x84, 0x38, 0xb8, 0x3c, 0xbc, 0x7e, 0xfe, 0x7f, 0xff, 0x7b, 0xfb,
                                 0x7c, 0xfc, 0x7d, 0xfd, 0x40, 0xc0, 0x55, 0xaa, 0x10, 0x20};

static const uint32_t counts[] = {
    0,     1,      2,       3,          4,          5,          6,          7,          8,         9,   10,
    11,    12,     13,      14,         15,         16,         17,         18,         19,        20,  21,
    22,    23,     24,      25,         26,         27,         28,         29,         30,        31,  32,
    33,    34,     47,      48,         62,         63,         64,         65,         66,        95,  96,
    127,   128,    129,     254,        255,        256,        257,        258,        287,       288, 511,
    0x1ff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffe0, 0xfffffffe, 0xffffffff};

_Static_assert(sizeof integers / sizeof *integers == EDGES && sizeof singles / sizeof *singles == EDGES &&
                   sizeof doubles / sizeof *doubles == EDGES && sizeof halves / sizeof *halves == EDGES &&
                   sizeof brains / sizeof *brains == EDGES && sizeof counts / sizeof *counts == EDGES,
               "all pairs of edges in the first 4096 threads");

/* ---- one value ---- */

static uint64_t edge(enum forms_kind kind, unsigned n, uint64_t random)
{
    switch ((unsigned)kind) {
    case FORMS_F16: return halves[n];
    case FORMS_BF16: return brains[n];
    case FORMS_F16X2: return halves[n] | (uint64_t)halves[random & 63] << 16;
    case FORMS_BF16X2: return brains[n] | (uint64_t)brains[random & 63] << 16;
    case FORMS_F32: return singles[n];
    case FORMS_F64: return doubles[n];
    case FORMS_FP8X2: return bytes8[n & 31] | (uint64_t)bytes8[random & 31] << 8;
    case FORMS_COUNT_32: return counts[n];
    default: return integers[n];
    }
}

/* A float whose exponent is near `centre`, its fraction full, short, or one bit from a short one. */
static uint64_t near_float(uint64_t random, uint64_t centre, unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t most = (UINT64_C(1) << exponent_bits) - 1, fraction_mask = (UINT64_C(1) << fraction_bits) - 1;
    uint64_t exponent = (centre + random % 7 - 3) & most, fraction = random >> 8 & fraction_mask;
    unsigned drop = (unsigned)(random >> 3) % (fraction_bits + 1);
    if (random & UINT64_C(1) << 60) fraction = fraction >> drop << drop;
    if ((random >> 61 & 3) == 3) fraction ^= 1;
    return (random >> 63) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

static uint64_t near_value(enum forms_kind kind, uint64_t random, uint64_t centre)
{
    uint64_t low, length = random & 63;
    switch ((unsigned)kind) {
    case FORMS_F16: return near_float(random, centre, 5, 10);
    case FORMS_BF16: return near_float(random, centre, 8, 7);
    case FORMS_F32: return near_float(random, centre, 8, 23);
    case FORMS_F64: return near_float(random, centre, 11, 52);
    case FORMS_F16X2:
        low = near_float(random, centre, 5, 10);
        return low | near_float(mix(random), centre >> 5, 5, 10) << 16;
    case FORMS_BF16X2:
        low = near_float(random, centre, 8, 7);
        return low | near_float(mix(random), centre >> 5, 8, 7) << 16;
    case FORMS_COUNT_32: return random >> 32 & 63;
    default: low = mix(random) >> length; return random & 64 ? ~low : low;
    }
}

/* Floats of matrices: exponents within a few of 1, so that sums neither overflow nor vanish. */
static uint64_t moderate(enum forms_kind kind, uint64_t random)
{
    uint64_t sign = random >> 63, exponent = random >> 8 & 7;
    switch ((unsigned)kind) {
    case FORMS_HALVES: return (random & 0x83ff83ff) | (12 + exponent) << 10 | (12 + (random >> 11 & 7)) << 26;
    case FORMS_BHALVES:
        return (random & 0x807f807f) | (124 + exponent) << 7 | (124 + (random >> 11 & 7)) << 23;
    case FORMS_SINGLES: return sign << 31 | (124 + exponent) << 23 | (random >> 16 & 0x7fffff);
    default: return sign << 63 | (1020 + exponent) << 52 | (random >> 11 & 0xfffffffffffff);
    }
}

static uint64_t trim(enum forms_kind kind, uint64_t value)
{
    switch ((unsigned)kind) {
    case FORMS_B16:
    case FORMS_F16:
    case FORMS_BF16:
    case FORMS_FP8X2: return value & 0xffff;
    case FORMS_B64:
    case FORMS_F64:
    case FORMS_DOUBLES: return value;
    default: return value & 0xffffffff;
    }
}

uint64_t forms_input(enum forms_kind kind, unsigned slot, uint32_t thread)
{
    uint64_t random = mix((uint64_t)thread * FORMS_SLOTS + slot), centre = mix(thread ^ 0x51ed27u);
    uint64_t value = random;
    if (kind >= FORMS_HALVES)
        value = moderate(kind, random);
    else if (thread < 4096)
        value = edge(kind,
                     (slot == 0   ? thread
                      : slot == 1 ? thread >> 6
                                  : (unsigned)(random >> 40)) &
                         63,
                     random >> 9);
    else if (thread < 5120)
        value = edge(kind, random >> 40 & 63, random >> 9);
    else if (thread < 6656)
        value = near_value(kind, random, centre);
    else if (kind == FORMS_COUNT_32 && thread & 1)
        value = random & 31;
    return trim(kind, value);
}

size_t forms_input_bytes(void)
{
    return (size_t)FORMS_KINDS * FORMS_SLOTS * FORMS_THREADS * 8;
}

void forms_input_fill(uint64_t *out)
{
    for (unsigned kind = 0; kind < FORMS_KINDS; kind++)
        for (unsigned slot = 0; slot < FORMS_SLOTS; slot++)
            for (uint32_t thread = 0; thread < FORMS_THREADS; thread++)
                *out++ = forms_input((enum forms_kind)kind, slot, thread);
}

void forms_blob_fill(uint8_t out[FORMS_BLOB_BYTES])
{
    for (unsigned i = 0; i < FORMS_BLOB_BYTES / 8; i++) {
        uint64_t value = mix(i + 1000);
        memcpy(out + i * 8, &value, 8);
    }
}
