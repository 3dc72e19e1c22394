/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: instructions to compare with the oracle, from the verifier's table of forms (ptx_forms.def), so
 * that no form in it goes untested.
 * Method: a form becomes as many instructions as its largest group has words, more if words may be left
 * out. The k-th takes the k-th word of the first group, the next one of the next group, and of single
 * words that may be left out those whose bit is set in k: none first, then each with others.
 * Limits: opcodes that compute, with a destination and one to three sources in registers; others stand in
 * exec_ops.def. */
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARCH(sm) (sm)
static const struct form {
    enum isa_op op;
    const char *roles, *types, *modifiers;
} forms[] = {
#define FORM(op, roles, types, modifiers, sm, version) {ISA_OP_##op, roles, types, modifiers},
#include "ptx/ptx_forms.def"
#undef FORM
};

/* Forms that the compiler refuses: what their text has in it. */
static const char *const refused[] = {".rs.", ".satfinite.tf32", ".e2m1x2", ".e2m3x2", ".e3m2x2", ".ue8m0x2"};

struct instance {
    char words[4][24]; /* types, in order */
    unsigned type_count;
    unsigned groups, flags, most; /* groups of several words; of one that may be left out; the largest */
};

/* The next group, "a|b|c?": its word for instruction k into out, "" for nothing. */
static void pick(const char **groups, unsigned k, struct instance *in, char out[24])
{
    const char *group = *groups, *end = group + strcspn(group, " ");
    unsigned count = 1;
    for (const char *c = group; c < end; c++)
        count += *c == '|' || *c == '?';
    bool flag = count == 2 && end[-1] == '?';
    unsigned skip = flag ? !(k >> in->flags++ & 1) : (k + in->groups++) % count;
    if (count > in->most) in->most = count;
    while (skip--)
        group += strcspn(group, "|?") + 1;
    size_t length = group < end ? strcspn(group, "|? ") : 0;
    memcpy(out, group, length);
    out[length] = 0;
    *groups = end + strspn(end, " ");
}

static void pick_words(struct str *text, struct instance *in, const char *groups, unsigned k, bool types)
{
    while (*groups) {
        char word[24];
        pick(&groups, k, in, word);
        if (*word) str_printf(text, ".%s", word);
        if (types) memcpy(in->words[in->type_count++], word, sizeof word);
    }
}

/* Only conversions have wider registers for 8 bits. */
static const char *narrow(const char *type)
{
    return type[1] == '8' && !type[2] ? "b8" : type;
}

/* What exec_ops.def calls the type of an operand with that role (ptx_verify.c); NULL: not one for here. */
static const char *type_of(char role, const struct instance *in)
{
    const char *first = in->words[0], *last = in->words[in->type_count ? in->type_count - 1 : 0];
    switch (role) {
    case 'c': return first;
    case 'e': return last;
    case 'd':
    case 's': return strcmp(first, "pred") == 0 ? "p" : narrow(first);
    case 't': return narrow(last);
    case 'W': return first[1] == '1' ? first[0] == 's' ? "s32" : "u32" : first[0] == 's' ? "s64" : "u64";
    case 'D':
    case 'v': return "b32";
    case 'u': return "u32";
    case 'P':
    case 'p':
    case 'q': return "p";
    default: return NULL;
    }
}

/* The operands, d a b c; false: some are not for here. */
static bool add_operands(struct str *text, const char *roles, const struct instance *in, struct exec_op *op)
{
    unsigned count = 0;
    for (; *roles; roles++) {
        if (*roles == '?') continue;
        const char *type = count < 4 ? type_of(*roles, in) : NULL;
        if (!type) return false;
        str_printf(text, "%s $%c", count ? "," : "", "dabc"[count]);
        strcpy(op->types[count++], type);
    }
    while (count && count < 4)
        strcpy(op->types[count++], "x");
    return strcmp(op->types[1], "x") != 0;
}

static bool is_refused(const char *text)
{
    bool rna = strstr(text, ".rna.") != NULL; /* the older rounding to tf32 */
    for (size_t i = 0; i < SW_COUNT_OF(refused); i++)
        if (strstr(text, refused[i]) && !rna) return true;
    return false;
}

/* Instruction k of a form; false: there are no more. */
static bool make_op(const struct form *form, unsigned k, struct exec_op *out)
{
    struct str text = {0};
    struct instance in = {.most = 1};
    str_add(&text, isa_op_name(form->op));
    pick_words(&text, &in, form->modifiers, k, false);
    pick_words(&text, &in, form->types, k, true);
    unsigned count = in.flags ? 2 * in.most : in.most;
    if (count < 1u << in.flags) count = 1u << in.flags;
    bool made = add_operands(&text, form->roles, &in, out) && k < count;
    out->refused = is_refused(str_text(&text));
    out->text = made ? str_steal(&text) : NULL;
    str_release(&text);
    return made;
}

/* An opcode that computes and has no form would be neither verified nor compared. */
static void require_forms(void)
{
    bool has[ISA_OP_COUNT] = {false};
    for (size_t i = 0; i < SW_COUNT_OF(forms); i++)
        has[forms[i].op] = true;
    for (unsigned op = 1; op < ISA_OP_COUNT; op++)
        if (isa_op_class((enum isa_op)op) == ISA_CLASS_ALU && !has[op]) {
            printf("'%s' has no row in ptx_forms.def\n", isa_op_name((enum isa_op)op));
            exit(2);
        }
}

void exec_forms(struct exec_ops *out)
{
    require_forms();
    for (size_t i = 0; i < SW_COUNT_OF(forms); i++) {
        if (isa_op_class(forms[i].op) != ISA_CLASS_ALU) continue;
        struct exec_op op;
        for (unsigned k = 0; make_op(&forms[i], k, &op); k++)
            *vec_push(&out->rows) = op;
    }
}
