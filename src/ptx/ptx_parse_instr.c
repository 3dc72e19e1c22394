/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions.
 *
 *   statement := [ @ [!] predicate ] opcode { .word } [ operand { , operand } ] ;
 *   operand   := _ | [!|-] register [ .selector ] [ '|' register ] | special register | constant expression
 *              | name [ + N ] | '[' address { , operand } ']' | '{' operand { , operand } '}' [ '|' register
 * ] | '(' operands ')'                                                         (call only) address   := [
 * register | name | N ] [ + N ]
 *
 * The shape of operands does not depend on the opcode but for call's lists and the labels of branches; what
 * fits an opcode is ptx_verify's business. An opcode or word that is in no table makes the statement
 * ISA_OP_UNKNOWN: kept as text up to its ';'. */
#include "ptx_priv.h"

#include <string.h>

static enum sw_status parse_operand(struct ptx_parser *p, enum isa_op op, struct ptx_operand *out);

static const struct ptx_operand no_operand = {.reg = PTX_NO_REG, .reg2 = PTX_NO_REG};

static int printed(const struct ptx_token *token)
{
    return token->length < 120 ? (int)token->length : 120;
}

/* ---- registers and names ---- */

static enum sw_status undefined(struct ptx_parser *p, const struct ptx_token *token)
{
    return ptx_wrong_at(p, token, "undefined name '%.*s'", printed(token), token->text);
}

/* A register, or _ where it may be left out (*reg == PTX_NO_REG). */
static enum sw_status parse_register(struct ptx_parser *p, uint32_t *reg)
{
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "a register");
    *reg = PTX_NO_REG;
    if (!ptx_token_is(&p->token, "_")) {
        const struct ptx_symbol *symbol = ptx_name_find(p, p->token.text, p->token.length);
        if (p->status != SW_OK) return p->status;
        if (!symbol) return undefined(p, &p->token);
        if (symbol->kind != PTX_SYM_REG) return ptx_expected(p, "a register");
        *reg = symbol->index;
    }
    ptx_next(p);
    return SW_OK;
}

/* .x .y .z .w .r .g .b .a of vectors; .b0-.b3 .h0 .h1 and their SIMD combinations of video operands */
static enum sw_status parse_selector(struct ptx_parser *p, struct ptx_operand *out)
{
    static const char *const parts[] = {"xrb0h0", "ygb1h1", "zbb2--", "wab3--"};
    if (p->token.kind != PTX_TOK_DOT) return SW_OK;
    const char *text = p->token.text;
    uint32_t length = p->token.length;
    for (uint8_t i = 0; i < 4; i++) {
        bool one = length == 1 && (text[0] == parts[i][0] || text[0] == parts[i][1]);
        bool two = length == 2 && (memcmp(text, parts[i] + 2, 2) == 0 || memcmp(text, parts[i] + 4, 2) == 0);
        if (one || two) out->half = (uint8_t)(i + 1);
    }
    bool simd = length >= 2 && length <= 5 && (text[0] == 'b' || text[0] == 'h');
    for (uint32_t i = 1; i < length; i++)
        simd &= text[i] >= '0' && text[i] <= '7';
    if (!out->half && !simd) return ptx_expected(p, "a component such as .x, .b0 or .h1");
    out->selector = ptx_keep(p, &p->token);
    ptx_next(p);
    return SW_OK;
}

/* The rest of a register operand: selector, then |register. */
static enum sw_status finish_register(struct ptx_parser *p, struct ptx_operand *out)
{
    out->kind = ISA_OPD_REG;
    SW_TRY(parse_selector(p, out));
    if (!ptx_accept(p, '|')) return SW_OK;
    out->kind = ISA_OPD_PAIR;
    return parse_register(p, &out->reg2);
}

/* %tid.x : two tokens that stand together */
static enum sw_status parse_special(struct ptx_parser *p, struct ptx_operand *out)
{
    struct ptx_token name = p->token;
    out->kind = ISA_OPD_SREG;
    out->sreg = isa_sreg_find(name.text, name.length);
    const struct ptx_token *next = ptx_peek(p);
    if (!out->sreg && next->kind == PTX_TOK_DOT && next->adjacent) {
        name.length += next->length + 1;
        out->sreg = isa_sreg_find(name.text, name.length);
        if (out->sreg) ptx_next(p);
    }
    if (!out->sreg) return undefined(p, &p->token);
    ptx_next(p);
    return SW_OK;
}

