/* SPDX-License-Identifier: Apache-2.0 */
/* Compare and select: setp, set, selp, slct, and mov of plain values (PTX ISA 9.7.6, 9.7.9).
 * Method: one LLVM comparison; then the boolean operator with the third source, if there is one.
 * Limits: mov does not take vectors apart (control does). */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

static const struct predicate {
    uint16_t mod;
    uint8_t as_signed, as_unsigned, as_float;
} predicates[] = {
    {ISA_MOD_EQ, LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    {ISA_MOD_NE, LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {ISA_MOD_LT, LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
    {ISA_MOD_LE, LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    {ISA_MOD_GT, LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
    {ISA_MOD_GE, LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    {ISA_MOD_LO, LLVMIntULT, LLVMIntULT, 0},
    {ISA_MOD_LS, LLVMIntULE, LLVMIntULE, 0},
    {ISA_MOD_HI, LLVMIntUGT, LLVMIntUGT, 0},
    {ISA_MOD_HS, LLVMIntUGE, LLVMIntUGE, 0},
    {ISA_MOD_EQU, 0, 0, LLVMRealUEQ},
    {ISA_MOD_NEU, 0, 0, LLVMRealUNE},
    {ISA_MOD_LTU, 0, 0, LLVMRealULT},
    {ISA_MOD_LEU, 0, 0, LLVMRealULE},
    {ISA_MOD_GTU, 0, 0, LLVMRealUGT},
    {ISA_MOD_GEU, 0, 0, LLVMRealUGE},
    {ISA_MOD_NUM, 0, 0, LLVMRealORD},
    {ISA_MOD_NAN, 0, 0, LLVMRealUNO},
};

/* The comparison is the first modifier of a mnemonic. */
static const struct predicate *predicate_of(const struct ptx_instr *instr)
{
    for (unsigned i = 0; instr->mod_count && i < SW_COUNT_OF(predicates); i++)
        if (predicates[i].mod == instr->mods[0]) return &predicates[i];
    return NULL;
}

/* The type of what is compared: set has it second. */
static enum isa_type compared_type(const struct ptx_instr *instr)
{
    return ptx_instr_type(instr, instr->op == ISA_OP_SET ? 1 : 0);
}

/* One float operand of the comparison, in f32 or f64. */
static jv compare_widened(struct jit_op *op, enum isa_type type, jv a)
{
    struct jit_part *p = op->part;
    bool flush = jit_has(op->instr, ISA_MOD_FTZ);
    if (isa_type_bits(type) == 16) {
        jv tiny = jv_cmp_k(p, LLVMIntEQ, jv_and_k(p, a, type == ISA_BF16 ? 0x7f80 : 0x7c00), 0);
        if (flush) a = jv_select(p, tiny, jv_and_k(p, a, 0x8000), a);
        return jv_from_half(p, type == ISA_BF16, a);
    }
    a = jv_float(p, a);
    return flush ? jv_flush(p, a) : a;
}

static jv compare_values(struct jit_op *op, enum isa_type type, jv a, jv b)
{
    struct jit_part *p = op->part;
    const struct predicate *predicate = predicate_of(op->instr);
    if (jit_is_float(type))
        return jv_fcmp(p, predicate->as_float, compare_widened(op, type, a), compare_widened(op, type, b));
    return jv_cmp(p, jit_is_signed(type) ? predicate->as_signed : predicate->as_unsigned, a, b);
}

/* a BoolOp c; a alone without a third source */
static jv combine(struct jit_op *op, jv a)
{
    if (op->count < 3) return a;
    if (jit_has(op->instr, ISA_MOD_OR)) return jv_or(op->part, a, op->src[2]);
    if (jit_has(op->instr, ISA_MOD_XOR)) return jv_xor(op->part, a, op->src[2]);
    return jv_and(op->part, a, op->src[2]);
}

/* What is compared in half k (0: the lower one) of a packed type, combined. */
static jv half_truth(struct jit_op *op, unsigned k)
{
    struct jit_part *p = op->part;
    enum isa_type half = jit_half_of(compared_type(op->instr));
    jv a = jv_trunc(p, jv_lshr_k(p, op->src[0], 16 * k), 16);
    jv b = jv_trunc(p, jv_lshr_k(p, op->src[1], 16 * k), 16);
    return combine(op, compare_values(op, half, a, b));
}

static void build_setp(struct jit_op *op)
{
    jv a = compare_values(op, compared_type(op->instr), op->src[0], op->src[1]);
    op->dst[0] = combine(op, a);
    op->dst[1] = combine(op, jv_not(op->part, a));
}

/* The two halves, not a truth and its opposite. */
static void build_setp_packed(struct jit_op *op)
{
    op->dst[0] = half_truth(op, 0);
    op->dst[1] = half_truth(op, 1);
}

/* 1.0, or all ones for an integer destination. */
static jv truth_value(struct jit_part *p, enum isa_type type, jv truth)
{
    unsigned bits = isa_type_bits(type);
    if (!jit_is_float(type)) return jv_sext(p, truth, bits);
    uint64_t one = type == ISA_F32 ? 0x3f800000 : type == ISA_BF16 ? 0x3f80 : 0x3c00;
    return jv_select(p, truth, jv_int(p, truth, bits, one), jv_int(p, truth, bits, 0));
}

static void build_set(struct jit_op *op)
{
    jv truth = combine(op, compare_values(op, compared_type(op->instr), op->src[0], op->src[1]));
    op->dst[0] = truth_value(op->part, op->type, truth);
}

static void build_set_packed(struct jit_op *op)
{
    struct jit_part *p = op->part;
    enum isa_type half = jit_half_of(op->type);
    if (!half) half = ISA_S16; /* .u32, .s32: each half all ones */
    jv low = jv_zext(p, truth_value(p, half, half_truth(op, 0)), 32);
    jv high = jv_zext(p, truth_value(p, half, half_truth(op, 1)), 32);
    op->dst[0] = jv_or(p, low, jv_shl_k(p, high, 16));
}

jit_build_fn jit_select_compare(const struct ptx_instr *instr)
{
    const struct predicate *predicate = predicate_of(instr);
    enum isa_type type = compared_type(instr);
    bool packed = jit_half_of(type) != ISA_TYPE_NONE, is_setp = instr->op == ISA_OP_SETP;
    if (!predicate || type == ISA_F32X2) return NULL;
    if (jit_is_float(type) ? !predicate->as_float : !predicate->as_signed) return NULL;
    if (packed) return is_setp ? build_setp_packed : build_set_packed;
    return is_setp ? build_setp : build_set;
}

static void build_selp(struct jit_op *op)
{
    op->dst[0] = jv_select(op->part, op->src[2], op->src[0], op->src[1]);
}

/* c >= 0 ? a : b; minus zero counts as >= 0, NaN does not */
static void build_slct(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv c = op->src[2], condition;
    if (jit_is_float(ptx_instr_type(op->instr, 1))) {
        c = jv_float(p, c);
        if (jit_has(op->instr, ISA_MOD_FTZ)) c = jv_flush(p, c);
        condition = jv_fcmp(p, LLVMRealOGE, c, jv_fk(c, 0));
    } else {
        condition = jv_cmp_k(p, LLVMIntSGE, c, 0);
    }
    op->dst[0] = jv_select(p, condition, op->src[0], op->src[1]);
}

static void build_mov(struct jit_op *op)
{
    op->dst[0] = op->src[0];
}

jit_build_fn jit_select_choose(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_SELP: return build_selp;
    case ISA_OP_SLCT: return build_slct;
    case ISA_OP_MOV: return build_mov;
    default: return NULL;
    }
}

#define COMPARES " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "
static const struct jit_op_row ROWS[] = {
    {ISA_OP_SETP, "pp:ttp", COMPARES, jit_select_compare, jit_select_compare, jit_select_compare},
    {ISA_OP_SET, "t:uup", COMPARES, jit_select_compare, jit_select_compare, jit_select_compare},
    {ISA_OP_SELP, "t:ttp", " ", jit_select_choose, jit_select_choose, jit_select_choose},
    {ISA_OP_SLCT, "t:ttu", " ftz ", jit_select_choose, jit_select_choose, NULL},
    {ISA_OP_MOV, "t:t", " ", jit_select_choose, jit_select_choose, jit_select_choose},
};
const struct jit_op_family jit_family_compare = {ROWS, SW_COUNT_OF(ROWS)};
