// SPDX-License-Identifier: Apache-2.0
// Times of managed memory on its way, in the lines of measure.h: pages that nobody touched before, that a kernel takes from
// the host, that the host takes back (its time, between two events of an idle stream), that prefetches move, and all that
// with advice. n: bytes of an access, or from one to the next where that is more. record_managed.sh records it on a GPU;
// that was not done yet.
#include "measure.h"

static const size_t MIB = 1 << 20;
static cudaStream_t stream;
static size_t most;
static const cudaMemLocation DEVICE = {cudaMemLocationTypeDevice, 0}, HOST = {cudaMemLocationTypeHost, 0};

template <typename T> __global__ void store(T *to, size_t n, size_t step)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        to[i * step] = T();
}

__device__ unsigned bits(float v) { return __float_as_uint(v); }
__device__ unsigned bits(float4 v) { return bits(v.x) | bits(v.y) | bits(v.z) | bits(v.w); }
__device__ unsigned bits(char v) { return (unsigned)v; }

template <typename T> __global__ void load(const T *from, size_t n, size_t step, unsigned *out)
{
    unsigned all = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        all |= bits(from[i * step]);
    if (all == 0xdeadbeefu) *out = all;
}

__global__ void both(float *data, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) data[i] = data[i] * 1.5f + 1;
}

static unsigned blocks_of(size_t n) { return (unsigned)((n + 255) / 256); }
static unsigned *out;

// stride: bytes from one access to the next; 0: all that is there. blocks: 0: a thread for each access.
template <typename T> static void launch_store(void *at, size_t bytes, size_t stride = 0, unsigned blocks = 0)
{
    size_t step = stride ? stride / sizeof(T) : 1, n = (bytes / sizeof(T) + step - 1) / step;
    store<<<blocks ? blocks : blocks_of(n), 256, 0, stream>>>((T *)at, n, step);
}

template <typename T> static void launch_load(const void *at, size_t bytes, size_t stride = 0, unsigned blocks = 0)
{
    size_t step = stride ? stride / sizeof(T) : 1, n = (bytes / sizeof(T) + step - 1) / step;
    load<<<blocks ? blocks : blocks_of(n), 256, 0, stream>>>((const T *)at, n, step, out);
}

static std::vector<size_t> sizes(size_t largest)
{
    std::vector<size_t> list;
    for (size_t s = 4096; s <= largest && s <= most; s *= s < 4 * MIB ? 2 : 4) {
        list.push_back(s);
        if (s >= 65536 && s <= 4 * MIB) list.push_back(s * 3 / 2);
    }
    return list;
}

static int reps_of(size_t bytes) { return bytes <= 6 * MIB ? 7 : bytes <= 64 * MIB ? 3 : 2; }

using act = std::function<void(char *, size_t)>;

static void host_write(char *at, size_t bytes) { std::memset(at, 1, bytes); }
static void host_read(char *at, size_t bytes)
{
    volatile char sum = 0;
    for (size_t i = 0; i < bytes; i += 4096)
        sum = sum + at[i];
}
static void to_device(char *at, size_t bytes) { CHECK(cudaMemPrefetchAsync(at, bytes, DEVICE, 0, stream)); }
static void to_host(char *at, size_t bytes) { CHECK(cudaMemPrefetchAsync(at, bytes, HOST, 0, stream)); }

// Of each size: memory that is allocated once, advised and prepared before each repetition, and then worked on.
static void over_sizes(const char *group, const char *name, int n, size_t largest, const act &work, const act &prepare,
                       const act &advise = nullptr)
{
    for (size_t s : sizes(largest)) {
        char *at;
        CHECK(cudaMallocManaged(&at, s < 4 * MIB ? 4 * MIB : s));
        if (advise) advise(at, s);
        measure(group, name, s, n, reps_of(s), stream, [&] { work(at, s); }, [&] { prepare(at, s); }, s <= 64 * MIB);
        CHECK(cudaFree(at));
    }
}

// Each repetition has memory of its own, of which it touches the first part where that is small.
static void over_fresh(const char *name, int n, size_t largest, size_t least_block, const act &work)
{
    for (size_t s : sizes(largest)) {
        char *at = nullptr;
        measure("managed_first", name, s, n, reps_of(s), stream, [&] { work(at, s); },
                [&] {
                    CHECK(cudaFree(at));
                    CHECK(cudaMallocManaged(&at, s < least_block ? least_block : s));
                },
                s <= 64 * MIB);
        CHECK(cudaFree(at));
    }
}

static void first()
{
    const size_t own = 4 * MIB; // so that it shares no piece of 2 MiB with what was there before
    over_fresh("store", 4, 1024 * MIB, own, [](char *at, size_t s) { launch_store<float>(at, s); });
    over_fresh("store_small_block", 4, MIB, 0, [](char *at, size_t s) { launch_store<float>(at, s); });
    over_fresh("store", 16, 1024 * MIB, own, [](char *at, size_t s) { launch_store<float4>(at, s); });
    over_fresh("store", 1, 64 * MIB, own, [](char *at, size_t s) { launch_store<char>(at, s); });
    over_fresh("store", 65536, 256 * MIB, own, [](char *at, size_t s) { launch_store<float>(at, s, 65536); });
    over_fresh("store_few_blocks", 4, 256 * MIB, own, [](char *at, size_t s) { launch_store<float>(at, s, 0, 132); });
    over_fresh("load", 4, 256 * MIB, own, [](char *at, size_t s) { launch_load<float>(at, s); });
    over_fresh("both", 4, 256 * MIB, own, [](char *at, size_t s) { both<<<blocks_of(s / 4), 256, 0, stream>>>((float *)at, s / 4); });
    over_fresh("memset", 1, 1024 * MIB, own, [](char *at, size_t s) { CHECK(cudaMemsetAsync(at, 0, s, stream)); });
    over_fresh("prefetch_in", 1, 1024 * MIB, own, to_device);
}

