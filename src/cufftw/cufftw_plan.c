/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: plans and their execution. Method: a plan of cuFFT's takes the dimensions and the last one of the
 * batch; others are gone through one by one. An execution copies the arrays to the device, transforms, copies
 * the result back and waits, as NVIDIA's library does. Limits: one to three dimensions; strides must be those
 * of an array whose rows may be padded, as cuFFT's embed says them; others give no plan. */
#include "cufftw_priv.h"

#include <stdlib.h>

struct plan {
    struct cufftw_request request;
    cufftHandle handle;
    size_t in_bytes, out_bytes; /* from an array's first element to behind its last */
    bool gaps;                  /* between elements of the output */
};

static long long elements(const struct cufftw_request *r, int d, bool is_out)
{
    bool half = r->kind == (is_out ? CUFFTW_R2C : CUFFTW_C2R);
    return half && d == r->rank - 1 ? r->dims[d].n / 2 + 1 : r->dims[d].n;
}

static size_t element_bytes(const struct cufftw_request *r, bool is_out)
{
    size_t real = r->wide ? sizeof(double) : sizeof(float);
    return r->kind == (is_out ? CUFFTW_C2R : CUFFTW_R2C) ? real : 2 * real;
}

static bool is_possible(const struct cufftw_request *r)
{
    bool good =
        r->rank >= 1 && r->rank <= CUFFTW_RANK && r->batch_rank >= 0 && r->batch_rank <= CUFFTW_BATCH_RANK;
    for (int d = 0; good && d < r->rank; d++)
        good = r->dims[d].n > 0 && r->dims[d].in > 0 && r->dims[d].out > 0;
    for (int d = 0; good && d < r->batch_rank; d++)
        good = r->batch[d].n > 0 && r->batch[d].in >= 0 && r->batch[d].out >= 0;
    return good && (r->kind != CUFFTW_C2C || r->sign == FFTW_FORWARD || r->sign == FFTW_BACKWARD);
}

/* Strides as padded sizes: of each dimension but the first, how many of its elements its parent's step is. */
static bool embed(const struct cufftw_request *r, bool is_out, long long *sizes)
{
    sizes[0] = elements(r, 0, is_out);
    for (int d = 1; d < r->rank; d++) {
        long long step = is_out ? r->dims[d - 1].out : r->dims[d - 1].in,
                  own = is_out ? r->dims[d].out : r->dims[d].in;
        if (step % own || step / own < elements(r, d, is_out)) return false;
        sizes[d] = step / own;
    }
    return true;
}

static size_t extent(const struct cufftw_request *r, bool is_out, bool *gaps)
{
    long long last = 0, count = 1;
    for (int d = 0; d < r->rank; d++) {
        last += (elements(r, d, is_out) - 1) * (is_out ? r->dims[d].out : r->dims[d].in);
        count *= elements(r, d, is_out);
    }
    for (int d = 0; d < r->batch_rank; d++) {
        last += (r->batch[d].n - 1) * (is_out ? r->batch[d].out : r->batch[d].in);
        count *= r->batch[d].n;
    }
    *gaps = last + 1 != count;
    return (size_t)(last + 1) * element_bytes(r, is_out);
}

static cufftResult make(struct plan *p)
{
    static const cufftType TYPES[2][3] = {{CUFFT_C2C, CUFFT_R2C, CUFFT_C2R},
                                          {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}};
    const struct cufftw_request *r = &p->request;
    const struct cufftw_dim *last = &r->dims[r->rank - 1];
    long long n[CUFFTW_RANK], in[CUFFTW_RANK], out[CUFFTW_RANK];
    struct cufftw_dim batch = {1, 1, 1};
    size_t work;
    if (r->batch_rank) batch = r->batch[r->batch_rank - 1];
    for (int d = 0; d < r->rank; d++)
        n[d] = r->dims[d].n;
    if (!embed(r, false, in) || !embed(r, true, out)) {
        routine_refuse(r->name, "strides that are not those of a padded array");
        return CUFFT_NOT_SUPPORTED;
    }
    cufftResult result = cufftCreate(&p->handle);
    if (result != CUFFT_SUCCESS) return result;
    return cufftMakePlanMany64(p->handle, r->rank, n, in, last->in, batch.in, out, last->out, batch.out,
                               TYPES[r->wide][r->kind], batch.n, &work);
}

