// SPDX-License-Identifier: Apache-2.0
// Pointers to host memory as parameters of kernels. usage: host_pointers CASE
// "right" launches what a GPU without pageable memory access runs, and checks the results; any other case
// launches a kernel that accesses memory which only the host has, and prints what the runtime answers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

enum { COUNT = 256 };

struct view {
    long length;
    float *data;
};
struct wide {
    char before[600];
    int *data;
};
typedef int (*operation)(int);

__global__ void fill(int *out, int value) { out[threadIdx.x] = value + threadIdx.x; }
__global__ void sum(const int *in, int *out) { atomicAdd(out, in[threadIdx.x]); }
__global__ void bump(int *counter) { atomicAdd(counter, 1); }
__global__ void scale(view v, float by)
{
    if (threadIdx.x < v.length) v.data[threadIdx.x] *= by;
}
__global__ void fill_wide(wide w) { w.data[threadIdx.x] = 5; }
__global__ void fill_maybe(int *out, int *maybe, int wanted)
{
    out[threadIdx.x] = 7;
    if (wanted) maybe[threadIdx.x] = 7;
}
__global__ void look(const void *a, const void *b, const void **out) { out[0] = a < b ? a : b; }
__global__ void fill_to(int *first, int *last) // as iterators of host containers
{
    int *at = first + threadIdx.x;
    if (at < last) *at = 9;
}
// Generic addresses of its own memory beside a pointer that it does not follow.
__global__ void mixed(int *unused, int wanted, int *out)
{
    __shared__ int shared[32];
    int own[32];
    int *at = threadIdx.x % 2 ? shared : own;
    shared[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 32; i++)
        own[i] = 2 * i;
    if (wanted) at = unused;
    __syncthreads();
    int got = *(volatile int *)(at + threadIdx.x);
    if (wanted > 1) printf("%d %p\n", got, at);
    out[threadIdx.x] = got;
}
__device__ int twice(int x) { return 2 * x; }
__device__ operation twice_pointer = twice;
__global__ void apply(operation f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
__global__ void texels(cudaTextureObject_t texture, int *out) { out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x); }
__global__ void together(int *out)
{
    out[blockIdx.x] = 3;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0) out[1] += out[0];
}

// The parameter of a kernel that a kernel launches.
__global__ void parent(int *out, int *maybe, int wanted) { fill_maybe<<<1, 32>>>(out, maybe, wanted); }

__device__ int device_global[COUNT];
__managed__ int managed_global[COUNT];
static int host_global[COUNT];

static int failures;

static void check(const char *what, bool right)
{
    if (!right) printf("%s: wrong\n", what);
    failures += !right;
}

static bool is_filled(const int *at, int from)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    for (int i = 0; i < COUNT && error == cudaSuccess; i++)
        if (at[i] != from + i) return false;
    return error == cudaSuccess;
}

static int *device_memory()
{
    int *memory = nullptr;
    cudaMalloc(&memory, COUNT * sizeof *memory);
    cudaMemset(memory, 0, COUNT * sizeof *memory);
    return memory;
}

