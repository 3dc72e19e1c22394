/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are left after flattening.
 *
 *   vprintf, __assertfail, malloc, free   through ctx->helpers, lane by lane; the device runtime's
 *                                         functions likewise (jit_emit_device.c):
 *       for each active lane, lowest first: ctx->lane = lane; result[lane] = helper(ctx, argument[lane]...)
 *   a recursive function                  all active lanes together (jit_callee.c)
 *   a function pointer                    while lanes are left: those that have the first lane's target,
 * together
 *
 * Limits: other externs are refused; functions of ours take their parameters from .param variables only. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
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
    {"__cuda_syscall_aligned_malloc", offsetof(struct jit_helpers, aligned_malloc), 64, 2, {64, 64}},
};

static const struct ptx_operand *find_kind(const struct ptx_instr *instr, enum isa_operand_kind kind,
                                           unsigned from)
{
    for (unsigned i = from; i < instr->operand_count; i++)
        if (instr->operands[i].kind == kind) return &instr->operands[i];
    return NULL;
}

static unsigned target_at(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].kind == ISA_OPD_FUNC || instr->operands[i].kind == ISA_OPD_REG) return i;
    return instr->operand_count;
}

static const struct outside *find_outside(const struct ptx_instr *instr)
{
    const struct ptx_operand *target = find_kind(instr, ISA_OPD_FUNC, 0);
    if (!target || target->function->has_body) return NULL;
    for (size_t i = 0; i < SW_COUNT_OF(outsides); i++)
        if (strcmp(outsides[i].name, target->function->name) == 0) return &outsides[i];
    return NULL;
}

static const struct ptx_operand *arguments(const struct ptx_instr *instr)
{
    return find_kind(instr, ISA_OPD_LIST, target_at(instr));
}

static const struct ptx_operand *results(const struct ptx_instr *instr)
{
    return target_at(instr) > 0 && instr->operands[0].kind == ISA_OPD_LIST ? &instr->operands[0] : NULL;
}

static bool in_param_vars(const struct jit *jit, const struct ptx_operand *list)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->elements[i].kind != ISA_OPD_VAR || !jit_is_call_var(jit, list->elements[i].var))
            return false;
    return true;
}

static uint32_t list_count(const struct ptx_operand *list)
{
    return list ? list->count : 0;
}

static bool same_area(const struct ptx_var *a, const struct ptx_var *b)
{
    return a->bytes == b->bytes && b->space == PTX_SPACE_PARAM;
}

/* May this call reach that function? */
static bool call_fits(const struct ptx_instr *instr, const struct ptx_function *function)
{
    const struct ptx_operand *in = arguments(instr), *out = results(instr);
    if (list_count(in) != function->param_count || list_count(out) != function->return_count) return false;
    for (uint32_t i = 0; i < function->param_count; i++)
        if (!same_area(in->elements[i].var, function->params[i])) return false;
    for (uint32_t i = 0; i < function->return_count; i++)
        if (!same_area(out->elements[i].var, function->returns[i])) return false;
    return true;
}

const char *jit_call_refusal(const struct jit *jit, const struct ptx_instr *instr)
{
    unsigned at = target_at(instr);
    if (at == instr->operand_count) return "it has no target";
    const struct outside *outside = find_outside(instr);
    const struct ptx_operand *target = &instr->operands[at], *args = arguments(instr);
    if (outside) return list_count(args) < outside->arg_count ? "it has too few arguments" : NULL;
    if (jit_device_call_find(instr)) return jit_device_call_refusal(jit, args, results(instr), instr);
    if (target->kind == ISA_OPD_FUNC && !target->function->has_body &&
        (strncmp(target->function->name, "cudaGraph", 9) == 0 ||
         strncmp(target->function->name, "cudaCG", 6) == 0))
        return "graph launches from kernels and multi-device grid synchronisation are not supported (nor is "
               "the latter in CUDA 13)";
    if (target->kind == ISA_OPD_FUNC && !target->function->has_body)
        return "the function has no body in this module; link it in (nvcc -rdc=false, or one file)";
    if (!in_param_vars(jit, args) || !in_param_vars(jit, results(instr)))
        return "parameters in registers are supported for inlined functions only";
    if (target->kind == ISA_OPD_FUNC && !call_fits(instr, target->function))
        return "its arguments do not match the parameters of the function";
    return NULL;
}

struct location { /* where a parameter of a lane is: base + lane * stride */
    LLVMValueRef base;
    uint64_t stride;
};

