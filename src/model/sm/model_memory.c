/* SPDX-License-Identifier: Apache-2.0 */
/* The memory model of a GPU: what it is made of, and what a launch's results are.
 *
 * Models: an L1 for each multiprocessor, of what shared memory leaves of it, forgotten at each launch; L2 and
 * DRAM for all; which multiprocessors stand together before L2.
 *
 * Does not model: instruction fetches and parameters, which take a few hundred sectors of L2 a launch; that
 * bulk copies ask no L1 (they count as misses there).
 *
 * Sources: gpus/NAME.ini, section [cache]; operators: PTX ISA, "Cache Operators", and reread_block of
 * tests/hw/memory (an H200 finds in L1 what .ca, .cs, .nc and the evict_first and evict_last priorities left
 * there, nothing of .cg, .cv, .lu, volatile, relaxed and no_allocate). */
#include "model/access/model_access.h"
#include "model_memory_priv.h"

#include <stdlib.h>
#include <string.h>

struct model_memory *model_memory_new(const struct arch_gpu *gpu, const struct arch_cc *cc)
{
    struct model_memory *m = sw_xcalloc(1, sizeof *m);
    model_l1_fold(&m->l1_fold);
    m->params = (struct model_params){
        .gpu = gpu->cache, .l2_bytes = gpu->l2_bytes, .sm_count = (uint32_t)gpu->sm_count};
    m->rules = model_rules(cc);
    model_l2_init(&m->l2, &m->params);
    model_slices_init(&m->slices, &m->l2, &m->clock.costs.rates);
    model_merging_init(&m->merging, &m->params);
    model_constant_groups_init(&m->constants, &m->l2);
    m->clock.slices = &m->slices;
    return m;
}

static void release_sms(struct model_memory *m)
{
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        model_l1_release(&m->sms[i].l1);
        model_constants_release(&m->sms[i].constants);
    }
    free(m->sms);
    m->sms = NULL;
    m->sm_capacity = 0;
}

static void blocks_release(struct model_blocks *blocks)
{
    free(blocks->slots);
    free(blocks->warps);
}

static void instrs_release(struct model_instrs *instrs)
{
    free(instrs->policies);
    free(instrs->places);
    free(instrs->sums);
}

void model_memory_delete(struct model_memory *m)
{
    if (!m) return;
    release_sms(m);
    model_l2_release(&m->l2);
    model_slices_release(&m->slices);
    model_merging_release(&m->merging);
    model_constant_groups_release(&m->constants);
    model_sampling_release(&m->sampling);
    model_clock_release(&m->clock);
    model_phases_clear(&m->phases);
    model_cta_slots_release(&m->cta_slots);
    blocks_release(&m->blocks);
    instrs_release(&m->instrs);
    free(m);
}

static size_t blocks_count(const struct model_blocks *blocks)
{
    return (size_t)blocks->sm_count * blocks->blocks_per_sm;
}

static size_t blocks_bytes(const struct model_blocks *b)
{
    return blocks_count(b) * (sizeof *b->slots + b->warps_per_block * sizeof *b->warps);
}

size_t model_memory_bytes(const struct model_memory *m)
{
    size_t bytes = sizeof *m + model_l2_bytes(&m->l2) + model_slices_bytes(&m->slices) +
                   model_merging_bytes(&m->merging) + model_constant_groups_bytes(&m->constants) +
                   model_sampling_bytes(&m->sampling) + model_clock_bytes(&m->clock);
    bytes += blocks_bytes(&m->blocks) + blocks_count(&m->blocks) * sizeof *m->cta_slots.times;
    for (uint32_t i = 0; i < m->sm_capacity; i++)
        bytes +=
            sizeof m->sms[i] + model_l1_bytes(&m->sms[i].l1) + model_constants_bytes(&m->sms[i].constants);
    return bytes;
}

/* ---- a launch begins */

static void make_sms(struct model_memory *m, uint32_t count, struct model_l1_geometry geometry)
{
    release_sms(m);
    m->sms = sw_xcalloc(count, sizeof *m->sms);
    m->sm_capacity = count;
    m->l1_geometry = geometry;
    for (uint32_t i = 0; i < count; i++) {
        struct model_sm *sm = &m->sms[i];
        *sm = (struct model_sm){.number = i, .clock = &m->clock, .instrs = &m->instrs};
        model_l1_init(&sm->l1, &m->slices, &m->l1_fold, geometry, i);
        model_constants_init(&sm->constants, &m->constants);
    }
}

