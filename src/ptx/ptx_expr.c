/* SPDX-License-Identifier: Apache-2.0 */
/* Constant expressions, PTX ISA 4.5.4-4.5.6: C's operators by precedence climbing on 64-bit integers, signed
 * unless an operand is unsigned; floats take only a sign and + - * /. Division by zero is an error; shifts by
 * 64 and more give 0. */
#include "ptx_priv.h"

#include <string.h>

static enum sw_status parse_binary(struct ptx_parser *p, int lowest, struct ptx_value *out);

static enum sw_status enter_nesting(struct ptx_parser *p)
{
    if (++p->nesting > PTX_MAX_NESTING)
        return ptx_wrong_at(p, &p->token, "an expression nests deeper than %d", PTX_MAX_NESTING);
    return SW_OK;
}

bool ptx_expr_begins(const struct ptx_parser *p)
{
    enum ptx_token_kind kind = p->token.kind;
    return kind == PTX_TOK_INT || kind == PTX_TOK_FLOAT || ptx_at(p, '-') || ptx_at(p, '+') ||
           ptx_at(p, '~') || ptx_at(p, '(') || (kind == PTX_TOK_IDENT && ptx_token_is(&p->token, "WARP_SZ"));
}

static double as_double(struct ptx_value value)
{
    double d;
    float f;
    uint32_t low = (uint32_t)value.bits;
    if (!value.is_float) return value.is_unsigned ? (double)value.bits : (double)(int64_t)value.bits;
    if (value.is_f32) return memcpy(&f, &low, sizeof f), f;
    return memcpy(&d, &value.bits, sizeof d), d;
}

static struct ptx_value from_double(double d)
{
    struct ptx_value value = {.is_float = true};
    memcpy(&value.bits, &d, sizeof d);
    return value;
}

/* (.s64) and (.u64) casts, or a parenthesised expression; '(' was consumed. */
static enum sw_status parse_paren(struct ptx_parser *p, struct ptx_value *out)
{
    bool to_signed = ptx_accept_dot(p, "s64"), to_unsigned = !to_signed && ptx_accept_dot(p, "u64");
    if (to_signed || to_unsigned) {
        SW_TRY(ptx_want(p, ')', "')' after a cast"));
        SW_TRY(parse_binary(p, 100, out)); /* 100: a unary operand only */
        if (out->is_float) return ptx_wrong_at(p, &p->token, "a cast of a floating point constant");
        out->is_unsigned = to_unsigned;
        return SW_OK;
    }
    SW_TRY(ptx_parse_expr(p, out));
    return ptx_want(p, ')', "')' to close an expression");
}

static enum sw_status negate(struct ptx_value *out)
{
    if (out->is_float)
        out->bits ^= out->is_f32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    else
        out->bits = 0 - out->bits;
    return SW_OK;
}

static enum sw_status parse_unary_inner(struct ptx_parser *p, struct ptx_value *out)
{
    struct ptx_token at = p->token;
    if (ptx_accept(p, '(')) return parse_paren(p, out);
    if (ptx_accept(p, '+')) return parse_binary(p, 100, out);
    if (ptx_accept(p, '-')) {
        SW_TRY(parse_binary(p, 100, out));
        return negate(out);
    }
    if (ptx_accept(p, '~') || ptx_accept(p, '!')) {
        SW_TRY(parse_binary(p, 100, out));
        if (out->is_float) return ptx_wrong_at(p, &at, "a bitwise operator on a floating point constant");
        out->bits = at.punct == '~' ? ~out->bits : !out->bits;
        return SW_OK;
    }
    if (at.kind == PTX_TOK_INT || at.kind == PTX_TOK_FLOAT) {
        /* above 2^63 - 1 a literal is unsigned, as in C */
        *out =
            (struct ptx_value){at.kind == PTX_TOK_FLOAT, at.is_f32, at.is_unsigned || at.bits >> 63, at.bits};
    } else if (at.kind == PTX_TOK_IDENT && ptx_token_is(&at, "WARP_SZ")) {
        *out = (struct ptx_value){.bits = SW_WARP_LANES};
    } else {
        return ptx_expected(p, "a constant");
    }
    ptx_next(p);
    return SW_OK;
}

static enum sw_status parse_unary(struct ptx_parser *p, struct ptx_value *out)
{
    SW_TRY(enter_nesting(p));
    SW_TRY(parse_unary_inner(p, out));
    p->nesting--;
    return SW_OK;
}

