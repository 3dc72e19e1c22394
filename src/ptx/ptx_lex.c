/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer: one token at a time, straight from the text, no copies. A dotted word with its `::` parts
 * (.shared::cta) is one token. Numbers follow PTX ISA 4.5: decimal, octal, 0x, 0b, U suffix, decimal floats,
 * 0f and 0d bit patterns. Limits: text over 4 GiB is refused by the parser; decimal floats are read by
 * strtod. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

enum { ALPHA = 1, DIGIT = 2, HEX = 4, BLANK = 8 };

static unsigned class_of(char c)
{
    if (c >= '0' && c <= '9') return DIGIT | HEX;
    char lower = (char)(c | 32);
    if (lower >= 'a' && lower <= 'z') return lower <= 'f' ? ALPHA | HEX : ALPHA;
    if (c == '_' || c == '$') return ALPHA;
    return c == ' ' || (c >= '\t' && c <= '\r') ? BLANK : 0;
}

static bool token_is(const struct ptx_lexer *lexer, const char *at, unsigned class)
{
    return at < lexer->end && (class_of(*at) & class);
}

void ptx_lexer_init(struct ptx_lexer *lexer, const char *text, size_t length)
{
    *lexer = (struct ptx_lexer){text, text + length, text, 1};
}

static void new_line(struct ptx_lexer *lexer)
{
    lexer->line++;
    lexer->line_start = lexer->at + 1;
}

/* False: a comment was opened and not closed. */
static bool skip_comment(struct ptx_lexer *lexer)
{
    if (lexer->at[1] == '/') {
        const char *end = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
        lexer->at = end ? end : lexer->end;
        return true;
    }
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '\n') new_line(lexer);
        if (*lexer->at == '*' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') {
            lexer->at += 2;
            return true;
        }
    }
    return false;
}

static bool skip_blank(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (class_of(c) & BLANK) {
            if (c == '\n') new_line(lexer);
            lexer->at++;
        } else if (c == '/' && lexer->at + 1 < lexer->end && (lexer->at[1] == '/' || lexer->at[1] == '*')) {
            if (!skip_comment(lexer)) return false;
        } else {
            break;
        }
    }
    return true;
}

static void bad(struct ptx_token *token, const char *what)
{
    token->kind = PTX_TOK_BAD;
    token->what = what;
}

static unsigned digit_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);
}

/* 0f3F800000, 0d3FF0000000000000: exactly 8 or 16 digits. */
static bool lex_float_bits(struct ptx_lexer *lexer, struct ptx_token *token)
{
    unsigned digits = (lexer->at[1] | 32) == 'f' ? 8 : 16;
    const char *p = lexer->at + 2;
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; i++, p++) {
        if (!token_is(lexer, p, HEX)) return false;
        bits = bits << 4 | digit_value(*p);
    }
    token->kind = PTX_TOK_FLOAT;
    token->is_f32 = digits == 8;
    token->bits = bits;
    lexer->at = p;
    return true;
}

static void lex_decimal_float(struct ptx_lexer *lexer, struct ptx_token *token, const char *end)
{
    char buffer[64], *heap = NULL;
    size_t length = (size_t)(end - lexer->at);
    char *copy = length < sizeof buffer ? buffer : (heap = sw_xmalloc(length + 1));
    memcpy(copy, lexer->at, length);
    copy[length] = '\0';
    double value = strtod(copy, NULL);
    free(heap);
    memcpy(&token->bits, &value, sizeof value);
    token->kind = PTX_TOK_FLOAT;
    lexer->at = end;
}

/* The end of `1.5e-3`, or NULL when the digits are those of an integer. */
static const char *decimal_float_end(const struct ptx_lexer *lexer)
{
    const char *p = lexer->at;
    while (token_is(lexer, p, DIGIT))
        p++;
    bool is_float = p < lexer->end && *p == '.';
    if (is_float)
        for (p++; token_is(lexer, p, DIGIT);)
            p++;
    if (p < lexer->end && (*p | 32) == 'e') {
        const char *q = p + 1;
        if (q < lexer->end && (*q == '+' || *q == '-')) q++;
        if (token_is(lexer, q, DIGIT)) {
            is_float = true;
            for (p = q; token_is(lexer, p, DIGIT);)
                p++;
        }
    }
    return is_float ? p : NULL;
}

static void lex_integer(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *p = lexer->at;
    unsigned base = 10;
    if (*p == '0' && p + 1 < lexer->end) {
        char mark = (char)(p[1] | 32);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        p += base == 8 ? 1 : 2;
        if (base != 8 && !token_is(lexer, p, HEX)) {
            bad(token, "a digit is missing in a number");
            return;
        }
    }
    uint64_t value = 0;
    bool overflow = false;
    for (; token_is(lexer, p, HEX) && digit_value(*p) < base; p++)
        overflow |= __builtin_mul_overflow(value, base, &value) ||
                    __builtin_add_overflow(value, digit_value(*p), &value);
    if (p < lexer->end && (*p == 'U' || *p == 'u')) {
        token->is_unsigned = true;
        p++;
    }
    lexer->at = p;
    if (overflow) {
        bad(token, "a number does not fit in 64 bits");
        return;
    }
    if (token_is(lexer, p, ALPHA | DIGIT)) {
        bad(token, "a number is followed by a letter");
        return;
    }
    token->kind = PTX_TOK_INT;
    token->bits = value;
}

