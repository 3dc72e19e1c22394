/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of graphs: added, checked and removed; and nodes removed with theirs.
 *
 * An edge may carry data: that a kernel may start before the one it comes from ends (programmatic dependent
 * launch). Here the later kernel starts when the earlier one is done, which the data allows. */
#include "driver_graph.h"

#include <string.h>

static bool is_reserved_zero(const CUgraphEdgeData *data)
{
    for (size_t i = 0; i < sizeof data->reserved; i++)
        if (data->reserved[i]) return false;
    return true;
}

/* Ports other than the default belong to kernels; a programmatic edge leads from a kernel to a kernel. */
bool driver_edge_valid(const struct driver_node *from, const struct driver_node *to, CUgraphEdgeData data)
{
    bool from_kernel = from->type == CU_GRAPH_NODE_TYPE_KERNEL,
         to_kernel = to->type == CU_GRAPH_NODE_TYPE_KERNEL;
    if (!is_reserved_zero(&data) || data.to_port || data.type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
        return false;
    if (data.from_port > CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER || (data.from_port && !from_kernel))
        return false;
    return data.type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT || (from_kernel && to_kernel && data.from_port);
}

static struct driver_node *node_of(const struct driver_graph *graph, CUgraphNode handle)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if ((CUgraphNode)graph->nodes.at[i] == handle) return graph->nodes.at[i];
    return NULL;
}

static bool needs_already(const struct driver_node *head, const struct driver_node *tail,
                          const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData plain;
    for (size_t i = 0; i < head->needs.count; i++)
        if (head->needs.at[i].node == tail &&
            memcmp(&head->needs.at[i].data, data ? data : &plain, sizeof plain) == 0)
            return true;
    return false;
}

static CUresult graph_edge_add_locked(const struct driver_graph *graph, const CUgraphNode *from,
                                      const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct driver_node *tail = node_of(graph, from[i]), *head = node_of(graph, to[i]);
        if (!tail || !head || tail == head) return CUDA_ERROR_INVALID_VALUE;
        if (needs_already(head, tail, data ? &data[i] : NULL)) return CUDA_ERROR_INVALID_VALUE;
        if (data && !driver_edge_valid(tail, head, data[i])) return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < count; i++)
        driver_node_need_locked(node_of(graph, to[i]), node_of(graph, from[i]),
                                data ? data[i] : (CUgraphEdgeData){0});
    return CUDA_SUCCESS;
}

static void forget_need(struct driver_node *node, const struct driver_node *before,
                        const CUgraphEdgeData *data)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->needs.count; i++) {
        const struct driver_need *need = &node->needs.at[i];
        bool same = need->node == before && (!data || memcmp(&need->data, data, sizeof *data) == 0);
        if (!same) node->needs.at[kept++] = *need;
    }
    node->needs.count = kept;
}

static bool has_need(const struct driver_node *node, const struct driver_node *before, CUgraphEdgeData data)
{
    for (size_t i = 0; i < node->needs.count; i++)
        if (node->needs.at[i].node == before && memcmp(&node->needs.at[i].data, &data, sizeof data) == 0)
            return true;
    return false;
}

/* An edge that is not there is an error; edges of a graph that allocates stay. */
static CUresult remove_locked(const struct driver_graph *graph, const CUgraphNode *from,
                              const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    if (count && driver_graph_has_memory_locked(graph)) return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < count; i++) {
        struct driver_node *head = node_of(graph, to[i]), *tail = node_of(graph, from[i]);
        CUgraphEdgeData plain = data ? data[i] : (CUgraphEdgeData){0};
        if (!head || !tail || !has_need(head, tail, plain)) return CUDA_ERROR_INVALID_VALUE;
        forget_need(head, tail, &plain);
    }
    return CUDA_SUCCESS;
}

static CUresult graph_edge_with(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count,
                                CUresult (*act)(const struct driver_graph *, const CUgraphNode *,
                                                const CUgraphNode *, const CUgraphEdgeData *, size_t))
{
    DRIVER_TRY(driver_ready());
    if (count && (!from || !to)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = act(graph, from, to, data, count);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                     const CUgraphEdgeData *data, size_t count)
{
    return graph_edge_with(graph, from, to, data, count, graph_edge_add_locked);
}

DRIVER_API cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *data, size_t count)
{
    return graph_edge_with(graph, from, to, data, count, remove_locked);
}

void driver_node_remove_locked(struct driver_node *node)
{
    struct driver_graph *graph = node->graph;
    node->graph = NULL;
    for (size_t i = 0; i < graph->nodes.count; i++)
        forget_need(graph->nodes.at[i], node, NULL);
    for (size_t i = node->index + 1; i < graph->nodes.count; i++) {
        graph->nodes.at[i]->index--;
        graph->nodes.at[i - 1] = graph->nodes.at[i];
    }
    graph->nodes.count--;
    driver_handle_take(node, DRIVER_GRAPH_NODE);
    driver_object_unref(&node->object);
}

DRIVER_API cuGraphDestroyNode(CUgraphNode handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_node *node = driver_handle_get(handle, DRIVER_GRAPH_NODE);
    if (!node) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = !node->graph            ? CUDA_ERROR_INVALID_VALUE
                      : node->graph->captures ? CUDA_ERROR_ILLEGAL_STATE
                      : driver_graph_has_memory_locked(node->graph) || node->updatable
                          ? CUDA_ERROR_NOT_SUPPORTED
                          : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) driver_node_remove_locked(node);
    driver_object_unref(&node->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}
