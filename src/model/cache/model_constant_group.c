/* SPDX-License-Identifier: Apache-2.0 */
/* Constant memory behind multiprocessors: the cache that a group of them shares, and L2.
 *
 * Models: a cache of 256-byte lines, filled as a whole, that gives one piece of 64 bytes after the other to
 * the multiprocessors of its group, at a rate. What it lacks L2 reads, from DRAM if it must.
 *
 * Does not model: parameters and instructions, which share it; how many requests it has at L2 at a time;
 * where there are no groups (merge_groups), and where no time is kept, its rate.
 *
 * Sources: 256-byte lines: Jia, Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture
 * via Microbenchmarking", 2018, table 3.1. That it is one for a GPC and holds 64 KiB: constant_walk of
 * tests/hw/memory on an H200, of which L2 reads each sector nine times (eight GPCs, and once from its other
 * part), however often the kernel does. Its rate: inferred from constants_apart of
 * tests/hw/memory/contention.def: 16 or 32 warps of a multiprocessor that all miss take 30 to 32 cycles for
 * each piece, and a group has 16 or 17 multiprocessors; a limit of each multiprocessor would look the same.
 * That lines are filled as a whole: constants_late and constants_apart there, of which a warp that goes
 * through pieces in order takes 150 to 170 cycles for each, less than from DRAM. */
#include "model/cache/model_constant.h"
#include "model/cache/model_merge.h"

#include <stdlib.h>

enum {
    PIECE = 64,        /* documented: bytes of a multiprocessor's line (Jia et al., table 3.1) */
    PIECES = 4,        /* documented: of a line of 256 bytes (the same) */
    PIECE_SECTORS = 3, /* definition: its sectors, as bits */
    WAYS = 16          /* assumed: what kernels can have fits */
};

void model_constant_tags(struct model_tags *tags, uint64_t bytes, uint64_t line_bytes, uint64_t ways)
{
    uint64_t lines = bytes / line_bytes;
    if (!ways || ways > lines) ways = 1;
    model_tags_init(tags, lines > ways ? (uint32_t)(lines / ways) : 1, (uint32_t)ways, 1, false);
}

static size_t pieces_of(const struct model_tags *tags)
{
    return (size_t)tags->sets * tags->ways * PIECES;
}

void model_constant_groups_init(struct model_constant_groups *groups, struct model_l2 *l2)
{
    uint64_t bytes = l2->params->gpu.constant_group_bytes;
    uint32_t count = model_group_count(l2->params);
    *groups = (struct model_constant_groups){.params = l2->params, .l2 = l2, .count = count, .share = 1};
    groups->list = sw_xcalloc(count, sizeof *groups->list);
    model_reservations_init(&groups->reservations, count);
    for (uint32_t i = 0; i < count; i++) {
        struct model_constant_group *g = &groups->list[i];
        model_constant_tags(&g->constants, bytes, (uint64_t)PIECE * PIECES, WAYS);
        g->comes = sw_xcalloc(pieces_of(&g->constants), sizeof *g->comes);
        model_reservation_init(&g->gives, &groups->reservations, i);
    }
}

void model_constant_groups_release(struct model_constant_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        model_tags_release(&groups->list[i].constants);
        free(groups->list[i].comes);
    }
    model_reservations_release(&groups->reservations);
    free(groups->list);
}

void model_constant_groups_clear(struct model_constant_groups *groups)
{
    model_reservations_empty(&groups->used);
    groups->counts = (struct model_constant_counts){0};
    for (uint32_t i = 0; i < groups->count; i++)
        model_tags_clear(&groups->list[i].constants);
}

size_t model_constant_groups_bytes(const struct model_constant_groups *groups)
{
    const struct model_constant_group *first = &groups->list[0];
    size_t each = sizeof *first + model_tags_bytes(&first->constants) +
                  pieces_of(&first->constants) * sizeof *first->comes;
    return groups->count * each + model_reservations_bytes(&groups->reservations);
}

/* Whether the group has asked for a piece; it has, from now on. *comes: when it is there. */
static bool has_asked(struct model_constant_group *g, uint64_t piece, model_time **comes)
{
    struct model_tags *tags = &g->constants;
    uint64_t line = piece / PIECES, set = line % tags->sets;
    struct model_tag_ref at = model_tags_find(tags, line, (uint32_t)set);
    if (!at.set) {
        at = model_tags_victim(tags, (uint32_t)set);
        model_tags_take(tags, at, line);
    }
    uint8_t *valid = model_valid(tags, at), bit = (uint8_t)(1u << piece % PIECES);
    bool has = *valid & bit;
    *valid |= bit;
    *comes = &g->comes[(set * tags->ways + at.way) * PIECES + piece % PIECES];
    return has;
}

/* When L2 has given a piece. */
static model_time ask_l2(struct model_constants *c, uint64_t piece, model_time now,
                         struct event_memory_sums *sums)
{
    struct model_constant_groups *groups = c->groups;
    struct event_memory_sums own = {0};
    model_time latency =
        model_l2_read(groups->l2, c->partition, piece / 2, PIECE_SECTORS << piece % 2 * 2, now, &own);
    sums->dram_reads += own.dram_reads;
    groups->counts.l2_reads += own.l2_reads + own.l2_fabric_reads;
    return now + latency;
}

/* When the group has given a piece, but for its latency: of a sampled launch it gives as many to those that
 * are not simulated in detail. */
static model_time constant_group_give(struct model_constant_groups *groups, struct model_constant_group *g,
                                      model_time now)
{
    enum { MILLI = 10 }; /* definition: of a hundredth */
    uint64_t work =
        (uint64_t)((double)(groups->params->gpu.constant_group_centicycles * MILLI) / groups->share);
    if (!groups->l2->timed || !groups->params->gpu.merge_groups) return now;
    return model_reservation_claim(&groups->used, &g->gives, now, work);
}

model_time model_group_load(struct model_constants *c, uint64_t piece, model_time now,
                            struct event_memory_sums *sums)
{
    struct model_constant_groups *groups = c->groups;
    struct model_constant_group *g = &groups->list[c->group];
    model_time *comes, given = constant_group_give(groups, g, now);
    if (has_asked(g, piece, &comes))
        groups->counts.group_hits++;
    else
        *comes = ask_l2(c, piece, given, sums);
    model_time when =
        (*comes > given ? *comes : given) + groups->params->gpu.constant_group_cycles * MODEL_TICK;
    for (uint64_t next = piece / PIECES * PIECES, end = next + PIECES; next < end; next++)
        if (!has_asked(g, next, &comes)) *comes = ask_l2(c, next, given, sums);
    return when;
}
