/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of each kind: how they are asked and changed. */
#include "driver_graph.h"

#include "driver/core/driver_error.h"
#include "driver/module/driver_module.h"
#include "driver/stream/driver_attribute.h"

#include <string.h>

/* ---- asking and changing */

/* The node of a handle when it is of that type: a reference, the lock taken. */
static CUresult graph_params_take(CUgraphNode handle, CUgraphNodeType type, const void *params,
                                  struct driver_node **out)
{
    DRIVER_TRY(driver_ready());
    struct driver_node *node = driver_handle_get(handle, DRIVER_GRAPH_NODE);
    if (!node) return CUDA_ERROR_INVALID_VALUE;
    if (!params || node->type != type) {
        driver_object_unref(&node->object);
        return CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&driver_graph_lock);
    if (!node->graph) { /* its graph ended meanwhile */
        driver_object_unref(&node->object);
        pthread_mutex_unlock(&driver_graph_lock);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = node;
    return CUDA_SUCCESS;
}

static CUresult graph_params_give(struct driver_node *node, CUresult result)
{
    driver_object_unref(&node->object);
    pthread_mutex_unlock(&driver_graph_lock);
    return result;
}

DRIVER_API cuGraphKernelNodeGetParams_v2(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_KERNEL, out, &node));
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
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphKernelNodeSetParams_v2(CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_KERNEL, params, &node));
    return graph_params_give(node, driver_node_set_kernel(node, params));
}

DRIVER_API cuGraphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEMCPY, out, &node));
    *out = node->given.memcpy;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemcpyNodeSetParams(CUgraphNode handle, const CUDA_MEMCPY3D *params)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEMCPY, params, &node));
    return graph_params_give(node, driver_node_set_memcpy(node, params));
}

DRIVER_API cuGraphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEMSET, out, &node));
    *out = node->given.memset;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemsetNodeSetParams(CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEMSET, params, &node));
    return graph_params_give(node, driver_node_set_memset(node, params));
}

DRIVER_API cuGraphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_HOST, out, &node));
    if (node->work.kind !=
        DRIVER_WORK_HOST) /* a routine that was captured: it is no function of the program's */
        return graph_params_give(node, CUDA_ERROR_NOT_SUPPORTED);
    *out = (CUDA_HOST_NODE_PARAMS){node->work.host.function, node->work.host.user};
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphHostNodeSetParams(CUgraphNode handle, const CUDA_HOST_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_HOST, params, &node));
    return graph_params_give(node, driver_node_set_host(node, params));
}

static CUresult get_event(CUgraphNode handle, CUgraphNodeType type, CUevent *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, type, out, &node));
    *out = (CUevent)node->event;
    return graph_params_give(node, CUDA_SUCCESS);
}

static CUresult set_event(CUgraphNode handle, CUgraphNodeType type, CUevent event)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, type, event, &node));
    return graph_params_give(node, driver_node_set_event(node, event));
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
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_GRAPH, out, &node));
    *out = (CUgraph)node->child;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, out, &node));
    *out = node->given.alloc;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, out, &node));
    *out = node->address;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphBatchMemOpNodeGetParams(CUgraphNode handle, CUDA_BATCH_MEM_OP_NODE_PARAMS *out)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, out, &node));
    *out =
        (CUDA_BATCH_MEM_OP_NODE_PARAMS){.count = node->work.batch.count, .paramArray = node->work.batch.ops};
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphBatchMemOpNodeSetParams(CUgraphNode handle, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, params, &node));
    return graph_params_give(node, driver_node_set_batch(node, params));
}

/* ---- attributes of kernel nodes */

static CUresult set_attribute(struct driver_node *node, CUkernelNodeAttrID id,
                              const CUkernelNodeAttrValue *value)
{
    /* The handle is written to the value, though the declaration calls it constant: as NVIDIA's library does.
     */
    if (id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
        return driver_updatable_set_locked(node, (CUkernelNodeAttrValue *)(uintptr_t)value);
    const struct driver_device *device = node->work.launch.function->module->context->device;
    DRIVER_TRY(driver_attribute_check(id, value, DRIVER_OF_NODE, device));
    driver_attributes_set(&node->attributes, id, value);
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) node->work.launch.cooperative = value->cooperative != 0;
    return CUDA_SUCCESS;
}

DRIVER_API cuGraphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                         const CUkernelNodeAttrValue *value)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node));
    return graph_params_give(node, set_attribute(node, attribute, value));
}

DRIVER_API cuGraphKernelNodeGetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                         CUkernelNodeAttrValue *value)
{
    struct driver_node *node;
    DRIVER_TRY(graph_params_take(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &node));
    bool answers = driver_attribute_is_of(attribute, DRIVER_OF_NODE) &&
                   attribute != CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING; /* as an H200 */
    if (!answers) return graph_params_give(node, CUDA_ERROR_INVALID_VALUE);
    *value = driver_attributes_get(&node->attributes, attribute);
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) value->cooperative = node->work.launch.cooperative;
    return graph_params_give(node, CUDA_SUCCESS);
}

DRIVER_API cuGraphKernelNodeCopyAttributes(CUgraphNode to_handle, CUgraphNode from_handle)
{
    struct driver_node *to, *from;
    DRIVER_TRY(graph_params_take(to_handle, CU_GRAPH_NODE_TYPE_KERNEL, to_handle, &to));
    CUresult result = graph_params_take(from_handle, CU_GRAPH_NODE_TYPE_KERNEL, from_handle, &from);
    if (result == CUDA_SUCCESS && (to->updatable || from->updatable))
        result = graph_params_give(from, CUDA_ERROR_INVALID_VALUE);
    else if (result == CUDA_SUCCESS) {
        driver_attributes_copy(&to->attributes, &from->attributes);
        to->work.launch.cooperative = from->work.launch.cooperative;
        graph_params_give(from, result);
    }
    return graph_params_give(to, result);
}

/* ---- the general form: a tagged union of the others' parameters */

CUresult driver_node_set_params(struct driver_node *node, const CUgraphNodeParams *p)
{
    static int refused;
    CUDA_MEMSET_NODE_PARAMS fill = {p->memset.dst,         p->memset.pitch, p->memset.value,
                                    p->memset.elementSize, p->memset.width, p->memset.height};
    bool reserved = p->reserved0[0] || p->reserved0[1] || p->reserved0[2] || p->reserved2;
    if (node->type != p->type || reserved) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return driver_node_set_kernel(node, (const void *)&p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return driver_node_set_memcpy(node, &p->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: return driver_node_set_memset(node, &fill);
    case CU_GRAPH_NODE_TYPE_HOST: return driver_node_set_host(node, (const void *)&p->host);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return driver_node_set_batch(node, (const void *)&p->memOp);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return driver_node_set_event(node, p->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return driver_node_set_event(node, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EMPTY: return CUDA_SUCCESS;
    default:
        return driver_refuse_call(&refused, "cuGraphNodeSetParams", "nodes of this kind cannot be changed");
    }
}

DRIVER_API cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params)
{
    struct driver_node *node;
    if (!driver_node_params_are_valid(params)) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(graph_params_take(handle, params->type, params, &node));
    return graph_params_give(node, driver_node_set_params(node, params));
}
