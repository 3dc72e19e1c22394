// SPDX-License-Identifier: Apache-2.0
// What programs do wrong with CUDA's calls: leaks, wrong frees, the device heap, errors that nobody looks at; and the same mended
// (planted.h). In the cases of leaks, the mended ones free all that they allocate.
#include "planted.h"

static int one(int) { return 1; }
__global__ void twice(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2; // FAULT after_free_async FAULT after_free
}
static int *allocated(size_t bytes)
{
    int *p;
    need(cudaMalloc(&p, bytes));
    need(cudaMemset(p, 0, bytes));
    return p;
}

// ---- leaks

CASE(leak)
{
    int *a = allocated(4000); // FAULT leak
    twice<<<8, 128>>>(a, 1000);
    bool good = holds<int>(a, 1000, [](int) { return 0; });
    if (!wrong) need(cudaFree(a));
    return good;
}
CASE(leak_error_path) // an early way out does not free
{
    int *a = allocated(4000), *b = allocated(400); // FAULT leak_error_path
    if (wrong && cudaMemcpyPeer(a, 0, b, 0, 0) == cudaSuccess) {
        need(cudaFree(a));
        return true;
    }
    need(cudaFree(a));
    need(cudaFree(b));
    return true;
}
CASE(leak_loop) // a pointer is overwritten in a loop
{
    int *a = NULL;
    for (int k = 0; k < 3; k++) {
        need(cudaMalloc(&a, 1000 * (k + 1))); // FAULT leak_loop
        need(cudaMemset(a, 0, 1000));
        if (!wrong || k == 2) need(cudaFree(a));
    }
    return true;
}
CASE(leak_pitch)
{
    char *a;
    size_t pitch;
    need(cudaMallocPitch((void **)&a, &pitch, 300, 20)); // FAULT leak_pitch
    need(cudaMemset2D(a, pitch, 0, 300, 20));
    if (!wrong) need(cudaFree(a));
    return true;
}
CASE(leak_array)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    need(cudaMallocArray(&array, &format, 64, 64)); // FAULT leak_array
    if (!wrong) need(cudaFreeArray(array));
    return true;
}
CASE(leak_managed)
{
    int *a;
    need(cudaMallocManaged(&a, 4000)); // FAULT leak_managed
    a[0] = 1;
    if (!wrong) need(cudaFree(a));
    return true;
}
CASE(leak_async)
{
    int *a;
    need(cudaMallocAsync(&a, 4000, 0)); // FAULT leak_async
    need(cudaMemsetAsync(a, 0, 4000, 0));
    if (!wrong) need(cudaFreeAsync(a, 0));
    return cudaDeviceSynchronize() == cudaSuccess;
}
CASE(leak_pinned)
{
    int *a;
    need(cudaMallocHost(&a, 4000)); // FAULT leak_pinned
    a[0] = 1;
    if (!wrong) need(cudaFreeHost(a));
    return true;
}
__global__ void heap_leak(int *out, bool w)
{
    int *p = (int *)malloc(100); // FAULT leak_heap
    p[3] = 5;
    *out = p[3];
    if (!w) free(p);
}
CASE(leak_heap)
{
    int *out = allocated(4);
    heap_leak<<<1, 1>>>(out, wrong);
    bool good = holds<int>(out, 1, [](int) { return 5; });
    need(cudaFree(out));
    return good;
}

// ---- wrong frees

CASE(double_free)
{
    int *a = allocated(4000);
    cudaFree(a);
    if (wrong) cudaFree(a); // FAULT double_free
    return true;
}
CASE(interior_free)
{
    int *a = allocated(4000);
    cudaFree(wrong ? a + 10 : a); // FAULT interior_free
    return true;
}
CASE(host_free) // host memory to cudaFree
{
    int *a = allocated(4000), *b = (int *)malloc(4000);
    cudaFree(wrong ? b : a); // FAULT host_free
    free(b);
    return true;
}
CASE(device_free_host) // device memory to cudaFreeHost
{
    int *a = allocated(4000), *b;
    need(cudaMallocHost(&b, 4000));
    cudaFreeHost(wrong ? a : b); // FAULT device_free_host
    return true;
}
CASE(double_free_async)
{
    int *a;
    need(cudaMallocAsync(&a, 4000, 0));
    cudaFreeAsync(a, 0);
    if (wrong) cudaFreeAsync(a, 0); // FAULT double_free_async
    return cudaDeviceSynchronize() == cudaSuccess;
}
CASE(after_free)
{
    int *a = allocated(4000), *b = allocated(4000);
    if (wrong) need(cudaFree(a));
    twice<<<8, 128>>>(a, 1000);
    if (!wrong) need(cudaFree(a));
    return cudaDeviceSynchronize() == cudaSuccess && cudaFree(b) == cudaSuccess;
}
CASE(after_free_async) // in the order of the stream
{
    int *a;
    need(cudaMallocAsync(&a, 4000, 0));
    need(cudaMemsetAsync(a, 0, 4000, 0));
    if (wrong) need(cudaFreeAsync(a, 0));
    twice<<<8, 128>>>(a, 1000);
    if (!wrong) need(cudaFreeAsync(a, 0));
    return cudaDeviceSynchronize() == cudaSuccess;
}
CASE(copy_after_free)
{
    int *a = allocated(4000), host[10];
    if (wrong) need(cudaFree(a));
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost); // FAULT copy_after_free
    return true;
}

// ---- the device heap

