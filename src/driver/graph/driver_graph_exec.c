/* SPDX-License-Identifier: Apache-2.0 */
/* Executable graphs: a private copy of a graph with its order settled; made, changed and destroyed. Launches
 * under way hold references, so one may be destroyed at any time. */
#include "driver_graph.h"

#include "driver/module/driver_module.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>

static void unclaim_locked(struct driver_graph_exec *exec)
{
    driver_graph_memory_unclaim_locked(exec->graph);
    driver_updatable_unclaim_locked(exec->graph);
    exec->claims = false;
}

static void exec_end(struct driver_object *object)
{
    struct driver_graph_exec *exec = (struct driver_graph_exec *)object;
    if (exec->claims) unclaim_locked(exec);
    driver_plan_free(exec->plan);
    driver_object_unref(&exec->graph->object);
    for (size_t i = 0; i < exec->aside.count; i++)
        driver_stream_put(exec->aside.at[i]);
    vec_release(&exec->aside);
    if (exec->last.stream) driver_stream_put(exec->last.stream);
    free(exec->order);
    free(exec);
}

CUresult driver_graph_exec_get(CUgraphExec handle, struct driver_graph_exec **out)
{
    DRIVER_TRY(driver_ready());
    *out = driver_handle_get(handle, DRIVER_GRAPH_EXEC);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void driver_graph_exec_put(struct driver_graph_exec *exec)
{
    pthread_mutex_lock(&driver_graph_lock);
    driver_object_unref(&exec->object);
    pthread_mutex_unlock(&driver_graph_lock);
}

/* ---- what may be instantiated */

struct verdict { /* why not */
    CUresult result;
    CUgraphInstantiateResult why;
    const struct driver_node *node;
};

static bool is_for_body(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_GRAPH ||
           type == CU_GRAPH_NODE_TYPE_EMPTY || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

static bool is_for_device(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_GRAPH;
}

static bool is_acyclic(const struct driver_graph *graph)
{
    struct driver_node **order;
    bool sorted = driver_graph_sort_locked(graph, &order);
    free(order);
    return sorted;
}

/* Do all its nodes run in one context, those of child graphs and bodies too? *root: the one, or NULL as long
 * as none is known. */
static bool is_of_one_context(const struct driver_graph *graph, const struct driver_context **root)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (node->context && !*root) *root = node->context->root;
        if (node->context && node->context->root != *root) return false;
        if (node->child && !is_of_one_context(node->child, root)) return false;
        for (unsigned k = 0; k < node->body_count; k++)
            if (!is_of_one_context(node->bodies[k], root)) return false;
    }
    return true;
}

/* Bodies run in the context of their node (CUDA Driver API, CUDA_CONDITIONAL_NODE_PARAMS). */
static bool has_foreign_body(const struct driver_node *node)
{
    const struct driver_context *root = node->context ? node->context->root : NULL;
    for (unsigned k = 0; k < node->body_count; k++)
        if (!is_of_one_context(node->bodies[k], &root)) return true;
    return false;
}

static void graph_exec_check(const struct driver_graph *graph, bool (*allowed)(CUgraphNodeType),
                             struct verdict *out)
{
    if (!is_acyclic(graph))
        *out = (struct verdict){CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, NULL};
    for (size_t i = 0; i < graph->nodes.count && out->result == CUDA_SUCCESS; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (allowed && !allowed(node->type))
            *out = (struct verdict){CUDA_ERROR_NOT_SUPPORTED,
                                    CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, node};
        if (out->result == CUDA_SUCCESS && has_foreign_body(node))
            *out = (struct verdict){CUDA_ERROR_NOT_SUPPORTED,
                                    CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED, node};
        if (node->child) graph_exec_check(node->child, allowed, out);
        for (unsigned k = 0; k < node->body_count && out->result == CUDA_SUCCESS; k++)
            graph_exec_check(node->bodies[k], is_for_body, out);
    }
}

static struct verdict exec_judge(const struct driver_graph *graph, unsigned long long flags)
{
    struct verdict verdict = {CUDA_SUCCESS, CUDA_GRAPH_INSTANTIATE_SUCCESS, NULL};
    bool device = flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    if (flags > 15 || (device && flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH))
        return (struct verdict){CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_ERROR, NULL};
    if (device && graph->nodes.count == 0)
        return (struct verdict){CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, NULL};
    graph_exec_check(graph, device ? is_for_device : NULL, &verdict);
    const struct driver_context *root = NULL;
    if (verdict.result == CUDA_SUCCESS && device && !is_of_one_context(graph, &root))
        verdict = (struct verdict){CUDA_ERROR_NOT_SUPPORTED,
                                   CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED, NULL};
    if (verdict.result == CUDA_SUCCESS && !driver_conditions_used_locked(graph))
        verdict = (struct verdict){CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED,
                                   NULL};
    return verdict;
}

