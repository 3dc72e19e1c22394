/* SPDX-License-Identifier: Apache-2.0 */
/* Purpose: change PTX so that much of it still verifies.
 * Method: the text is cut into statements; one of them goes, comes twice or elsewhere, or a word of it
 * becomes another of its kind: opcode, type, modifier, register, number, special register, label, guard.
 * Words come from the tables of src/isa and from the text itself. Limits: declarations change in their
 * numbers alone. */
#include "kernels.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements */

/* Ends a statement at `c`? A brace does not within an instruction or behind '='. */
static bool ends(char c, bool in_instruction, bool in_value)
{
    if (c == ';') return true;
    if (c == ':') return in_instruction;
    return (c == '{' || c == '}') && !in_instruction && !in_value;
}

void kernels_split(const char *text, kernels_list *out)
{
    const char *start = text;
    bool begun = false, in_instruction = false, in_value = false, in_comment = false, in_text = false;
    for (const char *c = text; *c; c++) {
        in_comment = in_comment ? *c != '\n' : c[0] == '/' && c[1] == '/';
        if (*c == '"' && !in_comment) in_text = !in_text;
        if (in_comment || in_text) continue;
        if (!begun && !isspace((unsigned char)*c)) {
            begun = true;
            in_instruction = isalpha((unsigned char)*c) || *c == '@' || *c == '$' || *c == '_';
        }
        if (*c == '=') in_value = true;
        if (!begun || !ends(*c, in_instruction, in_value)) continue;
        struct str statement = {0};
        str_add_bytes(&statement, start, (size_t)(c + 1 - start));
        *vec_push(out) = str_steal(&statement);
        start = c + 1;
        begun = in_value = false;
    }
    if (*start) *vec_push(out) = sw_xstrdup(start);
}

void kernels_join(const kernels_list *list, struct str *out)
{
    for (size_t i = 0; i < list->count; i++)
        str_add(out, list->at[i]);
}

void kernels_list_release(kernels_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    vec_release(list);
}

/* Its first character that is no space and in no comment */
static const char *begin_of(const char *statement)
{
    for (;;) {
        statement += strspn(statement, " \t\n\r");
        if (strncmp(statement, "//", 2) != 0) return statement;
        statement += strcspn(statement, "\n");
    }
}

static bool is_label(const char *statement)
{
    size_t length = strlen(statement);
    return length && statement[length - 1] == ':';
}

static bool is_instruction(const char *statement)
{
    const char *c = begin_of(statement);
    return (isalpha((unsigned char)*c) || *c == '@') && !is_label(statement);
}

/* ---- words of a statement */

struct words {
    const char *at[64];
    size_t length[64];
    unsigned count;
};

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

/* Those that begin with one of these characters; `dotted`: and stand behind a dot, or not */
static void find_words(const char *text, bool (*wanted)(const char *word, const char *text),
                       struct words *out)
{
    out->count = 0;
    for (const char *c = begin_of(text); *c; c++) {
        if (!in_word(*c) || (c > text && in_word(c[-1]))) continue;
        size_t length = 0;
        while (in_word(c[length]))
            length++;
        if (!wanted(c, text) || out->count == SW_COUNT_OF(out->at)) continue;
        out->at[out->count] = c;
        out->length[out->count++] = length;
    }
}

static bool is_dotted(const char *word, const char *text)
{
    return word > text && word[-1] == '.';
}

static bool is_register(const char *word, const char *text)
{
    return *word == '%' && !is_dotted(word, text);
}

static bool is_number(const char *word, const char *text)
{
    return isdigit((unsigned char)*word) && !is_dotted(word, text);
}

static bool is_modifier(const char *word, const char *text)
{
    const char *before = word;
    while (before > text && (in_word(before[-1]) || before[-1] == '.' || before[-1] == ':'))
        before--;
    return is_dotted(word, text) && *before != '%'; /* %tid.x is a register */
}

static bool is_opcode(const char *word, const char *text)
{
    if (!isalpha((unsigned char)*word) || is_dotted(word, text)) return false;
    const char *c = begin_of(text);
    if (*c == '@') c += strcspn(c, " \t"), c += strspn(c, " \t");
    return c == word;
}

static void replace(char **statement, const char *at, size_t length, const char *with)
{
    struct str out = {0};
    str_add_bytes(&out, *statement, (size_t)(at - *statement));
    str_add(&out, with);
    str_add(&out, at + length);
    free(*statement);
    *statement = str_steal(&out);
}

