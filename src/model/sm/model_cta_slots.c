/* SPDX-License-Identifier: Apache-2.0 */
/* How far the block of each CTA slot of a device is, so that the engine gives blocks to the slots that are
 * free first, as a GPU does.
 *
 * Models: a CTA slot where a block is resident has come as far as the latest of its warps; a free one is free
 * since its block ended. A slot that is free waits until none is further behind than the shortest block so
 * far lasted, or an AHEAD'th of what blocks last on average: until then, others may be free sooner.
 *
 * Does not model: that a block which makes more requests than others in the same time has its end seen in a
 * later round than theirs.
 *
 * Sources: lookahead of conservative simulation: Chandy, Misra, "Distributed simulation", 1979. AHEAD was
 * assumed: blocks then begin at most that much out of order. */
#include "model_memory_priv.h"

#include <stdlib.h>

enum { AHEAD = 8 }; /* assumed */

void model_cta_slots_begin(struct model_cta_slots *p, size_t count)
{
    free(p->times);
    *p = (struct model_cta_slots){.times = sw_xcalloc(count + 1, sizeof *p->times), .shortest = UINT64_MAX};
    p->progress.cta_slots = p->times;
}

void model_cta_slots_release(struct model_cta_slots *p)
{
    free(p->times);
}

void model_cta_slots_reach(struct model_cta_slots *p, size_t cta_slot, model_time time)
{
    uint64_t *at = &p->times[cta_slot];
    if (*at < time) *at = time;
}

void model_cta_slots_end(struct model_cta_slots *p, const struct model_slot *slot)
{
    uint64_t lasted = slot->end > slot->begin ? slot->end - slot->begin : 0;
    if (lasted < p->shortest) p->shortest = lasted;
    p->sum += lasted;
    p->ended++;
    uint64_t part = p->sum / p->ended / AHEAD;
    p->progress.ahead = p->shortest > part ? p->shortest : part;
}
