/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM of sampled launches: L2 for what all blocks touch in one place of 64.
 *
 * Models: every 64th place of device memory (event_is_touched) with a 64th of L2's sets, asked by the blocks
 * of all multiprocessors, watched or not: what blocks share, sectors that several write in part, and lines
 * that wait to be written are as in the whole L2, only fewer. Places are numbered without gaps, so that runs
 * of lines fill the sets as they do there. Requests come in the order in which their warps made them, warps
 * of one turn side by side, those of blocks that are not watched from the turn on before which they ran.
 * Sectors that L2 lacks, and DRAM's, are 64 times those that are seen.
 *
 * Does not model: L1, which keeps requests away whose lines L2 most often holds too; local memory and
 * constants, which model_sample.c scales; multiprocessors that are ahead of others.
 *
 * Sources: sampling of a cache by its sets: Puzak, "Analysis of cache replacement algorithms", 1985; Kessler,
 * Hill, Wood, "A comparison of trace-sampling techniques for multi-megabyte caches", 1994. The error that it
 * adds: docs/accuracy.md. */
#include "model_cache_priv.h"

#include <stdlib.h>
#include <string.h>

static uint64_t packed_line(uint64_t line)
{
    enum { RUN_LINES = EVENT_PLACE_LINES * EVENT_RUN_PLACES };
    return line / RUN_LINES * EVENT_PLACE_LINES | line % EVENT_PLACE_LINES;
}

/* The launch as the small L2 sees it. */
static struct event_launch in_small(const struct event_launch *launch)
{
    struct event_launch small = *launch;
    struct event_policy *policy = &small.policy;
    policy->base = packed_line(policy->base >> EVENT_LINE_SHIFT) << EVENT_LINE_SHIFT;
    policy->bytes = (policy->bytes + EVENT_RUN_PLACES - 1) / EVENT_RUN_PLACES;
    policy->set_aside_bytes /= EVENT_RUN_PLACES;
    return small;
}

void model_touch_begin(struct model_memory *m, const struct event_launch *launch, bool cold)
{
    struct event_launch small = in_small(launch);
    struct model_touch *t = &m->touch;
    if (!t->made) {
        t->made = true;
        t->params = m->params;
        t->params.l2_bytes /= EVENT_RUN_PLACES;
        model_l2_init(&t->l2, &t->params);
    }
    free(t->sums);
    t->sums = sw_xcalloc(launch->kernel->instr_count + 1, sizeof *t->sums);
    for (uint32_t i = 0; i < MODEL_TOUCH_TURNS; i++)
        t->turns[i].count = 0;
    memset(t->parts, 0, sizeof t->parts);
    model_l2_begin(&t->l2, launch->l2_fetch_bytes, cold);
    model_policy_begin(&t->l2, &small);
}

void model_touch_release(struct model_touch *t)
{
    if (t->made) model_l2_release(&t->l2);
    for (uint32_t i = 0; i < MODEL_TOUCH_TURNS; i++)
        free(t->turns[i].touches);
    free(t->sorted.touches);
    free(t->sums);
}

size_t model_touch_bytes(const struct model_touch *t)
{
    return t->made ? model_l2_bytes(&t->l2) : 0;
}

/* ---- requests wait for their turn */

static void wait_for_turn(struct model_touch *t, const struct event_touch *touch)
{
    enum { LAST = MODEL_TOUCH_TURNS - 1 }; /* implementation */
    uint32_t later = touch->when / EVENT_TURN_REQUESTS;
    struct model_touch_turn *turn = &t->turns[(t->turn + (later < LAST ? later : LAST)) % MODEL_TOUCH_TURNS];
    if (turn->count == turn->room) {
        turn->room = 2 * turn->room + 1024;
        turn->touches = sw_xrealloc(turn->touches, turn->room * sizeof *turn->touches);
    }
    turn->touches[turn->count++] = *touch;
}

void model_memory_touched(struct model_memory *m, const struct event_touch *touches, size_t count)
{
    for (size_t i = 0; i < count; i++)
        wait_for_turn(&m->touch, &touches[i]);
}

