/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that may stop anywhere (jit_emit_suspend.c, jit_emit_spin.c), between rounds (jit_emit_sweep.c);
 * MXCSR (jit_core_flush.c). */
#ifndef JIT_SUSPEND_PRIV_H
#define JIT_SUSPEND_PRIV_H

#include "jit/core/jit_core.h"

void jit_suspend_step_begin(struct jit *jit);
void jit_suspend_sweep_begin(struct jit *jit);
void jit_suspend_sweep_end(struct jit *jit, LLVMBasicBlockRef again);
void jit_suspend_dispatch(struct jit *jit, LLVMBasicBlockRef start);
void jit_suspend_barrier(struct jit *jit, struct jit_block *block);
void jit_suspend_spin(struct jit *jit, const struct jit_block *block);
void jit_suspend_give_way(struct jit *jit); /* stops; the sweep sees that lanes of this warp can go on */
void jit_suspend_exit(struct jit *jit);
void jit_suspend_stop(struct jit *jit);
void jit_suspend_run(struct jit *jit, LLVMValueRef step);

void jit_flush_begin(struct jit *jit);
void jit_flush_end(struct jit *jit);
#endif
