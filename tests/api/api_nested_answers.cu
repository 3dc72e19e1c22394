/* SPDX-License-Identifier: Apache-2.0 */
/* Launches from kernels: errors and limits. Prints answers, which api_nested.h200.txt has from a real GPU.
 * One part a process. */
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

static const char *name(cudaError_t error)
{
    return cudaGetErrorName(error);
}
#define SHOW(call) std::printf("%s: %s\n", #call, name(call))

enum { ANSWERS = 64 };
static int *answers; /* managed */

static void show(const char *what, int count)
{
    std::printf("launch: %s\n", name(cudaGetLastError()));
    std::printf("end: %s\n", name(cudaDeviceSynchronize()));
    for (int i = 0; i < count; i++)
        std::printf("%s %d: %s\n", what, i, name(static_cast<cudaError_t>(answers[i])));
}

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void add_one(int *p)
{
    atomicAdd(p, 1);
}
__global__ void takes_shared(int n)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = n;
}

__global__ void shapes(int *out)
{
    nothing<<<1, 1>>>();
    out[0] = cudaGetLastError();
    nothing<<<0, 1>>>();
    out[1] = cudaGetLastError();
    nothing<<<1, 0>>>();
    out[2] = cudaGetLastError();
    nothing<<<1, 1025>>>();
    out[3] = cudaGetLastError();
    nothing<<<dim3(1, 65536), 1>>>();
    out[4] = cudaGetLastError();
    nothing<<<1, dim3(1, 1, 65)>>>();
    out[5] = cudaGetLastError();
    bounded<<<1, 65>>>();
    out[6] = cudaGetLastError();
    takes_shared<<<1, 1, 48 * 1024>>>(1);
    out[7] = cudaGetLastError();
    takes_shared<<<1, 1, 48 * 1024 + 4>>>(1);
    out[8] = cudaGetLastError();
    out[9] = cudaPeekAtLastError();
}

static void part_shapes()
{
    shapes<<<1, 1>>>(answers);
    show("shape", 10);
}

__global__ void handles(int *out)
{
    cudaStream_t stream;
    cudaEvent_t event;
    out[0] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    out[1] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    out[2] = cudaEventCreateWithFlags(&event, cudaEventDefault);
    out[3] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    out[4] = cudaStreamWaitEvent(stream, event, 0); /* not recorded yet */
    out[5] = cudaEventRecord(event, stream);
    out[6] = cudaEventRecord(event, 0);
    out[7] = cudaStreamWaitEvent(0, event, 0);
    out[8] = cudaEventDestroy(event);
    out[9] = cudaStreamDestroy(stream);
    int host_like = 0;
    out[10] = cudaMemcpyAsync(&host_like, out + 20, 4, cudaMemcpyDeviceToDevice, 0);
    out[11] = cudaMemsetAsync(out + 30, 0, 4, 0);
    out[12] = cudaMemsetAsync(out + 30, 0, 0, 0);
    size_t value;
    out[13] = cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize);
    out[14] = cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize);
    out[15] = cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth);
    out[16] = cudaDeviceGetLimit(&value, cudaLimitStackSize);
    int attribute;
    out[17] = cudaDeviceGetAttribute(&attribute, cudaDevAttrWarpSize, 77);
    out[18] = cudaDeviceGetAttribute(&attribute, static_cast<cudaDeviceAttr>(9999), 0);
    out[19] = cudaMemcpy2DAsync(out + 40, 2, out + 50, 2, 4, 1, cudaMemcpyDeviceToDevice, 0);
    void *p;
    out[20] = cudaMalloc(&p, 100);
    out[21] = cudaFree(p);
    out[22] = cudaMalloc(&p, 1ull << 40);
    out[23] = cudaGetLastError();
}

static void part_handles()
{
    handles<<<1, 1>>>(answers);
    show("handle", 24);
}

__global__ void nest(int *out, int depth)
{
    if (depth == ANSWERS) return;
    nest<<<1, 1>>>(out, depth + 1);
    out[depth] = cudaGetLastError();
}

static void part_depth()
{
    for (int i = 0; i < ANSWERS; i++)
        answers[i] = -1;
    nest<<<1, 1>>>(answers, 0);
    cudaDeviceSynchronize();
    show("level", 30);
}

