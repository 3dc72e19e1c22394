/* SPDX-License-Identifier: Apache-2.0 */
/* What values of a slice were for one thread. Constants, parameters and indices are known, and so is what
 * follows from them alone. Limits: values from memory, of loops and of instructions that are not followed. */
#include "ptx_slice_priv.h"

void ptx_slices_ask(struct ptx_slices *s, const struct ptx_thread *thread)
{
    s->thread = thread;
    s->asked++;
    s->solved = NULL;
}

static uint64_t special(const struct ptx_thread *t, enum isa_sreg sreg)
{
    unsigned d;
    switch ((unsigned)isa_sreg_kind(sreg)) {
    case ISA_READS_TID: d = (unsigned)sreg - ISA_SREG_TID_X; return t->thread_index[d];
    case ISA_READS_NTID: d = (unsigned)sreg - ISA_SREG_NTID_X; return t->block[d];
    case ISA_READS_CTAID: d = (unsigned)sreg - ISA_SREG_CTAID_X; return t->block_index[d];
    case ISA_READS_NCTAID: d = (unsigned)sreg - ISA_SREG_NCTAID_X; return t->grid[d];
    default: break;
    }
    uint64_t plane = t->thread_index[1] + (uint64_t)t->block[1] * t->thread_index[2];
    return (t->thread_index[0] + t->block[0] * plane) % SW_WARP_LANES;
}

static uint64_t param(const struct ptx_slices *s, const struct ptx_value *v)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < v->bits / 8u; i++)
        value |= (uint64_t)s->thread->params[v->constant + i] << (8 * i);
    return value;
}

static bool divide(const struct ptx_value *v, uint64_t a, uint64_t b, uint64_t *out)
{
    int64_t x = ptx_signed(a, v->bits), y = ptx_signed(b, v->bits);
    bool quotient = v->op == PTX_DO_DIV;
    if (!b || (v->is_signed && y == -1)) return false;
    if (v->is_signed)
        *out = (uint64_t)(quotient ? x / y : x % y);
    else
        *out = quotient ? a / b : a % b;
    return true;
}

static bool is_less(const struct ptx_value *v, uint64_t a, uint64_t b)
{
    unsigned bits = v->arg[0]->bits;
    return v->is_signed ? ptx_signed(a, bits) < ptx_signed(b, bits) : a < b;
}

static uint64_t shift(const struct ptx_value *v, uint64_t a, uint64_t by)
{
    uint64_t most = v->bits - 1u;
    if (v->op == PTX_DO_SHL) return by > most ? 0 : a << by;
    if (v->is_signed) return (uint64_t)(ptx_signed(a, v->bits) >> (by > most ? most : by));
    return by > most ? 0 : a >> by;
}

static bool operate(const struct ptx_value *v, uint64_t a, uint64_t b, uint64_t *out)
{
    switch (v->op) {
    case PTX_DO_ADD: *out = a + b; return true;
    case PTX_DO_SUB: *out = a - b; return true;
    case PTX_DO_MUL: *out = a * b; return true;
    case PTX_DO_SHL:
    case PTX_DO_SHR: *out = shift(v, a, b); return true;
    case PTX_DO_AND: *out = a & b; return true;
    case PTX_DO_OR: *out = a | b; return true;
    case PTX_DO_XOR: *out = a ^ b; return true;
    case PTX_DO_NOT: *out = ~a; return true;
    case PTX_DO_NEG: *out = -a; return true;
    case PTX_DO_DIV:
    case PTX_DO_REM: return divide(v, a, b, out);
    case PTX_DO_MIN: *out = is_less(v, a, b) ? a : b; return true;
    case PTX_DO_MAX: *out = is_less(v, a, b) ? b : a; return true;
    case PTX_DO_EXTEND: *out = v->is_signed ? (uint64_t)ptx_signed(a, v->arg[0]->bits) : a; return true;
    case PTX_DO_TRUNCATE: *out = a; return true;
    case PTX_DO_EQ: *out = a == b; return true;
    case PTX_DO_NE: *out = a != b; return true;
    case PTX_DO_LT: *out = is_less(v, a, b); return true;
    case PTX_DO_LE: *out = !is_less(v, b, a); return true;
    case PTX_DO_GT: *out = is_less(v, b, a); return true;
    case PTX_DO_GE: *out = !is_less(v, a, b); return true;
    case PTX_DO_SELECT: break;
    }
    return false;
}

static bool operation(struct ptx_slices *s, struct ptx_value *v, uint64_t *out)
{
    uint64_t a = 0, b = 0;
    if (!ptx_value_known(s, v->arg[0], &a)) return false;
    if (v->op == PTX_DO_SELECT) return ptx_value_known(s, v->arg[a & 1 ? 1 : 2], out);
    if (v->arg[1] && !ptx_value_known(s, v->arg[1], &b)) return false;
    return operate(v, a, b, out);
}

static bool find(struct ptx_slices *s, struct ptx_value *v, uint64_t *out)
{
    if (v == s->solved) {
        *out = s->solved_value;
        return true;
    }
    switch ((unsigned)v->kind) {
    case PTX_VALUE_CONST: *out = v->constant; return true;
    case PTX_VALUE_SPECIAL: *out = special(s->thread, v->sreg); return true;
    case PTX_VALUE_PARAM: *out = param(s, v); return true;
    case PTX_VALUE_SYMBOL:
        return s->thread->address_of && s->thread->address_of(s->thread->user, v->var, out);
    case PTX_VALUE_OP: return operation(s, v, out);
    default: return false;
    }
}

bool ptx_value_known(struct ptx_slices *s, struct ptx_value *v, uint64_t *out)
{
    if (v->asked != s->asked) {
        uint64_t value = 0;
        bool known = find(s, v, &value);
        v->asked = s->asked;
        v->known = known;
        v->value = ptx_low_bits(value, v->bits);
    }
    if (v->known) *out = v->value;
    return v->known;
}

struct ptx_value *ptx_value_plain(struct ptx_slices *s, struct ptx_value *v)
{
    uint64_t choice;
    while (v->kind == PTX_VALUE_OP && v->op == PTX_DO_SELECT && ptx_value_known(s, v->arg[0], &choice))
        v = v->arg[choice & 1 ? 1 : 2];
    return v;
}

/* ---- the part that is not known */

/* false: there are several. */
static bool note_unknown(struct ptx_slices *s, struct ptx_value *v, struct ptx_value **found)
{
    uint64_t value;
    v = ptx_value_plain(s, v);
    if (v->visited == s->visit || ptx_value_known(s, v, &value)) return true;
    v->visited = s->visit;
    if (v->kind != PTX_VALUE_OP || v->op == PTX_DO_SELECT) {
        if (*found && *found != v) return false;
        *found = v;
        return true;
    }
    for (unsigned i = 0; i < 2; i++)
        if (v->arg[i] && !note_unknown(s, v->arg[i], found)) return false;
    return true;
}

struct ptx_value *ptx_value_unknown(struct ptx_slices *s, struct ptx_value *v)
{
    struct ptx_value *found = NULL;
    s->visit++;
    return note_unknown(s, v, &found) ? found : NULL;
}