void *cufftw_plan_new(const struct cufftw_request *request)
{
    bool in_gaps;
    if (!is_possible(request)) return NULL;
    struct plan *p = sw_xcalloc(1, sizeof *p);
    p->request = *request;
    p->in_bytes = extent(request, false, &in_gaps);
    p->out_bytes = extent(request, true, &p->gaps);
    if (make(p) == CUFFT_SUCCESS) return p;
    cufftw_plan_free(p);
    return NULL;
}

void cufftw_plan_free(void *plan)
{
    struct plan *p = plan;
    if (!p) return;
    if (p->handle) cufftDestroy(p->handle);
    free(p);
}

/* All items of the batch but the last dimension's, which the plan has. */
static cufftResult transform(const struct plan *p, CUdeviceptr in, CUdeviceptr out)
{
    const struct cufftw_request *r = &p->request;
    long long at[CUFFTW_BATCH_RANK] = {0};
    cufftResult result = CUFFT_SUCCESS;
    int outer = r->batch_rank - 1, d;
    do {
        CUdeviceptr from = in, to = out;
        for (d = 0; d < outer; d++) {
            from += (size_t)(at[d] * r->batch[d].in) * element_bytes(r, false);
            to += (size_t)(at[d] * r->batch[d].out) * element_bytes(r, true);
        }
        void *source = (void *)(uintptr_t)from, *target = (void *)(uintptr_t)to;
        if (r->kind == CUFFTW_C2C)
            result = r->wide ? cufftExecZ2Z(p->handle, source, target, r->sign)
                             : cufftExecC2C(p->handle, source, target, r->sign);
        else if (r->kind == CUFFTW_R2C)
            result =
                r->wide ? cufftExecD2Z(p->handle, source, target) : cufftExecR2C(p->handle, source, target);
        else
            result =
                r->wide ? cufftExecZ2D(p->handle, source, target) : cufftExecC2R(p->handle, source, target);
        for (d = outer - 1; d >= 0 && ++at[d] == r->batch[d].n; d--)
            at[d] = 0;
    } while (result == CUFFT_SUCCESS && d >= 0);
    return result;
}

void cufftw_execute(const void *plan, void *in, void *out)
{
    const struct plan *p = plan;
    CUdeviceptr from = 0, to = 0;
    CUcontext context;
    if (!p || !in || !out || routine_context(&context) != CUDA_SUCCESS) return;
    bool in_place = in == out;
    size_t all = in_place && p->out_bytes > p->in_bytes ? p->out_bytes : p->in_bytes;
    CUresult result = cuMemAlloc(&from, all);
    if (result == CUDA_SUCCESS && !in_place) result = cuMemAlloc(&to, p->out_bytes);
    if (in_place) to = from;
    if (result == CUDA_SUCCESS) /* in place the output's gaps are the input's */
        result = cuMemcpy(from, (CUdeviceptr)(uintptr_t)in, in_place && p->gaps ? all : p->in_bytes);
    if (result == CUDA_SUCCESS && !in_place && p->gaps)
        result = cuMemcpy(to, (CUdeviceptr)(uintptr_t)out, p->out_bytes);
    if (result == CUDA_SUCCESS && transform(p, from, to) != CUFFT_SUCCESS) result = CUDA_ERROR_LAUNCH_FAILED;
    if (result == CUDA_SUCCESS) result = cuMemcpy((CUdeviceptr)(uintptr_t)out, to, p->out_bytes);
    if (result != CUDA_SUCCESS)
        sw_log("%s: the transform was not done, CUDA error %d", p->request.name, (int)result);
    if (to && !in_place) cuMemFree(to);
    if (from) cuMemFree(from);
}

void cufftw_execute_planned(const void *plan)
{
    const struct plan *p = plan;
    if (p) cufftw_execute(p, p->request.in, p->request.out);
}
