/* SPDX-License-Identifier: Apache-2.0 */
/* Softwarp against native C and PoCL, kernel by kernel, side by side in one process: each repetition runs the
 * three one after the other, so that a slow moment of the machine hits all. Every output is checked against
 * the native one. One host thread each (SOFTWARP_THREADS=1, POCL_MAX_PTHREAD_COUNT=1), all on one CPU: PoCL
 * and Softwarp work in threads of their own, which else move between CPUs and lose their caches. Prints
 * medians in milliseconds and ratios. usage: bench KERNELS.ptx KERNELS.cl [-r REPETITIONS] [-k KERNEL]
 * [--softwarp-only] [--wall]   KERNEL: a row's name ("gather far") or its kernel's ("gather": both of its
 * rows)
 * --softwarp-only leaves the rivals out: run it again under `softwarp profile` to see what counting costs.
 * --wall measures the time that passes instead of the CPU's: for several host threads. */
#define CL_TARGET_OPENCL_VERSION 120
#include "bench_native.h"

#include <CL/cl.h>
#include <cuda.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 16 << 20, GATHER = 8 << 20, SEEDS = 1 << 20, BODIES = 16384, MAX_REPS = 99, MAX_ARGS = 8 };
enum buffer { X, Y, Z, INDEX_NEAR, INDEX_FAR, SEED, BODY, BUFFERS, SCALAR = -1 };
enum contender { NATIVE, POCL, SOFTWARP, CONTENDERS };
enum kind { BANDWIDTH, COOPERATIVE /* barriers or divergence */ };

struct arg {
    int buffer; /* enum buffer, or SCALAR */
    uint32_t bits;
};
struct bench {
    const char *name, *kernel;
    enum kind kind;
    unsigned grid[2], block[2], passes; /* passes: how often the grid does the same work over (in y) */
    size_t outputs;                     /* words of Z to compare */
    bool integer;
    double tolerance; /* relative; approximate functions and other summation orders differ */
    struct arg args[MAX_ARGS];
    unsigned arg_count;
};

static size_t bytes_of[BUFFERS] = {N * 4ul,      N * 4ul,     N * 4ul,      GATHER * 4ul,
                                   GATHER * 4ul, SEEDS * 4ul, BODIES * 16ul};
static void *host[BUFFERS];
static CUdeviceptr device[BUFFERS];
static cl_mem memory[BUFFERS];
static cl_context cl;
static cl_command_queue queue;
static cl_program program;
static CUmodule module;
static bool softwarp_only, no_pocl;
static clockid_t timed_by = CLOCK_PROCESS_CPUTIME_ID;

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define B(buffer) {buffer, 0}
#define I(value)  {SCALAR, (uint32_t)(value)}
static struct bench benches[] = {
    {"vadd, in cache",
     "vadd",
     BANDWIDTH,
     {32, 8192}, /* the kernel does not look at blockIdx.y: the same 8192 elements 8192 times */
     {256, 1},
     8192,
     8192,
     false,
     0,
     {B(X), B(Y), B(Z), I(8192)},
     4},
    {"vadd, 64 MiB", "vadd", BANDWIDTH, {N / 256, 1}, {256, 1}, 1, N, false, 0, {B(X), B(Y), B(Z), I(N)}, 4},
    {"matmul 1024",
     "matmul",
     COOPERATIVE,
     {32, 32},
     {32, 32},
     1,
     1 << 20,
     false,
     1e-4,
     {B(X), B(Y), B(Z), I(1024)},
     4},
    {"nbody 16384",
     "nbody",
     COOPERATIVE,
     {BODIES / 256, 1},
     {256, 1},
     1,
     BODIES * 4,
     false,
     5e-3,
     {B(BODY), B(Z), I(BODIES), {SCALAR, 0x3a83126f}},
     4},
    {"transpose naive",
     "transpose_naive",
     BANDWIDTH,
     {128, 128},
     {32, 8},
     1,
     N,
     false,
     0,
     {B(X), B(Z), I(4096)},
     3},
    {"transpose tiled",
     "transpose_tiled",
     COOPERATIVE,
     {128, 128},
     {32, 8},
     1,
     N,
     false,
     0,
     {B(X), B(Z), I(4096)},
     3},
    {"mandelbrot",
     "mandelbrot",
     COOPERATIVE,
     {32, 128},
     {32, 8},
     1,
     1 << 20,
     true,
     0,
     {B(Z),
      I(1024),
      I(1024),
      I(256),
      {SCALAR, 0xc0000000},
      {SCALAR, 0xbfc00000},
      {SCALAR, 0x3b400000},
      {SCALAR, 0x3b400000}},
     8},
    {"reduce", "reduce", COOPERATIVE, {N / 512, 1}, {256, 1}, 1, N / 512, false, 1e-4, {B(X), B(Z), I(N)}, 3},
    {"reduce, shuffles",
     "reduce_shuffle",
     COOPERATIVE,
     {N / 512, 1},
     {256, 1},
     1,
     N / 512,
     false,
     1e-4,
     {B(X), B(Z), I(N)},
     3},
    {"gather near",
     "gather",
     BANDWIDTH,
     {GATHER / 256, 1},
     {256, 1},
     1,
     GATHER,
     false,
     0,
     {B(X), B(INDEX_NEAR), B(Z), I(GATHER)},
     4},
    {"gather far",
     "gather",
     BANDWIDTH,
     {GATHER / 256, 1},
     {256, 1},
     1,
     GATHER,
     false,
     0,
     {B(X), B(INDEX_FAR), B(Z), I(GATHER)},
     4},
    {"nested divergence",
     "nested",
     COOPERATIVE,
     {SEEDS / 256, 1},
     {256, 1},
     1,
     SEEDS,
     true,
     0,
     {B(Z), B(SEED), I(SEEDS), I(64)},
     4},
};
enum { BENCHES = sizeof benches / sizeof benches[0] };

