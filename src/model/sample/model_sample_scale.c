/* SPDX-License-Identifier: Apache-2.0 */
/* Results of sampled launches: from what the simulated blocks did to what all did.
 *
 * Models: what instructions ask for is counted in all blocks; misses of L1 and L2 grow with the lines that
 * the whole launch accesses (model_sample.c); what L2 lacked and DRAM moved is what the address set saw
 * (model_address_set.c). Local memory's part of what is written is as large as its part of the stores. Groups
 * of multiprocessors of which none was simulated read as many constants as the others.
 *
 * Does not model: instructions of which little was seen in the address set, beyond their growth.
 *
 * Sources: those of model_sample.c and model_address_set.c. */
#include "model/sample/model_sampling.h"

/* What the code counted of the instruction in all blocks; 0: it does not say. */
static uint64_t counted(const struct event_rules *rules, const struct event_launch *launch, uint32_t i,
                        uint32_t space)
{
    const struct event_instr *instr = &launch->kernel->instrs[i];
    bool plain =
        instr->cls == ISA_CLASS_LOAD || instr->cls == ISA_CLASS_STORE || instr->cls == ISA_CLASS_ATOMIC;
    bool sectors =
        rules->load_shift == 5 && rules->store_shift == 5 && rules->global_rule == EVENT_GLOBAL_UNITS;
    uint32_t slot = instr->slots.access[space].units;
    return plain && sectors && slot != EVENT_NO_SLOT ? launch->counters[slot] : 0;
}

static void multiply(uint64_t *number, double by)
{
    *number = (uint64_t)((double)*number * by + 0.5);
}

/* Misses grow with the lines, everything else with what was asked for. */
static void scale(struct event_memory_sums *x, double asked, double lines)
{
    uint64_t read_misses = x->l2_reads - x->l2_read_hits, atomic_misses = x->l2_atomics - x->l2_atomic_hits;
    multiply(&x->l1_sectors, asked);
    multiply(&x->l1_hits, asked);
    multiply(&x->l2_reads, asked);
    multiply(&x->l2_writes, asked);
    multiply(&x->l2_write_hits, asked);
    multiply(&x->l2_atomics, asked);
    multiply(&x->l2_fabric_writes, asked);
    multiply(&read_misses, lines);
    multiply(&atomic_misses, lines);
    multiply(&x->l2_fabric_reads, lines);
    multiply(&x->dram_reads, lines);
    multiply(&x->host_reads, asked);
    multiply(&x->host_writes, asked);
    multiply(&x->host_read_requests, asked);
    multiply(&x->host_write_requests, asked);
    multiply(&x->peer_reads, asked);
    multiply(&x->peer_writes, asked);
    multiply(&x->peer_read_requests, asked);
    multiply(&x->peer_write_requests, asked);
    x->l2_read_hits = x->l2_reads > read_misses ? x->l2_reads - read_misses : 0;
    x->l2_atomic_hits = x->l2_atomics > atomic_misses ? x->l2_atomics - atomic_misses : 0;
}

/* What L2 lacked, as seen in an address set; few are left as they were scaled. */
static void sample_take_set(struct event_memory_sums *x, const struct event_memory_sums *seen)
{
    /* assumed: sectors that tell too little */
    enum { SEEN_FEW = 32, ALL = EVENT_RUN_GRANULES };
    if (seen->dram_reads < SEEN_FEW && x->dram_reads < SEEN_FEW * ALL) return;
    uint64_t reads = (seen->l2_reads - seen->l2_read_hits) * ALL;
    uint64_t atomics = (seen->l2_atomics - seen->l2_atomic_hits) * ALL;
    x->l2_read_hits = x->l2_reads > reads ? x->l2_reads - reads : 0;
    x->l2_atomic_hits = x->l2_atomics > atomics ? x->l2_atomics - atomics : 0;
    x->l2_fabric_reads = seen->l2_fabric_reads * ALL;
    x->dram_reads = seen->dram_reads * ALL;
}

void model_sample_scale(struct model_sampling *sampling, const struct event_rules *rules,
                        const struct event_launch *launch,
                        struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES])
{
    struct model_sample *s = &sampling->sample;
    double blocks = 1 / sampling->share;
    model_sample_estimate(s, sampling->share);
    model_address_set_end(&sampling->address_set);
    for (uint32_t i = 0; i < launch->kernel->instr_count; i++)
        for (uint32_t space = 0; space < EVENT_MEMORY_SPACES; space++) {
            struct event_memory_sums *x = &sums[i][space];
            uint64_t seen = x->l1_sectors + x->l2_atomics, all = counted(rules, launch, i, space);
            double asked = seen && all >= seen ? (double)all / (double)seen : blocks;
            double growth = s->groups[i % MODEL_SAMPLED_GROUPS].growth;
            double lines = 1 + (growth - 1) * (asked - 1) / (blocks - 1);
            scale(x, asked, lines);
            if (space == EVENT_ACCESS_GLOBAL) sample_take_set(x, &sampling->address_set.sums[i]);
        }
}

/* Local memory's part is as large as its part of the stores. */
struct model_written model_sample_written(const struct model_sampling *sampling, const struct model_l2 *l2,
                                          uint32_t instr_count,
                                          struct event_memory_sums (*const sums)[EVENT_MEMORY_SPACES])
{
    const struct model_l2 *seen = &sampling->address_set.l2;
    uint64_t local = 0, stores = 0, waiting = model_l2_dirty_sectors(l2);
    for (uint32_t i = 0; i < instr_count; i++)
        for (uint32_t space = 0; space < EVENT_MEMORY_SPACES; space++) {
            uint64_t here = sums[i][space].l2_writes + sums[i][space].l2_atomics;
            stores += here;
            local += space == EVENT_ACCESS_LOCAL ? here : 0;
        }
    double share = stores ? (double)local / (double)stores / sampling->share : 0;
    uint64_t writes = seen->dram_writes * EVENT_RUN_GRANULES;
    return (struct model_written){.sectors = writes + (uint64_t)((double)l2->dram_writes * share),
                                  .waiting = (uint64_t)((double)waiting * share) +
                                             model_l2_dirty_sectors(seen) * EVENT_RUN_GRANULES,
                                  .lines = (seen->inserted + seen->passed) * EVENT_RUN_GRANULES};
}

void model_sample_scale_constants(const struct model_sampling *sampling, struct model_constant_counts *r,
                                  uint32_t groups_seen, uint32_t groups)
{
    double blocks = 1 / sampling->share;
    uint64_t missed = r->requests - r->hits - r->group_hits;
    if (!groups_seen) return;
    r->requests = (uint64_t)((double)r->requests * blocks + 0.5);
    r->hits = (uint64_t)((double)r->hits * blocks + 0.5);
    r->l2_reads = r->l2_reads * groups / groups_seen;
    missed = missed * groups / groups_seen;
    uint64_t beyond = r->requests - r->hits;
    r->group_hits = beyond > missed ? beyond - missed : 0;
}
