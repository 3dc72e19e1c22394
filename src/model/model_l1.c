/* SPDX-License-Identifier: Apache-2.0 */
/* L1 of a multiprocessor; its stores on their way out are model_stores.c's.
 *
 * Models: 128-byte lines of four sectors, filled sector by sector; a sector that is on its way counts as
 * found (hardware counts it so), and comes to those who wait for it one after the other, each as
 * long as L1 takes to put its lines together. Stores go through to L2 and leave their sectors in L1 (compute
 * capability 7.0 and later), in lines that go first when they were not there, or drop them; atomics drop
 * them. Slices of L2 lie nearer to some multiprocessors than to others.
 *
 * Lines that .L1::evict_first or .cs read go first, those that .L1::evict_last read after all others.
 *
 * Does not model: which of the bytes of a sector a store wrote (a later load of the others finds it); that
 * another access to a line of evict_last might end its priority; the separate read-only cache of cc 3.x to
 * 6.x.
 *
 * Sources: tests/hw/memory on an H200: reread (8 ways, of which the one that was not used for longest goes,
 * and as many sets as that leaves: runs of 2 KiB lose lines from half of the size on) and walk_ca (lines in
 * sequence fill sets evenly: nothing is lost up to 0.95 of the size, all at 1.3 of it; 28 ways of 64 sets, of
 * which one of the three oldest goes, follow the walks of one lane as well, but lose too little of reread),
 * reread_block (operators), l1_priority of hints.def (priorities), read_write_read, write_read and
 * softmax_rows (stores), read_atomic_read; copy_columns (warps that read the same 16 lines do not store to
 * them at once: the fewer lines they read, the more of their stores meet); the deciles of latencies in
 * probe.txt (297 to 368 cycles from one multiprocessor to lines in L2). */
#include "model_cache_priv.h"

#include <string.h>

/* Lines in runs of as many as there are sets: each run fills all sets, from a place of its own. */
static uint32_t set_of(const struct model_l1 *l1, uint64_t line)
{
    uint32_t run = model_quotient((uint32_t)line, l1->sets);
    uint32_t within = (uint32_t)line - run * l1->sets.divisor;
    return model_remainder(within + (uint32_t)(model_mix(run ^ (line & ~0xffffffffull)) >> 33), l1->sets);
}

bool model_l1_mostly_finds(const struct event_memory_sums *sums)
{
    enum { PARTS = 4 };
    return sums->l1_hits * PARTS > sums->l1_sectors * (PARTS - 1);
}

uint32_t model_l1_set(const struct model_l1 *l1, uint64_t line)
{
    return l1->tags.ways ? set_of(l1, line) : 0;
}

void model_l1_prefetch(struct model_memory *m, const struct model_sm *sm, uint64_t asked, uint32_t set,
                       uint32_t kind, bool beyond)
{
    uint64_t line = event_line_number(asked);
    const struct model_l1 *l1 = &sm->l1;
    bool load = kind == EVENT_KIND_LOAD || kind == EVENT_KIND_LOAD_L2;
    if (l1->tags.ways) {
        model_tags_prefetch(&l1->tags, set);
        if (kind == EVENT_KIND_LOAD) __builtin_prefetch(&l1->comes[(size_t)set * l1->tags.ways], 1);
    }
    if (kind == EVENT_KIND_STORE) model_stores_prefetch(&l1->stores, line);
    if (!beyond) return;
    model_l2_prefetch(&m->l2, l1->partition, line);
    if (load && m->params.gpu.merge_groups) model_meet_prefetch(m, l1, line, asked & MODEL_ALL_SECTORS);
    if (model_is_timed(m)) model_clock_prefetch(&m->clock, line, load);
}

enum { KEPT = 1 << 7 }; /* beside a line's sectors: of evict_last */

/* The line that goes next: the oldest that is not kept, or the oldest. */
static struct model_place victim_of(struct model_tags *tags, uint32_t set)
{
    struct model_place at = model_tags_victim(tags, set);
    if (!(*model_valid(tags, at) & KEPT)) return at;
    uint8_t ways[UINT8_MAX + 1];
    model_tags_order(tags, at.set, ways);
    for (uint32_t i = 0; i < tags->ways; i++) {
        struct model_place other = {at.set, ways[i]};
        if (!(*model_valid(tags, other) & KEPT)) return other;
    }
    return at;
}

static struct model_place place_of(struct model_tags *tags, uint64_t line, uint32_t set)
{
    struct model_place at = model_tags_find(tags, line, set);
    if (at.set) return at;
    at = victim_of(tags, set);
    model_tags_take(tags, at, line);
    return at;
}

/* Slices of L2 lie nearer to some multiprocessors than to others: an eighth of its latency more or less. */
static model_time way_to(const struct model_memory *m, const struct model_l1 *l1, uint64_t line)
{
    enum { SLICE_LINES = 2, NUMBERS = 16, HASH = 48, SHARE = 8 };
    uint64_t hash = model_mix((line >> SLICE_LINES) << NUMBERS | l1->number) >> HASH;
    uint64_t most = m->params.gpu.l2_cycles * MODEL_TICK / SHARE;
    return (hash * 2 * most >> (64 - HASH)) - most;
}

