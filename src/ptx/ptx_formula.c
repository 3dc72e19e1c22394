/* SPDX-License-Identifier: Apache-2.0 */
/* The address of an access as a formula. Method: of the sum that an address is, the pointer is set apart, and
 * the rest is an index with the factor that the program scaled it by, or an offset in bytes where several
 * parts have factors that the access's size does not divide:
 *
 *   pointer + 4 * extension(i) + 8     index = i + 2, address = pointer + 4 * index
 *   pointer + 12 * extension(i) + 4    index = i, address = pointer + 12 * index + 4
 *   pointer + pitch * row + 4 * i      offset = pitch * row + 4 * i, address = pointer + offset
 *
 * Extensions and truncations are not written: the numbers show what they do. What the address is by the
 * formula must be what it was; nothing is said otherwise. */
#include "ptx_slice_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NESTED_MOST = 4, /* implementation: operations in operations are named from here on, not written; */
    TEXT_MOST = 240  /* and longer texts are not read */
};
enum order { IN_SUM, IN_PRODUCT, IN_OTHER }; /* operands of what: parentheses stand around weaker ones */

struct writer {
    struct ptx_slices *slices;
    struct ptx_formula *out;
    struct arena *arena;
    struct ptx_value *named[PTX_TERMS_MOST];
    unsigned modulo; /* of the solved value */
    bool numbers, too_long;
};

static void put(struct writer *w, struct str *text, struct ptx_value *v, enum order order, unsigned depth);

/* ---- parts with names */

static uint32_t line_of(const struct ptx_instr *instr)
{
    return instr ? instr->line : 0;
}

static enum ptx_term_kind kind_of(const struct ptx_value *v)
{
    switch ((unsigned)v->kind) {
    case PTX_VALUE_LOAD: return PTX_TERM_LOADED;
    case PTX_VALUE_MERGE: return PTX_TERM_SET;
    case PTX_VALUE_TURNS: return PTX_TERM_TURNS;
    default: return PTX_TERM_COMPUTED;
    }
}

static void term_init(struct writer *w, struct ptx_term *term, struct ptx_value *v)
{
    static const char *const NAMES[] = {[PTX_TERM_LOADED] = "loaded",
                                        [PTX_TERM_SET] = "value",
                                        [PTX_TERM_COMPUTED] = "computed",
                                        [PTX_TERM_TURNS] = "turns"};
    uint64_t value;
    unsigned before = 0;
    bool turns = v->kind == PTX_VALUE_TURNS;
    *term = (struct ptx_term){.kind = kind_of(v), .line = {line_of(v->instr), line_of(v->instr2)}};
    for (uint32_t i = 0; i < w->out->term_count; i++)
        before += w->out->terms[i].kind == term->kind;
    snprintf(term->name, sizeof term->name, before ? "%s%u" : "%s", NAMES[term->kind], before + 1);
    term->known = ptx_value_known(w->slices, v, &value);
    if (term->known) term->value = ptx_signed(value, v->bits);
    if (v == w->slices->solved && w->modulo < v->bits && !turns) {
        term->value = ptx_signed(value, w->modulo);
        term->modulo = (uint8_t)w->modulo;
    }
}

static const char *name_of(struct writer *w, struct ptx_value *v)
{
    for (uint32_t i = 0; i < w->out->term_count; i++)
        if (w->named[i] == v) return w->out->terms[i].name;
    if (w->out->term_count == PTX_TERMS_MOST) {
        w->too_long = true;
        return "";
    }
    struct ptx_term *term = &w->out->terms[w->out->term_count];
    term_init(w, term, v);
    w->named[w->out->term_count++] = v;
    return term->name;
}

/* ---- values without operands */

static void put_number(struct str *text, const struct ptx_value *v, uint64_t value)
{
    enum { SMALL_BITS = 40 }; /* implementation: device addresses begin above */
    if (v->bits == 64 && value >> SMALL_BITS && (int64_t)value > 0)
        str_printf(text, "0x%" PRIx64, value);
    else
        str_printf(text, "%" PRId64, ptx_signed(value, v->bits));
}

