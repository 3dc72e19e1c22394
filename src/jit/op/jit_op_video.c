/* SPDX-License-Identifier: Apache-2.0 */
/* Video instructions on one value, two halves or four bytes (PTX ISA 9.7.17).
 * Method: operands are picked by their selectors and extended by their types; one value is computed in 64
 * bits, parts of one in 32, so that nothing overflows before saturation; then the optional second operation,
 * or the merge into c. Limits: none known. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <string.h>

static const char *selector_of(const struct jit_op *op, unsigned operand)
{
    const char *text = op->instr->operands[operand].selector;
    return text ? text : "";
}

static bool is_set(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_VSET || instr->op == ISA_OP_VSET2 || instr->op == ISA_OP_VSET4;
}

/* Types of d, a, b in turn; vset has no type of d. */
static enum isa_type video_type_of(const struct ptx_instr *instr, unsigned operand)
{
    if (is_set(instr)) return operand == 0 ? ISA_U32 : ptx_instr_type(instr, operand - 1);
    return ptx_instr_type(instr, operand);
}

/* `bits` bits of a from bit `at`, extended to `wide`. */
static jv video_field(struct jit_part *p, jv a, unsigned at, unsigned bits, bool is_signed, unsigned wide)
{
    a = jv_trunc(p, jv_lshr_k(p, a, at), bits);
    return jv_fit(p, a, wide, is_signed);
}

static LLVMIntPredicate predicate_of(const struct ptx_instr *instr)
{
    static const struct {
        uint16_t mod, predicate;
    } all[] = {{ISA_MOD_EQ, LLVMIntEQ},  {ISA_MOD_NE, LLVMIntNE},  {ISA_MOD_LT, LLVMIntSLT},
               {ISA_MOD_LE, LLVMIntSLE}, {ISA_MOD_GT, LLVMIntSGT}, {ISA_MOD_GE, LLVMIntSGE}};
    for (unsigned i = 0; i < SW_COUNT_OF(all); i++)
        if (jit_has(instr, (enum isa_mod)all[i].mod)) return (LLVMIntPredicate)all[i].predicate;
    return (LLVMIntPredicate)0;
}

/* (a + b + 1) / 2 when the sum is not negative, otherwise half the sum rounded down */
static jv average(struct jit_part *p, jv a, jv b)
{
    jv sum = jv_add(p, a, b), positive = jv_cmp_k(p, LLVMIntSGE, sum, 0);
    return jv_ashr_k(p, jv_add(p, sum, jv_zext(p, positive, jv_width(sum))), 1);
}

/* Both sign-extended enough to be compared and subtracted. */
static jv operate(struct jit_op *op, jv a, jv b)
{
    struct jit_part *p = op->part;
    switch ((int)op->instr->op) {
    case ISA_OP_VADD:
    case ISA_OP_VADD2:
    case ISA_OP_VADD4: return jv_add(p, a, b);
    case ISA_OP_VSUB:
    case ISA_OP_VSUB2:
    case ISA_OP_VSUB4: return jv_sub(p, a, b);
    case ISA_OP_VABSDIFF:
    case ISA_OP_VABSDIFF2:
    case ISA_OP_VABSDIFF4: return jv_sub(p, jv_max(p, a, b, true), jv_min(p, a, b, true));
    case ISA_OP_VMIN:
    case ISA_OP_VMIN2:
    case ISA_OP_VMIN4: return jv_min(p, a, b, true);
    case ISA_OP_VMAX:
    case ISA_OP_VMAX2:
    case ISA_OP_VMAX4: return jv_max(p, a, b, true);
    case ISA_OP_VAVRG2:
    case ISA_OP_VAVRG4: return average(p, a, b);
    case ISA_OP_VSHL: return jv_shl(p, a, b);
    case ISA_OP_VSHR: return jv_ashr(p, a, b);
    default: return jv_zext(p, jv_cmp(p, predicate_of(op->instr), a, b), jv_width(a)); /* vset */
    }
}

/* .sat: into a value of `bits` bits, at a's width. */
static jv saturate(struct jit_op *op, jv a, unsigned bits)
{
    struct jit_part *p = op->part;
    if (!jit_has(op->instr, ISA_MOD_SAT)) return a;
    bool is_signed = jit_is_signed(video_type_of(op->instr, 0));
    uint64_t most = is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : (UINT64_C(1) << bits) - 1;
    a = jv_min(p, a, jv_k(a, most), true);
    return jv_max(p, a, jv_k(a, is_signed ? ~most : 0), true);
}

/* ---- one value */

/* .b0 to .b3, .h0, .h1: where and how wide; 32 bits without */
static unsigned selected_bits(const char *selector, unsigned *at)
{
    unsigned bits = selector[0] == 'b' ? 8 : selector[0] == 'h' ? 16 : 32;
    *at = selector[0] ? bits * (unsigned)(selector[1] - '0') : 0;
    return bits;
}

