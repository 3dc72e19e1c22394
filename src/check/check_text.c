/* SPDX-License-Identifier: Apache-2.0 */
/* A report as text: compute-sanitizer's lines with its prefix, then source lines and explanations under the
 * same prefix, and its summaries. The lines that people search for stay English; explanations are translated.
 * Limits: groups after the first `most` are counted only. */
#include "check_priv.h"

#include "base/base_text.h"

#include <inttypes.h>
#include <string.h>

#define PREFIX "========= "

static void add_lines(const char *lines, struct str *out)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        str_add(out, PREFIX);
        str_add_bytes(out, lines, length);
        str_add_char(out, '\n');
        lines += length + (lines[length] != 0);
    }
}

static void add_source(struct check_report *r, const struct check_place *p, struct str *out)
{
    const char *text = p->at ? check_place_source(r, p) : NULL;
    if (text) str_printf(out, PREFIX "    %s:%u: %s\n", check_base_name(p->file), p->line, text);
}

static bool is_one_line(const struct check_place *a, const struct check_place *b)
{
    return b->at && a->line == b->line && strcmp(a->file, b->file) == 0;
}

typedef void (*explain)(const struct check_group *group, struct arena *arena, check_sentences *out);

static void add_explanations(const struct check_group *g, explain what, struct str *out)
{
    struct arena arena;
    check_sentences sentences = {0};
    arena_init(&arena);
    what(g, &arena, &sentences);
    for (size_t i = 0; i < sentences.count; i++)
        str_printf(out, PREFIX "    %s\n", sentences.at[i]);
    vec_release(&sentences);
    arena_release(&arena);
}

static void add_group(struct check_report *r, const struct check_group *g, struct str *out)
{
    struct str lines = {0};
    check_lines_add(r, g, &lines);
    add_lines(str_text(&lines), out);
    str_release(&lines);
    add_explanations(g, check_explain_memory, out);
    if (!is_one_line(&g->place, &g->other)) add_source(r, &g->other, out);
    add_source(r, &g->place, out);
    if (r->several) {
        str_add(out, PREFIX "    ");
        str_printf(out, _("In the program %s"), g->process);
        str_add_char(out, '\n');
    }
    add_explanations(g, check_explain, out);
    str_add(out, PREFIX "\n");
}

static void add_begin(const struct check_report *r, struct str *out)
{
    const char *comma = "";
    str_add(out, PREFIX "SOFTWARP CHECK (");
    for (int t = 0; t < CHECK_TOOL_COUNT; t++) {
        if (!(r->options.tools >> t & 1)) continue;
        str_printf(out, "%s%s", comma, check_tool_name((enum check_tool)t));
        comma = ", ";
    }
    str_add(out, ")\n");
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* "1 hazard displayed (1 error, 0 warnings)"; where hazards are written, all of them are errors or warnings.
 */
static void add_race_summary(const struct check_report *r, uint64_t most, struct str *out)
{
    uint64_t count[CHECK_ERROR + 1] = {0}, all = 0;
    for (size_t i = 0; i < r->groups.count; i++) {
        const struct check_group *g = r->groups.at[i];
        if (g->first->kind != EVENT_FINDING_RACE) continue;
        all += i < most;
        count[g->level] += r->options.races == CHECK_RACES_ANALYSIS ? 1 : g->count;
    }
    str_printf(out,
               PREFIX "RACECHECK SUMMARY: %" PRIu64 " hazard%s displayed (%" PRIu64 " error%s, %" PRIu64
                      " warning%s)\n",
               all, plural(all), count[CHECK_ERROR], plural(count[CHECK_ERROR]), count[CHECK_WARN],
               plural(count[CHECK_WARN]));
}

static void add_leak_summary(const struct check_report *r, struct str *out)
{
    uint64_t bytes = 0, allocations = 0;
    for (size_t i = 0; i < r->groups.count; i++)
        if (r->groups.at[i]->first->kind == EVENT_FINDING_LEAK) {
            bytes += r->groups.at[i]->bytes;
            allocations += r->groups.at[i]->count;
        }
    str_printf(out, PREFIX "LEAK SUMMARY: %" PRIu64 " bytes leaked in %" PRIu64 " allocations\n", bytes,
               allocations);
}

static void add_end(const struct check_report *r, uint64_t written, struct str *out)
{
    if (r->options.tools >> CHECK_RACECHECK & 1)
        add_race_summary(r, r->options.most ? r->options.most : UINT64_MAX, out);
    if (r->options.leaks) add_leak_summary(r, out);
    str_printf(out, PREFIX "ERROR SUMMARY: %" PRIu64 " error%s\n", r->errors, plural(r->errors));
    if (written < r->errors)
        str_printf(out,
                   PREFIX "ERROR SUMMARY: %" PRIu64
                          " errors were not printed. Use --print-limit option to adjust "
                          "the number of printed errors\n",
                   r->errors - written);
    if (r->suppressed)
        str_printf(out, PREFIX "SUPPRESSED: %" PRIu64 " error%s\n", r->suppressed, plural(r->suppressed));
}

void check_write_text(struct check_report *r, const struct check_run *run, struct str *out)
{
    uint64_t written = 0, most = r->options.most;
    add_begin(r, out);
    for (size_t i = 0; i < r->groups.count && (!most || i < most); i++) {
        add_group(r, r->groups.at[i], out);
        written += r->groups.at[i]->count;
    }
    if (run->exit_status) str_add(out, PREFIX "Target application returned an error\n");
    add_end(r, written, out);
}
