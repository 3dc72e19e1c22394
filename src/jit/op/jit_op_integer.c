/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic: add, sub, mul, mad with carries, clmad, abs, neg, min, max, sad (PTX ISA 9.7.1, 9.7.2).
 * Method: plain vector arithmetic that wraps; a high half comes from a product of twice the width, and for 64
 * bits in vectors from four products of 32 by 32 bits, because LLVM would scalarise <n x i128>. Carry-less
 * products come from 16 products of 64 bits (see carryless_low).
 * Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* ---- sums and carries */

static jv saturated(struct jit_op *op, const char *intrinsic)
{
    return jv_call2(op->part, intrinsic, op->src[0], op->src[1]);
}

/* a + b (+ carry), carry-out in *out. */
static jv add_carry(struct jit_part *p, jv a, jv b, jv carry, jv *out)
{
    jv sum = jv_add(p, a, b);
    jv over = jv_cmp(p, LLVMIntULT, sum, a);
    if (carry) {
        jv total = jv_add(p, sum, jv_zext(p, carry, jv_width(a)));
        over = jv_or(p, over, jv_cmp(p, LLVMIntULT, total, sum));
        sum = total;
    }
    *out = over;
    return sum;
}

static void build_add(struct jit_op *op)
{
    jv carry = op->instr->op == ISA_OP_ADDC ? op->src[2] : NULL;
    op->dst[0] = add_carry(op->part, op->src[0], op->src[1], carry, &op->dst[1]);
}

static void build_add_sat(struct jit_op *op)
{
    op->dst[0] = saturated(op, "llvm.sadd.sat");
}

jit_build_fn jit_select_add(const struct ptx_instr *instr)
{
    return jit_has(instr, ISA_MOD_SAT) ? build_add_sat : build_add;
}

/* The carry flag of sub.cc is the borrow. */
static void build_sub(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], b = op->src[1], difference = jv_sub(p, a, b);
    jv borrow = jv_cmp(p, LLVMIntULT, a, b);
    if (op->instr->op == ISA_OP_SUBC) {
        jv in = jv_zext(p, op->src[2], jv_width(a));
        borrow = jv_or(p, borrow, jv_cmp(p, LLVMIntULT, difference, in));
        difference = jv_sub(p, difference, in);
    }
    op->dst[0] = difference;
    op->dst[1] = borrow;
}

static void build_sub_sat(struct jit_op *op)
{
    op->dst[0] = saturated(op, "llvm.ssub.sat");
}

jit_build_fn jit_select_sub(const struct ptx_instr *instr)
{
    return jit_has(instr, ISA_MOD_SAT) ? build_sub_sat : build_sub;
}

/* ---- products */

static jv widened_product(struct jit_part *p, jv a, jv b, bool is_signed)
{
    unsigned bits = 2 * jv_width(a);
    return jv_mul(p, jv_fit(p, a, bits, is_signed), jv_fit(p, b, bits, is_signed));
}

/* High 64 bits of an unsigned product, from halves: (ah, al) * (bh, bl). */
static jv high64(struct jit_part *p, jv a, jv b)
{
    const uint64_t low = 0xffffffffu;
    jv al = jv_and_k(p, a, low), ah = jv_lshr_k(p, a, 32);
    jv bl = jv_and_k(p, b, low), bh = jv_lshr_k(p, b, 32);
    jv middle = jv_add(p, jv_mul(p, ah, bl), jv_lshr_k(p, jv_mul(p, al, bl), 32));
    jv cross = jv_add(p, jv_mul(p, al, bh), jv_and_k(p, middle, low));
    jv high = jv_add(p, jv_mul(p, ah, bh), jv_lshr_k(p, middle, 32));
    return jv_add(p, high, jv_lshr_k(p, cross, 32));
}

/* a < 0 ? b : 0 */
static jv if_negative(struct jit_part *p, jv a, jv b)
{
    return jv_and(p, jv_ashr_k(p, a, jv_width(a) - 1), b);
}

static jv high_product(struct jit_part *p, jv a, jv b, bool is_signed)
{
    unsigned bits = jv_width(a);
    if (bits < 64 || jv_lanes(a) == 1) {
        jv product = widened_product(p, a, b, is_signed);
        return jv_trunc(p, jv_lshr(p, product, jv_k(product, bits)), bits);
    }
    jv high = high64(p, a, b);
    if (!is_signed) return high;
    return jv_sub(p, jv_sub(p, high, if_negative(p, a, b)), if_negative(p, b, a));
}

static jv integer_product(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool is_signed = jit_is_signed(op->type);
    if (jit_has(op->instr, ISA_MOD_WIDE)) return widened_product(p, op->src[0], op->src[1], is_signed);
    if (jit_has(op->instr, ISA_MOD_HI)) return high_product(p, op->src[0], op->src[1], is_signed);
    return jv_mul(p, op->src[0], op->src[1]);
}

static void build_mul(struct jit_op *op)
{
    op->dst[0] = integer_product(op);
}

static void build_mad(struct jit_op *op)
{
    jv carry = op->instr->op == ISA_OP_MADC ? op->src[3] : NULL;
    op->dst[0] = add_carry(op->part, integer_product(op), op->src[2], carry, &op->dst[1]);
}

static void build_mad_sat(struct jit_op *op)
{
    op->dst[0] = jv_call2(op->part, "llvm.sadd.sat", integer_product(op), op->src[2]);
}

