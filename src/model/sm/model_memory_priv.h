/* SPDX-License-Identifier: Apache-2.0 */
/* What the memory model of a device is made of. Its functions take the part that they need; the whole is
 * model_memory.c's, and the replay's when it begins a round. */
#ifndef MODEL_MEMORY_PRIV_H
#define MODEL_MEMORY_PRIV_H

#include "model/sample/model_sampling.h"
#include "model/sm/model_memory.h"
#include "model_clock_priv.h"

/* ---- what requests of instructions did ---- */
struct model_instrs {
    uint32_t count;
    uint8_t *policies; /* [instr]: enum model_policy */
    uint8_t *places;   /* [instr]: of those of stores on their way, that a line takes */
    struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES];
};
static inline struct event_memory_sums *model_instrs_sums(const struct model_instrs *instrs,
                                                          const struct event_request *r)
{
    return &instrs->sums[r->instr][r->space == ISA_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
}

/* ---- a multiprocessor ---- */
struct model_sm {
    bool used; /* since the launch began */
    uint32_t number;
    model_time port;
    struct model_l1 l1;
    struct model_constants constants;
    struct model_clock *clock;
    const struct model_instrs *instrs;
};
struct model_slot { /* a resident block */
    uint64_t block;
    bool used;
    uint32_t waiting, ended;
    uint32_t first, streams; /* of its warps in this round, among those of the multiprocessor */
    model_time begin, barrier, end;
};
struct model_blocks { /* that are resident */
    uint32_t sm_count, blocks_per_sm, warps_per_block;
    struct model_slot *slots; /* [sm][slot] */
    struct model_warp *warps; /* [sm][slot][warp] */
};

/* ---- CTA slots of a device (model_cta_slots.c) ---- */
struct model_cta_slots {
    struct event_progress progress;
    uint64_t *times, shortest, sum, ended; /* by sm, slot; of blocks' times; blocks */
};
void model_cta_slots_begin(struct model_cta_slots *slots, size_t count);
void model_cta_slots_release(struct model_cta_slots *slots);
void model_cta_slots_reach(struct model_cta_slots *slots, size_t cta_slot, model_time time);
void model_cta_slots_end(struct model_cta_slots *slots, const struct model_slot *slot); /* its block ended */

/* ---- phases of mbarriers (model_phase.c) ---- */
struct model_phases {
    struct map objects;
};
struct model_phase_of { /* a block, and the CTA slot that it has */
    size_t cta_slot;
    uint64_t block;
};
void model_phases_clear(struct model_phases *phases);
/* Something comes to a phase; name: as in struct event_stream. false: nobody waits for it any more. */
bool model_phase_comes(struct model_phases *phases, struct model_phase_of block, uint64_t name,
                       model_time at);
/* Has all come? *when: the last of it. lines: as in struct event_stream */
bool model_phase_is_over(struct model_phases *phases, struct model_phase_of block, const uint64_t *lines,
                         model_time *when);

/* ---- requests (model_request.c) ---- */
/* The lines of one request; returns when its data is there. scheduler: of the warp, from 0 */
model_time model_request_play(struct model_sm *sm, const struct event_request *r, const uint64_t *lines,
                              struct model_warp *warp, uint32_t scheduler);

/* ---- a device ---- */
struct model_memory {
    struct model_params params;
    struct event_rules rules;
    struct model_fold l1_fold;
    struct model_l2 l2;
    struct model_slices slices; /* with DRAM */
    struct model_merging merging;
    struct model_constant_groups constants;
    struct model_sm *sms;
    uint32_t sm_capacity; /* what is allocated */
    struct model_l1_geometry l1_geometry;
    uint32_t l1_bytes;
    struct model_clock clock;
    struct model_sampling sampling;
    struct model_blocks blocks;
    struct model_cta_slots cta_slots;
    struct model_phases phases;
    struct model_instrs instrs;
    struct event_memory result;
};
#endif
