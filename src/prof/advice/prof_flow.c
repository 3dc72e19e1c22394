/* SPDX-License-Identifier: Apache-2.0 */
/* What values depend on: thread indices, loaded data, constants; and how far apart neighbouring threads'
 * values are.
 *
 * Method: each register has one value for all places that write it (compilers write PTX in nearly
 * single-assignment form), found by going over the instructions until nothing changes: from unseen over
 * linear in threadIdx.x to anything, so it ends. Blocks' dimensions are those of the launch.
 *
 * Limits: values that pass through memory are data; lanes are taken to lie along x, so that a row shorter
 * than a warp has its own step between rows; `tid & mask` and `tid >> n` are taken to be the lane and the
 * warp. */
#include "prof_flow_priv.h"

#include <stdlib.h>

enum { MOST_PASSES = 64, LANE_BITS = 5 };

struct reader {
    struct prof_flow *flow;
    const uint32_t *block;
};

static void read_step(const struct event_instr *instr, struct prof_step *step)
{
    uint32_t guard = event_guard(instr), written = 0;
    step->guard = guard == EVENT_NO_REG ? -1 : (int)guard;
    step->base = -1;
    for (; written < PROF_WRITTEN && written < instr->def_count; written++)
        step->written[written] = (int)instr->regs[written];
    for (; written < PROF_WRITTEN; written++)
        step->written[written] = -1;
    for (uint32_t n = 0; n < instr->operand_count && step->base < 0; n++) {
        const struct event_operand *operand = &instr->operands[n];
        if (operand->kind != ISA_OPD_MEM) continue;
        bool based = operand->reg != EVENT_NO_REG;
        step->base = based ? (int)operand->reg : -1;
        step->offset = based || operand->name ? (int64_t)operand->bits : 0;
    }
}

/* ---- values */

static struct prof_value uniform(uint32_t depends)
{
    return (struct prof_value){.depends = depends, .kind = PROF_LINEAR};
}

static struct prof_value flow_number(int64_t value)
{
    return (struct prof_value){.kind = PROF_LINEAR, .constant = true, .number = value};
}

static struct prof_value anything(uint32_t depends)
{
    return (struct prof_value){.depends = depends, .kind = PROF_ANY};
}

static struct prof_value special_value(const struct reader *r, enum isa_sreg sreg)
{
    struct prof_value value = uniform(0);
    switch ((unsigned)isa_sreg_kind(sreg)) {
    case ISA_READS_TID:
        value.depends = PROF_ON_X << (sreg - ISA_SREG_TID_X);
        value.step = sreg == ISA_SREG_TID_X;
        break;
    case ISA_READS_LANE:
        value.depends = PROF_ON_X;
        value.step = 1;
        break;
    case ISA_READS_NTID: return flow_number(r->block[sreg - ISA_SREG_NTID_X]);
    case ISA_READS_LANEMASK:
    case ISA_READS_CLOCK: return anything(PROF_ON_X);
    default: break;
    }
    return value;
}

static struct prof_value flow_value_of(const struct reader *r, const struct event_operand *o)
{
    if (o->kind == ISA_OPD_SREG) return special_value(r, (enum isa_sreg)o->sreg);
    if (o->kind == ISA_OPD_INT) return flow_number((int64_t)o->bits);
    if (o->kind == ISA_OPD_FLOAT) return flow_number(0);
    bool reads = o->kind == ISA_OPD_REG || o->kind == ISA_OPD_PAIR || o->kind == ISA_OPD_MEM;
    return reads && o->reg != EVENT_NO_REG ? r->flow->values[o->reg] : uniform(0);
}

static struct prof_value sum(struct prof_value a, struct prof_value b, int sign)
{
    uint32_t depends = a.depends | b.depends;
    if (a.kind == PROF_ANY || b.kind == PROF_ANY) return anything(depends);
    if (a.kind == PROF_UNSEEN || b.kind == PROF_UNSEEN) return (struct prof_value){.depends = depends};
    struct prof_value out = uniform(depends);
    out.step = (int64_t)((uint64_t)a.step + (uint64_t)(sign * b.step));
    out.constant = a.constant && b.constant;
    out.number = out.constant ? (int64_t)((uint64_t)a.number + (uint64_t)(sign * b.number)) : 0;
    return out;
}

