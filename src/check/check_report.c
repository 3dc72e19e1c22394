/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that are alike become one group. Purpose: one mistake is read once, however many threads made it.
 * Method: a key of the rule, the kernel, the two lines and what is done there; groups stand in the order of
 * their first findings, so a report depends on nothing else. Limits: of a group's threads the first
 * CHECK_THREADS_MOST are kept. */
#include "check_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct check_report *check_report_new(const struct check_options *options)
{
    struct check_report *report = sw_xcalloc(1, sizeof *report);
    report->options = *options;
    arena_init(&report->arena);
    report->sources.arena = &report->arena;
    return report;
}

void check_report_free(struct check_report *report)
{
    if (!report) return;
    for (size_t i = 0; i < report->groups.count; i++) {
        vec_release(&report->groups.at[i]->threads);
        map_release(&report->groups.at[i]->thread_known);
    }
    vec_release(&report->groups);
    map_release(&report->by_key);
    map_release(&report->names);
    map_release(&report->orders);
    report_sources_release(&report->sources);
    arena_release(&report->arena);
    free(report);
}

uint64_t check_report_errors(const struct check_report *report)
{
    return report->errors;
}

static void add_line_key(const struct check_place *p, struct str *out)
{
    if (!p->at) return;
    if (*p->file)
        str_printf(out, "|%s:%u", p->file, p->line);
    else
        str_printf(out, "|%u", p->at->line);
    str_printf(out, "|%s|%s", p->kernel ? p->kernel : "", p->at->call ? p->at->call : "");
    if (!p->kernel && !*p->file) str_printf(out, "|%s", p->at->where ? p->at->where : "");
}

/* What makes two places the same one. */
static void add_place_key(const struct check_place *p, struct str *out)
{
    add_line_key(p, out);
    if (p->at && p->at->bytes) str_printf(out, "|%s", check_access_name(p));
}

static bool is_somewhere(const struct check_place *p)
{
    return p->kernel || p->at->call || p->at->where;
}

static const char *place_key(struct check_report *r, const struct check_group *g)
{
    const struct event_finding *f = g->first;
    struct str key = {0};
    str_printf(&key, "%s|%s|%d|%d", g->rule->id, g->process, (int)g->level, (int)f->space);
    add_place_key(&g->place, &key);
    add_place_key(&g->other, &key);
    if (f->message && f->kind == EVENT_FINDING_CALL) str_printf(&key, "|%s", f->message);
    if (f->message && f->kind == EVENT_FINDING_BARRIER) /* "Divergent thread(s) in warp: lanes 0x1 ..." */
        str_printf(&key, "|%.*s", (int)strcspn(f->message, ":"), f->message);
    const char *kept = arena_strdup(&r->arena, str_text(&key));
    str_release(&key);
    return kept;
}

static const char *key_of(struct check_report *r, const struct check_group *g, const char *place)
{
    bool alone = r->options.each || !is_somewhere(&g->place);
    return alone ? arena_printf(&r->arena, "%s|%" PRIu64, place, r->errors) : place;
}

/* A run before this one had it. */
static bool is_known_key(struct check_report *r, const char *key)
{
    uint64_t *run = map_get(&r->orders, key);
    if (run) return *run != r->run;
    run = ARENA_NEW(&r->arena, uint64_t);
    *run = r->run;
    map_set(&r->orders, key, run);
    return false;
}

/* Of two lines that race, whichever access came first. */
static const char *race_key(struct check_report *r, const struct check_group *g)
{
    struct str a = {0}, b = {0};
    add_line_key(&g->place, &a);
    add_line_key(&g->other, &b);
    bool swap = strcmp(str_text(&a), str_text(&b)) > 0;
    const char *key = arena_printf(&r->arena, "race|%s|%s|%s", g->process, str_text(swap ? &b : &a),
                                   str_text(swap ? &a : &b));
    str_release(&a);
    str_release(&b);
    return key;
}

static bool is_known(struct check_report *r, const struct check_group *g, const char *place)
{
    bool race = g->first->kind == EVENT_FINDING_RACE && is_known_key(r, race_key(r, g));
    return race || is_known_key(r, place);
}

void check_report_order(struct check_report *r, const char *which)
{
    r->order = which;
    r->run++;
}

/* Where the finding is: of a leak, or of an allocation that is not used, where it was made. */
static const struct event_place *place_of(struct check_report *r, const struct event_finding *f)
{
    bool by_maker = f->kind == EVENT_FINDING_LEAK || f->kind == EVENT_FINDING_UNUSED;
    if (!by_maker || f->place.kernel || f->place.call) return &f->place;
    struct event_place *maker = ARENA_NEW(&r->arena, struct event_place);
    *maker = (struct event_place){.call = f->made, .where = f->where};
    return maker;
}

/* Once, though a loop may do it many times. */
static void thread_add(struct check_group *g, const struct event_place *p)
{
    struct check_thread thread;
    for (int d = 0; d < 3; d++)
        thread.block[d] = p->block[d], thread.thread[d] = p->thread[d];
    uint64_t key = sw_hash_bytes(&thread, sizeof thread, 0);
    if (map_get_u64(&g->thread_known, key)) return;
    map_set_u64(&g->thread_known, key, g);
    *vec_push(&g->threads) = thread;
}

static void group_add(struct check_group *g, const struct event_finding *f)
{
    uint64_t count = f->count ? f->count : 1;
    g->count += count;
    if (f->kind == EVENT_FINDING_LEAK) g->bytes += f->size * count;
    if (f->place.kernel && g->threads.count < CHECK_THREADS_MOST) thread_add(g, &f->place);
}

void check_report_add(struct check_report *r, const char *process, const struct event_finding *finding)
{
    struct check_group made = {
        .rule = check_rule_of(finding), .first = finding, .process = process ? process : ""};
    made.level = check_level_of(made.rule, finding);
    if (made.level < r->options.level) return;
    made.variable = check_variable_name(r, finding->variable);
    check_place_init(r, place_of(r, finding), &made.place);
    if (finding->has_other) check_place_init(r, &finding->other, &made.other);
    uint64_t count = finding->count ? finding->count : 1;
    if (r->options.suppressions && check_is_suppressed(r->options.suppressions, &made)) {
        r->suppressed += count;
        return;
    }
    const char *place = place_key(r, &made), *key = key_of(r, &made, place);
    if (is_known(r, &made, place)) return;
    made.order = r->order;
    struct check_group *group = map_get(&r->by_key, key);
    if (!group) {
        group = arena_copy(&r->arena, &made, sizeof made);
        check_formula_init(r, group);
        map_set(&r->by_key, key, group);
        *vec_push(&r->groups) = group;
    }
    if (!r->process) r->process = group->process;
    r->several |= strcmp(r->process, made.process) != 0;
    group_add(group, finding);
    r->errors += count;
}
