/* SPDX-License-Identifier: Apache-2.0 */
/* Wait points: which of them have lanes, as a set of bits in the frame, and what is known of each, as a
 * table.
 *
 *   frame:  ... | bits[wait point / 64], bit wait point % 64: WAIT_LANES is not 0 | ...
 *   table:  kind | PTX line | offset of the mask behind the barrier, or NOWHERE | that block
 *
 * Most warps wait at one of them. A test of each at every barrier, for every number, was two thirds of the
 * time of CUB's sort of segments (60 barriers, 660 blocks). */
#include "jit_points_priv.h"

#include "jit_frontier_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

enum { POINT_KIND, POINT_LINE_WORD, POINT_MASK, POINT_NEXT, POINT_WORDS };
static const uint32_t NOWHERE = UINT32_MAX;

struct count_loop jit_loop_begin(struct jit *jit, uint32_t first, LLVMValueRef end)
{
    struct count_loop loop = {.head = jit_new_block(jit, ""), .end = end};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, loop.head);
    jit_position(jit, loop.head);
    loop.i = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMValueRef start = num(jit, first);
    LLVMAddIncoming(loop.i, &start, &before, 1);
    return loop;
}

void jit_loop_end(struct jit *jit, const struct count_loop *loop)
{
    LLVMValueRef next = LLVMBuildAdd(jit->builder, loop->i, num(jit, 1), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder), after = jit_new_block(jit, "");
    LLVMAddIncoming(loop->i, &next, &here, 1);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, next, loop->end, ""), loop->head, after, false);
    jit_position(jit, after);
}

/* ---- the bits */

static struct bit_place bit_of(struct jit *jit, LLVMValueRef frame, LLVMValueRef index)
{
    return bit_at(jit, jit_offset(jit, frame, jit->wait_bits_offset), index);
}

LLVMValueRef jit_point_at(struct jit *jit, LLVMValueRef frame, LLVMValueRef index)
{
    LLVMValueRef offset = LLVMBuildMul(jit->builder, index, num(jit, WAIT_BYTES), "");
    offset = LLVMBuildZExt(jit->builder, offset, jit->i64, "");
    return LLVMBuildGEP2(jit->builder, jit->i8, jit_offset(jit, frame, FRAME_WAIT_POINTS), &offset, 1, "");
}

struct point_loop jit_points_begin(struct jit *jit, LLVMValueRef frame)
{
    struct point_loop loop = {.words = jit_loop_begin(jit, 0, num(jit, (jit->wait_point_count + 63) / 64))};
    LLVMValueRef first = LLVMBuildShl(jit->builder, loop.words.i, num(jit, 6), "");
    LLVMValueRef word = LLVMBuildLoad2(jit->builder, jit->i64, bit_of(jit, frame, first).word, "");
    loop.bits = jit_bit_loop_begin(jit, word);
    LLVMValueRef bit = LLVMBuildTrunc(jit->builder, loop.bits.bit, jit->i32, "");
    loop.index = LLVMBuildAdd(jit->builder, first, bit, "");
    loop.at = jit_point_at(jit, frame, loop.index);
    return loop;
}

void jit_points_end(struct jit *jit, const struct point_loop *loop)
{
    jit_bit_loop_end(jit, &loop->bits);
    jit_loop_end(jit, &loop->words);
}

void jit_point_note(struct jit *jit, LLVMValueRef frame, LLVMValueRef index, LLVMValueRef lanes)
{
    struct bit_place place = bit_of(jit, frame, index);
    LLVMValueRef word = LLVMBuildLoad2(jit->builder, jit->i64, place.word, "");
    LLVMValueRef set = LLVMBuildOr(jit->builder, word, place.bit, "");
    LLVMValueRef clear = LLVMBuildAnd(jit->builder, word, LLVMBuildNot(jit->builder, place.bit, ""), "");
    LLVMBuildStore(jit->builder, choose(jit, is_zero(jit, lanes), clear, set), place.word);
}

