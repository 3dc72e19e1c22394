/* SPDX-License-Identifier: Apache-2.0 */
/* The page for people: a first screen that says what is wrong (prof_verdict.c), then each kernel in ncu's
 * sections and their order, with a sign after each number that says how far it may be trusted.
 *
 * Launches of one group stand together, a number being that of each when all agree and otherwise their mean
 * with the least and the most; without options.summary every launch has its own sections. Limits: at most
 * EXCESS_LINES lines of each kind; the source page has all.  */
#include "prof_pages_priv.h"

#include "base/base_text.h"

#include <stdlib.h>
#include <string.h>

enum { EXCESS_LINES = 8, SOURCE_WIDTH = 48 };

const enum prof_section PROF_SECTION_ORDER[PROF_SECTION_COUNT] = {
    PROF_SPEED, PROF_ROOFLINE,     PROF_COMPUTE, PROF_MEMORY,    PROF_SCHEDULER,
    PROF_WARPS, PROF_INSTRUCTIONS, PROF_LAUNCH,  PROF_OCCUPANCY, PROF_BRANCHES};
const char PROF_NOT_MODELLED[] = N_("Not modelled: clocks that change with load.");
static const char LEGEND[] =
    N_("Labels: = exact: equals the counter of the GPU   r rule of the hardware, without arbitration\n       "
       " p counted in PTX: machine code may have more or less   ~ modelled: an estimate\n");

/* Beginnings of metrics that the memory tables have cells for, or that follow from those. */
static const char *const IN_TABLES[] = {"l1tex__t_requests_pipe_lsu",
                                        "l1tex__t_sectors_pipe_lsu",
                                        "l1tex__data_",
                                        "smsp__inst_executed_op_shared",
                                        "smsp__sass_average_data_bytes_per",
                                        "lts__t_sectors_srcunit_tex",
                                        "dram__",
                                        "memory_l",
                                        "derived__memory_l"};

/* And of those that the sentence on what limits the time has. */
static const char *const IN_WORDS[] = {"l1tex__", "lts__"};

/* The same numbers in other units, for those who ask by these names. */
static const char *const IN_OTHER_UNITS[] = {"smsp__warp_issue_stalled", "smsp__warps_eligible.sum"};

static bool begins_with_one(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sw_starts_with(name, list[i])) return true;
    return false;
}

static bool is_in_tables(const char *name)
{
    return begins_with_one(name, IN_TABLES, SW_COUNT_OF(IN_TABLES));
}

/* Left out for people unless they asked: what the tables and the title say, kinds of instructions and
 * accesses that there are none of, and reasons for which no warp waits. */
static bool is_said_elsewhere(const struct prof_metric *metric, const struct prof_stat *stat)
{
    if (metric->section == PROF_LAUNCH || metric->section == PROF_ROOFLINE) return !metric->basic;
    if (metric->section == PROF_MEMORY) return !metric->basic || stat->most == 0 || is_in_tables(metric->ncu);
    if (metric->section == PROF_SPEED && !metric->basic &&
        begins_with_one(metric->ncu, IN_WORDS, SW_COUNT_OF(IN_WORDS)))
        return true;
    if (begins_with_one(metric->ncu, IN_OTHER_UNITS, SW_COUNT_OF(IN_OTHER_UNITS)) ||
        (!metric->ncu[0] && (metric->section == PROF_WARPS || metric->section == PROF_COMPUTE)))
        return true;
    bool none = metric->section == PROF_INSTRUCTIONS || metric->section == PROF_COMPUTE ||
                metric->section == PROF_WARPS || (metric->section == PROF_SPEED && !metric->basic);
    return none && stat->most == 0;
}

static void stat_cells(struct report_table *table, const struct prof_group *g, uint32_t index, double factor,
                       struct arena *arena)
{
    const struct prof_stat *stat = &g->stats[index];
    char mark[2] = {prof_label_mark(prof_label_of(prof_metric_at(index), &g->total)), 0};
    bool same = stat->least == stat->most;
    report_cell(table, prof_scaled(prof_group_value(g, (int)index), factor));
    report_cell(table, report_text(arena_strdup(arena, mark)));
    report_cell(table, same ? report_none() : report_real(factor * stat->least));
    report_cell(table, same ? report_none() : report_real(factor * stat->most));
}

bool prof_metric_shown(const struct prof_pages *pages, const struct prof_group *g, uint32_t index,
                       enum prof_section section)
{
    const struct prof_metric *metric = prof_metric_at(index);
    const struct prof_stat *stat = &g->stats[index];
    if (!stat->known || metric->section != section) return false;
    return pages->options.selection.named || !is_said_elsewhere(metric, stat);
}

