/* SPDX-License-Identifier: Apache-2.0 */
/* L2 and DRAM.
 *
 * Models: one or two partitions, each with sectored sets of its own. A line has one home; the other partition
 * keeps a copy of what its own multiprocessors read, so that such lines take room twice. What DRAM and the
 * other partition deliver is a group of sectors (64 bytes by default). Stores and atomics go to the home and
 * stay there until their line is thrown out or too many are dirty; nothing is read for a store, but a sector
 * that was written in part is filled from DRAM before it leaves, and only so many lines may hold such
 * sectors. DRAM channels serve one sector after the other, for times only.
 *
 * Does not model: which bytes of a sector were written: two stores in part count as one of the whole; slices
 * of a partition; compression; what the driver or an earlier program left dirty.
 *
 * Sources: tests/hw/memory on an H200: walk_cg (64 bytes), pair_read (both partitions read DRAM's data once
 * and hand it over: lts__t_sectors_srcunit_ltcfabric), reread (40 of 60 MB stay when everything is read once
 * by one multiprocessor), fill (about 26.7 MB stay dirty, and
 * 60000 lines with sectors written in part), red_linear (an atomic reads its sector alone). */
#include "model_cache_priv.h"

#include <stdlib.h>
#include <string.h>

static void queue_init(struct model_queue *queue, uint64_t most)
{
    queue->most = most ? (uint32_t)most : 1;
    queue->room = queue->most + 2;
    queue->entries = sw_xcalloc(queue->room, sizeof *queue->entries);
}

static void queue_clear(struct model_queue *queue)
{
    queue->first = queue->count = 0;
}

void model_l2_init(struct model_l2 *l2, const struct model_params *params)
{
    *l2 = (struct model_l2){.params = params, .partitions = params->gpu.l2_partitions > 1 ? 2 : 1};
    uint64_t lines = (params->l2_bytes >> EVENT_LINE_SHIFT) / l2->partitions;
    uint32_t ways = params->gpu.l2_ways && lines >= params->gpu.l2_ways ? (uint32_t)params->gpu.l2_ways : 1;
    queue_init(&l2->dirty, lines * l2->partitions * params->gpu.l2_dirty_permille / 1000);
    queue_init(&l2->partial, lines * l2->partitions * params->gpu.l2_partial_permille / 1000);
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_init(&l2->part[p], lines >= ways ? (uint32_t)(lines / ways) : 1, ways,
                        (uint32_t)params->gpu.l2_victims, true);
    l2->channels = model_divisor((uint32_t)params->gpu.dram_channels);
}

void model_l2_release(struct model_l2 *l2)
{
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_release(&l2->part[p]);
    free(l2->dirty.entries);
    free(l2->partial.entries);
}

void model_l2_begin(struct model_l2 *l2, uint32_t sample_shift, bool cold)
{
    for (uint32_t p = 0; p < l2->partitions && (cold || sample_shift != l2->shift); p++)
        model_tags_clear(&l2->part[p]);
    if (cold || sample_shift != l2->shift) {
        queue_clear(&l2->dirty);
        queue_clear(&l2->partial);
    }
    l2->shift = sample_shift;
    l2->dram_writes = l2->inserted = 0;
    memset(l2->channel_free, 0, sizeof l2->channel_free);
}

/* Runs of 16 lines are spread by chance, the lines of a run evenly. */
static uint32_t set_of(const struct model_l2 *l2, uint64_t line)
{
    uint32_t sets = l2->part[0].sets >> l2->shift;
    uint32_t runs = sets >= 16 ? sets / 16 : 1;
    uint64_t run = (uint32_t)model_mix(line >> 4);
    uint32_t set = (uint32_t)(run * runs >> 32) * 16 + (uint32_t)(line & 15);
    return set < sets || sets == 0 ? set : set % sets; /* with less than 16 sets alone */
}

static uint32_t home_of(const struct model_l2 *l2, uint64_t line)
{
    return (uint32_t)(model_mix(line >> 2) >> 40) & (l2->partitions - 1);
}

