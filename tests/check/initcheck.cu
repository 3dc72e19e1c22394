// SPDX-License-Identifier: Apache-2.0
// Reads of memory that nobody wrote, memory that nobody used, and the same mended (planted.h).
#include "planted.h"
#include <fcntl.h>
#include <unistd.h>

static int one(int) { return 1; }
template <typename T> static T *fresh(int n) // memory with nothing in it
{
    T *p = NULL;
    need(cudaMalloc(&p, n * sizeof *p));
    return p;
}
__global__ void add(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i]; // FAULT never FAULT half_copied FAULT short_memset FAULT pool_again FAULT words_for_bytes FAULT wrong_stride FAULT realloc FAULT graph_memory FAULT kernel_part FAULT managed FAULT managed_pages FAULT managed_shared FAULT pinned FAULT pinned_copied FAULT copy_on
}
static bool sums(const int *a, int n)
{
    int *out = make<int>(n);
    add<<<(n + 127) / 128, 128>>>(a, made<int>(n, one), out, n);
    return holds<int>(out, n, [](int) { return 2; });
}

// ---- global memory

CASE(never)
{
    int *a = fresh<int>(300);
    if (!wrong) need(cudaMemcpy(a, made<int>(300, one), 1200, cudaMemcpyDefault));
    return sums(a, 300);
}
CASE(half_copied)
{
    int *a = fresh<int>(300);
    need(cudaMemcpy(a, made<int>(300, one), wrong ? 1196 : 1200, cudaMemcpyDefault));
    return sums(a, 300);
}
CASE(words_for_bytes) // the number of elements where the number of bytes should stand
{
    int *a = fresh<int>(300);
    need(cudaMemcpy(a, made<int>(300, one), wrong ? 300 : 300 * sizeof(int), cudaMemcpyDefault));
    return sums(a, 300);
}
CASE(short_memset)
{
    int *a = fresh<int>(300), *out = make<int>(300);
    need(cudaMemset(a, 0, wrong ? 300 : 1200));
    add<<<3, 128>>>(a, made<int>(300, one), out, 300);
    return holds<int>(out, 300, one);
}
__global__ void fill(int *a, int n, int step)
{
    int i = step * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) a[i] = 1;
}
CASE(kernel_part) // a kernel writes with too few blocks
{
    int *a = fresh<int>(300);
    fill<<<wrong ? 2 : 3, 128>>>(a, 300, 1);
    return sums(a, 300);
}
CASE(wrong_stride) // every other element
{
    int *a = fresh<int>(300);
    fill<<<3, 128>>>(a, 300, wrong ? 2 : 1);
    return sums(a, 300);
}
CASE(managed)
{
    int *a;
    need(cudaMallocManaged(&a, 1200));
    for (int i = 0; i < (wrong ? 0 : 300); i++)
        a[i] = 1;
    return sums(a, 300);
}
CASE(managed_pages) // the host fills the first of three pages
{
    int *a;
    need(cudaMallocManaged(&a, 3072 * sizeof *a));
    for (int i = 0; i < (wrong ? 1024 : 3072); i++)
        a[i] = 1;
    return sums(a, 3072);
}
CASE(managed_shared) // kernel and host fill pages in turns, the host with zeros; and one page is left out
{
    int *a, *out = make<int>(3072);
    need(cudaMallocManaged(&a, 3072 * sizeof *a));
    fill<<<1, 128>>>(a, 1024, 8);
    need(cudaDeviceSynchronize());
    for (int i = 0; i < (wrong ? 2048 : 3072); i++)
        if (i >= 1024 || i % 8) a[i] = 0;
    add<<<24, 128>>>(a, made<int>(3072, [](int i) { return i < 1024 && i % 8 == 0 ? 0 : 1; }), out, 3072);
    return holds<int>(out, 3072, one);
}
CASE(pinned) // a system call writes it
{
    int *a, *out = make<int>(300), zeros = open("/dev/zero", O_RDONLY);
    need(cudaMallocHost(&a, 1200));
    if (!wrong && read(zeros, a, 1200) != 1200) return false;
    add<<<3, 128>>>(a, made<int>(300, one), out, 300);
    return holds<int>(out, 300, one);
}
CASE(pinned_copied)
{
    int *a, *b = fresh<int>(300);
    need(cudaHostAlloc(&a, 1200, cudaHostAllocDefault));
    for (int i = 0; i < (wrong ? 0 : 300); i++)
        a[i] = 1;
    need(cudaMemcpy(b, a, 1200, cudaMemcpyDefault));
    return sums(b, 300);
}
CASE(realloc) // what was in the memory before it was freed is not in the next allocation
{
    int *a = made<int>(300, one);
    if (wrong) {
        need(cudaFree(a));
        a = fresh<int>(300);
    }
    return sums(a, 300);
}
CASE(pool_again) // the same of a pool
{
    int *a;
    need(cudaMallocAsync(&a, 1200, 0));
    need(cudaMemcpyAsync(a, made<int>(300, one), 1200, cudaMemcpyDefault, 0));
    if (wrong) {
        need(cudaFreeAsync(a, 0));
        need(cudaMallocAsync(&a, 1200, 0));
    }
    return sums(a, 300);
}

