// SPDX-License-Identifier: Apache-2.0
// An array of structures against a structure of arrays: two floats that are used together.   usage: aos_soa
// aos|soa [N [BLOCK]]
#include "example.h"

struct pair {
    float x, y;
};

__global__ void aos(const pair *in, pair *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    pair p = in[i];
    p.x += 10.0f;
    p.y += 20.0f;
    out[i] = p;
}

__global__ void soa(const float *in_x, const float *in_y, float *out_x, float *out_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out_x[i] = in_x[i] + 10.0f;
    out_y[i] = in_y[i] + 20.0f;
}

int main(int argc, char **argv)
{
    bool by_structure = argc < 2 || !strcmp(argv[1], "aos");
    int n = argument(argc, argv, 2, 1 << 22), block = argument(argc, argv, 3, 128),
        grid = (n + block - 1) / block;
    float *in = make_input(2 * (size_t)n), *out = make_input(2 * (size_t)n);
    float *din = to_device(in, 2 * (size_t)n), *dout = to_device(0, 2 * (size_t)n);
    if (by_structure)
        aos<<<grid, block>>>((const pair *)din, (pair *)dout, n);
    else
        soa<<<grid, block>>>(din, din + n, dout, dout + n, n);
    CHECK(cudaGetLastError());
    to_host(out, dout, 2 * (size_t)n);
    bool good = true;
    for (int i = 0; i < 2 * n; i++)
        good = good && out[i] == in[i] + ((by_structure ? i % 2 == 0 : i < n) ? 10.0f : 20.0f);
    return verdict(good);
}
