/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: which forms of mma, mma.sp, wmma, ldmatrix, stmatrix and movmatrix there are (PTX ISA 9.7.14, up
 * to sm_90), and what their operands are. Method: one table of shapes and classes of factors; accumulators
 * follow from the factors. Limits: wgmma and what sm_100 added (block scales, .kind::, types of 4 and 6 bits,
 * ldmatrix of other shapes) are not known here. */
#include "ptx/ptx.h"

#include "isa/isa_matrix.h"

/* Classes of factors, as bits. */
enum { F16 = 1, BF16 = 2, TF32 = 4, F64 = 8, EIGHT = 16, BYTE = 32, NIBBLE = 64, BIT = 128 };
enum kind { DENSE, SPARSE, WMMA };

static const struct form {
    uint8_t kind, m, n;
    uint16_t k;
    uint8_t classes, sm;
    uint8_t selectors; /* of sparse forms */
} forms[] = {
    {DENSE, 8, 8, 4, F16, 70, 0},
    {DENSE, 8, 8, 4, F64, 80, 0},
    {DENSE, 8, 8, 16, BYTE, 75, 0},
    {DENSE, 8, 8, 32, NIBBLE, 75, 0},
    {DENSE, 8, 8, 128, BIT, 75, 0},
    {DENSE, 16, 8, 4, TF32, 80, 0},
    {DENSE, 16, 8, 4, F64, 90, 0},
    {DENSE, 16, 8, 8, F16, 75, 0},
    {DENSE, 16, 8, 8, BF16 | TF32, 80, 0},
    {DENSE, 16, 8, 8, F64, 90, 0},
    {DENSE, 16, 8, 16, F16 | BF16 | BYTE, 80, 0},
    {DENSE, 16, 8, 16, EIGHT, 89, 0},
    {DENSE, 16, 8, 16, F64, 90, 0},
    {DENSE, 16, 8, 32, BYTE | NIBBLE, 80, 0},
    {DENSE, 16, 8, 32, EIGHT, 89, 0},
    {DENSE, 16, 8, 64, NIBBLE, 80, 0},
    {DENSE, 16, 8, 128, BIT, 80, 0},
    {DENSE, 16, 8, 256, BIT, 80, 0},
    {SPARSE, 16, 8, 8, TF32, 80, 4},
    {SPARSE, 16, 8, 16, F16 | BF16, 80, 4},
    {SPARSE, 16, 8, 16, TF32, 80, 2},
    {SPARSE, 16, 8, 32, F16 | BF16 | BYTE, 80, 2},
    {SPARSE, 16, 8, 64, NIBBLE, 80, 2},
    {SPARSE, 16, 8, 64, BYTE, 80, 1},
    {SPARSE, 16, 8, 64, EIGHT, 89, 1},
    {SPARSE, 16, 8, 128, NIBBLE, 80, 1},
    {WMMA, 16, 16, 16, F16, 70, 0},
    {WMMA, 8, 32, 16, F16, 70, 0},
    {WMMA, 32, 8, 16, F16, 70, 0},
    {WMMA, 16, 16, 16, BYTE, 72, 0},
    {WMMA, 8, 32, 16, BYTE, 72, 0},
    {WMMA, 32, 8, 16, BYTE, 72, 0},
    {WMMA, 16, 16, 16, BF16, 80, 0},
    {WMMA, 8, 32, 16, BF16, 80, 0},
    {WMMA, 32, 8, 16, BF16, 80, 0},
    {WMMA, 16, 16, 8, TF32, 80, 0},
    {WMMA, 8, 8, 4, F64, 80, 0},
    {WMMA, 8, 8, 32, NIBBLE, 75, 0},
    {WMMA, 8, 8, 128, BIT, 75, 0},
};

static const char not_known[] = "PTX has no such matrix shape with these types up to sm_90";
static const char registers_wrong[] = "wrong number of registers for this matrix fragment";

static unsigned class_of(enum isa_type type)
{
    switch ((unsigned)type) {
    case ISA_F16: return F16;
    case ISA_BF16: return BF16;
    case ISA_TF32: return TF32;
    case ISA_F64: return F64;
    case ISA_E4M3:
    case ISA_E5M2: return EIGHT;
    case ISA_S8:
    case ISA_U8: return BYTE;
    case ISA_S4:
    case ISA_U4: return NIBBLE;
    case ISA_B1: return BIT;
    default: return 0;
    }
}

