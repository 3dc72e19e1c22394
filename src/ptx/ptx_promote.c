/* SPDX-License-Identifier: Apache-2.0 */
/* The .param variables through which inlined calls passed values.
 *
 * A variable whose every use is a load or store at a constant offset, in pieces that never partly overlap,
 * becomes one register a piece: loads and stores turn into moves and conversions. A variable that a remaining
 * call names stays. Any other becomes a .local variable. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

enum promotion_limit { UNUSED, PIECES, LOCAL, CALL };

struct piece {
    uint32_t var; /* index in flat->vars */
    uint32_t bytes, reg;
    int64_t offset;
};

struct promotion {
    struct ptx_flat *flat;
    uint8_t *limits; /* enum promotion_limit, by variable */
    VEC(struct piece) pieces;
    VEC(struct ptx_instr) instrs; /* the new body */
};

static bool is_candidate(const struct ptx_flat *flat, const struct ptx_var *var)
{
    return var && var->space == PTX_SPACE_PARAM && var->owner == flat->out;
}

static void promote_limit(struct promotion *p, const struct ptx_var *var, enum promotion_limit limit)
{
    if (p->limits[var->index] < limit) p->limits[var->index] = (uint8_t)limit;
}

/* ---- looking at accesses ---- */

struct access {
    const struct ptx_operand *address, *value; /* value: a register, an immediate, or a vector of them */
    enum isa_type type;
    unsigned count;
    bool is_load;
};

/* ld.param value, [var+N] or st.param [var+N], value */
static bool is_access(const struct promotion *p, const struct ptx_instr *instr, struct access *out)
{
    if ((instr->op != ISA_OP_LD && instr->op != ISA_OP_ST) || instr->operand_count < 2) return false;
    out->is_load = instr->op == ISA_OP_LD;
    out->address = &instr->operands[out->is_load];
    out->value = &instr->operands[!out->is_load];
    out->type = ptx_instr_type(instr, 0);
    out->count = out->value->kind == ISA_OPD_VEC ? out->value->count : 1;
    return out->address->kind == ISA_OPD_MEM && !out->address->count &&
           is_candidate(p->flat, out->address->var);
}

static const struct ptx_operand *value_at(const struct access *access, unsigned i)
{
    return access->value->kind == ISA_OPD_VEC ? &access->value->elements[i] : access->value;
}

static unsigned reg_bits(const struct promotion *p, uint32_t reg)
{
    const struct ptx_reg *r = &p->flat->regs.at[reg];
    return r->vector || r->type == ISA_PRED ? 0 : isa_type_bits(r->type);
}

/* Can a move or conversion stand for this element? */
static bool promote_fits(const struct promotion *p, const struct access *access,
                         const struct ptx_operand *value)
{
    unsigned bits = isa_type_bits(access->type);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) return false;
    switch (value->kind) {
    case ISA_OPD_SINK: return access->is_load;
    case ISA_OPD_INT:
    case ISA_OPD_FLOAT: return !access->is_load && bits <= 64;
    case ISA_OPD_REG: {
        unsigned have = reg_bits(p, value->reg);
        return have >= bits && have >= 16 && !value->half && !value->negate && (have <= 64 || have == bits);
    }
    case ISA_OPD_NONE:
    case ISA_OPD_PAIR:
    case ISA_OPD_SREG:
    case ISA_OPD_VAR:
    case ISA_OPD_FUNC:
    case ISA_OPD_LABEL:
    case ISA_OPD_MEM:
    case ISA_OPD_VEC:
    case ISA_OPD_LIST:
    case ISA_OPD_PROTO: break;
    }
    return false;
}

static void note_access(struct promotion *p, const struct access *access)
{
    const struct ptx_var *var = access->address->var;
    uint32_t bytes = isa_type_bits(access->type) / 8;
    promote_limit(p, var, PIECES);
    for (unsigned i = 0; i < access->count; i++) {
        if (!promote_fits(p, access, value_at(access, i))) promote_limit(p, var, LOCAL);
        *vec_push(&p->pieces) = (struct piece){var->index, bytes, PTX_NO_REG,
                                               access->address->offset + (int64_t)((uint64_t)i * bytes)};
    }
}

static void note_operand(struct promotion *p, const struct ptx_operand *operand, enum promotion_limit limit)
{
    if (is_candidate(p->flat, operand->var)) promote_limit(p, operand->var, limit);
    for (uint32_t i = 0; i < operand->count; i++)
        note_operand(p, &operand->elements[i], limit);
}