/* A word of that kind of any statement, of those that begin like `like` three times of four; into out. */
static bool other_word(uint64_t *random, const kernels_list *list,
                       bool (*wanted)(const char *word, const char *text), const char *like, char out[64])
{
    bool alike = kernels_pick(random, 4) != 0;
    for (unsigned tries = 0; tries < 40; tries++) {
        struct words words;
        const char *from = list->at[kernels_pick(random, (unsigned)list->count)];
        if (!is_instruction(from)) continue;
        find_words(from, wanted, &words);
        if (!words.count) continue;
        unsigned w = kernels_pick(random, words.count);
        if (alike && strncmp(words.at[w], like, like[1] == 'd' || like[1] == 'r' ? 3 : 2) != 0) continue;
        snprintf(out, 64, "%.*s", (int)words.length[w], words.at[w]);
        return true;
    }
    return false;
}

/* ---- changes of a statement */

static void change_register(uint64_t *random, const kernels_list *list, char **statement)
{
    struct words words;
    char with[64];
    find_words(*statement, is_register, &words);
    if (!words.count) return;
    unsigned w = kernels_pick(random, words.count);
    if (other_word(random, list, is_register, words.at[w], with))
        replace(statement, words.at[w], words.length[w], with);
}

static void change_number(uint64_t *random, char **statement)
{
    static const char *const edges[] = {"0",  "1",    "2",          "3",          "4",          "7",
                                        "8",  "15",   "16",         "31",         "32",         "33",
                                        "63", "64",   "-1",         "255",        "256",        "-4",
                                        "-8", "4095", "0x7fffffff", "0x80000000", "0xffffffff", "65535"};
    struct words words;
    char with[64];
    find_words(*statement, is_number, &words);
    if (!words.count) return;
    unsigned w = kernels_pick(random, words.count);
    unsigned long long value = strtoull(words.at[w], NULL, 0);
    switch (kernels_pick(random, 4)) {
    case 0: snprintf(with, sizeof with, "%llu", value + 1); break;
    case 1: snprintf(with, sizeof with, "%llu", value ^ 1ull << kernels_pick(random, 33)); break;
    default: snprintf(with, sizeof with, "%s", edges[kernels_pick(random, SW_COUNT_OF(edges))]); break;
    }
    if (strncmp(words.at[w], "0f", 2) == 0 || strncmp(words.at[w], "0F", 2) == 0)
        snprintf(with, sizeof with, "0f%08X", (unsigned)kernels_random(random) | 0x00800000u);
    replace(statement, words.at[w], words.length[w], with);
}

static void change_opcode(uint64_t *random, const kernels_list *list, char **statement)
{
    struct words words;
    char with[64];
    find_words(*statement, is_opcode, &words);
    if (!words.count) return;
    if (kernels_pick(random, 3) == 0 || !other_word(random, list, is_opcode, words.at[0], with))
        snprintf(with, sizeof with, "%s",
                 isa_op_name((enum isa_op)(1 + kernels_pick(random, ISA_OP_COUNT - 1))));
    replace(statement, words.at[0], words.length[0], with);
}

static const char *some_modifier(uint64_t *random, const char *old)
{
    for (int t = 1; t < ISA_TYPE_COUNT; t++) {
        const char *name = isa_type_name((enum isa_type)t);
        if (strncmp(name, old, strlen(name)) == 0 && !in_word(old[strlen(name)]))
            return isa_type_name((enum isa_type)(1 + kernels_pick(random, ISA_TYPE_COUNT - 1)));
    }
    return isa_mod_text((enum isa_mod)(1 + kernels_pick(random, ISA_MOD_COUNT - 1)));
}

/* Another one, one more or one less */
static void change_modifier(uint64_t *random, const kernels_list *list, char **statement)
{
    struct words words;
    char with[64];
    find_words(*statement, is_modifier, &words);
    if (!words.count) return;
    unsigned w = kernels_pick(random, words.count);
    bool from_text = kernels_pick(random, 2) && other_word(random, list, is_modifier, words.at[w], with);
    if (!from_text) snprintf(with, sizeof with, "%s", some_modifier(random, words.at[w]));
    switch (kernels_pick(random, 5)) {
    case 0: replace(statement, words.at[w] - 1, words.length[w] + 1, ""); break;
    case 1:
        if (!from_text)
            snprintf(with, sizeof with, ".%s",
                     isa_mod_text((enum isa_mod)(1 + kernels_pick(random, ISA_MOD_COUNT - 1))));
        else
            memmove(with + 1, with, 62), with[0] = '.';
        replace(statement, words.at[w] - 1, 0, with);
        break;
    default: replace(statement, words.at[w], words.length[w], with); break;
    }
}

