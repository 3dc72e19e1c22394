/* SPDX-License-Identifier: Apache-2.0 */
/* The time of routines of vectors and of a matrix and a vector, by kernels like cuBLAS', and of triangular
 * solves.
 *
 * Models: a start, which the number of kernels makes; bytes at a share of DRAM's rate, or accesses to
 * elements that wait for each other in the kernels' loops, whichever takes longer. A solve with a vector goes
 * row after row; with many right sides block after block of rows, each with a product. Does not model:
 * strides; operands that a kernel before left in L2. Sources: recorded and fitted as timing_gemm.c says. */
#include "timing_routine_priv.h"

#include <math.h>

/* What a kernel's kind costs: ns besides what it moves, accesses to elements that it does in a ns on all
 * multiprocessors, and the share of DRAM's rate that it reaches. */
struct stream {
    double start_ns, accesses, share;
};
/* fitted */
static const struct stream VECTOR = {2680, 632, 0.868}, MATRIX = {2930, 745, 0.88},
                           TRANSPOSE = {5250, 1350, 0.489}, SUM = {5190, 611, 0.926},
                           DOT = {5540, 1280, 0.888}, NORM = {13200, 620, 0.603},
                           PRODUCT = {5550, 1390, 0.95}, PRODUCT_T = {4740, 1150, 0.816};
/* fitted: ns and elements; elements from which the second kernel of a sum has as much to add up as it gets */
static const double PARTS_NS = 3170, PARTS = 73500;

static const struct stream *stream_of(const struct event_routine *r)
{
    switch (r->method) {
    case EVENT_METHOD_DOT: return &DOT;
    case EVENT_METHOD_NORM: return &NORM;
    case EVENT_METHOD_PRODUCT: return &PRODUCT;
    case EVENT_METHOD_PRODUCT_TRANSPOSED: return &PRODUCT_T;
    case EVENT_METHOD_TRANSPOSE: return &TRANSPOSE;
    default: break;
    }
    if (r->kind == EVENT_ROUTINE_REDUCE) return &SUM;
    return r->m == 0 ? &VECTOR : &MATRIX;
}

struct timing_stream timing_stream(const struct event_routine *r, double dram)
{
    const struct stream *s = stream_of(r);
    double bytes = (double)(r->read_bytes + r->wrote_bytes);
    double accesses = bytes / (r->math == EVENT_MATH_F64 ? sizeof(double) : sizeof(float));
    struct timing_stream out = {.start_ns = s->start_ns,
                                .work_ns = fmax(bytes / (s->share * dram), accesses / s->accesses)};
    if (r->kind == EVENT_ROUTINE_REDUCE) out.start_ns += PARTS_NS * fmin(1, (double)r->n / PARTS);
    return out;
}

/* ---- solves */

/* fitted: ns of a row for one right side, and for many in single and double precision; of the first block,
 * which has no product */
static const double SOLVE_NS = 5420, ROW_NS = 59.9, ROWS_NS = 200, ROWS_F64_NS = 339, FIRST_NS = -17300;
static const double PRODUCTS_SHARE = 0.625; /* fitted: of the units' rate */

/* rate: multiply-adds of the whole GPU in a ns */
struct timing_stream timing_solve(const struct event_routine *r, double rate, double *unit_ns)
{
    enum { ONE_BLOCK = 32 }; /* assumed */
    double m = (double)r->m;
    *unit_ns = (double)r->flops / 2 / (rate * PRODUCTS_SHARE);
    if (r->n <= 1) return (struct timing_stream){.start_ns = SOLVE_NS, .work_ns = m * ROW_NS};
    double steps = m * (r->math == EVENT_MATH_F64 ? ROWS_F64_NS : ROWS_NS) + FIRST_NS;
    return (struct timing_stream){.start_ns = SOLVE_NS,
                                  .work_ns = fmax(steps, ONE_BLOCK * ROW_NS) + *unit_ns};
}
