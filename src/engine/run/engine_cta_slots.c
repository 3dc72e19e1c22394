/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: memory of CTA slots, in which blocks are resident at the same time: shared, local and frames of
 * each. Method: one mapping, a stride a block; pages appear when they are touched. A mapping that is not too
 * large is left to the next launch: to clear it takes a tenth of what new pages do. The CTA slots lie at its
 * end, so that what comes behind the last one is never mapped. Limits: one mapping is kept, of CTA_SLOTS_KEPT
 * bytes at most. */
#include "engine_cta_slots.h"

#include <string.h>

enum { CTA_SLOTS_KEPT = 64 << 20, PAGE = 4096 };

static void memory_free(struct engine_memory *memory)
{
    if (memory) engine_memory_release(memory);
    free(memory);
}

/* The kept mapping, if it is large enough. */
static bool cta_slots_map(struct engine_cta_slots *cta_slots, struct engine *engine, size_t bytes)
{
    bytes = sw_align_up(bytes ? bytes : 1, PAGE);
    cta_slots->memory = atomic_exchange(&engine->spare_cta_slots, NULL);
    if (!cta_slots->memory) cta_slots->memory = sw_xcalloc(1, sizeof *cta_slots->memory);
    const uint8_t *before = cta_slots->memory->base;
    if (!engine_memory_reserve_window(cta_slots->memory, bytes)) return false;
    cta_slots->kept = before && cta_slots->memory->base == before;
    cta_slots->first = cta_slots->memory->base + cta_slots->memory->bytes - bytes;
    return true;
}

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
    return cta_slots_map(cta_slots, job->engine, cta_slots->block_bytes * count) ? SW_OK : SW_OUT_OF_MEMORY;
}

void engine_cta_slots_release(struct engine_cta_slots *cta_slots, struct engine *engine)
{
    struct engine_memory *memory = cta_slots->memory;
    cta_slots->memory = NULL;
    if (memory && memory->base && memory->bytes <= CTA_SLOTS_KEPT)
        memory = atomic_exchange(&engine->spare_cta_slots, memory);
    memory_free(memory);
}

void engine_cta_slots_forget(struct engine *engine)
{
    memory_free(atomic_exchange(&engine->spare_cta_slots, NULL));
}

/* Local memory is cleared for the first block of a launch alone: as a program finds it that reads what it
 * never wrote. */
void engine_cta_slots_use(const struct engine_cta_slots *cta_slots, struct engine_worker *worker,
                          uint32_t number, bool begins, bool again)
{
    uint8_t *memory = cta_slots->first + number * cta_slots->block_bytes;
    worker->ctx.shared = memory;
    worker->ctx.local = memory + cta_slots->local_at;
    worker->ctx.frames = memory + cta_slots->frames_at;
    if (!begins || (!again && !cta_slots->kept)) return;
    memset(worker->ctx.shared, 0, cta_slots->shared_bytes);
    if (!again) memset(worker->ctx.local, 0, cta_slots->frames_at - cta_slots->local_at);
    memset(worker->ctx.frames, 0, cta_slots->frame_bytes);
}
