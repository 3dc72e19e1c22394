/* SPDX-License-Identifier: Apache-2.0 */
/* Executable graphs: a private copy of a graph with its order settled, and its launches.
 *
 * A launch queues the nodes one after another on one stream, in an order that respects the edges: a legal
 * schedule, and the same one every time. Branches therefore do not overlap. */
#include "driver_priv.h"

#include <stdlib.h>
#include <string.h>

struct driver_graph_exec {
    struct driver_object object;
    struct driver_graph *graph; /* reference; node->origin is the node of the program's graph */
    struct driver_node **order;
    unsigned long long flags;
};

static void exec_end(struct driver_object *object)
{
    struct driver_graph_exec *exec = (struct driver_graph_exec *)object;
    driver_object_unref(&exec->graph->object);
    free(exec->order);
    free(exec);
}

static CUresult instantiate_locked(struct driver_graph *graph, unsigned long long flags, CUgraphExec *out)
{
    struct driver_graph_exec *exec = sw_xcalloc(1, sizeof *exec);
    driver_object_init(&exec->object, DRIVER_GRAPH_EXEC, exec_end);
    exec->graph = driver_graph_clone_locked(graph);
    exec->flags = flags;
    if (!driver_graph_sort_locked(exec->graph, &exec->order)) {
        driver_object_unref(&exec->object);
        return CUDA_ERROR_INVALID_VALUE;
    }
    driver_handle_add(&exec->object);
    *out = (CUgraphExec)exec;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph handle, unsigned long long flags)
{
    static int refused;
    DRIVER_TRY(driver_ready());
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        return driver_refuse_call(&refused, "cuGraphInstantiate", "launching graphs from the device");
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = instantiate_locked(graph, flags, out);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph,
                                        CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuGraphInstantiateWithFlags(out, graph, params->flags);
    params->hErrNode_out = NULL;
    params->result_out =
        result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
    return result;
}

static CUresult exec_get(CUgraphExec handle, struct driver_graph_exec **out)
{
    DRIVER_TRY(driver_ready());
    *out = driver_handle_get(handle, DRIVER_GRAPH_EXEC);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void exec_put(struct driver_graph_exec *exec)
{
    pthread_mutex_lock(&driver_graph_lock);
    driver_object_unref(&exec->object);
    pthread_mutex_unlock(&driver_graph_lock);
}

DRIVER_API cuGraphExecDestroy(CUgraphExec handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph_exec *exec = driver_handle_take(handle, DRIVER_GRAPH_EXEC);
    if (!exec) return CUDA_ERROR_INVALID_VALUE;
    driver_scheduler_wait_all(); /* launches of it may use memory that goes with it */
    exec_put(exec);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t *flags)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(exec_get(handle, &exec));
    if (flags) *flags = exec->flags;
    exec_put(exec);
    return flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- launching */

struct step {
    struct driver_work work;
    struct driver_event *event; /* reference; EVENT_RECORD or WAIT_EVENT */
    CUgraphNodeType type;
};
struct steps {
    VEC(struct step) list;
};

static void collect_locked(struct driver_node *const *order, size_t count, struct steps *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct driver_node *node = order[i];
        if (node->disabled) continue;
        if (node->child) {
            struct driver_node **inner;
            if (driver_graph_sort_locked(node->child, &inner))
                collect_locked(inner, node->child->nodes.count, out);
            free(inner);
            continue;
        }
        struct step *step = vec_push(&out->list);
        *step = (struct step){.type = node->type, .event = node->event};
        driver_work_copy(&step->work, &node->work);
        if (step->event) driver_object_ref(&step->event->object);
    }
}

static CUresult run_step(struct step *step, struct driver_stream *stream)
{
    CUresult result = CUDA_SUCCESS;
    if (step->event) {
        result = step->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? driver_event_record(step->event, stream)
                                                               : driver_event_wait(step->event, stream);
        driver_object_unref(&step->event->object);
        return result;
    }
    if (step->work.kind == DRIVER_WORK_NOTHING) return CUDA_SUCCESS;
    if (step->work.kind == DRIVER_WORK_LAUNCH) driver_launch_number(&step->work.launch);
    return driver_submit(stream, &step->work, false);
}

static void drop_step(struct step *step)
{
    if (step->event) driver_object_unref(&step->event->object);
    driver_work_release(&step->work);
}

