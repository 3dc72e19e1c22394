/* SPDX-License-Identifier: Apache-2.0 */
/* model/access: what hardware does with a warp's accesses, as pure functions. They are the definition that
 * closed forms in compiled code are tested against, and they are what struct event_counters_fns holds.
 *
 * All take the address (or offset) of each lane, the lanes that count, and the bytes of one lane's access;
 * all return what struct event_counters_fns says, and 0 for no lane. Any thread. */
#ifndef MODEL_ACCESS_H
#define MODEL_ACCESS_H

#include "arch/arch.h"
#include "event/event_counter.h"

/* Coalescing and bank rules of a compute capability. */
struct event_rules model_rules(const struct arch_cc *cc);

/* Global memory: distinct units (sectors of 32 bytes, or lines) that the lanes touch.
 * RED (an atomic without result): lanes that update one address go one after another, each pass touching the
 * sector again. Ideal: ceil(lanes * bytes / unit), as if neighbours were packed, but never more than the
 * units. kind: enum event_access_kind. more: of atomics, the distinct units; before cc 2.0, the 32-byte
 * pieces that all segments move. */
uint64_t model_count_global(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind);

/* Local memory: sectors, with 4-byte words of the 32 lanes interleaved, so that equal offsets coalesce.
 * Ideal: all lanes at one offset: groups of 8 lanes with an active one, times words of the access. */
uint64_t model_count_local(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                           uint32_t bytes);

/* Shared memory: wavefronts, that is passes through the banks. Ideal: the passes without any conflict. more:
 * of EVENT_KIND_SPIN, the wavefronts of its loads. */
uint64_t model_count_shared(const struct event_rules *rules, const uint64_t offset[32], lane_mask mask,
                            uint32_t bytes, uint32_t kind);

/* Constant memory and parameters: one address at a time; 16-byte accesses are two of 8 bytes (ptxas makes
 * them so). Ideal: one address. */
uint64_t model_count_constant(const struct event_rules *rules, const uint64_t addr[32], lane_mask mask,
                              uint32_t bytes);

static inline uint64_t model_pack(uint32_t units, uint32_t ideal)
{
    return (uint64_t)ideal << 32 | units;
}
static inline uint64_t model_pack_more(uint32_t units, uint32_t ideal, uint32_t more)
{
    return (uint64_t)more << 48 | model_pack(units, ideal);
}
#endif
