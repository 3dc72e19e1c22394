// SPDX-License-Identifier: Apache-2.0
// One kernel a feature that is easily slow (atomics, strided structures, halves, local arrays, 64-bit products, double
// functions, match, textures, printf) beside the natural loop in C (rows_native.c): CPU time of both, one after the other,
// repetition by repetition, every output checked. Prints medians in milliseconds and native / Softwarp.
// usage: rows [-r REPETITIONS] [-k PART OF A NAME]
#include "rows_native.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

enum { N = 1 << 20, ROWS = 1 << 16, WIDTH = 1024, HEIGHT = 512, PRINTS = 1 << 13 };

// ---- kernels

__device__ inline int index_of() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void histogram_global(unsigned *bins, const unsigned *keys, unsigned mask)
{
    atomicAdd(&bins[keys[index_of()] & mask], 1u);
}

__global__ void histogram_float(float *bins, const unsigned *keys, const float *values, unsigned mask)
{
    atomicAdd(&bins[keys[index_of()] & mask], values[index_of()]);
}

__global__ void histogram_shared(unsigned *bins, const unsigned *keys, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = index_of(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[keys[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void points(point *out, const point *at, const point *speed, float dt)
{
    point p = at[index_of()], v = speed[index_of()];
    float k = dt * (1.0f + v.x * v.x + v.y * v.y + v.z * v.z);
    out[index_of()] = {p.x + k * v.x, p.y + k * v.y, p.z + k * v.z};
}

__global__ void half_fma(__half *out, const __half *a, const __half *b)
{
    __half x = a[index_of()], y = b[index_of()], s = y;
    for (int k = 0; k < 32; k++)
        s = __hfma(s, x, y);
    out[index_of()] = s;
}

__global__ void half2_fma(__half2 *out, const __half2 *a, const __half2 *b)
{
    __half2 x = a[index_of()], y = b[index_of()], s = y;
    for (int k = 0; k < 32; k++)
        s = __hfma2(s, x, y);
    out[index_of()] = s;
}

__global__ void half2_axpy(__half2 *out, const __half2 *x, const __half2 *y)
{
    out[index_of()] = __hadd2(__hmul2(x[index_of()], __float2half2_rn(0.5f)), y[index_of()]);
}

__global__ void brain_fma(__nv_bfloat16 *out, const __nv_bfloat16 *a, const __nv_bfloat16 *b)
{
    __nv_bfloat16 x = a[index_of()], y = b[index_of()], s = y;
    for (int k = 0; k < 32; k++)
        s = __hfma(s, x, y);
    out[index_of()] = s;
}

__global__ void half_round_trip(__half *out, const __half *in)
{
    out[index_of()] = __float2half_rn(__half2float(in[index_of()]) * 3.0f + 1.0f);
}

__global__ void local_array(unsigned *out, const unsigned *in)
{
    unsigned count[16] = {0}, s = in[index_of()], best = 0;
    for (int k = 0; k < 32; k++) {
        s = s * 1664525u + 1013904223u;
        count[s >> 28] += k;
    }
    for (int k = 0; k < 16; k++)
        best = count[k] > best ? count[k] : best;
    out[index_of()] = best * 16 + count[s >> 28];
}

__global__ void sparse(float *y, const int *start, const int *column, const float *value, const float *x, int rows)
{
    int r = index_of();
    if (r >= rows) return;
    float sum = 0;
    for (int i = start[r]; i < start[r + 1]; i++)
        sum += value[i] * x[column[i]];
    y[r] = sum;
}

__global__ void block_sums(float *out, const float *in)
{
    __shared__ float part[256];
    part[threadIdx.x] = in[index_of()];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void count_positive(unsigned *out, const float *in)
{
    if (in[index_of()] > 0.5f) atomicAdd(out, 1u);
}

__global__ void compact(unsigned *out, unsigned *count, const float *in)
{
    if (in[index_of()] > 0.5f) out[atomicAdd(count, 1u)] = index_of();
}

__global__ void add_each(float *out, const float *in) { atomicAdd(&out[index_of()], in[index_of()]); }
__global__ void add_each_int(unsigned *out, const unsigned *in) { atomicAdd(&out[index_of()], in[index_of()]); }
__global__ void largest(int *out, const unsigned *in) { atomicMax(out, (int)(in[index_of()] >> 1)); }

__global__ void high_product(unsigned long long *out, const unsigned *in)
{
    unsigned long long s = in[index_of()] * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 16; k++)
        s = __umul64hi(s, 0xd6e8feb86659fd93u) ^ (s + k);
    out[index_of()] = s;
}

template <int WHICH> __global__ void double_function(double *out, const float *in)
{
    double x = (double)in[index_of()] * 4 + 0.25, y;
    switch (WHICH) {
    case 0: y = exp(x); break;
    case 1: y = log(x); break;
    case 2: y = sin(x); break;
    case 3: y = pow(x, 1.7); break;
    case 4: y = 1 / sqrt(x) + x / (x + 3); break;
    default: y = tanh(x) + erf(x); break;
    }
    out[index_of()] = y;
}

__global__ void match(unsigned *out, const unsigned *in)
{
    out[index_of()] = __match_any_sync(0xffffffffu, in[index_of()] & 15);
}

__global__ void bilinear(float *out, cudaTextureObject_t image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x * 0.96875f + y * 0.125f, v = y * 0.96875f - x * 0.125f;
    out[y * WIDTH + x] = tex2D<float>(image, u + 0.5f, v + 0.5f);
}

__global__ void print() { printf("thread %d: %f\n", index_of(), index_of() * 0.5); }

// ---- rows

static void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

enum element { WORDS, FLOATS, DOUBLES, HALVES, BRAINS };
struct row {
    const char *name;
    enum element type;
    size_t bytes;     // of output
    double tolerance; // relative
    std::function<void(void *)> device, native;
};

template <class T> struct both { // the same on the device and here
    std::vector<T> host;
    T *device;
};

template <class T, class F> static both<T> *input(size_t count, F value)
{
    both<T> *b = new both<T>;
    b->host.resize(count);
    for (size_t i = 0; i < count; i++)
        b->host[i] = value(i);
    check(cudaMalloc(&b->device, count * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(b->device, b->host.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return b;
}

static uint64_t random_state = 88172645463325252u; // xorshift64 (Marsaglia 2003)
static uint32_t random_word(size_t)
{
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}
static float random_float(size_t) { return (float)(random_word(0) >> 8) / (1 << 24); }

static uint16_t half_bits(float x)
{
    __half h = __float2half(x);
    uint16_t bits;
    memcpy(&bits, &h, 2);
    return bits;
}

static uint16_t brain_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return (uint16_t)(bits >> 16);
}

static cudaTextureObject_t texture_of(const std::vector<float> &image)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    check(cudaMallocArray(&array, &format, WIDTH, HEIGHT), "cudaMallocArray");
    check(cudaMemcpy2DToArray(array, 0, 0, image.data(), WIDTH * 4, WIDTH * 4, HEIGHT, cudaMemcpyHostToDevice), "copy");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
    sampler.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr), "cudaCreateTextureObject");
    return texture;
}

// device printf, its text not kept: standard output is /dev/null meanwhile
static void print_on_device(void *)
{
    fflush(stdout);
    int kept = dup(1);
    if (!freopen("/dev/null", "w", stdout)) exit(1);
    print<<<PRINTS / 256, 256>>>();
    check(cudaDeviceSynchronize(), "print");
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
}

#define LAUNCH(...) [=](void *out) { __VA_ARGS__; }
static std::vector<row> rows_of()
{
    enum { B = N / 256 };
    both<uint32_t> *keys = input<uint32_t>(N, random_word);
    both<float> *x = input<float>(N, random_float);
    auto point_at = [](size_t) { return point{random_float(0), random_float(0), random_float(0)}; };
    both<point> *at = input<point>(N / 4, point_at), *speed = input<point>(N / 4, point_at);
    both<uint16_t> *a = input<uint16_t>(N, [](size_t i) { return half_bits(random_float(i)); });
    both<uint16_t> *b = input<uint16_t>(N, [](size_t i) { return half_bits(random_float(i) - 0.5f); });
    both<uint16_t> *c = input<uint16_t>(N, [](size_t i) { return brain_bits(random_float(i)); });
    both<uint16_t> *d = input<uint16_t>(N, [](size_t i) { return brain_bits(random_float(i) - 0.5f); });
    both<int> *start = input<int>(ROWS + 1, [](size_t) { return 0; });
    for (int r = 0; r < ROWS; r++)
        start->host[r + 1] = start->host[r] + 8 + (int)(random_word(0) % 16);
    check(cudaMemcpy(start->device, start->host.data(), (ROWS + 1) * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    size_t entries = start->host[ROWS];
    both<int> *column = input<int>(entries, [](size_t) { return (int)(random_word(0) % ROWS); });
    both<float> *value = input<float>(entries, random_float);
    both<float> *image = input<float>(WIDTH * HEIGHT, random_float);
    cudaTextureObject_t texture = texture_of(image->host);
    auto half = [](const both<uint16_t> *h) { return (__half *)h->device; };
    auto half2 = [](const both<uint16_t> *h) { return (__half2 *)h->device; };
    auto brain = [](const both<uint16_t> *h) { return (__nv_bfloat16 *)h->device; };
    static std::vector<char> text(PRINTS * 64);
    std::vector<row> rows = {
        {"histogram, global atomics, 256", WORDS, 1024, 0,
         LAUNCH(histogram_global<<<B, 256>>>((unsigned *)out, keys->device, 255)),
         LAUNCH(native_histogram((uint32_t *)out, keys->host.data(), N, 255))},
        {"histogram, global atomics, 1 Mi", WORDS, 4 * N, 0,
         LAUNCH(histogram_global<<<B, 256>>>((unsigned *)out, keys->device, N - 1)),
         LAUNCH(native_histogram((uint32_t *)out, keys->host.data(), N, N - 1))},
        {"float sums, global atomics, 64 Ki", FLOATS, 4 << 16, 1e-4,
         LAUNCH(histogram_float<<<B, 256>>>((float *)out, keys->device, x->device, 65535)),
         LAUNCH(native_histogram_float((float *)out, keys->host.data(), x->host.data(), N, 65535))},
        {"histogram, shared atomics, 256", WORDS, 1024, 0,
         LAUNCH(histogram_shared<<<64, 256>>>((unsigned *)out, keys->device, N)),
         LAUNCH(native_histogram((uint32_t *)out, keys->host.data(), N, 255))},
        {"array of structures of 3 floats", FLOATS, N / 4 * sizeof(point), 1e-5,
         LAUNCH(points<<<B / 4, 256>>>((point *)out, at->device, speed->device, 0.25f)),
         LAUNCH(native_points((point *)out, at->host.data(), speed->host.data(), N / 4, 0.25f))},
        {"half fma", HALVES, 2 * N, 2e-3, LAUNCH(half_fma<<<B, 256>>>((__half *)out, half(a), half(b))),
         LAUNCH(native_half_fma((uint16_t *)out, a->host.data(), b->host.data(), N))},
        {"half2 fma", HALVES, 2 * N, 2e-3, LAUNCH(half2_fma<<<B / 2, 256>>>((__half2 *)out, half2(a), half2(b))),
         LAUNCH(native_half_fma((uint16_t *)out, a->host.data(), b->host.data(), N))},
        {"half2 multiply and add", HALVES, 2 * N, 2e-3,
         LAUNCH(half2_axpy<<<B / 2, 256>>>((__half2 *)out, half2(a), half2(b))),
         LAUNCH(native_half2_axpy((uint16_t *)out, a->host.data(), b->host.data(), N))},
        {"bfloat16 fma", BRAINS, 2 * N, 2e-2, LAUNCH(brain_fma<<<B, 256>>>((__nv_bfloat16 *)out, brain(c), brain(d))),
         LAUNCH(native_brain_fma((uint16_t *)out, c->host.data(), d->host.data(), N))},
        {"half to float and back", HALVES, 2 * N, 0, LAUNCH(half_round_trip<<<B, 256>>>((__half *)out, half(a))),
         LAUNCH(native_half_round_trip((uint16_t *)out, a->host.data(), N))},
        {"local array, dynamic index", WORDS, 4 * N / 8, 0,
         LAUNCH(local_array<<<B / 8, 256>>>((unsigned *)out, keys->device)),
         LAUNCH(native_local_array((uint32_t *)out, keys->host.data(), N / 8))},
        {"sparse matrix, a row a thread", FLOATS, 4 * ROWS, 1e-5,
         LAUNCH(sparse<<<ROWS / 256, 256>>>((float *)out, start->device, column->device, value->device, x->device, ROWS)),
         LAUNCH(native_sparse((float *)out, start->host.data(), column->host.data(), value->host.data(), x->host.data(), ROWS))},
        {"reduction in shared memory", FLOATS, 4 * B, 1e-5, LAUNCH(block_sums<<<B, 256>>>((float *)out, x->device)),
         LAUNCH(native_block_sums((float *)out, x->host.data(), N))},
        {"atomics, one address, no result", WORDS, 4, 0, LAUNCH(count_positive<<<B, 256>>>((unsigned *)out, x->device)),
         LAUNCH(native_count_positive((uint32_t *)out, x->host.data(), N))},
        {"atomics, one address, result", WORDS, 4, 0,
         LAUNCH(compact<<<B, 256>>>((unsigned *)out + 1, (unsigned *)out, x->device)),
         LAUNCH(native_compact((uint32_t *)out + 1, (uint32_t *)out, x->host.data(), N))},
        {"atomics, maximum at one address", WORDS, 4, 0, LAUNCH(largest<<<B, 256>>>((int *)out, keys->device)),
         LAUNCH(native_largest((int *)out, keys->host.data(), N))},
        {"atomics, contiguous, float", FLOATS, 4 * N, 0, LAUNCH(add_each<<<B, 256>>>((float *)out, x->device)),
         LAUNCH(native_add_each((float *)out, x->host.data(), N))},
        {"atomics, contiguous, int", WORDS, 4 * N, 0, LAUNCH(add_each_int<<<B, 256>>>((unsigned *)out, keys->device)),
         LAUNCH(native_add_each_int((uint32_t *)out, keys->host.data(), N))},
        {"64-bit high products", WORDS, 8 * N / 4, 0,
         LAUNCH(high_product<<<B / 4, 256>>>((unsigned long long *)out, keys->device)),
         LAUNCH(native_high_product((uint64_t *)out, keys->host.data(), N / 4))},
        {"match any, 16 values", WORDS, 4 * N / 4, 0, LAUNCH(match<<<B / 4, 256>>>((unsigned *)out, keys->device)),
         LAUNCH(native_match((uint32_t *)out, keys->host.data(), N / 4))},
        {"texture, bilinear", FLOATS, 4 * WIDTH * HEIGHT, 5e-2,
         LAUNCH(bilinear<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>((float *)out, texture)),
         LAUNCH(native_bilinear((float *)out, image->host.data(), WIDTH, HEIGHT))},
        {"printf", WORDS, 4, 0, print_on_device, LAUNCH(native_print(text.data(), (int)text.size(), PRINTS))},
    };
#define DOUBLE(name, which)                                                                                            \
    rows.push_back({name, DOUBLES, 8 * N / 4, 1e-14,                                                                   \
                    LAUNCH(double_function<which><<<B / 4, 256>>>((double *)out, x->device)),                          \
                    LAUNCH(native_double_functions((double *)out, x->host.data(), N / 4, which))})
    DOUBLE("double exp", 0);
    DOUBLE("double log", 1);
    DOUBLE("double sin", 2);
    DOUBLE("double pow", 3);
    DOUBLE("double divisions and square root", 4);
    DOUBLE("double tanh and erf", 5);
    return rows;
}

// ---- measuring

static double number_at(enum element type, const std::vector<char> &bytes, size_t i)
{
    const char *at = bytes.data();
    switch (type) {
    case WORDS: return ((const uint32_t *)at)[i];
    case FLOATS: return ((const float *)at)[i];
    case DOUBLES: return ((const double *)at)[i];
    case HALVES: return __half2float(((const __half *)at)[i]);
    default: return __bfloat162float(((const __nv_bfloat16 *)at)[i]);
    }
}

static bool is_right(const row &r, const std::vector<char> &got, const std::vector<char> &want)
{
    static const size_t bytes_of[] = {4, 4, 8, 2, 2};
    double mean = 0, count = (double)(r.bytes / bytes_of[r.type]); // sums cancel: an error counts against their size
    for (size_t i = 0; i < (size_t)count; i++)
        mean += fabs(number_at(r.type, want, i)) / count;
    for (size_t i = 0; i < (size_t)count; i++) {
        double g = number_at(r.type, got, i), w = number_at(r.type, want, i);
        if (fabs(g - w) <= r.tolerance * (fabs(w) + 0.1 * mean)) continue;
        fprintf(stderr, "%s: WRONG OUTPUT at %zu: %.9g, not %.9g\n", r.name, i, g, w);
        return false;
    }
    return true;
}

static double now_ms()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static bool measure(const row &r, int repetitions, double *ratio)
{
    size_t room = r.bytes + 4 * N + 64; // compaction writes after its count
    std::vector<char> got(r.bytes), want(r.bytes), here(room);
    std::vector<double> device_ms, native_ms;
    char *out;
    check(cudaMalloc(&out, room), "cudaMalloc");
    for (int i = 0; i <= repetitions; i++) { // the first compiles
        check(cudaMemset(out, 0, room), "cudaMemset");
        memset(here.data(), 0, room);
        check(cudaDeviceSynchronize(), "cudaMemset");
        double t0 = now_ms();
        r.native(here.data());
        double t1 = now_ms();
        r.device(out);
        check(cudaDeviceSynchronize(), r.name);
        double t2 = now_ms();
        if (i) native_ms.push_back(t1 - t0), device_ms.push_back(t2 - t1);
    }
    check(cudaMemcpy(got.data(), out, r.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    memcpy(want.data(), here.data(), r.bytes);
    check(cudaFree(out), "cudaFree");
    double native = median(native_ms), device = median(device_ms);
    *ratio = native / device;
    printf("%-34s %9.3f %9.3f %7.2f\n", r.name, native, device, *ratio);
    fflush(stdout);
    return is_right(r, got, want);
}

int main(int argc, char **argv)
{
    int repetitions = 9, option, count = 0;
    const char *part = "";
    bool right = true;
    double sum = 0, ratio;
    while ((option = getopt(argc, argv, "r:k:")) != -1) {
        if (option == 'r') repetitions = std::max(atoi(optarg), 1);
        if (option == 'k') part = optarg;
        if (option == '?') return 2;
    }
    printf("%-34s %9s %9s %7s\n", "ms", "native", "Softwarp", "ratio");
    for (const row &r : rows_of()) {
        if (!strstr(r.name, part)) continue;
        right = measure(r, repetitions, &ratio) && right;
        sum += log(ratio), count++;
    }
    if (count) printf("%-34s %9s %9s %7.2f\n", "geometric mean", "", "", exp(sum / count));
    return right ? 0 : 1;
}
