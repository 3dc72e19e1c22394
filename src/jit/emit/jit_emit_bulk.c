/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies (PTX ISA 9.7.9.25.4), from the first active lane to the last:
 *
 *   cp.async.bulk.DST.SRC.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier] {, cta mask} {, policy}
 *   cp.async.bulk.global.shared::cta.bulk_group [to], [from], size {, policy}
 *   cp.reduce.async.bulk...OP.TYPE   the same, reducing into [to]
 *   cp.async.bulk.prefetch, .commit_group, .wait_group: nothing is left to do
 *
 * A copy is done at once (helper bulk), then its bytes are completed on the mbarrier; when that comes before
 * they were expected, the transaction count is below zero for that time, as PTX allows. Of a mask of blocks
 * only block 0 is there. Limits: tensor maps, .cp_mask and .ignore_oob are refused. */
#include "event/event_request.h"
#include "jit_emit_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

static const struct {
    enum isa_mod mod;
    enum jit_bulk_reduce reduce;
} reductions[] = {{ISA_MOD_ADD, JIT_BULK_ADD}, {ISA_MOD_MIN, JIT_BULK_MIN}, {ISA_MOD_MAX, JIT_BULK_MAX},
                  {ISA_MOD_INC, JIT_BULK_INC}, {ISA_MOD_DEC, JIT_BULK_DEC}, {ISA_MOD_AND, JIT_BULK_AND},
                  {ISA_MOD_OR, JIT_BULK_OR},   {ISA_MOD_XOR, JIT_BULK_XOR}};

static enum jit_bulk_reduce bulk_reduction_of(const struct ptx_instr *instr)
{
    for (size_t i = 0; i < SW_COUNT_OF(reductions); i++)
        if (ptx_has(instr, reductions[i].mod)) return reductions[i].reduce;
    return JIT_BULK_COPY;
}

static bool moves_nothing(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_COMMIT_GROUP) || ptx_has(instr, ISA_MOD_WAIT_GROUP) ||
           ptx_has(instr, ISA_MOD_PREFETCH);
}

static bool on_mbarrier(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_MBARRIER__COMPLETE_TX__BYTES);
}

static bool integer_reduction_fits(enum jit_bulk_reduce reduce, unsigned bits, bool is_signed)
{
    if (bits != 32 && bits != 64) return false;
    if (reduce == JIT_BULK_INC || reduce == JIT_BULK_DEC) return bits == 32 && !is_signed;
    return true;
}

static const char *reduction_refusal(const struct ptx_instr *instr)
{
    static const char *why = "PTX has no such reduction for this type; see cp.reduce.async.bulk";
    enum jit_bulk_reduce reduce = bulk_reduction_of(instr);
    enum isa_type type = ptx_instr_type(instr, 0);
    enum isa_type_kind kind = isa_type_kind(type);
    unsigned bits = isa_type_bits(type);
    if (reduce == JIT_BULK_COPY) return why;
    if (kind == ISA_KIND_FLOAT) {
        bool half = type == ISA_F16 || type == ISA_BF16,
             picks = reduce == JIT_BULK_MIN || reduce == JIT_BULK_MAX;
        bool done = reduce == JIT_BULK_ADD ? half || type == ISA_F32 || type == ISA_F64 : half && picks;
        return done ? NULL : why;
    }
    return integer_reduction_fits(reduce, bits, kind == ISA_KIND_SINT) ? NULL : why;
}

const char *jit_bulk_refusal(const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_TENSOR))
        return "tensor maps are not supported; use cp.async.bulk without .tensor, or cp.async";
    if (ptx_has(instr, ISA_MOD_CP_MASK) || ptx_has(instr, ISA_MOD_IGNORE_OOB))
        return "byte masks need sm_100; compile for sm_90";
    if (moves_nothing(instr)) return NULL;
    unsigned operands = on_mbarrier(instr) ? 4 : 3;
    if (!on_mbarrier(instr) && !ptx_has(instr, ISA_MOD_BULK_GROUP)) return "it has no completion mechanism";
    if (instr->operand_count < operands || instr->operands[0].kind != ISA_OPD_MEM ||
        instr->operands[1].kind != ISA_OPD_MEM || (operands == 4 && instr->operands[3].kind != ISA_OPD_MEM) ||
        !jit_is_value(&instr->operands[2]))
        return "its operands must be addresses and a size";
    return ptx_has(instr, ISA_MOD_REDUCE) ? reduction_refusal(instr) : NULL;
}

static uint8_t bulk_space(enum ptx_space space)
{
    return space == PTX_SPACE_SHARED ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
}

static uint64_t bulk_code(const struct ptx_instr *instr)
{
    struct jit_bulk_op op = {.reduce = JIT_BULK_COPY,
                             .to_space = bulk_space(ptx_instr_space(instr)),
                             .from_space = bulk_space(ptx_instr_space2(instr))};
    uint64_t code;
    _Static_assert(sizeof op == sizeof code, "the op travels as one word");
    if (ptx_has(instr, ISA_MOD_REDUCE)) {
        enum isa_type type = ptx_instr_type(instr, 0);
        enum isa_type_kind kind = isa_type_kind(type);
        op.reduce = (uint8_t)bulk_reduction_of(instr);
        op.bytes = (uint8_t)(isa_type_bits(type) / 8);
        op.element = type == ISA_BF16         ? JIT_BULK_BF16
                     : kind == ISA_KIND_FLOAT ? JIT_BULK_FLOAT
                     : kind == ISA_KIND_SINT  ? JIT_BULK_SIGNED
                                              : JIT_BULK_UNSIGNED;
    }
    memcpy(&code, &op, sizeof code);
    return code;
}

