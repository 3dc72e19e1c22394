// SPDX-License-Identifier: Apache-2.0
// The same update of pairs kept as an array of structures and as a structure of arrays.
//   layout [-kernel aos|soa] [-n PAIRS] [-b THREADS]
// In the array of structures each access of a warp uses every other word of the sectors it fetches.
#include "example.h"

struct pair {
    float x, y;
};

__global__ void update_aos(const pair *in, pair *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    pair p = in[i];
    p.x += 10.0f;
    p.y += 20.0f;
    out[i] = p;
}

__global__ void update_soa(const float *in_x, const float *in_y, float *out_x, float *out_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out_x[i] = in_x[i] + 10.0f;
    out_y[i] = in_y[i] + 20.0f;
}

int main(int argc, char **argv)
{
    bool soa = !strcmp(option_text(argc, argv, "-kernel", "aos"), "soa");
    int n = (int)option(argc, argv, "-n", 1 << 22), block = (int)option(argc, argv, "-b", 128);
    int blocks = (n + block - 1) / block;
    std::vector<float> in(2 * (size_t)n);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)(i % 257);
    float *on_in = to_device(in), *on_out;
    CHECK(cudaMalloc(&on_out, in.size() * sizeof(float)));

    if (soa)
        update_soa<<<blocks, block>>>(on_in, on_in + n, on_out, on_out + n, n);
    else
        update_aos<<<blocks, block>>>((const pair *)on_in, (pair *)on_out, n);
    finish();

    std::vector<float> out = to_host(on_out, in.size());
    size_t wrong = 0;
    for (size_t i = 0; i < in.size(); i++) {
        bool second = soa ? i >= (size_t)n : i % 2;
        wrong += out[i] != in[i] + (second ? 20.0f : 10.0f);
    }
    CHECK(cudaFree(on_in));
    CHECK(cudaFree(on_out));
    return verdict("layout", wrong);
}
