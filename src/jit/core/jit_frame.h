/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of warps that may stop anywhere: jit_emit_suspend.c (inside a warp), jit_emit_sweep.c (between
 * sweeps), and what probes keep there.
 *
 *   frame: state | step | next | alive | arrived[16], cluster | for each wait point: struct jit_wait_point |
 *          bits of wait points | masks | bits of blocks | collective | registers
 *
 * arrived: threads that bar.arrive counted; cluster: lanes that arrived at the cluster's barrier and whose
 * phase is not over. A barrier instruction whose number is in a register has a wait point for each number. */
#ifndef JIT_FRAME_H
#define JIT_FRAME_H

#include "jit/core/jit_build.h"

enum frame_state { STATE_NEW, STATE_ALIVE, STATE_ENDED };
enum {
    FRAME_STATE = 0,
    FRAME_STEP = 4,
    FRAME_NEXT = 8,
    FRAME_REQUESTS = 12, /* EVENT_PROBE_ACCESS: in this round */
    FRAME_WORK = 16,     /* the same: 8 bytes, of struct jit_record.work */
    FRAME_MISSED = 24,   /* EVENT_PROBE_SYNC, as in struct jit_sync: lanes that passed by, their line; */
    FRAME_PASSED = 32,   /* conditional barriers that lanes waited at; */
    FRAME_LEFT_OUT = 36, /* that no lane did and is behind now, the line */
    FRAME_OWED = 44,  /* EVENT_PROBE_SYNC: lanes that arrived at the cluster's barrier and have not waited */
    FRAME_ALIVE = 48, /* between sweeps: lanes that have not exited */
    FRAME_ARRIVED = 64,
    FRAME_CLUSTER = 128,
    FRAME_WAIT_POINTS = 192
};
enum { FRAME_LIMIT = 8 }; /* from a piece of a register to its limit */
enum { WAIT_LANES = 0, WAIT_ID = 4, WAIT_COUNT = 8, WAIT_PREDICATES = 12, WAIT_GO = 16, WAIT_BYTES = 20 };
enum {
    NUMBERED = 16,
    CLUSTER_BARRIER = 16, /* after the numbered ones */
    SPIN_ITERATIONS = 16
};

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

struct bit_place {          /* of a bit in a set of words of 64 */
    LLVMValueRef word, bit; /* ptr; i64: that bit alone */
};
static inline struct bit_place bit_at(struct jit *jit, LLVMValueRef set, LLVMValueRef index)
{
    LLVMValueRef word = LLVMBuildLShr(jit->builder, index, num(jit, 6), "");
    LLVMValueRef low = LLVMBuildAnd(jit->builder, index, num(jit, 63), "");
    word = LLVMBuildZExt(jit->builder, word, jit->i64, "");
    low = LLVMBuildZExt(jit->builder, low, jit->i64, "");
    return (struct bit_place){LLVMBuildGEP2(jit->builder, jit->i64, set, &word, 1, ""),
                              LLVMBuildShl(jit->builder, jit_const(jit, 64, 1), low, "")};
}

static inline LLVMValueRef arrived_at(struct jit *jit, LLVMValueRef frame, LLVMValueRef id)
{
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, id, jit->i64, "");
    return LLVMBuildGEP2(jit->builder, jit->i32, jit_offset(jit, frame, FRAME_ARRIVED), &wide, 1, "");
}

static inline uint32_t wait_point_offset(uint32_t wait_point)
{
    return FRAME_WAIT_POINTS + (wait_point - 1) * WAIT_BYTES;
}
#endif
