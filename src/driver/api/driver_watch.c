/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the functions that the library exports, for tools and profilers that hear of calls. Method: each
 * jumps to the function that does it. Where one asks (driver_watched), it calls it instead (base_watch.h), so
 * that its own frame stands on the stack and says which function the program called, and then tells of a
 * result that is an error. Without them a call costs a comparison and a jump. Functions that are refused have
 * no such entry (driver_proc.c). */
#include "driver_watch.h"

#include "base/base.h"
#include "base/base_reserve.h"
#include "base/base_watch.h"
#include "driver/core/driver_activity.h"
#include "driver/core/driver_finding.h"

#include <pthread.h>
#include <string.h>

bool driver_watched, driver_framed;

/* Whoever finds no memory may hold the lock of those who listen, and may be in a call without a frame. */
static void memory_is_short(void)
{
    __atomic_store_n(&driver_watched, true, __ATOMIC_RELAXED);
}

static void watch_add(void)
{
    driver_activity_watch(&driver_watched);
    driver_activity_watch(&driver_framed);
    sw_reserve_begin(memory_is_short);
}

void driver_watch_activity(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_add);
}

static struct event_activity_call call_of(const char *name, const uint64_t *integers, const uint64_t *stack)
{
    return (struct event_activity_call){
        .api = EVENT_ACTIVITY_DRIVER, .function = name, .integers = integers, .stack = stack};
}

/* Calls that need no memory: they give some back, or ask. */
static bool needs_none(const char *name)
{
    static const char *const WORDS[] = {"Free",  "Destroy",  "Release", "Unload", "Unmap", "Unregister",
                                        "Close", "GetError", "Pop",     "Reset",  "Query", "Synchronize"};
    for (size_t i = 0; i < SW_COUNT_OF(WORDS); i++)
        if (strstr(name, WORDS[i])) return true;
    return false;
}

/* While the host has no memory no further call begins (base_reserve.h). */
static bool is_refused(const char *name)
{
    if (!sw_memory_was_short()) return false;
    if (sw_memory_is_short()) return !needs_none(name);
    driver_activity_refresh();
    return false;
}

__attribute__((used)) unsigned driver_watch_begin(const char *name, const uint64_t *integers,
                                                  const uint64_t *stack);
unsigned driver_watch_begin(const char *name, const uint64_t *integers, const uint64_t *stack)
{
    unsigned refused = is_refused(name) ? (unsigned)sw_status_cuda(SW_OUT_OF_MEMORY) : 0;
    if (!driver_activity_on()) return refused;
    struct event_activity_call call = call_of(name, integers, stack);
    driver_activity_begin(&call);
    return refused;
}

__attribute__((used)) void driver_watch_end(const char *name, const uint64_t *integers, const uint64_t *stack,
                                            unsigned result);
void driver_watch_end(const char *name, const uint64_t *integers, const uint64_t *stack, unsigned result)
{
    if (result) driver_entry_failed(result);
    if (!driver_activity_on()) return;
    struct event_activity_call call = call_of(name, integers, stack);
    call.result = result;
    driver_activity_end(&call);
}

#define DONE(symbol, name, since)                                                                            \
    SW_WATCH(symbol, driver_##symbol, driver_watched, driver_watch_begin, driver_watch_end)
#define REFUSED(symbol, name, since)
#include "driver_api.def"
