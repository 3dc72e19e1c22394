/* SPDX-License-Identifier: Apache-2.0 */
/* The time of routines of sparse matrices by kernels like cuSPARSE's.
 *
 * Models: kernels that start one after the other; steps of the search that divides rows among blocks; rows,
 * elements, bytes of the other operand that elements choose, what of these is not beside what elements near
 * by chose, and bytes that stand in order, each at a rate of the method's; no faster than memory. Of solves,
 * rows that wait for each other. Of matrices with few diagonals, a thread's rows, or a kernel's right sides.
 * Does not model: which rows are long; operands that a kernel before left in L2.
 * Sources: which kernels run: their names, as ncu printed them of cuSPARSE on an H200 (tests/hw/libraries).
 * What is fitted: to the fitted half of the calls recorded there, and compared with the others. */
#include "timing_routine_priv.h"

#include <math.h>

/* What a method costs: ns of each kernel, and of each step of a search; on all multiprocessors ps of a row,
 * an element, a byte of the operand that elements choose, such a byte that is not near one before, and a byte
 * in order. */
struct sparse {
    double kernel_ns, search_ns, row_ps, element_ps, byte_ps, gather_ps, move_ps;
};
/* fitted */
static const struct sparse SPARSE[EVENT_METHODS] = {
    [EVENT_METHOD_PHASE_ESTIMATE] = {4190, 0, 0, 9.4, 0, 0, 0},
    [EVENT_METHOD_PHASE_COMPUTE] = {4190, 0, 0, 25.1, 0, 0, 0},
    [EVENT_METHOD_PHASE_COPY] = {4190, 0, 0, 21.8, 0, 0, 0},
    [EVENT_METHOD_TO_INDICES] = {4190, 0, 0, 8.72, 0, 0, 0},
    [EVENT_METHOD_TO_OFFSETS] = {4190, 0, 0, 2.72, 0, 0, 0},
    [EVENT_METHOD_MERGE] = {4190, 0, 3200, 0, 0, 0, 0},
    [EVENT_METHOD_MERGE_COUNT] = {4190, 0, 2330, 0, 0, 0, 0},
    [EVENT_METHOD_TO_BLOCKS] = {4190, 0, 7180, 0, 0, 0, 0},
    [EVENT_METHOD_COUNT_BLOCKS] = {4190, 0, 5820, 0, 0, 0, 0},
    [EVENT_METHOD_SORTED_LISTS] = {4190, 0, 0, 68.7, 0, 0, 0},
    [EVENT_METHOD_TO_DENSE] = {4190, 0, 0, 123, 0, 0, 0},
    [EVENT_METHOD_COMPRESS] = {4190, 0, 9330, 2.3, 0, 0, 0},
    [EVENT_METHOD_COUNT] = {4190, 0, 8350, 0.738, 0, 0, 0},
    [EVENT_METHOD_USUAL] = {3150, 0, 0, 0, 0, 0, 0.241},
    [EVENT_METHOD_DOT] = {5000, 0, 0, 0, 0, 0, 0.43},
    [EVENT_METHOD_CSR] = {2970, 660, 2.53, 1.41, 0.396, 0.133, 0},
    [EVENT_METHOD_CSR_ORDERED] = {3690, 700, 3.7, 1.43, 0.764, 0.125, 0},
    [EVENT_METHOD_CSR_TRANSPOSED] = {7060, 22.1, 93, 0, 0, 0.184, 0},
    [EVENT_METHOD_COO] = {4960, 0, 0.638, 2.38, 0.391, 0.124, 0},
    [EVENT_METHOD_CSR_COLUMNS] = {6900, 0, 99.5, 0, 0.704, 0.178, 0},
    [EVENT_METHOD_CSR_ROWS] = {6450, 0, 0, 52.4, 0.00699, 0.167, 0},
    [EVENT_METHOD_COO_ROWS] = {7280, 0, 0, 51.5, 0.0113, 0.165, 0},
    [EVENT_METHOD_SAMPLED] = {4190, 0, 516, 0, 0.198, 0.0312, 0},
    [EVENT_METHOD_LISTS] = {2020, 0, 0, 4.84, 0, 0, 0},
    [EVENT_METHOD_BLOCKS] = {14400, 0, 130, 2.1, 0, 0, 0},
    [EVENT_METHOD_BANDS] = {4780, 0, 0, 9.57, 0, 0, 0},
    [EVENT_METHOD_BANDS_SHARED] = {6460, 0, 470000, 0, 0, 0, 0}};
/* Of solves ns besides, of a step, and ps of an element: for one right side, for more, and of
 * factorizations. */
