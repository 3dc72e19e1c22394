/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's device runtime: the functions that kernels call to launch kernels, copy, fill, and ask.
 *
 * Each function is a row of `calls`; it reads its arguments as the ABI lays them out, queues what it is asked
 * for (driver_cdp.c) and answers with a cudaError_t, which is a CUresult of the same number. A launch is two
 * calls: GetParameterBufferV2 checks the grid and gives a buffer, which the kernel fills; LaunchDeviceV2
 * queues it. The last error is kept for each thread. (CUDA Programming Guide, "CUDA Dynamic Parallelism".)
 * Graphs: driver_cdp_graph.c. Limits: streams and events are known in the whole launch tree, not only in
 * their grid.
 */
#include "driver_cdp.h"

#include "driver/module/driver_module.h"
#include "driver/stream/driver_work.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_NULL, STREAM_LEGACY, STREAM_PER_THREAD, STREAM_TAIL, STREAM_FIRE_AND_FORGET };
enum { STREAM_GRAPH_BITS = 56 }; /* cudaStreamGraph*: launches of device graphs */
enum { INVALID_CONFIGURATION = 9, PENDING_EXCEEDED = 69, INVALID_FUNCTION = 98 }; /* of cudaError_t alone */
enum { RUNTIME_VERSION = 6000 }; /* of the device runtime, as CUDA 13's says */

static void argument_dim(const struct cdp_call *call, unsigned index, uint32_t out[3])
{
    memcpy(out, (const void *)(uintptr_t)call->at->arguments[index], 3 * sizeof *out);
}

static int cdp_call_give(const struct cdp_call *call, uint64_t address, const void *value, uint32_t bytes)
{
    if (!address) return CUDA_ERROR_INVALID_VALUE;
    call->at->out_at = address;
    call->at->out_bytes = bytes;
    memcpy(call->at->out, value, bytes);
    return CUDA_SUCCESS;
}

static int give_int(const struct cdp_call *call, uint64_t address, int value)
{
    return cdp_call_give(call, address, &value, sizeof value);
}

/* ---- errors */

static uint64_t error_key(const struct cdp_call *call)
{
    return call->at->block << 10 | call->at->thread;
}

static int remember(const struct cdp_call *call, int error)
{
    driver_cdp_lock(call->tree);
    if (error) map_set_u64(&call->grid->errors, error_key(call), (void *)(intptr_t)error);
    driver_cdp_unlock(call->tree);
    return error;
}

static int last_error(const struct cdp_call *call, bool forget)
{
    driver_cdp_lock(call->tree);
    int error = (int)(intptr_t)map_get_u64(&call->grid->errors, error_key(call));
    if (error && forget) map_remove_u64(&call->grid->errors, error_key(call));
    driver_cdp_unlock(call->tree);
    return error;
}

