/* SPDX-License-Identifier: Apache-2.0 */
/* L1 of a multiprocessor; its stores on their way out are model_stores.c's.
 *
 * Models: 128-byte lines of four sectors, filled sector by sector; a sector that is on its way counts as
 * found (hardware counts it so), and comes to those who wait for it one after the other, each as
 * long as L1 takes to put its lines together. Stores go through to L2 and leave their sectors in L1 (compute
 * capability 7.0 and later; whole lines that were not there go first), or drop them; atomics drop them.
 * Slices of L2 lie nearer to some multiprocessors than to others.
 *
 * Hopper (l1_hash): 512 sets of 4 ways, whatever shared memory takes, found by exclusive or of the bits of
 * the line's number; of a set the one that was not used for longest goes. All sets together have as many
 * lines as shared memory leaves, less 64; when there are 15 more, 20 go: the oldest of sets in turn, and of
 * one set of any. Other GPUs: as many sets as the size gives, or ways.
 *
 * Lines that .L1::evict_first or .cs read go first, those that .L1::evict_last read after all others.
 *
 * Does not model: which of the bytes of a sector a store wrote (a later load of the others finds it); that
 * another access to a line of evict_last might end its priority; the separate read-only cache of cc 3.x to
 * 6.x; what sets bits of addresses above 32 GiB choose, in which order sets give up lines.
 *
 * Sources: tests/hw/memory on an H200: lines.c, which found what L1 holds after 447 sequences of accesses
 * (sets: chance of 2^11 to 2^28 lines is followed line by line but for 0.3 % where lines are used again;
 * numbers: walk of 1400 to 3000 lines, beside 0 to 227 KiB of shared memory), walk_ca of three passes (hits
 * 3304, 2712, 1836, 684, 428 of 3500 to 4096 possible, here 3311, 2725, 1642, 747, 443; with little L1 264,
 * 228, 180, 164, 160 of 400 to 600, here 265, 234, 193, 164, 92), reread_block (operators), l1_priority of
 * hints.def (priorities), read_write_read, write_read, softmax_rows and stored of lines.c (stores),
 * read_atomic_read; copy_columns (warps that read the same 16 lines do not store to them at once: the fewer
 * lines they read, the more of their stores merge); the deciles of latencies in probe.txt (297 to 368 cycles
 * from one multiprocessor to lines in L2). */
#include "model/cache/model_l1.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets */

/* Lines in runs of as many as there are sets: each run fills all sets, from a place of its own. */
static uint32_t in_runs(const struct model_l1 *l1, uint64_t line)
{
    uint32_t run = model_quotient((uint32_t)line, l1->sets);
    uint32_t within = (uint32_t)line - run * l1->sets.divisor;
    return model_remainder(within + (uint32_t)(model_mix(run ^ (line & ~0xffffffffull)) >> 33), l1->sets);
}

enum { SET_BITS = 9 }; /* measured (lines.c): of a line's number, its set but for what those above add */

/* Bits 9 to 27: which of those of the set they change, measured (lines.c). Bit 28: assumed, nobody looked. */
void model_l1_fold(struct model_fold *fold)
{
    /* measured: the above */
    static const uint16_t CHANGES[2 * MODEL_FOLD_BITS] = {0x071, 0x01b, 0x176, 0x149, 0x039, 0x1e1, 0x1dd,
                                                          0x0ee, 0x194, 0x08d, 0x1ac, 0x0f4, 0x12f, 0x082,
                                                          0x0f0, 0x115, 0x1fc, 0x15f, 0x13d, 0x0a3};
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t i = 0; i < 1u << MODEL_FOLD_BITS; i++) {
            uint32_t change = 0;
            for (uint32_t bit = 0; bit < MODEL_FOLD_BITS; bit++)
                if (i >> bit & 1) change ^= CHANGES[half * MODEL_FOLD_BITS + bit];
            fold->of[half][i] = (uint16_t)change;
        }
}

static uint32_t hashed(const struct model_l1 *l1, uint64_t line)
{
    enum { MASK = (1 << MODEL_FOLD_BITS) - 1 }; /* definition */
    uint64_t high = line >> SET_BITS, beyond = high >> 2 * MODEL_FOLD_BITS;
    uint32_t set =
        (uint32_t)line ^ l1->fold->of[0][high & MASK] ^ l1->fold->of[1][high >> MODEL_FOLD_BITS & MASK];
    if (beyond) set ^= (uint32_t)model_mix(beyond);
    return set & (l1->tags.sets - 1);
}

