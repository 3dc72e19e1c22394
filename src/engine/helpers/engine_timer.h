/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of the warps of a launch: job->clocks. */
#ifndef ENGINE_TIMER_H
#define ENGINE_TIMER_H

#include "base/base.h"

void engine_clocks_release(struct map *clocks);
#endif
