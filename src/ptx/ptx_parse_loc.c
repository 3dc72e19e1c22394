/* SPDX-License-Identifier: Apache-2.0 */
/* Source positions: .file, .loc, and .section (only .debug_str is read, for the names of inlined functions;
 * every other section is skipped).
 *
 *   .file index "name" [, timestamp, size]
 *   .loc file line column [ , function_name label [ + N ] , inlined_at file line column ]
 *
 * inlined_at names the position of another .loc of the same function; the newest such .loc becomes the
 * caller. */
#include "ptx_priv.h"

#include <string.h>

enum {
    MOST_FILES = 1 << 16,
    MOST_CALLERS = 64
}; /* a chain of callers is cut there, so that it can be walked */

enum sw_status ptx_parse_file(struct ptx_parser *p)
{
    uint32_t index, unused;
    struct ptx_token at = p->token;
    SW_TRY(ptx_parse_u32(p, &index, "a file number"));
    if (index >= MOST_FILES || p->file_base >= UINT32_MAX / 2)
        return ptx_wrong_at(p, &at, "file number %u is too large", index);
    if (p->token.kind != PTX_TOK_STRING) return ptx_expected(p, "a file name in quotes");
    index += p->file_base;
    while (p->files.count <= index)
        *vec_push(&p->files) = NULL;
    p->files.at[index] = ptx_keep(p, &p->token);
    ptx_next(p);
    while (ptx_accept(p, ','))
        SW_TRY(ptx_parse_u32(p, &unused, "a number"));
    return SW_OK;
}

static uint64_t parse_loc_key_of(const struct ptx_loc *loc)
{
    uint32_t parts[3] = {loc->file, loc->line, loc->column};
    return sw_hash_bytes(parts, sizeof parts, 0);
}

static enum sw_status parse_position(struct ptx_parser *p, struct ptx_loc *loc)
{
    SW_TRY(ptx_parse_u32(p, &loc->file, "a file number"));
    loc->file += p->file_base;
    SW_TRY(ptx_parse_u32(p, &loc->line, "a line number"));
    return ptx_parse_u32(p, &loc->column, "a column number");
}

/* function_name label [ + N ] */
static enum sw_status parse_function_name(struct ptx_parser *p, struct ptx_loc *loc)
{
    ptx_next(p);
    if (p->token.kind != PTX_TOK_IDENT && p->token.kind != PTX_TOK_DOT) return ptx_expected(p, "a label");
    struct ptx_named_loc *named = vec_push(&p->named_locs);
    *named = (struct ptx_named_loc){loc, p->token.text, p->token.length, 0};
    ptx_next(p);
    if (!ptx_accept(p, '+')) return SW_OK;
    if (p->token.kind != PTX_TOK_INT) return ptx_expected(p, "an offset");
    named->offset = p->token.bits;
    ptx_next(p);
    return SW_OK;
}

static unsigned chain_length(const struct ptx_loc *loc)
{
    unsigned length = 0;
    for (; loc; loc = loc->caller)
        length++;
    return length;
}

static enum sw_status parse_inlined_at(struct ptx_parser *p, struct ptx_loc *loc)
{
    struct ptx_loc *call = ARENA_NEW(p->arena, struct ptx_loc);
    ptx_next(p);
    SW_TRY(parse_position(p, call));
    struct ptx_loc *known = map_get_u64(&p->locs, parse_loc_key_of(call));
    loc->caller = known && chain_length(known) < MOST_CALLERS ? known : call;
    return SW_OK;
}

/* '.loc' was consumed */
enum sw_status ptx_parse_loc(struct ptx_parser *p)
{
    struct ptx_loc *loc = ARENA_NEW(p->arena, struct ptx_loc);
    SW_TRY(parse_position(p, loc));
    while (ptx_accept(p, ',')) {
        if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "function_name or inlined_at");
        if (ptx_token_is(&p->token, "function_name"))
            SW_TRY(parse_function_name(p, loc));
        else if (ptx_token_is(&p->token, "inlined_at"))
            SW_TRY(parse_inlined_at(p, loc));
        else
            return ptx_expected(p, "function_name or inlined_at");
    }
    map_set_u64(&p->locs, parse_loc_key_of(loc), loc);
    p->loc = loc;
    return SW_OK;
}

/* { { label : | .b8 n, n ... } } of .debug_str; '{' was consumed */
static enum sw_status parse_strings(struct ptx_parser *p)
{
    while (!ptx_at(p, '}')) {
        if (p->token.kind == PTX_TOK_IDENT && ptx_token_punct(ptx_peek(p), ':')) {
            map_set_n(&p->debug_labels, p->token.text, p->token.length, (void *)(p->debug_str.length + 1));
            ptx_next(p);
        } else if (p->token.kind == PTX_TOK_INT) {
            str_add_char(&p->debug_str, (char)p->token.bits);
        } else if (p->token.kind == PTX_TOK_END || p->token.kind == PTX_TOK_BAD) {
            return ptx_expected(p, "'}' to close a section");
        }
        ptx_next(p);
    }
    return SW_OK;
}

static enum sw_status skip_section(struct ptx_parser *p)
{
    for (int depth = 1; depth > 0;) {
        if (p->token.kind == PTX_TOK_END || p->token.kind == PTX_TOK_BAD)
            return ptx_expected(p, "'}' to close a section");
        depth += ptx_at(p, '{') - ptx_at(p, '}');
        if (depth > 0) ptx_next(p);
    }
    return SW_OK;
}

/* .section .debug_info { ... } ; '.section' was consumed */
enum sw_status ptx_parse_section(struct ptx_parser *p)
{
    if (p->token.kind != PTX_TOK_DOT && p->token.kind != PTX_TOK_IDENT)
        return ptx_expected(p, "a section name");
    bool strings = ptx_at_dot(p, "debug_str");
    ptx_next(p);
    SW_TRY(ptx_want(p, '{', "'{' to open a section"));
    SW_TRY(strings ? parse_strings(p) : skip_section(p));
    return ptx_want(p, '}', "'}' to close a section");
}

/* Give the .loc entries the names that .debug_str turned out to hold. */
void ptx_name_locs(struct ptx_parser *p)
{
    struct map kept = {0}; /* offset in debug_str + 1 -> name */
    for (size_t i = 0; i < p->named_locs.count; i++) {
        const struct ptx_named_loc *named = &p->named_locs.at[i];
        uint64_t found = (uint64_t)map_get_n(&p->debug_labels, named->label, named->length);
        uint64_t start = found - 1 + named->offset;
        if (!found || named->offset >= p->debug_str.length || start >= p->debug_str.length) continue;
        char *name = map_get_u64(&kept, start + 1);
        if (!name) {
            const char *text = p->debug_str.text + start;
            name = arena_strndup(p->arena, text, strnlen(text, p->debug_str.length - start));
            map_set_u64(&kept, start + 1, name);
        }
        named->loc->function = name;
    }
    map_release(&kept);
}
