/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches of a process the options choose: by the kernel's name, by ranges of NVTX, by how often it
 * was launched, and by their place among those. Names of the first kernels that were not chosen are kept, for
 * a note where none was. Limits: expressions that do not compile are refused when the tool starts. */
#include "session_nvtx.h"

#include <regex.h>
#include <stdio.h>

/* true: there is none, or it is valid. */
static bool compile_regex(const char *text, regex_t *out)
{
    return !text || regcomp(out, text, REG_EXTENDED | REG_NOSUB) == 0;
}

bool session_choice_begin(struct session_choice *choice, const struct session_options *options,
                          struct arena *arena)
{
    *choice = (struct session_choice){.options = options, .arena = arena};
    return compile_regex(options->kernel, &choice->kernel) &&
           compile_regex(options->without_kernel, &choice->without_kernel) &&
           compile_regex(options->invocation, &choice->invocation);
}

/* compute-sanitizer's filters are on mangled names, ncu's on demangled ones. */
static bool matches_name(const struct session_choice *choice, const regex_t *kernel, const char *name,
                         const char *demangled)
{
    return regexec(kernel, demangled, 0, NULL, 0) == 0 ||
           (choice->options->checks && regexec(kernel, name, 0, NULL, 0) == 0);
}

static bool is_named(struct session_choice *choice, const char *name)
{
    const struct session_options *o = choice->options;
    if (!o->kernel && !o->without_kernel) return true;
    struct arena arena;
    arena_init(&arena);
    const char *demangled = session_demangle(&arena, name);
    bool hit = (!o->kernel || matches_name(choice, &choice->kernel, name, demangled)) &&
               (!o->without_kernel || !matches_name(choice, &choice->without_kernel, name, demangled));
    if (!hit && !choice->matches) session_some_add(&choice->others, demangled, choice->arena);
    arena_release(&arena);
    return hit;
}

/* A function's name without its type, namespaces, template arguments and parameters. */
static const char *function_name(struct arena *arena, const char *name)
{
    static const char ANONYMOUS[] = "(anonymous namespace)";
    const char *start = session_demangle(arena, name), *end = start;
    for (; *end && *end != '<' && (*end != '(' || sw_starts_with(end, ANONYMOUS)); end++)
        if (*end == ':' || *end == ' ') start = end + 1;
    return arena_strndup(arena, start, (size_t)(end - start));
}

/* The launches of each function are counted from 1, those of all its template arguments together (observed of
 * ncu 2025.3). */
static bool is_invoked(struct session_choice *choice, const char *name)
{
    if (!choice->options->invocation) return true;
    char text[24]; /* of 64 bits */
    struct arena arena;
    arena_init(&arena);
    const char *function = function_name(&arena, name);
    uint64_t *count = map_get(&choice->invocations, function);
    if (!count) {
        count = ARENA_NEW(choice->arena, uint64_t);
        *count = 0;
        map_set(&choice->invocations, arena_strdup(choice->arena, function), count);
    }
    arena_release(&arena);
    snprintf(text, sizeof text, "%" PRIu64, ++*count);
    return regexec(&choice->invocation, text, 0, NULL, 0) == 0;
}

bool session_choice_wants(struct session_choice *choice, const char *name, struct session_ranges *ranges,
                          const struct event_nvtx *nvtx)
{
    const struct session_options *o = choice->options;
    if (!is_named(choice, name)) return false;
    choice->matches++;
    if (!session_ranges_choose(ranges, nvtx)) return false;
    if (!is_invoked(choice, name)) return false;
    uint64_t nth = choice->invoked++;
    bool chosen = nth >= o->skip && (!o->count || nth < o->skip + o->count);
    choice->chosen += chosen;
    return chosen;
}

bool session_choice_note(const struct session_choice *choice, struct str *out)
{
    if (choice->matches || !choice->others.texts.count) return false;
    const struct session_options *o = choice->options;
    if (o->without_kernel)
        str_add(out, "the filters choose");
    else if (o->kernel_id)
        str_add(out, "--kernel-id matches");
    else
        str_printf(out, "-k '%s' matches", o->kernel);
    str_printf(out, " none of the kernels that were launched: %s", str_text(&choice->others.list));
    return true;
}
