// SPDX-License-Identifier: Apache-2.0
// Accesses out of bounds in shared, local, constant and parameter memory, textures, asynchronous copies and parts of allocations; and
// the same mended (planted.h).
#include "planted.h"
#include <mma.h>

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

static int one(int) { return 1; }
static int ident(int i) { return i; }
template <typename K, typename A> static int *launch(K kernel, int threads, A argument) // one block; a result for each thread
{
    int *out = make<int>(threads);
    kernel<<<1, threads>>>(out, argument);
    return out;
}

// ---- shared memory

__global__ void shared_past(int *out, int n)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    for (int i = t; i < n; i += 32)
        tile[i] = i; // FAULT shared_past
    __syncthreads();
    out[t] = tile[t];
}
CASE(shared_past) { return holds<int>(launch(shared_past, 32, wrong ? 65 : 64), 32, ident); }

__global__ void shared_next(int *out, int n) // one array into the next one
{
    __shared__ int first[32], second[32];
    int t = threadIdx.x;
    first[t] = t;
    second[t] = 100;
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < n; i++)
            first[i] = i; // FAULT shared_next
    __syncthreads();
    out[t] = first[t] + second[t];
}
CASE(shared_next) { return holds<int>(launch(shared_next, 32, wrong ? 33 : 32), 32, [](int i) { return 100 + i; }); }

__global__ void shared_before(int *out, bool w)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    out[t] = tile[w || t > 0 ? t - 1 : 0]; // FAULT shared_before
}
CASE(shared_before) { return holds<int>(launch(shared_before, 32, wrong), 32, [](int i) { return i > 0 ? i - 1 : 0; }); }

__global__ void dynamic_past(int *out)
{
    extern __shared__ int tile[];
    int t = threadIdx.x;
    tile[t] = t; // FAULT dynamic_past
    __syncthreads();
    out[t] = tile[t ^ 1];
}
CASE(dynamic_past) // one element too few
{
    int *out = make<int>(64);
    dynamic_past<<<1, 64, wrong ? 252 : 256>>>(out);
    return holds<int>(out, 64, [](int i) { return i ^ 1; });
}

__global__ void dynamic_after_static(int *out, bool w) // behind the static array comes the dynamic memory
{
    extern __shared__ int dynamic[];
    __shared__ int tile[32];
    int t = threadIdx.x;
    dynamic[t] = 7;
    tile[w ? t + 1 : t] = t; // FAULT dynamic_after_static
    __syncthreads();
    out[t] = dynamic[t] + tile[t ^ 1];
}
CASE(dynamic_after_static)
{
    int *out = make<int>(32);
    dynamic_after_static<<<1, 32, 128>>>(out, wrong);
    return holds<int>(out, 32, [](int i) { return 7 + (i ^ 1); });
}

__global__ void shared_row(int *out, bool w) // the row behind the last one of a matrix
{
    __shared__ int tile[17][16];
    int t = threadIdx.x;
    for (int r = 0; r < 17; r++)
        tile[r][t] = r;
    __syncthreads();
    out[t] = tile[t + (w ? 2 : 1)][t]; // FAULT shared_row
}
CASE(shared_row) { return holds<int>(launch(shared_row, 16, wrong), 16, [](int i) { return i + 1; }); }

__global__ void shared_misaligned(int *out, bool w)
{
    __shared__ __align__(8) char tile[264];
    int t = threadIdx.x;
    *(long long *)(tile + 8 * t + (w ? 4 : 0)) = t; // FAULT shared_misaligned
    __syncthreads();
    out[t] = *(int *)(tile + 8 * t + (w ? 4 : 0));
}
CASE(shared_misaligned) { return holds<int>(launch(shared_misaligned, 32, wrong), 32, ident); }

