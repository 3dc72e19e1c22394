/* SPDX-License-Identifier: Apache-2.0 */
/* IR to text that parses back to the same IR.
 *
 * Method: a function is printed as one scope, so names that nested scopes (or inlining) repeat get a suffix;
 * a printed text is a fixed point of parsing and printing but for variables that initialisers use before
 * their definition, which are declared .extern first. Immediates are printed as bit patterns, sizes of
 * several dimensions as one. ptx_print_instr prints names as they are. */
#include "ptx_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct str *out;
    /* whole module only: */
    struct arena arena;
    struct map taken;        /* names in this function */
    struct map renamed;      /* var or table -> its printed name */
    const char **regs;       /* printed names; NULL: as they are */
    const char **labels;     /* by instruction; NULL entries: no label */
    struct map printed_locs; /* position -> loc, as the parser will see them */
    struct map strings;      /* function name of a loc -> its label */
    VEC(const char *) texts; /* in label order */
};

/* ---- operands ---- */

static const char *print_name_of(const struct printer *p, const void *object, const char *name)
{
    const char *other = p->renamed.count ? map_get_u64(&p->renamed, (uint64_t)(uintptr_t)object) : NULL;
    return other ? other : name;
}

static const char *reg_name(const struct printer *p, uint32_t reg)
{
    if (reg == PTX_NO_REG) return "_";
    return p->regs ? p->regs[reg] : p->function->regs[reg].name;
}

/* A label at an instruction: labels are sorted by target. */
static const char *find_label(const struct ptx_function *f, uint32_t target)
{
    uint32_t low = 0, high = f->label_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->labels[middle].target < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->label_count && f->labels[low].target == target ? f->labels[low].name : NULL;
}

static void print_target(struct printer *p, uint32_t target)
{
    const char *name = p->labels ? p->labels[target] : find_label(p->function, target);
    if (name)
        str_add(p->out, name);
    else
        str_printf(p->out, "$at_%" PRIu32, target);
}

static void print_operand(struct printer *p, const struct ptx_operand *operand);

static void print_elements(struct printer *p, const struct ptx_operand *operand, const char *first)
{
    for (uint32_t i = 0; i < operand->count; i++) {
        str_add(p->out, i ? ", " : first);
        print_operand(p, &operand->elements[i]);
    }
}

static void print_offset(struct printer *p, int64_t offset)
{
    if (offset) str_printf(p->out, "+%" PRId64, offset);
}

static void print_memory(struct printer *p, const struct ptx_operand *operand)
{
    str_add_char(p->out, '[');
    if (operand->var)
        str_add(p->out, print_name_of(p, operand->var, operand->var->name));
    else if (operand->reg != PTX_NO_REG)
        str_add(p->out, reg_name(p, operand->reg));
    else
        str_printf(p->out, "%" PRId64, operand->offset);
    if (operand->var || operand->reg != PTX_NO_REG) print_offset(p, operand->offset);
    print_elements(p, operand, ", ");
    str_add_char(p->out, ']');
}

static void print_register(struct printer *p, const struct ptx_operand *operand)
{
    if (operand->negate) str_add_char(p->out, ptx_operand_is_predicate(p->function, operand) ? '!' : '-');
    str_add(p->out, reg_name(p, operand->reg));
    if (operand->selector) str_printf(p->out, ".%s", operand->selector);
    if (operand->kind == ISA_OPD_PAIR) str_printf(p->out, "|%s", reg_name(p, operand->reg2));
}

static void print_vector(struct printer *p, const struct ptx_operand *operand)
{
    str_add_char(p->out, '{');
    print_elements(p, operand, "");
    str_add_char(p->out, '}');
    if (operand->reg2 != PTX_NO_REG) str_printf(p->out, "|%s", reg_name(p, operand->reg2));
}

static void print_operand(struct printer *p, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case ISA_OPD_NONE: break;
    case ISA_OPD_SINK: str_add_char(p->out, '_'); break;
    case ISA_OPD_REG:
    case ISA_OPD_PAIR: print_register(p, operand); break;
    case ISA_OPD_SREG: str_add(p->out, isa_sreg_name(operand->sreg)); break;
    case ISA_OPD_INT: str_printf(p->out, "%" PRId64, (int64_t)operand->bits); break;
    case ISA_OPD_FLOAT:
        str_printf(p->out, operand->is_f32 ? "0f%08" PRIX64 : "0d%016" PRIX64, operand->bits);
        break;
    case ISA_OPD_VAR:
        str_add(p->out, print_name_of(p, operand->var, operand->var->name));
        print_offset(p, operand->offset);
        break;
    case ISA_OPD_FUNC: str_add(p->out, operand->function->name); break;
    case ISA_OPD_LABEL: print_target(p, operand->target); break;
    case ISA_OPD_MEM: print_memory(p, operand); break;
    case ISA_OPD_VEC: print_vector(p, operand); break;
    case ISA_OPD_LIST:
        str_add_char(p->out, '(');
        print_elements(p, operand, "");
        str_add_char(p->out, ')');
        break;
    case ISA_OPD_PROTO: str_add(p->out, print_name_of(p, operand->table, operand->table->name)); break;
    }
}