static void note_uses(struct promotion *p)
{
    for (size_t i = 0; i < p->flat->instrs.count; i++) {
        const struct ptx_instr *instr = &p->flat->instrs.at[i];
        struct access access;
        bool known = is_access(p, instr, &access);
        if (known) note_access(p, &access);
        for (unsigned o = 0; o < instr->operand_count; o++)
            if (!known || &instr->operands[o] != access.address)
                note_operand(p, &instr->operands[o], instr->op == ISA_OP_CALL ? CALL : LOCAL);
    }
}

/* ---- pieces ---- */

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    if (x->var != y->var) return x->var < y->var ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Sort, drop repetitions, and find overlaps. */
static void settle_pieces(struct promotion *p)
{
    size_t kept = 0;
    if (p->pieces.count) qsort(p->pieces.at, p->pieces.count, sizeof *p->pieces.at, compare_pieces);
    for (size_t i = 0; i < p->pieces.count; i++) {
        const struct piece *last = kept ? &p->pieces.at[kept - 1] : NULL, *next = &p->pieces.at[i];
        if (last && compare_pieces(last, next) == 0) continue;
        if (last && last->var == next->var && next->offset < last->offset + last->bytes)
            promote_limit(p, p->flat->vars.at[next->var], LOCAL);
        p->pieces.at[kept++] = *next;
    }
    p->pieces.count = kept;
}

static enum isa_type bits_type(unsigned bits)
{
    return bits <= 16 ? ISA_B16 : bits == 32 ? ISA_B32 : bits == 64 ? ISA_B64 : ISA_B128;
}

static enum isa_type integer_type(unsigned bits, bool is_signed)
{
    if (bits == 8) return is_signed ? ISA_S8 : ISA_U8;
    if (bits == 16) return is_signed ? ISA_S16 : ISA_U16;
    if (bits == 32) return is_signed ? ISA_S32 : ISA_U32;
    return is_signed ? ISA_S64 : ISA_U64;
}

static uint32_t piece_reg(struct promotion *p, const struct access *access, unsigned i)
{
    uint32_t bytes = isa_type_bits(access->type) / 8;
    struct piece key = {access->address->var->index, bytes, PTX_NO_REG,
                        access->address->offset + (int64_t)((uint64_t)i * bytes)};
    struct piece *piece = bsearch(&key, p->pieces.at, p->pieces.count, sizeof key, compare_pieces);
    if (!piece) BUG("an access without a piece");
    if (piece->reg == PTX_NO_REG) {
        const char *name = arena_printf(p->flat->arena, "%%param_%zu", p->flat->regs.count);
        piece->reg = (uint32_t)p->flat->regs.count;
        *vec_push(&p->flat->regs) =
            (struct ptx_reg){.name = name, .type = bits_type(bytes * 8), .parameter = true};
    }
    return piece->reg;
}

/* ---- rewriting ---- */

static struct ptx_instr *promote_emit(struct promotion *p, const struct ptx_instr *like, enum isa_op op,
                                      enum isa_type to, enum isa_type from)
{
    struct ptx_instr *instr = vec_push(&p->instrs);
    *instr = (struct ptx_instr){.op = op,
                                .guard = like->guard,
                                .guard_negate = like->guard_negate,
                                .loc = like->loc,
                                .line = like->line,
                                .column = like->column,
                                .operand_count = 2,
                                .type_count = 1};
    instr->operands = ARENA_ARRAY(p->flat->arena, struct ptx_operand, 2);
    instr->types[0] = (uint8_t)to;
    instr->word_mask = 1;
    if (from != ISA_TYPE_NONE) {
        instr->types[instr->type_count++] = (uint8_t)from;
        instr->word_mask = 3;
    }
    return instr;
}

static struct ptx_operand promote_reg_operand(uint32_t reg)
{
    return (struct ptx_operand){.kind = ISA_OPD_REG, .reg = reg, .reg2 = PTX_NO_REG};
}

