/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cuSOLVER at many sizes, to be timed: before each a kernel `mark` that a profiler sees; one line a call on standard output.
 * usage: cusolver_times [events]
 * events: on a GPU, each call several times, timed by events; the lines are those of cusolver-times.tsv. One call of many has
 * thousands of kernels, with pauses between them: events see these, as programs do. Else one call each, for softwarp profile. */
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void mark() {}
__global__ void fill(double *a, float *f, int n, int ld, double diagonal, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)n * ld; i += (size_t)gridDim.x * blockDim.x) {
        unsigned row = (unsigned)(i % ld), column = (unsigned)(i / ld), low = min(row, column), high = max(row, column);
        unsigned x = (low * 2654435761u) ^ (high * 40503u + seed);
        x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
        double value = ((int)(x & 255) - 128) / 128.0 + (row == column ? diagonal : 0);
        if (a) a[i] = value;
        if (f) f[i] = (float)value;
    }
}

static bool by_events;
static cusolverDnHandle_t handle;
static cudaEvent_t begin_event, end_event;
static double *a, *b, *work, *vectors;
static int *pivots, *info;
static int order;
static double on_diagonal;
static const size_t WORK = 64u << 20; /* doubles */
static const int MOST = 4096, LARGEST_HERE = 1024; /* without events: a host computes these */

static void refill(bool single)
{
    fill<<<264, 256>>>(single ? NULL : a, single ? (float *)a : NULL, order, order, on_diagonal, 1);
    fill<<<264, 256>>>(single ? NULL : b, single ? (float *)b : NULL, order, order, 0, 7);
}
template <typename Call> static void timed(const char *name, const char *shape, bool single, Call call)
{
    int status = 0, runs = by_events ? 5 : order > LARGEST_HERE ? 0 : 1;
    std::vector<float> ms;
    for (int i = 0; i < runs; i++) {
        if (by_events) refill(single);
        else cudaMemset(a, 0, 64);
        cudaDeviceSynchronize();
        mark<<<1, 1>>>();
        cudaEventRecord(begin_event);
        status = call();
        cudaEventRecord(end_event);
        cudaDeviceSynchronize();
        float took = 0;
        cudaEventElapsedTime(&took, begin_event, end_event);
        ms.push_back(took);
    }
    std::sort(ms.begin(), ms.end());
    if (by_events)
        std::printf("%s\t%s\t%d\t%.0f\tevents\n", name, shape, status, ms[0] * 1e6); /* the least: nothing else in between */
    else {
        if (runs == 0) mark<<<1, 1>>>();
        std::printf("%s\t%s\t%d\n", name, shape, status);
    }
}

