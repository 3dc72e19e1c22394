/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks whose warps may stop anywhere: what happens between the sweeps over their warps.
 *
 *   softwarp_step(ctx, block)
 *     each sweep: each warp runs until none of its lanes can (they ended, wait at a barrier, or gave way);
 *     then every barrier with all its threads lets them go on.
 *     1 when all warps have ended; 0 when the rest only gave way
 *   softwarp_run(ctx, first, count): each block from zeroed frames, stepped until it has ended
 *
 * Which lanes of a warp have arrived follows what an H100 does (tests/hw/h100/barriers.txt):
 * - barrier (not aligned): the lanes of a warp arrive when all that have not exited wait at this number,
 *   whichever instruction each is at; so do those of a number that stands in a register.
 * - bar.red (aligned): they arrive when all that have not exited wait at one line of PTX.
 * - bar.sync (aligned): each lane arrives for itself; if nothing else can go on, some count as the warp.
 *
 * A warp that arrives whole, or has exited after bar.arrive, counts as 32 threads.
 *
 * Limits: a barrier whose threads name different counts is complete with the largest. Where lanes of a warp
 * cross aligned barriers apart, which PTX leaves undefined, a GPU sometimes hangs and this does not. */
#include "jit_collective_priv.h"
#include "jit_frontier_priv.h"
#include "jit_misuse_priv.h"
#include "jit_points_priv.h"
#include "jit_region_priv.h"
#include "jit_suspend_priv.h"

#include "jit/analysis/jit_barrier.h"
#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_frame.h"
#include "jit/core/jit_probes.h"
#include "jit/emit/jit_shadow.h"
#include "jit/op/jit_ops.h"
#include "jit/probe/jit_probe.h"
#include "jit/value/jit_mask.h"
#include "jit/value/jit_values.h"

#include <stddef.h>

/* ---- which barriers are complete? */

struct tally { /* slots, for one barrier number; lenient: see above, for all numbers */
    LLVMValueRef waiting, threads, live, want, votes, lenient;
};

/* Lanes of a warp that wait at this wait point for barrier `id`. */
static LLVMValueRef waiting_for(struct jit *jit, LLVMValueRef wait_point, LLVMValueRef id)
{
    LLVMValueRef same = equal(jit, load32(jit, wait_point, WAIT_ID), id);
    return choose(jit, same, load32(jit, wait_point, WAIT_LANES), num(jit, 0));
}

/* Notes the lanes of each warp that have not exited. The masks in the frame of one that has ended are those
 * of its last stop: nobody clears them. Returns the numbers for which lanes wait, by bit. */
static LLVMValueRef look_at_warps(struct jit *jit)
{
    LLVMValueRef numbers = jit_slot(jit, jit->i32, "numbers"), alive = jit_slot(jit, jit->i32, "alive");
    LLVMBuildStore(jit->builder, num(jit, 0), numbers);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    LLVMValueRef frame = jit_frame_of(jit, warps.i);
    LLVMBuildStore(jit->builder, jit_waiting_by_frame(jit, frame), alive);
    struct point_loop points = jit_points_begin(jit, frame);
    LLVMValueRef lanes = load32(jit, points.at, WAIT_LANES), id = load32(jit, points.at, WAIT_ID);
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, get(jit, alive), lanes, ""), alive);
    LLVMValueRef numbered = LLVMBuildICmp(jit->builder, LLVMIntULT, id, num(jit, NUMBERED), "");
    LLVMValueRef bit = LLVMBuildShl(jit->builder, LLVMBuildZExt(jit->builder, numbered, jit->i32, ""),
                                    LLVMBuildAnd(jit->builder, id, num(jit, NUMBERED - 1), ""), "");
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, get(jit, numbers), bit, ""), numbers);
    jit_points_end(jit, &points);
    LLVMValueRef ended = equal(jit, load32(jit, frame, FRAME_STATE), num(jit, STATE_ENDED));
    store32(jit, frame, FRAME_ALIVE, choose(jit, ended, num(jit, 0), get(jit, alive)));
    jit_loop_end(jit, &warps);
    return get(jit, numbers);
}

