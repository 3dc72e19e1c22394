/* SPDX-License-Identifier: Apache-2.0 */
/* __pipeline_memcpy_async and its kin: cp.async from sm_80 on, a plain copy before. PTX ISA, "cp.async". */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#if defined(__CUDA__) && defined(__cplusplus)
#pragma clang system_header

#include "cuda_runtime.h"

#define SW_D_ static __device__ __inline__ __attribute__((always_inline, nodebug))
SW_D_ void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes, size_t zeros = 0)
{
#if __CUDA_ARCH__ >= 800
    unsigned int to = (unsigned int)__cvta_generic_to_shared(shared), filled = (unsigned int)(bytes - zeros);
    unsigned long long from = __cvta_generic_to_global(global);
    if (bytes == 4) __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(filled) : "memory");
    else if (bytes == 8) __asm__ __volatile__("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(filled) : "memory");
    else __asm__ __volatile__("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(filled) : "memory");
#else
    for (size_t i = 0; i < bytes; i++) ((char *)shared)[i] = i < bytes - zeros ? ((const char *)global)[i] : 0;
#endif
}
SW_D_ void __pipeline_commit()
{
#if __CUDA_ARCH__ >= 800
    __asm__ __volatile__("cp.async.commit_group;" ::: "memory");
#endif
}
SW_D_ void __pipeline_wait_prior(size_t stages)
{
#if __CUDA_ARCH__ >= 800
    if (stages == 0) __asm__ __volatile__("cp.async.wait_group 0;" ::: "memory");
    else if (stages == 1) __asm__ __volatile__("cp.async.wait_group 1;" ::: "memory");
    else if (stages == 2) __asm__ __volatile__("cp.async.wait_group 2;" ::: "memory");
    else if (stages == 3) __asm__ __volatile__("cp.async.wait_group 3;" ::: "memory");
    else __asm__ __volatile__("cp.async.wait_all;" ::: "memory");
#else
    (void)stages;
#endif
}
#undef SW_D_
#endif
#endif
