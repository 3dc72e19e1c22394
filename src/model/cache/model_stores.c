/* SPDX-License-Identifier: Apache-2.0 */
/* Stores on their way out of an L1, which later ones of their line can join.
 *
 * Models: a store takes a line's place among those on their way, of which the one that was not stored to for
 * longest leaves when there are more than store_merge_lines; each leaves by itself when the way out and its
 * slice of L2 have taken it, store_merge_cycles after the last store to it. Until then stores to the line
 * join it: sectors that it has are no sectors more for L2, others go with its request. Of a warp's stores of
 * one basic block, which ptxas puts one after the other, each joins the last if their lines fit into
 * store_merge_lines; if other warps' stores are waiting at L1, only if those of five warps do, since
 * schedulers take turns. Lines of stores of less than a word take two places.
 *
 * Does not model: that a full way out holds up the warps; that L1 takes stores of several warps in turn, of
 * which each begins here when the one before has ended.
 *
 * Sources: tests/hw/memory on an H200. What leaves L1 (l1tex__m_l1tex2xbar_write_sectors) is what L2 gets, so
 * stores join before, and L2's requests say of how many lines' stores each is made: scatter to 32 lines,
 * which L2 holds up (a request for 2.4 stores of a line with 2.33 sectors: as many as the last 24 lines or so
 * by last use give, 2.5 if by the first; 19 of 32), transpose_rows, copy_columns, radix_scatter; copy_f32 and
 * matvec_warps, which nothing holds up (few join); merge_path (eight instructions of a warp become one).
 * stores.def: eight stores of a warp alone to up to 28 lines become one, to 32 none joins; of stores of 2
 * bytes those to 12 lines do, to 16 none. Where 16 warps store to 4 lines each, the eight become two, to 8
 * lines 7.5. No iteration of a loop joins the last. */
#include "model/cache/model_l1.h"

#include <string.h>

enum { BUCKETS_SHIFT = 8, NEVER_STORED = 0 }; /* implementation */
/* measured: 1.5 cycles that L1 takes for a line of a store (time of run_4x8 of stores.def with 4 to 28
 * lanes); fitted to launches of even number: how many warps take turns, and from how many cycles of others'
 * stores on */
enum { LINE_TICKS = MODEL_TICK * 3 / 2, TURNS = 5, WAITING_CYCLES = 128 };
_Static_assert(MODEL_STORE_BUCKETS == 1 << BUCKETS_SHIFT && MODEL_STORES <= UINT8_MAX,
               "hashes reach all buckets, indices all stores");

void model_stores_begin(struct model_stores *stores, uint64_t lines)
{
    memset(stores, 0, sizeof *stores);
    /* not all of the list, so that there is one after the last */
    stores->joined_lines = lines < MODEL_STORES ? (uint32_t)lines : MODEL_STORES - 1;
    for (uint32_t i = 0; i < MODEL_STORES; i++) {
        stores->list[i].newer = (uint8_t)((i + MODEL_STORES - 1) % MODEL_STORES);
        stores->list[i].older = (uint8_t)((i + 1) % MODEL_STORES);
    }
    stores->last_joined = (uint8_t)(stores->joined_lines ? stores->joined_lines - 1 : 0);
}

static uint8_t *bucket_of(struct model_stores *stores, uint64_t line)
{
    return &stores->buckets[line * 0x9e3779b97f4a7c15u >> (64 - BUCKETS_SHIFT)];
}

void model_stores_prefetch(const struct model_stores *stores, uint64_t line)
{
    __builtin_prefetch(&stores->buckets[line * 0x9e3779b97f4a7c15u >> (64 - BUCKETS_SHIFT)], 1);
}

static struct model_store *stores_find(struct model_stores *stores, uint64_t line)
{
    for (uint8_t i = *bucket_of(stores, line); i; i = stores->list[i - 1].next)
        if (stores->list[i - 1].line == line) return &stores->list[i - 1];
    return NULL;
}