/* name [+ N] */
static enum sw_status finish_address(struct ptx_parser *p, struct ptx_operand *out)
{
    if (!ptx_at(p, '+') && !ptx_at(p, '-')) return SW_OK;
    struct ptx_value value;
    SW_TRY(ptx_parse_expr(p, &value));
    if (value.is_float) return ptx_expected(p, "an integer offset");
    out->offset += (int64_t)value.bits;
    return SW_OK;
}

/* name[N]: element N of an array */
static enum sw_status finish_element(struct ptx_parser *p, struct ptx_operand *out)
{
    if (!ptx_accept(p, '[')) return finish_address(p, out);
    struct ptx_value value;
    SW_TRY(ptx_parse_expr(p, &value));
    if (value.is_float) return ptx_expected(p, "an integer index");
    out->offset = (int64_t)(value.bits * (isa_type_bits(out->var->type) / 8 * out->var->vector));
    return ptx_want(p, ']', "']' after an index");
}

static enum sw_status use_symbol(struct ptx_parser *p, const struct ptx_symbol *symbol,
                                 struct ptx_operand *out)
{
    ptx_next(p);
    switch (symbol->kind) {
    case PTX_SYM_REG: out->reg = symbol->index; return finish_register(p, out);
    case PTX_SYM_VAR:
        out->kind = ISA_OPD_VAR;
        out->var = symbol->var;
        return finish_element(p, out);
    case PTX_SYM_FUNCTION:
        out->kind = ISA_OPD_FUNC;
        out->function = symbol->function;
        return SW_OK;
    case PTX_SYM_TABLE:
        out->kind = ISA_OPD_PROTO;
        out->table = symbol->table;
        return SW_OK;
    case PTX_SYM_LABEL:
        out->kind = ISA_OPD_LABEL;
        out->target = symbol->index;
        return SW_OK;
    case PTX_SYM_RANGE: break;
    }
    BUG("a range is not a name");
}

/* An identifier operand. kind NONE: not known yet, perhaps a label further down. */
static enum sw_status parse_name(struct ptx_parser *p, struct ptx_operand *out)
{
    if (ptx_token_is(&p->token, "_")) {
        ptx_next(p);
        out->kind = ISA_OPD_SINK;
        if (!ptx_accept(p, '|')) return SW_OK;
        out->kind = ISA_OPD_PAIR;
        return parse_register(p, &out->reg2);
    }
    const struct ptx_symbol *symbol = ptx_name_find(p, p->token.text, p->token.length);
    if (p->status != SW_OK) return p->status;
    if (symbol) return use_symbol(p, symbol, out);
    if (p->token.text[0] == '%') return parse_special(p, out);
    return SW_OK;
}

/* ---- compound operands ---- */

/* Elements up to `close`, all known; '{', '(' or ',' was consumed. */
static enum sw_status parse_elements(struct ptx_parser *p, int close, const char *what,
                                     struct ptx_operand *out)
{
    VEC(struct ptx_operand) list = {0};
    enum sw_status status = SW_OK;
    if (++p->nesting > PTX_MAX_NESTING) return ptx_wrong_at(p, &p->token, "operands nest too deep");
    while (status == SW_OK && !ptx_at(p, close)) {
        struct ptx_operand element = no_operand;
        struct ptx_token at = p->token;
        status = parse_operand(p, ISA_OP_UNKNOWN, &element);
        if (status == SW_OK && element.kind == ISA_OPD_NONE) status = undefined(p, &at);
        if (status == SW_OK) *vec_push(&list) = element;
        if (!ptx_accept(p, ',')) break;
    }
    p->nesting--;
    out->elements = arena_copy(p->arena, list.at, list.count * sizeof *list.at);
    out->count = (uint32_t)list.count;
    vec_release(&list);
    if (status == SW_OK) status = ptx_want(p, close, what);
    return status;
}

static enum sw_status parse_vector(struct ptx_parser *p, struct ptx_operand *out)
{
    ptx_next(p);
    out->kind = ISA_OPD_VEC;
    SW_TRY(parse_elements(p, '}', "',' or '}' in a vector", out));
    if (ptx_accept(p, '|')) return parse_register(p, &out->reg2);
    return SW_OK;
}

