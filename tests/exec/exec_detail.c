/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: launches with ACCESS probes: what warps ask of memory, against the counters of the same launch.
 * Method: the sectors of all requests of an instruction are as many as its counter says, the requests too; a
 * counters are those of a launch that only counts; a warp's streams end once, after its last request; and a
 * hash of all rounds is compared by the caller, which runs the same with other host threads and instruction
 * sets. Few multiprocessors, so that CTA slots are used again. Limits: instructions that note nothing yet are
 * left out (see `is_noted`). */
#include "exec.h"

#include "model/access/model_access.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct event_tool exec_detail_tool = {
    .probes = EVENT_PROBE_COUNT | EVENT_PROBE_ACCESS,
    .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4, .one_lane = 1},
    .count = {model_count_global, model_count_local, model_count_shared, model_count_constant}};

struct sum {
    uint64_t requests, sectors;
};
struct detail {
    struct sum (*sums)[3]; /* of each instruction, by enum event_access */
    uint32_t instr_count;
    struct exec_detailed *seen;
    uint64_t *ended; /* blocks' warps, by bit; */
    uint32_t warps;
};

static uint32_t mix_stream(struct detail *detail, const struct event_stream *s)
{
    const uint64_t head[] = {s->block, s->warp, s->sm, s->slot, s->request_count, s->ended};
    uint64_t line = 0;
    detail->seen->hash = sw_hash_bytes(head, sizeof head, detail->seen->hash);
    for (uint32_t i = 0; i < s->request_count; i++)
        line += s->requests[i].lines;
    if (s->request_count)
        detail->seen->hash =
            sw_hash_bytes(s->requests, s->request_count * sizeof *s->requests, detail->seen->hash);
    if (line) detail->seen->hash = sw_hash_bytes(s->lines, line * sizeof *s->lines, detail->seen->hash);
    return (uint32_t)line;
}

