/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels do to graphs: set the value of a conditional handle, change kernel nodes, and launch graphs
 * that were instantiated for it (CUDA Programming Guide, "Device Graph Launch", "Device-Side Node Updates").
 *
 * A launch to fire and forget, or as a sibling, begins at once beside the kernel, and what follows the kernel
 * waits for it; one for the tail begins when the graph that the kernel is part of is done. Only kernels of
 * graphs may launch graphs. Differs from CUDA: a sibling delays the tail of its graph too. */
#include "driver_cdp.h"

#include "driver/graph/driver_graph.h"
#include "driver/module/driver_module.h"

#include <stddef.h>
#include <string.h>

enum { STREAM_TAIL = 1, STREAM_FIRE_AND_FORGET = 2, STREAM_SIBLING = 3, STREAM_SHIFT = 56 };
enum { PENDING_EXCEEDED = 69 }; /* of cudaError_t alone */

void driver_cdp_set_conditional(struct engine_device_call *at)
{
    static atomic_bool said;
    uint64_t handle = *(const uint64_t *)(uintptr_t)at->arguments[0];
    uint32_t value = *(const uint32_t *)(uintptr_t)at->arguments[1];
    if (!driver_condition_set(handle, value) && !atomic_exchange(&said, true))
        sw_log("cudaGraphSetConditional: %#llx is no handle of a conditional node",
               (unsigned long long)handle);
    at->result = 0;
}

/* ---- changes of kernel nodes */

struct node_update { /* cudaGraphKernelNodeUpdate */
    uint64_t node;
    uint32_t field, unused;
    union {
        uint32_t grid[3];
        struct {
            uint64_t value, offset, bytes;
        } param;
        uint32_t enabled;
    };
};
_Static_assert(sizeof(struct node_update) == 40 && offsetof(struct node_update, grid) == 16, "as CUDA's");

static int cdp_graph_change(const struct engine_device_call *at, uint64_t node,
                            struct driver_node_change *change)
{
    const struct driver_grid *grid = at->owner;
    const struct driver_device *device = grid->launch->function->module->context->device;
    return (int)driver_updatable_change(node, device, change);
}

/* Read in parts, before anything is held. */
static int change_param(const struct engine_device_call *at, uint64_t node, uint64_t offset, uint64_t value,
                        uint64_t bytes)
{
    uint8_t part[256];
    struct driver_node_change all = {.field = DRIVER_NODE_PARAM, .offset = offset, .bytes = bytes};
    int error = cdp_graph_change(at, node, &all);
    for (uint64_t done = 0; !error && done < bytes; done += sizeof part) {
        struct driver_node_change one = {.field = DRIVER_NODE_PARAM, .offset = offset + done, .param = part};
        one.bytes = bytes - done < sizeof part ? bytes - done : sizeof part;
        engine_device_read(at, part, value + done, one.bytes);
        error = cdp_graph_change(at, node, &one);
    }
    return error;
}

static int cdp_graph_apply(const struct engine_device_call *at, uint64_t updates, uint64_t count)
{
    int error = CUDA_SUCCESS;
    for (uint64_t i = 0; i < count && !error; i++) {
        struct node_update update;
        engine_device_read(at, &update, updates + i * sizeof update, sizeof update);
        struct driver_node_change one = {.enabled = update.enabled != 0};
        memcpy(one.grid, update.grid, sizeof one.grid);
        if (update.field == DRIVER_NODE_PARAM) {
            error =
                change_param(at, update.node, update.param.offset, update.param.value, update.param.bytes);
            continue;
        }
        if (update.field != DRIVER_NODE_GRID && update.field != DRIVER_NODE_ENABLED)
            return CUDA_ERROR_INVALID_VALUE;
        one.field = update.field;
        error = cdp_graph_change(at, update.node, &one);
    }
    return error;
}

static uint64_t cdp_graph_value_of(const struct engine_device_call *at, unsigned index)
{
    return *(const uint64_t *)(uintptr_t)at->arguments[index];
}

bool driver_cdp_change_node(struct engine_device_call *at)
{
    struct driver_node_change one = {0};
    switch ((unsigned)at->function) {
    case JIT_DEVICE_GraphKernelNodeSetParam:
        at->result = (uint64_t)change_param(at, cdp_graph_value_of(at, 0), cdp_graph_value_of(at, 1),
                                            cdp_graph_value_of(at, 2), cdp_graph_value_of(at, 3));
        return true;
    case JIT_DEVICE_GraphKernelNodeSetEnabled:
        one.field = DRIVER_NODE_ENABLED;
        one.enabled = *(const uint8_t *)(uintptr_t)at->arguments[1] != 0;
        break;
    case JIT_DEVICE_GraphKernelNodeSetGridDim:
        one.field = DRIVER_NODE_GRID;
        memcpy(one.grid, (const void *)(uintptr_t)at->arguments[1], sizeof one.grid);
        break;
    case JIT_DEVICE_GraphKernelNodeUpdatesApply:
        at->result = (uint64_t)cdp_graph_apply(at, cdp_graph_value_of(at, 0), cdp_graph_value_of(at, 1));
        return true;
    default: return false;
    }
    at->result = (uint64_t)cdp_graph_change(at, cdp_graph_value_of(at, 0), &one);
    return true;
}

/* ---- launches of graphs */

static int queue(const struct cdp_call *call, struct driver_graph_exec *exec)
{
    struct driver_work work = {.kind = DRIVER_WORK_GRAPH, .graph = exec};
    driver_cdp_lock(call->tree);
    driver_cdp_add(call->tree, driver_cdp_op_new(call->grid, NULL, &work));
    driver_cdp_unlock(call->tree);
    return CUDA_SUCCESS;
}

/* The reference to exec is given away, or dropped. */
static int cdp_graph_launch(const struct cdp_call *call, struct driver_graph_exec *exec, uint64_t stream)
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

int driver_cdp_graph_launch(const struct cdp_call *call)
{
    struct driver_graph_exec *exec =
        driver_handle_get((const void *)(uintptr_t)cdp_argument(call, 0), DRIVER_GRAPH_EXEC);
    if (!exec) return CUDA_ERROR_INVALID_VALUE;
    return cdp_graph_launch(call, exec, cdp_argument(call, 1));
}
