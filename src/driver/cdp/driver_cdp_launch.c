/* SPDX-License-Identifier: Apache-2.0 */
/* A launch by the host that is queued: its grid, and all that its kernels launch. */
#include "driver_cdp.h"

#include "driver/graph/driver_graph.h"
#include "driver/module/driver_module.h"

#include <stdlib.h>
#include <string.h>

static void launch_run(struct driver_work *work, struct driver_stream *stream)
{
    struct driver_launch *launch = &work->launch;
    if (!driver_updatable_take(launch)) return;
    struct driver_grid grid = {.launch = launch,
                               .stream = stream,
                               .caller = work->caller,
                               .graph_exec = driver_graph_run_handle(launch->run),
                               .may_access = driver_cdp_may_access};
    driver_grid_run(&grid);
    driver_cdp_finish(&grid);
}

static void launch_release(struct driver_work *work)
{
    driver_function_put(work->launch.function);
    free(work->launch.params);
    driver_updatable_let_go(&work->launch);
}

static void launch_copy(struct driver_work *to, const struct driver_work *from)
{
    uint64_t bytes = from->launch.param_bytes + 16;
    driver_object_ref(&from->launch.function->module->object);
    to->launch.params = sw_xmalloc(bytes);
    memcpy(to->launch.params, from->launch.params, bytes);
    driver_updatable_keep(&to->launch);
}

void driver_cdp_define(void)
{
    static const struct driver_work_ops LAUNCH = {
        .run = launch_run, .release = launch_release, .copy = launch_copy};
    driver_work_define(DRIVER_WORK_LAUNCH, &LAUNCH);
}
