/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: signature, performance directives, body.
 *
 *   function := .entry name [ params ] directives body
 *             | .func [ .attribute(..) ] [ params ] name [ params ] directives ( body | ; )
 *   params   := ( [ param { , param } ] )
 *   body     := { { declaration | label | instruction | directive | body } }
 *
 * A prototype and its definition are one object, so that calls before the definition see it. */
#include "ptx_priv.h"

#include <string.h>

/* ( param, param ) ; offsets are assigned as an entry's parameter buffer has them */
static enum sw_status parse_params(struct ptx_parser *p, struct ptx_function *function, struct ptx_var ***out,
                                   const uint32_t **regs, uint32_t *count, uint64_t *bytes)
{
    VEC(struct ptx_var *) vars = {0};
    VEC(uint32_t) numbers = {0};
    enum sw_status status = SW_OK;
    uint64_t offset = 0;
    ptx_next(p);
    while (status == SW_OK && !ptx_at(p, ')')) {
        struct ptx_var *var;
        uint32_t reg;
        status = ptx_parse_param(p, &var, &reg);
        if (status != SW_OK) break;
        var->owner = function;
        var->index = (uint32_t)vars.count;
        var->offset = offset = sw_align_up(offset, var->align ? var->align : 1);
        offset += var->bytes;
        *vec_push(&vars) = var;
        *vec_push(&numbers) = reg;
        if (!ptx_accept(p, ',')) break;
    }
    if (status == SW_OK) status = ptx_want(p, ')', "',' or ')' after a parameter");
    if (status == SW_OK && offset > UINT32_MAX)
        status = ptx_wrong_at(p, &p->token, "the parameters before this are too large");
    *out = arena_copy(p->arena, vars.at, vars.count * sizeof *vars.at);
    *regs = arena_copy(p->arena, numbers.at, numbers.count * sizeof *numbers.at);
    *count = (uint32_t)vars.count;
    *bytes = offset;
    vec_release(&vars);
    vec_release(&numbers);
    return status;
}

static enum sw_status parse_inputs(struct ptx_parser *p, struct ptx_function *f)
{
    return parse_params(p, f, &f->params, &f->param_regs, &f->param_count, &f->param_bytes);
}

static enum sw_status parse_outputs(struct ptx_parser *p, struct ptx_function *f)
{
    uint64_t bytes;
    return parse_params(p, f, &f->returns, &f->return_regs, &f->return_count, &bytes);
}

/* N [, N [, N]] ; missing ones are 1 */
static enum sw_status parse_three(struct ptx_parser *p, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    int i = 0;
    do
        SW_TRY(ptx_parse_u32(p, &out[i++], "a number"));
    while (i < 3 && ptx_accept(p, ','));
    return SW_OK;
}

static enum sw_status keep_pragmas(struct ptx_parser *p)
{
    do {
        if (p->token.kind != PTX_TOK_STRING) return ptx_expected(p, "a string");
        const char *text = ptx_keep(p, &p->token);
        if (p->labels.count && strcmp(text, "nounroll") == 0) /* of the loop whose head this is in */
            p->labels.at[p->labels.count - 1].nounroll = true;
        else
            *vec_push(&p->pragmas) = text;
        ptx_next(p);
    } while (ptx_accept(p, ','));
    return ptx_want(p, ';', "';' after .pragma");
}

/* .abi_preserve N, .abi_preserve_control N: what a callee keeps; nothing here depends on it */
static enum sw_status skip_number(struct ptx_parser *p)
{
    uint32_t unused;
    return ptx_parse_u32(p, &unused, "a number");
}

/* .attribute(.unified(a, b)) on a function */
static enum sw_status skip_attribute(struct ptx_parser *p)
{
    SW_TRY(ptx_want(p, '(', "'(' after .attribute"));
    for (int depth = 1; depth > 0; ptx_next(p)) {
        if (p->token.kind == PTX_TOK_END || p->token.kind == PTX_TOK_BAD) return ptx_expected(p, "')'");
        depth += ptx_at(p, '(') - ptx_at(p, ')');
    }
    return SW_OK;
}

