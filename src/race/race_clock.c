/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks: what somebody knows beyond the barriers of its block and warp and the order of its task. Method:
 * sorted lists of entries in one canonical form (a warp's lanes grouped by slice, newest first; nothing that
 * an entry of the whole block covers; of long lists, nothing that an order in it covers), shared, and
 * immutable where more than one has it. A join merges two lists and returns one of them where it holds all;
 * the last joins of long lists are remembered, since the warps of a block and the lanes of a warp make the
 * same ones. Limit: an entry says nothing of single slices, only "up to". */
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
    *clock = (struct race_clock){.refs = 1,
                                 .count = (uint32_t)count,
                                 .capacity = (uint32_t)count,
                                 .serial = ++race->clock_serial,
                                 .next = race->clocks};
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

/* What both lists begin with goes to race->gather. Neither has covered it, so the other does not; entries of
 * the same id that follow it have other lanes. */
static void take_same(struct race *race, struct run *a, struct run *b, struct race_entry *block)
{
    const struct race_entry *from = a->at;
    while (a->at != a->end && b->at != b->end && a->at->id == b->at->id && a->at->k == b->at->k &&
           a->at->mask == b->at->mask)
        a->at++, b->at++;
    size_t count = (size_t)(a->at - from);
    if (!count) return;
    vec_reserve(&race->gather, race->gather.count + count);
    memcpy(race->gather.at + race->gather.count, from, count * sizeof *from);
    race->gather.count += count;
    for (const struct race_entry *e = a->at; e-- != from && e->id >> 7 == a->at[-1].id >> 7;)
        if (!is_of_warp(e->id)) *block = *e;
}

/* Merges both lists into race->gather. */
static void merge(struct race *race, struct run as, struct run bs)
{
    struct race_entry block = {.id = UINT64_MAX};
    vec_clear(&race->gather);
    for (;;) {
        take_same(race, &as, &bs, &block);
        if (as.at == as.end && bs.at == bs.end) return;
        bool first = bs.at == bs.end || (as.at != as.end && as.at->id <= bs.at->id);
        uint64_t id = first ? as.at->id : bs.at->id;
        struct run of_a = run_take(&as, id), of_b = run_take(&bs, id);
        gather_run(race, id, of_a, of_b, &block);
    }
}

static bool is_order(const struct race_entry *e)
{
    return e->id >> 63;
}

/* The orders that a list ends with. */
static struct run orders_of(struct run list)
{
    struct run orders = {list.end, list.end};
    while (orders.at != list.at && is_order(orders.at - 1))
        orders.at--;
    return orders;
}

/* Whether one of these orders has the whole of a task. */
static bool orders_have(const struct race *race, struct run orders, uint32_t task)
{
    for (const struct race_entry *e = orders.at; e != orders.end; e++)
        if (race_task_knows(race->tasks.at[(uint32_t)e->id], race->tasks.at[task])) return true;
    return false;
}

/* Takes out of race->gather what its orders have: threads of tasks that come before (race_task_is_known_to
 * answers for them), and the orders of such tasks. Else clocks that atomics hand on from launch to launch
 * have the blocks of all launches. */
