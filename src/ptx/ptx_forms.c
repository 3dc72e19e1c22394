/* SPDX-License-Identifier: Apache-2.0 */
/* Which form of its opcode an instruction has, and why it has none.
 *
 * Method: the rows of ptx_forms.def, their words turned into numbers once. A row fits when it has as many
 * types, each one of its position's, when every modifier finds a group of its own, and when no group is left
 * that must be there. Of several rows that fit, the one that the oldest target has counts,
 * first of those with as many operands. */
#include "ptx_priv.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ARCH(sm) (PTX_ARCH_SPECIFIC + (sm))
static const struct source_row {
    enum isa_op op;
    const char *roles, *types, *modifiers;
    unsigned sm, version;
} rows[] = {
#define FORM(op, roles, types, modifiers, sm, version) {ISA_OP_##op, roles, types, modifiers, sm, version},
#include "ptx/ptx_forms.def"
#undef FORM
};

enum { MOST_GROUPS = 12, MOST_WORDS = 20000 };
struct group { /* alternatives: words[first, first + count) */
    uint16_t first;
    uint8_t count;
    bool optional;
};
struct row {
    struct ptx_form form;
    struct group types[ISA_MAX_TYPES], modifiers[MOST_GROUPS];
    uint8_t type_count, group_count;
    uint8_t least, most; /* operands, without a cache policy */
};

static struct row table[SW_COUNT_OF(rows)];
static uint16_t first_row[ISA_OP_COUNT], row_count[ISA_OP_COUNT]; /* rows of an opcode */
static uint16_t words[MOST_WORDS];                                /* types and modifiers of all groups */
static size_t word_count;

/* ---- the table, once ---- */

/* One group "a|b|c?"; returns what follows it. */
static const char *read_group(const char *text, struct group *out)
{
    *out = (struct group){.first = (uint16_t)word_count};
    for (;;) {
        size_t length = strcspn(text, "|? ");
        struct isa_word word = isa_word_find(text, length);
        if (word.kind == ISA_WORD_NONE || word_count == MOST_WORDS)
            BUG("ptx_forms.def: '%.*s' is in no table", (int)length, text);
        words[word_count++] = (uint16_t)word.id;
        out->count++;
        text += length;
        if (*text != '|') break;
        text++;
    }
    if (*text == '?') out->optional = true, text++;
    return text + strspn(text, " ");
}

static uint8_t read_groups(const char *text, struct group *out, unsigned capacity)
{
    uint8_t count = 0;
    for (text += strspn(text, " "); *text; count++) {
        SW_ASSERT(count < capacity);
        text = read_group(text, &out[count]);
    }
    return count;
}

static void count_operands(struct row *row)
{
    row->least = UINT8_MAX;
    for (const char *role = row->form.roles; *role; role++) {
        if (*role == '?')
            row->least = row->most;
        else
            row->most += *role != 'h';
    }
    if (row->least > row->most) row->least = row->most;
}

static void build_table(void)
{
    for (size_t i = 0; i < SW_COUNT_OF(rows); i++) {
        struct row *row = &table[i];
        enum isa_op op = rows[i].op;
        row->form = (struct ptx_form){op, rows[i].roles, rows[i].sm, rows[i].version};
        row->type_count = read_groups(rows[i].types, row->types, ISA_MAX_TYPES);
        row->group_count = read_groups(rows[i].modifiers, row->modifiers, MOST_GROUPS);
        count_operands(row);
        if (!row_count[op]) first_row[op] = (uint16_t)i;
        if (first_row[op] + row_count[op] != i)
            BUG("ptx_forms.def: rows of '%s' stand apart", isa_op_name(op));
        row_count[op]++;
    }
}

/* ---- one row ---- */

static bool in_group(const struct group *group, unsigned word)
{
    for (unsigned i = 0; i < group->count; i++)
        if (words[group->first + i] == word) return true;
    return false;
}

static bool types_fit(const struct row *row, const struct ptx_instr *instr)
{
    if (row->type_count != instr->type_count) return false;
    for (unsigned i = 0; i < instr->type_count; i++)
        if (!in_group(&row->types[i], instr->types[i])) return false;
    return true;
}

/* Modifiers that no group is left for, then groups that must be there and are not; stray: the first such
 * modifier, missing: the first such group. */
