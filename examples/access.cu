// SPDX-License-Identifier: Apache-2.0
// One warp's load or store of 4 bytes a lane, in the shapes of the guides' pictures of coalescing.
//   access [-kernel load|load_cg|store] [-shape aligned|permuted|misaligned|same|scattered|half|quarter]
// load_cg bypasses L1: on compute capability 2.x it moves 32-byte segments where load moves 128-byte lines.
#include "example.h"

__global__ void load(const float *in, float *out, const int *index)
{
    int i = index[threadIdx.x];
    out[threadIdx.x] = in[i];
}

__global__ void load_cg(const float *in, float *out, const int *index)
{
    float v;
    int i = index[threadIdx.x];
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
    const char *kernel = option_text(argc, argv, "-kernel", "load");
    const char *shape = option_text(argc, argv, "-shape", "aligned");
    bool stores = !strcmp(kernel, "store");
    std::vector<float> in(4096), zero(4096, 0.0f);
    std::vector<int> index(32);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)(i + 1);
    for (int lane = 0; lane < 32; lane++)
        index[lane] = place(shape, lane);
    float *on_in = to_device(in), *on_out = to_device(zero);
    int *on_index = to_device(index);
    if (stores)
        store<<<1, 32>>>(on_in, on_out, on_index);
    else if (!strcmp(kernel, "load_cg"))
        load_cg<<<1, 32>>>(on_in, on_out, on_index);
    else
        load<<<1, 32>>>(on_in, on_out, on_index);
    finish();
    std::vector<float> out = to_host(on_out, in.size());
    size_t wrong = 0;
    for (int lane = 0; lane < 32; lane++)
        wrong += stores ? out[index[lane]] != in[0] : out[lane] != in[index[lane]];
    CHECK(cudaFree(on_in));
    CHECK(cudaFree(on_out));
    CHECK(cudaFree(on_index));
    return verdict("access", wrong);
}
