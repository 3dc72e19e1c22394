/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what a finding says of memory (who made it, who gave it back), frees that are wrong, and leaks.
 * Method: allocations remember the call that made them (driver_memory.c), driver_history.c those that are
 * gone. Memory that is not used is what nobody wrote when it is freed, or when the process ends. A leak is
 * what is live when its context or the process ends; leaks of one call and one size are one
 * finding with their number, in the order in which they were made. Limits: memory of graphs' allocation
 * nodes, of cuMemCreate, of other processes and registered memory are no leaks; none is told once a kernel
 * failed, because then nothing can be freed. */
#include "driver_misuse.h"

#include "driver_history.h"

#include "driver/core/driver_caller.h"
#include "driver/core/driver_finding.h"
#include "driver/core/driver_line.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- whose memory it is */

static void set_made(struct event_finding *finding, const struct driver_caller *made)
{
    if (!made) return;
    finding->made = made->api;
    finding->where = made->where;
}

static bool describe_freed(uint64_t address, struct event_finding *finding)
{
    struct driver_freed freed;
    if (!driver_history_find(address, &freed)) return false;
    finding->base = freed.base, finding->size = freed.bytes;
    finding->freed = true;
    set_made(finding, freed.made);
    if (!freed.freed) return true;
    finding->has_other = true;
    finding->other = (struct event_place){.call = freed.freed->api, .where = freed.freed->where};
    return true;
}

void driver_misuse_describe(uint64_t address, struct event_finding *finding)
{
    struct driver_allocation found;
    struct vmem_block near;
    bool inside = driver_memory_find(address, &found);
    if (!inside && describe_freed(address, finding)) return;
    if (!inside && (!vmem_nearest(driver.vmem, address, &near) || !driver_memory_find(near.base, &found)))
        return;
    finding->base = found.base, finding->size = found.bytes;
    finding->variable = found.variable;
    if (!found.variable) set_made(finding, found.made); /* else a launch that loaded its module */
}

void driver_misuse_say(uint64_t address, char *text, size_t bytes)
{
    struct driver_allocation found;
    struct vmem_block near;
    char line[128], *place;
    text[0] = 0;
    if (!vmem_nearest(driver.vmem, address, &near) || !driver_memory_find(near.base, &found)) return;
    if (found.variable) snprintf(text, bytes, "variable '%.100s'", found.variable);
    if (found.variable || !(place = found.from ? driver_caller_place(found.from) : NULL)) return;
    if (*place) {
        driver_line_of(place, line, sizeof line);
        snprintf(text, bytes, "made at %s", line);
    }
    free(place);
}

CUresult driver_misuse_wrong_free(uint64_t address)
{
    if (!driver_checks(EVENT_CHECK_MEMORY)) return CUDA_ERROR_INVALID_VALUE;
    struct event_finding finding = {
        .kind = EVENT_FINDING_FREE, .address = address, .place = driver_finding_here(NULL)};
    struct driver_allocation freeing;
    if (driver_memory_find(address, &freeing) || driver_history_find(address, &(struct driver_freed){0}))
        driver_misuse_describe(address, &finding);
    if (driver_memory_find(address, &freeing) && freeing.freeing && freeing.base == address) {
        finding.freed = true;
        finding.has_other = freeing.freed != NULL;
        if (freeing.freed)
            finding.other = (struct event_place){.call = freeing.freed->api, .where = freeing.freed->where};
    }
    finding.message = finding.freed && finding.base == address ? "Double free" : "Invalid pointer to free";
    driver_finding_tell(&finding);
    driver_call_is_told();
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult driver_misuse_wrong_handle(uint64_t handle)
{
    if (!driver_checks(EVENT_CHECK_MEMORY) || !handle) return CUDA_ERROR_INVALID_HANDLE;
    struct event_finding finding = {.kind = EVENT_FINDING_FREE,
                                    .address = handle,
                                    .place = driver_finding_here(NULL),
                                    .message = "Invalid array to free"};
    driver_finding_tell(&finding);
    driver_call_is_told();
    return CUDA_ERROR_INVALID_HANDLE;
}

/* ---- leaks */

static bool is_leak(const struct driver_allocation *a, const struct driver_context *context)
{
    if (a->kind == VMEM_HOST_REGISTERED || a->variable || a->by_graph || a->imported || a->freeing)
        return false;
    return !context || a->context == context;
}

static bool is_alike(const struct driver_allocation *a, const struct driver_allocation *b)
{
    return a->made == b->made && a->bytes == b->bytes;
}

/* The first of each call and size has the number of all of them; the others have none. */
static void leaks_join(struct driver_allocation *all, size_t count, uint64_t *numbers)
{
    struct map first = {0}; /* by call and size: index + 1 */
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (uintptr_t)all[i].made * 31 + all[i].bytes * 1000003;
        size_t known = (size_t)(uintptr_t)map_get_u64(&first, key);
        if (known && is_alike(&all[known - 1], &all[i])) {
            numbers[known - 1]++;
            continue;
        }
        numbers[i] = 1;
        map_set_u64(&first, key, (void *)(uintptr_t)(i + 1));
    }
    map_release(&first);
}

