/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a routine of LAPACK's, which NVIDIA computes with many kernels, some of them on the host's
 * advice.
 *
 * Models: a start; columns one after the other, each as long as its panel's kernels take to start and to wait
 * for each other; the elements that panels read below their diagonals; the operations of all, at the units'
 * rate. The last columns of reductions go to faster kernels, and few reflectors to slower ones. Double
 * precision makes all but the operations longer. Batches go in waves of one item a multiprocessor. Pauses
 * between kernels are part of all. Does not model: other GPUs' pauses and latencies; how many sweeps Jacobi's
 * methods need; batches of other routines than those that were recorded. Sources: fitted to one half of the
 * calls of cuSOLVER that were timed by events on an H200 (tests/hw/libraries), and compared with the others.
 */
#include "timing_routine_priv.h"

#include <math.h>

struct lapack_time {
    double start_ns, column_ns, element_ns;
    double last_ns; /* each of the last columns, */
    unsigned last;  /* which are so many */
};
/* fitted: of one right side and of many, without vectors and with them, of many reflectors and of few */
static const struct lapack_time TIMES[EVENT_ROUTINE_KINDS][2] = {
    [EVENT_ROUTINE_CHOLESKY] = {{6010, 320, 0, 0, 0}},
    [EVENT_ROUTINE_INVERSE] = {{20300, 365, 1.21, 0, 0}},
    [EVENT_ROUTINE_LU] = {{6030, 1450, 0.725, 0, 0}},
    [EVENT_ROUTINE_MIXED] = {{254000, 1750, 0.569, 0, 0}},
    [EVENT_ROUTINE_INDEFINITE] = {{1200, 30800, 3.92, 0, 0}},
    [EVENT_ROUTINE_TRIANGLE] = {{28100, 91.7, 0.0136, 0, 0}, {1680, 471, 0.0861, 0, 0}},
    [EVENT_ROUTINE_TRIANGLE_LU] = {{21500, 221, 0.0103, 0, 0}, {300, 686, 0.27, 0, 0}},
    [EVENT_ROUTINE_QR] = {{19900, 2660, 1.37, 0, 0}},
    [EVENT_ROUTINE_GENERATE] = {{32600, 438, 0.233, 0, 0}},
    [EVENT_ROUTINE_REFLECT] = {{140000, 62.1, 0.2, 0, 0}, {126000, 6620, 0.0499, 0, 0}},
    [EVENT_ROUTINE_TRIDIAGONAL] = {{16700, 7080, 2.96, 1500, 110}},
    [EVENT_ROUTINE_BIDIAGONAL] = {{22600, 47500, 0.0321, 4170, 64}},
    [EVENT_ROUTINE_EIGEN] = {{876, 7790, 3.14, 4360, 110}, {66600, 9230, 0.0105, 0, 0}},
    [EVENT_ROUTINE_SVD] = {{22200, 52100, 20.6, 5830, 64}, {3240, 67600, 77.3, 0, 0}},
    [EVENT_ROUTINE_JACOBI] = {[1] = {17800, 9680, 63.4, 0, 0}},
    [EVENT_ROUTINE_JACOBI_SVD] = {[1] = {94200, 11500, 92.3, 0, 0}}};
/* fitted: a wave of a batch's items */
static const struct lapack_time BATCHES[EVENT_ROUTINE_KINDS] = {
    [EVENT_ROUTINE_CHOLESKY] = {1690, 0.5, 13.7, 0, 0},
    [EVENT_ROUTINE_JACOBI] = {2680, 1.06, 81, 0, 0},
    [EVENT_ROUTINE_JACOBI_SVD] = {14600, 4270, 0.05, 0, 0}};
/* fitted: times as long as single precision, of most and of Jacobi's methods */
static const double DOUBLES = 1.1, JACOBI_DOUBLES = 1.37, JACOBI_BATCH_DOUBLES = 1.76, SVD_DOUBLES = 1.55,
                    SVD_BATCH_DOUBLES = 2.32;
enum { FEW_REFLECTORS = 192 }; /* recorded: between 128 and 256 another algorithm begins */

static double doubles_of(const struct event_routine *r)
{
    if (r->kind == EVENT_ROUTINE_JACOBI) return r->batch > 1 ? JACOBI_BATCH_DOUBLES : JACOBI_DOUBLES;
    if (r->kind == EVENT_ROUTINE_JACOBI_SVD) return r->batch > 1 ? SVD_BATCH_DOUBLES : SVD_DOUBLES;
    return DOUBLES;
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

/* What panels, right sides, or what is multiplied by reflectors have. */
static double elements_of(const struct event_routine *r, double columns)
{
    double m = (double)r->m, n = (double)r->n;
    if (is_solve(r) && r->k > 1) return n * (double)r->k;
    if (r->kind == EVENT_ROUTINE_REFLECT) return m * n;
    return (is_reflectors(r) ? m : fmax(m, n)) * columns - columns * columns / 2;
}

static const struct lapack_time *time_of(const struct event_routine *r, double columns)
{
    bool has_vectors = r->kind >= EVENT_ROUTINE_EIGEN && r->k, is_svd = r->kind == EVENT_ROUTINE_SVD;
    if (r->batch > 1 && BATCHES[r->kind].start_ns > 0) return &BATCHES[r->kind];
    if (r->batch > 1) return &BATCHES[is_svd ? EVENT_ROUTINE_JACOBI_SVD : EVENT_ROUTINE_JACOBI];
    bool is_other = is_solve(r)                        ? r->k > 1
                    : r->kind == EVENT_ROUTINE_REFLECT ? columns <= FEW_REFLECTORS
                                                       : has_vectors;
    const struct lapack_time *t = &TIMES[r->kind][is_other];
    return t->start_ns > 0 ? t : &TIMES[r->kind][!is_other];
}

double timing_lapack_ns(const struct event_routine *r, double sms, double rate, double *unit_ns)
{
    double columns = columns_of(r);
    const struct lapack_time *t = time_of(r, columns);
    double last = fmin(columns, t->last), waves = r->batch > 1 ? ceil((double)r->batch / sms) : 1;
    double ns = t->start_ns + t->column_ns * (columns - last) + t->last_ns * last +
                t->element_ns * elements_of(r, columns);
    *unit_ns = (double)r->flops / 2 / rate;
    return ns * waves * (r->math == EVENT_MATH_F64 ? doubles_of(r) : 1) + *unit_ns;
}
