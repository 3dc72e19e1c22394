/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: programs launch a kernel hundreds of times with other data each time; where what caches do in such
 * launches hardly differs, simulating all of them costs much and says nothing.
 *
 * Method: launches of a kind (kernel, grid, block, residency, bytes that the parameters point to) are
 * simulated until the simulated ones foretell each other. Then most are counted only, which is exact, and
 * their caches and stalls are those of the simulated launch whose counts are most like theirs, scaled
 * instruction by instruction by the counts. Now and then one is simulated all the same and compared with the
 * estimate it would have had: good estimates make these rarer, bad ones more frequent. The largest of the
 * last errors is the confidence of all estimates. Which launches are simulated follows from the counts alone,
 * so that two runs of a program choose the same ones; the distance between two that are simulated has a part
 * by chance, since programs alternate between arrays.
 *
 * Limits: launches with warm caches, with memory of the host or of other devices, and with an access-policy
 * window are always simulated, and all where the user gave --sample. A launch whose accesses go elsewhere
 * though all counts are as before is told from the others only when it is simulated. */
#include "session_estimate_priv.h"

#include "event/event_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { HUNDREDTHS = 10000 };

/* ---- counts */

static uint64_t slot_of(const struct event_launch *launch, uint32_t slot)
{
    return slot == EVENT_NO_SLOT ? 0 : launch->counters[slot];
}

static void counts_of(const struct event_launch *launch, estimate_counts *out)
{
    for (uint32_t i = 0; i < launch->kernel->instr_count; i++) {
        const struct event_slots *slots = &launch->kernel->instrs[i].slots;
        out[i][ESTIMATE_WARPS] = slot_of(launch, slots->on_warps);
        out[i][ESTIMATE_LANES] = slot_of(launch, slots->on_lanes);
        out[i][ESTIMATE_GLOBAL] = slot_of(launch, slots->access[EVENT_ACCESS_GLOBAL].units) +
                                  slot_of(launch, slots->access[EVENT_ACCESS_TEXTURE].units) +
                                  slot_of(launch, slots->access[EVENT_ACCESS_BULK].units);
        out[i][ESTIMATE_LOCAL] = slot_of(launch, slots->access[EVENT_ACCESS_LOCAL].units);
        out[i][ESTIMATE_SHARED] = slot_of(launch, slots->access[EVENT_ACCESS_SHARED].units);
    }
}

static uint64_t sum_of(estimate_counts *const counts, uint32_t instr_count, enum estimate_count which)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < instr_count; i++)
        sum += counts[i][which];
    return sum;
}

/* How much the counts differ, in hundredths of a per cent of the larger ones; the kind of count that differs
 * most says. */
static uint32_t distance_of(estimate_counts *const a, estimate_counts *const b, uint32_t instr_count)
{
    double most = 0;
    for (uint32_t k = 0; k < ESTIMATE_COUNTS; k++) {
        double apart = 0, larger = 0;
        for (uint32_t i = 0; i < instr_count; i++) {
            double x = (double)a[i][k], y = (double)b[i][k];
            apart += x > y ? x - y : y - x;
            larger += x > y ? x : y;
        }
        if (larger > 0 && apart / larger > most) most = apart / larger;
    }
    return (uint32_t)(most * HUNDREDTHS + 0.5);
}

static uint64_t chance_of(const struct estimate_kind *kind)
{
    return sw_hash_bytes(&kind->launches, sizeof kind->launches, 1);
}

/* The reference that is most like these counts; of several that are as good, any: what they do not have in
 * common is then its mean over many launches. NULL: there is none. */
