/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes that wait at blocks, and go on (jit_core_frontier.c, jit_core_schedule.c); ends of blocks
 * (jit_core_end.c). */
#ifndef JIT_FRONTIER_PRIV_H
#define JIT_FRONTIER_PRIV_H

#include "jit/core/jit_build.h"

void jit_emit_end(struct jit *jit, struct jit_block *block);
void jit_edge(struct jit *jit, struct jit_block *block, uint32_t target);
void jit_go_elsewhere(struct jit *jit, struct jit_block *block, uint32_t target, LLVMValueRef lanes);
void jit_chain_from_first(struct jit *jit, const uint64_t *waiting);
void jit_chain_round_robin(struct jit *jit, const uint64_t *waiting, LLVMValueRef cursor);
void jit_enter_waiting(struct jit *jit, uint32_t block); /* with the lanes that wait there */

LLVMValueRef jit_waiting_at(struct jit *jit, uint32_t block);
void jit_wait_at(struct jit *jit, uint32_t block, LLVMValueRef lanes);
void jit_clear_waiting(struct jit *jit, uint32_t block);

/* At the end of a block: the set of blocks where lanes wait, its frontier at first; lanes go to one more
 * block, unless they exit; the warp goes on with the first block of the set that has lanes, at the latest
 * with `last`. */
uint64_t *jit_waiting_set(struct jit *jit, const struct jit_block *block);
void jit_send(struct jit *jit, uint64_t *waiting, uint32_t target, LLVMValueRef lanes);
void jit_chain(struct jit *jit, const struct jit_block *block, const uint64_t *waiting, uint32_t last);
bool jit_closes_waiting_loop(const struct jit *jit, const struct jit_block *block, uint32_t target);

/* ---- by bits, where masks lie in the frame (jit_core_schedule.c) */
void jit_schedule_note(struct jit *jit, LLVMValueRef frame, LLVMValueRef block, LLVMValueRef lanes);
void jit_schedule_forget(struct jit *jit, uint32_t block);
void jit_schedule_if_any(struct jit *jit, const uint64_t *waiting, uint32_t from, uint32_t to);
void jit_schedule_from(struct jit *jit, uint32_t first);
void jit_schedule_round_robin(struct jit *jit, LLVMValueRef cursor);

static inline LLVMValueRef is_zero(struct jit *jit, LLVMValueRef mask)
{
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, mask, jit_const(jit, 32, 0), "");
}
#endif
