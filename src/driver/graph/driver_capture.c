/* SPDX-License-Identifier: Apache-2.0 */
/* Stream capture: what would be queued on a stream becomes nodes of a graph. Which streams are captured, and
 * what their next nodes need: driver_capture_state.c; how captures begin and end: driver_capture_begin.c. */
#include "driver_graph.h"

#include <stdlib.h>
#include <string.h>

/* What an edge to a node of that type says: programmatic edges lead to kernels only. A kernel launched with
 * programmatic stream serialization may begin before the kernels that its stream just launched end. */
static CUgraphEdgeData edge_to(const struct driver_dependencies *tail, size_t i, CUgraphNodeType type,
                               bool early)
{
    CUgraphEdgeData data = tail->edges.at[i];
    bool kernels = type == CU_GRAPH_NODE_TYPE_KERNEL && tail->nodes.at[i]->type == CU_GRAPH_NODE_TYPE_KERNEL;
    if (!kernels) return (CUgraphEdgeData){0};
    if (early && driver_edge_is_plain(data)) data.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    if (data.from_port) data.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    return data;
}

/* A new node after the stream's tail, which it becomes. */
static struct driver_node *append_locked(struct driver_stream *stream, CUgraphNodeType type, bool early)
{
    struct driver_node *node = driver_node_new_locked(driver_capture_of(stream)->graph, type);
    struct driver_dependencies *tail = &stream->capture_dependencies;
    for (size_t i = 0; i < tail->nodes.count; i++)
        driver_node_need_locked(node, tail->nodes.at[i], edge_to(tail, i, type, early));
    driver_dependencies_clear(tail);
    driver_dependencies_add(tail, node, (CUgraphEdgeData){0});
    return node;
}

/* ---- what the calls that queue work do instead. The caller saw a capture before it took the lock: another
 * thread may have ended it since. */

static bool capture_type_of(const struct driver_work *work, CUgraphNodeType *type)
{
    switch (work->kind) {
    case DRIVER_WORK_COPY: *type = CU_GRAPH_NODE_TYPE_MEMCPY; return true;
    case DRIVER_WORK_FILL: *type = CU_GRAPH_NODE_TYPE_MEMSET; return true;
    case DRIVER_WORK_LAUNCH: *type = CU_GRAPH_NODE_TYPE_KERNEL; return true;
    case DRIVER_WORK_HOST: *type = CU_GRAPH_NODE_TYPE_HOST; return work->host.function != NULL;
    case DRIVER_WORK_ROUTINE: *type = CU_GRAPH_NODE_TYPE_HOST; return true;
    case DRIVER_WORK_NOTHING: *type = CU_GRAPH_NODE_TYPE_EMPTY; return true;
    case DRIVER_WORK_BATCH: *type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; return true;
    case DRIVER_WORK_RECORD:
    case DRIVER_WORK_RELEASE:
    case DRIVER_WORK_BEGIN:
    case DRIVER_WORK_CHOICE:
    case DRIVER_WORK_GRAPH:
    case DRIVER_WORK_TAIL:
    default: return false;
    }
}

CUresult driver_capture_work(struct driver_stream *stream, struct driver_work *work)
{
    CUgraphNodeType type;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    struct driver_capture *capture = driver_capture_of(stream);
    if (!capture || capture->invalid)
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!capture_type_of(work, &type))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS) {
        bool early = work->kind == DRIVER_WORK_LAUNCH && work->launch.early;
        struct driver_node *node = append_locked(stream, type, early);
        node->work = *work;
        if (type != CU_GRAPH_NODE_TYPE_HOST || work->kind == DRIVER_WORK_ROUTINE)
            driver_node_set_context(node, stream->context);
        driver_node_remember(node);
    } else {
        driver_work_release(work);
        if (capture) capture->invalid = true;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

static void remember_alloc(struct driver_node *node, const struct driver_graph_allocation *wanted)
{
    CUmemAccessDesc access[ARCH_DEVICES];
    size_t count = 0;
    for (int device = 0; device < driver.device_count; device++)
        if (wanted->reach >> device & 1)
            access[count++] =
                (CUmemAccessDesc){{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    node->given.alloc =
        (CUDA_MEM_ALLOC_NODE_PARAMS){.bytesize = wanted->bytes, .dptr = node->memory->address};
    node->given.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    node->given.alloc.poolProps.location =
        (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, wanted->device->ordinal};
    driver_node_set_access(node, access, count);
}

CUresult driver_capture_alloc(struct driver_stream *stream, const struct driver_graph_allocation *wanted,
                              dev_addr *out)
{
    struct driver_graph_memory *memory;
    DRIVER_TRY(driver_graph_memory_new(stream->context, wanted, &memory));
    pthread_mutex_lock(&driver_graph_lock);
    if (!driver_capture_of(stream)) {
        pthread_mutex_unlock(&driver_graph_lock);
        driver_object_unref(&memory->object);
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    }
    struct driver_node *node = append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, false);
    struct driver_graph_memory *again = driver_graph_memory_again_locked(node, wanted);
    if (again) {
        driver_object_unref(&memory->object);
        memory = again;
    }
    node->memory = memory;
    remember_alloc(node, wanted);
    *out = memory->address; /* the node's now, and gone with it */
    pthread_mutex_unlock(&driver_graph_lock);
    return CUDA_SUCCESS;
}

CUresult driver_capture_free(struct driver_stream *stream, dev_addr address)
{
    struct driver_graph_memory *memory = driver_graph_memory_get(address);
    if (!memory) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    const struct driver_graph *graph = driver_capture_of(stream) ? driver_capture_of(stream)->graph : NULL;
    bool freed = !graph || driver_graph_memory_is_freed_locked(graph, memory);
    if (!freed) {
        struct driver_node *node = append_locked(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, false);
        node->address = address;
        node->memory = memory;
    }
    pthread_mutex_unlock(&driver_graph_lock);
    if (freed) driver_object_unref(&memory->object);
    if (!graph) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return freed ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult driver_capture_child(struct driver_stream *stream, const struct driver_graph *graph)
{
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&driver_graph_lock);
    if (!driver_capture_of(stream) || driver_capture_of(stream)->invalid)
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (driver_graph_has_memory_locked(graph))
        result = CUDA_ERROR_NOT_SUPPORTED; /* it cannot be in two places */
    if (result == CUDA_SUCCESS) {
        struct driver_graph *clone = driver_graph_clone_locked(graph);
        append_locked(stream, CU_GRAPH_NODE_TYPE_GRAPH, false)->child = clone;
        driver_graph_own(clone);
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

CUresult driver_capture_event(struct driver_stream *stream, struct driver_event *event, CUgraphNodeType type)
{
    pthread_mutex_lock(&driver_graph_lock);
    bool captured = driver_capture_of(stream) != NULL;
    if (captured) {
        driver_object_ref(&event->object);
        struct driver_node *node = append_locked(stream, type, false);
        node->event = event;
        driver_node_set_context(node, stream->context);
    }
    pthread_mutex_unlock(&driver_graph_lock);
    return captured ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}
