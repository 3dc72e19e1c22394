/* SPDX-License-Identifier: Apache-2.0 */
/* The time of routines of sparse matrices by kernels like cuSPARSE's.
 *
 * Models: kernels that start one after the other; rows, elements, bytes of the other operand that elements
 * choose, and what of these is not beside what elements near by chose, each at a rate of the method's; no
 * faster than memory. Of solves, rows that wait for each other. Of matrices with few diagonals in
 * interleaved batches, a thread's rows.
 * Does not model: rows of very different lengths; operands that a kernel before left in L2.
 * Sources: which kernels run: their names, as ncu printed them of cuSPARSE on an H200 (tests/hw/libraries).
 * What is fitted: to the fitted half of the calls recorded there, and compared with the others. */
#include "timing_routine_priv.h"

#include <math.h>

/* What a method costs: ns of each kernel (0: as most), and on all multiprocessors ps of a row, an element, a
 * byte of the operand that elements choose, and such a byte that is not near one before. */
struct sparse {
    double kernel_ns, row_ps, element_ps, byte_ps, gather_ps;
};
/* fitted */
static const struct sparse SPARSE[EVENT_METHODS] = {
    [EVENT_METHOD_USUAL] = {3090, 0, 2.01, 0, 0},
    [EVENT_METHOD_DOT] = {5080, 0, 1.69, 0, 0},
    [EVENT_METHOD_CSR] = {2970, 0.000973, 2.44, 0.146, 0.17},
    [EVENT_METHOD_CSR_ORDERED] = {3850, 0.138, 3.63, 0.146, 0.17},
    [EVENT_METHOD_CSR_TRANSPOSED] = {3780, 8.01, 4.04, 0.146, 0.17},
    [EVENT_METHOD_COO] = {5080, 7.09, 0.674, 0.146, 0.17},
    [EVENT_METHOD_CSR_COLUMNS] = {3690, 27.5, 4.41, 0.69, 0.177},
    [EVENT_METHOD_CSR_ROWS] = {3090, 15.1, 51, 0.00474, 0.168},
    [EVENT_METHOD_COO_ROWS] = {7330, 15.1, 51, 0.00474, 0.168},
    [EVENT_METHOD_SAMPLED] = {4240, 26.3, 30, 0.205, 0.044},
    [EVENT_METHOD_PHASE] = {0, 0, 20.8, 0, 0},
    [EVENT_METHOD_LISTS] = {0, 0.454, 2.72, 0, 0},
    [EVENT_METHOD_MERGE] = {0, 1760, 17.6, 0, 0},
    [EVENT_METHOD_TO_BLOCKS] = {0, 5840, 4.11, 0, 0},
    [EVENT_METHOD_BLOCKS] = {14500, 24.5, 3.23, 0.0827, 0.03},
    [EVENT_METHOD_TO_DENSE] = {0, 0, 119, 0, 0},
    [EVENT_METHOD_COMPRESS] = {0, 9290, 2.31, 0, 0},
    [EVENT_METHOD_SORTED_LISTS] = {0, 0, 67.8, 0, 0},
    [EVENT_METHOD_COUNT] = {0, 14300, 0.00672, 0, 0},
    [EVENT_METHOD_BANDS_SHARED] = {11500, 0, 0, 0, 0},
    [EVENT_METHOD_BANDS] = {0, 0, 13.1, 0, 0}};
static const double KERNEL_NS = 4220; /* fitted: of most kernels */
static const double SEARCH_NS = 663;  /* fitted: of each step of the search that divides rows among blocks */
static const double DRAM_SHARE = 0.806; /* fitted: of DRAM's rate */
/* Fitted: of solves ns besides, of a step, and ps of an element: for one right side, for more, and of
 * factorizations. */
struct solve {
    double start_ns, step_ns, element_ps;
};
/* fitted */
static const struct solve SOLVE = {20100, 933, 11.8}, SOLVES = {79400, 2050, 50.6},
                          FACTOR = {13000, 1800, 156};
static const double SORT_NS = 1030000, KEY_PS = 539; /* fitted */
/* fitted: ns of a row of one system and of a thread's among many, with three diagonals and with five */
static const double BAND_NS = 10000, BAND_ONE_3 = 249, BAND_MANY_3 = 1100, BAND_ONE_5 = 467,
                    BAND_MANY_5 = 761;

static double band_row_ns(const struct event_routine *r)
{
    bool wide = (double)r->k > 4.0 * (double)r->m * (double)r->n;
    if (r->n > 1) return wide ? BAND_MANY_5 : BAND_MANY_3;
    return wide ? BAND_ONE_5 : BAND_ONE_3;
}

static struct timing_stream of_solve(const struct event_routine *r)
{
    const struct solve *s = r->method == EVENT_METHOD_FACTOR ? &FACTOR : r->n > 1 ? &SOLVES : &SOLVE;
    double elements = (double)r->k * (double)r->n * s->element_ps / 1e3;
    return (struct timing_stream){.start_ns = s->start_ns,
                                  .work_ns = (double)r->steps * s->step_ns + elements};
}

/* The first kernel of products with CSR finds by binary search where each block's rows begin. */
static double search_ns(const struct event_routine *r)
{
    bool searches =
        r->method >= EVENT_METHOD_CSR && r->method <= EVENT_METHOD_CSR_ROWS && r->method != EVENT_METHOD_COO;
    return searches && r->m > 1 ? SEARCH_NS * log2((double)r->m) : 0;
}

/* dram: bytes in a ns */
struct timing_stream timing_sparse(const struct event_routine *r, double dram)
{
    enum { SECTOR = 32 }; /* documented: bytes that L2 is read by */
    double m = (double)r->m, n = (double)r->n, k = (double)r->k,
           kernels = r->kernels ? (double)r->kernels : 1;
    if (r->kind == EVENT_ROUTINE_SORT)
        return (struct timing_stream){.start_ns = SORT_NS, .work_ns = k * KEY_PS / 1e3};
    if (r->kind == EVENT_ROUTINE_SPARSE_SOLVE) return of_solve(r);
    if (r->kind == EVENT_ROUTINE_BAND)
        return (struct timing_stream){.start_ns = BAND_NS, .work_ns = m * band_row_ns(r)};
    const struct sparse *s = &SPARSE[r->method];
    double each = n * (r->math == EVENT_MATH_F64 ? sizeof(double) : sizeof(float));
    double far = r->method == EVENT_METHOD_CSR_COLUMNS ? n * SECTOR : fmax(SECTOR, each);
    double gathered = r->gathered ? (double)r->gathered : k;
    if (r->kind == EVENT_ROUTINE_STREAM) each = gathered = 0;
    if (r->method == EVENT_METHOD_COMPRESS || r->method == EVENT_METHOD_COUNT) k = m * n;
    double ps = m * s->row_ps + k * s->element_ps + k * each * s->byte_ps + gathered * far * s->gather_ps;
    double bytes_ns = (double)(r->read_bytes + r->wrote_bytes) / (dram * DRAM_SHARE);
    if (r->method == EVENT_METHOD_TO_DENSE) bytes_ns = 0;
    double kernel_ns = s->kernel_ns > 0 ? s->kernel_ns : KERNEL_NS;
    return (struct timing_stream){.start_ns = kernels * kernel_ns + search_ns(r),
                                  .work_ns = fmax(bytes_ns, ps / 1e3 * (double)r->batch)};
}
