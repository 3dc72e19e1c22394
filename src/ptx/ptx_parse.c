/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's top: the module level. Recursive descent with one token of lookahead (two where a label is
 * told from an instruction); every production fills its part of the module and stops at the first mistake.
 *
 *   module    := { directive | function | variables }
 *   directive := .version | .target | .address_size | .file | .loc | .section | .pragma | .alias
 *
 * Limits: 64-bit addresses only; PTX ISA 1.0 to 9.x; scopes nest 64 deep and expressions 200 deep. */
#include "ptx_priv.h"

#include <stdlib.h>
#include <string.h>

enum { NEWEST_MAJOR = 9 };

/* .version 9.0 : the lexer reads 9.0 as a decimal float, and 8.10 would lose its zero, so the text is read.
 */
static enum sw_status parse_version(struct ptx_parser *p)
{
    if (p->token.kind != PTX_TOK_FLOAT || p->token.is_f32 || p->token.length > 16)
        return ptx_expected(p, "a version such as 9.0");
    char text[20] = "";
    memcpy(text, p->token.text, p->token.length);
    char *dot = NULL;
    p->module->version_major = (unsigned)strtoul(text, &dot, 10);
    p->module->version_minor = dot && *dot == '.' ? (unsigned)strtoul(dot + 1, NULL, 10) : 0;
    if (p->module->version_major > NEWEST_MAJOR) {
        p->status = sw_fail_at(
            p->error, SW_UNSUPPORTED_PTX_VERSION, p->module->name, p->token.line, p->token.column,
            "PTX version %.*s is newer than this program knows (%d.x): rebuild with an older toolkit "
            "or a lower -arch",
            (int)p->token.length, p->token.text, NEWEST_MAJOR);
        return p->status;
    }
    ptx_next(p);
    return SW_OK;
}

static void set_target(struct ptx_module *module, const struct ptx_token *word)
{
    if (word->length < 4 || memcmp(word->text, "sm_", 3) != 0) return; /* texmode_unified, debug ... */
    module->sm = 0;
    uint32_t i = 3;
    for (; i < word->length && word->text[i] >= '0' && word->text[i] <= '9' && module->sm < 100000; i++)
        module->sm = module->sm * 10 + (unsigned)(word->text[i] - '0');
    module->sm_suffix = i < word->length ? word->text[i] : 0;
}

/* .target sm_90a, debug, texmode_independent */
static enum sw_status parse_target(struct ptx_parser *p)
{
    VEC(const char *) words = {0};
    do {
        if (p->token.kind != PTX_TOK_IDENT) {
            vec_release(&words);
            return ptx_expected(p, "a target such as sm_80");
        }
        set_target(p->module, &p->token);
        *vec_push(&words) = ptx_keep(p, &p->token);
        ptx_next(p);
    } while (ptx_accept(p, ','));
    p->module->targets = arena_copy(p->arena, words.at, words.count * sizeof *words.at);
    p->module->target_count = (uint32_t)words.count;
    vec_release(&words);
    return SW_OK;
}

static enum sw_status parse_address_size(struct ptx_parser *p)
{
    struct ptx_token at = p->token;
    uint32_t bits;
    SW_TRY(ptx_parse_u32(p, &bits, "32 or 64"));
    if (bits != 64)
        return ptx_wrong_at(p, &at, "address size %u is not supported: build for 64 bits (-m64)", bits);
    p->module->address_bits = bits;
    return SW_OK;
}

/* .alias name, aliasee; */
static enum sw_status parse_alias(struct ptx_parser *p)
{
    struct ptx_function *pair[2];
    for (int i = 0; i < 2; i++) {
        if (i && !ptx_accept(p, ',')) return ptx_expected(p, "',' after the alias");
        const struct ptx_symbol *symbol = p->token.kind == PTX_TOK_IDENT
                                              ? map_get_n(&p->module_names, p->token.text, p->token.length)
                                              : NULL;
        if (!symbol || symbol->kind != PTX_SYM_FUNCTION)
            return ptx_expected(p, "the name of a declared function");
        pair[i] = symbol->function;
        ptx_next(p);
    }
    if (pair[0] == pair[1] || pair[1]->alias_of)
        return ptx_expected(p, "a function that is not itself an alias");
    pair[0]->alias_of = pair[1];
    return ptx_want(p, ';', "';' after .alias");
}

/* .pragma "text", "text"; */
static enum sw_status parse_module_pragma(struct ptx_parser *p)
{
    do {
        if (p->token.kind != PTX_TOK_STRING) return ptx_expected(p, "a string");
        ptx_next(p);
    } while (ptx_accept(p, ','));
    return ptx_want(p, ';', "';' after .pragma");
}

static enum ptx_linkage parse_linkage(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        enum ptx_linkage linkage;
    } words[] = {{"visible", PTX_LINK_VISIBLE},
                 {"extern", PTX_LINK_EXTERN},
                 {"weak", PTX_LINK_WEAK},
                 {"common", PTX_LINK_COMMON}};
    for (size_t i = 0; i < SW_COUNT_OF(words); i++)
        if (ptx_accept_dot(p, words[i].word)) return words[i].linkage;
    return PTX_LINK_NONE;
}

static enum sw_status parse_declaration(struct ptx_parser *p)
{
    enum ptx_linkage linkage = parse_linkage(p);
    if (ptx_at_dot(p, "entry") || ptx_at_dot(p, "func")) return ptx_parse_function(p, linkage);
    if (ptx_space_begins(p)) return ptx_parse_vars(p, linkage);
    return ptx_expected(p,
                        linkage ? ".entry, .func or a variable" : "a directive, .entry, .func or a variable");
}