/* CPU time of the process, where each contender has one thread: other people's load must not count. */
static double now_ms(void)
{
    struct timespec t;
    clock_gettime(timed_by, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void cu_check(CUresult result, const char *what)
{
    const char *name = "?";
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(1);
}

static void cl_check(cl_int result, const char *what)
{
    if (result == CL_SUCCESS) return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, result);
    exit(1);
}

static void make_inputs(void)
{
    uint64_t r = 88172645463325252u; /* xorshift64 (Marsaglia 2003) */
    for (int b = 0; b < BUFFERS; b++)
        if (!(host[b] = aligned_alloc(4096, bytes_of[b]))) exit(1);
    float *x = host[X], *y = host[Y], *body = host[BODY];
    for (size_t i = 0; i < N; i++) {
        r ^= r << 13, r ^= r >> 7, r ^= r << 17;
        x[i] = (float)(r >> 40) / (1 << 24);
        y[i] = 1.0f - x[i] * 0.5f;
    }
    for (size_t i = 0; i < BODIES * 4; i++)
        body[i] = x[i];
    int *far = host[INDEX_FAR], *near = host[INDEX_NEAR], *seed = host[SEED];
    for (size_t i = 0; i < GATHER; i++) {
        r ^= r << 13, r ^= r >> 7, r ^= r << 17;
        far[i] = (int)(r & (N - 1));
        near[i] = (int)(r >> 20 & 65535);
        if (i < SEEDS) seed[i] = (int)(r >> 3);
    }
    memset(host[Z], 0, bytes_of[Z]);
}

static void open_softwarp(const char *ptx)
{
    CUdevice dev;
    CUcontext context;
    cu_check(cuInit(0), "cuInit");
    cu_check(cuDeviceGet(&dev, 0), "cuDeviceGet");
    cu_check(cuDevicePrimaryCtxRetain(&context, dev), "cuDevicePrimaryCtxRetain");
    cu_check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    cu_check(cuModuleLoad(&module, ptx), ptx);
    for (int b = 0; b < BUFFERS; b++) {
        cu_check(cuMemAlloc(&device[b], bytes_of[b]), "cuMemAlloc");
        cu_check(cuMemcpyHtoD(device[b], host[b], bytes_of[b]), "cuMemcpyHtoD");
    }
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (!text || !fread(text, 1, (1 << 20) - 1, f)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(f);
    return text;
}

static void open_pocl(const char *path)
{
    cl_platform_id platform;
    cl_device_id dev;
    cl_uint platforms = 0;
    if (clGetPlatformIDs(1, &platform, &platforms) != CL_SUCCESS || platforms == 0) {
        fprintf(stderr, "no OpenCL platform: install pocl-opencl-icd to compare with PoCL\n");
        no_pocl = true;
        return;
    }
    cl_int error;
    cl_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &dev, NULL), "clGetDeviceIDs");
    cl = clCreateContext(NULL, 1, &dev, NULL, NULL, &error);
    cl_check(error, "clCreateContext");
    queue = clCreateCommandQueue(cl, dev, 0, &error);
    cl_check(error, "clCreateCommandQueue");
    char *source = read_file(path);
    program = clCreateProgramWithSource(cl, 1, (const char **)&source, NULL, &error);
    cl_check(error, "clCreateProgramWithSource");
    cl_check(clBuildProgram(program, 1, &dev, "", NULL, NULL), "clBuildProgram");
    free(source);
    for (int b = 0; b < BUFFERS; b++) {
        memory[b] =
            clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes_of[b], host[b], &error);
        cl_check(error, "clCreateBuffer");
    }
}

