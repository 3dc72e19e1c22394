/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of a host thread in the order in which it met them, in pieces of one warp each; a warp that runs
 * in several sweeps of its block has several. */
#ifndef ENGINE_TAPE_H
#define ENGINE_TAPE_H

#include "engine_lines.h"
#include "event/event_request.h"

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
struct engine_tapes { /* of a launch's host threads */
    struct engine_tape *list;
    uint32_t count;
    struct engine_tape joint; /* see _joint */
};
void engine_tape_release(struct engine_tape *tape);
/* At least `count` tapes: those of `kept` (NULL: none) with their memory, and new ones. */
struct engine_tapes *engine_tapes_new(struct engine_tapes *kept, uint32_t count);
void engine_tapes_free(struct engine_tapes *tapes); /* NULL: nothing */
size_t engine_tapes_bytes(const struct engine_tapes *tapes);
void engine_tape_free(struct engine_tape *tape);                                 /* NULL: nothing */
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
#endif
