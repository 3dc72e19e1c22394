/* SPDX-License-Identifier: Apache-2.0 */
/* Variables and parameters, PTX ISA 5.4.
 *
 *   variables  := space { .align N | .attribute(...) | .v2 | .v4 | .ptr [space] } .type item { , item } ;
 *   item       := name [ <N> ] { [ [N] ] } [ = initialiser ]
 *   .reg       := .reg [.v2|.v4] .type name [<N>] { , ... } ;
 *
 * Limits: an initialised variable takes its whole size in memory, so the sum of those sizes is bounded by
 * INIT_ALLOWANCE plus a multiple of the text; sizes are below 2^48 bytes. */
#include "ptx_priv.h"

#include <string.h>

enum { INIT_ALLOWANCE = 64 << 20, INIT_PER_TEXT_BYTE = 16 };
#define MOST_BYTES (UINT64_C(1) << 48)

static const struct {
    const char *word;
    enum ptx_space space;
} spaces[] = {{"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED}, {"const", PTX_SPACE_CONST},
              {"local", PTX_SPACE_LOCAL},   {"param", PTX_SPACE_PARAM},   {"reg", PTX_SPACE_REG},
              {"sreg", PTX_SPACE_SREG},     {"tex", PTX_SPACE_TEX}};

bool ptx_space_begins(const struct ptx_parser *p)
{
    for (size_t i = 0; i < SW_COUNT_OF(spaces); i++)
        if (ptx_at_dot(p, spaces[i].word)) return true;
    return false;
}

struct head { /* what stands before the names */
    enum ptx_space space;
    enum ptx_linkage linkage;
    enum isa_type type;
    uint8_t vector;
    uint32_t align;
    bool managed, is_pointer;
    enum ptx_space pointee;
};

/* .attribute(.managed, .unified(1, 2)) ; '.attribute' was consumed */
static enum sw_status parse_attributes(struct ptx_parser *p, struct head *head)
{
    SW_TRY(ptx_want(p, '(', "'(' after .attribute"));
    do {
        if (p->token.kind != PTX_TOK_DOT) return ptx_expected(p, "an attribute such as .managed");
        head->managed |= ptx_token_is(&p->token, "managed");
        ptx_next(p);
        if (!ptx_accept(p, '(')) continue;
        struct ptx_value value;
        do
            SW_TRY(ptx_parse_expr(p, &value));
        while (ptx_accept(p, ','));
        SW_TRY(ptx_want(p, ')', "')' after an attribute's values"));
    } while (ptx_accept(p, ','));
    return ptx_want(p, ')', "')' after the attributes");
}

static enum sw_status parse_align(struct ptx_parser *p, struct head *head)
{
    struct ptx_token at = p->token;
    SW_TRY(ptx_parse_u32(p, &head->align, "an alignment"));
    if (head->align == 0 || (head->align & (head->align - 1)) || head->align > 1u << 20)
        return ptx_wrong_at(p, &at, "alignment %u is not a power of two up to 2^20", head->align);
    return SW_OK;
}

/* .ptr [.space] of a kernel parameter; its .align is that of the pointee and is not the parameter's own */
static enum sw_status parse_ptr(struct ptx_parser *p, struct head *head)
{
    head->is_pointer = true;
    for (size_t i = 0; i < SW_COUNT_OF(spaces); i++)
        if (ptx_accept_dot(p, spaces[i].word)) head->pointee = spaces[i].space;
    struct head pointee = {0};
    if (ptx_accept_dot(p, "align")) return parse_align(p, &pointee);
    return SW_OK;
}

static bool accept_vector(struct ptx_parser *p, struct head *head)
{
    if (!ptx_at_dot(p, "v2") && !ptx_at_dot(p, "v4") && !ptx_at_dot(p, "v8")) return false;
    head->vector = (uint8_t)(p->token.text[1] - '0');
    ptx_next(p);
    return true;
}

static bool accept_type(struct ptx_parser *p, struct head *head)
{
    if (p->token.kind != PTX_TOK_DOT) return false;
    struct isa_word word = isa_word_find(p->token.text, p->token.length);
    if (word.kind != ISA_WORD_TYPE) return false;
    head->type = (enum isa_type)word.id;
    ptx_next(p);
    return true;
}

static enum sw_status parse_head(struct ptx_parser *p, struct head *head)
{
    for (size_t i = 0; i < SW_COUNT_OF(spaces); i++)
        if (ptx_at_dot(p, spaces[i].word)) head->space = spaces[i].space;
    ptx_next(p);
    while (p->token.kind == PTX_TOK_DOT) {
        if (ptx_accept_dot(p, "align"))
            SW_TRY(parse_align(p, head));
        else if (ptx_accept_dot(p, "attribute"))
            SW_TRY(parse_attributes(p, head));
        else if (ptx_accept_dot(p, "ptr"))
            SW_TRY(parse_ptr(p, head));
        else if (!accept_vector(p, head) && !accept_type(p, head))
            return ptx_expected(p, "a type such as .u32");
    }
    if (!head->type) return ptx_expected(p, "a type such as .u32");
    if (isa_type_bits(head->type) % 8 && head->type != ISA_PRED)
        return ptx_expected(p, "a type of whole bytes before the name");
    if (head->type == ISA_PRED && head->space != PTX_SPACE_REG)
        return ptx_wrong_at(p, &p->token,
                            "a predicate is a register: declare it with .reg inside a function");
    return SW_OK;
}

static uint32_t parse_decl_element_bytes(const struct head *head)
{
    return isa_type_bits(head->type) / 8 * (head->vector ? head->vector : 1u);
}

enum { MOST_DIMENSIONS = 16 };
struct shape {
    uint64_t of[MOST_DIMENSIONS]; /* elements in one row of this level; [0] is the whole */
    uint32_t count;
};

/* { [N] } : sizes multiply; [] only first. count 0: unsized. */
static enum sw_status parse_dimensions(struct ptx_parser *p, struct ptx_var *var, uint32_t bytes,
                                       struct shape *shape)
{
    uint64_t sizes[MOST_DIMENSIONS] = {0};
    bool unsized = false;
    while (ptx_at(p, '[')) {
        if (shape->count == MOST_DIMENSIONS) return ptx_expected(p, "no more than 16 dimensions");
        ptx_next(p);
        struct ptx_token at = p->token;
        if (ptx_at(p, ']') && shape->count == 0) {
            unsized = true;
        } else {
            struct ptx_value value;
            SW_TRY(ptx_parse_expr(p, &value));
            if (value.is_float || value.bits > MOST_BYTES)
                return ptx_wrong_at(p, &at, "an array size is out of range");
            sizes[shape->count] = value.bits;
        }
        shape->count++;
        SW_TRY(ptx_want(p, ']', "']' after an array size"));
    }
    var->is_array = shape->count > 0;
    var->count = 1;
    for (uint32_t i = shape->count; i-- > 0;) {
        if (i == 0 && unsized)
            var->count = 0;
        else if (__builtin_mul_overflow(var->count, sizes[i], &var->count) || var->count > MOST_BYTES / bytes)
            return ptx_wrong_at(p, &p->token, "the array before this is too large");
        shape->of[i] = var->count;
    }
    return SW_OK;
}

/* ---- initialisers ---- */

struct filler {
    struct ptx_var *var;
    const struct shape *shape;
    VEC(uint8_t) bytes;
    VEC(struct ptx_init_reloc) relocs;
    uint64_t at, each, limit; /* position; bytes of an element; all bytes, 0: as many as come */
};

static enum sw_status reserve_bytes(struct ptx_parser *p, struct filler *f, uint64_t bytes)
{
    if (f->limit && bytes > f->limit)
        return ptx_wrong_at(p, &p->token, "more values than the array has elements");
    if (bytes <= f->bytes.count) return SW_OK;
    uint64_t more = bytes - f->bytes.count;
    p->init_bytes += more;
    if (p->init_bytes > INIT_ALLOWANCE + (uint64_t)INIT_PER_TEXT_BYTE * p->text_length)
        return ptx_wrong_at(p, &p->token, "the initialised variables of this module are too large");
    if (bytes > f->bytes.capacity) vec_reserve(&f->bytes, bytes + f->bytes.capacity);
    memset(f->bytes.at + f->bytes.count, 0, more);
    f->bytes.count = bytes;
    return SW_OK;
}

static uint64_t float_bits(struct ptx_value value, enum isa_type type)
{
    double d;
    float single;
    uint32_t low = (uint32_t)value.bits;
    if (!value.is_float) {
        d = value.is_unsigned ? (double)value.bits : (double)(int64_t)value.bits;
    } else if (value.is_f32) {
        if (type == ISA_F32) return low;
        memcpy(&single, &low, sizeof single);
        d = single;
    } else {
        memcpy(&d, &value.bits, sizeof d);
    }
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    if (type != ISA_F32) return bits;
    single = (float)d;
    memcpy(&low, &single, sizeof low);
    return low;
}

static void parse_decl_put(struct filler *f, struct ptx_value value)
{
    enum isa_type type = f->var->type;
    uint64_t bits = type == ISA_F32 || type == ISA_F64 ? float_bits(value, type) : value.bits;
    uint8_t fill = !value.is_unsigned && bits >> 63 ? 0xff : 0;
    for (uint64_t i = 0; i < f->each; i++)
        f->bytes.at[f->at + i] = i < 8 ? (uint8_t)(bits >> (8 * i)) : fill;
}

/* name [+ N] */
static enum sw_status parse_symbol(struct ptx_parser *p, struct ptx_init_reloc *reloc)
{
    const struct ptx_symbol *symbol =
        p->token.kind == PTX_TOK_IDENT ? ptx_name_find(p, p->token.text, p->token.length) : NULL;
    if (!symbol || (symbol->kind != PTX_SYM_VAR && symbol->kind != PTX_SYM_FUNCTION))
        return ptx_expected(p, "a constant, or the name of a variable or function defined before");
    reloc->var = symbol->var;
    reloc->function = symbol->function;
    ptx_next(p);
    return SW_OK;
}

static enum sw_status parse_addend(struct ptx_parser *p, struct ptx_init_reloc *reloc)
{
    if (!ptx_at(p, '+') && !ptx_at(p, '-')) return SW_OK;
    struct ptx_value value;
    SW_TRY(ptx_parse_expr(p, &value));
    if (value.is_float) return ptx_expected(p, "an integer offset");
    reloc->addend += (int64_t)value.bits;
    return SW_OK;
}

/* name [+ N] | generic ( name [+ N] ) [+ N] */
static enum sw_status parse_address(struct ptx_parser *p, struct ptx_init_reloc *reloc)
{
    if (p->token.kind == PTX_TOK_IDENT && ptx_token_is(&p->token, "generic") &&
        ptx_token_punct(ptx_peek(p), '(')) {
        ptx_next(p);
        ptx_next(p);
        reloc->generic = true;
        SW_TRY(parse_symbol(p, reloc));
        SW_TRY(parse_addend(p, reloc));
        SW_TRY(ptx_want(p, ')', "')' after generic(name"));
    } else {
        SW_TRY(parse_symbol(p, reloc));
    }
    return parse_addend(p, reloc);
}

/* 0xff00 ( address ) : one byte of an address; the mask has been read and '(' is next */
static enum sw_status parse_masked(struct ptx_parser *p, struct filler *f, uint64_t mask)
{
    struct ptx_init_reloc reloc = {.offset = f->at, .bytes = 1};
    while (reloc.shift < 56 && mask != UINT64_C(0xff) << reloc.shift)
        reloc.shift += 8;
    if (mask != UINT64_C(0xff) << reloc.shift || f->each != 1)
        return ptx_expected(p,
                            "a mask of one byte, such as 0xff00, in an initialiser of .b8 or .u8, before it");
    ptx_next(p);
    SW_TRY(parse_address(p, &reloc));
    SW_TRY(ptx_want(p, ')', "')' after a masked address"));
    *vec_push(&f->relocs) = reloc;
    return SW_OK;
}

static enum sw_status parse_element(struct ptx_parser *p, struct filler *f)
{
    SW_TRY(reserve_bytes(p, f, f->at + f->each));
    struct ptx_value value = {0};
    if (p->token.kind == PTX_TOK_INT && ptx_token_punct(ptx_peek(p), '(')) {
        uint64_t mask = p->token.bits;
        ptx_next(p);
        SW_TRY(parse_masked(p, f, mask));
    } else if (ptx_expr_begins(p)) {
        struct ptx_token at = p->token;
        SW_TRY(ptx_parse_expr(p, &value));
        if (value.is_float && f->var->type != ISA_F32 && f->var->type != ISA_F64)
            return ptx_wrong_at(p, &at, "expected an integer for an element of type .%s",
                                isa_type_name(f->var->type));
        parse_decl_put(f, value);
    } else {
        struct ptx_init_reloc reloc = {.offset = f->at, .bytes = (uint8_t)f->each};
        SW_TRY(parse_address(p, &reloc));
        if (f->each != 8 && f->each != 4)
            return ptx_expected(p, "a 64-bit or 32-bit element for the address before");
        *vec_push(&f->relocs) = reloc;
    }
    f->at += f->each;
    return SW_OK;
}

/* { value | { ... } , ... } ; an inner group fills one row of its level */
static enum sw_status parse_group(struct ptx_parser *p, struct filler *f, uint32_t level)
{
    if (level > MOST_DIMENSIONS) return ptx_expected(p, "initialisers that nest at most 16 deep");
    SW_TRY(ptx_want(p, '{', "'{'"));
    uint64_t start = f->at;
    while (!ptx_at(p, '}')) {
        SW_TRY(ptx_at(p, '{') ? parse_group(p, f, level + 1) : parse_element(p, f));
        if (!ptx_accept(p, ',')) break;
    }
    SW_TRY(ptx_want(p, '}', "',' or '}' in an initialiser"));
    uint64_t row = level < f->shape->count ? f->shape->of[level] : 1;
    uint64_t row_bytes = row * f->each * (f->var->vector > 1 ? f->var->vector : 1u);
    if (level == 0 || f->at - start >= row_bytes) return SW_OK;
    SW_TRY(reserve_bytes(p, f, start + row_bytes));
    f->at = start + row_bytes;
    return SW_OK;
}

static enum sw_status parse_decl_fill(struct ptx_parser *p, struct filler *f)
{
    SW_TRY(ptx_at(p, '{') ? parse_group(p, f, 0) : parse_element(p, f));
    struct ptx_var *var = f->var;
    uint32_t unit = (uint32_t)f->each * var->vector;
    if (var->count == 0) var->count = (f->at + unit - 1) / unit;
    var->bytes = var->count * unit;
    SW_TRY(reserve_bytes(p, f, var->bytes));
    var->init = arena_copy(p->arena, f->bytes.at, var->bytes);
    var->relocs = arena_copy(p->arena, f->relocs.at, f->relocs.count * sizeof *f->relocs.at);
    var->reloc_count = (uint32_t)f->relocs.count;
    return SW_OK;
}

static enum sw_status parse_initialiser(struct ptx_parser *p, struct ptx_var *var, const struct shape *shape)
{
    struct filler f = {.var = var, .shape = shape, .each = isa_type_bits(var->type) / 8, .limit = var->bytes};
    enum sw_status status = parse_decl_fill(p, &f);
    vec_release(&f.bytes);
    vec_release(&f.relocs);
    return status;
}

/* ---- declarations ---- */

static struct ptx_var *new_var(struct ptx_parser *p, const struct head *head, const struct ptx_token *name)
{
    struct ptx_var *var = ARENA_NEW(p->arena, struct ptx_var);
    uint32_t natural = parse_decl_element_bytes(head);
    *var = (struct ptx_var){.name = ptx_keep(p, name),
                            .space = head->space,
                            .linkage = head->linkage,
                            .type = head->type,
                            .vector = head->vector ? head->vector : 1,
                            .align = head->align > natural ? head->align : natural,
                            .written_align = head->align,
                            .managed = head->managed,
                            .is_pointer = head->is_pointer,
                            .pointee = head->pointee,
                            .owner = p->function,
                            .line = name->line};
    return var;
}

static bool is_tentative(const struct ptx_var *var)
{
    return var->linkage == PTX_LINK_WEAK || var->linkage == PTX_LINK_COMMON;
}

/* What a second declaration of a name means: extern ones are forward uses, weak and common ones give way. */
static enum sw_status merge_var(struct ptx_parser *p, struct ptx_var *old, struct ptx_var *var,
                                const struct ptx_token *name)
{
    bool declares = var->linkage == PTX_LINK_EXTERN, declared = old->linkage == PTX_LINK_EXTERN;
    if (!declares && !declared && !is_tentative(old) && !is_tentative(var))
        return ptx_wrong_at(p, name, "'%s' is already defined", old->name);
    var->index = old->index;
    var->name = old->name;
    if (!declares && (declared || (is_tentative(old) && !is_tentative(var)))) *old = *var;
    return SW_OK;
}

/* A module-scope name may be declared extern first and defined later; uses see the one object. */
static enum sw_status enter_module_var(struct ptx_parser *p, struct ptx_var *var,
                                       const struct ptx_token *name)
{
    struct ptx_symbol *old = map_get_n(&p->module_names, name->text, name->length);
    if (old && old->kind != PTX_SYM_VAR) return ptx_wrong_at(p, name, "'%s' is already defined", var->name);
    if (old) return merge_var(p, old->var, var, name);
    struct ptx_symbol symbol = {.kind = PTX_SYM_VAR, .var = var, .name = var->name, .length = name->length};
    map_set_n(&p->module_names, symbol.name, name->length, arena_copy(p->arena, &symbol, sizeof symbol));
    var->name = ptx_name_in_module(p, symbol.name);
    var->index = (uint32_t)p->vars.count;
    *vec_push(&p->vars) = var;
    return SW_OK;
}

/* A .global or .const variable declared inside a function is a module variable that only the function can
 * name: it moves to the module under a name of its own. */
static void hoist(struct ptx_parser *p, struct ptx_var *var)
{
    const char *name = arena_printf(p->arena, "%s$%s", p->function->name, var->name);
    for (unsigned i = 2; map_get(&p->module_names, name); i++)
        name = arena_printf(p->arena, "%s$%s$%u", p->function->name, var->name, i);
    struct ptx_symbol symbol = {
        .kind = PTX_SYM_VAR, .var = var, .name = name, .length = (uint32_t)strlen(name)};
    map_set(&p->module_names, name, arena_copy(p->arena, &symbol, sizeof symbol));
    var->name = name;
    var->owner = NULL;
    var->index = (uint32_t)p->vars.count;
    *vec_push(&p->vars) = var;
}

static enum sw_status enter_var(struct ptx_parser *p, struct ptx_var *var, const struct ptx_token *name)
{
    if (!p->function) return enter_module_var(p, var, name);
    bool is_module = var->space == PTX_SPACE_GLOBAL || var->space == PTX_SPACE_CONST;
    if (is_module && var->linkage == PTX_LINK_EXTERN) {
        SW_TRY(enter_module_var(p, var, name));
        var->owner = NULL;
        return SW_OK; /* found by its name in the module */
    }
    if (is_module) {
        hoist(p, var);
    } else {
        var->index = (uint32_t)p->locals.count;
        *vec_push(&p->locals) = var;
    }
    return ptx_name_add(p, name, name->text, name->length,
                        (struct ptx_symbol){.kind = PTX_SYM_VAR, .var = var});
}

static enum sw_status parse_var(struct ptx_parser *p, const struct head *head)
{
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "a name");
    struct ptx_token name = p->token;
    struct ptx_var *var = new_var(p, head, &name);
    ptx_next(p);
    struct shape shape = {0};
    SW_TRY(parse_dimensions(p, var, parse_decl_element_bytes(head), &shape));
    var->bytes = var->count * parse_decl_element_bytes(head);
    if (ptx_accept(p, '=')) SW_TRY(parse_initialiser(p, var, &shape));
    return enter_var(p, var, &name);
}

