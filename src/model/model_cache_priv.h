/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the memory model: tags, L1 with its store queue, L2 and DRAM, and the replay that drives them.
 * Times are cycles of a multiprocessor, in sixteenths. */
#ifndef MODEL_CACHE_PRIV_H
#define MODEL_CACHE_PRIV_H

#include "model/model_cache.h"
#include "model_clock_priv.h"

struct model_warp {
    model_time ready, data; /* can issue; its outstanding loads are there */
    model_time fresh;       /* the same, of loads of its basic block on which none of it waits yet */
    uint32_t last_instr;    /* MODEL_NO_INSTR: none, where time is kept */
    struct model_writer stored;
    uint16_t early;    /* cycles before ready at which requests of a lower level went */
    uint8_t level : 6; /* of the block's requests so far, as in struct model_step */
    bool waiting : 1, ended : 1;
    uint8_t iteration : 3; /* of those of its block of which only the last waits */
    uint8_t visit : 5;     /* how often it waited for data of earlier requests, or could have; up to 31 */
};
#define MODEL_NO_INSTR UINT32_MAX
struct model_slot { /* a resident block */
    uint64_t block;
    bool used;
    uint32_t waiting, ended;
    uint32_t first, streams; /* of its warps in this round, among those of the multiprocessor */
    model_time begin, barrier, end;
};
struct model_seen { /* sectors of loads in L1, found there; all asked of L1, of L2; when its last warp ended
                     */
    uint64_t loads, hits, asked, l2;
    model_time end;
};
struct model_sm {
    bool used; /* since the launch began */
    struct model_seen seen;
    model_time port;
    struct model_l1 l1;
    struct model_constants constants;
};
struct model_cta_slots { /* model_cta_slots.c */
    struct event_progress progress;
    uint64_t *times, shortest, sum, ended; /* by sm, slot; of blocks' times; blocks */
};

struct model_memory {
    struct model_params params;
    struct model_costs costs;
    struct model_clock clock;
    const struct arch_cc *cc;
    struct model_l2 l2;
    struct model_fold l1_fold;
    model_time dram_there; /* when DRAM had what the last request asked of it; 0: nothing */
    struct model_sm *sms;
    struct model_group *groups;
    struct model_reservations of_groups;
    struct model_slot *slots; /* [sm][slot] */
    struct model_warp *warps; /* [sm][slot][warp] */
    uint32_t sm_capacity;     /* what is allocated */
    struct event_residency residency;
    uint32_t l1_sets, l1_ways, sample_shift;
    uint64_t blocks;     /* of the launch; */
    double sample_share; /* of them, what is simulated in detail */
    struct model_sample sample;
    struct model_address_set address_set;
    struct model_cta_slots cta_slots;
    struct map phases; /* model_phase.c */
    bool begun;        /* a round was played */
    uint8_t *policies; /* [instr] */
    struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES];
    struct event_memory result;
};

static inline bool model_is_timed(const struct model_memory *m)
{
    return m->costs.steps != NULL;
}
/* model_invalidation.c: what the last request asked L2 for is there at `done`, or later if the line is held.
 * fetched: the other part of L2 had to fetch it. */
model_time model_invalidation_of_read(struct model_memory *m, uint64_t line, bool fetched, model_time done);
model_time model_invalidation_of_write(struct model_memory *m, uint64_t line, model_time done);
static inline model_time model_invalidation_read(struct model_memory *m, uint64_t line, bool fetched,
                                                 model_time done)
{
    return m->clock.lines_invalidated ? model_invalidation_of_read(m, line, fetched, done) : done;
}
static inline model_time model_invalidation_write(struct model_memory *m, uint64_t line, model_time done)
{
    return m->clock.lines_invalidated || m->l2.invalidated ? model_invalidation_of_write(m, line, done)
                                                           : done;
}
void model_cta_slots_begin(struct model_memory *m);
void model_cta_slots_release(struct model_memory *m);
void model_cta_slots_reach(struct model_memory *m, size_t cta_slot, model_time time);
void model_cta_slots_end(struct model_memory *m, const struct model_slot *slot); /* its block ended */
/* ---- model_phase.c; lines, name: as in struct event_stream */
void model_phases_clear(struct model_memory *m);
/* Something comes to a phase; false: nobody waits for it any more. */
bool model_phase_comes(struct model_memory *m, const struct model_slot *slot, uint64_t name, model_time at);
/* Has all come? *when: the last of it. */
bool model_phase_is_over(struct model_memory *m, const struct model_slot *slot, const uint64_t *lines,
                         model_time *when);
/* The lines of one request; returns when its data is there. scheduler: of the warp, from 0 */
model_time model_request_play(struct model_memory *m, struct model_sm *sm, const struct event_request *r,
                              const uint64_t *lines, struct model_warp *warp, uint32_t scheduler);
#endif
