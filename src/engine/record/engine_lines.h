/* SPDX-License-Identifier: Apache-2.0 */
/* From the addresses of an access to lines and sectors. out: room for ENGINE_ACCESS_LINES, as
 * struct event_stream has them. */
#ifndef ENGINE_LINES_H
#define ENGINE_LINES_H

#include "base/base.h"

enum {
    ENGINE_LANE_LINES = 4,                            /* of at most 64 + 128 bytes a lane */
    ENGINE_ACCESS_LINES = 32 * ENGINE_LANE_LINES + 64 /* local memory: 17 words a lane share rows */
};
struct engine_line_set {
    uint32_t lines, sectors; /* written to out; bits set in them */
};
struct engine_line_set engine_span_lines(uint64_t first, uint64_t last, uint64_t *out); /* every byte of it */
struct engine_line_set engine_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *out);
/* Lane l at base + l * stride. */
struct engine_line_set engine_progression_lines(uint64_t base, int64_t stride, lane_mask mask, uint32_t bytes,
                                                uint64_t *out);
/* *distinct: sectors without repetition */
struct engine_line_set engine_atomic_lines(const uint64_t addr[32], lane_mask mask, uint32_t bytes,
                                           uint64_t *out, uint32_t *distinct);
/* Which sectors a store writes in part: sets their bits from EVENT_LINE_PARTIAL on in the lines that
 * engine_lines or engine_progression_lines gave. */
void engine_partial(const uint64_t addr[32], lane_mask mask, uint32_t bytes, uint64_t *lines,
                    struct engine_line_set line_set);
void engine_progression_partial(uint64_t base, int64_t stride, lane_mask mask, uint32_t bytes,
                                uint64_t *lines, struct engine_line_set line_set);
/* Of local memory: groups of lanes of which not all take part. */
void engine_local_partial(lane_mask mask, uint32_t bytes, uint64_t *lines, uint32_t count);
/* Local memory: rows are lines. The same offset in all lanes; any offsets. */
struct engine_line_set engine_row_lines(uint64_t first_row, uint32_t words, lane_mask mask, uint64_t *out);
struct engine_line_set engine_local_lines(const uint64_t offset[32], lane_mask mask, uint32_t bytes,
                                          uint64_t first_row, uint64_t *out);
uint32_t engine_lane_groups(lane_mask mask); /* groups of 8 lanes that have one in the mask, by bit */
#endif
