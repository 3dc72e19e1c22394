/* SPDX-License-Identifier: Apache-2.0 */
/* Watched launches (EVENT_PROBE_ACCESS), for engine_watch.c (residents and turns), engine_stream.c (from
 * records to streams) and engine_lines.c (from addresses to lines). */
#ifndef ENGINE_WATCH_PRIV_H
#define ENGINE_WATCH_PRIV_H

#include "engine_priv.h"

/* ---- engine_lines.c. out: room for ENGINE_ACCESS_LINES; results: how many. See struct event_stream. */
enum {
    ENGINE_LANE_LINES = 4,                            /* of at most 64 + 128 bytes a lane */
    ENGINE_ACCESS_LINES = 32 * ENGINE_LANE_LINES + 64 /* local memory: 17 words a lane share rows */
};
uint32_t engine_span_lines(uint64_t first, uint64_t last, uint64_t *out); /* every byte from first to last */
uint32_t engine_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out);
uint32_t engine_atomic_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out);
/* Local memory: rows are lines. The same offset in all lanes; any offsets. */
uint32_t engine_row_lines(uint64_t first_row, uint32_t words, lane_mask mask, uint64_t *out);
uint32_t engine_local_lines(const uint64_t offset[32], lane_mask mask, uint32_t bytes, uint64_t first_row,
                            uint64_t *out);

/* ---- engine_stream.c */

struct engine_stream { /* of a resident warp, this turn */
    struct event_request *requests;
    uint64_t *lines;
    uint32_t request_count, request_room;
    size_t line_count, line_room;
    bool ended;
};
/* A place where a block is resident. */
struct engine_resident {
    uint64_t block;
    uint32_t sm, slot;
    bool live, fresh, used;
    uint32_t nan_payloads;         /* of struct jit_ctx */
    struct engine_stream *streams; /* one a warp */
    uint64_t first_row;            /* of its local memory in the window, as a line number */
    uint64_t rows_per_warp;
    uint32_t sample_shift;
};
void engine_stream_release(struct engine_stream *stream);
void engine_help_drain(struct jit_ctx *ctx, const uint8_t *end);
#endif
