/* SPDX-License-Identifier: Apache-2.0 */
/* Launches from kernels (CUDA dynamic parallelism, version 2): order, streams, events, tail launches, copies,
 * nesting, errors. What comes before the copies was seen to hold on an H200, which did not do them in order.
 */
#include "api_check.h"

#include "softwarp/device_runtime.h"

static int *memory; /* managed */

static void clear()
{
    for (int i = 0; i < 65536; i++)
        memory[i] = 0;
}

/* ---- children see what their parent wrote, and the host sees it all */

__global__ void add(int *to, const int *from, int more)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] += from[i] + more;
}

__global__ void fill_and_launch(int *data)
{
    unsigned i = threadIdx.x;
    data[i] = static_cast<int>(i);
    __syncthreads();
    if (i == 0) SOFTWARP_LAUNCH(add, 4, 32, 0, 0)(data + 1024, data, 5);
}

static void visibility()
{
    clear();
    fill_and_launch<<<1, 128>>>(memory);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 128; i++)
        CHECK(memory[1024 + i] == i + 5);
}

/* ---- launches in one stream run in order; work of the host's stream waits for all of them */

__global__ void append(int *log, int value)
{
    int at = atomicAdd(log, 1);
    log[1 + at] = value;
}

__global__ void in_order(int *log, int named)
{
    cudaStream_t stream = 0;
    if (named) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < 20; i++)
        append<<<1, 1, 0, stream>>>(log, i);
    if (named) cudaStreamDestroy(stream);
}

static void order()
{
    for (int named = 0; named < 2; named++) {
        clear();
        in_order<<<1, 1>>>(memory, named);
        append<<<1, 1>>>(memory, 100); /* of the host: after the children */
        OK(cudaDeviceSynchronize());
        CHECK(memory[0] == 21 && memory[21] == 100);
        for (int i = 0; i < 20; i++)
            CHECK(memory[1 + i] == i);
    }
}

/* ---- the null stream of a block; fire and forget; every thread launches */

__global__ void count(int *counters, int value)
{
    atomicAdd(counters + blockIdx.x, value);
}

__global__ void many(int *counters, int forget)
{
    SOFTWARP_LAUNCH(count, 2, 32, 0, forget ? cudaStreamFireAndForget : 0)(counters, 1);
}

static void crowd()
{
    for (int forget = 0; forget < 2; forget++) {
        clear();
        many<<<4, 64>>>(memory, forget);
        OK(cudaDeviceSynchronize());
        CHECK(memory[0] == 4 * 64 * 32 && memory[1] == 4 * 64 * 32);
    }
}

/* ---- tail launches start after the grid and all its children, one after another */

__global__ void grandchild(int *log)
{
    append<<<1, 1, 0, 0>>>(log, 3);
}

__global__ void with_tail(int *log)
{
    SOFTWARP_LAUNCH(append, 1, 1, 0, cudaStreamTailLaunch)(log, 10);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 11);
    SOFTWARP_LAUNCH(grandchild, 1, 1, 0, cudaStreamFireAndForget)(log);
    append<<<1, 1, 0, 0>>>(log, 2);
}

__global__ void again(int *log, int left)
{
    SOFTWARP_LAUNCH(append, 1, 1, 0, 0)(log, left);
    if (left > 1) again<<<1, 1, 0, cudaStreamTailLaunch>>>(log, left - 1);
}

static void tails()
{
    clear();
    with_tail<<<1, 1>>>(memory);
    append<<<1, 1>>>(memory, 99);
    OK(cudaDeviceSynchronize());
    CHECK(memory[0] == 5 && memory[3] == 10 && memory[4] == 11 && memory[5] == 99);
    CHECK(memory[1] + memory[2] == 5);
    clear();
    again<<<1, 1>>>(memory, 100); /* deeper than nesting may be: tail launches do not nest */
    OK(cudaDeviceSynchronize());
    CHECK(memory[0] == 100);
    for (int i = 0; i < 100; i++)
        CHECK(memory[1 + i] == 100 - i);
}

/* ---- events order streams; copies and fills take their turn */

__global__ void joined(int *log)
{
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    for (int i = 0; i < 10; i++)
        SOFTWARP_LAUNCH(append, 1, 1, 0, a)(log, i);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    append<<<1, 1, 0, b>>>(log, 77);
    cudaEventDestroy(done);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

__global__ void copies(int *data)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(data, 0x11, 64, stream);
    SOFTWARP_LAUNCH(add, 1, 16, 0, stream)(data, data, 1);
    cudaMemcpyAsync(data + 100, data, 64, cudaMemcpyDeviceToDevice, stream);
    cudaMemset2DAsync(data + 200, 16, 0x22, 8, 3, stream);
    cudaMemcpy2DAsync(data + 300, 8, data + 200, 16, 8, 3, cudaMemcpyDeviceToDevice, stream);
    cudaStreamDestroy(stream);
}

