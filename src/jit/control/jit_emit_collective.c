/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives: operations of a whole warp (.sync of shfl, vote, match, redux, elect, bar.warp) in code that
 * only part of the warp may be running: the lanes that a member mask names wait for each other, also at
 * different instructions.
 *
 *   block m = that one instruction, entered from the block before it, or by lanes that waited in it
 *     all members are here:            the operation, as anywhere else; on to the next block
 *     else: lanes that wait in m join; the lanes that are alive are counted:
 *       all living members are here:   the same
 *       else: operands -> state; helper: lanes whose members have all arrived, wherever they stand,
 *             get their results; those of m go on with them, the rest waits in m; then other blocks run
 *
 * Lanes wait in m's mask, like lanes at any block of a frontier, and come up again whenever the warp looks
 * for a block to run (collective.parked shows that some do). A block that the whole warp reaches together (a
 * fence) lets none wait after it: there members that never came are no longer waited for. Where nobody can
 * run and lanes still wait, the kernel fails. Limits: members that pass a fence before they come are missed
 * (letting them follow after it makes all later code partial: 15 times slower on AVX2). */
#include "jit_collective_priv.h"
#include "jit_frontier_priv.h"
#include "jit_misuse_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

static void park(struct jit *jit, uint32_t block, LLVMValueRef lanes)
{
    jit_wait_at(jit, block, lanes);
    put(jit, FIELD(jit, parked), LLVMBuildOr(jit->builder, jit_collectives_parked(jit), lanes, ""));
}

/* ---- who is missing? */

static const struct ptx_operand *members_operand(const struct ptx_instr *instr)
{
    return &instr->operands[instr->operand_count - 1];
}

/* Not zero when a lane of `lanes` names one of `others`. */
static LLVMValueRef names_any(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef lanes,
                              LLVMValueRef others)
{
    struct jit_value members = jit_operand(jit, members_operand(instr), 32);
    if (members.repr == JIT_SCALAR) {
        LLVMValueRef named = LLVMBuildAnd(jit->builder, members.scalar, others, "");
        return LLVMBuildSelect(jit->builder, is_zero(jit, lanes), lanes, named, "");
    }
    LLVMValueRef parts[JIT_MAX_PARTS], splat = jit_splat(jit, others, 32);
    jit_value_parts(jit, &members, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef named = LLVMBuildAnd(jit->builder, parts[p], splat, "");
        parts[p] = LLVMBuildICmp(jit->builder, LLVMIntNE, named, LLVMConstNull(jit_vec(jit, 32)), "");
    }
    return LLVMBuildAnd(jit->builder, jit_mask_join(jit, parts), lanes, "");
}

LLVMValueRef jit_waiting_at_blocks(struct jit *jit)
{
    if (jit_registers_in_frame(jit)) return jit_waiting_by_frame(jit, jit->frame);
    LLVMValueRef lanes = jit_const(jit, 32, 0);
    uint64_t *set = jit_resume_set(jit);
    for (uint32_t n = 0; n + 1 < jit->block_count; n++)
        if (jit_bit(set, n)) lanes = LLVMBuildOr(jit->builder, lanes, jit_waiting_at(jit, n), "");
    return lanes;
}

/* The same as a function of the frame: one for all collectives of a kernel. */
static LLVMValueRef make_waiting_in_frame(struct jit *jit)
{
    LLVMTypeRef type = LLVMFunctionType(jit->i32, &jit->ptr, 1, 0);
    LLVMValueRef fn = LLVMAddFunction(jit->module, "waiting_in_frame", type), frame = jit->frame;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    jit_target_attributes(jit, fn);
    jit_attribute(jit, fn, "noinline");
    jit_attribute(jit, fn, "cold");
    jit_position(jit, LLVMAppendBasicBlockInContext(jit->context, fn, ""));
    jit->frame = LLVMGetParam(fn, 0);
    LLVMValueRef lanes = jit_waiting_by_frame(jit, jit->frame);
    if (jit->suspends) lanes = LLVMBuildOr(jit->builder, lanes, jit_suspend_waiting(jit), "");
    LLVMBuildRet(jit->builder, lanes);
    jit->frame = frame;
    jit_position(jit, here);
    return fn;
}

static LLVMValueRef waiting_in_frame(struct jit *jit)
{
    LLVMTypeRef type = LLVMFunctionType(jit->i32, &jit->ptr, 1, 0);
    if (!jit->waiting_in_frame) jit->waiting_in_frame = make_waiting_in_frame(jit);
    return LLVMBuildCall2(jit->builder, type, jit->waiting_in_frame, &jit->frame, 1, "");
}