uint32_t model_l1_set(const struct model_l1 *l1, uint64_t line)
{
    if (!l1->tags.ways) return 0;
    return l1->fold ? hashed(l1, line) : in_runs(l1, line);
}

bool model_l1_mostly_finds(const struct event_memory_sums *sums)
{
    enum { PARTS = 4 }; /* implementation: what the host fetches ahead, no result */
    return sums->l1_hits * PARTS > sums->l1_sectors * (PARTS - 1);
}

void model_l1_prefetch(const struct model_l1 *l1, uint64_t asked, uint32_t set, uint32_t kind, bool beyond)
{
    uint64_t line = event_line_number(asked);
    bool load = kind == EVENT_KIND_LOAD || kind == EVENT_KIND_LOAD_L2;
    if (l1->tags.ways) {
        model_tags_prefetch(&l1->tags, set);
        if (kind == EVENT_KIND_LOAD) __builtin_prefetch(&l1->comes[(size_t)set * l1->tags.ways], 1);
    }
    if (kind == EVENT_KIND_STORE) model_stores_prefetch(&l1->stores, line);
    if (!beyond) return;
    model_l2_prefetch(l1->slices->l2, l1->partition, line);
    if (load && l1->flights) model_merge_prefetch(l1->flights, line);
    if (l1->slices->l2->timed) model_slices_prefetch(l1->slices, line, load);
}

/* ---- a launch */

struct model_l1_geometry model_l1_geometry(const struct arch_cache *gpu, uint32_t bytes)
{
    uint32_t lines = bytes >> EVENT_LINE_SHIFT, sets = (uint32_t)gpu->l1_sets, ways = (uint32_t)gpu->l1_ways;
    if (gpu->l1_hash) {
        while (sets & (sets - 1)) /* what a file says may be no power of two */
            sets &= sets - 1;
        return (struct model_l1_geometry){sets ? sets : 1, lines ? ways : 0};
    }
    if (!sets && ways && lines >= ways) return (struct model_l1_geometry){lines / ways, ways};
    while (sets > 1 && lines % sets)
        sets /= 2; /* shared memory takes any multiple of 4 KiB */
    if (!sets) sets = 1;
    return (struct model_l1_geometry){sets, lines / sets};
}

void model_l1_init(struct model_l1 *l1, struct model_slices *slices, const struct model_fold *fold,
                   struct model_l1_geometry geometry, uint32_t number)
{
    const struct arch_cache *gpu = &slices->params->gpu;
    *l1 = (struct model_l1){.number = number, .gpu = gpu, .slices = slices};
    model_tags_init(&l1->tags, geometry.sets, geometry.ways, (uint32_t)gpu->l1_victims, false);
    l1->sets = model_divisor(geometry.sets);
    l1->fold = gpu->l1_hash ? fold : NULL;
    l1->comes = sw_xcalloc((size_t)geometry.sets * geometry.ways + 1, sizeof *l1->comes);
    model_stores_begin(&l1->stores, gpu->store_merge_lines);
}

void model_l1_release(struct model_l1 *l1)
{
    model_tags_release(&l1->tags);
    free(l1->comes);
}

static size_t comes_bytes(const struct model_l1 *l1)
{
    return (size_t)l1->tags.sets * l1->tags.ways * sizeof *l1->comes;
}

size_t model_l1_bytes(const struct model_l1 *l1)
{
    return model_tags_bytes(&l1->tags) + comes_bytes(l1);
}

void model_l1_clear(struct model_l1 *l1)
{
    model_tags_clear(&l1->tags);
    memset(l1->comes, 0, comes_bytes(l1));
    model_stores_begin(&l1->stores, l1->gpu->store_merge_lines);
}

/* ---- which line goes */

enum { KEPT = 1 << 7 }; /* implementation: beside a line's sectors: of evict_last */

/* The line that goes next: the oldest that is not kept, or the oldest. */
static struct model_tag_ref victim_of(struct model_tags *tags, uint32_t set)
{
    struct model_tag_ref at = model_tags_victim(tags, set);
    if (!(*model_valid(tags, at) & KEPT)) return at;
    uint8_t ways[UINT8_MAX + 1];
    model_tags_order(tags, at.set, ways);
    for (uint32_t i = 0; i < tags->ways; i++) {
        struct model_tag_ref other = {at.set, ways[i]};
        if (!(*model_valid(tags, other) & KEPT)) return other;
    }
    return at;
}

