/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of shadow memory. */
#ifndef ENGINE_SHADOW_PRIV_H
#define ENGINE_SHADOW_PRIV_H

#include "engine_shadow.h"

#include "engine/core/engine_space.h"
#include "race/race.h"

/* One bit a byte: it was written. Of device, pinned and managed memory by pages that are there when some of
 * their bytes were not; all other memory counts as written. */
enum { SHADOW_PAGE_BITS = 16, SHADOW_PAGE_BYTES = 1 << SHADOW_PAGE_BITS };
enum { SHADOW_HOST_BYTES = 4096, SHADOW_HOST_PAGES = SHADOW_PAGE_BYTES / SHADOW_HOST_BYTES };
enum { SHADOW_ABSENT_BITS = 12, SHADOW_RANGES = 8 };
struct engine_shadow_page {
    uint64_t written[SHADOW_PAGE_BYTES / 64];
    uint32_t missing; /* bytes that nobody wrote */
    uint32_t host;    /* bit i: of the system's page i, unless the host did (engine_shadow_host.c) */
};
struct engine_shadow_lane_groups { /* of copies, one a lane */
    uint32_t committed[SW_WARP_LANES];
};
struct engine_shadow_bits { /* of a block's memory, one a byte: it was written */
    uint64_t *words;        /* NULL: not looked at */
    uint64_t bytes, missing;
};
struct engine_shadow_range {
    uint64_t first, bytes;
};
struct engine_shadow_affine { /* an access of first + lane * stride */
    uint64_t first;
    int64_t stride;
    uint64_t low, bytes; /* of 32 lanes, whether they take part or not */
    lane_mask mask;
};
struct engine_shadow_proxy;  /* engine_shadow_proxy.c */
struct engine_shadow_block { /* a block that runs */
    uint64_t number;
    uint32_t ctaid[3], threads;
    struct race_block *race; /* NULL: races are not looked for */
    struct engine_shadow_bits shared, local;
    lane_mask fenced[SW_WARP_LANES]; /* lanes that wrote nothing since their last fence; by warp */
    bool has_written;                /* not by atomics alone */
    struct engine_shadow_lane_groups *copies, *bulk; /* by warp; NULL: none was committed */
    struct engine_shadow_proxy *proxy;               /* NULL: nothing asks */
    uint64_t shared_low, shared_end; /* of the shared memory that was accessed, as race/ knows it */
    bool has_global;                 /* race/ knows of accesses of global memory */
};
struct engine_shadow_task { /* a launch, for reports of races with later ones */
    const struct event_kernel *kernel;
    uint32_t grid[3], block[3];
    struct event_caller launched;
};
struct engine_shadow_order { /* `task` comes after `before`; 0: it begins, */
    uint64_t task, before;
    struct engine_access access; /* or, where this has bytes, accesses memory; task 0: that is forgotten */
    /* neither task nor bytes: all tasks are forgotten */
};
struct engine_shadow_call { /* of the host: what copies, fills and the host itself access */
    const char *call, *where;
};
enum shadow_volatile { SHADOW_VOLATILE = 1, SHADOW_POLLED = 2 }; /* accesses; reads in waiting loops */
struct engine_shadow_conflict {                                  /* a race of the access that is told */
    struct race_found found;
    lane_mask differs; /* of found.lanes, from 0: a byte that both write is not the same */
    bool proxy;        /* a copy after a write, without a fence of proxies */
};
enum { SHADOW_CONFLICTS = 64 }; /* of one access; more are left out */
struct engine_shadow_line {     /* of PTX, of a site that raced: it may do so millions of times */
    uint64_t kernel;            /* event_kernel.id + 1; 0: none */
    uint32_t site, line;
};
enum { SHADOW_LINES = 64 };
/* A detector of races: of a host thread, or the engine's. */
struct engine_shadow_races {
    struct engine_shadow *shadow;
    struct engine_shadow_races *next; /* in shadow.idle */
    struct race *race;                /* NULL: races are not looked for */
    uint8_t volatiles[1 << 16];       /* by site: enum shadow_volatile */
    bool has_volatiles;
    /* The access that is told, and the races that it is in. */
    struct jit_ctx *ctx; /* NULL: the host's */
    struct jit_shadow_site site;
    uint64_t addresses[SW_WARP_LANES];
    lane_mask mask;
    struct engine_shadow_conflict conflicts[SHADOW_CONFLICTS];
    uint32_t conflict_count;
    enum isa_space space;
    struct engine_shadow_line lines[SHADOW_LINES]; /* by site, the last ones */
    /* Of a host thread: */
    uint64_t task; /* the last one that it took part in */
    struct engine_shadow_block *now;
};
struct engine_shadow {
    struct engine *engine;
    uint32_t checks;
    pthread_mutex_t lock;                     /* held by whoever runs blocks, or changes what follows */
    struct map pages;                         /* address >> SHADOW_PAGE_BITS: struct engine_shadow_page */
    uint64_t last_number;                     /* the page that was looked up last, */
    struct engine_shadow_page *last;          /* NULL: it is not there */
    uint64_t absent[1 << SHADOW_ABSENT_BITS]; /* numbers of pages that are not there, each at its hash */
    struct engine_shadow_range written[SHADOW_RANGES]; /* without pages, as far as that was looked up */
    uint32_t written_next;                             /* the one to give up */
    struct engine_shadow_races races;                  /* of all that is not judged apart */
    struct engine_shadow_races *idle;                  /* of host threads that have left; under lock */
    pthread_mutex_t order_lock;
    VEC(struct engine_shadow_order) orders; /* that race has not heard of yet; under order_lock */
    uint64_t given_task;                    /* the last launch with a number of the driver's; 0: none */
    uint64_t own_task;                      /* the last one that nobody gave a number; 0: none */
    struct map tasks;                       /* by number: struct engine_shadow_task */
    VEC(struct engine_shadow_call) calls;   /* by their number as race's sites, from 1 */
    struct map call_numbers;                /* by a hash of both texts' addresses */
    uint64_t task_count;                    /* of own tasks */
};
struct engine_shadow_job { /* a launch */
    uint64_t task;
    bool apart;        /* each host thread has a detector, and only blocks of its own */
    struct map blocks; /* by number + 1: struct engine_shadow_block */
    struct engine_shadow_block *now;
    uint64_t arrived; /* blocks, at the barrier of the grid */
};

