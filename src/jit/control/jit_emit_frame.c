/* SPDX-License-Identifier: Apache-2.0 */
/* A warp's registers to its frame and back. */
#include "jit_region_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/value/jit_values.h"

LLVMValueRef jit_frame_of(struct jit *jit, LLVMValueRef warp)
{
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, warp, jit->i64, "");
    LLVMValueRef offset = LLVMBuildMul(jit->builder, wide, jit_const(jit, 64, jit->info.frame_bytes), "");
    return LLVMBuildGEP2(jit->builder, jit->i8, jit->frames, &offset, 1, "");
}

void jit_frame_copy_reg(struct jit *jit, struct jit_reg *reg, bool save)
{
    LLVMTypeRef type = jit_reg_type(jit, reg);
    unsigned align = reg->frame_step > 64 ? 64 : reg->frame_step;
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg); p++) {
        LLVMValueRef at = jit_offset(jit, jit->frame, reg->frame_offset + p * reg->frame_step);
        LLVMValueRef slot = jit_reg_slot(jit, reg, p);
        LLVMValueRef value = LLVMBuildLoad2(jit->builder, type, save ? slot : at, "");
        if (!save) LLVMSetAlignment(value, align);
        LLVMValueRef store = LLVMBuildStore(jit->builder, value, save ? at : slot);
        if (save) LLVMSetAlignment(store, align);
    }
    for (unsigned p = 0; p < jit_reg_limits(jit, reg); p++) {
        LLVMValueRef at = jit_offset(jit, jit->frame, reg->frame_offset + p * reg->frame_step + FRAME_LIMIT);
        LLVMValueRef slot = jit_limit_slot(jit, reg, p);
        LLVMValueRef value = LLVMBuildLoad2(jit->builder, jit->i32, save ? slot : at, "");
        LLVMBuildStore(jit->builder, value, save ? at : slot);
    }
}

/* All registers that are kept in the frame: a warp stops, or goes on. */
void jit_frame_copy(struct jit *jit, bool save)
{
    if (jit_registers_in_frame(jit)) return;
    for (uint32_t r = 0; r < jit->reg_count; r++)
        if (jit->regs[r].frame_step) jit_frame_copy_reg(jit, &jit->regs[r], save);
}
