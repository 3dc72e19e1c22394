// SPDX-License-Identifier: Apache-2.0
// What programs of planted bugs have in common. CASE(name) { ... } is a case: it returns whether the result
// is the right one, and `wrong` says that the bug is wanted. PROGRAM CASE fault|fine runs it, PROGRAM alone
// lists the names. The lines at fault have a comment FAULT name; the other side of a race has OTHER name.
// Exit status: 0 it ended (fine: with the right result), 1 the mended one has a wrong result, 7 CUDA failed,
// 9 no such case or no memory.
#ifndef PLANTED_H
#define PLANTED_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct planted {
    const char *name;
    bool (*run)();
    planted *next;
    planted(const char *n, bool (*r)());
};
static planted *planted_first, **planted_end = &planted_first;
inline planted::planted(const char *n, bool (*r)()) : name(n), run(r), next(NULL)
{
    *planted_end = this;
    planted_end = &next;
}
static bool wrong;

#define CASE(name)                                                                                           \
    static bool name##_case();                                                                               \
    static planted name##_planted(#name, name##_case);                                                       \
    static bool name##_case()

// What must work in both variants, such as an allocation.
static inline void need(cudaError_t error)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(9);
}
template <typename T> static T *make(int n) // n zeros
{
    T *p = NULL;
    need(cudaMalloc(&p, n * sizeof *p));
    need(cudaMemset(p, 0, n * sizeof *p));
    return p;
}
template <typename T> static T *made(int n, T (*value)(int)) // n values
{
    T *host = new T[n], *p = make<T>(n);
    for (int i = 0; i < n; i++)
        host[i] = value(i);
    need(cudaMemcpy(p, host, n * sizeof *p, cudaMemcpyHostToDevice));
    delete[] host;
    return p;
}
// Whether n values are as they should be; says which is not.
template <typename T> static bool holds(const T *p, int n, T (*value)(int))
{
    T *host = new T[n];
    cudaError_t error = cudaMemcpy(host, p, n * sizeof *p, cudaMemcpyDefault);
    bool good = error == cudaSuccess;
    for (int i = 0; good && i < n; i++)
        if (!(good = host[i] == value(i)))
            fprintf(stderr, "[%d] is %g, not %g\n", i, double(host[i]), double(value(i)));
    delete[] host;
    return good;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        for (planted *p = planted_first; p; p = p->next)
            printf("%s\n", p->name);
    if (argc != 3) return argc == 1 ? 0 : 9;
    wrong = strcmp(argv[2], "fault") == 0;
    for (planted *p = planted_first; p; p = p->next)
        if (strcmp(p->name, argv[1]) == 0) {
            bool right = p->run();
            if (cudaDeviceSynchronize() != cudaSuccess) return 7;
            return right || wrong ? 0 : 1;
        }
    return 9;
}
#endif
