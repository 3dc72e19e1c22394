/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red (PTX ISA 9.7.13.5, 9.7.13.7).
 * Method: addresses and operands go to scratch memory; a loop takes the active lanes in lane order. Integer
 * operations whose active lanes all have one address (found at run time) are combined: one atomic operation
 * with the warp's sum, and each lane's old value is that plus the sum of the lanes before it (8 ns against
 * 192 ns for 32 locked adds). Global memory: LLVM's atomics, compare-and-swap loops where the machine has no
 * instruction. Shared memory belongs to one host thread: plain loads and stores.
 * 128 bits: exch and cas, by cmpxchg16b. Vector forms are cut into scalar ones by the caller, as each element
 * is atomic by itself. A f32 sum in global memory flushes denormals, as the hardware does.
 */
#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

struct atomic {
    struct jit_part *part;
    const struct ptx_instr *instr;
    LLVMValueRef *address, *src, *active, *dst;
    unsigned count; /* of operands: 1, or 2 for cas */
    const struct jit_atomic_where *where;
    jv in_shared; /* of a sum of floats at a generic address: is this lane's in shared memory? else NULL */
    enum isa_mod what;
    enum isa_type type;
    unsigned bytes;
};

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

/* ---- what one lane does: old, b (and c) to new */

static jv half_sum(struct jit_part *p, bool brain, jv a, jv b)
{
    jv sum = jv_fadd(p, jv_from_half(p, brain, a), jv_from_half(p, brain, b));
    return jv_to_half(p, JIT_RN, brain, sum);
}

/* add, min or max of one f16 or bf16 */
static jv half_changed(const struct atomic *a, jv old, jv b)
{
    bool brain = a->type == ISA_BF16 || a->type == ISA_BF16X2;
    if (a->what == ISA_MOD_ADD) return half_sum(a->part, brain, old, b);
    return jv_float_extreme(a->part, brain ? ISA_BF16 : ISA_F16, a->what == ISA_MOD_MIN, false, old, b);
}

/* A NaN keeps its bits: that of b, then that of memory. Shared memory goes through an addition, which makes
 * it quiet and prefers that of memory. */
static jv double_sum(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    jv x = jv_float_exact(p, old), y = jv_float_exact(p, b), sum = jv_result(p, jv_fadd(p, x, y));
    jv old_is_nan = jv_fcmp(p, LLVMRealUNO, x, x), b_is_nan = jv_fcmp(p, LLVMRealUNO, y, y);
    const uint64_t quiet = UINT64_C(1) << 51;
    jv kept = jv_select(p, b_is_nan, jv_or_k(p, b, quiet), sum);
    jv in_shared = jv_select(p, old_is_nan, jv_or_k(p, old, quiet), kept);
    if (a->where->is_shared) return in_shared;
    jv elsewhere = jv_select(p, b_is_nan, b, jv_select(p, old_is_nan, old, sum));
    return a->in_shared ? jv_select(p, a->in_shared, in_shared, elsewhere) : elsewhere;
}

/* Global memory flushes denormals, shared memory keeps them. */
static jv single_sum(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    jv x = jv_float_exact(p, old), y = jv_float_exact(p, b);
    if (!a->in_shared && !jit_has(a->instr, ISA_MOD_GLOBAL)) return jv_result(p, jv_fadd(p, x, y));
    jv flushed = jv_result(p, jv_flush(p, jv_fadd(p, jv_flush(p, x), jv_flush(p, y))));
    return a->in_shared ? jv_select(p, a->in_shared, jv_result(p, jv_fadd(p, x, y)), flushed) : flushed;
}

static jv float_changed(const struct atomic *a, jv old, jv b)
{
    struct jit_part *p = a->part;
    if (jit_half_of(a->type)) {
        jv low = half_changed(a, jv_trunc(p, old, 16), jv_trunc(p, b, 16));
        jv high =
            half_changed(a, jv_trunc(p, jv_lshr_k(p, old, 16), 16), jv_trunc(p, jv_lshr_k(p, b, 16), 16));
        return jv_or(p, jv_zext(p, low, 32), jv_shl_k(p, jv_zext(p, high, 32), 16));
    }
    if (a->bytes == 2) return half_changed(a, old, b);
    return a->type == ISA_F64 ? double_sum(a, old, b) : single_sum(a, old, b);
}

