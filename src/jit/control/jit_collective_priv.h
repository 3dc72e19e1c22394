/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives (jit_emit_collective.c) and the state that their lanes share while they wait for each other
 * (jit_emit_collective_state.c). */
#ifndef JIT_COLLECTIVE_PRIV_H
#define JIT_COLLECTIVE_PRIV_H

#include "jit/core/jit_build.h"

void jit_collectives_begin_warp(struct jit *jit);
LLVMValueRef jit_collectives_parked(struct jit *jit);
void jit_collectives_unpark(struct jit *jit, LLVMValueRef lanes);
void jit_collectives_at_end(struct jit *jit, LLVMBasicBlockRef waits_for_others);
enum sw_status jit_emit_collective_block(struct jit *jit, struct jit_block *block);
void jit_emit_fence_check(struct jit *jit, struct jit_block *block);
LLVMValueRef jit_suspend_waiting(struct jit *jit);   /* lanes at barriers */
LLVMValueRef jit_waiting_at_blocks(struct jit *jit); /* others: they can run, or are parked */
LLVMValueRef jit_waiting_by_frame(struct jit *jit, LLVMValueRef frame); /* the same, of a warp that stopped */
LLVMValueRef jit_collective_field(struct jit *jit, size_t offset);      /* of struct jit_collective_state */
#define FIELD(jit, name) jit_collective_field(jit, offsetof(struct jit_collective_state, name))

static inline void put(struct jit *jit, LLVMValueRef at, LLVMValueRef value)
{
    LLVMBuildStore(jit->builder, value, at);
}

static inline LLVMValueRef without(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(jit->builder, a, LLVMBuildNot(jit->builder, b, ""), "");
}
#endif
