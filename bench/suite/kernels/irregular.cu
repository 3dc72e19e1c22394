// SPDX-License-Identifier: Apache-2.0
// Sparse matrices, graphs, sorting, scans and movements of data.

// A row a thread.
KERNEL spmv_scalar(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const float *value, GLOBAL const float *x,
                   GLOBAL float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = start[row]; i < start[row + 1]; i++) sum += value[i] * x[column[i]];
    y[row] = sum;
}

// A row a warp.
KERNEL spmv_warp(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const float *value, GLOBAL const float *x,
                 GLOBAL float *y, int rows)
{
    WARP_SCRATCH;
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    if (row < rows)
        for (int i = start[row] + lane; i < start[row + 1]; i += 32) sum += value[i] * x[column[i]];
    sum = warp_sum(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

// ELLPACK: entry k of all rows side by side.
KERNEL spmv_ell(GLOBAL const int *column, GLOBAL const float *value, GLOBAL const float *x, GLOBAL float *y, int rows,
                int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; k++) sum += value[k * rows + row] * x[column[k * rows + row]];
    y[row] = sum;
}

// One level of a breadth-first search; levels of nodes not yet reached are -1.
KERNEL bfs_step(GLOBAL const int *start, GLOBAL const int *column, GLOBAL int *level, int nodes, int depth)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != depth) return;
    for (int i = start[node]; i < start[node + 1]; i++)
        if (level[column[i]] < 0) level[column[i]] = depth + 1;
}

KERNEL histogram(GLOBAL const unsigned *key, GLOBAL unsigned *bin, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[key[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bin[threadIdx.x], count[threadIdx.x]);
}

// Inclusive scans of blocks of 256, and their sums.
KERNEL scan_blocks(GLOBAL const unsigned *in, GLOBAL unsigned *out, GLOBAL unsigned *sum, int n)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 1; k < 256; k <<= 1) {
        unsigned before = t >= k ? s[t - k] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
    if (t == 255) sum[blockIdx.x] = s[t];
}

// The exclusive scan of n counts in place, by one block of 256 threads, each n / 256 of them.
KERNEL scan_counts(GLOBAL unsigned *count, int n)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x, each = n / 256;
    unsigned sum = 0;
    for (int i = 0; i < each; i++) sum += count[t * each + i];
    s[t] = sum;
    __syncthreads();
    for (int k = 1; k < 256; k <<= 1) {
        unsigned before = t >= k ? s[t - k] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    unsigned at = s[t] - sum;
    for (int i = 0; i < each; i++) {
        unsigned c = count[t * each + i];
        count[t * each + i] = at;
        at += c;
    }
}

KERNEL scan_add(GLOBAL unsigned *out, GLOBAL const unsigned *sum, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] += sum[blockIdx.x];
}

// Which lanes of the warp have the same digit, of 16.
#ifdef __OPENCL_VERSION__
#define MATCH_SCRATCH        __local unsigned match_scratch[256]
#define matching(digit)      matching_in(digit, match_scratch)
#define popcount_of(mask)    popcount(mask)
DEVICE unsigned matching_in(unsigned digit, LOCAL unsigned *s)
{
    int first = threadIdx.x & ~31;
    unsigned mask = 0;
    s[threadIdx.x] = digit;
    __syncthreads();
    for (int k = 0; k < 32; k++) mask |= (unsigned)(s[first + k] == digit) << k;
    __syncthreads();
    return mask;
}
#else
#define MATCH_SCRATCH
#define popcount_of(mask) __popc(mask)
DEVICE unsigned matching(unsigned digit)
{
    unsigned mask = 0xffffffff;
    for (int b = 0; b < 4; b++) {
        unsigned with = __ballot_sync(0xffffffff, digit >> b & 1);
        mask &= digit >> b & 1 ? with : ~with;
    }
    return mask;
}
#endif

// Compaction: how many of each block of 256 are above the limit; their places.
KERNEL compact_count(GLOBAL const float *in, GLOBAL unsigned *count, float limit)
{
    MATCH_SCRATCH;
    __shared__ unsigned warp_count[8];
    int t = threadIdx.x;
    unsigned keep = in[blockIdx.x * 256 + t] > limit, same = matching(keep);
    unsigned kept = keep ? same : ~same;
    if (t % 32 == 0) warp_count[t / 32] = popcount_of(kept);
    __syncthreads();
    if (t != 0) return;
    unsigned sum = 0;
    for (int w = 0; w < 8; w++) sum += warp_count[w];
    count[blockIdx.x] = sum;
}