/* Lanes of a warp that wait for number `id`; at an instruction of this line of PTX, if it is not NULL: copies
 * of an inlined function's are one. */
static LLVMValueRef lanes_of_number(struct jit *jit, LLVMValueRef frame, LLVMValueRef id, LLVMValueRef line)
{
    LLVMValueRef slot = jit_slot(jit, jit->i32, "lanes");
    LLVMBuildStore(jit->builder, num(jit, 0), slot);
    struct point_loop points = jit_points_begin(jit, frame);
    LLVMValueRef lanes = waiting_for(jit, points.at, id);
    if (line) lanes = choose(jit, equal(jit, jit_point_line(jit, points.index), line), lanes, num(jit, 0));
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, get(jit, slot), lanes, ""), slot);
    jit_points_end(jit, &points);
    return get(jit, slot);
}

struct warp_lanes { /* of one warp: those that wait for a number, those that have not exited */
    LLVMValueRef frame, id, waiting, alive;
};

static struct warp_lanes lanes_of_warp(struct jit *jit, LLVMValueRef frame, LLVMValueRef id)
{
    return (struct warp_lanes){frame, id, lanes_of_number(jit, frame, id, NULL),
                               load32(jit, frame, FRAME_ALIVE)};
}

/* Those of the lanes that wait at a point for the warp's number which have arrived. */
static LLVMValueRef arrived_lanes(struct jit *jit, const struct point_loop *point,
                                  const struct warp_lanes *warp)
{
    LLVMValueRef here = waiting_for(jit, point->at, warp->id), kind = jit_point_kind(jit, point->index);
    LLVMValueRef together = choose(jit, equal(jit, warp->waiting, warp->alive), here, num(jit, 0));
    LLVMValueRef arrived = choose(jit, equal(jit, kind, num(jit, POINT_TOGETHER)), together, here);
    if (!jit_points_have(jit, POINT_LINE)) return arrived;
    LLVMValueRef line = jit_point_line(jit, point->index);
    LLVMValueRef at_line = lanes_of_number(jit, warp->frame, warp->id, line);
    at_line = choose(jit, equal(jit, at_line, warp->alive), here, num(jit, 0));
    return choose(jit, equal(jit, kind, num(jit, POINT_LINE)), at_line, arrived);
}

/* Threads that bar.arrive counted: of a warp that has ended, whole warps. */
static LLVMValueRef counted_arrivals(struct jit *jit, LLVMValueRef frame, LLVMValueRef id)
{
    LLVMValueRef arrived = get(jit, arrived_at(jit, frame, id));
    LLVMValueRef whole =
        LLVMBuildAnd(jit->builder, LLVMBuildAdd(jit->builder, arrived, num(jit, 31), ""), num(jit, ~31u), "");
    LLVMValueRef ended = equal(jit, load32(jit, frame, FRAME_STATE), num(jit, STATE_ENDED));
    return choose(jit, ended, whole, arrived);
}

/* What the lanes that have arrived at a wait point say. */
static void tally_point(struct jit *jit, LLVMValueRef wait_point, LLVMValueRef lanes,
                        const struct tally *tally)
{
    LLVMValueRef count = load32(jit, wait_point, WAIT_COUNT), want = get(jit, tally->want);
    LLVMValueRef some = LLVMBuildNot(jit->builder, equal(jit, lanes, num(jit, 0)), "");
    LLVMValueRef more = LLVMBuildICmp(jit->builder, LLVMIntUGT, count, want, "");
    LLVMBuildStore(jit->builder, choose(jit, LLVMBuildAnd(jit->builder, some, more, ""), count, want),
                   tally->want);
    LLVMValueRef votes = load32(jit, wait_point, WAIT_PREDICATES);
    add_to(jit, tally->votes, popcount(jit, LLVMBuildAnd(jit->builder, votes, lanes, "")));
}

