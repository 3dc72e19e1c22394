/* SPDX-License-Identifier: Apache-2.0 */
/* The process: cuInit, the choice of devices, forks, and the tool library.
 *
 * Nothing is made before cuInit: no thread, no output, no address space. At exit nothing is freed, because a
 * worker may still be running; a tool gets all work that was queued, then its finish call. A forked child has
 * no worker threads, so there everything answers NOT_INITIALIZED, as with NVIDIA's driver. */
#include "driver_watch.h"

#include "driver/cdp/driver_cdp.h"
#include "driver/clock/driver_operation.h"
#include "driver/copy/driver_copy.h"
#include "driver/core/driver_activity.h"
#include "driver/core/driver_error.h"
#include "driver/core/driver_finding.h"
#include "driver/graph/driver_graph.h"
#include "driver/launch/driver_routine.h"
#include "driver/memory/driver_guard.h"
#include "driver/memory/driver_misuse.h"
#include "driver/memory/driver_pool.h"
#include "driver/stream/driver_stream.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
static CUresult init_result = CUDA_ERROR_NOT_INITIALIZED;

static void after_fork_in_child(void)
{
    driver_state_set(DRIVER_FORKED);
}

static bool flag(const char *name)
{
    const char *text = getenv(name);
    return text && *text && strcmp(text, "0") != 0;
}

/* The devices that this program sees, in its order. */
static enum sw_status load_devices(struct sw_error *error)
{
    static struct arch_device machine[ARCH_DEVICES];
    uint32_t count, chosen[ARCH_DEVICES];
    SW_TRY(arch_machine_load(getenv("SOFTWARP_DEVICE"), machine, &count, error));
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    uint32_t left = arch_machine_visible(machine, count, getenv("CUDA_DEVICE_ORDER"), visible, chosen);
    if (left == ARCH_VISIBLE_TWICE)
        return sw_fail(error, SW_INVALID_DEVICE, "CUDA_VISIBLE_DEVICES='%s' names a device twice", visible);
    driver.device_count = (int)left;
    for (int i = 0; i < driver.device_count; i++) {
        struct driver_device *device = &driver.devices[i];
        *device = (struct driver_device){.ordinal = i, .machine = machine[chosen[i]]};
        device->gpu = device->machine.gpu;
        device->cc = device->machine.cc;
        pthread_mutex_init(&device->lock, NULL);
    }
    arch_record_enter(machine, count);
    return SW_OK;
}

static void note_line(void *user, const char *line)
{
    (void)user;
    driver.tool->note(driver.tool->user, line);
}

/* libsoftwarp-tools.so lies beside the library that holds this code. */
static enum sw_status open_tool(struct sw_error *error)
{
    const char *session = getenv("SOFTWARP_SESSION");
    if (!session || !*session) return SW_OK;
    Dl_info self;
    struct str path = {0};
    if (dladdr((void *)(uintptr_t)open_tool, &self) && self.dli_fname && strrchr(self.dli_fname, '/'))
        str_add_bytes(&path, self.dli_fname, (size_t)(strrchr(self.dli_fname, '/') - self.dli_fname + 1));
    str_add(&path, "libsoftwarp-tools.so");
    void *library = dlopen(str_text(&path), RTLD_NOW | RTLD_LOCAL);
    str_release(&path);
    if (!library) return sw_fail(error, SW_IO, "cannot open the tools of this session: %s", dlerror());
    event_tool_open_fn open_fn;
    void *symbol = dlsym(library, EVENT_TOOL_SYMBOL);
    if (!symbol) return sw_fail(error, SW_IO, "the tools of this session lack %s", EVENT_TOOL_SYMBOL);
    memcpy(&open_fn, &symbol, sizeof open_fn);
    static const struct arch_gpu *gpus[ARCH_DEVICES];
    for (int i = 0; i < driver.device_count; i++)
        gpus[i] = &driver.devices[i].gpu;
    driver.tool = open_fn(session, gpus, (uint32_t)driver.device_count);
    if (driver.tool && driver.tool->note) sw_log_set_sink(note_line, NULL);
    return SW_OK;
}

/* Tools that are told of operations or findings name the function that the program called, which stands on
 * the stack only where that tells of calls (driver_watch.c). */
static bool reads_callers(const struct event_tool *tool)
{
    return tool && (tool->operation || tool->finding);
}

