/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers in regions (jit_emit_barrier.c), two warps at once (jit_emit_pair.c), frames (jit_emit_frame.c).
 */
#ifndef JIT_REGION_PRIV_H
#define JIT_REGION_PRIV_H

#include "jit/core/jit_core.h"

LLVMValueRef jit_frame_of(struct jit *jit, LLVMValueRef warp);
void jit_frame_copy(struct jit *jit, bool save);
void jit_frame_copy_reg(struct jit *jit, struct jit_reg *reg, bool save);

void jit_region_layout(struct jit *jit);
void jit_region_block_begin(struct jit *jit);
void jit_region_sweep_begin(struct jit *jit);
void jit_region_sweep_end(struct jit *jit, LLVMBasicBlockRef again, LLVMBasicBlockRef done);
enum sw_status jit_region_dispatch(struct jit *jit, LLVMBasicBlockRef start);
void jit_region_wait(struct jit *jit, const struct jit_block *block);
bool jit_pair_fits(struct jit *jit, struct jit_block *block); /* jit_emit_pair.c */
enum sw_status jit_pair_emit(struct jit *jit, uint32_t wait_point, struct jit_block *block,
                             LLVMBasicBlockRef alone);
void jit_region_barrier(struct jit *jit, struct jit_block *block);
void jit_region_exit(struct jit *jit);
#endif
