/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a routine of LAPACK's, which NVIDIA computes with many kernels, some of them on the host's
 * advice.
 *
 * Models: a start; columns one after the other, each as long as its panel's kernels take to start and to wait
 * for each other; the elements that panels read below their diagonals; the operations of all, at the units'
 * rate. The last columns of reductions go to faster kernels, and so do small orders; few reflectors go to
 * slower ones. Double precision and complex numbers make all but the operations longer. A batch's items are
 * done at the same time, as far as their elements allow. Pauses between kernels are part of all. Does not
 * model: other GPUs' pauses and latencies; how many sweeps Jacobi's methods and refinements need; eigenvalues
 * of matrices that are not symmetric, which are taken for others. Sources: fitted to one half of the calls of
 * cuSOLVER that were timed by events on an H200 (tests/hw/libraries), and compared with the others. */
#include "timing_routine_priv.h"

#include <math.h>

struct lapack_time {
    double start_ns, column_ns, element_ns;
    double doubles, complexes; /* times as long as single precision and real numbers */
    double last_ns;            /* each of the last columns */
    unsigned last;             /* these are so many; of bidiagonal ones, the rest of blocks of so many */
};
/* What NVIDIA's library has kernels of its own for. */
enum algorithm {
    CHOLESKY,
    CHOLESKY_UPPER,
    CHOLESKY_COMPLEX,
    INVERSE,
    INVERSE_SMALL,
    LU,
    MIXED,
    INDEFINITE,
    TRIANGLE,
    TRIANGLE_SIDES,
    TRIANGLE_LU,
    TRIANGLE_LU_SIDES,
    QR,
    LEAST_SQUARES,
    LEAST_SQUARES_TALL,
    GENERATE,
    REFLECT,
    REFLECT_FEW,
    REFLECT_ONE_BLOCK,
    TRIDIAGONAL,
    BIDIAGONAL,
    EIGEN,
    EIGEN_VECTORS,
    EIGEN_ONE_BLOCK,
    EIGEN_PAIR,
    EIGEN_PAIR_VECTORS,
    SVD,
    SVD_VECTORS,
    JACOBI,
    JACOBI_SVD,
    BATCH_CHOLESKY,
    BATCH_TRIANGLE,
    BATCH_JACOBI,
    BATCH_JACOBI_SVD
};
#define DOUBLES   1.1 /* fitted: of most */
#define COMPLEXES 1.1 /* fitted: of most */
/* fitted */
static const struct lapack_time TIMES[] = {
    [CHOLESKY] = {11500, 327, 0, DOUBLES, COMPLEXES, 0, 0},
    [CHOLESKY_UPPER] = {13000, 551, 1.08, DOUBLES, COMPLEXES, 0, 0},
    [CHOLESKY_COMPLEX] = {4010, 579, 0.0806, 0.71, 1.1, 0, 0},
    [INVERSE] = {300, 576, 1.05, DOUBLES, COMPLEXES, 0, 0},
    [INVERSE_SMALL] = {19100, 391, 0.023, DOUBLES, COMPLEXES, 0, 0},
    [LU] = {3450, 1470, 0.627, DOUBLES, COMPLEXES, 0, 0},
    [MIXED] = {224000, 1880, 0.598, DOUBLES, COMPLEXES, 0, 0},
    [INDEFINITE] = {300, 31400, 4.27, DOUBLES, COMPLEXES, 0, 0},
    [TRIANGLE] = {24100, 106, 0.0028, DOUBLES, COMPLEXES, 0, 0},
    [TRIANGLE_SIDES] = {5220, 370, 0.0961, 1.47, 1.54, 0, 0},
    [TRIANGLE_LU] = {20200, 211, 0.0215, DOUBLES, COMPLEXES, 0, 0},
    [TRIANGLE_LU_SIDES] = {3520, 542, 0.497, DOUBLES, COMPLEXES, 0, 0},
    [QR] = {300, 2570, 1.61, DOUBLES, COMPLEXES, 0, 0},
    [LEAST_SQUARES] = {20400, 4060, 0.0506, DOUBLES, COMPLEXES, 0, 0},
    [LEAST_SQUARES_TALL] = {7670000, 4040, 0.05, DOUBLES, COMPLEXES, 0, 0},
    [GENERATE] = {26300, 648, 0.0931, DOUBLES, COMPLEXES, 0, 0},
    [REFLECT] = {44400, 409, 0.117, DOUBLES, COMPLEXES, 0, 0},
    [REFLECT_FEW] = {293000, 3530, 7.83, DOUBLES, COMPLEXES, 0, 0},
    [REFLECT_ONE_BLOCK] = {15700, 263, 0.05, DOUBLES, COMPLEXES, 0, 0},
    [TRIDIAGONAL] = {300, 5660, 4.98, DOUBLES, COMPLEXES, 1500, 64},
    [BIDIAGONAL] = {564, 45800, 2.58, DOUBLES, COMPLEXES, 4420, 64},
    [EIGEN] = {300, 8080, 2.79, DOUBLES, COMPLEXES, 4480, 110},
    [EIGEN_VECTORS] = {438, 5100, 5.69, DOUBLES, COMPLEXES, 10800, 110},
    [EIGEN_ONE_BLOCK] = {171000, 344, 0.05, DOUBLES, COMPLEXES, 0, 0},
    [EIGEN_PAIR] = {956, 9670, 0.394, DOUBLES, COMPLEXES, 7110, 110},
    [EIGEN_PAIR_VECTORS] = {21000, 8590, 4.34, DOUBLES, COMPLEXES, 8970, 110},
    [SVD] = {300, 50500, 19.8, DOUBLES, COMPLEXES, 5490, 64},
    [SVD_VECTORS] = {377000, 91400, 18, DOUBLES, COMPLEXES, 20000, 64},
    [JACOBI] = {300, 9960, 73.1, 1.37, 1.7, 0, 0},
    [JACOBI_SVD] = {300, 16200, 85.9, 1.49, 1.91, 0, 0},
    [BATCH_CHOLESKY] = {7830, 767, 0.011, DOUBLES, COMPLEXES, 0, 0},
    [BATCH_TRIANGLE] = {12300, 1350, 0.00833, DOUBLES, COMPLEXES, 0, 0},
    [BATCH_JACOBI] = {23600, 1310, 0.42, 1.29, 1.48, 0, 0},
    [BATCH_JACOBI_SVD] = {46600, 3770, 39.6, 1.62, 1.52, 0, 0}};
