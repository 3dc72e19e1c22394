/* SPDX-License-Identifier: Apache-2.0 */
/* Where the value of a register comes from: a backward slice of one register of a flat function.
 *
 * Method: static single assignment on demand. The value at a place is the last one written before it in its
 * block, or else that of the immediate dominator, unless paths with different values meet on the way: in the
 * iterated dominance frontier of the blocks that write the register. So each value was made by an instruction
 * that dominates its use, and all of a slice's values are those of the latest execution of their
 * instructions. A guarded write is a selection between what it writes and what was there.
 *
 * A register that a loop changes by the same step in each turn, and nothing else, is where it began and a
 * multiple of the loop's turns:
 *
 *   merge(start, merge + step)  =  start + step * turns        step: constants, parameters, indices
 *
 * All such registers of a loop share its turns. Limits: floating point, carries, high halves of products, and
 * values of more than DEPTH instructions in a row are not followed, and become values of their own. */
#include "ptx_slice_priv.h"

#include <string.h>

enum { DEPTH = 40 }; /* implementation: longer chains explain nothing, and are not recursed into */

struct site { /* where a value is asked for: before instruction `before` of a block */
    uint32_t block, before;
    unsigned depth;
};

/* ---- the function */

static void defs_build(struct ptx_slices *s)
{
    const struct ptx_function *f = s->function;
    uint32_t regs[PTX_INSTR_REGS];
    s->first_def = ARENA_ARRAY(&s->arena, uint32_t, f->reg_count + 2u);
    for (uint32_t i = 0; i < f->instr_count; i++)
        for (unsigned n = ptx_instr_defs(&f->instrs[i], regs, PTX_INSTR_REGS); n-- > 0;)
            s->first_def[regs[n] + 1]++;
    for (uint32_t r = 0; r < f->reg_count; r++)
        s->first_def[r + 1] += s->first_def[r];
    s->defs = ARENA_ARRAY(&s->arena, uint32_t, s->first_def[f->reg_count] + 1u);
    uint32_t *next = sw_xcalloc(f->reg_count + 1u, sizeof *next);
    for (uint32_t i = 0; i < f->instr_count; i++)
        for (unsigned n = ptx_instr_defs(&f->instrs[i], regs, PTX_INSTR_REGS); n-- > 0;)
            s->defs[s->first_def[regs[n]] + next[regs[n]]++] = i;
    free(next);
}

/* Cooper, Harvey and Kennedy: from each predecessor of a block up to its immediate dominator. out NULL: only
 * count, a block's at count[block + 1]. */
static void frontier_walk(const struct ptx_cfg *cfg, uint32_t *count, uint32_t *const *out)
{
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ptx_block *block = &cfg->blocks[b];
        for (uint32_t p = 0; p < block->pred_count && block->pred_count > 1; p++)
            for (uint32_t at = block->pred[p]; at != block->idom && at != PTX_NO_BLOCK;
                 at = cfg->blocks[at].idom) {
                if (out) (*out)[count[at]] = b;
                count[at + !out]++;
            }
    }
}

static void frontiers_build(struct ptx_slices *s)
{
    uint32_t blocks = s->cfg.block_count;
    s->first_frontier = ARENA_ARRAY(&s->arena, uint32_t, blocks + 1u);
    frontier_walk(&s->cfg, s->first_frontier, NULL);
    for (uint32_t b = 0; b < blocks; b++)
        s->first_frontier[b + 1] += s->first_frontier[b];
    s->frontier = ARENA_ARRAY(&s->arena, uint32_t, s->first_frontier[blocks] + 1u);
    uint32_t *next = sw_xcalloc(blocks + 1u, sizeof *next);
    memcpy(next, s->first_frontier, blocks * sizeof *next);
    frontier_walk(&s->cfg, next, &s->frontier);
    free(next);
}

struct ptx_slices *ptx_slices_new(const struct ptx_function *function)
{
    struct ptx_slices *s = sw_xcalloc(1, sizeof *s);
    s->function = function;
    arena_init(&s->arena);
    if (ptx_cfg_build(function, &s->arena, &s->cfg, NULL) != SW_OK) {
        ptx_slices_free(s);
        return NULL;
    }
    defs_build(s);
    frontiers_build(s);
    return s;
}

