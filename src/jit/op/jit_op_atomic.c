/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red (PTX ISA 9.7.13.5, 9.7.13.7).
 * Method: addresses go to scratch memory. Where all active lanes have one address (found at run time), the
 * warp makes one operation: integer operations of its combined value, each lane's old value being that plus
 * what the lanes before it make (8 ns against 192 ns for 32 locked adds); sums and extremes of floats by
 * folding the lanes' values in lane order, so that they round as one after the other. Elsewhere lane by lane,
 * in lane order.
 * Memory that only this host thread accesses (shared memory; all memory while the launch runs alone,
 * where->alone) takes plain loads and stores, without a branch a lane: lanes that are missing work on their
 * own scratch memory. Otherwise LLVM's atomics, compare-and-swap loops where the machine has no instruction.
 * 128 bits: exch and cas, by cmpxchg16b. Vector forms are cut into scalar ones by the caller, as each element
 * is atomic by itself. A f32 sum in global memory flushes denormals, as the hardware does.
 * Not chosen: gather, conflict detection and scatter, whose retries cost more than 32 loads and stores.
 */
#include "jit_op_atomic_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

enum { SLOT_ADDRESS = 0, SLOT_B = 32, SLOT_C = 96, SLOT_OLD = 160 }; /* in words of 64 bits */

static jv i32_k(const struct jit_part *p, uint64_t value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(p->context), value, false);
}

static LLVMTypeRef value_type(const struct atomic *a)
{
    return LLVMIntTypeInContext(a->part->context, 8 * a->bytes);
}

static jv atomic_slot(const struct atomic *a, unsigned word, jv lane, unsigned bytes)
{
    jv base = jv_offset(a->part, jv_scratch(a->part, JIT_SCRATCH_WARP), i32_k(a->part, word), 8);
    return jv_offset(a->part, base, lane, bytes);
}

/* Of a part in a slot: vectors of 128-bit integers are larger than any register. */
static unsigned slot_alignment(const struct jit_part *p, unsigned bytes)
{
    return p->lanes * bytes > 64 ? 64 : p->lanes * bytes;
}

static LLVMAtomicOrdering ordering(const struct ptx_instr *instr)
{
    if (jit_has(instr, ISA_MOD_ACQ_REL)) return LLVMAtomicOrderingAcquireRelease;
    if (jit_has(instr, ISA_MOD_ACQUIRE)) return LLVMAtomicOrderingAcquire;
    if (jit_has(instr, ISA_MOD_RELEASE)) return LLVMAtomicOrderingRelease;
    return LLVMAtomicOrderingMonotonic;
}

static LLVMAtomicOrdering failure_ordering(const struct ptx_instr *instr)
{
    bool acquires = jit_has(instr, ISA_MOD_ACQ_REL) || jit_has(instr, ISA_MOD_ACQUIRE);
    return acquires ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingMonotonic;
}

static bool has_instruction(const struct atomic *a, LLVMAtomicRMWBinOp *out)
{
    if (jit_is_float(a->type)) return false;
    switch ((int)a->what) {
    case ISA_MOD_ADD: *out = LLVMAtomicRMWBinOpAdd; return true;
    case ISA_MOD_AND: *out = LLVMAtomicRMWBinOpAnd; return true;
    case ISA_MOD_OR: *out = LLVMAtomicRMWBinOpOr; return true;
    case ISA_MOD_XOR: *out = LLVMAtomicRMWBinOpXor; return true;
    case ISA_MOD_EXCH: *out = LLVMAtomicRMWBinOpXchg; return true;
    default: return false;
    }
}

static LLVMBasicBlockRef new_block(const struct jit_part *p)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(p->builder));
    return LLVMAppendBasicBlockInContext(p->context, function, "");
}

static jv exchange(const struct atomic *a, jv address, jv expected, jv desired)
{
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(a->part->builder, address, expected, desired,
                                               ordering(a->instr), failure_ordering(a->instr), false);
    LLVMSetAlignment(pair, a->bytes);
    return pair;
}

/* new: what to store, of what is there */
typedef jv (*jit_atomic_new)(const struct atomic *a, jv old, const void *operand);

