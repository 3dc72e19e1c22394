/* SPDX-License-Identifier: Apache-2.0 */
/* mbarrier (PTX ISA 9.7.13.15): arrive-wait barriers in shared memory. A block stays on one host thread, so
 * an object is plain memory:
 *
 *   bits 0..19 arrivals still pending | 20..39 arrivals of a phase | 40..60 bytes still expected, two's
 *   complement | 63 parity of the phase
 *
 * What leaves neither arrivals nor bytes begins the next phase. A wait answers whether the phase is over;
 * loops around it give way (jit_core_spin.c), so that time limits are not needed. Lanes take effect in lane
 * order. Limits: a cluster is one block, whose objects .shared::cluster names. */
#include "jit_emit_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/emit/jit_emit.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

enum { COUNT_BITS = JIT_MBARRIER_COUNT_BITS, BYTES_AT = 40, BYTES_BITS = 21, PARITY_AT = 63 };
static const uint64_t count_mask = (1u << COUNT_BITS) - 1, bytes_mask = (1u << BYTES_BITS) - 1,
                      phase_bit = 1ull << PARITY_AT;

static bool tests(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_TEST_WAIT) || ptx_has(instr, ISA_MOD_TRY_WAIT);
}

static bool arrives(const struct ptx_instr *instr)
{
    return ptx_has(instr, ISA_MOD_ARRIVE) || ptx_has(instr, ISA_MOD_ARRIVE_DROP);
}

const char *jit_mbarrier_refusal(const struct ptx_instr *instr)
{
    bool known = tests(instr) || arrives(instr) || ptx_has(instr, ISA_MOD_INIT) ||
                 ptx_has(instr, ISA_MOD_INVAL) || ptx_has(instr, ISA_MOD_PENDING_COUNT) ||
                 ptx_has(instr, ISA_MOD_EXPECT_TX) || ptx_has(instr, ISA_MOD_COMPLETE_TX);
    return known ? NULL : "this form is not supported";
}

static LLVMValueRef num64(struct jit *jit, uint64_t value)
{
    return jit_const(jit, 64, value);
}

/* Operand `i` of each lane as 64 bits, in memory. */
static LLVMValueRef spill_operand(struct jit *jit, const struct ptx_operand *operand, unsigned bits)
{
    struct jit_value value = jit_operand(jit, operand, bits);
    value = jit_value_resize(jit, &value, 64, false);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, parts);
    return jit_spill_values(jit, parts, 64);
}

static LLVMValueRef at_lane(struct jit *jit, LLVMValueRef base, LLVMValueRef lane)
{
    return LLVMBuildGEP2(jit->builder, jit->i64, base, &lane, 1, "");
}

static LLVMValueRef load_lane(struct jit *jit, LLVMValueRef base, LLVMValueRef lane)
{
    return LLVMBuildLoad2(jit->builder, jit->i64, at_lane(jit, base, lane), "");
}

static LLVMValueRef mbarrier_field(struct jit *jit, LLVMValueRef object, unsigned at, uint64_t mask)
{
    LLVMValueRef low = LLVMBuildLShr(jit->builder, object, num64(jit, at), "");
    return LLVMBuildAnd(jit->builder, low, num64(jit, mask), "");
}

/* The object with `bytes` more (or fewer) expected. */
static LLVMValueRef with_bytes(struct jit *jit, LLVMValueRef object, LLVMValueRef bytes)
{
    LLVMBuilderRef b = jit->builder;
    LLVMValueRef sum = LLVMBuildAdd(b, mbarrier_field(jit, object, BYTES_AT, bytes_mask), bytes, "");
    sum = LLVMBuildShl(b, LLVMBuildAnd(b, sum, num64(jit, bytes_mask), ""), num64(jit, BYTES_AT), "");
    return LLVMBuildOr(b, LLVMBuildAnd(b, object, num64(jit, ~(bytes_mask << BYTES_AT)), ""), sum, "");
}

/* The object, in its next phase when nothing is left of this one. */
static LLVMValueRef settled(struct jit *jit, LLVMValueRef object)
{
    LLVMBuilderRef b = jit->builder;
    LLVMValueRef left = LLVMBuildAnd(b, object, num64(jit, count_mask | bytes_mask << BYTES_AT), "");
    LLVMValueRef expected = mbarrier_field(jit, object, COUNT_BITS, count_mask);
    LLVMValueRef next = LLVMBuildXor(b, LLVMBuildOr(b, object, expected, ""), num64(jit, phase_bit), "");
    LLVMValueRef over = LLVMBuildICmp(b, LLVMIntEQ, left, num64(jit, 0), "");
    return LLVMBuildSelect(b, over, next, object, "");
}

/* The object after `count` arrivals; dropped ones are not expected again. */
static LLVMValueRef after_arrival(struct jit *jit, LLVMValueRef object, LLVMValueRef count, bool drops)
{
    LLVMBuilderRef b = jit->builder;
    LLVMValueRef left = LLVMBuildSub(b, object, count, "");
    if (drops) left = LLVMBuildSub(b, left, LLVMBuildShl(b, count, num64(jit, COUNT_BITS), ""), "");
    return settled(jit, left);
}

