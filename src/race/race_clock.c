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

/* Some entries of one id, newest first. */
struct run {
    const struct race_entry *at, *end;
};

/* Takes the newest entry of two runs. */
static const struct race_entry *run_next(struct run *a, struct run *b)
{
    if (a->at == a->end) return b->at++;
    if (b->at == b->end || a->at->k >= b->at->k) return a->at++;
    return b->at++;
}

/* Entries of one warp: lanes grouped by the newest slice that any of the entries has for them. */
static void gather_warp(struct race *race, struct run a, struct run b, uint32_t covered)
{
    struct race_entry group = {.id = UINT64_MAX};
    lane_mask done = 0;
    while (a.at != a.end || b.at != b.end) {
        const struct race_entry *next = run_next(&a, &b);
        lane_mask fresh = next->mask & ~done;
        if (next->k <= covered) break;
        if (!fresh) continue;
        done |= fresh;
        if (group.mask && group.k != next->k) *vec_push(&race->gather) = group, group.mask = 0;
        group = (struct race_entry){next->id, next->k, group.mask | fresh};
    }
    if (group.mask) *vec_push(&race->gather) = group;
}

/* One id's entries, in canonical form, to race->gather. block: the newest entry of a whole block. */
static void gather_run(struct race *race, uint64_t id, struct run a, struct run b, struct race_entry *block)
{
    if (!is_of_warp(id)) {
        *vec_push(&race->gather) = *block = *run_next(&a, &b);
        return;
    }
    bool covered = block->id == (id & ~UINT64_C(127)) && (id & 127) <= RACE_ASYNC;
    gather_warp(race, a, b, covered ? block->k : 0);
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

/* The entries of this id that a list begins with, which are taken off it. */
static struct run run_take(struct run *list, uint64_t id)
{
    struct run run = {list->at, list->at};
    while (run.end != list->end && run.end->id == id)
        run.end++;
    list->at = run.end;
    return run;
}

static struct run list_of(const struct race_clock *clock)
{
    return (struct run){clock->at, clock->at + clock->count};
}

/* Merges both lists into race->gather. */
static void merge(struct race *race, const struct race_clock *a, const struct race_clock *b)
{
    struct race_entry block = {.id = UINT64_MAX};
    struct run as = list_of(a), bs = list_of(b);
    vec_clear(&race->gather);
    while (as.at != as.end || bs.at != bs.end) {
        bool first = bs.at == bs.end || (as.at != as.end && as.at->id <= bs.at->id);
        uint64_t id = first ? as.at->id : bs.at->id;
        struct run of_a = run_take(&as, id), of_b = run_take(&bs, id);
        gather_run(race, id, of_a, of_b, &block);
    }
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

/* By id, newest first. */
static int by_id(const void *a, const void *b)
{
    const struct race_entry *x = a, *y = b;
    if (x->id != y->id) return (x->id > y->id) - (x->id < y->id);
    return (x->k < y->k) - (x->k > y->k);
}

struct race_clock *race_clock_of_entries(struct race *race, const struct race_entry *entries, uint32_t count)
{
    struct race_entry sorted[8], block = {.id = UINT64_MAX};
    if (count > SW_COUNT_OF(sorted)) BUG("%u entries", count);
    memcpy(sorted, entries, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_id);
    vec_clear(&race->gather);
    for (struct run list = {sorted, sorted + count}; list.at != list.end;) {
        struct run run = run_take(&list, list.at->id), none = {list.end, list.end};
        gather_run(race, run.at->id, run, none, &block);
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