/* The groups of sectors that DRAM delivers for these. */
static uint32_t widened(const struct model_l2 *l2, uint32_t mask)
{
    switch (l2->params->gpu.l2_fetch_sectors) {
    case 1: return mask;
    case 2: return (mask & 3 ? 3u : 0) | (mask & 12 ? 12u : 0);
    default: return mask ? MODEL_ALL_SECTORS : 0;
    }
}

/* What a line's departure costs: sectors written in part are read first. */
static void write_back(struct model_l2 *l2, struct model_tags *tags, struct model_place at,
                       struct event_memory_sums *sums)
{
    uint8_t *dirty = model_dirty(tags, at), *partial = model_partial(tags, at);
    sums->dram_reads += model_sectors(*partial);
    l2->dram_writes += model_sectors(*dirty);
    *dirty = *partial = 0;
}

static struct model_place place_of(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t set,
                                   struct event_memory_sums *sums)
{
    struct model_tags *tags = &l2->part[partition];
    struct model_place at = model_tags_find(tags, line, set);
    if (at.set) return at;
    at = model_tags_victim(tags, set);
    write_back(l2, tags, at, sums);
    model_tags_take(tags, at, line);
    l2->inserted++;
    return at;
}

static uint32_t after(const struct model_queue *queue, uint32_t place, uint32_t steps)
{
    place += steps;
    return place >= queue->room ? place - queue->room : place;
}

/* A line joins the queue; the oldest that is still what the queue is for leaves when there are too many. */
static void queue_push(struct model_l2 *l2, struct model_queue *queue, uint32_t partition, uint32_t set,
                       struct model_place at, struct event_memory_sums *sums)
{
    uint32_t most = queue->most >> l2->shift;
    queue->entries[after(queue, queue->first, queue->count++)] =
        (struct model_queue_entry){at.set->keys[at.way], set, (uint8_t)partition, (uint8_t)at.way};
    const struct model_queue_entry *soon = &queue->entries[after(queue, queue->first, 2)];
    if (queue->count > most) model_tags_prefetch(&l2->part[soon->partition], soon->set);
    while (queue->count > most) {
        struct model_queue_entry e = queue->entries[queue->first];
        struct model_tags *tags = &l2->part[e.partition];
        struct model_place old = {model_tags_set(tags, e.set), e.way};
        const uint8_t *what = queue == &l2->partial ? model_partial(tags, old) : model_dirty(tags, old);
        queue->first = after(queue, queue->first, 1);
        queue->count--;
        if (old.set->keys[e.way] == e.key && *what) write_back(l2, tags, old, sums);
    }
}

/* Sectors from DRAM: how long they take, with the queue of the line's channel. */
static model_time dram_read(struct model_l2 *l2, uint64_t line, uint32_t mask, model_time now,
                            struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint64_t hash = model_mix(line >> 1);
    model_time *channel = &l2->channel_free[model_remainder((uint32_t)(hash >> 32), l2->channels)];
    model_time begin = *channel > now ? *channel : now;
    sums->dram_reads += model_sectors(mask);
    *channel = begin + model_sectors(mask) * p->dram_sector_ticks;
    return *channel - now + (p->dram_cycles + (hash & 63)) * MODEL_TICK;
}

/* The home's part of a read: fetches what is not there. */
static model_time read_home(struct model_l2 *l2, uint32_t home, uint64_t line, uint32_t set, uint32_t mask,
                            model_time now, struct event_memory_sums *sums)
{
    uint8_t *valid = model_valid(&l2->part[home], place_of(l2, home, line, set, sums));
    uint32_t fetch = widened(l2, mask & ~(uint32_t)*valid) & ~(uint32_t)*valid;
    *valid |= (uint8_t)fetch;
    return fetch ? dram_read(l2, line, fetch, now, sums) : 0;
}

void model_l2_prefetch(const struct model_l2 *l2, uint32_t partition, uint64_t line, bool home_only)
{
    uint32_t home = home_of(l2, line), set = set_of(l2, line);
    model_tags_prefetch(&l2->part[home], set);
    if (home != partition && !home_only) model_tags_prefetch(&l2->part[partition], set);
}