static void change_guard(uint64_t *random, const kernels_list *list, char **statement)
{
    char with[64], guard[70];
    const char *c = begin_of(*statement);
    if (*c == '@') {
        if (kernels_pick(random, 2))
            replace(statement, c + 1, c[1] == '!', c[1] == '!' ? "" : "!");
        else
            replace(statement, c, strcspn(c, " \t"), "");
        return;
    }
    if (!other_word(random, list, is_register, "%p", with)) return;
    snprintf(guard, sizeof guard, "@%s%s ", kernels_pick(random, 2) ? "!" : "", with);
    replace(statement, c, 0, guard);
}

/* A special register, or a number, for a register */
static void change_operand(uint64_t *random, char **statement)
{
    struct words words;
    char with[64];
    find_words(*statement, is_register, &words);
    if (words.count < 2) return;
    unsigned w = 1 + kernels_pick(random, words.count - 1);
    if (kernels_pick(random, 3) == 0) {
        static const char *const ids[] = {"%tid.x", "%laneid",      "%ntid.x",  "%ctaid.x",
                                          "%tid.y", "%lanemask_lt", "%nctaid.x"};
        snprintf(with, sizeof with, "%s", ids[kernels_pick(random, SW_COUNT_OF(ids))]);
    } else {
        snprintf(with, sizeof with, "%d", (int)(kernels_random(random) % 67) - 2);
    }
    replace(statement, words.at[w], words.length[w], with);
}

static bool is_label_name(const char *word, const char *text)
{
    return (isalpha((unsigned char)*word) || *word == '$') && !is_dotted(word, text) &&
           !is_opcode(word, text);
}

/* Another label, or name, as a branch's target */
static void change_label(uint64_t *random, const kernels_list *list, char **statement)
{
    struct words words;
    find_words(*statement, is_label_name, &words);
    if (!words.count) return;
    unsigned w = kernels_pick(random, words.count);
    for (unsigned tries = 0; tries < 60; tries++) {
        const char *from = list->at[kernels_pick(random, (unsigned)list->count)];
        if (!is_label(from)) continue;
        const char *name = begin_of(from);
        char with[64];
        snprintf(with, sizeof with, "%.*s", (int)strcspn(name, ":"), name);
        replace(statement, words.at[w], words.length[w], with);
        return;
    }
}

/* ---- changes of the list */

static void insert(kernels_list *list, size_t at, char *statement)
{
    (void)vec_push(list);
    memmove(list->at + at + 1, list->at + at, (list->count - 1 - at) * sizeof *list->at);
    list->at[at] = statement;
}

static char *take(kernels_list *list, size_t at)
{
    char *statement = list->at[at];
    memmove(list->at + at, list->at + at + 1, (list->count - 1 - at) * sizeof *list->at);
    list->count--;
    return statement;
}

static void change_list(uint64_t *random, kernels_list *list, size_t at)
{
    size_t to = kernels_pick(random, 3) ? at + 1 + kernels_pick(random, 4)
                                        : kernels_pick(random, (unsigned)list->count);
    if (to >= list->count) to = list->count - 1;
    switch (kernels_pick(random, 3)) {
    case 0: free(take(list, at)); break;
    case 1: insert(list, to, sw_xstrdup(list->at[at])); break;
    default: {
        char *statement = take(list, at);
        insert(list, to < list->count ? to : list->count, statement);
        break;
    }
    }
}

static void change(uint64_t *random, kernels_list *list)
{
    size_t at = kernels_pick(random, (unsigned)list->count);
    for (unsigned tries = 0; tries < 30 && !is_instruction(list->at[at]); tries++)
        at = kernels_pick(random, (unsigned)list->count);
    if (!is_instruction(list->at[at])) return;
    switch (kernels_pick(random, 16)) {
    case 0:
    case 1:
    case 2: change_list(random, list, at); break;
    case 3:
    case 4:
    case 5: change_register(random, list, &list->at[at]); break;
    case 6:
    case 7: change_number(random, &list->at[at]); break;
    case 8:
    case 9: change_opcode(random, list, &list->at[at]); break;
    case 10:
    case 11:
    case 12: change_modifier(random, list, &list->at[at]); break;
    case 13: change_guard(random, list, &list->at[at]); break;
    case 14: change_operand(random, &list->at[at]); break;
    default: change_label(random, list, &list->at[at]); break;
    }
}

void kernels_mutate(uint64_t *random, struct exec_case *test)
{
    kernels_list list = {0};
    struct str text = {0};
    kernels_split(test->text, &list);
    for (unsigned count = 1 + kernels_pick(random, 6); count && list.count > 1; count--)
        change(random, &list);
    kernels_join(&list, &text);
    kernels_list_release(&list);
    free(test->text);
    test->length = text.length;
    test->text = str_steal(&text);
}
