/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which elements of a matrix the registers of a fragment hold.
 * Method: lane 4 g + t of a register has elements of row g (of b: column g) of a block of 8; the four lanes
 * of a row have neighbours, so that a register in memory is 8 short rows. mma: as the PTX ISA draws it
 * (9.7.14.5); wmma, whose layout PTX leaves open: as an H200 has it (tests/matrix). Sparse metadata: PTX ISA
 * 9.7.14.6. Limits: mma.m8n8k4 of f16 is elsewhere. */
#include "engine_matrix_priv.h"

unsigned matrix_bits(enum jit_matrix_type type)
{
    static const uint8_t bits[JIT_MATRIX_TYPES] = {
        [JIT_MATRIX_F16] = 16, [JIT_MATRIX_BF16] = 16, [JIT_MATRIX_TF32] = 32, [JIT_MATRIX_F64] = 64,
        [JIT_MATRIX_E4M3] = 8, [JIT_MATRIX_E5M2] = 8,  [JIT_MATRIX_S8] = 8,    [JIT_MATRIX_U8] = 8,
        [JIT_MATRIX_S4] = 4,   [JIT_MATRIX_U4] = 4,    [JIT_MATRIX_B1] = 1,    [JIT_MATRIX_F32] = 32,
        [JIT_MATRIX_S32] = 32};
    return bits[type];
}

/* Elements of one row in a register. */
unsigned matrix_inner(enum jit_matrix_type type)
{
    unsigned bits = matrix_bits(type);
    return bits >= 32 ? 4 : 128 / bits;
}

static unsigned stored_k(const struct matrix_form *form, bool sparse)
{
    return sparse ? form->k / 2 : form->k;
}

/* Pairs of row blocks, within each the columns. */
void matrix_position_x(const struct matrix_form *form, unsigned r, unsigned inner, unsigned *row,
                       unsigned *column)
{
    unsigned across = stored_k(form, form->sparse) / inner, pair = form->x_blocks > 1 ? 2 : 1;
    unsigned within = r % (pair * across);
    *row = 8 * (pair * (r / (pair * across)) + within % pair);
    *column = within / pair * inner;
}

void matrix_position_y(const struct matrix_form *form, unsigned r, unsigned inner, unsigned *row,
                       unsigned *column)
{
    unsigned across = form->k / inner;
    *row = 8 * (r / across);
    *column = r % across * inner;
}

/* 4 bits for every two elements that are present. Rows g and g + 8 share lanes: those of factors of 16 bits
 * and more have halves of each. */
uint64_t matrix_metadata(const struct matrix_form *form, unsigned row)
{
    const uint32_t *quad = &form->metadata[row % 8 * 4];
    unsigned high = row / 8, half = 16 * high;
    bool tf32 = form->a == JIT_MATRIX_TF32, nibbles = matrix_bits(form->a) == 4;
    switch (form->k / (tf32 ? 2 : nibbles ? 8 : 4)) {
    case 4: return quad[form->selector] >> half & 0xffff;
    case 8: {
        const uint32_t *two = &quad[2 * form->selector];
        if (matrix_bits(form->a) < 16) return two[high];
        return (two[0] >> half & 0xffff) | (two[1] >> half & 0xffff) << 16;
    }
    default: return quad[high] | (uint64_t)quad[2 + high] << 32;
    }
}

unsigned matrix_sparse_column(enum jit_matrix_type type, uint64_t metadata, unsigned at)
{
    if (type == JIT_MATRIX_TF32) return 2 * at + ((metadata >> 4 * at & 15) == 14);
    if (matrix_bits(type) == 4) return at / 4 * 8 + (unsigned)(metadata >> at / 2 * 2 & 3) * 2 + at % 2;
    return at / 2 * 4 + (unsigned)(metadata >> 2 * at & 3);
}
