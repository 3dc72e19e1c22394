/* SPDX-License-Identifier: Apache-2.0 */
/* Bit counts, bit fields, permutations and funnel shifts (PTX ISA 9.7.1, 9.7.8, 9.7.9.7).
 * Method: shifts whose amount PTX clamps are guarded by selects; amounts and selectors that are constants
 * fold. Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

/* a << n, a >> n with 0 for n >= width; n: any width */
static jv shl_or_zero(struct jit_part *p, jv a, jv n)
{
    unsigned bits = jv_width(a);
    jv shifted = jv_shl(p, a, jv_fit(p, n, bits, false));
    return jv_select(p, jv_cmp_k(p, LLVMIntULT, n, bits), shifted, jv_k(a, 0));
}

static jv lshr_or_zero(struct jit_part *p, jv a, jv n)
{
    unsigned bits = jv_width(a);
    jv shifted = jv_lshr(p, a, jv_fit(p, n, bits, false));
    return jv_select(p, jv_cmp_k(p, LLVMIntULT, n, bits), shifted, jv_k(a, 0));
}

/* n low ones, all for n >= width */
static jv ones(struct jit_part *p, jv like, jv n)
{
    return jv_not(p, shl_or_zero(p, jv_k(like, UINT64_MAX), n));
}

static jv leading_zeros(struct jit_part *p, jv a)
{
    return jv_call2(p, "llvm.ctlz", a, LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false));
}

static jv trailing_zeros(struct jit_part *p, jv a)
{
    return jv_call2(p, "llvm.cttz", a, LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, false));
}

/* ---- counting and finding */

static void build_popc(struct jit_op *op)
{
    op->dst[0] = jv_fit(op->part, jv_call1(op->part, "llvm.ctpop", op->src[0]), 32, false);
}

static void build_clz(struct jit_op *op)
{
    op->dst[0] = jv_fit(op->part, leading_zeros(op->part, op->src[0]), 32, false);
}

static void build_brev(struct jit_op *op)
{
    op->dst[0] = jv_call1(op->part, "llvm.bitreverse", op->src[0]);
}

/* The first bit that differs from the sign; all ones when there is none. */
static void build_bfind(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0];
    unsigned bits = jv_width(a);
    if (jit_is_signed(op->type)) a = jv_xor(p, a, jv_ashr_k(p, a, bits - 1));
    jv zeros = jv_fit(p, leading_zeros(p, a), 32, false);
    jv at = jit_has(op->instr, ISA_MOD_SHIFTAMT) ? zeros : jv_sub(p, jv_k(zeros, bits - 1), zeros);
    op->dst[0] = jv_select(p, jv_cmp_k(p, LLVMIntEQ, zeros, bits), jv_k(zeros, UINT32_MAX), at);
}

/* Upwards: clear the bits below base, then the lowest one |offset| - 1 times. Downwards: the same, mirrored.
 */
static void build_fns(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv mask = op->src[0], base = op->src[1], offset = op->src[2];
    jv down = jv_cmp_k(p, LLVMIntSLT, offset, 0), last = jv_k(base, 31);
    jv bits = jv_select(p, down, jv_call1(p, "llvm.bitreverse", mask), mask);
    jv from = jv_select(p, down, jv_sub(p, last, base), base);
    jv steps = jv_select(p, down, jv_neg(p, offset), offset);
    bits = jv_and(p, bits, shl_or_zero(p, jv_k(bits, UINT32_MAX), from));
    for (unsigned k = 1; k < 32; k++) {
        jv fewer = jv_and(p, bits, jv_add_k(p, bits, (uint64_t)-1));
        bits = jv_select(p, jv_cmp_k(p, LLVMIntUGT, steps, k), fewer, bits);
    }
    jv at = trailing_zeros(p, bits), found = jv_cmp_k(p, LLVMIntNE, bits, 0);
    found = jv_and(p, found, jv_cmp_k(p, LLVMIntULE, steps, 32));
    at = jv_select(p, down, jv_sub(p, last, at), at);
    jv here = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, lshr_or_zero(p, mask, base), 1), 0);
    jv zero = jv_cmp_k(p, LLVMIntEQ, offset, 0);
    at = jv_select(p, zero, base, at);
    found = jv_select(p, zero, here, found);
    jv none = jv_cmp_k(p, LLVMIntEQ, offset, 0x80000000); /* 0, says hardware */
    op->dst[0] = jv_select(p, none, jv_k(at, 0), jv_select(p, found, at, jv_k(at, UINT32_MAX)));
}

