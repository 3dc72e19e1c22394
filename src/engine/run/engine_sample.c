/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the blocks of a sampled launch that are not simulated in detail: they are counted, and report
 * their accesses to the address set (EVENT_PROBE_ADDRESS_SET). Method: code without ACCESS probes runs them
 * as any launch's, leaving out the others' numbers (those of simulated multiprocessors, and those that the
 * device holds at first). They keep step with the simulated ones: before a round, all run whose numbers are
 * below the highest that has begun there. What a block accessed stays with its number, so that nothing
 * depends on who ran it. What they counted is added to the simulated code's counters, instruction by
 * instruction. Which launches are sampled and what is made of it, model/sample decides (model_sampling.h).
 * Limits: for launches whose blocks do not wait for each other; of a block that accesses more
 * than SET_ACCESSES_MOST lines of the address set, the rest is not told. */
#include "engine_sample.h"

#include "engine/record/engine_stream.h"
#include "engine/record/engine_tape.h"
#include "engine_pool.h"
#include "engine_variant.h"

#include <string.h>

/* Blocks at a time: 100 MB of accesses at most. */
enum { BATCH = 512 };

struct engine_sample {
    struct engine *engine;
    struct engine_job rest;
    struct engine_launch launch;
    bool begun;
    uint64_t first, done; /* of the batch; blocks below it have run */
    struct engine_set_accesses blocks[BATCH];
};

static bool sample_leaves_out(const struct engine_launch *launch, uint64_t block)
{
    uint32_t sms = launch->residency.sm_count;
    if (block < engine_first_blocks(launch)) return true;
    return event_is_detailed((uint32_t)(block % sms), sms, launch->sample_shift);
}

/* ---- one host thread's part */

static void sample_run_in_address_set(struct engine_worker *worker, const struct engine_job *job,
                                      uint64_t block)
{
    worker->set_accesses = &job->sample->blocks[block - job->sample->first];
    engine_image_run (&job->variant->image)(&worker->ctx, block, 1);
}

void engine_sample_run(struct engine_worker *worker, const struct engine_job *job, uint64_t first,
                       uint64_t count)
{
    const struct engine_launch *launch = job->launch;
    first += job->sample->first;
    for (uint64_t at = first, end = first + count; at < end;) {
        uint64_t begin = at;
        for (; at < end && !sample_leaves_out(launch, at); at++)
            if (launch->set_accesses) sample_run_in_address_set(worker, job, at);
        if (at > begin && !launch->set_accesses)
            engine_image_run (&job->variant->image)(&worker->ctx, begin, at - begin);
        while (at < end && sample_leaves_out(launch, at))
            at++;
    }
}

bool engine_sample_prepare(struct engine_worker *worker, const struct engine_job *job)
{
    worker->set_accesses = NULL;
    if (!job->sample || !job->launch->set_accesses) return true;
    if (!engine_memory_reserve(&worker->records, ENGINE_RECORD_CAPACITY)) return false;
    if (!worker->scratch) worker->scratch = sw_xcalloc(1, sizeof *worker->scratch);
    engine_tape_begin(worker->scratch);
    engine_worker_stack(worker);
    worker->ctx.records = worker->records.base;
    return true;
}

/* ---- batches */

static void sample_hand_out(struct engine_sample *sample, uint64_t count)
{
    const struct engine_launch *launch = &sample->launch;
    for (uint64_t i = 0; i < count; i++) {
        struct engine_set_accesses *set_accesses = &sample->blocks[i];
        uint16_t sm = (uint16_t)((sample->first + i) % launch->residency.sm_count);
        for (size_t k = 0; k < set_accesses->count; k++)
            set_accesses->accesses[k].sm = sm;
        if (set_accesses->count)
            launch->set_accesses(launch->owner, set_accesses->accesses, set_accesses->count);
        set_accesses->count = 0;
    }
}

