/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of what a model of caches says of a launch (struct event_memory): the launch's
 * numbers, then those of each instruction that has any, by its distance from the one before. Limits: as
 * session_record.c's. */
#include "session_priv.h"

#include <string.h>

enum { SUMS_WORDS = sizeof(struct event_memory_sums) / sizeof(uint64_t) };

static void put_sums(struct str *out, const struct event_memory_sums *sums)
{
    uint64_t words[SUMS_WORDS];
    memcpy(words, sums, sizeof words);
    for (uint32_t i = 0; i < SUMS_WORDS; i++)
        session_put_varint(out, words[i]);
}

static void get_sums(struct session_cursor *cursor, struct event_memory_sums *sums)
{
    uint64_t words[SUMS_WORDS];
    for (uint32_t i = 0; i < SUMS_WORDS; i++)
        words[i] = session_get_varint(cursor);
    memcpy(sums, words, sizeof words);
}

static bool is_nothing(const struct event_memory_sums sums[EVENT_MEMORY_SPACES])
{
    static const struct event_memory_sums none[EVENT_MEMORY_SPACES];
    return memcmp(sums, none, sizeof none) == 0;
}

static void put_instrs(struct str *out, const struct event_memory *m)
{
    uint32_t before = 0, count = 0;
    for (uint32_t i = 0; i < m->instr_count; i++)
        count += !is_nothing(m->instrs[i]);
    session_put_u32(out, count);
    for (uint32_t i = 0; i < m->instr_count; i++) {
        if (is_nothing(m->instrs[i])) continue;
        session_put_varint(out, i - before);
        before = i;
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES; s++)
            put_sums(out, &m->instrs[i][s]);
    }
}

static void put_waits(struct str *out, const struct event_waits *w)
{
    session_put_varint(out, w->warps);
    session_put_varint(out, w->resident);
    session_put_varint(out, w->active);
    for (uint32_t i = 0; i < EVENT_STALL_COUNT; i++)
        session_put_varint(out, w->cycles[i]);
}

static void get_waits(struct session_cursor *cursor, struct event_waits *w)
{
    w->warps = session_get_varint(cursor);
    w->resident = session_get_varint(cursor);
    w->active = session_get_varint(cursor);
    for (uint32_t i = 0; i < EVENT_STALL_COUNT; i++)
        w->cycles[i] = session_get_varint(cursor);
}

void session_encode_memory(struct str *out, const struct event_memory *m)
{
    session_put_u32(out, m != NULL);
    if (!m) return;
    put_sums(out, &m->total);
    session_put_varint(out, m->l2_writebacks);
    session_put_varint(out, m->constant_requests);
    session_put_varint(out, m->constant_hits);
    session_put_varint(out, m->constant_group_hits);
    session_put_varint(out, m->constant_l2_reads);
    session_put_u32(out, m->sample_shift);
    session_put_u32(out, m->estimated);
    session_put_u32(out, m->confidence.l1_rate);
    session_put_u32(out, m->confidence.l2_sectors);
    session_put_u32(out, m->confidence.dram_sectors);
    session_put_u32(out, m->confidence.cycles);
    session_put_u32(out, m->l1_bytes);
    session_put_u64(out, m->l2_bytes);
    session_put_u32(out, m->cold);
    session_put_u64(out, m->cycles);
    session_put_varint(out, m->dram_even);
    session_put_varint(out, m->dram_uneven);
    put_waits(out, &m->waits);
    put_instrs(out, m);
}

static void get_instrs(struct session_cursor *cursor, uint32_t instr_count, struct event_memory *m)
{
    struct event_memory_sums(*instrs)[EVENT_MEMORY_SPACES] =
        arena_alloc(cursor->arena, (instr_count + 1) * sizeof *instrs);
    memset(instrs, 0, (instr_count + 1) * sizeof *instrs);
    uint32_t count = session_get_count(cursor, 1 + EVENT_MEMORY_SPACES * SUMS_WORDS);
    for (uint64_t i = 0; count && !cursor->bad; count--) {
        i += session_get_varint(cursor);
        if (i >= instr_count) cursor->bad = true;
        for (uint32_t s = 0; s < EVENT_MEMORY_SPACES && !cursor->bad; s++)
            get_sums(cursor, &instrs[i][s]);
    }
    m->instr_count = instr_count;
    m->instrs = (const struct event_memory_sums(*)[EVENT_MEMORY_SPACES])instrs;
}

const struct event_memory *session_decode_memory(struct session_cursor *cursor, uint32_t instr_count)
{
    if (!session_get_u32(cursor)) return NULL;
    struct event_memory *m = ARENA_NEW(cursor->arena, struct event_memory);
    get_sums(cursor, &m->total);
    m->l2_writebacks = session_get_varint(cursor);
    m->constant_requests = session_get_varint(cursor);
    m->constant_hits = session_get_varint(cursor);
    m->constant_group_hits = session_get_varint(cursor);
    m->constant_l2_reads = session_get_varint(cursor);
    m->sample_shift = session_get_u32(cursor);
    if (m->sample_shift >= 32) cursor->bad = true; /* one multiprocessor in 2^shift */
    m->estimated = session_get_u32(cursor) != 0;
    m->confidence.l1_rate = session_get_u32(cursor);
    m->confidence.l2_sectors = session_get_u32(cursor);
    m->confidence.dram_sectors = session_get_u32(cursor);
    m->confidence.cycles = session_get_u32(cursor);
    m->l1_bytes = session_get_u32(cursor);
    m->l2_bytes = session_get_u64(cursor);
    m->cold = session_get_u32(cursor) != 0;
    m->cycles = session_get_u64(cursor);
    m->dram_even = session_get_varint(cursor);
    m->dram_uneven = session_get_varint(cursor);
    get_waits(cursor, &m->waits);
    get_instrs(cursor, instr_count, m);
    return m;
}
