/* SPDX-License-Identifier: Apache-2.0 */
/* The source line at which warps wait longest. */
#include "prof_metrics.h"

#include "base/base_text.h"

bool prof_longest_wait(const struct prof_launch *launch, struct arena *arena, struct prof_wait *out)
{
    enum { LEAST_PERCENT = 10 };
    struct prof_line *lines, *most = NULL;
    uint64_t all = prof_stalls_of_launch(launch);
    uint32_t count = all ? prof_lines(launch, arena, &lines) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (!most || prof_stalls_waits(&lines[i].stalls) > prof_stalls_waits(&most->stalls)) most = &lines[i];
    if (!most || prof_stalls_waits(&most->stalls) * 100 < all * LEAST_PERCENT) return false;
    out->location = prof_location_text(most->file, most->line, &most->call, arena);
    out->share = (double)prof_stalls_waits(&most->stalls) / (double)all;
    out->reason = prof_stalls_most(&most->stalls);
    return true;
}

const char *prof_longest_wait_text(const struct prof_launch *launch, struct arena *arena)
{
    struct prof_wait wait;
    if (!prof_longest_wait(launch, arena, &wait)) return "";
    return arena_printf(arena, _("Most stall time is at %s: %.0f %% of the time of the warps, mostly %s."),
                        wait.location, 100 * wait.share, prof_stall_reason(wait.reason));
}
