/* SPDX-License-Identifier: Apache-2.0 */
/* L2 and DRAM.
 *
 * Models: one or two partitions, each with sectored sets of its own. A line has one home; the other partition
 * keeps a copy of what its own multiprocessors read, so that such lines take room twice. What DRAM and the
 * other partition deliver is a group of sectors (64 bytes by default, or as the context's limit says). Stores
 * and atomics go to the home and stay there until their line is thrown out or its set holds too many dirty
 * ones; those of the home's own multiprocessors make the other partition's copy void. Nothing is read for a
 * store, but a sector that was written in part is filled from DRAM before it leaves, and only so many lines
 * may hold such sectors: the one that has for longest is filled, and most often written back. DRAM channels
 * serve one sector after the other, for times only.
 *
 * Does not model: which bytes of a sector were written (words are counted, so that one that is written twice
 * counts twice); slices of a partition; compression; what the driver or an earlier program
 * left dirty.
 *
 * Sources: tests/hw/memory on an H200: walk_cg (64 bytes), pair_read (both partitions read DRAM's data once
 * and hand it over: lts__t_sectors_srcunit_ltcfabric), reread of 24 to 56 MB (how evenly lines are spread
 * over sets, and how many of the oldest may go), fill (on average 7.4 lines of a set stay dirty, and 60000
 * lines with sectors written in part), write_twice of 40 MB (which dirty line goes does not depend on its
 * age), write_stride (of lines with 1, 2 and 4 filled sectors 0.60, 0.84 and 0.98 are written back),
 * red_linear (an atomic reads its sector alone), load_then_store (model_invalidation.c). */
#include "model/cache/model_l2.h"

#include <stdlib.h>
#include <string.h>

enum { LOCATIONS_SHIFT = 5 }; /* implementation */
_Static_assert(MODEL_LOCATIONS == 1 << LOCATIONS_SHIFT, "all places are used");

static void queue_init(struct model_queue *queue, uint64_t most)
{
    queue->most = most ? (uint32_t)most : 1;
    queue->capacity = queue->most + 2;
    queue->entries = sw_xcalloc(queue->capacity, sizeof *queue->entries);
}

static void queue_clear(struct model_queue *queue)
{
    queue->first = queue->count = 0;
}

/* The first multiprocessor of the second part's: its groups are the second half of them. */
static uint32_t second_part_begin(const struct model_params *params)
{
    uint32_t groups = (uint32_t)params->gpu.merge_groups, half = (groups + 1) / 2;
    if (params->gpu.l2_partitions < 2 || groups == 1) return UINT32_MAX;
    return groups ? event_group_begin(params->sm_count, groups, half) : 0;
}

void model_l2_init(struct model_l2 *l2, const struct model_params *params)
{
    *l2 = (struct model_l2){.params = params, .partitions = params->gpu.l2_partitions > 1 ? 2 : 1};
    uint64_t lines = (params->l2_bytes >> EVENT_LINE_SHIFT) / l2->partitions;
    uint32_t ways = params->gpu.l2_ways && lines >= params->gpu.l2_ways ? (uint32_t)params->gpu.l2_ways : 1;
    queue_init(&l2->partial, lines * l2->partitions * params->gpu.l2_partial_permille / 1000);
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_init(&l2->part[p], lines >= ways ? (uint32_t)(lines / ways) : 1, ways,
                        (uint32_t)params->gpu.l2_victims, true);
    model_l2_resize(l2, 1);
    l2->channels = model_divisor((uint32_t)params->gpu.dram_channels);
    l2->thousand = model_divisor(1000);
    l2->second_sms = second_part_begin(params);
}

void model_l2_release(struct model_l2 *l2)
{
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_release(&l2->part[p]);
    model_policy_release(l2);
    free(l2->partial.entries);
}

