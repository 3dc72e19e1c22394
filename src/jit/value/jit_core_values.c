/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and operands. Inside a block a register is its last value; between blocks it is memory (slots on
 * the stack that LLVM's SROA turns into values again, or the warp's frame when the warp may suspend).
 *
 * The one place where lanes merge: jit_regs_flush selects new or old by the active mask, for those registers
 * whose old value lanes elsewhere still need, and no others.
 * Limits: a register must first be read before an instruction branches inside itself, so that what was read
 * is known in all its branches. */
#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

/* ---- slots */

static LLVMTypeRef slot_type(const struct jit *jit, const struct jit_reg *reg)
{
    return reg->abstract.repr == JIT_VECTOR ? jit_vec(jit, reg->bits) : jit_int(jit, reg->bits);
}

static unsigned slot_count(const struct jit *jit, const struct jit_reg *reg)
{
    return reg->abstract.repr == JIT_VECTOR ? jit->part.parts : 1;
}

LLVMValueRef jit_reg_slot(struct jit *jit, struct jit_reg *reg, unsigned p)
{
    if (jit_registers_in_frame(jit))
        return jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step);
    if (!reg->slot[p]) reg->slot[p] = jit_reg_alloca(jit, slot_type(jit, reg));
    return reg->slot[p];
}

LLVMValueRef jit_limit_slot(struct jit *jit, struct jit_reg *reg)
{
    if (jit_registers_in_frame(jit)) return jit_offset(jit, jit->frame, reg->frame_offset + 8ull);
    if (!reg->limit_slot) reg->limit_slot = jit_reg_alloca(jit, jit->i32);
    return reg->limit_slot;
}

static LLVMValueRef load_part(struct jit *jit, struct jit_reg *reg, unsigned p)
{
    return LLVMBuildLoad2(jit->builder, slot_type(jit, reg), jit_reg_slot(jit, reg, p), "");
}

static struct jit_value load_reg(struct jit *jit, struct jit_reg *reg)
{
    struct jit_value value = {.repr = reg->abstract.repr, .bits = reg->bits};
    if (value.repr == JIT_VECTOR) {
        for (unsigned p = 0; p < jit->part.parts; p++)
            value.part[p] = jit_nan_load(jit, reg, load_part(jit, reg, p));
        return value;
    }
    value.scalar = jit_nan_load(jit, reg, load_part(jit, reg, 0));
    if (value.repr == JIT_AFFINE) {
        value.stride = reg->abstract.stride;
        value.wrap = reg->abstract.wrap;
        if (value.wrap) value.limit = LLVMBuildLoad2(jit->builder, jit->i32, jit_limit_slot(jit, reg), "");
    }
    return value;
}

struct jit_value jit_reg_read(struct jit *jit, uint32_t number)
{
    struct jit_reg *reg = &jit->regs[number];
    if (reg->epoch != jit->epoch) {
        reg->value = load_reg(jit, reg);
        reg->epoch = jit->epoch;
        reg->dirty = false;
    }
    return reg->value;
}

static struct jit_value as_repr(struct jit *jit, const struct jit_reg *reg, const struct jit_value *value)
{
    struct jit_value out = {.repr = reg->abstract.repr, .bits = reg->bits};
    switch (reg->abstract.repr) {
    case JIT_VECTOR: jit_value_parts(jit, value, out.part); return out;
    case JIT_SCALAR: out.scalar = jit_value_any(jit, value); return out;
    case JIT_AFFINE:
        if (value->repr == JIT_VECTOR) BUG("an affine register is given a vector");
        out.scalar = value->scalar;
        out.stride = reg->abstract.stride;
        out.wrap = reg->abstract.wrap;
        if (out.wrap) out.limit = value->limit ? value->limit : jit_const(jit, 32, 32);
        return out;
    case JIT_UNSET: break;
    }
    BUG("a register without a representation");
}

void jit_reg_write(struct jit *jit, uint32_t number, const struct jit_value *value)
{
    struct jit_reg *reg = &jit->regs[number];
    SW_ASSERT(value->bits == reg->bits);
    bool listed = reg->epoch == jit->epoch && reg->dirty;
    reg->value = as_repr(jit, reg, value);
    reg->epoch = jit->epoch;
    reg->dirty = true;
    if (!listed) *vec_push(&jit->dirty) = number;
    if (reg->brings_nans) jit_nan_note(jit, &reg->value);
}

/* ---- operands */

