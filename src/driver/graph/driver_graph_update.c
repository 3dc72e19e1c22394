/* SPDX-License-Identifier: Apache-2.0 */
/* cuGraphExecUpdate: an executable graph takes over what the nodes of another graph do. Both must have the
 * same topology: nodes are paired in the order in which they were made, and so are their edges, in child
 * graphs and bodies of conditional nodes as well. What does not fit is told before anything is changed. */
#include "driver_graph.h"

#include "driver/module/driver_module.h"

#include <string.h>

struct verdict {
    CUgraphExecUpdateResult result;
    const struct driver_node *node, *from;
};

static bool fail(struct verdict *out, CUgraphExecUpdateResult result, const struct driver_node *node,
                 const struct driver_node *from)
{
    *out = (struct verdict){result, node, from};
    return false;
}

static bool same_edges(const struct driver_node *old, const struct driver_node *new, struct verdict *out)
{
    if (old->needs.count != new->needs.count)
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, new, NULL);
    for (size_t k = 0; k < new->needs.count; k++) {
        const struct driver_need *a = &old->needs.at[k], *b = &new->needs.at[k];
        if (a->node->index != b->node->index || memcmp(&a->data, &b->data, sizeof a->data) != 0)
            return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, new, b->node);
    }
    return true;
}

/* Nodes stay in their contexts; memory nodes cannot change at all. */
static bool same_kind(const struct driver_node *old, const struct driver_node *new, struct verdict *out)
{
    bool allocates = new->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || new->type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    if (old->type != new->type) return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, new, NULL);
    if (allocates) return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, new, NULL);
    if (new->type == CU_GRAPH_NODE_TYPE_KERNEL && old->context != new->context)
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE, new, NULL);
    if (old->context && new->context && old->context != new->context)
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new, NULL);
    if (new->type == CU_GRAPH_NODE_TYPE_KERNEL &&
        old->work.launch.cooperative != new->work.launch.cooperative)
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, new, NULL);
    if (new->type == CU_GRAPH_NODE_TYPE_CONDITIONAL &&
        (old->condition_type != new->condition_type || old->body_count != new->body_count))
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new, NULL);
    return true;
}

static bool same_topology(const struct driver_graph *old, const struct driver_graph *new, struct verdict *out)
{
    if (old->nodes.count != new->nodes.count)
        return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    for (size_t i = 0; i < new->nodes.count; i++) {
        const struct driver_node *a = old->nodes.at[i], *b = new->nodes.at[i];
        if (a->updatable || b->updatable) return fail(out, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, a, b);
        if (!same_kind(a, b, out) || !same_edges(a, b, out)) return false;
        if (a->child && !same_topology(a->child, b->child, out)) return false;
        for (unsigned k = 0; k < a->body_count; k++)
            if (!same_topology(a->bodies[k], b->bodies[k], out)) return false;
    }
    return true;
}

/* Handles of the nodes that the executable graph was made from stay good, those of child graphs among them.
 */
static void take_over(struct driver_graph *old, const struct driver_graph *new)
{
    for (size_t i = 0; i < new->nodes.count; i++) {
        struct driver_node *node = old->nodes.at[i];
        const struct driver_node *from = new->nodes.at[i], *origin = node->origin;
        bool disabled = node->disabled;
        if (node->child) {
            take_over(node->child, from->child);
        } else if (node->condition) {
            for (unsigned k = 0; k < node->body_count; k++)
                take_over(node->bodies[k], from->bodies[k]);
            driver_object_ref(&from->condition->object);
            driver_object_unref(&node->condition->object);
            node->condition = from->condition;
        } else {
            struct driver_context *context = node->context; /* that plans know: it stays */
            if (context) driver_object_ref(&context->object);
            driver_node_clear(node);
            driver_node_copy(node, from);
            driver_node_set_context(node, context);
            if (context) driver_object_unref(&context->object);
            node->origin = origin;
            node->disabled = disabled;
        }
    }
    driver_users_release_locked(old);
    driver_users_copy_locked(old, new);
}

CUresult driver_graph_update_locked(struct driver_graph *old, const struct driver_graph *new,
                                    CUgraphExecUpdateResultInfo *info)
{
    struct verdict verdict = {CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL};
    bool same = same_topology(old, new, &verdict);
    if (info)
        *info = (CUgraphExecUpdateResultInfo){verdict.result, (CUgraphNode)verdict.node,
                                              (CUgraphNode)verdict.from};
    if (!same) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    take_over(old, new);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo *info)
{
    struct driver_graph_exec *exec;
    DRIVER_TRY(driver_graph_exec_get(handle, &exec));
    struct driver_graph *graph = driver_handle_get(graph_handle, DRIVER_GRAPH);
    CUgraphExecUpdateResultInfo unasked;
    if (!info) info = &unasked;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = graph ? driver_graph_update_locked(exec->graph, graph, info) : CUDA_ERROR_INVALID_VALUE;
    if (graph) driver_object_unref(&graph->object);
    driver_object_unref(&exec->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}
