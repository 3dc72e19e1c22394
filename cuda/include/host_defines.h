/* SPDX-License-Identifier: Apache-2.0 */
/* The words CUDA adds to C++. Empty where the compiler does not compile CUDA, so that host files can include
 * the runtime's headers. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) || defined(__CUDACC__)
#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#if (defined(__CUDA__) || defined(__CUDACC__)) && !defined(__noinline__)
#define __noinline__ __attribute__((noinline)) /* host compilers spell the attribute so */
#endif
/* Clang has no managed variables: they are the host's, and the runtime gives the device's of the same name
 * their addresses (src/runtime/runtime_managed.c). In device code: softwarp/prelude.h. */
#define __managed__ __attribute__((section("softwarp_managed")))
#define __no_return__        __attribute__((noreturn))
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#define CUDARTAPI_CDECL
#define CUDA_CB
#endif