/* One directive between signature and body; *known: there was one. */
static enum sw_status parse_directive(struct ptx_parser *p, struct ptx_function *f, bool *known)
{
    *known = true;
    if (ptx_accept_dot(p, "maxntid")) return parse_three(p, f->maxntid);
    if (ptx_accept_dot(p, "reqntid")) return parse_three(p, f->reqntid);
    if (ptx_accept_dot(p, "minnctapersm")) return ptx_parse_u32(p, &f->minnctapersm, "a number of blocks");
    if (ptx_accept_dot(p, "maxnctapersm")) return ptx_parse_u32(p, &f->maxnctapersm, "a number of blocks");
    if (ptx_accept_dot(p, "maxnreg")) return ptx_parse_u32(p, &f->maxnreg, "a number of registers");
    if (ptx_accept_dot(p, "reqnctapercluster")) return parse_three(p, f->reqnctapercluster);
    if (ptx_accept_dot(p, "maxclusterrank"))
        return ptx_parse_u32(p, &f->maxclusterrank, "a number of blocks");
    if (ptx_accept_dot(p, "explicitcluster")) return f->explicitcluster = true, SW_OK;
    if (ptx_accept_dot(p, "blocksareclusters")) return f->blocksareclusters = true, SW_OK;
    if (ptx_accept_dot(p, "noreturn")) return f->noreturn = true, SW_OK;
    if (ptx_accept_dot(p, "abi_preserve") || ptx_accept_dot(p, "abi_preserve_control")) return skip_number(p);
    if (ptx_accept_dot(p, "attribute")) return skip_attribute(p);
    if (ptx_accept_dot(p, "pragma")) return keep_pragmas(p);
    *known = false;
    return SW_OK;
}

/* The object for this name: the prototype's when there was one. */
static enum sw_status find_or_add(struct ptx_parser *p, const struct ptx_token *name,
                                  struct ptx_function **out)
{
    struct ptx_symbol *old = map_get_n(&p->module_names, name->text, name->length);
    if (old && old->kind != PTX_SYM_FUNCTION)
        return ptx_wrong_at(p, name, "'%s' is already defined", ptx_keep(p, name));
    if (old) return *out = old->function, SW_OK;
    struct ptx_function *f = ARENA_NEW(p->arena, struct ptx_function);
    const char *key = ptx_keep(p, name);
    f->name = ptx_name_in_module(p, key);
    f->module = p->module;
    f->index = (uint32_t)p->functions.count;
    struct ptx_symbol symbol = {.kind = PTX_SYM_FUNCTION, .function = f, .name = key, .length = name->length};
    *vec_push(&p->functions) = f;
    map_set_n(&p->module_names, key, name->length, arena_copy(p->arena, &symbol, sizeof symbol));
    *out = f;
    return SW_OK;
}

static void begin_function(struct ptx_parser *p)
{
    vec_clear(&p->regs);
    vec_clear(&p->locals);
    vec_clear(&p->instrs);
    vec_clear(&p->labels);
    vec_clear(&p->tables);
    vec_clear(&p->pragmas);
    vec_clear(&p->fixups);
    map_release(&p->names);
    map_release(&p->ranges);
    map_release(&p->locs);
    p->loc = NULL;
    p->nested_ranges = false;
    p->depth = 1;
    p->scope[1] = NULL;
    p->scope_fixups[1] = 0;
}

/* Copy a growing list to the module's arena. */
#define KEEP(to, number, list)                                                                               \
    ((to) = arena_copy(p->arena, (list).at, (list).count * sizeof *(list).at),                               \
     (number) = (uint32_t)(list).count)

static void finish_body(struct ptx_parser *p, struct ptx_function *f)
{
    KEEP(f->regs, f->reg_count, p->regs);
    KEEP(f->vars, f->var_count, p->locals);
    KEEP(f->instrs, f->instr_count, p->instrs);
    KEEP(f->labels, f->label_count, p->labels);
    KEEP(f->tables, f->table_count, p->tables);
    f->has_body = true;
}

