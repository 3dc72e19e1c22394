/* SPDX-License-Identifier: Apache-2.0 */
/* The source view of an HTML report: the lines around those that a kernel executed, each with its counters
 * and a colour as strong as its share of what the kernel moved. Limits: a gap of more than CONTEXT lines is
 * cut; a file that cannot be read shows its executed lines without text. */
#include "prof_pages_priv.h"

#include "base/base_text.h"
#include "timing/timing_kernel.h"

#include <string.h>

enum { CONTEXT = 3 };

static void html_source_number(uint64_t value, bool known, struct str *out)
{
    str_add(out, "<td class=n>");
    if (known) report_number(report_integer(value), out);
    str_add(out, "</td>");
}

static void source_rate(uint64_t hits, uint64_t sectors, struct arena *arena, struct str *out)
{
    str_printf(out, "<td class=n>%s</td>", sectors ? prof_percent(hits, sectors, arena) : "");
}

/* The longest reason's words are shown when the pointer rests on it. */
static void waits(const struct event_stalls *stalls, uint64_t of, struct arena *arena, struct str *out)
{
    uint64_t waits = prof_stalls_waits(stalls);
    enum event_stall most = prof_stalls_most(stalls);
    str_printf(out, "<td class=n>%s</td><td title=\"%s\">%s</td>",
               waits ? prof_percent(waits, of, arena) : "", prof_stall_reason(most),
               waits ? timing_stall_name(most) : "");
}

static void counters(const struct prof_line *line, uint64_t stalls, struct arena *arena, struct str *out)
{
    const struct prof_sums *s = &line->sums;
    struct prof_hits hits = prof_hits_of(&line->memory);
    struct prof_access global = prof_global_total(s), shared = prof_shared_total(s);
    html_source_number(s->warps, true, out);
    str_add(out, "<td class=n>");
    if (s->warps) report_number(report_real((double)s->on_lanes / (double)s->warps), out);
    str_add(out, "</td>");
    html_source_number(global.units, global.requests, out);
    html_source_number(global.units - global.ideal, global.requests, out);
    source_rate(hits.l1_hits, hits.l1_sectors, arena, out);
    source_rate(hits.l2_hits, hits.l2_sectors, arena, out);
    html_source_number(hits.dram_sectors, hits.l2_sectors, out);
    html_source_number(shared.units, shared.requests, out);
    html_source_number(shared.units - shared.ideal, shared.requests, out);
    html_source_number(s->divergent, s->branches, out);
    waits(&line->stalls, stalls, arena, out);
}

static void source_row(struct prof_pages *pages, const char *file, uint32_t line,
                       const struct prof_line *counted, uint64_t all, struct str *out)
{
    const char *text = report_source_text(&pages->sources, file, line);
    double share = counted && all ? (double)(prof_heat(&counted->sums) >> 20) / (double)all : 0;
    if (share > 0)
        str_printf(out, "<tr style=\"background:rgba(var(--hot),%.2f)\">", 0.08 + 0.5 * share);
    else
        str_add(out, "<tr>");
    str_printf(out, "<td class=\"n soft\">%u</td><td class=code><code>", line);
    if (text || !file[0]) report_html_text(text ? text : counted ? counted->op : "", out);
    str_add(out, "</code></td>");
    if (counted)
        counters(counted, pages->source_stalls, pages->sources.arena, out);
    else
        str_add(out,
                "<td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td>"
                "<td></td><td></td>");
    str_add(out, "</tr>\n");
}

static const char *const HEAD[] = {N_("Line"),        N_("Source"),      N_("Warps"),   N_("Lanes"),
                                   N_("Sectors"),     N_("Excess"),      N_("L1 hit~"), N_("L2 hit~"),
                                   N_("DRAM~"),       N_("Wavefronts"),  N_("Excess"),  N_("Divergent"),
                                   N_("Stall time~"), N_("Stall reason")};

/* The lines of one file: lines[0] .. lines[count - 1], ascending. */
static void file_table(struct prof_pages *pages, const struct prof_line *lines, uint32_t count, uint64_t all,
                       struct str *out)
{
    const char *file = lines[0].file;
    str_add(out, "<details open><summary><code>");
    report_html_text(file[0] ? file : _("PTX instructions without a source line"), out);
    str_add(out, "</code></summary>\n<div class=scroll><table class=source><tr>");
    for (size_t i = 0; i < SW_COUNT_OF(HEAD); i++)
        str_printf(out, "<th%s>%s</th>", i == 1 ? "" : " class=n", _(HEAD[i]));
    str_add(out, "</tr>\n");
    uint32_t next = 1; /* the first line that is not written yet */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = lines[i].line > CONTEXT ? lines[i].line - CONTEXT : 1;
        if (from > next && i) str_add(out, "<tr><td class=soft>...</td></tr>\n");
        for (uint32_t l = from > next ? from : next; file[0] && l < lines[i].line; l++)
            source_row(pages, file, l, NULL, all, out);
        source_row(pages, file, lines[i].line, &lines[i], all, out);
        next = lines[i].line + 1;
        uint32_t until = i + 1 < count ? lines[i + 1].line : next + CONTEXT;
        for (; file[0] && next < until && next <= lines[i].line + CONTEXT; next++)
            if (report_source_text(&pages->sources, file, next))
                source_row(pages, file, next, NULL, all, out);
    }
    str_add(out, "</table></div></details>\n");
}

void prof_html_source(struct prof_pages *pages, const struct prof_group *g, struct str *out)
{
    struct prof_line *lines;
    struct arena arena;
    arena_init(&arena);
    uint32_t count = prof_lines(&g->total, &arena, &lines);
    uint64_t all = prof_heat(&g->total.sums) >> 20;
    pages->source_stalls = prof_stalls_of_launch(&g->total);
    if (count) str_printf(out, "<h3>%s</h3>\n", _("Source"));
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(lines[end].file, lines[first].file) == 0;)
            end++;
        if (lines[first].file[0]) file_table(pages, &lines[first], end - first, all, out);
    }
    if (count && !lines[count - 1].file[0]) { /* sorted: "" comes first, so there is no other */
        str_printf(out, "<p class=soft>%s</p>\n",
                   _("The program has no line information. Compile with -lineinfo to see the source."));
        file_table(pages, lines, count, all, out);
    }
    arena_release(&arena);
}