static CUresult launch(struct driver_graph_exec *exec, struct driver_stream *stream)
{
    if (driver_is_capturing(stream)) return driver_capture_child(stream, exec->graph);
    struct steps steps = {0};
    pthread_mutex_lock(&driver_graph_lock);
    collect_locked(exec->order, exec->graph->nodes.count, &steps);
    pthread_mutex_unlock(&driver_graph_lock);
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < steps.list.count; i++) {
        if (result == CUDA_SUCCESS)
            result = run_step(&steps.list.at[i], stream);
        else
            drop_step(&steps.list.at[i]);
    }
    vec_release(&steps.list);
    return result;
}

DRIVER_API cuGraphLaunch(CUgraphExec handle, CUstream stream_handle)
{
    struct driver_stream *stream;
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    CUresult result = exec_get(handle, &exec);
    if (result == CUDA_SUCCESS) {
        result = launch(exec, stream);
        exec_put(exec);
    }
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuGraphUpload(CUgraphExec handle, CUstream stream_handle)
{
    struct driver_stream *stream;
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_stream_get(stream_handle, &stream));
    driver_stream_put(stream);
    DRIVER_TRY(exec_get(handle, &exec));
    exec_put(exec);
    return CUDA_SUCCESS;
}

/* ---- changing what is launched */

static struct driver_node *node_of_locked(const struct driver_graph_exec *exec, CUgraphNode origin)
{
    for (size_t i = 0; i < exec->graph->nodes.count; i++)
        if ((const void *)exec->graph->nodes.at[i]->origin == (const void *)origin)
            return exec->graph->nodes.at[i];
    return NULL;
}

/* Find the node and hold the lock; NULL params or another type is INVALID_VALUE. */
static CUresult take(CUgraphExec handle, CUgraphNode origin, CUgraphNodeType type, const void *params,
                     struct driver_graph_exec **exec, struct driver_node **node)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(exec_get(handle, exec));
    pthread_mutex_lock(&driver_graph_lock);
    *node = node_of_locked(*exec, origin);
    if (*node && (*node)->type == type) return CUDA_SUCCESS;
    driver_object_unref(&(*exec)->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult give(struct driver_graph_exec *exec, CUresult result)
{
    driver_object_unref(&exec->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphExecKernelNodeSetParams_v2(CUgraphExec handle, CUgraphNode origin,
                                             const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_KERNEL, params, &exec, &node));
    return give(exec, driver_node_set_kernel(node, params));
}

DRIVER_API cuGraphExecMemcpyNodeSetParams(CUgraphExec handle, CUgraphNode origin, const CUDA_MEMCPY3D *params,
                                          CUcontext context)
{
    (void)context;
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_MEMCPY, params, &exec, &node));
    return give(exec, driver_node_set_memcpy(node, params));
}

DRIVER_API cuGraphExecMemsetNodeSetParams(CUgraphExec handle, CUgraphNode origin,
                                          const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    (void)context;
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_MEMSET, params, &exec, &node));
    return give(exec, driver_node_set_memset(node, params));
}

DRIVER_API cuGraphExecHostNodeSetParams(CUgraphExec handle, CUgraphNode origin,
                                        const CUDA_HOST_NODE_PARAMS *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_HOST, params, &exec, &node));
    return give(exec, driver_node_set_host(node, params));
}

DRIVER_API cuGraphExecEventRecordNodeSetEvent(CUgraphExec handle, CUgraphNode origin, CUevent event)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, &exec, &node));
    return give(exec, driver_node_set_event(node, event));
}

DRIVER_API cuGraphExecEventWaitNodeSetEvent(CUgraphExec handle, CUgraphNode origin, CUevent event)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, &exec, &node));
    return give(exec, driver_node_set_event(node, event));
}

