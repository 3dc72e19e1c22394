/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of each kind: what they do, and how they are added. */
#include "driver_graph.h"

#include "driver/copy/driver_copy.h"
#include "driver/core/driver_error.h"
#include "driver/module/driver_module.h"

#include <stdlib.h>
#include <string.h>

/* ---- where a node runs: what a call checks is checked there. The context is current meanwhile. */

static void enter(struct driver_context *context) /* NULL: whatever is current */
{
    if (!context) return;
    driver_object_ref(&context->object);
    driver_context_push(context);
}

static void leave(const struct driver_context *context)
{
    if (context) driver_context_pop();
}

CUresult driver_node_named(CUcontext handle, struct driver_context **out)
{
    *out = driver_context_top();
    if (handle) *out = driver_handle_get(handle, DRIVER_CONTEXT);
    if (handle && !*out) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!handle && *out) driver_object_ref(&(*out)->object);
    return CUDA_SUCCESS;
}

/* ---- what a node does */

static void remember_params(struct driver_node *node)
{
    const struct ptx_function *entry = node->work.launch.function->entry;
    node->param_pointers = sw_xcalloc(entry->param_count + 1, sizeof *node->param_pointers);
    for (uint32_t i = 0; i < entry->param_count; i++)
        node->param_pointers[i] = node->work.launch.params + entry->params[i]->offset;
}

/* Where the function is, or in a green context of that one that was named with a CUkernel. */
static struct driver_context *context_of_kernel(const struct driver_node *node,
                                                const CUDA_KERNEL_NODE_PARAMS *params,
                                                struct driver_context *named)
{
    struct driver_context *own = node->work.launch.function->module->context;
    if (!params->func && named && named->root == own) return named;
    return node->context && node->context->root == own ? node->context : own;
}

CUresult driver_node_set_kernel(struct driver_node *node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    struct driver_work work = {.kind = DRIVER_WORK_LAUNCH};
    CUfunction function = p->func ? p->func : (CUfunction)p->kern;
    bool cooperative = node->work.kind == DRIVER_WORK_LAUNCH && node->work.launch.cooperative;
    struct driver_launch_request request = {.function = function,
                                            .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                            .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                            .dynamic_shared = p->sharedMemBytes,
                                            .params = p->kernelParams,
                                            .extra = p->extra,
                                            .cooperative = cooperative};
    struct driver_context *named;
    DRIVER_TRY(driver_node_named(p->func ? NULL : p->ctx, &named));
    enter(named);
    CUresult result = driver_launch_make(&request, &work.launch);
    leave(named);
    if (result == CUDA_SUCCESS) {
        driver_node_clear(node);
        node->work = work;
        node->changed = true;
        node->function = function;
        driver_node_set_context(node, context_of_kernel(node, p, named));
        remember_params(node);
    }
    if (named) driver_object_unref(&named->object);
    return result;
}

CUresult driver_node_set_memcpy(struct driver_node *node, const CUDA_MEMCPY3D *params)
{
    struct driver_work work = {.kind = DRIVER_WORK_COPY};
    CUDA_MEMCPY3D plain = *params;
    plain.srcLOD = plain.dstLOD = 0; /* an H200 does not look at them */
    bool layers = params->Depth > 1;
    if (layers && params->srcHeight && params->srcHeight < params->Height) return CUDA_ERROR_INVALID_VALUE;
    if (layers && params->dstHeight && params->dstHeight < params->Height) return CUDA_ERROR_INVALID_VALUE;
    enter(node->context);
    CUresult result = driver_copy_describe(&plain, &work.copy);
    leave(node->context);
    DRIVER_TRY(result);
    driver_node_clear(node);
    node->work = work;
    node->given.memcpy = *params;
    return CUDA_SUCCESS;
}