static jv plain_load(const struct atomic *a, jv address)
{
    LLVMValueRef old = LLVMBuildLoad2(a->part->builder, value_type(a), address, "");
    LLVMSetAlignment(old, a->bytes);
    return old;
}

static jv apply_plain(const struct atomic *a, jv address, jit_atomic_new make, const void *operand)
{
    jv old = plain_load(a, address);
    LLVMSetAlignment(LLVMBuildStore(a->part->builder, make(a, old, operand), address), a->bytes);
    return old;
}

/*   before: first = load -> again: old = phi(first, seen); cmpxchg -> again | after */
static jv apply_retry(const struct atomic *a, jv address, jit_atomic_new make, const void *operand)
{
    struct jit_part *p = a->part;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(p->builder), again = new_block(p), after = new_block(p);
    LLVMValueRef first = plain_load(a, address);
    LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
    LLVMBuildBr(p->builder, again);
    LLVMPositionBuilderAtEnd(p->builder, again);
    LLVMValueRef old = LLVMBuildPhi(p->builder, value_type(a), "");
    LLVMValueRef pair = exchange(a, address, old, make(a, old, operand));
    LLVMValueRef seen = LLVMBuildExtractValue(p->builder, pair, 0, "");
    LLVMBasicBlockRef back = LLVMGetInsertBlock(p->builder);
    LLVMAddIncoming(old, (LLVMValueRef[]){first, seen}, (LLVMBasicBlockRef[]){before, back}, 2);
    LLVMBuildCondBr(p->builder, LLVMBuildExtractValue(p->builder, pair, 1, ""), after, again);
    LLVMPositionBuilderAtEnd(p->builder, after);
    return old;
}

struct operands { /* of one lane, or of the whole warp's combined value */
    jv b, c;
};

static jv new_of_one(const struct atomic *a, jv old, const void *operand)
{
    const struct operands *o = operand;
    return jit_atomic_changed(a, old, o->b, o->c);
}

static jv apply_locked(const struct atomic *a, jv address, const struct operands *o)
{
    struct jit_part *p = a->part;
    LLVMAtomicRMWBinOp op;
    if (has_instruction(a, &op)) {
        LLVMValueRef old = LLVMBuildAtomicRMW(p->builder, op, address, o->b, ordering(a->instr), false);
        LLVMSetAlignment(old, a->bytes);
        return old;
    }
    if (a->what == ISA_MOD_CAS)
        return LLVMBuildExtractValue(p->builder, exchange(a, address, o->b, o->c), 0, "");
    return apply_retry(a, address, new_of_one, o);
}

/* ---- lane by lane */

static void atomic_spill(const struct atomic *a, unsigned word, LLVMValueRef *parts, unsigned bytes)
{
    struct jit_part *p = a->part;
    for (unsigned k = 0; k < p->parts; k++)
        LLVMSetAlignment(
            LLVMBuildStore(p->builder, parts[k], atomic_slot(a, word, i32_k(p, k * p->lanes), bytes)),
            slot_alignment(p, bytes));
}

/* Lanes that take no part get the address of their slot for an old value, where they may do as they like. */
static void spill_addresses(const struct atomic *a)
{
    struct jit_part *p = a->part;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(p->context);
    LLVMValueRef parts[JIT_MAX_PARTS], own[32];
    jv base = LLVMBuildPtrToInt(p->builder, atomic_slot(a, SLOT_OLD, i32_k(p, 0), 8), i64, "");
    for (unsigned k = 0; k < p->parts; k++) {
        for (unsigned l = 0; l < p->lanes; l++)
            own[l] = LLVMConstInt(i64, (uint64_t)(k * p->lanes + l) * a->bytes, false);
        jv slots = jv_add(p, jv_splat(p, base), LLVMConstVector(own, p->lanes));
        parts[k] = jv_select(p, a->active[k], a->address[k], slots);
    }
    atomic_spill(a, SLOT_ADDRESS, parts, 8);
}