DRIVER_API cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode origin, unsigned enabled)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(exec_get(handle, &exec));
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_node *node = node_of_locked(exec, origin);
    if (node) node->disabled = !enabled;
    return give(exec, node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode origin, unsigned *enabled)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(exec_get(handle, &exec));
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_node *node = node_of_locked(exec, origin);
    if (node && enabled) *enabled = !node->disabled;
    return give(exec, node && enabled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* ---- update from a graph of the same shape: nodes are paired in the order in which they were made */

static size_t position(const struct driver_graph *graph, const struct driver_node *node)
{
    size_t at = 0;
    while (at < graph->nodes.count && graph->nodes.at[at] != node)
        at++;
    return at;
}

static bool same_needs(const struct driver_graph *a, const struct driver_graph *b, size_t i)
{
    const struct driver_node *x = a->nodes.at[i], *y = b->nodes.at[i];
    if (x->needs.count != y->needs.count) return false;
    for (size_t k = 0; k < x->needs.count; k++)
        if (position(a, x->needs.at[k]) != position(b, y->needs.at[k])) return false;
    return true;
}

static CUgraphExecUpdateResult compare_locked(const struct driver_graph *exec,
                                              const struct driver_graph *graph, CUgraphNode *bad)
{
    if (exec->nodes.count != graph->nodes.count) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        *bad = (CUgraphNode)graph->nodes.at[i];
        if (exec->nodes.at[i]->type != graph->nodes.at[i]->type)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (!same_needs(exec, graph, i)) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    }
    *bad = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUresult update_locked(struct driver_graph_exec *exec, const struct driver_graph *graph,
                              CUgraphExecUpdateResultInfo *info)
{
    CUgraphNode bad = NULL;
    CUgraphExecUpdateResult verdict = compare_locked(exec->graph, graph, &bad);
    if (info) *info = (CUgraphExecUpdateResultInfo){.result = verdict, .errorNode = bad};
    if (verdict != CU_GRAPH_EXEC_UPDATE_SUCCESS) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct driver_node *node = exec->graph->nodes.at[i];
        const struct driver_node *origin = node->origin;
        driver_node_clear(node);
        driver_node_copy(node, graph->nodes.at[i]);
        node->origin = origin; /* handles of the graph it was made from stay good */
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo *info)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(exec_get(handle, &exec));
    struct driver_graph *graph = driver_handle_get(graph_handle, DRIVER_GRAPH);
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = graph ? update_locked(exec, graph, info) : CUDA_ERROR_INVALID_VALUE;
    if (graph) driver_object_unref(&graph->object);
    return give(exec, result);
}

DRIVER_API cuGraphExecChildGraphNodeSetParams(CUgraphExec handle, CUgraphNode origin, CUgraph graph_handle)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(take(handle, origin, CU_GRAPH_NODE_TYPE_GRAPH, graph_handle, &exec, &node));
    struct driver_graph *graph = driver_handle_get(graph_handle, DRIVER_GRAPH);
    if (!graph) return give(exec, CUDA_ERROR_INVALID_VALUE);
    driver_node_clear(node);
    node->child = driver_graph_clone_locked(graph);
    driver_handle_add(&node->child->object);
    driver_object_unref(&graph->object);
    return give(exec, CUDA_SUCCESS);
}

/* ---- the general form: a tagged union of the others' parameters */

static CUDA_MEMSET_NODE_PARAMS plain_memset(const CUgraphNodeParams *p)
{
    return (CUDA_MEMSET_NODE_PARAMS){p->memset.dst,         p->memset.pitch, p->memset.value,
                                     p->memset.elementSize, p->memset.width, p->memset.height};
}

static CUresult set_params(struct driver_node *node, const CUgraphNodeParams *p)
{
    static int refused;
    CUDA_MEMSET_NODE_PARAMS fill = plain_memset(p);
    if (node->type != p->type) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return driver_node_set_kernel(node, (const void *)&p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return driver_node_set_memcpy(node, &p->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: return driver_node_set_memset(node, &fill);
    case CU_GRAPH_NODE_TYPE_HOST: return driver_node_set_host(node, (const void *)&p->host);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return driver_node_set_event(node, p->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return driver_node_set_event(node, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
    default:
        return driver_refuse_call(&refused, "cuGraphNodeSetParams", "nodes of this kind cannot be changed");
    }
}

DRIVER_API cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params)
{
    DRIVER_TRY(driver_ready());
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    struct driver_node *node = driver_handle_get(handle, DRIVER_GRAPH_NODE);
    if (!node) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = set_params(node, params);
    driver_object_unref(&node->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphExecNodeSetParams(CUgraphExec handle, CUgraphNode origin, CUgraphNodeParams *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(take(handle, origin, params->type, params, &exec, &node));
    return give(exec, set_params(node, params));
}