/* tally: NULL, or what they say is added. */
static LLVMValueRef all_arrived(struct jit *jit, const struct warp_lanes *warp, const struct tally *tally)
{
    LLVMValueRef arrived = jit_slot(jit, jit->i32, "arrived");
    LLVMBuildStore(jit->builder, num(jit, 0), arrived);
    struct point_loop points = jit_points_begin(jit, warp->frame);
    LLVMValueRef lanes = arrived_lanes(jit, &points, warp);
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, get(jit, arrived), lanes, ""), arrived);
    if (tally) tally_point(jit, points.at, lanes, tally);
    jit_points_end(jit, &points);
    return get(jit, arrived);
}

static void tally_warp(struct jit *jit, LLVMValueRef frame, LLVMValueRef id, const struct tally *tally)
{
    struct warp_lanes warp = lanes_of_warp(jit, frame, id);
    LLVMValueRef zero = num(jit, 0), all = all_arrived(jit, &warp, tally);
    LLVMValueRef lenient = LLVMBuildNot(jit->builder, equal(jit, get(jit, tally->lenient), zero), "");
    LLVMValueRef whole = LLVMBuildOr(jit->builder, equal(jit, all, warp.alive), lenient, "");
    LLVMValueRef threads = choose(jit, whole, num(jit, 32), popcount(jit, all));
    add_to(jit, tally->threads, choose(jit, equal(jit, all, zero), zero, threads));
    add_to(jit, tally->waiting, popcount(jit, all));
    add_to(jit, tally->live, choose(jit, equal(jit, warp.alive, zero), zero, num(jit, 32)));
    add_to(jit, tally->threads, counted_arrivals(jit, frame, id));
}

static LLVMValueRef reduction(struct jit *jit, const struct ptx_instr *instr, const struct tally *tally)
{
    LLVMValueRef votes = get(jit, tally->votes);
    if (ptx_has(instr, ISA_MOD_POPC)) return votes;
    if (ptx_has(instr, ISA_MOD_AND)) return equal(jit, votes, get(jit, tally->waiting));
    return LLVMBuildNot(jit->builder, equal(jit, votes, num(jit, 0)), "");
}

/* The result of bar.red for lanes that go on, into their register in the frame. */
static void deliver_at(struct jit *jit, const struct jit_block *block, LLVMValueRef lanes,
                       const struct tally *tally)
{
    const struct ptx_instr *instr = jit_barrier_instr(jit, block);
    struct jit_barrier barrier = jit_barrier_read(instr);
    if (barrier.dest->kind != ISA_OPD_REG) return;
    struct jit_reg *reg = &jit->regs[barrier.dest->reg];
    LLVMValueRef result = reduction(jit, instr, tally), parts[JIT_MAX_PARTS];
    unsigned bits = ptx_has(instr, ISA_MOD_POPC) ? 32 : 1;
    result = jit_resize(jit, result, bits, reg->bits, false);
    for (unsigned p = 0; p < jit_reg_pieces(jit, reg) && reg->abstract.repr != JIT_VECTOR; p++) {
        LLVMValueRef slot = jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step);
        LLVMValueRef old = LLVMBuildLoad2(jit->builder, jit_int(jit, reg->bits), slot, "");
        LLVMValueRef none = equal(jit, lanes, num(jit, 0));
        LLVMBuildStore(jit->builder, choose(jit, none, old, result), slot);
    }
    if (reg->abstract.repr != JIT_VECTOR) return;
    jit_mask_split(jit, lanes, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef slot = jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step);
        LLVMValueRef old = LLVMBuildLoad2(jit->builder, jit_vec(jit, reg->bits), slot, "");
        LLVMBuildStore(jit->builder, choose(jit, parts[p], jit_splat(jit, result, reg->bits), old), slot);
    }
}

static bool is_cluster_wait(const struct jit *jit, const struct jit_block *block)
{
    return block->wait_point && jit_is_cluster_barrier(jit_barrier_instr(jit, block));
}

static bool has_result(struct jit *jit, const struct jit_block *block)
{
    if (is_cluster_wait(jit, block)) return false;
    struct jit_barrier barrier = jit_barrier_read(jit_barrier_instr(jit, block));
    if (!barrier.dest || barrier.dest->kind != ISA_OPD_REG) return false;
    return jit_lives(jit, jit->blocks[block->succ[0]].live_in, barrier.dest->reg);
}