__global__ void heap_double(int *out, bool w)
{
    int *p = (int *)malloc(100);
    p[3] = 5;
    *out = p[3];
    free(p);
    if (w) free(p); // FAULT heap_double
}
__global__ void heap_past(int *out, int n)
{
    int *p = (int *)malloc(100);
    for (int i = 0; i < n; i++)
        p[i] = i; // FAULT heap_past
    *out = p[5];
    free(p);
}
__global__ void heap_after(int *out, bool w)
{
    int *p = (int *)malloc(100);
    p[5] = 5;
    if (w) free(p);
    *out = *(volatile int *)&p[5]; // FAULT heap_after
    if (!w) free(p);
}
__global__ void heap_interior(int *out, bool w)
{
    int *p = (int *)malloc(100);
    p[5] = 5;
    *out = p[5];
    free(w ? p + 1 : p); // FAULT heap_interior
}
__global__ void heap_foreign(int *out, bool w) // memory of cudaMalloc to the kernel's free
{
    int *p = (int *)malloc(100);
    p[5] = 5;
    *out = p[5];
    free(p);
    if (w) free(out); // FAULT heap_foreign
}
template <typename K, typename A> static bool heap(K kernel, A argument)
{
    int *out = allocated(4);
    kernel<<<1, 1>>>(out, argument);
    return holds<int>(out, 1, [](int) { return 5; });
}
CASE(heap_double) { return heap(heap_double, wrong); }
CASE(heap_past) { return heap(heap_past, wrong ? 26 : 25); }
CASE(heap_after) { return heap(heap_after, wrong); }
CASE(heap_interior) { return heap(heap_interior, wrong); }
CASE(heap_foreign) { return heap(heap_foreign, wrong); }

// ---- errors that nobody looks at

CASE(block_size)
{
    int *a = make<int>(4096);
    twice<<<1, wrong ? 2048 : 1024>>>(a, 1000); // FAULT block_size
    return true;
}
CASE(empty_grid) // there was nothing to do, and no launch is that
{
    int *a = make<int>(10), n = wrong ? 0 : 10;
    twice<<<(n + 127) / 128, 128>>>(a, n); // FAULT empty_grid
    return true;
}
CASE(shared_size)
{
    int *a = make<int>(1000);
    twice<<<8, 128, wrong ? 100000 : 40000>>>(a, 1000); // FAULT shared_size
    return true;
}
CASE(copy_too_large)
{
    int *a = make<int>(100), host[200] = {};
    cudaMemcpy(a, host, wrong ? sizeof host : 400, cudaMemcpyHostToDevice); // FAULT copy_too_large
    return true;
}
CASE(memset_too_large)
{
    int *a = make<int>(100);
    cudaMemset(a, 0, wrong ? 800 : 400); // FAULT memset_too_large
    return true;
}
__constant__ int coefficients[16];
__global__ void use_coefficients(int *out)
{
    out[threadIdx.x] = coefficients[threadIdx.x % 16];
}
CASE(symbol_too_large)
{
    int host[32], *out = make<int>(32);
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaMemcpyToSymbol(coefficients, host, wrong ? sizeof host : 64); // FAULT symbol_too_large
    use_coefficients<<<1, 32>>>(out);
    return holds<int>(out, 32, [](int i) { return i % 16; });
}
CASE(no_device)
{
    cudaSetDevice(wrong ? 64 : 0); // FAULT no_device
    return true;
}
CASE(pitch_too_small) // of a copy with more columns than the pitch has
{
    char *a = make<char>(4096), host[4096] = {};
    cudaMemcpy2D(a, 64, host, 64, wrong ? 65 : 64, 64, cudaMemcpyHostToDevice); // FAULT pitch_too_small
    return true;
}
CASE(sync_in_capture)
{
    cudaStream_t s;
    cudaGraph_t graph = NULL;
    need(cudaStreamCreate(&s));
    need(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    if (wrong) cudaStreamSynchronize(s); // FAULT sync_in_capture
    cudaStreamEndCapture(s, &graph);
    return true;
}
CASE(no_timing) // the time of an event that takes none
{
    cudaEvent_t begin, end;
    float ms;
    unsigned flags = wrong ? cudaEventDisableTiming : cudaEventDefault;
    need(cudaEventCreateWithFlags(&begin, flags));
    need(cudaEventCreateWithFlags(&end, flags));
    need(cudaEventRecord(begin));
    need(cudaEventRecord(end));
    need(cudaEventSynchronize(end));
    cudaEventElapsedTime(&ms, begin, end); // FAULT no_timing
    return true;
}
CASE(stream_destroyed)
{
    cudaStream_t s;
    int *a = make<int>(100);
    need(cudaStreamCreate(&s));
    if (wrong) need(cudaStreamDestroy(s));
    cudaMemsetAsync(a, 0, 400, s); // FAULT stream_destroyed
    return true;
}
CASE(event_destroyed)
{
    cudaEvent_t e;
    need(cudaEventCreate(&e));
    if (wrong) need(cudaEventDestroy(e));
    cudaEventRecord(e); // FAULT event_destroyed
    return true;
}
CASE(no_function) // an address that is no kernel
{
    int *a = make<int>(100), n = 100;
    void *arguments[] = {&a, &n};
    cudaLaunchKernel(wrong ? (const void *)one : (const void *)twice, dim3(1), dim3(128), arguments, 0, 0); // FAULT no_function
    return true;
}
