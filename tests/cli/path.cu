// SPDX-License-Identifier: Apache-2.0
// A program whose critical path is known: kernels that are busy for a given time, in streams that wait for each other. On it
// are first (100 us), second (50), after the host waited third (30), and copies before fourth (20); beside it lie aside,
// shorter, and late, which nothing waits for. With a number: so many launches of an empty kernel.
#include <cstdint>
#include <cstdlib>
#include <cuda_runtime.h>

static __device__ void wait_ns(uint64_t ns)
{
    uint64_t begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}
#define KERNEL(name)                                                                                                               \
    __global__ void name(uint64_t us)                                                                                             \
    {                                                                                                                             \
        wait_ns(us * 1000);                                                                                                       \
    }
KERNEL(first)
KERNEL(aside)
KERNEL(second)
KERNEL(shorter)
KERNEL(third)
KERNEL(late)
KERNEL(fourth)
__global__ void empty() {}

int main(int argc, char **argv)
{
    if (argc > 1) {
        for (long i = std::atol(argv[1]); i > 0; i--)
            empty<<<1, 32>>>();
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    cudaStream_t a, b;
    cudaEvent_t done;
    void *device, *host;
    size_t bytes = 4 << 20;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaMalloc(&device, bytes);
    cudaMallocHost(&host, bytes);
    first<<<1, 32, 0, a>>>(100);
    aside<<<1, 32, 0, b>>>(60); // ends before the first does
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done);
    second<<<1, 32, 0, b>>>(50);
    shorter<<<1, 32, 0, a>>>(40); // so does this before the second
    cudaStreamSynchronize(b);
    third<<<1, 32, 0, a>>>(30); // because the host waited for the second
    cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, a);
    late<<<1, 32, 0, b>>>(45);
    fourth<<<1, 32, 0, a>>>(20);
    return cudaDeviceSynchronize() != cudaSuccess;
}
