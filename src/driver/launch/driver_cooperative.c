/* SPDX-License-Identifier: Apache-2.0 */
/* cuLaunchCooperativeKernelMultiDevice: the same grid on several devices. By default all begin after what was
 * queued on any of the streams, and what is queued on any afterwards waits for all. The grids run beside each
 * other; they cannot synchronize with each other in device code, which CUDA took away in its version 13. */
#include "driver_launch.h"

#include "driver/module/driver_module.h"
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

struct group {
    unsigned count;
    struct driver_stream **streams; /* references */
    struct driver_work *works;
};

static bool same_dimensions(const CUDA_LAUNCH_PARAMS *a, const CUDA_LAUNCH_PARAMS *b)
{
    return a->gridDimX == b->gridDimX && a->gridDimY == b->gridDimY && a->gridDimZ == b->gridDimZ &&
           a->blockDimX == b->blockDimX && a->blockDimY == b->blockDimY && a->blockDimZ == b->blockDimZ &&
           a->sharedMemBytes == b->sharedMemBytes;
}

static CUresult cooperative_prepare(const CUDA_LAUNCH_PARAMS *p, struct driver_stream **stream,
                                    struct driver_work *work)
{
    if (!p->hStream || p->hStream == CU_STREAM_LEGACY || p->hStream == CU_STREAM_PER_THREAD)
        return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_stream_get(p->hStream, stream));
    struct driver_launch_request request = {.function = p->function,
                                            .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                            .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                            .dynamic_shared = p->sharedMemBytes,
                                            .params = p->kernelParams,
                                            .cooperative = true,
                                            .view = (*stream)->context};
    struct driver_work made = {.kind = DRIVER_WORK_LAUNCH};
    DRIVER_TRY(driver_launch_make(&request, &made.launch));
    *work = made;
    return made.launch.function->module->context == (*stream)->context->root ? CUDA_SUCCESS
                                                                             : CUDA_ERROR_INVALID_HANDLE;
}

/* One launch a device, the same kernel everywhere, nothing captured. */
static CUresult cooperative_check(const struct group *group)
{
    for (unsigned i = 0; i < group->count; i++) {
        if (driver_is_capturing(group->streams[i])) return driver_capture_forbid(group->streams[i]);
        const struct driver_function *mine = group->works[i].launch.function;
        if (strcmp(mine->entry->name, group->works[0].launch.function->entry->name) != 0)
            return CUDA_ERROR_INVALID_VALUE;
        for (unsigned k = 0; k < i; k++)
            if (group->streams[k]->context->device == group->streams[i]->context->device)
                return CUDA_ERROR_INVALID_DEVICE;
    }
    return CUDA_SUCCESS;
}

/* Each stream waits for where the others are now. */
static void join_streams(const struct group *group)
{
    struct driver_dependency *last = sw_xcalloc(group->count + 1, sizeof *last);
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    for (unsigned i = 0; i < group->count; i++)
        last[i] = (struct driver_dependency){group->streams[i], driver_scheduler_issued(group->streams[i])};
    for (unsigned i = 0; i < group->count; i++)
        driver_scheduler_add(group->streams[i], &nothing, last, group->count, false);
    free(last);
}

static CUresult cooperative_launch(struct group *group, unsigned flags)
{
    CUresult result = CUDA_SUCCESS;
    if (!(flags & CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC)) join_streams(group);
    for (unsigned i = 0; i < group->count; i++) {
        driver_launch_number(&group->works[i].launch);
        CUresult queued = driver_submit(group->streams[i], &group->works[i], false);
        group->works[i].kind = DRIVER_WORK_NOTHING; /* the queue has it */
        if (result == CUDA_SUCCESS) result = queued;
    }
    if (!(flags & CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC)) join_streams(group);
    return result;
}

DRIVER_API cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *params, unsigned count, unsigned flags)
{
    DRIVER_TRY(driver_ready());
    if (!params || count == 0 || count > (unsigned)driver.device_count || flags > 3)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 1; i < count; i++)
        if (!same_dimensions(&params[0], &params[i])) return CUDA_ERROR_INVALID_VALUE;
    struct group group = {count, sw_xcalloc(count, sizeof *group.streams),
                          sw_xcalloc(count, sizeof *group.works)};
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = cooperative_prepare(&params[i], &group.streams[i], &group.works[i]);
    if (result == CUDA_SUCCESS) result = cooperative_check(&group);
    if (result == CUDA_SUCCESS) result = cooperative_launch(&group, flags);
    for (unsigned i = 0; i < count; i++) {
        driver_work_release(&group.works[i]);
        if (group.streams[i]) driver_stream_put(group.streams[i]);
    }
    free(group.streams);
    free(group.works);
    return result;
}
