/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks: what somebody knows beyond the barriers of its block and warp and the order of its task. Method:
 * sorted lists of entries in one canonical form (a warp's lanes grouped by slice, newest first; nothing that
 * an entry of the whole block covers), immutable and shared. A join merges two lists and returns one of them
 * where it holds all. Limit: an entry says nothing of single slices, only "up to". */
#include "race_priv.h"

#include <string.h>

struct race_clock *race_clock_ref(struct race_clock *clock)
{
    if (clock) clock->refs++;
    return clock;
}

void race_clock_unref(struct race *race, struct race_clock *clock)
{
    if (!clock || --clock->refs) return;
    if (clock->next) clock->next->previous = clock->previous;
    if (clock->previous)
        clock->previous->next = clock->next;
    else
        race->clocks = clock->next;
    free(clock);
}

void race_clock_set(struct race *race, struct race_clock **into, struct race_clock *other)
{
    struct race_clock *old = *into;
    *into = race_clock_ref(other);
    race_clock_unref(race, old);
}

static bool is_of_warp(uint64_t id)
{
    return !(id >> 63) && (id & 127);
}

/* Entries of one warp: lanes grouped by the newest slice that any of the entries has for them. */
static void gather_warp(struct race *race, const struct race_entry *run, size_t count, uint32_t covered)
{
    uint32_t newest[RACE_LANES] = {0};
    for (size_t i = 0; i < count; i++)
        for (lane_mask rest = run[i].mask; rest; rest &= rest - 1) {
            uint32_t *k = &newest[__builtin_ctz(rest)];
            if (run[i].k > *k) *k = run[i].k;
        }
    for (;;) {
        struct race_entry group = {.id = run->id, .k = covered};
        for (uint32_t l = 0; l < RACE_LANES; l++)
            if (newest[l] > group.k) group.k = newest[l];
        for (uint32_t l = 0; l < RACE_LANES; l++)
            if (newest[l] == group.k && group.k > covered) group.mask |= 1u << l, newest[l] = 0;
        if (!group.mask) return;
        *vec_push(&race->gather) = group;
    }
}

/* One id's entries, in canonical form, to race->gather. block: the newest entry of a whole block. */
static void gather_run(struct race *race, const struct race_entry *run, size_t count,
                       struct race_entry *block)
{
    if (!is_of_warp(run->id)) {
        struct race_entry most = *run;
        for (size_t i = 1; i < count; i++)
            if (run[i].k > most.k) most.k = run[i].k;
        *vec_push(&race->gather) = *block = most;
        return;
    }
    bool covered = block->id == (run->id & ~UINT64_C(127)) && (run->id & 127) <= RACE_ASYNC;
    uint32_t k = covered ? block->k : 0;
    if (count > 1)
        gather_warp(race, run, count, k);
    else if (run->k > k)
        *vec_push(&race->gather) = *run;
}

/* The list in race->gather as a clock. */
static struct race_clock *clock_new(struct race *race)
{
    size_t count = race->gather.count;
    if (!count) return NULL;
    struct race_clock *clock = sw_xmalloc(sizeof *clock + count * sizeof clock->at[0]);
    *clock = (struct race_clock){.refs = 1, .count = (uint32_t)count, .next = race->clocks};
    memcpy(clock->at, race->gather.at, count * sizeof clock->at[0]);
    if (race->clocks) race->clocks->previous = clock;
    return race->clocks = clock;
}

static bool is_gathered(const struct race *race, const struct race_clock *clock)
{
    return clock->count == race->gather.count &&
           !memcmp(clock->at, race->gather.at, clock->count * sizeof clock->at[0]);
}

/* Merges both lists; entries of one id stand together in `same` until it is complete. */
static void merge(struct race *race, const struct race_clock *a, const struct race_clock *b)
{
    VEC(struct race_entry) same = {0};
    struct race_entry block = {.id = UINT64_MAX};
    uint32_t i = 0, j = 0;
    vec_clear(&race->gather);
    while (i < a->count || j < b->count) {
        bool first = j == b->count || (i < a->count && a->at[i].id <= b->at[j].id);
        uint64_t id = first ? a->at[i].id : b->at[j].id;
        vec_clear(&same);
        for (; i < a->count && a->at[i].id == id; i++)
            *vec_push(&same) = a->at[i];
        for (; j < b->count && b->at[j].id == id; j++)
            *vec_push(&same) = b->at[j];
        gather_run(race, same.at, same.count, &block);
    }
    vec_release(&same);
}

struct race_clock *race_clock_join(struct race *race, struct race_clock *a, struct race_clock *b)
{
    if (!a || a == b) return race_clock_ref(b);
    if (!b) return race_clock_ref(a);
    merge(race, a, b);
    if (is_gathered(race, a)) return race_clock_ref(a);
    return is_gathered(race, b) ? race_clock_ref(b) : clock_new(race);
}

void race_clock_add(struct race *race, struct race_clock **into, struct race_clock *other)
{
    if (!other || *into == other) return;
    struct race_clock *old = *into;
    *into = race_clock_join(race, old, other);
    race_clock_unref(race, old);
}

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const struct race_entry *)a)->id, y = ((const struct race_entry *)b)->id;
    return (x > y) - (x < y);
}

struct race_clock *race_clock_of_entries(struct race *race, const struct race_entry *entries, uint32_t count)
{
    struct race_entry sorted[8], block = {.id = UINT64_MAX};
    if (count > SW_COUNT_OF(sorted)) BUG("%u entries", count);
    memcpy(sorted, entries, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_id);
    vec_clear(&race->gather);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end].id == sorted[i].id; end++) {
        }
        gather_run(race, sorted + i, end - i, &block);
    }
    return clock_new(race);
}

/* Number of entries before id. */
static uint32_t lower_bound(const struct race_clock *clock, uint64_t id)
{
    uint32_t low = 0, high = clock->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (clock->at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool race_clock_knows_block(const struct race_clock *clock, uint32_t block, uint32_t slice)
{
    if (!clock) return false;
    uint32_t i = lower_bound(clock, race_id_block(block));
    return i < clock->count && clock->at[i].id == race_id_block(block) && clock->at[i].k >= slice;
}

lane_mask race_clock_unknown(const struct race_clock *clock, uint32_t owner, uint32_t slice, lane_mask who)
{
    if (!clock) return who;
    bool async = (owner & (RACE_WARPS - 1)) >= RACE_ASYNC;
    if (!async && race_clock_knows_block(clock, owner >> RACE_OWNER_WARP_BITS, slice)) return 0;
    uint64_t id = race_id_warp(owner);
    for (uint32_t i = lower_bound(clock, id); i < clock->count && clock->at[i].id == id; i++)
        if (clock->at[i].k >= slice) who &= ~clock->at[i].mask;
    return who;
}

struct race_clock *race_clock_foreign(struct race *race, const struct race_clock *clock, uint32_t task)
{
    vec_clear(&race->gather);
    for (uint32_t i = 0; clock && i < clock->count; i++) {
        uint64_t id = clock->at[i].id;
        uint32_t of = id >> 63 ? (uint32_t)id : race->blocks.at[id >> 7].task;
        if (of != task) *vec_push(&race->gather) = clock->at[i];
    }
    return clock_new(race);
}
