/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic, logic, shifts, comparisons and selections against C. */
#include "op_harness.h"

__extension__ typedef __int128 deep;
__extension__ typedef unsigned __int128 wide;

#define U16(i)  ((uint16_t)in[i])
#define S16(i)  ((int16_t)in[i])
#define U32(i)  ((uint32_t)in[i])
#define S32(i)  ((int32_t)in[i])
#define U64(i)  (in[i])
#define S64(i)  ((int64_t)in[i])
#define WIDE(x) ((wide)(x))
#define DEEP(x) ((deep)(x))

static int64_t clamp32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

OP_REF(add16, out[0] = (uint16_t)(U16(0) + U16(1)); out[1] = out[0] < U16(0))
OP_REF(add32, out[0] = U32(0) + U32(1); out[0] = (uint32_t)out[0]; out[1] = out[0] < U32(0))
OP_REF(add64, out[0] = in[0] + in[1]; out[1] = out[0] < in[0])
OP_REF(addc32, uint64_t s = (uint64_t)U32(0) + U32(1) + in[2]; out[0] = (uint32_t)s; out[1] = s >> 32)
OP_REF(addc64, wide s = WIDE(in[0]) + in[1] + in[2]; out[0] = (uint64_t)s; out[1] = (uint64_t)(s >> 64))
OP_REF(add_sat, out[0] = (uint32_t)clamp32((int64_t)S32(0) + S32(1)))
OP_REF(sub32, out[0] = (uint32_t)(U32(0) - U32(1)); out[1] = U32(0) < U32(1))
OP_REF(sub64, out[0] = in[0] - in[1]; out[1] = in[0] < in[1])
OP_REF(sub_sat, out[0] = (uint32_t)clamp32((int64_t)S32(0) - S32(1)))
OP_REF(subc32, uint64_t s = (uint64_t)U32(0) - U32(1) - in[2]; out[0] = (uint32_t)s; out[1] = s >> 63)
OP_REF(mul_lo16, out[0] = (uint16_t)((uint32_t)U16(0) * U16(1)))
OP_REF(mul_lo32, out[0] = (uint32_t)(U32(0) * U32(1)))
OP_REF(mul_lo64, out[0] = in[0] * in[1])
OP_REF(mul_hi_u16, out[0] = (uint32_t)U16(0) * U16(1) >> 16)
OP_REF(mul_hi_s16, out[0] = (uint16_t)(S16(0) * S16(1) >> 16))
OP_REF(mul_hi_u32, out[0] = (uint64_t)U32(0) * U32(1) >> 32)
OP_REF(mul_hi_s32, out[0] = (uint32_t)((int64_t)S32(0) * S32(1) >> 32))
OP_REF(mul_hi_u64, out[0] = (uint64_t)(WIDE(in[0]) * in[1] >> 64))
OP_REF(mul_hi_s64, out[0] = (uint64_t)(DEEP(S64(0)) * S64(1) >> 64))
OP_REF(mul_wide_u16, out[0] = (uint32_t)U16(0) * U16(1))
OP_REF(mul_wide_s16, out[0] = (uint32_t)(S16(0) * S16(1)))
OP_REF(mul_wide_u32, out[0] = (uint64_t)U32(0) * U32(1))
OP_REF(mul_wide_s32, out[0] = (uint64_t)((int64_t)S32(0) * S32(1)))
OP_REF(mad_lo32, uint64_t s = (uint64_t)(uint32_t)(U32(0) * U32(1)) + U32(2); out[0] = (uint32_t)s;
       out[1] = s >> 32)
OP_REF(mad_wide_s32, out[0] = (uint64_t)((int64_t)S32(0) * S32(1)) + in[2]; out[1] = out[0] < in[2])
OP_REF(mad_hi_sat, out[0] = (uint32_t)clamp32(((int64_t)S32(0) * S32(1) >> 32) + S32(2)))
OP_REF(madc_hi32, uint64_t s = ((uint64_t)U32(0) * U32(1) >> 32) + U32(2) + in[3]; out[0] = (uint32_t)s;
       out[1] = s >> 32)
