// SPDX-License-Identifier: Apache-2.0
// cuFFT beside the same transforms called directly.
#include "libraries.h"

#include <cufft.h>

void fft_rows()
{
    static const int shapes[][2] = {{64, 1}, {1024, 1}, {1024, 256}, {4096, 64}, {65536, 1}};
    for (auto &shape : shapes) {
        int n = shape[0], batch = shape[1];
        char name[64];
        snprintf(name, sizeof name, "fft %d x %d", n, batch);
        if (!wanted(name)) continue;
        size_t count = (size_t)n * batch;
        cufftHandle plan;
        cufftComplex *in = memory<cufftComplex>(count), *out = memory<cufftComplex>(count);
        void *direct = direct_fft_new(n, batch);
        fill(&in->x, 2 * count);
        cufftPlan1d(&plan, n, CUFFT_C2C, batch);
        row(name, [&] { cufftExecC2C(plan, in, out, CUFFT_FORWARD); }, [&] { direct_fft_run(direct, in, out); },
            results(&out->x, 2 * count));
        cufftDestroy(plan);
        cudaFree(in), cudaFree(out);
    }
}