/* to = from, cut or extended: move when the widths agree. from_bits: significant bits of from */
static void emit_copy(struct promotion *p, const struct ptx_instr *like, struct ptx_operand to,
                      unsigned to_bits, struct ptx_operand from, unsigned from_bits, bool is_signed)
{
    struct ptx_instr *instr;
    if (to_bits == from_bits)
        instr = promote_emit(p, like, ISA_OP_MOV, bits_type(to_bits), ISA_TYPE_NONE);
    else
        instr = promote_emit(p, like, ISA_OP_CVT, integer_type(to_bits, is_signed),
                             integer_type(from_bits, is_signed));
    instr->operands[0] = to;
    instr->operands[1] = from;
}

static void emit_load(struct promotion *p, const struct ptx_instr *like, const struct access *access,
                      unsigned i)
{
    const struct ptx_operand *value = value_at(access, i);
    if (value->kind == ISA_OPD_SINK) return;
    bool is_signed = isa_type_kind(access->type) == ISA_KIND_SINT;
    emit_copy(p, like, *value, reg_bits(p, value->reg), promote_reg_operand(piece_reg(p, access, i)),
              isa_type_bits(access->type), is_signed);
}

static void emit_store(struct promotion *p, const struct ptx_instr *like, const struct access *access,
                       unsigned i)
{
    const struct ptx_operand *value = value_at(access, i);
    uint32_t reg = piece_reg(p, access, i);
    unsigned bits = reg_bits(p, reg);
    if (value->kind == ISA_OPD_REG) {
        emit_copy(p, like, promote_reg_operand(reg), bits, *value, reg_bits(p, value->reg), false);
        return;
    }
    enum isa_type type = isa_type_bits(access->type) == bits ? access->type : bits_type(bits);
    struct ptx_instr *move = promote_emit(p, like, ISA_OP_MOV, type, ISA_TYPE_NONE);
    move->operands[0] = promote_reg_operand(reg);
    move->operands[1] = *value;
}

static void make_local(struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->mod_count; i++)
        if (isa_mod_category((enum isa_mod)instr->mods[i]) == ISA_CAT_SPACE) instr->mods[i] = ISA_MOD_LOCAL;
}

static void rewrite_one(struct promotion *p, const struct ptx_instr *instr)
{
    struct access access;
    bool known = is_access(p, instr, &access);
    enum promotion_limit limit = known ? (enum promotion_limit)p->limits[access.address->var->index] : UNUSED;
    if (limit != PIECES) {
        struct ptx_instr *copy = vec_push(&p->instrs);
        *copy = *instr;
        if (limit == LOCAL) make_local(copy);
        return;
    }
    for (unsigned i = 0; i < access.count; i++)
        (access.is_load ? emit_load : emit_store)(p, instr, &access, i);
}

static void promote_rewrite(struct promotion *p)
{
    struct ptx_flat *flat = p->flat;
    uint32_t *new_index = sw_xcalloc(flat->instrs.count + 1, sizeof *new_index);
    for (size_t i = 0; i < flat->instrs.count; i++) {
        new_index[i] = (uint32_t)p->instrs.count;
        rewrite_one(p, &flat->instrs.at[i]);
    }
    new_index[flat->instrs.count] = (uint32_t)p->instrs.count;
    vec_release(&flat->instrs);
    flat->instrs.at = p->instrs.at;
    flat->instrs.count = p->instrs.count;
    flat->instrs.capacity = p->instrs.capacity;
    ptx_flat_retarget(flat, new_index);
    free(new_index);
}

/* Promoted and unused variables go; the others move up. */
static void drop_vars(struct promotion *p)
{
    struct ptx_flat *flat = p->flat;
    size_t kept = 0;
    for (size_t i = 0; i < flat->vars.count; i++) {
        struct ptx_var *var = flat->vars.at[i];
        bool candidate = is_candidate(flat, var);
        enum promotion_limit limit = (enum promotion_limit)p->limits[i];
        if (candidate && limit < LOCAL) continue;
        if (candidate && limit == LOCAL) var->space = PTX_SPACE_LOCAL;
        flat->vars.at[kept++] = var;
    }
    flat->vars.count = kept;
    for (size_t i = 0; i < kept; i++)
        if (flat->vars.at[i]->owner == flat->out) flat->vars.at[i]->index = (uint32_t)i;
}

void ptx_flat_promote(struct ptx_flat *flat)
{
    struct promotion p = {.flat = flat, .limits = sw_xcalloc(flat->vars.count + 1, 1)};
    note_uses(&p);
    settle_pieces(&p);
    promote_rewrite(&p);
    drop_vars(&p);
    vec_release(&p.pieces);
    free(p.limits);
}
