/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan is. */
#ifndef FFT_PLAN_PRIV_H
#define FFT_PLAN_PRIV_H

#include "fft_priv.h"

struct fft_plan {
    struct fft_problem problem;
    int64_t items; /* of the batch, that the axes are for */
    unsigned axes;
    struct fft_axis axis[FFT_RANK]; /* in the order in which they run */
    uint64_t work_bytes;            /* C2R of several dimensions: what lies between the axes; else 0 */
};
/* Each line's output lies where its input lies, if the arrays are the same, and nowhere else. */
bool fft_is_line_by_line(const struct fft_problem *p);
#endif
