/* SPDX-License-Identifier: Apache-2.0 */
/* Edges and branches by thread frontiers: one mask per block, no stack, any graph.
 *
 *        block b, lanes `active`                  a lane goes to T or F; some wait at x, y (pend[b])
 *          |  mask[T] |= active & p
 *          |  mask[F] |= active & !p
 *          |  first of {T, F, x, y} in priority order whose mask is not empty
 *          v  active = mask[n]; mask[n] = 0
 *        block n
 *
 * An edge that all lanes take is a plain jump when no waiting block comes before its target. At a loop's
 * exits the common case, all lanes stay or all leave, is tested first and touches no mask. An end that may
 * split the warp costs a test for each block of its frontier; where masks are kept in the frame
 * (jit_registers_in_frame: large kernels, long frontiers), a set bit a block with lanes stands beside them
 * (jit_core_schedule.c), and an end tests its own successors, a few words, and leaves the rest to one jump
 * table. */
#include "jit_core_priv.h"

static LLVMValueRef is_zero(struct jit *jit, LLVMValueRef mask)
{
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, mask, jit_const(jit, 32, 0), "");
}

static LLVMValueRef mask_slot(struct jit *jit, uint32_t block)
{
    struct jit_block *b = &jit->blocks[block];
    if (jit_registers_in_frame(jit)) return jit_offset(jit, jit->frame, b->mask_offset);
    SW_ASSERT(b->mask);
    return b->mask;
}

static LLVMValueRef load_mask(struct jit *jit, uint32_t block)
{
    return LLVMBuildLoad2(jit->builder, jit->i32, mask_slot(jit, block), "");
}

static void add_waiting(struct jit *jit, uint32_t block, LLVMValueRef lanes, bool others)
{
    if (others) lanes = LLVMBuildOr(jit->builder, lanes, load_mask(jit, block), "");
    LLVMBuildStore(jit->builder, lanes, mask_slot(jit, block));
    if (jit_registers_in_frame(jit)) jit_schedule_note(jit, jit->frame, block, lanes);
}

LLVMValueRef jit_waiting_at(struct jit *jit, uint32_t block)
{
    return load_mask(jit, block);
}

void jit_wait_at(struct jit *jit, uint32_t block, LLVMValueRef lanes)
{
    add_waiting(jit, block, lanes, true);
}

void jit_clear_waiting(struct jit *jit, uint32_t block)
{
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), mask_slot(jit, block));
    if (jit_registers_in_frame(jit)) jit_schedule_forget(jit, block);
}

static void enter(struct jit *jit, uint32_t block, LLVMValueRef mask)
{
    LLVMBuildStore(jit->builder, mask, jit->active);
    jit_clear_waiting(jit, block);
    if (jit->has_meets && jit_bit(jit->meet_blocks, block)) jit_meets_unpark(jit, mask);
    LLVMBuildBr(jit->builder, jit->blocks[block].entry);
}

void jit_enter_waiting(struct jit *jit, uint32_t block)
{
    enter(jit, block, load_mask(jit, block));
}

static void enter_if_waiting(struct jit *jit, uint32_t block)
{
    LLVMValueRef mask = load_mask(jit, block);
    LLVMBasicBlockRef found = jit_new_block(jit, ""), next = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, mask), next, found, false);
    jit_position(jit, found);
    enter(jit, block, mask);
    jit_position(jit, next);
}

/* Meetings n and those that follow it in the set before other blocks do: one test for all. Returns the last.
 */
static uint32_t enter_meetings(struct jit *jit, const uint64_t *waiting, uint32_t n, uint32_t end)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), none = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, jit_meets_parked(jit)), none, some, true);
    jit_position(jit, some);
    uint32_t at = n;
    for (; n < end && n + 1 < jit->block_count; n++) {
        if (!jit_bit(waiting, n)) continue;
        if (!jit_bit(jit->meet_blocks, n)) break;
        enter_if_waiting(jit, n);
        at = n;
    }
    LLVMBuildBr(jit->builder, none);
    jit_position(jit, none);
    return at;
}

/* The waiting blocks from `from` to before `to`: a few are tested one by one, more by their bits. */
static void leave_for_any(struct jit *jit, const uint64_t *waiting, uint32_t from, uint32_t to)
{
    enum { FEW = 2 };
    uint32_t count = 0;
    for (uint32_t n = from; n < to; n++)
        count += jit_bit(waiting, n);
    if (count > FEW) {
        jit_schedule_if_any(jit, waiting, from, to);
        return;
    }
    for (uint32_t n = from; n < to; n++)
        if (jit_bit(waiting, n)) enter_if_waiting(jit, n);
}

