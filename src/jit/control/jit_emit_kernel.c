/* SPDX-License-Identifier: Apache-2.0 */
/* The loops around a warp's code:
 *
 *   softwarp_run(ctx, first, count)
 *     launch: fields of ctx, parameters
 *     for each block                    ctaid
 *       for each sweep  only with barriers: until no warp waits
 *         for each warp                 frame, thread indices; where it goes on (jit_emit_barrier.c)
 *           the kernel's blocks
 *
 * Everything is one function, so that LLVM moves what does not change out of the loops.
 * Limits: at most 1024 threads a block. */
#include "jit_collective_priv.h"
#include "jit_frontier_priv.h"
#include "jit_misuse_priv.h"
#include "jit_region_priv.h"
#include "jit_suspend_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/control/jit_control.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/emit/jit_emit.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

static void load_launch(struct jit *jit)
{
    jit->params = jit_ctx_load(jit, offsetof(struct jit_ctx, params), jit->ptr);
    jit->shared = jit_ctx_load(jit, offsetof(struct jit_ctx, shared), jit->ptr);
    jit->local = jit_ctx_load(jit, offsetof(struct jit_ctx, local), jit->ptr);
    jit->frames = jit_ctx_load(jit, offsetof(struct jit_ctx, frames), jit->ptr);
    jit->symbols = jit_ctx_load(jit, offsetof(struct jit_ctx, symbols), jit->ptr);
    jit->counters = jit_ctx_load(jit, offsetof(struct jit_ctx, counters), jit->ptr);
    jit->helpers = jit_ctx_load(jit, offsetof(struct jit_ctx, helpers), jit->ptr);
    for (unsigned i = 0; i < 3; i++) {
        jit->grid_dim[i] = jit_ctx_load(jit, offsetof(struct jit_ctx, grid) + 4 * i, jit->i32);
        jit->block_dim[i] = jit->ntid[i]
                                ? jit_const(jit, 32, jit->ntid[i])
                                : jit_ctx_load(jit, offsetof(struct jit_ctx, block) + 4 * i, jit->i32);
    }
    LLVMValueRef plane = LLVMBuildMul(jit->builder, jit->block_dim[0], jit->block_dim[1], "");
    jit->thread_count = LLVMBuildMul(jit->builder, plane, jit->block_dim[2], "");
    LLVMValueRef up = LLVMBuildAdd(jit->builder, jit->thread_count, jit_const(jit, 32, 31), "");
    jit->warp_count = LLVMBuildLShr(jit->builder, up, jit_const(jit, 32, 5), "");
}

static LLVMValueRef slot32(struct jit *jit, const char *name)
{
    return jit_slot(jit, jit->i32, name);
}

/* Block number to coordinates, x fastest. */
static void first_block(struct jit *jit, LLVMValueRef first, LLVMValueRef *at)
{
    LLVMValueRef x = LLVMBuildZExt(jit->builder, jit->grid_dim[0], jit->i64, "");
    LLVMValueRef y = LLVMBuildZExt(jit->builder, jit->grid_dim[1], jit->i64, "");
    LLVMValueRef rows = LLVMBuildUDiv(jit->builder, first, x, "");
    at[0] = LLVMBuildURem(jit->builder, first, x, "");
    at[1] = LLVMBuildURem(jit->builder, rows, y, "");
    at[2] = LLVMBuildUDiv(jit->builder, rows, y, "");
    for (unsigned i = 0; i < 3; i++)
        at[i] = LLVMBuildTrunc(jit->builder, at[i], jit->i32, "");
}

static void next_block(struct jit *jit, LLVMValueRef *at)
{
    LLVMValueRef zero = jit_const(jit, 32, 0), carry = jit->group ? jit->group : jit_const(jit, 32, 1);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef first = i == 0 && jit->group ? jit->group_x : jit->ctaid[i];
        LLVMValueRef sum = LLVMBuildAdd(jit->builder, first, carry, "");
        at[i] = sum;
        if (i == 2) break;
        LLVMValueRef over = LLVMBuildICmp(jit->builder, LLVMIntEQ, sum, jit->grid_dim[i], "");
        at[i] = LLVMBuildSelect(jit->builder, over, zero, sum, "");
        carry = LLVMBuildZExt(jit->builder, over, jit->i32, "");
    }
}

