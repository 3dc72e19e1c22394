/* SPDX-License-Identifier: Apache-2.0 */
/* Division, bit counts, fields, permutations, 24-bit and dot products against C. */
#include "op_harness.h"

#define U16(i) ((uint16_t)in[i])
#define S16(i) ((int16_t)in[i])
#define U32(i) ((uint32_t)in[i])
#define S32(i) ((int32_t)in[i])
#define S64(i) ((int64_t)in[i])

/* ---- division; by zero: all ones */

static int64_t divide(int64_t a, int64_t b, bool rem)
{
    if (b == 0) return -1;
    if (b == -1) return rem ? 0 : (int64_t)-(uint64_t)a;
    return rem ? a % b : a / b;
}

static uint64_t udivide(uint64_t a, uint64_t b, bool rem)
{
    return b == 0 ? UINT64_MAX : rem ? a % b : a / b;
}

OP_REF(div_u16, out[0] = (uint16_t)udivide(U16(0), U16(1), false))
OP_REF(div_s16, out[0] = (uint16_t)divide(S16(0), S16(1), false))
OP_REF(div_u32, out[0] = (uint32_t)udivide(U32(0), U32(1), false))
OP_REF(div_s32, out[0] = (uint32_t)divide(S32(0), S32(1), false))
OP_REF(div_u64, out[0] = udivide(in[0], in[1], false))
OP_REF(div_s64, out[0] = (uint64_t)divide(S64(0), S64(1), false))
OP_REF(rem_u32, out[0] = (uint32_t)udivide(U32(0), U32(1), true))
OP_REF(rem_s32, out[0] = (uint32_t)divide(S32(0), S32(1), true))
OP_REF(rem_u64, out[0] = udivide(in[0], in[1], true))
OP_REF(rem_s64, out[0] = (uint64_t)divide(S64(0), S64(1), true))
OP_REF(div_u32_7, out[0] = U32(0) / 7)
OP_REF(rem_s32_10, out[0] = (uint32_t)(S32(0) % 10))
OP_REF(div_s32_m1, out[0] = (uint32_t)-U32(0))
OP_REF(div_s64_1000, out[0] = (uint64_t)(S64(0) / 1000))
OP_REF(div_u32_0, out[0] = UINT32_MAX)

static const struct op_case divisions[] = {
    {"div.u16 d, a, b", div_u16, NULL},     {"div.s16 d, a, b", div_s16, NULL},
    {"div.u32 d, a, b", div_u32, NULL},     {"div.s32 d, a, b", div_s32, NULL},
    {"div.u64 d, a, b", div_u64, NULL},     {"div.s64 d, a, b", div_s64, NULL},
    {"rem.u32 d, a, b", rem_u32, NULL},     {"rem.s32 d, a, b", rem_s32, NULL},
    {"rem.u64 d, a, b", rem_u64, NULL},     {"rem.s64 d, a, b", rem_s64, NULL},
    {"div.u32 d, a, 7", div_u32_7, NULL},   {"rem.s32 d, a, 10", rem_s32_10, NULL},
    {"div.s32 d, a, -1", div_s32_m1, NULL}, {"div.s64 d, a, 1000", div_s64_1000, NULL},
    {"div.u32 d, a, 0", div_u32_0, NULL},
};

/* ---- bits, one at a time, as the PTX ISA's own loops have it */

static uint64_t bit(uint64_t a, unsigned i)
{
    return i < 64 ? a >> i & 1 : 0;
}

static uint64_t find(uint64_t a, unsigned bits, bool is_signed, bool shift)
{
    if (is_signed && bit(a, bits - 1)) a = ~a;
    for (int i = (int)bits - 1; i >= 0; i--)
        if (bit(a, (unsigned)i)) return shift ? bits - 1 - (unsigned)i : (unsigned)i;
    return UINT32_MAX;
}

static uint64_t reverse(uint64_t a, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= bit(a, i) << (bits - 1 - i);
    return r;
}

