/* SPDX-License-Identifier: Apache-2.0 */
/* What values depend on: thread indices, loaded data, constants; and how far apart neighbouring threads'
 * values are.
 *
 * Method: each instruction's text is split into operands; each register has one value for all places that
 * write it (compilers write PTX in nearly single-assignment form), found by going over the instructions until
 * nothing changes: from unseen over linear in threadIdx.x to anything, so it ends. Blocks' dimensions are
 * those of the launch.
 *
 * Limits: values that pass through memory are data; lanes are taken to lie along x, so that a row shorter
 * than a warp has its own step between rows; `tid & mask` and `tid >> n` are taken to be the lane and the
 * warp. */
#include "prof_flow_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 64, LANE_BITS = 5 };

bool prof_op_is(const struct event_instr *instr, const char *op)
{
    size_t length = strlen(op);
    return instr->op && strncmp(instr->op, op, length) == 0 &&
           (instr->op[length] == '.' || !instr->op[length]);
}

bool prof_op_has(const struct event_instr *instr, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = instr->op ? strstr(instr->op, part) : NULL; at; at = strstr(at + 1, part))
        if (at[length] == '.' || !at[length]) return true;
    return false;
}

/* ---- text to operands */

struct reader {
    struct prof_flow *flow;
    struct arena *arena;
    struct map regs; /* name -> number + 1 */
    const uint32_t *block;
};

static bool is_special(const char *name)
{
    static const char *const NAMES[] = {"%tid",
                                        "%ntid",
                                        "%ctaid",
                                        "%nctaid",
                                        "%laneid",
                                        "%warpid",
                                        "%smid",
                                        "%clock",
                                        "%lanemask",
                                        "%globaltimer",
                                        "%gridid",
                                        "%nwarpid",
                                        "%nsmid",
                                        "%dynamic_smem_size",
                                        "%total_smem_size",
                                        "%envreg",
                                        "%pm",
                                        "%cluster"};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        if (sw_starts_with(name, NAMES[i])) return true;
    return false;
}

static int reg_of(struct reader *r, const char *name, size_t length)
{
    uintptr_t known = (uintptr_t)map_get_n(&r->regs, name, length);
    if (known) return (int)known - 1;
    char *copy = arena_strndup(r->arena, name, length);
    map_set(&r->regs, copy, (void *)(uintptr_t)++r->flow->reg_count);
    return (int)r->flow->reg_count - 1;
}

static size_t word_length(const char *text)
{
    return strcspn(text, " ,;{}[]()+|");
}

static void read_memory(struct reader *r, const char *text, struct prof_operand *out)
{
    const char *inside = text + 1 + strspn(text + 1, " ");
    size_t length = word_length(inside);
    out->kind = PROF_OPD_MEMORY;
    out->reg = *inside == '%' ? reg_of(r, inside, length) : -1;
    const char *rest = inside + length + strspn(inside + length, " ");
    if (*rest == '+') out->number = strtoll(rest + 1, NULL, 0);
    if (*rest == '+' && rest[1 + strspn(rest + 1, " ")] == '%' && out->reg < 0) {
        const char *name = rest + 1 + strspn(rest + 1, " ");
        out->reg = reg_of(r, name, word_length(name)); /* [array+%r1] */
    }
}

static void read_operand(struct reader *r, const char *text, size_t length, struct prof_operand *out)
{
    *out = (struct prof_operand){.reg = -1};
    if (!length) return;
    out->text = arena_strndup(r->arena, text, length);
    text = out->text + (*out->text == '-' || *out->text == '!');
    if (*text == '[') {
        read_memory(r, text, out);
    } else if (*text == '%' && is_special(text)) {
        out->kind = PROF_OPD_SPECIAL;
    } else if (*text == '%') {
        out->kind = PROF_OPD_REG;
        out->reg = reg_of(r, text, word_length(text));
    } else if (isdigit((unsigned char)*text)) {
        out->kind = PROF_OPD_NUMBER;
        bool real = text[0] == '0' && strchr("fFdD", text[1]) && text[1];
        out->number = real ? 0 : (int64_t)strtoull(text, NULL, 0) * (*out->text == '-' ? -1 : 1);
    } else {
        out->kind = PROF_OPD_NAME;
    }
}

/* Registers of "{%f1, %f2}", or of one register, or "%p1|%p2". */
static void read_written(struct reader *r, const char *text, int written[4])
{
    for (int i = 0; i < 4; i++)
        written[i] = -1;
    for (int n = 0; text && n < 4 && (text = strchr(text, '%')); text += word_length(text))
        if (!is_special(text)) written[n++] = reg_of(r, text, word_length(text));
}

static bool writes_nothing(const struct event_instr *i)
{
    return i->cls == EVENT_STORE || i->cls == EVENT_BRANCH || i->cls == EVENT_EXIT || i->cls == EVENT_FENCE ||
           (i->cls == EVENT_BARRIER && !prof_op_has(i, ".red")) || (i->cls == EVENT_ATOMIC && !i->returns);
}

