/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of each kind: how they are added, asked and changed. */
#include "driver_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of allocation nodes */

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static struct map memories; /* by address */
static uint64_t used[DRIVER_MAX_DEVICES], used_high[DRIVER_MAX_DEVICES];

static void memory_end(struct driver_object *object)
{
    struct driver_graph_memory *memory = (struct driver_graph_memory *)object;
    pthread_mutex_lock(&memory_lock);
    map_remove_u64(&memories, memory->address);
    used[memory->device->ordinal] -= memory->bytes;
    pthread_mutex_unlock(&memory_lock);
    driver_memory_release(memory->address, VMEM_DEVICE, VMEM_DEVICE);
    free(memory);
}

CUresult driver_graph_memory_new(struct driver_context *context, uint64_t bytes,
                                 struct driver_graph_memory **out)
{
    dev_addr address;
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_memory_alloc(context, bytes, VMEM_DEVICE, 0, NULL, &address));
    struct driver_graph_memory *memory = sw_xcalloc(1, sizeof *memory);
    driver_object_init(&memory->object, (enum driver_kind)0, memory_end);
    memory->address = address;
    memory->bytes = bytes;
    memory->device = context->device;
    int device = context->device->ordinal;
    pthread_mutex_lock(&memory_lock);
    map_set_u64(&memories, address, memory);
    used[device] += bytes;
    if (used[device] > used_high[device]) used_high[device] = used[device];
    pthread_mutex_unlock(&memory_lock);
    *out = memory;
    return CUDA_SUCCESS;
}

bool driver_graph_memory_is(dev_addr address)
{
    pthread_mutex_lock(&memory_lock);
    bool found = address && map_get_u64(&memories, address);
    pthread_mutex_unlock(&memory_lock);
    return found;
}

DRIVER_API cuDeviceGetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!value || attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) return CUDA_ERROR_INVALID_VALUE;
    bool high =
        attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    pthread_mutex_lock(&memory_lock);
    *(cuuint64_t *)value = high ? used_high[ordinal] : used[ordinal];
    pthread_mutex_unlock(&memory_lock);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceSetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    bool high =
        attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (!value || !high || *(cuuint64_t *)value != 0) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&memory_lock);
    used_high[ordinal] = used[ordinal];
    pthread_mutex_unlock(&memory_lock);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceGraphMemTrim(CUdevice ordinal)
{
    struct driver_device *device;
    return driver_device_get(ordinal, &device);
}

/* ---- what a node does */

CUresult driver_node_set_kernel(struct driver_node *node, const CUDA_KERNEL_NODE_PARAMS *p)
{
    struct driver_work work = {.kind = DRIVER_WORK_LAUNCH};
    CUfunction function = p->func ? p->func : (CUfunction)p->kern;
    struct driver_launch_request request = {function,
                                            {p->gridDimX, p->gridDimY, p->gridDimZ},
                                            {p->blockDimX, p->blockDimY, p->blockDimZ},
                                            p->sharedMemBytes,
                                            p->kernelParams,
                                            p->extra,
                                            false};
    DRIVER_TRY(driver_launch_make(&request, &work.launch));
    driver_node_clear(node);
    const struct ptx_function *entry = work.launch.function->entry;
    node->work = work;
    node->function = function;
    node->param_pointers = sw_xcalloc(entry->param_count + 1, sizeof *node->param_pointers);
    for (uint32_t i = 0; i < entry->param_count; i++)
        node->param_pointers[i] = work.launch.params + entry->params[i]->offset;
    return CUDA_SUCCESS;
}

CUresult driver_node_set_memcpy(struct driver_node *node, const CUDA_MEMCPY3D *params)
{
    struct driver_work work = {.kind = DRIVER_WORK_COPY};
    DRIVER_TRY(driver_copy_describe(params, &work.copy));
    driver_node_clear(node);
    node->work = work;
    node->given.memcpy = *params;
    return CUDA_SUCCESS;
}

CUresult driver_node_set_memset(struct driver_node *node, const CUDA_MEMSET_NODE_PARAMS *p)
{
    uint32_t bytes = p->elementSize;
    if ((bytes != 1 && bytes != 2 && bytes != 4) || !p->width || !p->height) return CUDA_ERROR_INVALID_VALUE;
    if (p->dst % bytes || !driver_memory_valid(p->dst, (p->height - 1) * p->pitch + p->width * bytes))
        return CUDA_ERROR_INVALID_VALUE;
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
    if (!event) return CUDA_ERROR_INVALID_HANDLE;
    driver_node_clear(node);
    node->event = event;
    return CUDA_SUCCESS;
}

static CUresult set_child(struct driver_node *node, CUgraph handle)
{
    struct driver_graph *child = driver_handle_get(handle, DRIVER_GRAPH);
    if (!child || child == node->graph) {
        if (child) driver_object_unref(&child->object);
        return CUDA_ERROR_INVALID_VALUE;
    }
    driver_node_clear(node);
    node->child = driver_graph_clone_locked(child);
    driver_handle_add(&node->child->object);
    driver_object_unref(&child->object);
    return CUDA_SUCCESS;
}

