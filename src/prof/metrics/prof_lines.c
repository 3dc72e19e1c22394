/* SPDX-License-Identifier: Apache-2.0 */
/* Counters by source line.
 *
 * An instruction counts for the line it was written on, that is the innermost function when calls were
 * inlined; where the kernel itself calls that function from is noted beside the line. Without a .loc it
 * counts for its PTX line, under the file "". */
#include "base/base_text.h"
#include "prof_metrics.h"

#include <stdlib.h>
#include <string.h>

static int by_location(const void *a, const void *b)
{
    const struct prof_line *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

void prof_location_of(const struct event_instr *i, const char **file, uint32_t *line)
{
    bool known = i->loc && i->loc->line && i->loc->file[0];
    *file = known ? i->loc->file : "";
    *line = known ? i->loc->line : i->ptx_line;
}

/* The outermost call is the kernel's own; a call within the line is no other location. */
static struct prof_call lines_call_of(const struct event_instr *i)
{
    const struct event_loc *outer = i->loc;
    while (outer && outer->caller)
        outer = outer->caller;
    if (!outer || outer == i->loc || !outer->line || !outer->file[0]) return (struct prof_call){0};
    if (outer->line == i->loc->line && strcmp(outer->file, i->loc->file) == 0) return (struct prof_call){0};
    return (struct prof_call){.file = outer->file, .line = outer->line};
}

void prof_call_note(struct prof_call *call, const struct event_instr *i, bool first)
{
    struct prof_call one = lines_call_of(i);
    if (first)
        *call = one;
    else if (one.line != call->line || (one.file && strcmp(one.file, call->file) != 0))
        call->several = true;
}

const char *prof_location_text(const char *file, uint32_t line, const struct prof_call *call,
                               struct arena *arena)
{
    if (!*file) return arena_printf(arena, _("PTX line %u"), line);
    const char *location = arena_printf(arena, "%s:%u", prof_short_path(file, arena), line);
    if (!call->file) return location;
    return arena_printf(arena,
                        call->several ? _("%s, called from %s:%u and elsewhere") : _("%s, called from %s:%u"),
                        location, prof_short_path(call->file, arena), call->line);
}

uint32_t prof_lines(const struct prof_launch *launch, struct arena *arena, struct prof_line **out)
{
    const struct event_kernel *kernel = launch->launch->kernel;
    struct prof_line *lines = ARENA_ARRAY(arena, struct prof_line, kernel->instr_count + 1);
    struct map known = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; launch->counted && i < kernel->instr_count; i++) {
        const char *file;
        uint32_t number;
        prof_location_of(&kernel->instrs[i], &file, &number);
        const char *key = arena_printf(arena, "%u:%s", number, file);
        struct prof_line *line = map_get(&known, key);
        bool first = !line;
        if (first) {
            line = &lines[count++];
            *line = (struct prof_line){.file = file, .line = number, .op = kernel->instrs[i].text};
            map_set(&known, key, line);
        }
        prof_call_note(&line->call, &kernel->instrs[i], first);
        prof_sums_add(&line->sums, &kernel->instrs[i], launch->launch->counters, launch->cc);
        prof_memory_of_instr(launch->launch, i, &line->memory);
        prof_stalls_of_instr(launch->launch, i, &line->stalls);
    }
    map_release(&known);
    qsort(lines, count, sizeof *lines, by_location);
    *out = lines;
    return count;
}
