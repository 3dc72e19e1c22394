// SPDX-License-Identifier: Apache-2.0
// Times of what is not a kernel, and of kernels and copies together, as a program sees them: one CSV line a case,
//   group,case,bytes,n,event_us,event_min_us,host_us,host_min_us
// event: between two events around the operation (the median and the least of the repetitions); host: from the call
// until cudaStreamSynchronize returns. n: streams, chunks or launches of the case. record_copies.sh records it on a GPU.
#include "measure.h"

static std::vector<size_t> sizes(size_t most)
{
    std::vector<size_t> list;
    for (size_t s = 1024; s <= most; s *= 2) {
        list.push_back(s);
        if (s >= 16384 && s * 3 / 2 <= most) list.push_back(s * 3 / 2);
    }
    return list;
}

static int reps_of(size_t bytes)
{
    return bytes <= (1 << 20) ? 31 : bytes <= (64 << 20) ? 11 : 5;
}

static void copies(size_t most, cudaStream_t stream)
{
    uint8_t *device, *other, *pinned, *combining, *pageable = (uint8_t *)std::malloc(most), *registered;
    CHECK(cudaMalloc(&device, most));
    CHECK(cudaMalloc(&other, most));
    CHECK(cudaMallocHost(&pinned, most));
    CHECK(cudaHostAlloc(&combining, most, cudaHostAllocWriteCombined));
    if (posix_memalign((void **)&registered, 4096, most)) std::exit(1);
    std::memset(pageable, 1, most), std::memset(pinned, 2, most), std::memset(registered, 3, most);
    std::memset(combining, 4, most);
    CHECK(cudaHostRegister(registered, most, cudaHostRegisterDefault));
    struct {
        const char *name;
        void *to, *from;
    } kinds[] = {{"h2d_pinned", device, pinned},         {"d2h_pinned", pinned, device},
                 {"h2d_pageable", device, pageable},     {"d2h_pageable", pageable, device},
                 {"h2d_registered", device, registered}, {"d2h_registered", registered, device},
                 {"h2d_combining", device, combining},   {"d2d", other, device}};
    for (auto &kind : kinds)
        for (size_t s : sizes(most))
            measure("copy", kind.name, s, 1, reps_of(s), stream,
                    [&] { CHECK(cudaMemcpyAsync(kind.to, kind.from, s, cudaMemcpyDefault, stream)); });
    for (size_t s : sizes(most)) {
        measure("copy_sync", "h2d_pageable", s, 1, reps_of(s), 0,
                [&] { CHECK(cudaMemcpy(device, pageable, s, cudaMemcpyHostToDevice)); });
        measure("copy_sync", "d2h_pageable", s, 1, reps_of(s), 0,
                [&] { CHECK(cudaMemcpy(pageable, device, s, cudaMemcpyDeviceToHost)); });
        measure("copy_sync", "h2d_pinned", s, 1, reps_of(s), 0,
                [&] { CHECK(cudaMemcpy(device, pinned, s, cudaMemcpyHostToDevice)); });
        measure("memset", "memset8", s, 1, reps_of(s), stream, [&] { CHECK(cudaMemsetAsync(device, 1, s, stream)); });
    }
    for (size_t width : {64, 256, 1024, 4096, 16384})
        for (int rows : {16, 256, 1024}) {
            if (width * 2 * rows > most) continue;
            measure("copy2d", "h2d_pinned", width * rows, rows, 15, stream, [&] {
                CHECK(cudaMemcpy2DAsync(device, width * 2, pinned, width * 2, width, rows, cudaMemcpyDefault, stream));
            });
            measure("copy2d", "d2d", width * rows, rows, 15, stream, [&] {
                CHECK(cudaMemcpy2DAsync(device, width * 2, other, width * 2, width, rows, cudaMemcpyDefault, stream));
            });
        }
    for (int n : {1, 4, 16, 64, 256}) // many small ones in one stream
        measure("copy_many", "h2d_pinned_4k", 4096, n, 11, stream, [&] {
            for (int i = 0; i < n; i++)
                CHECK(cudaMemcpyAsync(device + 4096 * i, pinned + 4096 * i, 4096, cudaMemcpyDefault, stream));
        });
    CHECK(cudaHostUnregister(registered));
    CHECK(cudaFree(device)), CHECK(cudaFree(other)), CHECK(cudaFreeHost(pinned)), CHECK(cudaFreeHost(combining));
    std::free(pageable), std::free(registered);
}

// Busy for `ns` of the global timer.
__global__ void busy(uint64_t ns)
{
    uint64_t start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
}

