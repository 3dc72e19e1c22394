/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the oracle: one matrix multiplication as matrices of bits, and its sums (oracle_matrix_sum.c). */
#ifndef ORACLE_MATRIX_H
#define ORACLE_MATRIX_H

#include "oracle_priv.h"

struct oracle_product {
    const struct ptx_instr *instr;
    unsigned m, n, k;
    enum isa_type d_type, a_type, b_type, c_type;
    bool wmma, sparse, quads; /* quads: mma.m8n8k4 of f16, one of the four products */
    uint64_t a[32][256], b[256][32], c[32][32], d[32][32];
    bool present[32][256]; /* elements of a, when sparse */
};

void oracle_multiply(struct oracle_product *product);
#endif
