/* SPDX-License-Identifier: Apache-2.0 */
/* What compute-sanitizer does not say of a finding: whose memory it is and which call made it, both sides of
 * a race with their values, which threads, how often, and what to do. Method: each fact is one sentence, left
 * out where it is not known; sentences are translated (base_text.h), names and numbers are not. Limits:
 * threads of findings that come with a count alone are not known. */
#include "check_priv.h"

#include "base/base_text.h"

#include <inttypes.h>
#include <string.h>

enum { RUNS_MOST = 6 }; /* implementation: more runs of threads than these do not fit a line */

static void say(check_sentences *out, const char *sentence)
{
    *vec_push(out) = sentence;
}

static const char *number(uint64_t value, struct arena *arena)
{
    struct str text = {0};
    report_number(report_integer(value), &text);
    const char *kept = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return kept;
}

static const char *triple(const uint32_t t[3], struct arena *arena)
{
    return arena_printf(arena, "(%u,%u,%u)", t[0], t[1], t[2]);
}

static const char *place_text(const struct check_place *p, struct arena *arena)
{
    struct str text = {0};
    check_place_add(p, &text);
    const char *kept = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return kept;
}

/* ---- threads */

static bool is_block(const struct check_thread *t, const uint32_t block[3])
{
    return memcmp(t->block, block, sizeof t->block) == 0;
}

/* b is a's right neighbour. */
static bool is_next(const struct check_thread *a, const struct check_thread *b)
{
    return b->thread[0] == a->thread[0] + 1 && b->thread[1] == a->thread[1] && b->thread[2] == a->thread[2];
}

static void add_run(const struct check_thread *first, const struct check_thread *last, struct str *out)
{
    str_printf(out, "%s(%u", out->length ? ", " : "", first->thread[0]);
    if (last != first) str_printf(out, "..%u", last->thread[0]);
    str_printf(out, ",%u,%u)", first->thread[1], first->thread[2]);
}

const char *check_threads_text(const struct check_group *g, struct arena *arena)
{
    if (g->threads.count < 2 || g->first->kind == EVENT_FINDING_RACE) return NULL;
    const struct check_thread *t = g->threads.at, *end = t + g->threads.count;
    const uint32_t *block = t->block;
    struct str text = {0};
    uint32_t runs = 0;
    for (const struct check_thread *first = t, *last; first < end; first = last + 1) {
        last = first;
        if (!is_block(first, block)) continue;
        while (last + 1 < end && is_block(last + 1, block) && is_next(last, last + 1))
            last++;
        if (runs++ == RUNS_MOST) {
            str_add(&text, ", ...");
            break;
        }
        add_run(first, last, &text);
    }
    const char *kept = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return kept;
}

static void explain_threads(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const char *threads = check_threads_text(g, arena);
    if (threads)
        say(out, arena_printf(arena, _("Threads of block %s: %s"), triple(g->threads.at[0].block, arena),
                              threads));
    if (g->count > 1 && g->first->kind != EVENT_FINDING_RACE && g->first->kind != EVENT_FINDING_LEAK)
        say(out, arena_printf(arena, _("Errors of this kind at this place: %s; this is the first"),
                              number(g->count, arena)));
}

/* ---- memory */

static const char *call_in(const char *call, const char *where, struct arena *arena)
{
    call = call && *call ? call : _("a CUDA function");
    return where && *where ? arena_printf(arena, _("%s in %s"), call, check_base_name(where)) : call;
}

static const char *variable_text(const struct check_group *g, struct arena *arena)
{
    const char *parameter = "parameter ";
    if (strcmp(g->variable, CHECK_LOCAL_VARIABLES) == 0) return _("local variables");
    if (g->first->space == ISA_SPACE_PARAM && sw_starts_with(g->variable, parameter))
        return arena_printf(arena, _("parameter %s"), g->variable + strlen(parameter));
    return arena_printf(arena, _("variable '%s'"), g->variable);
}