/* ---- fields */

/* Positions and lengths of 32-bit fields are bytes; those of 64-bit fields, which hardware makes of shifts,
 * are not cut. */
static jv bit_position(struct jit_op *op, unsigned i)
{
    return isa_type_bits(op->type) == 64 ? op->src[i] : jv_and_k(op->part, op->src[i], 0xff);
}

static jv signed_field(struct jit_part *p, jv a, jv at, jv length)
{
    unsigned bits = jv_width(a);
    jv last = jv_min(p, at, jv_k(at, bits - 1), false);
    jv shifted = jv_ashr(p, a, jv_fit(p, last, bits, false));
    jv drop = jv_sub(p, jv_k(length, bits), jv_min(p, length, jv_k(length, bits), false));
    jv by = jv_fit(p, jv_min(p, drop, jv_k(drop, bits - 1), false), bits, false);
    jv field = jv_ashr(p, jv_shl(p, shifted, by), by);
    return jv_select(p, jv_cmp_k(p, LLVMIntEQ, length, 0), jv_k(a, 0), field);
}

static void build_bfe(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], at = bit_position(op, 1), length = bit_position(op, 2);
    if (jit_is_signed(op->type))
        op->dst[0] = signed_field(p, a, at, length);
    else
        op->dst[0] = jv_and(p, lshr_or_zero(p, a, at), ones(p, a, length));
}

static void build_bfi(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], b = op->src[1], at = bit_position(op, 2), length = bit_position(op, 3);
    jv mask = shl_or_zero(p, ones(p, a, length), at);
    jv field = jv_and(p, shl_or_zero(p, a, at), mask);
    op->dst[0] = jv_or(p, jv_and(p, b, jv_not(p, mask)), field);
}

static void build_bmsk(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv at = op->src[0], length = op->src[1];
    if (jit_has(op->instr, ISA_MOD_WRAP)) {
        at = jv_and_k(p, at, 31);
        length = jv_and_k(p, length, 31);
    }
    op->dst[0] = shl_or_zero(p, ones(p, at, length), at);
}

static void build_szext(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv a = op->src[0], length = op->src[1];
    if (jit_has(op->instr, ISA_MOD_WRAP)) length = jv_and_k(p, length, 31);
    if (jit_is_signed(op->type))
        op->dst[0] = signed_field(p, a, jv_k(length, 0), length);
    else
        op->dst[0] = jv_and(p, a, ones(p, a, length));
}

/* ---- permutations */

/* Byte number `index` (0 to 7, any lanes) of the pair b:a. */
static jv pair_byte(struct jit_part *p, jv pair, jv index)
{
    jv shift = jv_shl_k(p, jv_zext(p, index, 64), 3);
    return jv_trunc(p, jv_and_k(p, jv_lshr(p, pair, shift), 0xff), 32);
}

/* Selectors that a mode and c & 3 stand for. */
static const uint16_t permutations[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
};
static const uint16_t permutation_mods[] = {ISA_MOD_F4E, ISA_MOD_B4E, ISA_MOD_RC8,
                                            ISA_MOD_ECL, ISA_MOD_ECR, ISA_MOD_RC16};

static jv mode_selector(struct jit_part *p, const uint16_t row[4], jv c)
{
    jv low = jv_and_k(p, c, 3), selector = jv_k(c, row[3]);
    for (unsigned i = 0; i < 3; i++)
        selector = jv_select(p, jv_cmp_k(p, LLVMIntEQ, low, i), jv_k(c, row[i]), selector);
    return selector;
}

