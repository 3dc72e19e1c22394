/* SPDX-License-Identifier: Apache-2.0 */
/* Which blocks of a warp have lanes, as a set of bits, for kernels whose frontiers are long.
 *
 *   frame:  ... | bits[block / 64], bit block % 64: its mask is not empty | ...
 *
 *   forward:  the lowest bit that is set, by a jump table, into the block; none: the exit
 *   round robin: the lowest one after the last one found so
 *
 * Testing every mask of a frontier at every end is quadratic: CUB's select (660 blocks, where any of 540 may
 * have lanes after a barrier) became 2.2 million LLVM instructions and took 21 s and 3 GB to compile.
 * Limits: only where masks lie in the frame (jit_registers_in_frame). */
#include "jit_frontier_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

static struct bit_place bit_of(struct jit *jit, LLVMValueRef frame, LLVMValueRef block)
{
    return bit_at(jit, jit_offset(jit, frame, jit->bits_offset), block);
}

/* lanes now wait at the block of that number, if there are any. */
void jit_schedule_note(struct jit *jit, LLVMValueRef frame, LLVMValueRef block, LLVMValueRef lanes)
{
    struct bit_place place = bit_of(jit, frame, block);
    LLVMValueRef word = LLVMBuildLoad2(jit->builder, jit->i64, place.word, "");
    LLVMValueRef bit = choose(jit, is_zero(jit, lanes), jit_const(jit, 64, 0), place.bit);
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, word, bit, ""), place.word);
}

void jit_schedule_forget(struct jit *jit, uint32_t block)
{
    struct bit_place place = bit_of(jit, jit->frame, num(jit, block));
    LLVMValueRef word = LLVMBuildLoad2(jit->builder, jit->i64, place.word, "");
    word = LLVMBuildAnd(jit->builder, word, LLVMBuildNot(jit->builder, place.bit, ""), "");
    LLVMBuildStore(jit->builder, word, place.word);
}

static LLVMBasicBlockRef exit_entry(struct jit *jit)
{
    return jit->blocks[jit->block_count - 1].entry;
}

/* Where each block is entered from the jump tables. */
static LLVMBasicBlockRef gate(struct jit *jit, uint32_t block)
{
    if (!jit->gates) jit->gates = ARENA_ARRAY(&jit->arena, LLVMBasicBlockRef, jit->block_count);
    if (jit->gates[block]) return jit->gates[block];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit->gates[block] = jit_new_block(jit, "gate");
    jit_position(jit, jit->gates[block]);
    jit_enter_waiting(jit, block);
    jit_position(jit, here);
    return jit->gates[block];
}

static void jump(struct jit *jit, LLVMValueRef index)
{
    LLVMBasicBlockRef never = jit_new_block(jit, "");
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, index, never, jit->block_count);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        if (jit->blocks[b].mask) LLVMAddCase(branch, jit_const(jit, 32, b), gate(jit, b));
    jit_position(jit, never);
    LLVMBuildUnreachable(jit->builder);
}

/* Words in turn until one is not zero; from block `from` on, or NULL: all. With none to `none`. At the end
 * the builder stands where the block's number is known. */
