/* SPDX-License-Identifier: Apache-2.0 */
/* What will be read next, asked for where the processor does not foresee it: loads of global memory without a
 * gap between lanes.
 *
 *   the next block   kernels with barriers or write combining. Between a block's first loads and the next
 *                    block's lie its barriers: more instructions than the processor looks ahead, and its
 *                    prefetchers do not follow the jump. The distance between two blocks' addresses, as the
 *                    first warp sees it, foretells the next one's. Outside loops, and in loops where a
 *                    barrier follows: 13.7 ms to 5.2 ms for a tree reduction of 64 MiB, 16.5 ms to 12.0 ms
 *                    for a tiled transposition (Zen 5).
 *   a later warp     all others. Warps of a block run one after the other and read on where the last one
 *                    ended, but one instruction meets several streams, in a loop over slices or planes, which
 *                    a prefetcher by instruction takes for one with large steps. So each warp asks for what
 *                    the second one after it reads, in rows for what the next one reads below. A stencil of
 *                    7 points 1.45, a sparse product (ELLPACK) 1.6 times as fast, the suite 1.04 times
 *                    (54 kernels, medians of three turns, Zen 5).
 *
 * Limits: addresses that a lane computes on its own; distances that change. */
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

enum { LINE_BYTES = 64, WARPS_AHEAD = 2 }; /* implementation; measured: 4 is as good */

static LLVMValueRef zeroed_slot(struct jit *jit)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder);
    LLVMValueRef slot = jit_slot(jit, jit->i64, "");
    jit_position(jit, jit->launch_prologue);
    LLVMBuildStore(jit->builder, jit_const(jit, 64, 0), slot);
    jit_position(jit, here);
    return slot;
}

/* The lines of `bytes` bytes, `step` (i64) behind `at`. */
static void prefetch_lines(struct jit *jit, LLVMValueRef at, LLVMValueRef step, unsigned bytes)
{
    LLVMValueRef first = LLVMBuildPtrToInt(jit->builder, at, jit->i64, "");
    first = LLVMBuildAdd(jit->builder, first, step, "");
    for (unsigned line = 0; line < bytes; line += LINE_BYTES) {
        LLVMValueRef where = LLVMBuildAdd(jit->builder, first, jit_const(jit, 64, line), "");
        LLVMValueRef args[] = {LLVMBuildIntToPtr(jit->builder, where, jit->ptr, ""), jit_const(jit, 32, 0),
                               jit_const(jit, 32, 3), jit_const(jit, 32, 1)};
        jit_intrinsic(jit, "llvm.prefetch", &jit->ptr, 1, args, 4);
    }
}

/* Of each row, or of the warp as a whole; rows that are the same once. */
static void prefetch_rows(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                          LLVMValueRef *at, LLVMValueRef step)
{
    bool rows = address->value.repr == JIT_ROWS;
    unsigned bytes = (rows ? jit->row_lanes : SW_WARP_LANES) * access->bytes * access->count;
    for (unsigned r = 0; r < (rows ? jit->rows : 1); r++)
        if (r == 0 || at[r] != at[r - 1]) prefetch_lines(jit, at[r], step, bytes);
}

static void next_block(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       LLVMValueRef *at)
{
    if (jit->block->in_cycle && jit->block->end != JIT_END_BARRIER) return;
    LLVMValueRef last = zeroed_slot(jit), distance = zeroed_slot(jit);
    LLVMValueRef here = LLVMBuildPtrToInt(jit->builder, at[0], jit->i64, "");
    LLVMValueRef before = LLVMBuildLoad2(jit->builder, jit->i64, last, ""),
                 step = LLVMBuildLoad2(jit->builder, jit->i64, distance, "");
    LLVMValueRef first = LLVMBuildICmp(jit->builder, LLVMIntEQ, jit->warp, jit_const(jit, 32, 0), "");
    step = LLVMBuildSelect(jit->builder, first, LLVMBuildSub(jit->builder, here, before, ""), step, "");
    LLVMBuildStore(jit->builder, step, distance);
    LLVMBuildStore(jit->builder, LLVMBuildSelect(jit->builder, first, here, before, ""), last);
    prefetch_rows(jit, access, address, at, step);
}

static void later_warp(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       LLVMValueRef *at)
{
    const struct jit_value *value = &address->value;
    int64_t step = WARPS_AHEAD * SW_WARP_LANES * (int64_t)access->bytes * access->count;
    if (value->repr == JIT_ROWS) {
        if (!value->regular || value->step == 0) return;
        step = value->step * jit->rows;
    }
    prefetch_rows(jit, access, address, at, jit_const(jit, 64, (uint64_t)step));
}

void jit_prefetch_next(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       LLVMValueRef *at)
{
    if (jit->suspends || jit->request->quick) return;
    if (address->value.repr == JIT_ROWS && !jit->even_rows) return;
    if (jit->wait_point_count || jit->combining)
        next_block(jit, access, address, at);
    else
        later_warp(jit, access, address, at);
}
