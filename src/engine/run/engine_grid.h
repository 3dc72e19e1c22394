/* SPDX-License-Identifier: Apache-2.0 */
/* Grids whose blocks wait for each other. */
#ifndef ENGINE_GRID_H
#define ENGINE_GRID_H

#include "engine/core/engine_job.h"

void engine_grid_run(struct engine *engine, struct engine_job *job, uint64_t resident);
/* What cooperative_groups finds of the grid; job->workspace. */
enum sw_status engine_grid_workspace(const struct engine *engine, struct engine_job *job);
void engine_grid_workspace_release(const struct engine *engine, struct engine_job *job);
void engine_grid_hang(struct sw_error *error, const struct engine_job *job, uint64_t block, uint64_t resumes);
#endif