/* ---- instructions ---- */

void ptx_print_mnemonic(const struct ptx_instr *instr, struct str *out)
{
    unsigned mods = 0, types = 0;
    if (instr->op == ISA_OP_UNKNOWN) {
        const char *text = instr->text ? instr->text : "?";
        str_add_bytes(out, text, strcspn(text, " \t\r\n;"));
        return;
    }
    str_add(out, isa_op_name(instr->op));
    for (unsigned i = 0; i < (unsigned)instr->mod_count + instr->type_count; i++) {
        str_add_char(out, '.');
        if (instr->word_mask >> i & 1)
            str_add(out, isa_type_name((enum isa_type)instr->types[types++]));
        else
            str_add(out, isa_mod_text((enum isa_mod)instr->mods[mods++]));
    }
}

static void print_instr(struct printer *p, const struct ptx_instr *instr)
{
    if (instr->guard != PTX_NO_REG)
        str_printf(p->out, "@%s%s ", instr->guard_negate ? "!" : "", reg_name(p, instr->guard));
    if (instr->op == ISA_OP_UNKNOWN) {
        str_printf(p->out, "%s;", instr->text);
        return;
    }
    ptx_print_mnemonic(instr, p->out);
    for (unsigned i = 0; i < instr->operand_count; i++) {
        str_add(p->out, i ? ", " : " ");
        print_operand(p, &instr->operands[i]);
    }
    str_add_char(p->out, ';');
}

void ptx_print_instr(const struct ptx_module *module, const struct ptx_function *function,
                     const struct ptx_instr *instr, struct str *out)
{
    struct printer p = {.module = module, .function = function, .out = out};
    print_instr(&p, instr);
}

/* ---- names ---- */

/* Suffixes are remembered per name, so that a thousand equal names cost no more than a thousand steps. */
static const char *print_take(struct printer *p, const char *name)
{
    uint32_t *used = map_get(&p->taken, name);
    if (!used && !map_get(&p->module->var_map, name) && !map_get(&p->module->function_map, name)) {
        map_set(&p->taken, name, ARENA_NEW(&p->arena, uint32_t));
        return name;
    }
    if (!used) map_set(&p->taken, name, used = ARENA_NEW(&p->arena, uint32_t));
    const char *candidate;
    do
        candidate = arena_printf(&p->arena, "%s$%" PRIu32, name, ++*used + 1);
    while (map_get(&p->taken, candidate) || map_get(&p->module->var_map, candidate) ||
           map_get(&p->module->function_map, candidate));
    map_set(&p->taken, candidate, ARENA_NEW(&p->arena, uint32_t));
    return candidate;
}

static void rename_object(struct printer *p, const void *object, const char *name)
{
    const char *taken = print_take(p, name);
    if (taken != name) map_set_u64(&p->renamed, (uint64_t)(uintptr_t)object, (void *)taken);
}

static void mark_label(struct printer *p, uint32_t target, const char *name)
{
    if (!p->labels[target]) p->labels[target] = print_take(p, name);
}

static void mark_targets(struct printer *p, const struct ptx_function *f)
{
    for (uint32_t i = 0; i < f->label_count; i++)
        mark_label(p, f->labels[i].target, f->labels[i].name);
    for (uint32_t i = 0; i < f->instr_count; i++)
        for (unsigned o = 0; o < f->instrs[i].operand_count; o++) {
            const struct ptx_operand *operand = &f->instrs[i].operands[o];
            if (operand->kind == ISA_OPD_LABEL && !p->labels[operand->target])
                mark_label(p, operand->target, arena_printf(&p->arena, "$at_%" PRIu32, operand->target));
        }
    for (uint32_t t = 0; t < f->table_count; t++)
        for (uint32_t i = 0; f->tables[t]->kind == PTX_TABLE_BRANCHES && i < f->tables[t]->count; i++)
            if (!p->labels[f->tables[t]->targets[i]])
                mark_label(p, f->tables[t]->targets[i],
                           arena_printf(&p->arena, "$at_%" PRIu32, f->tables[t]->targets[i]));
}

