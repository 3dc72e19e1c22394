/* SPDX-License-Identifier: Apache-2.0 */
/* cuGraphDebugDotPrint: a graph as a picture for Graphviz. Child graphs and bodies of conditional nodes are
 * clusters of their own, named after their node. The text is for people: it is not NVIDIA's. */
#include "driver_graph.h"

#include "driver/module/driver_module.h"

#include <stdio.h>

struct dot {
    struct str text;
    unsigned flags, next; /* next: number of a graph */
};

static const char *const type_names[] = {
    "kernel",       "memcpy",       "memset",           "host",           "graph",     "empty",
    "event wait",   "event record", "ext semas signal", "ext semas wait", "mem alloc", "mem free",
    "batch mem op", "conditional"};
static const char *const runtime_names[] = {"cudaGraphNodeTypeKernel",
                                            "cudaGraphNodeTypeMemcpy",
                                            "cudaGraphNodeTypeMemset",
                                            "cudaGraphNodeTypeHost",
                                            "cudaGraphNodeTypeGraph",
                                            "cudaGraphNodeTypeEmpty",
                                            "cudaGraphNodeTypeWaitEvent",
                                            "cudaGraphNodeTypeEventRecord",
                                            "cudaGraphNodeTypeExtSemaphoreSignal",
                                            "cudaGraphNodeTypeExtSemaphoreWait",
                                            "cudaGraphNodeTypeMemAlloc",
                                            "cudaGraphNodeTypeMemFree",
                                            "batch mem op",
                                            "cudaGraphNodeTypeConditional"};

static bool wants(const struct dot *dot, unsigned flag)
{
    return dot->flags & (flag | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

static void put_kernel(struct dot *dot, const struct driver_node *node)
{
    const struct driver_launch *l = &node->work.launch;
    str_printf(&dot->text, "\\n%s", l->function->entry->name);
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS))
        str_printf(&dot->text, "\\ngrid %u,%u,%u block %u,%u,%u shared %u", l->grid[0], l->grid[1],
                   l->grid[2], l->block[0], l->block[1], l->block[2], l->dynamic_shared);
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES))
        str_printf(&dot->text, "\\ncooperative %d", l->cooperative);
}

static void put_copy(struct dot *dot, const struct driver_node *node)
{
    const struct driver_copy *c = &node->work.copy;
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS))
        str_printf(&dot->text, "\\n%p to %p\\n%llu x %llu x %llu bytes", (void *)c->from.base,
                   (void *)c->to.base, (unsigned long long)c->width, (unsigned long long)c->height,
                   (unsigned long long)c->depth);
}

static void put_fill(struct dot *dot, const struct driver_node *node)
{
    const struct driver_fill *f = &node->work.fill;
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS))
        str_printf(&dot->text, "\\n%p, %llu x %llu of %u bytes = %#x", (void *)f->base,
                   (unsigned long long)f->width, (unsigned long long)f->height, f->element_bytes, f->value);
}

static void put_condition(struct dot *dot, const struct driver_node *node)
{
    static const char *const names[] = {"if", "while", "switch"};
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS))
        str_printf(&dot->text, "\\n%s, handle %#llx", names[node->condition_type],
                   (unsigned long long)node->condition->handle);
}

static void put_params(struct dot *dot, const struct driver_node *node)
{
    switch ((int)node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: put_kernel(dot, node); break;
    case CU_GRAPH_NODE_TYPE_MEMCPY: put_copy(dot, node); break;
    case CU_GRAPH_NODE_TYPE_MEMSET: put_fill(dot, node); break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: put_condition(dot, node); break;
    case CU_GRAPH_NODE_TYPE_HOST:
        if (node->work.kind == DRIVER_WORK_HOST && wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS))
            str_printf(&dot->text, "\\nuser data %p", node->work.host.user);
        break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS))
            str_printf(&dot->text, "\\nevent %p", (void *)node->event);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS))
            str_printf(&dot->text, "\\n%zu bytes at %#llx", node->given.alloc.bytesize,
                       node->given.alloc.dptr);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS))
            str_printf(&dot->text, "\\nfrees %#llx", (unsigned long long)node->address);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS))
            str_printf(&dot->text, "\\n%u operations", node->work.batch.count);
        break;
    default: break;
    }
}

static void put_graph(struct dot *dot, const struct driver_graph *graph, const char *title);

static void put_node(struct dot *dot, const struct driver_node *node, unsigned graph)
{
    char title[64];
    bool runtime = dot->flags & CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES;
    str_printf(&dot->text, "\"graph_%u_node_%zu\" [shape=%s label=\"%zu\\n%s", graph, node->index,
               node->child || node->condition ? "note" : "box", node->index,
               (runtime ? runtime_names : type_names)[node->type]);
    put_params(dot, node);
    if (wants(dot, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES))
        str_printf(&dot->text, "\\nhandle %p", (const void *)node);
    str_add(&dot->text, "\"];\n");
    snprintf(title, sizeof title, "graph_%u_node_%zu", graph, node->index);
    if (node->child) put_graph(dot, node->child, title);
    for (unsigned i = 0; i < node->body_count; i++)
        put_graph(dot, node->bodies[i], title);
}

static void put_edges(struct dot *dot, const struct driver_node *node, unsigned graph)
{
    for (size_t i = 0; i < node->needs.count; i++) {
        const struct driver_need *need = &node->needs.at[i];
        str_printf(&dot->text, "\"graph_%u_node_%zu\" -> \"graph_%u_node_%zu\"", graph, need->node->index,
                   graph, node->index);
        if (!driver_edge_is_plain(need->data))
            str_printf(&dot->text, " [style=dashed headlabel=\"%u\" taillabel=\"%u\"]", need->data.to_port,
                       need->data.from_port);
        str_add(&dot->text, ";\n");
    }
}

static void put_graph(struct dot *dot, const struct driver_graph *graph, const char *title)
{
    unsigned number = dot->next++;
    str_printf(&dot->text, "subgraph cluster_%u {\nlabel=\"%s\";\n", number, title);
    for (size_t i = 0; i < graph->nodes.count; i++)
        put_node(dot, graph->nodes.at[i], number);
    for (size_t i = 0; i < graph->nodes.count; i++)
        put_edges(dot, graph->nodes.at[i], number);
    str_add(&dot->text, "}\n");
}

static CUresult write_file(const char *path, const struct str *text)
{
    FILE *file = fopen(path, "w");
    if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
    bool written = fwrite(text->text, 1, text->length, file) == text->length;
    return fclose(file) == 0 && written ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

DRIVER_API cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned flags)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    struct dot dot = {.flags = flags};
    pthread_mutex_lock(&driver_graph_lock);
    bool valid = graph && path; /* flags that are not known do nothing, as on a GPU */
    str_add(&dot.text, "digraph dot {\n");
    if (valid) put_graph(&dot, graph, "graph");
    str_add(&dot.text, "}\n");
    if (graph) driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    CUresult result = valid ? write_file(path, &dot.text) : CUDA_ERROR_INVALID_VALUE;
    str_release(&dot.text);
    return result;
}
