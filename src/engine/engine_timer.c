/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: %globaltimer. Method: the host's real clock; or, when the launch has a timer, the device's time at
 * which the launch begins, and TIMER_STEP_NS more for each read that the warp made: so a kernel that waits
 * for a time ends, and does the same every time. Limits: what a warp does between two reads does not count;
 * 32 ns are the timer's resolution on GPUs of compute capability 9.0 (recorded times of copies.cu are
 * multiples of it), others' is taken to be the same. */
#include "engine_priv.h"

#include <time.h>

enum { TIMER_STEP_NS = 32 };

static uint64_t real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t engine_timer_read(struct jit_ctx *ctx)
{
    struct engine_worker *worker = ctx->host;
    struct engine_job *job = worker->job;
    struct engine_timer *timer = job->launch->timer;
    if (!timer) return real_ns();
    worker->armed = 0;
    uint64_t warp = engine_block_number(ctx) * engine_job_warps(job) + ctx->warp + 1;
    pthread_mutex_lock(&job->lock);
    if (!job->reads.count) job->begin_ns = timer->begin_ns(job->launch->owner);
    uint64_t reads = (uintptr_t)map_get_u64(&job->reads, warp) + 1, passed = reads * TIMER_STEP_NS;
    map_set_u64(&job->reads, warp, (void *)(uintptr_t)reads);
    if (passed > timer->passed_ns) timer->passed_ns = passed;
    pthread_mutex_unlock(&job->lock);
    worker->armed = 1;
    return job->begin_ns + passed;
}