static jv changed(const struct atomic *a, jv old, jv b, jv c)
{
    struct jit_part *p = a->part;
    switch ((int)a->what) {
    case ISA_MOD_EXCH: return b;
    case ISA_MOD_CAS: return jv_select(p, jv_cmp(p, LLVMIntEQ, old, b), c, old);
    case ISA_MOD_INC: return jv_select(p, jv_cmp(p, LLVMIntUGE, old, b), jv_k(old, 0), jv_add_k(p, old, 1));
    case ISA_MOD_DEC: {
        jv wraps = jv_or(p, jv_cmp_k(p, LLVMIntEQ, old, 0), jv_cmp(p, LLVMIntUGT, old, b));
        return jv_select(p, wraps, b, jv_add_k(p, old, (uint64_t)-1));
    }
    default:
        if (jit_is_float(a->type)) return float_changed(a, old, b);
        return jv_reduce(p, a->what, jit_is_signed(a->type), old, b);
    }
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

/*   before: first = load -> again: old = phi(first, seen); cmpxchg -> again | after */
static jv retry(const struct atomic *a, jv address, jv b)
{
    struct jit_part *p = a->part;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(p->builder), again = new_block(p), after = new_block(p);
    LLVMValueRef first = LLVMBuildLoad2(p->builder, value_type(a), address, "");
    LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(first, a->bytes);
    LLVMBuildBr(p->builder, again);
    LLVMPositionBuilderAtEnd(p->builder, again);
    LLVMValueRef old = LLVMBuildPhi(p->builder, value_type(a), "");
    LLVMValueRef pair = exchange(a, address, old, changed(a, old, b, NULL));
    LLVMValueRef seen = LLVMBuildExtractValue(p->builder, pair, 0, "");
    LLVMAddIncoming(old, (LLVMValueRef[]){first, seen}, (LLVMBasicBlockRef[]){before, again}, 2);
    LLVMBuildCondBr(p->builder, LLVMBuildExtractValue(p->builder, pair, 1, ""), after, again);
    LLVMPositionBuilderAtEnd(p->builder, after);
    return old;
}

/* One lane, or the whole warp's combined value. */
static jv atomic_apply(const struct atomic *a, jv address, jv b, jv c)
{
    struct jit_part *p = a->part;
    LLVMAtomicRMWBinOp op;
    if (a->where->is_shared) {
        jv old = LLVMBuildLoad2(p->builder, value_type(a), address, "");
        LLVMBuildStore(p->builder, changed(a, old, b, c), address);
        return old;
    }
    if (has_instruction(a, &op)) {
        LLVMValueRef old = LLVMBuildAtomicRMW(p->builder, op, address, b, ordering(a->instr), false);
        LLVMSetAlignment(old, a->bytes);
        return old;
    }
    if (a->what == ISA_MOD_CAS) return LLVMBuildExtractValue(p->builder, exchange(a, address, b, c), 0, "");
    return retry(a, address, b);
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

static jv lane_number(const struct atomic *a, jv lane)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(a->part->context);
    return LLVMBuildLoad2(a->part->builder, i64, atomic_slot(a, SLOT_ADDRESS, lane, 8), "");
}

static jv atomic_lane_address(const struct atomic *a, jv lane)
{
    struct jit_part *p = a->part;
    jv bits = lane_number(a, lane);
    return LLVMBuildIntToPtr(p->builder, bits, LLVMPointerTypeInContext(p->context, 0), "");
}

static void one_lane(const struct atomic *whole, jv lane)
{
    struct atomic one = *whole, *a = &one;
    struct jit_part *p = a->part;
    if (a->where->shared && jit_is_float(a->type) && a->what == ISA_MOD_ADD && a->bytes >= 4)
        a->in_shared =
            jv_cmp(p, LLVMIntULT, jv_sub(p, lane_number(a, lane), a->where->shared), a->where->shared_bytes);
    jv b = LLVMBuildLoad2(p->builder, value_type(a), atomic_slot(a, SLOT_B, lane, a->bytes), "");
    jv c = a->what != ISA_MOD_CAS
               ? NULL
               : LLVMBuildLoad2(p->builder, value_type(a), atomic_slot(a, SLOT_C, lane, a->bytes), "");
    jv old = atomic_apply(a, atomic_lane_address(a, lane), b, c);
    LLVMBuildStore(p->builder, old, atomic_slot(a, SLOT_OLD, lane, a->bytes));
}

static jv first_lane(struct jit_part *p, jv set)
{
    return jv_call2(p, "llvm.cttz", set, LLVMConstInt(LLVMInt1TypeInContext(p->context), 1, false));
}

/*   here: set != 0 ? -> loop: left = phi(set, rest); one lane; rest = left without it -> loop | after */
static void each_lane(const struct atomic *a, jv set, LLVMBasicBlockRef after)
{
    struct jit_part *p = a->part;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(p->builder), loop = new_block(p);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntNE, set, 0), loop, after);
    LLVMPositionBuilderAtEnd(p->builder, loop);
    LLVMValueRef left = LLVMBuildPhi(p->builder, LLVMTypeOf(set), "");
    one_lane(a, first_lane(p, left));
    jv rest = jv_and(p, left, jv_add_k(p, left, (uint64_t)-1));
    LLVMBasicBlockRef back = LLVMGetInsertBlock(p->builder);
    LLVMAddIncoming(left, (LLVMValueRef[]){set, rest}, (LLVMBasicBlockRef[]){here, back}, 2);
    LLVMBuildCondBr(p->builder, jv_cmp_k(p, LLVMIntNE, rest, 0), loop, after);
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

