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
 * patterns.ldc.txt, all equal.
 *
 * Method, because this runs once a warp access: model_spread.c counts all lanes at once (10 ns with AVX-512,
 * 20 to 55 with AVX2); where distances do not fit in its keys, a small hash table does (160 ns). */
#include "model_priv.h"

#include "event/event_request.h"

/* implementation: slots of the table; words of a lane. definition: a sector of local memory has a word of 8
 * lanes each */
enum { TABLE_SLOTS = 64, SECTOR_LANES = 8, LANE_GROUPS = 4, MAX_UNITS_A_LANE = 16 };

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

/* Sectors of an atomic: each distinct one as often as the most lanes that share an address in it, that is,
 * once for each rank that a lane has among those of its address. */
static uint32_t atomic_units(const uint64_t addr[32], lane_mask mask, uint32_t shift, uint32_t distinct)
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

uint64_t model_count_global(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind)
{
    if (!mask || !bytes) return 0;
    if (rules->global_rule != EVENT_GLOBAL_UNITS) return model_global_old(rules, addr, mask, bytes, kind);
    uint32_t shift = kind == EVENT_KIND_LOAD ? rules->load_shift : rules->store_shift;
    uint32_t distinct = model_units(model_level(), addr, mask, shift, bytes);
    bool atomic = kind == EVENT_KIND_ATOM || kind == EVENT_KIND_RED;
    uint32_t units = atomic ? atomic_units(addr, mask, shift, distinct) : distinct;
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
