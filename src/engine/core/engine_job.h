/* SPDX-License-Identifier: Apache-2.0 */
/* A launch while it runs (struct engine_job), and what one host thread needs while it runs blocks of it
 * (struct engine_worker). Parts of both belong to modules above, which alone know what they are. */
#ifndef ENGINE_JOB_H
#define ENGINE_JOB_H

#include "engine_findings.h"
#include "engine_memory.h"
#include "engine_object.h"

#include <setjmp.h>
#include <signal.h>

struct engine_detail;       /* engine_detail.c */
struct engine_grid;         /* engine_grid.c */
struct engine_resident;     /* engine_resident.h */
struct engine_sample;       /* engine_sample.c */
struct engine_set_accesses; /* engine_stream.h */
struct engine_shadow_job;   /* engine_shadow_priv.h */
struct engine_shadow_races; /* engine_shadow_priv.h */
struct engine_tape;         /* engine_tape.h */
struct engine_warp_clock;   /* engine_timer.c */

struct engine_worker {
    struct jit_ctx ctx;
    struct engine *engine;
    struct engine_job *job;
    struct engine_worker *next; /* in pool.idle */
    struct engine_memory shared, local, frames, counters, records, signal_stack;
    struct engine_resident *resident; /* in detail: whose block runs (engine_detail.c) */
    struct engine_tape *tape;         /* and where its requests go */
    struct engine_warp_clock *clock;  /* of this warp of the job; NULL: not looked for yet */
    uint64_t clock_warp;
    const uint8_t *stack; /* of the thread that runs it: functions' local variables lie there */
    size_t stack_bytes;
    uint64_t entered;                         /* the frame on it from which the kernel was entered */
    struct engine_set_accesses *set_accesses; /* not simulated in detail, in a sampled launch: where its
                                                 accesses to the address set go; */
    struct engine_tape *scratch;              /* for one request */
    struct engine_shadow_races *races;        /* its own detector; NULL: that of the engine */
    /* engine_fault.c */
    sigjmp_buf landing;
    volatile sig_atomic_t armed; /* emitted code is running: a fault is the kernel's */
    struct sw_error error;       /* why `landing` was jumped to */
    int fault_signal, fault_code;
    sigset_t fault_mask; /* of the thread, before the signal */
    uint64_t fault_address;
    bool fault_on_stack;
    struct engine_findings findings; /* of the kernel that `landing` was jumped to from */
    struct engine_kept kept;         /* of the blocks of this job that it ran */
};

struct engine_job {
    struct engine_job *next;
    struct engine *engine;
    const struct engine_launch *launch;
    struct event_rules rules; /* of the tool, for this launch */
    struct engine_variant *variant;
    const uint8_t *params;
    uint64_t clock_base;
    uint64_t blocks;
    atomic_uint_fast64_t taken;      /* blocks given out so far */
    atomic_bool stop;                /* someone failed */
    atomic_bool faulted;             /* by an access of memory that is not there (engine_fault.c) */
    struct event_finding *diagnosis; /* runs again only for its first wrong access (engine_diagnose.c) */
    uint32_t hands, hands_max;       /* under pool.lock: threads in it; at most */
    bool alone, linked;              /* small: no other thread is called yet; in pool.jobs */
    void (*body)(struct engine_worker *worker, struct engine_job *job);
    struct engine_grid *grid;         /* blocks that wait for each other */
    struct engine_shadow_job *shadow; /* what its blocks did; NULL: nobody asks */
    struct engine_detail *detail;     /* blocks that are simulated in detail */
    struct engine_sample *sample;     /* of a sampled launch: the blocks that are not; */
    uint32_t sample_shift;            /* after the first round, less than the launch's may be */
    bool hangs;            /* lanes of a warp that wait for each other: compute capability below 7.0 */
    dev_addr workspace;    /* of the grid's barrier; 0: none */
    pthread_mutex_t lock;  /* of what follows */
    uint64_t failed_block; /* lowest that failed; UINT64_MAX: none */
    struct sw_error error;
    struct engine_ended ended; /* of other blocks, where the launch went on */
    struct engine_kept kept;   /* of all blocks */
    struct map mbarriers;      /* by address: what engine_mbarrier.c knows of them */
    uint64_t *counters;        /* sums */
    struct map clocks;         /* by warp in the grid, from 1: struct engine_warp_clock (engine_timer.c) */
    uint64_t begin_ns;         /* of the launch, once */
    bool begun;                /* a clock was read */
    struct engine_findings findings; /* of failed_block; last, because most of it is never written */
};

/* ---- what a launch is, before it runs */
uint64_t engine_resident_blocks(const struct engine_launch *launch); /* at most, by their warps */
uint64_t engine_first_blocks(const struct engine_launch *launch);    /* that the device would hold at once */

/* ---- its blocks */
uint32_t engine_job_warps(const struct engine_job *job);    /* of a block */
uint32_t engine_job_shared(const struct engine_job *job);   /* bytes of a block; the last of them, */
uint32_t engine_job_reserved(const struct engine_job *job); /* so many, are the system's */
void engine_job_failed(struct engine_job *job, const struct sw_error *error,
                       const struct engine_findings *findings, uint64_t block);
uint64_t engine_block_number(const struct jit_ctx *ctx);
uint32_t engine_block_warps(const struct jit_ctx *ctx);
void engine_lane_thread(const struct jit_ctx *ctx, uint32_t out[3]); /* thread index of ctx->lane */

/* ---- a host thread's part */
enum sw_status engine_worker_counters(struct engine_worker *worker, const struct engine_job *job);
void engine_worker_merge(struct engine_worker *worker, struct engine_job *job); /* counters */
void engine_worker_stack(struct engine_worker *worker); /* notes where the thread's lies */
#endif
