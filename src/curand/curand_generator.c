/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: generators, and what is set in them. Method: those that live are kept in a table. Orders are
 * numbers of sequences side by side: those of cuRAND 10.4, found from its results; the dynamic one depends on
 * the GPU's multiprocessors. Limits: a dynamic order of MTGP32 is the default one. */
#include "curand_priv.h"

#include <stdlib.h>

static struct sw_handles generators = SW_HANDLES_INIT;

curandStatus_t curand_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CURAND_STATUS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY: return CURAND_STATUS_ALLOCATION_FAILED;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_NOT_SUPPORTED: return CURAND_STATUS_INITIALIZATION_FAILED;
    default: return CURAND_STATUS_LAUNCH_FAILURE;
    }
}

curandStatus_t curand_enter(curandGenerator_t generator)
{
    if (!sw_handles_has(&generators, generator)) return CURAND_STATUS_NOT_INITIALIZED;
    return generator->on_host ? CURAND_STATUS_SUCCESS : curand_status(routine_enter(generator->context));
}

/* ---- states */

bool curand_has_offset(const struct curandGenerator_st *generator)
{
    return generator->setup.kind != RANDOM_MTGP32 && generator->setup.kind != RANDOM_MT19937;
}

struct curand_state *curand_state_get(curandGenerator_t generator)
{
    if (!generator->restarts) return generator->state;
    struct curand_state *state = sw_xcalloc(1, sizeof *state);
    generator->setup.offset = curand_has_offset(generator) ? generator->at : 0;
    pthread_mutex_init(&state->lock, NULL);
    state->generator = random_new(&generator->setup);
    state->older = generator->state;
    generator->state = state;
    generator->restarts = false;
    return state;
}

static void states_free(struct curand_state *state)
{
    while (state) {
        struct curand_state *older = state->older;
        random_free(state->generator);
        pthread_mutex_destroy(&state->lock);
        free(state);
        state = older;
    }
}

/* ---- life */

static bool kind_of(curandRngType_t type, enum random_kind *out)
{
    switch ((int)type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: *out = RANDOM_XORWOW; return true;
    case CURAND_RNG_PSEUDO_MRG32K3A: *out = RANDOM_MRG32K3A; return true;
    case CURAND_RNG_PSEUDO_MTGP32: *out = RANDOM_MTGP32; return true;
    case CURAND_RNG_PSEUDO_MT19937: *out = RANDOM_MT19937; return true;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: *out = RANDOM_PHILOX; return true;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32: *out = RANDOM_SOBOL32; return true;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: *out = RANDOM_SCRAMBLED32; return true;
    case CURAND_RNG_QUASI_SOBOL64: *out = RANDOM_SOBOL64; return true;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: *out = RANDOM_SCRAMBLED64; return true;
    default: return false;
    }
}

static uint32_t multiprocessors(const struct curandGenerator_st *generator)
{
    CUdevice device = 0;
    int count = 0;
    if (generator->on_host || cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) != CUDA_SUCCESS)
        return 1;
    return (uint32_t)count;
}