void check_explain_memory(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const struct event_finding *f = g->first;
    bool after;
    bool outside = f->kind == EVENT_FINDING_BOUNDS && f->size && check_distance(f, &after);
    if (g->variable)
        say(out,
            arena_printf(arena,
                         outside ? _("The nearest allocation: %s, %s bytes") : _("The memory: %s, %s bytes"),
                         variable_text(g, arena), number(f->size, arena)));
    if (f->made) say(out, arena_printf(arena, _("Allocated by %s"), call_in(f->made, f->where, arena)));
    if (f->freed && g->other.at)
        say(out, arena_printf(arena, _("Freed by %s"), call_in(f->other.call, f->other.where, arena)));
}

static void explain_value(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const char *value = check_value_text(&g->place, arena);
    if (!value || g->first->kind == EVENT_FINDING_RACE) return;
    say(out, arena_printf(arena, _("Value of the first of these accesses: %s"), value));
}

/* ---- the other side */

/* "thread (1,0,0) of block (0,0,0), value 3"; "cudaMemcpy in main.cu:3" */
static const char *side_text(const struct check_place *p, struct arena *arena)
{
    const char *value = check_value_text(p, arena);
    const char *who = p->kernel ? arena_printf(arena, _("thread %s of block %s"),
                                               triple(p->at->thread, arena), triple(p->at->block, arena))
                                : place_text(p, arena);
    return value ? arena_printf(arena, _("%s, value %s"), who, value) : who;
}

/* "cudaLaunchKernel in main.cu:40" */
static const char *launch_text(const struct check_place *p, struct arena *arena)
{
    const struct event_caller *by = &p->at->launched;
    return p->kernel && by->where && *by->where ? call_in(by->call, by->where, arena) : NULL;
}

/* The later one's alone, where it is the same. */
static void explain_launches(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const char *later = launch_text(&g->place, arena), *earlier = launch_text(&g->other, arena);
    if (earlier && (!later || strcmp(earlier, later) != 0))
        say(out, arena_printf(arena, _("The kernel of the earlier access was launched by %s"), earlier));
    if (later && earlier && strcmp(earlier, later) == 0)
        say(out, arena_printf(arena, _("Launched by %s"), later));
    else if (later)
        say(out, arena_printf(arena, _("The kernel of the later access was launched by %s"), later));
}

static void explain_race(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const struct event_finding *f = g->first;
    const char *address = arena_printf(arena, "%s 0x%" PRIx64, check_space_name(f->space), f->address);
    say(out, arena_printf(arena, _("Both access %s"), address));
    say(out, arena_printf(arena, _("The earlier access: %s"), side_text(&g->other, arena)));
    say(out, arena_printf(arena, _("The later access: %s"), side_text(&g->place, arena)));
    explain_launches(g, arena, out);
}

static void explain_other(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    if (!g->other.at) return;
    if (g->first->kind == EVENT_FINDING_RACE)
        explain_race(g, arena, out);
    else if (!g->first->freed)
        say(out, arena_printf(arena, _("The other place: %s"), place_text(&g->other, arena)));
}

/* Kinds whose lines have the message already. */
static bool lines_say_message(enum event_finding_kind kind)
{
    return kind == EVENT_FINDING_FAULT || kind == EVENT_FINDING_CALL || kind == EVENT_FINDING_BARRIER ||
           kind == EVENT_FINDING_SCHEDULE || kind == EVENT_FINDING_FREE || kind == EVENT_FINDING_UNUSED;
}

void check_explain(const struct check_group *g, struct arena *arena, check_sentences *out)
{
    const struct event_finding *f = g->first;
    if (f->message && !lines_say_message(f->kind)) say(out, f->message);
    explain_other(g, arena, out);
    check_explain_formula(g, arena, out);
    explain_value(g, arena, out);
    explain_threads(g, arena, out);
    if (g->order)
        say(out, arena_printf(arena, _("Found only under another order of blocks and warps: %s"), g->order));
    say(out, arena_printf(arena, _("To do: %s"), _(g->rule->change)));
}
