/* SPDX-License-Identifier: Apache-2.0 */
/* Which compiled code a launch runs. */
#ifndef ENGINE_VARIANT_H
#define ENGINE_VARIANT_H

#include "engine/core/engine_object.h"

/* Together: its blocks wait for each other, and the code can be resumed. */
enum sw_status engine_launch_variant(const struct engine_launch *launch, bool *together,
                                     struct engine_variant **out, struct sw_error *error);
/* Of blocks that do not wait for each other. */
enum sw_status engine_plain_variant(const struct engine_launch *launch, struct engine_variant **out,
                                    struct sw_error *error);
/* Lanes of a warp that wait for each other make progress: from compute capability 7.0 on. */
bool engine_lanes_independent(const struct engine_launch *launch);
#endif
