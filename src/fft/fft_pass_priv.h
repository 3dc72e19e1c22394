/* SPDX-License-Identifier: Apache-2.0 */
/* Stockham's passes over lines in lanes, one function a radix. Included once for each type
 * (fft_kernel_priv.h). */
#ifndef REAL /* read alone */
#include "fft_kernel_priv.h"
#else

/* ---- transforms of a few elements: x[j * xs] to y[k * ys], times w, which begins at k = 1; NULL: by 1 */

static INLINE void OF(give)(struct OF(pair) * y, uint64_t k, uint64_t ys, struct OF(pair) value,
                            const REAL *w)
{
    y[k * ys] = w && k ? OF(times)(value, w + 2 * (k - 1)) : value;
}

static INLINE void OF(few2)(const struct OF(pair) * x, struct OF(pair) * y, uint64_t xs, uint64_t ys,
                            const REAL *w)
{
    struct OF(pair) a = x[0], b = x[xs];
    OF(give)(y, 0, ys, OF(add)(a, b), w);
    OF(give)(y, 1, ys, OF(sub)(a, b), w);
}

static INLINE void OF(four)(const struct OF(pair) in[4], struct OF(pair) out[4])
{
    struct OF(pair) a = OF(add)(in[0], in[2]), b = OF(sub)(in[0], in[2]);
    struct OF(pair) c = OF(add)(in[1], in[3]), d = OF(turn)(OF(sub)(in[1], in[3]));
    out[0] = OF(add)(a, c);
    out[1] = OF(add)(b, d);
    out[2] = OF(sub)(a, c);
    out[3] = OF(sub)(b, d);
}

static INLINE void OF(few4)(const struct OF(pair) * x, struct OF(pair) * y, uint64_t xs, uint64_t ys,
                            const REAL *w)
{
    struct OF(pair) in[4] = {x[0], x[xs], x[2 * xs], x[3 * xs]}, out[4];
    OF(four)(in, out);
    for (unsigned k = 0; k < 4; k++)
        OF(give)(y, k, ys, out[k], w);
}

static INLINE void OF(few8)(const struct OF(pair) * x, struct OF(pair) * y, uint64_t xs, uint64_t ys,
                            const REAL *w)
{
    const REAL half = (REAL)0.70710678118654752440; /* the root of 1/2 */
    struct OF(pair) even_in[4] = {x[0], x[2 * xs], x[4 * xs], x[6 * xs]}, even[4];
    struct OF(pair) odd_in[4] = {x[xs], x[3 * xs], x[5 * xs], x[7 * xs]}, odd[4];
    OF(four)(even_in, even);
    OF(four)(odd_in, odd);
    odd[1] = (struct OF(pair)){(odd[1].re + odd[1].im) * half, (odd[1].im - odd[1].re) * half};
    odd[2] = OF(turn)(odd[2]);
    odd[3] = (struct OF(pair)){(odd[3].im - odd[3].re) * half, -(odd[3].re + odd[3].im) * half};
#pragma GCC unroll 4
    for (unsigned k = 0; k < 4; k++) {
        OF(give)(y, k, ys, OF(add)(even[k], odd[k]), w);
        OF(give)(y, k + 4, ys, OF(sub)(even[k], odd[k]), w);
    }
}

/* Of an odd radix: elements j and radix - j by their sum, which cosines weigh, and difference, for sines. */
static INLINE void OF(few_odd)(unsigned radix, const REAL *roots, const struct OF(pair) * x,
                               struct OF(pair) * y, uint64_t xs, uint64_t ys, const REAL *w)
{
    enum { MOST = FFT_RADIX_MOST / 2 };
    struct OF(pair) sum[MOST], difference[MOST], first = x[0], all = x[0];
#pragma GCC unroll 6
    for (unsigned j = 1; j <= radix / 2; j++) {
        struct OF(pair) a = x[j * xs], b = x[(radix - j) * xs];
        sum[j - 1] = OF(add)(a, b);
        difference[j - 1] = OF(sub)(a, b);
        all = OF(add)(all, sum[j - 1]);
    }
    OF(give)(y, 0, ys, all, w);
#pragma GCC unroll 6
    for (unsigned k = 1; k <= radix / 2; k++) {
        struct OF(pair) even = first, odd;
        unsigned at = k; /* j * k modulo the radix */
        odd.re = difference[0].re * roots[2 * k + 1], odd.im = difference[0].im * roots[2 * k + 1];
        even.re += sum[0].re * roots[2 * k], even.im += sum[0].im * roots[2 * k];
#pragma GCC unroll 6
        for (unsigned j = 1; j < radix / 2; j++) {
            at = at + k >= radix ? at + k - radix : at + k;
            even.re += sum[j].re * roots[2 * at], even.im += sum[j].im * roots[2 * at];
            odd.re += difference[j].re * roots[2 * at + 1], odd.im += difference[j].im * roots[2 * at + 1];
        }
        odd = OF(turn)(odd);
        OF(give)(y, k, ys, OF(add)(even, odd), w);
        OF(give)(y, radix - k, ys, OF(sub)(even, odd), w);
    }
}

/* ---- passes */