static bool holds(const int *device, int value, int step = 0, int count = 32)
{
    int got[COUNT] = {};
    if (cudaMemcpy(got, device, count * sizeof *got, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (int i = 0; i < count; i++)
        if (got[i] != value + step * i) return false;
    return true;
}

static void memory_of_every_kind()
{
    int *pinned, *mapped, *mapped_device, *managed, *global, *device = device_memory();
    cudaMallocHost(&pinned, COUNT * sizeof *pinned);
    fill<<<1, COUNT>>>(pinned, 1);
    check("pinned", is_filled(pinned, 1));
    cudaHostAlloc(&mapped, COUNT * sizeof *mapped, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&mapped_device, mapped, 0);
    fill<<<1, COUNT>>>(mapped_device, 2);
    check("mapped", is_filled(mapped, 2));
    cudaMallocManaged(&managed, COUNT * sizeof *managed);
    fill<<<1, COUNT>>>(managed, 3);
    check("managed", is_filled(managed, 3));
    fill<<<1, COUNT>>>(managed_global, 4);
    check("__managed__", is_filled(managed_global, 4));
    int *registered = (int *)malloc(2 * COUNT * sizeof *registered);
    cudaHostRegister(registered, 2 * COUNT * sizeof *registered, cudaHostRegisterDefault);
    fill<<<1, COUNT>>>(registered + COUNT, 5);
    check("registered", is_filled(registered + COUNT, 5));
    cudaHostRegister(host_global, sizeof host_global, cudaHostRegisterDefault);
    fill<<<1, COUNT>>>(host_global, 6);
    check("registered global", is_filled(host_global, 6));
    cudaGetSymbolAddress((void **)&global, device_global);
    fill<<<1, COUNT>>>(global, 8);
    check("device global", holds(global, 8, 1));
    sum<<<1, COUNT>>>(registered + COUNT, device);
    check("from registered", holds(device, COUNT * (COUNT - 1) / 2 + 5 * COUNT, 0, 1));
}

static void pointers_that_are_not_followed()
{
    int *device = device_memory(), *host = (int *)malloc(COUNT * sizeof *host), own[32];
    const void **seen, *kept;
    cudaMalloc(&seen, sizeof *seen);
    fill_maybe<<<1, 32>>>(device, nullptr, 0);
    check("null pointer", holds(device, 7));
    cudaMemset(device, 0, COUNT * sizeof *device);
    fill_maybe<<<1, 32>>>(device, (int *)0x123456789abc, 0);
    check("garbage pointer", holds(device, 7));
    cudaMemset(device, 0, COUNT * sizeof *device);
    fill_maybe<<<1, 32>>>(device, host, 0);
    check("malloc, false condition", holds(device, 7));
    cudaMemset(device, 0, COUNT * sizeof *device);
    fill_maybe<<<1, 32>>>(device, own, 0);
    check("stack, false condition", holds(device, 7));
    look<<<1, 1>>>(host, host + 1, seen);
    check("compared and stored", cudaMemcpy(&kept, seen, sizeof kept, cudaMemcpyDefault) == cudaSuccess && kept == host);
    mixed<<<1, 32>>>(host, 0, device);
    int got[32] = {};
    cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        check("shared and local memory", got[i] == (i % 2 ? i : 2 * i));
    scale<<<1, 32>>>(view{0, (float *)host}, 2);
    check("empty view", cudaDeviceSynchronize() == cudaSuccess);
    cudaMemset(device, 0, COUNT * sizeof *device);
    parent<<<1, 1>>>(device, host, 0);
    check("handed to another kernel", holds(device, 7));
    free(host);
}

static void handles()
{
    int *device = device_memory(), *data = device_memory();
    operation f;
    cudaMemcpyFromSymbol(&f, twice_pointer, sizeof f);
    apply<<<1, 32>>>(f, device);
    check("function pointer", holds(device, 0, 2));
    fill<<<1, COUNT>>>(data, 20);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data, resource.res.linear.sizeInBytes = COUNT * sizeof *data;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    check("texture", cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
    texels<<<1, 32>>>(texture, device);
    check("texture object", holds(device, 20, 1));
}

static void tell(const char *launch)
{
    printf("%s: %s\n", launch, cudaGetErrorName(cudaGetLastError()));
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    void *after;
    printf("after: %s\n", cudaGetErrorName(cudaMalloc(&after, 4)));
}

static void launch_cooperative(int *out)
{
    void *arguments[] = {&out};
    cudaLaunchCooperativeKernel((const void *)together, 2, 1, arguments, 0, nullptr);
}

static void launch_graph(int *out)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 32, 0, stream>>>(out, 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "right";
    int on_stack[COUNT] = {}, *host = (int *)calloc(2 * COUNT, sizeof *host), *device = device_memory();
    if (!strcmp(mode, "right")) {
        int pageable = -1;
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0);
        check("pageable memory access", pageable == 0);
        memory_of_every_kind();
        pointers_that_are_not_followed();
        handles();
        check("no error", cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
        puts(failures ? "FAILED" : "ok");
        return failures != 0;
    }
    if (!strcmp(mode, "malloc")) fill<<<1, COUNT>>>(host, 1);
    if (!strcmp(mode, "offset")) fill<<<1, 32>>>(host + COUNT, 1);
    if (!strcmp(mode, "stack")) fill<<<1, COUNT>>>(on_stack, 1);
    if (!strcmp(mode, "global")) fill<<<1, COUNT>>>(host_global, 1);
    if (!strcmp(mode, "read")) sum<<<1, 32>>>(host, device);
    if (!strcmp(mode, "atomic")) bump<<<1, 32>>>(host);
    if (!strcmp(mode, "struct")) scale<<<1, 32>>>(view{32, (float *)host}, 2);
    if (!strcmp(mode, "wide")) {
        wide w = {};
        w.data = host;
        fill_wide<<<1, 32>>>(w);
    }
    if (!strcmp(mode, "condition")) fill_maybe<<<1, 32>>>(device, host, 1);
    if (!strcmp(mode, "iterators")) fill_to<<<1, 32>>>(host, host + 16);
    if (!strcmp(mode, "mixed")) mixed<<<1, 32>>>(host, 1, device);
    if (!strcmp(mode, "large")) fill<<<1, 32>>>((int *)malloc(64 << 20), 1);
    if (!strcmp(mode, "cooperative")) launch_cooperative(host);
    if (!strcmp(mode, "graph")) launch_graph(host);
    if (!strcmp(mode, "child")) parent<<<1, 1>>>(device, host, 1);
    if (!strcmp(mode, "freed")) {
        void *pages = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(pages, 4096);
        fill<<<1, 32>>>((int *)pages, 1);
    }
    if (!strcmp(mode, "unregistered")) {
        cudaHostRegister(host, COUNT * sizeof *host, cudaHostRegisterDefault);
        cudaHostUnregister(host);
        fill<<<1, 32>>>(host, 1);
    }
    tell("launch");
    return 0;
}
