/* SPDX-License-Identifier: Apache-2.0 */
/* model/sm: L1 of every multiprocessor, L2 and DRAM, fed with the requests of a launch
 * (EVENT_PROBE_ACCESS) and asked afterwards what was found where. One thread at a time. The result depends on
 * the requests and on the GPU's parameters alone.
 *
 * Memory: MODEL_MEMORY_MOST bytes a device, whatever runs: 12 bytes a line of L2 and 7 a line that may wait
 * to be written, 18 bytes a line of L1, 32 a resident warp, 8 a CTA slot, 3 MB of what a sampled launch
 * accesses; besides, some 200 bytes for each mbarrier of each of these slots. (15 MB for an H200 without
 * them, and some 9 MB for its clock: reservation tables of its units.) While a round is played, 96 bytes a
 * resident warp more. Of a sampled launch, 40 bytes besides for each access of the address set that waits for
 * its round: most often one line of 64 that the resident blocks ask for in a round. */
#ifndef MODEL_MEMORY_H
#define MODEL_MEMORY_H

#include "arch/arch.h"
#include "event/event_launch.h"
#include "event/event_memory.h"
#include "event/event_request.h"
#include "model/model_time.h"

struct model_memory;
enum { MODEL_MEMORY_MOST = 35 << 20 }; /* measured: tests/unit/model/test_model_caches.c, every GPU */

/* gpu: sizes and its section [cache] (arch_cache.def). cc: kept. Never NULL. */
struct model_memory *model_memory_new(const struct arch_gpu *gpu, const struct arch_cc *cc);
void model_memory_delete(struct model_memory *memory);

/* What it holds on the host now, without what follows from the kernel's number of instructions. */
size_t model_memory_bytes(const struct model_memory *memory);

/* A launch begins, with the residency that event_tool.detail_begin told. cold: forget what earlier launches
 * left in the caches (L1 is always forgotten). sample_shift: as told to detail_begin; the results are scaled
 * up (model_sample_scale.c). */
void model_memory_launch_begin(struct model_memory *memory, const struct event_launch *launch,
                               const struct event_residency *residency, uint32_t sample_shift, bool cold);
/* Before the first round of a sampled launch: it is simulated in detail as a whole if that round shows that
 * it is small (model_sampling.h). Not called: it stays sampled. */
void model_memory_detail_small(struct model_memory *memory, const struct event_round *round);
/* costs: of the instructions between requests, as far as this round tells; its steps NULL, in all rounds
 * of a launch or in none: no time is kept. Returns the launch's sample shift. */
uint32_t model_memory_round(struct model_memory *memory, const struct event_round *round,
                            const struct model_costs *costs);
/* Of the launch that has begun, brought up to date by each round; valid until the next one begins. Slots that
 * no block has had are at 0, as all are where no time is kept. */
const struct event_progress *model_memory_progress(const struct model_memory *memory);
/* Of a sampled launch, accesses to the address set of blocks that are not in rounds: before the round in
 * which simulated blocks of their numbers begin. */
void model_memory_set_accesses(struct model_memory *memory, const struct event_set_access *accesses,
                               size_t count);
/* What came of it; valid until the next launch_begin or delete. launch: the same, with its counters when it
 * was sampled. */
const struct event_memory *model_memory_launch_end(struct model_memory *memory,
                                                   const struct event_launch *launch);
#endif
