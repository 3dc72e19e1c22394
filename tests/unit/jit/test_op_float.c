/* SPDX-License-Identifier: Apache-2.0 */
/* f32 and f64 arithmetic, bit for bit, against the C library's in every rounding mode; NaNs of f64 are the
 * operand's that passes on an H200. */
#include "op_harness.h"

#include <fenv.h>
#include <math.h>

static float flush(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static double sat(double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}

/* The references below run under the mode that `mode` names, with operands the compiler cannot see through.
 */
static int mode;
static double under(double (*f)(double, double, double), double a, double b, double c)
{
    volatile double x = a, y = b, z = c;
    fesetround(mode);
    volatile double r = f(x, y, z);
    fesetround(FE_TONEAREST);
    return r;
}

/* The same with .ftz: by what the result is before it is rounded to a denormal, which is what f, in double,
 * shows when it is made a float far from them. */
static float under_ftz(double (*f)(double, double, double), double (*in_double)(double, double, double),
                       float a, float b, float c)
{
    volatile double exact = under(in_double, flush(a), flush(b), flush(c)) * 0x1p24;
    fesetround(mode);
    volatile float scaled = (float)exact;
    fesetround(FE_TONEAREST);
    float r = (float)under(f, flush(a), flush(b), flush(c));
    return fabsf(scaled) < 0x1p-102f ? copysignf(0, r) : r;
}

#define UNDER(name, type, expr)                                                                              \
    static double name(double da, double db, double dc)                                                      \
    {                                                                                                        \
        volatile type a = (type)da, b = (type)db, c = (type)dc;                                              \
        (void)a, (void)b, (void)c;                                                                           \
        return expr;                                                                                         \
    }
UNDER(add_f, float, a + b)
UNDER(sub_f, float, a - b)
UNDER(mul_f, float, a *b)
UNDER(div_f, float, a / b)
UNDER(rcp_f, float, 1 / a)
UNDER(sqrt_f, float, sqrtf(a))
UNDER(fma_f, float, fmaf(a, b, c))
UNDER(add_d, double, a + b)
UNDER(sub_d, double, a - b)
UNDER(mul_d, double, a *b)
UNDER(div_d, double, a / b)
UNDER(rcp_d, double, 1 / a)
UNDER(sqrt_d, double, sqrt(a))
UNDER(fma_d, double, fma(a, b, c))

#define A   op_f32(in[0])
#define B   op_f32(in[1])
#define C   op_f32(in[2])
#define ZA  flush(A)
#define ZB  flush(B)
#define ZC  flush(C)
#define DA  op_f64(in[0])
#define DB  op_f64(in[1])
#define DC  op_f64(in[2])
#define R32 out[0] = op_bits32

/* order: which of several NaN operands passes */
static uint64_t passing(const uint64_t *in, const char *order, double result)
{
    for (; result != result && *order; order++) {
        uint64_t bits = in[*order - 'a'];
        if (bits << 1 > UINT64_C(0xffe) << 52) return bits | UINT64_C(1) << 51;
    }
    return op_bits64(result);
}
#define R64(order, value) out[0] = passing(in, order, value)

OP_REF(add, R32(A + B))
OP_REF(sub, R32(A - B))
OP_REF(mul, R32(A *B))
OP_REF(fma32, R32(fmaf(A, B, C)))
OP_REF(neg, R32(-A))
OP_REF(abs32, R32(fabsf(A)))
OP_REF(add_ftz, mode = FE_TONEAREST; R32(under_ftz(add_f, add_d, A, B, C)))
OP_REF(fma_ftz, mode = FE_TONEAREST; R32(under_ftz(fma_f, fma_d, A, B, C)))
OP_REF(mul_sat, R32((float)sat(A *B)))
OP_REF(add_ftz_sat, R32((float)sat(flush(ZA + ZB))))
OP_REF(abs_ftz, R32(fabsf(ZA)))
OP_REF(dadd, R64("ba", DA + DB))
OP_REF(dsub, R64("ba", DA - DB))
OP_REF(dmul, R64("ba", DA *DB))
OP_REF(dfma, R64("bca", fma(DA, DB, DC)))
OP_REF(dneg, R64("a", -DA))
OP_REF(dabs, R64("a", fabs(DA)))

static uint64_t pair(uint64_t low, uint64_t high)
{
    return low | high << 32;
}
#define H(i) op_f32(in[i] >> 32)
OP_REF(add2, out[0] = pair(op_bits32(A + B), op_bits32(H(0) + H(1))))
OP_REF(fma2, out[0] = pair(op_bits32(fmaf(A, B, C)), op_bits32(fmaf(H(0), H(1), H(2)))))

static const struct op_case nearest[] = {
    {"add.rn.f32x2 d, a, b", add2, NULL},
    {"fma.rn.f32x2 d, a, b, c", fma2, NULL},
    {"add.f32 d, a, b", add, NULL},
    {"sub.rn.f32 d, a, b", sub, NULL},
    {"mul.f32 d, a, b", mul, NULL},
    {"fma.rn.f32 d, a, b, c", fma32, NULL},
    {"mad.rn.f32 d, a, b, c", fma32, NULL},
    {"neg.f32 d, a", neg, NULL},
    {"abs.f32 d, a", abs32, NULL},
    {"add.ftz.f32 d, a, b", add_ftz, NULL},
    {"fma.rn.ftz.f32 d, a, b, c", fma_ftz, NULL},
    {"mul.sat.f32 d, a, b", mul_sat, NULL},
    {"add.ftz.sat.f32 d, a, b", add_ftz_sat, NULL},
    {"abs.ftz.f32 d, a", abs_ftz, NULL},
    {"add.f64 d, a, b", dadd, NULL},
    {"sub.f64 d, a, b", dsub, NULL},
    {"mul.rn.f64 d, a, b", dmul, NULL},
    {"fma.rn.f64 d, a, b, c", dfma, NULL},
    {"neg.f64 d, a", dneg, NULL},
    {"abs.f64 d, a", dabs, NULL},
};

static void test_nearest(void **state)
{
    (void)state;
    op_run_cases(nearest, SW_COUNT_OF(nearest));
}

#define MODES(name, order)                                                                                   \
    OP_REF(name##_f_rn, mode = FE_TONEAREST; R32((float)under(name##_f, A, B, C)))                           \
    OP_REF(name##_f_rz, mode = FE_TOWARDZERO; R32((float)under(name##_f, A, B, C)))                          \
    OP_REF(name##_f_rm, mode = FE_DOWNWARD; R32((float)under(name##_f, A, B, C)))                            \
    OP_REF(name##_f_rp, mode = FE_UPWARD; R32((float)under(name##_f, A, B, C)))                              \
    OP_REF(name##_f_ftz, mode = FE_UPWARD; R32(under_ftz(name##_f, name##_d, A, B, C)))                      \
    OP_REF(name##_d_rn, mode = FE_TONEAREST; R64(order, under(name##_d, DA, DB, DC)))                        \
    OP_REF(name##_d_rz, mode = FE_TOWARDZERO; R64(order, under(name##_d, DA, DB, DC)))                       \
    OP_REF(name##_d_rm, mode = FE_DOWNWARD; R64(order, under(name##_d, DA, DB, DC)))                         \
    OP_REF(name##_d_rp, mode = FE_UPWARD; R64(order, under(name##_d, DA, DB, DC)))
MODES(add, "ba")
MODES(sub, "ba")
MODES(mul, "ba")
MODES(div, "ab")
MODES(rcp, "a")
MODES(sqrt, "a")
MODES(fma, "bca")

#define ROWS(name, operands)                                                                                 \
    {#name ".rn.f32 " operands, name##_f_rn, NULL}, {#name ".rz.f32 " operands, name##_f_rz, NULL},          \
        {#name ".rm.f32 " operands, name##_f_rm, NULL}, {#name ".rp.f32 " operands, name##_f_rp, NULL},      \
        {#name ".rp.ftz.f32 " operands, name##_f_ftz, NULL}, {#name ".rn.f64 " operands, name##_d_rn, NULL}, \
        {#name ".rz.f64 " operands, name##_d_rz, NULL}, {#name ".rm.f64 " operands, name##_d_rm, NULL},      \
    {                                                                                                        \
        #name ".rp.f64 " operands, name##_d_rp, NULL                                                         \
    }
static const struct op_case rounded[] = {
    ROWS(add, "d, a, b"), ROWS(sub, "d, a, b"), ROWS(mul, "d, a, b"),    ROWS(div, "d, a, b"),
    ROWS(rcp, "d, a"),    ROWS(sqrt, "d, a"),   ROWS(fma, "d, a, b, c"),
};

static void test_rounded(void **state)
{
    (void)state;
    op_run_cases(rounded, SW_COUNT_OF(rounded));
}

/* Where MXCSR flushes; 0f3F800000 and the like are what LLVM leaves out of arithmetic, and must flush all the
 * same. */
OP_REF(mul_ftz, mode = FE_TONEAREST; R32(under_ftz(mul_f, mul_d, A, B, C)))
OP_REF(mul_one_ftz, R32(ZA))
OP_REF(add_zero_ftz, R32(ZA + -0.0f))
OP_REF(div_ftz, mode = FE_TONEAREST; R32(under_ftz(div_f, div_d, A, B, C)))
static const struct op_case flushing[] = {
    {"add.ftz.f32 d, a, b", add_ftz, NULL},
    {"mul.ftz.f32 d, a, b", mul_ftz, NULL},
    {"mul.ftz.f32 d, a, 0f3F800000", mul_one_ftz, NULL},
    {"add.ftz.f32 d, a, 0f80000000", add_zero_ftz, NULL},
    {"fma.rn.ftz.f32 d, a, b, c", fma_ftz, NULL},
    {"div.rn.ftz.f32 d, a, b", div_ftz, NULL},
    {"add.ftz.sat.f32 d, a, b", add_ftz_sat, NULL},
    {"abs.ftz.f32 d, a", abs_ftz, NULL},
    {"mul.rp.ftz.f32 d, a, b", mul_f_ftz, NULL},
    {"sqrt.rp.ftz.f32 d, a", sqrt_f_ftz, NULL},
};

static void test_flushing(void **state)
{
    (void)state;
    op_flushes = true;
    op_run_cases(flushing, SW_COUNT_OF(flushing));
    op_flushes = false;
    op_run_cases(flushing, SW_COUNT_OF(flushing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest), cmocka_unit_test(test_rounded),
                                       cmocka_unit_test(test_flushing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