size_t model_l2_bytes(const struct model_l2 *l2)
{
    size_t bytes = l2->partial.capacity * sizeof *l2->partial.entries + model_policy_bytes(l2);
    for (uint32_t p = 0; p < l2->partitions; p++)
        bytes += model_tags_bytes(&l2->part[p]);
    return bytes;
}

static void l2_empty(struct model_l2 *l2)
{
    for (uint32_t p = 0; p < l2->partitions; p++)
        model_tags_clear(&l2->part[p]);
    queue_clear(&l2->partial);
    memset(l2->copied, 0, sizeof l2->copied);
    model_policy_clear(l2);
}

void model_l2_begin(struct model_l2 *l2, uint32_t fetch_bytes, bool cold)
{
    enum { TWO = 64, FOUR = 128 }; /* definition: bytes of as many sectors */
    l2->fetch_sectors = fetch_bytes == 0 || fetch_bytes == TWO ? (uint32_t)l2->params->gpu.l2_fetch_sectors
                        : fetch_bytes >= FOUR                  ? 4
                        : fetch_bytes > TWO                    ? 2
                                                               : 1;
    if (cold) {
        l2_empty(l2);
        l2->left = l2->chosen = 0; /* so that results do not depend on launches before */
    }
    l2->dram_writes = l2->inserted = l2->passed = 0;
    l2->brought = 0;
    memset(l2->channel_free, 0, sizeof l2->channel_free);
}

static void forget_locations(struct model_l2 *l2)
{
    for (uint32_t i = 0; i < MODEL_LOCATIONS; i++)
        l2->where[i].line = UINT64_MAX;
}

void model_l2_resize(struct model_l2 *l2, double share)
{
    uint32_t all = l2->part[0].sets, sets = share < 1 ? (uint32_t)(all * share) : all;
    if (sets < 1) sets = 1;
    if (sets == l2->sets.divisor) return;
    l2_empty(l2);
    l2->sets = model_divisor(sets);
    forget_locations(l2);
    l2->partial_most = (uint32_t)((uint64_t)l2->partial.most * sets / all);
    l2->sector_ticks = l2->params->gpu.dram_sector_ticks * all / sets;
}

/* Lines in runs of as many as there are sets: each run fills all sets, from a place of its own. */
static uint32_t l2_set_of(const struct model_l2 *l2, uint64_t line)
{
    uint32_t run = model_quotient((uint32_t)line, l2->sets);
    uint32_t within = (uint32_t)line - run * l2->sets.divisor;
    return model_remainder(within + (uint32_t)(model_mix(run ^ (line & ~0xffffffffull)) >> 33), l2->sets);
}

static uint32_t home_of(const struct model_l2 *l2, uint64_t line)
{
    return (uint32_t)(model_mix(line >> 2) >> 40) & (l2->partitions - 1);
}

__attribute__((noinline)) static void find_out(const struct model_l2 *l2, struct model_location *w,
                                               uint64_t line)
{
    *w = (struct model_location){line, home_of(l2, line), l2_set_of(l2, line)};
}

/* Lines are asked for soon after they were announced. */
static inline const struct model_location *where_is(struct model_l2 *l2, uint64_t line)
{
    struct model_location *w = &l2->where[line * 0x9e3779b97f4a7c15u >> (64 - LOCATIONS_SHIFT)];
    if (w->line != line) find_out(l2, w, line);
    return w;
}

/* The groups of sectors that DRAM delivers for these. */
static uint32_t l2_widened(const struct model_l2 *l2, uint32_t mask)
{
    switch (l2->fetch_sectors) {
    case 1: return mask;
    case 2: return (mask & 3 ? 3u : 0) | (mask & 12 ? 12u : 0);
    default: return mask ? MODEL_ALL_SECTORS : 0;
    }
}