/* 32 values of 64 bits in memory of their own: the scratch slots are too few here. */
static LLVMValueRef bulk_keep(struct jit *jit, LLVMValueRef *parts, const char *name)
{
    LLVMValueRef slot = jit_slot(jit, LLVMArrayType2(jit->i64, 32), name);
    LLVMSetAlignment(slot, 64);
    for (unsigned p = 0; p < jit->part.parts; p++)
        LLVMSetAlignment(
            LLVMBuildStore(jit->builder, parts[p], jit_offset(jit, slot, 8ull * p * jit->part.lanes)), 8);
    return slot;
}

static LLVMValueRef keep_address(struct jit *jit, enum ptx_space space, const struct ptx_operand *operand)
{
    struct jit_address address = jit_address_in(jit, space, operand);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_address_lanes(jit, &address, parts);
    return bulk_keep(jit, parts, "bulk_address");
}

static LLVMValueRef lane_of(struct jit *jit, LLVMValueRef slot, LLVMValueRef lane)
{
    LLVMValueRef at = LLVMBuildGEP2(jit->builder, jit->i64, slot, &lane, 1, "");
    return LLVMBuildLoad2(jit->builder, jit->i64, at, "");
}

/* Lanes whose mask of blocks names this one. */
static LLVMValueRef addressed(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef mask)
{
    if (!ptx_has(instr, ISA_MOD_MULTICAST__CLUSTER) || instr->operand_count < 5) return mask;
    struct jit_value blocks = jit_operand(jit, &instr->operands[4], 16);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &blocks, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = LLVMBuildTrunc(jit->builder, parts[p], LLVMVectorType(jit->i1, jit->part.lanes), "");
    return LLVMBuildAnd(jit->builder, mask, jit_mask_join(jit, parts), "");
}

static void call_bulk(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef to, LLVMValueRef from,
                      LLVMValueRef bytes)
{
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i64, jit->i64, jit->i32};
    LLVMValueRef args[] = {jit->ctx, jit_const(jit, 64, bulk_code(instr)), to, from,
                           LLVMBuildTrunc(jit->builder, bytes, jit->i32, "")};
    jit_helper_call(jit, offsetof(struct jit_helpers, bulk), LLVMFunctionType(jit->empty, types, 5, 0), args,
                    5);
}

enum sw_status jit_emit_bulk(struct jit *jit, const struct ptx_instr *instr)
{
    if (moves_nothing(instr)) {
        jit_shadow_group(jit, instr);
        return SW_OK;
    }
    jit->info.orders_apart = 1;
    if (ptx_instr_space2(instr) == PTX_SPACE_SHARED) jit->info.copies_shared = 1;
    LLVMValueRef to = keep_address(jit, ptx_instr_space(instr), &instr->operands[0]);
    LLVMValueRef from = keep_address(jit, ptx_instr_space2(instr), &instr->operands[1]);
    LLVMValueRef barrier = NULL, parts[JIT_MAX_PARTS];
    if (on_mbarrier(instr)) barrier = keep_address(jit, PTX_SPACE_SHARED, &instr->operands[3]);
    struct jit_value size = jit_operand(jit, &instr->operands[2], 32);
    size = jit_value_resize(jit, &size, 64, false);
    jit_value_parts(jit, &size, parts);
    LLVMValueRef sizes = bulk_keep(jit, parts, "bulk_size");
    LLVMValueRef mask = addressed(jit, instr, jit_lanes_of(jit, instr).mask);
    bool reads = ptx_instr_space(instr) == PTX_SPACE_SHARED,
         inside = reads && ptx_instr_space2(instr) == PTX_SPACE_SHARED;
    uint32_t store = ptx_has(instr, ISA_MOD_REDUCE) ? EVENT_KIND_RED : EVENT_KIND_STORE;
    jit_permissions_line(jit);
    if (!inside) jit_count_bulk_slots(jit, instr);
    if (!inside)
        jit_record_helper_begin(jit, instr, reads ? EVENT_KIND_LOAD : store);
    else
        jit_phase_helper_begin(jit);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, mask);
    LLVMValueRef bytes = lane_of(jit, sizes, loop.lane);
    if (!inside) jit_count_bulk(jit, instr, lane_of(jit, reads ? from : to, loop.lane), bytes);
    call_bulk(jit, instr, lane_of(jit, to, loop.lane), lane_of(jit, from, loop.lane), bytes);
    if (barrier) jit_mbarrier_complete(jit, instr, lane_of(jit, barrier, loop.lane), bytes);
    jit_lane_loop_end(jit, &loop);
    if (!inside)
        jit_record_helper_end(jit);
    else
        jit_phase_helper_end(jit);
    return SW_OK;
}
