// SPDX-License-Identifier: Apache-2.0
// Thrust and CUB of CCCL (open source, found by -I) with softwarp cc: each result is compared with the host's own.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

__global__ void block_sums(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage room;
    int sum = Reduce(room).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main()
{
    const int n = 10000;
    int failures = 0;
    std::vector<int> host(n), expected(n);
    for (int i = 0; i < n; i++) host[i] = i * 7919 % 10007;
    thrust::device_vector<int> v(host.begin(), host.end()), w(n);

    std::partial_sum(host.begin(), host.end(), expected.begin());
    thrust::inclusive_scan(v.begin(), v.end(), w.begin());
    failures += !std::equal(expected.begin(), expected.end(), thrust::host_vector<int>(w).begin());

    thrust::transform(v.begin(), v.end(), w.begin(), [] __device__(int x) { return 2 * x; });
    long long sum = thrust::reduce(w.begin(), w.end(), 0ll, thrust::plus<long long>());
    failures += sum != 2 * std::accumulate(host.begin(), host.end(), 0ll);

    thrust::device_vector<int> sums(n / 128);
    block_sums<<<n / 128, 128>>>(v.data().get(), sums.data().get());
    failures += sums[3] != std::accumulate(&host[3 * 128], &host[4 * 128], 0);

    thrust::sort(v.begin(), v.end());
    std::sort(host.begin(), host.end());
    failures += !std::equal(host.begin(), host.end(), thrust::host_vector<int>(v).begin());

    size_t bytes = 0;
    thrust::device_vector<int> most(1);
    cub::DeviceReduce::Max(nullptr, bytes, v.data().get(), most.data().get(), n);
    thrust::device_vector<char> room(bytes);
    cub::DeviceReduce::Max(room.data().get(), bytes, v.data().get(), most.data().get(), n);
    failures += most[0] != host.back();
    std::puts(failures ? "FAILED" : "ok");
    return failures;
}