/* Sectors of a line go from DRAM or to it. */
static void l2_move(struct model_l2 *l2, uint32_t key, uint32_t read, uint32_t written)
{
    if (!(read | written)) return;
    if (l2->moved_count < MODEL_MOVED) l2->moved[l2->moved_count++] = (struct model_moved){.key = key};
    struct model_moved *to = &l2->moved[l2->moved_count - 1];
    to->read = (uint8_t)(to->read + model_sectors(read));
    to->written = (uint8_t)(to->written + model_sectors(written));
}

/* Sectors of a line that were written in part are read, those that lie beside each other together. */
static void move_filled(struct model_l2 *l2, uint32_t key, uint32_t filled, uint32_t written)
{
    l2_move(l2, key, filled, written);
    if (filled) l2->moved[l2->moved_count - 1].fills += (uint8_t)model_sectors(filled & ~(filled << 1));
}

/* What a line's departure costs: sectors written in part are read first, unless DRAM takes them so. */
static void write_back(struct model_l2 *l2, struct model_tags *tags, struct model_tag_ref at,
                       struct event_memory_sums *sums)
{
    uint8_t *dirty = model_dirty(tags, at), *partial = model_partial(tags, at);
    if (!*dirty) return;
    uint32_t filled = l2->params->gpu.dram_masks_writes ? 0 : *partial;
    move_filled(l2, at.set->keys[at.way], filled, *dirty);
    sums->dram_reads += model_sectors(filled);
    l2->dram_writes += model_sectors(*dirty);
    l2->left = at.set->keys[at.way];
    *dirty = *partial = 0;
    *model_words(tags, at) = 0;
}

static struct model_tag_ref tag_of(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t set,
                                   struct event_memory_sums *sums)
{
    struct model_tags *tags = &l2->part[partition];
    struct model_tag_ref at = model_tags_find(tags, line, set);
    bool fresh = !at.set;
    if (fresh) {
        at = l2->policy.active ? model_policy_victim(l2, partition, set, line) : model_tags_victim(tags, set);
        write_back(l2, tags, at, sums);
        model_tags_take(tags, at, line);
        l2->inserted++;
    }
    if (l2->policy.active) model_policy_access(l2, partition, set, at, line, fresh);
    return at;
}

static uint32_t after(const struct model_queue *queue, uint32_t position, uint32_t steps)
{
    position += steps;
    return position >= queue->capacity ? position - queue->capacity : position;
}

/* Too many lines hold sectors written in part: one is filled, and most often written back. */
static void l2_fill(struct model_l2 *l2, struct model_tags *tags, struct model_tag_ref at,
                    struct event_memory_sums *sums)
{
    uint8_t *partial = model_partial(tags, at);
    bool leaves = false;
    for (uint32_t i = 0; i < model_sectors(*partial); i++)
        leaves |= (model_mix(++l2->chosen) >> 32) * 1000 >> 32 < l2->params->gpu.l2_filled_permille;
    if (leaves) {
        write_back(l2, tags, at, sums);
        return;
    }
    move_filled(l2, at.set->keys[at.way], *partial, 0);
    sums->dram_reads += model_sectors(*partial);
    *partial = 0;
    *model_words(tags, at) = 0;
}

/* A line joins the queue; the oldest that is still what the queue is for leaves when there are too many. */
static void queue_push(struct model_l2 *l2, uint32_t partition, uint32_t set, struct model_tag_ref at,
                       struct event_memory_sums *sums)
{
    struct model_queue *queue = &l2->partial;
    uint32_t most = l2->partial_most;
    queue->entries[after(queue, queue->first, queue->count++)] = (struct model_queue_entry){
        .key = at.set->keys[at.way], .set = set, .partition = partition & 1, .way = (uint8_t)at.way};
    const struct model_queue_entry *soon = &queue->entries[after(queue, queue->first, 2)];
    if (queue->count > most) model_tags_prefetch(&l2->part[soon->partition], soon->set);
    while (queue->count > most) {
        struct model_queue_entry e = queue->entries[queue->first];
        struct model_tags *tags = &l2->part[e.partition];
        struct model_tag_ref old = {model_tags_set(tags, e.set), e.way};
        queue->first = after(queue, queue->first, 1);
        queue->count--;
        if (old.set->keys[e.way] == e.key && *model_partial(tags, old)) l2_fill(l2, tags, old, sums);
    }
}