static bool is_successor(const struct jit_block *block, uint32_t n)
{
    for (uint32_t s = 0; block && s < block->succ_count; s++)
        if (block->succ[s] == n) return true;
    return false;
}

static void chain_by_bits(struct jit *jit, const struct jit_block *block, const uint64_t *waiting,
                          uint32_t last)
{
    uint32_t exit_block = jit->block_count - 1, from = 0, end = last < exit_block ? last + 1 : exit_block;
    for (uint32_t n = 0; n < end; n++) {
        if (!jit_bit(waiting, n) || !(n == last || is_successor(block, n))) continue;
        leave_for_any(jit, waiting, from, n);
        if (n == last) {
            jit_enter_waiting(jit, n);
            return;
        }
        enter_if_waiting(jit, n);
        from = n + 1;
    }
    leave_for_any(jit, waiting, from, end);
    LLVMBuildBr(jit->builder, jit->blocks[exit_block].entry);
}

/* Go to the first block of `waiting` that has lanes; at the latest to `last`, which surely has (the exit:
 * when there is none). block: the one that ends here, or NULL. */
static void chain(struct jit *jit, const struct jit_block *block, const uint64_t *waiting, uint32_t last)
{
    if (jit_registers_in_frame(jit)) {
        chain_by_bits(jit, block, waiting, last);
        return;
    }
    uint32_t exit_block = jit->block_count - 1;
    for (uint32_t n = 0; n <= last && n < exit_block; n++) {
        if (!jit_bit(waiting, n)) continue;
        if (n == last) {
            jit_enter_waiting(jit, n);
            return;
        }
        if (jit->has_meets && jit_bit(jit->meet_blocks, n))
            n = enter_meetings(jit, waiting, n, last);
        else
            enter_if_waiting(jit, n);
    }
    LLVMBuildBr(jit->builder, jit->blocks[exit_block].entry);
}

/* A warp goes on at the first block that has lanes; with none, its end. */
void jit_chain_from_first(struct jit *jit, const uint64_t *waiting)
{
    chain(jit, NULL, waiting, jit->block_count - 1);
}

/* At the first block behind the one where it went on by turn the last time (slot `turn`), so that every block
 * comes up. */
void jit_chain_by_turn(struct jit *jit, const uint64_t *waiting, LLVMValueRef turn)
{
    if (jit_registers_in_frame(jit)) {
        jit_schedule_by_turn(jit, turn);
        return;
    }
    LLVMValueRef from = LLVMBuildLoad2(jit->builder, jit->i32, turn, "");
    for (uint32_t n = 0; n + 1 < jit->block_count; n++) {
        if (!jit_bit(waiting, n)) continue;
        LLVMValueRef mask = load_mask(jit, n), number = jit_const(jit, 32, n);
        LLVMBasicBlockRef found = jit_new_block(jit, ""), next = jit_new_block(jit, "");
        LLVMValueRef passed = LLVMBuildICmp(jit->builder, LLVMIntULT, number, from, "");
        jit_branch(jit, LLVMBuildOr(jit->builder, is_zero(jit, mask), passed, ""), next, found, false);
        jit_position(jit, found);
        LLVMBuildStore(jit->builder, jit_const(jit, 32, n + 1), turn);
        enter(jit, n, mask);
        jit_position(jit, next);
    }
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), turn);
    chain(jit, NULL, waiting, jit->block_count - 1);
}

static bool comes_first(const struct jit *jit, const uint64_t *pend, uint32_t target)
{
    for (uint32_t n = 0; n <= target && n < jit->block_count; n++)
        if (jit_bit(pend, n)) return false;
    return true;
}

static uint64_t *waiting_set(struct jit *jit, const struct jit_block *block)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t w = 0; w < jit->block_words; w++)
        set[w] = block->pend[w];
    return set;
}

static bool closes_waiting_loop(const struct jit *jit, const struct jit_block *block, uint32_t target)
{
    return jit->suspends && block->gives_way && jit->blocks + target <= block;
}

/* The lanes go round a waiting loop once more, but now and then others first. */
static void back_edge(struct jit *jit, struct jit_block *block, uint32_t target)
{
    uint64_t *waiting = waiting_set(jit, block);
    add_waiting(jit, target, LLVMBuildLoad2(jit->builder, jit->i32, jit->active, ""), true);
    jit_bit_set(waiting, target);
    jit_suspend_spin(jit, block);
    chain(jit, block, waiting, target);
}