static LLVMValueRef alive_elsewhere(struct jit *jit, const struct jit_block *block)
{
    LLVMValueRef alive = jit_collectives_parked(jit);
    if (jit_registers_in_frame(jit)) return LLVMBuildOr(jit->builder, alive, waiting_in_frame(jit), "");
    for (uint32_t n = 0; n + 1 < jit->block_count; n++)
        if (jit_bit(block->frontier, n)) alive = LLVMBuildOr(jit->builder, alive, jit_waiting_at(jit, n), "");
    if (jit->suspends) alive = LLVMBuildOr(jit->builder, alive, jit_suspend_waiting(jit), "");
    return alive;
}

/* ---- operands to the state, results back */

/* The operand of the lanes that have just arrived; what others left there stays. */
static void collective_spill(struct jit *jit, const struct ptx_operand *operand, LLVMValueRef *fresh,
                             unsigned bits, size_t at, unsigned to)
{
    struct jit_value value = jit_operand(jit, operand, bits);
    if (bits != to) value = jit_value_resize(jit, &value, to, false);
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &value, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef slot = jit_collective_field(jit, at + (size_t)p * jit->part.lanes * to / 8);
        LLVMValueRef old = LLVMBuildLoad2(jit->builder, jit_vec(jit, to), slot, "");
        LLVMSetAlignment(old, 8);
        LLVMValueRef both = LLVMBuildSelect(jit->builder, fresh[p], parts[p], old, "");
        LLVMSetAlignment(LLVMBuildStore(jit->builder, both, slot), 8);
    }
}

static void spill_operands(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef here)
{
    static const size_t slots[] = {offsetof(struct jit_collective_state, value),
                                   offsetof(struct jit_collective_state, b),
                                   offsetof(struct jit_collective_state, c)};
    LLVMValueRef fresh[JIT_MAX_PARTS];
    jit_mask_split(jit, without(jit, here, get(jit, FIELD(jit, done))), fresh);
    collective_spill(jit, members_operand(instr), fresh, 32, offsetof(struct jit_collective_state, members),
                     32);
    if (instr->op == ISA_OP_BAR) return;
    for (unsigned i = 1; i + 1 < instr->operand_count && i <= SW_COUNT_OF(slots); i++)
        collective_spill(jit, &instr->operands[i], fresh, jit_warp_source_bits(instr, i - 1), slots[i - 1],
                         i == 1 ? 64 : 32);
}

static uint64_t collective_code(const struct ptx_instr *instr)
{
    static const struct {
        enum isa_mod mod;
        uint8_t kind;
    } kinds[] = {{ISA_MOD_UP, JIT_COLLECTIVE_UP},     {ISA_MOD_DOWN, JIT_COLLECTIVE_DOWN},
                 {ISA_MOD_BFLY, JIT_COLLECTIVE_BFLY}, {ISA_MOD_IDX, JIT_COLLECTIVE_IDX},
                 {ISA_MOD_ALL, JIT_COLLECTIVE_ALL},   {ISA_MOD_ANY, JIT_COLLECTIVE_ANY},
                 {ISA_MOD_UNI, JIT_COLLECTIVE_UNI},   {ISA_MOD_BALLOT, JIT_COLLECTIVE_BALLOT},
                 {ISA_MOD_ADD, JIT_COLLECTIVE_ADD},   {ISA_MOD_MIN, JIT_COLLECTIVE_MIN},
                 {ISA_MOD_MAX, JIT_COLLECTIVE_MAX},   {ISA_MOD_AND, JIT_COLLECTIVE_AND},
                 {ISA_MOD_OR, JIT_COLLECTIVE_OR},     {ISA_MOD_XOR, JIT_COLLECTIVE_XOR}};
    enum isa_type type = ptx_instr_type(instr, 0);
    struct jit_collective_op op = {.op = JIT_COLLECTIVE_BARRIER};
    uint64_t code;
    _Static_assert(sizeof op == sizeof code, "the op travels as one word");
    switch ((unsigned)instr->op) {
    case ISA_OP_SHFL: op.op = JIT_COLLECTIVE_SHUFFLE; break;
    case ISA_OP_VOTE: op.op = JIT_COLLECTIVE_VOTE; break;
    case ISA_OP_MATCH: op.op = JIT_COLLECTIVE_MATCH; break;
    case ISA_OP_REDUX: op.op = JIT_COLLECTIVE_REDUCE; break;
    case ISA_OP_ELECT: op.op = JIT_COLLECTIVE_ELECT; break;
    default: break;
    }
    for (size_t i = 0; i < SW_COUNT_OF(kinds) && op.op != JIT_COLLECTIVE_BARRIER; i++)
        if (ptx_has(instr, kinds[i].mod)) op.kind = kinds[i].kind;
    op.is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    op.is_float = isa_type_kind(type) == ISA_KIND_FLOAT;
    op.absolute = op.is_float && ptx_has(instr, ISA_MOD_ABS);
    op.keeps_nan = op.is_float && ptx_has(instr, ISA_MOD_NAN_FLAG);
    op.bits = (uint8_t)isa_type_bits(type);
    memcpy(&code, &op, sizeof code);
    return code;
}