static CUresult set_alloc(struct driver_node *node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct driver_context *context;
    struct driver_graph_memory *memory;
    DRIVER_TRY(driver_context_current(&context));
    DRIVER_TRY(driver_graph_memory_new(context, params->bytesize, &memory));
    driver_node_clear(node);
    node->memory = memory;
    params->dptr = memory->address;
    node->given.alloc = *params;
    return CUDA_SUCCESS;
}

static CUresult set_free(struct driver_node *node, CUdeviceptr address)
{
    struct driver_allocation allocation;
    if (!driver_memory_find(address, &allocation) || allocation.base != address)
        return CUDA_ERROR_INVALID_VALUE;
    driver_node_clear(node);
    node->address = address;
    return CUDA_SUCCESS;
}

/* ---- adding: one way in for every kind */

struct adding {
    CUgraphNodeType type;
    const void *params; /* by type */
    CUDA_MEM_ALLOC_NODE_PARAMS *alloc;
    CUgraph child;
    CUevent event;
    CUdeviceptr address;
};

static CUresult fill_node(struct driver_node *node, const struct adding *what)
{
    switch (what->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return driver_node_set_kernel(node, what->params);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return driver_node_set_memcpy(node, what->params);
    case CU_GRAPH_NODE_TYPE_MEMSET: return driver_node_set_memset(node, what->params);
    case CU_GRAPH_NODE_TYPE_HOST: return driver_node_set_host(node, what->params);
    case CU_GRAPH_NODE_TYPE_GRAPH: return set_child(node, what->child);
    case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return driver_node_set_event(node, what->event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return set_alloc(node, what->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return set_free(node, what->address);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    default: break;
    }
    static int refused;
    return driver_refuse_call(&refused, "cuGraphAddNode",
                              "conditional nodes, external semaphores and batched operations");
}

static CUresult add_locked(CUgraphNode *out, struct driver_graph *graph, const CUgraphNode *needs,
                           size_t count, const struct adding *what)
{
    if (!out || (count && !needs)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < graph->nodes.count; k++)
            found |= (CUgraphNode)graph->nodes.at[k] == needs[i];
        if (!found) return CUDA_ERROR_INVALID_VALUE;
    }
    struct driver_node *node = driver_node_new_locked(graph, what->type);
    CUresult result = fill_node(node, what);
    if (result != CUDA_SUCCESS) {
        graph->nodes.count--;
        driver_handle_take(node, DRIVER_GRAPH_NODE);
        driver_object_unref(&node->object);
        return result;
    }
    for (size_t i = 0; i < count; i++)
        driver_node_need_locked(node, (struct driver_node *)needs[i]);
    *out = (CUgraphNode)node;
    return CUDA_SUCCESS;
}

static CUresult add(CUgraphNode *out, CUgraph handle, const CUgraphNode *needs, size_t count,
                    const struct adding *what)
{
    DRIVER_TRY(driver_ready());
    struct driver_graph *graph = driver_handle_get(handle, DRIVER_GRAPH);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&driver_graph_lock);
    CUresult result = add_locked(out, graph, needs, count, what);
    driver_object_unref(&graph->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphAddKernelNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                   const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .params = params};
    return params ? add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemcpyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                const CUDA_MEMCPY3D *params, CUcontext context)
{
    (void)context;
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .params = params};
    return params ? add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemsetNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    (void)context;
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .params = params};
    return params ? add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddHostNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                              const CUDA_HOST_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_HOST, .params = params};
    return params ? add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddChildGraphNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                    CUgraph child)
{
    return add(out, graph, needs, count, &(struct adding){.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = child});
}

DRIVER_API cuGraphAddEmptyNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count)
{
    return add(out, graph, needs, count, &(struct adding){.type = CU_GRAPH_NODE_TYPE_EMPTY});
}

DRIVER_API cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                     CUevent event)
{
    return add(out, graph, needs, count,
               &(struct adding){.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event});
}

DRIVER_API cuGraphAddEventWaitNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                   CUevent event)
{
    return add(out, graph, needs, count,
               &(struct adding){.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event});
}

DRIVER_API cuGraphAddMemAllocNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                  CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    struct adding what = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = params};
    return params ? add(out, graph, needs, count, &what) : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_API cuGraphAddMemFreeNode(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs, size_t count,
                                 CUdeviceptr address)
{
    return add(out, graph, needs, count,
               &(struct adding){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .address = address});
}

