/* SPDX-License-Identifier: Apache-2.0 */
/* L1 of a multiprocessor with its store queue, its constants, and the groups whose reads meet on the way to
 * L2. */
#ifndef MODEL_L1_PRIV_H
#define MODEL_L1_PRIV_H

#include "model_l2_priv.h"

struct model_memory;
struct model_sm;

/* ---- L1 of a multiprocessor, its stores on their way, and the groups whose reads meet on the way to L2 ----
 */
enum {
    MODEL_STORES = 128,
    MODEL_STORE_BUCKETS = 256,
    MODEL_IN_FLIGHT = 1024,
    MODEL_PAIR_IN_FLIGHT = 256,
    MODEL_FLIGHT_WAYS = 4
};
struct model_store {
    uint64_t line;
    uint8_t mask, before; /* the store to its bucket before it has a number that is so much less; 0: none */
    uint32_t request;     /* of L2: the number of the one that it is, or is part of */
    model_time when, leaves;
};
struct model_writer { /* the stores that the warp's last instruction made, by number: end is not one of them
                       */
    uint32_t first, end;
};
struct model_l1 {
    struct model_tags tags;
    struct model_divisor sets;
    model_time *comes; /* [line of tags] when the data that was last asked for is there */
    uint32_t number, group, pair, partition;
    uint32_t store_next, store_requests; /* so far */
    model_time store_leaves;             /* the last of them */
    struct model_store stores[MODEL_STORES];
    uint32_t store_buckets[MODEL_STORE_BUCKETS]; /* the last store to a line of each, by its number from 1 */
    uint32_t store_behind[MODEL_STORES];         /* the last store of each request, by its number from 1 */
    uint32_t
        store_late; /* stores of lower numbers were made before one of a request that is no longer joined */
};
struct model_flight { /* a request of a group: when it was made, until when others can join, by how many */
    uint64_t line;
    uint8_t mask, count;
    uint32_t sms; /* who wait for it, modulo 32: fewer are of a group */
    model_time asked, comes;
};
struct model_group {
    _Alignas(MODEL_HOST_LINE) struct model_flight flights[MODEL_IN_FLIGHT];
    struct model_tags constants; /* lines of four pieces of 64 bytes */
    uint32_t number;
};
struct model_pair { /* the same, of one sector */
    _Alignas(MODEL_HOST_LINE) struct model_flight flights[MODEL_PAIR_IN_FLIGHT];
};
/* ---- constants (model_constant.c) ---- */
struct model_constants { /* of a multiprocessor */
    struct model_tags tags;
    model_time *comes; /* [line of tags] when its piece is there */
    model_time free;   /* when all who wait have what they wait for */
};
void model_constants_init(struct model_constants *constants, const struct model_params *params);
void model_constants_release(struct model_constants *constants);
void model_constants_clear(struct model_constants *constants);
size_t model_constants_bytes(const struct model_constants *constants);
/* The lines of a request of constant memory; returns ticks until all of it is there. waits: until when the
 * warp does already */
model_time model_constant_load(struct model_memory *m, struct model_sm *sm, const uint64_t *lines,
                               uint32_t count, model_time waits, model_time now,
                               struct event_memory_sums *sums);
/* ---- who stands together before L2 (model_meet.c) ---- */
/* A launch begins: each multiprocessor's group, pair and part of L2. */
void model_meet_begin(struct model_memory *m);
/* Where a request that this one could join would be. */
struct model_flight *model_meet_find(struct model_memory *m, const struct model_l1 *l1, uint64_t line,
                                     uint32_t mask);
void model_meet_prefetch(struct model_memory *m, const struct model_l1 *l1, uint64_t line, uint32_t mask);
/* It is that request, still under way, and others join it: at most `most` are one for L2. */
bool model_meet_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                      model_time now);
/* A request takes the place of that one. */
void model_meet_begins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, model_time now,
                       model_time comes);
/* From what the watched multiprocessors asked to what all did; blocks: all, for each that is watched. */
void model_constants_scale(struct model_memory *m, double blocks);
/* Groups of multiprocessors, at least one. */
void model_groups_new(struct model_memory *m);
void model_groups_delete(struct model_memory *m);
void model_groups_clear(struct model_memory *m);
size_t model_groups_bytes(const struct model_memory *m);
/* How instructions use L1, by what their cache operator says. */
/* How a load uses L1; of lines in it, those of MODEL_CACHED_FIRST go first, those of MODEL_CACHED_LAST last.
 */
enum model_policy { MODEL_CACHED, MODEL_CACHED_FIRST, MODEL_CACHED_LAST, MODEL_BYPASS };

uint32_t model_l1_set(const struct model_l1 *l1, uint64_t line); /* in which the line would be */
/* The line is about to be asked for: what the host will want of L1, and of L2 and its units if it goes
 * beyond. asked: as struct event_stream has it; kind: enum event_access_kind */
void model_l1_prefetch(struct model_memory *m, const struct model_sm *sm, uint64_t asked, uint32_t set,
                       uint32_t kind, bool beyond);
/* Of what an instruction asked of L1 so far, nearly all was there. */
bool model_l1_mostly_finds(const struct event_memory_sums *sums);
/* Requests of one line, of that set; return ticks until data is there (0: nothing waits for it). */
model_time model_l1_load(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set,
                         uint32_t mask, enum model_policy policy, model_time now,
                         struct event_memory_sums *sums);
void model_l1_store(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set, uint32_t mask,
                    struct model_part part, const struct model_writer *writer, model_time now,
                    struct event_memory_sums *sums);
void model_l1_forget_stores(struct model_l1 *l1); /* a launch begins */
model_time model_l1_atomic(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set,
                           uint32_t mask, model_time now, struct event_memory_sums *sums);
#endif