/* New memory was written by nobody, unless other processes have it; what was freed is of no interest. */
static void tell_memory(bool allocates, const struct driver_allocation *allocation)
{
    bool others = allocation->imported || (allocation->pool && allocation->pool->shared);
    if (!allocates) driver_guard_drop(allocation->base, allocation->bytes);
    if (!allocates) driver_misuse_unused(allocation);
    bool of_host = allocation->kind == VMEM_MANAGED || allocation->kind == VMEM_HOST_PINNED;
    if (allocates && of_host && !driver_clock_is_virtual()) /* which changes pages of managed memory */
        engine_memory_new_of_host(driver.engine, allocation->base, allocation->bytes);
    else if (allocates && allocation->kind == VMEM_DEVICE && !others)
        engine_memory_new(driver.engine, allocation->base, allocation->bytes);
    else if (!allocates)
        engine_memory_written(driver.engine, allocation->base, allocation->bytes);
    if (allocates) engine_memory_forget(driver.engine, allocation->base, allocation->bytes);
    driver_operation_memory(allocates, allocation);
}

/* What lower modules call in higher ones. */
static void init_connect(void)
{
    driver_memory_tell(tell_memory);
    driver_work_define(DRIVER_WORK_RECORD, &driver_event_work);
    driver_work_define(DRIVER_WORK_BATCH, &driver_batch_work);
    driver_routine_define();
    driver_graph_define();
    driver_cdp_define();
}

static enum sw_status init_start(struct sw_error *error)
{
    SW_TRY(load_devices(error));
    if (driver.device_count == 0)
        return sw_fail(error, SW_NO_DEVICE, "CUDA_VISIBLE_DEVICES='%s' leaves no device",
                       getenv("CUDA_VISIBLE_DEVICES"));
    if (!driver.tool) SW_TRY(open_tool(error)); /* it stays open when cuInit is called again */
    driver_activity_tool(reads_callers(driver.tool));
    init_connect();
    driver.any_target = flag("SOFTWARP_ANY_TARGET") || (driver.tool && driver.tool->any_target);
    driver.blocking = flag("CUDA_LAUNCH_BLOCKING");
    const char *loading = getenv("CUDA_MODULE_LOADING");
    driver.eager = loading && strcmp(loading, "EAGER") == 0;
    SW_TRY(vmem_new(&driver.vmem, error));
    if (driver.tool && driver.tool->probes & EVENT_PROBE_BOUNDS) vmem_quarantine(driver.vmem);
    if (driver.device_count > 1 &&
        vmem_permissions_begin(driver.vmem, (uint32_t)driver.device_count) != SW_OK)
        return sw_fail(error, SW_OUT_OF_MEMORY,
                       "cannot reserve address space for the memory of the devices; use fewer devices");
    struct engine_config config = {.isa = -1,
                                   .vmem = driver.vmem,
                                   .tool = driver.tool,
                                   .print = driver_print,
                                   .describe = driver_misuse_describe,
                                   .say_allocation = driver_misuse_say,
                                   .device_call = driver_device_call};
    if (driver.tool && driver.tool->finding) config.finding = driver_finding_tell;
    enum sw_status status = engine_new(&config, &driver.engine, error);
    if (status != SW_OK) vmem_free_all(driver.vmem);
    SW_TRY(status);
    pthread_atfork(NULL, NULL, after_fork_in_child);
    driver_at_exit();
    return SW_OK;
}

static CUresult init_driver(void)
{
    struct sw_error error = {0};
    enum sw_status status = init_start(&error);
    if (status == SW_OK) {
        driver_state_set(DRIVER_READY);
        return CUDA_SUCCESS;
    }
    if (status != SW_NO_DEVICE) {
        char line[1024];
        sw_log("%s", sw_error_format(&error, line, sizeof line));
    }
    return driver_result(status);
}

/* What the host lacks now it may have when the program asks again. */
static bool may_pass(CUresult result)
{
    return result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_OPERATING_SYSTEM;
}

DRIVER_API cuInit(unsigned flags)
{
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (driver_state() == DRIVER_FORKED) return CUDA_ERROR_NOT_INITIALIZED;
    static bool listens, tried;
    pthread_mutex_lock(&init_lock);
    driver_watch_activity(); /* first, since it begins the reserve of memory */
    if (!listens) driver_logs_listen();
    listens = true;
    if (!tried) init_result = init_driver();
    tried = !may_pass(init_result);
    CUresult result = init_result;
    pthread_mutex_unlock(&init_lock);
    return result;
}

DRIVER_API cuDriverGetVersion(int *version)
{
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}
