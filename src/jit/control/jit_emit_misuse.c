/* SPDX-License-Identifier: Apache-2.0 */
/* A look at who reaches a barrier, where the tool asks for it (EVENT_PROBE_SYNC).
 *
 * Where the compiler found that whole warps reach each barrier: warps that wait at different ones at the end
 * of a sweep are looked at by the helper warps_look. In code whose warps may stop:
 *
 *   lanes arrive at an aligned barrier B: lanes of the warp that are elsewhere, later than B, in code that
 *     also comes after B, have passed by it: frame.missed |= those; frame.missed &= ~arrived
 *   B is complete: the helper barrier_look reads all frames (engine_misuse.c)
 *
 * Code that also comes after B: reachable from both places are instructions that act (instr_acts). So a lane
 * that returned before the barrier, which CUDA allows from compute capability 7.0 on, has not passed by it.
 * Lanes that are earlier than B may still come.
 * Limits: lanes whose only acts are stores of global memory have passed by where the program has lines of
 * source code, and not where it has none. */
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

static uint64_t *reached_set(const struct jit *jit, uint32_t block)
{
    return jit->reaches + (size_t)block * jit->block_words;
}

/* Adds the block itself and what its successors reach; did that add some? */
static bool reached_add(struct jit *jit, uint32_t block)
{
    uint64_t *set = reached_set(jit, block);
    bool changed = !jit_bit(set, block);
    jit_bit_set(set, block);
    for (uint32_t s = 0; s < jit->blocks[block].succ_count; s++) {
        const uint64_t *to = reached_set(jit, jit->blocks[block].succ[s]);
        for (uint32_t w = 0; w < jit->block_words; w++) {
            changed |= (to[w] & ~set[w]) != 0;
            set[w] |= to[w];
        }
    }
    return changed;
}

/* The block, and those that can be reached from it. */
static const uint64_t *reached_from(struct jit *jit, uint32_t block)
{
    bool changed = !jit->reaches;
    if (!jit->reaches)
        jit->reaches = ARENA_ARRAY(&jit->arena, uint64_t, (size_t)jit->block_count * jit->block_words);
    while (changed) {
        changed = false;
        for (uint32_t b = jit->block_count; b-- > 0;)
            changed |= reached_add(jit, b);
    }
    return reached_set(jit, block);
}

/* Those that are reached from it without a back edge: to a block of a lower number. */
static uint64_t *reached_forward(struct jit *jit, uint32_t block)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = block; b < jit->block_count; b++)
        for (uint32_t s = 0; (b == block || jit_bit(set, b)) && s < jit->blocks[b].succ_count; s++)
            if (jit->blocks[b].succ[s] > b) jit_bit_set(set, jit->blocks[b].succ[s]);
    return set;
}

static enum { LINE_NONE, LINE_MERGED, LINE_OWN } line_kind(const struct ptx_instr *instr)
{
    return !instr->loc ? LINE_NONE : instr->loc->line ? LINE_OWN : LINE_MERGED;
}

/* Would it show that a thread is there before others have passed a barrier? Compilers merge the last accesses
 * of an early return and of the code behind the barrier, and give them line 0 then: those do not count, nor
 * do stores without lines. */
static bool instr_acts(const struct ptx_instr *instr)
{
    enum ptx_space space = ptx_instr_space(instr);
    switch (isa_op_class(instr->op)) {
    case ISA_CLASS_ALU:
    case ISA_CLASS_BRANCH:
    case ISA_CLASS_EXIT: return false;
    case ISA_CLASS_LOAD:
        if (space == PTX_SPACE_PARAM || space == PTX_SPACE_CONST) return false;
        return line_kind(instr) != LINE_MERGED;
    case ISA_CLASS_STORE: return space == PTX_SPACE_SHARED || line_kind(instr) == LINE_OWN;
    case ISA_CLASS_WARP:
    case ISA_CLASS_ATOMIC:
    case ISA_CLASS_COPY:
    case ISA_CLASS_TEXTURE:
    case ISA_CLASS_CALL:
    case ISA_CLASS_BARRIER:
    case ISA_CLASS_FENCE:
    case ISA_CLASS_MBARRIER:
    case ISA_CLASS_MATRIX:
    case ISA_CLASS_CONTROL:
    case ISA_CLASS_COUNT: break;
    }
    return true;
}

