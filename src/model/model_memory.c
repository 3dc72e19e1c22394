/* SPDX-License-Identifier: Apache-2.0 */
/* The memory model of a GPU: what it is made of, and what a launch's results are.
 *
 * Models: an L1 for each multiprocessor, of what shared memory leaves of it, forgotten at each launch; L2 and
 * DRAM for all; which multiprocessors stand together before L2; cache operators of loads.
 *
 * Does not model: instruction fetches and parameters, which take a few hundred sectors of L2 a launch; that
 * bulk copies ask no L1 (they count as misses there).
 *
 * Sources: gpus/NAME.ini, section [cache]; operators: PTX ISA, "Cache Operators", and reread_block of
 * tests/hw/memory (an H200 finds in L1 what .ca, .cs, .nc and the evict_first and evict_last priorities left
 * there, nothing of .cg, .cv, .lu, volatile, relaxed and no_allocate). */
#include "model_cache_priv.h"

#include <stdlib.h>
#include <string.h>

struct model_memory *model_memory_new(const struct arch_gpu *gpu, const struct arch_cc *cc)
{
    struct model_memory *m = sw_xcalloc(1, sizeof *m);
    model_l1_fold(&m->l1_fold);
    m->params = (struct model_params){
        .gpu = gpu->cache, .l2_bytes = gpu->l2_bytes, .sm_count = (uint32_t)gpu->sm_count};
    m->cc = cc;
    model_l2_init(&m->l2, &m->params);
    model_groups_new(m);
    return m;
}

static void release_sms(struct model_memory *m)
{
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        model_tags_release(&m->sms[i].l1.tags);
        model_constants_release(&m->sms[i].constants);
        free(m->sms[i].l1.comes);
    }
    free(m->sms);
    m->sms = NULL;
    m->sm_capacity = 0;
}

void model_memory_delete(struct model_memory *m)
{
    if (!m) return;
    release_sms(m);
    model_l2_release(&m->l2);
    model_sample_release(&m->sample);
    model_groups_delete(m);
    model_address_set_release(&m->address_set);
    model_clock_release(&m->clock);
    model_phases_clear(m);
    model_cta_slots_release(m);
    free(m->slots);
    free(m->warps);
    free(m->policies);
    free(m->sums);
    free(m);
}

size_t model_memory_bytes(const struct model_memory *m)
{
    size_t slots = (size_t)m->residency.sm_count * m->residency.blocks_per_sm;
    size_t bytes = sizeof *m + model_l2_bytes(&m->l2) + model_sample_bytes(&m->sample) +
                   model_address_set_bytes(&m->address_set);
    bytes += model_groups_bytes(m);
    bytes += slots * (sizeof *m->cta_slots.times + sizeof *m->slots +
                      m->residency.warps_per_block * sizeof *m->warps);
    bytes += model_clock_bytes(&m->clock);
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        const struct model_tags *tags = &m->sms[i].l1.tags;
        bytes += sizeof m->sms[i] + model_tags_bytes(tags) + model_constants_bytes(&m->sms[i].constants) +
                 (size_t)tags->sets * tags->ways * sizeof *m->sms[i].l1.comes;
    }
    return bytes;
}

static void make_sms(struct model_memory *m, uint32_t sets, uint32_t ways)
{
    release_sms(m);
    m->sms = sw_xcalloc(m->residency.sm_count, sizeof *m->sms);
    m->sm_capacity = m->residency.sm_count;
    m->l1_sets = sets;
    m->l1_ways = ways;
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        struct model_l1 *l1 = &m->sms[i].l1;
        model_tags_init(&l1->tags, sets, ways, (uint32_t)m->params.gpu.l1_victims, false);
        l1->sets = model_divisor(sets);
        l1->fold = m->params.gpu.l1_hash ? &m->l1_fold : NULL;
        model_constants_init(&m->sms[i].constants, &m->params);
        l1->comes = sw_xcalloc((size_t)sets * ways + 1, sizeof *l1->comes);
        l1->number = i;
        model_stores_begin(m, &l1->stores);
    }
}

