/* SPDX-License-Identifier: Apache-2.0 */
/* Back edges of loops where a warp may stop. */
#include "jit_suspend_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"
#include "jit/probe/jit_probe.h"

void jit_suspend_give_way(struct jit *jit)
{
    LLVMBuildStore(jit->builder, num(jit, 1), jit->any_waits);
    LLVMBuildBr(jit->builder, jit->stop);
}

/* i1: it is time to give way, in a loop that waits. */
static LLVMValueRef spun_enough(struct jit *jit)
{
    LLVMValueRef turn = LLVMBuildLoad2(jit->builder, jit->i32, jit->spin_count, "");
    turn = LLVMBuildAdd(jit->builder, turn, num(jit, 1), "");
    LLVMBuildStore(jit->builder, turn, jit->spin_count);
    LLVMValueRef low = LLVMBuildAnd(jit->builder, turn, num(jit, SPIN_ITERATIONS - 1), "");
    return equal(jit, low, num(jit, 0));
}

/* At a back edge of a loop, with all lanes in masks: give way now and then where it waits, and where it makes
 * requests when the warp has made those of its round. */
void jit_suspend_spin(struct jit *jit, const struct jit_block *block)
{
    LLVMValueRef enough = block->spins ? spun_enough(jit) : jit_const(jit, 1, 0);
    if (jit_records(jit)) enough = LLVMBuildOr(jit->builder, enough, jit_record_round_over(jit), "");
    LLVMBasicBlockRef stop = jit_new_block(jit, "stop"), stay = jit_new_block(jit, "");
    jit_branch(jit, enough, stop, stay, false);
    jit_position(jit, stop);
    jit_suspend_give_way(jit);
    jit_position(jit, stay);
}
