/* SPDX-License-Identifier: Apache-2.0 */
/* The first screen of a report: which kernels take longest, what limits each, what is wrong with it in plain
 * words, and where.
 *
 * Kernels stand in the order of their predicted time (of the bytes they move where none was predicted);
 * findings in the order that the advice gives them. Limits: the first KERNELS kernels with
 * PROF_VERDICT_FINDINGS findings each, without those that would save hardly any time; the rest is in the
 * sections below, and said to be. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <string.h>

enum { KERNELS = 8, LOCATIONS = 4, NAME_WIDTH = 32 };

static const char *limiter(const struct prof_launch *p)
{
    return p->has_occupancy ? _(arch_occupancy_limiter(&p->occupancy)) : "";
}

/* "2048 x 512", "128,128 x 16,16": grid and block without their last ones. */
static const char *dimensions_of(const struct event_launch *l, struct arena *arena)
{
    struct str text = {0};
    if (l->routine) return prof_clipped(l->routine->shape, NAME_WIDTH, arena);
    for (int which = 0; which < 2; which++) {
        const uint32_t *xyz = which ? l->block : l->grid;
        str_printf(&text, "%s%u", which ? " x " : "", xyz[0]);
        if (xyz[1] > 1 || xyz[2] > 1) str_printf(&text, ",%u", xyz[1]);
        if (xyz[2] > 1) str_printf(&text, ",%u", xyz[2]);
    }
    const char *dimensions = arena_strdup(arena, str_text(&text));
    str_release(&text);
    return dimensions;
}

static uint32_t count_names(struct prof_group *const *groups, uint32_t count)
{
    struct map names = {0};
    for (uint32_t i = 0; i < count; i++)
        map_set(&names, groups[i]->total.kernel, groups[i]);
    uint32_t different = (uint32_t)names.count;
    map_release(&names);
    return different;
}

/* The predicted time of all launches together, "1.25 ms". */
static struct report_value time_of(const struct prof_group *g, struct arena *arena)
{
    double seconds = prof_group_seconds(g);
    return seconds > 0 ? report_text(prof_human_seconds(seconds, arena)) : report_none();
}

/* Of the time of all kernels; of their traffic where no time was predicted. */
static double weight_of(const struct prof_group *g, bool timed)
{
    return timed ? g->total.predicted_ns : (double)prof_traffic_bytes(&g->total.sums);
}

static void kernel_row(struct report_table *table, uint32_t number, const struct prof_group *g, double all,
                       bool timed, struct arena *arena)
{
    const struct prof_launch *p = &g->total;
    struct prof_access global = prof_global_total(&p->sums), shared = prof_shared_total(&p->sums);
    uint64_t bytes = prof_traffic_bytes(&p->sums);
    struct report_value none = report_none();
    report_cell(table, report_integer(number));
    report_cell(table, report_text(prof_short_name(p->kernel, NAME_WIDTH, arena)));
    report_cell(table, report_text(dimensions_of(p->launch, arena)));
    report_cell(table, report_integer(g->launches));
    report_cell(table, time_of(g, arena));
    double share = all > 0 ? weight_of(g, timed) / all : 0;
    report_cell(table,
                all > 0 ? report_text(prof_percent((uint64_t)(1e6 * share + 0.5), 1000000, arena)) : none);
    report_cell(table, report_text(p->counted           ? prof_human_bytes(bytes, arena)
                                   : p->launch->routine ? _("library")
                                                        : _("not counted")));
    report_cell(table, global.units
                           ? report_text(prof_percent(global.units - global.ideal, global.units, arena))
                           : none);
    report_cell(table, shared.units
                           ? report_text(prof_percent(shared.units - shared.ideal, shared.units, arena))
                           : none);
    report_cell(table, p->has_occupancy ? report_text(arena_printf(arena, "%.0f %% (%s)",
                                                                   100 * p->occupancy.fraction, limiter(p)))
                                        : none);
}