static void sample_run_batch(struct engine_sample *sample, struct engine_job *job, uint64_t count)
{
    struct engine_job *rest = &sample->rest;
    rest->blocks = count;
    atomic_store(&rest->taken, 0);
    rest->linked = false;
    rest->clocks = job->clocks; /* of other warps */
    rest->begin_ns = job->begin_ns;
    rest->begun = job->begun;
    engine_pool_run(sample->engine->pool, rest);
    job->clocks = rest->clocks;
    job->begin_ns = rest->begin_ns;
    job->begun = rest->begun;
    engine_kept_join(&job->kept, &rest->kept);
    if (atomic_load(&rest->stop)) engine_job_failed(job, &rest->error, &rest->findings, rest->failed_block);
}

void engine_sample_advance(struct engine_sample *sample, struct engine_job *job, uint64_t end)
{
    while (sample->begun && sample->done < end && !atomic_load(&job->stop)) {
        uint64_t count = end - sample->done < BATCH ? end - sample->done : BATCH;
        sample->first = sample->done;
        sample_run_batch(sample, job, count);
        if (sample->launch.set_accesses && !atomic_load(&job->stop)) sample_hand_out(sample, count);
        sample->done += count;
    }
}

/* ---- beginning and end */

struct engine_sample *engine_sample_new(struct engine *engine, const struct engine_job *job)
{
    struct engine_sample *sample = sw_xcalloc(1, sizeof *sample);
    sample->engine = engine;
    sample->launch = *job->launch;
    sample->launch.access = false;
    sample->rest = *job;
    sample->rest.launch = &sample->launch;
    sample->rest.sample = sample;
    sample->rest.counters = NULL;
    pthread_mutex_init(&sample->rest.lock, NULL);
    return sample;
}

enum sw_status engine_sample_begin(struct engine_sample *sample, uint32_t sample_shift,
                                   struct sw_error *error)
{
    struct engine_job *rest = &sample->rest;
    sample->launch.sample_shift = sample_shift;
    SW_TRY(engine_plain_variant(&sample->launch, &rest->variant, error));
    rest->hands_max = sample->engine->threads < BATCH ? sample->engine->threads : BATCH;
    if (sample->launch.ordered && rest->variant->info.order_dependent) rest->hands_max = 1;
    rest->alone = false;
    rest->counters = sw_xcalloc(rest->variant->info.slot_count + 1, sizeof *rest->counters);
    sample->done = engine_first_blocks(&sample->launch);
    sample->begun = true;
    return SW_OK;
}

/* Counters of the same instructions in two variants, each of `to` once: several instructions share some. */
static void sample_add_counters(const struct engine_variant *to, uint64_t *counters,
                                const struct engine_variant *from, const uint64_t *counted)
{
    enum { WORDS = sizeof(struct event_slots) / sizeof(uint32_t) };
    bool *done = sw_xcalloc(to->described.slot_count + 1, sizeof *done);
    for (uint32_t i = 0; i < to->described.instr_count; i++) {
        uint32_t ours[WORDS], theirs[WORDS];
        memcpy(ours, &to->described.instrs[i].slots, sizeof ours);
        memcpy(theirs, &from->described.instrs[i].slots, sizeof theirs);
        for (uint32_t w = 0; w < WORDS; w++) {
            if (ours[w] == EVENT_NO_SLOT || theirs[w] == EVENT_NO_SLOT || done[ours[w]]) continue;
            done[ours[w]] = true;
            counters[ours[w]] += counted[theirs[w]];
        }
    }
    free(done);
}

void engine_sample_delete(struct engine_sample *sample, struct engine_job *job)
{
    if (!sample) return;
    if (sample->begun)
        sample_add_counters(job->variant, job->counters, sample->rest.variant, sample->rest.counters);
    for (uint32_t i = 0; i < BATCH; i++)
        free(sample->blocks[i].accesses);
    pthread_mutex_destroy(&sample->rest.lock);
    free(sample->rest.counters);
    free(sample);
}