static const char *skip_guard(struct reader *r, const char *text, struct prof_step *step)
{
    step->guard = -1;
    if (*text != '@') return text;
    const char *name = text + 1 + (text[1] == '!');
    step->guard = reg_of(r, name, word_length(name));
    return text + strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
}

static void read_step(struct reader *r, const struct event_instr *instr, struct prof_step *step)
{
    const char *at = skip_guard(r, instr->text ? instr->text : "", step);
    step->base = -1;
    for (int i = 0; i < 4; i++)
        step->written[i] = -1;
    at += strcspn(at, " ;");
    while (*at && *at != ';' && step->count < PROF_OPERANDS) {
        at += strspn(at, " \t,");
        size_t length = 0;
        for (int depth = 0; at[length] && at[length] != ';' && (depth || at[length] != ','); length++)
            depth += (strchr("{[(", at[length]) != NULL) - (strchr("}])", at[length]) != NULL);
        struct prof_operand *operand = &step->operand[step->count];
        read_operand(r, at, length, operand);
        if (step->count == 0 && !writes_nothing(instr) && *at != '[')
            read_written(r, operand->text, step->written);
        if (operand->kind == PROF_OPD_MEMORY && step->base < 0) {
            step->base = operand->reg;
            step->offset = operand->number;
        }
        step->count += length != 0;
        at += length;
    }
}

/* ---- values */

static struct prof_value uniform(uint32_t depends)
{
    return (struct prof_value){.depends = depends, .kind = PROF_LINEAR};
}

static struct prof_value number(int64_t value)
{
    return (struct prof_value){.kind = PROF_LINEAR, .constant = true, .number = value};
}

static struct prof_value anything(uint32_t depends)
{
    return (struct prof_value){.depends = depends, .kind = PROF_ANY};
}

static struct prof_value special_value(const struct reader *r, const char *name)
{
    struct prof_value value = uniform(0);
    const char *dot = strrchr(name, '.');
    uint32_t axis = dot && dot[1] >= 'x' && dot[1] <= 'z' ? (uint32_t)(dot[1] - 'x') : 0;
    if (sw_starts_with(name, "%tid")) {
        value.depends = PROF_ON_X << axis;
        value.step = axis == 0;
    } else if (sw_starts_with(name, "%laneid")) {
        value.depends = PROF_ON_X;
        value.step = 1;
    } else if (sw_starts_with(name, "%ntid")) {
        value = number(r->block[axis]);
    } else if (sw_starts_with(name, "%lanemask") || sw_starts_with(name, "%clock")) {
        value = anything(PROF_ON_X);
    }
    return value;
}

static struct prof_value value_of(const struct reader *r, const struct prof_operand *o)
{
    if (o->kind == PROF_OPD_SPECIAL) return special_value(r, o->text);
    if (o->kind == PROF_OPD_NUMBER) return number(o->number);
    if (o->kind == PROF_OPD_REG) return r->flow->values[o->reg];
    if (o->kind == PROF_OPD_MEMORY && o->reg >= 0) return r->flow->values[o->reg];
    return uniform(0);
}

