/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms of cuFFT and calls with wrong arguments: one line a call, with its status and what it left in the output. The lines of a
 * real GPU are in cufft-results.txt; results.py compares those of Softwarp's library with them. After the status: the norm of the whole
 * output (with its gaps, which hold a constant), four sums of it with signs by chance, so that an error anywhere shows, and two elements.
 * Input is multiples of 1/128, the same everywhere; what C2R reads was made by R2C. With an argument the program also writes sizes of
 * work areas to that file, which are the library's own affair. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef std::vector<long long> Numbers;

static unsigned next(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}
static float number(unsigned &state)
{
    return ((int)(next(state) & 255) - 128) / 128.0f;
}

/* ---- element types */
enum Precision { F16, BF16, F32, F64 };
static const size_t BYTES[] = {2, 2, 4, 8};
static const cudaDataType REAL[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F};
static const cudaDataType COMPLEX[] = {CUDA_C_16F, CUDA_C_16BF, CUDA_C_32F, CUDA_C_64F};
static const char *const NAMES[] = {"f16", "bf16", "f32", "f64"};
enum Kind { C2C, R2C, C2R };
static const char *const KINDS[] = {"c2c", "r2c", "c2r"};
static const cufftType TYPES[2][3] = {{CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}, {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}};

static void store(std::vector<char> &to, size_t i, Precision p, float x)
{
    __half h = __float2half(x);
    __nv_bfloat16 b = __float2bfloat16(x);
    double d = x;
    const void *from[] = {&h, &b, &x, &d};
    memcpy(&to[i * BYTES[p]], from[p], BYTES[p]);
}
static double load(const std::vector<char> &from, size_t i, Precision p)
{
    const char *at = &from[i * BYTES[p]];
    switch (p) {
    case F16: return __half2float(*(const __half *)at);
    case BF16: return __bfloat162float(*(const __nv_bfloat16 *)at);
    case F32: return *(const float *)at;
    default: return *(const double *)at;
    }
}

/* Memory of the device: `count` real numbers. */
struct Array {
    char *at = nullptr;
    size_t count;
    Precision p;
    Array(size_t n, Precision precision, bool random) : count(n), p(precision)
    {
        std::vector<char> host(n * BYTES[p]);
        unsigned state = 12345;
        for (size_t i = 0; i < n; i++)
            store(host, i, p, random ? number(state) : 0.5f);
        cudaMalloc(&at, n * BYTES[p]);
        cudaMemcpy(at, host.data(), host.size(), cudaMemcpyHostToDevice);
    }
    Array(const Array &) = delete;
    ~Array() { cudaFree(at); }
    void print() const
    {
        enum { SUMS = 4 };
        std::vector<char> host(count * BYTES[p]);
        cudaMemcpy(host.data(), at, host.size(), cudaMemcpyDeviceToHost);
        double norm = 0, sums[SUMS] = {0};
        unsigned state = 777;
        for (size_t i = 0; i < count; i++) {
            double x = load(host, i, p);
            unsigned signs = next(state) >> 4;
            norm += x * x;
            for (int s = 0; s < SUMS; s++)
                sums[s] += signs >> s & 1 ? x : -x;
        }
        std::printf(" %.17g", std::sqrt(norm));
        for (double s : sums)
            std::printf(" %.17g", s);
        std::printf(" %.17g %.17g\n", load(host, 7919 % count, p), load(host, count - 1, p));
    }
};

/* ---- one transform */
struct Layout { /* empty: the default */
    Numbers embed;
    long long stride = 1, dist = 0;
};
struct Transform {
    Precision p;
    Kind kind;
    Numbers n;
    long long batch = 1;
    int direction = CUFFT_FORWARD;
    bool in_place = false;
    Layout in, out;
    bool sixty_four = false, xt = false;
};

