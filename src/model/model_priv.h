/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over a warp's lanes that the compiler turns into vector code: eight 64-bit lanes at a time, in clones
 * for each level of x86-64. A plain loop with "is lane on" inside is not vectorised and costs five times as
 * much. */
#ifndef MODEL_PRIV_H
#define MODEL_PRIV_H

#include "model/model.h"

typedef uint64_t model_lanes __attribute__((vector_size(64), aligned(8)));
enum { MODEL_LANES = 8, MODEL_STEPS = 32 / MODEL_LANES };

static const model_lanes MODEL_LANE_BIT = {1, 2, 4, 8, 16, 32, 64, 128};

/* All ones in the lanes of step k that are in mask. */
#define MODEL_ON(mask, k) ((model_lanes)((((uint64_t)(mask) >> ((k) * MODEL_LANES)) & MODEL_LANE_BIT) != 0))
#define MODEL_OR(v)       ((v)[0] | (v)[1] | (v)[2] | (v)[3] | (v)[4] | (v)[5] | (v)[6] | (v)[7])

/* What the active lanes of a warp have in common: all values ORed, and the bits of the 64 units from `first`
 * on that they fall in; outside: 0 when all fall there. */
struct model_window {
    uint64_t any, inside, outside;
};
struct model_window model_window(const uint64_t value[32], lane_mask mask, uint32_t shift, uint64_t first);
bool model_all_equal(const uint64_t value[32], lane_mask mask);
bool model_strictly_monotone(const uint64_t value[32], lane_mask mask, uint32_t shift);
/* Distinct values of (value >> shift) - first among the active lanes; all must fit in 32 bits. */
uint32_t model_distinct(const uint64_t value[32], lane_mask mask, uint32_t shift, uint64_t first);
/* All of that at once, on CPUs that have AVX-512's search for conflicts. distinct holds when far is 0: then
 * all keys, value >> shift, have the same high 32 bits. */
struct model_spread {
    uint64_t any, far;
    uint32_t distinct;
};
bool model_has_conflicts(void);
struct model_spread model_spread(const uint64_t value[32], lane_mask mask, uint32_t shift);

/* Wavefronts before cc 5.0 (model_banks_old.c); transactions before cc 3.0 (model_segments.c). */
uint64_t model_shared_old(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                          uint32_t bytes);
uint64_t model_global_old(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                          uint32_t bytes, uint32_t kind);

/* Distinct units of an access that has an active lane; conflicts: with model_spread (model_coalesce.c). */
uint32_t model_units(const uint64_t addr[32], lane_mask mask, uint32_t shift, uint32_t bytes, bool conflicts);
#endif
