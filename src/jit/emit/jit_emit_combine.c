/* SPDX-License-Identifier: Apache-2.0 */
/* Write combining: a warp stores down a column of a row-major array, each lane in a cache line of its own.
 * Other warps of the block write beside it later, when the lines have been evicted (rows that are a power of
 * two apart fall into one set of the L1), so each line is fetched once an element. Therefore such stores wait
 * in a queue of the running block, and are made lane by lane: all that a lane's line gets, one after the
 * other.
 *
 * A store joins the queue when all lanes are on, lanes 0, 1, 2 stand a line or more apart, and it lies close
 * to the first one; otherwise it is made at once, as a scatter. The queue is emptied at the end of each sweep
 * over the warps (so before anything after a barrier), when it is full, and before an access that overlaps
 * it: a thread sees its own stores. Other threads may not rely on seeing them sooner: kernels that could
 * tell, those with atomics, fences, volatile accesses, calls, or barriers in diverged code, have no queue.
 *
 * Naive transposition of 4096 x 4096 floats in blocks of 32 x 8 on Zen 5: 77 ms with scatters, 38 ms when the
 * four stores of a thread go together (and in PoCL, which runs thread by thread), 17 ms so.
 * Limits: the first JOINS_MOST stores to .global, of one width a kernel, not vectors. Where threads race for
 * one address, which of them wins differs from the order of warps. */
#include "jit_combine_priv.h"
#include "jit_memory_priv.h"

#include "jit/core/jit_build.h"
#include "jit/core/jit_core.h"
#include "jit/core/jit_probes.h"
#include "jit/emit/jit_emit.h"
#include "jit/op/jit_ops.h"
#include "jit/value/jit_address.h"
#include "jit/value/jit_lanes.h"

enum { NEAR = 1024, LINE = 64, JOINS_MOST = 32 };

/* ---- which kernels have a queue */

static bool is_ordered(const struct ptx_instr *instr)
{
    switch ((unsigned)ptx_mod_of(instr, ISA_CAT_SEM)) {
    case ISA_MOD_VOLATILE:
    case ISA_MOD_RELAXED:
    case ISA_MOD_MMIO:
    case ISA_MOD_ACQUIRE:
    case ISA_MOD_RELEASE:
    case ISA_MOD_SC: return true;
    default: return false;
    }
}

/* Could another thread, or the host, observe when a store is made? */
static bool tells(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST: return is_ordered(instr);
    case ISA_OP_MOV:
    case ISA_OP_CVTA:
    case ISA_OP_ISSPACEP:
    case ISA_OP_BRA:
    case ISA_OP_BRX:
    case ISA_OP_RET:
    case ISA_OP_EXIT: return false;
    case ISA_OP_BAR: /* of the block: the queue is emptied after it; of a warp: its lanes stay together */
    case ISA_OP_BARRIER: return ptx_has(instr, ISA_MOD_CLUSTER);
    case ISA_OP_PREFETCH:
    case ISA_OP_PREFETCHU: return false;
    default: return !jit_op_elementwise_supported(instr) && !jit_op_warp_supported(instr);
    }
}

/* A store that may join: 0, or the bits of its element. */
static unsigned candidate_bits(const struct jit *jit, const struct ptx_instr *instr)
{
    if (instr->op != ISA_OP_ST || ptx_instr_space(instr) != PTX_SPACE_GLOBAL || ptx_vector_count(instr) != 1)
        return 0;
    const struct ptx_operand *address = &instr->operands[0];
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    if (address->var || address->reg == PTX_NO_REG || bits < 8 || bits > 64) return 0;
    struct jit_abstract abstract = jit->regs[address->reg].abstract;
    bool apart = (abstract.repr == JIT_AFFINE || abstract.repr == JIT_ROWS) &&
                 (abstract.stride >= LINE || abstract.stride <= -LINE);
    return abstract.repr == JIT_VECTOR || apart ? bits : 0;
}

