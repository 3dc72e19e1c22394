/* SPDX-License-Identifier: Apache-2.0 */
/* The vector loops that coalescing and bank rules share; they model nothing by themselves. See model_priv.h.
 */
#include "model_priv.h"

MODEL_CLONES struct model_window model_window(const uint64_t value[32], lane_mask mask, uint32_t shift,
                                              uint64_t first)
{
    model_lanes any = {0}, inside = {0}, outside = {0}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < MODEL_STEPS; k++) {
        model_lanes v = *(const model_lanes *)(value + k * MODEL_LANES), on = MODEL_ON(mask, k);
        model_lanes unit = (v >> shift) - first;
        any |= v & on;
        outside |= unit & on;
        inside |= (one << (unit & 63)) & on;
    }
    return (struct model_window){MODEL_OR(any), MODEL_OR(inside), MODEL_OR(outside) & ~63ull};
}

MODEL_CLONES bool model_all_equal(const uint64_t value[32], lane_mask mask)
{
    uint64_t first = value[__builtin_ctz(mask)];
    model_lanes differ = {0};
    for (int k = 0; k < MODEL_STEPS; k++)
        differ |= (*(const model_lanes *)(value + k * MODEL_LANES) ^ first) & MODEL_ON(mask, k);
    return !MODEL_OR(differ);
}

/* Do value >> shift rise, or fall, from each active lane to the next? Only asked of whole warps quickly; with
 * a partial mask lane by lane. */
bool model_strictly_monotone(const uint64_t value[32], lane_mask mask, uint32_t shift)
{
    uint64_t up = 1, down = 1;
    if (mask == ~0u) {
        for (int lane = 1; lane < 32; lane++) {
            up &= value[lane] >> shift > value[lane - 1] >> shift;
            down &= value[lane] >> shift < value[lane - 1] >> shift;
        }
        return up | down;
    }
    uint64_t before = value[__builtin_ctz(mask)] >> shift;
    for (mask &= mask - 1; mask; mask &= mask - 1) {
        uint64_t v = value[__builtin_ctz(mask)] >> shift;
        up &= v > before;
        down &= v < before;
        before = v;
    }
    return up | down;
}

/* A lane is a repetition when an earlier lane has its key; inactive lanes repeat the first active one. Each
 * lane's key against all at once: 32 steps of two vectors, which is a third of the time of a hash table. */
MODEL_CLONES uint32_t model_distinct(const uint64_t value[32], lane_mask mask, uint32_t shift, uint64_t first)
{
    typedef uint32_t keys __attribute__((vector_size(64), aligned(4)));
    uint32_t key[32], other = (uint32_t)((value[__builtin_ctz(mask)] >> shift) - first), count = 0;
    for (int lane = 0; lane < 32; lane++)
        key[lane] = mask >> lane & 1 ? (uint32_t)((value[lane] >> shift) - first) : other;
    keys low = *(const keys *)key, high = *(const keys *)(key + 16), again_low = {0}, again_high = {0};
    keys lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (uint32_t lane = 0; lane < 16; lane++) {
        again_low |= (keys)(low == key[lane]) & (keys)(lanes > lane);
        again_high |= (keys)(high == key[lane]);
    }
    for (uint32_t lane = 0; lane < 16; lane++)
        again_high |= (keys)(high == key[lane + 16]) & (keys)(lanes > lane);
    for (int lane = 0; lane < 16; lane++)
        count += !again_low[lane] + !again_high[lane];
    return count;
}