static void drop_ordered(struct race *race)
{
    struct race_entry *into = race->gather.at;
    struct run all = {into, into + race->gather.count}, orders = orders_of(all);
    uint32_t task = UINT32_MAX;
    bool have = false;
    if (orders.at == orders.end) return;
    vec_clear(&race->orders);
    for (const struct race_entry *e = orders.at; e != orders.end; e++)
        if (!orders_have(race, orders, (uint32_t)e->id)) *vec_push(&race->orders) = *e;
    for (const struct race_entry *e = all.at; e != orders.at; e++) {
        uint32_t of = race->blocks.at[e->id >> 7].task;
        if (of != task) have = orders_have(race, orders, of);
        task = of;
        if (!have) *into++ = *e;
    }
    memcpy(into, race->orders.at, race->orders.count * sizeof *into);
    race->gather.count = (size_t)(into - all.at) + race->orders.count;
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

/* Room for `more` entries. */
static struct race_clock *clock_reserve(struct race *race, struct race_clock *clock, uint32_t more)
{
    if (clock->count + more <= clock->capacity) return clock;
    uint32_t capacity = clock->capacity + clock->capacity / 2 + more;
    clock = sw_xrealloc(clock, sizeof *clock + capacity * sizeof clock->at[0]);
    clock->capacity = capacity;
    if (clock->next) clock->next->previous = clock;
    if (clock->previous)
        clock->previous->next = clock;
    else
        race->clocks = clock;
    return clock;
}

/* Puts race->gather in the place of the entries from low to high. */
static struct race_clock *clock_replace(struct race *race, struct race_clock *clock, uint32_t low,
                                        uint32_t high)
{
    uint32_t count = (uint32_t)race->gather.count, old = high - low;
    if (count > old) clock = clock_reserve(race, clock, count - old);
    memmove(&clock->at[low + count], &clock->at[high], (clock->count - high) * sizeof clock->at[0]);
    memcpy(&clock->at[low], race->gather.at, count * sizeof clock->at[0]);
    clock->count += count - old;
    clock->serial = ++race->clock_serial;
    return clock;
}

/* Adds sorted entries to a clock that nobody else has, those of one block at a time. */
static struct race_clock *clock_insert(struct race *race, struct race_clock *clock, struct run list)
{
    while (list.at != list.end) {
        uint64_t block = list.at->id >> 7;
        struct run run = {list.at, list.at};
        while (run.end != list.end && run.end->id >> 7 == block)
            run.end++;
        list.at = run.end;
        uint32_t low = lower_bound(clock, block << 7), high = lower_bound(clock, (block + 1) << 7);
        merge(race, (struct run){&clock->at[low], &clock->at[high]}, run);
        clock = clock_replace(race, clock, low, high);
    }
    return clock;
}

/* Whether the clock's orders have all of the task that an entry is about. */
static bool knows_ordered(const struct race *race, const struct race_clock *clock, const struct race_entry *e)
{
    struct run orders = orders_of(list_of(clock));
    if (orders.at == orders.end) return false;
    return orders_have(race, orders, is_order(e) ? (uint32_t)e->id : race->blocks.at[e->id >> 7].task);
}

static bool knows_entry(const struct race *race, const struct race_clock *clock, const struct race_entry *e)
{
    if (is_of_warp(e->id)) {
        uint32_t owner = (uint32_t)(e->id >> 7) << RACE_OWNER_WARP_BITS | ((uint32_t)(e->id & 127) - 1);
        return !race_clock_unknown(clock, owner, e->k, e->mask) || knows_ordered(race, clock, e);
    }
    uint32_t i = lower_bound(clock, e->id);
    return (i < clock->count && clock->at[i].id == e->id && clock->at[i].k >= e->k) ||
           knows_ordered(race, clock, e);
}

static bool knows_all(const struct race *race, const struct race_clock *clock, const struct race_clock *other)
{
    for (uint32_t i = 0; i < other->count; i++)
        if (!knows_entry(race, clock, &other->at[i])) return false;
    return true;
}

/* Whether a list has an order that the clock lacks: it may have much of what the clock has. */
static bool brings_order(const struct race *race, const struct race_clock *clock,
                         const struct race_clock *other)
{
    struct run orders = orders_of(list_of(other));
    for (const struct race_entry *e = orders.at; e != orders.end; e++)
        if (!knows_entry(race, clock, e)) return true;
    return false;
}

/* A long list and a short one: most of it is a copy. */
static struct race_clock *join_short(struct race *race, struct race_clock *clock,
                                     const struct race_clock *other)
{
    if (knows_all(race, clock, other)) return race_clock_ref(clock);
    vec_clear(&race->gather);
    vec_reserve(&race->gather, clock->count);
    memcpy(race->gather.at, clock->at, clock->count * sizeof clock->at[0]);
    race->gather.count = clock->count;
    return clock_insert(race, clock_new(race), list_of(other));
}

/* Lists that are merged sooner than remembered, and put into longer ones one by one. */
static bool is_short(const struct race *race, const struct race_clock *clock)
{
    return clock->count < race->short_entries;
}

static struct race_clock *join_new(struct race *race, struct race_clock *a, struct race_clock *b)
{
    bool long_a = !is_short(race, a), long_b = !is_short(race, b);
    if (long_a && !long_b && !brings_order(race, a, b)) return join_short(race, a, b);
    if (long_b && !long_a && !brings_order(race, b, a)) return join_short(race, b, a);
    merge(race, list_of(a), list_of(b));
    if (long_a || long_b) drop_ordered(race);
    if (is_gathered(race, a)) return race_clock_ref(a);
    return is_gathered(race, b) ? race_clock_ref(b) : clock_new(race);
}

void race_clock_forget_joins(struct race *race)
{
    for (uint32_t i = 0; i < RACE_JOINS; i++) {
        race_clock_unref(race, race->joins[i].both);
        race->joins[i] = (struct race_join){0};
    }
}

struct race_clock *race_clock_join(struct race *race, struct race_clock *a, struct race_clock *b)
{
    if (!a || a == b) return race_clock_ref(b);
    if (!b) return race_clock_ref(a);
    if (is_short(race, a) || is_short(race, b)) return join_new(race, a, b);
    struct race_join *join = &race->joins[(a->serial * 31 + b->serial) & (RACE_JOINS - 1)];
    if (join->a != a->serial || join->b != b->serial) {
        struct race_clock *both = join_new(race, a, b);
        race_clock_unref(race, join->both);
        *join = (struct race_join){a->serial, b->serial, both};
    }
    return race_clock_ref(join->both);
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

struct race_clock *race_clock_foreign(struct race *race, const struct race_clock *clock,
                                      const struct race_task *task)
{
    vec_clear(&race->gather);
    for (uint32_t i = 0; clock && i < clock->count; i++) {
        const struct race_entry *e = &clock->at[i];
        uint32_t of = is_order(e) ? (uint32_t)e->id : race->blocks.at[e->id >> 7].task;
        if (of != task->index && !race_task_knows(task, race->tasks.at[of])) *vec_push(&race->gather) = *e;
    }
    return clock_new(race);
}

/* ---- in place, where nobody else has the clock */

void race_clock_grow_by(struct race *race, struct race_clock **into, struct race_clock *other)
{
    if (!other || *into == other) return;
    if (*into && (*into)->refs == 1 && is_short(race, other) && !is_short(race, *into) &&
        !brings_order(race, *into, other)) {
        if (!knows_all(race, *into, other)) *into = clock_insert(race, *into, list_of(other));
    } else {
        race_clock_add(race, into, other);
    }
}

void race_clock_grow(struct race *race, struct race_clock **into, const struct race_entry *entries,
                     uint32_t count)
{
    struct race_clock *own = race_clock_of_entries(race, entries, count);
    race_clock_grow_by(race, into, own);
    race_clock_unref(race, own);
}

/* ---- the threads of a block that have met */

/* Up to which slice the clock has all threads of a warp; 0: not all of them. */
static uint32_t warp_known(const struct race_clock *clock, uint32_t owner, lane_mask live)
{
    uint64_t id = race_id_warp(owner);
    uint32_t known = UINT32_MAX;
    for (uint32_t i = lower_bound(clock, id); i < clock->count && clock->at[i].id == id; i++) {
        if (live & clock->at[i].mask) known = clock->at[i].k;
        live &= ~clock->at[i].mask;
    }
    return live ? 0 : known;
}

/* The last slice up to which no thread of a block did more than what the clock has, if it has all of them. */
static uint32_t block_known(const struct race *race, const struct race_clock *clock, uint32_t block)
{
    enum { SCAN_SLICES = 4096 }; /* implementation: others may act for long before a barrier completes */
    uint32_t known[RACE_ASYNC], least = UINT32_MAX, threads = race->blocks.at[block].threads;
    for (uint32_t w = 0; w < RACE_ASYNC && race_lanes_of(threads, w); w++) {
        known[w] = warp_known(clock, block << RACE_OWNER_WARP_BITS | w, race_lanes_of(threads, w));
        if (known[w] < least) least = known[w];
    }
    if (!least) return 0;
    uint32_t last = race_slice_last(race), most = least + SCAN_SLICES;
    for (uint32_t slice = least + 1; slice <= last && slice <= most; slice++) {
        uint32_t owner = race->slices.at[slice], warp = owner & (RACE_WARPS - 1);
        if (owner >> RACE_OWNER_WARP_BITS != block || warp >= RACE_ASYNC) continue;
        if (slice > known[warp]) return slice - 1;
    }
    return last < most ? last : most;
}

void race_clock_close_block(struct race *race, struct race_clock **clock, uint32_t block)
{
    uint32_t known = *clock ? block_known(race, *clock, block) : 0;
    struct race_entry entry = {race_id_block(block), known, ~0u};
    if (known) race_clock_grow(race, clock, &entry, 1);
}