/* To the lanes of a wait point, whose barrier may have a result. */
static void deliver(struct jit *jit, const struct point_loop *point, LLVMValueRef lanes,
                    const struct tally *tally)
{
    LLVMBasicBlockRef after = jit_new_block(jit, "");
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, point->index, after, jit->wait_point_count);
    for (uint32_t p = 0; p < jit->wait_point_count; p++) {
        const struct jit_block *block = jit_barrier_of_point(jit, p + 1);
        if (!has_result(jit, block)) continue;
        LLVMBasicBlockRef result = jit_new_block(jit, "");
        LLVMAddCase(branch, num(jit, p), result);
        jit_position(jit, result);
        deliver_at(jit, block, lanes, tally);
        LLVMBuildBr(jit->builder, after);
    }
    jit_position(jit, after);
}

/* Lanes of a wait point go on behind its barrier. */
static void release_lanes(struct jit *jit, LLVMValueRef frame, LLVMValueRef index, LLVMValueRef lanes)
{
    LLVMValueRef wait_point = jit_point_at(jit, frame, index);
    LLVMValueRef left = without(jit, load32(jit, wait_point, WAIT_LANES), lanes);
    store32(jit, wait_point, WAIT_LANES, left);
    jit_point_note(jit, frame, index, left);
    jit_point_send(jit, frame, index, lanes);
}

/* All lanes that go on are known before the first of them does. */
static void release_warp(struct jit *jit, LLVMValueRef frame, LLVMValueRef id, const struct tally *tally)
{
    LLVMValueRef outer = jit->frame;
    jit->frame = frame;
    LLVMBuildStore(jit->builder, num(jit, 0), arrived_at(jit, frame, id));
    struct warp_lanes warp = lanes_of_warp(jit, frame, id);
    struct point_loop points = jit_points_begin(jit, frame);
    store32(jit, points.at, WAIT_GO, arrived_lanes(jit, &points, &warp));
    jit_points_end(jit, &points);
    points = jit_points_begin(jit, frame);
    LLVMValueRef lanes = load32(jit, points.at, WAIT_GO);
    deliver(jit, &points, lanes, tally);
    release_lanes(jit, frame, points.index, lanes);
    jit_points_end(jit, &points);
    jit->frame = outer;
}

/* ---- the barrier of a cluster of one block: arriving and waiting are two instructions, and a lane may
 * arrive anew before another has waited. A phase is over when every lane that is alive has arrived. */

/* The phase's end, for all warps: the lanes that have not arrived are `missing` (slot). */
static void tally_cluster(struct jit *jit, LLVMValueRef missing)
{
    LLVMBuildStore(jit->builder, num(jit, 0), missing);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    LLVMValueRef frame = jit_frame_of(jit, warps.i), arrived = load32(jit, frame, FRAME_CLUSTER);
    LLVMValueRef others = without(jit, load32(jit, frame, FRAME_ALIVE), arrived);
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, get(jit, missing), others, ""), missing);
    jit_loop_end(jit, &warps);
}

/* Lanes whose phase is over go on. */
static void release_cluster(struct jit *jit, LLVMValueRef released)
{
    LLVMValueRef missing = jit_slot(jit, jit->i32, "missing");
    tally_cluster(jit, missing);
    LLVMValueRef over = equal(jit, get(jit, missing), num(jit, 0));
    LLVMValueRef number = jit_const(jit, 64, JIT_ORDER_CLUSTER);
    jit_shadow_order(jit, num(jit, 0), LLVMBuildSExt(jit->builder, over, jit->i32, ""),
                     JIT_ORDER_CLUSTER_COMPLETE, number);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    LLVMValueRef frame = jit_frame_of(jit, warps.i);
    LLVMValueRef arrived = choose(jit, over, num(jit, 0), load32(jit, frame, FRAME_CLUSTER));
    store32(jit, frame, FRAME_CLUSTER, arrived);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        if (!is_cluster_wait(jit, &jit->blocks[b])) continue;
        uint32_t point = jit->blocks[b].wait_point;
        LLVMValueRef waiting = load32(jit, frame, wait_point_offset(point) + WAIT_LANES);
        LLVMValueRef lanes = without(jit, waiting, arrived);
        release_lanes(jit, frame, num(jit, point - 1), lanes);
        jit_shadow_order(jit, warps.i, lanes, JIT_ORDER_BARRIER_PASS, number);
        LLVMValueRef none = equal(jit, lanes, num(jit, 0));
        LLVMBuildStore(jit->builder, choose(jit, none, get(jit, released), num(jit, 1)), released);
    }
    jit_loop_end(jit, &warps);
}

