/* SPDX-License-Identifier: Apache-2.0 */
/* tex, tld4, txq, suld, sust, sured, suq and istypep (PTX ISA 9.7.10 and 9.7.11): objects, coordinates and
 * values of all lanes go to memory and one call a warp does the rest (engine_texture.c). A .texref or
 * .surfref variable's address is that of its record, so that references and objects are one. Limits: no
 * samplers of their own (.texmode_independent), no depth comparison, no multi-sample textures: an H200's
 * driver makes none. */
#include "event/event_request.h"
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

/* The operands of one instruction; NULL: it has none of a kind. */
struct form {
    struct jit_texture_op op;
    const struct ptx_operand *object, *values, *offset, *level, *along_x, *along_y;
    unsigned coordinate_count; /* coordinates that it must have */
    const char *refusal;
};

static bool geometry(const struct ptx_instr *instr, struct form *form)
{
    static const struct {
        enum isa_mod mod;
        uint8_t dimensions, flags, coordinate_count;
    } geometries[] = {{ISA_MOD_D_1D, 1, 0, 1},
                      {ISA_MOD_D_2D, 2, 0, 2},
                      {ISA_MOD_D_3D, 3, 0, 4},
                      {ISA_MOD_A1D, 1, JIT_TEXTURE_LAYERED, 2},
                      {ISA_MOD_A2D, 2, JIT_TEXTURE_LAYERED, 4},
                      {ISA_MOD_CUBE, 3, JIT_TEXTURE_CUBE, 4},
                      {ISA_MOD_ACUBE, 3, JIT_TEXTURE_CUBE | JIT_TEXTURE_LAYERED, 4}};
    for (size_t i = 0; i < SW_COUNT_OF(geometries); i++) {
        if (!ptx_has(instr, geometries[i].mod)) continue;
        form->op.dimensions = geometries[i].dimensions;
        form->op.flags |= geometries[i].flags;
        form->coordinate_count = geometries[i].coordinate_count;
        return true;
    }
    return false;
}

static unsigned length_of(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_VEC ? operand->count : 1;
}

