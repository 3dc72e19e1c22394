/* SPDX-License-Identifier: Apache-2.0 */
/* What emitted code calls. */
#ifndef ENGINE_HELPERS_H
#define ENGINE_HELPERS_H

#include "jit/jit_abi.h"

struct map;

extern const struct jit_helpers engine_helpers;
void engine_mbarriers_release(struct map *mbarriers); /* of a job */
#endif
