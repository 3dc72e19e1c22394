/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of the CPU it runs on, and C has no word for: a counter of time, a pause between looks
 * at memory, how floats are rounded. For x86-64 and AArch64. */
#ifndef BASE_BASE_HOST_H
#define BASE_BASE_HOST_H

#include <stdint.h>

#ifdef __aarch64__

enum {
    SW_HOST_FLOAT_DEFAULT = 0,      /* FPCR: nearest even, denormals kept, exceptions masked */
    SW_HOST_FLOAT_FLUSHES = 1 << 24 /* what is set in it where denormals are flushed */
};

static inline uint64_t sw_host_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

static inline void sw_host_pause(void)
{
    __asm__ volatile("yield");
}

static inline uint32_t sw_host_float_state(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return (uint32_t)state;
}

static inline void sw_host_float_set(uint32_t state)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)state) : "memory");
}

#else

#include <x86intrin.h>

enum {
    SW_HOST_FLOAT_DEFAULT = 0x1f80, /* MXCSR: nearest even, denormals kept, exceptions masked */
    SW_HOST_FLOAT_FLUSHES = 0x8040  /* what is set in it where denormals are flushed */
};

static inline uint64_t sw_host_ticks(void)
{
    return __rdtsc();
}

static inline void sw_host_pause(void)
{
    _mm_pause();
}

static inline uint32_t sw_host_float_state(void)
{
    return _mm_getcsr();
}

static inline void sw_host_float_set(uint32_t state)
{
    _mm_setcsr(state);
}

#endif
#endif