CUresult driver_node_set_memset(struct driver_node *node, const CUDA_MEMSET_NODE_PARAMS *p)
{
    uint32_t bytes = p->elementSize;
    if ((bytes != 1 && bytes != 2 && bytes != 4) || !p->width || !p->height) return CUDA_ERROR_INVALID_VALUE;
    uint64_t row = sw_product(p->width, bytes);
    if (p->height > 1 && p->pitch < row) return CUDA_ERROR_INVALID_VALUE;
    uint64_t all = sw_sum(sw_product(p->height - 1, p->pitch), row);
    enter(node->context);
    bool allowed = driver_permissions_allow(p->dst, all, VMEM_WRITE, true);
    leave(node->context);
    if (p->dst % bytes || !driver_memory_valid(p->dst, all) || !allowed) return CUDA_ERROR_INVALID_VALUE;
    driver_node_clear(node);
    node->work = (struct driver_work){
        .kind = DRIVER_WORK_FILL,
        .fill = {(uint8_t *)(uintptr_t)p->dst, p->pitch, p->width, p->height, p->value, bytes}};
    node->given.memset = *p;
    return CUDA_SUCCESS;
}

CUresult driver_node_set_host(struct driver_node *node, const CUDA_HOST_NODE_PARAMS *params)
{
    if (!params->fn) return CUDA_ERROR_INVALID_VALUE;
    driver_node_clear(node);
    node->work = (struct driver_work){.kind = DRIVER_WORK_HOST,
                                      .host = {.function = params->fn, .user = params->userData}};
    return CUDA_SUCCESS;
}

CUresult driver_node_set_event(struct driver_node *node, CUevent handle)
{
    struct driver_event *event = driver_handle_get(handle, DRIVER_EVENT);
    if (!event) return handle ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    driver_node_clear(node);
    node->event = event;
    if (node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) driver_node_set_context(node, event->context);
    return CUDA_SUCCESS;
}

CUresult driver_node_set_batch(struct driver_node *node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct driver_work work = {.kind = DRIVER_WORK_BATCH};
    DRIVER_TRY(driver_batch_make(params->paramArray, params->count, params->flags, &work.batch));
    driver_node_clear(node);
    node->work = work;
    return CUDA_SUCCESS;
}

/* A graph that is moved becomes the node's own; its handle stays. One that allocates can only be moved. */
CUresult driver_node_set_child(struct driver_node *node, CUgraph handle, bool move)
{
    struct driver_graph *child = driver_handle_get(handle, DRIVER_GRAPH);
    CUresult result = CUDA_SUCCESS;
    if (!child || child == node->graph || (move && child->owned)) result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !move && driver_graph_has_memory_locked(child))
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS) {
        struct driver_graph *mine = move ? child : driver_graph_clone_locked(child);
        driver_node_clear(node);
        node->child = mine;
        if (move)
            mine->owned = true; /* the handle's reference is the node's */
        else
            driver_graph_own(mine);
    }
    if (child) driver_object_unref(&child->object);
    return result;
}

