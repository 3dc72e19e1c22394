/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses. Generic, global and const addresses are host addresses. Shared addresses are offsets in the
 * block's shared memory, local ones offsets in the thread's local memory; cvta adds or subtracts the base.
 * An address is a host pointer (or none) plus a value: scalar, affine or one per lane.
 * Limits: none known. */
#include "jit/analysis/jit_layout.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_rows.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

LLVMValueRef jit_symbol(struct jit *jit, uint32_t index)
{
    uint64_t key = 1ull << 62 | index;
    LLVMValueRef value = map_get_u64(&jit->cached, key);
    if (value) return value;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, jit->launch_prologue);
    value = LLVMBuildLoad2(jit->builder, jit->i64, jit_offset(jit, jit->symbols, 8ull * index), "");
    map_set_u64(&jit->cached, key, value);
    jit_position(jit, here);
    return value;
}

/* The value of a variable's address in its own space (mov, ld). */
struct jit_value jit_var_address(struct jit *jit, const struct ptx_var *var, int64_t offset)
{
    if (var->space == PTX_SPACE_SHARED)
        return jit_value_scalar(jit_const(jit, 64, jit_shared_offset(jit, var) + (uint64_t)offset), 64);
    if (var->space == PTX_SPACE_LOCAL)
        return jit_value_scalar(jit_const(jit, 64, jit_local_offset(jit, var) + (uint64_t)offset), 64);
    if (var->space == PTX_SPACE_PARAM && !jit_is_call_var(jit, var)) {
        LLVMValueRef at = jit_offset(jit, jit->params, var->offset + (uint64_t)offset);
        return jit_value_scalar(LLVMBuildPtrToInt(jit->builder, at, jit->i64, ""), 64);
    }
    LLVMValueRef base = jit_symbol(jit, var->index);
    return jit_value_scalar(LLVMBuildAdd(jit->builder, base, jit_const(jit, 64, (uint64_t)offset), ""), 64);
}

/* A lane's local memory: every lane at its own stride from the warp's. */
static struct jit_value local_offsets(struct jit *jit, const struct jit_value *value)
{
    struct jit_value narrow = jit_value_resize(jit, value, 32, false);
    if (narrow.repr == JIT_SCALAR || narrow.repr == JIT_AFFINE) {
        int64_t stride = (narrow.repr == JIT_AFFINE ? narrow.stride : 0) + jit->info.local_bytes;
        return (struct jit_value){.repr = JIT_AFFINE, .bits = 32, .scalar = narrow.scalar, .stride = stride};
    }
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &narrow, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] =
            LLVMBuildAdd(jit->builder, parts[p], jit_lane_consts(jit, 32, p, 0, jit->info.local_bytes), "");
    return jit_value_vector(jit, parts, 32);
}

static LLVMValueRef call_var_buffer(struct jit *jit, const struct ptx_var *var)
{
    LLVMValueRef buffer = map_get_u64(&jit->cached, (uint64_t)(uintptr_t)var);
    if (buffer) return buffer;
    LLVMTypeRef type = LLVMArrayType2(jit->i8, 32 * sw_align_up(var->bytes ? var->bytes : 8, 16));
    buffer = jit_slot(jit, type, var->name);
    LLVMSetAlignment(buffer, 64);
    map_set_u64(&jit->cached, (uint64_t)(uintptr_t)var, buffer);
    return buffer;
}

/* 32 parameter areas, one a lane. */
LLVMValueRef jit_call_var(struct jit *jit, const struct ptx_var *var, uint64_t *stride)
{
    *stride = sw_align_up(var->bytes ? var->bytes : 8, 16);
    return call_var_buffer(jit, var);
}

static struct jit_address var_address(struct jit *jit, const struct ptx_var *var)
{
    struct jit_address address = {.space = var->space};
    struct jit_value offset;
    if (jit_is_call_var(jit, var)) {
        uint64_t stride;
        address.base = jit_call_var(jit, var, &stride);
        address.value = (struct jit_value){
            .repr = JIT_AFFINE, .bits = 32, .scalar = jit_const(jit, 32, 0), .stride = (int64_t)stride};
        return address;
    }
    switch ((unsigned)var->space) {
    case PTX_SPACE_SHARED:
        address.base = jit->shared;
        address.value = jit_value_scalar(jit_const(jit, 32, jit_shared_offset(jit, var)), 32);
        return address;
    case PTX_SPACE_LOCAL:
        offset = jit_value_scalar(jit_const(jit, 32, jit_local_offset(jit, var)), 32);
        address.base = jit->warp_local;
        address.value = local_offsets(jit, &offset);
        return address;
    case PTX_SPACE_PARAM:
        address.base = jit->params;
        address.value = jit_value_scalar(jit_const(jit, 32, var->offset), 32);
        return address;
    default: address.value = jit_value_scalar(jit_symbol(jit, var->index), 64); return address;
    }
}

static const uint64_t SHARED_OFFSETS = 1ull << 31; /* what is less is not negative as 32 bits */