/* name | name < N > */
static enum sw_status parse_reg(struct ptx_parser *p, const struct head *head)
{
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "a register name");
    struct ptx_token name = p->token;
    struct ptx_symbol symbol = {.kind = PTX_SYM_REG, .type = head->type, .vector = head->vector};
    ptx_next(p);
    if (ptx_accept(p, '<')) {
        symbol.kind = PTX_SYM_RANGE;
        SW_TRY(ptx_parse_u32(p, &symbol.index, "a number of registers"));
        SW_TRY(ptx_want(p, '>', "'>' after the number of registers"));
    } else {
        SW_TRY(ptx_reg_add(p, &name, name.text, name.length, head->type, head->vector, &symbol.index));
    }
    return ptx_name_add(p, &name, name.text, name.length, symbol);
}

enum sw_status ptx_parse_vars(struct ptx_parser *p, enum ptx_linkage linkage)
{
    struct head head = {.linkage = linkage};
    SW_TRY(parse_head(p, &head));
    if (head.space == PTX_SPACE_REG && !p->function)
        return ptx_wrong_at(p, &p->token, "a .reg outside of a function");
    do
        SW_TRY(head.space == PTX_SPACE_REG ? parse_reg(p, &head) : parse_var(p, &head));
    while (ptx_accept(p, ','));
    return ptx_want(p, ';', "';' after a declaration");
}

