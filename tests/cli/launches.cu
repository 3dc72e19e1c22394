/* SPDX-License-Identifier: Apache-2.0 */
/* Six launches of each of two kernels, then a line: what profile's options choose of them. */
#include <cstdio>

namespace tests
{
template <int STEP> __global__ void raise(int *values)
{
    values[threadIdx.x] += STEP;
}
}

namespace
{
struct numbers {
    int *values;
};
__global__ void twice(numbers n)
{
    n.values[threadIdx.x] *= 2;
}
}

int main()
{
    int *values;
    if (cudaMalloc(&values, 32 * sizeof *values) != cudaSuccess) return 1;
    for (int i = 0; i < 6; i++) {
        if (i == 3)
            tests::raise<4><<<1, 32>>>(values); /* the fourth of the function, the first of its own */
        else
            tests::raise<3><<<1, 32>>>(values);
        twice<<<1, 32>>>({values});
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    puts("the program's end");
    return 0;
}