bool jit_combine_may_join(const struct jit *jit, const struct jit_access *access,
                          const struct jit_address *address)
{
    const struct jit_value *value = &address->value;
    if (!jit->combining || jit->combine_sites >= JOINS_MOST || !access->is_store ||
        address->space != PTX_SPACE_GLOBAL || address->base || access->count != 1 ||
        access->bits != jit->combine_bits)
        return false;
    bool apart = (value->repr == JIT_AFFINE || value->repr == JIT_ROWS) &&
                 (value->stride >= LINE || value->stride <= -LINE);
    return value->repr == JIT_VECTOR || apart;
}

static LLVMValueRef combine_field(struct jit *jit, unsigned offset)
{
    return jit_offset(jit, jit->combining, offset);
}

/* Where the launch begins. */
void jit_combine_begin(struct jit *jit)
{
    if (jit->info.spins || jit_orders(jit)) return;
    for (uint32_t i = 0; i < jit->function->instr_count; i++) {
        const struct ptx_instr *instr = &jit->function->instrs[i];
        if (tells(instr)) return;
        if (!jit->combine_bits) jit->combine_bits = candidate_bits(jit, instr);
    }
    if (!jit->combine_bits) return;
    jit->combining =
        jit_slot(jit, LLVMArrayType2(jit->i8, COMBINE_HEAD + COMBINE_RECORDS * jit_combine_record_bytes(jit)),
                 "combining");
    LLVMSetAlignment(jit->combining, 64);
    jit_combine_reset(jit, jit->builder, jit->combining);
}

static LLVMValueRef combine_compare(struct jit *jit, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(jit->builder, how, a, b, "");
}

/* Empty the queue, which is not empty, where `condition` holds. The builder continues after it. */
static void flush_if(struct jit *jit, LLVMValueRef condition)
{
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    jit_branch(jit, condition, some, end, false);
    jit_position(jit, some);
    jit_combine_call_flush(jit);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static LLVMValueRef is_filled(struct jit *jit)
{
    LLVMValueRef count = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_COUNT), "");
    return combine_compare(jit, LLVMIntNE, count, jit_const(jit, 64, 0));
}

/* At the end of a sweep over the warps. */
void jit_combine_end(struct jit *jit)
{
    if (jit->combining) flush_if(jit, is_filled(jit));
}

/* ---- other accesses */

static LLVMValueRef plus(struct jit *jit, LLVMValueRef value, int64_t more)
{
    return LLVMBuildAdd(jit->builder, value, jit_const(jit, 64, (uint64_t)more), "");
}

struct span { /* of all lanes: first and last byte */
    LLVMValueRef low, high;
};

/* Signed comparisons do for host addresses, and AVX2 has no others. */
static LLVMValueRef extreme(struct jit *jit, LLVMValueRef *parts, bool least)
{
    LLVMTypeRef type = jit_vec(jit, 64);
    LLVMValueRef all = parts[0];
    for (unsigned p = 1; p < jit->part.parts; p++) {
        LLVMValueRef args[] = {all, parts[p]};
        all = jit_intrinsic(jit, least ? "llvm.smin" : "llvm.smax", &type, 1, args, 2);
    }
    return jit_intrinsic(jit, least ? "llvm.vector.reduce.smin" : "llvm.vector.reduce.smax", &type, 1, &all,
                         1);
}

static struct span span_of(struct jit *jit, const struct jit_access *access,
                           const struct jit_address *address, LLVMValueRef *parts)
{
    const struct jit_value *value = &address->value;
    int64_t size = (int64_t)access->bytes * access->count - 1;
    if (parts && (jit_is_by_lane(value) || value->limit))
        return (struct span){extreme(jit, parts, true), plus(jit, extreme(jit, parts, false), size)};
    int64_t reach = value->repr == JIT_AFFINE ? 31 * value->stride : 0;
    LLVMValueRef first = plus(jit, value->scalar, address->offset);
    return (struct span){plus(jit, first, reach < 0 ? reach : 0),
                         plus(jit, first, size + (reach < 0 ? 0 : reach))};
}

