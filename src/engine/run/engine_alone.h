/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads that have memory for themselves (engine_alone.c). */
#ifndef ENGINE_ALONE_H
#define ENGINE_ALONE_H

#include "engine/core/engine_job.h"

void engine_alone_init(struct engine *engine);
void engine_alone_release(struct engine *engine);
/* Around all that a host thread does of a launch; may wait. */
void engine_alone_enter(struct engine *engine);
void engine_alone_leave(struct engine *engine);
/* Around one call of emitted code that ends by itself, whatever other launches do: says in the worker's
 * context whether no other thread runs one. _end: also where the call did not return. */
void engine_alone_begin(struct engine_worker *worker);
void engine_alone_end(struct engine_worker *worker);
#endif
