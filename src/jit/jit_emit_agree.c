/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and thread counts of barriers that are in registers: all lanes that meet a barrier together must
 * name the same, and one of the 16 there are. Tested where a register may differ between lanes; what does not
 * hold ends the launch with a message (engine_stuck.c).
 * Limits: hardware takes lanes apart that name different barriers at one instruction; here that is refused.
 */
#include "jit_core_priv.h"

static LLVMValueRef is_zero(struct jit *jit, LLVMValueRef value)
{
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, value, jit_const(jit, 32, 0), "");
}

/* Lanes of mask whose value is another. */
static LLVMValueRef others(struct jit *jit, LLVMValueRef *parts, LLVMValueRef value, LLVMValueRef mask)
{
    struct jit_value scalar = jit_value_scalar(value, 32);
    LLVMValueRef same[JIT_MAX_PARTS];
    jit_value_parts(jit, &scalar, same);
    for (unsigned p = 0; p < jit->part.parts; p++)
        same[p] = LLVMBuildICmp(jit->builder, LLVMIntEQ, same[p], parts[p], "");
    LLVMValueRef equal = jit_mask_join(jit, same);
    return LLVMBuildAnd(jit->builder, mask, LLVMBuildNot(jit->builder, equal, ""), "");
}

/* When not `fine`: the launch ends, with both values in the message. */
void jit_agree_or_fail(struct jit *jit, LLVMValueRef fine, LLVMValueRef value, LLVMValueRef other)
{
    LLVMBasicBlockRef wrong = jit_new_block(jit, "wrong"), end = jit_new_block(jit, "");
    jit_branch(jit, fine, end, wrong, true);
    jit_position(jit, wrong);
    LLVMTypeRef params[] = {jit->ptr, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, jit->instr->line), value, other};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_wrong),
                    LLVMFunctionType(jit->empty, params, 4, 0), args, 4);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

/* The operand's value, i32. mask: the lanes that take part. limit: it must be less; 0: it may be anything. */
LLVMValueRef jit_agreed(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef mask, uint32_t limit)
{
    struct jit_value value = jit_operand(jit, operand, 32);
    if (operand->kind == PTX_OPD_INT) return value.scalar;
    LLVMValueRef one = value.scalar, other = value.scalar, fine = is_zero(jit, mask);
    LLVMValueRef right = LLVMConstInt(jit->i1, 1, false);
    if (value.form != JIT_SCALAR) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &value, parts);
        one = jit_value_first(jit, parts, mask);
        LLVMValueRef differ = others(jit, parts, one, mask);
        other = jit_value_first(jit, parts, differ);
        right = is_zero(jit, differ);
    }
    if (limit) {
        LLVMValueRef less = LLVMBuildICmp(jit->builder, LLVMIntULT, one, jit_const(jit, 32, limit), "");
        right = LLVMBuildAnd(jit->builder, right, less, "");
    }
    if (LLVMIsConstant(right)) return one;
    jit_agree_or_fail(jit, LLVMBuildOr(jit->builder, fine, right, ""), one, other);
    return one;
}
