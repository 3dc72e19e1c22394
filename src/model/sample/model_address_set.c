/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM of sampled launches: L2 for the accesses of all blocks to one address set of 64.
 *
 * Models: every 64th granule of device memory (event_in_address_set) with a 64th of L2's sets, asked by the
 * blocks of all multiprocessors, simulated in detail or not: what blocks share, sectors that several write in
 * part, and lines that wait to be written are as in the whole L2, only fewer. Granules are numbered without
 * gaps, so that runs of lines fill the sets as they do there. Requests come in the order in which their warps
 * made them, warps of one round side by side, those of blocks that are not simulated in detail from the round
 * on before which they ran. Sectors that L2 lacks, and DRAM's, are 64 times those that are seen.
 *
 * Does not model: L1, which keeps requests away whose lines L2 most often holds too; local memory and
 * constants, which model_sample_scale.c scales; multiprocessors that are ahead of others.
 *
 * Sources: sampling of a cache by its sets: Puzak, "Analysis of cache replacement algorithms", 1985; Kessler,
 * Hill, Wood, "A comparison of trace-sampling techniques for multi-megabyte caches", 1994. The error that it
 * adds: docs/accuracy.md. */
#include "model/sample/model_sample.h"

#include <stdlib.h>
#include <string.h>

static uint64_t packed_line(uint64_t line)
{
    enum { RUN_LINES = EVENT_GRANULE_LINES * EVENT_RUN_GRANULES };
    return line / RUN_LINES * EVENT_GRANULE_LINES | line % EVENT_GRANULE_LINES;
}

/* The launch as the small L2 sees it. */
static struct event_launch in_small(const struct event_launch *launch)
{
    struct event_launch small = *launch;
    struct event_policy *policy = &small.policy;
    policy->base = packed_line(policy->base >> EVENT_LINE_SHIFT) << EVENT_LINE_SHIFT;
    policy->bytes = (policy->bytes + EVENT_RUN_GRANULES - 1) / EVENT_RUN_GRANULES;
    policy->set_aside_bytes /= EVENT_RUN_GRANULES;
    return small;
}

void model_address_set_begin(struct model_address_set *t, const struct model_l2 *whole,
                             const struct event_launch *launch, bool cold)
{
    struct event_launch small = in_small(launch);
    t->whole = whole;
    if (!t->made) {
        t->made = true;
        t->params = *whole->params;
        t->params.l2_bytes /= EVENT_RUN_GRANULES;
        model_l2_init(&t->l2, &t->params);
    }
    free(t->sums);
    t->sums = sw_xcalloc(launch->kernel->instr_count + 1, sizeof *t->sums);
    for (uint32_t i = 0; i < MODEL_ADDRESS_SET_ROUNDS; i++)
        t->rounds[i].count = 0;
    memset(t->parts, 0, sizeof t->parts);
    model_l2_begin(&t->l2, launch->l2_fetch_bytes, cold);
    model_policy_begin(&t->l2, &small);
}

void model_address_set_release(struct model_address_set *t)
{
    if (t->made) model_l2_release(&t->l2);
    for (uint32_t i = 0; i < MODEL_ADDRESS_SET_ROUNDS; i++)
        free(t->rounds[i].accesses);
    free(t->sorted.accesses);
    free(t->sums);
}

size_t model_address_set_bytes(const struct model_address_set *t)
{
    return t->made ? model_l2_bytes(&t->l2) : 0;
}

/* ---- requests wait for their round */

void model_address_set_wait(struct model_address_set *t, const struct event_set_access *access)
{
    enum { LAST = MODEL_ADDRESS_SET_ROUNDS - 1 }; /* implementation */
    uint32_t later = access->when / EVENT_ROUND_REQUESTS;
    struct model_address_set_round *round =
        &t->rounds[(t->round + (later < LAST ? later : LAST)) % MODEL_ADDRESS_SET_ROUNDS];
    if (round->count == round->capacity) {
        round->capacity = 2 * round->capacity + 1024;
        round->accesses = sw_xrealloc(round->accesses, round->capacity * sizeof *round->accesses);
    }
    round->accesses[round->count++] = *access;
}

