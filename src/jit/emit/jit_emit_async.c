/* SPDX-License-Identifier: Apache-2.0 */
/* st.async and red.async (PTX ISA 9.7.9.12, 9.7.13.8): into shared memory of the cluster, which is the
 * block's own.
 *
 *   st.async.shared::cluster.mbarrier::complete_tx::bytes{.v2,.v4}.TYPE [a], b, [mbarrier]
 *   red.async.relaxed.cluster...OP.TYPE [a], b, [mbarrier]
 *
 * Done at once, lane by lane; then the bytes are completed on the lane's mbarrier. Limits: one block a
 * cluster. */
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

static const struct ptx_operand *async_element(const struct ptx_operand *operand, unsigned i)
{
    return operand->kind == ISA_OPD_VEC ? &operand->elements[i] : operand;
}

/* 32 values in memory of their own. */
static LLVMValueRef async_keep(struct jit *jit, LLVMValueRef *parts, unsigned bits, const char *name)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit_int(jit, bits), 32), name);
    LLVMSetAlignment(slot, 64);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef at = jit_offset(jit, slot, (uint64_t)p * jit->part.lanes * bits / 8);
        LLVMSetAlignment(LLVMBuildStore(jit->builder, parts[p], at), bits / 8);
    }
    return slot;
}

static LLVMValueRef keep_address(struct jit *jit, const struct ptx_operand *operand, struct jit_address *out)
{
    struct jit_address address = jit_address_in(jit, PTX_SPACE_SHARED, operand);
    if (out) *out = address;
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_address_lanes(jit, &address, parts);
    return async_keep(jit, parts, 64, "async_address");
}

static LLVMValueRef keep_value(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct jit_value value = jit_operand(jit, operand, bits);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, parts);
    return async_keep(jit, parts, bits, "async_value");
}

static LLVMValueRef lane_of(struct jit *jit, LLVMValueRef slot, unsigned bits, LLVMValueRef lane)
{
    LLVMValueRef at = LLVMBuildGEP2(jit->builder, jit_int(jit, bits), slot, &lane, 1, "");
    return LLVMBuildLoad2(jit->builder, jit_int(jit, bits), at, "");
}

/* old OP b, for red.async's integers */
static LLVMValueRef async_reduced(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef old,
                                  LLVMValueRef b)
{
    LLVMBuilderRef builder = jit->builder;
    bool sign = isa_type_kind(ptx_instr_type(instr, 0)) == ISA_KIND_SINT;
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(old), 1, false), zero = LLVMConstNull(LLVMTypeOf(old));
    if (ptx_has(instr, ISA_MOD_AND)) return LLVMBuildAnd(builder, old, b, "");
    if (ptx_has(instr, ISA_MOD_OR)) return LLVMBuildOr(builder, old, b, "");
    if (ptx_has(instr, ISA_MOD_XOR)) return LLVMBuildXor(builder, old, b, "");
    if (ptx_has(instr, ISA_MOD_ADD)) return LLVMBuildAdd(builder, old, b, "");
    if (ptx_has(instr, ISA_MOD_INC)) {
        LLVMValueRef wraps = LLVMBuildICmp(builder, LLVMIntUGE, old, b, "");
        return LLVMBuildSelect(builder, wraps, zero, LLVMBuildAdd(builder, old, one, ""), "");
    }
    if (ptx_has(instr, ISA_MOD_DEC)) {
        LLVMValueRef wraps = LLVMBuildOr(builder, LLVMBuildICmp(builder, LLVMIntEQ, old, zero, ""),
                                         LLVMBuildICmp(builder, LLVMIntUGT, old, b, ""), "");
        return LLVMBuildSelect(builder, wraps, b, LLVMBuildSub(builder, old, one, ""), "");
    }
    LLVMValueRef less = LLVMBuildICmp(builder, sign ? LLVMIntSLT : LLVMIntULT, old, b, "");
    bool is_min = ptx_has(instr, ISA_MOD_MIN);
    return LLVMBuildSelect(builder, less, is_min ? old : b, is_min ? b : old, "");
}

enum sw_status jit_emit_async(struct jit *jit, const struct ptx_instr *instr)
{
    unsigned count = ptx_vector_count(instr), bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct jit_address address;
    LLVMValueRef to = keep_address(jit, &instr->operands[0], &address), values[8];
    for (unsigned i = 0; i < count; i++)
        values[i] = keep_value(jit, async_element(&instr->operands[1], i), bits);
    LLVMValueRef barrier = keep_address(jit, &instr->operands[2], NULL);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    struct jit_access access = {.bits = bits, .bytes = bits / 8, .count = count, .is_store = true};
    jit_bounds_check_copy(jit, &instr->operands[0], &address, &lanes, count * bits / 8, true);
    unsigned reads = instr->op == ISA_OP_RED ? JIT_SHADOW_READ : 0;
    jit_shadow_access(jit, &address, &lanes, access.bytes * count,
                      JIT_SHADOW_WRITE | JIT_SHADOW_ASYNC | reads, NULL);
    jit_count_access(jit, instr, &address, &lanes, &access);
    jit_phase_helper_begin(jit);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, lanes.mask);
    LLVMValueRef at = LLVMBuildIntToPtr(jit->builder, lane_of(jit, to, 64, loop.lane), jit->ptr, "");
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef pointer = jit_offset(jit, at, (uint64_t)i * bits / 8),
                     value = lane_of(jit, values[i], bits, loop.lane);
        if (instr->op == ISA_OP_RED)
            value = async_reduced(jit, instr, LLVMBuildLoad2(jit->builder, jit_int(jit, bits), pointer, ""),
                                  value);
        LLVMBuildStore(jit->builder, value, pointer);
    }
    jit_mbarrier_complete(jit, instr, lane_of(jit, barrier, 64, loop.lane),
                          jit_const(jit, 64, (uint64_t)count * bits / 8));
    jit_lane_loop_end(jit, &loop);
    jit_phase_helper_end(jit);
    return SW_OK;
}
