/* SPDX-License-Identifier: Apache-2.0 */
/* Launches with ACCESS probes. */
#ifndef ENGINE_DETAIL_H
#define ENGINE_DETAIL_H

#include "engine/core/engine_job.h"

void engine_detail_run(struct engine *engine, struct engine_job *job);
#endif
