/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: exported functions that a profiler in this process hears of (event_activity.h). Method: each jumps
 * to the function that does it; while a tool or a listener wants to hear of calls, as the driver says, it
 * calls that and tells the driver of the call's begin and end, too (base_watch.h). Without them a call costs
 * a comparison and a jump. Limits: functions of runtime_watch.def: those that both majors have in the same
 * form and that return an error. */
#include "runtime_watch.h"

#include "base/base_reserve.h"
#include "base/base_watch.h"
#include "event/event_activity.h"

#include <stdbool.h>
#include <string.h>

static const struct event_activity_watch *driver;
bool runtime_watched;

/* The driver's, without cuda.h, which would declare the functions below. */
unsigned cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, void *status);

__attribute__((constructor)) static void watch_add(void)
{
    enum { ANY_VERSION = 12000 };
    sw_reserve_begin(NULL);
    int status = 0;
    void *found = NULL;
    if (cuGetProcAddress_v2(EVENT_ACTIVITY_WATCH_SYMBOL, &found, ANY_VERSION, 0, &status) || !found) return;
    driver = found;
    driver->add(&runtime_watched);
}

/* Where the program called the outermost function that is told of: the return address of what that jumps to
 * is here. */
static _Thread_local struct {
    unsigned depth;
    const void *from;
} outermost;

const void *rt_watched_from(void)
{
    return outermost.from;
}

static struct event_activity_call call_of(const char *name, const uint64_t *integers, const uint64_t *stack)
{
    return (struct event_activity_call){
        .api = EVENT_ACTIVITY_RUNTIME, .function = name, .integers = integers, .stack = stack};
}

__attribute__((used)) unsigned runtime_watch_begin(const char *name, const uint64_t *integers,
                                                   const uint64_t *stack);
unsigned runtime_watch_begin(const char *name, const uint64_t *integers, const uint64_t *stack)
{
    struct event_activity_call call = call_of(name, integers, stack);
    if (outermost.depth++ == 0) outermost.from = (const void *)(uintptr_t)stack[-1]; /* base_watch.h */
    if (driver) driver->begin(&call);
    return 0;
}

__attribute__((used)) void runtime_watch_end(const char *name, const uint64_t *integers,
                                             const uint64_t *stack, unsigned result);
void runtime_watch_end(const char *name, const uint64_t *integers, const uint64_t *stack, unsigned result)
{
    struct event_activity_call call = call_of(name, integers, stack);
    call.result = result;
    if (driver) driver->end(&call);
    if (--outermost.depth == 0) outermost.from = NULL;
}

#define WATCH(name) SW_WATCH(name, runtime_##name, runtime_watched, runtime_watch_begin, runtime_watch_end)
#include "runtime_watch.def"
