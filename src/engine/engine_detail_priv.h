/* SPDX-License-Identifier: Apache-2.0 */
/* Detailed simulation (EVENT_PROBE_ACCESS), for engine_detail.c (residents and rounds), engine_stream.c (from
 * records to requests), engine_tape.c (from requests to streams) and engine_lines.c (from addresses to
 * lines).
 */
#ifndef ENGINE_DETAIL_PRIV_H
#define ENGINE_DETAIL_PRIV_H

#include "engine_priv.h"

/* ---- engine_lines.c. out: room for ENGINE_ACCESS_LINES, as struct event_stream has them */
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

/* ---- engine_tape.c: requests of a host thread in the order in which it met them, in pieces of one warp
 * each; a warp that runs in several sweeps of its block has several. */
struct engine_piece {
    size_t first_request, first_line; /* up to the next piece's */
    uint32_t next;                    /* of the same warp; UINT32_MAX: the last */
};
struct engine_tape {
    struct event_request *requests;
    uint64_t *lines;
    struct engine_piece *pieces;
    size_t request_count, request_capacity, line_count, line_capacity;
    uint32_t piece_count, piece_capacity;
    struct engine_stream *current; /* whose piece is the last one */
};
struct engine_stream { /* of a resident warp, this round */
    const struct engine_tape *tape;
    uint32_t first, last; /* pieces */
    bool ended;
};
void engine_tape_release(struct engine_tape *tape);
void engine_tape_begin(struct engine_tape *tape);                                /* a round */
void engine_tape_switch(struct engine_tape *tape, struct engine_stream *stream); /* whose requests follow */
void engine_tape_grow(struct engine_tape *tape); /* room for one more request with any lines */
/* What a stream did. Pieces of several sweeps are put together on `joint`, which must not move: see _joint.
 */
void engine_stream_read(const struct engine_stream *stream, struct engine_tape *joint,
                        struct event_stream *out);
/* Room on `joint` for all of the pieces of these tapes. */
void engine_tape_joint(struct engine_tape *joint, const struct engine_tape *tapes, uint32_t count);

static inline uint64_t *engine_tape_lines(struct engine_tape *tape)
{
    if (tape->line_count + ENGINE_ACCESS_LINES > tape->line_capacity ||
        tape->request_count == tape->request_capacity)
        engine_tape_grow(tape);
    return tape->lines + tape->line_count;
}

/* 4-byte words of a lane that local variables of functions which stay functions have, before those of deeper
 * calls take the first ones again: CUDA's limit of the stack if a program sets none (1 KiB). */
enum { ENGINE_CALL_ROWS = 256 };

/* A CTA slot, where a block is resident. */
struct engine_resident {
    uint64_t block;
    uint32_t sm, slot;
    bool live, fresh, used;
    uint32_t nan_payloads;         /* of struct jit_ctx */
    struct engine_stream *streams; /* one a warp */
    uint64_t first_row;            /* of its local memory in the window, as a line number */
    uint64_t rows_per_warp;
    uint64_t first_call_row; /* of the stacks of its warps' calls */
    struct engine_phases {
        struct engine_phase *list;
        uint32_t count, capacity;
    } phases;            /* of its mbarriers */
    bool counts_sectors; /* by the tool's rule, packed accesses of whole warps are as many units as sectors */
};

/* ---- engine_phase.c: what warps do at mbarriers */
struct engine_phase_note {
    uint64_t lines[2]; /* as in struct event_stream */
    uint32_t count;    /* of them; 0: it is nothing */
    uint8_t kind;      /* enum event_access_kind */
};
struct engine_phase_note engine_phase_take(struct engine_phases *phases, const struct jit_record *record);

/* engine_order.c: sets sm and slot of `count` residents, those of the blocks that begin a launch, in the
 * order of the blocks; those beyond what the device holds are dealt to one multiprocessor after the other. */
void engine_order(const struct event_residency *on, struct engine_resident *residents, uint32_t count);
#endif
