// SPDX-License-Identifier: Apache-2.0
// Kernels that access memory of every space wrongly, and the same mended: spaces CASE fault|fine. The line that is at fault has a
// comment FAULT CASE; spaces.tsv says what is reported of it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// ---- shared memory

__global__ void shared_next(int *out, int more)
{
    __shared__ int a[64], b[64];
    int i = threadIdx.x;
    b[i] = 2;
    a[i] = 1;
    __syncthreads();
    a[i + more] += b[63 - i]; // FAULT shared_next
    __syncthreads();
    out[i] = a[i] + b[i];
}
__global__ void shared_dynamic(int *out, int more)
{
    extern __shared__ int d[];
    d[threadIdx.x + more] = threadIdx.x; // FAULT shared_dynamic
    __syncthreads();
    out[threadIdx.x] = d[63 - threadIdx.x];
}
__global__ void shared_blocks(int *out, int more)
{
    __shared__ char tile[10];
    if (threadIdx.x < 10) tile[threadIdx.x + (blockIdx.x % 2 ? more : 0)] = 1; // FAULT shared_blocks
    __syncthreads();
    if (threadIdx.x < 10) out[threadIdx.x] = tile[threadIdx.x];
}
__device__ __noinline__ void put(int *p, int value)
{
    *p = value; // FAULT shared_generic FAULT local_generic
}
__global__ void shared_generic(int *out, int more)
{
    extern __shared__ int d[];
    put(threadIdx.x % 2 ? d + threadIdx.x + more : out + threadIdx.x, 3);
}
__global__ void shared_misaligned(int *out, int more)
{
    __shared__ __align__(8) char bytes[256];
    bytes[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = *(short *)(bytes + 2 * threadIdx.x + more); // FAULT shared_misaligned
}
__global__ void shared_atomic(int *out, int more)
{
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 16 + more], 1); // FAULT shared_atomic
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

// ---- local memory

__global__ void local_array(int *out, int more)
{
    int x[8];
    for (int i = 0; i < 8; i++)
        x[i] = out[i];
    x[(out[threadIdx.x] & 7) + more] = 3; // FAULT local_array
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += x[(i + out[0]) & 7];
    out[threadIdx.x] = sum;
}
__global__ void local_generic(int *out, int more)
{
    int x[4] = {1, 2, 3, 4};
    put(x + (more ? more : threadIdx.x & 3), 5);
    out[threadIdx.x] = x[out[0] & 3];
}
__global__ void local_alloca(int *out, int n, int more)
{
    int *p = (int *)__builtin_alloca(4 * n);
    for (int i = 0; i < n; i++)
        p[i] = i;
    p[n - 1 + more] = 3; // FAULT local_alloca
    out[threadIdx.x] = p[out[0] % n];
}

// ---- constants, parameters, variables of the module

__constant__ int table[16];
__global__ void constant(int *out, int more)
{
    out[threadIdx.x] = table[threadIdx.x % 16 + more]; // FAULT constant
}
struct eight {
    int v[8];
};
__global__ void param(eight p, int *out, int more)
{
    out[threadIdx.x] = p.v[threadIdx.x % 8 + more]; // FAULT param
}
__device__ int counts[10], neighbour[10];
__global__ void variable(int *out, int more)
{
    out[threadIdx.x] = counts[threadIdx.x % 10 + more] + neighbour[0]; // FAULT variable
}
__global__ void named(int *out, int more)
{
    if (more)
        asm volatile("st.global.u32 [counts+40], 1;" ::: "memory"); // FAULT named
    else
        asm volatile("st.global.u32 [counts+36], 1;" ::: "memory");
    out[0] = counts[0];
}

// ---- copies