__global__ void nothing() {}

__global__ void scale(float *data, size_t n, int rounds)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        float v = data[i];
        for (int r = 0; r < rounds; r++)
            v = v * 1.0001f + 0.5f;
        data[i] = v;
    }
}

__global__ void add(float *c, const float *a, const float *b, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

static void launches(std::vector<cudaStream_t> &streams)
{
    cudaStream_t s = streams[0];
    for (int n : {1, 2, 4, 16, 64, 256, 1000})
        measure("launch", "empty_one_stream", 0, n, 15, s, [&] {
            for (int i = 0; i < n; i++)
                nothing<<<1, 32, 0, s>>>();
        });
    for (int grid : {1, 132, 1056, 8448, 65536, 1000000})
        measure("launch", "empty_grid", grid, 1, 15, s, [&] { nothing<<<grid, 256, 0, s>>>(); });
    cudaEvent_t joined;
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    for (int n : {1, 2, 4, 8, 16, 32, 64, 128}) // kernels of one block beside each other
        measure("concurrent", "busy_100us", 100, n, 9, s, [&] {
            CHECK(cudaEventRecord(joined, s));
            for (int i = 1; i < n; i++)
                CHECK(cudaStreamWaitEvent(streams[i], joined));
            for (int i = 0; i < n; i++)
                busy<<<1, 32, 0, streams[i]>>>(100000);
            for (int i = 1; i < n; i++) {
                CHECK(cudaEventRecord(joined, streams[i]));
                CHECK(cudaStreamWaitEvent(s, joined));
            }
        });
    for (int blocks : {33, 66, 132, 264, 528, 1056}) // two kernels that fill 1/4 to 8 waves of 1024-thread blocks
        measure("concurrent", "two_grids_100us", 100, blocks, 9, s, [&] {
            CHECK(cudaEventRecord(joined, s));
            CHECK(cudaStreamWaitEvent(streams[1], joined));
            busy<<<blocks, 1024, 0, s>>>(100000);
            busy<<<blocks, 1024, 0, streams[1]>>>(100000);
            CHECK(cudaEventRecord(joined, streams[1]));
            CHECK(cudaStreamWaitEvent(s, joined));
        });
    for (int n : {2, 8}) // the legacy default stream between others
        measure("concurrent", "legacy_between_50us", 50, n, 9, s, [&] {
            for (int i = 0; i < n; i++) {
                busy<<<1, 32, 0, streams[i + 1]>>>(50000);
                busy<<<1, 32>>>(50000);
            }
            CHECK(cudaEventRecord(joined, 0));
            CHECK(cudaStreamWaitEvent(s, joined));
        });
    CHECK(cudaEventDestroy(joined));
}

// The staged copy and execute of the guides: n chunks, each copied in, computed and copied out in its stream.
static void staged(std::vector<cudaStream_t> &streams)
{
    size_t bytes = 64 << 20, count = bytes / sizeof(float);
    float *host, *device;
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMalloc(&device, bytes));
    std::memset(host, 0, bytes);
    cudaEvent_t joined;
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    cudaStream_t s = streams[0];
    for (int rounds : {1, 2000, 8000}) {
        char name[32];
        std::snprintf(name, sizeof name, "rounds_%d", rounds);
        measure("staged_kernel", name, bytes, 1, 9, s, [&] { scale<<<1056, 256, 0, s>>>(device, count, rounds); });
        for (int n : {1, 2, 4, 8, 16})
            measure("staged", name, bytes, n, 9, s, [&] {
                CHECK(cudaEventRecord(joined, s));
                for (int i = 1; i < n; i++)
                    CHECK(cudaStreamWaitEvent(streams[i], joined));
                for (int i = 0; i < n; i++) {
                    size_t part = count / n, at = part * i;
                    CHECK(cudaMemcpyAsync(device + at, host + at, part * sizeof(float), cudaMemcpyDefault, streams[i]));
                    scale<<<1056, 256, 0, streams[i]>>>(device + at, part, rounds);
                    CHECK(cudaMemcpyAsync(host + at, device + at, part * sizeof(float), cudaMemcpyDefault, streams[i]));
                }
                for (int i = 1; i < n; i++) {
                    CHECK(cudaEventRecord(joined, streams[i]));
                    CHECK(cudaStreamWaitEvent(s, joined));
                }
            });
    }
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaFreeHost(host)), CHECK(cudaFree(device));
}