static void name_everything(struct printer *p, const struct ptx_function *f)
{
    map_release(&p->taken);
    map_release(&p->renamed);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->param_regs[i] == PTX_NO_REG && strcmp(f->params[i]->name, "_") != 0)
            rename_object(p, f->params[i], f->params[i]->name);
    for (uint32_t i = 0; i < f->return_count; i++)
        if (f->return_regs[i] == PTX_NO_REG && strcmp(f->returns[i]->name, "_") != 0)
            rename_object(p, f->returns[i], f->returns[i]->name);
    p->regs = ARENA_ARRAY(&p->arena, const char *, f->reg_count);
    p->labels = ARENA_ARRAY(&p->arena, const char *, f->instr_count + 1u);
    for (uint32_t i = 0; i < f->reg_count; i++)
        p->regs[i] = print_take(p, f->regs[i].name);
    for (uint32_t i = 0; i < f->var_count; i++)
        rename_object(p, f->vars[i], f->vars[i]->name);
    for (uint32_t i = 0; i < f->table_count; i++)
        rename_object(p, f->tables[i], f->tables[i]->name);
    mark_targets(p, f);
}

/* ---- declarations ---- */

static const char *const space_words[PTX_SPACE_COUNT] = {
    [PTX_SPACE_REG] = ".reg",       [PTX_SPACE_SREG] = ".sreg",   [PTX_SPACE_CONST] = ".const",
    [PTX_SPACE_GLOBAL] = ".global", [PTX_SPACE_LOCAL] = ".local", [PTX_SPACE_PARAM] = ".param",
    [PTX_SPACE_SHARED] = ".shared", [PTX_SPACE_TEX] = ".tex"};

static const char *linkage_word(enum ptx_linkage linkage)
{
    static const char *const words[] = {"", ".visible ", ".extern ", ".weak ", ".common "};
    return words[linkage];
}

static void print_reloc(struct printer *p, const struct ptx_init_reloc *reloc)
{
    const char *name = reloc->var ? print_name_of(p, reloc->var, reloc->var->name) : reloc->function->name;
    if (reloc->bytes == 1) str_printf(p->out, "0x%" PRIX64 "(", UINT64_C(0xff) << reloc->shift);
    str_printf(p->out, reloc->generic ? "generic(%s)" : "%s", name);
    print_offset(p, reloc->addend);
    if (reloc->bytes == 1) str_add_char(p->out, ')');
}

static void print_value(struct printer *p, const struct ptx_var *var, uint64_t at, uint32_t each)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < each && i < 8; i++)
        bits |= (uint64_t)var->init[at + i] << (8 * i);
    if (var->type == ISA_F32)
        str_printf(p->out, "0f%08" PRIX64, bits);
    else if (var->type == ISA_F64)
        str_printf(p->out, "0d%016" PRIX64, bits);
    else if (each > 8 && var->init[at + 8])
        str_printf(p->out, "%" PRId64, (int64_t)bits);
    else
        str_printf(p->out, each > 8 ? "%" PRIu64 "U" : "%" PRIu64, bits);
}

static void print_initialiser(struct printer *p, const struct ptx_var *var)
{
    uint32_t each = isa_type_bits(var->type) / 8, reloc = 0;
    bool group = var->is_array || var->vector > 1;
    str_add(p->out, group ? " = {" : " = ");
    for (uint64_t at = 0; at < var->bytes; at += each) {
        if (at) str_add(p->out, at / each % 32 ? ", " : ",\n\t");
        if (reloc < var->reloc_count && var->relocs[reloc].offset == at)
            print_reloc(p, &var->relocs[reloc++]);
        else
            print_value(p, var, at, each);
    }
    if (group) str_add_char(p->out, '}');
}

static void print_var(struct printer *p, const struct ptx_var *var, bool forward)
{
    str_add(p->out, forward ? ".extern " : linkage_word(var->linkage));
    str_add(p->out, space_words[var->space]);
    if (var->managed) str_add(p->out, " .attribute(.managed)");
    if (var->written_align) str_printf(p->out, " .align %" PRIu32, var->written_align);
    if (var->vector > 1) str_printf(p->out, " .v%u", var->vector);
    str_printf(p->out, " .%s", isa_type_name(var->type));
    if (var->is_pointer) str_add(p->out, " .ptr");
    if (var->is_pointer && var->pointee) str_printf(p->out, " %s", space_words[var->pointee]);
    str_printf(p->out, " %s", print_name_of(p, var, var->name));
    if (var->is_array && var->count)
        str_printf(p->out, "[%" PRIu64 "]", var->count);
    else if (var->is_array)
        str_add(p->out, "[]");
    if (var->init && !forward) print_initialiser(p, var);
}

