// SPDX-License-Identifier: Apache-2.0
// Kernels that read textures, recorded on real GPUs for the model of L1: textures.def has the launches. Arguments as in memory.cu,
// but that `in` is a texture object of 32-bit floats: of linear memory, of a two-dimensional array of n times n texels, or of p layers
// of such. textures.ptx beside this file is this file compiled by nvcc (see record.sh); GPU and Softwarp both load that PTX.
#define KERNEL extern "C" __global__ void
#define ARGS cudaTextureObject_t in, float *out, const int *__restrict__ index, int n, int p, int q
#define GLOBAL_X int i = blockIdx.x * blockDim.x + threadIdx.x
#define GRID_X (int)(gridDim.x * blockDim.x)
#define PLACE int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

__constant__ float table[256];

__device__ __forceinline__ void keep(float *out, float v)
{
    if (v < 0.0f) out[0] = v; // never: what was read must not be left out
}

// ---- linear memory: texels p apart, q times over n of them (a power of two)
KERNEL tex_line(ARGS)
{
    float v = 0;
    for (int k = 0; k < q; k++)
        for (GLOBAL_X; i < n; i += GRID_X) v += tex1Dfetch<float>(in, (i * p) & (n - 1));
    keep(out, v);
}
// texels anywhere among n
KERNEL tex_line_random(ARGS)
{
    float v = 0;
    for (int k = 0; k < q; k++)
        for (GLOBAL_X; i < p; i += GRID_X) v += tex1Dfetch<float>(in, index[i] & (n - 1));
    keep(out, v);
}
// each block reads n texels of its own q times: what L1 keeps
KERNEL tex_line_again(ARGS)
{
    float v = 0;
    for (int k = 0; k < q; k++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) v += tex1Dfetch<float>(in, blockIdx.x * n + i);
    keep(out, v);
}

// ---- arrays of n times n
KERNEL tex_plane(ARGS)
{
    PLACE;
    float v = 0;
    for (int k = 0; k < q; k++) v += tex2D<float>(in, x + k * p + 0.5f, y + 0.5f);
    keep(out, v);
}
// lanes of a warp below each other
KERNEL tex_plane_turned(ARGS)
{
    PLACE;
    float v = 0;
    for (int k = 0; k < q; k++) v += tex2D<float>(in, y + k * p + 0.5f, x + 0.5f);
    keep(out, v);
}
// p neighbours to each side, both ways
KERNEL tex_plane_stencil(ARGS)
{
    PLACE;
    float v = 0;
    for (int dy = -p; dy <= p; dy++)
        for (int dx = -p; dx <= p; dx++) v += tex2D<float>(in, x + dx + 0.5f, y + dy + 0.5f);
    keep(out, v);
}
KERNEL tex_plane_random(ARGS)
{
    float v = 0;
    for (GLOBAL_X; i < p; i += GRID_X) {
        int at = index[i];
        v += tex2D<float>(in, (at & (n - 1)) + 0.5f, (at >> 12 & (n - 1)) + 0.5f);
    }
    keep(out, v);
}
// each block reads a tile of p times p of its own q times
KERNEL tex_plane_again(ARGS)
{
    int across = n / p, x0 = blockIdx.x % across * p, y0 = blockIdx.x / across * p;
    float v = 0;
    for (int k = 0; k < q; k++)
        for (int i = threadIdx.x; i < p * p; i += blockDim.x) v += tex2D<float>(in, x0 + i % p + 0.5f, y0 + i / p + 0.5f);
    keep(out, v);
}

// ---- p layers
KERNEL tex_layers(ARGS)
{
    PLACE;
    float v = 0;
    for (int k = 0; k < q; k++)
        for (int layer = 0; layer < p; layer++) v += tex2DLayered<float>(in, x + 0.5f, y + 0.5f, layer);
    keep(out, v);
}
KERNEL tex_layers_random(ARGS)
{
    float v = 0;
    for (GLOBAL_X; i < q; i += GRID_X) {
        int at = index[i];
        v += tex2DLayered<float>(in, (at & (n - 1)) + 0.5f, (at >> 10 & (n - 1)) + 0.5f, (at >> 20) % p);
    }
    keep(out, v);
}