static jv one_source(struct jit_op *op, unsigned i, enum isa_type type)
{
    unsigned at, bits = selected_bits(selector_of(op, i + 1), &at);
    return video_field(op->part, op->src[i], at, bits, jit_is_signed(type), 64);
}

/* The second operation with c, or the merge of the selected part of d into c. Minimum and maximum see all 64
 * bits of the value, as unsigned when the first type is: what was negative is then large, on hardware too. */
static jv merged(struct jit_op *op, jv value)
{
    struct jit_part *p = op->part;
    bool is_signed = jit_is_signed(ptx_instr_type(op->instr, 0));
    if (op->count < 3) return jv_trunc(p, value, 32);
    unsigned at, bits = selected_bits(selector_of(op, 0), &at);
    if (bits < 32) {
        uint64_t mask = ((UINT64_C(1) << bits) - 1) << at;
        value = jv_trunc(p, value, 32);
        return jv_or(p, jv_and_k(p, op->src[2], ~mask), jv_and_k(p, jv_shl_k(p, value, at), mask));
    }
    jv c = jv_fit(p, op->src[2], 64, is_signed);
    if (jit_has(op->instr, ISA_MOD_MIN)) return jv_trunc(p, jv_min(p, value, c, is_signed), 32);
    if (jit_has(op->instr, ISA_MOD_MAX)) return jv_trunc(p, jv_max(p, value, c, is_signed), 32);
    return jv_trunc(p, jv_add(p, value, c), 32);
}

enum { SHIFTED_BITS = 34 };

/* .sat of one value, with what sm_90's instruction sequences make of the corners: u32 looks at 32 bits and
 * the sign alone; a part of a signed with an unsigned operand takes a negative value for a large one, and .h1
 * of it is 0; what is shifted left keeps 34 bits, the highest of which is its sign. */
static jv saturate_one(struct jit_op *op, jv a)
{
    struct jit_part *p = op->part;
    unsigned at, bits = selected_bits(selector_of(op, 0), &at);
    bool is_signed = jit_is_signed(video_type_of(op->instr, 0));
    bool shifts = op->instr->op == ISA_OP_VSHL || op->instr->op == ISA_OP_VSHR;
    bool mixed = jit_is_signed(video_type_of(op->instr, 1)) && !jit_is_signed(video_type_of(op->instr, 2));
    if (!jit_has(op->instr, ISA_MOD_SAT) || is_set(op->instr)) return saturate(op, a, bits);
    if (shifts) return saturate(op, jv_ashr_k(p, jv_shl_k(p, a, 64 - SHIFTED_BITS), 64 - SHIFTED_BITS), bits);
    if (bits == 32 && !is_signed) return jv_max(p, a, jv_k(a, 0), true);
    if (bits == 32 || !mixed) return saturate(op, a, bits);
    if (bits == 16 && at == 16) return jv_k(a, 0);
    return jv_min(p, a, jv_k(a, (UINT64_C(1) << (bits - is_signed)) - 1), false);
}

static void build_one(struct jit_op *op)
{
    struct jit_part *p = op->part;
    bool shifts = op->instr->op == ISA_OP_VSHL || op->instr->op == ISA_OP_VSHR;
    jv a = one_source(op, 0, video_type_of(op->instr, 1));
    jv b = one_source(op, 1, shifts ? ISA_U32 : video_type_of(op->instr, 2));
    if (shifts) b = jit_has(op->instr, ISA_MOD_WRAP) ? jv_and_k(p, b, 31) : jv_min(p, b, jv_k(b, 32), false);
    jv value = saturate_one(op, operate(op, a, b));
    op->dst[0] = merged(op, value);
}

/* Operand i of vmad: hardware takes a whole register as signed, whatever its type. */
static jv mad_source(struct jit_op *op, unsigned i)
{
    bool whole = !selector_of(op, i + 1)[0];
    return one_source(op, i, whole ? ISA_S32 : video_type_of(op->instr, i + 1));
}

/* (a * b + c (+ 1)) >> scale, which 64 bits hold: .po adds the 1; so does a minus (one of them), which is a
 * complement. Saturated to signed numbers when an operand is signed or has a minus. */
