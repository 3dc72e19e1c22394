/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: products with dense vectors and matrices, and vectors with few elements. Method: loops over rows,
 * rows in parallel; products with matrices add up whole rows, with sampled ones inner products. Limits: a
 * transposed matrix times a vector is added up by one thread. */
#include "sparse_priv.h"

#include <stdlib.h>
#include <string.h>

/* Of elements: shorter loops stay on one thread, which takes about ten microseconds. */
enum { GRAIN = 1 << 14 };

static int64_t rows_of_grain(const struct sparse_csr *a, int64_t width)
{
    int64_t each = a->rows ? a->nnz / a->rows + 1 : 1;
    return GRAIN / (each * width) + 1;
}

/* ---- a matrix times a vector */

struct mv {
    const struct sparse_csr *a;
    union sparse_scalar alpha, beta;
    const void *x;
    void *y;
};

/* Four sums: gathered loads of several elements at once do not wait for each other's additions. */
#define MV(t, type)                                                                                          \
    SW_CLONES static void mv_##t(const struct mv *m, int64_t begin, int64_t end)                             \
    {                                                                                                        \
        type alpha = sparse_value_##t(m->alpha), beta = sparse_value_##t(m->beta);                           \
        const type *values = m->a->values, *x = m->x;                                                        \
        const int32_t *columns = m->a->columns;                                                              \
        const int64_t *offsets = m->a->offsets;                                                              \
        type *y = m->y;                                                                                      \
        for (int64_t r = begin; r < end; r++) {                                                              \
            type sum[4] = {0, 0, 0, 0};                                                                      \
            int64_t k = offsets[r], last = offsets[r + 1];                                                   \
            for (; k + 4 <= last; k += 4)                                                                    \
                for (int i = 0; i < 4; i++)                                                                  \
                    sum[i] += sparse_mul_##t(values[k + i], x[columns[k + i]]);                              \
            for (; k < last; k++)                                                                            \
                sum[0] += sparse_mul_##t(values[k], x[columns[k]]);                                          \
            type product = sparse_mul_##t(alpha, (sum[0] + sum[2]) + (sum[1] + sum[3]));                     \
            y[r] = beta == 0 ? product : product + sparse_mul_##t(beta, y[r]);                               \
        }                                                                                                    \
    }
SPARSE_EACH(MV)

static void mv_part(void *context, int64_t begin, int64_t end)
{
    const struct mv *m = context;
    SPARSE_CALL(m->a->type, mv, m, begin, end);
}

void sparse_mv(const struct sparse_csr *a, union sparse_scalar alpha, const void *x, union sparse_scalar beta,
               void *y)
{
    struct mv m = {a, alpha, beta, x, y};
    sparse_parallel(a->rows, rows_of_grain(a, 1), mv_part, &m);
}

#define MV_TURNED(t, type)                                                                                   \
    static void mv_turned_##t(const struct mv *m, bool conjugates)                                           \
    {                                                                                                        \
        type alpha = sparse_value_##t(m->alpha), beta = sparse_value_##t(m->beta), *y = m->y;                \
        const type *values = m->a->values, *x = m->x;                                                        \
        const int32_t *columns = m->a->columns;                                                              \
        for (int64_t i = 0; i < m->a->cols; i++)                                                             \
            y[i] = beta == 0 ? 0 : sparse_mul_##t(beta, y[i]);                                               \
        for (int64_t r = 0; r < m->a->rows; r++) {                                                           \
            type factor = sparse_mul_##t(alpha, x[r]);                                                       \
            for (int64_t k = m->a->offsets[r]; k < m->a->offsets[r + 1]; k++)                                \
                y[columns[k]] +=                                                                             \
                    sparse_mul_##t(factor, conjugates ? SPARSE_CONJ_##t(values[k]) : values[k]);             \
        }                                                                                                    \
    }
SPARSE_EACH(MV_TURNED)

void sparse_mv_transposed(const struct sparse_csr *a, enum sparse_op op, union sparse_scalar alpha,
                          const void *x, union sparse_scalar beta, void *y)
{
    struct mv m = {a, alpha, beta, x, y};
    SPARSE_CALL(a->type, mv_turned, &m, op == SPARSE_H);
}

/* ---- a matrix times a matrix */

