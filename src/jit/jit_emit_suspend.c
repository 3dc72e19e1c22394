/* SPDX-License-Identifier: Apache-2.0 */
/* Warps that may stop anywhere: barriers that part of a warp reaches, named and counted ones, reductions over
 * a block, and loops that wait for other warps or blocks.
 *
 * A warp that stops saves every register that lives across blocks, and the masks of its blocks, in its frame;
 * going on restores them and jumps to the first block that has lanes.
 *
 *   softwarp_step(ctx, block)
 *     each round: each warp runs until none of its lanes can (they ended, wait at a barrier, or gave way);
 *     then every barrier with all its threads lets them go on.
 *     1 when all warps have ended; 0 when the rest only gave way
 *   softwarp_run(ctx, first, count): each block from zeroed frames, stepped until it has ended
 *
 *   frame: state | turn | next | arrived[16] | for each place: waiting, id, count, predicates | masks | bits
 * | registers
 *
 * A waiting loop gives way every 16th time round, and every second time the warp then goes on at another
 * block that has lanes instead of the first, each in turn: lanes that wait for each other all make progress.
 * Limits: a barrier's number must be the same in all lanes that meet it together (jit_emit_agree.c). Slower
 * than the region form: stopping saves all registers, not only those that live on from that place. */
#include "jit_core_priv.h"

enum frame_state { STATE_NEW, STATE_ALIVE, STATE_ENDED };
enum { FRAME_STATE = 0, FRAME_TURN = 4, FRAME_NEXT = 8, FRAME_ARRIVED = 64, FRAME_PLACES = 192 };
enum { PLACE_WAITING = 0, PLACE_ID = 4, PLACE_COUNT = 8, PLACE_PREDICATES = 12, PLACE_BYTES = 16 };
enum {
    NUMBERED = 16,
    BARRIERS = 17,
    CLUSTER_BARRIER = 16,
    SPIN_TURNS = 16
}; /* the numbered ones, and that of a cluster */

/* ---- what a barrier says: bar.sync a{, b}; bar.red d, a{, b}, p; bar.arrive a, b */

struct barrier {
    const struct ptx_operand *id, *count, *predicate, *dest;
};

bool jit_is_cluster_barrier(const struct ptx_instr *instr)
{
    return instr->op == PTX_OP_BARRIER && ptx_has(instr, PTX_MOD_CLUSTER);
}

static struct barrier read_barrier(const struct ptx_instr *instr)
{
    static const struct ptx_operand cluster = {.kind = PTX_OPD_INT, .bits = CLUSTER_BARRIER};
    struct barrier barrier = {0};
    if (jit_is_cluster_barrier(instr)) {
        barrier.id = &cluster;
        return barrier;
    }
    unsigned i = 0, end = instr->operand_count;
    if (ptx_has(instr, PTX_MOD_RED)) {
        barrier.dest = &instr->operands[i++];
        barrier.predicate = &instr->operands[--end];
    }
    if (i < end) barrier.id = &instr->operands[i++];
    if (i < end) barrier.count = &instr->operands[i];
    return barrier;
}

static bool is_arrival(const struct ptx_instr *instr)
{
    return (instr->op == PTX_OP_BAR || instr->op == PTX_OP_BARRIER) && ptx_has(instr, PTX_MOD_ARRIVE) &&
           !jit_is_cluster_barrier(instr);
}

static const struct ptx_instr *barrier_instr(const struct jit *jit, const struct jit_block *block)
{
    return &jit->function->instrs[block->last - 1];
}

/* ---- small things */

static LLVMValueRef num(struct jit *jit, uint64_t value)
{
    return jit_const(jit, 32, value);
}

static LLVMValueRef load32(struct jit *jit, LLVMValueRef base, uint64_t offset)
{
    return LLVMBuildLoad2(jit->builder, jit->i32, jit_offset(jit, base, offset), "");
}

static void store32(struct jit *jit, LLVMValueRef base, uint64_t offset, LLVMValueRef value)
{
    LLVMBuildStore(jit->builder, value, jit_offset(jit, base, offset));
}

static LLVMValueRef equal(struct jit *jit, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(jit->builder, LLVMIntEQ, a, b, "");
}

static LLVMValueRef choose(struct jit *jit, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no)
{
    return LLVMBuildSelect(jit->builder, condition, yes, no, "");
}