/* .callprototype (ret) _ (params) [.noreturn] ; */
static enum sw_status parse_prototype(struct ptx_parser *p, struct ptx_table *table)
{
    struct ptx_function *f = ARENA_NEW(p->arena, struct ptx_function);
    f->name = "_";
    f->module = p->module;
    table->kind = PTX_TABLE_PROTOTYPE;
    table->prototype = f;
    uint32_t depth = p->depth;
    p->depth = 0; /* names of parameters mean nothing here */
    enum sw_status status = ptx_at(p, '(') ? parse_outputs(p, f) : SW_OK;
    if (status == SW_OK && p->token.kind == PTX_TOK_IDENT && ptx_token_is(&p->token, "_"))
        ptx_next(p);
    else if (status == SW_OK)
        status = ptx_expected(p, "_ in a .callprototype");
    if (status == SW_OK && ptx_at(p, '(')) status = parse_inputs(p, f);
    p->depth = depth;
    for (bool known = true; status == SW_OK && known;)
        status = parse_directive(p, f, &known);
    return status;
}

/* .calltargets f, g, h */
static enum sw_status parse_call_targets(struct ptx_parser *p, struct ptx_table *table)
{
    VEC(const struct ptx_function *) list = {0};
    enum sw_status status = SW_OK;
    do {
        const struct ptx_symbol *symbol = p->token.kind == PTX_TOK_IDENT
                                              ? map_get_n(&p->module_names, p->token.text, p->token.length)
                                              : NULL;
        if (!symbol || symbol->kind != PTX_SYM_FUNCTION) {
            status = ptx_expected(p, "the name of a declared function");
            break;
        }
        *vec_push(&list) = symbol->function;
        ptx_next(p);
    } while (ptx_accept(p, ','));
    table->kind = PTX_TABLE_CALLS;
    KEEP(table->functions, table->count, list);
    vec_release(&list);
    return status;
}

/* .branchtargets L1, L2 ; also L<3>: L0 L1 L2 */
static enum sw_status parse_branch_targets(struct ptx_parser *p, struct ptx_table *table)
{
    VEC(struct ptx_token) list = {0};
    enum sw_status status = SW_OK;
    do {
        if (p->token.kind != PTX_TOK_IDENT) {
            status = ptx_expected(p, "a label");
            break;
        }
        *vec_push(&list) = p->token;
        ptx_next(p);
    } while (ptx_accept(p, ','));
    table->kind = PTX_TABLE_BRANCHES;
    table->count = (uint32_t)list.count;
    table->targets = ARENA_ARRAY(p->arena, uint32_t, list.count);
    for (size_t i = 0; i < list.count && status == SW_OK; i++) {
        const struct ptx_token *t = &list.at[i];
        *vec_push(&p->fixups) =
            (struct ptx_fixup){t->text, t->length, t->line, t->column, 0, 0, &table->targets[i]};
    }
    vec_release(&list);
    return status;
}

/* name : .branchtargets ... | .calltargets ... | .callprototype ... ; the word is the current token */
static enum sw_status parse_table(struct ptx_parser *p, const struct ptx_token *name)
{
    struct ptx_table *table = ARENA_NEW(p->arena, struct ptx_table);
    table->name = ptx_keep(p, name);
    struct ptx_symbol symbol = {.kind = PTX_SYM_TABLE, .table = table};
    if (ptx_accept_dot(p, "branchtargets"))
        SW_TRY(parse_branch_targets(p, table));
    else if (ptx_accept_dot(p, "calltargets"))
        SW_TRY(parse_call_targets(p, table));
    else {
        ptx_next(p);
        SW_TRY(parse_prototype(p, table));
    }
    SW_TRY(ptx_want(p, ';', "';' after a table of targets"));
    *vec_push(&p->tables) = table;
    return ptx_name_add(p, name, name->text, name->length, symbol);
}

static enum sw_status parse_label(struct ptx_parser *p)
{
    struct ptx_token name = p->token;
    ptx_next(p);
    ptx_next(p);
    if (ptx_at_dot(p, "branchtargets") || ptx_at_dot(p, "calltargets") || ptx_at_dot(p, "callprototype"))
        return parse_table(p, &name);
    uint32_t target = (uint32_t)p->instrs.count;
    *vec_push(&p->labels) = (struct ptx_label){ptx_keep(p, &name), target, false};
    struct ptx_symbol symbol = {.kind = PTX_SYM_LABEL, .index = target};
    return ptx_name_add(p, &name, name.text, name.length, symbol);
}

