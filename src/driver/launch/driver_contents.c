/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: tell a tool that compares schedules what memory a launch may have written (event_schedule.h).
 * Method: live device and managed memory of the launch's device, module variables among it, in the order in
 * which it was made; nothing is given back meanwhile. Limits: host memory, arrays, the heap of kernels'
 * malloc and mappings (cuMemMap) are not told. What a launch leaves whose kernel launches kernels is told
 * after the next one without. */
#include "driver_launch.h"

#include "driver/core/driver_caller.h"
#include "driver/memory/driver_memory.h"

#include <stdlib.h>

static bool contents_has(const struct driver_allocation *a, const struct driver_context *context)
{
    return (a->kind == VMEM_DEVICE || a->kind == VMEM_MANAGED) && !a->imported && !a->freeing &&
           a->device == context->device->ordinal && a->bytes && driver_memory_valid(a->base, a->bytes);
}

static struct event_piece piece_of(const struct driver_allocation *a)
{
    return (struct event_piece){.base = a->base,
                                .bytes = a->bytes,
                                .variable = a->variable,
                                .made = a->made ? a->made->api : NULL,
                                .where = a->made ? a->made->where : NULL};
}

void driver_contents_tell(const struct event_launch *launch, const struct driver_context *context)
{
    const struct event_tool *tool = driver.tool;
    size_t count;
    if (!tool || !tool->contents || !tool->schedule.on) return;
    driver_memory_hold();
    struct driver_allocation *all = driver_memory_live(&count);
    struct event_piece *pieces = sw_xcalloc(count + 1, sizeof *pieces);
    struct event_contents contents = {.launch = launch->id, .kernel = launch->kernel, .pieces = pieces};
    for (size_t i = 0; i < count; i++)
        if (contents_has(&all[i], context)) pieces[contents.count++] = piece_of(&all[i]);
    pthread_mutex_lock(&driver.tool_lock);
    tool->contents(tool->user, &contents);
    pthread_mutex_unlock(&driver.tool_lock);
    driver_memory_let_go();
    free(pieces);
    free(all);
}