static LLVMValueRef popcount(struct jit *jit, LLVMValueRef mask)
{
    return jit_intrinsic(jit, "llvm.ctpop", &jit->i32, 1, &mask, 1);
}

static void add_to(struct jit *jit, LLVMValueRef slot, LLVMValueRef amount)
{
    LLVMValueRef sum =
        LLVMBuildAdd(jit->builder, LLVMBuildLoad2(jit->builder, jit->i32, slot, ""), amount, "");
    LLVMBuildStore(jit->builder, sum, slot);
}

static LLVMValueRef get(struct jit *jit, LLVMValueRef slot)
{
    return LLVMBuildLoad2(jit->builder, jit->i32, slot, "");
}

static LLVMValueRef arrived_at(struct jit *jit, LLVMValueRef frame, LLVMValueRef id)
{
    LLVMValueRef wide = LLVMBuildZExt(jit->builder, id, jit->i64, "");
    return LLVMBuildGEP2(jit->builder, jit->i32, jit_offset(jit, frame, FRAME_ARRIVED), &wide, 1, "");
}

static uint32_t place_offset(uint32_t place)
{
    return FRAME_PLACES + (place - 1) * PLACE_BYTES;
}

struct count_loop { /* for (i = first; i < end; i++) */
    LLVMBasicBlockRef head;
    LLVMValueRef i, end;
};

static struct count_loop begin_loop(struct jit *jit, uint32_t first, LLVMValueRef end)
{
    struct count_loop loop = {.head = jit_new_block(jit, ""), .end = end};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jit->builder);
    LLVMBuildBr(jit->builder, loop.head);
    jit_position(jit, loop.head);
    loop.i = LLVMBuildPhi(jit->builder, jit->i32, "");
    LLVMValueRef start = num(jit, first);
    LLVMAddIncoming(loop.i, &start, &before, 1);
    return loop;
}

static void end_loop(struct jit *jit, const struct count_loop *loop)
{
    LLVMValueRef next = LLVMBuildAdd(jit->builder, loop->i, num(jit, 1), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jit->builder), after = jit_new_block(jit, "");
    LLVMAddIncoming(loop->i, &next, &here, 1);
    jit_branch(jit, LLVMBuildICmp(jit->builder, LLVMIntULT, next, loop->end, ""), loop->head, after, false);
    jit_position(jit, after);
}

/* ---- layout */

void jit_suspend_layout(struct jit *jit)
{
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit->blocks[b].end == JIT_END_BARRIER) jit->blocks[b].place = ++jit->place_count;
    uint32_t at = FRAME_PLACES + jit->place_count * PLACE_BYTES;
    for (uint32_t b = 0; b < jit->block_count; b++, at += 4)
        jit->blocks[b].mask_offset = at;
    jit->bits_offset = at = (uint32_t)sw_align_up(at, 8);
    at += jit->block_words * 8;
    jit->meeting_offset = at = (uint32_t)sw_align_up(at, 64);
    if (jit->has_meets) at += sizeof(struct jit_meeting);
    jit->head_bytes = (uint32_t)sw_align_up(at, 64);
    jit->info.frame_bytes = jit_frame_registers(jit, jit->head_bytes);
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
        if (block->spins) return true;
        if (block->end != JIT_END_BARRIER) continue;
        const struct ptx_instr *instr = barrier_instr(jit, block);
        struct barrier barrier = read_barrier(instr);
        if (instr->guard != PTX_NO_REG || barrier.dest) return true;
        if (barrier.id && barrier.id->kind != PTX_OPD_INT) return true;
        uint64_t id = barrier.id ? barrier.id->bits : 0;
        if (first_id != UINT64_MAX && id != first_id) return true;
        first_id = id;
        bool all = barrier.count && barrier.count->kind == PTX_OPD_INT && barrier.count->bits == jit->threads;
        if (barrier.count && !all) return true;
        for (uint32_t w = 0; w < jit->block_words; w++)
            if (block->pend[w]) return true;
    }
    return false;
}

/* ---- inside a warp */

static LLVMValueRef predicate_mask(struct jit *jit, const struct ptx_operand *operand)
{
    struct jit_value value = jit_operand(jit, operand, 1);
    if (value.form == JIT_SCALAR) return LLVMBuildSExt(jit->builder, value.scalar, jit->i32, "");
    return jit_mask_join(jit, value.part);
}

