/* SPDX-License-Identifier: Apache-2.0 */
/* One PTX instruction: who emits it. Branches, exits and barriers end blocks and are emitted there
 * (jit_core_end.c). Limits: jit_check.c has refused what is not here. What
 * a whole warp does together waits for its lanes in jit_emit_collective.c. */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_operand.h"
#include "jit/emit/jit_emit.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* Emit what follows only where the instruction has an active lane; returns where to join, NULL: always. */
static LLVMBasicBlockRef begin_if_any(struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->guard == PTX_NO_REG) return NULL;
    LLVMValueRef mask, scalar;
    jit_mask_guard(jit, instr, &mask, &scalar);
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    LLVMValueRef any = LLVMBuildICmp(jit->builder, LLVMIntNE, mask, jit_const(jit, 32, 0), "");
    jit_branch(jit, any, some, end, false);
    jit_position(jit, some);
    return end;
}

static void end_if_any(struct jit *jit, LLVMBasicBlockRef end)
{
    if (!end) return;
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static void call_with_number(struct jit *jit, size_t helper, LLVMValueRef number)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, number};
    jit_helper_call(jit, helper, LLVMFunctionType(jit->empty, params, 2, 0), args, 2);
}

static enum sw_status emit_trap(struct jit *jit, const struct ptx_instr *instr)
{
    /* jit_merge.c makes traps that say why */
    uint64_t status = instr->operand_count ? instr->operands[0].bits : SW_LAUNCH_FAILED;
    LLVMBasicBlockRef end = begin_if_any(jit, instr);
    call_with_number(jit, offsetof(struct jit_helpers, trap), jit_const(jit, 32, status));
    end_if_any(jit, end);
    return SW_OK;
}

static enum sw_status emit_nanosleep(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value ns = jit_operand(jit, &instr->operands[0], 32);
    LLVMValueRef number = ns.repr == JIT_SCALAR ? ns.scalar : jit_const(jit, 32, 0);
    LLVMBasicBlockRef end = begin_if_any(jit, instr);
    call_with_number(jit, offsetof(struct jit_helpers, yield), number);
    end_if_any(jit, end);
    return SW_OK;
}

/* A block stays on one host thread, so a fence of block scope only orders this thread's own code. */
static enum sw_status emit_fence(struct jit *jit, const struct ptx_instr *instr)
{
    enum isa_mod scope = ptx_mod_of(instr, ISA_CAT_SCOPE);
    LLVMBuildFence(jit->builder, LLVMAtomicOrderingSequentiallyConsistent, scope == ISA_MOD_CTA, "");
    jit_shadow_fence(jit, instr);
    return SW_OK;
}

/* Policies are opaque; hints change no result. These are what hardware makes of a fraction of 1. */
static enum sw_status emit_policy(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_value out;
    enum isa_mod first = ptx_mod_of(instr, ISA_CAT_HINT);
    uint64_t policy = first == ISA_MOD_L2__EVICT_FIRST  ? 0x12f0000000000000u
                      : first == ISA_MOD_L2__EVICT_LAST ? 0x14f0000000000000u
                                                        : 0x10f0000000000000u;
    if (ptx_has(instr, ISA_MOD_CVT))
        out = jit_operand(jit, &instr->operands[1], 64);
    else
        out = jit_value_scalar(jit_const(jit, 64, policy), 64);
    jit_dest_write(jit, instr->operands[0].reg, &out, false);
    return SW_OK;
}

static enum sw_status emit_warp(struct jit *jit, const struct ptx_instr *instr)
{
    LLVMValueRef src[JIT_MAX_SOURCES * JIT_MAX_PARTS], dst[2 * JIT_MAX_PARTS] = {NULL};
    unsigned parts = jit->part.parts, count = 0;
    for (unsigned i = 1; i < instr->operand_count; i++, count++) {
        unsigned bits = jit_warp_source_bits(instr, count);
        struct jit_value value = jit_operand(jit, &instr->operands[i], bits);
        jit_value_parts(jit, &value, &src[count * parts]);
    }
    jit_members_look(jit, instr);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (instr->op == ISA_OP_SHFL) jit_shuffle_look(jit, instr, &src[parts], &src[2 * parts], &lanes);
    LLVMValueRef active[JIT_MAX_PARTS];
    for (unsigned p = 0; p < parts; p++)
        active[p] = lanes.full ? LLVMConstAllOnes(LLVMVectorType(jit->i1, jit->part.lanes)) : lanes.parts[p];
    SW_TRY(jit_op_warp(&jit->part, instr, src, count, active, dst, jit->error));
    const struct ptx_operand *to = &instr->operands[0];
    struct jit_value out = jit_value_vector(jit, dst, jit_warp_dest_bits(instr));
    if ((to->kind == ISA_OPD_REG || to->kind == ISA_OPD_PAIR) && to->reg != PTX_NO_REG)
        jit_dest_write(jit, to->reg, &out, false);
    if (to->kind == ISA_OPD_PAIR && to->reg2 != PTX_NO_REG) {
        out = jit_value_vector(jit, dst + parts, 1);
        jit_dest_write(jit, to->reg2, &out, false);
    }
    return SW_OK;
}

