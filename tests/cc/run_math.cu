// SPDX-License-Identifier: Apache-2.0
// Device mathematics end to end: headers, device library, PTX and compiled code, against the host's C
// library. The bounds are loose (tests/device measures the functions themselves); what this finds is a wrong
// instruction on the way.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static const int POINTS = 4096;

#define FUNCTIONS(F)                                                                                         \
    F(sin, -50, 50)                                                                                          \
    F(cos, -50, 50)                                                                                          \
    F(tan, -1.5, 1.5)                                                                                        \
    F(exp, -80, 80) F(exp2, -120, 120) F(expm1, -3, 3) F(log, 1e-3, 1e3) F(log2, 1e-3, 1e3)                  \
        F(log10, 1e-3, 1e3) F(log1p, -0.9, 10) F(sqrt, 0, 100) F(cbrt, -100, 100) F(asin, -1, 1)             \
            F(acos, -1, 1) F(atan, -10, 10) F(sinh, -10, 10) F(cosh, -10, 10) F(tanh, -3, 3)                 \
                F(asinh, -10, 10) F(acosh, 1, 10) F(atanh, -0.9, 0.9) F(erf, -3, 3) F(erfc, -2, 5)           \
                    F(tgamma, 0.1, 20) F(lgamma, 2.5, 50) F(floor, -9, 9) F(ceil, -9, 9) F(rint, -9, 9)      \
                        F(round, -9, 9) F(trunc, -9, 9) F(fabs, -9, 9)

#define FUNCTIONS_2(F)                                                                                       \
    F(pow, 0.1, 10, -5, 5)                                                                                   \
    F(atan2, -5, 5, -5, 5)                                                                                   \
    F(fmod, -50, 50, 1, 7)                                                                                   \
    F(hypot, -5, 5, -5, 5) F(fmax, -5, 5, -5, 5) F(fmin, -5, 5, -5, 5) F(remainder, -50, 50, 1, 7)           \
        F(copysign, -5, 5, -5, 5) F(fdim, -5, 5, -5, 5) F(nextafter, -5, 5, -5, 5)

#define KERNELS(name, ...)                                                                                   \
    __global__ void name##_d(const double *x, const double *, double *r)                                     \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = name(x[i]);                                                                                   \
    }                                                                                                        \
    __global__ void name##_f(const double *x, const double *, double *r)                                     \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = name##f((float)x[i]);                                                                         \
    }
#define KERNELS_2(name, ...)                                                                                 \
    __global__ void name##_d(const double *x, const double *y, double *r)                                    \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = name(x[i], y[i]);                                                                             \
    }                                                                                                        \
    __global__ void name##_f(const double *x, const double *y, double *r)                                    \
    {                                                                                                        \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        r[i] = name##f((float)x[i], (float)y[i]);                                                            \
    }
FUNCTIONS(KERNELS)
FUNCTIONS_2(KERNELS_2)

typedef void (*kernel)(const double *, const double *, double *);
struct line {
    const char *name;
    kernel run;
    double (*one)(double);
    double (*two)(double, double);
    bool single;
    double x[2], y[2];
};
#define LINES(name, low, high)                                                                               \
    {#name, name##_d, name, nullptr, false, {low, high}, {0, 1}},                                            \
        {#name "f", name##_f, name, nullptr, true, {low, high}, {0, 1}},
#define LINES_2(name, x0, x1, y0, y1)                                                                        \
    {#name, name##_d, nullptr, name, false, {x0, x1}, {y0, y1}},                                             \
        {#name "f", name##_f, nullptr, name, true, {x0, x1}, {y0, y1}},
static const line lines[] = {FUNCTIONS(LINES) FUNCTIONS_2(LINES_2)};

static double between(const double range[2])
{
    static unsigned long long state = 88172645463325252ull;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return range[0] + (range[1] - range[0]) * (double)(state >> 11) * 0x1p-53;
}

#define CHECK(call)                                                                                          \
    if (cudaError_t status = (call)) {                                                                       \
        std::printf("%s: %s\n", #call, cudaGetErrorString(status));                                          \
        return 1;                                                                                            \
    }

int main()
{
    std::vector<double> x(POINTS), y(POINTS), r(POINTS);
    double *dx, *dy, *dr;
    size_t bytes = POINTS * sizeof(double);
    CHECK(cudaMalloc(&dx, bytes));
    CHECK(cudaMalloc(&dy, bytes));
    CHECK(cudaMalloc(&dr, bytes));
    int bad = 0;
    for (const line &l : lines) {
        for (int i = 0; i < POINTS; i++) {
            x[i] = between(l.x), y[i] = between(l.y);
            if (l.single) x[i] = (float)x[i], y[i] = (float)y[i];
        }
        CHECK(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));
        l.run<<<POINTS / 128, 128>>>(dx, dy, dr);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(r.data(), dr, bytes, cudaMemcpyDeviceToHost));
        double worst = 0, at = 0;
        bool steps = !std::strcmp(l.name, "nextafterf"); // the next float is not the next double
        for (int i = 0; i < POINTS && !steps; i++) {
            double expected = l.one ? l.one(x[i]) : l.two(x[i], y[i]);
            double scale = std::fmax(std::fabs(expected), l.single ? 1e-30 : 1e-300);
            double error = std::fabs(r[i] - expected) / scale / (l.single ? 0x1p-24 : 0x1p-53);
            if (!(error <= worst)) worst = error, at = x[i];
        }
        if (!(worst <= 20)) {
            std::printf("%s: off by %g half units of the last place at %a\n", l.name, worst, at);
            bad++;
        }
    }
    std::printf("%zu functions, %d wrong\n", sizeof lines / sizeof lines[0], bad);
    return bad != 0;
}
