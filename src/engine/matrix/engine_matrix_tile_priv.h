/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of 8 x 8 in registers of 128 bits, transposed by interleaving; every x86-64 has what this needs. */
#ifndef ENGINE_MATRIX_TILE_PRIV_H
#define ENGINE_MATRIX_TILE_PRIV_H

#include <stdint.h>
#include <string.h>

typedef uint16_t matrix_row8 __attribute__((vector_size(16), may_alias));
typedef uint32_t matrix_row4 __attribute__((vector_size(16), may_alias));

/* 8 rows of 8 elements of 16 bits, one after the other: rows[i] becomes column i. */
static inline void matrix_transpose_tile(const void *from, matrix_row8 rows[8])
{
    matrix_row8 other[8];
    memcpy(rows, from, 8 * sizeof *rows);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 4; i++) {
            other[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            other[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(rows, other, sizeof other);
    }
}

/* 4 x 4 words; strides in words. */
static inline void matrix_transpose_words(const uint32_t *from, unsigned from_stride, uint32_t *to,
                                          unsigned to_stride)
{
    matrix_row4 rows[4], other[4];
    for (unsigned i = 0; i < 4; i++)
        memcpy(&rows[i], from + i * from_stride, sizeof rows[i]);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2; i++) {
            other[2 * i] = __builtin_shufflevector(rows[i], rows[i + 2], 0, 4, 1, 5);
            other[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 2], 2, 6, 3, 7);
        }
        memcpy(rows, other, sizeof other);
    }
    for (unsigned i = 0; i < 4; i++)
        memcpy(to + i * to_stride, &rows[i], sizeof rows[i]);
}
#endif