static void clear_sm(struct model_sm *sm)
{
    sm->used = false;
    sm->port = 0;
    model_l1_clear(&sm->l1);
    model_constants_clear(&sm->constants);
}

static void begin_sms(struct model_memory *m, const struct event_residency *residency)
{
    struct model_l1_geometry geometry = model_l1_geometry(&m->params.gpu, residency->l1_bytes);
    bool fits = m->l1_geometry.sets == geometry.sets && m->l1_geometry.ways == geometry.ways;
    if (m->sm_capacity != residency->sm_count || !fits) make_sms(m, residency->sm_count, geometry);
    m->l1_bytes = residency->l1_bytes;
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        if (m->sms[i].used) clear_sm(&m->sms[i]);
        model_l1_begin(&m->sms[i].l1, residency->l1_bytes >> EVENT_LINE_SHIFT);
    }
}

/* Each multiprocessor's group and part of L2, and its units that L1 and constants ask. */
static void connect_sms(struct model_memory *m)
{
    uint32_t groups = (uint32_t)m->params.gpu.merge_groups, group = 0;
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        struct model_l1 *l1 = &m->sms[i].l1;
        struct model_constants *constants = &m->sms[i].constants;
        struct model_reservation *units = m->clock.sms[i].units;
        while (group + 1 < groups && i >= event_group_begin(m->params.sm_count, groups, group + 1))
            group++;
        l1->group = constants->group = group;
        l1->partition = constants->partition = i >= m->l2.second_sms;
        l1->flights = groups ? &m->merging.groups[group] : NULL;
        l1->port.fill = &units[MODEL_FILL];
        l1->port.out = &units[MODEL_OUT];
        constants->lsu = &units[MODEL_LSU];
        l1->port.used = constants->used = &m->clock.used;
    }
}

static void instrs_begin(struct model_instrs *instrs, const struct event_kernel *kernel)
{
    enum { WORD_BYTES = 4 }; /* definition */
    instrs_release(instrs);
    instrs->count = kernel->instr_count;
    instrs->policies = sw_xcalloc(instrs->count + 1, 1);
    instrs->places = sw_xcalloc(instrs->count + 1, 1);
    instrs->sums = sw_xcalloc(instrs->count + 1, sizeof *instrs->sums);
    for (uint32_t i = 0; i < instrs->count; i++)
        instrs->policies[i] = (uint8_t)model_hint_of_l1(&kernel->instrs[i].isa);
    for (uint32_t i = 0; i < instrs->count; i++)
        instrs->places[i] = kernel->instrs[i].bytes && kernel->instrs[i].bytes < WORD_BYTES ? 2 : 1;
}

static void blocks_begin(struct model_blocks *blocks, const struct event_residency *residency)
{
    blocks_release(blocks);
    *blocks = (struct model_blocks){.sm_count = residency->sm_count,
                                    .blocks_per_sm = residency->blocks_per_sm,
                                    .warps_per_block = residency->warps_per_block};
    size_t count = blocks_count(blocks);
    blocks->slots = sw_xcalloc(count + 1, sizeof *blocks->slots);
    blocks->warps = sw_xcalloc(count * residency->warps_per_block + 1, sizeof *blocks->warps);
}

/* Where all is simulated, all of L2 is asked. */
static void apply_sampling(struct model_memory *m)
{
    if (!m->sampling.shift) model_l2_resize(&m->l2, 1);
    m->constants.share = m->sampling.share;
}

