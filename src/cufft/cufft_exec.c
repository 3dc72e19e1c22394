/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: transforms as routines of the plan's stream; functions that are there to say no. Method: which
 * function is called says the direction alone; the plan says the types, as in NVIDIA's library (recorded). */
#include "cufft_priv.h"

#include <cufftXt.h>

static bool is_aligned(const void *at, enum cufft_element element, bool is_complex)
{
    return (uintptr_t)at % ((is_complex ? 2 : 1) * cufft_element_bytes(element)) == 0;
}

static cufftResult call_check(const struct cufft_plan *plan, const void *in, const void *out, int direction)
{
    const struct cufft_transform *t = &plan->made->transform;
    const enum fft_kind kind = t->problem.kind;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    if (kind != FFT_C2C && (kind == FFT_C2R) != (direction == CUFFT_INVERSE)) return CUFFT_INVALID_VALUE;
    if (t->work_bytes && !plan->automatic && !plan->work) return CUFFT_NO_WORKSPACE;
    if (!out) return CUFFT_EXEC_FAILED;
    bool good = is_aligned(in, t->element, kind != FFT_R2C) && is_aligned(out, t->element, kind != FFT_C2R);
    return good ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

/* A graph keeps calls of the plan: its memory must stay. */
static CUresult note_capture(struct cufft_plan *plan)
{
    CUstreamCaptureStatus status;
    CUresult result = cuStreamIsCapturing(plan->stream, &status);
    if (result == CUDA_SUCCESS) plan->captured |= status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return result;
}

static void describe(const void *args, struct event_routine *what, char shape[EVENT_ROUTINE_SHAPE])
{
    cufft_describe(args, what->name, what, shape, EVENT_ROUTINE_SHAPE);
}

/* It takes some microseconds. */
static bool is_brief(const struct fft_problem *problem)
{
    enum { BRIEF = 1 << 12 }; /* implementation: complex floats, which take about 5 us */
    uint64_t count = (uint64_t)problem->batch;
    for (unsigned i = 0; i < problem->rank; i++)
        count = sw_product(count, (uint64_t)problem->n[i]);
    return sw_product(count, problem->type == FFT_F64 ? 2 : 1) <= BRIEF;
}

static cufftResult queue(const char *name, cufftHandle handle, const void *in, void *out, int direction)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!plan->made || plan->gpu_count) return CUFFT_INVALID_PLAN;
    CUFFT_TRY(call_check(plan, in, out, direction));
    if (plan->made->transform.empty) return CUFFT_SUCCESS;
    CUFFT_TRY(cufft_status(note_capture(plan)));
    bool in_place = in == out && plan->made->in_place_plan;
    struct cufft_call call = {.transform = in_place ? &plan->made->in_place : &plan->made->transform,
                              .plan = in_place ? plan->made->in_place_plan : plan->made->plan,
                              .in = in,
                              .out = out,
                              .inverse = direction == CUFFT_INVERSE};
    struct event_routine_work work = {.what.name = name,
                                      .describe = describe,
                                      .run = cufft_run,
                                      .brief = is_brief(&call.transform->problem),
                                      .range = cufft_range,
                                      .args = &call,
                                      .arg_bytes = sizeof call};
    return cufft_status(routine_submit("libcufft", plan->stream, &work));
}

CUFFT cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    return queue("cufftExecC2C", plan, in, out, direction);
}

CUFFT cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction)
{
    return queue("cufftExecZ2Z", plan, in, out, direction);
}

CUFFT cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return queue("cufftExecR2C", plan, in, out, CUFFT_FORWARD);
}

CUFFT cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return queue("cufftExecD2Z", plan, in, out, CUFFT_FORWARD);
}

CUFFT cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return queue("cufftExecC2R", plan, in, out, CUFFT_INVERSE);
}

CUFFT cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return queue("cufftExecZ2D", plan, in, out, CUFFT_INVERSE);
}

CUFFT cufftXtExec(cufftHandle plan, void *in, void *out, int direction)
{
    return queue("cufftXtExec", plan, in, out, direction);
}

/* ---- what is for several GPUs: one GPU's plans get the status that NVIDIA's library gives them */

CUFFT cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t *work)
{
    struct cufft_plan *plan;
    (void)policy;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!plan->made) return CUFFT_INVALID_PLAN;
    if (work) *work = plan->made->transform.work_bytes;
    return CUFFT_SUCCESS;
}

CUFFT cufftXtQueryPlan(cufftHandle handle, void *query, cufftXtQueryType type)
{
    struct cufft_plan *plan;
    (void)type;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (query && plan->gpu_count) {
        routine_refuse("cufftXtQueryPlan", "the order of a transform's output on several GPUs");
        return CUFFT_NOT_SUPPORTED;
    }
    return query ? CUFFT_INVALID_PLAN : CUFFT_INVALID_VALUE;
}