/* Blocks that have an instruction which acts. */
static const uint64_t *acting(struct jit *jit)
{
    if (jit->acts) return jit->acts;
    jit->acts = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t b = 0; b < jit->block_count; b++)
        for (uint32_t i = jit->blocks[b].first; i < jit->blocks[b].last; i++)
            if (instr_acts(&jit->function->instrs[i])) jit_bit_set(jit->acts, b);
    return jit->acts;
}

/* Are lanes at block n in code that also comes after the barrier at the end of a block? */
static bool passes_by(struct jit *jit, uint32_t barrier, uint32_t n)
{
    const uint64_t *after = reached_from(jit, barrier), *from = reached_from(jit, n), *acts = acting(jit);
    for (uint32_t w = 0; w < jit->block_words; w++)
        if (after[w] & from[w] & acts[w]) return true;
    return false;
}

/* ---- barriers that a warp leaves out
 *
 * A barrier outside of loops is conditional where some block after it, from which an act is reached, has a
 * predecessor that is not after it. A warp that comes there, none of whose lanes has waited at the barrier,
 * has left it out; if warps wait at it then, they are told of (engine_misuse.c). */

static uint32_t flags_of(const struct jit *jit, const struct jit_block *block)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    if (jit_is_cluster_barrier(instr) || !jit_barrier_aligned(instr)) return 0;
    return JIT_SYNC_ALIGNED | (jit_barrier_read(instr).count ? 0 : JIT_SYNC_ALL) |
           (ptx_has(instr, ISA_MOD_RED) ? JIT_SYNC_REDUCES : 0);
}

/* Does a thread at the block come to an act? */
static bool leads_to_act(struct jit *jit, uint32_t block)
{
    const uint64_t *from = reached_from(jit, block), *acts = acting(jit);
    for (uint32_t w = 0; w < jit->block_words; w++)
        if (from[w] & acts[w]) return true;
    return false;
}

/* Adds the bit to the blocks where a warp is behind the barrier for sure; false: there is none. */
static bool add_left_out(struct jit *jit, uint32_t barrier, uint32_t bit)
{
    const uint64_t *after = reached_from(jit, barrier);
    bool any = false;
    for (uint32_t p = 0; p + 1 < jit->block_count; p++)
        for (uint32_t s = 0; !jit_bit(after, p) && s < jit->blocks[p].succ_count; s++) {
            uint32_t to = jit->blocks[p].succ[s];
            if (to == barrier || !jit_bit(after, to) || !leads_to_act(jit, to)) continue;
            jit->left_out[to] |= bit;
            any = true;
        }
    return any;
}

/* By block; and by barrier, at [block_count + its block], its bit. */
static const uint32_t *left_out(struct jit *jit)
{
    uint32_t bit = 1;
    if (jit->left_out) return jit->left_out;
    jit->left_out = ARENA_ARRAY(&jit->arena, uint32_t, 2 * (size_t)jit->block_count);
    for (uint32_t b = 0; b < jit->block_count && bit; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!block->wait_point || block->in_cycle || !(flags_of(jit, block) & JIT_SYNC_ALL)) continue;
        if (!add_left_out(jit, b, bit)) continue;
        jit->left_out[jit->block_count + b] = bit;
        bit <<= 1;
    }
    return jit->left_out;
}

static uint32_t bit_of(struct jit *jit, const struct jit_block *block)
{
    return left_out(jit)[jit->block_count + (uint32_t)(block - jit->blocks)];
}

static void note_passed(struct jit *jit, const struct jit_block *block)
{
    uint32_t bit = bit_of(jit, block);
    if (!bit) return;
    LLVMValueRef passed = load32(jit, jit->frame, FRAME_PASSED);
    store32(jit, jit->frame, FRAME_PASSED, LLVMBuildOr(jit->builder, passed, num(jit, bit), ""));
}

enum { MIXED_POINTS = 1, MIXED_LEFT_OUT = 2 }; /* bits of mixed_waits */

