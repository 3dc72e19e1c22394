/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of an axis in lanes: how they come into registers and go back, real ones with the step that makes
 * complex lines of half the length of them. Included once for each type (fft_kernel_priv.h). Three ways of
 * memory: lines side by side (whole registers), elements side by side (transposed blocks), or neither (one by
 * one). */
#ifndef REAL /* read alone */
#include "fft_kernel_priv.h"
#else

/* Lines at a time; offsets in real numbers. Lanes beyond `count` repeat the first line and are not stored. */
struct OF(group) {
    unsigned count;
    int64_t in[OF(LANES)], out[OF(LANES)];
};

static INLINE bool OF(side_by_side)(const int64_t offset[OF(LANES)], unsigned count, int64_t apart)
{
    bool all = count == OF(LANES);
    for (unsigned i = 1; all && i < OF(LANES); i++)
        all = offset[i] - offset[0] == (int64_t)i * apart;
    return all;
}

/* ---- real numbers: element j of the lines to to[(j * wide) ^ flip], and back */

static void OF(load_reals)(const REAL *in, const int64_t offset[OF(LANES)], unsigned count, int64_t step,
                           int64_t n, OF(vec) * to, unsigned wide, unsigned flip)
{
    int64_t j = 0;
    if (OF(side_by_side)(offset, count, 1)) {
        for (; j < n; j++)
            to[(uint64_t)(j * wide) ^ flip] = OF(get)(in + offset[0] + j * step);
        return;
    }
    for (; step == 1 && j + (int64_t)OF(LANES) <= n; j += (int64_t)OF(LANES)) {
        OF(vec) rows[OF(LANES)];
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES); i++)
            rows[i] = OF(get)(in + offset[i] + j);
        OF(transpose)(rows);
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES); i++)
            to[(uint64_t)((j + i) * wide) ^ flip] = rows[i];
    }
    for (; j < n; j++) {
        REAL *at = (REAL *)&to[(uint64_t)(j * wide) ^ flip];
        for (unsigned i = 0; i < OF(LANES); i++)
            at[i] = in[offset[i] + j * step];
    }
}

static void OF(store_reals)(REAL *out, const int64_t offset[OF(LANES)], unsigned count, int64_t step,
                            int64_t n, const OF(vec) * from, unsigned wide, unsigned flip)
{
    int64_t j = 0;
    if (OF(side_by_side)(offset, count, 1)) {
        for (; j < n; j++)
            OF(put)(out + offset[0] + j * step, from[(uint64_t)(j * wide) ^ flip]);
        return;
    }
    for (; step == 1 && j + (int64_t)OF(LANES) <= n; j += (int64_t)OF(LANES)) {
        OF(vec) rows[OF(LANES)];
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES); i++)
            rows[i] = from[(uint64_t)((j + i) * wide) ^ flip];
        OF(transpose)(rows);
#pragma GCC unroll 16
        for (unsigned i = 0; i < OF(LANES); i++)
            if (i < count) OF(put)(out + offset[i] + j, rows[i]);
    }
    for (; j < n; j++) {
        const REAL *at = (const REAL *)&from[(uint64_t)(j * wide) ^ flip];
        for (unsigned i = 0; i < count; i++)
            out[offset[i] + j * step] = at[i];
    }
}

/* ---- complex numbers; swap: with real and imaginary parts exchanged, which makes a transform inverse */

static void OF(load)(const REAL *in, const int64_t offset[OF(LANES)], unsigned count, int64_t step, int64_t n,
                     struct OF(pair) * to, bool swap)
{
    if (OF(side_by_side)(offset, count, 2)) {
        for (int64_t j = 0; j < n; j++)
            to[j] = OF(get_pair)(in + offset[0] + j * step, swap);
    } else if (step == 2) {
        OF(load_reals)(in, offset, count, 1, 2 * n, &to->re, 1, swap);
    } else {
        for (int64_t j = 0; j < n; j++) {
            REAL *re = (REAL *)(swap ? &to[j].im : &to[j].re), *im = (REAL *)(swap ? &to[j].re : &to[j].im);
            for (unsigned i = 0; i < OF(LANES); i++) {
                const REAL *at = in + offset[i] + j * step;
                re[i] = at[0], im[i] = at[1];
            }
        }
    }
}

static void OF(store)(REAL *out, const int64_t offset[OF(LANES)], unsigned count, int64_t step, int64_t n,
                      const struct OF(pair) * from, bool swap)
{
    if (OF(side_by_side)(offset, count, 2)) {
        for (int64_t j = 0; j < n; j++)
            OF(put_pair)(out + offset[0] + j * step, from[j], swap);
    } else if (step == 2) {
        OF(store_reals)(out, offset, count, 1, 2 * n, &from->re, 1, swap);
    } else {
        for (int64_t j = 0; j < n; j++) {
            const REAL *re = (const REAL *)(swap ? &from[j].im : &from[j].re);
            const REAL *im = (const REAL *)(swap ? &from[j].re : &from[j].im);
            for (unsigned i = 0; i < count; i++) {
                REAL *at = out + offset[i] + j * step;
                at[0] = re[i], at[1] = im[i];
            }
        }
    }
}

/* ---- real lines of even length n, as complex ones z of half of it: z[j] = x[2j] + i x[2j + 1]. With E and O
 * the transforms of the even and the odd elements, Z = E + i O, and X[k] = E[k] + w^k O[k], where w is
 * exp(-2 pi i / n). Both halves of a line are made from k and h - k at once. */

static INLINE struct OF(pair) OF(mirrored)(struct OF(pair) a)
{
    return (struct OF(pair)){a.re, -a.im};
}

