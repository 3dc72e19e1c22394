// SPDX-License-Identifier: Apache-2.0
// What hosts do wrong with memory and calls, and the same mended: host CASE fault|fine. host.tsv says what is reported. A comment
// MADE CASE stands where the memory is made, FREED CASE where it was freed first, FAULT CASE at the call that is at fault.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static bool wrong;
__device__ int table[100];

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = i; // FAULT use_after_free FAULT past_end FAULT past_pool_end FAULT pool_reused FAULT after_async FAULT other_stream
}
__global__ void look_up(const int *index, int *out)
{
    const int *t = table;
    out[threadIdx.x] = t[index[threadIdx.x]]; // FAULT variable
}
__global__ void grow(int **out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (int *)malloc(64);
}
__global__ void give_back(int **out, int n)
{
    for (int i = 0; i < n; i++)
        free(out[i]);
}

template <typename T> static T *make(size_t n)
{
    T *p;
    if (cudaMalloc(&p, n * sizeof *p) != cudaSuccess) exit(9);
    return p;
}
static void must(cudaError_t error)
{
    if (error != cudaSuccess) exit(8);
}

// Memory that its destructor frees after main, in whichever order: no leak.
struct late {
    int *memory = nullptr;
    ~late() { cudaFree(memory); }
};
static late before_cuda;

// ---- frees

static void double_free()
{
    int *a;
    must(cudaMalloc(&a, 4000)); // MADE double_free
    must(cudaFree(a)); // FREED double_free
    if (wrong) cudaFree(a); // FAULT double_free
}
static void double_free_async()
{
    int *a;
    must(cudaMallocAsync(&a, 4000, 0)); // MADE double_free_async
    must(cudaFreeAsync(a, 0)); // FREED double_free_async
    if (wrong) cudaFreeAsync(a, 0); // FAULT double_free_async
    must(cudaDeviceSynchronize());
}
static void free_after_async()
{
    int *a;
    must(cudaMallocAsync(&a, 4000, 0)); // MADE free_after_async
    must(cudaFreeAsync(a, 0)); // FREED free_after_async
    if (wrong) cudaFree(a); // FAULT free_after_async
}
static void free_middle()
{
    int *a;
    must(cudaMalloc(&a, 4000)); // MADE free_middle
    cudaFree(a + (wrong ? 10 : 0)); // FAULT free_middle
}
static void free_host_pointer()
{
    int *a = (int *)malloc(4000), *b = make<int>(10);
    cudaFree(wrong ? a : b); // FAULT free_host_pointer
    free(a);
}
static void free_pinned()
{
    int *a;
    must(cudaMallocHost(&a, 4000)); // MADE free_pinned
    if (wrong) cudaFree(a); // FAULT free_pinned
    else must(cudaFreeHost(a));
}
static void double_free_host()
{
    int *a;
    must(cudaMallocHost(&a, 4000)); // MADE double_free_host
    must(cudaFreeHost(a)); // FREED double_free_host
    if (wrong) cudaFreeHost(a); // FAULT double_free_host
}
static void double_free_array()
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    must(cudaMallocArray(&a, &desc, 64, 64));
    must(cudaFreeArray(a));
    if (wrong) cudaFreeArray(a); // FAULT double_free_array
}

// ---- accesses, and whose memory it is

