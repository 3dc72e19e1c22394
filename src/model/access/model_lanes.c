/* SPDX-License-Identifier: Apache-2.0 */
/* The vector loops that coalescing and bank rules share; they model nothing by themselves. See
 * model_lanes_priv.h.
 */
#include "model_lanes_priv.h"

SW_CLONES struct model_window model_window(const uint64_t value[32], lane_mask mask, uint32_t shift,
                                           uint64_t first)
{
    model_lanes any = {0}, inside = {0}, outside = {0}, one = {1, 1, 1, 1};
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes v = *(const model_lanes *)(value + k * MODEL_LANES), on = MODEL_ON(mask, k);
        model_lanes unit = (v >> shift) - first;
        any |= v & on;
        outside |= unit & on;
        inside |= (one << (unit & 63)) & on;
    }
    return (struct model_window){MODEL_OR(any), MODEL_OR(inside), MODEL_OR(outside) & ~63ull};
}

SW_CLONES bool model_all_equal(const uint64_t value[32], lane_mask mask)
{
    uint64_t first = value[__builtin_ctz(mask)];
    model_lanes differ = {0};
    for (int k = 0; k < MODEL_STEPS; k++)
        differ |= (*(const model_lanes *)(value + k * MODEL_LANES) ^ first) & MODEL_ON(mask, k);
    return !MODEL_OR(differ);
}
