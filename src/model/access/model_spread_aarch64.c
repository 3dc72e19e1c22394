/* SPDX-License-Identifier: Apache-2.0 */
/* model_spread.c is all there is: see model_spread_x86.c for what other processors have. */
#include "model_lanes_priv.h"

enum model_level model_level(void)
{
    return MODEL_PLAIN;
}

struct model_spread model_spread(enum model_level level, const uint64_t value[32], lane_mask mask,
                                 uint32_t shift)
{
    (void)level; /* there is one */
    return model_spread_plain(value, mask, shift);
}
