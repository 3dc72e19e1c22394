/* SPDX-License-Identifier: Apache-2.0 */
/* A look at the member masks of operations of a warp (.sync of shfl, vote, match, redux, elect, bar.warp),
 * where the tool asks for it (EVENT_PROBE_SYNC): PTX leaves undefined what happens when a lane's own mask
 * does not name it. No code where the mask is the constant of all lanes. */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* i32: lanes whose mask names them. */
static LLVMValueRef named(struct jit *jit, const struct jit_value *members)
{
    if (members->repr == JIT_SCALAR) return members->scalar;
    LLVMValueRef parts[JIT_MAX_PARTS], zero = LLVMConstNull(jit_vec(jit, 32));
    jit_value_parts(jit, members, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef lane = jit_lane_consts(jit, 32, p, 0, 1), one = jit_lane_consts(jit, 32, p, 1, 0);
        LLVMValueRef own =
            LLVMBuildAnd(jit->builder, parts[p], LLVMBuildShl(jit->builder, one, lane, ""), "");
        parts[p] = LLVMBuildICmp(jit->builder, LLVMIntNE, own, zero, "");
    }
    return jit_mask_join(jit, parts);
}

static LLVMValueRef members_of_first(struct jit *jit, const struct jit_value *members, LLVMValueRef lanes)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (members->repr == JIT_SCALAR) return members->scalar;
    jit_value_parts(jit, members, parts);
    return jit_value_first(jit, parts, lanes);
}

void jit_members_look(struct jit *jit, const struct ptx_instr *instr)
{
    if (!(jit->request->probes & EVENT_PROBE_SYNC) || !jit_is_collective(instr)) return;
    const struct ptx_operand *operand = &instr->operands[instr->operand_count - 1];
    if (operand->kind == ISA_OPD_INT && (uint32_t)operand->bits == UINT32_MAX) return;
    struct jit_value members = jit_operand(jit, operand, 32);
    LLVMValueRef lanes = jit_lanes_of(jit, instr).mask;
    LLVMValueRef wrong =
        LLVMBuildAnd(jit->builder, lanes, LLVMBuildNot(jit->builder, named(jit, &members), ""), "");
    LLVMBasicBlockRef look = jit_new_block(jit, "members"), fine = jit_new_block(jit, "");
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, wrong, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, fine, look, true);
    jit_position(jit, look);
    LLVMTypeRef types[] = {jit->ptr, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx, wrong, members_of_first(jit, &members, wrong),
                           jit_const(jit, 32, instr->line)};
    jit_helper_call(jit, offsetof(struct jit_helpers, members_wrong),
                    LLVMFunctionType(jit->empty, types, 4, 0), args, 4);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}
