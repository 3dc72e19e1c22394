/* SPDX-License-Identifier: Apache-2.0 */
/* engine_cpu.h for x86-64. */
#include "engine_cpu.h"

#include <cpuid.h>
#include <ucontext.h>

enum jit_isa engine_cpu_best(void)
{
    __builtin_cpu_init();
    bool avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    return avx2 && avx512 ? JIT_ISA_AVX512 : avx2 ? JIT_ISA_AVX2 : JIT_ISA_SSE2;
}

bool engine_cpu_runs(enum jit_isa isa)
{
    return isa <= engine_cpu_best();
}

bool engine_cpu_has_ice_lake(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("gfni");
}

uint64_t engine_cpu_hash(void)
{
    struct {
        uint32_t leaf1[4], leaf7[4];
    } bits = {0};
    __get_cpuid(1, &bits.leaf1[0], &bits.leaf1[1], &bits.leaf1[2], &bits.leaf1[3]);
    bits.leaf1[1] = 0; /* holds the number of the core that answered */
    __get_cpuid_count(7, 0, &bits.leaf7[0], &bits.leaf7[1], &bits.leaf7[2], &bits.leaf7[3]);
    return sw_hash_bytes(&bits, sizeof bits, 1);
}

const void *engine_cpu_pc(const void *context)
{
    return (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

uint64_t engine_cpu_stack(const void *context)
{
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
}

bool engine_cpu_writes(const void *context)
{
    enum { WRITES = 2 }; /* of the error code of a page fault: Intel's manual, volume 3, 4.7 */
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITES;
}