static struct verdict instantiate_locked(struct driver_graph *graph, unsigned long long flags,
                                         CUgraphExec *out)
{
    struct verdict verdict = exec_judge(graph, flags);
    if (verdict.result == CUDA_SUCCESS) verdict.result = driver_graph_memory_claim_locked(graph);
    if (verdict.result == CUDA_SUCCESS) {
        verdict.result = driver_updatable_claim_locked(graph);
        if (verdict.result != CUDA_SUCCESS) driver_graph_memory_unclaim_locked(graph);
    }
    if (verdict.result != CUDA_SUCCESS) {
        if (verdict.why == CUDA_GRAPH_INSTANTIATE_SUCCESS) verdict.why = CUDA_GRAPH_INSTANTIATE_ERROR;
        return verdict;
    }
    struct driver_graph_exec *exec = sw_xcalloc(1, sizeof *exec);
    driver_object_init(&exec->object, DRIVER_GRAPH_EXEC, exec_end);
    exec->graph = driver_graph_clone_locked(graph);
    exec->flags = flags;
    exec->claims = true;
    exec->uploaded = flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    driver_graph_sort_locked(exec->graph, &exec->order);
    driver_updatable_load_locked(exec->graph);
    driver_handle_add(&exec->object);
    *out = (CUgraphExec)exec;
    return verdict;
}

DRIVER_API cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph handle,
                                        CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    DRIVER_TRY(driver_ready());
    if (!out || !params) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    struct verdict verdict = {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_ERROR, NULL};
    pthread_mutex_lock(&driver_graph_lock);
    if (graph) verdict = instantiate_locked(graph, params->flags, out);
    if (graph) driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    params->hErrNode_out = (CUgraphNode)verdict.node;
    params->result_out = verdict.why;
    return verdict.result;
}

DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph, unsigned long long flags)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS params = {.flags = flags};
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)
        return CUDA_ERROR_INVALID_VALUE; /* there is no stream for it */
    return cuGraphInstantiateWithParams(out, graph, &params);
}

/* What is under way goes on. */
DRIVER_API cuGraphExecDestroy(CUgraphExec handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph_exec *exec = driver_handle_take(handle, DRIVER_GRAPH_EXEC);
    if (!exec) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    unclaim_locked(exec);
    pthread_mutex_unlock(&driver_graph_lock);
    driver_graph_exec_put(exec);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t *flags)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_graph_exec_get(handle, &exec));
    if (flags) *flags = exec->flags;
    driver_graph_exec_put(exec);
    return flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- changing what is launched */

static struct driver_node *find_origin(const struct driver_graph *graph, const void *origin)
{
    struct driver_node *found = NULL;
    for (size_t i = 0; i < graph->nodes.count && !found; i++) {
        struct driver_node *node = graph->nodes.at[i];
        if ((const void *)node->origin == origin) return node;
        if (node->child) found = find_origin(node->child, origin);
        for (unsigned k = 0; k < node->body_count && !found; k++)
            found = find_origin(node->bodies[k], origin);
    }
    return found;
}

/* Nodes of child graphs and bodies too. */
struct driver_node *driver_graph_exec_node_locked(const struct driver_graph_exec *exec, CUgraphNode origin)
{
    return find_origin(exec->graph, (const void *)origin);
}

/* Find the node and hold the lock; NULL params or another type is INVALID_VALUE. */
static CUresult graph_exec_take(CUgraphExec handle, CUgraphNode origin, CUgraphNodeType type,
                                const void *params, struct driver_graph_exec **exec,
                                struct driver_node **node)
{
    if (!params) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_graph_exec_get(handle, exec));
    pthread_mutex_lock(&driver_graph_lock);
    *node = driver_graph_exec_node_locked(*exec, origin);
    if (*node && (*node)->type == type) return CUDA_SUCCESS;
    driver_object_unref(&(*exec)->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult graph_exec_give(struct driver_graph_exec *exec, CUresult result)
{
    driver_object_unref(&exec->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

/* A node of an executable graph stays in its context; an H200 takes another one of its device
 * (tests/conform). named: by the call; NULL: none, which is no change. */
static CUresult check_context(const struct driver_node *node, CUcontext named)
{
    struct driver_context *context;
    if (!named) return CUDA_SUCCESS;
    if (!named) return CUDA_SUCCESS;
    DRIVER_TRY(driver_node_named(named, &context));
    bool moves = node->context && node->context->device != context->device;
    driver_object_unref(&context->object);
    return moves ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* The context of the function cannot become another one. */
static CUresult set_kernel(struct driver_node *node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct driver_context *before = node->context;
    struct driver_function *function;
    if (params->func && driver_function_get(params->func, &function) == CUDA_SUCCESS) {
        bool moves = function->module->context != before->root;
        driver_function_put(function);
        if (moves) return CUDA_ERROR_INVALID_VALUE;
    }
    if (!params->func)
        DRIVER_TRY(check_context(node, params->ctx ? params->ctx : (CUcontext)driver_context_top()));
    return driver_node_set_kernel(node, params);
}

static CUresult set_any(struct driver_node *node, const CUgraphNodeParams *params)
{
    if (params->type == CU_GRAPH_NODE_TYPE_KERNEL) return set_kernel(node, (const void *)&params->kernel);
    DRIVER_TRY(check_context(node, driver_node_names(params)));
    return driver_node_set_params(node, params);
}

DRIVER_API cuGraphExecKernelNodeSetParams_v2(CUgraphExec handle, CUgraphNode origin,
                                             const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_KERNEL, params, &exec, &node));
    return graph_exec_give(exec, set_kernel(node, params));
}

DRIVER_API cuGraphExecMemcpyNodeSetParams(CUgraphExec handle, CUgraphNode origin, const CUDA_MEMCPY3D *params,
                                          CUcontext context)
{
    if (params && (params->srcLOD || params->dstLOD)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_MEMCPY, params, &exec, &node));
    CUresult result = check_context(node, context);
    return graph_exec_give(exec, result == CUDA_SUCCESS ? driver_node_set_memcpy(node, params) : result);
}

DRIVER_API cuGraphExecMemsetNodeSetParams(CUgraphExec handle, CUgraphNode origin,
                                          const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_MEMSET, params, &exec, &node));
    CUresult result = check_context(node, context);
    return graph_exec_give(exec, result == CUDA_SUCCESS ? driver_node_set_memset(node, params) : result);
}