static unsigned misfits(const struct row *row, const struct ptx_instr *instr, enum isa_mod *stray,
                        const struct group **missing)
{
    unsigned taken = 0, count = 0;
    *stray = ISA_MOD_NONE;
    *missing = NULL;
    for (unsigned i = 0; i < instr->mod_count; i++) {
        unsigned g = 0;
        while (g < row->group_count && (taken >> g & 1 || !in_group(&row->modifiers[g], instr->mods[i])))
            g++;
        if (g < row->group_count)
            taken |= 1u << g;
        else if (count++ == 0)
            *stray = (enum isa_mod)instr->mods[i];
    }
    for (unsigned g = 0; g < row->group_count; g++)
        if (!row->modifiers[g].optional && !(taken >> g & 1)) {
            if (!*missing) *missing = &row->modifiers[g];
            count++;
        }
    return count;
}

static bool row_fits(const struct row *row, const struct ptx_instr *instr)
{
    enum isa_mod stray;
    const struct group *missing;
    return types_fit(row, instr) && misfits(row, instr, &stray, &missing) == 0;
}

/* ---- the form ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;

bool ptx_form_known(enum isa_op op)
{
    pthread_once(&once, build_table);
    return row_count[op] != 0;
}

/* A row for another number of operands comes after all others: min and max of three differ in nothing else.
 */
static unsigned rank(const struct row *row, const struct ptx_instr *instr)
{
    unsigned count = instr->operand_count - (unsigned)ptx_has(instr, ISA_MOD_L2__CACHE_HINT);
    return row->form.sm + (count >= row->least && count <= row->most ? 0 : 10000);
}

const struct ptx_form *ptx_form_of(const struct ptx_instr *instr)
{
    const struct row *found = NULL;
    pthread_once(&once, build_table);
    for (unsigned i = 0; i < row_count[instr->op]; i++) {
        const struct row *row = &table[first_row[instr->op] + i];
        if (row_fits(row, instr) && (!found || rank(row, instr) < rank(found, instr))) found = row;
    }
    return found ? &found->form : NULL;
}

/* ---- why not ---- */

static bool any_row_has(const struct ptx_instr *instr, unsigned modifier)
{
    for (unsigned i = 0; i < row_count[instr->op]; i++) {
        const struct row *row = &table[first_row[instr->op] + i];
        for (unsigned g = 0; g < row->group_count; g++)
            if (in_group(&row->modifiers[g], modifier)) return true;
    }
    return false;
}

static void list_group(const struct group *group, char *out, size_t capacity)
{
    size_t length = 0;
    for (unsigned i = 0; i < group->count && length < capacity; i++)
        length += (size_t)snprintf(out + length, capacity - length, "%s.%s", i ? " " : "",
                                   isa_mod_text((enum isa_mod)words[group->first + i]));
}

/* The nearest row of those with the instruction's types: something is missing, or a modifier too many. */
static void explain_modifiers(const struct ptx_instr *instr, char *out, size_t capacity)
{
    unsigned least = UINT32_MAX;
    enum isa_mod stray = ISA_MOD_NONE, other;
    const struct group *missing = NULL, *lacks;
    for (unsigned i = 0; i < row_count[instr->op]; i++) {
        const struct row *row = &table[first_row[instr->op] + i];
        if (!types_fit(row, instr)) continue;
        unsigned count = misfits(row, instr, &other, &lacks), distance = 2 * count + (other != ISA_MOD_NONE);
        if (distance >= least) continue;
        least = distance;
        stray = other;
        missing = lacks;
    }
    char list[160] = "";
    if (missing) list_group(missing, list, sizeof list);
    if (least == UINT32_MAX)
        snprintf(out, capacity, "it does not exist with these types");
    else if (stray)
        snprintf(out, capacity, "'.%s' is not allowed with its type and its other modifiers",
                 isa_mod_text(stray));
    else if (missing && missing->count > 1)
        snprintf(out, capacity, "one of %s is missing", list);
    else
        snprintf(out, capacity, "'%s' is missing", list);
}

void ptx_form_explain(const struct ptx_instr *instr, char *out, size_t capacity)
{
    pthread_once(&once, build_table);
    for (unsigned i = 0; i < instr->mod_count; i++) {
        if (any_row_has(instr, instr->mods[i])) continue;
        snprintf(out, capacity, "'.%s' is not a modifier of '%s'", isa_mod_text((enum isa_mod)instr->mods[i]),
                 isa_op_name(instr->op));
        return;
    }
    explain_modifiers(instr, out, capacity);
}