static void build_prmt(struct jit_op *op)
{
    struct jit_part *p = op->part;
    jv pair = jv_or(p, jv_shl_k(p, jv_zext(p, op->src[1], 64), 32), jv_zext(p, op->src[0], 64));
    jv selector = op->src[2], result = jv_k(selector, 0);
    for (unsigned m = 0; m < SW_COUNT_OF(permutation_mods); m++)
        if (jit_has(op->instr, (enum isa_mod)permutation_mods[m]))
            selector = mode_selector(p, permutations[m], selector);
    for (unsigned i = 0; i < 4; i++) {
        jv nibble = jv_lshr_k(p, selector, 4 * i);
        jv byte = pair_byte(p, pair, jv_and_k(p, nibble, 7));
        jv sign = jv_ashr_k(p, jv_shl_k(p, byte, 24), 31);
        jv replicate = jv_cmp_k(p, LLVMIntNE, jv_and_k(p, nibble, 8), 0);
        byte = jv_and_k(p, jv_select(p, replicate, sign, byte), 0xff);
        result = jv_or(p, result, jv_shl_k(p, byte, 8 * i));
    }
    op->dst[0] = result;
}

/* A function of two bits: table bit 2a + b. */
static jv two_input(struct jit_part *p, unsigned table, jv a, jv b)
{
    jv terms[4] = {jv_not(p, jv_or(p, a, b)), jv_and(p, jv_not(p, a), b), jv_and(p, a, jv_not(p, b)),
                   jv_and(p, a, b)};
    switch (table) {
    case 0x0: return jv_k(a, 0);
    case 0xf: return jv_k(a, UINT64_MAX);
    case 0xc: return a;
    case 0xa: return b;
    case 0x3: return jv_not(p, a);
    case 0x5: return jv_not(p, b);
    case 0x6: return jv_xor(p, a, b);
    case 0x9: return jv_not(p, jv_xor(p, a, b));
    case 0xe: return jv_or(p, a, b);
    default: break;
    }
    jv result = NULL;
    for (unsigned i = 0; i < 4; i++)
        if (table >> i & 1) result = result ? jv_or(p, result, terms[i]) : terms[i];
    return result;
}

/* Split by a: the table's upper half is for a = 1; bit 2b + c of a half. */
static void build_lop3(struct jit_op *op)
{
    struct jit_part *p = op->part;
    unsigned table = (unsigned)op->instr->operands[4].bits & 0xff, low = table & 15, high = table >> 4;
    jv a = op->src[0], b = op->src[1], c = op->src[2];
    jv zero = two_input(p, low, b, c), one = two_input(p, high, b, c);
    if (low == high)
        op->dst[0] = zero;
    else if (low == (high ^ 15))
        op->dst[0] = jv_xor(p, zero, a);
    else
        op->dst[0] = jv_or(p, jv_and(p, a, one), jv_and(p, jv_not(p, a), zero));
    if (op->count < 5) return;
    jv any = jv_cmp_k(p, LLVMIntNE, op->dst[0], 0), q = op->src[4];
    op->dst[1] = jit_has(op->instr, ISA_MOD_OR)    ? jv_or(p, any, q)
                 : jit_has(op->instr, ISA_MOD_AND) ? jv_and(p, any, q)
                                                   : jv_xor(p, any, q);
}

/* Of b:a, the upper word shifted left or the lower one shifted right. */
static void build_shf(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool left = jit_has(op->instr, ISA_MOD_L);
    jv a = op->src[0], b = op->src[1], n = op->src[2];
    LLVMValueRef args[3] = {b, a, n};
    jv wrapped = jv_call(p, left ? "llvm.fshl" : "llvm.fshr", args, 3);
    jv beyond = jv_cmp_k(p, LLVMIntUGE, n, 32);
    op->dst[0] = jit_has(op->instr, ISA_MOD_WRAP) ? wrapped : jv_select(p, beyond, left ? a : b, wrapped);
}

/* ---- 24-bit products and dot products */

static jv extend24(struct jit_op *op, unsigned i, unsigned bits)
{
    struct jit_part *p = op->part;
    jv a = jv_shl_k(p, op->src[i], 8);
    return jit_is_signed(op->type) ? jv_sext(p, jv_ashr_k(p, a, 8), bits)
                                   : jv_zext(p, jv_lshr_k(p, a, 8), bits);
}

