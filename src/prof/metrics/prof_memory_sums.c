/* SPDX-License-Identifier: Apache-2.0 */
/* What a model of caches says of launches, added up: over the launches of a group, and over the instructions
 * of a line. Limits: a group in which some launch was not modelled has no sums. */
#include "prof_metrics.h"

struct event_memory *prof_memory_copy(const struct event_memory *from, struct arena *arena)
{
    struct event_memory *to = arena_copy(arena, from, sizeof *from);
    to->instrs = arena_copy(arena, from->instrs, sizeof *from->instrs * from->instr_count);
    return to;
}

/* Errors of launches of one kernel go in the same direction: none is smaller than the largest. */
static void merge_confidence(struct event_confidence *to, const struct event_confidence *from)
{
    if (from->l1_rate > to->l1_rate) to->l1_rate = from->l1_rate;
    if (from->l2_sectors > to->l2_sectors) to->l2_sectors = from->l2_sectors;
    if (from->dram_sectors > to->dram_sectors) to->dram_sectors = from->dram_sectors;
    if (from->cycles > to->cycles) to->cycles = from->cycles;
}

void prof_memory_merge(struct event_memory *to, const struct event_memory *from)
{
    if (from->sample_shift > to->sample_shift) to->sample_shift = from->sample_shift;
    to->estimated |= from->estimated;
    merge_confidence(&to->confidence, &from->confidence);
    struct event_memory_sums(*sums)[EVENT_MEMORY_SPACES] = (void *)to->instrs;
    event_memory_add(&to->total, &from->total);
    to->l2_writebacks += from->l2_writebacks;
    to->constant_requests += from->constant_requests;
    to->constant_hits += from->constant_hits;
    to->constant_group_hits += from->constant_group_hits;
    to->constant_l2_reads += from->constant_l2_reads;
    to->dram_even += from->dram_even;
    to->dram_uneven += from->dram_uneven;
    for (uint32_t i = 0; i < to->instr_count && i < from->instr_count; i++)
        for (int space = 0; space < EVENT_MEMORY_SPACES; space++)
            event_memory_add(&sums[i][space], &from->instrs[i][space]);
}

void prof_memory_of_instr(const struct event_launch *launch, uint32_t instr, struct event_memory_sums *out)
{
    const struct event_memory *memory = launch->memory;
    for (int space = 0; memory && instr < memory->instr_count && space < EVENT_MEMORY_SPACES; space++)
        event_memory_add(out, &memory->instrs[instr][space]);
}

struct prof_hits prof_hits_of(const struct event_memory_sums *s)
{
    return (struct prof_hits){.l1_sectors = s->l1_sectors,
                              .l1_hits = s->l1_hits,
                              .l2_sectors = s->l2_reads + s->l2_writes + s->l2_atomics,
                              .l2_hits = s->l2_read_hits + s->l2_write_hits + s->l2_atomic_hits,
                              .dram_sectors = s->dram_reads + s->dram_writes};
}
