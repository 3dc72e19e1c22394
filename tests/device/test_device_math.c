/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy of the device library: its sources, compiled for the host, against the C library in a wider type.
 * Each line of the tables: function, reference, interval, how to sample it, and the bound in units of the
 * last place that CUDA's programming guide gives for the function ("Mathematical functions"). Some 40,000
 * points a line, the same ones every time: spread evenly over the interval, or over its exponents, with both
 * signs where the interval has them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device_declared.h"
#include "device_reference.h"

enum { POINTS = 40000 };

struct line {
    const char *name;
    double (*d)(double);
    float (*f)(float);
    long double (*reference)(long double);
    double low, high;
    enum spread spread;
    double bound;
};

#define D(name, low, high, spread, bound)  {#name, __nv_##name, NULL, name##l, low, high, spread, bound}
#define F(name, low, high, spread, bound)  {#name "f", NULL, __nv_##name##f, name##l, low, high, spread, bound}
#define DR(name, low, high, spread, bound) {#name, __nv_##name, NULL, ref_##name, low, high, spread, bound}
#define FR(name, low, high, spread, bound)                                                                   \
    {#name "f", NULL, __nv_##name##f, ref_##name, low, high, spread, bound}
static const struct line lines[] = {
#include "device_bounds.def"
};

static void every_function_is_within_its_bound(void **unused)
{
    (void)unused;
    int failures = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct line *line = &lines[i];
        double worst = 0, at = 0;
        for (int p = 0; p < POINTS; p++) {
            double x = sample(line->low, line->high, line->spread);
            double error;
            if (line->d) {
                error = ulps(line->d(x), line->reference(x), 53, -1021);
            } else {
                x = (float)x;
                error = ulps(line->f((float)x), line->reference(x), 24, -125);
            }
            if (!(error <= worst)) worst = error, at = x;
        }
        if (getenv("SHOW_ULPS"))
            printf("%-10s %12g .. %-12g %6.3f at %a\n", line->name, line->low, line->high, worst, at);
        if (worst <= line->bound) continue;
        failures++;
        print_message("%s: %.3f ulp at %a (%g), bound %g\n", line->name, worst, at, at, line->bound);
    }
    assert_int_equal(failures, 0);
}