void jit_misuse_enter(struct jit *jit, const struct jit_block *block)
{
    if (!looks(jit) || !jit->wait_point_count) return;
    uint32_t behind = left_out(jit)[block - jit->blocks];
    if (!behind) return;
    LLVMBasicBlockRef note = jit_new_block(jit, "left_out"), fine = jit_new_block(jit, "");
    LLVMValueRef missing = LLVMBuildNot(jit->builder, load32(jit, jit->frame, FRAME_PASSED), "");
    missing = LLVMBuildAnd(jit->builder, missing, num(jit, behind), "");
    jit_branch(jit, is_zero(jit, missing), fine, note, true);
    jit_position(jit, note);
    LLVMValueRef before = load32(jit, jit->frame, FRAME_LEFT_OUT);
    store32(jit, jit->frame, FRAME_LEFT_OUT, LLVMBuildOr(jit->builder, before, missing, ""));
    store32(jit, jit->frame, FRAME_LEFT_OUT + 4, num(jit, jit_line_of_block(jit, block)));
    if (jit->mixed_waits)
        LLVMBuildStore(jit->builder, num(jit, MIXED_LEFT_OUT | MIXED_POINTS), jit->mixed_waits);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}

/* At a fence. */
uint32_t jit_misuse_force(struct jit *jit, const struct jit_block *block)
{
    bool ends = looks(jit) && !leads_to_act(jit, (uint32_t)(block - jit->blocks));
    return ends ? JIT_FORCE_ENDED : jit_line_of_block(jit, block);
}

/* ---- lanes that pass by */

void jit_misuse_arrive(struct jit *jit, const struct jit_block *block, LLVMValueRef lanes, LLVMValueRef rest)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    uint32_t number = (uint32_t)(block - jit->blocks), next = block->succ[0];
    if (!looks(jit) || !jit_barrier_aligned(instr) || jit_is_cluster_barrier(instr)) return;
    LLVMValueRef missed = load32(jit, jit->frame, FRAME_MISSED),
                 line = load32(jit, jit->frame, FRAME_MISSED + 4);
    missed = LLVMBuildAnd(jit->builder, missed, LLVMBuildNot(jit->builder, lanes, ""), "");
    for (uint32_t n = number + 1; n + 1 < jit->block_count; n++) {
        bool guarded = n == next && instr->guard != PTX_NO_REG, waits = jit_bit(block->frontier, n);
        if (!(guarded || waits) || !passes_by(jit, number, n)) continue;
        LLVMValueRef there = waits ? jit_waiting_at(jit, n) : num(jit, 0);
        if (guarded) there = LLVMBuildOr(jit->builder, there, rest, "");
        missed = LLVMBuildOr(jit->builder, missed, there, "");
        uint32_t where = guarded && !waits ? instr->line : jit_line_of_block(jit, &jit->blocks[n]);
        line = choose(jit, is_zero(jit, there), line, num(jit, where));
    }
    note_passed(jit, block);
    store32(jit, jit->frame, FRAME_MISSED, missed);
    store32(jit, jit->frame, FRAME_MISSED + 4, line);
}

/* ---- struct jit_sync */

/* Does a barrier come after another in the program: on a way without a back edge, or on any where there is no
 * way back, as after a loop? */
static bool is_later(struct jit *jit, const uint64_t *forward, uint32_t from, uint32_t to)
{
    return jit_bit(forward, to) ||
           (jit_bit(reached_from(jit, from), to) && !jit_bit(reached_from(jit, to), from));
}

/* The wait points that come after that of the block, as words of 32 bits. */
static void add_later(struct jit *jit, const struct jit_block *block, LLVMValueRef *words, uint32_t count)
{
    uint32_t number = (uint32_t)(block - jit->blocks);
    const uint64_t *forward = reached_forward(jit, number);
    uint32_t *bits = ARENA_ARRAY(&jit->arena, uint32_t, count);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        if (!jit->blocks[b].wait_point || !is_later(jit, forward, number, b)) continue;
        uint32_t first = jit->blocks[b].wait_point - 1,
                 end = first + jit_barrier_wait_points(jit, &jit->blocks[b]);
        for (uint32_t p = first; p < end; p++)
            bits[p / 32] |= UINT32_C(1) << (p % 32);
    }
    for (uint32_t w = 0; w < count; w++)
        words[w] = num(jit, bits[w]);
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
        ARENA_ARRAY(&jit->arena, LLVMValueRef, head + points * (3 + reach_words) + 2 * jit->block_count);
    for (uint32_t p = 1; p <= points; p++, count += reach_words) {
        const struct jit_block *block = jit_barrier_of_point(jit, p);
        words[count++] = num(jit, jit_barrier_instr(jit, block)->line);
        words[count++] = num(jit, flags_of(jit, block));
        words[count++] = num(jit, bit_of(jit, block));
        add_later(jit, block, &words[count], reach_words);
    }
    uint32_t places = jit->suspends ? add_places(jit, &words[count]) : 0;
    const struct jit_sync first = {.frame_bytes = jit->info.frame_bytes,
                                   .wait_points_at = jit->suspends ? FRAME_WAIT_POINTS : 0,
                                   .wait_point_count = points,
                                   .collective_at = jit->has_collectives ? jit->collective_offset : 0,
                                   .missed_at = FRAME_MISSED,
                                   .left_out_at = FRAME_LEFT_OUT,
                                   .reach_words = reach_words,
                                   .place_count = places};
    for (uint32_t i = 0; i < head; i++)
        words[i] = num(jit, ((const uint32_t *)&first)[i]);
    count += 2 * places;
    return jit_object_constant(jit, LLVMConstArray2(jit->i32, words, count), "softwarp_sync",
                               sizeof(uint32_t));
}

