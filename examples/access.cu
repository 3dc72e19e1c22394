// SPDX-License-Identifier: Apache-2.0
// One warp's load (or store) of 4 bytes a lane, in the shapes of the guides' pictures of coalescing.
// usage: access load|load_cg|store aligned|permuted|misaligned|same|scattered|half|quarter
// load_cg bypasses L1 (ld.global.cg): on compute capability 2.x it moves 32-byte segments where load moves
// 128-byte lines.
#include "example.h"

__global__ void load(const float *in, float *out, const int *index)
{
    int i = index[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = in[i];
}

__global__ void load_cg(const float *in, float *out, const int *index)
{
    float v;
    int i = index[threadIdx.x];
    __syncthreads();
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(in + i));
    out[threadIdx.x] = v;
}

__global__ void store(const float *in, float *out, const int *index)
{
    out[index[threadIdx.x]] = in[0];
}

static int place(const char *shape, int lane)
{
    if (!strcmp(shape, "permuted")) return 32 + ((lane * 7 + 3) & 31);
    if (!strcmp(shape, "misaligned")) return 32 + lane + 1;
    if (!strcmp(shape, "same")) return 40;
    if (!strcmp(shape, "scattered")) return 32 * lane + lane % 5;
    if (!strcmp(shape, "half")) return 32 + lane % 16;
    if (!strcmp(shape, "quarter")) return 32 + lane % 8;
    return 32 + lane;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "load", *shape = argc > 2 ? argv[2] : "aligned";
    enum { WORDS = 4096 };
    float *in = make_input(WORDS), *out = make_input(WORDS), index[32];
    for (int lane = 0; lane < 32; lane++) {
        int i = place(shape, lane);
        memcpy(&index[lane], &i, sizeof i);
    }
    float *din = to_device(in, WORDS), *dout = to_device(0, WORDS), *dindex = to_device(index, 32);
    if (!strcmp(mode, "load"))
        load<<<1, 32>>>(din, dout, (const int *)dindex);
    else if (!strcmp(mode, "load_cg"))
        load_cg<<<1, 32>>>(din, dout, (const int *)dindex);
    else
        store<<<1, 32>>>(din, dout, (const int *)dindex);
    CHECK(cudaGetLastError());
    to_host(out, dout, WORDS);
    bool good = true;
    for (int lane = 0; lane < 32; lane++)
        good = good && (!strcmp(mode, "store") ? out[place(shape, lane)] == in[0]
                                               : out[lane] == in[place(shape, lane)]);
    return verdict(good);
}
