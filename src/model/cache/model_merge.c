/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiprocessors share a way to L2, and whose reads merge there.
 *
 * Models: reads of different multiprocessors of a group (Hopper's GPC) for the same sectors of a line are one
 * for L2, at most merge_most of them, while the first of them is at L2: merge_cycles if L2 has the line, and
 * as much longer as it takes L2 to get it. Which blocks stand in which group is engine_order.c's.
 *
 * Does not model: how many requests the hardware can hold (each table here forgets those whose lines share an
 * entry).
 *
 * Sources: tests/hw/memory/meetings.def on an H200: multiprocessors of a TPC or of different ones of a GPC
 * are alike, those of two GPCs never merge; of eight each fourth asks; requests for other sectors of the
 * line, or for more of them, are not joined (meet_over, meet_apart); whole lines, one sector, 16 bytes a lane
 * and 32 lines a warp are alike. Reads of lines that L2 has merge 30 cycles apart and not 100; of lines that
 * come from DRAM always 100 cycles apart, 68 to 95 % of them 250 apart, 8 % 500 apart: how long L2 waits for
 * DRAM.
 */
#include "model/cache/model_merge.h"

#include "base/base_reserve.h"

#include <stdlib.h>
#include <string.h>

uint32_t model_group_count(const struct model_params *params)
{
    return params->gpu.merge_groups ? (uint32_t)params->gpu.merge_groups : 1;
}

void model_merging_init(struct model_merging *merging, const struct model_params *params)
{
    merging->count = model_group_count(params);
    merging->groups = aligned_alloc(MODEL_HOST_LINE, merging->count * sizeof *merging->groups);
    if (!merging->groups) sw_out_of_memory(merging->count * sizeof *merging->groups);
    model_merging_clear(merging);
}

void model_merging_release(struct model_merging *merging)
{
    free(merging->groups);
}

void model_merging_clear(struct model_merging *merging)
{
    memset(merging->groups, 0, merging->count * sizeof *merging->groups);
}

size_t model_merging_bytes(const struct model_merging *merging)
{
    return merging->count * sizeof *merging->groups;
}

/* ---- requests */

/* Where the line's request is, or the one of its bucket that will have been there for longest. */
static struct model_flight *merge_find(struct model_flight *bucket, uint64_t line)
{
    struct model_flight *oldest = bucket;
    for (struct model_flight *f = bucket; f < bucket + MODEL_FLIGHT_WAYS; f++) {
        if (f->line == line) return f;
        if (f->comes < oldest->comes) oldest = f;
    }
    return oldest;
}

static uint64_t bucket_of(uint64_t line)
{
    return (model_mix(line) >> 20 & (MODEL_IN_FLIGHT - 1)) & ~(MODEL_FLIGHT_WAYS - 1ull);
}

struct model_flight *model_merge_find(struct model_flights *flights, uint64_t line)
{
    return merge_find(&flights->list[bucket_of(line)], line);
}

void model_merge_prefetch(const struct model_flights *flights, uint64_t line)
{
    const uint8_t *at = (const uint8_t *)&flights->list[bucket_of(line)];
    for (size_t i = 0; i < MODEL_FLIGHT_WAYS * sizeof(struct model_flight); i += MODEL_HOST_LINE)
        __builtin_prefetch(at + i, 1);
}

uint32_t model_merge_bit(uint32_t sm)
{
    enum { BITS = 32 }; /* implementation */
    return 1u << sm % BITS;
}

bool model_merge_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                       model_time now)
{
    bool own = flight->sms & model_merge_bit(sm);
    if (flight->line != line || flight->mask != mask || flight->count >= most || own) return false;
    /* Requests are not played quite in the order of time. */
    if (now > flight->asked + flight->window || now + flight->window < flight->asked) return false;
    flight->count++;
    flight->sms |= model_merge_bit(sm);
    return true;
}