struct mm {
    const struct sparse_csr *a;
    union sparse_scalar alpha, beta;
    const struct sparse_dense *b, *c;
};

/* Columns of the result whose sums stand in registers, by vectors of 64 and 32 bytes; AHEAD: rows of b that
 * are fetched before their use, since no prefetcher of a processor foresees them. */
enum { COLUMNS = 64, AHEAD = 8 };
typedef float vector_s __attribute__((vector_size(64), aligned(4), may_alias));
typedef float half_s __attribute__((vector_size(32), aligned(4), may_alias));
typedef double vector_d __attribute__((vector_size(64), aligned(8), may_alias));
typedef double half_d __attribute__((vector_size(32), aligned(8), may_alias));

/* Elements [k, last) of a row, by as many rows of b: the sums of `vectors` vectors of columns. */
#define MM_VECTORS(t, type, name, vector)                                                                    \
    static inline __attribute__((always_inline)) void mm_##name##_##t(                                       \
        const struct sparse_csr *a, int64_t k, int64_t last, const type *b, int64_t stride,                  \
        const int vectors, type *sum)                                                                        \
    {                                                                                                        \
        vector total[4] = {{0}, {0}, {0}, {0}};                                                              \
        const type *values = a->values;                                                                      \
        for (; k < last; k++) {                                                                              \
            const vector *row = (const vector *)(b + a->columns[k] * stride);                                \
            const char *next = (const char *)(b + a->columns[k + AHEAD < a->nnz ? k + AHEAD : k] * stride);  \
            _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++)                                        \
            {                                                                                                \
                __builtin_prefetch(next + (size_t)i * sizeof *row);                                          \
                total[i] += values[k] * row[i];                                                              \
            }                                                                                                \
        }                                                                                                    \
        _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++)((vector *)sum)[i] = total[i];              \
    }
