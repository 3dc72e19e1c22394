/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise instructions: one table from opcode to the widths of its operands, the modifiers it may carry,
 * and the family that builds it.
 * Method: a family's select function names the builder of a form or NULL; "is it supported" and "build it"
 * are the same question, so they cannot disagree. Packed types (f16x2) are cut into halves here, and the
 * builders see only halves.
 * Limits: what carries a modifier that its row does not list is refused, never ignored. */
#include "jit_op_priv.h"

#include "jit/op/jit_op_facts.h"
#include "jit/op/jit_op_value.h"
#include "jit/op/jit_ops.h"

#include <stdio.h>
#include <string.h>

/* Widths, one letter an operand, destinations before the colon: t, u, v the width of the first, second,
 * third type; x that of t, doubled under .wide; w 32, h 16, b 8, p a predicate. */
struct row {
    const char *widths;
    const char *modifiers;                 /* words that may stand on it, blanks around each */
    jit_select_fn integer, floating, half; /* by the class of the first type */
};

#define COMPARES " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "
static const struct row rows[ISA_OP_COUNT] = {
    [ISA_OP_ADD] = {"t:tt", " rn rz rm rp ftz sat cc ", jit_select_add, jit_select_float, jit_select_half},
    [ISA_OP_SUB] = {"t:tt", " rn rz rm rp ftz sat cc ", jit_select_sub, jit_select_float, jit_select_half},
    [ISA_OP_ADDC] = {"t:ttp", " cc ", jit_select_add, NULL, NULL},
    [ISA_OP_SUBC] = {"t:ttp", " cc ", jit_select_sub, NULL, NULL},
    [ISA_OP_MUL] = {"x:tt", " lo hi wide rn rz rm rp ftz sat ", jit_select_mul, jit_select_float,
                    jit_select_half},
    [ISA_OP_MAD] = {"x:ttx", " lo hi wide sat cc rn rz rm rp ftz ", jit_select_mad, jit_select_float, NULL},
    [ISA_OP_MADC] = {"t:tttp", " lo hi cc ", jit_select_mad, NULL, NULL},
    [ISA_OP_FMA] = {"t:ttt", " rn rz rm rp ftz sat relu oob ", NULL, jit_select_float, jit_select_half},
    [ISA_OP_DIV] = {"t:tt", " rn rz rm rp ftz approx full ", jit_select_divide, jit_select_float, NULL},
    [ISA_OP_REM] = {"t:tt", " ", jit_select_divide, NULL, NULL},
    [ISA_OP_POPC] = {"w:t", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_CLZ] = {"w:t", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_BREV] = {"t:t", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_BFIND] = {"w:t", " shiftamt ", jit_select_bits, NULL, NULL},
    [ISA_OP_FNS] = {"w:www", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_BFE] = {"t:tww", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_BFI] = {"t:ttww", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_BMSK] = {"w:ww", " clamp wrap ", jit_select_bits, NULL, NULL},
    [ISA_OP_SZEXT] = {"t:tw", " clamp wrap ", jit_select_bits, NULL, NULL},
    [ISA_OP_PRMT] = {"w:www", " f4e b4e rc8 ecl ecr rc16 ", jit_select_bits, NULL, NULL},
    [ISA_OP_LOP3] = {"wp:wwwwp", " or and xor ", jit_select_bits, NULL, NULL},
    [ISA_OP_SHF] = {"w:www", " l r clamp wrap ", jit_select_bits, NULL, NULL},
    [ISA_OP_MUL24] = {"w:ww", " lo hi ", jit_select_bits, NULL, NULL},
    [ISA_OP_MAD24] = {"w:www", " lo hi sat ", jit_select_bits, NULL, NULL},
    [ISA_OP_DP4A] = {"w:www", " ", jit_select_bits, NULL, NULL},
    [ISA_OP_DP2A] = {"w:www", " lo hi ", jit_select_bits, NULL, NULL},
    [ISA_OP_RCP] = {"t:t", " rn rz rm rp ftz approx ", NULL, jit_select_float, NULL},
    [ISA_OP_SQRT] = {"t:t", " rn rz rm rp ftz approx ", NULL, jit_select_float, NULL},
    [ISA_OP_ABS] = {"t:t", " ftz ", jit_select_integer, jit_select_float, jit_select_half},
    [ISA_OP_NEG] = {"t:t", " ftz ", jit_select_integer, jit_select_float, jit_select_half},
    [ISA_OP_MIN] = {"t:ttt", " relu ftz NaN xorsign abs ", jit_select_integer, jit_select_minmax,
                    jit_select_minmax},
    [ISA_OP_MAX] = {"t:ttt", " relu ftz NaN xorsign abs ", jit_select_integer, jit_select_minmax,
                    jit_select_minmax},
    [ISA_OP_RSQRT] = {"t:t", " approx ftz ", NULL, jit_select_float, NULL},
    [ISA_OP_SIN] = {"t:t", " approx ftz ", NULL, jit_select_float, NULL},
    [ISA_OP_COS] = {"t:t", " approx ftz ", NULL, jit_select_float, NULL},
    [ISA_OP_LG2] = {"t:t", " approx ftz ", NULL, jit_select_float, NULL},
    [ISA_OP_EX2] = {"t:t", " approx ftz ", NULL, jit_select_float, jit_select_half},
    [ISA_OP_TANH] = {"t:t", " approx ftz ", NULL, jit_select_float, jit_select_half},
    [ISA_OP_COPYSIGN] = {"t:tt", " ", NULL, jit_select_minmax, NULL},
    [ISA_OP_TESTP] = {"p:t", " finite infinite number notanumber normal subnormal ", NULL, jit_select_minmax,
                      NULL},
    [ISA_OP_SAD] = {"t:ttt", " ", jit_select_integer, NULL, NULL},
    [ISA_OP_AND] = {"t:tt", " and ", jit_select_logic, NULL, NULL},
    [ISA_OP_OR] = {"t:tt", " or ", jit_select_logic, NULL, NULL},
    [ISA_OP_XOR] = {"t:tt", " xor ", jit_select_logic, NULL, NULL},
    [ISA_OP_NOT] = {"t:t", " ", jit_select_logic, NULL, NULL},
    [ISA_OP_CNOT] = {"t:t", " ", jit_select_logic, NULL, NULL},
    [ISA_OP_SHL] = {"t:tw", " ", jit_select_shift, NULL, NULL},
    [ISA_OP_SHR] = {"t:tw", " ", jit_select_shift, NULL, NULL},
    [ISA_OP_SETP] = {"pp:ttp", COMPARES, jit_select_compare, jit_select_compare, jit_select_compare},
    [ISA_OP_SET] = {"t:uup", COMPARES, jit_select_compare, jit_select_compare, jit_select_compare},
    [ISA_OP_SELP] = {"t:ttp", " ", jit_select_choose, jit_select_choose, jit_select_choose},
    [ISA_OP_SLCT] = {"t:ttu", " ftz ", jit_select_choose, jit_select_choose, NULL},
    [ISA_OP_MOV] = {"t:t", " ", jit_select_choose, jit_select_choose, jit_select_choose},
    [ISA_OP_VADD] = {"w:www", " sat add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VSUB] = {"w:www", " sat add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VABSDIFF] = {"w:www", " sat add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VMIN] = {"w:www", " sat add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VMAX] = {"w:www", " sat add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VSHL] = {"w:www", " sat clamp wrap add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VSHR] = {"w:www", " sat clamp wrap add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VMAD] = {"w:www", " sat po shr7 shr15 ", jit_select_video, NULL, NULL},
    [ISA_OP_VSET] = {"w:www", " eq ne lt le gt ge add min max ", jit_select_video, NULL, NULL},
    [ISA_OP_VADD2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VADD4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VSUB2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VSUB4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VAVRG2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VAVRG4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VABSDIFF2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VABSDIFF4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VMIN2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VMIN4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VMAX2] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VMAX4] = {"w:www", " sat add ", jit_select_video, NULL, NULL},
    [ISA_OP_VSET2] = {"w:www", " eq ne lt le gt ge add ", jit_select_video, NULL, NULL},
    [ISA_OP_VSET4] = {"w:www", " eq ne lt le gt ge add ", jit_select_video, NULL, NULL},
    [ISA_OP_CVT] = {"t:uuu", " rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu pack ",
                    jit_select_convert, jit_select_convert, jit_select_convert},
};

