/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: say which thread faulted, at which line, and how. Compiled code does not know; the fault has an
 * address alone. Method: the block that faulted runs once more, in code that looks at each access first
 * (EVENT_PROBE_BOUNDS) and ends at the first wrong one. Its memory is as the kernel left it: after such an
 * error CUDA leaves all memory of the process undefined. It prints nothing and launches nothing meanwhile. A
 * timer ends it after SECONDS, because the memory that it finds may make it run for ever. Limits: not where
 * blocks wait for each other, and not for kernels beyond MOST instructions, which compile for too long; a
 * block that does not fail again has no thread and line. */
#include "engine_diagnose.h"

#include "engine/code/engine_code.h"
#include "engine/core/engine_fault.h"
#include "engine/core/engine_where.h"
#include "engine_blocks.h"
#include "engine_pool.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST = 4000, /* PTX instructions: 3,900 compile in 3.3 s, 1,000 in 0.4 s (measured, straight code) */
    SECONDS = 1
};

static bool can_run_again(const struct engine_job *failed, bool together)
{
    const struct engine_launch *launch = failed->launch;
    const struct event_tool *tool = failed->engine->config.tool;
    if (!atomic_load(&failed->faulted) || together || failed->variant->info.spins) return false;
    if (tool && tool->probes & EVENT_PROBE_BOUNDS) return false; /* the tool is told, exactly */
    return launch->kernel->function->instr_count <= MOST;
}

/* A SIGSEGV of ours for this thread (engine_fault.c), again until emitted code is running. */
static bool timer_start(timer_t *timer)
{
    struct itimerspec when = {.it_value.tv_sec = SECONDS, .it_interval.tv_nsec = 50000000};
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGSEGV, .sigev_value.sival_ptr = ENGINE_FAULT_TIMER};
    event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, timer) != 0) return false;
    if (timer_settime(*timer, 0, &when, NULL) == 0) return true;
    timer_delete(*timer);
    return false;
}

static void run_block(const struct engine_job *failed, struct engine_variant *variant,
                      struct event_finding *out)
{
    timer_t timer;
    struct engine_launch launch = *failed->launch;
    launch.timer = NULL;
    launch.count = launch.access = false;
    launch.sample_shift = 0;
    struct engine_job again = {.engine = failed->engine,
                               .launch = &launch,
                               .rules = failed->rules,
                               .variant = variant,
                               .params = failed->params,
                               .clock_base = failed->clock_base,
                               .blocks = failed->failed_block + 1,
                               .taken = failed->failed_block,
                               .hands_max = 1,
                               .body = engine_blocks_body,
                               .failed_block = UINT64_MAX,
                               .diagnosis = out};
    if (!timer_start(&timer)) return;
    pthread_mutex_init(&again.lock, NULL);
    engine_pool_run(failed->engine->pool, &again);
    pthread_mutex_destroy(&again.lock);
    timer_delete(timer);
}

static void diagnose_say(struct engine_job *failed, const struct event_finding *found)
{
    char where[ENGINE_WHERE_BYTES], near[ENGINE_NEAR_BYTES];
    const uint32_t *thread = found->place.thread, *block = failed->launch->block;
    uint32_t warp = (thread[0] + block[0] * (thread[1] + block[1] * thread[2])) / SW_WARP_LANES;
    engine_where_place(failed->launch->kernel, &found->place, where);
    engine_fault_near(failed->engine, found->address, near);
    sw_fail(&failed->error, SW_ILLEGAL_ADDRESS,
            "illegal address 0x%llx in block (%u,%u,%u), warp %u%s %s %u bytes; %s",
            (unsigned long long)found->address, found->place.block[0], found->place.block[1],
            found->place.block[2], warp, where, found->place.writes ? "writes" : "reads", found->place.bytes,
            near);
}

void engine_diagnose(struct engine_job *failed, bool together)
{
    struct engine_variant *variant;
    struct event_finding found = {.kind = EVENT_FINDING_COUNT};
    if (!can_run_again(failed, together)) return;
    struct engine_variant_options form = {.probes = EVENT_PROBE_BOUNDS, .strict = true};
    if (engine_variant_get(failed->launch->kernel, failed->launch->block, form, &variant, NULL) != SW_OK)
        return;
    run_block(failed, variant, &found);
    if (found.kind == EVENT_FINDING_BOUNDS && found.space == ISA_SPACE_GLOBAL) diagnose_say(failed, &found);
}