struct prof_value prof_flow_value(const struct prof_flow *flow, const struct prof_operand *operand)
{
    static const uint32_t NO_BLOCK[3] = {1, 1, 1};
    struct reader r = {.flow = (struct prof_flow *)flow, .block = NO_BLOCK};
    return value_of(&r, operand);
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

static struct prof_value product(struct prof_value a, struct prof_value b)
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
static struct prof_value mixture(const struct reader *r, const struct prof_step *step)
{
    struct prof_value out = uniform(0);
    for (uint32_t i = 1; i < step->count; i++) {
        struct prof_value v = value_of(r, &step->operand[i]);
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
static struct prof_value bits(const struct reader *r, const struct event_instr *instr,
                              const struct prof_step *step)
{
    struct prof_value a = value_of(r, &step->operand[1]), b = value_of(r, &step->operand[2]);
    if (prof_op_is(instr, "shl") && b.constant && b.number >= 0 && b.number < 63)
        return product(a, number(INT64_C(1) << b.number));
    if (a.kind == PROF_LINEAR && a.step == 1 && b.constant) {
        if (prof_op_is(instr, "and") && is_mask(b.number) && b.number + 1 >= 1 << LANE_BITS)
            return (a.constant = false, a);
        if (prof_op_is(instr, "shr") && b.number >= LANE_BITS) return uniform(a.depends);
    }
    if (prof_op_is(instr, "or") && a.kind == PROF_LINEAR && b.constant &&
        (!a.step || llabs(a.step) > b.number))
        return sum(a, b, 1);
    return mixture(r, step);
}

static struct prof_value loaded(const struct reader *r, const struct event_instr *instr,
                                const struct prof_step *step)
{
    if (instr->space == EVENT_SPACE_PARAM) return uniform(prof_op_has(instr, ".f64") ? PROF_ON_DOUBLE : 0);
    struct prof_value address = step->count > 1 ? value_of(r, &step->operand[1]) : uniform(0);
    uint32_t real = prof_op_has(instr, ".f64") ? PROF_ON_DOUBLE : 0;
    if (address.kind == PROF_UNSEEN) return address;
    if (address.depends & PROF_ON_THREAD || instr->cls == EVENT_ATOMIC) return anything(PROF_ON_DATA | real);
    return uniform(PROF_ON_LOADED | real);
}

static struct prof_value converted(const struct reader *r, const struct event_instr *instr,
                                   const struct prof_step *step)
{
    struct prof_value v = value_of(r, &step->operand[1]);
    if (prof_op_has(instr, ".f64.f32")) return anything(v.depends | PROF_ON_WIDENED);
    if (prof_op_has(instr, ".f32.f64"))
        return anything(v.depends & ~(uint32_t)(PROF_ON_WIDENED | PROF_ON_DOUBLE));
    return v;
}

static struct prof_value result_of(const struct reader *r, const struct event_instr *instr,
                                   const struct prof_step *step)
{
    const struct prof_operand *o = step->operand;
    if (instr->cls == EVENT_LOAD || instr->cls == EVENT_ATOMIC || instr->cls == EVENT_TEXTURE)
        return loaded(r, instr, step);
    if (instr->cls == EVENT_WARP) return anything(PROF_ON_DATA);
    if (prof_op_is(instr, "mov") || prof_op_is(instr, "cvta")) return value_of(r, &o[1]);
    if (prof_op_is(instr, "cvt")) return converted(r, instr, step);
    if (prof_op_has(instr, ".f32") || prof_op_has(instr, ".f64") || prof_op_is(instr, "setp"))
        return mixture(r, step);
    if (prof_op_is(instr, "add")) return sum(value_of(r, &o[1]), value_of(r, &o[2]), 1);
    if (prof_op_is(instr, "sub")) return sum(value_of(r, &o[1]), value_of(r, &o[2]), -1);
    if (prof_op_is(instr, "mul") && !prof_op_has(instr, ".hi"))
        return product(value_of(r, &o[1]), value_of(r, &o[2]));
    if (prof_op_is(instr, "mad") && !prof_op_has(instr, ".hi"))
        return sum(product(value_of(r, &o[1]), value_of(r, &o[2])), value_of(r, &o[3]), 1);
    if (prof_op_is(instr, "shl") || prof_op_is(instr, "shr") || prof_op_is(instr, "and") ||
        prof_op_is(instr, "or"))
        return bits(r, instr, step);
    return mixture(r, step);
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

static bool same(const struct prof_value *a, const struct prof_value *b)
{
    return a->depends == b->depends && a->kind == b->kind && a->constant == b->constant &&
           a->step == b->step && a->number == b->number;
}

static bool pass(struct reader *r)
{
    bool changed = false;
    const struct event_kernel *kernel = r->flow->kernel;
    for (uint32_t i = 0; i < kernel->instr_count; i++) {
        const struct prof_step *step = &r->flow->steps[i];
        if (step->written[0] < 0) continue;
        struct prof_value result = result_of(r, &kernel->instrs[i], step);
        if (step->guard >= 0) result.depends |= r->flow->values[step->guard].depends;
        for (int w = 0; w < 4 && step->written[w] >= 0; w++) {
            struct prof_value *value = &r->flow->values[step->written[w]];
            struct prof_value now = joined(*value, result);
            changed |= !same(value, &now);
            *value = now;
        }
    }
    return changed;
}

/* Of the first operand in memory; a place with a name is the same for all. */
static struct prof_value address_of(const struct prof_flow *flow, const struct prof_step *step)
{
    if (step->base >= 0) return flow->values[step->base];
    for (uint32_t i = 0; i < step->count; i++)
        if (step->operand[i].kind == PROF_OPD_MEMORY) return uniform(0);
    return anything(0);
}

void prof_flow_init(struct prof_flow *flow, const struct event_kernel *kernel, const uint32_t block[3],
                    struct arena *arena)
{
    struct reader r = {.flow = flow, .arena = arena, .block = block};
    *flow = (struct prof_flow){.kernel = kernel};
    flow->steps = ARENA_ARRAY(arena, struct prof_step, kernel->instr_count + 1);
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        read_step(&r, &kernel->instrs[i], &flow->steps[i]);
    flow->values = ARENA_ARRAY(arena, struct prof_value, flow->reg_count + 1);
    flow->writer = ARENA_ARRAY(arena, int, flow->reg_count + 1);
    for (uint32_t i = 0; i < flow->reg_count; i++)
        flow->writer[i] = -1;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        for (int w = 0; w < 4 && flow->steps[i].written[w] >= 0; w++) {
            int *writer = &flow->writer[flow->steps[i].written[w]];
            *writer = *writer == -1 ? (int)i : -2;
        }
    for (int n = 0; n < MOST_PASSES && pass(&r); n++)
        continue;
    for (uint32_t i = 0; i < kernel->instr_count; i++)
        flow->steps[i].address = address_of(flow, &flow->steps[i]);
    map_release(&r.regs);
}

const struct event_instr *prof_flow_writer(const struct prof_flow *flow, const struct prof_operand *operand)
{
    if (operand->kind != PROF_OPD_REG || flow->writer[operand->reg] < 0) return NULL;
    return &flow->kernel->instrs[flow->writer[operand->reg]];
}
