/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: nodes and the edges between them.
 *
 * An edge is kept at its head: a node lists what it needs. One lock guards all graphs, because nodes are made
 * once and launched often, and launching works on a private copy. */
#include "driver_graph.h"

#include "driver/module/driver_module.h"
#include "driver/stream/driver_attribute.h"

#include <stdlib.h>
#include <string.h>

/* ---- questions */

bool driver_edge_is_plain(CUgraphEdgeData data)
{
    return !data.from_port && !data.to_port && !data.type;
}

bool driver_graph_has_memory_locked(const struct driver_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
            return true;
        if (node->child && driver_graph_has_memory_locked(node->child)) return true;
    }
    return false;
}

/* ---- life */

void driver_node_clear(struct driver_node *node)
{
    driver_work_release(&node->work);
    node->work = (struct driver_work){.kind = DRIVER_WORK_NOTHING};
    free(node->param_pointers);
    free(node->access);
    node->param_pointers = NULL;
    node->access = NULL;
    if (node->child) driver_graph_disown(node->child);
    if (node->event) driver_object_unref(&node->event->object);
    if (node->memory) driver_object_unref(&node->memory->object);
    driver_condition_release(node);
    node->child = NULL;
    node->event = NULL;
    node->memory = NULL;
}

void driver_node_set_context(struct driver_node *node, struct driver_context *context)
{
    if (context) driver_object_ref(&context->object);
    if (node->context) driver_object_unref(&node->context->object);
    node->context = context;
}

static void node_end(struct driver_object *object)
{
    struct driver_node *node = (struct driver_node *)object;
    driver_node_clear(node);
    driver_node_set_context(node, NULL);
    driver_updatable_drop(node->updatable);
    driver_attributes_release(&node->attributes);
    vec_release(&node->needs);
    free(node);
}

static void graph_end(struct driver_object *object)
{
    struct driver_graph *graph = (struct driver_graph *)object;
    pthread_mutex_lock(&driver_graph_lock);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct driver_node *node = graph->nodes.at[i];
        driver_handle_take(node, DRIVER_GRAPH_NODE);
        node->graph = NULL; /* a call of another thread may hold it */
        driver_object_unref(&node->object);
    }
    vec_release(&graph->nodes);
    driver_users_release_locked(graph);
    for (size_t i = 0; i < graph->conditions.count; i++)
        driver_object_unref(&graph->conditions.at[i]->object);
    vec_release(&graph->conditions);
    pthread_mutex_unlock(&driver_graph_lock);
    free(graph);
}

struct driver_graph *driver_graph_new(void)
{
    struct driver_graph *graph = sw_xcalloc(1, sizeof *graph);
    driver_object_init(&graph->object, DRIVER_GRAPH, graph_end);
    return graph;
}

void driver_graph_own(struct driver_graph *graph)
{
    graph->owned = true;
    driver_handle_add(&graph->object);
}

void driver_graph_disown(struct driver_graph *graph)
{
    driver_handle_take(graph, DRIVER_GRAPH);
    driver_object_unref(&graph->object);
}

/* The registry does not hold nodes: their graph does, and takes the handle away when it ends. */
struct driver_node *driver_node_new_locked(struct driver_graph *graph, CUgraphNodeType type)
{
    struct driver_node *node = sw_xcalloc(1, sizeof *node);
    driver_object_init(&node->object, DRIVER_GRAPH_NODE, node_end);
    node->graph = graph;
    node->type = type;
    node->index = graph->nodes.count;
    *vec_push(&graph->nodes) = node;
    driver_handle_add(&node->object);
    return node;
}

/* There is one edge between two nodes, or one a kind of edge. */
void driver_node_need_locked(struct driver_node *node, struct driver_node *before, CUgraphEdgeData data)
{
    for (size_t i = 0; i < node->needs.count; i++)
        if (node->needs.at[i].node == before && memcmp(&node->needs.at[i].data, &data, sizeof data) == 0)
            return;
    *vec_push(&node->needs) = (struct driver_need){before, data};
}

static void copy_params(struct driver_node *to, const struct driver_node *from)
{
    if (!from->param_pointers) return;
    uint32_t count = from->work.launch.function->entry->param_count;
    to->param_pointers = sw_xcalloc(count + 1, sizeof *to->param_pointers);
    for (uint32_t i = 0; i < count; i++)
        to->param_pointers[i] = to->work.launch.params + from->work.launch.function->entry->params[i]->offset;
}

void driver_node_set_access(struct driver_node *node, const CUmemAccessDesc *access, size_t count)
{
    node->access = count ? sw_xmalloc(count * sizeof *access) : NULL;
    if (count) memcpy(node->access, access, count * sizeof *access);
    node->given.alloc.accessDescs = node->access;
    node->given.alloc.accessDescCount = count;
}

