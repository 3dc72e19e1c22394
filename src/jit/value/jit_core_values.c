/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and operands. Inside a block a register is its last value; between blocks it is memory (slots on
 * the stack that LLVM's SROA turns into values again, or the warp's frame when the warp may suspend). In the
 * first tier it is memory inside a block, too, where a function computes it (jit_emit_shared.c).
 *
 * The one place where lanes merge: jit_regs_flush selects new or old by the active mask, for those registers
 * whose old value lanes elsewhere still need, and no others.
 * Limits: a register must first be read before an instruction branches inside itself, so that what was read
 * is known in all its branches. */
#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

/* ---- slots */

LLVMTypeRef jit_reg_type(const struct jit *jit, const struct jit_reg *reg)
{
    return reg->abstract.repr == JIT_VECTOR ? jit_vec(jit, reg->bits) : jit_int(jit, reg->bits);
}

unsigned jit_reg_pieces(const struct jit *jit, const struct jit_reg *reg)
{
    return jit_value_pieces(jit, reg->abstract.repr, reg->abstract.regular);
}

unsigned jit_reg_limits(const struct jit *jit, const struct jit_reg *reg)
{
    bool none = reg->abstract.repr == JIT_VECTOR || reg->abstract.wrap == 0;
    return none ? 0 : jit_reg_pieces(jit, reg);
}

struct jit_value jit_reg_value(const struct jit_reg *reg)
{
    return (struct jit_value){.repr = reg->abstract.repr,
                              .bits = reg->bits,
                              .regular = reg->abstract.regular,
                              .stride = reg->abstract.stride,
                              .step = reg->abstract.step,
                              .wrap = reg->abstract.wrap};
}

/* Do its lanes stand side by side in memory, so that a function can take them all by one address? */
static bool is_whole(const struct jit *jit, const struct jit_reg *reg)
{
    bool bytes = reg->bits == 16 || reg->bits == 32 || reg->bits == 64;
    return jit->request->quick && bytes && reg->abstract.repr == JIT_VECTOR;
}

static LLVMValueRef whole_alloca(struct jit *jit, const struct jit_reg *reg)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit_int(jit, reg->bits), SW_WARP_LANES), "");
    LLVMSetAlignment(slot, reg->bits / 8 * jit->part.lanes);
    return slot;
}

LLVMValueRef jit_reg_slot(struct jit *jit, struct jit_reg *reg, unsigned p)
{
    if (jit_registers_in_frame(jit))
        return jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step);
    if (is_whole(jit, reg)) {
        if (!reg->slot[0]) reg->slot[0] = whole_alloca(jit, reg);
        return jit_offset(jit, reg->slot[0], (uint64_t)p * (reg->bits / 8) * jit->part.lanes);
    }
    if (!reg->slot[p]) reg->slot[p] = jit_reg_alloca(jit, jit_reg_type(jit, reg));
    return reg->slot[p];
}

LLVMValueRef jit_limit_slot(struct jit *jit, struct jit_reg *reg, unsigned p)
{
    if (jit_registers_in_frame(jit))
        return jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step + FRAME_LIMIT);
    if (!reg->limit_slot[p]) reg->limit_slot[p] = jit_reg_alloca(jit, jit->i32);
    return reg->limit_slot[p];
}

static LLVMValueRef load_part(struct jit *jit, struct jit_reg *reg, unsigned p)
{
    return LLVMBuildLoad2(jit->builder, jit_reg_type(jit, reg), jit_reg_slot(jit, reg, p), "");
}

static struct jit_value load_reg(struct jit *jit, struct jit_reg *reg)
{
    struct jit_value value = jit_reg_value(reg);
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++)
        jit_value_set_piece(&value, p, jit_nan_load(jit, reg, load_part(jit, reg, p)));
    for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++)
        jit_value_set_limit(&value, p,
                            LLVMBuildLoad2(jit->builder, jit->i32, jit_limit_slot(jit, reg, p), ""));
    return value;
}

struct jit_value jit_reg_read(struct jit *jit, uint32_t number)
{
    struct jit_reg *reg = &jit->regs[number];
    if (reg->epoch != jit->epoch) {
        reg->value = load_reg(jit, reg);
        reg->epoch = jit->epoch;
        reg->dirty = false;
        reg->memory = NULL;
    } else if (reg->memory && !reg->is_loaded) {
        reg->value = jit_reg_load(jit, reg, reg->memory);
        reg->is_loaded = true;
    }
    return reg->value;
}

