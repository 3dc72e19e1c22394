/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: factorizations, and products of symmetric matrices of complex numbers, which only LAPACK has.
 * Method: the library's Fortran functions, and loops where cuBLAS does otherwise. Limits: the library's own;
 * libraries without LAPACK have none of them. */
#include "blas_priv.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define EACH(x, ONE)                                                                                         \
    switch ((x)->type) {                                                                                     \
    case BLAS_S: ONE(s); break;                                                                              \
    case BLAS_D: ONE(d); break;                                                                              \
    case BLAS_C: ONE(c); break;                                                                              \
    case BLAS_Z: ONE(z); break;                                                                              \
    default: return false;                                                                                   \
    }

/* ONE(letter) with room for so many elements at `work`, where the library has the function; then return. */
#define WITH_ROOM(x, function, room)                                                                         \
    bool done = true;                                                                                        \
    void *work = sw_xmalloc((uint64_t)(room) * blas_bytes((x)->type));                                       \
    switch ((x)->type) {                                                                                     \
    case BLAS_S: TRY_ONE(s, function); break;                                                                \
    case BLAS_D: TRY_ONE(d, function); break;                                                                \
    case BLAS_C: TRY_ONE(c, function); break;                                                                \
    case BLAS_Z: TRY_ONE(z, function); break;                                                                \
    default: done = false;                                                                                   \
    }                                                                                                        \
    free(work);                                                                                              \
    return done
#define TRY_ONE(t, function)                                                                                 \
    done = blas_library.t##function##_ != NULL;                                                              \
    if (done) ONE(t)

/* ---- by loops: without pivots; and of complex numbers, whose pivots cuBLAS chooses by their absolute value
 * (measured: tests/hw/libraries), LAPACK by the sum of their parts */