static jv lane_number(const struct atomic *a, jv lane)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(a->part->context);
    return LLVMBuildLoad2(a->part->builder, i64, atomic_slot(a, SLOT_ADDRESS, lane, 8), "");
}

static jv lane_pointer(const struct atomic *a, jv number)
{
    return LLVMBuildIntToPtr(a->part->builder, number, LLVMPointerTypeInContext(a->part->context, 0), "");
}

/* A sum of floats at a generic address asks where that is. */
static void look_where(struct atomic *a, jv number)
{
    bool is_sum = jit_is_float(a->type) && a->what == ISA_MOD_ADD && a->bytes >= 4;
    if (a->where->shared && is_sum)
        a->in_shared =
            jv_cmp(a->part, LLVMIntULT, jv_sub(a->part, number, a->where->shared), a->where->shared_bytes);
}

/* An operand that is the same in all lanes, or NULL. */
static jv uniform_operand(const struct atomic *a, unsigned operand)
{
    struct jit_part *p = a->part;
    LLVMValueRef *parts = a->src + operand * p->parts;
    if (parts[0] != parts[p->parts - 1]) return NULL;
    return LLVMBuildExtractElement(p->builder, parts[0], i32_k(p, 0), "");
}

static void spill_operands(const struct atomic *a)
{
    if (!uniform_operand(a, 0)) atomic_spill(a, SLOT_B, a->src, a->bytes);
    if (a->count > 1 && !uniform_operand(a, 1)) atomic_spill(a, SLOT_C, a->src + a->part->parts, a->bytes);
}

static jv lane_operand(const struct atomic *a, unsigned operand, jv lane)
{
    struct jit_part *p = a->part;
    jv uniform = uniform_operand(a, operand);
    if (uniform) return uniform;
    unsigned slot = operand ? SLOT_C : SLOT_B;
    return LLVMBuildLoad2(p->builder, value_type(a), atomic_slot(a, slot, lane, a->bytes), "");
}

static struct operands lane_operands(const struct atomic *a, jv lane)
{
    return (struct operands){lane_operand(a, 0, lane), a->count > 1 ? lane_operand(a, 1, lane) : NULL};
}

static void keep_old(const struct atomic *a, jv lane, jv old)
{
    if (a->dst) LLVMBuildStore(a->part->builder, old, atomic_slot(a, SLOT_OLD, lane, a->bytes));
}

static void one_lane(const struct atomic *whole, jv lane, jv number, bool plain)
{
    struct atomic one = *whole, *a = &one;
    jv address = lane_pointer(a, number);
    struct operands o = lane_operands(a, lane);
    look_where(a, number);
    keep_old(a, lane, plain ? apply_plain(a, address, new_of_one, &o) : apply_locked(a, address, &o));
}

static jv first_lane(struct jit_part *p, jv set)
{
    return jv_call2(p, "llvm.cttz", set, LLVMConstInt(LLVMInt1TypeInContext(p->context), 1, false));
}

/*   here: set != 0 ? -> loop: left = phi(set, rest); one lane; rest = left without it -> loop | after */
static void each_lane(const struct atomic *a, jv set, bool plain, LLVMBasicBlockRef after)
{
    struct jit_part *p = a->part;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(p->builder), loop = new_block(p);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntNE, set, 0), loop, after);
    LLVMPositionBuilderAtEnd(p->builder, loop);
    LLVMValueRef left = LLVMBuildPhi(p->builder, LLVMTypeOf(set), "");
    jv lane = first_lane(p, left);
    one_lane(a, lane, lane_number(a, lane), plain);
    jv rest = jv_and(p, left, jv_add_k(p, left, (uint64_t)-1));
    LLVMBasicBlockRef back = LLVMGetInsertBlock(p->builder);
    LLVMAddIncoming(left, (LLVMValueRef[]){set, rest}, (LLVMBasicBlockRef[]){here, back}, 2);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntNE, rest, 0), loop, after);
}

/* All 32 lanes, UNROLL an iteration: missing ones work on their own slot. Addresses are loaded before any
 * operation stores (a histogram of 256 words: 0.42 ns a lane, 0.47 with each before its own, Zen 4; a loop in
 * C, whose addresses do not go through memory, 0.31). */
