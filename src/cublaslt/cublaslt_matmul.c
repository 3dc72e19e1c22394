/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: cublasLtMatmul and its heuristic. Method: descriptors become a struct lt_call
 * (cublaslt_describe.c), which is queued. Limits: one algorithm is offered; of the algorithm that is given,
 * the alignment that it was chosen for counts alone. */
#include "cublaslt_priv.h"

#include <string.h>

static cublasStatus_t describe(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                               cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, struct lt_call *out)
{
    struct lt_desc own;
    struct lt_layout layouts[4];
    const void *given[] = {a, b, c, d};
    if (!desc) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&own, desc, sizeof own);
    for (size_t i = 0; i < SW_COUNT_OF(given); i++) {
        if (!given[i]) return CUBLAS_STATUS_INVALID_VALUE;
        memcpy(&layouts[i], given[i], sizeof layouts[i]);
    }
    return lt_describe(&own, &layouts[0], &layouts[1], &layouts[2], &layouts[3], out);
}

/* ---- the heuristic */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* What a kernel for small elements would want of a matrix' address: 16 bytes, where its lines allow it. */
static uint8_t alignment_of(const struct lt_matrix *x, uint32_t promised)
{
    enum { MOST = 16 }; /* recorded: of all kernels for elements of 1 or 2 bytes */
    uint32_t bytes = x->element.bytes, line = (uint32_t)((uint64_t)x->ld * bytes);
    if (bytes > 2 || x->pointers) return (uint8_t)(bytes < MOST ? bytes : MOST);
    line &= -line; /* the largest power of two in it */
    return (uint8_t)least(MOST, least(line ? line : MOST, promised & -promised));
}

static void algo_for(const struct lt_call *call, const struct lt_preference *preference, struct lt_algo *out)
{
    lt_algo_usual(out);
    out->alignment[0] = alignment_of(&call->a, preference->a);
    out->alignment[1] = alignment_of(&call->b, preference->b);
    out->alignment[2] = alignment_of(&call->c, preference->c);
    out->alignment[3] = alignment_of(&call->d, preference->d);
}

static void result_for(const struct lt_call *call, cublasLtMatmulHeuristicResult_t *out)
{
    enum { TILE = 128, MULTIPROCESSORS = 132 }; /* documented: of an H200 */
    double tiles = (double)((call->m + TILE - 1) / TILE) * (double)((call->n + TILE - 1) / TILE);
    out->workspaceSize = 0;
    out->state = CUBLAS_STATUS_SUCCESS;
    out->wavesCount = (float)(tiles * (double)call->batch / MULTIPROCESSORS);
}

CUBLASLT cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                        cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                        cublasLtMatmulPreference_t preference, int most,
                                        cublasLtMatmulHeuristicResult_t *results, int *count)
{
    struct lt_call call;
    struct lt_preference wanted;
    struct lt_algo algo;
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!preference || !results || !count || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
    *count = 0;
    LT_TRY(describe(desc, a, b, c, d, &call));
    memcpy(&wanted, preference, sizeof wanted);
    algo_for(&call, &wanted, &algo);
    memset(&results[0], 0, sizeof results[0]);
    memcpy(&results[0].algo, &algo, sizeof algo);
    result_for(&call, &results[0]);
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                 cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                 const cublasLtMatmulAlgo_t *algo, cublasLtMatmulHeuristicResult_t *result)
{
    struct lt_call call;
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || !result) return CUBLAS_STATUS_INVALID_VALUE;
    LT_TRY(describe(desc, a, b, c, d, &call));
    result_for(&call, result);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the product */

/* Of the matrices' addresses, what a kernel with this algorithm would want; without one, the elements' own.
 */
static bool is_aligned(const struct lt_call *call, const cublasLtMatmulAlgo_t *given)
{
    const struct lt_matrix *matrices[] = {&call->a, &call->b, &call->c, &call->d};
    struct lt_algo algo = {0};
    if (given) memcpy(&algo, given, sizeof algo);
    for (int i = 0; i < 4; i++) {
        uint32_t bytes = matrices[i]->element.bytes, wanted = algo.alignment[i];
        if (i == 2 && !lt_reads_c(call)) continue;
        if (matrices[i]->pointers || bytes > 2) continue;
        if ((uintptr_t)matrices[i]->at % (wanted ? wanted : bytes)) return false;
    }
    return true;
}

static cublasStatus_t scalars_of(cublasLtMatmulDesc_t desc, const void *alpha, const void *beta,
                                 struct lt_call *out)
{
    struct lt_desc own;
    memcpy(&own, desc, sizeof own);
    if (!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
    if (own.pointer_mode == CUBLASLT_POINTER_MODE_HOST)
        memcpy(out->alpha, alpha, out->scalar.bytes);
    else
        out->alpha_device = alpha;
    if (own.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE)
        out->beta_device = beta;
    else
        memcpy(out->beta, beta, out->scalar.bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* What only the product needs. */
static cublasStatus_t check(const struct lt_call *x, const cublasLtMatmulAlgo_t *algo)
{
    enum { OUTER = LT_BIAS | LT_BGRAD | LT_BGRADA | LT_BGRADB };
    if (x->epilogue & OUTER && !x->bias) return CUBLAS_STATUS_INVALID_VALUE;
    if (x->epilogue & LT_AUX && !x->aux) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!x->a.at || !x->b.at || !x->d.at || (!x->c.at && lt_reads_c(x))) return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_aligned(x, algo)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (x->m == 0 || x->n == 0) return CUBLAS_STATUS_EXECUTION_FAILED; /* recorded: a grid of no blocks */
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha, const void *a,
                        cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
                        const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,
                        cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algo, void *workspace,
                        size_t workspace_bytes, cudaStream_t stream)
{
    struct lt_call call;
    char text[160];
    (void)workspace, (void)workspace_bytes;
    LT_TRY(lt_enter(handle));
    LT_TRY(describe(desc, a_layout, b_layout, c_layout, d_layout, &call));
    LT_TRY(scalars_of(desc, alpha, beta, &call));
    call.a.at = a, call.b.at = b, call.c.at = c, call.d.at = d;
    LT_TRY(check(&call, algo));
    struct event_routine_work work = {
        .run = lt_run, .range = lt_range, .args = &call, .arg_bytes = sizeof call};
    lt_account(&call, text, sizeof text, &work.what);
    return lt_status(routine_submit("libcublasLt", (CUstream)stream, &work));
}