static LLVMValueRef schedule_search(struct jit *jit, LLVMValueRef from, LLVMBasicBlockRef none)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), head = jit_new_block(jit, "search"),
                      next = jit_new_block(jit, ""), found = jit_new_block(jit, "");
    LLVMValueRef start = jit_const(jit, 32, 0), least = jit_const(jit, 64, UINT64_MAX);
    if (from) {
        start = LLVMBuildLShr(jit->builder, from, jit_const(jit, 32, 6), "");
        LLVMValueRef low = LLVMBuildZExt(jit->builder, from, jit->i64, "");
        low = LLVMBuildAnd(jit->builder, low, jit_const(jit, 64, 63), "");
        least = LLVMBuildShl(jit->builder, least, low, "");
    }
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, head);
    LLVMValueRef i = LLVMBuildPhi(jit->builder, jit->i32, ""),
                 kept = LLVMBuildPhi(jit->builder, jit->i64, "");
    LLVMValueRef bits = jit_offset(jit, jit->frame, jit->bits_offset);
    LLVMValueRef word =
        LLVMBuildLoad2(jit->builder, jit->i64, LLVMBuildGEP2(jit->builder, jit->i64, bits, &i, 1, ""), "");
    word = LLVMBuildAnd(jit->builder, word, kept, "");
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntNE, word, jit_const(jit, 64, 0), ""), found, next,
               false);
    jit_position(jit, next);
    LLVMValueRef further = LLVMBuildAdd(jit->builder, i, jit_const(jit, 32, 1), "");
    LLVMValueRef values[] = {start, further}, masks[] = {least, jit_const(jit, 64, UINT64_MAX)};
    LLVMBasicBlockRef origins[] = {before, next};
    LLVMAddIncoming(i, values, origins, 2);
    LLVMAddIncoming(kept, masks, origins, 2);
    LLVMValueRef done =
        LLVMBuildICmp(jit->builder, LLVMIntEQ, further, jit_const(jit, 32, jit->block_words), "");
    jit_branch(jit, done, none, head, false);
    jit_position(jit, found);
    LLVMValueRef args[] = {word, jit_const(jit, 1, 1)};
    LLVMValueRef bit = jit_intrinsic(jit, "llvm.cttz", &jit->i64, 1, args, 2);
    bit = LLVMBuildTrunc(jit->builder, bit, jit->i32, "");
    LLVMValueRef base = LLVMBuildShl(jit->builder, i, jit_const(jit, 32, 6), "");
    return LLVMBuildAdd(jit->builder, base, bit, "");
}

static LLVMBasicBlockRef schedule_forward(struct jit *jit)
{
    if (jit->scheduler) return jit->scheduler;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit->scheduler = jit_new_block(jit, "schedule");
    jit_position(jit, jit->scheduler);
    jump(jit, schedule_search(jit, NULL, exit_entry(jit)));
    jit_position(jit, here);
    return jit->scheduler;
}

/* From the block whose number is in the slot `cursor` on; it becomes the one after the block that was found.
 * The number of the exit block at most, so that there is a word for it. */
void jit_schedule_round_robin(struct jit *jit, LLVMValueRef cursor)
{
    LLVMBasicBlockRef none = jit_new_block(jit, "");
    LLVMValueRef number = schedule_search(jit, LLVMBuildLoad2(jit->builder, jit->i32, cursor, ""), none);
    LLVMBuildStore(jit->builder, LLVMBuildAdd(jit->builder, number, jit_const(jit, 32, 1), ""), cursor);
    jump(jit, number);
    jit_position(jit, none);
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), cursor);
    LLVMBuildBr(jit->builder, schedule_forward(jit));
}

/* To the first block from number `first` on; one search for all who ask. */
void jit_schedule_from(struct jit *jit, uint32_t first)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    if (!jit->schedule_start) {
        jit->schedule_start = jit_slot(jit, jit->i32, "start");
        jit->scheduler_from = jit_new_block(jit, "schedule_from");
        jit_position(jit, jit->scheduler_from);
        LLVMValueRef start = LLVMBuildLoad2(jit->builder, jit->i32, jit->schedule_start, "");
        jump(jit, schedule_search(jit, start, exit_entry(jit)));
        jit_position(jit, here);
    }
    LLVMBuildStore(jit->builder, jit_const(jit, 32, first), jit->schedule_start);
    LLVMBuildBr(jit->builder, jit->scheduler_from);
}

/* To the first block with lanes, if one of those of `waiting` from `from` to before `to` has any. */
void jit_schedule_if_any(struct jit *jit, const uint64_t *waiting, uint32_t from, uint32_t to)
{
    LLVMValueRef any = NULL;
    for (uint32_t w = from / 64; w <= (to - 1) / 64; w++) {
        uint64_t some = waiting[w];
        if (w == from / 64) some &= ~0ull << (from % 64);
        if (w == to / 64) some &= (1ull << (to % 64)) - 1;
        if (!some) continue;
        LLVMValueRef word =
            LLVMBuildLoad2(jit->builder, jit->i64, bit_of(jit, jit->frame, num(jit, 64 * w)).word, "");
        word = LLVMBuildAnd(jit->builder, word, jit_const(jit, 64, some), "");
        any = any ? LLVMBuildOr(jit->builder, any, word, "") : word;
    }
    LLVMBasicBlockRef next = jit_new_block(jit, "");
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, any, jit_const(jit, 64, 0), "");
    jit_branch(jit, none, next, schedule_forward(jit), false);
    jit_position(jit, next);
}
