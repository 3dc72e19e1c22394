// SPDX-License-Identifier: Apache-2.0
// Copies and fills that kernels make need the rights of their device: another device's memory without peer access is an illegal
// address, in the kernel's grid and from then on. Memory that a kernel allocates is its device's. Each case is a process of its own.
#include "api_check.h"

#include <cuda_runtime.h>

#include <sys/wait.h>
#include <unistd.h>

__global__ void copy(int *to, const int *from, int)
{
    cudaMemcpyAsync(to, from, 16, cudaMemcpyDeviceToDevice, cudaStreamFireAndForget);
}

__global__ void fill(int *to, const int *, int value)
{
    cudaMemsetAsync(to, value, 16, cudaStreamFireAndForget);
}

__global__ void allocate(int **out)
{
    *out = static_cast<int *>(malloc(16));
    **out = 5;
}

__global__ void fetch(int *to, int **from)
{
    *to = **from;
}

static int *near, *far;
static int word_of(const int *at)
{
    int word = 0;
    OK(cudaMemcpy(&word, at, sizeof word, cudaMemcpyDeviceToHost));
    return word;
}

static void reads_a_peer(cudaError_t expected)
{
    copy<<<1, 1>>>(near, far, 0);
    FAILS(expected, cudaDeviceSynchronize());
    if (expected == cudaSuccess) CHECK(word_of(near) == 0x03030303);
}

static void writes_a_peer(cudaError_t expected)
{
    copy<<<1, 1>>>(far, near, 0);
    FAILS(expected, cudaDeviceSynchronize());
    if (expected == cudaSuccess) CHECK(word_of(far) == 0);
}

static void fills_a_peer(cudaError_t expected)
{
    fill<<<1, 1>>>(far, near, 7);
    FAILS(expected, cudaDeviceSynchronize());
    if (expected == cudaSuccess) CHECK(word_of(far) == 0x07070707);
}

// The heap is device 1's, whoever enabled what.
static void follows_a_peers_malloc(cudaError_t)
{
    int **out;
    OK(cudaMallocManaged(&out, sizeof *out));
    OK(cudaSetDevice(1));
    allocate<<<1, 1>>>(out);
    fetch<<<1, 1>>>(far, out);
    OK(cudaDeviceSynchronize());
    CHECK(word_of(far) == 5);
    OK(cudaSetDevice(0));
    fetch<<<1, 1>>>(near, out);
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

static void begin(bool enabled)
{
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&far, 64));
    OK(cudaMemset(far, 3, 64));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&near, 64));
    OK(cudaMemset(near, 0, 64));
    OK(cudaDeviceSynchronize());
    if (enabled) OK(cudaDeviceEnablePeerAccess(1, 0));
}

static void run(void (*part)(cudaError_t), bool enabled)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        begin(enabled);
        part(enabled ? cudaSuccess : cudaErrorIllegalAddress);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main()
{
    setenv("SOFTWARP_DEVICE", "h200:2", 1);
    for (int enabled = 0; enabled < 2; enabled++) {
        run(reads_a_peer, enabled);
        run(writes_a_peer, enabled);
        run(fills_a_peer, enabled);
        run(follows_a_peers_malloc, enabled);
    }
    std::puts("ok");
    return 0;
}
