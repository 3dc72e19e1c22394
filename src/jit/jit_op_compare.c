/* SPDX-License-Identifier: Apache-2.0 */
/* Compare and select: setp, set, selp, slct, and mov of plain values (PTX ISA 9.7.6, 9.7.9).
 * Method: one LLVM comparison; then the boolean operator with the third source, if there is one.
 * Limits: mov does not take vectors apart (control does). */
#include "jit_op_priv.h"

static const struct predicate {
    uint16_t mod;
    uint8_t as_signed, as_unsigned, as_float;
} predicates[] = {
    {PTX_MOD_EQ, LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    {PTX_MOD_NE, LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {PTX_MOD_LT, LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
    {PTX_MOD_LE, LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    {PTX_MOD_GT, LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
    {PTX_MOD_GE, LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    {PTX_MOD_LO, LLVMIntULT, LLVMIntULT, 0},
    {PTX_MOD_LS, LLVMIntULE, LLVMIntULE, 0},
    {PTX_MOD_HI, LLVMIntUGT, LLVMIntUGT, 0},
    {PTX_MOD_HS, LLVMIntUGE, LLVMIntUGE, 0},
    {PTX_MOD_EQU, 0, 0, LLVMRealUEQ},
    {PTX_MOD_NEU, 0, 0, LLVMRealUNE},
    {PTX_MOD_LTU, 0, 0, LLVMRealULT},
    {PTX_MOD_LEU, 0, 0, LLVMRealULE},
    {PTX_MOD_GTU, 0, 0, LLVMRealUGT},
    {PTX_MOD_GEU, 0, 0, LLVMRealUGE},
    {PTX_MOD_NUM, 0, 0, LLVMRealORD},
    {PTX_MOD_NAN, 0, 0, LLVMRealUNO},
};

/* The comparison is the first modifier of a mnemonic. */
static const struct predicate *predicate_of(const struct ptx_instr *instr)
{
    for (unsigned i = 0; instr->mod_count && i < SW_COUNT_OF(predicates); i++)
        if (predicates[i].mod == instr->mods[0]) return &predicates[i];
    return NULL;
}

/* The type of what is compared: set has it second. */
static enum ptx_type compared_type(const struct ptx_instr *instr)
{
    return ptx_instr_type(instr, instr->op == PTX_OP_SET ? 1 : 0);
}

static jv compare(struct jit_op *op)
{
    struct jit_part *p = op->part;
    const struct predicate *predicate = predicate_of(op->instr);
    enum ptx_type type = compared_type(op->instr);
    jv a = op->src[0], b = op->src[1];
    if (!jit_is_float(type))
        return jv_cmp(p, jit_is_signed(type) ? predicate->as_signed : predicate->as_unsigned, a, b);
    a = jv_float(p, a);
    b = jv_float(p, b);
    if (jit_has(op->instr, PTX_MOD_FTZ)) {
        a = jv_flush(p, a);
        b = jv_flush(p, b);
    }
    return jv_fcmp(p, predicate->as_float, a, b);
}

/* a BoolOp c; a alone without a third source */
static jv combine(struct jit_op *op, jv a)
{
    if (op->count < 3) return a;
    if (jit_has(op->instr, PTX_MOD_OR)) return jv_or(op->part, a, op->src[2]);
    if (jit_has(op->instr, PTX_MOD_XOR)) return jv_xor(op->part, a, op->src[2]);
    return jv_and(op->part, a, op->src[2]);
}

static void build_setp(struct jit_op *op)
{
    jv a = compare(op);
    op->dst[0] = combine(op, a);
    op->dst[1] = combine(op, jv_not(op->part, a));
}

/* All ones, or 1.0 for a float destination. */
static void build_set(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv truth = combine(op, compare(op));
    if (!jit_is_float(op->type))
        op->dst[0] = jv_sext(p, truth, ptx_type_bits(op->type));
    else
        op->dst[0] = jv_select(p, truth, jv_int(p, truth, 32, 0x3f800000), jv_int(p, truth, 32, 0));
}

jit_build_fn jit_select_compare(const struct ptx_instr *instr)
{
    const struct predicate *predicate = predicate_of(instr);
    enum ptx_type type = compared_type(instr);
    if (!predicate || jit_half_of(type)) return NULL;
    if (jit_is_float(type) && (ptx_type_bits(type) < 32 || !predicate->as_float)) return NULL;
    if (!jit_is_float(type) && !predicate->as_signed) return NULL;
    return instr->op == PTX_OP_SETP ? build_setp : build_set;
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
        if (jit_has(op->instr, PTX_MOD_FTZ)) c = jv_flush(p, c);
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
    case PTX_OP_SELP: return build_selp;
    case PTX_OP_SLCT: return build_slct;
    case PTX_OP_MOV: return build_mov;
    default: return NULL;
    }
}