static struct prof_value flow_product(struct prof_value a, struct prof_value b)
{
    uint32_t depends = a.depends | b.depends;
    if (a.kind == PROF_UNSEEN || b.kind == PROF_UNSEEN) return (struct prof_value){.depends = depends};
    if (a.constant && b.kind == PROF_LINEAR) {
        struct prof_value swap = a;
        a = b;
        b = swap;
    }
    if (a.kind == PROF_ANY || b.kind == PROF_ANY || (!b.constant && (a.step || b.step)))
        return anything(depends);
    struct prof_value out = uniform(depends);
    out.constant = a.constant && b.constant;
    out.step = b.constant ? (int64_t)((uint64_t)a.step * (uint64_t)b.number) : 0;
    out.number = out.constant ? (int64_t)((uint64_t)a.number * (uint64_t)b.number) : 0;
    return out;
}

/* What has no rule: the same for all lanes when its operands are. */
static struct prof_value mixture(const struct reader *r, const struct event_instr *instr)
{
    struct prof_value out = uniform(0);
    for (uint32_t i = 1; i < instr->operand_count; i++) {
        struct prof_value v = flow_value_of(r, &instr->operands[i]);
        out.depends |= v.depends;
        if (v.kind == PROF_UNSEEN && out.kind != PROF_ANY) out.kind = PROF_UNSEEN;
        if (v.kind == PROF_ANY || v.step) out.kind = PROF_ANY;
    }
    return out;
}

static bool is_mask(int64_t number)
{
    return number > 0 && ((number + 1) & number) == 0;
}

/* Bits of the lane's number stay lanes, what is above them is the warp's. */
static struct prof_value bits(const struct reader *r, const struct event_instr *instr)
{
    struct prof_value a = flow_value_of(r, event_operand_at(instr, 1)),
                      b = flow_value_of(r, event_operand_at(instr, 2));
    if (instr->isa.op == ISA_OP_SHL && b.constant && b.number >= 0 && b.number < 63)
        return flow_product(a, flow_number(INT64_C(1) << b.number));
    if (a.kind == PROF_LINEAR && a.step == 1 && b.constant) {
        if (instr->isa.op == ISA_OP_AND && is_mask(b.number) && b.number + 1 >= 1 << LANE_BITS)
            return (a.constant = false, a);
        if (instr->isa.op == ISA_OP_SHR && b.number >= LANE_BITS) return uniform(a.depends);
    }
    if (instr->isa.op == ISA_OP_OR && a.kind == PROF_LINEAR && b.constant &&
        (!a.step || llabs(a.step) > b.number))
        return sum(a, b, 1);
    return mixture(r, instr);
}

static struct prof_value loaded(const struct reader *r, const struct event_instr *instr)
{
    if (instr->space == ISA_SPACE_PARAM)
        return uniform(isa_has_type(&instr->isa, ISA_F64) ? PROF_ON_DOUBLE : 0);
    struct prof_value address =
        instr->operand_count > 1 ? flow_value_of(r, event_operand_at(instr, 1)) : uniform(0);
    uint32_t real = isa_has_type(&instr->isa, ISA_F64) ? PROF_ON_DOUBLE : 0;
    if (address.kind == PROF_UNSEEN) return address;
    if (address.depends & PROF_ON_THREAD || instr->cls == ISA_CLASS_ATOMIC)
        return anything(PROF_ON_DATA | real);
    return uniform(PROF_ON_LOADED | real);
}

static bool converts(const struct event_instr *instr, enum isa_type to, enum isa_type from)
{
    return isa_type_at(&instr->isa, 0) == to && isa_type_at(&instr->isa, 1) == from;
}

static struct prof_value converted(const struct reader *r, const struct event_instr *instr)
{
    struct prof_value v = flow_value_of(r, event_operand_at(instr, 1));
    if (converts(instr, ISA_F64, ISA_F32)) return anything(v.depends | PROF_ON_WIDENED);
    if (converts(instr, ISA_F32, ISA_F64))
        return anything(v.depends & ~(uint32_t)(PROF_ON_WIDENED | PROF_ON_DOUBLE));
    return v;
}

