// SPDX-License-Identifier: Apache-2.0
// Ways to transpose a matrix, from plain copies (the bounds) to padded shared memory.
//   transpose [-kernel NAME] [-nx COLUMNS] [-ny ROWS] [-bx THREADS] [-by THREADS]
// NAME: copy_row copy_col naive_row naive_col unroll4_row unroll4_col diagonal_row diagonal_col tiled padded.
// Row variants read along rows and write along columns; col variants the reverse.
#include "example.h"

#define HERE unsigned int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y

__global__ void copy_row(float *out, const float *in, int nx, int ny)
{
    HERE;
    if (x < nx && y < ny) out[y * nx + x] = in[y * nx + x];
}

__global__ void copy_col(float *out, const float *in, int nx, int ny)
{
    HERE;
    if (x < nx && y < ny) out[x * ny + y] = in[x * ny + y];
}

__global__ void naive_row(float *out, const float *in, int nx, int ny)
{
    HERE;
    if (x < nx && y < ny) out[x * ny + y] = in[y * nx + x];
}

__global__ void naive_col(float *out, const float *in, int nx, int ny)
{
    HERE;
    if (x < nx && y < ny) out[y * nx + x] = in[x * ny + y];
}

__global__ void unroll4_row(float *out, const float *in, int nx, int ny)
{
    unsigned int x = blockDim.x * blockIdx.x * 4 + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned int from = y * nx + x, to = x * ny + y, step = blockDim.x;
    if (x + 3 * step >= nx || y >= ny) return;
    out[to] = in[from];
    out[to + ny * step] = in[from + step];
    out[to + ny * 2 * step] = in[from + 2 * step];
    out[to + ny * 3 * step] = in[from + 3 * step];
}

__global__ void unroll4_col(float *out, const float *in, int nx, int ny)
{
    unsigned int x = blockDim.x * blockIdx.x * 4 + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned int to = y * nx + x, from = x * ny + y, step = blockDim.x;
    if (x + 3 * step >= nx || y >= ny) return;
    out[to] = in[from];
    out[to + step] = in[from + ny * step];
    out[to + 2 * step] = in[from + ny * 2 * step];
    out[to + 3 * step] = in[from + ny * 3 * step];
}

// Blocks taken along diagonals, so that those in flight together spread over the memory partitions.
__global__ void diagonal_row(float *out, const float *in, int nx, int ny)
{
    unsigned int block = blockIdx.x + gridDim.x * blockIdx.y, block_y = block % gridDim.y;
    unsigned int block_x = (block / gridDim.y + block_y) % gridDim.x;
    unsigned int x = blockDim.x * block_x + threadIdx.x, y = blockDim.y * block_y + threadIdx.y;
    if (x < nx && y < ny) out[x * ny + y] = in[y * nx + x];
}

__global__ void diagonal_col(float *out, const float *in, int nx, int ny)
{
    unsigned int block = blockIdx.x + gridDim.x * blockIdx.y, block_y = block % gridDim.y;
    unsigned int block_x = (block / gridDim.y + block_y) % gridDim.x;
    unsigned int x = blockDim.x * block_x + threadIdx.x, y = blockDim.y * block_y + threadIdx.y;
    if (x < nx && y < ny) out[y * nx + x] = in[x * ny + y];
}

// Through shared memory, both sides along rows: a tile of blockDim.y rows of blockDim.x (+ pad) floats.
__global__ void tiled(float *out, const float *in, int nx, int ny, int pad)
{
    extern __shared__ float tile[];
    HERE;
    unsigned int width = blockDim.x + pad, thread = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned int row = thread / blockDim.y, column = thread % blockDim.y; // of the transposed tile
    if (x < nx && y < ny) tile[threadIdx.y * width + threadIdx.x] = in[y * nx + x];
    __syncthreads();
    unsigned int to_x = blockDim.y * blockIdx.y + column, to_y = blockDim.x * blockIdx.x + row;
    if (to_x < ny && to_y < nx) out[to_y * ny + to_x] = tile[column * width + row];
}

typedef void (*plain_kernel)(float *, const float *, int, int);
struct variant {
    const char *name;
    plain_kernel kernel; // nullptr: tiled
    int elements_of_thread, pad;
    bool transposes;
};
static const variant variants[] = {
    {"copy_row", copy_row, 1, 0, false},
    {"copy_col", copy_col, 1, 0, false},
    {"naive_row", naive_row, 1, 0, true},
    {"naive_col", naive_col, 1, 0, true},
    {"unroll4_row", unroll4_row, 4, 0, true},
    {"unroll4_col", unroll4_col, 4, 0, true},
    {"diagonal_row", diagonal_row, 1, 0, true},
    {"diagonal_col", diagonal_col, 1, 0, true},
    {"tiled", nullptr, 1, 0, true},
    {"padded", nullptr, 1, 1, true},
};

int main(int argc, char **argv)
{
    const char *name = option_text(argc, argv, "-kernel", "naive_row");
    int nx = (int)option(argc, argv, "-nx", 2048), ny = (int)option(argc, argv, "-ny", 2048);
    dim3 block((unsigned)option(argc, argv, "-bx", 16), (unsigned)option(argc, argv, "-by", 16));
    const variant *chosen = nullptr;
    for (const variant &candidate : variants)
        if (!strcmp(candidate.name, name)) chosen = &candidate;
    if (!chosen) {
        std::fprintf(stderr, "transpose: no kernel '%s'\n", name);
        return 2;
    }
    std::vector<float> in((size_t)nx * ny);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (float)i;
    float *on_in = to_device(in), *on_out;
    CHECK(cudaMalloc(&on_out, in.size() * sizeof(float)));
    unsigned columns = block.x * chosen->elements_of_thread;
    dim3 grid((nx + columns - 1) / columns, (ny + block.y - 1) / block.y);

    if (chosen->kernel)
        chosen->kernel<<<grid, block>>>(on_out, on_in, nx, ny);
    else
        tiled<<<grid, block, (block.x + chosen->pad) * block.y * sizeof(float)>>>(on_out, on_in, nx, ny,
                                                                                  chosen->pad);
    finish();

    std::vector<float> out = to_host(on_out, in.size());
    size_t wrong = 0;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            float expected = in[(size_t)y * nx + x];
            wrong += (chosen->transposes ? out[(size_t)x * ny + y] : out[(size_t)y * nx + x]) != expected;
        }
    CHECK(cudaFree(on_in));
    CHECK(cudaFree(on_out));
    return verdict(name, wrong);
}
