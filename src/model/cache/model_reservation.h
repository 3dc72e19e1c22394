/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: reservation tables of units: when a server of a given rate has free cycles. */
#ifndef MODEL_RESERVATION_H
#define MODEL_RESERVATION_H

#include "model/cache/model_number.h"

enum {
    MODEL_PIECE = 64,    /* cycles; assumed: coarser than units' work, finer than latencies */
    MODEL_PIECES = 1024, /* implementation: a power of two */
    MODEL_PIECE_TICKS = MODEL_PIECE * MODEL_TICK,
    MODEL_PIECE_CAPACITY = MODEL_PIECE * 1000 /* definition: thousandths of a cycle */
};
struct model_piece {
    uint32_t number, used; /* used: thousandths of a cycle */
};
/* What is taken of a server's time; from full_from to free_from none is free. Pieces are numbered from
 * `first` on in each launch, above all numbers of the launches before: what these left counts as forgotten.
 */
struct model_reservation {
    uint64_t full_from, free_from;
    uint32_t first, last; /* that is in use; last 0: none of this launch */
    uint32_t stride;
    struct model_piece *pieces;     /* [MODEL_PIECES][stride] */
    struct model_reservation *next; /* that was used in this launch */
};
/* Pieces of reservation tables that are asked at the same times lie together: those of one time are most
 * often in the host's cache. */
struct model_reservations {
    void *memory;
    struct model_piece *pieces; /* [MODEL_PIECES][stride], at a host's cache line */
    uint32_t stride;
};
/* Room for so many reservation tables; a stride of 0 is none. */
void model_reservations_init(struct model_reservations *all, uint32_t stride);
void model_reservations_release(struct model_reservations *all);
size_t model_reservations_bytes(const struct model_reservations *all);
/* The table takes the column `which`, below stride. */
void model_reservation_init(struct model_reservation *c, const struct model_reservations *all,
                            uint32_t which);
/* Forgets what was taken; `used` is NULL afterwards. */
void model_reservations_empty(struct model_reservation **used);

/* model_reservation_claim where the first piece with room does not take all of the work. */
model_time model_reservation_search(struct model_reservation **used, struct model_reservation *c,
                                    model_time at, uint64_t work);

static inline struct model_piece *model_piece(const struct model_reservation *c, uint64_t piece)
{
    return &c->pieces[piece % MODEL_PIECES * c->stride];
}
/* What comes at `at` is done at the time returned. used: a list of reservation tables that this one joins
 * when it was empty. work: thousandths of a cycle */
static inline model_time model_reservation_claim(struct model_reservation **used, struct model_reservation *c,
                                                 model_time at, uint64_t work)
{
    uint64_t piece = at / MODEL_PIECE_TICKS;
    if (!work) return at;
    bool later = piece >= c->full_from && piece < c->free_from;
    if (later) piece = c->free_from;
    struct model_piece *p = model_piece(c, piece);
    if (p->number != c->first + (uint32_t)piece + 1 || work >= MODEL_PIECE_CAPACITY - p->used)
        return model_reservation_search(used, c, at, work);
    p->used += (uint32_t)work;
    model_time least = at + work * MODEL_TICK / 1000;
    if (!later) return least;
    model_time end = piece * MODEL_PIECE_TICKS + (uint64_t)p->used * MODEL_TICK / 1000;
    return end > least ? end : least;
}
#endif
