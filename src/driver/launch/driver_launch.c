/* SPDX-License-Identifier: Apache-2.0 */
/* Launches: what is checked when one is queued, and what happens when its turn comes.
 *
 * Compilation happens in the call, so that what cannot be compiled is this call's error and not the
 * context's. A fault inside the kernel makes the context fail. With a tool that counts, a wanted launch runs
 * with probes, its blocks in order, and its counters go to the tool. */
#include "driver_launch.h"

#include "driver/clock/driver_managed.h"
#include "driver/core/driver_activity.h"
#include "driver/core/driver_caller.h"
#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"
#include "driver/module/driver_module.h"
#include "driver/stream/driver_attribute.h"
#include "driver/stream/driver_capture.h"
#include "driver/stream/driver_order.h"
#include "driver/stream/driver_stream.h"

#include <stdlib.h>
#include <string.h>

/* ---- checks */

static CUresult launch_check_dimensions(const struct driver_launch_request *r, const struct arch_cc *cc)
{
    static const uint32_t grid_most[3] = {0x7fffffff, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (r->grid[i] == 0 || r->block[i] == 0) return CUDA_ERROR_INVALID_VALUE;
        if (r->grid[i] > grid_most[i] || r->block[i] > block_most[i]) return CUDA_ERROR_INVALID_VALUE;
        threads *= r->block[i];
    }
    return threads > cc->threads_per_block ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult check_resources(struct driver_function *function, const struct driver_launch_request *r)
{
    const struct arch_cc *cc = function->module->context->device->cc;
    const uint32_t *required = function->entry->reqntid;
    int most, dynamic;
    uint32_t threads = r->block[0] * r->block[1] * r->block[2];
    DRIVER_TRY(driver_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &most));
    DRIVER_TRY(
        driver_function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &dynamic));
    if (threads > (uint32_t)most) return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; required[0] && i < 3; i++)
        if (r->block[i] != (required[i] ? required[i] : 1)) return CUDA_ERROR_INVALID_VALUE;
    if (r->dynamic_shared > (uint64_t)dynamic || r->dynamic_shared > cc->shared_per_block_optin)
        return r->cooperative ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult check_cooperative(struct driver_function *function, const struct driver_launch_request *r)
{
    int blocks;
    uint32_t threads = r->block[0] * r->block[1] * r->block[2];
    DRIVER_TRY(driver_function_occupancy(function, threads, r->dynamic_shared, &blocks));
    uint64_t capacity = (uint64_t)blocks * (r->view ? r->view : function->module->context)->sm_count;
    uint64_t wanted = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];
    return wanted > capacity ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

CUresult driver_launch_check(struct driver_function *function, const struct driver_launch_request *r)
{
    DRIVER_TRY(launch_check_dimensions(r, function->module->context->device->cc));
    DRIVER_TRY(check_resources(function, r));
    return r->cooperative ? check_cooperative(function, r) : CUDA_SUCCESS;
}

/* ---- parameters */

/* extra := {BUFFER_POINTER, p, BUFFER_SIZE, &n, END} in any order */
static CUresult params_from_extra(const struct ptx_function *entry, void **extra, uint8_t *out)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    bool sized = false;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)extra[1], sized = true;
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (entry->param_bytes && (!buffer || !sized)) return CUDA_ERROR_INVALID_VALUE;
    uint64_t capacity = sw_align_up(entry->param_bytes, 8); /* a C structure may be padded at its end */
    if (bytes > capacity) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (bytes > entry->param_bytes) bytes = entry->param_bytes;
    if (bytes) memcpy(out, buffer, bytes); /* fewer: the others are zero */
    return CUDA_SUCCESS;
}

static CUresult params_fill(const struct ptx_function *entry, const struct driver_launch_request *r,
                            uint8_t *out)
{
    if (r->params && r->extra) return CUDA_ERROR_INVALID_VALUE;
    if (r->extra) return params_from_extra(entry, r->extra, out);
    if (entry->param_count && !r->params) return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < entry->param_count; i++) {
        if (!r->params[i]) return CUDA_ERROR_INVALID_VALUE;
        memcpy(out + entry->params[i]->offset, r->params[i], entry->params[i]->bytes);
    }
    return CUDA_SUCCESS;
}

