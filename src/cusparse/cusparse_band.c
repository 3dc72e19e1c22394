/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: systems of three and five diagonals: gtsv2 and its batches, gpsvInterleavedBatch. Method:
 * elimination (sparse_band.c), with exchange of rows where NVIDIA's algorithm is stable. Limits: the
 * diagonals that interleaved batches may overwrite stay as they are. */
#include "cusparse_priv.h"

#include <string.h>

/* p[0..4]: diagonals from the lowest, p[5]: right sides */
enum { N, COLUMNS, STRIDE, NEXT, X_STRIDE, X_NEXT, BELOW, PIVOTS, RIGHT = 5 };

static int run_band(const struct cusparse_job *job)
{
    struct sparse_band band = {.type = job->type,
                               .n = job->number[N],
                               .below = (int)job->number[BELOW],
                               .stride = job->number[STRIDE],
                               .next = job->number[NEXT],
                               .pivots = job->number[PIVOTS]};
    for (int d = 0; d < 2 * band.below + 1; d++)
        band.diagonals[d] = job->p[d];
    sparse_band_solve(&band, job->p[RIGHT], job->number[X_STRIDE], job->number[COLUMNS], job->number[X_NEXT]);
    return 0;
}

struct band_call {
    const char *name;
    enum sparse_type type;
    cusparseHandle_t handle;
    int n, columns;
    int64_t stride, next, x_stride, x_next;
    bool pivots;
    const void *diagonals[5];
    int below;
    void *x;
};

static int64_t reach(int64_t n, int64_t stride, int64_t columns, int64_t next)
{
    return n && columns ? (n - 1) * stride + (columns - 1) * next + 1 : 0;
}

static cusparseStatus_t solve(const struct band_call *c)
{
    struct cusparse_job job = {.name = c->name, .run = run_band, .type = c->type};
    uint64_t bytes = sparse_bytes(c->type);
    const int64_t numbers[] = {c->n,        c->columns, c->stride, c->next,
                               c->x_stride, c->x_next,  c->below,  c->pivots};
    for (size_t i = 0; i < SW_COUNT_OF(numbers); i++)
        job.number[i] = numbers[i];
    for (int d = 0; d < 2 * c->below + 1; d++) {
        job.p[d] = (void *)(uintptr_t)c->diagonals[d];
        cusparse_span(&job, c->diagonals[d], bytes, reach(c->n, c->stride, c->next ? c->columns : 1, c->next),
                      CUSPARSE_READS);
    }
    job.p[RIGHT] = c->x;
    cusparse_span(&job, c->x, bytes, reach(c->n, c->x_stride, c->columns, c->x_next),
                  CUSPARSE_READS | CUSPARSE_WRITES);
    bool interleaved = strstr(c->name, "Interleaved"); /* a thread a system */
    job.kind = interleaved ? EVENT_ROUTINE_BAND : EVENT_ROUTINE_SPARSE;
    job.method = interleaved                      ? EVENT_METHOD_USUAL
                 : c->pivots                      ? EVENT_METHOD_BANDS_PIVOTED
                 : c->next == 0 && c->columns > 1 ? EVENT_METHOD_BANDS_SHARED
                                                  : EVENT_METHOD_BANDS;
    job.m = (uint64_t)c->n;
    job.k = (uint64_t)c->n * (uint64_t)c->columns * (uint64_t)(2 * c->below + 1);
    job.n = job.method == EVENT_METHOD_BANDS ? 1 : (uint64_t)c->columns;
    job.flops = 3 * job.k;
    cusparse_shape(&job, "m %d, n %d", c->n, c->columns);
    return cusparse_queue(c->handle, &job);
}

/* ---- buffers: near what an H200 asks for */

static cusparseStatus_t bytes_of(cusparseHandle_t handle, enum sparse_type type, int m, int n, int least,
                                 int64_t elements, size_t *bytes)
{
    enum { ROOM = 128 };
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < least || n < 0 || !bytes);
    *bytes = ROOM + (size_t)elements * sparse_bytes(type);
    return CUSPARSE_STATUS_SUCCESS;
}

enum { LEAST = 3, TILE = 4096 }; /* LEAST rows: documented; TILE: elements that gtsv2 has room for beside */

/* ---- one matrix, several right sides */

static cusparseStatus_t gtsv2(const char *name, enum sparse_type type, bool pivots, cusparseHandle_t handle,
                              int m, int n, const void *dl, const void *d, const void *du, void *b, int ldb)
{
    struct band_call c = {name, type, handle, m, n, 1, 0, 1, ldb, pivots, {dl, d, du}, 1, b};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < LEAST || n < 0 || ldb < m);
    return n ? solve(&c) : CUSPARSE_STATUS_SUCCESS;
}

