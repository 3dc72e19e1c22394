/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX: the texts of several translation units become one, as nvlink does with their machine code.
 *
 * Works on text, statement by statement, because one text is what ptx/ parses:
 *   1. names that only one unit may see (no linkage directive) get a suffix where another unit has the same
 * name;
 *   2. prototypes go first, with the linkage of the definition; then variables, then functions;
 *   3. a declaration that is defined somewhere is dropped; of several weak definitions the first stays;
 *   4. file numbers of .file, .loc and inlined_at are shifted so that units do not share them.
 * Limits: two units' common variables must agree in size, which is not checked; a variable whose initial
 * value is the address of a variable of a later unit is not found. */
#include "driver_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum linkage { LOCAL, EXTERN, VISIBLE, WEAK, COMMON };
enum sort { HEADER, FILE_NUMBER, FUNCTION, VARIABLE, OTHER };
struct statement {
    const char *begin, *end; /* text without the linkage directive */
    enum sort sort;
    enum linkage linkage;
    bool defines;
    unsigned unit;
    char *name; /* NULL: none */
};
struct linker {
    struct arena arena;
    VEC(struct statement) statements;
    struct map definitions; /* by name: the statement's number + 1, of names that all units see */
    struct map locals[2];   /* [0]: names seen in any unit, by unit + 1; [1]: names to be made unique */
    unsigned units;
    unsigned *file_base; /* by unit */
    struct str *out;
    struct sw_error *error;
};

/* ---- scanning */

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Past white space and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

/* Past one token: a word (with its dots), a string, or one character. */
static const char *token_end(const char *at)
{
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            if (*at == '\\' && at[1]) at++;
        return *at ? at + 1 : at;
    }
    if (*at == '.' || *at == '@' || is_name_start(*at) || isdigit((unsigned char)*at)) {
        at++;
        while (is_name(*at) || *at == '.')
            at++;
        return at;
    }
    return *at ? at + 1 : at;
}

static bool token_is(const char *at, const char *end, const char *text)
{
    return (size_t)(end - at) == strlen(text) && memcmp(at, text, (size_t)(end - at)) == 0;
}

static bool is_line_directive(const char *at, const char *end)
{
    static const char *const words[] = {".version", ".target", ".address_size", ".file"};
    for (size_t i = 0; i < SW_COUNT_OF(words); i++)
        if (token_is(at, end, words[i])) return true;
    return false;
}

/* A statement ends with its line (.version ...), with ';', or with the '}' of a body; braces after '=' are an
 * initial value. */
static const char *statement_end(const char *at, bool *body)
{
    unsigned depth = 0;
    bool value = false;
    *body = false;
    if (is_line_directive(at, token_end(at))) return at + strcspn(at, "\n");
    while (*at) {
        const char *end = token_end(at);
        if (*at == '=') value = true;
        if (*at == '{') depth++;
        if (*at == '{' && !value) *body = true;
        if (*at == '}' && depth && --depth == 0 && !value) return end;
        if (*at == ';' && depth == 0) return end;
        at = skip(end);
    }
    return at;
}

/* The first name outside parentheses: what the statement declares. */
static char *declared_name(struct linker *linker, const char *at, const char *end)
{
    unsigned depth = 0;
    while (at < end) {
        const char *stop = token_end(at);
        if (*at == '(') depth++;
        if (*at == ')' && depth) depth--;
        if (depth == 0 && is_name_start(*at)) return arena_strndup(&linker->arena, at, (size_t)(stop - at));
        at = skip(stop);
    }
    return NULL;
}

static enum linkage linkage_of(const char **at)
{
    static const char *const words[] = {".extern", ".visible", ".weak", ".common"};
    const char *end = token_end(*at);
    for (size_t i = 0; i < SW_COUNT_OF(words); i++)
        if (token_is(*at, end, words[i])) {
            *at = skip(end);
            return (enum linkage)(EXTERN + i);
        }
    return LOCAL;
}

