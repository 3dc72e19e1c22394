/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: requests of simulated warps, from the order in which a host thread met them to a stream a warp.
 * Method: one array of requests and one of lines for each host thread, so that a round is written and read in
 * order; where a warp begins a piece is noted. Nearly all warps have one piece, which is given to the tool in
 * place. Limits: none known. */
#include "engine_tape.h"

#include <string.h>

#define NO_PIECE UINT32_MAX

void engine_tape_release(struct engine_tape *tape)
{
    free(tape->requests);
    free(tape->lines);
    free(tape->pieces);
    *tape = (struct engine_tape){0};
}

void engine_tape_free(struct engine_tape *tape)
{
    if (tape) engine_tape_release(tape);
    free(tape);
}

struct engine_tapes *engine_tapes_new(struct engine_tapes *kept, uint32_t count)
{
    struct engine_tapes *tapes = kept ? kept : sw_xcalloc(1, sizeof *tapes);
    if (tapes->count >= count) return tapes;
    tapes->list = sw_xrealloc(tapes->list, count * sizeof *tapes->list);
    memset(tapes->list + tapes->count, 0, (count - tapes->count) * sizeof *tapes->list);
    tapes->count = count;
    return tapes;
}

void engine_tapes_free(struct engine_tapes *tapes)
{
    if (!tapes) return;
    for (uint32_t t = 0; t < tapes->count; t++)
        engine_tape_release(&tapes->list[t]);
    engine_tape_release(&tapes->joint);
    free(tapes->list);
    free(tapes);
}

static size_t tape_bytes(const struct engine_tape *tape)
{
    return tape->request_capacity * sizeof *tape->requests + tape->line_capacity * sizeof *tape->lines +
           tape->piece_capacity * sizeof *tape->pieces;
}

size_t engine_tapes_bytes(const struct engine_tapes *tapes)
{
    size_t bytes = tape_bytes(&tapes->joint);
    for (uint32_t t = 0; t < tapes->count; t++)
        bytes += tape_bytes(&tapes->list[t]);
    return bytes;
}

void engine_tape_begin(struct engine_tape *tape)
{
    tape->request_count = tape->line_count = 0;
    tape->piece_count = 0;
    tape->current = NULL;
}

static void tape_reserve(struct engine_tape *tape, size_t requests, size_t lines)
{
    if (requests > tape->request_capacity) {
        tape->request_capacity = requests;
        tape->requests = sw_xrealloc(tape->requests, requests * sizeof *tape->requests);
    }
    if (lines > tape->line_capacity) {
        tape->line_capacity = lines;
        tape->lines = sw_xrealloc(tape->lines, lines * sizeof *tape->lines);
    }
}

void engine_tape_grow(struct engine_tape *tape)
{
    enum { FIRST = 4096 };
    size_t requests = tape->request_capacity, lines = tape->line_capacity;
    if (tape->request_count == requests) requests = 2 * requests + FIRST;
    if (tape->line_count + ENGINE_ACCESS_LINES > lines) lines = 2 * lines + FIRST;
    tape_reserve(tape, requests, lines);
}

void engine_tape_switch(struct engine_tape *tape, struct engine_stream *stream)
{
    if (tape->piece_count == tape->piece_capacity) {
        tape->piece_capacity = 2 * tape->piece_capacity + 256;
        tape->pieces = sw_xrealloc(tape->pieces, tape->piece_capacity * sizeof *tape->pieces);
    }
    uint32_t number = tape->piece_count++;
    tape->pieces[number] = (struct engine_piece){tape->request_count, tape->line_count, NO_PIECE};
    if (stream->tape)
        tape->pieces[stream->last].next = number;
    else
        stream->first = number;
    stream->tape = tape;
    stream->last = number;
    tape->current = stream;
}

struct extent {
    size_t requests, lines;
};

static struct extent extent_of(const struct engine_tape *tape, uint32_t piece)
{
    const struct engine_piece *p = &tape->pieces[piece], *end = p + 1;
    bool last = piece + 1 == tape->piece_count;
    return (struct extent){(last ? tape->request_count : end->first_request) - p->first_request,
                           (last ? tape->line_count : end->first_line) - p->first_line};
}

void engine_tape_joint(struct engine_tape *joint, const struct engine_tape *tapes, uint32_t count)
{
    size_t requests = 0, lines = 0;
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t i = 0; i < tapes[t].piece_count; i++) {
            const struct engine_piece *p = &tapes[t].pieces[i];
            if (p->next == NO_PIECE) continue; /* one of several pieces: its stream's others follow */
            requests = tapes[t].request_count + requests;
            lines = tapes[t].line_count + lines;
            break;
        }
    engine_tape_begin(joint);
    tape_reserve(joint, requests, lines);
}

static void tape_append(struct engine_tape *joint, const struct engine_tape *tape, uint32_t piece)
{
    struct extent extent = extent_of(tape, piece);
    const struct engine_piece *p = &tape->pieces[piece];
    if (extent.requests)
        memcpy(joint->requests + joint->request_count, tape->requests + p->first_request,
               extent.requests * sizeof *joint->requests);
    if (extent.lines)
        memcpy(joint->lines + joint->line_count, tape->lines + p->first_line,
               extent.lines * sizeof *joint->lines);
    joint->request_count += extent.requests;
    joint->line_count += extent.lines;
}

void engine_stream_read(const struct engine_stream *stream, struct engine_tape *joint,
                        struct event_stream *out)
{
    const struct engine_tape *tape = stream->tape;
    const struct engine_piece *first = &tape->pieces[stream->first];
    if (stream->first == stream->last) {
        out->requests = tape->requests + first->first_request;
        out->lines = tape->lines + first->first_line;
        out->request_count = (uint32_t)extent_of(tape, stream->first).requests;
        return;
    }
    size_t before = joint->request_count;
    out->requests = joint->requests + before;
    out->lines = joint->lines + joint->line_count;
    for (uint32_t piece = stream->first; piece != NO_PIECE; piece = tape->pieces[piece].next)
        tape_append(joint, tape, piece);
    out->request_count = (uint32_t)(joint->request_count - before);
}