/* Functions of two arguments. */
struct line_2 {
    const char *name;
    double (*d)(double, double);
    float (*f)(float, float);
    long double (*reference)(long double, long double);
    double low[2], high[2];
    enum spread spread;
    double bound;
};
static long double ref_rhypot(long double a, long double b)
{
    return 1 / hypotl(a, b);
}
#define D2(name, l0, h0, l1, h1, spread, bound)                                                              \
    {#name, __nv_##name, NULL, name##l, {l0, l1}, {h0, h1}, spread, bound}
#define F2(name, l0, h0, l1, h1, spread, bound)                                                              \
    {#name "f", NULL, __nv_##name##f, name##l, {l0, l1}, {h0, h1}, spread, bound}
#define DR2(name, l0, h0, l1, h1, spread, bound)                                                             \
    {#name, __nv_##name, NULL, ref_##name, {l0, l1}, {h0, h1}, spread, bound}
#define FR2(name, l0, h0, l1, h1, spread, bound)                                                             \
    {#name "f", NULL, __nv_##name##f, ref_##name, {l0, l1}, {h0, h1}, spread, bound}
static const struct line_2 lines_2[] = {
    D2(pow, 1e-10, 1e10, -30, 30, EXPONENTS, 2),
    D2(pow, 0.5, 2, -1000, 1000, EVEN, 2),
    D2(pow, 1e-300, 1e300, -1, 1, EXPONENTS, 2),
    F2(pow, 1e-10, 1e10, -3.8, 3.8, EXPONENTS, 4),
    F2(pow, 0.5, 2, -120, 120, EVEN, 4),
    D2(atan2, -10, 10, -10, 10, EVEN, 2),
    D2(atan2, -1e200, 1e200, -1e200, 1e200, EXPONENTS, 2),
    F2(atan2, -10, 10, -10, 10, EVEN, 3),
    D2(hypot, -1e300, 1e300, -1e300, 1e300, EXPONENTS, 2),
    D2(hypot, -10, 10, -10, 10, EVEN, 2),
    F2(hypot, -10, 10, -10, 10, EVEN, 3),
    DR2(rhypot, -10, 10, -10, 10, EVEN, 1),
    FR2(rhypot, -10, 10, -10, 10, EVEN, 2),
    D2(fmod, -1e300, 1e300, -1e300, 1e300, EXPONENTS, 0),
    D2(fmod, -1e6, 1e6, -10, 10, EVEN, 0),
    F2(fmod, -1e30, 1e30, -1e30, 1e30, EXPONENTS, 0),
    D2(remainder, -1e300, 1e300, -1e300, 1e300, EXPONENTS, 0),
    D2(remainder, -100, 100, -10, 10, EVEN, 0),
    F2(remainder, -1e30, 1e30, -1e30, 1e30, EXPONENTS, 0),
    F2(remainder, -100, 100, -10, 10, EVEN, 0),
    D2(fdim, -10, 10, -10, 10, EVEN, 0.5),
};

static void functions_of_two_arguments_too(void **unused)
{
    (void)unused;
    int failures = 0;
    for (size_t i = 0; i < sizeof lines_2 / sizeof lines_2[0]; i++) {
        const struct line_2 *line = &lines_2[i];
        double worst = 0, at[2] = {0, 0};
        for (int p = 0; p < POINTS; p++) {
            double x = sample(line->low[0], line->high[0], line->spread);
            double y = sample(line->low[1], line->high[1], line->spread);
            if (line->f) x = (float)x, y = (float)y;
            long double got = line->d ? line->d(x, y) : line->f((float)x, (float)y);
            double error = ulps(got, line->reference(x, y), line->d ? 53 : 24, line->d ? -1021 : -125);
            if (!(error <= worst)) worst = error, at[0] = x, at[1] = y;
        }
        if (getenv("SHOW_ULPS")) printf("%-10s %6.3f at %a, %a\n", line->name, worst, at[0], at[1]);
        if (worst <= line->bound) continue;
        failures++;
        print_message("%s: %.3f ulp at %a, %a, bound %g\n", line->name, worst, at[0], at[1], line->bound);
    }
    assert_int_equal(failures, 0);
}

/* Bits that must be exact: special values of every function, and the functions that only move bits. */
static const double specials[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  -0.5,
                                  1.5,
                                  2.0,
                                  -2.0,
                                  2.5,
                                  -3.0,
                                  1e-310,
                                  -1e-310,
                                  1e300,
                                  0x1p53,
                                  -0x1p53,
                                  4503599627370495.5,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  0x1.fffffffffffffp1023};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static void special_values_are_exact(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double (*own)(double), (*reference)(double);
    } one[] = {{"exp", __nv_exp, exp},       {"log", __nv_log, log},       {"log2", __nv_log2, log2},
               {"log1p", __nv_log1p, log1p}, {"expm1", __nv_expm1, expm1}, {"sin", __nv_sin, sin},
               {"cos", __nv_cos, cos},       {"tan", __nv_tan, tan},       {"asin", __nv_asin, asin},
               {"atan", __nv_atan, atan},    {"sinh", __nv_sinh, sinh},    {"tanh", __nv_tanh, tanh},
               {"cbrt", __nv_cbrt, cbrt},    {"erf", __nv_erf, erf},       {"round", __nv_round, round},
               {"logb", __nv_logb, logb},    {"asinh", __nv_asinh, asinh}, {"atanh", __nv_atanh, atanh},
               {"log10", __nv_log10, log10}, {"exp2", __nv_exp2, exp2}};
    for (size_t f = 0; f < sizeof one / sizeof one[0]; f++)
        for (int i = 0; i < SPECIALS; i++) {
            double x = specials[i], got = one[f].own(x), expected = one[f].reference(x);
            int plain = isfinite(expected) && expected != 0.0; /* ordinary results: the tables above */
            if (!plain && !same(got, expected))
                fail_msg("%s(%a): got %a, expected %a", one[f].name, x, got, expected);
        }
}

static void pairs_of_special_values_are_exact(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double (*own)(double, double), (*reference)(double, double);
        int all; /* results are exact everywhere */
    } two[] = {{"pow", __nv_pow, pow, 0},
               {"atan2", __nv_atan2, atan2, 0},
               {"fmod", __nv_fmod, fmod, 1},
               {"hypot", __nv_hypot, hypot, 0},
               {"remainder", __nv_remainder, remainder, 1},
               {"nextafter", __nv_nextafter, nextafter, 1},
               {"fdim", __nv_fdim, fdim, 1}};
    for (size_t f = 0; f < sizeof two / sizeof two[0]; f++)
        for (int i = 0; i < SPECIALS * SPECIALS; i++) {
            double x = specials[i / SPECIALS], y = specials[i % SPECIALS];
            double got = two[f].own(x, y), expected = two[f].reference(x, y);
            int plain = !two[f].all && isfinite(expected) && expected != 0.0;
            if (!plain && !same(got, expected))
                fail_msg("%s(%a, %a): got %a, expected %a", two[f].name, x, y, got, expected);
        }
}

static void numbers_come_apart_exactly(void **unused)
{
    (void)unused;
    for (int i = 0; i < SPECIALS; i++) {
        double x = specials[i], whole, whole_2;
        int e = 0, e_2 = 0;
        assert_true(same(__nv_modf(x, &whole), modf(x, &whole_2)) && same(whole, whole_2));
        double m = __nv_frexp(x, &e), m_2 = frexp(x, &e_2);
        assert_true(same(m, m_2) && (e == e_2 || !isfinite(x)));
        for (int n = -2100; n <= 2100; n += 7)
            assert_true(same(__nv_ldexp(x, n), ldexp(x, n)));
        for (int n = -300; n <= 300; n += 7)
            assert_true(same(__nv_ldexpf((float)x, n), ldexpf((float)x, n)));
        if (isfinite(x) && x != 0) assert_int_equal(__nv_ilogb(x), ilogb(x));
    }
    for (int i = 0; i < POINTS; i++) {
        double x = sample(-1e30, 1e30, EXPONENTS), y = sample(-1e10, 1e10, EXPONENTS);
        int q, q_2;
        assert_true(same(__nv_remquo(x, y, &q), remquo(x, y, &q_2)));
        assert_int_equal(q & 7, q_2 < 0 ? (-(-q_2 & 7)) & 7 : q_2 & 7);
        int n = (int)(uniform() * 300) - 150;
        float f = (float)y;
        assert_true(same(__nv_ldexpf(f, n), ldexpf(f, n)));
        assert_true(same(__nv_ldexp(y, 7 * n), ldexp(y, 7 * n)));
    }
}

/* Beyond 8 CUDA bounds the absolute error of the Bessel functions: 5e-12; orders above 1 and the modified
 * ones are compared with tabulated values (Abramowitz and Stegun, tables 9.4, 9.8). */
static void bessel_functions_are_close_beyond_eight(void **unused)
{
    (void)unused;
    for (int i = 0; i < POINTS / 10; i++) {
        double x = sample(8, 1000, EXPONENTS);
        assert_true(fabsl(__nv_j0(x) - j0l(x)) < 5e-12 && fabsl(__nv_j1(x) - j1l(x)) < 5e-12);
        assert_true(fabsl(__nv_y0(x) - y0l(x)) < 5e-12 && fabsl(__nv_y1(x) - y1l(x)) < 5e-12);
        assert_true(fabsl(__nv_jn(5, x) - jnl(5, x)) < 5e-12 && fabsl(__nv_yn(3, x) - ynl(3, x)) < 5e-12);
        double y = sample(0.01, 8, EXPONENTS);
        assert_true(fabsl(__nv_jn(7, y) / jnl(7, y) - 1) < 1e-10 &&
                    fabsl(__nv_jn(-3, -y) / jnl(-3, -y) - 1) < 1e-10);
    }
    assert_true(fabs(__nv_cyl_bessel_i0(1) / 1.2660658777520084 - 1) < 1e-15);
    assert_true(fabs(__nv_cyl_bessel_i1(1) / 0.5651591039924851 - 1) < 1e-15);
    assert_true(fabs(__nv_cyl_bessel_i0(40) / 14894774793419900.0 - 1) < 1e-14);
    assert_true(isinf(__nv_y0(0)) && isnan(__nv_y1(-1)) && __nv_jn(3, 0) == 0 && __nv_j0(0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bessel_functions_are_close_beyond_eight),
                                       cmocka_unit_test(every_function_is_within_its_bound),
                                       cmocka_unit_test(functions_of_two_arguments_too),
                                       cmocka_unit_test(special_values_are_exact),
                                       cmocka_unit_test(pairs_of_special_values_are_exact),
                                       cmocka_unit_test(numbers_come_apart_exactly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