static void lex_number(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *p = lexer->at;
    if (*p == '0' && p + 1 < lexer->end && ((p[1] | 32) == 'f' || (p[1] | 32) == 'd')) {
        if (!lex_float_bits(lexer, token)) {
            lexer->at += 2;
            bad(token, "0f takes 8 hexadecimal digits and 0d takes 16");
        }
        return;
    }
    const char *end = *p == '0' && p + 1 < lexer->end && ((p[1] | 32) == 'x' || (p[1] | 32) == 'b')
                          ? NULL
                          : decimal_float_end(lexer);
    if (end)
        lex_decimal_float(lexer, token, end);
    else
        lex_integer(lexer, token);
}

static void lex_ident(struct ptx_lexer *lexer, struct ptx_token *token)
{
    token->kind = PTX_TOK_IDENT;
    const char *p = lexer->at + 1;
    while (token_is(lexer, p, ALPHA | DIGIT))
        p++;
    lexer->at = p;
}

/* .word, .word::part::part; digits may lead (.2d, .16x256b). */
static void lex_dot(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *p = lexer->at + 1;
    if (!token_is(lexer, p, ALPHA | DIGIT)) {
        lexer->at = p;
        bad(token, "a word is missing after '.'");
        return;
    }
    for (;; p += 2) {
        while (token_is(lexer, p, ALPHA | DIGIT))
            p++;
        if (p + 2 >= lexer->end || p[0] != ':' || p[1] != ':' || !token_is(lexer, p + 2, ALPHA | DIGIT))
            break;
    }
    token->kind = PTX_TOK_DOT;
    token->text = lexer->at + 1;
    lexer->at = p;
}

static void lex_string(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *p = lexer->at + 1;
    while (p < lexer->end && *p != '"' && *p != '\n' && *p != '\0')
        p += *p == '\\' && p + 1 < lexer->end && p[1] != '\n' && p[1] != '\0' ? 2 : 1;
    token->kind = PTX_TOK_STRING;
    token->text = lexer->at + 1;
    if (p >= lexer->end || *p != '"') {
        lexer->at = p;
        bad(token, "a string is not closed");
        return;
    }
    token->length = (uint32_t)(p - token->text);
    lexer->at = p + 1;
}

static void lex_punct(struct ptx_lexer *lexer, struct ptx_token *token)
{
    static const struct {
        char text[3];
        int punct;
    } pairs[] = {{"<<", PTX_PUNCT_SHL}, {">>", PTX_PUNCT_SHR}, {"==", PTX_PUNCT_EQ},  {"!=", PTX_PUNCT_NE},
                 {"<=", PTX_PUNCT_LE},  {">=", PTX_PUNCT_GE},  {"&&", PTX_PUNCT_AND}, {"||", PTX_PUNCT_OR}};
    token->kind = PTX_TOK_PUNCT;
    token->punct = (uint8_t)*lexer->at;
    for (size_t i = 0; i < SW_COUNT_OF(pairs) && lexer->at + 1 < lexer->end; i++)
        if (lexer->at[0] == pairs[i].text[0] && lexer->at[1] == pairs[i].text[1]) {
            token->punct = pairs[i].punct;
            lexer->at++;
            break;
        }
    if (token->punct < 256 && (token->punct == 0 || !strchr(",;:{}()[]<>|!@=+-*/%&^~?", token->punct)))
        bad(token, "invalid character");
    lexer->at++;
}

void ptx_lexer_next(struct ptx_lexer *lexer, struct ptx_token *out)
{
    const char *before = lexer->at;
    bool closed = skip_blank(lexer);
    *out = (struct ptx_token){.text = lexer->at,
                              .adjacent = lexer->at == before,
                              .line = lexer->line,
                              .column = (uint32_t)(lexer->at - lexer->line_start) + 1};
    const char *start = lexer->at;
    if (!closed)
        bad(out, "a comment is not closed");
    else if (start >= lexer->end)
        out->kind = PTX_TOK_END;
    else if (token_is(lexer, start, ALPHA) || (*start == '%' && token_is(lexer, start + 1, ALPHA)))
        lex_ident(lexer, out);
    else if (token_is(lexer, start, DIGIT))
        lex_number(lexer, out);
    else if (*start == '.')
        lex_dot(lexer, out);
    else if (*start == '"')
        lex_string(lexer, out);
    else
        lex_punct(lexer, out);
    if (out->kind != PTX_TOK_STRING) out->length = (uint32_t)(lexer->at - out->text);
}

bool ptx_token_is(const struct ptx_token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}
