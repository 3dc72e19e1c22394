/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of allocation nodes.
 *
 * Its addresses are taken when the node is made and stay as long as a graph knows them. A launch makes it
 * live (allocated), a node or a call that frees it ends that; memory that is not live keeps its place, and
 * its pages until cuDeviceGraphMemTrim. What is allocated and freed is settled in the call that launches or
 * frees, in the order of the nodes. A node that allocates as many bytes as one whose memory is freed before
 * it gets the same memory, as on an H200 (CUDA's sample graphMemoryNodes prints it). Differs from CUDA:
 * graphs never share pages, so what is reserved is larger than there. */
#include "driver_graph.h"

#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Recursive: freeing may drop the last reference. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct map memories; /* by address: struct driver_graph_memory, not references */
enum { USED, USED_HIGH, RESERVED, RESERVED_HIGH, COUNTS }; /* as the attributes are numbered */
static uint64_t counts[DRIVER_MAX_DEVICES][COUNTS];

_Static_assert((int)CU_GRAPH_MEM_ATTR_USED_MEM_HIGH == (int)USED_HIGH, "the attributes' numbers");
_Static_assert((int)CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH == (int)RESERVED_HIGH, "the attributes' numbers");

static void graph_memory_count(const struct driver_graph_memory *memory, int what, bool up)
{
    uint64_t *value = &counts[memory->device->ordinal][what], *high = value + 1;
    *value = up ? *value + memory->bytes : *value - memory->bytes;
    if (*value > *high) *high = *value;
}

/* While it is live it holds a reference to itself, which the caller takes when it makes it not live. */
static void set_live(struct driver_graph_memory *memory)
{
    graph_memory_count(memory, USED, true);
    memory->live = true;
    driver_object_ref(&memory->object);
    if (memory->resident) return;
    graph_memory_count(memory, RESERVED, true);
    memory->resident = true;
}

static void set_freed(struct driver_graph_memory *memory)
{
    graph_memory_count(memory, USED, false);
    memory->live = false;
}

static void set_trimmed(struct driver_graph_memory *memory)
{
    if (memory->resident) graph_memory_count(memory, RESERVED, false);
    memory->resident = false;
}

static void memory_end(struct driver_object *object)
{
    struct driver_graph_memory *memory = (struct driver_graph_memory *)object;
    pthread_mutex_lock(&lock);
    map_remove_u64(&memories, memory->address);
    set_trimmed(memory);
    pthread_mutex_unlock(&lock);
    driver_memory_release(memory->address, VMEM_DEVICE, VMEM_DEVICE);
    free(memory);
}

CUresult driver_graph_memory_new(struct driver_context *context, const struct driver_graph_allocation *wanted,
                                 struct driver_graph_memory **out)
{
    dev_addr address;
    if (wanted->bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    DRIVER_TRY(driver_memory_alloc_by_graph(context, wanted, &address));
    struct driver_graph_memory *memory = sw_xcalloc(1, sizeof *memory);
    driver_object_init(&memory->object, (enum driver_kind)0, memory_end);
    memory->address = address;
    memory->bytes = wanted->bytes;
    memory->device = wanted->device;
    pthread_mutex_lock(&lock);
    map_set_u64(&memories, address, memory);
    pthread_mutex_unlock(&lock);
    *out = memory;
    return CUDA_SUCCESS;
}

struct driver_graph_memory *driver_graph_memory_get(dev_addr address)
{
    pthread_mutex_lock(&lock);
    struct driver_graph_memory *memory = address ? map_get_u64(&memories, address) : NULL;
    if (memory && !driver_object_try_ref(&memory->object)) memory = NULL;
    pthread_mutex_unlock(&lock);
    return memory;
}

bool driver_graph_memory_is(dev_addr address)
{
    pthread_mutex_lock(&lock);
    bool found = address && map_get_u64(&memories, address);
    pthread_mutex_unlock(&lock);
    return found;
}

CUresult driver_graph_memory_free(dev_addr address)
{
    pthread_mutex_lock(&lock);
    struct driver_graph_memory *memory = map_get_u64(&memories, address);
    bool live = memory && memory->live;
    if (live) set_freed(memory);
    pthread_mutex_unlock(&lock);
    return live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void driver_graph_memory_let_go(dev_addr address)
{
    pthread_mutex_lock(&lock);
    struct driver_graph_memory *memory = map_get_u64(&memories, address);
    if (memory) driver_object_unref(&memory->object);
    pthread_mutex_unlock(&lock);
}

/* ---- graphs that have some */

/* Every allocation node of the graph and its children. */
static void for_each(const struct driver_graph *graph, void (*act)(struct driver_graph_memory *, bool *),
                     bool *flag)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) act(node->memory, flag);
        if (node->child) for_each(node->child, act, flag);
    }
}

static void find_claimed(struct driver_graph_memory *memory, bool *found)
{
    *found |= memory->instances > 0;
}

static void graph_memory_claim(struct driver_graph_memory *memory, bool *up)
{
    memory->instances = *up ? memory->instances + 1 : memory->instances - 1;
}