static inline struct engine_shadow *engine_shadow_of(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    return worker->engine->shadow;
}

static inline struct engine_shadow_races *engine_shadow_races_of(const struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    return worker->races ? worker->races : &worker->engine->shadow->races;
}

/* Behind the block's own shared memory is the system's, where the cooperative groups of CUDA's headers keep
 * barriers and values of tiles. They take shuffles to order it, and set only bits that they use. */
static inline uint64_t engine_shadow_own_bytes(const struct jit_ctx *ctx)
{
    return ctx->shared_bytes - ctx->reserved_shared_bytes;
}

/* ---- engine_shadow_block.c */
void engine_shadow_races_init(struct engine_shadow_races *races, struct engine_shadow *shadow);
void engine_shadow_races_release(struct engine_shadow *shadow); /* all of them */
struct engine_shadow_block *engine_shadow_block_find(struct jit_ctx *ctx);
/* The block that runs; begun where it is new. */
static inline struct engine_shadow_block *engine_shadow_block(struct jit_ctx *ctx)
{
    const struct engine_worker *worker = ctx->host;
    struct engine_shadow_block *now = worker->races ? worker->races->now : worker->job->shadow->now;
    bool same = now && now->ctaid[0] == ctx->ctaid[0] && now->ctaid[1] == ctx->ctaid[1] &&
                now->ctaid[2] == ctx->ctaid[2];
    return same ? now : engine_shadow_block_find(ctx);
}
void engine_shadow_block_free(struct engine_shadow_races *races, struct engine_shadow_block *block);
/* What race/ is to forget of shared memory when the block ends. */
static inline void engine_shadow_block_shares(struct engine_shadow_block *block, uint64_t low, uint64_t end)
{
    if (low < block->shared_low) block->shared_low = low;
    if (end > block->shared_end) block->shared_end = end;
}

/* ---- engine_shadow_init.c */
void engine_shadow_init_block(struct jit_ctx *ctx, struct engine_shadow_block *block);
/* Lanes' accesses of one space; addresses: of 32 lanes. */
void engine_shadow_init_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const uint64_t *addresses, lane_mask mask);

/* True: all of it was written, or is now. False: it is to be looked at lane by lane. */
bool engine_shadow_init_affine(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const struct engine_shadow_affine *at);
/* What is written around an address, for code that asks no more about it. */
struct engine_shadow_range engine_shadow_init_range(struct jit_ctx *ctx, struct engine_shadow_block *block,
                                                    enum isa_space space, uint64_t address);
void engine_shadow_init_open(struct engine_shadow *shadow);

/* ---- engine_shadow_host.c: pinned and managed memory */
void engine_shadow_host_new(uint64_t address, uint64_t bytes);
/* Bit i: the system's page i of this shadow page may have been written. */
uint32_t engine_shadow_host_touched(uint64_t page);

/* ---- engine_shadow_order.c */
void engine_shadow_orders_take(struct engine_shadow *shadow); /* under its lock */
void engine_shadow_tasks_release(struct engine_shadow *shadow);
void engine_shadow_orders_release(struct engine_shadow *shadow);
/* The number of a launch; begun. apart: only for the detectors of host threads. */
uint64_t engine_shadow_task_begin(struct engine_shadow *shadow, uint64_t given, bool apart);

/* ---- engine_shadow_proxy.c: plain writes of shared memory and bulk copies that read them */
void engine_shadow_proxy_begin(struct jit_ctx *ctx, struct engine_shadow_block *block);
void engine_shadow_proxy_meet(struct engine_shadow_block *block); /* some threads do */
void engine_shadow_proxy_fence(struct engine_shadow_block *block, uint32_t warp, lane_mask mask);
void engine_shadow_proxy_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                                const struct jit_shadow_site *site, const uint64_t *addresses,
                                lane_mask mask);

/* ---- engine_shadow_race.c */
/* Whether race/ is told of an access of this space. */
bool engine_shadow_race_wants(const struct engine_shadow *shadow, const struct jit_shadow_site *site);
void engine_shadow_races_tell(struct engine_shadow_races *races); /* those of a host access: at once */
void engine_shadow_race_found(void *user, const struct race_found *found);
/* After an access was told that races: that goes to the tool, unless values are wanted first (not 0). */
uint32_t engine_shadow_race_told(struct engine_shadow_races *races, const struct jit_shadow_site *site);
void engine_shadow_race_access(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const uint64_t *addresses, lane_mask mask);
/* Of a weak access that no copy makes. */
void engine_shadow_grid_end(struct engine_job *job); /* before the launch's end */
void engine_shadow_race_affine(struct jit_ctx *ctx, struct engine_shadow_block *block,
                               const struct jit_shadow_site *site, const struct engine_shadow_affine *at);
#endif
