/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: one function a routine of BLAS for all four types. Method: the type chooses the library's
 * function; scalars are passed as it takes them, real ones by value. Limits: the library's own. */
#include "blas_priv.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define EACH_TYPE(x, ONE)                                                                                    \
    switch ((x)->type) {                                                                                     \
    case BLAS_S: ONE(s); return true;                                                                        \
    case BLAS_D: ONE(d); return true;                                                                        \
    case BLAS_C: ONE(c); return true;                                                                        \
    case BLAS_Z: ONE(z); return true;                                                                        \
    default: return false;                                                                                   \
    }
#define EACH_REAL(x, ONE)                                                                                    \
    switch ((int)(x)->type) {                                                                                \
    case BLAS_S: ONE(s); return true;                                                                        \
    case BLAS_D: ONE(d); return true;                                                                        \
    default: return false;                                                                                   \
    }
#define EACH_COMPLEX(x, ONE)                                                                                 \
    switch ((int)(x)->type) {                                                                                \
    case BLAS_C: ONE(c); return true;                                                                        \
    case BLAS_Z: ONE(z); return true;                                                                        \
    default: return false;                                                                                   \
    }

static bool is_complex(const struct blas_args *x)
{
    return x->type == BLAS_C || x->type == BLAS_Z;
}

/* ---- level 3 */

