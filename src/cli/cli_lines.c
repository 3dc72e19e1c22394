/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines of calls that a program made: "/folder/program+0x1a2b" becomes "file.cu:12".
 *
 * binutils' addr2line reads the debug information; of inlined functions the first one counts that is neither
 * in a header of CUDA nor a kernel's stub. Limits: without addr2line, or without debug information (-g,
 * -gline-tables-only), what is left is "program+0x1a2b". */
#include "cli_priv.h"

#include "event/event_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_quoted(struct str *out, const char *text)
{
    str_add_char(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            str_add(out, "'\\''");
        else
            str_add_char(out, *text);
    str_add_char(out, '\'');
}

static bool lines_is_known(const char *line)
{
    const char *colon = strrchr(line, ':');
    return line[0] != '?' && colon && strtoul(colon + 1, NULL, 10) > 0;
}

static bool is_of_cuda(const char *line)
{
    return strstr(line, "/cuda/include/") || strstr(line, "cuda_runtime") || strstr(line, "/targets/");
}

/* A part of a kernel's stub, which compilers make; kernel NULL: any kernel's. Of templates nvcc's debug
 * information has names that are not mangled. */
static bool lines_is_stub(const char *function, const char *kernel)
{
    if (strstr(function, "_device_stub_")) return true;
    if (!kernel || sw_starts_with(function, "_Z")) return kernel && strcmp(function, kernel) == 0;
    struct arena arena;
    arena_init(&arena);
    const char *found = strstr(session_demangle(&arena, kernel), function);
    bool is_kernel = found && found[strlen(function)] == '(';
    arena_release(&arena);
    return is_kernel;
}

struct lines {
    struct arena *arena;
    struct map answers; /* "/folder/program+0x1a2b": what addr2line says, two lines for each function */
    struct map known;   /* the same: source line */
    struct map places;  /* callers of a launch: struct lines_place */
};

static void lines_release(struct lines *l)
{
    map_release(&l->answers);
    map_release(&l->known);
    map_release(&l->places);
}

/* "/folder/program+0x1a2b" */
static bool lines_is_address(const char *caller)
{
    const char *plus = strrchr(caller, '+');
    return plus && strchr(caller, '/') && strspn(plus + 1, "0123456789abcdefx") == strlen(plus + 1);
}

static size_t lines_file_length(const char *caller)
{
    return (size_t)(strrchr(caller, '+') - caller);
}

/* What addr2line says of addresses in one file, each behind a line that begins as an address does; where it
 * says nothing, lines_add's answer stays. */
static void lines_ask_file(struct lines *l, const char *const *callers, size_t count)
{
    struct str command = {0}, answer = {0};
    char line[4096];
    size_t answered = 0;
    str_printf(&command, "addr2line -a -f -i -e ");
    add_quoted(&command, arena_strndup(l->arena, callers[0], lines_file_length(callers[0])));
    for (size_t i = 0; i < count; i++)
        str_printf(&command, " %s", strrchr(callers[i], '+') + 1);
    str_add(&command, " 2> /dev/null");
    FILE *pipe = popen(str_text(&command), "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        bool begins = sw_starts_with(line, "0x");
        if (begins && answered && answered <= count)
            map_set(&l->answers, callers[answered - 1], (void *)arena_strdup(l->arena, str_text(&answer)));
        if (begins) answered++, answer.length = 0;
        if (!begins) str_add(&answer, line);
    }
    if (answered && answered <= count)
        map_set(&l->answers, callers[answered - 1], (void *)arena_strdup(l->arena, str_text(&answer)));
    if (pipe) pclose(pipe);
    str_release(&command);
    str_release(&answer);
}

typedef VEC(const char *) lines_list;

/* Callers, one below the other, that are addresses. Texts live as long as the arena. */
static void lines_add(struct lines *l, lines_list *list, const char *callers)
{
    while (callers && *callers) {
        size_t length = strcspn(callers, "\n");
        const char *one = arena_strndup(l->arena, callers, length);
        if (lines_is_address(one) && !map_get(&l->answers, one)) {
            *vec_push(list) = one;
            map_set(&l->answers, one, (void *)"");
        }
        callers += length + (callers[length] != 0);
    }
}

static int lines_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* One process for each file, and so many addresses: there may be hundreds. */
static void lines_ask_all(struct lines *l, lines_list *list)
{
    enum { ADDRESSES_MOST = 512 };
    if (list->count) qsort(list->at, list->count, sizeof *list->at, lines_compare);
    for (size_t i = 0, n; i < list->count; i += n) {
        size_t length = lines_file_length(list->at[i]);
        for (n = 1; i + n < list->count && n < ADDRESSES_MOST; n++)
            if (lines_file_length(list->at[i + n]) != length ||
                strncmp(list->at[i], list->at[i + n], length) != 0)
                break;
        lines_ask_file(l, list->at + i, n);
    }
    vec_release(list);
}

static const char *lines_take(const char **text, char *out, size_t bytes)
{
    size_t length = strcspn(*text, "\n");
    snprintf(out, bytes, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] != 0);
    return out;
}

