/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a kernel's parameters, which PTX does not have: read in the source. Method: the last
 * `__global__ ... NAME(...) {` before the line of the access whose body has that line. It counts if it has as
 * many parameters as the kernel's demangled name. Limits: none is known where a parameter has no name, is a
 * pack, a function or a macro's, or the kernel was written by a macro. */
#include "check_priv.h"

#include <ctype.h>
#include <string.h>

enum { BEFORE_MOST = 2000 }; /* implementation: lines from a kernel's head to an access in it */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* "scale" of "void space::scale<float>(float *, int)", and how many parameters that has. */
static bool split_name(const char *kernel, struct arena *arena, const char **name, uint32_t *count)
{
    int depth = 0;
    const char *open = NULL;
    for (const char *c = kernel; *c && !open; c++) {
        depth += (*c == '<') - (*c == '>');
        if (*c == '(' && depth == 0 && c > kernel) open = c;
    }
    if (!open) return false;
    const char *end = open;
    if (end[-1] == '>') /* its template's arguments */
        for (depth = 0; end > kernel;) {
            end--;
            depth += (*end == '>') - (*end == '<');
            if (depth == 0) break;
        }
    const char *begin = end;
    while (begin > kernel && is_word(begin[-1]))
        begin--;
    *name = arena_strndup(arena, begin, (size_t)(end - begin));
    *count = open[1] != ')';
    depth = 0;
    for (const char *c = open + 1; *c && depth >= 0; c++) {
        depth += (*c == '(' || *c == '<' || *c == '[') - (*c == ')' || *c == '>' || *c == ']');
        *count += depth == 0 && *c == ',';
    }
    return begin < end;
}

/* ---- source text without comments and literals */

/* Where what begins at `c` ends, if it is a comment or a literal; else NULL. */
static const char *end_of_quiet(const char *c)
{
    if (c[0] == '/' && c[1] == '/') return c + strcspn(c, "\n");
    if (c[0] == '/' && c[1] == '*') {
        const char *end = strstr(c + 2, "*/");
        return end ? end + 2 : c + strlen(c);
    }
    if (*c != '"' && *c != '\'') return NULL;
    const char quote = *c++;
    while (*c && *c != quote && *c != '\n')
        c += *c == '\\' && c[1] ? 2 : 1;
    return *c ? c + 1 : c;
}

/* The lines up to `last`, quiet ones as spaces; *first is the number of the first one. */
static char *read_lines(struct check_report *r, const char *file, uint32_t last, struct str *out)
{
    uint32_t first = last > BEFORE_MOST ? last - BEFORE_MOST : 1;
    for (uint32_t line = first; line <= last; line++) {
        const char *text = report_source_text(&r->sources, file, line);
        if (!text) return NULL;
        str_add(out, text);
        str_add_char(out, '\n');
    }
    char *text = out->text;
    for (char *c = text; *c;) {
        const char *end = end_of_quiet(c);
        if (!end) {
            c++;
            continue;
        }
        for (; c < end; c++)
            if (*c != '\n') *c = ' ';
    }
    return text;
}

/* ---- the kernel's head */

static const char *skip_spaces(const char *c)
{
    return c + strspn(c, " \t\n\r");
}

/* The ')' of a '('; NULL: none. */
static const char *closing(const char *open)
{
    int depth = 0;
    for (const char *c = open; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0) return c;
    }
    return NULL;
}

/* Is what begins at '{' open still at the end of the text? */
static bool is_open(const char *brace)
{
    int depth = 0;
    for (const char *c = brace; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth == 0) return false;
    }
    return depth > 0;
}

/* The '(' of NAME's head behind a `__global__`; NULL: another function's, or no definition. */
static const char *head_of(const char *global, const char *name)
{
    size_t length = strlen(name);
    for (const char *c = global; *c && *c != ';' && *c != '{'; c++) {
        if (strncmp(c, name, length) != 0 || is_word(c[-1]) || is_word(c[length])) continue;
        const char *open = skip_spaces(c + length);
        if (*open == '<') open = skip_spaces(open + strcspn(open, "(;{")); /* a specialisation */
        const char *close = *open == '(' ? closing(open) : NULL;
        const char *brace = close ? skip_spaces(close + 1) : NULL;
        return brace && *brace == '{' && is_open(brace) ? open : NULL;
    }
    return NULL;
}

/* ---- its parameters */

/* The last name of "const float *__restrict__ a[4] = {}"; NULL: it has none. */
static const char *last_name(const char *begin, const char *end, struct arena *arena)
{
    const char *stop = begin;
    while (stop < end && *stop != '=' && *stop != '[')
        stop++;
    while (stop > begin && !is_word(stop[-1]))
        if (*--stop == ')') return NULL;
    const char *name = stop;
    while (name > begin && is_word(name[-1]))
        name--;
    bool alone = skip_spaces(begin) == name; /* a type, or a macro */
    if (name == stop || alone || isdigit((unsigned char)*name)) return NULL;
    return arena_strndup(arena, name, (size_t)(stop - name));
}

static bool read_params(const char *open, uint32_t count, struct arena *arena, struct check_params *out)
{
    const char *begin = open + 1;
    int depth = 0;
    for (const char *c = open; *c; c++) {
        depth += (*c == '(' || *c == '<' || *c == '{') - (*c == ')' || *c == '>' || *c == '}');
        bool last = depth == 0;
        if (!last && (depth != 1 || *c != ',')) continue;
        if (out->count == count || out->count == CHECK_PARAMS_MOST) return false;
        const char *name = last_name(begin, c, arena);
        if (!name) return false;
        out->names[out->count++] = name;
        begin = c + 1;
        if (last) return out->count == count;
    }
    return false;
}

void check_params_find(struct check_report *r, const struct check_place *place, struct check_params *out)
{
    const char *name, *open = NULL;
    uint32_t count;
    struct str source = {0};
    *out = (struct check_params){0};
    if (!place->frame_count || !place->kernel || !split_name(place->kernel, &r->arena, &name, &count)) return;
    const struct check_frame *outermost = &place->frames[place->frame_count - 1];
    const char *text = read_lines(r, outermost->file, outermost->line, &source);
    for (const char *at = text; at && (at = strstr(at, "__global__")); at += strlen("__global__")) {
        const char *head = head_of(at, name);
        if (head) open = head;
    }
    if (open && !read_params(open, count, &r->arena, out)) out->count = 0;
    str_release(&source);
}
