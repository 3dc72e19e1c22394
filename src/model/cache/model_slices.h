/* SPDX-License-Identifier: Apache-2.0 */
/* model/cache: the time of what lies behind the L1s: slices of L2, DRAM and its channels, copies that the two
 * parts of L2 take back from each other, links to other memory. Each is a struct of its own; struct
 * model_slices asks the others. */
#ifndef MODEL_SLICES_H
#define MODEL_SLICES_H

#include "model/cache/model_l2.h"
#include "model/cache/model_reservation.h"
#include "model/model_time.h"

enum {
    MODEL_SLICES = 256,            /* implementation: at most */
    MODEL_SLICE_BYTES = 512 << 10, /* of L2, inferred: NVIDIA's A100 has 80 slices of 512 KiB */
    MODEL_COMING_LINES = 16384,    /* implementation: older ones are forgotten */
    MODEL_ROW_SHIFT = 3,    /* documented: lines; rows of 1 KiB, of HBM's pseudo channels (JEDEC JESD238) */
    MODEL_ROWS = 4096,      /* assumed: open at once, as a power of two: a bank has one */
    MODEL_REGION_SHIFT = 6, /* inferred: lines; what is written of 8 KiB goes together (model_slices.c), */
    MODEL_REGIONS = 512,    /* assumed: of so many such regions at a time, as a power of two */
    MODEL_FILLED_LINES = 8192,       /* implementation: older ones are forgotten */
    MODEL_INVALIDATED_LINES = 16384, /* implementation: the same */
    MODEL_SAMPLED_GROUPS = 64        /* implementation: instructions of a sampled launch share them */
};
enum { /* implementation: at most; that addresses name; of each */
       MODEL_DRAM_PARTITIONS = 16,
       MODEL_DRAM_BANKS = 16
};

/* ---- DRAM, and its channels (model_channels.c) ---- */
struct model_channels {
    uint32_t count;  /* 0: addresses are spread by a hash */
    uint64_t window; /* sectors in this window, all and by partition */
    uint64_t sectors[MODEL_DRAM_PARTITIONS];
    struct model_reservation partitions[MODEL_DRAM_PARTITIONS];
    struct model_reservations reservations; /* theirs */
    model_time held;                        /* until then there is no room for what the last request writes */
    uint64_t even, uneven;                  /* as in struct event_memory */
    uint64_t rows[MODEL_DRAM_PARTITIONS][MODEL_DRAM_BANKS]; /* that banks have open, and 1 more; 0: none */
};
struct model_dram {
    const struct model_params *params;
    const struct model_rates *rates;
    struct model_reservation server, *used; /* used: in this launch, with the channels' */
    struct model_reservations of_server;
    struct model_channels channels;
    bool rows_opened;                /* rows or regions are not empty */
    uint32_t rows[MODEL_ROWS];       /* that are open, each at a place of its own; 0: none */
    uint32_t regions[MODEL_REGIONS]; /* the same, regions that were last written */
    model_time there;                /* when it had what the last request asked of it; 0: nothing */
};
struct model_dram_work { /* of one request: sectors of a line, and thousandths of a cycle of all of DRAM */
    uint64_t line, sectors, work;
    double scale; /* of a sampled launch, all requests for each that was seen */
};
void model_dram_init(struct model_dram *dram, const struct model_params *params,
                     const struct model_rates *rates);
void model_dram_release(struct model_dram *dram);
size_t model_dram_bytes(const struct model_dram *dram); /* without itself */
void model_dram_begin(struct model_dram *dram);         /* a launch does */
void model_channels_begin(struct model_dram *dram);
void model_channels_end(struct model_channels *channels);
/* What a line's request makes DRAM read and write; returns when what waits for it goes on, latency aside, and
 * sets channels.held. */
model_time model_channels_take(struct model_dram *dram, const struct model_dram_work *in,
                               const struct model_dram_work *out, model_time now);

/* ---- links to the memory of the host and of other devices (model_host.c) ---- */
enum { MODEL_FROM_HOST, MODEL_TO_HOST, MODEL_FROM_PEER, MODEL_TO_PEER, MODEL_LINKS };
struct model_links {
    const struct model_rates *rates;
    model_time until[MODEL_LINKS]; /* they are busy */
};
struct model_crossing { /* sectors of a line, to the device and from it */
    uint64_t line;
    uint32_t sectors;
    bool in, out;
    double scale; /* as in struct model_dram_work */
};
/* Returns when it has crossed, if the line lies outside the device, latency aside, and not before `done`. */
model_time model_host_crosses(struct model_links *links, const struct model_host *host,
                              const struct model_crossing *what, model_time now, model_time done);