OP_REF(abs16, out[0] = (uint16_t)(S16(0) < 0 ? -S16(0) : S16(0)))
OP_REF(abs32, out[0] = S32(0) < 0 ? (uint32_t)-U32(0) : U32(0))
OP_REF(abs64, out[0] = S64(0) < 0 ? -in[0] : in[0])
OP_REF(neg16, out[0] = (uint16_t)-U16(0))
OP_REF(neg32, out[0] = (uint32_t)-U32(0))
OP_REF(neg64, out[0] = -in[0])
OP_REF(min_u16, out[0] = U16(0) < U16(1) ? U16(0) : U16(1))
OP_REF(min_s32, out[0] = S32(0) < S32(1) ? U32(0) : U32(1))
OP_REF(min_u32, out[0] = U32(0) < U32(1) ? U32(0) : U32(1))
OP_REF(max_s32, out[0] = S32(0) > S32(1) ? U32(0) : U32(1))
OP_REF(max_s32_relu, int32_t m = S32(0) > S32(1) ? S32(0) : S32(1); out[0] = m < 0 ? 0 : (uint32_t)m)
OP_REF(max_s64, out[0] = S64(0) > S64(1) ? in[0] : in[1])
OP_REF(min_u64, out[0] = in[0] < in[1] ? in[0] : in[1])
OP_REF(sad_s32, int64_t d = (int64_t)S32(0) - S32(1);
       out[0] = (uint32_t)(U32(2) + (uint32_t)(d < 0 ? -d : d)))
OP_REF(sad_u32, int64_t d = (int64_t)U32(0) - U32(1);
       out[0] = (uint32_t)(U32(2) + (uint32_t)(d < 0 ? -d : d)))
OP_REF(add16x2, out[0] = (uint16_t)(in[0] + in[1]) | (uint64_t)(uint16_t)((in[0] >> 16) + (in[1] >> 16))
                                                         << 16)

static uint64_t smin16(uint64_t a, uint64_t b)
{
    return (int16_t)a < (int16_t)b ? (uint16_t)a : (uint16_t)b;
}

static uint64_t smax16(uint64_t a, uint64_t b)
{
    return (int16_t)a > (int16_t)b ? (uint16_t)a : (uint16_t)b;
}

OP_REF(min16x2, out[0] = smin16(in[0], in[1]) | smin16(in[0] >> 16, in[1] >> 16) << 16)
OP_REF(max16x2_relu, out[0] = smax16(0, smax16(in[0], in[1])) | smax16(0, smax16(in[0] >> 16, in[1] >> 16))
                                                                    << 16)

static const struct op_case arithmetic[] = {
    {"add.s32 d, a, b", add32, NULL},
    {"add.u16 d, a, b", add16, NULL},
    {"add.s64 d, a, b", add64, NULL},
    {"add.cc.u32 d, a, b", add32, NULL},
    {"addc.u32 d, a, b", addc32, NULL},
    {"addc.cc.u32 d, a, b", addc32, NULL},
    {"addc.cc.u64 d, a, b", addc64, NULL},
    {"add.sat.s32 d, a, b", add_sat, NULL},
    {"sub.s32 d, a, b", sub32, NULL},
    {"sub.cc.s64 d, a, b", sub64, NULL},
    {"sub.sat.s32 d, a, b", sub_sat, NULL},
    {"subc.cc.u32 d, a, b", subc32, NULL},
    {"mul.lo.s16 d, a, b", mul_lo16, NULL},
    {"mul.lo.u32 d, a, b", mul_lo32, NULL},
    {"mul.lo.s64 d, a, b", mul_lo64, NULL},
    {"mul.hi.u16 d, a, b", mul_hi_u16, NULL},
    {"mul.hi.s16 d, a, b", mul_hi_s16, NULL},
    {"mul.hi.u32 d, a, b", mul_hi_u32, NULL},
    {"mul.hi.s32 d, a, b", mul_hi_s32, NULL},
    {"mul.hi.u64 d, a, b", mul_hi_u64, NULL},
    {"mul.hi.s64 d, a, b", mul_hi_s64, NULL},
    {"mul.wide.u16 d, a, b", mul_wide_u16, NULL},
    {"mul.wide.s16 d, a, b", mul_wide_s16, NULL},
    {"mul.wide.u32 d, a, b", mul_wide_u32, NULL},
    {"mul.wide.s32 d, a, b", mul_wide_s32, NULL},
    {"mad.lo.s32 d, a, b, c", mad_lo32, NULL},
    {"mad.lo.cc.u32 d, a, b, c", mad_lo32, NULL},
    {"mad.wide.s32 d, a, b, c", mad_wide_s32, NULL},
    {"mad.hi.sat.s32 d, a, b, c", mad_hi_sat, NULL},
    {"madc.hi.cc.u32 d, a, b, c", madc_hi32, NULL},
    {"abs.s16 d, a", abs16, NULL},
    {"abs.s32 d, a", abs32, NULL},
    {"abs.s64 d, a", abs64, NULL},
    {"neg.s16 d, a", neg16, NULL},
    {"neg.s32 d, a", neg32, NULL},
    {"neg.s64 d, a", neg64, NULL},
    {"min.u16 d, a, b", min_u16, NULL},
    {"min.s32 d, a, b", min_s32, NULL},
    {"min.u32 d, a, b", min_u32, NULL},
    {"max.s32 d, a, b", max_s32, NULL},
    {"max.s32.relu d, a, b", max_s32_relu, NULL},
    {"max.s64 d, a, b", max_s64, NULL},
    {"min.u64 d, a, b", min_u64, NULL},
    {"sad.s32 d, a, b, c", sad_s32, NULL},
    {"sad.u32 d, a, b, c", sad_u32, NULL},
    {"add.u16x2 d, a, b", add16x2, NULL},
    {"min.s16x2 d, a, b", min16x2, NULL},
    {"max.s16x2.relu d, a, b", max16x2_relu, NULL},
};

