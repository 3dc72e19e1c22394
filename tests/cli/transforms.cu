/* SPDX-License-Identifier: Apache-2.0 */
/* Two transforms of real planes in a batch, for reports; with an argument the second one writes past the end of its output. */
#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdio>

int main(int argc, char **)
{
    const int x = 48, y = 64, batch = 3, half = y / 2 + 1;
    int n[] = {x, y};
    cufftHandle there, back;
    float *in;
    cufftComplex *out;
    cudaMalloc(&in, batch * x * y * sizeof *in);
    cudaMalloc(&out, batch * x * half * sizeof *out);
    cudaMemset(in, 0, batch * x * y * sizeof *in);
    cufftPlanMany(&there, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, batch);
    cufftPlanMany(&back, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2R, batch);
    cufftExecR2C(there, in, out);
    cufftExecC2R(back, out, in + (argc > 1));
    std::printf("status %d\n", (int)cudaDeviceSynchronize());
    cufftDestroy(there);
    return cufftDestroy(back);
}
