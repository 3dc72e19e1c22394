/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a comparison passes. Gates fail closed: what a gate should have been held against and is not there,
 * or is of a program or launch that failed, fails like a gate whose condition holds. Method: kernels are
 * paired by name; problems are noted in the order in which they arise; then each gate is held against each
 * pair. Limits: a metric that neither report has for a kernel is none of that kernel's (the efficiency of
 * loads where there are none), as long as a gate's metric is some kernel's. */
#include "compare_priv.h"

#include "base/base_text.h"

#include <math.h>
#include <string.h>

const struct compare_metric *compare_find_exact(const struct compare_kernel *kernel, const char *name,
                                                struct arena *arena)
{
    (void)arena;
    return map_get(&kernel->by_name, name);
}

static void judge_note(struct compare_judgement *j, enum compare_problem_kind kind, const char *kernel,
                       const char *metric, const char *format, ...) __attribute__((format(printf, 5, 6)));
static void judge_note(struct compare_judgement *j, enum compare_problem_kind kind, const char *kernel,
                       const char *metric, const char *format, ...)
{
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    bool allowed = j->question->allowed >> kind & 1;
    *vec_push(&j->problems) =
        (struct compare_problem){kind, kernel, metric, arena_strdup(&j->arena, str_text(&text)), allowed};
    j->failed |= !allowed && j->question->gate_count;
    str_release(&text);
}

/* What a report says of itself. */
static void note_failures(struct compare_judgement *j, int side)
{
    const struct compare_report *report = j->question->reports[side];
    const char *path = j->question->paths[side];
    if (!report->kernels.count)
        judge_note(j, COMPARE_EMPTY_REPORTS, NULL, NULL, _("no kernel was launched in %s"), path);
    for (size_t i = 0; i < report->failures.count; i++)
        judge_note(j, COMPARE_FAILED_PROGRAMS, NULL, NULL, "%s: %s", path, report->failures.at[i]);
    for (size_t i = 0; i < report->kernels.count; i++) {
        const struct compare_kernel *k = report->kernels.at[i];
        if (!k->failed) continue;
        judge_note(j, COMPARE_FAILED_LAUNCHES, k->name, NULL, _("%s: %u of its %u launches failed in %s%s%s"),
                   k->name, k->failed, k->launches, path, k->failure ? ": " : "",
                   k->failure ? k->failure : "");
    }
}

static void add_pair(struct compare_judgement *j, const struct compare_kernel *base,
                     const struct compare_kernel *now)
{
    struct compare_pair *pair = ARENA_NEW(&j->arena, struct compare_pair);
    bool renamed = strcmp(base->name, now->name) != 0;
    const char *name = renamed ? arena_printf(&j->arena, "%s -> %s", base->name, now->name) : base->name;
    *pair = (struct compare_pair){base, now, name};
    *vec_push(&j->pairs) = pair;
}

/* The only kernel of a report that the other does not have. */
static const struct compare_kernel *only_alone(const struct compare_report *report,
                                               const struct compare_report *other)
{
    const struct compare_kernel *found = NULL;
    for (size_t i = 0; i < report->kernels.count; i++) {
        if (map_get(&other->by_name, report->kernels.at[i]->name)) continue;
        if (found) return NULL;
        found = report->kernels.at[i];
    }
    return found;
}

static void note_missing(struct compare_judgement *j, const struct compare_kernel *kernel,
                         const struct compare_kernel *renamed)
{
    const struct compare_question *q = j->question;
    if (renamed)
        judge_note(
            j, COMPARE_MISSING_KERNELS, kernel->name, NULL,
            _("%s is in %s but not in %s; if it is now named %s, --allow renamed-kernels compares the two"),
            kernel->name, q->paths[0], q->paths[1], renamed->name);
    else
        judge_note(j, COMPARE_MISSING_KERNELS, kernel->name, NULL, _("%s is in %s but not in %s"),
                   kernel->name, q->paths[0], q->paths[1]);
}

static void pair_up(struct compare_judgement *j)
{
    const struct compare_question *q = j->question;
    const struct compare_report *base = q->reports[0], *now = q->reports[1];
    const struct compare_kernel *old = only_alone(base, now), *new = only_alone(now, base);
    bool renamed = old && new, follow = !q->gate_count || q->allowed >> COMPARE_RENAMED_KERNELS & 1;
    for (size_t i = 0; i < base->kernels.count; i++) {
        const struct compare_kernel *kernel = base->kernels.at[i],
                                    *same = map_get(&now->by_name, kernel->name);
        if (same || (renamed && follow))
            add_pair(j, kernel, same ? same : new);
        else if (now->kernels.count) /* otherwise it is an empty report, which is said */
            note_missing(j, kernel, renamed ? new : NULL);
    }
    for (size_t i = 0; i < now->kernels.count; i++) {
        const struct compare_kernel *kernel = now->kernels.at[i];
        bool paired = map_get(&base->by_name, kernel->name) || (renamed && follow);
        if (!paired) *vec_push(&j->added) = kernel;
    }
}

static void note_fewer(struct compare_judgement *j, const struct compare_pair *pair)
{
    uint32_t before = pair->base->launches, now = pair->now->launches;
    if (now >= before) return;
    judge_note(j, COMPARE_FEWER_LAUNCHES, pair->name, NULL, _("%s: %u launches in %s, %u in %s"), pair->name,
               before, j->question->paths[0], now, j->question->paths[1]);
}

