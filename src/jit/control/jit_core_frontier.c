/* SPDX-License-Identifier: Apache-2.0 */
/* Edges and branches by thread frontiers: one mask per block, no stack, any graph.
 *
 *        block b, lanes `active`                  a lane goes to T or F; some wait at x, y (frontier[b])
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
#include "jit_collective_priv.h"
#include "jit_frontier_priv.h"
#include "jit_suspend_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"

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
    if (jit_registers_in_frame(jit)) jit_schedule_note(jit, jit->frame, jit_const(jit, 32, block), lanes);
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

static void frontier_enter(struct jit *jit, uint32_t block, LLVMValueRef mask)
{
    LLVMBuildStore(jit->builder, mask, jit->active);
    jit_clear_waiting(jit, block);
    if (jit->has_collectives && jit_bit(jit->collective_blocks, block)) jit_collectives_unpark(jit, mask);
    LLVMBuildBr(jit->builder, jit->blocks[block].entry);
}

void jit_enter_waiting(struct jit *jit, uint32_t block)
{
    frontier_enter(jit, block, load_mask(jit, block));
}

static void enter_if_waiting(struct jit *jit, uint32_t block)
{
    LLVMValueRef mask = load_mask(jit, block);
    LLVMBasicBlockRef found = jit_new_block(jit, ""), next = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, mask), next, found, false);
    jit_position(jit, found);
    frontier_enter(jit, block, mask);
    jit_position(jit, next);
}

/* Collectives n and those that follow it in the set before other blocks do: one test for all. Returns the
 * last.
 */
static uint32_t enter_collectives(struct jit *jit, const uint64_t *waiting, uint32_t n, uint32_t end)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), none = jit_new_block(jit, "");
    jit_branch(jit, is_zero(jit, jit_collectives_parked(jit)), none, some, true);
    jit_position(jit, some);
    uint32_t at = n;
    for (; n < end && n + 1 < jit->block_count; n++) {
        if (!jit_bit(waiting, n)) continue;
        if (!jit_bit(jit->collective_blocks, n)) break;
        enter_if_waiting(jit, n);
        at = n;
    }
    LLVMBuildBr(jit->builder, none);
    jit_position(jit, none);
    return at;
}

/* The waiting blocks from `from` to before `to`: a few are tested one by one, more by their bits. */
static void enter_first_waiting(struct jit *jit, const uint64_t *waiting, uint32_t from, uint32_t to)
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
        enter_first_waiting(jit, waiting, from, n);
        if (n == last) {
            jit_enter_waiting(jit, n);
            return;
        }
        enter_if_waiting(jit, n);
        from = n + 1;
    }
    enter_first_waiting(jit, waiting, from, end);
    LLVMBuildBr(jit->builder, jit->blocks[exit_block].entry);
}

/* Go to the first block of `waiting` that has lanes; at the latest to `last`, which surely has (the exit:
 * when there is none). block: the one that ends here, or NULL. */
void jit_chain(struct jit *jit, const struct jit_block *block, const uint64_t *waiting, uint32_t last)
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
        if (jit->has_collectives && jit_bit(jit->collective_blocks, n))
            n = enter_collectives(jit, waiting, n, last);
        else
            enter_if_waiting(jit, n);
    }
    LLVMBuildBr(jit->builder, jit->blocks[exit_block].entry);
}

/* A warp goes on at the first block that has lanes; with none, its end. */
void jit_chain_from_first(struct jit *jit, const uint64_t *waiting)
{
    jit_chain(jit, NULL, waiting, jit->block_count - 1);
}

/* At the first block after the one where it went on round robin the last time (slot `cursor`), so that every
 * block comes up. */
void jit_chain_round_robin(struct jit *jit, const uint64_t *waiting, LLVMValueRef cursor)
{
    if (jit_registers_in_frame(jit)) {
        jit_schedule_round_robin(jit, cursor);
        return;
    }
    LLVMValueRef from = LLVMBuildLoad2(jit->builder, jit->i32, cursor, "");
    for (uint32_t n = 0; n + 1 < jit->block_count; n++) {
        if (!jit_bit(waiting, n)) continue;
        LLVMValueRef mask = load_mask(jit, n), number = jit_const(jit, 32, n);
        LLVMBasicBlockRef found = jit_new_block(jit, ""), next = jit_new_block(jit, "");
        LLVMValueRef passed = LLVMBuildICmp(jit->builder, LLVMIntULT, number, from, "");
        jit_branch(jit, LLVMBuildOr(jit->builder, is_zero(jit, mask), passed, ""), next, found, false);
        jit_position(jit, found);
        LLVMBuildStore(jit->builder, jit_const(jit, 32, n + 1), cursor);
        frontier_enter(jit, n, mask);
        jit_position(jit, next);
    }
    LLVMBuildStore(jit->builder, jit_const(jit, 32, 0), cursor);
    jit_chain(jit, NULL, waiting, jit->block_count - 1);
}

static bool comes_first(const struct jit *jit, const uint64_t *frontier, uint32_t target)
{
    for (uint32_t n = 0; n <= target && n < jit->block_count; n++)
        if (jit_bit(frontier, n)) return false;
    return true;
}

uint64_t *jit_waiting_set(struct jit *jit, const struct jit_block *block)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t w = 0; w < jit->block_words; w++)
        set[w] = block->frontier[w];
    return set;
}

bool jit_closes_waiting_loop(const struct jit *jit, const struct jit_block *block, uint32_t target)
{
    return jit->suspends && block->yields && jit->blocks + target <= block;
}

/* The lanes go round a waiting loop once more, but now and then others first. */
static void back_edge(struct jit *jit, struct jit_block *block, uint32_t target)
{
    uint64_t *waiting = jit_waiting_set(jit, block);
    add_waiting(jit, target, LLVMBuildLoad2(jit->builder, jit->i32, jit->active, ""), true);
    jit_bit_set(waiting, target);
    jit_suspend_spin(jit, block);
    jit_chain(jit, block, waiting, target);
}

/* At a barrier: the lanes that go on (none: target is PTX_NO_BLOCK), then whoever can. */
void jit_go_elsewhere(struct jit *jit, struct jit_block *block, uint32_t target, LLVMValueRef lanes)
{
    uint64_t *waiting = jit_waiting_set(jit, block);
    if (target != PTX_NO_BLOCK && target != jit->block_count - 1) {
        add_waiting(jit, target, lanes, true);
        jit_bit_set(waiting, target);
    }
    jit_chain(jit, block, waiting, jit->block_count - 1);
}

/* All active lanes go to target. */
void jit_edge(struct jit *jit, struct jit_block *block, uint32_t target)
{
    uint32_t exit_block = jit->block_count - 1;
    if (jit_closes_waiting_loop(jit, block, target)) {
        back_edge(jit, block, target);
        return;
    }
    if (comes_first(jit, block->frontier, target)) {
        LLVMBuildBr(jit->builder, jit->blocks[target].entry);
        return;
    }
    uint64_t *waiting = jit_waiting_set(jit, block);
    if (target != exit_block) {
        LLVMValueRef active = LLVMBuildLoad2(jit->builder, jit->i32, jit->active, "");
        add_waiting(jit, target, active, jit_bit(waiting, target));
        jit_bit_set(waiting, target);
    }
    jit_chain(jit, block, waiting, target);
}

/* mask[target] |= lanes, unless they exit. */
void jit_send(struct jit *jit, uint64_t *waiting, uint32_t target, LLVMValueRef lanes)
{
    if (target == jit->block_count - 1) return;
    add_waiting(jit, target, lanes, jit_bit(waiting, target));
    jit_bit_set(waiting, target);
}
