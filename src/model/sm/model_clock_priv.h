/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a replay: reservation tables of multiprocessors' units, and what warps wait for. Times are
 * cycles of a multiprocessor, in sixteenths. */
#ifndef MODEL_CLOCK_PRIV_H
#define MODEL_CLOCK_PRIV_H

#include "model/cache/model_l1.h"
#include "model/model_time.h"

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
enum model_unit { MODEL_ISSUE, MODEL_MATH, MODEL_LSU, MODEL_FILL, MODEL_OUT, MODEL_BARRIERS, MODEL_UNITS };
struct model_clock_sm {
    struct model_reservation units[MODEL_UNITS];
    model_time begin, end; /* of the blocks that were there */
    model_time seen;       /* when instructions issued last */
    uint32_t warps;        /* that have not ended */
    double issued;         /* cycles of it until then, those of long ago less and less */
};
struct model_clock {
    struct model_costs costs; /* of this round */
    struct model_clock_sm *sms;
    uint32_t sm_capacity;
    struct model_reservations of_sms;
    struct model_reservation *used; /* in this launch */
    struct model_slices *slices;    /* behind the L1s */
    model_time end;
    model_time port;          /* of the request that is being played: when it goes into L1 */
    bool shared;              /* load and store units serve shared memory, too */
    struct event_waits waits; /* in ticks; `active` follows from sms */
    struct event_stalls (
        *intervals)[EVENT_INTERVALS]; /* the same by instruction: [instr], and one more for none */
    uint32_t interval_count;
    struct event_stalls *at; /* where the warp is that is played */
};
static inline bool model_is_timed(const struct model_clock *clock)
{
    return clock->costs.steps != NULL;
}
void model_clock_begin(struct model_clock *clock, uint32_t sm_count, uint32_t instr_count);
void model_clock_release(struct model_clock *clock);
size_t model_clock_bytes(const struct model_clock *clock); /* without itself */
static inline model_time model_clock_claim(struct model_clock *clock, uint32_t sm, enum model_unit unit,
                                           model_time at, uint64_t work)
{
    return model_reservation_claim(&clock->used, &clock->sms[sm].units[unit], at, work);
}
/* A warp that could have gone on at `from` waits until `until`, if that is later; returns when it goes on. */
static inline model_time model_clock_waits(struct model_clock *c, enum event_stall why, model_time from,
                                           model_time until)
{
    if (until <= from) return from;
    c->at->cycles[why] += until - from;
    return until;
}
/* The warp is before or after a request of that instruction. */
static inline void model_clock_at(struct model_clock *c, uint32_t instr, uint32_t interval)
{
    c->at = &c->intervals[instr < c->interval_count ? instr : c->interval_count][interval];
}
/* A warp has ended that began at `begin`. */
void model_clock_ends(struct model_clock *clock, uint32_t sm, const struct model_warp *warp,
                      model_time begin);
/* Ends the sums: once a launch. */
struct event_waits model_clock_waited(struct model_clock *clock);
/* When block `order` of those that a launch begins with begins, of a multiprocessor its `of_sm`-th. */
model_time model_clock_begins(const struct model_clock *clock, uint64_t order, uint64_t of_sm,
                              uint32_t warps_per_block);
/* The warp goes on to request r: sets when it can issue. */
void model_clock_next(struct model_clock *clock, uint32_t sm, struct model_warp *warp,
                      const struct event_request *r);
/* A warp comes to a barrier at which the others were by `met`; returns when all of them are there. */
model_time model_clock_barrier(struct model_clock *clock, uint32_t sm, model_time met, model_time at);
void model_clock_leave(struct model_clock *clock, uint32_t sm, struct model_warp *warp);
/* Behind its last request the warp does work, in units of EVENT_KIND_WORK. */
void model_clock_work(struct model_clock *clock, uint32_t sm, struct model_warp *warp, uint32_t units);
void model_clock_arrives(struct model_clock *clock, struct model_warp *warp, const struct event_request *r,
                         model_time data);
/* When a warp's request goes, if not when the warp is ready: a compiler moves it before one that waits. */
model_time model_clock_goes(const struct model_clock *clock, const struct model_warp *warp,
                            const struct event_request *r);
/* A request comes to L1; when its first line goes in. */
model_time model_clock_port(struct model_clock *clock, struct model_l1 *l1, const struct event_request *r,
                            const uint64_t *lines, model_time at);
#endif