static void section_table(const struct prof_pages *pages, const struct prof_group *g,
                          enum prof_section section, struct arena *arena, struct str *out)
{
    static const char *const NAMES[] = {N_("Metric Name"), N_("Metric Unit"), N_("Metric Value"), "",
                                        N_("Minimum"),     N_("Maximum")};
    const struct prof_selection *s = &pages->options.selection;
    struct report_table table = {0};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, *NAMES[i] ? _(NAMES[i]) : "", "");
    for (uint32_t m = 0; m < s->count; m++) {
        const struct prof_metric *metric = prof_metric_at(s->metrics[m]);
        if (!prof_metric_shown(pages, g, s->metrics[m], section)) continue;
        report_cell(&table, report_text(s->named ? prof_metric_name(metric, arena) : metric->text));
        double factor = 1;
        bool plain = s->named || metric->section == PROF_LAUNCH;
        report_cell(&table, report_text(plain ? metric->unit
                                              : prof_human_unit(metric->unit, g->stats[s->metrics[m]].most,
                                                                &factor)));
        stat_cells(&table, g, s->metrics[m], factor, arena);
    }
    if (table.cells.count) {
        report_table_text(&table, out);
        str_add(out, "\n");
    }
    report_table_release(&table);
}

struct excess {
    const struct prof_line *line;
    struct prof_access access;
};

static int by_excess(const void *a, const void *b)
{
    const struct excess *x = a, *y = b;
    uint64_t ex = x->access.units - x->access.ideal, ey = y->access.units - y->access.ideal;
    if (ex != ey) return ex < ey ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

static void excess_row(struct report_table *table, const struct excess *excess,
                       struct report_sources *sources, struct arena *arena)
{
    const struct prof_line *line = excess->line;
    const char *text = report_source_line(sources, line->file, line->line);
    uint64_t more = excess->access.units - excess->access.ideal;
    report_cell(table, report_integer(more));
    report_cell(table, report_text(prof_percent(more, excess->access.units, arena)));
    const char *slash = strrchr(line->file, '/'), *name = slash ? slash + 1 : line->file;
    report_cell(table, report_text(*name ? arena_printf(arena, "%s:%u", name, line->line)
                                         : arena_printf(arena, _("PTX line %u"), line->line)));
    if (!text && !line->file[0]) text = line->op;
    report_cell(table, text ? report_text(prof_clipped(text, SOURCE_WIDTH, arena)) : report_none());
}

static void excess_table(struct prof_pages *pages, const struct prof_line *lines, uint32_t count,
                         struct prof_access (*total)(const struct prof_sums *), const char *what,
                         struct arena *arena, struct str *out)
{
    struct excess *excess = ARENA_ARRAY(arena, struct excess, count + 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct prof_access access = total(&lines[i].sums);
        if (access.units > access.ideal) excess[found++] = (struct excess){&lines[i], access};
    }
    if (!found) return;
    qsort(excess, found, sizeof *excess, by_excess);
    struct report_table table = {0};
    report_column(&table, _(what), "");
    report_column(&table, _("Share"), "");
    report_column(&table, _("Location"), "");
    report_column(&table, _("Source"), "");
    for (uint32_t i = 0; i < found && i < EXCESS_LINES; i++)
        excess_row(&table, &excess[i], &pages->sources, arena);
    report_table_text(&table, out);
    str_add(out, "\n");
    report_table_release(&table);
}

static void sentence(const struct prof_pages *pages, const char *text, struct str *out)
{
    if (!*text) return;
    str_add(out, "  ");
    report_wrap(text, 2, prof_width(pages), out);
}

static void sentence_below(const struct prof_pages *pages, const char *text, struct str *out)
{
    sentence(pages, text, out);
    if (*text) str_add(out, "\n");
}

static bool has_lines(const struct prof_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].file[0]) return true;
    return count == 0;
}

static void source_counters(struct prof_pages *pages, const struct prof_group *g, struct arena *arena,
                            struct str *out)
{
    struct prof_line *lines;
    uint32_t count = prof_lines(&g->total, arena, &lines);
    excess_table(pages, lines, count, prof_global_total, N_("Excess sectors"), arena, out);
    excess_table(pages, lines, count, prof_shared_total, N_("Excess wavefronts"), arena, out);
    if (!has_lines(lines, count))
        sentence_below(
            pages, _("The line numbers are those of the PTX. Compile with -lineinfo to see source lines."),
            out);
}

