/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of CUDA's device runtime: launches from kernels, and what goes with them.
 *
 * They are ordinary calls of functions that no module defines: __cudaCDP2LaunchDeviceV2 and so on, which
 * NVIDIA keeps in libcudadevrt (CUDA Programming Guide, "CUDA Dynamic Parallelism", "PTX support"). Each
 * active lane, lowest first, calls ctx->helpers->device_call with the addresses of its arguments and of its
 * result. Limits: arguments and results in .param variables only, as all compilers pass them.
 */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"

#include <stddef.h>
#include <string.h>

struct jit_device_name {
    const char *name;
    unsigned result_bits, arguments;
};
#define DEVICE_NAME(name, bits, arguments) {#name, bits, arguments},
static const struct jit_device_name names[] = {JIT_DEVICE_CALLS(DEVICE_NAME)};
#undef DEVICE_NAME

static const char *const suffix = "_ptsz";

static size_t skip(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? length : 0;
}

static const char *called_name(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++) {
        const struct ptx_function *function = instr->operands[i].function;
        if (instr->operands[i].kind == ISA_OPD_FUNC) return function->has_body ? NULL : function->name;
    }
    return NULL;
}

const struct jit_device_name *jit_device_call_find(const struct ptx_instr *instr)
{
    const char *name = called_name(instr);
    size_t at = name ? skip(name, "__cudaCDP2") : 0;
    if (name && !at) at = skip(name, "cuda");
    if (!at) return NULL;
    for (size_t i = 0; i < SW_COUNT_OF(names); i++) {
        size_t length = skip(name + at, names[i].name);
        if (length && (!name[at + length] || strcmp(name + at + length, suffix) == 0)) return &names[i];
    }
    return NULL;
}

static bool in_call_vars(const struct jit *jit, const struct ptx_operand *list)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->elements[i].kind != ISA_OPD_VAR || !jit_is_call_var(jit, list->elements[i].var))
            return false;
    return true;
}

const char *jit_device_call_refusal(const struct jit *jit, const struct ptx_operand *args,
                                    const struct ptx_operand *results, const struct ptx_instr *instr)
{
    const struct jit_device_name *device = jit_device_call_find(instr);
    if ((args ? args->count : 0) != device->arguments)
        return "the device runtime function has a different number of parameters";
    if ((results ? results->count : 0) > 1) return "the device runtime function has only one result";
    if (!in_call_vars(jit, args) || !in_call_vars(jit, results))
        return "arguments and results of the device runtime must be in .param variables";
    if (results && results->elements[0].var->bytes < device->result_bits / 8)
        return "the result of the device runtime function is larger than its variable";
    return NULL;
}

/* Write a lane's address of a parameter area to slot `index` of the list. */
static void put_address(struct jit *jit, LLVMValueRef list, unsigned index, const struct ptx_operand *operand,
                        LLVMValueRef lane)
{
    uint64_t stride;
    LLVMValueRef base = jit_call_var(jit, operand->var, &stride);
    LLVMValueRef offset = LLVMBuildMul(jit->builder, lane, jit_const(jit, 64, stride), "");
    LLVMValueRef at = LLVMBuildPtrToInt(jit->builder, base, jit->i64, "");
    at = LLVMBuildAdd(jit->builder, at, offset, "");
    at = LLVMBuildAdd(jit->builder, at, jit_const(jit, 64, (uint64_t)operand->offset), "");
    LLVMBuildStore(jit->builder, at, jit_offset(jit, list, index * sizeof(uint64_t)));
}

static uint32_t function_code(const struct jit_device_name *device, const struct ptx_instr *instr)
{
    const char *name = called_name(instr);
    size_t length = strlen(name), tail = strlen(suffix);
    bool per_thread = length > tail && strcmp(name + length - tail, suffix) == 0;
    return (uint32_t)(device - names) | (per_thread ? JIT_DEVICE_PER_THREAD : 0u);
}

void jit_device_call(struct jit *jit, const struct ptx_operand *args, const struct ptx_operand *results,
                     const struct ptx_instr *instr)
{
    const struct jit_device_name *device = jit_device_call_find(instr);
    LLVMValueRef list = jit_slot(jit, LLVMArrayType2(jit->i64, JIT_DEVICE_CALL_MOST + 1), "arguments");
    LLVMValueRef unused = jit_slot(jit, jit->i64, "result");
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, lanes.mask);
    for (unsigned i = 0; i < device->arguments; i++)
        put_address(jit, list, i, &args->elements[i], loop.lane);
    if (results && results->count)
        put_address(jit, list, device->arguments, &results->elements[0], loop.lane);
    else
        LLVMBuildStore(jit->builder, LLVMBuildPtrToInt(jit->builder, unused, jit->i64, ""),
                       jit_offset(jit, list, device->arguments * sizeof(uint64_t)));
    LLVMTypeRef types[] = {jit->ptr, jit->i32, jit->ptr};
    LLVMValueRef values[] = {jit->ctx, jit_const(jit, 32, function_code(device, instr)), list};
    jit_helper_call(jit, offsetof(struct jit_helpers, device_call), LLVMFunctionType(jit->empty, types, 3, 0),
                    values, 3);
    jit_lane_loop_end(jit, &loop);
}
