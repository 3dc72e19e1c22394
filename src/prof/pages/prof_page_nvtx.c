/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of NVTX on pages: a table of time by range, which ranges a kernel's launches were in, and ncu's
 * columns. What is not kept of a range (payload, colour, the number of one that was started) is "none", as
 * ncu has it where there is none. */
#include "prof_pages_priv.h"

#include "base/base_text.h"

enum { ROWS = 24, NAME_WIDTH = 48, KERNEL_WIDTH = 32 };

static void range_cells(struct report_table *table, const struct prof_range_row *row, double all_ns,
                        const char *indent, struct arena *arena)
{
    struct str name = {0};
    for (uint32_t d = 0; d < row->depth; d++)
        str_add(&name, indent);
    str_add(&name, prof_clipped(row->name, NAME_WIDTH, arena));
    report_cell(table, report_text(arena_strdup(arena, str_text(&name))));
    str_release(&name);
    bool timed = row->predicted_ns > 0 && all_ns > 0;
    double share = timed ? row->predicted_ns / all_ns : 0,
           of_range = timed ? row->hottest_ns / row->predicted_ns : 0;
    report_cell(table, report_integer(row->launches));
    report_cell(table,
                timed ? report_text(prof_human_seconds(row->predicted_ns * 1e-9, arena)) : report_none());
    report_cell(table, timed ? report_text(prof_percent((uint64_t)(1e6 * share + 0.5), 1000000, arena))
                             : report_none());
    report_cell(table, report_text(prof_short_name(row->hottest, KERNEL_WIDTH, arena)));
    report_cell(table, timed ? report_text(prof_percent((uint64_t)(1e6 * of_range + 0.5), 1000000, arena))
                             : report_none());
}

uint32_t prof_range_table(const struct prof_pages *pages, const char *indent, prof_table_writer write,
                          struct str *out)
{
    static const char *const NAMES[] = {N_("NVTX range"), N_("Launches"),       N_("Time~"),
                                        N_("Of all"),     N_("Hottest kernel"), N_("Of range")};
    const struct prof_range_row *rows;
    struct report_table table = {0};
    struct arena arena;
    double all_ns;
    uint32_t count = prof_ranges_rows(pages->ranges, &rows, &all_ns);
    if (!count) return 0;
    arena_init(&arena);
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(&table, _(NAMES[i]), "");
    for (uint32_t i = 0; i < count && i < ROWS; i++)
        range_cells(&table, &rows[i], all_ns, indent, &arena);
    write(&table, out);
    report_table_release(&table);
    arena_release(&arena);
    return count > ROWS ? count - ROWS : 0;
}

void prof_range_text(const struct prof_pages *pages, struct str *out)
{
    size_t before = out->length;
    uint32_t more = prof_range_table(pages, "  ", report_table_text, out);
    if (more) str_printf(out, _("  %u more ranges: see --json\n"), more);
    if (out->length > before) str_add(out, "\n");
}

const char *prof_group_ranges(const struct prof_group *g, struct arena *arena)
{
    struct str text = {0};
    for (uint32_t i = 0; i < PROF_GROUP_RANGES && g->ranges[i].text; i++) {
        str_printf(&text, "%s%s", i ? "; " : "", g->ranges[i].text);
        if (g->launches > 1) str_printf(&text, " (%u)", g->ranges[i].launches);
    }
    if (text.length && g->others_in_ranges) str_printf(&text, _("; others (%u)"), g->others_in_ranges);
    const char *ranges = text.length ? arena_printf(arena, _("NVTX ranges: %s"), str_text(&text)) : "";
    str_release(&text);
    return ranges;
}

/* ---- CSV */

void prof_range_columns(struct report_table *table)
{
    report_column(table, "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg", "");
    report_column(table, "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg", "");
}

static void range_cell(struct report_table *table, const struct event_nvtx *nvtx, bool started,
                       struct arena *arena)
{
    struct str text = {0};
    for (uint32_t i = 0; nvtx && i < nvtx->count; i++) {
        const struct event_nvtx_range *range = &nvtx->ranges[i];
        if (range->started != started) continue;
        if (!text.length && !started) str_printf(&text, "%u", nvtx->thread);
        str_printf(&text, "%s\"%s%s:%s:none:none:none:none:none:none\"", text.length ? "  " : "",
                   started ? "none:" : "", *range->domain ? range->domain : "<default domain>", range->text);
    }
    report_cell(table, text.length ? report_text(arena_strdup(arena, str_text(&text))) : report_text(""));
    str_release(&text);
}

void prof_range_csv_cells(struct report_table *table, const struct prof_launch *launch, struct arena *arena)
{
    range_cell(table, launch->launch->nvtx, false, arena);
    range_cell(table, launch->launch->nvtx, true, arena);
}

/* ---- JSON */

static void json_text(const char *name, const char *value, struct str *out)
{
    str_printf(out, "\"%s\": ", name);
    report_json_value(report_text(value), out);
}

static void range_json(const struct event_nvtx_range *range, struct str *out)
{
    json_text("range", range->text, out);
    str_add(out, ", ");
    json_text("domain", range->domain, out);
    str_add(out, ", ");
    json_text("kind", range->started ? "start/end" : "push/pop", out);
}

void prof_launch_ranges_json(const struct prof_launch *launch, struct str *out)
{
    const struct event_nvtx *nvtx = launch->launch->nvtx;
    if (!nvtx) return;
    str_printf(out, "\n     \"nvtx\": {\"thread\": %u, \"ranges\": [", nvtx->thread);
    for (uint32_t i = 0; i < nvtx->count; i++) {
        str_add(out, i ? ", {" : "{");
        range_json(&nvtx->ranges[i], out);
        str_add(out, "}");
    }
    str_add(out, "]},");
}

void prof_ranges_json(const struct prof_pages *pages, struct str *out)
{
    const struct prof_range_row *rows;
    double all_ns;
    uint32_t count = prof_ranges_rows(pages->ranges, &rows, &all_ns);
    if (!count) return;
    str_add(out, ",\n \"nvtx_ranges\": [");
    for (uint32_t i = 0; i < count; i++) {
        const struct prof_range_row *row = &rows[i];
        str_add(out, i ? ",\n    {" : "\n    {");
        range_json(&row->range, out);
        str_printf(out, ", \"depth\": %u, \"launches\": %u, ", row->depth, row->launches);
        json_text("hottest_kernel", row->hottest, out);
        if (row->predicted_ns > 0) {
            str_add(out, ", \"time_ns\": ");
            report_json_value(report_real(row->predicted_ns), out);
            str_add(out, ", \"time_share\": ");
            report_json_value(report_real(row->predicted_ns / all_ns), out);
        }
        str_add(out, "}");
    }
    str_add(out, "]");
}
