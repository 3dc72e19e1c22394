/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of mbarriers: who waits for what.
 *
 * Models: a phase is over when as much has come to it as the block's run says: arrivals when their warps come
 * to them, what asynchronous and bulk copies bring when the data of all that the warp asked for is there.
 * Does not model: what an arrival takes, that bulk copies are handed to a unit of their own that takes one
 * after the other, and that a warp's copies which are newer than those that an arrival tells of may come
 * later. Sources: PTX ISA, "Asynchronous Barriers": phases, pending counts and transactions. No recording
 * tells of these waits by themselves. */
#include "model_memory_priv.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, OBJECT_BITS = 16 }; /* implementation: phases of an object; the name of one: event_phase */

struct model_phase {
    uint64_t block;
    struct kept {
        uint32_t next, count; /* the phase, less 1; what came */
        model_time when;
    } kept[KEPT];
};

void model_phases_clear(struct model_phases *phases)
{
    void *value;
    for (size_t i = 0; map_next(&phases->objects, &i, &value);)
        free(value);
    map_release(&phases->objects);
    *phases = (struct model_phases){0};
}

/* Of an object in the block that has the CTA slot; the phase. */
static struct kept *phase_find(struct model_phases *phases, struct model_phase_of block, uint64_t name)
{
    uint64_t object = name >> EVENT_LINE_SECTORS >> 32 & ((1u << OBJECT_BITS) - 1);
    uint32_t phase = (uint32_t)(name >> EVENT_LINE_SECTORS);
    uint64_t key = ((uint64_t)block.cta_slot << OBJECT_BITS | object) + 1;
    struct model_phase *p = map_get_u64(&phases->objects, key);
    if (!p) map_set_u64(&phases->objects, key, p = sw_xcalloc(1, sizeof *p));
    if (p->block != block.block) *p = (struct model_phase){.block = block.block};
    return &p->kept[phase % KEPT];
}

bool model_phase_comes(struct model_phases *phases, struct model_phase_of block, uint64_t name, model_time at)
{
    uint32_t next = (uint32_t)(name >> EVENT_LINE_SECTORS) + 1;
    struct kept *kept = phase_find(phases, block, name);
    if (kept->next > next) return false; /* so late that nobody can wait for it any more */
    if (kept->next < next) *kept = (struct kept){.next = next};
    kept->count++;
    if (at > kept->when) kept->when = at;
    return true;
}

bool model_phase_is_over(struct model_phases *phases, struct model_phase_of block, const uint64_t *lines,
                         model_time *when)
{
    uint32_t next = (uint32_t)(lines[0] >> EVENT_LINE_SECTORS) + 1;
    uint32_t wanted = (uint32_t)(lines[1] >> EVENT_LINE_SECTORS);
    const struct kept *kept = phase_find(phases, block, lines[0]);
    *when = kept->next == next ? kept->when : 0;
    return kept->next > next || (kept->next == next && kept->count >= wanted);
}