struct jit_value jit_reg_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct jit_value value = jit_reg_read(jit, operand->reg);
    value = jit_value_resize(jit, &value, bits, false);
    if (!operand->negate) return value;
    LLVMValueRef parts[JIT_MAX_PARTS];
    bool predicate = bits == 1;
    if (value.repr == JIT_SCALAR) {
        value.scalar = predicate ? LLVMBuildNot(jit->builder, value.scalar, "")
                                 : LLVMBuildNeg(jit->builder, value.scalar, "");
        return value;
    }
    jit_value_parts(jit, &value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] =
            predicate ? LLVMBuildNot(jit->builder, parts[p], "") : LLVMBuildNeg(jit->builder, parts[p], "");
    return jit_value_vector(jit, parts, bits);
}

/* ---- results */

static struct jit_value select_scalar(struct jit *jit, LLVMValueRef on, const struct jit_value *yes,
                                      const struct jit_value *no)
{
    struct jit_value out = *yes;
    if (yes->repr != JIT_VECTOR) {
        out.scalar = LLVMBuildSelect(jit->builder, on, yes->scalar, no->scalar, "");
        if (yes->limit) out.limit = LLVMBuildSelect(jit->builder, on, yes->limit, no->limit, "");
        return out;
    }
    for (unsigned p = 0; p < jit->part.parts; p++)
        out.part[p] = LLVMBuildSelect(jit->builder, on, yes->part[p], no->part[p], "");
    return out;
}

/* Where the instruction is guarded, lanes whose guard is false keep what they had. */
static struct jit_value guarded(struct jit *jit, uint32_t number, const struct jit_value *value)
{
    const struct ptx_instr *instr = jit->instr;
    struct jit_value fresh = as_repr(jit, &jit->regs[number], value);
    struct jit_value old = jit_reg_read(jit, number);
    struct ptx_operand guard = {.kind = ISA_OPD_REG, .reg = instr->guard, .negate = instr->guard_negate};
    struct jit_value on = jit_reg_operand(jit, &guard, 1);
    if (on.repr == JIT_SCALAR) return select_scalar(jit, on.scalar, &fresh, &old);
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = LLVMBuildSelect(jit->builder, on.part[p], fresh.part[p], old.part[p], "");
    return jit_value_vector(jit, parts, value->bits);
}

void jit_dest_write(struct jit *jit, uint32_t number, const struct jit_value *value, bool is_signed)
{
    if (number == PTX_NO_REG) return;
    struct jit_value sized = jit_value_resize(jit, value, jit->regs[number].bits, is_signed);
    if (jit->instr->guard != PTX_NO_REG) sized = guarded(jit, number, &sized);
    jit_reg_write(jit, number, &sized);
}

/* ---- the end of a block */

static void store_reg(struct jit *jit, struct jit_reg *reg, bool merge)
{
    struct jit_value *value = &reg->value;
    if (value->repr != JIT_VECTOR) {
        LLVMBuildStore(jit->builder, jit_nan_store(jit, reg, value->scalar), jit_reg_slot(jit, reg, 0));
        if (value->limit) LLVMBuildStore(jit->builder, value->limit, jit_limit_slot(jit, reg));
        return;
    }
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef out = jit_nan_store(jit, reg, value->part[p]);
        if (merge)
            out =
                LLVMBuildSelect(jit->builder, jit_mask_active_parts(jit)[p], out, load_part(jit, reg, p), "");
        LLVMBuildStore(jit->builder, out, jit_reg_slot(jit, reg, p));
    }
}

static bool live_out(const struct jit *jit, const struct jit_block *block, uint32_t reg)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (jit_lives(jit, jit->blocks[block->succ[s]].live_in, reg)) return true;
    return false;
}

void jit_regs_flush(struct jit *jit)
{
    jit_nans_look(jit);
    for (size_t i = 0; i < jit->dirty.count; i++) {
        uint32_t number = jit->dirty.at[i];
        bool merge = jit_lives(jit, jit->block->needed, number);
        if (live_out(jit, jit->block, number)) store_reg(jit, &jit->regs[number], merge);
    }
    vec_clear(&jit->dirty);
}

void jit_regs_reset(struct jit *jit)
{
    for (uint32_t r = 0; r < jit->reg_count; r++) {
        struct jit_reg *reg = &jit->regs[r];
        if (!reg->crosses) continue;
        for (unsigned p = 0; p < slot_count(jit, reg); p++)
            LLVMBuildStore(jit->builder, LLVMConstNull(slot_type(jit, reg)), jit_reg_slot(jit, reg, p));
        if (reg->abstract.repr == JIT_AFFINE && reg->abstract.wrap)
            LLVMBuildStore(jit->builder, jit_const(jit, 32, 32), jit_limit_slot(jit, reg));
    }
}