/* Lines that are asked for at once come one by one: banks and rows differ. In the mean as long as where no
 * time is kept. Deciles of one lane's loads from an H200's DRAM (probe.txt): 573 to 622 cycles in the near
 * part of L2, 726 to 853 in the other; how the stores of radix_scatter and copy_f32 merge after their loads.
 */
static uint64_t spread_of(uint64_t line)
{
    enum { MEAN = 32, SPREAD = 48, HASH = 32 }; /* cycles, inferred from the above; bits */
    return (model_mix(line) >> HASH) * SPREAD * 2 / (1ull << HASH) + MEAN - SPREAD;
}

/* Sectors from DRAM: how long they take, with the queue of the line's channel. */
static model_time dram_read(struct model_l2 *l2, uint64_t line, uint32_t mask, model_time now,
                            struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint64_t hash = model_mix(line >> 1);
    model_time *channel = &l2->channel_free[model_remainder((uint32_t)(hash >> 32), l2->channels)];
    model_time begin = *channel > now ? *channel : now;
    l2_move(l2, model_tags_key(line), mask, 0);
    sums->dram_reads += model_sectors(mask);
    l2->was_brought = (hash & UINT16_MAX) < l2->brought;
    if (l2->was_brought) return 0;
    if (l2->timed) return (p->dram_cycles + spread_of(line)) * MODEL_TICK;
    *channel = begin + model_sectors(mask) * l2->sector_ticks;
    return *channel - now + (p->dram_cycles + (hash & 63)) * MODEL_TICK;
}

/* The home's part of a read: fetches what is not there. */
static model_time read_home(struct model_l2 *l2, uint32_t home, uint64_t line, uint32_t set, uint32_t mask,
                            model_time now, struct event_memory_sums *sums)
{
    uint8_t *valid = model_valid(&l2->part[home], tag_of(l2, home, line, set, sums));
    uint32_t fetch = l2_widened(l2, mask & ~(uint32_t)*valid) & ~(uint32_t)*valid;
    *valid |= (uint8_t)fetch;
    return fetch ? dram_read(l2, line, fetch, now, sums) : 0;
}

void model_l2_prefetch(struct model_l2 *l2, uint32_t partition, uint64_t line)
{
    const struct model_location *w = where_is(l2, line);
    model_tags_prefetch(&l2->part[w->home], w->set);
    if (w->home != partition) model_tags_prefetch(&l2->part[partition], w->set);
}

static uint32_t piece_of(uint64_t line)
{
    return (uint32_t)(line >> MODEL_COPIED_SHIFT) & (MODEL_COPIED - 1);
}

static void set_copied(struct model_l2 *l2, uint64_t line)
{
    uint32_t piece = piece_of(line);
    l2->copied[piece / 64] |= 1ull << piece % 64;
}

static bool may_be_copied(const struct model_l2 *l2, uint64_t line)
{
    uint32_t piece = piece_of(line);
    return l2->copied[piece / 64] >> piece % 64 & 1;
}

