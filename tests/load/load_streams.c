/* SPDX-License-Identifier: Apache-2.0 */
/* Many streams, launches, events and callbacks: the results are right, memory is bounded, and no call
 * waits for minutes. */
#include "load.h"

#include <pthread.h>
#include <stdatomic.h>

enum { STREAMS = 10000 / SLOW, LAUNCHES = 1000000 / SLOW, EVENTS = 100000 / SLOW, CALLBACKS = 100 };
static const long MIB = 1 << 20;
static CUmodule module;
static CUdeviceptr counter;

static unsigned counter_value(void)
{
    unsigned value;
    OK(cuMemcpyDtoH(&value, counter, sizeof value));
    return value;
}

/* Synchronous, because non-blocking streams do not wait for the legacy stream. */
static void counter_clear(void)
{
    OK(cuMemsetD32(counter, 0, 1));
    OK(cuCtxSynchronize());
}

static void add(CUfunction function, CUstream stream)
{
    void *params[] = {&counter};
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
}

/* Streams are used, queried, and destroyed with pending work; the legacy stream waits for the blocking
 * half of them. */
static void many_streams(void)
{
    static CUstream streams[STREAMS];
    CUfunction function = load_function(module, "add");
    long before = load_resident();
    for (int round = 0; round < 3; round++) {
        counter_clear();
        for (int i = 0; i < STREAMS; i++)
            OK(cuStreamCreate(&streams[i], i % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT));
        for (int i = 0; i < STREAMS; i++)
            for (int j = 0; j < 2; j++)
                add(function, streams[i]);
        add(function, NULL);
        for (int i = 0; i < STREAMS; i++)
            add(function, streams[i]);
        for (int i = 0; i < STREAMS; i += 2)
            OK(cuStreamSynchronize(streams[i]));
        for (int i = 0; i < STREAMS; i++)
            OK(cuStreamDestroy(streams[i]));
        OK(cuCtxSynchronize());
        CHECK(counter_value() == 3 * STREAMS + 1, "%u launches were done", counter_value());
    }
    long grown = load_resident() - before;
    CHECK(grown < 160 * MIB * (SLOW > 1 ? 8 : 1), "%ld MiB more than before",
          grown / MIB); /* 128 workers have half a MiB each */
}

static void million_launches(void)
{
    CUfunction function = load_function(module, "add");
    counter_clear();
    for (int i = 0; i < 5000; i++)
        add(function, NULL);
    long before = load_resident();
    for (int i = 5000; i < LAUNCHES; i++)
        add(function, NULL);
    long grown = load_resident() - before;
    CHECK(grown < 16 * MIB, "%ld MiB more than before", grown / MIB);
    CHECK(counter_value() == LAUNCHES, "%u launches were done", counter_value());
}

/* A full queue whose first entry waits for the host: a call that adds an entry waits, other calls do
 * not. */
struct opener {
    unsigned *flag;
    atomic_int queued;
};