/* At a barrier: the lanes that go on (none: target is PTX_NO_BLOCK), then whoever can. */
void jit_go_elsewhere(struct jit *jit, struct jit_block *block, uint32_t target, LLVMValueRef lanes)
{
    uint64_t *waiting = waiting_set(jit, block);
    if (target != PTX_NO_BLOCK && target != jit->block_count - 1) {
        add_waiting(jit, target, lanes, true);
        jit_bit_set(waiting, target);
    }
    chain(jit, block, waiting, jit->block_count - 1);
}

/* All active lanes go to target. */
void jit_edge(struct jit *jit, struct jit_block *block, uint32_t target)
{
    uint32_t exit_block = jit->block_count - 1;
    if (closes_waiting_loop(jit, block, target)) {
        back_edge(jit, block, target);
        return;
    }
    if (comes_first(jit, block->pend, target)) {
        LLVMBuildBr(jit->builder, jit->blocks[target].entry);
        return;
    }
    uint64_t *waiting = waiting_set(jit, block);
    if (target != exit_block) {
        LLVMValueRef active = LLVMBuildLoad2(jit->builder, jit->i32, jit->active, "");
        add_waiting(jit, target, active, jit_bit(waiting, target));
        jit_bit_set(waiting, target);
    }
    chain(jit, block, waiting, target);
}

/* mask[target] |= lanes, unless they exit. */
static void send(struct jit *jit, uint64_t *waiting, uint32_t target, LLVMValueRef lanes)
{
    if (target == jit->block_count - 1) return;
    add_waiting(jit, target, lanes, jit_bit(waiting, target));
    jit_bit_set(waiting, target);
}

static bool leaves_loop(const struct jit *jit, const struct jit_block *block)
{
    if (!block->in_cycle) return false;
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (!jit->blocks[block->succ[s]].in_cycle) return true;
    /* an inner loop's exit stays inside the outer one */
    const struct ptx_block *from = &jit->cfg.blocks[block->source];
    for (uint32_t s = 0; s < block->succ_count; s++)
        if (jit->cfg.blocks[jit->blocks[block->succ[s]].source].loop_depth < from->loop_depth) return true;
    return false;
}

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

/* In a loop, counters on the common way would cost more than its work: who falls through counts nothing. */
bool jit_counts_edges(const struct jit *jit, const struct ptx_instr *instr)
{
    const struct jit_block *block = jit->block;
    bool ends = block->end == JIT_END_COND && instr == &jit->function->instrs[block->last - 1];
    return ends && (!block->divergent || leaves_loop(jit, block));
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
    if (leaves_loop(jit, block)) {
        jit_count_edges(jit, instr);
        take_all(jit, block, instr, fallen, yes);
        take_all(jit, block, NULL, taken, no);
        jit_count_taken(jit, instr, taken, true);
    } else if (jit_counts(jit)) {
        LLVMValueRef one = LLVMBuildNot(jit->builder, is_zero(jit, taken), "");
        LLVMValueRef other = LLVMBuildNot(jit->builder, is_zero(jit, fallen), "");
        jit_count_split(jit, instr, LLVMBuildAnd(jit->builder, one, other, ""));
    }
    uint64_t *waiting = waiting_set(jit, block);
    send(jit, waiting, yes, taken);
    send(jit, waiting, no, fallen);
    if (closes_waiting_loop(jit, block, yes) || closes_waiting_loop(jit, block, no))
        jit_suspend_spin(jit, block);
    chain(jit, block, waiting, yes > no ? yes : no);
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
        uint32_t s = jit_table_succ(jit, block, table->targets[i]);
        of[s] = of[s] ? LLVMBuildOr(jit->builder, of[s], mask, "") : mask;
    }
    uint64_t *waiting = waiting_set(jit, block);
    uint32_t last = 0;
    bool spins = false;
    if (jit_counts(jit)) jit_count_split(jit, instr, several(jit, of, block->succ_count));
    for (uint32_t s = 0; s < block->succ_count; s++) {
        if (!of[s]) continue;
        send(jit, waiting, block->succ[s], of[s]);
        last = block->succ[s] > last ? block->succ[s] : last;
        spins |= closes_waiting_loop(jit, block, block->succ[s]);
    }
    if (spins) jit_suspend_spin(jit, block);
    chain(jit, block, waiting, last);
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
        LLVMAddCase(branch, jit_const(jit, 32, i), edge[jit_table_succ(jit, block, table->targets[i])]);
    for (uint32_t s = 0; s < block->succ_count; s++) {
        jit_position(jit, edge[s]);
        jit_edge(jit, block, block->succ[s]);
    }
}

uint32_t jit_table_succ(const struct jit *jit, const struct jit_block *block, uint32_t target)
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
    case JIT_END_MEET: return; /* jit_emit_meet_block does it all */
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