/* bar.arrive: counted, and on. */
void jit_suspend_arrive(struct jit *jit, const struct ptx_instr *instr)
{
    struct barrier barrier = read_barrier(instr);
    struct jit_lanes lanes = jit_lanes_of(jit, instr);
    LLVMValueRef id = jit_agreed(jit, barrier.id, lanes.mask, NUMBERED),
                 whole = equal(jit, lanes.mask, jit->live_mask);
    LLVMValueRef threads = choose(jit, whole, num(jit, 32), popcount(jit, lanes.mask));
    add_to(jit, arrived_at(jit, jit->frame, id), threads);
}

/* The barrier's number, or its count, into the frame: those who wait there already must have named the same.
 */
static void name_barrier(struct jit *jit, uint32_t at, const struct ptx_operand *operand, uint32_t limit,
                         LLVMValueRef lanes, LLVMValueRef others)
{
    if (!operand || operand->kind == PTX_OPD_INT) {
        store32(jit, jit->frame, at, num(jit, operand ? operand->bits : 0));
        return;
    }
    LLVMValueRef value = jit_agreed(jit, operand, lanes, limit), old = load32(jit, jit->frame, at);
    value = choose(jit, equal(jit, lanes, num(jit, 0)), old, value);
    LLVMValueRef alone = equal(jit, others, num(jit, 0));
    jit_agree_or_fail(jit, LLVMBuildOr(jit->builder, alone, equal(jit, value, old), ""), value, old);
    store32(jit, jit->frame, at, value);
}

static void wait_at(struct jit *jit, const struct barrier *barrier, uint32_t place, LLVMValueRef lanes)
{
    uint32_t at = place_offset(place);
    LLVMValueRef others = load32(jit, jit->frame, at + PLACE_WAITING);
    store32(jit, jit->frame, at + PLACE_WAITING, LLVMBuildOr(jit->builder, others, lanes, ""));
    name_barrier(jit, at + PLACE_ID, barrier->id, NUMBERED, lanes, others);
    name_barrier(jit, at + PLACE_COUNT, barrier->count, 0, lanes, others);
    if (!barrier->predicate) return;
    LLVMValueRef old = load32(jit, jit->frame, at + PLACE_PREDICATES);
    LLVMValueRef kept = LLVMBuildAnd(jit->builder, old, LLVMBuildNot(jit->builder, lanes, ""), "");
    LLVMValueRef fresh = LLVMBuildAnd(jit->builder, predicate_mask(jit, barrier->predicate), lanes, "");
    store32(jit, jit->frame, at + PLACE_PREDICATES, LLVMBuildOr(jit->builder, kept, fresh, ""));
}

/* The warp has no lane that can run; any_waits tells the round that one gave way. */
static void give_way(struct jit *jit)
{
    LLVMBuildStore(jit->builder, num(jit, 1), jit->any_waits);
    LLVMBuildBr(jit->builder, jit->stop);
}

/* Masks of the blocks where the warp goes on, between their slots and the frame. */
static void copy_masks(struct jit *jit, bool save)
{
    if (jit_registers_in_frame(jit)) return;
    uint64_t *set = jit_resume_set(jit);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!block->mask) continue;
        LLVMValueRef at = jit_offset(jit, jit->frame, block->mask_offset), zero = num(jit, 0);
        bool kept = jit_bit(set, b);
        if (save && kept)
            LLVMBuildStore(jit->builder, LLVMBuildLoad2(jit->builder, jit->i32, block->mask, ""), at);
        else if (!save)
            LLVMBuildStore(jit->builder, kept ? LLVMBuildLoad2(jit->builder, jit->i32, at, "") : zero,
                           block->mask);
    }
}

void jit_suspend_stop(struct jit *jit)
{
    jit_position(jit, jit->stop);
    copy_masks(jit, true);
    jit_frame_copy(jit, true);
    LLVMBuildBr(jit->builder, jit->warp_latch);
}

void jit_suspend_barrier(struct jit *jit, struct jit_block *block)
{
    const struct ptx_instr *instr = barrier_instr(jit, block);
    struct barrier barrier = read_barrier(instr);
    uint32_t next = block->succ[0];
    LLVMValueRef lanes = jit_mask_active(jit), scalar, active = lanes;
    jit->instr = instr;
    if (instr->guard != PTX_NO_REG) jit_mask_guard(jit, instr, &lanes, &scalar);
    wait_at(jit, &barrier, block->place, lanes);
    LLVMValueRef rest = LLVMBuildAnd(jit->builder, active, LLVMBuildNot(jit->builder, lanes, ""), "");
    jit_go_elsewhere(jit, block, instr->guard != PTX_NO_REG ? next : PTX_NO_BLOCK, rest);
}