static bool read_shape(const struct ptx_instr *instr, struct ptx_matrix *out)
{
    struct isa_shape shape;
    if (!isa_shape_of(&instr->isa, &shape)) return false;
    out->m = shape.m, out->n = shape.n, out->k = shape.k;
    return true;
}

static const struct form *find_form(const struct ptx_matrix *x, enum kind kind, unsigned classes)
{
    for (size_t i = 0; i < SW_COUNT_OF(forms); i++) {
        const struct form *f = &forms[i];
        if (f->kind == kind && f->m == x->m && f->n == x->n && f->k == x->k && f->classes & classes) return f;
    }
    return NULL;
}

static unsigned written(const struct ptx_operand *operand)
{
    return operand->kind == ISA_OPD_VEC ? operand->count : 1;
}

static const char *fault(struct ptx_matrix *out, unsigned operand, const char *text)
{
    out->faulty_operand = operand;
    out->faulty = true;
    return text;
}

/* ---- multiplication */

static bool modifiers_known(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++) {
        switch (instr->mods[i]) {
        case ISA_MOD_MMA:
        case ISA_MOD_SYNC:
        case ISA_MOD_ALIGNED:
        case ISA_MOD_ROW:
        case ISA_MOD_COL:
        case ISA_MOD_SP:
        case ISA_MOD_SP__ORDERED_METADATA:
        case ISA_MOD_SATFINITE:
        case ISA_MOD_POPC:
        case ISA_MOD_AND:
        case ISA_MOD_XOR:
        case ISA_MOD_RN:
        case ISA_MOD_RZ:
        case ISA_MOD_RM:
        case ISA_MOD_RP: break;
        default:
            if (isa_mod_text((enum isa_mod)instr->mods[i])[0] != 'm') return false;
        }
    }
    return true;
}

static bool accumulators_fit(const struct form *form, unsigned class, enum isa_type c, enum isa_type d)
{
    bool floats = (c == ISA_F16 || c == ISA_F32) && (d == ISA_F16 || d == ISA_F32);
    switch (class) {
    case F16:
        if (form->kind == WMMA) return floats;
        if (form->m == 8) return floats && !(c == ISA_F32 && d == ISA_F16);
        return floats && c == d;
    case EIGHT: return floats && c == d && !(form->kind == SPARSE && d == ISA_F16);
    case BF16:
    case TF32: return c == ISA_F32 && d == ISA_F32;
    case F64: return c == ISA_F64 && d == ISA_F64;
    default: return c == ISA_S32 && d == ISA_S32;
    }
}

static const char *count_registers(const struct ptx_instr *instr, const struct form *form,
                                   struct ptx_matrix *out)
{
    bool sparse = form->kind == SPARSE, halves = out->type[1] == ISA_F16;
    const unsigned elements[4] = {out->m * out->n, out->m * out->k / (sparse ? 2u : 1u), out->k * out->n,
                                  out->m * out->n};
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = isa_type_bits(out->type[i]), factor = i == 1 || i == 2;
        out->own[i] = elements[i] * bits / (bits == 64 ? 64 : 32) / 32;
        if (halves && form->kind == DENSE && form->m == 8) /* four products side by side */
            out->own[i] = factor ? 2 : bits == 32 ? 8 : 4;
        unsigned want = halves && form->kind == WMMA && factor ? 8 : out->own[i];
        if (i < instr->operand_count && written(&instr->operands[i]) != want)
            return fault(out, i + 1, registers_wrong);
    }
    if (instr->operand_count != (sparse ? 6 : 4)) return fault(out, 0, "wrong number of operands");
    const struct ptx_operand *selector = &instr->operands[5];
    if (sparse && (selector->kind != ISA_OPD_INT || selector->bits >= form->selectors))
        return fault(out, 6, "invalid sparsity selector for this form");
    return NULL;
}

