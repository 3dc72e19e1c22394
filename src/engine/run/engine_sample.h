/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a sampled launch that are not simulated in detail. */
#ifndef ENGINE_SAMPLE_H
#define ENGINE_SAMPLE_H

#include "engine/core/engine_job.h"

/* What will run beside job, which is of the others, once it began. */
struct engine_sample *engine_sample_new(struct engine *engine, const struct engine_job *job);
enum sw_status engine_sample_begin(struct engine_sample *sample, uint32_t sample_shift,
                                   struct sw_error *error);
/* A worker's part: blocks of the batch, from 0. */
void engine_sample_run(struct engine_worker *worker, const struct engine_job *job, uint64_t first,
                       uint64_t count);
bool engine_sample_prepare(struct engine_worker *worker, const struct engine_job *job);
/* Run those whose number is below `end`, as far as they have not run; a failure is the job's. Nothing unless
 * it began. */
void engine_sample_advance(struct engine_sample *sample, struct engine_job *job, uint64_t end);
/* What they counted is added to what the job did. */
void engine_sample_delete(struct engine_sample *sample, struct engine_job *job);
#endif