void driver_node_copy(struct driver_node *to, const struct driver_node *from)
{
    to->type = from->type;
    to->origin = from;
    to->given = from->given;
    if (from->access) driver_node_set_access(to, from->access, from->given.alloc.accessDescCount);
    to->function = from->function;
    to->address = from->address;
    to->disabled = from->disabled;
    to->changed = true;
    if (!to->updatable) to->updatable = driver_updatable_share(from->updatable);
    driver_node_set_context(to, from->context);
    driver_work_copy(&to->work, &from->work);
    copy_params(to, from);
    driver_attributes_copy(&to->attributes, &from->attributes);
    to->child = from->child ? driver_graph_clone_locked(from->child) : NULL;
    if (to->child) driver_graph_own(to->child); /* cuGraphChildGraphNodeGetGraph shows it */
    driver_condition_copy(to, from);
    to->event = from->event;
    to->memory = from->memory;
    if (to->event) driver_object_ref(&to->event->object);
    if (to->memory) driver_object_ref(&to->memory->object);
}

struct driver_graph *driver_graph_clone_locked(const struct driver_graph *graph)
{
    struct driver_graph *clone = driver_graph_new();
    for (size_t i = 0; i < graph->nodes.count; i++)
        driver_node_copy(driver_node_new_locked(clone, graph->nodes.at[i]->type), graph->nodes.at[i]);
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.at[i]->needs.count; k++) {
            const struct driver_need *need = &graph->nodes.at[i]->needs.at[k];
            driver_node_need_locked(clone->nodes.at[i], clone->nodes.at[need->node->index], need->data);
        }
    driver_users_copy_locked(clone, graph);
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
                ready = placed[node->needs.at[k].node->index];
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
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    bool captured = graph->captures != 0;
    bool mine = !graph->owned && !captured && driver_handle_take(handle, DRIVER_GRAPH);
    if (mine) driver_object_unref(&graph->object);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return mine ? CUDA_SUCCESS : captured ? CUDA_ERROR_ILLEGAL_STATE : CUDA_ERROR_INVALID_VALUE;
}

/* A graph that allocates cannot be in two places. */
DRIVER_API cuGraphClone(CUgraph *out, CUgraph handle)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph *clone = NULL;
    pthread_mutex_lock(&driver_graph_lock);
    bool allocates = driver_graph_has_memory_locked(graph);
    if (out && !allocates) clone = driver_graph_clone_locked(graph);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    if (!clone) return out ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    driver_handle_add(&clone->object);
    *out = (CUgraph)clone;
    return CUDA_SUCCESS;
}

/* A node whose graph ended, or that was taken out of it, while a call of another thread held it. */
#define NODE_LIVES(node)   ((node)->graph != NULL)
#define GRAPH_LIVES(graph) true

/* Run `body` with the graph lock held and a live graph or node. */
#define WITH(type, kind, lives, variable, handle, body)                                                      \
    do {                                                                                                     \
        DRIVER_TRY(driver_ready());                                                                          \
        struct type *variable = driver_handle_get(handle, kind);                                             \
        if (!variable) return CUDA_ERROR_INVALID_VALUE;                                                      \
        CUresult result_;                                                                                    \
        pthread_mutex_lock(&driver_graph_lock);                                                              \
        result_ = lives(variable) ? body : CUDA_ERROR_INVALID_VALUE;                                         \
        driver_object_unref(&variable->object);                                                              \
        pthread_mutex_unlock(&driver_graph_lock);                                                            \
        return result_;                                                                                      \
    } while (0)

/* ---- questions: lists are counted when `out` is NULL, else at most *count are written and the rest set to
 * NULL. What edges carry is told when there is a place for it; where there is none, an edge that carries
 * something is CUDA_ERROR_LOSSY_QUERY. */

