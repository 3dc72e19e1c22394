/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: nodes and the edges between them.
 *
 * An edge is kept at its head: a node lists what it needs. One lock guards all graphs, because nodes are made
 * once and launched often, and launching works on a private copy. */
#include "driver_priv.h"

#include <stdlib.h>
#include <string.h>

/* Recursive: the last reference to an event or graph may go while it is held. */
pthread_mutex_t driver_graph_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* ---- life */

void driver_node_clear(struct driver_node *node)
{
    driver_work_release(&node->work);
    node->work = (struct driver_work){.kind = DRIVER_WORK_NOTHING};
    free(node->param_pointers);
    node->param_pointers = NULL;
    if (node->child && driver_handle_take(node->child, DRIVER_GRAPH))
        driver_object_unref(&node->child->object);
    if (node->event) driver_object_unref(&node->event->object);
    if (node->memory) driver_object_unref(&node->memory->object);
    node->child = NULL;
    node->event = NULL;
    node->memory = NULL;
}

static void node_end(struct driver_object *object)
{
    struct driver_node *node = (struct driver_node *)object;
    driver_node_clear(node);
    vec_release(&node->needs);
    free(node);
}

static void graph_end(struct driver_object *object)
{
    struct driver_graph *graph = (struct driver_graph *)object;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        driver_handle_take(graph->nodes.at[i], DRIVER_GRAPH_NODE);
        driver_object_unref(&graph->nodes.at[i]->object);
    }
    vec_release(&graph->nodes);
    free(graph);
}

struct driver_graph *driver_graph_new(void)
{
    struct driver_graph *graph = sw_xcalloc(1, sizeof *graph);
    driver_object_init(&graph->object, DRIVER_GRAPH, graph_end);
    return graph;
}

/* The registry does not hold nodes: their graph does, and takes the handle away when it ends. */
struct driver_node *driver_node_new_locked(struct driver_graph *graph, CUgraphNodeType type)
{
    struct driver_node *node = sw_xcalloc(1, sizeof *node);
    driver_object_init(&node->object, DRIVER_GRAPH_NODE, node_end);
    node->graph = graph;
    node->type = type;
    *vec_push(&graph->nodes) = node;
    driver_handle_add(&node->object);
    return node;
}

void driver_node_need_locked(struct driver_node *node, struct driver_node *before)
{
    for (size_t i = 0; i < node->needs.count; i++)
        if (node->needs.at[i] == before) return;
    *vec_push(&node->needs) = before;
}

static void copy_params(struct driver_node *to, const struct driver_node *from)
{
    if (!from->param_pointers) return;
    uint32_t count = from->work.launch.function->entry->param_count;
    to->param_pointers = sw_xcalloc(count + 1, sizeof *to->param_pointers);
    for (uint32_t i = 0; i < count; i++)
        to->param_pointers[i] = to->work.launch.params + from->work.launch.function->entry->params[i]->offset;
}

void driver_node_copy(struct driver_node *to, const struct driver_node *from)
{
    to->type = from->type;
    to->origin = from;
    to->given = from->given;
    to->function = from->function;
    to->address = from->address;
    to->disabled = from->disabled;
    driver_work_copy(&to->work, &from->work);
    copy_params(to, from);
    to->child = from->child ? driver_graph_clone_locked(from->child) : NULL;
    if (to->child) driver_handle_add(&to->child->object); /* cuGraphChildGraphNodeGetGraph shows it */
    to->event = from->event;
    to->memory = from->memory;
    if (to->event) driver_object_ref(&to->event->object);
    if (to->memory) driver_object_ref(&to->memory->object);
}

static size_t position(const struct driver_graph *graph, const struct driver_node *node)
{
    size_t at = 0;
    while (graph->nodes.at[at] != node)
        at++;
    return at;
}

struct driver_graph *driver_graph_clone_locked(const struct driver_graph *graph)
{
    struct driver_graph *clone = driver_graph_new();
    for (size_t i = 0; i < graph->nodes.count; i++)
        driver_node_copy(driver_node_new_locked(clone, graph->nodes.at[i]->type), graph->nodes.at[i]);
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.at[i]->needs.count; k++)
            driver_node_need_locked(clone->nodes.at[i],
                                    clone->nodes.at[position(graph, graph->nodes.at[i]->needs.at[k])]);
    return clone;
}

/* Kahn's algorithm in the order in which the nodes were made: the same graph is always launched in the same
 * order. */