/* The same, for what orders accesses. */
static void note_order(struct jit *jit, LLVMValueRef address, LLVMValueRef how)
{
    LLVMValueRef phase = LLVMBuildZExt(jit->builder, how, jit->i64, "");
    phase = LLVMBuildShl(jit->builder, phase, num64(jit, JIT_ORDER_PHASE_AT), "");
    LLVMValueRef lane = jit_ctx_load(jit, offsetof(struct jit_ctx, lane), jit->i32);
    jit_shadow_order(jit, NULL, LLVMBuildShl(jit->builder, jit_const(jit, 32, 1), lane, ""),
                     JIT_ORDER_MBARRIER, LLVMBuildOr(jit->builder, address, phase, ""));
}

/* What became of an object, for tools. */
static void mbarrier_note(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address,
                          enum jit_phase how, LLVMValueRef before, LLVMValueRef after)
{
    LLVMValueRef over = LLVMBuildXor(jit->builder, before, after, "");
    over = LLVMBuildLShr(jit->builder, over, num64(jit, PARITY_AT), "");
    over = LLVMBuildMul(jit->builder, over, num64(jit, JIT_PHASE_OVER), "");
    over = LLVMBuildTrunc(jit->builder, over, jit->i32, "");
    over = LLVMBuildOr(jit->builder, over, jit_const(jit, 32, how), "");
    jit_phase_note(jit, instr, address, over);
    note_order(jit, address, over);
}

/* `bytes` of a copy are there. */
void jit_mbarrier_complete(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address,
                           LLVMValueRef bytes)
{
    LLVMValueRef at = LLVMBuildIntToPtr(jit->builder, address, jit->ptr, "");
    LLVMValueRef object = LLVMBuildLoad2(jit->builder, jit->i64, at, "");
    LLVMValueRef after = settled(jit, with_bytes(jit, object, LLVMBuildNeg(jit->builder, bytes, "")));
    LLVMBuildStore(jit->builder, after, at);
    mbarrier_note(jit, instr, address, JIT_PHASE_BRING, object, after);
}

/* Is the phase of `state` (or of parity `state`) over? */
static LLVMValueRef is_over(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef object,
                            LLVMValueRef state)
{
    LLVMBuilderRef b = jit->builder;
    if (ptx_has(instr, ISA_MOD_PARITY)) state = LLVMBuildShl(b, state, num64(jit, PARITY_AT), "");
    LLVMValueRef differ = LLVMBuildXor(b, object, state, "");
    return LLVMBuildLShr(b, differ, num64(jit, PARITY_AT), "");
}

/* expect_tx, complete_tx, and arrivals that first expect bytes and then count as one. */
static LLVMValueRef after_bytes(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef object,
                                LLVMValueRef bytes)
{
    if (ptx_has(instr, ISA_MOD_COMPLETE_TX)) bytes = LLVMBuildNeg(jit->builder, bytes, "");
    object = with_bytes(jit, object, bytes);
    if (arrives(instr)) return after_arrival(jit, object, num64(jit, 1), ptx_has(instr, ISA_MOD_ARRIVE_DROP));
    return ptx_has(instr, ISA_MOD_COMPLETE_TX) ? settled(jit, object) : object;
}

/* EVENT_PROBE_SYNC: what a lane is about to do. */
static void look(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address, LLVMValueRef operand,
                 LLVMValueRef lane)
{
    if (!(jit->request->probes & EVENT_PROBE_SYNC)) return;
    bool bytes = ptx_has(instr, ISA_MOD_EXPECT_TX), init = ptx_has(instr, ISA_MOD_INIT);
    bool counts = instr->op == ISA_OP_MBARRIER && arrives(instr);
    enum jit_mbarrier_use use = init                            ? JIT_MBARRIER_INIT
                                : ptx_has(instr, ISA_MOD_INVAL) ? JIT_MBARRIER_INVAL
                                : counts                        ? JIT_MBARRIER_ARRIVE
                                                                : JIT_MBARRIER_OTHER;
    if (counts && bytes) operand = num64(jit, 1);
    LLVMTypeRef types[] = {jit->ptr, jit->i64, jit->i64, jit->i32, jit->i32};
    LLVMValueRef what = LLVMBuildTrunc(jit->builder, lane, jit->i32, "");
    what = LLVMBuildShl(jit->builder, what, jit_const(jit, 32, JIT_MBARRIER_LANE_AT), "");
    what = LLVMBuildOr(jit->builder, what, jit_const(jit, 32, use), "");
    LLVMValueRef args[] = {jit->ctx, address, operand, what, jit_const(jit, 32, instr->line)};
    jit_helper_call(jit, offsetof(struct jit_helpers, mbarrier_look),
                    LLVMFunctionType(jit->empty, types, 5, 0), args, 5);
}

