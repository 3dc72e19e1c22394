/* SPDX-License-Identifier: Apache-2.0 */
/* MTGP32 in kernels. All threads of a block call these functions together. curand_mtgp32_single writes the new words where NVIDIA's
 * does, which is not where the recursion reads them: numbers in [1, 2) that are equal to NVIDIA's, and no Mersenne Twister. */
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H
#include "cuda_runtime.h"
#include "curand_globals.h"
#include "curand_mtgp32.h"

SW_RAND_D_ unsigned int softwarp_mtgp_at(const curandStateMtgp32_t *s, unsigned int i)
{
    return s->s[(s->offset + i) & MTGP32_STATE_MASK];
}
/* The next word but index. */
SW_RAND_D_ unsigned int softwarp_mtgp_word(const curandStateMtgp32_t *s, unsigned int index)
{
    const mtgp32_kernel_params_t *k = s->k;
    unsigned int x = (softwarp_mtgp_at(s, index) & k->mask[0]) ^ softwarp_mtgp_at(s, index + 1);
    x ^= x << k->sh1_tbl[s->pIdx];
    unsigned int y = x ^ softwarp_mtgp_at(s, index + k->pos_tbl[s->pIdx]) >> k->sh2_tbl[s->pIdx];
    return y ^ k->param_tbl[s->pIdx][y & 15];
}
/* Which row of a tempering table */
SW_RAND_D_ unsigned int softwarp_mtgp_temper(const curandStateMtgp32_t *s, unsigned int index)
{
    unsigned int t = softwarp_mtgp_at(s, index + s->k->pos_tbl[s->pIdx] - 1);
    t ^= t >> 16;
    t ^= t >> 8;
    return t & 15;
}
SW_RAND_D_ void softwarp_mtgp_advance(curandStateMtgp32_t *s, bool first, unsigned int words)
{
    __syncthreads();
    if (first) s->offset = (s->offset + (int)words) & MTGP32_STATE_MASK;
    __syncthreads();
}
SW_RAND_D_ unsigned int softwarp_mtgp_next(curandStateMtgp32_t *s, unsigned int index, unsigned int words)
{
    unsigned int word = softwarp_mtgp_word(s, index);
    unsigned int result = word ^ s->k->temper_tbl[s->pIdx][softwarp_mtgp_temper(s, index)];
    s->s[(s->offset + index + MTGPDC_N) & MTGP32_STATE_MASK] = word;
    softwarp_mtgp_advance(s, index == 0, words);
    return result;
}
SW_RAND_D_ float softwarp_mtgp_single(curandStateMtgp32_t *s, unsigned int index, unsigned int words)
{
    unsigned int word = softwarp_mtgp_word(s, index);
    s->s[index] = word;
    unsigned int bits = word >> 9 ^ s->k->single_temper_tbl[s->pIdx][softwarp_mtgp_temper(s, index)];
    softwarp_mtgp_advance(s, threadIdx.x == 0, words);
    return __uint_as_float(bits);
}

SW_RAND_D_ unsigned int curand(curandStateMtgp32_t *s)
{
    unsigned int index = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
    return softwarp_mtgp_next(s, index, blockDim.x * blockDim.y * blockDim.z);
}
/* For a part of a block: its n threads say which they are. */
SW_RAND_D_ unsigned int curand_mtgp32_specific(curandStateMtgp32_t *s, unsigned char index, unsigned char n)
{
    return softwarp_mtgp_next(s, index, n);
}
SW_RAND_D_ float curand_mtgp32_single(curandStateMtgp32_t *s)
{
    unsigned int rows = blockDim.y * blockDim.z;
    return softwarp_mtgp_single(s, rows + threadIdx.x, rows * blockDim.x);
}
SW_RAND_D_ float curand_mtgp32_single_specific(curandStateMtgp32_t *s, unsigned char index, unsigned char n)
{
    return softwarp_mtgp_single(s, index, n);
}
#endif
