/* SPDX-License-Identifier: Apache-2.0 */
/* What barriers say, and whether warps must be able to stop at them (jit_emit_suspend.c) or whole warps reach
 * them (jit_emit_barrier.c). */
#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

bool jit_is_cluster_barrier(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_BARRIER && ptx_has(instr, ISA_MOD_CLUSTER);
}

struct jit_barrier jit_barrier_read(const struct ptx_instr *instr)
{
    static const struct ptx_operand cluster = {.kind = ISA_OPD_INT, .bits = CLUSTER_BARRIER};
    struct jit_barrier barrier = {0};
    if (jit_is_cluster_barrier(instr)) {
        barrier.id = &cluster;
        return barrier;
    }
    unsigned i = 0, end = instr->operand_count;
    if (ptx_has(instr, ISA_MOD_RED)) {
        barrier.dest = &instr->operands[i++];
        barrier.predicate = &instr->operands[--end];
    }
    if (i < end) barrier.id = &instr->operands[i++];
    if (i < end) barrier.count = &instr->operands[i];
    return barrier;
}

static bool is_arrival(const struct ptx_instr *instr)
{
    return (instr->op == ISA_OP_BAR || instr->op == ISA_OP_BARRIER) && ptx_has(instr, ISA_MOD_ARRIVE) &&
           !jit_is_cluster_barrier(instr);
}

const struct ptx_instr *jit_barrier_instr(const struct jit *jit, const struct jit_block *block)
{
    return &jit->function->instrs[block->last - 1];
}

uint32_t jit_barrier_wait_points(const struct jit *jit, const struct jit_block *block)
{
    struct jit_barrier barrier = jit_barrier_read(jit_barrier_instr(jit, block));
    return barrier.id && barrier.id->kind != ISA_OPD_INT ? NUMBERED : 1;
}

const struct jit_block *jit_barrier_of_point(const struct jit *jit, uint32_t wait_point)
{
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!block->wait_point || block->wait_point > wait_point) continue;
        if (wait_point - block->wait_point < jit_barrier_wait_points(jit, block)) return block;
    }
    BUG("no barrier waits at point %u", wait_point);
}

bool jit_barrier_aligned(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_BAR || ptx_has(instr, ISA_MOD_ALIGNED);
}

/* A barrier with a count, of a number that lanes choose, or that others arrive at, lets some go on alone. */
bool jit_barrier_needs_all(const struct jit *jit, const struct ptx_instr *instr)
{
    struct jit_barrier barrier = jit_barrier_read(instr);
    if (jit_is_cluster_barrier(instr) || barrier.count) return false;
    if (barrier.id && barrier.id->kind != ISA_OPD_INT) return false;
    for (uint32_t i = 0; i < jit->function->instr_count; i++)
        if (is_arrival(&jit->function->instrs[i])) return false;
    return true;
}

/* Is there a barrier that the region form cannot do, or a loop that waits? */
bool jit_needs_suspension(const struct jit *jit)
{
    if (jit->request->resumable || jit->request->plain_barriers) return true;
    for (uint32_t i = 0; i < jit->function->instr_count; i++)
        if (is_arrival(&jit->function->instrs[i])) return true;
    uint64_t first_id = UINT64_MAX;
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (block->yields) return true;
        if (block->end != JIT_END_BARRIER) continue;
        const struct ptx_instr *instr = jit_barrier_instr(jit, block);
        struct jit_barrier barrier = jit_barrier_read(instr);
        if (instr->guard != PTX_NO_REG || barrier.dest) return true;
        if (barrier.id && barrier.id->kind != ISA_OPD_INT) return true;
        uint64_t id = barrier.id ? barrier.id->bits : 0;
        if (first_id != UINT64_MAX && id != first_id) return true;
        first_id = id;
        bool all = barrier.count && barrier.count->kind == ISA_OPD_INT && barrier.count->bits == jit->threads;
        if (barrier.count && !all) return true;
        for (uint32_t w = 0; w < jit->block_words; w++)
            if (block->frontier[w]) return true;
    }
    return false;
}
