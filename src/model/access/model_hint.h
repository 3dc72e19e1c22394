/* SPDX-License-Identifier: Apache-2.0 */
/* model/access: what instructions say of how they use caches (model_hint.c). */
#ifndef MODEL_HINT_H
#define MODEL_HINT_H

#include "event/event_kernel.h"
#include "event/event_launch.h"

/* How a load uses L1, by its cache operator; of lines in it, those of MODEL_CACHED_FIRST go first, those of
 * MODEL_CACHED_LAST last. */
enum model_policy { MODEL_CACHED, MODEL_CACHED_FIRST, MODEL_CACHED_LAST, MODEL_BYPASS };
enum model_policy model_hint_of_l1(const struct isa_instr *instr);

/* How long lines of L2 stay. */
enum { MODEL_UNCHANGED = EVENT_POLICY_PERSISTING + 1 }; /* definition: a line keeps the property it has */
struct model_hint {
    bool given;
    uint8_t first, second; /* enum event_policy_property or MODEL_UNCHANGED */
    float share;           /* of the lines, those that have the first */
};
/* For each instruction of the kernel, from malloc; NULL: none says anything. */
struct model_hint *model_hints_read(const struct event_kernel *kernel);
#endif
