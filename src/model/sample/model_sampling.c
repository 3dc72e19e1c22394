/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches are sampled, how much of them is simulated in detail, and what the caches of those
 * multiprocessors stand for.
 *
 * Models: a launch of many threads is sampled, unless its first round shows that it makes few requests. What
 * the first round shares between simulated and other multiprocessors decides how much of L2 the simulated
 * ones have, how many of its slices they ask, and what others have brought there.
 *
 * Does not model: launches whose blocks do other things after the first round than in it.
 *
 * Sources: thresholds were chosen by the time that the replay takes; the error that sampling adds was
 * measured: docs/accuracy.md. */
#include "model/sample/model_sampling.h"

#include <stdlib.h>
#include <string.h>

uint32_t model_sampling_shift(uint32_t wanted, uint64_t blocks, uint64_t threads,
                              const struct event_residency *residency)
{
    uint32_t shift = 0;
    if (!residency->divisible || blocks < residency->sm_count) return 0;
    if (wanted) return wanted - 1;
    if (threads <= MODEL_ALL_THREADS) return 0;
    while (threads >> shift > MODEL_DETAILED_THREADS && shift < MODEL_MOST_SHIFT)
        shift++;
    return shift;
}

static void set_shift(struct model_sampling *s, uint32_t shift)
{
    uint32_t sms = s->residency.sm_count;
    uint64_t blocks = s->blocks, detailed = 0;
    s->shift = shift;
    for (uint32_t sm = 0; sm < sms && sm < blocks; sm++)
        if (model_sampling_is_detailed(s, sm)) detailed += (blocks - sm + sms - 1) / sms;
    s->share = detailed ? (double)detailed / (double)blocks : 1;
}

void model_sampling_begin(struct model_sampling *s, const struct model_l2 *l2,
                          const struct event_launch *launch, const struct event_residency *residency,
                          uint32_t shift, bool cold)
{
    s->residency = *residency;
    s->blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    s->begun = false;
    free(s->seen);
    s->seen = sw_xcalloc(residency->sm_count + 1ull, sizeof *s->seen);
    set_shift(s, shift);
    if (shift) model_sample_begin(&s->sample, l2->fetch_sectors);
    if (shift) model_address_set_begin(&s->address_set, l2, launch, cold);
}

void model_sampling_release(struct model_sampling *s)
{
    model_sample_release(&s->sample);
    model_address_set_release(&s->address_set);
    free(s->seen);
}

size_t model_sampling_bytes(const struct model_sampling *s)
{
    return model_sample_bytes(&s->sample) + model_address_set_bytes(&s->address_set) +
           s->residency.sm_count * sizeof *s->seen;
}

static uint64_t memory_requests_of(const struct event_stream *stream)
{
    uint64_t sum = stream->request_count;
    for (uint32_t r = 0; r < stream->request_count; r++)
        sum += stream->requests[r].lines;
    return sum;
}

void model_sampling_small(struct model_sampling *s, const struct event_round *round)
{
    uint64_t seen = 0;
    if (!s->shift || s->begun) return;
    for (uint32_t i = 0; i < round->count; i++) {
        if (!round->streams[i].ended) return;
        seen += memory_requests_of(&round->streams[i]);
    }
    double warps = (double)s->blocks * s->residency.warps_per_block;
    if ((double)seen * warps <= (double)MODEL_ALL_REQUESTS * round->count) set_shift(s, 0);
}

/* ---- rounds */

static uint64_t sampling_first_blocks(const struct model_sampling *s)
{
    return (uint64_t)s->residency.sm_count * s->residency.blocks_per_sm;
}

static void note_round(struct model_sampling *s, const struct event_round *round,
                       const struct model_step *steps)
{
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_stream *stream = &round->streams[i];
        bool first = stream->block < sampling_first_blocks(s);
        bool detailed = model_sampling_is_detailed(s, stream->sm);
        uint32_t by = detailed ? MODEL_DETAILED | (first ? MODEL_FIRST_DETAILED : 0) : MODEL_FIRST_OTHERS;
        model_sample_stream(&s->sample, stream, by, steps);
    }
    model_sample_enter(&s->sample);
}

/* What all access lies in as many slices as there are, and each request counts for those of other
 * multiprocessors; what each accesses alone lies in so many fewer, where it waits as in the whole device. */
static void set_slices(struct model_slices *slices, const struct model_sample *sample, double share)
{
    for (uint32_t i = 0; i < MODEL_SAMPLED_GROUPS; i++) {
        double growth = model_sample_growth(sample, i, share);
        uint32_t count = (uint32_t)(slices->count / growth + 0.5);
        count = count < 1 ? 1 : count > slices->count ? slices->count : count;
        slices->parts[i] = (struct model_sampled_part){model_divisor_wide(count),
                                                       (double)count / slices->count / share, growth};
    }
}

void model_sampling_round(struct model_sampling *s, const struct event_round *round,
                          const struct model_step *steps, struct model_l2 *l2, struct model_slices *slices)
{
    bool first = !s->begun;
    s->begun = true;
    if (!s->shift) return;
    note_round(s, round, first ? steps : NULL);
    model_address_set_round(&s->address_set, round);
    if (!first) return;
    model_sample_estimate(&s->sample, s->share);
    model_sample_order(&s->sample, s->share);
    model_l2_resize(l2, 1 / s->sample.all.growth);
    set_slices(slices, &s->sample, s->share);
}

/* Blocks that begin in the CTA slot of others are at their work at any time: one of those that share a piece
 * is first, whichever. */
uint16_t model_sampling_brought(const struct model_sampling *s, uint64_t block, uint32_t visit)
{
    uint16_t before = s->sample.brought[visit];
    return block < sampling_first_blocks(s) || before > s->sample.shared ? before : s->sample.shared;
}
