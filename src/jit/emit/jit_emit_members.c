/* SPDX-License-Identifier: Apache-2.0 */
/* A look at the member masks of operations of a warp (.sync of shfl, vote, match, redux, elect, bar.warp),
 * where the tool asks for it (EVENT_PROBE_SYNC): PTX leaves undefined what happens when a lane's own mask
 * does not name it, or masks differ of lanes that name each other. One mask that names all lanes is the usual
 * case; others are a call of the helper members_look. No code where it is the constant of all lanes.
 *
 * Shuffles that not all lanes of the warp execute: the helper shuffle_look, since one may read from a lane
 * that does not take part, and the result is undefined then. */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* i1: is every lane's mask that of the first lane, and names it all lanes? */
static LLVMValueRef are_fine(struct jit *jit, LLVMValueRef *members, const struct jit_lanes *lanes)
{
    LLVMValueRef first = jit_value_first(jit, members, lanes->mask), same[JIT_MAX_PARTS];
    LLVMValueRef splat = jit_splat(jit, first, 32);
    for (unsigned p = 0; p < jit->part.parts; p++)
        same[p] = LLVMBuildICmp(jit->builder, LLVMIntEQ, members[p], splat, "");
    LLVMValueRef both = LLVMBuildAnd(jit->builder, first, jit_mask_join(jit, same), "");
    LLVMValueRef wrong = LLVMBuildAnd(jit->builder, lanes->mask, LLVMBuildNot(jit->builder, both, ""), "");
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, wrong, jit_const(jit, 32, 0), "");
}

static LLVMValueRef is_fine(struct jit *jit, const struct jit_value *members, const struct jit_lanes *lanes)
{
    LLVMValueRef others = LLVMBuildNot(jit->builder, members->scalar, "");
    others = LLVMBuildAnd(jit->builder, lanes->mask, others, "");
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, others, jit_const(jit, 32, 0), "");
}

void jit_members_look(struct jit *jit, const struct ptx_instr *instr)
{
    if (!(jit->request->probes & EVENT_PROBE_SYNC) || !jit_is_collective(instr)) return;
    const struct ptx_operand *operand = &instr->operands[instr->operand_count - 1];
    if (operand->kind == ISA_OPD_INT && (uint32_t)operand->bits == UINT32_MAX) return;
    struct jit_value members = jit_operand(jit, operand, 32);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &members, parts);
    LLVMValueRef fine =
        members.repr == JIT_SCALAR ? is_fine(jit, &members, &lanes) : are_fine(jit, parts, &lanes);
    LLVMBasicBlockRef look = jit_new_block(jit, "members"), next = jit_new_block(jit, "");
    jit_branch(jit, fine, next, look, true);
    jit_position(jit, look);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_spill_values(jit, parts, 32), lanes.mask,
                           jit_const(jit, 32, instr->line)};
    jit_helper_call(jit, offsetof(struct jit_helpers, members_look),
                    LLVMFunctionType(jit->empty, types, 4, 0), args, 4);
    LLVMBuildBr(jit->builder, next);
    jit_position(jit, next);
}

static enum jit_collective_variant shuffle_kind(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_UP)) return JIT_COLLECTIVE_UP;
    if (ptx_has(instr, ISA_MOD_DOWN)) return JIT_COLLECTIVE_DOWN;
    return ptx_has(instr, ISA_MOD_BFLY) ? JIT_COLLECTIVE_BFLY : JIT_COLLECTIVE_IDX;
}

void jit_shuffle_look(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *b, LLVMValueRef *c,
                      const struct jit_lanes *lanes)
{
    enum jit_collective_variant kind = shuffle_kind(instr);
    if (!(jit->request->probes & EVENT_PROBE_SYNC) || jit_mask_is_full(jit)) return;
    if (kind == JIT_COLLECTIVE_UP || kind == JIT_COLLECTIVE_DOWN) return; /* see wants_all, engine_misuse.c */
    LLVMBasicBlockRef look = jit_new_block(jit, "shuffle"), fine = jit_new_block(jit, "");
    LLVMValueRef all =
        LLVMBuildICmp(jit->builder, LLVMIntEQ, lanes->mask, jit_const(jit, 32, UINT32_MAX), "");
    jit_branch(jit, all, fine, look, true);
    jit_position(jit, look);
    LLVMValueRef first = jit_spill_values(jit, b, 32),
                 second = jit_offset(jit, first, SW_WARP_LANES * sizeof(uint32_t));
    jit_spill_parts(jit, second, c, 32);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->ptr, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {
        jit->ctx, first, second, lanes->mask, jit_const(jit, 32, kind), jit_const(jit, 32, instr->line)};
    jit_helper_call(jit, offsetof(struct jit_helpers, shuffle_look),
                    LLVMFunctionType(jit->empty, types, 6, 0), args, 6);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}
