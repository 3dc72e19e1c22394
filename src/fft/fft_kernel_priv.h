/* SPDX-License-Identifier: Apache-2.0 */
/* The part of transforms that works on whole registers, for one instruction set: fft_kernel_sse2.c and its
 * sisters say how many bytes a register has and include this, which reads the code once for floats and once
 * for doubles, in GCC's and clang's vector types. REAL is the type, OF(name) the name of its variant. */
#ifndef FFT_KERNEL_PRIV_H
#define FFT_KERNEL_PRIV_H

#include "fft_priv.h"

#include <stddef.h>
#include <string.h>

#ifndef FFT_BYTES /* read alone */
#define FFT_BYTES 16
#endif

#define INLINE inline __attribute__((always_inline))

/* By how many lanes a register has: of two registers in a row the even elements, the odd ones; of two
 * interleaved the lower half, the higher one. */
#define FFT_EVEN_2  0, 2
#define FFT_ODD_2   1, 3
#define FFT_LOW_2   0, 2
#define FFT_HIGH_2  1, 3
#define FFT_EVEN_4  0, 2, 4, 6
#define FFT_ODD_4   1, 3, 5, 7
#define FFT_LOW_4   0, 4, 1, 5
#define FFT_HIGH_4  2, 6, 3, 7
#define FFT_EVEN_8  0, 2, 4, 6, 8, 10, 12, 14
#define FFT_ODD_8   1, 3, 5, 7, 9, 11, 13, 15
#define FFT_LOW_8   0, 8, 1, 9, 2, 10, 3, 11
#define FFT_HIGH_8  4, 12, 5, 13, 6, 14, 7, 15
#define FFT_EVEN_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define FFT_ODD_16  1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define FFT_LOW_16  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define FFT_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#if FFT_BYTES == 64
#define FFT_INDEX_F(what) FFT_##what##_16
#define FFT_INDEX_D(what) FFT_##what##_8
#elif FFT_BYTES == 32
#define FFT_INDEX_F(what) FFT_##what##_8
#define FFT_INDEX_D(what) FFT_##what##_4
#else
#define FFT_INDEX_F(what) FFT_##what##_4
#define FFT_INDEX_D(what) FFT_##what##_2
#endif

#define REAL         float
#define OF(name)     name##_f
#define LANES_f      (FFT_BYTES / sizeof(float))
#define EVEN_f(a, b) __builtin_shufflevector(a, b, FFT_INDEX_F(EVEN))
#define ODD_f(a, b)  __builtin_shufflevector(a, b, FFT_INDEX_F(ODD))
#define LOW_f(a, b)  __builtin_shufflevector(a, b, FFT_INDEX_F(LOW))
#define HIGH_f(a, b) __builtin_shufflevector(a, b, FFT_INDEX_F(HIGH))
#include "fft_vector_priv.h"

#include "fft_pass_priv.h"

#include "fft_lanes_priv.h"

#include "fft_square_priv.h"
#undef REAL
#undef OF

#define REAL         double
#define OF(name)     name##_d
#define LANES_d      (FFT_BYTES / sizeof(double))
#define EVEN_d(a, b) __builtin_shufflevector(a, b, FFT_INDEX_D(EVEN))
#define ODD_d(a, b)  __builtin_shufflevector(a, b, FFT_INDEX_D(ODD))
#define LOW_d(a, b)  __builtin_shufflevector(a, b, FFT_INDEX_D(LOW))
#define HIGH_d(a, b) __builtin_shufflevector(a, b, FFT_INDEX_D(HIGH))
#include "fft_vector_priv.h"

#include "fft_pass_priv.h"

#include "fft_lanes_priv.h"

#include "fft_square_priv.h"
#undef REAL
#undef OF

#define FFT_OPS_OF(type)                                                                                     \
    {.lanes = LANES_##type,                                                                                  \
     .run_lanes = run_lanes_##type,                                                                          \
     .run_columns = run_columns_##type,                                                                      \
     .run_rows = run_rows_##type,                                                                            \
     .multiply = multiply_##type,                                                                            \
     .split = split_##type,                                                                                  \
     .join = join_##type}
#define FFT_OPS {[FFT_F32] = FFT_OPS_OF(f), [FFT_F64] = FFT_OPS_OF(d)}
#endif
