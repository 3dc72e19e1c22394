/* SPDX-License-Identifier: Apache-2.0 */
/* How far the blocks of each place of a device are, so that the engine gives blocks to the places that are
 * free first, as a GPU does.
 *
 * Models: a place where a block is resident has come as far as the latest of its warps; a free one is free
 * since its block ended. A place that is free waits until none is further behind than the shortest block so
 * far lasted, or an AHEAD'th of what blocks last on average: until then, others may be free sooner.
 *
 * Does not model: that a block which makes more requests than others in the same time has its end seen in a
 * later turn than theirs.
 *
 * Sources: lookahead of conservative simulation: Chandy, Misra, "Distributed simulation", 1979. AHEAD was
 * assumed: blocks then begin at most that much out of order. */
#include "model/model_cache.h"
#include "model_cache_priv.h"

#include <stdlib.h>

enum { AHEAD = 8 }; /* assumed */

void model_places_begin(struct model_memory *m)
{
    struct model_places *p = &m->places;
    size_t count = (size_t)m->residency.sm_count * m->residency.blocks_per_sm;
    free(p->times);
    *p = (struct model_places){.times = sw_xcalloc(count + 1, sizeof *p->times), .shortest = UINT64_MAX};
    p->progress.places = p->times;
}

void model_places_release(struct model_memory *m)
{
    free(m->places.times);
}

void model_places_reach(struct model_memory *m, size_t place, model_time time)
{
    uint64_t *at = &m->places.times[place];
    if (*at < time) *at = time;
}

void model_places_end(struct model_memory *m, const struct model_slot *slot)
{
    struct model_places *p = &m->places;
    uint64_t lasted = slot->end > slot->begin ? slot->end - slot->begin : 0;
    if (lasted < p->shortest) p->shortest = lasted;
    p->sum += lasted;
    p->ended++;
    uint64_t part = p->sum / p->ended / AHEAD;
    p->progress.ahead = p->shortest > part ? p->shortest : part;
}

const struct event_progress *model_memory_progress(const struct model_memory *m)
{
    return &m->places.progress;
}