static void run_native(const struct bench *b)
{
    const struct arg *a = b->args;
    float *z = host[Z];
    for (unsigned r = 0; r < b->passes; r++) {
        if (!strcmp(b->kernel, "vadd")) native_vadd(host[X], host[Y], z, (int)a[3].bits);
        if (!strcmp(b->kernel, "matmul")) native_matmul(host[X], host[Y], z, (int)a[3].bits);
        if (!strcmp(b->kernel, "nbody")) native_nbody(host[BODY], z, (int)a[2].bits, as_float(a[3].bits));
        if (!strncmp(b->kernel, "transpose", 9)) native_transpose(host[X], z, (int)a[2].bits);
        if (!strcmp(b->kernel, "mandelbrot"))
            native_mandelbrot(host[Z], (int)a[1].bits, (int)a[2].bits, (int)a[3].bits, as_float(a[4].bits),
                              as_float(a[5].bits), as_float(a[6].bits), as_float(a[7].bits));
        if (!strncmp(b->kernel, "reduce", 6)) native_reduce(host[X], z, (int)a[2].bits);
        if (!strcmp(b->kernel, "gather")) native_gather(host[X], host[a[1].buffer], z, (int)a[3].bits);
        if (!strcmp(b->kernel, "nested")) native_nested(host[Z], host[SEED], (int)a[2].bits, (int)a[3].bits);
    }
}

static void run_pocl(const struct bench *b, cl_kernel kernel)
{
    size_t local[2] = {b->block[0], b->block[1]};
    size_t global[2] = {(size_t)b->grid[0] * local[0], (size_t)b->grid[1] * local[1]};
    for (unsigned i = 0; i < b->arg_count; i++) {
        const struct arg *a = &b->args[i];
        cl_check(a->buffer == SCALAR ? clSetKernelArg(kernel, i, 4, &a->bits)
                                     : clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[a->buffer]),
                 "clSetKernelArg");
    }
    cl_check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), b->kernel);
    cl_check(clFinish(queue), b->kernel);
}

static void run_softwarp(struct bench *b, CUfunction function)
{
    void *args[MAX_ARGS];
    for (unsigned i = 0; i < b->arg_count; i++)
        args[i] = b->args[i].buffer == SCALAR ? (void *)&b->args[i].bits : (void *)&device[b->args[i].buffer];
    cu_check(
        cuLaunchKernel(function, b->grid[0], b->grid[1], 1, b->block[0], b->block[1], 1, 0, NULL, args, NULL),
        b->kernel);
    cu_check(cuCtxSynchronize(), b->kernel);
}

static double difference(const struct bench *b, const uint32_t *got, const uint32_t *want)
{
    double worst = 0, mean = 0; /* sums cancel: a small value may carry the rounding of large ones */
    for (size_t i = 0; i < b->outputs; i++)
        mean += (b->integer ? 0 : fabs((double)as_float(want[i]))) / (double)b->outputs;
    for (size_t i = 0; i < b->outputs; i++) {
        double g = b->integer ? (int32_t)got[i] : as_float(got[i]),
               w = b->integer ? (int32_t)want[i] : as_float(want[i]);
        double d = fabs(g - w) / (b->integer ? 1 : fabs(w) + 0.1 * mean + 1e-3);
        if (!(d <= worst)) worst = d; /* NaN counts */
    }
    return worst;
}

