/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: the blocks of a sampled launch that are not watched: they run first, and are only counted.
 * Method: code with COUNT probes alone runs them as any launch's, leaving out the others' numbers
 * (those of watched multiprocessors, and those that the device holds at first); what it counted is added to
 * the watched code's counters, instruction by instruction. Limits: for launches whose blocks do not wait for
 * each other. */
#include "engine_priv.h"

#include <string.h>

uint64_t engine_first_blocks(const struct engine_launch *launch)
{
    return (uint64_t)launch->residency.sm_count * launch->residency.blocks_per_sm;
}

bool engine_sample_leaves_out(const struct engine_job *job, uint64_t block)
{
    uint32_t sms = job->launch->residency.sm_count;
    if (block < engine_first_blocks(job->launch)) return true;
    return event_is_watched((uint32_t)(block % sms), sms, job->launch->sample_shift);
}

void engine_sample_run(struct engine_worker *worker, const struct engine_job *job, uint64_t first,
                       uint64_t count)
{
    for (uint64_t at = first, end = first + count; at < end;) {
        uint64_t begin = at;
        while (at < end && !engine_sample_leaves_out(job, at))
            at++;
        if (at > begin) job->variant->image.run(&worker->ctx, begin, at - begin);
        while (at < end && engine_sample_leaves_out(job, at))
            at++;
    }
}

/* Counters of the same instructions in two variants, each of `to` once: several instructions share some. */
void engine_sample_add(const struct engine_variant *to, uint64_t *counters, const struct engine_variant *from,
                       const uint64_t *counted)
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