static LLVMValueRef call_collective(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef here,
                                    LLVMValueRef alive)
{
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i64, jit->i32, jit->i32, jit->i32};
    LLVMValueRef args[] = {jit->ctx,
                           jit_collective_field(jit, 0),
                           jit_const(jit, 64, collective_code(instr)),
                           jit_const(jit, 32, instr->line),
                           here,
                           alive};
    return jit_helper_call(jit, offsetof(struct jit_helpers, collective),
                           LLVMFunctionType(jit->i32, types, 6, 0), args, 6);
}

static void collective_take(struct jit *jit, uint32_t reg, size_t at, unsigned from, unsigned bits)
{
    if (reg == PTX_NO_REG) return;
    LLVMValueRef parts[JIT_MAX_PARTS];
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef value =
            LLVMBuildLoad2(jit->builder, jit_vec(jit, from),
                           jit_collective_field(jit, at + (size_t)p * jit->part.lanes * from / 8), "");
        LLVMSetAlignment(value, 8);
        parts[p] = bits < from ? LLVMBuildTrunc(jit->builder, value, jit_vec(jit, bits), "") : value;
    }
    struct jit_value out = jit_value_vector(jit, parts, bits);
    if (jit->regs[reg].abstract.repr != JIT_VECTOR) { /* equal in all lanes that go on */
        LLVMValueRef any = jit_value_any(jit, &out);
        out = jit_value_scalar(any, bits);
    }
    jit_dest_write(jit, reg, &out, false);
}

static void take_results(struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->op == ISA_OP_BAR) return;
    const struct ptx_operand *to = &instr->operands[0];
    size_t value = offsetof(struct jit_collective_state, value),
           second = offsetof(struct jit_collective_state, second);
    if (to->kind == ISA_OPD_REG || to->kind == ISA_OPD_PAIR)
        collective_take(jit, to->reg, value, 64, jit_warp_dest_bits(instr));
    if (to->kind == ISA_OPD_PAIR) collective_take(jit, to->reg2, second, 32, 1);
}

/* ---- the block */

static void forget_values(struct jit *jit)
{
    jit->epoch++;
    jit->mask_now = NULL;
    jit->mask_parts[0] = NULL;
}

static void go_elsewhere_after(struct jit *jit, struct jit_block *block)
{
    uint32_t number = (uint32_t)(block - jit->blocks);
    if (jit_registers_in_frame(jit)) {
        jit_schedule_from(jit, number + 1);
        return;
    }
    uint64_t *later = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t n = number + 1; n + 1 < jit->block_count; n++)
        if (jit_bit(block->frontier, n)) jit_bit_set(later, n);
    jit_chain_from_first(jit, later);
}

/* `got`, if not zero, take their results, unless lanes that the guard leaves out (NULL: there are none) go on
 * first, their registers untouched; the rest waits. */
static void go_on_with(struct jit *jit, struct jit_block *block, LLVMBasicBlockRef out, LLVMValueRef here,
                       LLVMValueRef got, LLVMValueRef left_out)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), none = jit_new_block(jit, "");
    LLVMValueRef next = got, first = left_out ? is_zero(jit, left_out) : NULL;
    if (left_out) {
        got = LLVMBuildSelect(jit->builder, first, got, jit_const(jit, 32, 0), "");
        next = LLVMBuildOr(jit->builder, got, left_out, "");
    }
    park(jit, (uint32_t)(block - jit->blocks), without(jit, here, got));
    put(jit, FIELD(jit, done), without(jit, get(jit, FIELD(jit, done)), got));
    jit_branch(jit, is_zero(jit, next), none, some, false);
    jit_position(jit, none);
    go_elsewhere_after(jit, block);
    jit_position(jit, some);
    put(jit, jit->active, next);
    if (left_out) {
        LLVMBasicBlockRef results = jit_new_block(jit, "");
        jit_branch(jit, first, results, out, false);
        jit_position(jit, results);
    }
    forget_values(jit);
    jit_count_again(jit, block);
    take_results(jit, &jit->function->instrs[block->first]);
    jit_regs_flush(jit);
    LLVMBuildBr(jit->builder, out);
}