__global__ void shared_atomic(int *out, int bins) // the last bin is one too many
{
    __shared__ int count[8];
    int t = threadIdx.x;
    if (t < 8) count[t] = 0;
    __syncthreads();
    atomicAdd(&count[t % bins], 1); // FAULT shared_atomic
    __syncthreads();
    if (t < 8) out[t] = count[t];
}
CASE(shared_atomic) { return holds<int>(launch(shared_atomic, 64, wrong ? 9 : 8), 8, [](int) { return 8; }); }

// ---- local memory, constants and parameters

__global__ void local_past(int *out, const int *index)
{
    int stack[16], t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        stack[i] = 3 * i;
    stack[index[t]] += t; // FAULT local_past
    out[t] = stack[index[t] & 15];
}
CASE(local_past)
{
    int *index = made<int>(32, [](int i) { return wrong && i == 20 ? 1 << 24 : i % 16; });
    return holds<int>(launch(local_past, 32, index), 32, [](int i) { return 3 * (i % 16) + i; });
}

__constant__ int weights[16];
__global__ void constant_past(int *out, const int *index)
{
    out[threadIdx.x] = weights[index[threadIdx.x]]; // FAULT constant_past
}
CASE(constant_past)
{
    int host[16];
    for (int i = 0; i < 16; i++)
        host[i] = i;
    need(cudaMemcpyToSymbol(weights, host, sizeof host));
    int *index = made<int>(32, [](int i) { return wrong && i == 9 ? 40000 : i % 16; });
    return holds<int>(launch(constant_past, 32, index), 32, [](int i) { return i % 16; });
}

struct params {
    int values[16];
};
__global__ void param_past(int *out, const int *index, params p)
{
    out[threadIdx.x] = p.values[index[threadIdx.x]]; // FAULT param_past
}
CASE(param_past)
{
    params p;
    for (int i = 0; i < 16; i++)
        p.values[i] = i;
    int *out = make<int>(32), *index = made<int>(32, [](int i) { return wrong && i == 9 ? 9000 : i % 16; });
    param_past<<<1, 32>>>(out, index, p);
    return holds<int>(out, 32, [](int i) { return i % 16; });
}

// ---- module variables by name

__device__ int table[100];
__global__ void symbol_past(int n)
{
    int i = threadIdx.x;
    if (i < n) table[i] = i; // FAULT symbol_past
}
CASE(symbol_past)
{
    int host[100];
    symbol_past<<<1, 128>>>(wrong ? 101 : 100);
    need(cudaMemcpyFromSymbol(host, table, sizeof host));
    return host[99] == 99;
}

// ---- parts of an allocation

__global__ void row_past(char *a, size_t pitch, int width, int height) // past a row of a pitched array, not past the array
{
    int r = threadIdx.x;
    if (r < height)
        for (int c = 0; c < width; c++)
            a[r * pitch + c] = 1; // FAULT row_past
}
CASE(row_past)
{
    char *a;
    size_t pitch;
    need(cudaMallocPitch((void **)&a, &pitch, 200, 10));
    need(cudaMemset2D(a, pitch, 0, 200, 10));
    row_past<<<1, 32>>>(a, pitch, wrong ? 201 : 200, 10);
    return holds<char>(a, 200, [](int) { return (char)1; });
}

