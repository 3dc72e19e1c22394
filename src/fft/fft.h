/* SPDX-License-Identifier: Apache-2.0 */
/* fft: discrete Fourier transforms of floats and doubles, of one to three dimensions, in batches, on the
 * host's processor. Nothing is scaled: forward and inverse give n times the input. */
#ifndef FFT_FFT_H
#define FFT_FFT_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

enum fft_type { FFT_F32, FFT_F64, FFT_TYPES };
enum fft_kind { FFT_C2C, FFT_R2C, FFT_C2R };
enum { FFT_RANK = 3 };

/* Where elements stand, in elements of the array's kind: real numbers, or complex ones (pairs of reals). */
struct fft_layout {
    int64_t stride[FFT_RANK]; /* of each dimension */
    int64_t dist;             /* from a batch's item to the next */
};
struct fft_problem {
    enum fft_type type;
    enum fft_kind kind;
    unsigned rank; /* 1 to FFT_RANK */
    int64_t n[FFT_RANK], batch;
    /* R2C's output and C2R's input have n / 2 + 1 elements in the last dimension. */
    struct fft_layout in, out;
    /* The output is where the input is. Of C2R of several dimensions that saves memory between the axes; what
     * then stands in gaps of the output is what cuFFT leaves there. */
    bool in_place;
};

/* A plan is never changed by running it: any number of threads may at a time. */
struct fft_plan;
struct fft_plan *fft_plan_new(const struct fft_problem *problem);
void fft_plan_free(struct fft_plan *plan);
/* inverse: of C2C; R2C is forward, C2R inverse. out may be in, or overlap it in any way. C2R reads one half
 * of the spectrum, takes the other for its mirror image, and leaves the input as it is. */
void fft_run(const struct fft_plan *plan, const void *in, void *out, bool inverse);
#endif
