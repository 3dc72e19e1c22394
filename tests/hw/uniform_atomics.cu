// SPDX-License-Identifier: Apache-2.0
// Atomics by 2^18 threads at addresses that a warp has in common, by what ptxas can tell of them: of which it lets
// one lane do the warp's, and which stay as many as there are lanes. One launch a kernel, in the order of the file.
// record_uniform_atomics.sh records counters and times, uniform_atomics.sh compares.
#include <cstdio>
#include <cuda_runtime.h>

#define K(name, T, body) extern "C" __global__ void name(T *p, const T *q, T x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; (void)i; body; }
K(one, int, atomicAdd(p, 1))
K(one_if, int, if (i < n) atomicAdd(p, 1))
K(uni, int, atomicAdd(p, x))
K(lane, int, atomicAdd(p, q[i]))
K(lane_if, int, if (i<n) atomicAdd(p, q[i]))
K(blockp, int, atomicAdd(p + blockIdx.x, q[i]))
K(threadp, int, atomicAdd(p + i, q[i]))
K(modp, int, atomicAdd(p + (i & 7), 1))
K(used, int, p[i+1] = atomicAdd(p, 1))
K(usedl, int, p[i+1] = atomicAdd(p, q[i]))
K(mx, int, atomicMax(p, q[i]))
K(mxused, int, p[i+1]=atomicMax(p, q[i]))
K(orr, unsigned, atomicOr(p, q[i]))
K(andd, unsigned, atomicAnd(p, q[i]))
K(xorr, unsigned, atomicXor(p, q[i]))
K(inc, unsigned, atomicInc(p, x))
K(ull, unsigned long long, atomicAdd(p, q[i]))
K(ullone, unsigned long long, atomicAdd(p, 1ull))
K(flt, float, atomicAdd(p, q[i]))
K(fltone, float, atomicAdd(p, 1.0f))
K(dbl, double, atomicAdd(p, q[i]))
K(exch, int, atomicExch(p, q[i]))
K(loadp, int, atomicAdd(p + (q[0] & 7), 1))
extern "C" __global__ void sh(int *p, const int *q) { __shared__ int s; if (!threadIdx.x) s=0; __syncthreads(); atomicAdd(&s, q[threadIdx.x]); __syncthreads(); if (!threadIdx.x) *p = s; }
extern "C" __global__ void shone(int *p, const int *q) { __shared__ int s; if (!threadIdx.x) s=0; __syncthreads(); atomicAdd(&s, 1); __syncthreads(); if (!threadIdx.x) *p = s; }
K(cond, int, if (q[i] > 0) atomicAdd(p, 1))
K(condlane, int, if (q[i] > 0) atomicAdd(p, q[i]))
K(condused, int, if (q[i] > 0) p[i+1] = atomicAdd(p, 1))
K(loop4, int, for (int j = 0; j < 4; j++) atomicAdd(p, q[(i + j) & 1023]))
K(loopn, int, for (int j = 0; j < n; j++) atomicAdd(p, q[(i + j) & 1023]))
K(warpp, int, atomicAdd(p + (i >> 5), q[i]))
K(minn, int, atomicMin(p, q[i]))
K(umx, unsigned, atomicMax(p, q[i]))
K(ullmx, unsigned long long, atomicMax(p, q[i]))
K(ullor, unsigned long long, atomicOr(p, q[i]))
K(dblone, double, atomicAdd(p, 1.0))
K(fltused, float, p[i+1] = atomicAdd(p, q[i]))
K(subb, int, atomicSub(p, q[i]))
K(cas, int, atomicCAS(p, x, q[i]))
__device__ int g; extern "C" __global__ void glob(const int *q) { atomicAdd(&g, q[threadIdx.x]); }
extern "C" __global__ void globone() { atomicAdd(&g, 1); }
extern "C" __global__ void block_scope(int *p) { atomicAdd_block(p, 1); }
extern "C" __global__ void sys_scope(int *p) { atomicAdd_system(p, 1); }


int main()
{
    char *p, *q; cudaMalloc(&p, 4 << 20); cudaMalloc(&q, 4 << 20); cudaMemset(p, 0, 4 << 20); cudaMemset(q, 0, 4 << 20);
    static int h[1 << 20]; for (int i = 0; i < 1 << 20; i++) h[i] = (i * 2654435761u >> 16 & 7) - 3; cudaMemcpy(q, h, 4 << 20, cudaMemcpyHostToDevice);
    one<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    one_if<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    uni<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    lane<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    lane_if<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    blockp<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    threadp<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    modp<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    used<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    usedl<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    mx<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    mxused<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    orr<<<1024, 256>>>((unsigned *)p, (const unsigned *)q, (unsigned)1, 4);
    andd<<<1024, 256>>>((unsigned *)p, (const unsigned *)q, (unsigned)1, 4);
    xorr<<<1024, 256>>>((unsigned *)p, (const unsigned *)q, (unsigned)1, 4);
    inc<<<1024, 256>>>((unsigned *)p, (const unsigned *)q, (unsigned)1, 4);
    ull<<<1024, 256>>>((unsigned long long *)p, (const unsigned long long *)q, (unsigned long long)1, 4);
    ullone<<<1024, 256>>>((unsigned long long *)p, (const unsigned long long *)q, (unsigned long long)1, 4);
    flt<<<1024, 256>>>((float *)p, (const float *)q, (float)1, 4);
    fltone<<<1024, 256>>>((float *)p, (const float *)q, (float)1, 4);
    dbl<<<1024, 256>>>((double *)p, (const double *)q, (double)1, 4);
    exch<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    loadp<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    cond<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    condlane<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    condused<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    loop4<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    loopn<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    warpp<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    minn<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    umx<<<1024, 256>>>((unsigned *)p, (const unsigned *)q, (unsigned)1, 4);
    ullmx<<<1024, 256>>>((unsigned long long *)p, (const unsigned long long *)q, (unsigned long long)1, 4);
    ullor<<<1024, 256>>>((unsigned long long *)p, (const unsigned long long *)q, (unsigned long long)1, 4);
    dblone<<<1024, 256>>>((double *)p, (const double *)q, (double)1, 4);
    fltused<<<1024, 256>>>((float *)p, (const float *)q, (float)1, 4);
    subb<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    cas<<<1024, 256>>>((int *)p, (const int *)q, (int)1, 4);
    sh<<<1024, 256>>>((int *)p, (const int *)q); shone<<<1024, 256>>>((int *)p, (const int *)q); glob<<<1024, 256>>>((const int *)q);
    globone<<<1024, 256>>>(); block_scope<<<1024, 256>>>((int *)p); sys_scope<<<1024, 256>>>((int *)p);
    printf("%d\n", cudaDeviceSynchronize());
}
