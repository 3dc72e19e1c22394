/* SPDX-License-Identifier: Apache-2.0 */
/* What emitted code finds when a host thread begins a launch. */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/core/engine_job.h"

void engine_worker_context(struct engine_worker *worker, struct engine_job *job); /* all but memory */
#endif
