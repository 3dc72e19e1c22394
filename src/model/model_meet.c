/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiprocessors stand together before L2, and whose reads become one there.
 *
 * Models: reads of different multiprocessors of a group (Hopper's GPC) for the same two sectors or more of a
 * line, of which each comes while the first is under way, are one for L2, at most merge_most of them; reads
 * of one sector only meet those of the other multiprocessor of their pair (TPC). Which blocks stand in
 * which group is engine_order.c's.
 *
 * Does not model: that requests for lines which others asked for in part meet; how
 * many requests the hardware can hold (each table here forgets those whose lines fall on one place).
 *
 * Sources: tests/hw/memory on an H200: skewed_read of 2 to 132 blocks and pair_read (four of a GPC at most,
 * any of them), the probe's blocks 1 to 1200 (probe.txt); matmul_plain, floyd_step and nbody_plain of even
 * number (one sector that eight multiprocessors of a GPC want is read by four of them: once a TPC; where no
 * two of them are of one TPC, each reads it). */
#include "model_cache_priv.h"

#include <string.h>

/* ---- places */

void model_meet_begin(struct model_memory *m)
{
    uint32_t groups = (uint32_t)m->params.gpu.merge_groups, group = 0;
    for (uint32_t sm = 0; sm < m->sm_room; sm++) {
        struct model_l1 *l1 = &m->sms[sm].l1;
        while (group + 1 < groups && sm >= event_group_begin(m->params.sm_count, groups, group + 1))
            group++;
        l1->pair = sm / 2;
        l1->group = group;
        l1->partition = m->l2.partitions == 2 && l1->group * 2 >= groups;
    }
}

/* ---- requests */

/* Where the line's request is, or the one of its bucket that will have been there for longest. */
static struct model_flight *find(struct model_flight *bucket, uint64_t line)
{
    struct model_flight *oldest = bucket;
    for (struct model_flight *f = bucket; f < bucket + MODEL_FLIGHT_WAYS; f++) {
        if (f->line == line) return f;
        if (f->comes < oldest->comes) oldest = f;
    }
    return oldest;
}

/* Requests of one sector meet in a pair, others in a group. */
static struct model_flight *bucket_of(struct model_memory *m, const struct model_l1 *l1, uint64_t line,
                                      uint32_t mask)
{
    bool one = !(mask & (mask - 1));
    uint64_t place = model_mix(line) >> 20 & ((one ? MODEL_PAIR_IN_FLIGHT : MODEL_IN_FLIGHT) - 1);
    struct model_flight *flights = one ? m->pairs[l1->pair].flights : m->groups[l1->group].flights;
    return flights + (place & ~(MODEL_FLIGHT_WAYS - 1ull));
}

struct model_flight *model_meet_find(struct model_memory *m, const struct model_l1 *l1, uint64_t line,
                                     uint32_t mask)
{
    return find(bucket_of(m, l1, line, mask), line);
}

void model_meet_prefetch(struct model_memory *m, const struct model_l1 *l1, uint64_t line, uint32_t mask)
{
    const uint8_t *at = (const uint8_t *)bucket_of(m, l1, line, mask);
    for (size_t i = 0; i < MODEL_FLIGHT_WAYS * sizeof(struct model_flight); i += MODEL_HOST_LINE)
        __builtin_prefetch(at + i, 1);
}

static uint32_t bit_of(uint32_t sm)
{
    enum { BITS = 32 };
    return 1u << sm % BITS;
}

bool model_meet_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                      model_time now)
{
    bool own = flight->sms & bit_of(sm);
    if (flight->line != line || flight->mask != mask || flight->count >= most || own) return false;
    if (now > flight->comes || now + (flight->comes - flight->asked) < flight->asked) return false;
    flight->count++;
    flight->sms |= bit_of(sm);
    return true;
}

void model_meet_begins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, model_time now,
                       model_time comes)
{
    flight->line = line;
    flight->mask = (uint8_t)mask;
    flight->count = 1;
    flight->sms = bit_of(sm);
    flight->asked = now;
    flight->comes = comes;
}
