/* SPDX-License-Identifier: Apache-2.0 */
/* bar.arrive and barrier.cluster.arrive: counted, and on. */
#include "jit_emit_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/emit/jit_emit.h"
#include "jit/emit/jit_shadow.h"
#include "jit/value/jit_lanes.h"

/* bar.arrive: counted, and on. */
void jit_suspend_arrive(struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    if (jit_is_cluster_barrier(instr)) {
        LLVMValueRef others = load32(jit, jit->frame, FRAME_CLUSTER);
        store32(jit, jit->frame, FRAME_CLUSTER, LLVMBuildOr(jit->builder, others, lanes.mask, ""));
        jit_shadow_order(jit, NULL, lanes.mask, JIT_ORDER_BARRIER_ARRIVE,
                         jit_const(jit, 64, JIT_ORDER_CLUSTER));
        return;
    }
    struct jit_barrier barrier = jit_barrier_read(instr);
    struct jit_agreeing some = jit_agreeing_begin(jit, barrier.id, NULL, lanes.mask);
    LLVMValueRef whole = equal(jit, some.lanes, jit->live_mask);
    LLVMValueRef threads = choose(jit, whole, num(jit, 32), popcount(jit, some.lanes));
    add_to(jit, arrived_at(jit, jit->frame, some.id), threads);
    jit_shadow_order(jit, NULL, some.lanes, JIT_ORDER_BARRIER_ARRIVE,
                     LLVMBuildZExt(jit->builder, some.id, jit->i64, ""));
    jit_agreeing_end(jit, &some);
}