static void kernel_table(const struct prof_pages *pages, struct prof_group *const *groups, uint32_t count,
                         struct arena *arena, struct str *out)
{
    struct report_table table = {0};
    static const char *const NAMES[] = {
        "",           N_("Kernel"),  N_("Grid x Block"), N_("Launches"),       N_("Time~"),
        N_("Of all"), N_("Traffic"), N_("Excess"),       N_("Bank conflicts"), N_("Occupancy (limit)")};
    double all = 0;
    bool timed = count && groups[0]->total.predicted_ns > 0;
    for (uint32_t i = 0; i < count; i++)
        all += weight_of(groups[i], timed);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, *NAMES[i] ? _(NAMES[i]) : "", "");
    for (uint32_t i = 0; i < count && i < KERNELS; i++)
        kernel_row(&table, i + 1, groups[i], all, timed, arena);
    report_table_text(&table, out);
    if (count > KERNELS) str_printf(out, _("  %u more kernels are listed below\n"), count - KERNELS);
    const char *trust = prof_trust_text(groups, count, arena);
    if (*trust) str_add(out, "  ");
    if (*trust) report_wrap(trust, 2, prof_width(pages), out);
    str_add(out, "\n");
    report_table_release(&table);
}

static enum prof_style style_of(enum prof_priority priority)
{
    return priority == PROF_HIGH ? PROF_RED : priority == PROF_MEDIUM ? PROF_YELLOW : PROF_FAINT;
}

/* "High: Let neighbouring threads ... (transpose.cu:25; up to 57 % of the work)", then the numbers and what
 * to do. */
static void add_finding(const struct prof_pages *pages, const struct prof_finding *f, struct arena *arena,
                        struct str *out)
{
    const char *location = prof_finding_location(f, arena);
    struct str rest = {0};
    str_add(out, "     ");
    prof_colour(pages, style_of(f->rule->priority), out);
    str_add(out, prof_priority_name(f->rule->priority));
    prof_colour(pages, PROF_PLAIN, out);
    str_printf(&rest, _(": %s"), f->title);
    const char *gain = prof_gain_text(f, arena);
    if (*location || *gain) str_printf(&rest, " (%s%s%s)", location, *location && *gain ? "; " : "", gain);
    size_t more = report_width(prof_priority_name(f->rule->priority)), indent = 9, named = indent - 5;
    uint32_t width = prof_width(pages) - (uint32_t)(more > named ? more - named : 0);
    report_wrap(str_text(&rest), (uint32_t)indent, width, out);
    str_add(out, "         ");
    report_wrap(arena_printf(arena, _("%s %s"), f->evidence, f->change), 9, prof_width(pages), out);
    str_release(&rest);
}

static uint32_t count_worth(const struct prof_finding *findings, uint32_t count)
{
    uint32_t worth = 0;
    for (uint32_t i = 0; i < count; i++)
        worth += !prof_hardly_saves(&findings[i]);
    return worth;
}

/* Was the rule's first finding shown before? */
static bool is_again(const struct prof_finding *findings, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (findings[k].rule == findings[i].rule) return true;
    return false;
}

/* The same fault elsewhere: its first PLACES alone. Returns how many. */
static uint32_t add_locations(const struct prof_pages *pages, const struct prof_finding *first,
                              uint32_t count, struct arena *arena, struct str *out)
{
    struct str text = {0};
    uint32_t locations = 0;
    for (uint32_t i = 1; i < count && locations < LOCATIONS; i++) {
        if (first[i].rule != first->rule || prof_hardly_saves(&first[i])) continue;
        const char *location = prof_finding_location(&first[i], arena),
                   *gain = prof_gain_text(&first[i], arena);
        str_printf(&text, "%s%s%s%s", locations++ ? "; " : _("Also at: "), location,
                   *location && *gain ? ", " : "", gain);
    }
    if (locations) {
        str_add(out, "         ");
        report_wrap(str_text(&text), 9, prof_width(pages), out);
    }
    str_release(&text);
    return locations;
}