static CUresult allocation_of(const CUDA_MEM_ALLOC_NODE_PARAMS *params, struct driver_graph_allocation *out)
{
    const CUmemPoolProps *props = &params->poolProps;
    if (props->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
    if (props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        props->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        (params->accessDescCount && !params->accessDescs))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct driver_graph_allocation){.bytes = params->bytesize};
    if (driver_device_get(props->location.id, &out->device) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < params->accessDescCount; i++) {
        CUmemLocation at = params->accessDescs[i].location;
        if (params->accessDescs[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_NOT_SUPPORTED; /* this, and the rest, as two H100s answer */
        if (at.type != CU_MEM_LOCATION_TYPE_DEVICE) continue;
        if (at.id < 0 || at.id >= driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
        out->reach |= 1u << at.id;
    }
    return CUDA_SUCCESS;
}

static CUresult set_alloc(struct driver_node *node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct driver_context *context;
    struct driver_graph_allocation wanted;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(allocation_of(params, &wanted));
    struct driver_graph_memory *memory = driver_graph_memory_again_locked(node, &wanted);
    if (!memory) DRIVER_TRY(driver_graph_memory_new(context, &wanted, &memory));
    driver_node_clear(node);
    node->memory = memory;
    params->dptr = memory->address;
    node->given.alloc = *params;
    driver_node_set_access(node, params->accessDescs, params->accessDescCount);
    return CUDA_SUCCESS;
}

static CUresult set_free(struct driver_node *node, CUdeviceptr address)
{
    struct driver_allocation allocation;
    if (!driver_memory_find(address, &allocation) || allocation.base != address)
        return CUDA_ERROR_INVALID_VALUE;
    struct driver_graph_memory *memory = driver_graph_memory_get(address);
    if (!memory) return CUDA_ERROR_INVALID_VALUE;
    if (driver_graph_memory_is_freed_locked(node->graph, memory)) {
        driver_object_unref(&memory->object);
        return CUDA_ERROR_INVALID_VALUE;
    }
    driver_node_clear(node);
    node->address = address;
    node->memory = memory;
    return CUDA_SUCCESS;
}

/* ---- what GetParams answers about captured work */

static CUDA_MEMCPY3D describe_copy(const struct driver_copy *copy)
{
    uint64_t from_rows = copy->from.pitch ? copy->from.slice / copy->from.pitch : 0;
    uint64_t to_rows = copy->to.pitch ? copy->to.slice / copy->to.pitch : 0;
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = (uintptr_t)copy->from.base,
                           .srcPitch = copy->from.pitch,
                           .srcHeight = from_rows,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = (uintptr_t)copy->to.base,
                           .dstPitch = copy->to.pitch,
                           .dstHeight = to_rows,
                           .WidthInBytes = copy->width,
                           .Height = copy->height,
                           .Depth = copy->depth};
}

void driver_node_remember(struct driver_node *node)
{
    const struct driver_work *work = &node->work;
    if (node->type == CU_GRAPH_NODE_TYPE_MEMCPY) node->given.memcpy = describe_copy(&work->copy);
    if (node->type == CU_GRAPH_NODE_TYPE_MEMSET)
        node->given.memset =
            (CUDA_MEMSET_NODE_PARAMS){(uintptr_t)work->fill.base, work->fill.pitch, work->fill.value,
                                      work->fill.element_bytes,   work->fill.width, work->fill.height};
    if (node->type != CU_GRAPH_NODE_TYPE_KERNEL) return;
    node->function = (CUfunction)work->launch.function;
    remember_params(node);
}

/* ---- adding: one way in for every kind */

struct adding {
    CUgraphNodeType type;
    const void *params; /* by type */
    CUDA_MEM_ALLOC_NODE_PARAMS *alloc;
    CUDA_CONDITIONAL_NODE_PARAMS *condition;
    const CUgraphEdgeData *edges; /* NULL: plain ones */
    CUgraph child;
    bool moves; /* child */
    CUevent event;
    CUdeviceptr address;
    CUcontext context; /* NULL: the current one */
};

static bool has_named_context(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET ||
           type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
}

static CUresult fill_node(struct driver_node *node, const struct adding *what)
{
    switch (what->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return driver_node_set_kernel(node, what->params);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return driver_node_set_memcpy(node, what->params);
    case CU_GRAPH_NODE_TYPE_MEMSET: return driver_node_set_memset(node, what->params);
    case CU_GRAPH_NODE_TYPE_HOST: return driver_node_set_host(node, what->params);
    case CU_GRAPH_NODE_TYPE_GRAPH: return driver_node_set_child(node, what->child, what->moves);
    case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return driver_node_set_event(node, what->event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return set_alloc(node, what->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return set_free(node, what->address);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return driver_node_set_batch(node, what->params);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return driver_condition_add_locked(node, what->condition);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    static int refused;
    return driver_refuse_call(&refused, "cuGraphAddNode", "external semaphores");
}

static struct driver_node *node_of(const struct driver_graph *graph, CUgraphNode handle)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        if ((CUgraphNode)graph->nodes.at[i] == handle) return graph->nodes.at[i];
    return NULL;
}

static CUresult connect_locked(struct driver_node *node, const CUgraphNode *needs, size_t count,
                               const CUgraphEdgeData *edges)
{
    for (size_t i = 0; i < count; i++) {
        struct driver_node *before = node_of(node->graph, needs[i]);
        CUgraphEdgeData data = edges ? edges[i] : (CUgraphEdgeData){0};
        size_t known = node->needs.count;
        if (!before || before == node || !driver_edge_valid(before, node, data))
            return CUDA_ERROR_INVALID_VALUE;
        driver_node_need_locked(node, before, data);
        if (node->needs.count == known) return CUDA_ERROR_INVALID_VALUE; /* named twice */
    }
    return CUDA_SUCCESS;
}

static CUresult graph_node_add_locked(CUgraphNode *out, struct driver_graph *graph, const CUgraphNode *needs,
                                      size_t count, const struct adding *what)
{
    if (!out || (count && !needs)) return CUDA_ERROR_INVALID_VALUE;
    struct driver_context *named;
    DRIVER_TRY(driver_node_named(what->context, &named));
    struct driver_node *node = driver_node_new_locked(graph, what->type);
    if (has_named_context(what->type)) driver_node_set_context(node, named);
    if (named) driver_object_unref(&named->object);
    CUresult result = connect_locked(node, needs, count, what->edges);
    if (result == CUDA_SUCCESS) result = fill_node(node, what);
    if (result != CUDA_SUCCESS) {
        driver_node_remove_locked(node);
        return result;
    }
    *out = (CUgraphNode)node;
    return CUDA_SUCCESS;
}

static CUresult graph_node_add(CUgraphNode *out, CUgraph handle, const CUgraphNode *needs, size_t count,
                               const struct adding *what)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = graph_node_add_locked(out, graph, needs, count, what);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                   const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .params = params};
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                const CUDA_MEMCPY3D *params, CUcontext context)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .params = params, .context = context};
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .params = params, .context = context};
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddHostNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                              const CUDA_HOST_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_HOST, .params = params};
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                    CUgraph child)
{
    return graph_node_add(out, graph, needs, count,
                          &(struct adding){.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = child});
}

