/* SPDX-License-Identifier: Apache-2.0 */
/* What device code asks of the system: printf, assert, malloc, clocks, and the conversions of the built-in
 * variables. */
#ifndef SOFTWARP_DEVICE_SYSTEM_H
#define SOFTWARP_DEVICE_SYSTEM_H
#pragma clang system_header

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...); /* clang turns calls into vprintf */
__device__ void *malloc(size_t bytes) __attribute__((nothrow));
__device__ void free(void *memory) __attribute__((nothrow));
__device__ void *__cuda_syscall_aligned_malloc(size_t bytes, size_t align) __attribute__((nothrow));
/* Freed by free; 0 when the alignment is no power of two. */
__device__ static inline void *__nv_aligned_device_malloc(size_t bytes, size_t align)
{
    return __cuda_syscall_aligned_malloc(bytes, align);
}
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t char_bytes);
/* What assert() of <assert.h> calls. */
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std
{
__device__ static inline void *malloc(size_t bytes)
{
    return ::malloc(bytes);
}
__device__ static inline void free(void *memory)
{
    ::free(memory);
}
} // namespace std

#define SW_CONVERT_(variable)                                                                                \
    __device__ inline __cuda_builtin_##variable##_t::operator dim3() const                                   \
    {                                                                                                        \
        return dim3(x, y, z);                                                                                \
    }                                                                                                        \
    __device__ inline __cuda_builtin_##variable##_t::operator uint3() const                                  \
    {                                                                                                        \
        return {x, y, z};                                                                                    \
    }
SW_CONVERT_(threadIdx)
SW_CONVERT_(blockIdx)
SW_CONVERT_(blockDim)
SW_CONVERT_(gridDim)
#undef SW_CONVERT_

#define SW_D_ static __device__ __forceinline__
SW_D_ unsigned long long __globaltimer()
{
    unsigned long long time;
    __asm__ __volatile__("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
#undef SW_D_
#endif