static void store_field(struct jit *jit, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(jit->builder, value, jit_offset(jit, jit->ctx, offset));
}

/* Lanes of the warp that have a thread. */
static LLVMValueRef initial_mask(struct jit *jit)
{
    LLVMValueRef all = jit_const(jit, 32, UINT32_MAX);
    if (jit->full_warps) return all;
    LLVMValueRef first = LLVMBuildShl(jit->builder, jit->warp, jit_const(jit, 32, 5), "");
    LLVMValueRef left = LLVMBuildSub(jit->builder, jit->thread_count, first, "");
    LLVMValueRef some = LLVMBuildSub(
        jit->builder, LLVMBuildShl(jit->builder, jit_const(jit, 32, 1), left, ""), jit_const(jit, 32, 1), "");
    LLVMValueRef full = LLVMBuildICmp(jit->builder, LLVMIntUGE, left, jit_const(jit, 32, 32), "");
    return LLVMBuildSelect(jit->builder, full, all, some, "");
}

static void begin_warp(struct jit *jit)
{
    store_field(jit, offsetof(struct jit_ctx, warp), jit->warp);
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, jit->warp, jit->i64, "");
    LLVMValueRef local =
        LLVMBuildMul(jit->builder, wide, jit_const(jit, 64, 32ull * jit->info.local_bytes), "");
    jit->warp_local = LLVMBuildGEP2(jit->builder, jit->i8, jit->local, &local, 1, "");
    jit->live_mask = initial_mask(jit);
    if (jit->wait_point_count || jit->suspends) jit->frame = jit_frame_of(jit, jit->warp);
}

/* Registers zero, nobody waits, the lanes of the warp at the first block. */
static void start_warp(struct jit *jit)
{
    jit_regs_reset(jit);
    jit_stack_begin(jit);
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit->blocks[b].mask) LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), jit->blocks[b].mask);
    jit_collectives_begin_warp(jit);
    LLVMBuildStore(jit->builder, jit->live_mask, jit->active);
    LLVMBuildBr(jit->builder, jit->blocks[0].entry);
}

/* Slots of the masks of all blocks where lanes may wait; resumes: and of those where a stopped warp goes on.
 */
static void make_masks(struct jit *jit, const uint64_t *resumes)
{
    uint64_t *waits = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t w = 0; w < jit->block_words && resumes; w++)
        waits[w] = resumes[w];
    for (uint32_t b = 0; b + 1 < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        for (uint32_t w = 0; w < jit->block_words; w++)
            waits[w] |= block->frontier[w];
        if (jit->has_collectives &&
            (block->end == JIT_END_COLLECTIVE || jit_any_bit(block->parked_before, jit->block_words)))
            jit_bit_set(waits, b);
        for (uint32_t s = 0; s < block->succ_count && block->divergent; s++)
            jit_bit_set(waits, block->succ[s]);
    }
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        if (jit_bit(waits, b)) jit->blocks[b].mask = jit_mask_alloca(jit);
}

static void make_collective_state(struct jit *jit)
{
    if (!jit->has_collectives) return;
    jit->collective =
        jit_slot(jit, LLVMArrayType2(jit->i8, sizeof(struct jit_collective_state)), "collective");
    LLVMSetAlignment(jit->collective, 64);
}

static void mark_crossing(struct jit *jit)
{
    for (uint32_t r = 0; r < jit->reg_count; r++)
        jit->regs[r].crosses = jit->crossing[r] != JIT_STAYS;
}

