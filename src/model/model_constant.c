/* SPDX-License-Identifier: Apache-2.0 */
/* Constant memory: a small cache in each multiprocessor, one for a group of them, L2.
 *
 * Models: a multiprocessor's cache of 64-byte lines; the group's, of 256-byte lines that are filled 64 bytes
 * at a time; what neither has, L2 reads from DRAM. A line that is on its way counts as not found, but by a
 * warp that waits for something later already. One piece of 64 bytes is served at a time. Requests
 * that find their piece missing or on its way are served in order: those that want the same one after the
 * other, and only then is another piece asked for.
 *
 * Does not model: that constants at addresses which are known when a warp issues have a cache of their own
 * beside that of indexed ones, perhaps one for each scheduler; that a miss may hold requests that find what
 * they want; parameters and instructions, which share the group's cache.
 *
 * Sources: 2 KiB of 64-byte lines, 4 ways, behind it 256-byte lines: Jia, Maggioni, Staiger, Scarpazza,
 * "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, table 3.1 (Kepler to Volta are
 * alike). That the cache behind it is one for a GPC and holds 64 KiB: constant_walk of tests/hw/memory on an
 * H200, of which L2 reads each sector nine times (eight GPCs, and once from its other part), however often
 * the kernel does. Cycles: constant_walk, constant_chain and nearest on an H200, of
 * which a step that misses takes 113 cycles more where 16 warps of a multiprocessor go together, 230 where 64
 * do. Were other pieces asked for meanwhile, constant_chain would take 38 % less than it does. */
#include "model_cache_priv.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 64, PIECES = 4, PIECE_SECTORS = 3 };

static void tags_init(struct model_tags *tags, uint64_t bytes, uint64_t line_bytes, uint64_t ways)
{
    uint64_t lines = bytes / line_bytes;
    if (!ways || ways > lines) ways = 1;
    model_tags_init(tags, lines > ways ? (uint32_t)(lines / ways) : 1, (uint32_t)ways, 1, false);
}

void model_constants_init(struct model_constants *constants, const struct model_params *params)
{
    struct model_tags *tags = &constants->tags;
    tags_init(tags, params->gpu.constant_bytes, PIECE, params->gpu.constant_ways);
    constants->comes = sw_xcalloc((size_t)tags->sets * tags->ways, sizeof *constants->comes);
}

void model_constants_release(struct model_constants *constants)
{
    model_tags_release(&constants->tags);
    free(constants->comes);
}

void model_constants_clear(struct model_constants *constants)
{
    model_tags_clear(&constants->tags);
    constants->free = 0;
}

size_t model_constants_bytes(const struct model_constants *constants)
{
    const struct model_tags *tags = &constants->tags;
    return model_tags_bytes(tags) + (size_t)tags->sets * tags->ways * sizeof *constants->comes;
}

/* ---- groups */

static uint32_t group_count(const struct model_memory *m)
{
    return m->params.gpu.merge_groups ? (uint32_t)m->params.gpu.merge_groups : 1;
}

/* Zeroes, at a line of the host's cache. */
static void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(MODEL_HOST_LINE, bytes);
    if (!memory) BUG("out of memory: %zu bytes", bytes);
    return memset(memory, 0, bytes);
}

void model_groups_new(struct model_memory *m)
{
    enum { WAYS = 16 }; /* a guess: what a kernel can have of constants fits, however it lies */
    m->groups = aligned(group_count(m) * sizeof *m->groups);
    for (uint32_t i = 0; i < group_count(m); i++)
        tags_init(&m->groups[i].constants, m->params.gpu.constant_group_bytes, (uint64_t)PIECE * PIECES,
                  WAYS);
}

void model_groups_delete(struct model_memory *m)
{
    for (uint32_t i = 0; i < group_count(m); i++)
        model_tags_release(&m->groups[i].constants);
    free(m->groups);
}

void model_groups_clear(struct model_memory *m)
{
    for (uint32_t i = 0; i < group_count(m); i++) {
        memset(m->groups[i].flights, 0, sizeof m->groups[i].flights);
        model_tags_clear(&m->groups[i].constants);
    }
}

size_t model_groups_bytes(const struct model_memory *m)
{
    return group_count(m) * (sizeof *m->groups + model_tags_bytes(&m->groups[0].constants));
}

/* ---- loads */