static void every_lane(const struct atomic *a, LLVMBasicBlockRef after)
{
    enum { UNROLL = 8 };
    struct jit_part *p = a->part;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(p->builder), loop = new_block(p);
    LLVMBuildBr(p->builder, loop);
    LLVMPositionBuilderAtEnd(p->builder, loop);
    LLVMValueRef first = LLVMBuildPhi(p->builder, LLVMInt32TypeInContext(p->context), "");
    LLVMValueRef number[UNROLL];
    for (unsigned l = 0; l < UNROLL; l++)
        number[l] = lane_number(a, jv_add_k(p, first, l));
    for (unsigned l = 0; l < UNROLL; l++)
        one_lane(a, jv_add_k(p, first, l), number[l], true);
    jv next = jv_add_k(p, first, UNROLL);
    LLVMBasicBlockRef back = LLVMGetInsertBlock(p->builder);
    LLVMAddIncoming(first, (LLVMValueRef[]){i32_k(p, 0), next}, (LLVMBasicBlockRef[]){here, back}, 2);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntULT, next, 32), loop, after);
}

/* Plain operations: a few lanes one by one, many all at once. */
static void plain_lanes(const struct atomic *a, jv set, LLVMBasicBlockRef after)
{
    enum { FEW = 8 };
    struct jit_part *p = a->part;
    LLVMBasicBlockRef few = new_block(p), many = new_block(p);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntULT, jv_call1(p, "llvm.ctpop", set), FEW), few, many);
    LLVMPositionBuilderAtEnd(p->builder, few);
    each_lane(a, set, true, after);
    LLVMPositionBuilderAtEnd(p->builder, many);
    every_lane(a, after);
}

/* ---- all lanes at one address */

static bool combines(const struct atomic *a)
{
    if (jit_is_float(a->type)) return false;
    switch ((int)a->what) {
    case ISA_MOD_ADD:
    case ISA_MOD_MIN:
    case ISA_MOD_MAX:
    case ISA_MOD_AND:
    case ISA_MOD_OR:
    case ISA_MOD_XOR: return true;
    default: return false;
    }
}

/* Sums and extremes of floats: one after the other, but in a register. */
static bool folds(const struct atomic *a)
{
    return jit_is_float(a->type) && a->what != ISA_MOD_EXCH;
}

static jv moved_up(struct jit_part *p, jv fill, jv a, unsigned by)
{
    LLVMValueRef index[32];
    for (unsigned l = 0; l < p->lanes; l++)
        index[l] = i32_k(p, l < by ? l : p->lanes + l - by);
    return LLVMBuildShuffleVector(p->builder, fill, a, LLVMConstVector(index, p->lanes), "");
}

/* For each lane what the active lanes before it make together; returns what all of them make. */
static jv scan(const struct atomic *a, LLVMValueRef *before)
{
    struct jit_part *p = a->part;
    bool is_signed = jit_is_signed(a->type);
    jv none = jv_k(a->src[0], jit_identity(a->what, is_signed, 8 * a->bytes)), carry = none;
    jv last = jv_int(p, none, 32, p->lanes - 1);
    for (unsigned k = 0; k < p->parts; k++) {
        jv some = jv_select(p, a->active[k], a->src[k], none);
        for (unsigned by = 1; by < p->lanes; by *= 2)
            some = jv_reduce(p, a->what, is_signed, some, moved_up(p, none, some, by));
        before[k] = jv_reduce(p, a->what, is_signed, carry, moved_up(p, none, some, 1));
        jv top = LLVMBuildShuffleVector(p->builder, some, some, last, "");
        carry = jv_reduce(p, a->what, is_signed, carry, top);
    }
    return LLVMBuildExtractElement(p->builder, carry, i32_k(p, 0), "");
}