static enum sw_status emit_instrs(struct jit *jit, const struct jit_block *block)
{
    for (uint32_t i = block->first; i < block->last;) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        unsigned run = jit_double_run(jit, i, block->last);
        SW_TRY(run ? jit_emit_double_run(jit, instr, run) : jit_emit_instr(jit, instr));
        i += run ? run : 1;
    }
    return SW_OK;
}

static enum sw_status emit_warp_code(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++) {
        struct jit_block *block = &jit->blocks[b];
        jit_position(jit, block->entry);
        jit->block = block;
        jit->epoch++;
        jit->mask_now = NULL;
        jit->mask_parts[0] = NULL;
        if (jit->has_collectives && block->fence && jit_any_bit(block->parked_before, jit->block_words))
            jit_emit_fence_check(jit, block);
        jit_misuse_enter(jit, block);
        if (jit->has_collectives && block->end == JIT_END_COLLECTIVE) {
            SW_TRY(jit_emit_collective_block(jit, block));
            continue;
        }
        jit_count_block(jit, block);
        SW_TRY(emit_instrs(jit, block));
        jit_regs_flush(jit);
        jit_emit_end(jit, block);
    }
    return SW_OK;
}

static LLVMValueRef phi32(struct jit *jit, LLVMValueRef value, LLVMBasicBlockRef from)
{
    LLVMValueRef phi = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMAddIncoming(phi, &value, &from, 1);
    return phi;
}

/* ---- blocks side by side
 *
 * A block of 16x16 reads and writes 16 lines of as many pages, and its neighbour the next line of each: where
 * a pitch is a power of two they all lie in the same sets of the first cache. So a few neighbours run in
 * turn, the first warp of each, then the second: rows as long as in one wide block. 5-point
 * stencil, 2048 squared, blocks of 16x16: 3.9 ms, so 3.3; of 32x32: 5.3, so 3.6 (Zen 4). */

enum { GROUP_LANES = 128 }; /* of a row of the blocks together: measured */

static bool is_apart(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_BRA:
    case ISA_OP_RET:
    case ISA_OP_EXIT:
    case ISA_OP_MOV:
    case ISA_OP_CVTA: return true;
    case ISA_OP_LD:
    case ISA_OP_ST:
        return !ptx_mod_of(instr, ISA_CAT_SEM) && ptx_instr_space(instr) != PTX_SPACE_SHARED &&
               ptx_instr_space(instr) != PTX_SPACE_LOCAL;
    default: return jit_op_elementwise_supported(instr);
    }
}

/* Lanes of a row of the block; 0: not known, or it has one row */
static uint32_t row_width(const struct jit *jit)
{
    if (jit->block_has_rows) return jit->row_lanes;
    return jit->threads > jit->ntid[0] ? jit->ntid[0] : 0;
}

/* Blocks of several rows, which keep nothing of their own between warps. */
static bool runs_side_by_side(const struct jit *jit)
{
    bool plain = !jit->request->probes && !jit->wait_point_count && !jit->combining && !jit->callees->count &&
                 !jit->info.local_bytes && !jit->shared_sites.count;
    uint32_t width = row_width(jit);
    if (!plain || width == 0 || width > GROUP_LANES / 2) return false;
    for (uint32_t i = 0; i < jit->function->instr_count; i++)
        if (!is_apart(&jit->function->instrs[i])) return false;
    return true;
}

/* As many as the row of blocks and those to do have */
static void begin_group(struct jit *jit, LLVMValueRef left)
{
    LLVMValueRef beside = LLVMBuildSub(jit->builder, jit->grid_dim[0], jit->ctaid[0], "");
    LLVMValueRef most = jit_const(jit, 64, GROUP_LANES / row_width(jit));
    LLVMValueRef args[] = {LLVMBuildZExt(jit->builder, beside, jit->i64, ""), left};
    LLVMValueRef some[] = {jit_intrinsic(jit, "llvm.umin", &jit->i64, 1, args, 2), most};
    LLVMValueRef count = jit_intrinsic(jit, "llvm.umin", &jit->i64, 1, some, 2);
    jit->group = LLVMBuildTrunc(jit->builder, count, jit->i32, "");
    jit->group_x = jit->ctaid[0];
}

