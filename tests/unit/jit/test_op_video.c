/* SPDX-License-Identifier: Apache-2.0 */
/* Video instructions against a reference written from the PTX ISA's pseudocode. */
#include "op_harness.h"

static int64_t pick(uint64_t word, unsigned at, unsigned bits, bool is_signed)
{
    uint64_t field = (uint32_t)word >> at;
    if (bits == 32) return is_signed ? (int32_t)field : (int64_t)(uint32_t)field;
    field &= (1u << bits) - 1;
    return is_signed && field >> (bits - 1) ? (int64_t)field - (INT64_C(1) << bits) : (int64_t)field;
}

static int64_t clamp(int64_t x, unsigned bits, bool is_signed)
{
    int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}

static int64_t operate(char what, int64_t a, int64_t b)
{
    switch (what) {
    case '+': return a + b;
    case '-': return a - b;
    case 'd': return a > b ? a - b : b - a;
    case 'm': return a < b ? a : b;
    case 'M': return a > b ? a : b;
    case 'v': return (a + b >= 0 ? a + b + 1 : a + b) >> 1;
    case '<': return a < b;
    default: return a == b;
    }
}

#define A(at, bits, s) pick(in[0], at, bits, s)
#define B(at, bits, s) pick(in[1], at, bits, s)
OP_REF(vadd_u, out[0] = (uint32_t)(A(0, 32, 0) + B(0, 32, 0)))
OP_REF(vadd_sat, out[0] = (uint32_t)clamp(A(0, 32, 1) + B(0, 32, 1), 32, true))
OP_REF(vsub_b1_h0, out[0] = (uint32_t)(A(8, 8, 1) - B(0, 16, 0)))
OP_REF(vabsdiff_add, out[0] = (uint32_t)(operate('d', A(0, 32, 0), B(0, 32, 0)) + (int64_t)in[2]))
OP_REF(vmin_max, int32_t t = (int32_t)operate('m', A(0, 32, 1), B(0, 32, 1)), c = (int32_t)in[2];
       out[0] = (uint32_t)(t > c ? t : c))
OP_REF(vadd_b2, out[0] = (in[2] & 0xff00ffff) | ((uint64_t)clamp(A(0, 32, 0) + B(0, 32, 0), 8, false) << 16))
OP_REF(vshl_clamp, uint64_t n = (uint32_t)in[1] > 32 ? 32 : (uint32_t)in[1];
       out[0] = (uint32_t)((uint64_t)A(0, 32, 0) << n))
OP_REF(vshl_sat, int64_t v = (int64_t)((uint64_t)A(0, 32, 1) << (in[1] & 31) << 30) >> 30; /* 34 bits */
       out[0] = (uint32_t)clamp(v, 32, false))
OP_REF(vshr_wrap, out[0] = (uint32_t)(A(0, 32, 1) >> (in[1] & 31)))
OP_REF(vset_lt, out[0] = A(0, 32, 1) < B(0, 32, 0))
OP_REF(vmad_uuu, out[0] = (uint32_t)(A(0, 8, 0) * B(16, 16, 0) + (int64_t)in[2]))
OP_REF(vmad_sat, __extension__ __int128 v = (__int128)A(0, 32, 1) * B(0, 32, 1) + (int32_t)in[2];
       out[0] = (uint32_t)(v > INT32_MAX   ? INT32_MAX
                           : v < INT32_MIN ? INT32_MIN
                                           : (int64_t)v))

