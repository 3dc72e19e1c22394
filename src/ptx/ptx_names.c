/* SPDX-License-Identifier: Apache-2.0 */
/* Names in a function body: one map from text to the innermost meaning; each meaning remembers what it hides,
 * so closing a scope is undoing its own list. `.reg .b32 %r<100>` is one range symbol; %r57 becomes a
 * register when it is first used, so that a range of a million unused registers costs nothing. Labels may be
 * used before they are defined: such uses wait in p->fixups until their scope closes, and move outward while
 * nothing matches. */
#include "ptx_priv.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct map *map_for(struct ptx_parser *p, enum ptx_symbol_kind kind)
{
    return kind == PTX_SYM_RANGE ? &p->ranges : &p->names;
}

static struct ptx_symbol *names_add(struct ptx_parser *p, const char *name, uint32_t length,
                                    struct ptx_symbol symbol)
{
    struct ptx_symbol *copy = arena_copy(p->arena, &symbol, sizeof symbol);
    struct map *map = map_for(p, symbol.kind);
    copy->name = name;
    copy->length = length;
    copy->hidden = map_get_n(map, name, length);
    copy->next = p->scope[copy->depth];
    p->scope[copy->depth] = copy;
    map_set_n(map, name, length, copy);
    return copy;
}

/* The range that %r57 belongs to: every split into a prefix and a number without leading zeros is tried. */
static struct ptx_symbol *find_range(struct ptx_parser *p, const char *name, uint32_t length,
                                     uint32_t *number)
{
    uint64_t value = 0, scale = 1;
    struct ptx_symbol *best = NULL;
    for (uint32_t prefix = length; prefix > 1 && length - prefix < 8 && is_digit(name[prefix - 1]);) {
        prefix--;
        value += (uint64_t)(name[prefix] - '0') * scale;
        scale *= 10;
        if (name[prefix] == '0' && length - prefix > 1) continue;
        struct ptx_symbol *range = map_get_n(&p->ranges, name, prefix);
        if (range && value < range->index && (!best || range->depth > best->depth)) {
            best = range;
            *number = (uint32_t)value;
        }
    }
    return best;
}

enum sw_status ptx_reg_add(struct ptx_parser *p, const struct ptx_token *at, const char *name,
                           uint32_t length, enum isa_type type, uint8_t vector, uint32_t *out)
{
    if (p->regs.count >= PTX_MAX_REGS)
        return ptx_wrong_at(p, at, "more than %d registers in one function", PTX_MAX_REGS);
    *out = (uint32_t)p->regs.count;
    *vec_push(&p->regs) =
        (struct ptx_reg){.name = arena_strndup(p->arena, name, length), .type = type, .vector = vector};
    return SW_OK;
}

/* A first use of a register of a range. NULL with p->status set when there are too many registers. */
static struct ptx_symbol *materialise(struct ptx_parser *p, const struct ptx_symbol *range, const char *name,
                                      uint32_t length)
{
    struct ptx_symbol reg = {.kind = PTX_SYM_REG, .depth = range->depth, .type = range->type};
    if (ptx_reg_add(p, &p->token, name, length, range->type, range->vector, &reg.index) != SW_OK) return NULL;
    return names_add(p, name, length, reg);
}

struct ptx_symbol *ptx_name_find(struct ptx_parser *p, const char *name, uint32_t length)
{
    struct ptx_symbol *symbol = map_get_n(&p->names, name, length);
    if (symbol && (!p->nested_ranges || symbol->depth == p->depth)) return symbol;
    uint32_t number;
    const struct ptx_symbol *range =
        length && is_digit(name[length - 1]) ? find_range(p, name, length, &number) : NULL;
    if (range && (!symbol || range->depth > symbol->depth)) return materialise(p, range, name, length);
    return symbol ? symbol : map_get_n(&p->module_names, name, length);
}

enum sw_status ptx_name_add(struct ptx_parser *p, const struct ptx_token *at, const char *name,
                            uint32_t length, struct ptx_symbol symbol)
{
    symbol.depth = p->depth;
    const struct ptx_symbol *old = map_get_n(map_for(p, symbol.kind), name, length);
    if (old && old->depth == p->depth)
        return ptx_wrong_at(p, at, "'%.*s' is already defined in this scope",
                            (int)(length < 200 ? length : 200), name);
    if (symbol.kind == PTX_SYM_RANGE && p->depth > 1) p->nested_ranges = true;
    names_add(p, name, length, symbol);
    return SW_OK;
}

enum sw_status ptx_scope_open(struct ptx_parser *p)
{
    if (p->depth == PTX_MAX_DEPTH)
        return ptx_wrong_at(p, &p->token, "scopes nest deeper than %d", PTX_MAX_DEPTH);
    p->scope[++p->depth] = NULL;
    p->scope_fixups[p->depth] = p->fixups.count;
    return SW_OK;
}

static bool names_settle(struct ptx_parser *p, const struct ptx_fixup *fixup)
{
    const struct ptx_symbol *symbol = map_get_n(&p->names, fixup->name, fixup->length);
    if (!symbol || symbol->depth != p->depth) return false;
    if (symbol->kind != PTX_SYM_LABEL && symbol->kind != PTX_SYM_TABLE) return false;
    if (fixup->slot) {
        *fixup->slot = symbol->index;
        return symbol->kind == PTX_SYM_LABEL;
    }
    struct ptx_operand *operand = &p->instrs.at[fixup->instr].operands[fixup->operand];
    operand->kind = symbol->kind == PTX_SYM_LABEL ? ISA_OPD_LABEL : ISA_OPD_PROTO;
    operand->target = symbol->index;
    operand->table = symbol->table;
    return true;
}

enum sw_status ptx_scope_close(struct ptx_parser *p)
{
    size_t first = p->scope_fixups[p->depth], kept = first;
    for (size_t i = first; i < p->fixups.count; i++)
        if (!names_settle(p, &p->fixups.at[i])) p->fixups.at[kept++] = p->fixups.at[i];
    p->fixups.count = kept;
    for (struct ptx_symbol *s = p->scope[p->depth]; s; s = s->next)
        map_set_n(map_for(p, s->kind), s->name, s->length, s->hidden);
    if (--p->depth > 0 || kept == 0) return SW_OK;
    const struct ptx_fixup *fixup = &p->fixups.at[0];
    struct ptx_token at = {.line = fixup->line, .column = fixup->column};
    return ptx_wrong_at(p, &at, "undefined name '%.*s'", (int)(fixup->length < 200 ? fixup->length : 200),
                        fixup->name);
}