static void print_params(struct printer *p, const struct ptx_function *f, struct ptx_var **vars,
                         const uint32_t *regs, uint32_t count)
{
    str_add_char(p->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        if (i) str_add(p->out, ", ");
        if (regs[i] != PTX_NO_REG && f->has_body)
            str_printf(p->out, ".reg .%s %s", isa_type_name(f->regs[regs[i]].type), reg_name(p, regs[i]));
        else
            print_var(p, vars[i], false);
    }
    str_add_char(p->out, ')');
}

static void print_three(struct printer *p, const char *word, const uint32_t n[3])
{
    if (n[0]) str_printf(p->out, "\n.%s %" PRIu32 ", %" PRIu32 ", %" PRIu32, word, n[0], n[1], n[2]);
}

static void print_one(struct printer *p, const char *word, uint32_t n)
{
    if (n) str_printf(p->out, "\n.%s %" PRIu32, word, n);
}

static void print_directives(struct printer *p, const struct ptx_function *f)
{
    print_three(p, "maxntid", f->maxntid);
    print_three(p, "reqntid", f->reqntid);
    print_three(p, "reqnctapercluster", f->reqnctapercluster);
    print_one(p, "minnctapersm", f->minnctapersm);
    print_one(p, "maxnctapersm", f->maxnctapersm);
    print_one(p, "maxnreg", f->maxnreg);
    print_one(p, "maxclusterrank", f->maxclusterrank);
    if (f->explicitcluster) str_add(p->out, "\n.explicitcluster");
    if (f->blocksareclusters) str_add(p->out, "\n.blocksareclusters");
    if (f->noreturn) str_add(p->out, "\n.noreturn");
}

static void print_signature(struct printer *p, const struct ptx_function *f)
{
    str_printf(p->out, "%s%s ", linkage_word(f->linkage), f->is_entry ? ".entry" : ".func");
    if (f->return_count) {
        print_params(p, f, f->returns, f->return_regs, f->return_count);
        str_add_char(p->out, ' ');
    }
    str_add(p->out, f->name);
    print_params(p, f, f->params, f->param_regs, f->param_count);
    print_directives(p, f);
}

static void print_table(struct printer *p, const struct ptx_table *table)
{
    static const char *const words[] = {".branchtargets ", ".calltargets ", ".callprototype "};
    str_printf(p->out, "%s: %s", print_name_of(p, table, table->name), words[table->kind]);
    for (uint32_t i = 0; i < table->count; i++) {
        if (i) str_add(p->out, ", ");
        if (table->kind == PTX_TABLE_BRANCHES)
            print_target(p, table->targets[i]);
        else
            str_add(p->out, table->functions[i]->name);
    }
    if (table->kind == PTX_TABLE_PROTOTYPE) {
        const struct ptx_function *f = table->prototype;
        if (f->return_count) print_params(p, f, f->returns, f->return_regs, f->return_count);
        str_add(p->out, " _ ");
        print_params(p, f, f->params, f->param_regs, f->param_count);
        print_directives(p, f);
    }
    str_add(p->out, ";\n");
}

/* ---- bodies ---- */

/* The registers of .reg parameters: the first ones. */
static uint32_t param_reg_count(const struct ptx_function *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->param_count; i++)
        count += f->param_regs[i] != PTX_NO_REG;
    for (uint32_t i = 0; i < f->return_count; i++)
        count += f->return_regs[i] != PTX_NO_REG;
    return count;
}

/* Registers in their order; neighbours of one type share a line. */
static void print_regs(struct printer *p, const struct ptx_function *f)
{
    bool open = false;
    for (uint32_t i = param_reg_count(f); i < f->reg_count; i++) {
        const struct ptx_reg *reg = &f->regs[i];
        bool same =
            open && reg->type == f->regs[i - 1].type && reg->vector == f->regs[i - 1].vector && i % 16;
        if (open && !same) str_add(p->out, ";\n");
        if (!same && reg->vector)
            str_printf(p->out, "\t.reg .v%u .%s %s", reg->vector, isa_type_name(reg->type), p->regs[i]);
        else if (!same)
            str_printf(p->out, "\t.reg .%s %s", isa_type_name(reg->type), p->regs[i]);
        else
            str_printf(p->out, ", %s", p->regs[i]);
        open = true;
    }
    if (open) str_add(p->out, ";\n");
}