/* What shared memory leaves changes the number of sets, or of ways where the number of sets is given. */
static void shape_l1(const struct model_memory *m, uint32_t *sets, uint32_t *ways)
{
    uint32_t lines = m->residency.l1_bytes >> EVENT_LINE_SHIFT;
    *sets = (uint32_t)m->params.gpu.l1_sets;
    *ways = (uint32_t)m->params.gpu.l1_ways;
    if (m->params.gpu.l1_hash) {
        if (!lines) *ways = 0;
        while (*sets & (*sets - 1)) /* what a file says may be no power of two */
            *sets &= *sets - 1;
        if (!*sets) *sets = 1;
        return;
    }
    if (!*sets && *ways && lines >= *ways) {
        *sets = lines / *ways;
        return;
    }
    while (*sets > 1 && lines % *sets)
        *sets /= 2; /* shared memory takes any multiple of 4 KiB */
    if (!*sets) *sets = 1;
    *ways = lines / *sets;
}

static void begin_sms(struct model_memory *m)
{
    uint32_t sets, ways;
    shape_l1(m, &sets, &ways);
    if (m->sm_capacity != m->residency.sm_count || m->l1_ways != ways || m->l1_sets != sets)
        make_sms(m, sets, ways);
    for (uint32_t i = 0; i < m->sm_capacity; i++) {
        struct model_sm *sm = &m->sms[i];
        model_l1_begin(m, &sm->l1, m->residency.l1_bytes >> EVENT_LINE_SHIFT);
        if (!sm->used) continue;
        sm->used = false;
        sm->seen = (struct model_seen){0};
        model_tags_clear(&sm->l1.tags);
        model_constants_clear(&sm->constants);
        memset(sm->l1.comes, 0, (size_t)sm->l1.tags.sets * sm->l1.tags.ways * sizeof *sm->l1.comes);
        model_stores_begin(m, &sm->l1.stores);
        sm->port = 0;
    }
}

static bool bypasses(const struct isa_instr *instr)
{
    static const uint16_t WORDS[] = {ISA_MOD_CG,      ISA_MOD_CV,      ISA_MOD_LU,   ISA_MOD_VOLATILE,
                                     ISA_MOD_RELAXED, ISA_MOD_ACQUIRE, ISA_MOD_BULK, ISA_MOD_L1__NO_ALLOCATE};
    for (size_t i = 0; i < SW_COUNT_OF(WORDS); i++)
        if (isa_has(instr, (enum isa_mod)WORDS[i])) return true;
    return false;
}

static enum model_policy policy_of(const struct isa_instr *instr)
{
    if (bypasses(instr)) return MODEL_BYPASS;
    if (isa_has(instr, ISA_MOD_L1__EVICT_FIRST) || isa_has(instr, ISA_MOD_CS)) return MODEL_CACHED_FIRST;
    return isa_has(instr, ISA_MOD_L1__EVICT_LAST) ? MODEL_CACHED_LAST : MODEL_CACHED;
}

static void begin_instrs(struct model_memory *m, const struct event_kernel *kernel)
{
    uint32_t count = kernel->instr_count;
    free(m->policies);
    free(m->sums);
    m->policies = sw_xcalloc(count + 1, 1);
    m->sums = sw_xcalloc(count + 1, sizeof *m->sums);
    for (uint32_t i = 0; i < count; i++)
        m->policies[i] = (uint8_t)policy_of(&kernel->instrs[i].isa);
    m->result = (struct event_memory){.instr_count = count};
}

static void set_sample(struct model_memory *m, uint32_t shift)
{
    uint32_t sms = m->residency.sm_count;
    uint64_t blocks = m->blocks, detailed = 0;
    m->sample_shift = shift;
    for (uint32_t sm = 0; sm < sms && sm < blocks; sm++)
        if (event_is_detailed(sm, sms, shift)) detailed += (blocks - sm + sms - 1) / sms;
    m->sample_share = detailed ? (double)detailed / (double)blocks : 1;
    if (!shift) model_l2_resize(&m->l2, 1);
}