static long long product(const Numbers &n)
{
    long long all = 1;
    for (long long x : n)
        all *= x;
    return all;
}
/* Lines as they lie by default: of complex numbers, or of reals, which are padded in place. */
static Numbers natural(const Transform &t, bool complex)
{
    Numbers n = t.n;
    if (t.kind == C2C) return n;
    long long half = n.back() / 2 + 1;
    n.back() = complex ? half : t.in_place ? 2 * half : n.back();
    return n;
}
/* Real numbers from the first to behind the last. */
static size_t extent(const Transform &t, const Layout &layout, bool complex)
{
    const Numbers &n = layout.embed.empty() ? natural(t, complex) : layout.embed;
    long long dist = layout.embed.empty() ? product(n) : layout.dist, stride = layout.embed.empty() ? 1 : layout.stride;
    return (size_t)(((t.batch - 1) * dist + product(n) * stride) * (complex ? 2 : 1));
}
static Layout real_layout(const Transform &t)
{
    return t.kind == R2C ? t.in : t.out;
}
static std::string label(const Transform &t)
{
    std::string s = std::string(NAMES[t.p]) + " " + KINDS[t.kind];
    char part[100];
    for (size_t i = 0; i < t.n.size(); i++)
        s += (i ? "x" : " ") + std::to_string(t.n[i]);
    std::snprintf(part, sizeof part, " b%lld %s%s%s%s", t.batch, t.direction == CUFFT_FORWARD ? "forward" : "inverse",
                  t.in_place ? " in place" : "", t.sixty_four ? " 64" : "", t.xt ? " xt" : "");
    s += part;
    for (const Layout *layout : {&t.in, &t.out}) {
        if (layout->embed.empty()) continue;
        s += layout == &t.in ? " in" : " out";
        for (long long e : layout->embed)
            s += " " + std::to_string(e);
        s += " s" + std::to_string(layout->stride) + " d" + std::to_string(layout->dist);
    }
    return s;
}

static FILE *sizes;
static int make(const Transform &t, cufftHandle plan)
{
    size_t work = 0;
    Numbers n = t.n, in = t.in.embed, out = t.out.embed;
    int status, rank = (int)n.size();
    cufftType type = TYPES[t.p == F64][t.kind];
    if (t.xt) {
        cudaDataType from = t.kind == R2C ? REAL[t.p] : COMPLEX[t.p], to = t.kind == C2R ? REAL[t.p] : COMPLEX[t.p];
        status = cufftXtMakePlanMany(plan, rank, n.data(), in.empty() ? nullptr : in.data(), t.in.stride, t.in.dist, from,
                                     out.empty() ? nullptr : out.data(), t.out.stride, t.out.dist, to, t.batch, &work, COMPLEX[t.p]);
    } else if (t.sixty_four) {
        status = cufftMakePlanMany64(plan, rank, n.data(), in.empty() ? nullptr : in.data(), t.in.stride, t.in.dist,
                                     out.empty() ? nullptr : out.data(), t.out.stride, t.out.dist, type, t.batch, &work);
    } else {
        std::vector<int> n32(n.begin(), n.end()), in32(in.begin(), in.end()), out32(out.begin(), out.end());
        status = cufftMakePlanMany(plan, rank, n32.data(), in32.empty() ? nullptr : in32.data(), (int)t.in.stride, (int)t.in.dist,
                                   out32.empty() ? nullptr : out32.data(), (int)t.out.stride, (int)t.out.dist, type, (int)t.batch, &work);
    }
    if (sizes) std::fprintf(sizes, "%s: %d, %zu\n", label(t).c_str(), status, work);
    return status;
}
static int exec(const Transform &t, cufftHandle plan, void *from, void *to)
{
    if (t.xt) return cufftXtExec(plan, from, to, t.direction);
    switch (TYPES[t.p == F64][t.kind]) {
    case CUFFT_C2C: return cufftExecC2C(plan, (cufftComplex *)from, (cufftComplex *)to, t.direction);
    case CUFFT_R2C: return cufftExecR2C(plan, (cufftReal *)from, (cufftComplex *)to);
    case CUFFT_C2R: return cufftExecC2R(plan, (cufftComplex *)from, (cufftReal *)to);
    case CUFFT_Z2Z: return cufftExecZ2Z(plan, (cufftDoubleComplex *)from, (cufftDoubleComplex *)to, t.direction);
    case CUFFT_D2Z: return cufftExecD2Z(plan, (cufftDoubleReal *)from, (cufftDoubleComplex *)to);
    default: return cufftExecZ2D(plan, (cufftDoubleComplex *)from, (cufftDoubleReal *)to);
    }
}
static void step(const Transform &t, const Array &from, const Array &to)
{
    cufftHandle plan;
    int status = cufftCreate(&plan);
    if (!status) status = make(t, plan);
    if (!status) status = exec(t, plan, from.at, to.at);
    if (cudaDeviceSynchronize()) status = 100;
    std::printf("%s [%s] %d", t.p == F64 ? "double" : t.p == F32 ? "float" : NAMES[t.p], label(t).c_str(), status);
    to.print();
    cufftDestroy(plan);
}
/* C2C once; R2C, and C2R of what it gave. */
static void run(Transform t)
{
    if (t.kind == C2C) {
        Array from(extent(t, t.in, true), t.p, true), to(extent(t, t.out, true), t.p, false);
        step(t, from, t.in_place ? from : to);
        return;
    }
    Transform back = t;
    back.kind = C2R;
    back.direction = CUFFT_INVERSE;
    back.in = t.out;
    back.out = t.in;
    size_t reals = extent(t, real_layout(t), false), complexes = extent(t, t.out, true);
    Array real(reals, t.p, true), complex(complexes, t.p, false);
    if (t.in_place) {
        step(t, real, real);
        step(back, real, real);
    } else {
        Array again(reals, t.p, false);
        step(t, real, complex);
        step(back, complex, again);
    }
}