bool blas_gemm(const struct blas_args *x)
{
#define ONE(t)                                                                                               \
    BLAS_ONE(t, gemm,                                                                                        \
             (BLAS_COLUMNS, x->trans_a, x->trans_b, x->m, x->n, x->k, V_##t(x->alpha), x->a, x->lda, x->b,   \
              x->ldb, V_##t(x->beta), x->c, x->ldc))
    EACH_TYPE(x, ONE)
#undef ONE
}

bool blas_symm(const struct blas_args *x, bool hermitian)
{
#define ARGUMENTS(t)                                                                                         \
    (BLAS_COLUMNS, x->side, x->uplo, x->m, x->n, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb,                \
     V_##t(x->beta), x->c, x->ldc)
#define ONE(t)     BLAS_ONE(t, symm, ARGUMENTS(t))
#define ONE_HER(t) BLAS_ONE(t, hemm, ARGUMENTS(t))
    if (hermitian && is_complex(x)) EACH_COMPLEX(x, ONE_HER)
    EACH_TYPE(x, ONE)
#undef ONE
#undef ONE_HER
#undef ARGUMENTS
}

bool blas_syrk(const struct blas_args *x, bool hermitian)
{
#define ONE(t)                                                                                               \
    BLAS_ONE(t, syrk,                                                                                        \
             (BLAS_COLUMNS, x->uplo, x->trans_a, x->n, x->k, V_##t(x->alpha), x->a, x->lda, V_##t(x->beta),  \
              x->c, x->ldc))
#define ONE_HER(t)                                                                                           \
    BLAS_ONE(t, herk,                                                                                        \
             (BLAS_COLUMNS, x->uplo, x->trans_a, x->n, x->k, R_##t(x->alpha), x->a, x->lda, R_##t(x->beta),  \
              x->c, x->ldc))
    if (hermitian && is_complex(x)) EACH_COMPLEX(x, ONE_HER)
    EACH_TYPE(x, ONE)
#undef ONE
#undef ONE_HER
}

bool blas_syr2k(const struct blas_args *x, bool hermitian)
{
#define ONE(t)                                                                                               \
    BLAS_ONE(t, syr2k,                                                                                       \
             (BLAS_COLUMNS, x->uplo, x->trans_a, x->n, x->k, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb,    \
              V_##t(x->beta), x->c, x->ldc))
#define ONE_HER(t)                                                                                           \
    BLAS_ONE(t, her2k,                                                                                       \
             (BLAS_COLUMNS, x->uplo, x->trans_a, x->n, x->k, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb,    \
              R_##t(x->beta), x->c, x->ldc))
    if (hermitian && is_complex(x)) EACH_COMPLEX(x, ONE_HER)
    EACH_TYPE(x, ONE)
#undef ONE
#undef ONE_HER
}

#define TRIANGULAR(routine)                                                                                  \
    bool blas_##routine(const struct blas_args *x)                                                           \
    {                                                                                                        \
        EACH_TYPE(x, ONE)                                                                                    \
    }
#define ARGUMENTS(t)                                                                                         \
    (BLAS_COLUMNS, x->side, x->uplo, x->trans_a, x->diag, x->m, x->n, V_##t(x->alpha), x->a, x->lda, x->c,   \
     x->ldc)
#define ONE(t) BLAS_ONE(t, trmm, ARGUMENTS(t))
TRIANGULAR(trmm)
#undef ONE
#define ONE(t) BLAS_ONE(t, trsm, ARGUMENTS(t))
TRIANGULAR(trsm)
#undef ONE
#undef ARGUMENTS

/* ---- level 2 */

enum { ROOM = 256 }; /* implementation: bytes that may be read behind a copy */

/* Elements of a strided vector side by side, in memory of their own. */
static void *packed_vector(const void *from, int64_t count, int64_t step, uint32_t bytes)
{
    char *to = sw_xmalloc((uint64_t)count * bytes + ROOM);
    const char *at = (const char *)from + (step < 0 ? (1 - count) * step * (int64_t)bytes : 0);
    for (int64_t i = 0; i < count; i++)
        memcpy(to + (uint64_t)i * bytes, at + i * step * (int64_t)bytes, bytes);
    return to;
}

bool blas_gemv(const struct blas_args *x)
{
    if (is_complex(x) && x->ldb != 1) { /* by strided_dot's reason */
        struct blas_args plain = *x;
        void *side = packed_vector(x->b, x->trans_a == BLAS_N ? x->n : x->m, x->ldb, blas_bytes(x->type));
        plain.b = side;
        plain.ldb = 1;
        bool done = blas_gemv(&plain);
        free(side);
        return done;
    }
#define ONE(t)                                                                                               \
    BLAS_ONE(t, gemv,                                                                                        \
             (BLAS_COLUMNS, x->trans_a, x->m, x->n, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb,             \
              V_##t(x->beta), x->c, x->ldc))
    EACH_TYPE(x, ONE)
#undef ONE
}

bool blas_gbmv(const struct blas_args *x)
{
#define ONE(t)                                                                                               \
    BLAS_ONE(t, gbmv,                                                                                        \
             (BLAS_COLUMNS, x->trans_a, x->m, x->n, x->kl, x->ku, V_##t(x->alpha), x->a, x->lda, x->b,       \
              x->ldb, V_##t(x->beta), x->c, x->ldc))
    EACH_TYPE(x, ONE)
#undef ONE
}

static bool symv_call(const struct blas_args *x, bool hermitian)
{
#define ARGUMENTS(t)                                                                                         \
    (BLAS_COLUMNS, x->uplo, x->n, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb, V_##t(x->beta), x->c, x->ldc)
#define ONE(t)     BLAS_ONE(t, symv, ARGUMENTS(t))
#define ONE_HER(t) BLAS_ONE(t, hemv, ARGUMENTS(t))
    if (hermitian) EACH_COMPLEX(x, ONE_HER)
    EACH_REAL(x, ONE)
#undef ONE
#undef ONE_HER
#undef ARGUMENTS
}

/* Is the end of a matrix so near the end of a page that the next one may be missing? */
static bool ends_at_page(const void *at, int64_t rows, int64_t columns, int64_t ld, uint32_t bytes)
{
    enum { PAGE = 4096, NEAR = 64 }; /* definition; implementation: a vector of the widest */
    uintptr_t end = (uintptr_t)at + (uintptr_t)((columns - 1) * ld + rows) * bytes;
    return (end + NEAR - 1) / PAGE != (end - 1) / PAGE;
}

/* OpenBLAS reads beyond the last element of the matrix and of the vectors (0.3.21, zhemv_U): copies with room
 * behind them, of the matrix only where it ends with a page. */
static bool hemv_inside(const struct blas_args *x)
{
    struct blas_args inside = *x;
    uint32_t bytes = blas_bytes(x->type);
    uint64_t matrix = (uint64_t)((int64_t)(x->n - 1) * x->lda + x->n) * bytes;
    char *a = NULL, *b = packed_vector(x->b, x->n, x->ldb, bytes),
         *c = packed_vector(x->c, x->n, x->ldc, bytes);
    if (ends_at_page(x->a, x->n, x->n, x->lda, bytes)) {
        inside.a = a = sw_xmalloc(matrix + ROOM);
        memcpy(a, x->a, matrix);
    }
    inside.b = b;
    inside.c = c;
    inside.ldb = inside.ldc = 1;
    bool done = symv_call(&inside, true);
    char *to = (char *)x->c + (x->ldc < 0 ? (int64_t)(1 - x->n) * x->ldc * (int64_t)bytes : 0);
    for (int64_t i = 0; i < x->n && done; i++)
        memcpy(to + i * x->ldc * (int64_t)bytes, c + (uint64_t)i * bytes, bytes);
    free(a);
    free(b);
    free(c);
    return done;
}

bool blas_symv(const struct blas_args *x, bool hermitian)
{
    if (!hermitian && is_complex(x)) return blas_symv_complex(x);
    return hermitian && x->n > 0 ? hemv_inside(x) : symv_call(x, hermitian);
}

bool blas_sbmv(const struct blas_args *x, bool hermitian)
{
#define ARGUMENTS(t)                                                                                         \
    (BLAS_COLUMNS, x->uplo, x->n, x->k, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb, V_##t(x->beta), x->c,   \
     x->ldc)
#define ONE(t)     BLAS_ONE(t, sbmv, ARGUMENTS(t))
#define ONE_HER(t) BLAS_ONE(t, hbmv, ARGUMENTS(t))
    if (hermitian) EACH_COMPLEX(x, ONE_HER)
    EACH_REAL(x, ONE)
#undef ONE
#undef ONE_HER
#undef ARGUMENTS
}

bool blas_spmv(const struct blas_args *x, bool hermitian)
{
#define ARGUMENTS(t)                                                                                         \
    (BLAS_COLUMNS, x->uplo, x->n, V_##t(x->alpha), x->a, x->b, x->ldb, V_##t(x->beta), x->c, x->ldc)
#define ONE(t)     BLAS_ONE(t, spmv, ARGUMENTS(t))
#define ONE_HER(t) BLAS_ONE(t, hpmv, ARGUMENTS(t))
    if (hermitian) EACH_COMPLEX(x, ONE_HER)
    EACH_REAL(x, ONE)
#undef ONE
#undef ONE_HER
#undef ARGUMENTS
}

#define HEAD   BLAS_COLUMNS, x->uplo, x->trans_a, x->diag, x->n
#define R(t)   BLAS_ONE(t, trmv, (HEAD, x->a, x->lda, x->c, x->ldc))
#define R_S(t) BLAS_ONE(t, trsv, (HEAD, x->a, x->lda, x->c, x->ldc))
#define B(t)   BLAS_ONE(t, tbmv, (HEAD, x->k, x->a, x->lda, x->c, x->ldc))
#define B_S(t) BLAS_ONE(t, tbsv, (HEAD, x->k, x->a, x->lda, x->c, x->ldc))
#define P(t)   BLAS_ONE(t, tpmv, (HEAD, x->a, x->c, x->ldc))
#define P_S(t) BLAS_ONE(t, tpsv, (HEAD, x->a, x->c, x->ldc))
static bool triangle(const struct blas_args *x, bool solves)
{
    if (solves) EACH_TYPE(x, R_S)
    EACH_TYPE(x, R)
}

static bool band(const struct blas_args *x, bool solves)
{
    if (solves) EACH_TYPE(x, B_S)
    EACH_TYPE(x, B)
}

static bool packed_triangle(const struct blas_args *x, bool solves)
{
    if (solves) EACH_TYPE(x, P_S)
    EACH_TYPE(x, P)
}
#undef HEAD
#undef R
#undef R_S
#undef B
#undef B_S
#undef P
#undef P_S

bool blas_trv(const struct blas_args *x, char storage, bool solves)
{
    if (storage == 'b') return band(x, solves);
    return storage == 'p' ? packed_triangle(x, solves) : triangle(x, solves);
}

bool blas_ger(const struct blas_args *x, bool conjugates)
{
#define ARGUMENTS(t) (BLAS_COLUMNS, x->m, x->n, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb, x->c, x->ldc)
#define ONE(t)       BLAS_ONE(t, ger, ARGUMENTS(t))
#define ONE_U(t)     BLAS_ONE(t, geru, ARGUMENTS(t))
#define ONE_C(t)     BLAS_ONE(t, gerc, ARGUMENTS(t))
    if (is_complex(x) && conjugates) EACH_COMPLEX(x, ONE_C)
    if (is_complex(x)) EACH_COMPLEX(x, ONE_U)
    EACH_REAL(x, ONE)
#undef ONE
#undef ONE_U
#undef ONE_C
#undef ARGUMENTS
}

bool blas_syr(const struct blas_args *x, bool hermitian, bool packed)
{
#define HEAD(t)      BLAS_COLUMNS, x->uplo, x->n, R_##t(x->alpha), x->a, x->lda, x->c
#define ONE(t)       BLAS_ONE(t, syr, (HEAD(t), x->ldc))
#define ONE_P(t)     BLAS_ONE(t, spr, (HEAD(t)))
#define ONE_HER(t)   BLAS_ONE(t, her, (HEAD(t), x->ldc))
#define ONE_HER_P(t) BLAS_ONE(t, hpr, (HEAD(t)))
    if (!hermitian && !packed && is_complex(x)) return blas_syr_complex(x);
    if (hermitian && packed) EACH_COMPLEX(x, ONE_HER_P)
    if (hermitian) EACH_COMPLEX(x, ONE_HER)
    if (packed) EACH_REAL(x, ONE_P)
    EACH_REAL(x, ONE)
#undef HEAD
#undef ONE
#undef ONE_P
#undef ONE_HER
#undef ONE_HER_P
}

bool blas_syr2(const struct blas_args *x, bool hermitian, bool packed)
{
#define HEAD(t)      BLAS_COLUMNS, x->uplo, x->n, V_##t(x->alpha), x->a, x->lda, x->b, x->ldb, x->c
#define ONE(t)       BLAS_ONE(t, syr2, (HEAD(t), x->ldc))
#define ONE_P(t)     BLAS_ONE(t, spr2, (HEAD(t)))
#define ONE_HER(t)   BLAS_ONE(t, her2, (HEAD(t), x->ldc))
#define ONE_HER_P(t) BLAS_ONE(t, hpr2, (HEAD(t)))
    if (!hermitian && !packed && is_complex(x)) return blas_syr2_complex(x);
    if (hermitian && packed) EACH_COMPLEX(x, ONE_HER_P)
    if (hermitian) EACH_COMPLEX(x, ONE_HER)
    if (packed) EACH_REAL(x, ONE_P)
    EACH_REAL(x, ONE)
#undef HEAD
#undef ONE
#undef ONE_P
#undef ONE_HER
#undef ONE_HER_P
}

/* ---- level 1 */

bool blas_axpy(const struct blas_args *x)
{
#define ONE(t) BLAS_ONE(t, axpy, (x->n, V_##t(x->alpha), x->a, x->lda, x->c, x->ldc))
    EACH_TYPE(x, ONE)
#undef ONE
}

bool blas_copy(const struct blas_args *x)
{
#define ONE(t) BLAS_ONE(t, copy, (x->n, x->a, x->lda, x->c, x->ldc))
    EACH_TYPE(x, ONE)
#undef ONE
}

bool blas_swap(const struct blas_args *x)
{
#define ONE(t) BLAS_ONE(t, swap, (x->n, x->c, x->ldc, x->d, x->ldb))
    EACH_TYPE(x, ONE)
#undef ONE
}

bool blas_scal(const struct blas_args *x, bool real_alpha)
{
#define ONE(t) BLAS_ONE(t, scal, (x->n, V_##t(x->alpha), x->c, x->ldc))
    if (real_alpha && x->type == BLAS_C) {
        BLAS_ONE(, csscal, (x->n, R_c(x->alpha), x->c, x->ldc));
        return true;
    }
    if (real_alpha && x->type == BLAS_Z) {
        BLAS_ONE(, zdscal, (x->n, R_z(x->alpha), x->c, x->ldc));
        return true;
    }
    EACH_TYPE(x, ONE)
#undef ONE
}

/* OpenBLAS reads beyond such vectors (0.3.21, cdotu_k and zdotu_k), where there may be no memory. */
#define STRIDED_DOT(t, type, conjugate)                                                                      \
    static void strided_dot_##t(const struct blas_args *x, bool conjugates)                                  \
    {                                                                                                        \
        int64_t n = x->n, a = x->lda < 0 ? (1 - n) * x->lda : 0, b = x->ldb < 0 ? (1 - n) * x->ldb : 0;      \
        type sum = 0;                                                                                        \
        for (int64_t i = 0; i < n; i++, a += x->lda, b += x->ldb) {                                          \
            type left = ((const type *)x->a)[a];                                                             \
            sum += (conjugates ? conjugate(left) : left) * ((const type *)x->b)[b];                          \
        }                                                                                                    \
        memcpy(x->d, &sum, sizeof sum);                                                                      \
    }
STRIDED_DOT(c, float complex, conjf)
STRIDED_DOT(z, double complex, conj)

static bool strided_dot(const struct blas_args *x, bool conjugates)
{
    if (x->type == BLAS_C)
        strided_dot_c(x, conjugates);
    else
        strided_dot_z(x, conjugates);
    return true;
}

bool blas_dot(const struct blas_args *x, bool conjugates)
{
#define ONE_U(t) BLAS_ONE(t, dotu_sub, (x->n, x->a, x->lda, x->b, x->ldb, x->d))
#define ONE_C(t) BLAS_ONE(t, dotc_sub, (x->n, x->a, x->lda, x->b, x->ldb, x->d))
    if (x->type == BLAS_S && blas_library.sdot) {
        *(float *)x->d = blas_library.sdot(x->n, x->a, x->lda, x->b, x->ldb);
        return true;
    }
    if (x->type == BLAS_D && blas_library.ddot) {
        *(double *)x->d = blas_library.ddot(x->n, x->a, x->lda, x->b, x->ldb);
        return true;
    }
    if (x->lda != 1 || x->ldb != 1) return strided_dot(x, conjugates);
    if (conjugates) EACH_COMPLEX(x, ONE_C)
    EACH_COMPLEX(x, ONE_U)
#undef ONE_U
#undef ONE_C
}

/* The real result of one vector. */
static bool norm(const struct blas_args *x, float (*s)(int, const void *, int),
                 double (*d)(int, const void *, int), float (*c)(int, const void *, int),
                 double (*z)(int, const void *, int))
{
    bool single = x->type == BLAS_S || x->type == BLAS_C;
    float (*of_single)(int, const void *, int) = x->type == BLAS_S ? s : c;
    double (*of_double)(int, const void *, int) = x->type == BLAS_D ? d : z;
    if (single ? !of_single : !of_double) return false;
    if (single)
        *(float *)x->d = of_single(x->n, x->a, x->lda);
    else
        *(double *)x->d = of_double(x->n, x->a, x->lda);
    return true;
}

bool blas_nrm2(const struct blas_args *x)
{
    return norm(x, blas_library.snrm2, blas_library.dnrm2, blas_library.scnrm2, blas_library.dznrm2);
}

bool blas_asum(const struct blas_args *x)
{
    return norm(x, blas_library.sasum, blas_library.dasum, blas_library.scasum, blas_library.dzasum);
}

/* |re| + |im|, as BLAS has it, of element i. */
static double size_of(const struct blas_args *x, int64_t i)
{
    i *= x->lda;
    const float *s = x->a;
    const double *d = x->a;
    switch (x->type) {
    case BLAS_S: return __builtin_fabsf(s[i]);
    case BLAS_D: return __builtin_fabs(d[i]);
    case BLAS_C: return __builtin_fabsf(s[2 * i]) + __builtin_fabsf(s[2 * i + 1]);
    case BLAS_Z: return __builtin_fabs(d[2 * i]) + __builtin_fabs(d[2 * i + 1]);
    default: return 0;
    }
}

bool blas_amax(const struct blas_args *x, bool least)
{
    int64_t best = 0;
    double found = 0;
    for (int64_t i = 0; i < x->n && x->lda > 0; i++) {
        double size = size_of(x, i);
        if (best && !(least ? size < found : size > found)) continue;
        best = i + 1;
        found = size;
    }
    *(int *)x->d = (int)best;
    return true;
}