/* In memory that only this host thread accesses, or elsewhere: the same operation made twice. */
static jv apply_either(const struct atomic *a, jv address, jit_atomic_new make, const void *operand,
                       jv (*locked)(const struct atomic *, jv, jit_atomic_new, const void *))
{
    struct jit_part *p = a->part;
    if (a->where->is_shared) return apply_plain(a, address, make, operand);
    if (!a->where->alone) return locked(a, address, make, operand);
    LLVMBasicBlockRef yes = new_block(p), no = new_block(p), after = new_block(p);
    LLVMBuildCondBr(p->builder, a->where->alone, yes, no);
    LLVMPositionBuilderAtEnd(p->builder, yes);
    jv one = apply_plain(a, address, make, operand);
    yes = LLVMGetInsertBlock(p->builder);
    LLVMBuildBr(p->builder, after);
    LLVMPositionBuilderAtEnd(p->builder, no);
    jv other = locked(a, address, make, operand);
    no = LLVMGetInsertBlock(p->builder);
    LLVMBuildBr(p->builder, after);
    LLVMPositionBuilderAtEnd(p->builder, after);
    LLVMValueRef old = LLVMBuildPhi(p->builder, value_type(a), "");
    LLVMAddIncoming(old, (LLVMValueRef[]){one, other}, (LLVMBasicBlockRef[]){yes, no}, 2);
    return old;
}

static jv locked_one(const struct atomic *a, jv address, jit_atomic_new make, const void *operand)
{
    (void)make;
    return apply_locked(a, address, operand);
}

/* What the lanes of a set that is not empty make together. */
static jv total_of(const struct atomic *a, jv set)
{
    struct jit_part *p = a->part;
    jv same = uniform_operand(a, 0), count = jv_call1(p, "llvm.ctpop", set);
    if (!same) return jv_reduce_warp(p, a->what, jit_is_signed(a->type), a->src, a->active);
    switch ((int)a->what) {
    case ISA_MOD_ADD: return jv_mul(p, same, jv_fit(p, count, 8 * a->bytes, false));
    case ISA_MOD_XOR: return jv_mul(p, same, jv_fit(p, jv_and_k(p, count, 1), 8 * a->bytes, false));
    default: return same;
    }
}

static void combined(const struct atomic *a, jv set, jv address)
{
    struct jit_part *p = a->part;
    bool is_signed = jit_is_signed(a->type);
    LLVMValueRef before[JIT_MAX_PARTS];
    jv total = a->dst ? scan(a, before) : total_of(a, set);
    jv old = apply_either(a, address, new_of_one, &(struct operands){total, NULL}, locked_one);
    if (!a->dst) return;
    for (unsigned k = 0; k < p->parts; k++)
        before[k] = jv_reduce(p, a->what, is_signed, jv_splat(p, old), before[k]);
    atomic_spill(a, SLOT_OLD, before, a->bytes);
}

/*   here -> loop: left = phi(set, rest), sum = phi(old, new); one lane's operand -> loop | after: new */
static jv new_of_lanes(const struct atomic *a, jv old, const void *operand)
{
    struct jit_part *p = a->part;
    LLVMValueRef set = (LLVMValueRef)operand;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(p->builder), loop = new_block(p), after = new_block(p);
    LLVMBuildBr(p->builder, loop);
    LLVMPositionBuilderAtEnd(p->builder, loop);
    LLVMValueRef left = LLVMBuildPhi(p->builder, LLVMTypeOf(set), ""),
                 sum = LLVMBuildPhi(p->builder, value_type(a), "");
    jv lane = first_lane(p, left);
    struct operands o = lane_operands(a, lane);
    keep_old(a, lane, sum);
    jv next = jit_atomic_changed(a, sum, o.b, o.c), rest = jv_and(p, left, jv_add_k(p, left, (uint64_t)-1));
    LLVMBasicBlockRef back = LLVMGetInsertBlock(p->builder);
    LLVMAddIncoming(left, (LLVMValueRef[]){set, rest}, (LLVMBasicBlockRef[]){here, back}, 2);
    LLVMAddIncoming(sum, (LLVMValueRef[]){old, next}, (LLVMBasicBlockRef[]){here, back}, 2);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntNE, rest, 0), loop, after);
    LLVMPositionBuilderAtEnd(p->builder, after);
    return next;
}

