/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: algorithms as programs handle them: numbers, what they can, and their configuration. Method: the
 * numbers and abilities of NVIDIA's general kernels on an H200; a configuration is kept. Limits: nothing of
 * it changes what is computed, or its modelled time. */
#include "cublaslt_priv.h"

#include <stddef.h>
#include <string.h>

/* Recorded: kernels that an H200 has for all or most types (21), for doubles (35), for others (0). */
static const int IDS[] = {21, 35, 0};
enum { ID_MOST = 80 }; /* recorded: the largest that an H200 names */

static const uint32_t TILES[] = {CUBLASLT_MATMUL_TILE_64x64, CUBLASLT_MATMUL_TILE_128x128,
                                 CUBLASLT_MATMUL_TILE_128x256, CUBLASLT_MATMUL_TILE_256x128};
static const uint32_t STAGES[] = {CUBLASLT_MATMUL_STAGES_64x4, CUBLASLT_MATMUL_STAGES_64xAUTO};

void lt_algo_usual(struct lt_algo *out)
{
    *out = (struct lt_algo){.id = IDS[0],
                            .tile = CUBLASLT_MATMUL_TILE_128x128,
                            .split = 1,
                            .stages = CUBLASLT_MATMUL_STAGES_64x4};
}

CUBLASLT cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale,
                                  cudaDataType_t a, cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                                  int most, int *ids, int *count)
{
    struct lt_types types = {(int32_t)compute, (int32_t)scale, a, b, c, d};
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (most < 1 || !ids || !count) return CUBLAS_STATUS_INVALID_VALUE;
    *count = 0;
    if (lt_types_check(&types) == CUBLAS_STATUS_NOT_SUPPORTED) return CUBLAS_STATUS_NOT_SUPPORTED;
    for (; lt_types_check(&types) == CUBLAS_STATUS_SUCCESS && *count < most &&
           (size_t)*count < SW_COUNT_OF(IDS);
         (*count)++)
        ids[*count] = IDS[*count];
    return CUBLAS_STATUS_SUCCESS;
}

CUBLASLT cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale,
                                cudaDataType_t a, cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                                int id, cublasLtMatmulAlgo_t *algo)
{
    struct lt_types types = {(int32_t)compute, (int32_t)scale, a, b, c, d};
    struct lt_algo own = {.id = id,
                          .split = 1,
                          .compute = types.compute,
                          .scale = types.scale,
                          .a = types.a,
                          .b = types.b,
                          .c = types.c,
                          .d = types.d};
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || id < 0 || id > ID_MOST) return CUBLAS_STATUS_INVALID_VALUE;
    LT_TRY(lt_types_check(&types));
    memset(algo, 0, sizeof *algo);
    memcpy(algo, &own, sizeof own);
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- what they can */

/* Answers of all sizes: number: of 4 bytes; wide: of 8; list: of many of 4. */
static cublasStatus_t answer(const void *from, size_t have, void *to, size_t bytes, size_t *written)
{
    if (bytes ? !to || bytes < have : !written) return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = have;
    if (bytes) memcpy(to, from, have);
    return CUBLAS_STATUS_SUCCESS;
}

static uint64_t flags_of(const struct lt_algo *x)
{
    struct lt_types types = {x->compute, x->scale, x->a, x->b, x->c, x->d};
    switch ((int)lt_math_of(&types)) {
    case EVENT_MATH_F64:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    case EVENT_MATH_TF32:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32;
    case EVENT_MATH_F16:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
               (x->a == CUDA_R_16BF ? CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF
                                    : CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F);
    case EVENT_MATH_F8:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8F_E4M3;
    case EVENT_MATH_I8:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    default:
        return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
               CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
    }
}

static uint32_t alignment_of(uint32_t type)
{
    enum { SMALL = 16 }; /* recorded: of kernels with tensor cores */
    struct lt_element element;
    return lt_element_of(type, &element) && element.bytes > 2 ? element.bytes : SMALL;
}

static bool number_of(const struct lt_algo *x, int id, uint32_t *out)
{
    enum { EPILOGUES = 1023 }; /* recorded: all of cublasLtEpilogue_t's bits */
    bool plain = x->d == CUDA_R_32I || x->d == CUDA_C_32F || x->d == CUDA_C_64F;
    bool bytes = x->a == CUDA_R_8I && x->d == CUDA_R_8I;
    uint32_t modes = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
    if (bytes) modes |= CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST;
    switch (id) {
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
    case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    case CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT: *out = 1; return true;
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK: *out = CUBLASLT_REDUCTION_SCHEME_MASK; return true;
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
    case CUBLASLT_ALGO_CAP_UPLO_SUPPORT:
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
    case CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER:
    case CUBLASLT_ALGO_CAP_LD_NEGATIVE:
    case CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT: *out = 0; return true;
    case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK: *out = modes; return true;
    case CUBLASLT_ALGO_CAP_EPILOGUE_MASK: *out = plain ? CUBLASLT_EPILOGUE_DEFAULT : EPILOGUES; return true;
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES: *out = alignment_of(x->a); return true;
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES: *out = alignment_of(x->b); return true;
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES: *out = alignment_of(x->c); return true;
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES: *out = alignment_of(x->d); return true;
    default: return false;
    }
}

CUBLASLT cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                           cublasLtMatmulAlgoCapAttributes_t id, void *to, size_t bytes,
                                           size_t *written)
{
    struct lt_algo own;
    uint32_t number;
    if (!algo) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&own, algo, sizeof own);
    uint64_t flags = flags_of(&own);
    if (id == CUBLASLT_ALGO_CAP_TILE_IDS) return answer(TILES, sizeof TILES, to, bytes, written);
    if (id == CUBLASLT_ALGO_CAP_STAGES_IDS) return answer(STAGES, sizeof STAGES, to, bytes, written);
    if (id == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS) return answer(&flags, sizeof flags, to, bytes, written);
    if (!number_of(&own, (int)id, &number)) return CUBLAS_STATUS_INVALID_VALUE;
    return answer(&number, sizeof number, to, bytes, written);
}

/* ---- configuration */

#define CONFIG(id, member) LT_ATTRIBUTE(struct lt_algo, CUBLASLT_ALGO_CONFIG_##id, member)
static const struct lt_attribute CONFIGS[] = {CONFIG(ID, id),
                                              CONFIG(TILE_ID, tile),
                                              CONFIG(SPLITK_NUM, split),
                                              CONFIG(REDUCTION_SCHEME, reduction),
                                              CONFIG(CTA_SWIZZLING, swizzle),
                                              CONFIG(CUSTOM_OPTION, custom),
                                              CONFIG(STAGES_ID, stages),
                                              CONFIG(INNER_SHAPE_ID, inner),
                                              CONFIG(CLUSTER_SHAPE_ID, cluster)};

CUBLASLT cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                              cublasLtMatmulAlgoConfigAttributes_t id, const void *from,
                                              size_t bytes)
{
    if (id == CUBLASLT_ALGO_CONFIG_ID) return CUBLAS_STATUS_INVALID_VALUE; /* documented: read only */
    return lt_set(algo, CONFIGS, SW_COUNT_OF(CONFIGS), id, from, bytes);
}

CUBLASLT cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                              cublasLtMatmulAlgoConfigAttributes_t id, void *to, size_t bytes,
                                              size_t *written)
{
    return lt_get(algo, CONFIGS, SW_COUNT_OF(CONFIGS), id, to, bytes, written);
}