/* ---- queueing */

static CUresult launch_prepare(struct driver_function *function, struct driver_launch *launch)
{
    struct sw_error error = {0};
    uint32_t device = (uint32_t)function->module->context->device->ordinal;
    DRIVER_TRY(driver_function_kernel(function, &launch->kernel));
    enum sw_status status = engine_kernel_prepare(launch->kernel, launch->block, device, &error);
    driver_at_exit();
    return status == SW_OK ? CUDA_SUCCESS : driver_refuse(&error);
}

static bool wide_banks(const struct driver_function *function)
{
    CUsharedconfig config = function->shared_config;
    if (config == CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE) config = function->module->context->shared_config;
    return config == CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
}

static CUresult launch_make(struct driver_function *function, const struct driver_launch_request *r,
                            struct driver_launch *out)
{
    DRIVER_TRY(driver_launch_check(function, r));
    *out = (struct driver_launch){.function = function,
                                  .dynamic_shared = (uint32_t)r->dynamic_shared,
                                  .param_bytes = function->entry->param_bytes};
    memcpy(out->grid, r->grid, sizeof out->grid);
    memcpy(out->block, r->block, sizeof out->block);
    out->cooperative = r->cooperative;
    out->early = r->early;
    out->wide_banks = wide_banks(function);
    if (r->window) out->window = *r->window;
    out->params = sw_xcalloc(1, out->param_bytes + 16);
    CUresult result = params_fill(function->entry, r, out->params);
    if (result == CUDA_SUCCESS) result = launch_prepare(function, out);
    if (result != CUDA_SUCCESS) free(out->params);
    return result;
}

CUresult driver_launch_make(const struct driver_launch_request *request, struct driver_launch *out)
{
    struct driver_function *function;
    DRIVER_TRY(driver_function_get(request->function, &function));
    CUresult result = launch_make(function, request, out);
    if (result != CUDA_SUCCESS) driver_function_put(function);
    return result;
}

bool driver_launch_wanted(const char *kernel, const struct event_nvtx *nvtx)
{
    const struct event_tool *tool = driver.tool;
    if (!tool) return false;
    if (!tool->wants_launch) return true;
    pthread_mutex_lock(&driver.tool_lock);
    bool wanted = tool->wants_launch(tool->user, kernel, nvtx);
    pthread_mutex_unlock(&driver.tool_lock);
    return wanted;
}

void driver_launch_number(struct driver_launch *launch)
{
    launch->id = atomic_fetch_add(&driver.next_launch, 1);
    if (!launch->correlation) launch->correlation = driver_activity_correlation();
    launch->l2_resets = atomic_load(&launch->function->module->context->device->l2_resets);
    if (driver.tool && !launch->nvtx) launch->nvtx = driver_activity_nvtx();
    bool wanted = driver_launch_wanted(launch->function->entry->name, launch->nvtx);
    launch->count = wanted && driver.tool->probes & EVENT_PROBE_COUNT;
    launch->unchecked = !wanted;
    driver_operation_launch(launch);
}

static CUaccessPolicyWindow window_of(struct driver_stream *stream)
{
    pthread_mutex_lock(&driver_graph_lock);
    CUlaunchAttributeValue value =
        driver_attributes_get(&stream->attributes, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
    pthread_mutex_unlock(&driver_graph_lock);
    return value.accessPolicyWindow;
}

static CUresult launch_enqueue(const struct driver_launch_request *request, CUstream handle)
{
    struct driver_stream *stream;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    struct driver_work work = {.kind = DRIVER_WORK_LAUNCH};
    struct driver_launch_request here = *request;
    here.view = stream->context;
    CUresult result = driver_launch_make(&here, &work.launch);
    if (result == CUDA_SUCCESS && work.launch.function->module->context != stream->context->root) {
        driver_work_release(&work);
        result = CUDA_ERROR_INVALID_HANDLE;
    }
    if (result == CUDA_SUCCESS) {
        if (!request->window) work.launch.window = window_of(stream);
        driver_launch_number(&work.launch);
        result = driver_submit(stream, &work, false);
    }
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,
                          CUstream stream, void **params, void **extra)
{
    struct driver_launch_request request = {.function = function,
                                            .grid = {grid_x, grid_y, grid_z},
                                            .block = {block_x, block_y, block_z},
                                            .dynamic_shared = dynamic_shared,
                                            .params = params,
                                            .extra = extra};
    return launch_enqueue(&request, stream);
}

DRIVER_API cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z,
                                     unsigned dynamic_shared, CUstream stream, void **params)
{
    struct driver_launch_request request = {.function = function,
                                            .grid = {grid_x, grid_y, grid_z},
                                            .block = {block_x, block_y, block_z},
                                            .dynamic_shared = dynamic_shared,
                                            .params = params,
                                            .cooperative = true};
    return launch_enqueue(&request, stream);
}

