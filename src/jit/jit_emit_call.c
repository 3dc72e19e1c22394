/* SPDX-License-Identifier: Apache-2.0 */
/* Calls out: vprintf, __assertfail, malloc and free, lane by lane through ctx->helpers. Parameters stand in
 * 32 areas, one a lane (jit_call_var), or in registers.
 *
 *   for each active lane, lowest first: ctx->lane = lane; result[lane] = helper(ctx, argument[lane]...)
 *
 * Limits: other externs, recursive and indirect calls are refused (jit_check.c). */
#include "jit_core_priv.h"

#include <string.h>

enum { CALL_MAX_ARGS = 6 };

struct outside {
    const char *name;
    size_t helper;
    unsigned result_bits; /* 0: none */
    unsigned arg_count;
    uint8_t arg_bits[CALL_MAX_ARGS]; /* as the helper takes them, from the front of the PTX ones */
};
static const struct outside outsides[] = {
    {"vprintf", offsetof(struct jit_helpers, vprintf), 32, 2, {64, 64}},
    {"__assertfail", offsetof(struct jit_helpers, assert_fail), 0, 4, {64, 64, 32, 64}},
    {"malloc", offsetof(struct jit_helpers, malloc), 64, 1, {64}},
    {"free", offsetof(struct jit_helpers, free), 0, 1, {64}},
};

static const struct ptx_operand *find_kind(const struct ptx_instr *instr, enum ptx_operand_kind kind,
                                           unsigned from)
{
    for (unsigned i = from; i < instr->operand_count; i++)
        if (instr->operands[i].kind == kind) return &instr->operands[i];
    return NULL;
}

static unsigned target_at(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].kind == PTX_OPD_FUNC) return i;
    return instr->operand_count;
}

static const struct outside *find_outside(const struct ptx_instr *instr)
{
    const struct ptx_operand *target = find_kind(instr, PTX_OPD_FUNC, 0);
    if (!target || target->function->has_body) return NULL;
    for (size_t i = 0; i < SW_COUNT_OF(outsides); i++)
        if (strcmp(outsides[i].name, target->function->name) == 0) return &outsides[i];
    return NULL;
}

const char *jit_call_refusal(const struct ptx_instr *instr)
{
    const struct ptx_operand *target = find_kind(instr, PTX_OPD_FUNC, 0);
    if (!target) return "calls through function pointers are not done; call the function by name";
    const struct outside *outside = find_outside(instr);
    if (target->function->has_body) return "recursive functions are not done; write the recursion as a loop";
    if (!outside) return "the function has no body in this module; link it in (nvcc -rdc=false, or one file)";
    const struct ptx_operand *args = find_kind(instr, PTX_OPD_LIST, target_at(instr));
    if (!args || args->count < outside->arg_count) return "it has too few arguments";
    return NULL;
}

struct place { /* where a parameter of a lane is: base + lane * stride */
    LLVMValueRef base;
    uint64_t stride;
};

static LLVMValueRef lane_ptr(struct jit *jit, struct place place, LLVMValueRef lane)
{
    LLVMValueRef offset = LLVMBuildMul(jit->builder, lane, jit_const(jit, 64, place.stride), "");
    return LLVMBuildGEP2(jit->builder, jit->i8, place.base, &offset, 1, "");
}

static struct place new_place(struct jit *jit, unsigned bits)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit_int(jit, bits), 32), "argument");
    LLVMSetAlignment(slot, 64);
    return (struct place){slot, bits / 8};
}

static struct place argument_place(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct place place;
    if (operand->kind == PTX_OPD_VAR && jit_is_call_var(jit, operand->var)) {
        place.base =
            jit_offset(jit, jit_call_var(jit, operand->var, &place.stride), (uint64_t)operand->offset);
        return place;
    }
    LLVMValueRef parts[JIT_MAX_PARTS];
    struct jit_value value = jit_operand(jit, operand, bits);
    jit_value_parts(jit, &value, parts);
    place = new_place(jit, bits);
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(
            LLVMBuildStore(jit->builder, parts[p],
                           jit_offset(jit, place.base, (uint64_t)p * jit->part.lanes * bits / 8)),
            4);
    return place;
}