/* ---- which */
static void lines()
{
    for (int n = 1; n <= 36; n++)
        for (int p = F32; p <= F64; p++) {
            run({(Precision)p, C2C, {n}, 3, n & 1 ? CUFFT_INVERSE : CUFFT_FORWARD});
            run({(Precision)p, R2C, {n}, 2});
        }
    const int sizes[] = {45,   49,   60,   64,   97,   100,   101,   121,   127,   128,   131,   169,   210,   211,   243,    256,    257,
                         289,  343,  360,  500,  509,  512,   625,   729,   1000,  1009,  1023,  1024,  1331,  2003,  2048,   2187,   3125,
                         4093, 4096, 5040, 6561, 8191, 10007, 16384, 30030, 32768, 36481, 65521, 65536, 65537, 99225, 131072, 177147, 262144};
    for (int n : sizes) {
        run({F32, C2C, {n}, 1, CUFFT_FORWARD});
        run({F64, C2C, {n}, 1, CUFFT_INVERSE});
        if (n < 40000) run({n & 1 ? F64 : F32, R2C, {n}, 1});
    }
    for (int n : {1000003, 1048576, 2000000})
        run({n & 1 ? F64 : F32, C2C, {n}, 1, CUFFT_FORWARD, true});
    run({F32, R2C, {1 << 20}});
    run({F64, R2C, {1000002}});
}
static void batches()
{
    const long long shapes[][2] = {{2, 1000}, {3, 333}, {8, 500}, {13, 77}, {16, 64}, {17, 33}, {64, 100}, {100, 31}, {101, 19}, {256, 37}, {1000, 9}, {1024, 21}, {4096, 5}};
    for (auto &s : shapes)
        for (int p = F32; p <= F64; p++) {
            run({(Precision)p, C2C, {s[0]}, s[1], CUFFT_FORWARD, p == F32});
            run({(Precision)p, R2C, {s[0]}, s[1], CUFFT_FORWARD, p == F64});
        }
}
static void shapes()
{
    const Numbers all[] = {{1, 1},    {2, 3},     {8, 8},      {16, 5},    {5, 16},     {32, 32},    {31, 37},     {64, 48},       {100, 100}, {128, 1},
                           {1, 128},  {101, 64},  {256, 256},  {2, 2, 2},  {4, 5, 6},   {7, 3, 8},   {16, 16, 16}, {32, 9, 10},    {1, 8, 1},  {31, 2, 17},
                           {64, 64, 64}};
    for (auto &n : all)
        for (int p = F32; p <= F64; p++) {
            run({(Precision)p, C2C, n, 1, CUFFT_FORWARD});
            run({(Precision)p, C2C, n, 2, CUFFT_INVERSE, true});
            run({(Precision)p, R2C, n, 1});
            run({(Precision)p, R2C, n, 3, CUFFT_FORWARD, true});
        }
}
static void layouts()
{
    for (int p = F32; p <= F64; p++)
        for (bool wide : {false, true}) {
            Precision q = (Precision)p;
            run({q, C2C, {16}, 5, CUFFT_FORWARD, false, {{16}, 5, 1}, {{16}, 1, 16}, wide}); /* columns to rows */
            run({q, C2C, {16}, 5, CUFFT_INVERSE, true, {{16}, 5, 1}, {{16}, 5, 1}, wide});
            run({q, C2C, {100}, 33, CUFFT_FORWARD, false, {{100}, 33, 1}, {{100}, 33, 1}, wide});
            run({q, C2C, {60}, 7, CUFFT_FORWARD, false, {{64}, 2, 150}, {{60}, 3, 200}, wide});
            run({q, C2C, {8, 12}, 3, CUFFT_FORWARD, false, {{10, 14}, 1, 150}, {{9, 13}, 2, 300}, wide});
            run({q, C2C, {5, 6, 7}, 2, CUFFT_INVERSE, false, {{6, 7, 8}, 1, 400}, {{5, 6, 7}, 2, 450}, wide});
            run({q, R2C, {30}, 4, CUFFT_FORWARD, false, {{30}, 4, 1}, {{16}, 4, 1}, wide});
            run({q, R2C, {31}, 4, CUFFT_FORWARD, false, {{40}, 1, 40}, {{20}, 2, 41}, wide});
            run({q, R2C, {12, 10}, 3, CUFFT_FORWARD, false, {{12, 12}, 1, 150}, {{12, 7}, 1, 90}, wide});
            run({q, R2C, {6, 5, 9}, 2, CUFFT_FORWARD, false, {{6, 6, 10}, 2, 800}, {{7, 6, 6}, 1, 252}, wide});
            run({q, R2C, {20, 16}, 2, CUFFT_FORWARD, true, {{20, 18}, 1, 360}, {{20, 9}, 1, 180}, wide});
        }
}
static void few_bits()
{
    for (Precision p : {F16, BF16})
        for (long long n : {1, 2, 4, 16, 64, 256, 1024, 4096, 32768}) {
            run({p, C2C, {n}, 3, CUFFT_FORWARD, false, {}, {}, false, true});
            run({p, R2C, {n}, 2, CUFFT_FORWARD, false, {}, {}, false, true});
        }
    for (Precision p : {F16, BF16}) {
        run({p, C2C, {32, 64}, 1, CUFFT_INVERSE, true, {}, {}, false, true});
        run({p, R2C, {16, 8, 4}, 2, CUFFT_FORWARD, false, {}, {}, false, true});
        run({p, C2C, {16}, 5, CUFFT_FORWARD, false, {{16}, 5, 1}, {{16}, 1, 16}, false, true});
        run({p, C2C, {12}, 2, CUFFT_FORWARD, false, {}, {}, false, true}); /* powers of two alone */
        run({p, C2C, {100, 16}, 1, CUFFT_FORWARD, false, {}, {}, false, true});
    }
    for (Precision p : {F32, F64}) {
        run({p, C2C, {60}, 3, CUFFT_INVERSE, false, {}, {}, false, true});
        run({p, R2C, {18, 20}, 3, CUFFT_FORWARD, false, {}, {}, false, true});
    }
}
/* What C2R makes of spectra that no real signal has. */
static void not_hermitian()
{
    for (long long n : {2, 5, 8, 9, 16, 100})
        for (int p = F32; p <= F64; p++) {
            Transform t = {(Precision)p, C2R, {n}, 2, CUFFT_INVERSE};
            Array from(extent(t, t.in, true), t.p, true), to(extent(t, t.out, false), t.p, false);
            step(t, from, to);
        }
}

