/* SPDX-License-Identifier: Apache-2.0 */
/* softwarp assess: what moving each hotspot of a CPU program to a GPU can bring at most, from gprof's flat
 * profile.
 *
 * Amdahl (the problem stays as large): 1 / ((1 - P) + P / N). Gustafson (it grows with the processors): N +
 * (1 - P) (1 - N). P is a function's share of the time, N the factor by which it becomes faster. Sources:
 * CUDA C Best Practices Guide 8.0, chapter 3 (assess) and section 3.1.3 (strong and weak scaling). Limits:
 * bounds, not predictions; copies to and from the GPU cost more; gprof samples, so small shares are
 * uncertain. */
#include "cli_priv.h"

#include "report/report.h"

#include <string.h>

enum { HOTSPOTS = 10 };
static const double FACTORS[] = {10, 100};

struct request {
    const char *output;
    uint64_t count;
    bool csv, json;
};

static double amdahl(double share, double factor)
{
    return 1 / ((1 - share) + share / factor);
}

static double gustafson(double share, double factor)
{
    return factor + (1 - share) * (1 - factor);
}

static void assess_add_row(struct report_table *table, const char *name, const struct cli_hotspot *h)
{
    report_cell(table, report_text(name));
    report_cell(table, report_real(100 * h->share));
    report_cell(table, report_real(h->seconds));
    report_cell(table, h->has_calls ? report_integer(h->calls) : report_none());
    for (size_t i = 0; i < SW_COUNT_OF(FACTORS); i++)
        report_cell(table, report_real(amdahl(h->share, FACTORS[i])));
    report_cell(table, h->share < 1 ? report_real(1 / (1 - h->share)) : report_none());
    report_cell(table, report_real(gustafson(h->share, FACTORS[SW_COUNT_OF(FACTORS) - 1])));
}

static void fill_table(const struct request *q, const cli_hotspots *list, struct arena *arena,
                       struct report_table *table)
{
    static const char *const NAMES[] = {"function",    "time",         "self",    "calls",
                                        "10x as fast", "100x as fast", "at most", "grown 100x"};
    static const char *const UNITS[] = {"", "%", "s", "", "", "", "", ""};
    struct cli_hotspot together = {0};
    for (size_t i = 0; i < SW_COUNT_OF(NAMES); i++)
        report_column(table, NAMES[i], UNITS[i]);
    for (size_t i = 0; i < list->count && i < q->count; i++) {
        const struct cli_hotspot *h = &list->at[i];
        assess_add_row(table, h->name, h);
        together.share += h->share;
        together.seconds += h->seconds;
        if (together.share > 1) together.share = 1; /* gprof rounds */
        if (i) assess_add_row(table, arena_printf(arena, "the first %zu together", i + 1), &together);
    }
}

static int assess(const struct request *q, const char *path, struct arena *arena)
{
    cli_hotspots list = {0};
    struct report_table table = {0};
    struct cli_output output = {.path = q->output};
    int code = cli_gprof_read(path, arena, &list);
    if (code < 0) {
        fill_table(q, &list, arena, &table);
        if (q->csv)
            report_table_csv(&table, true, &output.text);
        else if (q->json)
            report_table_json(&table, &output.text);
        else {
            report_table_text(&table, &output.text);
            str_add(&output.text, "\nSpeed-up of the whole program when the hotspot is 10 or 100 times as "
                                  "fast, at most (Amdahl's law),\nand when the problem grows with 100 times "
                                  "the processors (Gustafson's law). Copies are not included.\n");
        }
        code = cli_output_finish(&output);
    }
    report_table_release(&table);
    vec_release(&list);
    return code;
}

int cmd_assess(const struct cli_command *self, int argc, char **argv)
{
    struct request q = {.count = HOTSPOTS};
    const struct cli_option table[] = {
        {"--count", 'c', CLI_NUMBER, &q.count, "N", "number of hotspots to show; default 10"},
        {"--csv", 0, CLI_FLAG, &q.csv, NULL, "as CSV"},
        {"--json", 0, CLI_FLAG, &q.json, NULL, "as JSON"},
        {"--output", 'o', CLI_TEXT, &q.output, "FILE", "write the result there, not to standard output"},
    };
    int rest, code = cli_parse(self, table, SW_COUNT_OF(table), argc, argv, &rest);
    if (code >= 0) return code;
    if (rest + 1 != argc) return cli_fail(CLI_USAGE, "one flat profile is needed: softwarp assess GPROF.txt");
    if (q.csv && q.json) return cli_fail(CLI_USAGE, "--csv and --json exclude each other");
    if (!q.count) return cli_fail(CLI_USAGE, "--count must be at least 1: the number of hotspots to show");
    struct arena arena;
    arena_init(&arena);
    code = assess(&q, argv[rest], &arena);
    arena_release(&arena);
    return code;
}