static uint64_t memory_requests_of(const struct event_stream *stream)
{
    uint64_t sum = stream->request_count;
    for (uint32_t r = 0; r < stream->request_count; r++)
        sum += stream->requests[r].lines;
    return sum;
}

void model_memory_detail_small(struct model_memory *m, const struct event_round *round)
{
    uint64_t seen = 0;
    if (!m->sample_shift || m->begun) return;
    for (uint32_t i = 0; i < round->count; i++) {
        if (!round->streams[i].ended) return;
        seen += memory_requests_of(&round->streams[i]);
    }
    double warps = (double)m->blocks * m->residency.warps_per_block;
    if ((double)seen * warps <= (double)MODEL_ALL_REQUESTS * round->count) set_sample(m, 0);
}

void model_memory_launch_begin(struct model_memory *m, const struct event_launch *launch,
                               const struct event_residency *residency, uint32_t sample_shift, bool cold)
{
    size_t slots = (size_t)residency->sm_count * residency->blocks_per_sm;
    model_phases_clear(m);
    m->residency = *residency;
    m->blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    begin_instrs(m, launch->kernel);
    begin_sms(m);
    model_merge_begin(m);
    free(m->slots);
    free(m->warps);
    m->slots = sw_xcalloc(slots + 1, sizeof *m->slots);
    m->warps = sw_xcalloc(slots * residency->warps_per_block + 1, sizeof *m->warps);
    model_groups_clear(m);
    model_l2_begin(&m->l2, launch->l2_fetch_bytes, cold);
    model_host_begin(&m->l2.host, launch);
    set_sample(m, sample_shift);
    model_policy_begin(&m->l2, launch);
    if (sample_shift) model_sample_begin(&m->sample, m->l2.fetch_sectors);
    if (sample_shift) model_address_set_begin(m, launch, cold);
    m->costs = (struct model_costs){0};
    model_clock_begin(m, launch->kernel->instr_count);
    model_cta_slots_begin(m);
    m->begun = false;
    m->result.cold = cold;
}

/* Sectors that were written to DRAM, and those that wait in L2 to be. */
static void end_writes(struct model_memory *m)
{
    struct event_memory *r = &m->result;
    uint64_t lines = m->l2.inserted + m->l2.passed;
    r->total.dram_writes = m->l2.dram_writes;
    r->l2_writebacks = m->l2.dram_writes + model_l2_dirty_sectors(&m->l2);
    if (m->sample_shift) lines = model_sample_writes(m);
    if (r->cold) r->total.dram_writes += model_l2_flush_leftover(&m->l2, lines);
}

const struct event_memory *model_memory_launch_end(struct model_memory *m, const struct event_launch *launch)
{
    struct event_memory *r = &m->result;
    if (m->sample_shift) model_sample_scale(m, launch);
    if (m->sample_shift) model_constants_scale(m, 1 / m->sample_share);
    for (uint32_t i = 0; i < r->instr_count; i++)
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES; s++)
            event_memory_add(&r->total, &m->sums[i][s]);
    end_writes(m);
    model_channels_end(m);
    if (m->sample_shift) r->confidence = model_confidence(m);
    r->sample_shift = m->sample_shift;
    r->cycles = model_is_timed(m) ? m->clock.end / MODEL_TICK : 0;
    r->waits = model_clock_waited(&m->clock);
    r->intervals = (const struct event_stalls(*)[EVENT_INTERVALS])m->clock.intervals;
    r->l1_bytes = m->residency.l1_bytes;
    r->l2_bytes = m->params.l2_bytes;
    r->instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])m->sums;
    return r;
}

uint32_t model_memory_sample_shift(uint64_t blocks, uint64_t threads, const struct event_residency *residency)
{
    uint32_t shift = 0;
    if (!residency->divisible || blocks < residency->sm_count || threads <= MODEL_ALL_THREADS) return 0;
    while (threads >> shift > MODEL_DETAILED_THREADS && shift < MODEL_MOST_SHIFT)
        shift++;
    return shift;
}
