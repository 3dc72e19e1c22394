/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: programs launch kernels again and again; where the model of caches is told the same as in an
 * earlier launch, its result is the same, and is not computed again.
 *
 * Method: what the model is told in a launch with cold caches is kept: requests, costs, accesses to the
 * address set, and at the end the counters. A later launch of the kernel with the same grid, block and
 * residency is compared with it, round by round, while the model does not run. If all is equal, the kept
 * result is the launch's. At the first difference the model plays the kept rounds, which are those of this
 * launch, and goes on with it. So results do not depend on what is kept.
 *
 * Limits: launches that were given memory of the host or of other devices, or that have an access-policy
 * window, are not kept, nor those with warm caches, nor kernels without an id. Kernels of which
 * REPEAT_VAIN_MOST kept launches did not repeat, and those whose launches differ after the first round, are
 * not kept any longer, nor launches of more than REPEAT_BYTES_MOST. */
#include "session_repeat_priv.h"

#include "event/event_kernel.h"
#include "model/sm/model_memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- launches that are kept */

static void release_rounds(struct session_repeat *r, struct repeat_launch *kept)
{
    for (uint32_t i = 0; i < kept->count; i++)
        repeat_round_release(&kept->rounds[i]);
    free(kept->rounds);
    free(kept->counters);
    free(kept->instrs);
    free(kept->intervals);
    r->bytes -= kept->bytes;
    kept->rounds = NULL;
    kept->counters = NULL;
    kept->instrs = NULL;
    kept->intervals = NULL;
    kept->bytes = kept->count = kept->capacity = 0;
    kept->complete = false;
}

/* The place of the launch that was used least lately, but not the current one; NULL: there is none. */
static struct repeat_launch *oldest(struct session_repeat *r, bool with_rounds)
{
    struct repeat_launch *found = NULL;
    for (uint32_t i = 0; i < r->count; i++) {
        struct repeat_launch *kept = &r->launches[i];
        if (kept == r->current || (with_rounds && !kept->bytes)) continue;
        if (!found || kept->used < found->used) found = kept;
    }
    return found;
}

static void give_up(struct session_repeat *r, struct repeat_launch *kept)
{
    release_rounds(r, kept);
    kept->vain = true;
}

static bool make_room(struct session_repeat *r, size_t bytes)
{
    if (bytes > REPEAT_BYTES_MOST) return false;
    while (r->bytes + bytes > REPEAT_BYTES_MOST) {
        struct repeat_launch *other = oldest(r, true);
        if (!other) return false;
        release_rounds(r, other);
    }
    return true;
}

static struct repeat_launch *place_new(struct session_repeat *r)
{
    if (r->count < REPEAT_LAUNCHES_MOST) return &r->launches[r->count++];
    r->current = NULL;
    struct repeat_launch *kept = oldest(r, false);
    release_rounds(r, kept);
    return kept;
}

/* ---- the model */

static uint32_t play_round(const struct session_repeat *r, const struct event_round *round,
                           const struct model_costs *costs)
{
    if (r->key.may_be_small) model_memory_detail_small(r->key.memory, round);
    return model_memory_round(r->key.memory, round, costs);
}

static void begin_model(struct session_repeat *r)
{
    model_memory_launch_begin(r->key.memory, &r->launch, &r->key.residency, r->key.sample_shift, true);
    r->progress = *model_memory_progress(r->key.memory);
}

/* This launch differs from the followed one: the model plays what they have in common. */
static void stop_following(struct session_repeat *r)
{
    struct repeat_launch *kept = r->current;
    begin_model(r);
    for (uint32_t i = 0; i < r->round; i++) {
        const struct repeat_round *round = &kept->rounds[i];
        play_round(r, &round->round, &round->costs);
        size_t count = i + 1 < r->round ? round->accesses.count : r->accesses;
        model_memory_set_accesses(r->key.memory, round->accesses.list, count);
    }
    r->progress = *model_memory_progress(r->key.memory);
    r->followed -= r->round;
    r->played += r->round;
    r->mode = REPEAT_PLAY;
    r->current = NULL;
    if (!kept->repeated) give_up(r, kept);
}

/* ---- a launch begins */

static bool may_keep(const struct event_launch *launch)
{
    return launch->kernel->id && !launch->far_count && !launch->policy.bytes;
}

/* Are there launches with this key, and is one more worth keeping? */
static enum repeat_mode mode_of(const struct session_repeat *r)
{
    uint32_t vain = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        if (!repeat_key_is(&r->launches[i].key, &r->key)) continue;
        if (r->launches[i].vain) return REPEAT_PLAY;
        vain += !r->launches[i].repeated;
    }
    return vain < REPEAT_VAIN_MOST ? REPEAT_OPEN : REPEAT_PLAY;
}

