/* SPDX-License-Identifier: Apache-2.0 */
/* Launches whose requests repeat those of an earlier one: the model's result is kept, and used again. */
#ifndef SESSION_REPEAT_PRIV_H
#define SESSION_REPEAT_PRIV_H

#include "event/event_launch.h"
#include "event/event_memory.h"
#include "event/event_request.h"
#include "model/model_time.h"

#include <stdbool.h>
#include <stddef.h>

struct model_memory;

/* ---- session_repeat_round.c: what the model is told in a round, and what it answers */
struct repeat_accesses { /* to the address set */
    struct event_set_access *list;
    size_t count, capacity;
};
struct repeat_round {
    struct event_round round;     /* its streams point into requests and lines */
    struct event_stream *streams; /* round.streams */
    struct event_request *requests;
    uint64_t *lines;
    struct model_costs costs;        /* steps: those of the round before where they are equal */
    struct model_step *steps;        /* its own; NULL: none */
    struct repeat_accesses accesses; /* after the round, before the next one */
    uint32_t sample_shift;           /* the answer; with how far CTA slots were */
    uint64_t *cta_slots, ahead;
};
/* before: the round before, or NULL. Bytes of a copy, without those of its answer. */
size_t repeat_round_bytes(const struct event_round *round, const struct model_costs *costs,
                          const struct repeat_round *before, uint32_t instr_count);
void repeat_round_copy(struct repeat_round *to, const struct event_round *round,
                       const struct model_costs *costs, const struct repeat_round *before,
                       uint32_t instr_count);
void repeat_round_release(struct repeat_round *round);
bool repeat_round_is(const struct repeat_round *kept, const struct event_round *round,
                     const struct model_costs *costs, uint32_t instr_count);
void repeat_accesses_add(struct repeat_accesses *to, const struct event_set_access *from, size_t count);
/* Are these the ones from `at` on? */
bool repeat_accesses_are(const struct repeat_accesses *kept, size_t at, const struct event_set_access *others,
                         size_t count);

/* ---- session_repeat.c */
enum {
    REPEAT_BYTES_MOST = 128 << 20, /* implementation: of all launches that are kept */
    REPEAT_LAUNCHES_MOST = 64,     /* implementation */
    REPEAT_VAIN_MOST = 4           /* assumed: so many launches of a kernel that none repeated are enough */
};
struct repeat_key {  /* all that the model is told before the first round */
    uint64_t kernel; /* event_kernel.id */
    struct model_memory *memory;
    uint64_t set_aside_bytes;
    uint32_t grid[3], block[3], registers, l2_fetch_bytes, sample_shift;
    bool may_be_small; /* model_memory_detail_small is called */
    struct event_residency residency;
};
struct repeat_key repeat_key_of(struct model_memory *memory, const struct event_launch *launch,
                                const struct event_residency *residency, uint32_t sample_shift,
                                bool may_be_small);
bool repeat_key_is(const struct repeat_key *a, const struct repeat_key *b);
struct repeat_launch {
    struct repeat_key key;
    struct repeat_round *rounds;
    uint32_t count, capacity, instr_count, slot_count;
    size_t bytes;
    uint64_t used; /* when last */
    bool complete; /* the result is known */
    bool vain;     /* it is not worth keeping such launches; it has no rounds */
    bool repeated; /* at least once */
    uint64_t *counters;
    struct event_memory result;
    struct event_memory_sums (*instrs)[EVENT_MEMORY_SPACES];
    struct event_stalls (*intervals)[EVENT_INTERVALS];
};
/* What becomes of the launch that has begun: the model plays it; it plays it and what it is told is kept; not
 * known before the first round; it was as a kept one so far, and the model has not begun. */
enum repeat_mode { REPEAT_PLAY, REPEAT_KEEP, REPEAT_OPEN, REPEAT_FOLLOW };
struct session_repeat { /* {0}: nothing yet */
    struct repeat_launch launches[REPEAT_LAUNCHES_MOST];
    uint32_t count;
    size_t bytes;
    uint64_t clock;
    uint64_t played, followed; /* rounds */
    enum repeat_mode mode;
    struct repeat_launch *current; /* that is kept or followed */
    struct repeat_key key;
    struct event_launch launch; /* that has begun */
    uint32_t round;             /* that comes next */
    size_t accesses;            /* of the last round that came already */
    uint64_t *no_progress;      /* of CTA slots, before the first round; some are `slots` */
    size_t slots;
    struct event_progress progress;
};
/* As model_memory_launch_begin and the others. may_be_small: as struct repeat_key. */
void session_repeat_begin(struct session_repeat *repeat, struct model_memory *memory,
                          const struct event_launch *launch, const struct event_residency *residency,
                          uint32_t sample_shift, bool may_be_small, bool cold);
uint32_t session_repeat_round(struct session_repeat *repeat, const struct event_round *round,
                              const struct model_costs *costs);
void session_repeat_set_accesses(struct session_repeat *repeat, const struct event_set_access *accesses,
                                 size_t count);
/* launch: with its counters; NULL: it failed. The result is valid until the next launch begins. */
const struct event_memory *session_repeat_end(struct session_repeat *repeat,
                                              const struct event_launch *launch);
void session_repeat_clear(struct session_repeat *repeat);
#endif
