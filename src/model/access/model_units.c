/* SPDX-License-Identifier: Apache-2.0 */
/* How many units of memory (sectors, lines, segments) the lanes of a warp touch; it models nothing by itself
 * (model_coalesce.c and model_segments.c do).
 *
 * Method, because this runs once a warp access: model_spread.c counts all lanes at once (10 ns with AVX-512,
 * 20 to 55 with AVX2); where distances do not fit in its keys, a small hash table does (160 ns). */
#include "model_lanes_priv.h"

enum { TABLE_SLOTS = 64 }; /* implementation */

struct unit_table {
    uint64_t key[TABLE_SLOTS], used;
    uint32_t count;
};

/* The slot of a key, added if it is new. */
static uint32_t table_slot(struct unit_table *table, uint64_t key)
{
    uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 58);
    while ((table->used >> slot & 1) && table->key[slot] != key)
        slot = (slot + 1) % TABLE_SLOTS;
    if (table->used >> slot & 1) return slot;
    table->used |= 1ull << slot;
    table->key[slot] = key;
    table->count++;
    return slot;
}

/* Distinct units when each lane touches one. */
static uint32_t scattered_units(const uint64_t addr[32], lane_mask mask, uint32_t shift)
{
    struct unit_table table;
    table.used = table.count = 0;
    for (; mask; mask &= mask - 1)
        table_slot(&table, addr[__builtin_ctz(mask)] >> shift);
    return table.count;
}

/* Distinct units when a lane's access crosses units: sort-free, lane by lane against the lanes before it.
 * Rare: accesses wider than a unit, or misaligned ones. */
static uint32_t wide_units(const uint64_t addr[32], lane_mask mask, uint32_t shift, uint32_t bytes)
{
    uint32_t count = 0;
    for (lane_mask left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t last = (addr[lane] + bytes - 1) >> shift;
        for (uint64_t unit = addr[lane] >> shift; unit <= last; unit++) {
            bool seen = false;
            for (lane_mask before = mask & ((1u << lane) - 1); before && !seen; before &= before - 1) {
                uint64_t a = addr[__builtin_ctz(before)];
                seen = a >> shift <= unit && unit <= (a + bytes - 1) >> shift;
            }
            count += !seen;
        }
    }
    return count;
}

/* A sector is touched once for each rank that a lane has among those of its address. */
uint32_t model_atomic_units(const uint64_t addr[32], lane_mask mask, uint32_t shift, uint32_t distinct)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    struct model_spread apart = model_spread(model_level(), addr, mask, 0);
    if (!apart.far && apart.distinct == lanes) return distinct; /* no address twice */
    if (model_all_equal(addr, mask)) return lanes;
    struct unit_table addresses, passes;
    uint8_t sharing[TABLE_SLOTS] = {0};
    addresses.used = passes.used = addresses.count = passes.count = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t a = addr[__builtin_ctz(mask)];
        uint32_t rank = sharing[table_slot(&addresses, a)]++;
        table_slot(&passes, (a >> shift) << 5 | rank);
    }
    return passes.count;
}

/* Can a lane's access cross units? any: all addresses ORed. */
static bool may_cross(uint64_t any, uint32_t shift, uint32_t bytes)
{
    return bytes > 1u << shift || (bytes & (bytes - 1)) || (any & (bytes - 1));
}

uint32_t model_units(enum model_level level, const uint64_t addr[32], lane_mask mask, uint32_t shift,
                     uint32_t bytes)
{
    struct model_spread spread = model_spread(level, addr, mask, shift);
    if (may_cross(spread.any, shift, bytes)) return wide_units(addr, mask, shift, bytes);
    return spread.far ? scattered_units(addr, mask, shift) : spread.distinct;
}
