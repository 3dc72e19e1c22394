/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: transforms on several GPUs. Method: of a batch each GPU transforms its items. Of two or three
 * dimensions each GPU transforms its rows in all dimensions but the first, GPUs exchange what they need of
 * each other, and each transforms its columns in the first dimension; from the shuffled order the other way
 * round. Limits: one line goes through the memory of the first GPU; a call returns when it is done. */
#include "cufft_gpus_priv.h"

#include <stdlib.h>

/* A transform without gaps in the memory of one GPU, in place. */
static CUresult queue(const struct cufft_plan *plan, int gpu, const struct cufft_made *made, void *at,
                      bool inverse)
{
    char shape[160];
    struct cufft_call call = {
        .transform = &made->transform, .plan = made->plan, .in = at, .out = at, .inverse = inverse};
    struct event_routine_work work = {
        .run = cufft_run, .range = cufft_range, .args = &call, .arg_bytes = sizeof call};
    cufft_describe(&call, "cufftXtExecDescriptor", &work.what, shape, sizeof shape);
    CUresult result = cufft_part_enter(plan, gpu);
    if (result != CUDA_SUCCESS) return result;
    result = routine_submit("libcufft", NULL, &work);
    cufft_part_leave(plan);
    return result;
}

/* `n`, `stride` and `dist` of a transform of this rank; batch items. */
static struct cufft_made *made_of(const struct cufft_plan *plan, unsigned rank, const int64_t *n,
                                  const int64_t *stride, int64_t dist, int64_t batch)
{
    struct cufft_transform t = plan->made->transform;
    t.problem.rank = rank;
    t.problem.batch = batch;
    t.natural = false;
    for (unsigned d = 0; d < rank; d++) {
        t.problem.n[d] = n[d];
        t.problem.in.stride[d] = t.problem.out.stride[d] = stride[d];
    }
    t.problem.in.dist = t.problem.out.dist = dist;
    return cufft_made_new(&t);
}

/* Rows of part i: all dimensions but the first `skipped`; NULL: it has none. */
static struct cufft_made *rows_of(const struct cufft_plan *plan, const struct cufft_parts *parts, int i,
                                  unsigned skipped)
{
    const struct fft_problem *p = &plan->made->transform.problem;
    int64_t stride[FFT_RANK],
        rows = cufft_part_first(parts, parts->rows, i + 1) - cufft_part_first(parts, parts->rows, i);
    int64_t step = 1;
    for (unsigned d = p->rank; d-- > skipped;) {
        stride[d - skipped] = step;
        step *= p->n[d];
    }
    return rows ? made_of(plan, p->rank - skipped, p->n + skipped, stride, step, rows) : NULL;
}

/* Columns of part i, in the first dimension. */
static struct cufft_made *columns_of(const struct cufft_plan *plan, const struct cufft_parts *parts, int i)
{
    const struct fft_problem *p = &plan->made->transform.problem;
    int64_t columns =
        cufft_part_first(parts, parts->columns, i + 1) - cufft_part_first(parts, parts->columns, i);
    if (p->rank > 2) columns *= p->n[2];
    return columns ? made_of(plan, 1, p->n, &columns, 1, columns) : NULL;
}

enum step { ROWS, COLUMNS, ITEMS };
static CUresult run_step(const struct cufft_plan *plan, const struct cufft_parts *parts, enum step step,
                         void *const *data, bool inverse)
{
    struct cufft_made *made[CUFFT_GPUS] = {NULL};
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < parts->count && result == CUDA_SUCCESS; i++) {
        made[i] = step == COLUMNS ? columns_of(plan, parts, i) : rows_of(plan, parts, i, step == ROWS);
        if (made[i]) result = queue(plan, i, made[i], data[i], inverse);
    }
    CUresult waited = cufft_parts_wait(plan, parts);
    for (int i = 0; i < parts->count; i++)
        cufft_made_free(made[i]);
    return result == CUDA_SUCCESS ? waited : result;
}

static void temporary_free(void **memory, int count)
{
    for (int i = 0; i < count; i++)
        if (memory[i]) cuMemFree((CUdeviceptr)(uintptr_t)memory[i]);
}

static CUresult temporary_new(const struct cufft_plan *plan, const struct cufft_parts *parts, bool shuffled,
                              void **memory)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < parts->count && result == CUDA_SUCCESS; i++) {
        CUdeviceptr at = 0;
        uint64_t bytes = cufft_part_bytes(parts, shuffled, i);
        result = cufft_part_enter(plan, i);
        if (result != CUDA_SUCCESS) break;
        result = cuMemAlloc(&at, bytes ? (size_t)bytes : 1);
        cufft_part_leave(plan);
        memory[i] = (void *)(uintptr_t)at;
    }
    return result;
}