void ptx_slices_free(struct ptx_slices *s)
{
    if (!s) return;
    map_release(&s->merges);
    map_release(&s->values);
    arena_release(&s->arena);
    free(s);
}

/* ---- values */

enum key_kind { KEY_INSTR = 1, KEY_MERGE, KEY_TURNS, KEY_SPECIAL, KEY_PARAM, KEY_SYMBOL };

static uint64_t key(enum key_kind kind, uint64_t a, uint64_t b)
{
    return (uint64_t)kind << 60 | a << 28 | b;
}

static struct ptx_value *value_new(struct ptx_slices *s, enum ptx_value_kind kind, unsigned bits)
{
    struct ptx_value *v = ARENA_NEW(&s->arena, struct ptx_value);
    v->kind = kind;
    v->bits = (uint8_t)bits;
    return v;
}

static struct ptx_value *value_const(struct ptx_slices *s, uint64_t constant, unsigned bits)
{
    struct ptx_value *v = value_new(s, PTX_VALUE_CONST, bits);
    v->constant = ptx_low_bits(constant, bits);
    return v;
}

/* One value for one thing, so that what is the same is seen to be. */
static struct ptx_value *value_once(struct ptx_slices *s, uint64_t k, enum ptx_value_kind kind, unsigned bits)
{
    struct ptx_value *v = map_get_u64(&s->values, k);
    if (v) return v;
    v = value_new(s, kind, bits);
    map_set_u64(&s->values, k, v);
    return v;
}

static struct ptx_value *value_op(struct ptx_slices *s, enum ptx_value_op op, unsigned bits,
                                  struct ptx_value *a, struct ptx_value *b)
{
    struct ptx_value *v = value_new(s, PTX_VALUE_OP, bits);
    v->op = op;
    v->arg[0] = a;
    v->arg[1] = b;
    return v;
}

static struct ptx_value *value_other(struct ptx_slices *s, const struct ptx_instr *instr, unsigned bits)
{
    struct ptx_value *v = value_new(s, PTX_VALUE_OTHER, bits);
    v->instr = instr;
    return v;
}

static struct ptx_value *value_symbol(struct ptx_slices *s, const struct ptx_var *var, int64_t offset,
                                      unsigned bits)
{
    struct ptx_value *v =
        value_once(s, key(KEY_SYMBOL, (uintptr_t)var & UINT32_MAX, bits), PTX_VALUE_SYMBOL, bits);
    if (v->var && v->var != var) v = value_new(s, PTX_VALUE_SYMBOL, bits);
    v->var = var;
    return offset ? value_op(s, PTX_DO_ADD, bits, v, value_const(s, (uint64_t)offset, bits)) : v;
}

static struct ptx_value *value_resize(struct ptx_slices *s, struct ptx_value *v, unsigned bits,
                                      bool is_signed)
{
    if (v->bits == bits) return v;
    if (v->kind == PTX_VALUE_CONST)
        return value_const(s, is_signed ? (uint64_t)ptx_signed(v->constant, v->bits) : v->constant, bits);
    if (v->kind == PTX_VALUE_SYMBOL) return value_symbol(s, v->var, 0, bits);
    struct ptx_value *resized = value_op(s, bits > v->bits ? PTX_DO_EXTEND : PTX_DO_TRUNCATE, bits, v, NULL);
    resized->is_signed = is_signed;
    return resized;
}

static struct ptx_value *value_special(struct ptx_slices *s, const struct ptx_instr *instr,
                                       enum isa_sreg sreg)
{
    unsigned bits = isa_type_bits(isa_sreg_type(sreg));
    switch ((unsigned)isa_sreg_kind(sreg)) {
    case ISA_READS_TID:
    case ISA_READS_NTID:
    case ISA_READS_CTAID:
    case ISA_READS_NCTAID:
    case ISA_READS_LANE: break;
    default: return value_other(s, instr, bits);
    }
    struct ptx_value *v = value_once(s, key(KEY_SPECIAL, sreg, 0), PTX_VALUE_SPECIAL, bits);
    v->sreg = sreg;
    return v;
}