static struct estimate_reference *nearest_of(struct estimate_kind *kind, estimate_counts *const counts,
                                             uint32_t *distance)
{
    uint32_t each[ESTIMATE_REFERENCES_MOST], least = UINT32_MAX, good = 0;
    for (uint32_t r = 0; r < kind->count; r++) {
        each[r] = distance_of(counts, kind->references[r].counts, kind->instr_count);
        least = each[r] < least ? each[r] : least;
    }
    uint32_t limit = least > ESTIMATE_SAME ? least : ESTIMATE_SAME;
    for (uint32_t r = 0; r < kind->count; r++)
        good += each[r] <= limit;
    uint64_t nth = good ? chance_of(kind) % good : 0;
    for (uint32_t r = 0; r < kind->count; r++)
        if (each[r] <= limit && !nth--) {
            *distance = each[r];
            return &kind->references[r];
        }
    return NULL;
}

/* ---- what is kept */

static size_t bytes_of(uint32_t instr_count, uint32_t slot_count)
{
    const struct estimate_reference *r = NULL;
    return instr_count * (sizeof *r->counts + sizeof *r->instrs) + slot_count * sizeof *r->counters +
           (instr_count + 1ull) * (sizeof *r->intervals + sizeof *r->stalls);
}

static void reference_release(struct estimate_reference *r)
{
    free(r->counts);
    free(r->counters);
    free(r->stalls);
    free(r->instrs);
    free(r->intervals);
    *r = (struct estimate_reference){0};
}

static void kind_release(struct session_estimate *e, struct estimate_kind *kind)
{
    for (uint32_t r = 0; r < kind->count; r++)
        reference_release(&kind->references[r]);
    e->bytes -= kind->bytes;
    *kind = (struct estimate_kind){0};
}

/* The kind that was used least lately, without the one whose launch has begun. */
static struct estimate_kind *estimate_oldest(struct session_estimate *e, bool with_bytes)
{
    struct estimate_kind *found = NULL;
    for (uint32_t i = 0; i < e->count; i++) {
        struct estimate_kind *kind = &e->kinds[i];
        if (kind == e->current || (with_bytes && !kind->bytes)) continue;
        if (!found || kind->used < found->used) found = kind;
    }
    return found;
}

static struct estimate_kind *kind_of(struct session_estimate *e, const struct repeat_key *key,
                                     const struct event_launch *launch)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (repeat_key_is(&e->kinds[i].key, key) && e->kinds[i].reach_bytes == launch->reach_bytes)
            return &e->kinds[i];
    struct estimate_kind *kind =
        e->count < ESTIMATE_KINDS_MOST ? &e->kinds[e->count++] : estimate_oldest(e, false);
    kind_release(e, kind);
    *kind = (struct estimate_kind){.key = *key,
                                   .reach_bytes = launch->reach_bytes,
                                   .instr_count = launch->kernel->instr_count,
                                   .slot_count = launch->kernel->slot_count};
    return kind;
}

static bool estimate_make_room(struct session_estimate *e, size_t bytes)
{
    if (bytes > ESTIMATE_BYTES_MOST) return false;
    while (e->bytes + bytes > ESTIMATE_BYTES_MOST) {
        struct estimate_kind *other = estimate_oldest(e, true);
        if (!other) return false;
        kind_release(e, other);
    }
    return true;
}

/* The reference that was made first, of those that are the same as these counts; else the one that was used
 * least lately. */
static struct estimate_reference *replaced_of(struct estimate_kind *kind, estimate_counts *const counts)
{
    struct estimate_reference *same = NULL, *oldest = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < kind->count; i++) {
        struct estimate_reference *r = &kind->references[i];
        bool is_same = distance_of(counts, r->counts, kind->instr_count) <= ESTIMATE_SAME;
        count += is_same;
        if (is_same && (!same || r->made < same->made)) same = r;
        if (!oldest || r->used < oldest->used) oldest = r;
    }
    return count > 1 ? same : oldest;
}

static struct estimate_reference *place_of(struct session_estimate *e, struct estimate_kind *kind,
                                           estimate_counts *const counts)
{
    if (kind->count == ESTIMATE_REFERENCES_MOST ||
        !estimate_make_room(e, bytes_of(kind->instr_count, kind->slot_count)))
        return replaced_of(kind, counts);
    kind->bytes += bytes_of(kind->instr_count, kind->slot_count);
    e->bytes += bytes_of(kind->instr_count, kind->slot_count);
    return &kind->references[kind->count++];
}