static void text_table(const struct report_table *table, struct str *out)
{
    report_table_text(table, out);
    str_add(out, "\n");
}

/* What takes longest, and how far the time may be trusted. */
static void time_text(const struct prof_pages *pages, const struct prof_group *g, struct arena *arena,
                      struct str *out)
{
    if (!g->total.launch->time) return;
    sentence(pages, prof_limit_text(g, arena), out);
    sentence(pages, prof_bandwidth_text(g, arena), out);
    sentence(pages, prof_validated_text(g, arena), out);
    str_add(out, "\n");
}

static void roofline_text(const struct prof_pages *pages, const struct prof_group *g, struct arena *arena,
                          struct str *out)
{
    struct prof_roofline roofline;
    if (!prof_group_roofline(g, &roofline)) return;
    prof_roofline_table(g, text_table, out);
    sentence(pages, prof_roofline_verdict(&roofline, arena), out);
    str_add(out, "\n");
    prof_roofline_chart(&roofline, out);
}

static void details_section(struct prof_pages *pages, const struct prof_group *g, enum prof_section which,
                            struct arena *arena, struct str *out)
{
    struct str body = {0};
    bool named = pages->options.selection.named;
    if (which == PROF_MEMORY && !named && g->total.counted) prof_memory_tables(g, text_table, &body);
    if (which == PROF_MEMORY && !named) sentence_below(pages, prof_sample_text(g, arena), &body);
    if (which == PROF_MEMORY && !named) sentence_below(pages, prof_estimate_text(g, arena), &body);
    section_table(pages, g, which, arena, &body);
    if (which == PROF_SPEED && !named) time_text(pages, g, arena, &body);
    if (which == PROF_WARPS && !named) sentence_below(pages, prof_stall_text(g, arena), &body);
    if (which == PROF_ROOFLINE && !named) roofline_text(pages, g, arena, &body);
    if (which == PROF_INSTRUCTIONS && !named) prof_instruction_mix(g, text_table, &body);
    if (which == PROF_BRANCHES && !named && g->total.counted) source_counters(pages, g, arena, &body);
    if (body.length) {
        prof_colour(pages, PROF_BOLD, out);
        str_printf(out, _("  Section: %s\n"), _(prof_section_name(which)));
        prof_colour(pages, PROF_PLAIN, out);
        str_add(out, str_text(&body));
    }
    str_release(&body);
}

static void group_details(struct prof_pages *pages, const struct prof_group *g, struct str *out)
{
    struct arena arena;
    arena_init(&arena);
    prof_colour(pages, PROF_BOLD, out);
    str_add(out, prof_launch_title(&g->total, &arena));
    prof_colour(pages, PROF_PLAIN, out);
    if (g->launches > 1) str_printf(out, _(", Invocations %u"), g->launches);
    str_add(out, "\n\n");
    if (g->failed && g->launches > 1)
        str_printf(out, _("  %u of these launches failed. Their counters stop at the failure.\n\n"),
                   g->failed);
    else if (g->failed)
        str_printf(out, _("  This launch failed: %s. Its counters stop at the failure.\n\n"),
                   sw_status_text(g->total.launch->status));
    sentence_below(pages, prof_group_ranges(g, &arena), out);
    sentence_below(pages, prof_routine_text(g, &arena), out);
    for (size_t i = 0; i < PROF_SECTION_COUNT; i++)
        details_section(pages, g, PROF_SECTION_ORDER[i], &arena, out);
    arena_release(&arena);
}

void prof_details_begin(struct prof_pages *pages, struct str *out)
{
    struct prof_group *const *groups;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    if (!count || pages->options.selection.named) return;
    prof_verdict(pages, groups, count, out);
    str_printf(out, "  %s\n\n", _(PROF_NOT_MODELLED));
}

void prof_details_launch(struct prof_pages *pages, const struct prof_launch *launch, struct str *out)
{
    struct arena arena;
    if (pages->options.summary) return;
    arena_init(&arena);
    group_details(pages, prof_group_of(pages->written, launch, &arena), out);
    arena_release(&arena);
}

void prof_details_end(struct prof_pages *pages, struct str *out)
{
    struct prof_group *const *groups;
    uint32_t count = prof_groups_sorted(pages->groups, &groups);
    for (uint32_t i = 0; pages->options.summary && i < count; i++)
        group_details(pages, groups[i], out);
    if (!pages->options.selection.named) prof_host_text(pages, false, out);
    if (count) str_add(out, _(LEGEND));
}
