/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels do to graphs: set the value of a conditional handle, and launch graphs that were instantiated
 * for it (CUDA Programming Guide, "Device Graph Launch").
 *
 * A launch to fire and forget, or as a sibling, begins at once beside the kernel, and what follows the kernel
 * waits for it; one for the tail begins when the graph that the kernel is part of is done. Only kernels of
 * graphs may launch graphs. Differs from CUDA: a sibling delays the tail of its graph too. */
#include "driver_graph.h"
#include "driver_nest.h"

enum { STREAM_TAIL = 1, STREAM_FIRE_AND_FORGET = 2, STREAM_SIBLING = 3, STREAM_SHIFT = 56 };
enum { PENDING_EXCEEDED = 69 }; /* of cudaError_t alone */

void driver_nest_set_conditional(struct engine_device_call *at)
{
    static atomic_bool said;
    uint64_t handle = *(const uint64_t *)(uintptr_t)at->arguments[0];
    uint32_t value = *(const uint32_t *)(uintptr_t)at->arguments[1];
    if (!driver_condition_set(handle, value) && !atomic_exchange(&said, true))
        sw_log("cudaGraphSetConditional: %#llx is no handle of a conditional node",
               (unsigned long long)handle);
    at->result = 0;
}

static int queue(const struct nest_call *call, struct driver_graph_exec *exec)
{
    struct driver_work work = {.kind = DRIVER_WORK_GRAPH, .graph = exec};
    driver_nest_lock(call->nest);
    driver_nest_add(call->nest, driver_nest_op_new(call->grid, NULL, &work));
    driver_nest_unlock(call->nest);
    return CUDA_SUCCESS;
}

/* The reference to exec is given away, or dropped. */
static int launch(const struct nest_call *call, struct driver_graph_exec *exec, uint64_t stream)
{
    struct driver_graph_run *run = call->grid->launch->run;
    int error = CUDA_SUCCESS;
    if (!run)
        error = CUDA_ERROR_NOT_SUPPORTED; /* the kernel is part of no graph */
    else if (!(exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) || !exec->uploaded)
        error = CUDA_ERROR_INVALID_VALUE;
    else if (stream == (uint64_t)STREAM_FIRE_AND_FORGET << STREAM_SHIFT || stream == (uint64_t)STREAM_SIBLING
                                                                                         << STREAM_SHIFT)
        return queue(call, exec);
    else if (stream != (uint64_t)STREAM_TAIL << STREAM_SHIFT)
        error = CUDA_ERROR_INVALID_VALUE;
    else if (driver_graph_run_add_tail(run, exec))
        return CUDA_SUCCESS;
    else
        error = PENDING_EXCEEDED;
    driver_graph_exec_put(exec);
    return error;
}

int driver_nest_graph_launch(const struct nest_call *call)
{
    struct driver_graph_exec *exec =
        driver_handle_get((const void *)(uintptr_t)nest_argument(call, 0), DRIVER_GRAPH_EXEC);
    if (!exec) return CUDA_ERROR_INVALID_VALUE;
    return launch(call, exec, nest_argument(call, 1));
}
