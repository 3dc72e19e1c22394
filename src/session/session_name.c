/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels for people: demangled by the C++ runtime library, spaced as ncu prints them; lists of a
 * few names. */
#include "session_priv.h"

#include <stdlib.h>
#include <string.h>

/* From the C++ ABI (libstdc++): result from malloc, NULL when name is not a mangled one. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* Where an argument of a parameter or template list begins: after '(', '<' or ", ". */
static bool begins_argument(const struct str *out)
{
    const char *end = str_text(out) + out->length;
    return !out->length || strchr("(<", end[-1]) || (out->length > 1 && end[-1] == ' ' && end[-2] == ',');
}

static void insert_text(struct str *out, size_t at, const char *text)
{
    struct str tail = {0};
    str_add(&tail, str_text(out) + at);
    out->length = at;
    str_add(out, text);
    str_add(out, str_text(&tail));
    str_release(&tail);
}

/* ncu's spacing and order: "float const*" becomes "const float *". */
static void add_spaced(struct str *out, const char *text)
{
    size_t argument = 0;
    bool plain = true; /* no '*' or '&' in this argument so far */
    for (const char *c = text; *c; c++) {
        if (begins_argument(out)) {
            argument = out->length;
            plain = true;
        }
        if (plain && sw_starts_with(c, " const") && strchr("*&,)>", c[6])) {
            insert_text(out, argument, "const ");
            c += strlen(" const") - 1;
            continue;
        }
        bool mark = *c == '*' || *c == '&';
        if (mark && c > text && !strchr(" *&(", c[-1])) str_add_char(out, ' ');
        plain &= !mark;
        str_add_char(out, *c);
    }
}

const char *session_demangle(struct arena *arena, const char *name)
{
    if (!sw_starts_with(name, "_Z")) return arena_strdup(arena, name);
    int status = 0;
    char *plain = __cxa_demangle(name, NULL, NULL, &status);
    if (!plain) return arena_strdup(arena, name);
    struct str spaced = {0};
    add_spaced(&spaced, plain);
    const char *result = arena_strdup(arena, str_text(&spaced));
    str_release(&spaced);
    free(plain);
    return result;
}

void session_some_add(struct session_some *some, const char *text, struct arena *arena)
{
    enum { SOME_MOST = 8 }; /* implementation */
    if (some->texts.count > SOME_MOST || map_get(&some->texts, text)) return;
    const char *kept = arena_strdup(arena, text);
    map_set(&some->texts, kept, (void *)(uintptr_t)kept);
    if (some->texts.count > SOME_MOST)
        str_add(&some->list, ", ...");
    else
        str_printf(&some->list, "%s%s", some->texts.count > 1 ? ", " : "", kept);
}