__global__ void crowd(int *out, int count, int launches)
{
    cudaStream_t stream = cudaStreamFireAndForget;
    for (int i = 0; i < launches; i++) {
        add_one<<<1, 1, 0, stream>>>(out);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess) {
            atomicAdd(out + 1, 1);
            out[2] = error;
        }
    }
}

/* How many launches are made or refused depends on how fast they begin. */
static void pending(const char *what, int blocks, int threads, int launches)
{
    std::memset(answers, 0, ANSWERS * sizeof *answers);
    crowd<<<blocks, threads>>>(answers, 0, launches);
    std::printf("%s end: %s\n", what, name(cudaDeviceSynchronize()));
    int all = blocks * threads * launches;
    std::printf("%s run or refused all: %d\n", what, answers[0] + answers[1] == all);
    std::printf("%s refused with: %s\n", what, name(static_cast<cudaError_t>(answers[2])));
    std::fprintf(stderr, "%s: %d run, %d refused\n", what, answers[0], answers[1]);
}

static void part_pending()
{
    size_t value;
    SHOW(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount));
    std::printf("default %zu\n", value);
    pending("1000 by one thread", 1, 1, 1000);
    pending("one by 1024 threads", 1, 1024, 1);
    pending("one by 2048 threads", 2, 1024, 1);
    SHOW(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32768));
    SHOW(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount));
    std::printf("now %zu\n", value);
    pending("one by 16384 threads", 16, 1024, 1);
}

/* Far more than the limit: refused on a GPU; the numbers go to stderr. */
static void part_too_many()
{
    pending("one by 65536 threads", 64, 1024, 1);
    SHOW(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 128));
    size_t value;
    cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount);
    std::printf("now %zu\n", value);
    pending("20 by 1024 threads", 1, 1024, 20);
}

__global__ void fails(int *p)
{
    *p = 1;
}
__global__ void launches_failing()
{
    fails<<<1, 1>>>(reinterpret_cast<int *>(16));
}
__global__ void traps()
{
    __trap();
}
__global__ void launches_trap()
{
    traps<<<1, 1>>>();
    add_one<<<1, 1, 0, cudaStreamTailLaunch>>>(nullptr);
}
static void part_fault()
{
    launches_failing<<<1, 1>>>();
    show("fault", 0);
}
static void part_trap()
{
    launches_trap<<<1, 1>>>();
    show("trap", 0);
}

__global__ void texts()
{
    printf("%s: %s\n", cudaGetErrorName(cudaSuccess), cudaGetErrorString(cudaSuccess));
    printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidValue), cudaGetErrorString(cudaErrorInvalidValue));
    printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
           cudaGetErrorString(cudaErrorInvalidConfiguration));
    printf("%s: %s\n", cudaGetErrorName(cudaErrorLaunchPendingCountExceeded),
           cudaGetErrorString(cudaErrorLaunchPendingCountExceeded));
    printf("%s: %s\n", cudaGetErrorName(static_cast<cudaError_t>(12345)),
           cudaGetErrorString(static_cast<cudaError_t>(12345)));
    int version, device, devices;
    cudaRuntimeGetVersion(&version);
    cudaGetDevice(&device);
    cudaGetDeviceCount(&devices);
    printf("version %d, device %d\n", version, device);
}

static void part_texts()
{
    texts<<<1, 1>>>();
    show("text", 0);
}

static const struct {
    const char *name;
    void (*run)();
} parts[] = {
#define PART(part) {#part, part_##part},
    PART(shapes) PART(handles) PART(depth) PART(pending) PART(too_many) PART(fault) PART(trap) PART(texts)
#undef PART
};

int main(int argc, char **argv)
{
    for (const auto &part : parts) {
        if (argc == 1) std::printf("%s\n", part.name);
        if (argc == 1 || std::strcmp(argv[1], part.name) != 0) continue;
        std::printf("== %s\n", part.name);
        cudaMallocManaged(&answers, 1 << 16);
        std::memset(answers, 0, 1 << 16);
        part.run();
        return 0;
    }
    return argc == 1 ? 0 : 2;
}