static LLVMValueRef call_helper(struct jit *jit, const struct outside *outside, const struct place *places,
                                LLVMValueRef lane)
{
    LLVMTypeRef types[CALL_MAX_ARGS + 1] = {jit->ptr};
    LLVMValueRef args[CALL_MAX_ARGS + 1] = {jit->ctx};
    for (unsigned i = 0; i < outside->arg_count; i++) {
        types[i + 1] = jit_int(jit, outside->arg_bits[i]);
        args[i + 1] = LLVMBuildLoad2(jit->builder, types[i + 1], lane_ptr(jit, places[i], lane), "");
        LLVMSetAlignment(args[i + 1], 4);
    }
    LLVMTypeRef result = outside->result_bits ? jit_int(jit, outside->result_bits) : jit->empty;
    LLVMTypeRef type = LLVMFunctionType(result, types, outside->arg_count + 1, 0);
    return jit_helper_call(jit, outside->helper, type, args, outside->arg_count + 1);
}

/* A loop over the lanes of a mask; emit between begin and end. */
struct lane_loop {
    LLVMBasicBlockRef head, end;
    LLVMValueRef mask, lane;
};

static struct lane_loop begin_lanes(struct jit *jit, LLVMValueRef mask)
{
    struct lane_loop loop = {.head = jit_new_block(jit, "lanes"), .end = jit_new_block(jit, "")};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), body = jit_new_block(jit, "lane");
    LLVMBuildBr(jit->builder, loop.head);
    jit_position(jit, loop.head);
    loop.mask = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMAddIncoming(loop.mask, &mask, &before, 1);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, loop.mask, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, loop.end, body, false);
    jit_position(jit, body);
    LLVMValueRef lane = jit_mask_first(jit, loop.mask);
    LLVMBuildStore(jit->builder, lane, jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, lane)));
    loop.lane = LLVMBuildZExt(jit->builder, lane, jit->i64, "");
    return loop;
}

static void end_lanes(struct jit *jit, const struct lane_loop *loop)
{
    LLVMValueRef less = LLVMBuildSub(jit->builder, loop->mask, jit_const(jit, 32, 1), "");
    LLVMValueRef rest = LLVMBuildAnd(jit->builder, loop->mask, less, "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMAddIncoming(loop->mask, &rest, &here, 1);
    LLVMBuildBr(jit->builder, loop->head);
    jit_position(jit, loop->end);
}

/* The result of a call whose return value is a register. */
static void write_result(struct jit *jit, const struct ptx_operand *operand, const struct outside *outside,
                         struct place place)
{
    if (operand->kind != PTX_OPD_REG) return;
    LLVMValueRef parts[JIT_MAX_PARTS];
    unsigned bits = outside->result_bits;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, place.base, (uint64_t)p * jit->part.lanes * bits / 8);
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, bits), at, "");
        LLVMSetAlignment(parts[p], 4);
    }
    struct jit_value out = jit_value_vector(jit, parts, bits);
    jit_dest_write(jit, operand->reg, &out, false);
}

enum sw_status jit_emit_call(struct jit *jit, const struct ptx_instr *instr)
{
    const struct outside *outside = find_outside(instr);
    unsigned target = target_at(instr);
    const struct ptx_operand *args = find_kind(instr, PTX_OPD_LIST, target), *returned = NULL;
    struct place places[CALL_MAX_ARGS], result = {0};
    if (target > 0 && instr->operands[0].kind == PTX_OPD_LIST && instr->operands[0].count == 1)
        returned = &instr->operands[0].elements[0];
    for (unsigned i = 0; i < outside->arg_count; i++)
        places[i] = argument_place(jit, &args->elements[i], outside->arg_bits[i]);
    if (returned && returned->kind == PTX_OPD_VAR)
        result.base = jit_call_var(jit, returned->var, &result.stride);
    else if (outside->result_bits)
        result = new_place(jit, outside->result_bits);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (returned && returned->kind == PTX_OPD_REG) jit_reg_read(jit, returned->reg);
    struct lane_loop loop = begin_lanes(jit, lanes.mask);
    LLVMValueRef value = call_helper(jit, outside, places, loop.lane);
    if (outside->result_bits && result.base)
        LLVMBuildStore(jit->builder, value, lane_ptr(jit, result, loop.lane));
    end_lanes(jit, &loop);
    if (returned && outside->result_bits) write_result(jit, returned, outside, result);
    return SW_OK;
}