model_time model_l2_read(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                         model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    model_time latency = p->l2_cycles * MODEL_TICK;
    l2->moved_count = 0;
    l2->was_brought = l2->invalidated = false;
    const struct model_host_range *far = model_host_has(&l2->host, line);
    if (far) {
        sums->l2_reads += model_sectors(mask);
        model_host_read(far, mask, sums);
        return latency + p->dram_cycles * MODEL_TICK;
    }
    const struct model_location *w = where_is(l2, line);
    uint32_t home = w->home, set = w->set;
    l2->near = home == partition;
    uint8_t *valid = model_valid(&l2->part[partition], tag_of(l2, partition, line, set, sums));
    uint32_t missing = mask & ~(uint32_t)*valid;
    sums->l2_reads += model_sectors(mask);
    sums->l2_read_hits += model_sectors(mask & ~missing);
    if (!missing) return latency;
    if (home == partition) return latency + read_home(l2, home, line, set, missing, now, sums);
    uint32_t fetch = l2_widened(l2, missing) & ~(uint32_t)*valid;
    sums->l2_fabric_reads += model_sectors(fetch);
    set_copied(l2, line);
    *valid |= (uint8_t)fetch;
    l2->policy.passing = true;
    latency += p->l2_far_cycles * MODEL_TICK + read_home(l2, home, line, set, fetch, now, sums);
    l2->policy.passing = false;
    return latency;
}

/* A set may hold only so many dirty lines: one of the others is written back, whichever. The limit is a mean:
 * sets have the number below it or above it. */
static void limit_dirty(struct model_l2 *l2, struct model_tags *tags, uint32_t set,
                        struct model_tag_ref fresh, struct event_memory_sums *sums)
{
    uint32_t limit = (uint32_t)((tags->ways * l2->params->gpu.l2_dirty_permille +
                                 model_remainder((uint32_t)(model_mix(set) >> 32), l2->thousand)) /
                                1000);
    const uint8_t *dirty = model_dirty(tags, (struct model_tag_ref){fresh.set, 0});
    uint32_t count = model_tags_dirty_lines(tags, fresh.set), which;
    if (count <= (limit ? limit : 1)) return;
    which = (uint32_t)((model_mix(++l2->chosen) >> 32) * (count - 1) >> 32);
    for (uint32_t way = 0; way < tags->ways; way++) {
        if (!dirty[way] || way == fresh.way || which--) continue;
        write_back(l2, tags, (struct model_tag_ref){fresh.set, way}, sums);
        return;
    }
}

/* Of sectors that are written in part, those that are not whole afterwards. A word that is written twice
 * counts twice. */
static uint32_t still_in_part(const struct model_tags *tags, struct model_tag_ref at, struct model_part part)
{
    enum { WORDS = 8, NIBBLE = 4, MOST = 15 }; /* definition: of a sector; of a nibble */
    uint16_t *words = model_words(tags, at);
    uint32_t left = 0;
    for (uint32_t some = part.sectors & MODEL_ALL_SECTORS; some; some &= some - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(some);
        uint32_t count = (uint32_t)(*words >> NIBBLE * s & MOST) + part.words;
        if (count < WORDS) left |= 1u << s;
        *words = (uint16_t)((*words & ~(MOST << NIBBLE * s)) | (count < WORDS ? count : 0) << NIBBLE * s);
    }
    return left;
}

static void make_dirty(struct model_l2 *l2, uint32_t home, uint32_t set, struct model_tag_ref at,
                       uint32_t mask, struct model_part part, struct event_memory_sums *sums)
{
    struct model_tags *tags = &l2->part[home];
    uint8_t *valid = model_valid(tags, at), *dirty = model_dirty(tags, at),
            *in_part = model_partial(tags, at);
    bool was_dirty = *dirty != 0;
    uint32_t was_partial = was_dirty ? *in_part : 0; /* none is, but of those that are dirty */
    part.sectors &= ~(uint32_t)*valid | was_partial; /* what was there is whole */
    uint32_t left = part.sectors ? still_in_part(tags, at, part) : 0;
    if (was_partial | left) *in_part = (uint8_t)((was_partial & ~mask) | left);
    *valid |= (uint8_t)mask;
    *dirty |= (uint8_t)mask;
    if (!was_dirty) limit_dirty(l2, tags, set, at, sums);
    if (!was_partial && left) queue_push(l2, home, set, at, sums);
}

