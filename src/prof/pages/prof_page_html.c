/* SPDX-License-Identifier: Apache-2.0 */
/* The report as one HTML file that needs nothing else: summary, findings, sections, and the source with its
 * heat.
 *
 * No script and no picture from elsewhere: bars and heat are styles, charts are drawn as SVG, what is long
 * folds by <details>, so it reads the same offline, printed, and in ten years. Launches are taken together by
 * group, whatever their number. Limits: kernels after the first OPEN are folded. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

enum { OPEN = 3, NAME_WIDTH = 80 };
#define SIGN(sign) "<span class=label>" sign "</span>"

static void summary_row(uint32_t number, const struct prof_group *g, uint64_t all, struct arena *arena,
                        struct str *out)
{
    const struct prof_launch *p = &g->total;
    struct prof_access global = prof_global_total(&p->sums), shared = prof_shared_total(&p->sums);
    uint64_t bytes = prof_traffic_bytes(&p->sums);
    double seconds = prof_group_seconds(g);
    str_printf(out, "<tr><td class=n><a href=\"#k%u\">%u</a></td><td><code>", number, number);
    report_html_text(prof_short_name(p->kernel, NAME_WIDTH, arena), out);
    str_printf(out,
               "</code></td><td class=n>%u</td><td class=n>%s</td><td><span class=bar "
               "style=\"width:%.1fem\"></span>%s</td>",
               g->launches, seconds > 0 ? prof_human_seconds(seconds, arena) : "",
               all ? 8.0 * (double)bytes / (double)all : 0, prof_human_bytes(bytes, arena));
    str_printf(out, "<td class=n>%s</td>",
               global.units ? prof_percent(global.units - global.ideal, global.units, arena) : "");
    str_printf(out, "<td class=n>%s</td>",
               shared.units ? prof_percent(shared.units - shared.ideal, shared.units, arena) : "");
    if (p->has_occupancy)
        str_printf(out, "<td>%.0f %% (%s)</td></tr>\n", 100 * p->occupancy.fraction,
                   _(arch_occupancy_limiter(&p->occupancy)));
    else
        str_add(out, "<td></td></tr>\n");
}

static void summary(struct prof_group *const *groups, uint32_t count, struct arena *arena, struct str *out)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += prof_traffic_bytes(&groups[i]->total.sums);
    str_printf(
        out,
        "<div class=scroll><table><tr><th></th><th>%s</th><th class=n>%s</th><th class=n>%s</th><th>%s</th>"
        "<th class=n>%s</th><th class=n>%s</th><th>%s</th></tr>\n",
        _("Kernel"), _("Launches"), _("Time~"), _("Traffic"), _("Excess"), _("Bank conflicts"),
        _("Occupancy (limit)"));
    for (uint32_t i = 0; i < count; i++)
        summary_row(i + 1, groups[i], all, arena, out);
    str_add(out, "</table></div>\n");
}

static void paragraph(const char *text, struct str *out)
{
    if (!*text) return;
    str_add(out, "<div>");
    report_html_text(text, out);
    str_add(out, "</div>");
}

static void finding(const struct prof_finding *f, struct arena *arena, struct str *out)
{
    static const char *const CLASSES[] = {"low", "medium", "high"};
    str_printf(out, "<li class=%s><strong>", CLASSES[f->rule->priority]);
    report_html_text(f->title, out);
    str_printf(out, "</strong> <span class=soft>(%s, %s %s", prof_priority_name(f->rule->priority),
               _("guide section"), f->rule->section);
    const char *gain = prof_gain_text(f, arena);
    if (*gain) str_printf(out, ", %s", gain);
    str_add(out, ")</span>");
    paragraph(prof_finding_location(f, arena), out);
    paragraph(f->evidence, out);
    paragraph(f->change, out);
    str_add(out, "</li>\n");
}

static void html_findings(const struct prof_launch *launch, const struct prof_finding *found, uint32_t count,
                          struct arena *arena, struct str *out)
{
    if (!count) {
        str_printf(out, "<p>%s</p>\n", prof_no_findings(launch));
        return;
    }
    str_printf(out, "<h3>%s</h3>\n<ol class=findings>\n", _("What to change first"));
    for (uint32_t i = 0; i < count; i++)
        finding(&found[i], arena, out);
    str_add(out, "</ol>\n");
}

static void hosts(struct prof_pages *pages, struct arena *arena, struct str *out)
{
    for (size_t p = 0; p < pages->processes.count; p++) {
        struct prof_finding *found;
        uint32_t count = prof_process_findings(&pages->processes.at[p], arena, &found);
        if (!count) continue;
        str_add(out, "<h2>");
        report_html_text(arena_printf(arena, _("Host code of %s"), pages->processes.at[p].name), out);
        str_add(out, "</h2>\n");
        html_findings(NULL, found, count, arena, out);
    }
}

static void metric_row(const struct prof_group *g, uint32_t index, struct arena *arena, struct str *out)
{
    const struct prof_metric *metric = prof_metric_at(index);
    const struct prof_stat *stat = &g->stats[index];
    enum prof_label label = prof_label_of(metric, &g->total);
    str_add(out, "<tr title=\"");
    report_html_text(prof_metric_name(metric, arena), out);
    str_add(out, "\"><td>");
    report_html_text(metric->text, out);
    double factor = 1;
    const char *unit =
        metric->section == PROF_LAUNCH ? metric->unit : prof_human_unit(metric->unit, stat->most, &factor);
    str_printf(out, "</td><td>%s</td>", unit);
    report_html_cell(prof_scaled(prof_group_value(g, (int)index), factor), out);
    str_printf(out, "<td class=label title=\"%s\">%c</td><td class=soft>", prof_label_name(label),
               prof_label_mark(label));
    if (stat->least != stat->most) {
        report_number(report_real(factor * stat->least), out);
        str_add(out, _(" to "));
        report_number(report_real(factor * stat->most), out);
    }
    str_add(out, "</td></tr>\n");
}

static void roofline(const struct prof_group *g, struct arena *arena, struct str *out)
{
    struct prof_roofline r;
    if (!prof_group_roofline(g, &r)) return;
    paragraph(prof_roofline_verdict(&r, arena), out);
    prof_roofline_svg(&r, out);
    prof_roofline_table(g, report_html_table, out);
}

static void html_section(struct prof_pages *pages, const struct prof_group *g, enum prof_section which,
                         struct arena *arena, struct str *out)
{
    const struct prof_selection *s = &pages->options.selection;
    struct str tables = {0}, rows = {0};
    if (which == PROF_MEMORY && g->total.counted) prof_memory_tables(g, report_html_table, &tables);
    if (which == PROF_MEMORY) paragraph(prof_sample_text(g, arena), &tables);
    if (which == PROF_MEMORY) paragraph(prof_estimate_text(g, arena), &tables);
    if (which == PROF_INSTRUCTIONS) prof_instruction_mix(g, report_html_table, &tables);
    if (which == PROF_ROOFLINE) roofline(g, arena, &tables);
    if (which == PROF_SPEED) {
        paragraph(prof_limit_text(g, arena), &tables);
        paragraph(prof_bandwidth_text(g, arena), &tables);
        paragraph(prof_validated_text(g, arena), &tables);
    }
    if (which == PROF_WARPS) paragraph(prof_stall_text(g, arena), &tables);
    for (uint32_t m = 0; m < s->count; m++)
        if (prof_metric_shown(pages, g, s->metrics[m], which)) metric_row(g, s->metrics[m], arena, &rows);
    if (tables.length || rows.length) str_printf(out, "<h3>%s</h3>\n", _(prof_section_name(which)));
    str_add(out, str_text(&tables));
    if (rows.length) str_printf(out, "<div class=scroll><table>\n%s</table></div>\n", str_text(&rows));
    str_release(&tables);
    str_release(&rows);
}

static void html_kernel(struct prof_pages *pages, uint32_t number, const struct prof_group *g,
                        struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    str_printf(out, "<h2 id=k%u>%u. <code>", number, number);
    report_html_text(g->total.kernel, out);
    str_add(out, "</code></h2>\n<p class=soft>");
    str_printf(out, _("grid %s, block %s, launches: %u, process "),
               prof_triple(g->total.launch->grid, &arena), prof_triple(g->total.launch->block, &arena),
               g->launches);
    report_html_text(g->total.process, out);
    str_add(out, "</p>\n");
    if (g->failed) {
        str_add(out, "<p><strong>");
        str_printf(out, _("%u of them failed; their counters stop at the failure."), g->failed);
        str_add(out, "</strong></p>\n");
    }
    paragraph(prof_group_ranges(g, &arena), out);
    struct prof_finding *found;
    uint32_t count = prof_findings(&g->total, &arena, &found);
    html_findings(&g->total, found, count, &arena, out);
    prof_html_source(pages, g, out);
    str_printf(out, "<details%s><summary>%s</summary>\n", number <= OPEN ? " open" : "", _("Sections"));
    for (int i = 0; i < PROF_SECTION_COUNT; i++)
        html_section(pages, g, PROF_SECTION_ORDER[i], &arena, out);
    str_add(out, "</details>\n");
    arena_release(&arena);
}

static void html_ranges(struct prof_pages *pages, struct str *out)
{
    uint32_t more = prof_range_table(pages, "\u00a0\u00a0", report_html_table, out);
    if (more) str_printf(out, _("  %u more ranges: see --json\n"), more);
}

static void kernels(struct prof_pages *pages, struct prof_group *const *groups, uint32_t count,
                    struct arena *arena, struct str *out)
{
    const struct prof_launch *first = &groups[0]->total;
    paragraph(arena_printf(arena, _("%s, compute capability %u.%u; kernels: %u, launches: %u"),
                           first->gpu->full_name, first->cc->major, first->cc->minor, count, pages->seen),
              out);
    summary(groups, count, arena, out);
    html_ranges(pages, out);
    paragraph(prof_trust_text(groups, count, arena), out);
    str_add(out, "<p class=soft>");
    str_printf(out,
               _("Labels: %s exact, %s rule of the hardware, %s counted in PTX, %s modelled (an estimate)."),
               SIGN("="), SIGN("r"), SIGN("p"), SIGN("~"));
    str_printf(out, " %s</p>\n", _(PROF_NOT_MODELLED));
    for (uint32_t i = 0; i < count; i++)
        html_kernel(pages, i + 1, groups[i], out);
}

void prof_html_begin(struct prof_pages *pages, struct str *out)
{
    report_html_begin(_("Softwarp report"), out);
    str_printf(out, "<h1>Softwarp %s</h1>\n", pages->options.version);
}

void prof_html_end(struct prof_pages *pages, struct str *out)
{
    struct prof_group *const *groups;
    struct arena arena;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    arena_init(&arena);
    if (count) kernels(pages, groups, count, &arena, out);
    hosts(pages, &arena, out);
    str_add(out, "</html>\n");
    arena_release(&arena);
}
