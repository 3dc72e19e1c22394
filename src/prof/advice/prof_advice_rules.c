/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rules; what the rules share; findings as text. Rules call it, it calls no rule.
 */
#include "prof_advice_priv.h"

#include <stdarg.h>
#include <string.h>

static const struct prof_rule RULES[] = {
#define RULE(name, id, priority, section, title, change) {id, section, title, change, PROF_##priority},
#include "prof_advice.def"
#undef RULE
};

uint32_t prof_rule_count(void)
{
    return SW_COUNT_OF(RULES);
}

const char *prof_priority_name(enum prof_priority priority)
{
    static const char *const NAMES[] = {N_("Low"), N_("Medium"), N_("High")};
    return _(NAMES[priority]);
}

/* ---- what rules share */

const char *prof_say(struct prof_advisor *a, const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    const char *result = arena_strdup(a->arena, str_text(&text));
    str_release(&text);
    return result;
}

const char *prof_say_number(struct prof_advisor *a, uint64_t number)
{
    struct str text = {0};
    report_number(report_integer(number), &text);
    const char *result = arena_strdup(a->arena, str_text(&text));
    str_release(&text);
    return result;
}

const char *prof_human(struct prof_advisor *a, uint64_t bytes)
{
    return prof_human_bytes(bytes, a->arena);
}

double prof_share(double part, double whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void add_caches(struct prof_spot *spot, const struct event_memory *memory, uint32_t instr)
{
    for (uint32_t space = 0; memory && instr < memory->instr_count && space < EVENT_MEMORY_SPACES; space++) {
        const struct event_memory_sums *m = &memory->instrs[instr][space];
        spot->l2 += m->l2_reads + m->l2_writes + m->l2_atomics;
        spot->dram += m->dram_reads + m->dram_writes;
        spot->l1_hits += m->l1_hits;
    }
}

struct prof_spot *prof_spot_add(prof_spots *spots, const struct prof_advisor *a, uint32_t instr)
{
    const struct event_instr *i = &a->flow.kernel->instrs[instr];
    const struct prof_count *c = &a->counts[instr];
    const char *file;
    uint32_t line;
    prof_location_of(i, &file, &line);
    struct prof_spot *spot = NULL;
    for (size_t s = 0; s < spots->count && !spot; s++)
        if (spots->at[s].line == line && strcmp(spots->at[s].file, file) == 0) spot = &spots->at[s];
    if (!spot) {
        spot = vec_push(spots);
        *spot = (struct prof_spot){.file = file, .line = line, .first = instr};
    }
    prof_call_note(&spot->call, i, spot->instrs == 0);
    spot->instrs++;
    spot->warps += c->warps;
    spot->lanes += c->lanes;
    add_caches(spot, a->launch->launch->memory, instr);
    return spot;
}

struct prof_finding *prof_found(struct prof_advisor *a, enum prof_rule_id rule, const struct prof_spot *spot,
                                double saved_seconds, const char *evidence)
{
    struct prof_finding *f = vec_push(&a->list);
    *f = (struct prof_finding){.rule = &RULES[rule],
                               .file = spot ? spot->file : "",
                               .line = spot ? spot->line : 0,
                               .call = spot ? spot->call : (struct prof_call){0},
                               .unit = "",
                               .title = _(RULES[rule].title),
                               .change = _(RULES[rule].change),
                               .evidence = evidence};
    if (a->cost.total > 0 && saved_seconds > 0) f->gain = saved_seconds / a->cost.total;
    if (f->gain > 1) f->gain = 1;
    return f;
}

/* ---- as text */

void prof_rules_markdown(struct str *out)
{
    str_add(out, "| rule | priority | guide | what is wrong | what to change |\n|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < prof_rule_count(); i++)
        str_printf(out, "| `%s` | %s | %s | %s | %s |\n", RULES[i].id, prof_priority_name(RULES[i].priority),
                   RULES[i].section, _(RULES[i].title), _(RULES[i].change));
}

const char *prof_finding_location(const struct prof_finding *f, struct arena *arena)
{
    return f->line ? prof_location_text(f->file, f->line, &f->call, arena) : "";
}

enum { HARDLY_PERMILLE = 5 }; /* assumed: of the time, below which a saving is called none */

bool prof_hardly_saves(const struct prof_finding *f)
{
    return f->timed && f->saved_ns * 1000 < f->of_ns * HARDLY_PERMILLE;
}

const char *prof_gain_text(const struct prof_finding *f, struct arena *arena)
{
    if (f->rule == &RULES[PROF_RULE_BARRIER]) return _("affects correctness, not time");
    if (prof_hardly_saves(f)) return f->gain > 0 ? _("saves hardly any time: the limit is elsewhere") : "";
    if (f->timed)
        return arena_printf(
            arena,
            f->of_host ? _("saves about %s of the %s for copies and allocations") : _("saves about %s of %s"),
            prof_human_seconds(f->saved_ns / 1e9, arena), prof_human_seconds(f->of_ns / 1e9, arena));
    if (f->gain <= 0) return "";
    return arena_printf(arena, _("up to %.0f %% of the work is avoidable"),
                        100 * f->gain < 1 ? 1 : 100 * f->gain);
}

void prof_finding_text(const struct prof_finding *f, uint32_t number, uint32_t width, struct arena *arena,
                       struct str *out)
{
    enum { INDENT = 5 }; /* implementation: columns */
    const char *location = prof_finding_location(f, arena), *gain = prof_gain_text(f, arena);
    const char *lines[] = {location, f->evidence, f->change};
    str_printf(out, "  %u. ", number);
    report_wrap(arena_printf(arena, "%s (%s, %s: %s %s%s%s)", f->title, prof_priority_name(f->rule->priority),
                             f->rule->id, _("guide section"), f->rule->section, *gain ? ", " : "", gain),
                INDENT, width, out);
    for (size_t i = 0; i < SW_COUNT_OF(lines); i++) {
        if (!*lines[i]) continue;
        str_printf(out, "%*s", INDENT, "");
        report_wrap(lines[i], INDENT, width, out);
    }
}
