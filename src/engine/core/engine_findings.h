/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch does wrong (event_finding.h), kept while it runs and told to the tool when it is over, the
 * same at any number of host threads. Two sorts: those with which the launch goes on (engine_finding_keep),
 * and those that end it (engine_finding_add, then engine_fault_unwind). */
#ifndef ENGINE_FINDINGS_H
#define ENGINE_FINDINGS_H

#include "base/base.h"
#include "event/event_finding.h"

struct engine_job;
struct jit_ctx;

struct engine_findings { /* of the block that ended the launch: one of each lane of a warp */
    struct event_finding at[SW_WARP_LANES];
    uint32_t count;
};

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

/* Keep a finding, whose place and other are complete; the launch goes on. rule: the caller's number, tells
 * findings of one kind at one instruction apart. count 0 is 1. `message` is copied, other texts must live
 * until the launch is over. Nothing happens where no tool asked for findings. */
void engine_finding_keep(struct jit_ctx *ctx, const struct event_finding *finding, uint32_t rule);
/* The same from outside of running blocks: block and thread are numbers in the grid and in the block. */
void engine_kept_add(struct engine_kept *kept, const struct event_finding *finding, uint32_t rule,
                     uint64_t block, uint64_t thread);
void engine_kept_join(struct engine_kept *into, struct engine_kept *from); /* `from` is empty then */

/* A lane's access, kept for the tool if it asked; finding: kind, space, place.bytes and .writes. The caller
 * ends the launch. */
void engine_finding_add(struct jit_ctx *ctx, const struct event_finding *finding, uint64_t address,
                        uint32_t lane, uint32_t line);

/* Any other finding that ends the launch; place and other are complete, the message is the error's. */
void engine_finding_end(struct jit_ctx *ctx, const struct event_finding *finding);

/* To the tool, once the launch is over: what was kept, in order of blocks and threads, then what the job's
 * first wrong block did; where it is anything else that ended the launch, that. Of a launch that failed, only
 * what happened in the wrong block and below it, and counts are those of the first block that had such a
 * finding: what other blocks came to do differs from run to run. Frees what was kept. */
void engine_findings_tell(struct engine_job *job);
#endif
