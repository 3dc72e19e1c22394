/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: finds LAPACK's functions (blas_lapack.def) in the library, and copies matrices for them. Method:
 * matrices of the device lie between pages that are not mapped, and OpenBLAS' kernels read vectors' whole
 * registers: a copy costs n^2 where the function costs n^3. Limits: memory for the copies. */
#include "blas_lapack_priv.h"

#include <limits.h>
#include <stdatomic.h>

static const char *const NAMES[BLAS_LAPACKS][2] = {
#define LAPACK(id, real, complex) {#real, #complex},
#include "blas_lapack.def"
#undef LAPACK
};

blas_lapack_fn *blas_lapack_find(enum blas_lapack which, enum blas_type type)
{
    static _Atomic(blas_lapack_fn *) known[BLAS_LAPACKS][BLAS_Z + 1];
    char name[24];
    blas_lapack_fn *found = atomic_load_explicit(&known[which][type], memory_order_relaxed);
    if (found) return found;
    snprintf(name, sizeof name, "%c%s_", "sdcz"[type], NAMES[which][blas_is_complex(type)]);
    blas_find(name, &found);
    atomic_store_explicit(&known[which][type], found, memory_order_relaxed);
    return found;
}

/* Columns that begin a page apart fall into the same sets of the caches. */
static int spread(int rows, uint32_t bytes)
{
    enum { PAGE = 4096, LINE = 64 };
    uint64_t column = (uint64_t)rows * bytes;
    return column && column % PAGE == 0 && rows < INT_MAX - LINE ? rows + (int)(LINE / bytes) : rows;
}

/* Without elements. */
static struct blas_copy copy_room(enum blas_type type, struct blas_matrix of, int rows, int columns)
{
    /* bytes; AROUND: more than the widest register, and a whole line. Behind it a column more: complex dot
     * products along rows read an element behind the last (OpenBLAS 0.3.21, zdotc and cdotc with strides). */
    enum { AROUND = 256, LINE = 64 };
    struct blas_copy copy = {.of = of,
                             .rows = blas_most(rows, 0), /* n - 1 of n 0 */
                             .columns = blas_most(columns, 0),
                             .bytes = blas_bytes(type)};
    copy.ld = spread(blas_most(rows, 1), copy.bytes);
    size_t bytes = (size_t)copy.ld * copy.bytes * ((size_t)blas_most(columns, 1) + 1);
    copy.block = blas_room_take(2 * AROUND + LINE + bytes);
    copy.at = (char *)copy.block + AROUND + (LINE - (uintptr_t)copy.block % LINE) % LINE;
    return copy;
}

static char *own_at(const struct blas_copy *copy, int64_t row, int64_t column)
{
    return (char *)copy->at + (column * copy->ld + row) * copy->bytes;
}

static char *given_at(const struct blas_copy *copy, int64_t row, int64_t column)
{
    return (char *)copy->of.at + (column * copy->of.ld + row) * copy->bytes;
}

/* Of the copy, whole columns without gaps between them. */
static size_t bytes_of(const struct blas_copy *copy)
{
    return (size_t)copy->ld * copy->bytes * (size_t)copy->columns;
}

static bool has_no_gaps(const struct blas_copy *copy)
{
    return copy->columns > 0 && copy->ld == copy->rows && copy->of.ld == copy->rows;
}

static void copy_in(struct blas_copy *copy)
{
    if (has_no_gaps(copy)) {
        memcpy(copy->at, copy->of.at, bytes_of(copy));
        return;
    }
    for (int64_t j = 0; j < copy->columns; j++)
        memcpy(own_at(copy, 0, j), given_at(copy, 0, j), (size_t)copy->rows * copy->bytes);
}

struct blas_copy blas_copy_new(enum blas_type type, struct blas_matrix of, int rows, int columns, bool reads)
{
    struct blas_copy copy = copy_room(type, of, rows, columns);
    if (reads)
        copy_in(&copy);
    else
        memset(copy.at, 0, bytes_of(&copy));
    return copy;
}

void blas_copy_free(struct blas_copy *copy, bool writes)
{
    if (writes && has_no_gaps(copy))
        memcpy(copy->of.at, copy->at, bytes_of(copy));
    else if (writes)
        for (int64_t j = 0; j < copy->columns; j++)
            memcpy(given_at(copy, 0, j), own_at(copy, 0, j), (size_t)copy->rows * copy->bytes);
    blas_room_give(copy->block);
}

/* Of column j of a triangle: its first row; *rows: how many. */
static int64_t triangle_column(const struct blas_copy *copy, char uplo, int64_t j, int64_t *rows)
{
    *rows = uplo == 'U' ? j + 1 : copy->rows - j;
    return uplo == 'U' ? 0 : j;
}

struct blas_copy blas_copy_triangle(enum blas_type type, struct blas_matrix of, int n, char uplo)
{
    enum { SMALL = 64 }; /* implementation: one copy of all is faster than one a column */
    struct blas_copy copy = copy_room(type, of, n, n);
    int64_t rows;
    if (n <= SMALL) {
        copy_in(&copy);
        return copy;
    }
    for (int64_t j = 0; j < copy.columns; j++) {
        int64_t first = triangle_column(&copy, uplo, j, &rows);
        memcpy(own_at(&copy, first, j), given_at(&copy, first, j), (size_t)rows * copy.bytes);
    }
    return copy;
}

void blas_copy_free_triangle(struct blas_copy *copy, char uplo)
{
    int64_t rows;
    for (int64_t j = 0; j < copy->columns; j++) {
        int64_t first = triangle_column(copy, uplo, j, &rows);
        memcpy(given_at(copy, first, j), own_at(copy, first, j), (size_t)rows * copy->bytes);
    }
    blas_room_give(copy->block);
}