static void both_ways(std::vector<cudaStream_t> &streams)
{
    size_t bytes = 64 << 20, count = bytes / sizeof(float);
    float *host, *device, *back;
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMalloc(&device, bytes));
    CHECK(cudaMallocHost(&back, bytes));
    std::memset(host, 0, bytes);
    cudaEvent_t joined;
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    cudaStream_t s = streams[0];
    for (size_t part : {1 << 20, 8 << 20, 32 << 20}) {
        measure("both_ways", "h2d_and_d2h", part, 2, 9, s, [&] { // other halves
            CHECK(cudaEventRecord(joined, s));
            CHECK(cudaStreamWaitEvent(streams[1], joined));
            CHECK(cudaMemcpyAsync(device, host, part, cudaMemcpyDefault, s));
            CHECK(cudaMemcpyAsync(back, device + count / 2, part, cudaMemcpyDefault, streams[1]));
            CHECK(cudaEventRecord(joined, streams[1]));
            CHECK(cudaStreamWaitEvent(s, joined));
        });
        measure("both_ways", "h2d_twice", part, 2, 9, s, [&] {
            CHECK(cudaEventRecord(joined, s));
            CHECK(cudaStreamWaitEvent(streams[1], joined));
            CHECK(cudaMemcpyAsync(device, host, part, cudaMemcpyDefault, s));
            CHECK(cudaMemcpyAsync(device + count / 2, back, part, cudaMemcpyDefault, streams[1]));
            CHECK(cudaEventRecord(joined, streams[1]));
            CHECK(cudaStreamWaitEvent(s, joined));
        });
    }
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaFreeHost(host)), CHECK(cudaFreeHost(back)), CHECK(cudaFree(device));
}

static void grid_add(float *c, const float *a, const float *b, size_t n, cudaStream_t s)
{
    add<<<(unsigned)((n + 255) / 256), 256, 0, s>>>(c, a, b, n);
}

static void mapped_and_managed(cudaStream_t s)
{
    size_t most = 256 << 20;
    float *mapped, *device;
    CHECK(cudaHostAlloc(&mapped, most, cudaHostAllocMapped));
    CHECK(cudaMalloc(&device, most));
    std::memset(mapped, 0, most);
    for (size_t bytes = 1024; bytes <= most / 4; bytes *= 4) { // three arrays
        size_t n = bytes / sizeof(float);
        measure("mapped", "add_device", bytes, 1, 11, s, [&] { grid_add(device, device + n, device + 2 * n, n, s); });
        measure("mapped", "add_mapped", bytes, 1, 11, s, [&] { grid_add(mapped, mapped + n, mapped + 2 * n, n, s); });
        measure("mapped", "read_mapped", bytes, 1, 11, s, [&] { grid_add(device, mapped, mapped, n, s); });
        measure("mapped", "write_mapped", bytes, 1, 11, s, [&] { grid_add(mapped, device, device, n, s); });
    }
    CHECK(cudaFreeHost(mapped));
    for (size_t bytes = 65536; bytes <= (64 << 20); bytes *= 4) {
        size_t n = bytes / sizeof(float);
        float *managed;
        CHECK(cudaMallocManaged(&managed, bytes));
        auto touch = [&] { std::memset(managed, 1, bytes); };
        measure("managed", "fault_read", bytes, 1, 7, s, [&] { grid_add(device, managed, managed, n, s); }, touch);
        measure("managed", "fault_write", bytes, 1, 7, s, [&] { grid_add(managed, device, device, n, s); }, touch);
        measure("managed", "fault_both", bytes, 1, 7, s, [&] { scale<<<(unsigned)((n + 255) / 256), 256, 0, s>>>(managed, n, 1); }, touch);
        float *fresh = nullptr; // nobody has touched it
        measure("managed", "first_touch", bytes, 1, 7, s, [&] { grid_add(fresh, device, device, n, s); },
                [&] { CHECK(cudaFree(fresh)), CHECK(cudaMallocManaged(&fresh, bytes)); });
        CHECK(cudaFree(fresh));
        measure("managed", "resident", bytes, 1, 7, s, [&] { grid_add(device, managed, managed, n, s); });
        cudaMemLocation to_device = {cudaMemLocationTypeDevice, 0}, to_host = {cudaMemLocationTypeHost, 0};
        measure("managed", "prefetch_in", bytes, 1, 7, s, [&] { CHECK(cudaMemPrefetchAsync(managed, bytes, to_device, 0, s)); },
                touch);
        measure("managed", "prefetch_out", bytes, 1, 7, s, [&] { CHECK(cudaMemPrefetchAsync(managed, bytes, to_host, 0, s)); },
                [&] { CHECK(cudaMemPrefetchAsync(managed, bytes, to_device, 0, s)); });
        std::vector<double> event, host; // the host takes pages back
        for (int i = 0; i < 7; i++) {
            CHECK(cudaMemPrefetchAsync(managed, bytes, to_device, 0, s));
            CHECK(cudaStreamSynchronize(s));
            CHECK(cudaEventRecord(begin_event, s));
            double start = now_us();
            volatile char sum = 0;
            for (size_t at = 0; at < bytes; at += 4096)
                sum = sum + ((char *)managed)[at];
            host.push_back(now_us() - start);
            CHECK(cudaEventRecord(end_event, s)); // of an idle stream; recordings of 2026-11 have 0
            CHECK(cudaStreamSynchronize(s));
            float ms = 0;
            CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
            event.push_back(1000.0 * ms);
        }
        print_case("managed", "host_read", bytes, 1, event, host);
        CHECK(cudaFree(managed));
    }
    CHECK(cudaFree(device));
}

