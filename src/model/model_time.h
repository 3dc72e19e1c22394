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

/* What units take, in thousandths of a cycle of a multiprocessor. */
struct model_rates {
    uint32_t access;               /* of an L1, of each request: at least, and at least a cycle; */
    uint32_t line, sector;         /* of its lines; of what it loads */
    uint32_t found;                /* of each line of a request that finds it on its way */
    uint32_t fill, store;          /* of the way between an L1 and L2, a sector */
    uint32_t l2_sector, l2_fabric; /* of L2, all of it */
    uint32_t l2_write;             /* more, of a sector that is written */
    uint32_t l2_request;           /* at least, but for that, of a request that writes */
    uint32_t dram_sector;          /* of DRAM, all of it */
    uint32_t dram_row, dram_write; /* more, of a row that has to be opened; of a line that is written */
    uint32_t l2_filling;           /* of a slice, of a store to a line that is being filled */
    uint32_t l2_invalidation;      /* of L2, to take a copy back from its other part */
    uint32_t l2_waiting;           /* of a slice, for a thousand that a store waits for a line */
    uint32_t l2_refill;            /* of L2, all of it, of a line that is filled from DRAM and written back */
    uint32_t block, warp;          /* to dispatch a block, by the device; a warp, by a multiprocessor */
    uint32_t restart;              /* cycles from the end of a block to the begin of its successor */
    uint32_t barrier;              /* cycles, when all warps are there */
    uint32_t arrive;               /* of a multiprocessor, for each warp that comes to a barrier */
    uint32_t atomic, load;         /* cycles more than the caches' */
    uint32_t dram;                 /* the same, of what comes from DRAM */
    uint32_t host;                 /* the same, more than that, of what comes from the host's memory */
    uint32_t peer;                 /* the same, of what comes from other devices' */
    struct model_link_rates {      /* of a way of a link between the device and other memory: thousandths */
        uint32_t sector, request;  /* of a cycle for each */
        uint32_t read;             /* of one, at least: as many may be under way */
    } host_link, peer_link;
    uint32_t schedulers; /* of a multiprocessor */
};
struct model_costs {
    const struct model_step *steps; /* [instr]; NULL: the replay only keeps the order */
    struct model_rates rates;
    struct model_work work;
};
#endif