DRIVER_API cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count)
{
    return graph_node_add(out, graph, needs, count, &(struct adding){.type = CU_GRAPH_NODE_TYPE_EMPTY});
}

DRIVER_API cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                     CUevent event)
{
    return graph_node_add(out, graph, needs, count,
                          &(struct adding){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event});
}

DRIVER_API cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                   CUevent event)
{
    return graph_node_add(out, graph, needs, count,
                          &(struct adding){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event});
}

DRIVER_API cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                  CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = params};
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                 CUdeviceptr address)
{
    return graph_node_add(out, graph, needs, count,
                          &(struct adding){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = address});
}

DRIVER_API cuGraphAddBatchMemOpNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, .params = params};
    if (params) what.context = params->ctx;
    return params ? graph_node_add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

/* The general form: a tagged union of the others' parameters. */

CUcontext driver_node_names(const CUgraphNodeParams *p)
{
    switch ((int)p->type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY: return p->memcpy.copyCtx;
    case CU_GRAPH_NODE_TYPE_MEMSET: return p->memset.ctx;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return p->memOp.ctx;
    default: return NULL;
    }
}

/* What is reserved is zero. */
bool driver_node_params_are_valid(const CUgraphNodeParams *p)
{
    return p && !p->reserved0[0] && !p->reserved0[1] && !p->reserved0[2] && !p->reserved2;
}

DRIVER_API cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                             const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *p)
{
    if (!driver_node_params_are_valid(p)) return CUDA_ERROR_INVALID_VALUE;
    struct adding what = {.type = p->type, .edges = data};
    CUDA_MEMSET_NODE_PARAMS fill = {p->memset.dst,         p->memset.pitch, p->memset.value,
                                    p->memset.elementSize, p->memset.width, p->memset.height};
    CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {p->memOp.ctx, p->memOp.count, p->memOp.paramArray, p->memOp.flags};
    if (p->type == CU_GRAPH_NODE_TYPE_KERNEL) what.params = &p->kernel;
    if (p->type == CU_GRAPH_NODE_TYPE_MEMCPY) what.params = &p->memcpy.copyParams;
    if (p->type == CU_GRAPH_NODE_TYPE_MEMSET) what.params = &fill;
    if (p->type == CU_GRAPH_NODE_TYPE_HOST) what.params = &p->host;
    what.context = driver_node_names(p);
    if (p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) what.params = &batch;
    if (p->type == CU_GRAPH_NODE_TYPE_GRAPH) what.child = p->graph.graph;
    if (p->type == CU_GRAPH_NODE_TYPE_GRAPH)
        what.moves = p->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    if (p->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) what.event = p->eventRecord.event;
    if (p->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) what.event = p->eventWait.event;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) what.alloc = (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)&p->alloc;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_FREE) what.address = p->free.dptr;
    if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) what.condition = &p->conditional;
    return graph_node_add(out, graph, needs, count, &what);
}
