/* SPDX-License-Identifier: Apache-2.0 */
/* How many units of 1 << shift bytes a warp's addresses fall in, on any processor; it models nothing by
 * itself (model_coalesce.c does).
 *
 * Method: sets a bit a unit in a window of 64. Limits: units must be 64 neighbours; `far` says when they are
 * not. */
#include "model_lanes_priv.h"

struct model_spread model_spread_plain(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    uint64_t first = (value[__builtin_ctz(mask)] >> shift) & ~31ull;
    struct model_window window = model_window(value, mask, shift, first);
    return (struct model_spread){.any = window.any,
                                 .far = window.outside != 0,
                                 .distinct = (uint32_t)__builtin_popcountll(window.inside)};
}