static uint64_t position_key(const struct ptx_loc *loc)
{
    uint32_t parts[3] = {loc->file, loc->line, loc->column};
    return sw_hash_bytes(parts, sizeof parts, 0);
}

static const char *string_label(struct printer *p, const char *text)
{
    char *label = map_get(&p->strings, text);
    if (label) return label;
    label = arena_printf(&p->arena, "$L__name%zu", p->texts.count);
    *vec_push(&p->texts) = text;
    map_set(&p->strings, text, label);
    return label;
}

static void print_one_loc(struct printer *p, const struct ptx_loc *loc)
{
    str_printf(p->out, "\t.loc %" PRIu32 " %" PRIu32 " %" PRIu32, loc->file, loc->line, loc->column);
    if (loc->function) str_printf(p->out, ", function_name %s", string_label(p, loc->function));
    if (loc->caller)
        str_printf(p->out, ", inlined_at %" PRIu32 " %" PRIu32 " %" PRIu32, loc->caller->file,
                   loc->caller->line, loc->caller->column);
    str_add_char(p->out, '\n');
    map_set_u64(&p->printed_locs, position_key(loc), (void *)loc);
}

static bool same_loc(const struct ptx_loc *a, const struct ptx_loc *b)
{
    for (; a != b; a = a->caller, b = b->caller) {
        if (!a || !b || a->file != b->file || a->line != b->line || a->column != b->column) return false;
        if (!a->function != !b->function || (a->function && strcmp(a->function, b->function) != 0))
            return false;
    }
    return true;
}

/* Callers first, outermost first, unless the parser will find them anyway. */
static void print_loc(struct printer *p, const struct ptx_loc *loc)
{
    VEC(const struct ptx_loc *) chain = {0};
    for (const struct ptx_loc *c = loc->caller; c; c = c->caller)
        *vec_push(&chain) = c;
    while (chain.count) {
        const struct ptx_loc *c = chain.at[--chain.count];
        if (!same_loc(map_get_u64(&p->printed_locs, position_key(c)), c)) print_one_loc(p, c);
    }
    vec_release(&chain);
    print_one_loc(p, loc);
}

static void print_body(struct printer *p, const struct ptx_function *f)
{
    const struct ptx_loc *loc = NULL;
    map_release(&p->printed_locs);
    str_add(p->out, "\n{\n");
    for (uint32_t i = 0; i < f->pragma_count; i++)
        str_printf(p->out, "\t.pragma \"%s\";\n", f->pragmas[i]);
    print_regs(p, f);
    for (uint32_t i = 0; i < f->var_count; i++) {
        str_add_char(p->out, '\t');
        print_var(p, f->vars[i], false);
        str_add(p->out, ";\n");
    }
    for (uint32_t i = 0; i < f->table_count; i++)
        print_table(p, f->tables[i]);
    for (uint32_t i = 0, label = 0; i <= f->instr_count; i++) {
        if (p->labels[i]) str_printf(p->out, "%s:\n", p->labels[i]);
        for (; label < f->label_count && f->labels[label].target <= i; label++)
            if (f->labels[label].nounroll) str_add(p->out, "\t.pragma \"nounroll\";\n");
        if (i == f->instr_count) break;
        if (f->instrs[i].loc && !same_loc(f->instrs[i].loc, loc)) print_loc(p, loc = f->instrs[i].loc);
        str_add_char(p->out, '\t');
        print_instr(p, &f->instrs[i]);
        str_add_char(p->out, '\n');
    }
    str_add(p->out, "}\n");
}

static void print_begin(struct printer *p, const struct ptx_module *module, struct str *out)
{
    *p = (struct printer){.module = module, .out = out};
    arena_init(&p->arena);
}

static void print_end(struct printer *p)
{
    map_release(&p->taken);
    map_release(&p->renamed);
    map_release(&p->printed_locs);
    map_release(&p->strings);
    vec_release(&p->texts);
    arena_release(&p->arena);
}

static void print_function(struct printer *p, const struct ptx_function *f)
{
    p->function = f;
    name_everything(p, f);
    print_signature(p, f);
    if (f->has_body)
        print_body(p, f);
    else
        str_add(p->out, ";\n");
    p->function = NULL;
    map_release(&p->renamed);
}