static enum sort sort_of(const char *at)
{
    static const char *const spaces[] = {".global", ".const", ".shared", ".local"};
    const char *end = token_end(at);
    if (token_is(at, end, ".file")) return FILE_NUMBER;
    if (is_line_directive(at, end)) return HEADER;
    if (token_is(at, end, ".func") || token_is(at, end, ".entry")) return FUNCTION;
    for (size_t i = 0; i < SW_COUNT_OF(spaces); i++)
        if (token_is(at, end, spaces[i])) return VARIABLE;
    return OTHER;
}

static void scan(struct linker *linker, const char *text, unsigned unit)
{
    for (const char *at = skip(text); *at;) {
        struct statement statement = {.unit = unit};
        bool body;
        const char *end = statement_end(at, &body);
        statement.linkage = linkage_of(&at);
        statement.sort = sort_of(at);
        statement.begin = at;
        statement.end = end;
        bool named = statement.sort == FUNCTION || statement.sort == VARIABLE;
        if (named) statement.name = declared_name(linker, skip(token_end(at)), end);
        statement.defines = statement.sort == FUNCTION ? body : statement.linkage != EXTERN;
        *vec_push(&linker->statements) = statement;
        at = skip(end);
    }
}

/* ---- names */

static enum sw_status define(struct linker *linker, size_t number)
{
    const struct statement *s = &linker->statements.at[number];
    if (!s->name || !s->defines || s->linkage == LOCAL) return SW_OK;
    size_t before = (size_t)(uintptr_t)map_get(&linker->definitions, s->name);
    if (!before) {
        map_set(&linker->definitions, s->name, (void *)(uintptr_t)(number + 1));
        return SW_OK;
    }
    const struct statement *first = &linker->statements.at[before - 1];
    if (first->linkage == VISIBLE && s->linkage == VISIBLE)
        return sw_fail(linker->error, SW_INVALID_PTX, "'%s' is defined in two of the linked parts", s->name);
    if (s->linkage == VISIBLE) map_set(&linker->definitions, s->name, (void *)(uintptr_t)(number + 1));
    return SW_OK;
}

static void note_name(struct linker *linker, const struct statement *s)
{
    if (!s->name) return;
    uintptr_t unit = s->unit + 1, seen = (uintptr_t)map_get(&linker->locals[0], s->name);
    if (seen && seen != unit) map_set(&linker->locals[1], s->name, s->name);
    map_set(&linker->locals[0], s->name, (void *)unit);
}

/* Local names of a unit that another unit uses too. */
static void local_names(struct linker *linker, unsigned unit, struct map *out)
{
    for (size_t i = 0; i < linker->statements.count; i++) {
        const struct statement *s = &linker->statements.at[i];
        if (s->unit != unit || !s->name || s->linkage != LOCAL || !map_get(&linker->locals[1], s->name))
            continue;
        map_set(out, s->name, arena_printf(&linker->arena, "%s$u%u", s->name, unit));
    }
}

/* ---- writing */

/* One statement, its local names made unique and its file numbers shifted. */
static void write_text(struct linker *linker, const struct statement *s, const struct map *renamed)
{
    const char *at = s->begin;
    bool number_next = false;
    while (at < s->end) {
        const char *end = token_end(at), *next = skip(end);
        const char *other = is_name_start(*at) ? map_get_n(renamed, at, (size_t)(end - at)) : NULL;
        if (other)
            str_add(linker->out, other);
        else if (number_next && isdigit((unsigned char)*at))
            str_printf(linker->out, "%lu", strtoul(at, NULL, 10) + linker->file_base[s->unit]);
        else
            str_add_bytes(linker->out, at, (size_t)(end - at));
        number_next =
            token_is(at, end, ".loc") || token_is(at, end, ".file") || token_is(at, end, "inlined_at");
        if (next > end) str_add_char(linker->out, memchr(end, '\n', (size_t)(next - end)) ? '\n' : ' ');
        at = next;
    }
    str_add_char(linker->out, '\n');
}