/* Sequences side by side. 0: there is no such order. All of these are observed. */
static uint32_t lanes_of(const struct curandGenerator_st *generator, curandOrdering_t ordering)
{
    enum { LEGACY = 4096, MRG = 81920, MTGP_LEGACY = 64, MTGP = 192, PHILOX = 65536 };
    enum {
        XORWOW_DYNAMIC = 2816,
        MRG_DYNAMIC = 2048,
        MTGP_DYNAMIC = 7,
        PHILOX_DYNAMIC = 512
    }; /* of a multiprocessor: the last three */
    bool legacy = ordering == CURAND_ORDERING_PSEUDO_LEGACY,
         dynamic = ordering == CURAND_ORDERING_PSEUDO_DYNAMIC;
    bool usual = ordering == CURAND_ORDERING_PSEUDO_DEFAULT || legacy ||
                 (ordering == CURAND_ORDERING_PSEUDO_BEST &&
                  !(generator->on_host && generator->setup.kind == RANDOM_MT19937));
    if (dynamic && generator->on_host) return 0;
    if (random_is_quasi(generator->setup.kind)) return ordering == CURAND_ORDERING_QUASI_DEFAULT;
    switch ((int)generator->setup.kind) {
    case RANDOM_XORWOW:
        if (ordering == CURAND_ORDERING_PSEUDO_SEEDED) return LEGACY;
        return usual ? LEGACY : dynamic ? XORWOW_DYNAMIC : 0;
    case RANDOM_MRG32K3A:
        return legacy ? LEGACY : usual ? MRG : dynamic ? MRG_DYNAMIC * multiprocessors(generator) : 0;
    case RANDOM_MTGP32:
        return legacy ? MTGP_LEGACY : usual ? MTGP : dynamic ? MTGP_DYNAMIC * multiprocessors(generator) : 0;
    case RANDOM_PHILOX: return usual ? PHILOX : dynamic ? PHILOX_DYNAMIC * multiprocessors(generator) : 0;
    default: return usual;
    }
}

static curandStatus_t create(curandGenerator_t *out, curandRngType_t type, bool on_host)
{
    enum random_kind kind;
    CUcontext context = NULL;
    if (!out) return CURAND_STATUS_OUT_OF_RANGE;
    if (!kind_of(type, &kind)) return CURAND_STATUS_TYPE_ERROR;
    if (!on_host) CURAND_TRY(curand_status(routine_context(&context)));
    struct curandGenerator_st *generator = sw_xcalloc(1, sizeof *generator);
    generator->on_host = on_host;
    generator->context = context;
    generator->ordering =
        random_is_quasi(kind) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    generator->setup = (struct random_setup){.kind = kind, .device = !on_host, .dimensions = 1};
    generator->setup.lanes = lanes_of(generator, generator->ordering);
    generator->restarts = true;
    sw_handles_add(&generators, generator);
    *out = generator;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

CURAND curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

static void generator_free(void *memory)
{
    curandGenerator_t generator = memory;
    states_free(generator->state);
    free(generator);
}

/* Work that is queued uses the states: it is waited for. */
CURAND curandDestroyGenerator(curandGenerator_t generator)
{
    CURAND_TRY(curand_enter(generator));
    if (!sw_handles_remove(&generators, generator)) return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->on_host) cuCtxSynchronize();
    routine_retire(generator, generator_free);
    return CURAND_STATUS_SUCCESS;
}

/* ---- settings */

CURAND curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    CURAND_TRY(curand_enter(generator));
    generator->stream = (CUstream)stream;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
    CURAND_TRY(curand_enter(generator));
    if (random_is_quasi(generator->setup.kind)) return CURAND_STATUS_TYPE_ERROR;
    generator->setup.seed = seed;
    generator->restarts = true;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    CURAND_TRY(curand_enter(generator));
    if (!curand_has_offset(generator)) return CURAND_STATUS_TYPE_ERROR;
    generator->at = offset;
    generator->restarts = true;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering)
{
    CURAND_TRY(curand_enter(generator));
    uint32_t lanes = lanes_of(generator, ordering);
    if (!lanes) return CURAND_STATUS_OUT_OF_RANGE;
    generator->ordering = ordering;
    generator->setup.lanes = lanes;
    generator->setup.seeded_lanes = ordering == CURAND_ORDERING_PSEUDO_SEEDED;
    generator->restarts = true;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions)
{
    CURAND_TRY(curand_enter(generator));
    if (!random_is_quasi(generator->setup.kind)) return CURAND_STATUS_TYPE_ERROR;
    if (dimensions == 0 || dimensions > RANDOM_DIMENSIONS) return CURAND_STATUS_OUT_OF_RANGE;
    generator->setup.dimensions = dimensions;
    generator->restarts = true;
    return CURAND_STATUS_SUCCESS;
}