/* At a back edge of a waiting loop, with all lanes in masks: give way now and then. */
void jit_suspend_spin(struct jit *jit)
{
    LLVMValueRef turn = LLVMBuildLoad2(jit->builder, jit->i32, jit->spin_count, "");
    turn = LLVMBuildAdd(jit->builder, turn, num(jit, 1), "");
    LLVMBuildStore(jit->builder, turn, jit->spin_count);
    LLVMValueRef low = LLVMBuildAnd(jit->builder, turn, num(jit, SPIN_TURNS - 1), "");
    LLVMBasicBlockRef stop = jit_new_block(jit, "stop"), stay = jit_new_block(jit, "");
    jit_branch(jit, equal(jit, low, num(jit, 0)), stop, stay, false);
    jit_position(jit, stop);
    give_way(jit);
    jit_position(jit, stay);
}

LLVMValueRef jit_suspend_waiting(struct jit *jit)
{
    LLVMValueRef waits = num(jit, 0);
    for (uint32_t place = 1; place <= jit->place_count; place++)
        waits = LLVMBuildOr(jit->builder, waits, load32(jit, jit->frame, place_offset(place) + PLACE_WAITING),
                            "");
    return waits;
}

void jit_suspend_exit(struct jit *jit)
{
    LLVMBasicBlockRef over = jit_new_block(jit, "");
    jit_meets_at_end(jit, over);
    LLVMBuildBr(jit->builder, over);
    jit_position(jit, over);
    LLVMValueRef waits = jit_suspend_waiting(jit);
    if (jit->has_meets) waits = LLVMBuildOr(jit->builder, waits, jit_meets_parked(jit), "");
    LLVMValueRef ended = equal(jit, waits, num(jit, 0));
    store32(jit, jit->frame, FRAME_STATE, choose(jit, ended, num(jit, STATE_ENDED), num(jit, STATE_ALIVE)));
    jit_branch(jit, ended, jit->warp_latch, jit->stop, false);
}

uint64_t *jit_resume_set(struct jit *jit)
{
    uint64_t *set = ARENA_ARRAY(&jit->arena, uint64_t, jit->block_words);
    for (uint32_t w = 0; w < jit->block_words; w++)
        set[w] = jit->resumes[w];
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (block->end == JIT_END_BARRIER && block->succ[0] != jit->block_count - 1)
            jit_bit_set(set, block->succ[0]);
    }
    return set;
}

void jit_suspend_dispatch(struct jit *jit, LLVMBasicBlockRef start)
{
    LLVMBasicBlockRef go_on = jit_new_block(jit, "go_on"), by_turn = jit_new_block(jit, "by_turn"),
                      forward = jit_new_block(jit, "forward"), first = jit_new_block(jit, "first");
    LLVMValueRef state = load32(jit, jit->frame, FRAME_STATE);
    LLVMValueRef branch = LLVMBuildSwitch(jit->builder, state, jit->warp_latch, 2);
    LLVMAddCase(branch, num(jit, STATE_NEW), first);
    LLVMAddCase(branch, num(jit, STATE_ALIVE), go_on);
    jit_position(jit, first);
    store32(jit, jit->frame, FRAME_STATE, num(jit, STATE_ALIVE));
    LLVMBuildBr(jit->builder, start);
    jit_position(jit, go_on);
    uint64_t *set = jit_resume_set(jit);
    copy_masks(jit, false);
    jit_frame_copy(jit, false);
    LLVMValueRef turn = load32(jit, jit->frame, FRAME_TURN);
    store32(jit, jit->frame, FRAME_TURN, LLVMBuildAdd(jit->builder, turn, num(jit, 1), ""));
    LLVMValueRef odd = LLVMBuildTrunc(jit->builder, turn, jit->i1, "");
    LLVMValueRef independent = jit_ctx_load(jit, offsetof(struct jit_ctx, lanes_independent), jit->i32);
    odd = LLVMBuildAnd(jit->builder, odd, LLVMBuildTrunc(jit->builder, independent, jit->i1, ""), "");
    if (!jit->info.spins) odd = jit_const(jit, 1, 0);
    jit_branch(jit, odd, by_turn, forward, false);
    jit_position(jit, by_turn);
    jit_chain_by_turn(jit, set, jit_offset(jit, jit->frame, FRAME_NEXT));
    jit_position(jit, forward);
    jit_chain_from_first(jit, set);
}

