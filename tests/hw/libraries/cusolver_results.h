/* SPDX-License-Identifier: Apache-2.0 */
/* What cusolver_sp_results.cu and cusolver_rf_results.cu share: types, arrays of the device, and the lines
 * that they print: name, shape, status, norm, a number of the call's own, six elements. */
#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

static double number(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return ((int)(state >> 24) - 128) / 128.0;
}
template <typename T> struct Traits {
    static T make(double re, double)
    {
        return (T)re;
    }
    static std::complex<double> get(T x)
    {
        return (double)x;
    }
    static const int parts = 1;
    typedef T Real;
};
#define COMPLEX_TRAITS(T, R)                                                                                 \
    template <> struct Traits<T> {                                                                           \
        static T make(double re, double im)                                                                  \
        {                                                                                                    \
            T x;                                                                                             \
            x.x = (R)re, x.y = (R)im;                                                                        \
            return x;                                                                                        \
        }                                                                                                    \
        static std::complex<double> get(T x)                                                                 \
        {                                                                                                    \
            return {x.x, x.y};                                                                               \
        }                                                                                                    \
        static const int parts = 2;                                                                          \
        typedef R Real;                                                                                      \
    };
COMPLEX_TRAITS(cuComplex, float)
COMPLEX_TRAITS(cuDoubleComplex, double)

template <typename T> struct Array {
    T *at;
    size_t count;
    explicit Array(size_t n) : count(n)
    {
        cudaMalloc(&at, (n ? n : 1) * sizeof(T));
        cudaMemset(at, 0, (n ? n : 1) * sizeof(T));
    }
    Array(const std::vector<T> &x) : Array(x.size())
    {
        cudaMemcpy(at, x.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    }
    Array(const Array &) = delete;
    ~Array()
    {
        cudaFree(at);
    }
    operator T *() const
    {
        return at;
    }
    std::vector<T> get() const
    {
        std::vector<T> host(count);
        cudaDeviceSynchronize();
        cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
        return host;
    }
};

static std::string text(const char *format, int a = 0, int b = 0, int c = 0)
{
    char line[100];
    std::snprintf(line, sizeof line, format, a, b, c);
    return line;
}
static char letter;
template <typename T>
static void show(const char *name, const std::string &shape, int status, double info, const std::vector<T> &x)
{
    double norm = 0;
    for (auto &v : x)
        norm += std::norm(Traits<T>::get(v));
    for (const char *c = name; *c; c++)
        std::putchar(*c == '~' ? letter : *c);
    std::printf(" [%s] %d %.9g %.9g", shape.c_str(), status, std::sqrt(norm), info);
    for (int i = 0; i < 6 && !x.empty(); i++) {
        std::complex<double> v = Traits<T>::get(x[(size_t)(i * 7919 + 13) % x.size()]);
        std::printf(" %.9g", v.real());
        if (Traits<T>::parts == 2) std::printf(" %.9g", v.imag());
    }
    std::printf("\n");
}
static void show_status(const char *name, const std::string &shape, int status, double info = 0)
{
    show(name, shape, status, info, std::vector<float>());
}