void model_l1_begin(struct model_l1 *l1, uint32_t lines)
{
    const struct arch_cache *p = l1->gpu;
    l1->lines = 0;
    l1->port.held = 0;
    l1->most = lines > p->l1_spare_lines ? lines - (uint32_t)p->l1_spare_lines : lines;
    l1->most += (uint32_t)p->l1_slack_lines;
    l1->hand = (uint32_t)model_mix(l1->number);
}

/* All lines that there may be are there: a hand that goes round the sets, in an order that is not that of
 * lines, takes the oldest line of each; and one of them is of any set. */
static void make_space(struct model_l1 *l1)
{
    enum { STEP = 141 }; /* assumed: odd, so that all sets have their turn */
    uint32_t sets = l1->tags.sets, wanted = (uint32_t)l1->gpu->l1_freed_lines, gone = 0;
    gone += model_tags_drop(&l1->tags,
                            (uint32_t)model_mix(l1->hand ^ (uint64_t)l1->number << 32) & (sets - 1), KEPT);
    for (uint32_t tries = 0; gone < wanted && tries < 2 * sets;
         tries++) /* what is kept goes in the second round */
        gone += model_tags_drop(&l1->tags, l1->hand++ * STEP & (sets - 1), tries < sets ? KEPT : 0);
    l1->lines -= gone;
}

/* A place for a line that is not there. */
static struct model_tag_ref new_tag(struct model_l1 *l1, uint64_t line, uint32_t set)
{
    if (l1->fold && l1->lines >= l1->most) make_space(l1);
    struct model_tag_ref at = victim_of(&l1->tags, set);
    l1->lines += model_is_empty(at);
    model_tags_take(&l1->tags, at, line);
    return at;
}

static struct model_tag_ref tag_of(struct model_l1 *l1, uint64_t line, uint32_t set)
{
    struct model_tag_ref at = model_tags_find(&l1->tags, line, set);
    return at.set ? at : new_tag(l1, line, set);
}

/* Slices of L2 lie nearer to some multiprocessors than to others: an eighth of its latency more or less,
 * measured (deciles of probe.txt). */
static model_time way_to(const struct model_l1 *l1, uint64_t line)
{
    enum { SLICE_LINES = 2, NUMBERS = 16, HASH = 48, SHARE = 8 }; /* measured: SHARE; implementation: bits */
    uint64_t hash = model_mix((line >> SLICE_LINES) << NUMBERS | l1->number) >> HASH;
    uint64_t most = l1->gpu->l2_cycles * MODEL_TICK / SHARE;
    return (hash * 2 * most >> (64 - HASH)) - most;
}

/* What L2 answers; stays: how long the request is at L2 for longer than one that finds its line at once. */
static model_time read_l2(struct model_l1 *l1, uint64_t line, uint32_t mask, model_time now,
                          struct event_memory_sums *sums, model_time *stays)
{
    struct model_slices *slices = l1->slices;
    uint64_t fabric = model_fabric(sums), dram = sums->dram_reads;
    model_time latency = model_l2_read(slices->l2, l1->partition, line, mask, now, sums);
    *stays = latency - l1->gpu->l2_cycles * MODEL_TICK;
    if (!slices->l2->timed) return latency;
    model_time queue =
        model_slices_read(slices, &l1->port, line, model_sectors(mask), model_fabric(sums) - fabric, now);
    model_time at = now + latency + way_to(l1, line) + queue; /* the way may be less than 0 */
    bool far = sums->dram_reads != dram && !slices->l2->was_brought;
    model_time comes = model_slices_line(slices, line, far, at);
    *stays += (slices->dram.there > now ? slices->dram.there - now : 0) + comes - at;
    return comes - now;
}

