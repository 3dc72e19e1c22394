/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and events: order within and between streams, callbacks, host threads. Compiled twice: with the
 * legacy default stream and with one per thread. */
#include "api_check.h"
#include <atomic>
#include <cuda_runtime.h>
#include <thread>

__global__ void append(int *list, int value)
{
    list[++list[0]] = value;
}

static void order()
{
    cudaStream_t a, b;
    cudaEvent_t event;
    int *list, host[8];
    OK(cudaMalloc(&list, sizeof(host)));
    OK(cudaMemset(list, 0, sizeof(host)));
    OK(cudaDeviceSynchronize()); // nothing else orders the fill before a non-blocking stream
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreate(&b));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    append<<<1, 1, 0, a>>>(list, 10);
    append<<<1, 1, 0, a>>>(list, 20);
    OK(cudaEventRecord(event, a));
    OK(cudaStreamWaitEvent(b, event, 0));
    append<<<1, 1, 0, b>>>(list, 30);
    OK(cudaStreamSynchronize(b));
    OK(cudaEventQuery(event));
    append<<<1, 1>>>(list, 40);
    OK(cudaMemcpy(host, list, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(host[0] == 4 && host[1] == 10 && host[2] == 20 && host[3] == 30 && host[4] == 40);
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(new float, event, event));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFree(list));
    cudaGetLastError();
}

static std::atomic<int> calls;
static void host_function(void *user)
{
    calls += *static_cast<int *>(user);
}
static void callback(cudaStream_t, cudaError_t status, void *user)
{
    if (status == cudaSuccess) calls += *static_cast<int *>(user);
}

static void callbacks()
{
    cudaStream_t stream;
    int one = 1, ten = 10, least = 0, greatest = 0;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(greatest <= least);
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, greatest));
    OK(cudaLaunchHostFunc(stream, host_function, &one));
    OK(cudaStreamAddCallback(stream, callback, &ten, 0));
    OK(cudaStreamSynchronize(stream));
    CHECK(calls == 11);
    OK(cudaStreamDestroy(stream));
}

static void worker(int *list, int value)
{
    OK(cudaSetDevice(0));
    append<<<1, 1>>>(list, value);
    OK(cudaStreamSynchronize(0));
}

static void threads()
{
    int *lists, host[4][4];
    OK(cudaMalloc(&lists, sizeof(host)));
    OK(cudaMemset(lists, 0, sizeof(host)));
    OK(cudaDeviceSynchronize());
    std::thread pool[4];
    for (int i = 0; i < 4; i++)
        pool[i] = std::thread(worker, lists + 4 * i, i);
    for (std::thread &thread : pool)
        thread.join();
    OK(cudaMemcpy(host, lists, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        CHECK(host[i][0] == 1 && host[i][1] == i);
    OK(cudaFree(lists));
}

static void times()
{
    cudaEvent_t start, end;
    int *list;
    float ms = -1;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaMalloc(&list, 64));
    OK(cudaMemset(list, 0, 64));
    OK(cudaEventRecord(start));
    append<<<1, 1>>>(list, 1);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms >= 0 && ms < 60000);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaFree(list));
}

int main()
{
    order();
    callbacks();
    threads();
    times();
    std::puts("ok");
    return 0;
}
