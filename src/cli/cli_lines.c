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

/* NULL: not known. *holder: the function at that line, or at the address where no line is known. kernel:
 * whose stub does not count; NULL: none. */
static const char *lines_ask(const char *file, const char *address, const char *kernel, struct arena *arena,
                             const char **holder)
{
    struct str command = {0};
    char function[4096], line[4096];
    const char *found = NULL;
    *holder = NULL;
    str_printf(&command, "addr2line -f -i -e ");
    add_quoted(&command, file);
    str_printf(&command, " %s 2> /dev/null", address);
    FILE *pipe = popen(str_text(&command), "r");
    while (pipe && fgets(function, sizeof function, pipe) && fgets(line, sizeof line, pipe)) {
        line[strcspn(line, "\n")] = 0;
        char *more = strstr(line, " (discriminator");
        if (more) *more = 0;
        function[strcspn(function, "\n")] = 0;
        bool counts = lines_is_known(line) && !is_of_cuda(line) && !lines_is_stub(function, kernel);
        if (!found && function[0] != '?' && (counts || !*holder || lines_is_stub(*holder, kernel)))
            *holder = arena_strdup(arena, function);
        if (!found && counts) found = arena_strdup(arena, line);
    }
    if (pipe) pclose(pipe);
    str_release(&command);
    return found;
}

static const char *lines_line_of(const char *caller, const char *kernel, struct arena *arena,
                                 const char **holder)
{
    *holder = NULL;
    const char *plus = strrchr(caller, '+'), *slash = strrchr(caller, '/');
    const char *plain = arena_strdup(arena, slash ? slash + 1 : caller);
    if (!plus || !slash || strspn(plus + 1, "0123456789abcdefx") != strlen(plus + 1)) return plain;
    const char *file = arena_strndup(arena, caller, (size_t)(plus - caller));
    const char *line = lines_ask(file, plus + 1, kernel, arena, holder);
    return line ? line : plain;
}

const char *cli_line_of(const char *caller, struct arena *arena, struct map *known)
{
    const char *line = map_get(known, caller), *holder;
    if (line) return line;
    line = *caller ? lines_line_of(caller, NULL, arena, &holder) : "";
    map_set(known, caller, (void *)line);
    return line;
}

const struct event_operation *cli_operation_lines(const struct event_operation *operations, uint32_t count,
                                                  struct arena *arena)
{
    struct event_operation *out = arena_copy(arena, operations, sizeof *operations * count);
    struct map known = {0};
    for (uint32_t i = 0; i < count; i++)
        out[i].caller = cli_line_of(out[i].caller, arena, &known);
    map_release(&known);
    return out;
}

/* "/folder/program+0x1a2b" */
static bool lines_is_address(const char *caller)
{
    const char *plus = strrchr(caller, '+');
    return plus && strchr(caller, '/') && strspn(plus + 1, "0123456789abcdefx") == strlen(plus + 1);
}

/* NULL, and what is no address in a program, stay as they are. */
static void lines_replace(struct map *known, const char **where, struct arena *arena)
{
    if (*where && lines_is_address(*where)) *where = cli_line_of(*where, arena, known);
}

struct lines_place {
    const char *line, *holder;
};

/* The first of several callers that is no part of a stub; of a program without names the innermost one. */
static void lines_find_launch(const char *callers, const char *kernel, struct arena *arena,
                              struct lines_place *out)
{
    *out = (struct lines_place){0};
    while (*callers) {
        size_t length = strcspn(callers, "\n");
        struct lines_place one;
        one.line = lines_line_of(arena_strndup(arena, callers, length), kernel, arena, &one.holder);
        bool is_stub = one.holder && lines_is_stub(one.holder, kernel);
        if (!out->line || !is_stub) *out = one;
        if (!is_stub) return;
        callers += length + (callers[length] != 0);
    }
}

static void lines_launched(struct map *places, struct event_place *at, struct arena *arena)
{
    struct event_caller *launched = &at->launched;
    if (!launched->where || !lines_is_address(launched->where)) return;
    struct lines_place *place = map_get(places, launched->where);
    if (!place) {
        place = ARENA_NEW(arena, struct lines_place);
        lines_find_launch(launched->where, at->kernel ? at->kernel->name : NULL, arena, place);
        map_set(places, launched->where, place);
    }
    launched->where = place->line;
    launched->function = place->holder;
}

const struct event_finding *cli_finding_lines(const struct event_finding *findings, uint32_t count,
                                              struct arena *arena)
{
    struct event_finding *out = arena_copy(arena, findings, sizeof *findings * count);
    struct map known = {0}, places = {0};
    for (uint32_t i = 0; i < count; i++) {
        lines_launched(&places, &out[i].place, arena);
        lines_launched(&places, &out[i].other, arena);
        lines_replace(&known, &out[i].where, arena);
        lines_replace(&known, &out[i].place.where, arena);
        lines_replace(&known, &out[i].other.where, arena);
    }
    map_release(&places);
    map_release(&known);
    return out;
}