static const double SIDE_NS = 59000; /* fitted: refinement of each right side but the first */
/* measured: up to these orders other algorithms, or up to one below the next recorded (384; 64; 199) */
enum { SMALL_INVERSE = 256, ONE_BLOCK = 32, FEW_REFLECTORS = 192 };

static bool is_complex(const struct event_routine *r)
{
    return r->method == EVENT_METHOD_COMPLEX || r->method == EVENT_METHOD_UPPER_COMPLEX;
}

static bool is_solve(const struct event_routine *r)
{
    return r->kind == EVENT_ROUTINE_TRIANGLE || r->kind == EVENT_ROUTINE_TRIANGLE_LU;
}

static bool is_reflectors(const struct event_routine *r)
{
    return r->kind == EVENT_ROUTINE_REFLECT || r->kind == EVENT_ROUTINE_GENERATE;
}

static double columns_of(const struct event_routine *r)
{
    double least = (double)(r->m < r->n ? r->m : r->n);
    if (is_reflectors(r) && r->k) return (double)r->k;
    return r->kind == EVENT_ROUTINE_REFLECT ? (double)r->m : least;
}

/* What panels, right sides, or what is multiplied by reflectors have; of batches, all items' matrices, or,
 * where a warp goes from column to column, their columns. */
static double elements_of(const struct event_routine *r, double columns)
{
    double m = (double)r->m, n = (double)r->n;
    if (r->batch > 1) return (double)r->batch * n * (r->kind == EVENT_ROUTINE_JACOBI_SVD ? 1 : n);
    if (is_solve(r) && r->k > 1) return n * (double)r->k;
    if (r->kind == EVENT_ROUTINE_REFLECT) return m * n;
    return (is_reflectors(r) ? m : fmax(m, n)) * columns - columns * columns / 2;
}

