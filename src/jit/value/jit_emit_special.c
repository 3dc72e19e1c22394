/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers (PTX ISA chapter 10). What is fixed for a warp is computed once, where the warp begins.
 * Thread indices come from t = 32 * warp + lane, x fastest: affine where 32 consecutive threads share a row,
 * one number or progression a row where rows are shorter.
 * Blocks take the SMs in turn, by their number, so that %smid does not depend on host threads; %warpid tells
 * warps of one SM apart. Limits: one block per cluster; %pm counters, undefined by PTX, are zero; the %envreg
 * are, but for those of a cooperative launch. */
#include "jit/analysis/jit_repr.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_values.h"

#include <stddef.h>
#include <string.h>

/* Emit at the end of a prologue, which dominates the warp's code. */
static LLVMBasicBlockRef move_to(struct jit *jit, LLVMBasicBlockRef prologue)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    jit_position(jit, prologue);
    return here;
}

static struct jit_value affine_lane(LLVMValueRef base)
{
    return (struct jit_value){.repr = JIT_AFFINE, .bits = 32, .scalar = base, .stride = 1};
}

static LLVMValueRef first_thread(struct jit *jit)
{
    return LLVMBuildShl(jit->builder, jit->warp, jit_const(jit, 32, 5), "");
}

/* Quotients of numbers below 1024 by a number that is only known at run time: exact in f32, since
 * (t + 1/2) / n is at least 1/2048 away from an integer and the error is below 2^-12. */
static LLVMValueRef divide_small(struct jit *jit, LLVMValueRef t, LLVMValueRef n)
{
    LLVMTypeRef f32 = LLVMFloatTypeInContext(jit->context), vec = LLVMVectorType(f32, jit->part.lanes);
    LLVMValueRef half[16];
    for (unsigned i = 0; i < jit->part.lanes; i++)
        half[i] = LLVMConstReal(f32, 0.5);
    LLVMValueRef top = LLVMBuildUIToFP(jit->builder, t, vec, "");
    top = LLVMBuildFAdd(jit->builder, top, LLVMConstVector(half, jit->part.lanes), "");
    LLVMValueRef by = LLVMBuildUIToFP(jit->builder, jit_splat(jit, n, 32), vec, "");
    return LLVMBuildFPToUI(jit->builder, LLVMBuildFDiv(jit->builder, top, by, ""), LLVMTypeOf(t), "");
}

static LLVMValueRef special_quotient(struct jit *jit, LLVMValueRef t, unsigned axis)
{
    if (jit->ntid[axis] == 1) return t;
    if (jit->ntid[axis] == 0) return divide_small(jit, t, jit->block_dim[axis]);
    return LLVMBuildUDiv(jit->builder, t, jit_lane_consts(jit, 32, 0, jit->ntid[axis], 0), "");
}

static LLVMValueRef remainder_of(struct jit *jit, LLVMValueRef t, LLVMValueRef quot, unsigned axis)
{
    LLVMValueRef n = jit_splat(jit, jit->block_dim[axis], 32);
    return LLVMBuildSub(jit->builder, t, LLVMBuildMul(jit->builder, quot, n, ""), "");
}

static struct jit_value tid_vector(struct jit *jit, unsigned axis)
{
    LLVMValueRef parts[JIT_MAX_PARTS];
    struct jit_value thread = affine_lane(first_thread(jit));
    jit_value_parts(jit, &thread, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef t = parts[p], rows = special_quotient(jit, t, 0);
        if (axis == 0)
            parts[p] = remainder_of(jit, t, rows, 0);
        else if (axis == 1)
            parts[p] = remainder_of(jit, rows, special_quotient(jit, rows, 1), 1);
        else
            parts[p] = special_quotient(jit, rows, 1);
    }
    return jit_value_vector(jit, parts, 32);
}

/* Of a thread of the block along an axis, where the block is known. */
static LLVMValueRef coordinate(struct jit *jit, LLVMValueRef thread, unsigned axis)
{
    uint32_t below = 1, above = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (i < axis) below *= jit->ntid[i];
        if (i > axis) above *= jit->ntid[i];
    }
    if (below > 1) thread = LLVMBuildUDiv(jit->builder, thread, jit_const(jit, 32, below), "");
    if (above > 1) thread = LLVMBuildURem(jit->builder, thread, jit_const(jit, 32, jit->ntid[axis]), "");
    return thread;
}