static void leak_tell(const struct driver_allocation *leak, uint64_t count)
{
    struct event_finding finding = {.kind = EVENT_FINDING_LEAK,
                                    .space = ISA_SPACE_GLOBAL,
                                    .address = leak->base,
                                    .base = leak->base,
                                    .size = leak->bytes,
                                    .count = count};
    set_made(&finding, leak->made);
    driver_finding_tell(&finding);
}

static void leaks_tell(struct driver_allocation *all, size_t count)
{
    uint64_t *numbers = sw_xcalloc(count + 1, sizeof *numbers);
    leaks_join(all, count, numbers);
    for (size_t i = 0; i < count; i++)
        if (numbers[i]) leak_tell(&all[i], numbers[i]);
    free(numbers);
}

/* What kernels did not free. */
static void leaks_of_heap(int device)
{
    static const struct driver_caller DEVICE_MALLOC = {"malloc", ""};
    VEC(struct driver_allocation) all = {0};
    uint64_t address = 0, bytes;
    while (engine_device_next(driver.engine, (uint32_t)device, &address, &bytes))
        *vec_push(&all) = (struct driver_allocation){.base = address, .bytes = bytes, .made = &DEVICE_MALLOC};
    leaks_tell(all.at, all.count);
    vec_release(&all);
}

void driver_misuse_leaks(const struct driver_context *context)
{
    size_t count, kept = 0;
    if (!driver_checks(EVENT_CHECK_LEAKS) || driver_context_fault() != CUDA_SUCCESS) return;
    struct driver_allocation *all = driver_memory_live(&count);
    for (size_t i = 0; i < count; i++)
        if (is_leak(&all[i], context)) all[kept++] = all[i];
    leaks_tell(all, kept);
    free(all);
    for (int device = 0; !context && device < driver.device_count; device++)
        leaks_of_heap(device);
}

/* ---- memory that is not used */

void driver_misuse_unused(const struct driver_allocation *allocation)
{
    uint64_t first;
    if (!driver_checks(EVENT_CHECK_UNUSED) || driver_context_fault() != CUDA_SUCCESS) return;
    if (allocation->kind != VMEM_DEVICE || allocation->variable || allocation->imported) return;
    uint64_t count = engine_memory_unused(driver.engine, allocation->base, allocation->bytes, &first);
    if (!count) return;
    char message[160];
    snprintf(
        message, sizeof message,
        "Not written %llu bytes, the first at offset 0x%llx (0x%llx).\n    %llu%% of allocation were unused.",
        (unsigned long long)count, (unsigned long long)(first - allocation->base), (unsigned long long)first,
        (unsigned long long)((count * 100 + 50) / allocation->bytes));
    struct event_finding finding = {.kind = EVENT_FINDING_UNUSED,
                                    .space = ISA_SPACE_GLOBAL,
                                    .address = first,
                                    .base = allocation->base,
                                    .size = allocation->bytes,
                                    .message = count < allocation->bytes ? message : NULL,
                                    .count = 1};
    set_made(&finding, allocation->made);
    driver_finding_tell(&finding);
}

void driver_misuse_unused_at_end(void)
{
    size_t count;
    if (!driver_checks(EVENT_CHECK_UNUSED)) return;
    struct driver_allocation *all = driver_memory_live(&count);
    for (size_t i = 0; i < count; i++)
        driver_misuse_unused(&all[i]);
    free(all);
}