model_time model_l2_read(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint32_t home = home_of(l2, line);
    model_time latency = p->l2_cycles * MODEL_TICK;
    uint32_t set = set_of(l2, line);
    uint8_t *valid = model_valid(&l2->part[partition], place_of(l2, partition, line, set, sums));
    uint32_t missing = mask & ~(uint32_t)*valid;
    sums->l2_reads += model_sectors(mask);
    sums->l2_read_hits += model_sectors(mask & ~missing);
    if (!missing) return latency;
    if (home == partition) return latency + read_home(l2, home, line, set, missing, now, sums);
    uint32_t fetch = widened(l2, missing) & ~(uint32_t)*valid;
    sums->l2_fabric_reads += model_sectors(fetch);
    *valid |= (uint8_t)fetch;
    return latency + p->l2_far_cycles * MODEL_TICK + read_home(l2, home, line, set, fetch, now, sums);
}

static void make_dirty(struct model_l2 *l2, uint32_t home, uint32_t set, struct model_place at, uint32_t mask,
                       uint32_t partial, struct event_memory_sums *sums)
{
    struct model_tags *tags = &l2->part[home];
    uint8_t *valid = model_valid(tags, at), *dirty = model_dirty(tags, at),
            *in_part = model_partial(tags, at);
    bool was_dirty = *dirty, was_partial = *in_part;
    /* what was there is whole; what two stores wrote in part is taken as whole too */
    uint32_t part = partial & ~(uint32_t)*valid;
    *in_part = (uint8_t)((*in_part & ~mask) | part);
    *valid |= (uint8_t)mask;
    *dirty |= (uint8_t)mask;
    if (!was_dirty) queue_push(l2, &l2->dirty, home, set, at, sums);
    if (!was_partial && part) queue_push(l2, &l2->partial, home, set, at, sums);
}

void model_l2_write(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask, uint32_t partial,
                    struct event_memory_sums *sums)
{
    uint32_t home = home_of(l2, line), set = set_of(l2, line);
    sums->l2_writes += model_sectors(mask);
    sums->l2_write_hits += model_sectors(mask);
    if (home != partition) {
        struct model_place copy = model_tags_find(&l2->part[partition], line, set);
        if (copy.set) *model_valid(&l2->part[partition], copy) |= (uint8_t)(mask & ~partial);
        sums->l2_fabric_writes += model_sectors(mask);
    }
    make_dirty(l2, home, set, place_of(l2, home, line, set, sums), mask, partial, sums);
}

model_time model_l2_atomic(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint32_t home = home_of(l2, line), set = set_of(l2, line);
    model_time latency = p->l2_cycles * MODEL_TICK;
    if (home != partition) {
        struct model_place copy = model_tags_find(&l2->part[partition], line, set);
        if (copy.set) *model_valid(&l2->part[partition], copy) &= (uint8_t)~mask;
        latency += p->l2_far_cycles * MODEL_TICK;
    }
    struct model_place at = place_of(l2, home, line, set, sums);
    uint32_t missing = mask & ~(uint32_t)*model_valid(&l2->part[home], at);
    sums->l2_atomics += model_sectors(mask);
    sums->l2_atomic_hits += model_sectors(mask & ~missing);
    if (missing) latency += dram_read(l2, line, missing, now, sums);
    make_dirty(l2, home, set, at, mask, 0, sums);
    return latency;
}

uint64_t model_l2_flush_leftover(const struct model_l2 *l2)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint64_t lines = l2->inserted << l2->shift, span = p->cold_dirty_to - p->cold_dirty_from;
    if (lines <= p->cold_dirty_from) return 0;
    if (lines >= p->cold_dirty_to) return p->cold_dirty_sectors;
    return p->cold_dirty_sectors * (lines - p->cold_dirty_from) / span;
}

uint64_t model_l2_dirty_sectors(const struct model_l2 *l2)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < l2->partitions; p++)
        count += model_tags_dirty_sectors(&l2->part[p]);
    return count;
}