static void put_special(struct str *text, enum isa_sreg sreg)
{
    static const char *const NAMES[ISA_READS_COUNT] = {[ISA_READS_TID] = "threadIdx",
                                                       [ISA_READS_NTID] = "blockDim",
                                                       [ISA_READS_CTAID] = "blockIdx",
                                                       [ISA_READS_NCTAID] = "gridDim"};
    const char *name = isa_sreg_name(sreg), *of = NAMES[isa_sreg_kind(sreg)];
    if (of)
        str_printf(text, "%s%s", of, strrchr(name, '.'));
    else
        str_add(text, name);
}

static void put_param(struct writer *w, struct str *text, const struct ptx_value *v)
{
    const struct ptx_function *f = w->slices->function;
    for (uint32_t i = f->param_count; i-- > 0;) {
        const struct ptx_var *var = f->params[i];
        if (v->constant < var->offset) continue;
        str_printf(text, "parameter %u", i + 1);
        if (var->bytes > v->bits / 8u) str_printf(text, " (byte %" PRIu64 ")", v->constant - var->offset);
        return;
    }
}

static void put_leaf(struct writer *w, struct str *text, struct ptx_value *v)
{
    uint64_t value;
    if ((w->numbers || v->kind == PTX_VALUE_CONST) && ptx_value_known(w->slices, v, &value))
        put_number(text, v, value);
    else if (v->kind == PTX_VALUE_SPECIAL)
        put_special(text, v->sreg);
    else if (v->kind == PTX_VALUE_PARAM)
        put_param(w, text, v);
    else if (v->kind == PTX_VALUE_SYMBOL)
        str_add(text, v->var->name);
    else
        str_add(text, name_of(w, v));
}

/* ---- sums */

