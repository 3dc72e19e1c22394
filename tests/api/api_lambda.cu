/* SPDX-License-Identifier: Apache-2.0 */
/* Lambdas of the host as arguments of kernels (nvcc --extended-lambda): captures, generic ones, of both
 * sides, of members. */
#include "api_check.h"
#include <cuda_runtime.h>

template <typename F> __global__ void apply(F f, int *out)
{
    out[threadIdx.x] = f(static_cast<int>(threadIdx.x));
}

struct factors {
    int first;
    double second;
};

struct scaled {
    int factor;
    void run(int *out) const
    {
        int k = factor;
        apply<<<1, 4>>>([=] __device__(int x) { return x * k; }, out);
    }
};

static void expect(const int *out, int a, int b, int c, int d)
{
    OK(cudaDeviceSynchronize());
    CHECK(out[0] == a && out[1] == b && out[2] == c && out[3] == d);
}

int main()
{
    int *out, a = 5;
    factors pair = {2, 0.5};
    OK(cudaMallocManaged(&out, 64));
    apply<<<1, 4>>>([=] __device__(int x) { return x + a; }, out);
    expect(out, 5, 6, 7, 8);
    apply<<<1, 4>>>([=] __host__ __device__(int x) { return x - a; }, out);
    expect(out, -5, -4, -3, -2);
    auto generic = [] __device__(auto x) { return x + 1; };
    apply<<<1, 4>>>(generic, out);
    expect(out, 1, 2, 3, 4);
    apply<<<1, 4>>>([=] __device__(int x) { return static_cast<int>(x * pair.first + pair.second * 4); },
                    out);
    expect(out, 2, 4, 6, 8);
    scaled{3}.run(out);
    expect(out, 0, 3, 6, 9);
    std::puts("ok");
    return 0;
}
