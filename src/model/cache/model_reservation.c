/* SPDX-License-Identifier: Apache-2.0 */
/* Reservation tables of units, in pieces of MODEL_PIECE cycles.
 *
 * Models: a server does so much in a cycle; what comes at a time takes the first free cycles after it, in
 * whatever order of time work comes.
 *
 * Does not model: queues that are longer than MODEL_PIECES pieces: what comes behind one is taken at once.
 *
 * Sources: none; what servers do in a cycle is said by those who ask. */
#include "model/cache/model_reservation.h"

#include <stdlib.h>
#include <string.h>

static size_t reservation_bytes_of(uint32_t stride)
{
    return sizeof(struct model_piece) * MODEL_PIECES * stride + MODEL_HOST_LINE;
}

void model_reservations_init(struct model_reservations *all, uint32_t stride)
{
    *all = (struct model_reservations){.stride = stride};
    if (!stride) return;
    uint8_t *memory = sw_xcalloc(reservation_bytes_of(stride), 1);
    all->memory = memory;
    all->pieces = (struct model_piece *)(void *)(memory + (-(uintptr_t)memory & (MODEL_HOST_LINE - 1)));
}

void model_reservations_release(struct model_reservations *all)
{
    free(all->memory);
    *all = (struct model_reservations){0};
}

size_t model_reservations_bytes(const struct model_reservations *all)
{
    return all->stride ? reservation_bytes_of(all->stride) : 0;
}

void model_reservation_init(struct model_reservation *c, const struct model_reservations *all, uint32_t which)
{
    *c = (struct model_reservation){.stride = all->stride, .pieces = all->pieces + which};
}

void model_reservations_empty(struct model_reservation **used)
{
    enum { MOST_PIECE = 1 << 20 }; /* implementation: long before numbers end */
    for (struct model_reservation *c = *used; c; c = c->next) {
        c->full_from = c->free_from = 0;
        c->first = c->last;
        c->last = 0;
        if (c->first < MOST_PIECE) continue;
        for (uint32_t i = 0; i < MODEL_PIECES; i++)
            *model_piece(c, i) = (struct model_piece){0};
        c->first = 0;
    }
    *used = NULL;
}

/* From full_from on to free_from none is free: extends it, or begins another such stretch. */
static void fill_piece(struct model_reservation *c, uint64_t piece)
{
    if (piece == c->free_from) {
        c->free_from++;
    } else if (piece > c->free_from) {
        c->full_from = piece;
        c->free_from = piece + 1;
    }
}

/* The first piece of a reservation table in a launch, or a later one. */
static void take_piece(struct model_reservation **used, struct model_reservation *c, struct model_piece *p,
                       uint32_t number)
{
    *p = (struct model_piece){.number = number};
    if (!c->last) {
        c->next = *used;
        *used = c;
    }
    if (number > c->last) c->last = number;
}

model_time model_reservation_search(struct model_reservation **used, struct model_reservation *c,
                                    model_time at, uint64_t work)
{
    model_time least = at + work * MODEL_TICK / 1000;
    uint64_t first = at / MODEL_PIECE_TICKS, piece = first;
    for (uint64_t left = work;; piece++) {
        if (piece >= c->full_from && piece < c->free_from) {
            if (first < c->full_from)
                c->full_from = first; /* what lies between is full: it was walked through */
            piece = c->free_from;
        }
        struct model_piece *p = model_piece(c, piece);
        uint32_t number = c->first + (uint32_t)piece + 1;
        if (p->number > number) { /* forgotten: there is a queue longer than the reservation table */
            if (piece >= c->free_from) return least;
            piece = c->free_from - 1;
            continue;
        }
        if (p->number < number) take_piece(used, c, p, number);
        uint64_t take = MODEL_PIECE_CAPACITY - p->used < left ? MODEL_PIECE_CAPACITY - p->used : left;
        p->used += (uint32_t)take;
        left -= take;
        if (p->used == MODEL_PIECE_CAPACITY) fill_piece(c, piece);
        if (left) continue;
        model_time end = piece * MODEL_PIECE_TICKS + (model_time)p->used * MODEL_TICK / 1000;
        return piece > first && end > least ? end : least;
    }
}
