/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of a replay: reservation tables of units, and what warps wait for. */
#ifndef MODEL_CLOCK_PRIV_H
#define MODEL_CLOCK_PRIV_H

#include "model/model_time.h"
#include "model_l1_priv.h"
#include "model_reservation_priv.h"
#include "model_sample_priv.h"

struct model_memory;
struct model_warp;

/* ---- time (model_clock.c) ---- */
enum {
    MODEL_SLICES = 256,            /* implementation: at most */
    MODEL_SLICE_BYTES = 512 << 10, /* of L2, inferred: NVIDIA's A100 has 80 slices of 512 KiB */
    MODEL_COMING_LINES = 16384,    /* implementation: older ones are forgotten */
    MODEL_ROW_SHIFT = 3,    /* documented: lines; rows of 1 KiB, of HBM's pseudo channels (JEDEC JESD238) */
    MODEL_ROWS = 4096,      /* assumed: open at once, as a power of two: a bank has one */
    MODEL_REGION_SHIFT = 6, /* inferred: lines; what is written of 8 KiB goes together (model_slices.c), */
    MODEL_REGIONS = 512,    /* assumed: of so many such regions at a time, as a power of two */
    MODEL_FILLED_LINES = 8192,      /* implementation: older ones are forgotten */
    MODEL_INVALIDATED_LINES = 16384 /* implementation: the same */
};
enum { /* implementation: at most; that addresses name; of each */
       MODEL_DRAM_PARTITIONS = 16,
       MODEL_DRAM_BANKS = 16
};
enum model_unit { MODEL_ISSUE, MODEL_MATH, MODEL_LSU, MODEL_FILL, MODEL_OUT, MODEL_BARRIERS, MODEL_UNITS };
enum { MODEL_FROM_HOST, MODEL_TO_HOST, MODEL_FROM_PEER, MODEL_TO_PEER, MODEL_LINKS };
struct model_channels { /* model_channels.c */
    uint32_t count;     /* 0: addresses are spread by a hash */
    uint64_t window;    /* sectors in this window, all and by partition */
    uint64_t sectors[MODEL_DRAM_PARTITIONS];
    struct model_reservation partitions[MODEL_DRAM_PARTITIONS];
    struct model_reservations reservations; /* theirs */
    model_time held;                        /* until then there is no room for what the last request writes */
    uint64_t rows[MODEL_DRAM_PARTITIONS][MODEL_DRAM_BANKS]; /* that banks have open, and 1 more; 0: none */
};
struct model_dram_work {
    uint64_t sectors, work; /* work: thousandths of a cycle of all of DRAM */
};
struct model_clock {
    struct model_clock_sm {
        struct model_reservation units[MODEL_UNITS];
        model_time begin, end; /* of the blocks that were there */
        model_time held;       /* until then DRAM's queues have no room for what it stored */
        model_time seen;       /* when instructions issued last */
        uint32_t warps;        /* that have not ended */
        double issued;         /* cycles of it until then, those of long ago less and less */
    } *sms;
    uint32_t sm_capacity;
    struct model_clock_part {        /* of a sampled launch, by its instructions */
        struct model_divisor slices; /* that it asks */
        double l2, dram;             /* for each that was seen */
    } parts[MODEL_SAMPLED_GROUPS];
    const struct model_clock_part *part; /* of the request that is being played */
    struct model_last { /* of a slice's last atomic: the request, its line, and how many requests were of it
                         */
        uint64_t request, line;
        uint32_t requests;
    } last[MODEL_SLICES];
    uint64_t request; /* that is being played, counted */
    struct model_reservation slices[MODEL_SLICES], dram;
    struct model_reservations of_sms, of_slices, of_dram;
    struct model_reservation *used; /* in this launch */
    bool lines_came, rows_opened;   /* in this launch: coming, and rows or regions, are not empty; */
    bool lines_filled;              /* the same, filled; */
    bool lines_invalidated;         /* and invalidated */
    struct model_channels channels;
    model_time links[MODEL_LINKS]; /* until when they are busy */
    uint32_t slice_count;
    uint32_t atomic, atomic_alone; /* of the request that is being played, as in struct model_step */
    struct model_coming {
        uint64_t line;
        model_time when;
    } coming[MODEL_COMING_LINES]; /* from DRAM */
    struct model_filled {
        uint32_t key;
        model_time when;
    } filled[MODEL_FILLED_LINES]; /* the same, lines of which sectors were written in part */
    struct model_invalidated {    /* lines of which the other part of L2 had to give back its copy */
        uint32_t key;
        model_time back, fetched;    /* when it had; when what it fetched again is there */
    } *invalidated;                  /* [MODEL_INVALIDATED_LINES]; NULL: L2 has one part */
    uint32_t rows[MODEL_ROWS];       /* of DRAM that are open, each at a place of its own; 0: none */
    uint32_t regions[MODEL_REGIONS]; /* the same, regions that were last written */
    model_time end;
    model_time line_wait;     /* of the request that is being played among those that wait for a line */
    model_time port, stored;  /* of the request that is being played: when it goes into L1; when L2 has taken
                                 what it writes */
    bool shared;              /* load and store units serve shared memory, too */
    struct event_waits waits; /* in ticks; `active` follows from sms */
    struct event_stalls (
        *intervals)[EVENT_INTERVALS]; /* the same by instruction: [instr], and one more for none */
    uint32_t interval_count;
    struct event_stalls *at; /* where the warp is that is played */
};

