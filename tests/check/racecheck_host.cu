// SPDX-License-Identifier: Apache-2.0
// Races between operations: kernels, copies, fills and the host, which no stream, event, graph or call orders; and the same mended
// (planted.h). FAULT marks the line in a kernel, or that of the call where no kernel takes part; OTHER marks the other side.
#include "planted.h"

#include <fcntl.h>
#include <unistd.h>

#define N 65536

static bool expect(const int *p, int n, int value) { for (int i = 0; i < n; i++) if (p[i] != value) return false; return true; }
static cudaStream_t stream(unsigned flags = cudaStreamNonBlocking)
{
    cudaStream_t s;
    need(cudaStreamCreateWithFlags(&s, flags));
    return s;
}
static cudaEvent_t event()
{
    cudaEvent_t e;
    need(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
}
static int *pinned(int n, int value, unsigned flags = cudaHostAllocDefault)
{
    int *p;
    need(cudaHostAlloc(&p, n * sizeof *p, flags));
    for (int i = 0; i < n; i++)
        p[i] = value;
    return p;
}
static int *synced(int n) // zeros, and nothing on its way to them
{
    int *p = make<int>(n);
    need(cudaDeviceSynchronize());
    return p;
}
static void after(cudaStream_t later, cudaStream_t earlier)
{
    cudaEvent_t e = event();
    need(cudaEventRecord(e, earlier));
    need(cudaStreamWaitEvent(later, e, 0));
}

__global__ void set(int *a, int value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = value; // FAULT streams FAULT streams_late FAULT event_not_waited FAULT event_early FAULT event_other FAULT graph_edge FAULT capture_fork FAULT legacy FAULT to_host FAULT memset_after FAULT managed_read FAULT managed_write FAULT mapped_read FAULT free_async FAULT query FAULT peers_overlap FAULT callback FAULT told FAULT managed_part FAULT stream_gone FAULT graph_read
}
__global__ void twice(const int *a, int *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = 2 * a[i]; // FAULT from_host FAULT memset_before FAULT pool_reuse OTHER streams OTHER streams_late OTHER event_not_waited OTHER event_early OTHER event_other OTHER graph_edge OTHER capture_fork OTHER legacy OTHER stream_gone
}

// ---- kernels in streams

CASE(streams)
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N);
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaStreamSynchronize(s));
    need(cudaStreamSynchronize(t));
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
__global__ void put(int *a, int value) // the sides are threads of one warp by number, but of two launches
{
    a[threadIdx.x] = value + threadIdx.x; // FAULT one_kernel OTHER one_kernel
}
CASE(one_kernel)
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(32), *host = pinned(32, 0);
    put<<<1, 32, 0, s>>>(a, 1);
    put<<<1, 32, 0, t>>>(a, 2);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, a, 32 * sizeof *host, cudaMemcpyDefault));
    return host[0] == 2 && host[31] == 33;
}
CASE(streams_late) // after thousands of launches that the host has waited for, and of streams that are gone
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t early = event();
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 1, 1);
    need(cudaEventRecord(early, s));
    for (int k = 1; k < 3000; k++) {
        cudaStream_t u = stream();
        set<<<1, 32, 0, k % 3 ? s : u>>>(a + k, k, 1);
        need(cudaStreamDestroy(u));
        if (k % 100 == 0) need(cudaDeviceSynchronize());
    }
    need(cudaDeviceSynchronize());
    need(cudaStreamWaitEvent(t, early, 0)); // past, and orders nothing more
    set<<<8, 128, 0, s>>>(a, 7, N);
    if (!wrong) after(t, s);
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaStreamSynchronize(s));
    need(cudaStreamSynchronize(t));
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(peers_overlap) // each stream has half of the array; one writes an element of the other half
{
    cudaStream_t s = stream(), t = stream();
    int *a = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N / 2 + (wrong ? 1 : 0));
    set<<<8, 128, 0, t>>>(a + N / 2, 8, N / 2);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, a, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N / 2, 7) && expect(host + N / 2, N / 2, 8);
}
CASE(event_not_waited) // recorded, and nobody waits for it
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event();
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaEventRecord(e, s));
    if (!wrong) need(cudaStreamWaitEvent(t, e, 0));
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(event_early) // recorded before the kernel that it should stand for
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event();
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    if (wrong) need(cudaEventRecord(e, s));
    set<<<8, 128, 0, s>>>(a, 7, N);
    if (!wrong) need(cudaEventRecord(e, s));
    need(cudaStreamWaitEvent(t, e, 0));
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(event_other) // waits for an event that was never recorded, which is no wait at all
{
    cudaStream_t s = stream(), t = stream();
    cudaEvent_t e = event(), never = event();
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaEventRecord(e, s));
    need(cudaStreamWaitEvent(t, wrong ? never : e, 0));
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(legacy) // a non-blocking stream does not wait for the default stream; an ordinary one does
{
    cudaStream_t t = stream(wrong ? cudaStreamNonBlocking : cudaStreamDefault);
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128>>>(a, 7, N);
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}

