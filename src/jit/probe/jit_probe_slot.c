/* SPDX-License-Identifier: Apache-2.0 */
/* Counter slots, and additions to them. */
#include "jit_probe_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

uint32_t jit_count_new_slot(struct jit *jit)
{
    return jit->info.slot_count++;
}

uint32_t jit_count_spare(struct jit *jit)
{
    if (!jit->spare_slot) jit->spare_slot = jit_count_new_slot(jit) + 1;
    return jit->spare_slot - 1;
}

static LLVMValueRef place_of(struct jit *jit, uint32_t slot)
{
    if (!jit->counts_in_registers) return jit_offset(jit, jit->counters, 8ull * slot);
    LLVMValueRef at = map_get_u64(&jit->cached, JIT_COUNT_KEY(slot));
    if (at) return at;
    at = jit_launch_slot(jit, "count", 0);
    map_set_u64(&jit->cached, JIT_COUNT_KEY(slot), at);
    return at;
}

void jit_count_add(struct jit *jit, uint32_t slot, LLVMValueRef amount)
{
    LLVMValueRef at = place_of(jit, slot);
    LLVMValueRef sum = LLVMBuildAdd(jit->builder, LLVMBuildLoad2(jit->builder, jit->i64, at, ""), amount, "");
    LLVMBuildStore(jit->builder, sum, at);
}

struct event_slots *jit_count_slots(struct jit *jit, const struct ptx_instr *instr)
{
    return &jit->slots[instr - jit->function->instrs];
}