/* Attributes that change what runs: cooperative, the events that stand for the launch, and in a capture the
 * kind of the edges to it. A kernel launched with programmatic stream serialization starts when the one
 * before it is done, which CUDA allows; its griddepcontrol.wait has nothing to wait for. (By the virtual
 * clock it starts before: driver_timeline.c.) */
struct launch_events {
    CUevent programmatic, begun; /* begun: all its blocks have begun */
    bool at_block_start;
    CUlaunchAttributeValue *updatable; /* of a captured launch: kernels change the node; gets a handle */
};

static bool is_captured(CUstream handle)
{
    struct driver_stream *stream;
    if (driver_stream_get(handle, &stream) != CUDA_SUCCESS) return false;
    bool captured = driver_is_capturing(stream);
    driver_stream_put(stream);
    return captured;
}

static CUresult read_attributes(const CUlaunchConfig *config, struct driver_launch_request *request,
                                struct launch_events *events)
{
    struct driver_context *context = NULL;
    if (config->numAttrs) DRIVER_TRY(driver_context_current(&context));
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *a = &config->attrs[i];
        if (a->id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE && is_captured(config->hStream)) {
            events->updatable = &config->attrs[i].value;
            continue;
        }
        DRIVER_TRY(driver_attribute_check(a->id, &a->value, DRIVER_OF_LAUNCH, context->device));
        if (a->id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) request->window = &a->value.accessPolicyWindow;
        if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) request->cooperative = a->value.cooperative != 0;
        if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
            request->early = a->value.programmaticStreamSerializationAllowed != 0;
        if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) {
            events->programmatic = a->value.programmaticEvent.event;
            events->at_block_start = a->value.programmaticEvent.triggerAtBlockStart != 0;
        }
        if (a->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT)
            events->begun = a->value.launchCompletionEvent.event;
    }
    return CUDA_SUCCESS;
}

/* They are recorded when the kernel is done: the latest time at which CUDA does. */
static CUresult record_events(const struct launch_events *events, CUstream handle)
{
    const struct {
        CUevent event;
        unsigned port;
    } each[] = {{events->programmatic, events->at_block_start ? CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER
                                                              : CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC},
                {events->begun, CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER}};
    struct driver_stream *stream;
    if (!events->programmatic && !events->begun) return CUDA_SUCCESS;
    DRIVER_TRY(driver_stream_get(handle, &stream));
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < SW_COUNT_OF(each) && result == CUDA_SUCCESS; i++) {
        struct driver_event *event = driver_handle_get(each[i].event, DRIVER_EVENT);
        if (event && driver_is_capturing(stream))
            driver_capture_record_early(stream, event, each[i].port);
        else if (event)
            result = driver_event_record(event, stream);
        if (event) driver_object_unref(&event->object);
    }
    driver_stream_put(stream);
    return result;
}

DRIVER_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
    if (!config || (config->numAttrs && !config->attrs)) return CUDA_ERROR_INVALID_VALUE;
    struct launch_events events = {0};
    struct driver_launch_request request = {
        .function = function,
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .dynamic_shared = config->sharedMemBytes,
        .params = params,
        .extra = extra};
    DRIVER_TRY(read_attributes(config, &request, &events));
    DRIVER_TRY(launch_enqueue(&request, config->hStream));
    DRIVER_TRY(driver_capture_ops->updatable(config->hStream, events.updatable));
    return record_events(&events, config->hStream);
}