/* ---- registers */

static struct ptx_value *value_before(struct ptx_slices *s, struct site at, uint32_t reg);
static struct ptx_value *value_of_instr(struct ptx_slices *s, struct site at, uint32_t reg);

static unsigned reg_bits(const struct ptx_slices *s, uint32_t reg)
{
    return isa_type_bits(s->function->regs[reg].type);
}

static void add_frontier(struct ptx_slices *s, uint32_t block, uint64_t *met, uint32_t *todo, uint32_t *count)
{
    for (uint32_t i = s->first_frontier[block]; i < s->first_frontier[block + 1]; i++) {
        uint32_t b = s->frontier[i];
        if (met[b / 64] >> (b % 64) & 1) continue;
        met[b / 64] |= UINT64_C(1) << (b % 64);
        todo[(*count)++] = b;
    }
}

static const uint64_t *merges_of(struct ptx_slices *s, uint32_t reg)
{
    uint64_t *met = map_get_u64(&s->merges, reg);
    if (met) return met;
    met = ARENA_ARRAY(&s->arena, uint64_t, s->cfg.block_count / 64 + 1);
    uint32_t *todo = sw_xcalloc(s->cfg.block_count + 1u, sizeof *todo), count = 0;
    for (uint32_t d = s->first_def[reg]; d < s->first_def[reg + 1]; d++) {
        uint32_t block = s->cfg.block_of[s->defs[d]];
        if (block != PTX_NO_BLOCK) add_frontier(s, block, met, todo, &count);
    }
    for (uint32_t i = 0; i < count; i++)
        add_frontier(s, todo[i], met, todo, &count);
    free(todo);
    map_set_u64(&s->merges, reg, met);
    return met;
}

/* The last instruction before `before` in its block that writes the register. */
static bool last_def(const struct ptx_slices *s, uint32_t block, uint32_t before, uint32_t reg, uint32_t *out)
{
    uint32_t first = s->cfg.blocks[block].first, low = s->first_def[reg], high = s->first_def[reg + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->defs[middle] < before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->first_def[reg] || s->defs[low - 1] < first) return false;
    *out = s->defs[low - 1];
    return true;
}

static bool dominates(const struct ptx_cfg *cfg, uint32_t above, uint32_t block)
{
    while (block != above && block != PTX_NO_BLOCK)
        block = cfg->blocks[block].idom;
    return block == above;
}

/* Does a value stay the same as long as the kernel runs? */
static bool is_fixed(const struct ptx_value *v, unsigned depth)
{
    enum { FIXED_DEPTH = 8 }; /* implementation: no step that a person wrote is deeper */
    if (depth > FIXED_DEPTH) return false;
    switch ((unsigned)v->kind) {
    case PTX_VALUE_CONST:
    case PTX_VALUE_SPECIAL:
    case PTX_VALUE_PARAM:
    case PTX_VALUE_SYMBOL: return true;
    case PTX_VALUE_OP: break;
    default: return false;
    }
    for (unsigned i = 0; i < 3; i++)
        if (v->arg[i] && !is_fixed(v->arg[i], depth + 1)) return false;
    return true;
}

/* What a loop adds to the merge in a turn; NULL: something else. */
static struct ptx_value *step_of(struct ptx_slices *s, struct ptx_value *merge, struct ptx_value *next)
{
    struct ptx_linear sum;
    bool found = false;
    ptx_linear_of(NULL, next, &sum);
    struct ptx_value *step = value_const(s, sum.constant, merge->bits);
    for (unsigned i = 0; i < sum.count && !sum.too_long; i++) {
        struct ptx_value *v = sum.terms[i].value;
        if (v == merge && sum.terms[i].factor == 1) {
            found = true;
            continue;
        }
        if (!is_fixed(v, 0)) return NULL;
        struct ptx_value *factor = value_const(s, sum.terms[i].factor, merge->bits);
        struct ptx_value *product =
            sum.terms[i].factor == 1 ? v : value_op(s, PTX_DO_MUL, merge->bits, v, factor);
        bool nothing = step->kind == PTX_VALUE_CONST && !step->constant;
        step = nothing ? product : value_op(s, PTX_DO_ADD, merge->bits, step, product);
    }
    return found && !sum.too_long ? step : NULL;
}

