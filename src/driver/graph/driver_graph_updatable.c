/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel nodes that kernels change: parameters, grid, and whether they run at all (CUDA Programming Guide,
 * "Device-Side Node Updates"; CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE).
 *
 * What a kernel may change lies in one object that the program's node, its copy in the executable graph and
 * the launches under way share; its address is the handle that kernels get. A launch under way takes it when
 * its turn comes. The host's values are put there when the graph is instantiated, and, after the host changed
 * the executable graph, when its next launch begins, which is when CUDA drops what kernels did before.
 * Limits: a launch that is queued but has not begun takes changes that the host makes meanwhile; copies by
 * cuGraphClone are the same node for kernels. */
#include "driver_graph.h"

#include "driver/module/driver_module.h"
#include "driver/stream/driver_attribute.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

struct driver_updatable {
    struct driver_object object;
    atomic_uint nodes; /* that have it: the handle goes with the last */
    bool claimed;      /* an executable graph has it; graph lock */
    pthread_mutex_t lock;
    const struct driver_function *function; /* compared only */
    const struct driver_device *device;
    bool ready, enabled; /* ready: it was instantiated */
    uint32_t grid[3];
    uint64_t bytes; /* of params */
    uint8_t *params;
};

static void updatable_end(struct driver_object *object)
{
    struct driver_updatable *updatable = (struct driver_updatable *)object;
    pthread_mutex_destroy(&updatable->lock);
    free(updatable->params);
    free(updatable);
}

static struct driver_updatable *updatable_new(void)
{
    struct driver_updatable *updatable = sw_xcalloc(1, sizeof *updatable);
    driver_object_init(&updatable->object, DRIVER_UPDATABLE, updatable_end);
    pthread_mutex_init(&updatable->lock, NULL);
    driver_handle_add(&updatable->object);
    return driver_updatable_share(updatable);
}

struct driver_updatable *driver_updatable_share(struct driver_updatable *updatable)
{
    if (!updatable) return NULL;
    driver_object_ref(&updatable->object);
    atomic_fetch_add(&updatable->nodes, 1);
    return updatable;
}

void driver_updatable_drop(struct driver_updatable *updatable)
{
    if (!updatable) return;
    if (atomic_fetch_sub(&updatable->nodes, 1) == 1) {
        driver_handle_take(updatable, DRIVER_UPDATABLE);
        driver_object_unref(&updatable->object);
    }
    driver_object_unref(&updatable->object);
}

/* ---- the host's side */

CUresult driver_updatable_set_locked(struct driver_node *node, CUlaunchAttributeValue *value)
{
    int wanted = value->deviceUpdatableKernelNode.deviceUpdatable;
    if (wanted < 0 || wanted > 1 || (node->updatable && !wanted)) return CUDA_ERROR_INVALID_VALUE;
    if (!wanted) return CUDA_SUCCESS;
    if (!node->updatable) node->updatable = updatable_new();
    value->deviceUpdatableKernelNode.devNode = (CUgraphDeviceNode)node->updatable;
    driver_attributes_set(&node->attributes, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE, value);
    return CUDA_SUCCESS;
}

CUresult driver_updatable_captured(CUstream handle, CUlaunchAttributeValue *value)
{
    struct driver_stream *stream;
    if (!value) return CUDA_SUCCESS;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED; /* it ended since */
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_dependencies *tail = &stream->capture_dependencies;
    struct driver_node *node = tail->nodes.count ? tail->nodes.at[tail->nodes.count - 1] : NULL;
    if (driver_is_capturing(stream) && node && node->type == CU_GRAPH_NODE_TYPE_KERNEL)
        result = driver_updatable_set_locked(node, value);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_stream_put(stream);
    return result;
}

typedef void visit_fn(struct driver_node *node, void *user);

static void for_each(const struct driver_graph *graph, visit_fn *visit, void *user)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct driver_node *node = graph->nodes.at[i];
        if (node->updatable) visit(node, user);
        if (node->child) for_each(node->child, visit, user);
        for (unsigned k = 0; k < node->body_count; k++)
            for_each(node->bodies[k], visit, user);
    }
}