static const struct ptx_operand *element_of(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

static bool is_reference(const struct ptx_var *var)
{
    return var && (var->type == ISA_TEXREF || var->type == ISA_SURFREF);
}

/* [object] or [object, {coordinates}] */
static const char *object_refusal(const struct ptx_operand *object, unsigned coordinates)
{
    if (object->kind != ISA_OPD_MEM) return "its texture or surface operand must be in brackets";
    bool plain = object->offset == 0 && (object->var ? is_reference(object->var) : object->reg != PTX_NO_REG);
    if (!plain || object->count > (coordinates ? 1u : 0u))
        return "it uses a sampler of independent texture mode, which is not supported (nor by the driver of "
               "an H200); use texture objects or unified mode";
    if (coordinates && (object->count != 1 || length_of(&object->elements[0]) != coordinates))
        return "the number of its coordinates does not match its geometry";
    return NULL;
}

static bool is_float_type(enum isa_type type)
{
    return isa_type_kind(type) == ISA_KIND_FLOAT;
}

static void result_type(const struct ptx_instr *instr, struct form *form)
{
    enum isa_type type = ptx_instr_type(instr, 0);
    bool pairs = type == ISA_F16X2, halves = type == ISA_F16;
    if (!is_float_type(type) && !pairs) form->op.flags |= JIT_TEXTURE_INTEGER_RESULT;
    if (!is_float_type(ptx_instr_type(instr, 1))) form->op.flags |= JIT_TEXTURE_INTEGER_COORDS;
    if (pairs || halves) form->op.flags |= JIT_TEXTURE_HALF_RESULT;
    form->op.bytes = halves ? 2 : 4;
    form->op.count = pairs ? 2 : 4;
    if (length_of(form->values) != form->op.count || form->values->kind != ISA_OPD_VEC)
        form->refusal = "its result must have four elements, or two of .f16x2";
}

/* Behind the coordinates: a level or two gradients, offsets in braces, a comparand. */
static void more_operands(const struct ptx_instr *instr, struct form *form)
{
    unsigned i = 2, gradient = form->op.dimensions == 3 ? 4 : form->op.dimensions,
             offsets = form->op.dimensions == 3 ? 4 : form->op.dimensions;
    if (form->op.level == JIT_LEVEL_GIVEN && i < instr->operand_count) form->level = &instr->operands[i++];
    if (form->op.level == JIT_LEVEL_GRADIENT && i + 1 < instr->operand_count) {
        form->along_x = &instr->operands[i++];
        form->along_y = &instr->operands[i++];
    }
    if (i < instr->operand_count && instr->operands[i].kind == ISA_OPD_VEC)
        form->offset = &instr->operands[i++];
    form->op.offset = form->offset != NULL;
    if (i < instr->operand_count)
        form->refusal =
            "depth comparison of textures is not supported: there is no way to create a depth texture";
    if ((form->op.level == JIT_LEVEL_GIVEN && !form->level) ||
        (form->op.level == JIT_LEVEL_GRADIENT && !form->along_y))
        form->refusal = "its level is missing";
    if (form->along_y && (length_of(form->along_x) != gradient || length_of(form->along_y) != gradient))
        form->refusal = "its gradients must have as many elements as its coordinates";
    if (form->offset && (form->op.flags & JIT_TEXTURE_CUBE || form->offset->count != offsets))
        form->refusal =
            "its offset must have one element per dimension of its geometry; cubes have no offset";
}

static void read_form(const struct ptx_instr *instr, struct form *form)
{
    form->op.kind = instr->op == ISA_OP_TLD4 ? JIT_TEXTURE_GATHER : JIT_TEXTURE_READ;
    form->values = &instr->operands[0];
    form->object = &instr->operands[1];
    if (ptx_has(instr, ISA_MOD_BASE)) form->op.level = JIT_LEVEL_BASE;
    if (ptx_has(instr, ISA_MOD_LEVEL)) form->op.level = JIT_LEVEL_GIVEN;
    if (ptx_has(instr, ISA_MOD_GRAD)) form->op.level = JIT_LEVEL_GRADIENT;
    result_type(instr, form);
    if (instr->op == ISA_OP_TLD4) {
        static const enum isa_mod components[] = {ISA_MOD_R, ISA_MOD_G, ISA_MOD_B, ISA_MOD_A};
        for (uint8_t i = 0; i < 4; i++)
            if (ptx_has(instr, components[i])) form->op.component = i;
        form->op.flags &= (uint8_t)~JIT_TEXTURE_INTEGER_COORDS;
    }
    more_operands(instr, form);
}

static uint8_t texture_reduction_of(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_ADD)   ? JIT_SURFACE_ADD
           : ptx_has(instr, ISA_MOD_MIN) ? JIT_SURFACE_MIN
           : ptx_has(instr, ISA_MOD_MAX) ? JIT_SURFACE_MAX
           : ptx_has(instr, ISA_MOD_AND) ? JIT_SURFACE_AND
                                         : JIT_SURFACE_OR;
}

/* suld.b.geom.vec.type.clamp d, [a, b]; sust.{b,p}... [a, b], c; sured.{b,p}.op.geom.type.clamp [a, b], c */
static void surface_form(const struct ptx_instr *instr, struct form *form)
{
    bool load = instr->op == ISA_OP_SULD;
    enum isa_type type = ptx_instr_type(instr, 0);
    form->op.kind = load                        ? JIT_SURFACE_LOAD
                    : instr->op == ISA_OP_SURED ? JIT_SURFACE_REDUCE
                                                : JIT_SURFACE_STORE;
    form->object = &instr->operands[load ? 1 : 0];
    form->values = &instr->operands[load ? 0 : 1];
    form->op.bytes = (uint8_t)(isa_type_bits(type) / 8);
    form->op.count = instr->op == ISA_OP_SURED ? 1 : (uint8_t)ptx_vector_count(instr);
    form->op.outside = ptx_has(instr, ISA_MOD_CLAMP)  ? JIT_OUTSIDE_CLAMP
                       : ptx_has(instr, ISA_MOD_ZERO) ? JIT_OUTSIDE_ZERO
                                                      : JIT_OUTSIDE_TRAP;
    if (ptx_has(instr, ISA_MOD_P)) form->op.flags |= JIT_TEXTURE_FORMATTED;
    if (isa_type_kind(type) == ISA_KIND_SINT) form->op.flags |= JIT_TEXTURE_SIGNED;
    form->op.reduce = texture_reduction_of(instr);
    if (instr->operand_count != 2) form->refusal = "a surface access must have two operands";
    if (!form->op.bytes || form->op.bytes * form->op.count > 16 || length_of(form->values) != form->op.count)
        form->refusal = "its elements must have 8 to 64 bits, at most 16 bytes together, and match its "
                        "vector modifier in number";
    bool wrong_width = form->op.bytes < 4 && (ptx_has(instr, ISA_MOD_P) || instr->op == ISA_OP_SURED);
    if (wrong_width || (instr->op == ISA_OP_SUST && ptx_has(instr, ISA_MOD_P) && form->op.bytes != 4))
        form->refusal = "elements of formatted stores must have 32 bits, those of reductions 32 or 64 bits";
}