/* A merge at the head of a loop that is where it began, and a multiple of the turns. */
static void merge_to_turns(struct ptx_slices *s, struct ptx_value *merge, struct ptx_value *start,
                           struct ptx_value *next)
{
    struct ptx_value *step = start && next ? step_of(s, merge, next) : NULL;
    if (!step) return;
    struct ptx_value *turns = value_once(s, key(KEY_TURNS, merge->block, 0), PTX_VALUE_TURNS, 64);
    const struct ptx_block *head = &s->cfg.blocks[merge->block];
    turns->block = merge->block;
    turns->instr = next->instr                ? next->instr
                   : head->first < head->last ? &s->function->instrs[head->first]
                                              : NULL;
    merge->kind = PTX_VALUE_OP;
    merge->op = PTX_DO_ADD;
    merge->arg[0] = start;
    merge->arg[1] = value_op(s, PTX_DO_MUL, merge->bits, step, value_resize(s, turns, merge->bits, false));
}

static void note_writer(struct ptx_value *merge, struct ptx_value *from)
{
    if (!from->instr || from->instr == merge->instr) return;
    if (!merge->instr)
        merge->instr = from->instr;
    else if (!merge->instr2)
        merge->instr2 = from->instr;
}

static struct ptx_value *value_of_merge(struct ptx_slices *s, struct site at, uint32_t reg)
{
    uint64_t k = key(KEY_MERGE, reg, at.block);
    struct ptx_value *merge = map_get_u64(&s->values, k);
    if (merge) return merge;
    if (at.depth > DEPTH) return value_other(s, NULL, reg_bits(s, reg));
    merge = value_new(s, PTX_VALUE_MERGE, reg_bits(s, reg));
    merge->block = at.block;
    map_set_u64(&s->values, k, merge);
    struct ptx_value *from[2] = {NULL, NULL}; /* from outside of the loop, and from its end */
    bool same[2] = {true, true};
    const struct ptx_block *block = &s->cfg.blocks[at.block];
    for (uint32_t p = 0; p < block->pred_count; p++) {
        uint32_t pred = block->pred[p];
        bool back = dominates(&s->cfg, at.block, pred);
        struct site end = {pred, s->cfg.blocks[pred].last, at.depth + 1};
        struct ptx_value *v = value_before(s, end, reg);
        same[back] &= !from[back] || from[back] == v;
        from[back] = v;
        note_writer(merge, v);
    }
    if (same[0] && same[1]) merge_to_turns(s, merge, from[0], from[1]);
    return merge;
}

static struct ptx_value *value_before(struct ptx_slices *s, struct site at, uint32_t reg)
{
    uint32_t def;
    const uint64_t *met = merges_of(s, reg);
    while (!last_def(s, at.block, at.before, reg, &def)) {
        if (met[at.block / 64] >> (at.block % 64) & 1) return value_of_merge(s, at, reg);
        at.block = s->cfg.blocks[at.block].idom;
        if (at.block == PTX_NO_BLOCK) return value_other(s, NULL, reg_bits(s, reg)); /* nobody wrote it */
        at.before = s->cfg.blocks[at.block].last;
    }
    return value_of_instr(s, (struct site){at.block, def, at.depth + 1}, reg);
}

/* ---- instructions */

static struct ptx_value *operand_value(struct ptx_slices *s, struct site at, const struct ptx_operand *o,
                                       unsigned bits)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    struct ptx_value *v;
    if (o->half || o->selector || o->elements) return value_other(s, instr, bits);
    switch ((unsigned)o->kind) {
    case ISA_OPD_INT: return value_const(s, o->bits, bits);
    case ISA_OPD_VAR: return value_symbol(s, o->var, o->offset, bits);
    case ISA_OPD_SREG: v = value_special(s, instr, o->sreg); break;
    case ISA_OPD_REG: v = value_before(s, at, o->reg); break;
    default: return value_other(s, instr, bits);
    }
    if (v->bits != bits) v = value_resize(s, v, bits, false);
    if (!o->negate) return v;
    return value_op(s, bits == 1 ? PTX_DO_NOT : PTX_DO_NEG, bits, v, NULL);
}