static void together(const struct atomic *whole, jv set)
{
    struct atomic all = *whole, *a = &all;
    jv number = a->where->one_address
                    ? LLVMBuildExtractElement(a->part->builder, a->address[0], i32_k(a->part, 0), "")
                    : lane_number(a, first_lane(a->part, set));
    jv address = lane_pointer(a, number);
    look_where(a, number);
    if (combines(a))
        combined(a, set, address);
    else
        apply_either(a, address, new_of_lanes, set, apply_retry);
}

/* Are the active lanes' addresses all that of the first one? */
static jv one_address(const struct atomic *a, jv set)
{
    struct jit_part *p = a->part;
    LLVMValueRef differ[JIT_MAX_PARTS];
    jv lane = jv_and_k(
        p, jv_call2(p, "llvm.cttz", set, LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false)), 31);
    jv first = jv_splat(p, lane_number(a, lane));
    for (unsigned k = 0; k < p->parts; k++)
        differ[k] = jv_and(p, a->active[k], jv_cmp(p, LLVMIntNE, a->address[k], first));
    return jv_and(p, jv_cmp_k(p, LLVMIntEQ, jv_ballot(p, differ), 0), jv_cmp_k(p, LLVMIntNE, set, 0));
}

/* ---- all of it */

/* Lanes at several addresses, or few at one. */
static void apart(const struct atomic *a, jv set, LLVMBasicBlockRef after)
{
    struct jit_part *p = a->part;
    if (a->where->is_shared) {
        plain_lanes(a, set, after);
        return;
    }
    if (a->where->alone) {
        LLVMBasicBlockRef plain = new_block(p), locked = new_block(p);
        LLVMBuildCondBr(p->builder, a->where->alone, plain, locked);
        LLVMPositionBuilderAtEnd(p->builder, plain);
        plain_lanes(a, set, after);
        LLVMPositionBuilderAtEnd(p->builder, locked);
    }
    each_lane(a, set, false, after);
}

static void old_values(const struct atomic *a)
{
    struct jit_part *p = a->part;
    LLVMTypeRef type = jv_like(a->src[0], value_type(a));
    for (unsigned k = 0; k < p->parts; k++) {
        a->dst[k] =
            LLVMBuildLoad2(p->builder, type, atomic_slot(a, SLOT_OLD, i32_k(p, k * p->lanes), a->bytes), "");
        LLVMSetAlignment(a->dst[k], slot_alignment(p, a->bytes));
    }
}

/*   here -> one (address) | several -> after */
static void build(const struct atomic *a)
{
    struct jit_part *p = a->part;
    jv set = jv_ballot(p, a->active);
    bool one_for_all = combines(a) || folds(a), always = one_for_all && a->where->one_address;
    LLVMBasicBlockRef after = new_block(p);
    if (!always) spill_addresses(a);
    if (!combines(a)) spill_operands(a);
    if (one_for_all) {
        LLVMBasicBlockRef one = new_block(p), several = always ? after : new_block(p);
        jv test = always ? jv_cmp_k(p, LLVMIntNE, set, 0) : one_address(a, set);
        LLVMBuildCondBr(p->builder, test, one, several);
        LLVMPositionBuilderAtEnd(p->builder, one);
        together(a, set);
        LLVMBuildBr(p->builder, after);
        LLVMPositionBuilderAtEnd(p->builder, several);
    }
    if (!always) {
        if (combines(a)) spill_operands(a);
        apart(a, set, after);
        LLVMPositionBuilderAtEnd(p->builder, after);
    }
    if (a->dst) old_values(a);
}

/* ---- which */

static enum isa_mod operation_of(const struct ptx_instr *instr)
{
    static const uint16_t all[] = {ISA_MOD_ADD,  ISA_MOD_MIN, ISA_MOD_MAX, ISA_MOD_INC, ISA_MOD_DEC,
                                   ISA_MOD_EXCH, ISA_MOD_CAS, ISA_MOD_AND, ISA_MOD_OR,  ISA_MOD_XOR};
    for (unsigned i = 0; i < SW_COUNT_OF(all); i++)
        if (jit_has(instr, (enum isa_mod)all[i])) return (enum isa_mod)all[i];
    return ISA_MOD_NONE;
}

