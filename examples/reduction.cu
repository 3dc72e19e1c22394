// SPDX-License-Identifier: Apache-2.0
// The sum of an array, by block: neighbours (divergent), interleaved pairs, and warp shuffles.
// usage: reduction neighbours|interleaved|shuffle [N]
#include "example.h"

#define BLOCK 256

__global__ void neighbours(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void interleaved(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void shuffle(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK / 32];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t >= 32) return;
    v = t < BLOCK / 32 ? s[t] : 0.0f;
    for (int d = BLOCK / 64; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (t == 0) out[blockIdx.x] = v;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "interleaved";
    int n = argument(argc, argv, 2, 1 << 18), grid = (n + BLOCK - 1) / BLOCK;
    float *in = make_input(n), *out = make_input(grid);
    float *din = to_device(in, n), *dout = to_device(0, grid);
    if (!strcmp(name, "neighbours"))
        neighbours<<<grid, BLOCK>>>(din, dout, n);
    else if (!strcmp(name, "interleaved"))
        interleaved<<<grid, BLOCK>>>(din, dout, n);
    else if (!strcmp(name, "shuffle"))
        shuffle<<<grid, BLOCK>>>(din, dout, n);
    else
        return fprintf(stderr, "reduction: no kernel named '%s'\n", name), 2;
    CHECK(cudaGetLastError());
    to_host(out, dout, grid);
    double want = 0, got = 0;
    for (int i = 0; i < n; i++)
        want += in[i];
    for (int i = 0; i < grid; i++)
        got += out[i];
    printf("sum %.0f\n", got);
    return verdict(got == want);
}
