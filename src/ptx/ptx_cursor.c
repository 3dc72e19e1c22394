/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parser stands in the text: the token at hand and the one after it, what productions ask of them,
 * messages about them, and names that are unique in the module. */
#include "ptx_priv.h"

#include <stdarg.h>
#include <stdio.h>

void ptx_next(struct ptx_parser *p)
{
    if (p->has_ahead) {
        p->token = p->ahead;
        p->has_ahead = false;
    } else {
        ptx_lexer_next(&p->lexer, &p->token);
    }
}

const struct ptx_token *ptx_peek(struct ptx_parser *p)
{
    if (!p->has_ahead) ptx_lexer_next(&p->lexer, &p->ahead);
    p->has_ahead = true;
    return &p->ahead;
}

enum sw_status ptx_wrong_at(struct ptx_parser *p, const struct ptx_token *token, const char *format, ...)
{
    if (p->status != SW_OK) return p->status; /* the first mistake is the one to report */
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->status = sw_fail_at(p->error, SW_SYNTAX, p->module->name, token->line, token->column, "%s", message);
    return p->status;
}

/* What a token looks like in a message: its text, shortened, control bytes as dots. */
static const char *parse_show(const struct ptx_token *token, char buffer[64])
{
    if (token->kind == PTX_TOK_END) return "end of text";
    const char *text = token->text;
    uint32_t length = token->length;
    if (token->kind == PTX_TOK_DOT || token->kind == PTX_TOK_STRING) text--, length++;
    if (token->kind == PTX_TOK_STRING) length++;
    if (length > 48) length = 48;
    buffer[0] = '\'';
    for (uint32_t i = 0; i < length; i++)
        buffer[i + 1] = text[i] >= 32 && text[i] < 127 ? text[i] : '.';
    snprintf(buffer + length + 1, 64 - length - 1, "'");
    return buffer;
}

enum sw_status ptx_expected(struct ptx_parser *p, const char *what)
{
    char buffer[64];
    if (p->token.kind == PTX_TOK_BAD && p->token.length == 0)
        return ptx_wrong_at(p, &p->token, "%s", p->token.what);
    if (p->token.kind == PTX_TOK_BAD)
        return ptx_wrong_at(p, &p->token, "%s: %s", p->token.what, parse_show(&p->token, buffer));
    return ptx_wrong_at(p, &p->token, "expected %s, found %s", what, parse_show(&p->token, buffer));
}

bool ptx_at(const struct ptx_parser *p, int punct)
{
    return ptx_token_punct(&p->token, punct);
}

bool ptx_at_dot(const struct ptx_parser *p, const char *word)
{
    return p->token.kind == PTX_TOK_DOT && ptx_token_is(&p->token, word);
}

bool ptx_accept(struct ptx_parser *p, int punct)
{
    if (!ptx_at(p, punct)) return false;
    ptx_next(p);
    return true;
}

bool ptx_accept_dot(struct ptx_parser *p, const char *word)
{
    if (!ptx_at_dot(p, word)) return false;
    ptx_next(p);
    return true;
}

enum sw_status ptx_want(struct ptx_parser *p, int punct, const char *what)
{
    if (!ptx_accept(p, punct)) return ptx_expected(p, what);
    return SW_OK;
}

const char *ptx_keep(struct ptx_parser *p, const struct ptx_token *token)
{
    return arena_strndup(p->arena, token->text, token->length);
}

const char *ptx_name_in_module(struct ptx_parser *p, const char *name)
{
    const char *free_name = name;
    for (unsigned i = 2; map_get(&p->taken, free_name); i++)
        free_name = arena_printf(p->arena, "%s$%u", name, i);
    map_set(&p->taken, free_name, p);
    return free_name;
}
