// SPDX-License-Identifier: Apache-2.0
// Sort, scan, reduce-by-key, select and histogram of 2^20 elements with the toolkit's own Thrust and CUB,
// each compared with the host's standard library. What this exercises: radix sort in one sweep, merge sort,
// and the decoupled look-back, in which a block waits for what earlier blocks publish. Times go to standard
// error.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <vector>

static const int N = 1 << 20;
static int failures;

static void verdict(const char *what, bool equal, std::chrono::steady_clock::time_point start)
{
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fprintf(stderr, "%-28s %8.3f s\n", what, took.count());
    if (equal) return;
    failures++;
    printf("FAIL %s\n", what);
}

template <typename T> static bool same(const thrust::device_vector<T> &device, const std::vector<T> &host)
{
    std::vector<T> copy(device.size());
    thrust::copy(device.begin(), device.end(), copy.begin());
    return copy == host;
}

static std::vector<uint32_t> numbers(uint32_t seed)
{
    std::vector<uint32_t> v(N);
    for (uint32_t &x : v) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        x = seed;
    }
    return v;
}

struct by_low_bits {
    __host__ __device__ bool operator()(uint32_t a, uint32_t b) const
    {
        return (a & 0xfff) < (b & 0xfff);
    }
};
struct is_odd {
    __host__ __device__ bool operator()(uint32_t x) const
    {
        return x & 1;
    }
};

/* CUB's two calls: the first says how much room, the second works. */
template <typename Call> static void with_room(Call call)
{
    size_t bytes = 0;
    cudaError_t error = call(nullptr, bytes);
    thrust::device_vector<char> room(bytes);
    if (error == cudaSuccess) error = call(room.data().get(), bytes);
    if (error != cudaSuccess) failures++, printf("FAIL %s\n", cudaGetErrorString(error));
}

static void sorts(const std::vector<uint32_t> &input)
{
    std::vector<uint32_t> expected = input;
    thrust::device_vector<uint32_t> keys = input;
    auto start = std::chrono::steady_clock::now();
    thrust::sort(keys.begin(), keys.end());
    std::sort(expected.begin(), expected.end());
    verdict("sort (radix)", same(keys, expected), start);

    expected = input;
    keys = input;
    start = std::chrono::steady_clock::now();
    thrust::stable_sort(keys.begin(), keys.end(), by_low_bits());
    std::stable_sort(expected.begin(), expected.end(), by_low_bits());
    verdict("stable sort (merge)", same(keys, expected), start);
}

static void scans(const std::vector<uint32_t> &input)
{
    std::vector<uint32_t> expected(N);
    thrust::device_vector<uint32_t> from = input, to(N);
    auto start = std::chrono::steady_clock::now();
    thrust::exclusive_scan(from.begin(), from.end(), to.begin());
    std::exclusive_scan(input.begin(), input.end(), expected.begin(), 0u);
    verdict("exclusive scan", same(to, expected), start);

    start = std::chrono::steady_clock::now();
    thrust::inclusive_scan(from.begin(), from.end(), to.begin(), thrust::maximum<uint32_t>());
    std::partial_sum(input.begin(), input.end(), expected.begin(),
                     [](uint32_t a, uint32_t b) { return std::max(a, b); });
    verdict("inclusive scan of maxima", same(to, expected), start);
}

static void reduce_by_key(const std::vector<uint32_t> &input)
{
    std::vector<uint32_t> runs(N), expected_keys, expected_sums;
    for (int i = 0; i < N; i++)
        runs[i] = i ? runs[i - 1] + (input[i] % 5 == 0) : 0;
    for (int i = 0; i < N; i++) {
        if (!i || runs[i] != runs[i - 1]) expected_keys.push_back(runs[i]), expected_sums.push_back(0);
        expected_sums.back() += input[i];
    }
    thrust::device_vector<uint32_t> keys = runs, values = input, out_keys(N), sums(N);
    auto start = std::chrono::steady_clock::now();
    auto end =
        thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), out_keys.begin(), sums.begin());
    out_keys.resize(end.first - out_keys.begin());
    sums.resize(end.second - sums.begin());
    verdict("reduce by key", same(out_keys, expected_keys) && same(sums, expected_sums), start);
}

static void select(const std::vector<uint32_t> &input)
{
    std::vector<uint32_t> expected;
    std::copy_if(input.begin(), input.end(), std::back_inserter(expected), is_odd());
    thrust::device_vector<uint32_t> from = input, to(N);
    thrust::device_vector<int> count(1);
    auto start = std::chrono::steady_clock::now();
    with_room([&](void *room, size_t &bytes) {
        return cub::DeviceSelect::If(room, bytes, from.data().get(), to.data().get(), count.data().get(), N,
                                     is_odd());
    });
    to.resize(count[0]);
    verdict("select", same(to, expected), start);
}

static void histogram(const std::vector<uint32_t> &input)
{
    const int bins = 300;
    std::vector<int> expected(bins);
    std::vector<float> samples(N);
    for (int i = 0; i < N; i++) {
        samples[i] = (float)(input[i] >> 8) * 0x1p-24f * 320 - 10; // some lie outside
        if (samples[i] >= 0 && samples[i] < bins) expected[(int)samples[i]]++;
    }
    thrust::device_vector<float> from = samples;
    thrust::device_vector<int> counts(bins);
    auto start = std::chrono::steady_clock::now();
    with_room([&](void *room, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(room, bytes, from.data().get(), counts.data().get(),
                                                   bins + 1, 0.0f, (float)bins, N);
    });
    verdict("histogram", same(counts, expected), start);
}

int main()
{
    std::vector<uint32_t> input = numbers(2463534242u);
    sorts(input);
    scans(input);
    reduce_by_key(input);
    select(input);
    histogram(input);
    if (cudaDeviceSynchronize() != cudaSuccess) failures++;
    if (!failures) printf("ok\n");
    return failures != 0;
}