/* The store is the last one made. */
static void use(struct model_stores *stores, struct model_store *s)
{
    struct model_store *list = stores->list;
    uint8_t at = (uint8_t)(s - list), newest = stores->newest;
    bool joined = s->number != NEVER_STORED && s->number >= list[stores->last_joined].number;
    if (at == stores->last_joined || !joined)
        stores->last_joined = stores->last_joined == newest ? at : list[stores->last_joined].newer;
    s->number = ++stores->count;
    if (at == newest) return;
    list[s->newer].older = s->older;
    list[s->older].newer = s->newer;
    s->older = newest;
    s->newer = list[newest].newer;
    list[s->newer].older = at;
    list[newest].newer = at;
    stores->newest = at;
}

/* The one that was made longest ago makes room for the line. */
static struct model_store *stores_take(struct model_stores *stores, uint64_t line)
{
    struct model_store *list = stores->list;
    uint8_t oldest = list[stores->newest].newer, *link;
    struct model_store *s = &list[oldest];
    if (s->number != NEVER_STORED) {
        for (link = bucket_of(stores, s->line); *link != oldest + 1; link = &list[*link - 1].next)
            continue;
        *link = s->next;
    }
    link = bucket_of(stores, line);
    s->line = line;
    s->next = *link;
    *link = (uint8_t)(oldest + 1);
    return s;
}

/* It is still on its way. */
static bool is_joined(const struct model_stores *stores, const struct model_store *s, model_time now)
{
    return stores->joined_lines && now < s->leaves && s->number >= stores->list[stores->last_joined].number;
}

/* It was made by the warp's last instruction, of the same basic block. */
static bool stores_is_own(const struct model_store *s, const struct model_writer *writer)
{
    return s->number <= writer->end && s->number + writer->lines > writer->end;
}

void model_stores_ask(struct model_stores *stores, struct model_writer *writer, bool same, uint32_t lines,
                      uint32_t places, model_time now)
{
    if (writer->end != stores->count) stores->others = stores->taken;
    if (!same) {
        writer->lines = 0;
        writer->waits = stores->others > now + WAITING_CYCLES * MODEL_TICK;
    }
    stores->taken = model_later(stores->taken, now) + lines * (model_time)LINE_TICKS;
    writer->follows = places * (writer->waits ? TURNS : 1) <= stores->joined_lines;
}

/* Sectors go to L2; ticks until they have left. */
static model_time send(struct model_l1 *l1, uint64_t line, uint32_t mask, struct model_part part, bool joins,
                       model_time now, struct event_memory_sums *sums)
{
    struct model_slices *slices = l1->slices;
    uint64_t fabric = model_fabric(sums);
    uint32_t how = (part.sectors ? MODEL_PARTIAL : 0) | (joins ? MODEL_JOINS : 0);
    model_l2_write(slices->l2, l1->partition, line, mask, part, sums);
    if (!slices->l2->timed) return 0;
    model_time delay = model_slices_write(slices, &l1->port, line, model_sectors(mask),
                                          model_fabric(sums) - fabric, how, now);
    model_slices_stored(slices, now + delay, now + delay);
    return delay;
}

void model_stores_make(struct model_l1 *l1, const struct model_line *asked, struct model_part part,
                       const struct model_writer *writer, model_time now, struct event_memory_sums *sums)
{
    uint64_t line = asked->line;
    uint32_t mask = asked->mask;
    struct model_stores *stores = &l1->stores;
    struct model_store *s = stores_find(stores, line);
    bool joins =
        s && (stores_is_own(s, writer) ? writer->follows && s->mask & mask : is_joined(stores, s, now));
    if (!s) s = stores_take(stores, line);
    if (!joins) s->mask = 0, s->leaves = 0;
    uint32_t merged = mask & s->mask, leaves = mask & ~merged;
    model_time left = now;
    if (merged)
        model_l2_join(l1->slices->l2, line, merged, (struct model_part){part.sectors & merged, part.words});
    part.sectors &= leaves;
    if (leaves) left += send(l1, line, leaves, part, joins, now, sums);
    left += l1->gpu->store_merge_cycles * MODEL_TICK;
    if (left > s->leaves) s->leaves = left;
    s->mask |= (uint8_t)mask;
    s->when = now;
    use(stores, s);
}
