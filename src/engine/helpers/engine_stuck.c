/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: say who waits for what when no thread of a block can ever go on, and other mistakes that emitted
 * code itself notices.
 * Method: the frames of its warps tell where lanes wait: at barriers (struct jit_wait_point) and at
 * operations of a whole warp (struct jit_collective_state). Lanes are summed up by PTX line. Limits: the
 * first few lines. */
#include "engine_helpers_priv.h"

#include "engine/core/engine_bounds.h"
#include "engine/core/engine_where.h"

#include <string.h>

struct line_sum {
    uint32_t line, id, count, threads;
};
enum { LINES_MOST = 4 };

struct tally {
    struct line_sum lines[LINES_MOST];
    unsigned count;
};

static void stuck_add(struct tally *tally, struct line_sum one)
{
    for (unsigned i = 0; i < tally->count; i++)
        if (tally->lines[i].line == one.line && tally->lines[i].id == one.id) {
            tally->lines[i].threads += one.threads;
            return;
        }
    if (tally->count < LINES_MOST) tally->lines[tally->count++] = one;
}

static void stuck_add_barriers(struct tally *tally, const struct jit_stuck *stuck, const uint8_t *frame)
{
    const struct jit_wait_point *wait_points =
        (const struct jit_wait_point *)(const void *)(frame + stuck->wait_points_at);
    for (uint32_t p = 0; p < stuck->wait_point_count; p++)
        if (wait_points[p].waiting)
            stuck_add(tally, (struct line_sum){stuck->lines[p], wait_points[p].id, wait_points[p].count,
                                               (uint32_t)__builtin_popcount(wait_points[p].waiting)});
}

#define WARP_OPERATION UINT32_MAX

static void stuck_add_collective(struct tally *tally, const struct jit_collective_state *collective)
{
    for (lane_mask left = collective->waiting; left; left &= left - 1)
        stuck_add(tally, (struct line_sum){collective->line[__builtin_ctz(left)], WARP_OPERATION, 0, 1});
}

static void stuck_describe(struct str *text, const struct line_sum *line)
{
    if (line->id == WARP_OPERATION) {
        str_printf(text, "; %u at PTX line %u for other lanes of their warp", line->threads, line->line);
        return;
    }
    str_printf(text, "; %u at PTX line %u for barrier %u", line->threads, line->line, line->id);
    if (line->count) str_printf(text, ", which needs %u", line->count);
}

/* Do lanes of one warp wait for barriers of different numbers? */
static bool stuck_numbers_differ(const struct jit_stuck *stuck, const uint8_t *frame, uint32_t numbers[2])
{
    const struct jit_wait_point *wait_points =
        (const struct jit_wait_point *)(const void *)(frame + stuck->wait_points_at);
    unsigned count = 0;
    for (uint32_t p = 0; p < stuck->wait_point_count && count < 2; p++)
        if (wait_points[p].waiting && (!count || wait_points[p].id != numbers[0]))
            numbers[count++] = wait_points[p].id;
    return count == 2;
}

/* A GPU of compute capability 9.0 reports an illegal instruction (tests/hw/h100/barriers.txt). */
static bool stuck_say_numbers_differ(struct engine_worker *worker, const struct jit_ctx *ctx,
                                     const struct jit_stuck *stuck, const char *threads)
{
    for (uint32_t warp = 0; warp < engine_job_warps(worker->job); warp++) {
        uint32_t numbers[2];
        if (!stuck_numbers_differ(stuck, ctx->frames + (size_t)warp * stuck->frame_bytes, numbers)) continue;
        sw_fail(&worker->error, SW_ILLEGAL_INSTRUCTION,
                "lanes of one warp wait for barriers %u and %u: kernel '%.100s', block (%u,%u,%u), warp "
                "%u%.300s; all lanes of a warp must name the same barrier",
                numbers[0], numbers[1], worker->job->launch->kernel->info.name, ctx->ctaid[0], ctx->ctaid[1],
                ctx->ctaid[2], warp, threads);
        return true;
    }
    return false;
}

_Noreturn void engine_help_barrier_stuck(struct jit_ctx *ctx, const struct jit_stuck *stuck)
{
    struct engine_worker *worker = ctx->host;
    struct tally tally = {0};
    struct str text = {0};
    worker->armed = 0;
    for (uint32_t warp = 0; warp < engine_job_warps(worker->job); warp++) {
        const uint8_t *frame = ctx->frames + (size_t)warp * stuck->frame_bytes;
        stuck_add_barriers(&tally, stuck, frame);
        if (stuck->collective_at)
            stuck_add_collective(
                &tally, (const struct jit_collective_state *)(const void *)(frame + stuck->collective_at));
    }
    for (unsigned i = 0; i < tally.count; i++)
        stuck_describe(&text, &tally.lines[i]);
    if (!stuck_say_numbers_differ(worker, ctx, stuck, str_text(&text)))
        sw_fail(&worker->error, SW_LAUNCH_TIMEOUT,
                "deadlock: threads of kernel '%.100s' wait for ever in block (%u,%u,%u)%.300s; every thread "
                "must reach the barriers that others wait at",
                worker->job->launch->kernel->info.name, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2],
                str_text(&text));
    str_release(&text);
    engine_misuse_stuck(ctx, stuck);
    engine_fault_unwind(worker);
}

_Noreturn void engine_help_barrier_wrong(struct jit_ctx *ctx, lane_mask lanes, uint32_t line, uint32_t number)
{
    struct engine_worker *worker = ctx->host;
    worker->armed = 0;
    engine_misuse_number(ctx, lanes, line);
    sw_fail(&worker->error, SW_ILLEGAL_INSTRUCTION,
            "PTX line %u of '%.100s' names barrier %u; a block's barriers are numbered 0 to 15", line,
            worker->job->launch->kernel->info.name, number);
    engine_fault_unwind(worker);
}

_Noreturn void engine_help_misaligned(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                                      uint32_t bytes, uint32_t line)
{
    struct engine_worker *worker = ctx->host;
    uint32_t lane = 0;
    worker->armed = 0;
    while (lane + 1 < SW_WARP_LANES && !(mask >> lane & 1 && address[lane] % bytes))
        lane++;
    const void *stored = engine_bounds_stored(ctx);
    struct event_finding finding = {.kind = EVENT_FINDING_MISALIGNED, .place.bytes = bytes};
    for (uint32_t l = lane; l < SW_WARP_LANES; l++) {
        if (!(mask >> l & 1 && address[l] % bytes)) continue;
        engine_bounds_place(ctx, l, address[l], &finding);
        engine_bounds_value(stored, l, &finding.place);
        engine_finding_add(ctx, &finding, finding.address, l, line);
    }
    char where[ENGINE_WHERE_BYTES];
    engine_where(ctx, (int)lane, line, where);
    sw_fail(&worker->error, SW_MISALIGNED_ADDRESS,
            "misaligned address 0x%llx in block (%u,%u,%u), warp %u%s accesses %u bytes, whose address must "
            "be a multiple of %u",
            (unsigned long long)address[lane], ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp, where,
            bytes, bytes);
    engine_fault_unwind(worker);
}