/* ---- running */

static struct event_policy policy_of(const struct driver_launch *launch, const struct driver_context *context)
{
    static const uint8_t properties[] = {[CU_ACCESS_PROPERTY_NORMAL] = EVENT_POLICY_NORMAL,
                                         [CU_ACCESS_PROPERTY_STREAMING] = EVENT_POLICY_STREAMING,
                                         [CU_ACCESS_PROPERTY_PERSISTING] = EVENT_POLICY_PERSISTING};
    const CUaccessPolicyWindow *window = &launch->window;
    return (struct event_policy){.base = (uint64_t)(uintptr_t)window->base_ptr,
                                 .bytes = window->num_bytes,
                                 .set_aside_bytes = context->limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE],
                                 .hit_ratio = window->hitRatio,
                                 .hit = properties[window->hitProp],
                                 .miss = properties[window->missProp],
                                 .resets = launch->l2_resets};
}

static void launch_describe(const struct driver_launch *launch, const struct driver_stream *stream,
                            struct event_launch *event)
{
    event->id = launch->id;
    event->device = (uint32_t)stream->context->device->ordinal;
    event->context = stream->context->ordinal;
    event->stream = stream->ordinal;
    event->dynamic_shared_bytes = launch->dynamic_shared;
    event->l2_fetch_bytes = (uint32_t)stream->context->limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY];
    event->policy = policy_of(launch, stream->context);
    event->nvtx = launch->nvtx;
    event->gpu = stream->context->device->gpu.origin;
    memcpy(event->grid, launch->grid, sizeof event->grid);
    memcpy(event->block, launch->block, sizeof event->block);
}

static void launch_report(const struct event_launch *event)
{
    const struct event_tool *tool = driver.tool;
    if (!tool || !tool->launch_end) return;
    pthread_mutex_lock(&driver.tool_lock);
    tool->launch_end(tool->user, event);
    pthread_mutex_unlock(&driver.tool_lock);
}

/* What a kernel did wrong ends the process's use of the device; a host without memory only the context. */
static void note_failure(struct driver_context *context, enum sw_status status, struct sw_error *error)
{
    if (status == SW_UNSUPPORTED || status == SW_NOT_SUPPORTED) {
        driver_context_fail(driver_refuse(error));
        return;
    }
    char line[1024];
    bool helps = status == SW_ILLEGAL_ADDRESS || status == SW_MISALIGNED_ADDRESS;
    driver_name_plain(error->file, sizeof error->file);
    sw_log("%s%s", sw_error_format(error, line, sizeof line),
           helps && !driver_checks(EVENT_CHECK_MEMORY) ? "; run 'softwarp check PROGRAM' for all errors"
                                                       : "");
    if (status == SW_OUT_OF_MEMORY)
        driver_context_fail_one(context, driver_result(status));
    else
        driver_context_fail(driver_result(status));
}

/* Room for counters, and who gets the rounds. event->kernel: as the code counts that will run. */
static enum sw_status prepare_probes(struct driver_grid *grid, struct engine_launch *run,
                                     struct event_launch *event, struct sw_error *error)
{
    uint32_t slots;
    if (!run->count) return SW_OK;
    bool detailed = driver_detail_prepare(grid, run);
    SW_TRY(engine_launch_slots(driver.engine, run, &slots, &event->kernel, error));
    if (detailed && !driver_detail_begin(grid, run, event))
        SW_TRY(engine_launch_slots(driver.engine, run, &slots, &event->kernel, error));
    run->counters = sw_xcalloc(slots + 1, sizeof *run->counters);
    return SW_OK;
}

static uint64_t begin_ns(void *owner)
{
    return driver_clock_start(((struct driver_grid *)owner)->timeline_entry);
}