static void use_after_free()
{
    int *a;
    must(cudaMalloc(&a, 4000)); // MADE use_after_free
    if (wrong) must(cudaFree(a)); // FREED use_after_free
    fill<<<1, 64>>>(a, 1);
}
static void past_end()
{
    int *a;
    must(cudaMalloc(&a, 4000)); // MADE past_end
    fill<<<4, 256>>>(a, wrong ? 1001 : 1000);
}
static void past_pool_end()
{
    int *a;
    must(cudaMallocAsync(&a, 4000, 0)); // MADE past_pool_end
    fill<<<4, 256>>>(a, wrong ? 1001 : 1000);
}
static void pool_reused()
{
    int *a, *b;
    must(cudaMallocAsync(&a, 40000, 0));
    must(cudaFreeAsync(a, 0));
    must(cudaDeviceSynchronize());
    must(cudaMallocAsync(&b, 39996, 0)); // MADE pool_reused
    fill<<<40, 256>>>(b, wrong ? 10000 : 9999);
}
static void after_async()
{
    int *a;
    must(cudaMallocAsync(&a, 4000, 0)); // MADE after_async
    if (wrong) must(cudaFreeAsync(a, 0)); // FREED after_async
    fill<<<1, 64>>>(a, 1);
    if (!wrong) must(cudaFreeAsync(a, 0));
}
static void other_stream()
{
    int *a;
    cudaStream_t one, two;
    cudaEvent_t done;
    must(cudaStreamCreate(&one));
    must(cudaStreamCreate(&two));
    must(cudaEventCreate(&done));
    must(cudaMallocAsync(&a, 4000, one)); // MADE other_stream
    if (wrong) must(cudaFreeAsync(a, one)); // FREED other_stream
    must(cudaEventRecord(done, one));
    must(cudaStreamWaitEvent(two, done, 0));
    fill<<<1, 64, 0, two>>>(a, 1);
}
static void variable()
{
    int index[64] = {}, *at = make<int>(64), *out = make<int>(64);
    index[17] = wrong ? 100 : 99;
    must(cudaMemcpy(at, index, sizeof index, cudaMemcpyHostToDevice));
    look_up<<<1, 64>>>(at, out);
}

// ---- calls

static int main_address[1];

static void bad_copy()
{
    static int host[2000];
    int *a = make<int>(1000);
    cudaMemcpy(a, host, wrong ? 8000 : 4000, cudaMemcpyHostToDevice); // FAULT bad_copy
}
static void bad_fill()
{
    int *a = make<int>(1000);
    cudaMemset(a, 0, wrong ? 4001 : 4000); // FAULT bad_fill
}
static void bad_launch()
{
    fill<<<1, wrong ? 2000 : 1000>>>(make<int>(1000), 1000); // FAULT bad_launch
}
static void no_kernel()
{
    void *arguments[1];
    if (wrong) cudaLaunchKernel((const void *)main_address, dim3(1), dim3(1), arguments, 0, 0); // FAULT no_kernel
}
static void null_malloc()
{
    int *a = make<int>(1);
    must(cudaFree(a));
    if (wrong) cudaMalloc((void **)nullptr, 4); // FAULT null_malloc
}
static void too_large()
{
    void *p;
    cudaMalloc(&p, wrong ? (size_t)1 << 60 : 16); // FAULT too_large
}
static void bad_device()
{
    cudaSetDevice(wrong ? 77 : 0); // FAULT bad_device
}
static void no_symbol()
{
    int *p = make<int>(1), host = 0;
    if (wrong) cudaMemcpyToSymbol(p, &host, 4); // FAULT no_symbol
    else must(cudaMemcpyToSymbol(table, &host, 4));
}

// ---- the driver's functions

static void driver_fill()
{
    int *a = make<int>(1000);
    cuMemsetD8((CUdeviceptr)a, 0, wrong ? 4001 : 4000); // FAULT driver_fill
}
static void driver_double_free()
{
    CUdeviceptr a;
    must(cudaSetDevice(0));
    if (cuMemAlloc(&a, 4000) != CUDA_SUCCESS) exit(7); // MADE driver_double_free
    if (cuMemFree(a) != CUDA_SUCCESS) exit(7); // FREED driver_double_free
    if (wrong) cuMemFree(a); // FAULT driver_double_free
}
// Five of its arguments stand on the stack.
static void driver_launch()
{
    must(cudaSetDevice(0));
    if (wrong) cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); // FAULT driver_launch
}
// So does a handle of 64 bytes.
static void driver_ipc()
{
    CUdeviceptr a;
    CUipcMemHandle handle;
    must(cudaSetDevice(0));
    memset(&handle, 0x5a, sizeof handle);
    if (wrong) cuIpcOpenMemHandle(&a, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS); // FAULT driver_ipc
}

// ---- programs that ask: no finding

