/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the functions that make plans and tell sizes, in all their forms. Method: each becomes a struct
 * cufft_request; Plan is Create and Make. */
#include "cufft_priv.h"

#include <cufftXt.h>

#include <sys/resource.h>
#include <unistd.h>

/* The type is looked at before the sizes. */
static cufftResult transform_of(const struct cufft_request *request, cufftType type,
                                struct cufft_transform *out)
{
    enum fft_kind kind;
    enum cufft_element element;
    if (!cufft_type_get(type, &kind, &element)) return CUFFT_INVALID_TYPE;
    return cufft_transform_get(request, kind, element, out);
}

/* The device's memory must hold an array, as cuFFT's work area must fit; and the host's the tables of an
 * axis, which have up to 64 bytes an element (fft_bluestein: twice four times as many numbers). */
static bool has_room(const struct cufft_transform *transform)
{
    enum { ELEMENT = 4, TABLE = 64 }; /* of two halves; of an axis */
    const struct fft_problem *problem = &transform->problem;
    size_t left, total;
    uint64_t bytes = ELEMENT, most = 0;
    if (transform->empty || cuMemGetInfo(&left, &total) != CUDA_SUCCESS) return true;
    for (unsigned i = 0; i < problem->rank; i++) {
        bytes = sw_product(bytes, (uint64_t)problem->n[i]);
        if ((uint64_t)problem->n[i] > most) most = (uint64_t)problem->n[i];
    }
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    getrlimit(RLIMIT_DATA, &limit);
    uint64_t host = sw_product((uint64_t)sysconf(_SC_PHYS_PAGES), (uint64_t)sysconf(_SC_PAGESIZE));
    if (limit.rlim_cur < host) host = limit.rlim_cur;
    return bytes <= total && sw_product(most, TABLE) <= host / 2;
}

static cufftResult make(struct cufft_plan *plan, const struct cufft_transform *transform, size_t *work)
{
    if (plan->made) return CUFFT_INVALID_PLAN;
    if (plan->gpu_count) CUFFT_TRY(cufft_gpus_check(transform));
    if (!has_room(transform)) return CUFFT_ALLOC_FAILED;
    plan->made = cufft_made_new(transform);
    *work = transform->work_bytes;
    for (int gpu = 1; gpu < plan->gpu_count; gpu++) /* one a GPU */
        work[gpu] = transform->work_bytes;
    return CUFFT_SUCCESS;
}

static cufftResult make_typed(cufftHandle handle, const struct cufft_request *request, cufftType type,
                              size_t *work)
{
    struct cufft_plan *plan;
    struct cufft_transform transform;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!work) return CUFFT_INVALID_VALUE;
    CUFFT_TRY(transform_of(request, type, &transform));
    return make(plan, &transform, work);
}

static cufftResult plan_typed(cufftHandle *out, const struct cufft_request *request, cufftType type)
{
    size_t work;
    CUFFT_TRY(cufftCreate(out));
    cufftResult result = make_typed(*out, request, type, &work);
    if (result != CUFFT_SUCCESS) {
        cufftDestroy(*out);
        *out = 0;
    }
    return result;
}

static cufftResult estimate(const struct cufft_request *request, cufftType type, size_t *work)
{
    struct cufft_transform transform;
    if (!work) return CUFFT_INVALID_VALUE;
    CUFFT_TRY(transform_of(request, type, &transform));
    *work = transform.work_bytes;
    return CUFFT_SUCCESS;
}

static cufftResult size_typed(cufftHandle handle, const struct cufft_request *request, cufftType type,
                              size_t *work)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    return estimate(request, type, work);
}

/* ---- of one to three dimensions, in four forms */

#define REQUEST(rank_, batch_, ...)                                                                          \
    const long long sizes[] = {__VA_ARGS__};                                                                 \
    const struct cufft_request request = {.rank = (rank_), .n = sizes, .batch = (batch_)};

CUFFT cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    REQUEST(1, batch, nx)
    return plan_typed(plan, &request, type);
}

CUFFT cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    REQUEST(2, 1, nx, ny)
    return plan_typed(plan, &request, type);
}

CUFFT cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    REQUEST(3, 1, nx, ny, nz)
    return plan_typed(plan, &request, type);
}

CUFFT cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work)
{
    REQUEST(1, batch, nx)
    return make_typed(plan, &request, type, work);
}

CUFFT cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work)
{
    REQUEST(2, 1, nx, ny)
    return make_typed(plan, &request, type, work);
}

CUFFT cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work)
{
    REQUEST(3, 1, nx, ny, nz)
    return make_typed(plan, &request, type, work);
}

CUFFT cufftEstimate1d(int nx, cufftType type, int batch, size_t *work)
{
    REQUEST(1, batch, nx)
    return estimate(&request, type, work);
}

CUFFT cufftEstimate2d(int nx, int ny, cufftType type, size_t *work)
{
    REQUEST(2, 1, nx, ny)
    return estimate(&request, type, work);
}

CUFFT cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *work)
{
    REQUEST(3, 1, nx, ny, nz)
    return estimate(&request, type, work);
}

