/* SPDX-License-Identifier: Apache-2.0 */
/* MTGP32's parameters and states, made on the host for kernels. */
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H
#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

#include <stdlib.h>
#include <string.h>

/* Published with MTGP: Knuth's generator over a state that the parameters have filled. */
static inline void mtgp32_init_state(unsigned int state[], const mtgp32_params_fast_t *set, unsigned int seed)
{
    unsigned int hidden = set->tbl[4] ^ set->tbl[8] << 16, fill = hidden;
    fill += fill >> 16;
    fill += fill >> 8;
    memset(state, (int)(fill & 0xff), MTGPDC_N * sizeof *state);
    state[0] = seed;
    state[1] = hidden;
    for (unsigned int i = 1; i < MTGPDC_N; i++) state[i] ^= 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
}

/* params: 200 sets. p: memory of the device. */
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t *p)
{
    mtgp32_kernel_params_t *made = (mtgp32_kernel_params_t *)malloc(sizeof *made);
    if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
    made->mask[0] = params[0].mask;
    for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; i++) {
        made->pos_tbl[i] = (unsigned int)params[i].pos;
        made->sh1_tbl[i] = (unsigned int)params[i].sh1;
        made->sh2_tbl[i] = (unsigned int)params[i].sh2;
        memcpy(made->param_tbl[i], params[i].tbl, sizeof params[i].tbl);
        memcpy(made->temper_tbl[i], params[i].tmp_tbl, sizeof params[i].tmp_tbl);
        memcpy(made->single_temper_tbl[i], params[i].flt_tmp_tbl, sizeof params[i].flt_tmp_tbl);
    }
    cudaError_t error = cudaMemcpy(p, made, sizeof *made, cudaMemcpyHostToDevice);
    free(made);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

/* s: n states of the device, one for each of the first n sets; k: what curandMakeMTGP32Constants filled. */
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *s, mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t *k, int n, unsigned long long seed)
{
    curandStateMtgp32_t *made = (curandStateMtgp32_t *)calloc((size_t)n, sizeof *made);
    if (!made) return CURAND_STATUS_ALLOCATION_FAILED;
    for (int i = 0; i < n; i++) {
        mtgp32_init_state(made[i].s, &params[i], (unsigned int)(seed ^ seed >> 32) + (unsigned int)i + 1);
        made[i].pIdx = i;
        made[i].k = k;
    }
    cudaError_t error = cudaMemcpy(s, made, (size_t)n * sizeof *made, cudaMemcpyHostToDevice);
    free(made);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
#endif
