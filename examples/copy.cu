// SPDX-License-Identifier: Apache-2.0
// Copies that start late or skip elements: effective bandwidth against alignment and stride.
//   copy [-kernel offset|stride] [-b THREADS] [-blocks BLOCKS] [-offset ELEMENTS] [-stride ELEMENTS]
#include "example.h"

__global__ void offset_copy(float *out, const float *in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i];
}

__global__ void stride_copy(float *out, const float *in, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i];
}

int main(int argc, char **argv)
{
    bool strided = !strcmp(option_text(argc, argv, "-kernel", "offset"), "stride");
    int block = (int)option(argc, argv, "-b", 256), blocks = (int)option(argc, argv, "-blocks", 4096);
    int offset = strided ? 0 : (int)option(argc, argv, "-offset", 1);
    int stride = strided ? (int)option(argc, argv, "-stride", 2) : 1;
    size_t threads = (size_t)block * blocks, n = threads * stride + offset;
    std::vector<float> in(n), zero(n, -1.0f);
    for (size_t i = 0; i < n; i++)
        in[i] = (float)(i % 4099);
    float *on_in = to_device(in), *on_out = to_device(zero);

    if (strided)
        stride_copy<<<blocks, block>>>(on_out, on_in, stride);
    else
        offset_copy<<<blocks, block>>>(on_out, on_in, offset);
    finish();

    std::vector<float> out = to_host(on_out, n);
    size_t wrong = 0;
    for (size_t t = 0; t < threads; t++)
        wrong += out[t * stride + offset] != in[t * stride + offset];
    CHECK(cudaFree(on_in));
    CHECK(cudaFree(on_out));
    return verdict("copy", wrong);
}