/* To `fast` with all members here, or to `out` with `active` the lanes that go on after the operation. */
static void emit_slow(struct jit *jit, struct jit_block *block, LLVMBasicBlockRef fast, LLVMBasicBlockRef out)
{
    const struct ptx_instr *instr = &jit->function->instrs[block->first];
    bool guarded = instr->guard != PTX_NO_REG;
    uint32_t number = (uint32_t)(block - jit->blocks);
    LLVMValueRef waited = jit_waiting_at(jit, number), scalar, here;
    jit_clear_waiting(jit, number);
    jit_collectives_unpark(jit, waited);
    put(jit, jit->active, LLVMBuildOr(jit->builder, get(jit, jit->active), waited, ""));
    forget_values(jit);
    LLVMValueRef all = jit_mask_active(jit);
    here = all;
    if (guarded) jit_mask_guard(jit, instr, &here, &scalar);
    LLVMValueRef alive = LLVMBuildOr(jit->builder, alive_elsewhere(jit, block), here, "");
    LLVMValueRef missing = names_any(jit, instr, here, without(jit, alive, here));
    LLVMValueRef done = LLVMBuildAnd(jit->builder, get(jit, FIELD(jit, done)), here, "");
    LLVMBasicBlockRef apart = jit_new_block(jit, "apart"), together = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, LLVMBuildOr(jit->builder, missing, done, "")), together, apart, false);
    jit_position(jit, together);
    put(jit, FIELD(jit, waiting), without(jit, get(jit, FIELD(jit, waiting)), here));
    LLVMBuildBr(jit->builder, fast);
    jit_position(jit, apart);
    spill_operands(jit, instr, here);
    LLVMValueRef got = call_collective(jit, instr, here, alive);
    go_on_with(jit, block, out, here, got, guarded ? without(jit, all, here) : NULL);
}

enum sw_status jit_emit_collective_block(struct jit *jit, struct jit_block *block)
{
    const struct ptx_instr *instr = &jit->function->instrs[block->first];
    LLVMBasicBlockRef fast = jit_new_block(jit, "all_here"), slow = jit_new_block(jit, "collective"),
                      out = jit_new_block(jit, "");
    jit->instr = instr;
    LLVMValueRef here = jit_mask_active(jit), scalar;
    if (instr->guard != PTX_NO_REG) jit_mask_guard(jit, instr, &here, &scalar);
    LLVMValueRef missing = names_any(jit, instr, here, LLVMBuildNot(jit->builder, here, ""));
    missing = LLVMBuildOr(jit->builder, missing,
                          LLVMBuildAnd(jit->builder, get(jit, FIELD(jit, done)), here, ""), "");
    jit_branch(jit, is_zero(jit, missing), fast, slow, true);
    jit_position(jit, fast);
    forget_values(jit);
    jit_count_block(jit, block);
    SW_TRY(jit_emit_instr(jit, instr));
    jit_regs_flush(jit);
    LLVMBuildBr(jit->builder, out);
    jit_position(jit, slow);
    forget_values(jit);
    emit_slow(jit, block, fast, out);
    jit_position(jit, out);
    forget_values(jit);
    jit_edge(jit, block, block->succ[0]);
    return SW_OK;
}

/* At the start of a fence: lanes that still wait give up on members that did not come. */
void jit_emit_fence_check(struct jit *jit, struct jit_block *block)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), none = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, jit_collectives_parked(jit)), none, some, true);
    jit_position(jit, some);
    jit_wait_at(jit, (uint32_t)(block - jit->blocks), get(jit, jit->active));
    put(jit, FIELD(jit, force), jit_const(jit, 32, jit_misuse_force(jit, block)));
    jit_chain_from_first(jit, block->parked_before);
    jit_position(jit, none);
}

/* Nobody can run: is there a lane whose result is ready, or is the warp stuck? Emitted at the exit block. */
void jit_collectives_at_end(struct jit *jit, LLVMBasicBlockRef waits_for_others)
{
    if (!jit->has_collectives) return;
    uint64_t *all = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t n = 0; n + 1 < jit->block_count; n++)
        if (jit->blocks[n].end == JIT_END_COLLECTIVE) jit_bit_set(all, n);
    LLVMBasicBlockRef some = jit_new_block(jit, ""), none = jit_new_block(jit, ""),
                      ready = jit_new_block(jit, ""), stuck = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, jit_collectives_parked(jit)), none, some, true);
    jit_position(jit, some);
    jit_branch(jit, is_zero(jit, get(jit, FIELD(jit, done))), stuck, ready, false);
    jit_position(jit, ready);
    jit_chain_from_first(jit, all);
    jit_position(jit, stuck);
    if (waits_for_others) {
        LLVMBuildBr(jit->builder, waits_for_others);
    } else {
        LLVMTypeRef types[] = {jit->ptr, jit->ptr};
        LLVMValueRef args[] = {jit->ctx, jit_collective_field(jit, 0)};
        jit_helper_call(jit, offsetof(struct jit_helpers, collective_stuck),
                        LLVMFunctionType(jit->empty, types, 2, 0), args, 2);
        LLVMBuildUnreachable(jit->builder);
    }
    jit_position(jit, none);
}
