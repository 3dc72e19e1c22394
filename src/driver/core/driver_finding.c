/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: findings of the driver itself, and CUDA calls that fail. Method: the runtime library tells of each
 * error that one of its functions returns, the driver's exported functions tell of theirs (driver_watch.c);
 * the stack says which function the program called. An error is an answer, and no finding, where the function
 * asks for something (Get, Query, Can, Occupancy in its name) or the error says that what was wanted is so
 * already, or is not offered here. The error that a failed kernel left behind comes back from every call: the
 * kernel is the finding. EVENT_CHECK_ALL_CALLS makes findings of all of these. Limits: it is not known
 * whether the program looks at what a call returns. */
#include "driver_finding.h"

#include "driver_caller.h"
#include "driver_context.h"
#include "driver_error.h"

#include <stdio.h>
#include <string.h>

static _Thread_local bool is_told;

bool driver_checks(uint32_t checks)
{
    return driver.tool && driver.tool->finding && driver.tool->checks & checks;
}

void driver_finding_tell(const struct event_finding *finding)
{
    pthread_mutex_lock(&driver.tool_lock);
    driver.tool->finding(driver.tool->user, finding);
    pthread_mutex_unlock(&driver.tool_lock);
}

struct event_place driver_finding_here(const void *stub)
{
    const struct driver_caller *caller = driver_caller_find(stub);
    return caller ? (struct event_place){.call = caller->api, .where = caller->where}
                  : (struct event_place){0};
}

void driver_call_is_told(void)
{
    is_told = true;
}

static bool asks(const char *call)
{
    static const char *const WORDS[] = {"Get", "Query", "Can", "Occupancy"};
    for (size_t i = 0; i < SW_COUNT_OF(WORDS); i++)
        if (strstr(call, WORDS[i])) return true;
    return false;
}

static bool answers(int error)
{
    switch (error) {
    case CUDA_ERROR_NOT_READY:
    case CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED:
    case CUDA_ERROR_PEER_ACCESS_NOT_ENABLED:
    case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
    case CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: /* then it is instantiated anew */
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_DEINITIALIZED: return true;
    default: return false;
    }
}

/* One context alone may have failed, by a copy: its first error is told. */
static bool repeats(int error)
{
    static atomic_int before;
    struct driver_context *context = driver_context_top();
    if (error == (int)driver_context_fault()) return true;
    bool sticky = context && error == atomic_load(&context->root->fault);
    return sticky && atomic_exchange(&before, error) == error;
}

void driver_call_failed(int error, const char *name, const char *text, const void *stub)
{
    bool told = is_told;
    is_told = false;
    if (told || !driver_checks(EVENT_CHECK_CALLS | EVENT_CHECK_ALL_CALLS)) return;
    struct event_finding finding = {.kind = EVENT_FINDING_CALL, .place = driver_finding_here(stub)};
    bool all = driver_checks(EVENT_CHECK_ALL_CALLS);
    if (!finding.place.call || (!all && (answers(error) || asks(finding.place.call) || repeats(error))))
        return;
    char message[256];
    snprintf(message, sizeof message, "%s (error %d) due to \"%s\"", name, error, text);
    finding.message = message;
    driver_finding_tell(&finding);
}

void driver_entry_failed(unsigned result)
{
    if (!driver_checks(EVENT_CHECK_ALL_CALLS) && answers((int)result)) return; /* quickly: programs poll */
    const char *call = driver_finding_here(NULL).call;
    if (!call || sw_starts_with(call, "cuda")) return;
    const char *name = driver_error_name((CUresult)result), *text = driver_error_text((CUresult)result);
    driver_call_failed((int)result, name ? name : "an unknown error", text ? text : "", NULL);
}