struct loops { /* blocks of the loops, and what they carry */
    LLVMBasicBlockRef check, block, round, block_latch, end;
    LLVMValueRef left; /* i64 phi: blocks to do */
};

static void emit_block_loop(struct jit *jit, struct loops *loops)
{
    LLVMValueRef first = LLVMGetParam(jit->fn, 1), count = LLVMGetParam(jit->fn, 2), at[3];
    jit_position(jit, loops->check);
    first_block(jit, first, at);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, count, jit_const(jit, 64, 0), "");
    jit_branch(jit, none, loops->end, loops->block, false);
    jit_position(jit, loops->block);
    loops->left = LLVMBuildPhi(jit->builder, jit->i64, "");
    LLVMAddIncoming(loops->left, &count, &loops->check, 1);
    for (unsigned i = 0; i < 3; i++)
        jit->ctaid[i] = phi32(jit, at[i], loops->check);
    for (unsigned i = 0; i < 3; i++)
        store_field(jit, offsetof(struct jit_ctx, ctaid) + 4 * i, jit->ctaid[i]);
    store_field(jit, offsetof(struct jit_ctx, nan_payloads), jit_const(jit, 32, 0));
    if (runs_side_by_side(jit)) begin_group(jit, loops->left);
    jit_region_block_begin(jit);
    LLVMBuildBr(jit->builder, loops->round);
}

static void close_block_loop(struct jit *jit, struct loops *loops)
{
    LLVMValueRef at[3];
    jit_position(jit, loops->block_latch);
    next_block(jit, at);
    LLVMValueRef done =
        jit->group ? LLVMBuildZExt(jit->builder, jit->group, jit->i64, "") : jit_const(jit, 64, 1);
    LLVMValueRef left = LLVMBuildSub(jit->builder, loops->left, done, "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMAddIncoming(loops->left, &left, &here, 1);
    if (jit->group) jit->ctaid[0] = jit->group_x;
    for (unsigned i = 0; i < 3; i++)
        LLVMAddIncoming(jit->ctaid[i], &at[i], &here, 1);
    LLVMValueRef more = LLVMBuildICmp(jit->builder, LLVMIntNE, left, jit_const(jit, 64, 0), "");
    jit_branch(jit, more, loops->block, loops->end, false);
    jit_position(jit, loops->end);
    jit_count_close(jit);
    jit_record_close(jit);
    jit_flush_end(jit);
    LLVMBuildRetVoid(jit->builder);
}

static void open_function(struct jit *jit, LLVMValueRef fn)
{
    jit->fn = fn;
    jit->ctx = jit->part.ctx = jit->one.ctx = LLVMGetParam(jit->fn, 0);
    jit->allocas = jit_new_block(jit, "slots");
    jit->launch_prologue = jit_new_block(jit, "launch");
    jit->warp_prologue = jit_new_block(jit, "warp_prologue");
    jit->warp_latch = jit_new_block(jit, "warp_latch");
    for (uint32_t b = 0; b < jit->block_count; b++)
        jit->blocks[b].entry = jit_new_block(jit, "B");
    jit_position(jit, jit->launch_prologue);
    load_launch(jit);
    jit->active = slot32(jit, "active");
}

/* Two warps are done. */
static void end_pair(struct jit *jit, LLVMBasicBlockRef head, LLVMBasicBlockRef end)
{
    jit_position(jit, jit->pair_latch);
    jit_address_set_warp_latch(jit);
    LLVMValueRef next = LLVMBuildAdd(jit->builder, jit->warp, jit_const(jit, 32, 2), "");
    LLVMAddIncoming(jit->warp, &next, &jit->pair_latch, 1);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, next, jit->warp_count, ""), head, end, false);
}

