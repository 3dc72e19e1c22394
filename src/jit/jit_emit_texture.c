/* SPDX-License-Identifier: Apache-2.0 */
/* tex, tld4, txq, suld, sust, suq and istypep (PTX ISA 9.7.10 and 9.7.11): objects, coordinates and values of
 * all lanes go to memory and one call a warp does the rest (engine_texture.c). Limits: texture and surface
 * objects only, not .texref variables; no mipmap levels, gradients, cube maps, depth comparison, residency of
 * tex or formatted surface accesses (.p); surface elements of 8 to 32 bits. */
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

static const char no_references[] = "texture and surface references are not done; use texture objects";

/* ---- queries */

static const struct {
    enum ptx_mod mod;
    enum jit_texture_query query;
} queries[] = {
    {PTX_MOD_WIDTH, JIT_QUERY_WIDTH},
    {PTX_MOD_HEIGHT, JIT_QUERY_HEIGHT},
    {PTX_MOD_DEPTH, JIT_QUERY_DEPTH},
    {PTX_MOD_CHANNEL_DATA_TYPE, JIT_QUERY_CHANNEL_DATA_TYPE},
    {PTX_MOD_CHANNEL_ORDER, JIT_QUERY_CHANNEL_ORDER},
    {PTX_MOD_NORMALIZED_COORDS, JIT_QUERY_NORMALIZED_COORDS},
    {PTX_MOD_FILTER_MODE, JIT_QUERY_FILTER_MODE},
    {PTX_MOD_ADDR_MODE_0, JIT_QUERY_ADDRESS_0},
    {PTX_MOD_ADDR_MODE_1, JIT_QUERY_ADDRESS_1},
    {PTX_MOD_ADDR_MODE_2, JIT_QUERY_ADDRESS_2},
    {PTX_MOD_ARRAY_SIZE, JIT_QUERY_ARRAY_SIZE},
    {PTX_MOD_NUM_MIPMAP_LEVELS, JIT_QUERY_MIPMAP_LEVELS},
    {PTX_MOD_NUM_SAMPLES, JIT_QUERY_SAMPLES},
    {PTX_MOD_MEMORY_LAYOUT, JIT_QUERY_MEMORY_LAYOUT},
};

static bool is_object(const struct ptx_operand *place)
{
    return place->kind == PTX_OPD_MEM && !place->var && place->reg != PTX_NO_REG && place->offset == 0;
}

static const char *query_refusal(const struct ptx_instr *instr)
{
    if (ptx_has(instr, PTX_MOD_FORCE_UNNORMALIZED_COORDS))
        return ".force_unnormalized_coords asks a sampler of independent texture mode, which is not done";
    return is_object(&instr->operands[1]) ? NULL : no_references;
}

static struct jit_texture_op describe_query(const struct ptx_instr *instr)
{
    struct jit_texture_op op = {.kind = JIT_TEXTURE_QUERY};
    if (instr->op == PTX_OP_ISTYPEP) {
        enum ptx_type type = ptx_instr_type(instr, 0);
        op.kind = JIT_TEXTURE_TYPE;
        op.opaque = type == PTX_TEXREF    ? JIT_OPAQUE_TEXTURE
                    : type == PTX_SURFREF ? JIT_OPAQUE_SURFACE
                                          : JIT_OPAQUE_SAMPLER;
        return op;
    }
    for (size_t i = 0; i < SW_COUNT_OF(queries); i++)
        if (ptx_has(instr, queries[i].mod)) op.query = (uint8_t)queries[i].query;
    if (ptx_has(instr, PTX_MOD_LEVEL)) op.query |= JIT_QUERY_LEVEL;
    return op;
}

static const char *gather_refusal(const struct ptx_instr *instr)
{
    if (!ptx_has(instr, PTX_MOD_D_2D) && !ptx_has(instr, PTX_MOD_A2D)) return "cube maps are not done";
    if (!is_object(&instr->operands[1]) || instr->operands[1].count != 1) return no_references;
    if (instr->operand_count > 3 || (instr->operand_count == 3 && instr->operands[2].kind != PTX_OPD_VEC))
        return "depth comparison of textures is not done";
    if (instr->operand_count == 3 && instr->operands[2].count != 2)
        return "its offset is a vector of two elements";
    return NULL;
}

const char *jit_texture_refusal(const struct ptx_instr *instr)
{
    struct jit_texture_op op = {0};
    if (instr->op == PTX_OP_ISTYPEP) return instr->operands[1].kind == PTX_OPD_REG ? NULL : no_references;
    if (instr->op == PTX_OP_TXQ || instr->op == PTX_OP_SUQ) return query_refusal(instr);
    if (instr->op == PTX_OP_TLD4) return gather_refusal(instr);
    if (!geometry(instr, &op)) return "only one, two and three dimensions and layers of one and two are done";
    if (has_level(instr)) return "mipmap levels and gradients are not done";
    if (instr->operand_count != 2) return "offsets, comparisons and residency of textures are not done";
    const struct ptx_operand *place = place_of(instr);
    if (place->kind != PTX_OPD_MEM || place->reg == PTX_NO_REG || place->count != 1) return no_references;
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

static struct jit_value word_of(struct jit *jit, LLVMValueRef slot, unsigned row)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++) {
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, 32), row_part(jit, slot, 32, row, p), "");
        LLVMSetAlignment(parts[p], 4);
    }
    return jit_value_vector(jit, parts, 32);
}

