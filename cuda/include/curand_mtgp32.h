/* SPDX-License-Identifier: Apache-2.0 */
/* MTGP32's types: Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", ACM Transactions on
 * Mathematical Software 39(2), 2013. A block's threads, 256 at most, share a state and take one number each. */
#ifndef CURAND_MTGP32_H
#define CURAND_MTGP32_H

#define MTGPDC_MEXP              11213 /* the period is 2^11213 - 1 */
#define MTGPDC_N                 351   /* words that the next ones depend on */
#define MTGPDC_FLOOR_2P          256
#define MTGPDC_CEIL_2P           512
#define MTGPDC_PARAM_TABLE       mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE        1024
#define MTGP32_STATE_MASK        1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define MEXP                     11213
#define THREAD_NUM               MTGPDC_FLOOR_2P
#define LARGE_SIZE               (THREAD_NUM * 3)
#define TBL_SIZE                 16

struct mtgp32_params_fast {
    int mexp, pos, sh1, sh2;
    unsigned int tbl[TBL_SIZE], tmp_tbl[TBL_SIZE], flt_tmp_tbl[TBL_SIZE], mask;
    unsigned char poly_sha1[21]; /* of the characteristic polynomial; nothing reads it, and here it is 0 */
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

struct mtgp32_kernel_params {
    unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
    unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
    unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

struct curandStateMtgp32 {
    unsigned int s[MTGP32_STATE_SIZE]; /* a ring, in which offset is the oldest word */
    int offset, pIdx;
    mtgp32_kernel_params_t *k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;
#endif