/* ---- between rounds: which barriers are complete? */

struct tally { /* slots, for one barrier number */
    LLVMValueRef waiting, threads, live, want, votes;
};

/* Lanes of a warp that wait at this place for barrier `id`. */
static LLVMValueRef waiting_for(struct jit *jit, LLVMValueRef frame, uint32_t place, LLVMValueRef id)
{
    LLVMValueRef waiting = load32(jit, frame, place_offset(place) + PLACE_WAITING);
    LLVMValueRef same = equal(jit, load32(jit, frame, place_offset(place) + PLACE_ID), id);
    return choose(jit, same, waiting, num(jit, 0));
}

static LLVMValueRef alive_lanes(struct jit *jit, LLVMValueRef frame)
{
    LLVMValueRef alive = num(jit, 0);
    for (uint32_t place = 1; place <= jit->place_count; place++)
        alive = LLVMBuildOr(jit->builder, alive, load32(jit, frame, place_offset(place) + PLACE_WAITING), "");
    uint64_t *set = jit_resume_set(jit);
    for (uint32_t b = 0; b < jit->block_count; b++)
        if (jit_bit(set, b))
            alive = LLVMBuildOr(jit->builder, alive, load32(jit, frame, jit->blocks[b].mask_offset), "");
    return alive;
}

/* A warp all of whose live lanes wait counts as 32 threads, as hardware counts. */
static void tally_warp(struct jit *jit, LLVMValueRef frame, LLVMValueRef id, const struct tally *tally)
{
    LLVMValueRef here = num(jit, 0), zero = num(jit, 0);
    for (uint32_t b = 0; b < jit->block_count; b++) {
        uint32_t place = jit->blocks[b].place;
        if (!place) continue;
        LLVMValueRef lanes = waiting_for(jit, frame, place, id);
        here = LLVMBuildOr(jit->builder, here, lanes, "");
        LLVMValueRef count = load32(jit, frame, place_offset(place) + PLACE_COUNT);
        LLVMValueRef some = LLVMBuildNot(jit->builder, equal(jit, lanes, zero), "");
        LLVMValueRef more = LLVMBuildICmp(jit->builder, LLVMIntUGT, count, get(jit, tally->want), "");
        LLVMBuildStore(jit->builder,
                       choose(jit, LLVMBuildAnd(jit->builder, some, more, ""), count, get(jit, tally->want)),
                       tally->want);
        LLVMValueRef votes = load32(jit, frame, place_offset(place) + PLACE_PREDICATES);
        add_to(jit, tally->votes, popcount(jit, LLVMBuildAnd(jit->builder, votes, lanes, "")));
    }
    LLVMValueRef alive = alive_lanes(jit, frame), none = equal(jit, here, zero);
    LLVMValueRef whole = choose(jit, equal(jit, here, alive), num(jit, 32), popcount(jit, here));
    add_to(jit, tally->threads, choose(jit, none, zero, whole));
    add_to(jit, tally->waiting, popcount(jit, here));
    add_to(jit, tally->live, choose(jit, equal(jit, alive, zero), zero, num(jit, 32)));
    LLVMValueRef arrived = LLVMBuildLoad2(jit->builder, jit->i32, arrived_at(jit, frame, id), "");
    add_to(jit, tally->threads, arrived);
}

static LLVMValueRef reduction(struct jit *jit, const struct ptx_instr *instr, const struct tally *tally)
{
    LLVMValueRef votes = get(jit, tally->votes);
    if (ptx_has(instr, PTX_MOD_POPC)) return votes;
    if (ptx_has(instr, PTX_MOD_AND)) return equal(jit, votes, get(jit, tally->waiting));
    return LLVMBuildNot(jit->builder, equal(jit, votes, num(jit, 0)), "");
}