static struct jit_value tid_rows(struct jit *jit, unsigned axis, const struct jit_abstract *abstract)
{
    struct jit_value rows = {.repr = JIT_ROWS,
                             .bits = 32,
                             .regular = abstract->regular,
                             .stride = abstract->stride,
                             .step = abstract->step};
    if (rows.stride) {
        rows.scalar = jit_const(jit, 32, 0);
        return rows;
    }
    rows.scalar = coordinate(jit, first_thread(jit), axis);
    for (unsigned r = 0; r < jit->rows && !rows.regular; r++) {
        LLVMValueRef more = jit_const(jit, 32, r * jit->row_lanes);
        rows.part[r] = coordinate(jit, LLVMBuildAdd(jit->builder, first_thread(jit), more, ""), axis);
    } /* where rows are not even, of a thread of the same row */
    if (!rows.regular) rows.scalar = rows.part[0];
    return rows;
}

static struct jit_value tid_value(struct jit *jit, unsigned axis, const struct jit_abstract *abstract)
{
    if (abstract->repr == JIT_VECTOR) return tid_vector(jit, axis);
    if (abstract->repr == JIT_ROWS) return tid_rows(jit, axis, abstract);
    LLVMValueRef first = coordinate(jit, first_thread(jit), axis);
    return abstract->repr == JIT_AFFINE ? affine_lane(first) : jit_value_scalar(first, 32);
}

static struct jit_value emit_tid(struct jit *jit, enum isa_sreg sreg)
{
    unsigned axis = (unsigned)(sreg - ISA_SREG_TID_X);
    struct jit_abstract abstract = jit_sreg_abstract(jit, sreg);
    if (abstract.constant) return jit_value_scalar(jit_const(jit, 32, abstract.value), 32);
    struct jit_value *cached = &jit->tid[axis];
    if (cached->repr != JIT_UNSET) return *cached;
    LLVMBasicBlockRef here = move_to(jit, jit->warp_prologue);
    *cached = tid_value(jit, axis, &abstract);
    jit_position(jit, here);
    return *cached;
}

static struct jit_value lane_mask_value(struct jit *jit, enum isa_sreg sreg)
{
    LLVMValueRef parts[JIT_MAX_PARTS], element[32];
    for (unsigned p = 0; p < jit->part.parts; p++) {
        for (unsigned i = 0; i < jit->part.lanes; i++) {
            uint32_t bit = 1u << (p * jit->part.lanes + i), below = bit - 1;
            uint32_t mask = sreg == ISA_SREG_LANEMASK_EQ   ? bit
                            : sreg == ISA_SREG_LANEMASK_LT ? below
                            : sreg == ISA_SREG_LANEMASK_LE ? below | bit
                            : sreg == ISA_SREG_LANEMASK_GE ? ~below
                                                           : ~(below | bit);
            element[i] = jit_const(jit, 32, mask);
        }
        parts[p] = LLVMConstVector(element, jit->part.lanes);
    }
    return jit_value_vector(jit, parts, 32);
}