static bool waits_for_cluster(const struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (is_cluster_wait(jit, &jit->blocks[b])) return true;
    return false;
}

/* ---- for tools */

/* Lanes of all warps that have arrived at barrier `id`, or pass it. */
static void note_barrier(struct jit *jit, LLVMValueRef id, enum jit_order what)
{
    if (!jit_shadows_order(jit)) return;
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    struct warp_lanes warp = lanes_of_warp(jit, jit_frame_of(jit, warps.i), id);
    LLVMValueRef lanes = all_arrived(jit, &warp, NULL);
    jit_shadow_order(jit, warps.i, lanes, what, LLVMBuildZExt(jit->builder, id, jit->i64, ""));
    jit_loop_end(jit, &warps);
}

/* Before the first of them goes on. */
static void note_complete(struct jit *jit, LLVMValueRef id)
{
    note_barrier(jit, id, JIT_ORDER_BARRIER_ARRIVE);
    jit_shadow_order(jit, num(jit, 0), num(jit, 0), JIT_ORDER_BARRIER_COMPLETE,
                     LLVMBuildZExt(jit->builder, id, jit->i64, ""));
    note_barrier(jit, id, JIT_ORDER_BARRIER_PASS);
}

/* ---- sweeps */

/* i1: have all threads of barrier `id` arrived? */
static LLVMValueRef is_complete(struct jit *jit, LLVMValueRef id, const struct tally *tally)
{
    LLVMValueRef slots[] = {tally->waiting, tally->threads, tally->live, tally->want, tally->votes};
    for (size_t i = 0; i < SW_COUNT_OF(slots); i++)
        LLVMBuildStore(jit->builder, num(jit, 0), slots[i]);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    tally_warp(jit, jit_frame_of(jit, warps.i), id, tally);
    jit_loop_end(jit, &warps);
    LLVMValueRef want = get(jit, tally->want), threads = get(jit, tally->threads);
    LLVMValueRef needed = choose(jit, equal(jit, want, num(jit, 0)), get(jit, tally->live), want);
    LLVMValueRef some = LLVMBuildNot(jit->builder, equal(jit, get(jit, tally->waiting), num(jit, 0)), "");
    LLVMValueRef enough = LLVMBuildICmp(jit->builder, LLVMIntUGE, threads, needed, "");
    return LLVMBuildAnd(jit->builder, some, enough, "");
}

/* Lets lanes go on from every complete barrier; released: slot set to 1 when there was one. */
static void release_barriers(struct jit *jit, LLVMValueRef released, LLVMValueRef lenient)
{
    struct tally tally = {.waiting = jit_slot(jit, jit->i32, "waiting"),
                          .threads = jit_slot(jit, jit->i32, "threads"),
                          .live = jit_slot(jit, jit->i32, "live"),
                          .want = jit_slot(jit, jit->i32, "want"),
                          .votes = jit_slot(jit, jit->i32, "votes"),
                          .lenient = lenient};
    LLVMBasicBlockRef complete = jit_new_block(jit, "complete"), next = jit_new_block(jit, "");
    struct jit_bit_loop numbers = jit_bit_loop_begin(jit, look_at_warps(jit));
    LLVMValueRef id = numbers.bit;
    jit_branch(jit, is_complete(jit, id, &tally), complete, next, false);
    jit_position(jit, complete);
    LLVMBuildStore(jit->builder, num(jit, 1), released);
    note_complete(jit, id);
    jit_misuse_release(jit, id);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    release_warp(jit, jit_frame_of(jit, warps.i), id, &tally);
    jit_loop_end(jit, &warps);
    LLVMBuildBr(jit->builder, next);
    jit_position(jit, next);
    jit_bit_loop_end(jit, &numbers);
}