static bool check_output(const struct bench *b, enum contender who, const uint32_t *want, uint32_t *got)
{
    static const char *names[] = {"native", "PoCL", "Softwarp"};
    if (who == SOFTWARP) cu_check(cuMemcpyDtoH(got, device[Z], b->outputs * 4), "cuMemcpyDtoH");
    if (who == POCL)
        cl_check(clEnqueueReadBuffer(queue, memory[Z], CL_TRUE, 0, b->outputs * 4, got, 0, NULL, NULL),
                 "read");
    double d = difference(b, got, want);
    if (d <= b->tolerance) return true;
    fprintf(stderr, "%s: WRONG OUTPUT from %s, difference %g\n", b->name, names[who], d);
    return false;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* Fills median_ms; false when an output was wrong. */
static bool measure(struct bench *b, int reps, double median_ms[CONTENDERS])
{
    static double ms[CONTENDERS][MAX_REPS];
    CUfunction function;
    cl_kernel kernel = NULL;
    cl_int error;
    bool rivals = !softwarp_only, pocl = rivals && !no_pocl, good = true;
    uint32_t *want = malloc(b->outputs * 4), *got = malloc(b->outputs * 4);
    if (!want || !got) exit(1);
    cu_check(cuModuleGetFunction(&function, module, b->kernel), b->kernel);
    if (pocl) {
        kernel = clCreateKernel(program, b->kernel, &error);
        cl_check(error, b->kernel);
        run_pocl(b, kernel);
    }
    run_softwarp(b, function); /* warm: compiled, pages touched */
    if (rivals) {
        run_native(b);
        memcpy(want, host[Z], b->outputs * 4);
        good &= check_output(b, SOFTWARP, want, got);
        if (pocl) good &= check_output(b, POCL, want, got);
    }
    for (int r = 0; r < reps; r++) {
        double t0 = now_ms();
        if (rivals) run_native(b);
        double t1 = now_ms();
        if (pocl) run_pocl(b, kernel);
        double t2 = now_ms();
        run_softwarp(b, function);
        double t3 = now_ms();
        ms[NATIVE][r] = t1 - t0;
        ms[POCL][r] = t2 - t1;
        ms[SOFTWARP][r] = t3 - t2;
    }
    for (int c = 0; c < CONTENDERS; c++)
        median_ms[c] = median(ms[c], reps);
    if (kernel) clReleaseKernel(kernel);
    free(want);
    free(got);
    return good;
}

static void print_row(const struct bench *b, const double m[CONTENDERS])
{
    if (softwarp_only)
        printf("%-18s %9.2f\n", b->name, m[SOFTWARP]);
    else if (no_pocl)
        printf("%-18s %9.2f %9s %9.2f %9.2f %9s\n", b->name, m[NATIVE], "-", m[SOFTWARP],
               m[NATIVE] / m[SOFTWARP], "-");
    else
        printf("%-18s %9.2f %9.2f %9.2f %9.2f %9.2f\n", b->name, m[NATIVE], m[POCL], m[SOFTWARP],
               m[NATIVE] / m[SOFTWARP], m[POCL] / m[SOFTWARP]);
    fflush(stdout);
}

static bool is_chosen(const struct bench *b, const char *only)
{
    return !only || !strcmp(only, b->kernel) || !strcmp(only, b->name);
}

/* 2, the exit code of a wrong command line, when there is no such row. */
static int check_choice(const char *only)
{
    for (int i = 0; i < BENCHES; i++)
        if (is_chosen(&benches[i], only)) return 0;
    fprintf(stderr, "no row or kernel is called '%s'; there are, with their kernels:\n", only);
    for (int i = 0; i < BENCHES; i++)
        fprintf(stderr, "  %-18s %s\n", benches[i].name, benches[i].kernel);
    return 2;
}

int main(int argc, char **argv)
{
    int reps = 9;
    const char *only = NULL;
    bool good = true;
    double log_sum = 0, worst_bandwidth = 1e9;
    int cooperative = 0;
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "-r") && i + 1 < argc)
            reps = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-k") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--softwarp-only"))
            softwarp_only = true;
        else if (!strcmp(argv[i], "--wall"))
            timed_by = CLOCK_MONOTONIC;
    }
    if (argc < 3 || reps < 1 || reps > MAX_REPS)
        return fprintf(stderr, "usage: bench PTX CL [-r N] [-k KERNEL] [--softwarp-only] [--wall]\n"), 2;
    if (check_choice(only)) return 2;
    make_inputs();
    open_softwarp(argv[1]);
    if (!softwarp_only) open_pocl(argv[2]);
    printf(softwarp_only ? "%-18s %9s\n" : "%-18s %9s %9s %9s %9s %9s\n", "median ms",
           softwarp_only ? "Softwarp" : "native", "PoCL", "Softwarp", "x native", "x PoCL");
    for (int i = 0; i < BENCHES; i++) {
        double m[CONTENDERS];
        if (!is_chosen(&benches[i], only)) continue;
        good &= measure(&benches[i], reps, m);
        print_row(&benches[i], m);
        if (benches[i].kind == COOPERATIVE) log_sum += log(m[POCL] / m[SOFTWARP]), cooperative++;
        double best = !no_pocl && m[POCL] < m[NATIVE] ? m[POCL] : m[NATIVE];
        if (benches[i].kind == BANDWIDTH && best / m[SOFTWARP] < worst_bandwidth)
            worst_bandwidth = best / m[SOFTWARP];
    }
    if (!softwarp_only && cooperative && !no_pocl)
        printf("barriers or divergence: %.2f x PoCL (geometric mean of %d)\n", exp(log_sum / cooperative),
               cooperative);
    if (!softwarp_only && worst_bandwidth < 1e9)
        printf("bandwidth-bound: at least %.2f of the better of native and PoCL\n", worst_bandwidth);
    return good ? 0 : 1;
}
