/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over a warp's lanes that the compiler turns into vector code: four 64-bit lanes at a time, in clones
 * for each level of x86-64. A plain loop with "is lane on" inside is not vectorised and costs five times as
 * much. */
#ifndef MODEL_LANES_PRIV_H
#define MODEL_LANES_PRIV_H

#include "model/access/model_access.h"

typedef uint64_t model_lanes __attribute__((vector_size(32), aligned(8)));
enum { MODEL_LANES = 4, MODEL_STEPS = 32 / MODEL_LANES }; /* implementation: of a vector */

static const model_lanes MODEL_LANE_BIT = {1, 2, 4, 8}; /* definition */

/* All ones in the lanes of step k that are in mask. */
#define MODEL_ON(mask, k) ((model_lanes)((((uint64_t)(mask) >> ((k) * MODEL_LANES)) & MODEL_LANE_BIT) != 0))
#define MODEL_OR(v)       ((v)[0] | (v)[1] | (v)[2] | (v)[3])

/* What the active lanes of a warp have in common: all values ORed, and the bits of the 64 units from `first`
 * on that they fall in; outside: 0 when all fall there. */
struct model_window {
    uint64_t any, inside, outside;
};
struct model_window model_window(const uint64_t value[32], lane_mask mask, uint32_t shift, uint64_t first);
bool model_all_equal(const uint64_t value[32], lane_mask mask);
/* Distinct values of value >> shift among the active lanes, and all values ORed (model_spread.c). distinct
 * holds unless they are far from each other. */
enum model_level { MODEL_PLAIN, MODEL_AVX2, MODEL_AVX512 };
struct model_spread {
    uint64_t any;
    bool far;
    uint32_t distinct;
};
enum model_level model_level(void); /* the best one of this processor */
struct model_spread model_spread(enum model_level level, const uint64_t value[32], lane_mask mask,
                                 uint32_t shift);
struct model_spread model_spread_plain(const uint64_t value[32], lane_mask mask, uint32_t shift);

/* Wavefronts before cc 5.0 (model_banks_old.c); transactions before cc 3.0 (model_segments.c). */
uint64_t model_shared_old(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                          uint32_t bytes);
uint64_t model_global_old(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                          uint32_t bytes, uint32_t kind);

/* ---- model_units.c */
/* Sectors of an atomic, of which so many are distinct: each of these as often as the most lanes that share an
 * address in it. */
uint32_t model_atomic_units(const uint64_t addr[32], lane_mask mask, uint32_t shift, uint32_t distinct);
/* Distinct units of an access that has an active lane. */
uint32_t model_units(enum model_level level, const uint64_t addr[32], lane_mask mask, uint32_t shift,
                     uint32_t bytes);
#endif
