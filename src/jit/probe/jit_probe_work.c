/* SPDX-License-Identifier: Apache-2.0 */
/* ACCESS probes: what a warp does between the requests that it notes.
 *
 *   block   jit->work += ctx->work[row of the block's first instruction]
 *   note    each record takes what came together since the warp's last one (struct jit_record.work); a
 *           barrier, an end and records of their own (JIT_KIND_WORK) take all of it, others up to 32 bits:
 *           what is more waits for the next
 *   stop    what no record took is kept in the warp's frame; a function that stays one goes on with its
 *           caller's (ctx->call_work)
 *
 * What a block's work is, is the tool's affair (event_tool.detail_work): the engine gives a table of zeros
 * where there is none. Between two accesses of one block nothing is added, and LLVM knows it: their records
 * take a constant zero. Limits: of kernels whose functions were merged into them (jit_merge.c), blocks that
 * hold no row of the table do no work. */
#include "jit_probe_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"

#include <stddef.h>

void jit_work_open(struct jit *jit)
{
    if (!jit_records(jit)) return;
    jit->work_table = jit_ctx_load(jit, offsetof(struct jit_ctx, work), jit->ptr);
    jit->work = jit_slot(jit, jit->i64, "work");
    LLVMValueRef begin = jit_const(jit, 64, 0);
    if (jit->is_callee) begin = jit_ctx_load(jit, offsetof(struct jit_ctx, call_work), jit->i64);
    LLVMBuildStore(jit->builder, begin, jit->work);
}

static LLVMValueRef now(struct jit *jit)
{
    return LLVMBuildLoad2(jit->builder, jit->i64, jit->work, "");
}

static uint32_t probe_work_row_of(const struct jit *jit, const struct jit_block *block)
{
    for (uint32_t i = block->first; i < block->last; i++) {
        uint32_t row = jit_instr_row(jit, &jit->function->instrs[i]);
        if (row != JIT_NO_INSTR) return row;
    }
    return JIT_NO_INSTR;
}

void jit_work_block(struct jit *jit, const struct jit_block *block)
{
    uint32_t row = jit_records(jit) ? probe_work_row_of(jit, block) : JIT_NO_INSTR;
    if (row == JIT_NO_INSTR) return;
    LLVMValueRef work =
        LLVMBuildLoad2(jit->builder, jit->i32, jit_offset(jit, jit->work_table, 4ull * row), "");
    LLVMSetMetadata(work, jit->kind_invariant, jit->nothing);
    work = LLVMBuildZExt(jit->builder, work, jit->i64, "");
    LLVMBuildStore(jit->builder, LLVMBuildAdd(jit->builder, now(jit), work, ""), jit->work);
}

LLVMValueRef jit_work_take(struct jit *jit)
{
    LLVMValueRef args[] = {now(jit), jit_const(jit, 64, UINT32_MAX)};
    LLVMValueRef part = jit_intrinsic(jit, "llvm.umin", &jit->i64, 1, args, 2);
    LLVMBuildStore(jit->builder, LLVMBuildSub(jit->builder, args[0], part, ""), jit->work);
    return LLVMBuildTrunc(jit->builder, part, jit->i32, "");
}

LLVMValueRef jit_work_take_all(struct jit *jit)
{
    LLVMValueRef all = now(jit);
    LLVMBuildStore(jit->builder, jit_const(jit, 64, 0), jit->work);
    return all;
}

LLVMValueRef jit_work_is_some(struct jit *jit)
{
    return LLVMBuildICmp(jit->builder, LLVMIntNE, now(jit), jit_const(jit, 64, 0), "");
}

void jit_work_warp(struct jit *jit, bool save)
{
    LLVMValueRef at = jit_offset(jit, jit->frame, FRAME_WORK);
    LLVMValueRef value = LLVMBuildLoad2(jit->builder, jit->i64, save ? jit->work : at, "");
    LLVMBuildStore(jit->builder, value, save ? at : jit->work);
}

void jit_work_pass(struct jit *jit, bool back)
{
    if (!jit_records(jit)) return;
    LLVMValueRef at = jit_offset(jit, jit->ctx, offsetof(struct jit_ctx, call_work));
    LLVMValueRef value = LLVMBuildLoad2(jit->builder, jit->i64, back ? at : jit->work, "");
    LLVMBuildStore(jit->builder, value, back ? jit->work : at);
}
