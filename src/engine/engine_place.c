/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory of blocks that are resident at the same time: shared, local and frames of each. Method: one
 * mapping, a stride a block; pages appear when they are touched. Limits: none known. */
#include "engine_priv.h"

#include <string.h>

enum sw_status engine_places_init(struct engine_places *places, const struct engine_job *job, uint32_t count)
{
    enum { SHARED_ALIGN = 1024 };
    const struct jit_info *info = &job->variant->info;
    size_t warps = engine_job_warps(job);
    *places = (struct engine_places){.shared_bytes = engine_job_shared(job),
                                     .frame_bytes = warps * info->frame_bytes};
    places->local_at = sw_align_up(places->shared_bytes, SHARED_ALIGN);
    places->frames_at = places->local_at + sw_align_up(warps * SW_WARP_LANES * info->local_bytes, 64);
    places->block_bytes = sw_align_up(places->frames_at + places->frame_bytes, SHARED_ALIGN);
    return engine_memory_reserve(&places->memory, places->block_bytes * count) ? SW_OK : SW_OUT_OF_MEMORY;
}

void engine_places_release(struct engine_places *places)
{
    engine_memory_release(&places->memory);
}

void engine_places_use(const struct engine_places *places, struct engine_worker *worker, uint32_t number,
                       bool clear)
{
    uint8_t *memory = places->memory.base + number * places->block_bytes;
    worker->ctx.shared = memory;
    worker->ctx.local = memory + places->local_at;
    worker->ctx.frames = memory + places->frames_at;
    if (!clear) return;
    memset(worker->ctx.shared, 0, places->shared_bytes);
    memset(worker->ctx.frames, 0, places->frame_bytes);
}