/* ---- choosing */

static bool modifiers_known(const struct row *row, const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", isa_mod_text((enum isa_mod)instr->mods[i]));
        if (!strstr(row->modifiers, word)) return false;
    }
    return true;
}

static jit_build_fn op_choose(const struct ptx_instr *instr)
{
    const struct row *row = instr->op < ISA_OP_COUNT ? &rows[instr->op] : NULL;
    if (!row || !row->widths || !modifiers_known(row, instr)) return NULL;
    enum isa_type type = ptx_instr_type(instr, 0), half = jit_half_of(type);
    if (half) type = half;
    jit_select_fn family = row->integer;
    if (jit_is_float(type)) family = isa_type_bits(type) >= 32 ? row->floating : row->half;
    return family ? family(instr) : NULL;
}

bool jit_op_elementwise_supported(const struct ptx_instr *instr)
{
    return op_choose(instr) != NULL;
}

/* ---- operand widths */

/* add.f32.f16 d, a, c and fma.f32.f16 d, a, b, c: how many sources come first that are halves */
static unsigned halves_first(const struct ptx_instr *instr)
{
    bool sums = instr->op == ISA_OP_ADD || instr->op == ISA_OP_SUB || instr->op == ISA_OP_FMA;
    enum isa_type second = ptx_instr_type(instr, 1);
    if (!sums || (second != ISA_F16 && second != ISA_BF16)) return 0;
    return instr->op == ISA_OP_FMA ? 2 : 1;
}

