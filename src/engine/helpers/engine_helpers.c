/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: what emitted code calls (struct jit_helpers).
 * Method: thin functions. Those that fail leave the kernel through engine_fault_unwind and never return. A
 * helper that takes a lock disarms the fault handler for that time, so that a bug of ours is not taken for
 * the kernel's. */
#include "engine_helpers.h"

#include "engine_helpers_priv.h"
#include "engine_printf.h"

#include "engine/core/engine_bounds.h"
#include "engine/core/engine_permissions.h"
#include "engine/matrix/engine_matrix.h"
#include "engine/record/engine_note.h"
#include "engine/record/engine_stream.h"
#include "engine/shadow/engine_shadow.h"
#include "engine/texture/engine_texture.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct engine_worker *worker_of(struct jit_ctx *ctx)
{
    return ctx->host;
}

static void helpers_print(const struct engine_worker *worker, const char *text, size_t length)
{
    struct engine *engine = worker->engine;
    if (worker->job->diagnosis) return; /* it said so before */
    if (engine->config.print) {
        engine->config.print(engine->config.print_user, text, length);
        return;
    }
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

static uint32_t help_vprintf(struct jit_ctx *ctx, uint64_t format, uint64_t args)
{
    struct engine_worker *worker = worker_of(ctx);
    struct str text = {0};
    int count =
        engine_printf_format(ctx, (const char *)(uintptr_t)format, (const uint8_t *)(uintptr_t)args, &text);
    worker->armed = 0;
    helpers_print(worker, str_text(&text), text.length);
    str_release(&text);
    worker->armed = 1;
    return (uint32_t)count;
}

static const char *device_text(uint64_t address)
{
    return address ? (const char *)(uintptr_t)address : "";
}

static void help_assert_fail(struct jit_ctx *ctx, uint64_t message, uint64_t file, uint32_t line,
                             uint64_t function)
{
    struct engine_worker *worker = worker_of(ctx);
    struct str text = {0};
    uint32_t thread[3];
    engine_lane_thread(ctx, thread);
    str_printf(&text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
               device_text(file), line, device_text(function), ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2],
               thread[0], thread[1], thread[2], device_text(message));
    worker->armed = 0;
    bool first = worker->error.status != SW_ASSERT;
    if (worker->job->diagnosis)
        first = false;
    else if (worker->engine->config.print_error)
        worker->engine->config.print_error(worker->engine->config.print_user, str_text(&text), text.length);
    else
        fputs(str_text(&text), stderr);
    if (first)
        sw_fail(&worker->error, SW_ASSERT, "assertion `%.200s` failed in block (%u,%u,%u), thread (%u,%u,%u)",
                device_text(message), ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], thread[0], thread[1],
                thread[2]);
    str_release(&text);
    worker->armed = 1;
}

static void help_trap(struct jit_ctx *ctx, uint32_t status)
{
    struct engine_worker *worker = worker_of(ctx);
    worker->armed = 0;
    if (status == SW_ASSERT && worker->error.status == SW_ASSERT) engine_fault_unwind(worker);
    sw_fail(&worker->error, (enum sw_status)status, "%s in block (%u,%u,%u), warp %u",
            status == SW_LAUNCH_FAILED || status == SW_ILLEGAL_INSTRUCTION
                ? "trap"
                : sw_status_text((enum sw_status)status),
            ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp);
    engine_fault_unwind(worker);
}

static struct engine_heap *heap_of(const struct engine_worker *worker)
{
    return &worker->engine->heaps[worker->job->launch->device];
}

static uint64_t help_aligned_malloc(struct jit_ctx *ctx, uint64_t bytes, uint64_t align)
{
    struct engine_worker *worker = worker_of(ctx);
    worker->armed = 0;
    uint64_t at = engine_heap_malloc(heap_of(worker), bytes, align);
    engine_shadow_heap_new(ctx, at, bytes);
    worker->armed = 1;
    return at;
}

static uint64_t help_malloc(struct jit_ctx *ctx, uint64_t bytes)
{
    struct engine_worker *worker = worker_of(ctx);
    worker->armed = 0;
    uint64_t at = engine_heap_malloc(heap_of(worker), bytes, 1);
    engine_shadow_heap_new(ctx, at, bytes);
    worker->armed = 1;
    return at;
}

static void note_wrong_free(struct jit_ctx *ctx, uint64_t address)
{
    struct event_finding finding = {.kind = EVENT_FINDING_FREE};
    if (!engine_bounds_on(ctx)) return;
    engine_bounds_place(ctx, ctx->lane, address, &finding);
    finding.freed &= finding.base == address;
    engine_finding_add(ctx, &finding, finding.address, ctx->lane, ctx->line);
}