static LLVMValueRef lane_ptr(struct jit *jit, struct location location, LLVMValueRef lane)
{
    LLVMValueRef offset = LLVMBuildMul(jit->builder, lane, jit_const(jit, 64, location.stride), "");
    return LLVMBuildGEP2(jit->builder, jit->i8, location.base, &offset, 1, "");
}

static struct location new_location(struct jit *jit, unsigned bits)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit_int(jit, bits), 32), "argument");
    LLVMSetAlignment(slot, 64);
    return (struct location){slot, bits / 8};
}

static struct location argument_location(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct location location;
    if (operand->kind == ISA_OPD_VAR && jit_is_call_var(jit, operand->var)) {
        location.base =
            jit_offset(jit, jit_call_var(jit, operand->var, &location.stride), (uint64_t)operand->offset);
        return location;
    }
    LLVMValueRef parts[JIT_MAX_PARTS];
    struct jit_value value = jit_operand(jit, operand, bits);
    jit_value_parts(jit, &value, parts);
    location = new_location(jit, bits);
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(
            LLVMBuildStore(jit->builder, parts[p],
                           jit_offset(jit, location.base, (uint64_t)p * jit->part.lanes * bits / 8)),
            4);
    return location;
}

static LLVMValueRef call_helper(struct jit *jit, const struct outside *outside,
                                const struct location *locations, LLVMValueRef lane)
{
    LLVMTypeRef types[CALL_MAX_ARGS + 1] = {jit->ptr};
    LLVMValueRef args[CALL_MAX_ARGS + 1] = {jit->ctx};
    for (unsigned i = 0; i < outside->arg_count; i++) {
        types[i + 1] = jit_int(jit, outside->arg_bits[i]);
        args[i + 1] = LLVMBuildLoad2(jit->builder, types[i + 1], lane_ptr(jit, locations[i], lane), "");
        LLVMSetAlignment(args[i + 1], 4);
    }
    LLVMTypeRef result = outside->result_bits ? jit_int(jit, outside->result_bits) : jit->empty;
    LLVMTypeRef type = LLVMFunctionType(result, types, outside->arg_count + 1, 0);
    return jit_helper_call(jit, outside->helper, type, args, outside->arg_count + 1);
}

/* Each lane has said why; the kernel ends here. */
static void leave_if_any(struct jit *jit, LLVMValueRef mask)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, mask, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, end, some, false);
    jit_position(jit, some);
    LLVMTypeRef params[] = {jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, SW_ASSERT)};
    jit_helper_call(jit, offsetof(struct jit_helpers, trap), LLVMFunctionType(jit->empty, params, 2, 0), args,
                    2);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

/* The result of a call whose return value is a register. */
static void call_write_result(struct jit *jit, const struct ptx_operand *operand,
                              const struct outside *outside, struct location location)
{
    if (operand->kind != ISA_OPD_REG) return;
    LLVMValueRef parts[JIT_MAX_PARTS];
    unsigned bits = outside->result_bits;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, location.base, (uint64_t)p * jit->part.lanes * bits / 8);
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, bits), at, "");
        LLVMSetAlignment(parts[p], 4);
    }
    struct jit_value out = jit_value_vector(jit, parts, bits);
    jit_dest_write(jit, operand->reg, &out, false);
}

static enum sw_status call_outside(struct jit *jit, const struct ptx_instr *instr,
                                   const struct outside *outside)
{
    const struct ptx_operand *args = arguments(instr), *returned = NULL;
    struct location locations[CALL_MAX_ARGS], result = {0};
    if (list_count(results(instr)) == 1) returned = &results(instr)->elements[0];
    for (unsigned i = 0; i < outside->arg_count; i++)
        locations[i] = argument_location(jit, &args->elements[i], outside->arg_bits[i]);
    if (returned && returned->kind == ISA_OPD_VAR)
        result.base = jit_call_var(jit, returned->var, &result.stride);
    else if (outside->result_bits)
        result = new_location(jit, outside->result_bits);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (returned && returned->kind == ISA_OPD_REG) jit_reg_read(jit, returned->reg);
    jit_permissions_line(jit);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, lanes.mask);
    LLVMValueRef value = call_helper(jit, outside, locations, loop.lane);
    if (outside->result_bits && result.base)
        LLVMBuildStore(jit->builder, value, lane_ptr(jit, result, loop.lane));
    jit_lane_loop_end(jit, &loop);
    if (outside->helper == offsetof(struct jit_helpers, assert_fail)) leave_if_any(jit, lanes.mask);
    if (returned && outside->result_bits) call_write_result(jit, returned, outside, result);
    return SW_OK;
}

/* ---- functions of the module */