#define GTSV2(L, T, name, pivots, elements)                                                                  \
    CUSPARSE cusparse##L##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T *dl,           \
                                               const T *d, const T *du, const T *b, int ldb, size_t *bytes)  \
    {                                                                                                        \
        (void)dl, (void)d, (void)du, (void)b, (void)ldb;                                                     \
        return bytes_of(handle, CUSPARSE_TYPE_##L, m, n, 0, elements, bytes);                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##name(cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du,  \
                               T *b, int ldb, void *buffer)                                                  \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return gtsv2("cusparse" #L#name, CUSPARSE_TYPE_##L, pivots, handle, m, n, dl, d, du, b, ldb);        \
    }

/* ---- batches: a matrix for each right side */

static cusparseStatus_t strided(const char *name, enum sparse_type type, cusparseHandle_t handle, int m,
                                const void *dl, const void *d, const void *du, void *x, int batch, int stride)
{
    struct band_call c = {name, type, handle, m, batch, 1, stride, 1, stride, false, {dl, d, du}, 1, x};
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(m < LEAST || batch < 0 || stride < m);
    return batch ? solve(&c) : CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t interleaved(const char *name, enum sparse_type type, cusparseHandle_t handle,
                                    bool known, bool pivots, int m, const void *const *diagonals, int below,
                                    void *x, int batch)
{
    struct band_call c = {name, type, handle, m, batch, batch, 1, batch, 1, pivots, {0}, below, x};
    for (int d = 0; d < 2 * below + 1; d++)
        c.diagonals[d] = diagonals[d];
    CUSPARSE_TRY(cusparse_enter_old(handle));
    CUSPARSE_REFUSE_IF(!known || m < 1 || batch < 0);
    return batch ? solve(&c) : CUSPARSE_STATUS_SUCCESS;
}

enum { THOMAS, LU, QR }; /* documented: algorithms of gtsvInterleavedBatch */

#define BATCHES(L, T)                                                                                        \
    CUSPARSE cusparse##L##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int m, const T *dl,       \
                                                          const T *d, const T *du, const T *x, int batch,    \
                                                          int stride, size_t *bytes)                         \
    {                                                                                                        \
        (void)dl, (void)d, (void)du, (void)x, (void)stride;                                                  \
        return bytes_of(handle, CUSPARSE_TYPE_##L, m, batch, LEAST, 10 * (int64_t)m * batch, bytes);         \
    }                                                                                                        \
    CUSPARSE cusparse##L##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T *dl, const T *d,         \
                                            const T *du, T *x, int batch, int stride, void *buffer)          \
    {                                                                                                        \
        (void)buffer;                                                                                        \
        return strided("cusparse" #L "gtsv2StridedBatch", CUSPARSE_TYPE_##L, handle, m, dl, d, du, x, batch, \
                       stride);                                                                              \
    }                                                                                                        \
    CUSPARSE cusparse##L##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algorithm, int m,  \
                                                             const T *dl, const T *d, const T *du,           \
                                                             const T *x, int batch, size_t *bytes)           \
    {                                                                                                        \
        (void)dl, (void)d, (void)du, (void)x;                                                                \
        CUSPARSE_REFUSE_IF(algorithm<THOMAS || algorithm> QR);                                               \
        return bytes_of(handle, CUSPARSE_TYPE_##L, m, batch, 1,                                              \
                        algorithm == THOMAS ? 0 : (int64_t)m * batch, bytes);                                \
    }                                                                                                        \
    CUSPARSE cusparse##L##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T *dl, T *d,   \
                                               T *du, T *x, int batch, void *buffer)                         \
    {                                                                                                        \
        const void *diagonals[] = {dl, d, du};                                                               \
        (void)buffer;                                                                                        \
        return interleaved("cusparse" #L "gtsvInterleavedBatch", CUSPARSE_TYPE_##L, handle,                  \
                           algorithm >= THOMAS && algorithm <= QR, algorithm != THOMAS, m, diagonals, 1, x,  \
                           batch);                                                                           \
    }                                                                                                        \
    CUSPARSE cusparse##L##gpsvInterleavedBatch_bufferSizeExt(                                                \
        cusparseHandle_t handle, int algorithm, int m, const T *ds, const T *dl, const T *d, const T *du,    \
        const T *dw, const T *x, int batch, size_t *bytes)                                                   \
    {                                                                                                        \
        (void)algorithm, (void)ds, (void)dl, (void)d, (void)du, (void)dw, (void)x;                           \
        return bytes_of(handle, CUSPARSE_TYPE_##L, m, batch, 1, 2 * (int64_t)m * batch, bytes);              \
    }                                                                                                        \
    CUSPARSE cusparse##L##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T *ds, T *dl,  \
                                               T *d, T *du, T *dw, T *x, int batch, void *buffer)            \
    {                                                                                                        \
        const void *diagonals[] = {ds, dl, d, du, dw};                                                       \
        (void)buffer;                                                                                        \
        if (algorithm != 0) return CUSPARSE_STATUS_SUCCESS; /* there is one; recorded: others do nothing */  \
        return interleaved("cusparse" #L "gpsvInterleavedBatch", CUSPARSE_TYPE_##L, handle, true, true, m,   \
                           diagonals, 2, x, batch);                                                          \
    }

#define BANDS(L, T, R)                                                                                       \
    GTSV2(L, T, gtsv2, true, TILE + 5 * (int64_t)m * (n + 3))                                                \
    GTSV2(L, T, gtsv2_nopivot, false, (int64_t)m *(n + 3) * 3)                                               \
    BATCHES(L, T)
CUSPARSE_OF_ALL(BANDS)