static enum sw_status parse_top(struct ptx_parser *p)
{
    static const struct {
        const char *word;
        enum sw_status (*parse)(struct ptx_parser *p);
    } directives[] = {
        {"version", parse_version}, {"target", parse_target},        {"address_size", parse_address_size},
        {"file", ptx_parse_file},   {"loc", ptx_parse_loc},          {"section", ptx_parse_section},
        {"alias", parse_alias},     {"pragma", parse_module_pragma},
    };
    for (size_t i = 0; i < SW_COUNT_OF(directives); i++)
        if (ptx_accept_dot(p, directives[i].word)) return directives[i].parse(p);
    if (ptx_accept(p, ';')) return SW_OK;
    return parse_declaration(p);
}

static enum sw_status parse_text(struct ptx_parser *p)
{
    ptx_next(p);
    if (!ptx_at_dot(p, "version")) return ptx_expected(p, ".version at the start of PTX");
    while (p->token.kind != PTX_TOK_END)
        SW_TRY(parse_top(p));
    ptx_name_locs(p);
    return SW_OK;
}

static enum ptx_linkage linkage_of(const struct ptx_symbol *symbol)
{
    return symbol->kind == PTX_SYM_VAR ? symbol->var->linkage : symbol->function->linkage;
}

/* Between two texts: names without linkage, file numbers and debug strings are a text's own. */
static void begin_text(struct ptx_parser *p, const struct ptx_text *text)
{
    size_t cursor = 0, length = text->length;
    for (void *value; map_next(&p->module_names, &cursor, &value);)
        if (linkage_of(value) == PTX_LINK_NONE)
            map_remove(&p->module_names, ((struct ptx_symbol *)value)->name);
    vec_clear(&p->named_locs);
    map_release(&p->debug_labels);
    str_clear(&p->debug_str);
    p->file_base = (uint32_t)p->files.count;
    p->has_ahead = false;
    while (length && text->text[length - 1] == '\0') /* fat binaries pad with NUL */
        length--;
    p->text_length += length;
    p->module->name = arena_strdup(p->arena, text->name ? text->name : "");
    ptx_lexer_init(&p->lexer, text->text, length);
}

static enum sw_status parse_texts(struct ptx_parser *p, const struct ptx_text *texts, uint32_t count)
{
    unsigned sm = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (texts[i].length >= UINT32_MAX / 2)
            return sw_fail_at(p->error, SW_SYNTAX, texts[i].name, 0, 0, "PTX of %zu bytes is too large",
                              texts[i].length);
        begin_text(p, &texts[i]);
        SW_TRY(parse_text(p));
        if (p->module->sm > sm) sm = p->module->sm;
    }
    p->module->sm = sm;
    p->module->name = arena_strdup(p->arena, texts[0].name ? texts[0].name : "");
    return SW_OK;
}

static void finish_module(struct ptx_parser *p)
{
    struct ptx_module *module = p->module;
    module->vars = arena_copy(p->arena, p->vars.at, p->vars.count * sizeof *p->vars.at);
    module->var_count = (uint32_t)p->vars.count;
    module->functions = arena_copy(p->arena, p->functions.at, p->functions.count * sizeof *p->functions.at);
    module->function_count = (uint32_t)p->functions.count;
    module->files = arena_copy(p->arena, p->files.at, p->files.count * sizeof *p->files.at);
    module->file_count = (uint32_t)p->files.count;
    for (uint32_t i = 0; i < module->var_count; i++)
        map_set(&module->var_map, module->vars[i]->name, module->vars[i]);
    for (uint32_t i = 0; i < module->function_count; i++)
        map_set(&module->function_map, module->functions[i]->name, module->functions[i]);
}

static void release_parser(struct ptx_parser *p)
{
    vec_release(&p->vars);
    vec_release(&p->functions);
    vec_release(&p->files);
    vec_release(&p->regs);
    vec_release(&p->locals);
    vec_release(&p->instrs);
    vec_release(&p->labels);
    vec_release(&p->tables);
    vec_release(&p->pragmas);
    vec_release(&p->fixups);
    vec_release(&p->named_locs);
    map_release(&p->module_names);
    map_release(&p->taken);
    map_release(&p->names);
    map_release(&p->ranges);
    map_release(&p->locs);
    map_release(&p->debug_labels);
    str_release(&p->debug_str);
}

enum sw_status ptx_parse_linked(const struct ptx_text *texts, uint32_t count, struct ptx_module **out,
                                struct sw_error *error)
{
    struct ptx_module *module = sw_xcalloc(1, sizeof *module);
    struct ptx_parser *p = sw_xcalloc(1, sizeof *p);
    arena_init(&module->arena);
    module->address_bits = 64;
    module->name = "";
    *p = (struct ptx_parser){.module = module, .arena = &module->arena, .error = error};
    enum sw_status status = parse_texts(p, texts, count);
    if (status == SW_OK) {
        finish_module(p);
        *out = module;
    } else {
        ptx_module_free(module);
    }
    release_parser(p);
    free(p);
    return status;
}

enum sw_status ptx_parse(const char *text, size_t length, const char *name, struct ptx_module **out,
                         struct sw_error *error)
{
    return ptx_parse_linked(&(struct ptx_text){text, length, name}, 1, out, error);
}

void ptx_module_free(struct ptx_module *module)
{
    if (!module) return;
    map_release(&module->function_map);
    map_release(&module->var_map);
    arena_release(&module->arena);
    free(module);
}

struct ptx_function *ptx_find_function(const struct ptx_module *module, const char *name)
{
    return map_get(&module->function_map, name);
}

struct ptx_var *ptx_find_var(const struct ptx_module *module, const char *name)
{
    return map_get(&module->var_map, name);
}