/* One lane: returns the result, or NULL. */
static LLVMValueRef one_lane(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef address,
                             LLVMValueRef operand)
{
    if (ptx_has(instr, ISA_MOD_INVAL)) return NULL;
    LLVMValueRef at = LLVMBuildIntToPtr(jit->builder, address, jit->ptr, "");
    if (ptx_has(instr, ISA_MOD_INIT)) {
        LLVMValueRef both = LLVMBuildMul(jit->builder, operand, num64(jit, 1 | 1ull << COUNT_BITS), "");
        LLVMBuildStore(jit->builder, both, at);
        return NULL;
    }
    LLVMValueRef object = LLVMBuildLoad2(jit->builder, jit->i64, at, "");
    if (tests(instr)) {
        LLVMValueRef over = is_over(jit, instr, object, operand);
        LLVMValueRef how = LLVMBuildMul(jit->builder, over, num64(jit, JIT_PHASE_AWAIT), "");
        how = LLVMBuildTrunc(jit->builder, how, jit->i32, "");
        jit_phase_note(jit, instr, address, how);
        note_order(jit, address, how);
        return over;
    }
    bool bytes = ptx_has(instr, ISA_MOD_EXPECT_TX) || ptx_has(instr, ISA_MOD_COMPLETE_TX);
    LLVMValueRef after = bytes ? after_bytes(jit, instr, object, operand)
                               : after_arrival(jit, object, operand, ptx_has(instr, ISA_MOD_ARRIVE_DROP));
    LLVMBuildStore(jit->builder, after, at);
    bool copies = instr->op == ISA_OP_CP || ptx_has(instr, ISA_MOD_COMPLETE_TX);
    if (copies || arrives(instr))
        mbarrier_note(jit, instr, address, copies ? JIT_PHASE_BRING : JIT_PHASE_ARRIVE, object, after);
    return object;
}

static void mbarrier_write_result(struct jit *jit, const struct ptx_operand *to, LLVMValueRef results)
{
    if (to->kind != ISA_OPD_REG) return;
    LLVMValueRef parts[JIT_MAX_PARTS];
    unsigned bits = jit->regs[to->reg].bits;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef from = jit_offset(jit, results, 8ull * p * jit->part.lanes);
        parts[p] = LLVMBuildLoad2(jit->builder, jit_vec(jit, 64), from, "");
        LLVMSetAlignment(parts[p], 8);
        parts[p] = jit_resize(jit, parts[p], 64, bits, false);
    }
    struct jit_value out = jit_value_vector(jit, parts, bits);
    jit_dest_write(jit, to->reg, &out, false);
}

static void pending_count(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value state = jit_operand(jit, &instr->operands[1], 64);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &state, parts);
    for (unsigned p = 0; p < jit->part.parts; p++)
        parts[p] = LLVMBuildAnd(jit->builder, parts[p], jit_lane_consts(jit, 64, p, count_mask, 0), "");
    struct jit_value out = jit_value_vector(jit, parts, 64);
    out = jit_value_resize(jit, &out, 32, false);
    jit_dest_write(jit, instr->operands[0].reg, &out, false);
}

enum sw_status jit_emit_mbarrier(struct jit *jit, const struct ptx_instr *instr)
{
    if (ptx_has(instr, ISA_MOD_INVAL) && !(jit->request->probes & EVENT_PROBE_SYNC)) return SW_OK;
    if (ptx_has(instr, ISA_MOD_PENDING_COUNT)) {
        pending_count(jit, instr);
        return SW_OK;
    }
    unsigned dest = instr->operands[0].kind == ISA_OPD_MEM ? 0 : 1;
    const struct ptx_operand one = {.kind = ISA_OPD_INT, .bits = 1};
    const struct ptx_operand *operand = instr->operand_count > dest + 1 ? &instr->operands[dest + 1] : &one;
    bool is_state = tests(instr) && !ptx_has(instr, ISA_MOD_PARITY);
    /* a generic address is one of shared memory too, but a host address */
    struct jit_address address = jit_address_of(jit, instr, &instr->operands[dest]);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_address_lanes(jit, &address, parts);
    LLVMValueRef addresses = jit_spill_addresses(jit, parts);
    LLVMValueRef values = spill_operand(jit, operand, is_state ? 64 : 32);
    LLVMValueRef mask = jit_lanes_of(jit, instr).mask;
    if (dest && instr->operands[0].kind == ISA_OPD_REG) jit_reg_read(jit, instr->operands[0].reg);
    jit_phase_helper_begin(jit);
    struct jit_lane_loop loop = jit_lane_loop_begin(jit, mask);
    LLVMValueRef at = load_lane(jit, addresses, loop.lane);
    LLVMValueRef value = load_lane(jit, values, loop.lane);
    look(jit, instr, at, value, loop.lane);
    LLVMValueRef result = one_lane(jit, instr, at, value);
    if (result) LLVMBuildStore(jit->builder, result, at_lane(jit, values, loop.lane));
    jit_lane_loop_end(jit, &loop);
    jit_phase_helper_end(jit);
    if (dest) mbarrier_write_result(jit, &instr->operands[0], values);
    return SW_OK;
}