static void build_mad(struct jit_op *op)
{
    struct jit_part *p = op->part;
    const struct ptx_operand *from = &op->instr->operands[1];
    bool flips = from[0].negate != from[1].negate, plus = jit_has(op->instr, ISA_MOD_PO);
    bool is_signed = jit_is_signed(video_type_of(op->instr, 1)) ||
                     jit_is_signed(video_type_of(op->instr, 2)) || flips || from[2].negate;
    jv product = jv_mul(p, mad_source(op, 0), mad_source(op, 1)), c = op->src[2];
    if (flips && !plus) {
        product = jv_not(p, product);
        plus = true;
    } else if (from[2].negate && !plus) {
        c = jv_not(p, c);
        plus = true;
    }
    unsigned shift = jit_has(op->instr, ISA_MOD_SHR7) ? 7 : jit_has(op->instr, ISA_MOD_SHR15) ? 15 : 0;
    jv value = jv_add_k(p, jv_add(p, product, jv_sext(p, c, 64)), plus);
    if (shift) value = is_signed ? jv_ashr_k(p, value, shift) : jv_lshr_k(p, value, shift);
    if (jit_has(op->instr, ISA_MOD_SAT)) {
        value = jv_min(p, value, jv_k(value, is_signed ? INT32_MAX : UINT32_MAX), true);
        value = jv_max(p, value, jv_k(value, is_signed ? (uint64_t)INT32_MIN : 0), true);
    }
    op->dst[0] = jv_trunc(p, value, 32);
}

/* ---- two halves or four bytes */

static unsigned parts_of(const struct ptx_instr *instr)
{
    switch ((int)instr->op) {
    case ISA_OP_VADD4:
    case ISA_OP_VSUB4:
    case ISA_OP_VAVRG4:
    case ISA_OP_VABSDIFF4:
    case ISA_OP_VMIN4:
    case ISA_OP_VMAX4:
    case ISA_OP_VSET4: return 4;
    default: return 2;
    }
}

/* Part i of an operand: selectors name parts of the pair b:a, the most significant first; default: its own.
 */
static jv simd_source(struct jit_op *op, unsigned source, unsigned i)
{
    struct jit_part *p = op->part;
    unsigned parts = parts_of(op->instr), bits = 32 / parts, which = source * parts + i;
    const char *selector = selector_of(op, source + 1);
    if (selector[0]) which = (unsigned)(selector[parts - i] - '0');
    jv word = op->src[which / parts];
    return video_field(p, word, which % parts * bits, bits,
                       jit_is_signed(video_type_of(op->instr, source + 1)), 32);
}

static bool is_written(const struct jit_op *op, unsigned i)
{
    const char *mask = selector_of(op, 0);
    return !mask[0] || strchr(mask + 1, (char)('0' + i)) != NULL;
}

static void build_simd(struct jit_op *op)
{
    struct jit_part *p = op->part;
    unsigned parts = parts_of(op->instr), bits = 32 / parts;
    bool sums = jit_has(op->instr, ISA_MOD_ADD);
    jv c = op->count > 2 ? op->src[2] : jv_k(op->src[0], 0), result = sums ? c : jv_k(c, 0);
    for (unsigned i = 0; i < parts; i++) {
        uint64_t mask = ((UINT64_C(1) << bits) - 1) << i * bits;
        if (!is_written(op, i)) {
            if (!sums) result = jv_or(p, result, jv_and_k(p, c, mask));
            continue;
        }
        jv value = saturate(op, operate(op, simd_source(op, 0, i), simd_source(op, 1, i)), bits);
        result = sums ? jv_add(p, result, value)
                      : jv_or(p, result, jv_and_k(p, jv_shl_k(p, value, i * bits), mask));
    }
    op->dst[0] = result;
}

/* ---- which */

static bool is_simd(const struct ptx_instr *instr)
{
    const char *name = isa_op_name(instr->op), last = name[strlen(name) - 1];
    return last == '2' || last == '4';
}

jit_build_fn jit_select_video(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->operand_count; i++)
        if (instr->operands[i].negate && instr->op != ISA_OP_VMAD) return NULL;
    if (is_set(instr) && !predicate_of(instr)) return NULL;
    if (is_simd(instr)) return build_simd;
    if (instr->op == ISA_OP_VMAD) return instr->operand_count == 4 ? build_mad : NULL;
    return build_one;
}

static const struct jit_op_row ROWS[] = {
    {ISA_OP_VADD, "w:www", " sat add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VSUB, "w:www", " sat add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VABSDIFF, "w:www", " sat add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VMIN, "w:www", " sat add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VMAX, "w:www", " sat add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VSHL, "w:www", " sat clamp wrap add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VSHR, "w:www", " sat clamp wrap add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VMAD, "w:www", " sat po shr7 shr15 ", jit_select_video, NULL, NULL},
    {ISA_OP_VSET, "w:www", " eq ne lt le gt ge add min max ", jit_select_video, NULL, NULL},
    {ISA_OP_VADD2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VADD4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VSUB2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VSUB4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VAVRG2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VAVRG4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VABSDIFF2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VABSDIFF4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VMIN2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VMIN4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VMAX2, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VMAX4, "w:www", " sat add ", jit_select_video, NULL, NULL},
    {ISA_OP_VSET2, "w:www", " eq ne lt le gt ge add ", jit_select_video, NULL, NULL},
    {ISA_OP_VSET4, "w:www", " eq ne lt le gt ge add ", jit_select_video, NULL, NULL},
};
const struct jit_op_family jit_family_video = {ROWS, SW_COUNT_OF(ROWS)};
