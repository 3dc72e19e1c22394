/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of global memory before compute capability 3.0.
 *
 * Models:
 *   1.0, 1.1   Half warps. If each active lane k accesses element k of one aligned segment (4 bytes: of 64;
 *              8 bytes: of 128; 16 bytes: two of 128), those segments are the transactions. Otherwise each
 *              active lane is a transaction of at least 32 bytes.
 *   1.2, 1.3   Half warps. The segment (32 bytes for accesses of 1 byte, 64 for 2, 128 for others) of the
 *              lowest lane left is read for all lanes in it, and halved while they lie in one half and it has
 *              more than 32 bytes.
 *   2.x        Loads move 128-byte lines; accesses of 8 bytes are two requests of half a warp, of 16 bytes
 *              four. Stores, atomics and loads that bypass L1 move 32-byte segments.
 *   more       The 32-byte pieces of all segments, since segments differ in size.
 *   ideal      The transactions of accesses to neighbouring elements in the order of lanes.
 *
 * Does not model: caches, partitions.
 *
 * Sources: CUDA C Programming Guide 4.0, G.3.2.1, G.3.2.2 and G.4.2; its figure G-1 is a test. */
#include "model_lanes_priv.h"

#include "event/event_request.h"

/* documented: lanes; bytes (Programming Guide 4.0, G.3.2, G.4.2) */
enum { HALF = 16, PIECE = 32, LINE = 128 };

static bool in_order(const uint64_t addr[32], lane_mask mask, uint32_t from, uint32_t bytes)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint64_t base = addr[first] - (uint64_t)(first - from) * bytes;
    if (base % ((uint64_t)HALF * bytes)) return false;
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        if (addr[lane] != base + (uint64_t)(lane - from) * bytes) return false;
    }
    return true;
}

static uint64_t count_strict(const uint64_t addr[32], lane_mask mask, uint32_t from, uint32_t bytes)
{
    uint32_t ideal = bytes == 16 ? 2 : 1, lanes = (uint32_t)__builtin_popcount(mask);
    bool can = bytes == 4 || bytes == 8 || bytes == 16;
    if (can && in_order(addr, mask, from, bytes)) return model_pack_more(ideal, ideal, HALF * bytes / PIECE);
    return model_pack_more(lanes, lanes < ideal ? lanes : ideal, lanes * ((bytes + PIECE - 1) / PIECE));
}

static uint64_t count_segments(const uint64_t addr[32], lane_mask mask, uint32_t bytes)
{
    uint32_t size = bytes == 1   ? PIECE
                    : bytes == 2 ? 2 * PIECE
                                 : LINE,
             lanes = (uint32_t)__builtin_popcount(mask);
    uint32_t units = 0, pieces = 0, ideal = (lanes * bytes + size - 1) / size;
    for (; mask; units++) {
        uint64_t at = addr[__builtin_ctz(mask)] / size * size, low = UINT64_MAX, high = 0;
        for (lane_mask left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (addr[lane] - at >= size) continue;
            mask &= ~(1u << lane);
            low = addr[lane] < low ? addr[lane] : low;
            high = addr[lane] + bytes - 1 > high ? addr[lane] + bytes - 1 : high;
        }
        uint32_t moved = size;
        while (moved > PIECE && low / (moved / 2) == high / (moved / 2))
            moved /= 2;
        pieces += moved / PIECE;
    }
    return model_pack_more(units, ideal < units ? ideal : units, pieces);
}

static uint64_t count_lines(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    struct event_rules plain = *rules;
    uint32_t lanes = bytes > 4 && kind == EVENT_KIND_LOAD ? LINE / bytes : SW_WARP_LANES;
    uint64_t sum = 0;
    plain.global_rule = EVENT_GLOBAL_UNITS;
    if (!lanes) lanes = 1;
    for (uint32_t from = 0; from < SW_WARP_LANES; from += lanes) {
        lane_mask part = mask & (lane_mask)(((UINT64_C(1) << lanes) - 1) << from);
        if (part) sum += model_count_global(&plain, addr, part, bytes, kind);
    }
    return sum;
}

uint64_t model_global_old(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                          uint32_t bytes, uint32_t kind)
{
    uint64_t sum = 0;
    if (rules->global_rule == EVENT_GLOBAL_128) return count_lines(rules, addr, mask, bytes, kind);
    for (uint32_t from = 0; from < SW_WARP_LANES; from += HALF) {
        lane_mask part = mask & 0xffffu << from;
        if (!part) continue;
        sum += rules->global_rule == EVENT_GLOBAL_STRICT ? count_strict(addr, part, from, bytes)
                                                         : count_segments(addr, part, bytes);
    }
    return sum;
}
