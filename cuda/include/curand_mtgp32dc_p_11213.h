/* SPDX-License-Identifier: Apache-2.0 */
/* 200 parameter sets of MTGP32, found and published by its authors (softwarp/curand_mtgp32.def). A table of 16 rows has the sums
 * over GF(2) of four; that for floats gives 23 bits of a number in [1, 2). */
#ifndef CURAND_MTGP32DC_P_11213_H
#define CURAND_MTGP32DC_P_11213_H
#include "curand_mtgp32.h"

#define SW_ROW_(f, i, a, b, c, d)  f((i & 1 ? a : 0) ^ (i & 2 ? b : 0) ^ (i & 4 ? c : 0) ^ (i & 8 ? d : 0))
#define SW_ROWS_(f, a, b, c, d)                                                                                                     \
    {SW_ROW_(f, 0, a, b, c, d),  SW_ROW_(f, 1, a, b, c, d),  SW_ROW_(f, 2, a, b, c, d),  SW_ROW_(f, 3, a, b, c, d),                 \
     SW_ROW_(f, 4, a, b, c, d),  SW_ROW_(f, 5, a, b, c, d),  SW_ROW_(f, 6, a, b, c, d),  SW_ROW_(f, 7, a, b, c, d),                 \
     SW_ROW_(f, 8, a, b, c, d),  SW_ROW_(f, 9, a, b, c, d),  SW_ROW_(f, 10, a, b, c, d), SW_ROW_(f, 11, a, b, c, d),                \
     SW_ROW_(f, 12, a, b, c, d), SW_ROW_(f, 13, a, b, c, d), SW_ROW_(f, 14, a, b, c, d), SW_ROW_(f, 15, a, b, c, d)}
#define SW_WORD_(x)  (x)
#define SW_FLOAT_(x) ((x) >> 9 | 0x3f800000u)
#define SET(position, shift1, shift2, a0, a1, a2, a3, t0, t1, t2, t3)                                                               \
    {MTGPDC_MEXP, position, shift1, shift2, SW_ROWS_(SW_WORD_, a0, a1, a2, a3), SW_ROWS_(SW_WORD_, t0, t1, t2, t3),                 \
     SW_ROWS_(SW_FLOAT_, t0, t1, t2, t3), 0xfff80000u, {0}},
static const int mtgpdc_params_11213_num = CURAND_NUM_MTGP32_PARAMS;
static mtgp32_params_fast_t mtgp32dc_params_fast_11213[] = {
#include "softwarp/curand_mtgp32.def"
};
#undef SET
#undef SW_FLOAT_
#undef SW_WORD_
#undef SW_ROWS_
#undef SW_ROW_
#endif
