// SPDX-License-Identifier: Apache-2.0
// Times of copies between two devices and of work on both at once, as copies.cu has those of one: one CSV line a case,
//   group,case,bytes,n,event_us,event_min_us,host_us,host_min_us
// event: between two events of the first device around all of it. n: devices or kernels. record_peer.sh records it.
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
    std::fprintf(stderr, "peer.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
    std::exit(1);
}

static cudaEvent_t begin_event, end_event, joined;
static cudaStream_t streams[2];

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

static void measure(const char *group, const char *name, size_t bytes, int n, int reps, const std::function<void()> &work)
{
    std::vector<double> event, host;
    for (int i = 0; i < reps + 2; i++) {
        for (int d = 1; d >= 0; d--) {
            CHECK(cudaSetDevice(d));
            CHECK(cudaDeviceSynchronize());
        }
        double start = now_us();
        CHECK(cudaEventRecord(begin_event, streams[0]));
        work();
        CHECK(cudaEventRecord(end_event, streams[0]));
        CHECK(cudaStreamSynchronize(streams[0]));
        double end = now_us();
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
        if (i < 2) continue; // the first ones find cold tables
        event.push_back(1000.0 * ms);
        host.push_back(end - start);
    }
    double e = median(event), h = median(host);
    std::printf("%s,%s,%zu,%d,%.3f,%.3f,%.3f,%.3f\n", group, name, bytes, n, e, event[0], h, host[0]);
    std::fflush(stdout);
}

// What the second device's stream does stands between two waits for the first one's.
static void beside(const std::function<void()> &first, const std::function<void()> &second)
{
    CHECK(cudaStreamWaitEvent(streams[1], begin_event));
    first();
    CHECK(cudaSetDevice(1));
    second();
    CHECK(cudaEventRecord(joined, streams[1]));
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamWaitEvent(streams[0], joined));
}

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
    return bytes <= (1 << 20) ? 31 : 11;
}

__global__ void busy(uint64_t ns)
{
    uint64_t start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
}

__global__ void add(float *c, const float *a, const float *b, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

static void grid_add(float *c, const float *a, const float *b, size_t n)
{
    add<<<(unsigned)((n + 255) / 256), 256, 0, streams[0]>>>(c, a, b, n);
}

static void copies(const char *name, size_t most, char *here, char *there)
{
    char to[64], from[64];
    std::snprintf(to, sizeof to, "to_peer_%s", name);
    std::snprintf(from, sizeof from, "from_peer_%s", name);
    for (size_t s : sizes(most)) {
        measure("peer", to, s, 1, reps_of(s), [&] { CHECK(cudaMemcpyPeerAsync(there, 1, here, 0, s, streams[0])); });
        measure("peer", from, s, 1, reps_of(s), [&] { CHECK(cudaMemcpyPeerAsync(here, 0, there, 1, s, streams[0])); });
    }
}

static void overlap(size_t most, char *here, char *there, char *pinned[2])
{
    size_t half = most / 2;
    for (size_t s : {half / 32, half / 4, half}) {
        measure("peer_both", "both_ways", s, 2, 9, [&] {
            beside([&] { CHECK(cudaMemcpyPeerAsync(there, 1, here, 0, s, streams[0])); },
                   [&] { CHECK(cudaMemcpyPeerAsync(here + half, 0, there + half, 1, s, streams[1])); });
        });
        measure("peer_both", "h2d_on_both", s, 2, 9, [&] {
            beside([&] { CHECK(cudaMemcpyAsync(here, pinned[0], s, cudaMemcpyDefault, streams[0])); },
                   [&] { CHECK(cudaMemcpyAsync(there, pinned[1], s, cudaMemcpyDefault, streams[1])); });
        });
        measure("peer_both", "h2d_beside_peer", s, 2, 9, [&] {
            beside([&] { CHECK(cudaMemcpyPeerAsync(there, 1, here, 0, s, streams[0])); },
                   [&] { CHECK(cudaMemcpyAsync(there + half, pinned[1], s, cudaMemcpyDefault, streams[1])); });
        });
    }
    for (uint64_t ns : {20000, 100000, 500000})
        measure("peer_both", "kernels_on_both", ns / 1000, 2, 9, [&] {
            beside([&] { busy<<<1, 32, 0, streams[0]>>>(ns); }, [&] { busy<<<1, 32, 0, streams[1]>>>(ns); });
        });
}

// A kernel of the first device that reads or writes the second one's memory.
static void accesses(size_t most, float *here, float *there)
{
    for (size_t bytes = 1024; bytes <= most / 4; bytes *= 4) {
        size_t n = bytes / sizeof(float);
        measure("peer_access", "add_device", bytes, 1, 11, [&] { grid_add(here, here + n, here + 2 * n, n); });
        measure("peer_access", "read_peer", bytes, 1, 11, [&] { grid_add(here, there, there, n); });
        measure("peer_access", "write_peer", bytes, 1, 11, [&] { grid_add(there, here, here, n); });
    }
}

// usage: peer [MIB]: MiB of the largest copy
int main(int argc, char **argv)
{
    size_t most = argc > 1 ? (size_t)std::atol(argv[1]) << 20 : (size_t)256 << 20;
    int count, can[2];
    CHECK(cudaGetDeviceCount(&count));
    if (count < 2) {
        std::fputs("peer.cu: two devices are needed\n", stderr);
        return 1;
    }
    char *memory[2], *pinned[2];
    for (int d = 1; d >= 0; d--) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaMalloc(&memory[d], most));
        CHECK(cudaMemset(memory[d], 0, most));
        CHECK(cudaMallocHost(&pinned[d], most));
        std::memset(pinned[d], 0, most);
        CHECK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        if (d) CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
        CHECK(cudaDeviceCanAccessPeer(&can[d], d, 1 - d));
    }
    CHECK(cudaEventCreate(&begin_event));
    CHECK(cudaEventCreate(&end_event));
    std::puts("group,case,bytes,n,event_us,event_min_us,host_us,host_min_us");
    copies("staged", most, memory[0], memory[1]); // through the host, as long as nobody enabled access
    if (!can[0] || !can[1]) return 0;
    for (int d = 1; d >= 0; d--) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
    }
    copies("enabled", most, memory[0], memory[1]);
    overlap(most, memory[0], memory[1], pinned);
    accesses(most, (float *)memory[0], (float *)memory[1]);
    return 0;
}
