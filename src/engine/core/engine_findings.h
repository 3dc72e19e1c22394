/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch does wrong (event_finding.h), kept while it runs and told to the tool when it is over, the
 * same at any number of host threads. Two sorts: those with which a block goes on (engine_finding_keep), and
 * those that end it (engine_finding_add, then engine_fault_unwind). Then the other blocks run, too, where
 * they do not wait for it, and the launch fails. */
#ifndef ENGINE_FINDINGS_H
#define ENGINE_FINDINGS_H

#include "base/base.h"
#include "event/event_finding.h"

struct engine;
struct engine_job;
struct engine_worker;
struct jit_ctx;

struct engine_findings { /* with which a block ended: one of each lane of a warp */
    struct event_finding at[SW_WARP_LANES];
    uint32_t count;
    char messages[SW_WARP_LANES][96]; /* of each; empty: none */
};

/* Blocks that ended by findings while the others went on: the lowest of them that have ENGINE_ENDED_MOST
 * findings together. So they are the same whoever ran first. */
struct engine_ended_block {
    uint64_t block;
    struct sw_error error;
    struct engine_findings findings;
};
struct engine_ended {
    VEC(struct engine_ended_block *) list; /* by block */
    bool full;                             /* blocks above the last one are of no interest */
};
enum { ENGINE_ENDED_MOST = 100 }; /* definition: as many as softwarp check prints */

/* Findings of a launch that goes on: the first of each (kind, rule, instructions), and how many there are.
 * First: in the lowest block, and there of the lowest thread. {0} is empty. Not thread-safe: each host thread
 * has its own, which join that of the launch when it has no more blocks. */
struct engine_kept {
    VEC(struct engine_kept_finding *) list;
    struct map by_key;
    struct arena texts; /* once there is one; of messages */
    uint64_t lost;      /* beyond ENGINE_KEPT_MOST */
};
enum { ENGINE_KEPT_MOST = 4096 }; /* of a host thread; implementation: about 1 MB */

/* Thread, block and kernel of a lane of the running warp, at a PTX line. */
void engine_place_set(const struct jit_ctx *ctx, uint32_t lane, uint32_t line, struct event_place *place);

/* What the finding says of the allocation at an address of device memory, or of the nearest one. */
void engine_finding_describe(const struct engine *engine, uint64_t address, struct event_finding *finding);
/* Keep a finding, whose place and other are complete; the launch goes on. rule: the caller's number, tells
 * findings of one kind at one instruction apart. count 0 is 1. `message` is copied, other texts must live
 * until the launch is over. Nothing happens where no tool asked for findings. */
void engine_finding_keep(struct jit_ctx *ctx, const struct event_finding *finding, uint32_t rule);
/* The same from outside of running blocks: block and thread are numbers in the grid and in the block. */
void engine_kept_add(struct engine_kept *kept, const struct event_finding *finding, uint32_t rule,
                     uint64_t block, uint64_t thread);
void engine_kept_join(struct engine_kept *into, struct engine_kept *from); /* `from` is empty then */

/* A lane's access, kept for the tool if it asked; finding: kind, space, place.bytes and .writes; what it lies
 * in (base, size), or the nearest allocation if that is not set in global memory. The caller ends the block
 * (engine_fault_unwind). */
void engine_finding_add(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                        uint32_t lane, uint32_t line);

/* Any other finding that ends the launch; place and other are complete, the message is the error's. */
void engine_finding_end(struct jit_ctx *ctx, const struct event_finding *finding);

/* A block ended by worker->findings, which are empty then. May the worker run other blocks? */
bool engine_job_goes_on(struct engine_job *job, struct engine_worker *worker, uint64_t block);
/* No block above this one need run. */
uint64_t engine_ended_last(struct engine_job *job);

/* To the tool, once the launch is over: what was kept, in order of blocks and threads, then what blocks ended
 * by; where it is anything else that ended the launch, that. Where not all blocks ran to their end, only what
 * happened up to the last one of interest, and counts are those of the first block that had such a finding:
 * what other blocks came to do differs from run to run. Frees what was kept. */
void engine_findings_tell(struct engine_job *job);
#endif