/* An integer, or bits, as one value. */
static bool is_integer(enum isa_type type)
{
    enum isa_type_kind kind = isa_type_kind(type);
    return (kind == ISA_KIND_BITS || kind == ISA_KIND_UINT || kind == ISA_KIND_SINT ||
            kind == ISA_KIND_PRED) &&
           isa_type_lanes(type) == 1 && isa_type_bits(type) <= 64;
}

static bool is_plain(const struct ptx_instr *instr)
{
    for (unsigned i = 0; i < instr->type_count; i++)
        if (!is_integer(ptx_instr_type(instr, i))) return false;
    return !ptx_has(instr, ISA_MOD_SAT) && !ptx_has(instr, ISA_MOD_CC) && !ptx_has(instr, ISA_MOD_HI);
}

static struct ptx_value *binary(struct ptx_slices *s, struct site at, enum ptx_value_op op)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    bool shifts = op == PTX_DO_SHL || op == PTX_DO_SHR;
    struct ptx_value *a = operand_value(s, at, &instr->operands[1], bits),
                     *b = operand_value(s, at, &instr->operands[2], shifts ? 32 : bits);
    struct ptx_value *v = value_op(s, op, bits, a, b);
    v->is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    return v;
}

static struct ptx_value *unary(struct ptx_slices *s, struct site at, enum ptx_value_op op)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    return value_op(s, op, bits, operand_value(s, at, &instr->operands[1], bits), NULL);
}

static struct ptx_value *product(struct ptx_slices *s, struct site at)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned from = isa_type_bits(type), bits = ptx_has(instr, ISA_MOD_WIDE) ? 2 * from : from;
    bool is_signed = isa_type_kind(type) == ISA_KIND_SINT;
    struct ptx_value *arg[2];
    if (bits > 64) return value_other(s, instr, 64);
    for (unsigned i = 0; i < 2; i++)
        arg[i] = value_resize(s, operand_value(s, at, &instr->operands[1 + i], from), bits, is_signed);
    return value_op(s, PTX_DO_MUL, bits, arg[0], arg[1]);
}

static struct ptx_value *product_and_sum(struct ptx_slices *s, struct site at)
{
    struct ptx_value *p = product(s, at);
    const struct ptx_operand *addend = &s->function->instrs[at.before].operands[3];
    return value_op(s, PTX_DO_ADD, p->bits, p, operand_value(s, at, addend, p->bits));
}

static struct ptx_value *converted(struct ptx_slices *s, struct site at)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    enum isa_type to = ptx_instr_type(instr, 0), from = ptx_instr_type(instr, 1);
    struct ptx_value *v = operand_value(s, at, &instr->operands[1], isa_type_bits(from));
    return value_resize(s, v, isa_type_bits(to), isa_type_kind(from) == ISA_KIND_SINT);
}

static struct ptx_value *selected(struct ptx_slices *s, struct site at)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    unsigned bits = isa_type_bits(ptx_instr_type(instr, 0));
    struct ptx_value *v = value_op(s, PTX_DO_SELECT, bits, operand_value(s, at, &instr->operands[3], 1),
                                   operand_value(s, at, &instr->operands[1], bits));
    v->arg[2] = operand_value(s, at, &instr->operands[2], bits);
    return v;
}

static struct ptx_value *compared(struct ptx_slices *s, struct site at)
{
    static const struct {
        enum isa_mod mod;
        enum ptx_value_op op;
    } WAYS[] = {{ISA_MOD_EQ, PTX_DO_EQ}, {ISA_MOD_NE, PTX_DO_NE}, {ISA_MOD_LT, PTX_DO_LT},
                {ISA_MOD_LE, PTX_DO_LE}, {ISA_MOD_GT, PTX_DO_GT}, {ISA_MOD_GE, PTX_DO_GE}};
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    enum isa_type type = ptx_instr_type(instr, instr->type_count - 1u);
    for (size_t i = 0; i < SW_COUNT_OF(WAYS) && instr->operand_count == 3; i++) {
        if (ptx_mod_of(instr, ISA_CAT_COMPARE) != WAYS[i].mod || instr->operands[0].kind != ISA_OPD_REG)
            continue;
        unsigned bits = isa_type_bits(type);
        struct ptx_value *v = value_op(s, WAYS[i].op, 1, operand_value(s, at, &instr->operands[1], bits),
                                       operand_value(s, at, &instr->operands[2], bits));
        v->is_signed = isa_type_kind(type) == ISA_KIND_SINT;
        return v;
    }
    return value_other(s, instr, 1);
}

