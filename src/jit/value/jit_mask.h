/* SPDX-License-Identifier: Apache-2.0 */
/* Lane masks (jit_core_mask.c). A mask is an i32. */
#ifndef JIT_MASK_H
#define JIT_MASK_H

#include "jit/core/jit_core.h"

LLVMValueRef jit_mask_active(struct jit *jit);        /* of the block being emitted */
LLVMValueRef *jit_mask_active_parts(struct jit *jit); /* <lanes x i1> */
void jit_mask_split(struct jit *jit, LLVMValueRef mask, LLVMValueRef *parts);
LLVMValueRef jit_mask_join(struct jit *jit, LLVMValueRef *parts); /* <lanes x i1> to i32 */
bool jit_mask_is_full(const struct jit *jit);                     /* all 32 lanes, known now */
/* Active lanes whose guard holds. Returns false when the guard is a scalar: then *scalar is its i1. */
bool jit_mask_guard(struct jit *jit, const struct ptx_instr *instr, LLVMValueRef *mask, LLVMValueRef *scalar);
LLVMValueRef jit_mask_first(struct jit *jit, LLVMValueRef mask); /* lane number */
LLVMValueRef jit_mask_last(struct jit *jit, LLVMValueRef mask);

/* Loops over the bits of an integer that are set, lowest first; emit between begin and end. */
struct jit_bit_loop {
    LLVMBasicBlockRef head, end;
    LLVMValueRef mask; /* this bit, and those to come */
    LLVMValueRef bit;  /* its number, in mask's type */
};
struct jit_bit_loop jit_bit_loop_begin(struct jit *jit, LLVMValueRef mask);
void jit_bit_loop_end(struct jit *jit, const struct jit_bit_loop *loop);

struct jit_lane_loop { /* over the lanes of a mask; jit_ctx.lane has the lane, too */
    struct jit_bit_loop bits;
    LLVMValueRef lane; /* i64 */
};
struct jit_lane_loop jit_lane_loop_begin(struct jit *jit, LLVMValueRef mask);
void jit_lane_loop_end(struct jit *jit, const struct jit_lane_loop *loop);
#endif