static void build_mul24(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool high = jit_has(op->instr, ISA_MOD_HI);
    unsigned bits = high ? 64 : 32;
    jv product = jv_mul(p, extend24(op, 0, bits), extend24(op, 1, bits));
    if (high) product = jv_trunc(p, jv_lshr_k(p, product, 16), 32);
    if (op->instr->op == ISA_OP_MUL24)
        op->dst[0] = product;
    else if (jit_has(op->instr, ISA_MOD_SAT))
        op->dst[0] = jv_call2(p, "llvm.sadd.sat", product, op->src[2]);
    else
        op->dst[0] = jv_add(p, product, op->src[2]);
}

/* Element i of `bits` bits, extended to 32. */
static jv bits_element(struct jit_part *p, jv a, unsigned i, unsigned bits, bool is_signed)
{
    jv top = jv_shl_k(p, a, 32 - bits * (i + 1));
    return is_signed ? jv_ashr_k(p, top, 32 - bits) : jv_lshr_k(p, top, 32 - bits);
}

static void build_dot(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool four = op->instr->op == ISA_OP_DP4A;
    bool a_signed = jit_is_signed(op->type), b_signed = jit_is_signed(ptx_instr_type(op->instr, 1));
    unsigned first = jit_has(op->instr, ISA_MOD_HI) ? 2 : 0;
    jv sum = op->src[2];
    for (unsigned i = 0; i < (four ? 4u : 2u); i++) {
        jv a = bits_element(p, op->src[0], i, four ? 8 : 16, a_signed);
        sum = jv_add(p, sum, jv_mul(p, a, bits_element(p, op->src[1], first + i, 8, b_signed)));
    }
    op->dst[0] = sum;
}

jit_build_fn jit_select_bits(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_POPC: return build_popc;
    case ISA_OP_CLZ: return build_clz;
    case ISA_OP_BREV: return build_brev;
    case ISA_OP_BFIND: return build_bfind;
    case ISA_OP_FNS: return build_fns;
    case ISA_OP_BFE: return build_bfe;
    case ISA_OP_BFI: return build_bfi;
    case ISA_OP_BMSK: return build_bmsk;
    case ISA_OP_SZEXT: return build_szext;
    case ISA_OP_PRMT: return build_prmt;
    case ISA_OP_LOP3: return instr->operands[4].kind == ISA_OPD_INT ? build_lop3 : NULL;
    case ISA_OP_SHF: return build_shf;
    case ISA_OP_MUL24:
    case ISA_OP_MAD24: return build_mul24;
    case ISA_OP_DP4A:
    case ISA_OP_DP2A: return build_dot;
    default: return NULL;
    }
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_POPC, "w:t", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_CLZ, "w:t", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_BREV, "t:t", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_BFIND, "w:t", " shiftamt ", jit_select_bits, NULL, NULL},
    {ISA_OP_FNS, "w:www", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_BFE, "t:tww", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_BFI, "t:ttww", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_BMSK, "w:ww", " clamp wrap ", jit_select_bits, NULL, NULL},
    {ISA_OP_SZEXT, "t:tw", " clamp wrap ", jit_select_bits, NULL, NULL},
    {ISA_OP_PRMT, "w:www", " f4e b4e rc8 ecl ecr rc16 ", jit_select_bits, NULL, NULL},
    {ISA_OP_LOP3, "wp:wwwwp", " or and xor ", jit_select_bits, NULL, NULL},
    {ISA_OP_SHF, "w:www", " l r clamp wrap ", jit_select_bits, NULL, NULL},
    {ISA_OP_MUL24, "w:ww", " lo hi ", jit_select_bits, NULL, NULL},
    {ISA_OP_MAD24, "w:www", " lo hi sat ", jit_select_bits, NULL, NULL},
    {ISA_OP_DP4A, "w:www", " ", jit_select_bits, NULL, NULL},
    {ISA_OP_DP2A, "w:www", " lo hi ", jit_select_bits, NULL, NULL},
};
const struct jit_op_family jit_family_bits = {ROWS, SW_COUNT_OF(ROWS)};