/* A register, a number, or nothing: what a lane can have. */
static bool texture_is_plain(const struct ptx_operand *operand, bool written)
{
    for (unsigned i = 0; operand && i < length_of(operand); i++) {
        enum isa_operand_kind kind = element_of(operand, i)->kind;
        bool register_or_none = kind == ISA_OPD_REG || kind == ISA_OPD_SINK;
        if (!register_or_none && (written || (kind != ISA_OPD_INT && kind != ISA_OPD_FLOAT))) return false;
    }
    return true;
}

static const char *operand_refusal(const struct form *form, const struct ptx_instr *instr)
{
    bool texture = form->op.kind == JIT_TEXTURE_READ || form->op.kind == JIT_TEXTURE_GATHER;
    bool written = texture || form->op.kind == JIT_SURFACE_LOAD;
    if (texture &&
        (instr->type_count < 2 || (form->op.bytes == 4 && isa_type_bits(ptx_instr_type(instr, 0)) != 32)))
        return "its result must have 32 bits or be .f16, and its coordinates must have a type";
    if (form->level && length_of(form->level) != 1) return "its level must be one value";
    bool plain = texture_is_plain(&form->object->elements[0], false) &&
                 texture_is_plain(form->offset, false) && texture_is_plain(form->level, false) &&
                 texture_is_plain(form->along_x, false) && texture_is_plain(form->along_y, false);
    return plain && texture_is_plain(form->values, written) ? NULL
                                                            : "its operands must be registers or constants";
}

static struct form form_of(const struct ptx_instr *instr)
{
    struct form form = {.object = NULL};
    bool texture = instr->op == ISA_OP_TEX || instr->op == ISA_OP_TLD4;
    if (instr->operand_count < 2) {
        form.refusal = "it has too few operands";
        return form;
    }
    bool known = geometry(instr, &form);
    if (texture)
        read_form(instr, &form);
    else
        surface_form(instr, &form);
    if (!known || (!texture && form.op.flags & JIT_TEXTURE_CUBE))
        form.refusal = "multi-sample textures are not supported: there is no way to create one";
    const char *wrong = object_refusal(form.object, form.coordinate_count);
    if (!wrong && !form.refusal) wrong = operand_refusal(&form, instr);
    if (wrong) form.refusal = wrong;
    return form;
}

/* ---- queries */

static const struct {
    enum isa_mod mod;
    enum jit_texture_query query;
} queries[] = {
    {ISA_MOD_WIDTH, JIT_QUERY_WIDTH},
    {ISA_MOD_HEIGHT, JIT_QUERY_HEIGHT},
    {ISA_MOD_DEPTH, JIT_QUERY_DEPTH},
    {ISA_MOD_CHANNEL_DATA_TYPE, JIT_QUERY_CHANNEL_DATA_TYPE},
    {ISA_MOD_CHANNEL_ORDER, JIT_QUERY_CHANNEL_ORDER},
    {ISA_MOD_NORMALIZED_COORDS, JIT_QUERY_NORMALIZED_COORDS},
    {ISA_MOD_FILTER_MODE, JIT_QUERY_FILTER_MODE},
    {ISA_MOD_ADDR_MODE_0, JIT_QUERY_ADDRESS_0},
    {ISA_MOD_ADDR_MODE_1, JIT_QUERY_ADDRESS_1},
    {ISA_MOD_ADDR_MODE_2, JIT_QUERY_ADDRESS_2},
    {ISA_MOD_ARRAY_SIZE, JIT_QUERY_ARRAY_SIZE},
    {ISA_MOD_NUM_MIPMAP_LEVELS, JIT_QUERY_MIPMAP_LEVELS},
    {ISA_MOD_NUM_SAMPLES, JIT_QUERY_SAMPLES},
    {ISA_MOD_MEMORY_LAYOUT, JIT_QUERY_MEMORY_LAYOUT},
};

static const char *query_refusal(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_FORCE_UNNORMALIZED_COORDS))
        return ".force_unnormalized_coords needs a sampler of independent texture mode, which is not "
               "supported";
    return instr->operand_count < 2 ? "it has too few operands" : object_refusal(&instr->operands[1], 0);
}