// ---- graphs

CASE(graph_edge)
{
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaGraphNode_t first, second;
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0), n = N, value = 7;
    void *set_arguments[] = {&a, &value, &n}, *twice_arguments[] = {&a, &b, &n};
    cudaKernelNodeParams p = {};
    p.func = (void *)set;
    p.gridDim = 8;
    p.blockDim = 128;
    p.kernelParams = set_arguments;
    need(cudaGraphCreate(&graph, 0));
    need(cudaGraphAddKernelNode(&first, graph, NULL, 0, &p));
    p.func = (void *)twice;
    p.kernelParams = twice_arguments;
    need(cudaGraphAddKernelNode(&second, graph, &first, wrong ? 0 : 1, &p));
    need(cudaGraphInstantiate(&made, graph, 0));
    need(cudaGraphLaunch(made, 0));
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(capture_fork) // a stream that joins a capture too early is a branch without an edge
{
    cudaStream_t s = stream(), t = stream();
    cudaGraph_t graph;
    cudaGraphExec_t made;
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    need(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    if (wrong) after(t, s);
    set<<<8, 128, 0, s>>>(a, 7, N);
    if (!wrong) after(t, s);
    twice<<<8, 128, 0, t>>>(a, b, N);
    after(s, t);
    need(cudaStreamEndCapture(s, &graph));
    need(cudaGraphInstantiate(&made, graph, 0));
    need(cudaGraphLaunch(made, s));
    need(cudaStreamSynchronize(s));
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}

// ---- copies and fills

CASE(to_host) // copied back in another stream than the kernel's
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaMemcpyAsync(host, a, N * sizeof *a, cudaMemcpyDeviceToHost, t)); // OTHER to_host
    need(cudaDeviceSynchronize());
    return expect(host, N, 7);
}
CASE(from_host)
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *b = synced(N), *host = pinned(N, 3), *back = pinned(N, 0);
    need(cudaMemcpyAsync(a, host, N * sizeof *a, cudaMemcpyHostToDevice, s)); // OTHER from_host
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(back, b, N * sizeof *b, cudaMemcpyDefault));
    return expect(back, N, 6);
}
CASE(memset_before)
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *b = synced(N), *host = pinned(N, 3);
    need(cudaMemsetAsync(a, 0, N * sizeof *a, s)); // OTHER memset_before
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *b, cudaMemcpyDefault));
    return expect(host, N, 0);
}
CASE(memset_after)
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *host = pinned(N, 3);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaMemsetAsync(a, 0, N * sizeof *a, t)); // OTHER memset_after
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, a, N * sizeof *a, cudaMemcpyDefault));
    return expect(host, N, 0);
}
CASE(two_copies) // the last of two copies to one place is not known
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = synced(N), *first = pinned(N, 1), *second = pinned(N, 2), *host = pinned(N, 0);
    need(cudaMemcpyAsync(a, first, N * sizeof *a, cudaMemcpyHostToDevice, s)); // OTHER two_copies
    need(cudaMemcpyAsync(a, second, N * sizeof *a, cudaMemcpyHostToDevice, t)); // FAULT two_copies
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, a, N * sizeof *a, cudaMemcpyDefault));
    return expect(host, N, 2);
}
CASE(copy_shifted) // the areas of one copy overlap; a copy of memory onto itself changes nothing
{
    cudaStream_t s = stream();
    int *a = synced(N), *host = pinned(N, 1);
    need(cudaMemcpyAsync(a + (wrong ? 1 : 0), a, (N - 1) * sizeof *a, cudaMemcpyDeviceToDevice, s)); // FAULT copy_shifted
    need(cudaStreamSynchronize(s));
    need(cudaMemcpy(host, a, N * sizeof *a, cudaMemcpyDefault));
    return expect(host, N, 0);
}
__device__ int table[N];
__global__ void set_table()
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        table[i] = 7; // FAULT symbol
}
CASE(symbol) // a variable of the module is memory too
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *host = pinned(N, 0);
    set_table<<<8, 128, 0, s>>>();
    need(cudaMemcpyFromSymbolAsync(host, table, sizeof table, 0, cudaMemcpyDeviceToHost, t)); // OTHER symbol
    need(cudaDeviceSynchronize());
    return expect(host, N, 7);
}

