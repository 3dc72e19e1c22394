/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and thread counts of barriers that are in registers: lanes that reach a barrier instruction
 * together may name different ones. Hardware takes them apart, and so does this: a loop over the groups of
 * lanes that name the same.
 *
 *   left = lanes                        immediates: no loop, all lanes at once
 *   while (left)  id, count = those of the first lane left; lanes = all left with the same; ...; left -=
 * lanes
 *
 * A number of 16 or more ends the launch with a message (engine_stuck.c). Limits: none known. */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

static bool is_immediate(const struct ptx_operand *operand)
{
    return !operand || operand->kind == ISA_OPD_INT;
}

/* Lanes of mask whose value is that of its first lane, which is returned. */
static LLVMValueRef same_as_first(struct jit *jit, const struct jit_value *value, LLVMValueRef *mask)
{
    LLVMValueRef parts[JIT_MAX_PARTS], same[JIT_MAX_PARTS];
    if (value->repr == JIT_SCALAR) return value->scalar;
    jit_value_parts(jit, value, parts);
    LLVMValueRef one = jit_value_first(jit, parts, *mask);
    for (unsigned p = 0; p < jit->part.parts; p++)
        same[p] = LLVMBuildICmp(jit->builder, LLVMIntEQ, parts[p], jit_splat(jit, one, 32), "");
    *mask = LLVMBuildAnd(jit->builder, *mask, jit_mask_join(jit, same), "");
    return one;
}

static void check_number(struct jit *jit, LLVMValueRef id, LLVMValueRef lanes)
{
    LLVMBasicBlockRef wrong = jit_new_block(jit, "wrong"), end = jit_new_block(jit, "");
    LLVMValueRef fine = LLVMBuildICmp(jit->builder, LLVMIntULT, id, num(jit, NUMBERED), "");
    jit_branch(jit, fine, end, wrong, true);
    jit_position(jit, wrong);
    LLVMTypeRef params[] = {jit->ptr, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx, lanes, num(jit, jit->instr->line), id};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_wrong),
                    LLVMFunctionType(jit->empty, params, 4, 0), args, 4);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static struct jit_value agree_value_of(struct jit *jit, const struct ptx_operand *operand)
{
    return operand ? jit_operand(jit, operand, 32) : jit_value_scalar(num(jit, 0), 32);
}

/* id, count: NULL is 0. */
struct jit_agreeing jit_agreeing_begin(struct jit *jit, const struct ptx_operand *id,
                                       const struct ptx_operand *count, LLVMValueRef lanes)
{
    struct jit_value ids = agree_value_of(jit, id), counts = agree_value_of(jit, count);
    struct jit_agreeing some = {.lanes = lanes, .id = ids.scalar, .count = counts.scalar};
    if (is_immediate(id) && is_immediate(count)) return some;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), body = jit_new_block(jit, "");
    some.head = jit_new_block(jit, "agree");
    some.end = jit_new_block(jit, "");
    LLVMBuildBr(jit->builder, some.head);
    jit_position(jit, some.head);
    some.left = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMAddIncoming(some.left, &lanes, &before, 1);
    jit_branch(jit, equal(jit, some.left, num(jit, 0)), some.end, body, false);
    jit_position(jit, body);
    some.lanes = some.left;
    some.id = same_as_first(jit, &ids, &some.lanes);
    some.count = same_as_first(jit, &counts, &some.lanes);
    if (!is_immediate(id)) check_number(jit, some.id, some.lanes);
    return some;
}

void jit_agreeing_end(struct jit *jit, const struct jit_agreeing *some)
{
    if (!some->head) return;
    LLVMValueRef left =
        LLVMBuildAnd(jit->builder, some->left, LLVMBuildNot(jit->builder, some->lanes, ""), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMAddIncoming(some->left, &left, &here, 1);
    LLVMBuildBr(jit->builder, some->head);
    jit_position(jit, some->end);
}