static uint64_t nth(uint32_t mask, uint32_t base, int32_t offset)
{
    if (offset == INT32_MIN) return 0;
    if (offset == 0) return base < 32 && bit(mask, base) ? base : UINT32_MAX;
    int64_t count = offset > 0 ? offset : -(int64_t)offset;
    for (int64_t at = base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
        if (bit(mask, (unsigned)at) && --count == 0) return (uint64_t)at;
    return UINT32_MAX;
}

static uint64_t extract(uint64_t a, uint64_t at, uint64_t length, unsigned bits, bool is_signed)
{
    if (bits == 32) at &= 0xff, length &= 0xff; /* hardware does not cut those of 64 bits */
    uint64_t last = at + length - 1 < bits - 1 ? at + length - 1 : bits - 1, r = 0;
    uint64_t fill = is_signed && length ? bit(a, (unsigned)last) : 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (i < length && at + i < bits ? bit(a, (unsigned)at + i) : fill) << i;
    return r;
}

static uint64_t insert(uint64_t a, uint64_t b, uint64_t at, uint64_t length, unsigned bits)
{
    if (bits == 32) at &= 0xff, length &= 0xff;
    for (unsigned i = 0; i < length && at + i < bits; i++)
        b = (b & ~(UINT64_C(1) << (at + i))) | bit(a, i) << (at + i);
    return b;
}

static uint32_t mask(uint32_t a, uint32_t b, bool clamp)
{
    uint32_t a1 = a & 31, b1 = b & 31, mask0 = UINT32_MAX << a1, sum = a1 + b1;
    uint32_t mask1 = sum >= 32 ? 0 : UINT32_MAX << sum;
    if (clamp && a >= 32) mask0 = mask1 = 0;
    if (clamp && b >= 32)
        mask1 = 0;
    else if (sum < 32 && !(clamp && a >= 32) && b1 == 0)
        mask1 = UINT32_MAX;
    return mask0 & ~mask1;
}

static uint32_t extend(uint32_t a, uint32_t b, bool clamp, bool is_signed)
{
    uint32_t b1 = b & 31;
    bool large = b >= 32 && clamp;
    uint32_t high = large ? 0 : UINT32_MAX << b1;
    bool sign = b1 && !large && is_signed && bit(a, b1 - 1);
    return (a & ~high) | (sign ? high : 0);
}

static uint32_t permute(uint64_t a, uint64_t b, const unsigned pick[4])
{
    uint64_t pair = b << 32 | (uint32_t)a;
    uint32_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t byte = pair >> 8 * (pick[i] & 7) & 0xff;
        if (pick[i] & 8) byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

static uint32_t lookup(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (uint32_t)(table >> (bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i)) & 1) << i;
    return r;
}

OP_REF(popc32, out[0] = (uint64_t)__builtin_popcount(U32(0)))
OP_REF(popc64, out[0] = (uint64_t)__builtin_popcountll(in[0]))
OP_REF(clz32, out[0] = U32(0) ? (uint64_t)__builtin_clz(U32(0)) : 32)
OP_REF(clz64, out[0] = in[0] ? (uint64_t)__builtin_clzll(in[0]) : 64)
OP_REF(brev32, out[0] = reverse(U32(0), 32))
OP_REF(brev64, out[0] = reverse(in[0], 64))
OP_REF(bfind_u32, out[0] = find(U32(0), 32, false, false))
OP_REF(bfind_s32, out[0] = find(U32(0), 32, true, false))
OP_REF(bfind_u64, out[0] = find(in[0], 64, false, false))
OP_REF(bfind_s64_shift, out[0] = find(in[0], 64, true, true))
OP_REF(fns, out[0] = nth(U32(0), U32(1), S32(2)))
OP_REF(bfe_u32, out[0] = extract(U32(0), U32(1), U32(2), 32, false))
OP_REF(bfe_s32, out[0] = extract(U32(0), U32(1), U32(2), 32, true))
OP_REF(bfe_u64, out[0] = extract(in[0], U32(1), U32(2), 64, false))
OP_REF(bfe_s64, out[0] = extract(in[0], U32(1), U32(2), 64, true))
OP_REF(bfi32, out[0] = insert(U32(0), U32(1), U32(2), U32(3), 32))
OP_REF(bfi64, out[0] = insert(in[0], in[1], U32(2), U32(3), 64))
OP_REF(bmsk_clamp, out[0] = mask(U32(0), U32(1), true))
OP_REF(bmsk_wrap, out[0] = mask(U32(0), U32(1), false))
OP_REF(szext_clamp_s, out[0] = extend(U32(0), U32(1), true, true))
OP_REF(szext_wrap_s, out[0] = extend(U32(0), U32(1), false, true))
OP_REF(szext_wrap_u, out[0] = extend(U32(0), U32(1), false, false))
OP_REF(prmt,
       out[0] = permute(in[0], in[1],
                        (unsigned[]){U32(2) & 15, U32(2) >> 4 & 15, U32(2) >> 8 & 15, U32(2) >> 12 & 15}))
OP_REF(prmt_f4e, unsigned c = U32(2) & 3;
       out[0] = permute(in[0], in[1], (unsigned[]){c, c + 1, c + 2, c + 3}))
OP_REF(prmt_b4e, unsigned c = U32(2) & 3;
       out[0] = permute(in[0], in[1], (unsigned[]){c, (c + 7) & 7, (c + 6) & 7, (c + 5) & 7}))
OP_REF(prmt_rc8, unsigned c = U32(2) & 3; out[0] = permute(in[0], in[1], (unsigned[]){c, c, c, c}))
OP_REF(prmt_ecl, unsigned c = U32(2) & 3;
       out[0] = permute(in[0], in[1], (unsigned[]){c, c > 1 ? c : 1, c > 2 ? c : 2, 3}))
OP_REF(prmt_ecr, unsigned c = U32(2) & 3;
       out[0] = permute(in[0], in[1], (unsigned[]){0, c < 1 ? c : 1, c < 2 ? c : 2, c}))
OP_REF(prmt_rc16, unsigned c = U32(2) & 1 ? 2 : 0;
       out[0] = permute(in[0], in[1], (unsigned[]){c, c + 1, c, c + 1}))
OP_REF(lop3_40, out[0] = lookup(U32(0), U32(1), U32(2), 0x40))
OP_REF(lop3_96, out[0] = lookup(U32(0), U32(1), U32(2), 0x96))
OP_REF(lop3_e8, out[0] = lookup(U32(0), U32(1), U32(2), 0xe8))
OP_REF(lop3_1b, out[0] = lookup(U32(0), U32(1), U32(2), 0x1b))
OP_REF(lop3_c0, out[0] = lookup(U32(0), U32(1), U32(2), 0xc0))
OP_REF(lop3_or, out[0] = lookup(U32(0), U32(1), U32(2), 0x80); out[1] = out[0] != 0 || in[4])

static uint64_t funnel(uint64_t a, uint64_t b, unsigned n, bool left)
{
    uint64_t pair = b << 32 | (uint32_t)a;
    return n == 32 ? (left ? (uint32_t)a : (uint32_t)b) : left ? (pair << n) >> 32 : (uint32_t)(pair >> n);
}

#define CLAMPED (U32(2) > 32 ? 32 : U32(2))
OP_REF(shf_l_wrap, out[0] = (uint32_t)funnel(in[0], in[1], U32(2) & 31, true))
OP_REF(shf_r_wrap, out[0] = (uint32_t)funnel(in[0], in[1], U32(2) & 31, false))
OP_REF(shf_l_clamp, out[0] = (uint32_t)funnel(in[0], in[1], CLAMPED, true))
OP_REF(shf_r_clamp, out[0] = (uint32_t)funnel(in[0], in[1], CLAMPED, false))

static const struct op_case bits[] = {
    {"popc.b32 d, a", popc32, NULL},
    {"popc.b64 d, a", popc64, NULL},
    {"clz.b32 d, a", clz32, NULL},
    {"clz.b64 d, a", clz64, NULL},
    {"brev.b32 d, a", brev32, NULL},
    {"brev.b64 d, a", brev64, NULL},
    {"bfind.u32 d, a", bfind_u32, NULL},
    {"bfind.s32 d, a", bfind_s32, NULL},
    {"bfind.u64 d, a", bfind_u64, NULL},
    {"bfind.shiftamt.s64 d, a", bfind_s64_shift, NULL},
    {"fns.b32 d, a, b, c", fns, NULL},
    {"bfe.u32 d, a, b, c", bfe_u32, NULL},
    {"bfe.s32 d, a, b, c", bfe_s32, NULL},
    {"bfe.u64 d, a, b, c", bfe_u64, NULL},
    {"bfe.s64 d, a, b, c", bfe_s64, NULL},
    {"bfi.b32 d, a, b, c, x", bfi32, NULL},
    {"bfi.b64 d, a, b, c, x", bfi64, NULL},
    {"bmsk.clamp.b32 d, a, b", bmsk_clamp, NULL},
    {"bmsk.wrap.b32 d, a, b", bmsk_wrap, NULL},
    {"szext.clamp.s32 d, a, b", szext_clamp_s, NULL},
    {"szext.wrap.s32 d, a, b", szext_wrap_s, NULL},
    {"szext.wrap.u32 d, a, b", szext_wrap_u, NULL},
    {"prmt.b32 d, a, b, c", prmt, NULL},
    {"prmt.b32.f4e d, a, b, c", prmt_f4e, NULL},
    {"prmt.b32.b4e d, a, b, c", prmt_b4e, NULL},
    {"prmt.b32.rc8 d, a, b, c", prmt_rc8, NULL},
    {"prmt.b32.ecl d, a, b, c", prmt_ecl, NULL},
    {"prmt.b32.ecr d, a, b, c", prmt_ecr, NULL},
    {"prmt.b32.rc16 d, a, b, c", prmt_rc16, NULL},
    {"lop3.b32 d, a, b, c, 0x40", lop3_40, NULL},
    {"lop3.b32 d, a, b, c, 0x96", lop3_96, NULL},
    {"lop3.b32 d, a, b, c, 0xe8", lop3_e8, NULL},
    {"lop3.b32 d, a, b, c, 0x1b", lop3_1b, NULL},
    {"lop3.b32 d, a, b, c, 0xc0", lop3_c0, NULL},
    {"lop3.or.b32 d|p, a, b, c, 0x80, m", lop3_or, NULL},
    {"shf.l.wrap.b32 d, a, b, c", shf_l_wrap, NULL},
    {"shf.r.wrap.b32 d, a, b, c", shf_r_wrap, NULL},
    {"shf.l.clamp.b32 d, a, b, c", shf_l_clamp, NULL},
    {"shf.r.clamp.b32 d, a, b, c", shf_r_clamp, NULL},
};

/* ---- products */

static int64_t s24(uint64_t a)
{
    return (int32_t)((uint32_t)a << 8) >> 8;
}

static int64_t clamp32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

OP_REF(mul24_lo_u, out[0] = (uint32_t)((in[0] & 0xffffff) * (in[1] & 0xffffff)))
OP_REF(mul24_hi_s, out[0] = (uint32_t)(s24(in[0]) * s24(in[1]) >> 16))
OP_REF(mad24_lo_s, out[0] = (uint32_t)(s24(in[0]) * s24(in[1]) + S32(2)))
OP_REF(mad24_hi_sat, out[0] = (uint32_t)clamp32((int32_t)(s24(in[0]) * s24(in[1]) >> 16) + (int64_t)S32(2)))

static uint32_t dot(const uint64_t *in, bool a_signed, bool b_signed, unsigned width, unsigned first)
{
    uint32_t sum = U32(2);
    for (unsigned i = 0; i < 32 / width; i++) {
        uint32_t a = U32(0) >> width * i, b = U32(1) >> 8 * (first + i);
        int32_t x = width == 8 ? (a_signed ? (int8_t)a : (uint8_t)a) : a_signed ? (int16_t)a : (uint16_t)a;
        sum += (uint32_t)(x * (b_signed ? (int8_t)b : (uint8_t)b));
    }
    return sum;
}
OP_REF(dp4a_ss, out[0] = dot(in, true, true, 8, 0))
OP_REF(dp4a_uu, out[0] = dot(in, false, false, 8, 0))
OP_REF(dp4a_us, out[0] = dot(in, false, true, 8, 0))
OP_REF(dp2a_lo_su, out[0] = dot(in, true, false, 16, 0))
OP_REF(dp2a_hi_uu, out[0] = dot(in, false, false, 16, 2))

static const struct op_case products[] = {
    {"mul24.lo.u32 d, a, b", mul24_lo_u, NULL},       {"mul24.hi.s32 d, a, b", mul24_hi_s, NULL},
    {"mad24.lo.s32 d, a, b, c", mad24_lo_s, NULL},    {"mad24.hi.sat.s32 d, a, b, c", mad24_hi_sat, NULL},
    {"dp4a.s32.s32 d, a, b, c", dp4a_ss, NULL},       {"dp4a.u32.u32 d, a, b, c", dp4a_uu, NULL},
    {"dp4a.u32.s32 d, a, b, c", dp4a_us, NULL},       {"dp2a.lo.s32.u32 d, a, b, c", dp2a_lo_su, NULL},
    {"dp2a.hi.u32.u32 d, a, b, c", dp2a_hi_uu, NULL},
};

#define TABLE(name)                                                                                          \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        op_run_cases(name, SW_COUNT_OF(name));                                                               \
    }
TABLE(divisions)
TABLE(bits)
TABLE(products)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_divisions), cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
