/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: launches with ACCESS probes: what warps ask of memory, against the counters of the same launch.
 * Method: the sectors of all requests of an instruction are as many as its counter says, the requests too; a
 * counters are those of a launch that only counts; a warp's streams end once, after its last request; and a
 * hash of all turns is compared by the caller, which runs the same with other host threads and instruction
 * sets. Few multiprocessors, so that places are used again. Limits: instructions that note nothing yet are
 * left out (see `is_noted`). */
#include "exec.h"

#include "model/model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct event_tool exec_watch_tool = {
    .probes = EVENT_PROBE_COUNT | EVENT_PROBE_ACCESS,
    .rules = {.load_shift = 5, .store_shift = 5, .bank_bytes = 4},
    .count = {model_count_global, model_count_local, model_count_shared, model_count_constant}};

struct sum {
    uint64_t requests, sectors;
};
struct watch {
    struct sum (*sums)[3]; /* of each instruction, by enum event_access */
    uint32_t instr_count;
    struct exec_watched *seen;
    uint64_t *ended; /* blocks' warps, by bit; */
    uint32_t warps;
};

static uint32_t mix_stream(struct watch *watch, const struct event_stream *s)
{
    const uint64_t head[] = {s->block, s->warp, s->sm, s->slot, s->request_count, s->ended};
    uint64_t line = 0;
    watch->seen->hash = sw_hash_bytes(head, sizeof head, watch->seen->hash);
    for (uint32_t i = 0; i < s->request_count; i++)
        line += s->requests[i].lines;
    if (s->request_count)
        watch->seen->hash =
            sw_hash_bytes(s->requests, s->request_count * sizeof *s->requests, watch->seen->hash);
    if (line) watch->seen->hash = sw_hash_bytes(s->lines, line * sizeof *s->lines, watch->seen->hash);
    return (uint32_t)line;
}

static void add_stream(struct watch *watch, const struct event_stream *s)
{
    uint64_t line = 0;
    for (uint32_t i = 0; i < s->request_count; i++) {
        const struct event_request *r = &s->requests[i];
        if (r->instr >= watch->instr_count) watch->seen->wrong = "an instruction that there is not";
        if (r->kind == EVENT_KIND_BARRIER || r->instr >= watch->instr_count) continue;
        struct sum *sum =
            &watch->sums[r->instr][r->space == ISA_SPACE_LOCAL ? EVENT_ACCESS_LOCAL : EVENT_ACCESS_GLOBAL];
        sum->requests++;
        for (uint32_t l = 0; l < r->lines; l++)
            sum->sectors += (uint64_t)__builtin_popcountll(s->lines[line++] & 15);
    }
}

static uint32_t see_turn(void *owner, const struct event_turn *turn)
{
    struct watch *watch = owner;
    uint64_t before = 0;
    watch->seen->turns++;
    for (uint32_t i = 0; i < turn->count; i++) {
        const struct event_stream *s = &turn->streams[i];
        uint64_t order = ((uint64_t)s->sm << 20 | s->slot) << 20 | s->warp,
                 warp = s->block * watch->warps + s->warp;
        if (i && order <= before) watch->seen->wrong = "streams out of order";
        before = order;
        if (watch->ended[warp / 64] >> warp % 64 & 1) watch->seen->wrong = "a warp that had ended";
        watch->ended[warp / 64] |= (uint64_t)s->ended << warp % 64;
        watch->seen->ended += s->ended;
        if (s->request_count > watch->seen->longest) watch->seen->longest = s->request_count;
        mix_stream(watch, s);
        add_stream(watch, s);
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

static void compare(const struct event_kernel *kernel, const uint64_t *counters, const struct watch *watch)
{
    static char text[400];
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        for (int a = EVENT_ACCESS_GLOBAL; a <= EVENT_ACCESS_LOCAL; a++) {
            const struct event_access_slots *slots = &kernel->instrs[i].slots.access[a];
            const struct sum *sum = &watch->sums[i][a];
            bool bulk = kernel->instrs[i].slots.access[EVENT_ACCESS_BULK].units != EVENT_NO_SLOT;
            if (bulk && a == EVENT_ACCESS_GLOBAL &&
                !bulk_is_noted(&kernel->instrs[i], counters, sum->sectors))
                watch->seen->wrong = "a bulk copy that was counted otherwise";
            if (slots->units == EVENT_NO_SLOT || !is_noted(&kernel->instrs[i])) continue;
            watch->seen->requests += sum->requests;
            if (counters[slots->requests] == sum->requests && counters[slots->units] == sum->sectors)
                continue;
            snprintf(text, sizeof text, "line %u: %s: %llu requests of %llu sectors, counted %llu of %llu",
                     kernel->instrs[i].ptx_line, kernel->instrs[i].text, (unsigned long long)sum->requests,
                     (unsigned long long)sum->sectors, (unsigned long long)counters[slots->requests],
                     (unsigned long long)counters[slots->units]);
            watch->seen->wrong = text;
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
static void keep_counters(struct exec_watched *seen, const struct event_kernel *kernel, uint32_t own,
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

enum sw_status exec_watch_launch(struct engine *engine, struct engine_launch *launch, bool watch_it,
                                 struct exec_watched *seen, struct sw_error *error)
{
    const struct event_kernel *kernel;
    uint32_t slots;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    struct watch watch = {.seen = seen,
                          .warps = (launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32};
    launch->count = launch->ordered = true;
    launch->access = watch_it;
    launch->watch = see_turn;
    launch->owner = &watch;
    launch->residency =
        (struct event_residency){.sm_count = 3, .blocks_per_sm = 2, .warps_per_block = watch.warps};
    if (seen->as_oracle) launch->residency.sm_count = launch->sm_count;
    if (seen->all_resident) launch->residency.blocks_per_sm = (uint32_t)blocks;
    SW_TRY(engine_launch_slots(engine, launch, &slots, &kernel, error));
    launch->counters = sw_xcalloc(slots + 1, sizeof *launch->counters);
    watch.instr_count = kernel->instr_count;
    uint32_t own = engine_kernel_function(launch->kernel)->instr_count; /* behind them: those of functions */
    watch.sums = sw_xcalloc(kernel->instr_count + 1, sizeof *watch.sums);
    watch.ended = sw_xcalloc(blocks * watch.warps / 64 + 1, sizeof *watch.ended);
    uint64_t ended = seen->ended;
    enum sw_status status = engine_launch(engine, launch, error);
    if (status == SW_OK) keep_counters(seen, kernel, own, launch->counters);
    if (status == SW_OK && watch_it) compare(kernel, launch->counters, &watch);
    if (status == SW_OK && watch_it && seen->ended - ended != blocks * watch.warps)
        seen->wrong = "warps that never ended";
    free(launch->counters);
    free(watch.sums);
    free(watch.ended);
    return status;
}
