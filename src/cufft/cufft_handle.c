/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: plans by number, and what is set in them. Method: a table of plans, from 1; the number of a plan
 * that was destroyed is given again. Statuses are those that NVIDIA's library was seen to return
 * (tests/hw/libraries). Limits: a plan must not be destroyed while another thread uses it, as documented;
 * work areas are accepted and not used, and a call fails without one where NVIDIA's would; properties change
 * nothing. A plan of which a stream was captured keeps its memory, since the graph may be launched later. */
#include "cufft_priv.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cufft_plan **plans; /* by number; NULL: free */
static int plan_room;

cufftResult cufft_status(CUresult result)
{
    switch ((int)result) {
    case CUDA_SUCCESS: return CUFFT_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return CUFFT_SETUP_FAILED;
    case CUDA_ERROR_OUT_OF_MEMORY: return CUFFT_ALLOC_FAILED;
    case CUDA_ERROR_NOT_SUPPORTED: return CUFFT_NOT_SUPPORTED;
    default: return CUFFT_EXEC_FAILED;
    }
}

static cufftHandle add(struct cufft_plan *plan)
{
    enum { FIRST = 16 };
    int at = 1;
    pthread_mutex_lock(&lock);
    while (at < plan_room && plans[at])
        at++;
    if (at >= plan_room) {
        int room = plan_room ? 2 * plan_room : FIRST;
        plans = sw_xrealloc(plans, (size_t)room * sizeof(struct cufft_plan *));
        for (int i = plan_room; i < room; i++)
            plans[i] = NULL;
        plan_room = room;
    }
    plans[at] = plan;
    pthread_mutex_unlock(&lock);
    return at;
}

static struct cufft_plan *find(cufftHandle handle, bool removes)
{
    struct cufft_plan *plan = NULL;
    pthread_mutex_lock(&lock);
    if (handle > 0 && handle < plan_room) {
        plan = plans[handle];
        if (removes) plans[handle] = NULL;
    }
    pthread_mutex_unlock(&lock);
    return plan;
}

cufftResult cufft_enter(cufftHandle handle, struct cufft_plan **out)
{
    *out = find(handle, false);
    return *out ? cufft_status(routine_enter((*out)->context)) : CUFFT_INVALID_PLAN;
}

CUFFT cufftCreate(cufftHandle *out)
{
    CUcontext context;
    if (!out) return CUFFT_INVALID_VALUE;
    CUFFT_TRY(cufft_status(routine_context(&context)));
    struct cufft_plan *plan = sw_xcalloc(1, sizeof *plan);
    plan->context = context;
    plan->automatic = true;
    *out = add(plan);
    return CUFFT_SUCCESS;
}

void cufft_gpus_release(struct cufft_plan *plan)
{
    for (int i = 0; i < plan->gpu_count; i++)
        cuDevicePrimaryCtxRelease(plan->gpus[i]);
    plan->gpu_count = 0;
}

/* CUDA waits for the device, too. */
CUFFT cufftDestroy(cufftHandle handle)
{
    struct cufft_plan *plan;
    if (handle == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (find(handle, true) != plan) return CUFFT_INVALID_PLAN;
    if (plan->made) cuCtxSynchronize();
    cufft_gpus_release(plan);
    if (!plan->captured) cufft_made_free(plan->made);
    free(plan);
    return CUFFT_SUCCESS;
}

CUFFT cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    plan->stream = (CUstream)stream;
    return CUFFT_SUCCESS;
}

CUFFT cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    plan->automatic = automatic != 0;
    return CUFFT_SUCCESS;
}

CUFFT cufftSetWorkArea(cufftHandle handle, void *work)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    plan->work = work;
    plan->automatic = false;
    return CUFFT_SUCCESS;
}

CUFFT cufftGetSize(cufftHandle handle, size_t *work)
{
    struct cufft_plan *plan;
    CUFFT_TRY(cufft_enter(handle, &plan));
    if (!plan->made) return CUFFT_INVALID_PLAN;
    if (!work) return CUFFT_INVALID_VALUE;
    *work = plan->made->transform.work_bytes;
    return CUFFT_SUCCESS;
}

/* ---- properties: one that is there, one that is documented for other plans */

static cufftResult property_check(cufftHandle handle, cufftProperty property, struct cufft_plan **out)
{
    CUFFT_TRY(cufft_enter(handle, out));
    if (property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS) return CUFFT_NOT_SUPPORTED;
    return property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

CUFFT cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property, const long long int value)
{
    struct cufft_plan *plan;
    CUFFT_TRY(property_check(handle, property, &plan));
    if (plan->made) return CUFFT_NOT_SUPPORTED;
    plan->patient = value;
    return CUFFT_SUCCESS;
}

CUFFT cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property, long long int *value)
{
    struct cufft_plan *plan;
    CUFFT_TRY(property_check(handle, property, &plan));
    if (!value) return CUFFT_INVALID_VALUE;
    *value = plan->patient;
    return CUFFT_SUCCESS;
}

CUFFT cufftResetPlanProperty(cufftHandle handle, cufftProperty property)
{
    return cufftSetPlanPropertyInt64(handle, property, 0);
}

/* ---- what the library is */

CUFFT cufftGetVersion(int *version)
{
    if (version) *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

CUFFT cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int VALUES[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (!value) return CUFFT_INVALID_VALUE;
    if ((unsigned)type >= SW_COUNT_OF(VALUES)) return CUFFT_INVALID_TYPE;
    *value = VALUES[type];
    return CUFFT_SUCCESS;
}