static void keep(struct session_estimate *e, struct estimate_reference *place, estimate_counts *counts,
                 const struct event_launch *launch, const struct event_memory *result)
{
    reference_release(place);
    place->counts = counts;
    place->counters = sw_xmemdup(launch->counters, e->current->slot_count * sizeof *place->counters);
    place->used = place->made = e->clock;
    place->memory = *result;
    place->instrs = sw_xmemdup(result->instrs, result->instr_count * sizeof *place->instrs);
    place->intervals = sw_xmemdup(result->intervals, (result->instr_count + 1ull) * sizeof *place->intervals);
    place->memory.instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])place->instrs;
    place->memory.intervals = (const struct event_stalls(*)[EVENT_INTERVALS])place->intervals;
}

/* ---- an estimate */

static double ratio_of(uint64_t now, uint64_t then)
{
    return then ? (double)now / (double)then : 1;
}

static void scale(uint64_t *number, double by)
{
    *number = (uint64_t)((double)*number * by + 0.5);
}

enum { SUMS = sizeof(struct event_memory_sums) / sizeof(uint64_t) };

static void scale_sums(struct event_memory_sums *sums, double by)
{
    uint64_t words[SUMS];
    memcpy(words, sums, sizeof words);
    for (uint32_t i = 0; i < SUMS; i++)
        scale(&words[i], by);
    memcpy(sums, words, sizeof words);
}

/* What no instruction caused. */
static struct event_memory_sums rest_of(const struct event_memory *memory)
{
    uint64_t rest[SUMS], words[SUMS];
    memcpy(rest, &memory->total, sizeof rest);
    for (uint32_t i = 0; i < memory->instr_count; i++)
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES; s++) {
            memcpy(words, &memory->instrs[i][s], sizeof words);
            for (uint32_t w = 0; w < SUMS; w++)
                rest[w] -= words[w] < rest[w] ? words[w] : rest[w];
        }
    struct event_memory_sums sums;
    memcpy(&sums, rest, sizeof sums);
    return sums;
}

static void scale_stalls(struct event_stalls stalls[EVENT_INTERVALS], double by)
{
    for (uint32_t k = 0; k < EVENT_INTERVALS; k++)
        for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
            scale(&stalls[k].cycles[r], by);
}

static void scale_waits(struct event_waits *waits, double by)
{
    scale(&waits->warps, by);
    scale(&waits->resident, by);
    scale(&waits->active, by);
    for (uint32_t r = 0; r < EVENT_STALL_COUNT; r++)
        scale(&waits->cycles[r], by);
}

/* By its sectors; of what has none, by the warps. */
static double instr_ratio(const uint64_t *now, const uint64_t *then, enum estimate_count units)
{
    return then[units] ? ratio_of(now[units], then[units])
                       : ratio_of(now[ESTIMATE_WARPS], then[ESTIMATE_WARPS]);
}

static void make_instrs(struct session_estimate *e, const struct estimate_reference *from,
                        estimate_counts *const counts, double all)
{
    static const enum estimate_count UNITS[EVENT_MEMORY_SPACES] = {
        [EVENT_ACCESS_GLOBAL] = ESTIMATE_GLOBAL, [EVENT_ACCESS_LOCAL] = ESTIMATE_LOCAL};
    uint32_t count = from->memory.instr_count;
    e->instrs = sw_xrealloc(e->instrs, (count + 1ull) * sizeof *e->instrs);
    e->intervals = sw_xrealloc(e->intervals, (count + 1ull) * sizeof *e->intervals);
    memcpy(e->instrs, from->instrs, count * sizeof *e->instrs);
    memcpy(e->intervals, from->intervals, (count + 1ull) * sizeof *e->intervals);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES; s++) {
            scale_sums(&e->instrs[i][s], instr_ratio(counts[i], from->counts[i], UNITS[s]));
            event_memory_add(&e->memory.total, &e->instrs[i][s]);
        }
        scale_stalls(e->intervals[i], ratio_of(counts[i][ESTIMATE_WARPS], from->counts[i][ESTIMATE_WARPS]));
    }
    scale_stalls(e->intervals[count], all);
}