jit_build_fn jit_select_mul(const struct ptx_instr *instr)
{
    return jit_has(instr, ISA_MOD_SAT) ? NULL : build_mul;
}

jit_build_fn jit_select_mad(const struct ptx_instr *instr)
{
    return jit_has(instr, ISA_MOD_SAT) ? build_mad_sat : build_mad;
}

/* ---- products without carries (PTX ISA 9.3, 9.7.1.5) */

/* The low half. Four parts of each factor have every fourth of its bits. In the product of two parts, bits
 * stand four apart and are sums of at most 16 (15 but for the topmost), so their carries end in the bits
 * between or leave the word: their own bits are the sums without carries. */
static jv carryless_low(struct jit_part *p, jv a, jv b)
{
    const uint64_t every_fourth = UINT64_C(0x1111111111111111);
    jv result = NULL;
    for (unsigned bit = 0; bit < 4; bit++) {
        jv sum = NULL;
        for (unsigned i = 0; i < 4; i++) {
            jv product =
                jv_mul(p, jv_and_k(p, a, every_fourth << i), jv_and_k(p, b, every_fourth << ((bit - i) & 3)));
            sum = sum ? jv_xor(p, sum, product) : product;
        }
        sum = jv_and_k(p, sum, every_fourth << bit);
        result = result ? jv_or(p, result, sum) : sum;
    }
    return result;
}

/* Read backwards, the 127 bits of the product are the product of the factors read backwards. */
static void build_clmad(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], b = op->src[1], product;
    if (jit_has(op->instr, ISA_MOD_HI)) {
        jv back = carryless_low(p, jv_call1(p, "llvm.bitreverse", a), jv_call1(p, "llvm.bitreverse", b));
        product = jv_lshr_k(p, jv_call1(p, "llvm.bitreverse", back), 1);
    } else {
        product = carryless_low(p, a, b);
    }
    op->dst[0] = jv_xor(p, product, op->src[2]);
}

/* ---- the rest */

static void build_abs(struct jit_op *op)
{
    jv a = op->src[0];
    op->dst[0] = jv_select(op->part, jv_cmp_k(op->part, LLVMIntSLT, a, 0), jv_neg(op->part, a), a);
}

static void build_neg(struct jit_op *op)
{
    op->dst[0] = jv_neg(op->part, op->src[0]);
}

static void build_min_max(struct jit_op *op)
{
    bool is_signed = jit_is_signed(op->type);
    jv (*pick)(struct jit_part *, jv, jv, bool) = op->instr->op == ISA_OP_MIN ? jv_min : jv_max;
    op->dst[0] = pick(op->part, op->src[0], op->src[1], is_signed);
    if (jit_has(op->instr, ISA_MOD_RELU))
        op->dst[0] = jv_max(op->part, op->dst[0], jv_k(op->dst[0], 0), true);
}

static void build_sad(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool is_signed = jit_is_signed(op->type);
    jv a = op->src[0], b = op->src[1];
    jv distance = jv_sub(p, jv_max(p, a, b, is_signed), jv_min(p, a, b, is_signed));
    op->dst[0] = jv_add(p, op->src[2], distance);
}

jit_build_fn jit_select_integer(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_ABS: return build_abs;
    case ISA_OP_NEG: return build_neg;
    case ISA_OP_MIN:
    case ISA_OP_MAX: return instr->operand_count == 3 ? build_min_max : NULL;
    case ISA_OP_SAD: return build_sad;
    case ISA_OP_CLMAD: return build_clmad;
    default: return NULL;
    }
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_ADD, "t:tt", " rn rz rm rp ftz sat cc ", jit_select_add, jit_select_float, jit_select_half},
    {ISA_OP_SUB, "t:tt", " rn rz rm rp ftz sat cc ", jit_select_sub, jit_select_float, jit_select_half},
    {ISA_OP_ADDC, "t:ttp", " cc ", jit_select_add, NULL, NULL},
    {ISA_OP_SUBC, "t:ttp", " cc ", jit_select_sub, NULL, NULL},
    {ISA_OP_MUL, "x:tt", " lo hi wide rn rz rm rp ftz sat ", jit_select_mul, jit_select_float,
     jit_select_half},
    {ISA_OP_MAD, "x:ttx", " lo hi wide sat cc rn rz rm rp ftz ", jit_select_mad, jit_select_float, NULL},
    {ISA_OP_MADC, "t:tttp", " lo hi cc ", jit_select_mad, NULL, NULL},
    {ISA_OP_CLMAD, "t:ttt", " lo hi ", jit_select_integer, NULL, NULL},
    {ISA_OP_ABS, "t:t", " ftz ", jit_select_integer, jit_select_float, jit_select_half},
    {ISA_OP_NEG, "t:t", " ftz ", jit_select_integer, jit_select_float, jit_select_half},
    {ISA_OP_MIN, "t:ttt", " relu ftz NaN xorsign abs ", jit_select_integer, jit_select_minmax,
     jit_select_minmax},
    {ISA_OP_MAX, "t:ttt", " relu ftz NaN xorsign abs ", jit_select_integer, jit_select_minmax,
     jit_select_minmax},
    {ISA_OP_SAD, "t:ttt", " ", jit_select_integer, NULL, NULL},
};
const struct jit_op_family jit_family_integer = {ROWS, SW_COUNT_OF(ROWS)};