static LLVMValueRef all_ended(struct jit *jit)
{
    LLVMValueRef alive = jit_slot(jit, jit->i32, "alive");
    LLVMBuildStore(jit->builder, num(jit, 0), alive);
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    LLVMValueRef state = load32(jit, jit_frame_of(jit, warps.i), FRAME_STATE);
    LLVMValueRef ended = equal(jit, state, num(jit, STATE_ENDED));
    add_to(jit, alive, choose(jit, ended, num(jit, 0), num(jit, 1)));
    jit_loop_end(jit, &warps);
    return equal(jit, get(jit, alive), num(jit, 0));
}

/* struct jit_stuck as words of the object. */
static LLVMValueRef stuck_table(struct jit *jit)
{
    _Static_assert(sizeof(struct jit_wait_point) == WAIT_BYTES,
                   "the wait points of a frame are read outside");
    LLVMValueRef *words = ARENA_ARRAY(&jit->arena, LLVMValueRef, jit->wait_point_count + 5);
    unsigned count = 0;
    words[count++] = num(jit, jit->info.frame_bytes);
    words[count++] = num(jit, FRAME_WAIT_POINTS);
    words[count++] = num(jit, jit->wait_point_count);
    words[count++] = num(jit, jit->has_collectives ? jit->collective_offset : 0);
    words[count++] = num(jit, FRAME_MISSED);
    for (uint32_t wait_point = 1; wait_point <= jit->wait_point_count; wait_point++)
        words[count++] = num(jit, jit_barrier_instr(jit, jit_barrier_of_point(jit, wait_point))->line);
    return jit_object_constant(jit, LLVMConstArray2(jit->i32, words, count), "softwarp_stuck",
                               sizeof(uint32_t));
}

/* Each warp's requests are counted anew. */
void jit_suspend_step_begin(struct jit *jit)
{
    if (!jit_records(jit)) return;
    struct count_loop warps = jit_loop_begin(jit, 0, jit->warp_count);
    jit_record_round_begin(jit, jit_frame_of(jit, warps.i));
    jit_loop_end(jit, &warps);
}

void jit_suspend_sweep_begin(struct jit *jit)
{
    LLVMBuildStore(jit->builder, num(jit, 0), jit->any_waits);
}

/* After a sweep: 1 when all have ended, another sweep when a barrier let lanes go on, 0 when warps gave way;
 * warps that wait for threads that never come are an error of the program. */
void jit_suspend_sweep_end(struct jit *jit, LLVMBasicBlockRef again)
{
    LLVMBasicBlockRef ended = jit_new_block(jit, "ended"), alive = jit_new_block(jit, "alive"),
                      stuck = jit_new_block(jit, "stuck"), hang = jit_new_block(jit, "hang"),
                      yielded = jit_new_block(jit, "yielded");
    jit_branch(jit, all_ended(jit), ended, alive, false);
    jit_position(jit, ended);
    jit_record_close(jit);
    LLVMBuildRet(jit->builder, num(jit, 1));
    jit_position(jit, alive);
    LLVMValueRef released = jit_slot(jit, jit->i32, "released"), lenient = jit_slot(jit, jit->i32, "lenient");
    LLVMBasicBlockRef release = jit_new_block(jit, "release"), retry = jit_new_block(jit, "retry");
    LLVMBuildStore(jit->builder, num(jit, 0), released);
    LLVMBuildStore(jit->builder, num(jit, 0), lenient);
    LLVMBuildBr(jit->builder, release);
    jit_position(jit, release);
    if (jit->wait_point_count) release_barriers(jit, released, lenient);
    if (waits_for_cluster(jit)) release_cluster(jit, released);
    jit_branch(jit, equal(jit, get(jit, released), num(jit, 0)), stuck, again, false);
    jit_position(jit, stuck);
    LLVMBasicBlockRef still = jit_new_block(jit, "still");
    jit_branch(jit, equal(jit, get(jit, jit->any_waits), num(jit, 0)), still, yielded, false);
    jit_position(jit, still);
    jit_branch(jit, equal(jit, get(jit, lenient), num(jit, 0)), retry, hang, false);
    jit_position(jit, retry);
    LLVMBuildStore(jit->builder, num(jit, 1), lenient);
    LLVMBuildBr(jit->builder, release);
    jit_position(jit, hang);
    LLVMTypeRef params[] = {jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, stuck_table(jit)};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_stuck),
                    LLVMFunctionType(jit->empty, params, 2, 0), args, 2);
    LLVMBuildBr(jit->builder, yielded);
    jit_position(jit, yielded);
    jit_record_close(jit);
    LLVMBuildRet(jit->builder, num(jit, 0));
}

