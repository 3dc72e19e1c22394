/* SPDX-License-Identifier: Apache-2.0 */
/* Times of collectives between all devices of one process: one line a call: name, shape, bytes of its count, ranks, microseconds
 * of one call between two events (median of many), and of each of several in a row.
 * usage: nccl_times [events | BYTES]      BYTES: no larger calls; events: what record.sh says to programs that time themselves */
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { MOST_RANKS = 16, TIMES = 15, IN_A_ROW = 20 };
static const size_t MOST = (size_t)512 << 20;
static int ranks;
static ncclComm_t comms[MOST_RANKS];
static cudaStream_t streams[MOST_RANKS];
static cudaEvent_t begins[MOST_RANKS], ends[MOST_RANKS];
static char *sends[MOST_RANKS], *receives[MOST_RANKS];

static void wait_all()
{
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamSynchronize(streams[r]);
    }
}

/* The longest of all ranks. */
static double elapsed_us()
{
    float most = 0, ms;
    wait_all();
    for (int r = 0; r < ranks; r++) {
        cudaEventElapsedTime(&ms, begins[r], ends[r]);
        most = std::max(most, ms);
    }
    return 1e3 * most;
}

static double median(std::vector<double> &x)
{
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
}

template <typename Call> static void group(Call call)
{
    ncclGroupStart();
    for (int r = 0; r < ranks; r++)
        call(r);
    ncclGroupEnd();
}

static void record(cudaEvent_t *events)
{
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaEventRecord(events[r], streams[r]);
    }
}

template <typename Call> static double single_us(Call call)
{
    std::vector<double> times;
    for (int i = 0; i < TIMES + 3; i++) {
        wait_all();
        record(begins);
        group(call);
        record(ends);
        double us = elapsed_us();
        if (i >= 3) times.push_back(us);
    }
    return median(times);
}

/* Of several calls in a row. */
template <typename Call> static double each_us(Call call)
{
    std::vector<double> times;
    for (int i = 0; i < 5; i++) {
        wait_all();
        record(begins);
        for (int k = 0; k < IN_A_ROW; k++)
            group(call);
        record(ends);
        double us = elapsed_us();
        if (i) times.push_back(us / IN_A_ROW);
    }
    return median(times);
}

template <typename Call> static void timed(const char *name, const char *shape, size_t bytes, Call call)
{
    double one = single_us(call), each = each_us(call);
    std::printf("%s\t%s\t%zu\t%d\t%.2f\t%.2f\n", name, shape, bytes, ranks, one, each);
    std::fflush(stdout);
}

static const size_t SIZES[] = {8, 256, 4096, 16384, 65536, 262144, 1 << 20, 1 << 22, 1 << 24, 1 << 26, (size_t)1 << 28};

static void all_reduce(ncclDataType_t type, const char *shape, size_t element, size_t bytes)
{
    timed("AllReduce", shape, bytes, [&](int r) { ncclAllReduce(sends[r], receives[r], bytes / element, type, ncclSum, comms[r], streams[r]); });
}

/* bytes: of what each rank holds whole: what nccl-tests calls the size. */
static void at(size_t bytes)
{
    size_t part = std::max((size_t)1, bytes / 4 / (size_t)ranks);
    all_reduce(ncclFloat32, "f32", 4, bytes);
    timed("Broadcast", "f32", bytes, [&](int r) { ncclBroadcast(sends[r], receives[r], bytes / 4, ncclFloat32, 0, comms[r], streams[r]); });
    timed("Reduce", "f32", bytes, [&](int r) { ncclReduce(sends[r], receives[r], bytes / 4, ncclFloat32, ncclSum, 0, comms[r], streams[r]); });
    timed("AllGather", "f32", bytes, [&](int r) { ncclAllGather(sends[r], receives[r], part, ncclFloat32, comms[r], streams[r]); });
    timed("ReduceScatter", "f32", bytes, [&](int r) { ncclReduceScatter(sends[r], receives[r], part, ncclFloat32, ncclSum, comms[r], streams[r]); });
    timed("AlltoAll", "f32", bytes, [&](int r) { ncclAlltoAll(sends[r], receives[r], part, ncclFloat32, comms[r], streams[r]); });
    timed("SendRecv", "ring", bytes, [&](int r) {
        ncclSend(sends[r], bytes, ncclInt8, (r + 1) % ranks, comms[r], streams[r]);
        ncclRecv(receives[r], bytes, ncclInt8, (r + ranks - 1) % ranks, comms[r], streams[r]);
    });
}

int main(int argc, char **argv)
{
    size_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 0;
    if (most == 0) most = (size_t)1 << 28;
    cudaGetDeviceCount(&ranks);
    ranks = std::min(ranks, (int)MOST_RANKS);
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking);
        cudaEventCreate(&begins[r]);
        cudaEventCreate(&ends[r]);
        cudaMalloc(&sends[r], std::min(most, MOST));
        cudaMalloc(&receives[r], std::min(most, MOST));
        cudaMemset(sends[r], 0, std::min(most, MOST));
    }
    if (ncclCommInitAll(comms, ranks, nullptr) != ncclSuccess) return 1;
    for (size_t bytes : SIZES)
        if (bytes <= most) at(bytes);
    for (size_t bytes : {(size_t)65536, (size_t)1 << 22, (size_t)1 << 26}) {
        if (bytes > most) continue;
        all_reduce(ncclFloat16, "f16", 2, bytes);
        all_reduce(ncclFloat64, "f64", 8, bytes);
        all_reduce(ncclInt8, "i8", 1, bytes);
        all_reduce(ncclFloat8e4m3, "e4m3", 1, bytes);
        timed("AllReduce", "inplace", bytes, [&](int r) { ncclAllReduce(sends[r], sends[r], bytes / 4, ncclFloat32, ncclSum, comms[r], streams[r]); });
    }
    for (int r = 0; r < ranks; r++)
        ncclCommDestroy(comms[r]);
    return 0;
}
