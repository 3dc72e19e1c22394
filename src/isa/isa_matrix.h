/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of matrix instructions, and what they multiply. */
#ifndef ISA_MATRIX_H
#define ISA_MATRIX_H

#include "isa/isa.h"

struct isa_shape {
    unsigned m, n, k;
};
bool isa_shape_of(const struct isa_instr *instr, struct isa_shape *out); /* false: its words have none */
/* mma, wmma.mma and wgmma.mma_async. */
struct isa_product {
    struct isa_shape shape;
    bool sparse;          /* half of the first factor's elements are zeros that are not stored */
    unsigned warps;       /* that make it together: 4 of wgmma (PTX ISA 9.7.15) */
    enum isa_type factor; /* of the first factor's elements */
};
bool isa_product_of(const struct isa_instr *instr, struct isa_product *out); /* false: it is no product */
#endif