static size_t progress_slots(const struct session_repeat *r)
{
    return (size_t)r->key.residency.sm_count * r->key.residency.blocks_per_sm;
}

/* No CTA slot has had a block yet. */
static struct event_progress progress_none(struct session_repeat *r)
{
    size_t slots = progress_slots(r);
    if (slots > r->slots) {
        free(r->no_progress);
        r->no_progress = sw_xcalloc(slots, sizeof *r->no_progress);
        r->slots = slots;
    }
    return (struct event_progress){.cta_slots = r->no_progress};
}

void session_repeat_begin(struct session_repeat *r, struct model_memory *memory,
                          const struct event_launch *launch, const struct event_residency *residency,
                          uint32_t sample_shift, bool may_be_small, bool cold)
{
    r->key = repeat_key_of(memory, launch, residency, sample_shift, may_be_small);
    r->launch = *launch;
    r->round = 0;
    r->accesses = 0;
    r->current = NULL;
    r->clock++;
    r->mode = cold && may_keep(launch) ? mode_of(r) : REPEAT_PLAY;
    if (r->mode == REPEAT_OPEN) {
        r->progress = progress_none(r);
        return;
    }
    model_memory_launch_begin(memory, launch, residency, sample_shift, cold);
    r->progress = *model_memory_progress(memory);
}

/* ---- rounds */

/* The first round: a kept launch that begins so is followed, or this one is kept. */
static void choose(struct session_repeat *r, const struct event_round *round, const struct model_costs *costs)
{
    for (uint32_t i = 0; i < r->count; i++) {
        struct repeat_launch *kept = &r->launches[i];
        if (!kept->complete || !repeat_key_is(&kept->key, &r->key)) continue;
        if (!repeat_round_is(&kept->rounds[0], round, costs, kept->instr_count)) continue;
        r->mode = REPEAT_FOLLOW;
        r->current = kept;
        kept->used = r->clock;
        return;
    }
    begin_model(r);
    struct repeat_launch *kept = place_new(r);
    *kept = (struct repeat_launch){.key = r->key,
                                   .instr_count = r->launch.kernel->instr_count,
                                   .slot_count = r->launch.kernel->slot_count,
                                   .used = r->clock};
    r->mode = REPEAT_KEEP;
    r->current = kept;
}

static struct repeat_round *round_new(struct repeat_launch *kept)
{
    if (kept->count == kept->capacity) {
        kept->capacity = 2 * kept->capacity + 4;
        kept->rounds = sw_xrealloc(kept->rounds, kept->capacity * sizeof *kept->rounds);
    }
    return &kept->rounds[kept->count++];
}

static void stop_keeping(struct session_repeat *r)
{
    give_up(r, r->current);
    r->current = NULL;
    r->mode = REPEAT_PLAY;
}

static void count_bytes(struct session_repeat *r, size_t bytes)
{
    r->current->bytes += bytes;
    r->bytes += bytes;
}

static void keep_round(struct session_repeat *r, const struct event_round *round,
                       const struct model_costs *costs)
{
    struct repeat_launch *kept = r->current;
    const struct repeat_round *before = kept->count ? &kept->rounds[kept->count - 1] : NULL;
    size_t bytes =
        repeat_round_bytes(round, costs, before, kept->instr_count) + progress_slots(r) * sizeof(uint64_t);
    if (!make_room(r, bytes)) {
        stop_keeping(r);
        return;
    }
    count_bytes(r, bytes);
    struct repeat_round *copy = round_new(kept);
    repeat_round_copy(copy, round, costs, kept->count > 1 ? copy - 1 : NULL, kept->instr_count);
}

static void keep_answer(struct session_repeat *r, uint32_t sample_shift)
{
    struct repeat_round *copy = &r->current->rounds[r->current->count - 1];
    size_t slots = progress_slots(r);
    copy->sample_shift = sample_shift;
    copy->ahead = r->progress.ahead;
    copy->cta_slots = sw_xmalloc((slots + 1) * sizeof *copy->cta_slots);
    memcpy(copy->cta_slots, r->progress.cta_slots, slots * sizeof *copy->cta_slots);
}

static bool follows(struct session_repeat *r, const struct event_round *round,
                    const struct model_costs *costs)
{
    const struct repeat_launch *kept = r->current;
    if (r->round && r->accesses != kept->rounds[r->round - 1].accesses.count) return false;
    return r->round < kept->count &&
           repeat_round_is(&kept->rounds[r->round], round, costs, kept->instr_count);
}