struct jit_address jit_address_in(struct jit *jit, enum ptx_space space, const struct ptx_operand *operand)
{
    struct jit_address address;
    if (operand->var) {
        address = var_address(jit, operand->var);
        address.offset = operand->offset;
        return address;
    }
    address = (struct jit_address){.space = space, .offset = operand->offset};
    address.may_be_low = operand->offset < 0 || (operand->reg != PTX_NO_REG &&
                                                 jit->regs[operand->reg].abstract.max >= SHARED_OFFSETS);
    struct jit_value value = operand->reg == PTX_NO_REG
                                 ? jit_value_scalar(jit_const(jit, 64, operand->bits), 64)
                                 : jit_reg_read(jit, operand->reg);
    switch ((unsigned)address.space) {
    case PTX_SPACE_SHARED:
        address.base = jit->shared;
        address.value = jit_value_resize(jit, &value, 32, false);
        return address;
    case PTX_SPACE_LOCAL:
        address.base = jit->warp_local;
        address.value = local_offsets(jit, &value);
        return address;
    default: address.value = jit_value_resize(jit, &value, 64, false); return address;
    }
}

struct jit_address jit_address_of(struct jit *jit, const struct ptx_instr *instr,
                                  const struct ptx_operand *operand)
{
    return jit_address_in(jit, ptx_instr_space(instr), operand);
}

static LLVMValueRef pointer_at(struct jit *jit, const struct jit_address *address, LLVMValueRef number,
                               int64_t offset)
{
    LLVMValueRef at;
    if (address->base) { /* offsets are below 2^31; a negative one is that of an inactive lane 0 */
        LLVMValueRef index = LLVMBuildSExt(jit->builder, number, jit->i64, "");
        at = LLVMBuildGEP2(jit->builder, jit->i8, address->base, &index, 1, "");
    } else {
        at = LLVMBuildIntToPtr(jit->builder, number, jit->ptr, "");
    }
    return jit_offset(jit, at, (uint64_t)(address->offset + offset));
}

LLVMValueRef jit_address_scalar(struct jit *jit, const struct jit_address *address, int64_t offset)
{
    return pointer_at(jit, address, address->value.scalar, offset);
}

/* The first lane of a row. Rows of shared memory that are a constant apart are so as pointers, too: then
 * their accesses share a register. */
LLVMValueRef jit_address_row(struct jit *jit, const struct jit_address *address, unsigned row)
{
    const struct jit_value *value = &address->value;
    if (value->repr == JIT_ROWS && value->regular)
        return pointer_at(jit, address, value->scalar, value->step * row);
    return pointer_at(jit, address, jit_row_first(jit, value, row), 0);
}

LLVMValueRef jit_address_part(struct jit *jit, const struct jit_address *address, LLVMValueRef *parts,
                              unsigned p, int64_t offset)
{
    LLVMTypeRef pointers = LLVMVectorType(jit->ptr, jit->part.lanes);
    int64_t more = address->offset + offset;
    if (address->base) {
        LLVMValueRef base = jit_offset(jit, address->base, (uint64_t)more);
        return LLVMBuildGEP2(jit->builder, jit->i8, base, &parts[p], 1, "");
    }
    LLVMValueRef at = parts[p];
    if (more) at = LLVMBuildAdd(jit->builder, at, jit_lane_consts(jit, 64, p, (uint64_t)more, 0), "");
    return LLVMBuildIntToPtr(jit->builder, at, pointers, "");
}

void jit_address_lanes(struct jit *jit, const struct jit_address *address, LLVMValueRef *parts)
{
    jit_value_parts(jit, &address->value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        if (address->base) {
            LLVMValueRef base = LLVMBuildPtrToInt(jit->builder, address->base, jit->i64, "");
            LLVMValueRef wide = LLVMBuildSExt(jit->builder, parts[p], jit_vec(jit, 64), "");
            parts[p] = LLVMBuildAdd(jit->builder, wide, jit_splat(jit, base, 64), "");
        }
        if (address->offset)
            parts[p] = LLVMBuildAdd(jit->builder, parts[p],
                                    jit_lane_consts(jit, 64, p, (uint64_t)address->offset, 0), "");
    }
}

/* ---- which space */

LLVMValueRef jit_in_range(struct jit *jit, LLVMValueRef address, LLVMValueRef base, LLVMValueRef bytes,
                          bool vector)
{
    LLVMValueRef start = LLVMBuildPtrToInt(jit->builder, base, jit->i64, "");
    if (vector) {
        start = jit_splat(jit, start, 64);
        bytes = jit_splat(jit, bytes, 64);
    }
    return LLVMBuildICmp(jit->builder, LLVMIntULT, LLVMBuildSub(jit->builder, address, start, ""), bytes, "");
}

LLVMValueRef jit_is_shared(struct jit *jit, LLVMValueRef address, bool vector)
{
    LLVMValueRef bytes = jit_ctx_load(jit, offsetof(struct jit_ctx, shared_bytes), jit->i32);
    return jit_in_range(jit, address, jit->shared, LLVMBuildZExt(jit->builder, bytes, jit->i64, ""), vector);
}

LLVMValueRef jit_is_local(struct jit *jit, LLVMValueRef address, bool vector)
{
    LLVMValueRef warps = LLVMBuildZExt(jit->builder, jit->warp_count, jit->i64, "");
    LLVMValueRef bytes =
        LLVMBuildMul(jit->builder, warps, jit_const(jit, 64, 32ull * jit->info.local_bytes), "");
    return jit_in_range(jit, address, jit->local, bytes, vector);
}