static bool live_out(const struct jit *jit, const struct jit_block *block, uint32_t reg)
{
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (jit_lives(jit, jit->blocks[block->succ[s]].live_in, reg)) return true;
    return false;
}

/* ---- values in memory: of the first tier, whose functions take and give them there (jit_emit_shared.c) */

struct jit_value jit_reg_load(struct jit *jit, const struct jit_reg *reg, LLVMValueRef memory)
{
    unsigned bytes = reg->bits / 8 * jit->part.lanes;
    struct jit_value value = jit_reg_value(reg);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, memory, (uint64_t)p * bytes);
        LLVMValueRef part = LLVMBuildLoad2(jit->builder, jit_vec(jit, reg->bits), at, "");
        LLVMSetAlignment(part, bytes > 64 ? 64 : bytes);
        value.part[p] = jit_nan_load(jit, reg, part);
    }
    return value;
}

void jit_reg_store(struct jit *jit, const struct jit_reg *reg, const struct jit_value *value,
                   LLVMValueRef memory)
{
    unsigned bytes = reg->bits / 8 * jit->part.lanes;
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, memory, (uint64_t)p * bytes);
        LLVMValueRef store = LLVMBuildStore(jit->builder, jit_nan_store(jit, reg, parts[p]), at);
        LLVMSetAlignment(store, bytes > 64 ? 64 : bytes);
    }
}

bool jit_reg_may_be_memory(const struct jit *jit, uint32_t number)
{
    return is_whole(jit, &jit->regs[number]) && !jit->values_only;
}

LLVMValueRef jit_reg_memory(struct jit *jit, uint32_t number)
{
    struct jit_reg *reg = &jit->regs[number];
    if (!jit_reg_may_be_memory(jit, number)) return NULL;
    if (reg->epoch != jit->epoch) return jit_reg_slot(jit, reg, 0);
    return reg->memory;
}

LLVMValueRef jit_reg_new_memory(struct jit *jit, uint32_t number)
{
    struct jit_reg *reg = &jit->regs[number];
    bool listed = reg->epoch == jit->epoch && reg->dirty;
    bool own = live_out(jit, jit->block, number) && !jit_lives(jit, jit->block->needed, number);
    if (!own && !reg->work) reg->work = whole_alloca(jit, reg);
    reg->memory = own ? jit_reg_slot(jit, reg, 0) : reg->work;
    reg->in_slot = own;
    reg->is_loaded = false;
    reg->epoch = jit->epoch;
    reg->dirty = true;
    if (!listed) *vec_push(&jit->dirty) = number;
    return reg->memory;
}

/* Of a vector that is known to be equal in the active lanes of each row */
static struct jit_value rows_of_vector(struct jit *jit, const struct jit_value *value)
{
    struct jit_value out = {.repr = JIT_ROWS, .bits = value->bits};
    LLVMValueRef parts[JIT_MAX_PARTS], active = jit_mask_active(jit);
    jit_value_parts(jit, value, parts);
    for (unsigned r = 0; r < jit->rows; r++) {
        LLVMValueRef mask = jit_row_mask(jit, active, r);
        LLVMValueRef some = LLVMBuildICmp(jit->builder, LLVMIntNE, mask, jit_const(jit, 32, 0), "");
        mask = LLVMBuildSelect(jit->builder, some, mask, jit_const(jit, 32, 1), "");
        out.part[r] = jit_value_first(jit, parts, mask);
    }
    out.scalar = out.part[0];
    return out;
}

/* A value in one piece, or rows, as the register has it; the stride is that of both. */
static struct jit_value as_pieces(struct jit *jit, const struct jit_reg *reg, const struct jit_value *value)
{
    struct jit_value out = jit_reg_value(reg), rows;
    unsigned pieces = jit_reg_pieces(jit, reg), limits = jit_reg_limits(jit, reg);
    if (value->repr == JIT_VECTOR && (reg->abstract.stride || out.regular))
        BUG("an affine register is given a vector");
    if (pieces > 1) {
        rows = value->repr == JIT_VECTOR ? rows_of_vector(jit, value) : jit_value_rows(jit, value);
        value = &rows;
    }
    for (unsigned i = 0; i < pieces; i++) {
        jit_value_set_piece(&out, i, jit_value_piece(value, i));
        LLVMValueRef limit = jit_value_limit(value, i);
        if (i < limits) jit_value_set_limit(&out, i, limit ? limit : jit_const(jit, 32, 32));
    }
    return out;
}