/* The warp whose turn it is: the turn's number, or with EVENT_PROBE_ORDER what the engine says. */
static LLVMValueRef warp_of_turn(struct jit *jit, LLVMValueRef turn)
{
    if (!jit_orders(jit)) return turn;
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, turn, jit->i64, "");
    LLVMValueRef table = jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, warp_order));
    LLVMValueRef at = LLVMBuildGEP2(jit->builder, jit->i8, table, &wide, 1, "");
    return LLVMBuildZExt(jit->builder, LLVMBuildLoad2(jit->builder, jit->i8, at, ""), jit->i32, "");
}

/* The next block of a group has the same turn, the first one the next. */
static LLVMValueRef next_turn(struct jit *jit, LLVMValueRef turn, LLVMValueRef member)
{
    LLVMValueRef next = LLVMBuildAdd(jit->builder, turn, jit_const(jit, 32, 1), "");
    if (!member) return next;
    LLVMValueRef other = LLVMBuildAdd(jit->builder, member, jit_const(jit, 32, 1), "");
    LLVMValueRef last = LLVMBuildICmp(jit->builder, LLVMIntEQ, other, jit->group, "");
    other = LLVMBuildSelect(jit->builder, last, jit_const(jit, 32, 0), other, "");
    LLVMAddIncoming(member, &other, &jit->warp_latch, 1);
    return LLVMBuildSelect(jit->builder, last, next, turn, "");
}

/* for (turn = 0; turn < warp_count; turn++) the code of its warp, of each block of a group; at the end
 * `sweep_end` is where the builder stands. */
static enum sw_status emit_warps(struct jit *jit, LLVMBasicBlockRef before)
{
    LLVMBasicBlockRef head = jit_new_block(jit, "warp"), start = jit_new_block(jit, "start");
    jit_address_set_sweep(jit);
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, head);
    LLVMValueRef turn = phi32(jit, jit_const(jit, 32, 0), before), member = NULL;
    if (jit->group) {
        member = phi32(jit, jit_const(jit, 32, 0), before);
        jit->ctaid[0] = LLVMBuildAdd(jit->builder, jit->group_x, member, "");
        store_field(jit, offsetof(struct jit_ctx, ctaid), jit->ctaid[0]);
    }
    jit->warp = warp_of_turn(jit, turn);
    LLVMBuildBr(jit->builder, jit->warp_prologue);
    jit_position(jit, jit->warp_prologue);
    begin_warp(jit);
    jit_address_set_warp(jit);
    SW_TRY(emit_warp_code(jit));
    jit_position(jit, start);
    start_warp(jit);
    jit_position(jit, jit->warp_prologue);
    if (jit->suspends)
        jit_suspend_dispatch(jit, start);
    else
        SW_TRY(jit_region_dispatch(jit, start));
    jit_position(jit, jit->warp_latch);
    jit_address_set_warp_latch(jit);
    LLVMValueRef next = next_turn(jit, turn, member);
    LLVMAddIncoming(turn, &next, &jit->warp_latch, 1);
    LLVMValueRef more = LLVMBuildICmp(jit->builder, LLVMIntULT, next, jit->warp_count, "");
    LLVMBasicBlockRef end = jit_new_block(jit, "sweep_end");
    jit_branch(jit, more, head, end, false);
    if (jit->pair_latch) end_pair(jit, head, end);
    jit_position(jit, end);
    return SW_OK;
}

static void add_function(struct jit *jit, const char *name, LLVMTypeRef type)
{
    LLVMValueRef fn = LLVMAddFunction(jit->module, name, type);
    jit_target_attributes(jit, fn);
    open_function(jit, fn);
}

static void close_function(struct jit *jit, LLVMBasicBlockRef body)
{
    jit_position(jit, jit->launch_prologue);
    LLVMBuildBr(jit->builder, body);
    jit_position(jit, jit->allocas);
    LLVMBuildBr(jit->builder, jit->launch_prologue);
}