/* As sw_host_ticks has it: LLVM's cycle counter of AArch64 is not for programs. */
static LLVMValueRef host_ticks(struct jit *jit)
{
    if (jit->request->isa != JIT_ISA_NEON)
        return jit_intrinsic(jit, "llvm.readcyclecounter", NULL, 0, NULL, 0);
    const char *text = "mrs $0, cntvct_el0", *constraints = "=r";
    LLVMTypeRef type = LLVMFunctionType(jit->i64, NULL, 0, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true,
                                         false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(jit->builder, type, code, NULL, 0, "");
}

static LLVMValueRef emit_clock(struct jit *jit)
{
    if (jit->clocks) return jit_clock_read(jit, offsetof(struct jit_helpers, clock_read));
    LLVMValueRef now = host_ticks(jit);
    LLVMValueRef base = jit_ctx_load(jit, offsetof(struct jit_ctx, clock_base), jit->i64);
    return LLVMBuildSub(jit->builder, now, base, "");
}

static LLVMValueRef emit_timer(struct jit *jit)
{
    return jit_clock_read(jit, offsetof(struct jit_helpers, globaltimer));
}

static struct jit_value high_half(struct jit *jit, LLVMValueRef wide)
{
    LLVMValueRef high = LLVMBuildLShr(jit->builder, wide, jit_const(jit, 64, 32), "");
    return jit_value_scalar(LLVMBuildTrunc(jit->builder, high, jit->i32, ""), 32);
}

static struct jit_value low_half(struct jit *jit, LLVMValueRef wide)
{
    return jit_value_scalar(LLVMBuildTrunc(jit->builder, wide, jit->i32, ""), 32);
}

static struct jit_value field32(struct jit *jit, size_t offset)
{
    return jit_value_scalar(jit_ctx_load(jit, offset, jit->i32), 32);
}

static struct jit_value zero32(struct jit *jit, uint64_t value)
{
    return jit_value_scalar(jit_const(jit, 32, value), 32);
}

/* Blocks in order, x fastest, as i32: they wrap together with what they are taken modulo of. */
static LLVMValueRef block_number(struct jit *jit)
{
    LLVMValueRef rows = LLVMBuildMul(jit->builder, jit->ctaid[2], jit->grid_dim[1], "");
    rows = LLVMBuildAdd(jit->builder, rows, jit->ctaid[1], "");
    rows = LLVMBuildMul(jit->builder, rows, jit->grid_dim[0], "");
    return LLVMBuildAdd(jit->builder, rows, jit->ctaid[0], "");
}

static LLVMValueRef special_field(struct jit *jit, size_t offset)
{
    return jit_ctx_load(jit, offset, jit->i32);
}

/* Of a launch in detailed simulation: what the engine says. */
static LLVMValueRef detail_or(struct jit *jit, size_t offset, LLVMValueRef otherwise)
{
    if (!jit_records(jit)) return otherwise;
    LLVMValueRef none =
        LLVMBuildICmp(jit->builder, LLVMIntEQ, special_field(jit, offsetof(struct jit_ctx, is_detailed)),
                      jit_const(jit, 32, 0), "");
    return LLVMBuildSelect(jit->builder, none, otherwise, special_field(jit, offset), "");
}

static LLVMValueRef emit_sm(struct jit *jit)
{
    LLVMValueRef sms = special_field(jit, offsetof(struct jit_ctx, sm_count));
    return detail_or(jit, offsetof(struct jit_ctx, sm),
                     LLVMBuildURem(jit->builder, block_number(jit), sms, ""));
}

/* The warp's slot: that of its block among those of its SM, then the warp in the block. */
static LLVMValueRef emit_warp_slot(struct jit *jit)
{
    LLVMValueRef most = special_field(jit, offsetof(struct jit_ctx, max_warps_per_sm));
    LLVMValueRef slots = LLVMBuildUDiv(jit->builder, most, jit->warp_count, ""), one = jit_const(jit, 32, 1);
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, slots, jit_const(jit, 32, 0), "");
    slots = LLVMBuildSelect(jit->builder, none, one, slots, "");
    LLVMValueRef wave = LLVMBuildUDiv(jit->builder, block_number(jit),
                                      special_field(jit, offsetof(struct jit_ctx, sm_count)), "");
    LLVMValueRef slot = LLVMBuildURem(jit->builder, wave, slots, "");
    slot = detail_or(jit, offsetof(struct jit_ctx, sm_slot), slot);
    return LLVMBuildAdd(jit->builder, LLVMBuildMul(jit->builder, slot, jit->warp_count, ""), jit->warp, "");
}

static struct jit_value emit_aggregate_shared(struct jit *jit)
{
    LLVMValueRef own = special_field(jit, offsetof(struct jit_ctx, total_shared_bytes)),
                 system = special_field(jit, offsetof(struct jit_ctx, reserved_shared_bytes));
    return jit_value_scalar(LLVMBuildAdd(jit->builder, own, system, ""), 32);
}

/* What the system has stands behind the block's own memory, not before it as on a GPU: cooperative groups
 * keep barriers there. */
static struct jit_value emit_reserved_shared(struct jit *jit)
{
    LLVMValueRef all = special_field(jit, offsetof(struct jit_ctx, shared_bytes)),
                 system = special_field(jit, offsetof(struct jit_ctx, reserved_shared_bytes));
    LLVMValueRef none = LLVMBuildICmp(jit->builder, LLVMIntEQ, system, jit_const(jit, 32, 0), "");
    LLVMValueRef at = LLVMBuildSub(jit->builder, all, system, "");
    return jit_value_scalar(LLVMBuildSelect(jit->builder, none, system, at, ""), 32);
}