CUFFT cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work)
{
    REQUEST(1, batch, nx)
    return size_typed(plan, &request, type, work);
}

CUFFT cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work)
{
    REQUEST(2, 1, nx, ny)
    return size_typed(plan, &request, type, work);
}

CUFFT cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work)
{
    REQUEST(3, 1, nx, ny, nz)
    return size_typed(plan, &request, type, work);
}

/* ---- with layouts */

/* Arrays of int as those of long long; a rank that cannot be is refused by whoever looks at the request. */
struct widened {
    long long n[FFT_RANK], in[FFT_RANK], out[FFT_RANK];
};

static void widen(int rank, const int *from, long long *to)
{
    for (int d = 0; d < rank && d < FFT_RANK && from; d++)
        to[d] = from[d];
}

#define MANY32                                                                                               \
    struct widened wide;                                                                                     \
    widen(rank, n, wide.n), widen(rank, inembed, wide.in), widen(rank, onembed, wide.out);                   \
    const struct cufft_request request = {rank,                                                              \
                                          n ? wide.n : NULL,                                                 \
                                          inembed ? wide.in : NULL,                                          \
                                          onembed ? wide.out : NULL,                                         \
                                          istride,                                                           \
                                          idist,                                                             \
                                          ostride,                                                           \
                                          odist,                                                             \
                                          batch};
#define MANY64                                                                                               \
    const struct cufft_request request = {rank, n, inembed, onembed, istride, idist, ostride, odist, batch};

CUFFT cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                    int ostride, int odist, cufftType type, int batch)
{
    MANY32
    return plan_typed(plan, &request, type);
}

CUFFT cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                        int *onembed, int ostride, int odist, cufftType type, int batch, size_t *work)
{
    MANY32
    return make_typed(plan, &request, type, work);
}

CUFFT cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                        int odist, cufftType type, int batch, size_t *work)
{
    MANY32
    return estimate(&request, type, work);
}

CUFFT cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                       int ostride, int odist, cufftType type, int batch, size_t *work)
{
    MANY32
    return size_typed(plan, &request, type, work);
}

CUFFT cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                          long long idist, long long *onembed, long long ostride, long long odist,
                          cufftType type, long long batch, size_t *work)
{
    MANY64
    return make_typed(plan, &request, type, work);
}

CUFFT cufftGetSizeMany64(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                         long long idist, long long *onembed, long long ostride, long long odist,
                         cufftType type, long long batch, size_t *work)
{
    MANY64
    return size_typed(plan, &request, type, work);
}

/* ---- with types of data */

static bool element_of(cudaDataType type, enum cufft_element *element, bool *is_complex)
{
    *is_complex = type == CUDA_C_16F || type == CUDA_C_16BF || type == CUDA_C_32F || type == CUDA_C_64F;
    switch ((int)type) {
    case CUDA_R_16F:
    case CUDA_C_16F: *element = CUFFT_F16; return true;
    case CUDA_R_16BF:
    case CUDA_C_16BF: *element = CUFFT_BF16; return true;
    case CUDA_R_32F:
    case CUDA_C_32F: *element = CUFFT_F32; return true;
    case CUDA_R_64F:
    case CUDA_C_64F: *element = CUFFT_F64; return true;
    default: return false;
    }
}

/* All of one precision, one side complex at least; halves are computed as complex numbers (recorded). */
static cufftResult transform_of_data(const struct cufft_request *request, cudaDataType in, cudaDataType out,
                                     cudaDataType exec, struct cufft_transform *transform)
{
    enum cufft_element from, to, with;
    bool in_complex, out_complex, exec_complex;
    if (!element_of(in, &from, &in_complex) || !element_of(out, &to, &out_complex) ||
        !element_of(exec, &with, &exec_complex))
        return CUFFT_INVALID_TYPE;
    if (from != to || to != with || (!in_complex && !out_complex)) return CUFFT_INVALID_TYPE;
    if (!exec_complex && with < CUFFT_F32) return CUFFT_INVALID_TYPE;
    return cufft_transform_get(request,
                               !in_complex   ? FFT_R2C
                               : out_complex ? FFT_C2C
                                             : FFT_C2R,
                               from, transform);
}

CUFFT cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                          long long idist, cudaDataType in_type, long long *onembed, long long ostride,
                          long long odist, cudaDataType out_type, long long batch, size_t *work,
                          cudaDataType exec_type)
{
    struct cufft_plan *plan;
    struct cufft_transform transform;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!work) return CUFFT_INVALID_VALUE;
    MANY64
    CUFFT_TRY(transform_of_data(&request, in_type, out_type, exec_type, &transform));
    return make(plan, &transform, work);
}

CUFFT cufftXtGetSizeMany(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                         long long idist, cudaDataType in_type, long long *onembed, long long ostride,
                         long long odist, cudaDataType out_type, long long batch, size_t *work,
                         cudaDataType exec_type)
{
    struct cufft_plan *plan;
    struct cufft_transform transform;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!work) return CUFFT_INVALID_VALUE;
    MANY64
    CUFFT_TRY(transform_of_data(&request, in_type, out_type, exec_type, &transform));
    *work = transform.work_bytes;
    return CUFFT_SUCCESS;
}