static void add_findings(const struct prof_pages *pages, const struct prof_finding *findings, uint32_t count,
                         struct arena *arena, struct str *out)
{
    uint32_t shown = 0, rules = 0, worth = count_worth(findings, count);
    for (uint32_t i = 0; i < count && rules < PROF_VERDICT_FINDINGS; i++) {
        if (prof_hardly_saves(&findings[i]) || is_again(findings, i)) continue;
        add_finding(pages, &findings[i], arena, out);
        shown += 1 + add_locations(pages, &findings[i], count - i, arena, out);
        rules++;
    }
    if (worth > shown)
        str_printf(out, _("     %u more findings: see --page advice\n"), count - shown);
    else if (count > shown)
        str_printf(out, _("     %u more findings with hardly any saving: see --page advice\n"),
                   count - shown);
}

static void kernel_findings(struct prof_pages *pages, uint32_t number, const struct prof_group *g,
                            struct arena *arena, struct str *out)
{
    struct prof_finding *findings;
    uint32_t count = prof_findings(&g->total, arena, &findings);
    prof_colour(pages, PROF_BOLD, out);
    str_printf(out, "  %u. %s", number, prof_short_name(g->total.kernel, prof_width(pages) - 20, arena));
    prof_colour(pages, PROF_PLAIN, out);
    const struct event_time *time = g->total.launch->time;
    if (time) str_printf(out, _(", limited by %s"), prof_limit_name((enum event_limit)time->limit));
    if (g->failed) str_printf(out, _(": %u of %u launches failed"), g->failed, g->launches);
    if (!g->failed && !count_worth(findings, count)) str_add(out, _(": no significant findings"));
    str_add(out, "\n");
    const char *wait = prof_longest_wait_text(&g->total, arena);
    if (*wait) str_add(out, "     ");
    if (*wait) report_wrap(wait, 5, prof_width(pages), out);
    add_findings(pages, findings, count, arena, out);
}

static void host_findings(struct prof_pages *pages, const struct prof_process *process, struct arena *arena,
                          struct str *out)
{
    struct prof_finding *findings;
    uint32_t count = prof_process_findings(process, arena, &findings);
    if (!count) return;
    prof_colour(pages, PROF_BOLD, out);
    str_add(out, "  ");
    str_printf(out, _("Host code of %s"), process->name);
    prof_colour(pages, PROF_PLAIN, out);
    str_add(out, "\n");
    add_findings(pages, findings, count, arena, out);
}

void prof_verdict(struct prof_pages *pages, struct prof_group *const *groups, uint32_t count, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    uint32_t launches = 0, kernels = count_names(groups, count);
    for (uint32_t i = 0; i < count; i++)
        launches += groups[i]->launches;
    prof_colour(pages, PROF_BOLD, out);
    str_printf(out, _("Softwarp %s, device %s (compute capability %u.%u): "), pages->options.version,
               groups[0]->total.gpu->full_name, groups[0]->total.cc->major, groups[0]->total.cc->minor);
    str_printf(out, kernels == 1 ? _("%u kernel") : _("%u kernels"), kernels);
    str_printf(out, launches == 1 ? _(", %u launch\n\n") : _(", %u launches\n\n"), launches);
    prof_colour(pages, PROF_PLAIN, out);
    kernel_table(pages, groups, count, &arena, out);
    prof_range_text(pages, out);
    report_wrap(_("What to change first (by time saved; High, Medium, Low: priority in NVIDIA's guide)"), 2,
                prof_width(pages), out);
    for (uint32_t i = 0; i < count && i < KERNELS; i++)
        kernel_findings(pages, i + 1, groups[i], &arena, out);
    for (size_t p = 0; p < pages->processes.count; p++)
        host_findings(pages, &pages->processes.at[p], &arena, out);
    str_add(out, "\n");
    arena_release(&arena);
}
