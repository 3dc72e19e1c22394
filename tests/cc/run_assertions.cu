// SPDX-License-Identifier: Apache-2.0
// Constexpr functions of libstdc++ in kernels, with the checks of its preconditions: what those call is a device function, too
// (in GCC 13 and newer they call it without _GLIBCXX_ASSERTIONS as well).
#define _GLIBCXX_ASSERTIONS 1
#include <array>
#include <cstdio>
#include <optional>

__global__ void read_checked(int *values)
{
    std::optional<int> some;
    std::array<int, 4> four = {1, 2, 3, 4};
    if (values[0] == 0) some = 5;
    values[1] = *some;
    values[2] = four[values[0] + 1];
}

int main()
{
    int *values, got[3] = {0};
    cudaMalloc(&values, sizeof got);
    cudaMemset(values, 0, sizeof got);
    read_checked<<<1, 1>>>(values);
    if (cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    if (got[1] != 5 || got[2] != 2) return printf("%d %d, not 5 2\n", got[1], got[2]), 1;
    printf("ok\n");
    return 0;
}