static void get(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef slot, unsigned row)
{
    if (operand->kind != PTX_OPD_REG) return; /* _ */
    struct jit_value value = word_of(jit, slot, row);
    jit_dest_write(jit, operand->reg, &value, false);
}

/* The elements of {a, b}, or the operand itself. */
static const struct ptx_operand *element(const struct ptx_operand *operand, unsigned i, unsigned *count)
{
    bool list = operand->kind == PTX_OPD_VEC;
    *count = list ? operand->count : 1;
    return list ? &operand->elements[i] : operand;
}

static void call(struct jit *jit, const struct jit_texture_op *op, LLVMValueRef mask, LLVMValueRef objects,
                 LLVMValueRef coordinates, LLVMValueRef data)
{
    uint64_t code;
    memcpy(&code, op, sizeof code);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i32, jit->ptr, jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 64, code), mask, objects, coordinates, data};
    jit_helper_call(jit, offsetof(struct jit_helpers, texture), LLVMFunctionType(jit->empty, types, 6, 0),
                    args, 6);
}

enum sw_status jit_emit_texture(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_texture_op op = describe(instr);
    const struct ptx_operand *place = place_of(instr), *values = values_of(instr);
    struct ptx_operand object = {.kind = PTX_OPD_REG, .reg = place->reg, .reg2 = PTX_NO_REG};
    LLVMValueRef objects = words(jit, 64, 1), coordinates = words(jit, 32, 4), data = words(jit, 32, 4);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    unsigned count = 1;
    put(jit, &object, objects, 64, 0);
    for (unsigned i = 0; i < count && i < 4; i++)
        put(jit, element(&place->elements[0], i, &count), coordinates, 32, i);
    count = 1;
    for (unsigned i = 0; op.kind == JIT_SURFACE_STORE && i < count && i < 4; i++)
        put(jit, element(values, i, &count), data, 32, i);
    call(jit, &op, lanes.mask, objects, coordinates, data);
    count = 1;
    for (unsigned i = 0; op.kind != JIT_SURFACE_STORE && i < count && i < 4; i++)
        get(jit, element(values, i, &count), data, i);
    return SW_OK;
}

/* tld4.comp.geom.v4.dtype.f32 {a, b, c, d}[|p], [object, {x, y}] [, {offsets}]; p: all of it is there */
enum sw_status jit_emit_gather(struct jit *jit, const struct ptx_instr *instr)
{
    static const enum ptx_mod components[] = {PTX_MOD_R, PTX_MOD_G, PTX_MOD_B, PTX_MOD_A};
    struct jit_texture_op op = {.kind = JIT_TEXTURE_GATHER};
    const struct ptx_operand *to = &instr->operands[0], *place = &instr->operands[1];
    struct ptx_operand object = {.kind = PTX_OPD_REG, .reg = place->reg, .reg2 = PTX_NO_REG},
                       zero = {.kind = PTX_OPD_INT, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG};
    LLVMValueRef objects = words(jit, 64, 1), coordinates = words(jit, 32, 6), data = words(jit, 32, 4);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    unsigned count = 1;
    geometry(instr, &op);
    op.integer_result = ptx_type_class(ptx_instr_type(instr, 0)) != PTX_CLASS_FLOAT;
    for (uint8_t i = 0; i < 4; i++)
        if (ptx_has(instr, components[i])) op.component = i;
    put(jit, &object, objects, 64, 0);
    for (unsigned i = 0; i < count && i < 4; i++)
        put(jit, element(&place->elements[0], i, &count), coordinates, 32, i);
    for (unsigned i = 0; i < 2; i++)
        put(jit, instr->operand_count > 2 ? &instr->operands[2].elements[i] : &zero, coordinates, 32, 4 + i);
    call(jit, &op, lanes.mask, objects, coordinates, data);
    bool first = to->reg2 != PTX_NO_REG && to->reg2 != instr->guard; /* each write reads the guard */
    struct jit_value resident = jit_value_scalar(jit_const(jit, 1, 1), 1);
    if (first) jit_dest_write(jit, to->reg2, &resident, false);
    for (unsigned i = 0; i < 4; i++)
        get(jit, &to->elements[i], data, i);
    if (to->reg2 != PTX_NO_REG && !first) jit_dest_write(jit, to->reg2, &resident, false);
    return SW_OK;
}

/* txq[.level].query.b32 d, [object] [, level]; suq.query.b32 d, [object]; istypep.type p, object */
enum sw_status jit_emit_texture_query(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_texture_op op = describe_query(instr);
    const struct ptx_operand *to = &instr->operands[0];
    struct ptx_operand object = {.kind = PTX_OPD_REG, .reg = instr->operands[1].reg, .reg2 = PTX_NO_REG};
    LLVMValueRef objects = words(jit, 64, 1), level = words(jit, 32, 4), data = words(jit, 32, 4);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    put(jit, &object, objects, 64, 0);
    if (instr->operand_count > 2) put(jit, &instr->operands[2], level, 32, 0);
    call(jit, &op, lanes.mask, objects, level, data);
    struct jit_value value = word_of(jit, data, 0),
                     sized = jit_value_resize(jit, &value, op.kind == JIT_TEXTURE_TYPE ? 1 : 32, false);
    if (to->kind == PTX_OPD_REG) jit_dest_write(jit, to->reg, &sized, false);
    return SW_OK;
}
_Static_assert(sizeof(struct jit_texture_op) == 8, "passed as one word");