/* One item of a body; braces open and close scopes without recursion. */
static enum sw_status parse_item(struct ptx_parser *p)
{
    if (ptx_accept(p, ';')) return SW_OK;
    if (ptx_accept(p, '{')) return ptx_scope_open(p);
    if (ptx_accept(p, '}')) return ptx_scope_close(p);
    if (p->token.kind == PTX_TOK_DOT) {
        if (ptx_space_begins(p)) return ptx_parse_vars(p, PTX_LINK_NONE);
        if (ptx_accept_dot(p, "loc")) return ptx_parse_loc(p);
        if (ptx_accept_dot(p, "file")) return ptx_parse_file(p);
        if (ptx_accept_dot(p, "pragma")) return keep_pragmas(p);
        bool is_extern = ptx_accept_dot(p, "extern");
        if (is_extern && ptx_space_begins(p)) return ptx_parse_vars(p, PTX_LINK_EXTERN);
    }
    if (p->token.kind == PTX_TOK_IDENT && ptx_token_punct(ptx_peek(p), ':')) return parse_label(p);
    if (p->token.kind == PTX_TOK_IDENT || ptx_at(p, '@')) return ptx_parse_statement(p);
    return ptx_expected(p, "an instruction, a declaration or '}'");
}

static enum sw_status parse_body(struct ptx_parser *p, struct ptx_function *f)
{
    p->function = f;
    SW_TRY(ptx_want(p, '{', "'{' or ';' after a function's signature"));
    while (p->depth > 0)
        SW_TRY(parse_item(p));
    finish_body(p, f);
    return SW_OK;
}

/* The signature read last replaces earlier ones; identity and what only one of them said stay. */
static void take_signature(struct ptx_function *f, const struct ptx_function *draft)
{
    struct ptx_function old = *f;
    *f = *draft;
    f->name = old.name;
    f->module = old.module;
    f->index = old.index;
    f->alias_of = old.alias_of;
    f->noreturn |= old.noreturn;
    if (f->linkage == PTX_LINK_NONE || (f->linkage == PTX_LINK_EXTERN && old.linkage != PTX_LINK_NONE))
        f->linkage = old.linkage != PTX_LINK_NONE ? old.linkage : f->linkage;
    for (uint32_t i = 0; i < f->return_count; i++)
        f->returns[i]->owner = f;
    for (uint32_t i = 0; i < f->param_count; i++)
        f->params[i]->owner = f;
}

/* [ attribute ] [ ( results ) ] name [ ( params ) ] directives ; after .entry or .func */
static enum sw_status parse_signature(struct ptx_parser *p, struct ptx_function *draft,
                                      struct ptx_token *name, struct ptx_function **out)
{
    if (ptx_accept_dot(p, "attribute")) SW_TRY(skip_attribute(p));
    if (!draft->is_entry && ptx_at(p, '(')) SW_TRY(parse_outputs(p, draft));
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "a function name");
    *name = p->token;
    SW_TRY(find_or_add(p, name, out));
    draft->line = name->line;
    ptx_next(p);
    if (ptx_at(p, '(')) SW_TRY(parse_inputs(p, draft));
    for (bool known = true; known;)
        SW_TRY(parse_directive(p, draft, &known));
    return SW_OK;
}

/* A weak function that was defined before is read and dropped. */
static enum sw_status parse_func_define(struct ptx_parser *p, struct ptx_function *f,
                                        const struct ptx_function *draft, const struct ptx_token *name)
{
    if (f->has_body && f->linkage != PTX_LINK_WEAK && draft->linkage != PTX_LINK_WEAK)
        return ptx_wrong_at(p, name, "'%s' already has a body", f->name);
    if (f->has_body) {
        f = arena_copy(p->arena, f, sizeof *f);
        f->has_body = false;
    }
    take_signature(f, draft);
    SW_TRY(parse_body(p, f));
    KEEP(f->pragmas, f->pragma_count, p->pragmas);
    return SW_OK;
}

enum sw_status ptx_parse_function(struct ptx_parser *p, enum ptx_linkage linkage)
{
    struct ptx_function draft = {.is_entry = ptx_at_dot(p, "entry"), .linkage = linkage}, *f = NULL;
    struct ptx_token name;
    ptx_next(p);
    begin_function(p);
    SW_TRY(parse_signature(p, &draft, &name, &f));
    if (!ptx_accept(p, ';'))
        SW_TRY(parse_func_define(p, f, &draft, &name));
    else if (!f->has_body)
        take_signature(f, &draft);
    p->function = NULL;
    p->depth = 0;
    return SW_OK;
}
