/* SPDX-License-Identifier: Apache-2.0 */
/* model: what the replay of a launch needs to know of its kernel to keep time, and what its units take. */
#ifndef MODEL_TIME_H
#define MODEL_TIME_H

#include "base/base.h"

#include <stdbool.h>

/* Between a request of a warp and the one before, or after the last of a run through a basic block. Cycles
 * of a multiprocessor in sixteenths; MODEL_NO_CHAIN: nothing here waits for data. */
#define MODEL_NO_CHAIN UINT32_MAX
#define MODEL_NO_INSTR UINT32_MAX /* none, where an instruction is named */
struct model_interval {
    uint32_t path;  /* if all data were there at once */
    uint32_t chain; /* from when the data of earlier loads is there */
    uint32_t
        fresh; /* from when that of loads of the same block is there; of intervals before a request: none */
    uint32_t issue, math, shared; /* thousandths of a cycle of a multiprocessor's units that it takes */
    uint32_t banks;               /* of math, how much longer registers are read than the pipes take */
};
struct model_step { /* of an instruction that makes requests */
    uint32_t block; /* of the kernel */
    uint32_t level; /* loads of the block that come one after the other before it */
    uint32_t
        iterations; /* of its block, a loop, of which only the last waits for data of loads; 0, 1: each */
    /* Thousandths of a cycle that a slice of L2 takes for a sector, of atomics; when it did no others lately.
     */
    uint32_t atomic, atomic_alone;
    struct model_interval before, after;
    bool waits;   /* work after its block uses what the block's loads brought */
    bool uniform; /* of constant memory, at an address that a warp's lanes have in common by their code */
    bool fences;  /* a barrier that loads of its block's next iteration do not pass */
};
/* What a unit of EVENT_KIND_WORK takes, in parts of 2^MODEL_WORK_SHIFT: of a sixteenth of a cycle; of a
 * thousandth of a cycle of a multiprocessor's units. */
enum { MODEL_WORK_SHIFT = 16 }; /* implementation */
struct model_work {
    uint64_t path, issue, math, shared, banks;
};

/* Times of units (arch_kernels.def), in thousandths of a cycle of a multiprocessor where nothing else is
 * said. Of L2 and DRAM: all slices, all partitions together. */
struct model_rates {
    uint32_t access;               /* L1: least time of a request, and not less than a cycle */
    uint32_t line, sector;         /* L1: tags of a line; data of a sector that is loaded */
    uint32_t found;                /* L1: a line of a request that is already on its way */
    uint32_t fill, store;          /* path from L2 to an L1, and from an L1 to L2: a sector */
    uint32_t l2_sector, l2_fabric; /* L2: a sector; a sector between partitions */
    uint32_t l2_write;             /* L2: added for a written sector */
    uint32_t l2_request;           /* L2: least time of a request that writes, without l2_write */
    uint32_t dram_sector;          /* DRAM: a sector */
    uint32_t dram_row, dram_write; /* DRAM: added to open a row; for a written line */
    uint32_t l2_filling;           /* slice: a store to a line that DRAM is filling */
    uint32_t l2_invalidation;      /* L2: a store that invalidates the other partition's copy */
    uint32_t l2_waiting;           /* slice: held for this part of a store's wait for a line, per mille */
    uint32_t l2_refill;            /* L2: a run of sectors that DRAM fills because they were partly written */
    uint32_t block, warp;          /* device: to dispatch a block; multiprocessor: to start a warp */
    uint32_t restart;             /* cycles from the end of a block to the next one's begin in its CTA slot */
    uint32_t barrier;             /* cycles from the last warp's arrival until the warps continue */
    uint32_t arrive;              /* multiprocessor: a warp that arrives at a barrier */
    uint32_t atomic, load;        /* latency added to that of the caches, cycles */
    uint32_t dram;                /* latency added for data from DRAM, cycles */
    uint32_t host;                /* latency added for data from the host's memory, cycles */
    uint32_t peer;                /* latency added for data from another device's memory, cycles */
    struct model_link_rates {     /* one direction of a link to other memory */
        uint32_t sector, request; /* time for each */
        uint32_t read;            /* least time of a read: only so many may be outstanding */
    } host_link, peer_link;
    uint32_t schedulers; /* of a multiprocessor */
};
struct model_costs {
    const struct model_step *steps; /* [instr]; NULL: the replay only keeps the order */
    struct model_rates rates;
    struct model_work work;
};
#endif