static model_time read_l2(struct model_memory *m, struct model_l1 *l1, uint64_t line, uint32_t mask,
                          model_time now, struct event_memory_sums *sums)
{
    uint64_t fabric = model_fabric(sums), dram = sums->dram_reads;
    model_time latency = model_l2_read(&m->l2, l1->partition, line, mask, now, sums);
    if (!model_is_timed(m)) return latency;
    latency += way_to(m, l1, line); /* may be less than 0 */
    latency += model_clock_read(m, l1->number, line, model_sectors(mask), model_fabric(sums) - fabric, now);
    bool far = sums->dram_reads != dram && !m->l2.was_brought;
    latency = model_clock_line(m, line, far, now + latency) - now;
    return latency;
}

static model_time ask_l2(struct model_memory *m, struct model_l1 *l1, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &m->params.gpu;
    if (!p->merge_groups) return read_l2(m, l1, line, mask, now, sums);
    struct model_flight *flight = model_meet_find(m, l1, line, mask);
    if (model_meet_joins(flight, l1->number, line, mask, p->merge_most, now)) {
        model_time least = p->l2_cycles * MODEL_TICK;
        model_time rest = model_is_timed(m) && flight->comes > now ? flight->comes - now : 0;
        return rest > least ? rest : least;
    }
    model_time latency = read_l2(m, l1, line, mask, now, sums);
    model_meet_begins(flight, l1->number, line, mask, now, now + latency);
    return latency;
}

model_time model_l1_load(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set,
                         uint32_t mask, enum model_policy policy, model_time now,
                         struct event_memory_sums *sums)
{
    struct model_tags *tags = &sm->l1.tags;
    sums->l1_sectors += model_sectors(mask);
    if (policy == MODEL_BYPASS || !tags->ways) return ask_l2(m, &sm->l1, line, mask, now, sums);
    struct model_place at = place_of(tags, line, set);
    uint8_t *valid = model_valid(tags, at);
    model_time *comes = &sm->l1.comes[(size_t)set * tags->ways + at.way];
    uint32_t missing = mask & ~(uint32_t)*valid;
    *valid |= (uint8_t)mask;
    if (policy == MODEL_CACHED_LAST) *valid |= KEPT;
    if (policy == MODEL_CACHED_FIRST) {
        *valid &= (uint8_t)~KEPT;
        model_tags_make_oldest(tags, at);
    }
    sums->l1_hits += model_sectors(mask & ~missing);
    model_time latency = m->params.gpu.l1_cycles * MODEL_TICK;
    if (missing) {
        latency = ask_l2(m, &sm->l1, line, missing, now, sums);
        *comes = now + latency;
    } else if (*comes > now + latency) { /* found, but still on its way */
        if (model_is_timed(m)) *comes += m->clock.turn;
        latency = *comes - now;
    }
    return latency;
}

/* What a store leaves in L1. */
static void store_in_l1(struct model_memory *m, struct model_l1 *l1, uint64_t line, uint32_t set,
                        uint32_t mask, struct event_memory_sums *sums)
{
    struct model_tags *tags = &l1->tags;
    struct model_place at = model_tags_find(tags, line, set);
    if (!at.set && m->params.gpu.l1_stores) {
        at = victim_of(tags, set);
        model_tags_take(tags, at, line);
        model_tags_make_oldest(tags, at);
    }
    if (!at.set) return;
    uint8_t *valid = model_valid(tags, at);
    sums->l1_hits += model_sectors(mask & *valid);
    if (m->params.gpu.l1_stores)
        *valid |= (uint8_t)mask;
    else
        *valid &= (uint8_t)~mask;
}

void model_l1_store(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set, uint32_t mask,
                    struct model_part part, const struct model_writer *writer, model_time now,
                    struct event_memory_sums *sums)
{
    sums->l1_sectors += model_sectors(mask);
    if (sm->l1.tags.ways) store_in_l1(m, &sm->l1, line, set, mask, sums);
    model_stores_make(m, &sm->l1, line, mask, part, writer, now, sums);
}

model_time model_l1_atomic(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set,
                           uint32_t mask, model_time now, struct event_memory_sums *sums)
{
    struct model_tags *tags = &sm->l1.tags;
    if (tags->ways) {
        struct model_place at = model_tags_find(tags, line, set);
        if (at.set) *model_valid(tags, at) &= (uint8_t)~mask;
    }
    uint64_t fabric = model_fabric(sums);
    model_time latency = model_l2_atomic(&m->l2, sm->l1.partition, line, mask, now, sums);
    if (!model_is_timed(m)) return latency;
    model_time delay =
        model_clock_atomic(m, sm->l1.number, line, model_sectors(mask), model_fabric(sums) - fabric, now);
    latency += delay;
    if (now + latency > m->clock.end) m->clock.end = now + latency;
    if (now + delay > m->clock.stored) m->clock.stored = now + delay;
    return latency;
}
