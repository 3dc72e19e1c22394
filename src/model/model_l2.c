/* SPDX-License-Identifier: Apache-2.0 */
/* L2 and DRAM.
 *
 * Models: one or two partitions, each with sectored sets of its own. A line has one home; the other partition
 * keeps a copy of what its own multiprocessors read, so that such lines take room twice. What DRAM and the
 * other partition deliver is a group of sectors (64 bytes by default). Stores and atomics go to the home and
 * stay there until their line is thrown out, or too many of its set are dirty; nothing is read for a store.
 * DRAM channels serve one sector after the other, for times only.
 *
 * Does not model: sectors that are written in part, which an H200 fills from DRAM before it writes them back;
 * slices of a partition; compression; what the driver or an earlier program left dirty.
 *
 * Sources: tests/hw/memory on an H200: walk_cg (64 bytes), pair_read (both partitions read DRAM's data once
 * and hand it over: lts__t_sectors_srcunit_ltcfabric), reread (40 of 60 MB stay when everything is read once
 * by one multiprocessor), fill (about 26.7 MB stay dirty), red_linear (an atomic reads its sector alone). */
#include "model_cache_priv.h"

#include <string.h>

void model_l2_init(struct model_l2 *l2, const struct model_params *params)
{
    *l2 = (struct model_l2){.params = params, .partitions = params->gpu.l2_partitions > 1 ? 2 : 1};
    uint64_t lines = (params->l2_bytes >> EVENT_LINE_SHIFT) / l2->partitions;
    uint32_t ways = params->gpu.l2_ways && lines >= params->gpu.l2_ways ? (uint32_t)params->gpu.l2_ways : 1;
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_init(&l2->part[p], lines >= ways ? (uint32_t)(lines / ways) : 1, ways,
                        (uint32_t)params->gpu.l2_victims);
}

void model_l2_release(struct model_l2 *l2)
{
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_release(&l2->part[p]);
}

void model_l2_begin(struct model_l2 *l2, uint32_t sample_shift, bool cold)
{
    for (uint32_t p = 0; p < l2->partitions && (cold || sample_shift != l2->shift); p++)
        model_tags_clear(&l2->part[p]);
    l2->shift = sample_shift;
    l2->dram_writes = 0;
    memset(l2->channel_free, 0, sizeof l2->channel_free);
}

/* Runs of 16 lines are spread by chance, the lines of a run evenly. */
static uint32_t set_of(const struct model_l2 *l2, uint64_t line)
{
    uint32_t sets = l2->part[0].sets >> l2->shift;
    uint32_t runs = sets >= 16 ? sets / 16 : 1;
    uint64_t run = (uint32_t)model_mix(line >> 4);
    uint32_t set = (uint32_t)(run * runs >> 32) * 16 + (uint32_t)(line & 15);
    return set < sets || sets == 0 ? set : set % sets;
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

static int64_t place_of(struct model_l2 *l2, uint32_t partition, uint64_t line)
{
    struct model_tags *tags = &l2->part[partition];
    uint32_t set = set_of(l2, line), dropped = 0;
    int64_t at = model_tags_find(tags, line, set);
    if (at >= 0) return at;
    at = model_tags_insert(tags, line, set, &dropped);
    l2->dram_writes += model_sectors(dropped);
    return at;
}

/* Sectors from DRAM: how long they take, with the queue of the line's channel. */
static model_time dram_read(struct model_l2 *l2, uint64_t line, uint32_t mask, model_time now,
                            struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint64_t hash = model_mix(line >> 1);
    model_time *channel = &l2->channel_free[(hash >> 32) % p->dram_channels];
    model_time begin = *channel > now ? *channel : now;
    sums->dram_reads += model_sectors(mask);
    *channel = begin + model_sectors(mask) * p->dram_sector_ticks;
    return *channel - now + (p->dram_cycles + (hash & 63)) * MODEL_TICK;
}

/* The home's part of a read: fetches what is not there. */
static model_time read_home(struct model_l2 *l2, uint32_t home, uint64_t line, uint32_t mask, model_time now,
                            struct event_memory_sums *sums)
{
    int64_t at = place_of(l2, home, line);
    uint8_t *valid = &l2->part[home].valid[at];
    uint32_t fetch = widened(l2, mask & ~(uint32_t)*valid) & ~(uint32_t)*valid;
    *valid |= (uint8_t)fetch;
    return fetch ? dram_read(l2, line, fetch, now, sums) : 0;
}

model_time model_l2_read(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint32_t home = home_of(l2, line);
    model_time latency = p->l2_cycles * MODEL_TICK;
    int64_t at = place_of(l2, partition, line);
    uint8_t *valid = &l2->part[partition].valid[at];
    uint32_t missing = mask & ~(uint32_t)*valid;
    sums->l2_reads += model_sectors(mask);
    sums->l2_read_hits += model_sectors(mask & ~missing);
    if (!missing) return latency;
    if (home == partition) return latency + read_home(l2, home, line, missing, now, sums);
    uint32_t fetch = widened(l2, missing) & ~(uint32_t)*valid;
    sums->l2_fabric_reads += model_sectors(fetch);
    *valid |= (uint8_t)fetch;
    return latency + p->l2_far_cycles * MODEL_TICK + read_home(l2, home, line, fetch, now, sums);
}

static void make_dirty(struct model_l2 *l2, uint32_t home, uint64_t line, int64_t at, uint32_t mask)
{
    struct model_tags *tags = &l2->part[home];
    bool was_dirty = tags->dirty[at];
    tags->valid[at] |= (uint8_t)mask;
    tags->dirty[at] |= (uint8_t)mask;
    if (!was_dirty)
        l2->dram_writes +=
            model_tags_limit_dirty(tags, set_of(l2, line), (uint32_t)l2->params->gpu.l2_dirty_ways);
}

void model_l2_write(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                    struct event_memory_sums *sums)
{
    uint32_t home = home_of(l2, line);
    sums->l2_writes += model_sectors(mask);
    sums->l2_write_hits += model_sectors(mask);
    if (home != partition) {
        int64_t copy = model_tags_find(&l2->part[partition], line, set_of(l2, line));
        if (copy >= 0) l2->part[partition].valid[copy] |= (uint8_t)mask;
        sums->l2_fabric_writes += model_sectors(mask);
    }
    make_dirty(l2, home, line, place_of(l2, home, line), mask);
}

model_time model_l2_atomic(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint32_t home = home_of(l2, line);
    model_time latency = p->l2_cycles * MODEL_TICK;
    if (home != partition) {
        int64_t copy = model_tags_find(&l2->part[partition], line, set_of(l2, line));
        if (copy >= 0) l2->part[partition].valid[copy] &= (uint8_t)~mask;
        latency += p->l2_far_cycles * MODEL_TICK;
    }
    int64_t at = place_of(l2, home, line);
    uint32_t missing = mask & ~(uint32_t)l2->part[home].valid[at];
    sums->l2_atomics += model_sectors(mask);
    sums->l2_atomic_hits += model_sectors(mask & ~missing);
    if (missing) latency += dram_read(l2, line, missing, now, sums);
    make_dirty(l2, home, line, at, mask);
    return latency;
}

uint64_t model_l2_dirty_sectors(const struct model_l2 *l2)
{
    uint64_t count = 0;
    for (uint32_t p = 0; p < l2->partitions; p++)
        for (size_t i = 0; i < (size_t)l2->part[p].sets * l2->part[p].ways; i++)
            count += model_sectors(l2->part[p].dirty[i]);
    return count;
}
