/* SPDX-License-Identifier: Apache-2.0 */
/* What api_linked_main.cu, api_linked_part.cu and api_linked_library.cu share: one program of three device
 * objects. */
#ifndef API_LINKED_H
#define API_LINKED_H

#include <cuda_runtime.h>

struct animal { /* its virtual functions are in the part, those of derived classes in the library */
    int legs;
    __device__ explicit animal(int count) : legs(count) {}
    __device__ virtual int sound(int times) const;
    __device__ virtual ~animal();
};
struct bird : animal {
    __device__ bird() : animal(2) {}
    __device__ int sound(int times) const override;
};
__device__ animal *make_animal(int kind); /* library */

typedef int (*operation)(int, int);
extern __device__ operation operations[3];        /* part: functions of part and library */
extern __constant__ operation constant_operation; /* library */
extern __constant__ int constant_values[4];       /* part */
extern __device__ int written_by_all[8];          /* library */
extern __managed__ int managed_counter;           /* part */
__device__ int add_numbers(int a, int b);         /* part */
__device__ int multiply_numbers(int a, int b);    /* library */
__device__ int recursive_sum(int n);              /* part; calls itself through the library */
__device__ int library_step(int n);

/* Defined in every file that uses it: one is kept. */
inline __device__ int shared_inline(int x)
{
    static __device__ int calls;
    return atomicAdd(&calls, 1) * 0 + x * 3;
}
template <typename T> __device__ T shared_template(T x)
{
    return x + x;
}

int part_host();    /* launches a kernel of the part; returns what it counted */
int library_host(); /* likewise, of the library */
__global__ void part_kernel(int *out);
#endif