/* The parts change their order where they are. */
static CUresult reorder(const struct cufft_plan *plan, const struct cufft_parts *parts, void *const *data,
                        bool to_shuffled)
{
    void *memory[CUFFT_GPUS] = {NULL};
    CUresult result = temporary_new(plan, parts, to_shuffled, memory);
    if (result == CUDA_SUCCESS)
        result = to_shuffled ? cufft_parts_exchange(parts, data, memory, true)
                             : cufft_parts_exchange(parts, memory, data, false);
    for (int i = 0; i < parts->count && result == CUDA_SUCCESS; i++)
        result = cuMemcpy((CUdeviceptr)(uintptr_t)data[i], (CUdeviceptr)(uintptr_t)memory[i],
                          (size_t)cufft_part_bytes(parts, to_shuffled, i));
    result = cufft_copied(result);
    temporary_free(memory, parts->count);
    return result;
}

/* One line, in the memory of the first GPU. */
static CUresult run_line(const struct cufft_plan *plan, const struct cufft_parts *parts, void *const *data,
                         bool inverse)
{
    CUdeviceptr whole = 0;
    CUresult result = cufft_part_enter(plan, 0);
    if (result != CUDA_SUCCESS) return result;
    result = cuMemAlloc(&whole, (size_t)(parts->rows * parts->element));
    cufft_part_leave(plan);
    for (int turn = 0; turn < 2 && result == CUDA_SUCCESS; turn++) {
        for (int i = 0; i < parts->count && result == CUDA_SUCCESS; i++) {
            CUdeviceptr there = whole + (size_t)(cufft_part_first(parts, parts->rows, i) * parts->element);
            CUdeviceptr part = (CUdeviceptr)(uintptr_t)data[i];
            size_t bytes = (size_t)cufft_part_bytes(parts, false, i);
            if (bytes) result = turn ? cuMemcpy(part, there, bytes) : cuMemcpy(there, part, bytes);
        }
        result = cufft_copied(result);
        if (turn == 0 && result == CUDA_SUCCESS)
            result = queue(plan, 0, plan->made, (void *)(uintptr_t)whole, inverse);
        if (turn == 0 && result == CUDA_SUCCESS) result = cufft_parts_wait(plan, parts);
    }
    if (whole) cuMemFree(whole);
    return result;
}

static CUresult run_planes(const struct cufft_plan *plan, const struct cufft_parts *parts, void *const *data,
                           bool shuffled, bool inverse)
{
    CUresult result = run_step(plan, parts, shuffled ? COLUMNS : ROWS, data, inverse);
    if (result == CUDA_SUCCESS) result = reorder(plan, parts, data, !shuffled);
    return result == CUDA_SUCCESS ? run_step(plan, parts, shuffled ? ROWS : COLUMNS, data, inverse) : result;
}

static cufftResult execute(cufftHandle handle, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    struct cufft_plan *plan;
    struct cufft_parts parts;
    CUFFT_TRY(cufft_gpus_enter(handle, &plan, &parts));
    struct cufft_descriptor source, target;
    CUFFT_TRY(cufft_descriptor_read(in, &parts, &source));
    CUFFT_TRY(cufft_descriptor_read(out, &parts, &target));
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    bool shuffled = cufft_is_shuffled(&parts, source.whole.subFormat), inverse = direction == CUFFT_INVERSE;
    void *const *data = target.parts.data;
    CUresult result = cufft_parts_wait(plan, &parts);
    for (int i = 0; i < parts.count && in != out && result == CUDA_SUCCESS; i++)
        result = cuMemcpy((CUdeviceptr)(uintptr_t)data[i], (CUdeviceptr)(uintptr_t)source.parts.data[i],
                          (size_t)cufft_part_bytes(&parts, shuffled, i));
    result = cufft_copied(result);
    if (result == CUDA_SUCCESS) {
        if (parts.split == CUFFT_ITEMS)
            result = run_step(plan, &parts, ITEMS, data, inverse);
        else
            result = parts.split == CUFFT_LINE ? run_line(plan, &parts, data, inverse)
                                               : run_planes(plan, &parts, data, shuffled, inverse);
    }
    bool was_natural = source.whole.subFormat != CUFFT_XT_FORMAT_INPLACE_SHUFFLED &&
                       source.whole.subFormat != CUFFT_XT_FORMAT_OUTPUT;
    out->subFormat = was_natural && parts.split != CUFFT_ITEMS ? CUFFT_XT_FORMAT_INPLACE_SHUFFLED
                                                               : CUFFT_XT_FORMAT_INPLACE;
    return cufft_status(result);
}

CUFFT cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    return execute(plan, in, out, direction);
}

CUFFT cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    return execute(plan, in, out, direction);
}

CUFFT cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out, int direction)
{
    return execute(plan, in, out, direction);
}