static struct prof_value result_of(const struct reader *r, const struct event_instr *instr)
{
    enum isa_op op = instr->isa.op;
    if (instr->cls == ISA_CLASS_LOAD || instr->cls == ISA_CLASS_ATOMIC || instr->cls == ISA_CLASS_TEXTURE)
        return loaded(r, instr);
    if (instr->cls == ISA_CLASS_WARP) return anything(PROF_ON_DATA);
    if (op == ISA_OP_MOV || op == ISA_OP_CVTA) return flow_value_of(r, event_operand_at(instr, 1));
    if (op == ISA_OP_CVT) return converted(r, instr);
    if (isa_has_type(&instr->isa, ISA_F32) || isa_has_type(&instr->isa, ISA_F64) || op == ISA_OP_SETP)
        return mixture(r, instr);
    if (op == ISA_OP_ADD)
        return sum(flow_value_of(r, event_operand_at(instr, 1)), flow_value_of(r, event_operand_at(instr, 2)),
                   1);
    if (op == ISA_OP_SUB)
        return sum(flow_value_of(r, event_operand_at(instr, 1)), flow_value_of(r, event_operand_at(instr, 2)),
                   -1);
    if (op == ISA_OP_MUL && !event_has(instr, ISA_MOD_HI))
        return flow_product(flow_value_of(r, event_operand_at(instr, 1)),
                            flow_value_of(r, event_operand_at(instr, 2)));
    if (op == ISA_OP_MAD && !event_has(instr, ISA_MOD_HI))
        return sum(flow_product(flow_value_of(r, event_operand_at(instr, 1)),
                                flow_value_of(r, event_operand_at(instr, 2))),
                   flow_value_of(r, event_operand_at(instr, 3)), 1);
    if (op == ISA_OP_SHL || op == ISA_OP_SHR || op == ISA_OP_AND || op == ISA_OP_OR) return bits(r, instr);
    return mixture(r, instr);
}

/* What a register holds when two places write it. */
static struct prof_value joined(struct prof_value a, struct prof_value b)
{
    if (a.kind == PROF_UNSEEN || b.kind == PROF_UNSEEN) {
        struct prof_value seen = a.kind == PROF_UNSEEN ? b : a;
        seen.depends |= a.depends | b.depends;
        return seen;
    }
    uint32_t depends = a.depends | b.depends;
    if (a.kind == PROF_ANY || b.kind == PROF_ANY || a.step != b.step) return anything(depends);
    a.depends = depends;
    a.constant = a.constant && b.constant && a.number == b.number;
    if (!a.constant) a.number = 0;
    return a;
}

static bool flow_same(const struct prof_value *a, const struct prof_value *b)
{
    return a->depends == b->depends && a->kind == b->kind && a->constant == b->constant &&
           a->step == b->step && a->number == b->number;
}

static bool flow_pass(struct reader *r)
{
    bool changed = false;
    const struct event_kernel *kernel = r->flow->kernel;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct prof_step *step = &r->flow->steps[i];
        if (step->written[0] < 0) continue;
        struct prof_value result = result_of(r, &kernel->instrs[i]);
        if (step->guard >= 0) result.depends |= r->flow->values[step->guard].depends;
        for (int w = 0; w < PROF_WRITTEN && step->written[w] >= 0; w++) {
            struct prof_value *value = &r->flow->values[step->written[w]];
            struct prof_value now = joined(*value, result);
            changed |= !flow_same(value, &now);
            *value = now;
        }
    }
    return changed;
}

/* Of the first operand in memory; a place with a name is the same for all. */
static struct prof_value address_of(const struct prof_flow *flow, uint32_t i)
{
    const struct event_instr *instr = &flow->kernel->instrs[i];
    if (flow->steps[i].base >= 0) return flow->values[flow->steps[i].base];
    for (uint32_t n = 0; n < instr->operand_count; n++)
        if (instr->operands[n].kind == ISA_OPD_MEM) return uniform(0);
    return anything(0);
}

void prof_flow_init(struct prof_flow *flow, const struct event_kernel *kernel, const uint32_t block[3],
                    struct arena *arena)
{
    struct reader r = {.flow = flow, .block = block};
    *flow = (struct prof_flow){.kernel = kernel};
    flow->steps = ARENA_ARRAY(arena, struct prof_step, kernel->instr_count + 1);
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        read_step(&kernel->instrs[i], &flow->steps[i]);
    flow->values = ARENA_ARRAY(arena, struct prof_value, kernel->reg_count + 1);
    flow->writer = ARENA_ARRAY(arena, int, kernel->reg_count + 1);
    for (uint32_t i = 0; i < kernel->reg_count; i++)
        flow->writer[i] = -1;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        for (int w = 0; w < PROF_WRITTEN && flow->steps[i].written[w] >= 0; w++) {
            int *writer = &flow->writer[flow->steps[i].written[w]];
            *writer = *writer == -1 ? (int)i : -2;
        }
    for (int n = 0; n < MOST_PASSES && flow_pass(&r); n++)
        continue;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        flow->steps[i].address = address_of(flow, i);
}

const struct event_instr *prof_flow_writer(const struct prof_flow *flow, const struct event_operand *operand)
{
    if (operand->kind != ISA_OPD_REG || flow->writer[operand->reg] < 0) return NULL;
    return &flow->kernel->instrs[flow->writer[operand->reg]];
}