static struct jit_texture_op describe_query(const struct ptx_instr *instr)
{
    struct jit_texture_op op = {.kind = JIT_TEXTURE_QUERY};
    if (instr->op == ISA_OP_ISTYPEP) {
        enum isa_type type = ptx_instr_type(instr, 0);
        op.kind = JIT_TEXTURE_TYPE;
        op.opaque = type == ISA_TEXREF    ? JIT_OPAQUE_TEXTURE
                    : type == ISA_SURFREF ? JIT_OPAQUE_SURFACE
                                          : JIT_OPAQUE_SAMPLER;
        return op;
    }
    for (size_t i = 0; i < SW_COUNT_OF(queries); i++)
        if (ptx_has(instr, queries[i].mod)) op.query = (uint8_t)queries[i].query;
    if (ptx_has(instr, ISA_MOD_LEVEL)) op.query |= JIT_QUERY_LEVEL;
    return op;
}

const char *jit_texture_refusal(const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_ISTYPEP) {
        const struct ptx_operand *asked = &instr->operands[1];
        bool sampler = asked->kind == ISA_OPD_VAR && asked->var && asked->var->type == ISA_SAMPLERREF;
        if (sampler) return "samplers of independent texture mode are not supported; use texture objects";
        return asked->kind == ISA_OPD_REG || asked->kind == ISA_OPD_VAR ? NULL
                                                                        : "its operand must be a register";
    }
    if (instr->op == ISA_OP_TXQ || instr->op == ISA_OP_SUQ) return query_refusal(instr);
    return form_of(instr).refusal;
}

/* ---- code */

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

static void texture_put(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef slot, unsigned bits,
                        unsigned row)
{
    unsigned own = operand->kind == ISA_OPD_REG ? jit->regs[operand->reg].bits : bits;
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

static LLVMValueRef call(struct jit *jit, const struct jit_texture_op *op, LLVMValueRef mask,
                         LLVMValueRef objects, LLVMValueRef rows, LLVMValueRef data)
{
    uint64_t code;
    memcpy(&code, op, sizeof code);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i32, jit->ptr, jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 64, code), mask, objects, rows, data};
    jit_permissions_line(jit);
    return jit_helper_call(jit, offsetof(struct jit_helpers, texture),
                           LLVMFunctionType(jit->i64, types, 6, 0), args, 6);
}

/* The object's register, or the address of a reference. */
static LLVMValueRef put_object(struct jit *jit, const struct ptx_operand *object)
{
    LLVMValueRef objects = words(jit, 64, 1);
    struct ptx_operand bare = {.kind = ISA_OPD_REG, .reg = object->reg, .reg2 = PTX_NO_REG};
    if (object->var)
        bare = (struct ptx_operand){
            .kind = ISA_OPD_VAR, .var = object->var, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG};
    texture_put(jit, &bare, objects, 64, 0);
    return objects;
}

/* An operand or its elements in rows; what there is none of is 0. */
static void put_rows(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef rows, unsigned first,
                     unsigned count)
{
    static const struct ptx_operand zero = {.kind = ISA_OPD_INT, .reg = PTX_NO_REG, .reg2 = PTX_NO_REG};
    unsigned there = operand ? length_of(operand) : 0;
    for (unsigned i = 0; i < count; i++)
        texture_put(jit, i < there ? element_of(operand, i) : &zero, rows, 32, first + i);
}

static LLVMValueRef put_form(struct jit *jit, const struct form *form)
{
    LLVMValueRef rows = words(jit, 32, JIT_TEXTURE_ROWS);
    put_rows(jit, &form->object->elements[0], rows, JIT_ROW_COORDINATES, form->coordinate_count);
    if (form->offset) put_rows(jit, form->offset, rows, JIT_ROW_OFFSET, 3);
    if (form->level) put_rows(jit, form->level, rows, JIT_ROW_LEVEL, 1);
    if (form->along_x) put_rows(jit, form->along_x, rows, JIT_ROW_ALONG_X, 3);
    if (form->along_y) put_rows(jit, form->along_y, rows, JIT_ROW_ALONG_Y, 3);
    return rows;
}

/* Values of 64 bits take two rows. */
static void put_values(struct jit *jit, const struct form *form, LLVMValueRef data)
{
    for (unsigned i = 0; i < form->op.count; i++) {
        const struct ptx_operand *value = element_of(form->values, i);
        if (form->op.bytes < 8) {
            texture_put(jit, value, data, 32, i);
            continue;
        }
        struct jit_value wide = jit_operand(jit, value, 64), sized = jit_value_resize(jit, &wide, 64, false);
        LLVMValueRef parts[JIT_MAX_PARTS];
        jit_value_parts(jit, &sized, parts);
        for (unsigned p = 0; p < jit->part.parts; p++)
            for (unsigned half = 0; half < 2; half++) {
                LLVMValueRef shift = jit_splat(jit, jit_const(jit, 64, 32 * half), 64),
                             shifted = LLVMBuildLShr(jit->builder, parts[p], shift, ""),
                             word = LLVMBuildTrunc(jit->builder, shifted, jit_vec(jit, 32), "");
                LLVMSetAlignment(LLVMBuildStore(jit->builder, word, row_part(jit, data, 32, 2 * i + half, p)),
                                 4);
            }
    }
}

