/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that may stop anywhere: barriers that part of a warp reaches, named and counted ones, reductions over
 * a block, and loops that wait for other warps or blocks.
 *
 * A warp that stops saves every register that lives across blocks, and the masks of its blocks, in its frame;
 * going on restores them and jumps to the first block that has lanes. What happens between the sweeps of a
 * block's warps is jit_emit_sweep.c's.
 *
 * A waiting loop gives way every 16th time round, and every second time the warp then goes on at another
 * block that has lanes instead of the first, each in turn: lanes that wait for each other all make progress.
 * Limits: slower than the region form: stopping saves all registers, not only those that live on from that
 * point. */
#include "jit_collective_priv.h"
#include "jit_frontier_priv.h"
#include "jit_misuse_priv.h"
#include "jit_points_priv.h"
#include "jit_region_priv.h"
#include "jit_suspend_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/emit/jit_emit.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"

#include <stddef.h>

/* The wait point of the block's barrier for number `id`. Of one that is none of the 16: the first, which
 * never has it. */
static LLVMValueRef wait_point_index(struct jit *jit, const struct jit_block *block, LLVMValueRef id)
{
    LLVMValueRef first = num(jit, block->wait_point - 1);
    if (jit_barrier_wait_points(jit, block) == 1) return first;
    LLVMValueRef known = LLVMBuildICmp(jit->builder, LLVMIntULT, id, num(jit, NUMBERED), "");
    return LLVMBuildAdd(jit->builder, first, choose(jit, known, id, num(jit, 0)), "");
}

static LLVMValueRef predicate_mask(struct jit *jit, const struct ptx_operand *operand)
{
    struct jit_value value = jit_operand(jit, operand, 1);
    if (value.repr == JIT_SCALAR) return LLVMBuildSExt(jit->builder, value.scalar, jit->i32, "");
    return value.repr == JIT_ROWS ? jit_rows_mask(jit, &value) : jit_mask_join(jit, value.part);
}

/* Lanes that name the same barrier and count join those that wait for it; of several counts the largest
 * holds. votes: lanes whose predicate is true, or NULL. */
static void wait_with(struct jit *jit, const struct jit_block *block, const struct jit_agreeing *some,
                      LLVMValueRef votes)
{
    LLVMValueRef index = wait_point_index(jit, block, some->id);
    LLVMValueRef wait_point = jit_point_at(jit, jit->frame, index);
    LLVMValueRef others = load32(jit, wait_point, WAIT_LANES), alone = equal(jit, others, num(jit, 0));
    LLVMValueRef lanes = LLVMBuildOr(jit->builder, others, some->lanes, "");
    store32(jit, wait_point, WAIT_LANES, lanes);
    jit_point_note(jit, jit->frame, index, lanes);
    store32(jit, wait_point, WAIT_ID, some->id);
    LLVMValueRef most = choose(jit, alone, num(jit, 0), load32(jit, wait_point, WAIT_COUNT));
    LLVMValueRef more = LLVMBuildICmp(jit->builder, LLVMIntUGT, some->count, most, "");
    store32(jit, wait_point, WAIT_COUNT, choose(jit, more, some->count, most));
    if (!votes) return;
    LLVMValueRef kept = LLVMBuildAnd(jit->builder, load32(jit, wait_point, WAIT_PREDICATES),
                                     LLVMBuildNot(jit->builder, some->lanes, ""), "");
    LLVMValueRef fresh = LLVMBuildAnd(jit->builder, votes, some->lanes, "");
    store32(jit, wait_point, WAIT_PREDICATES, LLVMBuildOr(jit->builder, kept, fresh, ""));
}

static void wait_at(struct jit *jit, const struct jit_barrier *barrier, const struct jit_block *block,
                    LLVMValueRef lanes)
{
    LLVMValueRef votes = barrier->predicate ? predicate_mask(jit, barrier->predicate) : NULL;
    struct jit_agreeing some = jit_agreeing_begin(jit, barrier->id, barrier->count, lanes);
    wait_with(jit, block, &some, votes);
    jit_agreeing_end(jit, &some);
}

/* Masks of the blocks where the warp goes on, between their slots and the frame. */
static void copy_masks(struct jit *jit, bool save)
{
    if (jit_registers_in_frame(jit)) return;
    uint64_t *set = jit_resume_set(jit);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!block->mask) continue;
        LLVMValueRef at = jit_offset(jit, jit->frame, block->mask_offset), zero = num(jit, 0);
        bool kept = jit_bit(set, b);
        if (save && kept)
            LLVMBuildStore(jit->builder, LLVMBuildLoad2(jit->builder, jit->i32, block->mask, ""), at);
        else if (!save)
            LLVMBuildStore(jit->builder, kept ? LLVMBuildLoad2(jit->builder, jit->i32, at, "") : zero,
                           block->mask);
    }
}