static void wait_stream(struct model_memory *m, const struct event_stream *stream)
{
    const uint64_t *line = stream->lines;
    uint32_t made = 0;
    for (uint32_t r = 0; r < stream->request_count; r++) {
        const struct event_request *request = &stream->requests[r];
        for (uint32_t k = 0; k < request->lines; k++, line++) {
            if (!event_is_touched(event_line_number(*line) << EVENT_LINE_SHIFT)) continue;
            if (request->space != ISA_SPACE_GLOBAL) continue;
            uint32_t when = made < EVENT_TURN_REQUESTS ? made : EVENT_TURN_REQUESTS - 1;
            struct event_touch touch = {*line, when, request->instr, (uint16_t)stream->sm, request->kind};
            wait_for_turn(&m->touch, &touch);
        }
        made += request->kind != EVENT_KIND_WORK;
    }
}

/* ---- and are played */

static void play(struct model_memory *m, const struct event_touch *touch)
{
    if (model_host_has(&m->l2.host, event_line_number(touch->line))) return;
    uint64_t line = packed_line(event_line_number(touch->line));
    uint32_t mask = touch->line & MODEL_ALL_SECTORS, partition = m->sms[touch->sm].l1.partition;
    struct event_memory_sums *sums = &m->touch.sums[touch->instr];
    struct model_l2 *l2 = &m->touch.l2;
    uint64_t before = sums->dram_reads + l2->dram_writes;
    model_policy_instr(l2, touch->instr);
    switch (touch->kind) {
    case EVENT_KIND_STORE: model_l2_write(l2, partition, line, mask, model_part(touch->line), sums); break;
    case EVENT_KIND_ATOM:
    case EVENT_KIND_RED: model_l2_atomic(l2, partition, line, mask, 0, sums); break;
    default: model_l2_read(l2, partition, line, mask, 0, sums); break;
    }
    m->touch.parts[line / EVENT_PLACE_LINES % MODEL_TOUCH_PARTS] +=
        sums->dram_reads + l2->dram_writes - before;
}

enum { TOUCH_DIGIT = 256 }; /* implementation: of a radix sort */

/* Stable, by one byte of `when`. */
static void sort_by_byte(const struct event_touch *from, struct event_touch *to, size_t count, uint32_t shift)
{
    size_t first[TOUCH_DIGIT + 1] = {0};
    for (size_t i = 0; i < count; i++)
        first[(from[i].when >> shift) % TOUCH_DIGIT + 1]++;
    for (uint32_t d = 0; d < TOUCH_DIGIT; d++)
        first[d + 1] += first[d];
    for (size_t i = 0; i < count; i++)
        to[first[(from[i].when >> shift) % TOUCH_DIGIT]++] = from[i];
}

/* By the request of the warp, then as they came: byte by byte, of those that differ. */
static void sort_turn(struct model_touch *t, struct model_touch_turn *turn)
{
    uint32_t all = 0;
    for (size_t i = 0; i < turn->count; i++)
        all |= turn->touches[i].when;
    if (turn->count > t->sorted.room) {
        free(t->sorted.touches);
        t->sorted.room = turn->room;
        t->sorted.touches = sw_xmalloc(turn->room * sizeof *turn->touches);
    }
    for (uint32_t shift = 0; shift < 32 && all >> shift; shift += 8) {
        sort_by_byte(turn->touches, t->sorted.touches, turn->count, shift);
        struct event_touch *touches = turn->touches;
        size_t room = turn->room;
        turn->touches = t->sorted.touches, turn->room = t->sorted.room;
        t->sorted.touches = touches, t->sorted.room = room;
    }
}

static void play_turn(struct model_memory *m)
{
    struct model_touch *t = &m->touch;
    struct model_touch_turn *turn = &t->turns[t->turn % MODEL_TOUCH_TURNS];
    sort_turn(t, turn);
    for (size_t i = 0; i < turn->count; i++)
        play(m, &turn->touches[i]);
    turn->count = 0;
    t->turn++;
}

void model_touch_turn(struct model_memory *m, const struct event_turn *turn)
{
    for (uint32_t i = 0; i < turn->count; i++)
        wait_stream(m, &turn->streams[i]);
    play_turn(m);
}

void model_touch_end(struct model_memory *m)
{
    for (uint32_t i = 0; i < MODEL_TOUCH_TURNS; i++)
        play_turn(m);
}
