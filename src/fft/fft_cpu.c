/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which of the vector parts this machine runs. Limits: processors with AVX2 and without FMA get the
 * one of 16 bytes. */
#include "fft_priv.h"

static uint32_t limit; /* bytes of a register; 0: none */

#if defined(__x86_64__)
static uint32_t cpu_bytes(void)
{
    __builtin_cpu_init();
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return avx512 ? 64 : avx2 ? 32 : 16;
}
#else
static uint32_t cpu_bytes(void)
{
    return 16;
}
#endif

static uint32_t register_bytes(void)
{
    uint32_t bytes = cpu_bytes();
    return limit && limit < bytes ? limit : bytes;
}

void fft_ops_limit(uint32_t bytes)
{
    limit = bytes;
}

const struct fft_ops *fft_ops_get(enum fft_type type)
{
    uint32_t bytes = register_bytes();
    return bytes == 64 ? &fft_ops_avx512[type] : bytes == 32 ? &fft_ops_avx2[type] : &fft_ops_sse2[type];
}
