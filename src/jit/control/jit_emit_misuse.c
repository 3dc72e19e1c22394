/* SPDX-License-Identifier: Apache-2.0 */
/* A look at who reaches a barrier, where the tool asks for it (EVENT_PROBE_SYNC), in code whose warps may
 * stop; where the compiler found that whole warps reach each barrier, there is nothing to see.
 *
 *   lanes arrive at an aligned barrier B: lanes of the warp that are elsewhere, later than B, in code that
 *     also comes after B, have passed by it: frame.missed |= those; frame.missed &= ~arrived
 *   B is complete: the helper barrier_look reads all frames (engine_misuse.c)
 *
 * Code that also comes after B: reachable from both places are instructions that do something. So a lane that
 * returned before the barrier, which CUDA allows from compute capability 7.0 on, has not passed by it. Lanes
 * that are earlier than B may still come.
 * Limits: code after an early return that the program's compiler shares with code behind the barrier counts
 * as passing by. */
#include "jit_frontier_priv.h"
#include "jit_misuse_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/analysis/jit_blocks.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"

#include <stddef.h>

static bool looks(const struct jit *jit)
{
    return jit->request->probes & EVENT_PROBE_SYNC;
}

/* ---- ways between blocks */

/* Adds what can be reached from the blocks of the set; forward: on ways without a back edge. */
static void reach(const struct jit *jit, uint64_t *set, bool forward)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < jit->block_count; b++)
            for (uint32_t s = 0; jit_bit(set, b) && s < jit->blocks[b].succ_count; s++) {
                uint32_t to = jit->blocks[b].succ[s];
                if (jit_bit(set, to) || (forward && to <= b)) continue;
                jit_bit_set(set, to);
                changed = true;
            }
    }
}

static uint64_t *reach_from(struct jit *jit, uint32_t block, bool forward)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    jit_bit_set(set, block);
    reach(jit, set, forward);
    return set;
}

/* Does a thread do something there that others can see? */
static bool acts(const struct jit *jit, const struct jit_block *block)
{
    for (uint32_t i = block->first; i < block->last; i++)
        switch (isa_op_class(jit->function->instrs[i].op)) {
        case ISA_CLASS_ALU:
        case ISA_CLASS_LOAD:
        case ISA_CLASS_BRANCH:
        case ISA_CLASS_EXIT: break;
        case ISA_CLASS_WARP:
        case ISA_CLASS_STORE:
        case ISA_CLASS_ATOMIC:
        case ISA_CLASS_COPY:
        case ISA_CLASS_TEXTURE:
        case ISA_CLASS_CALL:
        case ISA_CLASS_BARRIER:
        case ISA_CLASS_FENCE:
        case ISA_CLASS_MBARRIER:
        case ISA_CLASS_MATRIX:
        case ISA_CLASS_CONTROL:
        case ISA_CLASS_COUNT: return true;
        }
    return false;
}

/* Are lanes at block n in code that also comes after the barrier, whose ways lead to `after`? */
static bool passes_by(struct jit *jit, const uint64_t *after, uint32_t n)
{
    const uint64_t *from = reach_from(jit, n, false);
    for (uint32_t b = 0; b + 1 < jit->block_count; b++)
        if (jit_bit(after, b) && jit_bit(from, b) && acts(jit, &jit->blocks[b])) return true;
    return false;
}

/* ---- lanes that pass by */

void jit_misuse_arrive(struct jit *jit, const struct jit_block *block, LLVMValueRef lanes, LLVMValueRef rest)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    uint32_t number = (uint32_t)(block - jit->blocks), next = block->succ[0];
    if (!looks(jit) || !jit_barrier_aligned(instr) || jit_is_cluster_barrier(instr)) return;
    uint64_t *after = reach_from(jit, number, false);
    LLVMValueRef missed = load32(jit, jit->frame, FRAME_MISSED),
                 line = load32(jit, jit->frame, FRAME_MISSED_LINE);
    missed = LLVMBuildAnd(jit->builder, missed, LLVMBuildNot(jit->builder, lanes, ""), "");
    for (uint32_t n = number + 1; n + 1 < jit->block_count; n++) {
        bool guarded = n == next && instr->guard != PTX_NO_REG, waits = jit_bit(block->frontier, n);
        if (!(guarded || waits) || !passes_by(jit, after, n)) continue;
        LLVMValueRef there = waits ? jit_waiting_at(jit, n) : num(jit, 0);
        if (guarded) there = LLVMBuildOr(jit->builder, there, rest, "");
        missed = LLVMBuildOr(jit->builder, missed, there, "");
        uint32_t where = guarded && !waits ? instr->line : jit_line_of_block(jit, &jit->blocks[n]);
        line = choose(jit, is_zero(jit, there), line, num(jit, where));
    }
    store32(jit, jit->frame, FRAME_MISSED, missed);
    store32(jit, jit->frame, FRAME_MISSED_LINE, line);
}