static const struct {
    int error;
    const char *name, *text;
} errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {65, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
    {69, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {999, "cudaErrorUnknown", "unknown error"},
};

static uint64_t error_text(const struct cdp_call *call, bool name)
{
    for (size_t i = 0; i < SW_COUNT_OF(errors); i++)
        if (errors[i].error == (int)cdp_argument32(call, 0))
            return (uintptr_t)(name ? errors[i].name : errors[i].text);
    return (uintptr_t)"unrecognized error code";
}

/* ---- streams */

/* The list of a null stream: one a block, or one a thread. */
static struct cdp_queue *null_stream(const struct cdp_call *call, bool per_thread)
{
    uint64_t key = error_key(call) << 1 | 1;
    if (!per_thread) key = call->at->block << 1;
    struct cdp_queue *queue = map_get_u64(&call->grid->null_streams, key);
    if (queue) return queue;
    queue = sw_xcalloc(1, sizeof *queue);
    map_set_u64(&call->grid->null_streams, key, queue);
    return queue;
}

/* *queue: NULL for fire and forget. */
static int find_stream(const struct cdp_call *call, uint64_t handle, struct cdp_queue **queue)
{
    *queue = NULL;
    switch (handle) {
    case STREAM_NULL: *queue = null_stream(call, call->at->per_thread); break;
    case STREAM_LEGACY: *queue = null_stream(call, false); break;
    case STREAM_PER_THREAD: *queue = null_stream(call, true); break;
    case STREAM_TAIL: *queue = &call->grid->tail; break;
    case STREAM_FIRE_AND_FORGET: break;
    default:
        if (handle >> STREAM_GRAPH_BITS) return CUDA_ERROR_NOT_SUPPORTED;
        *queue = driver_cdp_queue(call->tree, handle);
        if (!*queue) return CUDA_ERROR_INVALID_HANDLE;
    }
    return CUDA_SUCCESS;
}

/* Queue work in the stream of argument `index`; it is released when it cannot be queued. */
int driver_cdp_queue_work(const struct cdp_call *call, uint64_t stream, struct driver_work *work)
{
    struct cdp_queue *queue;
    driver_cdp_lock(call->tree);
    int error = find_stream(call, stream, &queue);
    if (!error) driver_cdp_add(call->tree, driver_cdp_op_new(call->grid, queue, work));
    driver_cdp_unlock(call->tree);
    if (error) driver_work_release(work);
    return error;
}

static int stream_create(const struct cdp_call *call)
{
    if (cdp_argument32(call, 1) > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    uint64_t handle;
    driver_cdp_lock(call->tree);
    driver_cdp_queue_new(call->tree, &handle);
    driver_cdp_unlock(call->tree);
    return cdp_call_give(call, cdp_argument(call, 0), &handle, sizeof handle);
}

static int stream_destroy(const struct cdp_call *call)
{
    driver_cdp_lock(call->tree);
    bool known = driver_cdp_queue_destroy(call->tree, cdp_argument(call, 0));
    driver_cdp_unlock(call->tree);
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- events */

static int event_create(const struct cdp_call *call)
{
    if (cdp_argument32(call, 1) != CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_VALUE;
    driver_cdp_lock(call->tree);
    uint64_t handle = driver_cdp_event_new(call->tree);
    driver_cdp_unlock(call->tree);
    return cdp_call_give(call, cdp_argument(call, 0), &handle, sizeof handle);
}

static int event_destroy(const struct cdp_call *call)
{
    driver_cdp_lock(call->tree);
    bool known = driver_cdp_event_destroy(call->tree, cdp_argument(call, 0));
    driver_cdp_unlock(call->tree);
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* An operation that does nothing, in that stream, which the event becomes or which waits for it. */
static int event_op(const struct cdp_call *call, uint64_t stream, uint64_t event, bool record)
{
    struct driver_work nothing = {.kind = DRIVER_WORK_NOTHING};
    struct cdp_queue *queue;
    driver_cdp_lock(call->tree);
    int error = find_stream(call, stream, &queue);
    if (!error) {
        struct cdp_op *op = driver_cdp_op_new(call->grid, queue, &nothing);
        bool known = record ? driver_cdp_event_record(call->tree, event, op)
                            : driver_cdp_event_wait(call->tree, event, op);
        if (known)
            driver_cdp_add(call->tree, op);
        else
            free(op);
        if (!known) error = CUDA_ERROR_INVALID_HANDLE;
    }
    driver_cdp_unlock(call->tree);
    return error;
}

/* ---- launches */

static struct driver_function *find_kernel(const struct cdp_call *call, uint64_t token)
{
    struct driver_module *module = call->grid->launch->function->module;
    const struct ptx_module *ptx = module->program->ptx;
    struct driver_function *function = NULL;
    for (uint32_t i = 0; i < ptx->function_count; i++)
        if (JIT_FUNCTION_TOKEN(i) == token)
            driver_module_function(module, ptx->functions[i]->name, &function);
    return function;
}

static int check_launch(struct driver_function *function, const struct cdp_buffer *buffer)
{
    struct driver_launch_request request = {.dynamic_shared = buffer->shared};
    memcpy(request.grid, buffer->grid, sizeof request.grid);
    memcpy(request.block, buffer->block, sizeof request.block);
    int error = driver_launch_check(function, &request);
    return error == CUDA_ERROR_INVALID_VALUE ? INVALID_CONFIGURATION : error;
}

static uint64_t keep_buffer(const struct cdp_call *call, struct cdp_buffer *buffer)
{
    enum { ALIGN = 64 };
    uint64_t bytes = sw_align_up(buffer->bytes + ALIGN, ALIGN);
    buffer->params = aligned_alloc(ALIGN, bytes);
    if (!buffer->params) {
        free(buffer);
        remember(call, CUDA_ERROR_OUT_OF_MEMORY);
        return 0;
    }
    memset(buffer->params, 0, bytes);
    driver_cdp_lock(call->tree);
    map_set_u64(driver_cdp_buffers(call->tree), (uintptr_t)buffer->params, buffer);
    driver_cdp_unlock(call->tree);
    return (uintptr_t)buffer->params;
}

static uint64_t get_buffer_v2(const struct cdp_call *call)
{
    struct driver_function *function = find_kernel(call, cdp_argument(call, 0));
    struct cdp_buffer *buffer = sw_xcalloc(1, sizeof *buffer);
    argument_dim(call, 1, buffer->grid);
    argument_dim(call, 2, buffer->block);
    buffer->shared = cdp_argument32(call, 3);
    buffer->function = function;
    int error = function ? check_launch(function, buffer) : INVALID_FUNCTION;
    if (error) {
        free(buffer);
        remember(call, error);
        return 0;
    }
    buffer->bytes = function->entry->param_bytes;
    return keep_buffer(call, buffer);
}

/* The older form: only the size is known. */
static uint64_t get_buffer(const struct cdp_call *call)
{
    enum { LARGEST = 1 << 16 };
    uint64_t bytes = cdp_argument(call, 1);
    if (bytes > LARGEST) return 0;
    struct cdp_buffer *buffer = sw_xcalloc(1, sizeof *buffer);
    buffer->bytes = bytes;
    return keep_buffer(call, buffer);
}

static struct cdp_buffer *take_buffer(const struct cdp_call *call, uint64_t address)
{
    driver_cdp_lock(call->tree);
    struct map *buffers = driver_cdp_buffers(call->tree);
    struct cdp_buffer *buffer = map_get_u64(buffers, address);
    if (buffer) map_remove_u64(buffers, address);
    driver_cdp_unlock(call->tree);
    return buffer;
}

static int check_pending(const struct cdp_call *call)
{
    size_t most = call->grid->stream->context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT];
    driver_cdp_lock(call->tree);
    bool full = driver_cdp_waiting(call->tree) >= most;
    driver_cdp_unlock(call->tree);
    return full ? PENDING_EXCEEDED : CUDA_SUCCESS;
}

/* The buffer's parameters go to the launch. */
static int launch_buffer(const struct cdp_call *call, struct cdp_buffer *buffer, uint64_t stream)
{
    struct driver_work work = {.kind = DRIVER_WORK_LAUNCH};
    struct driver_launch *launch = &work.launch;
    int error = check_pending(call);
    if (error) {
        free(buffer->params);
    } else {
        launch->function = buffer->function;
        launch->kernel = buffer->function->kernel;
        launch->param_bytes = buffer->function->entry->param_bytes;
        launch->dynamic_shared = buffer->shared;
        launch->params = buffer->params;
        launch->run = call->grid->launch->run;
        memcpy(launch->grid, buffer->grid, sizeof launch->grid);
        memcpy(launch->block, buffer->block, sizeof launch->block);
        launch->correlation = call->grid->launch->correlation;
        launch->nvtx = call->grid->launch->nvtx;
        driver_object_ref(&buffer->function->module->object);
        driver_launch_number(launch);
        error = driver_cdp_queue_work(call, stream, &work);
    }
    free(buffer);
    return error;
}

static int launch_v2(const struct cdp_call *call)
{
    struct cdp_buffer *buffer = take_buffer(call, cdp_argument(call, 0));
    if (!buffer || !buffer->function) return CUDA_ERROR_INVALID_VALUE;
    return launch_buffer(call, buffer, cdp_argument(call, 1));
}

static int launch_v1(const struct cdp_call *call)
{
    struct cdp_buffer *buffer = take_buffer(call, cdp_argument(call, 1));
    if (!buffer) return CUDA_ERROR_INVALID_VALUE;
    buffer->function = find_kernel(call, cdp_argument(call, 0));
    argument_dim(call, 2, buffer->grid);
    argument_dim(call, 3, buffer->block);
    buffer->shared = cdp_argument32(call, 4);
    int error = buffer->function ? check_launch(buffer->function, buffer) : INVALID_FUNCTION;
    if (!error && buffer->bytes < buffer->function->entry->param_bytes) error = CUDA_ERROR_INVALID_VALUE;
    if (!error) return launch_buffer(call, buffer, cdp_argument(call, 5));
    free(buffer->params);
    free(buffer);
    return error;
}

/* ---- questions */

static int get_attribute(const struct cdp_call *call)
{
    int value;
    if (cdp_argument32(call, 2) >= (uint32_t)driver.device_count) return CUDA_ERROR_INVALID_DEVICE;
    int error = cuDeviceGetAttribute(&value, (CUdevice_attribute)cdp_argument32(call, 1),
                                     (CUdevice)cdp_argument32(call, 2));
    return error ? error : give_int(call, cdp_argument(call, 0), value);
}

static int get_limit(const struct cdp_call *call)
{
    uint32_t limit = cdp_argument32(call, 1);
    if (limit > CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT || limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    size_t value = call->grid->stream->context->limits[limit];
    return cdp_call_give(call, cdp_argument(call, 0), &value, sizeof value);
}

struct function_attributes { /* cudaFuncAttributes */
    uint64_t shared, constant, local;
    int threads, registers, ptx, binary, cache_ca, dynamic, carveout;
    int cluster[6], reserved[16];
};

static int function_attributes(const struct cdp_call *call)
{
    struct driver_function *function = find_kernel(call, cdp_argument(call, 1));
    struct function_attributes out = {0};
    int shared, constant, local;
    if (!function) return INVALID_FUNCTION;
    const struct {
        CUfunction_attribute attribute;
        int *to;
    } wanted[] = {{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared},
                  {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &constant},
                  {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local},
                  {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &out.threads},
                  {CU_FUNC_ATTRIBUTE_NUM_REGS, &out.registers},
                  {CU_FUNC_ATTRIBUTE_PTX_VERSION, &out.ptx},
                  {CU_FUNC_ATTRIBUTE_BINARY_VERSION, &out.binary},
                  {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &out.cache_ca},
                  {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &out.dynamic},
                  {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &out.carveout}};
    for (size_t i = 0; i < SW_COUNT_OF(wanted); i++) {
        int error = driver_function_attribute(function, wanted[i].attribute, wanted[i].to);
        if (error) return error;
    }
    out.shared = (uint64_t)shared;
    out.constant = (uint64_t)constant;
    out.local = (uint64_t)local;
    return cdp_call_give(call, cdp_argument(call, 0), &out, sizeof out);
}

static int occupancy(const struct cdp_call *call)
{
    struct driver_function *function = find_kernel(call, cdp_argument(call, 1));
    int blocks;
    if (!function) return INVALID_FUNCTION;
    if ((int32_t)cdp_argument32(call, 2) <= 0) return CUDA_ERROR_INVALID_VALUE;
    int error = driver_function_occupancy(function, cdp_argument32(call, 2), cdp_argument(call, 3), &blocks);
    return error ? error : give_int(call, cdp_argument(call, 0), blocks);
}

/* ---- memory */

static uint32_t cdp_call_device_of(const struct cdp_call *call)
{
    return (uint32_t)call->grid->stream->context->device->ordinal;
}

static int allocate(const struct cdp_call *call)
{
    uint64_t at = engine_device_malloc(driver.engine, cdp_call_device_of(call), cdp_argument(call, 1));
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    return cdp_call_give(call, cdp_argument(call, 0), &at, sizeof at);
}

static int cdp_call_release(const struct cdp_call *call)
{
    bool freed = engine_device_free(driver.engine, cdp_call_device_of(call), cdp_argument(call, 0));
    return freed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static int cdp_call_run(const struct cdp_call *call)
{
    switch ((unsigned)call->at->function) {
    case JIT_DEVICE_DeviceGetAttribute: return get_attribute(call);
    case JIT_DEVICE_DeviceGetLimit: return get_limit(call);
    case JIT_DEVICE_DeviceGetCacheConfig:
    case JIT_DEVICE_DeviceGetSharedMemConfig: return give_int(call, cdp_argument(call, 0), 0);
    case JIT_DEVICE_GetDeviceCount: return give_int(call, cdp_argument(call, 0), driver.device_count);
    case JIT_DEVICE_GetDevice:
        return give_int(call, cdp_argument(call, 0), call->grid->stream->context->device->ordinal);
    case JIT_DEVICE_RuntimeGetVersion: return give_int(call, cdp_argument(call, 0), RUNTIME_VERSION);
    case JIT_DEVICE_StreamCreateWithFlags: return stream_create(call);
    case JIT_DEVICE_StreamDestroy: return stream_destroy(call);
    case JIT_DEVICE_StreamWaitEvent:
        return event_op(call, cdp_argument(call, 0), cdp_argument(call, 1), false);
    case JIT_DEVICE_EventCreateWithFlags: return event_create(call);
    case JIT_DEVICE_EventRecord:
    case JIT_DEVICE_EventRecordWithFlags:
        return event_op(call, cdp_argument(call, 1), cdp_argument(call, 0), true);
    case JIT_DEVICE_EventDestroy: return event_destroy(call);
    case JIT_DEVICE_FuncGetAttributes: return function_attributes(call);
    case JIT_DEVICE_Malloc: return allocate(call);
    case JIT_DEVICE_Free: return cdp_call_release(call);
    case JIT_DEVICE_MemcpyAsync: return driver_cdp_memcpy_1d(call);
    case JIT_DEVICE_Memcpy2DAsync: return driver_cdp_memcpy_2d(call);
    case JIT_DEVICE_Memcpy3DAsync: return driver_cdp_memcpy_3d(call);
    case JIT_DEVICE_MemsetAsync: return driver_cdp_memset_1d(call);
    case JIT_DEVICE_Memset2DAsync: return driver_cdp_memset_2d(call);
    case JIT_DEVICE_Memset3DAsync: return driver_cdp_memset_3d(call);
    case JIT_DEVICE_LaunchDevice: return launch_v1(call);
    case JIT_DEVICE_LaunchDeviceV2: return launch_v2(call);
    case JIT_DEVICE_GraphLaunch: return driver_cdp_graph_launch(call);
    case JIT_DEVICE_OccupancyMaxActiveBlocksPerMultiprocessor:
    case JIT_DEVICE_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags: return occupancy(call);
    default: BUG("device runtime function %d", (int)call->at->function);
    }
}

void driver_device_call(struct engine_device_call *at)
{
    struct driver_grid *grid = at->owner;
    if (at->function == JIT_DEVICE_GraphSetConditional) {
        driver_cdp_set_conditional(at);
        return;
    }
    if (driver_cdp_change_node(at)) return;
    struct cdp_call call = {at, grid, driver_cdp_tree_of(grid)};
    switch ((unsigned)at->function) {
    case JIT_DEVICE_GetLastError: at->result = (uint64_t)last_error(&call, true); break;
    case JIT_DEVICE_PeekAtLastError: at->result = (uint64_t)last_error(&call, false); break;
    case JIT_DEVICE_GetErrorString: at->result = error_text(&call, false); break;
    case JIT_DEVICE_GetErrorName: at->result = error_text(&call, true); break;
    case JIT_DEVICE_GetParameterBuffer: at->result = get_buffer(&call); break;
    case JIT_DEVICE_GetParameterBufferV2: at->result = get_buffer_v2(&call); break;
    default: at->result = (uint64_t)remember(&call, cdp_call_run(&call)); break;
    }
}