bool driver_graph_sort_locked(const struct driver_graph *graph, struct driver_node ***order)
{
    size_t count = graph->nodes.count, done = 0;
    struct driver_node **sorted = sw_xcalloc(count + 1, sizeof *sorted);
    bool *placed = sw_xcalloc(count + 1, sizeof *placed);
    for (bool progress = true; progress && done < count;) {
        progress = false;
        for (size_t i = 0; i < count; i++) {
            const struct driver_node *node = graph->nodes.at[i];
            bool ready = !placed[i];
            for (size_t k = 0; ready && k < node->needs.count; k++)
                ready = placed[position(graph, node->needs.at[k])];
            if (!ready) continue;
            sorted[done++] = graph->nodes.at[i];
            placed[i] = progress = true;
        }
    }
    free(placed);
    *order = sorted;
    return done == count;
}

/* ---- handles */

DRIVER_API cuGraphCreate(CUgraph *out, unsigned flags)
{
    DRIVER_TRY(driver_ready());
    if (!out || flags) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *graph = driver_graph_new();
    driver_handle_add(&graph->object);
    *out = (CUgraph)graph;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphDestroy(CUgraph handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_take(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphClone(CUgraph *out, CUgraph handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *clone = NULL;
    pthread_mutex_lock(&driver_graph_lock);
    if (out) clone = driver_graph_clone_locked(graph);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    if (!clone) return CUDA_ERROR_INVALID_VALUE;
    driver_handle_add(&clone->object);
    *out = (CUgraph)clone;
    return CUDA_SUCCESS;
}

/* Run `body` with the graph lock held and a live graph or node. */
#define WITH(type, kind, variable, handle, body)                                                             \
    do {                                                                                                     \
        DRIVER_TRY(driver_ready());                                                                          \
        struct type *variable = driver_handle_get(handle, kind);                                             \
        if (!variable) return CUDA_ERROR_INVALID_VALUE;                                                      \
        CUresult result_;                                                                                    \
        pthread_mutex_lock(&driver_graph_lock);                                                              \
        result_ = body;                                                                                      \
        driver_object_unref(&variable->object);                                                              \
        pthread_mutex_unlock(&driver_graph_lock);                                                            \
        return result_;                                                                                      \
    } while (0)

/* ---- questions: lists are counted when `out` is NULL, else at most *count are written and the rest set to
 * NULL */

static CUresult list_out(struct driver_node *const *nodes, size_t have, CUgraphNode *out, size_t *count)
{
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; out && i < *count; i++)
        out[i] = i < have ? (CUgraphNode)nodes[i] : NULL;
    if (!out || *count > have) *count = have;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphGetNodes(CUgraph handle, CUgraphNode *out, size_t *count)
{
    WITH(driver_graph, DRIVER_GRAPH, graph, handle,
         list_out(graph->nodes.at, graph->nodes.count, out, count));
}

static CUresult roots_locked(const struct driver_graph *graph, CUgraphNode *out, size_t *count)
{
    VEC(struct driver_node *) roots = {0};
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.at[i]->needs.count == 0) *vec_push(&roots) = graph->nodes.at[i];
    CUresult result = list_out(roots.at, roots.count, out, count);
    vec_release(&roots);
    return result;
}

DRIVER_API cuGraphGetRootNodes(CUgraph handle, CUgraphNode *out, size_t *count)
{
    WITH(driver_graph, DRIVER_GRAPH, graph, handle, roots_locked(graph, out, count));
}

static CUresult edges_locked(const struct driver_graph *graph, CUgraphNode *from, CUgraphNode *to,
                             size_t *count)
{
    size_t have = 0;
    if (!count || !from != !to) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        for (size_t k = 0; k < graph->nodes.at[i]->needs.count; k++, have++) {
            if (!from || have >= *count) continue;
            from[have] = (CUgraphNode)graph->nodes.at[i]->needs.at[k];
            to[have] = (CUgraphNode)graph->nodes.at[i];
        }
    }
    if (!from || *count > have) *count = have;
    return CUDA_SUCCESS;
}

static void plain_edges(CUgraphEdgeData *data, const size_t *count)
{
    if (data && count) memset(data, 0, *count * sizeof *data);
}

DRIVER_API cuGraphGetEdges_v2(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                              size_t *count)
{
    plain_edges(from ? data : NULL, count);
    WITH(driver_graph, DRIVER_GRAPH, graph, handle, edges_locked(graph, from, to, count));
}

DRIVER_API cuGraphNodeGetDependencies_v2(CUgraphNode handle, CUgraphNode *out, CUgraphEdgeData *data,
                                         size_t *count)
{
    plain_edges(out ? data : NULL, count);
    WITH(driver_node, DRIVER_GRAPH_NODE, node, handle,
         list_out(node->needs.at, node->needs.count, out, count));
}

static CUresult dependents_locked(const struct driver_node *node, CUgraphNode *out, size_t *count)
{
    VEC(struct driver_node *) found = {0};
    for (size_t i = 0; i < node->graph->nodes.count; i++) {
        struct driver_node *other = node->graph->nodes.at[i];
        for (size_t k = 0; k < other->needs.count; k++)
            if (other->needs.at[k] == node) *vec_push(&found) = other;
    }
    CUresult result = list_out(found.at, found.count, out, count);
    vec_release(&found);
    return result;
}

DRIVER_API cuGraphNodeGetDependentNodes_v2(CUgraphNode handle, CUgraphNode *out, CUgraphEdgeData *data,
                                           size_t *count)
{
    plain_edges(out ? data : NULL, count);
    WITH(driver_node, DRIVER_GRAPH_NODE, node, handle, dependents_locked(node, out, count));
}

static CUresult type_locked(const struct driver_node *node, CUgraphNodeType *type)
{
    if (!type) return CUDA_ERROR_INVALID_VALUE;
    *type = node->type;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
    WITH(driver_node, DRIVER_GRAPH_NODE, node, handle, type_locked(node, type));
}

static CUresult find_locked(const struct driver_graph *clone, const void *origin, CUgraphNode *out)
{
    for (size_t i = 0; out && i < clone->nodes.count; i++) {
        if (clone->nodes.at[i]->origin != origin) continue;
        *out = (CUgraphNode)clone->nodes.at[i];
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode origin, CUgraph handle)
{
    WITH(driver_graph, DRIVER_GRAPH, graph, handle, find_locked(graph, origin, out));
}

/* ---- edges */

static struct driver_node *node_of(const struct driver_graph *graph, CUgraphNode handle)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if ((CUgraphNode)graph->nodes.at[i] == handle) return graph->nodes.at[i];
    return NULL;
}

static CUresult add_edges_locked(const struct driver_graph *graph, const CUgraphNode *from,
                                 const CUgraphNode *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!node_of(graph, from[i]) || !node_of(graph, to[i]) || from[i] == to[i])
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++)
        driver_node_need_locked(node_of(graph, to[i]), node_of(graph, from[i]));
    return CUDA_SUCCESS;
}

