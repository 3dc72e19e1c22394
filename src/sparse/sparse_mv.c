/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: a matrix of rows (CSR) times a vector, where the matrix stands. Method: four sums a row, one
 * element after the other; each index is looked at before it is followed. Of matrices that the caches hold,
 * blocks of rows are looked at in vectors first; of others each index just before its use, and elements to
 * come are fetched. Why no gathered loads: they take twice to four times as long (Zen 5, 4,096 rows of 16
 * floats: 72 us beside 21; of 262,144 rows 7.6 ms beside 4.4). Without looking at indices the former would
 * take 0.85 of the time, the latter as long. Limits: 32-bit offsets and indices, elements of the type; rows
 * before one that leads out of the matrix are written. */
#include "sparse_priv.h"

#include <stdatomic.h>

enum {
    GRAIN = 1 << 14,       /* elements: shorter loops stay on one thread */
    BLOCK = 1 << 10,       /* elements whose indices stay in the first cache */
    CACHED_MOST = 1 << 17, /* elements: 1 MiB of floats with their indices, of the second cache */
    AHEAD = 512            /* elements to be fetched before their use */
};

struct mv {
    const struct sparse_matrix *a;
    union sparse_scalar alpha, beta;
    const void *x;
    void *y;
    enum sparse_type type;
    atomic_bool bad;
};

/* Rows [begin, end): mv_*, whose indices were looked at; mv_far_*, which does it; false: one is bad. */
#define MV(t, type)                                                                                          \
    static inline type finish_##t(const struct mv *m, int64_t r, type sum)                                   \
    {                                                                                                        \
        type beta = sparse_value_##t(m->beta), product = sparse_mul_##t(sparse_value_##t(m->alpha), sum);    \
        return beta == 0 ? product : product + sparse_mul_##t(beta, ((const type *)m->y)[r]);                \
    }                                                                                                        \
    SW_CLONES static void mv_##t(const struct mv *m, int64_t begin, int64_t end)                             \
    {                                                                                                        \
        const type *values = m->a->values, *x = m->x;                                                        \
        const int32_t *columns = m->a->indices, *offsets = m->a->offsets;                                    \
        int64_t base = m->a->base;                                                                           \
        for (int64_t r = begin; r < end; r++) {                                                              \
            type sum[4] = {0, 0, 0, 0};                                                                      \
            int64_t k = offsets[r] - base, last = offsets[r + 1] - base;                                     \
            for (; k + 4 <= last; k += 4)                                                                    \
                for (int i = 0; i < 4; i++)                                                                  \
                    sum[i] += sparse_mul_##t(values[k + i], x[columns[k + i] - base]);                       \
            for (; k < last; k++)                                                                            \
                sum[0] += sparse_mul_##t(values[k], x[columns[k] - base]);                                   \
            ((type *)m->y)[r] = finish_##t(m, r, (sum[0] + sum[2]) + (sum[1] + sum[3]));                     \
        }                                                                                                    \
    }                                                                                                        \
    SW_CLONES static bool mv_far_##t(const struct mv *m, int64_t begin, int64_t end)                         \
    {                                                                                                        \
        const type *values = m->a->values, *x = m->x;                                                        \
        const int32_t *columns = m->a->indices, *offsets = m->a->offsets;                                    \
        uint32_t base = (uint32_t)m->a->base, limit = (uint32_t)m->a->cols;                                  \
        for (int64_t r = begin; r < end; r++) {                                                              \
            type sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;                                                     \
            int64_t k = offsets[r] - (int64_t)base, last = offsets[r + 1] - (int64_t)base;                   \
            for (; k + 4 <= last; k += 4) {                                                                  \
                uint32_t c0 = (uint32_t)columns[k] - base, c1 = (uint32_t)columns[k + 1] - base,             \
                         c2 = (uint32_t)columns[k + 2] - base, c3 = (uint32_t)columns[k + 3] - base;         \
                __builtin_prefetch(columns + k + AHEAD);                                                     \
                __builtin_prefetch(values + k + AHEAD);                                                      \
                if ((c0 >= limit) | (c1 >= limit) | (c2 >= limit) | (c3 >= limit)) return false;             \
                sum0 += sparse_mul_##t(values[k], x[c0]);                                                    \
                sum1 += sparse_mul_##t(values[k + 1], x[c1]);                                                \
                sum2 += sparse_mul_##t(values[k + 2], x[c2]);                                                \
                sum3 += sparse_mul_##t(values[k + 3], x[c3]);                                                \
            }                                                                                                \
            for (; k < last; k++) {                                                                          \
                uint32_t c = (uint32_t)columns[k] - base;                                                    \
                if (c >= limit) return false;                                                                \
                sum0 += sparse_mul_##t(values[k], x[c]);                                                     \
            }                                                                                                \
            ((type *)m->y)[r] = finish_##t(m, r, (sum0 + sum2) + (sum1 + sum3));                             \
        }                                                                                                    \
        return true;                                                                                         \
    }
SPARSE_EACH(MV)

static bool far_rows(const struct mv *m, int64_t begin, int64_t end)
{
    switch (m->type) {
    case SPARSE_S: return mv_far_s(m, begin, end);
    case SPARSE_D: return mv_far_d(m, begin, end);
    case SPARSE_C: return mv_far_c(m, begin, end);
    case SPARSE_Z: return mv_far_z(m, begin, end);
    }
    return false;
}

static bool near_rows(const struct mv *m, int64_t begin, int64_t end)
{
    const struct sparse_matrix *a = m->a;
    const int32_t *columns = a->indices, *offsets = a->offsets;
    int64_t rows = BLOCK / (a->nnz / a->rows + 1) + 1;
    for (int64_t r = begin, next; r < end; r = next) {
        next = r + rows < end ? r + rows : end;
        const int32_t *first = columns + (offsets[r] - a->base);
        if (!sparse_all_below(first, offsets[next] - offsets[r], a->base, (uint32_t)a->cols)) return false;
        SPARSE_CALL(m->type, mv, m, r, next);
    }
    return true;
}

static void mv_part(void *context, int64_t begin, int64_t end)
{
    struct mv *m = context;
    bool good = m->a->nnz > CACHED_MOST ? far_rows(m, begin, end) : near_rows(m, begin, end);
    if (!good) atomic_store(&m->bad, true);
}

bool sparse_mv_stands(const struct sparse_matrix *a, enum sparse_type type)
{
    struct sparse_element wanted = sparse_element_of(type);
    return a->format == SPARSE_CSR && !a->wide_offsets && !a->wide_indices && a->rows <= INT32_MAX &&
           a->cols <= INT32_MAX && a->element.part == wanted.part &&
           a->element.is_complex == wanted.is_complex;
}

bool sparse_mv_in_place(const struct sparse_matrix *a, enum sparse_type type, union sparse_scalar alpha,
                        const void *x, union sparse_scalar beta, void *y)
{
    struct mv m = {a, alpha, beta, x, y, type, false};
    if (a->rows == 0) return true;
    if (!sparse_offsets_ascend(a->offsets, a->base, a->rows, a->nnz)) return false;
    sparse_parallel(a->rows, GRAIN / (a->nnz / a->rows + 1) + 1, mv_part, &m);
    return !atomic_load(&m.bad);
}
