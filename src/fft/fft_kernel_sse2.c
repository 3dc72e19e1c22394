/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: fft_kernel_priv.h for registers of 16 bytes, which every processor has (SSE2, NEON). */
#define FFT_BYTES 16
#include "fft_kernel_priv.h"

const struct fft_ops fft_ops_sse2[FFT_TYPES] = FFT_OPS;
