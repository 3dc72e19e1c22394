/* SPDX-License-Identifier: Apache-2.0 */
/* What a .cu file knows before its first line; `softwarp cc` includes it ahead of every file.
 * It does for our headers what clang's __clang_cuda_runtime_wrapper.h does for NVIDIA's: clang's own device headers in
 * the order they need, with our types and functions between. Needs clang 19. Empty for host files. Where NVRTC compiles
 * (__CUDACC_RTC__), no header of the host is read: rtc.h and rtc_math.h have what programs get instead. */
#ifndef SOFTWARP_PRELUDE_H
#define SOFTWARP_PRELUDE_H
#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)
#pragma clang system_header
/* clang-format off: the order matters */

#ifndef __CUDACC_RTC__
#include <__clang_cuda_math_forward_declares.h>
#define __NVCC__                 1
#endif

/* libstdc++ avoids __float128 where this is defined; that must hold before <cmath>. */
#define __CUDACC__               1
#define __CUDACC_VER_MAJOR__     13
#define __CUDACC_VER_MINOR__     0
#define __CUDACC_VER_BUILD__     0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __SOFTWARP__             1
/* Clang has one kind of lambda: what nvcc's headers ask of the others need not be forbidden. */
#define __nv_is_extended_device_lambda_closure_type(...)                  false
#define __nv_is_extended_host_device_lambda_closure_type(...)             false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)    false

#ifdef __CUDACC_RTC__
#include "softwarp/rtc.h"
#else
/* The host's headers that nvcc has included before a file's first line, too. */
#include <cmath>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

/* Clang's headers ask for the version that clang was told of, not for that of our runtime. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 12050
/* In the host half every device function is declared, so that the bodies of kernels can be checked. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

#include "host_defines.h"
#include "builtin_types.h"
#include "vector_functions.h"

/* Small functions of the headers have no source lines of their own: what they do is done at the caller's line. That is
 * what a profile by source line wants. */
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device, nodebug))
#define always_inline always_inline, nodebug

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "softwarp/device_math.h"
#include "softwarp/device_atomics.h"
#include "softwarp/device_memory.h"
#include "softwarp/device_system.h"

#ifdef __CUDACC_RTC__
#include "softwarp/rtc_math.h"
#else
/* What libstdc++ calls where a precondition does not hold: without arguments since GCC 13, in constant expressions, and with
 * them where _GLIBCXX_ASSERTIONS is defined. Kernels may use its constexpr functions, so the device has it, too. */
namespace std
{
__device__ inline void __glibcxx_assert_fail()
{
}
__device__ inline void __glibcxx_assert_fail(const char *file, int line, const char *function, const char *condition) noexcept
{
    __assert_fail(condition, file, line, function);
}
} // namespace std

#include <__clang_cuda_cmath.h>
#endif
/* This one names a type of the driver API, which need not be included. */
typedef unsigned int softwarp_cuuint32_t;
#define cuuint32_t softwarp_cuuint32_t
/* Clang 19 passes mask and value of redux.sync in the wrong order: ours are in device_intrinsics.h. */
#define __reduce_add_sync softwarp_clang_reduce_add
#define __reduce_min_sync softwarp_clang_reduce_min
#define __reduce_max_sync softwarp_clang_reduce_max
#define __reduce_and_sync softwarp_clang_reduce_and
#define __reduce_or_sync softwarp_clang_reduce_or
#define __reduce_xor_sync softwarp_clang_reduce_xor
#include <__clang_cuda_intrinsics.h>
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef cuuint32_t
#ifndef __CUDACC_RTC__
#include <__clang_cuda_complex_builtins.h>
#endif

#include "softwarp/device_intrinsics.h"
#include "softwarp/device_textures.h"
#undef always_inline
#pragma pop_macro("__device__")

#pragma pop_macro("__CUDA_ARCH__")
#ifdef __CUDA_ARCH__
#undef __managed__
#define __managed__ __attribute__((device))
#endif
#pragma pop_macro("CUDA_VERSION")

#ifndef __CUDACC_RTC__
#include "cuda_runtime.h"
#include "softwarp/device_graph.h"
#include <new> /* of clang: with operators new and delete for the device */
#endif
#if defined(__CUDACC_RDC__) && !defined(__CUDA_ARCH__)
#include "softwarp/linked.h"
#endif
#ifdef __CUDACC_RTC__
/* NVRTC is neither: CCCL and others ask in this order, and take the host's headers where one of these is. */
#undef __clang__
#undef __GNUC__
#endif
#endif
#endif
