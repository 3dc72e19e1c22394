/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of requests that are written by hand, replayed by the memory model. */
#ifndef MODEL_LAUNCH_H
#define MODEL_LAUNCH_H

#include "event_code.h"
#include "frozen_gpu.h"

#include "model/sm/model_memory.h"

#include <stdlib.h>

enum { WARP_REQUESTS = 64, TICK = 16 /* parts of a cycle, in which warps work */ };
struct warp {
    uint32_t count, line_count;
    struct event_request requests[WARP_REQUESTS];
    uint64_t lines[WARP_REQUESTS];
};

/* Of a warp that does nothing before or after a request. */
static const struct model_interval NO_INTERVAL = {.chain = MODEL_NO_CHAIN, .fresh = MODEL_NO_CHAIN};

static inline void model_steps_clear(struct model_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        steps[i] = (struct model_step){.before = NO_INTERVAL, .after = NO_INTERVAL};
}

static inline struct model_memory *model_memory_of(const struct arch_gpu *gpu)
{
    return model_memory_new(gpu, arch_cc_find(gpu->cc_major, gpu->cc_minor));
}

/* On all multiprocessors, one block on each. */
static inline struct event_residency model_residency(const struct arch_gpu *gpu, uint32_t warps,
                                                     uint32_t l1_bytes)
{
    return (struct event_residency){.sm_count = (uint32_t)gpu->sm_count,
                                    .blocks_per_sm = 1,
                                    .warps_per_block = warps,
                                    .l1_bytes = l1_bytes};
}

/* Of a line of global memory, unless the caller changes what it returns. */
static inline struct event_request *warp_request(struct warp *w, uint32_t instr, uint8_t kind, uint64_t line,
                                                 uint32_t mask)
{
    struct event_request *request = &w->requests[w->count++];
    *request = (struct event_request){.instr = instr, .lines = 1, .kind = kind, .space = ISA_SPACE_GLOBAL};
    w->lines[w->line_count++] = line << EVENT_LINE_SECTORS | mask;
    return request;
}

static inline void warp_works(struct warp *w, uint32_t cycles)
{
    w->requests[w->count++] = (struct event_request){.instr = cycles * TICK, .kind = EVENT_KIND_WORK};
}

/* All requests of the only warp of a block. */
static inline struct event_stream warp_stream(const struct warp *w, uint64_t block, uint32_t sm)
{
    return (struct event_stream){.block = block,
                                 .sm = sm,
                                 .request_count = w->count,
                                 .requests = w->requests,
                                 .lines = w->lines,
                                 .ended = true};
}

/* A launch of one round, with cold caches; shift: of the sample. */
static inline const struct event_memory *model_launch(struct model_memory *memory,
                                                      const struct event_launch *launch,
                                                      const struct event_residency *residency, uint32_t shift,
                                                      const struct event_stream *streams,
                                                      uint32_t stream_count, const struct model_costs *costs)
{
    struct event_round round = {.count = stream_count, .streams = streams};
    model_memory_launch_begin(memory, launch, residency, shift, true);
    model_memory_round(memory, &round, costs);
    return model_memory_launch_end(memory, launch);
}
#endif
