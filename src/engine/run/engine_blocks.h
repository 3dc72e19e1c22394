/* SPDX-License-Identifier: Apache-2.0 */
/* Grids whose blocks do not wait for each other. */
#ifndef ENGINE_BLOCKS_H
#define ENGINE_BLOCKS_H

#include "engine/core/engine_job.h"

void engine_blocks_body(struct engine_worker *worker, struct engine_job *job); /* job->body */
/* Whether it will be over before another thread could come, if its blocks take what they took last. */
bool engine_blocks_small(const struct engine_variant *variant, uint64_t blocks);
#endif
