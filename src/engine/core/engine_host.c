/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: end a launch that accesses host memory which no API call gave to the device, as a GPU without
 * pageable memory access does (CUDA's error 700). Device pointers are host pointers here, so that it would
 * work.
 * Method: before a launch its parameters are looked at. If one through which the kernel may access memory
 * (ptx_params_accessed) holds an address where the process has memory that is neither in the reservation nor
 * registered, the launch takes the code of jit_emit_permissions.c, which asks engine_help_reach about each
 * access outside of the reservation. That one lets pass what is the block's own (shared and local memory,
 * functions' variables, parameters), registered, or known to the driver as external; so an access is what
 * fails, not the pointer. All other launches run the code that they always had. Limits: pointers that come
 * from memory, those that do not lie at a multiple of 8 bytes, and those to memory that was mapped below all
 * that there was at first lead to no look. */
#include "engine_permissions.h"

#include "engine_fault.h"
#include "engine_where.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { WORD = sizeof(uint64_t), LAST_WORD = 63, PAGE = 4096 };
static const uint64_t LOWEST = 1 << 16, END = UINT64_C(1) << 47; /* where Linux lets programs have memory */

/* ---- before a launch */

static bool is_page_mapped(uint64_t address)
{
    unsigned char resident;
    return mincore((void *)(uintptr_t)(address & ~(uint64_t)(PAGE - 1)), 1, &resident) == 0 ||
           errno != ENOMEM;
}

/* The byte before counts, too: pointers to the end go down. */
static bool is_mapped(uint64_t address)
{
    return is_page_mapped(address) || (address % PAGE == 0 && is_page_mapped(address - 1));
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t lowest_mapping;

static void host_find_lowest(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps && fscanf(maps, "%" SCNx64, &lowest_mapping) != 1) lowest_mapping = 0;
    if (maps) fclose(maps);
}

/* Below all that the process has: offsets and sizes, for which the system need not be asked (0.1 to 2 us). */
static bool is_below_all(uint64_t address)
{
    pthread_once(&once, host_find_lowest);
    return address < lowest_mapping;
}

static uint64_t words_accessed(struct engine_kernel *kernel)
{
    pthread_mutex_lock(&kernel->lock);
    if (!kernel->accessed_known) kernel->accessed = ptx_params_accessed(kernel->function);
    kernel->accessed_known = true;
    uint64_t accessed = kernel->accessed;
    pthread_mutex_unlock(&kernel->lock);
    return accessed;
}

static uint64_t host_param_word(const struct engine_launch *launch, uint64_t i)
{
    uint64_t word;
    memcpy(&word, (const uint8_t *)launch->params + i * WORD, sizeof word);
    return word;
}

/* Could it be the address of host memory? */
static bool is_outside(const struct vmem *vmem, uint64_t word)
{
    return word >= LOWEST && word < END && !vmem_in_reservation(vmem, word);
}

static bool is_host_pointer(const struct engine_launch *launch, uint64_t i)
{
    struct vmem *vmem = launch->kernel->module->engine->config.vmem;
    uint64_t word = host_param_word(launch, i);
    if (!is_outside(vmem, word)) return false;
    if (!(words_accessed(launch->kernel) >> (i < LAST_WORD ? i : LAST_WORD) & 1)) return false;
    return !is_below_all(word) && !vmem_is_reachable(vmem, word) && is_mapped(word);
}

bool engine_host_looks(const struct engine_launch *launch)
{
    if (!launch->params || !launch->kernel->module->engine->config.vmem) return false;
    for (uint64_t i = 0; i < launch->kernel->function->param_bytes / WORD; i++)
        if (is_host_pointer(launch, i)) return true;
    return false;
}

/* ---- at an access */

static bool is_within(uint64_t address, const void *base, uint64_t bytes)
{
    return address - (uint64_t)(uintptr_t)base < bytes;
}

/* Functions' variables lie on the thread's stack, below the frame from which the kernel was entered. */
static bool is_on_own_stack(struct engine_worker *worker, uint64_t address)
{
    engine_worker_stack(worker);
    uint64_t stack = (uint64_t)(uintptr_t)worker->stack;
    return worker->stack && is_within(address, worker->stack, worker->entered - stack);
}

static bool host_is_own(struct engine_worker *worker, uint64_t address)
{
    const struct engine_job *job = worker->job;
    const struct jit_ctx *ctx = &worker->ctx;
    uint64_t warps = engine_job_warps(job);
    return is_within(address, ctx->shared, ctx->shared_bytes) ||
           is_within(address, ctx->local, warps * SW_WARP_LANES * job->variant->info.local_bytes) ||
           is_within(address, ctx->frames, warps * job->variant->info.frame_bytes) ||
           is_within(address, job->params, job->launch->kernel->function->param_bytes) ||
           is_on_own_stack(worker, address);
}

bool engine_host_may_reach(struct engine_worker *worker, uint64_t address)
{
    const struct engine_launch *launch = worker->job->launch;
    struct vmem *vmem = worker->engine->config.vmem;
    return vmem_in_reservation(vmem, address) || host_is_own(worker, address) ||
           vmem_is_reachable(vmem, address) ||
           (launch->may_access && launch->may_access(launch->owner, address));
}

bool engine_host_bounds(struct engine_worker *worker, uint64_t address, uint64_t *first, uint64_t *bytes)
{
    enum { LEAST = 16 }; /* definition: of any access */
    const struct jit_ctx *ctx = &worker->ctx;
    if (!engine_host_may_reach(worker, address)) return false;
    if (is_within(address, ctx->shared, ctx->shared_bytes)) {
        *first = (uint64_t)(uintptr_t)ctx->shared;
        *bytes = ctx->shared_bytes;
        return true;
    }
    *first = address;
    for (*bytes = 1; *bytes < LEAST && engine_host_may_reach(worker, address + *bytes);)
        ++*bytes;
    return true;
}

/* ---- what it is */

struct mapping {
    uint64_t begin, end; /* end 0: there is none */
    char name[64];       /* "[heap]", "[stack]", a path, or empty */
};

/* FIRST "-" END PERMISSIONS OFFSET DEVICE INODE [NAME] */
static struct mapping host_find_mapping(uint64_t address)
{
    char line[512];
    FILE *file = fopen("/proc/self/maps", "re");
    while (file && fgets(line, sizeof line, file)) {
        struct mapping m = {.name = ""};
        int found = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %63s", &m.begin, &m.end, m.name);
        if (found < 2 || address - m.begin >= m.end - m.begin) continue;
        fclose(file);
        return m;
    }
    if (file) fclose(file);
    return (struct mapping){0};
}

static const char *host_kind_of(const struct mapping *at, uint64_t address)
{
    Dl_info info;
    if (!at->end) return "nothing is allocated there";
    if (strcmp(at->name, "[heap]") == 0) return "allocated by malloc";
    if (strcmp(at->name, "[stack]") == 0) return "on the stack";
    if (dladdr((void *)(uintptr_t)address, &info)) return "a variable of the host program";
    return at->name[0] == '/' ? "mapped from a file" : "allocated by malloc, or on a thread's stack";
}

static uint64_t host_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The word of the parameters through which it got there: the nearest one into the same mapping; UINT64_MAX:
 * none is. */
static uint64_t host_find_word(const struct engine_launch *launch, const struct mapping *at, uint64_t address)
{
    const struct vmem *vmem = launch->kernel->module->engine->config.vmem;
    uint64_t best = UINT64_MAX, accessed = words_accessed(launch->kernel);
    for (uint64_t i = 0; i < launch->kernel->function->param_bytes / WORD; i++) {
        uint64_t word = host_param_word(launch, i);
        if (!is_outside(vmem, word) || !(accessed >> (i < LAST_WORD ? i : LAST_WORD) & 1)) continue;
        if (at->end && (word < at->begin || word > at->end)) continue;
        if (best == UINT64_MAX ||
            host_distance(word, address) < host_distance(host_param_word(launch, best), address))
            best = i;
    }
    return best;
}

/* " that parameter 2, at byte 8, points to": parameters count from 1, bytes of a structure from 0. */
static void host_name_word(const struct engine_launch *launch, uint64_t word, char *text, size_t bytes)
{
    const struct ptx_function *function = launch->kernel->function;
    text[0] = 0;
    for (uint32_t i = 0; i < function->param_count && word != UINT64_MAX; i++) {
        const struct ptx_var *param = function->params[i];
        uint64_t at = word * WORD - param->offset;
        if (at >= param->bytes) continue;
        if (param->bytes > WORD)
            snprintf(text, bytes, " that parameter %u, at byte %llu, points to", i + 1,
                     (unsigned long long)at);
        else
            snprintf(text, bytes, " that parameter %u points to", i + 1);
        return;
    }
}

void engine_host_check(struct jit_ctx *ctx, uint64_t address, uint32_t need, uint32_t line, int lane)
{
    struct engine_worker *worker = ctx->host;
    const struct engine_launch *launch = worker->job->launch;
    char where[ENGINE_WHERE_BYTES], whose[80];
    if (engine_host_may_reach(worker, address)) return;
    worker->armed = 0;
    struct mapping at = host_find_mapping(address);
    engine_where(ctx, lane, line, where);
    host_name_word(launch, host_find_word(launch, &at, address), whose, sizeof whose);
    sw_fail(&worker->error, SW_ILLEGAL_ADDRESS,
            "illegal address 0x%llx in block (%u,%u,%u), warp %u%s %s host memory%s (%s), which kernels "
            "cannot access; use cudaMalloc and cudaMemcpy, or cudaMallocManaged",
            (unsigned long long)address, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, where,
            need & JIT_DENIED_WRITE ? "writes" : "reads", whose, host_kind_of(&at, address));
    engine_fault_unwind(worker);
}