static void combined(const struct atomic *a, jv set)
{
    struct jit_part *p = a->part;
    LLVMValueRef before[JIT_MAX_PARTS];
    jv total = scan(a, before),
       old = jv_splat(p, atomic_apply(a, atomic_lane_address(a, first_lane(p, set)), total, NULL));
    for (unsigned k = 0; k < p->parts; k++)
        before[k] = jv_reduce(p, a->what, jit_is_signed(a->type), old, before[k]);
    atomic_spill(a, SLOT_OLD, before, a->bytes);
}

/* Are the active lanes' addresses all that of the first one? */
static jv one_address(const struct atomic *a, jv set)
{
    struct jit_part *p = a->part;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(p->context);
    LLVMValueRef differ[JIT_MAX_PARTS];
    jv lane = jv_and_k(
        p, jv_call2(p, "llvm.cttz", set, LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false)), 31);
    jv first = jv_splat(p, LLVMBuildLoad2(p->builder, i64, atomic_slot(a, SLOT_ADDRESS, lane, 8), ""));
    for (unsigned k = 0; k < p->parts; k++)
        differ[k] = jv_and(p, a->active[k], jv_cmp(p, LLVMIntNE, a->address[k], first));
    return jv_and(p, jv_cmp_k(p, LLVMIntEQ, jv_ballot(p, differ), 0), jv_cmp_k(p, LLVMIntNE, set, 0));
}

/*   here -> together | apart (loop) -> after */
static void build(const struct atomic *a)
{
    struct jit_part *p = a->part;
    jv set = jv_ballot(p, a->active);
    LLVMBasicBlockRef after = new_block(p);
    atomic_spill(a, SLOT_ADDRESS, a->address, 8);
    if (combines(a)) {
        LLVMBasicBlockRef together = new_block(p), apart = new_block(p);
        LLVMBuildCondBr(p->builder, one_address(a, set), together, apart);
        LLVMPositionBuilderAtEnd(p->builder, together);
        combined(a, set);
        LLVMBuildBr(p->builder, after);
        LLVMPositionBuilderAtEnd(p->builder, apart);
    }
    atomic_spill(a, SLOT_B, a->src, a->bytes);
    if (a->what == ISA_MOD_CAS) atomic_spill(a, SLOT_C, a->src + p->parts, a->bytes);
    each_lane(a, set, after);
    LLVMPositionBuilderAtEnd(p->builder, after);
    LLVMTypeRef type = jv_like(a->src[0], value_type(a));
    for (unsigned k = 0; k < p->parts; k++) {
        a->dst[k] =
            LLVMBuildLoad2(p->builder, type, atomic_slot(a, SLOT_OLD, i32_k(p, k * p->lanes), a->bytes), "");
        LLVMSetAlignment(a->dst[k], slot_alignment(p, a->bytes));
    }
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

enum sw_status jit_op_atomic(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *address,
                             LLVMValueRef *src, unsigned count, LLVMValueRef *active,
                             const struct jit_atomic_where *where, LLVMValueRef *dst, struct sw_error *error)
{
    if (!jit_op_atomic_supported(instr))
        return sw_fail_at(error, SW_UNSUPPORTED, part->function ? part->function->name : NULL, instr->line,
                          instr->column, "this form of '%s' is not supported", isa_op_name(instr->op));
    enum isa_type type = ptx_instr_type(instr, 0);
    struct atomic atomic = {.part = part,
                            .instr = instr,
                            .address = address,
                            .src = src,
                            .active = active,
                            .dst = dst,
                            .count = count,
                            .where = where,
                            .what = operation_of(instr),
                            .type = type,
                            .bytes = isa_type_bits(type) / 8};
    build(&atomic);
    return SW_OK;
}