/* ---- copies that the other part of L2 has to give back (model_invalidation.c) ---- */
struct model_invalidated { /* a line */
    uint32_t key;
    model_time back, fetched; /* when it had; when what it fetched again is there */
};
struct model_invalidations {
    const struct model_params *params;
    const struct model_rates *rates;
    const struct model_l2 *l2;
    struct model_invalidated *lines; /* [MODEL_INVALIDATED_LINES]; NULL: L2 has one part */
    bool any;                        /* of this launch */
};
/* What the last request asked L2 for is there at `done`, or later if the line is held. fetched: the other
 * part of L2 had to fetch it. */
model_time model_invalidation_read(struct model_invalidations *all, uint64_t line, bool fetched,
                                   model_time done);
/* The same of one that writes; *held: thousandths of a cycle that it holds its slice, which is one of so many
 */
model_time model_invalidation_write(struct model_invalidations *all, uint64_t line, uint32_t slices,
                                    model_time done, uint64_t *held);

/* ---- slices of L2 (model_slices.c) ---- */
struct model_sampled_part {      /* of a sampled launch, by its instructions */
    struct model_divisor slices; /* that it asks */
    double l2, dram;             /* for each that was seen */
};
struct model_slices {
    const struct model_params *params;
    const struct model_rates *rates;
    struct model_l2 *l2; /* of which the last request takes time */
    struct model_dram dram;
    struct model_links links;
    struct model_invalidations invalidations;
    uint32_t count;
    struct model_reservation list[MODEL_SLICES], *used; /* used: in this launch */
    struct model_reservations reservations;             /* theirs */
    struct model_sampled_part parts[MODEL_SAMPLED_GROUPS];
    const struct model_sampled_part *part; /* of the request that is being played */
    uint32_t atomic, atomic_alone;         /* of the same, as in struct model_step */
    uint64_t request;                      /* the same, counted */
    struct model_last { /* of a slice's last atomic: the request, its line, and how many requests were of it
                         */
        uint64_t request, line;
        uint32_t requests;
    } last[MODEL_SLICES];
    bool lines_came, lines_filled; /* in this launch: coming, filled are not empty */
    struct model_coming {
        uint64_t line;
        model_time when;
    } coming[MODEL_COMING_LINES]; /* from DRAM */
    struct model_filled {
        uint32_t key;
        model_time when;
    } filled[MODEL_FILLED_LINES]; /* the same, lines of which sectors were written in part */
    model_time end, stored;       /* of all that was written; of the request that is being played */
};
/* The ways between an L1 and L2: its units that load and store. */
struct model_port {
    struct model_reservation *fill, *out, **used;
    model_time held; /* until then DRAM's queues have no room for what was stored */
};
/* rates: of the launch, as it becomes known */
void model_slices_init(struct model_slices *slices, struct model_l2 *l2, const struct model_rates *rates);
void model_slices_release(struct model_slices *slices);
size_t model_slices_bytes(const struct model_slices *slices); /* without itself */
void model_slices_begin(struct model_slices *slices);         /* a launch does */
/* A request of that instruction goes into L1. */
void model_slices_request(struct model_slices *slices, uint32_t instr, const struct model_step *step);

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
model_time model_slices_read(struct model_slices *slices, struct model_port *port, uint64_t line,
                             uint32_t sectors, uint64_t fabric, model_time now);
model_time model_slices_write(struct model_slices *slices, struct model_port *port, uint64_t line,
                              uint32_t sectors, uint64_t fabric, uint32_t how, model_time now);
model_time model_slices_atomic(struct model_slices *slices, struct model_port *port, uint64_t line,
                               uint32_t sectors, uint64_t fabric, model_time now);
/* What is found in L2 may still be on its way from DRAM; when it is there. */
model_time model_slices_line(struct model_slices *slices, uint64_t line, bool from_dram, model_time comes);
void model_slices_prefetch(const struct model_slices *slices, uint64_t line, bool load);
/* What the last request stores is taken at `when`; what it asked for besides is there at `end`. */
static inline void model_slices_stored(struct model_slices *slices, model_time when, model_time end)
{
    if (end > slices->end) slices->end = end;
    if (when > slices->stored) slices->stored = when;
}
#endif
