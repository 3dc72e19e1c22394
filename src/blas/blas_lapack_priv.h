/* SPDX-License-Identifier: Apache-2.0 */
/* How the files of LAPACK call it: by Fortran's rules, everything by address, lengths of texts at the end. */
#ifndef BLAS_BLAS_LAPACK_PRIV_H
#define BLAS_BLAS_LAPACK_PRIV_H

#include "blas/blas_lapack.h"
#include "blas_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum blas_lapack {
#define LAPACK(id, real, complex) BLAS_##id,
#include "blas_lapack.def"
#undef LAPACK
    BLAS_LAPACKS
};
typedef void blas_lapack_fn(void);
blas_lapack_fn *blas_lapack_find(enum blas_lapack which, enum blas_type type);

/* Declare `f`, the function of a type, with these parameters; return false where there is none. */
#define LAPACK_FIND(f, id, type, ...)                                                                        \
    void(*f) __VA_ARGS__ = (void(*) __VA_ARGS__)blas_lapack_find(BLAS_##id, type);                           \
    if (!f) return false

/* A copy of a matrix, with room around it: kernels of LAPACK may read beyond what they are given. */
struct blas_copy {
    struct blas_matrix of;
    void *block, *at;
    int rows, columns, ld;
    uint32_t bytes; /* of an element */
};
/* reads: with its elements; else they are zeros */
struct blas_copy blas_copy_new(enum blas_type type, struct blas_matrix of, int rows, int columns, bool reads);
void blas_copy_free(struct blas_copy *copy, bool writes); /* writes: the matrix gets the elements */
/* The same of the triangle of a square matrix; the other elements are anything. */
struct blas_copy blas_copy_triangle(enum blas_type type, struct blas_matrix of, int n, char uplo);
void blas_copy_free_triangle(struct blas_copy *copy, char uplo);

/* Room for work, zeroed, for blas_room_give; numbers of elements as LAPACK wants them are at most this block
 * times a dimension.
 */
enum { LAPACK_BLOCK = 64 }; /* implementation: the widest blocks of LAPACK's ilaenv */
static inline void *blas_work(enum blas_type type, int64_t elements)
{
    size_t bytes = ((size_t)(elements > 0 ? elements : 1) + LAPACK_BLOCK) * blas_bytes(type);
    return memset(blas_room_take(bytes), 0, bytes);
}
static inline int blas_most(int a, int b)
{
    return a > b ? a : b;
}
static inline int blas_least(int a, int b)
{
    return a < b ? a : b;
}
#endif
