/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: long lines, one at a time. Method: n1 * n2 as a matrix (fft_square_priv.h), with the two factors
 * that take the fewest operations of registers; where n is not a product of small primes, a convolution of
 * such a length. Limits: none of n's factors is taken twice, so each of n1 and n2 must fit a cache in lanes:
 * beyond 2^28 elements that is slow. */
#include "fft_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- chirps: exp(-i pi j^2 / n), and the transform of its conjugate, as long as the convolution */

void fft_chirp_new(enum fft_type type, int64_t n, int64_t length, void **chirp, void **spectrum)
{
    double root[2], *whole = fft_table_new(FFT_F64, (uint64_t)length);
    *chirp = fft_table_new(type, (uint64_t)n);
    *spectrum = fft_table_new(type, (uint64_t)length);
    memset(whole, 0, (size_t)length * 2 * sizeof *whole);
    int64_t turn = 0; /* j * j modulo 2 n */
    for (int64_t j = 0; j < n; turn = (turn + 2 * j + 1) % (2 * n), j++) {
        fft_root((uint64_t)turn, (uint64_t)(2 * n), root);
        fft_table_set(type, *chirp, (uint64_t)j, root);
        root[0] /= (double)length, root[1] /= -(double)length;
        fft_table_set(FFT_F64, whole, (uint64_t)j, root);
        if (j) fft_table_set(FFT_F64, whole, (uint64_t)(length - j), root);
    }
    struct fft_square *square = fft_square_new(FFT_F64, length);
    fft_square_run(FFT_F64, square, whole, whole, false, false);
    fft_square_free(square);
    for (int64_t j = 0; j < length; j++)
        fft_table_set(type, *spectrum, (uint64_t)j, whole + 2 * j);
    free(whole);
}

/* ---- factors */

static int64_t blocks(int64_t n, int64_t lanes)
{
    return (n + lanes - 1) / lanes;
}

static double cost_of(int64_t n1, int64_t n2, int64_t lanes)
{
    enum { TURN = 14 }; /* operations of an element between columns and rows: factors, a transposition */
    double columns = (double)blocks(n2, lanes), rows = (double)blocks(n1, lanes);
    return columns * (fft_line_cost(n1) + TURN * (double)n1) + rows * fft_line_cost(n2);
}

static void factors_find(struct fft_square *square, int64_t lanes)
{
    double least = 0;
    for (int64_t n1 = 2; n1 * n1 <= square->n; n1++) {
        if (square->n % n1) continue;
        for (int turn = 0; turn < 2; turn++) {
            int64_t first = turn ? square->n / n1 : n1;
            double cost = cost_of(first, square->n / first, lanes);
            if (square->n1 && cost >= least) continue;
            least = cost;
            square->n1 = first, square->n2 = square->n / first;
        }
    }
}

/* exp(-2 pi i k1 j / n) in two factors: of the block's first j, and of j in the block, a register a row. */
static void tables_init(enum fft_type type, struct fft_square *square, int64_t lanes)
{
    const int64_t n1 = square->n1, n2 = square->n2;
    double root[2];
    square->base = fft_table_new(type, (uint64_t)(blocks(n2, lanes) * n1));
    square->lane = fft_table_new(type, (uint64_t)(n1 * lanes));
    for (int64_t block = 0; block < blocks(n2, lanes); block++)
        for (int64_t k = 0; k < n1; k++) {
            fft_root((uint64_t)(k * block * lanes), (uint64_t)square->n, root);
            fft_table_set(type, square->base, (uint64_t)(block * n1 + k), root);
        }
    for (int64_t k = 0; k < n1; k++)
        for (int64_t j = 0; j < lanes; j++) {
            fft_root((uint64_t)(k * j % square->n), (uint64_t)square->n, root);
            for (int part = 0; part < 2; part++) {
                int64_t at = (2 * k + part) * lanes + j;
                if (type == FFT_F32)
                    ((float *)square->lane)[at] = (float)root[part];
                else
                    ((double *)square->lane)[at] = root[part];
            }
        }
}