uint32_t session_repeat_round(struct session_repeat *r, const struct event_round *round,
                              const struct model_costs *costs)
{
    bool first = r->mode == REPEAT_OPEN;
    if (first) choose(r, round, costs);
    if (r->mode == REPEAT_FOLLOW && !first && !follows(r, round, costs)) stop_following(r);
    if (r->mode == REPEAT_FOLLOW) {
        const struct repeat_round *kept = &r->current->rounds[r->round++];
        r->accesses = 0;
        r->followed++;
        r->progress = (struct event_progress){kept->cta_slots, kept->ahead};
        return kept->sample_shift;
    }
    if (r->mode == REPEAT_KEEP) keep_round(r, round, costs);
    uint32_t sample_shift = play_round(r, round, costs);
    r->played++;
    r->progress = *model_memory_progress(r->key.memory);
    if (r->mode == REPEAT_KEEP) keep_answer(r, sample_shift);
    return sample_shift;
}

void session_repeat_set_accesses(struct session_repeat *r, const struct event_set_access *accesses,
                                 size_t count)
{
    if (r->mode == REPEAT_FOLLOW) {
        const struct repeat_accesses *kept = &r->current->rounds[r->round - 1].accesses;
        if (repeat_accesses_are(kept, r->accesses, accesses, count)) {
            r->accesses += count;
            return;
        }
        stop_following(r);
    }
    if (r->mode == REPEAT_OPEN) {
        begin_model(r);
        r->mode = REPEAT_PLAY;
    }
    if (r->mode == REPEAT_KEEP && !make_room(r, 2 * count * sizeof *accesses)) stop_keeping(r);
    if (r->mode == REPEAT_KEEP) {
        count_bytes(r, 2 * count * sizeof *accesses);
        repeat_accesses_add(&r->current->rounds[r->current->count - 1].accesses, accesses, count);
    }
    model_memory_set_accesses(r->key.memory, accesses, count);
}

/* ---- the end */

static bool ends_alike(const struct session_repeat *r, const struct event_launch *launch)
{
    const struct repeat_launch *kept = r->current;
    return r->round == kept->count && r->accesses == kept->rounds[kept->count - 1].accesses.count &&
           !memcmp(kept->counters, launch->counters, kept->slot_count * sizeof *launch->counters);
}

static void keep_result(struct repeat_launch *kept, const struct event_launch *launch,
                        const struct event_memory *result)
{
    kept->counters = sw_xmemdup(launch->counters, kept->slot_count * sizeof *kept->counters);
    kept->instrs = sw_xmemdup(result->instrs, kept->instr_count * sizeof *kept->instrs);
    kept->intervals = sw_xmemdup(result->intervals, (kept->instr_count + 1ull) * sizeof *kept->intervals);
    kept->result = *result;
    kept->result.instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])kept->instrs;
    kept->result.intervals = (const struct event_stalls(*)[EVENT_INTERVALS])kept->intervals;
    kept->complete = true;
}

static size_t result_bytes(const struct repeat_launch *kept)
{
    return kept->slot_count * sizeof *kept->counters + kept->instr_count * sizeof *kept->instrs +
           (kept->instr_count + 1ull) * sizeof *kept->intervals;
}

/* A launch that failed, or of which no round came. */
static void abandon(struct session_repeat *r)
{
    if (r->mode == REPEAT_KEEP) release_rounds(r, r->current);
    r->current = NULL;
}

const struct event_memory *session_repeat_end(struct session_repeat *r, const struct event_launch *launch)
{
    if (!launch) {
        abandon(r);
        return NULL;
    }
    if (r->mode == REPEAT_FOLLOW && ends_alike(r, launch)) {
        r->current->repeated = true;
        return &r->current->result;
    }
    if (r->mode == REPEAT_FOLLOW) stop_following(r);
    if (r->mode == REPEAT_OPEN) begin_model(r);
    const struct event_memory *result = model_memory_launch_end(r->key.memory, launch);
    if (r->mode == REPEAT_KEEP && !make_room(r, result_bytes(r->current))) stop_keeping(r);
    if (r->mode == REPEAT_KEEP) {
        count_bytes(r, result_bytes(r->current));
        keep_result(r->current, launch, result);
    }
    return result;
}

void session_repeat_clear(struct session_repeat *r)
{
    r->current = NULL;
    while (r->count)
        release_rounds(r, &r->launches[--r->count]);
    free(r->no_progress);
    *r = (struct session_repeat){0};
}