/* ---- struct jit_sync */

static uint32_t flags_of(const struct jit *jit, const struct jit_block *block)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    if (jit_is_cluster_barrier(instr) || !jit_barrier_aligned(instr)) return 0;
    return JIT_SYNC_ALIGNED | (jit_barrier_read(instr).count ? 0 : JIT_SYNC_ALL);
}

/* The wait points that come after that of the block, as words of 32 bits. */
static void add_later(struct jit *jit, const struct jit_block *block, LLVMValueRef *words, uint32_t count)
{
    bool back = block->succ[0] <= (uint32_t)(block - jit->blocks);
    const uint64_t *later = reach_from(jit, block->succ[0], true);
    for (uint32_t w = 0; w < count; w++) {
        uint32_t bits = 0;
        for (uint32_t p = w * 32; p < w * 32 + 32 && p < jit->wait_point_count && !back; p++) {
            const struct jit_block *other = jit_barrier_of_point(jit, p + 1);
            bits |= (uint32_t)jit_bit(later, (uint32_t)(other - jit->blocks)) << (p % 32);
        }
        words[w] = num(jit, bits);
    }
}

static uint32_t add_places(struct jit *jit, LLVMValueRef *words)
{
    const uint64_t *set = jit_resume_set(jit);
    uint32_t count = 0;
    for (uint32_t b = 0; b < jit->block_count; b++) {
        if (!jit_bit(set, b)) continue;
        words[count++] = num(jit, jit->blocks[b].mask_offset);
        words[count++] = num(jit, jit_line_of_block(jit, &jit->blocks[b]));
    }
    return count / 2;
}

static LLVMValueRef sync_table(struct jit *jit)
{
    LLVMValueRef table = LLVMGetNamedGlobal(jit->module, "softwarp_sync");
    if (table) return table;
    uint32_t points = jit->wait_point_count, reach_words = (points + 31) / 32,
             head = offsetof(struct jit_sync, words) / sizeof(uint32_t), count = head;
    LLVMValueRef *words =
        ARENA_ARRAY(&jit->arena, LLVMValueRef, head + points * (2 + reach_words) + 2 * jit->block_count);
    for (uint32_t p = 1; p <= points; p++, count += reach_words) {
        const struct jit_block *block = jit_barrier_of_point(jit, p);
        words[count++] = num(jit, jit_barrier_instr(jit, block)->line);
        words[count++] = num(jit, flags_of(jit, block));
        add_later(jit, block, &words[count], reach_words);
    }
    uint32_t places = add_places(jit, &words[count]);
    const struct jit_sync first = {.frame_bytes = jit->info.frame_bytes,
                                   .wait_points_at = FRAME_WAIT_POINTS,
                                   .wait_point_count = points,
                                   .collective_at = jit->has_collectives ? jit->collective_offset : 0,
                                   .missed_at = FRAME_MISSED,
                                   .reach_words = reach_words,
                                   .place_count = places};
    for (uint32_t i = 0; i < head; i++)
        words[i] = num(jit, ((const uint32_t *)&first)[i]);
    count += 2 * places;
    table = LLVMAddGlobal(jit->module, LLVMArrayType2(jit->i32, count), "softwarp_sync");
    LLVMSetInitializer(table, LLVMConstArray2(jit->i32, words, count));
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetGlobalConstant(table, true);
    return table;
}

void jit_misuse_release(struct jit *jit, LLVMValueRef id)
{
    if (!looks(jit)) return;
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, sync_table(jit), id};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_look),
                    LLVMFunctionType(jit->empty, types, 3, 0), args, 3);
}