/* Modifiers that change nothing here: where, for whom, hints, and the operation itself. */
static bool atomic_is_known(enum isa_mod mod)
{
    static const uint16_t all[] = {ISA_MOD_GLOBAL,
                                   ISA_MOD_SHARED,
                                   ISA_MOD_SHARED__CTA,
                                   ISA_MOD_CTA,
                                   ISA_MOD_CLUSTER,
                                   ISA_MOD_GPU,
                                   ISA_MOD_SYS,
                                   ISA_MOD_RELAXED,
                                   ISA_MOD_ACQUIRE,
                                   ISA_MOD_RELEASE,
                                   ISA_MOD_ACQ_REL,
                                   ISA_MOD_NOFTZ,
                                   ISA_MOD_L2__CACHE_HINT,
                                   ISA_MOD_SHARED__CLUSTER,
                                   ISA_MOD_V2,
                                   ISA_MOD_V4,
                                   ISA_MOD_V8};
    for (unsigned i = 0; i < SW_COUNT_OF(all); i++)
        if (all[i] == mod) return true;
    return false;
}

static bool type_fits(enum isa_mod what, enum isa_type type, unsigned elements)
{
    unsigned bits = isa_type_bits(type);
    bool swaps = what == ISA_MOD_EXCH || what == ISA_MOD_CAS,
         extreme = what == ISA_MOD_MIN || what == ISA_MOD_MAX;
    if (bits == 128) return swaps && elements == 1;
    if (bits < 16 || bits > 64) return false;
    if (elements > 1) return jit_is_float(type) && (what == ISA_MOD_ADD || (extreme && type != ISA_F32));
    if (!jit_is_float(type)) return true;
    return what == ISA_MOD_ADD || what == ISA_MOD_EXCH || (extreme && type != ISA_F32 && type != ISA_F64);
}

bool jit_op_atomic_supported(const struct ptx_instr *instr)
{
    enum isa_mod what = operation_of(instr);
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (instr->mods[i] != what && !atomic_is_known((enum isa_mod)instr->mods[i])) return false;
    return what != ISA_MOD_NONE && type_fits(what, ptx_instr_type(instr, 0), ptx_vector_count(instr));
}

static enum sw_status start(struct jit_part *part, const struct ptx_instr *instr,
                            const struct jit_atomic_where *where, struct atomic *out, struct sw_error *error)
{
    if (!jit_op_atomic_supported(instr))
        return sw_fail_at(error, SW_UNSUPPORTED, part->function ? part->function->name : NULL, instr->line,
                          instr->column, "this form of '%s' is not supported", isa_op_name(instr->op));
    enum isa_type type = ptx_instr_type(instr, 0);
    *out = (struct atomic){.part = part,
                           .instr = instr,
                           .where = where,
                           .what = operation_of(instr),
                           .type = type,
                           .bytes = isa_type_bits(type) / 8};
    return SW_OK;
}

enum sw_status jit_op_atomic(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *address,
                             LLVMValueRef *src, unsigned count, LLVMValueRef *active,
                             const struct jit_atomic_where *where, LLVMValueRef *dst, struct sw_error *error)
{
    struct atomic atomic;
    SW_TRY(start(part, instr, where, &atomic, error));
    atomic.address = address;
    atomic.src = src;
    atomic.count = count;
    atomic.active = active;
    atomic.dst = dst;
    build(&atomic);
    return SW_OK;
}

enum sw_status jit_op_atomic_apart(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *old,
                                   LLVMValueRef *src, unsigned count, const struct jit_atomic_where *where,
                                   LLVMValueRef *out, struct sw_error *error)
{
    struct atomic atomic;
    SW_TRY(start(part, instr, where, &atomic, error));
    for (unsigned k = 0; k < part->parts; k++)
        out[k] = jit_atomic_changed(&atomic, old[k], src[k], count > 1 ? src[part->parts + k] : NULL);
    return SW_OK;
}
