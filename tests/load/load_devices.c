/* SPDX-License-Identifier: Apache-2.0 */
/* Eight host threads share four devices and switch between them at random: they allocate, fill, launch,
 * copy to another device, check and free, and create and destroy streams, events and modules. Other threads
 * share one stream, and thousands of streams that are young: what one thread sees of a queue's ends, others
 * move. */
#include "load.h"

#include <pthread.h>

enum {
    THREADS = 8,
    DEVICES = 4,
    ROUNDS = 400 / SLOW + 4,
    WORDS = 4096,
    SHARED_LAUNCHES = 2000 / SLOW,
    YOUNG = 4000 / SLOW,
    YOUNG_FILLS = 100
};
static CUcontext contexts[DEVICES];
static CUmodule modules[DEVICES];
static CUdeviceptr totals[DEVICES];
static unsigned launched[THREADS][DEVICES];

static unsigned random_next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u; /* Numerical Recipes */
    return *state >> 16;
}

static void count(int device, CUstream stream, unsigned thread)
{
    void *params[] = {&totals[device]};
    OK(cuLaunchKernel(load_function(modules[device], "add"), 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
    launched[thread][device]++;
}

/* Fill on one device, copy over to another, read back there. */
static void across(int from, int to, unsigned value, unsigned thread)
{
    static _Thread_local unsigned host[WORDS];
    CUdeviceptr source, target;
    CUstream stream;
    CUevent filled;
    OK(cuCtxSetCurrent(contexts[from]));
    OK(cuMemAlloc(&source, sizeof host));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&filled, CU_EVENT_DISABLE_TIMING));
    OK(cuMemsetD32Async(source, value, WORDS, stream));
    count(from, stream, thread);
    OK(cuEventRecord(filled, stream));
    OK(cuCtxPushCurrent(contexts[to]));
    OK(cuMemAlloc(&target, sizeof host));
    OK(cuStreamWaitEvent(CU_STREAM_PER_THREAD, filled, 0));
    OK(cuMemcpyPeerAsync(target, contexts[to], source, contexts[from], sizeof host, CU_STREAM_PER_THREAD));
    count(to, CU_STREAM_PER_THREAD, thread);
    OK(cuMemcpyDtoHAsync(host, target, sizeof host, CU_STREAM_PER_THREAD));
    OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    for (int i = 0; i < WORDS; i++)
        CHECK(host[i] == value, "word %d is %u, not %u", i, host[i], value);
    OK(cuMemFree(target));
    OK(cuCtxPopCurrent(NULL));
    OK(cuEventDestroy(filled));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(source));
}

static void *work(void *number)
{
    unsigned thread = (unsigned)(uintptr_t)number, state = thread + 1;
    for (unsigned i = 0; i < ROUNDS; i++) {
        int from = (int)(random_next(&state) % DEVICES), to = (int)(random_next(&state) % DEVICES);
        across(from, to, thread << 20 | i, thread);
        if (i % 50 == 7) {
            CUmodule module;
            OK(cuModuleLoadData(&module, load_ptx));
            OK(cuLaunchKernel(load_function(module, "empty"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
            OK(cuModuleUnload(module));
        }
    }
    return NULL;
}

static CUstream shared_stream;

static void *share(void *number)
{
    OK(cuCtxSetCurrent(contexts[0]));
    for (int i = 0; i < SHARED_LAUNCHES; i++) {
        count(0, shared_stream, (unsigned)(uintptr_t)number);
        if (i % 100 == 99) OK(cuStreamSynchronize(shared_stream));
    }
    return NULL;
}

/* Small work, so that the queue is empty again and again. */
static void *share_young(void *number)
{
    OK(cuCtxSetCurrent(contexts[0]));
    for (int i = 0; i < YOUNG_FILLS; i++)
        OK(cuMemsetD8Async(totals[0] + 4, (unsigned char)(uintptr_t)number, 1, shared_stream));
    return NULL;
}

static void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, body, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    int devices;
    OK(cuInit(0));
    OK(cuDeviceGetCount(&devices));
    CHECK(devices == DEVICES, "%d devices: set SOFTWARP_DEVICE=h200:4", devices);
    for (int d = 0; d < DEVICES; d++) {
        contexts[d] = load_context(d);
        OK(cuModuleLoadData(&modules[d], load_ptx));
        OK(cuMemAlloc(&totals[d], 8));
        OK(cuMemsetD32(totals[d], 0, 1));
        OK(cuCtxSynchronize());
    }
    run_threads(work);
    OK(cuCtxSetCurrent(contexts[0]));
    OK(cuStreamCreate(&shared_stream, CU_STREAM_DEFAULT));
    run_threads(share);
    OK(cuStreamDestroy(shared_stream));
    for (int i = 0; i < YOUNG; i++) {
        OK(cuStreamCreate(&shared_stream, CU_STREAM_NON_BLOCKING));
        run_threads(share_young);
        OK(cuStreamDestroy(shared_stream));
    }
    for (int d = 0; d < DEVICES; d++) {
        unsigned want = 0, got;
        OK(cuCtxSetCurrent(contexts[d]));
        OK(cuCtxSynchronize());
        OK(cuMemcpyDtoH(&got, totals[d], 4));
        for (int i = 0; i < THREADS; i++)
            want += launched[i][d];
        CHECK(got == want, "device %d counted %u launches, not %u", d, got, want);
        OK(cuDevicePrimaryCtxReset(d));
    }
    return 0;
}
