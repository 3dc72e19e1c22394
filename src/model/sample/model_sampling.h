/* SPDX-License-Identifier: Apache-2.0 */
/* model/sample: sampled launches. All that decides about them stands in this module: which launches are
 * sampled and how many of their multiprocessors are simulated in detail (model_sampling.c), what those stand
 * for (model_sample.c, model_address_set.c, model_sample_scale.c), and how far that may be off
 * (model_confidence.c). Which multiprocessors these are, event_is_detailed says (event.h), since the engine
 * asks it, too; how the others' blocks run is engine_sample.c's. */
#ifndef MODEL_SAMPLING_H
#define MODEL_SAMPLING_H

#include "model/cache/model_constant.h"
#include "model/sample/model_sample.h"
#include "model/sample/model_sample_shift.h"

struct model_seen { /* of a multiprocessor: sectors of loads in L1, found there; all asked of L1, of L2; when
                       its last warp ended */
    uint64_t loads, hits, asked, l2;
    model_time end;
};
struct model_sampling { /* of a launch */
    struct event_residency residency;
    uint64_t blocks;
    uint32_t shift;
    double share; /* of the blocks, what is simulated in detail */
    bool begun;   /* a round was played */
    struct model_sample sample;
    struct model_address_set address_set;
    struct model_seen *seen; /* [sm] */
};
/* l2: kept; a launch has begun there */
void model_sampling_begin(struct model_sampling *sampling, const struct model_l2 *l2,
                          const struct event_launch *launch, const struct event_residency *residency,
                          uint32_t shift, bool cold);
void model_sampling_release(struct model_sampling *sampling);
size_t model_sampling_bytes(const struct model_sampling *sampling); /* without itself */
static inline bool model_sampling_is_detailed(const struct model_sampling *s, uint32_t sm)
{
    return event_is_detailed(sm, s->residency.sm_count, s->shift);
}
/* Before the first round: the launch is simulated as a whole when all blocks of that round end with it, and
 * all blocks of the launch, if they are such, make MODEL_ALL_REQUESTS requests at most, each line of one
 * counted as another. (An H200's takes 0.3 s of a host thread then: measured, which is thought short enough.)
 */
void model_sampling_small(struct model_sampling *sampling, const struct event_round *round);
/* A round is about to be played. After the first of a sampled launch, L2 and its slices are as small as what
 * it shares says. steps: NULL: no time is kept. */
void model_sampling_round(struct model_sampling *sampling, const struct event_round *round,
                          const struct model_step *steps, struct model_l2 *l2, struct model_slices *slices);
/* Of what a simulated warp of the block lacks in L2 at this visit (struct model_warp), how many pieces in
 * 2^16 others have brought by then. */
uint16_t model_sampling_brought(const struct model_sampling *sampling, uint64_t block, uint32_t visit);

/* ---- results: from what the simulated blocks did to what all did (model_sample_scale.c) ---- */
/* sums: [instr] of the kernel */
void model_sample_scale(struct model_sampling *sampling, const struct event_rules *rules,
                        const struct event_launch *launch,
                        struct event_memory_sums (*sums)[EVENT_MEMORY_SPACES]);
struct model_written { /* sectors that were written to DRAM, and that wait to be; lines that came to L2 */
    uint64_t sectors, waiting, lines;
};
/* After model_sample_scale. */
struct model_written model_sample_written(const struct model_sampling *sampling, const struct model_l2 *l2,
                                          uint32_t instr_count,
                                          struct event_memory_sums (*const sums)[EVENT_MEMORY_SPACES]);
/* groups_seen: groups of multiprocessors of which some were simulated, of so many */
void model_sample_scale_constants(const struct model_sampling *sampling, struct model_constant_counts *counts,
                                  uint32_t groups_seen, uint32_t groups);
struct event_confidence model_sampling_confidence(const struct model_sampling *sampling);
#endif
