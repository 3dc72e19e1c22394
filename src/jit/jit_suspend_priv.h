/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of warps that may stop anywhere, for jit_emit_suspend.c (inside a warp) and jit_emit_round.c
 * (between rounds).
 *
 *   frame: state | turn | next | arrived[16], cluster | for each place: struct jit_place | masks | bits |
 *          meeting | registers
 *
 * arrived: threads that bar.arrive counted; cluster: lanes that arrived at the cluster's barrier and whose
 * phase is not over. A barrier instruction whose number is in a register has a place for each number. */
#ifndef JIT_SUSPEND_PRIV_H
#define JIT_SUSPEND_PRIV_H

#include "jit_core_priv.h"

enum frame_state { STATE_NEW, STATE_ALIVE, STATE_ENDED };
enum {
    FRAME_STATE = 0,
    FRAME_TURN = 4,
    FRAME_NEXT = 8,
    FRAME_REQUESTS = 12, /* EVENT_PROBE_ACCESS: in this turn */
    FRAME_WORK = 16,     /* the same: 8 bytes, of struct jit_record.work */
    FRAME_ARRIVED = 64,
    FRAME_CLUSTER = 128,
    FRAME_PLACES = 192
};
enum { PLACE_WAITING = 0, PLACE_ID = 4, PLACE_COUNT = 8, PLACE_PREDICATES = 12, PLACE_BYTES = 16 };
enum {
    NUMBERED = 16,
    CLUSTER_BARRIER = 16, /* after the numbered ones */
    SPIN_TURNS = 16
};

/* What a barrier says: bar.sync a{, b}; bar.red d, a{, b}, p; bar.arrive a, b */
struct jit_barrier {
    const struct ptx_operand *id, *count, *predicate, *dest;
};
struct jit_barrier jit_barrier_read(const struct ptx_instr *instr);
const struct ptx_instr *jit_barrier_instr(const struct jit *jit, const struct jit_block *block);
uint32_t jit_barrier_places(const struct jit *jit, const struct jit_block *block); /* in a frame: 1 or 16 */
/* The place in a frame of the barrier that ends the block, for number id. */
LLVMValueRef jit_barrier_place(struct jit *jit, const struct jit_block *block, LLVMValueRef frame,
                               LLVMValueRef id);

/* Lanes that name the same barrier and count, one group after the other (jit_emit_agree.c). */
struct jit_agreeing {
    LLVMValueRef lanes, id, count;
    LLVMBasicBlockRef head, end; /* NULL: there is one group */
    LLVMValueRef left;
};
struct jit_agreeing jit_agreeing_begin(struct jit *jit, const struct ptx_operand *id,
                                       const struct ptx_operand *count, LLVMValueRef lanes);
void jit_agreeing_end(struct jit *jit, const struct jit_agreeing *some);

static inline LLVMValueRef num(struct jit *jit, uint64_t value)
{
    return jit_const(jit, 32, value);
}

static inline LLVMValueRef load32(struct jit *jit, LLVMValueRef base, uint64_t offset)
{
    return LLVMBuildLoad2(jit->builder, jit->i32, jit_offset(jit, base, offset), "");
}

static inline void store32(struct jit *jit, LLVMValueRef base, uint64_t offset, LLVMValueRef value)
{
    LLVMBuildStore(jit->builder, value, jit_offset(jit, base, offset));
}

static inline LLVMValueRef equal(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, a, b, "");
}

static inline LLVMValueRef choose(struct jit *jit, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no)
{
    return LLVMBuildSelect(jit->builder, condition, yes, no, "");
}

static inline LLVMValueRef popcount(struct jit *jit, LLVMValueRef mask)
{
    return jit_intrinsic(jit, "llvm.ctpop", &jit->i32, 1, &mask, 1);
}

static inline void add_to(struct jit *jit, LLVMValueRef slot, LLVMValueRef amount)
{
    LLVMValueRef sum =
        LLVMBuildAdd(jit->builder, LLVMBuildLoad2(jit->builder, jit->i32, slot, ""), amount, "");
    LLVMBuildStore(jit->builder, sum, slot);
}

static inline LLVMValueRef get(struct jit *jit, LLVMValueRef slot)
{
    return LLVMBuildLoad2(jit->builder, jit->i32, slot, "");
}

static inline LLVMValueRef arrived_at(struct jit *jit, LLVMValueRef frame, LLVMValueRef id)
{
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, id, jit->i64, "");
    return LLVMBuildGEP2(jit->builder, jit->i32, jit_offset(jit, frame, FRAME_ARRIVED), &wide, 1, "");
}

static inline uint32_t place_offset(uint32_t place)
{
    return FRAME_PLACES + (place - 1) * PLACE_BYTES;
}
#endif
