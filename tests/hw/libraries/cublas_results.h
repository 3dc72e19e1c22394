/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that print results of cuBLAS: operands on the device, and a line a call. */
#ifndef CUBLAS_RESULTS_H
#define CUBLAS_RESULTS_H

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static double number(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return ((int)(state >> 24) - 128) / 128.0;
}
template <typename T> struct Traits {
    static void set(T &x, unsigned &s)
    {
        x = (T)number(s);
    }
    static double part(const T &x, int)
    {
        return (double)x;
    }
    static const int parts = 1;
    typedef T Real;
};
template <> struct Traits<cuComplex> {
    static void set(cuComplex &x, unsigned &s)
    {
        x.x = (float)number(s), x.y = (float)number(s);
    }
    static double part(const cuComplex &x, int i)
    {
        return i ? x.y : x.x;
    }
    static const int parts = 2;
    typedef float Real;
};
template <> struct Traits<cuDoubleComplex> {
    static void set(cuDoubleComplex &x, unsigned &s)
    {
        x.x = number(s), x.y = number(s);
    }
    static double part(const cuDoubleComplex &x, int i)
    {
        return i ? x.y : x.x;
    }
    static const int parts = 2;
    typedef double Real;
};
template <> struct Traits<__half> {
    static void set(__half &x, unsigned &s)
    {
        x = __float2half((float)number(s));
    }
    static double part(const __half &x, int)
    {
        return __half2float(x);
    }
    static const int parts = 1;
    typedef float Real;
};
template <> struct Traits<__nv_bfloat16> {
    static void set(__nv_bfloat16 &x, unsigned &s)
    {
        x = __float2bfloat16((float)number(s));
    }
    static double part(const __nv_bfloat16 &x, int)
    {
        return __bfloat162float(x);
    }
    static const int parts = 1;
    typedef float Real;
};
template <> struct Traits<signed char> {
    static void set(signed char &x, unsigned &s)
    {
        x = (signed char)(127 * number(s));
    }
    static double part(const signed char &x, int)
    {
        return x;
    }
    static const int parts = 1;
    typedef float Real;
};

/* An operand on the device. */
template <typename T> struct Array {
    T *at;
    size_t count;
    Array(size_t n, unsigned seed) : count(n)
    {
        std::vector<T> host(n);
        for (auto &x : host)
            Traits<T>::set(x, seed);
        cudaMalloc(&at, n * sizeof(T) + 16);
        cudaMemcpy(at, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
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
    /* A triangle that can be solved with: its diagonal is large. */
    Array &dominant(int n, int ld, double value = 4)
    {
        std::vector<T> host(count);
        cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) {
            T x;
            std::memset(&x, 0, sizeof x);
            typename Traits<T>::Real real = (typename Traits<T>::Real)value;
            std::memcpy(&x, &real, sizeof real);
            host[(size_t)i * ld + i] = x;
        }
        cudaMemcpy(at, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
        return *this;
    }
};

template <typename T> static void print(const std::vector<T> &x)
{
    double norm = 0;
    for (auto &v : x)
        for (int p = 0; p < Traits<T>::parts; p++)
            norm += Traits<T>::part(v, p) * Traits<T>::part(v, p);
    std::printf(" %.9g", std::sqrt(norm));
    for (int i = 0; i < 6 && !x.empty(); i++)
        for (int p = 0; p < Traits<T>::parts; p++)
            std::printf(" %.9g", Traits<T>::part(x[(i * 7919 + 13) % x.size()], p));
    std::printf("\n");
}
template <typename T>
static void show(const char *call, const std::string &shape, int status, const Array<T> &result)
{
    std::vector<T> host(result.count);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), result.at, result.count * sizeof(T), cudaMemcpyDeviceToHost);
    std::printf("%s [%s] %d", call, shape.c_str(), status);
    print(host);
}
template <typename T> static void show_value(const char *call, const std::string &shape, int status, T value)
{
    std::printf("%s [%s] %d", call, shape.c_str(), status);
    print(std::vector<T>(1, value));
}
static std::string text(const char *format, int a = 0, int b = 0, int c = 0, int d = 0, int e = 0)
{
    char line[100];
    std::snprintf(line, sizeof line, format, a, b, c, d, e);
    return line;
}
template <typename T> static T scalar(double re, double im)
{
    T x;
    typename Traits<T>::Real parts[2] = {(typename Traits<T>::Real)re, (typename Traits<T>::Real)im};
    std::memcpy(&x, parts, sizeof x);
    return x;
}
static const cublasOperation_t OPS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

#define SHOW(name, shape, call, result)                                                                      \
    do {                                                                                                     \
        int status_ = call;                                                                                  \
        show(name, shape, status_, result);                                                                  \
    } while (0)
#endif
