// SPDX-License-Identifier: Apache-2.0
// c = a + b, one thread an element.    vectoradd [-n ELEMENTS] [-b THREADS]
#include "example.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = (int)option(argc, argv, "-n", 1 << 20), block = (int)option(argc, argv, "-b", 256);
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = 0.5f * (float)(i % 777);
    }
    float *on_a = to_device(a), *on_b = to_device(b), *on_c;
    CHECK(cudaMalloc(&on_c, n * sizeof(float)));

    add<<<(n + block - 1) / block, block>>>(on_a, on_b, on_c, n);
    finish();

    std::vector<float> c = to_host(on_c, n);
    size_t wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    CHECK(cudaFree(on_a));
    CHECK(cudaFree(on_b));
    CHECK(cudaFree(on_c));
    return verdict("vectoradd", wrong);
}
