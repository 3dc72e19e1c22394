/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform, affine or varying: how each register differs over the lanes of a warp.
 *
 * Method: optimistic data flow from "not yet known" upwards over all definitions, with a work list of
 * instructions; branches whose predicate turns out not to be uniform divide the warp (ptx_uniform_split.c),
 * which forces registers to varying, which may make more branches divergent, until nothing changes. Values
 * only ever go up a finite order, so the work is bounded by instructions times a small number.
 *
 * Limits: one shape a register for all its definitions; calls that stay calls return varying values. */
#include "ptx_uniform_priv.h"

#include <stdlib.h>
#include <string.h>

struct solver {
    struct ptx_uniform u;
    uint32_t *first_use, *uses; /* instructions that read a register; [reg_count] is the carry */
    uint32_t *queue, queued;
    bool *waiting; /* by instruction */
};

static struct ptx_value_shape join(struct ptx_value_shape a, struct ptx_value_shape b)
{
    if (a.form == PTX_UNSET) return b;
    if (b.form == PTX_UNSET) return a;
    if (a.form != b.form || a.stride != b.stride)
        return (struct ptx_value_shape){.form = PTX_ANY, .max = UINT64_MAX};
    bool known = a.known && b.known && a.constant == b.constant;
    if (!known) a.known = false, a.constant = 0;
    a.wraps |= b.wraps;
    if (b.align < a.align) a.align = b.align;
    if (a.max != b.max) a.max = UINT64_MAX; /* never a slowly growing bound */
    return a;
}

static bool equal(const struct ptx_value_shape *a, const struct ptx_value_shape *b)
{
    return a->form == b->form && a->known == b->known && a->wraps == b->wraps && a->align == b->align &&
           a->stride == b->stride && a->constant == b->constant && a->max == b->max;
}

/* ---- work list ---- */

static void enqueue(struct solver *s, uint32_t instr)
{
    if (s->waiting[instr]) return;
    s->waiting[instr] = true;
    s->queue[s->queued++] = instr;
}

static void raise_value(struct solver *s, uint32_t reg, struct ptx_value_shape value)
{
    struct ptx_value_shape *old = &s->u.values[reg], joined = join(*old, value);
    if (s->u.forced[reg]) joined = (struct ptx_value_shape){.form = PTX_ANY, .max = UINT64_MAX};
    if (equal(old, &joined)) return;
    *old = joined;
    for (uint32_t i = s->first_use[reg]; i < s->first_use[reg + 1]; i++)
        enqueue(s, s->uses[i]);
}

static bool reads_carry(const struct ptx_instr *instr)
{
    return instr->op == ISA_OP_ADDC || instr->op == ISA_OP_SUBC || instr->op == ISA_OP_MADC;
}

/* Packed results differ even when strides are equal; an affine float means nothing. */
static struct ptx_value_shape clip(const struct solver *s, uint32_t reg, unsigned dests,
                                   struct ptx_value_shape value)
{
    const struct ptx_reg *r = &s->u.function->regs[reg];
    unsigned bits = isa_type_bits(r->type);
    if (value.form != PTX_STRIDED) return value;
    bool fits =
        dests == 1 && !r->vector && (bits == 32 || bits == 64) && isa_type_kind(r->type) != ISA_KIND_FLOAT;
    return fits ? value : (struct ptx_value_shape){.form = PTX_ANY, .max = UINT64_MAX};
}

static void evaluate(struct solver *s, uint32_t i)
{
    const struct ptx_instr *instr = &s->u.function->instrs[i];
    uint32_t regs[PTX_INSTR_REGS];
    unsigned count = ptx_instr_defs(instr, regs, PTX_INSTR_REGS);
    struct ptx_value_shape value = ptx_uniform_eval(&s->u, instr);
    for (unsigned r = 0; r < count; r++)
        raise_value(s, regs[r], clip(s, regs[r], count, value));
    if (ptx_has(instr, ISA_MOD_CC)) {
        if (value.form == PTX_STRIDED) value.form = PTX_ANY;
        raise_value(s, s->u.function->reg_count, value);
    }
}

static void run(struct solver *s)
{
    while (s->queued) {
        uint32_t i = s->queue[--s->queued];
        s->waiting[i] = false;
        evaluate(s, i);
    }
}

/* ---- uses ---- */

static void count_or_fill(struct solver *s, uint32_t *cursor)
{
    for (uint32_t i = 0; i < s->u.function->instr_count; i++) {
        const struct ptx_instr *instr = &s->u.function->instrs[i];
        uint32_t regs[PTX_INSTR_REGS];
        unsigned count = ptx_instr_uses(instr, regs, PTX_INSTR_REGS);
        for (unsigned r = 0; r < count + reads_carry(instr); r++) {
            uint32_t reg = r < count ? regs[r] : s->u.function->reg_count;
            if (cursor)
                s->uses[cursor[reg]++] = i;
            else
                s->first_use[reg + 1]++;
        }
    }
}

static void list_uses(struct solver *s)
{
    uint32_t n = s->u.function->reg_count + 1;
    s->first_use = sw_xcalloc(n + 1, sizeof *s->first_use);
    count_or_fill(s, NULL);
    for (uint32_t r = 0; r < n; r++)
        s->first_use[r + 1] += s->first_use[r];
    s->uses = sw_xcalloc(s->first_use[n] + 1u, sizeof *s->uses);
    uint32_t *cursor = sw_xcalloc(n, sizeof *cursor);
    memcpy(cursor, s->first_use, n * sizeof *cursor);
    count_or_fill(s, cursor);
    free(cursor);
}

