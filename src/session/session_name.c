/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernels for people: demangled by the C++ runtime library, spaced as ncu prints them. */
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

/* From the C++ ABI (libstdc++): result from malloc, NULL when name is not a mangled one. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* A space before '*' and '&' that follow a type's name: "float*" becomes "float *". */
static void add_spaced(struct str *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool mark = *c == '*' || *c == '&';
        if (mark && c > text && !strchr(" *&(", c[-1])) str_add_char(out, ' ');
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
