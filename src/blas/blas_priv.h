/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BLAS_PRIV_H
#define BLAS_PRIV_H

#include "blas/blas.h"

enum { BLAS_COLUMNS = 102 }; /* CblasColMajor */
struct blas_library {
#define FUNCTION(t, name, result, parameters) result(*t##name) parameters;
#define NAMED(name, result, parameters)       result(*name) parameters;
#define FACTOR(t, name, parameters)           void(*t##name##_) parameters;
#include "blas_functions.def"
#undef FACTOR
#undef FUNCTION
#undef NAMED
};
/* ---- blas_factor.c: of complex types, which LAPACK has */
bool blas_symv_complex(const struct blas_args *x);
bool blas_syr_complex(const struct blas_args *x);
bool blas_syr2_complex(const struct blas_args *x);

/* A function of the library by its name, into a pointer to it; NULL: the library lacks it. After blas_open.
 */
void blas_find(const char *name, void *out);
/* ---- blas_room.c: memory like malloc's, which is kept for the next call */
void *blas_room_take(size_t bytes);
void blas_room_give(void *at); /* NULL: nothing */
/* ---- blas_dnn.c: false: oneDNN is not there, or not for such a product; nothing was changed. */
/* blas_gemm_mixed of signed bytes to BLAS_I32. */
bool blas_dnn_bytes(const struct blas_mixed *x);
bool blas_dnn_has_bf16(const struct blas_mixed *x); /* worth it for products of its sizes */
/* sums, m by n with leading dimension ld, := op(a) * op(b), of bf16; of x only sizes and transpositions
 * count. */
bool blas_dnn_bf16(const struct blas_mixed *x, const uint16_t *a, int lda, const uint16_t *b, int ldb,
                   float *sums, int ld);

extern struct blas_library blas_library; /* NULL pointers: the library lacks them */

/* CALL(t) for the letter of a type; V_t: a scalar as functions of this type take it. */
#define V_s(p) (*(const float *)(p))
#define V_d(p) (*(const double *)(p))
#define V_c(p) ((const void *)(p))
#define V_z(p) ((const void *)(p))
#define R_s(p) (*(const float *)(p))
#define R_d(p) (*(const double *)(p))
#define R_c(p) (*(const float *)(p))
#define R_z(p) (*(const double *)(p))
/* name: of a function of every type; arguments may use L for the type's letter by T(V_, p). */
#define BLAS_ONE(t, name, arguments)                                                                         \
    do {                                                                                                     \
        if (!blas_library.t##name) return false;                                                             \
        blas_library.t##name arguments;                                                                      \
    } while (0)
#endif
