/* SPDX-License-Identifier: Apache-2.0 */
/* Softwarp's transforms without cuFFT's interface and the driver's queue, for bench/libraries.sh. */
#include "fft/fft.h"

void *direct_fft_new(int n, int batch);
void direct_fft_run(const void *plan, const void *in, void *out);

void *direct_fft_new(int n, int batch)
{
    struct fft_problem problem = {.type = FFT_F32,
                                  .kind = FFT_C2C,
                                  .rank = 1,
                                  .n = {n},
                                  .batch = batch,
                                  .in = {.stride = {1}, .dist = n},
                                  .out = {.stride = {1}, .dist = n}};
    return fft_plan_new(&problem);
}

void direct_fft_run(const void *plan, const void *in, void *out)
{
    fft_run(plan, in, out, false);
}
