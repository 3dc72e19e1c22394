/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction sets of emitted code this CPU runs: for tests that do not link the engine. */
#ifndef CPU_RUNS_H
#define CPU_RUNS_H

#include "jit/jit.h"

#ifdef __aarch64__

/* The narrowest of those it runs; the widest of those that are emitted for such CPUs. */
enum { CPU_NARROWEST = JIT_ISA_NEON, CPU_WIDEST = JIT_ISA_NEON };

static inline bool cpu_runs(enum jit_isa isa)
{
    return isa == JIT_ISA_NEON;
}

#else

enum { CPU_NARROWEST = JIT_ISA_SSE2, CPU_WIDEST = JIT_ISA_AVX512 };

static inline bool cpu_runs(enum jit_isa isa)
{
    __builtin_cpu_init();
    if (isa == JIT_ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (isa == JIT_ISA_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return isa == JIT_ISA_SSE2;
}

#endif
#endif