/* The result of bar.red for the lanes that go on, into their register in the frame. */
static void deliver(struct jit *jit, const struct jit_block *block, LLVMValueRef lanes,
                    const struct tally *tally)
{
    const struct ptx_instr *instr = barrier_instr(jit, block);
    struct barrier barrier = read_barrier(instr);
    if (!barrier.dest || barrier.dest->kind != PTX_OPD_REG) return;
    if (!jit_bit(jit->blocks[block->succ[0]].live_in, barrier.dest->reg)) return;
    struct jit_reg *reg = &jit->regs[barrier.dest->reg];
    LLVMValueRef result = reduction(jit, instr, tally), parts[JIT_MAX_PARTS];
    unsigned bits = ptx_has(instr, PTX_MOD_POPC) ? 32 : 1;
    result = jit_resize(jit, result, bits, reg->bits, false);
    if (reg->shape.form != JIT_VECTOR) {
        LLVMValueRef slot = jit_offset(jit, jit->frame, reg->frame_offset);
        LLVMValueRef old = LLVMBuildLoad2(jit->builder, jit_int(jit, reg->bits), slot, "");
        LLVMValueRef none = equal(jit, lanes, num(jit, 0));
        LLVMBuildStore(jit->builder, choose(jit, none, old, result), slot);
        return;
    }
    jit_mask_split(jit, lanes, parts);
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMValueRef slot = jit_offset(jit, jit->frame, reg->frame_offset + (uint64_t)p * reg->frame_step);
        LLVMValueRef old = LLVMBuildLoad2(jit->builder, jit_vec(jit, reg->bits), slot, "");
        LLVMBuildStore(jit->builder, choose(jit, parts[p], jit_splat(jit, result, reg->bits), old), slot);
    }
}

static void release_warp(struct jit *jit, LLVMValueRef frame, LLVMValueRef id, const struct tally *tally)
{
    LLVMValueRef outer = jit->frame;
    jit->frame = frame;
    LLVMBuildStore(jit->builder, num(jit, 0), arrived_at(jit, frame, id));
    for (uint32_t b = 0; b < jit->block_count; b++) {
        const struct jit_block *block = &jit->blocks[b];
        if (!block->place) continue;
        LLVMValueRef lanes = waiting_for(jit, frame, block->place, id);
        deliver(jit, block, lanes, tally);
        uint32_t mask = jit->blocks[block->succ[0]].mask_offset,
                 wait = place_offset(block->place) + PLACE_WAITING;
        LLVMValueRef all = LLVMBuildOr(jit->builder, load32(jit, frame, mask), lanes, "");
        store32(jit, frame, mask, all);
        if (jit_registers_in_frame(jit)) jit_schedule_note(jit, frame, block->succ[0], all);
        LLVMValueRef left =
            LLVMBuildAnd(jit->builder, load32(jit, frame, wait), LLVMBuildNot(jit->builder, lanes, ""), "");
        store32(jit, frame, wait, left);
    }
    jit->frame = outer;
}

/* Lets lanes go on from every complete barrier; *released: slot set to 1 when there was one. */
static void release_barriers(struct jit *jit, LLVMValueRef released)
{
    struct tally tally = {.waiting = jit_slot(jit, jit->i32, "waiting"),
                          .threads = jit_slot(jit, jit->i32, "threads"),
                          .live = jit_slot(jit, jit->i32, "live"),
                          .want = jit_slot(jit, jit->i32, "want"),
                          .votes = jit_slot(jit, jit->i32, "votes")};
    LLVMValueRef *slots[] = {&tally.waiting, &tally.threads, &tally.live, &tally.want, &tally.votes};
    struct count_loop ids = begin_loop(jit, 0, num(jit, BARRIERS));
    for (size_t i = 0; i < SW_COUNT_OF(slots); i++)
        LLVMBuildStore(jit->builder, num(jit, 0), *slots[i]);
    struct count_loop warps = begin_loop(jit, 0, jit->warp_count);
    tally_warp(jit, jit_frame_of(jit, warps.i), ids.i, &tally);
    end_loop(jit, &warps);
    LLVMValueRef want = get(jit, tally.want), threads = get(jit, tally.threads);
    LLVMValueRef needed = choose(jit, equal(jit, want, num(jit, 0)), get(jit, tally.live), want);
    LLVMValueRef some = LLVMBuildNot(jit->builder, equal(jit, get(jit, tally.waiting), num(jit, 0)), "");
    LLVMValueRef enough = LLVMBuildICmp(jit->builder, LLVMIntUGE, threads, needed, "");
    LLVMBasicBlockRef complete = jit_new_block(jit, "complete"), next = jit_new_block(jit, "");
    jit_branch(jit, LLVMBuildAnd(jit->builder, some, enough, ""), complete, next, false);
    jit_position(jit, complete);
    LLVMBuildStore(jit->builder, num(jit, 1), released);
    warps = begin_loop(jit, 0, jit->warp_count);
    release_warp(jit, jit_frame_of(jit, warps.i), ids.i, &tally);
    end_loop(jit, &warps);
    LLVMBuildBr(jit->builder, next);
    jit_position(jit, next);
    end_loop(jit, &ids);
}