LLVMValueRef jit_points_any(struct jit *jit, LLVMValueRef frame)
{
    LLVMValueRef none = jit_const(jit, 64, 0), all = none;
    for (uint32_t first = 0; first < jit->wait_point_count; first += 64) {
        LLVMValueRef word = bit_of(jit, frame, num(jit, first)).word;
        all = LLVMBuildOr(jit->builder, all, LLVMBuildLoad2(jit->builder, jit->i64, word, ""), "");
    }
    return LLVMBuildICmp(jit->builder, LLVMIntNE, all, none, "");
}

/* ---- the table */

static enum point_kind kind_of(const struct jit *jit, const struct jit_block *block)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    if (!jit_barrier_aligned(instr) || jit_barrier_wait_points(jit, block) > 1) return POINT_TOGETHER;
    return ptx_has(instr, ISA_MOD_RED) ? POINT_LINE : POINT_EACH;
}

bool jit_points_have(const struct jit *jit, enum point_kind kind)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit->blocks[b].wait_point && kind_of(jit, &jit->blocks[b]) == kind) return true;
    return false;
}

static LLVMValueRef make_table(struct jit *jit)
{
    uint32_t count = jit->wait_point_count * POINT_WORDS;
    LLVMValueRef *words = ARENA_ARRAY(&jit->arena, LLVMValueRef, count);
    for (uint32_t point = 0; point < jit->wait_point_count; point++) {
        const struct jit_block *block = jit_barrier_of_point(jit, point + 1);
        uint32_t next = block->succ[0];
        bool ends = next == jit->block_count - 1;
        words[point * POINT_WORDS + POINT_KIND] = num(jit, kind_of(jit, block));
        words[point * POINT_WORDS + POINT_LINE_WORD] = num(jit, jit_barrier_instr(jit, block)->line);
        words[point * POINT_WORDS + POINT_MASK] = num(jit, ends ? NOWHERE : jit->blocks[next].mask_offset);
        words[point * POINT_WORDS + POINT_NEXT] = num(jit, next);
    }
    return jit_object_constant(jit, LLVMConstArray2(jit->i32, words, count), "softwarp_points",
                               sizeof(uint32_t));
}

static LLVMValueRef property(struct jit *jit, LLVMValueRef index, unsigned word)
{
    if (!jit->points) jit->points = make_table(jit);
    LLVMValueRef at = LLVMBuildMul(jit->builder, index, num(jit, POINT_WORDS), "");
    at = LLVMBuildZExt(jit->builder, LLVMBuildAdd(jit->builder, at, num(jit, word), ""), jit->i64, "");
    return LLVMBuildLoad2(jit->builder, jit->i32,
                          LLVMBuildGEP2(jit->builder, jit->i32, jit->points, &at, 1, ""), "");
}

LLVMValueRef jit_point_kind(struct jit *jit, LLVMValueRef index)
{
    return property(jit, index, POINT_KIND);
}

LLVMValueRef jit_point_line(struct jit *jit, LLVMValueRef index)
{
    return property(jit, index, POINT_LINE_WORD);
}

void jit_point_send(struct jit *jit, LLVMValueRef frame, LLVMValueRef index, LLVMValueRef lanes)
{
    LLVMValueRef offset = property(jit, index, POINT_MASK);
    LLVMBasicBlockRef on = jit_new_block(jit, ""), over = jit_new_block(jit, "");
    jit_branch(jit, equal(jit, offset, num(jit, NOWHERE)), over, on, false);
    jit_position(jit, on);
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, offset, jit->i64, "");
    LLVMValueRef mask = LLVMBuildGEP2(jit->builder, jit->i8, frame, &wide, 1, "");
    LLVMValueRef all = LLVMBuildOr(jit->builder, get(jit, mask), lanes, "");
    LLVMBuildStore(jit->builder, all, mask);
    if (jit_registers_in_frame(jit)) jit_schedule_note(jit, frame, property(jit, index, POINT_NEXT), all);
    LLVMBuildBr(jit->builder, over);
    jit_position(jit, over);
}
