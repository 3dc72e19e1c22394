/* SPDX-License-Identifier: Apache-2.0 */
/* Lane masks. A mask is an i32, bit l for lane l; instructions that need it get it as <lanes x i1> parts.
 * On AVX-512 a part is then one kmov; on AVX2 and SSE2 LLVM broadcasts and compares.
 * Loops over the lanes of a mask (jit_lane_loop) run one lane at a time. Limits: 32 lanes. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_mask.h"

#include <stddef.h>

void jit_mask_split(struct jit *jit, LLVMValueRef mask, LLVMValueRef *parts)
{
    unsigned lanes = jit->part.lanes;
    LLVMTypeRef narrow = jit_int(jit, lanes), bits = LLVMVectorType(jit->i1, lanes);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef word = mask;
        if (p) word = LLVMBuildLShr(jit->builder, word, jit_const(jit, 32, p * lanes), "");
        parts[p] = LLVMBuildBitCast(jit->builder, LLVMBuildTrunc(jit->builder, word, narrow, ""), bits, "");
    }
}

LLVMValueRef jit_mask_join(struct jit *jit, LLVMValueRef *parts)
{
    unsigned lanes = jit->part.lanes;
    LLVMValueRef all = NULL;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef word = LLVMBuildBitCast(jit->builder, parts[p], jit_int(jit, lanes), "");
        word = LLVMBuildZExt(jit->builder, word, jit->i32, "");
        if (p) word = LLVMBuildShl(jit->builder, word, jit_const(jit, 32, p * lanes), "");
        all = all ? LLVMBuildOr(jit->builder, all, word, "") : word;
    }
    return all;
}

static bool any_pending(const struct jit *jit)
{
    for (uint32_t w = 0; w < jit->block_words; w++)
        if (jit->block->frontier[w]) return true;
    return false;
}

bool jit_mask_is_full(const struct jit *jit)
{
    return !jit->block->lossy && !any_pending(jit);
}

LLVMValueRef jit_mask_active(struct jit *jit)
{
    if (jit_mask_is_full(jit)) return jit_const(jit, 32, UINT32_MAX);
    if (!jit->mask_now) jit->mask_now = LLVMBuildLoad2(jit->builder, jit->i32, jit->active, "active");
    return jit->mask_now;
}

LLVMValueRef *jit_mask_active_parts(struct jit *jit)
{
    if (!jit->mask_parts[0]) jit_mask_split(jit, jit_mask_active(jit), jit->mask_parts);
    return jit->mask_parts;
}

LLVMValueRef jit_mask_first(struct jit *jit, LLVMValueRef mask)
{
    LLVMValueRef args[] = {mask, jit_const(jit, 1, 1)}; /* the mask is never empty */
    return jit_intrinsic(jit, "llvm.cttz", &jit->i32, 1, args, 2);
}

LLVMValueRef jit_mask_last(struct jit *jit, LLVMValueRef mask)
{
    LLVMValueRef args[] = {mask, jit_const(jit, 1, 1)};
    LLVMValueRef zeros = jit_intrinsic(jit, "llvm.ctlz", &jit->i32, 1, args, 2);
    return LLVMBuildSub(jit->builder, jit_const(jit, 32, 31), zeros, "");
}

struct jit_bit_loop jit_bit_loop_begin(struct jit *jit, LLVMValueRef mask)
{
    struct jit_bit_loop loop = {.head = jit_new_block(jit, "bits"), .end = jit_new_block(jit, "")};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), body = jit_new_block(jit, "bit");
    LLVMTypeRef type = LLVMTypeOf(mask);
    LLVMBuildBr(jit->builder, loop.head);
    jit_position(jit, loop.head);
    loop.mask = LLVMBuildPhi(jit->builder, type, "");
    LLVMAddIncoming(loop.mask, &mask, &before, 1);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, loop.mask, LLVMConstNull(type), "");
    jit_branch(jit, none, loop.end, body, false);
    jit_position(jit, body);
    LLVMValueRef args[] = {loop.mask, jit_const(jit, 1, 1)};
    loop.bit = jit_intrinsic(jit, "llvm.cttz", &type, 1, args, 2);
    return loop;
}

void jit_bit_loop_end(struct jit *jit, const struct jit_bit_loop *loop)
{
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(loop->mask), 1, false);
    LLVMValueRef less = LLVMBuildSub(jit->builder, loop->mask, one, "");
    LLVMValueRef rest = LLVMBuildAnd(jit->builder, loop->mask, less, "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMAddIncoming(loop->mask, &rest, &here, 1);
    LLVMBuildBr(jit->builder, loop->head);
    jit_position(jit, loop->end);
}

struct jit_lane_loop jit_lane_loop_begin(struct jit *jit, LLVMValueRef mask)
{
    struct jit_lane_loop loop = {.bits = jit_bit_loop_begin(jit, mask)};
    LLVMBuildStore(jit->builder, loop.bits.bit, jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, lane)));
    loop.lane = LLVMBuildZExt(jit->builder, loop.bits.bit, jit->i64, "");
    return loop;
}

void jit_lane_loop_end(struct jit *jit, const struct jit_lane_loop *loop)
{
    jit_bit_loop_end(jit, &loop->bits);
}