/* ---- statuses */
static void *memory;
enum { CRASHED = 999 };
static void say(const char *what, int status, long long value = 0)
{
    if (cudaDeviceSynchronize()) status = 100;
    std::printf("status [%s] %d %lld\n", what, status, value);
}
/* A call that NVIDIA's library crashes in has status 999. */
static sigjmp_buf crashed;
static void catch_crash(int)
{
    siglongjmp(crashed, 1);
}
#define SAY(...) (sigsetjmp(crashed, 1) ? say(#__VA_ARGS__, CRASHED) : say(#__VA_ARGS__, __VA_ARGS__))
#define PLAN(expression)                                                                                                         \
    do {                                                                                                                         \
        cufftHandle plan = 12345;                                                                                                \
        int status_ = expression;                                                                                                \
        say(#expression, status_, status_ ? plan : 0);                                                                           \
        if (!status_) cufftDestroy(plan);                                                                                        \
    } while (0)
/* On a plan that was created alone. */
#define MADE(expression)                                                                                                         \
    do {                                                                                                                         \
        cufftHandle plan;                                                                                                        \
        size_t work = 77;                                                                                                        \
        cufftCreate(&plan);                                                                                                      \
        int status_ = expression;                                                                                                \
        say(#expression, status_, status_ ? (long long)work : 0);                                                                \
        cufftDestroy(plan);                                                                                                      \
    } while (0)

static void wrong_plans()
{
    int n[] = {8, 8, 8, 8}, zero[] = {8, 0}, small[] = {4, 4}, large[] = {9, 9};
    PLAN(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
    for (int nx : {0, -1, 8})
        for (int batch : {0, -1, 1})
            for (int type : {(int)CUFFT_C2C, (int)CUFFT_D2Z, 0, 0x55}) {
                cufftHandle plan = 12345;
                char what[80];
                int status = cufftPlan1d(&plan, nx, (cufftType)type, batch);
                std::snprintf(what, sizeof what, "Plan1d %d type %#x batch %d", nx, type, batch);
                say(what, status, status ? plan : 0);
                if (!status) cufftDestroy(plan);
            }
    PLAN(cufftPlan2d(nullptr, 8, 8, CUFFT_C2C));
    PLAN(cufftPlan2d(&plan, 0, 8, CUFFT_C2C));
    PLAN(cufftPlan2d(&plan, 8, -2, CUFFT_R2C));
    PLAN(cufftPlan2d(&plan, 8, 8, (cufftType)1));
    PLAN(cufftPlan3d(&plan, 8, 0, 8, CUFFT_C2C));
    PLAN(cufftPlan3d(&plan, 8, 8, 8, (cufftType)1));
    PLAN(cufftPlanMany(nullptr, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, 0, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, -1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, 4, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, 2, zero, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1));
    PLAN(cufftPlanMany(&plan, 1, n, nullptr, 0, 0, nullptr, 0, 0, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 0, 8, n, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, -1, 8, n, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 0, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 0, n, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, -8, n, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 1, 0, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, nullptr, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, nullptr, 1, 8, n, 1, 8, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 2, n, small, 1, 64, n, 1, 64, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 2, n, n, 1, 64, small, 1, 64, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 2, n, zero, 1, 64, large, 1, 81, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 2, n, n, 1, 10, n, 1, 10, CUFFT_C2C, 2));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 1, 8, CUFFT_C2C, 0));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 1, 8, CUFFT_C2C, -3));
    PLAN(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 1, 8, (cufftType)3, 1));
}
static void wrong_sizes()
{
    int n[] = {8, 8};
    long long wide[] = {8, 8}, zero[] = {0, 8};
    size_t work = 77;
    MADE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr));
    MADE(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &work));
    MADE(cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, nullptr));
    MADE(cufftMakePlan2d(plan, 0, 8, CUFFT_C2C, &work));
    MADE(cufftMakePlan3d(plan, 8, 8, 8, CUFFT_C2C, nullptr));
    MADE(cufftMakePlan3d(plan, 8, 8, 8, (cufftType)0, &work));
    MADE(cufftMakePlanMany(plan, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, nullptr));
    MADE(cufftMakePlanMany64(plan, 1, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, nullptr));
    MADE(cufftMakePlanMany64(plan, 2, zero, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    MADE(cufftMakePlanMany64(plan, 5, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    MADE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) + 100 * cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &work));
    MADE(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &work) + 100 * cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &work));
    for (int bad : {-1, 0, 4321}) {
        char what[40];
        std::snprintf(what, sizeof what, "handle %d", bad);
        say(what, cufftMakePlan1d(bad, 8, CUFFT_C2C, 1, &work));
        say(what, cufftMakePlan2d(bad, 8, 8, CUFFT_C2C, &work));
        say(what, cufftMakePlanMany64(bad, 1, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
        say(what, cufftGetSize(bad, &work));
        say(what, cufftGetSize1d(bad, 8, CUFFT_C2C, 1, &work));
        say(what, cufftExecC2C(bad, (cufftComplex *)memory, (cufftComplex *)memory, CUFFT_FORWARD));
        say(what, cufftXtExec(bad, memory, memory, CUFFT_FORWARD));
        say(what, cufftSetStream(bad, 0));
        say(what, cufftSetWorkArea(bad, memory));
        say(what, cufftSetAutoAllocation(bad, 0));
        say(what, cufftDestroy(bad));
        say(what, cufftXtSetWorkAreaPolicy(bad, CUFFT_WORKAREA_MINIMAL, &work));
        say(what, cufftXtClearCallback(bad, CUFFT_CB_LD_COMPLEX));
        say(what, cufftSetPlanPropertyInt64(bad, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    }
    SAY(cufftCreate(nullptr));
    SAY(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr));
    SAY(cufftEstimate1d(0, CUFFT_C2C, 1, &work));
    SAY(cufftEstimate1d(8, (cufftType)1, 1, &work));
    SAY(cufftEstimate1d(8, CUFFT_C2C, 0, &work));
    SAY(cufftEstimate2d(8, 0, CUFFT_C2C, &work));
    SAY(cufftEstimate3d(8, 8, 0, CUFFT_C2C, &work));
    SAY(cufftEstimateMany(0, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    SAY(cufftEstimateMany(1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    MADE(cufftGetSize1d(plan, 8, CUFFT_C2C, 1, &work));
    MADE(cufftGetSize1d(plan, 0, CUFFT_C2C, 1, &work));
    MADE(cufftGetSize1d(plan, 8, CUFFT_C2C, 1, nullptr));
    MADE(cufftGetSize2d(plan, 8, 8, CUFFT_Z2Z, &work));
    MADE(cufftGetSize3d(plan, 8, 8, 0, CUFFT_C2C, &work));
    MADE(cufftGetSizeMany(plan, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    MADE(cufftGetSizeMany64(plan, 1, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &work));
    MADE(cufftGetSize(plan, &work));
    MADE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) + 100 * cufftGetSize(plan, &work));
    MADE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) + 100 * cufftGetSize(plan, nullptr));
    MADE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) + 100 * cufftGetSize1d(plan, 16, CUFFT_C2C, 1, &work));
    int version = 0;
    SAY(cufftGetVersion(&version));
    SAY(cufftGetVersion(nullptr));
    SAY(cufftGetProperty(MAJOR_VERSION, &version));
    SAY(cufftGetProperty(PATCH_LEVEL, nullptr));
    SAY(cufftGetProperty((libraryPropertyType)7, &version));
}

static void wrong_exec()
{
    cufftHandle plan, real;
    cufftComplex *c = (cufftComplex *)memory;
    cufftReal *r = (cufftReal *)memory;
    cufftCreate(&plan);
    SAY(cufftExecC2C(plan, c, c, CUFFT_FORWARD)); /* created alone */
    SAY(cufftXtExec(plan, c, c, CUFFT_FORWARD));
    SAY(cufftSetStream(plan, 0));
    SAY(cufftSetWorkArea(plan, memory));
    SAY(cufftDestroy(plan));
    SAY(cufftDestroy(plan));
    cufftPlan1d(&plan, 64, CUFFT_C2C, 4);
    cufftPlan1d(&real, 64, CUFFT_R2C, 4);
    SAY(cufftExecC2C(plan, c, c, 0));
    SAY(cufftExecC2C(plan, c, c, 2));
    SAY(cufftExecC2C(plan, c, c, -2));
    SAY(cufftXtExec(plan, c, c, 0));
    SAY(cufftExecR2C(plan, r, c));
    SAY(cufftExecC2R(plan, c, r));
    SAY(cufftExecZ2Z(plan, (cufftDoubleComplex *)c, (cufftDoubleComplex *)c, CUFFT_FORWARD));
    SAY(cufftExecD2Z(plan, (cufftDoubleReal *)c, (cufftDoubleComplex *)c));
    SAY(cufftExecZ2D(plan, (cufftDoubleComplex *)c, (cufftDoubleReal *)c));
    SAY(cufftExecC2C(real, c, c, CUFFT_FORWARD));
    SAY(cufftExecC2R(real, c, r));
    SAY(cufftXtExec(real, r, c, CUFFT_FORWARD));
    SAY(cufftXtExec(real, r, c, CUFFT_INVERSE));
    SAY(cufftXtExec(real, r, c, 5));
    SAY(cufftSetAutoAllocation(plan, 0)); /* made already */
    SAY(cufftSetWorkArea(plan, nullptr));
    SAY(cufftSetWorkArea(plan, memory));
    cufftDestroy(plan);
    cufftDestroy(real);
    SAY(cufftCreate(&plan));
    SAY(cufftSetAutoAllocation(plan, 2));
    SAY(cufftSetAutoAllocation(plan, -1));
    SAY(cufftSetAutoAllocation(plan, 1));
    cufftDestroy(plan);
}

static int types(cudaDataType in, cudaDataType out, cudaDataType exec, long long n, int rank = 1)
{
    cufftHandle plan;
    size_t work = 77;
    long long sizes[] = {n, n, n};
    cufftCreate(&plan);
    int status = cufftXtMakePlanMany(plan, rank, sizes, nullptr, 1, 1, in, nullptr, 1, 1, out, 1, &work, exec);
    if (!status) status = 100 * cufftXtExec(plan, memory, (char *)memory + (8 << 20), in < out ? CUFFT_FORWARD : CUFFT_INVERSE);
    cufftDestroy(plan);
    return status;
}
static void wrong_types()
{
    const struct {
        const char *name;
        cudaDataType type;
    } all[] = {{"r16", CUDA_R_16F}, {"c16", CUDA_C_16F}, {"r16b", CUDA_R_16BF}, {"c16b", CUDA_C_16BF}, {"r32", CUDA_R_32F},
               {"c32", CUDA_C_32F}, {"r64", CUDA_R_64F}, {"c64", CUDA_C_64F},   {"r8", CUDA_R_8I}};
    for (auto &in : all)
        for (auto &out : all)
            for (auto &exec : {all[1], all[4], all[5], all[7]}) {
                char what[60];
                std::snprintf(what, sizeof what, "types %s %s %s", in.name, out.name, exec.name);
                say(what, types(in.type, out.type, exec.type, 16));
            }
    SAY(types(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 12));
    SAY(types(CUDA_C_16BF, CUDA_C_16BF, CUDA_C_16BF, 12));
    SAY(types(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 0));
    SAY(types(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 65536));
    SAY(types(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F, 16, 3));
    SAY(types(CUDA_R_16F, CUDA_C_16F, CUDA_C_16F, 2));
    SAY(types(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 12, 4));
    SAY(types(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, 12, 0));
    cufftHandle plan;
    size_t work;
    long long n[] = {16};
    cufftCreate(&plan);
    SAY(cufftXtGetSizeMany(plan, 1, n, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &work, CUDA_C_16F));
    SAY(cufftXtGetSizeMany(plan, 1, n, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_32F, 1, &work, CUDA_C_16F));
    SAY(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &work, CUDA_C_16F));
    SAY(cufftExecC2C(plan, (cufftComplex *)memory, (cufftComplex *)memory, CUFFT_FORWARD));
    cufftDestroy(plan);
}
static void extensions()
{
    cufftHandle plan, made;
    size_t work = 0;
    long long value = 0;
    int one[] = {0};
    cufftCreate(&plan);
    cufftPlan1d(&made, 64, CUFFT_C2C, 1);
    SAY(cufftXtSetGPUs(plan, 0, one));
    SAY(cufftXtSetGPUs(plan, 1, one));
    SAY(cufftXtSetGPUs(plan, 2, nullptr));
    SAY(cufftXtSetGPUs(made, 1, one));
    cufftDestroy(plan);
    cufftCreate(&plan);
    SAY(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, nullptr));
    SAY(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, &work));
    SAY(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_PERFORMANCE, &work));
    SAY(cufftXtSetWorkAreaPolicy(plan, (cufftXtWorkAreaPolicy)9, &work));
    SAY(cufftXtSetWorkAreaPolicy(made, CUFFT_WORKAREA_MINIMAL, &work));
    SAY(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
    SAY(cufftXtClearCallback(made, CUFFT_CB_LD_COMPLEX));
    SAY(cufftXtClearCallback(made, (cufftXtCallbackType)99));
    SAY(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    SAY(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
    SAY(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS, &value));
    SAY(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS, 0));
    SAY(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 5));
    SAY(cufftSetPlanPropertyInt64(plan, (cufftProperty)77, 1));
    SAY(cufftGetPlanPropertyInt64(plan, (cufftProperty)77, &value));
    SAY(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, nullptr));
    SAY(cufftResetPlanProperty(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT));
    SAY(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
    SAY(cufftResetPlanProperty(plan, (cufftProperty)77));
    SAY(cufftSetPlanPropertyInt64(made, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
    SAY(cufftXtQueryPlan(made, nullptr, CUFFT_QUERY_1D_FACTORS));
    cufftXt1dFactors factors = {};
    SAY(cufftXtQueryPlan(made, &factors, CUFFT_QUERY_1D_FACTORS));
    cufftDestroy(plan);
    cufftDestroy(made);
}
/* Calls of a stream that is captured, and launches of the graph. */
static void graphs()
{
    Transform t = {F32, C2C, {100}, 3, CUFFT_FORWARD, true};
    Array data(extent(t, t.in, true), t.p, true);
    cufftHandle plan;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t launch;
    cudaStreamCreate(&stream);
    cufftPlan1d(&plan, 100, CUFFT_C2C, 3);
    SAY(cufftSetStream(plan, stream));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    int status = cufftExecC2C(plan, (cufftComplex *)data.at, (cufftComplex *)data.at, CUFFT_FORWARD);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&launch, graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(launch, stream);
    cudaDeviceSynchronize();
    std::printf("float [graph of 3 launches] %d", status);
    data.print();
    cudaGraphExecDestroy(launch);
    cudaGraphDestroy(graph);
    cufftDestroy(plan);
    cudaStreamDestroy(stream);
}
/* Calls after which a GPU may be of no more use: each in a process of its own. */
enum { CASES = 13 };
static void fatal_case(int which)
{
    cufftHandle plan, real, large;
    cufftComplex *c = (cufftComplex *)memory, *odd = (cufftComplex *)((float *)memory + 1), *byte = (cufftComplex *)((char *)memory + 1);
    size_t work;
    cufftPlan1d(&plan, 64, CUFFT_C2C, 4);
    cufftPlan1d(&real, 64, CUFFT_D2Z, 4);
    cufftCreate(&large);
    cufftSetAutoAllocation(large, 0);
    cufftMakePlan1d(large, which == 11 ? 10007 : 1 << 20, CUFFT_C2C, 1, &work);
    switch (which) {
    case 0: SAY(cufftExecC2C(plan, nullptr, c, CUFFT_FORWARD)); break;
    case 1: SAY(cufftExecC2C(plan, c, nullptr, CUFFT_FORWARD)); break;
    case 2: SAY(cufftXtExec(plan, c, nullptr, CUFFT_FORWARD)); break;
    case 3: SAY(cufftExecD2Z(real, nullptr, (cufftDoubleComplex *)c)); break;
    case 4: SAY(cufftExecC2C(plan, odd, c, CUFFT_FORWARD)); break;
    case 5: SAY(cufftExecC2C(plan, c, odd, CUFFT_FORWARD)); break;
    case 6: SAY(cufftExecD2Z(real, (cufftDoubleReal *)odd, (cufftDoubleComplex *)c)); break;
    case 7: SAY(cufftExecD2Z(real, (cufftDoubleReal *)c, (cufftDoubleComplex *)(c + 1))); break;
    case 8: SAY(cufftExecC2C(plan, byte, c, CUFFT_FORWARD)); break;
    case 9: SAY(cufftExecC2C(plan, (cufftComplex *)16, c, CUFFT_FORWARD)); break;
    case 10:
    case 11: SAY(cufftExecC2C(large, c, c, CUFFT_FORWARD)); break; /* no work area */
    case 12: SAY(cufftSetWorkArea(large, nullptr)), SAY(cufftExecC2C(large, c, c, CUFFT_FORWARD)); break;
    }
    SAY(cufftExecC2C(plan, c, c, CUFFT_FORWARD)); /* afterwards */
    SAY(cufftDestroy(plan));
}

int main(int argc, char **argv)
{
    bool fatal = argc > 2;
    if (argc == 2) sizes = std::fopen(argv[1], "w");
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::signal(SIGSEGV, catch_crash);
    cudaMalloc(&memory, 64 << 20);
    cudaMemset(memory, 0, 64 << 20);
    if (fatal) {
        fatal_case(std::atoi(argv[2]));
        return 0;
    }
    lines();
    batches();
    shapes();
    layouts();
    few_bits();
    not_hermitian();
    wrong_plans();
    wrong_sizes();
    wrong_exec();
    wrong_types();
    graphs();
    for (int i = 0; i < CASES; i++) {
        std::printf("status [case] %d 0\n", i);
        if (std::system((std::string(argv[0]) + " case " + std::to_string(i)).c_str())) std::printf("status [case %d] %d 0\n", i, CRASHED);
    }
    extensions();
    if (sizes) std::fclose(sizes);
    return 0;
}
