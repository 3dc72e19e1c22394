/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of blocks: branches, branch tables, barriers, exits (jit_core_frontier.c: how lanes wait and go on).
 */
#include "jit_frontier_priv.h"
#include "jit_region_priv.h"
#include "jit_suspend_priv.h"

#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_lanes.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

/* Likely, all go to target: by `branch`, or NULL: because it is not taken. */
static void take_all(struct jit *jit, struct jit_block *block, const struct ptx_instr *branch,
                     LLVMValueRef others, uint32_t target)
{
    LLVMBasicBlockRef all = jit_new_block(jit, ""), some = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, others), all, some, true);
    jit_position(jit, all);
    if (branch) jit_count_taken(jit, branch, jit_mask_active(jit), false);
    jit_edge(jit, block, target);
    jit_position(jit, some);
}

static void end_divergent(struct jit *jit, struct jit_block *block, const struct ptx_instr *instr)
{
    LLVMValueRef taken, scalar;
    jit_mask_guard(jit, instr, &taken, &scalar);
    LLVMValueRef active = jit_mask_active(jit);
    LLVMValueRef fallen = LLVMBuildXor(jit->builder, active, taken, "");
    if (!jit_mask_is_full(jit))
        fallen = LLVMBuildAnd(jit->builder, active, LLVMBuildNot(jit->builder, taken, ""), "");
    uint32_t yes = block->succ[0], no = block->succ[1];
    if (jit_leaves_loop(jit, block)) {
        jit_count_edges(jit, instr);
        take_all(jit, block, instr, fallen, yes);
        take_all(jit, block, NULL, taken, no);
        jit_count_taken(jit, instr, taken, true);
    } else if (jit_counts(jit)) {
        LLVMValueRef one = LLVMBuildNot(jit->builder, is_zero(jit, taken), "");
        LLVMValueRef other = LLVMBuildNot(jit->builder, is_zero(jit, fallen), "");
        jit_count_split(jit, instr, LLVMBuildAnd(jit->builder, one, other, ""));
    }
    uint64_t *waiting = jit_waiting_set(jit, block);
    jit_send(jit, waiting, yes, taken);
    jit_send(jit, waiting, no, fallen);
    if (jit_closes_waiting_loop(jit, block, yes) || jit_closes_waiting_loop(jit, block, no))
        jit_suspend_spin(jit, block);
    jit_chain(jit, block, waiting, yes > no ? yes : no);
}

static uint32_t table_succ(const struct jit *jit, const struct jit_block *block, uint32_t target)
{
    uint32_t exit_block = jit->block_count - 1;
    uint32_t source = target < jit->function->instr_count ? jit->cfg.block_of[target] : PTX_NO_BLOCK;
    for (uint32_t s = 0; s < block->succ_count; s++) {
        const struct jit_block *to = &jit->blocks[block->succ[s]];
        if (block->succ[s] == exit_block ? source == PTX_NO_BLOCK || source == to->source
                                         : to->source == source && to->first == jit->cfg.blocks[source].first)
            return s;
    }
    BUG("a branch table names a block that is no successor");
}

/* Is more than one of the masks not empty? */
static LLVMValueRef several(struct jit *jit, LLVMValueRef *masks, uint32_t count)
{
    LLVMValueRef sum = jit_const(jit, 32, 0);
    for (uint32_t s = 0; s < count; s++) {
        if (!masks[s]) continue;
        LLVMValueRef some = LLVMBuildNot(jit->builder, is_zero(jit, masks[s]), "");
        sum = LLVMBuildAdd(jit->builder, sum, LLVMBuildZExt(jit->builder, some, jit->i32, ""), "");
    }
    return LLVMBuildICmp(jit->builder, LLVMIntUGT, sum, jit_const(jit, 32, 1), "");
}

