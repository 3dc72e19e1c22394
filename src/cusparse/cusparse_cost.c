/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a call would cost NVIDIA's library. Method: which kernels it launches for a function, by its
 * name (recorded with ncu on an H200, tests/hw/libraries); for tools, where a matrix' elements are and which
 * of its rows wait for each other, when its turn comes. Limits: batches count as their first matrix. */
#include "cusparse_priv.h"

#include <stdlib.h>
#include <string.h>

struct cost {
    const char *part; /* of the function's name */
    uint16_t kernels;
    uint8_t method;
};
/* recorded */
static const struct cost COSTS[] = {
    {"Csr2csc", 14, EVENT_METHOD_SORTED_LISTS},
    {"csr2coo", 1, EVENT_METHOD_TO_INDICES},
    {"coo2csr", 1, EVENT_METHOD_TO_OFFSETS},
    {"IdentityPermutation", 1, EVENT_METHOD_LISTS},
    {"csr2bsrNnz", 4, EVENT_METHOD_COUNT_BLOCKS},
    {"csr2bsr", 1, EVENT_METHOD_TO_BLOCKS},
    {"csrgeam2Nnz", 4, EVENT_METHOD_MERGE_COUNT},
    {"csrgeam2", 1, EVENT_METHOD_MERGE},
    {"bsrmv", 1, EVENT_METHOD_BLOCKS},
    {"SpGEMM_workEstimation", 5, EVENT_METHOD_PHASE_ESTIMATE},
    {"SpGEMM_compute", 17, EVENT_METHOD_PHASE_COMPUTE},
    {"SpGEMM_copy", 7, EVENT_METHOD_PHASE_COPY},
    {"SparseToDense", 2, EVENT_METHOD_TO_DENSE},
    {"DenseToSparse_analysis", 3, EVENT_METHOD_COUNT},
    {"DenseToSparse_convert", 1, EVENT_METHOD_COMPRESS},
    {"SpVV", 2, EVENT_METHOD_DOT},
    {"Axpby", 4, EVENT_METHOD_DOT}, /* one, with a barrier across the grid that takes as long */
    {"csrilu02", 1, EVENT_METHOD_FACTOR},
    {"csric02", 1, EVENT_METHOD_FACTOR}};

/* How often m rows are halved until they are at most so many. */
static uint64_t halvings(uint64_t m, uint64_t most)
{
    uint64_t count = 0;
    for (; m > most; m = (m + 1) / 2)
        count++;
    return count;
}

/* By their names: cyclic reductions to a number of rows, steps of a parallel one there, and the way back.
 * With pivots, a sequence of kernels for each group of right sides. */
static uint64_t band_kernels(const struct cusparse_job *job)
{
    enum {
        STRIDED_ROWS = 512,
        STRIDED = 3,
        SHARED_ROWS = 2048,
        ONE_SIDE = 3,
        SIDES = 8,
        OF_SIDES = 7
    }; /* recorded */
    if (job->method == EVENT_METHOD_BANDS_PIVOTED) return ONE_SIDE + (job->n + SIDES - 1) / SIDES * OF_SIDES;
    if (job->method == EVENT_METHOD_BANDS && strstr(job->name, "StridedBatch"))
        return STRIDED + 2 * halvings(job->m, STRIDED_ROWS);
    uint64_t reduced = halvings(job->m, SHARED_ROWS);
    if (job->method == EVENT_METHOD_BANDS) return ONE_SIDE + 2 * reduced;
    return halvings(job->m < SHARED_ROWS ? job->m : SHARED_ROWS, 1) + (reduced ? 2 * reduced + 1 : 0);
}

static uint64_t kernels_of(enum event_routine_method method, uint64_t elements)
{
    enum { TWO_SUMS = 1500000 }; /* recorded between 1,046,507 and 1,966,024 elements */
    switch ((int)method) {       /* recorded */
    case EVENT_METHOD_CSR:
    case EVENT_METHOD_CSR_TRANSPOSED:
    case EVENT_METHOD_CSR_COLUMNS:
    case EVENT_METHOD_CSR_ROWS: return 2;
    case EVENT_METHOD_CSR_ORDERED: return elements < TWO_SUMS ? 3 : 4;
    default: return 1;
    }
}

void cusparse_cost(const struct cusparse_job *job, struct event_routine *what)
{
    enum { ONE_KERNEL = 4096 }; /* recorded between 1,024 and 16,384 */
    what->method = job->method;
    what->kernels = kernels_of(job->method, job->k);
    bool pairs = strstr(job->name, "SpVV") || strstr(job->name, "Axpby");
    if (job->method >= EVENT_METHOD_BANDS) what->kernels = band_kernels(job);
    if (pairs && job->k <= ONE_KERNEL) {
        what->method = EVENT_METHOD_DOT;
        return;
    }
    for (size_t i = 0; i < SW_COUNT_OF(COSTS) && !job->method; i++)
        if (strstr(job->name, COSTS[i].part)) {
            what->method = COSTS[i].method;
            what->kernels = COSTS[i].kernels;
            return;
        }
}

/* ---- when the matrix is there */

/* See struct event_routine. */
static uint64_t gathered(const struct sparse_csr *csr)
{
    enum { WINDOW = 1024, GROUP = 8 }; /* definition: of struct event_routine */
    int64_t *seen = sw_xcalloc((size_t)(csr->cols / GROUP + 1), sizeof *seen);
    uint64_t count = 0;
    for (int64_t i = 0; i < csr->nnz; i++) {
        int64_t window = i / WINDOW + 1, *last = &seen[csr->columns[i] / GROUP];
        count += *last != window;
        *last = window;
    }
    free(seen);
    return count;
}

/* The longest chain of rows of a triangle each of which needs the one before. */
static uint64_t longest_chain(const struct sparse_csr *csr, bool upper)
{
    uint32_t *depth = sw_xcalloc((size_t)csr->rows + 1, sizeof *depth), longest = 0;
    for (int64_t r = 0; r < csr->rows; r++) {
        int64_t row = upper ? csr->rows - 1 - r : r;
        uint32_t needed = 0;
        for (int64_t i = csr->offsets[row]; i < csr->offsets[row + 1]; i++) {
            int32_t column = csr->columns[i];
            bool needs = upper ? column > row : column < row;
            if (needs && depth[column] > needed) needed = depth[column];
        }
        depth[row] = needed + 1;
        if (depth[row] > longest) longest = depth[row];
    }
    free(depth);
    return longest;
}

void cusparse_measure(const void *args, struct event_routine *what)
{
    const struct cusparse_job *job = args;
    struct sparse_csr csr;
    struct sparse_matrix pattern = job->method == EVENT_METHOD_SAMPLED ? job->c.m : job->a.m;
    bool solves = job->kind == EVENT_ROUTINE_SPARSE_SOLVE, multiplies = job->kind == EVENT_ROUTINE_SPARSE;
    if ((!solves && !multiplies) || !pattern.indices || !pattern.offsets || !pattern.rows) return;
    pattern.values = NULL;
    if (sparse_csr_of(&pattern, job->type, SPARSE_N, &csr)) {
        if (multiplies) what->gathered = gathered(&csr);
        if (solves && csr.rows == csr.cols) what->steps = longest_chain(&csr, job->triangle.upper);
    }
    sparse_csr_release(&csr);
}
