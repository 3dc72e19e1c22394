/* SPDX-License-Identifier: Apache-2.0 */
/* alloca, stacksave and stackrestore (PTX ISA, "Stack Manipulation Instructions").
 *
 * A kernel or function with an alloca has, after the variables in each lane's local memory, a word and an
 * area:
 *
 *   lane's local memory:  variables | used | area of STACK_BYTES
 *
 * `used` counts the bytes of the area that are taken; alloca rounds it up, takes some, and gives their place;
 * stacksave reads it, stackrestore writes it. Inlined functions save and restore it around them
 * (ptx_flatten.c). Limits: the area has a fixed size, whatever cudaLimitStackSize says; what does not fit is
 * an illegal address.
 */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_refuse.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* The lane's `used`. */
static LLVMValueRef used_slot(struct jit *jit, LLVMValueRef lane)
{
    LLVMValueRef offset = LLVMBuildMul(jit->builder, lane, jit_const(jit, 64, jit->info.local_bytes), "");
    offset = LLVMBuildAdd(jit->builder, offset, jit_const(jit, 64, jit->stack_at), "");
    return LLVMBuildGEP2(jit->builder, jit->i8, jit->warp_local, &offset, 1, "");
}

void jit_stack_begin(struct jit *jit)
{
    for (unsigned lane = 0; jit->has_stack && lane < SW_WARP_LANES; lane++)
        LLVMBuildStore(jit->builder, jit_const(jit, 64, 0), used_slot(jit, jit_const(jit, 64, lane)));
}

static LLVMValueRef lane_slot(struct jit *jit, LLVMValueRef list, LLVMValueRef lane)
{
    return LLVMBuildGEP2(jit->builder, jit->i64, list, &lane, 1, "");
}

/* The operand's 32 values, each as 64 bits, in memory. */
static LLVMValueRef stack_spill(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    struct jit_value value = jit_operand(jit, operand, bits);
    value = jit_value_resize(jit, &value, 64, false);
    jit_value_parts(jit, &value, parts);
    return jit_spill_addresses(jit, parts);
}

static void trap_if(struct jit *jit, LLVMValueRef bad)
{
    LLVMBasicBlockRef full = jit_new_block(jit, "stack_full"), fine = jit_new_block(jit, "");
    jit_branch(jit, bad, full, fine, false);
    jit_position(jit, full);
    LLVMTypeRef params[] = {jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, SW_ILLEGAL_ADDRESS)};
    jit_helper_call(jit, offsetof(struct jit_helpers, trap), LLVMFunctionType(jit->empty, params, 2, 0), args,
                    2);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

/* Take `size` bytes of the lane's area; returns their offset in its local memory. */
static LLVMValueRef stack_take(struct jit *jit, LLVMValueRef used_at, LLVMValueRef size, uint64_t align)
{
    uint64_t first = jit->stack_at + JIT_STACK_WORD;
    LLVMValueRef used = LLVMBuildLoad2(jit->builder, jit->i64, used_at, "");
    LLVMValueRef at = LLVMBuildAdd(jit->builder, used, jit_const(jit, 64, first + align - 1), "");
    at = LLVMBuildAnd(jit->builder, at, jit_const(jit, 64, ~(align - 1)), "");
    LLVMValueRef taken = LLVMBuildSub(jit->builder, at, jit_const(jit, 64, first), "");
    LLVMValueRef most = jit_const(jit, 64, jit_stack_bytes(jit));
    LLVMValueRef left = LLVMBuildSub(jit->builder, most, taken, "");
    trap_if(jit, LLVMBuildOr(jit->builder, LLVMBuildICmp(jit->builder, LLVMIntUGT, taken, most, ""),
                             LLVMBuildICmp(jit->builder, LLVMIntUGT, size, left, ""), ""));
    LLVMBuildStore(jit->builder, LLVMBuildAdd(jit->builder, taken, size, ""), used_at);
    return at;
}

static void write_back(struct jit *jit, uint32_t reg, LLVMValueRef list, unsigned bits)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] =
            LLVMBuildLoad2(jit->builder, jit_vec(jit, 64),
                           jit_offset(jit, list, (uint64_t)p * jit->part.lanes * sizeof(uint64_t)), "");
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(parts[p], sizeof(uint64_t));
    struct jit_value wide = jit_value_vector(jit, parts, 64), out = jit_value_resize(jit, &wide, bits, false);
    jit_dest_write(jit, reg, &out, false);
}

static uint64_t wanted_align(const struct ptx_instr *instr)
{
    uint64_t align = instr->operand_count > 2 ? instr->operands[2].bits : 8; /* "default 8" */
    return align < 1 ? 1 : align;
}

enum sw_status jit_emit_stack(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    bool restores = instr->op == ISA_OP_STACKRESTORE, allocates = instr->op == ISA_OP_ALLOCA;
    if (allocates && (wanted_align(instr) & (wanted_align(instr) - 1)))
        return jit_refuse(jit, instr, "the alignment must be a power of two");
    LLVMValueRef source = NULL, result = jit_slot(jit, LLVMArrayType2(jit->i64, SW_WARP_LANES), "stack");
    if (restores || allocates) source = stack_spill(jit, &instr->operands[allocates], bits);
    if (!restores) jit_reg_read(jit, instr->operands[0].reg);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, jit_lanes_of(jit, instr).mask);
    LLVMValueRef used_at = used_slot(jit, loop.lane), value = NULL;
    if (source) value = LLVMBuildLoad2(jit->builder, jit->i64, lane_slot(jit, source, loop.lane), "");
    if (restores)
        LLVMBuildStore(jit->builder, value, used_at);
    else
        value = allocates ? stack_take(jit, used_at, value, wanted_align(instr))
                          : LLVMBuildLoad2(jit->builder, jit->i64, used_at, "");
    if (!restores) LLVMBuildStore(jit->builder, value, lane_slot(jit, result, loop.lane));
    jit_lane_loop_end(jit, &loop);
    if (!restores) write_back(jit, instr->operands[0].reg, result, bits);
    return SW_OK;
}
