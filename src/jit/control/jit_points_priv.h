/* SPDX-License-Identifier: Apache-2.0 */
/* Wait points of a warp where lanes wait (jit_emit_points.c), for jit_emit_suspend.c and jit_emit_sweep.c. */
#ifndef JIT_POINTS_PRIV_H
#define JIT_POINTS_PRIV_H

#include "jit/core/jit_build.h"
#include "jit/value/jit_mask.h"

/* How lanes at a wait point arrive. */
enum point_kind {
    POINT_EACH,     /* each for itself */
    POINT_TOGETHER, /* when all lanes of the warp that are alive wait for the number */
    POINT_LINE      /* when they all wait at its line of PTX */
};

struct count_loop { /* for (i = first; i < end; i++) */
    LLVMBasicBlockRef head;
    LLVMValueRef i, end;
};
struct count_loop jit_loop_begin(struct jit *jit, uint32_t first, LLVMValueRef end);
void jit_loop_end(struct jit *jit, const struct count_loop *loop);

/* For each wait point of a frame where lanes wait. */
struct point_loop {
    LLVMValueRef index; /* from 0: i32 */
    LLVMValueRef at;    /* its struct jit_wait_point */
    struct count_loop words;
    struct jit_bit_loop bits;
};
struct point_loop jit_points_begin(struct jit *jit, LLVMValueRef frame);
void jit_points_end(struct jit *jit, const struct point_loop *loop);

LLVMValueRef jit_point_at(struct jit *jit, LLVMValueRef frame,
                          LLVMValueRef index); /* struct jit_wait_point */
/* Lanes came to a wait point, or left it: WAIT_LANES is what is there now. */
void jit_point_note(struct jit *jit, LLVMValueRef frame, LLVMValueRef index, LLVMValueRef lanes);
LLVMValueRef jit_points_any(struct jit *jit, LLVMValueRef frame); /* i1: do lanes wait at one? */

/* What the program says of a wait point: i32. */
LLVMValueRef jit_point_kind(struct jit *jit, LLVMValueRef index); /* enum point_kind */
LLVMValueRef jit_point_line(struct jit *jit, LLVMValueRef index);
/* Lanes go on behind the barrier of a wait point, unless the program ends there. */
void jit_point_send(struct jit *jit, LLVMValueRef frame, LLVMValueRef index, LLVMValueRef lanes);
bool jit_points_have(const struct jit *jit, enum point_kind kind); /* is there one? */
#endif
