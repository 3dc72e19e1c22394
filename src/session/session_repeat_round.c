/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of what the model of caches is told in a round, to compare later launches with.
 *
 * Comparisons are exact: of every field of streams, requests and accesses, of every line. Limits: costs are
 * compared byte by byte, so that equal ones may be taken as different, but not the reverse. */
#include "session_repeat_priv.h"

#include "event/event_kernel.h"

#include <stdlib.h>
#include <string.h>

static size_t lines_of(const struct event_stream *stream)
{
    size_t sum = 0;
    for (uint32_t r = 0; r < stream->request_count; r++)
        sum += stream->requests[r].lines;
    return sum;
}

struct sizes {
    size_t requests, lines;
};

static struct sizes sizes_of(const struct event_round *round)
{
    struct sizes sizes = {0};
    for (uint32_t i = 0; i < round->count; i++) {
        sizes.requests += round->streams[i].request_count;
        sizes.lines += lines_of(&round->streams[i]);
    }
    return sizes;
}

static bool steps_are(const struct model_step *a, const struct model_step *b, uint32_t instr_count)
{
    return a == b || (a && b && !memcmp(a, b, instr_count * sizeof *a));
}

size_t repeat_round_bytes(const struct event_round *round, const struct model_costs *costs,
                          const struct repeat_round *before, uint32_t instr_count)
{
    struct sizes sizes = sizes_of(round);
    bool same = !costs->steps || (before && steps_are(before->costs.steps, costs->steps, instr_count));
    return sizeof(struct repeat_round) + round->count * sizeof(struct event_stream) +
           sizes.requests * sizeof(struct event_request) + sizes.lines * sizeof(uint64_t) +
           (same ? 0 : instr_count * sizeof(struct model_step));
}

static void copy_costs(struct repeat_round *to, const struct model_costs *costs,
                       const struct repeat_round *before, uint32_t instr_count)
{
    to->costs = *costs;
    if (before && steps_are(before->costs.steps, costs->steps, instr_count)) {
        to->costs.steps = before->costs.steps;
    } else if (costs->steps) {
        to->costs.steps = to->steps = sw_xmalloc((instr_count + 1ull) * sizeof *to->steps);
        memcpy(to->steps, costs->steps, instr_count * sizeof *to->steps);
    }
}

void repeat_round_copy(struct repeat_round *to, const struct event_round *round,
                       const struct model_costs *costs, const struct repeat_round *before,
                       uint32_t instr_count)
{
    struct sizes sizes = sizes_of(round);
    *to = (struct repeat_round){.streams = sw_xmalloc((round->count + 1ull) * sizeof *to->streams),
                                .requests = sw_xmalloc((sizes.requests + 1) * sizeof *to->requests),
                                .lines = sw_xmalloc((sizes.lines + 1) * sizeof *to->lines)};
    struct event_request *requests = to->requests;
    uint64_t *lines = to->lines;
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_stream *stream = &round->streams[i];
        size_t line_count = lines_of(stream);
        if (stream->request_count)
            memcpy(requests, stream->requests, stream->request_count * sizeof *requests);
        if (line_count) memcpy(lines, stream->lines, line_count * sizeof *lines);
        to->streams[i] = *stream;
        to->streams[i].requests = requests;
        to->streams[i].lines = lines;
        requests += stream->request_count;
        lines += line_count;
    }
    to->round = (struct event_round){.count = round->count, .streams = to->streams};
    copy_costs(to, costs, before, instr_count);
}

void repeat_round_release(struct repeat_round *round)
{
    free(round->streams);
    free(round->requests);
    free(round->lines);
    free(round->steps);
    free(round->accesses.list);
    free(round->cta_slots);
}

static bool stream_is(const struct event_stream *a, const struct event_stream *b)
{
    if (a->block != b->block || a->warp != b->warp || a->sm != b->sm || a->slot != b->slot) return false;
    if (a->request_count != b->request_count || a->ended != b->ended) return false;
    if (a->request_count && memcmp(a->requests, b->requests, a->request_count * sizeof *a->requests))
        return false;
    size_t line_count = lines_of(a); /* of both */
    return !line_count || !memcmp(a->lines, b->lines, line_count * sizeof *a->lines);
}
_Static_assert(sizeof(struct event_request) == 8, "a request has bytes that say nothing");

bool repeat_round_is(const struct repeat_round *kept, const struct event_round *round,
                     const struct model_costs *costs, uint32_t instr_count)
{
    if (kept->round.count != round->count) return false;
    if (memcmp(&kept->costs.rates, &costs->rates, sizeof costs->rates) ||
        memcmp(&kept->costs.work, &costs->work, sizeof costs->work) ||
        !steps_are(kept->costs.steps, costs->steps, instr_count))
        return false;
    for (uint32_t i = 0; i < round->count; i++)
        if (!stream_is(&kept->streams[i], &round->streams[i])) return false;
    return true;
}

/* ---- the address set */

void repeat_accesses_add(struct repeat_accesses *to, const struct event_set_access *from, size_t count)
{
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->list = sw_xrealloc(to->list, to->capacity * sizeof *to->list);
    }
    memcpy(to->list + to->count, from, count * sizeof *from);
    to->count += count;
}

static bool access_is(const struct event_set_access *a, const struct event_set_access *b)
{
    return a->line == b->line && a->when == b->when && a->instr == b->instr && a->sm == b->sm &&
           a->kind == b->kind;
}

bool repeat_accesses_are(const struct repeat_accesses *kept, size_t at, const struct event_set_access *others,
                         size_t count)
{
    if (count > kept->count - at) return false;
    for (size_t i = 0; i < count; i++)
        if (!access_is(&kept->list[at + i], &others[i])) return false;
    return true;
}

/* ---- keys */

struct repeat_key repeat_key_of(struct model_memory *memory, const struct event_launch *launch,
                                const struct event_residency *residency, uint32_t sample_shift,
                                bool may_be_small)
{
    struct repeat_key key = {.kernel = launch->kernel->id,
                             .memory = memory,
                             .registers = launch->kernel->registers,
                             .l2_fetch_bytes = launch->l2_fetch_bytes,
                             .set_aside_bytes = launch->policy.set_aside_bytes,
                             .sample_shift = sample_shift,
                             .may_be_small = may_be_small,
                             .residency = *residency};
    memcpy(key.grid, launch->grid, sizeof launch->grid);
    memcpy(key.block, launch->block, sizeof launch->block);
    return key;
}

bool repeat_key_is(const struct repeat_key *a, const struct repeat_key *b)
{
    const struct event_residency *x = &a->residency, *y = &b->residency;
    return a->kernel == b->kernel && a->memory == b->memory && !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) && a->registers == b->registers &&
           a->l2_fetch_bytes == b->l2_fetch_bytes && a->set_aside_bytes == b->set_aside_bytes &&
           a->sample_shift == b->sample_shift && a->may_be_small == b->may_be_small &&
           x->sm_count == y->sm_count && x->blocks_per_sm == y->blocks_per_sm &&
           x->warps_per_block == y->warps_per_block && x->l1_bytes == y->l1_bytes &&
           x->divisible == y->divisible && x->groups == y->groups && x->first == y->first;
}