KERNEL compact_write(GLOBAL const float *in, GLOBAL const unsigned *place, GLOBAL float *out, float limit)
{
    MATCH_SCRATCH;
    __shared__ unsigned warp_count[8];
    int t = threadIdx.x;
    float value = in[blockIdx.x * 256 + t];
    unsigned keep = value > limit, same = matching(keep), kept = keep ? same : ~same;
    if (t % 32 == 0) warp_count[t / 32] = popcount_of(kept);
    __syncthreads();
    unsigned at = place[blockIdx.x] + popcount_of(kept & ((1u << (t % 32)) - 1));
    for (int w = 0; w < t / 32; w++) at += warp_count[w];
    if (keep) out[at] = value;
}

// Radix sort by 4 bits: counts, digit by digit and block by block; then each key to its place, in order.
KERNEL radix_count(GLOBAL const unsigned *key, GLOBAL unsigned *count, int shift)
{
    __shared__ unsigned c[16];
    int t = threadIdx.x;
    if (t < 16) c[t] = 0;
    __syncthreads();
    atomicAdd(&c[key[blockIdx.x * 256 + t] >> shift & 15], 1u);
    __syncthreads();
    if (t < 16) count[t * gridDim.x + blockIdx.x] = c[t];
}

KERNEL radix_write(GLOBAL const unsigned *key, GLOBAL const unsigned *place, GLOBAL unsigned *out, int shift)
{
    MATCH_SCRATCH;
    __shared__ unsigned before[8][16];
    int t = threadIdx.x;
    if (t < 128) before[t / 16][t % 16] = 0;
    __syncthreads();
    unsigned k = key[blockIdx.x * 256 + t], digit = k >> shift & 15, same = matching(digit);
    unsigned rank = popcount_of(same & ((1u << (t % 32)) - 1));
    if (rank == 0) before[t / 32][digit] = popcount_of(same);
    __syncthreads();
    unsigned at = place[digit * gridDim.x + blockIdx.x] + rank;
    for (int w = 0; w < t / 32; w++) at += before[w][digit];
    out[at] = k;
}

// Blocks of 256 threads sort 512 keys each.
KERNEL bitonic(GLOBAL const unsigned *in, GLOBAL unsigned *out)
{
    __shared__ unsigned s[512];
    int t = threadIdx.x, first = blockIdx.x * 512;
    s[t] = in[first + t];
    s[t + 256] = in[first + t + 256];
    for (int size = 2; size <= 512; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int a = 2 * t - (t & (stride - 1)), b = a + stride;
            bool up = (a & size) == 0;
            unsigned x = s[a], y = s[b];
            if ((x > y) == up) {
                s[a] = y;
                s[b] = x;
            }
        }
    __syncthreads();
    out[first + t] = s[t];
    out[first + t + 256] = s[t + 256];
}

// Running maxima of segments of 32. A segment a warp.
#ifdef __OPENCL_VERSION__
KERNEL prefix_max(GLOBAL const float *in, GLOBAL float *out)
{
    __local float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    for (int k = 1; k < 32; k <<= 1) {
        float before = t % 32 >= k ? s[t - k] : s[t];
        __syncthreads();
        s[t] = fmaxf(s[t], before);
        __syncthreads();
    }
    out[i] = s[t];
}
#else
KERNEL prefix_max(const float *in, float *out)
{
    int lane = threadIdx.x % 32, i = blockIdx.x * 256 + threadIdx.x;
    float v = in[i];
    for (int k = 1; k < 32; k <<= 1) {
        float before = __shfl_up_sync(0xffffffff, v, k);
        if (lane >= k) v = fmaxf(v, before);
    }
    out[i] = v;
}
#endif

KERNEL gather(GLOBAL const float *in, GLOBAL const int *index, GLOBAL float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i]];
}

KERNEL scatter(GLOBAL const float *in, GLOBAL const int *place, GLOBAL float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[place[i]] = in[i];
}

struct vector {
    float x, y, z;
};

KERNEL split_vectors(GLOBAL const struct vector *in, GLOBAL float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    struct vector v = in[i];
    out[i] = v.x;
    out[n + i] = v.y;
    out[2 * n + i] = v.z;
}

// How often the pattern of `length` letters of 2 bits occurs.
KERNEL search(GLOBAL const unsigned char *text, GLOBAL const unsigned char *pattern, GLOBAL unsigned *count, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - length) return;
    for (int k = 0; k < length; k++)
        if ((text[i + k] & 3) != (pattern[k] & 3)) return;
    atomicAdd(count, 1u);
}
