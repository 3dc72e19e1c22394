/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a compute capability, from its limits.
 *
 * Models: units of global loads and stores, the rules' generations (arch_limits.def), 4-byte banks. The
 * 8-byte bank mode of cc 3.x is a rule that a caller may set (bank_bytes = 8); programs may choose it,
 * GPUs start in the other one.
 *
 * Sources: arch_cc.def. */
#include "model/access/model_access.h"

static uint8_t log2_of(uint32_t power)
{
    return (uint8_t)__builtin_ctz(power);
}

struct event_rules model_rules(const struct arch_cc *cc)
{
    enum { TURING = 75, TEN = 10 }; /* documented: compute capability; the oldest looked at (ptx_uniform.c) */
    return (struct event_rules){.load_shift = log2_of(cc->load_segment),
                                .store_shift = log2_of(cc->store_segment),
                                .bank_bytes = 4,
                                .global_rule = (uint8_t)cc->global_rule,
                                .shared_rule = (uint8_t)cc->shared_rule,
                                .one_lane = cc->major * TEN + cc->minor >= TURING};
}
