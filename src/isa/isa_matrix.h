/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of matrix instructions, and what they multiply. */
#ifndef ISA_MATRIX_H
#define ISA_MATRIX_H

#include "isa/isa.h"

struct isa_shape {
    unsigned m, n, k;
};
bool isa_shape_of(const struct isa_instr *instr, struct isa_shape *out); /* false: its words have none */
/* What kinds of factors matrix units multiply at a rate of their own. */
enum isa_factor { ISA_FACTOR_F64, ISA_FACTOR_TF32, ISA_FACTOR_HALF, ISA_FACTOR_BYTE, ISA_FACTOR_BIT };
/* mma, wmma.mma and wgmma.mma_async. */
struct isa_product {
    struct isa_shape shape;
    bool sparse;            /* half of the first factor's elements are zeros that are not stored */
    unsigned warps;         /* that make it together: 4 of wgmma (PTX ISA 9.7.15) */
    enum isa_factor factor; /* BYTE: elements of 8 bits and less, but for those of 1 */
    uint64_t multiply_adds; /* of each warp, without the zeros */
};
bool isa_product_of(const struct isa_instr *instr, struct isa_product *out); /* false: it is no product */
#endif