CUresult driver_graph_memory_claim_locked(const struct driver_graph *graph)
{
    bool claimed = false, up = true;
    pthread_mutex_lock(&lock);
    for_each(graph, find_claimed, &claimed);
    if (!claimed) for_each(graph, graph_memory_claim, &up);
    pthread_mutex_unlock(&lock);
    return claimed ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

void driver_graph_memory_unclaim_locked(const struct driver_graph *graph)
{
    bool up = false;
    pthread_mutex_lock(&lock);
    for_each(graph, graph_memory_claim, &up);
    pthread_mutex_unlock(&lock);
}

/* ---- memory that several nodes of a graph have, one after the other */

/* The nodes of its graph that are done before the node begins, by index; malloc'ed. */
static bool *nodes_before(const struct driver_node *node)
{
    size_t count = node->graph->nodes.count, waiting = 0;
    bool *before = sw_xcalloc(count, sizeof *before);
    const struct driver_node **stack = sw_xcalloc(count, sizeof(struct driver_node *));
    for (const struct driver_node *at = node; at; at = waiting ? stack[--waiting] : NULL)
        for (size_t i = 0; i < at->needs.count; i++) {
            const struct driver_node *need = at->needs.at[i].node;
            if (before[need->index]) continue;
            before[need->index] = true;
            stack[waiting++] = need;
        }
    free(stack);
    return before;
}

/* How often it is allocated less how often it is freed before the node: 0 for memory that the node may have.
 */
static void count_uses(const struct driver_node *node, const bool *before)
{
    const struct driver_graph *graph = node->graph;
    for (size_t i = 0; i < graph->nodes.count; i++)
        if (graph->nodes.at[i]->memory) graph->nodes.at[i]->memory->uses = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *other = graph->nodes.at[i];
        if (!other->memory || other == node) continue;
        if (other->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) other->memory->uses++;
        if (other->type == CU_GRAPH_NODE_TYPE_MEM_FREE && before[i]) other->memory->uses--;
    }
}

struct driver_graph_memory *driver_graph_memory_again_locked(const struct driver_node *node,
                                                             const struct driver_graph_allocation *wanted)
{
    const struct driver_graph *graph = node->graph;
    bool *before = nodes_before(node);
    count_uses(node, before);
    free(before);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *other = graph->nodes.at[i];
        struct driver_graph_memory *memory = other->memory;
        if (other == node || other->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC || memory->uses) continue;
        if (memory->bytes != wanted->bytes || memory->device != wanted->device) continue;
        driver_memory_reach(memory->address, wanted->reach);
        driver_object_ref(&memory->object);
        return memory;
    }
    return NULL;
}

bool driver_graph_memory_is_freed_locked(const struct driver_graph *graph,
                                         const struct driver_graph_memory *memory)
{
    size_t allocs = 0, frees = 0;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct driver_node *node = graph->nodes.at[i];
        if (node->memory != memory) continue;
        if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) allocs++;
        if (node->type == CU_GRAPH_NODE_TYPE_MEM_FREE) frees++;
    }
    return frees && frees >= allocs;
}

/* ---- launches */

static void free_by_node(struct driver_graph_memory *memory)
{
    if (!memory->live) return;
    set_freed(memory);
    driver_object_unref(&memory->object); /* not the last: the node has one */
}

/* Memory that is live already cannot be allocated again, unless the graph frees it on launch. */
static CUresult graph_memory_check(struct driver_node *const *order, size_t nodes, bool frees)
{
    for (size_t i = 0; i < nodes; i++) {
        struct driver_graph_memory *memory = order[i]->memory;
        if (order[i]->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC || !memory->live) continue;
        if (!frees) return CUDA_ERROR_INVALID_VALUE;
        free_by_node(memory);
    }
    return CUDA_SUCCESS;
}

CUresult driver_graph_memory_launch_locked(struct driver_node *const *order, size_t nodes, bool frees)
{
    pthread_mutex_lock(&lock);
    CUresult result = graph_memory_check(order, nodes, frees);
    for (size_t i = 0; result == CUDA_SUCCESS && i < nodes; i++) {
        struct driver_graph_memory *memory = order[i]->memory;
        if (order[i]->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) set_live(memory);
        if (order[i]->type == CU_GRAPH_NODE_TYPE_MEM_FREE && memory) free_by_node(memory);
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; result == CUDA_SUCCESS && i < nodes; i++) {
        if (!order[i]->child) continue;
        struct driver_node **inner;
        if (driver_graph_sort_locked(order[i]->child, &inner))
            result = driver_graph_memory_launch_locked(inner, order[i]->child->nodes.count, frees);
        free(inner);
    }
    return result;
}

/* ---- the device's figures */

DRIVER_API cuDeviceGetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    if (!value || attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    DRIVER_PUT(cuuint64_t, value, counts[ordinal][attribute]);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

DRIVER_API cuDeviceSetGraphMemAttribute(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    struct driver_device *device;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    bool high =
        attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (!value || !high || driver_take_u64(value) != 0) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    counts[ordinal][attribute] = counts[ordinal][attribute - 1];
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Give the pages back, not the addresses: whole pages of memory that is not live. */
static void discard(const struct driver_graph_memory *memory)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t from = sw_align_up(memory->address, page), to = (memory->address + memory->bytes) / page * page;
    if (to > from) madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED);
}

/* Work that is under way may use what was freed in the call already: wait for it. */
DRIVER_API cuDeviceGraphMemTrim(CUdevice ordinal)
{
    struct driver_device *device;
    void *value;
    DRIVER_TRY(driver_device_get(ordinal, &device));
    driver_scheduler_wait_all();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; map_next(&memories, &i, &value);) {
        struct driver_graph_memory *memory = value;
        if (memory->device != device || memory->live || !memory->resident) continue;
        discard(memory);
        set_trimmed(memory);
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
