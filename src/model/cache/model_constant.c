/* SPDX-License-Identifier: Apache-2.0 */
/* Constant memory in a multiprocessor; model_constant_group.c has what lies behind.
 *
 * Models: loads at addresses that lanes have find pieces of 64 bytes in a cache of the multiprocessor, in
 * which a piece takes its place when it comes, one address after the other. Loads at addresses that a warp's
 * lanes have in common by their code (sass_uniform.c) go another way: each scheduler holds a few
 * pieces for them, which are replaced when others are asked for; the oldest goes first. So warps of
 * a scheduler that are not in step drive out what the others have hardly used. A piece that is on its way
 * counts as not found, but by a warp that waits for something later already.
 *
 * Does not model: where no time is kept, addresses that lanes have in common by their code; that a load which
 * misses may hold others that find what they want; parameters and instructions, which share the caches.
 *
 * Sources: 2 KiB of 64-byte lines, 4 ways: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta
 * GPU Architecture via Microbenchmarking", 2018, table 3.1 (Kepler to Volta are alike), and constants_apart
 * of tests/hw/memory/contention.def: 16 or 32 warps in lines of one set miss with 27 % of their loads, as
 * long as a piece stays when others come at the rate of the group. Two ways: idc__requests of an H200 has no
 * loads in uniform registers, and they wait for imc_miss. How many pieces: inferred from constants_late
 * there. 64 warps that are out of step and read each piece 16 times miss about each second time, and 16
 * warps, four of a scheduler, that begin some steps one after the other never come together: with six pieces
 * they would. */
#include "model/cache/model_constant.h"

#include <string.h>

/* documented: bytes of a line (Jia et al., table 3.1); definition: its sectors, as bits */
enum { PIECE = 64, PIECE_SECTORS = 3 };

void model_constants_init(struct model_constants *constants, struct model_constant_groups *groups)
{
    const struct arch_cache *gpu = &groups->params->gpu;
    *constants = (struct model_constants){.groups = groups};
    model_constant_tags(&constants->tags, gpu->constant_bytes, PIECE, gpu->constant_ways);
}

void model_constants_release(struct model_constants *constants)
{
    model_tags_release(&constants->tags);
}

void model_constants_clear(struct model_constants *constants)
{
    model_tags_clear(&constants->tags);
    constants->count = 0;
    memset(constants->near, 0, sizeof constants->near);
}

size_t model_constants_bytes(const struct model_constants *constants)
{
    return model_tags_bytes(&constants->tags);
}

/* ---- loads */

/* A piece, whose data came, goes into the cache in the place of the set's that was not used for longest. */
static void constant_keep(struct model_tags *tags, uint64_t piece)
{
    uint32_t set = (uint32_t)(piece % tags->sets);
    model_tags_take(tags, model_tags_victim(tags, set), piece);
}

/* What came until now, in the order in which it did. */
static void constant_settle(struct model_constants *c, model_time now)
{
    while (c->count && c->coming[0].when <= now) {
        constant_keep(&c->tags, c->coming[0].piece);
        memmove(c->coming, c->coming + 1, --c->count * sizeof *c->coming);
    }
}

static void await(struct model_constants *c, uint64_t piece, model_time when)
{
    if (c->count == MODEL_CONSTANTS_COMING) constant_settle(c, c->coming[0].when);
    uint32_t i = c->count++;
    for (; i > 0 && c->coming[i - 1].when > when; i--)
        c->coming[i] = c->coming[i - 1];
    c->coming[i].piece = piece;
    c->coming[i].when = when;
}

/* When a piece is there for loads at addresses that lanes have. */
static model_time load_indexed(struct model_constants *c, uint64_t piece, model_time now,
                               struct event_memory_sums *sums)
{
    constant_settle(c, now);
    if (model_tags_find(&c->tags, piece, (uint32_t)(piece % c->tags.sets)).set) return now;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->coming[i].piece == piece) {
            c->groups->counts.group_hits++; /* with what another warp asked for */
            return c->coming[i].when;
        }
    model_time when = model_group_load(c, piece, now, sums);
    await(c, piece, when);
    return when;
}

/* The same for addresses that are known when a warp issues. A piece that is asked for has its place at once:
 * while all are on their way, others wait for the first of them. */
static model_time load_uniform(struct model_constants *c, struct model_near *near, uint64_t piece,
                               model_time now, struct event_memory_sums *sums)
{
    enum { TIME_REVERSAL = 256 * MODEL_TICK }; /* assumed: a warp so far behind is of another launch's time */
    uint32_t count = (uint32_t)c->groups->params->gpu.constant_near_pieces;
    if (count > MODEL_NEAR_PIECES) count = MODEL_NEAR_PIECES;
    if (now + TIME_REVERSAL < near->seen) memset(near, 0, sizeof *near);
    near->seen = now;
    for (uint32_t i = 0; i < count; i++)
        if (near->pieces[i].number == piece + 1) {
            if (near->pieces[i].when > now) c->groups->counts.group_hits++;
            return model_later(near->pieces[i].when, now);
        }
    struct model_near_piece *entry = &near->pieces[near->next++ % count];
    entry->when = model_group_load(c, piece, model_later(now, entry->when), sums);
    entry->number = piece + 1;
    return entry->when;
}

static model_time load_piece(struct model_constants *c, uint64_t piece, struct model_near *near,
                             model_time waits, model_time now, struct event_memory_sums *sums)
{
    const struct arch_cache *p = &c->groups->params->gpu;
    struct model_constant_counts *counts = &c->groups->counts;
    uint64_t beyond = counts->group_hits;
    model_time least = (near ? p->constant_near_cycles : p->constant_cycles) * MODEL_TICK;
    model_time there = near ? load_uniform(c, near, piece, now, sums) : load_indexed(c, piece, now, sums);
    counts->requests++;
    if (there <= now || (there <= waits && counts->group_hits > beyond)) {
        counts->hits++;
        counts->group_hits = beyond;
    }
    return there - now + least;
}

/* Lanes' addresses go one after the other, with the multiprocessor's other memory instructions. */
static model_time take_addresses(struct model_constants *c, uint64_t line, model_time now)
{
    enum { MILLI = 10 }; /* definition: in a hundredth */
    if (!c->groups->l2->timed) return now;
    uint64_t each = c->groups->params->gpu.constant_address_centicycles * MILLI;
    return model_reservation_claim(c->used, c->lsu, now, ((line >> EVENT_LINE_WORDS) + 1) * each);
}

model_time model_constant_load(struct model_constants *c, const uint64_t *lines, uint32_t count,
                               const struct model_constant_load *how, model_time now,
                               struct event_memory_sums *sums)
{
    bool is_near = how->uniform && c->groups->params->gpu.constant_near_pieces;
    struct model_near *near = is_near ? &c->near[how->scheduler % MODEL_SCHEDULERS] : NULL;
    model_time begin = now, end = near ? now : take_addresses(c, lines[0], now);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t half = 0; half < 2; half++) {
            if (!(lines[i] >> 2 * half & PIECE_SECTORS)) continue;
            uint64_t piece = event_line_number(lines[i]) * 2 + half;
            end = model_later(end, now + load_piece(c, piece, near, how->waits, now, sums));
            now += MODEL_TICK;
        }
    return end - begin;
}
