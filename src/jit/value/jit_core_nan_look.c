/* SPDX-License-Identifier: Apache-2.0 */
/* Registers whose NaNs of f64 may have payloads are tested where they are written (jit_emit_double.c). */
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* The parts in vectors of the machine's width */
static unsigned nan_look_cut(struct jit *jit, const struct jit_value *value, LLVMValueRef *out)
{
    static const unsigned widths[JIT_ISA_COUNT] = {2, 4, 8, 2};
    LLVMValueRef parts[JIT_MAX_PARTS];
    unsigned width = widths[jit->request->isa], count = 0;
    jit_value_parts(jit, value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        for (unsigned at = 0; at < jit->part.lanes; at += width)
            out[count++] = jv_float_exact(&jit->part, jv_piece(&jit->part, parts[p], at, width));
    return count;
}

/* Goes on where there is no NaN; LLVM's predicate takes two values at once. */
static void leave_if(struct jit *jit, LLVMValueRef any, LLVMBasicBlockRef found)
{
    LLVMBasicBlockRef next = jit_new_block(jit, "");
    if (jv_lanes(any) > 1) {
        LLVMTypeRef mask = jit_int(jit, jv_lanes(any));
        LLVMValueRef bits = LLVMBuildBitCast(jit->builder, any, mask, "");
        any = LLVMBuildICmp(jit->builder, LLVMIntNE, bits, LLVMConstNull(mask), "");
    }
    jit_branch(jit, LLVMBuildNot(jit->builder, any, ""), next, found, true);
    jit_position(jit, next);
}

static void look_at_scalars(struct jit *jit, LLVMBasicBlockRef found)
{
    LLVMValueRef waits = NULL;
    for (size_t i = 0; i < jit->noted.count; i++) {
        LLVMValueRef value = jv_float_exact(&jit->one, jit->noted.at[i]);
        if (waits) leave_if(jit, jv_fcmp(&jit->one, LLVMRealUNO, waits, value), found);
        waits = waits ? NULL : value;
    }
    if (waits) leave_if(jit, jv_fcmp(&jit->one, LLVMRealUNO, waits, waits), found);
}

static void look_at_vector(struct jit *jit, const struct jit_value *value, LLVMBasicBlockRef found)
{
    LLVMValueRef pieces[32], any = NULL;
    unsigned count = nan_look_cut(jit, value, pieces);
    for (unsigned i = 0; i < count; i += 2) {
        LLVMValueRef here = jv_fcmp(&jit->part, LLVMRealUNO, pieces[i], pieces[i + 1]);
        any = any ? jv_or(&jit->part, any, here) : here;
    }
    leave_if(jit, any, found);
}

/* `found` is where a NaN has been found. */
static void end_look(struct jit *jit, LLVMBasicBlockRef found)
{
    LLVMBasicBlockRef end = jit_new_block(jit, "");
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, found);
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 1),
                   jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, nan_payloads)));
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

/* Scalars that were noted: before anything depends on it, and at the latest where the block ends */
void jit_nans_look(struct jit *jit)
{
    if (jit->noted.count == 0) return;
    LLVMBasicBlockRef found = jit_new_block(jit, "");
    look_at_scalars(jit, found);
    vec_clear(&jit->noted);
    end_look(jit, found);
}

/* A register that goes into arithmetic of f64 got a value that need not be a result of such. Vectors are
 * looked at at once: kept for later, they made a dot product a third slower. */
void jit_nan_note(struct jit *jit, const struct jit_value *value)
{
    if (value->bits != 64 || jit_is_double_arithmetic(jit->instr)) return;
    if (value->repr == JIT_SCALAR) {
        *vec_push(&jit->noted) = value->scalar;
        return;
    }
    LLVMBasicBlockRef found = jit_new_block(jit, "");
    look_at_vector(jit, value, found);
    end_look(jit, found);
}