/* bfe.u: some bits from the middle. */
static struct ptx_value *extracted(struct ptx_slices *s, struct site at)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    enum isa_type type = ptx_instr_type(instr, 0);
    unsigned bits = isa_type_bits(type);
    const struct ptx_operand *from = &instr->operands[2], *count = &instr->operands[3];
    if (isa_type_kind(type) == ISA_KIND_SINT || from->kind != ISA_OPD_INT || count->kind != ISA_OPD_INT ||
        from->bits >= bits || count->bits >= bits)
        return value_other(s, instr, bits);
    struct ptx_value *v = operand_value(s, at, &instr->operands[1], bits);
    if (from->bits) v = value_op(s, PTX_DO_SHR, bits, v, value_const(s, from->bits, 32));
    return value_op(s, PTX_DO_AND, bits, v,
                    value_const(s, ptx_low_bits(UINT64_MAX, (unsigned)count->bits), bits));
}

static bool is_own_param(const struct ptx_function *f, const struct ptx_var *var)
{
    if (!var || var->space != PTX_SPACE_PARAM) return false;
    return var->index < f->param_count && f->params[var->index] == var;
}

static struct ptx_value *loaded(struct ptx_slices *s, struct site at, uint32_t element, unsigned bits)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    unsigned bytes = isa_type_bits(ptx_instr_type(instr, 0)) / 8;
    struct ptx_operand address = instr->operands[1];
    struct ptx_linear sum;
    address.offset += (int64_t)element * bytes;
    struct ptx_value *from = ptx_value_of(s, at.before, &address, 64);
    ptx_linear_of(NULL, from, &sum);
    bool param = sum.count == 1 && !sum.too_long && sum.terms[0].factor == 1 &&
                 sum.terms[0].value->kind == PTX_VALUE_SYMBOL &&
                 is_own_param(s->function, sum.terms[0].value->var);
    if (param && instr->op == ISA_OP_LD && is_integer(ptx_instr_type(instr, 0))) {
        uint64_t offset = sum.terms[0].value->var->offset + sum.constant;
        if (offset + bytes <= s->function->param_bytes) {
            struct ptx_value *v = value_once(s, key(KEY_PARAM, offset, bytes), PTX_VALUE_PARAM, bytes * 8);
            v->constant = offset;
            return value_resize(s, v, bits, isa_type_kind(ptx_instr_type(instr, 0)) == ISA_KIND_SINT);
        }
    }
    struct ptx_value *v = value_new(s, PTX_VALUE_LOAD, bits);
    v->instr = instr;
    v->arg[0] = from;
    return v;
}

/* Which of several destinations the register is; false: not one alone. */
static bool destination(const struct ptx_instr *instr, uint32_t reg, uint32_t *element)
{
    const struct ptx_operand *to = &instr->operands[0];
    *element = 0;
    if (ptx_instr_dest_count(instr) != 1) return false;
    if (to->kind == ISA_OPD_REG) return to->reg == reg && !to->half && !to->selector;
    for (uint32_t i = 0; to->kind == ISA_OPD_VEC && i < to->count; i++)
        if (to->elements[i].kind == ISA_OPD_REG && to->elements[i].reg == reg) {
            *element = i;
            return true;
        }
    return false;
}