void model_memory_launch_begin(struct model_memory *m, const struct event_launch *launch,
                               const struct event_residency *residency, uint32_t sample_shift, bool cold)
{
    model_phases_clear(&m->phases);
    instrs_begin(&m->instrs, launch->kernel);
    m->result = (struct event_memory){.instr_count = m->instrs.count, .cold = cold};
    blocks_begin(&m->blocks, residency);
    begin_sms(m, residency);
    model_merging_clear(&m->merging);
    model_constant_groups_clear(&m->constants);
    model_l2_begin(&m->l2, launch->l2_fetch_bytes, cold);
    model_host_begin(&m->l2.host, launch);
    model_slices_begin(&m->slices);
    model_sampling_begin(&m->sampling, &m->l2, launch, residency, sample_shift, cold);
    apply_sampling(m);
    model_policy_begin(&m->l2, launch);
    model_clock_begin(&m->clock, residency->sm_count, m->instrs.count);
    connect_sms(m);
    model_cta_slots_begin(&m->cta_slots, blocks_count(&m->blocks));
}

/* ---- and is played */

void model_memory_detail_small(struct model_memory *m, const struct event_round *round)
{
    model_sampling_small(&m->sampling, round);
    apply_sampling(m);
}

void model_memory_set_accesses(struct model_memory *m, const struct event_set_access *accesses, size_t count)
{
    for (size_t i = 0; i < count; i++)
        model_address_set_wait(&m->sampling.address_set, &accesses[i]);
}

const struct event_progress *model_memory_progress(const struct model_memory *m)
{
    return &m->cta_slots.progress;
}

/* ---- results */

static uint32_t groups_seen(const struct model_memory *m)
{
    uint32_t seen = 0;
    for (uint32_t group = 0; group < m->constants.count; group++) {
        bool any = false;
        for (uint32_t sm = 0; sm < m->sm_capacity; sm++)
            any |= m->sms[sm].used && m->sms[sm].l1.group == group;
        seen += any;
    }
    return seen;
}

static void scale_results(struct model_memory *m, const struct event_launch *launch)
{
    if (!m->sampling.shift) return;
    model_sample_scale(&m->sampling, &m->rules, launch, m->instrs.sums);
    model_sample_scale_constants(&m->sampling, &m->constants.counts, groups_seen(m), m->constants.count);
}

/* Sectors that were written to DRAM, and those that wait in L2 to be. */
static void end_writes(struct event_memory *r, const struct model_l2 *l2, const struct model_written *sampled)
{
    struct model_written all = {.sectors = l2->dram_writes, .lines = l2->inserted + l2->passed};
    if (sampled)
        all = *sampled;
    else
        all.waiting = model_l2_dirty_sectors(l2);
    r->total.dram_writes = all.sectors;
    r->l2_writebacks = all.sectors + all.waiting;
    if (r->cold) r->total.dram_writes += model_l2_flush_leftover(l2, all.lines);
}

static void end_counts(struct event_memory *r, const struct model_constant_counts *constants,
                       struct model_channels *channels)
{
    r->constant_requests = constants->requests;
    r->constant_hits = constants->hits;
    r->constant_group_hits = constants->group_hits;
    r->constant_l2_reads = constants->l2_reads;
    model_channels_end(channels);
    r->dram_even = channels->even;
    r->dram_uneven = channels->uneven;
}

static void end_time(struct event_memory *r, struct model_clock *clock)
{
    r->cycles = model_is_timed(clock) ? model_later(clock->end, clock->slices->end) / MODEL_TICK : 0;
    r->waits = model_clock_waited(clock);
    r->intervals = (const struct event_stalls(*)[EVENT_INTERVALS])clock->intervals;
}

const struct event_memory *model_memory_launch_end(struct model_memory *m, const struct event_launch *launch)
{
    struct event_memory *r = &m->result;
    struct model_written sampled;
    const struct model_instrs *instrs = &m->instrs;
    scale_results(m, launch);
    for (uint32_t i = 0; i < instrs->count; i++)
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES; s++)
            event_memory_add(&r->total, &instrs->sums[i][s]);
    r->sample_shift = m->sampling.shift;
    if (r->sample_shift) sampled = model_sample_written(&m->sampling, &m->l2, instrs->count, instrs->sums);
    end_writes(r, &m->l2, r->sample_shift ? &sampled : NULL);
    end_counts(r, &m->constants.counts, &m->slices.dram.channels);
    if (r->sample_shift) r->confidence = model_sampling_confidence(&m->sampling);
    end_time(r, &m->clock);
    r->l1_bytes = m->l1_bytes;
    r->l2_bytes = m->params.l2_bytes;
    r->instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])instrs->sums;
    return r;
}