__global__ void padded(const float *a, float *out, int n, int size)
{
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < size; i += 32)
        sum += i < n ? a[i] : 0;
    for (int i = n + t; i < size && size > n; i += 32)
        sum += a[i]; // FAULT padded_tail
    out[t] = sum;
}
CASE(padded_tail) // an array is padded to a multiple of 32, and the padding is summed as well
{
    float *a = fresh<float>(320), *out = make<float>(32);
    need(cudaMemcpy(a, made<float>(300, [](int) { return 1.f; }), 1200, cudaMemcpyDefault));
    padded<<<1, 32>>>(a, out, 300, wrong ? 320 : 300);
    return holds<float>(out, 32, [](int i) { return i < 12 ? 10.f : 9.f; });
}

__global__ void rows(const char *a, size_t pitch, int width, int height, int *out)
{
    int r = threadIdx.x, sum = 0;
    if (r >= height) return;
    for (int c = 0; c < width; c++)
        sum += *(const int *)(a + r * pitch + 4 * c); // FAULT pitch_padding FAULT copy_2d
    out[r] = sum;
}
CASE(pitch_padding) // a row is read to the end of its pitch
{
    char *a;
    size_t pitch;
    int *out = make<int>(10), *ones = made<int>(1000, one);
    need(cudaMallocPitch((void **)&a, &pitch, 400, 10));
    need(cudaMemcpy2D(a, pitch, ones, 400, 400, 10, cudaMemcpyDefault));
    rows<<<1, 32>>>(a, pitch, wrong ? int(pitch / 4) : 100, 10, out);
    return holds<int>(out, 10, [](int) { return 100; });
}
CASE(copy_2d) // a copy of too few columns
{
    char *a;
    size_t pitch;
    int *out = make<int>(10), *ones = made<int>(1000, one);
    need(cudaMallocPitch((void **)&a, &pitch, 400, 10));
    need(cudaMemcpy2D(a, pitch, ones, 400, wrong ? 100 : 400, 10, cudaMemcpyDefault));
    rows<<<1, 32>>>(a, pitch, 100, 10, out);
    return holds<int>(out, 10, [](int) { return 100; });
}

struct mixed {
    char tag; // three bytes of padding behind it
    int value;
};
__global__ void set_fields(mixed *a, bool w)
{
    a[threadIdx.x].tag = 1;
    if (!w || threadIdx.x != 9) a[threadIdx.x].value = 2;
}
__global__ void copy_struct(const mixed *a, mixed *b)
{
    b[threadIdx.x] = a[threadIdx.x]; // FAULT struct_field
}
__global__ void use_struct(const mixed *b, int *out)
{
    out[threadIdx.x] = b[threadIdx.x].tag + b[threadIdx.x].value; // FAULT struct_field
}
CASE(struct_field) // padding is copied, which is no fault; a field that nobody wrote is used, which is one
{
    mixed *a = fresh<mixed>(32), *b = fresh<mixed>(32);
    int *out = make<int>(32);
    set_fields<<<1, 32>>>(a, wrong);
    copy_struct<<<1, 32>>>(a, b);
    use_struct<<<1, 32>>>(b, out);
    return holds<int>(out, 32, [](int) { return 3; });
}

