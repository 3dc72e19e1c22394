/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what warps of a simulated block do at mbarriers, so that tools know which arrivals and copies a
 * wait was for. Method: emitted code says what happened to which object, and whether that ended a phase;
 * phases of an object are counted from the block's begin, and what came to each. A wait that succeeds is
 * taken to be for the phase that ended last. Lanes of a warp that arrive with one instruction, or wait, are
 * one. Limits: waits for older phases, which nobody needs; an object that is made anew counts on. */
#include "engine_phase.h"

#include "event/event_request.h"

#include <stdlib.h>

struct engine_phase { /* of an mbarrier */
    uint32_t object, phase;
    uint32_t came, before; /* to this phase so far; to the one before, all */
    struct by {
        uint32_t instr, warp, phase;
    } arrived, awaited; /* last */
};

static struct engine_phase *phase_find(struct engine_phases *all, uint32_t object)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].object == object) return &all->list[i];
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 8;
        all->list = sw_xrealloc(all->list, all->capacity * sizeof *all->list);
    }
    const struct by nobody = {.instr = UINT32_MAX};
    all->list[all->count] = (struct engine_phase){.object = object, .arrived = nobody, .awaited = nobody};
    return &all->list[all->count++];
}

static bool phase_again(struct by *last, struct by now)
{
    bool same = last->instr == now.instr && last->warp == now.warp && last->phase == now.phase;
    *last = now;
    return same;
}

static struct engine_phase_note phase_name(const struct engine_phase *p, uint32_t phase, uint8_t kind)
{
    enum { UNIT = 8 }; /* bytes of an object */
    return (struct engine_phase_note){
        .lines = {event_phase(p->object / UNIT, phase)}, .count = 1, .kind = kind};
}

static struct engine_phase_note phase_awaits(struct engine_phase *p, struct by by)
{
    struct engine_phase_note note = {.count = 0};
    if (!p->phase || phase_again(&p->awaited, by)) return note;
    note = phase_name(p, p->phase - 1, EVENT_KIND_AWAIT);
    note.lines[note.count++] = (uint64_t)p->before << EVENT_LINE_SECTORS;
    return note;
}

struct engine_phase_note engine_phase_take(struct engine_phases *phases, const struct jit_record *record)
{
    struct engine_phase *p = phase_find(phases, (uint32_t)record->base);
    struct by by = {record->site->instr, record->warp, p->phase};
    uint32_t how = (uint32_t)(record->base >> 32);
    bool brings = (how & ~(uint32_t)JIT_PHASE_OVER) == JIT_PHASE_BRING;
    if (how == JIT_PHASE_AWAIT) return phase_awaits(p, by);
    struct engine_phase_note note = {.count = 0};
    if (brings || !phase_again(&p->arrived, by)) {
        note = phase_name(p, p->phase, brings ? EVENT_KIND_BRING : EVENT_KIND_ARRIVE);
        p->came++;
    }
    if (how & JIT_PHASE_OVER) {
        p->before = p->came;
        p->came = 0;
        p->phase++;
    }
    return note;
}