static unsigned width_of(const struct ptx_instr *instr, char letter)
{
    if (jit_has(instr, ISA_MOD_PACK)) return 32; /* cvt.pack */
    switch (letter) {
    case 't': return isa_type_bits(ptx_instr_type(instr, 0));
    case 'u': return isa_type_bits(ptx_instr_type(instr, 1));
    case 'v': return isa_type_bits(ptx_instr_type(instr, 2));
    case 'x': return isa_type_bits(ptx_instr_type(instr, 0)) << jit_has(instr, ISA_MOD_WIDE);
    case 'w': return 32;
    case 'h': return 16;
    case 'b': return 8;
    case 'p': return 1;
    default: return 0;
    }
}

unsigned jit_op_dest_bits(const struct ptx_instr *instr, unsigned k)
{
    const char *widths = instr->op < ISA_OP_COUNT ? rows[instr->op].widths : NULL;
    if (!widths || k >= (size_t)(strchr(widths, ':') - widths)) return 0;
    return width_of(instr, widths[k]);
}

unsigned jit_op_source_bits(const struct ptx_instr *instr, unsigned i)
{
    const char *widths = instr->op < ISA_OP_COUNT ? rows[instr->op].widths : NULL;
    if (!widths) return 0;
    const char *sources = strchr(widths, ':') + 1;
    if (i < halves_first(instr)) return 16;
    return i < strlen(sources) ? width_of(instr, sources[i]) : 0;
}

/* ---- building */

/* A source as the builder wants it: the part's lanes, and the width that the table says. */
static jv fit_source(struct jit_part *p, const struct ptx_instr *instr, jv value, unsigned i)
{
    unsigned bits = jit_op_source_bits(instr, i);
    if (bits) value = jv_fit(p, value, bits, false);
    if (p->lanes == 1 || jv_lanes(value) == p->lanes) return value;
    LLVMTypeRef index = LLVMInt32TypeInContext(p->context),
                vector = LLVMVectorType(LLVMTypeOf(value), p->lanes);
    jv one =
        LLVMBuildInsertElement(p->builder, LLVMGetUndef(vector), value, LLVMConstInt(index, 0, false), "");
    jv zeros = LLVMConstNull(LLVMVectorType(index, p->lanes));
    return LLVMBuildShuffleVector(p->builder, one, LLVMGetUndef(vector), zeros, "");
}

/* <n x i32> as <2n x i16>, and back: lane l's low half becomes element 2l. */
static jv recut(struct jit_part *p, jv value, unsigned bits)
{
    unsigned lanes = jv_lanes(value) * jv_width(value) / bits;
    LLVMTypeRef element = LLVMIntTypeInContext(p->context, bits);
    return LLVMBuildBitCast(p->builder, value, lanes == 1 ? element : LLVMVectorType(element, lanes), "");
}

static void build_packed(struct jit_op *op, jit_build_fn build, enum isa_type half)
{
    unsigned whole = isa_type_bits(op->type), bits = isa_type_bits(half);
    for (unsigned i = 0; i < op->count; i++)
        if (jv_width(op->src[i]) == whole) op->src[i] = recut(op->part, op->src[i], bits);
    op->type = half;
    build(op);
    op->dst[0] = recut(op->part, op->dst[0], whole);
    op->dst[1] = NULL;
}

static bool is_cut_here(const struct ptx_instr *instr)
{
    return instr->op != ISA_OP_SETP && instr->op != ISA_OP_SET && instr->op != ISA_OP_CVT &&
           instr->op != ISA_OP_SELP && instr->op != ISA_OP_MOV;
}

enum sw_status jit_op_elementwise(struct jit_part *part, const struct ptx_instr *instr, LLVMValueRef *src,
                                  unsigned count, LLVMValueRef dst[2], struct sw_error *error)
{
    jit_build_fn build = op_choose(instr);
    if (!build)
        return sw_fail_at(error, SW_UNSUPPORTED, part->function ? part->function->name : NULL, instr->line,
                          instr->column, "this form of '%s' is not supported", isa_op_name(instr->op));
    LLVMValueRef sources[JIT_MAX_SOURCES];
    SW_ASSERT(count <= JIT_MAX_SOURCES);
    for (unsigned i = 0; i < count; i++)
        sources[i] = fit_source(part, instr, src[i], i);
    for (unsigned i = 0; i < halves_first(instr); i++)
        sources[i] = jv_bits(part, jv_from_half(part, ptx_instr_type(instr, 1) == ISA_BF16, sources[i]));
    struct jit_op op = {part, instr, ptx_instr_type(instr, 0), sources, count, dst};
    enum isa_type half = is_cut_here(instr) ? jit_half_of(op.type) : ISA_TYPE_NONE;
    if (half)
        build_packed(&op, build, half);
    else
        build(&op);
    return SW_OK;
}