/* Before an access that does not join: empty the queue if it may overlap. */
void jit_combine_check_load(struct jit *jit, const struct jit_access *access,
                            const struct jit_address *address)
{
    bool elsewhere = address->base || address->constant ||
                     (address->space != PTX_SPACE_GLOBAL && address->space != PTX_SPACE_GENERIC);
    if (!jit->combining || elsewhere || jit_combine_may_join(jit, access, address)) return;
    const struct jit_value *value = &address->value;
    if (jit_is_by_lane(value)) {
        flush_if(jit, is_filled(jit));
        return;
    }
    struct span span = span_of(jit, access, address, NULL);
    LLVMValueRef low = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_LOW), "");
    LLVMValueRef high = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_HIGH), "");
    LLVMValueRef collective = LLVMBuildAnd(jit->builder, combine_compare(jit, LLVMIntSLE, span.low, high),
                                           combine_compare(jit, LLVMIntSGE, span.high, low), "");
    if (value->limit) {
        LLVMValueRef wraps = combine_compare(jit, LLVMIntNE, value->limit, jit_const(jit, 32, JIT_NO_WRAP));
        wraps = LLVMBuildAnd(jit->builder, wraps, is_filled(jit), ""); /* an empty queue overlaps nothing */
        collective = LLVMBuildOr(jit->builder, collective, wraps, "");
    }
    flush_if(jit, collective);
}

/* ---- joining */

static LLVMValueRef combine_lane_address(struct jit *jit, LLVMValueRef *parts, unsigned lane)
{
    return LLVMBuildExtractElement(jit->builder, parts[0], jit_const(jit, 32, lane), "");
}

/* |value| >= bytes */
static LLVMValueRef is_far(struct jit *jit, LLVMValueRef value, int64_t bytes)
{
    return combine_compare(jit, LLVMIntUGT, plus(jit, value, bytes - 1),
                           jit_const(jit, 64, 2 * (uint64_t)bytes - 2));
}

static LLVMValueRef is_strided(struct jit *jit, const struct jit_lanes *lanes, LLVMValueRef *parts)
{
    LLVMValueRef first = combine_lane_address(jit, parts, 0), second = combine_lane_address(jit, parts, 1);
    LLVMValueRef step1 = LLVMBuildSub(jit->builder, second, first, "");
    LLVMValueRef step2 = LLVMBuildSub(jit->builder, combine_lane_address(jit, parts, 2), second, "");
    LLVMValueRef strided = LLVMBuildAnd(jit->builder, is_far(jit, step1, LINE),
                                        combine_compare(jit, LLVMIntEQ, step1, step2), "");
    if (lanes->full) return strided;
    LLVMValueRef full = combine_compare(jit, LLVMIntEQ, lanes->mask, jit_const(jit, 32, UINT32_MAX));
    return LLVMBuildAnd(jit->builder, strided, full, "");
}

static void write_record(struct jit *jit, LLVMValueRef record, LLVMValueRef *at, LLVMValueRef *values)
{
    unsigned bytes = jit->combine_bits / 8, lanes = jit->part.lanes;
    for (unsigned p = 0; p < jit->part.parts; p++) {
        LLVMSetAlignment(LLVMBuildStore(jit->builder, at[p], jit_offset(jit, record, 8ull * p * lanes)), 8);
        LLVMValueRef to = jit_offset(jit, record, COMBINE_VALUES + (uint64_t)p * lanes * bytes);
        LLVMSetAlignment(LLVMBuildStore(jit->builder, values[p], to), bytes);
    }
    LLVMBuildStore(jit->builder, jit->warp, jit_offset(jit, record, jit_combine_warp_offset(jit)));
}

static LLVMValueRef combine_choose(struct jit *jit, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(jit->builder, combine_compare(jit, how, a, b), a, b, "");
}

static LLVMValueRef combine_line_of(struct jit *jit, LLVMValueRef address)
{
    return LLVMBuildLShr(jit->builder, address, jit_const(jit, 64, 6), "");
}