enum sw_status jit_emit_instr(struct jit *jit, const struct ptx_instr *instr)
{
    uint32_t index = (uint32_t)(instr - jit->function->instrs);
    if (jit_double_run(jit, index, index + 1)) return jit_emit_double_run(jit, instr, 1);
    jit->instr = instr;
    jit_count_guard(jit, instr);
    switch ((unsigned)instr->op) {
    case ISA_OP_BRA:
    case ISA_OP_BRX:
    case ISA_OP_RET:
    case ISA_OP_EXIT:
    case ISA_OP_PMEVENT: /* observed by no one */
    case ISA_OP_PREFETCH:
    case ISA_OP_PREFETCHU:
    case ISA_OP_APPLYPRIORITY:
    case ISA_OP_DISCARD:
    case ISA_OP_GRIDDEPCONTROL: /* grids of a stream run one after the other */
    case ISA_OP_SETMAXNREG: return SW_OK;
    case ISA_OP_BAR: /* of a warp: its lanes are here together; of a block: the block's end */
    case ISA_OP_BARRIER:
        /* of a cluster of one block whose barriers whole warps reach: waiting alone says as much */
        if (ptx_has(instr, ISA_MOD_ARRIVE) && (jit->suspends || !jit_is_cluster_barrier(instr)))
            jit_suspend_arrive(jit, instr);
        if (instr->op == ISA_OP_BAR && ptx_has(instr, ISA_MOD_WARP)) jit_shadow_warp_sync(jit, instr);
        jit_members_look(jit, instr);
        return SW_OK;
    case ISA_OP_MOV: return jit_emit_mov(jit, instr);
    case ISA_OP_CVTA: return jit_emit_cvta(jit, instr);
    case ISA_OP_ISSPACEP: return jit_emit_isspacep(jit, instr);
    case ISA_OP_CREATEPOLICY: return emit_policy(jit, instr);
    case ISA_OP_LD:
    case ISA_OP_LDU: return jit_emit_load(jit, instr);
    case ISA_OP_ST: return jit_emit_store(jit, instr);
    case ISA_OP_ST_ASYNC: return jit_emit_async(jit, instr);
    case ISA_OP_ATOM:
    case ISA_OP_RED:
        return ptx_has(instr, ISA_MOD_ASYNC) ? jit_emit_async(jit, instr) : jit_emit_atomic(jit, instr);
    case ISA_OP_BRKPT: /* without a debugger, as here, a GPU ends the kernel */
    case ISA_OP_TRAP: return emit_trap(jit, instr);
    case ISA_OP_NANOSLEEP: return emit_nanosleep(jit, instr);
    case ISA_OP_MEMBAR:
    case ISA_OP_FENCE: return emit_fence(jit, instr);
    case ISA_OP_SHFL:
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_ACTIVEMASK:
    case ISA_OP_REDUX:
    case ISA_OP_ELECT: return emit_warp(jit, instr);
    case ISA_OP_MBARRIER: return jit_emit_mbarrier(jit, instr);
    case ISA_OP_CP: return jit_emit_copy(jit, instr);
    case ISA_OP_MAPA:
    case ISA_OP_GETCTARANK: return jit_emit_cluster_query(jit, instr);
    case ISA_OP_CALL: return jit_emit_call(jit, instr);
    case ISA_OP_ALLOCA:
    case ISA_OP_STACKSAVE:
    case ISA_OP_STACKRESTORE: return jit_emit_stack(jit, instr);
    case ISA_OP_TEX:
    case ISA_OP_SULD:
    case ISA_OP_SUST:
    case ISA_OP_SURED:
    case ISA_OP_TLD4: return jit_emit_texture(jit, instr);
    case ISA_OP_TXQ:
    case ISA_OP_SUQ:
    case ISA_OP_ISTYPEP: return jit_emit_texture_query(jit, instr);
    case ISA_OP_MMA:
    case ISA_OP_WMMA:
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX:
    case ISA_OP_MOVMATRIX: return jit_emit_matrix(jit, instr);
    default: return jit_emit_elementwise(jit, instr);
    }
}
