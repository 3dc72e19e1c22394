/* SPDX-License-Identifier: Apache-2.0 */
/* L1 of a multiprocessor with its store queue, its constants, and the groups whose reads merge on the way to
 * L2. */
#ifndef MODEL_L1_PRIV_H
#define MODEL_L1_PRIV_H

#include "model_l2_priv.h"
#include "model_reservation_priv.h"

struct model_memory;
struct model_sm;

/* ---- L1 of a multiprocessor, its stores on their way, and the groups whose reads merge on the way to L2
 * ----
 */
/* implementation: how many the tables hold */
enum { MODEL_STORES = 128, MODEL_STORE_BUCKETS = 256, MODEL_IN_FLIGHT = 1024, MODEL_FLIGHT_WAYS = 4 };
enum { MODEL_FOLD_BITS = 10 }; /* implementation */
struct model_fold { /* what bits of a line's number above those of its set add to it: the lower 10, the next
                       10 */
    uint16_t of[2][1 << MODEL_FOLD_BITS];
};
struct model_store { /* a line that was stored to */
    uint64_t line;
    model_time when, leaves; /* the last store; others can join until then */
    uint32_t number;         /* of the last store, from 1; 0: it is none */
    uint8_t mask;            /* sectors of its request of L2 */
    uint8_t newer, older;    /* in the order of last stores, a ring */
    uint8_t next;            /* in its bucket, from 1; 0: none */
};
struct model_stores {
    struct model_store list[MODEL_STORES];
    uint8_t buckets[MODEL_STORE_BUCKETS]; /* the first of each, from 1; 0: none */
    uint8_t newest, last_joined;          /* places: those between them may be joined */
    uint32_t count;                       /* stores so far */
};
struct model_writer { /* the stores that the warp's last instruction made, by number: first is not one of
                       * them */
    uint32_t first, end;
};
struct model_l1 {
    struct model_tags tags;
    struct model_divisor sets;
    const struct model_fold *fold; /* NULL: lines lie in runs of as many as there are sets */
    uint32_t lines, most, hand;    /* with it: lines that there are, that there may be; how often sets gave up
                                      their oldest, so far */
    model_time *comes;             /* [line of tags] when the data that was last asked for is there */
    uint32_t number, group, partition;
    struct model_stores stores;
};
struct model_flight { /* a request of a group, that others can join */
    uint64_t line;
    uint8_t mask, count;
    uint32_t sms;                    /* who wait for it, modulo 32: fewer are of a group */
    model_time asked, window, comes; /* when it was made; for how long others can join; its data is there */
};
struct model_group {
    _Alignas(MODEL_HOST_LINE) struct model_flight flights[MODEL_IN_FLIGHT];
    struct model_tags constants;    /* lines of four pieces of 64 bytes */
    model_time *comes;              /* [piece of them] when L2 gave it */
    struct model_reservation gives; /* pieces to its multiprocessors */
    uint32_t number;
};
/* ---- constants (model_constant.c) ---- */
/* implementation: at most; constant_near_pieces and arch_pipes.def have what a GPU has */
enum { MODEL_SCHEDULERS = 4, MODEL_NEAR_PIECES = 8, MODEL_CONSTANTS_COMING = 64 };
struct model_near { /* what a scheduler holds for addresses that warps have in common */
    struct model_near_piece {
        uint64_t number; /* and 1 more; 0: none */
        model_time when; /* it is there */
    } pieces[MODEL_NEAR_PIECES];
    uint32_t next;   /* to be given away */
    model_time seen; /* when a warp asked last */
};
struct model_constants { /* of a multiprocessor */
    struct model_tags tags;
    struct model_coming_piece {
        uint64_t piece;
        model_time when;
    } coming[MODEL_CONSTANTS_COMING]; /* in the order in which they do */
    uint32_t count;
    struct model_near near[MODEL_SCHEDULERS];
};
/* Tags of a cache of constants, all empty. */
void model_constant_tags(struct model_tags *tags, uint64_t bytes, uint64_t line_bytes, uint64_t ways);
void model_constants_init(struct model_constants *constants, const struct model_params *params);
void model_constants_release(struct model_constants *constants);
void model_constants_clear(struct model_constants *constants);
size_t model_constants_bytes(const struct model_constants *constants);
/* The lines of a request of constant memory; returns ticks until all of it is there. uniform: lanes have the
 * address in common by their code; scheduler: of the warp, from 0; waits: until when the warp does already */
model_time model_constant_load(struct model_memory *m, struct model_sm *sm, const uint64_t *lines,
                               uint32_t count, uint32_t scheduler, bool uniform, model_time waits,
                               model_time now, struct event_memory_sums *sums);
/* When a piece of 64 bytes comes that the multiprocessor lacks (model_constant_group.c). */
model_time model_group_load(struct model_memory *m, const struct model_sm *sm, uint64_t piece, model_time now,
                            struct event_memory_sums *sums);
uint32_t model_group_count(const struct model_memory *m);
/* ---- whose reads merge before L2 (model_merge.c) ---- */
/* A launch begins: each multiprocessor's group and part of L2. */
void model_merge_begin(struct model_memory *m);
/* Where a request that this one could join would be. */
struct model_flight *model_merge_find(struct model_memory *m, const struct model_l1 *l1, uint64_t line);
void model_merge_prefetch(struct model_memory *m, const struct model_l1 *l1, uint64_t line);
/* It is that request, still at L2, and others join it: at most `most` are one for L2. */
bool model_merge_joins(struct model_flight *flight, uint32_t sm, uint64_t line, uint32_t mask, uint64_t most,
                       model_time now);
uint32_t model_merge_bit(uint32_t sm); /* of model_flight's sms */
/* From what the simulated multiprocessors asked to what all did; blocks: all, for each that is simulated in
 * detail. */
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

void model_l1_fold(struct model_fold *fold);
/* A launch begins: nothing is there, and no more than that can be. */
void model_l1_begin(struct model_memory *m, struct model_l1 *l1, uint32_t lines);
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
/* ---- stores on their way out (model_stores.c) ---- */
void model_stores_begin(const struct model_memory *m, struct model_stores *stores); /* a launch begins */
void model_stores_prefetch(const struct model_stores *stores, uint64_t line);
/* A store leaves L1, or joins one of its line that is on its way. */
void model_stores_make(struct model_memory *m, struct model_l1 *l1, uint64_t line, uint32_t mask,
                       struct model_part part, const struct model_writer *writer, model_time now,
                       struct event_memory_sums *sums);
model_time model_l1_atomic(struct model_memory *m, struct model_sm *sm, uint64_t line, uint32_t set,
                           uint32_t mask, model_time now, struct event_memory_sums *sums);
#endif
