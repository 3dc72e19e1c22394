/* SPDX-License-Identifier: Apache-2.0 */
/* What warps do at instructions and lines: cycles of all warps together by ncu's stall reasons, as if a
 * sample were taken of each warp in each cycle. Limits: those of timing_kernel_stalls.c; a group in which
 * some launch's time was not predicted has none. */
#include "prof_metrics.h"

#include "base/base_text.h"

void prof_stalls_merge(struct event_stalls *to, const struct event_stalls *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
            to[i].cycles[r] += from[i].cycles[r];
}

void prof_stalls_of_instr(const struct event_launch *launch, uint32_t instr, struct event_stalls *out)
{
    if (launch->stalls) prof_stalls_merge(out, &launch->stalls[instr], 1);
}

uint64_t prof_stalls_all(const struct event_stalls *stalls)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
        sum += stalls->cycles[r];
    return sum;
}

uint64_t prof_stalls_waits(const struct event_stalls *stalls)
{
    return prof_stalls_all(stalls) - stalls->cycles[EVENT_STALL_SELECTED];
}

uint64_t prof_stalls_of_launch(const struct prof_launch *launch)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; launch->launch->stalls && i < launch->launch->kernel->instr_count; i++)
        sum += prof_stalls_all(&launch->launch->stalls[i]);
    return sum;
}

enum event_stall prof_stalls_most(const struct event_stalls *stalls)
{
    enum event_stall most = EVENT_STALL_SELECTED;
    for (uint32_t r = EVENT_STALL_WAIT; r < EVENT_STALL_COUNT; r++)
        if (stalls->cycles[r] > (most ? stalls->cycles[most] : 0)) most = r;
    return most;
}

const char *prof_stall_column(enum event_stall stall)
{
    static const char *const NAMES[EVENT_STALL_COUNT] = {
        "stall_selected", "stall_wait",         "stall_long_sb", "stall_short_sb",
        "stall_barrier",  "stall_not_selected", "stall_math",    "stall_mio",
        "stall_lg",       "stall_drain",        "stall_membar"};
    return NAMES[stall];
}

const char *prof_stall_reason(enum event_stall stall)
{
    static const char *const REASONS[EVENT_STALL_COUNT] = {
        [EVENT_STALL_WAIT] = N_("waiting out a fixed latency (wait)"),
        [EVENT_STALL_LONG_SCOREBOARD] = N_("waiting for data of global or local memory (long scoreboard)"),
        [EVENT_STALL_SHORT_SCOREBOARD] =
            N_("waiting for data of shared memory or the result of a special function (short scoreboard)"),
        [EVENT_STALL_BARRIER] = N_("waiting for other warps at a barrier (barrier)"),
        [EVENT_STALL_NOT_SELECTED] =
            N_("ready, but the scheduler selected another warp, which is no loss (not selected)"),
        [EVENT_STALL_MATH_PIPE_THROTTLE] = N_("waiting for an arithmetic pipe (math pipe throttle)"),
        [EVENT_STALL_MIO_THROTTLE] =
            N_("waiting for the queue of shared memory and special functions (MIO throttle)"),
        [EVENT_STALL_LG_THROTTLE] = N_("waiting for the queue of global and local memory (LG throttle)"),
        [EVENT_STALL_DRAIN] = N_("waiting for the last stores before it exits (drain)"),
        [EVENT_STALL_MEMBAR] = N_("waiting for a memory fence (membar)")};
    _Static_assert(EVENT_STALL_COUNT == EVENT_STALL_MEMBAR + 1, "each reason has its words");
    return REASONS[stall] ? _(REASONS[stall]) : "";
}
