// SPDX-License-Identifier: Apache-2.0
// Staged copy and execute (CUDA C++ Best Practices Guide, "Asynchronous and Overlapping Transfers with Computation"): a
// kernel on the whole of an array after one copy, and then in pieces, each copied and computed in a stream of its own.
//   staged [-streams N] [-n ELEMENTS] [-rounds ROUNDS]
// Run it under softwarp profile or softwarp trace: its times are then those of the chosen GPU.
#include "example.h"

__global__ void compute(float *data, int rounds)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float v = data[i];
    for (int r = 0; r < rounds; r++)
        v = v * 0.5f + 1.0f;
    data[i] = v;
}

static float elapsed_ms(cudaEvent_t begin, cudaEvent_t end)
{
    float ms;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
}

int main(int argc, char **argv)
{
    const int block = 256;
    int streams = (int)option(argc, argv, "-streams", 4), rounds = (int)option(argc, argv, "-rounds", 64);
    size_t n = (size_t)option(argc, argv, "-n", 1 << 22), part = n / streams, bytes = n * sizeof(float);
    if (streams < 1 || n % ((size_t)streams * block)) {
        std::fprintf(stderr, "staged: -n must be a multiple of 256 times -streams\n");
        return 2;
    }
    float *host, *device;
    cudaEvent_t begin, copied, end;
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&copied));
    CHECK(cudaEventCreate(&end));
    std::vector<cudaStream_t> stream(streams);
    for (cudaStream_t &s : stream)
        CHECK(cudaStreamCreate(&s));
    for (size_t i = 0; i < n; i++)
        host[i] = (float)(i % 1024);

    CHECK(cudaEventRecord(begin, stream[0]));
    CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream[0]));
    CHECK(cudaEventRecord(copied, stream[0]));
    compute<<<n / block, block, 0, stream[0]>>>(device, rounds);
    CHECK(cudaEventRecord(end, stream[0]));
    float sequential = elapsed_ms(begin, end), copy = elapsed_ms(begin, copied), execute = elapsed_ms(copied, end);

    CHECK(cudaEventRecord(begin)); // the legacy stream: before and after all others
    for (int i = 0; i < streams; i++) {
        size_t at = part * i;
        CHECK(cudaMemcpyAsync(device + at, host + at, part * sizeof(float), cudaMemcpyHostToDevice, stream[i]));
        compute<<<part / block, block, 0, stream[i]>>>(device + at, rounds);
    }
    CHECK(cudaEventRecord(end));
    float staged = elapsed_ms(begin, end);

    float longer = copy > execute ? copy : execute, shorter = copy > execute ? execute : copy;
    std::printf("copy tT %.4f ms, execute tE %.4f ms\n", copy, execute);
    std::printf("sequential %.4f ms, tE + tT = %.4f ms\n", sequential, execute + copy);
    std::printf("staged in %d streams %.4f ms, %s = %.4f ms\n", streams, staged,
                copy > execute ? "tT + tE/nStreams" : "tE + tT/nStreams", longer + shorter / streams);

    std::vector<float> out = to_host(device, n);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) {
        float v = (float)(i % 1024);
        for (int r = 0; r < rounds; r++)
            v = v * 0.5f + 1.0f;
        wrong += out[i] != v;
    }
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return verdict("staged", wrong);
}