static const char *linkage_word(enum linkage linkage)
{
    static const char *const words[] = {"", ".extern ", ".visible ", ".weak ", ".common "};
    return words[linkage];
}

static bool keep(const struct linker *linker, size_t number, enum linkage *linkage)
{
    const struct statement *s = &linker->statements.at[number];
    *linkage = s->linkage;
    if (!s->name || s->linkage == LOCAL) return true;
    size_t chosen = (size_t)(uintptr_t)map_get(&linker->definitions, s->name);
    if (!chosen) return true;
    *linkage = linker->statements.at[chosen - 1].linkage;
    return s->defines ? chosen == number + 1 : s->sort == FUNCTION;
}

/* Those of one sort: prototypes or bodies of functions, variables, the rest. A name is declared once. */
static void write_pass(struct linker *linker, enum sort sort, bool defines)
{
    struct map declared = {0};
    for (unsigned unit = 0; unit < linker->units; unit++) {
        struct map renamed = {0};
        local_names(linker, unit, &renamed);
        for (size_t i = 0; i < linker->statements.count; i++) {
            const struct statement *s = &linker->statements.at[i];
            enum linkage linkage;
            if (s->unit != unit || s->sort != sort || s->defines != defines || !keep(linker, i, &linkage))
                continue;
            if (!defines && s->name && s->linkage != LOCAL) {
                if (map_get(&declared, s->name)) continue;
                map_set(&declared, s->name, linker);
            }
            str_add(linker->out, linkage_word(linkage));
            write_text(linker, s, &renamed);
        }
        map_release(&renamed);
    }
    map_release(&declared);
}

static void write_header(struct linker *linker, const struct driver_ptx_unit *units)
{
    unsigned version = 0, best = 0;
    for (unsigned i = 0; i < linker->units; i++) {
        const struct ptx_module *ptx = units[i].ptx;
        if (ptx->version_major * 10 + ptx->version_minor > version)
            version = ptx->version_major * 10 + ptx->version_minor;
        if (ptx->sm > units[best].ptx->sm) best = i;
    }
    char suffix[2] = {units[best].ptx->sm_suffix, 0};
    str_printf(linker->out, ".version %u.%u\n.target sm_%u%s\n.address_size 64\n", version / 10, version % 10,
               units[best].ptx->sm, suffix);
}

static void write_all(struct linker *linker, const struct driver_ptx_unit *units)
{
    write_header(linker, units);
    write_pass(linker, FILE_NUMBER, true);
    write_pass(linker, FUNCTION, false);
    write_pass(linker, VARIABLE, false);
    write_pass(linker, VARIABLE, true);
    write_pass(linker, FUNCTION, true);
    write_pass(linker, OTHER, true);
}

static enum sw_status link_units(struct linker *linker, const struct driver_ptx_unit *units)
{
    unsigned files = 0;
    for (unsigned i = 0; i < linker->units; i++) {
        linker->file_base[i] = files;
        files += units[i].ptx->file_count + 1;
        scan(linker, units[i].text, i);
    }
    for (size_t i = 0; i < linker->statements.count; i++) {
        note_name(linker, &linker->statements.at[i]);
        SW_TRY(define(linker, i));
    }
    write_all(linker, units);
    return SW_OK;
}

enum sw_status driver_ptx_link(const struct driver_ptx_unit *units, unsigned count, struct str *out,
                               struct sw_error *error)
{
    struct linker linker = {.units = count, .out = out, .error = error};
    arena_init(&linker.arena);
    linker.file_base = ARENA_ARRAY(&linker.arena, unsigned, count);
    enum sw_status status = link_units(&linker, units);
    vec_release(&linker.statements);
    map_release(&linker.definitions);
    map_release(&linker.locals[0]);
    map_release(&linker.locals[1]);
    arena_release(&linker.arena);
    return status;
}
