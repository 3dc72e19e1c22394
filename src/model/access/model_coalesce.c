/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescing of global and local accesses.
 *
 * Models: a request moves each distinct unit that its active lanes touch once: sectors of 32 bytes since
 * cc 3.x, 128-byte lines for cc 2.x loads; an atomic touches a sector as often as the most lanes that
 * share an address in it. Local memory: word w of lane l lies at (w * 32 + l) * 4.
 *
 * Constant memory: distinct addresses, whatever their width.
 *
 * Does not model: caches; older rules are model_segments.c's.
 *
 * Sources: CUDA C++ Programming Guide, "Device Memory Accesses" and "Local Memory"; counters of an H200
 * (tests/hw): equal for every stride, offset, type, mask, gather and scatter tried; atomics in 96 of 100
 * recorded requests (patterns.atomg.txt, atomics.txt), hardware one or two sectors more in the others: two
 * lanes in one sector are then not merged, and nothing in their addresses says which. Constants:
 * patterns.ldc.txt, all equal. */
#include "model_lanes_priv.h"

#include "event/event_request.h"

/* implementation: words of a lane. definition: a sector of local memory has a word of 8 lanes each */
enum { SECTOR_LANES = 8, LANE_GROUPS = 4, MAX_UNITS_A_LANE = 16 };

uint64_t model_count_global(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    if (!mask || !bytes) return 0;
    if (rules->global_rule != EVENT_GLOBAL_UNITS) return model_global_old(rules, addr, mask, bytes, kind);
    uint32_t shift = kind == EVENT_KIND_LOAD ? rules->load_shift : rules->store_shift;
    uint32_t distinct = model_units(model_level(), addr, mask, shift, bytes);
    bool atomic = kind == EVENT_KIND_ATOM || kind == EVENT_KIND_RED;
    uint32_t units = atomic ? model_atomic_units(addr, mask, shift, distinct) : distinct;
    uint32_t ideal = ((uint32_t)__builtin_popcount(mask) * bytes + (1u << shift) - 1) >> shift;
    return model_pack_more(units, ideal < distinct ? ideal : distinct, atomic ? distinct : 0);
}

uint64_t model_count_constant(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                              uint32_t bytes)
{
    enum { MOST_AT_ONCE = 8 }; /* measured: bytes, patterns.ldc.txt */
    (void)rules;
    if (!mask || !bytes) return 0;
    uint32_t times = bytes > MOST_AT_ONCE ? bytes / MOST_AT_ONCE : 1;
    return model_pack(times * model_units(model_level(), addr, mask, 0, 1), times);
}

/* Sectors that one group of 8 lanes touches: distinct words among its lanes. */
static uint32_t group_sectors(const uint64_t offset[SECTOR_LANES], uint32_t mask, uint32_t bytes)
{
    uint64_t words[SECTOR_LANES * MAX_UNITS_A_LANE];
    uint32_t count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t at = offset[__builtin_ctz(mask)];
        for (uint64_t word = at / 4; word <= (at + bytes - 1) / 4; word++) {
            uint32_t i = 0;
            while (i < count && words[i] != word)
                i++;
            if (i == count) words[count++] = word;
        }
    }
    return count;
}

uint64_t model_count_local(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                           uint32_t bytes)
{
    (void)rules;
    if (!mask || !bytes) return 0;
    SW_ASSERT(bytes <= 4 * (MAX_UNITS_A_LANE - 1));
    uint32_t groups = 0, units = 0, words = (bytes + 3) / 4;
    for (uint32_t g = 0; g < LANE_GROUPS; g++)
        groups += (mask >> g * SECTOR_LANES & 0xff) != 0;
    if (model_all_equal(offset, mask) && offset[__builtin_ctz(mask)] % 4 + bytes <= words * 4)
        return model_pack(groups * words, groups * words);
    for (uint32_t g = 0; g < LANE_GROUPS; g++)
        units += group_sectors(offset + g * SECTOR_LANES, mask >> g * SECTOR_LANES & 0xff, bytes);
    return model_pack(units, groups * words < units ? groups * words : units);
}