static void put_sign(struct str *text, bool minus, bool first)
{
    if (first)
        str_add(text, minus ? "-" : "");
    else
        str_add(text, minus ? " - " : " + ");
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static void put_constant(struct str *text, int64_t value, bool first)
{
    if (!value && !first) return;
    put_sign(text, value < 0, first);
    str_printf(text, "%" PRIu64, magnitude(value));
}

static void put_multiple(struct writer *w, struct str *text, const struct ptx_linear *sum, unsigned i,
                         bool first, unsigned depth)
{
    int64_t factor = ptx_signed(sum->terms[i].factor, sum->bits);
    put_sign(text, factor < 0, first);
    if (magnitude(factor) != 1) str_printf(text, "%" PRIu64 " * ", magnitude(factor));
    bool alone = first && factor == 1;
    put(w, text, sum->terms[i].value, magnitude(factor) == 1 && (alone || factor > 0) ? IN_SUM : IN_PRODUCT,
        depth);
}

/* What is added comes before what is taken away. */
static void put_terms(struct writer *w, struct str *text, const struct ptx_linear *sum, unsigned depth)
{
    bool first = true;
    for (int minus = 0; minus < 2; minus++)
        for (unsigned i = 0; i < sum->count; i++) {
            if ((ptx_signed(sum->terms[i].factor, sum->bits) < 0) != minus) continue;
            put_multiple(w, text, sum, i, first, depth);
            first = false;
        }
    put_constant(text, ptx_signed(sum->constant, sum->bits), first);
}

static void put_sum(struct writer *w, struct str *text, struct ptx_value *v, enum order order, unsigned depth)
{
    struct ptx_linear sum;
    ptx_linear_of(w->slices, v, &sum);
    if (sum.too_long) {
        put_leaf(w, text, v);
        return;
    }
    bool several = sum.count + (sum.constant != 0) > 1;
    bool product = !several && sum.count && sum.terms[0].factor != 1;
    bool enclosed = (several && order != IN_SUM) || (product && order == IN_OTHER);
    if (enclosed) str_add_char(text, '(');
    put_terms(w, text, &sum, depth);
    if (enclosed) str_add_char(text, ')');
}

/* ---- other operations */

static const char *sign_of(enum ptx_value_op op)
{
    switch ((unsigned)op) {
    case PTX_DO_MUL: return " * ";
    case PTX_DO_SHL: return " << ";
    case PTX_DO_SHR: return " >> ";
    case PTX_DO_AND: return " & ";
    case PTX_DO_OR: return " | ";
    case PTX_DO_XOR: return " ^ ";
    case PTX_DO_DIV: return " / ";
    case PTX_DO_REM: return " % ";
    default: return NULL;
    }
}

static void put_infix(struct writer *w, struct str *text, struct ptx_value *v, enum order order,
                      unsigned depth)
{
    bool product = v->op == PTX_DO_MUL;
    bool enclosed = product ? order == IN_OTHER : order != IN_SUM || depth > 1;
    if (enclosed) str_add_char(text, '(');
    put(w, text, v->arg[0], product ? IN_PRODUCT : IN_OTHER, depth);
    str_add(text, sign_of(v->op));
    put(w, text, v->arg[1], product ? IN_PRODUCT : IN_OTHER, depth);
    if (enclosed) str_add_char(text, ')');
}

static void put_operation(struct writer *w, struct str *text, struct ptx_value *v, enum order order,
                          unsigned depth)
{
    if (sign_of(v->op)) {
        put_infix(w, text, v, order, depth);
        return;
    }
    switch ((unsigned)v->op) {
    case PTX_DO_NOT:
        str_add_char(text, '~');
        put(w, text, v->arg[0], IN_OTHER, depth);
        return;
    case PTX_DO_MIN:
    case PTX_DO_MAX:
        str_add(text, v->op == PTX_DO_MIN ? "min(" : "max(");
        put(w, text, v->arg[0], IN_SUM, depth);
        str_add(text, ", ");
        put(w, text, v->arg[1], IN_SUM, depth);
        str_add_char(text, ')');
        return;
    default: put_leaf(w, text, v);
    }
}

static void put(struct writer *w, struct str *text, struct ptx_value *v, enum order order, unsigned depth)
{
    if (w->too_long || text->length > TEXT_MOST) {
        w->too_long = true;
        return;
    }
    v = ptx_value_plain(w->slices, v);
    while (v->kind == PTX_VALUE_OP && (v->op == PTX_DO_EXTEND || v->op == PTX_DO_TRUNCATE))
        v = ptx_value_plain(w->slices, v->arg[0]);
    if (v->kind != PTX_VALUE_OP || v == w->slices->solved || depth > NESTED_MOST)
        put_leaf(w, text, v);
    else if (ptx_is_sum(v))
        put_sum(w, text, v, order, depth + 1);
    else
        put_operation(w, text, v, order, depth + 1);
}

static const char *keep(struct writer *w, struct str *text)
{
    const char *kept = arena_strdup(w->arena, str_text(text));
    str_release(text);
    return kept;
}

/* ---- pointer and index */

struct parts {
    int base; /* which of the address's terms is the pointer; -1: none */
    struct ptx_linear index;
    int64_t factor, constant; /* address = base + factor * index + constant */
    bool is_offset;
};

/* How much like a pointer a term is; 0: not at all. */
static int pointer_rank(const struct ptx_multiple *term)
{
    const struct ptx_value *v = term->value;
    if (term->factor != 1) return 0;
    if (v->kind == PTX_VALUE_SYMBOL) return 4;
    if (v->bits != 64) return 0;
    if (v->kind == PTX_VALUE_PARAM) return 3;
    if (v->kind == PTX_VALUE_LOAD) return 2;
    return v->kind == PTX_VALUE_MERGE || v->kind == PTX_VALUE_OTHER ? 1 : 0;
}

static int find_pointer(const struct ptx_linear *sum)
{
    int best = -1, rank = 0;
    for (unsigned i = 0; i < sum->count; i++)
        if (pointer_rank(&sum->terms[i]) > rank) rank = pointer_rank(&sum->terms[best = (int)i]);
    return best;
}

/* Do all parts but the pointer have this factor? */
static bool is_multiple(const struct ptx_linear *sum, int64_t factor)
{
    for (unsigned i = 0; i < sum->count; i++)
        if (ptx_signed(sum->terms[i].factor, sum->bits) % factor) return false;
    return ptx_signed(sum->constant, sum->bits) % factor == 0;
}

static void divide_by(struct ptx_linear *sum, int64_t factor)
{
    for (unsigned i = 0; i < sum->count; i++)
        sum->terms[i].factor = (uint64_t)(ptx_signed(sum->terms[i].factor, sum->bits) / factor);
    sum->constant = (uint64_t)(ptx_signed(sum->constant, sum->bits) / factor);
    sum->bits = 64;
}

static void split(const struct ptx_linear *address, uint32_t bytes, struct parts *out)
{
    *out = (struct parts){.base = find_pointer(address), .index = *address, .factor = 1};
    struct ptx_linear *rest = &out->index;
    rest->count = 0;
    for (unsigned i = 0; i < address->count; i++)
        if ((int)i != out->base) rest->terms[rest->count++] = address->terms[i];
    int64_t own = rest->count == 1 ? ptx_signed(rest->terms[0].factor, rest->bits) : 0;
    if (rest->count == 1 && own != 1) {
        if (!is_multiple(rest, own)) {
            out->constant = ptx_signed(rest->constant, rest->bits);
            rest->constant = 0;
        }
        out->factor = own;
    } else if (bytes && is_multiple(rest, bytes)) {
        out->factor = bytes;
    } else {
        out->is_offset = bytes != 1;
    }
    if (!rest->count) out->factor = 1, out->constant = ptx_signed(rest->constant, rest->bits);
    divide_by(rest, out->factor);
}

static bool index_value(struct ptx_slices *s, const struct ptx_linear *index, int64_t *out)
{
    uint64_t sum = index->constant, value;
    for (unsigned i = 0; i < index->count; i++) {
        struct ptx_value *v = index->terms[i].value;
        if (!ptx_value_known(s, v, &value)) return false;
        sum += index->terms[i].factor * (uint64_t)ptx_signed(value, v->bits);
    }
    *out = (int64_t)sum;
    return true;
}

static void write_index(struct writer *w, const struct ptx_linear *index)
{
    struct str text = {0};
    struct ptx_formula *f = w->out;
    put_terms(w, &text, index, 0);
    f->index = keep(w, &text);
    f->value_known = index_value(w->slices, index, &f->value);
    if (!f->value_known) return;
    w->numbers = true;
    put_terms(w, &text, index, 0);
    w->numbers = false;
    char plain[24];
    snprintf(plain, sizeof plain, "%" PRId64, f->value);
    const char *values = keep(w, &text);
    f->index_values = strcmp(values, plain) == 0 ? NULL : values;
}

static const char *address_text(struct writer *w, const struct ptx_linear *address, const struct parts *p)
{
    struct str text = {0};
    if (p->base >= 0) put(w, &text, address->terms[p->base].value, IN_SUM, 0);
    if (p->index.count) {
        put_sign(&text, p->factor < 0, !text.length);
        if (magnitude(p->factor) != 1) str_printf(&text, "%" PRIu64 " * ", magnitude(p->factor));
        if (w->numbers)
            str_printf(&text, w->out->value < 0 ? "(%" PRId64 ")" : "%" PRId64, w->out->value);
        else
            str_add(&text, p->is_offset ? "offset" : "index");
    }
    put_constant(&text, p->constant, !text.length);
    return keep(w, &text);
}

static bool is_known(struct ptx_slices *s, const struct ptx_linear *sum)
{
    uint64_t value;
    for (unsigned i = 0; i < sum->count; i++)
        if (!ptx_value_known(s, sum->terms[i].value, &value)) return false;
    return true;
}

/* Where what was loaded came from; that may name more. */
static void write_sources(struct writer *w)
{
    for (uint32_t i = 0; i < w->out->term_count; i++) {
        struct str text = {0};
        if (w->out->terms[i].kind != PTX_TERM_LOADED) continue;
        uint32_t before = w->out->term_count;
        put(w, &text, w->named[i]->arg[0], IN_SUM, 0);
        if (!w->too_long) w->out->terms[i].source = keep(w, &text);
        if (w->too_long) w->out->term_count = before;
        w->too_long = false;
        str_release(&text);
    }
}

bool ptx_formula_write(struct ptx_slices *s, struct ptx_value *address, uint32_t bytes, unsigned modulo,
                       struct arena *arena, struct ptx_formula *out)
{
    struct writer w = {.slices = s, .out = out, .arena = arena, .modulo = modulo};
    struct ptx_linear sum;
    struct parts parts;
    *out = (struct ptx_formula){0};
    ptx_linear_of(s, address, &sum);
    if (sum.too_long) return false;
    split(&sum, bytes, &parts);
    out->is_offset = parts.is_offset;
    if (parts.index.count) write_index(&w, &parts.index);
    out->address = address_text(&w, &sum, &parts);
    w.numbers = true;
    if (is_known(s, &sum)) out->address_values = address_text(&w, &sum, &parts);
    w.numbers = false;
    if (w.too_long) return false;
    write_sources(&w);
    return true;
}

/* ---- accesses */

/* Operand that is the address; NULL: it is no such access. */
static const struct ptx_operand *address_operand(const struct ptx_instr *instr, bool writes)
{
    const struct ptx_operand *found = NULL;
    switch ((unsigned)instr->op) {
    case ISA_OP_LD:
    case ISA_OP_LDU:
    case ISA_OP_ST:
    case ISA_OP_ATOM:
    case ISA_OP_RED: break;
    case ISA_OP_CP:
        if (ptx_has(instr, ISA_MOD_BULK)) return NULL;
        break;
    default: return NULL;
    }
    for (unsigned i = 0; i < instr->operand_count; i++) {
        if (instr->operands[i].kind != ISA_OPD_MEM) continue;
        found = &instr->operands[i];
        if (writes) break;
    }
    return found && !found->count ? found : NULL;
}

static bool explain(struct ptx_slices *s, uint32_t i, bool writes, uint32_t bytes, uint64_t address,
                    struct arena *arena, struct ptx_formula *out)
{
    const struct ptx_operand *operand = address_operand(&s->function->instrs[i], writes);
    uint64_t value;
    unsigned modulo = 64;
    if (!operand) return false;
    unsigned bits = operand->reg == PTX_NO_REG ? 64 : isa_type_bits(s->function->regs[operand->reg].type);
    struct ptx_value *v = ptx_value_of(s, i, operand, bits);
    struct ptx_value *unknown = ptx_value_unknown(s, v);
    bool solves = unknown && unknown->kind != PTX_VALUE_SYMBOL;
    if (solves && ptx_value_solve(s, v, address, unknown, &s->solved_value, &modulo)) {
        s->solved = unknown;
        s->asked++;
    }
    if (ptx_value_known(s, v, &value) && value != ptx_low_bits(address, bits)) return false;
    return ptx_formula_write(s, v, bytes, modulo, arena, out);
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool ptx_slices_explain(struct ptx_slices *s, uint32_t line, bool writes, uint32_t bytes, uint64_t address,
                        const struct ptx_thread *thread, struct arena *arena, struct ptx_formula *out)
{
    bool found = false;
    for (uint32_t i = 0; i < s->function->instr_count; i++) {
        struct ptx_formula one;
        if (s->function->instrs[i].line != line) continue;
        ptx_slices_ask(s, thread);
        if (!explain(s, i, writes, bytes, address, arena, &one)) continue;
        /* code that was inlined twice: it is not known which of both it was */
        if (found && !(is_same(out->index, one.index) && is_same(out->address, one.address))) return false;
        *out = one;
        found = true;
    }
    return found;
}