/* Rows that overlap are refused; fills without rows, or of one place for all slices, end. */
__global__ void shapes(int *out)
{
    const size_t far = (size_t)1 << 62;
    cudaPitchedPtr slices, place;
    cudaExtent rowless, many;
    slices.ptr = place.ptr = out + 100;
    slices.pitch = place.pitch = 16;
    slices.xsize = place.xsize = 8;
    slices.ysize = 2;
    place.ysize = 0;
    rowless.width = 8;
    rowless.height = 0;
    many.width = 8;
    many.height = 1;
    rowless.depth = many.depth = far;
    out[0] = cudaMemset2DAsync(out + 100, 4, 0, 8, 2, 0);
    out[1] = cudaMemcpy2DAsync(out + 100, 16, out + 200, 4, 8, 2, cudaMemcpyDeviceToDevice, 0);
    out[2] = cudaMemcpy2DAsync(out + 100, 4, out + 200, 4, 8, 1, cudaMemcpyDeviceToDevice, 0);
    out[3] = cudaMemset3DAsync(slices, 0, rowless, 0);
    out[4] = cudaMemset3DAsync(place, 0, many, 0);
}

static void events_and_copies()
{
    clear();
    shapes<<<1, 1>>>(memory);
    OK(cudaDeviceSynchronize());
    CHECK(memory[0] == cudaErrorInvalidValue && memory[1] == cudaErrorInvalidValue);
    CHECK(memory[2] == cudaSuccess && memory[3] == cudaSuccess && memory[4] == cudaSuccess);
    clear();
    joined<<<1, 1>>>(memory);
    OK(cudaDeviceSynchronize());
    CHECK(memory[0] == 11 && memory[11] == 77);
    clear();
    copies<<<1, 1>>>(memory);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++)
        CHECK(memory[100 + i] == 0x22222223);
    CHECK(memory[200] == 0x22222222 && memory[201] == 0x22222222 && memory[202] == 0 && memory[204] != 0);
    for (int i = 0; i < 6; i++)
        CHECK(memory[300 + i] == 0x22222222);
    CHECK(memory[306] == 0);
}

/* ---- nesting, parameters of every size, dynamic shared memory */

struct big {
    char c;
    double d;
    int many[30];
};

__global__ void wide(char c, big b, short s, double *out)
{
    extern __shared__ double shared[];
    shared[threadIdx.x] = c + b.c + b.d + b.many[29] + s;
    __syncthreads();
    out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void wide_parent(double *out)
{
    big b = {};
    b.c = 1;
    b.d = 0.5;
    b.many[29] = 1000;
    wide<<<1, 32, 32 * sizeof(double), 0>>>(2, b, -3, out);
}

__device__ int fib_sum;
__global__ void fib(int n)
{
    if (n < 2) {
        atomicAdd(&fib_sum, n);
        return;
    }
    SOFTWARP_LAUNCH(fib, 1, 1, 0, cudaStreamFireAndForget)(n - 1);
    fib<<<1, 1, 0, cudaStreamFireAndForget>>>(n - 2);
}

static void nesting()
{
    clear();
    double *out = reinterpret_cast<double *>(memory);
    wide_parent<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 2 + 1 + 0.5 + 1000 - 3);
    fib<<<1, 1>>>(10);
    int sum;
    OK(cudaMemcpyFromSymbol(&sum, fib_sum, sizeof sum));
    CHECK(sum == 55);
}

/* ---- questions and errors */

struct answers {
    int last, after, device, devices, warp, blocks, threads, version, bad_flags, bad_direction;
    size_t limit;
};

__global__ void ask(answers *out)
{
    SOFTWARP_LAUNCH(append, 1, 2048, 0, 0)(nullptr, 0); /* no block has that many threads */
    out->last = cudaGetLastError();
    out->after = cudaGetLastError();
    cudaGetDevice(&out->device);
    cudaGetDeviceCount(&out->devices);
    cudaDeviceGetAttribute(&out->warp, cudaDevAttrWarpSize, 0);
    cudaDeviceGetLimit(&out->limit, cudaLimitDevRuntimePendingLaunchCount);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out->blocks, SOFTWARP_KERNEL(append), 128, 0);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, SOFTWARP_KERNEL(append));
    out->threads = attributes.maxThreadsPerBlock;
    cudaRuntimeGetVersion(&out->version);
    out->bad_direction = cudaMemcpyAsync(out, out + 1, 4, cudaMemcpyHostToDevice, 0);
    cudaStream_t stream;
    out->bad_flags = cudaStreamCreateWithFlags(&stream, 2);
}

__global__ void faulty_child(int *nowhere)
{
    *nowhere = 1;
}
__global__ void faulty()
{
    faulty_child<<<1, 1, 0, 0>>>(reinterpret_cast<int *>(16));
}

static void questions()
{
    answers *out = reinterpret_cast<answers *>(memory);
    clear();
    ask<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    CHECK(out->last == cudaErrorInvalidConfiguration && out->after == cudaSuccess);
    CHECK(out->device == 0 && out->devices >= 1 && out->warp == 32 && out->limit == 2048);
    CHECK(out->blocks > 0 && out->threads == 1024 && out->version == 6000);
    CHECK(out->bad_direction == cudaErrorInvalidMemcpyDirection);
    CHECK(out->bad_flags == cudaErrorInvalidValue);
}

static void faults()
{
    faulty<<<1, 1>>>();
    OK(cudaGetLastError());
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main()
{
    OK(cudaMallocManaged(&memory, 65536 * sizeof(int)));
    visibility();
    order();
    crowd();
    tails();
    events_and_copies();
    nesting();
    questions();
    faults();
    std::puts("ok");
    return 0;
}