// ---- the host

CASE(managed_read)
{
    int *a, sum = 0;
    need(cudaMallocManaged(&a, N * sizeof *a));
    for (int i = 0; i < N; i++)
        a[i] = 0;
    set<<<8, 128>>>(a, 7, N);
    if (!wrong) need(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        sum += a[i]; // OTHER managed_read
    return sum == 7 * N;
}
CASE(managed_write)
{
    int *a;
    need(cudaMallocManaged(&a, N * sizeof *a));
    set<<<8, 128>>>(a, 7, N);
    if (!wrong) need(cudaDeviceSynchronize());
    a[N - 1] = 9; // OTHER managed_write
    need(cudaDeviceSynchronize());
    return expect(a, N - 1, 7) && a[N - 1] == 9;
}
CASE(mapped_read)
{
    int *a = pinned(N, 0, cudaHostAllocMapped), sum = 0;
    set<<<8, 128>>>(a, 7, N);
    if (!wrong) need(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        sum += a[i]; // OTHER mapped_read
    return sum == 7 * N;
}
CASE(pinned_write) // the source of a copy is written again while the copy may still read it
{
    cudaStream_t s = stream();
    int *a = synced(N), *host = pinned(N, 3), *back = pinned(N, 0);
    need(cudaMemcpyAsync(a, host, N * sizeof *a, cudaMemcpyHostToDevice, s)); // FAULT pinned_write
    if (!wrong) need(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        host[i] = 4; // OTHER pinned_write
    need(cudaStreamSynchronize(s));
    need(cudaMemcpy(back, a, N * sizeof *a, cudaMemcpyDefault));
    return expect(back, N, 3);
}
CASE(copied_read) // the target of a copy is read before the copy has ended
{
    cudaStream_t s = stream();
    int *a = synced(N), *host = pinned(N, 3), sum = 0;
    need(cudaMemcpyAsync(host, a, N * sizeof *a, cudaMemcpyDeviceToHost, s)); // FAULT copied_read
    if (!wrong) need(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        sum += host[i]; // OTHER copied_read
    return sum == 0;
}
CASE(query) // a query that succeeds is a wait, for its own stream
{
    int *a = pinned(N, 0, cudaHostAllocMapped), sum = 0;
    cudaStream_t s = stream(), t = stream();
    set<<<8, 128, 0, s>>>(a, 7, N);
    while (cudaStreamQuery(wrong ? t : s) == cudaErrorNotReady)
        continue;
    for (int i = 0; i < N; i++)
        sum += a[i]; // OTHER query
    return sum == 7 * N;
}
CASE(other_stream_waited) // waits for the wrong stream
{
    cudaStream_t s = stream(), t = stream();
    int *a = synced(N), *host = pinned(N, 3), sum = 0;
    need(cudaMemcpyAsync(host, a, N * sizeof *a, cudaMemcpyDeviceToHost, s)); // FAULT other_stream_waited
    need(cudaStreamSynchronize(wrong ? t : s));
    for (int i = 0; i < N; i++)
        sum += host[i]; // OTHER other_stream_waited
    return sum == 0;
}
static void CUDART_CB fill(void *p)
{
    for (int i = 0; i < N; i++)
        ((int *)p)[i] = 5; // OTHER callback
}
CASE(callback) // a host function in one stream writes what a kernel of another writes
{
    cudaStream_t s = stream(), t = wrong ? stream() : s;
    int *a = pinned(N, 0, cudaHostAllocMapped);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaLaunchHostFunc(t, fill, a));
    need(cudaDeviceSynchronize());
    return expect(a, N, 5);
}

static volatile bool is_told;
static void CUDART_CB tell(void *) { is_told = true; }
CASE(told) // a host function says that the kernel before it is done
{
    cudaStream_t s = stream(), t = stream();
    int *a = pinned(N, 0, cudaHostAllocMapped), sum = 0;
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaLaunchHostFunc(wrong ? t : s, tell, NULL));
    while (!is_told)
        continue;
    for (int i = 0; i < N; i++)
        sum += a[i]; // OTHER told
    return sum == 7 * N;
}
CASE(managed_part) // the host writes the part that the kernel leaves alone; they share a page
{
    int *a, part = N / 2 + 16;
    need(cudaMallocManaged(&a, N * sizeof *a));
    set<<<8, 128>>>(a, 7, part);
    for (int i = wrong ? part - 1 : part; i < N; i++)
        a[i] = 9; // OTHER managed_part
    need(cudaDeviceSynchronize());
    return expect(a, part, 7) && expect(a + part, N - part, 9);
}
CASE(through_event) // who waits for a stream waits for what its events stand for: a system call may write there
{
    cudaStream_t s = stream(), t = stream();
    int *a = synced(N), *host = pinned(N, 3), zero = open("/dev/zero", O_RDONLY);
    need(cudaMemcpyAsync(a, host, N * sizeof *a, cudaMemcpyHostToDevice, s)); // FAULT through_event
    if (!wrong) after(t, s);
    need(cudaStreamSynchronize(t));
    if (wrong) host[5] = 4; // OTHER through_event
    else if (read(zero, host, N * sizeof *host) != N * sizeof *host) return false;
    return expect(host, N, 0);
}
CASE(stream_gone) // a stream that is destroyed does its work still, and the device is waited for with it
{
    cudaStream_t s = stream(), t = stream();
    int *a = synced(N), *b = synced(N), *host = pinned(N, 0);
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaStreamDestroy(s));
    if (!wrong) need(cudaDeviceSynchronize());
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaMemcpy(host, b, N * sizeof *host, cudaMemcpyDefault));
    return expect(host, N, 14);
}
CASE(graph_read) // the host reads what a graph's kernel writes
{
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphExec_t made;
    int *a = pinned(N, 0, cudaHostAllocMapped), sum = 0;
    need(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    set<<<8, 128, 0, s>>>(a, 7, N);
    need(cudaStreamEndCapture(s, &graph));
    need(cudaGraphInstantiate(&made, graph, 0));
    need(cudaGraphLaunch(made, s));
    if (!wrong) need(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        sum += a[i]; // OTHER graph_read
    return sum == 7 * N;
}

// ---- memory of pools

CASE(free_async) // freed in one stream while a kernel of another still writes it
{
    cudaStream_t s = stream(), t = stream();
    int *a;
    need(cudaMallocAsync(&a, N * sizeof *a, s));
    after(t, s);
    set<<<8, 128, 0, t>>>(a, 7, N);
    if (!wrong) after(s, t);
    need(cudaFreeAsync(a, s)); // OTHER free_async
    return cudaDeviceSynchronize() == cudaSuccess;
}
CASE(pool_reuse) // used in another stream than the one that allocates it, without waiting for the allocation
{
    cudaStream_t s = stream(), t = stream();
    int *a, *b = synced(N);
    need(cudaMallocAsync(&a, N * sizeof *a, s)); // OTHER pool_reuse
    need(cudaMemsetAsync(a, 0, N * sizeof *a, s)); // OTHER pool_reuse
    if (!wrong) after(t, s);
    twice<<<8, 128, 0, t>>>(a, b, N);
    need(cudaDeviceSynchronize());
    need(cudaFree(a));
    return true;
}
