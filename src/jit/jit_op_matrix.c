/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which forms of mma, mma.sp, wmma and their loads and stores there are (PTX ISA 9.7.14, up to
 * sm_90), and how each is told to the engine, which does the work (struct jit_matrix_op, struct
 * jit_fragment_op). Method: one table of shapes and classes of factors; accumulators follow from the factors.
 * Limits: wgmma and what sm_100 added (block scales, .kind::, types of 4 and 6 bits, ldmatrix of other
 * shapes) are refused. */
#include "jit_op_priv.h"

#include <stdio.h>
#include <string.h>

/* Classes of factors, as bits. */
enum { F16 = 1, BF16 = 2, TF32 = 4, F64 = 8, EIGHT = 16, BYTE = 32, NIBBLE = 64, BIT = 128 };
enum kind { DENSE, SPARSE, WMMA };

static const struct form {
    uint8_t kind, m, n;
    uint16_t k;
    uint8_t classes;
    uint8_t selectors; /* of sparse forms */
} forms[] = {
    {DENSE, 8, 8, 4, F16 | F64, 0},
    {DENSE, 8, 8, 16, BYTE, 0},
    {DENSE, 8, 8, 32, NIBBLE, 0},
    {DENSE, 8, 8, 128, BIT, 0},
    {DENSE, 16, 8, 4, TF32 | F64, 0},
    {DENSE, 16, 8, 8, F16 | BF16 | TF32 | F64, 0},
    {DENSE, 16, 8, 16, F16 | BF16 | F64 | EIGHT | BYTE, 0},
    {DENSE, 16, 8, 32, EIGHT | BYTE | NIBBLE, 0},
    {DENSE, 16, 8, 64, NIBBLE, 0},
    {DENSE, 16, 8, 128, BIT, 0},
    {DENSE, 16, 8, 256, BIT, 0},
    {SPARSE, 16, 8, 8, TF32, 4},
    {SPARSE, 16, 8, 16, F16 | BF16, 4},
    {SPARSE, 16, 8, 16, TF32, 2},
    {SPARSE, 16, 8, 32, F16 | BF16 | BYTE, 2},
    {SPARSE, 16, 8, 64, NIBBLE, 2},
    {SPARSE, 16, 8, 64, EIGHT | BYTE, 1},
    {SPARSE, 16, 8, 128, NIBBLE, 1},
    {WMMA, 16, 16, 16, F16 | BF16 | BYTE, 0},
    {WMMA, 8, 32, 16, F16 | BF16 | BYTE, 0},
    {WMMA, 32, 8, 16, F16 | BF16 | BYTE, 0},
    {WMMA, 16, 16, 8, TF32, 0},
    {WMMA, 8, 8, 4, F64, 0},
    {WMMA, 8, 8, 32, NIBBLE, 0},
    {WMMA, 8, 8, 128, BIT, 0},
};

static const struct {
    uint8_t ptx, code, class;
} types[] = {
    {PTX_F16, JIT_MATRIX_F16, F16},  {PTX_BF16, JIT_MATRIX_BF16, BF16},  {PTX_TF32, JIT_MATRIX_TF32, TF32},
    {PTX_F64, JIT_MATRIX_F64, F64},  {PTX_E4M3, JIT_MATRIX_E4M3, EIGHT}, {PTX_E5M2, JIT_MATRIX_E5M2, EIGHT},
    {PTX_S8, JIT_MATRIX_S8, BYTE},   {PTX_U8, JIT_MATRIX_U8, BYTE},      {PTX_S4, JIT_MATRIX_S4, NIBBLE},
    {PTX_U4, JIT_MATRIX_U4, NIBBLE}, {PTX_B1, JIT_MATRIX_B1, BIT},       {PTX_F32, JIT_MATRIX_F32, 0},
    {PTX_S32, JIT_MATRIX_S32, 0}};

static const char not_known[] = "there is no such shape with these types up to sm_90";
static const char not_these[] = "these accumulator types do not go with these factors";
static const char registers_wrong[] = "a fragment of this form has another number of registers";

static bool type_code(enum ptx_type type, uint8_t *code, unsigned *class)
{
    for (size_t i = 0; i < SW_COUNT_OF(types); i++)
        if (types[i].ptx == type) {
            *code = types[i].code;
            *class = types[i].class;
            return true;
        }
    return false;
}

static bool shape_of(const struct ptx_instr *instr, unsigned shape[3])
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (sscanf(ptx_mod_text((enum ptx_mod)instr->mods[i]), "m%un%uk%u", &shape[0], &shape[1],
                   &shape[2]) == 3)
            return true;
    return false;
}

static const struct form *find_form(const unsigned shape[3], enum kind kind, unsigned class)
{
    for (size_t i = 0; i < SW_COUNT_OF(forms); i++) {
        const struct form *f = &forms[i];
        if (f->kind == kind && f->m == shape[0] && f->n == shape[1] && f->k == shape[2] && f->classes & class)
            return f;
    }
    return NULL;
}