static void help_free(struct jit_ctx *ctx, uint64_t address)
{
    struct engine_worker *worker = worker_of(ctx);
    worker->armed = 0;
    bool freed = engine_heap_free(heap_of(worker), address);
    if (!freed) {
        note_wrong_free(ctx, address);
        sw_fail(&worker->error, SW_LAUNCH_FAILED,
                "free of 0x%llx, which device malloc did not return, in block (%u,%u,%u), warp %u",
                (unsigned long long)address, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], ctx->warp);
        engine_fault_unwind(worker);
    }
    worker->armed = 1;
}

/* A block that waits for one which has failed would wait for ever: leave instead. */
static void help_yield(struct jit_ctx *ctx, uint32_t ns)
{
    enum { LONGEST_NS = 1000000, WORTH_SLEEPING_NS = 1000 };
    struct engine_worker *worker = worker_of(ctx);
    if (atomic_load_explicit(&worker->job->stop, memory_order_relaxed)) {
        worker->error.status = SW_OK; /* not this block's failure */
        engine_fault_unwind(worker);
    }
    engine_shadow_pause(worker);
    if (ns < WORTH_SLEEPING_NS) {
        sched_yield();
    } else {
        struct timespec nap = {0, ns < LONGEST_NS ? ns : LONGEST_NS};
        nanosleep(&nap, NULL);
    }
    engine_shadow_resume(worker);
}

static uint64_t help_count_global(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                                  uint32_t bytes, uint32_t kind)
{
    const struct event_tool *tool = worker_of(ctx)->engine->config.tool;
    return tool->count.global(&tool->rules, address, mask, bytes, kind);
}

static uint64_t help_count_local(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                                 uint32_t kind)
{
    (void)kind;
    const struct event_tool *tool = worker_of(ctx)->engine->config.tool;
    return tool->count.local(&tool->rules, offset, mask, bytes);
}

static uint64_t help_count_constant(struct jit_ctx *ctx, const uint64_t *address, lane_mask mask,
                                    uint32_t bytes, uint32_t kind)
{
    (void)kind;
    const struct event_tool *tool = worker_of(ctx)->engine->config.tool;
    return tool->count.constant(&tool->rules, address, mask, bytes);
}

static uint64_t help_count_shared(struct jit_ctx *ctx, const uint64_t *offset, lane_mask mask, uint32_t bytes,
                                  uint32_t kind)
{
    const struct event_tool *tool = worker_of(ctx)->engine->config.tool;
    return tool->count.shared(&worker_of(ctx)->job->rules, offset, mask, bytes, kind);
}

const struct jit_helpers engine_helpers = {
    .vprintf = help_vprintf,
    .assert_fail = help_assert_fail,
    .trap = help_trap,
    .malloc = help_malloc,
    .aligned_malloc = help_aligned_malloc,
    .free = help_free,
    .device_call = engine_help_device_call,
    .globaltimer = engine_timer_read,
    .clock_read = engine_clock_read,
    .clock_pass = engine_clock_pass,
    .yield = help_yield,
    .count_global = help_count_global,
    .count_local = help_count_local,
    .count_shared = help_count_shared,
    .count_constant = help_count_constant,
    .texture = engine_help_texture,
    .collective = engine_help_collective,
    .collective_stuck = engine_help_collective_stuck,
    .barrier_stuck = engine_help_barrier_stuck,
    .barrier_wrong = engine_help_barrier_wrong,
    .misaligned = engine_help_misaligned,
    .reach = engine_help_reach,
    .bounds = engine_help_bounds,
    .shadow = engine_help_shadow,
    .shadow_affine = engine_help_shadow_affine,
    .shadow_values = engine_help_shadow_values,
    .shadow_order = engine_help_shadow_order,
    .shadow_warp_sync = engine_help_shadow_warp_sync,
    .barrier_look = engine_help_barrier_look,
    .warps_look = engine_help_warps_look,
    .members_look = engine_help_members_look,
    .shuffle_look = engine_help_shuffle_look,
    .cluster_wrong = engine_help_cluster_wrong,
    .mbarrier_look = engine_help_mbarrier_look,
    .bounds_some = engine_help_bounds_some,
    .window = engine_help_window,
    .bulk = engine_help_bulk,
    .phase = engine_help_phase,
    .matrix = engine_help_matrix,
    .fragment = engine_help_fragment,
    .count_fragment = engine_help_count_fragment,
    .drain = engine_help_drain,
};