OP_REF(and32, out[0] = U32(0) & U32(1))
OP_REF(or64, out[0] = in[0] | in[1])
OP_REF(xor16, out[0] = U16(0) ^ U16(1))
OP_REF(xor_pred, out[0] = in[0] ^ in[1])
OP_REF(not32, out[0] = (uint32_t)~U32(0))
OP_REF(not_pred, out[0] = !in[0])
OP_REF(cnot32, out[0] = U32(0) == 0)
OP_REF(shl16, out[0] = U32(1) > 15 ? 0 : (uint16_t)(U16(0) << U32(1)))
OP_REF(shl32, out[0] = U32(1) > 31 ? 0 : U32(0) << U32(1))
OP_REF(shl64, out[0] = U32(1) > 63 ? 0 : in[0] << U32(1))
OP_REF(shr_u16, out[0] = U32(1) > 15 ? 0 : U16(0) >> U32(1))
OP_REF(shr_u32, out[0] = U32(1) > 31 ? 0 : U32(0) >> U32(1))
OP_REF(shr_u64, out[0] = U32(1) > 63 ? 0 : in[0] >> U32(1))
OP_REF(shr_s16, out[0] = (uint16_t)(S16(0) >> (U32(1) > 15 ? 15 : U32(1))))
OP_REF(shr_s32, out[0] = (uint32_t)(S32(0) >> (U32(1) > 31 ? 31 : U32(1))))
OP_REF(shr_s64, out[0] = (uint64_t)(S64(0) >> (U32(1) > 63 ? 63 : U32(1))))
OP_REF(shl32_k, out[0] = (uint32_t)(U32(0) << 5))

static const struct op_case logic[] = {
    {"and.b32 d, a, b", and32, NULL},   {"or.b64 d, a, b", or64, NULL},
    {"xor.b16 d, a, b", xor16, NULL},   {"xor.pred p, m, n", xor_pred, NULL},
    {"not.b32 d, a", not32, NULL},      {"not.pred p, m", not_pred, NULL},
    {"cnot.b32 d, a", cnot32, NULL},    {"shl.b16 d, a, b", shl16, NULL},
    {"shl.b32 d, a, b", shl32, NULL},   {"shl.b64 d, a, b", shl64, NULL},
    {"shr.u16 d, a, b", shr_u16, NULL}, {"shr.b32 d, a, b", shr_u32, NULL},
    {"shr.u64 d, a, b", shr_u64, NULL}, {"shr.s16 d, a, b", shr_s16, NULL},
    {"shr.s32 d, a, b", shr_s32, NULL}, {"shr.s64 d, a, b", shr_s64, NULL},
    {"shl.b32 d, a, 5", shl32_k, NULL},
};

