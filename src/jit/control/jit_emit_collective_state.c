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

LLVMValueRef jit_suspend_waiting(struct jit *jit)
{
    LLVMValueRef waits = num(jit, 0);
    for (uint32_t point = 1; point <= jit->wait_point_count; point++)
        waits = LLVMBuildOr(jit->builder, waits,
                            load32(jit, jit->frame, wait_point_offset(point) + WAIT_LANES), "");
    return waits;
}
