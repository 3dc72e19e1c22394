/* SPDX-License-Identifier: Apache-2.0 */
/* cufftw: FFTW's interface on cuFFT. A request is a loop nest: dimensions of a transform, and of its batch.
 */
#ifndef CUFFTW_PRIV_H
#define CUFFTW_PRIV_H

#include "base/base.h"
#include "routine/routine.h"

#include <cufftw.h>

#include <stdbool.h>
#include <stdint.h>

#define CUFFTW __attribute__((visibility("default")))

enum { CUFFTW_RANK = 3, CUFFTW_BATCH_RANK = 8 };
enum cufftw_kind { CUFFTW_C2C, CUFFTW_R2C, CUFFTW_C2R };

struct cufftw_dim {
    long long n, in, out; /* a size, and strides in elements */
};
struct cufftw_request {
    const char *name; /* of the function */
    enum cufftw_kind kind;
    bool wide; /* doubles */
    int rank, batch_rank;
    struct cufftw_dim dims[CUFFTW_RANK], batch[CUFFTW_BATCH_RANK];
    int sign; /* of C2C */
    void *in, *out;
};

/* NULL: it cannot be. */
void *cufftw_plan_new(const struct cufftw_request *request);
void cufftw_plan_free(void *plan);
/* Waits for the result. kind: of the function; of C2C, too, where it is not known. */
void cufftw_execute(const void *plan, void *in, void *out);
void cufftw_execute_planned(const void *plan); /* with the arrays of the plan */
#endif