// What calls cost the host, in the mean of n calls.
static void call_costs(cudaStream_t s)
{
    int n = 1000;
    float *device, *pinned;
    CHECK(cudaMalloc(&device, 4096));
    CHECK(cudaMallocHost(&pinned, 4096));
    auto cost = [&](const char *name, const std::function<void()> &call) {
        std::vector<double> event, host;
        for (int rep = 0; rep < 9; rep++) {
            CHECK(cudaDeviceSynchronize());
            double start = now_us();
            for (int i = 0; i < n; i++)
                call();
            host.push_back((now_us() - start) / n);
            event.push_back(0);
        }
        CHECK(cudaDeviceSynchronize());
        print_case("call", name, 0, n, event, host);
    };
    cost("launch", [&] { nothing<<<1, 32, 0, s>>>(); });
    cost("event_record", [&] { CHECK(cudaEventRecord(begin_event, s)); });
    cost("event_query", [&] { (void)cudaEventQuery(begin_event); });
    cost("stream_query", [&] { (void)cudaStreamQuery(s); });
    cost("stream_synchronize_idle", [&] { CHECK(cudaStreamSynchronize(s)); });
    cost("device_synchronize_idle", [&] { CHECK(cudaDeviceSynchronize()); });
    cost("memcpy_async_4k", [&] { CHECK(cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyDefault, s)); });
    cost("memset_async_4k", [&] { CHECK(cudaMemsetAsync(device, 0, 4096, s)); });
    cost("get_last_error", [&] { (void)cudaGetLastError(); });
    n = 50;
    for (size_t bytes : {4096, 1 << 20, 64 << 20}) {
        char name[64];
        std::snprintf(name, sizeof name, "malloc_free_%zu", bytes);
        cost(name, [&] {
            void *p;
            CHECK(cudaMalloc(&p, bytes));
            CHECK(cudaFree(p));
        });
        std::snprintf(name, sizeof name, "malloc_free_async_%zu", bytes);
        cost(name, [&] {
            void *p;
            CHECK(cudaMallocAsync(&p, bytes, s));
            CHECK(cudaFreeAsync(p, s));
        });
        std::snprintf(name, sizeof name, "host_alloc_free_%zu", bytes);
        cost(name, [&] {
            void *p;
            CHECK(cudaMallocHost(&p, bytes));
            CHECK(cudaFreeHost(p));
        });
    }
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(pinned));
}

// usage: copies [MIB [PART]]: MiB of the largest copy; one part only: launches, calls, copies, staged, both or mapped
int main(int argc, char **argv)
{
    size_t most = argc > 1 ? (size_t)std::atol(argv[1]) << 20 : (size_t)1 << 30;
    auto wanted = [&](const char *part) { return argc < 3 || !std::strcmp(argv[2], part); };
    std::vector<cudaStream_t> streams(128);
    for (size_t i = 0; i < streams.size(); i++)
        CHECK(cudaStreamCreateWithFlags(&streams[i], i ? cudaStreamDefault : cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin_event));
    CHECK(cudaEventCreate(&end_event));
    std::puts("group,case,bytes,n,event_us,event_min_us,host_us,host_min_us");
    if (wanted("launches")) launches(streams);
    if (wanted("calls")) call_costs(streams[0]);
    if (wanted("copies")) copies(most, streams[0]);
    if (wanted("staged")) staged(streams);
    if (wanted("both")) both_ways(streams);
    if (wanted("mapped")) mapped_and_managed(streams[0]);
    return 0;
}
