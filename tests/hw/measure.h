// SPDX-License-Identifier: Apache-2.0
// How copies.cu and managed.cu time an operation: one CSV line a case,
//   group,case,bytes,n,event_us,event_min_us,host_us,host_min_us
// event: between two events around the operation (the median and the least of the repetitions); host: from
// the call until cudaStreamSynchronize returns.
#ifndef HW_MEASURE_H
#define HW_MEASURE_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

#define CHECK(call) check(call, #call, __LINE__)
static void check(cudaError_t status, const char *call, int line)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
    std::exit(1);
}

static cudaEvent_t begin_event, end_event;

static double now_us()
{
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> &v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static void print_case(const char *group, const char *name, size_t bytes, int n, std::vector<double> &event,
                       std::vector<double> &host)
{
    double e = median(event), h = median(host);
    std::printf("%s,%s,%zu,%d,%.3f,%.3f,%.3f,%.3f\n", group, name, bytes, n, e, event[0], h, host[0]);
    std::fflush(stdout);
}

// prepare: before each repetition, not timed. warm_ups: repetitions that do not count.
static void measure(const char *group, const char *name, size_t bytes, int n, int reps, cudaStream_t stream,
                    const std::function<void()> &work, const std::function<void()> &prepare = nullptr,
                    int warm_ups = 2)
{
    std::vector<double> event, host;
    for (int i = 0; i < reps + warm_ups; i++) {
        if (prepare) prepare();
        CHECK(cudaDeviceSynchronize());
        double start = now_us();
        CHECK(cudaEventRecord(begin_event, stream));
        work();
        CHECK(cudaEventRecord(end_event, stream));
        CHECK(cudaStreamSynchronize(stream));
        double end = now_us();
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
        if (i < warm_ups) continue; // the first ones find cold tables
        event.push_back(1000.0 * ms);
        host.push_back(end - start);
    }
    print_case(group, name, bytes, n, event, host);
}

#endif
