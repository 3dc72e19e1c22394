/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of blocks that are resident at the same time. */
#ifndef ENGINE_CTA_SLOTS_H
#define ENGINE_CTA_SLOTS_H

#include "engine/core/engine_job.h"

struct engine_cta_slots {
    struct engine_memory *memory;
    uint8_t *first; /* the first one's */
    bool kept;      /* an earlier launch wrote to it */
    size_t block_bytes, shared_bytes, local_at, frames_at, frame_bytes;
};
enum sw_status engine_cta_slots_init(struct engine_cta_slots *cta_slots, const struct engine_job *job,
                                     uint32_t count);
void engine_cta_slots_release(struct engine_cta_slots *cta_slots, struct engine *engine);
void engine_cta_slots_forget(struct engine *engine); /* what is kept for later launches */
/* The context's memory is that of CTA slot `number`; begins: a block does; again: where another was. */
void engine_cta_slots_use(const struct engine_cta_slots *cta_slots, struct engine_worker *worker,
                          uint32_t number, bool begins, bool again);
#endif