__global__ void row_vectors(cudaPitchedPtr a, int height, int count) // the last vector begins in the row and ends in its padding
{
    int r = threadIdx.x;
    if (r < height)
        for (int c = 0; c < count; c++)
            ((uchar4 *)((char *)a.ptr + r * a.pitch))[c] = make_uchar4(1, 1, 1, 1); // FAULT row_vectors
}
CASE(row_vectors)
{
    cudaPitchedPtr a;
    need(cudaMalloc3D(&a, make_cudaExtent(202, 5, 4)));
    row_vectors<<<1, 32>>>(a, 20, wrong ? 52 : 51);
    return holds<char>((char *)a.ptr + 19 * a.pitch, 202, [](int) { return (char)1; });
}

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 1; // FAULT pool_neighbour FAULT launches FAULT managed_past FAULT graph_past
}
CASE(pool_neighbour) // from one block of a pool into the one behind it
{
    int *a, *b;
    need(cudaMallocAsync(&a, 512, 0));
    need(cudaMallocAsync(&b, 512, 0));
    int *first = a < b ? a : b;
    fill<<<2, 128>>>(first, wrong ? 130 : 128);
    bool good = holds<int>(first, 128, one);
    need(cudaFreeAsync(a, 0));
    need(cudaFreeAsync(b, 0));
    return good;
}
CASE(managed_past)
{
    int *a;
    need(cudaMallocManaged(&a, 512));
    fill<<<2, 128>>>(a, wrong ? 129 : 128);
    return holds<int>(a, 128, one);
}
CASE(launches) // the same kernel over and over; the last launch is wrong
{
    int *a = make<int>(1000);
    for (int k = 0; k < 50; k++)
        fill<<<8, 128>>>(a, wrong && k == 49 ? 1001 : 1000);
    return holds<int>(a, 1000, one);
}
CASE(graph_past)
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *a = make<int>(1000);
    need(cudaStreamCreate(&s));
    need(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    fill<<<8, 128, 0, s>>>(a, wrong ? 1001 : 1000);
    need(cudaStreamEndCapture(s, &graph));
    need(cudaGraphInstantiate(&exec, graph, 0));
    need(cudaGraphLaunch(exec, s));
    return cudaStreamSynchronize(s) == cudaSuccess && holds<int>(a, 1000, one);
}

struct list {
    int value;
    list *next;
};
__global__ void walk(const list *l, int *out)
{
    int sum = 0;
    for (; l; l = l->next) // FAULT stored_freed
        sum += l->value; // FAULT stored_freed
    *out = sum;
}
CASE(stored_freed) // a pointer in memory to memory that was freed
{
    list host[2], *a = make<list>(1), *b = make<list>(1);
    int *out = make<int>(1);
    host[0] = {1, b};
    host[1] = {2, NULL};
    need(cudaMemcpy(a, &host[0], sizeof *a, cudaMemcpyDefault));
    need(cudaMemcpy(b, &host[1], sizeof *b, cudaMemcpyDefault));
    if (wrong) need(cudaFree(b));
    walk<<<1, 1>>>(a, out);
    return holds<int>(out, 1, [](int) { return 3; });
}
__global__ void fill_each(int *const *arrays, const int *sizes)
{
    int *a = arrays[blockIdx.x];
    for (int i = threadIdx.x; i < sizes[blockIdx.x]; i += blockDim.x)
        a[i] = blockIdx.x; // FAULT stored_size
}
CASE(stored_size) // pointers and sizes in memory, and one of the sizes is that of another array
{
    int *host[4], sizes[4] = {100, 200, 300, wrong ? 300 : 50}, **arrays = make<int *>(4), *lengths = make<int>(4);
    for (int i = 0; i < 4; i++)
        host[i] = make<int>(i == 3 ? 50 : sizes[i]);
    need(cudaMemcpy(arrays, host, sizeof host, cudaMemcpyDefault));
    need(cudaMemcpy(lengths, sizes, sizeof sizes, cudaMemcpyDefault));
    fill_each<<<4, 64>>>(arrays, lengths);
    return holds<int>(host[3], 50, [](int) { return 3; });
}

__global__ void atomic_misaligned(char *a, bool w)
{
    atomicAdd((unsigned long long *)(a + (w ? 4 : 8)), 1ull); // FAULT atomic_misaligned
}
CASE(atomic_misaligned)
{
    char *a = make<char>(64);
    atomic_misaligned<<<1, 32>>>(a, wrong);
    return holds<char>(a + 8, 1, [](int) { return (char)32; });
}

// ---- asynchronous copies

