/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a routine of LAPACK's, which NVIDIA computes with many kernels, some of them on the host's
 * advice.
 *
 * Models: a start; steps that wait for each other, of which there are as many as columns, and which get
 * longer with their number (step * n^power); the operations of all, at a share of the units' rate; batches in
 * waves of one item a multiprocessor. Pauses between kernels are part of all. Does not model: which of its
 * algorithms NVIDIA's library takes at which size, so that times right at a change are off by up to a half;
 * other GPUs' pauses and latencies. Sources: fitted to the calls of cuSOLVER of even place that were timed by
 * events on an H200 (tests/hw/libraries), and compared with the others. */
#include "timing_routine_priv.h"

#include <math.h>

/* all but `to` are fitted */
struct lapack_time {
    double start_ns, step_ns, power, share; /* share: of the units' rate; 0: operations do not count */
    double vectors;                         /* so many times as long with vectors */
    double doubles;                         /* so many times as long in double precision */
    unsigned to;                            /* implementation: up to this order an algorithm of its own, */
    double small_ns;                        /* with so many ns a column */
};
/* fitted */
static const struct lapack_time TIMES[EVENT_ROUTINE_KINDS] = {
    [EVENT_ROUTINE_CHOLESKY] = {1890, 466, 0.942, 1, 1, 1.2, 0, 0},
    [EVENT_ROUTINE_INVERSE] = {30000, 14.5, 1.6, 1, 1, 1.25, 0, 0},
    [EVENT_ROUTINE_LU] = {51500, 248, 1.29, 1, 1, 1.15, 0, 0},
    [EVENT_ROUTINE_MIXED] = {364000, 443, 1.23, 0.41, 1, 1, 0, 0},
    [EVENT_ROUTINE_INDEFINITE] = {281000, 19900, 1.09, 1, 1, 0.969, 0, 0},
    [EVENT_ROUTINE_TRIANGLE] = {24500, 108, 0.996, 1, 1, 1.1, 0, 0},
    [EVENT_ROUTINE_TRIANGLE_LU] = {14500, 708, 0.811, 0.001, 1, 1.1, 0, 0},
    [EVENT_ROUTINE_QR] = {108000, 464, 1.29, 1, 1, 1, 0, 0},
    [EVENT_ROUTINE_GENERATE] = {1080, 1520, 0.901, 0.965, 1, 1, 0, 0},
    [EVENT_ROUTINE_REFLECT] = {58500, 510, 0.975, 0.507, 1, 0.874, 192, 8910},
    [EVENT_ROUTINE_TRIDIAGONAL] = {0, 273, 1.5, 1, 1, 1.1, 0, 0},
    [EVENT_ROUTINE_BIDIAGONAL] = {1200, 38200, 1.01, 0.103, 1, 1.1, 64, 4550},
    [EVENT_ROUTINE_EIGEN] = {367000, 921, 1.32, 1, 1.08, 1.1, 0, 0},
    [EVENT_ROUTINE_SVD] = {4360, 7740, 1.29, 0.07, 1.84, 1.08, 64, 4200},
    [EVENT_ROUTINE_JACOBI] = {0, 1800, 1.4, 0.0129, 1, 1.46, 0, 0},
    [EVENT_ROUTINE_JACOBI_SVD] = {539000, 159, 1.91, 0.21, 1, 1.49, 0, 0}};
/* fitted: with many right sides */
static const struct lapack_time SIDES = {0, 349, 1.05, 0.606, 1, 1.1, 0, 0},
                                SIDES_LU = {0, 600, 1.07, 0.541, 1, 1.1, 0, 0};
/* fitted: the steps of a wave of a batch */
static const struct lapack_time BATCH = {15000, 2.69, 2.2, 0, 1, 1.1, 0, 0},
                                BATCH_EIGEN = {15000, 619, 1, 0, 1, 1.4, 0, 0},
                                BATCH_SVD = {15000, 4960, 1, 0, 1, 1.4, 0, 0};

static const struct lapack_time *time_of(const struct event_routine *r)
{
    bool is_svd = r->kind == EVENT_ROUTINE_SVD || r->kind == EVENT_ROUTINE_JACOBI_SVD;
    if (r->batch > 1) return is_svd ? &BATCH_SVD : r->kind >= EVENT_ROUTINE_EIGEN ? &BATCH_EIGEN : &BATCH;
    if (r->kind == EVENT_ROUTINE_TRIANGLE && r->k > 1) return &SIDES;
    if (r->kind == EVENT_ROUTINE_TRIANGLE_LU && r->k > 1) return &SIDES_LU;
    return &TIMES[r->kind];
}

static double columns_of(const struct event_routine *r)
{
    if (r->kind == EVENT_ROUTINE_REFLECT) return (double)(r->k ? r->k : r->m);
    return (double)(r->m < r->n ? r->m : r->n);
}

double timing_lapack_ns(const struct event_routine *r, double sms, double rate, double *unit_ns)
{
    const struct lapack_time *t = time_of(r);
    double n = columns_of(r), waves = r->batch > 1 ? ceil((double)r->batch / sms) : 1;
    bool vectors = r->kind >= EVENT_ROUTINE_EIGEN && r->k;
    *unit_ns = t->share > 0 ? (double)r->flops / 2 / (rate * t->share) : 0;
    double ns = t->start_ns + t->step_ns * pow(n, t->power) * waves + *unit_ns;
    if (n <= t->to && !vectors) ns = t->start_ns + t->small_ns * n;
    if (vectors) ns *= t->vectors;
    return r->math == EVENT_MATH_F64 ? ns * t->doubles : ns;
}