static void OF(split_lanes)(int64_t n, const REAL *split, const struct OF(pair) * z, struct OF(pair) * x)
{
    const int64_t h = n / 2;
    const REAL half = (REAL)0.5;
    OF(vec) zero = {0};
    struct OF(pair) first = z[0];
    x[0] = (struct OF(pair)){first.re + first.im, zero};
    x[h] = (struct OF(pair)){first.re - first.im, zero};
    for (int64_t k = 1; k <= h - k; k++) {
        struct OF(pair) a = z[k], b = OF(mirrored)(z[h - k]);
        struct OF(pair) even = OF(add)(a, b), odd = OF(times)(OF(turn)(OF(sub)(a, b)), split + 2 * k);
        struct OF(pair) up = OF(add)(even, odd), down = OF(mirrored)(OF(sub)(even, odd));
        x[k] = (struct OF(pair)){up.re * half, up.im * half};
        x[h - k] = (struct OF(pair)){down.re * half, down.im * half};
    }
}

/* The other way, twice as large, with parts exchanged for the inverse transform that follows. */
static void OF(join_lanes)(int64_t n, const REAL *split, const struct OF(pair) * x, struct OF(pair) * z)
{
    const int64_t h = n / 2;
    struct OF(pair) first = x[0], last = x[h];
    z[0] = (struct OF(pair)){first.re - last.re, first.re + last.re};
    for (int64_t k = 1; k <= h - k; k++) {
        struct OF(pair) a = x[k], b = OF(mirrored)(x[h - k]);
        const REAL w[2] = {split[2 * k], -split[2 * k + 1]};
        struct OF(pair) sum = OF(add)(a, b), odd = OF(turn)(OF(times)(OF(sub)(a, b), w));
        struct OF(pair) up = OF(sub)(sum, odd), down = OF(mirrored)(OF(add)(sum, odd));
        z[k] = (struct OF(pair)){up.im, up.re};
        z[h - k] = (struct OF(pair)){down.im, down.re};
    }
}

/* ---- an axis */

static void OF(group_of)(const struct fft_axis *axis, int64_t first, struct OF(group) * group)
{
    int64_t left = axis->lines - first;
    group->count = left < (int64_t)OF(LANES) ? (unsigned)left : (unsigned)OF(LANES);
    for (unsigned i = 0; i < OF(LANES); i++) {
        int64_t line = first + (i < group->count ? i : 0), in = 0, out = 0;
        for (int d = 0; d < FFT_LOOPS; d++) {
            int64_t at = line % axis->count[d];
            line /= axis->count[d];
            in += at * axis->in_dist[d], out += at * axis->out_dist[d];
        }
        group->in[i] = in, group->out[i] = out;
    }
}

static void OF(run_forward)(const struct fft_axis *axis, const struct OF(group) * g, const REAL *in,
                            REAL *out, struct OF(pair) * x, struct OF(pair) * y)
{
    if (axis->is_half) {
        OF(load_reals)(in, g->in, g->count, axis->in_step, axis->n, &x->re, 1, 0);
        struct OF(pair) *z = OF(line)(axis->line, x, y), *spectrum = z == x ? y : x;
        OF(split_lanes)(axis->n, axis->split, z, spectrum);
        OF(store)(out, g->out, g->count, axis->out_step, axis->n / 2 + 1, spectrum, false);
        return;
    }
    OF(load_reals)(in, g->in, g->count, axis->in_step, axis->n, &x->re, 2, 0);
    for (int64_t j = 0; j < axis->n; j++)
        x[j].im = (OF(vec)){0};
    OF(store)(out, g->out, g->count, axis->out_step, axis->n / 2 + 1, OF(line)(axis->line, x, y), false);
}

static void OF(run_back)(const struct fft_axis *axis, const struct OF(group) * g, const REAL *in, REAL *out,
                         struct OF(pair) * x, struct OF(pair) * y)
{
    const int64_t n = axis->n;
    if (axis->is_half) {
        OF(load)(in, g->in, g->count, axis->in_step, n / 2 + 1, x, false);
        OF(join_lanes)(n, axis->split, x, y);
        OF(store_reals)(out, g->out, g->count, axis->out_step, n, &OF(line)(axis->line, y, x)->re, 1, 1);
        return;
    }
    OF(load)(in, g->in, g->count, axis->in_step, n / 2 + 1, x, true);
    x[0].re = (OF(vec)){0}; /* the imaginary part of a sum of reals */
    for (int64_t k = 1; k <= n / 2; k++)
        x[n - k] = (struct OF(pair)){-x[k].re, x[k].im};
    OF(store_reals)(out, g->out, g->count, axis->out_step, n, &OF(line)(axis->line, x, y)->im, 2, 0);
}

static void OF(run_lanes)(const struct fft_axis *axis, const void *in, void *out, int64_t first, int64_t last,
                          bool inverse, void *scratch)
{
    struct OF(pair) *x = scratch, *y = x + axis->line->rows;
    for (int64_t at = first; at < last; at++) {
        struct OF(group) g;
        OF(group_of)(axis, at * (int64_t)OF(LANES), &g);
        if (axis->kind == FFT_R2C) {
            OF(run_forward)(axis, &g, in, out, x, y);
        } else if (axis->kind == FFT_C2R) {
            OF(run_back)(axis, &g, in, out, x, y);
        } else {
            OF(load)(in, g.in, g.count, axis->in_step, axis->n, x, inverse);
            OF(store)(out, g.out, g.count, axis->out_step, axis->n, OF(line)(axis->line, x, y), inverse);
        }
    }
}
#endif
