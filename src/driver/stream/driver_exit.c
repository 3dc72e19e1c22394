/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the process: a tool gets all work that was queued, then its finish call. */
#include "driver_stream.h"

#include "driver/core/driver_finding.h"
#include "driver/memory/driver_guard.h"
#include "driver/memory/driver_misuse.h"

#include <stdlib.h>

static bool unfinished;

/* Work that is queued belongs in the report; a kernel that does not end must not keep the process. */
static void finish_tool(void)
{
    static const uint64_t PATIENCE_NS = 10000000000u;
    static atomic_bool done;
    const struct event_tool *tool = driver.tool;
    if (driver_ready() != CUDA_SUCCESS || !tool || atomic_exchange(&done, true)) return;
    if (!driver_scheduler_wait_all_until(driver_now_ns() + PATIENCE_NS))
        sw_log("the program ended while kernels were still running; they are missing from the report");
    driver_guard_drop(0, UINT64_MAX);
    engine_memory_judge(driver.engine);
    driver_misuse_unused_at_end();
    if (driver_checks(EVENT_CHECK_LEAKS))
        unfinished = true; /* static objects of the program may free memory yet */
    else if (tool->finish)
        tool->finish(tool->user);
}

/* Destructors of the library run after all that the program has registered to run at exit. */
__attribute__((destructor)) static void finish_leaks(void)
{
    if (!unfinished) return;
    driver_misuse_leaks(NULL);
    if (driver.tool->finish) driver.tool->finish(driver.tool->user);
}

/* Exit handlers run last to first. The compiler library is opened after cuInit and its destructors must not
 * run before the last launch did, so registering once more after the first compilation puts this in front of
 * them. */
void driver_at_exit(void)
{
    static atomic_int times;
    if (driver.tool && atomic_fetch_add(&times, 1) < 2) atexit(finish_tool);
}