/* brx.idx with an index that differs between lanes: the lanes of each distinct target. */
static void end_table(struct jit *jit, struct jit_block *block, const struct ptx_instr *instr)
{
    struct jit_value index = jit_operand(jit, &instr->operands[0], 32);
    const struct ptx_table *table = instr->operands[1].table;
    LLVMValueRef parts[JIT_MAX_PARTS];
    jit_value_parts(jit, &index, parts);
    LLVMValueRef lanes[JIT_MAX_PARTS], active = jit_mask_active(jit);
    LLVMValueRef *of = ARENA_ARRAY(&jit->arena, LLVMValueRef, block->succ_count);
    for (uint32_t i = 0; i < table->count; i++) {
        for (unsigned p = 0; p < jit->part.parts; p++)
            lanes[p] =
                LLVMBuildICmp(jit->builder, LLVMIntEQ, parts[p], jit_lane_consts(jit, 32, p, i, 0), "");
        LLVMValueRef mask = LLVMBuildAnd(jit->builder, active, jit_mask_join(jit, lanes), "");
        uint32_t s = table_succ(jit, block, table->targets[i]);
        of[s] = of[s] ? LLVMBuildOr(jit->builder, of[s], mask, "") : mask;
    }
    uint64_t *waiting = jit_waiting_set(jit, block);
    uint32_t last = 0;
    bool spins = false;
    if (jit_counts(jit)) jit_count_split(jit, instr, several(jit, of, block->succ_count));
    for (uint32_t s = 0; s < block->succ_count; s++) {
        if (!of[s]) continue;
        jit_send(jit, waiting, block->succ[s], of[s]);
        last = block->succ[s] > last ? block->succ[s] : last;
        spins |= jit_closes_waiting_loop(jit, block, block->succ[s]);
    }
    if (spins) jit_suspend_spin(jit, block);
    jit_chain(jit, block, waiting, last);
}

static void end_uniform_table(struct jit *jit, struct jit_block *block, const struct ptx_instr *instr)
{
    struct jit_value index = jit_operand(jit, &instr->operands[0], 32);
    const struct ptx_table *table = instr->operands[1].table;
    LLVMBasicBlockRef *edge = ARENA_ARRAY(&jit->arena, LLVMBasicBlockRef, block->succ_count);
    for (uint32_t s = 0; s < block->succ_count; s++)
        edge[s] = jit_new_block(jit, "");
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, index.scalar, edge[0], table->count);
    for (uint32_t i = 0; i < table->count; i++)
        LLVMAddCase(branch, jit_const(jit, 32, i), edge[table_succ(jit, block, table->targets[i])]);
    for (uint32_t s = 0; s < block->succ_count; s++) {
        jit_position(jit, edge[s]);
        jit_edge(jit, block, block->succ[s]);
    }
}

static void end_uniform(struct jit *jit, struct jit_block *block, const struct ptx_instr *instr)
{
    LLVMValueRef mask, scalar;
    jit_mask_guard(jit, instr, &mask, &scalar);
    LLVMBasicBlockRef yes = jit_new_block(jit, ""), no = jit_new_block(jit, "");
    jit_count_edges(jit, instr);
    LLVMValueRef active = jit_mask_active(jit);
    jit_branch(jit, scalar, yes, no, false);
    jit_position(jit, yes);
    jit_count_taken(jit, instr, active, false);
    jit_edge(jit, block, block->succ[0]);
    jit_position(jit, no);
    jit_edge(jit, block, block->succ[1]);
}

void jit_emit_end(struct jit *jit, struct jit_block *block)
{
    const struct ptx_instr *instr =
        block->last > block->first ? &jit->function->instrs[block->last - 1] : NULL;
    switch (block->end) {
    case JIT_END_JUMP: jit_edge(jit, block, block->succ[0]); return;
    case JIT_END_COND:
        if (block->divergent)
            end_divergent(jit, block, instr);
        else
            end_uniform(jit, block, instr);
        return;
    case JIT_END_TABLE:
        if (block->divergent)
            end_table(jit, block, instr);
        else
            end_uniform_table(jit, block, instr);
        return;
    case JIT_END_COLLECTIVE: return; /* jit_emit_collective_block does it all */
    case JIT_END_BARRIER:
        if (jit->suspends)
            jit_suspend_barrier(jit, block);
        else
            jit_region_barrier(jit, block);
        return;
    case JIT_END_EXIT:
        if (jit->suspends)
            jit_suspend_exit(jit);
        else
            jit_region_exit(jit);
        return;
    }
}