/* softwarp_run with the block loop compiled in. */
static enum sw_status emit_run(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i64, jit->i64};
    add_function(jit, JIT_RUN_SYMBOL, LLVMFunctionType(jit->empty, params, 3, 0));
    jit_flush_begin(jit);
    jit_combine_begin(jit);
    jit_count_open(jit);
    jit_record_open(jit);
    jit_region_layout(jit);
    make_collective_state(jit);
    make_masks(jit, NULL);
    struct loops loops = {.check = jit_new_block(jit, "check"),
                          .block = jit_new_block(jit, "block"),
                          .round = jit_new_block(jit, "sweep"),
                          .block_latch = jit_new_block(jit, "block_latch"),
                          .end = jit_new_block(jit, "end")};
    emit_block_loop(jit, &loops);
    jit_position(jit, loops.round);
    jit_region_sweep_begin(jit);
    SW_TRY(emit_warps(jit, loops.round));
    jit_combine_end(jit);
    jit_region_sweep_end(jit, loops.round, loops.block_latch);
    close_block_loop(jit, &loops);
    close_function(jit, loops.check);
    return SW_OK;
}

/* softwarp_step, and softwarp_run on top of it. */
static enum sw_status emit_step(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i64};
    jit_suspend_layout(jit);
    add_function(jit, JIT_STEP_SYMBOL, LLVMFunctionType(jit->i32, params, 2, 0));
    if (!jit->request->resumable && !jit_records(jit)) LLVMSetLinkage(jit->fn, LLVMInternalLinkage);
    make_masks(jit, jit_resume_set(jit));
    jit->any_waits = slot32(jit, "gave_way");
    jit->stop = jit_new_block(jit, "stop");
    jit->spin_count = slot32(jit, "spins");
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), jit->spin_count);
    jit_record_open(jit);
    LLVMValueRef step = jit->fn;
    LLVMBasicBlockRef body = jit_new_block(jit, "block"), round = jit_new_block(jit, "sweep");
    jit_position(jit, body);
    jit_suspend_step_begin(jit);
    first_block(jit, LLVMGetParam(jit->fn, 1), jit->ctaid);
    for (unsigned i = 0; i < 3; i++)
        store_field(jit, offsetof(struct jit_ctx, ctaid) + 4 * i, jit->ctaid[i]);
    LLVMBuildBr(jit->builder, round);
    jit_position(jit, round);
    jit_suspend_sweep_begin(jit);
    SW_TRY(emit_warps(jit, round));
    jit_suspend_sweep_end(jit, round);
    jit_suspend_stop(jit);
    close_function(jit, body);
    jit_suspend_run(jit, step);
    return SW_OK;
}

enum sw_status jit_emit_kernel(struct jit *jit)
{
    mark_crossing(jit);
    return jit->suspends ? emit_step(jit) : emit_run(jit);
}

/* A function that stays a function: its lanes from the first block to the end. */
enum sw_status jit_emit_callee_body(struct jit *jit, LLVMValueRef fn)
{
    mark_crossing(jit);
    open_function(jit, fn);
    make_masks(jit, NULL);
    jit->live_mask = LLVMGetParam(fn, 1);
    jit->warp = LLVMGetParam(fn, 2);
    for (unsigned i = 0; i < 3; i++)
        jit->ctaid[i] = LLVMGetParam(fn, 3 + i);
    if (jit->info.local_bytes) {
        jit->warp_local = jit_slot(jit, LLVMArrayType2(jit->i8, 32ull * jit->info.local_bytes), "local");
        LLVMSetAlignment(jit->warp_local, 64);
    } else {
        jit->warp_local = LLVMConstNull(jit->ptr);
    }
    jit_record_open(jit);
    SW_TRY(emit_warp_code(jit));
    jit_position(jit, jit->warp_latch);
    jit_record_close(jit);
    LLVMBuildRetVoid(jit->builder);
    jit_position(jit, jit->warp_prologue);
    start_warp(jit);
    close_function(jit, jit->warp_prologue);
    return SW_OK;
}