#define PAIR(truth) out[0] = (truth), out[1] = !(truth)
OP_REF(eq_s32, PAIR(U32(0) == U32(1)))
OP_REF(lt_s32, PAIR(S32(0) < S32(1)))
OP_REF(lt_u32, PAIR(U32(0) < U32(1)))
OP_REF(ge_s64, PAIR(S64(0) >= S64(1)))
OP_REF(hi_u64, PAIR(in[0] > in[1]))
OP_REF(le_s16, PAIR(S16(0) <= S16(1)))
OP_REF(ne_b16, PAIR(U16(0) != U16(1)))
OP_REF(gt_and, out[0] = S32(0) > S32(1) && in[2]; out[1] = !(S32(0) > S32(1)) && in[2])
OP_REF(lt_or, out[0] = S32(0) < S32(1) || in[2]; out[1] = !(S32(0) < S32(1)) || in[2])
OP_REF(eq_xor, out[0] = (U32(0) == U32(1)) != in[2]; out[1] = (U32(0) != U32(1)) != in[2])
OP_REF(lt_f32, PAIR(op_f32(in[0]) < op_f32(in[1])))
OP_REF(ne_f32, PAIR(op_f32(in[0]) < op_f32(in[1]) || op_f32(in[0]) > op_f32(in[1])))
OP_REF(neu_f32, PAIR(op_f32(in[0]) != op_f32(in[1])))
OP_REF(geu_f64, PAIR(!(op_f64(in[0]) < op_f64(in[1]))))
OP_REF(nan_f64, PAIR(op_f64(in[0]) != op_f64(in[0]) || op_f64(in[1]) != op_f64(in[1])))
OP_REF(num_f32, PAIR(op_f32(in[0]) == op_f32(in[0]) && op_f32(in[1]) == op_f32(in[1])))
static float flush32(uint64_t bits)
{
    return (bits & 0x7f800000) == 0 ? op_f32(bits & 0x80000000) : op_f32(bits);
}
OP_REF(gt_ftz, PAIR(flush32(in[0]) > flush32(in[1])))
OP_REF(set_u32, out[0] = S32(0) <= S32(1) ? 0xffffffff : 0)
OP_REF(set_f32, out[0] = op_f32(in[0]) == op_f32(in[1]) ? 0x3f800000 : 0)
OP_REF(set_and, out[0] = U32(0) > U32(1) && in[2] ? 0xffffffff : 0)
OP_REF(selp32, out[0] = in[2] ? U32(0) : U32(1))
OP_REF(selp64, out[0] = in[2] ? in[0] : in[1])
OP_REF(slct_s32, out[0] = S32(2) >= 0 ? U32(0) : U32(1))
OP_REF(slct_f32, out[0] = flush32(in[2]) >= 0 ? in[0] : in[1])
OP_REF(mov32, out[0] = U32(0))

static const struct op_case compares[] = {
    {"setp.eq.s32 p|q, a, b", eq_s32, NULL},
    {"setp.lt.s32 p|q, a, b", lt_s32, NULL},
    {"setp.lt.u32 p|q, a, b", lt_u32, NULL},
    {"setp.lo.u32 p|q, a, b", lt_u32, NULL},
    {"setp.ge.s64 p|q, a, b", ge_s64, NULL},
    {"setp.hi.u64 p|q, a, b", hi_u64, NULL},
    {"setp.le.s16 p|q, a, b", le_s16, NULL},
    {"setp.ne.b16 p|q, a, b", ne_b16, NULL},
    {"setp.gt.and.s32 p|q, a, b, m", gt_and, NULL},
    {"setp.lt.or.s32 p|q, a, b, m", lt_or, NULL},
    {"setp.eq.xor.b32 p|q, a, b, m", eq_xor, NULL},
    {"setp.lt.f32 p|q, a, b", lt_f32, NULL},
    {"setp.ne.f32 p|q, a, b", ne_f32, NULL},
    {"setp.neu.f32 p|q, a, b", neu_f32, NULL},
    {"setp.geu.f64 p|q, a, b", geu_f64, NULL},
    {"setp.nan.f64 p|q, a, b", nan_f64, NULL},
    {"setp.num.f32 p|q, a, b", num_f32, NULL},
    {"setp.gt.ftz.f32 p|q, a, b", gt_ftz, NULL},
    {"set.le.u32.s32 d, a, b", set_u32, NULL},
    {"set.eq.f32.f32 d, a, b", set_f32, NULL},
    {"set.gt.and.s32.u32 d, a, b, m", set_and, NULL},
    {"selp.b32 d, a, b, m", selp32, NULL},
    {"selp.f32 d, a, b, m", selp32, NULL},
    {"selp.b64 d, a, b, m", selp64, NULL},
    {"slct.u32.s32 d, a, b, c", slct_s32, NULL},
    {"slct.ftz.f64.f32 d, a, b, c", slct_f32, NULL},
    {"mov.b32 d, a", mov32, NULL},
};

