/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at how barriers and operations of a warp are used, where the tool asks for them (jit_emit_misuse.c).
 */
#ifndef JIT_MISUSE_PRIV_H
#define JIT_MISUSE_PRIV_H

#include "jit/core/jit_core.h"

/* `lanes` wait at the barrier that ends the block; `rest`, which ran with them, does not. */
void jit_misuse_arrive(struct jit *jit, const struct jit_block *block, LLVMValueRef lanes, LLVMValueRef rest);
/* All that barrier `id` needs are there, and go on next. */
void jit_misuse_release(struct jit *jit, LLVMValueRef id);
/* Where whole warps reach each barrier: warps that wait at different ones. */
void jit_misuse_layout(struct jit *jit);
void jit_misuse_block_begin(struct jit *jit);
void jit_misuse_clear(struct jit *jit, LLVMValueRef frame); /* of a warp that has not started */
void jit_misuse_sweep_begin(struct jit *jit);
void jit_misuse_warp_waits(struct jit *jit, uint32_t wait_point); /* before any_waits says so */
void jit_misuse_sweep_end(struct jit *jit);
/* At the start of a block, in either form: the warp may have left out a barrier. */
void jit_misuse_enter(struct jit *jit, const struct jit_block *block);
/* What jit_collective_state.force is at a fence. */
uint32_t jit_misuse_force(struct jit *jit, const struct jit_block *fence);
#endif