static enum sw_status parse_base(struct ptx_parser *p, struct ptx_operand *out)
{
    if (p->token.kind == PTX_TOK_IDENT && !ptx_token_is(&p->token, "WARP_SZ")) {
        const struct ptx_symbol *symbol = ptx_name_find(p, p->token.text, p->token.length);
        if (p->status != SW_OK) return p->status;
        if (!symbol) return undefined(p, &p->token);
        if (symbol->kind == PTX_SYM_VAR)
            out->var = symbol->var;
        else if (symbol->kind == PTX_SYM_REG)
            out->reg = symbol->index;
        else
            return ptx_expected(p, "a register or variable in an address");
        ptx_next(p);
        return symbol->kind == PTX_SYM_VAR ? finish_element(p, out) : finish_address(p, out);
    }
    struct ptx_value value;
    if (!ptx_expr_begins(p)) return ptx_expected(p, "an address");
    SW_TRY(ptx_parse_expr(p, &value));
    if (value.is_float) return ptx_expected(p, "an integer address");
    out->offset = (int64_t)value.bits;
    return SW_OK;
}

static enum sw_status parse_memory(struct ptx_parser *p, struct ptx_operand *out)
{
    ptx_next(p);
    out->kind = ISA_OPD_MEM;
    SW_TRY(parse_base(p, out));
    if (ptx_accept(p, ',')) return parse_elements(p, ']', "',' or ']' in an address", out);
    return ptx_want(p, ']', "']' after an address");
}

static enum sw_status parse_constant(struct ptx_parser *p, struct ptx_operand *out)
{
    struct ptx_value value;
    SW_TRY(ptx_parse_expr(p, &value));
    out->kind = value.is_float ? ISA_OPD_FLOAT : ISA_OPD_INT;
    out->is_f32 = value.is_float && value.is_f32;
    out->bits = value.bits;
    return SW_OK;
}

static bool at_signed_name(struct ptx_parser *p)
{
    if (!ptx_at(p, '-') && !ptx_at(p, '!')) return false;
    const struct ptx_token *next = ptx_peek(p);
    return next->kind == PTX_TOK_IDENT && !ptx_token_is(next, "WARP_SZ");
}

static enum sw_status parse_operand(struct ptx_parser *p, enum isa_op op, struct ptx_operand *out)
{
    if (at_signed_name(p)) {
        ptx_next(p);
        out->negate = true;
        SW_TRY(parse_register(p, &out->reg));
        return finish_register(p, out);
    }
    if (ptx_at(p, '[')) return parse_memory(p, out);
    if (ptx_at(p, '{')) return parse_vector(p, out);
    if (ptx_at(p, '(') && op == ISA_OP_CALL) {
        ptx_next(p);
        out->kind = ISA_OPD_LIST;
        return parse_elements(p, ')', "',' or ')' in a list of parameters", out);
    }
    if (ptx_expr_begins(p)) return parse_constant(p, out);
    if (p->token.kind == PTX_TOK_IDENT) return parse_name(p, out);
    return ptx_expected(p, "an operand");
}

/* An operand of an instruction: a name that is unknown, or any label of a branch, waits for the end of its
 * scope. */
static enum sw_status parse_top_operand(struct ptx_parser *p, enum isa_op op, uint32_t index,
                                        struct ptx_operand *out)
{
    struct ptx_token at = p->token;
    *out = no_operand;
    bool label = at.kind == PTX_TOK_IDENT && (op == ISA_OP_BRA || (op == ISA_OP_BRX && index == 1));
    if (!label) SW_TRY(parse_operand(p, op, out));
    if (out->kind != ISA_OPD_NONE) return SW_OK;
    *vec_push(&p->fixups) =
        (struct ptx_fixup){at.text, at.length, at.line, at.column, (uint32_t)p->instrs.count, index, NULL};
    ptx_next(p);
    return SW_OK;
}

static enum sw_status parse_operands(struct ptx_parser *p, struct ptx_instr *instr)
{
    struct ptx_operand list[PTX_MAX_OPERANDS];
    if (ptx_at(p, ';')) return SW_OK;
    do {
        if (instr->operand_count == PTX_MAX_OPERANDS)
            return ptx_expected(p, "';' after the maximum number of operands");
        SW_TRY(parse_top_operand(p, instr->op, instr->operand_count, &list[instr->operand_count]));
        instr->operand_count++;
    } while (ptx_accept(p, ','));
    instr->operands = arena_copy(p->arena, list, instr->operand_count * sizeof list[0]);
    return SW_OK;
}

/* ---- mnemonic ---- */