static int64_t clamp(deep x, deep low, deep high)
{
    return (int64_t)(x < low ? low : x > high ? high : x);
}

OP_REF(u32_u16, out[0] = U16(0))
OP_REF(s64_s32, out[0] = (uint64_t)(int64_t)S32(0))
OP_REF(u64_u32, out[0] = U32(0))
OP_REF(u32_u64, out[0] = U32(0))
OP_REF(s32_s8, out[0] = (uint32_t)(int8_t)in[0])
OP_REF(s16_s8, out[0] = (uint16_t)(int8_t)in[0])
OP_REF(u8_u32, out[0] = (uint8_t)in[0])
OP_REF(u64_s16, out[0] = (uint64_t)S16(0))
OP_REF(sat_s8_s32, out[0] = (uint8_t)clamp(S32(0), -128, 127))
OP_REF(sat_u8_s32, out[0] = (uint8_t)clamp(S32(0), 0, 255))
OP_REF(sat_u32_s32, out[0] = (uint32_t)clamp(S32(0), 0, UINT32_MAX))
OP_REF(sat_s32_u32, out[0] = (uint32_t)clamp(U32(0), INT32_MIN, INT32_MAX))
OP_REF(sat_s32_u64, out[0] = (uint32_t)clamp(in[0], INT32_MIN, INT32_MAX))
OP_REF(sat_u16_s64, out[0] = (uint16_t)clamp(S64(0), 0, 65535))
OP_REF(sat_s32_s64, out[0] = (uint32_t)clamp(S64(0), INT32_MIN, INT32_MAX))
OP_REF(sat_u64_s32, out[0] = (uint64_t)clamp(S32(0), 0, INT64_MAX))

static const struct op_case conversions[] = {
    {"cvt.u32.u16 d, a", u32_u16, NULL},         {"cvt.s64.s32 d, a", s64_s32, NULL},
    {"cvt.u64.u32 d, a", u64_u32, NULL},         {"cvt.u32.u64 d, a", u32_u64, NULL},
    {"cvt.s32.s8 d, a", s32_s8, NULL},           {"cvt.s16.s8 d, a", s16_s8, NULL},
    {"cvt.u8.u32 d, a", u8_u32, NULL},           {"cvt.u64.s16 d, a", u64_s16, NULL},
    {"cvt.sat.s8.s32 d, a", sat_s8_s32, NULL},   {"cvt.sat.u8.s32 d, a", sat_u8_s32, NULL},
    {"cvt.sat.u32.s32 d, a", sat_u32_s32, NULL}, {"cvt.sat.s32.u32 d, a", sat_s32_u32, NULL},
    {"cvt.sat.s32.u64 d, a", sat_s32_u64, NULL}, {"cvt.sat.u16.s64 d, a", sat_u16_s64, NULL},
    {"cvt.sat.s32.s64 d, a", sat_s32_s64, NULL}, {"cvt.sat.u64.s32 d, a", sat_u64_s32, NULL},
};

#define TABLE(name)                                                                                          \
    static void test_##name(void **state)                                                                    \
    {                                                                                                        \
        (void)state;                                                                                         \
        op_run_cases(name, SW_COUNT_OF(name));                                                               \
    }
TABLE(arithmetic)
TABLE(logic)
TABLE(compares)
TABLE(conversions)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_logic),
                                       cmocka_unit_test(test_compares), cmocka_unit_test(test_conversions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