static const struct event_memory *estimate_from(struct session_estimate *e,
                                                const struct estimate_reference *from,
                                                estimate_counts *const counts)
{
    uint32_t instrs = from->memory.instr_count;
    double all =
        ratio_of(sum_of(counts, instrs, ESTIMATE_WARPS), sum_of(from->counts, instrs, ESTIMATE_WARPS));
    double sectors =
        ratio_of(sum_of(counts, instrs, ESTIMATE_GLOBAL), sum_of(from->counts, instrs, ESTIMATE_GLOBAL));
    struct event_memory *m = &e->memory;
    *m = from->memory;
    m->total = rest_of(&from->memory);
    scale_sums(&m->total, sectors);
    make_instrs(e, from, counts, all);
    scale(&m->l2_writebacks, sectors);
    scale(&m->dram_even, sectors);
    scale(&m->dram_uneven, sectors);
    scale(&m->constant_requests, all);
    scale(&m->constant_hits, all);
    scale(&m->constant_group_hits, all);
    scale(&m->constant_l2_reads, all);
    scale(&m->cycles, all);
    scale_waits(&m->waits, all);
    m->instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])e->instrs;
    m->intervals = (const struct event_stalls(*)[EVENT_INTERVALS])e->intervals;
    return m;
}

/* ---- errors */

static uint64_t l2_sectors(const struct event_memory *m)
{
    return m->total.l2_reads + m->total.l2_writes + m->total.l2_atomics;
}

static uint64_t dram_sectors(const struct event_memory *m)
{
    return m->total.dram_reads + m->total.dram_writes;
}

/* In hundredths of a per cent of the truth, or of `least` where that is more. */
static uint32_t error_of(uint64_t estimate, uint64_t truth, uint64_t least)
{
    uint64_t apart = estimate > truth ? estimate - truth : truth - estimate;
    uint64_t whole = truth > least ? truth : least;
    if (!apart) return 0;
    double share = (double)apart / (double)whole * HUNDREDTHS;
    return share < HUNDREDTHS ? (uint32_t)(share + 0.5) : HUNDREDTHS;
}

static uint32_t l1_rate(const struct event_memory *m)
{
    const struct event_memory_sums *t = &m->total;
    return t->l1_sectors ? (uint32_t)((double)t->l1_hits / (double)t->l1_sectors * HUNDREDTHS + 0.5) : 0;
}