static void taken()
{
    auto measured = [](const char *name, int n, const act &work) { over_sizes("managed_take", name, n, 256 * MIB, work, host_write); };
    measured("load", 4, [](char *at, size_t s) { launch_load<float>(at, s); });
    measured("load", 16, [](char *at, size_t s) { launch_load<float4>(at, s); });
    measured("load", 65536, [](char *at, size_t s) { launch_load<float>(at, s, 65536); });
    measured("load_few_blocks", 4, [](char *at, size_t s) { launch_load<float>(at, s, 0, 132); });
    measured("store", 4, [](char *at, size_t s) { launch_store<float>(at, s); });
    measured("both", 4, [](char *at, size_t s) { both<<<blocks_of(s / 4), 256, 0, stream>>>((float *)at, s / 4); });
    measured("memset", 1, [](char *at, size_t s) { CHECK(cudaMemsetAsync(at, 0, s, stream)); });
}

static void prefetched()
{
    over_sizes("managed_prefetch", "in", 1, 256 * MIB, to_device, host_write);
    over_sizes("managed_prefetch", "in_again", 1, 256 * MIB, to_device, to_device);
    over_sizes("managed_prefetch", "out", 1, 256 * MIB, to_host, to_device);
    over_sizes("managed_prefetch", "out_again", 1, 256 * MIB, to_host, to_host);
    over_sizes("managed_prefetch", "out_stored", 1, 256 * MIB, to_host, [](char *at, size_t s) { launch_store<float>(at, s); });
}

static void back()
{
    act stored = [](char *at, size_t s) { launch_store<float>(at, s); };
    over_sizes("managed_back", "read", 4096, 256 * MIB, host_read, to_device);
    over_sizes("managed_back", "read_stored", 4096, 256 * MIB, host_read, stored);
    over_sizes("managed_back", "write", 1, 256 * MIB, host_write, to_device);
    over_sizes("managed_back", "write_stored", 1, 256 * MIB, host_write, stored);
    over_sizes("managed_back", "write", 65536, 64 * MIB,
               [](char *at, size_t s) {
                   for (size_t i = 0; i < s; i += 65536)
                       at[i] = 1;
               },
               to_device);
    over_sizes("managed_back", "read_there", 4096, 64 * MIB, host_read, to_host);
}

static void advised()
{
    auto advise = [](cudaMemoryAdvise what, cudaMemLocation where) -> act {
        return [=](char *at, size_t s) { CHECK(cudaMemAdvise(at, s, what, where)); };
    };
    act load = [](char *at, size_t s) { launch_load<float>(at, s); }, store = [](char *at, size_t s) { launch_store<float>(at, s); };
    act written_loaded = [=](char *at, size_t s) { host_write(at, s), load(at, s); };
    act mostly = advise(cudaMemAdviseSetReadMostly, DEVICE), here = advise(cudaMemAdviseSetPreferredLocation, DEVICE);
    act there = advise(cudaMemAdviseSetPreferredLocation, HOST), mapped = advise(cudaMemAdviseSetAccessedBy, DEVICE);
    const char *group = "managed_advice";
    over_sizes(group, "mostly_load", 4, 64 * MIB, load, host_write, mostly);
    over_sizes(group, "mostly_load_again", 4, 64 * MIB, load, written_loaded, mostly);
    over_sizes(group, "mostly_host_read", 4096, 64 * MIB, host_read, written_loaded, mostly);
    over_sizes(group, "mostly_host_write", 1, 64 * MIB, host_write, written_loaded, mostly);
    over_sizes(group, "mostly_store", 4, 64 * MIB, store, written_loaded, mostly);
    over_sizes(group, "mostly_prefetch_in", 1, 64 * MIB, to_device, host_write, mostly);
    over_sizes(group, "device_load", 4, 64 * MIB, load, host_write, here);
    over_sizes(group, "device_host_read", 4096, 64 * MIB, host_read, store, here);
    over_sizes(group, "host_load", 4, 64 * MIB, load, host_write, there);
    over_sizes(group, "host_load_again", 4, 64 * MIB, load, written_loaded, there);
    over_sizes(group, "host_store", 4, 64 * MIB, store, host_write, there);
    over_sizes(group, "accessed_load", 4, 64 * MIB, load, host_write, mapped);
    over_sizes(group, "accessed_load_again", 4, 64 * MIB, load, written_loaded, mapped);
    over_sizes(group, "accessed_store", 4, 64 * MIB, store, host_write, mapped);
}

// usage: managed [MIB [PART]]: MiB of the largest block; one part only: first, taken, prefetched, back or advised
int main(int argc, char **argv)
{
    most = argc > 1 ? (size_t)std::atol(argv[1]) * MIB : 1024 * MIB;
    auto wanted = [&](const char *part) { return argc < 3 || !std::strcmp(argv[2], part); };
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin_event));
    CHECK(cudaEventCreate(&end_event));
    CHECK(cudaMalloc(&out, sizeof *out));
    std::puts("group,case,bytes,n,event_us,event_min_us,host_us,host_min_us");
    if (wanted("first")) first();
    if (wanted("taken")) taken();
    if (wanted("prefetched")) prefetched();
    if (wanted("back")) back();
    if (wanted("advised")) advised();
    return 0;
}