/* ---- the whole ---- */

static bool is_divergent(const struct solver *s, const struct ptx_block *block)
{
    if (block->succ_count < 2) return false;
    const struct ptx_instr *last = &s->u.function->instrs[block->last - 1];
    if (last->guard != PTX_NO_REG && s->u.values[last->guard].form != PTX_SAME) return true;
    if (last->op != ISA_OP_BRX) return false;
    return ptx_uniform_operand(&s->u, &last->operands[0], ISA_U32).form != PTX_SAME;
}

/* Registers that nothing defines, or only unreachable code, stay UNSET: any value will do, so they are
 * uniform. */
static void solve(struct solver *s, struct ptx_uniformity *out)
{
    const struct ptx_cfg *cfg = s->u.cfg;
    struct ptx_uniform_split *split = NULL;
    for (uint32_t i = s->u.function->instr_count; i-- > 0;)
        if (cfg->block_of[i] != PTX_NO_BLOCK) enqueue(s, i);
    run(s);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < cfg->block_count; b++) {
            if (out->divergent[b] || !is_divergent(s, &cfg->blocks[b])) continue;
            if (!split) split = ptx_uniform_split_new(&s->u, out->partial);
            out->divergent[b] = changed = true;
            ptx_uniform_split_at(split, b);
        }
        for (uint32_t r = 0; changed && r < s->u.function->reg_count; r++)
            if (s->u.forced[r]) raise_value(s, r, s->u.values[r]);
        run(s);
    }
    if (split) ptx_uniform_split_free(split);
}

static struct ptx_shape public_shape(const struct ptx_value_shape *value, enum isa_type type)
{
    struct ptx_shape shape = {.vary = PTX_UNIFORM};
    if (value->form == PTX_ANY) shape.vary = PTX_VARYING;
    if (value->form != PTX_STRIDED) return shape;
    shape.vary = PTX_AFFINE;
    shape.stride = value->stride;
    shape.may_wrap = isa_type_bits(type) == 32
                         ? ptx_uniform_may_wrap(value, ISA_S32) || ptx_uniform_may_wrap(value, ISA_U32)
                         : value->wraps;
    return shape;
}

/* A carry written while some lanes wait belongs to no register that liveness knows. */
static void force_carry(struct solver *s, const struct ptx_uniformity *out)
{
    uint32_t carry = s->u.function->reg_count;
    for (uint32_t b = 0; b < s->u.cfg->block_count && !s->u.forced[carry]; b++)
        for (uint32_t i = s->u.cfg->blocks[b].first; out->partial[b] && i < s->u.cfg->blocks[b].last; i++)
            s->u.forced[carry] |= ptx_has(&s->u.function->instrs[i], ISA_MOD_CC);
}

void ptx_uniformity_build(const struct ptx_cfg *cfg, const struct ptx_launch_facts *facts,
                          struct arena *arena, struct ptx_uniformity *out)
{
    const struct ptx_function *f = cfg->function;
    uint32_t n = f->reg_count + 1, instrs = f->instr_count + 1;
    out->regs = ARENA_ARRAY(arena, struct ptx_shape, n);
    out->divergent = ARENA_ARRAY(arena, bool, cfg->block_count);
    out->partial = ARENA_ARRAY(arena, bool, cfg->block_count);
    struct solver s = {.u = {cfg, f, facts, sw_xcalloc(n, sizeof(struct ptx_value_shape)), sw_xcalloc(n, 1)},
                       .queue = sw_xcalloc(instrs, 4),
                       .waiting = sw_xcalloc(instrs, 1)};
    for (uint32_t r = 0; r < n; r++)
        s.u.values[r].max = UINT64_MAX;
    list_uses(&s);
    solve(&s, out);
    force_carry(&s, out);
    if (s.u.forced[f->reg_count]) {
        raise_value(&s, f->reg_count, s.u.values[f->reg_count]);
        run(&s);
        solve(&s, out);
    }
    for (uint32_t r = 0; r < f->reg_count; r++)
        out->regs[r] = public_shape(&s.u.values[r], f->regs[r].type);
    free(s.u.values);
    free(s.u.forced);
    free(s.first_use);
    free(s.uses);
    free(s.queue);
    free(s.waiting);
}

struct ptx_shape ptx_operand_shape(const struct ptx_uniformity *uniformity, const struct ptx_operand *operand,
                                   const struct ptx_launch_facts *facts)
{
    struct ptx_uniform u = {.facts = facts};
    struct ptx_shape shape = {.vary = PTX_UNIFORM};
    if ((operand->kind == ISA_OPD_REG || operand->kind == ISA_OPD_MEM) && operand->reg != PTX_NO_REG)
        return uniformity->regs[operand->reg];
    if (operand->kind == ISA_OPD_SREG) {
        struct ptx_value_shape value = ptx_uniform_operand(&u, operand, ISA_U32);
        return public_shape(&value, ISA_U32);
    }
    for (uint32_t i = 0; i < operand->count; i++)
        if (ptx_operand_shape(uniformity, &operand->elements[i], facts).vary != PTX_UNIFORM)
            shape.vary = PTX_VARYING;
    return shape;
}