static bool parse_mnemonic(struct ptx_parser *p, struct ptx_instr *instr)
{
    bool known = true;
    instr->op = isa_op_find(p->token.text, p->token.length);
    instr->line = p->token.line;
    instr->column = p->token.column;
    ptx_next(p);
    while (p->token.kind == PTX_TOK_DOT) {
        known &= isa_add_word(&instr->isa, p->token.text, p->token.length);
        ptx_next(p);
    }
    isa_finish_words(&instr->isa);
    return known && instr->op != ISA_OP_UNKNOWN;
}

static enum sw_status parse_guard(struct ptx_parser *p, struct ptx_instr *instr)
{
    if (!ptx_accept(p, '@')) return SW_OK;
    instr->guard_negate = ptx_accept(p, '!');
    SW_TRY(parse_register(p, &instr->guard));
    if (instr->guard == PTX_NO_REG) return ptx_expected(p, "a predicate instead of _ before");
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "an instruction after its guard");
    return SW_OK;
}

static void add_token(struct str *text, const struct ptx_token *token)
{
    if (text->length && !token->adjacent) str_add_char(text, ' ');
    if (token->kind == PTX_TOK_DOT) str_add_char(text, '.');
    if (token->kind == PTX_TOK_STRING) str_add_char(text, '"');
    str_add_bytes(text, token->text, token->length);
    if (token->kind == PTX_TOK_STRING) str_add_char(text, '"');
}

/* Where the parser stood: a statement that turns out to be unknown is read again as text. */
struct mark {
    struct ptx_lexer lexer;
    struct ptx_token token, ahead;
    bool has_ahead;
};

static struct mark set_mark(const struct ptx_parser *p)
{
    return (struct mark){p->lexer, p->token, p->ahead, p->has_ahead};
}

/* A statement up to its ';', without comments. */
static enum sw_status collect_text(struct ptx_parser *p, struct str *text)
{
    for (int depth = 0; !ptx_at(p, ';'); ptx_next(p)) {
        depth += ptx_at(p, '{') - ptx_at(p, '}');
        if (p->token.kind == PTX_TOK_END || p->token.kind == PTX_TOK_BAD || depth < 0)
            return ptx_expected(p, "';' after an instruction");
        add_token(text, &p->token);
    }
    return SW_OK;
}

/* Keep a statement of an unknown opcode or word as text. */
static enum sw_status keep_text(struct ptx_parser *p, struct ptx_instr *instr, const struct mark *start)
{
    struct str text = {0};
    p->lexer = start->lexer;
    p->token = start->token;
    p->ahead = start->ahead;
    p->has_ahead = start->has_ahead;
    enum sw_status status = collect_text(p, &text);
    instr->op = ISA_OP_UNKNOWN;
    instr->mod_count = instr->type_count = 0;
    instr->word_mask = 0;
    instr->text = arena_strndup(p->arena, str_text(&text), text.length);
    str_release(&text);
    return status;
}

static uint32_t count_registers(const struct ptx_operand *operands, uint32_t count)
{
    uint32_t registers = 0;
    for (uint32_t i = 0; i < count && registers <= PTX_INSTR_REGS; i++) {
        registers += (operands[i].reg != PTX_NO_REG) + (operands[i].reg2 != PTX_NO_REG);
        if (operands[i].count) registers += count_registers(operands[i].elements, operands[i].count);
    }
    return registers;
}

enum sw_status ptx_parse_statement(struct ptx_parser *p)
{
    struct ptx_instr instr = {.guard = PTX_NO_REG, .loc = p->loc};
    if (p->instrs.count >= UINT32_MAX / 4)
        return ptx_expected(p, "the end of the function, which has too many instructions");
    SW_TRY(parse_guard(p, &instr));
    struct mark start = set_mark(p);
    if (parse_mnemonic(p, &instr))
        SW_TRY(parse_operands(p, &instr));
    else
        SW_TRY(keep_text(p, &instr, &start));
    if (count_registers(instr.operands, instr.operand_count) >=
        PTX_INSTR_REGS) /* one more may be its guard */
        return ptx_wrong_at(p, &(struct ptx_token){.line = instr.line, .column = instr.column},
                            "an instruction with more than %d registers", PTX_INSTR_REGS);
    SW_TRY(
        ptx_want(p, ';', instr.operand_count ? "';' after operand" : "an operand or ';' after the opcode"));
    *vec_push(&p->instrs) = instr;
    return SW_OK;
}