static const struct lapack_time *batch_of(const struct event_routine *r)
{
    switch (r->kind) {
    case EVENT_ROUTINE_CHOLESKY: return &TIMES[BATCH_CHOLESKY];
    case EVENT_ROUTINE_TRIANGLE: return &TIMES[BATCH_TRIANGLE];
    case EVENT_ROUTINE_SVD:
    case EVENT_ROUTINE_JACOBI_SVD: return &TIMES[BATCH_JACOBI_SVD];
    default: return &TIMES[BATCH_JACOBI];
    }
}

static enum algorithm factor_of(const struct event_routine *r)
{
    switch (r->kind) {
    case EVENT_ROUTINE_CHOLESKY:
        if (r->method == EVENT_METHOD_UPPER || r->method == EVENT_METHOD_UPPER_COMPLEX) return CHOLESKY_UPPER;
        return is_complex(r) ? CHOLESKY_COMPLEX : CHOLESKY;
    case EVENT_ROUTINE_INVERSE: return r->n <= SMALL_INVERSE ? INVERSE_SMALL : INVERSE;
    case EVENT_ROUTINE_LU: return LU;
    case EVENT_ROUTINE_MIXED: return MIXED;
    case EVENT_ROUTINE_INDEFINITE: return INDEFINITE;
    case EVENT_ROUTINE_TRIANGLE: return r->k > 1 ? TRIANGLE_SIDES : TRIANGLE;
    case EVENT_ROUTINE_TRIANGLE_LU: return r->k > 1 ? TRIANGLE_LU_SIDES : TRIANGLE_LU;
    case EVENT_ROUTINE_LEAST_SQUARES: return r->m > r->n ? LEAST_SQUARES_TALL : LEAST_SQUARES;
    default: return QR;
    }
}

static enum algorithm algorithm_of(const struct event_routine *r, double columns)
{
    bool has_vectors = r->k;
    switch (r->kind) {
    case EVENT_ROUTINE_GENERATE: return GENERATE;
    case EVENT_ROUTINE_REFLECT:
        if (columns <= ONE_BLOCK) return REFLECT_ONE_BLOCK;
        return columns <= FEW_REFLECTORS ? REFLECT_FEW : REFLECT;
    case EVENT_ROUTINE_TRIDIAGONAL: return TRIDIAGONAL;
    case EVENT_ROUTINE_BIDIAGONAL: return BIDIAGONAL;
    case EVENT_ROUTINE_EIGEN:
        if (!has_vectors) return EIGEN;
        return r->n <= ONE_BLOCK ? EIGEN_ONE_BLOCK : EIGEN_VECTORS;
    case EVENT_ROUTINE_EIGEN_PAIR: return has_vectors ? EIGEN_PAIR_VECTORS : EIGEN_PAIR;
    case EVENT_ROUTINE_SVD: return has_vectors ? SVD_VECTORS : SVD;
    case EVENT_ROUTINE_JACOBI: return JACOBI;
    case EVENT_ROUTINE_JACOBI_SVD: return JACOBI_SVD;
    default: return factor_of(r);
    }
}

static double last_columns(const struct event_routine *r, const struct lapack_time *t, double columns)
{
    bool in_blocks = r->kind == EVENT_ROUTINE_BIDIAGONAL || r->kind == EVENT_ROUTINE_SVD;
    if (!t->last || !in_blocks) return fmin(columns, t->last);
    return columns - t->last * fmax(ceil(columns / t->last) - 1, 0);
}

/* rate: multiply-adds of the whole GPU in a ns */
double timing_lapack_ns(const struct event_routine *r, double rate, double *unit_ns)
{
    double columns = columns_of(r);
    const struct lapack_time *t = r->batch > 1 ? batch_of(r) : &TIMES[algorithm_of(r, columns)];
    double last = r->batch > 1 ? 0 : last_columns(r, t, columns);
    double ns = t->start_ns + t->column_ns * (columns - last) + t->last_ns * last +
                t->element_ns * elements_of(r, columns);
    if (r->kind == EVENT_ROUTINE_MIXED && r->k > 1) ns += SIDE_NS * (double)(r->k - 1);
    *unit_ns = r->batch > 1 ? 0 : (double)r->flops / 2 / rate;
    if (r->math == EVENT_MATH_F64) ns *= t->doubles;
    if (is_complex(r)) ns *= t->complexes;
    return ns + *unit_ns;
}