void jit_misuse_release(struct jit *jit, LLVMValueRef id)
{
    if (!looks(jit)) return;
    LLVMTypeRef types[] = {jit->ptr, jit->ptr, jit->i32};
    LLVMValueRef args[] = {jit->ctx, sync_table(jit), id};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_look),
                    LLVMFunctionType(jit->empty, types, 3, 0), args, 3);
}

/* ---- whole warps */

static bool leaves_out(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (left_out(jit)[b]) return true;
    return false;
}

void jit_misuse_layout(struct jit *jit)
{
    if (looks(jit) && (jit->wait_point_count > 1 || leaves_out(jit)))
        jit->mixed_waits = jit_slot(jit, jit->i32, "mixed_waits");
}

void jit_misuse_block_begin(struct jit *jit)
{
    if (jit->mixed_waits) LLVMBuildStore(jit->builder, num(jit, 0), jit->mixed_waits);
}

void jit_misuse_clear(struct jit *jit, LLVMValueRef frame)
{
    if (looks(jit)) store32(jit, frame, FRAME_OWED, num(jit, 0));
    if (!jit->mixed_waits) return;
    store32(jit, frame, FRAME_PASSED, num(jit, 0));
    store32(jit, frame, FRAME_LEFT_OUT, num(jit, 0));
}

void jit_misuse_sweep_begin(struct jit *jit)
{
    if (!jit->mixed_waits) return;
    LLVMValueRef kept = LLVMBuildLoad2(jit->builder, jit->i32, jit->mixed_waits, "");
    kept = LLVMBuildAnd(jit->builder, kept, num(jit, MIXED_LEFT_OUT), "");
    LLVMBuildStore(jit->builder, kept, jit->mixed_waits);
}

void jit_misuse_warp_waits(struct jit *jit, uint32_t wait_point)
{
    if (!jit->mixed_waits) return;
    note_passed(jit, jit_barrier_of_point(jit, wait_point));
    LLVMValueRef before = LLVMBuildLoad2(jit->builder, jit->i32, jit->any_waits, ""),
                 mixed = LLVMBuildLoad2(jit->builder, jit->i32, jit->mixed_waits, "");
    LLVMValueRef none = is_zero(jit, before), same = equal(jit, before, num(jit, wait_point));
    mixed = choose(jit, LLVMBuildOr(jit->builder, none, same, ""), mixed,
                   LLVMBuildOr(jit->builder, mixed, num(jit, MIXED_POINTS), ""));
    LLVMBuildStore(jit->builder, mixed, jit->mixed_waits);
}

void jit_misuse_sweep_end(struct jit *jit)
{
    if (!jit->mixed_waits) return;
    LLVMBasicBlockRef look = jit_new_block(jit, "mixed"), fine = jit_new_block(jit, "");
    LLVMValueRef mixed = LLVMBuildLoad2(jit->builder, jit->i32, jit->mixed_waits, "");
    jit_branch(jit, is_zero(jit, mixed), fine, look, true);
    jit_position(jit, look);
    LLVMTypeRef types[] = {jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, sync_table(jit)};
    jit_helper_call(jit, offsetof(struct jit_helpers, warps_look), LLVMFunctionType(jit->empty, types, 2, 0),
                    args, 2);
    LLVMBuildBr(jit->builder, fine);
    jit_position(jit, fine);
}