static LLVMValueRef *areas_of(struct jit *jit, const struct ptx_instr *instr)
{
    const struct ptx_operand *lists[] = {arguments(instr), results(instr)};
    LLVMValueRef *areas =
        ARENA_ARRAY(&jit->arena, LLVMValueRef, list_count(lists[0]) + list_count(lists[1]) + 1);
    unsigned count = 0;
    uint64_t stride;
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = 0; i < list_count(lists[k]); i++)
            areas[count++] = jit_call_var(jit, lists[k]->elements[i].var, &stride);
    return areas;
}

static void call_direct(struct jit *jit, const struct ptx_instr *instr, const struct ptx_function *function)
{
    LLVMValueRef *areas = areas_of(jit, instr), mask = jit_lanes_of(jit, instr).mask;
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, mask, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, end, some, false);
    jit_position(jit, some);
    jit_callee_call(jit, function, mask, areas);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static LLVMValueRef lanes_with(struct jit *jit, LLVMValueRef *tokens, LLVMValueRef token, LLVMValueRef mask)
{
    LLVMValueRef same[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++)
        same[p] = LLVMBuildICmp(jit->builder, LLVMIntEQ, tokens[p], jit_splat(jit, token, 64), "");
    return LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, same), "");
}

static void trap_bad_target(struct jit *jit)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 32, SW_INVALID_PC)};
    jit_helper_call(jit, offsetof(struct jit_helpers, trap), LLVMFunctionType(jit->empty, params, 2, 0), args,
                    2);
}

static void call_target(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef token, LLVMValueRef mask,
                        LLVMValueRef *areas, LLVMBasicBlockRef next)
{
    LLVMBasicBlockRef bad = jit_new_block(jit, "no_function");
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, token, bad, (unsigned)jit->callees->count);
    for (size_t i = 0; i < jit->callees->count; i++) {
        const struct ptx_function *function = jit->callees->at[i].source;
        if (!call_fits(instr, function)) continue;
        LLVMBasicBlockRef here = jit_new_block(jit, "");
        LLVMAddCase(branch, jit_const(jit, 64, jit_function_token(jit, function)), here);
        jit_position(jit, here);
        jit_callee_call(jit, function, mask, areas);
        LLVMBuildBr(jit->builder, next);
    }
    jit_position(jit, bad);
    trap_bad_target(jit);
    LLVMBuildBr(jit->builder, next);
}

static void call_indirect(struct jit *jit, const struct ptx_instr *instr)
{
    LLVMValueRef *areas = areas_of(jit, instr), tokens[JIT_MAX_PARTS];
    struct jit_value target = jit_operand(jit, &instr->operands[target_at(instr)], 64);
    jit_value_parts(jit, &target, tokens);
    LLVMValueRef all = jit_lanes_of(jit, instr).mask, at = jit_spill_addresses(jit, tokens);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder), head = jit_new_block(jit, ""),
                      body = jit_new_block(jit, ""), next = jit_new_block(jit, ""),
                      end = jit_new_block(jit, "");
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, head);
    LLVMValueRef left = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMAddIncoming(left, &all, &before, 1);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, left, jit_const(jit, 32, 0), "");
    jit_branch(jit, none, end, body, false);
    jit_position(jit, body);
    LLVMValueRef lane = LLVMBuildZExt(jit->builder, jit_mask_first(jit, left), jit->i64, "");
    LLVMValueRef first = LLVMBuildGEP2(jit->builder, jit->i64, at, &lane, 1, "");
    LLVMValueRef token = LLVMBuildLoad2(jit->builder, jit->i64, first, "");
    LLVMValueRef mask = lanes_with(jit, tokens, token, left);
    call_target(jit, instr, token, mask, areas, next);
    jit_position(jit, next);
    LLVMValueRef rest = LLVMBuildAnd(jit->builder, left, LLVMBuildNot(jit->builder, mask, ""), "");
    LLVMAddIncoming(left, &rest, &next, 1);
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, end);
}

enum sw_status jit_emit_call(struct jit *jit, const struct ptx_instr *instr)
{
    jit_nans_look(jit);
    const struct outside *outside = find_outside(instr);
    if (outside) return call_outside(jit, instr, outside);
    if (jit_device_call_find(instr)) {
        jit_device_call(jit, arguments(instr), results(instr), instr);
        return SW_OK;
    }
    const struct ptx_operand *target = &instr->operands[target_at(instr)];
    if (target->kind == ISA_OPD_FUNC)
        call_direct(jit, instr, target->function);
    else
        call_indirect(jit, instr);
    return SW_OK;
}