__global__ void set_xyz(float *a, int n, bool w)
{
    int i = threadIdx.x;
    if (i >= n) return;
    a[4 * i] = 1;
    a[4 * i + 1] = 2;
    if (!w) a[4 * i + 2] = 3;
}
__global__ void lengths(const float4 *a, float *out)
{
    float4 v = a[threadIdx.x]; // FAULT float4_xyz
    out[threadIdx.x] = v.x + v.y + v.z; // FAULT float4_xyz
}
CASE(float4_xyz) // three of four elements are written, all four are loaded, and three are used
{
    float *a = fresh<float>(128), *out = make<float>(32);
    set_xyz<<<1, 32>>>(a, 32, wrong);
    lengths<<<1, 32>>>((float4 *)a, out);
    return holds<float>(out, 32, [](int) { return 6.f; });
}

__global__ void tally(unsigned *bins)
{
    atomicAdd(&bins[threadIdx.x % 8], 1u); // FAULT atomic
}
CASE(atomic) // an atomic reads too
{
    unsigned *bins = fresh<unsigned>(8);
    if (!wrong) need(cudaMemset(bins, 0, 32));
    tally<<<1, 64>>>(bins);
    return holds<unsigned>(bins, 8, [](int) { return 8u; });
}

__device__ int *held;
__global__ void heap_make(bool w)
{
    int *p = (int *)malloc(64 * sizeof *p);
    for (int i = 0; i < (w ? 63 : 64); i++)
        p[i] = 1;
    held = p;
}
__global__ void heap_sum(int *out)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += held[i]; // FAULT heap
    *out = sum;
    free(held);
}
CASE(heap)
{
    int *out = make<int>(1);
    heap_make<<<1, 1>>>(wrong);
    heap_sum<<<1, 1>>>(out);
    return holds<int>(out, 1, [](int) { return 64; });
}

__device__ int table[64]; // a variable of the module is zero, so it never lacks a value
__global__ void from_table(const int *index, int *out)
{
    out[threadIdx.x] = table[index[threadIdx.x]]; // FAULT index
}
CASE(index) // the table is zero, the indices are not written
{
    int *index = fresh<int>(64), *out = made<int>(64, one);
    if (!wrong) need(cudaMemset(index, 0, 256));
    else need(cudaMemset(index, 0, 252));
    from_table<<<1, 64>>>(index, out);
    return holds<int>(out, 64, [](int) { return 0; });
}
CASE(copy_out) // the host copies what nobody wrote
{
    int *a = fresh<int>(64), host[64] = {};
    need(cudaMemset(a, 0, wrong ? 128 : 256));
    need(cudaMemcpy(host, a, 256, cudaMemcpyDefault)); // FAULT copy_out
    return host[63] == 0;
}
CASE(copy_on) // a copy between device arrays copies the lack of values along, and the read finds it
{
    int *a = fresh<int>(300), *b = fresh<int>(300);
    need(cudaMemcpy(a, made<int>(300, one), wrong ? 600 : 1200, cudaMemcpyDefault));
    need(cudaMemcpy(b, a, 1200, cudaMemcpyDeviceToDevice)); // FAULT copy_on
    int *out = make<int>(300);
    add<<<3, 128>>>(b, made<int>(300, one), out, 300);
    return holds<int>(out, 300, [](int) { return 2; });
}
CASE(graph_memory) // memory that a graph allocates
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *a, *b = made<int>(300, one), *out = make<int>(300);
    need(cudaStreamCreate(&s));
    need(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    need(cudaMallocAsync(&a, 1200, s));
    need(cudaMemsetAsync(a, 0, wrong ? 600 : 1200, s));
    add<<<3, 128, 0, s>>>(a, b, out, 300);
    need(cudaFreeAsync(a, s));
    need(cudaStreamEndCapture(s, &graph));
    need(cudaGraphInstantiate(&exec, graph, 0));
    need(cudaGraphLaunch(exec, s));
    need(cudaStreamSynchronize(s));
    return holds<int>(out, 300, one);
}

// ---- shared memory

