/* SPDX-License-Identifier: Apache-2.0 */
/* model_cache: L1 of every multiprocessor, L2 and DRAM, fed with the requests of a launch
 * (EVENT_PROBE_ACCESS) and asked afterwards what was found where. One thread at a time. The result depends on
 * the requests and on the GPU's parameters alone.
 *
 * Memory: of the tags of all caches, about 12 bytes a line of 128 bytes of L2 and 18 of L1: 15 MB for an
 * H200, whatever runs. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include "arch/arch.h"
#include "event/event.h"

struct model_memory;

/* gpu: sizes and its section [cache] (arch_cache.def). cc: kept. Never NULL. */
struct model_memory *model_memory_new(const struct arch_gpu *gpu, const struct arch_cc *cc);
void model_memory_delete(struct model_memory *memory);

/* A launch begins, with the residency that event_tool.watch_begin told. cold: forget what earlier launches
 * left in the caches (L1 is always forgotten). sample_shift: as reported by watch_begin; the caches are made
 * smaller by as much, and the results multiplied. */
void model_memory_launch_begin(struct model_memory *memory, const struct event_launch *launch,
                               const struct event_residency *residency, uint32_t sample_shift, bool cold);
void model_memory_turn(struct model_memory *memory, const struct event_turn *turn);
/* What came of it; valid until the next launch_begin or delete. */
const struct event_memory *model_memory_launch_end(struct model_memory *memory);

/* The sample shift for a launch of so many threads: 0 up to 2^24 threads, then such that about as many are
 * seen. The error that sampling adds was not measured. */
uint32_t model_memory_sample_shift(uint64_t threads);
#endif
