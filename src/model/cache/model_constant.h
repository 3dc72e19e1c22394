/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: constant memory: the caches of multiprocessors (model_constant.c) and of their groups
 * (model_constant_group.c). */
#ifndef MODEL_CONSTANT_H
#define MODEL_CONSTANT_H

#include "model/cache/model_l2.h"
#include "model/cache/model_reservation.h"

/* Tags of a cache of constants, all empty. */
void model_constant_tags(struct model_tags *tags, uint64_t bytes, uint64_t line_bytes, uint64_t ways);

/* ---- groups of multiprocessors (model_constant_group.c) ---- */
struct model_constant_group {
    struct model_tags constants;    /* lines of four pieces of 64 bytes */
    model_time *comes;              /* [piece of them] when L2 gave it */
    struct model_reservation gives; /* pieces to its multiprocessors */
};
struct model_constant_counts { /* as in struct event_memory */
    uint64_t requests, hits, group_hits, l2_reads;
};
struct model_constant_groups {
    const struct model_params *params;
    struct model_l2 *l2;
    struct model_constant_group *list;
    uint32_t count;
    struct model_reservation *used; /* in this launch */
    struct model_reservations reservations;
    struct model_constant_counts counts;
    double share; /* of the blocks, simulated in detail */
};
void model_constant_groups_init(struct model_constant_groups *groups, struct model_l2 *l2);
void model_constant_groups_release(struct model_constant_groups *groups);
size_t model_constant_groups_bytes(const struct model_constant_groups *groups);
void model_constant_groups_clear(struct model_constant_groups *groups); /* a launch begins */

/* ---- a multiprocessor ---- */
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
struct model_constants {
    struct model_tags tags;
    struct model_coming_piece {
        uint64_t piece;
        model_time when;
    } coming[MODEL_CONSTANTS_COMING]; /* in the order in which they do */
    uint32_t count;
    struct model_near near[MODEL_SCHEDULERS];
    struct model_constant_groups *groups;
    uint32_t group, partition;             /* the multiprocessor's; its part of L2 */
    struct model_reservation *lsu, **used; /* its load and store units */
};
void model_constants_init(struct model_constants *constants, struct model_constant_groups *groups);
void model_constants_release(struct model_constants *constants);
void model_constants_clear(struct model_constants *constants);
size_t model_constants_bytes(const struct model_constants *constants);
struct model_constant_load {
    uint32_t scheduler; /* of the warp, from 0 */
    bool uniform;       /* lanes have the address in common by their code */
    model_time waits;   /* until when the warp does already */
};
/* The lines of a request of constant memory; returns ticks until all of it is there. */
model_time model_constant_load(struct model_constants *constants, const uint64_t *lines, uint32_t count,
                               const struct model_constant_load *how, model_time now,
                               struct event_memory_sums *sums);
/* When a piece of 64 bytes comes that a multiprocessor lacks (model_constant_group.c). */
model_time model_group_load(struct model_constants *constants, uint64_t piece, model_time now,
                            struct event_memory_sums *sums);
#endif