static void *open_later(void *argument)
{
    struct opener *opener = argument;
    struct timespec moment = {.tv_nsec = 1000000};
    int seen = -1; /* until the other thread no longer gets further */
    for (int same = 0; same < 100;) {
        nanosleep(&moment, NULL);
        int now = atomic_load(&opener->queued);
        same = now == seen ? same + 1 : 0;
        seen = now;
    }
    CHECK(seen > 500 && seen < 3000, "%d launches were queued", seen);
    __atomic_store_n(opener->flag, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void full_queue(void)
{
    pthread_t thread;
    struct opener opener = {0};
    CUfunction function = load_function(module, "add");
    counter_clear();
    OK(cuMemHostAlloc((void **)&opener.flag, 4, CU_MEMHOSTALLOC_DEVICEMAP));
    *opener.flag = 0;
    void *params[] = {&opener.flag};
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchKernel(load_function(module, "wait"), 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
    pthread_create(&thread, NULL, open_later, &opener);
    for (int i = 0; i < 5000; i++) {
        add(function, stream);
        atomic_fetch_add(&opener.queued, 1);
    }
    OK(cuStreamSynchronize(stream));
    pthread_join(thread, NULL);
    CHECK(counter_value() == 5000, "%u launches were done", counter_value());
    OK(cuStreamDestroy(stream));
    OK(cuMemFreeHost(opener.flag));
}

/* Events are recorded on one stream, another stream waits for them, and they are queried afterwards. */
static void many_events(void)
{
    static CUevent events[EVENTS];
    CUstream streams[2];
    CUfunction function = load_function(module, "add");
    counter_clear();
    for (int i = 0; i < 2; i++)
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    long before = load_resident();
    for (int i = 0; i < EVENTS; i++) {
        OK(cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING));
        if (i % 10 == 0) add(function, streams[i / 10 % 2]);
        OK(cuEventRecord(events[i], streams[i / 10 % 2]));
        OK(cuStreamWaitEvent(streams[(i / 10 + 1) % 2], events[i], 0));
    }
    OK(cuEventSynchronize(events[EVENTS - 1]));
    for (int i = 0; i < EVENTS; i++)
        OK(cuEventQuery(events[i])); /* each is before the last: the streams wait for each other */
    for (int i = 0; i < EVENTS; i++)
        OK(cuEventDestroy(events[i]));
    for (int i = 0; i < 2; i++)
        OK(cuStreamDestroy(streams[i]));
    OK(cuCtxSynchronize());
    long grown = load_resident() - before;
    CHECK(grown < 64 * MIB, "%ld MiB more than before", grown / MIB);
    CHECK(counter_value() == EVENTS / 10, "%u launches were done", counter_value());
}

/* Launches whose blocks were short many times, so that no other host thread helps, and then are long. */
static void quick_then_slow(void)
{
    enum { BLOCKS = 64, QUICK = 300, SLOW_ROUNDS = 2000000 / SLOW };
    CUfunction function = load_function(module, "work");
    counter_clear();
    for (int i = 0; i < QUICK; i++) {
        unsigned rounds = i % 100 == 99 ? SLOW_ROUNDS : 1;
        void *params[] = {&counter, &rounds};
        OK(cuLaunchKernel(function, BLOCKS, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    }
    CHECK(counter_value() == QUICK * BLOCKS, "%u blocks were done", counter_value());
}

static atomic_int called;

static void CUDA_CB slow_callback(void *unused)
{
    struct timespec while_ = {.tv_nsec = 50000000};
    (void)unused;
    nanosleep(&while_, NULL);
    atomic_fetch_add(&called, 1);
}

/* A long callback delays its own stream and no other. */
static void slow_callbacks(void)
{
    CUstream streams[CALLBACKS], other;
    CUfunction function = load_function(module, "add");
    counter_clear();
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    double start = load_seconds();
    for (int i = 0; i < CALLBACKS; i++) {
        OK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
        OK(cuLaunchHostFunc(streams[i], slow_callback, NULL));
        add(function, streams[i]);
    }
    add(function, other);
    OK(cuStreamSynchronize(other));
    int before = atomic_load(&called);
    CHECK(before < CALLBACKS, "a launch waited for all callbacks of other streams");
    for (int i = 0; i < CALLBACKS; i++) {
        OK(cuStreamSynchronize(streams[i]));
        OK(cuStreamDestroy(streams[i]));
    }
    OK(cuStreamDestroy(other));
    double seconds = load_seconds() - start;
    CHECK(atomic_load(&called) == CALLBACKS && counter_value() == CALLBACKS + 1, "%u", counter_value());
    CHECK(seconds < 0.05 * CALLBACKS / 2, "%.2f s: one after the other", seconds);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } TESTS[] = {{"many streams", many_streams},       {"a million launches", million_launches},
                 {"a full queue", full_queue},         {"many events", many_events},
                 {"quick then slow", quick_then_slow}, {"slow callbacks", slow_callbacks}};
    CUcontext context = load_context(0);
    OK(cuModuleLoadData(&module, load_ptx));
    OK(cuMemAlloc(&counter, 8));
    for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++) {
        double start = load_seconds();
        TESTS[i].run();
        printf("%-20s %6.2f s\n", TESTS[i].name, load_seconds() - start);
    }
    OK(cuMemFree(counter));
    OK(cuModuleUnload(module));
    OK(cuDevicePrimaryCtxRelease(0));
    (void)context;
    return 0;
}
