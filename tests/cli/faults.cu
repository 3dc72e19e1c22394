// SPDX-License-Identifier: Apache-2.0
// What goes wrong in programs: faults oom | address | forever | assert | none. Prints what CUDA says.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void touch(int *p) { *p = 1; }
__global__ void spin(volatile int *flag)
{
    while (!*flag) {}
}
__global__ void check(int n) { assert(n > 3); }

static int say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
    fflush(stdout);
    return error != cudaSuccess;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "none";
    int *p = nullptr;
    if (say("small", cudaMalloc(&p, 256))) return 1;
    if (!strcmp(what, "oom")) {
        void *huge = nullptr;
        return say("huge", cudaMalloc(&huge, size_t(1) << 50));
    }
    if (!strcmp(what, "address")) touch<<<1, 32>>>((int *)0x10);
    if (!strcmp(what, "none")) touch<<<1, 32>>>(p);
    if (!strcmp(what, "assert")) check<<<1, 1>>>(2);
    if (!strcmp(what, "forever")) {
        cudaMemset(p, 0, 256);
        spin<<<1, 32>>>(p);
        puts("spinning");
        fflush(stdout);
    }
    int failed = say("launch", cudaGetLastError());
    failed |= say("wait", cudaDeviceSynchronize());
    return failed;
}