struct fft_square *fft_square_new(enum fft_type type, int64_t n)
{
    struct fft_square *square = sw_xcalloc(1, sizeof *square);
    int64_t lanes = fft_ops_get(type)->lanes;
    square->n = n;
    if (fft_is_smooth(n)) factors_find(square, lanes);
    if (!square->n1) { /* a prime, or with one that is too large for passes */
        int64_t length = fft_convolution_length(n);
        square->convolution = fft_square_new(type, length);
        fft_chirp_new(type, n, length, &square->chirp, &square->spectrum);
        return square;
    }
    square->column = fft_line_new(type, square->n1);
    square->row = fft_line_new(type, square->n2);
    tables_init(type, square, lanes);
    square->columns_cost = (double)blocks(square->n2, lanes) * fft_line_cost(square->n1);
    square->rows_cost = (double)blocks(square->n1, lanes) * fft_line_cost(square->n2);
    return square;
}

void fft_square_free(struct fft_square *square)
{
    if (!square) return;
    fft_line_free(square->column);
    fft_line_free(square->row);
    fft_square_free(square->convolution);
    free(square->base);
    free(square->lane);
    free(square->chirp);
    free(square->spectrum);
    free(square);
}

double fft_square_cost(enum fft_type type, int64_t n)
{
    struct fft_square square = {.n = n};
    int64_t lanes = fft_ops_get(type)->lanes, length = fft_convolution_length(n);
    if (fft_is_smooth(n)) factors_find(&square, lanes);
    if (square.n1) return cost_of(square.n1, square.n2, lanes);
    return 2 * fft_square_cost(type, length) + 6 * (double)length;
}

/* ---- running */

struct square_run {
    const struct fft_ops *ops;
    const struct fft_square *square;
    const void *in;
    void *middle, *out;
    bool swap_in, swap_out;
};

static void columns_run(void *user, int64_t first, int64_t last)
{
    const struct square_run *run = user;
    void *scratch = fft_scratch_get(FFT_SCRATCH_LANES, fft_line_scratch(run->square->column));
    run->ops->run_columns(run->square, run->in, run->middle, first, last, run->swap_in, scratch);
}

static void rows_run(void *user, int64_t first, int64_t last)
{
    const struct square_run *run = user;
    void *scratch = fft_scratch_get(FFT_SCRATCH_LANES, fft_line_scratch(run->square->row));
    run->ops->run_rows(run->square, run->middle, run->out, first, last, run->swap_out, scratch);
}

static void convolution_run(enum fft_type type, const struct fft_square *square, const void *in, void *out,
                            bool swap_in, bool swap_out)
{
    const struct fft_ops *ops = fft_ops_get(type);
    const struct fft_square *whole = square->convolution;
    uint64_t bytes = 2 * fft_real_bytes(type);
    char *line = fft_scratch_get(FFT_SCRATCH_CHIRP, (uint64_t)whole->n * bytes);
    ops->multiply(in, square->chirp, line, square->n, swap_in, false);
    memset(line + (uint64_t)square->n * bytes, 0, (uint64_t)(whole->n - square->n) * bytes);
    fft_square_run(type, whole, line, line, false, false);
    ops->multiply(line, square->spectrum, line, whole->n, false, true);
    fft_square_run(type, whole, line, line, false, false);
    ops->multiply(line, square->chirp, out, square->n, true, swap_out);
}

void fft_square_run(enum fft_type type, const struct fft_square *square, const void *in, void *out,
                    bool swap_in, bool swap_out)
{
    if (square->convolution) {
        convolution_run(type, square, in, out, swap_in, swap_out);
        return;
    }
    const struct fft_ops *ops = fft_ops_get(type);
    int64_t lanes = ops->lanes, columns = blocks(square->n2, lanes), rows = blocks(square->n1, lanes);
    struct square_run run = {ops, square, in, NULL, out, swap_in, swap_out};
    uint64_t bytes = (uint64_t)(rows * lanes * square->n2) * 2 * fft_real_bytes(type);
    run.middle = fft_scratch_get(FFT_SCRATCH_MIDDLE, bytes);
    fft_parallel(columns, square->columns_cost, columns_run, &run);
    fft_parallel(rows, square->rows_cost, rows_run, &run);
}