static model_time ask_l2(struct model_l1 *l1, uint64_t line, uint32_t mask, model_time now,
                         struct event_memory_sums *sums)
{
    const struct arch_cache *p = l1->gpu;
    model_time stays;
    if (!l1->flights) return read_l2(l1, line, mask, now, sums, &stays);
    struct model_flight *flight = model_merge_find(l1->flights, line);
    if (model_merge_joins(flight, l1->number, line, mask, p->merge_most, now)) {
        model_time least = p->l2_cycles * MODEL_TICK;
        model_time rest = l1->slices->l2->timed && flight->comes > now ? flight->comes - now : 0;
        return rest > least ? rest : least;
    }
    model_time latency = read_l2(l1, line, mask, now, sums, &stays);
    *flight = (struct model_flight){.line = line,
                                    .mask = (uint8_t)mask,
                                    .count = 1,
                                    .sms = model_merge_bit(l1->number),
                                    .asked = now,
                                    .window = stays + p->merge_cycles * MODEL_TICK,
                                    .comes = now + latency};
    return latency;
}

model_time model_l1_load(struct model_l1 *l1, const struct model_line *asked, enum model_policy policy,
                         model_time now, struct event_memory_sums *sums)
{
    struct model_tags *tags = &l1->tags;
    uint64_t line = asked->line;
    uint32_t mask = asked->mask;
    sums->l1_sectors += model_sectors(mask);
    if (policy == MODEL_BYPASS || !tags->ways) return ask_l2(l1, line, mask, now, sums);
    struct model_tag_ref at = tag_of(l1, line, asked->set);
    uint8_t *valid = model_valid(tags, at);
    model_time *comes = &l1->comes[(size_t)asked->set * tags->ways + at.way];
    uint32_t missing = mask & ~(uint32_t)*valid;
    *valid |= (uint8_t)mask;
    if (policy == MODEL_CACHED_LAST) *valid |= KEPT;
    if (policy == MODEL_CACHED_FIRST) {
        *valid &= (uint8_t)~KEPT;
        model_tags_make_oldest(tags, at);
    }
    sums->l1_hits += model_sectors(mask & ~missing);
    model_time latency = l1->gpu->l1_cycles * MODEL_TICK;
    if (missing) {
        latency = ask_l2(l1, line, missing, now, sums);
        *comes = now + latency;
    } else if (*comes > now + latency) { /* found, but still on its way */
        if (l1->slices->l2->timed) *comes += l1->line_wait;
        latency = *comes - now;
    }
    return latency;
}

/* What a store leaves in L1. */
static void store_in_l1(struct model_l1 *l1, const struct model_line *asked, struct event_memory_sums *sums)
{
    struct model_tags *tags = &l1->tags;
    uint32_t mask = asked->mask;
    struct model_tag_ref at = model_tags_find(tags, asked->line, asked->set);
    if (!at.set && l1->gpu->l1_stores) {
        at = new_tag(l1, asked->line, asked->set);
        if (mask == MODEL_ALL_SECTORS || !l1->fold) model_tags_make_oldest(tags, at);
    }
    if (!at.set) return;
    uint8_t *valid = model_valid(tags, at);
    sums->l1_hits += model_sectors(mask & *valid);
    if (l1->gpu->l1_stores)
        *valid |= (uint8_t)mask;
    else
        *valid &= (uint8_t)~mask;
}

void model_l1_store(struct model_l1 *l1, const struct model_line *asked, struct model_part part,
                    const struct model_writer *writer, model_time now, struct event_memory_sums *sums)
{
    sums->l1_sectors += model_sectors(asked->mask);
    if (l1->tags.ways) store_in_l1(l1, asked, sums);
    model_stores_make(l1, asked, part, writer, now, sums);
}

model_time model_l1_atomic(struct model_l1 *l1, const struct model_line *asked, model_time now,
                           struct event_memory_sums *sums)
{
    struct model_tags *tags = &l1->tags;
    struct model_slices *slices = l1->slices;
    uint32_t mask = asked->mask;
    if (tags->ways) {
        struct model_tag_ref at = model_tags_find(tags, asked->line, asked->set);
        if (at.set) *model_valid(tags, at) &= (uint8_t)~mask;
    }
    uint64_t fabric = model_fabric(sums);
    model_time latency = model_l2_atomic(slices->l2, l1->partition, asked->line, mask, now, sums);
    if (!slices->l2->timed) return latency;
    model_time delay = model_slices_atomic(slices, &l1->port, asked->line, model_sectors(mask),
                                           model_fabric(sums) - fabric, now);
    latency += delay;
    model_slices_stored(slices, now + delay, now + latency);
    return latency;
}