/* FEW: the transform of the radix' elements from x + q to y + q with factors w. */
#define FFT_PASS_LOOP(FEW)                                                                                   \
    const uint64_t m = pass->m, s = pass->s, xs = m * s;                                                     \
    const REAL *factors = pass->factors;                                                                     \
    for (uint64_t q = 0; q < s; q++)                                                                         \
        FEW(x + q, y + q, (const REAL *)NULL);                                                               \
    for (uint64_t p = 1; p < m; p++) {                                                                       \
        const REAL *w = factors + 2 * (p - 1) * (radix - 1);                                                 \
        for (uint64_t q = 0; q < s; q++)                                                                     \
            FEW(x + q + s * p, y + q + s * radix * p, w);                                                    \
    }
#define FFT_PASS(radix_)                                                                                     \
    static void OF(pass##radix_)(const struct fft_pass *pass, const struct OF(pair) *restrict x,             \
                                 struct OF(pair) *restrict y)                                                \
    {                                                                                                        \
        enum { radix = radix_ };                                                                             \
        FFT_PASS_LOOP(FFT_FEW_##radix_)                                                                      \
    }
#define FFT_FEW_2(x, y, w)   OF(few2)(x, y, xs, s, w)
#define FFT_FEW_4(x, y, w)   OF(few4)(x, y, xs, s, w)
#define FFT_FEW_8(x, y, w)   OF(few8)(x, y, xs, s, w)
#define FFT_FEW_ODD(x, y, w) OF(few_odd)(radix, pass->roots, x, y, xs, s, w)
#define FFT_FEW_3            FFT_FEW_ODD
#define FFT_FEW_5            FFT_FEW_ODD
#define FFT_FEW_7            FFT_FEW_ODD
#define FFT_FEW_11           FFT_FEW_ODD
#define FFT_FEW_13           FFT_FEW_ODD

FFT_PASS(2)
FFT_PASS(3)
FFT_PASS(4)
FFT_PASS(5)
FFT_PASS(7)
FFT_PASS(8)
FFT_PASS(11)
FFT_PASS(13)

static void OF(pass_any)(const struct fft_pass *pass, const struct OF(pair) *restrict x,
                         struct OF(pair) *restrict y)
{
    const unsigned radix = pass->radix;
    FFT_PASS_LOOP(FFT_FEW_ODD)
}

static void OF(pass)(const struct fft_pass *pass, const struct OF(pair) * x, struct OF(pair) * y)
{
    switch (pass->radix) {
    case 2: OF(pass2)(pass, x, y); break;
    case 3: OF(pass3)(pass, x, y); break;
    case 4: OF(pass4)(pass, x, y); break;
    case 5: OF(pass5)(pass, x, y); break;
    case 7: OF(pass7)(pass, x, y); break;
    case 8: OF(pass8)(pass, x, y); break;
    case 11: OF(pass11)(pass, x, y); break;
    case 13: OF(pass13)(pass, x, y); break;
    default: OF(pass_any)(pass, x, y); break;
    }
}
#undef FFT_PASS_LOOP
#undef FFT_PASS
#undef FFT_FEW_2
#undef FFT_FEW_4
#undef FFT_FEW_8
#undef FFT_FEW_ODD
#undef FFT_FEW_3
#undef FFT_FEW_5
#undef FFT_FEW_7
#undef FFT_FEW_11
#undef FFT_FEW_13

/* ---- a line in lanes: from x, through y; returns the one of them that has the result */

static struct OF(pair) * OF(smooth)(const struct fft_line *line, struct OF(pair) * x, struct OF(pair) * y)
{
    for (unsigned i = 0; i < line->passes; i++) {
        struct OF(pair) *z = x;
        OF(pass)(&line->pass[i], x, y);
        x = y, y = z;
    }
    return x;
}

/* Bluestein: a product of spectra is a convolution with a chirp; the way back by exchanged parts. */
static struct OF(pair) * OF(convolved)(const struct fft_line *line, struct OF(pair) * x, struct OF(pair) * y)
{
    const REAL *chirp = line->chirp, *spectrum = line->spectrum;
    const struct fft_line *long_one = line->convolution;
    for (int64_t j = 0; j < line->n; j++)
        x[j] = OF(times)(x[j], chirp + 2 * j);
    for (int64_t j = line->n; j < long_one->n; j++)
        x[j] = (struct OF(pair)){{0}, {0}};
    struct OF(pair) *z = OF(smooth)(long_one, x, y);
    for (int64_t j = 0; j < long_one->n; j++) {
        struct OF(pair) value = OF(times)(z[j], spectrum + 2 * j);
        z[j] = (struct OF(pair)){value.im, value.re};
    }
    z = OF(smooth)(long_one, z, z == x ? y : x);
    for (int64_t j = 0; j < line->n; j++)
        z[j] = OF(times)((struct OF(pair)){z[j].im, z[j].re}, chirp + 2 * j);
    return z;
}

static struct OF(pair) * OF(line)(const struct fft_line *line, struct OF(pair) * x, struct OF(pair) * y)
{
    return line->convolution ? OF(convolved)(line, x, y) : OF(smooth)(line, x, y);
}
#endif
