// SPDX-License-Identifier: Apache-2.0
// What the guides time with events: copies to the device, vectors added where they lie, a sum of managed
// matrices. Prints one time, in microseconds; under softwarp profile or trace that of the chosen GPU.
//   host [-what pinned|pageable|device|mapped|explicit|managed] [-bytes BYTES OF AN ARRAY]
#include "../../examples/example.h"

__global__ void add(const float *a, const float *b, float *c, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

template <typename Work> float microseconds(Work work)
{
    cudaEvent_t begin, end;
    float ms;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 1000 * ms;
}

static float copy(bool pinned, size_t bytes)
{
    void *host, *device;
    CHECK(cudaMalloc(&device, bytes));
    if (pinned)
        CHECK(cudaMallocHost(&host, bytes));
    else
        host = std::malloc(bytes);
    std::memset(host, 1, bytes);
    return microseconds([&] { CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); });
}

// Three arrays: of the device ("device", "explicit"), pinned on the host ("mapped"), or managed, that the
// host wrote last.
static float sum(const char *what, size_t bytes)
{
    float *at[3];
    size_t n = bytes / sizeof(float);
    bool mapped = !std::strcmp(what, "mapped"), managed = !std::strcmp(what, "managed");
    for (float *&p : at) {
        if (mapped)
            CHECK(cudaHostAlloc(&p, bytes, cudaHostAllocMapped));
        else if (managed)
            CHECK(cudaMallocManaged(&p, bytes));
        else
            CHECK(cudaMalloc(&p, bytes));
        if (mapped || managed)
            std::memset(p, 0, bytes);
        else
            CHECK(cudaMemset(p, 0, bytes));
    }
    unsigned threads = 256, blocks = (unsigned)((n + threads - 1) / threads);
    float us = microseconds([&] { add<<<blocks, threads>>>(at[0], at[1], at[2], n); });
    finish();
    return us;
}

int main(int argc, char **argv)
{
    const char *what = option_text(argc, argv, "-what", "pinned");
    size_t bytes = (size_t)option(argc, argv, "-bytes", 1 << 24);
    bool copies = !std::strcmp(what, "pinned") || !std::strcmp(what, "pageable");
    std::printf("%.3f us\n", copies ? copy(what[1] == 'i', bytes) : sum(what, bytes));
    return 0;
}