#define LETTER_D double
#define LETTER_S float
#define POINTERS(L)                                                                                                              \
    LETTER_##L *x = (LETTER_##L *)a, *y = (LETTER_##L *)b, *w = (LETTER_##L *)work, *v = (LETTER_##L *)vectors;                  \
    LETTER_##L *values = v + (size_t)order * order;                                                                              \
    bool single = sizeof(LETTER_##L) == 4;                                                                                       \
    int n = order, room = (int)WORK;                                                                                             \
    (void)n, (void)x, (void)y, (void)w, (void)v, (void)values
static char text[60];
#define SHAPE(...) (std::snprintf(text, sizeof text, __VA_ARGS__), text)
static const cublasFillMode_t LOWER = CUBLAS_FILL_MODE_LOWER;
static const cusolverEigMode_t WITH = CUSOLVER_EIG_MODE_VECTOR, WITHOUT = CUSOLVER_EIG_MODE_NOVECTOR;

#define FACTORS(L)                                                                                                               \
    static void factors_##L()                                                                                                    \
    {                                                                                                                            \
        POINTERS(L);                                                                                                             \
        on_diagonal = 2.0 * n;                                                                                                   \
        const char *shape = SHAPE("%d", n);                                                                                      \
        timed(#L "potrf", shape, single, [&] { return cusolverDn##L##potrf(handle, LOWER, n, x, n, w, room, info); });           \
        timed(#L "potrs", SHAPE("%d 1", n), single, [&] { return cusolverDn##L##potrs(handle, LOWER, n, 1, x, n, y, n, info); }); \
        timed(#L "potrs", SHAPE("%d all", n), single, [&] { return cusolverDn##L##potrs(handle, LOWER, n, n, x, n, y, n, info); }); \
        timed(#L "potri", shape = SHAPE("%d", n), single, [&] { return cusolverDn##L##potri(handle, LOWER, n, x, n, w, room, info); }); \
        on_diagonal = 0;                                                                                                         \
        timed(#L "getrf", shape, single, [&] { return cusolverDn##L##getrf(handle, n, n, x, n, w, pivots, info); });             \
        timed(#L "getrs", SHAPE("%d 1", n), single,                                                                              \
              [&] { return cusolverDn##L##getrs(handle, CUBLAS_OP_N, n, 1, x, n, pivots, y, n, info); });                        \
        timed(#L "getrs", SHAPE("%d all", n), single,                                                                            \
              [&] { return cusolverDn##L##getrs(handle, CUBLAS_OP_N, n, n, x, n, pivots, y, n, info); });                        \
        timed(#L "geqrf", shape = SHAPE("%d", n), single, [&] { return cusolverDn##L##geqrf(handle, n, n, x, n, values, w, room, info); }); \
        timed(#L "ormqr", shape, single, [&] {                                                                                   \
            return cusolverDn##L##ormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, n, n, x, n, values, y, n, w, room, info);      \
        });                                                                                                                      \
        timed(#L "orgqr", shape, single, [&] { return cusolverDn##L##orgqr(handle, n, n, n, x, n, values, w, room, info); });    \
        if (n <= 2048)                                                                                                           \
            timed(#L "sytrf", shape, single, [&] { return cusolverDn##L##sytrf(handle, LOWER, n, x, n, pivots, w, room, info); }); \
    }
FACTORS(S)
FACTORS(D)

#define SPECTRA(L)                                                                                                               \
    static void spectra_##L()                                                                                                    \
    {                                                                                                                            \
        POINTERS(L);                                                                                                             \
        on_diagonal = 0;                                                                                                         \
        LETTER_##L *e = values + n, *tau = values + 2 * n, *tau2 = values + 3 * n;                                               \
        const char *shape = SHAPE("%d", n);                                                                                      \
        timed(#L "sytrd", shape, single, [&] { return cusolverDn##L##sytrd(handle, LOWER, n, x, n, values, e, tau, w, room, info); }); \
        timed(#L "gebrd", shape, single, [&] { return cusolverDn##L##gebrd(handle, n, n, x, n, values, e, tau, tau2, w, room, info); }); \
        timed(#L "syevd", SHAPE("%d N", n), single, [&] { return cusolverDn##L##syevd(handle, WITHOUT, LOWER, n, x, n, values, w, room, info); }); \
        timed(#L "syevd", SHAPE("%d V", n), single, [&] { return cusolverDn##L##syevd(handle, WITH, LOWER, n, x, n, values, w, room, info); }); \
        timed(#L "gesvd", SHAPE("%d N", n), single,                                                                              \
              [&] { return cusolverDn##L##gesvd(handle, 'N', 'N', n, n, x, n, values, NULL, n, NULL, n, w, room, NULL, info); }); \
        if (n <= 1024)                                                                                                           \
            timed(#L "gesvd", SHAPE("%d A", n), single,                                                                          \
                  [&] { return cusolverDn##L##gesvd(handle, 'A', 'A', n, n, x, n, values, y, n, v, n, w, room, NULL, info); });  \
        if (n > 512) return;                                                                                                     \
        syevjInfo_t jacobi;                                                                                                      \
        gesvdjInfo_t pairs;                                                                                                      \
        cusolverDnCreateSyevjInfo(&jacobi);                                                                                      \
        cusolverDnCreateGesvdjInfo(&pairs);                                                                                      \
        timed(#L "syevj", SHAPE("%d V", n), single, [&] { return cusolverDn##L##syevj(handle, WITH, LOWER, n, x, n, values, w, room, info, jacobi); }); \
        timed(#L "gesvdj", SHAPE("%d V", n), single,                                                                             \
              [&] { return cusolverDn##L##gesvdj(handle, WITH, 0, n, n, x, n, values, y, n, v, n, w, room, info, pairs); });     \
        cusolverDnDestroySyevjInfo(jacobi);                                                                                      \
        cusolverDnDestroyGesvdjInfo(pairs);                                                                                      \
    }
SPECTRA(S)
SPECTRA(D)

#define BATCHES(L)                                                                                                               \
    static void batches_##L(int small, int count)                                                                                \
    {                                                                                                                            \
        order = LARGEST_HERE;                                                                                                    \
        POINTERS(L);                                                                                                             \
        syevjInfo_t jacobi;                                                                                                      \
        gesvdjInfo_t pairs;                                                                                                      \
        std::vector<LETTER_##L *> host(count);                                                                                   \
        LETTER_##L **pointers;                                                                                                   \
        on_diagonal = 0;                                                                                                         \
        cudaMalloc(&pointers, count * sizeof *pointers);                                                                         \
        for (int i = 0; i < count; i++)                                                                                          \
            host[i] = x + (size_t)i * small * small;                                                                             \
        cudaMemcpy(pointers, host.data(), count * sizeof *pointers, cudaMemcpyHostToDevice);                                     \
        cusolverDnCreateSyevjInfo(&jacobi);                                                                                      \
        cusolverDnCreateGesvdjInfo(&pairs);                                                                                      \
        const char *shape = SHAPE("%d x%d", small, count);                                                                       \
        timed(#L "syevjBatched", shape, single,                                                                                  \
              [&] { return cusolverDn##L##syevjBatched(handle, WITH, LOWER, small, x, small, values, w, room, info, jacobi, count); }); \
        timed(#L "gesvdjBatched", shape, single, [&] {                                                                           \
            return cusolverDn##L##gesvdjBatched(handle, WITH, small, small, x, small, values, y, small, v, small, w, room, info, pairs, count); \
        });                                                                                                                      \
        timed(#L "potrfBatched", shape, single, [&] { return cusolverDn##L##potrfBatched(handle, LOWER, small, pointers, small, info, count); }); \
        cusolverDnDestroySyevjInfo(jacobi);                                                                                      \
        cusolverDnDestroyGesvdjInfo(pairs);                                                                                      \
        cudaFree(pointers);                                                                                                      \
    }
BATCHES(S)
BATCHES(D)

static void mixed()
{
    int n = order, steps;
    on_diagonal = 2.0 * n;
    size_t bytes = WORK * sizeof(double);
    const char *shape = SHAPE("%d", n);
    timed("DDgesv", shape, false, [&] { return cusolverDnDDgesv(handle, n, 1, a, n, pivots, b, n, vectors, n, work, bytes, &steps, info); });
    timed("DSgesv", shape, false, [&] { return cusolverDnDSgesv(handle, n, 1, a, n, pivots, b, n, vectors, n, work, bytes, &steps, info); });
    timed("DHgesv", shape, false, [&] { return cusolverDnDHgesv(handle, n, 1, a, n, pivots, b, n, vectors, n, work, bytes, &steps, info); });
}

int main(int argc, char **argv)
{
    by_events = argc > 1 && !std::strcmp(argv[1], "events");
    std::setvbuf(stdout, NULL, _IOLBF, 1 << 16);
    const size_t square = (size_t)MOST * MOST * sizeof(double);
    cudaMalloc(&a, square);
    cudaMalloc(&b, square);
    cudaMalloc(&vectors, square + 8 * MOST * sizeof(double));
    cudaMalloc(&work, WORK * sizeof(double));
    cudaMalloc(&pivots, 1 << 20);
    cudaMalloc(&info, 1 << 20);
    cudaEventCreate(&begin_event);
    cudaEventCreate(&end_event);
    if (cusolverDnCreate(&handle)) return 1;
    const int orders[] = {64, 128, 256, 512, 1024, 2048, 4096};
    for (int n : orders) {
        order = n;
        factors_S();
        factors_D();
        mixed();
        if (n > 2048) continue;
        spectra_S();
        spectra_D();
    }
    const int small[][2] = {{8, 1000}, {16, 1000}, {32, 500}};
    for (auto &s : small) {
        batches_S(s[0], s[1]);
        batches_D(s[0], s[1]);
    }
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    return cusolverDnDestroy(handle);
}