/* assumed: a hundredth of what L2 moves is too little for its error to matter */
static struct event_confidence errors_of(const struct event_memory *estimate,
                                         const struct event_memory *truth)
{
    uint32_t a = l1_rate(estimate), b = l1_rate(truth);
    uint64_t least = l2_sectors(truth) / 100;
    return (struct event_confidence){.l1_rate = a > b ? a - b : b - a,
                                     .l2_sectors = error_of(l2_sectors(estimate), l2_sectors(truth), 1),
                                     .dram_sectors =
                                         error_of(dram_sectors(estimate), dram_sectors(truth), least),
                                     .cycles = error_of(estimate->cycles, truth->cycles, 1)};
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t worst_of(const struct event_confidence *c)
{
    return larger(larger(c->l1_rate, c->l2_sectors), larger(c->dram_sectors, c->cycles));
}

/* The largest of the last errors. */
static struct event_confidence largest_of(const struct estimate_kind *kind)
{
    struct event_confidence most = {0};
    for (uint64_t i = 0; i < ESTIMATE_ERRORS && i < kind->checks; i++) {
        const struct event_confidence *c = &kind->errors[i];
        most.l1_rate = larger(most.l1_rate, c->l1_rate);
        most.l2_sectors = larger(most.l2_sectors, c->l2_sectors);
        most.dram_sectors = larger(most.dram_sectors, c->dram_sectors);
        most.cycles = larger(most.cycles, c->cycles);
    }
    return most;
}

/* ---- which launches are simulated */

/* A sampled reference may be off by as much itself. */
static void add_errors(struct event_confidence *to, const struct event_confidence *more)
{
    to->l1_rate += more->l1_rate;
    to->l2_sectors += more->l2_sectors;
    to->dram_sectors += more->dram_sectors;
    to->cycles += more->cycles;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void choose_next(struct estimate_kind *kind)
{
    kind->next = kind->launches + kind->pause + (kind->pause ? chance_of(kind) % (kind->pause / 2 + 1) : 0);
}

/* assumed: in simulated requests (0.4 us), what a launch costs for each of the kernel's instructions; what it
 * costs to compile code that only counts. A kernel that has taken less is simulated on. */
enum { COST_LAUNCH = 6, COST_COMPILE = 1250 };

static uint64_t work_of(const struct estimate_kind *kind, estimate_counts *const counts)
{
    enum { QUICK = 4 }; /* assumed: so many sectors cost no more than the request */
    uint64_t work = (uint64_t)COST_LAUNCH * kind->instr_count;
    for (uint32_t i = 0; i < kind->instr_count; i++) {
        uint64_t units = counts[i][ESTIMATE_GLOBAL] + counts[i][ESTIMATE_LOCAL];
        if (units) work += counts[i][ESTIMATE_WARPS] + units / QUICK;
    }
    return work;
}

static bool is_worth_it(const struct estimate_kind *kind)
{
    return kind->work > (uint64_t)COST_COMPILE * kind->instr_count;
}

static void set_pause(struct estimate_kind *kind, uint32_t error)
{
    struct event_confidence most = largest_of(kind);
    if (!kind->pause) { /* none has been estimated yet */
        bool alike = kind->simulated >= ESTIMATE_FIRST && worst_of(&most) <= ESTIMATE_BAD;
        kind->pause = alike && is_worth_it(kind) ? 2 : 0;
    } else if (error <= ESTIMATE_GOOD)
        kind->pause = smaller(2 * kind->pause, smaller(kind->simulated / 2, ESTIMATE_PAUSE_MOST));
    else if (error > ESTIMATE_BAD)
        kind->pause /= 4; /* 0: as at first */
    choose_next(kind);
}

static bool may_estimate(const struct event_launch *launch)
{
    return launch->kernel->id && !launch->far_count && !launch->policy.bytes;
}

bool session_estimate_begin(struct session_estimate *e, const struct repeat_key *key,
                            const struct event_launch *launch)
{
    e->clock++;
    e->current = NULL;
    e->learned = NULL;
    e->estimating = false;
    if (!may_estimate(launch)) return false;
    e->current = kind_of(e, key, launch);
    e->current->used = e->clock;
    e->current->launches++;
    e->kernel = launch->kernel;
    return e->estimating = e->current->pause && e->current->count && e->current->launches < e->current->next;
}

void session_estimate_learn(struct session_estimate *e, const struct event_launch *launch,
                            const struct event_memory *result)
{
    struct estimate_kind *kind = e->current;
    uint32_t distance = 0, error = 0;
    if (!kind) return;
    estimate_counts *counts = sw_xcalloc(kind->instr_count + 1ull, sizeof *counts);
    counts_of(launch, counts);
    kind->simulated++;
    kind->work += work_of(kind, counts);
    struct estimate_reference *nearest = nearest_of(kind, counts, &distance);
    if (nearest) {
        struct event_confidence *place = &kind->errors[kind->checks++ % ESTIMATE_ERRORS];
        *place = errors_of(estimate_from(e, nearest, counts), result);
        error = worst_of(place);
    }
    struct estimate_reference *place = place_of(e, kind, counts);
    e->learned = place;
    if (place)
        keep(e, place, counts, launch, result);
    else
        free(counts);
    set_pause(kind, error);
}

void session_estimate_learn_time(struct session_estimate *e, const struct event_launch *launch)
{
    struct estimate_reference *r = e->learned;
    if (!r || !launch->time || !launch->stalls) return;
    r->time = *launch->time;
    r->stalls = sw_xmemdup(launch->stalls, launch->kernel->instr_count * sizeof *r->stalls);
    r->timed = true;
}

/* Code that only counts has slots of its own. */
static void translate(struct session_estimate *e, struct event_launch *launch)
{
    enum { WORDS = sizeof(struct event_slots) / sizeof(uint32_t) };
    const struct event_kernel *to = e->kernel;
    e->counters = sw_xrealloc(e->counters, (to->slot_count + 1ull) * sizeof *e->counters);
    memset(e->counters, 0, to->slot_count * sizeof *e->counters);
    for (uint32_t i = 0; i < to->instr_count; i++) {
        uint32_t mine[WORDS], others[WORDS];
        memcpy(mine, &to->instrs[i].slots, sizeof mine);
        memcpy(others, &launch->kernel->instrs[i].slots, sizeof others);
        for (uint32_t w = 0; w < WORDS; w++)
            if (mine[w] != EVENT_NO_SLOT && others[w] != EVENT_NO_SLOT)
                e->counters[mine[w]] = launch->counters[others[w]];
    }
    launch->kernel = to;
    launch->counters = e->counters;
}

/* A launch of which all counters are the same, any of those; NULL: there is none. */
static struct estimate_reference *repeated_of(struct estimate_kind *kind, const struct event_launch *launch)
{
    struct estimate_reference *found[ESTIMATE_REFERENCES_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < kind->count; i++) {
        struct estimate_reference *r = &kind->references[i];
        if (memcmp(r->counters, launch->counters, kind->slot_count * sizeof *r->counters) == 0)
            found[count++] = r;
    }
    return count ? found[chance_of(kind) % count] : NULL;
}

static uint32_t make_scaled(struct session_estimate *e, const struct event_launch *launch)
{
    struct estimate_kind *kind = e->current;
    uint32_t distance = 0;
    estimate_counts *counts = sw_xcalloc(kind->instr_count + 1ull, sizeof *counts);
    counts_of(launch, counts);
    struct estimate_reference *from = nearest_of(kind, counts, &distance);
    from->used = e->clock;
    estimate_from(e, from, counts);
    free(counts);
    return distance;
}

void session_estimate_make(struct session_estimate *e, struct event_launch *launch)
{
    struct estimate_kind *kind = e->current;
    uint32_t distance = 0;
    translate(e, launch);
    struct estimate_reference *same = repeated_of(kind, launch);
    if (same) {
        same->used = e->clock;
        e->memory = same->memory;
        if (same->timed) launch->time = &same->time, launch->stalls = same->stalls;
    } else {
        distance = make_scaled(e, launch);
    }
    launch->memory = &e->memory;
    struct event_confidence errors = largest_of(kind);
    e->memory.estimated = true;
    e->estimated++;
    if (distance > ESTIMATE_UNLIKE) { /* the next ones are simulated: they may be like this one */
        kind->pause = kind->pause > 2 ? kind->pause / 2 : 1;
        kind->next = kind->launches + 1;
    }
    add_errors(&e->memory.confidence, &errors);
}

void session_estimate_clear(struct session_estimate *e)
{
    e->current = NULL;
    while (e->count)
        kind_release(e, &e->kinds[--e->count]);
    free(e->instrs);
    free(e->intervals);
    free(e->counters);
    *e = (struct session_estimate){0};
}