static struct model_place place_of(struct model_tags *tags, uint64_t line, bool *found)
{
    uint32_t set = (uint32_t)(line % tags->sets);
    struct model_place at = model_tags_find(tags, line, set);
    *found = at.set != NULL;
    if (*found) return at;
    at = model_tags_victim(tags, set);
    model_tags_take(tags, at, line);
    return at;
}

/* A piece that the multiprocessor lacks; returns ticks until it is there. */
static model_time ask_group(struct model_memory *m, const struct model_sm *sm, uint64_t piece, model_time now,
                            struct event_memory_sums *sums)
{
    struct model_tags *tags = &m->groups[sm->l1.group].constants;
    bool found;
    struct model_place at = place_of(tags, piece / PIECES, &found);
    uint8_t *valid = model_valid(tags, at);
    uint32_t bit = 1u << piece % PIECES;
    model_time latency = m->params.gpu.constant_group_cycles * MODEL_TICK;
    if (*valid & bit) {
        m->result.constant_group_hits++;
        return latency;
    }
    struct event_memory_sums own = {0};
    *valid |= (uint8_t)bit;
    latency += model_l2_read(&m->l2, sm->l1.partition, piece / 2, PIECE_SECTORS << piece % 2 * 2, now, &own);
    sums->dram_reads += own.dram_reads;
    m->result.constant_l2_reads += own.l2_reads + own.l2_fabric_reads;
    return latency;
}

static model_time later(model_time a, model_time b)
{
    return a > b ? a : b;
}

/* When a piece that is there at `comes` was given to one who waits for it. */
static model_time serve(const struct model_memory *m, struct model_constants *c, model_time comes)
{
    enum { CENTI = 100 };
    c->free = later(c->free, comes) + m->params.gpu.constant_wait_centicycles * MODEL_TICK / CENTI;
    return c->free;
}

static model_time load_piece(struct model_memory *m, struct model_sm *sm, uint64_t piece, model_time waits,
                             model_time now, struct event_memory_sums *sums)
{
    struct model_constants *c = &sm->constants;
    bool found;
    struct model_place at = place_of(&c->tags, piece, &found);
    model_time *comes = &c->comes[piece % c->tags.sets * c->tags.ways + at.way],
               least = m->params.gpu.constant_cycles * MODEL_TICK;
    m->result.constant_requests++;
    if (!found) {
        model_time begin = later(now, c->free);
        *comes = begin + ask_group(m, sm, piece, begin, sums);
    }
    bool there = *comes <= now || *comes <= waits;
    if (found && there) m->result.constant_hits++;
    if (found && !there) m->result.constant_group_hits++; /* with what another warp asked for */
    return *comes > now ? later(serve(m, c, *comes), now + least) - now : least;
}

model_time model_constant_load(struct model_memory *m, struct model_sm *sm, const uint64_t *lines,
                               uint32_t count, model_time waits, model_time now,
                               struct event_memory_sums *sums)
{
    model_time begin = now, end = now;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t half = 0; half < 2; half++) {
            if (!(lines[i] >> 2 * half & PIECE_SECTORS)) continue;
            model_time there =
                now + load_piece(m, sm, event_line_number(lines[i]) * 2 + half, waits, now, sums);
            if (there > end) end = there;
            now += MODEL_TICK;
        }
    return end - begin;
}

/* ---- samples */

void model_constants_scale(struct model_memory *m, double blocks)
{
    struct event_memory *r = &m->result;
    uint64_t missed = r->constant_requests - r->constant_hits - r->constant_group_hits;
    uint32_t seen = 0, count = group_count(m);
    for (uint32_t group = 0; group < count; group++) {
        bool any = false;
        for (uint32_t sm = 0; sm < m->sm_room; sm++)
            any |= m->sms[sm].used && m->sms[sm].l1.group == group;
        seen += any;
    }
    if (!seen) return;
    r->constant_requests = (uint64_t)((double)r->constant_requests * blocks + 0.5);
    r->constant_hits = (uint64_t)((double)r->constant_hits * blocks + 0.5);
    r->constant_l2_reads = r->constant_l2_reads * count / seen;
    missed = missed * count / seen;
    uint64_t beyond = r->constant_requests - r->constant_hits;
    r->constant_group_hits = beyond > missed ? beyond - missed : 0;
}
