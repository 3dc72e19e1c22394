/* SPDX-License-Identifier: Apache-2.0 */
/* The host time stamp counter. */
#ifndef ENGINE_TICKS_H
#define ENGINE_TICKS_H

#include "base/base_host.h"

static inline uint64_t engine_clock_ticks(void)
{
    return sw_host_ticks();
}
#endif
