/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a block.
 *
 * Region form, where each barrier is met by all live lanes of a warp together and all threads of the block
 * take part: a warp that arrives saves the registers that live on into its frame, notes the wait point in
 * frame.state and lets the next warp run. When every warp has arrived or ended, the sweep is over and so is
 * the barrier: the next sweep goes on from the noted wait points.
 *
 *   frame:  state (0 not started, k waits at wait point k, -1 ended) | live lanes | registers
 *
 * Limits: everything else is jit_emit_suspend.c's. */
#include "jit_collective_priv.h"
#include "jit_misuse_priv.h"
#include "jit_region_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_shadow.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_mask.h"

enum { FRAME_STATE = 0, FRAME_MASK = 4, FRAME_REGS = 64 };

void jit_region_layout(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit->blocks[b].end == JIT_END_BARRIER) jit->blocks[b].wait_point = ++jit->wait_point_count;
    if (!jit->wait_point_count) return;
    jit->info.frame_bytes = jit_frame_registers(jit, FRAME_REGS);
    jit_changed_build(jit);
    jit->any_waits = jit_slot(jit, jit->i32, "any_waits");
    jit_misuse_layout(jit);
}

/* No warp of the block has started. */
void jit_region_block_begin(struct jit *jit)
{
    if (!jit->wait_point_count) return;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder);
    LLVMBasicBlockRef loop = jit_new_block(jit, "clear"), end = jit_new_block(jit, "cleared");
    jit_misuse_block_begin(jit);
    LLVMBuildBr(jit->builder, loop);
    jit_position(jit, loop);
    LLVMValueRef warp = LLVMBuildPhi(jit->builder, jit->i32, ""), zero = jit_const(jit, 32, 0);
    LLVMBuildStore(jit->builder, zero, jit_offset(jit, jit_frame_of(jit, warp), FRAME_STATE));
    jit_misuse_clear(jit, jit_frame_of(jit, warp));
    LLVMValueRef next = LLVMBuildAdd(jit->builder, warp, jit_const(jit, 32, 1), "");
    LLVMValueRef values[] = {zero, next};
    LLVMBasicBlockRef from[] = {before, loop};
    LLVMAddIncoming(warp, values, from, 2);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, next, jit->warp_count, ""), loop, end, false);
    jit_position(jit, end);
}

void jit_region_sweep_begin(struct jit *jit)
{
    if (!jit->wait_point_count) return;
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), jit->any_waits);
    jit_misuse_sweep_begin(jit);
}

void jit_region_sweep_end(struct jit *jit, LLVMBasicBlockRef again, LLVMBasicBlockRef done)
{
    if (!jit->wait_point_count) {
        LLVMBuildBr(jit->builder, done);
        return;
    }
    jit_misuse_sweep_end(jit);
    LLVMValueRef waits = LLVMBuildLoad2(jit->builder, jit->i32, jit->any_waits, "");
    LLVMValueRef some = LLVMBuildICmp(jit->builder, LLVMIntNE, waits, jit_const(jit, 32, 0), "");
    jit_shadow_order(jit, jit_const(jit, 32, 0), jit_const(jit, 32, UINT32_MAX), JIT_ORDER_BLOCK, NULL);
    jit_branch(jit, some, again, done, false);
}

/* Of the registers that live on at `next`: at the end of `from` what must be saved, with NULL all back. */
static void copy_live(struct jit *jit, const struct jit_block *from, const struct jit_block *next)
{
    bool save = from != NULL;
    for (uint32_t r = 0; r < jit->reg_count; r++)
        if (jit_lives(jit, next->live_in, r) && (!save || jit_lives(jit, from->changed, r)))
            jit_frame_copy_reg(jit, &jit->regs[r], save);
    if (!next->lossy) return;
    LLVMValueRef at = jit_offset(jit, jit->frame, FRAME_MASK);
    LLVMValueRef value = LLVMBuildLoad2(jit->builder, jit->i32, save ? jit->active : at, "");
    LLVMBuildStore(jit->builder, value, save ? at : jit->active);
}

static void set_state(struct jit *jit, uint32_t state)
{
    LLVMBuildStore(jit->builder, jit_const(jit, 32, state), jit_offset(jit, jit->frame, FRAME_STATE));
}

static void wait_at(struct jit *jit, uint32_t wait_point)
{
    set_state(jit, wait_point);
    jit_misuse_warp_waits(jit, wait_point);
    LLVMBuildStore(jit->builder, jit_const(jit, 32, wait_point), jit->any_waits);
}

void jit_region_barrier(struct jit *jit, struct jit_block *block)
{
    jit_record_barrier(jit, &jit->function->instrs[block->last - 1], jit_mask_active(jit));
    copy_live(jit, block, &jit->blocks[block->succ[0]]);
    wait_at(jit, block->wait_point);
    LLVMBuildBr(jit->builder, jit->warp_latch);
}

/* The same for a whole warp whose registers are in its frame. */
void jit_region_wait(struct jit *jit, const struct jit_block *block)
{
    if (jit->blocks[block->succ[0]].lossy)
        LLVMBuildStore(jit->builder, jit_const(jit, 32, UINT32_MAX), jit_offset(jit, jit->frame, FRAME_MASK));
    wait_at(jit, block->wait_point);
}

/* The end of the warp. */
void jit_region_exit(struct jit *jit)
{
    jit_collectives_at_end(jit, NULL);
    jit_record_end(jit);
    if (jit->wait_point_count) set_state(jit, UINT32_MAX);
    LLVMBuildBr(jit->builder, jit->warp_latch);
}

/* Where does this warp go on? */
enum sw_status jit_region_dispatch(struct jit *jit, LLVMBasicBlockRef start)
{
    if (!jit->wait_point_count) {
        LLVMBuildBr(jit->builder, start);
        return SW_OK;
    }
    LLVMValueRef state =
        LLVMBuildLoad2(jit->builder, jit->i32, jit_offset(jit, jit->frame, FRAME_STATE), "state");
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, state, jit->warp_latch, jit->wait_point_count + 1);
    LLVMAddCase(branch, jit_const(jit, 32, 0), start);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        if (!block->wait_point) continue;
        LLVMBasicBlockRef restore = jit_new_block(jit, "go_on");
        LLVMAddCase(branch, jit_const(jit, 32, block->wait_point), restore);
        jit_position(jit, restore);
        struct jit_block *next = &jit->blocks[block->succ[0]];
        if (jit_pair_fits(jit, next))
            SW_TRY(jit_pair_emit(jit, block->wait_point, next, jit_new_block(jit, "alone")));
        LLVMBuildStore(jit->builder, jit->live_mask, jit->active);
        copy_live(jit, NULL, next);
        LLVMBuildBr(jit->builder, next->entry);
    }
    return SW_OK;
}
