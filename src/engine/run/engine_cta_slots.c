/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory of CTA slots, in which blocks are resident at the same time: shared, local and frames of
 * each. Method: one mapping, a stride a block; pages appear when they are touched. Limits: none known. */
#include "engine_cta_slots.h"

#include <string.h>

enum sw_status engine_cta_slots_init(struct engine_cta_slots *cta_slots, const struct engine_job *job,
                                     uint32_t count)
{
    enum { SHARED_ALIGN = 1024 };
    const struct jit_info *info = &job->variant->info;
    size_t warps = engine_job_warps(job);
    *cta_slots = (struct engine_cta_slots){.shared_bytes = engine_job_shared(job),
                                           .frame_bytes = warps * info->frame_bytes};
    cta_slots->local_at = sw_align_up(cta_slots->shared_bytes, SHARED_ALIGN);
    cta_slots->frames_at = cta_slots->local_at + sw_align_up(warps * SW_WARP_LANES * info->local_bytes, 64);
    cta_slots->block_bytes = sw_align_up(cta_slots->frames_at + cta_slots->frame_bytes, SHARED_ALIGN);
    return engine_memory_reserve(&cta_slots->memory, cta_slots->block_bytes * count) ? SW_OK
                                                                                     : SW_OUT_OF_MEMORY;
}

void engine_cta_slots_release(struct engine_cta_slots *cta_slots)
{
    engine_memory_release(&cta_slots->memory);
}

void engine_cta_slots_use(const struct engine_cta_slots *cta_slots, struct engine_worker *worker,
                          uint32_t number, bool clear)
{
    uint8_t *memory = cta_slots->memory.base + number * cta_slots->block_bytes;
    worker->ctx.shared = memory;
    worker->ctx.local = memory + cta_slots->local_at;
    worker->ctx.frames = memory + cta_slots->frames_at;
    if (!clear) return;
    memset(worker->ctx.shared, 0, cta_slots->shared_bytes);
    memset(worker->ctx.frames, 0, cta_slots->frame_bytes);
}