/* ---- multiplication */

static bool modifiers_known(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        switch (instr->mods[i]) {
        case PTX_MOD_MMA:
        case PTX_MOD_SYNC:
        case PTX_MOD_ALIGNED:
        case PTX_MOD_ROW:
        case PTX_MOD_COL:
        case PTX_MOD_SP:
        case PTX_MOD_SP__ORDERED_METADATA:
        case PTX_MOD_SATFINITE:
        case PTX_MOD_POPC:
        case PTX_MOD_AND:
        case PTX_MOD_XOR:
        case PTX_MOD_RN:
        case PTX_MOD_RZ:
        case PTX_MOD_RM:
        case PTX_MOD_RP: break;
        default:
            if (ptx_mod_text((enum ptx_mod)instr->mods[i])[0] != 'm') return false;
        }
    }
    return true;
}

static bool accumulators_fit(const struct form *form, unsigned class, uint8_t c, uint8_t d)
{
    bool floats =
        (c == JIT_MATRIX_F16 || c == JIT_MATRIX_F32) && (d == JIT_MATRIX_F16 || d == JIT_MATRIX_F32);
    switch (class) {
    case F16:
        if (form->kind == WMMA) return floats;
        if (form->m == 8) return floats && !(c == JIT_MATRIX_F32 && d == JIT_MATRIX_F16);
        return floats && c == d;
    case EIGHT: return floats && c == d && !(form->kind == SPARSE && d == JIT_MATRIX_F16);
    case BF16:
    case TF32: return c == JIT_MATRIX_F32 && d == JIT_MATRIX_F32;
    case F64: return c == JIT_MATRIX_F64 && d == JIT_MATRIX_F64;
    default: return c == JIT_MATRIX_S32 && d == JIT_MATRIX_S32;
    }
}

/* Written registers of an operand, and those that are not copies of others. */
static unsigned written(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPD_VEC ? operand->count : 1;
}

static bool registers_fit(const struct ptx_instr *instr, const struct form *form, unsigned class,
                          const enum ptx_type kinds[4], unsigned own[4])
{
    const unsigned elements[4] = {form->m * form->n, form->m * form->k / (form->kind == SPARSE ? 2u : 1u),
                                  form->k * form->n, form->m * form->n};
    bool quads = class == F16 && form->m == 8 && form->n == 8;
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = ptx_type_bits(kinds[i]), factor = i == 1 || i == 2;
        own[i] = elements[i] * bits / (bits == 64 ? 64 : 32) / 32;
        if (quads) own[i] = factor ? 2 : bits == 32 ? 8 : 4;
        unsigned want = class == F16 && form->kind == WMMA && factor ? 8 : own[i];
        if (written(&instr->operands[i]) != want) return false;
    }
    return true;
}

static uint8_t rounding(const struct ptx_instr *instr)
{
    return ptx_has(instr, PTX_MOD_RM)   ? 1
           : ptx_has(instr, PTX_MOD_RP) ? 2
           : ptx_has(instr, PTX_MOD_RZ) ? 3
                                        : 0;
}

static uint8_t flags_of(const struct ptx_instr *instr, enum kind kind)
{
    enum ptx_mod layout[2] = {PTX_MOD_NONE, PTX_MOD_NONE};
    unsigned flags = kind == WMMA ? JIT_MATRIX_WMMA : kind == SPARSE ? JIT_MATRIX_SPARSE : 0, found = 0;
    for (unsigned i = 0; i < instr->mod_count && found < 2; i++)
        if (instr->mods[i] == PTX_MOD_ROW || instr->mods[i] == PTX_MOD_COL)
            layout[found++] = (enum ptx_mod)instr->mods[i];
    if (layout[0] == PTX_MOD_COL) flags |= JIT_MATRIX_A_COLUMNS;
    if (layout[1] == PTX_MOD_COL) flags |= JIT_MATRIX_B_COLUMNS;
    if (ptx_has(instr, PTX_MOD_SATFINITE)) flags |= JIT_MATRIX_SATFINITE;
    if (ptx_has(instr, PTX_MOD_AND)) flags |= JIT_MATRIX_AND;
    return (uint8_t)flags;
}