static void wait_stream(struct model_address_set *t, const struct event_stream *stream)
{
    const uint64_t *line = stream->lines;
    uint32_t made = 0;
    for (uint32_t r = 0; r < stream->request_count; r++) {
        const struct event_request *request = &stream->requests[r];
        for (uint32_t k = 0; k < request->lines; k++, line++) {
            if (!event_in_address_set(event_line_number(*line) << EVENT_LINE_SHIFT)) continue;
            if (request->space != ISA_SPACE_GLOBAL) continue;
            uint32_t when = made < EVENT_ROUND_REQUESTS ? made : EVENT_ROUND_REQUESTS - 1;
            struct event_set_access access = {*line, when, request->instr, (uint16_t)stream->sm,
                                              request->kind};
            model_address_set_wait(t, &access);
        }
        made += request->kind != EVENT_KIND_WORK;
    }
}

/* ---- and are played */

static void play(struct model_address_set *t, const struct event_set_access *access)
{
    if (model_host_has(&t->whole->host, event_line_number(access->line))) return;
    uint64_t line = packed_line(event_line_number(access->line));
    uint32_t mask = access->line & MODEL_ALL_SECTORS, partition = access->sm >= t->whole->second_sms;
    struct event_memory_sums *sums = &t->sums[access->instr];
    struct model_l2 *l2 = &t->l2;
    uint64_t before = sums->dram_reads + l2->dram_writes;
    model_policy_instr(l2, access->instr);
    switch (access->kind) {
    case EVENT_KIND_STORE: model_l2_write(l2, partition, line, mask, model_part(access->line), sums); break;
    case EVENT_KIND_ATOM:
    case EVENT_KIND_RED: model_l2_atomic(l2, partition, line, mask, 0, sums); break;
    default: model_l2_read(l2, partition, line, mask, 0, sums); break;
    }
    t->parts[line / EVENT_GRANULE_LINES % MODEL_ADDRESS_SET_PARTS] +=
        sums->dram_reads + l2->dram_writes - before;
}

enum { SORT_DIGIT = 256 }; /* implementation: of a radix sort */

/* Stable, by one byte of `when`. */
static void sort_by_byte(const struct event_set_access *from, struct event_set_access *to, size_t count,
                         uint32_t shift)
{
    size_t first[SORT_DIGIT + 1] = {0};
    for (size_t i = 0; i < count; i++)
        first[(from[i].when >> shift) % SORT_DIGIT + 1]++;
    for (uint32_t d = 0; d < SORT_DIGIT; d++)
        first[d + 1] += first[d];
    for (size_t i = 0; i < count; i++)
        to[first[(from[i].when >> shift) % SORT_DIGIT]++] = from[i];
}

/* By the request of the warp, then as they came: byte by byte, of those that differ. */
static void sort_round(struct model_address_set *t, struct model_address_set_round *round)
{
    uint32_t all = 0;
    for (size_t i = 0; i < round->count; i++)
        all |= round->accesses[i].when;
    if (round->count > t->sorted.capacity) {
        free(t->sorted.accesses);
        t->sorted.capacity = round->capacity;
        t->sorted.accesses = sw_xmalloc(round->capacity * sizeof *round->accesses);
    }
    for (uint32_t shift = 0; shift < 32 && all >> shift; shift += 8) {
        sort_by_byte(round->accesses, t->sorted.accesses, round->count, shift);
        struct event_set_access *accesses = round->accesses;
        size_t capacity = round->capacity;
        round->accesses = t->sorted.accesses, round->capacity = t->sorted.capacity;
        t->sorted.accesses = accesses, t->sorted.capacity = capacity;
    }
}

static void play_round(struct model_address_set *t)
{
    struct model_address_set_round *round = &t->rounds[t->round % MODEL_ADDRESS_SET_ROUNDS];
    sort_round(t, round);
    for (size_t i = 0; i < round->count; i++)
        play(t, &round->accesses[i]);
    round->count = 0;
    t->round++;
}

void model_address_set_round(struct model_address_set *t, const struct event_round *round)
{
    for (uint32_t i = 0; i < round->count; i++)
        wait_stream(t, &round->streams[i]);
    play_round(t);
}

void model_address_set_end(struct model_address_set *t)
{
    for (uint32_t i = 0; i < MODEL_ADDRESS_SET_ROUNDS; i++)
        play_round(t);
}