/* For who listens. */
static void describe_activity(const struct driver_grid *grid, const struct event_launch *event,
                              struct event_activity_launch *out)
{
    const struct driver_launch *launch = grid->launch;
    int of_function[3] = {0};
    static const CUfunction_attribute ASKED[] = {
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_NUM_REGS};
    for (size_t i = 0; i < SW_COUNT_OF(ASKED); i++)
        (void)driver_function_attribute(launch->function, ASKED[i], &of_function[i]);
    driver_activity_of(event, out);
    out->name = driver_activity_name(launch->function->entry->name);
    out->static_shared = (uint32_t)of_function[0];
    out->local_bytes = (uint32_t)of_function[1];
    out->registers = (uint32_t)of_function[2];
    out->correlation = launch->correlation;
    out->cooperative = launch->cooperative;
    out->of_graph = launch->run != NULL;
    out->nested = grid->op != NULL;
}

/* By the virtual clock it is told when it is scheduled. */
static void grid_account(struct driver_grid *grid, const struct event_launch *event, uint64_t passed_ns)
{
    const struct driver_launch *launch = grid->launch;
    struct event_activity_launch activity;
    bool listened = driver_activity_on();
    if (listened) describe_activity(grid, event, &activity);
    driver_clock_launch(grid->stream, event, listened ? &activity : NULL,
                        driver_detail_share(launch, grid->stream->context->device), passed_ns, launch->early,
                        launch->run != NULL);
    if (listened && !driver_clock_is_virtual()) driver_activity_launch(&activity);
}

void driver_grid_run(struct driver_grid *grid)
{
    const struct driver_launch *launch = grid->launch;
    struct driver_context *context = grid->stream->context;
    struct engine_launch run = {.kernel = launch->kernel,
                                .dynamic_shared_bytes = launch->dynamic_shared,
                                .params = launch->params,
                                .cooperative = launch->cooperative,
                                .wide_banks = launch->wide_banks,
                                .owner = grid,
                                .task = driver_order_running(),
                                .grid_id = launch->id,
                                .graph_exec = grid->graph_exec,
                                .device = (uint32_t)context->device->ordinal,
                                .sm_count = context->sm_count,
                                .max_warps_per_sm = context->device->cc->warps_per_sm,
                                .compute = context->device->cc->major * 10 + context->device->cc->minor};
    if (grid->caller)
        run.launched = (struct event_caller){.call = grid->caller->api, .where = grid->caller->where};
    memcpy(run.grid, launch->grid, sizeof run.grid);
    memcpy(run.block, launch->block, sizeof run.block);
    run.host_looks = engine_host_looks(&run);
    run.may_access = grid->may_access;
    struct engine_timer timer = {.begin_ns = begin_ns};
    grid->timeline_entry = driver_clock_running();
    if (grid->timeline_entry) run.timer = &timer;
    struct event_launch event = {.kernel = engine_kernel_info(run.kernel)};
    struct sw_error error = {0};
    run.count = run.ordered = launch->count;
    run.unchecked = launch->unchecked;
    struct event_range far[DRIVER_USES];
    launch_describe(launch, grid->stream, &event);
    event.far = far;
    event.far_count = driver_operation_far(launch, context->device, far, &event.reach_bytes);
    enum sw_status status = prepare_probes(grid, &run, &event, &error);
    uint64_t *path = status == SW_OK ? driver_detail_clocks(grid, &run, &event) : NULL;
    driver_managed_launch(launch, grid->stream, true);
    bool real = (driver.tool || driver_activity_on()) && !driver_clock_is_virtual();
    event.counters = run.counters; /* as they are after each round of detailed simulation */
    event.start_ns = real ? driver_now_ns() : 0;
    arch_record_begin(context->device->machine.key);
    if (status == SW_OK) status = engine_launch(driver.engine, &run, &error);
    arch_record_end(context->device->machine.key);
    event.end_ns = real ? driver_now_ns() : 0;
    driver_managed_launch(launch, grid->stream, false);
    event.status = status;
    if (status != SW_OK) note_failure(context, status, &error);
    launch_report(&event);
    bool alone = !grid->op && !atomic_load(&grid->tree); /* no grid of the device runtime may be running */
    if (alone && !launch->unchecked && status == SW_OK) driver_contents_tell(&event, context);
    if (status == SW_OK) grid_account(grid, &event, timer.passed_ns);
    grid->part = driver_clock_parts();
    free(run.counters);
    free(path);
}