static bool has_ports(const CUgraphEdgeData *data, size_t count)
{
    static int refused;
    for (size_t i = 0; data && i < count; i++)
        if (data[i].from_port || data[i].to_port || data[i].type) {
            driver_refuse_call(&refused, "cuGraphAddDependencies", "programmatic dependencies");
            return true;
        }
    return false;
}

DRIVER_API cuGraphAddDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                     const CUgraphEdgeData *data, size_t count)
{
    if (count && (!from || !to)) return CUDA_ERROR_INVALID_VALUE;
    if (has_ports(data, count)) return CUDA_ERROR_NOT_SUPPORTED;
    WITH(driver_graph, DRIVER_GRAPH, graph, handle, add_edges_locked(graph, from, to, count));
}

static void forget_need(struct driver_node *node, const struct driver_node *before)
{
    for (size_t i = 0; i < node->needs.count; i++)
        if (node->needs.at[i] == before) node->needs.at[i--] = node->needs.at[--node->needs.count];
}

static CUresult remove_edges_locked(const struct driver_graph *graph, const CUgraphNode *from,
                                    const CUgraphNode *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct driver_node *head = node_of(graph, to[i]), *tail = node_of(graph, from[i]);
        if (!head || !tail) return CUDA_ERROR_INVALID_VALUE;
        forget_need(head, tail);
    }
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphRemoveDependencies_v2(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                        const CUgraphEdgeData *data, size_t count)
{
    (void)data;
    if (count && (!from || !to)) return CUDA_ERROR_INVALID_VALUE;
    WITH(driver_graph, DRIVER_GRAPH, graph, handle, remove_edges_locked(graph, from, to, count));
}

static CUresult destroy_locked(struct driver_node *node)
{
    struct driver_graph *graph = node->graph;
    for (size_t i = 0; i < graph->nodes.count; i++)
        forget_need(graph->nodes.at[i], node);
    size_t at = position(graph, node);
    memmove(&graph->nodes.at[at], &graph->nodes.at[at + 1],
            (graph->nodes.count - at - 1) * sizeof *graph->nodes.at);
    graph->nodes.count--;
    driver_handle_take(node, DRIVER_GRAPH_NODE);
    driver_object_unref(&node->object);
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphDestroyNode(CUgraphNode handle)
{
    WITH(driver_node, DRIVER_GRAPH_NODE, node, handle, destroy_locked(node));
}