static LLVMValueRef all_ended(struct jit *jit)
{
    LLVMValueRef alive = jit_slot(jit, jit->i32, "alive");
    LLVMBuildStore(jit->builder, num(jit, 0), alive);
    struct count_loop warps = begin_loop(jit, 0, jit->warp_count);
    LLVMValueRef state = load32(jit, jit_frame_of(jit, warps.i), FRAME_STATE);
    LLVMValueRef ended = equal(jit, state, num(jit, STATE_ENDED));
    add_to(jit, alive, choose(jit, ended, num(jit, 0), num(jit, 1)));
    end_loop(jit, &warps);
    return equal(jit, get(jit, alive), num(jit, 0));
}

/* struct jit_stuck as words of the object. */
static LLVMValueRef stuck_table(struct jit *jit)
{
    _Static_assert(sizeof(struct jit_place) == PLACE_BYTES, "the places of a frame are read outside");
    LLVMValueRef *words = ARENA_ARRAY(&jit->arena, LLVMValueRef, jit->place_count + 4);
    unsigned count = 0;
    words[count++] = num(jit, jit->info.frame_bytes);
    words[count++] = num(jit, FRAME_PLACES);
    words[count++] = num(jit, jit->place_count);
    words[count++] = num(jit, jit->has_meets ? jit->meeting_offset : 0);
    for (uint32_t place = 1; place <= jit->place_count; place++)
        for (uint32_t b = 0; b < jit->block_count; b++)
            if (jit->blocks[b].place == place)
                words[count++] = num(jit, barrier_instr(jit, &jit->blocks[b])->line);
    LLVMValueRef table = LLVMAddGlobal(jit->module, LLVMArrayType2(jit->i32, count), "softwarp_stuck");
    LLVMSetInitializer(table, LLVMConstArray2(jit->i32, words, count));
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetGlobalConstant(table, true);
    return table;
}

void jit_suspend_round_begin(struct jit *jit)
{
    LLVMBuildStore(jit->builder, num(jit, 0), jit->any_waits);
}

/* After a round: 1 when all have ended, another round when a barrier let lanes go on, 0 when warps gave way;
 * warps that wait for threads that never come are an error of the program. */
void jit_suspend_round_end(struct jit *jit, LLVMBasicBlockRef again)
{
    LLVMBasicBlockRef ended = jit_new_block(jit, "ended"), alive = jit_new_block(jit, "alive"),
                      stuck = jit_new_block(jit, "stuck"), hang = jit_new_block(jit, "hang"),
                      yielded = jit_new_block(jit, "yielded");
    jit_branch(jit, all_ended(jit), ended, alive, false);
    jit_position(jit, ended);
    LLVMBuildRet(jit->builder, num(jit, 1));
    jit_position(jit, alive);
    LLVMValueRef released = jit_slot(jit, jit->i32, "released");
    LLVMBuildStore(jit->builder, num(jit, 0), released);
    if (jit->place_count) release_barriers(jit, released);
    jit_branch(jit, equal(jit, get(jit, released), num(jit, 0)), stuck, again, false);
    jit_position(jit, stuck);
    jit_branch(jit, equal(jit, get(jit, jit->any_waits), num(jit, 0)), hang, yielded, false);
    jit_position(jit, hang);
    LLVMTypeRef params[] = {jit->ptr, jit->ptr};
    LLVMValueRef args[] = {jit->ctx, stuck_table(jit)};
    jit_helper_call(jit, offsetof(struct jit_helpers, barrier_stuck),
                    LLVMFunctionType(jit->empty, params, 2, 0), args, 2);
    LLVMBuildBr(jit->builder, yielded);
    jit_position(jit, yielded);
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
    struct count_loop warps = begin_loop(jit, 0, count);
    LLVMValueRef frame = jit_frame_of(jit, warps.i);
    LLVMBuildMemSet(jit->builder, frame, jit_const(jit, 8, 0), jit_const(jit, 64, jit->head_bytes), 64);
    end_loop(jit, &warps);
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