DRIVER_API cuGraphExecHostNodeSetParams(CUgraphExec handle, CUgraphNode origin,
                                        const CUDA_HOST_NODE_PARAMS *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_HOST, params, &exec, &node));
    return graph_exec_give(exec, driver_node_set_host(node, params));
}

DRIVER_API cuGraphExecEventRecordNodeSetEvent(CUgraphExec handle, CUgraphNode origin, CUevent event)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event, &exec, &node));
    driver_plan_forget_locked(exec); /* the event may be another context's */
    return graph_exec_give(exec, driver_node_set_event(node, event));
}

DRIVER_API cuGraphExecEventWaitNodeSetEvent(CUgraphExec handle, CUgraphNode origin, CUevent event)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event, &exec, &node));
    return graph_exec_give(exec, driver_node_set_event(node, event));
}

DRIVER_API cuGraphExecBatchMemOpNodeSetParams(CUgraphExec handle, CUgraphNode origin,
                                              const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, params, &exec, &node));
    CUresult result = check_context(node, params->ctx);
    return graph_exec_give(exec, result == CUDA_SUCCESS ? driver_node_set_batch(node, params) : result);
}

DRIVER_API cuGraphExecChildGraphNodeSetParams(CUgraphExec handle, CUgraphNode origin, CUgraph graph_handle)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    DRIVER_TRY(graph_exec_take(handle, origin, CU_GRAPH_NODE_TYPE_GRAPH, graph_handle, &exec, &node));
    struct driver_graph *graph = driver_handle_get(graph_handle, DRIVER_GRAPH);
    bool same = graph && driver_graph_update_locked(node->child, graph, NULL) == CUDA_SUCCESS;
    if (graph) driver_object_unref(&graph->object);
    return graph_exec_give(exec, same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuGraphExecNodeSetParams(CUgraphExec handle, CUgraphNode origin, CUgraphNodeParams *params)
{
    struct driver_graph_exec *exec;
    struct driver_node *node;
    if (!driver_node_params_are_valid(params)) return CUDA_ERROR_INVALID_VALUE;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return cuGraphExecChildGraphNodeSetParams(handle, origin, params->graph.graph);
    DRIVER_TRY(graph_exec_take(handle, origin, params->type, params, &exec, &node));
    if (params->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) driver_plan_forget_locked(exec);
    return graph_exec_give(exec, set_any(node, params));
}

/* ---- nodes on and off: kernels, copies and fills */

static bool has_switch(const struct driver_node *node)
{
    return node && (node->type == CU_GRAPH_NODE_TYPE_KERNEL || node->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                    node->type == CU_GRAPH_NODE_TYPE_MEMSET);
}

DRIVER_API cuGraphNodeSetEnabled(CUgraphExec handle, CUgraphNode origin, unsigned enabled)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_graph_exec_get(handle, &exec));
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_node *node = driver_graph_exec_node_locked(exec, origin);
    if (has_switch(node)) {
        node->disabled = !enabled;
        node->changed = true;
        driver_plan_forget_locked(exec);
    }
    return graph_exec_give(exec, has_switch(node) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

DRIVER_API cuGraphNodeGetEnabled(CUgraphExec handle, CUgraphNode origin, unsigned *enabled)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_graph_exec_get(handle, &exec));
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_node *node = driver_graph_exec_node_locked(exec, origin);
    if (has_switch(node) && enabled) *enabled = !node->disabled;
    return graph_exec_give(exec, has_switch(node) && enabled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
