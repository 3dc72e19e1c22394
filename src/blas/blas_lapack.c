/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: finds LAPACK's functions (blas_lapack.def) in the library, and copies matrices for them. Method:
 * matrices of the device lie between pages that are not mapped, and OpenBLAS' kernels read vectors' whole
 * registers: a copy costs n^2 where the function costs n^3. Limits: memory for the copies. */
#include "blas_lapack_priv.h"

static const char *const NAMES[BLAS_LAPACKS][2] = {
#define LAPACK(id, real, complex) {#real, #complex},
#include "blas_lapack.def"
#undef LAPACK
};

blas_lapack_fn *blas_lapack_find(enum blas_lapack which, enum blas_type type)
{
    char name[24];
    blas_lapack_fn *found = NULL;
    snprintf(name, sizeof name, "%c%s_", "sdcz"[type], NAMES[which][blas_is_complex(type)]);
    blas_find(name, &found);
    return found;
}

struct blas_copy blas_copy_new(enum blas_type type, struct blas_matrix of, int rows, int columns, bool reads)
{
    enum { AROUND = 256 }; /* bytes: more than the widest register, and a whole line */
    struct blas_copy copy = {.of = of,
                             .rows = blas_most(rows, 0), /* n - 1 of n 0 */
                             .columns = blas_most(columns, 0),
                             .ld = blas_most(rows, 1),
                             .bytes = blas_bytes(type)};
    size_t column = (size_t)copy.rows * copy.bytes;
    copy.block = sw_xcalloc(1, 2 * AROUND + (size_t)copy.ld * copy.bytes * (size_t)blas_most(columns, 1));
    copy.at = (char *)copy.block + AROUND;
    for (int64_t j = 0; j < copy.columns && reads; j++)
        memcpy((char *)copy.at + (size_t)j * column, (const char *)of.at + j * of.ld * copy.bytes, column);
    return copy;
}

void blas_copy_free(struct blas_copy *copy, bool writes)
{
    size_t column = (size_t)copy->rows * copy->bytes;
    for (int64_t j = 0; j < copy->columns && writes; j++)
        memcpy((char *)copy->of.at + j * copy->of.ld * copy->bytes,
               (const char *)copy->at + (size_t)j * column, column);
    free(copy->block);
}