#define MM_REAL(t, type)                                                                                     \
    MM_VECTORS(t, type, vectors, vector_##t)                                                                 \
    MM_VECTORS(t, type, half, half_##t)                                                                      \
    SW_CLONES static int64_t mm_most_##t(const struct sparse_csr *a, int64_t k, int64_t last, const type *b, \
                                         int64_t stride, int64_t width, type *sum)                           \
    {                                                                                                        \
        enum { LANES = sizeof(vector_##t) / sizeof(type) };                                                  \
        int64_t j = 0;                                                                                       \
        for (; j + 4 * LANES <= width; j += 4 * LANES)                                                       \
            mm_vectors_##t(a, k, last, b + j, stride, 4, sum + j);                                           \
        for (; j + 2 * LANES <= width; j += 2 * LANES)                                                       \
            mm_vectors_##t(a, k, last, b + j, stride, 2, sum + j);                                           \
        for (; j + LANES <= width; j += LANES)                                                               \
            mm_vectors_##t(a, k, last, b + j, stride, 1, sum + j);                                           \
        for (; j + LANES / 2 <= width; j += LANES / 2)                                                       \
            mm_half_##t(a, k, last, b + j, stride, 1, sum + j);                                              \
        return j;                                                                                            \
    }
MM_REAL(s, float)
MM_REAL(d, double)
/* Complex numbers are loops of the compiler's. */
#define mm_most_c(a, k, last, b, stride, width, sum) 0
#define mm_most_z(a, k, last, b, stride, width, sum) 0

#define MM(t, type)                                                                                          \
    SW_CLONES static void mm_rest_##t(const struct sparse_csr *a, int64_t k, int64_t last, const type *b,    \
                                      int64_t stride, int64_t width, type *sum)                              \
    {                                                                                                        \
        const type *values = a->values;                                                                      \
        for (int64_t j = 0; j < width; j++)                                                                  \
            sum[j] = 0;                                                                                      \
        for (; k < last; k++) {                                                                              \
            const type *row = b + a->columns[k] * stride, value = values[k];                                 \
            for (int64_t j = 0; j < width; j++)                                                              \
                sum[j] += sparse_mul_##t(value, row[j]);                                                     \
        }                                                                                                    \
    }                                                                                                        \
    static void mm_##t(const struct mm *m, int64_t begin, int64_t end)                                       \
    {                                                                                                        \
        type sum[COLUMNS], alpha = sparse_value_##t(m->alpha), beta = sparse_value_##t(m->beta);             \
        int64_t step = m->c->col_stride, stride = m->b->row_stride;                                          \
        for (int64_t r = begin; r < end; r++)                                                                \
            for (int64_t first = 0; first < m->b->cols; first += COLUMNS) {                                  \
                int64_t width = m->b->cols - first < COLUMNS ? m->b->cols - first : COLUMNS;                 \
                int64_t k = m->a->offsets[r], last = m->a->offsets[r + 1];                                   \
                type *c = (type *)m->c->values + r * m->c->row_stride + first * step;                        \
                const type *b = (const type *)m->b->values + first;                                          \
                int64_t done = mm_most_##t(m->a, k, last, b, stride, width, sum);                            \
                if (done < width) mm_rest_##t(m->a, k, last, b + done, stride, width - done, sum + done);    \
                for (int64_t j = 0; j < width; j++)                                                          \
                    c[j * step] = beta == 0                                                                  \
                                      ? sparse_mul_##t(alpha, sum[j])                                        \
                                      : sparse_mul_##t(alpha, sum[j]) + sparse_mul_##t(beta, c[j * step]);   \
            }                                                                                                \
    }
SPARSE_EACH(MM)

static void mm_part(void *context, int64_t begin, int64_t end)
{
    const struct mm *m = context;
    SPARSE_CALL(m->a->type, mm, m, begin, end);
}

void sparse_mm(const struct sparse_csr *a, union sparse_scalar alpha, const struct sparse_dense *b,
               union sparse_scalar beta, const struct sparse_dense *c)
{
    struct mm m = {a, alpha, beta, b, c};
    sparse_parallel(a->rows, rows_of_grain(a, b->cols + 1), mm_part, &m);
}

struct sddmm {
    const struct sparse_dense *a, *b;
    union sparse_scalar alpha, beta;
    struct sparse_csr *c;
};

enum { SUMS = 8 }; /* additions at once: in the registers of one vector */

#define SDDMM(t, type)                                                                                       \
    SW_CLONES static void sddmm_##t(const struct sddmm *m, int64_t begin, int64_t end)                       \
    {                                                                                                        \
        type alpha = sparse_value_##t(m->alpha), beta = sparse_value_##t(m->beta), *values = m->c->values;   \
        int64_t length = m->a->cols;                                                                         \
        for (int64_t r = begin; r < end; r++) {                                                              \
            const type *a = (const type *)m->a->values + r * m->a->row_stride;                               \
            for (int64_t k = m->c->offsets[r]; k < m->c->offsets[r + 1]; k++) {                              \
                const type *b = (const type *)m->b->values + (int64_t)m->c->columns[k] * m->b->row_stride;   \
                type sum[SUMS] = {0}, total = 0;                                                             \
                int64_t i = 0;                                                                               \
                for (; i + SUMS <= length; i += SUMS)                                                        \
                    for (int s = 0; s < SUMS; s++)                                                           \
                        sum[s] += sparse_mul_##t(a[i + s], b[i + s]);                                        \
                for (; i < length; i++)                                                                      \
                    total += sparse_mul_##t(a[i], b[i]);                                                     \
                for (int s = 0; s < SUMS; s++)                                                               \
                    total += sum[s];                                                                         \
                total = sparse_mul_##t(alpha, total);                                                        \
                values[k] = beta == 0 ? total : total + sparse_mul_##t(beta, values[k]);                     \
            }                                                                                                \
        }                                                                                                    \
    }
SPARSE_EACH(SDDMM)

static void sddmm_part(void *context, int64_t begin, int64_t end)
{
    const struct sddmm *m = context;
    SPARSE_CALL(m->c->type, sddmm, m, begin, end);
}

void sparse_sddmm(const struct sparse_dense *a, const struct sparse_dense *b, union sparse_scalar alpha,
                  union sparse_scalar beta, struct sparse_csr *c)
{
    struct sddmm m = {a, b, alpha, beta, c};
    sparse_parallel(c->rows, rows_of_grain(c, a->cols + 1), sddmm_part, &m);
}

/* ---- vectors */

#define VECTORS(t, type)                                                                                     \
    static void gather_##t(const type *from, const int64_t *position, int64_t count, type *to)               \
    {                                                                                                        \
        for (int64_t i = 0; i < count; i++)                                                                  \
            to[i] = from[position[i]];                                                                       \
    }                                                                                                        \
    static void conjugate_##t(type *values, int64_t count)                                                   \
    {                                                                                                        \
        for (int64_t i = 0; i < count; i++)                                                                  \
            values[i] = SPARSE_CONJ_##t(values[i]);                                                          \
    }                                                                                                        \
    static void axpby_##t(union sparse_scalar a, const struct sparse_vector *x, union sparse_scalar b,       \
                          type *y, int64_t size)                                                             \
    {                                                                                                        \
        type alpha = sparse_value_##t(a), beta = sparse_value_##t(b);                                        \
        const type *values = x->values;                                                                      \
        for (int64_t i = 0; i < size && beta != 1; i++)                                                      \
            y[i] = beta == 0 ? 0 : sparse_mul_##t(beta, y[i]);                                               \
        for (int64_t i = 0; i < x->n; i++)                                                                   \
            y[x->indices[i]] += sparse_mul_##t(alpha, values[i]);                                            \
    }                                                                                                        \
    static void dot_##t(const struct sparse_vector *x, const type *y, bool conjugates, type *result)         \
    {                                                                                                        \
        const type *values = x->values;                                                                      \
        type sum[4] = {0, 0, 0, 0};                                                                          \
        for (int64_t i = 0; i < x->n; i++)                                                                   \
            sum[i & 3] +=                                                                                    \
                sparse_mul_##t(conjugates ? SPARSE_CONJ_##t(values[i]) : values[i], y[x->indices[i]]);       \
        *result = (sum[0] + sum[2]) + (sum[1] + sum[3]);                                                     \
    }                                                                                                        \
    static void rot_##t(union sparse_scalar c, union sparse_scalar s, const struct sparse_vector *x,         \
                        type *y)                                                                             \
    {                                                                                                        \
        type cosine = sparse_value_##t(c), sine = sparse_value_##t(s), *values = x->values;                  \
        for (int64_t i = 0; i < x->n; i++) {                                                                 \
            type *other = &y[x->indices[i]], old = values[i];                                                \
            values[i] = sparse_mul_##t(cosine, old) + sparse_mul_##t(sine, *other);                          \
            *other = sparse_mul_##t(cosine, *other) - sparse_mul_##t(sine, old);                             \
        }                                                                                                    \
    }                                                                                                        \
    static void scale_add_##t(union sparse_scalar a, const type *from, union sparse_scalar b, type *to,      \
                              uint64_t count)                                                                \
    {                                                                                                        \
        type alpha = sparse_value_##t(a), beta = sparse_value_##t(b);                                        \
        for (uint64_t i = 0; i < count; i++)                                                                 \
            to[i] = beta == 0 ? sparse_mul_##t(alpha, from[i])                                               \
                              : sparse_mul_##t(alpha, from[i]) + sparse_mul_##t(beta, to[i]);                \
    }
SPARSE_EACH(VECTORS)

void sparse_gather(enum sparse_type type, const void *from, const int64_t *position, int64_t count, void *to)
{
    SPARSE_CALL(type, gather, from, position, count, to);
}

void sparse_conjugate(enum sparse_type type, void *values, int64_t count)
{
    SPARSE_CALL(type, conjugate, values, count);
}

void sparse_axpby(union sparse_scalar alpha, const struct sparse_vector *x, union sparse_scalar beta, void *y,
                  int64_t size)
{
    SPARSE_CALL(x->type, axpby, alpha, x, beta, y, size);
}

void sparse_dot(const struct sparse_vector *x, const void *y, bool conjugates, void *result)
{
    SPARSE_CALL(x->type, dot, x, y, conjugates, result);
}

void sparse_rot(union sparse_scalar c, union sparse_scalar s, const struct sparse_vector *x, void *y)
{
    SPARSE_CALL(x->type, rot, c, s, x, y);
}

void sparse_scale_add(enum sparse_type type, union sparse_scalar alpha, const void *a,
                      union sparse_scalar beta, void *to, uint64_t count)
{
    SPARSE_CALL(type, scale_add, alpha, a, beta, to, count);
}