static void add_stream(struct detail *detail, const struct event_stream *s)
{
    uint64_t line = 0;
    for (uint32_t i = 0; i < s->request_count; i++) {
        const struct event_request *r = &s->requests[i];
        if (r->instr >= detail->instr_count) detail->seen->wrong = "an instruction that there is not";
        if (r->kind == EVENT_KIND_BARRIER || r->instr >= detail->instr_count) continue;
        struct sum *sum =
            &detail->sums[r->instr][r->space == ISA_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
        sum->requests++;
        for (uint32_t l = 0; l < r->lines; l++)
            sum->sectors += (uint64_t)__builtin_popcountll(s->lines[line++] & 15);
    }
}

static uint32_t see_round(void *owner, const struct event_round *round)
{
    struct detail *detail = owner;
    uint64_t before = 0;
    detail->seen->rounds++;
    for (uint32_t i = 0; i < round->count; i++) {
        const struct event_stream *s = &round->streams[i];
        uint64_t order = ((uint64_t)s->sm << 20 | s->slot) << 20 | s->warp,
                 warp = s->block * detail->warps + s->warp;
        if (i && order <= before) detail->seen->wrong = "streams out of order";
        before = order;
        if (detail->ended[warp / 64] >> warp % 64 & 1) detail->seen->wrong = "a warp that had ended";
        detail->ended[warp / 64] |= (uint64_t)s->ended << warp % 64;
        detail->seen->ended += s->ended;
        if (s->request_count > detail->seen->longest) detail->seen->longest = s->request_count;
        mix_stream(detail, s);
        add_stream(detail, s);
    }
    return 0;
}

/* Does emitted code note it? */
static bool is_noted(const struct event_instr *instr)
{
    return instr->cls == ISA_CLASS_LOAD || instr->cls == ISA_CLASS_STORE || instr->cls == ISA_CLASS_ATOMIC ||
           instr->cls == ISA_CLASS_COPY || instr->cls == ISA_CLASS_MATRIX;
}

/* Bulk copies are counted 128 bytes at a time, and noted as lines of a warp. */
static bool bulk_is_noted(const struct event_instr *instr, const uint64_t *counters, uint64_t sectors)
{
    const struct event_access_slots *slots = &instr->slots.access[EVENT_ACCESS_BULK];
    uint64_t counted = slots->units == EVENT_NO_SLOT ? 0 : counters[slots->units];
    return sectors <= counted && (sectors > 0) == (counted > 0);
}

static void compare(const struct event_kernel *kernel, const uint64_t *counters, const struct detail *detail)
{
    static char text[400];
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        for (int a = EVENT_ACCESS_GLOBAL; a <= EVENT_ACCESS_LOCAL; a++) {
            const struct event_access_slots *slots = &kernel->instrs[i].slots.access[a];
            const struct sum *sum = &detail->sums[i][a];
            bool bulk = kernel->instrs[i].slots.access[EVENT_ACCESS_BULK].units != EVENT_NO_SLOT;
            if (bulk && a == EVENT_ACCESS_GLOBAL &&
                !bulk_is_noted(&kernel->instrs[i], counters, sum->sectors))
                detail->seen->wrong = "a bulk copy that was counted otherwise";
            if (slots->units == EVENT_NO_SLOT || !is_noted(&kernel->instrs[i])) continue;
            detail->seen->requests += sum->requests;
            if (counters[slots->requests] == sum->requests && counters[slots->units] == sum->sectors)
                continue;
            snprintf(text, sizeof text, "line %u: %s: %llu requests of %llu sectors, counted %llu of %llu",
                     kernel->instrs[i].ptx_line, kernel->instrs[i].text, (unsigned long long)sum->requests,
                     (unsigned long long)sum->sectors, (unsigned long long)counters[slots->requests],
                     (unsigned long long)counters[slots->units]);
            detail->seen->wrong = text;
        }
}

/* Distinct units of global memory, which only atomics have apart from units: other code may count them too.
 */
static bool is_distinct(const struct event_instr *instr, size_t word)
{
    return word == offsetof(struct event_slots, access[EVENT_ACCESS_GLOBAL].more) / sizeof(uint32_t) &&
           instr->cls != ISA_CLASS_ATOMIC;
}

/* Counters by the kernel's own instructions (functions may wait, and go round as often as it takes), so that
 * variants with other slots can be compared. */
static void keep_counters(struct exec_detailed *seen, const struct event_kernel *kernel, uint32_t own,
                          const uint64_t *counters)
{
    enum { WORDS = sizeof(struct event_slots) / sizeof(uint32_t) };
    for (uint32_t i = 0; i < own; i++) {
        uint32_t slots[WORDS];
        memcpy(slots, &kernel->instrs[i].slots, sizeof slots);
        for (uint32_t w = 0; w < WORDS; w++)
            *vec_push(&seen->counters) =
                slots[w] == EVENT_NO_SLOT || is_distinct(&kernel->instrs[i], w) ? 0 : counters[slots[w]];
    }
}

enum sw_status exec_detail_launch(struct engine *engine, struct engine_launch *launch, bool detail_it,
                                  struct exec_detailed *seen, struct sw_error *error)
{
    const struct event_kernel *kernel;
    uint32_t slots;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    struct detail detail = {.seen = seen,
                            .warps = (launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32};
    launch->count = launch->ordered = true;
    launch->access = detail_it;
    launch->detail = see_round;
    launch->owner = &detail;
    launch->residency =
        (struct event_residency){.sm_count = 3, .blocks_per_sm = 2, .warps_per_block = detail.warps};
    if (seen->as_oracle) launch->residency.sm_count = launch->sm_count;
    if (seen->all_resident) launch->residency.blocks_per_sm = (uint32_t)blocks;
    SW_TRY(engine_launch_slots(engine, launch, &slots, &kernel, error));
    launch->counters = sw_xcalloc(slots + 1, sizeof *launch->counters);
    detail.instr_count = kernel->instr_count;
    uint32_t own = engine_kernel_function(launch->kernel)->instr_count; /* behind them: those of functions */
    detail.sums = sw_xcalloc(kernel->instr_count + 1, sizeof *detail.sums);
    detail.ended = sw_xcalloc(blocks * detail.warps / 64 + 1, sizeof *detail.ended);
    uint64_t ended = seen->ended;
    enum sw_status status = engine_launch(engine, launch, error);
    if (status == SW_OK) keep_counters(seen, kernel, own, launch->counters);
    if (status == SW_OK && detail_it) compare(kernel, launch->counters, &detail);
    if (status == SW_OK && detail_it && seen->ended - ended != blocks * detail.warps)
        seen->wrong = "warps that never ended";
    free(launch->counters);
    free(detail.sums);
    free(detail.ended);
    return status;
}
