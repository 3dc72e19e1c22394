/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: %globaltimer, %clock and %clock64. Method: the host's real clocks; or, when the launch has a
 * timer, the device's time at which the launch begins and what the warp has done since: of each block of
 * instructions that it ran the cycles that the timer's table gives, up to the instruction that reads. So a
 * kernel that waits for a time ends, and does the same every time, whatever the host's threads do. Without a
 * table (the launch is not counted) each read takes TIMER_STEP_NS. Limits: a warp's time is its own: waiting
 * for other warps at barriers, for memory that others keep busy, or for a free CTA slot does not count; 32 ns
 * are the timer's resolution on GPUs of compute capability 9.0 (recorded times of copies.cu are multiples of
 * it), others' is taken to be the same. */
#include "engine_timer.h"

#include "engine/core/engine_ticks.h"
#include "engine_helpers_priv.h"

#include <stdlib.h>
#include <time.h>

enum { TIMER_STEP_NS = 32 };

struct engine_warp_clock {
    uint64_t parts; /* of a cycle, since the launch began */
    uint64_t reads;
};

static uint64_t timer_real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void engine_clocks_release(struct map *clocks)
{
    void *value;
    for (size_t i = 0; map_next(clocks, &i, &value);)
        free(value);
    map_release(clocks);
}

static struct engine_warp_clock *timer_find_locked(struct engine_job *job, uint64_t warp)
{
    struct engine_warp_clock *clock = map_get_u64(&job->clocks, warp);
    if (clock) return clock;
    clock = sw_xcalloc(1, sizeof *clock);
    map_set_u64(&job->clocks, warp, clock);
    return clock;
}

/* A warp is on one thread at a time, so its clock is only looked for under the lock. */
static struct engine_warp_clock *timer_clock_of(struct jit_ctx *ctx)
{
    struct engine_worker *worker = ctx->host;
    struct engine_job *job = worker->job;
    uint64_t warp = engine_block_number(ctx) * engine_job_warps(job) + ctx->warp + 1;
    if (worker->clock && worker->clock_warp == warp) return worker->clock;
    worker->armed = 0;
    pthread_mutex_lock(&job->lock);
    worker->clock = timer_find_locked(job, warp);
    worker->clock_warp = warp;
    pthread_mutex_unlock(&job->lock);
    worker->armed = 1;
    return worker->clock;
}

void engine_clock_pass(struct jit_ctx *ctx, uint32_t first, uint32_t end)
{
    struct engine_worker *worker = ctx->host;
    const struct engine_timer *timer = worker->job->launch->timer;
    if (timer && timer->path) timer_clock_of(ctx)->parts += timer->path[end] - timer->path[first];
}

/* Since the launch began; the block's rest is still to come. */
static uint64_t timer_cycles_at(const struct engine_timer *timer, const struct engine_warp_clock *clock,
                                uint32_t row, uint32_t end)
{
    uint64_t rest = timer->path[end] - timer->path[row];
    return (clock->parts > rest ? clock->parts - rest : 0) / ENGINE_CYCLE_PARTS;
}

/* The launch goes on for as long as its warps' timers. Returns when it began. */
static uint64_t timer_note_passed(struct jit_ctx *ctx, uint64_t passed_ns)
{
    struct engine_worker *worker = ctx->host;
    struct engine_job *job = worker->job;
    struct engine_timer *timer = job->launch->timer;
    worker->armed = 0;
    pthread_mutex_lock(&job->lock);
    if (!job->begun) job->begin_ns = timer->begin_ns(job->launch->owner);
    job->begun = true;
    if (passed_ns > timer->passed_ns) timer->passed_ns = passed_ns;
    uint64_t begin_ns = job->begin_ns;
    pthread_mutex_unlock(&job->lock);
    worker->armed = 1;
    return begin_ns;
}

static uint64_t timer_to_ns(const struct engine_timer *timer, uint64_t cycles)
{
    return (uint64_t)((double)cycles * 1e6 / (double)timer->clock_khz);
}

uint64_t engine_timer_read(struct jit_ctx *ctx, uint32_t row, uint32_t end)
{
    struct engine_worker *worker = ctx->host;
    const struct engine_timer *timer = worker->job->launch->timer;
    if (!timer) return timer_real_ns();
    struct engine_warp_clock *clock = timer_clock_of(ctx);
    uint64_t passed = ++clock->reads * TIMER_STEP_NS;
    if (timer->path)
        passed = timer_to_ns(timer, timer_cycles_at(timer, clock, row, end)) / TIMER_STEP_NS * TIMER_STEP_NS;
    return timer_note_passed(ctx, passed) + passed;
}

uint64_t engine_clock_read(struct jit_ctx *ctx, uint32_t row, uint32_t end)
{
    struct engine_worker *worker = ctx->host;
    const struct engine_timer *timer = worker->job->launch->timer;
    if (!timer || !timer->path) return engine_clock_ticks() - ctx->clock_base;
    uint64_t cycles = timer_cycles_at(timer, timer_clock_of(ctx), row, end);
    uint64_t begin_ns = timer_note_passed(ctx, timer_to_ns(timer, cycles));
    return (uint64_t)((double)begin_ns * (double)timer->clock_khz / 1e6) + cycles;
}