/* Ask for the record's lines unless one before it did: NEAR keeps their numbers within 64. */
static void ask_for_lines(struct jit *jit, LLVMValueRef record, LLVMValueRef first, LLVMValueRef lane0)
{
    LLVMValueRef line =
        LLVMBuildSub(jit->builder, combine_line_of(jit, lane0), combine_line_of(jit, first), "");
    line = LLVMBuildAnd(jit->builder, line, jit_const(jit, 64, 63), "");
    LLVMValueRef bit = LLVMBuildShl(jit->builder, jit_const(jit, 64, 1), line, "");
    LLVMValueRef asked = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_ASKED), "");
    LLVMValueRef is_new =
        combine_compare(jit, LLVMIntEQ, LLVMBuildAnd(jit->builder, asked, bit, ""), jit_const(jit, 64, 0));
    LLVMBuildStore(jit->builder, LLVMBuildOr(jit->builder, asked, bit, ""),
                   combine_field(jit, COMBINE_ASKED));
    LLVMBasicBlockRef some = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    jit_branch(jit, is_new, some, end, false);
    jit_position(jit, some);
    jit_combine_call_prefetch(jit, record);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
}

static void combine_join(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                         LLVMValueRef *at, LLVMValueRef *values)
{
    LLVMValueRef first = combine_lane_address(jit, at, 0), before, count, zero = jit_const(jit, 64, 0);
    struct span span = span_of(jit, access, address, at);
    count = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_COUNT), "");
    before = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_FIRST), "");
    LLVMValueRef full = combine_compare(jit, LLVMIntEQ, count, jit_const(jit, 64, COMBINE_RECORDS));
    LLVMValueRef away = is_far(jit, LLVMBuildSub(jit->builder, first, before, ""), NEAR);
    away = LLVMBuildAnd(jit->builder, away, combine_compare(jit, LLVMIntNE, count, zero), "");
    flush_if(jit, LLVMBuildOr(jit->builder, full, away, ""));
    count = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_COUNT), "");
    LLVMValueRef offset =
        LLVMBuildMul(jit->builder, count, jit_const(jit, 64, jit_combine_record_bytes(jit)), "");
    LLVMValueRef record =
        LLVMBuildGEP2(jit->builder, jit->i8, combine_field(jit, COMBINE_HEAD), &offset, 1, "");
    write_record(jit, record, at, values);
    before = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_FIRST), "");
    LLVMValueRef none = combine_compare(jit, LLVMIntEQ, count, zero);
    before = LLVMBuildSelect(jit->builder, none, first, before, "");
    LLVMBuildStore(jit->builder, before, combine_field(jit, COMBINE_FIRST));
    ask_for_lines(jit, record, before, first);
    LLVMBuildStore(jit->builder, plus(jit, count, 1), combine_field(jit, COMBINE_COUNT));
    LLVMValueRef low = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_LOW), "");
    LLVMValueRef high = LLVMBuildLoad2(jit->builder, jit->i64, combine_field(jit, COMBINE_HIGH), "");
    LLVMBuildStore(jit->builder, combine_choose(jit, LLVMIntSLT, span.low, low),
                   combine_field(jit, COMBINE_LOW));
    LLVMBuildStore(jit->builder, combine_choose(jit, LLVMIntSGT, span.high, high),
                   combine_field(jit, COMBINE_HIGH));
}

/* A vector store: false when it is none that may join. Otherwise it is emitted: it joins, or the queue is
 * emptied and it is made at once. */
bool jit_combine_store(struct jit *jit, const struct jit_access *access, const struct jit_address *address,
                       const struct jit_lanes *lanes, LLVMValueRef (*values)[JIT_MAX_PARTS])
{
    if (!jit_combine_may_join(jit, access, address)) return false;
    LLVMBasicBlockRef yes = jit_new_block(jit, ""), no = jit_new_block(jit, ""), end = jit_new_block(jit, "");
    LLVMValueRef at[JIT_MAX_PARTS];
    jit_address_lanes(jit, address, at);
    jit_branch(jit, is_strided(jit, lanes, at), yes, no, false);
    jit_position(jit, yes);
    combine_join(jit, access, address, at, values[0]);
    jit->combine_sites++;
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, no);
    flush_if(jit, is_filled(jit));
    jit_access_any(jit, access, address, lanes, values);
    LLVMBuildBr(jit->builder, end);
    jit_position(jit, end);
    return true;
}