/* What the other part keeps of a line that its home's multiprocessors store to is void. */
static void invalidate_copy(struct model_l2 *l2, uint32_t home, uint64_t line, uint32_t set)
{
    if (!may_be_copied(l2, line)) return;
    struct model_tags *other = &l2->part[!home];
    struct model_tag_ref copy = model_tags_find(other, line, set);
    if (!copy.set || !*model_valid(other, copy)) return;
    *model_valid(other, copy) = 0;
    l2->invalidated = true;
}

void model_l2_write(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                    struct model_part part, struct event_memory_sums *sums)
{
    const struct model_location *w = where_is(l2, line);
    uint32_t home = w->home, set = w->set;
    uint64_t before = l2->inserted;
    l2->moved_count = 0;
    l2->was_brought = l2->invalidated = false;
    sums->l2_writes += model_sectors(mask);
    sums->l2_write_hits += model_sectors(mask);
    const struct model_host_range *far = model_host_has(&l2->host, line);
    if (far) {
        model_host_write(far, mask, sums);
        return;
    }
    struct model_tag_ref at = tag_of(l2, home, line, set, sums);
    l2->near = home == partition;
    if (l2->near) {
        invalidate_copy(l2, home, line, set);
    } else {
        struct model_tag_ref copy = model_tags_find(&l2->part[partition], line, set);
        if (copy.set) *model_valid(&l2->part[partition], copy) |= (uint8_t)(mask & ~part.sectors);
        sums->l2_fabric_writes += model_sectors(mask);
        l2->passed += l2->inserted - before;
    }
    make_dirty(l2, home, set, at, mask, part, sums);
}

void model_l2_join(struct model_l2 *l2, uint64_t line, uint32_t mask, struct model_part part)
{
    const struct model_location *w = where_is(l2, line);
    struct model_tags *tags = &l2->part[w->home];
    struct model_tag_ref at = model_tags_find(tags, line, w->set);
    if (!at.set || !*model_partial(tags, at)) return;
    part.sectors &= *model_partial(tags, at);
    uint32_t left = part.sectors ? still_in_part(tags, at, part) : 0;
    *model_partial(tags, at) = (uint8_t)((*model_partial(tags, at) & ~mask) | left);
}

model_time model_l2_atomic(struct model_l2 *l2, uint32_t partition, uint64_t line, uint32_t mask,
                           model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &l2->params->gpu;
    const struct model_location *w = where_is(l2, line);
    uint32_t home = w->home, set = w->set;
    model_time latency = p->l2_cycles * MODEL_TICK;
    l2->moved_count = 0;
    l2->was_brought = l2->invalidated = false;
    const struct model_host_range *far = model_host_has(&l2->host, line);
    if (far) {
        sums->l2_atomics += model_sectors(mask);
        model_host_read(far, mask, sums);
        model_host_write(far, mask, sums);
        return latency + p->dram_cycles * MODEL_TICK;
    }
    if (home != partition) {
        struct model_tag_ref copy = model_tags_find(&l2->part[partition], line, set);
        if (copy.set) *model_valid(&l2->part[partition], copy) &= (uint8_t)~mask;
        latency += p->l2_far_cycles * MODEL_TICK;
    } else
        invalidate_copy(l2, home, line, set);
    l2->near = home == partition;
    struct model_tag_ref at = tag_of(l2, home, line, set, sums);
    uint32_t missing = mask & ~(uint32_t)*model_valid(&l2->part[home], at);
    sums->l2_atomics += model_sectors(mask);
    sums->l2_atomic_hits += model_sectors(mask & ~missing);
    if (missing) latency += dram_read(l2, line, missing, now, sums);
    make_dirty(l2, home, set, at, mask, (struct model_part){0}, sums);
    return latency;
}

uint64_t model_l2_flush_leftover(const struct model_l2 *l2, uint64_t lines)
{
    const struct arch_cache *p = &l2->params->gpu;
    uint64_t span = p->cold_dirty_to - p->cold_dirty_from;
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