__global__ void copy_to(const int *in, int *out, int more)
{
    __shared__ __align__(16) int tile[64];
    if (threadIdx.x < 16)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile + 4 * (threadIdx.x + more))), "l"(in + 4 * threadIdx.x) : "memory"); // FAULT copy_to
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void copy_from(const int *in, int *out, int n)
{
    __shared__ __align__(16) int tile[64];
    if (threadIdx.x < 16)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile + 4 * threadIdx.x)), "l"(in + n - 64 + 4 * threadIdx.x) : "memory"); // FAULT copy_from
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
// The last copy has only 8 bytes left.
__global__ void copy_some(const int *in, int *out, int n, int size)
{
    __shared__ __align__(16) int tile[64];
    if (threadIdx.x == 0)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(tile)), "l"(in + n - 2), "r"(size) : "memory"); // FAULT copy_some
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 2];
}
__global__ void bulk(int *out, int bytes)
{
    extern __shared__ __align__(128) int d[];
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_address(d)), "r"(bytes) : "memory"); // FAULT bulk
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
__global__ void matrix_rows(int *out, int more)
{
    __shared__ __align__(16) int tile[4 * 32];
    tile[threadIdx.x] = tile[threadIdx.x + 32] = tile[threadIdx.x + 64] = tile[threadIdx.x + 96] = 1;
    __syncwarp();
    int r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(shared_address(tile + 4 * (threadIdx.x + more))) : "memory"); // FAULT matrix_rows
    out[threadIdx.x] = r0 + r1 + r2 + r3;
}
__global__ void fragment(const short *in, int *out, int stride)
{
    int r[8];
    asm volatile("wmma.load.a.sync.aligned.m16n16k16.global.row.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(in), "r"(stride) : "memory"); // FAULT fragment
    out[threadIdx.x] = r[0] + r[7];
}

// ---- surfaces, textures

__global__ void surface(cudaSurfaceObject_t s, int more)
{
    surf2Dwrite(1, s, 4 * (threadIdx.x + more), 1); // FAULT surface
}
__global__ void texture(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex1Dfetch<int>(t, threadIdx.x); // FAULT texture
}

// ---- the device's heap

__global__ void heap(int *out, int kind)
{
    char *p = (char *)malloc(10), *q = (char *)malloc(10);
    p[kind == 1 ? 10 : 9] = 1; // FAULT heap_past
    q[0] = p[9];
    free(p);
    if (kind == 2) p[0] = q[0]; // FAULT heap_freed
    out[0] = q[0];
    if (kind == 3) free(p);     // FAULT heap_twice
    if (kind == 4) free(q + 1); // FAULT heap_wrong
    free(q);
}

template <typename T> static T *make(size_t bytes)
{
    void *p;
    if (cudaMalloc(&p, bytes) != cudaSuccess || cudaMemset(p, 0, bytes) != cudaSuccess) exit(9);
    return (T *)p;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 9;
    bool wrong = strcmp(argv[2], "fault") == 0;
    auto is = [&](const char *other) { return strcmp(argv[1], other) == 0; };
    int more = wrong, *out = make<int>(4096), *in = make<int>(400);
    if (is("shared_next")) shared_next<<<1, 64>>>(out, more);
    if (is("shared_dynamic")) shared_dynamic<<<1, 64, 256>>>(out, more);
    if (is("shared_blocks")) shared_blocks<<<8, 64>>>(out, more);
    if (is("shared_generic")) shared_generic<<<1, 64, 256>>>(out, more);
    if (is("shared_misaligned")) shared_misaligned<<<1, 64>>>(out, more);
    if (is("shared_atomic")) shared_atomic<<<1, 64>>>(out, more);
    if (is("local_array")) local_array<<<1, 32>>>(out, 8 * more);
    if (is("local_generic")) local_generic<<<1, 32>>>(out, 4 * more);
    if (is("local_alloca")) local_alloca<<<1, 32>>>(out, 6, 2 * more);
    if (is("constant")) constant<<<1, 32>>>(out, more);
    if (is("param")) param<<<1, 32>>>(eight{}, out, more);
    if (is("variable")) variable<<<1, 32>>>(out, more);
    if (is("named")) named<<<1, 1>>>(out, more);
    if (is("copy_to")) copy_to<<<1, 64>>>(in, out, more);
    if (is("copy_from")) copy_from<<<1, 64>>>(in, out, 100 + 4 * more);
    if (is("copy_some")) copy_some<<<1, 64>>>(in, out, 98, wrong ? 20 : 8);
    if (is("bulk")) bulk<<<1, 64, 256>>>(out, 256 + 16 * more);
    if (is("matrix_rows")) matrix_rows<<<1, 32>>>(out, more);
    if (is("fragment")) fragment<<<1, 32>>>(make<short>(512), out, 16 + 8 * more);
    if (is("surface")) {
        cudaArray_t array;
        auto format = cudaCreateChannelDesc<int>();
        if (cudaMallocArray(&array, &format, 32, 4, cudaArraySurfaceLoadStore) != cudaSuccess) return 9;
        cudaResourceDesc what = {};
        what.resType = cudaResourceTypeArray;
        what.res.array.array = array;
        cudaSurfaceObject_t object;
        if (cudaCreateSurfaceObject(&object, &what) != cudaSuccess) return 9;
        surface<<<1, 32>>>(object, more);
    }
    if (is("texture")) {
        cudaResourceDesc what = {};
        what.resType = cudaResourceTypeLinear;
        what.res.linear.devPtr = in;
        what.res.linear.desc = cudaCreateChannelDesc<int>();
        what.res.linear.sizeInBytes = 400;
        cudaTextureDesc how = {};
        cudaTextureObject_t object;
        if (cudaCreateTextureObject(&object, &what, &how, NULL) != cudaSuccess) return 9;
        if (wrong) cudaFree(in);
        texture<<<1, 128>>>(object, out);
    }
    if (!strncmp(argv[1], "heap", 4))
        heap<<<1, 1>>>(out, !wrong ? 0 : is("heap_past") ? 1 : is("heap_freed") ? 2 : is("heap_twice") ? 3 : 4);
    cudaError_t error = cudaDeviceSynchronize();
    puts(cudaGetErrorName(error));
    return error != cudaSuccess;
}