void model_clock_begin(struct model_memory *m, uint32_t instr_count);
/* What comes to a server at `at` is done at the time returned. */
static inline model_time model_clock_claim(struct model_clock *clock, struct model_reservation *server,
                                           model_time at, uint64_t work)
{
    return model_reservation_claim(&clock->used, server, at, work);
}
void model_channels_begin(struct model_memory *m);
void model_channels_end(struct model_memory *m);
/* What a line's request makes DRAM read and write; returns when what waits for it goes on, latency aside, and
 * sets channels.held. */
model_time model_channels_take(struct model_memory *m, uint64_t line, const struct model_dram_work *in,
                               const struct model_dram_work *out, model_time now);
/* model_host.c: what of a line crosses a link, if it lies outside the device; returns when it has, latency
 * aside, and not before `done`. */
model_time model_host_crosses(struct model_memory *m, uint64_t line, uint32_t sectors, bool in, bool out,
                              model_time now, model_time done);
/* Of a sampled launch, of which a share of the multiprocessors is simulated in detail. */
void model_clock_sample(struct model_clock *clock, const struct model_sample *sample, double share);
void model_clock_release(struct model_clock *clock);
size_t model_clock_bytes(const struct model_clock *clock); /* without itself */
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
void model_clock_ends(struct model_memory *m, uint32_t sm, const struct model_warp *warp, model_time begin);
/* Ends the sums: once a launch. */
struct event_waits model_clock_waited(struct model_clock *clock);
model_time model_clock_begins(const struct model_memory *m, uint64_t order, uint64_t of_sm);
/* The warp goes on to request r: sets when it can issue. */
void model_clock_next(struct model_memory *m, uint32_t sm, struct model_warp *warp,
                      const struct event_request *r);
/* A warp comes to a barrier at which the others were by `met`; returns when all of them are there. */
model_time model_clock_barrier(struct model_memory *m, uint32_t sm, model_time met, model_time at);
void model_clock_leave(struct model_memory *m, uint32_t sm, struct model_warp *warp);
/* Behind its last request the warp does work, in units of EVENT_KIND_WORK. */
void model_clock_work(struct model_memory *m, uint32_t sm, struct model_warp *warp, uint32_t units);
void model_clock_arrives(struct model_memory *m, struct model_warp *warp, const struct event_request *r,
                         model_time data);
/* When a warp's request goes, if not when the warp is ready: a compiler moves it before one that waits. */
model_time model_clock_goes(const struct model_memory *m, const struct model_warp *warp,
                            const struct event_request *r);
model_time model_clock_port(struct model_memory *m, uint32_t sm, const struct event_request *r,
                            const uint64_t *lines, model_time at);
/* When what comes to L1 at `at` can go in: not before there is room for what was stored before. */
static inline model_time model_clock_held(const struct model_clock *clock, uint32_t sm, model_time at)
{
    return clock->sms[sm].held > at ? clock->sms[sm].held : at;
}
static inline uint64_t model_fabric(const struct event_memory_sums *sums)
{
    return sums->l2_fabric_reads + sums->l2_fabric_writes;
}
/* What a request of one line asks for beyond L1: so many sectors, and of them so many that parts of L2 hand
 * each other. how: of a store's sectors, by these bits (implementation). Return how long it waits more than
 * L2's latency. */
enum {
    MODEL_PARTIAL = 1,
    MODEL_JOINS = 2
}; /* some are written in part; an earlier request takes them along */
model_time model_clock_read(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                            uint64_t fabric, model_time now);
model_time model_clock_write(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                             uint64_t fabric, uint32_t how, model_time now);
model_time model_clock_atomic(struct model_memory *m, uint32_t sm, uint64_t line, uint32_t sectors,
                              uint64_t fabric, model_time now);
/* What a slice takes, whatever else it is asked for by the line's requests; scaled: as in the sample. */
model_time model_clock_slice(struct model_memory *m, uint64_t line, uint64_t work, model_time at);
model_time model_clock_line(struct model_memory *m, uint64_t line, bool from_dram, model_time comes);
void model_clock_prefetch(const struct model_clock *clock, uint64_t line, bool load);
#endif