static CUresult list_out(struct driver_node *const *nodes, size_t have, CUgraphNode *out, size_t *count)
{
    if (!count || (out && have && *count == 0)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; out && i < *count; i++)
        out[i] = i < have ? (CUgraphNode)nodes[i] : NULL;
    if (!out || *count > have) *count = have;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphGetNodes(CUgraph handle, CUgraphNode *out, size_t *count)
{
    WITH(driver_graph, DRIVER_GRAPH, GRAPH_LIVES, graph, handle,
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
    WITH(driver_graph, DRIVER_GRAPH, GRAPH_LIVES, graph, handle, roots_locked(graph, out, count));
}

struct edges { /* tails, and where they lead */
    struct driver_dependencies tail;
    VEC(struct driver_node *) heads;
};

static void edge_add(struct edges *edges, const struct driver_need *need, struct driver_node *head)
{
    *vec_push(&edges->tail.nodes) = need->node;
    *vec_push(&edges->tail.edges) = need->data;
    *vec_push(&edges->heads) = head;
}

static void edges_release(struct edges *edges)
{
    vec_release(&edges->tail.nodes);
    vec_release(&edges->tail.edges);
    vec_release(&edges->heads);
}

static CUresult data_out(const struct driver_dependencies *tail, bool wanted, CUgraphEdgeData *data,
                         size_t capacity)
{
    for (size_t i = 0; wanted && !data && i < tail->edges.count; i++)
        if (!driver_edge_is_plain(tail->edges.at[i])) return CUDA_ERROR_LOSSY_QUERY;
    for (size_t i = 0; wanted && data && i < capacity; i++)
        data[i] = i < tail->edges.count ? tail->edges.at[i] : (CUgraphEdgeData){0};
    return CUDA_SUCCESS;
}

static CUresult edges_locked(const struct driver_graph *graph, CUgraphNode *from, CUgraphNode *to,
                             CUgraphEdgeData *data, size_t *count)
{
    if (!count || !from != !to || (data && !from)) return CUDA_ERROR_INVALID_VALUE;
    struct edges edges = {0};
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.at[i]->needs.count; k++)
            edge_add(&edges, &graph->nodes.at[i]->needs.at[k], graph->nodes.at[i]);
    size_t capacity = *count;
    CUresult result = data_out(&edges.tail, from, data, capacity);
    if (result == CUDA_SUCCESS) result = list_out(edges.heads.at, edges.heads.count, to, &capacity);
    if (result == CUDA_SUCCESS) result = list_out(edges.tail.nodes.at, edges.heads.count, from, count);
    edges_release(&edges);
    return result;
}

DRIVER_API cuGraphGetEdges_v2(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                              size_t *count)
{
    WITH(driver_graph, DRIVER_GRAPH, GRAPH_LIVES, graph, handle, edges_locked(graph, from, to, data, count));
}

static CUresult neighbours_out(const struct edges *edges, bool heads, CUgraphNode *out, CUgraphEdgeData *data,
                               size_t *count)
{
    if (!count || (data && !out)) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(data_out(&edges->tail, out, data, *count));
    return list_out(heads ? edges->heads.at : edges->tail.nodes.at, edges->heads.count, out, count);
}

static CUresult needs_locked(struct driver_node *node, CUgraphNode *out, CUgraphEdgeData *data, size_t *count)
{
    struct edges edges = {0};
    for (size_t k = 0; k < node->needs.count; k++)
        edge_add(&edges, &node->needs.at[k], node);
    CUresult result = neighbours_out(&edges, false, out, data, count);
    edges_release(&edges);
    return result;
}

DRIVER_API cuGraphNodeGetDependencies_v2(CUgraphNode handle, CUgraphNode *out, CUgraphEdgeData *data,
                                         size_t *count)
{
    WITH(driver_node, DRIVER_GRAPH_NODE, NODE_LIVES, node, handle, needs_locked(node, out, data, count));
}

static CUresult dependents_locked(const struct driver_node *node, CUgraphNode *out, CUgraphEdgeData *data,
                                  size_t *count)
{
    struct edges edges = {0};
    for (size_t i = 0; i < node->graph->nodes.count; i++) {
        struct driver_node *other = node->graph->nodes.at[i];
        for (size_t k = 0; k < other->needs.count; k++)
            if (other->needs.at[k].node == node) edge_add(&edges, &other->needs.at[k], other);
    }
    CUresult result = neighbours_out(&edges, true, out, data, count);
    edges_release(&edges);
    return result;
}

DRIVER_API cuGraphNodeGetDependentNodes_v2(CUgraphNode handle, CUgraphNode *out, CUgraphEdgeData *data,
                                           size_t *count)
{
    WITH(driver_node, DRIVER_GRAPH_NODE, NODE_LIVES, node, handle, dependents_locked(node, out, data, count));
}

static CUresult type_locked(const struct driver_node *node, CUgraphNodeType *type)
{
    if (!type) return CUDA_ERROR_INVALID_VALUE;
    *type = node->type;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
    WITH(driver_node, DRIVER_GRAPH_NODE, NODE_LIVES, node, handle, type_locked(node, type));
}

static CUresult graph_find_locked(const struct driver_graph *clone, const void *origin, CUgraphNode *out)
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
    WITH(driver_graph, DRIVER_GRAPH, GRAPH_LIVES, graph, handle, graph_find_locked(graph, origin, out));
}