static int precedence(int punct)
{
    switch (punct) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case PTX_PUNCT_SHL:
    case PTX_PUNCT_SHR: return 8;
    case '<':
    case '>':
    case PTX_PUNCT_LE:
    case PTX_PUNCT_GE: return 7;
    case PTX_PUNCT_EQ:
    case PTX_PUNCT_NE: return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case PTX_PUNCT_AND: return 2;
    case PTX_PUNCT_OR: return 1;
    default: return -1;
    }
}

static uint64_t divide(int op, uint64_t a, uint64_t b, bool is_unsigned)
{
    if (is_unsigned) return op == '/' ? a / b : a % b;
    if (b == UINT64_MAX) return op == '/' ? 0 - a : 0; /* INT64_MIN / -1 wraps */
    return op == '/' ? (uint64_t)((int64_t)a / (int64_t)b) : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t expr_compare(int op, uint64_t a, uint64_t b, bool is_unsigned)
{
    bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    switch (op) {
    case '<': return less;
    case '>': return !less && a != b;
    case PTX_PUNCT_LE: return less || a == b;
    default: return !less;
    }
}

static uint64_t integer_op(int op, uint64_t a, uint64_t b, bool is_unsigned)
{
    switch (op) {
    case '*': return a * b;
    case '/':
    case '%': return divide(op, a, b, is_unsigned);
    case '+': return a + b;
    case '-': return a - b;
    case PTX_PUNCT_SHL: return b < 64 ? a << b : 0;
    case PTX_PUNCT_SHR:
        if (is_unsigned) return b < 64 ? a >> b : 0;
        return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
    case PTX_PUNCT_EQ: return a == b;
    case PTX_PUNCT_NE: return a != b;
    case '&': return a & b;
    case '^': return a ^ b;
    case '|': return a | b;
    case PTX_PUNCT_AND: return a && b;
    case PTX_PUNCT_OR: return a || b;
    default: return expr_compare(op, a, b, is_unsigned);
    }
}

static enum sw_status expr_apply(struct ptx_parser *p, const struct ptx_token *at, struct ptx_value *a,
                                 struct ptx_value b)
{
    int op = at->punct;
    if (a->is_float || b.is_float) {
        double x = as_double(*a), y = as_double(b);
        if (op != '+' && op != '-' && op != '*' && op != '/')
            return ptx_wrong_at(p, at, "an integer operator on a floating point constant");
        *a = from_double(op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y);
        return SW_OK;
    }
    if ((op == '/' || op == '%') && b.bits == 0) return ptx_wrong_at(p, at, "division by zero");
    bool shift = op == PTX_PUNCT_SHL || op == PTX_PUNCT_SHR;
    bool is_unsigned = shift ? a->is_unsigned : a->is_unsigned || b.is_unsigned;
    bool truth = precedence(op) <= 2 || precedence(op) == 6 || precedence(op) == 7;
    a->bits = integer_op(op, a->bits, b.bits, is_unsigned);
    a->is_unsigned = is_unsigned && !truth;
    return SW_OK;
}

static enum sw_status parse_binary(struct ptx_parser *p, int lowest, struct ptx_value *out)
{
    SW_TRY(enter_nesting(p));
    SW_TRY(parse_unary(p, out));
    while (p->token.kind == PTX_TOK_PUNCT) {
        struct ptx_token op = p->token;
        int level = precedence(op.punct);
        if (level < 0 || level < lowest) break;
        ptx_next(p);
        struct ptx_value right;
        SW_TRY(parse_binary(p, level + 1, &right));
        SW_TRY(expr_apply(p, &op, out, right));
    }
    p->nesting--;
    return SW_OK;
}

enum sw_status ptx_parse_expr(struct ptx_parser *p, struct ptx_value *out)
{
    SW_TRY(enter_nesting(p));
    SW_TRY(parse_binary(p, 0, out));
    if (ptx_accept(p, '?')) {
        struct ptx_value yes, no;
        SW_TRY(ptx_parse_expr(p, &yes));
        SW_TRY(ptx_want(p, ':', "':' of a conditional expression"));
        SW_TRY(ptx_parse_expr(p, &no));
        *out = as_double(*out) != 0 ? yes : no;
    }
    p->nesting--;
    return SW_OK;
}

enum sw_status ptx_parse_u32(struct ptx_parser *p, uint32_t *out, const char *what)
{
    if (p->token.kind != PTX_TOK_INT || p->token.bits > UINT32_MAX) return ptx_expected(p, what);
    *out = (uint32_t)p->token.bits;
    ptx_next(p);
    return SW_OK;
}
