/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads for launches. */
#ifndef ENGINE_POOL_H
#define ENGINE_POOL_H

#include "engine/core/engine_job.h"

/* threads: besides those that launch. */
enum sw_status engine_pool_new(uint32_t threads, struct engine_pool **out, struct sw_error *error);
void engine_pool_free(struct engine_pool *pool);
/* Run job->body on this thread and on idle ones; returns when all have left it. */
void engine_pool_run(struct engine_pool *pool, struct engine_job *job);
/* It takes longer than was thought: call other threads in. By the one thread that runs it. */
void engine_pool_share(struct engine_pool *pool, struct engine_job *job);
#endif