__global__ void shared_never(int *out, bool w)
{
    __shared__ int sum[32];
    int t = threadIdx.x;
    if (!w) sum[t] = 0;
    sum[t] += t; // FAULT shared_never
    out[t] = sum[t];
}
__global__ void shared_tail(const int *a, int *out, int n, bool w)
{
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t < n) tile[t] = a[t];
    else if (!w) tile[t] = 0;
    __syncthreads();
    out[t] = tile[t] + tile[63 - t]; // FAULT shared_tail
}
__global__ void shared_halo(const int *a, int *out, bool w)
{
    __shared__ int tile[66];
    int t = threadIdx.x;
    tile[t + 1] = a[t];
    if (t == 0) {
        tile[0] = 0;
        if (!w) tile[65] = 0;
    }
    __syncthreads();
    out[t] = tile[t] + tile[t + 1] + tile[t + 2]; // FAULT shared_halo
}
__global__ void shared_block(int *out, bool w) // what the block before left in its shared memory
{
    extern __shared__ int left[];
    int t = threadIdx.x;
    if (!w || blockIdx.x == 0) left[t] = 7;
    __syncthreads();
    out[32 * blockIdx.x + t] = left[31 - t]; // FAULT shared_block
}
CASE(shared_never)
{
    int *out = make<int>(32);
    shared_never<<<1, 32>>>(out, wrong);
    return holds<int>(out, 32, [](int i) { return i; });
}
CASE(shared_tail)
{
    int *out = make<int>(64);
    shared_tail<<<1, 64>>>(made<int>(64, one), out, 50, wrong);
    return holds<int>(out, 64, [](int i) { return i < 14 || i >= 50 ? 1 : 2; });
}
CASE(shared_halo)
{
    int *out = make<int>(64);
    shared_halo<<<1, 64>>>(made<int>(64, one), out, wrong);
    return holds<int>(out, 64, [](int i) { return i == 0 || i == 63 ? 2 : 3; });
}
CASE(shared_block)
{
    int *out = make<int>(128);
    shared_block<<<4, 32, 128>>>(out, wrong);
    return holds<int>(out, 128, [](int) { return 7; });
}

// ---- local memory

__global__ void local_part(const int *index, int *out, int n)
{
    int stack[16], t = threadIdx.x;
    for (int i = 0; i < n; i++)
        stack[index[i] & 15] = i + t;
    out[t] = stack[index[t] & 15]; // FAULT local_part
}
CASE(local_part) // a local array of which one element was not written
{
    int *out = make<int>(16);
    local_part<<<1, 16>>>(made<int>(16, [](int i) { return 5 * i; }), out, wrong ? 15 : 16);
    return holds<int>(out, 16, [](int i) { return 2 * i; });
}
__device__ __noinline__ void maybe(int *value, bool set)
{
    if (set) *value = 3;
}
__global__ void local_out(int *out, bool w) // a result that a function gives on one of its ways only
{
    int v, t = threadIdx.x;
    if (!w) v = 0;
    maybe(&v, t % 2);
    out[t] = v; // FAULT local_out
}
CASE(local_out)
{
    int *out = make<int>(32);
    local_out<<<1, 32>>>(out, wrong);
    return holds<int>(out, 32, [](int i) { return i % 2 * 3; });
}

__global__ void system_bits(int *out, bool w) // cooperative groups clear a bit of a word that nobody wrote, in shared memory of the system
{
    __shared__ unsigned own[32];
    unsigned offset;
    asm("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(offset));
    unsigned *word = w ? own : static_cast<unsigned *>(__cvta_shared_to_generic(offset)) + 1;
    if (threadIdx.x == 0) atomicAnd(word, ~1u); // FAULT system_bits
    __syncwarp();
    if (*word & 1) out[threadIdx.x] = 1;
}
CASE(system_bits)
{
    int *out = make<int>(32);
    system_bits<<<1, 32>>>(out, wrong);
    return holds<int>(out, 32, [](int) { return 0; });
}

// ---- memory that is not used

CASE(unused)
{
    int *a = made<int>(300, one), *b = NULL;
    if (wrong) need(cudaMalloc(&b, 4096)); // FAULT unused
    bool good = sums(a, 300);
    if (b) need(cudaFree(b));
    return good;
}
CASE(unused_half) // twice the memory that is needed
{
    int *a, *out = make<int>(1024);
    need(cudaMalloc(&a, wrong ? 8192 : 4096)); // FAULT unused_half
    need(cudaMemset(a, 0, 4096));
    add<<<8, 128>>>(a, made<int>(1024, one), out, 1024);
    bool good = holds<int>(out, 1024, one);
    need(cudaFree(a));
    return good;
}