/* What the instruction writes, its guard left out. */
static struct ptx_value *written(struct ptx_slices *s, struct site at, uint32_t reg)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    uint32_t element;
    if (!destination(instr, reg, &element)) return value_other(s, instr, reg_bits(s, reg));
    if (instr->op == ISA_OP_LD || instr->op == ISA_OP_LDU) return loaded(s, at, element, reg_bits(s, reg));
    if (instr->operands[0].kind != ISA_OPD_REG || !is_plain(instr))
        return value_other(s, instr, reg_bits(s, reg));
    switch ((unsigned)instr->op) {
    case ISA_OP_MOV:
    case ISA_OP_CVTA:
        return operand_value(s, at, &instr->operands[1], isa_type_bits(ptx_instr_type(instr, 0)));
    case ISA_OP_CVT: return converted(s, at);
    case ISA_OP_ADD: return binary(s, at, PTX_DO_ADD);
    case ISA_OP_SUB: return binary(s, at, PTX_DO_SUB);
    case ISA_OP_MUL: return product(s, at);
    case ISA_OP_MAD: return product_and_sum(s, at);
    case ISA_OP_SHL: return binary(s, at, PTX_DO_SHL);
    case ISA_OP_SHR: return binary(s, at, PTX_DO_SHR);
    case ISA_OP_AND: return binary(s, at, PTX_DO_AND);
    case ISA_OP_OR: return binary(s, at, PTX_DO_OR);
    case ISA_OP_XOR: return binary(s, at, PTX_DO_XOR);
    case ISA_OP_DIV: return binary(s, at, PTX_DO_DIV);
    case ISA_OP_REM: return binary(s, at, PTX_DO_REM);
    case ISA_OP_MIN: return binary(s, at, PTX_DO_MIN);
    case ISA_OP_MAX: return binary(s, at, PTX_DO_MAX);
    case ISA_OP_NOT: return unary(s, at, PTX_DO_NOT);
    case ISA_OP_NEG: return unary(s, at, PTX_DO_NEG);
    case ISA_OP_SELP: return selected(s, at);
    case ISA_OP_SETP: return compared(s, at);
    case ISA_OP_BFE: return extracted(s, at);
    default: return value_other(s, instr, reg_bits(s, reg));
    }
}

static struct ptx_value *guarded(struct ptx_slices *s, struct site at, uint32_t reg, struct ptx_value *v)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    struct ptx_value *guard = value_before(s, at, instr->guard);
    if (instr->guard_negate) guard = value_op(s, PTX_DO_NOT, 1, guard, NULL);
    struct ptx_value *choice = value_op(s, PTX_DO_SELECT, v->bits, guard, v);
    choice->arg[2] = value_before(s, at, reg);
    return choice;
}

/* An instruction's value, once; at.before is the instruction. */
static struct ptx_value *value_of_instr(struct ptx_slices *s, struct site at, uint32_t reg)
{
    const struct ptx_instr *instr = &s->function->instrs[at.before];
    uint64_t k = key(KEY_INSTR, at.before, reg);
    struct ptx_value *v = map_get_u64(&s->values, k);
    if (v) return v;
    if (at.depth > DEPTH) return value_other(s, instr, reg_bits(s, reg));
    v = written(s, at, reg);
    if (v->bits != reg_bits(s, reg)) v = value_resize(s, v, reg_bits(s, reg), false);
    if (instr->guard != PTX_NO_REG) v = guarded(s, at, reg, v);
    if (!v->instr && v->kind == PTX_VALUE_OP) v->instr = instr;
    struct ptx_value *meanwhile = map_get_u64(&s->values, k); /* asked for by itself, around a loop */
    if (meanwhile) return meanwhile;
    map_set_u64(&s->values, k, v);
    return v;
}

struct ptx_value *ptx_value_of(struct ptx_slices *s, uint32_t i, const struct ptx_operand *operand,
                               unsigned bits)
{
    struct site at = {s->cfg.block_of[i], i, 0};
    if (at.block == PTX_NO_BLOCK) return value_other(s, NULL, bits);
    if (operand->var) return value_symbol(s, operand->var, operand->offset, bits);
    if (operand->reg == PTX_NO_REG) return value_const(s, (uint64_t)operand->offset, bits);
    struct ptx_value *base = value_before(s, at, operand->reg);
    base = value_resize(s, base, bits, false);
    if (!operand->offset) return base;
    return value_op(s, PTX_DO_ADD, bits, base, value_const(s, (uint64_t)operand->offset, bits));
}