void ptx_print_function(const struct ptx_function *function, struct str *out)
{
    struct printer p;
    print_begin(&p, function->module, out);
    print_function(&p, function);
    print_end(&p);
}

const char **ptx_print_instrs(const struct ptx_module *module, const struct ptx_function *function,
                              struct arena *arena)
{
    struct printer p;
    struct str text = {0};
    const char **texts = ARENA_ARRAY(arena, const char *, function->instr_count + 1u);
    print_begin(&p, module, &text);
    p.function = function;
    name_everything(&p, function);
    for (uint32_t i = 0; i < function->instr_count; i++) {
        str_clear(&text);
        print_instr(&p, &function->instrs[i]);
        texts[i] = arena_strdup(arena, str_text(&text));
    }
    print_end(&p);
    str_release(&text);
    return texts;
}

/* ---- module ---- */

static void print_head(struct printer *p)
{
    const struct ptx_module *m = p->module;
    str_printf(p->out, ".version %u.%u\n", m->version_major, m->version_minor);
    for (uint32_t i = 0; i < m->target_count; i++)
        str_printf(p->out, "%s%s", i ? ", " : ".target ", m->targets[i]);
    if (m->target_count) str_add_char(p->out, '\n');
    if (m->version_major > 2 ||
        (m->version_major == 2 && m->version_minor >= 3)) /* the directive's first version */
        str_printf(p->out, ".address_size %u\n", m->address_bits);
    for (uint32_t i = 0; i < m->file_count; i++)
        if (m->files[i]) str_printf(p->out, ".file %" PRIu32 " \"%s\"\n", i, m->files[i]);
}

static bool is_in_initialiser(const struct ptx_module *m, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < m->var_count; i++)
        for (uint32_t r = 0; r < m->vars[i]->reloc_count; r++)
            if (m->vars[i]->relocs[r].function == function) return true;
    return false;
}

/* .func prototypes come first, as initialisers and call tables name functions; those of kernels where they
 * are named. */
static void print_prototypes(struct printer *p)
{
    for (uint32_t i = 0; i < p->module->function_count; i++) {
        struct ptx_function f = *p->module->functions[i];
        if (f.is_entry && !is_in_initialiser(p->module, p->module->functions[i])) continue;
        f.has_body = false;
        p->function = &f;
        print_signature(p, &f);
        str_add(p->out, ";\n");
    }
    p->function = NULL;
}

static void print_vars(struct printer *p)
{
    const struct ptx_module *m = p->module;
    bool *declared = sw_xcalloc(m->var_count + 1u, sizeof *declared);
    for (uint32_t i = 0; i < m->var_count; i++) {
        const struct ptx_var *var = m->vars[i];
        declared[i] = true;
        for (uint32_t r = 0; r < var->reloc_count; r++) {
            const struct ptx_var *used = var->relocs[r].var;
            if (!used || used->owner || declared[used->index]) continue;
            print_var(p, used, true);
            str_add(p->out, ";\n");
            declared[used->index] = true;
        }
        print_var(p, var, false);
        str_add(p->out, ";\n");
    }
    free(declared);
}

static void print_strings(struct printer *p)
{
    if (!p->texts.count) return;
    str_add(p->out, ".section .debug_str\n{\n");
    for (size_t i = 0; i < p->texts.count; i++) {
        str_printf(p->out, "$L__name%zu:\n.b8 ", i);
        for (const char *c = p->texts.at[i]; *c; c++)
            str_printf(p->out, "%u,", (unsigned)(uint8_t)*c);
        str_add(p->out, "0\n");
    }
    str_add(p->out, "}\n");
}

/* Functions before entries, as the prototypes make a second parse number them. */
static void print_functions(struct printer *p, bool entries)
{
    for (uint32_t i = 0; i < p->module->function_count; i++) {
        const struct ptx_function *f = p->module->functions[i];
        if (f->is_entry == entries && (f->has_body || entries)) print_function(p, f);
    }
}

void ptx_print_module(const struct ptx_module *module, struct str *out)
{
    struct printer p;
    print_begin(&p, module, out);
    print_head(&p);
    print_prototypes(&p);
    print_vars(&p);
    print_functions(&p, false);
    print_functions(&p, true);
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->alias_of)
            str_printf(out, ".alias %s, %s;\n", module->functions[i]->name,
                       module->functions[i]->alias_of->name);
    print_strings(&p);
    print_end(&p);
}