static uint32_t simd(const uint64_t *in, unsigned parts, char what, bool is_signed, bool sat, bool sums)
{
    unsigned bits = 32 / parts;
    uint32_t result = sums ? (uint32_t)in[2] : 0, mask = bits == 8 ? 0xff : 0xffff;
    for (unsigned i = 0; i < parts; i++) {
        int64_t t =
            operate(what, pick(in[0], i * bits, bits, is_signed), pick(in[1], i * bits, bits, is_signed));
        if (sat) t = clamp(t, bits, is_signed);
        result = sums ? result + (uint32_t)t : result | ((uint32_t)t & mask) << i * bits;
    }
    return result;
}
OP_REF(vabsdiff4, out[0] = simd(in, 4, 'd', false, false, false))
OP_REF(vabsdiff4_add, out[0] = simd(in, 4, 'd', false, false, true))
OP_REF(vabsdiff2_add, out[0] = simd(in, 2, 'd', false, false, true))
OP_REF(vadd4_sat, out[0] = simd(in, 4, '+', false, true, false))
OP_REF(vsub2_sat, out[0] = simd(in, 2, '-', true, true, false))
OP_REF(vavrg4, out[0] = simd(in, 4, 'v', false, false, false))
OP_REF(vavrg2_s, out[0] = simd(in, 2, 'v', true, false, false))
OP_REF(vmax4_s, out[0] = simd(in, 4, 'M', true, false, false))
OP_REF(vmin2, out[0] = simd(in, 2, 'm', false, false, false))
OP_REF(vset4_lt, out[0] = simd(in, 4, '<', true, false, false))
OP_REF(vset2_eq_add, out[0] = simd(in, 2, '=', false, false, true))
OP_REF(vadd2_h0, out[0] = (in[2] & 0xffff0000) | (uint16_t)(in[0] + in[1]))
OP_REF(vsub2_swap, out[0] = (uint16_t)((in[0] >> 16) - in[1]) | (uint64_t)(uint16_t)(in[0] - (in[1] >> 16))
                                                                    << 16)

static const struct op_case video[] = {
    {"vadd.u32.u32.u32 d, a, b", vadd_u, NULL},
    {"vadd.s32.s32.s32.sat d, a, b", vadd_sat, NULL},
    {"vsub.s32.s32.u32 d, a.b1, b.h0", vsub_b1_h0, NULL},
    {"vabsdiff.u32.u32.u32.add d, a, b, c", vabsdiff_add, NULL},
    {"vmin.s32.s32.s32.max d, a, b, c", vmin_max, NULL},
    {"vadd.u32.u32.u32.sat d.b2, a, b, c", vadd_b2, NULL},
    {"vshl.u32.u32.u32.clamp d, a, b", vshl_clamp, NULL},
    {"vshl.u32.s32.u32.sat.wrap d, a, b", vshl_sat, NULL},
    {"vshr.s32.s32.u32.wrap d, a, b", vshr_wrap, NULL},
    {"vset.s32.u32.lt d, a, b", vset_lt, NULL},
    {"vmad.u32.u32.u32 d, a.b0, b.h1, c", vmad_uuu, NULL},
    {"vmad.s32.s32.u32.sat d, a, b, c", vmad_sat, NULL},
    {"vabsdiff4.u32.u32.u32 d, a, b, c", vabsdiff4, NULL},
    {"vabsdiff4.u32.u32.u32.add d, a, b, c", vabsdiff4_add, NULL},
    {"vabsdiff2.u32.u32.u32.add d, a, b, c", vabsdiff2_add, NULL},
    {"vadd4.u32.u32.u32.sat d, a, b, c", vadd4_sat, NULL},
    {"vsub2.s32.s32.s32.sat d, a, b, c", vsub2_sat, NULL},
    {"vavrg4.u32.u32.u32 d, a, b, c", vavrg4, NULL},
    {"vavrg2.s32.s32.s32 d, a, b, c", vavrg2_s, NULL},
    {"vmax4.s32.s32.s32 d, a, b, c", vmax4_s, NULL},
    {"vmin2.u32.u32.u32 d, a, b, c", vmin2, NULL},
    {"vset4.s32.s32.lt d, a, b, c", vset4_lt, NULL},
    {"vset2.u32.u32.eq.add d, a, b, c", vset2_eq_add, NULL},
    {"vadd2.u32.u32.u32 d.h0, a, b, c", vadd2_h0, NULL},
    {"vsub2.u32.u32.u32 d, a.h01, b.h32, c", vsub2_swap, NULL},
};

static void test_video(void **state)
{
    (void)state;
    op_run_cases(video, SW_COUNT_OF(video));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_video)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