enum sw_status ptx_parse_param(struct ptx_parser *p, struct ptx_var **out, uint32_t *reg)
{
    struct head head = {0};
    struct shape shape = {0};
    if (!ptx_at_dot(p, "param") && !ptx_at_dot(p, "reg")) return ptx_expected(p, ".param or .reg");
    SW_TRY(parse_head(p, &head));
    if (p->token.kind != PTX_TOK_IDENT) return ptx_expected(p, "a parameter name, or _");
    struct ptx_token name = p->token;
    struct ptx_var *var = new_var(p, &head, &name);
    ptx_next(p);
    SW_TRY(parse_dimensions(p, var, isa_type_bits(head.type) == 1 ? 1 : parse_decl_element_bytes(&head),
                            &shape));
    var->bytes = var->count * parse_decl_element_bytes(&head);
    *out = var;
    *reg = PTX_NO_REG;
    if (ptx_token_is(&name, "_") || p->depth == 0) return SW_OK; /* a prototype's names mean nothing */
    struct ptx_symbol symbol = {.kind = PTX_SYM_VAR, .var = var};
    if (head.space == PTX_SPACE_REG) {
        symbol = (struct ptx_symbol){.kind = PTX_SYM_REG, .type = head.type, .vector = head.vector};
        SW_TRY(ptx_reg_add(p, &name, name.text, name.length, head.type, head.vector, reg));
        symbol.index = *reg;
    }
    return ptx_name_add(p, &name, name.text, name.length, symbol);
}