struct jit_value jit_emit_sreg(struct jit *jit, enum isa_sreg sreg)
{
    if (sreg >= ISA_SREG_ENVREG0 && sreg <= ISA_SREG_ENVREG31)
        return field32(jit, offsetof(struct jit_ctx, envreg) + 4 * (size_t)(sreg - ISA_SREG_ENVREG0));
    switch ((unsigned)sreg) {
    case ISA_SREG_TID_X:
    case ISA_SREG_TID_Y:
    case ISA_SREG_TID_Z: return emit_tid(jit, sreg);
    case ISA_SREG_NTID_X:
    case ISA_SREG_NTID_Y:
    case ISA_SREG_NTID_Z: return jit_value_scalar(jit->block_dim[sreg - ISA_SREG_NTID_X], 32);
    case ISA_SREG_CTAID_X:
    case ISA_SREG_CTAID_Y:
    case ISA_SREG_CTAID_Z: return jit_value_scalar(jit->ctaid[sreg - ISA_SREG_CTAID_X], 32);
    case ISA_SREG_CLUSTERID_X:
    case ISA_SREG_CLUSTERID_Y:
    case ISA_SREG_CLUSTERID_Z: return jit_value_scalar(jit->ctaid[sreg - ISA_SREG_CLUSTERID_X], 32);
    case ISA_SREG_NCTAID_X:
    case ISA_SREG_NCTAID_Y:
    case ISA_SREG_NCTAID_Z: return jit_value_scalar(jit->grid_dim[sreg - ISA_SREG_NCTAID_X], 32);
    case ISA_SREG_NCLUSTERID_X:
    case ISA_SREG_NCLUSTERID_Y:
    case ISA_SREG_NCLUSTERID_Z: return jit_value_scalar(jit->grid_dim[sreg - ISA_SREG_NCLUSTERID_X], 32);
    case ISA_SREG_CLUSTER_NCTAID_X:
    case ISA_SREG_CLUSTER_NCTAID_Y:
    case ISA_SREG_CLUSTER_NCTAID_Z:
    case ISA_SREG_CLUSTER_NCTARANK: return zero32(jit, 1);
    case ISA_SREG_IS_EXPLICIT_CLUSTER: return jit_value_scalar(jit_const(jit, 1, 0), 1);
    case ISA_SREG_LANEID: return affine_lane(jit_const(jit, 32, 0));
    case ISA_SREG_LANEMASK_EQ:
    case ISA_SREG_LANEMASK_LE:
    case ISA_SREG_LANEMASK_LT:
    case ISA_SREG_LANEMASK_GE:
    case ISA_SREG_LANEMASK_GT: return lane_mask_value(jit, sreg);
    case ISA_SREG_WARPID: return jit_value_scalar(emit_warp_slot(jit), 32);
    case ISA_SREG_NWARPID: return field32(jit, offsetof(struct jit_ctx, max_warps_per_sm));
    case ISA_SREG_SMID: return jit_value_scalar(emit_sm(jit), 32);
    case ISA_SREG_NSMID: return field32(jit, offsetof(struct jit_ctx, sm_count));
    case ISA_SREG_GRIDID:
        return jit_value_scalar(jit_ctx_load(jit, offsetof(struct jit_ctx, grid_id), jit->i64), 64);
    case ISA_SREG_CLOCK: return low_half(jit, emit_clock(jit));
    case ISA_SREG_CLOCK_HI: return high_half(jit, emit_clock(jit));
    case ISA_SREG_CLOCK64: return jit_value_scalar(emit_clock(jit), 64);
    case ISA_SREG_GLOBALTIMER: return jit_value_scalar(emit_timer(jit), 64);
    case ISA_SREG_GLOBALTIMER_LO: return low_half(jit, emit_timer(jit));
    case ISA_SREG_GLOBALTIMER_HI: return high_half(jit, emit_timer(jit));
    case ISA_SREG_TOTAL_SMEM_SIZE: return field32(jit, offsetof(struct jit_ctx, total_shared_bytes));
    case ISA_SREG_AGGR_SMEM_SIZE: return emit_aggregate_shared(jit);
    case ISA_SREG_RESERVED_SMEM_OFFSET_END:
    case ISA_SREG_RESERVED_SMEM_OFFSET_CAP:
        return field32(jit, offsetof(struct jit_ctx, reserved_shared_bytes));
    case ISA_SREG_RESERVED_SMEM_OFFSET_0:
    case ISA_SREG_RESERVED_SMEM_OFFSET_1: return emit_reserved_shared(jit);
    case ISA_SREG_DYNAMIC_SMEM_SIZE: return field32(jit, offsetof(struct jit_ctx, dynamic_shared_bytes));
    case ISA_SREG_CURRENT_GRAPH_EXEC:
        return jit_value_scalar(jit_ctx_load(jit, offsetof(struct jit_ctx, graph_exec), jit->i64), 64);
    default: break;
    }
    unsigned bits =
        isa_type_bits(isa_sreg_type(sreg)); /* %pm, %cluster_ctaid, where the system's memory begins */
    return jit_value_scalar(jit_const(jit, bits, 0), bits);
}
