/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: fft_kernel_priv.h for AVX2 with FMA, of which the build tells the compiler (cmake/Modules.cmake).
 */
#define FFT_BYTES 32
#include "fft_kernel_priv.h"

const struct fft_ops fft_ops_avx2[FFT_TYPES] = FFT_OPS;