void jit_suspend_stop(struct jit *jit)
{
    jit_position(jit, jit->stop);
    copy_masks(jit, true);
    jit_frame_copy(jit, true);
    jit_record_warp(jit, true);
    LLVMBuildBr(jit->builder, jit->warp_latch);
}

void jit_suspend_barrier(struct jit *jit, struct jit_block *block)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    struct jit_barrier barrier = jit_barrier_read(instr);
    uint32_t next = block->succ[0];
    LLVMValueRef lanes = jit_mask_active(jit), scalar, active = lanes;
    jit->instr = instr;
    if (instr->guard != PTX_NO_REG) jit_mask_guard(jit, instr, &lanes, &scalar);
    jit_record_barrier(jit, instr, lanes);
    wait_at(jit, &barrier, block, lanes);
    LLVMValueRef rest = LLVMBuildAnd(jit->builder, active, LLVMBuildNot(jit->builder, lanes, ""), "");
    jit_misuse_arrive(jit, block, lanes, rest);
    jit_go_elsewhere(jit, block, instr->guard != PTX_NO_REG ? next : PTX_NO_BLOCK, rest);
}

/* Round robin, a warp may go on at a collective that lanes at earlier blocks have not reached: these can run,
 * though a search from there finds nobody. */
static void give_way_to_earlier(struct jit *jit)
{
    LLVMBasicBlockRef some = jit_new_block(jit, "earlier"), none = jit_new_block(jit, "");
    LLVMValueRef lanes = without(jit, jit_waiting_at_blocks(jit), jit_collectives_parked(jit));
    jit_branch(jit, is_zero(jit, lanes), none, some, true);
    jit_position(jit, some);
    jit_suspend_give_way(jit);
    jit_position(jit, none);
}

void jit_suspend_exit(struct jit *jit)
{
    LLVMBasicBlockRef over = jit_new_block(jit, "");
    jit_collectives_at_end(jit, over);
    LLVMBuildBr(jit->builder, over);
    jit_position(jit, over);
    if (jit->info.spins && jit->has_collectives) give_way_to_earlier(jit);
    LLVMValueRef ended = LLVMBuildNot(jit->builder, jit_points_any(jit, jit->frame), "");
    if (jit->has_collectives)
        ended = LLVMBuildAnd(jit->builder, ended, is_zero(jit, jit_collectives_parked(jit)), "");
    store32(jit, jit->frame, FRAME_STATE, choose(jit, ended, num(jit, STATE_ENDED), num(jit, STATE_ALIVE)));
    LLVMBasicBlockRef end = jit_new_block(jit, "");
    jit_branch(jit, ended, end, jit->stop, false);
    jit_position(jit, end);
    jit_record_end(jit);
    LLVMBuildBr(jit->builder, jit->warp_latch);
}

void jit_suspend_dispatch(struct jit *jit, LLVMBasicBlockRef start)
{
    LLVMBasicBlockRef go_on = jit_new_block(jit, "go_on"), round_robin = jit_new_block(jit, "round_robin"),
                      forward = jit_new_block(jit, "forward"), first = jit_new_block(jit, "first");
    LLVMValueRef state = load32(jit, jit->frame, FRAME_STATE);
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, state, jit->warp_latch, 2);
    LLVMAddCase(branch, num(jit, STATE_NEW), first);
    LLVMAddCase(branch, num(jit, STATE_ALIVE), go_on);
    jit_position(jit, first);
    store32(jit, jit->frame, FRAME_STATE, num(jit, STATE_ALIVE));
    jit_record_warp(jit, false);
    LLVMBuildBr(jit->builder, start);
    jit_position(jit, go_on);
    jit_record_warp(jit, false);
    uint64_t *set = jit_resume_set(jit);
    copy_masks(jit, false);
    jit_frame_copy(jit, false);
    LLVMValueRef steps = load32(jit, jit->frame, FRAME_STEP);
    store32(jit, jit->frame, FRAME_STEP, LLVMBuildAdd(jit->builder, steps, num(jit, 1), ""));
    LLVMValueRef odd = LLVMBuildTrunc(jit->builder, steps, jit->i1, "");
    LLVMValueRef independent = jit_ctx_load(jit, offsetof(struct jit_ctx, lanes_independent), jit->i32);
    odd = LLVMBuildAnd(jit->builder, odd, LLVMBuildTrunc(jit->builder, independent, jit->i1, ""), "");
    if (!jit->info.spins) odd = jit_const(jit, 1, 0);
    jit_branch(jit, odd, round_robin, forward, false);
    jit_position(jit, round_robin);
    jit_chain_round_robin(jit, set, jit_offset(jit, jit->frame, FRAME_NEXT));
    jit_position(jit, forward);
    jit_chain_from_first(jit, set);
}