/* ---- softwarp_run on top of softwarp_step */

static void clear_frames(struct jit *jit)
{
    LLVMValueRef up = jit_ctx_load(jit, offsetof(struct jit_ctx, block), jit->i32);
    for (unsigned i = 1; i < 3; i++)
        up = LLVMBuildMul(jit->builder, up,
                          jit_ctx_load(jit, offsetof(struct jit_ctx, block) + 4 * i, jit->i32), "");
    up = LLVMBuildAdd(jit->builder, up, num(jit, 31), "");
    LLVMValueRef count = LLVMBuildLShr(jit->builder, up, num(jit, 5), "");
    struct count_loop warps = jit_loop_begin(jit, 0, count);
    LLVMValueRef frame = jit_frame_of(jit, warps.i);
    LLVMBuildMemSet(jit->builder, frame, jit_const(jit, 8, 0), jit_const(jit, 64, jit->head_bytes), 64);
    jit_loop_end(jit, &warps);
}

void jit_suspend_run(struct jit *jit, LLVMValueRef step)
{
    LLVMTypeRef params[] = {jit->ptr, jit->i64, jit->i64}, yield_params[] = {jit->ptr, jit->i32};
    LLVMValueRef run =
        LLVMAddFunction(jit->module, JIT_RUN_SYMBOL, LLVMFunctionType(jit->empty, params, 3, 0));
    jit_target_attributes(jit, run);
    jit->fn = run;
    jit->ctx = LLVMGetParam(run, 0);
    LLVMBasicBlockRef entry = jit_new_block(jit, ""), head = jit_new_block(jit, ""),
                      body = jit_new_block(jit, ""), again = jit_new_block(jit, ""),
                      pause = jit_new_block(jit, ""), latch = jit_new_block(jit, ""),
                      end = jit_new_block(jit, "");
    jit_position(jit, entry);
    jit->frames = jit_ctx_load(jit, offsetof(struct jit_ctx, frames), jit->ptr);
    jit->helpers = jit_ctx_load(jit, offsetof(struct jit_ctx, helpers), jit->ptr);
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, head);
    LLVMValueRef done = LLVMBuildPhi(jit->builder, jit->i64, ""), zero = jit_const(jit, 64, 0);
    LLVMAddIncoming(done, &zero, &entry, 1);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, done, LLVMGetParam(run, 2), ""), body, end,
               false);
    jit_position(jit, body);
    clear_frames(jit);
    LLVMBuildBr(jit->builder, again);
    jit_position(jit, again);
    LLVMValueRef block = LLVMBuildAdd(jit->builder, LLVMGetParam(run, 1), done, "");
    LLVMValueRef args[] = {jit->ctx, block};
    LLVMValueRef ended = LLVMBuildCall2(jit->builder, LLVMGlobalGetValueType(step), step, args, 2, "");
    jit_branch(jit, equal(jit, ended, num(jit, 0)), pause, latch, false);
    jit_position(jit, pause);
    LLVMValueRef yield_args[] = {jit->ctx, num(jit, 0)};
    jit_helper_call(jit, offsetof(struct jit_helpers, yield),
                    LLVMFunctionType(jit->empty, yield_params, 2, 0), yield_args, 2);
    LLVMBuildBr(jit->builder, again);
    jit_position(jit, latch);
    LLVMValueRef more = LLVMBuildAdd(jit->builder, done, jit_const(jit, 64, 1), "");
    LLVMAddIncoming(done, &more, &latch, 1);
    LLVMBuildBr(jit->builder, head);
    jit_position(jit, end);
    LLVMBuildRetVoid(jit->builder);
}
