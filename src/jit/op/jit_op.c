/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise instructions: which file builds one. Each file of operations ends with a table of its opcodes:
 * the widths of their operands, the modifiers they may carry, and the families that build them.
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

static const struct jit_op_family *const FAMILIES[] = {
    &jit_family_bits,    &jit_family_compare, &jit_family_convert, &jit_family_divide, &jit_family_float,
    &jit_family_integer, &jit_family_logic,   &jit_family_minmax,  &jit_family_video};

static const struct jit_op_row *op_row(enum isa_op op)
{
    for (size_t f = 0; f < SW_COUNT_OF(FAMILIES); f++)
        for (unsigned r = 0; r < FAMILIES[f]->count; r++)
            if (FAMILIES[f]->rows[r].op == op) return &FAMILIES[f]->rows[r];
    return NULL;
}

static const char *op_widths(enum isa_op op)
{
    const struct jit_op_row *row = op_row(op);
    return row ? row->widths : NULL;
}

/* ---- choosing */

static bool modifiers_known(const struct jit_op_row *row, const struct ptx_instr *instr)
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
    const struct jit_op_row *row = op_row(instr->op);
    if (!row || !modifiers_known(row, instr)) return NULL;
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
    const char *widths = op_widths(instr->op);
    if (!widths || k >= (size_t)(strchr(widths, ':') - widths)) return 0;
    return width_of(instr, widths[k]);
}

unsigned jit_op_source_bits(const struct ptx_instr *instr, unsigned i)
{
    const char *widths = op_widths(instr->op);
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
