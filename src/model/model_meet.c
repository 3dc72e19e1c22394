/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiprocessors stand together before L2, and whose reads become one there.
 *
 * Models: reads of different multiprocessors of a group (Hopper's GPC) for the same two sectors or more of a
 * line, of which each comes while the first is under way, are one for L2, at most merge_most of them; reads
 * of one sector only meet those of the other multiprocessor of their pair (TPC). Consecutive blocks of a
 * launch come to one group. A launch of fewer blocks than multiprocessors gives the first merge_first of them
 * to the first group, both to a pair, and spreads the others evenly over all groups, one to a pair as long as
 * there are pairs.
 *
 * Does not model: that requests for lines which others asked for in part meet; which group comes first; how
 * many requests the hardware can hold (each table here forgets those whose lines fall on one place).
 *
 * Sources: tests/hw/memory on an H200: skewed_read of 2 to 132 blocks and pair_read (four of a GPC at most,
 * any of them), the probe's blocks 1 to 1200 (probe.txt); matmul_plain, floyd_step and nbody_plain of even
 * number (one sector that eight multiprocessors of a GPC want is read by four of them: once a TPC; where no
 * two of them are of one TPC, each reads it). */
#include "model_cache_priv.h"

#include <string.h>

/* ---- places */

struct chunk { /* of pairs or of blocks that one group has */
    uint32_t first, count;
};

/* As even as pairs of them allow, the larger groups last. */
static struct chunk pairs_of(const struct model_memory *m, uint32_t group)
{
    uint32_t groups = (uint32_t)m->params.gpu.merge_groups, pairs = (m->params.sm_count + 1) / 2;
    uint32_t small = pairs / groups, larger = pairs % groups, before = groups - larger;
    if (group < before) return (struct chunk){group * small, small};
    return (struct chunk){before * small + (group - before) * (small + 1), small + 1};
}

/* Of a launch of so many blocks, where the one that has number `block` among those that begin it is. */
static void spread(const struct model_memory *m, uint32_t blocks, uint32_t block, struct model_l1 *l1)
{
    uint32_t groups = (uint32_t)m->params.gpu.merge_groups, first = (uint32_t)m->params.gpu.merge_first;
    uint32_t left = blocks - first, at = block - first, free_pairs = (m->params.sm_count - first) / 2;
    bool alone = left <= free_pairs;
    for (uint32_t g = 0; g < groups; g++) {
        struct chunk pairs = pairs_of(m, g);
        if (!g) pairs.first += first / 2, pairs.count -= first / 2;
        uint32_t share = (left + groups - g - 1) / (groups - g), most = pairs.count * (alone ? 1 : 2);
        if (share > most) share = most;
        if (at < share) {
            uint32_t doubled = share > pairs.count ? share - pairs.count : 0;
            l1->group = g;
            l1->pair = pairs.first + (at < doubled * 2 ? at / 2 : at - doubled);
            return;
        }
        at -= share;
        left -= share;
    }
}

void model_meet_begin(struct model_memory *m, uint64_t blocks)
{
    uint32_t groups = (uint32_t)m->params.gpu.merge_groups, sms = m->sm_room;
    for (uint32_t sm = 0; sm < sms; sm++) {
        struct model_l1 *l1 = &m->sms[sm].l1;
        l1->pair = sm / 2;
        l1->group = groups ? sm % groups : 0;
        for (uint32_t g = 0; g < groups; g++)
            if (l1->pair - pairs_of(m, g).first < pairs_of(m, g).count) l1->group = g;
        if (groups > 1 && sm >= m->params.gpu.merge_first && sm < blocks && blocks < sms)
            spread(m, (uint32_t)blocks, sm, l1);
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

struct model_flight *model_meet_find(struct model_memory *m, const struct model_l1 *l1, uint64_t line,
                                     uint32_t mask)
{
    bool one = !(mask & (mask - 1));
    uint64_t place = model_mix(line) >> 20 & ((one ? MODEL_PAIR_IN_FLIGHT : MODEL_IN_FLIGHT) - 1);
    struct model_flight *flights = one ? m->pairs[l1->pair].flights : m->groups[l1->group].flights;
    return find(flights + (place & ~(MODEL_FLIGHT_WAYS - 1ull)), line);
}

void model_meet_prefetch(const struct model_memory *m, const struct model_l1 *l1, uint64_t line)
{
    uint64_t place = model_mix(line) >> 20 & (MODEL_IN_FLIGHT - 1) & ~(MODEL_FLIGHT_WAYS - 1ull);
    const uint8_t *at = (const uint8_t *)&m->groups[l1->group].flights[place];
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

struct model_flight model_meet_begins(uint32_t sm, uint64_t line, uint32_t mask, model_time now,
                                      model_time comes)
{
    return (struct model_flight){
        .line = line, .mask = (uint8_t)mask, .count = 1, .sms = bit_of(sm), .asked = now, .comes = comes};
}