struct solve {
    double start_ns, step_ns, element_ps;
};
/* fitted */
static const struct solve SOLVE = {20100, 932, 11.8}, SOLVES = {24300, 2110, 5.76},
                          FACTOR = {20100, 1410, 190};
static const double SORT_NS = 1030000, KEY_PS = 539; /* fitted */
/* ns besides, of a row, and of one whose sectors are not there, with three diagonals and with five */
struct band {
    double start_ns, row_ns, miss_ns;
};
/* fitted */
static const struct band THREE = {10000, 128, 972}, FIVE = {10000, 426, 335};
/* fitted: of systems with pivots, ns besides, of a group of right sides, and where there are several */
static const double PIVOTED_NS = 7500, PIVOTED_GROUP_NS = 89100, PIVOTED_MORE_NS = 52000;
enum { PIVOTED_SIDES = 8, SECTOR = 32 }; /* recorded; documented: bytes that L2 is read by */

static double element_bytes(const struct event_routine *r)
{
    return r->math == EVENT_MATH_F64 ? sizeof(double) : sizeof(float);
}

static struct timing_stream of_solve(const struct event_routine *r)
{
    const struct solve *s = r->method == EVENT_METHOD_FACTOR ? &FACTOR : r->n > 1 ? &SOLVES : &SOLVE;
    double elements = (double)r->k * (double)r->n * s->element_ps / 1e3;
    return (struct timing_stream){.start_ns = s->start_ns,
                                  .work_ns = (double)r->steps * s->step_ns + elements};
}

/* Systems that are interleaved: a thread's rows, one after the other, whose elements are as many sectors
 * apart as systems fill. */
static struct timing_stream of_bands(const struct event_routine *r)
{
    bool is_wide = (double)r->k > 4.0 * (double)r->m * (double)r->n;
    const struct band *b = is_wide ? &FIVE : &THREE;
    double missed = fmin(1, (double)r->n * element_bytes(r) / SECTOR);
    return (struct timing_stream){.start_ns = b->start_ns,
                                  .work_ns = (double)r->m * (b->row_ns + missed * b->miss_ns)};
}

static struct timing_stream of_pivoted_bands(const struct event_routine *r)
{
    double groups = ceil((double)r->n / PIVOTED_SIDES);
    return (struct timing_stream){.start_ns = PIVOTED_NS,
                                  .work_ns = groups * PIVOTED_GROUP_NS + (r->n > 1 ? PIVOTED_MORE_NS : 0)};
}

/* A sum of what rows, elements and bytes take. */
static double items_ns(const struct event_routine *r, const struct sparse *s)
{
    double m = (double)r->m, n = (double)r->n, k = (double)r->k;
    bool is_dense = r->method == EVENT_METHOD_COMPRESS || r->method == EVENT_METHOD_COUNT;
    double each = n * element_bytes(r), gathered = r->gathered ? (double)r->gathered : k;
    double far = r->method == EVENT_METHOD_CSR_COLUMNS ? n * SECTOR : fmax(SECTOR, each);
    if (r->kind == EVENT_ROUTINE_STREAM) each = gathered = 0;
    double rows = is_dense ? n : r->method == EVENT_METHOD_BANDS_SHARED ? n * (double)r->kernels : m;
    double ps = rows * s->row_ps + (is_dense ? m * n : k) * s->element_ps + k * each * s->byte_ps +
                gathered * far * s->gather_ps + (double)(r->read_bytes + r->wrote_bytes) * s->move_ps;
    return ps / 1e3 * (double)r->batch;
}

/* dram: bytes in a ns */
struct timing_stream timing_sparse(const struct event_routine *r, double dram)
{
    double kernels = r->kernels ? (double)r->kernels : 1;
    if (r->kind == EVENT_ROUTINE_SORT)
        return (struct timing_stream){.start_ns = SORT_NS, .work_ns = (double)r->k * KEY_PS / 1e3};
    if (r->kind == EVENT_ROUTINE_SPARSE_SOLVE) return of_solve(r);
    if (r->kind == EVENT_ROUTINE_BAND) return of_bands(r);
    if (r->method == EVENT_METHOD_BANDS_PIVOTED) return of_pivoted_bands(r);
    const struct sparse *s =
        SPARSE[r->method].kernel_ns > 0 ? &SPARSE[r->method] : &SPARSE[EVENT_METHOD_USUAL];
    double bytes_ns = (double)(r->read_bytes + r->wrote_bytes) / dram;
    if (r->method == EVENT_METHOD_TO_DENSE) bytes_ns = 0;
    double search_ns = r->m > 1 ? s->search_ns * log2((double)r->m) : 0;
    return (struct timing_stream){.start_ns = kernels * s->kernel_ns + search_ns,
                                  .work_ns = fmax(bytes_ns, items_ns(r, s))};
}
