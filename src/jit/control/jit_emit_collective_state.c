/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a warp's collectives (jit_emit_collective.c): in the warp's frame, or on the stack. Lanes that
 * wait at barriers. */
#include "jit_collective_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

LLVMValueRef jit_collective_field(struct jit *jit, size_t offset)
{
    LLVMValueRef base = jit->collective;
    if (jit->suspends) base = jit_offset(jit, jit->frame, jit->collective_offset);
    return jit_offset(jit, base, offset);
}

void jit_collectives_begin_warp(struct jit *jit)
{
    if (!jit->has_collectives) return;
    LLVMValueRef zero = jit_const(jit, 32, 0);
    put(jit, FIELD(jit, waiting), zero);
    put(jit, FIELD(jit, done), zero);
    put(jit, FIELD(jit, parked), zero);
    put(jit, FIELD(jit, force), zero);
}

/* Lanes that wait at any collective. */
LLVMValueRef jit_collectives_parked(struct jit *jit)
{
    return get(jit, FIELD(jit, parked));
}

void jit_collectives_unpark(struct jit *jit, LLVMValueRef lanes)
{
    put(jit, FIELD(jit, parked), without(jit, jit_collectives_parked(jit), lanes));
}

/* Masks lie side by side in the frame, and those of blocks that are not pending are empty. One by one they
 * were most of the code of large kernels (CUB's select: 48,000 of them). */
LLVMValueRef jit_waiting_by_frame(struct jit *jit, LLVMValueRef frame)
{
    enum { LANES = 16 };
    LLVMValueRef all = NULL, lanes = num(jit, 0);
    uint32_t n = 0;
    for (; n + LANES < jit->block_count; n += LANES) {
        LLVMValueRef at = jit_offset(jit, frame, jit->blocks[n].mask_offset);
        LLVMValueRef masks = LLVMBuildLoad2(jit->builder, LLVMVectorType(jit->i32, LANES), at, "");
        LLVMSetAlignment(masks, 4);
        all = all ? LLVMBuildOr(jit->builder, all, masks, "") : masks;
    }
    if (all) {
        LLVMTypeRef type = LLVMTypeOf(all);
        lanes = jit_intrinsic(jit, "llvm.vector.reduce.or", &type, 1, &all, 1);
    }
    for (; n + 1 < jit->block_count; n++)
        lanes = LLVMBuildOr(jit->builder, lanes, load32(jit, frame, jit->blocks[n].mask_offset), "");
    return lanes;
}

LLVMValueRef jit_suspend_waiting(struct jit *jit)
{
    LLVMValueRef waits = num(jit, 0);
    for (uint32_t point = 1; point <= jit->wait_point_count; point++)
        waits = LLVMBuildOr(jit->builder, waits,
                            load32(jit, jit->frame, wait_point_offset(point) + WAIT_LANES), "");
    return waits;
}