static struct jit_value as_repr(struct jit *jit, const struct jit_reg *reg, const struct jit_value *value)
{
    struct jit_value out = {.repr = reg->abstract.repr, .bits = reg->bits};
    switch (reg->abstract.repr) {
    case JIT_VECTOR: jit_value_parts(jit, value, out.part); return out;
    case JIT_SCALAR: out.scalar = jit_value_any(jit, value); return out;
    case JIT_AFFINE:
    case JIT_ROWS: return as_pieces(jit, reg, value);
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
    reg->memory = NULL;
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
    if (value.repr == JIT_ROWS && value.stride == 0) {
        value = jit_value_rows(jit, &value);
    } else if (value.repr != JIT_SCALAR) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &value, parts);
        value = jit_value_vector(jit, parts, bits);
    }
    for (unsigned i = 0; i < jit_value_pieces(jit, value.repr, value.regular); i++) {
        LLVMValueRef piece = jit_value_piece(&value, i);
        piece = bits == 1 ? LLVMBuildNot(jit->builder, piece, "") : LLVMBuildNeg(jit->builder, piece, "");
        jit_value_set_piece(&value, i, piece);
    }
    return value;
}

/* ---- results */

/* on: a scalar, a row's each or a part's each */
static struct jit_value select_pieces(struct jit *jit, const struct jit_value *on,
                                      const struct jit_value *yes, const struct jit_value *no)
{
    struct jit_value out = *yes;
    for (unsigned i = 0; i < jit_value_pieces(jit, yes->repr, yes->regular); i++) {
        LLVMValueRef is_on = on->repr == JIT_SCALAR ? on->scalar : on->part[i];
        LLVMValueRef piece = jit_value_piece(yes, i), limit = jit_value_limit(yes, i);
        piece = LLVMBuildSelect(jit->builder, is_on, piece, jit_value_piece(no, i), "");
        jit_value_set_piece(&out, i, piece);
        if (limit) limit = LLVMBuildSelect(jit->builder, is_on, limit, jit_value_limit(no, i), "");
        jit_value_set_limit(&out, i, limit);
    }
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
    if (on.repr == JIT_ROWS) on = jit_value_rows(jit, &on);
    if (on.repr == JIT_ROWS && fresh.repr == JIT_VECTOR) {
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &on, parts);
        on = jit_value_vector(jit, parts, 1);
    }
    return select_pieces(jit, &on, &fresh, &old);
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
    for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++)
        LLVMBuildStore(jit->builder, jit_value_limit(value, p), jit_limit_slot(jit, reg, p));
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++) {
        LLVMValueRef out = jit_nan_store(jit, reg, jit_value_piece(value, p));
        if (merge && value->repr == JIT_VECTOR)
            out =
                LLVMBuildSelect(jit->builder, jit_mask_active_parts(jit)[p], out, load_part(jit, reg, p), "");
        LLVMBuildStore(jit->builder, out, jit_reg_slot(jit, reg, p));
    }
}

void jit_regs_flush(struct jit *jit)
{
    jit_nans_look(jit);
    for (size_t i = 0; i < jit->dirty.count; i++) {
        uint32_t number = jit->dirty.at[i];
        bool merge = jit_lives(jit, jit->block->needed, number);
        struct jit_reg *reg = &jit->regs[number];
        if (!live_out(jit, jit->block, number) || (reg->memory && reg->in_slot)) continue;
        jit_reg_read(jit, number);
        store_reg(jit, reg, merge);
    }
    vec_clear(&jit->dirty);
}

void jit_regs_reset(struct jit *jit)
{
    for (uint32_t r = 0; r < jit->reg_count; r++) {
        struct jit_reg *reg = &jit->regs[r];
        if (!reg->crosses) continue;
        for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++)
            LLVMBuildStore(jit->builder, LLVMConstNull(jit_reg_type(jit, reg)), jit_reg_slot(jit, reg, p));
        for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++)
            LLVMBuildStore(jit->builder, jit_const(jit, 32, JIT_NO_WRAP), jit_limit_slot(jit, reg, p));
    }
}