const char *jit_matrix_form(const struct ptx_instr *instr, struct jit_matrix_op *op, unsigned own[4])
{
    bool sparse = ptx_has(instr, PTX_MOD_SP) || ptx_has(instr, PTX_MOD_SP__ORDERED_METADATA);
    enum kind kind = instr->op == PTX_OP_WMMA ? WMMA : sparse ? SPARSE : DENSE;
    unsigned shape[3], class, other, none;
    bool two = instr->type_count == 2; /* wmma of f16 names d and c only */
    enum ptx_type kinds[4] = {ptx_instr_type(instr, 0), two ? PTX_F16 : ptx_instr_type(instr, 1),
                              two ? PTX_F16 : ptx_instr_type(instr, 2), ptx_instr_type(instr, two ? 1 : 3)};
    uint8_t code[4];
    if (!modifiers_known(instr) || (instr->type_count != 4 && !(two && kind == WMMA)))
        return "this form belongs to sm_100 and later, or is not PTX";
    if (!shape_of(instr, shape) || !type_code(kinds[1], &code[1], &class) ||
        !type_code(kinds[2], &code[2], &other) || !type_code(kinds[0], &code[0], &none) ||
        !type_code(kinds[3], &code[3], &none))
        return not_known;
    const struct form *form = find_form(shape, kind, class);
    bool mixed = kinds[1] != kinds[2] && (kind == WMMA || class < EIGHT);
    if (!form || class != other || mixed) return not_known;
    if (!accumulators_fit(form, class, code[3], code[0])) return not_these;
    if (instr->operand_count != (kind == SPARSE ? 6 : 4) || !registers_fit(instr, form, class, kinds, own))
        return registers_wrong;
    *op = (struct jit_matrix_op){
        .m = form->m, .n = form->n, .k4 = (uint8_t)(form->k / 4), .flags = flags_of(instr, kind)};
    op->a_b = (uint8_t)(code[1] | code[2] << 4);
    op->d_c = (uint8_t)(code[0] | code[3] << 4);
    op->selector = rounding(instr);
    if (kind != SPARSE) return NULL;
    const struct ptx_operand *selector = &instr->operands[5];
    if (selector->kind != PTX_OPD_INT || selector->bits >= form->selectors)
        return "this form has no such selector";
    op->selector = (uint8_t)selector->bits;
    return NULL;
}

/* ---- fragments */

const char *jit_fragment_form(const struct ptx_instr *instr, struct jit_fragment_op *op)
{
    bool store = ptx_has(instr, PTX_MOD_STORE), a = ptx_has(instr, PTX_MOD_A), b = ptx_has(instr, PTX_MOD_B);
    unsigned shape[3], class, accumulates = 0;
    uint8_t code;
    enum ptx_type type = ptx_instr_type(instr, 0);
    if (!shape_of(instr, shape) || !type_code(type, &code, &class)) return not_known;
    if (type == PTX_F16) accumulates = F16;
    if (type == PTX_S32) accumulates = BYTE | NIBBLE | BIT;
    if (type == PTX_F32) accumulates = F16 | BF16 | TF32;
    if (type == PTX_F64) accumulates = F64;
    if (!find_form(shape, WMMA, a || b ? class : accumulates)) return not_known;
    unsigned elements = (a ? shape[0] : b ? shape[1] : shape[0]) * (a || b ? shape[2] : shape[1]);
    unsigned bits = ptx_type_bits(type), own = elements * bits / (bits == 64 ? 64 : 32) / 32;
    const struct ptx_operand *regs = &instr->operands[store ? 1 : 0];
    if (written(regs) != (type == PTX_F16 && (a || b) ? 8 : own)) return registers_wrong;
    bool columns = ptx_has(instr, PTX_MOD_COL);
    if (bits < 8 && columns != b) return "elements of less than a byte have a by rows and b by columns";
    *op = (struct jit_fragment_op){
        .m = (uint8_t)shape[0], .n = (uint8_t)shape[1], .k4 = (uint8_t)(shape[2] / 4), .type = code};
    op->letter = a ? 'a' : b ? 'b' : 'c';
    op->flags = (uint8_t)((store ? JIT_FRAGMENT_STORE : 0) | (columns ? JIT_FRAGMENT_COLUMNS : 0) |
                          (instr->operand_count < 3 ? JIT_FRAGMENT_DENSE : 0));
    op->registers = (uint8_t)own;
    return NULL;
}

/* ldmatrix and stmatrix */
const char *jit_rows_form(const struct ptx_instr *instr, struct jit_fragment_op *op)
{
    bool store = instr->op == PTX_OP_STMATRIX;
    unsigned count = ptx_has(instr, PTX_MOD_X4) ? 4 : ptx_has(instr, PTX_MOD_X2) ? 2 : 1;
    if (!ptx_has(instr, PTX_MOD_M8N8) || ptx_instr_type(instr, 0) != PTX_B16)
        return "only .m8n8 with .b16 is done; the other shapes belong to sm_100";
    if (written(&instr->operands[store ? 1 : 0]) != count) return registers_wrong;
    *op = (struct jit_fragment_op){.letter = 'm', .registers = (uint8_t)count, .type = JIT_MATRIX_F16};
    op->flags = (uint8_t)((store ? JIT_FRAGMENT_STORE : 0) |
                          (ptx_has(instr, PTX_MOD_TRANS) ? JIT_FRAGMENT_COLUMNS : 0));
    return NULL;
}