static struct jit_value wide_of(struct jit *jit, LLVMValueRef data, unsigned row)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef halves[2];
        for (unsigned half = 0; half < 2; half++) {
            LLVMValueRef word =
                LLVMBuildLoad2(jit->builder, jit_vec(jit, 32), row_part(jit, data, 32, row + half, p), "");
            LLVMSetAlignment(word, 4);
            halves[half] = LLVMBuildZExt(jit->builder, word, jit_vec(jit, 64), "");
        }
        LLVMValueRef high =
            LLVMBuildShl(jit->builder, halves[1], jit_splat(jit, jit_const(jit, 64, 32), 64), "");
        parts[p] = LLVMBuildOr(jit->builder, high, halves[0], "");
    }
    return jit_value_vector(jit, parts, 64);
}

static void get_values(struct jit *jit, const struct form *form, LLVMValueRef data)
{
    for (unsigned i = 0; i < form->op.count; i++) {
        const struct ptx_operand *to = element_of(form->values, i);
        if (to->kind != ISA_OPD_REG) continue; /* _ */
        struct jit_value value = form->op.bytes == 8 ? wide_of(jit, data, 2 * i) : word_of(jit, data, i);
        jit_dest_write(jit, to->reg, &value, false);
    }
}

/* {...}|p of tex and tld4; p: all of it is there. Each write of a register reads the guard, so its own comes
 * last. */
static void get_resident(struct jit *jit, const struct ptx_instr *instr, bool before)
{
    const struct ptx_operand *to = &instr->operands[0];
    struct jit_value resident = jit_value_scalar(jit_const(jit, 1, 1), 1);
    if (to->kind != ISA_OPD_VEC || to->reg2 == PTX_NO_REG || before != (to->reg2 != instr->guard)) return;
    jit_dest_write(jit, to->reg2, &resident, false);
}

static uint32_t access_kind(const struct jit_texture_op *op)
{
    if (op->kind == JIT_SURFACE_REDUCE) return EVENT_KIND_RED;
    return op->kind == JIT_SURFACE_STORE ? EVENT_KIND_STORE : EVENT_KIND_LOAD;
}

enum sw_status jit_emit_texture(struct jit *jit, const struct ptx_instr *instr)
{
    struct form form = form_of(instr);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    LLVMValueRef objects = put_object(jit, form.object), rows = put_form(jit, &form),
                 data = words(jit, 32, 4);
    bool stores = form.op.kind == JIT_SURFACE_STORE || form.op.kind == JIT_SURFACE_REDUCE;
    if (stores) put_values(jit, &form, data);
    jit_record_helper_begin(jit, instr, access_kind(&form.op));
    jit_count_texture(jit, instr, call(jit, &form.op, lanes.mask, objects, rows, data));
    jit_record_helper_end(jit);
    if (stores) return SW_OK;
    get_resident(jit, instr, true);
    get_values(jit, &form, data);
    get_resident(jit, instr, false);
    return SW_OK;
}

/* txq[.level].query.b32 d, [object] [, level]; suq.query.b32 d, [object]; istypep.type p, object */
enum sw_status jit_emit_texture_query(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_texture_op op = describe_query(instr);
    const struct ptx_operand *to = &instr->operands[0], *asked = &instr->operands[1];
    LLVMValueRef level = words(jit, 32, 1), data = words(jit, 32, 4), objects;
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    objects = put_object(jit, asked);
    if (instr->operand_count > 2) texture_put(jit, &instr->operands[2], level, 32, 0);
    call(jit, &op, lanes.mask, objects, level, data);
    struct jit_value value = word_of(jit, data, 0),
                     sized = jit_value_resize(jit, &value, op.kind == JIT_TEXTURE_TYPE ? 1 : 32, false);
    if (to->kind == ISA_OPD_REG) jit_dest_write(jit, to->reg, &sized, false);
    return SW_OK;
}
_Static_assert(sizeof(struct jit_texture_op) == 8, "passed as one word");