static const char *describe_product(const struct ptx_instr *instr, struct ptx_matrix *out)
{
    out->sparse = ptx_has(instr, ISA_MOD_SP) || ptx_has(instr, ISA_MOD_SP__ORDERED_METADATA);
    enum kind kind = instr->op == ISA_OP_WMMA ? WMMA : out->sparse ? SPARSE : DENSE;
    bool two = instr->type_count == 2 && kind == WMMA; /* wmma of f16 names d and c only */
    if (!modifiers_known(instr) || (instr->type_count != 4 && !two))
        return "this matrix form belongs to sm_100 and later, or is not PTX";
    out->type[0] = ptx_instr_type(instr, 0);
    out->type[1] = two ? ISA_F16 : ptx_instr_type(instr, 1);
    out->type[2] = two ? ISA_F16 : ptx_instr_type(instr, 2);
    out->type[3] = ptx_instr_type(instr, two ? 1 : 3);
    if (!read_shape(instr, out)) return not_known;
    unsigned class = class_of(out->type[1]);
    const struct form *form = find_form(out, kind, class);
    bool mixed = out->type[1] != out->type[2] && (kind == WMMA || class < EIGHT);
    if (!form || class != class_of(out->type[2]) || mixed) return not_known;
    if (!accumulators_fit(form, class, out->type[3], out->type[0]))
        return "the accumulator types do not match the types of the factors";
    out->sm = form->sm;
    return count_registers(instr, form, out);
}

/* ---- fragments and rows */

static unsigned classes_with_sum(enum isa_type type)
{
    switch ((unsigned)type) {
    case ISA_F16: return F16;
    case ISA_F32: return F16 | BF16 | TF32;
    case ISA_F64: return F64;
    case ISA_S32: return BYTE | NIBBLE | BIT;
    default: return 0;
    }
}

static const char *describe_fragment(const struct ptx_instr *instr, struct ptx_matrix *out)
{
    bool a = ptx_has(instr, ISA_MOD_A), b = ptx_has(instr, ISA_MOD_B), columns = ptx_has(instr, ISA_MOD_COL);
    enum isa_type type = out->type[0] = ptx_instr_type(instr, 0);
    out->store = ptx_has(instr, ISA_MOD_STORE);
    out->letter = a ? 'a' : b ? 'b' : 'c';
    if (!read_shape(instr, out)) return not_known;
    const struct form *form = find_form(out, WMMA, a || b ? class_of(type) : classes_with_sum(type));
    if (!form) return not_known;
    out->sm = form->sm;
    unsigned bits = isa_type_bits(type), elements = (b ? out->n : out->m) * (a || b ? out->k : out->n);
    out->own[0] = elements * bits / (bits == 64 ? 64 : 32) / 32;
    if (instr->operand_count < 2 || instr->operand_count > 3)
        return fault(out, 0, "wrong number of operands");
    unsigned at = out->store ? 1 : 0, want = type == ISA_F16 && (a || b) ? 8 : out->own[0];
    if (written(&instr->operands[at]) != want) return fault(out, at + 1, registers_wrong);
    if (bits < 8 && columns != b)
        return fault(out, 0, "elements of less than a byte need .row for a and .col for b");
    return NULL;
}

static const char *describe_rows(const struct ptx_instr *instr, struct ptx_matrix *out)
{
    unsigned count = ptx_has(instr, ISA_MOD_X4) ? 4 : ptx_has(instr, ISA_MOD_X2) ? 2 : 1;
    out->store = instr->op == ISA_OP_STMATRIX;
    out->letter = 'm';
    out->type[0] = ISA_F16;
    out->own[0] = count;
    out->sm = out->store ? 90 : 75;
    if (!ptx_has(instr, ISA_MOD_M8N8) || ptx_instr_type(instr, 0) != ISA_B16)
        return "only .m8n8 with .b16 is supported; the other shapes belong to sm_100";
    if (instr->operand_count != 2) return fault(out, 0, "wrong number of operands");
    unsigned at = out->store ? 1 : 0;
    return written(&instr->operands[at]) == count ? NULL : fault(out, at + 1, registers_wrong);
}

bool ptx_is_matrix(const struct ptx_instr *instr)
{
    switch ((unsigned)instr->op) {
    case ISA_OP_MMA:
    case ISA_OP_WMMA:
    case ISA_OP_LDMATRIX:
    case ISA_OP_STMATRIX: return true;
    default: return false;
    }
}

const char *ptx_matrix_describe(const struct ptx_instr *instr, struct ptx_matrix *out)
{
    *out = (struct ptx_matrix){0};
    if (instr->op == ISA_OP_LDMATRIX || instr->op == ISA_OP_STMATRIX) return describe_rows(instr, out);
    out->multiplies = instr->op == ISA_OP_MMA || ptx_has(instr, ISA_MOD_MMA);
    return out->multiplies ? describe_product(instr, out) : describe_fragment(instr, out);
}
