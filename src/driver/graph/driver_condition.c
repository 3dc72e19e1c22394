/* SPDX-License-Identifier: Apache-2.0 */
/* Conditional nodes: a value that kernels set (cudaGraphSetConditional), and nodes that run one of their body
 * graphs if it says so, or as long as it does.
 *
 * A handle is a number that kernels hold; the value belongs to it and not to an executable graph, as a graph
 * with conditions runs in one place at a time. Bodies hold kernels, copies, fills, empty nodes, child graphs
 * and conditional nodes (CUDA Programming Guide, "Conditional Graph Nodes"), which run one after the other.
 */
#include "driver_graph.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map conditions;                     /* by handle: struct driver_condition, not references */
static uint64_t next_handle = 0x5357000000000001; /* no pointer, and not 0 */

static void condition_end(struct driver_object *object)
{
    struct driver_condition *condition = (struct driver_condition *)object;
    pthread_mutex_lock(&lock);
    map_remove_u64(&conditions, condition->handle);
    pthread_mutex_unlock(&lock);
    driver_object_unref(&condition->context->object);
    free(condition);
}

/* The context's reference becomes the condition's. */
static struct driver_condition *condition_new(const struct driver_graph *graph,
                                              struct driver_context *context, unsigned initial,
                                              unsigned flags)
{
    struct driver_condition *condition = sw_xcalloc(1, sizeof *condition);
    driver_object_init(&condition->object, (enum driver_kind)0, condition_end);
    condition->graph = graph;
    condition->context = context;
    condition->initial = initial;
    condition->flags = flags;
    atomic_init(&condition->value, 0);
    pthread_mutex_lock(&lock);
    condition->handle = next_handle++;
    map_set_u64(&conditions, condition->handle, condition);
    pthread_mutex_unlock(&lock);
    return condition;
}

DRIVER_API cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph handle, CUcontext context,
                                          unsigned initial, unsigned flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    struct driver_context *of = driver_handle_get(context, DRIVER_CONTEXT);
    if (!of) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!(flags & CU_GRAPH_COND_ASSIGN_DEFAULT)) initial = 0;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) driver_object_unref(&of->object);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    struct driver_condition *condition = condition_new(graph, of, initial, flags);
    pthread_mutex_lock(&driver_graph_lock);
    *vec_push(&graph->conditions) = condition;
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    *out = condition->handle;
    return CUDA_SUCCESS;
}

bool driver_condition_set(uint64_t handle, unsigned value)
{
    pthread_mutex_lock(&lock);
    struct driver_condition *condition = map_get_u64(&conditions, handle);
    if (condition) atomic_store(&condition->value, value);
    pthread_mutex_unlock(&lock);
    return condition != NULL;
}

/* ---- nodes */

static unsigned most_bodies(CUgraphConditionalNodeType type)
{
    if (type == CU_GRAPH_COND_TYPE_IF) return 2;
    return type == CU_GRAPH_COND_TYPE_WHILE ? 1 : UINT16_MAX;
}

static struct driver_condition *of_graph(const struct driver_graph *graph, uint64_t handle)
{
    for (size_t i = 0; i < graph->conditions.count; i++)
        if (graph->conditions.at[i]->handle == handle) return graph->conditions.at[i];
    return NULL;
}

/* The handle was made for this graph and is used once. */
CUresult driver_condition_add_locked(struct driver_node *node, CUDA_CONDITIONAL_NODE_PARAMS *params)
{
    struct driver_condition *condition = of_graph(node->graph, params->handle);
    if (!condition || condition->used || params->type > CU_GRAPH_COND_TYPE_SWITCH)
        return CUDA_ERROR_INVALID_VALUE;
    if (params->size == 0 || params->size > most_bodies(params->type)) return CUDA_ERROR_INVALID_VALUE;
    condition->used = true;
    driver_object_ref(&condition->object);
    node->condition = condition;
    driver_node_set_context(node, condition->context);
    node->condition_type = params->type;
    node->body_count = params->size;
    node->bodies = sw_xcalloc(params->size, sizeof *node->bodies);
    for (unsigned i = 0; i < params->size; i++) {
        node->bodies[i] = driver_graph_new();
        driver_graph_own(node->bodies[i]);
    }
    params->phGraph_out = (CUgraph *)(void *)node->bodies;
    return CUDA_SUCCESS;
}

void driver_condition_release(struct driver_node *node)
{
    for (unsigned i = 0; i < node->body_count; i++)
        driver_graph_disown(node->bodies[i]);
    free(node->bodies);
    if (node->condition) driver_object_unref(&node->condition->object);
    node->condition = NULL;
    node->bodies = NULL;
    node->body_count = 0;
}

void driver_condition_copy(struct driver_node *to, const struct driver_node *from)
{
    if (!from->condition) return;
    to->condition = from->condition;
    driver_object_ref(&to->condition->object);
    to->condition_type = from->condition_type;
    to->body_count = from->body_count;
    to->bodies = sw_xcalloc(from->body_count, sizeof *to->bodies);
    for (unsigned i = 0; i < from->body_count; i++) {
        to->bodies[i] = driver_graph_clone_locked(from->bodies[i]);
        driver_graph_own(to->bodies[i]);
    }
}

/* ---- what graphs with conditions are asked */

bool driver_conditions_used_locked(const struct driver_graph *graph)
{
    for (size_t i = 0; i < graph->conditions.count; i++)
        if (!graph->conditions.at[i]->used) return false;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (node->child && !driver_conditions_used_locked(node->child)) return false;
        for (unsigned k = 0; k < node->body_count; k++)
            if (!driver_conditions_used_locked(node->bodies[k])) return false;
    }
    return true;
}

void driver_conditions_reset_locked(const struct driver_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        struct driver_condition *condition = node->condition;
        if (condition && condition->flags & CU_GRAPH_COND_ASSIGN_DEFAULT)
            atomic_store(&condition->value, condition->initial);
        if (node->child) driver_conditions_reset_locked(node->child);
        for (unsigned k = 0; k < node->body_count; k++)
            driver_conditions_reset_locked(node->bodies[k]);
    }
}