static void find_claimed(struct driver_node *node, void *user)
{
    *(bool *)user |= node->updatable->claimed;
}

static void graph_updatable_claim(struct driver_node *node, void *user)
{
    node->updatable->claimed = *(bool *)user;
}

CUresult driver_updatable_claim_locked(const struct driver_graph *graph)
{
    bool claimed = false, up = true;
    for_each(graph, find_claimed, &claimed);
    if (!claimed) for_each(graph, graph_updatable_claim, &up);
    return claimed ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

void driver_updatable_unclaim_locked(const struct driver_graph *graph)
{
    bool up = false;
    for_each(graph, graph_updatable_claim, &up);
}

static void graph_updatable_load(struct driver_node *node, void *user)
{
    struct driver_updatable *updatable = node->updatable;
    const struct driver_launch *launch = &node->work.launch;
    (void)user;
    if (!node->changed) return;
    node->changed = false;
    pthread_mutex_lock(&updatable->lock);
    updatable->function = launch->function;
    updatable->device = launch->function->module->context->device;
    updatable->enabled = !node->disabled;
    updatable->ready = true;
    updatable->bytes = launch->function->entry->param_bytes;
    free(updatable->params);
    updatable->params = sw_xcalloc(updatable->bytes + 1, 1);
    memcpy(updatable->params, launch->params, updatable->bytes);
    memcpy(updatable->grid, launch->grid, sizeof updatable->grid);
    pthread_mutex_unlock(&updatable->lock);
}

void driver_updatable_load_locked(const struct driver_graph *graph)
{
    for_each(graph, graph_updatable_load, NULL);
}

/* ---- a launch under way */

void driver_updatable_hold(const struct driver_node *node, struct driver_launch *launch)
{
    launch->updatable = node->updatable;
    driver_updatable_keep(launch);
}

void driver_updatable_keep(struct driver_launch *launch)
{
    if (launch->updatable) driver_object_ref(&launch->updatable->object);
}

void driver_updatable_let_go(struct driver_launch *launch)
{
    if (launch->updatable) driver_object_unref(&launch->updatable->object);
}

bool driver_updatable_take(struct driver_launch *launch)
{
    struct driver_updatable *updatable = launch->updatable;
    if (!updatable) return true;
    pthread_mutex_lock(&updatable->lock);
    bool enabled = !updatable->ready || updatable->enabled;
    if (updatable->ready && updatable->function == launch->function) {
        memcpy(launch->grid, updatable->grid, sizeof launch->grid);
        memcpy(launch->params, updatable->params, updatable->bytes);
    }
    pthread_mutex_unlock(&updatable->lock);
    return enabled;
}

/* ---- the kernel's side */

static bool grid_fits(const uint32_t grid[3]) /* CUDA Programming Guide, "Technical Specifications" */
{
    return grid[0] && grid[1] && grid[2] && grid[0] <= INT32_MAX && grid[1] <= 65535 && grid[2] <= 65535;
}

CUresult driver_updatable_change(uint64_t handle, const struct driver_device *device,
                                 const struct driver_node_change *change)
{
    struct driver_updatable *updatable = driver_handle_get((const void *)(uintptr_t)handle, DRIVER_UPDATABLE);
    if (!updatable) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&updatable->lock);
    bool valid = updatable->ready && updatable->device == device;
    switch (change->field) {
    case DRIVER_NODE_GRID:
        valid = valid && grid_fits(change->grid);
        if (valid) memcpy(updatable->grid, change->grid, sizeof updatable->grid);
        break;
    case DRIVER_NODE_PARAM:
        valid =
            valid && change->offset <= updatable->bytes && change->bytes <= updatable->bytes - change->offset;
        if (valid && change->param) memcpy(updatable->params + change->offset, change->param, change->bytes);
        break;
    case DRIVER_NODE_ENABLED:
        if (valid) updatable->enabled = change->enabled;
        break;
    default: valid = false; break;
    }
    pthread_mutex_unlock(&updatable->lock);
    driver_object_unref(&updatable->object);
    return valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
