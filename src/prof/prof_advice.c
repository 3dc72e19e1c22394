/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: the table of rules, what the rules share, and the order of what they find.
 *
 * Findings are sorted by the predicted time that the change would save (prof_advice_time.c); where no time
 * was predicted by the share of the launch's work, then by priority. Work is the sum of three plain bounds:
 * sectors at the memory's bandwidth, wavefronts at one a clock and multiprocessor, warp instructions at four
 * a clock and multiprocessor (two before cc 5.0). It is there to compare findings, not to predict time: what
 * overlaps is added up. Findings whose saving cannot be told (occupancy, pageable memory without sizes) have
 * a gain of 0 and come last. Sources: CUDA C Best Practices Guide 8.0; throughput: CUDA C Programming Guide,
 * "Arithmetic Instructions".
 */
#include "prof_advice_priv.h"

#include <stdarg.h>
#include <stdlib.h>
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

/* ---- a launch */

static uint64_t advice_slot(const uint64_t *counters, uint32_t number)
{
    return number == EVENT_NO_SLOT ? 0 : counters[number];
}

static void read_count(const struct event_instr *i, const uint64_t *counters, struct prof_count *out)
{
    out->warps = advice_slot(counters, i->slots.warps);
    out->lanes = advice_slot(counters, i->slots.lanes);
    out->on_warps = advice_slot(counters, i->slots.on_warps);
    out->on_lanes = advice_slot(counters, i->slots.on_lanes);
    out->divergent = advice_slot(counters, i->slots.divergent);
    for (size_t k = 0; k < SW_COUNT_OF(out->access); k++)
        out->access[k] = (struct prof_access){.requests = advice_slot(counters, i->slots.access[k].requests),
                                              .units = advice_slot(counters, i->slots.access[k].units),
                                              .ideal = advice_slot(counters, i->slots.access[k].ideal)};
}

static void estimate_cost(struct prof_advisor *a)
{
    const struct arch_gpu *gpu = a->launch->gpu;
    const struct prof_sums *sums = &a->launch->sums;
    double bandwidth = arch_dram_bytes_per_second(gpu);
    double clocks = 1000.0 * (double)gpu->clock_khz * (double)gpu->sm_count;
    double issue = a->launch->cc->major < 5 ? 2 : 4;
    uint64_t local = sums->access[PROF_LOCAL_LOAD].units + sums->access[PROF_LOCAL_STORE].units;
    a->cost.sector = bandwidth > 0 ? 32 / bandwidth : 0;
    a->cost.wavefront = clocks > 0 ? 1 / clocks : 0;
    a->cost.instruction = clocks > 0 ? 1 / (clocks * issue) : 0;
    a->cost.total = a->cost.sector * (double)(prof_global_total(sums).units + local) +
                    a->cost.wavefront * (double)prof_shared_total(sums).units +
                    a->cost.instruction * (double)sums->warps;
}

static void read_launch(struct prof_advisor *a)
{
    const struct event_launch *l = a->launch->launch;
    if (!a->launch->counted) return;
    a->counts = ARENA_ARRAY(a->arena, struct prof_count, l->kernel->instr_count + 1);
    for (uint32_t i = 0; i < l->kernel->instr_count; i++)
        read_count(&l->kernel->instrs[i], l->counters, &a->counts[i]);
    a->warps = l->kernel->instr_count ? a->counts[0].warps : 0; /* each begins once */
    prof_flow_init(&a->flow, l->kernel, l->block, a->arena);
    estimate_cost(a);
}

static int order(const struct prof_finding *a, const struct prof_finding *b)
{
    if (a->saved_ns != b->saved_ns) return a->saved_ns < b->saved_ns ? 1 : -1;
    if (a->gain != b->gain) return a->gain < b->gain ? 1 : -1;
    if (a->rule->priority != b->rule->priority) return a->rule->priority < b->rule->priority ? 1 : -1;
    if (a->rule != b->rule) return a->rule < b->rule ? -1 : 1;
    int files = strcmp(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static int by_gain(const void *x, const void *y)
{
    return order(x, y);
}

static uint32_t advice_finish(struct prof_advisor *a, struct prof_finding **out)
{
    uint32_t count = (uint32_t)a->list.count;
    if (count) qsort(a->list.at, count, sizeof *a->list.at, by_gain);
    *out = arena_copy(a->arena, a->list.at, sizeof *a->list.at * count);
    vec_release(&a->list);
    return count;
}

uint32_t prof_findings(const struct prof_launch *launch, struct arena *arena, struct prof_finding **out)
{
    struct prof_advisor a = {.launch = launch, .arena = arena};
    read_launch(&a);
    if (launch->counted) {
        prof_advise_reuse(&a);
        prof_advise_global(&a);
        prof_advise_shared(&a);
        prof_advise_spaces(&a);
        prof_advise_control(&a);
        prof_advise_math(&a);
    }
    prof_advise_configuration(&a);
    prof_advise_fit(&a);
    prof_advise_channels(&a);
    return advice_finish(&a, out);
}

uint32_t prof_process_findings(const struct prof_process *process, struct arena *arena,
                               struct prof_finding **out)
{
    struct prof_advisor a = {.process = process, .arena = arena};
    prof_advise_transfers(&a);
    return advice_finish(&a, out);
}

/* ---- as text */

uint32_t prof_advice(const struct prof_launch *launch, struct arena *arena, const char ***out)
{
    struct prof_finding *findings;
    uint32_t count = prof_findings(launch, arena, &findings);
    *out = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *location = prof_finding_location(&findings[i], arena);
        (*out)[i] = arena_printf(arena, "%s%s%s: %s %s", findings[i].title, *location ? ", " : "", location,
                                 findings[i].evidence, findings[i].change);
    }
    return count;
}

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
    if (f->rule == &RULES[PROF_RULE_BARRIER]) return _("a matter of right results, not of time");
    if (prof_hardly_saves(f)) return f->gain > 0 ? _("saves hardly any time: something else limits it") : "";
    if (f->timed)
        return arena_printf(arena,
                            f->of_host ? _("saves about %s of the %s that copies and allocations take")
                                       : _("saves about %s of %s"),
                            prof_human_seconds(f->saved_ns / 1e9, arena),
                            prof_human_seconds(f->of_ns / 1e9, arena));
    if (f->gain <= 0) return "";
    return arena_printf(arena, _("up to %.0f %% of the work"), 100 * f->gain < 1 ? 1 : 100 * f->gain);
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
