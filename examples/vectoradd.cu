// SPDX-License-Identifier: Apache-2.0
// c = a + b, the first CUDA program.                                         usage: vectoradd [N [BLOCK]]
#include "example.h"

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 1 << 20), block = argument(argc, argv, 2, 256);
    float *a = make_input(n), *b = make_input(n + 1) + 1, *c = make_input(n);
    float *da = to_device(a, n), *db = to_device(b, n), *dc = to_device(0, n);
    vector_add<<<(n + block - 1) / block, block>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    to_host(c, dc, n);
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && c[i] == a[i] + b[i];
    return verdict(good);
}