static void probes()
{
    cudaFuncAttributes attributes;
    cudaPointerAttributes pointer;
    int on_stack, can;
    (void)cudaFuncGetAttributes(&attributes, (const void *)&on_stack);
    (void)cudaPointerGetAttributes(&pointer, &on_stack);
    (void)cudaDeviceCanAccessPeer(&can, 0, 0);
    (void)cudaDeviceGetAttribute(&can, (cudaDeviceAttr)9999, 0);
    void *symbol;
    (void)cudaGetSymbolAddress(&symbol, (const void *)&on_stack);
    cudaEvent_t event;
    must(cudaEventCreate(&event));
    must(cudaEventRecord(event));
    (void)cudaEventQuery(event);
    (void)cudaStreamQuery(0);
    static int page[1024];
    must(cudaHostRegister(page, sizeof page, 0));
    (void)cudaHostRegister(page, sizeof page, 0);
    must(cudaHostUnregister(page));
    CUdevice device;
    CUcontext context;
    CUfunction function;
    CUmodule none = nullptr;
    (void)cuDeviceGet(&device, 77);
    (void)cuCtxGetCurrent(&context);
    (void)cuModuleGetFunction(&function, none, "nothing");
    (void)cuStreamQuery(nullptr);
    (void)cudaGetLastError();
}

// ---- leaks

static void leak_device()
{
    for (volatile int i = 0; i < 3; i++) {
        int *a;
        must(cudaMalloc(&a, 4000)); // MADE leak_device
        if (!wrong) must(cudaFree(a));
    }
}
static void leak_pinned()
{
    int *a;
    must(cudaMallocHost(&a, 100)); // MADE leak_pinned
    if (!wrong) must(cudaFreeHost(a));
}
static void leak_managed()
{
    int *a;
    must(cudaMallocManaged(&a, 100)); // MADE leak_managed
    if (!wrong) must(cudaFree(a));
}
static void leak_pool()
{
    int *a;
    must(cudaMallocAsync(&a, 100, 0)); // MADE leak_pool
    if (!wrong) must(cudaFreeAsync(a, 0));
}
static void leak_array()
{
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    must(cudaMallocArray(&a, &desc, 64, 64)); // MADE leak_array
    if (!wrong) must(cudaFreeArray(a));
}
static void leak_heap()
{
    int **out;
    must(cudaMalloc(&out, 8 * sizeof *out));
    grow<<<1, 1>>>(out, 3);
    if (!wrong) give_back<<<1, 1>>>(out, 3);
    must(cudaFree(out));
}
static void leak_reset()
{
    int *a;
    must(cudaMalloc(&a, 4000)); // MADE leak_reset
    if (!wrong) must(cudaFree(a));
    must(cudaDeviceReset());
}
static void leak_late()
{
    must(cudaMalloc(&before_cuda.memory, 4000)); // MADE leak_late
    if (wrong) before_cuda.memory = nullptr;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)();
    } cases[] = {{"double_free", double_free},
                 {"double_free_async", double_free_async},
                 {"free_after_async", free_after_async},
                 {"free_middle", free_middle},
                 {"free_host_pointer", free_host_pointer},
                 {"free_pinned", free_pinned},
                 {"double_free_host", double_free_host},
                 {"double_free_array", double_free_array},
                 {"use_after_free", use_after_free},
                 {"past_end", past_end},
                 {"past_pool_end", past_pool_end},
                 {"pool_reused", pool_reused},
                 {"after_async", after_async},
                 {"other_stream", other_stream},
                 {"variable", variable},
                 {"bad_copy", bad_copy},
                 {"bad_fill", bad_fill},
                 {"bad_launch", bad_launch},
                 {"no_kernel", no_kernel},
                 {"null_malloc", null_malloc},
                 {"too_large", too_large},
                 {"bad_device", bad_device},
                 {"no_symbol", no_symbol},
                 {"driver_fill", driver_fill},
                 {"driver_double_free", driver_double_free},
                 {"driver_launch", driver_launch},
                 {"driver_ipc", driver_ipc},
                 {"probes", probes},
                 {"leak_device", leak_device},
                 {"leak_pinned", leak_pinned},
                 {"leak_managed", leak_managed},
                 {"leak_pool", leak_pool},
                 {"leak_array", leak_array},
                 {"leak_heap", leak_heap},
                 {"leak_reset", leak_reset},
                 {"leak_late", leak_late}};
    if (argc != 3) return 9;
    wrong = strcmp(argv[2], "fault") == 0;
    for (auto &one : cases)
        if (strcmp(one.name, argv[1]) == 0) {
            one.run();
            cudaDeviceSynchronize();
            return 0;
        }
    return 9;
}