static uint32_t lacking(const struct compare_kernel *kernel, const struct compare_metric *metric)
{
    return metric->launches < kernel->launches ? kernel->launches - metric->launches : 0;
}

/* A metric that one side lacks, or has for fewer of its launches. */
static void note_values(struct compare_judgement *j, const struct compare_gate *gate,
                        const struct compare_pair *pair, const struct compare_metric *base,
                        const struct compare_metric *now)
{
    const struct compare_question *q = j->question;
    if (!base || !now) {
        judge_note(j, COMPARE_MISSING_METRICS, pair->name, gate->metric, _("%s: %s has no value in %s"),
                   pair->name, gate->metric, q->paths[base ? 1 : 0]);
        return;
    }
    uint32_t none = lacking(pair->now, now);
    if (none > lacking(pair->base, base))
        judge_note(j, COMPARE_MISSING_METRICS, pair->name, gate->metric,
                   _("%s: %s has no value in %u of the %u launches of %s"), pair->name, gate->metric, none,
                   pair->now->launches, q->paths[1]);
}

/* Notes what is missing; returns whether either side has the metric. *failed is set when the condition holds.
 */
static bool hold(struct compare_judgement *j, const struct compare_gate *gate,
                 const struct compare_pair *pair, bool *failed)
{
    const struct compare_question *q = j->question;
    const struct compare_metric *base = q->find(pair->base, gate->metric, &j->arena),
                                *now = q->find(pair->now, gate->metric, &j->arena);
    if (!base && !now) return false;
    note_values(j, gate, pair, base, now);
    if (!now || (!base && gate->scale != COMPARE_ABSOLUTE)) return true;
    double before = base ? compare_value(base) : (double)NAN, value = compare_value(now);
    bool holds = compare_gate_holds(gate, before, value);
    *vec_push(&j->checks) =
        (struct compare_check){gate, pair, base ? base->name : now->name, before, value, holds};
    *failed |= holds;
    return true;
}

static void check_gate(struct compare_judgement *j, const struct compare_gate *gate)
{
    bool failed = false, known = false;
    if (gate->unknown) {
        judge_note(j, COMPARE_UNKNOWN_METRICS, NULL, gate->metric, _("there is no metric named %s"),
                   gate->metric);
        return;
    }
    for (size_t i = 0; i < j->pairs.count; i++)
        known |= hold(j, gate, j->pairs.at[i], &failed);
    j->failed_gates += failed;
    j->failed |= failed;
    if (!known && j->pairs.count)
        judge_note(j, COMPARE_MISSING_METRICS, NULL, gate->metric,
                   _("no kernel has a value of %s in either report, so that the gate checks nothing"),
                   gate->metric);
}

void compare_judge(const struct compare_question *question, struct compare_judgement *out)
{
    memset(out, 0, sizeof *out);
    arena_init(&out->arena);
    out->question = question;
    note_failures(out, 0);
    note_failures(out, 1);
    pair_up(out);
    for (size_t i = 0; i < out->pairs.count; i++)
        note_fewer(out, out->pairs.at[i]);
    for (uint32_t i = 0; i < question->gate_count; i++)
        check_gate(out, &question->gates[i]);
}

void compare_judgement_release(struct compare_judgement *judgement)
{
    vec_release(&judgement->pairs);
    vec_release(&judgement->added);
    vec_release(&judgement->checks);
    vec_release(&judgement->problems);
    arena_release(&judgement->arena);
}

static const char *const COUNTED[COMPARE_PROBLEM_COUNT] = {
    [COMPARE_EMPTY_REPORTS] = N_("empty reports"),
    [COMPARE_FAILED_PROGRAMS] = N_("failed programs"),
    [COMPARE_FAILED_LAUNCHES] = N_("kernels with failed launches"),
    [COMPARE_MISSING_KERNELS] = N_("missing kernels"),
    [COMPARE_RENAMED_KERNELS] = N_("renamed kernels"),
    [COMPARE_FEWER_LAUNCHES] = N_("kernels with fewer launches"),
    [COMPARE_UNKNOWN_METRICS] = N_("unknown metrics"),
    [COMPARE_MISSING_METRICS] = N_("missing metrics"),
};

/* "; missing kernels: 1", of those that are allowed or of the others. */
static void count_problems(const struct compare_judgement *j, bool allowed, const char *before,
                           struct str *out)
{
    for (int k = 0; k < COMPARE_PROBLEM_COUNT; k++) {
        uint32_t count = 0;
        for (size_t i = 0; i < j->problems.count; i++)
            count += (int)j->problems.at[i].kind == k && j->problems.at[i].allowed == allowed;
        if (!count) continue;
        str_printf(out, _("; %s%s: %u"), before, _(COUNTED[k]), count);
        before = "";
    }
}

void compare_verdict(const struct compare_judgement *j, uint32_t differing, struct str *out)
{
    uint32_t gates = j->question->gate_count;
    if (!gates)
        str_printf(out, _("no gate given; kernels compared: %zu; values that differ: %u"), j->pairs.count,
                   differing);
    else if (j->failed)
        str_printf(out, _("FAIL: gates failed: %u of %u"), j->failed_gates, gates);
    else
        str_printf(out, _("pass: gates: %u; kernels compared: %zu; values checked: %zu"), gates,
                   j->pairs.count, j->checks.count);
    count_problems(j, false, "", out);
    count_problems(j, true, gates ? _("allowed: ") : "", out);
    if (j->added.count) str_printf(out, _("; new kernels: %zu"), j->added.count);
}
