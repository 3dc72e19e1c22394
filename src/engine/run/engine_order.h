/* SPDX-License-Identifier: Apache-2.0 */
/* Which multiprocessor each of the first blocks runs on. */
#ifndef ENGINE_ORDER_H
#define ENGINE_ORDER_H

#include "engine/record/engine_resident.h"

/* Sets sm and slot of `count` residents, those of the blocks that begin a launch, in the order of the blocks;
 * those beyond what the device holds are dealt to one multiprocessor after the other. */
void engine_order(const struct event_residency *on, struct engine_resident *residents, uint32_t count);
#endif
