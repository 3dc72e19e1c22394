/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what the library says of itself, and its tables: direction vectors of Sobol sequences, and
 * distributions for kernels (curand_discrete.h). Method: a distribution is one allocation of the device with
 * all of its parts, and a copy of the host's. */
#include "curand_priv.h"

#include <curand_discrete.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

CURAND curandGetVersion(int *version)
{
    if (!version) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

CURAND curandGetProperty(libraryPropertyType type, int *value)
{
    static const int VALUES[] = {[MAJOR_VERSION] = CURAND_VER_MAJOR,
                                 [MINOR_VERSION] = CURAND_VER_MINOR,
                                 [PATCH_LEVEL] = CURAND_VER_PATCH};
    if (!value || (unsigned)type >= SW_COUNT_OF(VALUES)) return CURAND_STATUS_OUT_OF_RANGE;
    *value = VALUES[type];
    return CURAND_STATUS_SUCCESS;
}

/* ---- direction vectors */

CURAND curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
    if (!vectors || (!scrambled && set != CURAND_DIRECTION_VECTORS_32_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors32_t *)(uintptr_t)random_directions32(scrambled);
    return CURAND_STATUS_SUCCESS;
}

CURAND curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set)
{
    bool scrambled = set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
    if (!vectors || (!scrambled && set != CURAND_DIRECTION_VECTORS_64_JOEKUO6))
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors64_t *)(uintptr_t)random_directions64(scrambled);
    return CURAND_STATUS_SUCCESS;
}

CURAND curandGetScrambleConstants32(unsigned int **constants)
{
    if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
    *constants = (unsigned int *)(uintptr_t)random_scramble32();
    return CURAND_STATUS_SUCCESS;
}

CURAND curandGetScrambleConstants64(unsigned long long **constants)
{
    if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
    *constants = (unsigned long long *)(uintptr_t)random_scramble64();
    return CURAND_STATUS_SUCCESS;
}

/* ---- distributions */

static struct sw_handles distributions = SW_HANDLES_INIT; /* that live */

/* All parts of a distribution, on the device and, as an image of it, on the host. */
struct parts {
    struct curandDiscreteDistribution_st whole;
    struct curandDistributionM2Shift_st m2;
    struct curandHistogramM2_st histogram;
    /* then V and K */
};

static void fill(struct parts *image, uintptr_t base, const struct random_table *table, double mean)
{
    double *v = (double *)(void *)(image + 1);
    uint32_t *k = (uint32_t *)(void *)(v + table->length);
    uintptr_t at = base + sizeof *image;
    memcpy(v, table->v, table->length * sizeof *v);
    memcpy(k, table->k, table->length * sizeof *k);
    image->histogram = (struct curandHistogramM2_st){
        .V = (double *)at, .host_V = v, .K = (unsigned *)(at + table->length * sizeof *v), .host_K = k};
    image->m2 = (struct curandDistributionM2Shift_st){
        .histogram = (curandHistogramM2_t)(base + offsetof(struct parts, histogram)),
        .host_histogram = &image->histogram,
        .shift = table->shift,
        .length = table->length};
    image->whole = (struct curandDiscreteDistribution_st){
        .self_host_ptr = &image->whole,
        .M2 = (curandDistributionM2Shift_t)(base + offsetof(struct parts, m2)),
        .host_M2 = &image->m2,
        .stddev = sqrt(mean),
        .mean = mean,
        .method = CURAND_M2};
}

CURAND curandCreatePoissonDistribution(double mean, curandDiscreteDistribution_t *out)
{
    enum { MOST = 400000, GAUSS_FROM = 2000 }; /* curand_globals.h of NVIDIA's */
    struct random_table table = {0};
    CUcontext context;
    CUdeviceptr memory = 0;
    if (!out || !(mean > 0) || mean > MOST) return CURAND_STATUS_OUT_OF_RANGE;
    CURAND_TRY(curand_status(routine_context(&context)));
    if (mean < GAUSS_FROM) random_table_init(&table, mean);
    size_t bytes = sizeof(struct parts) + table.length * (sizeof(double) + sizeof(uint32_t));
    struct parts *image = sw_xcalloc(1, bytes);
    CUresult result = cuMemAlloc(&memory, bytes);
    if (result == CUDA_SUCCESS) {
        fill(image, (uintptr_t)memory, &table, mean);
        if (mean >= GAUSS_FROM) image->whole.method = CURAND_DISCRETE_GAUSS;
        result = cuMemcpyHtoD(memory, image, bytes);
    }
    random_table_release(&table);
    if (result == CUDA_SUCCESS) {
        *out = (curandDiscreteDistribution_t)(uintptr_t)memory;
        sw_handles_add(&distributions, *out);
        return CURAND_STATUS_SUCCESS;
    }
    if (memory) cuMemFree(memory);
    free(image);
    return curand_status(result);
}

CURAND curandDestroyDistribution(curandDiscreteDistribution_t distribution)
{
    struct curandDiscreteDistribution_st whole;
    CUdeviceptr memory = (CUdeviceptr)(uintptr_t)distribution;
    if (!sw_handles_remove(&distributions, distribution)) return CURAND_STATUS_NOT_INITIALIZED;
    CURAND_TRY(curand_status(cuMemcpyDtoH(&whole, memory, sizeof whole)));
    CURAND_TRY(curand_status(cuMemFree(memory)));
    free(whole.self_host_ptr);
    return CURAND_STATUS_SUCCESS;
}