const char *cli_line_of_answer(struct arena *arena, const char *text, const char *kernel, const char **holder)
{
    char function[4096], line[4096];
    const char *found = NULL;
    *holder = NULL;
    while (text && *text) {
        lines_take(&text, function, sizeof function);
        lines_take(&text, line, sizeof line);
        char *more = strstr(line, " (discriminator");
        if (more) *more = 0;
        bool counts = lines_is_known(line) && !is_of_cuda(line) && !lines_is_stub(function, kernel);
        if (!found && function[0] != '?' && (counts || !*holder || lines_is_stub(*holder, kernel)))
            *holder = arena_strdup(arena, function);
        if (!found && counts) found = arena_strdup(arena, line);
    }
    return found;
}

static const char *lines_line_of(const struct lines *l, const char *caller, const char *kernel,
                                 const char **holder)
{
    *holder = NULL;
    const char *slash = strrchr(caller, '/');
    const char *plain = arena_strdup(l->arena, slash ? slash + 1 : caller);
    if (!lines_is_address(caller)) return plain;
    const char *line = cli_line_of_answer(l->arena, map_get(&l->answers, caller), kernel, holder);
    return line ? line : plain;
}

static const char *lines_known(struct lines *l, const char *caller)
{
    const char *line = map_get(&l->known, caller), *holder;
    if (line) return line;
    line = *caller ? lines_line_of(l, caller, NULL, &holder) : "";
    map_set(&l->known, caller, (void *)line);
    return line;
}

const struct event_operation *cli_operation_lines(const struct event_operation *operations, uint32_t count,
                                                  struct arena *arena)
{
    struct event_operation *out = arena_copy(arena, operations, sizeof *operations * count);
    struct lines lines = {.arena = arena};
    lines_list list = {0};
    for (uint32_t i = 0; i < count; i++)
        lines_add(&lines, &list, out[i].caller);
    lines_ask_all(&lines, &list);
    for (uint32_t i = 0; i < count; i++)
        out[i].caller = lines_known(&lines, out[i].caller);
    lines_release(&lines);
    return out;
}

/* NULL, and what is no address in a program, stay as they are. */
static void lines_replace(struct lines *l, const char **where)
{
    if (*where && lines_is_address(*where)) *where = lines_known(l, *where);
}

struct lines_place {
    const char *line, *holder;
};

/* The first of several callers that is no part of a stub; of a program without names the innermost one. */
static void lines_find_launch(const struct lines *l, const char *callers, const char *kernel,
                              struct lines_place *out)
{
    *out = (struct lines_place){0};
    while (*callers) {
        size_t length = strcspn(callers, "\n");
        struct lines_place one;
        one.line = lines_line_of(l, arena_strndup(l->arena, callers, length), kernel, &one.holder);
        bool is_stub = one.holder && lines_is_stub(one.holder, kernel);
        if (!out->line || !is_stub) *out = one;
        if (!is_stub) return;
        callers += length + (callers[length] != 0);
    }
}

static void lines_launched(struct lines *l, struct event_place *at)
{
    struct event_caller *launched = &at->launched;
    if (!launched->where || !lines_is_address(launched->where)) return;
    struct lines_place *place = map_get(&l->places, launched->where);
    if (!place) {
        place = ARENA_NEW(l->arena, struct lines_place);
        lines_find_launch(l, launched->where, at->kernel ? at->kernel->name : NULL, place);
        map_set(&l->places, launched->where, place);
    }
    launched->where = place->line;
    launched->function = place->holder;
}

const struct event_finding *cli_finding_lines(const struct event_finding *findings, uint32_t count,
                                              struct arena *arena)
{
    struct event_finding *out = arena_copy(arena, findings, sizeof *findings * count);
    struct lines lines = {.arena = arena};
    lines_list list = {0};
    for (uint32_t i = 0; i < count; i++) {
        lines_add(&lines, &list, out[i].place.launched.where);
        lines_add(&lines, &list, out[i].other.launched.where);
        lines_add(&lines, &list, out[i].where);
        lines_add(&lines, &list, out[i].place.where);
        lines_add(&lines, &list, out[i].other.where);
    }
    lines_ask_all(&lines, &list);
    for (uint32_t i = 0; i < count; i++) {
        lines_launched(&lines, &out[i].place);
        lines_launched(&lines, &out[i].other);
        lines_replace(&lines, &out[i].where);
        lines_replace(&lines, &out[i].place.where);
        lines_replace(&lines, &out[i].other.where);
    }
    lines_release(&lines);
    return out;
}
