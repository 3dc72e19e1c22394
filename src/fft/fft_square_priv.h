/* SPDX-License-Identifier: Apache-2.0 */
/* One long line as a matrix of n1 rows and n2 columns, element j at row j / n2: columns are transformed in
 * lanes and multiplied with factors, which gives the matrix of k1 and j2; blocks of it are transposed into
 * the middle buffer, so that rows k1 stand in lanes; these are transformed, and k2 * n1 + k1 is the place of
 * an element of the result. The middle buffer: blocks of rows, in each n2 pairs of registers. Included once
 * for each type (fft_kernel_priv.h). */
#ifndef REAL /* read alone */
#include "fft_kernel_priv.h"
#else

static void OF(load_column)(const struct fft_square *square, const REAL *in, int64_t block, bool swap,
                            struct OF(pair) * x)
{
    const int64_t first = block * (int64_t)OF(LANES), left = square->n2 - first;
    const REAL *at = in + 2 * first;
    if (left >= (int64_t)OF(LANES)) {
        for (int64_t j = 0; j < square->n1; j++)
            x[j] = OF(get_pair)(at + 2 * j * square->n2, swap);
        return;
    }
    REAL last[2 * OF(LANES)] = {0};
    for (int64_t j = 0; j < square->n1; j++) {
        memcpy(last, at + 2 * j * square->n2, (size_t)left * 2 * sizeof(REAL));
        x[j] = OF(get_pair)(last, swap);
    }
}

/* A block of columns, as the rows of the middle buffer that they are a part of. */
static void OF(turn_column)(const struct fft_square *square, const struct OF(pair) * x, int64_t block,
                            struct OF(pair) * middle)
{
    const REAL *base = (const REAL *)square->base + 2 * block * square->n1;
    const struct OF(pair) *lane = square->lane;
    const int64_t first = block * (int64_t)OF(LANES), left = square->n2 - first;
    for (int64_t k = 0; k < square->n1; k += (int64_t)OF(LANES)) {
        OF(vec) re[OF(LANES)], im[OF(LANES)];
        struct OF(pair) *to = middle + k / (int64_t)OF(LANES) * square->n2 + first;
        for (int64_t i = 0; i < (int64_t)OF(LANES); i++) {
            int64_t row = k + i < square->n1 ? k + i : square->n1 - 1; /* beyond the last: it once more */
            struct OF(pair) value = OF(product)(x[row], OF(times)(lane[row], base + 2 * row));
            re[i] = value.re, im[i] = value.im;
        }
        OF(transpose)(re);
        OF(transpose)(im);
        for (int64_t i = 0; i < (int64_t)OF(LANES) && i < left; i++)
            to[i] = (struct OF(pair)){re[i], im[i]};
    }
}

static void OF(run_columns)(const struct fft_square *square, const void *in, void *middle, int64_t first,
                            int64_t last, bool swap, void *scratch)
{
    struct OF(pair) *x = scratch, *y = x + square->column->rows;
    for (int64_t block = first; block < last; block++) {
        OF(load_column)(square, in, block, swap, x);
        OF(turn_column)(square, OF(line)(square->column, x, y), block, middle);
    }
}

static void OF(run_rows)(const struct fft_square *square, void *middle, void *out, int64_t first,
                         int64_t last, bool swap, void *scratch)
{
    const int64_t n1 = square->n1, n2 = square->n2;
    const bool in_place = !square->row->convolution; /* else the line needs more rows than the block has */
    struct OF(pair) *x = scratch, *y = x + square->row->rows;
    for (int64_t block = first; block < last; block++) {
        struct OF(pair) *z = (struct OF(pair) *)middle + block * n2;
        REAL *at = (REAL *)out + 2 * block * (int64_t)OF(LANES);
        int64_t left = n1 - block * (int64_t)OF(LANES);
        if (!in_place) z = memcpy(x, z, (size_t)n2 * sizeof *z);
        z = OF(line)(square->row, z, y);
        for (int64_t k = 0; k < n2 && left >= (int64_t)OF(LANES); k++)
            OF(put_pair)(at + 2 * k * n1, z[k], swap);
        for (int64_t k = 0; k < n2 && left < (int64_t)OF(LANES); k++) {
            REAL last_ones[2 * OF(LANES)];
            OF(put_pair)(last_ones, z[k], swap);
            memcpy(at + 2 * k * n1, last_ones, (size_t)left * 2 * sizeof(REAL));
        }
    }
}

/* ---- on one line, element by element */

static void OF(multiply)(const void *a_, const void *b_, void *out_, int64_t n, bool swap_in, bool swap_out)
{
    const REAL *a = a_, *b = b_;
    REAL *out = out_;
    for (int64_t j = 0; j < n; j++) {
        REAL x = a[2 * j + swap_in], y = a[2 * j + !swap_in];
        REAL re = x * b[2 * j] - y * b[2 * j + 1], im = x * b[2 * j + 1] + y * b[2 * j];
        out[2 * j] = swap_out ? im : re, out[2 * j + 1] = swap_out ? re : im;
    }
}

/* As split_lanes and join_lanes; z: complex numbers of one line. */
static void OF(split)(const struct fft_axis *axis, const void *half, void *out)
{
    const REAL *z = half, *w = axis->split;
    const int64_t h = axis->n / 2, step = axis->out_step;
    REAL *x = out, first = z[0], second = z[1];
    x[0] = first + second, x[1] = 0;
    x[h * step] = first - second, x[h * step + 1] = 0;
    for (int64_t k = 1; k <= h - k; k++) {
        const REAL *a = z + 2 * k, *b = z + 2 * (h - k);
        REAL even_re = a[0] + b[0], even_im = a[1] - b[1], re = a[1] + b[1], im = b[0] - a[0];
        REAL odd_re = re * w[2 * k] - im * w[2 * k + 1], odd_im = re * w[2 * k + 1] + im * w[2 * k];
        REAL *up = x + k * step, *down = x + (h - k) * step;
        up[0] = (even_re + odd_re) / 2, up[1] = (even_im + odd_im) / 2;
        down[0] = (even_re - odd_re) / 2, down[1] = (odd_im - even_im) / 2;
    }
}

static void OF(join)(const struct fft_axis *axis, const void *in, void *half)
{
    const REAL *x = in, *w = axis->split;
    const int64_t h = axis->n / 2, step = axis->in_step;
    REAL *z = half;
    z[0] = x[0] - x[h * step], z[1] = x[0] + x[h * step];
    for (int64_t k = 1; k <= h - k; k++) {
        const REAL *a = x + k * step, *b = x + (h - k) * step;
        REAL sum_re = a[0] + b[0], sum_im = a[1] - b[1], re = a[0] - b[0], im = a[1] + b[1];
        REAL odd_re = re * w[2 * k] + im * w[2 * k + 1], odd_im = im * w[2 * k] - re * w[2 * k + 1];
        z[2 * k + 1] = sum_re - odd_im, z[2 * k] = sum_im + odd_re;
        z[2 * (h - k) + 1] = sum_re + odd_im, z[2 * (h - k)] = odd_re - sum_im;
    }
}
#endif
