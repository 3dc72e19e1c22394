/* SPDX-License-Identifier: Apache-2.0 */
/* tex, suld and sust (PTX ISA 9.7.10 and 9.7.11): objects, coordinates and values of all lanes go to memory
 * and one call a warp does the rest (engine_texture.c). Limits: texture and surface objects only, not .texref
 * variables; no mipmap levels, gradients, cube maps, gathers, residency or formatted surface accesses (.p);
 * surface elements of 8 to 32 bits. */
#include "jit_core_priv.h"

#include <string.h>

static bool geometry(const struct ptx_instr *instr, struct jit_texture_op *op)
{
    static const struct {
        enum ptx_mod mod;
        uint8_t dimensions, layered;
    } shapes[] = {{PTX_MOD_D_1D, 1, 0},
                  {PTX_MOD_D_2D, 2, 0},
                  {PTX_MOD_D_3D, 3, 0},
                  {PTX_MOD_A1D, 1, 1},
                  {PTX_MOD_A2D, 2, 1}};
    for (size_t i = 0; i < SW_COUNT_OF(shapes); i++) {
        if (!ptx_has(instr, shapes[i].mod)) continue;
        op->dimensions = shapes[i].dimensions;
        op->layered = shapes[i].layered;
        return true;
    }
    return false;
}

/* tex.geom.v4.dtype.ctype; suld.b.geom.vec.type.clamp */
static struct jit_texture_op describe(const struct ptx_instr *instr)
{
    struct jit_texture_op op = {.kind = JIT_TEXTURE_READ};
    geometry(instr, &op);
    if (instr->op == PTX_OP_TEX) {
        op.integer_result = ptx_type_class(ptx_instr_type(instr, 0)) != PTX_CLASS_FLOAT;
        op.integer_coords = ptx_type_class(ptx_instr_type(instr, 1)) != PTX_CLASS_FLOAT;
        op.bytes = 4;
        op.count = 4;
        return op;
    }
    op.kind = instr->op == PTX_OP_SULD ? JIT_SURFACE_LOAD : JIT_SURFACE_STORE;
    op.integer_coords = op.integer_result = 1;
    op.bytes = (uint8_t)(ptx_type_bits(ptx_instr_type(instr, 0)) / 8);
    op.count = (uint8_t)ptx_vector_count(instr);
    op.outside = ptx_has(instr, PTX_MOD_CLAMP)  ? JIT_OUTSIDE_CLAMP
                 : ptx_has(instr, PTX_MOD_ZERO) ? JIT_OUTSIDE_ZERO
                                                : JIT_OUTSIDE_TRAP;
    return op;
}

static const struct ptx_operand *place_of(const struct ptx_instr *instr)
{
    return &instr->operands[instr->op == PTX_OP_SUST ? 0 : 1];
}

static const struct ptx_operand *values_of(const struct ptx_instr *instr)
{
    return &instr->operands[instr->op == PTX_OP_SUST ? 1 : 0];
}

static bool has_level(const struct ptx_instr *instr)
{
    return ptx_has(instr, PTX_MOD_LEVEL) || ptx_has(instr, PTX_MOD_GRAD);
}

const char *jit_texture_refusal(const struct ptx_instr *instr)
{
    struct jit_texture_op op = {0};
    if (!geometry(instr, &op)) return "only one, two and three dimensions and layers of one and two are done";
    if (has_level(instr)) return "mipmap levels and gradients are not done";
    if (instr->operand_count != 2) return "offsets, comparisons and residency of textures are not done";
    const struct ptx_operand *place = place_of(instr);
    if (place->kind != PTX_OPD_MEM || place->reg == PTX_NO_REG || place->count != 1)
        return "texture and surface references are not done; use texture objects";
    if (instr->op == PTX_OP_TEX && ptx_type_bits(ptx_instr_type(instr, 0)) != 32)
        return "textures give values of 32 bits";
    if (instr->op != PTX_OP_TEX && (ptx_type_bits(ptx_instr_type(instr, 0)) > 32))
        return "surface elements of 64 bits are not done; use pairs of 32";
    return NULL;
}

static LLVMValueRef words(struct jit *jit, unsigned bits, unsigned rows)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit_int(jit, bits), 32ull * rows), "texture");
    LLVMSetAlignment(slot, 64);
    return slot;
}

static LLVMValueRef row_part(struct jit *jit, LLVMValueRef slot, unsigned bits, unsigned row, unsigned p)
{
    uint64_t element = 32ull * row + (uint64_t)p * jit->part.lanes;
    return jit_offset(jit, slot, element * bits / 8);
}

static void put(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef slot, unsigned bits,
                unsigned row)
{
    unsigned own = operand->kind == PTX_OPD_REG ? jit->regs[operand->reg].bits : bits;
    struct jit_value value = jit_operand(jit, operand, own),
                     sized = jit_value_resize(jit, &value, bits, false);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &sized, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(LLVMBuildStore(jit->builder, parts[p], row_part(jit, slot, bits, row, p)), 4);
}

static void get(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef slot, unsigned row)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    if (operand->kind != PTX_OPD_REG) return; /* _ */
    for (unsigned p = 0; p < jit->part.parts; p++) {
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, 32), row_part(jit, slot, 32, row, p), "");
        LLVMSetAlignment(parts[p], 4);
    }
    struct jit_value value = jit_value_vector(jit, parts, 32);
    jit_dest_write(jit, operand->reg, &value, false);
}

/* The elements of {a, b}, or the operand itself. */
static const struct ptx_operand *element(const struct ptx_operand *operand, unsigned i, unsigned *count)
{
    bool list = operand->kind == PTX_OPD_VEC;
    *count = list ? operand->count : 1;
    return list ? &operand->elements[i] : operand;
}

enum sw_status jit_emit_texture(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_texture_op op = describe(instr);
    const struct ptx_operand *place = place_of(instr), *values = values_of(instr);
    struct ptx_operand object = {.kind = PTX_OPD_REG, .reg = place->reg, .reg2 = PTX_NO_REG};
    LLVMValueRef objects = words(jit, 64, 1), coordinates = words(jit, 32, 4), data = words(jit, 32, 4);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    unsigned count = 1;
    uint64_t code;
    memcpy(&code, &op, sizeof code);
    put(jit, &object, objects, 64, 0);
    for (unsigned i = 0; i < count && i < 4; i++)
        put(jit, element(&place->elements[0], i, &count), coordinates, 32, i);
    count = 1;
    for (unsigned i = 0; op.kind == JIT_SURFACE_STORE && i < count && i < 4; i++)
        put(jit, element(values, i, &count), data, 32, i);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i32, jit->ptr, jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 64, code), lanes.mask, objects, coordinates, data};
    jit_helper_call(jit, offsetof(struct jit_helpers, texture), LLVMFunctionType(jit->empty, types, 6, 0),
                    args, 6);
    count = 1;
    for (unsigned i = 0; op.kind != JIT_SURFACE_STORE && i < count && i < 4; i++)
        get(jit, element(values, i, &count), data, i);
    return SW_OK;
}
_Static_assert(sizeof(struct jit_texture_op) == 8, "passed as one word");