#define AT(p, i, j, ld) ((p)[(int64_t)(j) * (ld) + (i)])
#define SIZE_s(x)       ((double)(x) * (double)(x))
#define SIZE_d(x)       ((x) * (x))
#define SIZE_c(x)       ((double)crealf(x) * (double)crealf(x) + (double)cimagf(x) * (double)cimagf(x))
#define SIZE_z(x)       (creal(x) * creal(x) + cimag(x) * cimag(x))
#define LU(t, type)                                                                                          \
    static int largest_##t(const struct blas_args *x, int k)                                                 \
    {                                                                                                        \
        const type *c = x->c;                                                                                \
        int best = k;                                                                                        \
        for (int i = k + 1; i < x->m; i++)                                                                   \
            if (SIZE_##t(AT(c, i, k, x->ldc)) > SIZE_##t(AT(c, best, k, x->ldc))) best = i;                  \
        return best;                                                                                         \
    }                                                                                                        \
    static void exchange_##t(const struct blas_args *x, int a, int b)                                        \
    {                                                                                                        \
        type *c = x->c;                                                                                      \
        for (int j = 0; j < x->n && a != b; j++) {                                                           \
            type kept = AT(c, a, j, x->ldc);                                                                 \
            AT(c, a, j, x->ldc) = AT(c, b, j, x->ldc);                                                       \
            AT(c, b, j, x->ldc) = kept;                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    static int lu_##t(const struct blas_args *x, int *pivots)                                                \
    {                                                                                                        \
        type *c = x->c;                                                                                      \
        int info = 0, steps = x->m < x->n ? x->m : x->n;                                                     \
        for (int k = 0; k < steps; k++) {                                                                    \
            int pivot = pivots ? largest_##t(x, k) : k;                                                      \
            if (pivots) pivots[k] = pivot + 1;                                                               \
            if (AT(c, pivot, k, x->ldc) == 0) {                                                              \
                info = info ? info : k + 1;                                                                  \
                continue;                                                                                    \
            }                                                                                                \
            exchange_##t(x, k, pivot);                                                                       \
            for (int i = k + 1; i < x->m; i++)                                                               \
                AT(c, i, k, x->ldc) /= AT(c, k, k, x->ldc);                                                  \
            for (int j = k + 1; j < x->n; j++)                                                               \
                for (int i = k + 1; i < x->m; i++)                                                           \
                    AT(c, i, j, x->ldc) -= AT(c, i, k, x->ldc) * AT(c, k, j, x->ldc);                        \
        }                                                                                                    \
        return info;                                                                                         \
    }
LU(s, float)
LU(d, double)
LU(c, float complex)
LU(z, double complex)

/* ---- LAPACK's */

bool blas_getrf(const struct blas_args *x, int *pivots, int *info)
{
#define ONE(t)                                                                                               \
    if (!blas_library.t##getrf_) return false;                                                               \
    blas_library.t##getrf_(&x->m, &x->n, x->c, &x->ldc, pivots, info)
#define ONE_LOOP(t) *info = lu_##t(x, pivots)
    if (!pivots || x->type == BLAS_C || x->type == BLAS_Z) {
        EACH(x, ONE_LOOP)
        return true;
    }
    EACH(x, ONE)
    return true;
#undef ONE
#undef ONE_LOOP
}

/* Pivots that exchange nothing. */
bool blas_pivots_are_good(const int *pivots, int n)
{
    for (int i = 0; i < n; i++)
        if (pivots[i] < 1 || pivots[i] > n) return false;
    return true;
}

static int *no_pivots(int count)
{
    int *pivots = sw_xmalloc((uint64_t)count * sizeof *pivots + 1);
    for (int i = 0; i < count; i++)
        pivots[i] = i + 1;
    return pivots;
}

static char letter(enum blas_op op)
{
    return op == BLAS_N ? 'N' : op == BLAS_T ? 'T' : 'C';
}

static bool getrs_by(const struct blas_args *x, const int *pivots, int *info)
{
    char op = letter(x->trans_a);
#define ONE(t)                                                                                               \
    if (!blas_library.t##getrs_) return false;                                                               \
    blas_library.t##getrs_(&op, &x->m, &x->n, x->a, &x->lda, pivots, x->c, &x->ldc, info, 1)
    EACH(x, ONE)
    return true;
#undef ONE
}

bool blas_getrs(const struct blas_args *x, const int *pivots, int *info)
{
    if (pivots && !blas_pivots_are_good(pivots, x->m)) {
        *info = -6; /* LAPACK: this parameter is wrong */
        return true;
    }
    int *none = pivots ? NULL : no_pivots(x->m);
    bool done = getrs_by(x, pivots ? pivots : none, info);
    free(none);
    return done;
}

/* In c, of the factors that stand there. */
static bool getri_by(const struct blas_args *x, const int *pivots, int *info)
{
    int room = 64 * (x->m > 0 ? x->m : 1); /* implementation: blocks of 64 columns */
#define ONE(t) blas_library.t##getri_(&x->m, x->c, &x->ldc, pivots, work, &room, info)
    WITH_ROOM(x, getri, room);
#undef ONE
}

bool blas_getri(const struct blas_args *x, const int *pivots, int *info)
{
    if (pivots && !blas_pivots_are_good(pivots, x->m)) {
        *info = -4; /* LAPACK: this parameter is wrong */
        return true;
    }
    uint64_t bytes = blas_bytes(x->type);
    int *none = pivots ? NULL : no_pivots(x->m);
    for (int64_t j = 0; j < x->m; j++)
        memmove((char *)x->c + (uint64_t)(j * x->ldc) * bytes,
                (const char *)x->a + (uint64_t)(j * x->lda) * bytes, (uint64_t)x->m * bytes);
    bool done = getri_by(x, pivots ? pivots : none, info);
    free(none);
    return done;
}

bool blas_geqrf(const struct blas_args *x, int *info)
{
    int room = 64 * (x->n > 0 ? x->n : 1);
#define ONE(t) blas_library.t##geqrf_(&x->m, &x->n, x->c, &x->ldc, x->d, work, &room, info)
    WITH_ROOM(x, geqrf, room);
#undef ONE
}

bool blas_gels(const struct blas_args *x, int *info)
{
    int least = x->m < x->n ? x->m : x->n, room = least + 64 * (x->m > x->n ? x->m : x->n) + 64 * x->k + 1;
    char op = letter(x->trans_a);
#define ONE(t)                                                                                               \
    blas_library.t##gels_(&op, &x->m, &x->n, &x->k, (void *)(uintptr_t)x->a, &x->lda, x->c, &x->ldc, work,   \
                          &room, info, 1)
    WITH_ROOM(x, gels, room);
#undef ONE
}

/* ---- symmetric matrices of complex numbers */

bool blas_symv_complex(const struct blas_args *x)
{
    char uplo = x->uplo == BLAS_UPPER ? 'U' : 'L';
    if (x->type == BLAS_C && blas_library.csymv_)
        blas_library.csymv_(&uplo, &x->n, x->alpha, x->a, &x->lda, x->b, &x->ldb, x->beta, x->c, &x->ldc, 1);
    else if (x->type == BLAS_Z && blas_library.zsymv_)
        blas_library.zsymv_(&uplo, &x->n, x->alpha, x->a, &x->lda, x->b, &x->ldb, x->beta, x->c, &x->ldc, 1);
    else
        return false;
    return true;
}

bool blas_syr_complex(const struct blas_args *x)
{
    char uplo = x->uplo == BLAS_UPPER ? 'U' : 'L';
    if (x->type == BLAS_C && blas_library.csyr_)
        blas_library.csyr_(&uplo, &x->n, x->alpha, x->a, &x->lda, x->c, &x->ldc, 1);
    else if (x->type == BLAS_Z && blas_library.zsyr_)
        blas_library.zsyr_(&uplo, &x->n, x->alpha, x->a, &x->lda, x->c, &x->ldc, 1);
    else
        return false;
    return true;
}

/* c := alpha * a * b^T + alpha * b * a^T + c, of which a triangle is changed. */
#define SYR2(t, type)                                                                                        \
    static void syr2_##t(const struct blas_args *x)                                                          \
    {                                                                                                        \
        const type *a = x->a, *b = x->b;                                                                     \
        type *c = x->c, alpha;                                                                               \
        int64_t n = x->n, ia = x->lda < 0 ? (1 - n) * x->lda : 0, ib = x->ldb < 0 ? (1 - n) * x->ldb : 0;    \
        memcpy(&alpha, x->alpha, sizeof alpha);                                                              \
        for (int64_t j = 0; j < n; j++) {                                                                    \
            int64_t first = x->uplo == BLAS_UPPER ? 0 : j, last = x->uplo == BLAS_UPPER ? j : n - 1;         \
            type aj = alpha * a[ia + j * x->lda], bj = alpha * b[ib + j * x->ldb];                           \
            for (int64_t i = first; i <= last; i++)                                                          \
                AT(c, i, j, x->ldc) += a[ia + i * x->lda] * bj + b[ib + i * x->ldb] * aj;                    \
        }                                                                                                    \
    }
SYR2(c, float complex)
SYR2(z, double complex)

bool blas_syr2_complex(const struct blas_args *x)
{
    if (x->type == BLAS_C)
        syr2_c(x);
    else
        syr2_z(x);
    return true;
}