__global__ void async_past(const int *a, int *out, int n)
{
    __shared__ __align__(16) int tile[128];
    int t = threadIdx.x;
    if (4 * t < n) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(SHARED(&tile[4 * t])), "l"(&a[4 * t]) : "memory"); // FAULT async_past
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (t < 26) out[t] = tile[t];
}
CASE(async_past) // the last 16 bytes reach past the array
{
    int *out = make<int>(32);
    async_past<<<1, 32>>>(made<int>(102, ident), out, wrong ? 102 : 100);
    return holds<int>(out, 26, ident);
}
__global__ void async_shared_past(const int *a, int *out, bool w)
{
    __shared__ __align__(16) int tile[128];
    int t = threadIdx.x;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SHARED(&tile[t + (w ? 97 : 96)])), "l"(&a[t]) : "memory"); // FAULT async_shared_past
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[t] = tile[96 + t];
}
CASE(async_shared_past)
{
    int *out = make<int>(32);
    async_shared_past<<<1, 32>>>(made<int>(32, ident), out, wrong);
    return holds<int>(out, 32, ident);
}
__global__ void bulk_past(const int *a, int *out, int bytes)
{
    __shared__ __align__(16) int tile[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    unsigned done = 0;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.proxy.async.shared::cta;" ::"r"(SHARED(&bar)) : "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(SHARED(&bar)), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(SHARED(tile)), "l"(a), "r"(bytes), "r"(SHARED(&bar)) : "memory"); // FAULT bulk_past
    }
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(SHARED(&bar)) : "memory");
    if (t < 48) out[t] = tile[t];
}
CASE(bulk_past) // 256 bytes of an array of 192
{
    int *out = make<int>(64);
    bulk_past<<<1, 64>>>(made<int>(48, ident), out, wrong ? 256 : 192);
    return holds<int>(out, 48, ident);
}

// ---- matrices

__global__ void matrix_past(const half *a, half *out, int row)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> g;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
    wmma::load_matrix_sync(f, a + row * 16, 16); // FAULT matrix_past
    wmma::fill_fragment(g, __float2half(1.f));
    wmma::fill_fragment(c, __float2half(0.f));
    wmma::mma_sync(c, f, g, c);
    wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}
CASE(matrix_past) // the tile begins 8 rows before the end of the matrix
{
    half *a = made<half>(512, [](int) { return __float2half(1.f); }), *out = make<half>(256);
    matrix_past<<<1, 32>>>(a, out, wrong ? 24 : 16);
    half first;
    need(cudaMemcpy(&first, out, sizeof first, cudaMemcpyDefault));
    return __half2float(first) == 16.f;
}

// ---- textures and surfaces

static cudaArray_t array(int width, int height, unsigned flags)
{
    cudaArray_t made;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    need(cudaMallocArray(&made, &format, width, height, flags));
    return made;
}
__global__ void surface_past(cudaSurfaceObject_t s, int width, int y)
{
    int x = threadIdx.x;
    if (x < width) surf2Dwrite(x, s, 4 * x, y, cudaBoundaryModeTrap); // FAULT surface_past
}
CASE(surface_past) // the row behind the last one, in the mode that traps
{
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t s;
    int host[32];
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array(32, 8, cudaArraySurfaceLoadStore);
    need(cudaCreateSurfaceObject(&s, &resource));
    surface_past<<<1, 32>>>(s, 32, wrong ? 8 : 7);
    if (cudaDeviceSynchronize() != cudaSuccess) return false;
    need(cudaMemcpy2DFromArray(host, 128, resource.res.array.array, 0, 7, 128, 1, cudaMemcpyDeviceToHost));
    return host[31] == 31;
}
__global__ void linear_texture(cudaTextureObject_t t, int *out, int n)
{
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<int>(t, i); // FAULT texture_freed
}
CASE(texture_freed) // the memory of a texture was freed
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    int *a = made<int>(64, ident), *out = make<int>(64);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = a;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = 256;
    how.readMode = cudaReadModeElementType;
    need(cudaCreateTextureObject(&t, &resource, &how, NULL));
    if (wrong) need(cudaFree(a));
    linear_texture<<<1, 64>>>(t, out, 64);
    return holds<int>(out, 64, ident);
}
