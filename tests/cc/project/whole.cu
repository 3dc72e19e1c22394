#include <cstdio>
#include <type_traits>

static_assert(__cplusplus >= 201402L, "CUDA_STANDARD");

__global__ void which(int *out)
{
#ifdef __CUDA_ARCH__
    *out = __CUDA_ARCH__;
#endif
}

int main()
{
    int *out, target = 0;
    cudaMalloc(&out, sizeof *out);
    which<<<1, 1>>>(out);
    cudaMemcpy(&target, out, sizeof target, cudaMemcpyDeviceToHost);
    std::printf("%s %d\n", TEXT, target);
    return target == 800 ? 0 : 1; // the best of the two for the default GPU
}