/* The general form: a tagged union of the others' parameters. */
DRIVER_API cuGraphAddNode_v2(CUgraphNode *out, CUgraph graph, const CUgraphNode *needs,
                             const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *p)
{
    static int refused;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; data && i < count; i++)
        if (data[i].from_port || data[i].to_port || data[i].type)
            return driver_refuse_call(&refused, "cuGraphAddNode", "programmatic dependencies");
    struct adding what = {.type = p->type};
    CUDA_MEMSET_NODE_PARAMS fill = {p->memset.dst,         p->memset.pitch, p->memset.value,
                                    p->memset.elementSize, p->memset.width, p->memset.height};
    if (p->type == CU_GRAPH_NODE_TYPE_KERNEL) what.params = &p->kernel;
    if (p->type == CU_GRAPH_NODE_TYPE_MEMCPY) what.params = &p->memcpy.copyParams;
    if (p->type == CU_GRAPH_NODE_TYPE_MEMSET) what.params = &fill;
    if (p->type == CU_GRAPH_NODE_TYPE_HOST) what.params = &p->host;
    if (p->type == CU_GRAPH_NODE_TYPE_GRAPH) what.child = p->graph.graph;
    if (p->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) what.event = p->eventRecord.event;
    if (p->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT) what.event = p->eventWait.event;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) what.alloc = (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)&p->alloc;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_FREE) what.address = p->free.dptr;
    return add(out, graph, needs, count, &what);
}

/* ---- asking and changing */

/* The node behind a handle when it is of that type: a reference, the lock taken. */
static CUresult take(CUgraphNode handle, CUgraphNodeType type, const void *params, struct driver_node **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_node *node = driver_handle_get(handle, DRIVER_GRAPH_NODE);
    if (!node) return CUDA_ERROR_INVALID_VALUE;
    if (!params || node->type != type) {
        driver_object_unref(&node->object);
        return CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&driver_graph_lock);
    *out = node;
    return CUDA_SUCCESS;
}

static CUresult give(struct driver_node *node, CUresult result)
{
    driver_object_unref(&node->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_KERNEL, out, &node));
    const struct driver_launch *l = &node->work.launch;
    *out = (CUDA_KERNEL_NODE_PARAMS){.func = node->function,
                                     .gridDimX = l->grid[0],
                                     .gridDimY = l->grid[1],
                                     .gridDimZ = l->grid[2],
                                     .blockDimX = l->block[0],
                                     .blockDimY = l->block[1],
                                     .blockDimZ = l->block[2],
                                     .sharedMemBytes = l->dynamic_shared,
                                     .kernelParams = node->param_pointers};
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphKernelNodeSetParams_v2(CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_KERNEL, params, &node));
    return give(node, driver_node_set_kernel(node, params));
}

DRIVER_API cuGraphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEMCPY, out, &node));
    *out = node->given.memcpy;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemcpyNodeSetParams(CUgraphNode handle, const CUDA_MEMCPY3D *params)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEMCPY, params, &node));
    return give(node, driver_node_set_memcpy(node, params));
}

DRIVER_API cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEMSET, out, &node));
    *out = node->given.memset;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemsetNodeSetParams(CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEMSET, params, &node));
    return give(node, driver_node_set_memset(node, params));
}

DRIVER_API cuGraphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_HOST, out, &node));
    *out = (CUDA_HOST_NODE_PARAMS){node->work.host.function, node->work.host.user};
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphHostNodeSetParams(CUgraphNode handle, const CUDA_HOST_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_HOST, params, &node));
    return give(node, driver_node_set_host(node, params));
}

static CUresult get_event(CUgraphNode handle, CUgraphNodeType type, CUevent *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, type, out, &node));
    *out = (CUevent)node->event;
    return give(node, CUDA_SUCCESS);
}

static CUresult set_event(CUgraphNode handle, CUgraphNodeType type, CUevent event)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, type, event, &node));
    return give(node, driver_node_set_event(node, event));
}

DRIVER_API cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *out)
{
    return get_event(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, out);
}

DRIVER_API cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set_event(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}

DRIVER_API cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *out)
{
    return get_event(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, out);
}

DRIVER_API cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event)
{
    return set_event(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

DRIVER_API cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_GRAPH, out, &node));
    *out = (CUgraph)node->child;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, out, &node));
    *out = node->given.alloc;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *out)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, out, &node));
    *out = node->address;
    return give(node, CUDA_SUCCESS);
}

/* Attributes of kernel nodes are hints, except those that would change what runs. */
DRIVER_API cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                         const CUkernelNodeAttrValue *value)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node));
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) node->work.launch.cooperative = value->cooperative != 0;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                         CUkernelNodeAttrValue *value)
{
    struct driver_node *node;
    DRIVER_TRY(take(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node));
    memset(value, 0, sizeof *value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) value->cooperative = node->work.launch.cooperative;
    return give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    CUkernelNodeAttrValue value;
    DRIVER_TRY(cuGraphKernelNodeGetAttribute(from, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    return cuGraphKernelNodeSetAttribute(to, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value);
}
